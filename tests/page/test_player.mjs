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
