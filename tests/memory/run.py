#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Memory that runs out: every command, with the n-th allocation failing (alone, or with all that follow).

Whatever n: no crash; exit status 3 and a word on standard error, or exit status 0 and the same answer and the same
files, byte for byte, as without a failure; no other files. (Two files are meant to stay: the journal of a map,
FILE.part, which --resume goes on from, and an HDF5 trace that says `running` of itself.)

Usage: run.py BUILD [--all] [NAME..]. Without --all, the first allocations of each command and samples of the others.
"""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIRST, SAMPLES = 20, 20  # allocations that fail one by one, and samples of those that follow
LENGTHY = ('atlas',)     # too slow to be repeated many times: only their first allocations, unless --all


def commands(build):
    program, models = os.path.join(build, 'slipstick'), os.path.join(ROOT, 'models')
    recording = os.path.join(ROOT, 'tests', 'data', 'carried-disk.csv')

    def command(verb, model, *more):
        return [program, verb, os.path.join(models, model + '.yaml'), *more]
    grid = ('--over', 'block1.x=-3:3:5', '--over', 'block2.x=-3:3:5', '--threads', '1')
    turns = ('--over', 'block.v=0:0.1:3', '--section', 'face:stick', '--skip', '2', '--keep', '2', '--threads', '1')
    return {
        'check': command('check', 'two-blocks'),
        'check-json': command('check', 'relief-valve', '--json'),
        'check-slider': command('check', 'sled'),
        'simulate': command('simulate', 'two-blocks', '--json', '--every', '1'),
        'simulate-set': command('simulate', 'two-blocks-matrices', '--set', 'start.q1.x=2', '--until', '3 s'),
        'simulate-csv': command('simulate', 'lugre-stop', '--out', 'o.csv', '--every', '0.5'),
        'simulate-h5': command('simulate', 'two-blocks', '--out', 'o.h5', '--every', '1'),
        'simulate-mat': command('simulate', 'two-blocks', '--out', 'o.mat', '--every', '20'),
        'simulate-svg': command('simulate', 'two-blocks', '--plot', 'o.svg'),
        'simulate-png': command('simulate', 'two-blocks', '--plot', 'o.png'),
        'simulate-pdf': command('simulate', 'two-blocks', '--plot', 'o.pdf', '--view', 'time'),
        'slide': command('simulate', 'plate', '--json', '--out', 'o.h5'),
        'slide-svg': command('simulate', 'bar', '--plot', 'o.svg'),
        'certify': command('certify', 'active-passive-pair', '--json'),
        'certify-svg': command('certify', 'two-blocks', '--plot', 'o.svg'),
        'cycle': command('cycle', 'stick-slip-belt', '--json'),
        'cycle-text': command('cycle', 'stick-slip-belt'),
        'follow': command('follow', 'stick-slip-belt', '--over', 'bodies.belt.speed=0.2:0.21', '--json', '--out', 'o.h5'),
        'follow-svg': command('follow', 'drill-string', '--steady', '--over', 'parameters.speed=4:3.9', '--plot', 'o.svg',
                              '--out', 'o.csv'),
        'follow-steady': command('follow', 'drill-string', '--steady', '--over', 'parameters.speed=4:3', '--json'),
        'basin': command('basin', 'two-blocks', *grid),
        'basin-files': command('basin', 'two-blocks', *grid, '--out', 'o.h5', '--csv', 'o.csv'),
        'basin-svg': command('basin', 'two-blocks', *grid, '--plot', 'o.svg'),
        'scan-files': command('scan', 'stick-slip-belt', *turns, '--show', 'block.x,t', '--out', 'o.h5', '--csv', 'o.csv'),
        'scan-svg': command('scan', 'stick-slip-belt', *turns, '--measure', 'amplitude:block.x,period', '--plot',
                            'o.svg', '--json'),
        'surface': command('surface', 'tripod', '--eigen', '--json'),
        'surface-load': command('surface', 'ring', '--load', '1,0,0.5'),
        'surface-svg': command('surface', 'bar', '--plot', 'o.svg', '--view', 'section:FxM'),
        'fit': command('fit', 'carried-disk-recording', recording, '--free', 'contacts.frame.alpha', '--column',
                       'disk.x=position_m', '--to', '0.02 s', '--out', 'f.yaml', '--plot', 'o.svg'),
        'fmu': command('fmu', 'hunting-servo', '-o', 'o.fmu', '--fmi', '3', '--parameter', 'bodies.stage.mass', '--sources'),
        'fmu-slider': command('fmu', 'tripod', '-o', 'o.fmu', '--sources'),
        'atlas': [program, 'atlas', '-o', 'atlas'],
    }


class Sweep:
    """Runs of one command, each in a folder of its own."""

    def __init__(self, build, command):
        self.shim = os.path.join(build, 'tests', 'libfailing.so')
        self.command = command

    def run(self, folder, requests):
        """Runs with these (n, how); yields n, how, exit status, number of allocations, files."""
        lines = []
        for n, how in requests:
            place = os.path.join(folder, '%s-%d' % (how, n))
            os.mkdir(place)
            lines.append('%s %d %s\n' % (place, n, how))
        environment = {**os.environ, 'LD_PRELOAD': self.shim, 'OPENBLAS_NUM_THREADS': '1', 'SOURCE_DATE_EPOCH': '0'}
        done = subprocess.run(self.command, input=''.join(lines), env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors='replace')
        answers = [line.split() for line in done.stdout.splitlines()]
        if done.returncode or len(answers) != len(requests):
            raise RuntimeError('the failing allocator ended early: %s' % done.stdout[-300:])
        for (n, how), (place, status, allocations) in zip(requests, answers):
            yield n, how, int(status), int(allocations), read_files(place)
            shutil.rmtree(place)


def read_files(folder):
    files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, 'rb') as file:
                files[os.path.relpath(path, folder)] = file.read()
    return files


def steady(name, contents):
    """The contents without what changes from run to run: times taken, and the date in a PDF."""
    drop = (b'seconds', b'starts/s', b'starts_per_second', b'starts in', b'per second', b'CreationDate')
    return b'\n'.join(line for line in contents.split(b'\n') if not any(word in line for word in drop))


def fault(status, files, expected):
    """What is wrong with this run; None if nothing is."""
    if status not in (0, 3):
        return 'exit status %d: %s' % (status, files['err'].decode(errors='replace').strip()[-200:])
    if status == 3 and not files['err'].strip():
        return 'exit status 3 without a word'
    if status == 0 and sorted(files) != sorted(expected):
        return 'exit status 0, but the files are %s' % ' '.join(sorted(files))
    for name, contents in files.items():
        if name == 'err' or (name == 'out' and status == 3):
            continue
        same = name in expected and steady(name, contents) == steady(name, expected[name])
        left_on_purpose = status == 3 and (name in ('o.h5.part', 'o.svg.part', 'o.csv.part') or b'running' in contents)
        whole = status == 3 and name.startswith('atlas' + os.sep) and same
        if not (same or left_on_purpose or whole):
            return 'exit status %d, and another %s' % (status, name)
    return None


def choose(count, every, lengthy):
    """Allocations to fail: the first ones, and samples of the others that do not fall on one rhythm."""
    if every:
        return list(range(1, count + 1))
    chosen = set(range(1, min(FIRST, count) + 1))
    if not lengthy:
        chosen.update(FIRST + int((count - FIRST) * ((k * 0.6180339887) % 1)) for k in range(SAMPLES) if count > FIRST)
    return sorted(chosen)


def examine(name, sweep, every):
    """Faults of one command, as lines."""
    with tempfile.TemporaryDirectory() as folder:
        _, _, status, count, expected = next(iter(list(sweep.run(folder, [(0, 'once')]))))
        if status != 0:
            return 0, ['%s: exit status %d without a failing allocation: %s' % (name, status, expected['err'])]
        chosen = choose(count, every, name in LENGTHY)
        requests = [(n, 'once') for n in chosen] + [(n, 'on') for n in (chosen if every else chosen[::3])]
        faults = []
        for n, how, status, _, files in sweep.run(folder, requests):
            what = fault(status, files, expected)
            if what:
                faults.append('%s, allocation %d of %d fails%s: %s'
                              % (name, n, count, ', and all that follow' if how == 'on' else '', what))
        return len(requests), faults


def main():
    words = [word for word in sys.argv[1:] if word != '--all']
    if not words:
        sys.exit(__doc__)
    build, every = os.path.abspath(words[0]), '--all' in sys.argv
    passed = failed = 0
    for name, command in commands(build).items():
        if words[1:] and name not in words[1:]:
            continue
        runs, faults = examine(name, Sweep(build, command), every)
        print('\n'.join(faults[:20]), end='\n' if faults else '', flush=True)
        passed, failed = passed + runs - len(faults), failed + len(faults)
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0 or passed == 0


if __name__ == '__main__':
    sys.exit(main())
