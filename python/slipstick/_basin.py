# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Maps of outcomes."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._axes import VALUES, Axis, Distribution, Over, read_axes, values_of
from ._progress import progress_of
from ._store import Result
from ._take import has_own_index, is_frame, real_array, take_columns, take_count, take_far, take_number, take_time
from ._typing import Floats, Progress, Value, Words
from .errors import ModelError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ._model import Model

FATES = np.array(["rest", "escaped", "moving"])
_ESCAPED = 1
_STEADY = 0x40


class Basin(Result):
    """What becomes of every start; made by ``Model.basin``.

    Arrays have the shape of the grid, the first axis varying fastest (so it is the last index).

    >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5), "block.v": (0, 0, 1)}, threads=1)
    >>> m
    <Basin over block.x, block.v: 3 rest, 2 escaped>
    >>> m.axes["block.x"].tolist()
    [-4.0, -2.0, 0.0, 2.0, 4.0]
    >>> m.outcome[0].tolist()
    ['escaped', 'rest', 'rest', 'rest', 'escaped']
    """

    def __init__(
        self, model: Model, axes: dict[str, Floats], fate: NDArray[np.uint8], t: Floats, x: Floats, answer: dict[str, Any],
        index: Any = None,
    ) -> None:  # fmt: skip
        self.model = model
        self.axes = axes
        self.answer = answer
        self.fate = fate & 3
        self.steady = (fate & _STEADY) != 0
        self._t = t
        self._x = x
        self._index = index  # of the table whose rows were computed
        self._seal()

    def __getitem__(self, name: str) -> Floats:
        raise TypeError(f"a map has starts and ends: m.columns()[{name!r}] or m.final[{name!r}]; m.outcome says how they end")

    def keys(self) -> list[str]:
        """The numbers that vary.

        >>> ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5)}, threads=1).keys()
        ['block.x']
        """
        return list(self.axes)

    @property
    def outcome(self) -> Words:
        """``"rest"``, ``"escaped"`` or ``"moving"``, as texts.

        >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5), "block.v": (0, 0, 1)}, threads=1)
        >>> m.outcome.shape, m.outcome[0, 2]
        ((1, 5), 'rest')
        """
        named: Words = FATES[self.fate]
        return named

    @property
    def t_rest(self) -> Floats:
        """s: when rest began; NaN elsewhere, and where rest is only approached.

        >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5), "block.v": (0, 0, 1)}, threads=1)
        >>> m.t_rest[0].round(3)
        array([  nan, 6.489, 0.   , 6.489,   nan])
        """
        return np.where(self.fate == 0, self._t, np.nan)

    @property
    def final(self) -> dict[str, Floats]:
        """Places at the end, by name: ``m.final["block1.x"]``, of a slider ``m.final["slider.angle"]``; NaN where it
        escaped, which has none.

        >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5), "block.v": (0, 0, 1)}, threads=1)
        >>> m.final["block.x"][0].round(3)
        array([   nan,  0.436,  0.   , -0.436,    nan])
        """
        ended = self.fate != _ESCAPED
        return {name: np.where(ended, self._x[..., k], np.nan) for k, name in enumerate(_places(self.model))}

    @property
    def counts(self) -> dict[str, int]:
        """How many starts end in which way.

        >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5), "block.v": (0, 0, 1)}, threads=1)
        >>> m.counts
        {'rest': 3, 'escaped': 2, 'moving': 0}
        """
        return {str(name): int(np.sum(self.fate == k)) for k, name in enumerate(FATES)}

    @property
    def attractors(self) -> list[dict[str, Any]]:
        """Where the motions end, as ``basin --json`` lists it: ``kind``, ``cells``, ``place``, of motions ``period`` and
        ``amplitude``. Empty where parameters vary, or where all that rests belongs together.

        >>> belt = ss.load("models/stick-slip-belt.yaml")
        >>> [(one["kind"], one["cells"]) for one in belt.basin({"block.x": (0, 1, 3)}, threads=1).attractors]
        [('motion', 3.0)]
        """
        return list(self.answer.get("attractors", []))

    @property
    def quantiles(self) -> dict[str, Floats]:
        """Of random starts and of rows: numbers at the levels ``level``: of the time of rest ``t`` (of what rests), and
        of the final places (of what has not escaped).

        >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": ss.normal(0, 0.2)}, random=100, seed=2)
        >>> m.quantiles["level"]
        array([0.05, 0.25, 0.5 , 0.75, 0.95])
        >>> bool(abs(m.quantiles["block.x"][2]) < 0.1)
        True
        """
        told = self.answer.get("quantiles", {})
        return {name: np.array(numbers, dtype=float) for name, numbers in told.items()}

    @property
    def fraction(self) -> float:
        """The share that comes to rest.

        >>> ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5)}, threads=1).fraction
        0.6
        """
        return float(np.mean(self.fate == 0))

    def columns(self) -> dict[str, Floats]:
        """The numbers that vary, one per start, in the order of ``outcome.ravel()``.

        >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 3), "block.v": [0, 1]}, threads=1)
        >>> m.columns()["block.x"].tolist()
        [-4.0, 0.0, 4.0, -4.0, 0.0, 4.0]
        """
        if self.fate.ndim == 1 and all(len(values) == len(self.fate) for values in self.axes.values()):
            return dict(self.axes)
        grid = reversed(np.meshgrid(*reversed(self.axes.values()), indexing="ij"))
        return {path: values.ravel() for path, values in zip(self.axes, grid)}

    def to_pandas(self) -> pd.DataFrame:
        """A row per start: the numbers that vary, outcome, time of rest, final places; of ``simulate_many`` with the
        index of its table.

        >>> ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5)}, threads=1).to_pandas().columns.tolist()
        ['block.x', 'outcome', 't', 'final.block.x']
        """
        import pandas as pd

        columns: dict[str, Any] = dict(self.columns())
        columns |= {"outcome": self.outcome.ravel(), "t": self.t_rest.ravel()}
        columns |= {f"final.{name}": place.ravel() for name, place in self.final.items()}
        return pd.DataFrame(columns, index=self._index)

    def plot(self, **options: Any) -> Figure:
        """The map as a picture: over two numbers by outcome, over one the times of rest and the final places.

        >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5), "block.v": (-1, 1, 3)}, threads=1)
        >>> m.plot().axes[0].get_xlabel()
        'block.x [m]'
        """
        from ._plot import plot_basin

        return plot_basin(self, options)

    def _repr_html_(self) -> str:
        from ._html import basin_html

        return basin_html(self)

    def __repr__(self) -> str:
        told = ", ".join(f"{count} {name}" for name, count in self.counts.items() if count)
        return f"<Basin over {', '.join(self.axes)}: {told}>"


def _places(model: Model) -> list[str]:
    """The numbers that say where a motion ended."""
    return ["slider.x", "slider.y", "slider.angle"] if model.is_slider else model._places


def _run(
    model: Model, axes: Sequence[Axis], shape: tuple[int, ...], random: int, seed: int, threads: int,
    until: Value | None, escape: Value | None, tolerance: float, max_events: int, progress: Progress, what: str,
) -> tuple[NDArray[np.uint8], Floats, Floats, Floats | None, dict[str, Any]]:  # fmt: skip
    """Computes the cells; Python allocates, the library fills."""
    fate = np.empty(shape, dtype=np.uint8)
    t, x = np.empty(shape), np.empty((*shape, len(_places(model))))
    draws = np.empty((random, len(axes))) if random else None
    with progress_of(progress, what) as tell:
        answer = _core.basin(
            model._model, axes, random, seed, take_time(until, "until"),
            math.nan if escape is None else take_far(escape), take_number(tolerance, "tolerance"),
            take_count(max_events, "max_events", 1), take_count(threads, "threads"), fate, t, x,
            draws, tell,
        )  # fmt: skip
    return fate, t, x, draws, answer


def basin_of(
    model: Model, over: Over, threads: int, random: int, seed: int, until: Value | None, escape: Value | None,
    tolerance: float, max_events: int, progress: Progress,
) -> Basin:  # fmt: skip
    """Computes the map."""
    random, seed = take_count(random, "random"), take_count(seed, "seed")
    axes = read_axes(model, over, random)
    shape = (int(random),) if random else tuple(axis[4] for axis in reversed(axes))
    fate, t, x, draws, answer = _run(
        model, axes, shape, int(random), seed, threads, until, escape, tolerance, max_events, progress, "map",
    )  # fmt: skip
    if draws is not None:
        values = {axis[0]: draws[:, k] for k, axis in enumerate(axes)}
    else:
        values = {axis[0]: values_of(axis) for axis in axes}
    return Basin(model, values, fate, t, x, answer)


def many_of(
    model: Model, draws: Any, threads: int, until: Value | None, escape: Value | None, tolerance: float,
    max_events: int, progress: Progress,
) -> Basin:  # fmt: skip
    """Computes one motion per row of a table."""
    for name, column in draws.items() if isinstance(draws, Mapping) else ():
        if isinstance(column, (tuple, Distribution)):
            raise ModelError(
                f"{name}: simulate_many takes a value per row, as a list or an array, not {column!r}; basin takes "
                "ranges (from, to, count) and distributions", field=str(name))  # fmt: skip
    columns = take_columns(draws)
    if columns is None:
        raise TypeError("draws are a DataFrame or a dict of arrays, a column per number of the model, "
                        f"not {type(draws).__name__}")  # fmt: skip
    if not columns:
        raise ModelError("draws: there is no column", field="draws")
    lengths = {name: column.size for name, column in columns.items() if column.ndim == 1}
    rows = max(lengths.values(), default=0)
    for name, column in columns.items():
        if rows == 0:
            raise ModelError("draws: the table has no rows", field="draws")
        if column.ndim > 1 or (column.ndim == 1 and column.size != rows):
            raise ModelError(f"{name}: expected one number per row, {rows} of them, not the shape {column.shape}", field=name)
    axes = [(name, VALUES, 0.0, 0.0, rows, _column(name, column, rows)) for name, column in columns.items()]
    fate, t, x, _, answer = _run(model, axes, (rows,), rows, 0, threads, until, escape, tolerance, max_events, progress,
                                 "motions")  # fmt: skip
    index = np.asarray(draws.index) if is_frame(draws) and has_own_index(draws) else None
    if index is not None and index.dtype.kind not in "iufU":
        index = np.array([str(one) for one in index])
    return Basin(model, {axis[0]: axis[5] for axis in axes if axis[5] is not None}, fate, t, x, answer, index)


def _column(name: str, column: Any, rows: int) -> Floats:
    try:
        numbers = np.array(np.broadcast_to(real_array(column, name), rows))
    except (TypeError, ValueError):
        texts = [one for one in np.ravel(column) if isinstance(one, str)]
        told = f"texts such as {texts[0]!r}" if texts else f"{column.dtype}"
        raise ModelError(f"{name}: expected a column of numbers (SI), not {told}; leave columns out that are no numbers "
                         "of the model", field=name) from None  # fmt: skip
    if not np.isfinite(numbers).all():
        raise ModelError(f"{name}: row {int(np.flatnonzero(~np.isfinite(numbers))[0])} has no finite number", field=name)
    return numbers
