# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""How answers look in a notebook."""
from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._basin import Basin
    from ._fit import Fit
    from ._model import Model
    from ._scan import Scan
    from ._solution import Solution


def _row(cells: list[str], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag} style='text-align:left'>{cell}</{tag}>" for cell in cells) + "</tr>"


def solution_html(sol: Solution, most: int = 8) -> str:
    """Outcome, the last state, the first events."""
    rows = [_row(["", "at the end", "unit"], "th")]
    for name, values, unit in zip(sol.names, sol.y, sol.units):
        if len(values):
            rows.append(_row([escape(name), f"{values[-1]:.6g}", unit]))
    events = [_row(["t [s]", "contact", "from", "to"], "th")]
    events += [
        _row([f"{e.t:.6g}", escape(e.contact), e.before, e.kind if e.kind != "mode" else e.after])
        for e in sol.events[:most]
    ]
    more = f"<p>and {len(sol.events) - most} more</p>" if len(sol.events) > most else ""
    title = f"<b>{escape(sol.title)}</b>: " if sol.title else ""
    notes = "".join(f"<p>{escape(note.text)} (t = {note.t:.6g} s)</p>" for note in sol.notes)
    return (
        f"<div><p>{title}{sol.outcome}, t = {sol.t_end:.9g} s, energy residual {sol.energy.residual:.1e} J</p>"
        f"<table style='display:inline-block;vertical-align:top'>{''.join(rows)}</table> "
        f"<table style='display:inline-block;vertical-align:top'>{''.join(events)}</table>{more}{notes}</div>"
    )


def _table(head: list[str], rows: list[list[str]]) -> str:
    body = "".join(_row(row) for row in rows)
    return f"<table style='display:inline-block;vertical-align:top'>{_row(head, 'th')}{body}</table>"


def _number(value: Any) -> str:
    return "" if value is None or value != value else f"{value:.6g}" if isinstance(value, (float, int)) else escape(str(value))


def model_html(model: Model) -> str:
    """Bodies, contacts with their laws, and parameters."""
    title = f"<p><b>{escape(model.title)}</b></p>"
    if model.is_slider:
        return f"<div>{title}<p>a slider on {len(model.contacts)} supports</p></div>"
    parts = [_table(["body", "start x", "start v", ""],
                    [[escape(name), f"{x:.6g}", f"{v:.6g}", "driven" if driven else ""]
                     for name, _, driven, x, v, _, _ in model._bodies])]  # fmt: skip
    if model.contacts:
        parts.append(_table(["contact", "law"], [[escape(name), law] for name, law in model.laws.items()]))
    if model.parameters:
        parts.append(_table(["parameter", "SI"], [[escape(name), f"{value:.6g}"] for name, value in model.parameters.items()]))
    for what, names in (("states", model.states), ("signals", model.signals), ("inputs", model.inputs)):
        if names:
            parts.append(_table([what], [[escape(name)] for name in names]))
    return f"<div>{title}{' '.join(parts)}</div>"


def scan_html(scan: Scan, most: int = 10) -> str:
    """The first rows."""
    rows = [[_number(float(value)) for value in row] for row in scan.rows[:most]]
    more = f"<p>and {len(scan.rows) - most} more rows</p>" if len(scan.rows) > most else ""
    short = f"<p>{scan.short_of_sections} values had fewer sections than wanted</p>" if scan.short_of_sections else ""
    return f"<div><p>scan of <b>{escape(scan.model.title)}</b></p>{_table([escape(c) for c in scan.columns], rows)}{more}{short}</div>"


def basin_html(basin: Basin) -> str:
    """Counts, attractors and quantiles."""
    all_of_them = max(basin.fate.size, 1)
    parts = [_table(["outcome", "cells", "%"],
                    [[name, str(n), f"{100 * n / all_of_them:.2f}"] for name, n in basin.counts.items() if n])]  # fmt: skip
    if basin.attractors:
        rows = []
        for one in basin.attractors:
            place = one.get("place") or one.get("amplitude") or {}
            where = ", ".join(f"{escape(name)} {'' if one.get('place') else '&plusmn;'}{value:.6g}" for name, value in place.items())
            rows.append([one["kind"], f"{one['cells']:.0f}", where, _number(one.get("period"))])
        parts.append(_table(["attractor", "cells", "where", "period [s]"], rows))
    if basin.quantiles:
        told = dict(basin.quantiles)
        levels = [f"{100 * level:g} %" for level in told.pop("level")]
        names = {"t": "t of rest [s]"}
        parts.append(_table(["quantiles", *levels],
                            [[escape(names.get(name, f"final {name}")), *map(_number, map(float, row))] for name, row in told.items()]))  # fmt: skip
    over = ", ".join(escape(path) for path in basin.axes)
    return f"<div><p><b>{escape(basin.model.title)}</b> over {over}</p>{' '.join(parts)}</div>"


def fit_parameters_html(fit: Fit) -> str:
    """The numbers found, with errors and intervals."""
    rows = []
    for name, told in fit.parameters.items():
        interval = told.get("interval_95") or []
        between = " .. ".join(_number(one) for one in interval) if all(one is not None for one in interval) else ""
        rows.append([escape(name), _number(told["value"]), _number(told.get("stderr")), between, escape(str(told.get("unit") or ""))])
    return _table(["number", "value", "standard error", "95 % interval", "unit"], rows) if rows else \
        "<p>the model as it is: no number is free</p>"


def fit_ranking_html(fit: Fit) -> str:
    """All models, best first."""
    if len(fit.ranking) < 2:
        return ""
    least = min((one.aic for one in fit.ranking if one.aic is not None), default=0.0)
    rows = [[escape(one._model.title), str(len(one.values)), _number(one.aic), _number(None if one.aic is None else one.aic - least),
             _number(one.bic), _number(one.durbin_watson)] for one in fit.ranking]  # fmt: skip
    return _table(["model", "free numbers", "AIC", "more by", "BIC", "Durbin-Watson"], rows)


def fit_remarks_html(fit: Fit) -> str:
    """Warnings and notes."""
    told = [("warning", text) for text in fit.warnings] + [("note", text) for text in fit.answer.get("notes", [])]
    return "".join(f"<p><b>{what}</b>: {escape(str(text))}</p>" for what, text in told)


def fit_html(fit: Fit) -> str:
    """Numbers, ranking, warnings."""
    rms = fit.answer.get("rms")
    told = f", rms of residuals {rms:.4g}" if isinstance(rms, float) else ""
    return (f"<div><p><b>{escape(fit._model.title)}</b>: {fit.outcome}{told}</p>{fit_parameters_html(fit)} "
            f"{fit_ranking_html(fit)}{fit_remarks_html(fit)}</div>")  # fmt: skip
