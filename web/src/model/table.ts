// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The table of a run: what stands in which column of its rows, with the names and units of simulate --out.
import { type Description, type Run, SLIDE, fingerColumns } from '../core/protocol';

export const MODES = ['slip+', 'slip-', 'stick', 'open', 'closed', 'slip'];

export interface Column { name: string; unit: string; at: number; mode: boolean }

function slider(info: Description): Column[] {
    const state = [['x', 'm'], ['y', 'm'], ['angle', 'rad'], ['vx', 'm/s'], ['vy', 'm/s'], ['spin', 'rad/s']];
    const columns = state.map(([name, unit], k): Column => ({ name: `slider.${name}`, unit, at: 1 + k, mode: false }));
    info.supports!.forEach((support, k) => {
        const at = SLIDE.supports + SLIDE.perSupport * k, name = `support${k + 1}`, parts = support.kind === 'wheel' ? ['force'] : ['force_x', 'force_y', ...(support.kind === 'point' ? [] : ['moment'])];
        parts.forEach((part, j) => columns.push({ name: `${name}.${part}`, unit: part === 'moment' ? 'N*m' : 'N', at: at + 1 + j, mode: false }));
        columns.push({ name: `${name}.mode`, unit: '', at, mode: true });
    });
    fingerColumns(info).forEach((place, k) => {
        const at = SLIDE.supports + SLIDE.perSupport * (info.supports!.length + k), name = `pusher${k + 1}`;
        ['x', 'y'].forEach((part, j) => {
            columns.push({ name: `${name}.${part}`, unit: 'm', at: place + j, mode: false }, { name: `${name}.force_${part}`, unit: 'N', at: at + 1 + j, mode: false });
        });
        columns.push({ name: `${name}.mode`, unit: '', at, mode: true });
    });
    return columns;
}

function bodies(info: Description): Column[] {
    const n = info.bodies!.length, first = 1 + 2 * n + 5 * info.contacts!.length, numbers = info.numbers ?? [];
    const columns = info.bodies!.flatMap((b, k): Column[] => [
        { name: `${b.name}.x`, unit: b.angular ? 'rad' : 'm', at: 1 + k, mode: false },
        { name: `${b.name}.v`, unit: b.angular ? 'rad/s' : 'm/s', at: 1 + n + k, mode: false }]);
    let element = first + numbers.length;
    info.contacts!.forEach((c, k) => {
        const at = 1 + 2 * n + 5 * k, force = c.angular ? 'N*m' : 'N', length = c.angular ? 'rad' : 'm';
        columns.push({ name: `${c.name}.force`, unit: force, at: at + 1, mode: false }, { name: `${c.name}.mode`, unit: '', at, mode: true });
        if (c.z) columns.push({ name: `${c.name}.z`, unit: length, at: at + 4, mode: false });
        for (let j = 0; j < (c.elements ?? 0); j++, element++)
            if (!c.z) columns.push({ name: `${c.name}.${c.element}[${j}]`, unit: c.element_is_force ? force : length, at: element, mode: false });
    });
    numbers.forEach((number, k) => columns.push({ name: number.name, unit: number.unit, at: first + k, mode: false }));
    return columns;
}

/** All columns, the time first. */
export function columnsOf(info: Description): Column[] {
    return [{ name: 't', unit: 's', at: 0, mode: false }, ...(info.supports ? slider(info) : bodies(info))];
}

/** The moments of a run as comma-separated text. */
export function csv(run: Run): string {
    const columns = columnsOf(run.info), lines = [columns.map((c) => (c.unit ? `${c.name} [${c.unit}]` : c.name)).join(',')];
    for (let k = 0; k < run.rows; k++) {
        const row = run.table.subarray(k * run.info.width, (k + 1) * run.info.width);
        lines.push(columns.map((c) => (c.mode ? MODES[row[c.at]] : String(row[c.at]))).join(','));
    }
    return lines.join('\n') + '\n';
}
