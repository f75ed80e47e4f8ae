// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The model as text, by CodeMirror: faults of the core are underlined where they are, with what it says. Its history is that of the
// whole laboratory: what sliders write into the text, each turn of one as one step, and other starts of the motion.
import { indentWithTab, invertedEffects, isolateHistory, redo, undo } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, StateEffect, type Transaction } from '@codemirror/state';
import { EditorView, type ViewUpdate, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import type { Start } from '../core/protocol';
import type { Lab } from '../lab';
import type { Edit } from '../model/start';

/** Another start of the motion: a step of the history without any text. */
const startMoved = StateEffect.define<{ from: Start | null; to: Start | null }>();

const style = HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
    { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
    { tag: [tags.string, tags.content, tags.literal], color: 'var(--ink)' },
    { tag: [tags.number, tags.bool], color: 'var(--series2)' },
    { tag: [tags.punctuation, tags.bracket, tags.separator], color: 'var(--muted)' },
]);

const theme = EditorView.theme({
    '&': { color: 'var(--ink)', backgroundColor: 'transparent', fontSize: '12.5px', height: '100%' },
    '.cm-content': { caretColor: 'var(--ink)', fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace' },
    '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--muted)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
    '&.cm-focused .cm-cursor': { borderLeftColor: 'var(--ink)' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--accent) 22%, transparent) !important' },
    '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)' },
    '.cm-panels': { backgroundColor: 'var(--card)', color: 'var(--ink)' },
});

export class Editor {
    readonly view: EditorView;
    private timer = 0;
    private telling = false; // a change that is told by whoever makes it

    constructor(host: HTMLElement, private readonly lab: Lab) {
        this.view = new EditorView({ parent: host, state: this.begin(lab.text) });
        lab.writer = { write: (edits, first) => this.write(edits, first), undo: () => this.undo() };
        lab.on('text', () => this.take());
        lab.on('start', () => this.view.dispatch({ effects: startMoved.of({ from: lab.keptStart, to: lab.start }), annotations: isolateHistory.of('full') }));
        lab.on('error', () => this.mark());
    }

    private begin(text: string): EditorState {
        return EditorState.create({
            doc: text,
            extensions: [
                basicSetup, yaml(), syntaxHighlighting(style), theme, lintGutter(), EditorView.lineWrapping, keymap.of([indentWithTab]),
                EditorView.contentAttributes.of({ 'aria-label': 'The model as text' }),
                invertedEffects.of((t) => t.effects.filter((e) => e.is(startMoved)).map((e) => startMoved.of({ from: e.value.to, to: e.value.from }))),
                EditorView.updateListener.of((update) => this.watch(update)),
            ],
        });
    }

    private watch(update: ViewUpdate): void {
        const moved = (t: Transaction): boolean => t.isUserEvent('undo') || t.isUserEvent('redo'), back = update.transactions.filter(moved);
        for (const t of back) for (const effect of t.effects) if (effect.is(startMoved)) this.lab.recallStart(effect.value.to);
        if (!update.docChanged || this.telling) return;
        window.clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.changed(), back.length ? 0 : 180);
    }

    private changed(): void {
        this.lab.setText(this.view.state.doc.toString());
        this.lab.tell('text');
    }

    /** The lab has opened another model: a text without a past. */
    private take(): void {
        if (this.view.state.doc.toString() !== this.lab.text) this.view.setState(this.begin(this.lab.text));
    }

    /**
     * Changes a piece of the text, as if it were typed, so that undo knows it. Changes of one gesture are one step: the first begins
     * it, the others join it, as does what an input method composes.
     */
    write(edits: Edit[], first = true): void {
        this.telling = true;
        this.view.dispatch({ changes: edits.map(({ from, to, text }) => ({ from, to, insert: text })), userEvent: first ? 'input.type' : 'input.type.compose', annotations: first ? isolateHistory.of('before') : undefined });
        this.telling = false;
        this.changed();
    }

    replace(from: number, to: number, text: string, first = true): void { this.write([{ from, to, text }], first); }

    undo(): void { undo(this.view); }
    redo(): void { redo(this.view); }

    /** Restores a text as one step that can be undone. */
    restore(text: string): void { this.replace(0, this.view.state.doc.length, text); }

    private mark(): void {
        const error = this.lab.error, document = this.view.state.doc, list: Diagnostic[] = [];
        if (error) {
            const line = document.line(Math.max(1, Math.min(document.lines, error.line || 1)));
            const from = Math.min(line.to, line.from + Math.max(0, error.column - 1));
            const rest = document.sliceString(from, line.to), length = /^("[^"]*"|'[^']*'|[^,}\]#]*[^,}\]#\s]|.)?/.exec(rest)?.[0].length ?? 1;
            const to = Math.min(document.length, Math.max(from + 1, from + length));
            list.push({ from: Math.min(from, to), to, severity: 'error', message: (error.field ? error.field + ': ' : '') + error.text });
        }
        this.view.dispatch(setDiagnostics(this.view.state, list));
    }
}
