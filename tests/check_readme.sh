#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# README.md shows what happens: its program compiles and runs; its transcripts, and those of the pages it leads
# to, are what the program answers.
#
# check_readme.sh BUILD-FOLDER
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(readlink -f "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

blocks() { # LANGUAGE PAGE..: the lines of all such blocks
    awk -v open="\`\`\`$1" '$0 == open { inside = 1; next } /^```/ { inside = 0 } inside' "${@:2}"
}

cd "$root"

# Transcripts: a line that begins with file and position, or with an option, is an error.
{
    echo "=== copy models/block-on-floor.yaml"
    echo "=== copy models/carried-disk-recording.yaml"
    echo "=== copy models/disk.yaml"
    echo "=== copy models/bar.yaml"
    echo "=== copy tests/data/carried-disk.csv"
    echo "=== file shaken.yaml"
    blocks yaml README.md
    echo "=== file shaken-wrong.yaml"
    blocks yaml README.md | sed 's|400 N/m|400 N/s|'
    blocks text README.md docs/theory/*.md | awk '
        /^\$ / && command { print "[exit " status "]" }
        /^\$ / { command = 1; status = 0; print; next }
        /^[a-z-]+\.yaml:[0-9]|^--/ { status = 2; print "! " $0; next }
        { sub(/residual .*/, "residual ...") } # round-off
        { print }
        END { print "[exit " status "]" }'
} >"$work/readme.txt"
"$root/tests/cli/run.py" --quiet --program "$build/slipstick" "$work/readme.txt"

# Pages whose files are blocks of YAML with their name in the first line.
check_page() { # PAGE FILE-TO-COPY..
    {
        printf '=== copy %s\n' "${@:2}"
        awk '
            /^```yaml/ { kind = "yaml"; next }
            /^```text/ { kind = "text"; next }
            /^```/ { if (command) print "[exit 0]"; command = kind = ""; next }
            kind == "yaml" && /^# [a-z-]+\.yaml$/ { print "=== file " $2; next }
            kind == "text" && /^\$ / { if (command) print "[exit 0]"; command = 1 }
            kind { print }' "$1"
    } >"$work/page.txt"
    "$root/tests/cli/run.py" --quiet --program "$build/slipstick" "$work/page.txt"
}
check_page docs/cookbook.md models/hunting-servo.yaml models/drill-string.yaml models/two-blocks.yaml docs/recordings/let-go.csv
check_page docs/fitting.md docs/recordings/*.csv

blocks c README.md >"$work/two.c"
cc -std=c17 -Wall -Wextra -I"$root/include" "$work/two.c" -o "$work/two" "$build/libslipstick-lab.a" \
    "$build/libslipstick.a" $(pkg-config --libs libfyaml hdf5-serial zlib) -lm
"$work/two" | grep -q '^at-rest at x = '

# Where its file is missing, it says so and fails.
cd "$work"
status=0
said=$(./two 2>&1 >"$work/two.out") || status=$?
[ "$status" -eq 1 ] && [ ! -s "$work/two.out" ] && [[ $said == models/two-blocks.yaml:* ]] ||
    { echo "the program of README.md without its model: exit status $status, '$said'"; exit 1; }
