# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Model files drawn at random: sliders and rows of bodies, with the singular values that people write (0, 1, equal
numbers, starts at rest, loads that end) much more often than chance would bring them."""
from __future__ import annotations

import random


def number(r: random.Random, low: float = -2, high: float = 1) -> float:
    """0, a round number, or four digits of either sign between 10^low and 10^high."""
    kind = r.random()
    if kind < 0.15: return 0.0
    if kind < 0.3: return float(r.choice([1, -1, 0.1, 0.5, 2]))
    return float('%.4g' % (r.choice([-1, 1]) * 10 ** r.uniform(low, high)))


def positive(r: random.Random, low: float = -2, high: float = 1) -> float:
    return abs(number(r, low, high)) or 0.3


def of_time(r: random.Random) -> str:
    """A load: constant, swinging, growing, or one that begins or ends at once or along a ramp."""
    size, when = number(r), positive(r, -1, 0.5)
    forms = ['%g' % size, '%g' % size, '"%g*sin(%g*t)"' % (size, positive(r, -1, 1)), '"%g*t"' % size,
             '"%g*step(t - %g)"' % (size, when), '"%g*step(%g - t)"' % (size, when), '"%g*max(0, %g - t)"' % (size, when),
             '{table: [[0, %g], [%g, %g], [%g, 0]]}' % (size, when, size, 2 * when), '"%g*exp(-%g*t)"' % (size, positive(r))]
    return r.choice(forms)


# --- sliders ------------------------------------------------------------------------------------------------------
def patch(r: random.Random, kind: str) -> str:
    size = positive(r)
    if kind == 'annulus': return 'annulus: [%g, %g]' % (size, size * r.choice([1.5, 1.001, 4]))
    if kind == 'polygon':
        return 'polygon: [[%g, 0], [0, %g], [-%g, 0]%s]' % (size, size, size, r.choice(['', ', [0, -%g]' % size]))
    if kind == 'pressure':
        points = ['[%g, %g, %g]' % (number(r), number(r), positive(r)) for _ in range(r.choice([1, 2, 4]))]
        return 'pressure: [%s]' % ', '.join(points)
    return '%s: %g' % (kind, size)


def support(r: random.Random) -> str:
    kind = r.choice(['point', 'point', 'wheel', 'ring', 'disk', 'annulus', 'polygon', 'pressure', 'ellipse'])
    place, axis = '[%g, %g]' % (number(r), number(r)), '[%g, %g]' % (number(r) or 1, number(r))
    level = r.choice(['friction: %g' % r.choice([positive(r), positive(r), 0, 1]),
                      'load: %g, mu: %g' % (r.choice([1, 0.5, 0.3]), positive(r, -2, 0.5))])
    if kind == 'ellipse':
        return '{point: %s, load: %g, mu: [%g, %g], axis: %s}' % (place, positive(r, -1, 0), positive(r), positive(r), axis)
    if kind == 'point': return '{point: %s, %s}' % (place, level)
    if kind == 'wheel':
        drag = ', drag: %g' % positive(r) if r.random() < 0.3 else ''
        ratchet = ', ratchet: forward' if r.random() < 0.2 else ''
        return '{wheel: %s, axle: %s, %s%s%s}' % (place, axis, level, drag, ratchet)
    center = ', center: ' + place if kind in ('ring', 'disk', 'annulus') and r.random() < 0.4 else ''
    return '{%s%s, %s}' % (patch(r, kind), center, level)


def slider(r: random.Random) -> str:
    lines = ['slipstick: 1', 'title: slider', 'slider:', '  mass: %g' % positive(r, -1, 1),
             '  gyration: %g' % positive(r, -1, 0.5), '  supports:']
    lines += ['    - ' + support(r) for _ in range(r.choice([1, 1, 2, 3]))]
    if r.random() < 0.25: lines.append('  floor: {mu: [%g, %g]}' % (positive(r, -1, 0.3), positive(r, -1, 0.3)))
    if r.random() < 0.55:
        lines.append('  applied: {force: [%s, %s], moment: %s, frame: %s}' %
                     (of_time(r), of_time(r), of_time(r), r.choice(['space', 'body'])))
    moves = r.choice([('vx', 'vy', 'spin'), ('spin',), ('vx',), ()])
    start = ['%s: %g' % (key, number(r)) for key in ('x', 'y', 'angle') + moves if r.random() < 0.6 or key in moves]
    if start: lines.append('start: {slider: {%s}}' % ', '.join(start))
    return '\n'.join(lines + ['run: {until: %g}' % r.choice([0.5, 2, 10])]) + '\n'


# --- bodies -------------------------------------------------------------------------------------------------------
def law(r: random.Random) -> str:
    """A law with its numbers. Levels are often 1 or equal to each other."""
    level, stiff = positive(r, -1, 0.5), 10 ** r.uniform(1, 4)
    static = level * r.choice([1, 1.2, 2])
    stop = r.choice(['above: %g', 'below: -%g']) % positive(r, -2, 0)
    forms = ['coulomb, friction: %g' % r.choice([level, level, 0]), 'coulomb, friction: %g, static: %g' % (level, static),
             'coulomb, friction: {forward: %g, backward: %g}' % (level, positive(r)),
             'coulomb, friction: "%g*max(0, 1 - t)"' % level,
             'stribeck, coulomb: %g, static: %g, stribeck_speed: %g, viscous: %g' % (level, static, positive(r), abs(number(r))),
             'curve, force: "%g + %g*exp(-v/%g)"' % (level, static, positive(r)),
             'lugre, sigma0: %g, sigma1: %g, sigma2: %g, coulomb: %g' % (stiff, abs(number(r)), abs(number(r)), level),
             'dahl, sigma0: %g, coulomb: %g' % (stiff, level),
             'elasto-plastic, sigma0: %g, sigma1: %g, sigma2: 0, coulomb: %g, breakaway: %g' % (stiff, abs(number(r)), level, 0.5 * level / stiff),
             'maxwell-slip, elements: [[%g, %g], [%g, %g]]' % (stiff, level, positive(r), positive(r)),
             'jenkins, stiffness: %g, breakaway: %g' % (stiff, level),
             'gms, elements: [[%g, 0.4], [%g, 0.6]], coulomb: %g, static: %g, stribeck_speed: %g, attraction: %g' %
             (stiff, 0.1 * stiff, level, static, positive(r), positive(r, 0, 2)),
             'rigid-stop, %s, restitution: %g' % (stop, r.choice([0, 0.5, 1])),
             'backlash, gap: %g, %s' % (positive(r, -2, 0), r.choice(['restitution: 0.5', 'stiffness: %g, damping: 1' % stiff])),
             'hunt-crossley, %s, stiffness: %g, exponent: %g, alpha: %g' % (stop, stiff, r.choice([1, 1.5]), positive(r)),
             'elastic-stop, %s, stiffness: %g, damping: %g' % (stop, stiff, abs(number(r)))]
    return 'law: ' + r.choice(forms)


def bodies(r: random.Random) -> str:
    names = ['a', 'b', 'c'][:r.choice([1, 2, 3])]
    lines = ['slipstick: 1', 'title: bodies', 'bodies:'] + ['  %s: {mass: %g}' % (name, positive(r)) for name in names]
    ends = ['ground']
    if r.random() < 0.4:
        ends.append('belt')
        lines.append('  belt: {%s}' % r.choice(['speed: %g' % number(r), 'position: "%g*sin(%g*t)"' % (number(r), positive(r, -1, 1)),
                                                'speed: "%g*step(t - 0.3)"' % number(r)]))
    pairs = [(name, r.choice(ends + [other for other in names if other < name])) for name in names]
    lines += ['connections:'] + ['  - {between: [%s, %s], stiffness: %g, damping: %g}' % (*pair, r.choice([0, positive(r, 0, 2)]), abs(number(r)))
                                 for pair in pairs]
    tied = len(names) > 1 and r.random() < 0.3
    if tied: lines.append('ties: [{a: 1, b: %g}]' % (number(r) or -1))
    if r.random() < 0.6: lines.append('forces: [{body: %s, force: %s}]' % (r.choice(names), of_time(r)))
    contacts = ['  k%d: {between: [%s, %s], %s}' % (k, *r.choice(pairs), law(r)) for k in range(r.choice([1, 2, 3]))]
    apart = any('restitution' in line for line in contacts)  # no start beyond a rigid stop
    start = ['%s: {x: %g, v: %g}' % (name, 0 if apart or r.random() < 0.5 else number(r, -2, -1), 0 if tied else r.choice([0, number(r)]))
             for name in names]
    lines += ['contacts:'] + contacts
    return '\n'.join(lines + ['start: {%s}' % ', '.join(start), 'run: {until: %g}' % r.choice([0.5, 2, 5])]) + '\n'
