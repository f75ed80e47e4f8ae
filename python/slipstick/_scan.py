# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Sections and measures of the motion over numbers of the model."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._axes import Over, read_axes
from ._progress import progress_of
from ._named import Named, need_name
from ._store import Result
from ._take import take_count, take_names, take_number, take_time
from ._typing import Floats, Progress, Value
from .errors import ModelError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ._model import Model

_CARRY = {None: 0, "up": 1, "down": 2}


class Scan(Named, Result):
    """Points or measures over numbers of the model; made by ``Model.scan``.

    ``columns`` are names, the numbers that vary first; ``rows`` is the array, one row per value and kept point, NaN
    where there is no number. ``scan["block.x"]`` is a column, ``short_of_sections`` how many values had fewer
    sections than wanted. ``status`` has one word per row: ``settled`` (the last sections repeat to 1e-6), ``moving``,
    ``rest``, ``escaped`` or ``event-limit``; ``notes`` are worth knowing; ``units`` has the unit of each column. A
    measure ``harmonic:block.x:1`` has two columns, the amplitude and, with ``:phase`` behind its name, the phase in
    rad.

    >>> scan = ss.load("models/stick-slip-belt.yaml").scan({"bodies.belt.speed": (0.1, 0.2, 2)}, section="face:stick",
    ...                                                     skip=5, keep=1, show="block.x", threads=1)
    >>> scan
    <Scan over bodies.belt.speed: 2 rows of block.x>
    >>> scan["bodies.belt.speed"].tolist(), scan.short_of_sections
    ([0.1, 0.2], 0)
    >>> scan.status
    ['settled', 'settled']
    """

    def __init__(self, model: Model, axes: list[str], columns: list[str], rows: Floats, short: int,
                 status: list[str], notes: list[str], units: dict[str, str]) -> None:  # fmt: skip
        self.model = model
        self.axes = axes
        self.columns = columns
        self.rows = rows
        self.short_of_sections = short
        self.status = status
        self.notes = notes
        self.units = units
        self._seal()

    def __getitem__(self, name: str) -> Floats:
        """A column, by name."""
        if need_name(name) not in self.columns:
            raise KeyError(f"{name!r}; there are {', '.join(self.columns)}")
        column: Floats = self.rows[:, self.columns.index(name)]
        return column

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.columns)

    def _repr_html_(self) -> str:
        from ._html import scan_html

        return scan_html(self)

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a table; units in ``attrs["units"]``.

        >>> scan = ss.load("models/stick-slip-belt.yaml").scan({"bodies.belt.speed": (0.1, 0.2, 2)}, section="1 s",
        ...                                                     measure="max:block.x", skip=5, threads=1)
        >>> scan.to_pandas().columns.tolist()
        ['bodies.belt.speed', 'max:block.x']
        """
        import pandas as pd

        table = pd.DataFrame(self.rows, columns=self.columns)
        table.attrs["units"] = dict(self.units)
        return table

    def plot(self, **options: Any) -> Figure:
        """Points or lines over one number, colours over two.

        >>> scan = ss.load("models/stick-slip-belt.yaml").scan({"bodies.belt.speed": (0.1, 0.2, 2)}, section="1 s",
        ...                                                     measure="max:block.x", skip=5, threads=1)
        >>> scan.plot().axes[0].get_ylabel()
        'max:block.x [m]'
        """
        from ._plot import plot_scan

        return plot_scan(self, options)

    def __repr__(self) -> str:
        return f"<Scan over {', '.join(self.axes)}: {len(self.rows)} rows of {', '.join(self.columns[len(self.axes):])}>"


def _columns(measured: Sequence[str]) -> list[str]:
    """The columns of measures: a harmonic has two."""
    return [name for one in measured for name in ([one, one + ":phase"] if one.startswith("harmonic:") else [one])]


def scan_of(
    model: Model, over: Over, show: str | Sequence[str], measure: str | Sequence[str],
    section: str | None, skip: int | None, keep: int | None, carry: str | None, threads: int, until: Value | None,
    tolerance: float, max_events: int, through_rounding: bool, progress: Progress,
) -> Scan:  # fmt: skip
    """Runs the scan."""
    axes = read_axes(model, over)
    shown, measured = take_names(show, "show", "block.x"), take_names(measure, "measure", "max:block.x")
    if isinstance(carry, (list, dict, set)) or carry not in _CARRY:
        raise ModelError(f"carry: expected 'up', 'down' or None, not {carry!r}", field="carry")
    if section is not None and not isinstance(section, str):
        raise TypeError(f"section: expected a text such as 'period', '0.1 s' or 'floor:stick', not {section!r}")
    if through_rounding and "lyapunov" not in measured:
        raise ModelError("through_rounding: goes with measure='lyapunov', which is differentiated", field="through_rounding")
    with progress_of(progress, "scan") as tell:
        rows, short, status, notes, of_columns = _core.scan(
            model._model, axes, section, -1 if skip is None else take_count(skip, "skip"),
            -1 if keep is None else take_count(keep, "keep", 1), shown, measured, _CARRY[carry],
            take_time(until, "until"), take_number(tolerance, "tolerance"), take_count(max_events, "max_events", 1),
            take_count(threads, "threads"), bool(through_rounding), tell,
        )  # fmt: skip
    names = [path for path, *_ in axes]
    columns = names + shown + _columns(measured)
    units = dict(zip(columns, of_columns))
    return Scan(model, names, columns, np.frombuffer(rows).reshape(-1, len(columns)), short, status, notes, units)
