// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A sign of work on a card whose answer takes longer than a blink, with a way to give it up where there is one.
import { el } from './dom';

export const BLINK = 300; // ms

export class Work {
    private readonly sign: HTMLElement;
    private turn = 0;

    /** host: where the sign is shown; stop: gives up what is awaited. */
    constructor(private readonly host: HTMLElement, stop: (() => void) | null = null, what = 'computing') {
        const button = stop ? el('button', { type: 'button', class: 'stop', onclick: () => { this.end(); stop(); } }, 'Stop') : null;
        this.sign = el('div', { class: 'working', role: 'status', hidden: true }, el('i', { 'aria-hidden': 'true' }), el('span', {}, `${what} …`), button);
        host.append(this.sign);
    }

    /** Shows the sign as long as the newest of such promises is not there, from a blink on. */
    watch<T>(promise: Promise<T>): Promise<T> {
        const turn = ++this.turn, done = (): void => { if (turn === this.turn) this.end(); };
        window.setTimeout(() => { if (turn === this.turn && this.sign.hidden) this.show(); }, BLINK);
        promise.then(done, done);
        return promise;
    }

    private show(): void {
        this.sign.hidden = false;
        this.host.setAttribute('aria-busy', 'true');
    }

    private end(): void {
        this.turn++;
        this.sign.hidden = true;
        this.host.removeAttribute('aria-busy');
    }
}
