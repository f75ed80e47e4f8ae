# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""A fit as one page that needs nothing else."""
from __future__ import annotations

import base64
import io
import json
from html import escape
from typing import TYPE_CHECKING, Any

from ._html import fit_parameters_html, fit_ranking_html, fit_remarks_html

if TYPE_CHECKING:
    from ._fit import Fit

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}"
    "table{border-collapse:collapse;margin:.5rem 0}td,th{padding:.2rem .8rem .2rem 0;border-bottom:1px solid #ddd}"
    "svg{max-width:100%;height:auto}pre{background:#f5f5f5;padding:1rem;overflow-x:auto;font-size:.85rem}"
)


def _picture(fit: Fit) -> str:
    """The plot as SVG, to stand within the page."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = fit.plot(figure=Figure(figsize=(9.0, 5.0), layout="constrained"))
    FigureCanvasSVG(figure)
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    text = file.getvalue()
    return text[text.index("<svg") :]


def _csv(fit: Fit) -> str:
    told = fit.residuals
    names = list(told)
    rows = [",".join(names)]
    rows += [",".join(str(v) if isinstance(v, str) else f"{v:.17g}" for v in row) for row in zip(*(told[n] for n in names))]
    return "\n".join(rows) + "\n"


def _model_text(fit: Fit) -> str:
    source: Any = fit._model._source
    text = source if isinstance(source, str) else json.dumps(source, indent=2, default=str)
    changed = "".join(f"\n# --set {path}={value}" for path, value in fit._model._set.items())
    return text.rstrip() + changed


def _statistics(fit: Fit) -> str:
    told = {"log likelihood": fit.log_likelihood, "AIC": fit.aic, "BIC": fit.bic, "Durbin-Watson": fit.durbin_watson,
            "rms of residuals (SI)": fit.answer.get("rms")}  # fmt: skip
    return ", ".join(f"{name} {value:.6g}" for name, value in told.items() if isinstance(value, float))


def fit_report(fit: Fit) -> str:
    """The page."""
    title = escape(fit._model.title or "fit")
    data = base64.b64encode(_csv(fit).encode()).decode()
    question = escape(", ".join(f"{name} = {value!r}" for name, value in fit.question.items()
                                if name in ("columns", "free", "free_each", "sigma", "delay", "loss", "window", "starts")))  # fmt: skip
    ranking = fit_ranking_html(fit)
    parts = [
        f"<h1>{title}</h1><p>{escape(fit.outcome)}; Slipstick {escape(fit.version)}</p>",
        f"<h2>Numbers</h2>{fit_parameters_html(fit)}<p>{_statistics(fit)}</p>",
        f"<h2>Warnings</h2>{fit_remarks_html(fit) or '<p>none</p>'}",
        f"<h2>Data, fit and residuals</h2>{_picture(fit) if len(fit.residuals['time']) else '<p>no motion fits</p>'}",
        f"<p><a download='residuals.csv' href='data:text/csv;base64,{data}'>residuals.csv</a>: every sample with time, "
        f"measured, fitted and residual, SI</p>",
        f"<h2>Ranking</h2>{ranking}" if ranking else "",
        f"<h2>Question</h2><p>{question}</p><h2>Model</h2><pre>{escape(_model_text(fit))}</pre>",
    ]
    return (f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
            f"content='width=device-width'><title>{title}</title><style>{_STYLE}</style></head>"
            f"<body>{''.join(parts)}</body></html>\n")  # fmt: skip
