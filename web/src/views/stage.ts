// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The stage: the machine moving, and the hand. While it stands, a body that is dragged starts from there; while it runs, the hand
// pulls it like a spring.
import type { Run } from '../core/protocol';
import type { Lab } from '../lab';
import { type Machine, layOut } from '../model/machine';
import { show } from '../model/numbers';
import { type Plain, plain } from '../model/plain';
import { type Away, edgesOf, leaves } from '../model/world';
import { Trial, withHand } from '../trial';
import { Reading } from '../reading';
import { colors } from './colors';
import { el } from './dom';
import { listen } from './gesture';
import { MachineDrawing, type Scale, boxOf, cameraAt, scaleOf } from './machine';

const STEP = 0.005; // of the neighbourhood: how far a key moves a start

interface Grip { body: number; offset: number; pulling: boolean; x: number; y: number; moved: boolean; stiffness: number }

export class Stage {
    readonly canvas: HTMLCanvasElement;
    private readonly drawing: MachineDrawing;
    private machine: Machine | null = null;
    private scale: Scale | null = null;
    private grip: Grip | null = null;
    private trial: Trial | null = null;
    private box: { width: number; height: number } | null = null; // of its place, as it was last observed
    private width = 0;
    private height = 0;
    private readonly other = new Reading();
    private told = 0;

    constructor(private readonly host: HTMLElement, private readonly lab: Lab) {
        this.canvas = el('canvas', { id: 'machine', tabindex: 0, role: 'application', 'aria-label': 'The machine. Drag a body to let it start there; while it runs, dragging pulls it. Keys: up and down choose a body, left and right move its start, Enter lets go.' });
        host.append(this.canvas);
        this.drawing = new MachineDrawing(this.canvas.getContext('2d')!);
        listen(this.canvas, { hold: (e) => this.down(e), drag: (e) => this.move(e), drop: () => this.up(), tap: (e) => this.tap(e), hover: (e) => this.hover(e) });
        this.canvas.addEventListener('keydown', (e) => this.key(e));
        new ResizeObserver(([entry]) => {
            this.box = { width: entry.contentRect.width, height: entry.contentRect.height };
            this.arrange();
        }).observe(host);
        lab.on('run', () => this.arrange());
        lab.on('world', () => this.arrange());
        lab.on('time', () => this.draw());
        lab.on('select', () => this.draw());
        lab.on('theme', () => this.draw());
        lab.on('model', () => this.end());
    }

    private isBodies(): boolean { return Boolean(this.lab.run?.info.bodies); }

    /** Sizes and scale for a new run; while a body is held the scale stays. */
    private arrange(): void {
        const run = this.lab.run, tree = this.lab.tree;
        if (!run || !tree || !this.isBodies()) return;
        const box = this.box ?? this.host.getBoundingClientRect(), ratio = Math.min(2, window.devicePixelRatio || 1);
        if (box.width < 40) return;
        const resized = box.width !== this.width || box.height !== this.height;
        this.width = box.width;
        this.height = box.height;
        if (resized) {
            this.canvas.width = Math.round(this.width * ratio);
            this.canvas.height = Math.round(this.height * ratio);
            this.canvas.style.width = this.width + 'px';
            this.canvas.style.height = this.height + 'px';
        }
        this.canvas.getContext('2d')!.setTransform(ratio, 0, 0, ratio, 0, 0);
        if (!this.lab.live || resized || !this.machine) {
            const model: Plain = plain(tree);
            this.machine = layOut(model, run.info);
            if (!this.grip || !this.scale || resized) this.scale = scaleOf(this.machine, run, this.width, this.height, this.lab.world);
        }
        if (!this.lab.live) this.end();
        this.draw();
    }

    draw(): void {
        const run = this.lab.run;
        if (!run || !this.machine || !this.scale || !this.isBodies() || run.info.bodies!.length !== this.machine.column.length) return;
        const g = this.canvas.getContext('2d')!;
        g.clearRect(0, 0, this.width, this.height);
        const row = this.lab.now();
        const before = this.lab.before && this.lab.before.info.bodies?.length === run.info.bodies!.length ? this.other.at(this.lab.before, this.lab.time) : null;
        this.drawing.draw(this.machine, run, row, this.width, this.height, this.scale, this.lab.body, before);
        if (this.grip?.pulling) this.drawHand(g, row);
        if (run.away && this.lab.time >= run.end) this.drawAway(g, run.away, row);
    }

    /** At the edge of what is shown: where it went, and when. */
    private drawAway(g: CanvasRenderingContext2D, { t, body }: Away, row: Float64Array): void {
        const box = boxOf(this.machine!, this.scale!, row, body), text = `it runs away at t = ${show(t, 3)} s`;
        g.font = '600 14px system-ui, sans-serif';
        const half = g.measureText(text).width / 2 + 8, x = Math.max(half, Math.min(this.width - half, box.x));
        g.textAlign = 'center';
        g.textBaseline = 'middle';
        g.fillStyle = colors().card;
        g.globalAlpha = 0.85;
        g.fillRect(x - half, 8, 2 * half, 24);
        g.globalAlpha = 1;
        g.fillStyle = colors().bad;
        g.fillText(text, x, 20);
    }

    private drawHand(g: CanvasRenderingContext2D, row: Float64Array): void {
        const grip = this.grip!, box = boxOf(this.machine!, this.scale!, row, grip.body);
        g.strokeStyle = g.fillStyle = colors().accent;
        g.lineWidth = 2;
        g.setLineDash([4, 3]);
        g.beginPath();
        g.moveTo(box.x, box.y);
        g.lineTo(grip.x, grip.y);
        g.stroke();
        g.setLineDash([]);
        g.beginPath();
        g.arc(grip.x, grip.y, 6, 0, 2 * Math.PI);
        g.fill();
        g.font = '12px system-ui, sans-serif';
        g.textAlign = 'left';
        g.fillText(`${show(this.force(row), 3)} ${this.machine!.angular[grip.body] ? 'N·m' : 'N'}`, grip.x + 10, grip.y - 8);
    }

    // ---- the hand

    private point(event: PointerEvent): [number, number] {
        const box = this.canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }

    private hit(x: number, y: number): number {
        const run = this.lab.run;
        if (!run || !this.machine || !this.scale) return -1;
        const row = this.lab.now();
        for (let b = run.info.bodies!.length - 1; b >= 0; b--) {
            const box = boxOf(this.machine, this.scale, row, b);
            if (!this.machine.driven[b] && Math.abs(x - box.x) < box.width / 2 + 4 && Math.abs(y - box.y) < box.height / 2 + (this.machine.pendulum[b] ? box.height / 2 : 4)) return b;
        }
        return -1;
    }

    private down(event: PointerEvent): boolean {
        const [x, y] = this.point(event), body = this.hit(x, y);
        if (body < 0) return false;
        event.preventDefault();
        this.lab.select(body);
        const row = this.lab.now(), box = boxOf(this.machine!, this.scale!, row, body);
        this.grip = { body, offset: x - box.x, pulling: this.lab.playing, x, y, moved: false, stiffness: this.stiffness(body) };
        if (this.lab.playing) void this.beginPull();
        return true;
    }

    /** A finger that taps chooses a body, or sets the chosen one there; a mouse that clicks beside all bodies does nothing. */
    private tap(event: PointerEvent): void {
        const [x, y] = this.point(event), body = this.hit(x, y), lab = this.lab, scale = this.scale;
        if (body >= 0) lab.select(body);
        if (body >= 0 || event.pointerType !== 'touch' || !lab.run?.info.bodies || !scale || !this.machine || this.machine.angular[lab.body] || this.machine.driven[lab.body] || lab.playing) return;
        const start = lab.startNow();
        start.x[lab.body] = (x - scale.base[lab.body]) / scale.perMetre + cameraAt(scale.followed, lab.now());
        lab.setTime(0);
        lab.moveStart(start);
    }

    private hover(event: PointerEvent): void { this.canvas.style.cursor = this.hit(...this.point(event)) >= 0 ? (this.lab.playing ? 'grab' : 'ew-resize') : ''; }

    /** A spring of the hand that beats the friction of a body when drawn a quarter of the stage. */
    private stiffness(body: number): number {
        const run = this.lab.run!, info = run.info;
        let most = 1e-9;
        info.contacts!.forEach((c, k) => {
            if (c.stops) return;
            const column = 1 + 2 * info.bodies!.length + 5 * k + 1;
            for (let r = 0; r < run.rows; r += 4) most = Math.max(most, Math.abs(run.table[r * info.width + column]));
        });
        const reach = this.machine!.angular[body] ? 1 : (0.25 * this.width) / this.scale!.perMetre;
        return (3 * most) / reach;
    }

    /** Where the hand is, in the coordinate of the body it holds. */
    private target(): number {
        const grip = this.grip!, base = this.scale!.base[grip.body];
        if (!this.machine!.angular[grip.body]) return (grip.x - grip.offset - base) / this.scale!.perMetre + cameraAt(this.scale!.followed, this.lab.now());
        const box = boxOf(this.machine!, this.scale!, this.lab.now(), grip.body);
        const hand = this.machine!.pendulum[grip.body] ? Math.atan2(grip.x - box.x, grip.y - box.y) : Math.atan2(box.y - grip.y, grip.x - box.x);
        const now = this.lab.now()[1 + grip.body];
        return now + Math.atan2(Math.sin(hand - now), Math.cos(hand - now)); // the nearest turn
    }

    private force(row: Float64Array): number {
        const grip = this.grip;
        return grip?.pulling ? grip.stiffness * (this.target() - row[1 + grip.body]) : 0;
    }

    private async beginPull(): Promise<void> {
        const lab = this.lab, info = lab.run!.info.bodies![this.grip!.body];
        if (this.trial && lab.live) return;
        const held = lab.tree && withHand(lab.tree, info.name, info.angular);
        if (!held) return;
        const trial = new Trial(held), t = lab.time;
        try {
            await trial.begin(lab.startNow(), lab.run!, t);
        } catch {
            trial.close();
            return; // a body that takes no force is not pulled
        }
        this.trial?.close();
        this.trial = trial;
        lab.before = lab.pinned ? lab.before : lab.run;
        lab.live = true;
        lab.run = trial.run;
        lab.time = t;
        lab.tell('run');
    }

    /** One frame of a motion that is led by hand; true where it is one. */
    frame(seconds: number): boolean {
        const lab = this.lab, trial = this.trial;
        if (!lab.live || !trial?.run) return false;
        if (lab.time < trial.run.end - 1e-12) return false; // what is recorded is played first
        const force = this.force(lab.now());
        void trial.go(lab.time + seconds * lab.rate, force).then((good) => {
            if (!good || !lab.live || lab.run !== trial.run) return;
            lab.time = trial.run!.end;
            if (this.stopAway(trial.run!)) return;
            if (performance.now() - this.told > 150) {
                this.told = performance.now();
                lab.tell('run');
            }
            lab.tell('time');
        }, () => lab.play(false));
        return true;
    }

    /** A motion that the hand has led away ends at the edge of what is shown. */
    private stopAway(run: Run): boolean {
        const lab = this.lab, last = run.table.subarray((run.rows - 1) * run.info.width, run.rows * run.info.width);
        run.away = lab.world && leaves(last, run.info, edgesOf(lab.world, lab.startNow()), false);
        if (!run.away) return false;
        this.grip = null;
        lab.play(false);
        lab.tell('run');
        lab.tell('time');
        return true;
    }

    private move(event: PointerEvent): void {
        const grip = this.grip;
        if (!grip) return;
        [grip.x, grip.y] = this.point(event);
        if (grip.pulling) return;
        const start = this.lab.startNow();
        start.x[grip.body] = this.target();
        if (this.lab.time > 0) this.lab.setTime(0);
        this.lab.moveStart(start, !grip.moved);
        grip.moved = true;
    }

    private up(): void {
        const grip = this.grip;
        this.grip = null;
        if (grip && !grip.pulling && grip.moved) {
            this.arrange();
            this.lab.keepStart();
            this.lab.setTime(0);
            this.lab.play(true);
        }
    }

    /** The hand without a mouse. */
    private key(event: KeyboardEvent): void {
        const lab = this.lab, bodies = lab.run?.info.bodies, turn = { ArrowUp: -1, ArrowDown: 1 }[event.key], step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!bodies || !this.scale || (!turn && !step && event.key !== 'Enter')) return;
        event.preventDefault();
        if (turn) {
            const free = bodies.map((_, k) => k).filter((k) => !bodies[k].driven), at = free.indexOf(lab.body);
            if (free.length) lab.select(free[(at + turn + free.length) % free.length]);
        } else if (step) {
            const start = lab.startNow(), far = event.shiftKey ? 10 : 1;
            const wide = lab.world ? lab.world.x[lab.body].most - lab.world.x[lab.body].least : 2;
            start.x[lab.body] += far * step * STEP * wide;
            lab.play(false);
            lab.setTime(0);
            lab.moveStart(start);
            lab.keepStart();
        } else lab.play(true);
    }

    private end(): void {
        if (this.lab.live) return;
        this.trial?.close();
        this.trial = null;
    }
}
