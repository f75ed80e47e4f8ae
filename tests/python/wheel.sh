#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# pip builds and installs the package offline in an environment of its own, as one binary for Python 3.11 and later;
# what was installed moves a model, and its command line is the program.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# pip copies what it builds from: the sources, without what was built or kept beside them.
mkdir "$work/source"
for part in CMakeLists.txt CMakePresets.json pyproject.toml setup.py README.md LICENSE cmake cli docs include models \
    fmu web/src python src tests/data; do
    mkdir -p "$work/source/$(dirname "$part")"
    cp -r "$root/$part" "$work/source/$part"
done

/usr/bin/python3 -m venv --system-site-packages "$work/venv"
cd "$work/source"
export CMAKE_ARGS=-DCMAKE_C_FLAGS_RELEASE=-O0 # optimising is what takes long
"$work/venv/bin/python" -m pip install --quiet --no-index --no-build-isolation . >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

cd "$work"
"$work/venv/bin/python" - <<'PYTHON'
import pathlib
import slipstick as ss

folder = pathlib.Path(ss.__file__).parent
assert "venv" in str(folder), folder
assert list(folder.glob("_core.abi3.so")), list(folder.iterdir())
assert ss.load("source/models/two-blocks.yaml").simulate().outcome == "at-rest"
PYTHON
wheel=$(find "$work/venv" -path '*slipstick-*.dist-info/WHEEL')
grep -q '^Tag: cp311-abi3-' "$wheel"
"$work/venv/bin/slipstick" check source/models/two-blocks.yaml >/dev/null
"$work/venv/bin/python" -m slipstick --version
