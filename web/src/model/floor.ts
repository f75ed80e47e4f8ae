// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the floor under a slider lies and moves. Its motion follows from what a row tells of the body, in space and over the floor:
// the floor under it moves with the difference, and turns with the difference of the spins.
import { type Description, type MotionAnswer, type Run, SLIDE } from '../core/protocol';
import { type Plain, get, items, quantity } from './plain';

export type Point = [number, number];

/** Where a floor is that has moved: the point that was at `from` at first is at `to`, turned by an angle. */
export interface Pose { from: Point; to: Point; angle: number }

/** A place on the floor, as it was at first, in space. */
export function toSpace({ from, to, angle }: Pose, [x, y]: Point): Point {
    const c = Math.cos(angle), s = Math.sin(angle), dx = x - from[0], dy = y - from[1];
    return [to[0] + c * dx - s * dy, to[1] + s * dx + c * dy];
}

/** A place in space on the floor, as that was at first. */
export function toFloor({ from, to, angle }: Pose, place: Point): Point { return toSpace({ from: to, to: from, angle: -angle }, place); }

/** A moment of a run: where the body is, how the floor under it moves, how fast the floor turns. */
interface Moving { place: Point; v: Point; spin: number }

function floorAt(table: ArrayLike<number>, at: number): Moving {
    const over = at + SLIDE.over;
    return { place: [table[at + 1], table[at + 2]], v: [table[at + 4] - table[over], table[at + 5] - table[over + 1]], spin: table[at + 6] - table[over + 2] };
}

/** How the floor moves at another place. */
function under({ place, v, spin }: Moving, x: number, y: number): Point { return [v[0] - spin * (y - place[1]), v[1] + spin * (x - place[0])]; }

/** The floor during a run, at each of its rows, and the places of the body on it, as it was at first. */
export class FloorMotion {
    private readonly poses: Float64Array; // x, y, angle of each row
    readonly track: Point[] = [];

    constructor(private readonly run: Run) {
        const { table, rows, info } = run, width = info.width, start: Point = [table[1], table[2]];
        this.poses = new Float64Array(3 * rows);
        this.poses.set([...start, 0]);
        for (let k = 0; k < rows; k++) {
            if (k) this.step(k, table[k * width] - table[(k - 1) * width], floorAt(table, (k - 1) * width), floorAt(table, k * width));
            this.track.push(toFloor(this.pose(3 * k), [table[k * width + 1], table[k * width + 2]]));
        }
    }

    private pose(at: number): Pose { return { from: [this.run.table[1], this.run.table[2]], to: [this.poses[at], this.poses[at + 1]], angle: this.poses[at + 2] }; }

    /** From row k - 1 to row k by the mean of both velocities: what is drawn needs no more. */
    private step(k: number, seconds: number, first: Moving, last: Moving): void {
        const at = 3 * (k - 1), [x, y] = [this.poses[at], this.poses[at + 1]];
        const a = under(first, x, y), b = under(last, x + seconds * a[0], y + seconds * a[1]);
        this.poses.set([x + (seconds * (a[0] + b[0])) / 2, y + (seconds * (a[1] + b[1])) / 2, this.poses[at + 2] + (seconds * (first.spin + last.spin)) / 2], 3 * k);
    }

    /** How the floor moves at first under a place: velocity, spin. */
    atStart(x: number, y: number): { v: Point; spin: number } {
        const first = floorAt(this.run.table, 0);
        return { v: under(first, x, y), spin: first.spin };
    }

    /** Where the floor is at a time, between the rows around it. */
    at(t: number): Pose {
        const { table, rows, info } = this.run, width = info.width;
        let low = 0, high = rows - 1;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (table[middle * width] <= t) low = middle;
            else high = middle;
        }
        const long = table[high * width] - table[low * width], share = long > 0 ? Math.max(0, Math.min(1, (t - table[low * width]) / long)) : 0, a = this.pose(3 * low), b = this.pose(3 * high);
        const between = (p: number, q: number): number => p + share * (q - p);
        return { from: a.from, to: [between(a.to[0], b.to[0]), between(a.to[1], b.to[1])], angle: between(a.angle, b.angle) };
    }
}

/** Whether a slider has come to rest over a floor that takes it along: it moves all the same. */
export function ridesOn(answer: MotionAnswer, info: Description): boolean {
    if (!info.floor_moves || answer.outcome !== 'at-rest') return false;
    const { vx, vy, spin } = answer.state.slider;
    return vx !== 0 || vy !== 0 || spin !== 0;
}

/** How a floor is inclined: by which angle (rad, NaN where a formula says it), which way; null where it is level. */
export function inclineOf(model: Plain): { tilt: number; downhill: Point } | null {
    const floor = get(model, 'slider', 'floor'), way = items(get(floor, 'downhill')).map(quantity), tilt = quantity(get(floor, 'tilt')), size = Math.hypot(way[0], way[1]);
    return size > 0 && tilt !== 0 ? { tilt, downhill: [way[0] / size, way[1] / size] } : null;
}
