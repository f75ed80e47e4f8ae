// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What is read: legends on paper, loops, signs, axes, lessons that lead to what they speak of, words of models.
import { runOf, turn } from './hand.mjs';
import { check, openPage, root, test } from './harness.mjs';
import { readdirSync } from 'node:fs';

test('legends keep their colours on paper', async ({ browser, file }) => {
    const page = await openPage(browser, file, { height: 1400 });
    await runOf(page);
    await page.waitForFunction(() => document.querySelector('#map .fates span'));
    await page.emulateMedia({ media: 'print' });
    const found = await page.evaluate(() => ['#map .fates span', '.key span', '.bar', '.bar i', '.legend span'].map((s) => [s, ...['', '::before'].map((p) => getComputedStyle(document.querySelector(s), p || null).printColorAdjust)]));
    for (const [selector, own, before] of found) check(own === 'exact' && before === 'exact', `${selector}: ${own}, ${before}`);
    await page.done();
});

test('loops of rounding are not listed', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '' });
    for (const name of ['stick-slip-belt', 'lugre-stop', 'maxwell-stop', 'play', 'hunting-servo', 'two-blocks']) {
        await page.selectOption('#models', name);
        await runOf(page, (n) => window.laboratory.state.name === n, name);
        await page.waitForFunction(() => /lost by friction/.test(document.querySelector('#loop .branches').textContent));
        const text = await page.textContent('#loop .branches');
        check(!/e−1\d J|: 0 J/.test(text.replace(/lost by friction: [^J]*J/, '')), `${name}: ${text}`);
    }
    await page.done();
});

test('law and loop have the same sign: both resist', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=block-on-floor' });
    await runOf(page, () => window.laboratory.forBodies[3].curve.length > 0);
    const { law, loop } = await page.evaluate(() => {
        const [, , , lawView, loopView] = window.laboratory.forBodies, { run } = window.laboratory.state, points = loopView.points(run);
        const moving = points.filter((_, k) => run.table[k * run.info.width + 2] > 0.1).map(([, f]) => f); // while the block goes to the right
        return { law: lawView.curve.filter(([v]) => v > 0).map(([, f]) => f), loop: moving };
    });
    check(law.length > 3 && loop.length > 3 && law.every((f) => f > 0) && loop.every((f) => f > 0), `law ${law.slice(0, 3)}, loop ${loop.slice(0, 3)}`);
    await page.done();
});

test('limit surface and sphere have axes with numbers and units', async ({ browser, file }) => {
    for (const name of ['tripod', 'braked-car', 'disk']) {
        const page = await openPage(browser, file, { hash: `#model=${name}`, height: 1400 });
        await runOf(page);
        await page.waitForFunction(() => window.laboratory.forSliders[0].scene.surface && /share of u/.test(document.querySelector('#sphere .status').textContent)); // both are there
        const [surface, sphere] = await page.evaluate(() => ['#surface', '#sphere'].map((s) => ({ names: [...document.querySelectorAll(`${s} .axis`)].map((e) => e.textContent), ticks: [...document.querySelectorAll(`${s} .tick`)].map((e) => Number(e.textContent.replace('−', '-'))) })));
        check(surface.names.length === 3 && /^Fx \[[mk]?N\]$/.test(surface.names[0]) && /^M \[[mk]?N·m\]$/.test(surface.names[2]), `${name}: ${surface.names}`);
        check(surface.ticks.length >= 6 && surface.ticks.every((t) => Number.isFinite(t) && t !== 0), `${name}: ${surface.ticks}`);
        check(sphere.names.length === 3 && sphere.ticks.includes(1) && sphere.ticks.includes(-1), `${name}: ${JSON.stringify(sphere)}`);
        await page.done();
    }
});

test('lessons bring what they speak of into sight', async ({ browser, file }) => {
    const seen = (page, selector) => page.waitForFunction((s) => {
        const box = document.querySelector(s)?.getBoundingClientRect();
        return box && box.top < window.innerHeight - Math.min(60, 0.6 * box.height) && box.bottom > 60;
    }, selector);
    const page = await openPage(browser, file);
    await runOf(page);
    for (const id of await page.evaluate(() => [...document.querySelectorAll('#lessons option')].map((o) => o.value).filter(Boolean))) {
        await page.selectOption('#lessons', id);
        await page.waitForFunction(() => document.querySelector('.card.pointed'));
        await page.waitForFunction(() => [...document.querySelectorAll('.card.pointed')].some((c) => { const b = c.getBoundingClientRect(); return b.top < window.innerHeight - 60 && b.bottom > 60; }));
    }
    await page.done();
    const phone = await openPage(browser, file, { hash: '#lesson=stick-slip', width: 390, height: 844, touch: true });
    await runOf(phone);
    for (const [name, selector] of [['Friction law', '#law'], ['static', '[data-path="contacts.face.static"]'], ['Phase plane', '#phase']]) {
        await phone.locator('.targets button', { hasText: name }).first().click();
        await seen(phone, selector);
    }
    await phone.done();
});

test('the words of a model are words', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await runOf(page);
    for (const name of readdirSync(root + 'models').filter((n) => n.endsWith('.yaml')).map((n) => n.slice(0, -5))) {
        await page.selectOption('#models', name);
        await runOf(page, (n) => window.laboratory.state.name === n, name);
        const words = await page.textContent('#words');
        check(/^[A-Z][a-z]* /.test(words) && !/\[[A-Z]+\d\d/.test(words) && !/^(The same|Example)/.test(words), `${name}: ${words}`);
    }
    await page.done();
});

test('the load that is drawn is the one that brakes the body, by Newton', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    for (const name of ['plate', 'tripod', 'disk', 'braked-car']) {
        await page.selectOption('#models', name);
        await runOf(page, (n) => window.laboratory.state.name === n, name);
        const { rows, near } = await page.evaluate(() => { // m dv/dt by central differences, in the body frame, against the load on the ground
            const { run } = window.laboratory.state, { table: t, info } = run, w = info.width, inertia = info.mass * info.gyration ** 2;
            let rows = 0, near = 0;
            for (let k = w; k + w < t.length; k += w) {
                const h = t[k + w] - t[k - w], rate = (j) => (t[k + w + j] - t[k - w + j]) / h, c = Math.cos(t[k + 3]), s = Math.sin(t[k + 3]);
                const force = [info.mass * (c * rate(4) + s * rate(5)), info.mass * (c * rate(5) - s * rate(4)), inertia * rate(6)];
                const slips = (at) => Number.isFinite(t[at + 7]) && (t[at + 10] !== 0 || t[at + 11] !== 0 || t[at + 12] !== 0); // at rest the ground holds what else pushes
                if (!(h > 0) || ![k - w, k, k + w].every(slips)) continue;
                rows++;
                if (Math.hypot(...force.map((f, j) => f + t[k + 7 + j])) < 0.02 * Math.hypot(...force)) near++;
            }
            return { rows, near };
        });
        check(rows > 200 && near > 0.95 * rows, `${name}: ${near} of ${rows} moments`); // but for those beside events
    }
    await page.done();
});

test('what a loop lost is the area of it, and is not told of what the moments cut off', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=play' });
    await runOf(page);
    await page.waitForFunction(() => /lost in each closed loop/.test(document.querySelector('#loop .branches').textContent));
    const told = await page.evaluate(() => [...document.querySelectorAll('#loop .branches span')].map((e) => e.textContent));
    check(told.length === 1 && /^0\.9 ↔ 2 m: 100 mJ$/.test(told[0]), told.join('; ')); // a play of 1 m: 2 * 0.5 N * (1.1 m - 1 m); within 0.8 .. 1.5 m nothing slips
    await page.done();
});

test('numbers at the end are for reading: nothing is told of what has decayed', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    for (const [name, word] of [['dc-motor', /current = 0 A/], ['relief-valve', /poppet: x = 0 m/], ['drill-string', /start 18\.7 kJ/]]) {
        await page.selectOption('#models', name);
        await runOf(page, (n) => window.laboratory.state.name === n, name);
        const text = await page.textContent('#answer');
        check(word.test(text), `${name}: ${text}`);
    }
    await page.done();
});

test('every axis has its unit; widths of the set have theirs, whatever is known first', async ({ browser, file }) => {
    const page = await openPage(browser, file, { height: 1400 });
    await runOf(page, () => window.laboratory.state.certificate);
    const told = await page.evaluate(() => { // the certificate comes before the motion
        const { state: lab } = window.laboratory, { run } = lab;
        lab.run = null;
        lab.tell('certificate');
        lab.run = run;
        lab.tell('run');
        return document.querySelector('#verdict').textContent;
    });
    check(/equilibria within ± 1 m, 1 m/.test(told), told);
    const names = await page.evaluate(() => {
        const { state: lab, forBodies: [phase] } = window.laboratory, written = [], axes = phase.plot.axes;
        phase.plot.axes = (x, y) => { written.push(x, y); };
        for (const plane of [0, 1]) {
            lab.view.plane = plane;
            phase.draw();
        }
        phase.plot.axes = axes;
        return written;
    });
    check(names.join('; ') === 'block1.x [m]; block1.v [m/s]; block1.x [m]; block2.x [m]', names.join('; '));
    await page.done();
});

test('the phase plane says what is drawn in it', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=block-on-floor', height: 1400 }), legend = () => page.evaluate(() => [...document.querySelectorAll('#phase .fates span')].map((e) => e.textContent).join('; '));
    await runOf(page, () => window.laboratory.state.certificate);
    await page.waitForFunction(() => document.querySelectorAll('#phase .fates span').length === 2);
    check((await legend()) === 'must come to rest; equilibria', await legend());
    await page.evaluate(() => window.laboratory.state.moveStart({ x: [1.5], v: [0] }));
    await page.waitForFunction(() => /before/.test(document.querySelector('#phase .fates').textContent));
    await page.selectOption('#models', 'stick-slip-belt');
    await runOf(page, () => window.laboratory.state.name === 'stick-slip-belt');
    await page.waitForFunction(() => !document.querySelector('#phase .fates span'));
    await page.done();
});

test('what the core notes is told', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=geared-drive' });
    await runOf(page);
    const text = await page.textContent('#answer');
    check(/At t = 20\.005 s: .*several distributions hold/.test(text), text); // two bearings hold what one could
    await page.done();
});

test('a proof that takes long is seen to be at work, and can be given up', async ({ browser, file }) => {
    const page = await openPage(browser, file, { height: 1400 });
    await runOf(page, () => window.laboratory.state.certificate);
    await page.evaluate(() => {
        const { state: lab } = window.laboratory;
        lab.judging = new Promise(() => undefined);
        lab.tell('judging');
    });
    await page.waitForSelector('#verdict .working:not([hidden]):has-text("proving")');
    await page.click('#verdict .working:not([hidden]) .stop');
    check(/Stopped/.test(await page.textContent('#verdict')) && !/Theorem/.test(await page.textContent('#verdict')), await page.textContent('#verdict'));
    await page.waitForFunction(() => !document.querySelector('#verdict .working:not([hidden])'));
    await turn(page, 'parameters.mu', 0.2);
    await page.waitForFunction(() => /Theorem 4/.test(document.querySelector('#verdict').textContent));
    await page.done();
});
