// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A branch as it grows: points, special points and how it ended.
#ifndef SLIPSTICK_LAB_FOLLOW_SOLUTION_BRANCH_H
#define SLIPSTICK_LAB_FOLLOW_SOLUTION_BRANCH_H

#include "slipstick/follow.h"

/// Numbers of one point, in one block of memory.
typedef struct ss_solution_branch_record {
    double value, period;
    bool stable, neutral;
    long events;
    int spectrum_count;
    double *amplitude, *middle; ///< bodies, then states
    double *x, *v;              ///< bodies
    double* states;
    double (*spectrum)[2];
    double* block;
} ss_solution_branch_record;

typedef struct ss_special {
    ss_special_kind kind;
    ss_solution_branch_record record;
    char contact[128], what[128];
    long after;
} ss_special;

struct ss_solution_branch {
    bool steady, unfinished;
    int bodies, states, room; ///< room: numbers of the spectrum
    char* path;
    char unit[64]; ///< of the number that varies, or ""
    ss_model* model;
    ss_solution_branch_record* points;
    size_t point_count, point_room;
    ss_special* specials;
    size_t special_count, special_room;
    char end[256];
};

bool ss_solution_branch_record_make(const ss_solution_branch* branch, ss_solution_branch_record* record);
void ss_solution_branch_record_free(ss_solution_branch_record* record);
void ss_solution_branch_record_copy(const ss_solution_branch* branch, const ss_solution_branch_record* from,
                                    ss_solution_branch_record* to);
/// Sorts the spectrum, the least stable first: by size (multipliers) or by real part (eigenvalues).
void ss_solution_branch_record_sort(const ss_solution_branch* branch, ss_solution_branch_record* record);

/// Adds a copy; false without memory.
bool ss_solution_branch_add(ss_solution_branch* branch, const ss_solution_branch_record* record);
/// Adds a special point after the present last point; contact and what may be "".
bool ss_solution_branch_mark(ss_solution_branch* branch, ss_special_kind kind,
                             const ss_solution_branch_record* record, const char* contact, const char* what);

#endif
