// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A branch as it grows: points, special points and how it ended.
#ifndef SLIPSTICK_LAB_TRAIL_H
#define SLIPSTICK_LAB_TRAIL_H

#include "slipstick/follow.h"

/// Numbers of one point, in one block of memory.
typedef struct ss_trail_record {
    double value, period;
    bool stable;
    long events;
    int spectrum_count;
    double *amplitude, *middle; ///< bodies, then states
    double *x, *v;              ///< bodies
    double* states;
    double (*spectrum)[2];
    double* block;
} ss_trail_record;

typedef struct ss_special {
    ss_special_kind kind;
    ss_trail_record record;
    char contact[128], what[128];
    long after;
} ss_special;

struct ss_trail {
    bool steady, unfinished;
    int bodies, states, room; ///< room: numbers of the spectrum
    char* path;
    ss_dimension dimension;
    bool has_unit;
    int angle; ///< see ss_fit_number
    ss_model* model;
    ss_trail_record* points;
    size_t point_count, point_room;
    ss_special* specials;
    size_t special_count, special_room;
    char end[256];
};

bool ss_trail_record_make(const ss_trail* branch, ss_trail_record* record);
void ss_trail_record_free(ss_trail_record* record);
void ss_trail_record_copy(const ss_trail* branch, const ss_trail_record* from, ss_trail_record* to);
/// Sorts the spectrum, the least stable first: by size (multipliers) or by real part (eigenvalues).
void ss_trail_record_sort(const ss_trail* branch, ss_trail_record* record);

/// Adds a copy; false without memory.
bool ss_trail_add(ss_trail* branch, const ss_trail_record* record);
/// Adds a special point after the present last point; contact and what may be "".
bool ss_trail_mark(ss_trail* branch, ss_special_kind kind, const ss_trail_record* record, const char* contact,
                   const char* what);

#endif
