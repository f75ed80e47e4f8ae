// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The machine, drawn and moving: blocks on floors and belts, wheels, springs, dampers, stops. What sticks is calm, what slips is
// warm; arrows are forces of friction. It needs a run and a layout, and nothing else, so that the player of a single motion draws
// the same.
import type { Run } from '../core/protocol';
import type { Link, Machine, Sole, Stop } from '../model/machine';
import { prefixed } from '../model/numbers';
import type { World } from '../model/world';
import { colors, modeColor } from './colors';
import { type Box, Parts, type Point } from './parts';

/** How a machine is placed on a canvas of a given size. */
export interface Scale {
    perMetre: number;
    base: number[]; // where x = 0 of each body is,
    middle: number[]; // and the middle of its column
    size: number; // of a block
    floor: number;
    room: number; // width of a column
    followed: number[]; // bodies that travel together: the camera goes with them
}

const MARGIN = 14; // from the edges of the canvas to the walls
const OPEN = 3; // the mode of a contact that does not touch

/** Numbers of the row: where body b is, mode and force of contact k. */
function at(row: Float64Array, b: number): number { return row[1 + b]; }
function contactAt(run: Run, row: Float64Array, contact: number, k: number): number { return row[1 + 2 * run.info.bodies!.length + 5 * contact + k]; }

/** Columns of the deflections of a contact's bristles: its own, or those of its elements. */
function bristleColumns(run: Run, contact: number): number[] {
    const { bodies, contacts, numbers } = run.info, own = contacts![contact];
    if (own.z) return [1 + 2 * bodies!.length + 5 * contact + 4];
    let first = 1 + 2 * bodies!.length + 5 * contacts!.length + (numbers?.length ?? 0);
    for (let k = 0; k < contact; k++) first += contacts![k].elements ?? 0;
    return Array.from({ length: Math.min(24, own.elements ?? 0) }, (_, k) => first + k);
}

function isGrounded(l: Link): boolean { return l.a < 0 || l.b < 0; }
function freeOf(l: Link): number { return l.a < 0 ? l.b : l.a; }

/** To which wall a body is held: the nearer one; what lies on a body that is held itself, to the other one. */
function sideOf(machine: Machine, link: Link): number {
    const b = freeOf(link), under = machine.under[b];
    if (machine.columns > 1) return machine.column[b] === machine.columns - 1 ? 1 : -1;
    return under >= 0 && machine.links.some((l) => isGrounded(l) && freeOf(l) === under) ? 1 : -1;
}

/** Where a spring or damper is held to the ground: at a wall of the stage, or, between other bodies, at a post of its own. */
function anchorOf(machine: Machine, link: Link, scale: Scale, width: number): { x: number; side: number; inside: boolean } {
    const b = freeOf(link), side = sideOf(machine, link), column = machine.column[b], inside = column > 0 && column < machine.columns - 1;
    return { x: inside ? scale.middle[b] - scale.room / 2 + MARGIN : side < 0 ? MARGIN : width - MARGIN, side, inside };
}

/** A force of the model acts on it, and no other part stands to its left. */
function hasActuator(machine: Machine, b: number): boolean {
    return machine.pushed[b] && !machine.angular[b] && machine.column[b] === 0 && machine.level[b] === 0 && !machine.links.some((l) => l.a === b || l.b === b);
}

/** How far the camera has gone: the mean place of the bodies that it follows. */
export function cameraAt(followed: number[], row: ArrayLike<number>, first = 0): number {
    return followed.length ? followed.reduce((sum, b) => sum + row[first + 1 + b], 0) / followed.length : 0;
}

/** Extent of the motion of every body: least and most x, as seen from the camera. */
export function extents(run: Run, followed: number[] = []): [number, number][] {
    const count = run.info.bodies!.length, width = run.info.width;
    const found: [number, number][] = Array.from({ length: count }, () => [Infinity, -Infinity]);
    for (let k = 0; k < run.rows; k++)
        for (let b = 0; b < count; b++) {
            const x = run.table[k * width + 1 + b] - cameraAt(followed, run.table, k * width);
            if (x < found[b][0]) found[b][0] = x;
            if (x > found[b][1]) found[b][1] = x;
        }
    return found;
}

/** What a column must show, in m: places of its bodies and stops, and 0 unless that is far away. */
function spanOf(machine: Machine, seen: [number, number][], column: number): [number, number] {
    let least = Infinity, most = -Infinity;
    const add = (x: number): void => {
        least = Math.min(least, x);
        most = Math.max(most, x);
    };
    seen.forEach((span, b) => { if (machine.column[b] === column && !machine.angular[b] && !machine.belt[b]) span.forEach(add); });
    for (const stop of machine.stops) if (machine.column[stop.body] === column && Number.isFinite(stop.at) && stop.other < 0) add(stop.at);
    if (!(least <= most)) return [0, 0];
    const wide = most - least;
    if (least > 0 && least <= 1.5 * wide) least = 0;
    if (most < 0 && -most <= 1.5 * wide) most = 0;
    return [least, most];
}

/** Pixels from the left and right edge of a column in which no body's middle may be: half a body, and room for springs to walls. */
function margins(machine: Machine, size: number, column: number): [number, number] {
    const wide = machine.carries.some((c, b) => c && !machine.belt[b] && machine.column[b] === column), own = (wide ? 1.3 : 0.5) * size + 24;
    const held = (side: number): boolean => machine.links.some((l) => isGrounded(l) && machine.column[freeOf(l)] === column && sideOf(machine, l) === side);
    const pushed = machine.column.some((c, b) => c === column && hasActuator(machine, b));
    return [own + (held(-1) || pushed ? 0.75 * size : 0), own + (held(1) ? 0.75 * size : 0)];
}

const FAR = 3; // a camera follows bodies that travel this many times farther together than among each other,
const NEAR = 1e-6; // and do move among each other: this share of their way, for else nothing would be seen to move

/** Bodies that travel together, where they do; nothing holds them to the ground. */
function travellers(machine: Machine, run: Run): number[] {
    const list = machine.column.map((_, b) => b).filter((b) => !machine.angular[b] && !machine.belt[b]);
    if (list.length < 2 || machine.stops.some((s) => s.other < 0) || machine.links.some((l) => isGrounded(l))) return [];
    const widest = (seen: [number, number][]): number => Math.max(...list.map((b) => seen[b][1] - seen[b][0]));
    const together = widest(extents(run)), apart = widest(extents(run, list));
    return together > FAR * apart && apart > NEAR * together ? list : [];
}

/** How far bodies go: within the neighbourhood and where they start, and at least as far as a quarter of it, since what stands still has a size, too. */
function seenOf(run: Run, followed: number[], world: World | null): [number, number][] {
    return extents(run, followed).map(([least, most], b) => {
        if (!world || followed.length) return [least, most];
        const start = run.table[1 + b], from = Math.min(world.far[b].least, start), to = Math.max(world.far[b].most, start), wide = to - from;
        return [Math.min(Math.max(least, from), from + 0.375 * wide), Math.max(Math.min(most, to), to - 0.375 * wide)];
    });
}

export function scaleOf(machine: Machine, run: Run, width: number, height: number, world: World | null = null): Scale {
    const followed = travellers(machine, run);
    const room = width / Math.max(1, machine.columns), size = Math.max(26, Math.min(112, room / 3.6, height / (machine.levels + 1.35)));
    const seen = seenOf(run, followed, world), columns = Array.from({ length: machine.columns }, (_, c) => {
        const [least, most] = spanOf(machine, seen, c), [left, right] = margins(machine, size, c);
        return { least, most, from: c * room + left, slack: Math.max(12, room - left - right) };
    });
    const perMetre = Math.min(...columns.filter((c) => c.most > c.least).map((c) => c.slack / (c.most - c.least)), Infinity);
    const scale = Number.isFinite(perMetre) ? perMetre : 1, base = columns.map((c) => c.from + (c.slack - (c.least + c.most) * scale) / 2);
    return { perMetre: scale, size, room, floor: height - Math.max(40, 0.2 * height), base: machine.column.map((c) => base[c]), middle: machine.column.map((c) => (c + 0.5) * room), followed };
}

function heightOf(machine: Machine, scale: Scale, b: number): number { return (machine.belt[b] ? 0.3 : machine.carries[b] ? 0.5 : 0.72) * scale.size; }
function liftOf(machine: Machine, scale: Scale, b: number): number { return machine.bristled[b] ? 0.12 * scale.size : machine.under[b] >= 0 ? 3 : 0; }

/** Where a body is drawn at a moment. */
export function boxOf(machine: Machine, scale: Scale, row: Float64Array, b: number): Box {
    const size = scale.size;
    if (machine.angular[b]) return { x: scale.middle[b], y: scale.floor - size * (machine.pendulum[b] ? 0.85 : 0.8), width: 1.5 * size, height: 1.5 * size };
    const moved = (at(row, b) - cameraAt(scale.followed, row)) * scale.perMetre, height = heightOf(machine, scale, b);
    let bottom = scale.floor - liftOf(machine, scale, b), steps = machine.column.length;
    for (let under = machine.under[b]; under >= 0 && steps > 0; under = machine.under[under], steps--) bottom -= heightOf(machine, scale, under) + liftOf(machine, scale, under);
    return { x: machine.belt[b] ? scale.middle[b] : scale.base[b] + moved, y: bottom - height / 2, width: machine.belt[b] ? scale.room - 40 : machine.carries[b] ? 2.6 * size : size, height };
}

/** A round length for a ruler, about an eighth of the width: in m and as it is told. */
function ruler(perMetre: number, width: number): [number, string] {
    const wanted = Math.min(140, width / 8) / perMetre, power = 10 ** Math.floor(Math.log10(wanted)), lead = wanted / power;
    const length = power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
    return [length, prefixed(length, 'm')];
}

export class MachineDrawing {
    private readonly parts: Parts;

    constructor(g: CanvasRenderingContext2D) { this.parts = new Parts(g); }

    draw(machine: Machine, run: Run, row: Float64Array, width: number, height: number, scale: Scale, selected = -1, ghost: Float64Array | null = null): void {
        const boxes = run.info.bodies!.map((_, b) => boxOf(machine, scale, row, b));
        this.ground(machine, boxes, scale, width, height, row);
        for (const link of machine.links) this.link(machine, link, boxes, scale, width);
        boxes.forEach((_, b) => { if (hasActuator(machine, b)) this.parts.actuator(MARGIN, [boxes[b].x - boxes[b].width / 2, boxes[b].y], scale.size); });
        if (ghost) run.info.bodies!.forEach((_, b) => { if (!machine.belt[b]) this.parts.ghost(boxOf(machine, scale, ghost, b), machine.angular[b]); });
        for (const [a, b] of machine.ties) this.parts.tie(boxes[a], boxes[b]);
        for (const sole of machine.soles) if (machine.angular[sole.body]) this.turning(machine, sole, boxes, run, row);
        run.info.bodies!.forEach((body, b) => {
            const hub = modeColor(this.modeOf(machine, run, row, b)), mine = b === selected;
            if (machine.belt[b]) this.parts.belt(boxes[b], at(row, b) * scale.perMetre, body.name);
            else if (machine.pendulum[b]) this.parts.pendulum(boxes[b], at(row, b), body.name, mine, hub);
            else if (machine.angular[b]) this.parts.wheel(boxes[b], at(row, b), body.name, machine.driven[b], mine, hub);
            else this.parts.block(boxes[b], body.name, machine.driven[b], mine);
        });
        for (const sole of machine.soles) if (!machine.angular[sole.body]) this.sole(machine, sole, boxes, run, row, scale);
        for (const stop of machine.stops) this.stop(machine, stop, boxes, scale, contactAt(run, row, stop.contact, 0), row);
    }

    private modeOf(machine: Machine, run: Run, row: Float64Array, b: number): number {
        const sole = machine.soles.find((s) => s.body === b || s.other === b);
        return sole ? contactAt(run, row, sole.contact, 0) : OPEN;
    }

    // ---- what stands still

    private ground(machine: Machine, boxes: Box[], scale: Scale, width: number, height: number, row: Float64Array): void {
        const gone = cameraAt(scale.followed, row) * scale.perMetre;
        if (machine.angular.every((a) => a)) return;
        this.parts.floor(scale.floor, width, gone);
        const anchors = machine.links.filter((l) => isGrounded(l) && freeOf(l) >= 0 && !machine.angular[freeOf(l)]).map((l) => anchorOf(machine, l, scale, width));
        if (boxes.some((_, b) => hasActuator(machine, b))) anchors.push({ x: MARGIN, side: -1, inside: false });
        for (const { x, side, inside } of new Map(anchors.map((a) => [a.x, a])).values()) this.parts.wall(x, side, scale.floor, (inside ? 0.9 : 1.6) * scale.size);
        const zeros = new Set(scale.base.filter((x, b) => !scale.followed.length && !machine.angular[b] && !machine.belt[b] && x > 8 && x < width - 8).map((x) => Math.round(x)));
        for (const x of zeros) this.parts.zero(x, scale.floor);
        const [length, text] = ruler(scale.perMetre, width);
        this.parts.ruler(MARGIN, height - 9, length * scale.perMetre, text);
    }

    // ---- what joins bodies

    private link(machine: Machine, link: Link, boxes: Box[], scale: Scale, width: number): void {
        const b = freeOf(link);
        if (b < 0) return;
        if (machine.angular[b] && isGrounded(link)) {
            this.parts.spiral(boxes[b]);
            return;
        }
        const [from, to] = this.ends(machine, link, boxes, scale, width), low = Math.min(...[link.a, link.b].filter((k) => k >= 0).map((k) => boxes[k].height));
        const lane = machine.angular[b] ? 0.16 * scale.size : Math.min(0.17 * scale.size, 0.27 * low), apart = link.spring && link.damper ? lane : 0, tall = 0.68 * lane;
        if (link.spring) this.parts.spring([from[0], from[1] - apart], [to[0], to[1] - apart], tall);
        if (link.damper) this.parts.damper([from[0], from[1] + apart], [to[0], to[1] + apart], tall, link.active);
    }

    /** Where a spring or damper begins and ends, from left to right. */
    private ends(machine: Machine, link: Link, boxes: Box[], scale: Scale, width: number): [Point, Point] {
        const box = boxes[freeOf(link)];
        if (isGrounded(link)) {
            const { x, side } = anchorOf(machine, link, scale, width), wall: Point = [x, box.y], face: Point = [box.x + (side * box.width) / 2, box.y];
            return side < 0 ? [wall, face] : [face, wall];
        }
        const [a, b] = [boxes[link.a], boxes[link.b]];
        if (machine.column[link.a] === machine.column[link.b]) { // one lies on the other: from a post on the lower one
            const [top, base] = a.y <= b.y ? [a, b] : [b, a], x = base.x - base.width / 2 + 5;
            this.parts.post(x, base.y - base.height / 2, top.y - 0.36 * top.height);
            return [[x, top.y], [top.x - top.width / 2, top.y]];
        }
        const [first, last] = a.x <= b.x ? [a, b] : [b, a];
        return [[first.x + first.width / 2, first.y], [last.x - last.width / 2, last.y]];
    }

    // ---- what rubs

    /** Clutches between wheels, brakes on them. */
    private turning(machine: Machine, sole: Sole, boxes: Box[], run: Run, row: Float64Array): void {
        const mode = contactAt(run, row, sole.contact, 0), color = modeColor(mode);
        if (machine.pendulum[sole.body]) return; // its pivot has the colour
        if (sole.other < 0) {
            this.parts.brake(boxes[sole.body], color);
            return;
        }
        const [a, b] = boxes[sole.body].x <= boxes[sole.other].x ? [boxes[sole.body], boxes[sole.other]] : [boxes[sole.other], boxes[sole.body]];
        const joined = machine.links.some((l) => [l.a, l.b].includes(sole.body) && [l.a, l.b].includes(sole.other)), y = a.y + (joined ? 0.3 * a.height : 0);
        const reach = joined ? 0.4 : 0.5; // a chord below the shaft, where a spring is on it
        this.parts.clutch([a.x + reach * a.width, y], [b.x - reach * b.width, y], 0.2 * a.height, color, mode === OPEN);
    }

    /** The face that rubs, in the colour of its mode, its bristles, and the force of friction on the body. */
    private sole(machine: Machine, { body, other, contact }: Sole, boxes: Box[], run: Run, row: Float64Array, scale: Scale): void {
        const [top, sign] = other >= 0 && machine.under[other] === body ? [other, -1] : [body, 1], box = boxes[top];
        const mode = contactAt(run, row, contact, 0), force = contactAt(run, row, contact, 1), limit = contactAt(run, row, contact, 3), lift = liftOf(machine, scale, top);
        this.parts.face(box, modeColor(mode));
        if (machine.bristled[top] && run.info.contacts![contact].bristles) this.bristles(box, lift - 3, run, row, contact, sign);
        const most = Number.isFinite(limit) && limit > 0 ? limit : this.largest(run, 1 + 2 * run.info.bodies!.length + 5 * contact + 1);
        if (most > 0) this.parts.arrow(box.x, box.y + box.height / 2 + lift + 7, sign * Math.max(-1.2, Math.min(1.2, force / most)) * 0.75 * scale.size, modeColor(mode));
    }

    /** One kind of bristle nine times, or each element: those that are stretched as far as they ever are slip. */
    private bristles(box: Box, length: number, run: Run, row: Float64Array, contact: number, sign: number): void {
        const c = colors(), columns = bristleColumns(run, contact), share = columns.map((k) => (sign * row[k]) / (this.largest(run, k) || 1));
        if (share.some((s) => !Number.isFinite(s))) return; // led by hand: they are not told
        if (run.info.contacts![contact].z) this.parts.bristles(box, length, new Array<number>(9).fill(share[0]), [modeColor(contactAt(run, row, contact, 0))]);
        else this.parts.bristles(box, length, share, share.map((s) => (Math.abs(s) > 0.999 ? c.slip : c.stick)));
    }

    private readonly known = new WeakMap<Run, Map<number, number>>();

    /** The largest size of a column during a run. */
    private largest(run: Run, column: number): number {
        let map = this.known.get(run);
        if (!map) this.known.set(run, (map = new Map()));
        let most = map.get(column);
        if (most === undefined) {
            most = 0;
            for (let k = 0; k < run.rows; k++) most = Math.max(most, Math.abs(run.table[k * run.info.width + column]) || 0);
            map.set(column, most);
        }
        return most;
    }

    private stop(machine: Machine, { body, other, at: place, above }: Stop, boxes: Box[], scale: Scale, mode: number, row: Float64Array): void {
        if (machine.angular[body] || !Number.isFinite(place)) return;
        const c = colors(), box = boxes[body], side = above ? 1 : -1, origin = other >= 0 ? boxes[other].x : scale.base[body];
        const beyond = side * (at(row, body) - (other >= 0 ? at(row, other) : 0) - place) * scale.perMetre, touched = mode !== OPEN && beyond > -2; // of two faces of one contact: this one
        this.parts.wall(origin + place * scale.perMetre + (side * box.width) / 2, side, scale.floor, 1.1 * scale.size, 3, touched ? c.closed : c.edge);
    }
}
