// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The state of the laboratory and all that changes it: the model's text, its motion, the clock, what is selected. Views read it
// and are told what has changed; they never talk to each other.
import { Desk, Replaced } from './core/desk';
import type { Axis, CertificateAnswer, CheckAnswer, Description, Run, Start } from './core/protocol';
import { type Edit, startEdits } from './model/start';
import { ModelError, type Tree, readTree } from './model/tree';
import { type World, edgesOf, within, worldOf } from './model/world';
import { Reading, niceRate } from './reading';

export type Topic = 'text' | 'run' | 'world' | 'working' | 'time' | 'error' | 'select' | 'certificate' | 'theme' | 'play' | 'compare' | 'model' | 'start' | 'judging';

/** How many moments of a motion are kept for drawing. */
const MOMENTS = 1500;
const SCOUTED = 400; // the same for a motion that only tells how far it goes

export interface ModelFile { name: string; text: string }

/** What is looked at: bodies and contacts by number, what spans the map and how far it reaches, which plane, loop and figure. */
export interface Settings { body: number; contact: number; map: [string, string]; zoom: number; plane: number; beside: boolean; figure: string; time: number }

function asOpened(): Settings { return { body: -1, contact: 0, map: ['', ''], zoom: 1, plane: 0, beside: false, figure: '', time: 0 }; }

/** The start that a model says. */
function startIn(info: Description): Start {
    if (info.supports) return { x: [...info.place!], v: [...info.speed!] };
    return { x: info.bodies!.map((b) => b.x), v: info.bodies!.map((b) => b.v) };
}

export class Lab {
    text = '';
    name = '';
    original = '';
    tree: Tree | null = null;
    /** Whether the text could be read: only then it is what the tree says. */
    read = false;
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
    /** The neighbourhood that is shown, of bodies; null as long as no run has told it. */
    world: World | null = null;
    /** Writes changes into the text, as one step of undo with those before unless they are the first: the editor. */
    writer: { write(edits: Edit[], first: boolean): void; undo(): void } | null = null;
    /** Whether somebody has moved the start of this model. */
    moved = false;

    /** The start as it was written, before any was dragged. */
    home: Start | null = null;

    private returned = false; // work that was brought back has its home, and no run yet
    private wished: Start | null = null; // a start that no run has shown yet
    private byHand = false; // the change that is computed is another start
    private readonly hands = new Set<string>(); // starts that were made so
    private readonly motions = new Desk(1200);
    private readonly judge = new Desk(600);
    private readonly scout = new Desk(600);
    /** What is being proved. */
    judging: Promise<unknown> | null = null;
    /** The motion that is being computed. */
    pending: Promise<unknown> | null = null;
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
        this.start = this.keptStart = this.wished = this.home = null;
        this.world = null;
        this.moved = this.byHand = false;
        this.hands.clear();
        this.before = null;
        this.pinned = false;
        this.run = null;
        this.tree = null;
        this.live = false;
        this.certificate = null;
        this.check = null;
        this.spans = [];
        this.tell('model');
        this.setText(this.original);
        this.quiet = -Infinity; // to open a model is no change of mind: the first one keeps this run
        this.tell('text');
    }

    /** Brings back work: a model with its text and settings, as they were. */
    bringBack(name: string, original: string, text: string, settings: Partial<Settings>, home: Start | null): void {
        this.open(name, text, settings);
        this.original = original;
        this.home = home;
        this.returned = home !== null;
    }

    /** A new text, from the editor or a slider. The run so far becomes the one before, once per change of mind. */
    setText(text: string): void {
        this.text = text;
        this.keepBefore();
        this.read = false;
        try {
            this.tree = readTree(text);
            this.read = true;
        } catch (caught) {
            this.fail(caught);
            return;
        }
        this.compute();
    }

    private keepBefore(): void {
        const now = performance.now();
        if (now - this.quiet > 1000 && this.run && !this.pinned && !this.live) this.before = this.run;
        this.quiet = now;
    }

    // ---- where it starts

    /**
     * Starts from somewhere else, as near as the neighbourhood allows: it is written into the text, so that sliders, files and undo
     * know it. Moves of one gesture are one step; the first one begins it.
     */
    moveStart(start: Start, first = true, wider = 1): void {
        const info = this.run?.info, tree = this.tree;
        if (!info || !tree) return;
        const near = info.bodies && this.world ? within(this.world, start, tree, info, wider) : start;
        const edits = this.writer && startEdits(readTree(this.text), this.text, this.asWritten(info), near, this.world);
        this.moved = true;
        if (!edits) {
            this.setStart(near);
            return;
        }
        if (edits.length === 0) return;
        this.wished = near;
        this.start = null;
        this.byHand = true;
        this.writer!.write(edits, first);
    }

    /** What a run says of its start, with what was written since. */
    private asWritten(info: Description): Description {
        const wished = this.wished;
        if (!wished) return info;
        if (info.supports) return { ...info, place: wished.x as [number, number, number], speed: wished.v as [number, number, number] };
        return { ...info, bodies: info.bodies!.map((b, k) => ({ ...b, x: wished.x[k], v: wished.v[k] })) };
    }

    /** Starts from somewhere else without a word in the text (null: as the model says). */
    setStart(start: Start | null): void {
        this.keepBefore();
        this.start = start;
        this.byHand = start !== null;
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

    /** Whether the run that is shown starts where somebody has put it. */
    isByHand(): boolean { return this.start !== null || (this.run !== null && this.hands.has(JSON.stringify(startIn(this.run.info)))); }

    /** The start in use: one number per body (sliders: place and speed). */
    startNow(): Start {
        const known = this.wished ?? this.start;
        if (known) return { x: [...known.x], v: [...known.v] };
        return startIn(this.run!.info);
    }

    // ---- the motion

    private fail(caught: unknown): void {
        if (caught instanceof Replaced) return;
        this.error = caught instanceof ModelError ? caught : new ModelError((caught as Error).message, 0, 0);
        this.tell('error');
    }

    /** Gives up what is being computed; what is shown stays. */
    stop(): void { this.motions.stop(); }

    /** Gives up what is being proved; nothing is known then. */
    stopJudging(): void {
        this.judge.stop();
        this.certificate = null;
        this.tell('certificate');
    }

    private compute(): void {
        const tree = this.tree;
        if (!tree) return;
        this.live = false;
        const fits = this.start, byHand = this.byHand; // a start of other bodies is no start
        const edges = byHand && this.world && this.run?.info.bodies ? edgesOf(this.world, this.startNow()) : null;
        this.byHand = false;
        this.work(this.motions.ask<Run>(tree, { kind: 'run', until: -1, moments: MOMENTS, start: fits, edges }, true)).then((run) => {
            this.error = null;
            this.tell('error');
            if (byHand) this.hands.add(JSON.stringify(startIn(run.info)));
            else this.settle(run, tree, true); // told with the run
            this.show(run);
        }, (caught) => {
            if (fits && this.start === fits && caught instanceof ModelError && caught.line === 0) {
                this.start = null; // bodies have changed, or the start cannot be
                this.compute();
            } else if (byHand && !fits && this.tree === tree && caught instanceof ModelError) {
                this.wished = null;
                this.writer?.undo(); // it cannot start there
            } else this.fail(caught);
        });
        this.judgeIt(tree, byHand);
    }

    private judgeIt(tree: Tree, byHand: boolean): void {
        this.judging = this.judge.ask<CheckAnswer>(tree, { kind: 'check' }, true).then((check) => {
            this.check = check;
            return check.kind === 'slider' ? null : this.judge.ask<CertificateAnswer>(tree, { kind: 'certify' });
        }).catch((caught) => {
            if (caught instanceof Replaced) throw caught;
            return null;
        }).then((certificate) => {
            this.certificate = certificate;
            if (this.run && this.tree === tree && !byHand) this.settle(this.run, tree);
            this.tell('certificate');
        }, () => undefined);
        this.tell('judging');
    }

    private work<T>(promise: Promise<T>): Promise<T> {
        const done = (): void => { if (this.pending === promise) this.pending = null; };
        this.pending = promise;
        promise.then(done, done);
        this.tell('working');
        return promise;
    }

    /** The neighbourhood of a text: by its run where it starts as written, otherwise by another run that does. */
    private settle(run: Run, tree: Tree, quiet = false): void {
        if (!run.info.bodies) return;
        const own = JSON.stringify(startIn(run.info)), fits = this.home?.x.length === run.info.bodies.length;
        if (this.returned && fits && JSON.stringify(this.home) !== own) this.hands.add(own); // it was dragged before
        this.returned = false;
        if (!fits || !this.hands.has(own)) this.home = startIn(run.info);
        if (JSON.stringify(this.home) === own && !this.start) this.take(run, tree, quiet);
        else this.scout.ask<Run>(tree, { kind: 'run', until: -1, moments: SCOUTED, start: this.home }, true).then((found) => { if (this.tree === tree) this.take(found, tree); }, () => undefined);
    }

    private take(run: Run, tree: Tree, quiet = false): void {
        const found = worldOf(run, tree, this.check, this.certificate);
        if (JSON.stringify(found) === JSON.stringify(this.world)) return;
        this.world = found;
        if (!quiet) this.tell('world');
    }

    private show(run: Run): void {
        const first = !this.run || this.run.info.width !== run.info.width;
        this.run = run;
        this.wished = null;
        this.time = Math.min(this.time, run.end);
        if (first) this.rate = niceRate(run.end);
        const bodies = run.info.bodies ?? [], view = this.view;
        if (!(view.body >= 0 && view.body < bodies.length)) view.body = Math.max(0, bodies.findIndex((b) => !b.driven));
        if (!(view.contact >= 0 && view.contact < (run.info.contacts?.length ?? 1))) view.contact = 0;
        this.tell('run');
        this.tell('time');
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
