#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""check_interrupt.py BUILD: Ctrl-C while `surface` searches, draws or writes a mesh.

Standard error is a terminal here. The signal is sent when the bar has appeared there, however long that
takes; where the work was over before, it is made larger and done again. Nothing must be left but one line
that says so, and exit status 3.
"""
import math
import os
import pty
import signal
import subprocess
import sys
import tempfile

LINES = (
    (['--eigen'], '--eigen: interrupted'),
    (['--eigen', '--basin', '--json'], '--eigen: interrupted'),
    (['--out', 'mesh.ply'], '--out mesh.ply: interrupted'),
    (['--plot', 'picture.svg'], '--plot picture.svg: interrupted'),
    (['--plot', 'picture.svg', '--view', 'section'], '--plot picture.svg: interrupted'),
)


def write_model(path, count):
    """A body on many points: a sunflower, each with a share of its own."""
    with open(path, 'w', encoding='utf-8') as out:
        out.write('slipstick: 1\ntitle: many points\nslider:\n  mass: 1\n  gyration: 1\n  gravity: 1\n'
                  '  supports:\n    - pressure:\n')
        for k in range(count):
            radius, angle = 1.5 * math.sqrt((k + 0.5) / count), 2.39996322972865332 * k
            out.write('        - [%.12f, %.12f, %.6f]\n' % (radius * math.cos(angle) + 0.1,
                                                            radius * math.sin(angle), 1 + 0.5 * math.sin(k)))
        out.write('      load: 1\n      mu: 0.3\n')


def listen():
    """A suite that runs in the background hands on that Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def read_all(terminal):
    """What is still to come from a terminal; its end is an error to Linux."""
    said = b''
    try:
        while more := os.read(terminal, 4096):
            said += more
    except OSError:
        pass
    return said


def interrupt(program, arguments):
    """(exit status, standard output, what the terminal got) of a run that got Ctrl-C under its first bar."""
    terminal, its_side = pty.openpty()
    process = subprocess.Popen([program, 'surface', 'model.yaml', *arguments], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=its_side, preexec_fn=listen)
    os.close(its_side)
    said = b''
    try:
        while b'%' not in said and (more := os.read(terminal, 4096)):
            said += more
        process.send_signal(signal.SIGINT)
    except OSError:  # it was over before
        pass
    said += read_all(terminal)
    os.close(terminal)
    answer = process.stdout.read()
    process.stdout.close()
    return process.wait(), answer, said.decode()


def check(program, arguments, line):
    """None, or what is wrong."""
    count = 4000
    write_model('model.yaml', count)
    status, answer, said = interrupt(program, arguments)
    while status == 0 and count < 500000:
        count *= 3
        write_model('model.yaml', count)
        for name in os.listdir('.'):
            if name != 'model.yaml':
                os.remove(name)
        status, answer, said = interrupt(program, arguments)
    last = said.replace('\r', '\n').rstrip('\n').rpartition('\n')[2]
    if status != 3 or answer or '[' not in said or last != line:
        return 'exit status %s, answer %r, terminal %r' % (status, answer, said)
    left = [name for name in os.listdir('.') if name != 'model.yaml']
    return 'left behind: %s' % left if left else None


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), 'slipstick')
    failed = 0
    with tempfile.TemporaryDirectory(prefix='slipstick-interrupt-') as folder:
        os.chdir(folder)
        for arguments, line in LINES:
            fault = check(program, arguments, line)
            if fault:
                print('surface %s: %s' % (' '.join(arguments), fault))
                failed += 1
        os.chdir('/')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
