# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Slipstick: how mechanical systems with dry friction move, where they come to rest, and whether they must.

>>> import slipstick as ss
>>> block = ss.Model({
...     "bodies": {"block": {"mass": "1 kg"}},
...     "connections": [{"between": ["block", "ground"], "stiffness": "1 N/m"}],
...     "contacts": {"floor": {"between": ["block", "ground"], "law": "coulomb", "friction": "1 N"}},
...     "start": {"block": {"x": 4}},
... })
>>> sol = block.simulate()
>>> sol.outcome, round(sol.t_end, 9)
('at-rest', 6.283185307)
>>> abs(float(sol["block.x"][-1])) < 1e-14
True

The way on (``help(ss.Model.fit)`` and the like have an example each):

- a model         ss.load("model.yaml"), ss.loads(text), ss.Model(dict)
                  model.with_({"contacts.floor.friction": 2}) has another number
- a motion        sol = model.simulate(until="10 s"); sol.t, sol["block.x"], sol.plot()
                  sol.events, sol.force["floor"], sol.energy, sol.notes, sol.to_pandas()
- step by step    run = model.run(); run.advance(0.01); run.set_input("push", 3.0)
- many motions    model.basin({"block.x": (-4, 4, 81)}), model.simulate_many(table)
                  ss.normal, ss.lognormal, ss.uniform with basin(.., random=1000)
- over numbers    model.scan({"parameters.w": [1, 2, 5]}, measure="amplitude:block.x")
                  model.follow("parameters.w", 1, 5)
- cycles, proofs  model.cycle(), model.certify(), model.check()
- measurements    fit = model.fit("data.csv", {"block.x": "column mm"}, [path]); fit.values
- files           result.save("a.npz"), ss.load_result("a.npz"), fit.report("fit.html")
- laws alone      ss.LuGre(sigma0=1e5, coulomb=1.0).step(v, dt)

All numbers are SI: s, m, m/s, N, J; rad and N*m for bodies that turn. Answers equal those of the
command line, to the bit. docs/python.md has all of this, docs/model-file.md what models are made
of, docs/cookbook.md recipes.
"""
from __future__ import annotations

from typing import TYPE_CHECKING

from . import _needs  # noqa: F401, I001  (first: it tells which library is missing)
from ._axes import Distribution, lognormal, normal, uniform
from ._basin import Basin
from ._branch import Branch
from ._certificate import Certificate
from ._core import VERSION as __version__
from ._cycle import Cycle
from ._fit import Fit
from ._laws import (
    GMS, BoucWen, Coulomb, Curve, Dahl, ElasticStop, ElastoPlastic, HuntCrossley, Jenkins, LuGre, MaxwellSlip, RateAndState, Stribeck,
)  # fmt: skip
from ._model import Model, load, loads
from ._picture import Picture
from ._run import Run
from ._scan import Scan
from ._slides import Slides
from ._solution import Energy, Event, Note, Solution
from ._store import load_result
from .errors import ModelError, RunError

_MEANT = {
    "simulate": "model.simulate() computes a motion: ss.load(\"model.yaml\").simulate()",
    "plot": "a motion has pictures: model.simulate().plot()",
    "fit": "model.fit(recording, columns, free) fits a model",
    "basin": "model.basin(over) computes a map",
}


if not TYPE_CHECKING:  # there, what is not written is an error anyhow

    def __getattr__(name: str) -> object:
        told = f"; {_MEANT[name]}" if name in _MEANT else ""
        raise AttributeError(f"module 'slipstick' has no attribute {name!r}{told}")


__all__ = [
    "Basin", "BoucWen", "Branch", "Certificate", "Coulomb", "Curve", "Cycle", "Dahl", "Distribution", "ElasticStop", "ElastoPlastic", "Energy",
    "Event", "Fit", "GMS", "HuntCrossley", "Jenkins",
    "LuGre", "MaxwellSlip", "Model", "ModelError", "Note", "Picture", "RateAndState", "Run", "RunError", "Scan", "Slides", "Solution", "Stribeck",
    "load", "load_result", "loads", "lognormal", "normal", "uniform",
    "__version__",
]  # fmt: skip
