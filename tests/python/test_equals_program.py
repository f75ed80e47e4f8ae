# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Answers equal those of the command line, to the bit: json.loads reads back what repr wrote exactly."""
import pathlib

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


@pytest.mark.parametrize("name", ["two-blocks", "block-on-floor"])
def test_certify(name, models, program):
    path = models / f"{name}.yaml"
    cert = ss.load(path).certify()
    told = program("certify", path)
    assert {key: cert.answer[key] for key in told} == told


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
