# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Pictures with matplotlib, which is imported only here."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._basin import Basin
    from ._scan import Scan
    from ._solution import Solution

_STICK = "0.88"
_FATE_COLOURS = ["#4477aa", "#ee6677", "#ccbb44"]


def _shade_sticking(axes: Any, sol: Solution) -> None:
    """Grey where every contact that can stick does."""
    held = [np.isin(mode, ("stick", "closed")) for mode in sol.mode.values() if "stick" in mode]
    if not held or len(sol.t) < 2:
        return
    limits = axes.get_ylim()  # the shade is in shares of the height, not in the unit of the axis
    axes.fill_between(
        sol.t, 0, 1, where=np.logical_and.reduce(held), step="post", color=_STICK, lw=0,
        transform=axes.get_xaxis_transform(), label="stick",
    )  # fmt: skip
    axes.set_ylim(limits)


def _plot_time(sol: Solution, figure: Figure) -> None:
    groups = [("place", [n for n in sol.names if not n.endswith(".v") and n not in ("vx", "vy", "spin")]),
              ("speed", [n for n in sol.names if n.endswith(".v") or n in ("vx", "vy", "spin")])]  # fmt: skip
    axes = figure.subplots(3 if sol.force else 2, 1, sharex=True)
    for ax, (what, names) in zip(axes, groups):
        for name in names:
            ax.plot(sol.t, sol[name], label=f"{name} [{sol.units[sol.names.index(name)]}]")
        ax.set_ylabel(what)
        _shade_sticking(ax, sol)
        ax.legend(fontsize="small", frameon=False)
    if sol.force:
        for name, force in sol.force.items():
            axes[2].plot(sol.t, force, label=name)
        axes[2].set_ylabel("force [N]")
        _shade_sticking(axes[2], sol)
        axes[2].legend(fontsize="small", frameon=False)
    axes[-1].set_xlabel("t [s]")


def _plot_phase(sol: Solution, figure: Figure) -> None:
    pairs = [(n, n[:-2] + ".v") for n in sol.names if n.endswith(".x")] or [("x", "y")]
    pairs = [(x, v) for x, v in pairs if np.ptp(sol[v]) > 0] or pairs  # a belt at constant speed shows nothing
    axes = np.atleast_1d(figure.subplots(1, len(pairs)))
    for ax, (x, v) in zip(axes, pairs):
        ax.plot(sol[x], sol[v])
        ax.plot(sol[x][-1:], sol[v][-1:], "o", ms=4)
        ax.set_xlabel(f"{x} [{sol.units[sol.names.index(x)]}]")
        ax.set_ylabel(f"{v} [{sol.units[sol.names.index(v)]}]")


def _plot_loop(sol: Solution, figure: Figure) -> None:
    first = next(n for n in sol.names if n.endswith(".x") or n == "x")
    axes = figure.subplots()
    for name, force in sol.force.items():
        axes.plot(sol[first], force, label=name)
    axes.set_xlabel(f"{first} [{sol.units[sol.names.index(first)]}]")
    axes.set_ylabel("force [N]")
    axes.legend(fontsize="small", frameon=False)


_KINDS = {"time": _plot_time, "phase": _plot_phase, "loop": _plot_loop}


def plot_solution(sol: Solution, kind: str, figure: Figure | None = None) -> Figure:
    """Draws a motion."""
    import matplotlib.pyplot as plt

    if kind not in _KINDS:
        raise ValueError(f"{kind!r} is none of {', '.join(_KINDS)}")
    figure = figure or plt.figure(layout="constrained")
    _KINDS[kind](sol, figure)
    if sol.title:
        figure.suptitle(sol.title)
    return figure


def plot_basin(basin: Basin, figure: Figure | None = None) -> Figure:
    """Draws a map over two axes: colour by outcome, darker where rest comes later."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    if basin.fate.ndim != 2:
        raise ValueError("a picture needs a map over two axes")
    figure = figure or plt.figure(layout="constrained")
    axes = figure.subplots()
    (x, xs), (y, ys) = basin.axes.items()
    box = (xs[0], xs[-1], ys[0], ys[-1])
    axes.imshow(basin.fate, origin="lower", extent=box, aspect="auto", cmap=ListedColormap(_FATE_COLOURS), vmin=0,
                vmax=2, interpolation="nearest")  # fmt: skip
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    told = [Patch(color=c, label=f"{n}: {k}") for c, (n, k) in zip(_FATE_COLOURS, basin.counts.items()) if k]
    axes.legend(handles=told, fontsize="small")
    return figure


def plot_scan(scan: Scan, figure: Figure | None = None) -> Figure:
    """Draws a scan: points or lines over one number, colours over two."""
    import matplotlib.pyplot as plt

    figure = figure or plt.figure(layout="constrained")
    wanted = scan.columns[len(scan.axes) :]
    measured = len(scan.rows) == len(np.unique(scan.rows[:, : len(scan.axes)], axis=0))
    for axes, name in zip(np.atleast_1d(figure.subplots(len(wanted), 1, sharex=True)), wanted):
        if len(scan.axes) == 2:
            if not measured:
                raise ValueError("points over two numbers have no picture; measure them, or vary one")
            x, y = (np.unique(scan[path]) for path in scan.axes)
            order = np.lexsort((scan[scan.axes[0]], scan[scan.axes[1]]))
            mesh = axes.pcolormesh(x, y, scan[name][order].reshape(len(y), len(x)), shading="nearest")
            figure.colorbar(mesh, ax=axes, label=name)
            axes.set_ylabel(scan.axes[1])
        else:
            style = {} if measured else {"ls": "", "marker": ",", "color": "black"}
            axes.plot(scan[scan.axes[0]], scan[name], **style)
            axes.set_ylabel(name)
        axes.set_xlabel(scan.axes[0])
    return figure
