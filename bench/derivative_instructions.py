#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""How many more instructions does a motion take when its derivative by one number moves with it?

    bench/derivative_instructions.py [--csv FILE] [PROGRAM [KIND]]

Each kind of model of bench_derivative, which checks its derivatives first; PROGRAM is that program,
build/release/bench/bench_derivative unless told. Instructions are counted by valgrind (callgrind), of one
motion alone and of one with its derivative, once the tables of both are made: no reading of models, no start
of a program, no noise of a machine.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile


def count(program, kind, function):
    """The names of the kinds, and the instructions of one function of the program for each."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "count"
        command = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}"]
        command += [f"--toggle-collect={function}", f"--dump-after={function}"]
        command += [program, "--counted", *([kind] if kind else [])]
        names = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
        dumps = [out.with_suffix(f".{k + 1}").read_text() for k in range(len(names))]
        return names, [int(re.search(r"^totals: (\d+)", dump, re.M)[1]) for dump in dumps]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default="build/release/bench/bench_derivative")
    parser.add_argument("kind", nargs="?")
    parser.add_argument("--csv", help="a file to append to")
    given = parser.parse_args()
    names, alone = count(given.program, given.kind, "motion_alone")
    names, varied = count(given.program, given.kind, "motion_with_derivative")
    rows = [(n, a, b, b / a) for n, a, b in zip(names, alone, varied)]
    for name, alone, varied, times in rows:
        print(f"{name:<9} motion {alone:>9} instructions, with one derivative {varied:>9}: {times:.2f} times")
    if given.csv:
        path = pathlib.Path(given.csv)
        text = "" if path.exists() else "kind,motion,with_derivative,times\n"
        text += "".join(f"{n},{a},{b},{t:.4g}\n" for n, a, b, t in rows)
        with path.open("a", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
