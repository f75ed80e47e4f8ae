// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A word to whoever is there, about what just happened: a link that is damaged, work that is back. It goes when it is closed or when
// another model is opened.
import { el } from './dom';

export class Notice {
    readonly root = el('div', { class: 'notice', id: 'notice', role: 'status', hidden: true });

    tell(text: string, action: { name: string; work: () => void } | null = null): void {
        this.root.replaceChildren(el('span', {}, text),
            ...(action ? [el('button', { type: 'button', onclick: () => { this.close(); action.work(); } }, action.name)] : []),
            el('button', { type: 'button', class: 'close', 'aria-label': 'Close this note', onclick: () => this.close() }, '✕'));
        this.root.hidden = false;
    }

    close(): void { this.root.hidden = true; }
}
