// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Nodes of a model's document, as include/slipstick/document.h has them.
export const enum Kind { scalar, list, map }

/** One node; its parent stands before it in the list. Places: line and column of the key, of the value, and where its text begins. */
export interface TreeNode {
    parent: number; // index, -1: the root
    kind: Kind;
    key: string | null;
    text: string | null; // null: a list, a map, or nothing
    places: [number, number, number, number, number];
    /** Offsets of the value in the text; of a copy made by an alias, those of the original. */
    range: [number, number];
}

export interface Tree {
    nodes: TreeNode[];
}

/** A fault of the text, as the core tells them. */
export class ModelError extends Error {
    constructor(message: string, readonly line: number, readonly column: number, readonly field = '', readonly text = message) {
        super(message);
        this.name = 'ModelError';
    }
}
