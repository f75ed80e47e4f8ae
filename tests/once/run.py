#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""An answer computes its motion once, whatever else is made of it: a picture, a file, a page.

run.py BUILD runs the program with a counter between it and the runs that it makes (see count.c), and compares
the answer with a picture to the one without: the same bytes, and the same number of runs.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Command and model, and what else is asked for. A second motion in a picture (--also) is one run more.
CASES = [
    ('simulate', 'two-blocks', ['--plot', 'a.svg'], 0),
    ('simulate', 'two-blocks', ['--plot', 'a.png', '--view', 'phase', '--from', '1 s', '--to', '3 s'], 0),
    ('simulate', 'two-blocks', ['--plot', 'a.svg', '--also', 'start.block1.x=3'], 1),
    ('simulate', 'two-blocks', ['--plot', 'a.pdf', '--out', 'a.csv', '--every', '0.1'], 0),
    ('simulate', 'hysteresis', ['--plot', 'a.svg', '--view', 'loop'], 0),
    ('simulate', 'lugre-stop', ['--plot', 'a.svg', '--view', 'law'], 0),
    ('simulate', 'struck-disk', ['--plot', 'a.svg', '--view', 'impact'], 0),
    ('simulate', 'sampled-servo', ['--plot', 'a.svg', '--show', 'stage.x,command'], 0),
    ('simulate', 'stick-slip-belt', ['--plot', 'a.html'], 0),
    ('simulate', 'tripod', ['--plot', 'a.html'], 0),
    ('simulate', 'tripod', ['--plot', 'a.svg', '--view', 'time'], 0),
    ('simulate', 'bar', ['--plot', 'a.svg', '--view', 'sphere'], 0),
    ('cycle', 'stick-slip-belt', ['--plot', 'a.svg'], 1),  # one period from the cycle that was found
    ('cycle', 'stick-slip-belt', ['--plot', 'a.svg', '--out', 'a.csv'], 1),
]


def ask(program, command, model, more, folder):
    path = os.path.join(ROOT, 'models', model + '.yaml')
    done = subprocess.run([program, command, path, '--json', *more], cwd=folder, capture_output=True, text=True)
    runs = re.search(r'^runs: (\d+)$', done.stderr, re.M)
    told = re.sub(r',\s*"made": \{.*?\}', '', done.stdout, flags=re.S)  # what was asked differs
    return done.returncode, told, int(runs.group(1)) if runs else 0, done.stderr


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), 'tests', 'slipstick-once')
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for command, model, more, extra in CASES:
            every = more[more.index('--every'):][:2] if '--every' in more else []
            plain = ask(program, command, model, every, folder)
            drawn = ask(program, command, model, more, folder)
            if 'esbuild' in drawn[3]:  # no player for pages was built
                continue
            good = plain[0] == drawn[0] == 0 and plain[1] == drawn[1] and drawn[2] == plain[2] + extra
            good = good and plain[2] > 0
            passed += good
            failed += not good
            if not good:
                print('%s %s %s: %d and %d runs, status %d and %d, answers %s\n%s' % (
                    command, model, ' '.join(more), plain[2], drawn[2], plain[0], drawn[0],
                    'equal' if plain[1] == drawn[1] else 'differ', drawn[3]))
    print('%d passed, %d failed' % (passed, failed))
    sys.exit(failed > 0)


main()
