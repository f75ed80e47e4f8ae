// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Undo: of sliders, of starts, of text; each gesture is one step, and a model that is opened has no past.
import { runOf } from './hand.mjs';
import { check, openPage, test } from './harness.mjs';

/** Drags a slider through many values, as a mouse does, and lets it go. */
function drag(page, path, shares) {
    return page.evaluate(([p, values]) => {
        const input = document.querySelector(`[data-path="${p}"] input[type=range]`);
        for (const value of values) {
            input.value = String(value);
            input.dispatchEvent(new Event('input', { bubbles: true }));
        }
        input.dispatchEvent(new Event('change', { bubbles: true }));
    }, [path, shares]);
}

const textOf = (page) => page.evaluate(() => window.laboratory.state.text);
const startOf = (page) => page.evaluate(() => window.laboratory.state.startNow());

test('one turn of a slider is one step of undo', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    const before = (await runOf(page)).text;
    await drag(page, 'parameters.mu', [0.2, 0.25, 0.3, 0.35]);
    await drag(page, 'parameters.mu', [0.4, 0.5]);
    await drag(page, 'parameters.g', [0.5, 0.6, 0.7]);
    check(/mu: 0\.5\b/.test(await textOf(page)), await textOf(page));
    await page.keyboard.press('Control+z'); // anywhere on the page
    await page.waitForFunction(() => !/g: 21/.test(window.laboratory.state.text));
    check(/mu: 0\.5\b/.test(await textOf(page)), 'more than g was undone');
    await page.click('#undo');
    await page.waitForFunction(() => /mu: 0\.35\b/.test(window.laboratory.state.text));
    await page.click('#undo');
    await page.waitForFunction((text) => window.laboratory.state.text === text, before);
    await page.click('#redo');
    await page.waitForFunction(() => /mu: 0\.35\b/.test(window.laboratory.state.text));
    await page.done();
});

test('a start that was moved is undone, and comes back', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=block-on-floor' });
    const before = await runOf(page);
    await page.focus('#machine');
    for (const least of [before.x[1], before.x[1] + 0.2]) {
        await page.keyboard.press('Shift+ArrowRight');
        await runOf(page, (x) => window.laboratory.state.run.table[1] > x, least);
    }
    const moved = await startOf(page);
    check(new RegExp(`x: ${moved.x[0]} m`).test(await textOf(page)), `${moved.x[0]} is not written: ${await textOf(page)}`);
    await page.click('#undo');
    await runOf(page, (x) => window.laboratory.state.run.table[1] < x, moved.x[0]);
    const once = await startOf(page);
    check(once.x[0] > before.x[1] && once.x[0] < moved.x[0], `undone to ${JSON.stringify(once)}`);
    await page.click('#undo');
    await runOf(page, (x) => window.laboratory.state.run.table[1] === x, before.x[1]);
    check((await textOf(page)) === before.text, 'the first start is not back');
    await page.click('#redo');
    await page.click('#redo');
    await runOf(page, (x) => window.laboratory.state.run.table[1] === x, moved.x[0]);
    await page.click('#reset');
    await runOf(page, (x) => window.laboratory.state.run.table[1] === x, before.x[1]);
    await page.click('#undo');
    await runOf(page, (x) => window.laboratory.state.run.table[1] === x, moved.x[0]);
    await page.done();
});

test('undo does not go back into another model', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await runOf(page);
    await drag(page, 'parameters.mu', [0.5]);
    await page.selectOption('#models', 'block-on-floor');
    const opened = await runOf(page, () => window.laboratory.state.name === 'block-on-floor');
    await page.click('#undo');
    await page.evaluate(() => new Promise((done) => setTimeout(done, 0))); // what undo changes is told after this turn
    check((await textOf(page)) === opened.text, 'the text of another model');
    await page.done();
});
