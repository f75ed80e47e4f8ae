// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What this is and what to do, for whoever opens the page for the first time.
import { el } from './dom';

export class Intro {
    readonly root: HTMLElement;

    constructor(learn: () => void) {
        const [drag, click] = matchMedia('(pointer: coarse)').matches ? ['Hold and drag', 'Tap'] : ['Drag', 'Click'];
        const close = (): void => { this.root.hidden = true; };
        this.root = el('section', { class: 'card intro', id: 'intro', 'aria-label': 'What this is', hidden: true },
            el('p', {}, el('b', {}, 'Machines with dry friction, computed exactly.'), ' They stick, they slip, and they stop where friction holds them.'),
            el('ol', {},
                el('li', {}, el('b', {}, drag), ' a block and let go'),
                el('li', {}, el('b', {}, 'Turn'), ' a number of the model'),
                el('li', {}, el('b', {}, click), ' in the phase plane or the map to start there')),
            el('div', { class: 'row' },
                el('button', { type: 'button', id: 'first-lesson', class: 'main', onclick: () => { close(); learn(); } }, 'First lesson'),
                el('button', { type: 'button', class: 'close', 'aria-label': 'Close this note', onclick: close }, '✕')));
    }
}
