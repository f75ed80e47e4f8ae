// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A start that was dragged, flicked or clicked, as a change of the model's text: numbers under `start` are replaced where they
// stand, and added where they are missing.
import type { Description, Start } from '../core/protocol';
import { Kind, type Tree } from './node';
import { write } from './numbers';
import type { World } from './world';

export interface Edit { from: number; to: number; text: string }

/** One number of the start: whose, which, and how it is written. */
interface Entry { owner: string; key: string; text: string }

const PLACES = ['x', 'y', 'angle'], SPEEDS = ['vx', 'vy', 'spin'];
const SLIDER_UNITS: Record<string, string> = { x: 'm', y: 'm', angle: 'rad', vx: 'm/s', vy: 'm/s', spin: 'rad/s' };
const DIGITS = 4; // of numbers that no neighbourhood tells the size of

function sliderEntries(info: Description, start: Start): Entry[] {
    const entry = (key: string, value: number, old: number): Entry[] => (value === old ? [] : [{ owner: 'slider', key, text: `${Number(value.toPrecision(DIGITS))} ${SLIDER_UNITS[key]}` }]);
    return [...PLACES.flatMap((key, k) => entry(key, start.x[k], info.place![k])), ...SPEEDS.flatMap((key, k) => entry(key, start.v[k], info.speed![k]))];
}

/** Numbers of bodies that differ from the start of the model. */
function bodyEntries(info: Description, start: Start, world: World): Entry[] {
    return info.bodies!.flatMap((body, b): Entry[] => {
        if (body.driven) return [];
        const entry = (key: 'x' | 'v', value: number, old: number, unit: string): Entry[] =>
            (value === old ? [] : [{ owner: body.name, key, text: write(value, world[key][b].most - world[key][b].least) + ` ${unit}` }]);
        return [...entry('x', start.x[b], body.x, body.angular ? 'rad' : 'm'), ...entry('v', start.v[b], body.v, body.angular ? 'rad/s' : 'm/s')];
    });
}

function childOf(tree: Tree, parent: number, key: string): number { return tree.nodes.findIndex((n) => n.parent === parent && n.key === key); }

/** A key as YAML reads it. */
function quoted(key: string): string { return /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key); }

/** Adds entries to a map that stands at `node`, in its own style; null where that is none of the plain ones. */
function addTo(tree: Tree, source: string, node: number, made: string[], block: (text: string, indent: string) => string): Edit | null {
    const { kind, range } = tree.nodes[node], text = source.slice(...range);
    if (kind !== Kind.map) return null;
    if (text.startsWith('{')) {
        const end = range[0] + text.lastIndexOf('}'), empty = /^\{\s*\}/.test(text);
        return end < range[0] ? null : { from: end, to: end, text: (empty ? '' : ', ') + made.join(', ') };
    }
    const line = source.lastIndexOf('\n', range[0] - 1) + 1, indent = source.slice(line, range[0]);
    return /^ +$/.test(indent) ? { from: range[0], to: range[0], text: made.map((m) => block(m, indent)).join('') } : null;
}

/** The changes of a text that make the motion start there; null where they cannot be made by plain insertions. */
export function startEdits(tree: Tree, source: string, info: Description, start: Start, world: World | null): Edit[] | null {
    const matrices = childOf(tree, 0, 'matrices');
    if (matrices >= 0 && childOf(tree, matrices, 'T') >= 0) return null; // these are not the coordinates that are started
    const entries = info.supports ? sliderEntries(info, start) : world ? bodyEntries(info, start, world) : null;
    if (!entries) return null;
    const root = childOf(tree, 0, 'start'), owners = [...new Set(entries.map((e) => e.owner))], edits: (Edit | null)[] = [];
    const pairs = (owner: string): string[] => entries.filter((e) => e.owner === owner).map((e) => `${e.key}: ${e.text}`), missing: string[] = [];
    for (const owner of owners) {
        const at = root < 0 ? -1 : childOf(tree, root, owner);
        if (at < 0) {
            missing.push(`${quoted(owner)}: {${pairs(owner).join(', ')}}`);
            continue;
        }
        const added: string[] = [];
        for (const { key, text } of entries.filter((e) => e.owner === owner)) {
            const place = childOf(tree, at, key), node = tree.nodes[place];
            if (place < 0) added.push(`${key}: ${text}`);
            else edits.push(node.kind === Kind.scalar && node.range[1] > node.range[0] ? { from: node.range[0], to: node.range[1], text } : null);
        }
        if (added.length) edits.push(addTo(tree, source, at, added, (text, indent) => `${text}\n${indent}`));
    }
    if (missing.length && root < 0) edits.push({ from: source.length, to: source.length, text: `${source.endsWith('\n') ? '' : '\n'}start:\n${missing.map((m) => `  ${m}\n`).join('')}` });
    else if (missing.length) edits.push(addTo(tree, source, root, missing, (text, indent) => `${text}\n${indent}`));
    return edits.every((e): e is Edit => e !== null) ? edits.sort((a, b) => a.from - b.from) : null;
}

/** A text with all its changes made. */
export function applied(source: string, edits: Edit[]): string {
    return [...edits].reverse().reduce((text, { from, to, text: piece }) => text.slice(0, from) + piece + text.slice(to), source);
}
