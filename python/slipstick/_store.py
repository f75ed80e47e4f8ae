# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Results as files: NumPy's .npz with one text in JSON that says what it is, by which version, of which model and question.

Nothing in such a file is code: arrays are read without pickle, and only the kinds that are listed here are made.
"""
from __future__ import annotations

import json
import math
import os
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import VERSION
from ._sealed import Sealed, freeze
from .errors import ModelError

if TYPE_CHECKING:
    from ._model import Model

_MARK = "slipstick result 1"


class Result(Sealed):
    """What a question to a model has led to; ``save`` writes it, ``ss.load_result`` reads it."""

    _question: dict[str, Any] = {}
    _version = VERSION

    @property
    def question(self) -> dict[str, Any]:
        """What was asked: the method of the model, and its arguments.

        >>> ss.load("models/block-on-floor.yaml").certify(vertices=True).question
        {'method': 'certify', 'vertices': True}
        """
        return dict(self._question)

    @property
    def version(self) -> str:
        """The version of Slipstick that computed it.

        >>> ss.load("models/block-on-floor.yaml").certify().version == ss.__version__
        True
        """
        return self._version

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the result with its model, question and version as a file that ``ss.load_result`` reads; the name ends
        in ``.npz``.

        >>> ss.load("models/block-on-floor.yaml").simulate().save("motion.npz")
        >>> ss.load_result("motion.npz")
        <Solution Block with negative damping on a rough floor: at-rest at t = 12.9785 s, 4 events>
        """
        name = os.fspath(path)
        if not name.endswith(".npz"):
            table = "; to_pandas().to_csv(..) writes a table" if name.endswith((".csv", ".txt")) else ""
            raise ValueError(f"{name!r}: the name of a saved result ends in .npz{table}")
        write = _Writer()
        tree = {"format": _MARK, "version": self._version, "result": write.encode(self)}
        unfinished = name + ".new"  # a file is whole or not there
        with open(unfinished, "wb") as file:
            np.savez_compressed(file, slipstick=np.array(json.dumps(tree)), **write.arrays)
        os.replace(unfinished, name)

    def _seal(self) -> None:
        """An answer stays what it was computed to be: a number written into it would be found by some and missed by
        others. The index of a table, and what was asked, are the user's."""
        for name, value in self.__dict__.items():
            if name not in ("_index", "_question"):
                freeze(value)
        super()._seal()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._seal()

    def _state(self) -> dict[str, Any]:
        """All that it is made of."""
        return {name: value for name, value in self.__dict__.items() if name != "_sealed"}


def asked(result: Any, method: str, arguments: Mapping[str, Any]) -> Any:
    """Notes what a result is the answer to; arguments that were not given are left out."""
    known = {name: value for name, value in arguments.items() if name not in ("self", "progress")}
    result._question = {"method": method, **{name: value for name, value in known.items() if not _is_empty(value)}}
    return result


def _is_empty(value: Any) -> bool:
    return value is None or value is False or (isinstance(value, (str, tuple, list, dict)) and len(value) == 0)


class _Writer:
    """From objects to a tree for JSON, and the arrays that it refers to."""

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}

    def _array(self, value: Any) -> dict[str, str]:
        name = f"array{len(self.arrays)}"
        self.arrays[name] = value
        return {"$": "array", "name": name}

    def encode(self, value: Any) -> Any:
        from ._model import Model
        from ._solution import Traces

        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, (float, np.floating)):
            return float(value) if math.isfinite(value) else {"$": "float", "text": repr(float(value))}
        if isinstance(value, (np.integer, np.bool_)):
            return value.item()
        if isinstance(value, np.ndarray) and value.dtype.kind in "fiubUc":
            return self._array(value)
        if isinstance(value, Model):
            return {"$": "Model", "source": self.encode(value._source), "name": value._name, "set": value._set}
        if isinstance(value, Result):
            state = {name: self.encode(one) for name, one in value._state().items()}
            return {"$": type(value).__name__, "state": state}
        if isinstance(value, Traces):
            return {"$": "Traces", "arrays": {name: self.encode(one) for name, one in value.items()}}
        if is_dataclass(value) and not isinstance(value, type):
            return {"$": type(value).__name__, "fields": {name: self.encode(one) for name, one in asdict(value).items()}}
        if isinstance(value, tuple):
            return {"$": type(value).__name__, "items": [self.encode(one) for one in value]}
        if isinstance(value, Mapping):
            return {"$": "Limit" if type(value).__name__ == "Limit" else "dict",
                    "pairs": [[str(name), self.encode(one)] for name, one in value.items()]}  # fmt: skip
        if isinstance(value, list):
            return [self.encode(one) for one in value]
        if hasattr(value, "to_numpy"):  # a table of pandas: its numbers
            columns = getattr(value, "columns", None)
            return self.encode({str(name): np.asarray(value[name]) for name in columns} if columns is not None
                               else np.asarray(value.to_numpy()))  # fmt: skip
        return os.fspath(value) if isinstance(value, os.PathLike) else repr(value)


class _Reader:
    """The way back."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self.arrays = arrays

    def decode(self, tree: Any) -> Any:
        if isinstance(tree, list):
            return [self.decode(one) for one in tree]
        if not isinstance(tree, dict):
            return tree
        kind = tree["$"]
        if kind == "array":
            return self.arrays[tree["name"]]
        if kind == "float":
            return float(tree["text"])
        if kind in ("dict", "Limit"):
            from ._solution import Limit

            pairs = {name: self.decode(one) for name, one in tree["pairs"]}
            return Limit(pairs) if kind == "Limit" else pairs
        if kind == "Traces":
            from ._solution import Traces

            return Traces({name: self.decode(one) for name, one in tree["arrays"].items()})
        return self._object(kind, tree)

    def _object(self, kind: str, tree: dict[str, Any]) -> Any:
        from . import _axes, _basin, _branch, _certificate, _cycle, _fit, _model, _scan, _solution

        if kind == "tuple":
            return tuple(self.decode(one) for one in tree["items"])
        if kind == "Asked":
            return _solution.Asked(*(self.decode(one) for one in tree["items"]))
        if kind == "Model":
            return _model.Model(self.decode(tree["source"]), name=tree["name"], set=tree["set"])
        plain = {"Event": _solution.Event, "Energy": _solution.Energy, "Note": _solution.Note,
                 "Distribution": _axes.Distribution}  # fmt: skip
        if kind in plain:
            return plain[kind](**{name: self.decode(one) for name, one in tree["fields"].items()})
        results = {"Solution": _solution.Solution, "Basin": _basin.Basin, "Scan": _scan.Scan, "Cycle": _cycle.Cycle,
                   "Branch": _branch.Branch, "Certificate": _certificate.Certificate, "Fit": _fit.Fit}  # fmt: skip
        made: Any = object.__new__(results[kind])
        made.__dict__.update({name: self.decode(one) for name, one in tree["state"].items()})
        if kind == "Fit":
            made._restore_ranking()
        made._seal()
        return made


def load_result(path: str | os.PathLike[str]) -> Any:
    """Reads what ``save`` has written: a ``Solution``, ``Basin``, ``Scan``, ``Cycle``, ``Branch``, ``Certificate`` or
    ``Fit``, with its model, question and version.

    >>> ss.load("models/block-on-floor.yaml").certify().save("certificate.npz")
    >>> again = ss.load_result("certificate.npz")
    >>> again.verdict, again.question, again.model.title
    ('local', {'method': 'certify'}, 'Block with negative damping on a rough floor')
    """
    name = os.fspath(path)
    try:
        with np.load(name, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        tree = json.loads(str(arrays.pop("slipstick")[()]))
        if tree["format"] != _MARK:
            raise KeyError("format")
        result = _Reader(arrays).decode(tree["result"])
    except (KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{name}: this is no saved result, or it is damaged", file=name) from None
    result.__dict__["_version"] = str(tree["version"])
    return result
