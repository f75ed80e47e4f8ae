// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// window.slipstick: the questions of the command line for scripts and tests. Each takes a model's text and the options of the
// command (first-motion is firstMotion, and so on), and answers with the object that the command prints with --json. Faults reject
// with an error: of the model, it has line, column and field; an option that is unknown or makes no sense is named.
import { Desk } from './core/desk';
import type { Amount, Axis, Changes, Options as Numbers } from './core/protocol';
import { type Tree, readTree } from './model/tree';

export interface Options extends Numbers {
    set?: Record<string, Amount>; at?: Amount | Amount[]; derivative?: string | string[]; // simulate
    vertices?: boolean; contains?: Amount[]; // certify
    near?: Record<string, Amount>; // cycle
    over?: string | (string | Axis)[] | Record<string, [number, number, number?]>; random?: number; seed?: number; threads?: number; // basin
    eigen?: boolean; basin?: boolean; facets?: boolean; load?: number[]; applied?: number[]; firstMotion?: number[]; angle?: Amount; // surface
}

const desk = new Desk();

const KNOWN = {
    simulate: ['until', 'at', 'every', 'escape', 'derivative', 'tolerance', 'maxEvents'],
    check: [],
    certify: ['vertices', 'contains'],
    cycle: ['near', 'period', 'until', 'tolerance', 'maxEvents'],
    basin: ['over', 'random', 'seed', 'until', 'escape', 'threads', 'tolerance', 'maxEvents'],
    surface: ['load', 'applied', 'firstMotion', 'eigen', 'basin', 'facets', 'angle'],
} as const;

/** The model, and the options by their names here; what is unknown is refused, for nothing is ignored in silence. */
function read(question: keyof typeof KNOWN, text: string, given: Options): { tree: Tree; options: Options; set: Changes } {
    if (typeof text !== 'string') throw new TypeError(`slipstick.${question}: expected the text of a model`);
    const known: readonly string[] = ['set', ...KNOWN[question]], options: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(given ?? {})) {
        const own = name.replace(/^--/, '').replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
        if (!known.includes(own)) throw new TypeError(`slipstick.${question}: there is no option ${name}; known are ${known.join(', ')}`);
        if (value !== undefined && value !== null && value !== false) options[own] = value;
    }
    return { tree: readTree(text), options, set: changes('set', options.set) };
}

function changes(name: string, value: unknown): Changes {
    if (value === undefined) return [];
    if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError(`${name}: expected paths with their values, such as {"parameters.mu": 0.2}`);
    return Object.entries(value as Record<string, Amount>);
}

/** Numbers in SI, or texts with units. */
function amounts(name: string, value: Amount | Amount[] | undefined): Amount[] {
    const list = value === undefined ? [] : Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
    for (const item of list) if (typeof item !== 'number' && typeof item !== 'string') throw new TypeError(`${name}: expected numbers`);
    return list;
}

/** The options that are one number each. */
function numbers(options: Options): Numbers {
    const made: Record<string, Amount> = {};
    for (const name of ['until', 'every', 'period', 'escape', 'tolerance', 'maxEvents'] as const) {
        const value = options[name];
        if (value === undefined) continue;
        if (typeof value !== 'number' && typeof value !== 'string') throw new TypeError(`${name}: expected a number, or a text with its unit such as "20 ms"`);
        made[name] = value;
    }
    return made;
}

function three(name: string, value: number[] | undefined): number[] | undefined {
    if (value !== undefined && !(Array.isArray(value) && value.length === 3 && value.every((v) => Number.isFinite(v)))) throw new TypeError(`${name}: expected three finite numbers`);
    return value;
}

function count(name: string, value: number | undefined): number {
    if (value === undefined) return 0;
    if (!Number.isInteger(value) || value < 0) throw new TypeError(`${name} ${value}: expected a whole number`);
    return value;
}

/** "block.x=-10:10:41", as of --over, or an axis as an object. */
function axis(value: string | Axis, random: boolean): Axis {
    const form = random ? 'PATH=FROM:TO, such as block1.x=-10:10' : 'PATH=FROM:TO:COUNT, such as block1.x=-10:10:401';
    const match = typeof value === 'string' ? /^(.+?)=([^:]+):([^:]+)(?::(\d+))?$/.exec(value) : null;
    const made: Axis = match ? { path: match[1], from: Number(match[2]), to: Number(match[3]), count: Number(match[4] ?? NaN) } : { ...(value as Axis) };
    if (random) made.count = 1;
    if (typeof made.path !== 'string' || !Number.isFinite(made.from) || !Number.isFinite(made.to) || !Number.isInteger(made.count) || made.count < 1) throw new TypeError(`over ${typeof value === 'string' ? value : JSON.stringify(value)}: expected ${form}`);
    return made;
}

function axes(over: Options['over'], random: boolean): Axis[] {
    const list = typeof over === 'string' ? [over] : Array.isArray(over) ? over : Object.entries(over ?? {}).map(([path, [from, to, n]]) => ({ path, from, to, count: n ?? NaN }));
    if (list.length === 0) throw new TypeError('over is missing: which number varies? For example ["block1.x=-10:10:401"]');
    return list.map((value) => axis(value, random));
}

export const slipstick = {
    simulate: async (text: string, given: Options = {}): Promise<unknown> => {
        const { tree, options, set } = read('simulate', text, given);
        const derivative = typeof options.derivative === 'string' ? options.derivative.split(',').map((path) => path.trim()) : options.derivative ?? [];
        return desk.ask(tree, { kind: 'simulate', set, options: numbers(options), at: amounts('at', options.at), derivative });
    },
    check: async (text: string, given: Options = {}): Promise<unknown> => {
        const { tree, set } = read('check', text, given);
        return desk.ask(tree, { kind: 'check', set });
    },
    certify: async (text: string, given: Options = {}): Promise<unknown> => {
        const { tree, options, set } = read('certify', text, given);
        return desk.ask(tree, { kind: 'certify', set, vertices: options.vertices, contains: options.contains === undefined ? null : amounts('contains', options.contains) });
    },
    cycle: async (text: string, given: Options = {}): Promise<unknown> => {
        const { tree, options, set } = read('cycle', text, given), near = changes('near', options.near);
        return desk.ask(tree, { kind: 'cycle', set: [...set, ...near], options: numbers(options), near: near.length > 0 });
    },
    basin: async (text: string, given: Options = {}): Promise<unknown> => {
        const { tree, options, set } = read('basin', text, given), random = count('random', options.random);
        if (options.seed !== undefined && !random) throw new TypeError('seed: only makes sense with random');
        return desk.ask(tree, { kind: 'basin', set, axes: axes(options.over, random > 0), options: numbers(options), random, seed: count('seed', options.seed) });
    },
    /** One of load, firstMotion, facets, eigen (which is what is told where nothing is asked for). */
    surface: async (text: string, given: Options = {}): Promise<unknown> => {
        const { tree, options, set } = read('surface', text, given);
        const asked = (['load', 'firstMotion', 'facets', 'eigen'] as const).filter((name) => options[name] !== undefined);
        if (asked.length > 1) throw new TypeError(`slipstick.surface: expected one of load, firstMotion, eigen, facets at a time, found ${asked.join(' and ')}`);
        if (options.applied && !options.load) throw new TypeError('applied: goes with load');
        if (options.basin && asked.length && asked[0] !== 'eigen') throw new TypeError('basin: goes with eigen');
        return desk.ask(tree, {
            kind: 'surface', set, ask: options.load ? 'load' : options.firstMotion ? 'first' : options.facets ? 'facets' : 'eigen', basin: options.basin,
            angle: options.angle, motion: three('load', options.load), applied: three(options.load ? 'applied' : 'firstMotion', options.load ? options.applied : options.firstMotion),
        });
    },
    picture: async (text: string, view: string, theme = 'print', of: string | null = null): Promise<string> =>
        desk.ask(readTree(text), { kind: 'picture', view, of, theme, width: 0, height: 0, until: -1, start: null }),
};

declare global {
    interface Window { slipstick: typeof slipstick }
}
