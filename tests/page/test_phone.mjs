// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The page under a finger: a swipe scrolls, a tap sets, a long press drags; nothing is too small to be touched.
import { runOf, turn } from './hand.mjs';
import { check, openPage, test } from './harness.mjs';

/** A finger: down, along a list of places, up; it may rest before it moves until `held` holds in the page. */
async function finger(page, places, held = null) {
    const session = await page.context().newCDPSession(page), send = (type, at) => session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [{ x: at[0], y: at[1] }] : [] });
    await send('touchStart', places[0]);
    if (held) await page.waitForFunction(held);
    for (const place of places.slice(1)) await send('touchMove', place);
    await send('touchEnd', null);
    await session.detach();
}

/** The middle of what is at a selector, once it is in sight. */
async function middle(page, selector) {
    await page.locator(selector).scrollIntoViewIfNeeded();
    await page.evaluate((s) => document.querySelector(s).scrollIntoView({ block: 'center' }), selector);
    const box = await page.locator(selector).boundingBox();
    return [box.x + 0.6 * box.width, box.y + 0.45 * box.height];
}

const phone = { width: 390, height: 844, touch: true };

test('a vertical swipe scrolls the page, over stage, planes and map', async ({ browser, file }) => {
    const page = await openPage(browser, file, { ...phone, hash: '#model=block-on-floor' });
    const before = await runOf(page, () => window.laboratory.state.certificate && window.laboratory.state.world);
    await page.evaluate(() => window.laboratory.state.play(false));
    for (const selector of ['#machine', '#phase canvas', '#map-canvas', '#time .lane:first-child canvas', '#law canvas']) {
        const [x, y] = await middle(page, selector), at = await page.evaluate(() => window.scrollY);
        await finger(page, [[x, y], ...Array.from({ length: 12 }, (_, k) => [x, y - 15 * (k + 1)])]);
        await page.waitForFunction((s) => window.scrollY > s + 30, at).catch(() => { throw new Error(`over ${selector} it does not scroll`); });
    }
    check((await page.evaluate(() => window.laboratory.state.text)) === before.text, 'a swipe has changed the model');
    await page.done();
});

test('a tap sets a start, a long press drags a body', async ({ browser, file }) => {
    const page = await openPage(browser, file, { ...phone, hash: '#model=block-on-floor' });
    await runOf(page, () => window.laboratory.state.certificate && window.laboratory.state.world);
    await page.evaluate(() => { window.laboratory.state.play(false); window.laboratory.state.setTime(0); });
    const [px, py] = await middle(page, '#phase canvas');
    await finger(page, [[px, py]]);
    await runOf(page, () => window.laboratory.state.isByHand());
    await page.evaluate(() => { window.laboratory.state.play(false); window.laboratory.state.setTime(0); });
    await middle(page, '#machine');
    const box = await page.locator('#machine').boundingBox(), at = await page.evaluate(() => { // where the block is drawn
        const { stage, state } = window.laboratory;
        return [stage.scale.base[0] + state.now()[1] * stage.scale.perMetre, stage.scale.floor - 20];
    });
    const from = await page.evaluate(() => window.laboratory.state.startNow().x[0]), scrolled = await page.evaluate(() => window.scrollY);
    const [x, y] = [box.x + at[0], box.y + at[1]];
    await finger(page, [[x, y], [x - 10, y - 30], [x - 30, y - 60], [x - 50, y - 80]], () => window.laboratory.stage.grip !== null); // upwards, too: it is held
    await runOf(page, (s) => window.laboratory.state.startNow().x[0] < s - 0.05, from);
    check((await page.evaluate(() => window.scrollY)) === scrolled, 'what is held scrolls the page');
    await page.done();
});

test('at 390 pixels all sliders can be touched and read', async ({ browser, file }) => {
    for (const name of ['stick-slip-belt', 'coupled-clutches', 'sampled-servo', 'tripod', 'one-way-clutch']) {
        const page = await openPage(browser, file, { ...phone, hash: `#model=${name}` });
        await runOf(page);
        const found = await page.evaluate(() => [...document.querySelectorAll('.slider')].map((row) => {
            const range = row.querySelector('input[type=range]').getBoundingClientRect(), label = row.querySelector('label'), box = row.getBoundingClientRect();
            return { path: row.dataset.path, width: range.width, height: range.height, cut: label.scrollWidth > label.clientWidth + 1 || label.clientWidth < 60, out: box.right > window.innerWidth || range.right > window.innerWidth };
        }));
        check(found.length > 0, `${name}: nothing to turn`);
        for (const row of found) check(row.width >= 150 && row.height >= 24 && !row.cut && !row.out, `${name}: ${JSON.stringify(row)}`);
        const columns = await page.evaluate(() => new Set([...document.querySelectorAll('main .card:not([hidden])')].map((c) => Math.round(c.getBoundingClientRect().left))).size);
        check(columns === 1, `${name}: ${columns} columns`);
        check((await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)) <= 0, `${name}: something sticks out`);
        await page.done();
    }
});

test('on a processor that is six times slower the page still follows', async ({ browser, file }) => {
    const page = await openPage(browser, file, { ...phone, hash: '#model=stick-slip-belt' }), session = await page.context().newCDPSession(page);
    await runOf(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
    for (const share of [0.2, 0.3, 0.4, 0.5, 0.6, 0.7]) await turn(page, 'contacts.face.static', share); // quickly one after the other
    const run = await runOf(page, () => /static: 2\.1 N/.test(window.laboratory.state.text) && !window.laboratory.state.pending);
    check(run.outcome === 'time-reached', run.outcome);
    await finger(page, [await middle(page, '#phase canvas')]);
    await runOf(page, () => window.laboratory.state.isByHand());
    await page.done();
});

test('answers of a lesson stay where they are, and what fails is not done', async ({ browser, file }) => {
    const page = await openPage(browser, file, { ...phone, hash: '#lesson=stick-slip' });
    await runOf(page);
    const order = () => page.evaluate(() => [...document.querySelectorAll('#lesson fieldset button')].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((b) => b.textContent));
    const before = await order();
    await page.locator('#lesson fieldset button').first().tap(); // the wrong one: the right one is marked
    check((await order()).join() === before.join(), `${await order()}`);
    const done = () => page.evaluate(() => document.querySelector('#lesson .task').classList.contains('done'));
    await page.evaluate(() => window.laboratory.editor.restore(window.laboratory.state.text.replace('static: 1 N', 'static: 0.6 N'))); // below coulomb: there is no such friction
    await page.waitForFunction(() => !document.querySelector('#fault').hidden);
    check(!(await done()), 'what cannot be is said to be done');
    const why = await page.locator('[data-path="contacts.face.static"] .why').textContent();
    check(/^Below coulomb \(0\.7 N\)\.$/.test(why), why); // beside the slider, for the fault line is far above
    await turn(page, 'contacts.face.static', 0.5);
    await runOf(page, () => !window.laboratory.state.pending);
    check(!(await page.locator('[data-path="contacts.face.static"] .why').isVisible()), 'it is still blamed');
    await turn(page, 'contacts.face.static', 0); // a slider does not go where the model cannot follow
    const run = await runOf(page, () => /static: 0\.7 N/.test(window.laboratory.state.text) && !window.laboratory.state.pending);
    check(run.outcome === 'time-reached' && (await done()), `${run.text}`);
    await turn(page, 'contacts.face.coulomb', 1); // nor does its neighbour
    await page.waitForFunction(() => !window.laboratory.state.pending);
    check(await page.evaluate(() => /coulomb: 0\.7 N/.test(window.laboratory.state.text) && !window.laboratory.state.error), 'coulomb is above static');
    await page.done();
});
