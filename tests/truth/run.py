#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Answers that are known from elsewhere: papers, other libraries' examples, closed forms, integrations that share
no code with this one.

run.py PROGRAM [--every N] [--only PREFIX] [--pending]. Ends in 'N passed, N failed'.

cases/ holds model files whose comment says what is asked and what is true: the form for new cases (cases.py). Older
ones are tables.

external.json, open.json (models with expressions of the motion, and what is asked of them), rules.json (small models
of this kind, each for one sentence of their rules, with closed forms), machines.json (more of them: controllers
by exact fractions, closed forms, own integrations, and faults) and analysis.json (cycles, branches, sections and
derivatives with closed forms) are lists of cases, each with its id, what it is about, the source of its numbers, a
model (the text of the file), a
command, where {model} stands for the file and {dir} for its folder, the exit status (0 unless given; "exit_in" allows
several), what standard error says ("stderr_has") and does not ("stderr_lacks"), whether nothing is printed
("stdout_empty"), and a list of expectations. An expectation has a path into the JSON answer and one of:

    "value" with "abs" or "rel"    a number, that far off at most (the wider one counts, rel as a share of the value)
    "equals"                       anything, exactly
    "length", "min_length"         so many elements, or at least so many
    "multiset" with "abs"          complex numbers in any order; those that are not named are 0
    "exists"                       true or false: whether the path leads anywhere

A path that begins with @ and the name of a CSV file looks into what the command wrote to its folder: rows without the
header, columns by number. Other paths are made of names joined by dots, [3] and [-1] as in Python, [name=text] for the first element in which name is
text, and ["name"] for a name with dots in it.

pending.txt lists ids, one to a line, that are known to go wrong. They are left out; --pending runs only them, and
tells which have come right.
"""
import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import cases  # noqa: E402: it lies beside this file, also where somebody else imports that
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
    if path.startswith('@'):  # the name of a file has a dot
        name = re.match(r'@[^\[]+', path).group(0)
        here, at = answer.get(name), len(name)
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


def leads_anywhere(answer, path):
    """Whether there is anything at the end of a path."""
    try:
        follow(answer, path)
    except Wrong:
        return False
    return True


def number_fault(expected, got):
    """A number that is off, or none."""
    value = expected['value']
    allowed = max(expected.get('abs', 0), expected.get('rel', 0) * abs(value))
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return '%s instead of %.17g' % (json.dumps(got), value)
    if abs(got - value) <= allowed:
        return None
    return '%.17g instead of %.17g, off by %.2g, allowed are %.2g' % (got, value, abs(got - value), allowed)


def multiset_fault(expected, got):
    """Each expected number takes the nearest that is left; what is left then is 0."""
    left = [complex(*pair) for pair in got]
    for want in [complex(*pair) for pair in expected['multiset']]:
        nearest = min(left, key=lambda one, want=want: abs(one - want), default=None)
        if nearest is None or not abs(nearest - want) <= expected['abs']:
            return '%s instead of %s and zeros' % (json.dumps(got), expected['multiset'])
        left.remove(nearest)
    far = [one for one in left if not abs(one) <= expected['abs']]
    return '%s instead of %s and zeros' % (json.dumps(got), expected['multiset']) if far else None


def length_fault(expected, got):
    """Too few elements, or too many."""
    least = expected.get('min_length', expected.get('length'))
    if isinstance(got, (list, dict)) and len(got) >= least and len(got) <= expected.get('length', len(got)):
        return None
    return '%s, expected are %d elements' % (json.dumps(got)[:200], least)


def compare(expected, answer):
    """Raises Wrong where one expectation is not met."""
    path = expected['path']
    if 'exists' in expected:
        there = leads_anywhere(answer, path)
        fault = None if there == expected['exists'] else 'is there' if there else 'is not there'
    elif 'value' in expected:
        fault = number_fault(expected, follow(answer, path))
    elif 'equals' in expected:
        got, want = follow(answer, path), expected['equals']
        same = got == want and isinstance(got, bool) == isinstance(want, bool)
        fault = None if same else '%s instead of %s' % (json.dumps(got), json.dumps(want))
    elif 'multiset' in expected:
        fault = multiset_fault(expected, follow(answer, path))
    else:
        fault = length_fault(expected, follow(answer, path))
    if fault:
        raise Wrong('%s: %s' % (path, fault))


def check_words(case, done, fill):
    """What the program said, besides its answer."""
    said = done.stderr.strip()[-300:]
    allowed = case.get('exit_in') or [case.get('exit', 0)]
    if done.returncode not in allowed:
        raise Wrong('exit status %d: %s' % (done.returncode, said or done.stdout[-300:]))
    for word in case.get('stderr_has', ()):
        if fill(word) not in done.stderr:
            raise Wrong('standard error does not say %r: %s' % (word, said))
    for word in case.get('stderr_lacks', ()):
        if fill(word) in done.stderr:
            raise Wrong('standard error says %r: %s' % (word, said))
    if case.get('stdout_empty') and done.stdout:
        raise Wrong('standard output is not empty: %s' % done.stdout[:200])


def ask(program, case, folder):
    """The JSON answer of the case's command; nothing where none is expected."""
    model = os.path.join(folder, 'model.yaml')
    with open(model, 'w', encoding='utf-8') as stream:
        stream.write(case['model'])

    def fill(word):
        return word.replace('{model}', model).replace('{dir}', folder)

    words = [fill(word) for word in case['command']]
    done = patience.run([program, *words], cpu_s=CPU_S, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                        errors='replace')
    check_words(case, done, fill)
    paths = [expected['path'] for expected in case['expect']]
    answer = json.loads(done.stdout) if any(not path.startswith('@') for path in paths) else {}
    for name in {re.match(r'@[^\[]+', path).group(0) for path in paths if path.startswith('@')}:
        answer[name] = read_table(os.path.join(folder, name[1:]))
    return answer


def read_table(path):
    """The rows of a CSV file without its header; numbers where they are numbers."""
    def cell(text):
        try:
            return float(text)
        except ValueError:
            return text
    with open(path, newline='', encoding='utf-8') as stream:
        return [[cell(text) for text in row] for row in list(csv.reader(stream))[1:]]


def faults(program, case):
    """What is wrong with a case, a line each."""
    with tempfile.TemporaryDirectory(prefix='slipstick-truth-') as folder:
        try:
            answer = ask(program, case, folder)
        except (Wrong, ValueError, OSError, patience.GaveUp) as error:
            return [str(error)]
    return faults_of(case, answer)


def faults_of(case, answer):
    """Which expectations an answer does not meet; a case without any expects words on standard error."""
    found = [] if case['expect'] or case.get('stderr_has') else ['nothing is expected']
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
    for name in ('external.json', 'open.json', 'rules.json', 'machines.json', 'analysis.json'):
        with open(os.path.join(HERE, name), encoding='utf-8') as stream:
            table += json.load(stream)
    table += cases.read_all(os.path.join(HERE, 'cases'))
    with open(os.path.join(HERE, 'pending.txt'), encoding='utf-8') as stream:
        pending = {line.strip() for line in stream if line.strip() and not line.startswith('#')}
    ids = [case['id'] for case in table]
    # An empty answer is never right.
    assert all(faults_of(case, {}) for case in table if case['expect'] or not case.get('stderr_has'))
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
