// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The model as text, by CodeMirror: faults of the core are underlined where they are, with what it says.
import { indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { undo, redo } from '@codemirror/commands';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import type { Lab } from '../lab';

const byLab = Annotation.define<boolean>();

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

    constructor(host: HTMLElement, private readonly lab: Lab) {
        this.view = new EditorView({
            parent: host,
            state: EditorState.create({
                doc: lab.text,
                extensions: [
                    basicSetup, yaml(), syntaxHighlighting(style), theme, lintGutter(), EditorView.lineWrapping, keymap.of([indentWithTab]),
                    EditorView.contentAttributes.of({ 'aria-label': 'The model as text' }),
                    EditorView.updateListener.of((update) => {
                        if (!update.docChanged || update.transactions.some((t) => t.annotation(byLab))) return;
                        if (update.transactions.some((t) => t.isUserEvent('input.slider'))) return; // told by replace, at once
                        const quick = update.transactions.some((t) => t.isUserEvent('undo') || t.isUserEvent('redo'));
                        window.clearTimeout(this.timer);
                        this.timer = window.setTimeout(() => this.changed(), quick ? 0 : 180);
                    }),
                ],
            }),
        });
        lab.on('text', () => this.take());
        lab.on('error', () => this.mark());
    }

    private changed(): void {
        this.lab.setText(this.view.state.doc.toString());
        this.lab.tell('text');
    }

    /** The lab has another text. */
    private take(): void {
        const text = this.view.state.doc.toString();
        if (text === this.lab.text) return;
        this.view.dispatch({ changes: { from: 0, to: text.length, insert: this.lab.text }, annotations: byLab.of(true) });
    }

    /** Changes a piece of the text, as if it were typed, so that undo knows it. */
    replace(from: number, to: number, text: string): void {
        this.view.dispatch({ changes: { from, to, insert: text }, userEvent: 'input.slider' });
        this.changed();
    }

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
