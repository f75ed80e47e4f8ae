// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The row of a contact: how much each body counts in its displacement.
import type { Description } from '../core/protocol';
import { type Plain, entries, get, items, quantity } from './plain';

/** One number per body: of `between` 1 and -1, of `along` its factors, of matrices a column of W. */
export function weightsOf(model: Plain, info: Description, name: string, contact: number): number[] {
    const bodies = info.bodies!.map((b) => b.name), between = items(get(model, 'contacts', name, 'between')), along = new Map(entries(get(model, 'contacts', name, 'along')));
    if (get(model, 'matrices')) return items(get(model, 'matrices', 'W')).map((row) => quantity(items(row)[contact]) || 0);
    return bodies.map((body) => (along.has(body) ? quantity(along.get(body)) || 0 : between[0] === body ? 1 : between[1] === body ? -1 : 0));
}
