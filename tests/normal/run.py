#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Laws of friction under a normal force that varies, against SciPy's DOP853.

run.py PROGRAM [--models N] [--seed N] [--keep FOLDER]. Ends in 'N passed, N failed'.

A block on a spring is shaken, and rubs by a law under a normal force that is a function of time, of the motion, or the
force of a spring, of a floor, or of a floor that leans so that friction presses on it in turn. The law is written down
here per newton, force and rates of its states, with the places where its formulas change; the equations of motion are
those of the block (and of the body above the floor) with N times that force. Every smooth stretch is one call of
solve_ivp, ended by v = 0 and by those places. State and force at the end must agree, and the ledger of the program
must close.

SLIPSTICK_TEST_SHARE in the environment scales the number of models.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
from scipy.integrate import solve_ivp

MODELS = 33
TOGETHER = 1e-9  # of a force per newton
CLOSE = 2e-9  # of the largest state: what is left of DOP853 over some stretches


# ---- laws per newton
#
# u(v, z, s, m): force per newton, s being the direction of slip and m the elements that slip; rate(v, z, s, m): of the
# states; ends(v, z, s, m): functions that are positive on the stretch; cross(k, m): what happens at the end k.

class Law:
    states = 1
    holds = False

    def start(self):
        return np.zeros(self.states)

    def begin(self, v, z, s):
        """Elements that slip as the direction s is taken."""
        return ()

    def ends(self, v, z, s, m):
        return []

    def cross(self, k, m):
        return m


def level(p, v):
    return p['coulomb'] + (p['static'] - p['coulomb']) * math.exp(-(abs(v) / p['speed']) ** 2)


def draw_stribeck(rng):
    c = rng.choice([0.2, 0.4])
    return {'coulomb': c, 'static': c * rng.choice([1.0, 1.5]), 'speed': rng.choice([0.05, 0.2])}


class Stribeck(Law):
    states, holds, name = 0, True, 'stribeck'

    def __init__(self, rng):
        self.p = draw_stribeck(rng)
        self.viscous = rng.choice([0.0, 0.3])
        if rng.random() < 0.15:  # nothing but a damper
            self.p['coulomb'] = self.p['static'] = 0.0
            self.viscous = 0.3

    def keys(self):
        return ('coulomb: %(coulomb)r, static: %(static)r, stribeck_speed: %(speed)r m/s' % self.p +
                ', viscous: %r s/m' % self.viscous)

    def breakaway(self):
        return self.p['static']

    def u(self, v, z, s, m):
        return -s * (level(self.p, v) + self.viscous * s * v)


class Curve(Stribeck):
    name = 'curve'

    def __init__(self, rng):
        self.p = draw_stribeck(rng)
        self.hold = self.p['static'] * rng.choice([1.0, 1.2])
        self.viscous = 0.0

    def keys(self):
        return ('force: "%(coulomb)r + (%(static)r - %(coulomb)r)*exp(-(v/(%(speed)r m/s))^2)"' % self.p +
                ', static: %r' % self.hold)

    def breakaway(self):
        return self.hold


class LuGre(Law):
    name = 'lugre'

    def __init__(self, rng):
        self.p = draw_stribeck(rng)
        self.sigma0 = rng.choice([50.0, 400.0])
        self.sigma1 = rng.choice([0.0, 0.5])
        self.sigma2 = rng.choice([0.0, 0.2])

    def keys(self):
        return ('sigma0: %r 1/m, sigma1: %r s/m, sigma2: %r s/m, ' % (self.sigma0, self.sigma1, self.sigma2) +
                'coulomb: %(coulomb)r, static: %(static)r, stribeck_speed: %(speed)r m/s' % self.p)

    def rate(self, v, z, s, m):
        return np.array([v - s * v * self.sigma0 * z[0] / level(self.p, v)])

    def u(self, v, z, s, m):
        return -(self.sigma0 * z[0] + self.sigma1 * self.rate(v, z, s, m)[0] + self.sigma2 * v)


class ElastoPlastic(LuGre):
    name = 'elasto-plastic'

    def __init__(self, rng):
        super().__init__(rng)
        self.p['static'] = self.p['coulomb']
        self.most = self.p['coulomb'] / self.sigma0
        self.breakaway_ = 0.5 * self.most

    def keys(self):
        return super().keys() + ', breakaway: %r m' % self.breakaway_

    def begin(self, v, z, s):
        return (s * z[0] > self.breakaway_,)

    def ends(self, v, z, s, m):
        return [s * z[0] - self.breakaway_ if m[0] else self.breakaway_ - s * z[0]]

    def cross(self, k, m):
        return (not m[0],)

    def rate(self, v, z, s, m):
        if not m[0]:
            return np.array([v])
        a = 0.5 * math.sin(math.pi * (s * z[0] - 0.5 * (self.most + self.breakaway_)) /
                           (self.most - self.breakaway_)) + 0.5
        return np.array([v * (1 - a * s * z[0] / self.most)])


class Dahl(Law):
    name = 'dahl'

    def __init__(self, rng):
        self.sigma0 = rng.choice([50.0, 300.0])
        self.coulomb = rng.choice([0.2, 0.4])
        self.shape = rng.choice([1.0, 2.0])

    def keys(self):
        return 'sigma0: %r 1/m, coulomb: %r, shape: %r' % (self.sigma0, self.coulomb, self.shape)

    def rate(self, v, z, s, m):
        w = 1 - self.sigma0 * z[0] * s / self.coulomb
        return np.array([v * abs(w) ** self.shape * math.copysign(1, w)])

    def u(self, v, z, s, m):
        return -self.sigma0 * z[0]


class BoucWen(Law):
    name = 'bouc-wen'

    def __init__(self, rng):
        self.k, self.f = rng.choice([60.0, 300.0]), rng.choice([0.2, 0.4])
        self.n = rng.choice([1.0, 2.0])

    def keys(self):
        return 'stiffness: %r 1/m, level: %r, exponent: %r' % (self.k, self.f, self.n)

    def ends(self, v, z, s, m):
        return [z[0] if m[0] else -z[0]]

    def begin(self, v, z, s):
        return (z[0] > 0 or (z[0] == 0 and s > 0),)

    def cross(self, k, m):
        return (not m[0],)

    def rate(self, v, z, s, m):
        side = 1 if m[0] else -1
        return np.array([v * (1 - (side * z[0] * self.k / self.f) ** self.n * (0.5 * s * side + 0.5))])

    def u(self, v, z, s, m):
        return -self.k * z[0]


class RateAndState(Law):
    name = 'rate-and-state'

    def __init__(self, rng):
        self.a, self.b, self.mu0 = 0.02, rng.choice([0.01, 0.03]), rng.choice([0.3, 0.5])
        self.dc, self.v0 = 0.02, 0.1

    def keys(self):
        return 'a: %r, b: %r, Dc: %r m, mu0: %r, V0: %r m/s' % (self.a, self.b, self.dc, self.mu0, self.v0)

    def start(self):
        return np.array([self.dc / self.v0])

    def rate(self, v, z, s, m):
        return np.array([1 - s * v * z[0] / self.dc])

    def u(self, v, z, s, m):
        return -self.a * math.asinh(v / (2 * self.v0) * math.exp(
            (self.mu0 + self.b * math.log(self.v0 * z[0] / self.dc)) / self.a))


class Own(LuGre):
    name = 'mine'
    laws = 'laws: {mine: {keys: {k: 50 1/m, f: 0.3, c: 0.1 s/m}, states: {z: {rate: "v - abs(v)*k*z/f"}}, ' \
           'force: "-(k*z + c*v)", stored: "k*z^2/2"}}\n'

    def __init__(self, rng):
        self.sigma0, self.sigma1, self.sigma2 = rng.choice([60.0, 300.0]), 0.0, 0.1
        self.p = {'coulomb': 0.3, 'static': 0.3, 'speed': 1.0}

    def keys(self):
        return 'k: %r 1/m' % self.sigma0


class MaxwellSlip(Law):
    name = 'maxwell-slip'

    def __init__(self, rng):
        self.states = rng.choice([2, 3])
        self.k = [rng.choice([40.0, 100.0, 300.0]) for _ in range(self.states)]
        self.f = [0.05 + 0.2 * rng.random() for _ in range(self.states)]

    def keys(self):
        return 'elements: [%s]' % ', '.join('[%r 1/m, %r]' % pair for pair in zip(self.k, self.f))

    def begin(self, v, z, s):
        return (False,) * self.states

    def ends(self, v, z, s, m):
        return [1.0 if m[i] else self.f[i] - s * self.k[i] * z[i] for i in range(self.states)]

    def cross(self, k, m):
        return m[:k] + (True,) + m[k + 1:]

    def rate(self, v, z, s, m):
        return np.array([0.0 if m[i] else v for i in range(self.states)])

    def u(self, v, z, s, m):
        return -float(np.dot(self.k, z))


class Jenkins(MaxwellSlip):
    name, states = 'jenkins', 1

    def __init__(self, rng):
        self.k, self.f = [rng.choice([60.0, 300.0])], [rng.choice([0.2, 0.4])]

    def keys(self):
        return 'stiffness: %r 1/m, breakaway: %r' % (self.k[0], self.f[0])


class Gms(Law):
    name, states = 'gms', 2

    def __init__(self, rng):
        self.p = draw_stribeck(rng)
        self.k, self.share = [60.0, rng.choice([150.0, 300.0])], [0.4, 0.6]
        self.attraction, self.viscous = rng.choice([0.5, 3.0]), rng.choice([0.0, 0.2])

    def keys(self):
        return ('elements: [%s], ' % ', '.join('[%r 1/m, %r]' % pair for pair in zip(self.k, self.share)) +
                'coulomb: %(coulomb)r, static: %(static)r, stribeck_speed: %(speed)r m/s' % self.p +
                ', attraction: %r 1/s, viscous: %r s/m' % (self.attraction, self.viscous))

    def begin(self, v, z, s):
        return (False,) * 2

    def ends(self, v, z, s, m):
        return [1.0 if m[i] else self.share[i] * level(self.p, v) - s * z[i] for i in range(2)]

    def cross(self, k, m):
        return m[:k] + (True,) + m[k + 1:]

    def rate(self, v, z, s, m):
        return np.array([s * self.attraction * (self.share[i] - s * z[i] / level(self.p, v)) if m[i]
                         else self.k[i] * v for i in range(2)])

    def u(self, v, z, s, m):
        return -(sum(z) + self.viscous * v)


LAWS = [Stribeck, Curve, LuGre, ElastoPlastic, Dahl, BoucWen, RateAndState, Own, MaxwellSlip, Jenkins, Gms]


# ---- what presses
#
# text: the normal force in the model, bodies: what else the model needs; force(t, x, v, u): N, where u is the force per
# newton and `push` all else that acts on the block.

class Load:
    more = {}

    def __init__(self, rng):
        self.n0, self.n1 = rng.choice([4.0, 10.0]), rng.choice([1.0, 3.0])
        self.w = rng.uniform(1.0, 9.0)


class InTime(Load):
    def text(self):
        return '"%r N + %r N*sin(%r rad/s*t)"' % (self.n0, self.n1, self.w)

    def force(self, t, x, v, u, push):
        return self.n0 + self.n1 * math.sin(self.w * t)


class ByMotion(Load):
    def text(self):
        return '"%r N*(1 + 0.3*sin(%r*block.x/(1 m))) + %r N*s^2/m^2*block.v^2"' % (self.n0, self.w, self.n1)

    def force(self, t, x, v, u, push):
        return self.n0 * (1 + 0.3 * math.sin(self.w * x)) + self.n1 * v * v


class BySpring(Load):
    """A spring, and what is given in time, in one expression."""

    def __init__(self, rng):
        super().__init__(rng)
        self.more = {'connections': ', clamp: {between: [block, ground], stiffness: 12 N/m, damping: 0.2 N*s/m, '
                                    'length: 0.6 m}'}

    def text(self):
        return '"abs(clamp.force) + %r N*sin(%r rad/s*t)^2"' % (self.n1, self.w)

    def clamp(self, x, v):
        return -12.0 * (x - 0.6) - 0.2 * v

    def pulls(self, x, v):
        return self.clamp(x, v)

    def force(self, t, x, v, u, push):
        return abs(self.clamp(x, v)) + self.n1 * math.sin(self.w * t) ** 2


class ByFloor(Load):
    """A body that lies on the floor and is pressed there."""

    def __init__(self, rng):
        super().__init__(rng)
        self.more = {'bodies': ', up: {mass: 2 kg}',
                     'forces': ', {body: up, force: "%s"}' % self.press(-1),
                     'contacts': '  floor: {between: [up, ground], law: rigid-stop, below: 0 m, restitution: 0}\n'}

    def press(self, sign):
        return '%r N + %r N*sin(%r rad/s*t)' % (sign * self.n0, sign * self.n1, self.w)

    def text(self):
        return 'floor.force'

    def force(self, t, x, v, u, push):
        return self.n0 + self.n1 * math.sin(self.w * t)


class ByLeaning(ByFloor):
    """The floor is along up + c block: friction and all that pulls at the block press on it."""

    def __init__(self, rng):
        super().__init__(rng)
        self.c = rng.choice([0.2, -0.3])
        self.more['contacts'] = ('  floor: {along: {up: 1, block: %r}, law: rigid-stop, below: 0 m, restitution: 0}\n'
                                 % self.c)

    def force(self, t, x, v, u, push):
        # up'' = (N - press)/2, block'' = (push + (u + c) N)/m, up'' + c block'' = 0
        press = self.n0 + self.n1 * math.sin(self.w * t)
        return (press / 2 - self.c * push / self.mass) / (0.5 + self.c * (u + self.c) / self.mass)


LOADS = [InTime, ByMotion, BySpring, ByFloor, ByLeaning]


# ---- models

class Model:
    def __init__(self, rng, law=None, load=None):
        self.law = (law or rng.choice(LAWS))(rng)
        self.load = (load or rng.choice(LOADS))(rng)
        self.mass, self.k = rng.choice([0.5, 2.0]), rng.choice([5.0, 40.0])
        self.drive, self.w = rng.choice([0.0, 4.0, 12.0]), rng.uniform(1.0, 6.0)
        self.x0, self.v0 = rng.uniform(-0.5, 0.5), rng.choice([1.0, -0.7])
        self.until = 1.5
        self.load.mass = self.mass

    def text(self):
        more = self.load.more
        return ('slipstick: 1\ntitle: %s under a load\n' % self.law.name +
                'bodies: {block: {mass: %r kg}%s}\n' % (self.mass, more.get('bodies', '')) +
                'connections: {k: {between: [block, ground], stiffness: %r N/m}%s}\n' % (
                    self.k, more.get('connections', '')) +
                'forces: [{body: block, force: "%r N*sin(%r rad/s*t)"}%s]\n' % (
                    self.drive, self.w, more.get('forces', '')) +
                getattr(self.law, 'laws', '') + 'contacts:\n%s' % more.get('contacts', '') +
                '  rub: {between: [block, ground], law: %s, %s, normal: %s}\n' % (
                    self.law.name, self.law.keys(), self.load.text()) +
                'start: {block: {x: %r m, v: %r m/s}%s}\n' % (self.x0, self.v0, self.start_of_up()))

    def start_of_up(self):
        if not isinstance(self.load, ByLeaning):
            return ''
        return ', up: {x: %r m, v: %r m/s}' % (-self.load.c * self.x0, -self.load.c * self.v0)

    def push(self, t, x, v):
        pull = self.load.pulls(x, v) if isinstance(self.load, BySpring) else 0.0
        return -self.k * x + self.drive * math.sin(self.w * t) + pull

    def pressing(self, push, normal):
        return self.load.c * normal if isinstance(self.load, ByLeaning) else 0.0

    def forces(self, t, x, v, u):
        push = self.push(t, x, v)
        normal = self.load.force(t, x, v, u, push)
        return normal, push + self.pressing(push, normal)

    def needed(self, t, x):
        """At rest: the force that would hold the block, and the normal force with it."""
        push = self.push(t, x, 0.0)
        if not isinstance(self.load, ByLeaning):
            return -push, self.load.force(t, x, 0.0, 0.0, push)
        normal = self.load.n0 + self.load.n1 * math.sin(self.load.w * t)
        return -(push + self.load.c * normal), normal


class Peer:
    """The motion by SciPy."""

    def __init__(self, model):
        self.model, self.law = model, model.law
        self.t, self.y = 0.0, np.concatenate([[model.x0, model.v0], model.law.start()])
        self.s = math.copysign(1.0, model.v0)
        self.least, self.missed = math.inf, False
        while self.t < model.until:
            if self.y[1] == 0.0 and self.law.holds and self.holds(self.t, self.y[0]) >= 0.0:
                self.stick()
            else:
                self.slip()

    def holds(self, t, x):
        force, normal = self.model.needed(t, x)
        return normal * self.law.breakaway() - abs(force)

    def stick(self):
        x = self.y[0]
        end = lambda t, y: self.holds(t, x)
        end.terminal, end.direction = True, -1
        out = solve_ivp(lambda t, y: [0.0], (self.t, self.model.until), [0.0], method='DOP853', events=end,
                        max_step=0.01)
        self.t = out.t[-1]
        if self.t < self.model.until:
            self.s = -math.copysign(1.0, self.model.needed(self.t, x)[0])
            self.stretch(self.law.begin(0.0, self.y[2:], self.s), skip=1e-9)

    def slip(self):
        if self.y[1] == 0.0:
            held = self.law.u(0.0, self.y[2:], self.s, self.law.begin(0.0, self.y[2:], self.s))
            normal, push = self.model.forces(self.t, self.y[0], 0.0, held)
            a = push + (0.0 if self.law.holds else normal * held)
            if a != 0.0:
                self.s = math.copysign(1.0, a)
        self.stretch(self.law.begin(self.y[1], self.y[2:], self.s))

    def field(self, t, y, m):
        u = self.law.u(y[1], y[2:], self.s, m)
        normal, push = self.model.forces(t, y[0], y[1], u)
        self.least = min(self.least, normal)
        rates = self.law.rate(y[1], y[2:], self.s, m) if self.law.states else []
        return np.concatenate([[y[1], (push + normal * u) / self.model.mass], rates])

    def stretch(self, m, skip=0.0):
        """Slips on until v = 0, through the places where the formulas of the law change."""
        while True:
            ends = [lambda t, y: self.s * y[1]]
            for k in range(len(self.law.ends(self.y[1], self.y[2:], self.s, m))):
                ends.append(lambda t, y, k=k, m=m: self.law.ends(y[1], y[2:], self.s, m)[k])
            for end in ends:
                end.terminal, end.direction = True, -1
            out = solve_ivp(lambda t, y: self.field(t, y, m), (self.t, self.model.until), self.y, method='DOP853',
                            rtol=1e-13, atol=1e-15, events=ends, max_step=0.02)
            self.t, self.y = out.t[-1], out.y[:, -1].copy()
            # An end passed and passed back within one step, about v = 0, is not seen.
            self.missed |= any(value < -TOGETHER for value in self.law.ends(self.y[1], self.y[2:], self.s, m))
            met = [k for k, times in enumerate(out.t_events) if len(times)]
            if not met:
                return
            if met[0] == 0:
                self.y[1] = 0.0
                return
            # Elements that have slipped together before do so at the same instant, but for rounding.
            for k, value in enumerate(self.law.ends(self.y[1], self.y[2:], self.s, m)):
                if value < TOGETHER or k == met[0] - 1:
                    m = self.law.cross(k, m)


# ---- comparison

def run(program, model, folder, name):
    path = os.path.join(folder, name + '.yaml')
    with open(path, 'w', encoding='utf-8') as out:
        out.write(model.text())
    done = subprocess.run([program, 'simulate', path, '--json', '--until', repr(model.until), '--tolerance', '1e-12'],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def compare(model, answer):
    """What is wrong, or None."""
    peer = Peer(model)
    if peer.least < 1e-3 or peer.missed:
        return None  # the run ends there, and so it should; or the peer is none
    block = answer['state']['block']
    size = max(abs(peer.y[0]), abs(peer.y[1]), 0.1)
    for key, value in (('x', peer.y[0]), ('v', peer.y[1])):
        if not abs(block[key] - value) <= CLOSE * size:
            return '%s is %.12g and not %.12g' % (key, block[key], value)
    energy = answer['energy']
    entries = sum(abs(energy[key]) for key in ('start', 'end', 'input', 'friction'))
    if not abs(energy['residual']) <= 1e-9 * entries:
        return 'the ledger is off by %g of %g' % (energy['residual'], entries)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--models', type=int, default=MODELS)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep')
    parser.add_argument('--law')
    parser.add_argument('--load')
    args = parser.parse_args()
    rng = random.Random(args.seed)
    laws = [law for law in LAWS if args.law in (None, law.__name__)]
    loads = [load for load in LOADS if args.load in (None, load.__name__)]
    count = max(1, round(args.models * float(os.environ.get('SLIPSTICK_TEST_SHARE', '1'))))
    passed = failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for i in range(count):
            law, load = laws[i % len(laws)], loads[i // len(laws) % len(loads)]
            if law is RateAndState and load is ByLeaning:
                load = InTime  # it creeps for ever at speeds of 1e-12 m/s, by tiny steps: forces have no stiff ones
            model = Model(rng, law, load)
            name = 'model%d' % i
            status, out, err = run(args.program, model, folder, name)
            wrong = err.strip() if status else compare(model, json.loads(out))
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print('%s %s %s: %s' % (name, model.law.name, type(model.load).__name__, wrong), flush=True)
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
