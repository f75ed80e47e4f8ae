// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A worker: one core, one question after the other. It keeps the model that it has read last.
import type { ModelError, Tree } from '../model/tree';
import { type Away, grows, leaves } from '../model/world';
import type { Changes, Description, MotionAnswer, Question, Reply, Request, Run, Start } from './protocol';
import { ridesOn } from '../model/floor';
import { Core, bodyViews, sliderViews } from './wasm';

declare const self: { onmessage: ((event: MessageEvent) => void) | null; postMessage(message: unknown, transfer?: Transferable[]): void };

let module: WebAssembly.Module | null = null;
let core: Core | null = null;
let loaded = -1;
let tree: Tree | null = null; // the model that is loaded,
let changed = false; // with other numbers

/** Other numbers for one question. */
function change(desk: Core, changes: Changes | undefined): void {
    if (!changes?.length) return;
    changed = true;
    desk.load(tree!, changes);
}

/** Where a motion begins: bodies take arrays, a slider takes other numbers in its model. */
function begin(desk: Core, info: Description, start: Start | null): [number[] | null, number[] | null] {
    if (!info.supports) return [start?.x ?? null, start?.v ?? null];
    const places = ['x', 'y', 'angle'].map((name, k): [string, number] => [`start.slider.${name}`, start?.x[k] ?? 0]);
    const speeds = ['vx', 'vy', 'spin'].map((name, k): [string, number] => [`start.slider.${name}`, start?.v[k] ?? 0]);
    if (start) change(desk, [...places, ...speeds]);
    return [null, null];
}

/** When a motion leaves the neighbourhood that is shown; for bodies only, since friction stops every slider. */
function awayOf(table: Float64Array, info: Description, question: Extract<Question, { kind: 'run' }>, rests: boolean): Away | null {
    if (!info.bodies) return null;
    return question.edges ? leaves(table, info, question.edges, rests) : grows(table, info);
}

/** Of bodies that slide on a plane less is kept: their motions are smooth, and their loads cost more than the motion. */
const SLIDES = 600;
const RIDE = 5, RIDDEN = 0.3; // a slider that a floor takes along is shown for so many times as long as it took to be caught, and for this share of the time
const WORTH = 0.6; // a motion that ends before this share of the time is computed again, with moments closer together

/** Runs with moments close enough for smooth lines until a little after the end; where that is early, or it runs away, once more. */
function run(desk: Core, question: Extract<Question, { kind: 'run' }>): Run {
    const info = desk.describe<Description>(), moments = info.supports ? Math.min(SLIDES, question.moments) : question.moments;
    const until = question.until >= 0 ? question.until : info.until;
    const [x, v] = begin(desk, info, question.start);
    desk.run(until, until / moments, true, 0, x, v);
    const answer = desk.motion<MotionAnswer>();
    const rests = answer.outcome === 'at-rest';
    const told = ridesOn(answer, info) ? Math.max(RIDE * answer.t, RIDDEN * until) : 1.08 * answer.t;
    let end = Math.max(1e-9, rests ? Math.min(until, told + 0.002 * until) : answer.outcome === 'time-reached' ? until : answer.t);
    const again = (): Float64Array => {
        desk.run(end, end / moments, true, 0, x, v);
        return desk.table(info.width);
    };
    let table = end < WORTH * until ? again() : desk.table(info.width);
    let away = awayOf(table, info, question, rests);
    if (away && away.t > 0) {
        end = away.t;
        table = again();
        const nearer = question.edges && leaves(table, info, question.edges, rests); // among moments that are closer together
        if (nearer && nearer.t > 0) {
            away = nearer;
            end = nearer.t;
            let rows = table.length / info.width;
            while (rows > 1 && table[(rows - 2) * info.width] >= end) rows--;
            table = table.slice(0, rows * info.width);
        }
    }
    return { info, answer, table, rows: table.length / info.width, end, away };
}

function picture(desk: Core, question: Extract<Question, { kind: 'picture' }>): string {
    if (question.view === 'certificate') return desk.pictureCertificate(question.theme, question.width, question.height);
    const info = desk.describe<Description>();
    const views: readonly string[] = info.supports ? sliderViews : bodyViews;
    const [x, v] = begin(desk, info, question.start);
    desk.run(question.until, 0, false, 0, x, v);
    return desk.picture(Math.max(0, views.indexOf(question.view)), question.of, question.theme, question.width, question.height);
}

function surface(desk: Core, question: Extract<Question, { kind: 'surface' }>): unknown {
    const angle = desk.angle(question.angle);
    switch (question.ask) {
        case 'eigen': return desk.surfaceEigen(angle, question.basin ?? false);
        case 'facets': return desk.surfaceFacets(angle);
        case 'load': return desk.surfaceLoad(angle, question.motion!, question.applied ?? null);
        case 'first': return desk.surfaceFirst(angle, question.applied!);
    }
}

function answer(desk: Core, id: number, question: Question): unknown {
    if ('set' in question) change(desk, question.set);
    switch (question.kind) {
        case 'simulate': return desk.simulate(question.options, question.at, question.derivative);
        case 'run': return run(desk, question);
        case 'describe': return desk.describe();
        case 'check': return desk.check();
        case 'certify': return desk.certify(question.vertices ?? false, question.contains ?? null);
        case 'cycle': return desk.cycle(question.options ?? {}, question.near ?? false);
        case 'law': return desk.law(question.contact, question.fastest);
        case 'basin':
            desk.mapBegin(question.axes, question.options, question.random, question.seed);
            return desk.map();
        case 'surface': return surface(desk, question);
        case 'mesh': return desk.mesh(question.angle, question.fineness);
        case 'picture': return picture(desk, question);
        case 'picture-map':
            desk.mapBegin(question.axes, { until: question.until });
            return desk.pictureMap(question.theme, question.width, question.height);
        case 'map': {
            desk.mapBegin(question.axes, { until: question.until });
            const blocks = desk.mapBlocks();
            for (let k = question.share; k < blocks; k += question.of) tell({ id, part: desk.mapBlock(k) });
            return null;
        }
        case 'trial':
            desk.trialBegin(question.start.x, question.start.v);
            return desk.describe();
        case 'trial-go': return desk.trialGo(question.t, question.input, question.value, desk.describe<Description>().width);
    }
}

function tell(reply: Reply): void { self.postMessage(reply); }

self.onmessage = (event: MessageEvent) => {
    const message = event.data as { module: WebAssembly.Module } | Request;
    if ('module' in message) {
        module = message.module;
        return;
    }
    try {
        core ??= new Core(module!);
        if (message.model !== loaded || changed) {
            tree = message.tree ?? (message.model === loaded ? tree : null);
            loaded = -1;
            if (!tree) throw new Error('no model was sent');
            core.load(tree);
            loaded = message.model;
            changed = false;
        }
        tell({ id: message.id, answer: answer(core, message.id, message.question) });
    } catch (caught) {
        if (caught instanceof WebAssembly.RuntimeError) { // its memory is not to be trusted any more
            core = null;
            loaded = -1;
        }
        const e = caught as Partial<ModelError>;
        tell({ id: message.id, error: { message: e.message ?? String(caught), line: e.line ?? 0, column: e.column ?? 0, field: e.field ?? '', text: e.text ?? e.message ?? '' } });
    }
};
