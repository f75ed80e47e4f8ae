// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How long is the page's own work in one frame while two blocks move, how long does a map take to be painted, and how long is it from
// the choice of a model to its first picture, and from the turn of a slider to the picture after it? A frame should stay under 8 ms
// (median), half of what 60 frames per second leave; a first picture under 100 ms; the picture after a slider under 50 ms. The time is
// taken after the frame in which all views are drawn. Of several repetitions the shortest counts, since other programs may be at work.
//
//     node bench/page_frames.mjs build/page/index.html [PART-OF-A-NAME]
import { openBrowser, openPage } from '../tests/page/harness.mjs';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

const [file, only = ''] = process.argv.slice(2), REPEATED = 7;
const browser = await openBrowser();

/** What a page is asked to do, and how long it takes until all is drawn. */
function install() {
    const lab = window.laboratory.state;
    let shown = null;
    lab.on('time', () => { // told last of all views; some draw with the frame that follows
        const { done } = shown && lab.run && lab.run !== shown.old ? shown : {};
        if (!done) return;
        shown = null;
        requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => done(performance.now()); port2.postMessage(0); });
    });
    const after = (old, work) => new Promise((done) => {
        const began = performance.now();
        shown = { old, done: (t) => setTimeout(() => done(t - began), 60) }; // what is computed beside it is over then
        work();
    });
    window.firstPicture = (name) => after(null, () => lab.open(name));
    window.turned = (k) => {
        const input = document.querySelector('.slider input[type=range]');
        return input && after(lab.run, () => {
            input.value = String(Number(input.value) + (k % 2 ? -0.006 : 0.006));
            input.dispatchEvent(new Event('input', { bubbles: true }));
        });
    };
}

/** The shortest time (ms) of several, and the least processor time of the page and its workers (ms), which other programs do not lengthen. */
async function shortest(page, session, times, work) {
    const cpu = async () => 1000 * (await session.send('Performance.getMetrics')).metrics.find((m) => m.name === 'ProcessTime').value;
    let wall = Infinity, own = Infinity;
    for (let k = 0; k < times; k++) {
        const before = await cpu(), took = await work(k);
        own = Math.min(own, (await cpu()) - before);
        wall = Math.min(wall, took ?? NaN);
    }
    return [wall, own];
}

const names = readdirSync(new URL('../models', import.meta.url)).filter((n) => n.endsWith('.yaml') && n.includes(only)).map((n) => n.slice(0, -5));
const still = await openPage(browser, resolve(file), { width: 1400, height: 800 });
await still.waitForFunction(() => window.laboratory.state.run);
await still.evaluate(install);
const session = await still.context().newCDPSession(still), worst = [0, 0, 0, 0];
await session.send('Performance.enable');
for (const name of names) {
    const first = await shortest(still, session, REPEATED, () => still.evaluate((n) => window.firstPicture(n), name));
    const turned = await shortest(still, session, 2 * REPEATED, (k) => still.evaluate((j) => window.turned(j), k)), all = [...first, ...turned];
    const [a, b, c, d] = all.map((t) => (Number.isFinite(t) ? t.toFixed(0) : '–').padStart(4));
    console.log(`  ${name.padEnd(24)} first picture ${a} ms (processor ${b} ms), after a slider ${c} ms (processor ${d} ms)`);
    all.forEach((t, k) => { if (t > worst[k]) worst[k] = t; });
}
console.log(`  slowest: first picture ${worst[0].toFixed(0)} ms (processor ${worst[1].toFixed(0)} ms), after a slider ${worst[2].toFixed(0)} ms (processor ${worst[3].toFixed(0)} ms)`);
await still.context().close();
if (!only) {
    const page = await openPage(browser, resolve(file), { width: 1400, height: 1400 });
    await page.waitForFunction(() => window.laboratory.state.run && window.laboratory.state.certificate);
    await page.locator('#map').scrollIntoViewIfNeeded();
    await page.waitForFunction(() => / in [\d.]+ s/.test(document.querySelector('#map .status').textContent), null, { timeout: 120000 });
    console.log('  map: ' + (await page.textContent('#map .status')).replace(/Stop$/, ''));
    await page.evaluate(() => { const lab = window.laboratory.state; window.laboratory.frames.length = 0; lab.setTime(0); lab.play(true); });
    await page.waitForFunction(() => window.laboratory.frames.length >= 120, null, { timeout: 120000 });
    const frames = (await page.evaluate(() => [...window.laboratory.frames])).sort((a, b) => a - b);
    console.log(`  frame: median ${frames[frames.length >> 1].toFixed(2)} ms, 95 % under ${frames[Math.floor(0.95 * frames.length)].toFixed(2)} ms, of ${frames.length}`);
}
await browser.close();
