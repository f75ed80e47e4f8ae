// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Allocation that cannot overflow, beside the filling of errors (slipstick/status.h).
#ifndef SLIPSTICK_CORE_ERROR_H
#define SLIPSTICK_CORE_ERROR_H

#include "share/error.h"

/// Zeroed memory for count elements, NULL on overflow or when there is none. count = 0 gives a valid pointer.
void* ss_new(size_t count, size_t size);

#endif
