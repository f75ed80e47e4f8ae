// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Where things stand in the drawing of a machine: bodies in columns from left to right, what rubs on another body on top of it,
// springs and dampers between them or to the walls.
import type { Description } from '../core/protocol';
import { type Plain, entries, get, items, quantity } from './plain';

export interface Link { a: number; b: number; spring: boolean; damper: boolean; active: boolean } // bodies; -1: ground. active: feeds energy
export interface Stop { body: number; other: number; at: number; above: boolean; contact: number }
export interface Sole { body: number; other: number; contact: number } // what rubs on what; other -1: the floor

export interface Machine {
    column: number[]; // of each body
    level: number[]; // 0: on the floor, 1: on a body of level 0, ..
    columns: number;
    levels: number;
    belt: boolean[]; // driven by a speed, and something rubs on it: drawn as a belt that stays in place
    driven: boolean[];
    angular: boolean[];
    links: Link[];
    stops: Stop[];
    soles: Sole[];
    ties: [number, number][];
    pendulum: boolean[]; // turns, and gravity pulls at it
    pushed: boolean[]; // a force of the model acts on it
    carries: boolean[]; // another body lies on it
    under: number[]; // what each body lies on; -1: the floor, or nothing
    bristled: boolean[]; // it stands on bristles that are shown
}

/** The two ends of a row: between, or the two entries of along with the largest factors. */
function ends(value: Plain, index: Map<string, number>): [number, number] | null {
    const find = (name: Plain): number => (typeof name === 'string' ? index.get(name) ?? -1 : -1);
    const between = items(get(value, 'between'));
    if (between.length === 2) return [find(between[0]), find(between[1])];
    const along = entries(get(value, 'along'));
    if (along.length === 0) return null;
    return [find(along[0][0]), along.length > 1 ? find(along[1][0]) : -1];
}

const BELOW_ZERO = /^\s*-/;

/** A number or a parameter that is negative. */
function isNegative(value: Plain | undefined, model: Plain): boolean {
    if (typeof value !== 'string') return false;
    const parameter = get(model, 'parameters', value.trim());
    return BELOW_ZERO.test(typeof parameter === 'string' ? parameter : value);
}

/** A number that is written there, or under the name of a parameter. */
function numberOf(value: Plain | undefined, model: Plain): number {
    const named = typeof value === 'string' ? get(model, 'parameters', value.trim()) : undefined;
    return quantity(named ?? value);
}

/** Which coordinate of matrices a column of W rubs on: that of its number, or the first that it names. */
function rubbing(model: Plain, column: number): number {
    const acts = items(get(model, 'matrices', 'W')).map((row) => quantity(items(row)[column]) !== 0);
    return acts[column] === false && acts.includes(true) ? acts.indexOf(true) : column;
}

/** Where a contact stops its body, and whether from above: in one place, or on both sides of its play. */
function facesOf(contact: Plain, model: Plain): { at: number; above: boolean }[] {
    const number = (key: string): number => numberOf(get(contact, key), model);
    if (get(contact, 'gap') !== undefined) {
        const half = number('gap') / 2, center = get(contact, 'center') === undefined ? 0 : number('center');
        return [{ at: center - half, above: false }, { at: center + half, above: true }];
    }
    const above = get(contact, 'above') !== undefined;
    return [{ at: number(above ? 'above' : 'below'), above }];
}

export function layOut(model: Plain, info: Description): Machine {
    const bodies = info.bodies ?? [], index = new Map(bodies.map((b, k) => [b.name, k]));
    const machine: Machine = {
        column: bodies.map(() => -1), level: bodies.map(() => 0), columns: 0, levels: 1,
        belt: bodies.map(() => false), driven: bodies.map((b) => b.driven),
        angular: bodies.map((b) => b.angular), links: [], stops: [], soles: [], ties: [],
        pendulum: bodies.map((b) => b.angular && items(get(model, 'potentials')).some((p) => typeof p === 'string' && p.includes(b.name + '.x'))),
        pushed: bodies.map(() => false), carries: bodies.map(() => false), under: bodies.map(() => -1), bristled: bodies.map(() => false),
    };
    for (const connection of items(get(model, 'connections'))) {
        const pair = ends(connection, index);
        if (pair) machine.links.push({ a: pair[0], b: pair[1], spring: get(connection, 'stiffness') !== undefined || get(connection, 'cubic') !== undefined, damper: get(connection, 'damping') !== undefined, active: isNegative(get(connection, 'damping'), model) });
    }
    for (const force of items(get(model, 'forces'))) {
        const name = get(force, 'body');
        if (typeof name === 'string' && index.has(name)) machine.pushed[index.get(name)!] = true;
    }
    for (const tie of items(get(model, 'ties'))) {
        const names = entries(tie).map(([name]) => index.get(name) ?? -1).filter((k) => k >= 0);
        if (names.length > 1) machine.ties.push([names[0], names[1]]);
    }
    const contacts = new Map((info.contacts ?? []).map((c, k) => [c.name, k])), written = entries(get(model, 'contacts'));
    for (const [name, contact] of written) {
        const pair = ends(contact, index), k = contacts.get(name);
        if (!pair || pair[0] < 0 || k === undefined) continue;
        const turns = info.contacts?.[k]?.angular ?? false; // play between wheels is drawn as a clutch
        if (info.contacts?.[k]?.stops && !turns) {
            for (const { at, above } of facesOf(contact, model)) machine.stops.push({ body: pair[0], other: pair[1], at, above, contact: k });
        } else machine.soles.push({ body: pair[0], other: pair[1], contact: k });
    }
    for (const [name] of written) contacts.delete(name);
    [...contacts.values()].forEach((contact, column) => { // of matrices
        const body = rubbing(model, column);
        if (body < bodies.length) machine.soles.push({ body, other: -1, contact });
    });
    const rubbed = (b: number): boolean => machine.soles.some((s) => s.body === b || s.other === b);
    machine.belt = bodies.map((b, k) => b.driven && !b.angular && get(model, 'bodies', b.name, 'speed') !== undefined && rubbed(k));
    stack(machine);
    order(machine);
    for (const { body, other, contact } of machine.soles) {
        const told = info.contacts?.[contact];
        if (told?.bristles && (told.z || (told.elements ?? 0) > 0)) machine.bristled[machine.under[other] === body ? other : body] = true;
    }
    return machine;
}

/** Columns and levels: a body stands on what it rubs on, unless that is itself carried by it. */
function stack(machine: Machine): void {
    const count = machine.column.length;
    const under = machine.under;
    for (const sole of machine.soles) {
        if (sole.other < 0 || machine.angular[sole.body] || machine.angular[sole.other]) continue;
        // Of two free bodies the one that nothing else holds lies on top.
        const held = (b: number): boolean => machine.links.some((l) => l.a === b || l.b === b) || machine.driven[b] || machine.pushed[b];
        const [top, base] = held(sole.body) && !held(sole.other) ? [sole.other, sole.body] : [sole.body, sole.other];
        if (under[top] >= 0 || under[base] === top) continue;
        under[top] = base;
        machine.carries[base] = true;
    }
    for (let b = 0; b < count; b++) {
        let depth = 0;
        for (let at = under[b]; at >= 0 && depth < count; at = under[at]) depth++;
        machine.level[b] = depth;
    }
    for (let b = 0; b < count; b++) if (under[b] < 0) machine.column[b] = machine.columns++;
    for (let round = 0; round < count; round++)
        for (let b = 0; b < count; b++) if (machine.column[b] < 0 && machine.column[under[b]] >= 0) machine.column[b] = machine.column[under[b]];
    for (let b = 0; b < count; b++) if (machine.column[b] < 0) machine.column[b] = machine.columns++;
    machine.levels = 1 + Math.max(0, ...machine.level);
}

/** Columns of a chain in the order of its links, where the order of the bodies would cross them. */
function order(machine: Machine): void {
    const near = Array.from({ length: machine.columns }, () => new Set<number>());
    for (const { a, b } of machine.links) {
        if (a < 0 || b < 0 || machine.column[a] === machine.column[b]) continue;
        near[machine.column[a]].add(machine.column[b]);
        near[machine.column[b]].add(machine.column[a]);
    }
    const crosses = near.some((others, c) => [...others].some((o) => Math.abs(o - c) > 1)), ends = near.flatMap((others, c) => (others.size === 1 ? [c] : []));
    if (!crosses || ends.length !== 2 || near.some((others) => others.size > 2 || others.size === 0)) return;
    const isFree = (c: number): boolean => machine.column.some((of, b) => of === c && !machine.driven[b]);
    const chain = [ends.find(isFree) ?? ends[0]];
    for (let last = -1; chain.length < machine.columns; ) {
        const at = chain[chain.length - 1], next = [...near[at]].find((c) => c !== last);
        if (next === undefined) return; // a circle beside a chain
        last = at;
        chain.push(next);
    }
    machine.column = machine.column.map((c) => chain.indexOf(c));
}
