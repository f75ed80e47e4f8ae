# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Maps of outcomes."""
from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._progress import progress_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._model import Model

FATES = np.array(["rest", "escaped", "moving"])
_STEADY = 0x40


class Basin:
    """What becomes of every start; made by ``Model.basin``.

    Arrays have the shape of the grid, the first axis varying fastest (so it is the last index).
    """

    def __init__(
        self, model: Model, axes: dict[str, np.ndarray], fate: np.ndarray, t: np.ndarray, x: np.ndarray
    ) -> None:
        self.model = model
        self.axes = axes
        self.fate = fate & 3
        self.steady = (fate & _STEADY) != 0
        self._t = t
        self._x = x

    @property
    def outcome(self) -> np.ndarray:
        """``"rest"``, ``"escaped"`` or ``"moving"``, as texts."""
        return FATES[self.fate]

    @property
    def t_rest(self) -> np.ndarray:
        """s: when rest began; NaN elsewhere, and where rest is only approached."""
        return np.where(self.fate == 0, self._t, np.nan)

    @property
    def final(self) -> dict[str, np.ndarray]:
        """Places at the end, by name: ``m.final["block1.x"]``."""
        return {f"{body}.x": self._x[..., k] for k, body in enumerate(self.model.bodies)}

    @property
    def counts(self) -> dict[str, int]:
        """How many starts end in which way."""
        return {str(name): int(np.sum(self.fate == k)) for k, name in enumerate(FATES)}

    def plot(self, **options: Any) -> Figure:
        """The map as a picture, for two axes of a grid."""
        from ._plot import plot_basin

        return plot_basin(self, **options)

    def __repr__(self) -> str:
        told = ", ".join(f"{count} {name}" for name, count in self.counts.items() if count)
        return f"<Basin over {', '.join(self.axes)}: {told}>"


def basin_of(
    model: Model, over: Mapping[str, tuple[float, ...]], threads: int, random: int, seed: int,
    until: float | None, escape: float | None, tolerance: float, max_events: int, progress: Any,
) -> Basin:  # fmt: skip
    """Computes the map; Python allocates, the library fills."""
    axes = [(path, float(a[0]), float(a[1]), int(a[2]) if len(a) > 2 else 1) for path, a in over.items()]
    shape = (random,) if random else tuple(count for *_, count in reversed(axes))
    fate = np.empty(shape, dtype=np.uint8)
    t, x = np.empty(shape), np.empty((*shape, len(model.bodies)))
    with progress_of(progress, "map") as tell:
        _core.basin(
            model._model, axes, random, seed, math.nan if until is None else float(until),
            math.nan if escape is None else float(escape), float(tolerance), int(max_events), threads, fate, t, x,
            tell,
        )  # fmt: skip
    grid = {path: np.linspace(low, high, count) for path, low, high, count in axes}
    return Basin(model, grid, fate, t, x)
