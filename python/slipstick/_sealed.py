# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Objects that stay what they were made."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np


def freeze(value: Any) -> Any:
    """The same value, of which no array can be written any more; arrays in dicts and lists count."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif isinstance(value, Mapping):
        for one in value.values():
            freeze(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            freeze(one)
    return value


class Frozen(dict[str, float]):
    """A dict that is an answer: what is put into it would change nothing else, so it is refused."""

    def __init__(self, numbers: Mapping[str, float], advice: str) -> None:
        super().__init__(numbers)
        self._advice = advice

    def _refuse(self, *given: Any, **named: Any) -> NoReturn:
        raise TypeError(self._advice)

    __setitem__ = __delitem__ = __ior__ = update = pop = popitem = clear = setdefault = _refuse  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class Sealed:
    """Refuses attributes that are set from outside: nothing would come of them, and nobody would notice."""

    def _seal(self) -> None:
        """To be called when the object is made."""
        self.__dict__["_sealed"] = True

    def _advice(self, name: str) -> str:
        """What to do instead of setting an attribute."""
        return "make another with other arguments"

    def _refuse(self, name: str) -> None:
        if "_sealed" in self.__dict__ and not name.startswith("_"):
            raise AttributeError(self._why(name))

    def _why(self, name: str) -> str:
        return f"a {type(self).__name__} does not change, so {name!r} cannot be set; {self._advice(name)}"

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._refuse(name)
        object.__delattr__(self, name)
