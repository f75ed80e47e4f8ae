// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The page in a real browser, opened from disk.
//
//     node run.mjs build/page/index.html build/release/slipstick [PART-OF-A-NAME]
import { openBrowser, runAll } from './harness.mjs';
import { resolve } from 'node:path';
import './test_core.mjs';
import './test_touch.mjs';
import './test_map.mjs';
import './test_world.mjs';
import './test_floor.mjs';
import './test_shapes.mjs';
import './test_keys.mjs';
import './test_player.mjs';
import './test_phone.mjs';
import './test_text.mjs';
import './test_undo.mjs';
import './test_work.mjs';
import './test_api.mjs';

const [file, program, only] = process.argv.slice(2);
const browser = await openBrowser();
const failed = await runAll({ browser, file: resolve(file), program: resolve(program) }, only);
await browser.close();
process.exit(failed ? 1 : 0);
