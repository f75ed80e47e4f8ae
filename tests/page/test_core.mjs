// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// window.slipstick beside the command line: the same C gives the same numbers.
import { check, openPage, root, test } from './harness.mjs';
import { ask, difference } from './numbers.mjs';
import { readFileSync, readdirSync } from 'node:fs';

const models = readdirSync(root + 'models').filter((name) => name.endsWith('.yaml'));
const textOf = (name) => readFileSync(root + 'models/' + name, 'utf8');
const isSlider = (name) => /^slider:/m.test(textOf(name));

// Where the directions in which a slider may come to rest form a circle, as those of a ring do, its place on the circle is known to
// the tolerance of the motion, and no better: rounding decides over 1e-10 of it. Sliders are therefore compared where the tolerance
// is no larger than what is asked for.
test('every model moves as on the command line, to 1e-12', async ({ browser, file, program }) => {
    const page = await openPage(browser, file);
    for (const name of models) {
        const model = root + 'models/' + name, tolerance = isSlider(name) ? 1e-12 : 1e-10;
        const here = await page.evaluate(([text, t]) => window.slipstick.simulate(text, { every: 0.5, tolerance: t }), [textOf(name), tolerance]);
        const there = ask(program, 'simulate', model, '--every', '0.5', '--tolerance', String(tolerance)), found = difference(here, there, 1e-12);
        check(there.samples.length > 0, `${name}: nothing was compared`);
        check(!found, `${name}: ${found}`);
    }
    await page.done();
});

test('every model is checked and certified as on the command line', async ({ browser, file, program }) => {
    const page = await openPage(browser, file);
    for (const name of models) {
        for (const command of ['check', 'certify']) {
            const ours = (text) => page.evaluate(([ask, t]) => window.slipstick[ask](t).catch((e) => ({ refused: e.message })), [command, text]);
            let there;
            try {
                there = ask(program, command, root + 'models/' + name);
            } catch (error) {
                there = { refused: String(error.stderr).trim() };
            }
            const found = difference(await ours(textOf(name)), there, 1e-12);
            check(!found, `${command} ${name}: ${found}`);
        }
    }
    await page.done();
});

test('maps, cycles and limit surfaces are those of the command line', async ({ browser, file, program }) => {
    const page = await openPage(browser, file);
    const two = textOf('two-blocks.yaml'), over = ['block1.x=-10:10:21', 'block2.x=-10:10:21'];
    const map = await page.evaluate(([text, axes]) => window.slipstick.basin(text, { over: axes }), [two, over]);
    let found = difference(map, ask(program, 'basin', root + 'models/two-blocks.yaml', ...over.flatMap((o) => ['--over', o])), 1e-12);
    check(!found && map.cells === 441, `basin: ${found}`);
    // A map with several attractors needs the labels of its cells, which are kept in a file that is memory here.
    const valve = ['poppet.x=0:0.001:5', 'poppet.v=-1:1:5'];
    const attractors = await page.evaluate(([text, axes]) => window.slipstick.basin(text, { over: axes }), [textOf('relief-valve.yaml'), valve]);
    found = difference(attractors, ask(program, 'basin', root + 'models/relief-valve.yaml', ...valve.flatMap((o) => ['--over', o])), 1e-9);
    check(!found, `attractors: ${found}`);
    const cycle = await page.evaluate((text) => window.slipstick.cycle(text), textOf('stick-slip-belt.yaml'));
    found = difference(cycle, ask(program, 'cycle', root + 'models/stick-slip-belt.yaml'), 1e-10);
    check(!found, `cycle: ${found}`);
    for (const [options, words] of [[{ eigen: true }, ['--eigen']], [{ facets: true }, ['--facets']], [{ load: [1, 0.5, 0.25] }, ['--load', '1,0.5,0.25']], [{ firstMotion: [2, 0, 1] }, ['--first-motion', '2,0,1']]]) {
        const answer = await page.evaluate(([text, o]) => window.slipstick.surface(text, o), [textOf('tripod.yaml'), options]);
        found = difference(answer, ask(program, 'surface', root + 'models/tripod.yaml', ...words), 1e-9);
        check(!found, `surface ${words[0]}: ${found}`);
    }
    await page.done();
});

test('faults come with line, column and field', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    const faults = await page.evaluate(async (texts) => {
        const tell = (e) => ({ line: e.line, column: e.column, field: e.field, text: e.text });
        return Promise.all(texts.map((t) => window.slipstick.check(t).then(() => null, tell)));
    }, [
        textOf('two-blocks.yaml').replace('mu: 0.1', 'mu: -0.1'),
        textOf('two-blocks.yaml').replace('mass: 1 kg', 'mass: 1 m'),
        'slipstick: 1\ntitle: [a, b\nbodies: {}\n',
        '',
    ]);
    check(faults[0]?.line === 13, `a negative friction: ${JSON.stringify(faults[0])}`);
    check(faults[1]?.line === 6 && faults[1].column === 18 && faults[1].field === 'bodies.block1.mass', `a wrong unit: ${JSON.stringify(faults[1])}`);
    check(faults[2]?.line >= 2 && /not YAML/.test(faults[2].text), `not YAML: ${JSON.stringify(faults[2])}`);
    check(/empty/.test(faults[3]?.text), `an empty file: ${JSON.stringify(faults[3])}`);
    await page.done();
});
