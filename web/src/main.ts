// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The page: what stands where, the clock that plays, keys, the link.
import { slipstick } from './api';
import { Lab, type ModelFile } from './lab';
import { lessons } from './lessons/lessons';
import { Keeper, type Work } from './keep';
import { isCarried, settingsOf, startOf, unpack } from './link';
import { withNames } from './model/words';
import { AnswerView } from './views/answer';
import { el } from './views/dom';
import { Editor } from './views/editor';
import { FigureView } from './views/figure';
import { Files } from './views/files';
import { LawView } from './views/law';
import { Intro } from './views/intro';
import { LessonsView } from './views/lessons';
import { LoopView } from './views/loop';
import { MapView } from './views/map';
import { Notice } from './views/notice';
import { PhaseView } from './views/phase';
import { Sliders } from './views/sliders';
import { Stage } from './views/stage';
import { SphereView, SurfaceView } from './views/surface';
import { TakeAway } from './views/takeaway';
import { followTheme, isDark, setTheme } from './views/theme';
import { TimeView } from './views/time';
import { TopView } from './views/topview';
import { Transport } from './views/transport';
import { VerdictView } from './views/verdict';
import { BLINK, Work as WorkSign } from './views/work';

declare const MODELS: ModelFile[]; // put in by build.mjs

window.slipstick = slipstick;

const NARROW = 860; // px: one column, as in the style sheet
const FIRST = 'stick-slip-belt'; // it shows what dry friction does, and cannot run away

/** The words a model opens with. */
function wordsOf(text: string): string {
    return withNames(text.split('\n').filter((line, k, all) => line.startsWith('#') && all.slice(0, k).every((l) => l.startsWith('#'))).map((line) => line.replace(/^#\s?/, '')).join(' '));
}

function titleOf(model: ModelFile): string { return /^title:\s*(.*)$/m.exec(model.text)?.[1].replace(/^["']|["']$/g, '') ?? model.name; }

/** Models in groups, for the list: by what stands in their text. */
const GROUPS: [string, (text: string) => boolean][] = [
    ['Sliders on a plane', (text) => /^slider:/m.test(text)],
    ['Bristles and memory', (text) => /law: (lugre|dahl|maxwell-slip|jenkins|gms|elasto-plastic|bouc-wen|rate-and-state)/.test(text)],
    ['Drives and controllers', (text) => /^(states|sampled|signals):/m.test(text)],
    ['Wheels and clutches', (text) => /inertia:/.test(text)],
    ['Blocks, belts and floors', () => true],
];
const SHOWN_GROUPS = [4, 1, 2, 3, 0]; // the simplest first

function groupOf(model: ModelFile): number { return GROUPS.findIndex(([, has]) => has(model.text)); }

class Page {
    private readonly lab = new Lab(MODELS);
    private readonly words = el('p', { class: 'words', id: 'words', tabindex: 0 });
    private readonly picker = el('select', { id: 'models', 'aria-label': 'Model' });
    private readonly own = el('option', { value: '', hidden: true }); // what no list has: a model of one's own
    private readonly stageHost = el('div', { class: 'stage' });
    private readonly cards = el('div', { class: 'cards' });
    private readonly errorLine = el('p', { class: 'fault', id: 'fault', role: 'alert', hidden: true });
    private readonly compare = el('button', { type: 'button', id: 'compare', title: 'Keep this run to compare with (the last one before a change is kept by itself)' }, 'Pin run');
    private readonly hint = el('p', { class: 'hint' });
    private readonly paper = el('div', { class: 'paper', 'aria-hidden': 'true' }); // title and words, in print
    private readonly stage: Stage;
    readonly topView: TopView;
    private readonly lessons: LessonsView;
    private readonly takeAway: TakeAway;
    readonly editor: Editor;
    private readonly sliders: Sliders;
    private readonly intro: Intro;
    private readonly notice = new Notice();
    private readonly files: Files;
    private readonly keeper: Keeper;
    private readonly forBodies: { root: HTMLElement }[];
    private readonly forSliders: { root: HTMLElement }[];
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
        this.sliders = new Sliders(slidersHost, lab, this.editor);
        const figure = new FigureView(lab);
        this.lessons = new LessonsView(lab, (views, numbers) => this.point(views, numbers), (hash) => this.keeper.visit(hash), (target) => this.goTo(target));
        this.keeper = new Keeper(lab, () => this.lessons.current);
        this.files = new Files((name, text) => this.openText(name, text), (why) => this.notice.tell(why));
        this.takeAway = new TakeAway(lab, figure, () => this.lessons.current);
        document.querySelector('.left')!.prepend(this.lessons.root);
        this.intro = new Intro(() => this.lessons.begin(lessons[0].id));
        document.querySelector('.right')!.prepend(this.notice.root, this.intro.root);
        const phase = new PhaseView(lab), map = new MapView(lab, this.editor), verdict = new VerdictView(lab), law = new LawView(lab), loop = new LoopView(lab);
        const surface = new SurfaceView(lab), sphere = new SphereView(lab), answer = new AnswerView(lab);
        this.forBodies = [phase, map, verdict, law, loop];
        this.forSliders = [surface, sphere];
        this.cards.append(...[new TimeView(lab), phase, map, surface, sphere, answer, verdict, law, loop, figure].map((view) => view.root));
        this.listen();
        void this.begin();
    }

    // ---- what stands where

    private header(): HTMLElement {
        const button = (text: string, title: string, work: () => void, id: string): HTMLElement => el('button', { type: 'button', title, id, 'aria-label': /^\w/.test(text) ? undefined : title, onclick: work }, text);
        const lessonsMenu = el('select', { id: 'lessons', 'aria-label': 'Lessons' }, el('option', { value: '' }, 'Lessons …'), ...lessons.map((l, k) => el('option', { value: l.id }, `${k + 1}. ${l.title}`)));
        lessonsMenu.addEventListener('change', () => { this.lessons.begin(lessonsMenu.value || null); lessonsMenu.value = ''; });
        for (const k of SHOWN_GROUPS) this.picker.append(el('optgroup', { label: GROUPS[k][0] }, ...MODELS.filter((m) => groupOf(m) === k).map((m) => el('option', { value: m.name }, titleOf(m)))));
        this.picker.prepend(this.own);
        const logo = el('span', { class: 'logo', 'aria-hidden': 'true' });
        logo.innerHTML = '<svg viewBox="0 0 32 32" width="26" height="26"><rect width="32" height="32" rx="7" fill="var(--accent)"/><path d="M4 23.5h24" stroke="var(--slip)" stroke-width="3"/><rect x="10" y="11" width="12" height="11" rx="1.5" fill="var(--card)"/></svg>';
        return el('header', { class: 'top' },
            el('div', { class: 'brand' }, logo, el('div', {}, el('h1', {}, 'Slipstick'), el('span', { class: 'tagline' }, 'friction in your hands'))),
            this.picker, lessonsMenu,
            el('div', { class: 'spring' }),
            button('↶', 'Undo (Ctrl+Z)', () => this.editor.undo(), 'undo'), button('↷', 'Redo (Ctrl+Shift+Z)', () => this.editor.redo(), 'redo'),
            button('Open …', 'A model file from the disk (it can also be dropped on the page)', () => this.files.choose(), 'open'),
            button('Reset', 'The model as it came', () => this.reset(), 'reset'),
            button('Share & save', 'Link, files, figures, and the same on the command line and in Python', () => this.takeAway.open(), 'take'),
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
        return el('main', {}, this.paper,
            el('div', { class: 'left' }, el('section', { class: 'card model', 'aria-label': 'The model' }, el('h2', { class: 'heard' }, 'The model'), this.words, tabs, this.errorLine, ...panels)),
            el('div', { class: 'right' },
                el('section', { class: 'card theatre', 'aria-label': 'The motion' }, this.stageHost, transport.root, el('div', { class: 'under' }, this.hint, el('div', { class: 'key', 'aria-hidden': 'true' }, el('span', { class: 'k-stick' }, 'sticks'), el('span', { class: 'k-slip' }, 'slips'), el('span', { class: 'k-before' }, 'before the last change')), this.compare)),
                this.cards));
    }

    /** Cards that a lesson wants to be looked at come first; sliders that it wants to be turned are marked. */
    private point(views: string[], numbers: string[]): void {
        this.sliders.point(numbers);
        for (const card of this.cards.children) {
            const place = views.indexOf(card.id);
            (card as HTMLElement).style.order = place < 0 ? '' : String(place - 10);
            card.classList.toggle('pointed', place >= 0);
        }
        if (views.length && innerWidth > NARROW) requestAnimationFrame(() => document.getElementById(views[0])?.scrollIntoView({ block: 'nearest' })); // on a narrow one the lesson stands first
    }

    /** Brings a card ("#id") or the slider of a number into sight, whatever tab is open. */
    private goTo(target: string): void {
        if (!target.startsWith('#')) document.getElementById('tab-sliders')!.click();
        const found = target.startsWith('#') ? document.getElementById(target.slice(1)) : document.querySelector(`[data-path="${CSS.escape(target)}"]`);
        found?.scrollIntoView({ block: innerWidth > NARROW ? 'nearest' : 'center', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
    }

    // ---- what happens when

    private listen(): void {
        const lab = this.lab;
        this.picker.addEventListener('change', () => {
            this.keeper.visit(`#model=${this.picker.value}`);
            this.lessons.begin(null);
            this.notice.close();
            lab.open(this.picker.value);
            lab.present();
        });
        this.compare.addEventListener('click', () => {
            lab.pinned = !lab.pinned;
            lab.before = lab.pinned ? lab.run : null;
            lab.tell('compare');
            this.refreshCompare();
        });
        lab.on('model', () => {
            const model = MODELS.find((m) => m.name === lab.name);
            this.own.hidden = Boolean(model);
            this.own.textContent = `${lab.name || 'your model'} (your own)`;
            this.picker.value = model ? model.name : '';
            this.words.textContent = wordsOf(lab.original) || (model ? '' : 'Your own model.');
            this.refreshCompare();
        });
        lab.on('run', () => this.arrange());
        lab.on('run', () => this.paper.replaceChildren(el('h2', {}, lab.run!.info.title), el('p', {}, this.words.textContent ?? '')));
        lab.on('error', () => {
            this.errorLine.hidden = !lab.error;
            this.errorLine.textContent = lab.error ? (lab.error.line ? `Line ${lab.error.line}: ` : '') + (lab.error.field ? `${lab.error.field}: ` : '') + lab.error.text : '';
            document.body.classList.toggle('faulty', Boolean(lab.error));
        });
        document.addEventListener('keydown', (event) => {
            const target = event.target as HTMLElement;
            if (target.closest('.cm-editor, input[type=text], dialog')) return;
            if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key)) {
                event.preventDefault();
                if (event.shiftKey || /^y$/i.test(event.key)) this.editor.redo();
                else this.editor.undo();
            } else if (event.key === ' ' && !target.closest('input, select, button, summary')) {
                event.preventDefault();
                lab.play(!lab.playing);
            }
        });
        window.addEventListener('popstate', (event) => { void this.arrive(Keeper.in(event.state)); });
        const sign = new WorkSign(this.stageHost, () => this.stop(), 'computing the motion');
        lab.on('working', () => { if (lab.pending) void sign.watch(lab.pending).catch(() => undefined); });
        document.addEventListener('visibilitychange', () => { this.last = 0; });
        this.bareUntilRun();
        requestAnimationFrame((t) => this.frame(t));
    }

    /** Gives up the motion that is computed. Where nothing is shown then, a word says so. */
    private stop(): void {
        this.lab.stop();
        if (!this.lab.run) this.notice.tell('The motion was stopped before it was computed, so there is nothing to show.', { name: 'Compute it', work: () => this.lab.setText(this.lab.text) });
    }

    /** What is shown of a model goes as soon as the one that was opened after it takes long, or cannot be shown. */
    private bareUntilRun(): void {
        const lab = this.lab;
        let timer = 0;
        const bare = (on: boolean): void => {
            window.clearTimeout(timer);
            document.body.classList.toggle('bare', on);
        };
        lab.on('model', () => {
            window.clearTimeout(timer);
            timer = window.setTimeout(() => bare(!lab.run), BLINK);
        });
        lab.on('run', () => bare(false));
        lab.on('error', () => { if (lab.error && !lab.run) bare(true); });
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
        const hold = matchMedia('(pointer: coarse)').matches, drag = hold ? 'Hold a body for a moment, drag it' : 'Drag a body';
        this.hint.textContent = this.lab.run?.info.quasistatic ? `${hold ? 'Hold the body for a moment, then draw' : 'Draw'} an arrow from it: it is put there. Fingers push it; it has no speed of its own.` : slider ? `${hold ? 'Hold the body for a moment, then draw' : 'Draw'} an arrow from it: it is flicked, and slides about as far.` : !free ? 'What moves here is driven: turn its numbers.' : this.lab.playing ? `${drag}: while it runs, you pull it with a force.` : `${drag} and let go; while it runs, you pull it with a force.`;
    }

    private refreshCompare(): void {
        this.compare.setAttribute('aria-pressed', String(this.lab.pinned));
        this.compare.textContent = this.lab.pinned ? 'Unpin' : 'Pin run';
    }

    private reset(): void {
        this.lab.start = null;
        this.lab.keepStart();
        if (this.lab.text === this.lab.original) this.lab.setText(this.lab.original);
        else this.editor.restore(this.lab.original);
        this.lab.setTime(0);
    }

    private toggleTheme(): void {
        setTheme(!isDark());
        this.lab.tell('theme');
    }

    // ---- what is opened

    /** A text from a file. */
    private openText(name: string, text: string): void {
        this.keeper.visit(location.pathname + location.search);
        this.lessons.begin(null);
        this.notice.close();
        this.intro.root.hidden = true;
        this.lab.open(name, text);
        this.lab.present();
    }

    /** Work as it was, with its lesson. */
    private bringBack({ name, original, text, view, home, lesson }: Work): void {
        this.lessons.begin(lessons.some((l) => l.id === lesson) ? lesson! : null, false);
        this.lab.bringBack(name, original, text, settingsOf(view), startOf(home));
        this.lab.play(false);
    }

    /** What an address asks for; false: nothing. What it asks for in vain is told. */
    private async fromLink(): Promise<boolean> {
        const hash = location.hash, carried = await unpack(hash), lesson = carried?.lesson ?? /^#lesson=([^&]*)/.exec(hash)?.[1], named = /^#model=([^&]*)/.exec(hash)?.[1];
        const known = lessons.some((l) => l.id === lesson);
        this.lessons.begin(known ? lesson! : null, !carried, true);
        if (carried) {
            this.lab.open(carried.name, carried.text, carried.view);
            if (carried.start) this.lab.recallStart(carried.start);
        } else if (named && MODELS.some((m) => m.name === named)) {
            this.lab.open(named);
            this.lab.present();
        } else if (!known) {
            if (isCarried(hash)) this.notice.tell('This link is damaged: a part of it was lost on the way, so that the model it carried cannot be read. Ask for it again, or for the model as a file.');
            else if (named !== undefined || lesson !== undefined) this.notice.tell(`This page has no ${named !== undefined ? 'model' : 'lesson'} “${named ?? lesson}”.`);
            return false;
        }
        return true;
    }

    /** Comes to an entry of the history: as it was left, or as its address says. */
    private async arrive(work: Work | null): Promise<void> {
        this.notice.close();
        if (work) this.bringBack(work);
        else if (!(await this.fromLink())) this.openFirst();
    }

    private openFirst(): void {
        this.intro.root.hidden = false;
        history.replaceState(null, '', `#model=${FIRST}`);
        this.lab.open(FIRST);
        this.lab.present();
    }

    private async begin(): Promise<void> {
        followTheme(() => this.lab.tell('theme'));
        const kept = Keeper.returned(), last = location.hash ? null : Keeper.last();
        if (kept) this.bringBack(kept);
        else if (last && last.text !== last.original) {
            this.bringBack(last);
            this.notice.tell(`Here is your work of last time: ${last.name || 'a model'}, changed.`, { name: 'Start afresh', work: () => { Keeper.forget(); this.openFirst(); } });
        } else if (!(await this.fromLink())) this.openFirst();
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
