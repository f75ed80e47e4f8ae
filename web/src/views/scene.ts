// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A small scene in three dimensions by WebGL: one surface with light on it, lines, dots; turned with the mouse or arrow keys.
import { prefixFor } from '../model/numbers';
import { colors } from './colors';
import { el } from './dom';
import { listen } from './gesture';
import { tickText, ticks } from './plot';

const VERTEX = `
attribute vec3 place; attribute vec3 normal; uniform mat3 turn; uniform vec2 zoom; uniform float size; varying vec3 n;
void main() { vec3 p = turn * place; n = turn * normal; gl_Position = vec4(p.x * zoom.x, p.y * zoom.y, -p.z * 0.3, 1.0); gl_PointSize = size; }`;
const FRAGMENT = `
precision mediump float; varying vec3 n; uniform vec4 color; uniform float lit; uniform float dot_;
void main() {
  if (dot_ > 0.5 && length(gl_PointCoord - 0.5) > 0.5) discard;
  vec3 m = normalize(n + vec3(0.0, 0.0, 1e-6)); float d = 0.45 + 0.45 * abs(dot(m, normalize(vec3(0.35, 0.55, 0.75)))) + 0.15 * m.z;
  gl_FragColor = vec4(color.rgb * mix(1.0, d, lit) * color.a, color.a); }`;

/** An axis: its name, the unit of its numbers, and which of them is at 1. */
export interface Axis3 { name: string; unit: string; size: number }

const LENGTH = 1.35; // of an axis

export interface Dot { at: [number, number, number]; color: string; size: number }
export interface Line { points: Float32Array; color: string }

function rgb(text: string): [number, number, number] {
    const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(text.trim());
    return match ? [1, 2, 3].map((k) => parseInt(match[k], 16) / 255) as [number, number, number] : [0.5, 0.5, 0.5];
}

export class Scene {
    readonly canvas: HTMLCanvasElement;
    private readonly gl: WebGLRenderingContext | null;
    private readonly labels: HTMLElement;
    private program: WebGLProgram | null = null;
    private surface: { places: WebGLBuffer; normals: WebGLBuffer; edges: WebGLBuffer; corners: WebGLBuffer; count: number; edgeCount: number } | null = null;
    private scratch: WebGLBuffer | null = null;
    private box: { width: number; height: number } | null = null; // of its place, as it was last observed
    private visible = true; // until it is known to be out of sight
    private frame = 0;
    private longitude = 0.7;
    private latitude = 0.45;
    private axes: Axis3[];
    private marks: { axis: number; at: number; text: string }[] = []; // numbers on the axes
    lines: Line[] = [];
    dots: Dot[] = [];

    constructor(host: HTMLElement, label: string, axes: Axis3[]) {
        this.axes = axes;
        this.canvas = el('canvas', { role: 'application', 'aria-label': label + ' Turn it with the mouse or the arrow keys.', tabindex: 0 });
        this.labels = el('div', { class: 'labels3d', 'aria-hidden': 'true' });
        host.append(this.canvas, this.labels);
        this.gl = this.canvas.getContext('webgl', { antialias: true, alpha: true, premultipliedAlpha: true, preserveDrawingBuffer: true });
        if (this.gl) this.build(this.gl);
        else host.append(el('p', { class: 'muted' }, 'This browser has no WebGL.'));
        this.setAxes(axes);
        new ResizeObserver(([entry]) => { // asking for the size instead would lay out the page anew
            this.box = { width: entry.contentRect.width, height: entry.contentRect.height };
            this.request();
        }).observe(host);
        new IntersectionObserver((seen) => {
            this.visible = seen[seen.length - 1].isIntersecting;
            if (this.visible) this.request();
        }).observe(host);
        window.addEventListener('beforeprint', () => {
            this.visible = true;
            this.draw();
        });
        let last: [number, number] | null = null;
        listen(this.canvas, {
            hold: (e) => { last = [e.clientX, e.clientY]; return true; },
            drag: (e) => {
                if (!last) return;
                this.turn((e.clientX - last[0]) * 0.01, (e.clientY - last[1]) * 0.01);
                last = [e.clientX, e.clientY];
            },
            drop: () => { last = null; },
        });
        this.canvas.addEventListener('keydown', (e) => {
            const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[e.key];
            if (!step) return;
            e.preventDefault();
            this.turn(step[0], step[1]);
        });
    }

    /** Names, units and numbers of the three axes. */
    setAxes(axes: Axis3[]): void {
        this.axes = axes;
        const outside = (all: number[], size: number): number[] => { // not within the body, or the outermost
            const most = Math.max(...all.map(Math.abs)), least = Math.min(0.7 * size, most);
            return all.filter((v) => Math.abs(v) >= 0.999 * least && v !== 0);
        };
        this.marks = axes.flatMap(({ size }, axis) => outside(ticks({ least: -1.2 * size, most: 1.2 * size }, 5), size)
            .map((v) => ({ axis, at: v / size, text: tickText(v / this.factor(axes[axis]), (2.4 * size) / this.factor(axes[axis])) })));
        const name = (a: Axis3): string => a.name + (a.unit ? ` [${prefixFor(a.size, a.unit)[1]}${a.unit}]` : '');
        this.labels.replaceChildren(...axes.map((a) => el('span', { class: 'axis' }, name(a))), ...this.marks.map((m) => el('span', { class: 'tick' }, m.text)));
    }

    private factor(axis: Axis3): number { return prefixFor(axis.size, axis.unit)[0]; }

    /** Draws with the next frame, once for all who ask, where somebody sees it. */
    request(): void {
        if (!this.visible) return;
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            this.draw();
        });
    }

    private turn(east: number, north: number): void {
        this.longitude += east;
        this.latitude = Math.max(-1.5, Math.min(1.5, this.latitude + north));
        this.request();
    }

    private build(gl: WebGLRenderingContext): void {
        const shader = (kind: number, text: string): WebGLShader => {
            const made = gl.createShader(kind)!;
            gl.shaderSource(made, text);
            gl.compileShader(made);
            return made;
        };
        const program = gl.createProgram()!;
        gl.attachShader(program, shader(gl.VERTEX_SHADER, VERTEX));
        gl.attachShader(program, shader(gl.FRAGMENT_SHADER, FRAGMENT));
        gl.bindAttribLocation(program, 0, 'place');
        gl.bindAttribLocation(program, 1, 'normal');
        gl.linkProgram(program);
        this.program = program;
        this.scratch = gl.createBuffer();
    }

    private buffer(kind: number, data: AllowSharedBufferSource): WebGLBuffer {
        const gl = this.gl!, made = gl.createBuffer()!;
        gl.bindBuffer(kind, made);
        gl.bufferData(kind, data, gl.STATIC_DRAW);
        return made;
    }

    /** The surface: three numbers per vertex for place and normal, three vertices per triangle. */
    setSurface(places: Float32Array, normals: Float32Array, triangles: ArrayLike<number>): void {
        const gl = this.gl;
        if (!gl) return;
        if (this.surface) for (const b of [this.surface.places, this.surface.normals, this.surface.corners, this.surface.edges]) gl.deleteBuffer(b);
        const edges: number[] = [];
        for (let k = 0; k < triangles.length; k += 3) edges.push(triangles[k], triangles[k + 1], triangles[k + 1], triangles[k + 2]);
        this.surface = {
            places: this.buffer(gl.ARRAY_BUFFER, places), normals: this.buffer(gl.ARRAY_BUFFER, normals),
            corners: this.buffer(gl.ELEMENT_ARRAY_BUFFER, Uint16Array.from(triangles)), edges: this.buffer(gl.ELEMENT_ARRAY_BUFFER, Uint16Array.from(edges)),
            count: triangles.length, edgeCount: edges.length,
        };
    }

    /** Nothing but the axes. */
    empty(): void {
        if (this.surface) this.surface.count = this.surface.edgeCount = 0;
        this.lines = [];
        this.dots = [];
        this.request();
    }

    private matrix(): number[] {
        const [c, s, d, t] = [Math.cos(this.longitude), Math.sin(this.longitude), Math.cos(this.latitude), Math.sin(this.latitude)];
        return [c, s * t, -s * d, -s, c * t, -c * d, 0, d, t]; // columns: images of the axes, as (right, up, towards us)
    }

    private project(m: number[], p: [number, number, number]): [number, number, number] {
        return [0, 1, 2].map((r) => m[r] * p[0] + m[3 + r] * p[1] + m[6 + r] * p[2]) as [number, number, number];
    }

    private draw(): void {
        const gl = this.gl, box = this.box ?? this.canvas.parentElement!.getBoundingClientRect();
        if (!gl || !this.program || box.width < 40 || box.height < 40) return;
        const ratio = Math.min(2, window.devicePixelRatio || 1), w = Math.round(box.width * ratio), h = Math.round(box.height * ratio);
        if (this.canvas.width !== w || this.canvas.height !== h) {
            this.canvas.width = w;
            this.canvas.height = h;
            this.canvas.style.width = box.width + 'px';
            this.canvas.style.height = box.height + 'px';
        }
        const c = colors(), m = this.matrix(), zoom = 0.68, side = Math.min(w, h), place = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(this.program!, name);
        gl.viewport(0, 0, w, h);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.DEPTH_TEST);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        gl.useProgram(this.program);
        gl.uniformMatrix3fv(place('turn'), false, m);
        gl.uniform2f(place('zoom'), (zoom * side) / w, (zoom * side) / h);
        gl.uniform1f(place('dot_'), 0);
        const paint = (text: string, alpha: number, lit: number): void => {
            gl.uniform4f(place('color'), ...rgb(text), alpha);
            gl.uniform1f(place('lit'), lit);
        };
        gl.enableVertexAttribArray(0);
        if (this.surface) {
            gl.enableVertexAttribArray(1);
            gl.bindBuffer(gl.ARRAY_BUFFER, this.surface.places);
            gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
            gl.bindBuffer(gl.ARRAY_BUFFER, this.surface.normals);
            gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 0, 0);
            gl.enable(gl.POLYGON_OFFSET_FILL);
            gl.polygonOffset(2, 2);
            gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.surface.corners);
            paint(c.body, 1, 1);
            gl.drawElements(gl.TRIANGLES, this.surface.count, gl.UNSIGNED_SHORT, 0);
            gl.disable(gl.POLYGON_OFFSET_FILL);
            gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.surface.edges);
            paint(c.ink, 0.1, 0);
            gl.drawElements(gl.LINES, this.surface.edgeCount, gl.UNSIGNED_SHORT, 0);
        }
        gl.disableVertexAttribArray(1);
        gl.vertexAttrib3f(1, 0, 0, 1);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.scratch);
        gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
        const strip = (points: Float32Array, kind: number): void => {
            gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
            gl.drawArrays(kind, 0, points.length / 3);
        };
        paint(c.muted, 0.8, 0);
        strip(this.cross(), gl.LINES);
        for (const line of this.lines) {
            paint(line.color, 1, 0);
            strip(line.points, gl.LINE_STRIP);
        }
        gl.uniform1f(place('dot_'), 1);
        for (const dot of this.dots) {
            gl.uniform1f(place('size'), dot.size * ratio);
            paint(dot.color, 1, 0);
            strip(new Float32Array(dot.at), gl.POINTS);
        }
        this.label(m, box.width, box.height, zoom);
    }

    /** The axes with a small stroke at each number. */
    private cross(): Float32Array {
        const points: number[] = [], add = (axis: number, at: number, off: number): void => {
            const p = [0, 0, 0];
            p[axis] = at;
            p[axis === 2 ? 0 : 2] = off;
            points.push(...p);
        };
        for (const axis of [0, 1, 2]) for (const end of [-LENGTH, LENGTH]) add(axis, end, 0);
        for (const { axis, at } of this.marks) for (const off of [-0.03, 0.03]) add(axis, at, off);
        return new Float32Array(points);
    }

    private label(m: number[], width: number, height: number, zoom: number): void {
        const side = Math.min(width, height) / 2, places = [...this.axes.map((_, axis) => ({ axis, at: LENGTH + 0.1 })), ...this.marks];
        places.forEach(({ axis, at }, k) => {
            const end: [number, number, number] = [0, 0, 0], label = this.labels.children[k] as HTMLElement;
            end[axis] = at;
            const p = this.project(m, end), far = (axis === 2 ? 0.09 : 0) * side; // beside the axis that points up, below the others
            label.style.transform = `translate(-50%, -50%) translate(${width / 2 + p[0] * zoom * side + (k < 3 ? 0 : far)}px, ${height / 2 - p[1] * zoom * side + (k < 3 || far ? 0 : 0.07 * side)}px)`;
            label.style.opacity = k < 3 || p[2] > -0.55 ? '1' : '.45';
        });
    }
}
