# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Python in pages: what stands there is what comes out."""
import doctest

import numpy as np
import pytest
from shared_fixtures import ROOT

import slipstick as ss


@pytest.mark.parametrize("page", ["cookbook.md"])
def test_examples_of_pages(page, tmp_path, monkeypatch):
    (tmp_path / "models").symlink_to(ROOT / "models")
    monkeypatch.chdir(tmp_path)
    text = "\n".join("" if line.startswith("```") else line for line in (ROOT / "docs" / page).read_text().splitlines())
    examples = doctest.DocTestParser().get_doctest(text, {"ss": ss, "np": np}, page, page, 0)
    assert examples.examples
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(examples)
    assert runner.summarize().failed == 0
