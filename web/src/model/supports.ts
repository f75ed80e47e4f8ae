// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The shape of a slider for drawing: its supports as points, wheels, circles and polygons in the body frame.
import type { Description } from '../core/protocol';
import { type Plain, get, items, quantity } from './plain';

export type Shape =
    | { kind: 'point'; at: [number, number] }
    | { kind: 'wheel'; at: [number, number]; axle: [number, number] }
    | { kind: 'circle'; at: [number, number]; radius: number; inner: number; filled: boolean }
    | { kind: 'polygon'; corners: [number, number][] };

/** A length: a plain quantity, or the root of a number. */
function length(value: Plain | undefined, otherwise: number): number {
    const plainValue = quantity(value);
    if (Number.isFinite(plainValue)) return plainValue;
    const root = typeof value === 'string' ? /^\s*sqrt\(\s*([\d.]+)\s*\)\s*(?:m)?\s*$/.exec(value) : null;
    return root ? Math.sqrt(Number(root[1])) : otherwise;
}

export function shapesOf(model: Plain, info: Description): Shape[] {
    const rho = info.gyration ?? 1;
    return items(get(model, 'slider', 'supports')).map((support, k): Shape => {
        const at = info.supports![k]?.place ?? [0, 0];
        const pair = (value: Plain | undefined): [number, number] => [length(items(value)[0], 0), length(items(value)[1], 0)];
        switch (info.supports![k]?.kind) {
            case 'wheel': return { kind: 'wheel', at, axle: pair(get(support, 'axle')) };
            case 'ring': return { kind: 'circle', at, radius: length(get(support, 'ring'), rho), inner: 0, filled: false };
            case 'disk': return { kind: 'circle', at, radius: length(get(support, 'disk'), rho), inner: 0, filled: true };
            case 'annulus': { const [inner, radius] = pair(get(support, 'annulus')); return { kind: 'circle', at, radius, inner, filled: true }; }
            case 'polygon': return { kind: 'polygon', corners: items(get(support, 'polygon')).map(pair) };
            default: return { kind: 'point', at };
        }
    });
}

/** The outline that fingers touch, where the model has one. */
function ownOutline(model: Plain): [number, number][] | null {
    const own = get(model, 'slider', 'outline'), radius = length(get(own, 'circle'), 0), corners = items(own).map((p): [number, number] => [length(items(p)[0], 0), length(items(p)[1], 0)]);
    return radius > 0 ? around([0, 0], radius) : corners.length > 2 ? corners : null;
}

function around([x, y]: [number, number], r: number): [number, number][] {
    return Array.from({ length: 72 }, (_, k) => [x + r * Math.cos((k * Math.PI) / 36), y + r * Math.sin((k * Math.PI) / 36)]);
}

/** The outline of the body: its own, or what its supports span, with a margin. */
export function outline(model: Plain, shapes: Shape[], rho: number): [number, number][] {
    const own = ownOutline(model);
    if (own) return own;
    const points: [number, number][] = [], margin = 0.16 * rho;
    const circle = (middle: [number, number], r: number): void => { points.push(...around(middle, r)); };
    for (const shape of shapes) {
        if (shape.kind === 'circle') circle(shape.at, shape.radius + 0.4 * margin);
        else if (shape.kind === 'polygon') shape.corners.forEach((c) => circle(c, 0.5 * margin));
        else circle(shape.at, margin);
    }
    circle([0, 0], margin);
    return hull(points);
}

/** Convex hull, counter-clockwise. */
function hull(points: [number, number][]): [number, number][] {
    const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    const half = (list: [number, number][]): [number, number][] => {
        const made: [number, number][] = [];
        for (const p of list) {
            while (made.length > 1) {
                const [a, b] = [made[made.length - 2], made[made.length - 1]];
                if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
                made.pop();
            }
            made.push(p);
        }
        made.pop();
        return made;
    };
    return [...half(sorted), ...half(sorted.reverse())];
}
