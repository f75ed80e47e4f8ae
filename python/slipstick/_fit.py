# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Fitting a model to recordings."""
from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._progress import progress_of

if TYPE_CHECKING:
    from ._model import Model


_RESIDUALS = ("time", "measured", "fitted", "residual", "trace", "recording")


class Fit:
    """What a search found; made by ``Model.fit``.

    A recording is a file (CSV with a header) or ``(t, values)`` with a column per trace; ``columns`` says
    which of the model's numbers each column shows, ``free`` which numbers are to be found: a path, or
    (path, least, most). With several recordings (a list), ``free_each`` are found for each of them, and ``each``
    gives known numbers that differ, a value per recording. ``sigma``: noise by column; ``quiet``: s around events
    that are left out; ``window``: from when to when; ``starts``: guesses; ``loss="huber"``: a few samples that are
    far off do not pull. ``versus``: other models for the same recordings, each with those of the free numbers that
    it has; the best by ``aic`` is returned, and ``ranking`` has them all.

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

    def __init__(self, model: Model, answer: dict[str, Any], residuals: dict[str, np.ndarray] | None = None) -> None:
        self.answer = answer
        self._model = model
        self._residuals = residuals
        self.ranking: list[Fit] = [self]
        """All fits of ``versus``, the one of the least ``aic`` (this one) first."""

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
    def residuals(self) -> dict[str, np.ndarray]:
        """Sample by sample, SI: ``time``, ``measured``, ``fitted``, ``residual``, ``trace`` and ``recording`` (1, 2, ..).

        Samples that were left out are not there; nothing is where no motion fits.

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1], start={"q1.x": 4})
        >>> t = np.linspace(0, 2, 9)
        >>> fit = model.fit((t, 1 + 3 * np.cos(t)), {"q1.x": "1"}, ["q1.x"])
        >>> bool(np.abs(fit.residuals["residual"]).max() < 1e-9), fit.residuals["trace"][0]
        (True, 'q1.x')
        """
        if self._residuals is None:
            return {name: np.empty(0) for name in _RESIDUALS}
        return self._residuals

    def save_residuals(self, path: str | os.PathLike) -> None:
        """Writes them as comma-separated text, as ``slipstick fit --residuals`` does."""
        told = self.residuals
        several = len(set(told["trace"])) > 1 or len(set(told["recording"])) > 1
        names = _RESIDUALS if several else _RESIDUALS[:4]
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(names) + "\n")
            for row in zip(*(told[name] for name in names)):
                file.write(",".join(v if isinstance(v, str) else f"{v:.17g}" for v in row) + "\n")

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


def _frees(model: Model, free: Sequence[Any], each: Sequence[Any], count: int, choosy: bool) -> list[tuple]:
    """Free numbers of a model: for all recordings, and for each; where models compete, those that it has."""
    out = [_free(one) for one in free]
    out += [(*_free(one)[:3], k, math.nan) for one in each for k in range(count)]
    kept = [one for one in out if not choosy or _core.has_number(model._model, one[0])]
    if out and not kept:
        raise ValueError(f"versus: {model!r} has none of the free numbers")
    return kept


def _read_residuals(path: str, trace: str) -> dict[str, np.ndarray]:
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split(",") for line in file][1:]
    columns = list(zip(*rows)) if rows else [()] * len(_RESIDUALS)
    out = {name: np.array(column, dtype=float) for name, column in zip(_RESIDUALS[:4], columns)}
    out["trace"] = np.array(columns[4]) if len(columns) > 4 else np.full(len(rows), trace)
    out["recording"] = np.array(columns[5], dtype=int) if len(columns) > 5 else np.ones(len(rows), dtype=int)
    return out


def _by_aic(fit: Fit) -> float:
    return math.inf if fit.aic is None else fit.aic


def fit_of(
    model: Model, recordings: Any, columns: Mapping[str, str], free: Sequence[Any], *,
    free_each: Sequence[Any] = (), each: Mapping[str, Sequence[Any]] | None = None, time: str | None = None,
    sigma: Mapping[str, float] | None = None, delay: float = 0.0, quiet: float = 0.0,
    window: tuple[float, float] = (-math.inf, math.inf), starts: int = 1, seed: int = 1, loss: str = "squares",
    versus: Sequence[Model] = (), tolerance: float = 1e-10, max_events: int = 1_000_000, progress: Any = None,
) -> Fit:  # fmt: skip
    """Runs the search, one for each model."""
    several = isinstance(recordings, list)
    given = [_recording(one, k, time) for k, one in enumerate(recordings if several else [recordings])]
    traces = [(shows, column, (sigma or {}).get(shows, math.nan)) for shows, column in columns.items()]
    if loss not in ("squares", "huber"):
        raise ValueError(f"loss={loss!r}: expected 'squares' or 'huber'")
    known = [(path, value if isinstance(value, str) else repr(float(value)), k)
             for path, values in (each or {}).items() for k, value in enumerate(values)]  # fmt: skip
    options = (delay, quiet, *map(float, window), starts, seed, tolerance, max_events, int(loss == "huber"))
    models = [model, *versus]
    if not all(hasattr(one, "_model") for one in models):
        raise TypeError("versus: expected are models, as ss.load makes them")
    numbers = [_frees(one, free, free_each, len(given), len(models) > 1) for one in models]
    with tempfile.TemporaryDirectory(prefix="slipstick-") as folder, progress_of(progress, "fit") as tell:
        paths = [os.path.join(folder, f"{k}.csv") for k in range(len(models))]
        told = _core.fit([one._model for one in models], given, traces, numbers, known, options, tell, paths)
        fits = [
            Fit(one, answer, _read_residuals(path, traces[0][0]) if written else None)
            for one, (answer, written), path in zip(models, told, paths)
        ]
    fits.sort(key=_by_aic)
    for one in fits:
        one.ranking = fits
    return fits[0]
