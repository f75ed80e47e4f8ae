// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the page and its workers say to each other.
import type { Tree } from '../model/tree';
import type { Away, Span } from '../model/world';
import type { Axis, Block, Mesh } from './wasm';

export interface BodyInfo { name: string; angular: boolean; driven: boolean; x: number; v: number }
export interface ContactInfo { name: string; law: string; angular: boolean; stops: boolean; bristles: boolean; z?: boolean; elements?: number; element?: string; element_is_force?: boolean }
export interface SupportInfo { kind: string; level: number; place: [number, number] }

/** What a model is, as page_describe tells it. Bodies or a slider. */
export interface Description {
    title: string;
    until: number;
    width: number; // of a row of the table
    bodies?: BodyInfo[];
    contacts?: ContactInfo[];
    numbers?: { name: string; kind: string; unit: string }[];
    inputs?: string[];
    open?: boolean;
    mass?: number;
    gyration?: number;
    gravity?: number;
    turns_with_floor?: boolean;
    floor_moves?: boolean;
    place?: [number, number, number];
    speed?: [number, number, number];
    supports?: SupportInfo[];
    fingers?: number;
    quasistatic?: boolean;
}

export interface EventAnswer { t: number; contact: string; from?: string; to?: string; kind?: string }

/** What the core remarks of an instant. */
export interface Note { t: number; text: string; contacts: string[] }

/** The JSON of simulate. */
export interface MotionAnswer {
    title: string;
    outcome: string;
    t: number;
    state: Record<string, Record<string, number>>;
    contacts: Record<string, { mode: string; force: number | number[]; limit: number | null }>;
    events: EventAnswer[];
    samples?: unknown[];
    energy: Record<string, number>;
    loops?: { contact: string; from: number; to: number; work: number }[];
    final_motion?: unknown;
    settles?: unknown;
    notes: Note[];
    warnings: string[];
    [more: string]: unknown;
}

export interface CertificateAnswer {
    verdict: string;
    theorem: number | null;
    reason: string;
    refuted: boolean;
    rho_star: number | null;
    rho_energy: number | null;
    equilibrium_set: { center: number[]; generators: number[][] | null; vertices: number[][] | null; half_widths: number[]; max_energy: number } | null;
    damping?: { eigenvalues: number[] };
    [more: string]: unknown;
}

export interface CheckAnswer {
    kind: string;
    coordinates: string[];
    contacts: string[];
    matrices: { M: number[][] | null; C: number[][] | null; K: number[][] | null; W: number[][] | null } | null;
    laws: Record<string, Record<string, unknown>>;
    warnings: string[];
}

export interface CycleAnswer {
    period: number;
    amplitude: Record<string, number>;
    middle: Record<string, number>;
    multipliers: [number, number][];
    stable: boolean | null;
    state: Record<string, { x: number; v: number }>;
    notes: string[];
}

/** A start other than the model's own. Sliders: place and speed. */
export interface Start { x: number[]; v: number[] }

/** Columns of a slider's row: the load on the ground (body frame), vx, vy and spin over the floor, then four of each support and of each finger, then where each finger is. */
export const SLIDE = { load: 7, over: 10, supports: 13, perSupport: 4, perFinger: 2 } as const;

/** Columns of the modes of all that rubs: of contacts, or of supports and fingers. */
export function modeColumns(info: Description): number[] {
    const [first, step, count] = info.supports ? [SLIDE.supports, SLIDE.perSupport, info.supports.length + (info.fingers ?? 0)] : [1 + 2 * info.bodies!.length, 5, info.contacts!.length];
    return Array.from({ length: count }, (_, k) => first + step * k);
}

/** Columns of the places of fingers: of x, which y follows. */
export function fingerColumns(info: Description): number[] {
    const count = info.fingers ?? 0, first = SLIDE.supports + SLIDE.perSupport * ((info.supports?.length ?? 0) + count);
    return Array.from({ length: count }, (_, k) => first + SLIDE.perFinger * k);
}

/** A run with its table: t, x, v, ... as page_fill_row writes them. */
export interface Run {
    info: Description;
    answer: MotionAnswer;
    table: Float64Array;
    rows: number;
    end: number; // s: until when it is shown; where the motion rests, a little later than that
    away?: Away | null; // it has left what is shown, and is shown until then
}

/** A number in SI, or a text with its unit: "20 ms". */
export type Amount = number | string;

/** Options of the questions, as of the command line; what is missing is as ever. */
export interface Options {
    until?: Amount; every?: Amount; period?: Amount; escape?: Amount; tolerance?: Amount; maxEvents?: Amount;
}

/** Numbers of the model that are changed before: --set. */
export type Changes = [path: string, value: Amount][];

export type Question =
    | { kind: 'simulate'; set: Changes; options: Options; at: Amount[]; derivative: string[] }
    | { kind: 'run'; until: number; moments: number; start: Start | null; edges?: Span[] | null }
    | { kind: 'describe' }
    | { kind: 'check'; set?: Changes }
    | { kind: 'certify'; set?: Changes; vertices?: boolean; contains?: Amount[] | null }
    | { kind: 'cycle'; set?: Changes; options?: Options; near?: boolean }
    | { kind: 'basin'; set: Changes; axes: Axis[]; options: Options; random: number; seed: number }
    | { kind: 'surface'; set?: Changes; ask: 'eigen' | 'facets' | 'load' | 'first'; angle?: Amount; motion?: number[]; applied?: number[]; basin?: boolean }
    | { kind: 'law'; contact: number; fastest: number }
    | { kind: 'mesh'; angle: number; fineness: number }
    | { kind: 'picture'; view: string; of: string | null; theme: string; width: number; height: number; until: number; start: Start | null }
    | { kind: 'picture-map'; axes: Axis[]; until: number; theme: string; width: number; height: number }
    | { kind: 'map'; axes: Axis[]; until: number; share: number; of: number }
    | { kind: 'trial'; start: Start }
    | { kind: 'trial-go'; t: number; input: number; value: number };

export interface Request { id: number; model: number; tree: Tree | null; question: Question }

export type Reply =
    | { id: number; answer: unknown }
    | { id: number; part: Block }
    | { id: number; error: { message: string; line: number; column: number; field: string; text: string } };

export type { Axis, Block, Mesh };
