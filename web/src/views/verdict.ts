// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the motion came to, and whether it had to: outcome, energy, events; theorem, reason, rho*; the periodic motion on demand.
import { Desk, Replaced } from '../core/desk';
import type { CycleAnswer } from '../core/protocol';
import type { Lab } from '../lab';
import { show } from '../model/numbers';
import { card, el } from './dom';

const OUTCOMES: Record<string, string> = { 'at-rest': 'comes to rest', 'time-reached': 'still moves at the end', escaped: 'escapes', 'event-limit': 'too many events', 'led by hand': 'is led by hand' };
const VERDICTS: Record<string, string> = { global: 'Yes, from anywhere', local: 'Yes, from within the region', 'local-subset': 'Near a part of the set', 'not-assured': 'Not assured' };

export class AnswerView {
    readonly root: HTMLElement;
    private readonly body: HTMLElement;

    constructor(private readonly lab: Lab) {
        const { root, body } = card('What happened', 'answer');
        this.root = root;
        this.body = body;
        body.classList.add('prose');
        lab.on('run', () => this.draw());
    }

    private draw(): void {
        const run = this.lab.run;
        if (!run) return;
        const { answer } = run, parts: Node[] = [];
        const when = answer.outcome === 'at-rest' ? ` at t = ${show(answer.t, 6)} s` : answer.outcome === 'escaped' ? ` by t = ${show(answer.t)} s` : '';
        parts.push(el('p', { class: 'outcome', 'data-outcome': answer.outcome }, `It ${OUTCOMES[answer.outcome] ?? answer.outcome}${when}.`));
        if (answer.settles) parts.push(el('p', { class: 'muted' }, 'What is left provably decays.'));
        const places = Object.entries(answer.state).map(([name, s]) => `${name}: ` + Object.entries(s).map(([k, v]) => `${k} = ${show(v, 5)}`).join(', '));
        parts.push(el('p', { class: 'muted' }, places.slice(0, 4).join(' · ')));
        parts.push(this.energy(answer.energy));
        const events = answer.events.slice(0, 200), list = el('ol', { class: 'events' });
        for (const event of events)
            list.append(el('li', { onclick: () => { this.lab.play(false); this.lab.setTime(event.t); } }, el('time', {}, `${show(event.t, 6)} s`), ` ${event.contact}: ${event.from ?? ''} → ${event.to ?? ''} ${event.kind && event.kind !== 'mode' ? event.kind : ''}`));
        parts.push(el('details', { open: events.length > 0 && events.length < 7 }, el('summary', {}, `${answer.events.length} events`), list));
        for (const warning of answer.warnings) parts.push(el('p', { class: 'warning' }, warning));
        this.body.replaceChildren(...parts);
    }

    /** Where the energy went, as one bar. */
    private energy(energy: Record<string, number>): HTMLElement {
        const gained = Math.max(0, energy.start) + Math.max(0, energy.input) + Math.max(0, -energy.damping), whole = Math.max(gained, 1e-300);
        const pieces: [string, number, string][] = [['friction', energy.friction, 'slip'], ['damping', Math.max(0, energy.damping), 'series3'], ['impact', energy.impact, 'closed'], ['left', Math.max(0, energy.end), 'stick']];
        const bar = el('div', { class: 'bar', role: 'img', 'aria-label': `Energy: start ${show(energy.start)} J, input ${show(energy.input)} J, friction ${show(energy.friction)} J, damping ${show(energy.damping)} J, end ${show(energy.end)} J` });
        for (const [name, value, color] of pieces) if (value / whole > 0.002) bar.append(el('i', { style: `flex:${value / whole};background:var(--${color})`, title: `${name}: ${show(value)} J` }));
        const legend = pieces.filter(([, value]) => value / whole > 0.002).map(([name, value, color]) => el('span', { style: `--c:var(--${color})` }, `${name} ${show(value)} J`));
        const from = [`start ${show(energy.start)} J`, energy.input ? `input ${show(energy.input)} J` : '', energy.damping < 0 ? `damper feeds ${show(-energy.damping)} J` : ''].filter(Boolean).join(' + ');
        return el('div', { class: 'energy' }, el('p', { class: 'muted' }, `Energy: ${from}; ledger closes to ${show(Math.abs(energy.residual), 2)} J`), bar, el('p', { class: 'shares' }, ...legend));
    }
}

/** Half widths for reading: what is nothing beside the largest is 0. */
function widthsOf(widths: number[]): string {
    const most = Math.max(...widths);
    return widths.slice(0, 3).map((w) => show(w < 1e-12 * most ? 0 : w)).join(', ');
}

export class VerdictView {
    readonly root: HTMLElement;
    private readonly body: HTMLElement;
    private readonly cycle: HTMLElement;
    private readonly desk = new Desk(0);

    constructor(private readonly lab: Lab) {
        const { root, body } = card('Must it come to rest?', 'verdict', 'The theorems of van de Wouw and Leine');
        this.root = root;
        this.body = el('div', { class: 'prose' });
        this.cycle = el('p', { class: 'muted', role: 'status' });
        const ask = el('button', { type: 'button', onclick: () => this.find() }, 'Find a periodic motion');
        body.append(this.body, el('div', { class: 'prose' }, ask, this.cycle));
        lab.on('certificate', () => this.draw());
        lab.on('model', () => { this.cycle.textContent = ''; });
    }

    private draw(): void {
        const c = this.lab.certificate;
        if (!c) {
            this.body.replaceChildren(el('p', { class: 'muted' }, 'The theorems take bodies with springs, dampers and dry friction, left to themselves.'));
            return;
        }
        const headline = c.refuted ? 'No: the set does not attract' : VERDICTS[c.verdict] ?? c.verdict;
        const facts = [c.theorem ? `Theorem ${c.theorem}` : '', c.rho_star !== null ? `ρ* = ${show(c.rho_star, 6)} J` : '', c.equilibrium_set ? `E reaches ± ${widthsOf(c.equilibrium_set.half_widths)}` : ''].filter(Boolean).join(' · ');
        this.body.replaceChildren(el('p', { class: 'outcome', 'data-verdict': c.verdict }, headline), el('p', { class: 'muted' }, facts), el('p', {}, c.reason + '.'));
    }

    private find(): void {
        const tree = this.lab.tree;
        if (!tree) return;
        this.cycle.textContent = 'looking …';
        this.desk.ask<CycleAnswer>(tree, { kind: 'cycle', period: 0, until: 0, near: false }, true).then((found) => {
            const most = found.multipliers.reduce((m, [re, im]) => Math.max(m, Math.hypot(re, im)), 0);
            this.cycle.textContent = `Period ${show(found.period, 6)} s, ${found.stable ? 'stable' : 'not stable'}, largest multiplier ${show(most, 4)}; amplitude ${Object.entries(found.amplitude).map(([k, v]) => `${k} ${show(v)}`).join(', ')}.`;
        }, (caught) => { if (!(caught instanceof Replaced)) this.cycle.textContent = (caught as Error).message; });
    }
}
