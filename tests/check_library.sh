#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# What libslipstick promises to whoever embeds it, read off the built files:
#   needs     libc and libm, nothing else
#   quiet     it neither prints nor exits nor aborts
#   stateless no variable that can change: everything lives in the caller's objects
#
# check_library.sh WHAT BUILD-FOLDER
set -eu
what=$1 shared=$2/libslipstick.so static=$2/libslipstick.a
export LC_ALL=C

complain() { # MESSAGE LINES
    [ -z "$2" ] && return 0
    printf '%s\n%s\n' "$1" "$2"
    exit 1
}

case $what in
needs)
    readelf -d "$shared" | grep -q 'SONAME.*\[libslipstick\.so\.[0-9]*\]' || complain "$shared:" "has no SONAME"
    complain "$shared needs more than libc and libm:" \
        "$(readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm)\.so\.6$' || true)" ;;
quiet)
    # snprintf and friends write to memory and are welcome.
    forbidden='_*(f|v|vf|d|vd)?w?printf(_chk)?|f?puts|f?putc|putchar|_IO_putc|fwrite|write|perror|std(in|out|err)'
    forbidden="$forbidden|_*exit|_Exit|quick_exit|abort|__assert_fail|raise|longjmp|__longjmp_chk|signal|system"
    complain "$shared calls what a library must not call:" \
        "$(nm -D --undefined-only "$shared" | sed 's/.* //; s/@.*//' | grep -xE "$forbidden" || true)" ;;
stateless)
    complain "$static keeps state of its own:" \
        "$(size -A "$static" | awk '/:$/ || /ex / { file = $1 }
            $1 ~ /^\.(t?data|t?bss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print file, $1, $2 " bytes" }')" ;;
*) echo "check_library.sh: unknown check '$what'" >&2; exit 2 ;;
esac
