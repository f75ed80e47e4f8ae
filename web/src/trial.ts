// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion led by hand: the model with a force on the body that is held. It runs frame by frame from where the motion was, and is
// recorded like any other. Bodies take the force as one more input; matrices, which have no inputs but forget nothing but their
// state, begin anew with another constant force whenever the hand has moved.
import { Desk } from './core/desk';
import type { Description, Run, Start } from './core/protocol';
import { type Plain, entries, get, items, plain, quantity, toTree } from './model/plain';
import type { Tree } from './model/tree';

const HAND = 'force_of_the_hand';

/** A model that a hand can hold: with no force at first, and with each one, where that is another model. */
export interface Held { tree: Tree; pulled: ((force: number) => Tree) | null }

/** The model with a force on a body that can be set while it runs; null where it takes none. */
export function withHand(tree: Tree, body: string, angular: boolean): Held | null {
    const model = plain(tree);
    if (!model || typeof model !== 'object' || Array.isArray(model)) return null;
    if (get(model, 'matrices')) return heldMatrices(model, Number(body.slice(1)) - 1);
    if (!get(model, 'bodies')) return null;
    const changed: { [key: string]: Plain } = { ...model };
    changed.inputs = { ...((model.inputs as { [key: string]: Plain } | undefined) ?? {}), [HAND]: angular ? '0 N*m' : '0 N' };
    changed.forces = [...items(model.forces), { body, force: HAND }];
    return { tree: toTree(changed), pulled: null };
}

/** Matrices with a force on coordinate k. Without T: theirs are not the coordinates that are drawn. */
function heldMatrices(model: { [key: string]: Plain }, k: number): Held | null {
    const own = Object.fromEntries(entries(model.matrices)), old = items(own.f).map(quantity), size = items(own.M).length;
    if (own.T !== undefined || old.some(Number.isNaN) || !(k >= 0 && k < size)) return null;
    const pulled = (force: number): Tree => toTree({ ...model, matrices: { ...own, f: Array.from({ length: size }, (_, j) => String((old[j] ?? 0) + (j === k ? force : 0))) } });
    return { tree: toTree(model), pulled };
}

export class Trial {
    private readonly desk = new Desk();
    private tree: Tree;
    private input = -1;
    private since = 0; // s: when the model began that runs now,
    private force = 0; // N or N*m: under this force
    private waiting = false;
    run: Run | null = null;

    constructor(private readonly held: Held) { this.tree = held.tree; }

    /** Goes from the start to time t without a force, and takes over what was shown until then. */
    async begin(start: Start, shown: Run, t: number): Promise<void> {
        const info = await this.desk.ask<Description>(this.tree, { kind: 'trial', start });
        this.input = info.inputs!.indexOf(HAND);
        const common = 1 + 2 * info.bodies!.length + 5 * info.contacts!.length;
        const table = new Float64Array(4096 * info.width);
        let rows = 0;
        for (let k = 0; k < shown.rows && shown.table[k * shown.info.width] <= t && rows < 2000; k++) {
            table.fill(NaN, rows * info.width, (rows + 1) * info.width);
            table.set(shown.table.subarray(k * shown.info.width, k * shown.info.width + common), rows * info.width);
            rows++;
        }
        this.run = { info, table, rows, end: t, answer: { ...shown.answer, outcome: 'led by hand', events: shown.answer.events.filter((e) => e.t <= t) } };
        await this.go(t, 0);
    }

    /** Goes on to time t under a force; false while the last step is not done. */
    async go(t: number, force: number): Promise<boolean> {
        const run = this.run;
        if (!run || this.waiting) return false;
        this.waiting = true;
        try {
            if (this.held.pulled && force !== this.force) await this.beginAnew(run, force);
            const row = await this.desk.ask<Float64Array>(this.tree, { kind: 'trial-go', t: t - this.since, input: this.input, value: force });
            row[0] = t;
            const width = run.info.width;
            if ((run.rows + 1) * width > run.table.length) {
                const larger = new Float64Array(2 * run.table.length);
                larger.set(run.table);
                run.table = larger;
            }
            run.table.set(row, run.rows * width);
            run.rows++;
            run.end = t;
            return true;
        } finally {
            this.waiting = false;
        }
    }

    /** Another force on a model without inputs: from the state that was reached, another model. */
    private async beginAnew(run: Run, force: number): Promise<void> {
        const n = run.info.bodies!.length, last = run.table.subarray((run.rows - 1) * run.info.width, run.rows * run.info.width);
        this.tree = this.held.pulled!(force);
        this.force = force;
        this.since = last[0];
        await this.desk.ask(this.tree, { kind: 'trial', start: { x: [...last.subarray(1, 1 + n)], v: [...last.subarray(1 + n, 1 + 2 * n)] } });
    }

    close(): void { this.desk.stop(); }
}
