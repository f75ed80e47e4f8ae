// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A slider for every number of the model, with its unit and a sensible range; by factors where that is asked for. Its field takes a
// number, a number with a unit, or a formula; what the model cannot take is marked, with the reason. Both change the text, so that
// undo, link and export need nothing more.
import { Desk, Replaced } from '../core/desk';
import type { Lab } from '../lab';
import { type Quantity, quantities, write } from '../model/numbers';
import { readTree } from '../model/tree';
import { inWords } from '../model/words';
import { el } from './dom';
import type { Editor } from './editor';

const PLAIN = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** A value as YAML takes it anywhere: in quotes, where it has a letter that means something there. */
function scalar(text: string): string { return /[,:#{}[\]&!|>'"%@`]|^[?-](\s|$)|^\*/.test(text) ? JSON.stringify(text) : text; }

/** Ranges stay while a number is turned, so that the slider does not run away under the hand. */
interface Held { least: number; most: number; value: number }

export class Sliders {
    private readonly held = new Map<string, Held>();
    private readonly logs = new Set<string>();
    private shape = '';
    private list: Quantity[] = [];
    private readonly desk = new Desk(0); // tries what is typed
    private were: Set<string> = new Set(); // paths of numbers in the model as it came: they may be formulas now
    private pointed: string[] = []; // numbers that a lesson wants to be turned

    constructor(private readonly host: HTMLElement, private readonly lab: Lab, private readonly editor: Editor) {
        host.setAttribute('aria-label', 'Numbers of the model');
        lab.on('model', () => {
            this.held.clear();
            this.logs.clear();
            this.shape = '';
            this.were = numbersIn(lab.original);
        });
        lab.on('text', () => this.refresh());
        lab.on('error', () => {
            this.refresh();
            this.blame();
        });
    }

    /** Marks some numbers, and brings the first into sight. */
    point(paths: string[]): void {
        this.pointed = paths;
        this.mark();
    }

    private mark(): void {
        const rows = [...this.host.querySelectorAll<HTMLElement>('.slider')];
        for (const row of rows) row.classList.toggle('pointed', this.pointed.includes(row.dataset.path!));
        const first = rows.find((row) => row.dataset.path === this.pointed[0]);
        if (first) requestAnimationFrame(() => { this.host.scrollTop += first.getBoundingClientRect().top - this.host.getBoundingClientRect().top - 40; }); // once all has its place
    }

    private range(q: Quantity): Held {
        let held = this.held.get(q.path);
        if (!held || q.value < held.least || q.value > held.most) {
            held = { least: Math.min(q.least, q.value), most: Math.max(q.most, q.value), value: q.value };
            this.held.set(q.path, held);
        }
        return held;
    }

    private isLog(q: Quantity): boolean { return this.logs.has(q.path) && q.value > 0; }

    private toSlider(q: Quantity): number {
        const { least, most, value } = this.range(q);
        if (this.isLog(q)) return Math.log(q.value / (value / 100)) / Math.log(1e4);
        return (q.value - least) / (most - least || 1);
    }

    private fromSlider(q: Quantity, place: number): number {
        const { least, most, value } = this.range(q);
        const there = this.isLog(q) ? (value / 100) * 1e4 ** place : least + place * (most - least);
        return Math.max(q.edges[0], Math.min(q.edges[1], there));
    }

    private refresh(): void {
        if (!this.lab.read || !this.lab.tree) { // places in another text are none in this one
            this.list = [];
            this.shape = '';
            this.host.replaceChildren(el('p', { class: 'muted' }, 'The text of the model cannot be read, so there is no number to turn. “Model as text” shows where the fault is.'));
            return;
        }
        this.list = quantities(this.lab.tree, this.lab.text, this.were);
        const shape = this.list.map((q) => q.path + q.unit + Boolean(q.formula)).join('|') + [...this.logs].join();
        if (shape === this.shape) this.update();
        else this.build(shape);
    }

    private update(): void {
        for (const q of this.list) {
            const row = this.host.querySelector<HTMLElement>(`[data-path="${CSS.escape(q.path)}"]`);
            if (!row) continue;
            const slider = row.querySelector<HTMLInputElement>('input[type=range]')!, field = row.querySelector<HTMLInputElement>('input[type=text]')!;
            if (!q.formula && (document.activeElement !== slider || Math.abs(Number(slider.value) - this.toSlider(q)) > 0.01)) slider.value = String(this.toSlider(q));
            if (document.activeElement !== field && field.getAttribute('aria-invalid') !== 'true') field.value = this.textOf(q);
            slider.setAttribute('aria-valuetext', `${this.textOf(q)} ${q.unit}`);
        }
    }

    /** What the model refuses is told beside the number, too, and nowhere else any more. */
    private blame(): void {
        const { error } = this.lab;
        for (const row of this.host.querySelectorAll<HTMLElement>('.slider')) {
            const own = error?.field === row.dataset.path, field = row.querySelector<HTMLInputElement>('input[type=text]')!;
            if (own || row.classList.contains('blamed')) this.refuse(field, row.querySelector<HTMLElement>('.why')!, own ? inWords(new Error(error!.text)) : '');
            row.classList.toggle('blamed', own);
        }
    }

    private textOf(q: Quantity): string { return q.formula || write(q.value, this.range(q).most - this.range(q).least); }

    private build(shape: string): void {
        this.shape = shape;
        this.host.replaceChildren();
        let group = '';
        for (const q of this.list) {
            if (q.group !== group) {
                group = q.group;
                this.host.append(el('h3', {}, group || 'model'));
            }
            this.host.append(this.row(q));
        }
        if (this.list.length === 0) this.host.append(el('p', { class: 'muted' }, 'This model has no plain numbers to turn.'));
        this.update();
        this.mark();
    }

    private row(q: Quantity): HTMLElement {
        const slider = el('input', { type: 'range', min: 0, max: 1, step: 0.002, 'aria-label': q.path, title: `${q.path} (double-click: as it was)`, disabled: Boolean(q.formula) });
        const why = el('p', { class: 'why', role: 'alert', hidden: true });
        const field = el('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', 'aria-label': `${q.path}${q.unit ? ` in ${q.unit}` : ''}: a number, a number with a unit, or a formula`, size: 7, class: q.formula ? 'formula' : '' });
        let first = true; // of a gesture, which ends when the slider is let go
        slider.addEventListener('input', () => {
            if (this.set(q.path, (now) => this.fromSlider(now, Number(slider.value)), first)) first = false;
            this.refuse(field, why, '');
        });
        slider.addEventListener('change', () => { first = true; });
        slider.addEventListener('dblclick', () => this.set(q.path, () => this.held.get(q.path)?.value ?? q.value));
        field.addEventListener('change', () => { void this.take(q.path, field, why); });
        field.addEventListener('keydown', (event) => {
            if (event.key !== 'Escape') return;
            this.refuse(field, why, '');
            field.blur();
            this.update();
        });
        const log = el('button', { type: 'button', class: 'log', title: 'Turn by factors, from 1/100 to 100 times', 'aria-pressed': String(this.logs.has(q.path)), onclick: () => {
            if (!this.logs.delete(q.path)) this.logs.add(q.path);
            this.refresh();
        } }, 'log');
        return el('div', { class: 'slider', 'data-path': q.path }, el('label', { title: q.path }, q.label), field, el('span', { class: 'unit' }, q.unit), q.log ? log : el('span', {}), slider, why);
    }

    /** Takes what was typed into a field, if the model can; otherwise the field is marked and the text stays. */
    private async take(path: string, field: HTMLInputElement, why: HTMLElement): Promise<void> {
        const now = this.list.find((q) => q.path === path), typed = field.value.trim().replace(/^\u2212/, '-').replace(/^(-?\d+),(\d+)$/, '$1.$2');
        if (!now) return;
        if (!typed || typed === this.textOf(now)) {
            this.refuse(field, why, '');
            this.update();
            return;
        }
        const isNumber = PLAIN.test(typed) && !now.formula, [from, to] = isNumber ? now.range : now.whole, text = isNumber ? typed : scalar(typed);
        try {
            await this.desk.ask(readTree(this.lab.text.slice(0, from) + text + this.lab.text.slice(to)), { kind: 'simulate', set: [], options: { until: 0 }, at: [], derivative: [] }, true); // it must be able to start
        } catch (caught) {
            if (!(caught instanceof Replaced)) this.refuse(field, why, inWords(caught));
            return;
        }
        this.refuse(field, why, '');
        field.blur();
        this.editor.replace(from, to, text);
    }

    private refuse(field: HTMLInputElement, why: HTMLElement, text: string): void {
        why.textContent = text;
        why.hidden = !text;
        if (text) field.setAttribute('aria-invalid', 'true');
        else field.removeAttribute('aria-invalid');
    }

    /** Writes a new value into the text at the place where the number stands now; true where that changes it. */
    private set(path: string, value: (now: Quantity) => number, first = true): boolean {
        const now = this.list.find((q) => q.path === path);
        if (!now || now.formula) return false;
        const range = this.range(now), number = value(now), text = this.isLog(now) ? String(Number(number.toPrecision(3))) : write(number, range.most - range.least);
        if (this.lab.text.slice(...now.range) === text) return false;
        this.editor.replace(now.range[0], now.range[1], text, first);
        return true;
    }
}

function numbersIn(text: string): Set<string> {
    try {
        return new Set(quantities(readTree(text), text).map((q) => q.path));
    } catch {
        return new Set(); // it was no model then
    }
}
