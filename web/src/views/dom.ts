// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Small helpers to make elements.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** An element: attributes that begin with "on" are listeners. */
export function el<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined || value === false) continue;
        if (typeof value === 'function') made.addEventListener(key.slice(2), value as unknown as EventListener);
        else if (value === true) made.setAttribute(key, '');
        else made.setAttribute(key, String(value));
    }
    for (const child of children) if (child) made.append(child);
    return made;
}

/** A card with a title and a place for its controls; body is what the view fills. */
export function card(title: string, id: string, hint = ''): { root: HTMLElement; head: HTMLElement; body: HTMLElement } {
    const head = el('div', { class: 'tools' });
    const body = el('div', { class: 'body' });
    const root = el('section', { class: 'card', id, 'aria-label': title }, el('header', {}, el('h2', { title: hint }, title), head), body);
    return { root, head, body };
}

const MOST_BUTTONS = 6, MOST_LETTERS = 40; // in a row of buttons

/** Fills a place with a list of which one entry is chosen. What is there already stays, so that it keeps the focus. */
function chooseFromList(place: HTMLElement, names: readonly string[], chosen: number, pick: (index: number) => void, label: string): void {
    let list = place.querySelector<HTMLSelectElement>('select');
    if (list?.dataset.names !== names.join('|')) {
        list = el('select', { 'aria-label': label, 'data-names': names.join('|') }, ...names.map((name, k) => el('option', { value: k }, name)));
        list.addEventListener('change', (event) => pick(Number((event.target as HTMLSelectElement).value)));
        place.replaceChildren(list);
    }
    list.value = String(chosen);
}

/** Fills a place with a row of buttons of which one is pressed; many are a list. Buttons that are there already stay, so that they keep the focus. */
export function choose(place: HTMLElement, names: readonly string[], chosen: number, pick: (index: number) => void, label: string): void {
    const old = place.querySelector<HTMLElement>('.choice'), key = names.join('|');
    if (names.length > MOST_BUTTONS || key.length > MOST_LETTERS) {
        chooseFromList(place, names, chosen, pick, label);
        return;
    }
    if (old?.dataset.names !== key) {
        const row = el('div', { class: 'choice', role: 'group', 'aria-label': label, 'data-names': key });
        names.forEach((name, k) => row.append(el('button', { type: 'button', onclick: () => pick(k) }, name)));
        place.replaceChildren(row);
    }
    place.querySelectorAll('.choice button').forEach((button, k) => button.setAttribute('aria-pressed', String(k === chosen)));
}

export function download(name: string, content: BlobPart, type: string): void {
    const address = URL.createObjectURL(new Blob([content], { type }));
    const link = el('a', { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}
