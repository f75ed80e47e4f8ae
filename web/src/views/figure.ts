// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The figures of the command line, drawn by the same C: for reports, and to compare with what moves above.
import { Desk, Replaced } from '../core/desk';
import type { ContactInfo } from '../core/protocol';
import { bodyViews, sliderViews } from '../core/wasm';
import type { Lab } from '../lab';
import type { Tree } from '../model/tree';
import { inWords } from '../model/words';
import { card, choose, download } from './dom';
import { Work } from './work';

const MAP_CELLS = 101; // a side of the map that is drawn

/** Whether a contact is a stop whose force is drawn over how far it is pressed in. */
function givesWay(contact: ContactInfo): boolean { return contact.law === 'hunt-crossley' || contact.law === 'elastic-stop'; }

export class FigureView {
    readonly root: HTMLElement;
    private readonly head: HTMLElement;
    private readonly body: HTMLElement;
    private readonly desk = new Desk(400);
    private readonly work: Work;
    private visible = false;
    private stale = true;
    private asked: Tree | null = null; // whose figure is drawn

    constructor(private readonly lab: Lab) {
        const { root, head, body } = card('Figure for print', 'figure', 'As slipstick simulate --plot draws it');
        this.root = root;
        this.head = head;
        this.body = body;
        body.classList.add('figure');
        this.work = new Work(root, () => { this.desk.stop(); this.body.textContent = 'Stopped.'; }, 'drawing');
        new IntersectionObserver((seen) => {
            this.visible = seen.some((s) => s.isIntersecting);
            if (this.visible && this.stale) this.ask();
        }).observe(root);
        for (const topic of ['run', 'theme', 'select', 'certificate'] as const) lab.on(topic, () => { if (!lab.live) this.ask(); });
        lab.on('model', () => { // nothing of another one stays
            this.asked = null;
            this.head.replaceChildren();
            this.body.replaceChildren();
        });
    }

    /** What there is to draw of this model. */
    private views(): readonly string[] {
        const { run, certificate, spans } = this.lab, contacts = run?.info.contacts ?? [];
        if (run?.info.supports) return sliderViews;
        const rubs = contacts.some((c) => !c.stops), gives = contacts.some(givesWay);
        const motion = bodyViews.filter((name) => (name === 'loop' ? rubs : name === 'impact' ? gives : name === 'law' ? rubs || gives : true));
        return [...motion, ...(certificate?.equilibrium_set ? ['certificate'] : []), ...(spans.length ? ['map'] : [])];
    }

    private chosen(): string {
        const views = this.views();
        return views.includes(this.lab.view.figure) ? this.lab.view.figure : views[0];
    }

    private request(theme: string): Parameters<Desk['ask']>[1] {
        const { run, start } = this.lab, { bodies, contacts, until } = run!.info, view = this.chosen(), own = contacts?.[this.lab.contact];
        if (view === 'map') return { kind: 'picture-map', axes: this.lab.axes(MAP_CELLS), until, theme, width: 0, height: 0 };
        const fits = view === 'law' ? own : view === 'loop' && !own?.stops ? own : view === 'impact' && own && givesWay(own) ? own : undefined;
        const of = view === 'phase' ? bodies?.[this.lab.body]?.name : fits?.name;
        return { kind: 'picture', view, of: of ?? null, theme, width: 0, height: 0, until: -1, start };
    }

    private ask(): void {
        this.stale = true;
        const tree = this.lab.tree;
        if (!this.visible || !tree || !this.lab.run) return;
        this.stale = false;
        this.asked = tree;
        const names = this.views();
        choose(this.head, names, names.indexOf(this.chosen()), (k) => { this.lab.view.figure = this.views()[k]; this.ask(); }, 'Figure');
        const dark = document.documentElement.dataset.theme === 'dark';
        this.work.watch(this.desk.ask<string>(tree, this.request(dark ? 'dark' : 'screen'), true)).then((svg) => {
            if (this.asked !== tree) return;
            this.body.innerHTML = svg;
            this.body.querySelector('svg')?.setAttribute('role', 'img');
            this.body.querySelector('svg')?.setAttribute('aria-label', `${this.lab.run?.info.title ?? ''}: ${this.chosen()}`);
        }, (caught) => { if (!(caught instanceof Replaced) && this.asked === tree) this.body.textContent = inWords(caught); });
    }

    /** The figure for print, drawn anew in the colours of paper. */
    async forPrint(): Promise<string> { return this.work.watch(new Desk().ask<string>(this.lab.tree!, this.request('print'))); }

    async save(kind: 'svg' | 'png'): Promise<void> {
        const svg = await this.forPrint(), name = `${this.lab.name || 'model'}-${this.chosen()}`;
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
