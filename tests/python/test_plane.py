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


class Loop:
    """A four-bar, or a crank whose rod drives a box along a rail: links with off-centre masses, dampers at their angles.
    The equations elsewhere are those in all nine coordinates with multipliers, whose joints are pulled back gently."""

    NAMES = ("crank", "rod", "last")

    def __init__(self, seed, slides, heavy=1.0):
        draw = np.random.default_rng(seed)
        length = np.array([draw.uniform(0.3, 0.5), draw.uniform(0.9, 1.2), draw.uniform(0.8, 1.1)])
        self.base, self.slides = draw.uniform(0.9, 1.1), slides
        self.mass, self.inertia = draw.uniform(0.5, 2, 3), draw.uniform(0.02, 0.1, 3)
        self.mass[draw.integers(3)] *= heavy
        ends, offset = np.array([length / 2, np.zeros(3)]).T, draw.normal(size=(3, 2)) * 0.05
        self.ends = np.stack([-ends - offset, ends - offset], axis=1)
        if slides:
            self.ends[2, 0] = 0.0
        self.gravity, self.drag = np.array([0, -9.81]) + draw.normal(size=2), draw.uniform(0, 0.2)
        self.way = np.array([np.cos(0.1), np.sin(0.1)])
        self.start = self.assemble(draw.uniform(0.5, 2.5), draw.uniform(-6, 6))

    def joints(self, q, v):
        """What the joints keep at 0, its derivatives, and what it has by the squares of the spins."""
        place, slope, bend = np.empty((3, 2, 2)), np.zeros((3, 2, 2, 9)), np.empty((3, 2, 2))
        for k in range(3):
            c, s = np.cos(q[3 * k + 2]), np.sin(q[3 * k + 2])
            for e in range(2):
                lever = np.array([[c, -s], [s, c]]) @ self.ends[k, e]
                place[k, e], bend[k, e] = q[3 * k : 3 * k + 2] + lever, -lever * v[3 * k + 2] ** 2
                slope[k, e, :, 3 * k : 3 * k + 2] = np.eye(2)
                slope[k, e, :, 3 * k + 2] = [-lever[1], lever[0]]
        parts = []
        for of, ground in ((place, True), (slope, False), (bend, False)):
            rows = [of[0, 0], of[0, 1] - of[1, 0], of[1, 1] - of[2, 0]]
            if self.slides:
                rows.append(np.array([-self.way[1], self.way[0]])[None] @ of[2, 0])
            else:
                rows.append(of[2, 1] - ([self.base, 0] if ground else 0.0))
            parts.append(np.concatenate(rows))
        return parts

    def assemble(self, angle, spin):
        q = np.array([0, 0, angle, 0.7, 0.3, -0.2, 1, 0, 0.0] if self.slides else [0, 0, angle, 0.7, 0.5, 0.1, 1, 0.3, -1.2])
        keep = np.array([0, 1, 3, 4, 5, 6, 7] if self.slides else [0, 1, 3, 4, 5, 6, 7, 8])
        for _ in range(60):
            gap, slope, _ = self.joints(q, np.zeros(9))
            step = np.linalg.lstsq(slope[:, keep], -gap, rcond=None)[0]
            q[keep] += step * min(1.0, 0.3 / max(np.abs(step).max(), 1e-300))
        gap, slope, _ = self.joints(q, np.zeros(9))
        if np.abs(gap).max() > 1e-12:
            return None
        v = np.zeros(9)
        v[2] = spin
        v[keep] = np.linalg.lstsq(slope[:, keep], -slope[:, 2] * spin, rcond=None)[0]
        return np.concatenate([q, v])

    def rates(self, _, z):
        q, v = z[:9], z[9:]
        gap, slope, bend = self.joints(q, v)
        pull = np.array([[m * self.gravity[0], m * self.gravity[1], -self.drag * w] for m, w in zip(self.mass, v[2::3])])
        mass = np.diag(np.array([[m, m, j] for m, j in zip(self.mass, self.inertia)]).ravel())
        back = -bend - 40 * slope @ v - 400 * gap
        whole = np.block([[mass, slope.T], [slope, np.zeros((len(gap), len(gap)))]])
        return np.concatenate([v, np.linalg.solve(whole, np.concatenate([pull.ravel(), back]))[:9]])

    def end(self, turn=0.0, shift=(0.0, 0.0), mirror=False):
        """Where it is at the end, computed elsewhere in space, and brought back."""
        sign, c, s = -1.0 if mirror else 1.0, np.cos(turn), np.sin(turn)
        matrix = np.array([[c, -s], [s, c]]) @ np.diag([1.0, sign])

        def put(v, moved=True):
            return [float(x) for x in matrix @ v + (shift if moved else (0, 0))]

        points = {f"{n}{e}": {"body": n, "at": [float(at[0]), float(sign * at[1])]} for k, n in enumerate(self.NAMES) for e, at in enumerate(self.ends[k])}
        model = {
            "slipstick": 1, "title": "Loop", "gravity": put(self.gravity, False), "points": points, "run": {"until": UNTIL},
            "bodies": {n: {"mass": self.mass[k], "inertia": self.inertia[k]} for k, n in enumerate(self.NAMES)},
            "joints": {"a": {"pin": ["crank0", put([0, 0])]}, "b": {"pin": ["crank1", "rod0"]}, "c": {"pin": ["rod1", "last0"]}},
            "surfaces": {"way": {"line": [put([0, 0]), put(self.way, False)]}},
            "connections": [{"along": {f"{n}.angle": 1}, "damping": self.drag} for n in self.NAMES],
            "start": {},
        }  # fmt: skip
        model["joints"]["d"] = {"rail": ["last0", "way"]} if self.slides else {"pin": ["last1", put([self.base, 0])]}
        for k, n in enumerate(self.NAMES):
            q, v = self.start[3 * k : 3 * k + 3], self.start[9 + 3 * k : 12 + 3 * k]
            numbers = [*put(q[:2]), sign * q[2] + turn, *put(v[:2], False), sign * v[2]]
            model["start"][n] = dict(zip(COORDINATES, map(float, numbers)))
        sol, q, v = ss.Model(model).simulate(tolerance=1e-12), [], []
        for n in self.NAMES:
            state = np.array([sol[f"{n}.{c}"][-1] for c in COORDINATES])
            q += [*np.linalg.solve(matrix, state[:2] - shift), sign * (state[2] - turn)]
            v += [*np.linalg.solve(matrix, state[3:5]), sign * state[5]]
        return np.array(q + v)


@pytest.mark.parametrize("slides", (False, True))
@pytest.mark.parametrize("seed", range(5))
def test_closed_loops_move_as_their_equations_integrated_elsewhere(seed, slides):
    loop = Loop(seed, slides)
    if loop.start is None:
        pytest.skip("these links cannot be put together")
    reference = solve_ivp(loop.rates, (0, UNTIL), loop.start, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    here = loop.end()
    np.testing.assert_allclose(here, reference, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(loop.end(turn=2.1, shift=(3.0, -7.0)), here, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(loop.end(mirror=True), here, rtol=1e-10, atol=1e-10)


PENDULUM = """
slipstick: 1
title: A pendulum
gravity: [0, -9.81 m/s^2]
bodies: {rod: {mass: 1 kg, inertia: 0.02 kg*m^2}}
points: {top: {body: rod, at: [-0.25 m, 0]}, again: {body: rod, at: [-0.25 m, 0]}}
joints: {hinge: {pin: [top, [0, 0]]}}
contacts: {bearing: {along: {rod.angle: 1}, law: coulomb, friction: 0.4 N*m}}
start: {rod: {angle: 0.5}}
run: {until: 20 s}
"""


@pytest.mark.parametrize("angle", (-0.5, 0.0, 0.5, 1.3))
def test_what_dry_friction_stops_is_at_rest(angle):
    """Nothing is left free, so that nothing moves, not even by rounding. The work of friction tells where it stops."""
    model = ss.loads(PENDULUM.replace("angle: 0.5", f"angle: {angle}"))
    sol = model.simulate()
    assert sol.outcome == "at-rest"
    assert [sol[f"rod.{c}"][-1] for c in ("vx", "vy", "spin")] == [0, 0, 0]
    moment = 9.81 * 0.25 * np.cos(sol["rod.angle"][-1])
    assert sol.force["bearing"][-1] == pytest.approx(moment, abs=1e-9) and abs(moment) < 0.4
    assert abs(sol.energy.residual) < 1e-10


def test_a_joint_too_many_changes_no_motion():
    """Two pins in one place share what one of them bears."""
    one = ss.loads(PENDULUM).simulate(1.0)
    two = ss.loads(PENDULUM.replace("[0, 0]]}", "[0, 0]]}, other: {pin: [again, [0, 0]]}")).simulate(1.0)
    for c in COORDINATES:
        assert two[f"rod.{c}"][-1] == pytest.approx(one[f"rod.{c}"][-1], abs=1e-9)
    for part in ("fx", "fy"):
        assert two[f"hinge.{part}"][-1] == pytest.approx(two[f"other.{part}"][-1], abs=1e-8)
        assert 2 * two[f"hinge.{part}"][-1] == pytest.approx(one[f"hinge.{part}"][-1], abs=1e-8)


def test_welded_bodies_move_as_one():
    pose = np.array([0.5 - 0.25 * np.cos(0.5), -0.4 + 0.25 * np.sin(0.5)])
    frame = np.array([[np.cos(-0.5), np.sin(-0.5)], [-np.sin(-0.5), np.cos(-0.5)]]) @ pose
    centre, lever = 0.6 / 1.6 * frame, 0.6 * 1.0 / 1.6 * frame @ frame
    whole = ss.loads(f"""
        slipstick: 1
        title: One body
        gravity: [0, -9.81 m/s^2]
        bodies: {{both: {{mass: 1.6, inertia: {0.03 + lever!r}}}}}
        points: {{top: {{body: both, at: [{-0.25 - centre[0]!r}, {-centre[1]!r}]}}}}
        joints: {{hinge: {{pin: [top, [0, 0]]}}}}
        start: {{both: {{angle: -0.5}}}}""").simulate(2.0, tolerance=1e-12)
    parts = ss.loads("""
        slipstick: 1
        title: Two bodies
        gravity: [0, -9.81 m/s^2]
        bodies: {a: {mass: 1 kg, inertia: 0.02 kg*m^2}, b: {mass: 0.6 kg, inertia: 0.01 kg*m^2}}
        points: {top: {body: a, at: [-0.25 m, 0]}}
        joints: {hinge: {pin: [top, [0, 0]]}, glue: {weld: [b, a]}}
        start: {a: {angle: -0.5}, b: {x: 0.5 m, y: -0.4 m, angle: 0.3}}""").simulate(2.0, tolerance=1e-12)
    for c in ("angle", "spin"):
        assert parts[f"a.{c}"][-1] == pytest.approx(whole[f"both.{c}"][-1], abs=1e-9)
    for part in ("fx", "fy"):
        assert parts[f"hinge.{part}"][-1] == pytest.approx(whole[f"hinge.{part}"][-1], abs=1e-8)


PARALLELOGRAM = """
slipstick: 1
title: A parallelogram
bodies: {a: {mass: 1 kg, inertia: 0.02 kg*m^2}, b: {mass: 1 kg, inertia: 0.02 kg*m^2}, c: {mass: 1 kg, inertia: 0.02 kg*m^2}}
points: {a1: {body: a, at: [-0.25, 0]}, a2: {body: a, at: [0.25, 0]}, b1: {body: b, at: [-0.5, 0]}, b2: {body: b, at: [0.5, 0]},
  c1: {body: c, at: [-0.25, 0]}, c2: {body: c, at: [0.25, 0]}}
joints: {p: {pin: [a1, [0, 0]]}, q: {pin: [a2, b1]}, r: {pin: [c2, b2]}, s: {pin: [c1, [1 m, 0]]}}
start: {a: {angle: ANGLE, spin: 3}, c: {angle: ANGLE, spin: 3}, b: {angle: 0}}
"""


def test_singular_positions_are_refused():
    """With its links in one line a parallelogram may go on as one, or folded: no answer is better than one of them."""
    with pytest.raises(ss.ModelError, match="singular position"):
        ss.loads(PARALLELOGRAM.replace("ANGLE", "0")).simulate(1e-3)
    sol = ss.loads(PARALLELOGRAM.replace("ANGLE", "1")).simulate(0.5, tolerance=1e-12)
    assert sol["a.angle"][-1] == pytest.approx(2.5, abs=1e-9)  # no gravity: it turns evenly


@pytest.mark.parametrize(
    "ask",
    (
        lambda m: m.cycle(),
        lambda m: m.simulate(1.0, derivative=["bodies.rod.mass"]),
        lambda m: m.follow("bodies.rod.mass", 1, 2),
    ),
)
def test_what_cannot_be_computed_with_joints_says_so(ask):
    with pytest.raises(ss.ModelError, match="joints"):
        ask(ss.loads(PENDULUM))


def test_no_theorem_is_applied_to_joints():
    certificate = ss.loads(PENDULUM).certify()
    assert certificate.verdict == "not-assured" and "joint 'hinge'" in certificate.reason


def test_starts_that_vary_are_completed_by_the_joints():
    angles = (-0.5, 0.0, 0.5)
    cells = ss.loads(PENDULUM).basin({"rod.angle": (-0.5, 0.5, 3)})
    for k, angle in enumerate(angles):
        alone = ss.loads(PENDULUM.replace("angle: 0.5", f"angle: {angle}")).simulate()
        assert cells.final["rod.angle"][k] == alone["rod.angle"][-1]
