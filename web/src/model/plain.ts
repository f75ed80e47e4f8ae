// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A tree as plain objects, lists and texts, for views that look at the model's shape; and trees with something added.
import { Kind, type Tree, type TreeNode } from './node';

export type Plain = string | null | Plain[] | { [key: string]: Plain };

export function plain(tree: Tree): Plain {
    const made: Plain[] = [];
    for (const node of tree.nodes) {
        const value: Plain = node.kind === Kind.map ? {} : node.kind === Kind.list ? [] : node.text;
        made.push(value);
        const parent = node.parent < 0 ? null : made[node.parent];
        if (Array.isArray(parent)) parent.push(value);
        else if (parent && typeof parent === 'object') parent[node.key!] = value;
    }
    return made[0] ?? null;
}

export function get(value: Plain | undefined, ...path: string[]): Plain | undefined {
    let at: Plain | undefined = value;
    for (const key of path) at = at && typeof at === 'object' && !Array.isArray(at) ? at[key] : undefined;
    return at;
}

export function entries(value: Plain | undefined): [string, Plain][] {
    return value && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
}

export function items(value: Plain | undefined): Plain[] { return Array.isArray(value) ? value : []; }

/** Plain objects as a tree whose places are all 0: for models that nobody wrote. */
export function toTree(value: Plain): Tree {
    const nodes: TreeNode[] = [];
    const add = (v: Plain, parent: number, key: string | null): void => {
        const kind = Array.isArray(v) ? Kind.list : v !== null && typeof v === 'object' ? Kind.map : Kind.scalar;
        const index = nodes.length;
        nodes.push({ parent, kind, key, text: typeof v === 'string' ? v : null, places: [0, 0, 0, 0, 0], range: [0, 0] });
        if (Array.isArray(v)) for (const item of v) add(item, index, null);
        else if (v !== null && typeof v === 'object') for (const [k, item] of Object.entries(v)) add(item, index, k);
    };
    add(value, -1, null);
    return { nodes };
}

/** The number of a plain quantity such as "10 cm" or "-0.1" in SI, where it is one; otherwise NaN. */
export function quantity(value: Plain | undefined): number {
    if (typeof value !== 'string') return NaN;
    const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-zA-Z]*)\s*$/.exec(value);
    if (!match) return NaN;
    const factors: Record<string, number> = { '': 1, m: 1, mm: 1e-3, cm: 1e-2, um: 1e-6, nm: 1e-9, km: 1e3, rad: 1, deg: Math.PI / 180, kg: 1, g: 1e-3, N: 1, kN: 1e3, s: 1, ms: 1e-3 };
    return Number(match[1]) * (factors[match[2]] ?? NaN);
}
