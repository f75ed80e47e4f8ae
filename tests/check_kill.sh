#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# Kills the program while it writes, fills the disk under it and interrupts it. A killed run leaves an HDF5
# file that opens and whose rows are whole, and no half CSV; an interrupted or stuck one says what it has
# computed and ends with status 3.
#
# check_kill.sh BUILD-FOLDER
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "$1")/slipstick
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export LC_ALL=C

# Ten million rows: much longer than anything below waits.
run=("$program" simulate "$root/models/block-on-floor.yaml" --until 1000 --every 0.0001)

fail() { # MESSAGE
    printf '%s\n' "$1"
    exit 1
}

# Rows of every dataset must reach the length of /t, and the last of /t must be the time of its row.
check_h5() { # FILE
    local listing rows last
    listing=$(h5ls -r "$1") || fail "$1: cannot be listed"
    rows=$(printf '%s\n' "$listing" | sed -n 's,^/t  *Dataset {\([0-9]*\)/.*,\1,p')
    [ -n "$rows" ] || fail "$1: no /t: $listing"
    printf '%s\n' "$listing" | awk -v rows="$rows" -F '[{/}]' '/\/Inf}/ {
        split($0, part, "{"); split(part[2], length_of, "/"); if (length_of[1] < rows) { print; bad = 1 } }
        END { exit bad }' || fail "$1: a column is shorter than /t ($rows)"
    [ "$rows" -eq 0 ] && return
    last=$(h5dump -d /t -s $((rows - 1)) -c 1 -y -m %.9f "$1" | grep -oE '^ *[0-9]+\.[0-9]+' | tr -d ' ')
    awk -v last="$last" -v rows="$rows" 'BEGIN { d = last - (rows - 1) * 0.0001; exit d > 1e-6 || d < -1e-6 }' ||
        fail "$1: row $rows is at t = $last"
    seen=$((seen + 1))
}

# Waits until a file that a running job writes has so many bytes, however long that takes.
wait_for() { # JOB FILES BYTES
    local size=0
    while kill -0 "$1" 2>/dev/null && [ "$size" -lt "$3" ]; do
        sleep 0.02
        size=$(cat $2 2>/dev/null | wc -c)
    done
}

seen=0
for delay in 0.01 0.05 0.1 0.15 0.2 0.25 0.3 0.4 0.5 0.7 1 2 4 8 16 32; do
    [ "${delay%.*}" -gt 0 ] && [ "$seen" -gt 0 ] && break # only a busy machine needs so long for its first row
    "${run[@]}" --out killed.h5 >answer 2>&1 &
    sleep "$delay"
    kill -KILL $! || fail "the run ended too early: $(cat answer)"
    wait $! 2>/dev/null
    [ -e killed.h5 ] && check_h5 killed.h5
    rm -f killed.h5*
done
[ "$seen" -gt 0 ] || fail "no killed run had written a row: nothing was tested"

echo older >kept.csv
"${run[@]}" --out kept.csv >answer 2>&1 &
wait_for $! 'kept.csv.*.part' 8192
kill -KILL $! || fail "the run ended too early: $(cat answer)"
wait $! 2>/dev/null
[ "$(cat kept.csv)" = older ] || fail "a killed run has replaced an older CSV"
rm -f kept.csv.*

for signal in INT TERM; do
    for name in stopped.csv stopped.h5; do
        # A shell lets its background jobs ignore SIGINT, and so would the program.
        env --default-signal=INT "${run[@]}" --out "$name" >answer 2>errors &
        wait_for $! "$name*" 8192
        kill -$signal $!
        wait $!
        [ $? -eq 3 ] || fail "SIG$signal: status is not 3"
        grep -q '^interrupted at t = ' answer || fail "SIG$signal: $(head -3 answer)"
        [ -s errors ] && fail "SIG$signal: $(cat errors)"
    done
    [ "$(grep -vc '^#' stopped.csv)" -gt 10 ] || fail "SIG$signal: no rows in the CSV"
    tail -n 1 stopped.csv | awk -F , '{ exit NF != 5 }' || fail "SIG$signal: the last row is cut"
    h5dump -d /outcome stopped.h5 | grep -q interrupted || fail "SIG$signal: the HDF5 file is not closed"
    rm -f stopped.*
done

echo older >full.csv
echo older >full.h5
for name in full.csv full.h5; do
    (ulimit -f 200; exec "${run[@]}" --out "$name" >answer 2>errors)
    [ $? -eq 3 ] || fail "$name: status is not 3"
    [ "$(cat errors)" = "--out $name: cannot write: File too large" ] || fail "$name: $(cat errors)"
    grep -q '^interrupted at t = ' answer || fail "$name: $(head -3 answer)"
done
[ "$(cat full.csv)" = older ] || fail "a full disk has cost an older CSV"
[ "$(head -c 5 full.h5)" = older ] || check_h5 full.h5
[ "$(find . -name '*.part' | wc -l)" -eq 0 ] || fail "left behind: $(ls)"

if [ -w /dev/full ]; then
    "$program" simulate "$root/models/block-on-floor.yaml" >/dev/full 2>errors
    [ $? -eq 3 ] || fail "an answer that cannot be written: status is not 3"
    [ "$(cat errors)" = "standard output: No space left on device" ] || fail "/dev/full: $(cat errors)"
fi
