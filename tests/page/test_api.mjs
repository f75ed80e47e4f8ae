// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// window.slipstick takes the options of the command line and refuses what it does not know.
import { check, openPage, root, test } from './harness.mjs';
import { ask, difference } from './numbers.mjs';
import { readFileSync } from 'node:fs';

const pathOf = (name) => `${root}models/${name}.yaml`;
const textOf = (name) => readFileSync(pathOf(name), 'utf8');

/** Model, question, options here, words there. */
const SAME = [
    ['two-blocks', 'simulate', { set: { 'parameters.mu': 0.2, 'block1.x': '3 m' }, until: '50 s', at: [0, 0.5, '700 ms'] }, ['--set', 'parameters.mu=0.2', '--set', 'block1.x=3 m', '--until', '50 s', '--at', '0 s,0.5 s,700 ms']],
    ['two-blocks', 'simulate', { at: [2, 1, 2] }, ['--at', '2,1,2']],
    ['two-blocks', 'simulate', { every: 1, escape: 2.5 }, ['--every', '1', '--escape', '2.5']],
    ['two-blocks', 'simulate', { until: 5, derivative: 'parameters.mu,block1.v' }, ['--until', '5', '--derivative', 'parameters.mu,block1.v']],
    ['stick-slip-belt', 'simulate', { 'max-events': 1000, tolerance: 1e-8 }, ['--max-events', '1000', '--tolerance', '1e-8']],
    ['hunting-servo', 'simulate', { until: 1, every: 0.25, set: { 'states.sum.start': 0.001 } }, ['--until', '1', '--every', '0.25', '--set', 'states.sum.start=0.001']],
    ['sampled-servo', 'simulate', { until: 0.5, every: 0.1, set: { 'sampled.servo.every': '2 ms' } }, ['--until', '0.5', '--every', '0.1', '--set', 'sampled.servo.every=2 ms']],
    ['tripod', 'simulate', { until: 0.5, at: [0.25], set: { 'start.slider.spin': 2 } }, ['--until', '0.5', '--at', '0.25', '--set', 'start.slider.spin=2']],
    ['two-blocks', 'check', { set: { 'parameters.mu': 0.3 } }, ['--set', 'parameters.mu=0.3']],
    ['two-blocks', 'certify', { vertices: true, contains: [0.1, '5 cm'] }, ['--vertices', '--contains', '0.1,5 cm']],
    ['tripod', 'certify', {}, []],
    ['stick-slip-belt', 'cycle', { near: { 'block.x': 0.5 }, until: 100 }, ['--near', 'block.x=0.5', '--until', '100']],
    ['two-blocks', 'basin', { over: { 'block1.x': [-5, 5, 7], 'block2.x': [-5, 5, 7] }, until: 100, escape: 50 }, ['--over', 'block1.x=-5:5:7', '--over', 'block2.x=-5:5:7', '--until', '100', '--escape', '50']],
    ['two-blocks', 'basin', { over: 'block1.x=-5:5', random: 20, seed: 3 }, ['--over', 'block1.x=-5:5', '--random', '20', '--seed', '3']],
    ['tripod', 'surface', { load: [1, 0.5, 0.25], applied: [0.1, 0, 0], angle: '30 deg' }, ['--load', '1,0.5,0.25', '--applied', '0.1,0,0', '--angle', '30 deg']],
    ['tripod', 'surface', { eigen: true, basin: true }, ['--eigen', '--basin']],
];

test('window.slipstick takes the options of the command line', async ({ browser, file, program }) => {
    const page = await openPage(browser, file);
    for (const [name, question, options, words] of SAME) {
        const here = await page.evaluate(([q, text, o]) => window.slipstick[q](text, o), [question, textOf(name), options]);
        const found = difference(here, ask(program, question, pathOf(name), ...words), question === 'cycle' || name === 'tripod' ? 1e-9 : 1e-12);
        check(!found, `${question} ${name} ${words.join(' ')}: ${found}`);
    }
    await page.done();
});

const REFUSED = [
    ['two-blocks', 'simulate', { evrey: 1 }, /no option evrey; known are .*every/],
    ['two-blocks', 'simulate', { until: -1 }, /until -1: must be at least 0/],
    ['two-blocks', 'simulate', { until: '5 m' }, /until 5 m: /],
    ['two-blocks', 'simulate', { until: NaN }, /until NaN: must be/],
    ['two-blocks', 'simulate', { every: 0 }, /every 0: must be greater than 0/],
    ['two-blocks', 'simulate', { until: 1, at: [2] }, /at: 2 s is after the end/],
    ['two-blocks', 'simulate', { set: { 'parameters.nu': 1 } }, /--set parameters\.nu=1.*nu/],
    ['two-blocks', 'simulate', { set: { 'parameters.mu': -1 } }, /contacts\.floor1\.mu: must not be negative/],
    ['two-blocks', 'simulate', { derivative: 'parameters.nu' }, /nu/],
    ['tripod', 'simulate', { derivative: 'slider.mass' }, /slider/],
    ['two-blocks', 'basin', {}, /over is missing/],
    ['two-blocks', 'basin', { over: ['block1.x=1:2'] }, /expected PATH=FROM:TO:COUNT/],
    ['two-blocks', 'basin', { over: ['block9.x=1:2:3'] }, /block9/],
    ['tripod', 'basin', { over: ['slider.x=1:2:3'] }, /slider/],
    ['two-blocks', 'surface', { eigen: true }, /only a slider has a limit surface/],
    ['tripod', 'surface', { eigen: true, facets: true }, /one of load/],
    ['tripod', 'surface', { load: [1, 2] }, /three finite numbers/],
    ['two-blocks', 'certify', { contains: [1] }, /expected 2 coordinates, found 1/],
];

test('window.slipstick refuses what makes no sense, and says what', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    const ask = (question, text, options) => page.evaluate(([q, t, o]) => window.slipstick[q](t, o).then(() => 'was answered', (e) => e.message), [question, text, options]);
    for (const [name, question, options, words] of REFUSED) {
        const said = await ask(question, textOf(name), options);
        check(words.test(said), `${question} ${name} ${JSON.stringify(options)}: ${said}`);
    }
    check(/expected the text of a model/.test(await ask('simulate', 7, {})), 'a number is no model');
    const good = await page.evaluate((text) => window.slipstick.simulate(text, { until: 1 }), textOf('two-blocks')); // and goes on
    check(good.t === 1, 'nothing is answered after a fault');
    await page.done();
});
