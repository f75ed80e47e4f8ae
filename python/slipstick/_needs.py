# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Imports the extension; where a shared library is missing, says which Debian package has it."""
from __future__ import annotations

PACKAGES = {
    "libfyaml": "libfyaml0",
    "libhdf5_serial": "libhdf5-103-1",
    "liblapacke": "liblapacke",
    "libopenblas": "libopenblas0-serial",
    "libcminpack": "libcminpack1",
    "libcairo": "libcairo2",
}


def advise(error: ImportError) -> ImportError:
    """The same error, with what to install."""
    for library, package in PACKAGES.items():
        if library in str(error):
            return ImportError(f"{error}; on Debian: apt install {package}")
    return error


try:
    from . import _core
except ImportError as error:
    raise advise(error) from None

__all__ = ["_core"]
