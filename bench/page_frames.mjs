// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How long is the page's own work in one frame while two blocks move, and how long does a map take to be painted? The frame
// should stay under 8 ms (median), half of what 60 frames per second leave.
//
//     node bench/page_frames.mjs build/page/index.html
import { openBrowser, openPage } from '../tests/page/harness.mjs';
import { resolve } from 'node:path';

const browser = await openBrowser();
const page = await openPage(browser, resolve(process.argv[2]), { width: 1400, height: 1400 });
await page.waitForFunction(() => window.laboratory.state.run && window.laboratory.state.certificate);
await page.locator('#map').scrollIntoViewIfNeeded();
await page.waitForFunction(() => / in [\d.]+ s/.test(document.querySelector('#map .status').textContent), null, { timeout: 120000 });
console.log('  map: ' + (await page.textContent('#map .status')));
await page.evaluate(() => { const lab = window.laboratory.state; window.laboratory.frames.length = 0; lab.setTime(0); lab.play(true); });
await page.waitForFunction(() => window.laboratory.frames.length >= 120, null, { timeout: 120000 });
const frames = (await page.evaluate(() => [...window.laboratory.frames])).sort((a, b) => a - b);
console.log(`  frame: median ${frames[frames.length >> 1].toFixed(2)} ms, 95 % under ${frames[Math.floor(0.95 * frames.length)].toFixed(2)} ms, of ${frames.length}`);
await browser.close();
