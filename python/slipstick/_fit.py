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
from ._named import Named
from ._progress import progress_of
from ._store import Result
from ._take import has_own_index, index_of, is_frame, is_scalar, is_series, real_array, take_columns, take_count, take_number
from ._typing import ArrayLike, Floats, Progress, Value
from .errors import ModelError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ._model import Model


Recording = Union[str, "os.PathLike[str]", tuple[ArrayLike, ArrayLike], Mapping[str, ArrayLike], "pd.DataFrame", "pd.Series[Any]"]
"""A file (CSV with a header), a DataFrame or a dict of columns, a Series over the time, or the times and a column per
trace."""

FreeNumber = Union[str, tuple[str, Value, Value]]
"""A path, or (path, least, most)."""

_MUCH = 0.1  # share of a column: more of it missing is told

_Free = tuple[str, float, float, int, float]
_RESIDUALS = ("time", "measured", "fitted", "residual", "trace", "recording")


class Fit(Named, Result):
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
        self._ranking: list[Fit] = [self]
        self._units: dict[str, str] = {}
        self._seal()

    def __getitem__(self, name: str) -> float:
        """A number found: ``fit["contacts.floor.friction"]``."""
        if name not in self.values:
            raise KeyError(f"{name!r}; there are {', '.join(self.values)}")
        return self.values[name]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.values)

    @property
    def ranking(self) -> list[Fit]:
        """All fits of ``versus``, the one of the least ``aic`` (this one) first.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> x = t**2 + 0.001 * np.random.default_rng(1).standard_normal(20)
        >>> other = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N * t / (1 s)"}]})
        >>> fit = block.fit((t, x), {"b.x": "1"}, ["bodies.b.mass"], versus=[other])
        >>> [round(one.aic) for one in fit.ranking]
        [-238, -42]
        """
        return list(self._ranking)

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
    def notes(self) -> list[str]:
        """What is worth knowing, too.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> block.fit((t, np.where(t > 0.5, np.nan, t**2)), {"b.x": "1"}, ["bodies.b.mass"]).notes
        ["recording 1: 10 of 20 values of 'b.x' are missing (NaN) and take no part"]
        """
        return list(self.answer.get("notes", []))

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

    def _state(self) -> dict[str, Any]:
        """Those it was ranked with are kept without their own ranking, and its own place is empty."""
        others = [None if one is self else one._alone() for one in self._ranking]
        return {**super()._state(), "_ranking": others}

    def _alone(self) -> Fit:
        alone = Fit(self._model, self.answer, self._residuals)
        alone._question, alone._units = self._question, self._units
        return alone

    def _restore_ranking(self) -> None:
        """After reading: all fits know one another again."""
        if any(one is None for one in self._ranking):
            ranking = [self if one is None else one for one in self._ranking]
            for one in ranking:
                one.__dict__["_ranking"] = ranking

    def plot(self, **options: Any) -> Figure:
        """What was measured and what was fitted, and below it the residuals, for every trace.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> fit = block.fit((t, t**2), {"b.x": "1"}, ["bodies.b.mass"])
        >>> [ax.get_ylabel() for ax in fit.plot().axes]
        ['b.x [m]', 'residual [m]']
        """
        from ._plot import plot_fit

        return plot_fit(self, options)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes one HTML file that needs nothing else: data, fit and residuals as pictures and as a table, the numbers
        with their intervals, the ranking of models, and all warnings.

        >>> block = ss.Model({"bodies": {"b": {"mass": 1}}, "forces": [{"body": "b", "force": "0.5 N"}]})
        >>> t = np.linspace(0, 1, 20)
        >>> block.fit((t, t**2), {"b.x": "1"}, ["bodies.b.mass"]).report("report.html")
        """
        from ._report import fit_report

        name = os.fspath(path)
        if not name.lower().endswith((".html", ".htm")):
            raise ValueError(f"{name!r}: the name of a report ends in .html")
        text = fit_report(self)
        with open(name + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name + ".new", name)

    def _repr_html_(self) -> str:
        from ._html import fit_html

        return fit_html(self)

    def __repr__(self) -> str:
        told = ", ".join(f"{name} = {value:.6g}" for name, value in self.values.items())
        doubts = len(self.warnings)
        more = f"; {doubts} warning{'s' * (doubts > 1)}, see .warnings" if doubts else ""
        return f"<Fit {self.outcome}: {told}{more}>"


def _numbers(name: str, column: Any) -> list[float]:
    """A column as numbers; None and what pandas calls missing become NaN."""
    out = []
    for row, value in enumerate(column):
        try:
            out.append(math.nan if value is None or type(value).__name__ == "NAType" or value != value else float(value))
        except (TypeError, ValueError):
            raise ModelError(f"recording: column {name!r}, row {row}: {value!r} is no number", field=name) from None
    return out


def _write_columns(columns: Mapping[str, Any], path: str) -> None:
    """A table as a file, which is read with its units like any other; what is no number there is missing."""
    lengths = {name: len(np.atleast_1d(column)) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"the columns of a recording are of one length: {told}")
    plain = {name: _numbers(name, column) for name, column in columns.items()}
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join('"' + name.replace('"', '""') + '"' for name in columns) + "\n")
        for row in zip(*plain.values()):
            file.write(",".join("" if value != value else f"{value:.17g}" for value in row) + "\n")


def _counts_rows(given: Any) -> bool:
    """Whether an index may be the mere numbers of rows, of which some have been taken out: whole and without a name."""
    return not has_own_index(given) or (np.asarray(given.index).dtype.kind in "iu" and given.index.name is None)


def _table(given: Any, columns: Mapping[str, str]) -> dict[str, Any] | None:
    """The columns of a DataFrame, Series or dict, the time first where it is the index; None where it is none."""
    if is_series(given):
        if _counts_rows(given):
            raise ModelError("a Series needs its times (s) as index; these whole numbers without a name may be those of the "
                             "rows: give the index a name, or give (t, values)")  # fmt: skip
        name = next(iter(columns.values()), "value")
        return {"time": index_of(given), name.split(" ")[0]: given.to_numpy()}
    table = take_columns(given)
    if table is not None and is_frame(given) and not _counts_rows(given):
        name = str(given.index.name or "time")
        return {name: index_of(given), **{key: column for key, column in table.items() if key != name}}
    return table


def _of_row(error: ModelError, folder: str, tables: Mapping[int, list[str]], time: str | None) -> ModelError:
    """An error of a table, which was read from a file that nobody knows: with the row in place of the line."""
    for k, names in tables.items():
        place = os.path.join(folder, f"recording {k + 1}")
        if place in str(error):
            _, _, text = str(error).partition(f":{error.line}:{error.column}: ")
            text = text or str(error).replace(f"{place}: ", "")
            row = f", row {error.line - 2}" if error.line is not None and error.line > 1 else ""
            hint = f" (the times are those of {names[0]!r}, the first; time=.. names another)" if time is None and "the time" in text else ""
            return ModelError(f"recording {k + 1}{row}: {text}{hint}", field=error.field)
    return error


def _in_python(error: ModelError) -> ModelError:
    """An error that advises an option of the command line, in words of this package."""
    text = str(error)
    if "--set" not in text:
        return error
    text = text.replace("give a first guess with --set", "model.with_({path: value}) gives a first guess")
    return ModelError(text.replace("--set another", "model.with_({path: value}) sets another"), field=error.field)


def _gaps(read: Sequence[tuple[Any, ...]], listed: Sequence[Any], columns: Mapping[str, str]) -> list[str]:
    """What to know of recordings of which much is missing; those in files are the user's to look at."""
    out = []
    for k, (one, given) in enumerate(zip(read, listed)):
        table = _table(given, columns) if len(one) == 2 and not isinstance(given, (str, os.PathLike)) else None
        wanted = {column.split(" ")[0] for column in columns.values()}
        shown = {name: np.asarray(_numbers(name, column)) for name, column in (table or {}).items() if name.split(" ")[0] in wanted}
        if len(one) == 3:
            values = one[2].reshape(len(one[1]), -1)
            shown = {name: values[:, j] for j, name in enumerate(columns)} if values.shape[1] == len(columns) else {}
        for name, values in shown.items():
            lost = int(np.isnan(values).sum())
            if lost > _MUCH * len(values):
                out.append(f"recording {k + 1}: {lost} of {len(values)} values of {name!r} are missing (NaN) and take no part")
    return out


def _arrays(given: Any, columns: int) -> tuple[Floats, Floats]:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise TypeError("a recording is a file, a DataFrame, a dict of columns, a Series over the time or (t, values), "
                        f"not {type(given).__name__}")  # fmt: skip
    t, values = (real_array(one, "a recording") for one in given)
    if values.shape != (len(t), columns) and values.shape != (len(t),) * (columns == 1):
        wanted = f"({len(t)},)" if columns == 1 else f"({len(t)}, {columns})"
        raise ValueError(f"a recording of {len(t)} times and {columns} columns needs values of the shape {wanted}, "
                         f"not {values.shape}")  # fmt: skip
    return t, values


def _recording(
    given: Any, k: int, time: str | None, columns: Mapping[str, str], order: list[int], folder: str
) -> tuple[Any, ...]:
    if isinstance(given, (str, os.PathLike)):
        if not os.path.exists(given):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(given))
        return os.fspath(given), time
    table = _table(given, columns)
    if table is not None:
        path = os.path.join(folder, f"recording {k + 1}")
        _write_columns(table, path)
        return path, time
    t, values = _arrays(given, len(order))
    return f"recording {k + 1}", t, values if values.ndim == 1 else np.ascontiguousarray(values[:, order])


def _sigmas(given: Value | Mapping[str, Value] | None, model: Model, names: Sequence[str]) -> dict[str, float]:
    """The noise of each column: one for all of its kind, or by name."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        whole = take_number(given, "sigma") if is_scalar(given) or not isinstance(given, str) else None
        value, unit = (whole, None) if whole is not None else _core.quantity(str(given))
        fitting = [name for name in names if unit is None or model.units.get(name, "N") == unit]
        if not fitting:
            raise ModelError(f"sigma={given!r}: no column is of that kind", field="sigma")
        given = dict.fromkeys(fitting, value)
    for name in given:
        if name not in names:
            raise ModelError(f"sigma: {name!r} is none of the columns {', '.join(names)}", field="sigma")
    return {name: take_number(value, f"sigma of {name}", model.units.get(name, "N"), "sigma") for name, value in given.items()}


def _bound(model: Model, path: str, given: Any) -> float:
    """A bound, in SI; a text with a unit is read as the model would read it at that path."""
    if not isinstance(given, str):
        return take_number(given, f"free: {path}")
    value, _ = _core.quantity(given)
    model.with_({path: given})  # the model refuses another kind of unit
    return value


def _free(model: Model, given: FreeNumber) -> _Free:
    if isinstance(given, str):
        return given, -math.inf, math.inf, -1, math.nan
    if not isinstance(given, (tuple, list)) or len(given) != 3:
        raise ModelError(f"free: expected a path or (path, least, most), not {given!r}", field="free")
    path, least, most = given
    if not isinstance(path, str):
        raise ModelError(f"free: expected a path or (path, least, most), not {given!r}", field="free")
    return path, _bound(model, path, least), _bound(model, path, most), -1, math.nan


def _frees(
    model: Model, free: str | Sequence[FreeNumber], each: Sequence[FreeNumber], count: int, choosy: bool
) -> list[_Free]:
    """Free numbers of a model: for all recordings, and for each; where models compete, those that it has (none: the
    model as it is)."""
    out = [_free(model, one) for one in ([free] if isinstance(free, str) else free)]
    for path, least, most, *_ in (_free(model, one) for one in each):
        out += [(path, least, most, k, math.nan) for k in range(count)]
    return [one for one in out if not choosy or _core.has_number(model._model, one[0])]


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
    sigma: Value | Mapping[str, Value] | None = None, delay: Value = 0.0, quiet: Value = 0.0,
    window: tuple[Value, Value] = (-math.inf, math.inf), starts: int = 1, seed: int = 1, loss: str = "squares",
    versus: Model | Sequence[Model] = (), tolerance: float = 1e-10, max_events: int = 1_000_000, progress: Progress = None,
) -> Fit:  # fmt: skip
    """Runs the search, one for each model."""
    given: Any = recordings
    files = isinstance(given, tuple) and all(isinstance(one, (str, os.PathLike)) for one in given)
    listed: list[Any] = list(given) if files or isinstance(given, list) else [given]
    if not isinstance(columns, Mapping):
        raise TypeError(f'columns is a dict such as {{"block.x": "position mm"}}, not {columns!r}')
    for name, column in columns.items():
        if not isinstance(column, str):
            raise TypeError(f"columns: {name} is the name of a column, a text such as '1' or 'position mm', not {column!r}")
    names = list(columns)
    order = sorted(range(len(names)), key=lambda k: names[k].startswith("inputs."))  # those that drive come last
    noise = _sigmas(sigma, model, names)
    traces = [(names[k], columns[names[k]], noise.get(names[k], math.nan)) for k in order]
    if loss not in ("squares", "huber"):
        raise ModelError(f"loss={loss!r}: expected 'squares' or 'huber'", field="loss")
    for path, values in (each or {}).items():
        if isinstance(values, (str, Mapping)) or np.ndim(values) != 1 or len(values) != len(listed):
            raise ModelError(f"each: {path} needs a value per recording, {len(listed)} of them, not {values!r}", field="each")
    known = [(path, value if isinstance(value, str) else repr(take_number(value, path)), k)
             for path, values in (each or {}).items() for k, value in enumerate(values)]  # fmt: skip
    times: Any = window
    if not isinstance(times, (tuple, list)) or len(times) != 2:
        raise TypeError(f"window: expected two times (from, to), not {window!r}")
    begin, end = (take_number(one, "window", "s") for one in times)
    late, around = take_number(delay, "delay", "s"), take_number(quiet, "quiet", "s")
    options = (late, around, begin, end, take_count(starts, "starts", 1), take_count(seed, "seed"),
               take_number(tolerance, "tolerance"), take_count(max_events, "max_events", 1), int(loss == "huber"))  # fmt: skip
    others: Any = [versus] if hasattr(versus, "_model") else versus
    models: list[Model] = [model, *others]
    if not all(hasattr(one, "_model") for one in models):
        raise TypeError("versus: expected are models, as ss.load makes them")
    numbers = [_frees(one, free, free_each, len(listed), len(models) > 1) for one in models]
    for path, *_ in _frees(model, free, free_each, len(listed), False):
        if len(models) > 1 and not any(path == one[0] for kept in numbers for one in kept):
            raise ModelError(f"free: none of the models has {path!r}", field="free")
    with tempfile.TemporaryDirectory(prefix="slipstick-") as folder, progress_of(progress, "fit") as tell:
        read = [_recording(one, k, time, columns, order, folder) for k, one in enumerate(listed)]
        paths = [os.path.join(folder, f"{k}.csv") for k in range(len(models))]
        try:
            told = _core.fit([one._model for one in models], read, traces, numbers, known, options, tell, paths)
        except ModelError as error:
            tables = {k: list(_table(one, columns) or {}) for k, one in enumerate(listed) if not isinstance(one, (str, os.PathLike))}
            raise _in_python(_of_row(error, folder, tables, time)) from None
        gaps = _gaps(read, listed, columns)
        for answer, _ in told if gaps else ():
            answer["notes"] = [*answer.get("notes", []), *gaps]
        fits = [
            Fit(one, answer, _read_residuals(path, traces[0][0]) if written else None)
            for one, (answer, written), path in zip(models, told, paths)
        ]
    fits.sort(key=_by_aic)
    for one in fits:
        one._ranking = fits
        one._units = {name: model._quantities.get(name, "") for name in names}
    return fits[0]
