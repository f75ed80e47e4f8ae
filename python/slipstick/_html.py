# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""How answers look in a notebook."""
from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
