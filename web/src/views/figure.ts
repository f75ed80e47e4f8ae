// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The figures of the command line, drawn by the same C: for reports, and to compare with what moves above.
import { Desk, Replaced } from '../core/desk';
import { bodyViews, sliderViews } from '../core/wasm';
import type { Lab } from '../lab';
import { card, choice, download } from './dom';

export class FigureView {
    readonly root: HTMLElement;
    private readonly head: HTMLElement;
    private readonly body: HTMLElement;
    private readonly desk = new Desk(400);
    private view = 0;
    private visible = false;
    private stale = true;
    svg = '';

    constructor(private readonly lab: Lab) {
        const { root, head, body } = card('Figure for print', 'figure', 'As slipstick simulate --plot draws it');
        this.root = root;
        this.head = head;
        this.body = body;
        body.classList.add('figure');
        new IntersectionObserver((seen) => {
            this.visible = seen.some((s) => s.isIntersecting);
            if (this.visible && this.stale) this.ask();
        }).observe(root);
        lab.on('model', () => { this.view = 0; });
        for (const topic of ['run', 'theme', 'select'] as const) lab.on(topic, () => { if (!lab.live) this.ask(); });
    }

    private views(): readonly string[] { return this.lab.run?.info.supports ? sliderViews : [...bodyViews.filter((v) => v !== 'impact'), 'certificate']; }

    private request(theme: string): Parameters<Desk['ask']>[1] {
        const info = this.lab.run!.info, view = this.views()[this.view] ?? 'time';
        const of = view === 'phase' ? info.bodies?.[this.lab.body]?.name ?? null : view === 'loop' ? info.contacts?.find((c, k) => k === this.lab.contact && !c.stops)?.name ?? null : null;
        return { kind: 'picture', view, of, theme, width: 0, height: 0, until: -1, start: this.lab.start };
    }

    private ask(): void {
        this.stale = true;
        const tree = this.lab.tree;
        if (!this.visible || !tree || !this.lab.run) return;
        this.stale = false;
        const names = this.views();
        this.head.replaceChildren(choice([...names], this.view, (k) => { this.view = k; this.ask(); }, 'Figure'));
        const dark = document.documentElement.dataset.theme === 'dark';
        this.desk.ask<string>(tree, this.request(dark ? 'dark' : 'screen'), true).then((svg) => {
            this.svg = svg;
            this.body.innerHTML = svg;
            this.body.querySelector('svg')?.setAttribute('role', 'img');
        }, (caught) => { if (!(caught instanceof Replaced)) this.body.textContent = (caught as Error).message; });
    }

    /** The figure for print, drawn anew in the colours of paper. */
    async forPrint(): Promise<string> { return new Desk().ask<string>(this.lab.tree!, this.request('print')); }

    async save(kind: 'svg' | 'png'): Promise<void> {
        const svg = await this.forPrint(), name = `${this.lab.name || 'model'}-${this.views()[this.view]}`;
        if (kind === 'svg') {
            download(`${name}.svg`, svg, 'image/svg+xml');
            return;
        }
        const image = new Image(), address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
        await new Promise((resolve, reject) => {
            image.onload = resolve;
            image.onerror = reject;
            image.src = address;
        });
        const canvas = document.createElement('canvas');
        canvas.width = 2 * image.width;
        canvas.height = 2 * image.height;
        canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
        URL.revokeObjectURL(address);
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
        if (blob) download(`${name}.png`, blob, 'image/png');
    }
}
