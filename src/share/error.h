// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Errors as the library fills them, and words in them: for the libraries and the front ends of this
// repository.
#ifndef SLIPSTICK_SHARE_ERROR_H
#define SLIPSTICK_SHARE_ERROR_H

#include "slipstick/status.h"

#if defined(__GNUC__)
#define SS_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SS_PRINTF(text, first)
#endif

/// Fills an error (NULL is welcome) as the library does, for callers that pass errors on through its
/// functions: status, field (NULL: none) and text, and clears the rest. Returns status, so that one can write
/// `return ss_fail(err, SS_BAD_INPUT, "bodies[0].mass", "must be positive, not %g", mass);`
ss_status ss_fail(ss_error* err, ss_status status, const char* field, const char* format, ...)
    SS_PRINTF(4, 5);
ss_status ss_fail_no_memory(ss_error* err);

/// The candidate that a mistyped word was probably meant to be ("--utnil": "--until"), or NULL.
const char* ss_suggest(const char* word, const char* const candidates[], int count);

enum { SS_VISIBLE_SIZE = 8 };
/// One character of a text in UTF-8 as it can be shown to people: itself; where a terminal would obey it and
/// not show it (controls other than line breaks and tabs, overrides of direction), as \x1b or \u202e; a byte
/// that is no text as \xff. Returns how many of the bytes it takes, 0 where the rest of it is missing.
size_t ss_visible(const char* bytes, size_t left, char out[SS_VISIBLE_SIZE]);

#endif
