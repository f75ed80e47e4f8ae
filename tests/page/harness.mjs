// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A browser with the page in it, and cases that are counted. Every page that a case opens is watched: a message of the console
// that is an error, an exception, or a request is a failure of that case.
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { existsSync } from 'node:fs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(pathToFileURL(root + 'web/'));
const { chromium } = require('playwright-core');

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const PATIENCE = Number(process.env.PAGE_PATIENCE ?? 300000); // ms: for machines that are busy; nothing is expected to take long

export async function openBrowser() {
    return chromium.launch({ executablePath: places.find((place) => existsSync(place)), args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader'] });
}

/** A page of the file, with what it did wrong so far. hash: what stands after # in its address; two blocks, unless told otherwise. */
export async function openPage(browser, file, { hash = '#model=two-blocks', width = 1280, height = 800, colorScheme = 'light', touch = false } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, hasTouch: touch, isMobile: touch, reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const address = pathToFileURL(file).href;
    const faults = [];
    page.on('console', (message) => { if (/^(error|warning)$/.test(message.type()) && !/GL Driver Message/.test(message.text())) faults.push('console: ' + message.text()); });
    page.on('pageerror', (error) => faults.push('exception: ' + error.message));
    page.on('request', (request) => { if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) faults.push('request: ' + request.url()); });
    await page.goto(address + hash);
    page.faults = faults;
    page.done = async () => {
        await context.close();
        if (faults.length) throw new Error(faults.join('\n'));
    };
    return page;
}

const cases = [];
export function test(name, work) { cases.push({ name, work }); }

export function check(condition, text) {
    if (!condition) throw new Error(text);
}

/** Runs all cases (those whose name contains `only`), tells the failures, and the count last. */
export async function runAll(context, only = '') {
    let passed = 0, failed = 0;
    for (const { name, work } of cases.filter((c) => c.name.includes(only))) {
        const start = Date.now();
        try {
            await work(context);
            passed++;
            if (process.env.VERBOSE) console.log(`ok    ${name} (${Date.now() - start} ms)`);
        } catch (error) {
            failed++;
            console.log(`FAIL  ${name} (${Date.now() - start} ms)\n      ${String(error.message).replace(/\n/g, '\n      ')}`);
        }
    }
    console.log(`${passed} passed, ${failed} failed`);
    return failed;
}
