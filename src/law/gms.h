// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a GMS contact keeps from step to step.
#ifndef SLIPSTICK_LAW_GMS_H
#define SLIPSTICK_LAW_GMS_H

#include "law/table.h"

typedef struct ss_gms_one {
    double force; ///< N, where the step begins
    bool slips;
} ss_gms_one;

/// What they are together, and each by itself.
typedef struct ss_gms_room {
    double hold, held; ///< N/m and N: of those that stick
    double share;      ///< of those that slip
    ss_gms_one elements[];
} ss_gms_room;

// gms_slopes.c
bool ss_gms_slopes(const void* law, const ss_along* along, int last, ss_element_slopes out[]);
bool ss_gms_by_numbers(const void* law, const void* change, const ss_along* along,
                       const ss_element_slopes slopes[], int last, double* const rate[]);

#endif
