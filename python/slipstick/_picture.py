# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""The library's own pictures: the same as the command line draws, without matplotlib."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _core

Sheet = tuple[str, str, float, float]
"""Format, theme, width and height."""

if TYPE_CHECKING:
    from ._model import Model
    from ._solution import Solution


class Picture:
    """A picture, shown by notebooks as it is; made by ``Solution.picture`` and ``Model.picture``.

    >>> import slipstick as ss
    >>> model = ss.Model.matrices(M=[[1]], C=[[0]], K=[[1]], W=[[1]], friction=[1], start={"q1.x": 4})
    >>> picture = model.simulate().picture("phase")
    >>> picture
    <Picture svg of "matrices": phase>
    >>> picture.svg.startswith("<svg") or picture.svg.startswith("<?xml")
    True
    """

    def __init__(self, data: bytes, format: str, what: str) -> None:  # noqa: A002
        self.data = data
        self.format = format
        self._what = what

    @property
    def svg(self) -> str:
        """The text of an SVG.

        >>> picture = ss.load("models/disk.yaml").picture("surface")
        >>> "<svg" in picture.svg
        True
        """
        if self.format != "svg":
            raise ValueError(f"this picture is a {self.format}")
        return self.data.decode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file; its ending must be that of the format.

        >>> ss.load("models/disk.yaml").picture("surface", format="png").save("surface.png")
        """
        if not os.fspath(path).lower().endswith("." + self.format):
            raise ValueError(f"this picture is a {self.format}, which {os.fspath(path)!r} does not say")
        _core.write_file(path, self.data)

    def _repr_svg_(self) -> str | None:
        return self.svg if self.format == "svg" else None

    def _repr_png_(self) -> bytes | None:
        return self.data if self.format == "png" else None

    def __repr__(self) -> str:
        return f"<Picture {self.format} of {self._what}>"


def picture_of_motions(
    sol: Solution, view: str | None, of: str | None, also: Solution | Mapping[str, Solution] | Sequence[Solution], sheet: Sheet,
) -> Picture:  # fmt: skip
    """Draws one motion, or several in one picture."""
    listed: Any = [also] if hasattr(also, "_moved") else also
    others = dict(listed) if isinstance(listed, Mapping) else {f"motion {k + 2}": s for k, s in enumerate(listed)}
    motions = tuple(one._moved() for one in (sol, *others.values()))
    shown = view or ("path" if sol.names[0] == "x" else "time")
    data = _core.picture_motions(sheet, shown, of, motions, (None, *others))
    return Picture(data, sheet[0], f'"{sol.title}": {shown}')


def picture_of_model(model: Model, what: str, sheet: Sheet) -> Picture:
    """Draws what is known of a model without a motion."""
    kinds = ("surface", "sphere") if model.is_slider else ("certificate",)
    if what not in kinds:
        raise ValueError(f"{what!r} is none of {', '.join(kinds)}")
    return Picture(_core.picture_model(sheet, model._model, what), sheet[0], f'"{model.title}": {what}')
