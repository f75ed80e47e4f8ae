# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Names of types that several files use."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Words = NDArray[np.str_]

Value = Union[str, float]
"""A number (SI), or a text with a unit: ``0.2``, ``"20 cm"``."""

Progress = Union[bool, Callable[[float], object], None]
"""None: a bar where somebody looks; True, False: always, never; a function: called with the share that is done."""

Moments = Union[Sequence[float], NDArray[Any]]

__all__ = ["ArrayLike", "Floats", "Moments", "Progress", "Value", "Words"]
