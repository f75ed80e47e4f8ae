# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What varies: values, ranges and distributions of maps and scans, and many motions by the rows of a table."""
import os
import subprocess

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import slipstick as ss

BLOCK = {
    "bodies": {"block": {"mass": 1}},
    "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": 1}},
    "start": {"block": {"v": 3}},
}
DRIVEN = """
slipstick: 1
title: A mass on a spring, driven
parameters: {w: 2 rad/s}
bodies: {block: {mass: 1 kg}}
connections: [{between: [block, ground], stiffness: 1 N/m, damping: 1 N*s/m}]
forces: [{body: block, force: "1 N * cos(w*t)"}]"""
FRICTION = "contacts.floor.friction"


def response(w):
    return 1 / np.hypot(1 - w**2, w)


@pytest.mark.parametrize(("given", "values"), [
    ([1, 2, 5], [1, 2, 5]),
    (np.array([1, 2, 3]), [1, 2, 3]),
    (np.array([3.0, 1.0, 2.0]), [3, 1, 2]),
    (pd.Series([2.0, 4.0]), [2, 4]),
    (["2 rad/s", "3 rad/s"], [2, 3]),
    (2.5, [2.5]),
    (np.array(2.5), [2.5]),
    ((1, 3, 3), [1, 2, 3]),
    (("1 rad/s", "3 rad/s", 3), [1, 2, 3]),
    ((1, 4, 3, "log"), [1, 2, 4]),
    (np.linspace(1, 2, 5), [1, 1.25, 1.5, 1.75, 2]),
])  # fmt: skip
def test_lists_and_arrays_are_values_tuples_are_ranges(given, values):
    scan = ss.loads(DRIVEN).scan({"parameters.w": given}, measure="amplitude:block.x", skip=60, threads=1)
    np.testing.assert_allclose(scan["parameters.w"], values, rtol=1e-15)
    np.testing.assert_allclose(scan["amplitude:block.x"], response(np.array(values, dtype=float)), rtol=1e-7)


@pytest.mark.parametrize("given", [(1, 2), (1, 2, 3, "lin"), (1, 2, 2.5), (1, 2, 0), (-1, 2, 3, "log"), [], [[1, 2], [3, 4]],
                                   "soon", [1, np.nan], {1, 2}, None, ["1 kg"], ss.normal(1, 2)])  # fmt: skip
def test_what_is_neither_is_refused(given):
    with pytest.raises(ss.ModelError, match=r"parameters\.w"):
        ss.loads(DRIVEN).scan({"parameters.w": given}, measure="amplitude:block.x", skip=2, threads=1)


def test_carried_values_rise_or_fall():
    model = ss.loads(DRIVEN)
    up = model.scan({"parameters.w": [1, 2, 4]}, measure="amplitude:block.x", skip=60, carry="up", threads=1)
    np.testing.assert_allclose(up["amplitude:block.x"], response(np.array([1.0, 2.0, 4.0])), rtol=1e-7)
    with pytest.raises(ss.ModelError, match="rise or fall"):
        model.scan({"parameters.w": [1, 4, 2]}, measure="amplitude:block.x", skip=60, carry="up")


def test_maps_over_values():
    """It stops after v/f, having gone v^2/2f."""
    m = ss.Model(BLOCK).basin({FRICTION: [0.5, 2.0, 1.0], "block.v": (1, 4, 3, "log")}, threads=1)
    v, f = m.axes["block.v"][:, None], m.axes[FRICTION][None]
    np.testing.assert_allclose(m.t_rest, v / f, rtol=1e-12)
    np.testing.assert_allclose(m.final["block.x"], v**2 / 2 / f, rtol=1e-12)
    assert m.attractors == [] and m.quantiles == {} and m.fraction == 1.0
    frame = m.to_pandas()
    np.testing.assert_allclose(frame["t"], frame["block.v"] / frame[FRICTION], rtol=1e-12)


OVER = {FRICTION: ss.lognormal("1 N", 0.3), "block.v": ss.normal("3 m/s", "10 cm/s"), "bodies.block.mass": ss.uniform(1, 2)}


def test_draws_are_those_of_their_distributions():
    m = ss.Model(BLOCK).basin(OVER, random=5000, seed=11)
    drawn = m.axes
    known = {FRICTION: stats.lognorm(0.3), "block.v": stats.norm(3, 0.1), "bodies.block.mass": stats.uniform(1, 1)}
    for path, of in known.items():
        assert stats.kstest(drawn[path], of.cdf).pvalue > 1e-3
    assert abs(np.corrcoef(np.array(list(drawn.values())))[np.triu_indices(3, 1)]).max() < 0.05
    np.testing.assert_allclose(m.t_rest, drawn["bodies.block.mass"] * drawn["block.v"] / drawn[FRICTION], rtol=1e-11)
    np.testing.assert_allclose(m.quantiles["t"], np.quantile(m.t_rest, m.quantiles["level"]), rtol=1e-14)
    np.testing.assert_allclose(m.quantiles["block.x"], np.quantile(m.final["block.x"], m.quantiles["level"]), rtol=1e-14)


def test_draws_do_not_depend_on_threads():
    one, two = (ss.Model(BLOCK).basin(OVER, random=500, seed=3, threads=n) for n in (1, 2))
    assert all((one.axes[path] == two.axes[path]).all() for path in OVER)
    assert (one.t_rest == two.t_rest).all() and (one.final["block.x"] == two.final["block.x"]).all()
    assert {k: v.tolist() for k, v in one.quantiles.items()} == {k: v.tolist() for k, v in two.quantiles.items()}
    other = ss.Model(BLOCK).basin(OVER, random=500, seed=4)
    assert (other.axes["block.v"] != one.axes["block.v"]).all()


def test_draws_are_those_of_the_command_line(models, tmp_path, program):
    over = ["contacts.floor.friction=lognormal(1 N, 0.2)", "block.x=normal(2 m, 10 cm)", "block.v=-1:1"]
    words = ["basin", models / "block-on-floor.yaml", "--random", 300, "--seed", 5, "--csv", tmp_path / "a.csv"]
    told = program(*words, *(word for one in over for word in ("--over", one)))
    m = ss.load(models / "block-on-floor.yaml").basin(
        {FRICTION: ss.lognormal("1 N", 0.2), "block.x": ss.normal("2 m", "10 cm"), "block.v": (-1, 1)}, random=300, seed=5)
    table = pd.read_csv(tmp_path / "a.csv", float_precision="round_trip")
    for path in m.axes:
        assert (table[path] == m.axes[path] + 0.0).all()
    assert (table["outcome"] == m.outcome).all()
    np.testing.assert_array_equal(m.final["block.x"], np.where(m.outcome == "escaped", np.nan, table["end.block.x"]))
    assert {name: list(row) for name, row in m.quantiles.items()} == told["quantiles"]
    assert m.answer["fraction"] == told["fraction"] == m.fraction


def test_values_of_the_command_line(models, tmp_path):
    for word, given in (("block.x=3,1,50 cm", [3, 1, 0.5]), ("block.x=0.1:10:7:log", (0.1, 10, 7, "log")), ("block.x=-1:3:7", (-1, 3, 7))):
        command = [os.environ["SLIPSTICK_PROGRAM"], "basin", str(models / "block-on-floor.yaml"), "--over", word]
        subprocess.run([*command, "--csv", str(tmp_path / "a.csv")], check=True, capture_output=True)
        table = pd.read_csv(tmp_path / "a.csv", float_precision="round_trip")
        m = ss.load(models / "block-on-floor.yaml").basin({"block.x": given})
        assert table["block.x"].tolist() == (m.axes["block.x"] + 0.0).tolist()
        np.testing.assert_array_equal(m.final["block.x"], np.where(m.outcome == "escaped", np.nan, table["end.block.x"]))


@pytest.mark.parametrize("table", [dict, pd.DataFrame])
def test_many_motions_are_single_motions(models, table):
    rng = np.random.default_rng(8)
    draws = table({FRICTION: rng.lognormal(0, 0.3, 40), "block.x": rng.normal(0, 2, 40), "connections[0].stiffness": np.full(40, 1.5)})
    model = ss.load(models / "block-on-floor.yaml")
    one, two = (model.simulate_many(draws, threads=n) for n in (1, 2))
    np.testing.assert_array_equal(one.final["block.x"], two.final["block.x"])
    assert (one.outcome == two.outcome).all() and (np.isnan(one.final["block.x"]) == (one.outcome == "escaped")).all()
    rests = 0
    for k in range(40):
        sol = model.with_({path: float(np.asarray(draws[path])[k]) for path in draws}).simulate(escape=1e7)
        assert (sol.outcome == "at-rest") == (one.outcome[k] == "rest")
        if sol.outcome == "at-rest":
            rests += 1
            assert one.t_rest[k] == pytest.approx(sol.t_end, rel=1e-12, abs=1e-12)
            assert one.final["block.x"][k] == pytest.approx(float(sol["block.x"][-1]), rel=1e-10, abs=1e-12)
    assert 0 < rests and one.fraction == rests / 40


def test_tables_of_draws_are_checked():
    model = ss.Model(BLOCK)
    assert model.simulate_many({"block.v": [1, 2], FRICTION: 0.5}).t_rest.tolist() == [2.0, 4.0]
    for draws in ({"block.v": [1, 2], FRICTION: [1]}, {"block.v": [1, np.nan]}, {"block.v": ["a", "b"]}, {}, {"block.v": []},
                  {"block.v": [[1, 2]]}, {FRICTION: [1, -1]}, {"nobody.v": [1]}):  # fmt: skip
        with pytest.raises(ss.ModelError):
            model.simulate_many(draws)
    with pytest.raises(TypeError, match="DataFrame"):
        model.simulate_many([1, 2])


def test_distributions_are_checked():
    model = ss.Model(BLOCK)
    for over in ({"block.v": ss.normal(1, -1)}, {"block.v": ss.normal("1 kg", 1)}, {"block.v": ss.lognormal(0, 1)},
                 {FRICTION: ss.normal(1, 1)}, {"block.v": [1, 2]}, {"block.v": 3}):  # fmt: skip
        with pytest.raises(ss.ModelError):
            model.basin(over, random=200)
    for random in (-1, 2.5):
        with pytest.raises(ss.ModelError, match="random"):
            model.basin({"block.v": (0, 1)}, random=random)


def test_attractors_are_those_of_the_command_line(models, program):
    words = ["basin", models / "stick-slip-belt.yaml", "--over", "block.x=-1:1:5"]
    told = program(*words)
    assert ss.load(words[1]).basin({"block.x": (-1, 1, 5)}, threads=1).attractors == told["attractors"]


@pytest.mark.parametrize(("over", "options"), [
    ({"block.v": (1, 3, 5), FRICTION: (1, 2, 3)}, {}),
    ({"block.v": [1, 2, 5], FRICTION: (1, 4, 3, "log")}, {}),
    ({"block.v": ss.normal(3, 0.1), FRICTION: ss.uniform(1, 2)}, {"random": 40}),
    ({"block.v": [1, 2, 5]}, {}),
    ({"block.v": ss.normal(3, 0.1)}, {"random": 40}),
])  # fmt: skip
def test_maps_have_pictures(over, options):
    """Points stand at their numbers, whatever the steps."""
    import matplotlib.pyplot as plt

    m = ss.Model(BLOCK).basin(over, **options)
    figure = m.plot()
    axes = figure.axes[0]
    if len(over) == 2 and not axes.images:
        np.testing.assert_allclose(axes.collections[0].get_offsets(), np.column_stack(list(m.columns().values())))
    if len(over) == 1:
        wanted = np.column_stack([m.columns()["block.v"], m.columns()["block.v"]])  # v/f, f = 1 N
        np.testing.assert_allclose(axes.collections[0].get_offsets(), wanted)
    plt.close(figure)
    with pytest.raises(ValueError, match="to_pandas"):
        ss.Model(BLOCK).basin({"block.v": [1], "block.x": [0], FRICTION: [1]}).plot()
