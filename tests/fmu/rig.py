# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What the cases share: FMUs written by the program, truth from `slipstick simulate`, and the comparison of both."""
import json
import os
import subprocess

import importer
import rules

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = ''  # set by run.py, as is the folder to work in
FOLDER = ''


def model_path(name):
    return os.path.join(ROOT, 'models', name + '.yaml')


def export(path, version, *more):
    """The FMU of a model, opened."""
    out = os.path.join(FOLDER, '%s-%d.fmu' % (os.path.splitext(os.path.basename(path))[0], version))
    subprocess.run([PROGRAM, 'fmu', path, '-o', out, '--fmi', str(version), *more], check=True,
                   stdout=subprocess.DEVNULL)
    return importer.Fmu(out)


def simulate(path, until, times, *more):
    text = subprocess.run([PROGRAM, 'simulate', path, '--until', repr(until), '--at', ','.join(map(repr, times)), '--json',
                           *more], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(text)


def write_model(name, text):
    path = os.path.join(FOLDER, name + '.yaml')
    with open(path, 'w', encoding='utf-8') as out:
        out.write(text)
    return path


def numbers_of(sample):
    """{variable: number or mode} of a sample of `simulate`."""
    found = {}
    for body, state in sample['state'].items():
        found.update({'%s.%s' % (body, key): value for key, value in state.items()})
    for contact, state in sample['contacts'].items():
        found[contact + '.mode'] = state['mode']
        force = state['force']
        names = ['force'] if not isinstance(force, list) or len(force) == 1 else ['fx', 'fy', 'moment']
        for name, value in zip(names, force if isinstance(force, list) else [force]):
            found['%s.%s' % (contact, name)] = value
        if 'z' in state:
            found[contact + '.z'] = state['z']
    for kind in ('states', 'signals', 'memory'):
        found.update(sample.get(kind, {}))
    return found


def compare(sample, get, most):
    for name, value in numbers_of(sample).items():
        got = get(name)
        if isinstance(value, str):
            assert got == value, '%s at t = %g: %s, not %s' % (name, sample['t'], got, value)
        elif value is not None:
            assert abs(got - value) <= most * max(1.0, abs(value)), \
                '%s at t = %g: %.17g, not %.17g' % (name, sample['t'], got, value)


def times_of(until):
    return [until * k / 9 for k in range(10)]


def look(fmu):
    complaints = rules.look(fmu)
    assert not complaints, '\n'.join(complaints)


PUSHED = '''slipstick: 1
title: A block that is pushed
parameters: {level: 2 N}
inputs: {push: 0 N}
bodies: {block: {mass: 1 kg}}
forces: [{body: block, force: push}]
contacts: {floor: {between: [block, ground], law: coulomb, friction: level}}
run: {until: 10 s}
'''

SLID = '''slipstick: 1
title: A disk that is pushed
slider:
  mass: 1 kg
  gyration: 1 m
  gravity: 10 m/s^2
  supports: [{disk: 0.5 m, load: 1, mu: 0.1}]
run: {until: 10 s}
'''
