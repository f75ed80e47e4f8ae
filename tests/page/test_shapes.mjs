// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Models of one's own, of all that the engine knows: each is drawn, plotted and mapped in a way that shows what it does.
import { runOf } from './hand.mjs';
import { check, openPage, test } from './harness.mjs';

/** Opens a model's text as a file would be. */
async function open(page, name, text) {
    await page.evaluate(([n, t]) => window.laboratory.openText(n, t), [name, text]);
    await runOf(page, (n) => window.laboratory.state.name === n && window.laboratory.state.world && !window.laboratory.state.pending, name);
    await page.evaluate(() => window.laboratory.state.play(false));
}

/** What is told of the map, once it is finished or refused. */
async function mapTold(page) {
    await page.evaluate(() => document.querySelector('#map').scrollIntoView());
    await page.waitForFunction(() => / in [\d.]+ s\.|There is no map/.test(document.querySelector('#map .status').textContent));
    return page.textContent('#map .status');
}

test('a body that is taken along far is seen beside the one that takes it', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=drill-string', height: 1400 });
    await runOf(page, () => window.laboratory.state.world && window.laboratory.state.certificate);
    const { x, v, far, across, key } = await page.evaluate(() => {
        const { state: lab, forBodies: [phase] } = window.laboratory, { world } = lab, b = lab.body;
        phase.draw();
        return { x: world.x[b], v: world.v[b], far: world.far[b], across: phase.plot.x, key: world.beside[b] };
    });
    // The bit turns 2000 rad with its table, and by less than 8 rad about it, with 6 to 13 rad/s.
    check(key === 0 && far.most > 1990 && x.most - x.least < 80 && v.most - v.least < 200, JSON.stringify({ x, v, far, key }));
    check(across.most - across.least < 30, `the phase plane is ${across.least} .. ${across.most} rad wide`);
    await page.focus('#machine');
    await page.keyboard.press('ArrowRight');
    await runOf(page, () => window.laboratory.state.isByHand() && !window.laboratory.state.pending && !window.laboratory.state.run.away); // a step, not a leap; the whole motion is shown
    check(Math.abs((await page.evaluate(() => window.laboratory.state.startNow().x[1]))) < 1, 'a key moves the bit by more than a part of its motion');
    await page.done();
});

test('a map of which a part cannot start shows the rest, and says why', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=wedge-brake', height: 1400 });
    await runOf(page);
    const told = await mapTold(page), range = await page.evaluate(() => window.laboratory.state.spans[0]);
    check(/motions in .*cannot be computed: contacts\.rails\.normal: /.test(told), told);
    check(range.from > -5 && range.from < 1 && range.to > 2.2, `${range.from} .. ${range.to} m`); // normal: 12 N + 5 N/m x
    await page.done();
});

test('play between two stops holds a body, and has two faces', async ({ browser, file }) => {
    const page = await openPage(browser, file, { height: 1400 });
    await open(page, 'play', 'slipstick: 1\ntitle: play\nparameters: {play: 20 cm}\nbodies: {a: {mass: 1 kg}}\nconnections: [{between: [a, ground], stiffness: 10 N/m}]\ncontacts: {mesh: {between: [a, ground], law: backlash, gap: play, center: 3 cm, restitution: 0.8}}\nstart: {a: {x: 3 cm, v: 1 m/s}}\nrun: {until: 1 s}\n');
    const faces = await page.evaluate(() => window.laboratory.stage.machine.stops.map((s) => [s.at, s.above]));
    check(faces.length === 2 && faces.every(([at, above]) => Math.abs(at - (above ? 0.13 : -0.07)) < 1e-12), JSON.stringify(faces));
    const told = await mapTold(page), span = await page.evaluate(() => window.laboratory.state.spans[0]);
    check(/motions in/.test(told) && span.from >= -0.07 - 1e-9 && span.to <= 0.13 + 1e-9, `${told} ${JSON.stringify(span)}`);
    await page.done();
});

test('contacts of matrices and of bodies beside them are told apart, and all can be pulled', async ({ browser, file }) => {
    const page = await openPage(browser, file, { height: 1400 });
    await open(page, 'mixed', 'slipstick: 1\ntitle: mixed\nmatrices: {names: [top, base], M: [[2, 0], [0, 4]], K: [[300, -300], [-300, 800]], W: [[0], [1]], friction: [2]}\nbodies: {sledge: {mass: 1 kg}, table: {speed: 0.1 m/s}}\nconnections: [{between: [sledge, ground], stiffness: 40 N/m}]\ncontacts: {sole: {between: [sledge, table], law: coulomb, friction: 3 N}}\nstart: {top: {x: 10 cm}}\nrun: {until: 6 s}\n');
    const soles = await page.evaluate(() => {
        const { state: { run: { info } }, stage: { machine } } = window.laboratory;
        return machine.soles.map((s) => `${info.contacts[s.contact].name}: ${info.bodies[s.body].name} on ${info.bodies[s.other]?.name ?? 'ground'}`).sort().join('; ');
    });
    check(soles === 'c1: base on ground; sole: sledge on table', soles);
    for (const [k, name] of ['top', 'base', 'sledge'].entries()) { // a hand is one more input of the model
        const inputs = await page.evaluate(async (b) => {
            const { state: lab, stage } = window.laboratory;
            lab.setTime(0.5 * lab.run.end);
            stage.grip = { body: b, offset: 0, pulling: true, x: 0, y: 0, moved: false, stiffness: 1 };
            await stage.beginPull();
            const { live, run } = lab;
            stage.grip = null;
            lab.live = false;
            stage.end();
            return live ? run.info.inputs : [];
        }, k);
        check(inputs.includes('force_of_the_hand'), `${name} cannot be pulled`);
        await page.click('#reset');
        await runOf(page, () => !window.laboratory.state.live && !window.laboratory.state.pending);
    }
    await page.done();
});

test('a law of one\'s own is called by its name; many contacts are chosen from a list', async ({ browser, file }) => {
    const page = await openPage(browser, file, { height: 1400 }), names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    await open(page, 'own', 'slipstick: 1\ntitle: own\nbodies: {block: {mass: 1 kg}}\nconnections: [{between: [block, ground], stiffness: 40 N/m}]\nlaws: {felted: {keys: {k: 500 N/m, f: 0.6 N}, states: {z: {rate: "v - abs(v)*k*z/f"}}, force: "-(k*z)"}}\ncontacts: {brush: {between: [block, ground], law: felted}}\nstart: {block: {x: 0.1 m}}\nrun: {until: 1 s}\n');
    await page.waitForFunction(() => document.querySelector('#law .tools').textContent === 'felted');
    await open(page, 'many', `slipstick: 1\ntitle: many\nbodies:\n${names.map((n) => `  ${n}: {mass: 1 kg}\n`).join('')}connections:\n${names.map((n) => `  - {between: [${n}, ground], stiffness: 10 N/m}\n`).join('')}contacts:\n${names.map((n, k) => `  on_${n}: {between: [${n}, ground], law: coulomb, friction: ${k + 1} N}\n`).join('')}start: {a: {v: 1 m/s}}\nrun: {until: 2 s}\n`);
    await page.waitForFunction(() => document.querySelector('#law .tools select')?.options.length === 8);
    await page.selectOption('#law .tools select', '4');
    await page.waitForFunction(() => window.laboratory.state.contact === 4);
    await page.waitForFunction(() => Math.abs(Math.max(...window.laboratory.forBodies[3].curve.map(([, f]) => f)) - 5) < 1e-9); // its own law is drawn
    await page.selectOption('#phase .tools select', '6');
    await page.waitForFunction(() => window.laboratory.state.body === 6);
    await page.done();
});

const FINGER = 'slipstick: 1\ntitle: finger\nslider:\n  mass: 1 kg\n  gyration: 0.1 m\n  quasistatic: true\n  supports: [{polygon: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]], load: 1, mu: 0.5}]\n  outline: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]\n  pushers: [{at: [0.05, -0.15], velocity: [0, "0.1 m/s * sin(1 rad/s * t)"], mu: 0.3}]\nrun: {until: 3 s}\n';

/** Opens a model with a finger, and tells where it is at a moment, and where on the stage. */
async function fingerAt(page, t) {
    return page.evaluate((when) => {
        const { state: lab, topView } = window.laboratory, arcs = [], { arc } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.arc = function write(x, y, ...rest) { arcs.push([x, y]); return arc.call(this, x, y, ...rest); };
        lab.setTime(when);
        CanvasRenderingContext2D.prototype.arc = arc;
        const row = lab.now(), [x, y] = [row[row.length - 2], row[row.length - 1]], [px, py] = topView.px(x, y);
        return { x, y, drawn: arcs.some(([a, b]) => Math.hypot(a - px, b - py) < 1e-6), inside: px > 0 && px < topView.width && py > 0 && py < topView.height, corners: topView.edge.length };
    }, t);
}

test('a finger is drawn where it is, and what it pushes can be put elsewhere', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await page.evaluate((t) => window.laboratory.openText('finger', t), FINGER);
    await runOf(page, () => window.laboratory.state.name === 'finger');
    await page.evaluate(() => window.laboratory.state.play(false));
    for (const t of [0, 1, 2.5]) { // y = -0.15 + 0.1 (1 - cos t): nothing else moves it
        const { x, y, drawn, inside, corners } = await fingerAt(page, t), there = -0.15 + 0.1 * (1 - Math.cos(t));
        check(Math.abs(x - 0.05) < 1e-12 && Math.abs(y - there) < 2e-6, `at ${t} s the finger is at ${x}, ${y}`); // between moments of 5 ms
        check(drawn && inside && corners === 4, `at ${t} s: ${drawn ? '' : 'not drawn '}${inside ? '' : 'out of sight '}${corners} corners`);
    }
    check(/put there/.test(await page.textContent('.hint')), await page.textContent('.hint'));
    await page.focus('#topview');
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    const run = await runOf(page, () => /x: /.test(window.laboratory.state.text) && !window.laboratory.state.pending && !window.laboratory.state.error);
    check(run.x[1] > 0.01 && run.x[4] === 0, `it starts at ${run.x.slice(1, 7)}`);
    await page.done();
});
