// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Whether the motion must come to rest: theorem, reason, rho*; the periodic motion on demand.
import { Desk, Replaced } from '../core/desk';
import type { CycleAnswer } from '../core/protocol';
import type { Lab } from '../lab';
import { prefixed, show } from '../model/numbers';
import { inWords } from '../model/words';
import { card, el } from './dom';
import { Work } from './work';

const VERDICTS: Record<string, string> = { global: 'Yes, from anywhere', local: 'Yes, from within the region', 'local-subset': 'Near a part of the set', 'not-assured': 'Not assured' };

/** Half widths for reading: what is nothing beside the largest is 0. */
function widthsOf(widths: number[], units: string[]): string {
    const most = Math.max(...widths);
    return widths.slice(0, 3).map((w, k) => prefixed(w < 1e-12 * most ? 0 : w, units[k])).join(', ');
}

export class VerdictView {
    readonly root: HTMLElement;
    private readonly body: HTMLElement;
    private readonly cycle: HTMLElement;
    private readonly desk = new Desk(0);
    private readonly work: Work;

    constructor(private readonly lab: Lab) {
        const { root, body } = card('Must it come to rest?', 'verdict', 'The theorems of van de Wouw and Leine');
        this.root = root;
        this.body = el('div', { class: 'prose' });
        this.cycle = el('p', { class: 'muted', role: 'status' });
        const ask = el('button', { type: 'button', onclick: () => this.find() }, 'Find a periodic motion');
        body.append(this.body, el('div', { class: 'prose' }, ask, this.cycle));
        this.work = new Work(root, () => { this.desk.stop(); this.cycle.textContent = 'Stopped.'; }, 'looking for it');
        const proving = new Work(root, () => {
            lab.stopJudging();
            this.body.replaceChildren(el('p', { class: 'muted' }, 'Stopped.'));
        }, 'proving');
        lab.on('judging', () => { if (lab.judging) void proving.watch(lab.judging); });
        lab.on('certificate', () => this.draw());
        lab.on('run', () => { if (lab.certificate) this.draw(); }); // which knows the units
        lab.on('model', () => this.body.replaceChildren(el('p', { class: 'muted' }, '…'))); // nothing of another one stays
        lab.on('text', () => { this.cycle.textContent = ''; this.desk.stop(); }); // it was of another model
    }

    /** The unit of a body's place (of a state, none is known here). */
    private unitOf(name: string): string {
        const body = this.lab.run?.info.bodies?.find((b) => b.name === name);
        return body ? (body.angular ? 'rad' : 'm') : '';
    }

    private draw(): void {
        const c = this.lab.certificate;
        if (!c) {
            this.body.replaceChildren(el('p', { class: 'muted' }, 'The theorems take bodies with springs, dampers and dry friction, left to themselves.'));
            return;
        }
        const units = (this.lab.check?.coordinates ?? []).map((name) => this.unitOf(name)), headline = c.refuted ? 'No: the set does not attract' : VERDICTS[c.verdict] ?? c.verdict;
        const facts = [c.theorem ? `Theorem ${c.theorem}` : '', c.rho_star !== null ? `ρ* = ${prefixed(c.rho_star, 'J', 6)}` : '', c.equilibrium_set ? `equilibria within ± ${widthsOf(c.equilibrium_set.half_widths, units)}` : ''].filter(Boolean).join(' · ');
        this.body.replaceChildren(el('p', { class: 'outcome', 'data-verdict': c.verdict }, headline), el('p', { class: 'muted' }, facts), el('p', {}, `${c.reason[0].toUpperCase()}${c.reason.slice(1)}${/\.$/.test(c.reason) ? '' : '.'}`));
    }

    private find(): void {
        const tree = this.lab.tree;
        if (!tree) return;
        this.cycle.textContent = 'looking …';
        this.work.watch(this.desk.ask<CycleAnswer>(tree, { kind: 'cycle' }, true)).then((found) => {
            const most = found.multipliers.reduce((m, [re, im]) => Math.max(m, Math.hypot(re, im)), 0);
            this.cycle.textContent = `Period ${show(found.period, 6)} s, ${found.stable === null ? 'neither attracting nor repelling' : found.stable ? 'stable' : 'not stable'}, largest multiplier ${show(most, 4)}; amplitude ${Object.entries(found.amplitude).map(([k, v]) => `${k} ${prefixed(v, this.unitOf(k))}`).join(', ')}.`;
        }, (caught) => { if (!(caught instanceof Replaced)) this.cycle.textContent = inWords(caught); });
    }
}
