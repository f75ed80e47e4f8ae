#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# An example prints exactly what is kept beside it: check_example.sh PROGRAM NAME
set -eu
diff "$(dirname "$0")/../examples/$2.out" <("$1")
