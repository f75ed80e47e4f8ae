# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Friction laws alone, as in a real-time loop: speeds in, forces out."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._typing import Floats
from .errors import ModelError

_Level = Union[str, Sequence[Sequence[float]], Floats]


class _Law:
    """A law with its state; ``step`` advances it."""

    _law: _core.Law

    @overload
    def step(self, v: float, dt: float = 0.0) -> float: ...
    @overload
    def step(self, v: Sequence[float] | NDArray[Any], dt: float = 0.0) -> Floats: ...
    def step(self, v: float | Sequence[float] | NDArray[Any], dt: float = 0.0) -> float | Floats:
        """Advances by ``dt`` (s) at the constant speed ``v`` (m/s) and returns the force on A (N).

        With an array, one step after the other, and a force for each.

        >>> law = ss.Dahl(sigma0=1e3, coulomb=1.0)
        >>> law.step(0.001, 0.5).__round__(6)
        -0.393469
        >>> law.step(np.array([0.001, 0.1]), 0.5).round(6)
        array([-0.632121, -1.      ])
        """
        if not dt >= 0.0:
            raise ModelError(f"dt: must be at least 0, not {dt}", field="dt")
        if isinstance(v, (float, int)) or np.ndim(v) == 0:
            return self._law.step(float(v), float(dt))  # type: ignore[arg-type]
        speeds = np.ascontiguousarray(v, dtype=float)
        forces = np.empty_like(speeds)
        self._law.step_many(speeds, float(dt), forces)
        return forces


class _SetValued(_Law):
    """A law whose force at rest is whatever holds."""

    @property
    def holding(self) -> float:
        """N: the force that would hold it at v = 0; at rest the law answers with the nearest it can give.

        >>> law = ss.Coulomb(2.0)
        >>> law.holding = 5.0
        >>> law.step(0.0)
        2.0
        """
        return self._law.holding

    @holding.setter
    def holding(self, force: float) -> None:
        self._law.holding = force


class Coulomb(_SetValued):
    """Dry friction of a constant level.

    >>> import slipstick as ss
    >>> law = ss.Coulomb(friction=2.0, static=3.0)
    >>> law.step(0.1, 0.0), law.step(-0.1, 0.0)
    (-2.0, 2.0)
    >>> law.holding = 2.5
    >>> law.step(0.0, 0.0)
    2.5
    """

    def __init__(
        self, friction: float, static: float | None = None, *, backward: float | None = None,
        static_backward: float | None = None,
    ) -> None:  # fmt: skip
        back = friction if backward is None else backward
        rest = friction if static is None else static
        rest_back = (back if static is None else static) if static_backward is None else static_backward
        self._law = _core.coulomb(friction, back, rest, rest_back)


class Stribeck(_SetValued):
    """Friction that falls with speed.

    >>> import slipstick as ss
    >>> ss.Stribeck(coulomb=1.0, static=1.5, stribeck_speed=0.01).step(1.0, 0.0)
    -1.0
    """

    def __init__(
        self, coulomb: float, static: float, stribeck_speed: float, shape: float = 2.0, viscous: float = 0.0
    ) -> None:
        self._law = _core.stribeck(coulomb, static, stribeck_speed, shape, viscous)


class _Bristle(_Law):
    """A law with one deflection."""

    @property
    def z(self) -> float:
        """m: mean deflection of the bristles.

        >>> law = ss.LuGre(sigma0=1e3, coulomb=1.0)
        >>> law.z = 0.5e-3
        >>> law.step(0.0)
        -0.5
        """
        return self._law.z

    @z.setter
    def z(self, value: float) -> None:
        self._law.z = value


def _falling(coulomb: float, static: float | None, stribeck_speed: float) -> tuple[float, float]:
    """The level at rest, and the speed at which it falls, which matters only where it does."""
    rest = coulomb if static is None else static
    return rest, 1.0 if math.isinf(stribeck_speed) and rest == coulomb else stribeck_speed


class LuGre(_Bristle):
    """LuGre's bristles; each step is exact at constant speed.

    >>> import slipstick as ss
    >>> law = ss.LuGre(sigma0=1e5, sigma1=300, sigma2=0.4, coulomb=1.0)
    >>> round(law.step(0.1, 1.0), 12)  # steady sliding: -(coulomb + sigma2 v)
    -1.04
    >>> law.step(np.array([0.0, 0.0]), 1.0).shape
    (2,)
    """

    def __init__(
        self, sigma0: float, sigma1: float = 0.0, sigma2: float = 0.0, coulomb: float = math.nan,
        static: float | None = None, stribeck_speed: float = math.inf, shape: float = 2.0,
    ) -> None:  # fmt: skip
        rest, speed = _falling(coulomb, static, stribeck_speed)
        self._law = _core.lugre(sigma0, sigma1, sigma2, coulomb, rest, speed, shape)


class Dahl(_Bristle):
    """Dahl's bristles; each step is exact at constant speed.

    >>> import slipstick as ss
    >>> round(ss.Dahl(sigma0=1e5, coulomb=1.0).step(0.1, 1.0), 12)
    -1.0
    """

    def __init__(self, sigma0: float, coulomb: float, shape: float = 1.0) -> None:
        self._law = _core.dahl(sigma0, coulomb, shape)


class ElastoPlastic(_Bristle):
    """Dupont's bristles: springs below the breakaway deflection, LuGre in full sliding.

    >>> import slipstick as ss
    >>> law = ss.ElastoPlastic(sigma0=1e5, coulomb=1.0, breakaway=5e-6)
    >>> round(law.step(1e-6, 1.0), 12), law.step(-1e-6, 1.0)  # below the breakaway nothing is lost
    (-0.1, 0.0)
    >>> round(law.step(0.1, 1.0), 12)
    -1.0
    """

    def __init__(
        self, sigma0: float, sigma1: float = 0.0, sigma2: float = 0.0, coulomb: float = math.nan,
        static: float | None = None, stribeck_speed: float = math.inf, shape: float = 2.0, *, breakaway: float,
    ) -> None:  # fmt: skip
        rest, speed = _falling(coulomb, static, stribeck_speed)
        self._law = _core.elasto_plastic(sigma0, sigma1, sigma2, coulomb, rest, speed, shape, breakaway)


class BoucWen(_Bristle):
    """Bouc-Wen hysteresis: a spring that tends to ``level`` (N) on the scale of ``level/stiffness``.

    >>> import slipstick as ss
    >>> law = ss.BoucWen(stiffness=100.0, level=2.0)
    >>> round(law.step(0.02, 1.0), 12)  # -level (1 - 1/e) after level/stiffness
    -1.264241117657
    """

    def __init__(
        self, stiffness: float, level: float, beta: float = 0.5, gamma: float = 0.5, exponent: float = 1.0
    ) -> None:
        self._law = _core.numbers("bouc-wen", (stiffness, level, beta, gamma, exponent))


class RateAndState(_Bristle):
    """Rate-and-state friction with ageing; its ``z`` is the age theta (s), which starts at ``Dc/V0``.

    >>> import slipstick as ss
    >>> law = ss.RateAndState(a=0.1, b=0.15, Dc=1e-3, mu0=0.6, V0=1e-3, normal=10.0)
    >>> round(law.step(1e-3, 1.0), 3), round(law.z, 12)  # steady sliding at V0: about -mu0 normal
    (-6.0, 1.0)
    >>> law.step(0.0, 9.0), round(law.z, 12)  # at rest it ages by a second per second
    (-0.0, 10.0)
    """

    def __init__(self, a: float, b: float, Dc: float, mu0: float, V0: float, normal: float) -> None:
        self._law = _core.numbers("rate-and-state", (a, b, Dc, mu0, V0, normal))


def _pairs(
    elements: Sequence[Sequence[float]] | Floats, second: str, first: str = "stiffness (N/m)"
) -> tuple[Floats, Floats]:
    """The two columns of a list of pairs."""
    pairs = np.ascontiguousarray(elements, dtype=float)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"expected are pairs of a {first} and {second}")
    return pairs[:, 0].copy(), pairs[:, 1].copy()


class GMS(_Law):
    """Generalised Maxwell-slip: springs in parallel, each of which slips at its share of the Stribeck curve and
    then follows it at the rate ``attraction`` (N/s).

    >>> import slipstick as ss
    >>> law = ss.GMS([[100.0, 0.5], [10.0, 0.5]], coulomb=2.0, attraction=20.0)  # N/m, share
    >>> law.step(0.001, 1.0)
    -0.11
    >>> law.step(1.0, 10.0)
    -2.0
    """

    def __init__(
        self, elements: Sequence[Sequence[float]] | Floats, coulomb: float, attraction: float,
        static: float | None = None, stribeck_speed: float = math.inf, shape: float = 2.0, viscous: float = 0.0,
    ) -> None:  # fmt: skip
        rest, speed = _falling(coulomb, static, stribeck_speed)
        self._law = _core.gms(*_pairs(elements, "a share"), coulomb, rest, speed, shape, attraction, viscous)


class MaxwellSlip(_Law):
    """Springs in parallel, each of which slips at its breakaway force.

    >>> import slipstick as ss
    >>> law = ss.MaxwellSlip([[100.0, 1.0], [10.0, 1.0]])  # N/m, N
    >>> law.step(0.001, 1.0)
    -0.11
    """

    def __init__(self, elements: Sequence[Sequence[float]] | Floats, saturation: float = 0.0) -> None:
        self._law = _core.maxwell_slip(*_pairs(elements, "a breakaway force (N)"), saturation)


class Jenkins(MaxwellSlip):
    """A spring in series with a slider: one element of Maxwell-slip.

    >>> import slipstick as ss
    >>> law = ss.Jenkins(stiffness=100.0, breakaway=1.0)  # N/m, N
    >>> law.step(0.001, 1.0), law.step(1.0, 1.0)
    (-0.1, -1.0)
    """

    def __init__(self, stiffness: float, breakaway: float, saturation: float = 0.0) -> None:
        super().__init__([[stiffness, breakaway]], saturation)


def _curve(given: _Level) -> str | Floats:
    """An expression, or the speeds of a table and then its forces."""
    return given if isinstance(given, str) else np.concatenate(_pairs(given, "a force (N)", "speed (m/s)"))


class Curve(_SetValued):
    """A measured curve: pairs of a speed (m/s, from 0 on) and a force (N), straight between them and constant after
    the last, or an expression in the speed ``v``, with units; one, or one for each direction.

    >>> import slipstick as ss
    >>> law = ss.Curve([[0.0, 3.0], [0.1, 2.0], [1.0, 2.5]], static=4.0)
    >>> law.step(0.05), law.step(-5.0)
    (-2.5, 2.5)
    >>> law.holding = -10.0
    >>> law.step(0.0)
    -4.0
    >>> ss.Curve("1 N + 2 N * exp(-v / (0.1 m/s))").step(0.1) == -(1 + 2 * np.exp(-1))
    True
    """

    def __init__(
        self, force: _Level | Mapping[str, _Level], static: float | Mapping[str, float] | None = None
    ) -> None:
        forward, backward = (force["forward"], force["backward"]) if isinstance(force, Mapping) else (force, force)
        hold = (static["forward"], static["backward"]) if isinstance(static, Mapping) else (static, static)
        held, held_backward = (math.nan if level is None else level for level in hold)
        self._law = _core.curve(_curve(forward), _curve(backward), held, held_backward)


class _Stop(_Law):
    """A stop at a place x that ``step`` moves."""

    @property
    def x(self) -> float:
        """m: where it is.

        >>> stop = ss.HuntCrossley(above=0.0, stiffness=1e3)
        >>> stop.x = 0.002
        >>> stop.step(0.0)
        -2.0
        """
        return self._law.z

    @x.setter
    def x(self, value: float) -> None:
        self._law.z = value


def _side(above: float | None, below: float | None) -> tuple[float, int]:
    """Where a stop is, and on which side."""
    if (above is None) == (below is None):
        raise TypeError("a stop is above or below a position")
    return (above, 1) if above is not None else (below, -1)  # type: ignore[return-value]


class HuntCrossley(_Stop):
    """An elastic stop that loses energy, at a place x that ``step`` moves.

    >>> import slipstick as ss
    >>> ss.HuntCrossley(above=0.0, stiffness=1e3).step(0.001, 1.0)
    -1.0
    """

    def __init__(
        self, *, above: float | None = None, below: float | None = None, stiffness: float,
        exponent: float = 1.0, alpha: float = 0.0, x: float = 0.0,
    ) -> None:  # fmt: skip
        self._law = _core.hunt_crossley(*_side(above, below), stiffness, exponent, alpha)
        self._law.z = x


class ElasticStop(_Stop):
    """A spring with a damper beside it, which never pulls; ``limited`` keeps the damper's part within the spring's.

    >>> import slipstick as ss
    >>> ss.ElasticStop(above=0.0, stiffness=1e3, damping=500.0).step(0.001, 1.0)
    -1.5
    >>> ss.ElasticStop(above=0.0, stiffness=1e3, damping=5000.0, limited=True).step(0.001, 1.0)
    -2.0
    """

    def __init__(
        self, *, above: float | None = None, below: float | None = None, stiffness: float,
        exponent: float = 1.0, damping: float = 0.0, limited: bool = False, x: float = 0.0,
    ) -> None:  # fmt: skip
        self._law = _core.elastic_stop(*_side(above, below), stiffness, exponent, damping, limited)
        self._law.z = x
