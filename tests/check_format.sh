#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# Every C file is as clang-format leaves it, and opens with its licence.
set -eu
cd "$(dirname "$0")/.."
files=$(find src cli fmu include python web/core tests examples bench -name '*.[ch]' | sort)

for file in $files; do
    head -2 "$file" | tr '\n' ' ' | grep -q 'SPDX-FileCopyrightText: .*SPDX-License-Identifier: MIT' ||
        { echo "$file: the two SPDX lines are missing"; missing=1; }
done
[ -z "${missing:-}" ] || exit 1

# Versions of clang-format disagree about details; the files follow 14.
if ! clang-format --version | grep -q ' version 14\.'; then
    echo "(layout not checked: it follows clang-format 14, and this is $(clang-format --version))"
    exit 0
fi
clang-format --dry-run -Werror $files
