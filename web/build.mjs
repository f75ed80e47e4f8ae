// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Makes the page: bundles the worker and the page, packs the core, and writes all of it into one file.
//
//     node build.mjs CORE.wasm OUT.html
//
// The bundler is the program esbuild, as Debian has it: a package is built without a network.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const [core, out] = process.argv.slice(2);

/** A script and all it imports as one text; of the names in `given` each becomes the text it stands for. */
function bundle(entry, given = {}) {
    const names = Object.keys(given);
    const made = execFileSync('esbuild', [join(here, 'src', entry), '--bundle', '--minify', '--format=iife', '--target=es2022',
        '--charset=utf8', '--legal-comments=none', '--loader:.css=text', '--log-level=warning',
        ...names.map((name) => `--define:${name}="@${name}@"`)], { encoding: 'utf8', maxBuffer: 1 << 28 });
    return names.reduce((text, name) => text.replaceAll(`"@${name}@"`, () => JSON.stringify(given[name])), made);
}

/** Models by name, in the order of their names. */
function models() {
    const folder = join(here, '..', 'models');
    return readdirSync(folder).filter((name) => name.endsWith('.yaml')).sort()
        .map((name) => ({ name: name.slice(0, -5), text: readFileSync(join(folder, name), 'utf8') }));
}

const script = bundle('main.ts', {
    CORE_WASM: gzipSync(readFileSync(core), { level: 9 }).toString('base64'),
    WORKER_SCRIPT: bundle('core/worker.ts'),
    MODELS: models(),
});
/** What the licences of the libraries inside ask to be kept. Others of them are CodeMirror's, under the same text. */
function notices() {
    const texts = ['codemirror', 'yaml'].map((name) => `${name}\n\n${readFileSync(join(here, 'node_modules', name, 'LICENSE'), 'utf8')}`);
    return texts.join('\n').replace(/--+/g, '-');
}

const style = readFileSync(join(here, 'src', 'style.css'), 'utf8');
const html = readFileSync(join(here, 'src', 'index.html'), 'utf8')
    .replace('notices', notices)
    .replace('/* style */', () => style)
    .replace('/* script */', () => script.replace(/<\/script/g, '<\\/script'));
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, html);
console.log(`${out}: ${(html.length / 1e6).toFixed(2)} MB`);
