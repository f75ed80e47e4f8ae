// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The page under the hand: models, sliders, dragging, faults, links, lessons, export.
import { drawn, placeOfBlock, runOf, turn } from './hand.mjs';
import { check, openPage, root, test } from './harness.mjs';
import { ask } from './numbers.mjs';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const models = readdirSync(root + 'models').filter((name) => name.endsWith('.yaml')).map((name) => name.slice(0, -5));

/** The table that is exported has the columns of simulate --out, and starts with its numbers. */
async function checkTable(page, program, name, out) {
    await page.click('#take');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-csv')]);
    await page.click('.takeaway .close');
    const read = (path) => readFileSync(path, 'utf8').trim().split('\n').filter((row) => !row.startsWith('#')).map((row) => row.split(','));
    execFileSync(program, ['simulate', root + `models/${name}.yaml`, '--until', '0', '--out', out], { stdio: 'pipe' });
    const rows = read(await download.path()), there = read(out);
    check(rows[0].join() === there[0].join(), `${name}: ${rows[0]}, not ${there[0]}`);
    check(rows.every((row) => row.length === rows[0].length && !row.some((v) => /undefined|NaN/.test(v))), `${name}: a number is missing`);
    const near = (a, b) => a === b || Math.abs(Number(a) - Number(b)) <= 1e-12 * Math.max(1, Math.abs(Number(b)));
    there[1].forEach((value, k) => check(near(rows[1][k], value), `${name}: ${rows[0][k]} starts with ${rows[1][k]}, not ${value}`));
}

test('every model opens, is drawn, tells its words and gives its table', async ({ browser, file, program }) => {
    const page = await openPage(browser, file), folder = mkdtempSync(join(tmpdir(), 'slipstick-page-'));
    await runOf(page);
    try {
        for (const name of models) {
            await page.selectOption('#models', name);
            const run = await runOf(page, (n) => window.laboratory.state.name === n && window.laboratory.state.run, name);
            check(run.name === name && run.x.length > 1, `${name} did not run`);
            const slider = await page.evaluate(() => Boolean(window.laboratory.state.run.info.supports));
            await drawn(page, slider ? '#topview' : '#machine', 8, name);
            check((await page.textContent('#words')).length > 30, `${name}: no words`);
            check((await page.locator('.slider').count()) > 0 || /matrices/.test(name), `${name}: nothing to turn`);
            await checkTable(page, program, name, join(folder, 'motion.csv'));
        }
    } finally {
        rmSync(folder, { recursive: true });
    }
    await page.done();
});

test('a slider changes text and motion; undo and reset bring them back', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    const before = await runOf(page);
    await turn(page, 'parameters.mu', 0.4);
    const after = await runOf(page, (t) => /mu: 0\.4\b/.test(window.laboratory.state.text) && window.laboratory.state.run.answer.t !== t, before.t);
    check(/mu: 0\.4/.test(after.text) && after.t < before.t, `mu = 0.4 rests at ${after.t}, mu = 0.1 at ${before.t}`);
    check(await page.evaluate(() => window.laboratory.state.before !== null), 'the run before is not kept');
    await page.click('#undo');
    const undone = await runOf(page, (t) => window.laboratory.state.run.answer.t === t, before.t);
    check(undone.text === before.text, 'undo did not bring the text back');
    await turn(page, 'parameters.g', 0.9);
    await runOf(page, (t) => window.laboratory.state.run.answer.t !== t, before.t);
    await page.click('#reset');
    check((await runOf(page, (t) => window.laboratory.state.run.answer.t === t, before.t)).text === before.text, 'reset did not');
    await page.done();
});

test('the clock is scrubbed and played', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await runOf(page);
    await page.evaluate(() => { const s = document.querySelector('.scrub'); s.value = '0.5'; s.dispatchEvent(new Event('input')); });
    const half = await page.evaluate(() => window.laboratory.state.time / window.laboratory.state.run.end);
    check(Math.abs(half - 0.5) < 1e-9, `scrubbed to ${half}`);
    await page.click('.play');
    await page.waitForFunction(() => window.laboratory.state.time > 0.52 * window.laboratory.state.run.end);
    await page.click('.play');
    check(!(await page.evaluate(() => window.laboratory.state.playing)), 'it does not stop');
    await page.done();
});

test('a log slider turns by factors', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await runOf(page);
    await page.click('[data-path="parameters.k1"] .log');
    await turn(page, 'parameters.k1', 0.75); // 1/100 * 10^4^0.75 = 10
    const run = await runOf(page, () => /k1: 10 /.test(window.laboratory.state.text));
    check(/k1: 10 N\/m/.test(run.text), run.text);
    await page.done();
});

test('a body that is dragged starts there', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=block-on-floor' });
    const before = await runOf(page), at = await placeOfBlock(page);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x - 60, at.y, { steps: 4 });
    await page.mouse.move(at.x - 120, at.y, { steps: 4 });
    await page.mouse.up();
    const after = await runOf(page, (x) => window.laboratory.state.isByHand() && window.laboratory.state.playing && !window.laboratory.state.pending, null);
    check(after.start.x[0] < before.x[1] - 0.1 && after.x[1] === after.start.x[0], `started at ${after.x[1]}, not left of ${before.x[1]}`);
    check(await page.evaluate(() => window.laboratory.state.playing), 'it was let go, and stands');
    await page.done();
});

test('a body that is pulled while it runs follows the hand', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=block-on-floor' });
    const before = await runOf(page);
    await page.evaluate(() => window.laboratory.state.setTime(0.3 * window.laboratory.state.run.end));
    const at = await placeOfBlock(page);
    await page.evaluate(() => { const lab = window.laboratory.state; lab.rate = 0.1; lab.playing = true; }); // slowly, so that it is caught
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.waitForFunction(() => window.laboratory.state.live);
    await page.mouse.move(at.x + 250, at.y, { steps: 3 });
    await page.evaluate(() => { window.laboratory.state.rate = 1; });
    await page.waitForFunction(() => { // it has left the motion without a hand
        const lab = window.laboratory.state;
        return Math.abs(lab.now()[1] - lab.reading.at(lab.before, lab.time)[1]) > 0.2;
    });
    await page.mouse.up();
    check(await page.evaluate(() => window.laboratory.state.run.answer.outcome === 'led by hand'), 'it is not led by hand');
    await page.click('#reset');
    check((await runOf(page, () => !window.laboratory.state.live && window.laboratory.state.run.answer.outcome !== 'led by hand')).t === before.t, 'the hand is still in it');
    await page.done();
});

test('matrices are pulled as bodies are', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=two-blocks-matrices' });
    await runOf(page);
    await page.evaluate(() => window.laboratory.state.setTime(window.laboratory.state.run.end)); // all stands still: friction holds
    const at = await placeOfBlock(page), still = await page.evaluate(() => [...window.laboratory.state.now()]);
    await page.evaluate(() => { const lab = window.laboratory.state; lab.setTime(0.99 * lab.run.end); lab.rate = 0.1; lab.playing = true; });
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.waitForFunction(() => window.laboratory.state.live);
    await page.mouse.move(at.x + 260, at.y, { steps: 3 });
    await page.evaluate(() => { window.laboratory.state.rate = 1; });
    await page.waitForFunction((x) => window.laboratory.state.now()[1] > x + 0.2, still[1]);
    await page.mouse.up();
    const { rows, end, times } = await page.evaluate(() => {
        const { run } = window.laboratory.state;
        return { rows: run.rows, end: run.end, times: Array.from({ length: run.rows }, (_, k) => run.table[k * run.info.width]) };
    });
    check(times.every((t, k) => k === 0 || t >= times[k - 1]) && times[rows - 1] === end, 'its time does not go on');
    await page.done();
});

test('a fault is underlined where it is, and leaves when it is mended', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await runOf(page);
    await page.click('#tab-text');
    await page.evaluate(() => {
        const { view } = window.laboratory.editor, at = view.state.doc.toString().indexOf('mass: 1 kg') + 6;
        view.dispatch({ changes: { from: at, to: at + 4, insert: '1 m' }, userEvent: 'input.type' });
    });
    await page.waitForSelector('.cm-lintRange-error');
    check((await page.textContent('.cm-lintRange-error')) === '1 m', `underlined: ${await page.textContent('.cm-lintRange-error')}`);
    check(/Line 6: bodies\.block1\.mass/.test(await page.textContent('#fault')), await page.textContent('#fault'));
    await page.click('#undo');
    await page.waitForSelector('.cm-lintRange-error', { state: 'detached' });
    check(await page.locator('#fault').isHidden(), 'the fault is still told');
    await page.done();
});

test('a link carries the model and its start', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await runOf(page);
    await turn(page, 'parameters.mu', 0.3);
    await runOf(page, () => /mu: 0\.3\b/.test(window.laboratory.state.text));
    await page.evaluate(() => window.laboratory.state.setStart({ x: [2.5, 1.25], v: [0, -0.5] }));
    const run = await runOf(page, () => window.laboratory.state.run.table[1] === 2.5);
    await page.click('#phase .tools button:nth-child(2)'); // block2
    await page.evaluate(() => { window.laboratory.state.view.map = ['block1.v', 'parameters.mu']; });
    await page.click('#take');
    await page.click('#copy-link');
    await page.waitForFunction(() => location.hash.startsWith('#m='));
    const hash = await page.evaluate(() => location.hash);
    check((await page.textContent('.takeaway pre')).includes('--set block1.x=2.5'), await page.textContent('.takeaway pre'));
    await page.done();
    const other = await openPage(browser, file, { hash });
    const same = await runOf(other, () => window.laboratory.state.start !== null && window.laboratory.state.run?.table[1] === 2.5);
    check(same.text === run.text && same.t === run.t && JSON.stringify(same.start) === JSON.stringify(run.start), 'what the link opens is something else');
    const view = await other.evaluate(() => window.laboratory.state.view);
    check(view.body === 1 && view.map.join() === 'block1.v,parameters.mu', `it looks at ${JSON.stringify(view)}`);
    await other.done();
    const broken = await openPage(browser, file, { hash: hash.slice(0, 40) });
    await runOf(broken); // a link that was cut opens the page as ever
    await broken.done();
});

test('what is exported is what the command line reads and writes', async ({ browser, file, program }) => {
    const page = await openPage(browser, file, { hash: '#model=block-on-floor' });
    const run = await runOf(page), folder = mkdtempSync(join(tmpdir(), 'slipstick-page-'));
    const save = async (id) => {
        const [download] = await Promise.all([page.waitForEvent('download'), page.click(id)]);
        return readFileSync(await download.path());
    };
    try {
        await page.click('#take');
        writeFileSync(join(folder, 'model.yaml'), await save('#save-yaml'));
        check(ask(program, 'simulate', join(folder, 'model.yaml')).outcome === run.outcome, 'the YAML is another model');
        const rows = (await save('#save-csv')).toString().trim().split('\n');
        check(rows.length > 1000, `${rows.length} rows`);
        check(Math.abs(Number(rows.at(-1).split(',')[1]) - run.state.block.x) < 1e-12 && rows.at(-1).endsWith('stick'), rows.at(-1));
        check(/^<svg[^]*<\/svg>\s*$/.test((await save('#save-svg')).toString().replace(/^<\?xml[^>]*>\s*/, '')), 'no SVG');
        check((await save('#save-png')).subarray(1, 4).toString() === 'PNG', 'no PNG');
    } finally {
        rmSync(folder, { recursive: true });
    }
    await page.done();
});

test('what is to be copied for the command line and for Python runs, to the same end', async ({ browser, file, program }) => {
    const page = await openPage(browser, file), folder = mkdtempSync(join(tmpdir(), 'slipstick-page-'));
    const odd = readFileSync(root + 'models/block-on-floor.yaml', 'utf8').replaceAll('block:', '"my block":').replaceAll('[block,', '["my block",').replaceAll('body: block', 'body: my block');
    try {
        for (const [name, text, start] of [['two-blocks', null, { x: [2.5, 1.25], v: [0, -0.5] }], ['tripod', null, { x: [0, 0, 0], v: [0.5, 0.1, 2] }], ['sampled-servo', null, null], ["it's mine", odd, { x: [1.75], v: [0] }]]) {
            await page.evaluate(([n, t, s]) => { const lab = window.laboratory.state; lab.open(n, t ?? undefined); if (s) lab.setStart(s); }, [name, text, start]);
            const run = await runOf(page, ([n, s]) => { const lab = window.laboratory.state, at = lab.run?.info.supports ? 4 : 1; return lab.name === n && (!s || lab.run?.table[at] === (lab.run?.info.supports ? s.v[0] : s.x[0])); }, [name, start]);
            await page.click('#take');
            const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-yaml')]);
            writeFileSync(join(folder, download.suggestedFilename()), readFileSync(await download.path()));
            const [shell, python] = await page.locator('.takeaway pre').allTextContents();
            await page.click('.takeaway .close');
            const told = JSON.parse(execFileSync('sh', ['-c', `${shell} --json`], { cwd: folder, encoding: 'utf8', env: { ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` } }));
            check(told.outcome === run.outcome && Math.abs(told.t - run.t) < 1e-9, `${shell}: ${told.outcome} at ${told.t}, not ${run.outcome} at ${run.t}`);
            const printed = execFileSync('/usr/bin/python3', ['-c', python], { cwd: folder, encoding: 'utf8', env: { ...process.env, PYTHONPATH: join(dirname(program), 'python') } }).trim().split(' ');
            check(printed[0] === run.outcome && Math.abs(Number(printed[1]) - run.t) < 1e-9, `${python}: ${printed}`);
        }
    } finally {
        rmSync(folder, { recursive: true });
    }
    await page.done();
});

test('whoever opens the page sees what it is and what to do', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '' });
    await runOf(page);
    check(/dry friction/.test(await page.textContent('#intro')) && (await page.locator('#intro').isVisible()), 'no word of what this is');
    await page.click('#first-lesson');
    check(/Lesson 1 of 6/.test(await page.textContent('#lesson')) && !(await page.locator('#intro').isVisible()), 'the first lesson does not begin');
    await page.done();
    const other = await openPage(browser, file, { hash: '#model=disk' });
    await runOf(other);
    check(!(await other.locator('#intro').isVisible()), 'whoever follows a link knows what it is');
    await other.done();
});

test('open models, controllers and elements have sliders, and their numbers a plot', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    for (const [name, paths] of [['sampled-servo', ['sampled.servo.every', 'sampled.servo.delay', 'sampled.servo.memory.command', 'parameters.kp']], ['hunting-servo', ['inputs.disturbance', 'states.sum.start']], ['hysteresis', ['contacts.pad.elements[1][0]']], ['two-blocks-matrices', ['matrices.friction[0]']]]) {
        await page.selectOption('#models', name);
        await runOf(page, (n) => window.laboratory.state.name === n, name);
        const there = await page.evaluate(() => [...document.querySelectorAll('.slider')].map((row) => row.dataset.path));
        for (const path of paths) check(there.includes(path), `${name}: ${path} is not among ${there}`);
    }
    await page.selectOption('#models', 'hunting-servo');
    await runOf(page, () => window.laboratory.state.name === 'hunting-servo');
    const range = await page.evaluate(() => { // a disturbance of 0 N can be turned as far as other forces of the model go
        const input = document.querySelector('[data-path="inputs.disturbance"] input[type=range]');
        input.value = '1';
        input.dispatchEvent(new Event('input', { bubbles: true }));
        return window.laboratory.state.text;
    });
    check(/disturbance: 12 N/.test(range), range);
    check((await page.locator('#time .lane:not([hidden])').count()) === 4, 'no lane of states');
    await drawn(page, '#time .lane:nth-child(4) canvas', 8, 'states');
    await page.done();
});

test('six lessons ask, explain and see what was tried', async ({ browser, file }) => {
    const page = await openPage(browser, file);
    await runOf(page);
    const ids = await page.evaluate(() => [...document.querySelectorAll('#lessons option')].map((o) => o.value).filter(Boolean));
    check(ids.length === 6, `${ids.length} lessons`);
    const tries = {
        'stick-slip': () => turn(page, 'contacts.face.static', 0.7 / 3),
        'off-centre': () => page.evaluate(() => window.laboratory.state.setStart({ x: [0.5], v: [0] })),
        'must-it-stop': () => turn(page, 'parameters.mu', 0.3),
        memory: () => page.click('#loop .tools button'),
        hunting: () => turn(page, 'contacts.guide.static', 8.05 / 36),
        disk: () => page.evaluate(() => window.laboratory.state.setStart({ x: [0, 0, 0], v: [0.3, 0.1, 2] })),
    };
    for (const id of ids) {
        await page.selectOption('#lessons', id);
        await page.waitForFunction(() => document.querySelector('#lesson fieldset'));
        await runOf(page, () => window.laboratory.state.check !== null);
        check(!(await page.locator('.task.done').count()), `${id}: done before it was tried`);
        await page.locator('#lesson fieldset button').first().click();
        check(/^(Yes|Not quite)\. .{40}/.test(await page.textContent('.because')), `${id}: no explanation`);
        check((await page.locator('#lesson fieldset .right').count()) === 1, `${id}: no right answer`);
        await tries[id]();
        await page.waitForSelector('.task.done').catch(() => { throw new Error(`${id}: the try is not seen`); });
    }
    await page.click('#lesson .close');
    check(await page.locator('#lesson').isHidden(), 'the lesson does not end');
    await page.done();
});

test('a slider is flicked, and its load runs on the limit surface', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=tripod', height: 1500 });
    await runOf(page);
    for (const card of ['#surface', '#sphere']) await drawn(page, `${card} canvas`, 50, 'tripod');
    const box = await page.locator('#topview').boundingBox(), before = await runOf(page);
    const centre = await page.evaluate(() => { const t = window.laboratory.topView, row = window.laboratory.state.now(); return t.px(row[1], row[2]); });
    await page.mouse.move(box.x + centre[0], box.y + centre[1]);
    await page.mouse.down();
    await page.mouse.move(box.x + centre[0] - 40, box.y + centre[1] + 30, { steps: 5 });
    await page.mouse.up();
    const after = await runOf(page, () => window.laboratory.state.isByHand() && window.laboratory.state.run.table[4] < 0);
    check(after.start.v[0] < 0 && after.start.v[1] < 0 && Math.abs(after.start.v[2]) < 0.3, `flicked to ${after.start.v}, from ${before.x.slice(4, 7)}`);
    check(after.outcome === 'at-rest', after.outcome);
    await page.done();
});

test('light, dark, narrow and wide: nothing sticks out', async ({ browser, file }) => {
    for (const [width, colorScheme] of [[390, 'dark'], [820, 'light'], [1920, 'dark']]) {
        const page = await openPage(browser, file, { width, height: 900, colorScheme });
        await runOf(page);
        check((await page.evaluate(() => document.documentElement.dataset.theme)) === colorScheme, `not ${colorScheme}`);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        check(over <= 0, `${width}: ${over} pixels stick out`);
        await page.click('#theme');
        check((await page.evaluate(() => document.documentElement.dataset.theme)) !== colorScheme, 'the theme does not change');
        await page.done();
    }
});

test('the laws LuGre and Maxwell-slip lie side by side', async ({ browser, file }) => {
    const page = await openPage(browser, file, { hash: '#model=hysteresis' });
    await runOf(page, () => window.laboratory.state.check !== null);
    await page.click('#loop .tools button');
    await page.waitForFunction(() => document.querySelectorAll('#loop .branches b').length === 2);
    const text = await page.textContent('#loop .branches');
    check(/maxwell-slip: 15\.21 J/.test(text) && /LuGre: [\d.]+ J/.test(text), text); // 15.21 J: the areas of its closed loops, by hand
    // A swing of D costs an element of stiffness k and level f 2 f (D - 2 f / k), or nothing: for D = 1.6 m 1.4 + 1.92 + 1.92 + 0.56 J.
    check(/−0\.6 ↔ 1 m: 5\.8 J/.test(text) && /−0\.1 ↔ 0\.5 m: 720 mJ|−0\.1 ↔ 0\.5 m: 0\.72 J/.test(text), text);
    await page.done();
});
