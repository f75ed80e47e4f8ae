// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A plane with axes on a canvas. What does not move is drawn once and kept as a picture; a frame then costs one copy and a
// cursor.
import { prefixFor } from '../model/numbers';
import { colors } from './colors';
import { el } from './dom';
import { listen } from './gesture';

export interface Range { least: number; most: number }

/** Round numbers across a range, about `count` of them. */
export function ticks(range: Range, count: number): number[] {
    const span = range.most - range.least;
    if (!(span > 1e-12 * Math.max(Math.abs(range.least), Math.abs(range.most))) || !Number.isFinite(span)) return [];
    const raw = span / Math.max(1, count), power = 10 ** Math.floor(Math.log10(raw)), lead = raw / power;
    const step = power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
    const list: number[] = [];
    for (let k = Math.ceil(range.least / step - 1e-9); k * step <= range.most + 1e-9 * span; k++) list.push(k * step);
    return list;
}

export function tickText(value: number, span: number): string {
    if (value === 0 || Math.abs(value) < 1e-9 * span) return '0';
    const size = Math.abs(value);
    if (size >= 1e5 || span < 1e-4) return value.toExponential(Math.max(0, Math.min(3, Math.floor(Math.log10(size)) - Math.floor(Math.log10(span)) + 1))).replace('e+', 'e').replace(/^-/, '−');
    const digits = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(span)))); // ticks may be a twentieth of it apart
    return value.toFixed(digits).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '').replace(/^-/, '−');
}

/** The name of an axis in a prefix that makes its numbers short: "x [m]" of millimetres is "x [mm]", its factor 0.001. */
function named(name: string, range: Range): [string, number] {
    const match = /^(.*)\[(.+)\]$/.exec(name), [factor, letter] = match ? prefixFor(Math.max(Math.abs(range.least), Math.abs(range.most)), match[2]) : [1, ''];
    return [match ? `${match[1]}[${letter}${match[2]}]` : name, factor];
}

/** A range around values, with a margin. */
export function around(least: number, most: number, margin = 0.06): Range {
    if (!(least <= most) || !Number.isFinite(most - least)) return { least: -1, most: 1 };
    const size = Math.max(Math.abs(least), Math.abs(most)), flat = most - least <= 1e-9 * size; // constant, to rounding
    if (flat) return { least: least - (0.1 * size || 1), most: most + (0.1 * size || 1) };
    const span = most - least;
    return { least: least - margin * span, most: most + margin * span };
}

export class Plot {
    readonly canvas: HTMLCanvasElement;
    readonly context: CanvasRenderingContext2D;
    x: Range = { least: 0, most: 1 };
    y: Range = { least: 0, most: 1 };
    width = 0;
    height = 0;
    left = 60;
    right = 12;
    top = 10;
    bottom = 34;
    private still: HTMLCanvasElement | null = null;
    private box: { width: number; height: number } | null = null;
    private visible = true; // until it is known to be out of sight
    private missed = false; // it was to be painted there
    private frame = 0;

    constructor(host: HTMLElement, label: string, private readonly paint: () => void) {
        this.canvas = el('canvas', { role: 'img', 'aria-label': label });
        this.context = this.canvas.getContext('2d')!;
        host.append(this.canvas);
        new ResizeObserver(([entry]) => { // asking for the size instead would lay out the page anew
            this.box = { width: entry.contentRect.width, height: entry.contentRect.height };
            this.paint();
        }).observe(host);
        new IntersectionObserver((seen) => {
            this.visible = seen[seen.length - 1].isIntersecting;
            if (this.visible && this.missed) this.paint();
        }, { rootMargin: '200px' }).observe(this.canvas);
        window.addEventListener('beforeprint', () => {
            this.visible = true;
            if (this.missed) this.paint();
        });
    }

    /** Paints with the next frame, once for all who ask. */
    request(): void {
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            this.paint();
        });
    }

    /** Fits the canvas to its place; false where there is none, or nobody sees it: then it is painted when somebody does. */
    begin(): boolean {
        this.missed = !this.visible;
        if (this.missed) return false;
        const box = this.box ?? this.canvas.parentElement!.getBoundingClientRect();
        const ratio = Math.min(2, window.devicePixelRatio || 1);
        this.width = Math.floor(box.width);
        this.height = Math.floor(box.height);
        if (this.width < 40 || this.height < 40) return false;
        const w = Math.round(this.width * ratio), h = Math.round(this.height * ratio);
        if (this.canvas.width !== w || this.canvas.height !== h) {
            this.canvas.width = w;
            this.canvas.height = h;
            this.canvas.style.width = this.width + 'px';
            this.canvas.style.height = this.height + 'px';
        }
        this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.context.clearRect(0, 0, this.width, this.height);
        this.context.font = '11px system-ui, sans-serif';
        return true;
    }

    /** Nothing is shown, and nothing kept. */
    clear(): void {
        if (this.begin()) this.keep();
    }

    px(x: number): number { return this.left + ((x - this.x.least) / (this.x.most - this.x.least)) * (this.width - this.left - this.right); }
    py(y: number): number { return this.height - this.bottom - ((y - this.y.least) / (this.y.most - this.y.least)) * (this.height - this.top - this.bottom); }
    atX(px: number): number { return this.x.least + ((px - this.left) / (this.width - this.left - this.right)) * (this.x.most - this.x.least); }
    atY(py: number): number { return this.y.least + ((this.height - this.bottom - py) / (this.height - this.top - this.bottom)) * (this.y.most - this.y.least); }

    /** Grid (as dense as `alpha` says), numbers and names, whose units take a prefix where the numbers would be long. */
    axes(x: string, y: string, alpha = 1): void {
        const c = colors(), g = this.context, [nameX, perX] = named(x, this.x), [nameY, perY] = named(y, this.y);
        const line = (x0: number, y0: number, x1: number, y1: number): void => {
            g.globalAlpha = alpha;
            g.beginPath();
            g.moveTo(x0, y0);
            g.lineTo(x1, y1);
            g.stroke();
            g.globalAlpha = 1;
        };
        const last = this.bottom < 30 && nameX ? this.width - this.right - g.measureText(nameX).width - 10 : Infinity; // name and numbers share a line
        g.lineWidth = 1;
        g.fillStyle = c.muted;
        g.strokeStyle = c.grid;
        g.textAlign = 'center';
        g.textBaseline = 'top';
        for (const v of ticks(this.x, (this.width - this.left - this.right) / 70)) {
            const p = Math.round(this.px(v)) + 0.5;
            line(p, this.top, p, this.height - this.bottom);
            if (nameX && p < last) g.fillText(tickText(v / perX, (this.x.most - this.x.least) / perX), p, this.height - this.bottom + 5);
        }
        g.textAlign = 'right';
        g.textBaseline = 'middle';
        for (const v of ticks(this.y, (this.height - this.top - this.bottom) / 34)) {
            const p = Math.round(this.py(v)) + 0.5;
            line(this.left, p, this.width - this.right, p);
            g.fillText(tickText(v / perY, (this.y.most - this.y.least) / perY), this.left - 6, p);
        }
        g.fillStyle = c.ink;
        g.textAlign = 'right';
        g.textBaseline = 'bottom';
        if (nameX) g.fillText(nameX, this.width - this.right, this.height - 2);
        g.save();
        g.translate(11, this.top + (this.height - this.top - this.bottom) / 2);
        g.rotate(-Math.PI / 2);
        g.textAlign = 'center';
        g.textBaseline = 'middle';
        g.fillText(nameY, 0, 0);
        g.restore();
    }

    clip(work: () => void): void {
        const g = this.context;
        g.save();
        g.beginPath();
        g.rect(this.left, this.top, this.width - this.left - this.right, this.height - this.top - this.bottom);
        g.clip();
        work();
        g.restore();
    }

    /** The path of a line: points that lie on the pixel of the one before are left out, gaps (NaN) stay open. */
    private trace(count: number, x: (k: number) => number, y: (k: number) => number, jumps?: (k: number) => boolean): void {
        const g = this.context;
        let drawn = false, px = 0, py = 0;
        g.beginPath();
        for (let k = 0; k < count; k++) {
            const a = this.px(x(k)), b = this.py(y(k));
            if (!Number.isFinite(a) || !Number.isFinite(b)) {
                drawn = false;
                continue;
            }
            if (jumps?.(k)) drawn = false;
            if (drawn && k + 1 < count && Math.abs(a - px) < 0.5 && Math.abs(b - py) < 0.5) continue;
            if (drawn) g.lineTo(a, b);
            else g.moveTo(a, b);
            [drawn, px, py] = [true, a, b];
        }
    }

    /** A line through rows of a table: x and y are columns; broken: open at instants at which something jumps; sign: of y. */
    columns(table: Float64Array, width: number, rows: number, x: number, y: number, color: string, dash: number[] = [], thick = 1.8, broken = false, sign = 1): void {
        const g = this.context;
        g.strokeStyle = color;
        g.lineWidth = thick;
        g.lineJoin = 'round';
        g.setLineDash(dash);
        const jumps = broken ? (k: number): boolean => k > 0 && table[k * width] === table[(k - 1) * width] : undefined; // both sides of an event
        this.trace(rows, (k) => table[k * width + x], (k) => sign * table[k * width + y], jumps);
        g.stroke();
        g.setLineDash([]);
    }

    polyline(points: [number, number][], color: string, thick = 1.8, fill = '', closed = false): void {
        const g = this.context;
        this.trace(points.length, (k) => points[k][0], (k) => points[k][1]);
        if (closed) g.closePath();
        if (fill) {
            g.fillStyle = fill;
            g.fill();
        }
        g.strokeStyle = color;
        g.lineWidth = thick;
        g.lineJoin = 'round';
        if (thick > 0) g.stroke();
    }

    dot(x: number, y: number, color: string, radius = 5): void {
        const g = this.context;
        g.beginPath();
        g.arc(this.px(x), this.py(y), radius, 0, 2 * Math.PI);
        g.fillStyle = color;
        g.fill();
        g.lineWidth = 1.5;
        g.strokeStyle = colors().card;
        g.stroke();
    }

    /** Keeps what is drawn so far for redraw. */
    keep(): void {
        this.still ??= document.createElement('canvas');
        this.still.width = this.canvas.width;
        this.still.height = this.canvas.height;
        this.still.getContext('2d')!.drawImage(this.canvas, 0, 0);
    }

    /** What was kept, to draw a cursor on. */
    restore(): boolean {
        if (this.missed || !this.visible || !this.still || this.still.width !== this.canvas.width || this.still.height !== this.canvas.height || this.width < 40) return false;
        const g = this.context;
        g.save();
        g.setTransform(1, 0, 0, 1, 0, 0);
        g.clearRect(0, 0, this.canvas.width, this.canvas.height);
        g.drawImage(this.still, 0, 0);
        g.restore();
        return true;
    }

    /**
     * Lets a point be chosen: by a click, or by the keys. Arrows move a mark that begins where `from` says (Shift: farther), Enter
     * chooses it. The mark's place is told to those who listen.
     */
    pick(from: () => [number, number] | null, chosen: (x: number, y: number) => void): void {
        const told = el('div', { class: 'heard', role: 'status' });
        let mark: [number, number] | null = null;
        this.canvas.tabIndex = 0;
        this.canvas.setAttribute('role', 'application');
        this.canvas.parentElement!.append(told);
        this.canvas.style.cursor = 'crosshair';
        listen(this.canvas, { tap: (event) => {
            const [px, py] = this.pointer(event), inside = px >= this.left && px <= this.width - this.right && py >= this.top && py <= this.height - this.bottom;
            if (inside) chosen(this.atX(px), this.atY(py));
        } });
        this.canvas.addEventListener('blur', () => { mark = null; this.paint(); });
        this.canvas.addEventListener('keydown', (event) => {
            const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
            if (event.key === 'Enter') {
                event.preventDefault();
                if (mark) chosen(...mark);
            }
            if (!step) return;
            event.preventDefault();
            mark ??= from() ?? [(this.x.least + this.x.most) / 2, (this.y.least + this.y.most) / 2];
            const size = event.shiftKey ? 0.1 : 0.02, clamp = (v: number, r: Range): number => Math.max(r.least, Math.min(r.most, v));
            mark = [clamp(mark[0] + size * step[0] * (this.x.most - this.x.least), this.x), clamp(mark[1] + size * step[1] * (this.y.most - this.y.least), this.y)];
            this.paint();
            this.cross(mark);
            told.textContent = `${tickText(mark[0], this.x.most - this.x.least)}, ${tickText(mark[1], this.y.most - this.y.least)}: Enter starts here`;
        });
    }

    private cross([x, y]: [number, number]): void {
        const g = this.context, [px, py] = [this.px(x), this.py(y)];
        g.strokeStyle = colors().accent;
        g.lineWidth = 2;
        g.beginPath();
        for (const [dx, dy] of [[9, 0], [-9, 0], [0, 9], [0, -9]]) {
            g.moveTo(px + dx / 3, py + dy / 3);
            g.lineTo(px + dx, py + dy);
        }
        g.stroke();
    }

    /** Where a pointer is, in pixels of the plot. */
    pointer(event: PointerEvent): [number, number] {
        const box = this.canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }
}
