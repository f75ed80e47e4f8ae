// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Over time: positions, speeds, forces of friction; shaded where the selected contact sticks; dashed, the run before.
import { type Description, type Run, SLIDE } from '../core/protocol';
import type { Lab } from '../lab';
import { colors } from './colors';
import { card, el } from './dom';
import { listen } from './gesture';
import { extents } from './machine';
import { Plot, around } from './plot';

interface Lane { plot: Plot; place: HTMLElement; legend: HTMLElement }

/** What a lane shows: the name of its axis, and lines with their names by column. */
interface Course { name: string; lines: [column: number, name: string][] }

const LABELS = ['Positions over time', 'Speeds over time', 'Friction over time', 'A number of the model over time'];

function slider(info: Description): Course[] {
    const over: Course = { name: 'over the floor', lines: [[SLIDE.over, 'vx [m/s]'], [SLIDE.over + 1, 'vy [m/s]'], [SLIDE.over + 2, 'spin [rad/s]']] };
    return [
        { name: 'place', lines: [[1, 'x [m]'], [2, 'y [m]'], [3, 'angle [rad]']] },
        { name: 'speed', lines: [[4, 'vx [m/s]'], [5, 'vy [m/s]'], [6, 'spin [rad/s]']] },
        { name: 'load', lines: [[7, 'Fx [N]'], [8, 'Fy [N]'], [9, 'M [N·m]']] },
        ...(info.floor_moves ? [over] : []),
    ];
}

/** Bodies that are shown: of many the free ones; of driven ones positions only where they stay near. */
function bodies(run: Run): { shown: number[]; near: number[] } {
    const info = run.info, shown = info.bodies!.map((_, k) => k).filter((k) => info.bodies!.length < 3 || !info.bodies![k].driven).slice(0, 6);
    const spans = extents(run).map(([a, b]) => b - a), free = Math.max(...spans.filter((_, k) => !info.bodies![k].driven), 0);
    return { shown, near: shown.filter((k) => !info.bodies![k].driven || free === 0 || spans[k] < 3 * free) }; // a belt runs far away
}

/** What the lanes show of a run; `number` is the one of the open model's numbers that is looked at. */
export function coursesOf(run: Run, number: number): Course[] {
    const info = run.info;
    if (info.supports) return slider(info);
    const n = info.bodies!.length, { shown, near } = bodies(run), rubbing = info.contacts!.map((_, k) => k).filter((k) => !info.contacts![k].stops);
    const contacts = (rubbing.length ? rubbing : info.contacts!.map((_, k) => k)).slice(0, 6);
    const course = (what: string, list: number[], of: { name: string; angular: boolean }[], units: [string, string], column: (k: number) => number): Course => {
        const turning = list.filter((k) => of[k].angular).length, mixed = turning > 0 && turning < list.length, unit = (k: number): string => units[Number(of[k].angular)];
        return { name: mixed ? what : `${what} [${list.length ? unit(list[0]) : units[0]}]`, lines: list.map((k) => [column(k), of[k].name + (mixed ? ` [${unit(k)}]` : '')]) };
    };
    const courses = [
        course('x', near, info.bodies!, ['m', 'rad'], (k) => 1 + k),
        course('v', shown, info.bodies!, ['m/s', 'rad/s'], (k) => 1 + n + k),
        course('friction', contacts, info.contacts!, ['N', 'N·m'], (k) => 1 + 2 * n + 5 * k + 1),
    ];
    const looked = info.numbers?.[number];
    if (looked) courses.push({ name: looked.name + (looked.unit && looked.unit !== '1' ? ` [${looked.unit}]` : ''), lines: [[1 + 2 * n + 5 * info.contacts!.length + number, looked.name]] });
    return courses;
}

export class TimeView {
    readonly root: HTMLElement;
    private readonly lanes: Lane[];
    private readonly numbers = el('select', { 'aria-label': 'Number of the model', onchange: () => this.draw() });
    private listed = '';
    private courses: Course[] = [];

    constructor(private readonly lab: Lab, own?: HTMLElement) {
        const { root, body } = card('Over time', 'time', 'Shaded: the contact sticks. Dashed: the run before.');
        this.root = own ?? root;
        const host = own ?? body;
        host.classList.add('lanes');
        this.lanes = LABELS.map((label) => {
            const legend = el('div', { class: 'legend' }), place = el('div', { class: 'lane' }, legend), plot = new Plot(place, label, () => this.draw());
            host.append(place);
            plot.top = 18; // the legend stands above
            this.listen(plot);
            return { plot, place, legend };
        });
        lab.on('run', () => this.draw());
        lab.on('theme', () => this.draw());
        lab.on('compare', () => this.draw());
        lab.on('time', () => this.cursor());
        lab.on('select', () => this.draw());
    }

    private listen(plot: Plot): void {
        const go = (event: PointerEvent): boolean => {
            this.lab.play(false);
            this.lab.setTime(plot.atX(plot.pointer(event)[0]));
            return true;
        };
        listen(plot.canvas, { hold: go, drag: go, tap: go });
        plot.canvas.tabIndex = 0;
        plot.canvas.setAttribute('role', 'application');
        plot.canvas.setAttribute('aria-label', plot.canvas.getAttribute('aria-label') + '. The arrow keys move the time.');
        plot.canvas.addEventListener('keydown', (event) => {
            const step = { ArrowLeft: -0.01, ArrowRight: 0.01 }[event.key];
            if (!step) return;
            event.preventDefault();
            this.lab.setTime(this.lab.time + step * (this.lab.run?.end ?? 0));
        });
    }

    /** Which number of an open model is looked at: states first, then what else changes. */
    private list(run: Run): void {
        const names = (run.info.numbers ?? []).map((q) => q.name);
        if (this.listed === names.join()) return;
        this.listed = names.join();
        this.numbers.replaceChildren(...names.map((name, k) => el('option', { value: k }, name)));
    }

    /** Names of lines (null: the choice of a number), made anew only where they differ: a new layout costs more than a plot. */
    private name(legend: HTMLElement, names: string[] | null): void {
        const key = names ? names.join('|') + colors().series[0] : 'number';
        if (legend.dataset.names === key) return;
        legend.dataset.names = key;
        legend.replaceChildren(...(names?.map((text, j) => el('span', { style: `--c:${colors().series[j % 6]}` }, text)) ?? [this.numbers]));
    }

    draw(): void {
        const run = this.lab.run;
        if (!run) return;
        this.list(run);
        const c = colors(), before = this.lab.before?.info.width === run.info.width ? this.lab.before : null;
        this.courses = coursesOf(run, Number(this.numbers.value));
        const shown = this.lanes.map((_, k) => this.courses[k]?.lines.some(([column]) => Number.isFinite(run.table[column])) ?? false);
        this.lanes.forEach(({ plot, place, legend }, k) => {
            const last = k === shown.lastIndexOf(true);
            place.hidden = !shown[k];
            place.classList.toggle('last', last);
            plot.bottom = last ? 26 : 6;
            if (!shown[k] || !plot.begin()) return;
            const { name, lines } = this.courses[k], columns = lines.map(([column]) => column);
            this.name(legend, k < 3 || run.info.supports ? lines.map(([, text]) => text) : null);
            plot.x = { least: 0, most: run.end };
            plot.y = this.range(run, columns, before);
            this.shade(plot, run);
            plot.axes(last ? 't [s]' : '', name);
            plot.clip(() => {
                if (before) columns.forEach((column) => plot.columns(before.table, before.info.width, before.rows, 0, column, c.muted, [4, 4], 1.1));
                columns.forEach((column, j) => plot.columns(run.table, run.info.width, run.rows, 0, column, c.series[j % 6]));
            });
            plot.keep();
        });
        this.cursor();
    }

    private range(run: Run, columns: number[], before: Run | null): { least: number; most: number } {
        let least = Infinity, most = -Infinity;
        for (const r of before ? [run, before] : [run])
            for (let k = 0; k < r.rows; k++)
                for (const column of columns) {
                    const value = r.table[k * r.info.width + column];
                    if (value < least) least = value;
                    if (value > most) most = value;
                }
        return around(least, most, 0.08);
    }

    /** Bands where the selected contact sticks. */
    private shade(plot: Plot, run: Run): void {
        const info = run.info, g = plot.context;
        const column = info.supports ? SLIDE.supports : 1 + 2 * info.bodies!.length + 5 * this.lab.contact;
        if (column >= info.width) return;
        g.fillStyle = colors().stick;
        g.globalAlpha = 0.13;
        for (let k = 0; k + 1 < run.rows; k++) {
            if (run.table[k * info.width + column] !== 2) continue;
            let end = k;
            while (end + 1 < run.rows && run.table[end * info.width + column] === 2) end++;
            const a = plot.px(run.table[k * info.width]), b = plot.px(end + 1 < run.rows ? run.table[end * info.width] : run.end);
            g.fillRect(a, plot.top, Math.max(0.5, b - a), plot.height - plot.top - plot.bottom);
            k = end;
        }
        g.globalAlpha = 1;
    }

    private cursor(): void {
        const run = this.lab.run;
        if (!run || (this.lab.live && this.lab.time > this.lanes[0].plot.x.most)) return;
        const row = this.lab.now();
        this.lanes.forEach(({ plot, place }, k) => {
            if (place.hidden || !this.courses[k] || !plot.restore()) return;
            const g = plot.context, x = plot.px(this.lab.time);
            g.strokeStyle = colors().accent;
            g.lineWidth = 1;
            g.beginPath();
            g.moveTo(x, plot.top);
            g.lineTo(x, plot.height - plot.bottom);
            g.stroke();
            this.courses[k].lines.forEach(([column], j) => { if (Number.isFinite(row[column])) plot.dot(this.lab.time, row[column], colors().series[j % 6], 3.5); });
        });
    }
}
