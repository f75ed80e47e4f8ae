# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Objects that stay what they were made."""
from __future__ import annotations


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
            raise AttributeError(f"a {type(self).__name__} does not change, so {name!r} cannot be set; {self._advice(name)}")

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._refuse(name)
        object.__delattr__(self, name)
