// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What may span a map: positions and speeds of free bodies at the start, and the numbers that stand in the model's text.
import type { CertificateAnswer, CheckAnswer, Description, Run } from '../core/protocol';
import type { Quantity } from './numbers';
import { layOut } from './machine';
import type { Tree } from './node';
import { plain } from './plain';
import { type Coordinate, regionIn } from './region';

export interface Span { least: number; most: number }

/** A state of a body, or a number of the text in the unit it is written with. */
export interface Choice { path: string; unit: string; state: { body: number; speed: boolean } | null; number: Quantity | null }

export function choicesOf(info: Description, numbers: Quantity[]): Choice[] {
    const states = info.bodies!.flatMap((b, body): Choice[] => (b.driven ? [] : [
        { path: `${b.name}.x`, unit: b.angular ? 'rad' : 'm', state: { body, speed: false }, number: null },
        { path: `${b.name}.v`, unit: b.angular ? 'rad/s' : 'm/s', state: { body, speed: true }, number: null }]));
    const turned = numbers.filter((q) => !/^(start|run)\b/.test(q.path));
    return [...states, ...turned.map((q): Choice => ({ path: q.path, unit: q.unit, state: null, number: q }))];
}

/** Which two span the map of a model that was just opened: two positions, or position and speed. */
export function firstPair(choices: Choice[], coordinates: string[]): [string, string] {
    const has = (path: string): boolean => choices.some((c) => c.path === path);
    const first = has(`${coordinates[0]}.x`) ? coordinates[0] : choices[0]?.path.slice(0, -2);
    return coordinates.length === 2 && has(`${coordinates[1]}.x`) ? [`${first}.x`, `${coordinates[1]}.x`] : [`${first}.x`, `${first}.v`];
}

/** The coordinate of a state among those of the certificate; k < 0: none. */
export function coordinateOf(choice: Choice, info: Description, check: CheckAnswer | null): Coordinate {
    return choice.state ? { k: check?.coordinates.indexOf(info.bodies![choice.state.body].name) ?? -1, speed: choice.state.speed } : { k: -1, speed: false };
}

/** Where a moment of a run lies on an axis. */
export function placeOf(choice: Choice, info: Description, row: Float64Array): number {
    if (choice.number) return choice.number.value;
    return row[1 + (choice.state!.speed ? info.bodies!.length : 0) + choice.state!.body];
}

/** Between which places the stops of the model hold a body at the start. */
export function roomOf(tree: Tree, info: Description, body: number): Span {
    const room: Span = { least: -Infinity, most: Infinity };
    for (const stop of layOut(plain(tree), info).stops) {
        if (stop.body !== body || !Number.isFinite(stop.at)) continue;
        const at = stop.at + (stop.other < 0 ? 0 : info.bodies![stop.other].x);
        if (stop.above) room.most = Math.min(room.most, at);
        else room.least = Math.max(room.least, at);
    }
    return room;
}

/** How far the map reaches: the range of a slider; of states twice what the motion needs, and the certified region. */
export function reachOf(choice: Choice, run: Run, check: CheckAnswer | null, certificate: CertificateAnswer | null, factor: number): Span {
    if (choice.number) {
        const { value, least, most } = choice.number;
        return { least: value - Math.min(1, factor) * (value - least), most: value + factor * (most - value) };
    }
    let most = 0;
    for (let k = 0; k < run.rows; k++) most = Math.max(most, Math.abs(placeOf(choice, run.info, run.table.subarray(k * run.info.width, (k + 1) * run.info.width))));
    const me = coordinateOf(choice, run.info, check);
    if (me.k >= 0 && certificate && check)
        for (const [x] of regionIn(check, certificate, me, { k: me.k, speed: !me.speed }) ?? []) if (Math.abs(x) < 30 * most || most === 0) most = Math.max(most, 0.8 * Math.abs(x));
    if (most < 1e-9) most = 1;
    const power = 10 ** Math.floor(Math.log10(1.8 * most)), lead = (1.8 * most) / power, nice = power * (lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    return { least: -nice * factor, most: nice * factor };
}

/** What a map depends on: the model without the numbers that span it. */
export function shapeOf(tree: Tree, axes: Choice[]): string {
    const spanned = axes.map((a) => a.number?.range[0] ?? -1);
    return tree.nodes.map((n) => `${n.kind}${n.key ?? ''}:${n.text !== null && spanned.some((at) => at >= n.range[0] && at < n.range[1]) ? '' : n.text}`).join('\n');
}
