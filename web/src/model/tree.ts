// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A model's text as the nodes of a document (include/slipstick/document.h), with the places where they are written. YAML 1.2
// is read by the npm package yaml; what it reads, and what it refuses, follows src/lab/file/yaml.c.
import { Alias, type Document, LineCounter, type Node, Pair, Scalar, YAMLMap, YAMLSeq, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';

import { Kind, ModelError, type Tree, type TreeNode } from './node';

export { Kind, ModelError, type Tree, type TreeNode } from './node';

const MOST_LEVELS = 64;
const MOST_COPIES = 100000;

class Reader {
    readonly nodes: TreeNode[] = [];
    private copies = 0;

    constructor(private readonly source: string, private readonly lines: LineCounter, private readonly document: Document) {}

    place(offset: number): [number, number] {
        const at = this.lines.linePos(offset);
        const start = this.lines.lineStarts[at.line - 1] ?? 0;
        return [at.line, [...this.source.slice(start, offset)].length + 1]; // letters, not the halves of some of them
    }

    fail(offset: number, text: string): never {
        const [line, column] = this.place(offset);
        throw new ModelError(`model:${line}:${column}: ${text}`, line, column, '', text);
    }

    private key(pair: Pair<unknown, unknown>): { text: string; place: [number, number]; offset: number } {
        const key = pair.key as Node | null;
        const offset = key?.range?.[0] ?? 0;
        if (isAlias(key)) this.fail(offset, 'an alias as a key is not supported');
        if (!isScalar(key)) this.fail(offset, 'a key must be a name, not a list or a map');
        if (key.anchor) this.fail(offset, 'an anchor on a key is not supported');
        const text = String(key.value ?? '');
        if (!text) this.fail(offset, "a key is missing before ':'");
        return { text, place: this.place(offset), offset };
    }

    /** Where a scalar's text stands letter for letter, its column; otherwise 0. */
    private textColumn(scalar: Scalar, text: string): number {
        const quoted = scalar.type === Scalar.QUOTE_DOUBLE || scalar.type === Scalar.QUOTE_SINGLE;
        const offset = (scalar.range?.[0] ?? 0) + (quoted ? 1 : 0);
        if (text.includes('\n') || this.source.slice(offset, offset + text.length) !== text) return 0;
        return this.place(offset)[1];
    }

    add(node: Node | null, parent: number, level: number, key: { text: string; place: [number, number]; offset: number } | null): void {
        let value: Node | null = node;
        if (isAlias(node)) {
            value = this.resolve(node);
        }
        const offset = value?.range?.[0] ?? key?.offset ?? 0;
        if (value && (value as { tag?: string }).tag && /^!/.test(this.source.slice(offset - 1)) ) this.fail(offset, 'tags (!) are not supported');
        if (level > MOST_LEVELS) this.fail(offset, 'nested too deeply; at most 64 levels are read');
        const index = this.nodes.length;
        const [line, column] = this.place(offset);
        const entry: TreeNode = {
            parent, kind: Kind.scalar, key: key?.text ?? null, text: null,
            places: [key?.place[0] ?? 0, key?.place[1] ?? 0, line, column, 0],
            range: [offset, value?.range?.[1] ?? offset],
        };
        this.nodes.push(entry);
        if (isMap(value)) {
            entry.kind = Kind.map;
            for (const pair of (value as YAMLMap).items) this.add(pair.value as Node | null, index, level + 1, this.key(pair));
        } else if (isSeq(value)) {
            entry.kind = Kind.list;
            for (const item of (value as YAMLSeq).items) this.add(item as Node | null, index, level + 1, null);
        } else if (isScalar(value)) {
            const text = String(value.value ?? '');
            const nothing = value.type === Scalar.PLAIN && /^(~|null|Null|NULL|)$/.test(text);
            if (!nothing) {
                entry.text = text;
                entry.places[4] = this.textColumn(value, text);
            }
        }
    }

    private resolve(alias: Alias): Node {
        const offset = alias.range?.[0] ?? 0;
        if (++this.copies > MOST_COPIES) this.fail(offset, 'aliases repeat too much; at most 100000 entries');
        const found = alias.resolve(this.document);
        if (!found) this.fail(offset, 'an alias (*) to an anchor (&) that is not there');
        return found as Node;
    }
}

/** What to do where a text is not YAML, by what the reader calls the fault. */
const ADVICE: Record<string, string> = {
    MULTILINE_IMPLICIT_KEY: 'a name has no colon behind it; expected lines such as title: a block',
    BLOCK_AS_IMPLICIT_KEY: 'quote text that holds a colon and a blank',
    TAB_AS_INDENT: 'indent with blanks, not with tabs',
    BAD_INDENT: 'a bracket before here is not closed, or the line is not indented as those beside it',
    MISSING_CHAR: 'a bracket or a quote is not closed, or a comma or colon is missing',
};

/** Reads a model's text. Throws a ModelError with line and column where it is not YAML. */
export function readTree(source: string): Tree {
    const lines = new LineCounter();
    const documents = parseAllDocuments(source, { lineCounter: lines, schema: 'failsafe', uniqueKeys: false, strict: true, logLevel: 'silent' });
    const first = Array.isArray(documents) ? documents[0] : undefined;
    const empty = !first || !first.contents;
    const reader = new Reader(source, lines, first as unknown as Document);
    // eslint-disable-next-line no-control-regex
    const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(source);
    if (control) reader.fail(control.index, 'a control character in the text');
    if (first?.errors.length) {
        const error = first.errors[0]!;
        reader.fail(error.pos[0], 'not YAML: ' + (ADVICE[error.code] ?? error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')));
    }
    if (empty) reader.fail(0, 'the file is empty');
    if (Array.isArray(documents) && documents.length > 1) reader.fail(documents[1]!.range?.[0] ?? 0, 'a second document begins here; a model file holds one');
    reader.add(first!.contents as unknown as Node, -1, 1, null);
    return { nodes: reader.nodes };
}
