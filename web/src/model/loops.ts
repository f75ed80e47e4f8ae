// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Closed loops of a force over a displacement, nested as they may be, and the energy that each costs: counted as fatigue counts
// cycles. A swing that is followed by one at least as large closes a loop with it, which is then forgotten.

export interface Loop { least: number; most: number; work: number } // m or rad, J

type Points = [x: number, force: number][];

/** Indices at which the displacement turns, with both ends. */
function turns(points: Points): number[] {
    const found = [0];
    let way = 0;
    for (let k = 1; k < points.length; k++) {
        const step = Math.sign(points[k][0] - points[k - 1][0]);
        if (step !== 0 && way !== 0 && step !== way) found.push(k - 1);
        if (step !== 0) way = step;
    }
    found.push(points.length - 1);
    return found;
}

/** Work up to each point. */
function works(points: Points): Float64Array {
    const sum = new Float64Array(points.length);
    for (let k = 1; k < points.length; k++) sum[k] = sum[k - 1] + (0.5 * (points[k][1] + points[k - 1][1]) * (points[k][0] - points[k - 1][0]) || 0);
    return sum;
}

export function closedLoops(points: Points): Loop[] {
    const loops: Loop[] = [], inner: { at: number; work: number }[] = [], work = works(points), x = (k: number): number => points[k][0], stack: number[] = [];
    /** The work until the displacement is back at `place`, on the way that ends at index `end`. */
    const workAt = (place: number, from: number, end: number): number => {
        let k = from;
        while (k + 1 < end && (x(k + 1) - place) * (x(from) - place) > 0) k++;
        const share = x(k + 1) === x(k) ? 1 : Math.min(1, Math.max(0, (place - x(k)) / (x(k + 1) - x(k))));
        const force = points[k][1] + share * (points[k + 1][1] - points[k][1]);
        return work[k] + 0.5 * (points[k][1] + force) * (place - x(k));
    };
    for (const now of turns(points)) {
        while (stack.length >= 3) { // the first entry is where the motion began: its way is no loop
            const [a, b] = [stack[stack.length - 2], stack[stack.length - 1]], swing = Math.abs(x(b) - x(a));
            if (Math.abs(x(now) - x(b)) < (1 - 1e-9) * swing || swing === 0) break;
            const whole = workAt(x(a), b, now) - work[a], nested = inner.filter((l) => l.at >= a && l.at <= now).reduce((sum, l) => sum + l.work, 0);
            loops.push({ least: Math.min(x(a), x(b)), most: Math.max(x(a), x(b)), work: whole - nested });
            inner.push({ at: a, work: whole - nested });
            stack.splice(-2);
        }
        stack.push(now);
    }
    return loops;
}
