# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What people try first: pictures of bodies in the plane, answers that stay what they are, words for what there is none of."""
import pickle

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from shared_fixtures import ROOT

import slipstick as ss

matplotlib.use("Agg")

ROD = ss.loads("""
slipstick: 1
title: rod
gravity: [0, -9.81 m/s^2]
bodies: {rod: {mass: 2 kg, inertia: 0.1667 kg*m^2}}
points: {tip: {body: rod, at: [0.5 m, 0]}}
start: {rod: {vx: 1 m/s, spin: 1 rad/s}}
run: {until: 5 s}
""")
BLOCK = ss.loads("""
slipstick: 1
title: block
parameters: {mu: 0.3, g: 9.81 m/s^2}
bodies: {block: {mass: 2 kg}}
connections: [{between: [block, ground], stiffness: 400 N/m}]
contacts: {floor: {between: [block, ground], law: coulomb, mu: mu, normal: 2 kg*g}}
start: {block: {x: 10 cm}}
run: {until: 20 s}
""")
MOTION = BLOCK.simulate()
TIMES = np.linspace(0, 1, 50)
PLACES = BLOCK.simulate(t_eval=TIMES)["block.x"]
TEXT = "slipstick: 1\ntitle: p\nbodies: {block: {mass: 1 kg}}\n"


def test_pictures_of_the_plane_have_axes_for_each_unit() -> None:
    sol = ROD.simulate()
    figure = sol.plot()
    told = [(axes.get_ylabel(), [line.get_label() for line in axes.lines]) for axes in figure.axes]
    assert told == [("place [m]", ["rod.x", "rod.y"]), ("place [rad]", ["rod.angle"]),
                    ("speed [m/s]", ["rod.vx", "rod.vy"]), ("speed [rad/s]", ["rod.spin"])]  # fmt: skip
    phase = sol.plot("phase")
    assert [axes.get_ylabel() for axes in phase.axes] == ["rod.vy [m/s]"]  # the others stay as they are
    plt.close(figure), plt.close(phase)


def test_a_body_that_falls_from_height_0_has_no_warning() -> None:
    """Kinetic and potential energy cancel to rounding: nothing is wrong with it."""
    for until in (2, 3, 5, 50):
        sol = ROD.with_({"rod.vx": 0, "rod.spin": 0}).simulate(until)
        assert sol.warnings == [] and abs(sol["rod.y"][-1] + 0.5 * 9.81 * until**2) < 1e-9 * until**2


@pytest.mark.parametrize("sol", [MOTION, pickle.loads(pickle.dumps(MOTION))], ids=["computed", "pickled"])
def test_what_was_computed_cannot_be_written(sol: ss.Solution) -> None:
    for array in (sol.t, sol.y, sol["block.x"], sol["floor.power"], sol.force["floor"]):
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[..., 0] = 9
    values = np.array([0.0, 0.1])
    basin = BLOCK.basin({"block.x": values}, threads=1)
    assert basin.keys() == ["block.x"] and not basin.axes["block.x"].flags.writeable
    values[0] = 0.05  # the user's own


def test_a_slider_is_asked_as_its_paths_are_called() -> None:
    sol = ss.load(str(ROOT / "models" / "disk.yaml")).simulate()
    assert "slider.x" in sol and "slider.force" not in sol
    for name in ("x", "angle", "spin"):
        assert np.array_equal(sol[f"slider.{name}"], sol[name])


def test_a_fit_that_explains_nothing_says_so() -> None:
    """Times in ms; and noise alone, of which nothing can be explained, is no misfit."""
    columns, free = {"block.x": "1"}, ["parameters.mu"]
    wrong = BLOCK.fit((TIMES * 1000, PLACES), columns, free)
    assert len(wrong.warnings) == 1 and "of the variance of block.x" in wrong.warnings[0] and "units" in wrong.warnings[0]
    assert BLOCK.fit((TIMES, PLACES), columns, free).warnings == []
    noise = 1e-3 * np.random.default_rng(1).standard_normal(50)
    rest = ss.loads(TEXT + "start: {block: {x: 1 m}}\n")
    assert rest.fit((TIMES, 1 + noise), columns, ["block.x"]).warnings == []


def test_gaps_of_a_recording_are_told() -> None:
    fit = BLOCK.fit((TIMES, np.where(TIMES > 0.5, np.nan, PLACES)), {"block.x": "1"}, ["parameters.mu"])
    assert fit.notes == ["recording 1: 25 of 50 values of 'block.x' are missing (NaN) and take no part"]


MISTAKES = {
    "a body of three coordinates": (lambda: ROD.simulate(1).picture("phase", of="rod"), ["no body 'rod'", "rod.x, rod.y, rod.angle"]),
    "a body misspelt": (lambda: MOTION.picture("phase", of="blok"), ["no body 'blok'", "there are block"]),
    "a point": (lambda: ROD.simulate(1)["tip.y"], ["signals: {tip_y: tip.y}"]),
    "a colour": (lambda: MOTION.plot(color="r"), ["color is no option", "set_color"]),
    "a length": (lambda: len(MOTION), ["len(sol.t)"]),
    "a ledger": (lambda: MOTION.energy["friction"], ["sol.energy.friction"]),
    "a table": (lambda: MOTION.to_csv("x.csv"), ["to_pandas().to_csv("]),
    "a csv": (lambda: MOTION.save("x.csv"), [".npz", "to_pandas().to_csv("]),
    "a picture of a model": (lambda: BLOCK.plot(), ["model.simulate().plot()"]),
    "a picture of a method": (lambda: ss.plot(BLOCK), ["model.simulate().plot()"]),
    "a motion of the package": (lambda: ss.simulate(BLOCK), ["model.simulate()"]),
    "a text as a file": (lambda: ss.load(TEXT), ["ss.loads"]),
    "a start of nobody": (lambda: BLOCK.simulate(start={"x": 1}), ["'block.x'"]),
    "a number as a word": (lambda: BLOCK.with_(mu=0.3), ["with_({'parameters.mu': 0.3})"]),
    "an end by another name": (lambda: BLOCK.simulate(t=5), ["until", "t_eval"]),
    "no rows": (lambda: BLOCK.simulate_many({"block.x": []}), ["no rows"]),
    "rows of texts": (lambda: BLOCK.simulate_many({"block.x": np.array(["10 cm", "a"], dtype=object)}), ["texts such as '10 cm'"]),
    "a column by number": (lambda: BLOCK.fit((TIMES, PLACES), {"block.x": 1}, ["parameters.mu"]), ["a text such as '1'"]),
    "a number of nobody": (lambda: BLOCK.fit((TIMES, PLACES), {"block.x": "1"}, ["parameters.my"]), ["did you mean 'mu'", "model.with_("]),
    "a guess beyond": (lambda: BLOCK.fit((TIMES, PLACES), {"block.x": "1"}, [("parameters.mu", 0.5, 0.9)]), ["model.with_("]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_first_mistake_is_answered(name: str) -> None:
    mistake, words = MISTAKES[name]
    with pytest.raises((ss.ModelError, TypeError, KeyError, ValueError, AttributeError)) as told:
        mistake()
    for word in words:
        assert word in str(told.value)
    assert "--set" not in str(told.value)
