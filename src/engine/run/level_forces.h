// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a run keeps of levels that follow forces; flow/level_forces.h tells the equations. All of it is found
// anew where a step begins, and is not saved with the run.
#ifndef SLIPSTICK_ENGINE_RUN_LEVEL_FORCES_H
#define SLIPSTICK_ENGINE_RUN_LEVEL_FORCES_H

#include "core/expression/program.h"

#include <stdbool.h>

enum { SS_MOST_WAYS = 1 << 15 }; ///< a tenth of a second, where all of them are asked at one instant

/// A group in which some level follows forces; matrices over its places.
typedef struct ss_level_group {
    double* slope;  ///< G and G_H: rows of contacts that slip
    double* solve;  ///< T, with 1 where nothing slips
    double* follow; ///< B, columns of contacts that hold
    double ways;    ///< assignments of modes and pieces: with more than SS_MOST_WAYS they are not all tried
    bool solvable;  ///< T exists
    bool stable;    ///< the determinants of 1 - G and of A are positive, or A is singular
} ss_level_group;

/// The impulses of an impact, and the linear system that they solve: derivatives ask for it.
typedef struct ss_blow {
    int count;       ///< impacts and jams at this instant, 2: or more; the numbers are those of the last one
    int group;       ///< of the model
    bool smooth;     ///< an impact, no jam, and its solution the only one
    double* inverse; ///< of the system, over the places of the group
    double* impulse; ///< per place
    double* scale;   ///< per place: of the row of what gives, 0 where nothing does
    double* target;  ///< per place that gives: minus the share of the speed before that comes back
    signed char* side; ///< per place: -1 or 1 where the impulse is that side of its level, else 0
} ss_blow;

/// Of a run of a model whose expressions use forces.
typedef struct ss_level_forces {
    ss_run motion, slope; ///< at a point
    double* pieces;       ///< of all kinks, as those two take them
    double *point, *outputs, *slopes;
    double* at;                    ///< forces where the levels are linearised: 0, unless `curved`
    bool curved;                   ///< some level is no sum of pieces that are affine in forces
    ss_level_group** groups;       ///< of each group of the model: NULL where no level follows forces
    int* kink_group;               ///< of each kink of the motion: of the forces that it depends on, or -1
    ss_run impulse, impulse_slope; ///< levels of impulses, at a point
    double *impulses, *impulse_slopes;
    ss_blow blow;
    int* impulse_group;    ///< of each kink of these levels, as kink_group
    double *matrix, *work; ///< scratch
    double* share;
    double* rates; ///< of states, before forces were known
    int* order;
} ss_level_forces;

#endif
