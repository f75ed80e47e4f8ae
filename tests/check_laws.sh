#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
#
# What a law is and does stands in src/law; whoever else wants to know asks its entry (law/table.h) or its traits.
# Says where a law is named outside, by its kind, its entry or its name in model files.
set -eu
cd "$(dirname "$0")/.."

# Coulomb is what a contact has where nobody says otherwise: a definition not yet filled in, and the contacts
# of a system given by its matrices.
may='^src/model/model\.c:.*\.law = SS_LAW_COULOMB|^src/model/build/assemble\.c:.*(\.(law|given) = SS_LAW_COULOMB|ss_coulomb_law)'

rows=$(sed -n 's/^ *\[SS_LAW_[A-Z_]*\] = &\(ss_[a-z_]*_law\),$/\1/p' src/law/table.c)
kinds=$(sed -n 's/^ *\[\(SS_LAW_[A-Z_]*\)\] = .*/\1/p' src/law/table.c)
names=$(sed -n 's/^ *\.name = \("[a-z-]*"\),$/\1/p' src/law/*.c)
[ "$(echo "$rows" | wc -l)" -ge 11 ] && [ "$(echo "$kinds" | wc -l)" -ge 11 ] && [ "$(echo "$names" | wc -l)" -ge 11 ] || {
    echo "the table of laws is not where it was"
    exit 1
}
words=$(printf '%s\n' $rows $kinds $names | paste -sd '|')
sources=$(find src cli -name '*.[ch]' ! -path 'src/law/*' ! -path 'src/core/*') # core knows no laws, but the unit coulomb
# Comments may speak of laws.
found=$(grep -nE "(^|[^A-Za-z_])($words)($|[^A-Za-z_])" $sources | grep -vE '^[^:]*:[0-9]*: *(//|\*)' | grep -vE "$may" || true)
found+=$(grep -nE 'switch *\([^)]*law' $sources || true)
[ -z "$found" ] || {
    echo "$found"
    echo "a law is named outside src/law: ask for a trait, or the entry"
    exit 1
}
