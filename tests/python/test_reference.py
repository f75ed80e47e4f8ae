# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Numbers known from elsewhere, through Python: the tables of tests/truth."""
import importlib.util
import json

import pytest
from shared_fixtures import ROOT

import slipstick as ss

TRUTH = ROOT / "tests" / "truth"
_spec = importlib.util.spec_from_file_location("truth", TRUTH / "run.py")
truth = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(truth)

# Options of `simulate` and what Python calls them.
NUMBERS = {"--until": "until", "--tolerance": "tolerance", "--max-events": "max_events"}


def cases():
    """Simulations that are right and not long, with the arguments Python takes."""
    pending = set((TRUTH / "pending.txt").read_text().split())
    for table in ("external.json", "open.json"):
        for case in json.loads((TRUTH / table).read_text()):
            arguments = arguments_of(case["command"])
            if arguments is not None and not case.get("exit") and "exit_in" not in case and case["id"] not in pending:
                yield pytest.param(case, arguments, id=case["id"])


def arguments_of(command):
    """The words of a command as arguments, or None where they have no counterpart."""
    words, out = [word for word in command if word != "--json"], {}
    if words[0] != "simulate" or words[1] != "{model}":
        return None
    for name, value in zip(words[2::2], words[3::2]):
        if name == "--at":
            out["t_eval"] = [float(t) for t in value.split(",")]
        elif name in NUMBERS:
            out[NUMBERS[name]] = int(value) if name == "--max-events" else float(value)
        else:
            return None
    return out


@pytest.mark.parametrize(("case", "arguments"), cases())
def test_known_numbers(case, arguments):
    sol = ss.loads(case["model"]).simulate(**arguments)
    assert truth.faults_of(case, sol.answer) == []


def test_there_are_at_least_fifty():
    assert len(list(cases())) >= 50
