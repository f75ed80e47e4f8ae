// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// window.slipstick: the questions of the command line for scripts and tests. Each takes a model's text and answers with the
// object that the command prints with --json; faults reject with an error that has line, column and field.
import { Desk } from './core/desk';
import type { Axis } from './core/protocol';
import { readTree } from './model/tree';

const desk = new Desk();

function number(value: unknown, otherwise: number): number {
    return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** "block.x=-10:10:41", as of --over, or an axis as an object. */
function axis(value: string | Axis): Axis {
    if (typeof value !== 'string') return value;
    const match = /^(.+?)=([^:]+):([^:]+)(?::(\d+))?$/.exec(value);
    const [from, to] = [Number(match?.[2]), Number(match?.[3])];
    if (!match || !Number.isFinite(from) || !Number.isFinite(to)) throw new Error(`${value}: expected PATH=FROM:TO:COUNT, such as block1.x=-10:10:401`);
    return { path: match[1]!, from, to, count: Number(match[4] ?? 1) };
}

export interface Options {
    until?: number; every?: number; tolerance?: number; vertices?: boolean;
    over?: (string | Axis)[]; random?: number; seed?: number;
    period?: number; near?: boolean;
    eigen?: boolean; basin?: boolean; facets?: boolean; load?: number[]; applied?: number[]; firstMotion?: number[]; angle?: number;
}

export const slipstick = {
    simulate: async (text: string, options: Options = {}): Promise<unknown> =>
        desk.ask(readTree(text), { kind: 'simulate', until: number(options.until, -1), every: number(options.every, 0), tolerance: number(options.tolerance, 0) }),
    check: async (text: string): Promise<unknown> => desk.ask(readTree(text), { kind: 'check' }),
    certify: async (text: string, options: Options = {}): Promise<unknown> => desk.ask(readTree(text), { kind: 'certify', vertices: options.vertices === true }),
    cycle: async (text: string, options: Options = {}): Promise<unknown> =>
        desk.ask(readTree(text), { kind: 'cycle', period: number(options.period, 0), until: number(options.until, 0), near: options.near === true }),
    basin: async (text: string, options: Options = {}): Promise<unknown> =>
        desk.ask(readTree(text), { kind: 'basin', axes: (options.over ?? []).map(axis), until: number(options.until, -1), random: number(options.random, 0), seed: number(options.seed, 0) }),
    surface: async (text: string, options: Options = {}): Promise<unknown> =>
        desk.ask(readTree(text), {
            kind: 'surface', angle: number(options.angle, NaN), basin: options.basin === true,
            ask: options.load ? 'load' : options.firstMotion ? 'first' : options.facets ? 'facets' : 'eigen',
            motion: options.load ?? null, applied: options.firstMotion ?? options.applied ?? null,
        }),
    picture: async (text: string, view: string, theme = 'print', of: string | null = null): Promise<string> =>
        desk.ask(readTree(text), { kind: 'picture', view, of, theme, width: 0, height: 0, until: -1, start: null }),
};

declare global {
    interface Window { slipstick: typeof slipstick }
}
