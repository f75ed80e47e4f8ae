// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A link that carries the model and where it starts: compressed text after the #.
import type { Start } from './core/protocol';

export interface Carried { name: string; text: string; start: Start | null; lesson?: string }

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

/** What a # carries; null where it is none of ours, or damaged. */
export async function unpack(hash: string): Promise<Carried | null> {
    const match = /^#m=([\w-]+)$/.exec(hash);
    if (!match) return null;
    try {
        const bytes = Uint8Array.from(atob(match[1].replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
        const carried = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw') as never))) as Carried;
        return typeof carried.text === 'string' ? { name: String(carried.name ?? ''), text: carried.text, start: carried.start ?? null } : null;
    } catch {
        return null;
    }
}
