// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Definitions of callers who may be older than the library.
#include "core/definition.h"

#include "core/error.h"

#include <string.h>

ss_status ss_take_def(void* own, size_t size, const void* def, const char* maker, ss_error* err)
{
    size_t given;
    if (!def) return SS_OK;
    memcpy(&given, def, sizeof given);
    if (given <= sizeof given || given > size)
        return ss_fail(err, SS_BAD_INPUT, "size",
                       "a definition is made by %s(), as large as this library's (%zu bytes) or smaller; "
                       "this one says %zu",
                       maker, size, given);
    memcpy(own, def, given);
    memcpy(own, &size, sizeof size);
    return SS_OK;
}

ss_status ss_take_list(const void* list, int count, size_t theirs, const void* standard, size_t ours,
                       const void** out, void** copy, ss_error* err)
{
    *out = list;
    *copy = NULL;
    if (theirs == ours || count < 1) return SS_OK;
    if (theirs == 0 || theirs > ours)
        return ss_fail(err, SS_BAD_INPUT, "size", "elements of %zu bytes are newer than this library's (%zu)",
                       theirs, ours);
    char* own = ss_new((size_t)count, ours);
    if (!own) return ss_fail_no_memory(err);
    for (size_t k = 0; k < (size_t)count; k++) {
        memcpy(own + k * ours, standard, ours);
        memcpy(own + k * ours, (const char*)list + k * theirs, theirs);
    }
    *out = *copy = own;
    return SS_OK;
}
