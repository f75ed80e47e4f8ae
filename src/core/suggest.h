// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// "did you mean ..?"
#ifndef SLIPSTICK_CORE_SUGGEST_H
#define SLIPSTICK_CORE_SUGGEST_H

/// Number of letters to insert, remove, change or swap to get from a to b, ignoring case; a number above
/// `limit` (at most 3) as soon as it cannot be less.
int ss_edit_distance(const char* a, const char* b, int limit);

/// How many such changes still look like a misspelling of the word: fewer for short words.
int ss_edit_tolerance(const char* word);

#endif
