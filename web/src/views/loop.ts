// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Hysteresis: the force of the selected contact over its displacement, the energy of each branch, and the same motion with the
// other law of presliding beside it.
import { Desk, Replaced } from '../core/desk';
import type { Run } from '../core/protocol';
import type { Lab } from '../lab';
import { type Loop, closedLoops } from '../model/loops';
import { prefixFor, prefixed, show } from '../model/numbers';
import { plain } from '../model/plain';
import { weightsOf } from '../model/row';
import { twinOf } from '../model/twin';
import { inWords } from '../model/words';
import { colors, modeColor } from './colors';
import { card, el } from './dom';
import { Plot, around } from './plot';
import { Work } from './work';

const MOST = 8; // loops that are listed
const ROUNDING = 1e-9; // of the largest force times the whole way: work below it is none,
const CORNERS = 4; // nor what is lost where as many corners of a loop are cut by the moments that are drawn
const DIGITS = 3; // of the work of a loop, which is summed over these moments

export class LoopView {
    readonly root: HTMLElement;
    private readonly plot: Plot;
    private readonly list: HTMLElement;
    private readonly button: HTMLButtonElement;
    private readonly desk = new Desk(500);
    private readonly work: Work;
    private twin: { run: Run; name: string } | null = null;
    private weights: number[] = []; // of each body in the displacement

    constructor(private readonly lab: Lab) {
        const { root, head, body } = card('Hysteresis loop', 'loop', 'Force over displacement; its area is the energy lost');
        this.root = root;
        this.button = el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => { this.lab.view.beside = !this.lab.view.beside; this.ask(); this.lab.tell('compare'); } }, 'beside');
        head.append(this.button);
        this.work = new Work(root, () => this.desk.stop());
        const place = el('div', { class: 'square' });
        this.list = el('div', { class: 'branches' });
        body.append(place, this.list);
        this.plot = new Plot(place, 'Force over displacement', () => this.draw());
        for (const topic of ['run', 'select', 'certificate'] as const) lab.on(topic, () => this.ask());
        for (const topic of ['theme', 'compare'] as const) lab.on(topic, () => this.draw());
        lab.on('time', () => this.cursor());
    }

    /** Whether there is something to show: a contact that rubs. */
    private contact(): string | null { return this.lab.run?.info.contacts?.[this.lab.contact]?.name ?? null; }

    private ask(): void {
        const { run, tree, check } = this.lab, name = this.contact();
        this.twin = null;
        const made = run && tree && name && check?.laws[name] ? twinOf(tree, name, check.laws[name]) : null;
        this.button.hidden = !made;
        this.button.textContent = made ? `beside ${made.name}` : '';
        this.button.setAttribute('aria-pressed', String(this.lab.view.beside));
        if (run?.info.bodies && tree && name) this.weights = weightsOf(plain(tree), run.info, name, this.lab.contact);
        if (made && this.lab.view.beside && !this.lab.live)
            this.work.watch(this.desk.ask<Run>(made.tree, { kind: 'run', until: -1, moments: 1500, start: this.lab.start }, true)).then((twin) => {
                this.twin = { run: twin, name: made.name };
                this.plot.request();
            }, (caught) => { if (!(caught instanceof Replaced)) this.button.title = inWords(caught); });
        this.plot.request();
    }

    private displacement(row: ArrayLike<number>, first = 0): number { return this.weights.reduce((sum, w, b) => (w ? sum + w * row[first + 1 + b] : sum), 0); }

    /** Displacement and force of the contact, row by row. */
    private points(run: Run): [number, number][] {
        const { width, bodies } = run.info, column = 1 + 2 * bodies!.length + 5 * this.lab.contact + 1;
        return Array.from({ length: run.rows }, (_, k) => [this.displacement(run.table, k * width), -run.table[k * width + column]]);
    }

    draw(): void {
        const run = this.lab.run;
        if (!run?.info.contacts?.length) return;
        const plot = this.plot, c = colors(), own = this.points(run);
        this.tell(run, own);
        if (!plot.begin()) return;
        const other = this.twin ? this.points(this.twin.run) : [];
        let box = [Infinity, -Infinity, Infinity, -Infinity];
        for (const [x, y] of [...own, ...other]) if (Number.isFinite(y)) box = [Math.min(box[0], x), Math.max(box[1], x), Math.min(box[2], y), Math.max(box[3], y)];
        plot.x = around(box[0], box[1], 0.07);
        plot.y = around(box[2], box[3], 0.1);
        const angular = run.info.contacts[this.lab.contact].angular;
        plot.axes(angular ? 'displacement [rad]' : 'displacement [m]', angular ? 'resisting [N·m]' : 'resisting force [N]');
        plot.clip(() => {
            if (other.length) plot.polyline(other, c.series[1], 1.8);
            plot.polyline(own, c.series[0], 1.8);
        });
        plot.keep();
        this.cursor();
    }

    /** What friction took: in all, and in each closed loop; where there is none, on each way between reversals. */
    private tell(run: Run, points: [number, number][]): void {
        const name = this.contact(), ways = run.answer.loops?.filter((l) => l.contact === name) ?? [], least = this.leastWork(points);
        const closed = closedLoops(points).filter((l) => Math.abs(l.work) > least), paid = ways.filter((l) => Math.abs(l.work) > least);
        const unit = run.info.contacts![this.lab.contact].angular ? 'rad' : 'm', rows: Node[] = [];
        const line = (color: number, text: string, of: Run): HTMLElement => el('p', {}, el('b', { style: `color:${colors().series[color]}` }, text), `: ${prefixed(of.answer.energy.friction, 'J')}`);
        rows.push(line(0, this.twin ? String(this.lab.check?.laws[name ?? '']?.law ?? 'this') : 'lost by friction', run));
        if (this.twin) rows.push(line(1, this.twin.name, this.twin.run));
        const list = closed.length ? this.lines(closed, unit) : paid.length > 1 ? paid.map((l) => `${prefixed(l.from, unit, 3)} → ${prefixed(l.to, unit, 3)}: ${prefixed(l.work, 'J')}`) : [];
        if (list.length) rows.push(el('p', { class: 'muted' }, closed.length ? 'lost in each closed loop:' : 'work on each way between reversals:'));
        rows.push(...list.slice(0, MOST).map((text) => el('span', {}, text)));
        if (list.length > MOST) rows.push(el('span', { class: 'muted' }, `and ${list.length - MOST} more`));
        this.list.replaceChildren(...rows);
    }

    /** J: what is less than this is made by rounding, or by the distance of the moments: a corner between two of them is cut. */
    private leastWork(points: [number, number][]): number {
        let [least, most, force, corner] = [Infinity, -Infinity, 0, 0];
        points.forEach(([x, f], k) => {
            if (!Number.isFinite(f)) return;
            [least, most, force] = [Math.min(least, x), Math.max(most, x), Math.max(force, Math.abs(f))];
            if (k) corner = Math.max(corner, Math.abs((x - points[k - 1][0]) * (f - points[k - 1][1])) / 2 || 0);
        });
        return least < most ? Math.max(ROUNDING * force * (most - least), CORNERS * corner) : 0;
    }

    /** Loops as text: those that are worth telling, equal ones once. */
    private lines(loops: Loop[], unit: string): string[] {
        const widest = Math.max(...loops.map((l) => l.most - l.least)), size = Math.max(...loops.map((l) => Math.max(Math.abs(l.least), Math.abs(l.most))));
        const [factor, letter] = prefixFor(size, unit), times = new Map<string, number>();
        for (const l of loops) {
            if (l.most - l.least < 0.01 * widest) continue;
            const text = `${show(l.least / factor, 3)} ↔ ${show(l.most / factor, 3)} ${letter}${unit}: ${prefixed(l.work, 'J', DIGITS)}`;
            times.set(text, (times.get(text) ?? 0) + 1);
        }
        return [...times].map(([text, count]) => (count > 1 ? `${text}, ${count} times` : text));
    }

    private cursor(): void {
        const run = this.lab.run;
        if (!run?.info.contacts?.length || !this.plot.restore()) return;
        const row = this.lab.now(), k = this.lab.contact, x = this.displacement(row), f = -row[this.lab.contactOf(k, 1)];
        if (Number.isFinite(f)) this.plot.dot(x, f, modeColor(row[this.lab.contactOf(k, 0)]), 5);
    }
}
