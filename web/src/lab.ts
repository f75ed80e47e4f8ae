// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The state of the laboratory and all that changes it: the model's text, its motion, the clock, what is selected. Views read it
// and are told what has changed; they never talk to each other.
import { Desk, Replaced } from './core/desk';
import type { Axis, CertificateAnswer, CheckAnswer, Run, Start } from './core/protocol';
import { ModelError, type Tree, readTree } from './model/tree';
import { Reading, niceRate } from './reading';

export type Topic = 'text' | 'run' | 'time' | 'error' | 'select' | 'certificate' | 'theme' | 'play' | 'compare' | 'model' | 'start';

/** How many moments of a motion are kept for drawing. */
const MOMENTS = 3000;

export interface ModelFile { name: string; text: string }

/** What is looked at: bodies and contacts by number, what spans the map and how far it reaches, which plane, loop and figure. */
export interface Settings { body: number; contact: number; map: [string, string]; zoom: number; plane: number; beside: boolean; figure: string; time: number }

function asOpened(): Settings { return { body: -1, contact: 0, map: ['', ''], zoom: 1, plane: 0, beside: false, figure: '', time: 0 }; }

export class Lab {
    text = '';
    name = '';
    original = '';
    tree: Tree | null = null;
    error: ModelError | null = null;
    run: Run | null = null;
    /** The run before the last change, for comparison; pinned ones stay. */
    before: Run | null = null;
    pinned = false;
    start: Start | null = null;
    /** The start as undo knows it. */
    keptStart: Start | null = null;
    certificate: CertificateAnswer | null = null;
    check: CheckAnswer | null = null;
    playing = false;
    rate = 1;
    view: Settings = asOpened();
    /** What spans the map at present. */
    spans: Omit<Axis, 'count'>[] = [];
    /** A motion that is led by hand at present: its rows grow. */
    live = false;
    readonly reading = new Reading();

    private readonly motions = new Desk(1200);
    private readonly judge = new Desk(600);
    private readonly listeners = new Map<Topic, (() => void)[]>();
    private quiet = 0; // when the text was last changed, for what "before" means

    constructor(readonly models: ModelFile[]) {}

    on(topic: Topic, work: () => void): void {
        const list = this.listeners.get(topic) ?? [];
        list.push(work);
        this.listeners.set(topic, list);
    }

    tell(topic: Topic): void {
        for (const work of this.listeners.get(topic) ?? []) work();
    }

    get time(): number { return this.view.time; }
    set time(t: number) { this.view.time = t; }
    get body(): number { return Math.max(0, this.view.body); }
    get contact(): number { return this.view.contact; }

    // ---- the model

    /** Opens one of the models, or another text under a name; settings: what was looked at. */
    open(name: string, text?: string, settings?: Partial<Settings>): void {
        this.name = name;
        this.original = text ?? this.models.find((m) => m.name === name)?.text ?? '';
        this.view = { ...asOpened(), ...settings };
        this.start = this.keptStart = null;
        this.before = null;
        this.pinned = false;
        this.run = null;
        this.live = false;
        this.certificate = null;
        this.check = null;
        this.spans = [];
        this.tell('model');
        this.setText(this.original);
        this.quiet = -Infinity; // to open a model is no change of mind: the first one keeps this run
        this.tell('text');
    }

    /** A new text, from the editor or a slider. The run so far becomes the one before, once per change of mind. */
    setText(text: string): void {
        this.text = text;
        const now = performance.now();
        if (now - this.quiet > 1000 && this.run && !this.pinned && !this.live) this.before = this.run;
        this.quiet = now;
        try {
            this.tree = readTree(text);
        } catch (caught) {
            this.fail(caught);
            return;
        }
        this.compute();
    }

    /** Starts from somewhere else (null: as the model says). */
    setStart(start: Start | null): void {
        const now = performance.now();
        if (now - this.quiet > 1000 && this.run && !this.pinned && !this.live) this.before = this.run;
        this.quiet = now;
        this.start = start;
        this.compute();
    }

    /** The start is what was wanted: undo comes back to the one before. */
    keepStart(): void {
        if (JSON.stringify(this.start) === JSON.stringify(this.keptStart)) return;
        this.tell('start');
        this.keptStart = this.start;
    }

    /** A start that undo or redo brings back. */
    recallStart(start: Start | null): void {
        this.keptStart = start;
        this.setStart(start);
    }

    private fail(caught: unknown): void {
        if (caught instanceof Replaced) return;
        this.error = caught instanceof ModelError ? caught : new ModelError((caught as Error).message, 0, 0);
        this.tell('error');
    }

    private compute(): void {
        const tree = this.tree;
        if (!tree) return;
        this.live = false;
        const fits = this.start; // a start of other bodies is no start
        this.motions.ask<Run>(tree, { kind: 'run', until: -1, moments: MOMENTS, start: fits }, true).then((run) => {
            this.error = null;
            this.tell('error');
            this.show(run);
        }, (caught) => {
            if (fits && this.start === fits && caught instanceof ModelError && caught.line === 0) {
                this.start = null; // bodies have changed, or the start cannot be
                this.compute();
            } else this.fail(caught);
        });
        this.judge.ask<CheckAnswer>(tree, { kind: 'check' }, true).then((check) => {
            this.check = check;
            if (check.kind === 'slider') {
                this.certificate = null;
                this.tell('certificate');
                return;
            }
            return this.judge.ask<CertificateAnswer>(tree, { kind: 'certify' }).then((certificate) => {
                this.certificate = certificate;
                this.tell('certificate');
            });
        }).catch((caught) => {
            if (caught instanceof Replaced) return;
            this.certificate = null;
            this.tell('certificate');
        });
    }

    private show(run: Run): void {
        const first = !this.run || this.run.info.width !== run.info.width;
        this.run = run;
        this.time = Math.min(this.time, run.end);
        if (first) this.rate = niceRate(run.end);
        const bodies = run.info.bodies ?? [], view = this.view;
        if (!(view.body >= 0 && view.body < bodies.length)) view.body = Math.max(0, bodies.findIndex((b) => !b.driven));
        if (!(view.contact >= 0 && view.contact < (run.info.contacts?.length ?? 1))) view.contact = 0;
        this.tell('run');
        this.tell('time');
    }

    /** The start in use: one number per body (sliders: place and speed). */
    startNow(): Start {
        if (this.start) return { x: [...this.start.x], v: [...this.start.v] };
        const info = this.run!.info;
        if (info.supports) return { x: [...info.place!], v: [...info.speed!] };
        return { x: info.bodies!.map((b) => b.x), v: info.bodies!.map((b) => b.v) };
    }

    // ---- the clock

    setTime(t: number): void {
        this.time = Math.max(0, Math.min(t, this.run?.end ?? 0));
        this.tell('time');
    }

    play(on: boolean): void {
        if (on && this.run && this.time >= this.run.end) this.time = 0;
        this.playing = on;
        this.tell('play');
    }

    /** Plays a model that was just opened, unless whoever looks prefers stillness. */
    present(): void { this.play(!matchMedia('(prefers-reduced-motion: reduce)').matches); }

    /** The state now. */
    now(): Float64Array { return this.reading.at(this.run!, this.time); }

    /** Column of the table: number k of a contact (mode, force, velocity, limit, z). */
    contactOf(contact: number, k: number): number { return 1 + 2 * this.run!.info.bodies!.length + 5 * contact + k; }

    /** What spans the map, with so many values of each. */
    axes(count: number): Axis[] { return this.spans.map((axis) => ({ ...axis, count })); }

    select(body: number, contact = this.contact): void {
        this.view.body = body;
        this.view.contact = contact;
        this.tell('select');
    }
}
