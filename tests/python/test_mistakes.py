# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Mistakes of people who use the package for the first time. Each is answered with what is wrong and what to do."""
import numpy as np
import pandas as pd
import pytest
from shared_fixtures import ROOT

import slipstick as ss

FILE = str(ROOT / "models" / "block-on-floor.yaml")
BLOCK = ss.load(FILE)
SOLUTION = BLOCK.simulate(5)
TABLE = pd.DataFrame({"t": [0.0, 0.1, 0.2, 0.3], "x": [1.0, 1.1, 0.9, 0.8]})
TEXT = "slipstick: 1\ntitle: Block\nparameters: {mass: 2 kg, load: 3 N}\nbodies: {block: {mass: mass}}\ncontacts: {sole: {between: [block, ground], law: coulomb, friction: load}}\n"
LOADED = ss.loads(TEXT)

# what is done, and words of the answer
MISTAKES = {
    "a file is no model": (lambda: ss.Model(FILE), ["name of a file", "ss.load("]),
    "a file that is not there": (lambda: ss.load("nope.yaml"), ["No such file", "nope.yaml"]),
    "a text with a fault": (lambda: ss.loads("slipstick: 1\ntitle: Block\nbodies: {b: {mas: 1}}\n"), ["3:", "unknown key 'mas'; did you mean 'mass'?"]),
    "times that fall": (lambda: BLOCK.simulate(5, [3, 2, 1]), ["t_eval", "each after the one before"]),
    "times after the end": (lambda: BLOCK.simulate(2, [1, 5]), ["t_eval", "until"]),
    "an option misspelt": (lambda: BLOCK.simulate(untill=3), ["untill"]),
    "an end in metres": (lambda: BLOCK.simulate("5 m"), ["expected s, found m"]),
    "a key misspelt": (lambda: BLOCK.with_({"contacts.floor.fricton": 1}), ["unknown key 'fricton'; did you mean 'friction'?"]),
    "a contact that there is none of": (lambda: BLOCK.with_({"contacts.sole.friction": 1}), ["there is no contact 'sole'", "floor"]),
    "a parameter that there is none of": (lambda: ss.loads(TEXT).with_({"parameters.mas": 1}), ["'mas'", "mass", "load"]),
    "a number of the wrong unit": (lambda: BLOCK.with_({"contacts.floor.friction": "1 kg"}), ["expected N, found kg"]),
    "a start of nobody": (lambda: BLOCK.simulate(start={"blok.x": 1}), ["'blok'", "block"]),
    "a number that is not recorded": (lambda: SOLUTION["blok.x"], ["blok.x", "there are block.x, block.v, floor.force"]),
    "a contact without a force": (lambda: SOLUTION.force["flor"], ["flor", "there are floor"]),
    "a path into the model": (lambda: BLOCK["contacts.flor.friction"], ["contacts.flor.friction", "there are floor"]),
    "a range without its count": (lambda: BLOCK.scan({"block.x": (0, 1)}), ["block.x", "(from, to, count)"]),
    "a motion from nobody": (lambda: BLOCK.cycle(near={"blok.x": 1}), ["there is no body 'blok'; did you mean 'block'?"]),
    "a formula of Python": (lambda: BLOCK.with_({"contacts.floor.friction": "2**3"}), ["write ^ for a power"]),
    "a place in a solution": (lambda: SOLUTION[0], ["expected a name such as 'block.x', not 0"]),
    "a place in a model": (lambda: BLOCK[0], ["expected a name such as 'contacts.floor.friction'"]),
    "a map asked by name": (lambda: BLOCK.basin({"block.x": [1, 2]})["block.x"], ["m.columns()['block.x']", "m.final['block.x']"]),
    "a range where rows are wanted": (lambda: BLOCK.simulate_many({"block.x": (0, 1, 3)}), ["block.x", "a value per row", "basin takes ranges"]),
    "a distribution where rows are wanted": (lambda: BLOCK.simulate_many({"block.x": ss.normal(0, 1)}), ["a value per row", "distributions"]),
    "an axis for a picture": (lambda: SOLUTION.plot(ax=1), ["figure="]),
    "a run by metres": (lambda: BLOCK.run().advance("1 m"), ["dt", "expected s, found m"]),
    "one level given twice over": (lambda: BLOCK.with_({"contacts.floor.mu": 0.3, "contacts.floor.normal": 2}).with_({"contacts.floor.friction": 1}).scan({"contacts.floor.mu": [0.1, 0.2]}, measure="max:block.x", section="1 s"), ["friction was given instead"]),
    "a Series without times": (lambda: BLOCK.fit(pd.Series([1.0, 2.0, 3.0]), {"block.x": "value"}, ["block.x"]), ["times (s) as index"]),
    "half a section": (lambda: BLOCK.scan({"block.x": [1]}, show="block.x", section="1 s", keep=2.5), ["keep: expected a whole number", "2.5"]),
    "a section that is a number": (lambda: BLOCK.scan({"block.x": [1]}, show="block.x", section=1.0), ["section", "'0.1 s'"]),
    "a section fewer than none": (lambda: BLOCK.scan({"block.x": [1]}, show="block.x", section="1 s", skip=-1), ["skip: must be at least 0"]),
    "a measure that is a number": (lambda: BLOCK.scan({"block.x": [1]}, measure=[3], section="1 s"), ["measure: expected texts such as 'max:block.x'"]),
    "threads in words": (lambda: BLOCK.basin({"block.x": [1, 2]}, threads="2"), ["threads: expected a whole number"]),
    "threads below none": (lambda: BLOCK.basin({"block.x": [1, 2]}, threads=-2), ["threads: must be at least 0"]),
    "a seed below none": (lambda: BLOCK.basin({"block.x": (1, 2)}, random=5, seed=-1), ["seed: must be at least 0"]),
    "a tolerance in words": (lambda: BLOCK.simulate(1, tolerance="fine"), ["tolerance"]),
    "events in words": (lambda: BLOCK.simulate(1, max_events="many"), ["max_events: expected a whole number"]),
    "an escape in seconds": (lambda: BLOCK.simulate(1, escape="5 s"), ["escape", "expected m or rad, found s"]),
    "a derivative by a number": (lambda: BLOCK.simulate(1, derivative=3), ["derivative", "'parameters.mu'"]),
    "a number as an attribute": (lambda: SOLUTION.x, ["a Solution has no 'x'", "sol['block.x']"]),
    "an attribute of nobody": (lambda: SOLUTION.momentum, ["taken by name"]),
    "a parameter without its section": (lambda: ss.loads(TEXT).with_({"load": 1}), ["did you mean parameters.load?"]),
    "a column without its number": (lambda: BLOCK.fit(([0, 1], [0, 1]), "block.x", ["block.x"]), ["columns is a dict"]),
    "half a window": (lambda: BLOCK.fit(([0, 1], [0, 1]), {"block.x": "1"}, ["block.x"], window=2), ["window", "(from, to)"]),
    "a bound of another unit": (lambda: BLOCK.fit(([0, 1], [0, 1]), {"block.x": "1"}, [("contacts.floor.friction", "1 m", "2 N")]), ["expected N, found m"]),
    "a complex stiffness": (lambda: ss.Model.matrices(M=np.eye(2), K=np.eye(2) * (1 + 0.1j)), ["K: complex numbers have no place here", "C"]),
    "a hole in a matrix": (lambda: ss.Model.matrices(M=np.eye(2), K=[[1, 0], [0, np.nan]]), ["K[1][1]", "not a finite number"]),
    "complex times": (lambda: BLOCK.simulate(2, [0, 1 + 1j]), ["t_eval", "complex"]),
    "a complex recording": (lambda: BLOCK.fit(([0, 1], [0, 1j]), {"block.x": "1"}, ["block.x"]), ["complex"]),
    "complex rows": (lambda: BLOCK.simulate_many({"block.x": [1, 1j]}), ["block.x", "complex"]),
    "times of another unit": (lambda: BLOCK.simulate(2, ["0 s", "1 m"]), ["t_eval", "expected s, found m"]),
    "times that are nothing": (lambda: BLOCK.simulate(2, [0, "soon"]), ["t_eval", "soon"]),
    "a parameter written over": (lambda: LOADED.parameters.update(load=4), ["does not change", 'model.with_({"parameters.']),
    "a number written over": (lambda: LOADED.__setitem__("contacts.sole.friction", 4), ['model.with_({"contacts.sole.friction": ..})']),
    "a start in a start": (lambda: BLOCK.simulate(start={"block": {"x": 1}}), ['write "block.x": 1']),
    "fewer values than recordings": (lambda: BLOCK.fit([TABLE, TABLE], {"block.x": "x"}, ["block.x"], each={"block.v": [1]}), ["each", "block.v", "2 of them"]),
    "one value for all recordings": (lambda: BLOCK.fit([TABLE, TABLE], {"block.x": "x"}, ["block.x"], each={"block.v": 1}), ["each", "a value per recording"]),
    "words in a column": (lambda: BLOCK.fit(TABLE.assign(x="a"), {"block.x": "x"}, ["block.x"]), ["column 'x', row 0", "'a' is no number"]),
    "a table whose first column is no time": (lambda: BLOCK.fit(TABLE[["x", "t"]], {"block.x": "x"}, ["block.x"]), ["recording 1, row 2: the time goes back", "those of 'x'", "time=.."]),
    "a column that there is none of": (lambda: BLOCK.fit([TABLE, TABLE[["t"]]], {"block.x": "x"}, ["block.x"]), ["recording 2: there is no column 'x'; the columns are t"]),
    "a delay of nobody": (lambda: BLOCK.fit(TABLE, {"block.x": "x"}, ["block.x", "delay"]), ["clock.delay"]),
    "a branch to another unit": (lambda: BLOCK.follow("contacts.floor.friction", 1, "2 m"), ["expected N, found m"]),
    "a decimal comma": (lambda: BLOCK.with_({"contacts.floor.friction": "2,5"}), ["write a decimal point"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_is_answered(name: str) -> None:
    mistake, words = MISTAKES[name]
    with pytest.raises((ss.ModelError, TypeError, KeyError, OSError, ValueError, AttributeError)) as told:
        mistake()
    for word in words:
        assert word in str(told.value)


def test_of_two_ways_to_give_a_level_the_later_counts() -> None:
    """friction, or mu with normal: whatever was set before, and wherever the file itself stands."""
    force, product = {"contacts.floor.friction": 1}, {"contacts.floor.mu": 0.3, "contacts.floor.normal": 2}
    other = {"contacts.floor.friction": 0.6}  # = mu normal
    for first in ({}, force, product, {**product, **other}):
        model = BLOCK.with_(first)
        assert model.with_(force).simulate().t_end == BLOCK.with_(force).simulate().t_end
        assert model.with_(product).simulate().y.tolist() == BLOCK.with_(other).simulate().y.tolist()
    again = BLOCK.with_(force).with_(product).with_(force)
    assert again.simulate().t_end == BLOCK.simulate().t_end


def test_what_was_refused_without_a_reason_works() -> None:
    """Names are found, times have units, pictures have sizes, one other is as good as a list of one."""
    assert "block.x" in SOLUTION and "x" not in SOLUTION and list(SOLUTION) == SOLUTION.keys()
    assert "contacts.floor.friction" in BLOCK and "nothing" not in BLOCK
    run = BLOCK.run()
    assert "floor.force" in run and run.advance("1 s") == "time-reached" and run.t == 1.0
    assert BLOCK.simulate("100 s", start={"block.x": 4}, escape="1 km").outcome == "escaped" == BLOCK.simulate(100, start={"block.x": 4}, escape=1e3).outcome
    assert run.advance_to("1500 ms") == "time-reached" and run.t == 1.5
    assert not run.advance_to_event("1600 ms") and run.t == 1.6
    assert BLOCK.simulate(t_eval=["0 s", "250 ms", 1]).t.tolist() == [0.0, 0.25, 1.0]
    assert SOLUTION.plot(figsize=(3, 2)).get_size_inches().tolist() == [3, 2]
    scan = BLOCK.scan({"block.x": [1, 2]}, measure="max:block.x", section="1 s", skip=0)
    assert "max:block.x" in scan and scan.plot(dpi=50).dpi == 50
    assert len(SOLUTION.picture(also=SOLUTION).data) == len(SOLUTION.picture(also=[SOLUTION]).data)


def test_rows_that_were_taken_out_of_a_table_are_no_times() -> None:
    """What is left of a table keeps the numbers of its rows as index; the first column is the time still."""
    slide = ss.Model({"bodies": {"b": {"mass": 1}}, "contacts": {"floor": {"between": ["b", "ground"], "law": "coulomb", "friction": 1}}, "start": {"b": {"v": 3}}})
    whole = pd.DataFrame({"t": [0.02 * k for k in range(50)]})
    whole["x"] = 3 * whole["t"] - 0.25 * whole["t"] ** 2
    some = whole[whole.index % 7 != 3]
    fit = slide.fit(some, {"b.x": "x"}, "contacts.floor.friction")
    assert abs(fit["contacts.floor.friction"] - 0.5) < 1e-9 and list(fit) == ["contacts.floor.friction"]


def test_rows_keep_the_index_of_their_table() -> None:
    """What is joined to the draws must not be put beside another row."""
    draws = pd.DataFrame({"contacts.floor.friction": [1.0, 2.0, 3.0]}, index=["a", "c", "b"])
    joined = draws.join(BLOCK.simulate_many(draws).to_pandas()[["final.block.x"]])
    alone = [BLOCK.with_(dict(row)).simulate(100)["block.x"][-1] for _, row in draws.iterrows()]
    np.testing.assert_allclose(joined["final.block.x"], alone, rtol=1e-9)


def test_axes_of_pictures_have_units() -> None:
    """Those of what varies as those of what is measured, as the model writes them."""
    turned = ss.Model({"parameters": {"w": "2 rad/s"}, "bodies": {"b": {"mass": 1}},
                       "connections": [{"between": ["b", "ground"], "stiffness": 1, "damping": 1}],
                       "forces": [{"body": "b", "force": "1 N*cos(w*t)"}]})  # fmt: skip
    scan = turned.scan({"parameters.w": (1, 2, 3)}, measure="harmonic:b.x:1,lyapunov", skip=2)
    told = [(axes.get_xlabel(), axes.get_ylabel()) for axes in scan.plot().axes]
    assert told == [("parameters.w [rad/s]", name) for name in ("harmonic:b.x:1 [m]", "harmonic:b.x:1:phase [rad]", "lyapunov [1/s]")]
    assert scan.to_pandas().attrs["units"] == scan.units
    assert np.allclose(scan["lyapunov"], -0.5, rtol=0, atol=1e-6)  # many sections unless the question says
    plane = turned.scan({"parameters.w": (1, 2, 3), "connections[0].stiffness": [1, 2]}, measure="max:b.x", skip=2)
    assert [axes.get_ylabel() for axes in plane.plot().axes] == ["connections[0].stiffness [N/m]", "max:b.x [m]"]
    whole = BLOCK.basin({"contacts.floor.friction": (1, 2, 3), "block.v": (0, 1, 3)})
    assert whole.plot().axes[0].get_xlabel() == "contacts.floor.friction [N]"
