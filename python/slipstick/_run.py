# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""A run that is held: advanced step by step, asked in between."""
from __future__ import annotations

from typing import TYPE_CHECKING

from . import _core
from ._solution import _SLIDE, Energy, Event, make_event

if TYPE_CHECKING:
    from ._model import Model


class Run:
    """One motion under way; made by ``Model.run``.

    >>> import slipstick as ss
    >>> model = ss.loads('''
    ... slipstick: 1
    ... title: a block
    ... bodies: {block: {mass: 1 kg}}
    ... contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}
    ... start: {block: {v: 3}}
    ... ''')
    >>> run = model.run()
    >>> run.advance(1.0), run.t, run["block.v"]
    ('time-reached', 1.0, 2.0)
    >>> run.advance_to_event(), run.t, run.events()[0].after
    (True, 3.0, 'stick')
    """

    def __init__(self, model: Model, run: _core.Run) -> None:
        self.model = model
        self._run = run

    @property
    def t(self) -> float:
        """s: the time reached; at rest, when rest began."""
        return self._run.time()

    def advance(self, dt: float) -> str:
        """Goes on by ``dt`` (s) and returns the outcome: ``"time-reached"``, ``"at-rest"``, .."""
        return self.advance_to(self.t + dt)

    def advance_to(self, t: float) -> str:
        """Goes on to the time ``t`` (s)."""
        return self._run.advance(float(t), False)[0]

    def advance_to_event(self, until: float = float("inf")) -> bool:
        """Goes on to the next instant with events, right after it; False where none came before ``until``."""
        return self._run.advance(float(until), True)[1]

    def __getitem__(self, name: str) -> float:
        """A place or speed now: ``run["block.x"]``."""
        if self.model.is_slider:
            return self._run.place(_SLIDE.index(name), False)
        body, _, what = name.rpartition(".")
        if what in ("x", "v") and body in self.model.bodies:
            return self._run.place(self.model.bodies.index(body), what == "v")
        named = [*self.model.states, *self.model.signals, *self.model.inputs, *self.model.memory]
        if name in named:
            return self._run.numbers()[named.index(name)]
        raise KeyError(f"{name!r}; there are {', '.join(f'{b}.x, {b}.v' for b in self.model.bodies)}")

    def force(self, contact: str) -> float:
        """N: the force of a contact on A, now."""
        return self._run.contact(self.model.contacts.index(contact))[1]

    def mode(self, contact: str) -> str:
        """What a contact does now: ``"stick"``, ``"slip+"``, .."""
        return self._run.contact(self.model.contacts.index(contact))[0]

    def set_input(self, name: str, value: float) -> None:
        """Sets an input of the model from now on (SI); a run at rest goes on.

        >>> import slipstick as ss
        >>> model = ss.Model({
        ...     "inputs": {"push": "0 N"},
        ...     "bodies": {"block": {"mass": 1}},
        ...     "forces": [{"body": "block", "force": "push"}],
        ...     "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": 1}},
        ... })
        >>> run = model.run()
        >>> run.advance(1.0)
        'at-rest'
        >>> run.set_input("push", 3.0)
        >>> run.advance_to(2.0), run["block.v"]
        ('time-reached', 2.0)
        """
        if name not in self.model.inputs:
            raise KeyError(f"{name!r}; inputs are {', '.join(self.model.inputs) or 'none'}")
        self._run.set_input(self.model.inputs.index(name), float(value))

    def save(self) -> bytes:
        """The run as bytes: ``load`` goes on from them to the same bits, in another process as well."""
        return self._run.save()

    def load(self, saved: bytes) -> None:
        """Goes on from where ``saved`` was."""
        self._run.load(saved)

    def events(self) -> list[Event]:
        """Events since this was last asked."""
        return [make_event(raw, self.model.contacts) for raw in self._run.take_events()]

    @property
    def energy(self) -> Energy:
        """The ledger up to now."""
        return Energy(*self._run.energy())

    def __repr__(self) -> str:
        return f"<Run {self.model.title}: t = {self.t:.6g} s>"
