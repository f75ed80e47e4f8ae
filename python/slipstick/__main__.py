# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""``python -m slipstick`` is the command line."""
from __future__ import annotations

import os
import shutil
import sys


def find_program() -> str | None:
    """The program that lies in this package, or the one on the path."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "slipstick")
    return own if os.access(own, os.X_OK) else shutil.which("slipstick")


def main() -> None:
    """Becomes the program."""
    program = find_program()
    if program is None:
        sys.exit("slipstick: the program is neither in this package nor on the path")
    os.execv(program, ["slipstick", *sys.argv[1:]])


if __name__ == "__main__":
    main()
