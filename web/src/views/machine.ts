// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The machine, drawn and moving: blocks on floors and belts, wheels, springs, dampers, stops. What sticks is calm, what slips is
// warm; arrows are forces of friction. It needs a run and a layout, and nothing else, so that the player of a single motion draws
// the same.
import type { Run } from '../core/protocol';
import type { Machine } from '../model/machine';
import { colors, modeColor } from './colors';

export interface Box { x: number; y: number; width: number; height: number } // of a body on the canvas, centre above

/** How a machine is placed on a canvas of a given size. */
export interface Scale { perMetre: number; base: number[]; size: number; floor: number; room: number } // room: width of a column

/** Numbers of the row: where body b is, mode and force of contact k. */
function at(row: Float64Array, b: number): number { return row[1 + b]; }
function contactAt(run: Run, row: Float64Array, contact: number, k: number): number { return row[1 + 2 * run.info.bodies!.length + 5 * contact + k]; }

/** Extent of the motion of every body: least and most x. */
export function extents(run: Run): [number, number][] {
    const count = run.info.bodies!.length, width = run.info.width;
    const found: [number, number][] = Array.from({ length: count }, () => [Infinity, -Infinity]);
    for (let k = 0; k < run.rows; k++)
        for (let b = 0; b < count; b++) {
            const x = run.table[k * width + 1 + b];
            if (x < found[b][0]) found[b][0] = x;
            if (x > found[b][1]) found[b][1] = x;
        }
    return found;
}

export function scaleOf(machine: Machine, run: Run, width: number, height: number): Scale {
    const room = width / Math.max(1, machine.columns), size = Math.max(26, Math.min(112, room / 3.3, height / (machine.levels + 1.35)));
    const seen = extents(run);
    let span = 0;
    for (let c = 0; c < machine.columns; c++) {
        let most = 0;
        seen.forEach(([a, b], k) => {
            if (machine.column[k] !== c || machine.angular[k] || machine.belt[k]) return;
            most = Math.max(most, Math.abs(a), Math.abs(b));
        });
        for (const stop of machine.stops) if (machine.column[stop.body] === c && Number.isFinite(stop.at)) most = Math.max(most, Math.abs(stop.at));
        span = Math.max(span, most);
    }
    const slack = Math.max(12, room / 2 - (machine.carries.some((c, b) => c && !machine.belt[b]) ? 1.3 : 0.5) * size - 24);
    return {
        perMetre: span > 0 ? slack / span : 1,
        base: machine.column.map((c) => (c + 0.5) * room),
        size, floor: height - Math.max(34, 0.17 * height), room,
    };
}

/** Where a body is drawn at a moment. */
export function boxOf(machine: Machine, scale: Scale, row: Float64Array, b: number): Box {
    const wide = machine.carries[b] && !machine.angular[b];
    const size = scale.size;
    if (machine.angular[b]) return { x: scale.base[b], y: scale.floor - size * (machine.pendulum[b] ? 0.85 : 0.95), width: 1.5 * size, height: 1.5 * size };
    const moved = machine.belt[b] ? 0 : at(row, b) * scale.perMetre;
    const bottom = scale.floor - machine.level[b] * (0.42 * size) - (machine.level[b] > 1 ? (machine.level[b] - 1) * 0.3 * size : 0);
    const height = machine.belt[b] ? 0.3 * size : wide ? 0.34 * size : 0.72 * size;
    return { x: scale.base[b] + moved, y: bottom - height / 2, width: machine.belt[b] ? scale.room - 40 : wide ? 2.6 * size : size, height };
}

export class MachineDrawing {
    constructor(private readonly g: CanvasRenderingContext2D) {}

    draw(machine: Machine, run: Run, row: Float64Array, width: number, height: number, scale: Scale, selected = -1, ghost: Float64Array | null = null): void {
        const boxes = run.info.bodies!.map((_, b) => boxOf(machine, scale, row, b));
        this.ground(machine, scale, width, height, run, row);
        for (const link of machine.links) this.link(machine, link, boxes, scale, width);
        if (ghost) run.info.bodies!.forEach((_, b) => this.ghost(machine, boxOf(machine, scale, ghost, b), b));
        for (const [a, b] of machine.ties) this.tie(boxes[a], boxes[b]);
        run.info.bodies!.forEach((body, b) => {
            if (machine.belt[b]) this.belt(boxes[b], at(row, b) * scale.perMetre, body.name);
            else if (machine.angular[b]) this.wheel(boxes[b], at(row, b), body.name, machine.driven[b], machine.pendulum[b], b === selected, this.modeOf(machine, run, row, b));
            else this.block(boxes[b], body.name, machine.driven[b], b === selected);
        });
        for (const sole of machine.soles) this.sole(machine, sole.body, sole.other, boxes, run, row, sole.contact, scale);
        for (const stop of machine.stops) this.stop(machine, stop.body, stop.other, stop.at, stop.above, boxes, scale, contactAt(run, row, stop.contact, 0));
    }

    private modeOf(machine: Machine, run: Run, row: Float64Array, b: number): number {
        const sole = machine.soles.find((s) => s.body === b || s.other === b);
        return sole ? contactAt(run, row, sole.contact, 0) : 3;
    }

    /** Lines that slant, below or beside what does not move. */
    private hatch(x: number, y: number, width: number, height: number): void {
        const g = this.g, c = colors();
        g.save();
        g.beginPath();
        g.rect(x, y, width, height);
        g.clip();
        g.strokeStyle = c.floor;
        g.lineWidth = 1;
        g.beginPath();
        for (let k = x - height; k < x + width + height; k += 8) {
            g.moveTo(k, y + height);
            g.lineTo(k + height, y);
        }
        g.stroke();
        g.restore();
    }

    private ground(machine: Machine, scale: Scale, width: number, _height: number, run: Run, row: Float64Array): void {
        const g = this.g, c = colors();
        const sliding = run.info.bodies!.some((_, b) => !machine.angular[b]);
        if (sliding) {
            this.hatch(0, scale.floor + 1, width, 12);
            g.fillStyle = c.edge;
            g.fillRect(0, scale.floor, width, 1.5);
        }
        const walls = this.walls(machine, scale, width);
        for (const x of walls) {
            this.hatch(x < width / 2 ? x - 10 : x, scale.floor - 1.6 * scale.size, 10, 1.6 * scale.size);
            g.fillStyle = c.edge;
            g.fillRect(x - 0.75, scale.floor - 1.6 * scale.size, 1.5, 1.6 * scale.size);
        }
        void row;
    }

    /** Left and right wall, where a connection goes to the ground. */
    private walls(machine: Machine, _scale: Scale, width: number): number[] {
        const left = machine.links.some((l) => this.grounded(l) && !machine.angular[this.free(l)] && this.side(machine, l) < 0);
        const right = machine.links.some((l) => this.grounded(l) && !machine.angular[this.free(l)] && this.side(machine, l) > 0);
        return [...(left ? [14] : []), ...(right ? [width - 14] : [])];
    }

    private grounded(l: { a: number; b: number }): boolean { return l.a < 0 || l.b < 0; }
    private free(l: { a: number; b: number }): number { return l.a < 0 ? l.b : l.a; }
    private side(machine: Machine, l: { a: number; b: number }): number {
        const c = machine.column[this.free(l)];
        return machine.columns > 1 && c === machine.columns - 1 ? 1 : -1;
    }

    private link(machine: Machine, link: { a: number; b: number; spring: boolean; damper: boolean; active: boolean }, boxes: Box[], scale: Scale, width: number): void {
        const b = this.free(link);
        if (b < 0) return;
        if (machine.angular[b]) {
            this.spiral(boxes[b]);
            return;
        }
        let from: [number, number], to: [number, number];
        if (this.grounded(link)) {
            const side = this.side(machine, link), box = boxes[b];
            from = [side < 0 ? 14 : width - 14, box.y];
            to = [box.x + (side * box.width) / 2, box.y];
        } else if (machine.column[link.a] === machine.column[link.b]) {
            [from, to] = this.post(boxes[link.a], boxes[link.b]);
        } else {
            const [first, last] = boxes[link.a].x <= boxes[link.b].x ? [boxes[link.a], boxes[link.b]] : [boxes[link.b], boxes[link.a]];
            from = [first.x + first.width / 2, first.y];
            to = [last.x - last.width / 2, last.y];
        }
        const apart = link.spring && link.damper ? 0.17 * scale.size : 0;
        if (link.spring) this.spring(from[0], from[1] - apart, to[0], to[1] - apart, scale.size);
        if (link.damper) this.damper(from[0], from[1] + apart, to[0], to[1] + apart, scale.size, link.active);
    }

    /** Between a body and what it lies on: from a post at the edge of the lower one. */
    private post(a: Box, b: Box): [[number, number], [number, number]] {
        const g = this.g, [top, base] = a.y <= b.y ? [a, b] : [b, a], x = base.x - base.width / 2 + 5;
        g.strokeStyle = colors().edge;
        g.lineWidth = 3;
        g.beginPath();
        g.moveTo(x, base.y - base.height / 2);
        g.lineTo(x, top.y - 0.36 * top.height);
        g.stroke();
        return [[x, top.y], [top.x - top.width / 2, top.y]];
    }

    private spring(x0: number, y0: number, x1: number, y1: number, size: number): void {
        const g = this.g, turns = 9, amplitude = 0.11 * size, length = Math.hypot(x1 - x0, y1 - y0);
        const lead = Math.min(0.16 * size, 0.15 * length);
        g.strokeStyle = colors().ink;
        g.lineWidth = 1.6;
        g.lineJoin = 'round';
        g.beginPath();
        g.moveTo(x0, y0);
        const [ux, uy] = [(x1 - x0) / (length || 1), (y1 - y0) / (length || 1)];
        for (let k = 0; k <= 2 * turns; k++) {
            const s = lead + ((length - 2 * lead) * k) / (2 * turns), side = k === 0 || k === 2 * turns ? 0 : k % 2 ? amplitude : -amplitude;
            g.lineTo(x0 + ux * s - uy * side, y0 + uy * s + ux * side);
        }
        g.lineTo(x1, y1);
        g.stroke();
    }

    private damper(x0: number, y0: number, x1: number, y1: number, size: number, active: boolean): void {
        const g = this.g, c = colors(), middle = (x0 + x1) / 2, half = Math.min(0.26 * size, Math.abs(x1 - x0) / 4), tall = 0.12 * size;
        g.strokeStyle = active ? c.bad : c.ink;
        g.lineWidth = 1.6;
        g.beginPath();
        g.moveTo(x0, y0);
        g.lineTo(middle - half, y0);
        g.moveTo(middle + half, y0 - tall);
        g.lineTo(middle - half, y0 - tall);
        g.lineTo(middle - half, y0 + tall);
        g.lineTo(middle + half, y0 + tall);
        g.moveTo(middle + 0.3 * half, y1 - 0.8 * tall);
        g.lineTo(middle + 0.3 * half, y1 + 0.8 * tall);
        g.moveTo(middle + 0.3 * half, y1);
        g.lineTo(x1, y1);
        g.stroke();
        if (active) {
            g.fillStyle = c.bad;
            g.strokeStyle = c.card; // a rim, so that it is read over the spring
            g.lineWidth = 3;
            g.font = '10px system-ui, sans-serif';
            g.textAlign = 'center';
            g.textBaseline = 'alphabetic';
            g.strokeText('feeds energy', middle, y0 - tall - 3);
            g.fillText('feeds energy', middle, y0 - tall - 3);
        }
    }

    private spiral(box: Box): void {
        const g = this.g;
        g.strokeStyle = colors().muted;
        g.lineWidth = 1.4;
        g.beginPath();
        for (let k = 0; k <= 80; k++) {
            const angle = 0.22 * k, r = 0.06 * box.width + 0.0022 * box.width * k;
            g.lineTo(box.x + r * Math.cos(angle), box.y + r * Math.sin(angle));
        }
        g.stroke();
    }

    private round(x: number, y: number, w: number, h: number, r: number): void {
        const g = this.g;
        g.beginPath();
        g.roundRect(x, y, w, h, Math.min(r, w / 2, h / 2));
    }

    private block(box: Box, name: string, driven: boolean, selected: boolean): void {
        const g = this.g, c = colors();
        g.save();
        g.shadowColor = 'rgba(0,0,0,.22)';
        g.shadowBlur = 9;
        g.shadowOffsetY = 3;
        const fill = g.createLinearGradient(0, box.y - box.height / 2, 0, box.y + box.height / 2);
        fill.addColorStop(0, driven ? c.line : c.body);
        fill.addColorStop(1, driven ? c.grid : c.body);
        g.fillStyle = fill;
        this.round(box.x - box.width / 2, box.y - box.height / 2, box.width, box.height, 6);
        g.fill();
        g.restore();
        g.strokeStyle = selected ? c.accent : c.edge;
        g.lineWidth = selected ? 2.4 : 1.4;
        if (driven) g.setLineDash([5, 3]);
        g.stroke();
        g.setLineDash([]);
        g.fillStyle = c.ink;
        g.font = `${Math.max(10, Math.min(13, box.height * 0.4))}px system-ui, sans-serif`;
        g.textAlign = 'center';
        g.textBaseline = 'middle';
        g.fillText(name, box.x, box.y, box.width - 6);
    }

    private ghost(machine: Machine, box: Box, b: number): void {
        const g = this.g;
        if (machine.belt[b]) return;
        g.strokeStyle = colors().muted;
        g.lineWidth = 1.2;
        g.setLineDash([3, 4]);
        if (machine.angular[b]) {
            g.beginPath();
            g.arc(box.x, box.y, box.width / 2, 0, 2 * Math.PI);
        } else this.round(box.x - box.width / 2, box.y - box.height / 2, box.width, box.height, 6);
        g.stroke();
        g.setLineDash([]);
    }

    private belt(box: Box, moved: number, name: string): void {
        const g = this.g, c = colors(), r = box.height / 2, left = box.x - box.width / 2, top = box.y - r;
        g.fillStyle = c.grid;
        this.round(left, top, box.width, box.height, r);
        g.fill();
        g.strokeStyle = c.edge;
        g.lineWidth = 2.2;
        g.stroke();
        g.save();
        g.beginPath();
        g.rect(left + r, top - 1, box.width - 2 * r, box.height + 2);
        g.clip();
        g.lineWidth = 2;
        g.beginPath();
        const gap = 16, shift = ((moved % gap) + gap) % gap;
        for (let x = left - gap + shift; x < left + box.width + gap; x += gap) {
            g.moveTo(x, top);
            g.lineTo(x - 4, top + 5);
        }
        g.stroke();
        g.restore();
        for (const x of [left + r, left + box.width - r]) {
            g.beginPath();
            g.arc(x, box.y, 0.62 * r, 0, 2 * Math.PI);
            g.moveTo(x, box.y);
            g.lineTo(x + 0.62 * r * Math.cos(moved / r), box.y + 0.62 * r * Math.sin(moved / r));
            g.lineWidth = 1.3;
            g.stroke();
        }
        g.fillStyle = c.muted;
        g.font = '11px system-ui, sans-serif';
        g.textAlign = 'center';
        g.textBaseline = 'top';
        g.fillText(name, box.x, box.y + r + 14);
    }

    private wheel(box: Box, angle: number, name: string, driven: boolean, pendulum: boolean, selected: boolean, mode: number): void {
        const g = this.g, c = colors(), r = box.width / 2;
        g.save();
        g.translate(box.x, box.y);
        if (pendulum) {
            g.rotate(-angle); // 0 hangs down, positive counter-clockwise
            g.strokeStyle = c.edge;
            g.lineWidth = 5;
            g.lineCap = 'round';
            g.beginPath();
            g.moveTo(0, 0);
            g.lineTo(0, 1.02 * r);
            g.stroke();
            g.beginPath();
            g.arc(0, 1.02 * r, 0.24 * r, 0, 2 * Math.PI);
            g.fillStyle = c.body;
            g.fill();
            g.lineWidth = selected ? 2.4 : 1.5;
            g.strokeStyle = selected ? c.accent : c.edge;
            g.stroke();
        } else {
            g.rotate(-angle);
            g.beginPath();
            g.arc(0, 0, r, 0, 2 * Math.PI);
            g.fillStyle = driven ? c.grid : c.body;
            g.fill();
            g.lineWidth = selected ? 2.6 : 1.6;
            g.strokeStyle = selected ? c.accent : c.edge;
            if (driven) g.setLineDash([5, 3]);
            g.stroke();
            g.setLineDash([]);
            g.lineWidth = 1.3;
            for (let k = 0; k < 6; k++) {
                g.beginPath();
                g.moveTo(0.24 * r, 0);
                g.lineTo(0.86 * r, 0);
                g.strokeStyle = k ? c.floor : c.accent;
                g.lineWidth = k ? 1.3 : 3;
                g.stroke();
                g.rotate(Math.PI / 3);
            }
        }
        g.beginPath();
        g.arc(0, 0, 0.16 * r, 0, 2 * Math.PI);
        g.fillStyle = mode === 3 ? c.muted : modeColor(mode);
        g.fill();
        g.restore();
        g.fillStyle = c.ink;
        g.font = '12px system-ui, sans-serif';
        g.textAlign = 'center';
        g.textBaseline = 'top';
        g.fillText(name, box.x, box.y + (pendulum ? 1.4 : 1.06) * r);
    }

    private tie(a: Box, b: Box): void {
        const g = this.g;
        g.strokeStyle = colors().muted;
        g.lineWidth = 1.5;
        g.setLineDash([2, 4]);
        g.beginPath();
        g.moveTo(a.x, a.y);
        g.lineTo(b.x, b.y);
        g.stroke();
        g.setLineDash([]);
    }

    private arrow(x: number, y: number, length: number, color: string): void {
        const g = this.g, sign = Math.sign(length);
        if (Math.abs(length) < 3) return;
        g.strokeStyle = g.fillStyle = color;
        g.lineWidth = 2.4;
        g.beginPath();
        g.moveTo(x, y);
        g.lineTo(x + length - 5 * sign, y);
        g.stroke();
        g.beginPath();
        g.moveTo(x + length, y);
        g.lineTo(x + length - 8 * sign, y - 4);
        g.lineTo(x + length - 8 * sign, y + 4);
        g.fill();
    }

    /** The face that rubs, in the colour of its mode, and the force of friction on the body. */
    private sole(machine: Machine, body: number, other: number, boxes: Box[], run: Run, row: Float64Array, contact: number, scale: Scale): void {
        if (machine.angular[body]) return;
        const g = this.g, [top, sign] = other >= 0 && machine.level[other] > machine.level[body] ? [other, -1] : [body, 1];
        const box = boxes[top], mode = contactAt(run, row, contact, 0), force = contactAt(run, row, contact, 1), limit = contactAt(run, row, contact, 3);
        const y = box.y + box.height / 2;
        g.strokeStyle = modeColor(mode);
        g.lineWidth = 4;
        g.lineCap = 'round';
        g.beginPath();
        g.moveTo(box.x - box.width / 2 + 3, y);
        g.lineTo(box.x + box.width / 2 - 3, y);
        g.stroke();
        g.lineCap = 'butt';
        const most = Number.isFinite(limit) && limit > 0 ? limit : this.largest(run, contact);
        if (most > 0) this.arrow(box.x, y + 8, sign * Math.max(-1.2, Math.min(1.2, force / most)) * 0.75 * scale.size, modeColor(mode));
    }

    private readonly known = new WeakMap<Run, Map<number, number>>();

    /** Largest force of a contact during a run, for laws that have no limit. */
    private largest(run: Run, contact: number): number {
        let map = this.known.get(run);
        if (!map) this.known.set(run, (map = new Map()));
        let most = map.get(contact);
        if (most === undefined) {
            const column = 1 + 2 * run.info.bodies!.length + 5 * contact + 1;
            most = 0;
            for (let k = 0; k < run.rows; k++) most = Math.max(most, Math.abs(run.table[k * run.info.width + column]));
            map.set(contact, most);
        }
        return most;
    }

    private stop(machine: Machine, body: number, other: number, place: number, above: boolean, boxes: Box[], scale: Scale, mode: number): void {
        if (machine.angular[body] || !Number.isFinite(place)) return;
        const g = this.g, c = colors(), box = boxes[body], side = above ? 1 : -1;
        const origin = other >= 0 ? boxes[other].x : scale.base[body];
        const x = origin + place * scale.perMetre + (side * box.width) / 2, tall = 1.1 * scale.size;
        const closed = mode === 4 || (mode !== 3 && mode !== 2 && mode <= 1);
        this.hatch(side > 0 ? x : x - 9, scale.floor - tall, 9, tall);
        g.fillStyle = mode === 3 ? c.edge : closed ? c.closed : c.edge;
        g.fillRect(x - (side > 0 ? 0 : 3), scale.floor - tall, 3, tall);
    }
}
