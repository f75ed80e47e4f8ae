#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# The pages agree with the tree: links between them lead somewhere, the version is the same everywhere, and
# the man pages are well-formed.
set -eu
cd "$(dirname "$0")/.."
bad=0
say() { echo "$1"; bad=1; }

for page in $(find . -name '*.md' -not -path './build/*' | sort); do
    for link in $(grep -oE '\]\([^)# ]+' "$page" | cut -c 3- | grep -vE '^[a-z]+:' || true); do
        [ -e "$(dirname "$page")/$link" ] || say "$page: the link to $link leads nowhere"
    done
done

version=$(sed -n 's/^project(slipstick VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -qE "^## $version( |\$)" CHANGELOG.md || say "CHANGELOG.md: no section for $version"
for page in docs/man/slipstick.1 docs/man/slipstick-model.5; do
    head -20 "$page" | grep -q "Slipstick $version" || say "$page: not about $version"
    complaint=$(groff -man -ww -z -Tutf8 "$page" 2>&1)
    [ -z "$complaint" ] || say "$complaint"
done
docs/man/make_model_page.py --check || bad=1
exit $bad
