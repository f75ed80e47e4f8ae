# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What can go wrong, as exceptions."""
from __future__ import annotations

from typing import Any


class _WithPlace(Exception):
    """An error that may know where it comes from."""

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        field: str | None = None,
    ) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column
        self.field = field

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.file, self.line, self.column, self.field)


class ModelError(_WithPlace, ValueError):
    """The model, or an argument, makes no sense.

    ``file``, ``line``, ``column`` and ``field`` say where, as far as that is known.

    >>> import slipstick as ss
    >>> try:
    ...     ss.loads("slipstick: 1\\ntitle: a block\\nbodies: {block: {mass: -1}}", name="block.yaml")
    ... except ss.ModelError as error:
    ...     print(error.file, error.line, error.column, error.field)
    block.yaml 3 24 bodies.block.mass
    """


class RunError(_WithPlace, RuntimeError):
    """A motion could not go on, or what was looked for was not found.

    >>> import slipstick as ss
    >>> issubclass(ss.RunError, RuntimeError)
    True
    """
