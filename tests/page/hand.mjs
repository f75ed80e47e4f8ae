// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a person does with the page, and what there is to see.

/** Waits for a run, and until `condition` holds in the page, and tells what the lab knows. */
export async function runOf(page, condition = () => true, argument = null) {
    await page.waitForFunction(() => window.laboratory.state.run && !window.laboratory.state.error);
    await page.waitForFunction(condition, argument);
    return page.evaluate(() => {
        const { run, text, name } = window.laboratory.state, start = window.laboratory.state.isByHand() ? window.laboratory.state.startNow() : null; // where somebody has put it
        return { outcome: run.answer.outcome, t: run.answer.t, x: [...run.table.slice(0, run.info.width)], text, start, name, state: run.answer.state };
    });
}

/** Waits until a canvas shows more than so many colours: an empty one has one. */
export async function drawn(page, selector, least, what) {
    await page.waitForFunction(([s, n]) => {
        const canvas = document.querySelector(s), copy = document.createElement('canvas');
        if (!canvas.width || !canvas.height) return false;
        copy.width = canvas.width;
        copy.height = canvas.height;
        const g = copy.getContext('2d');
        g.drawImage(canvas, 0, 0);
        return new Set(new Uint32Array(g.getImageData(0, 0, copy.width, copy.height).data.buffer)).size > n;
    }, [selector, least]).catch(() => { throw new Error(`${what}: ${selector} stays empty`); });
}

/** Turns a slider, as a person does, to a share of its range. */
export async function turn(page, path, share) {
    await page.evaluate(([p, value]) => {
        const input = document.querySelector(`[data-path="${p}"] input[type=range]`);
        input.value = String(value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
    }, [path, share]);
}

/** Middle of a body on the stage, in pixels of the window. */
export async function placeOfBlock(page) {
    const box = await page.locator('#machine').boundingBox();
    for (let x = 20; x < box.width - 20; x += 8) {
        await page.mouse.move(box.x + x, box.y + 0.68 * box.height);
        const cursor = await page.evaluate(() => document.querySelector('#machine').style.cursor);
        if (cursor) return { x: box.x + x + 12, y: box.y + 0.68 * box.height };
    }
    throw new Error('there is no body on the stage');
}
