# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Motions that repeat."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._store import Result
from ._typing import Floats
from .errors import RunError

if TYPE_CHECKING:
    from ._model import Model
    from ._solution import Solution


class Cycle(Result):
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

    def __init__(self, model: Model, answer: dict[str, Any], start: dict[str, float] | None = None) -> None:
        self.model = model
        self.answer = answer
        self._start = start
        self._seal()

    @property
    def period(self) -> float:
        """s: the least one.

        >>> cycle = ss.load("models/stick-slip-belt.yaml").cycle()
        >>> round(cycle.period, 6)
        8.529968
        """
        return float(self.answer["period"])

    @property
    def amplitude(self) -> dict[str, float]:
        """Half the range of each body's motion.

        >>> cycle = ss.load("models/stick-slip-belt.yaml").cycle()
        >>> round(cycle.amplitude["block.x"], 6)
        0.472823
        """
        return dict(self.answer["amplitude"])

    @property
    def middle(self) -> dict[str, float]:
        """The middle of each range.

        >>> cycle = ss.load("models/stick-slip-belt.yaml").cycle()
        >>> round(cycle.middle["block.x"], 6)
        0.716997
        """
        return dict(self.answer["middle"])

    @property
    def drift(self) -> dict[str, float]:
        """How far what advances does so in each period.

        >>> cycle = ss.load("models/stick-slip-belt.yaml").cycle()
        >>> cycle.drift
        {}
        """
        return dict(self.answer.get("drift", {}))

    @property
    def multipliers(self) -> NDArray[np.complex128]:
        """Floquet multipliers, largest first.

        >>> cycle = ss.load("models/stick-slip-belt.yaml").cycle()
        >>> cycle.multipliers
        array([0.+0.j])
        """
        return np.array([complex(*pair) for pair in self.answer["multipliers"]])

    @property
    def stable(self) -> bool:
        """All multipliers are inside the unit circle.

        >>> cycle = ss.load("models/stick-slip-belt.yaml").cycle()
        >>> cycle.stable
        True
        """
        return bool(self.answer["stable"])

    @property
    def start(self) -> dict[str, float]:
        """Where it begins, bodies, states, bristles and memory: a ``start`` for ``simulate``.

        ``RunError`` where a contact has elements, which a start cannot say.

        >>> cycle = ss.load("models/stick-slip-belt.yaml").cycle()
        >>> sorted(cycle.start)
        ['block.v', 'block.x']
        """
        if self._start is None:
            raise RunError("the elements of a contact are where they are on the cycle, and no start can say that")
        bodies = {f"start.{name}": name for name in self.model._names}
        return {bodies.get(path, path): value for path, value in self._start.items()}

    def simulate(self, n: int = 400) -> Solution:
        """One period, in n equal intervals.

        >>> import slipstick as ss
        >>> model = ss.Model({
        ...     "states": {"level": {"rate": "flow - level / (2 s)", "start": "0 m"}},
        ...     "signals": {"flow": "1 m/s * sin(t * (3 rad/s))"},
        ...     "bodies": {"b": {"mass": 1}},
        ...     "connections": [{"between": ["b", "ground"], "stiffness": 1, "damping": 1}],
        ... })
        >>> level = model.cycle().simulate().state["level"]
        >>> bool(abs(level[0] - level[-1]) < 1e-9 < abs(level[0]))
        True
        """
        return self.model.simulate(self.period, np.linspace(0.0, self.period, n + 1), start=self.start, tolerance=1e-12)

    def __repr__(self) -> str:
        return f"<Cycle of period {self.period:.6g} s, {'stable' if self.stable else 'unstable'}>"
