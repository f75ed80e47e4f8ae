#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# The Octave package on what was built: run.sh BUILD. Its cases are in cases.m, which counts them.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
# What Octave 7 says on standard error while it exits is no part of the answer; it is shown where a case failed.
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
status=0
SLIPSTICK_PROGRAM=$build/slipstick OPENBLAS_NUM_THREADS=1 octave-cli --no-gui --quiet --no-init-file \
    --path "$build/octave" "$here/cases.m" 2>"$errors" || status=$?
[ "$status" -eq 0 ] || cat "$errors" >&2
exit "$status"
