// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A slider seen from above. It is flicked with the mouse: the arrow that is drawn is a blow at the point that was touched, and the
// body slides about as far as the arrow is long.
import { type Run, SLIDE, fingerColumns } from '../core/protocol';
import type { Lab } from '../lab';
import { FloorMotion, type Point, type Pose, inclineOf, toFloor, toSpace } from '../model/floor';
import { prefixed, show } from '../model/numbers';
import { plain } from '../model/plain';
import { type Shape, outline, shapesOf } from '../model/supports';
import { colors, modeColor } from './colors';
import { el } from './dom';
import { listen } from './gesture';

const WIDEST = 2; // times as wide as at first: the picture
const STEP = 0.05; // of how far it goes: what a key adds to the arrow

/** N: the largest force with which a finger pushes during a run. */
function largestPush({ info, table, rows }: Run): number {
    let most = 0;
    fingerColumns(info).forEach((_, k) => {
        for (let at = SLIDE.supports + SLIDE.perSupport * (info.supports!.length + k); at < rows * info.width; at += info.width) most = Math.max(most, Math.hypot(table[at + 1], table[at + 2]) || 0);
    });
    return most;
}

/** What is shown (least and most of x and y, m) with the fingers, as far as they come within some times the reach of the body of it. */
function withFingers({ info, table, rows }: Run, ends: number[], reach: number): number[] {
    const near = 4 * reach, shown = [...ends];
    for (const column of fingerColumns(info))
        for (let at = column; at < rows * info.width; at += info.width)
            [table[at], table[at + 1]].forEach((value, k) => {
                const [least, most] = [ends[2 * k] - near, ends[2 * k + 1] + near], seen = Math.max(least, Math.min(most, value));
                if (!Number.isFinite(value)) return;
                shown[2 * k] = Math.min(shown[2 * k], seen);
                shown[2 * k + 1] = Math.max(shown[2 * k + 1], seen);
            });
    return shown;
}

export class TopView {
    readonly canvas: HTMLCanvasElement;
    private shapes: Shape[] = [];
    private edge: [number, number][] = [];
    private box: { width: number; height: number } | null = null; // of its place, as it was last observed
    private width = 0;
    private height = 0;
    private scale = 1;
    private origin: [number, number] = [0, 0]; // of the canvas, in m
    private home = 0; // m: how far the body goes where nobody has flicked it, which is how far it can be flicked
    private floor: { run: Run; motion: FloorMotion } | null = null; // how it moves, where it does
    private fastest = 1; // m/s: of the run
    private pushes = 0; // N: the largest force of a finger
    private grip: { from: [number, number]; to: [number, number] } | null = null;

    constructor(private readonly host: HTMLElement, private readonly lab: Lab) {
        this.canvas = el('canvas', { id: 'topview', tabindex: 0, role: 'application', 'aria-label': 'The slider from above. Draw an arrow from it to flick it. Keys: the arrows draw it, Shift with left and right adds spin, Enter flicks.' });
        host.append(this.canvas);
        listen(this.canvas, { hold: (e) => this.down(e), drag: (e) => this.move(e), drop: () => this.up() });
        this.canvas.addEventListener('keydown', (e) => this.key(e));
        this.canvas.addEventListener('blur', () => { this.grip = null; this.draw(); });
        new ResizeObserver(([entry]) => {
            this.box = { width: entry.contentRect.width, height: entry.contentRect.height };
            this.arrange();
        }).observe(host);
        lab.on('model', () => { this.home = 0; });
        lab.on('run', () => this.arrange());
        lab.on('time', () => this.draw());
        lab.on('theme', () => this.draw());
    }

    private arrange(): void {
        const run = this.lab.run, tree = this.lab.tree;
        if (!run?.info.supports || !tree) return;
        const box = this.box ?? this.host.getBoundingClientRect(), ratio = Math.min(2, window.devicePixelRatio || 1);
        if (box.width < 40) return;
        this.width = box.width;
        this.height = box.height;
        this.canvas.width = Math.round(box.width * ratio);
        this.canvas.height = Math.round(box.height * ratio);
        this.canvas.style.width = box.width + 'px';
        this.canvas.style.height = box.height + 'px';
        this.canvas.getContext('2d')!.setTransform(ratio, 0, 0, ratio, 0, 0);
        const model = plain(tree);
        this.shapes = shapesOf(model, run.info);
        this.edge = outline(model, this.shapes, run.info.gyration!);
        this.pushes = largestPush(run);
        if (this.floor?.run !== run) this.floor = run.info.floor_moves ? { run, motion: new FloorMotion(run) } : null;
        const reach = Math.max(...this.edge.map(([x, y]) => Math.hypot(x, y)));
        let ends: number[] = [Infinity, -Infinity, Infinity, -Infinity];
        this.fastest = 0;
        for (let k = 0; k < run.rows; k++) {
            const x = run.table[k * run.info.width + 1], y = run.table[k * run.info.width + 2];
            ends = [Math.min(ends[0], x), Math.max(ends[1], x), Math.min(ends[2], y), Math.max(ends[3], y)];
            this.fastest = Math.max(this.fastest, Math.hypot(run.table[k * run.info.width + 4], run.table[k * run.info.width + 5]));
        }
        ends = withFingers(run, ends, reach);
        if (!this.home || !this.lab.isByHand?.()) this.home = Math.max(ends[1] - ends[0], ends[3] - ends[2]) + 2.6 * reach;
        const most = WIDEST * this.home, [x, y] = [run.table[1], run.table[2]]; // what goes farther leaves the picture
        if (ends[1] - ends[0] > most) ends = [Math.max(ends[0], x - most / 2), Math.min(ends[1], x + most / 2), ends[2], ends[3]];
        if (ends[3] - ends[2] > most) ends = [ends[0], ends[1], Math.max(ends[2], y - most / 2), Math.min(ends[3], y + most / 2)];
        const span = [ends[1] - ends[0] + 2.6 * reach, ends[3] - ends[2] + 2.6 * reach];
        this.scale = Math.min(this.width / span[0], this.height / span[1]);
        this.origin = [(ends[0] + ends[1]) / 2, (ends[2] + ends[3]) / 2];
        this.draw();
    }

    /** Where a place on the floor is on the canvas. */
    px(x: number, y: number): [number, number] {
        return [this.width / 2 + (x - this.origin[0]) * this.scale, this.height / 2 - (y - this.origin[1]) * this.scale];
    }

    private world(event: PointerEvent): [number, number] {
        const box = this.canvas.getBoundingClientRect();
        return [this.origin[0] + (event.clientX - box.left - this.width / 2) / this.scale, this.origin[1] - (event.clientY - box.top - this.height / 2) / this.scale];
    }

    draw(): void {
        const run = this.lab.run;
        if (!run?.info.supports || this.shapes.length === 0) return;
        const g = this.canvas.getContext('2d')!, c = colors(), width = run.info.width;
        g.clearRect(0, 0, this.width, this.height);
        const pose = this.floor?.motion.at(this.lab.time) ?? null;
        this.grid(g, pose);
        this.incline(g);
        const ghosts = 7;
        for (let k = 0; k <= ghosts; k++) { // at equal times
            const at = this.lab.reading.at(run, (run.end * k) / ghosts);
            this.path(g, at[1], at[2], at[3]);
            g.strokeStyle = c.line;
            g.lineWidth = 1.2;
            g.stroke();
        }
        g.strokeStyle = c.series[0];
        g.lineWidth = 1.6;
        g.beginPath();
        for (let k = 0; k < run.rows; k++) {
            const [x, y] = this.px(run.table[k * width + 1], run.table[k * width + 2]);
            if (k) g.lineTo(x, y);
            else g.moveTo(x, y);
        }
        g.stroke();
        if (pose) this.track(g, pose);
        const now = this.lab.reading.at(run, this.lab.time);
        this.body(g, now);
        this.velocity(g, now);
        this.fingers(g, now);
        if (this.grip) this.arrow(g, this.px(...this.grip.from), this.px(...this.grip.to), c.accent, 3);
    }

    /** A grid of squares, as wide as a round number; where the floor moves, they move with it. */
    private grid(g: CanvasRenderingContext2D, pose: Pose | null): void {
        const raw = 70 / this.scale, power = 10 ** Math.floor(Math.log10(raw)), lead = raw / power, step = power * (lead < 2 ? 1 : lead < 5 ? 2 : 5);
        const half: Point = [this.width / 2 / this.scale, this.height / 2 / this.scale];
        const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]): Point => [this.origin[0] + i * half[0], this.origin[1] + j * half[1]]).map((p) => (pose ? toFloor(pose, p) : p));
        const [xs, ys] = [0, 1].map((k) => corners.map((p) => p[k])), [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
        const line = (from: Point, to: Point): void => {
            g.moveTo(...this.px(...(pose ? toSpace(pose, from) : from)));
            g.lineTo(...this.px(...(pose ? toSpace(pose, to) : to)));
        };
        g.strokeStyle = colors().grid;
        g.lineWidth = 1;
        g.beginPath();
        for (let x = Math.floor(x0 / step) * step; x <= x1; x += step) line([x, y0], [x, y1]);
        for (let y = Math.floor(y0 / step) * step; y <= y1; y += step) line([x0, y], [x1, y]);
        g.stroke();
        g.fillStyle = colors().muted;
        g.font = '11px system-ui, sans-serif';
        g.textAlign = 'left';
        const told = [`squares of ${prefixed(step, 'm')}${pose ? ', on the floor, which moves' : ''}`, ...(pose ? ['dashed: the track on it'] : [])];
        const wide = g.measureText(told.join('; ')).width < this.width - 20; // otherwise on lines of their own
        (wide ? [told.join('; ')] : told.reverse()).forEach((text, k) => g.fillText(text, 10, this.height - 10 - 15 * k));
    }

    /** The way of the body on a floor that moves, until now, as a mark that it leaves there. */
    private track(g: CanvasRenderingContext2D, pose: Pose): void {
        const { run, motion } = this.floor!, width = run.info.width;
        g.strokeStyle = colors().slip;
        g.lineWidth = 1.4;
        g.setLineDash([3, 3]);
        g.beginPath();
        for (let k = 0; k < run.rows && run.table[k * width] <= this.lab.time; k++) g.lineTo(...this.px(...toSpace(pose, motion.track[k])));
        g.stroke();
        g.setLineDash([]);
    }

    /** Which way an inclined floor falls. */
    private incline(g: CanvasRenderingContext2D): void {
        const tree = this.lab.tree, incline = tree && inclineOf(plain(tree));
        if (!incline) return;
        const c = colors(), [x, y] = [this.width - 46, 46], [dx, dy] = incline.downhill;
        this.arrow(g, [x - 20 * dx, y + 20 * dy], [x + 20 * dx, y - 20 * dy], c.muted, 2);
        g.font = '11px system-ui, sans-serif';
        g.textAlign = 'right';
        g.fillText(`downhill${Number.isFinite(incline.tilt) ? `, ${show((incline.tilt * 180) / Math.PI, 3)}°` : ''}`, this.width - 10, 12);
    }

    private place(x: number, y: number, angle: number, [bx, by]: [number, number]): [number, number] {
        return this.px(x + bx * Math.cos(angle) - by * Math.sin(angle), y + bx * Math.sin(angle) + by * Math.cos(angle));
    }

    private path(g: CanvasRenderingContext2D, x: number, y: number, angle: number): void {
        g.beginPath();
        this.edge.forEach((p, k) => {
            const [a, b] = this.place(x, y, angle, p);
            if (k) g.lineTo(a, b);
            else g.moveTo(a, b);
        });
        g.closePath();
    }

    private body(g: CanvasRenderingContext2D, row: Float64Array): void {
        const c = colors(), [x, y, angle] = [row[1], row[2], row[3]];
        g.save();
        g.shadowColor = 'rgba(0,0,0,.25)';
        g.shadowBlur = 12;
        g.shadowOffsetY = 4;
        this.path(g, x, y, angle);
        g.fillStyle = c.body;
        g.globalAlpha = 0.92;
        g.fill();
        g.restore();
        g.strokeStyle = c.edge;
        g.lineWidth = 1.6;
        this.path(g, x, y, angle);
        g.stroke();
        this.shapes.forEach((shape, k) => {
            const color = modeColor(row[SLIDE.supports + SLIDE.perSupport * k]);
            g.strokeStyle = g.fillStyle = color;
            g.lineWidth = 3;
            if (shape.kind === 'circle') {
                const [px, py] = this.place(x, y, angle, shape.at);
                g.beginPath();
                g.arc(px, py, shape.radius * this.scale, 0, 2 * Math.PI);
                if (shape.inner) g.arc(px, py, shape.inner * this.scale, 0, 2 * Math.PI, true);
                if (shape.filled) {
                    g.globalAlpha = 0.25;
                    g.fill();
                    g.globalAlpha = 1;
                }
                g.stroke();
                const [ex, ey] = this.place(x, y, angle, [shape.at[0] + shape.radius, shape.at[1]]);
                g.lineWidth = 1.4;
                g.beginPath();
                g.moveTo(px, py);
                g.lineTo(ex, ey);
                g.stroke();
            } else if (shape.kind === 'polygon') {
                g.beginPath();
                shape.corners.forEach((p, j) => {
                    const [a, b] = this.place(x, y, angle, p);
                    if (j) g.lineTo(a, b);
                    else g.moveTo(a, b);
                });
                g.closePath();
                g.stroke();
            } else if (shape.kind === 'wheel') {
                const size = Math.hypot(...shape.axle) || 1, r = 0.16 * (this.lab.run!.info.gyration ?? 1);
                const roll: [number, number] = [(-shape.axle[1] / size) * r, (shape.axle[0] / size) * r];
                g.lineWidth = 7;
                g.beginPath();
                g.moveTo(...this.place(x, y, angle, [shape.at[0] - roll[0], shape.at[1] - roll[1]]));
                g.lineTo(...this.place(x, y, angle, [shape.at[0] + roll[0], shape.at[1] + roll[1]]));
                g.stroke();
            } else {
                g.beginPath();
                g.arc(...this.place(x, y, angle, shape.at), 6, 0, 2 * Math.PI);
                g.fill();
            }
        });
        g.fillStyle = c.ink;
        g.beginPath();
        g.arc(...this.px(x, y), 3, 0, 2 * Math.PI);
        g.fill();
    }

    private velocity(g: CanvasRenderingContext2D, row: Float64Array): void {
        const run = this.lab.run!, size = Math.hypot(row[4], row[5]);
        if (!(size > 1e-9 * this.fastest)) return;
        const from = this.px(row[1], row[2]), reach = (0.9 * (run.info.gyration ?? 1) * this.scale * size) / this.fastest;
        this.arrow(g, from, [from[0] + (row[4] / size) * reach, from[1] - (row[5] / size) * reach], colors().slip, 2.4);
    }

    /** The fingers, the way each has come, and how it pushes. */
    private fingers(g: CanvasRenderingContext2D, row: Float64Array): void {
        const run = this.lab.run!, { width } = run.info;
        fingerColumns(run.info).forEach((column, k) => {
            const at = SLIDE.supports + SLIDE.perSupport * (run.info.supports!.length + k), color = modeColor(row[at]), [x, y] = this.px(row[column], row[column + 1]);
            g.strokeStyle = colors().muted;
            g.lineWidth = 1.2;
            g.setLineDash([2, 3]);
            g.beginPath();
            for (let r = 0; r < run.rows && run.table[r * width] <= this.lab.time; r++) g.lineTo(...this.px(run.table[r * width + column], run.table[r * width + column + 1]));
            g.stroke();
            g.setLineDash([]);
            const [fx, fy] = [row[at + 1], row[at + 2]], size = Math.hypot(fx, fy), reach = (0.9 * (run.info.gyration ?? 1) * this.scale) / this.pushes;
            if (size > 1e-9 * this.pushes) this.arrow(g, [x, y], [x + fx * reach, y - fy * reach], color, 2.4);
            g.beginPath();
            g.arc(x, y, 6, 0, 2 * Math.PI);
            g.fillStyle = color;
            g.fill();
            g.strokeStyle = colors().edge;
            g.lineWidth = 1.4;
            g.stroke();
        });
    }

    private arrow(g: CanvasRenderingContext2D, from: [number, number], to: [number, number], color: string, thick: number): void {
        const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
        g.strokeStyle = g.fillStyle = color;
        g.lineWidth = thick;
        g.beginPath();
        g.moveTo(...from);
        g.lineTo(...to);
        g.stroke();
        g.beginPath();
        g.moveTo(to[0] + 5 * Math.cos(angle), to[1] + 5 * Math.sin(angle));
        g.lineTo(to[0] - 8 * Math.cos(angle - 0.5), to[1] - 8 * Math.sin(angle - 0.5));
        g.lineTo(to[0] - 8 * Math.cos(angle + 0.5), to[1] - 8 * Math.sin(angle + 0.5));
        g.fill();
    }

    // ---- the flick

    private down(event: PointerEvent): boolean {
        const run = this.lab.run;
        if (!run?.info.supports) return false;
        const at = this.world(event), row = this.lab.now(), reach = Math.max(...this.edge.map(([x, y]) => Math.hypot(x, y)));
        if (Math.hypot(at[0] - row[1], at[1] - row[2]) > 1.3 * reach) return false;
        event.preventDefault();
        this.lab.play(false);
        this.grip = { from: at, to: at };
        return true;
    }

    private move(event: PointerEvent): void {
        if (!this.grip) return;
        this.grip.to = this.world(event);
        this.draw();
    }

    /** The arrow without a mouse: it begins at the centre of mass, beside it for spin. */
    private key(event: KeyboardEvent): void {
        const run = this.lab.run, step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        if (!run?.info.supports || (!step && event.key !== 'Enter' && event.key !== 'Escape')) return;
        event.preventDefault();
        if (step) {
            const row = this.lab.now(), far = STEP * this.home;
            this.lab.play(false);
            this.grip ??= { from: [row[1], row[2]], to: [row[1], row[2]] };
            if (event.shiftKey && step[0]) for (const end of [this.grip.from, this.grip.to]) end[1] += 0.2 * run.info.gyration! * step[0];
            else this.grip.to = [this.grip.to[0] + far * step[0], this.grip.to[1] + far * step[1]];
            this.draw();
        } else if (event.key === 'Enter') this.up();
        else {
            this.grip = null;
            this.draw();
        }
    }

    /** What has no speed of its own is put elsewhere. */
    private put([dx, dy]: number[]): void {
        const start = this.lab.startNow();
        this.lab.setTime(0);
        this.lab.moveStart({ x: [start.x[0] + dx, start.x[1] + dy, start.x[2]], v: start.v });
        this.lab.keepStart();
        this.lab.play(true);
    }

    private up(): void {
        const grip = this.grip, run = this.lab.run;
        this.grip = null;
        if (!grip || !run?.info.supports) return;
        const drawn = [grip.to[0] - grip.from[0], grip.to[1] - grip.from[1]], distance = Math.hypot(drawn[0], drawn[1]);
        if (distance * this.scale < 6) {
            this.draw();
            return;
        }
        if (run.info.quasistatic) {
            this.put(drawn);
            return;
        }
        const row = this.lab.now(), info = run.info, level = info.supports!.reduce((sum, s) => sum + s.level, 0);
        const speed = Math.sqrt((2 * level * Math.min(distance, this.home)) / info.mass!); // friction stops it after about this distance
        const v = [(speed * drawn[0]) / distance, (speed * drawn[1]) / distance];
        const arm = [grip.from[0] - row[1], grip.from[1] - row[2]], spin = (arm[0] * v[1] - arm[1] * v[0]) / info.gyration! ** 2;
        const place = [row[1], row[2], row[3]];
        this.lab.setTime(0);
        const floor = this.floor?.motion.atStart(row[1], row[2]) ?? { v: [0, 0], spin: 0 }; // what is flicked slides over the floor
        this.lab.moveStart({ x: place, v: [v[0] + floor.v[0], v[1] + floor.v[1], spin + floor.spin] });
        this.lab.keepStart();
        this.lab.play(true);
    }
}
