# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What people give as numbers, times and tables, made plain: texts with units, arrays without dimension, columns."""
from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import _core
from ._typing import Floats, Value
from .errors import ModelError


def is_scalar(given: Any) -> bool:
    """A number: Python's, NumPy's, or an array without dimension."""
    if isinstance(given, (bool, np.bool_)):
        return False
    return isinstance(given, (float, int, np.floating, np.integer)) or (
        isinstance(given, np.ndarray) and given.ndim == 0 and given.dtype.kind in "fiu"
    )


def take_number(given: Any, what: str, unit: str = "1", field: str | None = None) -> float:
    """A number in SI; a text may have a unit, which must be of the kind that is wanted."""
    if is_scalar(given):
        return float(given)
    if not isinstance(given, str):
        example = "1.5" if unit == "1" else f'1.5 or "1.5 {unit}"'
        raise TypeError(f"{what}: expected a number such as {example}, not {type(given).__name__}")
    try:
        value, found = _core.quantity(given)
    except ModelError as error:
        raise ModelError(f"{what}={given!r}: {error}", field=field or what) from None
    if found not in (None, unit) and value != 0.0:
        raise ModelError(f"{what}={given!r}: expected {unit}, found {found}", field=field or what)
    return value


def real_array(given: Any, what: str) -> Floats:
    """An array of numbers; NumPy would drop an imaginary part with no more than a warning."""
    array = np.asarray(given)
    if array.dtype.kind == "c":
        raise ModelError(f"{what}: complex numbers have no place here; give damping as C", field=what)
    try:
        return np.ascontiguousarray(array, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"{what}: expected numbers, not {reprlib.repr(given)}", field=what) from None


def take_count(given: Any, what: str, least: int = 0) -> int:
    """A whole number; 1e6 is one, 2.5 and "3" are none."""
    if not is_scalar(given) or float(given) != math.floor(float(given)):
        raise ModelError(f"{what}: expected a whole number, at least {least}, not {given!r}", field=what)
    if given < least:
        raise ModelError(f"{what}: must be at least {least}, not {given!r}", field=what)
    return int(given)


def take_far(given: Any) -> float:
    """How far is too far, in m or rad; a text has either unit."""
    if not isinstance(given, str):
        return take_number(given, "escape", "m")
    value, unit = _core.quantity(given)
    if unit not in (None, "m", "rad"):
        raise ModelError(f"escape={given!r}: expected m or rad, found {unit}", field="escape")
    return value


def take_names(given: Any, what: str, example: str) -> list[str]:
    """Names as a list, or as one text with commas."""
    if isinstance(given, str):
        return [part.strip() for part in given.split(",")] if given else []
    if not isinstance(given, Iterable) or isinstance(given, Mapping):
        raise TypeError(f"{what}: expected a text or a list of texts such as {example!r}, not {given!r}")
    names = list(given)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{what}: expected texts such as {example!r}, not {name!r}")
    return names


def take_time(given: Value | None, what: str, least: float = 0.0) -> float:
    """s: NaN for None, which the library understands as not given; else a time, checked."""
    if given is None:
        return math.nan
    number = take_number(given, what, "s")
    if not (number > 0.0 or number == least):
        raise ModelError(f"{what}: must be {'positive' if least else 'at least 0'}, not {number:g}", field=what)
    return number


def take_values(given: Any, what: str) -> dict[str, Value]:
    """A dict of paths and values, checked; arrays without dimension become numbers."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f'{what} is a dict such as {{"block.x": 0.1}}, not {type(given).__name__}')
    for path, value in given.items():
        if not isinstance(path, str):
            raise TypeError(f"{what}: a path is a text such as 'block.x', not {type(path).__name__}")
        if isinstance(value, Mapping) and len(value):
            inner = next(iter(value))
            raise TypeError(f'{what}: {path} is a number or a text with a unit, not a dict; write "{path}.{inner}": {value[inner]!r}')
        if not isinstance(value, str) and not is_scalar(value):
            raise TypeError(f"{what}: {path} is a number or a text with a unit, not {type(value).__name__}")
    return {path: value if isinstance(value, str) else float(value) for path, value in given.items()}


# ---- tables: pandas is not imported; what has columns and an index is treated as such


def is_frame(given: Any) -> bool:
    """A DataFrame, as pandas and its like make them."""
    return hasattr(given, "columns") and hasattr(given, "index") and hasattr(given, "to_numpy")


def is_series(given: Any) -> bool:
    """One column with its index."""
    return hasattr(given, "index") and hasattr(given, "to_numpy") and not hasattr(given, "columns")


def has_own_index(given: Any) -> bool:
    """Whether the index says something: it is not the mere number of the row."""
    return type(given.index).__name__ != "RangeIndex"


def index_of(given: Any) -> Floats:
    """The index as numbers; times of day and spans of time become s, from the first row on and as they are."""
    index = np.asarray(given.index)
    if index.dtype.kind == "M":
        return np.asarray((index - index[0]) / np.timedelta64(1, "s") if len(index) else [], dtype=float)
    if index.dtype.kind == "m":
        return np.asarray(index / np.timedelta64(1, "s"), dtype=float)
    return np.asarray(index, dtype=float)


def take_columns(given: Any) -> dict[str, Any] | None:
    """Columns by name, of a DataFrame or a dict of arrays; None where it is neither."""
    if is_frame(given):
        return {str(name): np.asarray(given[name]) for name in given.columns}
    if isinstance(given, Mapping):
        return {str(name): np.asarray(column) for name, column in given.items()}
    return None


def plain_tree(value: Any, key: str = "") -> Any:
    """A model's tree with arrays and tables as lists; all of it is a copy.

    A DataFrame is its rows, with the index before them where it is not the mere number of the row. A Series is its
    values, and pairs of index and value where a ``table`` is wanted.
    """
    if key == "array" and isinstance(value, tuple):
        return value  # a matrix by its entries: its buffers are read as they are
    if isinstance(value, Mapping):
        return {name: plain_tree(one, str(name)) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_tree(one) for one in value]
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        return value.tolist()
    if is_frame(value):
        rows = np.asarray(value.to_numpy(), dtype=float)
        return (np.column_stack([index_of(value), rows]) if has_own_index(value) else rows).tolist()
    if is_series(value):
        numbers = np.asarray(value.to_numpy(), dtype=float)
        return (np.column_stack([index_of(value), numbers]) if key == "table" else numbers).tolist()
    return value
