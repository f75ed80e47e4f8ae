// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Makes the page: bundles the worker and the page, packs the core, and writes all of it into one file.
//
//     node build.mjs CORE.wasm OUT.html
import { build } from 'esbuild';
import { readFileSync, readdirSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const [core, out] = process.argv.slice(2);

async function bundle(entry, define = {}) {
    const made = await build({
        entryPoints: [join(here, 'src', entry)], bundle: true, write: false, minify: true, format: 'iife',
        target: 'es2022', charset: 'utf8', legalComments: 'none', define, loader: { '.css': 'text' }, logLevel: 'warning',
    });
    return made.outputFiles[0].text;
}

/** Models by name, in the order of their names. */
function models() {
    const folder = join(here, '..', 'models');
    return readdirSync(folder).filter((name) => name.endsWith('.yaml')).sort()
        .map((name) => ({ name: name.slice(0, -5), text: readFileSync(join(folder, name), 'utf8') }));
}

const worker = await bundle('core/worker.ts');
const script = await bundle('main.ts', {
    CORE_WASM: JSON.stringify(gzipSync(readFileSync(core), { level: 9 }).toString('base64')),
    WORKER_SCRIPT: JSON.stringify(worker),
    MODELS: JSON.stringify(models()),
});
const style = readFileSync(join(here, 'src', 'style.css'), 'utf8');
const html = readFileSync(join(here, 'src', 'index.html'), 'utf8')
    .replace('/* style */', () => style)
    .replace('/* script */', () => script.replace(/<\/script/g, '<\\/script'));
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, html);
console.log(`${out}: ${(html.length / 1e6).toFixed(2)} MB`);
