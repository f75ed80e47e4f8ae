# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What is asked by name: ``thing["block.x"]``, ``"block.x" in thing``, ``for name in thing``."""
from __future__ import annotations

from collections.abc import Iterator


def need_name(name: object, example: str = "block.x") -> str:
    """The name, which must be a text."""
    if not isinstance(name, str):
        raise TypeError(f"expected a name such as {example!r}, not {name!r}")
    return name


class Named:
    """Whether a name is there, and which names there are: those that completion offers."""

    def _ipython_key_completions_(self) -> list[str]:
        raise NotImplementedError

    def keys(self) -> list[str]:
        """The names that ``[..]`` takes.

        >>> import slipstick as ss
        >>> sol = ss.load("models/block-on-floor.yaml").simulate()
        >>> sol.keys(), "block.x" in sol
        (['block.x', 'block.v', 'floor.force', 'floor.velocity', 'floor.power'], True)
        """
        return self._ipython_key_completions_()

    def __contains__(self, name: object) -> bool:
        return name in self._ipython_key_completions_()

    def __iter__(self) -> Iterator[str]:
        return iter(self._ipython_key_completions_())
