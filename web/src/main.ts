// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The page: what stands where, the clock that plays, keys, the link.
import { slipstick } from './api';
import { Lab, type ModelFile } from './lab';
import { lessons } from './lessons/lessons';
import { unpack } from './link';
import { forgetColors } from './views/colors';
import { el } from './views/dom';
import { Editor } from './views/editor';
import { FigureView } from './views/figure';
import { LawView } from './views/law';
import { LessonsView } from './views/lessons';
import { LoopView } from './views/loop';
import { MapView } from './views/map';
import { PhaseView } from './views/phase';
import { Sliders } from './views/sliders';
import { Stage } from './views/stage';
import { SphereView, SurfaceView } from './views/surface';
import { TakeAway } from './views/takeaway';
import { TimeView } from './views/time';
import { TopView } from './views/topview';
import { Transport } from './views/transport';
import { AnswerView, VerdictView } from './views/verdict';

declare const MODELS: ModelFile[]; // put in by build.mjs

window.slipstick = slipstick;

/** The words a model opens with. */
function wordsOf(text: string): string {
    return text.split('\n').filter((line, k, all) => line.startsWith('#') && all.slice(0, k).every((l) => l.startsWith('#'))).map((line) => line.replace(/^#\s?/, '')).join(' ');
}

function titleOf(model: ModelFile): string { return /^title:\s*(.*)$/m.exec(model.text)?.[1].replace(/^["']|["']$/g, '') ?? model.name; }

/** Models in groups, for the list. */
const GROUPS: [string, RegExp][] = [
    ['Blocks, belts and floors', /block|belt|pair|wedge|valve|carried|struck/],
    ['Memory: bristles', /hysteresis|lugre|maxwell|play/],
    ['Drives and controllers', /servo|motor|drive|loop|pendulum/],
    ['Sliders on a plane', /./],
];

class Page {
    private readonly lab = new Lab(MODELS);
    private readonly words = el('p', { class: 'words', id: 'words', tabindex: 0 });
    private readonly picker = el('select', { id: 'models', 'aria-label': 'Model' });
    private readonly stageHost = el('div', { class: 'stage' });
    private readonly cards = el('div', { class: 'cards' });
    private readonly errorLine = el('p', { class: 'fault', id: 'fault', role: 'alert', hidden: true });
    private readonly compare = el('button', { type: 'button', id: 'compare', title: 'Keep this run to compare with (the last one before a change is kept by itself)' }, 'Pin run');
    private readonly hint = el('p', { class: 'hint' });
    private readonly stage: Stage;
    readonly topView: TopView;
    private readonly lessons: LessonsView;
    private readonly takeAway: TakeAway;
    readonly editor: Editor;
    private readonly forBodies: { root: HTMLElement }[];
    private readonly forSliders: { root: HTMLElement }[];
    private readonly forBoth: { root: HTMLElement }[];
    private last = 0;
    /** Time of this page's own work per frame, in ms: the newest 300 frames. */
    readonly frames: number[] = [];

    constructor() {
        const lab = this.lab;
        document.body.append(this.header(), this.main());
        this.stage = new Stage(this.stageHost, lab);
        this.topView = new TopView(this.stageHost, lab);
        const editorHost = document.getElementById('editor')!, slidersHost = document.getElementById('sliders')!;
        this.editor = new Editor(editorHost, lab);
        new Sliders(slidersHost, lab, this.editor);
        const figure = new FigureView(lab);
        this.takeAway = new TakeAway(lab, figure);
        this.lessons = new LessonsView(lab, (views) => this.point(views));
        document.querySelector('.left')!.prepend(this.lessons.root);
        this.forBodies = [new PhaseView(lab), new MapView(lab, this.editor), new VerdictView(lab), new LawView(lab), new LoopView(lab)];
        this.forSliders = [new SurfaceView(lab), new SphereView(lab)];
        const answer = new AnswerView(lab);
        this.forBoth = [new TimeView(lab), answer, figure];
        this.cards.append(this.forBoth[0].root, ...this.forBodies.map((v) => v.root), ...this.forSliders.map((v) => v.root), answer.root, figure.root);
        this.listen();
        void this.begin();
    }

    // ---- what stands where

    private header(): HTMLElement {
        const button = (text: string, title: string, work: () => void, id: string): HTMLElement => el('button', { type: 'button', title, id, onclick: work }, text);
        const lessonsMenu = el('select', { id: 'lessons', 'aria-label': 'Lessons' }, el('option', { value: '' }, 'Lessons …'), ...lessons.map((l, k) => el('option', { value: l.id }, `${k + 1}. ${l.title}`)));
        lessonsMenu.addEventListener('change', () => { this.lessons.begin(lessonsMenu.value || null); lessonsMenu.value = ''; });
        for (const [name, pattern] of GROUPS) {
            const group = el('optgroup', { label: name });
            for (const model of MODELS) {
                const slider = /^slider:/m.test(model.text), first = GROUPS.find(([n, p]) => (n === 'Sliders on a plane' ? slider : !slider && p.test(model.name))) ?? GROUPS[0];
                if (first[0] === name) group.append(el('option', { value: model.name }, titleOf(model)));
            }
            if (group.childElementCount) this.picker.append(group);
            void pattern;
        }
        const logo = el('span', { class: 'logo', 'aria-hidden': 'true' });
        logo.innerHTML = '<svg viewBox="0 0 32 32" width="26" height="26"><rect width="32" height="32" rx="7" fill="var(--accent)"/><path d="M4 23.5h24" stroke="var(--slip)" stroke-width="3"/><rect x="10" y="11" width="12" height="11" rx="1.5" fill="var(--card)"/></svg>';
        return el('header', { class: 'top' },
            el('div', { class: 'brand' }, logo, el('div', {}, el('h1', {}, 'Slipstick'), el('span', { class: 'tagline' }, 'friction in your hands'))),
            this.picker, lessonsMenu,
            el('div', { class: 'spring' }),
            button('↶', 'Undo', () => this.editor.undo(), 'undo'), button('↷', 'Redo', () => this.editor.redo(), 'redo'),
            button('Reset', 'The model as it came', () => this.reset(), 'reset'),
            button('Take away', 'Link, files, figures', () => this.takeAway.open(), 'take'),
            button('◐', 'Light or dark', () => this.toggleTheme(), 'theme'));
    }

    private main(): HTMLElement {
        const tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'The model' });
        const panels = [el('div', { id: 'sliders', class: 'sliders', role: 'tabpanel' }), el('div', { id: 'editor', class: 'editor', role: 'tabpanel', hidden: true })];
        ['Sliders', 'Model as text'].forEach((name, k) => tabs.append(el('button', { type: 'button', role: 'tab', id: k ? 'tab-text' : 'tab-sliders', 'aria-controls': panels[k].id, 'aria-selected': String(k === 0), onclick: () => {
            panels.forEach((p, j) => { p.hidden = j !== k; });
            [...tabs.children].forEach((b, j) => b.setAttribute('aria-selected', String(j === k)));
            document.body.dataset.panel = k ? 'text' : 'sliders';
            if (k) this.editor.view.requestMeasure();
        } }, name)));
        const transport = new Transport(this.lab);
        return el('main', {},
            el('div', { class: 'left' }, el('section', { class: 'card model', 'aria-label': 'The model' }, el('h2', { class: 'heard' }, 'The model'), this.words, tabs, this.errorLine, ...panels)),
            el('div', { class: 'right' },
                el('section', { class: 'card theatre', 'aria-label': 'The motion' }, this.stageHost, transport.root, el('div', { class: 'under' }, this.hint, el('div', { class: 'key', 'aria-hidden': 'true' }, el('span', { class: 'k-stick' }, 'sticks'), el('span', { class: 'k-slip' }, 'slips'), el('span', { class: 'k-before' }, 'before the last change')), this.compare)),
                this.cards));
    }

    /** Cards that a lesson wants to be looked at come first. */
    private point(views: string[]): void {
        for (const card of this.cards.children) {
            const place = views.indexOf(card.id);
            (card as HTMLElement).style.order = place < 0 ? '' : String(place - 10);
            card.classList.toggle('pointed', place >= 0);
        }
    }

    // ---- what happens when

    private listen(): void {
        const lab = this.lab;
        this.picker.addEventListener('change', () => { this.lessons.begin(null); lab.open(this.picker.value); lab.present(); });
        this.compare.addEventListener('click', () => {
            lab.pinned = !lab.pinned;
            lab.before = lab.pinned ? lab.run : null;
            lab.tell('compare');
            this.refreshCompare();
        });
        lab.on('model', () => {
            const model = MODELS.find((m) => m.name === lab.name);
            this.picker.value = model ? model.name : '';
            this.words.textContent = wordsOf(lab.original) || (model ? '' : 'Your own model.');
            history.replaceState(null, '', location.pathname + location.search);
            this.refreshCompare();
        });
        lab.on('run', () => this.arrange());
        lab.on('error', () => {
            this.errorLine.hidden = !lab.error;
            this.errorLine.textContent = lab.error ? (lab.error.line ? `Line ${lab.error.line}: ` : '') + (lab.error.field ? `${lab.error.field}: ` : '') + lab.error.text : '';
            document.body.classList.toggle('faulty', Boolean(lab.error));
        });
        document.addEventListener('keydown', (event) => {
            const target = event.target as HTMLElement;
            if (event.key !== ' ' || target.closest('.cm-editor, input, select, textarea, button, dialog')) return;
            event.preventDefault();
            lab.play(!lab.playing);
        });
        matchMedia('print').addEventListener('change', (paper) => { // paper is light
            const shown = document.documentElement.dataset.theme;
            if (paper.matches) document.documentElement.dataset.shown = shown;
            this.setTheme(!paper.matches && document.documentElement.dataset.shown === 'dark');
        });
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (query) => this.setTheme(query.matches));
        window.addEventListener('hashchange', () => { void this.fromLink(); });
        document.addEventListener('visibilitychange', () => { this.last = 0; });
        requestAnimationFrame((t) => this.frame(t));
    }

    private arrange(): void {
        const slider = Boolean(this.lab.run?.info.supports);
        this.stage.canvas.hidden = slider;
        this.topView.canvas.hidden = !slider;
        for (const view of this.forBodies) view.root.hidden = slider;
        for (const view of this.forSliders) view.root.hidden = !slider;
        const contacts = this.lab.run?.info.contacts?.length ?? 0;
        for (const view of this.forBodies) if ((view instanceof LawView || view instanceof LoopView) && contacts === 0) view.root.hidden = true;
        const free = this.lab.run?.info.bodies?.some((b) => !b.driven) ?? false;
        for (const view of this.forBodies) if ((view instanceof MapView || view instanceof VerdictView) && !free) view.root.hidden = true;
        this.hint.textContent = slider ? 'Draw an arrow from the body: it is flicked, and slides about as far.' : !free ? 'What moves here is driven: turn its numbers.' : this.lab.playing ? 'Drag a body: while it runs, you pull it with a force.' : 'Drag a body and let go; while it runs, you pull it with a force.';
    }

    private refreshCompare(): void {
        this.compare.setAttribute('aria-pressed', String(this.lab.pinned));
        this.compare.textContent = this.lab.pinned ? 'Unpin' : 'Pin run';
    }

    private reset(): void {
        this.lab.start = null;
        if (this.lab.text === this.lab.original) this.lab.setText(this.lab.original);
        else this.editor.restore(this.lab.original);
        this.lab.setTime(0);
    }

    private setTheme(dark: boolean): void {
        document.documentElement.dataset.theme = dark ? 'dark' : 'light';
        forgetColors();
        this.lab.tell('theme');
    }

    private toggleTheme(): void { this.setTheme(document.documentElement.dataset.theme !== 'dark'); }

    private async fromLink(): Promise<boolean> {
        const carried = await unpack(location.hash), lesson = /^#lesson=([\w-]+)$/.exec(location.hash)?.[1];
        if (lesson && lessons.some((l) => l.id === lesson)) {
            this.lessons.begin(lesson);
            return true;
        }
        const named = /^#model=([\w-]+)$/.exec(location.hash)?.[1];
        if (named && MODELS.some((m) => m.name === named)) {
            this.lab.open(named);
            return true;
        }
        if (!carried) return false;
        this.lab.open(carried.name, carried.text);
        if (carried.start) this.lab.setStart(carried.start);
        return true;
    }

    private async begin(): Promise<void> {
        this.setTheme(matchMedia('(prefers-color-scheme: dark)').matches);
        if (!(await this.fromLink())) {
            this.lab.open('two-blocks');
            this.lab.present();
        }
    }

    /** One frame: the clock goes on, views follow. */
    private frame(t: number): void {
        const lab = this.lab, seconds = this.last ? Math.min(0.1, (t - this.last) / 1000) : 0, began = performance.now();
        this.last = t;
        if (lab.playing && lab.run && seconds > 0 && !this.stage.frame(seconds)) {
            const next = lab.time + seconds * lab.rate;
            if (next >= lab.run.end && !lab.live) {
                lab.setTime(lab.run.end);
                lab.play(false);
            } else lab.setTime(next);
            this.frames.push(performance.now() - began);
            if (this.frames.length > 300) this.frames.shift();
        }
        requestAnimationFrame((next) => this.frame(next));
    }

    get state(): Lab { return this.lab; }
}

const page = new Page();

declare global {
    interface Window { laboratory: Page }
}
window.laboratory = page; // for tests and curious minds
