// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Definitions of callers who may be older than the library. A definition begins with its size as the caller
// knows it; members that have come since are not in it, and are as the library's own default has them.
#ifndef SLIPSTICK_CORE_DEFINITION_H
#define SLIPSTICK_CORE_DEFINITION_H

#include "share/error.h"

/// own: the defaults, which def (NULL: none) replaces as far as it goes. maker is what a caller makes such a
/// definition by; it is told where the size makes no sense, or is that of a newer library.
ss_status ss_take_def(void* own, size_t size, const void* def, const char* maker, ss_error* err);

/// The same for elements of a list, which are as large as their definition says. *out is theirs where they
/// are as large as ours, else a copy, with standard where they end, to be freed as *copy.
ss_status ss_take_list(const void* list, int count, size_t theirs, const void* standard, size_t ours,
                       const void** out, void** copy, ss_error* err);

#endif
