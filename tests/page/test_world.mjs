// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The neighbourhood in which a model is looked at: no gesture enlarges it, and a motion that leaves it is shown until then.
import { runOf } from './hand.mjs';
import { check, openPage, root, test } from './harness.mjs';
import { ask } from './numbers.mjs';
import { readdirSync } from 'node:fs';

const models = readdirSync(root + 'models').filter((name) => name.endsWith('.yaml')).map((name) => name.slice(0, -5));

/** Brings the phase plane into sight, where it is drawn, and back: what is out of sight waits. */
const drawPhase = (page) => page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    document.querySelector('#phase')?.scrollIntoView();
    for (let k = 0; k < 3; k++) await frame();
    window.scrollTo(0, 0);
    for (let k = 0; k < 2; k++) await frame();
});

/** Scales that are seen now, each beside that of the model: both in m, rad, m/s or rad/s. */
const scales = (page) => page.evaluate(() => {
    const { state: lab, stage, topView } = window.laboratory, { run, world } = lab;
    if (run.info.supports) return { home: topView.home, stage: topView.width / topView.scale, tall: topView.height / topView.scale, away: null, start: [...run.table.slice(1, 7)] };
    const span = (list) => list.map((s) => s.most - s.least), free = run.info.bodies.map((b, k) => (b.driven ? -1 : k)).filter((k) => k >= 0), n = run.info.bodies.length;
    const far = free.map((b) => { let most = 0; for (let k = 0; k < run.rows; k++) most = Math.max(most, Math.abs(run.table[k * run.info.width + 1 + b] - (world.far[b].least + world.far[b].most) / 2)); return most; });
    return {
        world: JSON.stringify(world), x: span(world.x), v: span(world.v), reach: span(world.far), free, angular: run.info.bodies.map((b) => b.angular), stage: stage.width / stage.scale.perMetre,
        axes: lab.axes(2).map((a) => ({ path: a.path, wide: a.to - a.from })), far, start: [...run.table.slice(1, 1 + 2 * n)], rests: run.answer.outcome === 'at-rest', columns: stage.machine.columns,
        phase: ['x', 'y'].map((k) => { const p = window.laboratory.forBodies[0].plot; return p[k].most - p[k].least; }), body: lab.body,
    };
});

/** Waits until nothing is being computed. */
const settled = async (page) => {
    await page.waitForFunction(() => !window.laboratory.state.pending && window.laboratory.state.run && (window.laboratory.state.run.info.supports || window.laboratory.state.world));
};

/** Drags whatever is at a share of the stage by so many pixels. */
async function drag(page, canvas, share, dx) {
    const box = await page.locator(canvas).boundingBox(), x = box.x + share * box.width, y = box.y + 0.66 * box.height;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx / 2, y + 3, { steps: 1 });
    await page.mouse.move(x + dx, y + 6, { steps: 1 });
    await page.mouse.up();
    await page.evaluate(() => window.laboratory.state.play(false));
    await settled(page);
}

test('no gesture makes the stage or a plane unusable, in any model', async ({ browser, file }) => {
    const page = await openPage(browser, file, { width: 1100, height: 700 });
    await page.evaluate(() => { // what is known of a model comes after its first motion, and may enlarge the neighbourhood
        const lab = window.laboratory.state;
        lab.on('model', () => { window.judged = false; });
        lab.on('certificate', () => { window.judged = lab.check !== null; });
    });
    for (const name of models) {
        await page.selectOption('#models', name);
        await runOf(page, (n) => window.laboratory.state.name === n && window.judged, name);
        await page.evaluate(() => window.laboratory.state.play(false));
        await settled(page);
        const before = await scales(page), slider = before.home !== undefined, canvas = slider ? '#topview' : '#machine';
        for (let k = 0; k < 2; k++) {
            for (const share of [0.3, 0.5, 0.75]) await drag(page, canvas, share, k % 2 ? -900 : 900);
            await page.focus(canvas);
            for (const key of slider ? ['ArrowLeft', 'ArrowLeft', 'ArrowUp', 'Enter'] : ['Shift+ArrowRight', 'Shift+ArrowRight', 'ArrowDown', 'Shift+ArrowLeft']) await page.keyboard.press(key);
            await page.evaluate(() => window.laboratory.state.play(false));
            await settled(page);
            if (slider) continue;
            await page.evaluate((up) => { // the corner of the phase plane
                const canvas = document.querySelector('#phase canvas'), box = canvas.getBoundingClientRect();
                for (const type of ['pointerdown', 'pointerup']) canvas.dispatchEvent(new PointerEvent(type, { clientX: box.right - 16, clientY: up ? box.top + 14 : box.bottom - 40, pointerId: 1, isPrimary: true, pointerType: 'mouse', bubbles: true }));
                window.laboratory.state.play(false);
            }, k % 2);
            await settled(page);
        }
        if (!slider) await drawPhase(page);
        const after = await scales(page), told = `${name}: ${JSON.stringify(before)}, then ${JSON.stringify(after)}`;
        check(after.start.every((v) => Number.isFinite(v)), told);
        if (slider) {
            check(after.home === before.home && after.stage < 16 * before.home && after.tall < 16 * before.home, told);
            continue;
        }
        check(after.world === before.world, told);
        const straight = after.x.filter((_, b) => !after.angular[b]);
        check(straight.length === 0 || (after.stage > 0 && after.stage <= 4 * after.columns * Math.max(...straight)), told);
        for (const [k, b] of after.free.entries()) {
            check(after.far[k] <= 0.5001 * after.reach[b] * (after.rests ? 10 : 1.55), told); // half a world, 1.5 times, or 10 times to a rest
            const { x, v } = JSON.parse(after.world), inside = (value, span) => value >= span.least - 1e-3 * (span.most - span.least) && value <= span.most + 1e-3 * (span.most - span.least);
            check(inside(after.start[b], x[b]) && inside(after.start[b + x.length], v[b]), told);
        }
        check(after.phase[0] <= 1.2 * after.x[after.body] && after.phase[1] <= 1.2 * after.v[after.body], told);
    }
    await page.done();
});

test('a motion that runs away is shown until it leaves, with a word', async ({ browser, file, program }) => {
    const page = await openPage(browser, file);
    const before = await runOf(page, () => window.laboratory.state.certificate && window.laboratory.state.world);
    check(before.outcome === 'at-rest', before.outcome);
    await page.evaluate(() => window.laboratory.state.moveStart({ x: [9, -9], v: [0, 0] }));
    await runOf(page, () => window.laboratory.state.run.away);
    const { away, end, most, edge } = await page.evaluate(() => {
        const { run, world } = window.laboratory.state;
        return { away: run.away, end: run.end, most: Math.max(...Array.from({ length: run.rows }, (_, k) => Math.abs(run.table[k * run.info.width + 1]))), edge: world.x[0].most };
    });
    check(away.t === end && most > edge && most < 2 * edge, `left at ${away.t} of ${end}, ${most} m away; the neighbourhood ends at ${edge} m`);
    const there = ask(program, 'simulate', root + 'models/two-blocks.yaml', '--set', 'block1.x=9', '--set', 'block2.x=-9', '--at', String(away.t)); // there it is at the same time
    const x = there.samples[0].state;
    check(Math.abs(Math.max(Math.abs(x.block1.x), Math.abs(x.block2.x)) - 1.5 * edge) < 0.1 * edge, JSON.stringify(x));
    check(/runs away at t = /.test(await page.textContent('#answer .outcome')), await page.textContent('#answer'));
    await page.click('#undo');
    await runOf(page, (t) => window.laboratory.state.run.answer.t === t && !window.laboratory.state.run.away, before.t);
    await page.done();
});

test('a key moves a start by the same step, wherever the motion went before', async ({ browser, file }) => {
    const page = await openPage(browser, file), steps = [];
    await runOf(page, () => window.laboratory.state.certificate && window.laboratory.state.world);
    await page.focus('#machine');
    for (let k = 0; k < 12; k++) {
        const x = await page.evaluate(() => window.laboratory.state.startNow().x[0]);
        await page.keyboard.press('Shift+ArrowRight');
        await settled(page);
        steps.push((await page.evaluate(() => window.laboratory.state.startNow().x[0])) - x);
    }
    const wide = await page.evaluate(() => window.laboratory.state.world.x[0].most - window.laboratory.state.world.x[0].least);
    const moved = steps.filter((s) => s > 1e-9); // at the edge of the neighbourhood it stays
    check(moved.length >= 5 && moved.every((s) => s < 0.06 * wide) && moved.slice(0, -1).every((s) => Math.abs(s - moved[0]) < 0.01 * wide), `${steps} of ${wide}`);
    await page.done();
});

test('the page opens with a model that cannot run away', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '' });
    check((await runOf(page)).name === 'stick-slip-belt', 'another model');
    await page.done();
});

test('the stage shows how far bodies go that move alike', async ({ browser, file }) => {
    const page = await openPage(browser, file); // both start at 3 m and come to rest near 0; nothing tells one from the other
    await page.selectOption('#models', 'two-blocks-matrices');
    await settled(page);
    const { stage } = await scales(page);
    check(stage > 6 && stage < 60, `two blocks that move by 3 m stand on a stage of ${stage} m`);
    await page.done();
});
