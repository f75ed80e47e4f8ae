// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Play, pause, scrub; how fast; what the motion came to, in one line.
import { modeColumns } from '../core/protocol';
import type { Lab } from '../lab';
import { show } from '../model/numbers';
import { modeColor } from './colors';
import { el } from './dom';

const RATES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];

export class Transport {
    readonly root: HTMLElement;
    private readonly button: HTMLButtonElement;
    private readonly scrub: HTMLInputElement;
    private readonly clock: HTMLElement;
    private readonly rate: HTMLSelectElement;
    private readonly strip: HTMLCanvasElement;
    private box: { width: number; height: number } | null = null; // of the strip, as it was last observed

    constructor(private readonly lab: Lab) {
        this.button = el('button', { class: 'play', type: 'button', 'aria-label': 'Play', title: 'Play or pause (space)', onclick: () => lab.play(!lab.playing) });
        this.scrub = el('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time', class: 'scrub' });
        this.scrub.addEventListener('input', () => {
            const t = Number(this.scrub.value) * (lab.run?.end ?? 0); // before pausing puts the knob back
            lab.play(false);
            lab.setTime(t);
        });
        this.strip = el('canvas', { class: 'strip', 'aria-hidden': 'true' });
        this.clock = el('output', { class: 'clock' });
        this.rate = el('select', { 'aria-label': 'Speed', title: 'How fast it is shown' });
        this.rate.addEventListener('change', () => { lab.rate = Number(this.rate.value); });
        const restart = el('button', { type: 'button', title: 'Back to the start', 'aria-label': 'Back to the start', onclick: () => { lab.setTime(0); } }, '|◀');
        this.root = el('div', { class: 'transport' }, this.button, restart, el('div', { class: 'track' }, this.strip, this.scrub), this.clock, this.rate);
        lab.on('time', () => this.tick());
        lab.on('play', () => this.tick());
        lab.on('run', () => this.refresh());
        lab.on('theme', () => this.refresh());
        new ResizeObserver(([entry]) => {
            this.box = entry.contentRect;
            this.drawStrip();
        }).observe(this.strip);
    }

    private tick(): void {
        const { run, time, playing } = this.lab;
        this.button.textContent = playing ? '❚❚' : '▶';
        this.button.setAttribute('aria-label', playing ? 'Pause' : 'Play');
        if (!run) return;
        const place = String(run.end > 0 ? time / run.end : 0);
        if (this.scrub.value !== place) this.scrub.value = place;
        this.scrub.setAttribute('aria-valuetext', `${show(time)} s`);
        const text = `${clockText(time, run.end)} s`;
        if (this.clock.textContent !== text) this.clock.textContent = text;
    }

    private refresh(): void {
        const list = RATES.includes(this.lab.rate) ? RATES : [...RATES, this.lab.rate].sort((a, b) => a - b);
        this.rate.replaceChildren(...list.map((r) => el('option', { value: r, selected: r === this.lab.rate }, r < 1 ? `1/${Math.round(1 / r)}×` : `${r}×`)));
        this.drawStrip();
        this.tick();
    }

    /** Under the scrubber: when contacts stick and slip. */
    private drawStrip(): void {
        const run = this.lab.run, box = this.box ?? this.strip.getBoundingClientRect();
        if (!run || box.width < 10) return;
        const g = this.strip.getContext('2d')!, modes = modeColumns(run.info), count = modes.length;
        this.strip.width = Math.round(box.width);
        this.strip.height = Math.round(box.height);
        const width = run.info.width, lanes = Math.min(count, 4), tall = this.strip.height / Math.max(1, lanes);
        for (let c = 0; c < lanes; c++) {
            for (let k = 0; k < run.rows; k++) {
                const from = run.table[k * width] / run.end, to = k + 1 < run.rows ? run.table[(k + 1) * width] / run.end : 1;
                if (to <= from) continue;
                g.fillStyle = modeColor(run.table[k * width + modes[c]]);
                g.fillRect(from * this.strip.width, c * tall, (to - from) * this.strip.width + 0.6, tall - 1);
            }
        }
    }
}

function clockText(t: number, end: number): string {
    const digits = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(Math.max(end, 1e-9)))));
    return t.toFixed(digits);
}
