# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Answers equal those of the command line, to the bit: json.loads reads back what repr wrote exactly."""
import csv
import math
import pathlib

import numpy as np
import pytest

import slipstick as ss

MODELS = sorted((pathlib.Path(__file__).resolve().parents[2] / "models").glob("*.yaml"))
LONG = {"maxwell-1000"}


def short(path):
    return path.stem


@pytest.mark.parametrize("path", MODELS, ids=short)
def test_simulate(path, program):
    sol = ss.load(path).simulate()
    told = program("simulate", path)
    assert {**sol.answer, "samples": []} == told  # without times, every event is a sample
    assert sol.outcome == told["outcome"] and sol.t_end == told["t"]
    assert [event.t for event in sol.events] == [event["t"] for event in told["events"]]
    assert sol.warnings == told.get("warnings", []) and len(sol.notes) == len(told["notes"])
    assert sol.energy.residual == told["energy"]["residual"]


@pytest.mark.parametrize("path", MODELS, ids=short)
def test_check(path, program):
    assert ss.load(path).check() == program("check", path)


BODIES = [path for path in MODELS if not ss.load(path).is_slider]
SLIDERS = [path for path in MODELS if ss.load(path).is_slider]


@pytest.mark.parametrize("path", BODIES, ids=short)
def test_certify(path, program):
    cert = ss.load(path).certify()
    told = program("certify", path)
    assert {key: cert.answer[key] for key in told} == told
    assert cert.verdict == told["verdict"] and cert.reason == told["reason"]


def table(path):
    """Rows of a file of comma-separated text, by column."""
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("random", [0, 30])
@pytest.mark.parametrize("name", ["two-blocks", "two-blocks-matrices", "block-on-floor", "lugre-stop", "hunting-servo"])
def test_basin(name, random, models, tmp_path, program):
    model = ss.load(models / f"{name}.yaml")
    paths = [f"{model.bodies[0]}.x", f"{model.bodies[-1]}.v"]
    axes = {path: (-0.01, 0.02, *((5,) * (not random))) for path in paths}
    m = model.basin(axes, random=random, seed=3, threads=1, until=5.0)
    options = [word for path in paths for word in ("--over", f"{path}=-0.01:0.02" + ":5" * (not random))]
    options += ["--random", random, "--seed", "3"] if random else []
    program("basin", models / f"{name}.yaml", *options, "--until", "5", "--csv", tmp_path / "map.csv")
    told = table(tmp_path / "map.csv")
    assert m.outcome.ravel().tolist() == [row["outcome"] for row in told]
    for body in model.bodies:
        ends = [math.nan if row["outcome"] == "escaped" else float(row[f"end.{body}.x"]) for row in told]
        np.testing.assert_array_equal(m.final[f"{body}.x"].ravel(), ends)
    rests = [float(row["t"]) if row["outcome"] == "rest" and row["t"] else math.nan for row in told]
    np.testing.assert_array_equal(m.t_rest.ravel(), rests)


@pytest.mark.parametrize(
    "name, numbers",
    [
        ("stick-slip-belt", {}),
        ("hunting-servo", {}),
        ("velocity-loop", {}),
        ("drill-string", {"parameters.speed": 2}),  # as the file has it, the bit drills on steadily
    ],
)
def test_cycle(name, numbers, models, program):
    path = models / f"{name}.yaml"
    options = [word for key, value in numbers.items() for word in ("--set", f"{key}={value}")]
    assert ss.load(path, set=numbers).cycle().answer == program("cycle", path, *options)


def test_cycle_near(models, program):
    path = models / "block-on-floor.yaml"
    cycle = ss.load(path).cycle(near={"block.x": 2.6})
    assert cycle.answer == program("cycle", path, "--near", "block.x=2.6") and not cycle.stable


@pytest.mark.parametrize(
    ("name", "path", "a", "b", "steady"),
    [("hunting-servo", "contacts.guide.static", 12, 13, False), ("stick-slip-belt", "bodies.belt.speed", 0.2, 0.25, False),
     ("stick-slip-belt", "bodies.belt.speed", 0.2, 0.6, True)],
)  # fmt: skip
def test_follow(name, path, a, b, steady, models, program):
    branch = ss.load(models / f"{name}.yaml").follow(path, a, b, steady=steady)
    told = program("follow", models / f"{name}.yaml", "--over", f"{path}={a}:{b}", *(["--steady"] * steady))
    assert branch.answer == told and len(branch.points) > 1
    assert all(len(branch[name]) == len(branch.points) for name in branch.names())


def test_fit(models, tmp_path, program):
    model, recording = models / "block-on-floor.yaml", tmp_path / "recording.csv"
    t = np.linspace(0, 6, 80)
    x = ss.load(model).simulate(t_eval=t)["block.x"] + 1e-3 * np.random.default_rng(1).standard_normal(80)
    np.savetxt(recording, np.column_stack([t, x]), delimiter=",", header="t,x", comments="", fmt="%.17g")
    free, guess = ["contacts.floor.friction", "start.block.x"], {"contacts.floor.friction": 0.9}
    told = program("fit", model, recording, "--column", "block.x=x", "--free", ",".join(free), "--set", "contacts.floor.friction=0.9")
    for given in (recording, str(recording), (t, x)):
        fit = ss.load(model, set=guess).fit(given, {"block.x": "x"}, free)
        for key in ("parameters", "outcome", "correlation", "aic", "bic", "log_likelihood", "warnings"):
            assert fit.answer[key] == told[key], key


@pytest.mark.parametrize("path", SLIDERS, ids=short)
def test_surface(path, tmp_path, program):
    slider = ss.load(path)
    motion, push = (0.3, -0.2, 0.7), (0.01, 0.02, 0.003)
    told = program("surface", path, "--load", ",".join(map(str, motion)))
    assert slider.load(motion).tolist() == told["load"]
    assert slider.first_motion(push) == program("surface", path, "--first-motion", ",".join(map(str, push)))
    assert slider.eigen_directions() == program("surface", path, "--eigen")


def test_a_mesh_is_that_of_the_program(models, tmp_path, program):
    path, file = models / "disk.yaml", tmp_path / "mesh.csv"
    program("surface", path, "--out", file)
    rows = [[float(one) for one in row.values()] for row in table(file)]
    loads, motions, _ = ss.load(path).surface(n=32)
    np.testing.assert_array_equal(np.array(rows), np.hstack([motions, loads]))


def test_the_angle_of_a_slider_is_that_of_its_start(program, tmp_path):
    text = """slipstick: 1
title: a box on boards
slider:
  mass: 1 kg
  gyration: 0.5 m
  floor: {mu: [0.5, 1]}
  supports: [{point: [1, 0], load: 1, mu: 0.3}, {point: [-1, 0], load: 1, mu: 0.3}]
start: {slider: {angle: 0.7}}
"""
    (tmp_path / "boards.yaml").write_text(text, encoding="utf-8")
    box = ss.loads(text)
    told = program("surface", tmp_path / "boards.yaml", "--load", "1,0.2,0.3")
    assert box.load((1, 0.2, 0.3)).tolist() == told["load"] == box.load((1, 0.2, 0.3), angle=0.7).tolist()
    assert box.load((1, 0.2, 0.3), angle=0.0).tolist() != told["load"]


@pytest.mark.parametrize(("name", "by"), [("two-blocks", "parameters.mu"), ("hunting-servo", "parameters.ki"),
                                          ("lugre-stop", "contacts.floor.coulomb"), ("block-on-floor", "start.block.x")])  # fmt: skip
def test_derivatives(name, by, models, program):
    path = models / f"{name}.yaml"
    sol = ss.load(path).simulate(t_eval=[0.5, 1.0], derivative=[by])
    told = program("simulate", path, "--at", "0.5,1", "--derivative", by)
    assert {**sol.answer} == told
    for body, places in told["samples"][1]["derivative"][by].items():
        for what in set(places) & {"x", "v"} if isinstance(places, dict) else ():
            assert sol.derivative[by][f"{body}.{what}"][1] == places[what]


def test_samples_are_those_of_the_program(models, program):
    path = models / "two-blocks.yaml"
    times = [0.0, 0.5, 1.25, 3.0]
    sol = ss.load(path).simulate(t_eval=times)
    told = program("simulate", path, "--at", ",".join(map(str, times)))
    for k, sample in enumerate(told["samples"]):
        assert sol.t[k] == sample["t"]
        for body, place in sample["state"].items():
            assert sol[f"{body}.x"][k] == place["x"] and sol[f"{body}.v"][k] == place["v"]


def test_set_is_the_option_set(models, program):
    path = models / "two-blocks.yaml"
    sol = ss.load(path, set={"parameters.mu": 0.2}).simulate()
    assert sol.answer["events"] == program("simulate", path, "--set", "parameters.mu=0.2")["events"]


def test_mat_files_hold_what_the_solution_does(models, program, tmp_path):
    from scipy.io import loadmat

    path, file = models / "two-blocks.yaml", tmp_path / "motion.mat"
    program("simulate", path, "--every", "0.5", "--out", file)
    kept = loadmat(file, simplify_cells=True)
    sol = ss.load(path).simulate(t_eval=kept["t"])
    assert kept["bodies"]["block1"]["x"].tolist() == sol["block1.x"].tolist()
    assert kept["contacts"]["floor2"]["force"].tolist() == sol.force["floor2"].tolist()
    assert kept["modes"][kept["contacts"]["floor1"]["mode"].astype(int)].tolist() == sol.mode["floor1"].tolist()
    assert kept["units"]["bodies"]["block1"] == {"x": "m", "v": "m/s"} and kept["outcome"] == sol.outcome


def test_mat_files_hold_numbers_of_open_models(models, program, tmp_path):
    from scipy.io import loadmat

    path, file = models / "hunting-servo.yaml", tmp_path / "motion.mat"
    program("simulate", path, "--until", "1 s", "--every", "0.1", "--out", file)
    kept = loadmat(file, simplify_cells=True)
    sol = ss.load(path).simulate(until=1.0, t_eval=kept["t"])
    assert kept["states"]["sum"].tolist() == sol.state["sum"].tolist()
    assert kept["signals"]["error"].tolist() == sol.signal["error"].tolist()
    assert list(kept["contacts"]) == ["guide"] and kept["units"]["states"] == {"sum": "m*s"}


def test_scan(models, program):
    path = models / "stick-slip-belt.yaml"
    scan = ss.load(path).scan({"block.v": (0, 0.1, 3)}, section="face:stick", skip=2, keep=2, show="block.x,t", threads=1)
    options = ["--over", "block.v=0:0.1:3", "--section", "face:stick", "--skip", "2", "--keep", "2"]
    told = program("scan", path, *options, "--show", "block.x,t")
    assert scan.columns == told["columns"] and scan.rows.tolist() == told["rows"]
    measured = ss.load(path).scan({"block.v": (0, 0.1, 3)}, section="face:stick", skip=2, keep=2, measure="rms:block.v")
    assert measured.rows.tolist() == program("scan", path, *options, "--measure", "rms:block.v")["rows"]
    assert measured["rms:block.v"].min() > 0 and len(scan.to_pandas()) == 6
    assert scan.plot() and measured.plot()
    with pytest.raises(ss.ModelError):
        ss.load(path).scan({"block.v": (0, 0.1, 3)}, show="block.x")
