# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Reads truth cases that are model files: the comment at the head says what is asked and what is true.

A file of cases/ is a model. The lines before its first key are its comment: words for people (what the model is
about, and why the numbers are true without us), then commands, each with what must come back:

    # A block on a spring hits a force that grows with the root of the square of its place; abs() is the same force.
    #> simulate {model} --json --at 2
    #= samples[0].state.b.x: 0.2717664412 within 1e-9
    #= outcome: equals "time-reached"
    #= notes: length 0

A command is split as a shell would. What is expected of a path (run.py says what a path is):

    NUMBER within D          a number, D off at most; `within D rel` as a share of the number
    equals JSON              exactly this
    length N, at least N     so many elements
    exists, missing          whether the path leads anywhere

and of the program, without a path: `exit N`, `stdout empty`, `stderr has "words"`, `stderr lacks "words"`.
"""
import glob
import json
import os
import re
import shlex

NUMBER = r'[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?'
PROGRAM = re.compile(r'(exit|stdout empty|stderr has|stderr lacks)\b\s*(.*)$')
VALUE = re.compile(r'(%s) within (%s)( rel)?$' % (NUMBER, NUMBER))


def of_program(case, what, rest):
    """Adds what is expected of the exit status and of the streams."""
    if what == 'exit':
        case['exit'] = int(rest)
    elif what == 'stdout empty':
        case['stdout_empty'] = True
    else:
        case.setdefault(what.replace(' ', '_'), []).append(json.loads(rest))


def of_path(path, text):
    """One expectation of run.py."""
    value = VALUE.match(text)
    if value:
        return {'path': path, 'value': float(value[1]), 'rel' if value[3] else 'abs': float(value[2])}
    word, _, rest = text.partition(' ')
    if word == 'equals':
        return {'path': path, 'equals': json.loads(rest)}
    if word == 'length':
        return {'path': path, 'length': int(rest)}
    if text.startswith('at least '):
        return {'path': path, 'min_length': int(text[len('at least '):])}
    if text in ('exists', 'missing'):
        return {'path': path, 'exists': text == 'exists'}
    raise ValueError('%s: %s is no expectation' % (path, text))


def expect(case, line):
    """Adds the expectation of one line."""
    program = PROGRAM.match(line)
    if program:
        of_program(case, program[1], program[2])
        return
    path, colon, text = line.partition(': ')
    if not colon:
        raise ValueError('%s: expected PATH: WHAT' % line)
    case['expect'].append(of_path(path.strip(), text.strip()))


def read(path):
    """The cases of one file, one for each command."""
    with open(path, encoding='utf-8') as stream:
        model = stream.read()
    name, words, cases = os.path.splitext(os.path.basename(path))[0], [], []
    for line in model.split('\n'):
        if line.startswith('#>'):
            cases.append({'command': shlex.split(line[2:]), 'expect': []})
        elif line.startswith('#=') and cases:
            expect(cases[-1], line[2:].strip())
        elif line.startswith('#'):
            words.append(line[1:].strip())
        elif line.strip():
            break
    if not cases or not any(words):
        raise ValueError('%s: a case needs words that say why it is true, and a command' % path)
    for number, case in enumerate(cases, 1):
        case.update(id=name if len(cases) == 1 else '%s.%d' % (name, number), about=words[0], source=path, model=model)
    return cases


def read_all(folder):
    """The cases of all model files of a folder, by name."""
    return [case for path in sorted(glob.glob(os.path.join(folder, '*.yaml'))) for case in read(path)]
