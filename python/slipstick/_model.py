# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Models: read, looked at, and asked everything that can be asked."""
from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._named import Named, need_name
from ._run import Run
from ._sealed import Frozen, Sealed
from ._solution import _SLIDE, Asked, Solution
from ._store import asked
from ._take import plain_tree, real_array, take_count, take_far, take_names, take_number, take_time, take_values
from ._typing import ArrayLike, Floats, Moments, Progress, Value
from .errors import ModelError

if TYPE_CHECKING:
    import pandas as pd

    from ._axes import Over
    from ._basin import Basin
    from ._branch import Branch
    from ._certificate import Certificate
    from ._cycle import Cycle
    from ._fit import Fit, FreeNumber, Recording
    from ._picture import Picture
    from ._scan import Scan
    from ._slides import Slides


def load(path: str | os.PathLike[str], set: Mapping[str, Value] | None = None) -> Model:  # noqa: A002
    """Reads a model file; ``set`` changes numbers of it, as ``--set`` does on the command line.

    >>> import slipstick as ss
    >>> model = ss.load("models/two-blocks.yaml", set={"parameters.mu": 0.2})
    >>> model.bodies
    ['block1', 'block2']
    """
    name = os.fspath(path)
    if name.endswith(".npz"):
        raise ModelError(f"{name} is a saved result: ss.load_result({name!r}) reads it", file=name)
    if "\n" in name:
        raise ModelError("this is the text of a model, not the name of a file: ss.loads(text) reads it")
    with open(name, encoding="utf-8") as file:
        return Model(file.read(), name=name, set=set)


def loads(text: str, set: Mapping[str, Value] | None = None, name: str = "model") -> Model:  # noqa: A002
    """Reads a model from a text in YAML.

    >>> import slipstick as ss
    >>> ss.loads("slipstick: 1\\ntitle: a block\\nbodies: {block: {mass: 1 kg}}").bodies
    ['block']
    """
    return Model(text, name=name, set=set)


def _text(value: Value) -> str:
    """A number as a model file writes it."""
    return value if isinstance(value, str) else repr(float(value))


def _moments(t_eval: Moments | None, until: float) -> Floats | None:
    """The times of the samples: rising, from 0 to ``until``, as solve_ivp wants them, too."""
    if t_eval is None:
        return None
    if isinstance(t_eval, str):
        raise ModelError(f"t_eval={t_eval!r}: expected times in s, such as np.linspace(0, 10, 101)", field="t_eval")
    if isinstance(t_eval, (list, tuple)) and any(isinstance(one, str) for one in t_eval):
        t_eval = [take_number(one, "t_eval", "s") for one in t_eval]
    t: Floats = np.atleast_1d(real_array(t_eval, "t_eval"))
    if t.ndim != 1:
        raise ModelError(f"t_eval: must be a row of times, not an array of the shape {t.shape}", field="t_eval")
    if not (np.isfinite(t).all() and (t >= 0.0).all() and (np.diff(t) > 0.0).all()):
        raise ModelError("t_eval: must be finite times from 0 on, each after the one before", field="t_eval")
    if len(t) and t[-1] > until:
        raise ModelError(f"t_eval: {t[-1]:g} s is after the end of the motion (until = {until:g} s)", field="t_eval")
    return t


def _angle(angle: float | None) -> float:
    return math.nan if angle is None else float(angle)


def _three(given: Sequence[float], what: str) -> tuple[float, float, float]:
    numbers = [float(one) for one in given]
    if len(numbers) != 3:
        raise ModelError(f"{what}: needs three numbers, not {len(numbers)}", field=what)
    return numbers[0], numbers[1], numbers[2]


def _plain_arguments(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a method, from its local names; what it has imported is none of them."""
    return {name: value for name, value in given.items() if not callable(value) and name not in ("self", "threads")}


# What may stand beside matrices.
_SECTIONS = (
    "bodies", "ties", "connections", "forces", "contacts", "laws", "inputs", "states", "signals", "potentials",
    "sampled", "parameters", "run",
)  # fmt: skip


_WRITTEN = 1000  # entries of a matrix that is written out, so that ``with_`` can set them


def _matrix(value: Any, name: str) -> Any:
    """An array of NumPy, or a sparse one of SciPy: small ones as lists of numbers, others as their buffers. A map (of C,
    or a file) stays what it is."""
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tocoo") and value.shape[0] * value.shape[1] > _WRITTEN:
        entries = value.tocoo()
        data = np.ascontiguousarray(real_array(entries.data, name))
        for k in np.flatnonzero(~np.isfinite(data)):
            raise ModelError(f"{name}[{entries.row[k]}][{entries.col[k]}]: is not a finite number", field=name)
        places = [np.ascontiguousarray(place, dtype=np.intc) for place in (entries.row, entries.col)]
        return {"array": (*entries.shape, *places, data)}
    array = real_array(value.toarray() if hasattr(value, "toarray") else value, name)
    if not np.isfinite(array).all():
        place = "".join(f"[{k}]" for k in np.argwhere(~np.isfinite(array))[0])
        raise ModelError(f"{name}{place}: is not a finite number", field=name)
    if array.ndim != 2 or array.size <= _WRITTEN:
        return array.tolist()
    return {"array": (*array.shape, None, None, np.ascontiguousarray(array).ravel())}


class Model(Named, Sealed):
    """A mechanical system with dry friction, or a slider on a floor. It never changes.

    Made from a text in YAML, or from a dict of the same shape (``load`` and ``loads`` read files and texts):

    >>> import slipstick as ss
    >>> model = ss.Model({
    ...     "bodies": {"block": {"mass": "1 kg"}},
    ...     "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": 0.5}},
    ...     "start": {"block": {"v": 1}},
    ... })
    >>> model
    <Model model: 1 body, 1 contact>
    >>> model.simulate().t_end
    2.0
    """

    def __init__(
        self, source: str | Mapping[str, Any], *, name: str = "model",
        set: Mapping[str, Value] | None = None,  # noqa: A002
    ) -> None:  # fmt: skip
        if not isinstance(source, (str, Mapping)):
            raise TypeError(f"a model is a text or a dict, not {type(source).__name__}; ss.load reads files")
        if isinstance(source, str) and "\n" not in source and (source.endswith((".yaml", ".yml")) or os.path.exists(source)):
            raise ModelError(f"{source!r} is the name of a file, not a model: ss.load({source!r}) reads it")
        self._source: str | dict[str, Any]
        # A dict may leave out what a file must say: the version of the format, and a title.
        self._source = source if isinstance(source, str) else plain_tree({"slipstick": 1, "title": name, **source})
        self._name = name
        self._set = {path: _text(value) for path, value in take_values(set, "set").items()}
        self._model = _core.model(self._source, name, list(self._set.items()))
        told = self._model.describe()
        self.title: str = told[0]
        self.until: float = told[1]
        self.is_slider: bool = told[2]
        self.linear: bool = told[3]
        self._bodies = told[4]
        self._places: list[str] = [body[5] for body in told[4]]
        self._speeds: list[str] = [body[6] for body in told[4]]
        self.bodies: list[str] = list(dict.fromkeys(place.rpartition(".")[0] for place in self._places))
        self.contacts: list[str] = [contact[0] for contact in told[5]]
        self._quantities: dict[str, str] = dict(self._model.quantities())
        self.laws: dict[str, str] = {contact[0]: contact[1] for contact in told[5]}
        numbers: list[list[tuple[str, str]]] = told[8]
        self.states, self.signals, self.inputs, self.memory = ([name for name, _ in kind] for kind in numbers)
        self.units: dict[str, str] = {name: unit for kind in numbers for name, unit in kind}
        self._place = {place: k for k, place in enumerate(self._places)}
        self._speed = {speed: k for k, speed in enumerate(self._speeds)}
        self.coordinates: list[str] = [self._bodies[b][0] for b in told[6]]
        if self.is_slider:
            supports, fingers = told[7]
            self.contacts = [f"support{k + 1}" for k in range(supports)]
            self.contacts += [f"pusher{k + 1}" for k in range(fingers)]
        self._names: tuple[str, ...] = _SLIDE if self.is_slider else tuple(name for body in told[4] for name in body[5:7])
        if not self.is_slider:
            self.units |= {name: self._quantities[name] for name in self._names}
        self._seal()

    if not TYPE_CHECKING:  # there, what is not written is an error anyhow

        def __getattr__(self, name: str) -> Any:
            if name in ("plot", "energy", "events", "t", "y", "to_pandas"):
                raise AttributeError(f"a Model has no {name!r}; a motion of it has: model.simulate().{name}{'()' * (name in ('plot', 'to_pandas'))}")
            raise AttributeError(f"'Model' object has no attribute {name!r}")

    def _advice(self, name: str) -> str:
        paths = [path for path in self._model.paths() if name in (path, path.rpartition(".")[2])]
        path = paths[0] if paths else "contacts.floor.friction"
        return f'model.with_({{"{path}": ..}}) makes another model with another number'

    @classmethod
    def matrices(
        cls, M: ArrayLike, C: ArrayLike | Mapping[str, Any] | None = None, K: ArrayLike | None = None,  # noqa: N803
        W: ArrayLike | None = None, friction: ArrayLike | None = None, *, f: ArrayLike | None = None,  # noqa: N803
        T: ArrayLike | None = None, names: Sequence[str] | Mapping[str, int] | None = None,  # noqa: N803
        reduce: Mapping[str, Any] | None = None,
        start: Mapping[str, Value] | None = None, title: str = "", **sections: Any,
    ) -> Model:  # fmt: skip
        """A system given by its matrices: M q'' + C q' + K q = f + W lambda, beside everything else.

        Coordinates are called q1, q2, .., or as `names` says (``{"tip": 57}`` or all of them); contacts of W are
        c1, c2, .. C may be ``{"rayleigh": [alpha, beta]}`` or ``{"modal": 0.01}``. M, C, K, W and T may be arrays of
        NumPy or sparse ones of SciPy, read from their buffers (entries of large ones cannot be set), or
        ``{"file": "K.mtx"}``. ``reduce={"keep": ["tip"], "modes": 20}`` reduces large ones. Any other section of a
        model file goes with them: ``contacts={..}``, ``forces=[..]``, ``connections=[..]``, ``bodies={..}``,
        ``states={..}``, ``run={..}``.

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1], start={"q1.x": 4})
        >>> round(model.simulate().t_end / np.pi, 12)
        2.0
        >>> beam = ss.Model.matrices(M=[[2, 0.5], [0.5, 1]], K=[[30, -10], [-10, 20]], C={"modal": 0.01},
        ...     names={"tip": 2}, forces=[{"body": "tip", "force": "1 N*cos(2 rad/s*t)"}],
        ...     contacts={"joint": {"between": ["tip", "ground"], "law": "jenkins", "stiffness": 5, "breakaway": 0.1}})
        >>> [round(ratio, 12) for ratio in beam.check()["damping_ratios"]]
        [0.01, 0.01]
        """
        if K is None:
            raise ModelError("K: is missing, the stiffness matrix", field="K")
        if W is None and friction is not None and np.size(friction):
            raise ModelError("friction: goes with W, the directions of the contacts, which is missing", field="friction")
        unknown = [name for name in sections if name not in _SECTIONS]
        if unknown:
            raise TypeError(f"matrices() takes no {unknown[0]!r}; beside matrices go {', '.join(_SECTIONS)}")
        given = {"M": M, "C": C, "K": K, "W": W, "friction": friction if W is not None else None, "f": f, "T": T}
        body = {key: _matrix(value, key) for key, value in given.items() if value is not None}
        if reduce is not None:
            body["reduce"] = dict(reduce)
        if names is not None:
            body["names"] = dict(names) if isinstance(names, Mapping) else list(names)
        return cls({"title": title or "matrices", "matrices": body, **sections}, set=start)

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self._source, self._name, self._set)

    def _repr_html_(self) -> str:
        from ._html import model_html

        return model_html(self)

    def __repr__(self) -> str:
        def count(n: int, what: str, more: str) -> str:
            return f"{n} {what if n == 1 else more}"

        what = f"{self.title}: " if self.title else ""
        if self.is_slider:
            return f"<Model {what}a slider on {count(len(self.contacts), 'support', 'supports')}>"
        bodies, contacts = count(len(self.bodies), "body", "bodies"), count(len(self.contacts), "contact", "contacts")
        return f"<Model {what}{bodies}, {contacts}>"

    def __getitem__(self, path: str) -> float:
        """A number of the model by its path, SI: ``model["contacts.floor1.friction"]``."""
        value = _core.read_number(self._model, need_name(path, "contacts.floor.friction"))
        if value is None:
            raise KeyError(f"{path!r}: the model does not say it; {self._nearby(path)}")
        return value

    def __setitem__(self, path: str, value: object) -> None:
        name = path if path in self._model.paths() else path.rpartition(".")[2]
        raise TypeError(f"a Model does not change, so {path!r} cannot be set; {self._advice(name)}")

    def _nearby(self, path: str) -> str:
        """What there is where a path was sought: the names beside it, as deep as it is right."""
        there, parts = self._model.paths(), path.split(".")
        for depth in range(len(parts) - 1, -1, -1):
            head = ".".join(parts[:depth]) + "." * (depth > 0)
            names = dict.fromkeys(one[len(head) :].split(".")[0] for one in there if one.startswith(head))
            if names:
                return f"{f'in {head[:-1]!r} ' if head else ''}there are {', '.join(names)}"
        return "it says nothing"

    def _ipython_key_completions_(self) -> list[str]:
        return self._model.paths()

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters and their values, SI; ``with_`` and ``set`` change them.

        >>> model = ss.load("models/hunting-servo.yaml", set={"parameters.kp": "3 kN/m"})
        >>> model.parameters
        {'kp': 3000.0, 'ki': 20000.0, 'kd': 60.0, 'target': 0.01}
        >>> model["contacts.guide.static"]
        12.0
        """
        numbers = {name: self[f"parameters.{name}"] for name in self._model.parameters()}
        return Frozen(numbers, 'a Model does not change; model.with_({"parameters.%s": ..}) makes another'
                      % next(iter(numbers), "NAME"))  # fmt: skip

    def _unit(self, path: str) -> str:
        """The unit of a number of the model as it is written there; "" where it has none."""
        return self.units.get(path.removeprefix("start.")) or _core.unit_of(self._model, path)

    def with_(self, set: Mapping[str, Value] | None = None, **named: NoReturn) -> Model:  # noqa: A002
        """The same model with other numbers.

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1])
        >>> round(model.with_({"q1.x": 4}).simulate().t_end / np.pi, 12)
        2.0
        """
        if named or set is None:
            name, value = next(iter(named.items()), ("mu", 0.3))
            path = next((one for one in self._model.paths() if one.rpartition(".")[2] == name), f"parameters.{name}")
            raise TypeError(f"with_() takes a dict of paths: model.with_({{{path!r}: {value!r}}})")
        new = take_values(set, "set")
        # What is set again comes last again: of friction and mu with normal, the later ones count.
        kept = {path: value for path, value in self._set.items() if path not in new}
        return Model(self._source, name=self._name, set={**kept, **new})

    def _start(self, start: Mapping[str, Value] | None) -> tuple[Model, Floats | None, Floats | None]:
        """Starts that are plain numbers of bodies go in as arrays; others make another model."""
        if not start:
            return self, None, None
        start = take_values(start, "start")
        for path in start if not self.is_slider else ():
            meant = [place for place in (*self._places, *self._speeds) if place.rpartition(".")[2] == path]
            if meant and path not in self._place and path not in self._speed:
                raise ModelError(f"start: {path!r} says not of which body; write {' or '.join(repr(one) for one in meant)}", field="start")
        plain = not self.is_slider and all(
            not isinstance(value, str) and (path in self._place or path in self._speed) for path, value in start.items()
        )
        if not plain:
            paths = {f"start.slider.{key}" if self.is_slider and key in _SLIDE else key: v for key, v in start.items()}
            return self.with_(paths), None, None
        x = np.array([body[3] for body in self._bodies])
        v = np.array([body[4] for body in self._bodies])
        for path, value in start.items():
            if path in self._place:
                x[self._place[path]] = value
            else:
                v[self._speed[path]] = value
        return self, x, v

    # ---- motions

    def simulate(
        self, until: Value | None = None, t_eval: Moments | None = None, *,
        start: Mapping[str, Value] | None = None, derivative: str | Sequence[str] = (), through_rounding: bool = False,
        tolerance: float = 1e-10, max_events: int = 1_000_000, escape: Value = math.inf, **unknown: NoReturn,
    ) -> Solution:  # fmt: skip
        """Computes the motion from the start, up to ``until`` (s; else as the model says).

        ``t_eval``: the times (s) of the samples, rising; without ``until`` the motion goes on to the last of them.
        Without ``t_eval`` there is a sample right after every event, one at the start and one at the end. ``start``
        replaces numbers of the start. ``derivative``: paths of numbers by which the motion and the times of its events
        are differentiated, exactly, across events. What a sampled controller reads through ``round`` or ``floor`` does
        not change between their steps, which cuts its feedback: for tuning, ``through_rounding`` passes them as if
        they were not there. A linear motion is closed form; of others ``tolerance`` is the
        relative error per step. ``max_events`` and ``escape`` (m or rad from the start) end a motion that goes on.

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1])
        >>> sol = model.simulate(start={"q1.x": 4}, t_eval=np.linspace(0, 10, 11))
        >>> sol.outcome, len(sol.events)
        ('at-rest', 2)
        >>> sol = model.simulate(3, [3], start={"q1.x": 4}, derivative=["q1.x"])
        >>> bool(np.isclose(sol.derivative["q1.x"]["q1.x"][0], np.cos(3)))
        True
        """
        if unknown:
            raise TypeError(f"simulate() takes no {next(iter(unknown))!r}: until= is the end (s), t_eval= are times of samples, "
                            "start= numbers of the start, max_events=, tolerance= and escape= its limits")  # fmt: skip
        paths = take_names(derivative, "derivative", "parameters.mu")
        if through_rounding and not paths:
            raise ModelError("through_rounding: goes with derivative=..", field="through_rounding")
        model, x, v = (self.with_(start) if start else self, None, None) if paths else self._start(start)
        end = take_time(until, "until")
        at = _moments(t_eval, end)
        if until is None and at is not None and len(at) and at[-1] > self.until:
            end = float(at[-1])
        how = Asked(end, x, v, take_number(tolerance, "tolerance"), take_count(max_events, "max_events", 1), take_far(escape))
        motion = _core.simulate(
            model._model, end, at, 0.0, at is None, False, x, v, how.tolerance, how.max_events, how.escape, paths,
            False, 0.0, 0.0, bool(through_rounding),
        )  # fmt: skip
        sol = Solution(model, motion, how, paths, at is not None)
        return cast(Solution, asked(sol, "simulate", {
            "until": until, "t_eval": at, "start": start, "derivative": paths,
            **({"through_rounding": True} if through_rounding else {}), "tolerance": tolerance,
            "max_events": max_events, "escape": escape if math.isfinite(how.escape) else None,
        }))  # fmt: skip

    def run(
        self, start: Mapping[str, Value] | None = None, *, tolerance: float = 1e-10, max_events: int = 1_000_000
    ) -> Run:
        """A run to hold: advance it, ask it, advance it again.

        >>> run = ss.load("models/block-on-floor.yaml").run(start={"block.x": 2})
        >>> run.advance(1.0), run.t
        ('time-reached', 1.0)
        >>> round(run["block.x"], 6)
        1.454567
        """
        model, x, v = self._start(start)
        relative, most = take_number(tolerance, "tolerance"), take_count(max_events, "max_events", 1)
        return Run(model, _core.run(model._model, relative, most, x, v), relative, most)

    # ---- what can be said without a motion, or of all of them

    def check(self) -> dict[str, Any]:
        """What can be said before it moves: matrices, frequencies, modes, warnings.

        >>> import slipstick as ss
        >>> ss.Model.matrices(M=[[1]], C=[[0]], K=[[4]], W=[[1]], friction=[1]).check()["kind"]
        'matrices'
        """
        return _core.check(self._model)

    def reduced(self) -> tuple[Floats, Floats, Floats, Floats]:
        """M, C, K and W in the independent coordinates.

        >>> import slipstick as ss
        >>> M, C, K, W = ss.Model.matrices(M=[[1]], C=[[0]], K=[[4]], W=[[1]], friction=[1]).reduced()
        >>> K
        array([[4.]])
        """
        n, m = len(self.coordinates), len(self.contacts)
        M, C, K, W = np.empty((n, n)), np.empty((n, n)), np.empty((n, n)), np.empty((n, m))  # noqa: N806
        self._model.matrices(M, C, K, W)
        return M, C, K, W

    def certify(self, at: Moments | None = None, *, vertices: bool = False) -> Certificate:
        """Must it come to rest, and from where?

        >>> import slipstick as ss
        >>> ss.Model.matrices(M=[[1]], C=[[0.1]], K=[[4]], W=[[1]], friction=[1]).certify().verdict
        'global'
        """
        from ._certificate import Certificate

        place = None if at is None else np.ascontiguousarray(at, dtype=float)
        certificate = Certificate(self, _core.certify(self._model, vertices, place))
        return cast("Certificate", asked(certificate, "certify", {"at": place, "vertices": vertices}))

    def cycle(
        self, near: Mapping[str, Value] | None = None, *, period: Value | None = None, until: Value | None = None,
        tolerance: float = 1e-12, max_events: int = 1_000_000, progress: Progress = None,
    ) -> Cycle:  # fmt: skip
        """A motion that repeats: the one this model's motion comes to, or the one ``near`` a state.

        >>> cycle = ss.load("models/block-on-floor.yaml").cycle(near={"block.x": 2.6})
        >>> cycle
        <Cycle of period 6.48925 s, unstable>
        >>> round(cycle.amplitude["block.x"], 6)
        2.599351
        """
        from ._cycle import Cycle
        from ._progress import progress_of

        question = dict(locals())
        model = self.with_(near) if near else self
        with progress_of(progress, "cycle") as tell:
            told = _core.cycle(
                model._model, take_time(period, "period", 1.0), take_time(until, "until"), near is not None,
                take_number(tolerance, "tolerance"), take_count(max_events, "max_events", 1), tell,
            )  # fmt: skip
        return cast("Cycle", asked(Cycle(model, *told), "cycle", _plain_arguments(question)))

    def follow(
        self, path: str, a: Value, b: Value, *, near: Mapping[str, Value] | None = None, steady: bool = False,
        period: Value | None = None, until: Value | None = None, tolerance: float = 1e-12,
        max_events: int = 1_000_000, max_points: int = 2000, progress: Progress = None,
    ) -> Branch:  # fmt: skip
        """Follows a cycle, stable or not, over one number of the model from a to b; with ``steady`` a steady state.

        The branch begins with the cycle that ``cycle`` finds at a, or with the one ``near`` a state, and goes on
        through folds and changes of the order of events until it leaves [a, b] or ends.

        >>> import slipstick as ss
        >>> model = ss.loads('''
        ... slipstick: 1
        ... title: a block on a belt
        ... parameters: {speed: 0.5 m/s}
        ... bodies: {block: {mass: 1 kg}, belt: {speed: speed}}
        ... connections: [{between: [block, ground], stiffness: 100 N/m, damping: 3 N*s/m}]
        ... contacts: {face: {between: [block, belt], law: curve, force: "1 N + 2 N * exp(-v / (0.1 m/s))"}}
        ... ''')
        >>> branch = model.follow("parameters.speed", 0.05, 0.5, steady=True)
        >>> [(s["kind"], round(s["value"], 9)) for s in branch.special]  # 0.1 ln(20/3)
        [('hopf', 0.189711998)]
        """
        from ._branch import branch_of

        question = dict(locals())
        found = branch_of(self, path, a, b, near, steady, period, until, tolerance, max_events, max_points, progress)
        return cast("Branch", asked(found, "follow", _plain_arguments(question)))

    def basin(
        self, over: Over, *, threads: int = 0,
        random: int = 0, seed: int = 0, until: Value | None = None, escape: Value | None = None,
        tolerance: float = 1e-10, max_events: int = 1_000_000, progress: Progress = None,
    ) -> Basin:  # fmt: skip
        """What becomes of every start on a grid, or of random ones.

        ``over`` maps paths to values (a list or an array) or to a range, a tuple (from, to, count) or
        (from, to, count, "log"); the first varies fastest. With ``random=N`` so many are drawn instead, from
        (from, to) or from ``ss.normal``, ``ss.lognormal`` and ``ss.uniform``; ``seed`` decides which. Numbers may be
        texts with units. The answer is the same, to the bit, for any number of ``threads`` (0: all cores).

        >>> import slipstick as ss
        >>> model = ss.Model.matrices(M=[[1]], C=[[-0.1]], K=[[1]], W=[[1]], friction=[1])
        >>> m = model.basin({"q1.x": (-20, 20, 5), "q1.v": (0, 0, 1)}, threads=1)
        >>> m.outcome.tolist()
        [['escaped', 'rest', 'rest', 'rest', 'escaped']]
        """
        from ._basin import basin_of

        question = dict(locals())
        found = basin_of(self, over, threads, random, seed, until, escape, tolerance, max_events, progress)
        return cast("Basin", asked(found, "basin", _plain_arguments(question)))

    def simulate_many(
        self, draws: pd.DataFrame | Mapping[str, ArrayLike], *, threads: int = 0, until: Value | None = None,
        escape: Value | None = None, tolerance: float = 1e-10, max_events: int = 1_000_000, progress: Progress = None,
    ) -> Basin:  # fmt: skip
        """One motion for every row of a table: a column per number of the model, by its path (SI).

        What comes back is as of ``basin``: outcome, time of rest and final places of every row, and ``quantiles``. A
        column may be one number for all rows; a tuple is refused, for it would be a range in ``basin``. The answer is
        the same, to the bit, for any number of ``threads``.

        >>> model = ss.load("models/block-on-floor.yaml")
        >>> rng = np.random.default_rng(1)
        >>> draws = {"contacts.floor.friction": rng.lognormal(0.0, 0.1, 200), "block.x": rng.normal(1.0, 0.1, 200)}
        >>> many = model.simulate_many(draws, threads=2)
        >>> many.outcome.shape, many.fraction
        ((200,), 1.0)
        >>> sorted(many.quantiles)
        ['block.x', 'level', 't']
        """
        from ._basin import many_of

        question = dict(locals())
        found = many_of(self, draws, threads, until, escape, tolerance, max_events, progress)
        return cast("Basin", asked(found, "simulate_many", _plain_arguments(question)))

    def scan(
        self, over: Over, *, show: str | Sequence[str] = (),
        measure: str | Sequence[str] = (), section: str | None = None, skip: int | None = None,
        keep: int | None = None, carry: str | None = None, threads: int = 0, until: Value | None = None,
        tolerance: float = 1e-10, max_events: int = 1_000_000, through_rounding: bool = False,
        progress: Progress = None,
    ) -> Scan:  # fmt: skip
        """Points at sections of the motion, or measures between them, over one or two numbers.

        ``over`` maps a path to values, a list or an array, or to a range, a tuple (from, to, count) or
        (from, to, count, "log").

        For each value the model runs, ``skip`` sections (100) are dropped, and of the next ``keep`` (50; 1 to
        measure over, with ``lyapunov`` 400) either the numbers ``show`` are kept, or ``measure`` tells one number each:
        ``amplitude:block.x``, ``mean:``, ``rms:``, ``max:``, ``min:``, ``harmonic:block.x:1`` (two columns: amplitude
        and phase), ``settling:block.x:0.01``, ``overshoot:block.x``, ``period``, ``return``, ``lyapunov``,
        ``dissipation``, ``stick-share:floor``. A ``section`` is ``"period"`` (of the inputs), a time (``"0.1 s"``),
        events (``"floor:slip+>stick"``, ``"stop:impact"``), or ``"run"``, the whole run in equal parts. Settling and
        overshoot alone are measured from the start to the end of the run. ``through_rounding``: ``lyapunov`` passes
        rounding as ``simulate`` does. ``carry="up"`` or ``"down"`` starts each value where the last one ended.

        >>> import slipstick as ss
        >>> model = ss.loads('''
        ... slipstick: 1
        ... title: A mass on a spring, driven
        ... parameters: {w: 2 rad/s}
        ... bodies: {block: {mass: 1 kg}}
        ... connections: [{between: [block, ground], stiffness: 1 N/m, damping: 1 N*s/m}]
        ... forces: [{body: block, force: "1 N * cos(w*t)"}]''')
        >>> scan = model.scan({"parameters.w": (2, 3, 2)}, measure="amplitude:block.x", skip=20, threads=1)
        >>> scan.columns
        ['parameters.w', 'amplitude:block.x']
        >>> [round(float(a), 6) for a in scan["amplitude:block.x"]]  # 1/hypot(1 - w^2, w)
        [0.27735, 0.117041]
        """
        from ._scan import scan_of

        question = dict(locals())
        found = scan_of(self, over, show, measure, section, skip, keep, carry, threads, until, tolerance, max_events,
                       through_rounding, progress)  # fmt: skip
        return cast("Scan", asked(found, "scan", _plain_arguments(question)))

    def fit(
        self, recordings: Recording | list[Recording], columns: Mapping[str, str], free: str | Sequence[FreeNumber],
        *, free_each: Sequence[FreeNumber] = (), each: Mapping[str, Sequence[Value]] | None = None,
        time: str | None = None, sigma: Value | Mapping[str, Value] | None = None, delay: Value = 0.0,
        quiet: Value = 0.0, window: tuple[Value, Value] = (-math.inf, math.inf), starts: int = 1, seed: int = 1, loss: str = "squares",
        versus: Model | Sequence[Model] = (), tolerance: float = 1e-10, max_events: int = 1_000_000,
        progress: Progress = None,
    ) -> Fit:  # fmt: skip
        """Finds the numbers with which this model's motion shows what was recorded.

        A recording is a file (CSV with a header, below which a row of units may stand: ``ms,mm``), a DataFrame or
        a dict of columns (the time is its index, or its
        first column where the index is but the numbers of the rows), a Series over the time, or ``(t, values)`` with
        a column per trace; ``columns`` says which of the model's numbers each column shows (``inputs.NAME``: the
        column drives this input), ``free`` which numbers are to be found: a path, or (path, least, most). With
        several recordings (a list),
        ``free_each`` are found for each of them, and ``each``
        gives known numbers that differ, a value per recording. ``time`` names the column of the times, ``sigma`` is the
        noise, of all columns or by column; ``delay`` (s) is that of the sensor's clock (``clock.delay``, its first
        guess where that is free), ``quiet`` the s around events that are left out,
        ``window`` from when to when samples count; ``starts`` guesses are tried, drawn by ``seed``.
        ``loss="huber"``: a few samples that are far off do not pull. ``versus``: other models for the same
        recordings, each with those of the free numbers that it has; the best by ``aic`` is returned, and
        ``ranking`` has them all.

        >>> import slipstick as ss
        >>> model = ss.Model({
        ...     "bodies": {"block": {"mass": 1}},
        ...     "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": 1}},
        ...     "start": {"block": {"v": 3}},
        ... })
        >>> t = np.linspace(0, 1, 50)
        >>> fit = model.fit((t, 3 * t - 0.25 * t**2), {"block.x": "1"}, ["contacts.floor.friction"])
        >>> round(fit.values["contacts.floor.friction"], 6)
        0.5
        """
        from ._fit import fit_of

        question = dict(locals())
        found = fit_of(
            self, recordings, columns, free, free_each=free_each, each=each, time=time, sigma=sigma, delay=delay,
            quiet=quiet, window=window, starts=starts, seed=seed, loss=loss, versus=versus, tolerance=tolerance,
            max_events=max_events, progress=progress,
        )  # fmt: skip
        return cast("Fit", asked(found, "fit", _plain_arguments(question)))

    def picture(
        self, what: str = "certificate", *, format: str = "svg", theme: str = "print", width: float = 0.0,  # noqa: A002
        height: float = 0.0,
    ) -> Picture:  # fmt: skip
        """The equilibrium set and the certified region (``"certificate"``), or the limit surface of a slider
        (``"surface"``) and its sphere of motions (``"sphere"``), as the command line draws them.

        >>> import slipstick as ss
        >>> ss.Model.matrices(M=[[1]], C=[[-0.1]], K=[[1]], W=[[1]], friction=[1]).picture()
        <Picture svg of "matrices": certificate>
        """
        from ._picture import picture_of_model

        return picture_of_model(self, what, (format, theme, width, height))

    # ---- sliders

    def load(self, motion: Sequence[float], angle: float | None = None) -> Floats:
        """The load (Fx, Fy, M) on the ground while the slider moves as ``motion`` (vx, vy, spin), body frame.

        ``angle`` (rad): of the body on a floor that differs along and across; that of the start unless given.

        >>> disk = ss.load("models/disk.yaml")
        >>> disk.load((1.0, 0.0, 0.0)).round(9)
        array([1., 0., 0.])
        """
        return np.array(_core.load(self._model, _angle(angle), _three(motion, "motion"))["load"])

    def first_motion(self, applied: Sequence[float], angle: float | None = None) -> dict[str, Any]:
        """What an applied load (Fx, Fy, M) does to the slider at rest.

        >>> disk = ss.load("models/disk.yaml")
        >>> disk.first_motion((0.5, 0.0, 0.0))["acceleration"]
        [0.0, 0.0, 0.0]
        """
        return _core.first_motion(self._model, _angle(angle), _three(applied, "applied"))

    def push(
        self,
        at: Sequence[float],
        normal: Sequence[float],
        mu: float,
        velocity: Sequence[float],
        angle: float | None = None,
    ) -> dict[str, Any]:
        """What a finger does that pushes slowly at a place (body frame): mode, motion, force, motion cone.

        ``normal`` points into the slider, ``velocity`` is that of the finger.

        >>> disk = ss.load("models/disk.yaml")
        >>> disk.push((-1.0, 0.0), (1.0, 0.0), 0.5, (0.1, 0.0))["mode"]
        'stick'
        """
        place, into, speed = ((float(p[0]), float(p[1])) for p in (at, normal, velocity))
        return _core.push(self._model, _angle(angle), place, into, float(mu), speed)

    def eigen_directions(
        self, angle: float | None = None, *, shares: bool = False, progress: Progress = None
    ) -> dict[str, Any]:
        """The ways in which the slider can come to rest.

        >>> disk = ss.load("models/disk.yaml")
        >>> found = disk.eigen_directions()
        >>> sorted({one["stability"] for one in found["eigen_directions"]})
        ['stable', 'unstable']
        """
        from ._progress import progress_of

        with progress_of(progress, "eigen-directions") as tell:
            return _core.eigen(self._model, _angle(angle), shares, tell)

    def surface(self, n: int = 40, angle: float | None = None) -> tuple[Floats, Floats, NDArray[np.intc]]:
        """The limit surface as triangles: loads (N, N, N*m), unit motions, and three vertices per triangle.

        >>> disk = ss.load("models/disk.yaml")
        >>> loads, motions, triangles = disk.surface(n=4)
        >>> loads.shape, motions.shape, triangles.shape
        ((66, 3), (66, 3), (128, 3))
        """
        loads, motions, triangles = _core.surface(self._model, _angle(angle), int(n), None)
        return (
            np.frombuffer(loads).reshape(-1, 3),
            np.frombuffer(motions).reshape(-1, 3),
            np.frombuffer(triangles, dtype=np.intc).reshape(-1, 3),
        )

    def batch(
        self, starts: ArrayLike, *, until: Value = math.inf, tolerance: float = 1e-10, threads: int = 0,
        progress: Progress = None,
    ) -> Floats:  # fmt: skip
        """Many motions of a slider, (N, 6) to (N, 6): x, y, angle, vx, vy, spin at start and end.

        >>> disk = ss.load("models/disk.yaml")
        >>> ends = disk.batch([[0, 0, 0, 1.0, 0, 0], [0, 0, 0, 1.0, 0, 2.0]])
        >>> ends[:, 0].round(6)
        array([0.5     , 1.306624])
        """
        found = self.slide_many(starts, until=until, tolerance=tolerance, threads=threads, progress=progress)
        return np.hstack([found.places, found.speeds])

    def slide_many(
        self, starts: ArrayLike, *, until: Value | None = None, escape: Value = math.inf, tolerance: float = 1e-10,
        max_events: int = 1_000_000, threads: int = 0, progress: Progress = None,
    ) -> Slides:  # fmt: skip
        """Many motions of a slider from (N, 6) starts, x, y, angle, vx, vy, spin, over threads (0: all cores): where
        and when each ends, and from which motion it came to rest. The answer is the same for any number of threads.

        >>> disk = ss.load("models/disk.yaml")
        >>> found = disk.slide_many([[0, 0, 0, 1.0, 0, 0], [0, 0, 0, 1.0, 0, 2.0]])
        >>> found.outcome.tolist(), found.t.round(6).tolist()
        (['rest', 'rest'], [1.0, 2.438317])
        >>> found.final_motions[0].tolist(), found.places.shape
        ([1.0, 0.0, 0.0], (2, 3))
        """
        from ._slides import slides_of

        return slides_of(self, starts, until, escape, tolerance, max_events, threads, progress)


def _remake(source: str | dict[str, Any], name: str, set: dict[str, str]) -> Model:  # noqa: A002
    return Model(source, name=name, set=set)
