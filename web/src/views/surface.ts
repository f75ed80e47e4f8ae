// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The limit surface of a slider with the way of its load on it, and the sphere of motions with the way of its motion: forces by
// m g, lengths by the radius of gyration.
import { Desk, Replaced } from '../core/desk';
import { type Mesh, type Run, SLIDE } from '../core/protocol';
import type { Lab } from '../lab';
import { prefixed } from '../model/numbers';
import type { Tree } from '../model/tree';
import { inWords } from '../model/words';
import { colors } from './colors';
import { card, el } from './dom';
import { type Axis3, type Dot, Scene } from './scene';
import { Work } from './work';

const OUTSIDE = 1.007; // lines lie so far outside the surface on which they are

interface Eigen { q: [number, number, number]; stability: string; family?: string }

/** Motion over the floor in the body frame, as a unit vector (vx, vy, spin times gyration); null at rest. */
function direction(row: ArrayLike<number>, at: number, rho: number): [number, number, number] | null {
    const c = Math.cos(row[at + 3]), s = Math.sin(row[at + 3]), vx = row[at + SLIDE.over], vy = row[at + SLIDE.over + 1];
    const q: [number, number, number] = [c * vx + s * vy, c * vy - s * vx, row[at + SLIDE.over + 2] * rho], size = Math.hypot(...q);
    return size > 1e-12 ? (q.map((v) => v / size) as [number, number, number]) : null;
}

/** Directions of a whole motion, a little outside the sphere. */
function wayOf(run: Run, rho: number): Float32Array {
    const points: number[] = [];
    for (let k = 0; k < run.rows; k++) {
        const q = direction(run.table, k * run.info.width, rho);
        if (q) points.push(...q.map((v) => OUTSIDE * v));
    }
    return new Float32Array(points);
}

/** Axes of loads: `force` (N) is at 1, and the moment that it has at the radius of gyration (m). */
function loadAxes(force: number, rho: number): Axis3[] {
    return [{ name: 'Fx', unit: 'N', size: force }, { name: 'Fy', unit: 'N', size: force }, { name: 'M', unit: 'N·m', size: force * rho }];
}

export class SurfaceView {
    readonly root: HTMLElement;
    private readonly scene: Scene;
    private readonly desk = new Desk(500);
    private readonly work: Work;
    private asked: Tree | null = null;
    private unit = 1; // N: what counts as 1
    private drawn: { run: Run; unit: number; ways: Float32Array[] } | null = null;

    constructor(private readonly lab: Lab) {
        const { root, body } = card('Limit surface', 'surface', 'All loads friction can exert; the line is the load during the motion');
        this.root = root;
        const place = el('div', { class: 'square' });
        this.work = new Work(root, () => this.desk.stop());
        body.append(place, el('p', { class: 'status' }, 'All loads that friction can exert. Red: the load of this motion; the dot: now. Drag to turn.'));
        this.scene = new Scene(place, 'The limit surface.', loadAxes(1, 1));
        lab.on('model', () => {
            this.asked = null;
            this.scene.empty();
        });
        lab.on('run', () => this.ask());
        lab.on('theme', () => this.draw());
        lab.on('time', () => this.draw());
    }

    private ask(): void {
        const { run, tree } = this.lab;
        if (!run?.info.supports || !tree) return;
        if (this.asked === tree) {
            this.draw();
            return;
        }
        this.asked = tree;
        this.work.watch(this.desk.ask<Mesh>(tree, { kind: 'mesh', angle: NaN, fineness: 24 }, true)).then((mesh) => {
            if (this.asked !== tree) return; // of another model
            const rho = run.info.gyration!, places = new Float32Array(mesh.loads.length);
            let most = 1e-12;
            for (let k = 0; k < mesh.loads.length; k += 3) most = Math.max(most, Math.hypot(mesh.loads[k], mesh.loads[k + 1]), Math.abs(mesh.loads[k + 2]) / rho);
            this.unit = most;
            this.scene.setAxes(loadAxes(most, rho));
            for (let k = 0; k < mesh.loads.length; k++) places[k] = mesh.loads[k] / (k % 3 === 2 ? most * rho : most);
            this.scene.setSurface(places, Float32Array.from(mesh.motions), mesh.triangles);
            this.draw();
        }, (caught) => { if (!(caught instanceof Replaced)) this.asked = null; });
    }

    /** The load wherever the motion slips, a line for each stretch; it stays while that is played. */
    private ways(run: Run): Float32Array[] {
        const rho = run.info.gyration!, width = run.info.width, scale = OUTSIDE / this.unit, stretches: number[][] = [[]];
        for (let k = 0; k < run.rows; k++) {
            const at = k * width + SLIDE.load, over = k * width + SLIDE.over, points = stretches[stretches.length - 1];
            const slips = run.table[over] !== 0 || run.table[over + 1] !== 0 || run.table[over + 2] !== 0;
            if (slips && Number.isFinite(run.table[at])) points.push(run.table[at] * scale, run.table[at + 1] * scale, (run.table[at + 2] * scale) / rho);
            else if (points.length) stretches.push([]);
        }
        return stretches.filter((points) => points.length).map((points) => new Float32Array(points));
    }

    draw(): void {
        const run = this.lab.run;
        if (!run?.info.supports) return;
        const rho = run.info.gyration!, scale = OUTSIDE / this.unit, row = this.lab.now(), dots: Dot[] = [];
        if (this.drawn?.run !== run || this.drawn.unit !== this.unit) this.drawn = { run, unit: this.unit, ways: this.ways(run) };
        const [fx, fy, moment] = row.subarray(SLIDE.load, SLIDE.load + 3);
        if (Number.isFinite(fx)) dots.push({ at: [fx * scale, fy * scale, (moment * scale) / rho], color: colors().slip, size: 11 });
        this.scene.lines = this.drawn.ways.map((points) => ({ points, color: colors().bad }));
        this.scene.dots = dots;
        this.scene.request();
    }
}

export class SphereView {
    readonly root: HTMLElement;
    private readonly scene: Scene;
    private readonly desk = new Desk(500);
    private readonly work: Work;
    private readonly note: HTMLElement;
    private eigen: Eigen[] = [];
    private drawn: { run: Run; way: Float32Array } | null = null; // the way of the whole motion stays while that is played
    private asked: Tree | null = null;

    constructor(private readonly lab: Lab) {
        const { root, body } = card('Sphere of motions', 'sphere', 'How it moves, as a direction: the poles are pure spin, the equator pure sliding');
        this.root = root;
        const place = el('div', { class: 'square' });
        this.work = new Work(root, () => this.desk.stop());
        this.note = el('p', { class: 'status' });
        body.append(place, this.note);
        this.scene = new Scene(place, 'The sphere of motions.', ['vx/u', 'vy/u', 'ρ·spin/u'].map((name) => ({ name, unit: '', size: 1 })));
        this.sphere();
        lab.on('model', () => {
            this.asked = null;
            this.eigen = [];
            this.note.textContent = '';
        });
        lab.on('run', () => this.ask());
        lab.on('theme', () => this.draw());
        lab.on('time', () => this.draw());
    }

    private sphere(): void {
        const n = 24, m = 48, places: number[] = [], corners: number[] = [];
        for (let i = 0; i <= n; i++)
            for (let j = 0; j <= m; j++) {
                const a = (Math.PI * i) / n, b = (2 * Math.PI * j) / m;
                places.push(Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a));
                if (i < n && j < m) {
                    const k = i * (m + 1) + j;
                    corners.push(k, k + m + 1, k + 1, k + 1, k + m + 1, k + m + 2);
                }
            }
        const data = Float32Array.from(places);
        this.scene.setSurface(data, data, corners);
    }

    private ask(): void {
        const { run, tree } = this.lab;
        if (!run?.info.supports || !tree) return;
        if (this.asked !== tree) {
            this.asked = tree;
            this.eigen = [];
            this.work.watch(this.desk.ask<{ eigen_directions: Eigen[] }>(tree, { kind: 'surface', ask: 'eigen' }, true)).then((answer) => {
                if (this.asked !== tree) return;
                this.eigen = answer.eigen_directions;
                const stable = this.eigen.filter((e) => e.stability === 'stable').length;
                this.note.textContent = `Red: how this motion${run.info.floor_moves ? ' over the floor' : ''} turns. Green: ${stable} stable ${stable === 1 ? 'direction' : 'directions'} in which it may come to rest; grey: ${this.eigen.length - stable} ${this.eigen.length - stable === 1 ? 'other' : 'others'}. Each number is a share of u = √(vx² + vy² + ρ² spin²), with the radius of gyration ρ = ${prefixed(run.info.gyration!, 'm', 3)}.`;
                this.draw();
            }, (caught) => { if (!(caught instanceof Replaced)) this.note.textContent = inWords(caught); });
        }
        this.draw();
    }

    draw(): void {
        const run = this.lab.run;
        if (!run?.info.supports) return;
        const rho = run.info.gyration!, c = colors();
        if (this.drawn?.run !== run) this.drawn = { run, way: wayOf(run, rho) };
        const dots: Dot[] = this.eigen.map((e) => ({ at: e.q.map((v) => 1.01 * v) as [number, number, number], color: e.stability === 'stable' ? c.good : c.muted, size: 9 }));
        const now = direction(this.lab.now(), 0, rho);
        if (now) dots.push({ at: now.map((v) => 1.015 * v) as [number, number, number], color: c.slip, size: 11 });
        this.scene.lines = [{ points: this.drawn.way, color: c.bad }];
        this.scene.dots = dots;
        this.scene.request();
    }
}
