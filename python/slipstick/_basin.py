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
from ._progress import progress_of
from ._sealed import Sealed
from ._take import take_time
from ._typing import Floats, Progress, Value, Words
from .errors import ModelError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._model import Model

FATES = np.array(["rest", "escaped", "moving"])
_STEADY = 0x40


class Basin(Sealed):
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
        self, model: Model, axes: dict[str, Floats], fate: NDArray[np.uint8], t: Floats, x: Floats
    ) -> None:
        self.model = model
        self.axes = axes
        self.fate = fate & 3
        self.steady = (fate & _STEADY) != 0
        self._t = t
        self._x = x
        self._seal()

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
        """Places at the end, by name: ``m.final["block1.x"]``.

        >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5), "block.v": (0, 0, 1)}, threads=1)
        >>> m.final["block.x"][0].round(3)
        array([-4.   ,  0.436,  0.   , -0.436,  4.   ])
        """
        return {f"{body}.x": self._x[..., k] for k, body in enumerate(self.model.bodies)}

    @property
    def counts(self) -> dict[str, int]:
        """How many starts end in which way.

        >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5), "block.v": (0, 0, 1)}, threads=1)
        >>> m.counts
        {'rest': 3, 'escaped': 2, 'moving': 0}
        """
        return {str(name): int(np.sum(self.fate == k)) for k, name in enumerate(FATES)}

    def plot(self, **options: Any) -> Figure:
        """The map as a picture, for two axes of a grid.

        >>> m = ss.load("models/block-on-floor.yaml").basin({"block.x": (-4, 4, 5), "block.v": (-1, 1, 3)}, threads=1)
        >>> m.plot().axes[0].get_xlabel()
        'block.x [m]'
        """
        from ._plot import plot_basin

        return plot_basin(self, **options)

    def __repr__(self) -> str:
        told = ", ".join(f"{count} {name}" for name, count in self.counts.items() if count)
        return f"<Basin over {', '.join(self.axes)}: {told}>"


def read_axes(over: Mapping[str, Sequence[float]], least: int) -> list[tuple[str, float, float, int]]:
    """Paths with (from, to, count), checked; ``least`` numbers of each must be there."""
    if not isinstance(over, Mapping):
        raise TypeError(f'over is a dict such as {{"block.x": (-1, 1, 101)}}, not {type(over).__name__}')
    axes = []
    for path, given in over.items():
        if isinstance(given, str) or not least <= len(given) <= 3:
            words = "(from, to, count)" if least == 3 else "(from, to) or (from, to, count)"
            raise ModelError(f"{path}: expected {words}, not {given!r}", field=path)
        count = int(given[2]) if len(given) > 2 else 1
        if len(given) > 2 and (count != given[2] or count < 1):
            raise ModelError(f"{path}: expected a whole number of values, at least 1, not {given[2]!r}", field=path)
        axes.append((path, float(given[0]), float(given[1]), count))
    return axes


def basin_of(
    model: Model, over: Mapping[str, Sequence[float]], threads: int, random: int, seed: int,
    until: Value | None, escape: float | None, tolerance: float, max_events: int, progress: Progress,
) -> Basin:  # fmt: skip
    """Computes the map; Python allocates, the library fills."""
    axes = read_axes(over, 2 if random else 3)
    if random < 0:
        raise ModelError(f"random: must be at least 0, not {random}", field="random")
    shape = (random,) if random else tuple(count for *_, count in reversed(axes))
    fate = np.empty(shape, dtype=np.uint8)
    t, x = np.empty(shape), np.empty((*shape, len(model.bodies)))
    with progress_of(progress, "map") as tell:
        _core.basin(
            model._model, axes, random, seed, take_time(until, "until"),
            math.nan if escape is None else float(escape), float(tolerance), int(max_events), threads, fate, t, x,
            tell,
        )  # fmt: skip
    grid = {path: np.linspace(low, high, count) for path, low, high, count in axes}
    return Basin(model, grid, fate, t, x)
