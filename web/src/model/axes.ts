// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What may span a map: positions and speeds of free bodies at the start, and the numbers that stand in the model's text.
import type { CheckAnswer, Description, Run } from '../core/protocol';
import type { Quantity } from './numbers';
import { Kind, type Tree, type TreeNode } from './node';
import type { Coordinate } from './region';
import { type Span, type World, placeOfBody, roomOf, scaled } from './world';

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
export function placeOf(choice: Choice, run: Run, world: World | null, row: Float64Array): number {
    if (choice.number) return choice.number.value;
    const { body, speed } = choice.state!;
    return speed ? row[1 + run.info.bodies!.length + body] : placeOfBody(run, world, row, body);
}

/** How far the map reaches: the range of a slider; of states the neighbourhood, or a part or some times of it, between the stops. */
export function reachOf(choice: Choice, run: Run, tree: Tree, world: World, factor: number): Span {
    if (choice.number) {
        const { value, least, most } = choice.number;
        return { least: value - Math.min(1, factor) * (value - least), most: value + factor * (most - value) };
    }
    const { body, speed } = choice.state!, reach = scaled((speed ? world.v : world.x)[body], factor);
    if (speed) return reach;
    const room = roomOf(tree, run.info, body, run.info.bodies!.map((b) => b.x)); // a start beyond a stop is none
    return { least: Math.max(reach.least, room.least), most: Math.min(reach.most, room.most) };
}

/** What a map depends on: the model without the numbers and the states that span it. */
export function shapeOf(tree: Tree, axes: Choice[]): string {
    const spanned = axes.map((a) => a.number?.range[0] ?? -1), start = tree.nodes.findIndex((n) => n.parent === 0 && n.key === 'start');
    const own = (n: TreeNode): boolean => start >= 0 && tree.nodes[n.parent]?.parent === start && axes.some((a) => a.state && a.path === `${tree.nodes[n.parent].key}.${n.key}`);
    const left = tree.nodes.filter((n, k) => !own(n) && k !== start && !(start >= 0 && n.parent === start && n.kind === Kind.map));
    return left.map((n) => `${n.kind}${n.key ?? ''}:${n.text !== null && spanned.some((at) => at >= n.range[0] && at < n.range[1]) ? '' : n.text}`).join('\n');
}
