# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Models from texts, dicts and matrices; errors; pickling."""
import pickle

import numpy as np
import pytest

import slipstick as ss

BLOCK = """slipstick: 1
title: a block
parameters: {level: 1 N}
bodies: {block: {mass: 1 kg}}
connections: [{between: [block, ground], stiffness: 1 N/m}]
contacts: {floor: {between: [block, ground], law: coulomb, friction: level}}
start: {block: {x: 4}}
"""


def test_dict_and_text_are_the_same_model():
    tree = {
        "title": "a block",
        "parameters": {"level": "1 N"},
        "bodies": {"block": {"mass": np.float64(1)}},
        "connections": [{"between": ("block", "ground"), "stiffness": 1}],
        "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": "level"}},
        "start": {"block": {"x": 4}},
    }
    assert ss.Model(tree).simulate().answer["events"] == ss.loads(BLOCK).simulate().answer["events"]


def test_matrices_are_reduced_matrices():
    M, C, K, W = [[2, 0], [0, 1]], [[0.1, 0], [0, 0.2]], [[3, -1], [-1, 2]], [[1, 0], [0, 1]]
    model = ss.Model.matrices(M=M, C=C, K=K, W=W, friction=[1, 2])
    for found, given in zip(model.reduced(), (M, C, K, W)):
        np.testing.assert_array_equal(found, given)


@pytest.mark.parametrize(
    ("change", "line", "column", "field"),
    [("mass: 1 kg", 4, 24, "bodies.block.mass"), ("friction: level", 6, 70, "contacts.floor.friction")],
)
def test_errors_know_their_place(change, line, column, field):
    bad = BLOCK.replace(change, change.split(":")[0] + ": -1")
    with pytest.raises(ss.ModelError) as caught:
        ss.loads(bad, name="bad.yaml")
    error = caught.value
    assert (error.file, error.line, error.column, error.field) == ("bad.yaml", line, column, field)
    again = pickle.loads(pickle.dumps(error))
    assert (again.line, again.field, str(again)) == (line, field, str(error))


def test_wrong_arguments_are_told():
    model = ss.loads(BLOCK)
    with pytest.raises(ss.ModelError, match="tolerance"):
        model.simulate(tolerance=-1)
    with pytest.raises(ss.ModelError, match="nothing"):
        model.with_({"nothing.here": 1})
    with pytest.raises(TypeError):
        ss.Model(3)
    for tree, field in (({1: 2}, "1"), ({"bodies": {"b": {"mass": object()}}}, "bodies.b.mass"),
                        ({"connections": [{"between": [b"a", {2}]}]}, "connections[0].between[1]")):  # fmt: skip
        with pytest.raises(ss.ModelError) as told:
            ss.Model(tree)
        assert told.value.field == field
    with pytest.raises(TypeError, match="slider"):
        model.load((1, 0, 0))
    with pytest.raises(FileNotFoundError):
        ss.load("no-such-file.yaml")


def test_a_dict_that_holds_itself_is_refused():
    tree = {"bodies": {}}
    tree["bodies"]["loop"] = tree
    with pytest.raises((RecursionError, ss.ModelError)):
        ss.Model(tree)


def test_pickled_models_move_the_same_way():
    model = ss.loads(BLOCK, set={"parameters.level": "0.5 N"})
    again = pickle.loads(pickle.dumps(model))
    assert again.simulate().answer == model.simulate().answer


def test_numbers_of_a_model(models):
    model = ss.loads(BLOCK, set={"parameters.level": "0.5 N"})
    assert model.parameters == {"level": 0.5} and model["bodies.block.mass"] == 1.0 and model["start.block.x"] == 4.0
    assert ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]]).parameters == {}
    for path in ("connections[0].damping", "bodies.brick.mass", "bodies.block.colour"):
        with pytest.raises(KeyError, match="does not say"):
            model[path]
    for path in sorted(models.glob("*.yaml")):
        assert all(np.isfinite(list(ss.load(path).parameters.values()))), path


def test_a_model_does_not_follow_its_dict():
    tree = {"bodies": {"b": {"mass": 1}}, "start": {"b": {"v": 1}}}
    model = ss.Model(tree)
    tree["bodies"]["b"]["mass"] = -5
    tree["start"]["b"]["v"] = 7
    assert model.with_({}).simulate(1.0)["b.x"][-1] == pickle.loads(pickle.dumps(model)).simulate(1.0)["b.x"][-1] == 1.0


def test_with_keeps_the_original():
    model = ss.loads(BLOCK)
    assert model.with_({"parameters.level": "0.5 N"}).simulate().t_end != model.simulate().t_end
    assert model.simulate().t_end == pytest.approx(2 * np.pi, rel=1e-15)


def test_the_reference_page_is_made_from_these_docstrings():
    import importlib.util
    import pathlib

    root = pathlib.Path(__file__).resolve().parents[2]
    spec = importlib.util.spec_from_file_location("make_reference", root / "docs" / "make_python.py")
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    assert (root / "docs" / "python.md").read_text(encoding="utf-8") == maker.page(), "run docs/make_python.py"
