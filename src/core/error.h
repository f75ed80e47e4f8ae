// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Filling the caller's error, and allocation that cannot overflow.
#ifndef SLIPSTICK_CORE_ERROR_H
#define SLIPSTICK_CORE_ERROR_H

#include "slipstick/status.h"

#if defined(__GNUC__)
#define SS_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SS_PRINTF(text, first)
#endif

/// Sets status, field and text, clears the rest; err may be NULL. Returns status, so that callers can write
/// `return ss_fail(err, SS_BAD_INPUT, "bodies[0].mass", "must be positive, not %g", mass);`
ss_status ss_fail(ss_error* err, ss_status status, const char* field, const char* format, ...)
    SS_PRINTF(4, 5);
ss_status ss_fail_no_memory(ss_error* err);

/// Zeroed memory for count elements, NULL on overflow or when there is none. count = 0 gives a valid pointer.
void* ss_new(size_t count, size_t size);

#endif
