// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A link that carries the model, where it starts and what is looked at: compressed text after the #.
import type { Start } from './core/protocol';
import type { Settings } from './lab';

export interface Carried { name: string; text: string; start: Start | null; view?: Partial<Settings>; lesson?: string }

/** What of the settings can be used: a link may come from elsewhere. */
export function settingsOf(view: unknown): Partial<Settings> {
    const given = (view ?? {}) as Record<string, unknown>, made: Partial<Settings> = {};
    for (const key of ['body', 'contact', 'plane'] as const) if (Number.isInteger(given[key])) made[key] = given[key] as number;
    for (const key of ['zoom', 'time'] as const) if (typeof given[key] === 'number' && given[key] >= 0 && given[key] < 1e12) made[key] = given[key];
    if (typeof given.beside === 'boolean') made.beside = given.beside;
    if (typeof given.figure === 'string') made.figure = given.figure;
    if (Array.isArray(given.map) && given.map.length === 2 && given.map.every((path) => typeof path === 'string')) made.map = given.map as [string, string];
    return made;
}

/** A start with as many finite numbers of each kind, or none. */
export function startOf(value: unknown): Start | null {
    const { x, v } = (value ?? {}) as Partial<Start>, numbers = (list: unknown): list is number[] => Array.isArray(list) && list.every((n) => Number.isFinite(n));
    return numbers(x) && numbers(v) && x.length === v.length ? { x, v } : null;
}

async function through(bytes: BlobPart, stream: ReadableWritablePair<Uint8Array, BufferSource>): Promise<Uint8Array<ArrayBuffer>> {
    const piped = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>);
    return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** The part after # for what is carried. */
export async function pack(carried: Carried): Promise<string> {
    const bytes = await through(JSON.stringify(carried), new CompressionStream('deflate-raw') as never);
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return '#m=' + btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Whether a # means to carry a model, be it damaged. */
export function isCarried(hash: string): boolean { return /^#m(=|$)/.test(hash); }

/** What a # carries; null where it is none of ours, or damaged. */
export async function unpack(hash: string): Promise<Carried | null> {
    const match = /^#m=([\w-]+)$/.exec(hash);
    if (!match) return null;
    try {
        const bytes = Uint8Array.from(atob(match[1].replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
        const carried = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw') as never))) as Carried;
        if (typeof carried.text !== 'string' || !carried.text) return null;
        return { name: String(carried.name ?? ''), text: carried.text, start: startOf(carried.start), view: settingsOf(carried.view), lesson: typeof carried.lesson === 'string' ? carried.lesson : undefined };
    } catch {
        return null;
    }
}
