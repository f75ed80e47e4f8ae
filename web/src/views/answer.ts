// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the motion came to: outcome, where all is at the end, energy, events; and what the run before came to.
import type { Description, MotionAnswer, Note, Run } from '../core/protocol';
import type { Lab } from '../lab';
import { ridesOn } from '../model/floor';
import { prefixed, show } from '../model/numbers';
import { card, el } from './dom';

const OUTCOMES: Record<string, string> = { 'at-rest': 'comes to rest', 'time-reached': 'still moves at the end', escaped: 'runs away', 'event-limit': 'could not be computed to the end', 'led by hand': 'is led by hand' };
const SLIDER_UNITS: Record<string, string> = { x: 'm', y: 'm', angle: 'rad', vx: 'm/s', vy: 'm/s', spin: 'rad/s' };
const MOST_EVENTS = 200, MOST_LINES = 8, MOST_NOTES = 3;

/** What becomes of a slider that a moving floor takes along; null: it is no such thing. */
function carried(answer: MotionAnswer, info: Description): string | null {
    if (ridesOn(answer, info)) return `rides on with the floor from t = ${show(answer.t, 6)} s`;
    return info.floor_moves && answer.outcome === 'time-reached' && answer.settles ? 'is carried by the floor, and will be for ever' : null;
}

/** What became of a motion, in words: "comes to rest at ..". */
export function outcomeOf({ answer, away, info }: Pick<Run, 'answer' | 'away' | 'info'>): string {
    if (away && answer.outcome !== 'at-rest') return `runs away at t = ${show(away.t)} s`;
    const ridden = carried(answer, info);
    if (ridden) return ridden;
    const when = answer.outcome === 'at-rest' ? ` at t = ${show(answer.t, 6)} s` : answer.outcome === 'escaped' ? ` by t = ${show(answer.t)} s` : '';
    return `${OUTCOMES[answer.outcome] ?? answer.outcome}${when}`;
}

const NOTHING = 1e-9; // of the largest size that a number has during the motion: what is left of it is none to a reader

/** A number at the end as it is told: what has decayed to nothing is 0. column: where it stands in the table. */
function atEnd({ table, rows, info }: Run, column: number, value: number): number {
    let most = 0;
    for (let k = column; k < rows * info.width; k += info.width) most = Math.max(most, Math.abs(table[k]) || 0);
    return Math.abs(value) < NOTHING * most ? 0 : value;
}

/** States at the end, a line per body, then the numbers of an open model. */
function placesOf(run: Run): string[] {
    const { answer, info } = run, unitOf = (body: string, name: string): string => {
        if (info.supports) return SLIDER_UNITS[name] ?? '';
        const angular = info.bodies?.find((b) => b.name === body)?.angular ?? false;
        return name === 'x' ? (angular ? 'rad' : 'm') : angular ? 'rad/s' : 'm/s';
    };
    const n = info.bodies?.length ?? 0, columnOf = (body: string, name: string): number => (info.supports ? 1 + Object.keys(SLIDER_UNITS).indexOf(name) : 1 + (name === 'v' ? n : 0) + info.bodies!.findIndex((b) => b.name === body));
    const entry = (name: string, value: number, column: number, unit: string): string => `${name} = ${prefixed(atEnd(run, column, value), unit, 5)}`;
    const bodies = Object.entries(answer.state).map(([body, s]) => `${body}: ` + Object.entries(s).map(([name, v]) => entry(name, v, columnOf(body, name), unitOf(body, name))).join(', '));
    const told = { ...(answer.states as object), ...(answer.signals as object), ...(answer.memory as object) } as Record<string, number>;
    const first = 1 + 2 * n + 5 * (info.contacts?.length ?? 0), unit = (q: { unit: string }): string => (q.unit === '1' ? '' : q.unit);
    const numbers = (info.numbers ?? []).flatMap((q, k) => (q.name in told ? [entry(q.name, told[q.name], first + k, unit(q))] : []));
    return [...bodies, ...(numbers.length ? [numbers.join(', ')] : [])];
}

/** What the core notes of a motion, as a sentence: "At t = 2 s: several distributions hold." */
function noteOf({ t, text }: Note): string { return `At t = ${show(t, 6)} s: ${text.replace(/:(?= )/g, ',')}.`; }

export class AnswerView {
    readonly root: HTMLElement;
    private readonly body: HTMLElement;
    private readonly list = el('ol', { class: 'events' });
    private readonly summary = el('summary', {});
    private readonly details = el('details', {}, this.summary, this.list); // opened or closed, it stays so

    constructor(private readonly lab: Lab) {
        const { root, body } = card('What happened', 'answer');
        this.root = root;
        this.body = body;
        body.classList.add('prose');
        for (const topic of ['run', 'compare'] as const) lab.on(topic, () => this.draw());
        lab.on('model', () => { this.details.open = false; });
    }

    private draw(): void {
        const { run, before } = this.lab;
        if (!run) return;
        const { answer } = run, places = placesOf(run);
        this.body.replaceChildren(
            el('p', { class: 'outcome', 'data-outcome': run.away ? 'escaped' : answer.outcome }, `It ${outcomeOf(run)}${run.away && answer.outcome === 'at-rest' ? ', outside the picture' : ''}.`),
            ...(before && before !== run ? [el('p', { class: 'muted' }, `Before: it ${outcomeOf(before)}.`)] : []),
            ...(answer.settles && !run.info.supports ? [el('p', { class: 'muted' }, 'What is left provably decays.')] : []),
            ...(run.away ? [el('p', { class: 'muted' }, `It is shown until it leaves the neighbourhood of its start and of the places where it can rest. At t = ${show(answer.t)} s:`)] : []),
            el('p', { class: 'muted places' }, places.slice(0, MOST_LINES).join('\n') + (places.length > MOST_LINES ? '\n…' : '')),
            this.energy(answer.energy), this.events(answer),
            ...answer.notes.slice(0, MOST_NOTES).map((note) => el('p', { class: 'muted' }, noteOf(note))),
            ...answer.warnings.map((warning) => el('p', { class: 'warning' }, warning)));
    }

    private events({ events }: MotionAnswer): HTMLElement {
        const rows: Node[] = events.slice(0, MOST_EVENTS).map((event) => {
            const what = `${event.contact}: ${event.from ?? ''} → ${event.to ?? ''} ${event.kind && event.kind !== 'mode' ? event.kind : ''}`;
            return el('li', {}, el('button', { type: 'button', title: 'Show this moment', onclick: () => { this.lab.play(false); this.lab.setTime(event.t); } }, el('time', {}, `${show(event.t, 6)} s`), ` ${what}`));
        });
        if (events.length > MOST_EVENTS) rows.push(el('li', { class: 'muted' }, `and ${events.length - MOST_EVENTS} more`));
        this.list.replaceChildren(...rows);
        this.summary.textContent = `${events.length} event${events.length === 1 ? '' : 's'}`;
        return this.details;
    }

    /** Where the energy went, as one bar. */
    private energy(energy: Record<string, number>): HTMLElement {
        const gained = Math.max(0, energy.start) + Math.max(0, energy.input) + Math.max(0, -energy.damping), whole = Math.max(gained, 1e-300);
        const pieces: [string, number, string][] = [['friction', energy.friction, 'slip'], ['damping', Math.max(0, energy.damping), 'series3'], ['impact', energy.impact, 'closed'], ['left', Math.max(0, energy.end), 'stick']];
        const shown = pieces.filter(([, value]) => value / whole > 0.002);
        const from = [`start ${prefixed(energy.start, 'J')}`, energy.input ? `input ${prefixed(energy.input, 'J')}` : '', energy.damping < 0 ? `damper feeds ${prefixed(-energy.damping, 'J')}` : ''].filter(Boolean).join(' + ');
        const bar = el('div', { class: 'bar', role: 'img', 'aria-label': `Energy: ${from}; ${shown.map(([name, value]) => `${name} ${prefixed(value, 'J')}`).join(', ')}` });
        for (const [name, value, color] of shown) bar.append(el('i', { style: `flex:${value / whole};background:var(--${color})`, title: `${name}: ${prefixed(value, 'J')}` }));
        const legend = shown.map(([name, value, color]) => el('span', { style: `--c:var(--${color})` }, `${name} ${prefixed(value, 'J')}`));
        return el('div', { class: 'energy' }, el('p', { class: 'muted' }, `Energy: ${from}; the ledger closes to ${show(Math.abs(energy.residual), 2)} J`), bar, el('p', { class: 'shares' }, ...legend));
    }
}
