// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A run at any moment, and how fast it is shown.
import { type Run, modeColumns } from './core/protocol';

/** One row of a run's table, between the moments it has. */
export class Reading {
    row: Float64Array = new Float64Array(0);
    index = 0;

    /** Fills row with the state of a run at time t. */
    at(run: Run, t: number): Float64Array {
        const width = run.info.width, table = run.table;
        if (this.row.length !== width) this.row = new Float64Array(width);
        let low = 0, high = run.rows - 1;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (table[middle * width] <= t) low = middle;
            else high = middle;
        }
        if (run.rows < 2 || t >= table[high * width]) low = high;
        this.index = low;
        const t0 = table[low * width], t1 = low < high ? table[high * width] : t0;
        const share = t1 > t0 ? Math.min(1, Math.max(0, (t - t0) / (t1 - t0))) : 0;
        for (let k = 0; k < width; k++) {
            const a = table[low * width + k], b = table[high * width + k];
            this.row[k] = share > 0 && low < high ? a + share * (b - a) : a;
        }
        for (const k of modeColumns(run.info)) this.row[k] = table[low * width + k]; // modes are not between others
        return this.row;
    }
}

/** Seconds of motion per second of watching: about ten seconds for all of it, real time where that is near. */
export function niceRate(end: number): number {
    const wanted = end / 10;
    if (wanted > 0.25 && wanted < 2.5) return 1;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const lead = wanted / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}
