// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Texts for people: faults without the options of the command line, and references by names instead of keys.
import { ModelError } from './node';

/** A fault as a sentence. */
export function inWords(caught: unknown): string {
    const error = caught as Error, own = error instanceof ModelError ? (error.field ? `${error.field}: ` : '') + error.text : error.message;
    const text = own.replace(/\bstart \d+: /, '').replace(/--[\w-]+(=\S+)?( \S+?)?: /g, '').replace(/--([\w-]+)/g, '$1').trim() || 'It could not be computed';
    const named = /^[\w.[\]]+: /.test(text); // a path is written as it is
    return (named ? text : text[0].toUpperCase() + text.slice(1)) + (/[.!?]$/.test(text) ? '' : '.');
}

/** Keys of papers, as people say them. */
const PAPERS: Record<string, string> = {
    VL04: 'van de Wouw and Leine, 2004', RD25: 'Ruderman and De Rito, 2025', R15: 'Ruderman, 2015', GRP91: 'Goyal, Ruina and Papadopoulos, 1991',
};

/** "([VL04], Example 1)" as "(van de Wouw and Leine, 2004, Example 1)". */
export function withNames(text: string): string {
    return text.replace(/\[([A-Z]+\d{2})(?:,\s*([^\]]*))?\]/g, (all, key: string, place: string | undefined) => (PAPERS[key] ? PAPERS[key] + (place ? `, ${place}` : '') : all));
}
