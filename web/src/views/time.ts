// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Over time: positions, speeds, forces of friction; shaded where the selected contact sticks; dashed, the run before.
import type { Run } from '../core/protocol';
import type { Lab } from '../lab';
import { colors } from './colors';
import { card, el } from './dom';
import { extents } from './machine';
import { Plot, around } from './plot';

interface Lane { plot: Plot; name: string; columns: number[] }

/** What the three lanes show of a run: names and columns. */
export function lanesOf(run: Run): { name: string; columns: number[] }[] {
    const info = run.info;
    if (info.supports) return [{ name: 'place', columns: [1, 2, 3] }, { name: 'speed', columns: [4, 5, 6] }, { name: 'load', columns: [7, 8, 9] }];
    const n = info.bodies!.length, angular = info.bodies!.every((b) => b.angular);
    const shown = info.bodies!.map((_, k) => k).filter((k) => n < 3 || !info.bodies![k].driven).slice(0, 6);
    const spans = extents(run).map(([a, b]) => b - a), free = Math.max(...spans.filter((_, k) => !info.bodies![k].driven), 0);
    const near = shown.filter((k) => !info.bodies![k].driven || free === 0 || spans[k] < 3 * free); // a belt runs far away
    const rubbing = info.contacts!.map((_, k) => k).filter((k) => !info.contacts![k].stops).slice(0, 6);
    const contacts = rubbing.length ? rubbing : info.contacts!.map((_, k) => k).slice(0, 6);
    return [
        { name: angular ? 'x [rad]' : 'x [m]', columns: near.map((k) => 1 + k) },
        { name: angular ? 'v [rad/s]' : 'v [m/s]', columns: shown.map((k) => 1 + n + k) },
        { name: angular ? 'friction [N·m]' : 'friction [N]', columns: contacts.map((k) => 1 + 2 * n + 5 * k + 1) },
    ];
}

/** Names of the lines of a lane. */
function legendOf(run: Run, lane: number, columns: number[]): string[] {
    const info = run.info;
    if (info.supports) return [['x [m]', 'y [m]', 'angle [rad]'], ['vx [m/s]', 'vy [m/s]', 'spin [rad/s]'], ['Fx [N]', 'Fy [N]', 'M [N·m]']][lane];
    const n = info.bodies!.length;
    return columns.map((c) => (lane < 2 ? info.bodies![(c - 1) % n].name : info.contacts![Math.floor((c - 1 - 2 * n) / 5)].name));
}

export class TimeView {
    readonly root: HTMLElement;
    private readonly lanes: Lane[] = [];
    private readonly legends: HTMLElement[] = [];

    constructor(private readonly lab: Lab, own?: HTMLElement) {
        const { root, body } = card('Over time', 'time', 'Shaded: the contact sticks. Dashed: the run before.');
        this.root = own ?? root;
        const host = own ?? body;
        host.classList.add('lanes');
        for (let k = 0; k < 3; k++) {
            const place = el('div', { class: 'lane' });
            host.append(place);
            const legend = el('div', { class: 'legend' });
            place.append(legend);
            this.legends.push(legend);
            const plot = new Plot(place, ['Positions over time', 'Speeds over time', 'Friction over time'][k], () => this.draw());
            plot.bottom = k === 2 ? 26 : 6;
            plot.top = 18; // the legend stands above
            this.lanes.push({ plot, name: '', columns: [] });
            this.listen(plot);
        }
        lab.on('run', () => this.draw());
        lab.on('theme', () => this.draw());
        lab.on('compare', () => this.draw());
        lab.on('time', () => this.cursor());
        lab.on('select', () => this.draw());
    }

    private listen(plot: Plot): void {
        const go = (event: PointerEvent): void => {
            if (!(event.buttons & 1)) return;
            this.lab.play(false);
            this.lab.setTime(plot.atX(plot.pointer(event)[0]));
        };
        plot.canvas.addEventListener('pointerdown', go);
        plot.canvas.addEventListener('pointermove', go);
        plot.canvas.tabIndex = 0;
        plot.canvas.setAttribute('role', 'application');
        plot.canvas.setAttribute('aria-label', plot.canvas.getAttribute('aria-label') + '. The arrow keys move the time.');
        plot.canvas.addEventListener('keydown', (event) => {
            const step = { ArrowLeft: -0.01, ArrowRight: 0.01 }[event.key];
            if (step) this.lab.setTime(this.lab.time + step * (this.lab.run?.end ?? 0));
        });
    }

    draw(): void {
        const run = this.lab.run;
        if (!run) return;
        const c = colors(), before = this.lab.comparing && this.lab.before?.info.width === run.info.width ? this.lab.before : null;
        const kinds = lanesOf(run);
        this.lanes.forEach((lane, k) => {
            lane.name = kinds[k].name;
            lane.columns = kinds[k].columns;
            const names = legendOf(run, k, lane.columns);
            this.legends[k].replaceChildren(...names.map((name, j) => el('span', { style: `--c:${c.series[j % 6]}` }, name)));
            const plot = lane.plot;
            plot.canvas.parentElement!.hidden = !lane.columns.some((column) => Number.isFinite(run.table[column]));
            if (!plot.begin()) return;
            plot.x = { least: 0, most: run.end };
            plot.y = this.range(run, lane.columns, before);
            this.shade(plot, run);
            plot.axes(k === 2 ? 't [s]' : '', lane.name);
            plot.clip(() => {
                if (before) lane.columns.forEach((column) => plot.columns(before.table, before.info.width, before.rows, 0, column, c.muted, [4, 4], 1.1));
                lane.columns.forEach((column, j) => plot.columns(run.table, run.info.width, run.rows, 0, column, c.series[j % 6]));
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
        const column = info.supports ? 10 : 1 + 2 * info.bodies!.length + 5 * this.lab.contact;
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
        if (!run || this.lab.live && this.lab.time > this.lanes[0].plot.x.most) return;
        const row = this.lab.now();
        for (const { plot, columns } of this.lanes) {
            if (!plot.restore()) continue;
            const g = plot.context, x = plot.px(this.lab.time);
            g.strokeStyle = colors().accent;
            g.lineWidth = 1;
            g.beginPath();
            g.moveTo(x, plot.top);
            g.lineTo(x, plot.height - plot.bottom);
            g.stroke();
            columns.forEach((column, j) => { if (Number.isFinite(row[column])) plot.dot(this.lab.time, row[column], colors().series[j % 6], 3.5); });
        }
    }
}
