# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Certificates: must it come to rest?"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._store import Result
from ._typing import Floats

if TYPE_CHECKING:
    from ._model import Model


class Certificate(Result):
    """What is proved of a model's equilibria; made by ``Model.certify``.

    >>> import slipstick as ss
    >>> cert = ss.Model.matrices(M=[[1]], C=[[-0.1]], K=[[1]], W=[[1]], friction=[1]).certify()
    >>> cert.verdict, cert.theorem
    ('local', 4)
    >>> sorted(cert.vertices.tolist())
    [[-1.0], [1.0]]
    """

    def __init__(self, model: Model, answer: dict[str, Any]) -> None:
        self.model = model
        self.answer = answer
        self._seal()

    @property
    def verdict(self) -> str:
        """``"global"``, ``"local"``, ``"local-subset"`` or ``"not-assured"``.

        >>> cert = ss.load("models/block-on-floor.yaml").certify()
        >>> cert.verdict
        'local'
        """
        return str(self.answer["verdict"])

    @property
    def theorem(self) -> int | None:
        """Which theorem of [VL04] says so: 2, 3 or 4.

        >>> cert = ss.load("models/block-on-floor.yaml").certify()
        >>> cert.theorem
        4
        """
        theorem = self.answer.get("theorem")
        return None if theorem is None else int(theorem)

    @property
    def reason(self) -> str:
        """One sentence.

        >>> cert = ss.load("models/block-on-floor.yaml").certify()
        >>> cert.reason[:80]
        'C is not positive definite, but friction acts on every direction it does not dam'
        """
        return str(self.answer["reason"])

    @property
    def rho_star(self) -> float:
        """J: every motion that starts below this energy comes to rest; infinite where there is no bound.

        >>> cert = ss.load("models/block-on-floor.yaml").certify()
        >>> round(cert.rho_star, 9)
        2.0
        """
        value = self.answer.get("rho_star")
        return float("inf") if value is None else float(value)

    @property
    def beta(self) -> float | None:
        """N: the largest for which condition (28) holds.

        >>> cert = ss.load("models/block-on-floor.yaml").certify()
        >>> cert.beta
        1.0
        """
        return self.answer.get("beta")

    @property
    def vertices(self) -> Floats:
        """Corners of the equilibrium set, one row each.

        >>> cert = ss.load("models/block-on-floor.yaml").certify()
        >>> sorted(cert.vertices.ravel().tolist())
        [-1.0, 1.0]
        """
        return np.array((self.answer.get("equilibrium_set") or {}).get("vertices") or [], dtype=float)

    def __repr__(self) -> str:
        return f"<Certificate {self.verdict}: {self.reason}>"
