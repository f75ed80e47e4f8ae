// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The guided tours: words, a question, something to try.
import { type Lesson, lessons } from '../lessons/lessons';
import type { Lab } from '../lab';
import { el } from './dom';

export class LessonsView {
    readonly root = el('aside', { id: 'lesson', class: 'lesson', hidden: true, 'aria-live': 'polite' });
    private lesson: Lesson | null = null;
    private task: HTMLElement | null = null;

    constructor(private readonly lab: Lab, private readonly show: (views: string[], numbers: string[]) => void, private readonly visit: (hash: string) => void, private readonly go: (target: string) => void) {
        for (const topic of ['run', 'time', 'compare'] as const) lab.on(topic, () => this.look());
    }

    /** The lesson that is read, if any. */
    get current(): string | undefined { return this.lesson?.id; }

    /** Begins a lesson by its id, with its model unless another one is about to be opened; null ends it. here: the address has it already. */
    begin(id: string | null, open = true, here = false): void {
        if (id && open && !here) this.visit(`#lesson=${id}`); // before anything is of the lesson
        this.lesson = lessons.find((l) => l.id === id) ?? null;
        this.root.hidden = !this.lesson;
        document.body.classList.toggle('learning', this.lesson !== null);
        this.show(this.lesson?.views ?? [], this.lesson?.numbers ?? []);
        if (!this.lesson) return;
        if (open) {
            this.lab.open(this.lesson.model);
            this.lab.present();
        }
        this.draw(this.lesson);
    }

    private draw(lesson: Lesson): void {
        const answer = el('p', { class: 'because' }), number = lessons.indexOf(lesson);
        const options = lesson.options.map((text, k) => el('button', { type: 'button', onclick: () => {
            options.forEach((b, j) => { b.className = j === lesson.right ? 'right' : j === k ? 'wrong' : ''; });
            answer.textContent = (k === lesson.right ? 'Yes. ' : 'Not quite. ') + lesson.because.replace(/`/g, '');
        } }, text));
        this.task = el('p', { class: 'task' }, el('b', {}, 'Try: '), lesson.task.replace(/`/g, ''), el('span', { class: 'tick' }, ' ✓ done'));
        const next = lessons[number + 1], target = (name: string, place: string): HTMLElement => el('button', { type: 'button', onclick: () => this.go(place) }, name);
        const targets = [...lesson.views.map((id) => target(document.getElementById(id)?.getAttribute('aria-label') ?? id, `#${id}`)), ...lesson.numbers.map((path) => target(path.split('.').pop()!, path))];
        this.root.replaceChildren(
            el('header', {}, el('small', {}, `Lesson ${number + 1} of ${lessons.length}`), el('button', { type: 'button', class: 'close', 'aria-label': 'End the lesson', onclick: () => this.begin(null) }, '✕')),
            el('h2', {}, lesson.title), ...lesson.say.map((text) => el('p', {}, text)), el('p', { class: 'targets' }, el('span', {}, 'Look at'), ...targets),
            el('fieldset', {}, el('legend', {}, lesson.question), ...options), answer, this.task,
            ...(next ? [el('button', { type: 'button', class: 'next', onclick: () => this.begin(next.id) }, `Next: ${next.title} →`)] : []));
    }

    private look(): void {
        if (!this.lesson || !this.task || this.lab.name !== this.lesson.model || this.lab.error || this.lab.pending) return; // what was tried must have been computed
        if (this.lesson.done(this.lab)) this.task.classList.add('done');
    }
}
