# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Bars that show how far long work is, in terminals and notebooks."""
from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._typing import Progress

Tell = Callable[[float], object]


class _Terminal:
    """A line on standard error, redrawn ten times a second at most; gone when the work is done."""

    width = 30

    def __init__(self, what: str) -> None:
        self.what, self.drawn, self.begun = what, 0.0, time.monotonic()

    def __call__(self, share: float) -> None:
        now = time.monotonic()
        if now - self.begun < 1.0 or now - self.drawn < 0.1:
            return  # short work needs no bar
        self.drawn = now
        full = round(self.width * min(max(share, 0.0), 1.0))
        sys.stderr.write(f"\r{self.what} [{'#' * full}{' ' * (self.width - full)}] {100 * share:3.0f} %")
        sys.stderr.flush()

    def close(self) -> None:
        if self.drawn:
            sys.stderr.write("\r" + " " * (len(self.what) + self.width + 10) + "\r")
            sys.stderr.flush()


class _Notebook:
    """An HTML bar below the cell."""

    def __init__(self, what: str) -> None:
        from IPython.display import display

        self.what, self.drawn, self.begun = what, 0.0, time.monotonic()
        self.handle: Any = None
        self._display = display

    def __call__(self, share: float) -> None:
        from IPython.display import HTML

        now = time.monotonic()
        if now - self.begun < 1.0 or now - self.drawn < 0.2:
            return
        self.drawn = now
        bar = HTML(f"<progress max='1' value='{share:.4f}'></progress> {self.what}, {100 * share:.0f} %")
        if self.handle is None:
            self.handle = self._display(bar, display_id=True)
        else:
            self.handle.update(bar)

    def close(self) -> None:
        if self.handle is not None:
            from IPython.display import HTML

            self.handle.update(HTML(""))


def _in_notebook() -> bool:
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return type(get_ipython()).__name__ == "ZMQInteractiveShell"


@contextmanager
def progress_of(wanted: Progress, what: str) -> Iterator[Tell | None]:
    """The function that work calls with the share that is done.

    None: a bar where somebody looks (a terminal or a notebook); True and False: always, never; a function: that.
    """
    if callable(wanted):
        yield wanted
        return
    show = wanted if wanted is not None else (_in_notebook() or sys.stderr.isatty())
    if not show:
        yield None
        return
    bar: _Notebook | _Terminal = _Notebook(what) if _in_notebook() else _Terminal(what)
    try:
        yield bar
    finally:
        bar.close()
