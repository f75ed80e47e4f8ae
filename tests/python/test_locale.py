# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""A program that writes 0,5 for one half still gets, and gives, 0.5 here: answers, pictures, messages."""
import locale
import subprocess

import pytest

import slipstick as ss


@pytest.fixture
def decimal_comma(tmp_path, monkeypatch):
    """Sets and takes back a locale with a comma, made here so that it need not be installed."""
    place = tmp_path / "de_DE.UTF-8"
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(place)], check=True, capture_output=True)
    monkeypatch.setenv("LOCPATH", str(tmp_path))
    before = locale.setlocale(locale.LC_NUMERIC)

    def use(comma):
        locale.setlocale(locale.LC_NUMERIC, "de_DE.UTF-8" if comma else before)
        assert locale.localeconv()["decimal_point"] == ("," if comma else ".")

    yield use
    locale.setlocale(locale.LC_NUMERIC, before)


def told(models):
    """What is written as text on the way from a question to its answer."""
    model = ss.load(models / "two-blocks.yaml", set={"parameters.mu": 0.125})
    sol = model.simulate(until=1.5, derivative=["parameters.mu"])
    plate = ss.load(models / "plate.yaml")
    with pytest.raises(ss.ModelError) as wrong:
        ss.load(models / "two-blocks.yaml", set={"parameters.mu": -0.125})
    return [
        model.check(),
        repr(model.certify()),
        sol.derivative["parameters.mu"]["block1.x"].tolist(),
        sol.picture().svg,
        plate.picture("surface").svg,
        str(wrong.value),
    ]


def test_everything_is_the_same_where_commas_are_written(models, decimal_comma):
    wanted = told(models)
    decimal_comma(True)
    got = told(models)
    decimal_comma(False)
    assert got == wanted
