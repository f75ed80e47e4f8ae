# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Which numbers of a model vary, and how: values, ranges, distributions."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _core
from ._take import is_scalar, is_series, take_number
from ._typing import ArrayLike, Floats, Value
from .errors import ModelError

if TYPE_CHECKING:
    from ._model import Model

EVEN, LOG, VALUES, NORMAL, LOGNORMAL = range(5)
"""As the library counts them."""

Axis = tuple[str, int, float, float, int, Union[Floats, None]]
"""Path, kind, from, to, count, values; of a distribution its two numbers are from and to."""


@dataclass(frozen=True)
class Distribution:
    """What random numbers are drawn from; made by ``ss.normal``, ``ss.lognormal`` and ``ss.uniform``.

    >>> ss.normal("1 N", "0.1 N")
    normal('1 N', '0.1 N')
    >>> ss.lognormal(1.0, 0.2).name
    'lognormal'
    """

    name: str
    a: Value
    b: Value

    def __repr__(self) -> str:
        return f"{self.name}({self.a!r}, {self.b!r})"


def normal(mean: Value, deviation: Value) -> Distribution:
    """The normal distribution: its mean and its standard deviation, in the unit of the number that varies.

    >>> model = ss.load("models/block-on-floor.yaml")
    >>> model.basin({"block.x": ss.normal(0, "50 cm")}, random=200, seed=1).counts["rest"]
    200
    """
    return Distribution("normal", mean, deviation)


def lognormal(median: Value, deviation: float) -> Distribution:
    """The distribution of what is never negative: its median, and the standard deviation of its natural logarithm.

    >>> m = ss.load("models/block-on-floor.yaml").basin({"contacts.floor.friction": ss.lognormal("1 N", 0.2)}, random=200)
    >>> bool((m.axes["contacts.floor.friction"] > 0).all())
    True
    """
    return Distribution("lognormal", median, deviation)


def uniform(low: Value, high: Value) -> Distribution:
    """Every number between two is as likely.

    >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": ss.uniform("-1 m", "1 m")}, random=100)
    >>> bool((abs(m.axes["block.x"]) <= 1).all())
    True
    """
    return Distribution("uniform", low, high)


Over = Mapping[str, Union[ArrayLike, tuple[Value, Value], tuple[Value, Value, int], tuple[Value, Value, int, str], Distribution]]
"""Paths with values (a list or an array), ranges (tuples) or distributions."""

_FORMS = ("(from, to, count) or (from, to, count, 'log') for a range, or a list or an array of values")
_DRAWN = "(from, to), ss.normal(..), ss.lognormal(..) or ss.uniform(..)"


def axis_number(model: Model, path: str, given: Any) -> float:
    """A number of an axis; a text with a unit is read as the model would read it at that path."""
    if is_scalar(given):
        return float(given)
    if not isinstance(given, str):
        raise ModelError(f"{path}: expected a number or a text with a unit, not {given!r}", field=path)
    try:
        value, _ = _core.quantity(given)
        model.with_({path: given})  # the model refuses another kind of unit
    except ModelError as error:
        raise ModelError(str(error) if path in str(error) else f"{path}={given!r}: {error}", field=path) from None
    return value


def _range(model: Model, path: str, given: tuple[Any, ...]) -> Axis:
    kind = LOG if len(given) == 4 and given[3] == "log" else EVEN
    if len(given) not in (3, 4) or (len(given) == 4 and kind == EVEN):
        raise ModelError(f"{path}: expected {_FORMS}, not {given!r}", field=path)
    if not is_scalar(given[2]) or float(given[2]) != math.floor(given[2]) or given[2] < 1:
        raise ModelError(f"{path}: expected a whole number of values, at least 1, not {given[2]!r}", field=path)
    return path, kind, axis_number(model, path, given[0]), axis_number(model, path, given[1]), int(given[2]), None


def _values(model: Model, path: str, given: Any) -> Axis:
    if is_scalar(given) or isinstance(given, str):
        given = [given]
    if not (isinstance(given, (Sequence, np.ndarray)) or is_series(given)):
        raise ModelError(f"{path}: expected {_FORMS}, not {type(given).__name__}", field=path)
    try:
        values = np.array([axis_number(model, path, one) for one in given], dtype=float)
    except TypeError:
        raise ModelError(f"{path}: values are one row of numbers, not {given!r}", field=path) from None
    if not len(values):
        raise ModelError(f"{path}: there is no value", field=path)
    return path, VALUES, 0.0, 0.0, len(values), values


def _drawn(model: Model, path: str, given: Any) -> Axis:
    if isinstance(given, Distribution):
        kind = {"uniform": EVEN, "normal": NORMAL, "lognormal": LOGNORMAL}[given.name]
        spread = take_number(given.b, f"{path}: the deviation", field=path) if kind == LOGNORMAL else axis_number(model, path, given.b)
        return path, kind, axis_number(model, path, given.a), spread, 1, None
    if isinstance(given, tuple) and len(given) in (2, 3):  # a count is of no use, and of no harm
        return path, EVEN, axis_number(model, path, given[0]), axis_number(model, path, given[1]), 1, None
    raise ModelError(f"{path}: with random expected {_DRAWN}, not {given!r}", field=path)


def read_axes(model: Model, over: Any, random: int = 0) -> list[Axis]:
    """The axes as the library takes them, checked."""
    if not isinstance(over, Mapping):
        raise TypeError(f'over is a dict such as {{"block.x": (-1, 1, 101)}}, not {type(over).__name__}')
    axes = []
    for path, given in over.items():
        if isinstance(given, Distribution) and not random:
            raise ModelError(f"{path}: a distribution needs random=N, the number of draws", field=path)
        if random:
            axes.append(_drawn(model, path, given))
        else:
            axes.append(_range(model, path, given) if isinstance(given, tuple) else _values(model, path, given))
    return axes


def values_of(axis: Axis) -> Floats:
    """The values of an axis of a grid."""
    _, kind, low, high, count, values = axis
    if values is not None:
        return values
    last, factor = max(count - 1, 1), high / low if kind == LOG else 1.0  # the library's own formulas, to the bit
    out = np.array([low * math.pow(factor, i / last) if kind == LOG else (low * (last - i) + high * i) / last
                    for i in range(count)])  # fmt: skip
    out[0], out[-1] = low, high
    return out
