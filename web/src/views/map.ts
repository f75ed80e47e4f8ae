// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The map of outcomes over a plane of starts: coarse at once, then finer, anew whenever a number changes. A click starts that
// motion. The equilibrium set and the certified region lie over it.
import { Desk, Replaced } from '../core/desk';
import type { Axis, Block } from '../core/protocol';
import type { Lab } from '../lab';
import { type Coordinate, regionIn, setIn } from '../model/region';
import type { Tree } from '../model/tree';
import { colors } from './colors';
import { card, el } from './dom';
import { Plot, type Range } from './plot';
import { extents } from './machine';

const STEPS = [12, 36, 108, 216];
const FATE_ESCAPED = 1, FATE_MOVING = 2;

interface Choice { path: string; body: number; speed: boolean }

export class MapView {
    readonly root: HTMLElement;
    private readonly plot: Plot;
    private readonly status: HTMLElement;
    private readonly selects: [HTMLSelectElement, HTMLSelectElement];
    private readonly zoom: HTMLElement;
    private readonly desks: Desk[];
    private choices: Choice[] = [];
    private image: HTMLCanvasElement | null = null;
    private ranges: [Range, Range] | null = null;
    private visible = false;
    private wanted = 0;
    private timer = 0;
    private painted: Tree | null = null;
    private factor = 1;
    private chosen: [string, string] = ['', ''];

    constructor(private readonly lab: Lab) {
        const { root, head, body } = card('Where does it end?', 'map', 'Every point is a start. Light: comes to rest, the darker the later. Dark: escapes. Click to start there.');
        this.root = root;
        const select = (label: string): HTMLSelectElement => el('select', { 'aria-label': label, onchange: () => this.choose() });
        this.selects = [select('Across'), select('Up')];
        this.zoom = el('span', { class: 'choice' },
            el('button', { type: 'button', title: 'A smaller part', 'aria-label': 'Smaller part', onclick: () => this.scaleBy(0.6) }, '+'),
            el('button', { type: 'button', title: 'A larger part', 'aria-label': 'Larger part', onclick: () => this.scaleBy(1 / 0.6) }, '−'));
        head.append(this.selects[0], '×', this.selects[1], this.zoom);
        const place = el('div', { class: 'square' });
        this.status = el('div', { class: 'status', role: 'status' });
        body.append(place, this.status);
        this.plot = new Plot(place, 'Map of outcomes. Click to start a motion there.', () => this.draw());
        this.plot.canvas.id = 'map-canvas';
        this.plot.canvas.style.cursor = 'crosshair';
        this.plot.canvas.addEventListener('pointerdown', (e) => this.click(e));
        const workers = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));
        this.desks = Array.from({ length: workers }, () => new Desk(0));
        new IntersectionObserver((seen) => {
            this.visible = seen.some((s) => s.isIntersecting);
            if (this.visible) this.later();
        }).observe(root);
        lab.on('run', () => { if (!lab.live) this.later(); });
        lab.on('model', () => {
            this.image = null;
            this.ranges = null;
            this.painted = null;
            this.chosen = ['', ''];
            this.factor = 1;
            for (const desk of this.desks) desk.stop();
        });
        lab.on('theme', () => { this.painted = null; this.later(); });
        lab.on('certificate', () => this.draw());
        lab.on('time', () => this.draw());
    }

    private later(): void {
        if (!this.visible) return;
        window.clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.begin(), 60);
    }

    /** States that may span the map: positions and speeds of free bodies. */
    private list(): void {
        const info = this.lab.run!.info;
        this.choices = info.bodies!.flatMap((b, body) => (b.driven ? [] : [{ path: `${b.name}.x`, body, speed: false }, { path: `${b.name}.v`, body, speed: true }]));
        const paths = this.choices.map((c) => c.path);
        const coordinates = this.lab.check?.coordinates ?? paths.filter((p) => p.endsWith('.x')).map((p) => p.slice(0, -2));
        if (!paths.includes(this.chosen[0]) || !paths.includes(this.chosen[1])) {
            const first = paths.includes(`${coordinates[0]}.x`) ? coordinates[0] : paths[0]?.slice(0, -2);
            this.chosen = coordinates.length >= 2 && paths.includes(`${coordinates[1]}.x`) && coordinates.length === 2 ? [`${first}.x`, `${coordinates[1]}.x`] : [`${first}.x`, `${first}.v`];
        }
        this.selects.forEach((select, k) => {
            const text = paths.join() + this.chosen[k];
            if (select.dataset.text === text) return;
            select.dataset.text = text;
            select.replaceChildren(...paths.map((p) => el('option', { value: p, selected: p === this.chosen[k] }, p)));
        });
    }

    private choose(): void {
        const [a, b] = this.selects.map((s) => s.value);
        if (a === b) return;
        this.chosen = [a, b];
        this.ranges = null;
        this.painted = null;
        this.begin();
    }

    private scaleBy(factor: number): void {
        this.factor *= factor;
        this.ranges = null;
        this.painted = null;
        this.begin();
    }

    /** How far the map reaches: twice what the motion needs, and the certified region. */
    private reach(choice: Choice): Range {
        const run = this.lab.run!, n = run.info.bodies!.length;
        let most = 0;
        if (choice.speed) for (let k = 0; k < run.rows; k++) most = Math.max(most, Math.abs(run.table[k * run.info.width + 1 + n + choice.body]));
        else most = Math.max(...extents(run)[choice.body].map(Math.abs));
        const name = run.info.bodies![choice.body].name, k = this.lab.check?.coordinates.indexOf(name) ?? -1, certificate = this.lab.certificate;
        if (k >= 0 && certificate && this.lab.check) {
            const me: Coordinate = { k, speed: choice.speed }, region = regionIn(this.lab.check, certificate, me, { k, speed: !choice.speed });
            for (const [x] of region ?? []) if (Math.abs(x) < 30 * most || most === 0) most = Math.max(most, 0.8 * Math.abs(x));
        }
        if (most < 1e-9) most = 1;
        const power = 10 ** Math.floor(Math.log10(1.8 * most)), lead = (1.8 * most) / power, nice = power * (lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
        return { least: -nice * this.factor, most: nice * this.factor };
    }

    private begin(): void {
        const run = this.lab.run, tree = this.lab.tree;
        if (!run || !tree || !this.visible) return;
        if (!run.info.bodies) return;
        this.list();
        if (this.painted === tree || this.choices.length < 2) {
            this.draw();
            return;
        }
        this.painted = tree;
        const pair = this.chosen.map((path) => this.choices.find((c) => c.path === path)!);
        this.ranges ??= [this.reach(pair[0]), this.reach(pair[1])];
        void this.refine(tree, ++this.wanted);
    }

    private async refine(tree: Tree, turn: number): Promise<void> {
        const until = Math.min(this.lab.run!.info.until, 40 * this.lab.run!.end);
        const started = performance.now();
        for (const count of STEPS) {
            const axes: Axis[] = this.ranges!.map((r, k) => ({ path: this.chosen[k], from: r.least, to: r.most, count }));
            const image = document.createElement('canvas');
            image.width = image.height = count;
            const pixels = new ImageData(count, count), paint = this.painter(pixels, count, until);
            let cells = 0;
            try {
                await Promise.all(this.desks.map((desk, share) => desk.ask(tree, { kind: 'map', axes, until, share, of: this.desks.length }, true, (block) => {
                    if (turn !== this.wanted) return;
                    cells += block.fates.length;
                    paint(block);
                })));
            } catch (caught) {
                if (!(caught instanceof Replaced) && turn === this.wanted) this.status.textContent = (caught as Error).message;
                return;
            }
            if (turn !== this.wanted) return;
            image.getContext('2d')!.putImageData(pixels, 0, 0);
            this.image = image;
            const seconds = (performance.now() - started) / 1000;
            this.status.textContent = `${count} × ${count} starts, ${cells.toLocaleString('en')} motions` + (count === STEPS[STEPS.length - 1] ? ` in ${seconds.toFixed(1)} s` : ', refining …');
            this.draw();
            if (seconds > 25) return; // a map that takes this long stays as fine as it is
        }
    }

    /** Writes blocks into pixels: light where it rests soon, towards the stick colour where late, dark where it escapes. */
    private painter(pixels: ImageData, count: number, until: number): (block: Block) => void {
        const c = colors(), parse = (text: string): number[] => {
            const g = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
            g.fillStyle = text;
            g.fillRect(0, 0, 1, 1);
            return [...g.getImageData(0, 0, 1, 1).data];
        };
        const style = getComputedStyle(document.documentElement), rest = parse(style.getPropertyValue('--rest')), late = parse(c.stick), gone = parse(style.getPropertyValue('--gone')), moving = parse(style.getPropertyValue('--moving'));
        const scale = this.lab.run!.end > 0 ? Math.min(until, 2 * this.lab.run!.end) : until;
        return (block) => {
            for (let k = 0; k < block.fates.length; k++) {
                const cell = block.first + k, x = cell % count, y = count - 1 - Math.floor(cell / count), at = 4 * (y * count + x);
                const fate = block.fates[k] & 0x3f, t = block.times[k];
                const share = fate === FATE_ESCAPED || fate === FATE_MOVING ? 0 : Number.isFinite(t) ? Math.min(0.85, 0.85 * Math.sqrt(Math.max(0, t) / scale)) : 0.85;
                const color = fate === FATE_ESCAPED ? gone : fate === FATE_MOVING ? moving : rest.map((v, j) => v + share * (late[j] - v));
                for (let j = 0; j < 3; j++) pixels.data[at + j] = color[j];
                pixels.data[at + 3] = 255;
            }
        };
    }

    draw(): void {
        const plot = this.plot, run = this.lab.run;
        if (!run?.info.bodies || !this.ranges || !plot.begin()) return;
        const c = colors(), pair = this.chosen.map((path) => this.choices.find((p) => p.path === path));
        plot.x = this.ranges[0];
        plot.y = this.ranges[1];
        plot.clip(() => {
            if (!this.image) return;
            plot.context.imageSmoothingEnabled = false;
            plot.context.drawImage(this.image, plot.left, plot.top, plot.width - plot.left - plot.right, plot.height - plot.top - plot.bottom);
        });
        plot.context.globalAlpha = 0.55;
        plot.axes(this.chosen[0], this.chosen[1]);
        plot.context.globalAlpha = 1;
        const [a, b] = pair;
        if (!a || !b) return;
        const coordinate = (choice: Choice): Coordinate => ({ k: this.lab.check?.coordinates.indexOf(run.info.bodies![choice.body].name) ?? -1, speed: choice.speed });
        const [p, q] = [coordinate(a), coordinate(b)], { check, certificate } = this.lab;
        plot.clip(() => {
            if (check && certificate && p.k >= 0 && q.k >= 0) {
                const region = regionIn(check, certificate, p, q), set = setIn(certificate, p, q);
                if (region) plot.polyline(region, c.good, 2.2, '', true);
                if (set) plot.polyline(set, c.accent, set.length > 2 ? 1.6 : 6, set.length > 2 ? c.set : '', set.length > 2);
            }
            const n = run.info.bodies!.length, column = (choice: Choice): number => 1 + (choice.speed ? n : 0) + choice.body;
            plot.columns(run.table, run.info.width, run.rows, column(a), column(b), c.ink, [], 1.1);
            const row = this.lab.now();
            plot.dot(run.table[column(a)], run.table[column(b)], c.muted, 4);
            plot.dot(row[column(a)], row[column(b)], c.slip, 5);
        });
    }

    private click(event: PointerEvent): void {
        const run = this.lab.run, pair = this.chosen.map((path) => this.choices.find((p) => p.path === path));
        if (!run || !pair[0] || !pair[1]) return;
        const at = this.plot.pointer(event), start = this.lab.startNow(), values = [this.plot.atX(at[0]), this.plot.atY(at[1])];
        start.v = start.v.map((v, k) => (run.info.bodies![k].driven ? v : 0)); // the map's other states are those of the model
        run.info.bodies!.forEach((b, k) => { start.x[k] = b.x; start.v[k] = b.v; });
        pair.forEach((choice, k) => { (choice!.speed ? start.v : start.x)[choice!.body] = values[k]; });
        this.lab.setTime(0);
        this.lab.setStart(start);
        this.lab.play(true);
    }
}
