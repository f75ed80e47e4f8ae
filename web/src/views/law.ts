// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The law of the selected contact: its curve over the slip speed as the core has it, what the motion has used of it, and where it is
// now. Forces resist: they have the sign of the slip, as in the hysteresis loop beside it.
import { Desk, Replaced } from '../core/desk';
import type { Lab } from '../lab';
import { colors, modeColor } from './colors';
import { card, choose } from './dom';
import { Plot, around } from './plot';
import { Work } from './work';

export class LawView {
    readonly root: HTMLElement;
    private readonly plot: Plot;
    private readonly head: HTMLElement;
    private readonly desk = new Desk(300);
    private readonly work: Work;
    private curve: [number, number][] = []; // slip speed, resisting force

    constructor(private readonly lab: Lab) {
        const { root, head, body } = card('Friction law', 'law', 'The force that resists, over the slip speed. Black: the law. Thick: what it holds at rest. Thin: what this motion used.');
        this.root = root;
        this.head = head;
        body.classList.add('square');
        this.work = new Work(root);
        this.plot = new Plot(body, 'Friction over slip speed', () => this.draw());
        for (const topic of ['run', 'select', 'certificate'] as const) lab.on(topic, () => this.ask());
        lab.on('model', () => { this.curve = []; });
        lab.on('theme', () => this.draw());
        lab.on('time', () => this.cursor());
    }

    private tools(): void {
        const contacts = this.lab.run!.info.contacts!;
        if (contacts.length > 1) choose(this.head, contacts.map((c) => c.name), this.lab.contact, (k) => this.lab.select(this.lab.body, k), 'Contact');
        else this.head.textContent = contacts[0].law;
    }

    /** The largest sizes of slip speed and force during the run; the bend of the law is in sight. */
    private reach(): [number, number] {
        const run = this.lab.run!, k = this.lab.contact, width = run.info.width, bend = this.lab.check?.laws[run.info.contacts![k].name]?.stribeck_speed;
        let fastest = typeof bend === 'number' ? 3 * bend : 1e-12, most = 1e-12;
        for (let row = 0; row < run.rows; row++) {
            fastest = Math.max(fastest, Math.abs(run.table[row * width + this.lab.contactOf(k, 2)]) || 0);
            most = Math.max(most, Math.abs(run.table[row * width + this.lab.contactOf(k, 1)]) || 0);
        }
        return [fastest, most];
    }

    private ask(): void {
        const { run, tree, contact, live } = this.lab;
        this.plot.request();
        if (!run?.info.contacts?.length || !tree || live) return;
        this.work.watch(this.desk.ask<Float64Array>(tree, { kind: 'law', contact, fastest: this.reach()[0] }, true)).then((pairs) => {
            this.curve = Array.from({ length: pairs.length / 2 }, (_, k) => [pairs[2 * k], pairs[2 * k + 1]]);
            this.plot.request();
        }, (caught) => {
            if (caught instanceof Replaced) return;
            this.curve = [];
            this.plot.request();
        });
    }

    draw(): void {
        const run = this.lab.run;
        if (!run?.info.contacts?.length) return;
        this.tools();
        const plot = this.plot, c = colors(), contact = run.info.contacts[this.lab.contact], [fastest, used] = this.reach();
        if (!plot.begin()) return;
        const most = this.curve.reduce((m, [, f]) => (Number.isFinite(f) ? Math.max(m, Math.abs(f)) : m), used);
        plot.x = around(-fastest, fastest, 0.05);
        plot.y = around(-most, most, 0.12);
        plot.axes(contact.angular ? 'slip speed [rad/s]' : 'slip speed [m/s]', contact.angular ? 'resisting [N·m]' : 'resisting force [N]');
        plot.clip(() => {
            plot.columns(run.table, run.info.width, run.rows, this.lab.contactOf(this.lab.contact, 2), this.lab.contactOf(this.lab.contact, 1), c.series[0], [], 1.2, true, -1);
            for (const sign of [1, -1]) plot.polyline(this.curve.filter(([v]) => sign * v > 0), c.ink, 2.2);
            const rest = this.curve.filter(([v]) => v === 0).map(([, f]): [number, number] => [0, Math.max(-2 * most, Math.min(2 * most, f))]); // it may hold without limit
            if (rest.length) plot.polyline(rest, c.stick, 4);
        });
        plot.keep();
        this.cursor();
    }

    private cursor(): void {
        const run = this.lab.run;
        if (!run?.info.contacts?.length || !this.plot.restore()) return;
        const row = this.lab.now(), k = this.lab.contact;
        const v = row[this.lab.contactOf(k, 2)], f = -row[this.lab.contactOf(k, 1)];
        if (Number.isFinite(v) && Number.isFinite(f)) this.plot.dot(v, f, modeColor(row[this.lab.contactOf(k, 0)]), 5);
    }
}
