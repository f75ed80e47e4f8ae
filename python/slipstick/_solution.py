# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""A motion as it was computed: samples, events, energy, notes."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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


def _shown(motion: _core.Motion, name: str) -> np.ndarray:
    return np.asarray(motion.look(name))


def make_event(raw: tuple, names: list[str]) -> Event:
    """An event as the extension tells it."""
    if isinstance(raw[4], tuple):
        t, k, before, after, load_before, load_after = raw
        return Event(t, names[k], before, after, load_before=load_before, load_after=load_after)
    t, k, before, after, speed_in, speed_out, kind = raw
    if kind == "impact" or kind == "accumulation":
        return Event(t, names[k], before, after, kind, speed_in, speed_out)
    return Event(t, names[k], before, after, kind)


@dataclass
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
    >>> sol.events[-1].after, sol.t_events["floor"].tolist()
    ('stick', [3.141592653589793, 6.283185307179586])
    """

    t: np.ndarray
    y: np.ndarray
    names: list[str]
    units: list[str]
    force: Traces
    mode: Traces
    state: Traces
    signal: Traces
    input: Traces
    memory: Traces
    derivative: dict[str, Traces]
    outcome: str
    t_end: float
    settles: bool
    limit: dict[str, float] | None
    events: list[Event]
    energy: Energy
    notes: list[Note]
    warnings: list[str]
    title: str = ""
    _unit: dict[str, str] = field(default_factory=dict, repr=False)
    _motion: _core.Motion | None = field(default=None, repr=False)
    _answer: dict[str, Any] | None = field(default=None, repr=False)

    @property
    def answer(self) -> dict[str, Any]:
        """The answer of the command line, as a dict; made when it is first asked for."""
        if self._answer is None:
            assert self._motion is not None
            self._answer = self._motion.answer()
        return self._answer

    def __getstate__(self) -> dict[str, Any]:
        """Pickled without what lies in the library's memory."""
        return self.__dict__ | {"_answer": self.answer, "_motion": None}

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


def solution_of(model: Model, motion: _core.Motion, paths: list[str] | None = None) -> Solution:
    """Wraps what the library has recorded."""
    outcome, t_end, settles, limit, energy, notes, warning = motion.summary()
    t = _shown(motion, "t")
    if model.is_slider:
        names, units = list(_SLIDE), list(_SLIDE_UNITS)
        y = _shown(motion, "slide").T
        supports = model.contacts
        modes = _shown(motion, "support_mode")
        force: dict[str, np.ndarray] = {}
        for k, name in enumerate(supports):
            force[f"{name}.x"] = _shown(motion, "support_fx")[:, k]
            force[f"{name}.y"] = _shown(motion, "support_fy")[:, k]
    else:
        x, v = _shown(motion, "x"), _shown(motion, "v")
        names = [f"{body}.{what}" for body in model.bodies for what in "xv"]
        units = [unit for body in model.bodies for unit in model._units(body)]
        y = np.empty((2 * x.shape[1], len(t)))
        y[0::2], y[1::2] = x.T, v.T
        modes = _shown(motion, "mode")
        forces = _shown(motion, "force")
        force = {name: forces[:, k] for k, name in enumerate(model.contacts)}
    mode = {name: _MODES[modes[:, k]] for k, name in enumerate(model.contacts)}
    named = _numbers(model, motion)
    events = [make_event(raw, model.contacts) for raw in motion.events()]
    if paths:
        late = motion.event_derivatives()
        events = [replace(event, derivative=dict(zip(paths, times))) for event, times in zip(events, late)]
    return Solution(
        t=t, y=y, names=names, units=units, force=Traces(force), mode=Traces(mode), state=named[0],
        signal=named[1], input=named[2], memory=named[3], derivative=_derivatives(model, motion, paths or []), outcome=outcome, t_end=t_end, settles=settles,
        limit=dict(zip(model.bodies, limit)) if limit is not None else None,
        events=events, energy=Energy(*energy),
        notes=[Note(at, text, tuple(model.contacts[k] for k in who)) for at, text, who in notes],
        warnings=[warning] if warning else [], title=model.title,
        _unit=model.units | dict(zip(names, units)) | {f"{name}.force": "N" for name in force}
        | {f"{name}.force": unit for name, unit in model._force_units.items()}, _motion=motion,
    )  # fmt: skip


def _numbers(model: Model, motion: _core.Motion) -> list[Traces]:
    """States, signals, inputs and memory of an open model, each by name."""
    kinds = (model.states, model.signals, model.inputs, model.memory)
    if not any(kinds):
        return [Traces({}) for _ in kinds]
    rows, out, column = _shown(motion, "numbers"), [], 0
    for names in kinds:
        out.append(Traces({name: rows[:, column + k] for k, name in enumerate(names)}))
        column += len(names)
    return out


def _derivatives(model: Model, motion: _core.Motion, paths: list[str]) -> dict[str, Traces]:
    """By path: how places, speeds, contact forces and named numbers change, at the times of the solution."""
    names = [f"{body}.x" for body in model.bodies] + [f"{body}.v" for body in model.bodies]
    names += [f"{contact}.force" for contact in model.contacts]
    names += [*model.states, *model.signals, *model.inputs, *model.memory]
    if not paths:
        return {}
    rows = _shown(motion, "derivatives")
    return {
        path: Traces({name: rows[:, j * len(names) + k] for k, name in enumerate(names)})
        for j, path in enumerate(paths)
    }
