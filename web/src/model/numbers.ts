// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The numbers of a model that can be turned: those that stand as a plain number with or without a unit. A slider changes the
// text itself, so that what is seen is what is computed.
import { Kind, type Tree } from './node';

export interface Quantity {
    path: string; // "contacts.floor.mu"
    label: string; // "mu"
    group: string; // "contacts.floor"
    value: number;
    unit: string;
    range: [number, number]; // of the number itself in the text
    least: number;
    most: number;
    log: boolean; // it can be turned by factors
    whole: [number, number]; // range of the number with its unit, or of a formula
    formula: string; // what stands there where it is no plain number; otherwise empty
    edges: [number, number]; // beyond which the model refuses it, as far as its neighbours tell
}

const NUMBER = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(\s*[a-zA-Z(][\w^*/().\-\s]*)?$/;
const NOT_TURNED = new Set(['slipstick', 'title', 'law', 'body', 'ledger', 'count', 'ratchet', 'frame']);

/** Largest sensible values of fields that have a natural range. */
const NATURAL: Record<string, [number, number]> = { restitution: [0, 1], load: [0, 1], saturation: [-1, 1], exponent: [1, 3], shape: [0.5, 4] };
const SIGNED = new Set(['damping', 'cubic', 'x', 'v', 'y', 'vx', 'vy', 'spin', 'angle', 'force', 'speed', 'position', 'above', 'below', 'length', 'z', 'target', 'start']);

function bounds(label: string, value: number, group: string, other: number): [number, number] {
    const natural = NATURAL[label];
    if (natural) return [Math.min(natural[0], value), Math.max(natural[1], value)];
    const size = Math.abs(value);
    if (/^mu/.test(label)) return [0, Math.max(1, 2 * size)];
    if (value === 0) return [-other, other];
    if (value < 0 || SIGNED.has(label) || group.startsWith('start') || /^c\d*$/.test(label)) return [-3 * size, 3 * size];
    return [0, 3 * size];
}

/** How far a number that is 0 may be turned: as far as the largest of the same unit, where there is one. */
function scaleOfZero(label: string, unit: string, sizes: Map<string, number>): number {
    if (unit && sizes.has(unit)) return sizes.get(unit)!;
    if (label === 'spin' || label === 'angle') return 3;
    return /mm|um/.test(unit) ? 10 : 2;
}

/** Names that the model gives to numbers: no units, where they stand behind a number. */
function namesOf(tree: Tree): Set<string> {
    const groups = new Set(tree.nodes.flatMap((n, k) => (n.parent === 0 && /^(parameters|inputs|signals|states)$/.test(n.key ?? '') ? [k] : [])));
    return new Set(tree.nodes.filter((n) => groups.has(n.parent)).map((n) => n.key ?? ''));
}

const NONE: ReadonlySet<string> = new Set();

/** Fields that only make sense above 0 stay above it. */
const POSITIVE = new Set(['mass', 'inertia', 'gyration', 'gravity', 'sigma0', 'stribeck_speed', 'coulomb', 'until', 'attraction', 'breakaway', 'every']);

/** Levels at rest, and those while slipping which they must not be below. */
const LEVELS: Record<string, string[]> = { static: ['coulomb', 'friction'], mu_static: ['mu'] };

/** How far a level may be turned beside the other one, where both are written in the same unit. */
function edgesOf(q: Quantity, all: Quantity[]): [number, number] {
    const beside = all.filter((p) => p.group === q.group && p.unit === q.unit && !p.formula), values = (labels: string[]): number[] => beside.filter((p) => labels.includes(p.label)).map((p) => p.value);
    const above = Object.keys(LEVELS).filter((label) => LEVELS[label].includes(q.label));
    return [Math.max(-Infinity, ...values(LEVELS[q.label] ?? [])), Math.min(Infinity, ...values(above))];
}

/** All numbers of a model that can be turned, in the order of the text, and formulas at these paths, which were numbers before. */
export function quantities(tree: Tree, source: string, formulas: ReadonlySet<string> = NONE): Quantity[] {
    const paths: string[] = [];
    const counts = new Map<number, number>();
    const depthOfLists: number[] = [];
    const found: Quantity[] = [];
    const names = namesOf(tree), sizes = new Map<string, number>(); // the largest of each unit
    tree.nodes.forEach((node, index) => {
        const parent = tree.nodes[node.parent];
        const place = counts.get(node.parent) ?? 0;
        counts.set(node.parent, place + 1);
        const own = node.key ?? `[${place}]`;
        const above = node.parent < 0 ? '' : paths[node.parent];
        paths[index] = node.parent < 0 ? '' : node.key === null ? above + own : above ? `${above}.${own}` : own;
        depthOfLists[index] = (node.parent < 0 ? 0 : depthOfLists[node.parent]) + (node.kind === Kind.list ? 1 : 0);
        if (node.kind !== Kind.scalar || node.text === null || node.places[4] === 0 || NOT_TURNED.has(own)) return;
        const element = /\.elements\[(\d+)\]\[(\d+)\]$/.exec(paths[index]);
        if (parent && parent.kind === Kind.list && depthOfLists[node.parent] > 1 && !element) return; // tables and matrices are not turned
        if (/\.at_tick\b/.test(paths[index])) return; // a program, not a number
        const match = NUMBER.exec(node.text.trim()), name = node.key ?? `${parent?.key ?? ''}[${place}]`, group = element ? above.replace(/\[\d+\]$/, '') : above;
        const formula = (): void => { if (formulas.has(paths[index])) found.push({ path: paths[index], label: name, group: group, value: NaN, unit: '', range: node.range, whole: node.range, formula: node.text!, edges: [-Infinity, Infinity], least: 0, most: 0, log: false }); };
        if (!match) return formula();
        const shares = element && tree.nodes.some((n, k) => n.text === 'gms' && paths[k] === paths[index].replace(/\.elements.*$/, '.law'));
        const at = source.indexOf(match[1], node.range[0]);
        if (at < 0 || at >= node.range[1]) return;
        const label = element ? `${Number(element[1]) + 1}: ${['stiffness', shares ? 'share' : 'level'][Number(element[2])] ?? ''}` : name, value = Number(match[1]), unit = (match[2] ?? '').trim();
        if ((unit.match(/[A-Za-z_]\w*/g) ?? []).some((word) => word === 'pi' || word === 't' || names.has(word))) return formula();
        sizes.set(unit, Math.max(sizes.get(unit) ?? 0, Math.abs(value)));
        found.push({ path: paths[index], label, group: group, value, unit, range: [at, at + match[1].length], whole: node.range, formula: '', edges: [-Infinity, Infinity], least: 0, most: 0, log: value > 0 && !SIGNED.has(label) });
    });
    for (const q of found) {
        if (q.formula) continue;
        [q.least, q.most] = bounds(q.label, q.value, q.group, scaleOfZero(q.label, q.unit, sizes) || 2);
        if (POSITIVE.has(q.label) && q.least <= 0) q.least = q.most / 1000;
        q.edges = edgesOf(q, found);
    }
    return found;
}

/** A number as a person would write it: as many digits as a slider can tell. */
export function write(value: number, span: number): string {
    const digits = Math.max(0, Math.min(15, Math.ceil(-Math.log10(Math.max(span, 1e-300) / 500))));
    const size = Math.abs(value);
    if (value !== 0 && (size < 1e-4 || size >= 1e6)) return value.toExponential(3).replace(/\.?0+e/, 'e').replace('e+', 'e');
    const text = value.toFixed(digits);
    return text.includes('.') ? text.replace(/\.?0+$/, '') || '0' : text;
}

const PREFIXES: [number, string][] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];

/** The prefix in which values of this size are easily read: factor and letter; of units that do not begin with a base unit, none. */
export function prefixFor(size: number, unit: string): [number, string] {
    if (!/^(m|N|rad|J|V|A|W|Pa)\b(?!\^)/.test(unit) || !(size >= 1e-10) || !Number.isFinite(size)) return [1, ''];
    if (size >= 0.1 && size < 1e4) return [1, ''];
    return PREFIXES.find(([factor]) => size >= 0.999999 * factor) ?? PREFIXES[PREFIXES.length - 1];
}

/** A quantity for reading, such as "5 mm". */
export function prefixed(value: number, unit: string, digits = 4): string {
    const [factor, letter] = prefixFor(Math.abs(value), unit);
    return `${show(value / factor, digits)}${unit ? ` ${letter}${unit}` : ''}`;
}

/** A number for reading: four digits. */
export function show(value: number | null | undefined, digits = 4): string {
    if (value === null || value === undefined || !Number.isFinite(value)) return '–';
    if (value === 0) return '0';
    const size = Math.abs(value);
    const text = size < 1e-3 || size >= 1e5 ? value.toExponential(digits - 1) : value.toPrecision(digits);
    return text.replace(/(\.\d*?)0+(e|$)/, '$1$2').replace(/\.(e|$)/, '$1').replace('e+', 'e').replace('-', '−');
}
