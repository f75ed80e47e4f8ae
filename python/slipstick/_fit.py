# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Fitting a model to recordings."""
from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._progress import progress_of

if TYPE_CHECKING:
    from ._model import Model


class Fit:
    """What a search found; made by ``Model.fit``.

    A recording is a file (CSV with a header) or ``(t, values)`` with a column per trace; ``columns`` says
    which of the model's numbers each column shows, ``free`` which numbers are to be found: a path, or
    (path, least, most).

    >>> import slipstick as ss
    >>> model = ss.loads('''
    ... slipstick: 1
    ... title: a block
    ... bodies: {block: {mass: 1 kg}}
    ... contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}
    ... start: {block: {v: 3}}
    ... ''')
    >>> t = np.linspace(0, 1, 50)
    >>> fit = model.fit((t, 3 * t - 0.25 * t**2), columns={"block.x": "1"}, free=["contacts.floor.friction"])
    >>> round(fit.values["contacts.floor.friction"], 6)
    0.5
    """

    def __init__(self, model: Model, answer: dict[str, Any]) -> None:
        self.answer = answer
        self._model = model

    @property
    def parameters(self) -> dict[str, dict[str, Any]]:
        """All that is known of each free number."""
        return self.answer["parameters"]

    @property
    def values(self) -> dict[str, float]:
        """The numbers found, SI."""
        return {name: told["value"] for name, told in self.parameters.items()}

    @property
    def stderr(self) -> dict[str, float | None]:
        """Their standard errors."""
        return {name: told.get("stderr") for name, told in self.parameters.items()}

    @property
    def stderr_correlated(self) -> dict[str, float | None]:
        """The same where residuals are alike over some time."""
        return {name: told.get("stderr_correlated") for name, told in self.parameters.items()}

    @property
    def log_likelihood(self) -> float | None:
        """Of the recordings under the model as fitted; to compare models on the same recordings."""
        return self.answer["log_likelihood"]

    @property
    def aic(self) -> float | None:
        """Akaike's criterion: smaller is better."""
        return self.answer["aic"]

    @property
    def bic(self) -> float | None:
        """Bayes' criterion: smaller is better, and a number that is not needed costs more."""
        return self.answer["bic"]

    @property
    def durbin_watson(self) -> float | None:
        """Of the residuals: 2 for noise, near 0 where neighbours are alike."""
        return self.answer["durbin_watson"]

    @property
    def cov(self) -> np.ndarray:
        """Covariance matrix, in the order of ``values``; NaN where it is not known."""
        errors = np.array([math.nan if e is None else e for e in self.stderr.values()], dtype=float)
        correlation = self.answer.get("correlation")
        if correlation is None:
            return np.full((len(errors), len(errors)), math.nan)
        return np.array(correlation, dtype=float) * np.outer(errors, errors)

    @property
    def warnings(self) -> list[str]:
        """What one should know before these numbers are believed."""
        return list(self.answer.get("warnings", []))

    @property
    def outcome(self) -> str:
        """``"converged"``, or how the search ended."""
        return self.answer["outcome"]

    @property
    def model(self) -> Model:
        """The model with the numbers found."""
        return self._model.with_({name: value for name, value in self.values.items() if "#" not in name
                                  and not name.startswith(("sensor.", "clock."))})  # fmt: skip

    def __repr__(self) -> str:
        told = ", ".join(f"{name} = {value:.6g}" for name, value in self.values.items())
        return f"<Fit {self.outcome}: {told}>"


def _recording(given: Any, k: int, time: str | None) -> tuple:
    if isinstance(given, (str, os.PathLike)):
        return os.fspath(given), time
    t, values = given
    return f"recording {k + 1}", np.ascontiguousarray(t, dtype=float), np.ascontiguousarray(values, dtype=float)


def _free(given: str | tuple) -> tuple[str, float, float, int, float]:
    if isinstance(given, str):
        return given, -math.inf, math.inf, -1, math.nan
    path, least, most = given
    return path, float(least), float(most), -1, math.nan


def fit_of(
    model: Model, recordings: Any, columns: Mapping[str, str], free: Sequence[Any], *, time: str | None = None,
    sigma: Mapping[str, float] | None = None, delay: float = 0.0, quiet: float = 0.0,
    window: tuple[float, float] = (-math.inf, math.inf), starts: int = 1, seed: int = 0, loss: str = "squares",
    tolerance: float = 1e-10, max_events: int = 1_000_000, progress: Any = None,
) -> Fit:  # fmt: skip
    """Runs the search."""
    several = isinstance(recordings, list)
    given = [_recording(one, k, time) for k, one in enumerate(recordings if several else [recordings])]
    traces = [(shows, column, (sigma or {}).get(shows, math.nan)) for shows, column in columns.items()]
    if loss not in ("squares", "huber"):
        raise ValueError(f"loss={loss!r}: expected 'squares' or 'huber'")
    options = (delay, quiet, *map(float, window), starts, seed, tolerance, max_events, int(loss == "huber"))
    with progress_of(progress, "fit") as tell:
        answer = _core.fit(
            model._model, given, traces, [_free(one) for one in free], [], options, tell, None, None
        )
    return Fit(model, answer)
