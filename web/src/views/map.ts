// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The map of outcomes over a plane of starts, or of numbers of the model: coarse at once, then finer, anew whenever another number
// changes. A click starts that motion. The equilibrium set and the certified region lie over it.
import { Desk, Replaced } from '../core/desk';
import type { Lab } from '../lab';
import { type Choice, choicesOf, coordinateOf, firstPair, placeOf, reachOf, shapeOf } from '../model/axes';
import { quantities, write } from '../model/numbers';
import { regionIn, setIn } from '../model/region';
import type { Tree } from '../model/tree';
import { inWords } from '../model/words';
import type { World } from '../model/world';
import { colors } from './colors';
import { card, el } from './dom';
import type { Editor } from './editor';
import { Plot, type Range } from './plot';

const STEPS = [6, 12, 36, 108, 216];
const FATE = 0x03, FATE_ESCAPED = 1, FATE_MOVING = 2; // the bits that tell it, and two of them
const PATIENCE = 25; // s: a map that would take longer stays as fine as it is
const SHRINKINGS = 14, SHRINKING = 0.7; // how often a map that holds impossible starts is made smaller, and by what factor
const NEAREST = 1e-3, FARTHEST = 4; // parts of the neighbourhood that the map may show

/** What became of each cell, and when; row after row from below. */
interface Cells { count: number; until: number; fates: Uint8Array; times: Float64Array }

export class MapView {
    readonly root: HTMLElement;
    private readonly plot: Plot;
    private readonly status: HTMLElement;
    private readonly legend = el('div', { class: 'fates' });
    private readonly selects: [HTMLSelectElement, HTMLSelectElement];
    private readonly zoom: HTMLElement;
    private readonly progress = el('progress', { max: 1, value: 0, 'aria-label': 'How much of the map is computed' });
    private readonly told = el('span', {});
    private readonly halt = el('button', { type: 'button', class: 'stop', onclick: () => this.stop() }, 'Stop');
    private followed: World | null = null; // the neighbourhood that the ranges are of
    private stale = false; // what is painted is of other numbers
    private readonly desks: Desk[];
    private choices: Choice[] = [];
    private cells: Cells | null = null;
    private image: HTMLCanvasElement | null = null;
    private ranges: [Range, Range] | null = null;
    private visible = false;
    private wanted = 0;
    private timer = 0;
    private painted = ''; // what the image was painted for
    private beyond = ''; // why the map does not reach as far as the neighbourhood
    private shrunk = 0; // how often it was made smaller for that

    constructor(private readonly lab: Lab, private readonly editor: Editor) {
        const { root, head, body } = card('Where does it end?', 'map', 'Every point is a start, or a model with other numbers. Light: comes to rest, the darker the later. Dark: escapes. Click to start there.');
        this.root = root;
        const select = (label: string): HTMLSelectElement => el('select', { 'aria-label': label, onchange: () => this.choose() });
        this.selects = [select('Across'), select('Up')];
        this.zoom = el('span', { class: 'choice' },
            el('button', { type: 'button', title: 'A smaller part', 'aria-label': 'Smaller part', onclick: () => this.scaleBy(0.6) }, '+'),
            el('button', { type: 'button', title: 'A larger part', 'aria-label': 'Larger part', onclick: () => this.scaleBy(1 / 0.6) }, '−'));
        head.append(this.selects[0], '×', this.selects[1], this.zoom);
        const place = el('div', { class: 'square' });
        this.status = el('div', { class: 'status', role: 'status' }, this.told, this.progress, this.halt);
        body.append(place, this.legend, this.status);
        this.plot = new Plot(place, 'Map of outcomes. Click, or move the mark with the arrow keys and press Enter, to start a motion there.', () => this.draw());
        this.plot.canvas.id = 'map-canvas';
        this.plot.pick(() => {
            const pair = this.pair(), run = this.lab.run;
            return pair && run && [placeOf(pair[0], run, lab.world, run.table), placeOf(pair[1], run, lab.world, run.table)];
        }, (x, y) => this.startAt([x, y]));
        const workers = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));
        this.desks = Array.from({ length: workers }, () => new Desk(0));
        new IntersectionObserver((seen) => {
            this.visible = seen.some((s) => s.isIntersecting);
            if (this.visible) this.later();
        }).observe(root);
        lab.on('run', () => { if (!lab.live) this.later(); });
        lab.on('world', () => this.later());
        lab.on('model', () => this.forget('…'));
        lab.on('error', () => { if (lab.error) this.forget('The model has a fault; there is no map of it.'); });
        this.busy(false);
        lab.on('theme', () => { this.colour(); this.draw(); });
        lab.on('certificate', () => this.draw());
        lab.on('time', () => this.cursor());
    }

    /** Another neighbourhood: states reach as far as it does, numbers stay. */
    private follow(): void {
        const pair = this.pair();
        if (this.followed === this.lab.world) return;
        this.followed = this.lab.world;
        if (!pair || !this.ranges) return;
        const old = JSON.stringify(this.ranges);
        this.ranges = this.ranges.map((range, k) => (pair[k].state ? this.reach(pair[k]) : range)) as [Range, Range];
        if (JSON.stringify(this.ranges) !== old) this.painted = '';
    }

    /** Nothing of another model stays. */
    private forget(why: string): void {
        this.wanted++;
        window.clearTimeout(this.timer);
        for (const desk of this.desks) desk.stop();
        this.image = this.cells = null;
        this.ranges = null;
        this.painted = '';
        this.choices = [];
        this.legend.replaceChildren();
        this.plot.clear();
        this.tell(why);
    }

    /** A word on how the map stands; what is not finished can be stopped. */
    private tell(text: string, share: number | null = null): void {
        this.told.textContent = text;
        this.busy(share !== null);
        if (share !== null) this.progress.value = share;
    }

    private busy(on: boolean): void { this.progress.hidden = this.halt.hidden = !on; }

    private stop(): void {
        this.wanted++;
        for (const desk of this.desks) desk.stop();
        this.stale = false;
        this.tell(this.cells ? `${this.cells.count} × ${this.cells.count} starts; stopped before it was finer.` : 'Stopped.');
        this.draw();
    }

    private later(): void {
        if (!this.visible) return;
        window.clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.begin(), 60);
    }

    /** What may span the map, and what does. */
    private list(): void {
        const info = this.lab.run!.info;
        this.choices = choicesOf(info, quantities(this.lab.tree!, this.lab.text));
        const paths = this.choices.map((c) => c.path);
        const coordinates = this.lab.check?.coordinates ?? info.bodies!.filter((b) => !b.driven).map((b) => b.name);
        if (!this.lab.view.map.every((path) => paths.includes(path))) {
            this.lab.view.map = firstPair(this.choices, coordinates);
            this.ranges = null;
        }
        this.selects.forEach((select, k) => {
            const text = paths.join() + this.lab.view.map[k];
            if (select.dataset.text === text) return;
            select.dataset.text = text;
            const option = (c: Choice): HTMLElement => el('option', { value: c.path, selected: c.path === this.lab.view.map[k] }, c.path);
            const numbers = this.choices.filter((c) => c.number);
            select.replaceChildren(el('optgroup', { label: 'Start' }, ...this.choices.filter((c) => c.state).map(option)), ...(numbers.length ? [el('optgroup', { label: 'Numbers of the model' }, ...numbers.map(option))] : []));
        });
    }

    private pair(): [Choice, Choice] | null {
        const [a, b] = this.lab.view.map.map((path) => this.choices.find((c) => c.path === path));
        return a && b ? [a, b] : null;
    }

    private choose(): void {
        const [a, b] = this.selects.map((s) => s.value);
        if (a === b) return;
        this.lab.view.map = [a, b];
        this.ranges = null;
        this.painted = '';
        this.begin();
    }

    private scaleBy(factor: number): void {
        this.lab.view.zoom = Math.max(NEAREST, Math.min(FARTHEST, this.lab.view.zoom * factor));
        this.ranges = null;
        this.painted = '';
        this.begin();
    }

    private begin(): void {
        const run = this.lab.run, tree = this.lab.tree;
        if (!run || !tree || !this.visible || !run.info.bodies || !this.lab.world || this.lab.error) return;
        this.list();
        this.follow();
        const pair = this.pair(), shape = pair && shapeOf(tree, pair);
        if (!pair || !shape || this.painted === shape) {
            this.draw();
            return;
        }
        this.painted = shape;
        this.ranges ??= [this.reach(pair[0]), this.reach(pair[1])];
        this.beyond = '';
        this.shrunk = 0;
        void this.refine(tree, ++this.wanted, pair);
    }

    private reach(choice: Choice): Range { return reachOf(choice, this.lab.run!, this.lab.tree!, this.lab.world!, this.lab.view.zoom); }

    /** A smaller map around the start, where states span it and it may be made smaller. */
    private shrink(pair: [Choice, Choice]): boolean {
        const run = this.lab.run;
        if (!run || this.shrunk === SHRINKINGS || !pair.some((choice) => choice.state)) return false;
        this.shrunk++;
        this.ranges = this.ranges!.map(({ least, most }, k): Range => {
            const start = placeOf(pair[k], run, null, run.table), middle = Math.max(least, Math.min(most, start));
            return pair[k].state ? { least: middle + SHRINKING * (least - middle), most: middle + SHRINKING * (most - middle) } : { least, most };
        }) as [Range, Range];
        return true;
    }

    private async refine(tree: Tree, turn: number, pair: [Choice, Choice]): Promise<void> {
        this.lab.spans = pair.map((choice, k) => ({ path: choice.path, from: this.ranges![k].least, to: this.ranges![k].most, unit: choice.number?.unit }));
        const until = Math.min(this.lab.run!.info.until, 40 * this.lab.run!.end), started = performance.now(), since = (): number => (performance.now() - started) / 1000;
        this.stale = this.cells !== null;
        this.tell('computing …', 0);
        this.draw();
        for (const count of STEPS) {
            const began = since();
            try {
                this.cells = await this.compute(tree, turn, count, until);
            } catch (caught) {
                if (caught instanceof Replaced || turn !== this.wanted) return;
                if (this.shrink(pair)) {
                    this.beyond = ` Farther out it cannot be computed: ${inWords(caught)}`;
                    await this.refine(tree, turn, pair);
                    return;
                }
                const asked = this.painted;
                this.forget(`There is no map of this: ${inWords(caught)}`);
                this.painted = asked; // until something changes
                return;
            }
            if (turn !== this.wanted) return;
            this.stale = false;
            this.colour();
            this.tellFates(new Set(this.cells.fates));
            this.draw();
            const next = STEPS[STEPS.indexOf(count) + 1], seconds = since(), expected = next ? (seconds - began) * (next / count) ** 2 : 0, last = !next || (count > 12 && seconds + expected > PATIENCE);
            this.tell(`${count} × ${count} starts, ${(count * count).toLocaleString('en')} motions` + (last ? ` in ${seconds.toFixed(1)} s.${this.beyond}` : ', refining …'), last ? null : 0);
            if (last) return;
        }
    }

    /** One map of count times count cells, by all desks; they tell how far they are. */
    private async compute(tree: Tree, turn: number, count: number, until: number): Promise<Cells> {
        const axes = this.lab.axes(count), cells: Cells = { count, until, fates: new Uint8Array(count * count), times: new Float64Array(count * count) };
        let done = 0;
        await Promise.all(this.desks.map((desk, share) => desk.ask(tree, { kind: 'map', axes, until, share, of: this.desks.length }, true, ({ first, fates, times }) => {
            done += fates.length;
            cells.fates.set(fates.map((fate) => fate & FATE), first);
            cells.times.set(times, first);
            if (turn === this.wanted) this.progress.value = done / cells.fates.length;
        })));
        return cells;
    }

    /** What the colours mean, those that are seen. */
    private tellFates(seen: Set<number>): void {
        const { certificate, check } = this.lab, pair = this.pair(), planes = pair?.map((choice) => coordinateOf(choice, this.lab.run!.info, check)) ?? [];
        const lies = certificate && check && planes.every((q) => q.k >= 0), item = (name: string, text: string): HTMLElement => el('span', { class: name }, text);
        const rests = [...seen].some((fate) => fate !== FATE_ESCAPED && fate !== FATE_MOVING);
        this.legend.replaceChildren(...(rests ? [item('soon', 'rests soon'), item('late', 'rests late')] : []),
            ...(seen.has(FATE_MOVING) ? [item('moving', 'moves on')] : []), ...(seen.has(FATE_ESCAPED) ? [item('gone', 'escapes')] : []),
            ...(lies && regionIn(check, certificate, planes[0], planes[1]) ? [item('region', 'must come to rest')] : []),
            ...(lies && setIn(certificate, planes[0], planes[1]) ? [item('set', 'equilibria')] : []));
    }

    /** The cells as pixels: light where it rests soon, towards the stick colour where late, dark where it escapes. */
    private colour(): void {
        if (!this.cells) return;
        const { count, until, fates, times } = this.cells, style = getComputedStyle(document.documentElement), g = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
        const [rest, late, gone, moving] = ['rest', 'stick', 'gone', 'moving'].map((name) => {
            g.fillStyle = style.getPropertyValue(`--${name}`);
            g.fillRect(0, 0, 1, 1);
            return [...g.getImageData(0, 0, 1, 1).data];
        });
        const scale = this.lab.run && this.lab.run.end > 0 ? Math.min(until, 2 * this.lab.run.end) : until, pixels = new ImageData(count, count);
        for (let cell = 0; cell < fates.length; cell++) {
            const fate = fates[cell], t = times[cell], at = 4 * ((count - 1 - Math.floor(cell / count)) * count + (cell % count));
            const share = Number.isFinite(t) ? Math.min(0.85, 0.85 * Math.sqrt(Math.max(0, t) / scale)) : 0.85;
            const color = fate === FATE_ESCAPED ? gone : fate === FATE_MOVING ? moving : rest;
            for (let j = 0; j < 3; j++) pixels.data[at + j] = color === rest ? rest[j] + share * (late[j] - rest[j]) : color[j];
            pixels.data[at + 3] = 255;
        }
        this.image = document.createElement('canvas');
        this.image.width = this.image.height = count;
        this.image.getContext('2d')!.putImageData(pixels, 0, 0);
    }

    draw(): void {
        const plot = this.plot, run = this.lab.run;
        if (!run?.info.bodies || !this.ranges || !plot.begin()) return;
        const c = colors(), pair = this.pair();
        plot.x = this.ranges[0];
        plot.y = this.ranges[1];
        plot.clip(() => {
            if (!this.image) return;
            plot.context.imageSmoothingEnabled = false;
            plot.context.globalAlpha = this.stale ? 0.3 : 1;
            plot.context.drawImage(this.image, plot.left, plot.top, plot.width - plot.left - plot.right, plot.height - plot.top - plot.bottom);
            plot.context.globalAlpha = 1;
        });
        plot.axes(...(this.lab.view.map.map((path, k) => path + (pair?.[k].unit ? ` [${pair[k].unit}]` : '')) as [string, string]), 0.55);
        if (!pair) return;
        const [a, b] = pair, { check, certificate } = this.lab, p = coordinateOf(a, run.info, check), q = coordinateOf(b, run.info, check);
        plot.clip(() => {
            if (check && certificate && p.k >= 0 && q.k >= 0) {
                const region = regionIn(check, certificate, p, q), set = setIn(certificate, p, q);
                if (region) plot.polyline(region, c.good, 2.2, '', true);
                if (set) plot.polyline(set, c.accent, set.length > 2 ? 1.6 : 6, set.length > 2 ? c.set : '', set.length > 2);
            }
            const width = run.info.width, row = (k: number): Float64Array => run.table.subarray(k * width, (k + 1) * width);
            const at = (moment: Float64Array): [number, number] => [placeOf(a, run, this.lab.world, moment), placeOf(b, run, this.lab.world, moment)];
            plot.polyline(Array.from({ length: run.rows }, (_, k): [number, number] => at(row(k))), c.ink, 1.1);
            plot.dot(...at(row(0)), c.muted, 4);
        });
        plot.keep();
        this.cursor();
    }

    /** Where the motion is now, on what was drawn. */
    private cursor(): void {
        const run = this.lab.run, pair = this.pair(), plot = this.plot;
        if (!run?.info.bodies || !pair || !this.ranges || !plot.restore()) return;
        const now = this.lab.now();
        plot.clip(() => plot.dot(placeOf(pair[0], run, this.lab.world, now), placeOf(pair[1], run, this.lab.world, now), colors().slip, 5));
    }

    /** Starts there: states are set, numbers are written into the text. */
    private startAt(values: [number, number]): void {
        const pair = this.pair();
        if (!pair || !this.lab.run) return;
        const run = this.lab.run, states = pair.filter((c) => c.state).length;
        const start = { x: run.info.bodies!.map((b) => b.x), v: run.info.bodies!.map((b) => b.v) }; // the map's other states are those of the model
        pair.forEach((choice, k) => { if (choice.state) (choice.state.speed ? start.v : start.x)[choice.state.body] = values[k]; });
        this.lab.setTime(0);
        if (states) this.lab.moveStart(start, true, Math.max(1, this.lab.view.zoom));
        this.lab.keepStart();
        pair.forEach((choice, k) => {
            const range = this.ranges![k], number = choice.number && quantities(this.lab.tree!, this.lab.text).find((q) => q.path === choice.path);
            if (number) this.editor.replace(number.range[0], number.range[1], write(values[k], range.most - range.least), states === 0 && k === 0);
        });
        this.lab.play(true);
    }
}
