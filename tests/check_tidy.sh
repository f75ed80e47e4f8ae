#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# clang-tidy over the libraries and the program, with the checks of .clang-tidy. Files that were found clean
# are remembered by the hash of what they compile to, so that only what changed is looked at again.
#
# check_tidy.sh BUILD-FOLDER
set -eu
cd "$(dirname "$0")/.."
build=$1 seen=$1/tidy
mkdir -p "$seen"

# One way to compile each file: those that two programs share would be looked at twice, and the analyzer is
# confused by the second time.
python3 - "$build/compile_commands.json" "$seen/compile_commands.json" <<'END'
import json, sys
once = {entry['file']: entry for entry in reversed(json.load(open(sys.argv[1])))}
json.dump(list(once.values()), open(sys.argv[2], 'w'))
END

check_one() { # FILE
    local key report
    key=$( (cat .clang-tidy; clang-tidy --version; clang -E -P -std=c17 -Iinclude -Isrc -Icli \
        -I/usr/include/hdf5/serial "$1" 2>/dev/null) | sha1sum | cut -c 1-40)
    [ -e "$seen/$key" ] && return 0
    if report=$(clang-tidy --quiet -p "$seen" --warnings-as-errors='*' "$1" 2>/dev/null); then
        : >"$seen/$key"
    else
        printf '%s\n' "$report" | grep -E ': (error|warning): ' # the way there: clang-tidy -p BUILD-FOLDER FILE
        return 1
    fi
}
export -f check_one
export build seen
printf '%s\n' src/*/*.c cli/*.c cli/atlas/*.c | xargs -P "$(nproc)" -I FILE bash -c 'check_one FILE'
