#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# Installs a build into an empty folder and uses it from there, as somebody else's project would:
#   headers       each public header alone, as C17 and as C++
#   pkg-config    the examples against the shared libraries
#   static        the examples against the static library
#   find_package  the same in a CMake project
#   program       the program and its man page
#
# run.sh WHAT BUILD-FOLDER
set -eu
what=$1 build=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/usr
cmake --install "$build" --prefix "$prefix" >/dev/null
libdir=$(dirname "$(find "$prefix" -name libslipstick.so)")
export PKG_CONFIG_PATH=$libdir/pkgconfig
warnings="-Wall -Wextra -Wpedantic -Werror"

compare() { # EXPECTED PROGRAM ARGUMENTS
    LD_LIBRARY_PATH=$libdir "${@:2}" | diff "$1" -
}

library_of() { # SOURCE
    if grep -q '<slipstick/lab.h>' "$1"; then echo slipstick-lab; else echo slipstick; fi
}

blocks() { # LANGUAGE: the lines of all such blocks of README.md
    awk -v open="\`\`\`$1" '$0 == open { inside = 1; next } /^```/ { inside = 0 } inside' "$root/README.md"
}

case $what in
headers)
    for header in "$prefix"/include/slipstick/*.h; do
        echo "#include \"slipstick/$(basename "$header")\"" >"$work/one.c"
        cc -std=c17 $warnings -fsyntax-only -I"$prefix/include" "$work/one.c"
        c++ -std=c++17 $warnings -fsyntax-only -x c++ -I"$prefix/include" "$work/one.c"
    done ;;
pkg-config)
    for source in "$root"/examples/*.c; do
        library=$(library_of "$source")
        cc -std=c17 $warnings "$source" -o "$work/example" $(pkg-config --cflags --libs "$library") -lm
        compare "${source%.c}.out" "$work/example"
    done
    cc -std=c17 $warnings "$here/load_library.c" -o "$work/load" $(pkg-config --cflags --libs slipstick-lab)
    compare "$here/load.out" "$work/load" "$root/models/block-on-floor.yaml" ;;
static)
    for source in "$root"/examples/*.c; do
        [ "$(library_of "$source")" = slipstick ] || continue # the other one needs more than itself
        cc -std=c17 $warnings "$source" -o "$work/example" $(pkg-config --cflags slipstick) \
            "$libdir/libslipstick.a" -lm
        "$work/example" | diff "${source%.c}.out" -
    done ;;
find_package)
    cmake -S "$here" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release \
        -DEXAMPLE="$root/examples/block.c" >"$work/log" || { cat "$work/log"; exit 1; }
    cmake --build "$work/build" >"$work/log" || { cat "$work/log"; exit 1; }
    compare "$root/examples/block.out" "$work/build/example"
    compare "$root/examples/block.out" "$work/build/example-static"
    compare "$here/load.out" "$work/build/load" "$root/models/block-on-floor.yaml"
    mkdir "$work/readme"
    blocks cmake >"$work/readme/CMakeLists.txt"
    blocks c >"$work/readme/two.c"
    cmake -S "$work/readme" -B "$work/two" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" || { cat "$work/log"; exit 1; }
    cmake --build "$work/two" >"$work/log" || { cat "$work/log"; exit 1; }
    cd "$root" && LD_LIBRARY_PATH=$libdir "$work/two/two" | grep -q '^at-rest at x = ' ;;
program)
    "$prefix/bin/slipstick" --version | grep -qF "$(pkg-config --modversion slipstick)"
    "$prefix/bin/slipstick" check "$root/models/block-on-floor.yaml" >/dev/null
    if [ -x "$build/slipstick-mpi" ]; then [ -x "$prefix/bin/slipstick-mpi" ]; fi
    [ -s "$prefix/share/man/man1/slipstick.1" ]
    [ -s "$prefix/share/man/man5/slipstick-model.5" ]
    for script in bash-completion/completions/slipstick zsh/site-functions/_slipstick \
        fish/vendor_completions.d/slipstick.fish; do [ -s "$prefix/share/$script" ]; done
    [ -s "$(find "$prefix/share/doc" -name model-file.md)" ] ;;
*) echo "run.sh: unknown check '$what'" >&2; exit 2 ;;
esac
