// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A worker: one core, one question after the other. It keeps the model that it has read last.
import { ModelError } from '../model/tree';
import type { Description, MotionAnswer, Question, Reply, Request, Run } from './protocol';
import { Core, bodyViews, sliderViews } from './wasm';

declare const self: { onmessage: ((event: MessageEvent) => void) | null; postMessage(message: unknown, transfer?: Transferable[]): void };

let core: Core | null = null;
let loaded = -1;

function run(desk: Core, question: Extract<Question, { kind: 'run' }>): Run {
    const info = desk.describe<Description>();
    desk.run(question.until, question.every, true, 0, question.start?.x ?? null, question.start?.v ?? null);
    const table = desk.table(info.width);
    const answer = desk.motion<MotionAnswer>();
    delete answer.samples; // the table has them
    return { info, answer, table, rows: table.length / info.width };
}

function picture(desk: Core, question: Extract<Question, { kind: 'picture' }>): string {
    if (question.view === 'certificate') return desk.pictureCertificate(question.theme, question.width, question.height);
    const info = desk.describe<Description>();
    const views: readonly string[] = info.supports ? sliderViews : bodyViews;
    desk.run(question.until, 0, false, 0, question.start?.x ?? null, question.start?.v ?? null);
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
        if (message.model !== loaded) {
            loaded = -1;
            if (!message.tree) throw new Error('no model was sent');
            core.load(message.tree);
            loaded = message.model;
        }
        tell({ id: message.id, answer: answer(core, message.id, message.question) });
    } catch (caught) {
        const e = caught as Partial<ModelError>;
        tell({ id: message.id, error: { message: e.message ?? String(caught), line: e.line ?? 0, column: e.column ?? 0, field: e.field ?? '', text: e.text ?? e.message ?? '' } });
    }
};
