#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Answers that are known from elsewhere: papers, other libraries' examples, closed forms, integrations that share
no code with this one.

run.py PROGRAM [--every N] [--only PREFIX] [--pending]. Ends in 'N passed, N failed'.

external.json and open.json (models with expressions of the motion) are lists of cases, each with its id, what it is
about, the source of its numbers, a model (the text of the file), a command, where {model} stands for the file and
{dir} for its folder, the exit status (0 unless given), and a list of expectations. An expectation has a path into the JSON answer and one of:

    "value" with "abs" or "rel"    a number, that far off at most (the wider one counts, rel as a share of the value)
    "equals"                       anything, exactly
    "length"                       so many elements

A path is made of names joined by dots, [3] and [-1] as in Python, [name=text] for the first element in which name is
text, and ["name"] for a name with dots in it.

pending.txt lists ids, one to a line, that are known to go wrong. They are left out; --pending runs only them, and
tells which have come right.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import patience  # noqa: E402: it lies in the folder above

CPU_S = 300  # of processor time for one command, also under sanitizers
PIECE = re.compile(r'\["(?P<quoted>[^"]*)"\]'      # before the next: quotes may hold anything
                   r'|\[(?P<index>-?\d+)\]'
                   r'|\[(?P<name>\w+)=(?P<text>[^\]]*)\]'
                   r'|\.?(?P<key>[^.\[\]]+)')


class Wrong(Exception):
    """An answer is not as expected; says how."""


def follow(answer, path):
    """What a path leads to."""
    here, at = answer, 0
    while at < len(path):
        piece = PIECE.match(path, at)
        if not piece:
            raise Wrong('%s: no path' % path)
        part, at = piece.groupdict(), piece.end()
        try:
            if part['index'] is not None:
                here = here[int(part['index'])]
            elif part['name'] is not None:
                here = [element for element in here if str(element.get(part['name'])) == part['text']][0]
            else:
                here = here[part['quoted'] if part['key'] is None else part['key']]
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            raise Wrong('%s: the answer has nothing at %s' % (path, path[:at])) from error
    return here


def compare(expected, answer):
    """Raises Wrong where one expectation is not met."""
    path = expected['path']
    got = follow(answer, path)
    if 'value' in expected:
        value = expected['value']
        allowed = max(expected.get('abs', 0), expected.get('rel', 0) * abs(value))
        if isinstance(got, bool) or not isinstance(got, (int, float)):
            raise Wrong('%s: %s instead of %.17g' % (path, json.dumps(got), value))
        if not abs(got - value) <= allowed:  # also where either is not a number
            raise Wrong('%s: %.17g instead of %.17g, off by %.2g, allowed are %.2g' %
                        (path, got, value, abs(got - value), allowed))
    elif 'equals' in expected:
        if type(got) is not type(expected['equals']) or got != expected['equals']:
            raise Wrong('%s: %s instead of %s' % (path, json.dumps(got), json.dumps(expected['equals'])))
    elif 'length' in expected:
        if not isinstance(got, (list, dict)) or len(got) != expected['length']:
            raise Wrong('%s: %s, expected are %d elements' % (path, json.dumps(got)[:200], expected['length']))
    else:
        raise Wrong('%s: nothing is expected there' % path)


def ask(program, case, folder):
    """The JSON answer of the case's command."""
    model = os.path.join(folder, 'model.yaml')
    with open(model, 'w', encoding='utf-8') as stream:
        stream.write(case['model'])
    words = [word.replace('{model}', model).replace('{dir}', folder) for word in case['command']]
    done = patience.run([program, *words], cpu_s=CPU_S, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                        errors='replace')
    if done.returncode != case.get('exit', 0):
        said = (done.stderr or done.stdout).replace(folder + '/', '').strip()
        raise Wrong('exit status %d: %s' % (done.returncode, said[-300:]))
    return json.loads(done.stdout)


def faults(program, case):
    """What is wrong with a case, a line each."""
    with tempfile.TemporaryDirectory(prefix='slipstick-truth-') as folder:
        try:
            answer = ask(program, case, folder)
        except (Wrong, ValueError, patience.GaveUp) as error:
            return [str(error)]
    return faults_of(case, answer)


def faults_of(case, answer):
    found = [] if case['expect'] else ['nothing is expected']
    for expected in case['expect']:
        try:
            compare(expected, answer)
        except Wrong as error:
            found.append(str(error))
    return found


def main():
    parser = argparse.ArgumentParser(description='Compares answers with those known from elsewhere.')
    parser.add_argument('program')
    parser.add_argument('--every', type=int, default=1, help='only each N-th case')
    parser.add_argument('--only', default='', help='only ids that begin so')
    parser.add_argument('--pending', action='store_true', help='those of pending.txt instead of the others')
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    table = []
    for name in ('external.json', 'open.json'):
        with open(os.path.join(HERE, name), encoding='utf-8') as stream:
            table += json.load(stream)
    with open(os.path.join(HERE, 'pending.txt'), encoding='utf-8') as stream:
        pending = {line.strip() for line in stream if line.strip() and not line.startswith('#')}
    ids = [case['id'] for case in table]
    assert all(faults_of(case, {}) for case in table)  # an empty answer is never right
    strange = sorted(pending - set(ids)) + sorted({name for name in ids if ids.count(name) > 1})
    for name in strange:
        print('FAIL  %s: not the id of one case' % name)

    passed, failed = 0, len(strange)
    for case in [case for case in table if case['id'].startswith(options.only) and
                 (case['id'] in pending) == options.pending][::options.every]:
        found = faults(program, case)
        passed, failed = passed + (not found), failed + bool(found)
        if options.pending and not found:
            print('right %s: take it off pending.txt' % case['id'])
        if found:
            print('FAIL  %s: %s (%s)' % (case['id'], case['about'], case['source']), *found[:6], sep='\n      ')
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
