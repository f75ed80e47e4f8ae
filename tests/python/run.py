#!/usr/bin/python3
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""Runs the tests of the Python package and the examples in its docstrings: run.py BUILD. Ends in 'N passed, N failed'.

With --asan the package was built with the sanitizers: then only what exercises the extension runs, without tests that
measure memory or are long for a slow library, and without other packages' C.
"""
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def asan_library() -> str:
    """The run-time library of the sanitizer, which must be loaded before Python."""
    return subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    build = pathlib.Path(sys.argv[1]).resolve()
    package = build / "python"
    environment = dict(
        os.environ, PYTHONPATH=f"{package}:{HERE}", SLIPSTICK_PROGRAM=str(build / "slipstick"), MPLBACKEND="agg",
        OPENBLAS_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1",
    )  # fmt: skip
    command = ["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "shared_fixtures",
               "-c", str(HERE / "pytest.ini"), f"--rootdir={HERE}"]  # fmt: skip
    if "--asan" in sys.argv:
        environment |= {"LD_PRELOAD": asan_library(), "ASAN_OPTIONS": "detect_leaks=0"}
        command += [str(HERE / f"test_{name}.py") for name in ("motion", "model", "analysis", "fit", "any_input", "errors")]
        command += ["-k", "not tables and not pictures_show and not no_room and not other_threads and not plot and not picture and not loop"]
    else:
        command += [str(HERE), "--doctest-modules", "--pyargs", "slipstick"]
    done = subprocess.run(command, env=environment, cwd=HERE.parents[1], capture_output=True, text=True, check=False)
    counts = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|errors?)", done.stdout.splitlines()[-1])}
    failed = counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0)
    passed = counts.get("passed", 0)
    if failed or not passed or done.returncode:
        print(done.stdout + done.stderr)
        failed = max(failed, 1)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
