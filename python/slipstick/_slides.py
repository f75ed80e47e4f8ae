# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Many motions of one slider."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._basin import FATES
from ._progress import progress_of
from ._take import take_count, take_far, take_number, take_time
from ._typing import ArrayLike, Floats, Progress, Value, Words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._model import Model


@dataclass(frozen=True)
class Slides:
    """Where many motions of a slider end; made by ``Model.slide_many``. Rows are the starts.

    >>> disk = ss.load("models/disk.yaml")
    >>> found = disk.slide_many([[0, 0, 0, 1.0, 0, 2.0]])
    >>> found.places[0].round(6).tolist(), found.outcome[0], bool(found.converged[0])
    ([1.306624, 0.0, 2.383762], 'rest', True)
    """

    places: Floats
    """x, y in m and angle in rad, at ``t``."""
    speeds: Floats
    """vx, vy, spin, at ``t``."""
    t: Floats
    """s: when rest began, or the end of the run."""
    final_motions: Floats
    """The limit of the direction of motion, (vx, vy, spin * gyration) as a unit vector of the body; NaN where there is none."""
    converged: NDArray[np.bool_]
    """The final motion is known to be one that draws, or the only one left."""
    outcome: Words
    """``"rest"``, ``"escaped"`` or ``"moving"``."""

    def plot(self, **options: Any) -> Figure:
        """Where they end, seen from above: a dot each, and behind them their density.

        >>> disk = ss.load("models/disk.yaml")
        >>> starts = np.random.default_rng(1).normal(0, [0, 0, 0, 1, 1, 2], (300, 6))
        >>> disk.slide_many(starts).plot().axes[0].get_xlabel()
        'final x [m]'
        """
        from ._plot import plot_ends

        return plot_ends(self.places[:, 0], self.places[:, 1], self.outcome, options)


def slides_of(
    model: Model, starts: ArrayLike, until: Value | None, escape: Value, tolerance: float, max_events: int, threads: int,
    progress: Progress,
) -> Slides:  # fmt: skip
    """Runs them; Python allocates, the library fills."""
    begin = np.ascontiguousarray(starts, dtype=float)
    if begin.ndim != 2 or begin.shape[1] != 6:
        raise ValueError("starts have six columns: x, y, angle, vx, vy, spin")
    count = len(begin)
    place, speed = np.ascontiguousarray(begin[:, :3]), np.ascontiguousarray(begin[:, 3:])
    ends, end_speeds, t, final, fate = (
        np.empty((count, 3)), np.empty((count, 3)), np.empty(count), np.empty((count, 4)), np.empty(count, np.uint8),
    )  # fmt: skip
    with progress_of(progress, "motions") as tell:
        _core.batch(
            model._model, place, speed, ends, end_speeds, t, final, fate, take_time(until, "until"),
            take_far(escape), take_number(tolerance, "tolerance"), take_count(max_events, "max_events", 1),
            take_count(threads, "threads"), tell,
        )  # fmt: skip
    return Slides(ends, end_speeds, t, final[:, :3], final[:, 3] > 0, FATES[fate])
