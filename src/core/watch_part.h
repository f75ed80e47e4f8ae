// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Asking the caller whether long work goes on, and work that is a part of another.
#ifndef SLIPSTICK_CORE_WATCH_PART_H
#define SLIPSTICK_CORE_WATCH_PART_H

#include "core/error.h"

/// SS_OK, or SS_NOT_FOUND with its text where the watch (may be NULL) says no.
static inline ss_status ss_watch_ask(const ss_watch* watch, double share, ss_error* err)
{
    if (!watch || watch->goes_on(watch->user, share)) return SS_OK;
    return ss_fail(err, SS_NOT_FOUND, NULL, "interrupted");
}

/// Work that is the part from..to of a whole.
typedef struct ss_watch_part {
    const ss_watch* whole; ///< may be NULL
    double from, to;
} ss_watch_part;

static inline bool ss_watch_part_goes_on(void* part, double share)
{
    const ss_watch_part* p = (const ss_watch_part*)part;
    return !p->whole || p->whole->goes_on(p->whole->user, p->from + (p->to - p->from) * share);
}

/// The watch of a part, which must outlive it.
static inline ss_watch ss_watch_of(ss_watch_part* part) { return (ss_watch){ss_watch_part_goes_on, part}; }

#endif
