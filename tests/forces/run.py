#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Levels that follow forces: decisions and impacts of random models against brute force.

run.py PROGRAM [--models N] [--seed N] [--part decide|impact|judge] [--keep FOLDER]. Ends in 'N passed, N failed'.

A model has up to four bodies and six contacts: stops, a tie with a name, and friction whose levels are sums, minima or
maxima of magnitudes of forces. Brute force goes by the conditions alone: every assignment of stick, slip, open, of
signs to forces and of terms to minima gives a linear system, and counts if it satisfies all laws.

decide: forces at the start, at rest or slipping along stops and ties. Where there is one answer the forces must be its;
of several they must be those of the rule (a positive determinant where there is one, then in the order of the file
stick before slip before open), with a note; where there is none the program may not go on without a jam.
impact: bodies that nothing pushes strike stops at one instant. Speeds afterwards, by the same rule; where no impulses
satisfy the law with the coefficients given, those without rebound, with a note; where none at all, the run ends.
judge: models with masses from 1e-3 to 1e3, stops and ties that depend on each other and levels with hypot: the forces
that the program tells are put into the conditions themselves.

Models near a boundary are left out of the first two: there the next derivative decides, which is not asked here.
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

MODELS = 240
CLOSE = 1e-7  # N and m/s^2: nearer to a boundary than that, a model is left out
MOST_WAYS = 20000  # assignments that are tried of one model


class Doubtful(Exception):
    """The model is near a boundary, or too large for brute force."""


# ---- models


def draw_row(rng, bodies):
    row = np.zeros(bodies)
    for body in rng.sample(range(bodies), rng.randint(1, min(2, bodies))):
        row[body] = rng.choice([-2, -1, -0.5, 0.5, 1, 2])
    return row


def draw_along(rng, bodies, held):
    """Speeds along which no stop and no tie moves."""
    v = np.array([rng.uniform(-2, 2) for _ in range(bodies)])
    if len(held):
        along = np.linalg.svd(held)[2][np.linalg.matrix_rank(held):]
        v = along.T @ (along @ v)
    v[abs(v) < 1e-9] = 0.0
    return v


def draw_level(rng, names, curved):
    count = rng.randint(1, min(2, len(names)))
    kind = 'sum' if count == 1 else rng.choice(['sum', 'sum', 'min', 'max'] + (['hypot'] if curved else []))
    return {'constant': rng.choice([0, 0, 1, 3]) if kind == 'sum' else 0, 'kind_of_level': kind,
            'terms': [(round(rng.uniform(0.1, 1.2), 2), source) for source in rng.sample(names, count)]}


def draw(rng, part):
    """A model, or None where its stops and ties depend on each other."""
    bodies = rng.randint(1, 4)
    contacts = [{'name': 's%d' % i, 'kind': 'stop', 'row': draw_row(rng, bodies), 'side': rng.choice([1, -1]),
                 'restitution': rng.choice([0, 0.3, 0.5, 0.8]) if part == 'impact' else 0}
                for i in range(rng.randint(part == 'impact', 3))]
    if not contacts or rng.random() < 0.4:
        contacts.append({'name': 't', 'kind': 'tie', 'row': draw_row(rng, bodies)})
    held = np.array([c['row'] for c in contacts])
    if part != 'judge' and np.linalg.matrix_rank(held) < len(held):
        return None
    rubbing = rng.randint(1, 6 - len(contacts) if len(contacts) > 3 else 2)
    names = [c['name'] for c in contacts] + ['f%d' % i for i in range(rubbing)]
    for i in range(rubbing):
        contacts.append({'name': 'f%d' % i, 'kind': 'friction', 'row': draw_row(rng, bodies),
                         'restitution': rng.choice([0, 0, 0.4, 0.9]) if part == 'impact' else 0,
                         **draw_level(rng, names, part == 'judge')})
    ties = [c['row'] for c in contacts if c['kind'] == 'tie']
    model = {'mass': [10 ** rng.uniform(-3, 3) if part == 'judge' else rng.choice([0.5, 1, 2, 5])
                      for _ in range(bodies)],
             'force': [0.0 if part == 'impact' else round(rng.uniform(-10, 10), 2) for _ in range(bodies)],
             'contacts': contacts}
    if part == 'impact':
        model['speed'] = draw_along(rng, bodies, np.array(ties))
        for c in contacts:
            c['constant'] = 0
    else:
        model['speed'] = draw_along(rng, bodies, held) if rng.random() < 0.6 else np.zeros(bodies)
    return model


def row_text(row):
    return '{%s}' % ', '.join('b%d: %r' % (i, float(w)) for i, w in enumerate(row) if w)


def level_text(contact):
    terms = ['%r*abs(%s.force)' % term for term in contact['terms']]
    if contact['kind_of_level'] == 'sum':
        return ' + '.join(['%r N' % contact['constant']] + terms)
    return '%s(%s)' % (contact['kind_of_level'], ', '.join(terms))


def contact_text(contact, place):
    if contact['kind'] == 'stop':
        law = 'rigid-stop, %s: %r m, restitution: %r' % ('above' if contact['side'] > 0 else 'below', place,
                                                         contact['restitution'])
    else:
        law = 'coulomb, friction: "%s", restitution: %r' % (level_text(contact), contact['restitution'])
    return '  %s: {along: %s, law: %s}' % (contact['name'], row_text(contact['row']), law)


def place_of(model, contact):
    """Where a stop stands: it is struck after 0.1 s, or touches from the start."""
    approach = float(contact['row'] @ model['speed'])
    return 0.1 * approach if contact['kind'] == 'stop' and contact['side'] * approach > 1e-9 else 0.0


def text(model):
    count = len(model['mass'])
    ties = [c for c in model['contacts'] if c['kind'] == 'tie']
    lines = ['slipstick: 1', 'title: Random']
    lines.append('bodies: {%s}' % ', '.join('b%d: {mass: %r kg}' % (i, model['mass'][i]) for i in range(count)))
    if ties:
        lines.append('ties: {%s}' % ', '.join('%s: %s' % (c['name'], row_text(c['row'])) for c in ties))
    lines.append('forces: [%s]' % ', '.join('{body: b%d, force: %r N}' % (i, model['force'][i]) for i in range(count)))
    lines.append('contacts:')
    lines += [contact_text(c, place_of(model, c)) for c in model['contacts'] if c['kind'] != 'tie']
    lines.append('start: {%s}' % ', '.join('b%d: {v: %r m/s}' % (i, float(model['speed'][i])) for i in range(count)))
    return '\n'.join(lines) + '\n'


# ---- brute force


def level_of(contact, force, place):
    terms = [k * abs(force[place[source]]) for k, source in contact['terms']]
    if contact['kind_of_level'] == 'hypot':
        return float(np.hypot(*terms))
    return {'sum': lambda: contact['constant'] + sum(terms), 'min': lambda: min(terms),
            'max': lambda: max(terms)}[contact['kind_of_level']]()


def level_rooms(contact, force, place, choice):
    """How clearly the chosen term is the one that counts."""
    if contact['kind_of_level'] == 'sum':
        return []
    terms = [k * abs(force[place[source]]) for k, source in contact['terms']]
    apart = terms[choice] - terms[1 - choice]
    return [apart if contact['kind_of_level'] == 'max' else -apart]


class System:
    """The rows of a model and what they do to each other."""

    def __init__(self, model):
        self.contacts = model['contacts']
        rows, mobility = np.array([c['row'] for c in self.contacts]), np.diag(1 / np.array(model['mass']))
        self.coupling, self.pull = rows @ mobility @ rows.T, rows @ mobility @ np.array(model['force'])
        self.speed = rows @ model['speed']
        if any(1e-16 < abs(v) < 1e-9 for v in self.speed):
            raise Doubtful  # rounding of the speeds drawn
        self.speed[abs(self.speed) < 1e-9] = 0.0
        self.place = {c['name']: i for i, c in enumerate(self.contacts)}
        self.used = sorted({source for c in self.contacts for _, source in c.get('terms', [])})

    def pieces(self):
        """Signs of forces in levels, and which term of a minimum or maximum counts."""
        choices = [range(2) if c.get('kind_of_level', 'sum') != 'sum' else range(1) for c in self.contacts]
        for signs in itertools.product([1, -1], repeat=len(self.used)):
            for choice in itertools.product(*choices):
                yield dict(zip(self.used, signs)), choice

    def matrix(self, mode, sign, choice, target):
        """What holds gets to `target`, what slips is at its level."""
        matrix, right = np.eye(len(mode)), np.zeros(len(mode))
        for i, contact in enumerate(self.contacts):
            if mode[i] == 'holds':
                matrix[i], right[i] = self.coupling[i], target[i]
            elif mode[i] in '+-':
                way = -1 if mode[i] == '+' else 1
                right[i] = way * contact['constant']
                terms = contact['terms']
                for factor, source in terms if contact['kind_of_level'] == 'sum' else [terms[choice[i]]]:
                    matrix[i, self.place[source]] -= way * factor * sign[source]
        return matrix, right

    def ways(self, options):
        count = 2 ** len(self.used) * np.prod([len(o) for o in options])
        if count > MOST_WAYS:
            raise Doubtful
        for sign, choice in self.pieces():
            for mode in itertools.product(*options):
                yield mode, sign, choice

    def solutions(self, options, target, room, moved):
        """All answers: (forces, motion, whether the determinant is positive, the best of its modes)."""
        answers = []
        for mode, sign, choice in self.ways(options):
            matrix, right = self.matrix(mode, sign, choice, target)
            if np.linalg.matrix_rank(matrix, tol=1e-9) < len(mode):
                raise Doubtful
            force = np.linalg.solve(matrix, right)
            motion = moved(force)
            rooms = [room(i, mode[i], force, motion) for i in range(len(mode))]
            for i, c in enumerate(self.contacts):
                rooms += level_rooms(c, force, self.place, choice[i]) if mode[i] in '+-' else []
            agrees = min(rooms) >= -CLOSE and all(sign[s] * force[self.place[s]] >= -CLOSE for s in self.used)
            if not agrees:
                continue
            if min(rooms) < CLOSE:
                raise Doubtful
            rank = tuple({'holds': 0, '+': 1, '-': 1, 'open': 2, 'none': 2}[m] for m in mode)
            same = [k for k, other in enumerate(answers) if np.allclose(motion, other[1], atol=CLOSE)]
            if same:
                old = answers[same[0]]
                if old[2] != (np.linalg.det(matrix) > 0):
                    raise Doubtful  # at a kink
                answers[same[0]] = (old[0], old[1], old[2], min(old[3], rank))
            else:
                answers.append((force, motion, np.linalg.det(matrix) > 0, rank))
        return answers


def decide(model):
    """All answers for the forces at the start."""
    system = System(model)
    speed = system.speed
    choices = {'tie': ['holds'], 'stop': ['holds', 'open'], 'friction': ['holds', '+', '-']}
    options = [['+' if v > 0 else '-'] if c['kind'] == 'friction' and v else choices[c['kind']]
               for c, v in zip(system.contacts, speed)]

    def room(i, mode, force, acceleration):
        contact = system.contacts[i]
        if contact['kind'] == 'tie':
            return np.inf
        if contact['kind'] == 'stop':
            return -contact['side'] * (force[i] if mode == 'holds' else acceleration[i])
        if mode == 'holds':
            return level_of(contact, force, system.place) - abs(force[i])
        return np.inf if speed[i] else acceleration[i] * (1 if mode == '+' else -1)

    return system.solutions(options, -system.pull, room, lambda force: system.pull + system.coupling @ force)


def feels(system, i, what, depth):
    """Whether the level of contact i contains such a contact, itself or through other levels."""
    return any(what(system.place[s]) or depth and system.contacts[system.place[s]]['kind'] == 'friction' and
               feels(system, system.place[s], what, depth - 1) for _, s in system.contacts[i]['terms'])


def impact(model, rebounds):
    """All answers of the impact law: impulses, speeds after it, and so on."""
    system = System(model)
    v = system.speed
    struck = [c['kind'] == 'stop' and c['side'] * v[i] > 0 for i, c in enumerate(system.contacts)]
    touches = [c['kind'] == 'stop' and c['side'] * v[i] >= 0 for i, c in enumerate(system.contacts)]
    target, options = np.zeros(len(v)), []
    for i, c in enumerate(system.contacts):
        bounces = struck[i] or (c['kind'] == 'friction' and feels(system, i, lambda k: struck[k], len(v)))
        target[i] = -c['restitution'] * v[i] if rebounds and bounces and c['kind'] != 'tie' else 0.0
        if c['kind'] == 'tie':
            options.append(['holds'])
        elif c['kind'] == 'stop':
            options.append(['holds', 'open'] if touches[i] else ['none'])
        else:
            rubs = feels(system, i, lambda k: touches[k] or system.contacts[k]['kind'] == 'tie', len(v))
            options.append(['holds', '+', '-'] if rubs else ['none'])

    def room(i, mode, force, after):
        contact = system.contacts[i]
        if mode == 'none' or contact['kind'] == 'tie':
            return np.inf
        if contact['kind'] == 'stop':
            return -contact['side'] * (force[i] if mode == 'holds' else after[i] - target[i])
        if mode == 'holds':
            return level_of(contact, force, system.place) - abs(force[i])
        return (after[i] - target[i]) * (1 if mode == '+' else -1)

    return system.solutions(options, target - v, room, lambda force: v + system.coupling @ force)


# ---- the program


def run(program, path, model, more):
    with open(path, 'w') as file:
        file.write(text(model))
    return subprocess.run([program, 'simulate', path, '--json'] + more, capture_output=True, text=True)


def forces_told(model, told):
    return np.array([told['ties' if c['kind'] == 'tie' else 'contacts'][c['name']]['force']
                     for c in model['contacts']])


def by_rule(answers, kept=lambda answer: 0):
    """The answer of several that the contract takes."""
    stable = [a for a in answers if a[2]]
    return min(stable or answers, key=lambda a: (-kept(a), a[3]))


def fault_of_decision(model, program, path):
    """What the program says wrong of the model, or None."""
    answers = decide(model)
    ran = run(program, path, model, ['--until', '1e-6', '--at', '0'])
    if ran.returncode:
        return 'fails: %s' % ran.stderr if answers and 'gain of 1' not in ran.stderr else None
    answer = json.loads(ran.stdout)
    notes = json.dumps(answer['notes'])
    if not answers:
        return None if 'jam' in notes else 'goes on where no force satisfies all laws'
    forces, right = forces_told(model, answer['samples'][0]), by_rule(answers)
    if not np.allclose(forces, right[0], atol=1e-6 * (1 + abs(right[0]).max())):
        return 'has the forces %s, not %s of %s' % (forces, right[0], [a[0] for a in answers])
    if ('many-futures' in notes) != (len(answers) > 1):
        return 'notes several answers where there are %d' % len(answers)
    return None


def keeps(system, after):
    """How many contacts do after the impulses what they did before."""
    count = 0
    for i, c in enumerate(system.contacts):
        still = abs(after[i]) < CLOSE
        if system.speed[i] == 0:
            count += still
        else:
            count += c['kind'] == 'friction' and not still and after[i] * system.speed[i] > 0
    return count


def fault_of_impact(model, program, path):
    system = System(model)
    if not any(c['kind'] == 'stop' and c['side'] * v > 1e-6 for c, v in zip(system.contacts, system.speed)):
        raise Doubtful
    answers, plain = impact(model, True), False
    if not answers:
        answers, plain = impact(model, False), True
    ran = run(program, path, model, ['--until', '0.1000001'])
    if ran.returncode:
        return 'fails: %s' % ran.stderr if answers else None
    answer = json.loads(ran.stdout)
    notes = json.dumps(answer['notes'])
    if not answers:
        return 'goes on where no impulses satisfy the law: %s' % answer['outcome']
    if ('impact-without-rebound' in notes) != plain:
        return 'notes %s where rebounds %s possible' % (notes, 'are not' if plain else 'are')
    rows = np.array([c['row'] for c in system.contacts])
    after = rows @ np.array([answer['state']['b%d' % i]['v'] for i in range(len(model['mass']))])
    right = by_rule(answers, lambda a: keeps(system, a[1]))
    if not np.allclose(after, right[1], atol=1e-6 * (1 + abs(right[1]).max())):
        return 'has the speeds %s, not %s of %s' % (after, right[1], [a[1] for a in answers])
    return ledger_fault(answer)


def ledger_fault(answer):
    residual = abs(answer['energy']['residual'])
    return 'has an energy residual of %g' % residual if residual > 1e-11 else None


def fault_of_forces(model, program, path):
    """The forces that the program tells against the conditions."""
    system = System(model)
    ran = run(program, path, model, ['--until', '1e-9', '--at', '0'])
    if ran.returncode:
        return None if 'no forces satisfy' in ran.stderr or 'gain of 1' in ran.stderr else 'fails: %s' % ran.stderr
    answer = json.loads(ran.stdout)
    if answer['notes'] and 'jam' in json.dumps(answer['notes']):
        return None
    force = forces_told(model, answer['samples'][0])
    motion = system.pull + system.coupling @ force
    sizes = abs(system.pull) + abs(system.coupling) @ abs(force)
    small, still = 1e-7 * abs(force).max() + 1e-9, 1e-7 * sizes + 1e-12
    for i, contact in enumerate(system.contacts):
        name, f, a, v = contact['name'], force[i], motion[i], system.speed[i]
        if contact['kind'] == 'tie':
            bad = abs(a) > still[i]
        elif contact['kind'] == 'stop':
            f, a = -contact['side'] * f, -contact['side'] * a
            bad = f < -small or a < -still[i] or (f > small and a > still[i])
        else:
            level = level_of(contact, force, system.place)
            way = v if v else (a if abs(a) > still[i] else 0.0)
            bad = abs(f) > level + small or (way and abs(f + np.sign(way) * level) > small)
        if bad:
            return 'breaks the law of %s: forces %s, accelerations %s, speed %g' % (name, force, motion, v)
    return None


PARTS = {'decide': fault_of_decision, 'impact': fault_of_impact, 'judge': fault_of_forces}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('program')
    parser.add_argument('--models', type=int, default=int(MODELS * float(os.environ.get('SLIPSTICK_TEST_SHARE', 1))))
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--part', choices=PARTS)
    parser.add_argument('--keep')
    args = parser.parse_args()
    parts = [args.part] if args.part else list(PARTS)
    passed = failed = 0
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        while passed + failed < max(args.models, 1):
            part = parts[(passed + failed) % len(parts)]
            model = draw(rng, part)
            if not model:
                continue
            try:
                fault = PARTS[part](model, args.program, os.path.join(args.keep or folder, 'model.yaml'))
            except Doubtful:
                continue
            passed, failed = passed + (fault is None), failed + (fault is not None)
            if fault:
                print('FAIL  model %d (%s) %s\n%s' % (passed + failed, part, fault, text(model)), flush=True)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
