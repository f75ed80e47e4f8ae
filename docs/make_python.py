#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Writes docs/python.md from the docstrings of the package: PYTHONPATH=build/python docs/make_python.py [FILE]."""
from __future__ import annotations

import functools
import inspect
import pathlib
import sys

import slipstick as ss

OPENING = """# Slipstick in Python

`./run` builds the package into `build/python` (`PYTHONPATH=build/python /usr/bin/python3`);
`pip install --no-build-isolation .` installs it from the project's root. Only NumPy is imported with it;
matplotlib, pandas and xarray when a method needs them. The notebooks in `notebooks/` show it with pictures;
[coming from other tools](coming-from.md) translates.

All numbers are in SI units. The examples are run in the project's folder, where `models/` is, after
these lines:

```python
>>> import numpy as np
>>> import slipstick as ss
```

The page is made from the docstrings (`docs/make_python.py`), and its examples are tests.
"""
KINDS = {"Models and motions": ["load", "loads", "load_result", "Model", "Solution", "Event", "Energy", "Note", "Picture", "Run"],
         "Analysis": ["Certificate", "Basin", "Distribution", "normal", "lognormal", "uniform", "Scan", "Slides", "Cycle", "Branch", "Fit"],
         "Laws": ["Coulomb", "Stribeck", "Curve", "LuGre", "Dahl", "BoucWen", "RateAndState", "ElastoPlastic", "MaxwellSlip",
                  "Jenkins", "GMS", "HuntCrossley", "ElasticStop"],
         "Errors": ["ModelError", "RunError"]}  # fmt: skip


def text_of(thing: object) -> str:
    """A docstring as Markdown: examples become code blocks, double backticks single ones."""
    out: list[str] = []
    code = False
    for line in (inspect.getdoc(thing) or "").replace("``", "`").splitlines():
        starts = line.startswith(">>>")
        if starts and not code:
            out += ["", "```python"] if out and out[-1] else ["```python"]
            code = True
        elif code and not line.strip():
            out.append("```")
            code = False
        out.append(line)
    return "\n".join(out + ["```"] * code)


def members(cls: type) -> list[tuple[str, object]]:
    """Public methods and properties, also of the bases, in the order in which they are written."""
    seen: dict[str, object] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("slipstick"):
            seen.update({name: member for name, member in vars(base).items() if not name.startswith("_")})
    return [(name, member) for name, member in seen.items() if inspect.getdoc(member) and not isinstance(member, (str, int))]


def signature(name: str, thing: object) -> str:
    """How it is called."""
    if isinstance(thing, (property, functools.cached_property)):
        return name
    call = thing.__func__ if isinstance(thing, (classmethod, staticmethod)) else thing
    try:
        words = inspect.signature(call)
    except (TypeError, ValueError):
        return name
    shown = [str(p).split(":")[0] if p.default is p.empty else f"{str(p).split(':')[0].split('=')[0]}={p.default!r}"
             for p in words.parameters.values() if p.name not in ("self", "cls")]  # fmt: skip
    return f"{name}({', '.join(shown)})"


def page() -> str:
    """The whole page."""
    parts = [OPENING]
    for heading, names in KINDS.items():
        parts.append(f"## {heading}\n")
        for name in names:
            thing = getattr(ss, name)
            plain = inspect.isclass(thing) and issubclass(thing, BaseException)
            parts.append(f"### {name if plain else signature(name, thing)}\n\n{text_of(thing)}\n")
            if inspect.isclass(thing) and not plain:
                parts += [f"#### {signature(key, member)}\n\n{text_of(member)}\n" for key, member in members(thing)
                          if isinstance(member, (property, functools.cached_property, classmethod)) or inspect.isfunction(member)]  # fmt: skip
    left_out = set(ss.__all__) - {"__version__"} - {name for names in KINDS.values() for name in names}
    assert not left_out, left_out
    return "\n".join(parts)


if __name__ == "__main__":
    default = pathlib.Path(__file__).resolve().parents[1] / "docs" / "python.md"
    pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else default).write_text(page(), encoding="utf-8")
