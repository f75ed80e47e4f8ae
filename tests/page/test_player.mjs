// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// simulate --plot motion.html: a page of its own that plays the motion.
import { check, openPage, root, test } from './harness.mjs';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

test('a motion as a page of its own plays and can be scrubbed', async ({ browser, program }) => {
    const folder = mkdtempSync(join(tmpdir(), 'slipstick-player-')), out = join(folder, 'motion.html');
    try {
        for (const [name, canvas] of [['two-blocks', '#machine'], ['tripod', '#topview'], ['rusty-pendulum', '#machine'], ['puck-on-a-turntable', '#topview']]) {
            let model = root + `models/${name}.yaml`;
            if (name === 'two-blocks') { // a title that would end the script
                const text = readFileSync(model, 'utf8').replace(/^title:.*$/m, 'title: "</script><b id=bad>two</b> blocks"');
                writeFileSync((model = join(folder, 'model.yaml')), text);
            }
            execFileSync(program, ['simulate', model, '--plot', out], { stdio: 'pipe' });
            const page = await openPage(browser, out);
            await page.waitForSelector(canvas);
            check((await page.locator('#bad').count()) === 0, 'the title has broken out');
            const key = await page.locator('.marks').innerText(), said = await page.locator('.muted').first().innerText();
            check(name !== 'puck-on-a-turntable' || /It rides on with the floor/.test(said), said);
            for (const word of ['slips', ...(name === 'puck-on-a-turntable' ? [] : ['sticks']), canvas === '#topview' ? 'velocity' : 'force of the contact'])
                check(key.includes(word), `${name}: the key does not tell ${word}: ${key}`);
            check(!key.includes('stop'), `${name}: the key tells of stops where there are none`);
            check(/slipstick [0-9.]+: simulate \S+\.yaml/.test(said), `what it came from: ${said}`);
            const at = (share) => page.evaluate(([s, c]) => {
                const scrub = document.querySelector('.scrub');
                scrub.value = String(s);
                scrub.dispatchEvent(new Event('input'));
                return new Promise((done) => requestAnimationFrame(() => done([document.querySelector(c).toDataURL(), document.querySelector('.clock').textContent])));
            }, [share, canvas]);
            const [start, clock] = await at(0), [later, end] = await at(0.5);
            check(start !== later && clock !== end, `${name}: nothing moves`);
            await page.click('.play');
            await page.waitForFunction((text) => document.querySelector('.clock').textContent !== text, end);
            await page.done();
        }
    } finally {
        rmSync(folder, { recursive: true });
    }
});

test('a motion as a page of its own is light on paper, tells units, and knows play from friction', async ({ browser, program }) => {
    const folder = mkdtempSync(join(tmpdir(), 'slipstick-player-')), out = join(folder, 'motion.html');
    const play = 'slipstick: 1\ntitle: play\nbodies: {a: {mass: 1 kg}}\ncontacts:\n  mesh: {between: [a, ground], law: backlash, gap: 20 cm, stiffness: 1 kN/m}\n  floor: {between: [a, ground], law: coulomb, friction: 0.1 N}\nstart: {a: {v: 1 m/s}}\nrun: {until: 1 s}\n';
    try {
        execFileSync(program, ['simulate', root + 'models/dc-motor.yaml', '--plot', out], { stdio: 'pipe' });
        const page = await openPage(browser, out, { colorScheme: 'dark' });
        await page.waitForSelector('.lane select');
        await page.evaluate(() => { // what is written onto the lanes from now on
            const { fillText } = CanvasRenderingContext2D.prototype;
            window.written = [];
            CanvasRenderingContext2D.prototype.fillText = function write(text, ...rest) {
                window.written.push(text);
                return fillText.call(this, text, ...rest);
            };
        });
        const ground = () => page.evaluate(() => [document.body, document.querySelector('h1')].map((e) => Number(/\d+/.exec(getComputedStyle(e)[e === document.body ? 'backgroundColor' : 'color'])[0])));
        const dark = await ground();
        await page.emulateMedia({ media: 'print' });
        await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
        const paper = await ground();
        check(dark[0] < 60 && dark[1] > 180 && paper[0] > 230 && paper[1] < 80, `dark: ${dark}, on paper: ${paper}`);
        check(await page.evaluate(() => window.written.includes('current [A]')), `no unit: ${await page.evaluate(() => window.written.filter((w) => /current/.test(w)))}`);
        await page.done();
        writeFileSync(join(folder, 'play.yaml'), play);
        execFileSync(program, ['simulate', join(folder, 'play.yaml'), '--plot', out], { stdio: 'pipe' });
        const other = await openPage(browser, out);
        await other.waitForSelector('#machine');
        const friction = await other.evaluate(() => [...document.querySelectorAll('.lane')].at(2).querySelector('.legend').textContent);
        check(friction === 'floor', `as friction it shows ${friction}`);
        await other.done();
    } finally {
        rmSync(folder, { recursive: true });
    }
});

test('motion.html shows a finger where it is', async ({ browser, program }) => {
    const folder = mkdtempSync(join(tmpdir(), 'slipstick-player-')), model = join(folder, 'finger.yaml'), out = join(folder, 'motion.html');
    try {
        writeFileSync(model, 'slipstick: 1\ntitle: finger\nslider:\n  mass: 1 kg\n  gyration: 0.1 m\n  supports: [{disk: 0.12 m, load: 1, mu: 0.4}]\n  outline: {circle: 0.14 m}\n  pushers: [{at: [-0.3, -0.05], velocity: [0.3 m/s, 0], mu: 0.4}]\nrun: {until: 1 s}\n');
        execFileSync(program, ['simulate', model, '--plot', out], { stdio: 'pipe' });
        const page = await openPage(browser, out, { hash: '' });
        await page.waitForSelector('#topview');
        check(/at a finger: how it pushes/.test(await page.locator('.marks').innerText()), await page.locator('.marks').innerText());
        const gone = await page.evaluate(async () => { // dots as small as a finger, at the beginning and at the end
            const { arc } = CanvasRenderingContext2D.prototype, scrub = document.querySelector('.scrub'), found = [];
            CanvasRenderingContext2D.prototype.arc = function write(x, y, r, ...rest) { if (r === 6) found.push([x, y]); return arc.call(this, x, y, r, ...rest); };
            for (const share of ['0', '1']) {
                scrub.value = share;
                scrub.dispatchEvent(new Event('input'));
            }
            CanvasRenderingContext2D.prototype.arc = arc;
            return found.length === 2 ? [found[1][0] - found[0][0], found[1][1] - found[0][1]] : [0, 0];
        });
        check(gone[0] > 20 && Math.abs(gone[1]) < 1e-6, `it has gone ${gone} pixels`); // 0.3 m along x
        await page.done();
    } finally {
        rmSync(folder, { recursive: true });
    }
});
