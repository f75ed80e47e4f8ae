// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The same model with another law of presliding at one contact: LuGre where there was Maxwell-slip, Maxwell-slip where there were
// bristles of LuGre or Dahl, with the same stiffness at first and the same force in the end.
import { type Plain, get, plain, toTree } from './plain';
import type { Tree } from './tree';

type Law = Record<string, unknown>;

/** Elements whose virgin curve follows F (1 - exp(-sigma0 x / F)) at these multiples of F / sigma0, linear between. */
export function elements(sigma0: number, level: number): [number, number][] {
    const places = [0.15, 0.35, 0.6, 0.9, 1.3, 1.8, 2.6, 4].map((s) => (s * level) / sigma0);
    const force = (x: number): number => level * (x >= places[places.length - 1] ? 1 : 1 - Math.exp((-sigma0 * x) / level));
    const slopes = places.map((x, k) => (force(x) - (k ? force(places[k - 1]) : 0)) / (x - (k ? places[k - 1] : 0)));
    return places.map((x, k) => {
        const stiffness = slopes[k] - (slopes[k + 1] ?? 0);
        return [stiffness, stiffness * x];
    });
}

function text(value: number): string { return String(Number(value.toPrecision(12))); }

/** The twin, and what it is called; null for laws that have none. */
export function twinOf(tree: Tree, contact: string, law: Law): { tree: Tree; name: string } | null {
    const model = plain(tree), old = get(model, 'contacts', contact);
    if (!old || typeof old !== 'object' || Array.isArray(old)) return null;
    const row: { [key: string]: Plain } = old.between !== undefined ? { between: old.between } : { along: old.along };
    let name = '';
    if ((law.law === 'maxwell-slip' || law.law === 'jenkins') && typeof law.stiffness === 'number' && typeof law.breakaway === 'number') {
        name = 'LuGre';
        Object.assign(row, { law: 'lugre', sigma0: text(law.stiffness), sigma1: '0', sigma2: '0', coulomb: text(law.breakaway) });
    } else if ((law.law === 'lugre' || law.law === 'dahl') && typeof law.sigma0 === 'number' && typeof law.coulomb === 'number') {
        name = 'Maxwell-slip';
        Object.assign(row, { law: 'maxwell-slip', elements: elements(law.sigma0, law.coulomb).map((pair) => pair.map(text)) });
    } else return null;
    const root = { ...(model as { [key: string]: Plain }) };
    root.contacts = { ...(root.contacts as { [key: string]: Plain }), [contact]: row };
    const start = get(model, 'start');
    if (start && typeof start === 'object' && !Array.isArray(start) && start.contacts) {
        const kept = { ...(start.contacts as { [key: string]: Plain }) };
        if (get(kept[contact], 'saturation') === undefined) delete kept[contact];
        root.start = { ...start, contacts: kept };
    }
    return { tree: toTree(root), name };
}
