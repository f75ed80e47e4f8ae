# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""A run that is held: advanced step by step, asked in between."""
from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any

from . import _core
from ._named import Named, need_name
from ._sealed import Sealed
from ._solution import Energy, Event, make_event
from ._take import take_number
from ._typing import Value
from .errors import ModelError, RunError

if TYPE_CHECKING:
    from ._model import Model

_MARK = b"slipstick run 2\n"
_KEPT = struct.Struct(f"<{len(_MARK)}sdd16s")
"""What stands before the library's own bytes: a mark, the time that was asked for, the outcome."""


class Run(Named, Sealed):
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

    ``close`` gives its memory back at once, and ``with`` closes it at the end; otherwise Python does when nobody
    looks at it any more. A run that is closed answers with ``ValueError``.

    >>> with model.run() as run:
    ...     run.advance(1.0)
    'time-reached'
    """

    def __init__(self, model: Model, run: _core.Run, tolerance: float, max_events: int) -> None:
        self.model = model
        self._run = run
        self._settings = tolerance, max_events
        self._asked = 0.0
        self._lost = 0.0  # s: what the sum of all dt has lost by rounding
        self._outcome = "time-reached"
        self._seal()

    @property
    def t(self) -> float:
        """s: the time it has been advanced to, also where it came to rest before; where it ended, when it did.

        >>> run = ss.load("models/block-on-floor.yaml").run()
        >>> run.advance(2.0), run.t
        ('time-reached', 2.0)
        """
        reached = self._run.time()
        return max(reached, self._asked) if self._outcome == "at-rest" else reached

    @property
    def t_rest(self) -> float | None:
        """s: when rest began, or None where it does not rest.

        >>> import slipstick as ss
        >>> run = ss.load("models/block-on-floor.yaml").run()
        >>> run.advance_to(1000.0), run.t
        ('at-rest', 1000.0)
        >>> round(run.t_rest, 6)
        12.978492
        """
        return self._run.time() if self._outcome == "at-rest" else None

    @property
    def outcome(self) -> str:
        """What the last advance came to.

        >>> run = ss.load("models/block-on-floor.yaml").run()
        >>> run.advance_to_event(), run.outcome
        (True, 'time-reached')
        """
        return self._outcome

    def advance(self, dt: Value) -> str:
        """Goes on by ``dt`` (s, or a text such as ``"10 ms"``) and returns the outcome: ``"time-reached"``, ``"at-rest"``, ..

        >>> import slipstick as ss
        >>> run = ss.Model({"bodies": {"b": {"mass": 1}}, "start": {"b": {"v": 2}}}).run()
        >>> run.advance(0.5), run["b.x"]
        ('time-reached', 1.0)
        """
        dt = take_number(dt, "dt", "s")
        if not dt >= 0.0:
            raise ValueError(f"dt = {dt}: a run cannot go back; save it, and load it again")
        now, step = self.t, dt + self._lost
        outcome = self.advance_to(max(now + step, now))
        self._lost = step - ((now + step) - now) if math.isfinite(step) else 0.0  # a thousand times 1 ms is 1 s
        return outcome

    def advance_to(self, t: Value) -> str:
        """Goes on to the time ``t`` (s).

        >>> import slipstick as ss
        >>> run = ss.Model({"bodies": {"b": {"mass": 1}}, "start": {"b": {"v": 2}}}).run()
        >>> run.advance_to(3.0), run["b.x"]
        ('time-reached', 6.0)
        """
        t = take_number(t, "t", "s")
        if not t >= self.t:
            raise ValueError(f"t = {t}: the run is at {self.t} s and cannot go back; save it, and load it again")
        self._lost = 0.0
        self._go(t, False)
        self._asked = max(self._asked, t) if math.isfinite(t) else self._asked
        return self._outcome

    def _go(self, t: float, to_event: bool) -> bool:
        if self._outcome == "interrupted":
            raise RunError(f"this run was interrupted at t = {self.t:g} s and cannot go on: load one that was saved")
        try:
            self._outcome, stopped = self._run.advance(t, to_event)
        except KeyboardInterrupt:
            self._outcome = "interrupted"
            raise
        return stopped

    def advance_to_event(self, until: Value = math.inf) -> bool:
        """Goes on to the next instant with events, right after it; False where none came before ``until``.

        >>> import slipstick as ss
        >>> run = ss.load("models/block-on-floor.yaml").run()
        >>> while run.advance_to_event():
        ...     print(f"{run.t:.3f} s, {run.mode('floor')}")
        3.245 s, slip+
        6.489 s, slip-
        9.734 s, slip+
        12.978 s, stick
        """
        until = take_number(until, "until", "s")
        if not until >= self.t:
            raise ValueError(f"until = {until}: the run is at {self.t} s and cannot go back")
        self._lost = 0.0
        stopped = self._go(until, True)
        if stopped:
            self._asked = self._run.time()
        elif math.isfinite(until):
            self._asked = max(self._asked, until)
        return stopped

    def __getitem__(self, name: str) -> float:
        """A number now: ``run["block.x"]``, ``run["block.v"]``, ``run["floor.force"]``, ``run["floor.velocity"]``, a
        state, signal, input or memory of an open model.
        """
        need_name(name)
        model = self.model
        if model.is_slider and name in model._names:
            return self._run.place(model._names.index(name), False)
        if name in model._quantities:
            return self._run.quantity(name)
        raise KeyError(f"{name!r}; there are {', '.join(self._ipython_key_completions_())}")

    def _ipython_key_completions_(self) -> list[str]:
        model = self.model
        return list(model._names if model.is_slider else model._quantities)

    def _contact(self, name: str) -> int:
        if name not in self.model.contacts or self.model.is_slider:
            there = [] if self.model.is_slider else self.model.contacts
            raise KeyError(f"{name!r}; contacts are {', '.join(there) or 'none'}")
        return self.model.contacts.index(name)

    def force(self, contact: str) -> float:
        """N or N*m: the force of a contact on A, now.

        >>> import slipstick as ss
        >>> ss.load("models/block-on-floor.yaml").run().force("floor")
        1.0
        """
        return self._run.contact(self._contact(contact))[1]

    def mode(self, contact: str) -> str:
        """What a contact does now: ``"stick"``, ``"slip+"``, ..

        >>> import slipstick as ss
        >>> ss.load("models/block-on-floor.yaml").run().mode("floor")
        'slip-'
        """
        return self._run.contact(self._contact(contact))[0]

    def set_input(self, name: str, value: Value) -> None:
        """Sets an input of the model from now on (SI, or a text with its unit); a run at rest goes on.

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
        self._run.set_input(self.model.inputs.index(name), take_number(value, name, self.model.units[name]))

    def save(self) -> bytes:
        """The run as bytes: ``load`` goes on from them to the same bits, in another process as well.

        >>> import slipstick as ss
        >>> run = ss.load("models/block-on-floor.yaml").run()
        >>> run.advance(1.0)
        'time-reached'
        >>> saved = run.save()
        >>> there = (run.advance(2.0), run["block.x"])
        >>> run.load(saved)
        >>> (run.advance(2.0), run["block.x"]) == there
        True
        """
        return _KEPT.pack(_MARK, self._asked, self._lost, self._outcome.encode()) + self._run.save()

    def load(self, saved: bytes) -> None:
        """Goes on from where ``saved`` was; the model must be the same.

        >>> import slipstick as ss
        >>> model = ss.load("models/block-on-floor.yaml")
        >>> run, other = model.run(), model.run()
        >>> run.advance(1.0)
        'time-reached'
        >>> other.load(run.save())
        >>> other.t, other["block.x"] == run["block.x"]
        (1.0, True)
        """
        if not isinstance(saved, (bytes, bytearray, memoryview)):
            raise TypeError(f"a saved run is bytes, not {type(saved).__name__}")
        if bytes(saved[: len(_MARK)]) != _MARK or len(saved) < _KEPT.size:
            raise ModelError("these bytes are no saved run")
        _, asked, lost, outcome = _KEPT.unpack_from(saved)
        self._run.load(bytes(saved[_KEPT.size :]))
        self._asked, self._lost, self._outcome = asked, lost, outcome.rstrip(b"\0").decode()

    def events(self) -> list[Event]:
        """Events since this was last asked.

        >>> import slipstick as ss
        >>> run = ss.load("models/block-on-floor.yaml").run()
        >>> run.advance(7.0)
        'time-reached'
        >>> [event.after for event in run.events()], run.events()
        (['slip+', 'slip-'], [])
        """
        return [make_event(raw, self.model.contacts) for raw in self._run.take_events()]

    def close(self) -> None:
        """Gives the memory back; asking a closed run is a ``ValueError``, closing it again is not.

        >>> import slipstick as ss
        >>> run = ss.load("models/block-on-floor.yaml").run()
        >>> run.close()
        >>> run.advance(1.0)
        Traceback (most recent call last):
        ...
        ValueError: this run is closed
        """
        self._run.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.model, *self._settings, self.save())

    @property
    def energy(self) -> Energy:
        """J: the ledger up to now.

        >>> run = ss.load("models/block-on-floor.yaml").run()
        >>> run.advance(1000.0), abs(run.energy.residual) < 1e-13
        ('at-rest', True)
        """
        return Energy(*self._run.energy())

    def __repr__(self) -> str:
        try:
            return f"<Run {self.model.title}: t = {self.t:.6g} s>"
        except ValueError:
            return f"<Run {self.model.title}: closed>"


def _restore(model: Model, tolerance: float, max_events: int, saved: bytes) -> Run:
    run = model.run(tolerance=tolerance, max_events=max_events)
    run.load(saved)
    return run
