# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""A motion as it was computed: samples, events, energy, notes."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np

from . import _core
from ._named import Named, need_name
from ._sealed import freeze
from ._store import Result
from ._typing import Floats, Words

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

    from ._model import Model
    from ._picture import Picture

_MODES = np.array(_core.MODES)
_SLIDE = ("x", "y", "angle", "vx", "vy", "spin")
_SLIDE_UNITS = ("m", "m", "rad", "m/s", "m/s", "rad/s")


_MEANT = {
    "to_csv": 'sol.to_pandas().to_csv("motion.csv") writes a table',
    "simulate": "it is a motion already; model.simulate() computes another",
}


@dataclass(frozen=True, repr=False)
class Event:
    """Something that happened at an instant.

    ``contact`` names the contact, or the support of a slider (``support1``, ..). An impact has its speeds of
    approach and separation; an event of a slider the loads before and after, (Fx, Fy, M).

    >>> event = ss.load("models/block-on-floor.yaml").simulate().events[-1]
    >>> round(event.t, 6), event.contact, event.before, event.after, event.kind
    (12.978492, 'floor', 'slip+', 'stick', 'mode')
    """

    t: float
    contact: str
    before: str
    after: str
    kind: str = "mode"
    speed_in: float | None = None
    speed_out: float | None = None
    load_before: tuple[float, float, float] | None = None
    load_after: tuple[float, float, float] | None = None
    derivative: Mapping[str, float] | None = None
    """How ``t`` changes with each number asked for, s per unit of it; NaN where it has no derivative."""

    def __repr__(self) -> str:
        told = ((field.name, getattr(self, field.name)) for field in fields(self))
        return f"Event({', '.join(f'{name}={value!r}' for name, value in told if value is not None)})"


@dataclass(frozen=True)
class Energy:
    """The ledger, in J: start + input = end + friction + damping + impact + residual.

    >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
    >>> e = sol.energy
    >>> abs(e.start + e.input - e.end - e.friction - e.damping - e.impact - e.residual) < 1e-12
    True
    """

    start: float
    end: float
    input: float
    friction: float
    damping: float
    impact: float
    residual: float

    def __getitem__(self, name: object) -> float:
        raise TypeError(f"the ledger is asked by attributes: sol.energy.{name if name in _LEDGER else 'friction'}; there "
                        f"are {', '.join(_LEDGER)}")  # fmt: skip


_LEDGER = tuple(field.name for field in fields(Energy))


@dataclass(frozen=True)
class Note:
    """Something worth knowing that is no event.

    >>> ball = ss.Model({
    ...     "bodies": {"ball": {"mass": 1}}, "forces": [{"body": "ball", "force": "-9.81 N"}],
    ...     "contacts": {"floor": {"between": ["ball", "ground"], "law": "rigid-stop", "below": 0, "restitution": 0.5}},
    ...     "start": {"ball": {"x": 1}},
    ... })
    >>> note = ball.simulate().notes[0]
    >>> note.contacts, round(note.t, 6)
    (('floor',), 1.354571)
    """

    t: float
    text: str
    contacts: tuple[str, ...] = ()


_Array = TypeVar("_Array")


class Traces(Mapping[str, _Array]):
    """Arrays over the times of a solution, by name."""

    def __init__(self, arrays: dict[str, _Array]) -> None:
        self._arrays = arrays

    def __getitem__(self, name: str) -> _Array:
        try:
            return self._arrays[name]
        except KeyError:
            raise KeyError(f"{name!r}; there are {', '.join(self._arrays) or 'none'}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._arrays)

    def __repr__(self) -> str:
        return f"Traces({', '.join(self._arrays)})"


class Limit(dict[str, float]):
    """Where a motion settles: places and states by name. A body's name alone is its place."""

    def __missing__(self, name: str) -> float:
        if f"{name}.x" in self:
            return self[f"{name}.x"]
        raise KeyError(f"{name!r}; there are {', '.join(self)}")


def make_event(raw: tuple[Any, ...], names: list[str]) -> Event:
    """An event as the extension tells it."""
    if isinstance(raw[4], tuple):
        t, k, before, after, load_before, load_after = raw
        return Event(t, names[k], before, after, load_before=load_before, load_after=load_after)
    t, k, before, after, speed_in, speed_out, kind = raw
    if kind == "impact" or kind == "accumulation":
        return Event(t, names[k], before, after, kind, speed_in, speed_out)
    return Event(t, names[k], before, after, kind)


class Asked(NamedTuple):
    """How a motion was asked for, apart from the moments of its samples: enough to run it once more."""

    until: float
    x: Floats | None
    v: Floats | None
    tolerance: float
    max_events: int
    escape: float


def _slider_names(sol: Solution) -> tuple[str, ...]:
    """As paths and maps call what ``y`` has of a slider."""
    return tuple(f"slider.{name}" for name in _SLIDE) if sol._model.is_slider else ()


class Solution(Named, Result):
    """What ``Model.simulate`` returns.

    >>> import slipstick as ss
    >>> model = ss.loads('''
    ... slipstick: 1
    ... title: a block
    ... bodies: {block: {mass: 1 kg}}
    ... connections: [{between: [block, ground], stiffness: 1 N/m}]
    ... contacts: {floor: {between: [block, ground], law: coulomb, friction: 1 N}}
    ... start: {block: {x: 4}}
    ... ''')
    >>> sol = model.simulate(t_eval=[0, 1, 2])
    >>> sol.names
    ['block.x', 'block.v']
    >>> sol.y.shape
    (2, 3)
    >>> sol.mode["floor"].tolist()
    ['slip-', 'slip-', 'slip-']
    >>> sol.events[-1].after, (sol.t_events["floor"] / np.pi).round(12).tolist()
    ('stick', [1.0, 2.0])
    """

    outcome: str
    """``"at-rest"``, ``"time-reached"``, ``"escaped"``, .. as on the command line."""
    t_end: float
    """s: when it ended; of rest, when it began."""
    settles: bool
    """It comes to rest in infinite time, at ``limit``."""

    def __init__(
        self, model: Model, motion: _core.Motion, asked: Asked, paths: Sequence[str] = (), sampled: bool = False
    ) -> None:
        self._model = model
        self._motion: _core.Motion | None = motion
        self._asked = asked
        self._paths = paths
        self._sampled = sampled  # at moments that were given, not at the events
        self.outcome, self.t_end, self.settles = motion.summary()
        self._seal()

    # What is not asked for is not made: arrays look into the library's memory, the rest is copied once.

    if not TYPE_CHECKING:  # there, what is not written is an error anyhow

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(f"'Solution' object has no attribute {name!r}")
            if name in _MEANT:
                raise AttributeError(f"a Solution has no {name!r}; {_MEANT[name]}")
            there = [one for one in self._ipython_key_completions_() if name in one.split(".")]
            told = f"sol[{there[0]!r}]" if there else "numbers of the motion are taken by name, sol[\"block.x\"]"
            raise AttributeError(f"a Solution has no {name!r}; {told}")

    def _moved(self) -> _core.Motion:
        """The motion itself, which a solution that was pickled no longer has."""
        if self._motion is None:
            raise ValueError("a solution that was pickled has no motion any more: simulate it again")
        return self._motion

    def _look(self, name: str) -> Floats:
        return np.asarray(self._moved().look(name))

    def _drawn(self) -> Solution:
        """The same motion, run once more, at the moments that make smooth lines, with both sides of every event.

        Where samples were asked for, it is what lies between the first and the last of them.
        """
        window = (float(self.t[0]), float(self.t[-1])) if self._sampled and len(self.t) > 1 else (0.0, 0.0)
        asked = self._asked
        motion = _core.simulate(
            self._model._model, asked.until, None, 0.0, False, False, asked.x, asked.v, asked.tolerance,
            asked.max_events, asked.escape, (), True, *window, False,
        )  # fmt: skip
        return Solution(self._model, motion, asked)

    @property
    def model(self) -> Model:
        """The model that moved, with the start it had.

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.model
        <Model Two blocks on rough floors: 2 bodies, 2 contacts>
        """
        return self._model

    @property
    def title(self) -> str:
        """The title of the model.

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.title
        'Two blocks on rough floors'
        """
        return self._model.title

    @cached_property
    def t(self) -> Floats:
        """s: times of the samples.

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.t
        array([0., 1., 2.])
        """
        return self._look("t")

    @property
    def names(self) -> list[str]:
        """What the rows of ``y`` are.

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.names
        ['block1.x', 'block1.v', 'block2.x', 'block2.v']
        """
        return list(self._model._names)

    @cached_property
    def units(self) -> list[str]:
        """Their units.

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.units
        ['m', 'm/s', 'm', 'm/s']
        """
        if self._model.is_slider:
            return list(_SLIDE_UNITS)
        return [self._model._quantities[name] for name in self._model._names]

    @cached_property
    def y(self) -> Floats:
        """Places and speeds, (len(names), len(t)).

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.y.shape
        (4, 3)
        >>> sol.y.flags.writeable
        False
        >>> bool((sol.y[0] == sol["block1.x"]).all())
        True
        """
        motion = self._moved()
        if self._model.is_slider:
            return self._look("slide").T
        y = np.empty((len(self._model._names), motion.count()))
        motion.fill(y)
        return cast(Floats, freeze(y))

    @cached_property
    def _columns(self) -> dict[str, Floats]:
        """What has been asked for by its name."""
        return {}

    def _column(self, name: str) -> Floats:
        """A quantity of the model over the samples."""
        if name not in self._columns:
            out = np.empty(len(self.t))
            self._moved().column(name, out)
            self._columns[name] = freeze(out)
        return self._columns[name]

    def _by_contact(self, what: str) -> Traces[Floats]:
        """A quantity of each contact that has it."""
        told, contacts = self._model._quantities, self._model.contacts
        return Traces({name: self._column(f"{name}.{what}") for name in contacts if f"{name}.{what}" in told})

    @cached_property
    def force(self) -> Traces[Floats]:
        """N or N*m: the force on A by contact, and by tie and connection where they have names; of a slider
        ``support1.x``, ``support1.y``, ..

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.force["floor1"]
        array([ 1.,  1., -1.])
        """
        if not self._model.is_slider:
            named = [signal for signal in self._model.signals if signal.endswith(".force")]
            return Traces({**self._by_contact("force"), **{name[:-6]: self._column(name) for name in named}})
        parts = {"x": self._look("support_fx"), "y": self._look("support_fy")}
        return Traces({f"{name}.{way}": part[:, k] for k, name in enumerate(self._model.contacts)
                       for way, part in parts.items()})  # fmt: skip

    @cached_property
    def mode(self) -> Traces[Words]:
        """``"stick"``, ``"slip+"``, .. by contact.

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.mode["floor1"]
        array(['slip-', 'slip-', 'slip+'], dtype='<U6')
        """
        modes = self._look("support_mode" if self._model.is_slider else "mode").astype(np.intp)
        return Traces({name: _MODES[modes[:, k]] for k, name in enumerate(self._model.contacts)})

    @cached_property
    def slip(self) -> Traces[Floats]:
        """m/s or rad/s: the speed of A relative to B, by contact.

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> bool(np.allclose(sol.slip["floor1"], sol["block1.v"]))
        True
        """
        return self._by_contact("velocity")

    @cached_property
    def displacement(self) -> Traces[Floats]:
        """m or rad: the place of A relative to B along the row of each contact.

        >>> import slipstick as ss
        >>> sol = ss.load("models/stick-slip-belt.yaml").simulate(t_eval=[0, 1, 2])
        >>> bool(np.allclose(sol.displacement["face"], sol["block.x"] - sol["belt.x"]))
        True
        """
        motion, out = self._moved(), {}
        for k, name in enumerate([] if self._model.is_slider else self._model.contacts):
            out[name] = np.empty(motion.count())
            motion.displacement(k, out[name])
        return Traces(out)

    @cached_property
    def deflection(self) -> Traces[Floats]:
        """m or rad: the bristles of contacts that have one deflection (LuGre, Dahl, elasto-plastic), by contact.

        >>> sol = ss.load("models/lugre-stop.yaml").simulate(t_eval=[0])
        >>> list(sol.deflection)
        ['floor']
        """
        return self._by_contact("z")

    def _numbers(self, kind: int) -> Traces[Floats]:
        """States, signals, inputs or memory of an open model, by name."""
        kinds = (self._model.states, self._model.signals, self._model.inputs, self._model.memory)
        if not kinds[kind]:
            return Traces({})
        first, rows = sum(map(len, kinds[:kind])), self._look("numbers")
        return Traces({name: rows[:, first + k] for k, name in enumerate(kinds[kind])})

    @cached_property
    def state(self) -> Traces[Floats]:
        """States of an open model.

        >>> sol = ss.load("models/hunting-servo.yaml").simulate(1.0, [0, 1])
        >>> sol.state["sum"].round(6)
        array([ 0.0e+00, -1.3e-05])
        """
        return self._numbers(0)

    @cached_property
    def signal(self) -> Traces[Floats]:
        """Its signals.

        >>> sol = ss.load("models/hunting-servo.yaml").simulate(1.0, [0, 1])
        >>> sol.signal["error"].round(6)
        array([0.01    , 0.001016])
        """
        return self._numbers(1)

    @cached_property
    def input(self) -> Traces[Floats]:
        """Its inputs.

        >>> sol = ss.load("models/hunting-servo.yaml").simulate(1.0, [0, 1])
        >>> sol.input["disturbance"]
        array([0., 0.])
        """
        return self._numbers(2)

    @cached_property
    def memory(self) -> Traces[Floats]:
        """What its sampled controllers remember.

        >>> list(ss.load("models/sampled-servo.yaml").simulate(0.1).memory)
        ['sum', 'last', 'command']
        """
        return self._numbers(3)

    @cached_property
    def derivative(self) -> dict[str, Traces[Floats]]:
        """By path: how places, speeds, contact forces and named numbers change with it.

        >>> sol = ss.load("models/block-on-floor.yaml").simulate(2.0, [0, 1], derivative="start.block.x")
        >>> sol.derivative["start.block.x"]["block.x"].round(6)
        array([1.      , 0.454567])
        """
        if not self._paths:
            return {}
        model, rows = self._model, self._look("derivatives")
        names = [*model._places, *model._speeds]
        names += [f"{contact}.force" for contact in model.contacts]
        names += [*model.states, *model.signals, *model.inputs, *model.memory]
        return {path: Traces({name: rows[:, j * len(names) + k] for k, name in enumerate(names)})
                for j, path in enumerate(self._paths)}  # fmt: skip

    @cached_property
    def limit(self) -> Limit | None:
        """Where it settles: places by name (``sol.limit["block.x"]``), and states; None where it does not.

        >>> damped = ss.Model({"bodies": {"b": {"mass": 1}}, "start": {"b": {"x": 1}},
        ...                    "connections": [{"between": ["b", "ground"], "stiffness": 1, "damping": 0.2}]})
        >>> sol = damped.simulate(10.0)
        >>> sol.settles, sol.limit
        (True, {'b.x': 0.0})
        """
        limit = self._moved().limit()
        if limit is None:
            return None
        places, states = limit
        names = [*self._model._places, *self._model.states]
        return Limit(zip(names, [*places, *states]))

    @cached_property
    def events(self) -> list[Event]:
        """All that happened, in the order of time.

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.events[0].contact, sol.events[0].after
        ('floor2', 'slip-')
        """
        motion = self._moved()
        events = [make_event(raw, self._model.contacts) for raw in motion.events()]
        if not self._paths:
            return events
        late = motion.event_derivatives()
        return [replace(event, derivative=dict(zip(self._paths, times))) for event, times in zip(events, late)]

    @cached_property
    def energy(self) -> Energy:
        """The ledger.

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.energy.input, abs(sol.energy.residual) < 1e-12
        (0.0, True)
        """
        return Energy(*self._moved().energy())

    @cached_property
    def notes(self) -> list[Note]:
        """What is worth knowing.

        >>> ss.load("models/two-blocks.yaml").simulate().notes
        []
        """
        contacts = self._model.contacts
        return [Note(at, text, tuple(contacts[k] for k in who)) for at, text, who in self._moved().notes()]

    @cached_property
    def warnings(self) -> list[str]:
        """Where the ledger does not close.

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.warnings
        []
        """
        warning = self._moved().warning()
        return [warning] if warning else []

    @cached_property
    def _unit(self) -> dict[str, str]:
        forces = {f"{name}.force": "N" for name in self.force}
        return self._model.units | dict(zip(self.names, self.units)) | forces | self._model._quantities

    @cached_property
    def answer(self) -> dict[str, Any]:
        """The answer of the command line, as a dict.

        >>> sol = ss.load("models/two-blocks.yaml").simulate(20.0, [0, 1, 2])
        >>> sol.answer["outcome"]
        'time-reached'
        """
        return self._moved().answer()

    def __getstate__(self) -> dict[str, Any]:
        """Pickled without what lies in the library's memory: all of it is copied."""
        for name, kept in vars(type(self)).items():
            if isinstance(kept, cached_property):
                getattr(self, name)
        for name in self._model._quantities:
            self._column(name)
        return self.__dict__ | {"_motion": None}

    def _state(self) -> dict[str, Any]:
        return {name: value for name, value in self.__getstate__().items() if name not in ("_sealed", "_motion")} | {"_motion": None}

    def _ipython_key_completions_(self) -> list[str]:
        return [*self.names, *(f"{c}.force" for c in self.force)] if self._model.is_slider else list(self._model._quantities)

    def __getitem__(self, name: str) -> Floats:
        """A place, a speed, a contact's force, velocity or power, or a number of an open model, over time:
        ``sol["block1.x"]``, ``sol["floor1.force"]``, ``sol["error"]``; of a slider ``sol["slider.x"]`` as ``sol["x"]``.

        >>> bool((ss.load("models/disk.yaml").simulate()["slider.x"] == ss.load("models/disk.yaml").simulate()["x"]).all())
        True
        """
        need_name(name)
        if name in self._model._names:
            row: Floats = self.y[self._model._names.index(name)]
            return row
        if name in self._model._quantities:
            return self._column(name)
        if name in _slider_names(self):
            return self[name[7:]]
        if name.endswith(".force") and name[:-6] in self.force:
            return self.force[name[:-6]]
        point, _, way = name.partition(".")
        if way in ("x", "y", "vx", "vy") and f"points.{point}.at[0]" in self._model:
            raise KeyError(f"{name!r}; a signal of the model follows a point: signals: {{{point}_{way}: {name}}}, "
                           f"then sol['{point}_{way}']")  # fmt: skip
        raise KeyError(f"{name!r}; there are {', '.join(self._ipython_key_completions_())}")

    def __len__(self) -> int:
        raise TypeError("a Solution has no length: len(sol.t) samples, len(sol.names) rows of y, len(sol.events) events")

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (isinstance(name, str) and name in _slider_names(self))

    def __repr__(self) -> str:
        what = f"{self.title}: " if self.title else ""
        return f"<Solution {what}{self.outcome} at t = {self.t_end:.6g} s, {len(self.events)} events>"

    def _repr_html_(self) -> str:
        from ._html import solution_html

        return solution_html(self)

    @property
    def t_events(self) -> dict[str, Floats]:
        """s: times of the events of each contact.

        >>> ss.load("models/block-on-floor.yaml").simulate().t_events["floor"].round(3)
        array([ 3.245,  6.489,  9.734, 12.978])
        """
        out: dict[str, list[float]] = {name: [] for name in self._model.contacts}
        for event in self.events:
            out.setdefault(event.contact, []).append(event.t)
        return {name: np.array(times) for name, times in out.items()}

    def to_json(self) -> str:
        """The answer of the command line, as a text.

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1])
        >>> '"outcome": "at-rest"' in model.simulate().to_json()
        True
        """
        return self._motion.json() if self._motion is not None else json.dumps(self.answer, indent=2) + "\n"

    def to_pandas(self) -> pandas.DataFrame:
        """A table with the time as index; units in ``attrs["units"]``.

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1])
        >>> model.simulate(t_eval=[0, 1]).to_pandas().columns.tolist()
        ['q1.x', 'q1.v', 'c1.force', 'c1.mode']
        """
        import pandas

        columns: dict[str, Any] = dict(zip(self.names, self.y))
        for traces in (self.state, self.signal, self.input, self.memory):
            columns.update(traces)
        for contact in self.force:
            columns[f"{contact}.force"] = self.force[contact]
        for contact in self.mode:
            columns[f"{contact}.mode"] = self.mode[contact]
        frame = pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))
        frame.attrs["units"] = {"t": "s"} | {name: unit for name, unit in self._unit.items() if name in columns}
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """A dataset over ``t``; each variable has its unit in ``attrs["units"]``.

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1])
        >>> model.simulate(t_eval=[0, 1]).to_xarray()["q1.x"].attrs["units"]
        'm'
        """
        import xarray

        data: dict[str, tuple[Any, ...]]
        data = {name: ("t", row, {"units": unit}) for name, row, unit in zip(self.names, self.y, self.units)}
        for traces in (self.state, self.signal, self.input, self.memory):
            data.update({name: ("t", row, {"units": self._unit[name]}) for name, row in traces.items()})
        data.update({f"{c}.force": ("t", row, {"units": self._unit[f"{c}.force"]}) for c, row in self.force.items()})
        data.update({f"{c}.mode": ("t", row) for c, row in self.mode.items()})
        return xarray.Dataset(data, coords={"t": ("t", self.t, {"units": "s"})}, attrs={"title": self.title})

    def plot(self, kind: str = "time", **options: Any) -> Figure:
        """A picture with matplotlib: ``"time"`` (places, speeds and forces, sticking shaded), ``"phase"`` (speed
        over place), or ``"loop"`` (force over displacement of each contact). Lines are smooth whatever the samples;
        where ``t_eval`` was given, the picture shows what lies between the first and the last of them.

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1])
        >>> model.simulate(t_eval=[0, 1]).plot("phase").axes[0].get_xlabel()
        'q1.x [m]'
        """
        from ._plot import plot_solution

        return plot_solution(self, kind, options)

    def picture(
        self, view: str | None = None, of: str | None = None, *,
        also: Solution | Mapping[str, Solution] | Sequence[Solution] = (), format: str = "svg",  # noqa: A002
        theme: str = "print", width: float = 0.0, height: float = 0.0,
    ) -> Picture:  # fmt: skip
        """The picture that the command line draws, in a notebook or as a file; matplotlib is not needed.

        ``view``: ``"time"``, ``"phase"``, ``"loop"`` or ``"impact"`` of bodies, ``"path"``, ``"time"``, ``"surface"``
        or ``"sphere"`` of a slider. ``of``: the body or contact. ``also``: further motions to compare, by label.
        ``format``: ``"svg"``, ``"png"`` or ``"pdf"``; ``theme``: ``"print"``, ``"screen"`` or ``"dark"``; ``width``
        and ``height`` in points.

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1], start={"q1.x": 4})
        >>> rougher = model.with_({"matrices.friction[0]": 2})
        >>> model.simulate().picture("phase", also={"friction 2 N": rougher.simulate()}).save("phase.svg")
        """
        from ._picture import picture_of_motions

        return picture_of_motions(self, view, of, also, (format, theme, width, height))
