#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# The pages agree with the tree: links between them lead somewhere, their lines are wrapped, the version is the
# same everywhere, the man pages are well-formed, and slipstick(1) has every option that
# `slipstick COMMAND --help` has: in the synopsis of the command (but for the common ones) and with its
# explanation.
#
# check_pages.sh BUILD-FOLDER
set -eu
program=$(readlink -f "$1")/slipstick
cd "$(dirname "$0")/.."
bad=0
say() { echo "$1"; bad=1; }

for page in $(find . -name '*.md' -not -path './build/*' -not -path '*/node_modules/*' | sort); do
    for link in $(grep -oE '\]\([^)# ]+' "$page" | cut -c 3- | grep -vE '^[a-z]+:' || true); do
        [ -e "$(dirname "$page")/$link" ] || say "$page: the link to $link leads nowhere"
    done
done

# Lines of text, outside code, tables, headings and pictures, are wrapped; what has no space cannot be.
for page in $(find . -name '*.md' -not -path './build/*' -not -path '*/node_modules/*' | sort); do
    long=$(awk -v most=110 '/^ *(```|~~~)/ { code = !code; next }
        !code && length > most && !/^(    |\||#|!\[)/ && /^.*[^ ] +[^ ]/ { printf "%d ", FNR }' "$page")
    [ -z "$long" ] || say "$page: lines $long are longer than 110 columns"
done

version=$(sed -n 's/^project(slipstick VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -qE "^## $version( |\$)" CHANGELOG.md || say "CHANGELOG.md: no section for $version"
for page in docs/man/slipstick.1 docs/man/slipstick-model.5; do
    head -20 "$page" | grep -q "Slipstick $version" || say "$page: not about $version"
    complaint=$(groff -man -ww -z -Tutf8 "$page" 2>&1)
    [ -z "$complaint" ] || say "$complaint"
done
docs/man/make_model_page.py --check || bad=1

page=docs/man/slipstick.1
for command in $("$program" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    synopsis=$(sed -n "/^\.B slipstick $command/,/^\.br/p" $page)
    for option in $("$program" "$command" --help | sed -n 's/^  \(-[-a-z]*\).*/\1/p'); do
        written=${option//-/\\\\-}
        grep -qE "^\.BI? $written( |\$)|\" $written " $page || say "$page: nothing is said about $option of $command"
        case $option in --set | --json | --tolerance | --max-events | --help) continue ;; esac
        grep -qE "$written( |\$)" <<<"$synopsis" || say "$page: the synopsis of $command lacks $option"
    done
done
exit $bad
