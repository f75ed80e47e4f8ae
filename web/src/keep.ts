// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Work is kept: what was edited stands in the entry of the browser's history, so that reload, back and forward bring it back, and in
// its storage, so that it is there when the page is opened another day. Where the browser keeps nothing, nothing is kept.
import type { Start } from './core/protocol';
import type { Lab, Settings } from './lab';

/** One model with what was done to it. home: the start as it was written, before any was dragged. */
export interface Work { name: string; original: string; text: string; home: Start | null; view: Settings; lesson?: string }

const PLACE = 'slipstick.work';
const QUIET = 200; // ms without a change, before it is written down

function isWork(value: unknown): value is Work {
    const work = value as Work | null;
    return Boolean(work) && typeof work!.name === 'string' && typeof work!.original === 'string' && typeof work!.text === 'string';
}

export class Keeper {
    private timer = 0;

    constructor(private readonly lab: Lab, private readonly lesson: () => string | undefined) {
        for (const topic of ['text', 'select', 'run'] as const) lab.on(topic, () => this.later());
        lab.on('model', () => window.clearTimeout(this.timer)); // what follows is another entry
        window.addEventListener('pagehide', () => this.save());
        document.addEventListener('visibilitychange', () => { if (document.hidden) this.save(); });
    }

    private later(): void {
        window.clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.save(), QUIET);
    }

    /** Writes down what is there now. */
    save(): void {
        window.clearTimeout(this.timer);
        const { name, original, text, view, home } = this.lab;
        if (!text) return;
        const work: Work = { name, original, text, home, view, lesson: this.lesson() };
        try {
            history.replaceState({ work }, '');
            localStorage.setItem(PLACE, JSON.stringify(work));
        } catch { /* full, or forbidden: then it is not kept */ }
    }

    /** Another page of the history: Back comes back to what was there. */
    visit(address: string): void {
        this.save();
        history.pushState(null, '', address);
    }

    /** What an entry of the history holds. */
    static in(state: unknown): Work | null {
        const work = (state as { work?: unknown } | null)?.work;
        return isWork(work) ? work : null;
    }

    /** What a page that is loaded goes on with: its entry, or what was stored a moment later, just before it was left. */
    static returned(): Work | null {
        const kept = Keeper.in(history.state), again = (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type === 'reload', last = again ? Keeper.last() : null;
        return last && (kept ? last.name === kept.name : location.hash === `#model=${last.name}`) ? last : kept;
    }

    /** What was there when the page was last open. */
    static last(): Work | null {
        try {
            const work: unknown = JSON.parse(localStorage.getItem(PLACE) ?? 'null');
            return isWork(work) ? work : null;
        } catch {
            return null;
        }
    }

    static forget(): void {
        try { localStorage.removeItem(PLACE); } catch { /* then there is nothing */ }
    }
}
