#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Algebraically equal expressions give equal motions.

run.py BUILD [--pairs N] [--seed N] [--verbose]. BUILD holds the Python package (python/slipstick). Ends in
'N passed, N failed'.

A model is drawn at random: one or two bodies on springs and dampers, perhaps a contact with friction, a sampled
memory, a state. On one of them acts a force (or a rate, a level of friction, or a force through a signal) in which a
function of g stands, g being a sum of positions, speeds, states and memory that passes 0 now and then. The same
model is made a second time with the function written in another way that is the same for all real numbers: abs(g)
as sqrt(g^2), hypot(g, 0) or clip(abs(g), 0, 1e9), tanh as a quotient of exponentials. In some models g is a function
of time alone, in a force, a level of friction, or the speed or position of a driven body. Nothing but the rules of
algebra is assumed: both motions must agree at three times to TOLERANCE of their size, and have the same events.

One kind of motion cannot be told so well. Let g' = a(t) + k |g|^q with q < 1 and g < 0: while a falls to 0, g follows
-(a/k)^(1/q), ever more closely, touches 0 with no speed where a = 0, and is driven away from there. It leaves as soon as
rounding has carried it over: where |g| is below the rounding e of its terms, that is e^q/a' too early (seed 1, pair
5172; seed 3, pair 9963: 1e-5 s, as a solution by substitution of u = |g|^q tells, which has no singular place). The
same goes where g is drawn to 0 in a finite time, and goes on beyond (seed 7, pair 876). So where g has no speed at 0,
and q < 1, motions must agree to TOUCHING only.

SLIPSTICK_TEST_SHARE in the environment scales the number of pairs.
"""
from __future__ import annotations

import argparse
import os
import random
import sys
from typing import Any

TOLERANCE = 1e-9
TOUCHING = 1e-4
STEEP = ('root', 'third', 'flow')  # of an infinite slope at g = 0
PAIRS = 300
TIMES = [0.5, 1.1, 2.0]

# What is written in several ways: {g} stands for a number without unit, in parentheses.
FORMS: dict[str, list[str]] = {
    'abs': ['abs{g}', 'abs(abs{g})', 'max({g}, -{g})', 'sqrt({g}^2)', 'hypot({g}, 0)', '({g}^2)^0.5',
            'clip(abs{g}, 0, 1e9)', 'max(abs{g}, 0)', 'min(abs{g}, 3*abs{g})', '-min({g}, -{g})',
            'sqrt(abs{g}^2)', 'hypot(0.6*{g}, 0.8*{g})', 'sqrt({g}*{g})', 'abs(-abs(abs{g}))',
            'sqrt(0.36*{g}^2 + 0.64*{g}^2)', 'max(min({g}, -{g}), -min({g}, -{g}))', 'abs{g}^3/{g}^2*1'][:16],
    'positive': ['max({g}, 0)', '({g} + abs{g})/2', 'clip({g}, 0, 1e9)', '({g} + sqrt({g}^2))/2',
                 'abs(max({g}, 0))', 'max(max({g}, 0), max({g}, 0)/3)', 'sqrt(max({g}, 0)^2)'],
    'dead': ['{g} - clip({g}, -0.2, 0.2)', 'max({g} - 0.2, 0) + min({g} + 0.2, 0)',
             '({g} + (abs({g} - 0.2) - abs({g} + 0.2))/2)',
             '{g} + (sqrt(({g} - 0.2)^2) - hypot({g} + 0.2, 0))/2'],
    'square': ['{g}*abs{g}', '{g}*sqrt({g}^2)', 'max({g}, 0)^2 - min({g}, 0)^2', '{g}*hypot({g}, 0)'],
    'drag': ['{g}*abs{g}^0.5', '{g}*sqrt(abs{g})', 'max({g}, 0)^1.5 - max(-{g}, 0)^1.5', '{g}*({g}^2)^0.25'],
    'power': ['abs{g}^1.5', '({g}^2)^0.75', 'abs{g}*sqrt(abs{g})', 'sqrt(abs{g}^3)'],
    'root': ['sqrt(abs{g})', 'abs{g}^0.5', '({g}^2)^0.25', 'sqrt(max({g}, 0)) + sqrt(max(-{g}, 0))',
             'sqrt(hypot({g}, 0))'],
    'third': ['abs{g}^(1/3)', '({g}^2)^(1/6)', 'max({g}, 0)^(1/3) + max(-{g}, 0)^(1/3)'],
    'flow': ['sqrt(max({g}, 0)) - sqrt(max(-{g}, 0))', 'max({g}, 0)^0.5 - max(-{g}, 0)^0.5',
             'sqrt(({g} + abs{g})/2) - sqrt((abs{g} - {g})/2)'],
    'fold': ['abs(clip({g}, -3, 3))', 'acos(cos(clip({g}, -3, 3)))',
             '1.5707963267948966 - asin(cos(clip({g}, -3, 3)))', 'abs(2*atan(tan(clip({g}, -3, 3)/2)))',
             'abs(atan2(sin(clip({g}, -3, 3)), cos(clip({g}, -3, 3))))'],
    'near': ['sqrt({g}^2 + 1e-6)', 'hypot({g}, 1e-3)', '({g}^2 + 1e-6)^0.5', '({g}^2 + 1e-6)/hypot({g}, 1e-3)'],
    'nearer': ['sqrt({g}^2 + 1e-12)', 'hypot({g}, 1e-6)', '({g}^2 + 1e-12)^0.5'],
    'bump': ['1e-4/({g}^2 + 1e-4)', '1/(1 + (100*{g})^2)', 'cos(atan(100*{g}))^2'],
    'tanh': ['tanh(20*{g})', '(exp(20*{g}) - exp(-20*{g}))/(exp(20*{g}) + exp(-20*{g}))',
             '1 - 2/(exp(40*{g}) + 1)', 'sinh(20*{g})/cosh(20*{g})'],
    'atan': ['atan(50*{g})', 'atan2(50*{g}, 1)', '2*atan(50*{g}/(1 + sqrt(1 + 2500*{g}^2)))',
             'asin(50*{g}/sqrt(1 + 2500*{g}^2))'],
    'asinh': ['asinh(5*{g})', 'log(5*{g} + sqrt(1 + 25*{g}^2))', 'atanh(5*{g}/sqrt(1 + 25*{g}^2))',
              'log1p(5*{g} + 25*{g}^2/(1 + sqrt(1 + 25*{g}^2)))'],
    'expm1': ['expm1(-{g}^2)', 'exp(-{g}^2) - 1', '-2*exp(-{g}^2/2)*sinh({g}^2/2)'],
    'log': ['log(1e-4 + {g}^2)', '2*log(hypot(1e-2, {g}))', '0.5*log((1e-4 + {g}^2)^2)'],
}


# What a driven position may be: it has a finite speed everywhere.
DRIVEN = ('abs', 'positive', 'dead', 'square', 'near', 'bump', 'tanh', 'atan', 'log')


class Draw:
    """A random model, as a text with one place left open."""

    def __init__(self, seed: int) -> None:
        r = random.Random(seed)
        self.r = r
        self.two = r.random() < 0.6
        self.state = r.random() < 0.3
        self.memory = r.random() < 0.4
        self.contact = r.choice(['', '', 'coulomb', 'dahl', 'static'])
        self.kind = r.choice(sorted(FORMS))
        self.place = r.choice(['force', 'force', 'force', 'signal', 'rate', 'level', 'speed'])
        if self.place == 'rate' and not self.state: self.place = 'force'
        if self.place == 'level' and self.contact not in ('coulomb',): self.place = 'force'
        own = random.Random(seed + 500_000_000_000)  # draws of their own: those above stay what they were
        self.timely = own.random() < 0.3
        if self.timely: self.place = own.choice(['force', 'force', 'speed of d', 'position of d', 'level', 'signal'])
        if self.place == 'position of d' and self.kind not in DRIVEN: self.place = 'speed of d'
        if self.timely and self.place == 'level': self.contact = 'coulomb'
        self.own = own
        first, self.other = FORMS[self.kind][0], r.choice(FORMS[self.kind][1:])
        self.first = r.choice([first, first, r.choice(FORMS[self.kind])])
        self.model = self.make_open()

    def argument(self) -> str:
        r = self.r
        last = 'b1' if self.two else 'b0'
        terms = [r.choice(['b0.x/(1 m)', 'b0.v/(1 m/s)'])]
        if r.random() < 0.7: terms.append('%.2f*%s' % (r.uniform(-1, 1), r.choice([last + '.v/(1 m/s)', last + '.x/(1 m)'])))
        if self.state and r.random() < 0.5: terms.append('s0')
        if self.memory and r.random() < 0.3: terms.append('%.2f*m0' % r.uniform(-1, 1))
        if r.random() < 0.3: terms.append('%.2f' % r.uniform(-0.3, 0.3))
        if r.random() < 0.15: terms.append('0.2*sin(3 rad/s*t)')
        return '(' + ' + '.join(terms) + ')'

    def time_argument(self) -> str:
        r = self.own
        return r.choice(['(sin(%.2f rad/s*t) - %.2f)' % (r.uniform(1, 9), r.choice([0, 0, r.uniform(-0.5, 0.5)])),
                         '(t/(1 s) - %.2f)' % r.uniform(0.1, 1.9),
                         '(0.7*sin(%.2f rad/s*t) + 0.4*cos(%.2f rad/s*t))' % (r.uniform(1, 5), r.uniform(5, 9)),
                         '(exp(-t/(1 s)) - %.2f)' % r.uniform(0.2, 0.95)])

    def make_open(self) -> str:
        r, lines = self.r, ['slipstick: 1', 'title: equal expressions']
        driven = {'speed of d': ', d: {speed: "0.5 m/s*FORM"}', 'position of d': ', d: {position: "0.3 m*FORM"}'}.get(self.place, '')
        lines.append('bodies: {b0: {mass: %.2f kg}%s%s}' % (r.uniform(0.5, 2), ', b1: {mass: %.2f kg}' % r.uniform(0.5, 2) if self.two else '', driven))
        lines.append('connections:')
        lines.append('  - {between: [b0, ground], stiffness: %.1f, damping: %.1f}' % (r.uniform(5, 30), r.choice([0, 0.5])))
        if driven: lines.append('  - {between: [b0, d], stiffness: 10, damping: %s}' % self.own.choice(['0', '0.3']))
        if self.two:
            lines.append('  - {between: [b1, ground], stiffness: %.1f}' % r.uniform(5, 30))
            lines.append('  - {between: [b1, b0], stiffness: 5, damping: 1}')
        if self.state:
            lines.append('states: {s0: {rate: "(b0.x/(1 m) - s0%s)/(0.3 s)", start: %.2f}}' % (' + 0.3*FORM' if self.place == 'rate' else '', r.uniform(-0.5, 0.5)))
        if self.memory:
            lines.append('sampled: {k: {every: %s s, offset: 0.013 s, memory: {m0: 0.5}, at_tick: [{m0: "b0.x/(1 m)"}]}}' % r.choice(['0.02', '0.1', '0.37']))
        strength = r.choice([0.5, 1.0, 3.0]) * r.choice([-1, 1])
        if self.kind in ('log', 'atan', 'tanh'): strength *= 0.3
        if self.place == 'signal': lines.append('signals: {h: "FORM"}')
        lines.append('forces:')
        text = {'force': '%.2f N*FORM', 'signal': '%.2f N*h', 'speed': '%.2f N*FORM*(b0.x/(1 m) - 0.1)'}.get(self.place, '%.2f N*b0.x/(3 m)') % strength
        lines.append('  - {body: b0, force: "%s"}' % text)
        if self.memory: lines.append('  - {body: b0, force: "1 N*m0"}')
        body = 'b1' if self.two else 'b0'
        level = '"0.3 N + 0.1 N*clip(FORM, 0, 2)"' if self.place == 'level' else '0.3'
        law = {'coulomb': 'law: coulomb, friction: ' + level, 'dahl': 'law: dahl, sigma0: 20, coulomb: 1',
               'static': 'law: coulomb, static: 0.5, friction: 0.3'}
        if self.contact: lines.append('contacts: {c0: {between: [%s, ground], %s}}' % (body, law[self.contact]))
        start = 'b0: {x: %.2f, v: %.2f}' % (r.uniform(-1, 1), r.choice([0, r.uniform(-1, 1)]))
        if self.two: start += ', b1: {x: %.2f}' % r.uniform(-1, 1)
        lines += ['start: {%s}' % start, 'run: {until: 2 s}']
        self.g = self.argument()
        if self.timely: self.g = self.time_argument()
        return '\n'.join(lines) + '\n'

    def with_argument(self) -> str:
        """The model by the first form, and g as its signal g0."""
        text, signal = self.text(self.first), 'signals: {g0: "%s"' % self.g
        if 'signals: {' in text: return text.replace('signals: {', signal + ', ', 1)
        return text + signal + '}\n'

    def text(self, form: str) -> str:
        return self.model.replace('FORM', '(' + form.replace('{g}', self.g) + ')')


def motion(slipstick: Any, text: str) -> tuple[Any, list[float], list[tuple[str, str, str]]]:
    """Samples at TIMES with the size of each trace, times of events, and what they are."""
    sol = slipstick.Model(text).simulate(TIMES[-1], TIMES)
    return sol, [e.t for e in sol.events], [(e.contact, e.before, e.after) for e in sol.events]


def touches(slipstick: Any, draw: Draw) -> bool:
    """Whether g comes to 0 with hardly any speed, less than 0.02 per second within 3 us of it."""
    if draw.kind not in STEEP: return False
    model = slipstick.Model(draw.with_argument())
    g = model.simulate(TIMES[-1], [0.001 * k for k in range(1, 2001)])['g0']
    for k in range(1, len(g) - 1):
        if not (g[k] * g[k + 1] <= 0 or (abs(g[k]) < 1e-3 and abs(g[k]) <= min(abs(g[k - 1]), abs(g[k + 1])))): continue
        fine = model.simulate(TIMES[-1], [0.001 * k + 1e-6 * n for n in range(3000)])['g0']
        at = min(range(3, len(fine) - 3), key=lambda n: abs(fine[n]))
        if max(abs(fine[at + 3] - fine[at]), abs(fine[at] - fine[at - 3])) < 0.02 * 3e-6: return True
    return False


def compare(slipstick: Any, draw: Draw) -> str:
    """'' where both motions agree, else how they do not."""
    traces = ['b0.x', 'b0.v'] + (['b1.x', 'b1.v'] if draw.two else []) + (['s0'] if draw.state else [])
    try:
        a, ta, ea = motion(slipstick, draw.text(draw.first))
        b, tb, eb = motion(slipstick, draw.text(draw.other))
    except (slipstick.ModelError, slipstick.RunError) as error:
        return 'error: %s' % error
    if a.outcome != b.outcome: return 'outcomes %s, %s' % (a.outcome, b.outcome)
    worst = 0.0
    for name in traces:
        x, y = a[name], b[name]
        if len(x) != len(y): return 'other ends'
        if len(x) == 0: continue
        size = max(1.0, max(abs(v) for v in x))
        worst = max(worst, max(abs(u - v) for u, v in zip(x, y)) / size)
    allowed = TOLERANCE
    if not worst <= TOLERANCE and worst <= TOUCHING and touches(slipstick, draw): allowed = TOUCHING
    if not worst <= allowed: return 'differ by %.1e' % worst
    if ea != eb: return 'other events'
    late = max((abs(u - v) for u, v in zip(ta, tb)), default=0.0)
    return '' if late <= 1e3 * allowed else 'events %.1e s apart' % late


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('build')
    parser.add_argument('--pairs', type=int, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--kind', default='')
    parser.add_argument('--verbose', action='store_true')
    options = parser.parse_args()
    sys.path.insert(0, os.path.join(options.build, 'python'))
    import slipstick
    pairs = options.pairs or round(PAIRS * float(os.environ.get('SLIPSTICK_TEST_SHARE', '1')))
    failed, done = 0, 0
    wrong: dict[str, int] = {}
    for k in range(pairs):
        draw = Draw(options.seed * 1_000_000 + k)
        if options.kind and draw.kind != options.kind: continue
        done += 1
        fault = compare(slipstick, draw)
        if not fault: continue
        failed += 1
        wrong[draw.kind] = wrong.get(draw.kind, 0) + 1
        if options.verbose or failed <= 10:
            print('FAILED %d %s in %s: %s, %s: %s' % (k, draw.kind, draw.place, draw.first, draw.other, fault))
        if options.verbose: print(draw.text(draw.other))
    if wrong: print(' '.join('%s: %d' % pair for pair in sorted(wrong.items())))
    print('%d passed, %d failed' % (done - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
