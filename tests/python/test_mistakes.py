# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Mistakes of people who use the package for the first time. Each is answered with what is wrong and what to do."""
import pytest
from shared_fixtures import ROOT

import slipstick as ss

FILE = str(ROOT / "models" / "block-on-floor.yaml")
BLOCK = ss.load(FILE)
SOLUTION = BLOCK.simulate(5)
TEXT = "slipstick: 1\ntitle: Block\nparameters: {mass: 2 kg, load: 3 N}\nbodies: {block: {mass: mass}}\ncontacts: {sole: {between: [block, ground], law: coulomb, friction: load}}\n"

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
    "a decimal comma": (lambda: BLOCK.with_({"contacts.floor.friction": "2,5"}), ["write a decimal point"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_is_answered(name: str) -> None:
    mistake, words = MISTAKES[name]
    with pytest.raises((ss.ModelError, TypeError, KeyError, OSError, ValueError)) as told:
        mistake()
    for word in words:
        assert word in str(told.value)
