# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Fitting a model to recordings."""
from __future__ import annotations

import errno
import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._progress import progress_of
from ._typing import ArrayLike, Floats, Progress, Value
from .errors import ModelError

if TYPE_CHECKING:
    from ._model import Model


Recording = Union[str, "os.PathLike[str]", tuple[ArrayLike, ArrayLike]]
"""A file (CSV with a header), or the times and a column per trace."""

FreeNumber = Union[str, tuple[str, float, float]]
"""A path, or (path, least, most)."""

_Free = tuple[str, float, float, int, float]
_RESIDUALS = ("time", "measured", "fitted", "residual", "trace", "recording")


class Fit:
    """What a search found; made by ``Model.fit``.

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

    def __init__(self, model: Model, answer: dict[str, Any], residuals: dict[str, NDArray[Any]] | None = None) -> None:
        self.answer = answer
        self._model = model
        self._residuals = residuals
        self.ranking: list[Fit] = [self]
        """All fits of ``versus``, the one of the least ``aic`` (this one) first."""

    def _number(self, key: str) -> float | None:
        value = self.answer[key]
        return None if value is None else float(value)

    @property
    def parameters(self) -> dict[str, dict[str, Any]]:
        """All that is known of each free number.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> fit = block.fit((t, t**2), {"b.x": "1"}, ["bodies.b.mass"])
        >>> sorted(fit.parameters["bodies.b.mass"])
        ['interval_95', 'profile', 'stderr', 'stderr_correlated', 'value']
        """
        return dict(self.answer["parameters"])

    @property
    def values(self) -> dict[str, float]:
        """The numbers found, SI.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> fit = block.fit((t, t**2), {"b.x": "1"}, ["bodies.b.mass"])
        >>> round(fit.values["bodies.b.mass"], 9)
        0.25
        """
        return {name: told["value"] for name, told in self.parameters.items()}

    @property
    def stderr(self) -> dict[str, float | None]:
        """Their standard errors.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> fit = block.fit((t, t**2), {"b.x": "1"}, ["bodies.b.mass"])
        >>> fit.stderr["bodies.b.mass"] < 1e-9
        True
        """
        return {name: told.get("stderr") for name, told in self.parameters.items()}

    @property
    def stderr_correlated(self) -> dict[str, float | None]:
        """The same where residuals are alike over some time.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> fit = block.fit((t, t**2), {"b.x": "1"}, ["bodies.b.mass"])
        >>> sorted(fit.stderr_correlated)
        ['bodies.b.mass']
        """
        return {name: told.get("stderr_correlated") for name, told in self.parameters.items()}

    @property
    def log_likelihood(self) -> float | None:
        """Of the recordings under the model as fitted; to compare models on the same recordings.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> x = t**2 + 0.001 * np.random.default_rng(1).standard_normal(20)
        >>> fit = block.fit((t, x), {"b.x": "1"}, ["bodies.b.mass"])
        >>> round(fit.log_likelihood, 1)
        121.1
        """
        return self._number("log_likelihood")

    @property
    def aic(self) -> float | None:
        """Akaike's criterion: smaller is better.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> x = t**2 + 0.001 * np.random.default_rng(1).standard_normal(20)
        >>> fit = block.fit((t, x), {"b.x": "1"}, ["bodies.b.mass"])
        >>> round(fit.aic, 1)
        -238.2
        """
        return self._number("aic")

    @property
    def bic(self) -> float | None:
        """Bayes' criterion: smaller is better, and a number that is not needed costs more.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> x = t**2 + 0.001 * np.random.default_rng(1).standard_normal(20)
        >>> fit = block.fit((t, x), {"b.x": "1"}, ["bodies.b.mass"])
        >>> fit.bic > fit.aic
        True
        """
        return self._number("bic")

    @property
    def durbin_watson(self) -> float | None:
        """Of the residuals: 2 for noise, near 0 where neighbours are alike.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> x = t**2 + 0.001 * np.random.default_rng(1).standard_normal(20)
        >>> fit = block.fit((t, x), {"b.x": "1"}, ["bodies.b.mass"])
        >>> round(fit.durbin_watson, 1)
        2.3
        """
        return self._number("durbin_watson")

    @property
    def cov(self) -> Floats:
        """Covariance matrix, in the order of ``values``; NaN where it is not known.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> fit = block.fit((t, t**2), {"b.x": "1"}, ["bodies.b.mass"])
        >>> fit.cov.shape
        (1, 1)
        """
        errors = np.array([math.nan if e is None else e for e in self.stderr.values()], dtype=float)
        correlation = self.answer.get("correlation")
        if correlation is None:
            return np.full((len(errors), len(errors)), math.nan, dtype=float)
        return np.asarray(np.array(correlation, dtype=float) * np.outer(errors, errors), dtype=np.float64)

    @property
    def residuals(self) -> dict[str, NDArray[Any]]:
        """Sample by sample, SI: ``time``, ``measured``, ``fitted``, ``residual``, ``trace``, ``recording`` (1, 2, ..).

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

    def save_residuals(self, path: str | os.PathLike[str]) -> None:
        """Writes them as comma-separated text, as ``slipstick fit --residuals`` does.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> fit = block.fit((t, t**2), {"b.x": "1"}, ["bodies.b.mass"])
        >>> fit.save_residuals("residuals.csv")
        """
        told = self.residuals
        several = len(set(told["trace"])) > 1 or len(set(told["recording"])) > 1
        names = _RESIDUALS if several else _RESIDUALS[:4]
        lines = [",".join(names)]
        for row in zip(*(told[name] for name in names)):
            lines.append(",".join(v if isinstance(v, str) else f"{v:.17g}" for v in row))
        _core.write_file(path, ("\n".join(lines) + "\n").encode())

    @property
    def warnings(self) -> list[str]:
        """What one should know before these numbers are believed.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> fit = block.fit((t, t**2), {"b.x": "1"}, ["bodies.b.mass"])
        >>> fit.warnings
        []
        """
        return list(self.answer.get("warnings", []))

    @property
    def outcome(self) -> str:
        """``"converged"``, or how the search ended.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> fit = block.fit((t, t**2), {"b.x": "1"}, ["bodies.b.mass"])
        >>> fit.outcome
        'converged'
        """
        return str(self.answer["outcome"])

    @property
    def model(self) -> Model:
        """The model with the numbers found.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> fit = block.fit((t, t**2), {"b.x": "1"}, ["bodies.b.mass"])
        >>> round(float(fit.model.simulate(2.0)["b.x"][-1]), 6)
        4.0
        """
        return self._model.with_({name: value for name, value in self.values.items() if "#" not in name
                                  and not name.startswith(("sensor.", "clock."))})  # fmt: skip

    def __repr__(self) -> str:
        told = ", ".join(f"{name} = {value:.6g}" for name, value in self.values.items())
        return f"<Fit {self.outcome}: {told}>"


def _recording(given: Recording, k: int, time: str | None, order: list[int]) -> tuple[Any, ...]:
    columns = len(order)
    if isinstance(given, (str, os.PathLike)):
        if not os.path.exists(given):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(given))
        return os.fspath(given), time
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise TypeError(f"a recording is a file or (t, values), not {type(given).__name__}")
    t, values = (np.ascontiguousarray(one, dtype=float) for one in given)
    if values.shape != (len(t), columns) and values.shape != (len(t),) * (columns == 1):
        wanted = f"({len(t)},)" if columns == 1 else f"({len(t)}, {columns})"
        raise ValueError(f"a recording of {len(t)} times and {columns} columns needs values of the shape {wanted}, "
                         f"not {values.shape}")  # fmt: skip
    return f"recording {k + 1}", t, values if values.ndim == 1 else np.ascontiguousarray(values[:, order])


def _free(given: FreeNumber) -> _Free:
    if isinstance(given, str):
        return given, -math.inf, math.inf, -1, math.nan
    if not isinstance(given, (tuple, list)) or len(given) != 3:
        raise ModelError(f"free: expected a path or (path, least, most), not {given!r}", field="free")
    path, least, most = given
    return path, float(least), float(most), -1, math.nan


def _frees(
    model: Model, free: str | Sequence[FreeNumber], each: Sequence[FreeNumber], count: int, choosy: bool
) -> list[_Free]:
    """Free numbers of a model: for all recordings, and for each; where models compete, those that it has."""
    out = [_free(one) for one in ([free] if isinstance(free, str) else free)]
    for path, least, most, *_ in map(_free, each):
        out += [(path, least, most, k, math.nan) for k in range(count)]
    kept = [one for one in out if not choosy or _core.has_number(model._model, one[0])]
    if out and not kept:
        raise ValueError(f"versus: {model!r} has none of the free numbers")
    return kept


def _read_residuals(path: str, trace: str) -> dict[str, NDArray[Any]]:
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split(",") for line in file][1:]
    columns = list(zip(*rows)) if rows else [()] * len(_RESIDUALS)
    out: dict[str, NDArray[Any]]
    out = {name: np.array(column, dtype=float) for name, column in zip(_RESIDUALS[:4], columns)}
    out["trace"] = np.array(columns[4]) if len(columns) > 4 else np.full(len(rows), trace)
    out["recording"] = np.array(columns[5], dtype=int) if len(columns) > 5 else np.ones(len(rows), dtype=int)
    return out


def _by_aic(fit: Fit) -> float:
    return math.inf if fit.aic is None else fit.aic


def fit_of(
    model: Model, recordings: Recording | list[Recording], columns: Mapping[str, str], free: str | Sequence[FreeNumber],
    *, free_each: Sequence[FreeNumber] = (), each: Mapping[str, Sequence[Value]] | None = None, time: str | None = None,
    sigma: Mapping[str, float] | None = None, delay: float = 0.0, quiet: float = 0.0,
    window: tuple[float, float] = (-math.inf, math.inf), starts: int = 1, seed: int = 1, loss: str = "squares",
    versus: Sequence[Model] = (), tolerance: float = 1e-10, max_events: int = 1_000_000, progress: Progress = None,
) -> Fit:  # fmt: skip
    """Runs the search, one for each model."""
    listed: list[Any] = recordings if isinstance(recordings, list) else [recordings]
    names = list(columns)
    order = sorted(range(len(names)), key=lambda k: names[k].startswith("inputs."))  # those that drive come last
    given = [_recording(one, k, time, order) for k, one in enumerate(listed)]
    traces = [(names[k], columns[names[k]], (sigma or {}).get(names[k], math.nan)) for k in order]
    if loss not in ("squares", "huber"):
        raise ModelError(f"loss={loss!r}: expected 'squares' or 'huber'", field="loss")
    known = [(path, value if isinstance(value, str) else repr(float(value)), k)
             for path, values in (each or {}).items() for k, value in enumerate(values)]  # fmt: skip
    begin, end = map(float, window)
    options = (delay, quiet, begin, end, starts, seed, tolerance, max_events, int(loss == "huber"))
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
