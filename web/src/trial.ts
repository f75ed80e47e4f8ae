// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion led by hand: the model with a force on the body that is held, which it takes as one more input. It runs frame by frame
// from where the motion was, and is recorded like any other.
import { Desk } from './core/desk';
import type { Description, Run, Start } from './core/protocol';
import { type Plain, get, items, plain, toTree } from './model/plain';
import type { Tree } from './model/tree';

const HAND = 'force_of_the_hand';

/** The model with a force on a body that can be set while it runs; null where it has no bodies. */
export function withHand(tree: Tree, body: string, angular: boolean): Tree | null {
    const model = plain(tree);
    if (!model || typeof model !== 'object' || Array.isArray(model) || !(get(model, 'bodies') || get(model, 'matrices'))) return null;
    const changed: { [key: string]: Plain } = { ...model };
    changed.inputs = { ...((model.inputs as { [key: string]: Plain } | undefined) ?? {}), [HAND]: angular ? '0 N*m' : '0 N' };
    changed.forces = [...items(model.forces), { body, force: HAND }];
    return toTree(changed);
}

export class Trial {
    private readonly desk = new Desk();
    private input = -1;
    private waiting = false;
    run: Run | null = null;

    constructor(private readonly tree: Tree) {}

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
            const row = await this.desk.ask<Float64Array>(this.tree, { kind: 'trial-go', t, input: this.input, value: force });
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

    close(): void { this.desk.stop(); }
}
