// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Open models along a step: states of first order, inputs, and what expressions of the motion do.
#ifndef SLIPSTICK_FLOW_OPEN_H
#define SLIPSTICK_FLOW_OPEN_H

#include "engine/sim.h"
#include "model/actions.h"

enum { SS_CROSSINGS = 5 }; ///< of an edge, that are remembered

/// The programs of a run.
typedef struct ss_open_programs {
    ss_run motion;   ///< decides the pieces
    ss_run shown;    ///< signals and energies of potentials
    double* pieces;  ///< of all kinks
    double* start;   ///< the same as the instant found them
    double* copy;    ///< the same, for evaluations at a point
    bool begun;      ///< the present instant has begun its series
    bool bad;        ///< an output is not finite, or not analytic, here
    double* point;   ///< all variables at a point
    double* outputs; ///< of the motion at a point
    double* sizes;   ///< of the motion's outputs at the start of the step
    bool sized;      ///< they are known
    double* seen;    ///< outputs of the program of what is shown
    bool* crossing;  ///< kinks of the motion that change their piece where the step ends
    // edges (open_edges.c)
    int held;          ///< kink whose edge holds at this instant, or -1
    double share;      ///< of its side above
    bool probing;      ///< a side is tried
    int limit;         ///< kink about whose edge infinitely many swings end, or -1
    double left;       ///< s: until then
    double* crossings; ///< SS_CROSSINGS times per kink of the motion
    double *accel, *rate, *mixed;
} ss_open_programs;

/// A contact some of whose levels follow the motion.
typedef struct ss_open_following {
    int contact;
    int output[4]; ///< of the motion: of each level, or -1
    double* raw;   ///< 4 x (SS_MAX_ORDER + 1): the levels as given
    int larger[2]; ///< +1: the static level is in force at rest; -1: the kinetic one; 0: both alike
} ss_open_following;

void ss_open_begin_levels(ss_sim* sim);
/// Coefficients k of the levels, from those of the outputs.
void ss_open_follow_levels(ss_sim* sim, int k);
/// Sum of the magnitudes of the terms of an output of the motion at the start of the step.
double ss_open_output_size(const ss_sim* sim, int output);

/// open_edges.c: decides jumps that are on their edge without speed across it.
void ss_open_decide_edges(ss_sim* sim);
/// Outputs of the motion where an edge holds.
void ss_open_mix(ss_sim* sim, double out[]);
/// The edge of kink j was crossed at t.
void ss_open_count_crossing(ss_sim* sim, int j, double t);

/// All variables at s of the present step, and what is shown of them; false where something is not finite.
void ss_open_point(const ss_sim* sim, double s, double point[]);
bool ss_open_show(const ss_sim* sim, double s);

#endif
