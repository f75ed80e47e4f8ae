// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Work is kept: over reload, back and forward, in files and fields.
import { runOf, turn } from './hand.mjs';
import { check, openPage, root, test } from './harness.mjs';
import { ask } from './numbers.mjs';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const textOf = (page) => page.evaluate(() => window.laboratory.state.text);

/** Types into the field of a number and leaves it. */
async function type(page, path, text) {
    const field = page.locator(`[data-path="${path}"] input[type=text]`);
    await field.fill(text);
    await field.press('Enter');
    return field;
}

test('reload brings back what was edited, and so does another day', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await runOf(page);
    await turn(page, 'parameters.mu', 0.35);
    const edited = await runOf(page, () => /mu: 0\.35\b/.test(window.laboratory.state.text) && !window.laboratory.state.pending);
    await page.reload();
    const back = await runOf(page, () => window.laboratory.state.run);
    check(back.text === edited.text && back.name === 'two-blocks' && back.t === edited.t, back.text);
    await page.click('#reset');
    await runOf(page, () => /mu: 0\.1\b/.test(window.laboratory.state.text)); // the model as it came is still known
    await page.click('#undo');
    await runOf(page, () => /mu: 0\.35\b/.test(window.laboratory.state.text));
    const other = await page.context().newPage(); // without an address of a model
    await page.close();
    await other.goto(page.url().replace(/#.*/, ''));
    check((await runOf(other, () => window.laboratory.state.run)).text === edited.text, 'another day there is another text');
    check(/your work of last time/.test(await other.textContent('#notice')), 'no word of it');
    await other.click('#notice button');
    check((await runOf(other, () => window.laboratory.state.name === 'stick-slip-belt')).name === 'stick-slip-belt', 'it does not start afresh');
    await page.done();
});

test('Back goes back, with what was edited there, and Forward forward', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await runOf(page);
    await turn(page, 'parameters.mu', 0.35);
    const edited = await runOf(page, () => /mu: 0\.35\b/.test(window.laboratory.state.text));
    await page.click('.words'); // browsers skip entries of the history on which nobody did anything
    await page.selectOption('#models', 'hysteresis');
    await runOf(page, () => window.laboratory.state.name === 'hysteresis');
    await page.click('.words');
    await page.selectOption('#lessons', 'hunting');
    await runOf(page, () => window.laboratory.state.name === 'hunting-servo');
    await page.goBack();
    await runOf(page, () => window.laboratory.state.name === 'hysteresis' && document.querySelector('#lesson').hidden);
    await page.goBack();
    check((await runOf(page, () => window.laboratory.state.name === 'two-blocks')).text === edited.text, 'what was edited is lost');
    await page.goForward();
    await page.goForward();
    await runOf(page, () => window.laboratory.state.name === 'hunting-servo' && !document.querySelector('#lesson').hidden);
    await page.done();
});

test('sliders and the saved file follow a start that was dragged or flicked', async ({ browser, file, program }) => {
    const page = await openPage(browser, file), folder = mkdtempSync(join(tmpdir(), 'slipstick-page-'));
    const save = async () => {
        await page.click('#take');
        const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-yaml')]);
        writeFileSync(join(folder, 'model.yaml'), readFileSync(await download.path()));
        await page.click('.takeaway .close');
    };
    try {
        for (const [name, start, paths] of [['two-blocks', { x: [2.5, -1.25], v: [0, 0.5] }, ['start.block1.x', 'start.block2.x', 'start.block2.v']], ['hunting-servo', { x: [0.002], v: [0] }, ['start.stage.x']],
            ['two-blocks-matrices', { x: [1.5, 2], v: [0, 0] }, ['start.q1.x', 'start.q2.x']], ['tripod', { x: [0.1, 0, 0.5], v: [0.4, 0.1, 2] }, ['start.slider.x', 'start.slider.vx', 'start.slider.spin']]]) {
            await page.selectOption('#models', name);
            await runOf(page, (n) => window.laboratory.state.name === n && (window.laboratory.state.world || window.laboratory.state.run.info.supports), name);
            await page.evaluate((s) => window.laboratory.state.moveStart(s), start);
            const run = await runOf(page, () => window.laboratory.state.isByHand() && !window.laboratory.state.pending);
            check(run.start.x.every((x, k) => Math.abs(x - start.x[k]) < 0.01) && run.start.v.every((v, k) => Math.abs(v - start.v[k]) < 0.01), `${name}: ${JSON.stringify(run.start)}\n${run.text}`);
            for (const path of paths) {
                const value = Number(await page.locator(`[data-path="${path}"] input[type=text]`).inputValue()), k = /[12]/.exec(path.split('.')[1])?.[0] ?? 1;
                check(Number.isFinite(value) && (/slider/.test(path) || Math.abs(value - run.start[path.endsWith('v') ? 'v' : 'x'][k - 1]) < 0.01), `${name}: ${path} shows ${value}, not ${JSON.stringify(run.start)}`);
            }
            await save();
            const told = ask(program, 'simulate', join(folder, 'model.yaml'));
            check(told.outcome === run.outcome && Math.abs(told.t - run.t) < 1e-9, `${name}: ${told.outcome} at ${told.t}, not ${run.outcome} at ${run.t}`);
        }
    } finally {
        rmSync(folder, { recursive: true });
    }
    await page.done();
});

test('fields take units and formulas, and mark what they refuse', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await runOf(page);
    const k1 = await type(page, 'parameters.k1', '0.02 N/cm');
    await runOf(page, () => /k1: 0\.02 N\/cm/.test(window.laboratory.state.text));
    check((await k1.getAttribute('aria-invalid')) === null, 'it is marked');
    for (const bad of ['2 kg', 'quick', '2*nothing', '-1 N/m }']) {
        const text = await textOf(page), field = await type(page, 'parameters.k1', bad);
        if (bad === '2 kg') { // a parameter may have any unit; where it is used it does not fit
            await page.waitForFunction((t) => window.laboratory.state.text !== t || document.querySelector('[data-path="parameters.k1"] [aria-invalid=true]'), text);
        } else await page.waitForSelector('[data-path="parameters.k1"] [aria-invalid=true]');
        check((await page.locator('[data-path="parameters.k1"] .why').textContent()).length > 10, `${bad}: no reason`);
        check((await textOf(page)) === text && !/--/.test(await page.locator('[data-path="parameters.k1"] .why').textContent()), `${bad} was taken`);
        await field.press('Escape');
    }
    await type(page, 'parameters.k1', '-'); // YAML has its own view of it
    await page.waitForFunction(() => /^[^:]*k1: /.test(document.querySelector('[data-path="parameters.k1"] .why').textContent));
    await page.locator('[data-path="parameters.k1"] input[type=text]').press('Escape');
    await type(page, 'parameters.k2', '2*k1');
    await runOf(page, () => /k2: 2\*k1/.test(window.laboratory.state.text));
    check((await page.locator('[data-path="parameters.k2"] input[type=text]').inputValue()) === '2*k1', 'the formula is not shown');
    const field = await type(page, 'parameters.k2', '3 N/m');
    await runOf(page, () => /k2: 3 N\/m/.test(window.laboratory.state.text));
    await field.press('Tab');
    check(!(await page.locator('[data-path="parameters.k2"] input[type=range]').isDisabled()), 'it is no number again');
    await page.selectOption('#models', 'relief-valve');
    await runOf(page, () => window.laboratory.state.name === 'relief-valve');
    await type(page, 'contacts.right.above', '-1'); // a model, but one that cannot start
    await page.waitForFunction(() => /beyond the stop/.test(document.querySelector('[data-path="contacts.right.above"] .why').textContent));
    check(/above: 1\.016 mm/.test(await textOf(page)), await textOf(page));
    await page.done();
});

test('a text that is not YAML is told what to do', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    const { text } = await runOf(page);
    for (const [from, to, word, line] of [['connections:', 'connections', /no colon behind it/, 8], ['block1: {mass: 1 kg}', 'block1: {mass: 1 kg', /bracket/, 7], ['title: Two', 'title: Two: Two', /quote text that holds a colon/, 3], ['  block1: {mass', '\tblock1: {mass', /blanks, not with tabs/, 6]]) {
        await page.evaluate((t) => window.laboratory.openText('mine', t), text.replace(from, to));
        await page.waitForFunction(() => !document.querySelector('#fault').hidden);
        const told = await page.textContent('#fault');
        check(word.test(told) && Math.abs(Number(/Line (\d+)/.exec(told)[1]) - line) <= 1, `${to}: ${told}`);
        await page.evaluate((t) => window.laboratory.openText('mine', t), text);
        await page.waitForFunction(() => document.querySelector('#fault').hidden);
    }
    await page.done();
});

test('a damaged link says so; Copy link from a disk says what it is good for', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await runOf(page);
    await page.click('#take');
    await page.click('#copy-link');
    await page.waitForFunction(() => location.hash.startsWith('#m='));
    const hash = await page.evaluate(() => location.hash);
    await page.waitForFunction(() => /on this computer/.test(document.querySelector('.takeaway [role=status]').textContent));
    await page.done();
    for (const [damaged, word] of [[hash.slice(0, 60), /damaged/], [hash.slice(0, 50) + '~~', /damaged/], ['#m=', /damaged/], ['#m', /damaged/], ['#model=no-such-thing', /no model/], ['#model=%C3%A4', /no model/], ['#model=', /no model/], ['#lesson=none', /no lesson/]]) {
        const broken = await openPage(browser, file, { hash: damaged });
        await runOf(broken);
        check(word.test(await broken.textContent('#notice')) && (await broken.locator('#notice').isVisible()), `${damaged}: ${await broken.textContent('#notice')}`);
        await broken.done();
    }
});

test('a file is opened, and dropped; what is none is refused', async ({ browser, file }) => {
    const page = await openPage(browser, file), text = readFileSync(root + 'models/wedge-brake.yaml', 'utf8').replace('x: 2 m', 'x: 1.5 m');
    await runOf(page);
    await page.setInputFiles('#file', { name: 'my brake.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) });
    const opened = await runOf(page, () => window.laboratory.state.name === 'my brake' && window.laboratory.state.run);
    check(/my brake/.test(await page.evaluate(() => document.querySelector('#models').selectedOptions[0]?.textContent)), 'the list of models does not tell which one is open');
    check(opened.text === text, opened.text);
    await page.evaluate((t) => {
        const data = new DataTransfer();
        data.items.add(new File([t], 'dropped.yaml'));
        for (const type of ['dragover', 'drop']) document.querySelector('#time').dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
    }, text.replace('1.5 m', '1.25 m'));
    await runOf(page, () => window.laboratory.state.name === 'dropped' && window.laboratory.state.run?.table[1] === 1.25);
    await page.setInputFiles('#file', { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from([137, 80, 78, 71, 0, 0, 1]) });
    await page.waitForFunction(() => /no model file/.test(document.querySelector('#notice').textContent));
    await page.goBack();
    await runOf(page, () => window.laboratory.state.name === 'my brake');
    await page.done();
});

test('of the model before, nothing stays beside one that cannot be shown', async ({ browser, file }) => {
    const page = await openPage(browser, file, { height: 1400 });
    const { text } = await runOf(page, () => window.laboratory.state.certificate);
    await page.evaluate(() => document.querySelector('#figure').scrollIntoView());
    await page.waitForFunction(() => document.querySelector('#figure svg'));
    for (const bad of [text.replace('block1: {mass: 1 kg}', 'block1: {mass: 1 kg'), text.replace('law: coulomb', 'law: coulom')]) { // no YAML; no model
        await page.evaluate((t) => window.laboratory.openText('broken', t), bad);
        await page.waitForFunction(() => !document.querySelector('#fault').hidden);
        const seen = await page.evaluate(() => ['#machine', '.transport', '#time', '#phase', '#answer', '#verdict', '#law'].filter((s) => getComputedStyle(document.querySelector(s)).visibility !== 'hidden'));
        check(seen.length === 0 && !(await page.locator('#figure svg').count()), `${seen} and ${await page.textContent('#figure .body')} are of another model`);
        const numbers = await page.evaluate(() => document.querySelectorAll('.slider').length);
        check(numbers === 0 || !/kg$/m.test(bad), `${numbers} numbers of a text that cannot be read`);
        await page.evaluate((t) => window.laboratory.openText('whole', t), text);
        await runOf(page, () => window.laboratory.state.name === 'whole');
        check(await page.evaluate(() => getComputedStyle(document.querySelector('#machine')).visibility === 'visible' && document.querySelectorAll('.slider').length > 5), 'a good one stays hidden');
    }
    await page.done();
});

test('numbers of a text that cannot be read any more are not turned', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    const { text } = await runOf(page);
    await page.evaluate((t) => window.laboratory.editor.restore(t), `more: {of: [this\n${text}`);
    await page.waitForFunction(() => !document.querySelector('#fault').hidden);
    check((await page.locator('.slider').count()) === 0 && /cannot be read/.test(await page.textContent('#sliders')), await page.textContent('#sliders'));
    await page.evaluate((t) => window.laboratory.editor.restore(t), text);
    await page.waitForFunction(() => document.querySelector('[data-path="parameters.mu"] input[type=text]')?.value === '0.1');
    await page.done();
});

test('a motion that takes long shows nothing of the model before; stopped, it says so and can be computed after all', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    const { text } = await runOf(page);
    await page.evaluate((t) => {
        const { motions } = window.laboratory.state;
        window.asked = motions.ask;
        motions.ask = () => new Promise(() => undefined); // for ever
        window.laboratory.openText('slow', t);
    }, text);
    await page.waitForSelector('body.bare .stage .working:not([hidden])');
    check(!(await page.locator('#machine').isVisible()) && !(await page.locator('#answer').isVisible()), 'another model is shown');
    await page.click('.stage .working .stop');
    await page.waitForFunction(() => /stopped before it was computed/.test(document.querySelector('#notice').textContent));
    await page.evaluate(() => { window.laboratory.state.motions.ask = window.asked; });
    await page.click('#notice button');
    await runOf(page, () => window.laboratory.state.name === 'slow');
    check(await page.locator('#machine').isVisible() && !(await page.locator('#notice').isVisible()), 'it stays away');
    await page.done();
});
