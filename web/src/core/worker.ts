// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A worker: one core, one question after the other. It keeps the model that it has read last.
import type { ModelError, Tree } from '../model/tree';
import type { Description, MotionAnswer, Question, Reply, Request, Run, Start } from './protocol';
import { Core, bodyViews, sliderViews } from './wasm';

declare const self: { onmessage: ((event: MessageEvent) => void) | null; postMessage(message: unknown, transfer?: Transferable[]): void };

let core: Core | null = null;
let loaded = -1;
let tree: Tree | null = null; // the model that is loaded,
let moved = false; // with another start, where it is a slider

/** Where a motion begins: bodies take arrays, a slider takes other numbers in its model. */
function begin(desk: Core, info: Description, start: Start | null): [number[] | null, number[] | null] {
    if (!info.supports) return [start?.x ?? null, start?.v ?? null];
    const places = ['x', 'y', 'angle'].map((name, k): [string, number] => [`start.slider.${name}`, start?.x[k] ?? 0]);
    const speeds = ['vx', 'vy', 'spin'].map((name, k): [string, number] => [`start.slider.${name}`, start?.v[k] ?? 0]);
    if (start) desk.load(tree!, [...places, ...speeds]);
    moved = start !== null;
    return [null, null];
}

/** Runs twice: once to see when it ends, then with moments close enough for smooth lines until a little after that. */
function run(desk: Core, question: Extract<Question, { kind: 'run' }>): Run {
    const info = desk.describe<Description>();
    const until = question.until >= 0 ? question.until : info.until;
    const [x, v] = begin(desk, info, question.start);
    desk.run(until, 0, false, 0, x, v);
    const answer = desk.motion<MotionAnswer>();
    delete answer.samples; // the table has them
    const rests = answer.outcome === 'at-rest';
    const end = Math.max(1e-9, rests ? Math.min(until, 1.08 * answer.t + 0.002 * until) : answer.outcome === 'time-reached' ? until : answer.t);
    desk.run(end, end / question.moments, true, 0, x, v);
    const table = desk.table(info.width);
    return { info, answer, table, rows: table.length / info.width, end };
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
    switch (question.ask) {
        case 'eigen': return desk.surfaceEigen(question.angle, question.basin);
        case 'facets': return desk.surfaceFacets(question.angle);
        case 'load': return desk.surfaceLoad(question.angle, question.motion ?? [1, 0, 0], question.applied);
        case 'first': return desk.surfaceFirst(question.angle, question.applied ?? [0, 0, 0]);
    }
}

function answer(desk: Core, id: number, question: Question): unknown {
    switch (question.kind) {
        case 'simulate':
            desk.run(question.until, question.every, false, question.tolerance);
            return desk.motion();
        case 'run': return run(desk, question);
        case 'describe': return desk.describe();
        case 'check': return desk.check();
        case 'certify': return desk.certify(question.vertices);
        case 'cycle': return desk.cycle(question.period, question.until, question.near);
        case 'basin':
            desk.mapBegin(question.axes, question.until, question.random, question.seed);
            return desk.map();
        case 'surface': return surface(desk, question);
        case 'mesh': return desk.mesh(question.angle, question.fineness);
        case 'picture': return picture(desk, question);
        case 'picture-map':
            desk.mapBegin(question.axes, question.until);
            return desk.pictureMap(question.theme, question.width, question.height);
        case 'map': {
            desk.mapBegin(question.axes, question.until);
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
        core = new Core(message.module);
        return;
    }
    try {
        if (!core) throw new Error('the core is not there yet');
        if (message.model !== loaded || moved) {
            tree = message.tree ?? (message.model === loaded ? tree : null);
            loaded = -1;
            if (!tree) throw new Error('no model was sent');
            core.load(tree);
            loaded = message.model;
            moved = false;
        }
        tell({ id: message.id, answer: answer(core, message.id, message.question) });
    } catch (caught) {
        const e = caught as Partial<ModelError>;
        tell({ id: message.id, error: { message: e.message ?? String(caught), line: e.line ?? 0, column: e.column ?? 0, field: e.field ?? '', text: e.text ?? e.message ?? '' } });
    }
};
