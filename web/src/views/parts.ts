// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Parts of machines on a canvas: blocks, wheels, belts, springs, dampers, clutches, brakes, bristles, arrows. They know where they
// are drawn and in which colour, and nothing of models.
import { colors } from './colors';

export interface Box { x: number; y: number; width: number; height: number } // centre and size, in pixels
export type Point = [number, number];

const FONT = 'system-ui, sans-serif';

/** A pen for parts. */
export class Parts {
    constructor(private readonly g: CanvasRenderingContext2D) {}

    private line(...points: Point[]): void {
        const g = this.g;
        g.beginPath();
        points.forEach(([x, y], k) => (k ? g.lineTo(x, y) : g.moveTo(x, y)));
        g.stroke();
    }

    private round(box: Box, r: number): void {
        this.g.beginPath();
        this.g.roundRect(box.x - box.width / 2, box.y - box.height / 2, box.width, box.height, Math.min(r, box.width / 2, box.height / 2));
    }

    /** A word with a rim, so that it is read over lines. */
    word(text: string, x: number, y: number, color: string, align: CanvasTextAlign = 'center', size = 11, room?: number): void {
        const g = this.g;
        g.font = `${size}px ${FONT}`;
        g.textAlign = align;
        g.textBaseline = 'middle';
        g.lineJoin = 'round';
        g.lineWidth = 3;
        g.strokeStyle = colors().card;
        g.strokeText(text, x, y, room);
        g.fillStyle = color;
        g.fillText(text, x, y, room);
    }

    // ---- what stands still

    /** Lines that slant, below or beside what does not move. */
    hatch(x: number, y: number, width: number, height: number, shift = 0): void {
        const g = this.g;
        g.save();
        g.beginPath();
        g.rect(x, y, width, height);
        g.clip();
        g.strokeStyle = colors().floor;
        g.lineWidth = 1;
        g.beginPath();
        for (let k = x - height - (((shift % 8) + 8) % 8); k < x + width + height; k += 8) {
            g.moveTo(k, y + height);
            g.lineTo(k + height, y);
        }
        g.stroke();
        g.restore();
    }

    /** gone: how far the camera has moved over it. */
    floor(y: number, width: number, gone: number): void {
        this.hatch(0, y + 1, width, 12, gone);
        this.g.fillStyle = colors().edge;
        this.g.fillRect(0, y, width, 1.5);
    }

    /** A wall with its face at x; side -1: it stands on the left. */
    wall(x: number, side: number, bottom: number, tall: number, thick = 1.5, color = colors().edge): void {
        this.hatch(side < 0 ? x - 10 : x, bottom - tall, 10, tall);
        this.g.fillStyle = color;
        this.g.fillRect(side < 0 ? x - thick : x, bottom - tall, thick, tall);
    }

    /** Where a coordinate is 0. */
    zero(x: number, floor: number): void {
        const g = this.g;
        g.fillStyle = colors().muted;
        g.beginPath();
        g.moveTo(x, floor + 3);
        g.lineTo(x - 4, floor + 11);
        g.lineTo(x + 4, floor + 11);
        g.fill();
        this.word('0', x, floor + 19, colors().muted);
    }

    /** A measure of lengths. */
    ruler(x: number, y: number, length: number, text: string): void {
        const g = this.g;
        g.strokeStyle = colors().muted;
        g.lineWidth = 1.4;
        this.line([x, y - 4], [x, y], [x + length, y], [x + length, y - 4]);
        this.word(text, x + length + 7, y - 2, colors().muted, 'left');
    }

    // ---- bodies

    block(box: Box, name: string, driven: boolean, selected: boolean): void {
        const g = this.g, c = colors();
        g.save();
        g.shadowColor = 'rgba(0,0,0,.22)';
        g.shadowBlur = 9;
        g.shadowOffsetY = 3;
        const fill = g.createLinearGradient(0, box.y - box.height / 2, 0, box.y + box.height / 2);
        fill.addColorStop(0, driven ? c.line : c.body);
        fill.addColorStop(1, driven ? c.grid : c.body);
        g.fillStyle = fill;
        this.round(box, 6);
        g.fill();
        g.restore();
        g.strokeStyle = selected ? c.accent : c.edge;
        g.lineWidth = selected ? 2.4 : 1.4;
        if (driven) g.setLineDash([5, 3]);
        g.stroke();
        g.setLineDash([]);
        g.fillStyle = c.ink;
        g.font = `${Math.max(11, Math.min(14, box.height * 0.4))}px ${FONT}`;
        g.textAlign = 'center';
        g.textBaseline = 'middle';
        g.fillText(name, box.x, box.y, box.width - 6);
    }

    /** Where a body was in the run before. */
    ghost(box: Box, round: boolean): void {
        const g = this.g;
        g.strokeStyle = colors().muted;
        g.lineWidth = 1.2;
        g.setLineDash([3, 4]);
        if (round) {
            g.beginPath();
            g.arc(box.x, box.y, box.width / 2, 0, 2 * Math.PI);
        } else this.round(box, 6);
        g.stroke();
        g.setLineDash([]);
    }

    belt(box: Box, moved: number, name: string): void {
        const g = this.g, c = colors(), r = box.height / 2, left = box.x - box.width / 2, top = box.y - r;
        g.fillStyle = c.grid;
        this.round(box, r);
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
        this.word(name, box.x, box.y + r + 20, c.muted);
    }

    /** A wheel; angle 0 to the right, positive counter-clockwise. */
    wheel(box: Box, angle: number, name: string, driven: boolean, selected: boolean, hub: string): void {
        const g = this.g, c = colors(), r = box.width / 2;
        g.save();
        g.translate(box.x, box.y);
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
        for (let k = 0; k < 6; k++) {
            g.strokeStyle = k ? c.floor : c.accent;
            g.lineWidth = k ? 1.3 : 3;
            this.line([0.24 * r, 0], [0.86 * r, 0]);
            g.rotate(Math.PI / 3);
        }
        this.hub(0.16 * r, hub);
        g.restore();
        this.word(name, box.x, box.y + r + 12, c.ink, 'center', 12);
    }

    /** A rod with a bob below its pivot; angle 0 hangs down, positive counter-clockwise. */
    pendulum(box: Box, angle: number, name: string, selected: boolean, hub: string): void {
        const g = this.g, c = colors(), r = box.width / 2;
        this.hatch(box.x - 22, box.y - 0.16 * r - 14, 44, 9);
        g.fillStyle = c.edge;
        g.fillRect(box.x - 22, box.y - 0.16 * r - 5, 44, 1.5);
        g.save();
        g.translate(box.x, box.y);
        g.rotate(-angle);
        g.strokeStyle = c.edge;
        g.lineWidth = 5;
        g.lineCap = 'round';
        this.line([0, 0], [0, 1.02 * r]);
        g.lineCap = 'butt';
        g.beginPath();
        g.arc(0, 1.02 * r, 0.24 * r, 0, 2 * Math.PI);
        g.fillStyle = c.body;
        g.fill();
        g.lineWidth = selected ? 2.4 : 1.5;
        g.strokeStyle = selected ? c.accent : c.edge;
        g.stroke();
        this.hub(0.16 * r, hub);
        g.restore();
        this.word(name, box.x + 30, box.y - 0.16 * r - 8, c.ink, 'left', 12);
    }

    private hub(r: number, color: string): void {
        this.g.beginPath();
        this.g.arc(0, 0, r, 0, 2 * Math.PI);
        this.g.fillStyle = color;
        this.g.fill();
    }

    // ---- what joins them

    spring(from: Point, to: Point, amplitude: number): void {
        const g = this.g, turns = 9, length = Math.hypot(to[0] - from[0], to[1] - from[1]), lead = Math.min(1.4 * amplitude, 0.15 * length);
        const [ux, uy] = [(to[0] - from[0]) / (length || 1), (to[1] - from[1]) / (length || 1)], points: Point[] = [from];
        for (let k = 0; k <= 2 * turns; k++) {
            const s = lead + ((length - 2 * lead) * k) / (2 * turns), side = k === 0 || k === 2 * turns ? 0 : k % 2 ? amplitude : -amplitude;
            points.push([from[0] + ux * s - uy * side, from[1] + uy * s + ux * side]);
        }
        g.strokeStyle = colors().ink;
        g.lineWidth = 1.6;
        g.lineJoin = 'round';
        this.line(...points, to);
    }

    /** A dashpot along a level line; one that feeds energy says so. */
    damper([x0, y]: Point, [x1]: Point, tall: number, active: boolean): void {
        const g = this.g, c = colors(), middle = (x0 + x1) / 2, half = Math.min(2.2 * tall, Math.abs(x1 - x0) / 4);
        g.strokeStyle = active ? c.bad : c.ink;
        g.lineWidth = 1.6;
        this.line([x0, y], [middle - half, y]);
        this.line([middle + half, y - tall], [middle - half, y - tall], [middle - half, y + tall], [middle + half, y + tall]);
        this.line([middle + 0.3 * half, y - 0.8 * tall], [middle + 0.3 * half, y + 0.8 * tall]);
        this.line([middle + 0.3 * half, y], [x1, y]);
        if (!active) return;
        if (x1 - middle - half > 82) this.word('feeds energy', middle + half + 6, y - 8, c.bad, 'left');
        else this.word('+', middle - 0.35 * half, y, c.bad, 'center', 14);
    }

    /** A cylinder at a wall whose rod pushes a body: a force of the model acts on it. */
    actuator(wall: number, [x, y]: Point, size: number): void {
        const g = this.g, c = colors(), tall = 0.15 * size, length = Math.max(12, Math.min(0.8 * size, 0.55 * (x - wall)));
        g.strokeStyle = c.edge;
        g.lineWidth = 4;
        this.line([wall + length, y], [x, y]);
        g.fillStyle = c.grid;
        g.lineWidth = 1.4;
        this.round({ x: wall + length / 2, y, width: length, height: 2 * tall }, 3);
        g.fill();
        g.stroke();
    }

    /** A spring that turns back a wheel. */
    spiral(box: Box): void {
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

    /** A post on a slab, from which a spring may go to what lies on it. */
    post(x: number, from: number, to: number): void {
        this.g.strokeStyle = colors().edge;
        this.g.lineWidth = 3;
        this.line([x, from], [x, to]);
    }

    /** Two plates between shafts, pressed on each other, in the colour of what they do. */
    clutch(from: Point, to: Point, tall: number, color: string, apart: boolean): void {
        const g = this.g, middle = (from[0] + to[0]) / 2, gap = apart ? 5 : 2;
        g.strokeStyle = colors().edge;
        g.lineWidth = 2;
        this.line(from, [middle - gap, from[1]]);
        this.line([middle + gap, to[1]], to);
        g.strokeStyle = color;
        g.lineWidth = 4;
        for (const x of [middle - gap, middle + gap]) this.line([x, from[1] - tall], [x, from[1] + tall]);
    }

    /** A shoe on a wheel, in the colour of what it does. */
    brake(box: Box, color: string): void {
        const g = this.g, r = box.width / 2;
        g.strokeStyle = color;
        g.lineWidth = 6;
        g.beginPath();
        g.arc(box.x, box.y, r + 4, -0.68 * Math.PI, -0.32 * Math.PI);
        g.stroke();
        this.hatch(box.x - 0.42 * r, box.y - r - 18, 0.84 * r, 9);
    }

    tie(a: Box, b: Box): void {
        const g = this.g;
        g.strokeStyle = colors().muted;
        g.lineWidth = 1.5;
        g.setLineDash([2, 4]);
        this.line([a.x, a.y], [b.x, b.y]);
        g.setLineDash([]);
    }

    // ---- what rubs

    /** The face of a body that rubs. */
    face(box: Box, color: string): void {
        const g = this.g, y = box.y + box.height / 2;
        g.strokeStyle = color;
        g.lineWidth = 4;
        g.lineCap = 'round';
        this.line([box.x - box.width / 2 + 3, y], [box.x + box.width / 2 - 3, y]);
        g.lineCap = 'butt';
    }

    /** Bristles between a body and what is under it: each leans as far as it is deflected (1: as far as ever). */
    bristles(box: Box, length: number, lean: number[], color: string[]): void {
        const g = this.g, top = box.y + box.height / 2 + 2, count = Math.max(1, lean.length);
        g.lineWidth = lean.length > 8 ? 1.6 : 2.4;
        lean.forEach((share, k) => {
            const x = box.x + ((k + 0.5) / count - 0.5) * (box.width - 14), foot = x - 0.9 * length * Math.max(-1, Math.min(1, share));
            g.strokeStyle = color[k % color.length];
            g.beginPath();
            g.moveTo(x, top);
            g.quadraticCurveTo(x, top + 0.6 * length, foot, top + length);
            g.stroke();
        });
    }

    /** A level arrow with a rim. */
    arrow(x: number, y: number, length: number, color: string): void {
        const g = this.g, sign = Math.sign(length);
        if (Math.abs(length) < 3) return;
        for (const [paint, thick] of [[colors().card, 5], [color, 2.4]] as const) {
            g.strokeStyle = g.fillStyle = paint;
            g.lineWidth = thick;
            this.line([x, y], [x + length - 5 * sign, y]);
            g.beginPath();
            g.moveTo(x + length, y);
            g.lineTo(x + length - 8 * sign, y - 4);
            g.lineTo(x + length - 8 * sign, y + 4);
            g.closePath();
            g.fill();
            if (paint !== color) {
                g.lineWidth = 2.5;
                g.stroke();
            }
        }
    }
}
