// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One motion to play, as `slipstick simulate --plot motion.html` writes it: the same machine, transport and plots as in the
// laboratory, without its core. The program puts three objects before this script: the answer of simulate with its samples, the
// model as plain texts, lists and maps, and the units of its numbers.
import { type Description, type MotionAnswer, type Run, SLIDE, fingerColumns, modeColumns } from './core/protocol';
import type { Lab, Topic } from './lab';
import { layOut } from './model/machine';
import { type Plain, entries, get, items, quantity, toTree } from './model/plain';
import { MODES } from './model/table';
import { Reading, niceRate } from './reading';
import { outcomeOf } from './views/answer';
import { el } from './views/dom';
import { MachineDrawing, scaleOf } from './views/machine';
import { followTheme } from './views/theme';
import { TimeView } from './views/time';
import { TopView } from './views/topview';
import { Transport } from './views/transport';

type Numbers = Record<string, number>;
interface Sample {
    t: number; state: Record<string, Numbers>; contacts: Record<string, { mode: string; force: number | number[]; z?: number; deflections?: number[]; forces?: number[]; place?: number[] }>;
    relative?: Numbers; states?: Numbers; signals?: Numbers; inputs?: Numbers; memory?: Numbers;
}

declare const SLIPSTICK_MOTION: MotionAnswer & { samples: Sample[]; made: { by: string; question: string } };
declare const SLIPSTICK_MODEL: Plain;
declare const SLIPSTICK_UNITS: Record<string, string>; // of states, signals, inputs and memory

/** States, signals, inputs and memory of an open model at a moment. */
function numbersOf(sample: Sample | undefined): Numbers { return { ...sample?.states, ...sample?.signals, ...sample?.inputs, ...sample?.memory }; }

/** Names of bodies that turn: those with an inertia, and driven ones that are joined to them. */
function turning(model: Plain, names: string[]): Set<string> {
    const found = new Set(names.filter((name) => get(model, 'bodies', name, 'inertia') !== undefined));
    const rows = [...items(get(model, 'connections')), ...entries(get(model, 'contacts')).map(([, contact]) => contact)];
    for (const row of rows) {
        const ends = [...items(get(row, 'between')), ...entries(get(row, 'along')).map(([name]) => name)].filter((e): e is string => typeof e === 'string');
        if (ends.some((name) => found.has(name))) for (const name of ends) if (names.includes(name) && get(model, 'bodies', name, 'mass') === undefined) found.add(name);
    }
    return found;
}

/** What moves, from the model and the names in the answer. */
function describe(model: Plain, answer: MotionAnswer & { samples: Sample[] }): Description {
    const common = { title: answer.title, until: answer.t, width: 0 };
    if (get(model, 'slider')) {
        const supports = items(get(model, 'slider', 'supports')).map((s) => {
            const kind = ['point', 'wheel', 'ring', 'disk', 'annulus', 'polygon', 'pressure'].find((k) => get(s, k) !== undefined) ?? 'point';
            const place = items(get(s, kind === 'point' || kind === 'wheel' ? kind : 'center')).map(quantity);
            return { kind, level: 0, place: [place[0] || 0, place[1] || 0] as [number, number] };
        });
        const fingers = items(get(model, 'slider', 'pushers')).length, width = SLIDE.supports + SLIDE.perSupport * (supports.length + fingers) + SLIDE.perFinger * fingers;
        return { ...common, width, supports, fingers, floor_moves: answer.samples.some((sample: Sample) => sample.relative), gyration: quantity(get(model, 'slider', 'gyration')) || 1 };
    }
    const names = Object.keys(answer.state).filter((name) => 'x' in answer.state[name]), round = turning(model, names), first = answer.samples[0];
    const bodies = names.map((name) => {
        const body = get(model, 'bodies', name), moved = [get(body, 'position'), get(body, 'speed')].find((v) => v !== undefined);
        return { name, angular: round.has(name) || /\b(rad|deg|rpm)\b/.test(JSON.stringify(moved ?? '')), driven: moved !== undefined, x: 0, v: 0 };
    });
    const contacts = Object.keys(answer.contacts).map((name) => {
        const contact = get(model, 'contacts', name), law = String(get(contact, 'law') ?? 'coulomb'), ends = items(get(contact, 'between'));
        const told = first?.contacts[name], elements = elementsOf(told).length;
        return { name, law, angular: bodies.some((b) => b.name === ends[0] && b.angular), stops: /stop|crossley|backlash/.test(law), bristles: told?.z !== undefined || elements > 0, z: told?.z !== undefined, elements };
    });
    const numbers = Object.keys(numbersOf(first)).map((name) => ({ name, kind: '', unit: SLIPSTICK_UNITS[name] ?? '' })), elements = contacts.reduce((sum, c) => sum + c.elements, 0);
    return { ...common, width: 1 + 2 * bodies.length + 5 * contacts.length + numbers.length + elements, bodies, contacts, numbers };
}

/** Deflections, or forces, of the elements of a contact. */
function elementsOf(contact: Sample['contacts'][string] | undefined): number[] { return contact?.deflections ?? contact?.forces ?? []; }

/** The samples as a table with the columns of the laboratory. */
function tableOf(answer: { samples: Sample[] }, info: Description): Float64Array {
    const table = new Float64Array(answer.samples.length * info.width).fill(NaN);
    answer.samples.forEach((sample, k) => {
        const at = k * info.width, modes = Object.values(sample.contacts);
        table[at] = sample.t;
        if (info.supports) {
            const s = sample.state.slider;
            ['x', 'y', 'angle', 'vx', 'vy', 'spin'].forEach((name, j) => { table[at + 1 + j] = s[name]; });
            ['vx', 'vy', 'spin'].forEach((name, j) => { table[at + SLIDE.over + j] = (sample.relative ?? s)[name]; });
            modes.forEach((c, j) => {
                table[at + SLIDE.supports + SLIDE.perSupport * j] = MODES.indexOf(c.mode);
                table.set([c.force].flat(), at + SLIDE.supports + SLIDE.perSupport * j + 1);
            });
            fingerColumns(info).forEach((column, j) => { table.set(modes[info.supports!.length + j].place ?? [], at + column); });
            return;
        }
        const n = info.bodies!.length;
        info.bodies!.forEach((b, j) => {
            table[at + 1 + j] = sample.state[b.name].x;
            table[at + 1 + n + j] = sample.state[b.name].v;
        });
        modes.forEach((c, j) => {
            table[at + 1 + 2 * n + 5 * j] = MODES.indexOf(c.mode);
            table[at + 2 + 2 * n + 5 * j] = c.force as number;
            table[at + 5 + 2 * n + 5 * j] = c.z ?? NaN;
        });
        table.set([...Object.values(numbersOf(sample)), ...modes.flatMap(elementsOf)], at + 1 + 2 * n + 5 * modes.length);
    });
    return table;
}

/** As much of the laboratory as the views need to play one motion. */
class Player {
    readonly run: Run;
    readonly before = null;
    readonly live = false;
    readonly body = -1;
    readonly contact = 0;
    readonly tree = toTree(SLIPSTICK_MODEL);
    readonly reading = new Reading();
    time = 0;
    playing = false;
    rate: number;
    private last = 0;
    private readonly listeners: [Topic, () => void][] = [];

    constructor() {
        const info = describe(SLIPSTICK_MODEL, SLIPSTICK_MOTION), table = tableOf(SLIPSTICK_MOTION, info), rows = table.length / info.width;
        this.run = { info, answer: SLIPSTICK_MOTION, table, rows, end: Math.max(1e-9, table[(rows - 1) * info.width]) };
        this.rate = niceRate(this.run.end);
    }

    on(topic: Topic, work: () => void): void { this.listeners.push([topic, work]); }
    tell(topic: Topic): void { for (const [wanted, work] of this.listeners) if (wanted === topic) work(); }
    now(): Float64Array { return this.reading.at(this.run, this.time); }
    select(): void { /* one motion has nothing to choose */ }
    setStart(): void { /* nor can it start elsewhere */ }

    setTime(t: number): void {
        this.time = Math.max(0, Math.min(t, this.run.end));
        this.tell('time');
    }

    play(on: boolean): void {
        if (on && this.time >= this.run.end) this.time = 0;
        this.playing = on;
        this.tell('play');
    }

    frame(t: number): void {
        const seconds = this.last ? Math.min(0.1, (t - this.last) / 1000) : 0;
        this.last = t;
        if (this.playing) {
            this.setTime(this.time + seconds * this.rate);
            if (this.time >= this.run.end) this.play(false);
        }
        requestAnimationFrame((next) => this.frame(next));
    }
}

/** The machine on its stage, which follows the size of the window. */
function stage(player: Player, host: HTMLElement): void {
    const canvas = el('canvas', { id: 'machine', role: 'img', 'aria-label': 'The machine' }), g = canvas.getContext('2d')!, drawing = new MachineDrawing(g);
    host.append(canvas);
    const machine = layOut(SLIPSTICK_MODEL, player.run.info);
    const draw = (): void => {
        const { width, height } = host.getBoundingClientRect(), ratio = Math.min(2, window.devicePixelRatio || 1);
        if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(height * ratio);
            canvas.style.width = width + 'px';
            canvas.style.height = height + 'px';
        }
        g.setTransform(ratio, 0, 0, ratio, 0, 0);
        g.clearRect(0, 0, width, height);
        drawing.draw(machine, player.run, player.now(), width, height, scaleOf(machine, player.run, width, height));
    };
    new ResizeObserver(draw).observe(host);
    player.on('time', draw);
    player.on('theme', draw);
}

/** What the colours and arrows mean, of those that this motion has. */
function key({ info, table, rows }: Run): HTMLElement {
    const seen = new Set<string>();
    for (let k = 0; k < rows; k++) for (const place of modeColumns(info)) seen.add(MODES[table[k * info.width + place]] ?? '');
    const slips = ['slip+', 'slip-', 'slip'].some((mode) => seen.has(mode));
    const entry = (shown: boolean, name: string, words: string): HTMLElement[] => (shown ? [el('span', { class: name }, words)] : []);
    return el('p', { class: 'fates marks' },
        ...entry(slips, 'slips', 'slips'), ...entry(seen.has('stick'), 'sticks', 'sticks; shaded over time'),
        ...entry(seen.has('closed'), 'closed', 'touches the stop'),
        ...entry(!!info.supports || slips || seen.has('stick'), 'arrow', info.supports ? `velocity${info.fingers ? '; at a finger: how it pushes' : ''}` : 'force of the contact on the body'));
}

function begin(): void {
    const player = new Player(), lab = player as unknown as Lab;
    const place = el('div', { class: 'stage' }), lanes = el('div', {}), answer = player.run.answer;
    const count = answer.events.length;
    document.body.append(el('main', { class: 'player' },
        el('h1', {}, answer.title), el('p', { class: 'muted' }, `It ${outcomeOf(player.run)}, after ${count} event${count === 1 ? '' : 's'}. ${SLIPSTICK_MOTION.made.by}: ${SLIPSTICK_MOTION.made.question}`),
        el('section', { class: 'card theatre' }, place, key(player.run), new Transport(lab).root), el('section', { class: 'card', id: 'time' }, lanes)));
    if (player.run.info.supports) {
        const view = new TopView(place, lab);
        view.canvas.style.pointerEvents = 'none';
    } else stage(player, place);
    new TimeView(lab, lanes);
    followTheme(() => player.tell('theme'));
    player.tell('run');
    player.setTime(0);
    player.play(!matchMedia('(prefers-reduced-motion: reduce)').matches);
    document.addEventListener('keydown', (event) => {
        if (event.key !== ' ' || (event.target as HTMLElement).closest('button, input, select')) return;
        event.preventDefault();
        player.play(!player.playing);
    });
    requestAnimationFrame((t) => player.frame(t));
}

begin();
