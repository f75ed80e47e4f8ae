#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# The Debian packages: they can be built (without optimising, which is what takes long), lintian finds no error, they
# hold what their names say, and the tests of debian/tests pass on what is in them, unpacked and not installed.
set -eu
cd "$(dirname "$0")/../.."
DEB_BUILD_OPTIONS=noopt ./run package >/dev/null

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
packages="libslipstick0 libslipstick-lab0 libslipstick-dev slipstick slipstick-mpi python3-slipstick octave-slipstick
slipstick-page"
for package in $packages; do dpkg -x build/package/"$package"_*.deb "$root"; done

triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
export UNPACKED=$root PATH=$root/usr/bin:$PATH LD_LIBRARY_PATH=$root/usr/lib/$triplet
export LIBRARY_PATH=$LD_LIBRARY_PATH PYTHONPATH=$root/usr/lib/python3/dist-packages
OCTAVE_PATH=$root$(octave-config -p LOCALFCNFILEDIR):$root$(octave-config -p LOCALAPIOCTFILEDIR)
export OCTAVE_PATH
export PKG_CONFIG_PATH=$root/usr/lib/$triplet/pkgconfig
for test in $(sed -n 's/^Tests: //p' debian/tests/control); do
    work=$root/work-$test
    mkdir "$work"
    AUTOPKGTEST_TMP=$work "debian/tests/$test" >"$work/log" 2>&1 || { cat "$work/log"; echo "debian/tests/$test failed"; exit 1; }
done
for file in bash-completion/completions/slipstick zsh/vendor-completions/_slipstick fish/vendor_completions.d/slipstick.fish \
    man/man1/slipstick.1.gz man/man5/slipstick-model.5.gz; do
    [ -s "$root/usr/share/$file" ] || { echo "$file is in no package"; exit 1; }
done
