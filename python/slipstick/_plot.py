# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Pictures with matplotlib, which is imported only here."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._typing import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._basin import Basin
    from ._fit import Fit
    from ._scan import Scan
    from ._solution import Solution

_STICK = "0.88"
_FATE_COLOURS = ["#4477aa", "#ee6677", "#ccbb44"]


def figure_of(options: dict[str, Any], size: tuple[float, float] | None = None) -> Figure:
    """The ``figure`` that is given, or a new one of matplotlib, whose own options are the others (``figsize=(8, 4)``,
    ``dpi=150``).
    """
    import matplotlib.pyplot as plt

    if "ax" in options:
        raise TypeError("plot() lays out axes of its own: it takes figure=, a figure or a subfigure, not ax=")
    figure: Figure | None = options.pop("figure", None)
    if figure is not None:
        if options:
            raise TypeError(f"plot(): {', '.join(options)} is of a new figure; the one that is given has its own")
        return figure
    try:
        return plt.figure(**{"layout": "constrained", "figsize": size, **options})
    except (AttributeError, TypeError):
        if not options:
            raise
        raise TypeError(f"plot(): {', '.join(options)} is no option of a figure (figsize=, dpi=); lines are changed "
                        "afterwards: figure.axes[0].lines[0].set_color(\"red\")") from None  # fmt: skip


class _Lines:
    """A motion as lines: at the moments that make them smooth, whatever samples the solution has."""

    def __init__(self, sol: Solution) -> None:
        self.sol = sol._drawn()
        self._joined = self.sol._look("joined").astype(bool)
        self._gaps = np.flatnonzero(~self._joined[1:]) + 1  # a long motion is not kept whole
        late = sol.t[-1] if sol._sampled and len(sol.t) > 1 else -np.inf
        self._tail = [float(late)] if sol.outcome == "at-rest" and late > self.sol.t[-1] else []  # it rests on

    def line(self, row: Floats) -> Floats:
        """One number of the motion, broken where something is left out."""
        return np.insert(np.append(row, row[-1:].repeat(len(self._tail))), self._gaps, np.nan)

    @property
    def t(self) -> Floats:
        """The times that go with them."""
        return np.insert(np.append(self.sol.t, self._tail), self._gaps, np.nan)

    def sticking(self) -> tuple[Floats, NDArray[np.bool_]] | None:
        """Times, and whether every contact that can stick does then; what is left out counts as not."""
        held = [np.isin(mode, ("stick", "closed")) for mode in self.sol.mode.values() if "stick" in mode]
        if not held or len(self.sol.t) < 2:
            return None
        now = np.logical_and.reduce(held)
        now = np.append(now, now[-1:].repeat(len(self._tail)))
        t = np.append(self.sol.t, self._tail)
        return np.insert(t, self._gaps, t[self._gaps]), np.insert(now, self._gaps, False)


def _shade_sticking(axes: Any, lines: _Lines) -> None:
    """Grey where every contact that can stick does."""
    shown = lines.sticking()
    if shown is None:
        return
    limits = axes.get_ylim()  # the shade is in shares of the height, not in the unit of the axis
    axes.fill_between(
        shown[0], 0, 1, where=shown[1], step="post", color=_STICK, lw=0, transform=axes.get_xaxis_transform(),
        label="stick",
    )  # fmt: skip
    axes.set_ylim(limits)


def _tell(axes: Any) -> None:
    """The legend beside the axes, where it hides nothing."""
    axes.legend(fontsize="small", frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))


def _draw_traces(axes: Any, lines: _Lines, label: str, traces: dict[str, Any]) -> None:
    """Some traces of one unit over time."""
    for name, row in traces.items():
        axes.plot(lines.t, lines.line(row), lw=1.2, label=name)
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
    _shade_sticking(axes, lines)
    _tell(axes)


def _pairs(sol: Solution) -> list[tuple[str, str]]:
    """Every place with its speed: of bodies and sliders, in the plane or not."""
    model = sol.model
    return [("x", "vx"), ("y", "vy"), ("angle", "spin")] if model.is_slider else list(zip(model._places, model._speeds))


def _plot_time(lines: _Lines, figure: Figure) -> None:
    """Places, speeds and forces, each unit on axes of its own."""
    sol, unit = lines.sol, lines.sol._unit
    pairs = _pairs(sol)
    told = [(what, name, sol[name], unit[name]) for what, names in zip(("place", "speed"), zip(*pairs)) for name in names]
    told += [("force", name, row, unit[f"{name}.force"]) for name, row in sol.force.items()]
    panels: dict[tuple[str, str], dict[str, Any]] = {}
    for what, name, row, of in told:
        panels.setdefault((what, of), {})[name] = row
    axes = np.atleast_1d(figure.subplots(len(panels), 1, sharex=True))
    for ax, ((what, of), traces) in zip(axes, panels.items()):
        _draw_traces(ax, lines, with_unit(what, of), traces)
    axes[-1].set_xlabel("t [s]")


def _plot_phase(lines: _Lines, figure: Figure) -> None:
    sol = lines.sol
    pairs = [("x", "y")] if sol.model.is_slider else _pairs(sol)
    pairs = [(x, v) for x, v in pairs if np.ptp(sol[v]) > 0] or pairs  # a belt at constant speed shows nothing
    wide = int(np.ceil(np.sqrt(len(pairs)))) if len(pairs) > 3 else len(pairs)
    axes = np.ravel(figure.subplots(-(-len(pairs) // wide), wide, squeeze=False))
    for spare in axes[len(pairs) :]:
        spare.remove()
    for ax, (x, v) in zip(axes, pairs):
        ax.plot(lines.line(sol[x]), lines.line(sol[v]), lw=1.2)
        ax.plot(sol[x][:1], sol[v][:1], "o", ms=5, mfc="none", color="C1", label="start")
        ax.plot(sol[x][-1:], sol[v][-1:], "o", ms=5, color="C1", label="end")
        ax.set_xlabel(f"{x} [{sol._unit[x]}]")
        ax.set_ylabel(f"{v} [{sol._unit[v]}]")
        ax.grid(alpha=0.3)
    axes[0].legend(fontsize="small", frameon=False)


def _plot_loop(lines: _Lines, figure: Figure) -> None:
    sol = lines.sol
    if not sol.displacement:
        raise ValueError("a loop is the force of a contact over its displacement, and there is no contact of bodies")
    groups: dict[tuple[str, str], list[str]] = {}
    for name in sol.displacement:
        force = sol._unit[f"{name}.force"]
        groups.setdefault(("rad" if force == "N*m" else "m", force), []).append(name)
    for ax, ((way, force), names) in zip(np.atleast_1d(figure.subplots(1, len(groups))), groups.items()):
        for name in names:
            ax.plot(lines.line(sol.displacement[name]), -lines.line(sol.force[name]), lw=1.2, label=name)
        ax.set_xlabel(f"displacement [{way}]")
        ax.set_ylabel(f"resisting force [{force}]")
        ax.grid(alpha=0.3)
        ax.legend(fontsize="small", frameon=False)


_KINDS = {"time": _plot_time, "phase": _plot_phase, "loop": _plot_loop}
_SIZES = {"time": (9.0, 5.5), "phase": (8.0, 4.5), "loop": (7.0, 4.5)}


def plot_solution(sol: Solution, kind: str, options: dict[str, Any]) -> Figure:
    """Draws a motion."""
    if kind not in _KINDS:
        raise ValueError(f"{kind!r} is none of {', '.join(_KINDS)}")
    figure = figure_of(options, _SIZES[kind])
    _KINDS[kind](_Lines(sol), figure)
    if sol.title:
        figure.suptitle(sol.title)
    return figure


def _paint(basin: Basin) -> Any:
    """A colour for each start: by outcome, and the darker the later rest comes."""
    from matplotlib.colors import to_rgb

    picture = np.array([to_rgb(colour) for colour in _FATE_COLOURS])[basin.fate]
    t = basin.t_rest
    known = np.isfinite(t)
    if known.any() and np.ptp(t[known]) > 0:
        rank = np.zeros(t.shape)
        rank[known] = np.searchsorted(np.sort(t[known]), t[known]) / known.sum()
        picture = picture * (1.0 - 0.55 * rank[..., None])
    return picture


def with_unit(name: str, unit: str) -> str:
    """What stands at an axis."""
    return f"{name} [{unit}]" if unit not in ("", "1") else name


def _label(basin: Basin, path: str) -> str:
    return with_unit(path, basin.model._unit(path))


def _is_even(values: Floats) -> bool:
    steps = np.diff(values)
    return bool(len(values) < 3 or np.ptp(steps) <= 1e-9 * np.abs(steps).max())


def _legend_of_fates(axes: Any, basin: Basin, title: str | None) -> None:
    from matplotlib.patches import Patch

    told = [Patch(color=c, label=f"{n}: {k}") for c, (n, k) in zip(_FATE_COLOURS, basin.counts.items()) if k]
    axes.legend(handles=told, fontsize="small", title=title, title_fontsize="small")


def _basin_cells(basin: Basin, figure: Figure) -> None:
    """A grid of even steps as an image."""
    axes = figure.subplots()
    ends = []
    for values in basin.axes.values():  # cells, with the starts in their middles
        half = 0.5 * (values[1] - values[0]) if len(values) > 1 else 0.5
        ends += [values[0] - half, values[-1] + half]
    axes.imshow(_paint(basin), origin="lower", extent=ends, aspect="auto", interpolation="nearest")
    for path, label in zip(basin.axes, (axes.set_xlabel, axes.set_ylabel)):
        label(_label(basin, path))
    _legend_of_fates(axes, basin, "darker: rests later" if basin.counts["rest"] else None)


def _basin_points(basin: Basin, figure: Figure) -> None:
    """Draws and uneven steps as points in the plane of their two numbers."""
    axes = figure.subplots()
    frame = basin.columns()
    x, y = (frame[path] for path in basin.axes)
    axes.scatter(x, y, s=6, color=np.array(_FATE_COLOURS)[basin.fate.ravel()], lw=0)
    axes.set_xlabel(_label(basin, list(basin.axes)[0]))
    axes.set_ylabel(_label(basin, list(basin.axes)[1]))
    _legend_of_fates(axes, basin, None)


def _basin_lines(basin: Basin, figure: Figure) -> None:
    """Over one number: when rest comes, and where the bodies end."""
    path = next(iter(basin.axes))
    x, colours = basin.columns()[path], np.array(_FATE_COLOURS)[basin.fate.ravel()]
    shown = {"t of rest [s]": basin.t_rest} | {f"final {_label(basin, name)}": place for name, place in basin.final.items()}
    panels = np.atleast_1d(figure.subplots(len(shown), 1, sharex=True))
    for axes, (label, values) in zip(panels, shown.items()):
        ended = basin.fate.ravel() != 1  # where an escaped body is says nothing
        axes.scatter(x[ended], values.ravel()[ended], s=8, color=colours[ended], lw=0)
        foot = np.full(int((~ended).sum()), 0.02)  # in shares of the height
        axes.scatter(x[~ended], foot, s=8, color=colours[~ended], lw=0, transform=axes.get_xaxis_transform())
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
    panels[-1].set_xlabel(_label(basin, path))
    _legend_of_fates(panels[0], basin, None)


def plot_ends(x: Floats, y: Floats, outcome: Any, options: dict[str, Any]) -> Figure:
    """Where sliders end, seen from above: a dot each, and behind many of them their density."""
    from scipy.stats import gaussian_kde  # type: ignore[import]

    figure = figure_of(options)
    axes = figure.subplots()
    shown = np.isfinite(x) & np.isfinite(y) & (outcome != "escaped")
    rest = shown & (outcome == "rest")
    if rest.sum() >= 50 and min(np.ptp(x[rest]), np.ptp(y[rest])) > 1e-6 * max(np.ptp(x[rest]), np.ptp(y[rest])):
        density = gaussian_kde(np.vstack([x[rest], y[rest]])[:, :5000])
        ends = [x[rest].min(), x[rest].max(), y[rest].min(), y[rest].max()]
        across, up = np.meshgrid(np.linspace(ends[0], ends[1], 80), np.linspace(ends[2], ends[3], 80))
        painted = density(np.vstack([across.ravel(), up.ravel()])).reshape(across.shape)
        axes.imshow(painted, origin="lower", extent=tuple(ends), cmap="YlOrBr", alpha=0.7, aspect="auto")
    for name, colour in zip(("rest", "moving"), ("#1a5280", "#9e8c7d")):
        mine = shown & (outcome == name)
        if mine.any():
            axes.plot(x[mine], y[mine], ".", ms=2 if mine.sum() > 200 else 4, color=colour, label=f"{name}: {mine.sum()}")
    if shown.any():
        axes.legend(fontsize="small")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("final x [m]")
    axes.set_ylabel("final y [m]")
    return figure


def plot_basin(basin: Basin, options: dict[str, Any]) -> Figure:
    """Draws a map: over two numbers by outcome, darker where rest comes later; over one, times and places."""
    if basin.model.is_slider:
        x, y = (basin.final[f"slider.{name}"].ravel() for name in "xy")
        return plot_ends(x, y, basin.outcome.ravel(), options)
    if len(basin.axes) > 2:
        raise ValueError(f"a picture shows one or two numbers, and {len(basin.axes)} vary; to_pandas() has them all")
    figure = figure_of(options)
    if len(basin.axes) == 1:
        _basin_lines(basin, figure)
    elif basin.fate.ndim == 2 and all(map(_is_even, basin.axes.values())):
        _basin_cells(basin, figure)
    else:
        _basin_points(basin, figure)
    return figure


def plot_scan(scan: Scan, options: dict[str, Any]) -> Figure:
    """Draws a scan: points or lines over one number, colours over two."""
    figure = figure_of(options)
    wanted = scan.columns[len(scan.axes) :]

    def label(name: str) -> str:
        return with_unit(name, scan.units.get(name, ""))

    measured = len(scan.rows) == len(np.unique(scan.rows[:, : len(scan.axes)], axis=0))
    for axes, name in zip(np.atleast_1d(figure.subplots(len(wanted), 1, sharex=True)), wanted):
        if len(scan.axes) == 2:
            if not measured:
                raise ValueError("points over two numbers have no picture; measure them, or vary one")
            x, y = (np.unique(scan[path]) for path in scan.axes)
            order = np.lexsort((scan[scan.axes[0]], scan[scan.axes[1]]))
            mesh = axes.pcolormesh(x, y, scan[name][order].reshape(len(y), len(x)), shading="nearest")
            figure.colorbar(mesh, ax=axes, label=label(name))
            axes.set_ylabel(label(scan.axes[1]))
        else:
            style = {} if measured else {"ls": "", "marker": ",", "color": "black"}
            axes.plot(scan[scan.axes[0]], scan[name], **style)
            axes.set_ylabel(label(name))
            axes.grid(alpha=0.3)
        axes.set_xlabel(label(scan.axes[0]))
    return figure


def _draw_fit(above: Any, below: Any, fit: Fit, trace: str) -> None:
    """One trace: samples and fitted line, and the residuals below."""
    told, unit = fit.residuals, fit._units.get(trace, "")
    several = len(set(told["recording"])) > 1
    for k, recording in enumerate(sorted(set(told["recording"]))):
        mine = (told["trace"] == trace) & (told["recording"] == recording)
        order = np.argsort(told["time"][mine], kind="stable")
        t, measured, fitted, residual = (told[name][mine][order] for name in ("time", "measured", "fitted", "residual"))
        label = f" {recording}" if several else ""
        above.plot(t, measured, ".", ms=3, color=f"C{k}", alpha=0.6, label=f"measured{label}")
        above.plot(t, fitted, lw=1.2, color="black" if not several else f"C{k}", label=f"fitted{label}")
        below.plot(t, residual, ".", ms=3, color=f"C{k}")
    below.axhline(0, color="black", lw=0.8)
    above.set_ylabel(with_unit(trace, unit))
    below.set_ylabel(with_unit("residual", unit))
    for axes in (above, below):
        axes.grid(alpha=0.3)
    _tell(above)


def plot_fit(fit: Fit, options: dict[str, Any]) -> Figure:
    """Draws what was measured and fitted, and the residuals."""
    traces = list(dict.fromkeys(fit.residuals["trace"].tolist()))
    if not traces:
        raise ValueError("there is nothing to draw: no motion fits the recording")
    figure = figure_of(options, (9.0, 4.5 * len(traces)))
    axes = figure.subplots(2 * len(traces), 1, sharex=True, gridspec_kw={"height_ratios": [2, 1] * len(traces)})
    for k, trace in enumerate(traces):
        _draw_fit(axes[2 * k], axes[2 * k + 1], fit, trace)
    axes[-1].set_xlabel("t [s]")
    if fit._model.title:
        figure.suptitle(fit._model.title)
    return figure
