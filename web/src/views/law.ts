// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The law of the selected contact: its curve over the slip speed, what the motion has used of it, and where it is now.
import type { Lab } from '../lab';
import { curveOf } from '../model/curve';
import { colors, modeColor } from './colors';
import { card, choice } from './dom';
import { Plot, around } from './plot';

export class LawView {
    readonly root: HTMLElement;
    private readonly plot: Plot;
    private readonly head: HTMLElement;

    constructor(private readonly lab: Lab) {
        const { root, head, body } = card('Friction law', 'law', 'Force on the body against the slip speed');
        this.root = root;
        this.head = head;
        body.classList.add('square');
        this.plot = new Plot(body, 'Friction over slip speed', () => this.draw());
        for (const topic of ['run', 'theme', 'select', 'certificate'] as const) lab.on(topic, () => this.draw());
        lab.on('time', () => this.cursor());
    }

    private tools(): void {
        const contacts = this.lab.run!.info.contacts!;
        this.head.replaceChildren();
        if (contacts.length > 1 && contacts.length < 7) this.head.append(choice(contacts.map((c) => c.name), this.lab.contact, (k) => this.lab.select(this.lab.body, k), 'Contact'));
        else if (contacts[0]) this.head.append(contacts[0].law);
    }

    draw(): void {
        const run = this.lab.run;
        if (!run?.info.contacts?.length) return;
        this.tools();
        const plot = this.plot, c = colors(), contact = run.info.contacts[this.lab.contact];
        if (!plot.begin()) return;
        const velocity = this.lab.contactOf(this.lab.contact, 2), force = this.lab.contactOf(this.lab.contact, 1), width = run.info.width;
        let fastest = 1e-12, most = 1e-12;
        for (let k = 0; k < run.rows; k++) {
            fastest = Math.max(fastest, Math.abs(run.table[k * width + velocity]) || 0);
            most = Math.max(most, Math.abs(run.table[k * width + force]) || 0);
        }
        const law = this.lab.check?.laws[contact.name], curve = law ? curveOf(law) : null;
        if (curve) {
            fastest = Math.max(fastest, 3 * curve.speed);
            most = Math.max(most, Math.abs(curve.stick[0]), Math.abs(curve.stick[1]));
        }
        plot.x = around(-fastest, fastest, 0.05);
        plot.y = around(-most, most, 0.12);
        plot.axes(contact.angular ? 'slip speed [rad/s]' : 'slip speed [m/s]', contact.angular ? 'friction on it [N·m]' : 'friction on it [N]');
        plot.clip(() => {
            plot.columns(run.table, width, run.rows, velocity, force, c.series[0], [], 1.2);
            if (!curve) return;
            const side = (sign: number): [number, number][] => Array.from({ length: 121 }, (_, k) => {
                const v = sign * Math.max(1e-9, (k / 120) ** 2) * fastest;
                return [v, -curve.level(v)];
            });
            plot.polyline(side(1), c.ink, 2.2);
            plot.polyline(side(-1), c.ink, 2.2);
            plot.polyline([[0, -curve.stick[0]], [0, -curve.stick[1]]], c.stick, 4);
        });
        plot.keep();
        this.cursor();
    }

    private cursor(): void {
        const run = this.lab.run;
        if (!run?.info.contacts?.length || !this.plot.restore()) return;
        const row = this.lab.now(), k = this.lab.contact;
        const v = row[this.lab.contactOf(k, 2)], f = row[this.lab.contactOf(k, 1)];
        if (Number.isFinite(v) && Number.isFinite(f)) this.plot.dot(v, f, modeColor(row[this.lab.contactOf(k, 0)]), 5);
    }
}
