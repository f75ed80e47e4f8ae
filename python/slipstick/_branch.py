# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Branches: cycles and steady states over one number of the model."""
from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._axes import axis_number
from ._progress import progress_of
from ._named import Named, need_name
from ._store import Result
from ._take import take_count, take_number, take_time
from ._typing import Floats, Progress, Value

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ._model import Model


class Branch(Named, Result):
    """How a cycle or a steady state changes with one number; made by ``Model.follow``.

    ``points`` and ``special`` are lists of dictionaries as in the JSON of ``slipstick follow``, ``end`` says why the
    branch ended. ``branch["block.x"]`` is an array over the points: the amplitude, or the place of a steady state.

    >>> import slipstick as ss
    >>> model = ss.loads('''
    ... slipstick: 1
    ... title: an oscillator against a stop
    ... parameters: {f: 0.3 N}
    ... bodies: {ball: {mass: 1 kg}}
    ... connections: [{between: [ball, ground], stiffness: 1 N/m, damping: 0.1 N*s/m}]
    ... forces: [{body: ball, force: "f * cos(1.5 rad/s*t)"}]
    ... contacts: {stop: {between: [ball, ground], law: rigid-stop, above: 0.5 m, restitution: 0.7}}
    ... run: {until: 300 s}
    ... ''')
    >>> branch = model.follow("parameters.f", 0.3, 0.9)
    >>> branch.special[0]["kind"], round(branch.special[0]["value"], 7)  # 0.5 hypot(1 - 1.5^2, 0.15)
    ('grazing', 0.6294839)
    >>> bool(branch.stable[0]), bool(branch.stable[-1])  # the orbits that strike go back, and are unstable
    (True, False)
    """

    def __init__(self, model: Model, steady: bool, answer: dict[str, Any]) -> None:
        self.model = model
        self.steady = steady
        self.answer = answer
        self._seal()

    @property
    def path(self) -> str:
        """The number that varies.

        >>> model = ss.load("models/hunting-servo.yaml")
        >>> branch = model.follow("contacts.guide.static", 12, 14)
        >>> branch.path
        'contacts.guide.static'
        """
        return str(self.answer["over"])

    @property
    def points(self) -> list[dict[str, Any]]:
        """One dictionary per point.

        >>> model = ss.load("models/hunting-servo.yaml")
        >>> branch = model.follow("contacts.guide.static", 12, 14)
        >>> sorted(branch.points[0])
        ['amplitude', 'events', 'middle', 'multipliers', 'period', 'stable', 'state', 'states', 'value']
        """
        return list(self.answer["branch"])

    @property
    def special(self) -> list[dict[str, Any]]:
        """Folds, flips, Hopf points and so on, each with its ``kind``.

        >>> model = ss.load("models/hunting-servo.yaml")
        >>> branch = model.follow("contacts.guide.static", 12, 14)
        >>> branch.special
        []
        """
        return list(self.answer["special"])

    @property
    def end(self) -> str:
        """Why the branch ended.

        >>> model = ss.load("models/hunting-servo.yaml")
        >>> branch = model.follow("contacts.guide.static", 12, 14)
        >>> branch.end
        'leaves the range at its end'
        """
        return str(self.answer["end"])

    @property
    def value(self) -> Floats:
        """The number that varies, at every point.

        >>> model = ss.load("models/hunting-servo.yaml")
        >>> branch = model.follow("contacts.guide.static", 12, 14)
        >>> branch.value[[0, -1]]
        array([12., 14.])
        """
        return np.array([point["value"] for point in self.points])

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether neighbours come nearer, at every point.

        >>> model = ss.load("models/hunting-servo.yaml")
        >>> branch = model.follow("contacts.guide.static", 12, 14)
        >>> bool(branch.stable.all())
        True
        """
        return np.array([point["stable"] for point in self.points])

    @property
    def period(self) -> Floats:
        """s: of cycles, at every point; NaN for steady states.

        >>> model = ss.load("models/hunting-servo.yaml")
        >>> branch = model.follow("contacts.guide.static", 12, 14)
        >>> branch.period[[0, -1]].round(4)
        array([1.5943, 1.1932])
        """
        return np.array([point.get("period", math.nan) for point in self.points])

    def __getitem__(self, name: str) -> Floats:
        """The amplitude of a number at every point; of steady states the number itself."""
        if need_name(name) not in self.names():
            raise KeyError(f"{name!r}; there are {', '.join(self.names())}")
        if not self.steady:
            return np.array([point["amplitude"][name] for point in self.points])
        body, dot, key = name.rpartition(".")
        if dot and key in ("x", "v") and body in self.points[0]["state"]:
            return np.array([point["state"][body][key] for point in self.points])
        return np.array([point["states"][name] for point in self.points])

    def _ipython_key_completions_(self) -> list[str]:
        return self.names()

    def names(self) -> list[str]:
        """What ``branch[name]`` knows.

        >>> model = ss.load("models/hunting-servo.yaml")
        >>> branch = model.follow("contacts.guide.static", 12, 14)
        >>> branch.names()
        ['stage.x', 'sum']
        """
        first = self.points[0]
        if not self.steady:
            return list(first["amplitude"])
        return [f"{body}.{key}" for body in first["state"] for key in ("x", "v")] + list(first.get("states", {}))

    def to_pandas(self) -> pd.DataFrame:
        """A table with a row per point.

        >>> model = ss.load("models/hunting-servo.yaml")
        >>> branch = model.follow("contacts.guide.static", 12, 14)
        >>> branch.to_pandas().columns.tolist()
        ['contacts.guide.static', 'stable', 'period', 'stage.x', 'sum']
        """
        import pandas as pd

        columns = {self.path: self.value, "stable": self.stable}
        if not self.steady:
            columns["period"] = self.period
        return pd.DataFrame({**columns, **{name: self[name] for name in self.names()}})

    def plot(self, name: str | None = None, **options: Any) -> Figure:
        """The branch: stable parts solid, unstable ones dashed, special points with their names.

        >>> model = ss.load("models/hunting-servo.yaml")
        >>> branch = model.follow("contacts.guide.static", 12, 14)
        >>> branch.plot("stage.x").axes[0].get_xlabel()
        'contacts.guide.static [N]'
        """
        from ._plot import figure_of, with_unit

        shown = name or self.names()[0]
        figure = figure_of(options)
        axes = figure.subplots()
        value, values, stable = self.value, self[shown], self.stable
        for k in range(len(value) - 1):
            style = "-" if stable[k] and stable[k + 1] else "--"
            axes.plot(value[k : k + 2], values[k : k + 2], style, color="C0")
        for special in self.special:
            one = Branch(self.model, self.steady, {**self.answer, "branch": [special]})
            axes.plot(special["value"], one[shown][0], "o", color="C1", fillstyle="none")
            axes.annotate(special["kind"], (special["value"], one[shown][0]), (5, 5), textcoords="offset points")
        axes.set_xlabel(with_unit(self.path, self.model._unit(self.path)))
        axes.set_ylabel(with_unit(shown if self.steady else f"amplitude of {shown}", self.model.units.get(shown, "")))
        axes.grid(alpha=0.3)
        return figure

    def __repr__(self) -> str:
        what = "steady states" if self.steady else "cycles"
        return f"<Branch of {len(self.points)} {what} over {self.path}, {len(self.special)} special points>"


def branch_of(
    model: Model, path: str, a: Value, b: Value, near: Mapping[str, Value] | None, steady: bool, period: Value | None,
    until: Value | None, tolerance: float, max_events: int, max_points: int, progress: Progress,
) -> Branch:  # fmt: skip
    """Follows the branch."""
    first = model.with_(near) if near else model
    with progress_of(progress, "follow") as tell:
        answer = _core.follow(
            first._model, path, axis_number(model, path, a), axis_number(model, path, b), bool(steady), near is not None,
            take_time(period, "period", 1.0), take_time(until, "until"),
            take_number(tolerance, "tolerance"), take_count(max_events, "max_events", 1),
            take_count(max_points, "max_points", 2), tell,
        )  # fmt: skip
    return Branch(model, bool(steady), answer)
