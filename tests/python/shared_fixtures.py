# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What the tests of the Python package share."""
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest
from _pytest.doctest import DoctestItem

import slipstick as ss

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def models():
    """The folder of models."""
    return ROOT / "models"


@pytest.fixture(autouse=True)
def room_for_examples(request, doctest_namespace, tmp_path, monkeypatch):
    """Examples in docstrings use np and ss, and read models/; what they write goes to a folder of their own."""
    doctest_namespace.update({"np": np, "ss": ss})
    if isinstance(request.node, DoctestItem):
        (tmp_path / "models").symlink_to(ROOT / "models")
        monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def program():
    """Runs the command line and returns its JSON."""

    def run(*words, status=0):
        command = [os.environ["SLIPSTICK_PROGRAM"], *map(str, words), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stderr
        if status != 0:
            return done.stderr
        told = json.loads(done.stdout)
        assert told.pop("made")["model"]  # what was typed, which Python has as .question
        return told

    return run
