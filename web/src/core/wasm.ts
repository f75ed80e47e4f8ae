// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The C core (web/core/*.c) as an object: memory, texts and arrays go in and out here, and nowhere else.
import type { Tree } from '../model/tree';
import { ModelError } from '../model/tree';
import type { Amount, Changes, Options } from './protocol';

type Call = (...values: number[]) => number;

interface Exports {
    memory: WebAssembly.Memory;
    _initialize(): void;
    [name: string]: unknown;
}

/** A file without a name, as WASI sees it. */
interface MemoryFile {
    bytes: Uint8Array;
    size: number;
    place: number;
}

const FIRST_FILE = 100; // descriptors below are the standard streams, which go nowhere

/** What wasi-libc asks of its host: a clock, and files in memory (for the labels of maps). */
class Host {
    memory!: WebAssembly.Memory;
    private readonly files: (MemoryFile | undefined)[] = [];

    private view(): DataView { return new DataView(this.memory.buffer); }
    private file(fd: number): MemoryFile | undefined { return this.files[fd - FIRST_FILE]; }

    /** Goes through the pieces of a read or write; returns the number of bytes moved. */
    private transfer(list: number, count: number, move: (at: number, length: number) => number): number {
        let total = 0;
        for (let k = 0; k < count; k++) {
            const at = this.view().getUint32(list + 8 * k, true);
            const length = this.view().getUint32(list + 8 * k + 4, true);
            total += move(at, length);
        }
        return total;
    }

    private write(fd: number, list: number, count: number, out: number): number {
        const file = this.file(fd);
        const total = this.transfer(list, count, (at, length) => {
            if (!file) return length;
            if (file.place + length > file.bytes.length) {
                const larger = new Uint8Array(2 * (file.place + length));
                larger.set(file.bytes);
                file.bytes = larger;
            }
            file.bytes.set(new Uint8Array(this.memory.buffer, at, length), file.place);
            file.place += length;
            file.size = Math.max(file.size, file.place);
            return length;
        });
        this.view().setUint32(out, total, true);
        return 0;
    }

    private readAt(fd: number, list: number, count: number, from: number, out: number): number {
        const file = this.file(fd);
        if (!file) return 8; // EBADF
        let place = from;
        const total = this.transfer(list, count, (at, length) => {
            const part = Math.max(0, Math.min(length, file.size - place));
            new Uint8Array(this.memory.buffer, at, part).set(file.bytes.subarray(place, place + part));
            place += part;
            return part;
        });
        this.view().setUint32(out, total, true);
        return 0;
    }

    private seek(fd: number, offset: bigint, whence: number, out: number): number {
        const file = this.file(fd);
        if (!file) return 70; // ESPIPE
        file.place = Number(offset) + (whence === 1 ? file.place : whence === 2 ? file.size : 0);
        this.view().setBigUint64(out, BigInt(file.place), true);
        return 0;
    }

    imports(): WebAssembly.Imports {
        return {
            page: { open_nameless: () => FIRST_FILE + this.files.push({ bytes: new Uint8Array(4096), size: 0, place: 0 }) - 1 },
            wasi_snapshot_preview1: {
                clock_time_get: (_id: number, _precision: bigint, out: number) => {
                    this.view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
                    return 0;
                },
                environ_sizes_get: (count: number, size: number) => { // no variables: libc asks for those of its locale
                    this.view().setUint32(count, 0, true);
                    this.view().setUint32(size, 0, true);
                    return 0;
                },
                environ_get: () => 0,
                proc_exit: (code: number) => { throw new WebAssembly.RuntimeError(`the core has ended itself (${code})`); },
                fd_close: (fd: number) => { this.files[fd - FIRST_FILE] = undefined; return 0; },
                fd_fdstat_get: (fd: number, out: number) => {
                    const view = this.view();
                    for (let k = 0; k < 24; k++) view.setUint8(out + k, 0);
                    view.setUint8(out, this.file(fd) ? 4 : 2); // a regular file, or a character device
                    view.setBigUint64(out + 8, 0xffffffffn, true); // all rights
                    return 0;
                },
                fd_fdstat_set_flags: () => 0,
                fd_pread: (fd: number, list: number, count: number, from: bigint, out: number) => this.readAt(fd, list, count, Number(from), out),
                fd_read: (fd: number, list: number, count: number, out: number) => {
                    const file = this.file(fd);
                    const status = this.readAt(fd, list, count, file?.place ?? 0, out);
                    if (file) file.place += this.view().getUint32(out, true);
                    return status;
                },
                fd_seek: (fd: number, offset: bigint, whence: number, out: number) => this.seek(fd, offset, whence, out),
                fd_write: (fd: number, list: number, count: number, out: number) => this.write(fd, list, count, out),
            },
        };
    }
}

type Bound = 'from 0' | 'above 0';

/** One number of a map that varies. */
export interface Axis { path: string; from: number; to: number; count: number; unit?: string } // unit: of from and to, SI without one

/** Views of the figures, in the order of ss_motion_view and ss_sliding_view. */
export const bodyViews = ['time', 'phase', 'loop', 'impact', 'law'] as const;
export const sliderViews = ['path', 'time', 'surface', 'sphere'] as const;

export interface Mesh { loads: Float64Array; motions: Float64Array; triangles: Int32Array }

/** One block of a map. */
export interface Block { first: number; fates: Uint8Array; times: Float64Array }

export class Core {
    private readonly exports: Exports;
    private readonly page: number;
    private readonly encoder = new TextEncoder();
    private readonly decoder = new TextDecoder();

    constructor(module: WebAssembly.Module) {
        const host = new Host();
        const instance = new WebAssembly.Instance(module, host.imports());
        this.exports = instance.exports as unknown as Exports;
        host.memory = this.exports.memory;
        this.exports._initialize();
        this.page = this.call('page_create');
    }

    // ---- memory

    private call(name: string, ...values: number[]): number {
        return (this.exports[name] as Call)(...values);
    }

    private text(value: string | null): number {
        if (value === null) return 0;
        const bytes = this.encoder.encode(value);
        const at = this.call('page_alloc', bytes.length + 1);
        const memory = new Uint8Array(this.exports.memory.buffer);
        memory.set(bytes, at);
        memory[at + bytes.length] = 0;
        return at;
    }

    private doubles(values: ArrayLike<number> | null): number {
        if (!values) return 0;
        const at = this.call('page_alloc', 8 * values.length);
        new Float64Array(this.exports.memory.buffer, at, values.length).set(values);
        return at;
    }

    /** Calls with texts and arrays that are freed afterwards. */
    private withMemory<T>(values: number[], work: (...at: number[]) => T): T {
        try {
            return work(...values);
        } finally {
            for (const at of values) if (at) this.call('page_free', at);
        }
    }

    private numbers(at: number, count: number): Float64Array {
        return new Float64Array(this.exports.memory.buffer, at, count).slice();
    }

    private answerText(): string {
        const at = this.call('page_text', this.page), length = this.call('page_text_length', this.page);
        return this.decoder.decode(new Uint8Array(this.exports.memory.buffer, at, length));
    }

    /** Throws the core's error where a call did not succeed. */
    private must(good: number, before = ''): void {
        if (good) return;
        this.call('page_error', this.page);
        const error = JSON.parse(this.answerText()) as { line: number; column: number; field: string; text: string; message: string };
        throw new ModelError(before + error.message, error.line, error.column, error.field, before + error.text);
    }

    private answer<T>(good: number): T {
        this.must(good);
        return JSON.parse(this.answerText()) as T;
    }

    // ---- the model

    /** Reads a model; changes are numbers of it that are set before, as by --set. */
    load(tree: Tree, changes: Changes = [], name = 'model'): void {
        this.must(this.withMemory([this.text(name)], (at) => this.call('page_begin', this.page, at!)));
        const addresses: number[] = [];
        const places = this.call('page_alloc', 20);
        try {
            for (const node of tree.nodes) {
                new Int32Array(this.exports.memory.buffer, places, 5).set(node.places);
                const made = this.withMemory([this.text(node.key), this.text(node.text)], (key, text) =>
                    this.call('page_add', this.page, node.parent < 0 ? 0 : addresses[node.parent]!, node.kind, key!, text!, places));
                this.must(made);
                addresses.push(made);
            }
        } finally {
            this.call('page_free', places);
        }
        for (const [path, value] of changes)
            this.must(this.withMemory([this.text(path), this.text(String(value)), this.text(`--set ${path}=${value}`)], (p, v, o) => this.call('page_set', this.page, p!, v!, o!)));
        this.must(this.call('page_load', this.page));
    }

    /** A number with its unit, such as "1 mm", in SI; NaN where it is none. */
    measure(text: string): number { return this.withMemory([this.text(text)], (at) => this.call('page_measure', this.page, at!)); }

    /** The same, where it must have a dimension (exponents of metre and second), none, or be a number of SI already. */
    private quantity(name: string, value: Amount, metres: number, seconds: number): number {
        if (typeof value === 'number') return value;
        const out = this.doubles([NaN]);
        try {
            const good = this.withMemory([this.text(value)], (at) => this.call('page_quantity', this.page, at!, metres, seconds, out));
            if (!good) this.must(0, `${name} ${value}: `);
            return this.numbers(out, 1)[0];
        } finally {
            this.call('page_free', out);
        }
    }

    /** An option as a number: NaN where it is not given. */
    private option(name: string, value: Amount | undefined, least: Bound, seconds = 0, metres = 0): number {
        if (value === undefined) return NaN;
        const number = this.quantity(name, value, metres, seconds), exclusive = least === 'above 0';
        if (!Number.isFinite(number) || number < 0 || (exclusive && number === 0)) throw new Error(`${name} ${value}: must be ${exclusive ? 'greater than' : 'at least'} 0 and finite`);
        return number;
    }

    /** Times as the core wants them: ascending, each once. */
    private times(name: string, values: Amount[]): number[] {
        return [...new Set(values.map((t) => this.option(name, t, 'from 0', 1)))].sort((a, b) => a - b);
    }

    /** Options in the order of page_options. */
    private options(given: Options, least: Bound): number {
        const events = this.option('maxEvents', given.maxEvents, 'above 0');
        return this.doubles([this.option('until', given.until, least, 1), this.option('every', given.every, 'above 0', 1), this.option('period', given.period, 'above 0', 1),
            this.option('escape', given.escape, 'above 0', 0, 1), this.option('tolerance', given.tolerance, 'above 0'), events]);
    }

    describe<T>(): T { return this.answer<T>(this.call('page_describe', this.page)); }
    check<T>(): T { return this.answer<T>(this.call('page_check', this.page)); }

    certify<T>(vertices: boolean, contains: Amount[] | null): T {
        const point = contains && contains.map((q) => (typeof q === 'number' ? q : this.measure(q)));
        if (point?.some((q) => !Number.isFinite(q))) throw new Error(`contains ${contains!.join()}: expected finite numbers`);
        return this.withMemory([this.doubles(point)], (at) => this.answer<T>(this.call('page_certify', this.page, Number(vertices), at!, point?.length ?? 0)));
    }

    cycle<T>(options: Options, near: boolean): T {
        return this.withMemory([this.options(options, 'above 0')], (at) => this.answer<T>(this.call('page_cycle', this.page, at!, Number(near))));
    }

    // ---- motions

    /** `simulate --json`. */
    simulate<T>(given: Options, at: Amount[], derivative: string[]): T {
        const times = this.times('at', at), paths = derivative.length ? this.text(derivative.join('\n')) : 0;
        return this.withMemory([this.options(given, 'from 0'), this.doubles(times), paths], (options, t, by) => this.answer<T>(this.call('page_simulate', this.page, options!, t!, times.length, by!)));
    }

    run(until: number, every: number, events: boolean, tolerance = 0, x: number[] | null = null, v: number[] | null = null): void {
        this.withMemory([this.doubles(x), this.doubles(v)], (atX, atV) =>
            this.must(this.call('page_run', this.page, until, every, Number(events), tolerance, atX!, atV!)));
    }

    motion<T>(): T { return this.answer<T>(this.call('page_motion', this.page)); }

    table(width: number): Float64Array {
        const at = this.call('page_table', this.page);
        this.must(at);
        return this.numbers(at, width * this.call('page_rows', this.page));
    }

    trialBegin(x: number[], v: number[]): void {
        this.withMemory([this.doubles(x), this.doubles(v)], (atX, atV) => this.must(this.call('page_trial_begin', this.page, atX!, atV!)));
    }

    trialGo(t: number, input: number, value: number, width: number): Float64Array {
        this.must(this.call('page_trial_go', this.page, t, input, value));
        const at = this.call('page_trial_row', this.page, t);
        this.must(at);
        return this.numbers(at, width);
    }

    // ---- sliders

    /** An angle of the body; NaN: that of its start. */
    angle(value: Amount | undefined): number { return value === undefined ? NaN : this.quantity('angle', value, 0, 0); }

    surfaceLoad<T>(angle: number, motion: number[], applied: number[] | null): T {
        return this.withMemory([this.doubles(motion), this.doubles(applied)], (m, a) => this.answer<T>(this.call('page_surface_load', this.page, angle, m!, a!)));
    }
    surfaceFirst<T>(angle: number, applied: number[]): T {
        return this.withMemory([this.doubles(applied)], (a) => this.answer<T>(this.call('page_surface_first', this.page, angle, a!)));
    }
    surfaceEigen<T>(angle: number, basin: boolean): T { return this.answer<T>(this.call('page_surface_eigen', this.page, angle, Number(basin))); }
    surfaceFacets<T>(angle: number): T { return this.answer<T>(this.call('page_surface_facets', this.page, angle)); }

    mesh(angle: number, fineness: number): Mesh {
        this.must(this.call('page_mesh', this.page, angle, fineness));
        const vertices = this.call('page_mesh_vertices', this.page), triangles = this.call('page_mesh_triangles', this.page);
        return {
            loads: this.numbers(this.call('page_mesh_loads', this.page), 3 * vertices),
            motions: this.numbers(this.call('page_mesh_motions', this.page), 3 * vertices),
            triangles: new Int32Array(this.exports.memory.buffer, this.call('page_mesh_corners', this.page), 3 * triangles).slice(),
        };
    }

    // ---- maps

    mapBegin(axes: Axis[], options: Options, random = 0, seed = 0): void {
        for (const axis of axes) {
            const size = axis.unit ? this.measure(`1 ${axis.unit}`) : 1;
            this.withMemory([this.text(axis.path)], (path) => this.must(this.call('page_axis', this.page, path!, axis.from * size, axis.to * size, axis.count)));
        }
        this.withMemory([this.options(options, 'above 0')], (at) => this.must(this.call('page_map_begin', this.page, at!, random, seed)));
    }

    map<T>(): T { return this.answer<T>(this.call('page_map', this.page)); }
    mapBlocks(): number { return this.call('page_map_blocks', this.page); }

    mapBlock(block: number): Block {
        this.must(this.call('page_map_block', this.page, block));
        const count = this.call('page_block_count', this.page);
        return {
            first: this.call('page_block_first', this.page),
            fates: new Uint8Array(this.exports.memory.buffer, this.call('page_block_fate', this.page), count).slice(),
            times: this.numbers(this.call('page_block_t', this.page), count),
        };
    }

    // ---- figures

    /** The law of a contact over the slip speed: speed and force against the motion, pair after pair. */
    law(contact: number, fastest: number): Float64Array {
        const count = this.call('page_law', this.page, contact, fastest);
        this.must(Number(count >= 0));
        return this.numbers(this.call('page_text', this.page), 2 * count);
    }

    picture(view: number, of: string | null, theme: string, width: number, height: number): string {
        return this.withMemory([this.text(of), this.text(theme)], (atOf, atTheme) => {
            this.must(this.call('page_picture', this.page, view, atOf!, atTheme!, width, height));
            return this.answerText();
        });
    }

    pictureCertificate(theme: string, width: number, height: number): string {
        return this.withMemory([this.text(theme)], (at) => {
            this.must(this.call('page_picture_certificate', this.page, at!, width, height));
            return this.answerText();
        });
    }

    pictureMap(theme: string, width: number, height: number): string {
        return this.withMemory([this.text(theme)], (at) => {
            this.must(this.call('page_picture_map', this.page, at!, width, height));
            return this.answerText();
        });
    }
}
