#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Answers to random models hold numbers throughout: no nan, no inf, no null.

run.py PROGRAM [--models N] [--seed N] [--kind KIND] [--keep FOLDER]. Ends in 'N passed, N failed'.

A model is drawn (draw.py), and run to its end, to a time in the middle of what it does, and up to its first few
events, with samples in between; for people and as JSON. What is right is not asked here, only that whatever a finite
motion is told by is finite: its state, the forces and limits of its contacts, its energies, its events and samples.
None of these models may be refused; a run that ends early (exit status 3) must still be told in numbers.

SLIPSTICK_TEST_SHARE in the environment scales the number of models.
"""
from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.dirname(HERE))
import draw  # noqa: E402
import patience  # noqa: E402

MODELS = 120
CPU_S = 60
NOT_A_NUMBER = re.compile(r'(?<![A-Za-z_])[-+]?(nan|inf|infinity)(?![A-Za-z_])', re.I)
STOP = re.compile(r'(\w+): \{between: [^{}]*, law: (?:rigid-stop|elastic-stop|hunt-crossley|backlash),')
TOLD = ['t', 'state', 'contacts', 'events', 'samples', 'energy']


def empty_places(value: Any, place: str) -> Iterator[str]:
    """Places of an answer that hold null.

    >>> list(empty_places({'energy': {'end': None}, 'state': [1, None]}, ''))
    ['.energy.end', '.state[1]']
    """
    if value is None: yield place
    items = value.items() if isinstance(value, dict) else ()
    for key, inner in items: yield from empty_places(inner, '%s.%s' % (place, key))
    for k, inner in enumerate(value if isinstance(value, list) else ()):
        yield from empty_places(inner, '%s[%d]' % (place, k))


def without_limit(model: str) -> re.Pattern[str]:
    """Places of an answer where null is right: the limit of a stop, which has none.

    >>> model = 'k0: {between: [a, ground], law: rigid-stop, above: 1}\\nk1: {between: [a, b], law: dahl, sigma0: 1}'
    >>> [bool(without_limit(model).fullmatch('samples[0].contacts.%s.limit' % name)) for name in ('k0', 'k1')]
    [True, False]
    """
    names = '|'.join(found[1] for found in STOP.finditer(model))
    return re.compile(r'.*contacts\.(%s)\.limit' % (names or '(?!)'))


def fault_of_answer(text: str, status: int, as_json: bool, model: str = '') -> str:
    """'' for an answer in numbers, else what is wrong with it.

    >>> fault_of_answer('force  nan, 0 N', 0, False)
    'nan: force  nan, 0 N'
    >>> fault_of_answer('stays finite, banana', 0, False)
    ''
    >>> fault_of_answer('{"t": 1, "energy": {"end": null}}', 0, True)
    'null: energy.end'
    """
    if status not in (0, 3): return 'exit status %d: %s' % (status, text)
    found = NOT_A_NUMBER.search(text)
    if found:
        line = text[text.rfind('\n', 0, found.start()) + 1:].split('\n')[0]
        return '%s: %s' % (found.group(0), line[:200])
    if not as_json: return ''
    answer, excused = json.loads(text), without_limit(model)
    empty = [place for key in TOLD for place in empty_places(answer.get(key, 0), key)
             if not excused.fullmatch(place)]
    return 'null: ' + ', '.join(empty[:5]) if empty else ''


def options_of(r: random.Random) -> list[str]:
    """Where the run ends, and what is asked on the way."""
    until = 10 ** r.uniform(-3, 0.5)
    at = ','.join('%.3g' % (until * share) for share in sorted(r.uniform(0, 0.99) for _ in range(3)))
    end = r.choice([[], [], ['--max-events', str(r.randint(1, 5))], ['--escape', '%.3g' % 10 ** r.uniform(-2, 0)]])
    return end + r.choice([['--until', '%.3g' % until], []]) + ['--at', '0,' + at]


def ask(program: str, path: str, model: str, options: list[str]) -> str:
    """The fault of one run, '' for none."""
    command = [program, 'simulate', path, *options]
    try:
        done = patience.run(command, cpu_s=CPU_S, stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors='replace')
    except patience.GaveUp as error:
        return str(error)
    text = done.stdout if done.returncode in (0, 3) else done.stdout + done.stderr
    return fault_of_answer(text, done.returncode, '--json' in options, model)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n', maxsplit=1)[0])
    parser.add_argument('program')
    parser.add_argument('--models', type=int, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--kind', choices=['slider', 'bodies'], help='draw these alone')
    parser.add_argument('--keep', help='folder for models at which something was wrong')
    asked = parser.parse_args()
    count = asked.models or max(1, round(MODELS * float(os.environ.get('SLIPSTICK_TEST_SHARE', '1'))))
    kinds = {'slider': [draw.slider], 'bodies': [draw.bodies]}.get(asked.kind, [draw.slider, draw.slider, draw.bodies])
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'model.yaml')
        for k in range(count):
            r = random.Random(asked.seed * 1_000_003 + k)
            text = r.choice(kinds)(r)
            with open(path, 'w', encoding='utf-8') as stream: stream.write(text)
            options = options_of(r)
            faults = [fault for way in ([], ['--json']) if (fault := ask(asked.program, path, text, options + way))]
            if not faults: continue
            failed += 1
            print('FAILED model %d, %s: %s\n%s' % (k, ' '.join(options), faults[0], text), flush=True)
            if asked.keep:
                with open(os.path.join(asked.keep, '%d-%d.yaml' % (asked.seed, k)), 'w', encoding='utf-8') as stream:
                    stream.write('# %s\n# %s\n%s' % (' '.join(options), faults[0], text))
    print('%d passed, %d failed' % (count - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
