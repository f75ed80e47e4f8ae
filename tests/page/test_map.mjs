// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The map: over starts and over numbers of the model, each cell as the command line has it.
import { runOf } from './hand.mjs';
import { check, openPage, root, test } from './harness.mjs';
import { ask } from './numbers.mjs';

/** Waits until the map is fine, and tells where its plane is in pixels of the window. */
async function painted(page) {
    await page.locator('#map').scrollIntoViewIfNeeded();
    await page.waitForFunction(() => /108 × 108|216 × 216/.test(document.querySelector('#map .status').textContent));
    const box = await page.locator('#map-canvas').boundingBox();
    return { x: box.x + 60, y: box.y + 10, width: box.width - 72, height: box.height - 44 }; // margins of the plot
}

test('a click in the map starts that motion, with the fate that the map shows', async ({ browser, file, program }) => {
    const page = await openPage(browser, file, { height: 1400 });
    await runOf(page);
    const box = await painted(page);
    for (const [share, outcome] of [[[0.9, 0.88], 'escaped'], [[0.5, 0.42], 'at-rest']]) { // the lower right is dark, the middle is light
        await page.mouse.click(box.x + share[0] * box.width, box.y + share[1] * box.height);
        const run = await runOf(page, (o) => window.laboratory.state.isByHand() && window.laboratory.state.run.answer.outcome === o, outcome === 'escaped' ? 'time-reached' : outcome);
        const there = ask(program, 'basin', root + 'models/two-blocks.yaml', '--over', `block1.x=${run.start.x[0]}:${run.start.x[0]}:1`, '--over', `block2.x=${run.start.x[1]}:${run.start.x[1]}:1`);
        check(there[outcome === 'escaped' ? 'escaped' : 'rest'] === 1, `${run.start.x} does not end ${outcome}`);
    }
    await page.done();
});

test('a map keeps within the stops of its model', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=relief-valve', height: 1400 });
    await runOf(page);
    await page.locator('#map').scrollIntoViewIfNeeded();
    await page.waitForFunction(() => /\d+ × \d+ starts|beyond/.test(document.querySelector('#map .status').textContent));
    check(/starts/.test(await page.textContent('#map .status')), await page.textContent('#map .status'));
    const [across] = await page.evaluate(() => window.laboratory.state.axes(2));
    check(across.path === 'poppet.x' && across.from === 0 && Math.abs(across.to - 1.016e-3) < 1e-12, JSON.stringify(across)); // its seats
    await page.done();
});

test('a map over numbers of the model: a click writes them into the text', async ({ browser, file, program }) => {
    const page = await openPage(browser, file, { height: 1400 }), model = root + 'models/two-blocks.yaml';
    await runOf(page);
    await page.evaluate(() => { // in a unit that is not SI
        const { editor, state } = window.laboratory;
        editor.restore(state.text.replace('k1: 1 N/m', 'k1: 0.01 N/cm'));
    });
    await painted(page);
    for (const [select, path] of [['Across', 'parameters.k1'], ['Up', 'parameters.mu']]) {
        await page.selectOption(`#map select[aria-label="${select}"]`, path);
        await page.waitForFunction(() => /12 × 12/.test(document.querySelector('#map .status').textContent));
    }
    const box = await painted(page), seen = new Set();
    for (const [across, up] of [[0.05, 0.02], [0.5, 0.08], [0.6, 0.6], [0.95, 0.03]]) { // of k1 0 to 3 N/m, mu 0 to 1
        const before = await runOf(page);
        await page.mouse.click(box.x + across * box.width, box.y + (1 - up) * box.height);
        const run = await runOf(page, (text) => window.laboratory.state.text !== text && window.laboratory.state.playing, before.text);
        const k1 = Number(/k1: ([\d.e-]+) N\/cm/.exec(run.text)[1]), mu = Number(/mu: ([\d.e-]+)/.exec(run.text)[1]);
        check(Math.abs(k1 - 0.03 * across) < 3e-4 && Math.abs(mu - up) < 0.01, `clicked ${0.03 * across}, ${up}, and got ${k1}, ${mu}`);
        const there = ask(program, 'basin', model, '--over', `parameters.k1=${100 * k1}:${100 * k1}:1`, '--over', `parameters.mu=${mu}:${mu}:1`);
        const shown = await page.evaluate(([x, y]) => { // the colour of the map a little beside the mark
            const canvas = document.querySelector('#map-canvas'), ratio = canvas.width / canvas.getBoundingClientRect().width, copy = new OffscreenCanvas(1, 1).getContext('2d');
            copy.drawImage(canvas, -Math.round(ratio * x), -Math.round(ratio * y));
            return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3).reduce((a, b) => a + b);
        }, [60 + (across + 0.03) * box.width, 10 + (1 - up) * box.height - 3]);
        check(there.rest === 1 ? shown > 300 : shown < 250, `k1 ${k1}, mu ${mu}: ${JSON.stringify(there)}, painted ${shown}`);
        seen.add(there.rest);
    }
    check(seen.size === 2, 'only one fate was seen');
    await page.done();
});

const statusOf = (page) => page.textContent('#map .status');

test('the map of another model is cleared at once; what fails is told in words; what takes long can be stopped', async ({ browser, file }) => {
    const page = await openPage(browser, file, { height: 1400 });
    await runOf(page);
    await painted(page);
    check(/rests/.test(await page.textContent('#map .fates')), 'no legend');
    const left = await page.evaluate(() => { // in the same turn as the choice
        const lab = window.laboratory.state, map = window.laboratory.forBodies[1];
        lab.open('two-blocks-relative');
        return { image: map.image, ranges: map.ranges, legend: document.querySelector('#map .fates').textContent, status: document.querySelector('#map .status').textContent };
    });
    check(left.image === null && left.ranges === null && left.legend === '' && !/108|216/.test(left.status), JSON.stringify(left));
    await runOf(page, () => window.laboratory.state.name === 'two-blocks-relative' && window.laboratory.state.run);
    await page.evaluate(() => window.laboratory.editor.restore(window.laboratory.state.text.replace('mass: 1 kg', 'mass: 1 s'))); // a fault
    await page.waitForFunction(() => window.laboratory.state.error && /fault/.test(document.querySelector('#map .status').textContent));
    check((await page.evaluate(() => window.laboratory.forBodies[1].image)) === null, 'a map beside a fault');
    await page.click('#undo');
    await page.waitForFunction(() => /\d+ × \d+ starts/.test(document.querySelector('#map .status').textContent));
    await page.evaluate(() => { // a question that cannot be answered: a start beyond a stop
        const lab = window.laboratory.state, map = window.laboratory.forBodies[1];
        lab.open('relief-valve');
        map.reach = () => ({ least: -1, most: 1 });
    });
    await page.waitForFunction(() => /no map/.test(document.querySelector('#map .status').textContent));
    check(!/--/.test(await statusOf(page)) && /beyond the stop/.test(await statusOf(page)), await statusOf(page));
    await page.done();
    const slow = await openPage(browser, file, { hash: '#model=sampled-servo', height: 1400 });
    await runOf(slow);
    await slow.locator('#map').scrollIntoViewIfNeeded();
    await slow.waitForSelector('#map .stop:not([hidden])');
    check(await slow.locator('#map progress').isVisible(), 'no sign of work');
    await slow.click('#map .stop');
    await slow.waitForFunction(() => /[Ss]topped/.test(document.querySelector('#map .status').textContent) && document.querySelector('#map .stop').hidden);
    await slow.done();
});
