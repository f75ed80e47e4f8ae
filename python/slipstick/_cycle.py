# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Motions that repeat."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._model import Model
    from ._solution import Solution


class Cycle:
    """A periodic motion; made by ``Model.cycle``.

    >>> import slipstick as ss
    >>> model = ss.loads('''
    ... slipstick: 1
    ... title: a block
    ... bodies: {block: {mass: 1 kg}}
    ... connections: [{between: [block, ground], stiffness: 1 N/m, damping: 0.5 N*s/m}]
    ... forces: [{body: block, force: "1 N*sin(2 rad/s*t)"}]
    ... ''')
    >>> round(model.cycle().period / np.pi, 12)
    1.0
    """

    def __init__(self, model: Model, answer: dict[str, Any]) -> None:
        self.model = model
        self.answer = answer

    @property
    def period(self) -> float:
        """s: the least one."""
        return self.answer["period"]

    @property
    def amplitude(self) -> dict[str, float]:
        """Half the range of each body's motion."""
        return dict(self.answer["amplitude"])

    @property
    def multipliers(self) -> np.ndarray:
        """Floquet multipliers, largest first."""
        return np.array([complex(*pair) for pair in self.answer["multipliers"]])

    @property
    def stable(self) -> bool:
        """All multipliers are inside the unit circle."""
        return self.answer["stable"]

    @property
    def start(self) -> dict[str, float]:
        """A state on the cycle: a ``start`` for ``simulate``."""
        return {f"{body}.{key}": value for body, place in self.answer["state"].items() for key, value in place.items()}

    def simulate(self, n: int = 400) -> Solution:
        """One period, in n equal intervals."""
        return self.model.simulate(self.period, np.linspace(0.0, self.period, n + 1), start=self.start)

    def __repr__(self) -> str:
        return f"<Cycle of period {self.period:.6g} s, {'stable' if self.stable else 'unstable'}>"
