// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The phase plane of the selected body: its motion, the equilibrium set, the certified region. A click starts a motion there.
import type { Run } from '../core/protocol';
import type { Lab } from '../lab';
import { regionIn, setIn } from '../model/region';
import { type Span, placeOfBody } from '../model/world';
import { colors } from './colors';
import { card, choose, el } from './dom';
import { Plot, type Range, around } from './plot';

/** Columns of the table, the coordinates that they are in the certificate (-1: none), and what the axes are called. */
interface Axes { across: number; up: number; a: number; b: number; names: [string, string] }

export class PhaseView {
    readonly root: HTMLElement;
    private readonly plot: Plot;
    private readonly head: HTMLElement;
    private readonly legend = el('div', { class: 'fates' });
    private told = ''; // what the legend names

    constructor(private readonly lab: Lab) {
        const { root, head, body } = card('Phase plane', 'phase', 'Click: start there. Band: the equilibrium set. Tinted: the certified region.');
        this.root = root;
        this.head = head;
        const place = el('div', { class: 'square' });
        body.append(place, this.legend);
        this.plot = new Plot(place, 'Phase plane. Click, or move the mark with the arrow keys and press Enter, to start a motion there.', () => this.draw());
        this.plot.pick(() => {
            const axes = this.axes();
            return axes && this.at(axes, lab.run!, lab.run!.table);
        }, (x, y) => this.startAt(x, y));
        for (const topic of ['run', 'theme', 'select', 'certificate', 'compare', 'world'] as const) lab.on(topic, () => this.plot.request());
        lab.on('time', () => this.cursor());
    }

    private axes(): Axes | null {
        const info = this.lab.run?.info;
        if (!info?.bodies) return null;
        const coordinates = this.lab.check?.coordinates ?? [], n = info.bodies.length;
        const find = (name: string): number => coordinates.indexOf(name);
        if (this.lab.view.plane === 1 && coordinates.length >= 2) {
            const [p, q] = [0, 1].map((k) => info.bodies!.findIndex((b) => b.name === coordinates[k]));
            const name = (k: number): string => `${info.bodies![k].name}.x [${info.bodies![k].angular ? 'rad' : 'm'}]`;
            if (p >= 0 && q >= 0) return { across: 1 + p, up: 1 + q, a: 0, b: 1, names: [name(p), name(q)] };
        }
        const body = info.bodies[this.lab.body], beside = this.lab.world?.beside[this.lab.body] ?? -1, unit = body.angular ? ['rad', 'rad/s'] : ['m', 'm/s'];
        return { across: 1 + this.lab.body, up: 1 + n + this.lab.body, a: find(body.name), b: find(body.name), names: [`${body.name}.x${beside < 0 ? '' : ` beside ${info.bodies[beside].name}`} [${unit[0]}]`, `${body.name}.v [${unit[1]}]`] };
    }

    /** A moment of a run on the plane; row: a table that begins there, or at `from`. */
    private at(axes: Axes, run: Run, row: ArrayLike<number>, from = 0): [number, number] {
        const world = this.isPositions() ? null : this.lab.world;
        return [placeOfBody(run, world, row, axes.across - 1, from), row[from + axes.up]];
    }

    /** A run as pairs of numbers. */
    private pairs(axes: Axes, run: Run): Float64Array {
        const made = new Float64Array(2 * run.rows);
        for (let k = 0; k < run.rows; k++) made.set(this.at(axes, run, run.table, k * run.info.width), 2 * k);
        return made;
    }

    private isPositions(): boolean { return this.lab.view.plane === 1 && (this.lab.check?.coordinates.length ?? 0) >= 2; }

    private tools(): void {
        const info = this.lab.run!.info, names = info.bodies!.map((b) => b.name);
        const free = names.map((_, k) => k).filter((k) => !info.bodies![k].driven);
        const positions = (this.lab.check?.coordinates.length ?? 0) >= 2;
        const labels = free.map((k) => names[k]);
        if (positions) labels.push('x–x');
        if (labels.length < 2) {
            this.head.replaceChildren();
            return;
        }
        choose(this.head, labels, this.isPositions() ? free.length : free.indexOf(this.lab.body), (k) => {
            this.lab.view.plane = k === free.length ? 1 : 0;
            this.lab.select(k === free.length ? this.lab.body : free[k]);
        }, 'Body');
    }

    draw(): void {
        const run = this.lab.run, axes = this.axes();
        if (!run || !axes) return;
        this.tools();
        const plot = this.plot, c = colors();
        if (!plot.begin()) return;
        const before = this.lab.before?.info.width === run.info.width ? this.lab.before : null;
        const { check, certificate, world } = this.lab, known = check && certificate && axes.a >= 0, n = run.info.bodies!.length;
        const region = known ? regionIn(check, certificate, { k: axes.a, speed: false }, { k: axes.b, speed: !this.isPositions() }) : null;
        const set = known ? setIn(certificate, { k: axes.a, speed: false }, { k: axes.b, speed: !this.isPositions() }) : null, theory = [...(region ?? []), ...(set ?? [])];
        const pairs = this.pairs(axes, run);
        this.tell(Boolean(region), Boolean(set), before !== null && before !== run);
        plot.x = this.range(pairs, 0, theory.map(([x]) => x), world && world.x[axes.across - 1]);
        plot.y = this.range(pairs, 1, theory.map(([, y]) => y), world && (axes.up > n ? world.v[axes.up - 1 - n] : world.x[axes.up - 1]));
        plot.axes(axes.names[0], axes.names[1]);
        plot.clip(() => {
            if (region) plot.polyline(region, c.good, 1.4, c.region, true);
            if (set) {
                if (set.length > 2) plot.polyline(set, c.accent, 1.2, c.set, true);
                else plot.polyline(set, c.accent, 7);
            }
            if (before) plot.columns(this.pairs(axes, before), 2, before.rows, 0, 1, c.muted, [4, 4], 1.1);
            plot.columns(pairs, 2, run.rows, 0, 1, c.series[0]);
            plot.dot(pairs[0], pairs[1], c.muted, 3.5);
        });
        plot.keep();
        this.cursor();
    }

    /** What is drawn beside the motion. */
    private tell(region: boolean, set: boolean, before: boolean): void {
        const names = [...(region ? ['region'] : []), ...(set ? ['set'] : []), ...(before ? ['before'] : [])];
        if (this.told === names.join()) return;
        this.told = names.join();
        const words: Record<string, string> = { region: 'must come to rest', set: 'equilibria', before: 'before the last change' };
        this.legend.replaceChildren(...names.map((name) => el('span', { class: `${name} tinted` }, words[name])));
    }

    /** What an axis must show: the motion and what is known of it, within the neighbourhood and the start, at least a quarter of it. */
    private range(pairs: Float64Array, column: number, theory: number[], world: Span | null): Range {
        let least = Infinity, most = -Infinity;
        const add = (value: number): void => {
            if (value < least) least = value;
            if (value > most) most = value;
        };
        for (let k = column; k < pairs.length; k += 2) add(pairs[k]);
        if (!world) return around(least, most, 0.09);
        const from = Math.min(world.least, pairs[column]), to = Math.max(world.most, pairs[column]), wide = to - from;
        for (const value of theory) if (value >= from && value <= to) add(value);
        add(from + 0.375 * wide);
        add(to - 0.375 * wide);
        return around(Math.max(least, from), Math.min(most, to), 0.09);
    }

    private cursor(): void {
        const axes = this.axes();
        if (!this.lab.run || !axes || !this.plot.restore()) return;
        this.plot.dot(...this.at(axes, this.lab.run, this.lab.now()), colors().slip, 5);
    }

    private startAt(x: number, y: number): void {
        const axes = this.axes(), run = this.lab.run;
        if (!axes || !run) return;
        const n = run.info.bodies!.length, start = this.lab.startNow();
        if (this.isPositions()) {
            start.x[axes.across - 1] = x;
            start.x[axes.up - 1] = y;
        } else {
            start.x[this.lab.body] = x;
            start.v[axes.up - 1 - n] = y;
        }
        this.lab.setTime(0);
        this.lab.moveStart(start);
        this.lab.keepStart();
        this.lab.play(true);
    }
}
