# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""A motion as it was computed: samples, events, energy, notes."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

    from ._model import Model
    from ._picture import Picture

_MODES = np.array(_core.MODES)
_SLIDE = ("x", "y", "angle", "vx", "vy", "spin")
_SLIDE_UNITS = ("m", "m", "rad", "m/s", "m/s", "rad/s")


@dataclass(frozen=True)
class Event:
    """Something that happened at an instant.

    ``contact`` names the contact, or the support of a slider (``support1``, ..). An impact has its speeds of
    approach and separation; an event of a slider the loads before and after, (Fx, Fy, M).
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


@dataclass(frozen=True)
class Energy:
    """The ledger, in J: start + input = end + friction + damping + impact + residual."""

    start: float
    end: float
    input: float
    friction: float
    damping: float
    impact: float
    residual: float


@dataclass(frozen=True)
class Note:
    """Something worth knowing that is no event."""

    t: float
    text: str
    contacts: tuple[str, ...] = ()


class Traces(Mapping[str, np.ndarray]):
    """Arrays over the times of a solution, by name."""

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        self._arrays = arrays

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._arrays[name]
        except KeyError:
            raise KeyError(f"{name!r}; there are {', '.join(self._arrays) or 'none'}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"Traces({', '.join(self._arrays)})"


def make_event(raw: tuple, names: list[str]) -> Event:
    """An event as the extension tells it."""
    if isinstance(raw[4], tuple):
        t, k, before, after, load_before, load_after = raw
        return Event(t, names[k], before, after, load_before=load_before, load_after=load_after)
    t, k, before, after, speed_in, speed_out, kind = raw
    if kind == "impact" or kind == "accumulation":
        return Event(t, names[k], before, after, kind, speed_in, speed_out)
    return Event(t, names[k], before, after, kind)


class Solution:
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

    def __init__(self, model: Model, motion: _core.Motion, paths: Sequence[str] = ()) -> None:
        self._model = model
        self._motion: _core.Motion | None = motion
        self._paths = list(paths)
        self.title: str = model.title
        self.outcome: str
        """``"at-rest"``, ``"time-reached"``, ``"escaped"``, .. as on the command line."""
        self.t_end: float
        """s: when it ended."""
        self.settles: bool
        """It comes to rest in infinite time, at ``limit``."""
        self.outcome, self.t_end, self.settles, self._limit, self._energy, self._notes, self._warning = motion.summary()

    # What is not asked for is not made: arrays look into the library's memory, the rest is copied once.

    def _look(self, name: str) -> np.ndarray:
        assert self._motion is not None
        return np.asarray(self._motion.look(name))

    @cached_property
    def t(self) -> np.ndarray:
        """s: times of the samples."""
        return self._look("t")

    @cached_property
    def names(self) -> list[str]:
        """What the rows of ``y`` are."""
        return list(_SLIDE) if self._model.is_slider else [f"{b}.{what}" for b in self._model.bodies for what in "xv"]

    @cached_property
    def units(self) -> list[str]:
        """Their units."""
        if self._model.is_slider:
            return list(_SLIDE_UNITS)
        return [unit for body in self._model.bodies for unit in self._model._units(body)]

    @cached_property
    def y(self) -> np.ndarray:
        """Places and speeds, (len(names), len(t))."""
        if self._model.is_slider:
            return self._look("slide").T
        x, v = self._look("x"), self._look("v")
        y = np.empty((2 * x.shape[1], len(self.t)))
        y[0::2], y[1::2] = x.T, v.T
        return y

    @cached_property
    def force(self) -> Traces:
        """N or N*m: friction on A, by contact; of a slider ``support1.x``, ``support1.y``, .."""
        if not self._model.is_slider:
            forces = self._look("force")
            return Traces({name: forces[:, k] for k, name in enumerate(self._model.contacts)})
        parts = {"x": self._look("support_fx"), "y": self._look("support_fy")}
        return Traces({f"{name}.{way}": part[:, k] for k, name in enumerate(self._model.contacts)
                       for way, part in parts.items()})  # fmt: skip

    @cached_property
    def mode(self) -> Traces:
        """``"stick"``, ``"slip+"``, .. by contact."""
        modes = self._look("support_mode" if self._model.is_slider else "mode")
        return Traces({name: _MODES[modes[:, k]] for k, name in enumerate(self._model.contacts)})

    def _numbers(self, kind: str) -> Traces:
        """States, signals, inputs or memory of an open model, by name."""
        names = getattr(self._model, kind)
        if not names:
            return Traces({})
        kinds = ("states", "signals", "inputs", "memory")
        first = sum(len(getattr(self._model, before)) for before in kinds[: kinds.index(kind)])
        rows = self._look("numbers")
        return Traces({name: rows[:, first + k] for k, name in enumerate(names)})

    @cached_property
    def state(self) -> Traces:
        """States of an open model."""
        return self._numbers("states")

    @cached_property
    def signal(self) -> Traces:
        """Its signals."""
        return self._numbers("signals")

    @cached_property
    def input(self) -> Traces:
        """Its inputs."""
        return self._numbers("inputs")

    @cached_property
    def memory(self) -> Traces:
        """What its sampled controllers remember."""
        return self._numbers("memory")

    @cached_property
    def derivative(self) -> dict[str, Traces]:
        """By path: how places, speeds, contact forces and named numbers change with it."""
        model = self._model
        names = [f"{body}.{what}" for what in "xv" for body in model.bodies]
        names += [f"{contact}.force" for contact in model.contacts]
        names += [*model.states, *model.signals, *model.inputs, *model.memory]
        rows = self._look("derivatives") if self._paths else None
        return {path: Traces({name: rows[:, j * len(names) + k] for k, name in enumerate(names)})
                for j, path in enumerate(self._paths)}  # fmt: skip

    @cached_property
    def limit(self) -> dict[str, float] | None:
        """Where it settles, by body."""
        return None if self._limit is None else dict(zip(self._model.bodies, self._limit))

    @cached_property
    def events(self) -> list[Event]:
        """All that happened, in the order of time."""
        assert self._motion is not None
        events = [make_event(raw, self._model.contacts) for raw in self._motion.events()]
        if not self._paths:
            return events
        late = self._motion.event_derivatives()
        return [replace(event, derivative=dict(zip(self._paths, times))) for event, times in zip(events, late)]

    @cached_property
    def energy(self) -> Energy:
        """The ledger."""
        return Energy(*self._energy)

    @cached_property
    def notes(self) -> list[Note]:
        """What is worth knowing."""
        return [Note(at, text, tuple(self._model.contacts[k] for k in who)) for at, text, who in self._notes]

    @cached_property
    def warnings(self) -> list[str]:
        """Where the ledger does not close."""
        return [self._warning] if self._warning else []

    @cached_property
    def _unit(self) -> dict[str, str]:
        forces = {f"{name}.force": "N" for name in self.force}
        forces |= {f"{name}.force": unit for name, unit in self._model._force_units.items()}
        return self._model.units | dict(zip(self.names, self.units)) | forces

    @cached_property
    def answer(self) -> dict[str, Any]:
        """The answer of the command line, as a dict."""
        assert self._motion is not None
        return self._motion.answer()

    def __getstate__(self) -> dict[str, Any]:
        """Pickled without what lies in the library's memory: all of it is copied."""
        for name, kept in vars(type(self)).items():
            if isinstance(kept, cached_property):
                getattr(self, name)
        return self.__dict__ | {"_motion": None}

    def __getitem__(self, name: str) -> np.ndarray:
        """A place, a speed or a state over time: ``sol["block1.x"]``."""
        if name in self.names:
            return self.y[self.names.index(name)]
        named = (self.state, self.signal, self.input, self.memory)
        for traces in named:
            if name in traces:
                return traces[name]
        raise KeyError(f"{name!r}; there are {', '.join([*self.names, *(n for traces in named for n in traces)])}")

    def __repr__(self) -> str:
        what = f"{self.title}: " if self.title else ""
        return f"<Solution {what}{self.outcome} at t = {self.t_end:.6g} s, {len(self.events)} events>"

    def _repr_html_(self) -> str:
        from ._html import solution_html

        return solution_html(self)

    @property
    def t_events(self) -> dict[str, np.ndarray]:
        """Times of events, by contact."""
        out: dict[str, list[float]] = {name: [] for name in self.mode}
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
        return self._motion.json() if self._motion is not None else json.dumps(self.answer)

    def to_pandas(self) -> pandas.DataFrame:
        """A table with the time as index; units in ``attrs["units"]``.

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1])
        >>> model.simulate(t_eval=[0, 1]).to_pandas().columns.tolist()
        ['q1.x', 'q1.v', 'c1.force', 'c1.mode']
        """
        import pandas

        columns: dict[str, np.ndarray] = dict(zip(self.names, self.y))
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

        data = {name: ("t", row, {"units": unit}) for name, row, unit in zip(self.names, self.y, self.units)}
        for traces in (self.state, self.signal, self.input, self.memory):
            data.update({name: ("t", row, {"units": self._unit[name]}) for name, row in traces.items()})
        data.update({f"{c}.force": ("t", row, {"units": self._unit[f"{c}.force"]}) for c, row in self.force.items()})
        data.update({f"{c}.mode": ("t", row) for c, row in self.mode.items()})
        return xarray.Dataset(data, coords={"t": ("t", self.t, {"units": "s"})}, attrs={"title": self.title})

    def plot(self, kind: str = "time", **options: Any) -> Figure:
        """A picture with matplotlib: ``"time"`` (places, speeds and forces, sticking shaded), ``"phase"`` (speed
        over place), or ``"loop"`` (force over displacement of each contact).

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1])
        >>> model.simulate(t_eval=[0, 1]).plot("phase").axes[0].get_xlabel()
        'q1.x [m]'
        """
        from ._plot import plot_solution

        return plot_solution(self, kind, **options)

    def picture(
        self, view: str | None = None, of: str | None = None, *,
        also: Mapping[str, Solution] | Sequence[Solution] = (), format: str = "svg",  # noqa: A002
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
