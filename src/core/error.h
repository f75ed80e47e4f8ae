// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Allocation that cannot overflow, beside more on the filling of errors (slipstick/status.h).
#ifndef SLIPSTICK_CORE_ERROR_H
#define SLIPSTICK_CORE_ERROR_H

#include "share/error.h"

/// Zeroed memory for count elements, NULL on overflow or when there is none. count = 0 gives a valid pointer.
void* ss_new(size_t count, size_t size);

/// Marks the fault, if there is somebody to tell, as that of a number which its key does not admit. Returns
/// status.
static inline ss_status ss_fail_out_of_range(ss_error* err, ss_status status)
{
    if (err) err->out_of_range = true;
    return status;
}

#endif
