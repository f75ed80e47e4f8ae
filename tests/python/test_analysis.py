# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Maps, fits, cycles, certificates, sliders and laws."""
import numpy as np
import pytest
from shared_fixtures import ROOT

import slipstick as ss


def two(damping=-0.1):
    return ss.Model.matrices(M=[[1]], C=[[damping]], K=[[1]], W=[[1]], friction=[1])


def test_a_map_agrees_with_motions():
    model = two()
    m = model.basin({"q1.x": (-20, 20, 21), "q1.v": (-3, 3, 4)}, threads=2)
    assert m.outcome.shape == (4, 21) and sum(m.counts.values()) == 84
    for i, v in enumerate(m.axes["q1.v"]):
        for k, x in enumerate(m.axes["q1.x"]):
            if m.outcome[i, k] != "rest":
                continue
            sol = model.simulate(1e3, start={"q1.x": x, "q1.v": v})
            assert sol.outcome == "at-rest"
            assert m.t_rest[i, k] == pytest.approx(sol.t_end, rel=1e-12)
            assert m.final["q1.x"][i, k] == pytest.approx(sol["q1.x"][-1], abs=1e-12)


def test_a_certified_region_is_in_the_map():
    model = two()
    cert = model.certify()
    m = model.basin({"q1.x": (-12, 12, 41), "q1.v": (-12, 12, 41)}, threads=2)
    x, v = np.meshgrid(m.axes["q1.x"], m.axes["q1.v"])
    inside = 0.5 * (x**2 + v**2) < cert.rho_star
    assert cert.verdict == "local" and inside.any() and (m.outcome[inside] == "rest").all()


def test_random_starts_are_those_of_their_seed():
    maps = [two().basin({"q1.x": (-20, 20)}, random=200, seed=seed, threads=1) for seed in (1, 1, 2)]
    assert (maps[0].fate == maps[1].fate).all() and not (maps[0].final["q1.x"] == maps[2].final["q1.x"]).all()


def test_a_fit_finds_the_level_it_was_made_with():
    model = ss.Model({
        "bodies": {"block": {"mass": 1}},
        "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": 0.7}},
        "start": {"block": {"v": 3}},
    })
    t = np.linspace(0, 3, 200)
    noise = 1e-3 * np.random.default_rng(7).standard_normal(len(t))
    x = model.simulate(t_eval=t)["block.x"] + noise
    fit = model.with_({"contacts.floor.friction": 0.5}).fit((t, x), {"block.x": "1"}, ["contacts.floor.friction"])
    value, error = fit.values["contacts.floor.friction"], fit.stderr["contacts.floor.friction"]
    assert abs(value - 0.7) < 4 * error < 0.01
    assert fit.cov[0, 0] == pytest.approx(error**2) and fit.model.simulate().t_end == pytest.approx(3 / value)


SHAKEN = {
    "bodies": {"block": {"mass": 1}},
    "connections": [{"between": ["block", "ground"], "stiffness": 10, "damping": 0.5}],
    "contacts": {"pad": {"between": ["block", "ground"], "law": "lugre", "sigma0": 200, "sigma1": 2, "sigma2": 0, "coulomb": 0.3}},
    "forces": [{"body": "block", "force": "2 N*sin(2 rad/s*t)"}],
    "sampled": {"clock": {"every": f"{np.pi / 8!r} s", "memory": {"seen": "0 m"}, "at_tick": [{"seen": "block.x"}]}},
}


@pytest.mark.parametrize("name", ["hunting-servo", "stick-slip-belt", "shaken"])
def test_a_cycle_comes_back(models, name):
    """The motion from the start of a cycle returns after its period: bodies, states, bristles and memory."""
    model = ss.Model(SHAKEN) if name == "shaken" else ss.load(models / f"{name}.yaml")
    cycle = model.cycle()
    sol = cycle.simulate(50)
    named = {**dict(zip(sol.names, sol.y)), **sol.state, **sol.memory}
    named = {name: row for name, row in named.items() if name not in cycle.drift and not name.startswith("belt")}
    for which, row in named.items():
        assert row[-1] == pytest.approx(row[0], abs=1e-7 * max(np.ptp(row), 1e-9)), which
        if which in cycle.amplitude:
            assert cycle.middle[which] == pytest.approx((row.max() + row.min()) / 2, abs=0.1 * np.ptp(row))


def test_a_cycle_of_elements_has_no_start():
    model = ss.Model({
        "bodies": {"block": {"mass": 1}},
        "connections": [{"between": ["block", "ground"], "stiffness": 10, "damping": 1}],
        "contacts": {"pad": {"between": ["block", "ground"], "law": "maxwell-slip", "elements": [[5.0, 0.2], [3.0, 0.5]]}},
        "forces": [{"body": "block", "force": "1 N*sin(2 rad/s*t)"}],
    })
    cycle = model.cycle()
    with pytest.raises(ss.RunError, match="elements"):
        cycle.simulate()


BELT = '''
slipstick: 1
title: a block on a belt
parameters: {speed: 0.1 m/s}
bodies: {block: {mass: 1 kg}, belt: {speed: speed}}
connections: [{between: [block, ground], stiffness: 100 N/m, damping: 3 N*s/m}]
contacts: {face: {between: [block, belt], law: curve, force: "1 N + 2 N * exp(-v / (0.1 m/s))"}}
start: {block: {x: 10 mm}}
run: {until: 40 s}
'''


def test_branches_meet_at_the_hopf_point():
    # Friction falls as fast as the damper resists where 20 exp(-10 v) = 3; the cycle shrinks to nothing there.
    model, hopf = ss.loads(BELT), 0.1 * np.log(20 / 3)
    steady = model.follow("parameters.speed", 0.05, 0.5, steady=True)
    assert [s["kind"] for s in steady.special] == ["hopf"]
    assert steady.special[0]["value"] == pytest.approx(hopf, rel=1e-8)
    assert steady["block.x"] == pytest.approx((1 + 2 * np.exp(-10 * steady.value)) / 100, rel=1e-9)
    assert (steady.stable == (steady.value > hopf)).all()
    cycles = model.follow("parameters.speed", 0.1, 0.5)
    assert [s["kind"] for s in cycles.special] == ["boundary", "hopf"]
    assert cycles.special[1]["value"] == pytest.approx(hopf, rel=1e-8)
    assert cycles["block.x"][0] == pytest.approx(model.cycle().amplitude["block.x"], rel=1e-9)
    assert len(cycles.to_pandas()) == len(cycles.points)
    with pytest.raises(ss.ModelError):
        model.follow("parameters.sped", 0, 1)
    with pytest.raises(ss.RunError):
        model.follow("parameters.speed", 0.2, 0.5, until=0.1)


def test_a_cycle_repeats():
    model = ss.Model({
        "bodies": {"block": {"mass": 1}},
        "connections": [{"between": ["block", "ground"], "stiffness": 1, "damping": 0.5}],
        "forces": [{"body": "block", "force": "1 N*sin(2 rad/s*t)"}],
    })
    cycle = model.cycle()
    sol = cycle.simulate(50)
    assert cycle.period == pytest.approx(np.pi, rel=1e-12) and cycle.stable
    assert sol["block.x"][0] == pytest.approx(sol["block.x"][-1], abs=1e-12)
    assert cycle.amplitude["block.x"] == pytest.approx(1 / np.sqrt(9 + 1), rel=1e-9)
    with pytest.raises(ss.ModelError, match="period"):
        model.cycle(period=2.0)


def test_a_disk_that_does_not_turn_stops_as_a_block(models):
    disk = ss.load(models / "disk.yaml")
    load = disk.load((1.0, 0.0, 0.0))
    assert load[0] > 0 and abs(load[1]) < 1e-12 * load[0]
    held = disk.first_motion(0.5 * load)
    assert held["acceleration"] == [0.0, 0.0, 0.0]
    loads, motions, triangles = disk.surface(n=8)
    assert loads.shape == motions.shape == (4 * 64 + 2, 3) and triangles.max() == len(loads) - 1
    for load, motion in zip(loads[::16], motions[::16]):
        assert load @ np.array([motion[0], motion[1], motion[2]]) > 0


def test_a_batch_of_sliders_is_a_motion_each(models):
    disk = ss.load(models / "disk.yaml")
    starts = np.array([[0, 0, 0, 1, 0, 0.5], [0, 0, 0, 0.2, -0.1, 3.0]])
    ends = disk.batch(starts)
    for begin, end in zip(starts, ends):
        names = ("x", "y", "angle", "vx", "vy", "spin")
        sol = disk.simulate(1e3, start=dict(zip(names, begin)))
        np.testing.assert_allclose(end, [sol[name][-1] for name in names], atol=1e-9)


LAWS = {
    "lugre": lambda: ss.LuGre(sigma0=1e5, sigma1=300, sigma2=0.4, coulomb=1.0, static=1.5, stribeck_speed=0.01),
    "dahl": lambda: ss.Dahl(sigma0=1e4, coulomb=2.0, shape=0.5),
    "bouc-wen": lambda: ss.BoucWen(1e4, 2.0, beta=0.7, gamma=0.2, exponent=1.5),
    "rate-and-state": lambda: ss.RateAndState(0.1, 0.15, 1e-3, 0.6, 1e-3, 10.0),
    "elasto-plastic": lambda: ss.ElastoPlastic(1e5, 300, 0.4, coulomb=1.0, static=1.5, stribeck_speed=0.01, breakaway=4e-6),
    "gms": lambda: ss.GMS([[1e4, 0.7], [1e3, 0.3]], 1.0, 20.0, static=1.5, stribeck_speed=0.01, viscous=0.1),
    "maxwell-slip": lambda: ss.MaxwellSlip([[100, 1], [1000, 0.5]]),
    "jenkins": lambda: ss.Jenkins(100, 1),
    "coulomb": lambda: ss.Coulomb(1.0, 2.0),
    "stribeck": lambda: ss.Stribeck(1.0, 2.0, 0.1),
    "curve": lambda: ss.Curve([[0, 2], [0.05, 1], [0.08, 3]]),
    "formula": lambda: ss.Curve("1 N + 2 N * exp(-v / (0.05 m/s))"),
    "elastic-stop": lambda: ss.ElasticStop(above=0.01, stiffness=1e3, damping=20.0),
    "hunt-crossley": lambda: ss.HuntCrossley(above=0.01, stiffness=1e3, alpha=0.1),
}


@pytest.mark.parametrize("name", LAWS)
def test_steps_one_by_one_and_all_at_once(name):
    v = 0.1 * np.sin(np.linspace(0, 20, 500))
    law, other = LAWS[name](), LAWS[name]()
    one_by_one = np.array([law.step(float(one), 0.01) for one in v])
    np.testing.assert_array_equal(other.step(v, 0.01), one_by_one)
    assert np.isfinite(one_by_one).all() and np.ptp(one_by_one) > 0


def test_laws_refuse_bad_numbers():
    with pytest.raises(ss.ModelError, match="sigma0"):
        ss.LuGre(sigma0=-1, coulomb=1)
    with pytest.raises(ss.ModelError):
        ss.Dahl(sigma0=1, coulomb=0)
    for bad in ([[0.1, 1.0]], [[0.0, -1.0]], [[0.0, 1.0], [0.0, 2.0]]):
        with pytest.raises(ss.ModelError) as told:
            ss.Curve(bad)
        assert told.value.field.startswith("force")
    with pytest.raises(ss.ModelError, match="static"):
        ss.Curve({"forward": [[0, 2]], "backward": [[0, 1]]}, static=1.5)
    for bad, column in (("1 N + t * (1 N/s)", 7), ("1 N + v * (1 N/m)", 5), ("1 N + 2 N * exp(-v / w)", 22), ("1 N - v * (1 N*s/m)", None)):
        with pytest.raises(ss.ModelError) as told:
            ss.Curve(bad)
        assert told.value.field == "force" and told.value.column == column, bad
    with pytest.raises(ss.ModelError, match="static"):
        ss.Curve({"forward": "2 N", "backward": [[0, 1]]}, static=1.5)
    with pytest.raises(ss.ModelError, match="damping"):
        ss.ElasticStop(below=0.0, stiffness=1.0, damping=-1.0)
    with pytest.raises(ss.ModelError, match="breakaway"):
        ss.ElastoPlastic(1e5, coulomb=1.0, breakaway=2e-5)
    with pytest.raises(ss.ModelError, match="shares"):
        ss.GMS([[1e4, 0.7], [1e3, 0.7]], 1.0, 20.0)
    with pytest.raises(ValueError, match="pairs"):
        ss.GMS([1.0, 2.0], 1.0, 20.0)


def test_a_curve_by_an_expression():
    law = ss.Curve({"forward": "1 N + 2 N * exp(-v / (0.1 m/s)) + v^2 * (3 N*s^2/m^2)", "backward": [[0.0, 2.0], [0.5, 1.0]]})
    v = np.linspace(0.01, 2.0, 60)
    np.testing.assert_allclose(law.step(v), -(1 + 2 * np.exp(-v / 0.1) + 3 * v**2), rtol=1e-14)
    np.testing.assert_allclose(law.step(-v), np.maximum(2 - 2 * v, 1.0), rtol=1e-14)
    for force, holds in ((-10.0, -3.0), (10.0, 2.0), (0.5, 0.5)):
        law.holding = force
        assert law.step(0.0) == holds


@pytest.mark.parametrize("law", ["lugre", "elasto-plastic"])
def test_a_law_alone_is_the_law_of_a_motion(law):
    """A body dragged at constant speeds has the force that the law's steps give."""
    numbers = {"sigma0": 1e5, "sigma1": 300, "sigma2": 0.4, "coulomb": 1.0}
    more = {} if law == "lugre" else {"breakaway": 4e-6}
    model = ss.Model({
        "bodies": {"slide": {"speed": "step(1 s - t)*0.004 mm/s - step(t - 1 s)*0.02 mm/s"}, "b": {"mass": 1}},
        "contacts": {"rail": {"between": ["slide", "ground"], "law": law, **numbers, **more}},
    })
    alone = (ss.LuGre if law == "lugre" else ss.ElastoPlastic)(**numbers, **more)
    t = np.arange(1, 40) * 0.05
    sol = model.simulate(t_eval=t, until=2.0)
    forces = [alone.step(4e-6 if now < 1.01 else -2e-5, 0.05) for now in t]
    keep = np.abs(t - 1.0) > 1e-9  # on the jump of the speed a sample is its right limit
    np.testing.assert_allclose(sol.force["rail"][keep], np.array(forces)[keep], atol=1e-12)


def quantised(steps):
    """The sampled servo with an encoder of other steps, or (None) without one."""
    text = (ROOT / "models" / "sampled-servo.yaml").read_text(encoding="utf-8")
    read = "stage.x" if steps is None else f"round(stage.x / ({steps} m)) * ({steps} m)"
    assert text.count("round(stage.x / 1 um) * 1 um") == 1
    return ss.loads(text.replace("round(stage.x / 1 um) * 1 um", read))


def test_a_derivative_passes_through_rounding():
    """Through steps it tends to that of the loop without an encoder, which differences of motions confirm; without, the
    loop is cut: another number, and both are told."""
    gains = ["parameters.kp", "parameters.ki"]
    ideal = quantised(None).simulate(0.3, [0.05, 0.3], derivative=gains)
    near = [quantised(None).with_({"parameters.kp": kp}).simulate(0.3, [0.05, 0.3])["stage.x"] for kp in (1999.99, 2000.01)]
    np.testing.assert_allclose(ideal.derivative["parameters.kp"]["stage.x"], (near[1] - near[0]) / 0.02, rtol=1e-6)
    assert not ideal.notes
    for steps, share in ((1e-6, 1e-2), (1e-8, 1e-4), (1e-10, 1e-6)):
        passed = quantised(steps).simulate(0.3, [0.05, 0.3], derivative=gains, through_rounding=True)
        cut = quantised(steps).simulate(0.3, [0.05, 0.3], derivative=gains)
        for gain in gains:
            want = ideal.derivative[gain]["stage.x"]
            np.testing.assert_allclose(passed.derivative[gain]["stage.x"], want, rtol=share)
            assert (abs(cut.derivative[gain]["stage.x"] - want) > 0.3 * abs(want)).all()
        assert "as if they were not there" in passed.notes[0].text and "no guide for tuning" in cut.notes[0].text


def test_an_exponent_passes_through_rounding():
    """A loop that lags one tick: x[k+1] = x[k] - a round(x[k]/q) q has the factor 1 - a per tick with fine steps, and 1
    between them."""
    text = """
slipstick: 1
title: a place that a controller lowers at every tick
bodies: {block: {mass: 1 kg}}
connections: [{between: [block, ground], stiffness: 400 N/m, damping: 40 N*s/m}]
sampled: {clock: {every: 1 s, memory: {y: 100}, at_tick: [y: "y - 0.25*round(y*1e6)/1e6"]}}
"""
    for through, rate in ((False, 0.0), (True, np.log(0.75))):
        scan = ss.loads(text).scan({"bodies.block.mass": [1]}, measure="lyapunov", section="1 s", skip=2, keep=20,
                                   through_rounding=through)
        assert scan["lyapunov"][0] == pytest.approx(rate, abs=1e-6)
        assert len(scan.notes) == 2 and "round" in scan.notes[0] and "over so few sections" in scan.notes[1]
    assert not quantised(None).scan({"parameters.kp": [2000]}, measure="lyapunov", section="1 ms", skip=1, keep=100).notes


def test_settling_is_of_the_start():
    step = ss.Model({"bodies": {"b": {"mass": 1}}, "connections": [{"between": ["b", "ground"], "stiffness": 1, "damping": 2}],
                     "forces": [{"body": "b", "force": "1 N"}], "run": {"until": 60}})
    told = step.scan({"bodies.b.mass": [1]}, measure="settling:b.x:0.001,overshoot:b.x")
    assert told["settling:b.x:0.001"][0] == pytest.approx(9.233413476451586, abs=1e-8) and told.status == ["settled"]
    with pytest.raises(ss.ModelError, match="how the motion begins"):
        step.scan({"bodies.b.mass": [1]}, measure="settling:b.x:0.001,max:b.x")
    with pytest.raises(ss.ModelError, match="lyapunov"):
        step.scan({"bodies.b.mass": [1]}, measure="max:b.x", section="1 s", through_rounding=True)
    with pytest.raises(ss.ModelError, match="derivative"):
        step.simulate(through_rounding=True)
