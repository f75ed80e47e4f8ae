# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Bodies of the plane against a formulation of our own, integrated by SciPy's DOP853; and what must not matter: where
the world stands, how it is turned, and whether it is seen in a mirror."""
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import slipstick as ss

UNTIL = 1.0
COORDINATES = ("x", "y", "angle", "vx", "vy", "spin")


class World:
    """Some bodies that fly, with springs between their points, to the ground and to a driven body, drag at points, and
    thrust that turns with a body. `turn` and `shift` place the same world elsewhere, `mirror` reflects it first."""

    def __init__(self, seed, turn=0.0, shift=(0.0, 0.0), mirror=False):
        draw = np.random.default_rng(seed)
        self.count = int(draw.integers(1, 4))
        self.mass, self.inertia = draw.uniform(0.5, 3, self.count), draw.uniform(0.05, 0.8, self.count)
        self.start = draw.normal(size=(self.count, 6)) * [1, 1, 1, 2, 2, 3]
        self.gravity = draw.normal(size=2) * 5
        # Body -1 is the ground, body `count` the driven one.
        ends = [(b, draw.normal(size=2) * 0.5) for b in [*range(self.count), *range(-1, self.count + 1)]]
        self.points = [(int(b), at) for b, at in ends]
        self.springs = [
            (p, q, draw.uniform(1, 20), draw.uniform(0, 1), draw.uniform(-1, 3), draw.uniform(0, 0.7))
            for p, q in zip(range(len(self.points) - 1), range(1, len(self.points)))
        ]
        self.thrust = draw.normal(size=(self.count, 3)) * 2
        self.drag = draw.uniform(0, 0.3)
        self.drive = draw.uniform(0.1, 0.4, 3)
        self.rate = draw.uniform(1, 4)
        self.sign = -1.0 if mirror else 1.0
        c, s = np.cos(turn), np.sin(turn)
        self.turn, self.shift = turn, np.array(shift)
        self.matrix = np.array([[c, -s], [s, c]]) @ np.diag([1.0, self.sign])

    def place(self, v):
        return self.matrix @ v

    def model(self):
        g, d, start = self.place(self.gravity), self.matrix, []
        for x, y, a, vx, vy, w in self.start:
            start.append([*(self.place([x, y]) + self.shift), self.sign * a + self.turn, *self.place([vx, vy]), self.sign * w])
        flip = np.array([1.0, self.sign])
        bodies = {f"b{k}": {"mass": m, "inertia": i} for k, (m, i) in enumerate(zip(self.mass, self.inertia))}
        wave = [f"{self.drive[0]!r}*sin({self.rate!r}*t)", f"{self.drive[1]!r}*cos({self.rate!r}*t)"]
        bodies["table"] = {
            "position": [f"{d[k, 0]!r}*{wave[0]} + {d[k, 1]!r}*{wave[1]} + {self.shift[k]!r}" for k in range(2)],
            "angle": f"{self.sign * self.drive[2]!r}*sin({self.rate!r}*t) + {self.turn!r}",
        }
        points = {}
        for k, (b, at) in enumerate(self.points):
            if b < 0:
                points[f"p{k}"] = {"body": "ground", "at": list(self.place(at) + self.shift)}
            else:
                points[f"p{k}"] = {"body": f"b{b}" if b < self.count else "table", "at": list(flip * at)}
        keys = ("stiffness", "damping", "cubic", "length")
        springs = {f"s{k}": {"between": [f"p{p}", f"p{q}"], **dict(zip(keys, n))} for k, (p, q, *n) in enumerate(self.springs)}
        forces = []
        for b in range(self.count):
            speed = f"hypot(p{b}.vx, p{b}.vy)"
            forces.append({"at": f"p{b}", "force": [f"-{self.drag!r}*{speed}*p{b}.v{c}" for c in "xy"], "ledger": "damping"})
            forces.append({"body": f"b{b}", "force": list(flip * self.thrust[b, :2]), "moment": self.sign * self.thrust[b, 2], "frame": "body"})
        return ss.Model({
            "slipstick": 1, "title": "World", "gravity": list(g), "bodies": bodies, "points": points, "connections": springs,
            "forces": forces, "start": {f"b{k}": dict(zip(COORDINATES, s)) for k, s in enumerate(start)}, "run": {"until": UNTIL},
        })  # fmt: skip

    def at(self, t, z, point):
        """Place, speed and lever of a point."""
        b, at = point
        if b < 0:
            return at, np.zeros(2), np.zeros(2)
        if b < self.count:
            x, y, a, vx, vy, w = z[6 * b : 6 * b + 6]
        else:
            (p, q, r), k = self.drive, self.rate
            x, y, a = p * np.sin(k * t), q * np.cos(k * t), r * np.sin(k * t)
            vx, vy, w = p * k * np.cos(k * t), -q * k * np.sin(k * t), r * k * np.cos(k * t)
        lever = np.array([np.cos(a) * at[0] - np.sin(a) * at[1], np.sin(a) * at[0] + np.cos(a) * at[1]])
        return np.array([x, y]) + lever, np.array([vx - w * lever[1], vy + w * lever[0]]), lever

    def rates(self, t, z):
        force, moment = np.outer(self.mass, self.gravity), np.zeros(self.count)

        def push(b, lever, f):
            if 0 <= b < self.count:
                force[b] += f
                moment[b] += lever[0] * f[1] - lever[1] * f[0]

        for p, q, k, c, cubic, length in self.springs:
            (xp, vp, lp), (xq, vq, lq) = self.at(t, z, self.points[p]), self.at(t, z, self.points[q])
            distance = np.hypot(*(xp - xq))
            u, e = (xp - xq) / distance, distance - length
            f = -(k * e + cubic * e**3 + c * u @ (vp - vq)) * u
            push(self.points[p][0], lp, f)
            push(self.points[q][0], lq, -f)
        for b in range(self.count):
            _, v, lever = self.at(t, z, self.points[b])
            push(b, lever, -self.drag * np.hypot(*v) * v)
            c, s = np.cos(z[6 * b + 2]), np.sin(z[6 * b + 2])
            push(b, np.zeros(2), np.array([[c, -s], [s, c]]) @ self.thrust[b, :2])
            moment[b] += self.thrust[b, 2]
        out = np.empty(6 * self.count)
        for b in range(self.count):
            out[6 * b : 6 * b + 6] = [*z[6 * b + 3 : 6 * b + 6], *(force[b] / self.mass[b]), moment[b] / self.inertia[b]]
        return out

    def back(self, state):
        """A state that was computed where the world stands, as if it had never been moved."""
        place, speed = np.linalg.solve(self.matrix, state[:2] - self.shift), np.linalg.solve(self.matrix, state[3:5])
        return np.array([*place, self.sign * (state[2] - self.turn), *speed, self.sign * state[5]])


def motion(world):
    sol = world.model().simulate(tolerance=1e-12)
    assert abs(sol.energy.residual) < 1e-9 * max(1.0, abs(sol.energy.start), abs(sol.energy.end))
    ends = [[sol[f"b{b}.{c}"][-1] for c in COORDINATES] for b in range(world.count)]
    return np.concatenate([world.back(np.array(end)) for end in ends])


@pytest.mark.parametrize("seed", range(6))
def test_bodies_move_as_their_equations_integrated_elsewhere(seed):
    world = World(seed)
    reference = solve_ivp(world.rates, (0, UNTIL), world.start.ravel(), method="DOP853", rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(motion(world), reference.y[:, -1], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_where_the_world_stands_does_not_matter(seed):
    here = motion(World(seed))
    np.testing.assert_allclose(motion(World(seed, turn=2.1, shift=(3.0, -7.0))), here, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(motion(World(seed, mirror=True)), here, rtol=1e-9, atol=1e-9)


def test_a_turned_world_may_be_turned_often():
    """Angles are not wrapped: a body that spins fast for long has its angle to all digits."""
    sol = ss.loads("""
        slipstick: 1
        title: A top
        bodies: {top: {mass: 1 kg, inertia: 1 kg*m^2}}
        points: {rim: {body: top, at: [1 m, 0]}}
        signals: {x: rim.x}
        start: {top: {spin: 1000 rad/s}}
        run: {until: 100 s}""").simulate()
    assert sol["top.angle"][-1] == 1e5
    assert sol["x"][-1] == pytest.approx(np.cos(1e5), abs=1e-10)


class Tree:
    """Bodies that hang on each other by pins, in their angles: M(a) a'' = f(a, a'), with dampers at the angles."""

    def __init__(self, seed):
        draw = np.random.default_rng(100 + seed)
        self.count = count = int(draw.integers(1, 5))
        self.mass, self.inertia = draw.uniform(0.5, 2, count), draw.uniform(0.02, 0.2, count)
        self.gravity, self.drag = np.array([0, -9.81]) + draw.normal(size=2), draw.uniform(0, 0.1, count)
        self.near, self.far = 0.3 * draw.normal(size=(count, 2)), 0.3 * draw.normal(size=(count, 2))
        self.parent = [-1] + [int(draw.integers(0, k)) for k in range(1, count)]
        self.base, self.start = draw.normal(size=2), np.concatenate([draw.normal(size=count), 2 * draw.normal(size=count)])

    def places(self, angle):
        """Centres of mass, their derivatives by the angles, and by the squares of the spins."""
        place, slope, bend = [], [], []

        def add(at, sign, k, p, s, b):
            c, w = np.cos(angle[k]), np.sin(angle[k])
            r = sign * np.array([c * at[0] - w * at[1], w * at[0] + c * at[1]])
            s[:, k] += [-r[1], r[0]]
            b[:, k] -= r
            return p + r

        for k, parent in enumerate(self.parent):
            p, s, b = (self.base, np.zeros((2, self.count)), np.zeros((2, self.count))) if parent < 0 else (
                place[parent], slope[parent].copy(), bend[parent].copy())  # fmt: skip
            if parent >= 0:
                p = add(self.far[parent], 1, parent, p, s, b)
            place.append(add(self.near[k], -1, k, p, s, b))
            slope.append(s)
            bend.append(b)
        return place, slope, bend

    def rates(self, _, z):
        angle, spin = np.split(z, 2)
        _, slope, bend = self.places(angle)
        mass, force = np.diag(self.inertia), -self.drag * spin
        for m, s, b in zip(self.mass, slope, bend):
            mass = mass + m * s.T @ s
            force = force + m * s.T @ (self.gravity - b @ spin**2)
        return np.concatenate([spin, np.linalg.solve(mass, force)])

    def model(self):
        names = [f"b{k}" for k in range(self.count)]
        points = {f"near{k}": {"body": n, "at": list(self.near[k])} for k, n in enumerate(names)}
        points |= {f"far{k}": {"body": n, "at": list(self.far[k])} for k, n in enumerate(names)}
        return ss.Model({
            "slipstick": 1, "title": "Tree", "gravity": list(self.gravity), "points": points, "run": {"until": UNTIL},
            "bodies": {n: {"mass": self.mass[k], "inertia": self.inertia[k]} for k, n in enumerate(names)},
            "joints": {f"pin{k}": {"pin": [f"near{k}", list(self.base) if p < 0 else f"far{p}"]} for k, p in enumerate(self.parent)},
            "connections": [{"along": {f"{n}.angle": 1}, "damping": self.drag[k]} for k, n in enumerate(names)],
            "start": {n: {"angle": self.start[k], "spin": self.start[self.count + k]} for k, n in enumerate(names)},
        })  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_trees_with_pins_move_as_in_their_angles(seed):
    tree = Tree(seed)
    reference = solve_ivp(tree.rates, (0, UNTIL), tree.start, method="DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    sol = tree.model().simulate(tolerance=1e-12)
    angle, spin = np.split(reference, 2)
    place, slope, _ = tree.places(angle)
    for k in range(tree.count):
        expected = [*place[k], angle[k], *(slope[k] @ spin), spin[k]]
        np.testing.assert_allclose([sol[f"b{k}.{c}"][-1] for c in COORDINATES], expected, rtol=1e-8, atol=1e-8)
    assert abs(sol.energy.residual) < 1e-10


def test_joints_do_not_drift():
    """A double pendulum without friction: its pins hold and its energy stays, however long it swings."""
    sol = ss.loads("""
        slipstick: 1
        title: A double pendulum
        gravity: [0, -9.81 m/s^2]
        bodies: {a: {mass: 1 kg, inertia: 0.02 kg*m^2}, b: {mass: 0.6 kg, inertia: 0.01 kg*m^2}}
        points: {top: {body: a, at: [-0.25 m, 0]}, low: {body: a, at: [0.25 m, 0]}, hang: {body: b, at: [-0.2 m, 0]}}
        joints: {shoulder: {pin: [top, [0, 0]]}, elbow: {pin: [hang, low]}}
        signals: {elbow_gap: "hypot(hang.x - low.x, hang.y - low.y)", top_gap: "hypot(top.x, top.y)"}
        start: {a: {angle: -60 deg}, b: {angle: -120 deg}}""").simulate(1200.0, [600.0, 1200.0], tolerance=1e-14)
    assert np.max(sol["elbow_gap"]) < 1e-12 and np.max(sol["top_gap"]) < 1e-12
    assert sol.energy.end == pytest.approx(sol.energy.start, rel=1e-11)
