// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Arrays that grow as they are filled.
#ifndef SLIPSTICK_CORE_GROW_H
#define SLIPSTICK_CORE_GROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Makes sure that one element more than count fits into an array: where *room elements of the given size
/// are all there is, it is given twice as many. array is the address of the pointer. False where memory is
/// short, and all stays as it was.
static inline bool ss_grow(void* array, size_t count, size_t* room, size_t size)
{
    enum { FIRST_ROOM = 64 };
    void *old, *larger;
    if (count < *room) return true;
    size_t wanted = *room ? 2 * *room : FIRST_ROOM;
    if (size > 0 && wanted > SIZE_MAX / size) return false;
    memcpy(&old, array, sizeof old);
    larger = realloc(old, size > 0 ? wanted * size : 1);
    if (!larger) return false;
    memcpy(array, &larger, sizeof larger);
    *room = wanted;
    return true;
}

#endif
