#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Runs transcripts: what a person types, what the program answers.

A transcript is a text file, run from top to bottom in an empty folder of its own:

    === file block.yaml                        the lines that follow, up to the next line beginning
    slipstick: 1                               with '=== ' or '$ ', are written to block.yaml
    === copy models/two-blocks.yaml            copies a file of the project under its own name
    $ slipstick simulate block.yaml            one case
    block.yaml, what standard output says
    ! block.yaml:2:1: what standard error says
    [exit 2]
    # Between cases, blank lines and comments are ignored.

Expected lines are compared exactly, except that '...' within a line stands for anything on that line, and a
line that is just '...' for any number of lines. Commands are `slipstick`, or `cat` and `ls` to look at what a
command has written; there is no shell.
"""
import argparse
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))
import patience  # noqa: E402: it lies in the folder above

EXIT = re.compile(r'\[exit (-?\d+)\]$')
CPU_S = 120  # of processor time for one command


class Malformed(Exception):
    """The transcript itself makes no sense; carries its line."""


class Command:
    def __init__(self, line, text):
        self.line, self.text = line, text
        self.expected, self.exit = [], None
        self.body_end = None  # index of the [exit N] line, from 0


def parse(path):
    """The transcript as a list of ('file', name, text), ('copy', path) and ('run', Command)."""
    with open(path, encoding='utf-8', newline='') as stream:
        lines = stream.read().split('\n')
    steps, i = [], 0
    while i < len(lines):
        line = lines[i]
        i += 1
        if line.startswith('=== file '):
            start = i
            while i < len(lines) and not lines[i].startswith(('$ ', '=== ')):
                i += 1
            steps.append(('file', line[9:].strip(), ''.join(text + '\n' for text in lines[start:i])))
        elif line.startswith('=== copy '):
            steps.append(('copy', line[9:].strip()))
        elif line.startswith('$ '):
            command = Command(i, line[2:])
            while i < len(lines) and not EXIT.match(lines[i]):
                if lines[i].startswith('$ '):
                    raise Malformed('%s:%d: no [exit N] before the next command' % (path, i + 1))
                command.expected.append(lines[i])
                i += 1
            if i == len(lines):
                raise Malformed('%s:%d: no [exit N] after this command' % (path, command.line))
            command.exit, command.body_end = int(EXIT.match(lines[i]).group(1)), i
            i += 1
            steps.append(('run', command))
        elif line.strip() and not line.startswith('#'):
            raise Malformed('%s:%d: neither a step nor a comment: %s' % (path, i, line))
    return lines, steps


def pattern(expected):
    parts = []
    for line in expected:
        if line == '...':
            parts.append(r'(?:.*\n)*')
        else:
            parts.append('.*'.join(re.escape(piece) for piece in line.split('...')) + r'\n')
    return re.compile(''.join(parts))


def execute(text, program, folder):
    """(exit status, standard output, standard error) of one command."""
    words = shlex.split(text)
    if words[0] == 'slipstick':
        words[0] = program
    elif words[0] not in ('cat', 'ls'):
        return 127, '', "only slipstick, cat and ls can be run here, not '%s'\n" % words[0]
    environment = {**os.environ, 'LC_ALL': 'C', 'TZ': 'UTC'}
    try:
        done = patience.run(words, cpu_s=CPU_S, cwd=folder, env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
    except patience.GaveUp as error:
        return 124, '', '%s\n' % error
    return done.returncode, decode(done.stdout), decode(done.stderr)


def decode(output):
    text = output.decode('utf-8', 'backslashreplace')
    return text if not text or text.endswith('\n') else text + '\n[no newline at the end]\n'


def judge(command, status, out, err):
    """What is wrong with the answer, as a list of lines; empty if nothing is."""
    expected_err = [line[2:] for line in command.expected if line == '!' or line.startswith('! ')]
    expected_out = [line for line in command.expected if line != '!' and not line.startswith('! ')]
    wrong = []
    for name, expected, got in (('output', expected_out, out), ('error', expected_err, err)):
        if not pattern(expected).fullmatch(got):
            wrong.append('standard %s, expected:' % name)
            wrong += ['    ' + line for line in expected]
            wrong.append('standard %s, got:' % name)
            wrong += ['    ' + line for line in got.split('\n')[:-1]]
    if status != command.exit:
        wrong.append('exit status %d, expected %d' % (status, command.exit))
    return wrong


def rewritten(status, out, err):
    lines = out.split('\n')[:-1] + ['! ' + line if line else '!' for line in err.split('\n')[:-1]]
    return lines + ['[exit %d]' % status]


def run_transcript(path, program, update, report):
    """Runs one transcript; returns (passed, failed)."""
    lines, steps = parse(path)
    name = os.path.basename(path)
    passed = failed = 0
    replaced = []
    folder = tempfile.mkdtemp(prefix='slipstick-cli-')
    try:
        for step in steps:
            if step[0] == 'file':
                with open(os.path.join(folder, step[1]), 'w', encoding='utf-8', newline='') as stream:
                    stream.write(step[2])
            elif step[0] == 'copy':
                shutil.copy(os.path.join(ROOT, step[1]), folder)
            else:
                command = step[1]
                answer = execute(command.text, program, folder)
                wrong = judge(command, *answer)
                if wrong and update:
                    replaced.append((command.line, command.body_end + 1, rewritten(*answer)))
                passed, failed = passed + (not wrong), failed + bool(wrong)
                report(not wrong, '%s:%d: %s' % (name, command.line, command.text), wrong)
    finally:
        shutil.rmtree(folder)
    for start, end, new in reversed(replaced):
        lines[start:end] = new
    if replaced:
        with open(path, 'w', encoding='utf-8', newline='') as stream:
            stream.write('\n'.join(lines))
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description='Runs command-line transcripts.')
    parser.add_argument('transcripts', nargs='*', help='default: all beside this script')
    parser.add_argument('--program', default=os.path.join(ROOT, 'build', 'release', 'slipstick'))
    parser.add_argument('--update', action='store_true', help='write what the program says into the transcripts')
    parser.add_argument('--quiet', action='store_true', help='print failing cases only')
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    if not os.access(program, os.X_OK):
        sys.exit('%s: no such program; build it first' % options.program)

    def report(ok, name, wrong):
        if not ok or not options.quiet:
            print(('ok    ' if ok else 'FAIL  ') + name)
        for line in wrong:
            print('      ' + line)

    passed = failed = 0
    for path in options.transcripts or sorted(glob.glob(os.path.join(HERE, '*.txt'))):
        try:
            good, bad = run_transcript(path, program, options.update, report)
            passed, failed = passed + good, failed + bad
        except (Malformed, OSError) as error:
            report(False, os.path.basename(path), [str(error)])
            failed += 1
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
