// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Floors that move or are inclined: what is drawn, told and flicked is what happens over them.
import { runOf } from './hand.mjs';
import { check, openPage, root, test } from './harness.mjs';
import { readFileSync } from 'node:fs';

/** Writes down what is written onto canvases from now on. */
const listen = (page) => page.evaluate(() => {
    const { fillText } = CanvasRenderingContext2D.prototype;
    window.written = [];
    CanvasRenderingContext2D.prototype.fillText = function write(text, ...rest) {
        window.written.push(text);
        return fillText.call(this, text, ...rest);
    };
});

const near = (a, b, within = 1e-3) => Math.abs(a - b) < within;

test('a turntable turns on the stage, and who rides on it is not told to rest', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=puck-on-a-turntable', height: 1400 });
    await runOf(page);
    await listen(page);
    const { pose, t, track } = await page.evaluate(() => { // where the floor is at the end
        const { state: lab, topView } = window.laboratory;
        lab.play(false);
        lab.setTime(lab.run.end);
        const { motion } = topView.floor;
        return { pose: motion.at(lab.run.end), t: lab.run.end, track: motion.track.length };
    });
    const c = Math.cos(pose.angle), s = Math.sin(pose.angle), center = [pose.to[0] - c * pose.from[0] + s * pose.from[1], pose.to[1] - s * pose.from[0] - c * pose.from[1]]; // where (0, 0) of the floor has come
    check(t > 4 * 0.1531, `it is shown for ${t} s only`); // it rides for longer than it took to be caught
    check(near(pose.angle, 4 * t) && Math.hypot(...center) < 1e-5, `at ${t} s the table is turned by ${pose.angle} rad, about ${center}`); // spin: 4 rad/s about (0, 0)
    check(track > 100 && (await page.evaluate(() => window.written.some((text) => /on the floor, which moves/.test(text)))), 'the floor is not told to move');
    const told = await page.textContent('#answer .outcome');
    check(/rides on with the floor from t = 0\.1531/.test(told), told);
    await page.waitForFunction(() => window.laboratory.forSliders[1].scene.lines?.[0]?.points.length > 3);
    const way = await page.evaluate(() => [...window.laboratory.forSliders[1].scene.lines[0].points.slice(0, 3)]);
    const v = [0, -0.2, -4 * 0.027], size = Math.hypot(...v); // at 5 cm the table runs away at 0.2 m/s, and turns: the puck slips back, and turns back over it
    check(way.every((q, k) => near(q, v[k] / size, 0.02)), `on the sphere it begins at ${way}`);
    const text = readFileSync(root + 'tests/truth/cases/rides-on-a-turntable.yaml', 'utf8');
    await page.evaluate((t) => window.laboratory.openText('rides', t), text);
    await runOf(page, () => window.laboratory.state.name === 'rides' && window.laboratory.state.run.info.floor_moves);
    const ride = await page.evaluate(() => ({ end: window.laboratory.state.run.end, until: window.laboratory.state.run.info.until, told: document.querySelector('#answer .outcome').textContent }));
    check(ride.end >= 0.3 * ride.until && /rides on with the floor from t = 0 s/.test(ride.told), JSON.stringify(ride)); // it has never slipped
    await page.done();
});

test('the load on a moving floor is what the floor takes: by Newton, at events, riding', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=box-on-a-conveyor' });
    await runOf(page);
    const rows = await page.evaluate(() => {
        const { run } = window.laboratory.state, w = run.info.width;
        return Array.from({ length: run.rows }, (_, k) => [...run.table.slice(k * w, k * w + 13)]);
    });
    const level = 0.3 * 4 * 9.81; // mu m g
    for (const row of rows) {
        const [t, over, load] = [row[0], row[10], row[7]], slips = Math.abs(over) > 1e-9;
        if (slips) check(near(load, Math.sign(over) * level), `at ${t} s it slips with ${over} m/s over the belt, and presses ${load} N on it`);
        else check(near(Math.abs(load), 0) || near(Math.abs(load), level), `at ${t} s it rides, and presses ${load} N on the belt`);
    }
    check(rows.some((row) => row[0] > 1 && row[0] < 2 && row[4] > 0.79 && row[7] === 0), 'riding evenly has no load');
    await page.done();
});

test('what is flicked slides over the floor, the way of the arrow', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=puck-on-a-turntable' });
    await runOf(page);
    await page.evaluate(() => { window.laboratory.state.play(false); window.laboratory.state.setTime(0); });
    await page.focus('#topview');
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await runOf(page, () => window.laboratory.state.isByHand() && !window.laboratory.state.pending);
    const [vx, vy, spin] = await page.evaluate(() => [...window.laboratory.state.run.table.slice(10, 13)]);
    check(vx > 0.05 && Math.abs(vy) < 0.02 * vx && Math.abs(spin) < 0.1, `over the floor it starts with ${vx}, ${vy} m/s, ${spin} rad/s`);
    await page.done();
});

test('what is told of the floor fits the stage of a phone', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=puck-on-a-turntable', width: 390, height: 844, touch: true });
    await runOf(page);
    const widest = await page.evaluate(() => {
        const { fillText } = CanvasRenderingContext2D.prototype, { topView } = window.laboratory;
        let most = 0;
        CanvasRenderingContext2D.prototype.fillText = function write(text, x, ...rest) {
            if (this.textAlign === 'left') most = Math.max(most, x + this.measureText(text).width);
            return fillText.call(this, text, x, ...rest);
        };
        topView.draw();
        CanvasRenderingContext2D.prototype.fillText = fillText;
        return most / topView.width;
    });
    check(widest > 0.2 && widest < 1, `words end at ${widest} of the width`);
    await page.done();
});

test('an inclined floor shows which way it falls', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=spinning-disk-on-an-incline' });
    await runOf(page);
    await listen(page);
    await page.evaluate(() => window.laboratory.state.setTime(0.1));
    check(await page.evaluate(() => window.written.includes('downhill, 15°')), 'no word of the slope');
    await page.done();
});
