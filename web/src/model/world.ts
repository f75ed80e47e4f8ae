// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The neighbourhood in which a model is looked at: places and speeds of each body around its start, its motion from there, the
// places where it can rest and the certified region. Views keep within it, starts are moved within it, and a motion that leaves
// it by far runs away: it is shown until then. It depends on the model and on the start that was written, never on one that
// was dragged, so that no gesture can enlarge it.
import type { CertificateAnswer, CheckAnswer, Description, Run, Start } from '../core/protocol';
import { type Machine, layOut } from './machine';
import type { Tree } from './node';
import { type Plain, entries, plain, quantity } from './plain';
import { regionIn } from './region';

export interface Span { least: number; most: number }

/**
 * Places (m or rad) and speeds of every body. A body that a spring takes along with another one, far from where both were (a
 * drill's bit with its table), moves about that one: there x is where it may start, and far is where it goes.
 */
export interface World { x: Span[]; v: Span[]; far: Span[]; beside: number[] } // beside: the other body; -1: none

/** When a motion has left, and which body. */
export interface Away { t: number; body: number }

const WIDER = 1.8; // the neighbourhood beside what it must show,
const FAR = 1.5; // what has left: this many times farther than the neighbourhood or the start;
const FAR_TO_REST = 10; // the same for motions that come to rest there
const DECADES = 1e3; // a growth of which half the time makes less than
const GROWTH = 20; // this much of it is none of a power: 1, 2 or 3 would make 2, 4 and 8
const OUTSIDE = 30; // and a motion that runs away goes this many times farther than where it began

/** The next round number above. */
function round(size: number): number {
    const power = 10 ** Math.floor(Math.log10(size)), lead = size / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

/** Around 0 where values come near it, otherwise around their middle. */
function around(least: number, most: number): Span {
    const wide = most - least, size = Math.max(Math.abs(least), Math.abs(most));
    if (Math.min(Math.abs(least), Math.abs(most)) > 3 * wide && wide > 0) {
        const half = round(WIDER * wide), middle = (least + most) / 2;
        return { least: middle - half, most: middle + half };
    }
    return { least: -round(WIDER * size), most: round(WIDER * size) };
}

/** The largest length that is written somewhere in a model; 0: none. */
function lengthIn(value: Plain): number {
    if (typeof value === 'string') return /\d\s*(m|mm|cm|um|nm)\s*$/.test(value) ? Math.abs(quantity(value)) || 0 : 0;
    return Math.max(0, ...(Array.isArray(value) ? value : entries(value).map(([, v]) => v)).map(lengthIn));
}

/** Least and most of a column of a run; what is not finite does not count. */
function extent(run: Run, column: number): Span {
    const { table, rows, info } = run;
    let least = Infinity, most = -Infinity;
    for (let k = 0; k < rows; k++) {
        const value = table[k * info.width + column];
        if (value < least && value > -Infinity) least = value;
        if (value > most && value < Infinity) most = value;
    }
    return least <= most ? { least, most } : { least: 0, most: 0 };
}

function add(span: Span, value: number): void {
    if (!Number.isFinite(value)) return;
    span.least = Math.min(span.least, value);
    span.most = Math.max(span.most, value);
}

function sizeOf(span: Span): number { return Math.max(Math.abs(span.least), Math.abs(span.most)); }

/** Equilibria and the certified region of a body, unless they are beyond what else is seen. */
function addTheory(span: Span, k: number, speed: boolean, check: CheckAnswer, certificate: CertificateAnswer): void {
    const set = certificate.equilibrium_set, own = sizeOf(span), near = (value: number): boolean => own === 0 || Math.abs(value) < OUTSIDE * own;
    if (set && !speed) for (const sign of [-1, 1]) if (near(set.half_widths[k])) add(span, set.center[k] + sign * set.half_widths[k]);
    for (const [value] of regionIn(check, certificate, { k, speed }, { k, speed: !speed }) ?? []) if (near(value)) add(span, value);
}

const DRIFT = 3; // a body that goes this many times farther than it moves about the one it is joined to is taken along by it

/** How far one body is from another during a run: least and most. */
function apart(run: Run, b: number, other: number): Span {
    const { table, rows, info } = run, span = { least: Infinity, most: -Infinity };
    for (let k = 0; k < rows; k++) add(span, table[k * info.width + 1 + b] - table[k * info.width + 1 + other]);
    return span.least <= span.most ? span : { least: 0, most: 0 };
}

/** The body along which a spring takes each one; -1: none. What a spring holds to the ground stays there. */
function takenAlong(run: Run, machine: Machine): number[] {
    return run.info.bodies!.map((body, b) => {
        const springs = machine.links.filter((l) => l.spring && (l.a === b || l.b === b)), own = extent(run, 1 + b);
        if (body.driven || springs.some((l) => l.a < 0 || l.b < 0)) return -1;
        const others = springs.map((l) => (l.a === b ? l.b : l.a)), wide = (o: number): number => { const { least, most } = apart(run, b, o); return most - least; };
        const nearest = others.reduce((best, o) => (best < 0 || wide(o) < wide(best) ? o : best), -1);
        return nearest >= 0 && DRIFT * wide(nearest) < own.most - own.least ? nearest : -1;
    });
}

/** The neighbourhood, from a run that starts as the model says; check and certificate may be there later. */
export function worldOf(run: Run, tree: Tree, check: CheckAnswer | null, certificate: CertificateAnswer | null): World {
    const bodies = run.info.bodies!, n = bodies.length, model = plain(tree), machine = layOut(model, run.info);
    const beside = takenAlong(run, machine), far = bodies.map((_, b) => extent(run, 1 + b)), v = bodies.map((_, b) => extent(run, 1 + n + b));
    const x = bodies.map((_, b) => {
        if (beside[b] < 0) return far[b];
        const at = run.table[1 + beside[b]], { least, most } = apart(run, b, beside[b]); // as if the other one had stayed
        return { least: at + least, most: at + most };
    });
    bodies.forEach((body, b) => {
        const k = check?.coordinates.indexOf(body.name) ?? -1;
        for (const stop of machine.stops) if (stop.body === b && stop.other < 0) add(x[b], stop.at);
        if (k < 0 || !check || !certificate) return;
        addTheory(x[b], k, false, check, certificate);
        addTheory(v[b], k, true, check, certificate);
    });
    const alike = (spans: Span[], b: number): number => Math.max(0, ...spans.filter((_, j) => bodies[j].angular === bodies[b].angular && !bodies[j].driven).map(sizeOf));
    bodies.forEach((body, b) => { // what stands still is as large as what is beside it
        if (sizeOf(x[b]) === 0) add(x[b], alike(x, b) || (body.angular ? 1 : lengthIn(model) || 1));
        const k = check?.coordinates.indexOf(body.name) ?? -1, M = check?.matrices?.M?.[k]?.[k] ?? 0, K = check?.matrices?.K?.[k]?.[k] ?? 0;
        const swing = beside[b] < 0 ? sizeOf(x[b]) : x[b].most - x[b].least;
        if (M > 0 && K > 0) add(v[b], swing * Math.sqrt(K / M)); // as fast as its spring makes it from there
        if (sizeOf(v[b]) === 0) add(v[b], alike(v, b) || (10 * sizeOf(x[b])) / run.info.until);
    });
    const seen = (spans: Span[]): Span[] => spans.map((s) => around(s.least, s.most));
    return { x: seen(x), v: seen(v), far: seen(far), beside };
}

/** Where a body is in a row of a run; one that is taken along as seen from the other one, as if that had stayed where it was at first. */
export function placeOfBody(run: Run, world: World | null, row: ArrayLike<number>, body: number, at = 0): number {
    const other = world?.beside[body] ?? -1;
    return row[at + 1 + body] - (other < 0 ? 0 : row[at + 1 + other] - run.table[1 + other]);
}

export function clamp(value: number, span: Span): number { return Math.max(span.least, Math.min(span.most, value)); }

/** Between which places the stops of the model hold a body, with all others at x. */
export function roomOf(tree: Tree, info: Description, body: number, x: number[]): Span {
    const room: Span = { least: -Infinity, most: Infinity };
    for (const stop of layOut(plain(tree), info).stops) {
        if (stop.body !== body || !Number.isFinite(stop.at)) continue;
        const at = stop.at + (stop.other < 0 ? 0 : x[stop.other]);
        if (stop.above) room.most = Math.min(room.most, at);
        else room.least = Math.max(room.least, at);
    }
    return room;
}

/** A span so many times as wide around its middle. */
export function scaled({ least, most }: Span, factor: number): Span {
    const middle = (least + most) / 2, half = (factor * (most - least)) / 2;
    return { least: middle - half, most: middle + half };
}

/** A start within the neighbourhood, or some times of it, on the right side of all stops. */
export function within(world: World, start: Start, tree: Tree, info: Description, wider = 1): Start {
    const bodies = info.bodies!, x = start.x.map((value, b) => (bodies[b].driven ? value : clamp(value, scaled(world.x[b], wider))));
    return {
        x: x.map((value, b) => (bodies[b].driven ? value : clamp(value, roomOf(tree, info, b, x)))),
        v: start.v.map((value, b) => (bodies[b].driven ? value : clamp(value, scaled(world.v[b], wider)))),
    };
}

// ---- what runs away: asked by the worker, which sees the motion first

/** Edges beyond which a motion has left: some times farther than the neighbourhood and the start. */
export function edgesOf(world: World, start: Start): Span[] {
    return world.far.map((span, b) => {
        const middle = (span.least + span.most) / 2, half = FAR * Math.max((span.most - span.least) / 2, Math.abs(start.x[b] - middle));
        return { least: middle - half, most: middle + half };
    });
}

/** The first row of a table in which a body is beyond its edges; motions that come to rest may go farther. */
export function leaves(table: Float64Array, info: Description, edges: Span[], rests: boolean): Away | null {
    const wider = rests ? FAR_TO_REST / FAR : 1;
    const bounds = edges.map((span, b): Span => (info.bodies![b].driven ? { least: -Infinity, most: Infinity } : scaled(span, wider)));
    for (let at = 0; at < table.length; at += info.width)
        for (let b = 0; b < bounds.length; b++) if (!(table[at + 1 + b] >= bounds[b].least && table[at + 1 + b] <= bounds[b].most)) return { t: table[at], body: b };
    return null;
}

/** Where a motion that nobody has moved grows by powers of ten: when it is far from where it began. */
export function grows(table: Float64Array, info: Description): Away | null {
    const bodies = info.bodies!, rows = table.length / info.width, gone = new Float64Array(rows), which = new Int32Array(rows);
    let start = 0;
    bodies.forEach((body, b) => { if (!body.driven) start = Math.max(start, Math.abs(table[1 + b])); });
    for (let k = 0; k < rows; k++) {
        gone[k] = k ? gone[k - 1] : 0;
        which[k] = k ? which[k - 1] : 0;
        bodies.forEach((body, b) => {
            const far = Math.abs(table[k * info.width + 1 + b] - table[1 + b]);
            if (body.driven || far <= gone[k]) return;
            gone[k] = Number.isFinite(far) ? far : Number.MAX_VALUE;
            which[k] = b;
        });
    }
    const most = gone[rows - 1], begins = gone.findIndex((far) => far > most / DECADES), since = table[begins * info.width], end = table[(rows - 1) * info.width];
    const half = gone.findIndex((_, k) => table[k * info.width] >= (since + end) / 2), base = Math.max(start, gone[begins]);
    if (!(most > OUTSIDE * base) || !(most > GROWTH * gone[half])) return null;
    const left = gone.findIndex((far) => far > 4 * base);
    return { t: table[left * info.width], body: which[left] };
}
