// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The certified region V < rho* and the equilibrium set E, cut by a plane of two states through the centre of E.
import type { CertificateAnswer, CheckAnswer } from '../core/protocol';

/** A coordinate of a state: position or speed of independent coordinate k. */
export interface Coordinate { k: number; speed: boolean }

/** The ellipse V = rho in the plane of two states, all others at rest in the centre: points for drawing; null where there is none. */
export function regionIn(check: CheckAnswer, certificate: CertificateAnswer, across: Coordinate, up: Coordinate): [number, number][] | null {
    const M = check.matrices?.M, K = check.matrices?.K, set = certificate.equilibrium_set, rho = certificate.rho_star;
    if (!M || !K || !set || rho === null || !Number.isFinite(rho) || rho <= 0) return null;
    const entry = (a: Coordinate, b: Coordinate): number => (a.speed !== b.speed ? 0 : (a.speed ? M : K)[a.k][b.k]);
    const a = entry(across, across), b = entry(across, up), c = entry(up, up), determinant = a * c - b * b;
    if (!(a > 0) || !(determinant > 0)) return null;
    const center = (q: Coordinate): number => (q.speed ? 0 : set.center[q.k]);
    const points: [number, number][] = [];
    for (let k = 0; k <= 120; k++) { // 1/2 z^T A z = rho by the square root of A
        const angle = (2 * Math.PI * k) / 120, s = Math.sqrt(2 * rho) * Math.cos(angle), t = Math.sqrt(2 * rho) * Math.sin(angle);
        const x = s / Math.sqrt(a) - (b / Math.sqrt(a * determinant)) * t, y = Math.sqrt(a / determinant) * t;
        points.push([center(across) + x, center(up) + y]);
    }
    return points;
}

/** The equilibrium set in such a plane: a polygon in a plane of two positions, a segment on an axis of one. */
export function setIn(certificate: CertificateAnswer, across: Coordinate, up: Coordinate): [number, number][] | null {
    const set = certificate.equilibrium_set;
    if (!set) return null;
    const n = set.center.length;
    if (!across.speed && !up.speed && n === 2 && set.vertices) {
        const angle = (p: number[]): number => Math.atan2(p[1] - set.center[1], p[0] - set.center[0]);
        const sorted = [...set.vertices].sort((p, q) => angle(p) - angle(q));
        return sorted.map((p) => (across.k === 0 ? [p[0], p[1]] : [p[1], p[0]]));
    }
    if (n !== 1 || across.speed === up.speed) return null;
    const from = set.center[0] - set.half_widths[0], to = set.center[0] + set.half_widths[0];
    const ends = set.vertices?.length === 2 ? [set.vertices[0][0], set.vertices[1][0]] : [from, to];
    return across.speed ? ends.map((e) => [0, e]) : ends.map((e) => [e, 0]);
}
