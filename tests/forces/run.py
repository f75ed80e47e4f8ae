#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Levels that follow forces: decisions at the start of random models against brute force.

run.py PROGRAM [--models N] [--seed N] [--keep FOLDER]. Ends in 'N passed, N failed'.

A model has up to four bodies, stops, a tie with a name and friction whose levels are sums of magnitudes of forces, at
rest or slipping along stops and ties. Brute force goes by the conditions alone: every assignment of stick, slip, open
and of signs to forces gives a linear system, and counts if it satisfies all laws. Where there is one answer the forces
must be its; of several they must be one of them, with a note, and one whose slopes have a positive determinant where
there is such a one; where there is none the program may not go on without a jam. Models near a boundary are left out:
there the next derivative decides, which is not asked here.

SLIPSTICK_TEST_SHARE in the environment scales the number of models.
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy as np

MODELS = 150
CLOSE = 1e-7  # N and m/s^2: nearer to a boundary than that, a model is left out


def draw_row(rng, bodies):
    row = np.zeros(bodies)
    for body in rng.sample(range(bodies), rng.randint(1, min(2, bodies))):
        row[body] = rng.choice([-2, -1, -0.5, 0.5, 1, 2])
    return row


def draw_speeds(rng, bodies, held):
    """Speeds along which no stop and no tie moves; at rest in two of five."""
    if rng.random() < 0.4:
        return np.zeros(bodies)
    v = np.array([rng.uniform(-2, 2) for _ in range(bodies)])
    if len(held):
        along = np.linalg.svd(held)[2][len(held):]
        v = along.T @ (along @ v)
    v[abs(v) < 1e-9] = 0.0
    return v


def draw(rng):
    """A model, or None where its stops and ties depend on each other."""
    bodies = rng.randint(1, 4)
    contacts = [{'name': 's%d' % i, 'kind': 'stop', 'row': draw_row(rng, bodies), 'side': rng.choice([1, -1])}
                for i in range(rng.randint(0, 2))]
    if not contacts or rng.random() < 0.5:
        contacts.append({'name': 't', 'kind': 'tie', 'row': draw_row(rng, bodies)})
    held = np.array([c['row'] for c in contacts])
    if np.linalg.matrix_rank(held) < len(held):
        return None
    rubbing = rng.randint(1, 2)
    names = [c['name'] for c in contacts] + ['f%d' % i for i in range(rubbing)]
    for i in range(rubbing):
        sources = rng.sample(names, rng.randint(1, min(2, len(names))))
        contacts.append({'name': 'f%d' % i, 'kind': 'friction', 'row': draw_row(rng, bodies),
                         'constant': rng.choice([0, 0, 1, 3]),
                         'terms': [(round(rng.uniform(0.1, 1.2), 2), source) for source in sources]})
    return {'mass': [rng.choice([0.5, 1, 2, 5]) for _ in range(bodies)],
            'force': [round(rng.uniform(-10, 10), 2) for _ in range(bodies)],
            'contacts': contacts, 'speed': draw_speeds(rng, bodies, held)}


def row_text(row):
    return '{%s}' % ', '.join('b%d: %r' % (i, float(w)) for i, w in enumerate(row) if w)


def contact_text(contact):
    if contact['kind'] == 'stop':
        law = 'rigid-stop, %s: 0 m, restitution: 0' % ('above' if contact['side'] > 0 else 'below')
    else:
        terms = ''.join(' + %r*abs(%s.force)' % term for term in contact['terms'])
        law = 'coulomb, friction: "%r N%s"' % (contact['constant'], terms)
    return '  %s: {along: %s, law: %s}' % (contact['name'], row_text(contact['row']), law)


def text(model):
    count = len(model['mass'])
    ties = [c for c in model['contacts'] if c['kind'] == 'tie']
    lines = ['slipstick: 1', 'title: Random']
    lines.append('bodies: {%s}' % ', '.join('b%d: {mass: %r kg}' % (i, model['mass'][i]) for i in range(count)))
    if ties:
        lines.append('ties: {%s}' % ', '.join('%s: %s' % (c['name'], row_text(c['row'])) for c in ties))
    lines.append('forces: [%s]' % ', '.join('{body: b%d, force: %r N}' % (i, model['force'][i]) for i in range(count)))
    lines.append('contacts:')
    lines += [contact_text(c) for c in model['contacts'] if c['kind'] != 'tie']
    lines.append('start: {%s}' % ', '.join('b%d: {v: %r m/s}' % (i, float(model['speed'][i])) for i in range(count)))
    return '\n'.join(lines) + '\n'


class Doubtful(Exception):
    """The model is near a boundary."""


def system(model, mode, sign, coupling, pull):
    """The linear system of an assignment: what holds has no acceleration, what slips is at its level."""
    place = {c['name']: i for i, c in enumerate(model['contacts'])}
    matrix, right = np.eye(len(mode)), np.zeros(len(mode))
    for i, contact in enumerate(model['contacts']):
        if mode[i] == 'holds':
            matrix[i], right[i] = coupling[i], -pull[i]
        elif mode[i] in '+-':
            way = -1 if mode[i] == '+' else 1
            right[i] = way * contact['constant']
            for factor, source in contact['terms']:
                matrix[i, place[source]] -= way * factor * sign[source]
    return matrix, right


def room(model, i, mode, force, acceleration, speed):
    """How far contact i is inside what its mode asks: negative where it is not."""
    contact = model['contacts'][i]
    if contact['kind'] == 'tie':
        return np.inf
    if contact['kind'] == 'stop':
        return -contact['side'] * (force[i] if mode == 'holds' else acceleration[i])
    place = {c['name']: k for k, c in enumerate(model['contacts'])}
    level = contact['constant'] + sum(k * abs(force[place[source]]) for k, source in contact['terms'])
    if mode == 'holds':
        return level - abs(force[i])
    return np.inf if speed[i] else acceleration[i] * (1 if mode == '+' else -1)


def brute_force(model):
    """All answers: forces, accelerations, whether the determinant is positive."""
    contacts = model['contacts']
    rows, mobility = np.array([c['row'] for c in contacts]), np.diag(1 / np.array(model['mass']))
    coupling, pull = rows @ mobility @ rows.T, rows @ mobility @ np.array(model['force'])
    speed = rows @ model['speed']
    speed[abs(speed) < 1e-9] = 0.0
    choices = {'tie': ['holds'], 'stop': ['holds', 'open'], 'friction': ['holds', '+', '-']}
    options = [['+' if v > 0 else '-'] if c['kind'] == 'friction' and v else choices[c['kind']]
               for c, v in zip(contacts, speed)]
    used = sorted({source for c in contacts for _, source in c.get('terms', [])})
    place = {c['name']: i for i, c in enumerate(contacts)}
    answers = []
    for mode in itertools.product(*options):
        for signs in itertools.product([1, -1], repeat=len(used)):
            sign = dict(zip(used, signs))
            matrix, right = system(model, mode, sign, coupling, pull)
            if np.linalg.matrix_rank(matrix, tol=1e-9) < len(mode):
                raise Doubtful
            force = np.linalg.solve(matrix, right)
            acceleration = pull + coupling @ force
            rooms = [room(model, i, mode[i], force, acceleration, speed) for i in range(len(mode))]
            agrees = min(rooms) >= -CLOSE and all(sign[s] * force[place[s]] >= -CLOSE for s in used)
            if agrees and min(rooms) < CLOSE:
                raise Doubtful
            if agrees and not any(np.allclose(acceleration, other[1], atol=CLOSE) for other in answers):
                answers.append((force, acceleration, np.linalg.det(matrix) > 0))
    return answers


def fault_of(model, answers, program, path):
    """What the program says wrong of the model, or None."""
    with open(path, 'w') as file:
        file.write(text(model))
    command = [program, 'simulate', path, '--json', '--until', '1e-6', '--at', '0']
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        return 'fails: %s' % run.stderr if answers and 'gain of 1' not in run.stderr else None
    answer = json.loads(run.stdout)
    notes = json.dumps(answer['notes'])
    if not answers:
        return None if 'jam' in notes else 'goes on where no force satisfies all laws'
    told = answer['samples'][0]
    forces = np.array([told['ties' if c['kind'] == 'tie' else 'contacts'][c['name']]['force']
                       for c in model['contacts']])
    found = [a for a in answers if np.allclose(forces, a[0], atol=1e-6 * (1 + abs(a[0]).max()))]
    if not found:
        return 'has the forces %s, not one of %s' % (forces, [a[0] for a in answers])
    if ('many-futures' in notes) != (len(answers) > 1):
        return 'notes several answers where there are %d' % len(answers)
    if any(a[2] for a in answers) and not found[0][2]:
        return 'takes an answer whose determinant is negative'
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('program')
    parser.add_argument('--models', type=int, default=int(MODELS * float(os.environ.get('SLIPSTICK_TEST_SHARE', 1))))
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep')
    args = parser.parse_args()
    passed = failed = 0
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        while passed + failed < max(args.models, 1):
            model = draw(rng)
            try:
                answers = brute_force(model) if model else None
            except Doubtful:
                continue
            if answers is None:
                continue
            fault = fault_of(model, answers, args.program, os.path.join(args.keep or folder, 'model.yaml'))
            passed, failed = passed + (fault is None), failed + (fault is not None)
            if fault:
                print('FAIL  model %d %s\n%s' % (passed + failed, fault, text(model)))
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
