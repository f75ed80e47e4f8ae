// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What can be taken away: a link, the model, the motion as a table, figures, and the same for the command line and Python.
import type { Lab } from '../lab';
import { pack } from '../link';
import { csv } from '../model/table';
import { download, el } from './dom';
import type { FigureView } from './figure';

const FROM_DISK = 'This page is a file on your disk, so the link opens on this computer only: a bookmark of your work. To hand it on, save the model as a file, or send this page and the part of the link from # on.';

/** The start in use as --set options. */
function sets(lab: Lab): string[] {
    if (!lab.start || !lab.run) return [];
    const info = lab.run.info;
    if (info.supports) return ['x', 'y', 'angle'].map((k, j) => `start.slider.${k}=${lab.start!.x[j]}`).concat(['vx', 'vy', 'spin'].map((k, j) => `start.slider.${k}=${lab.start!.v[j]}`));
    return info.bodies!.flatMap((b, k) => (b.driven ? [] : [...(lab.start!.x[k] !== b.x ? [`${b.name}.x=${lab.start!.x[k]}`] : []), ...(lab.start!.v[k] !== b.v ? [`${b.name}.v=${lab.start!.v[k]}`] : [])]));
}

/** What the model is called as a file. */
function fileOf(lab: Lab): string { return `${lab.name.replace(/[^\w.-]+/g, '-') || 'model'}.yaml`; }

/** A word as shells read it. */
function quoted(word: string): string { return /^[\w.,:=+/[\]-]+$/.test(word) && !/[[\]]/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`; }

export function shellText(lab: Lab): string {
    return [`slipstick simulate ${fileOf(lab)}`, ...sets(lab).map((s) => `--set ${quoted(s)}`)].join(' ');
}

export function pythonText(lab: Lab): string {
    const changes = sets(lab).map((s) => [s.slice(0, s.lastIndexOf('=')), s.slice(s.lastIndexOf('=') + 1)]).map(([path, value]) => `${JSON.stringify(path)}: ${value}`);
    return `import slipstick as ss\n\nmodel = ss.load("${fileOf(lab)}"${changes.length ? `, set={${changes.join(', ')}}` : ''})\nmotion = model.simulate()\nprint(motion.outcome, motion.t_end)`;
}

export class TakeAway {
    readonly root: HTMLDialogElement;
    private readonly shell = el('pre', {});
    private readonly python = el('pre', {});
    private readonly told = el('p', { class: 'muted', role: 'status' });

    constructor(private readonly lab: Lab, figure: FigureView, private readonly lesson: () => string | undefined) {
        const name = (): string => fileOf(lab).replace(/\.yaml$/, '');
        const button = (text: string, title: string, work: () => void, id = ''): HTMLElement => el('button', { type: 'button', title, id: id || undefined, onclick: work }, text);
        const copy = (what: HTMLElement): HTMLElement => button('Copy', 'Copy to the clipboard', () => this.copy(what.textContent ?? ''));
        this.root = el('dialog', { class: 'takeaway', 'aria-label': 'Share and save' },
            el('header', {}, el('h2', {}, 'Take it with you'), el('button', { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => this.root.close() }, '✕')),
            el('div', { class: 'row' },
                button('Copy link', 'A link that carries the model, its start and what is looked at', () => { void this.link(); }, 'copy-link'),
                button('Model (YAML)', 'The model as a file', () => download(fileOf(lab), lab.text, 'text/yaml'), 'save-yaml'),
                button('Motion (CSV)', 'The motion, moment by moment', () => { if (lab.run) download(`${name()}.csv`, csv(lab.run), 'text/csv'); }, 'save-csv'),
                button('Figure (SVG)', 'The figure for print', () => { void figure.save('svg'); }, 'save-svg'),
                button('Figure (PNG)', 'The figure as pixels', () => { void figure.save('png'); }, 'save-png'),
                button('Print', 'This page on paper', () => { this.root.close(); window.print(); })),
            this.told,
            el('p', { class: 'muted' }, 'Save the model as a file; the program and the Python package then compute the same numbers.'),
            el('h3', {}, 'The same on the command line'), el('div', { class: 'copied' }, this.shell, copy(this.shell)),
            el('h3', {}, 'and in Python'), el('div', { class: 'copied' }, this.python, copy(this.python)));
        document.body.append(this.root);
    }

    open(): void {
        this.shell.textContent = shellText(this.lab);
        this.python.textContent = pythonText(this.lab);
        this.told.textContent = '';
        this.root.showModal();
    }

    private async link(): Promise<void> {
        const { name, text, start, view } = this.lab, hash = await pack({ name, text, start, view, lesson: this.lesson() });
        history.replaceState(history.state, '', hash);
        this.copy(location.href, location.protocol === 'file:' ? FROM_DISK : '');
    }

    private copy(text: string, more = ''): void {
        navigator.clipboard.writeText(text).then(() => { this.told.textContent = `Copied. ${more}`; }, () => {
            this.told.textContent = 'The browser did not allow copying; the address bar has the link. ' + more;
        });
    }
}
