// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Answers of the page beside those of the command line: both are the same C, so that they agree to the rounding of two
// libraries of elementary functions.
import { execFileSync } from 'node:child_process';

/** What the program answers with --json. */
export function ask(program, ...words) {
    const told = JSON.parse(execFileSync(program, [...words, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: 'pipe' }));
    delete told.made; // what was typed is not the page's
    return told;
}

/** The first place where two answers differ by more than `tolerance` (relative to the largest number beside it), or null. */
export function difference(page, program, tolerance, path = '', scale = 1) {
    if (typeof page === 'number' && typeof program === 'number') {
        const size = Math.max(scale, Math.abs(page), Math.abs(program));
        return Math.abs(page - program) <= tolerance * size ? null : `${path}: ${page}, not ${program}`;
    }
    if (Array.isArray(page) && Array.isArray(program)) {
        if (page.length !== program.length) return `${path}: ${page.length} entries, not ${program.length}`;
        for (let k = 0; k < page.length; k++) {
            const found = difference(page[k], program[k], tolerance, `${path}[${k}]`, scale);
            if (found) return found;
        }
        return null;
    }
    if (page && program && typeof page === 'object' && typeof program === 'object') {
        const keys = new Set([...Object.keys(page), ...Object.keys(program)]);
        for (const key of keys) {
            if (key === 'seconds' || key === 'starts_per_second') continue; // how long it took
            const found = difference(page[key], program[key], tolerance, `${path}.${key}`, scale);
            if (found) return found;
        }
        return null;
    }
    return page === program ? null : `${path}: ${JSON.stringify(page)}, not ${JSON.stringify(program)}`;
}
