#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# The Octave package on what was built: run.sh BUILD. Its cases are in cases.m, which counts them.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
SLIPSTICK_PROGRAM=$build/slipstick OPENBLAS_NUM_THREADS=1 octave-cli --no-gui --quiet --no-init-file \
    --path "$build/octave" "$here/cases.m"
