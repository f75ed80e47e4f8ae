// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The page's side of the workers. A desk is one worker with one question at a time; whoever asks again before the answer is
// there may drop what waits, or have a worker that takes too long replaced by a new one, so that the page never waits.
import type { Tree } from '../model/tree';
import { ModelError } from '../model/tree';
import type { Block, Question, Reply, Request } from './protocol';

declare const CORE_WASM: string; // gzip, base64: put in by build.mjs
declare const WORKER_SCRIPT: string;

async function unpack(text: string): Promise<WebAssembly.Module> {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

let shared: Promise<WebAssembly.Module> | null = null;
let script = '';

function module(): Promise<WebAssembly.Module> {
    shared ??= unpack(CORE_WASM);
    return shared;
}

function scriptAddress(): string {
    script ||= URL.createObjectURL(new Blob([WORKER_SCRIPT], { type: 'text/javascript' }));
    return script;
}

interface Pending { request: Request; tree: Tree; resolve(value: unknown): void; reject(error: Error): void; part: ((block: Block) => void) | null }

/** Thrown to whoever asked a question that a newer one has replaced. */
export class Replaced extends Error {
    constructor() {
        super('replaced by a newer question');
        this.name = 'Replaced';
    }
}

let questions = 0;
let trees = 0;
const numbers = new WeakMap<Tree, number>();

function numberOf(tree: Tree): number {
    let number = numbers.get(tree);
    if (number === undefined) numbers.set(tree, (number = ++trees));
    return number;
}

export class Desk {
    private worker: Worker | null = null;
    private busy: Pending | null = null;
    private readonly waiting: Pending[] = [];
    private loaded = -1;
    private since = 0;

    /** patience: ms after which a question that is in the way of a newer one costs the worker its life. */
    constructor(private readonly patience = Infinity) {}

    /** Asks; with latest, a waiting question is dropped and the running one, once patience is over, as well. */
    ask<T>(tree: Tree, question: Question, latest = false, part: ((block: Block) => void) | null = null): Promise<T> {
        return new Promise<T>((resolve, reject) => {
            const request: Request = { id: ++questions, model: numberOf(tree), tree: null, question };
            if (latest) this.drop();
            this.waiting.push({ request, tree, resolve: resolve as (value: unknown) => void, reject, part });
            void this.next();
        });
    }

    /** Forgets all questions, also the one that is being answered. */
    stop(): void {
        this.drop();
        if (this.busy) this.replace();
    }

    private drop(): void {
        for (const pending of this.waiting.splice(0)) pending.reject(new Replaced());
        if (this.busy && performance.now() - this.since > this.patience) this.replace();
        else if (this.busy && this.patience < Infinity) setTimeout(() => this.impatient(), this.patience);
    }

    private impatient(): void {
        if (this.busy && this.waiting.length > 0 && performance.now() - this.since > this.patience) this.replace();
    }

    private replace(): void {
        this.worker?.terminate();
        this.worker = null;
        this.loaded = -1;
        const old = this.busy;
        this.busy = null;
        old?.reject(new Replaced());
        void this.next();
    }

    private async open(): Promise<Worker> {
        const worker = new Worker(scriptAddress());
        worker.onmessage = (event: MessageEvent) => { if (worker === this.worker) this.receive(event.data as Reply); };
        worker.onerror = (event) => { if (worker === this.worker) this.fail(event.message); };
        this.worker = worker;
        worker.postMessage({ module: await module() });
        return worker;
    }

    private fail(message: string): void {
        const old = this.busy;
        this.worker?.terminate();
        this.worker = null;
        this.loaded = -1;
        this.busy = null;
        old?.reject(new Error(message || 'the core has failed'));
        void this.next();
    }

    private async next(): Promise<void> {
        if (this.busy) return;
        const pending = this.waiting.shift();
        if (!pending) return;
        this.busy = pending;
        this.since = performance.now();
        const worker = this.worker ?? (await this.open());
        if (this.busy !== pending) return; // dropped meanwhile
        pending.request.tree = this.loaded === pending.request.model ? null : pending.tree;
        worker.postMessage(pending.request);
        this.loaded = pending.request.model;
    }

    private receive(reply: Reply): void {
        const pending = this.busy;
        if (!pending || reply.id !== pending.request.id) return;
        if ('part' in reply) {
            pending.part?.(reply.part);
            return;
        }
        this.busy = null;
        if ('error' in reply) {
            this.loaded = -1;
            const e = reply.error;
            pending.reject(new ModelError(e.message, e.line, e.column, e.field, e.text));
        } else {
            pending.resolve(reply.answer);
        }
        void this.next();
    }
}
