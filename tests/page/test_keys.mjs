// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The page without a mouse, and for those who listen: all is reached by Tab, has a name, and what the mouse does, keys do.
import { runOf } from './hand.mjs';
import { check, openPage, root, test } from './harness.mjs';
import { readFileSync } from 'node:fs';

const axe = readFileSync(root + 'web/node_modules/axe-core/axe.min.js', 'utf8');

/** Faults of accessibility, as axe finds them. */
async function faultsOf(page) {
    await page.evaluate(axe);
    return page.evaluate(async () => {
        const found = await window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] });
        return found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target + ' ' + (n.any[0]?.message ?? '')).join('; ')}`);
    });
}

test('nothing stands in the way of those who listen', async ({ browser, file }) => {
    for (const [hash, colorScheme, width] of [['', 'light', 1400], ['#model=tripod', 'dark', 1024], ['#lesson=hunting', 'light', 390]]) {
        const page = await openPage(browser, file, { hash, colorScheme, width, touch: width < 400 });
        await runOf(page, () => window.laboratory.state.check !== null);
        let found = await faultsOf(page);
        check(found.length === 0, `${hash} ${colorScheme}: ${found.join('\n')}`);
        await page.click('#tab-text');
        await page.click('#take');
        found = await faultsOf(page);
        check(found.length === 0, `${hash} ${colorScheme}, text and take away: ${found.join('\n')}`);
        await page.done();
    }
});

test('Tab reaches everything, in the order in which it stands', async ({ browser, file }) => {
    const page = await openPage(browser, file), seen = [];
    await runOf(page, () => window.laboratory.state.certificate !== null);
    await page.evaluate(() => window.laboratory.state.play(false));
    for (let k = 0; k < 200; k++) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate(() => {
            const e = document.activeElement, ring = getComputedStyle(e);
            return e === document.body ? null : { what: e.id || e.className || e.tagName, name: e.getAttribute('aria-label') || e.textContent.trim() || e.title, seen: ring.outlineStyle !== 'none' };
        });
        if (!at) break;
        check(at.name, `${at.what} has no name`);
        check(at.seen, `${at.what} does not show that it has the focus`);
        seen.push(at.what);
    }
    const wanted = ['models', 'lessons', 'undo', 'reset', 'take', 'theme', 'tab-sliders', 'machine', 'play', 'scrub', 'compare', 'map-canvas'], places = wanted.map((id) => seen.indexOf(id));
    check(places.every((p, k) => p >= 0 && (k === 0 || p > places[k - 1])), `${wanted.map((id, k) => `${id} ${places[k]}`)} of ${seen}`);
    await page.done();
});

test('keys do what the mouse does', async ({ browser, file }) => {
    let page = await openPage(browser, file);
    const before = await runOf(page, () => window.laboratory.state.check !== null);
    await page.focus('#machine');
    await page.keyboard.press('Shift+ArrowRight');
    let run = await runOf(page, () => window.laboratory.state.isByHand());
    check(run.start.x[0] > before.x[1], 'the body is not moved');
    await page.keyboard.press('ArrowDown');
    check((await page.evaluate(() => window.laboratory.state.body)) === 1, 'the other body is not chosen');
    await page.keyboard.press('Enter');
    check(await page.evaluate(() => window.laboratory.state.playing), 'Enter does not let go');
    await page.focus('#phase canvas');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Shift+ArrowUp');
    check(/Enter starts here/.test(await page.textContent('#phase .heard')), 'the mark is not told');
    await page.keyboard.press('Enter');
    run = await runOf(page, () => window.laboratory.state.startNow().v[1] > 0);
    check(run.start.v[1] > 0.5, `started with ${run.start.v}`);
    await page.keyboard.press(' ');
    await page.done();
    page = await openPage(browser, file, { hash: '#model=tripod' });
    await runOf(page);
    await page.focus('#topview');
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowUp', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key);
    run = await runOf(page, () => window.laboratory.state.isByHand() && window.laboratory.state.run.table[4] < 0);
    check(run.start.v[0] < 0 && run.start.v[1] > 0 && run.start.v[2] > 0, `flicked to ${run.start.v}`); // pushed to the left above the centre of mass: it turns
    await page.done();
});
