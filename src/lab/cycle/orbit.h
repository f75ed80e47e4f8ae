// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion over a given time together with its derivative with respect to the start, across events.
#ifndef SLIPSTICK_LAB_ORBIT_H
#define SLIPSTICK_LAB_ORBIT_H

#include "engine/sim.h"

enum { SS_GAUSS_STAGES = 6 };

typedef struct ss_events {
    ss_event* items;
    size_t count, room;
    bool failed; ///< out of memory
} ss_events;

/// Largest and smallest position of each body, and the last point looked at.
typedef struct ss_extent {
    double low, high;
    double t, x, v, a;
} ss_extent;

/// Asked now and then while a motion runs; true ends it.
typedef bool ss_orbit_stop(void* user);

typedef struct ss_orbit {
    const ss_model* model;
    ss_sim* sim;
    int n, width;    ///< coordinates; width = 2 n: coordinates, then their speeds
    double* start_x; ///< bodies: the model's start, with its ties
    double *body_x, *body_v;
    ss_events events; ///< of the last motion followed
    ss_extent* extents;
    ss_outcome outcome; ///< SS_TIME_REACHED, or why the motion ended before
    double end_t;
    ss_orbit_stop* stop; ///< may be NULL
    void* user;
    bool no_memory;        ///< for a step of the variational equation
    bool stopped;          ///< stop said so: what was to be computed is not
    double *state, *slope; ///< width: at the end, and its time derivative
    double* monodromy;     ///< width x width: d state / d start
    bool
        coupled; ///< contacts that act on each other switched at one instant: D holds for one order of theirs

    // scratch
    double *jacobian, *jacobian_scratch;
    double* stages;       ///< Jacobians of the stages, SS_GAUSS_STAGES of n x width
    double *system, *rhs; ///< collocation: SS_GAUSS_STAGES width squared, and times width
    int* pivots;
    double *normals, *rates; ///< of the events at one instant: gradient and rate of each surface
    double *jump, *forces, *before, *product;
    double drive_acceleration; ///< of a driven body that is struck, along the contact
    bool replay;               ///< events are known already
    bool plain;                ///< the monodromy is not wanted
    double* stride;            ///< width x width: what a step of a linear mode does to the monodromy
    double node[SS_GAUSS_STAGES], weight[SS_GAUSS_STAGES], inner[SS_GAUSS_STAGES][SS_GAUSS_STAGES];
} ss_orbit;

ss_status ss_orbit_create(const ss_model* model, const ss_sim_def* settings, ss_orbit** out, ss_error* err);
void ss_orbit_destroy(ss_orbit* orbit);

/// The state (width) of the model's own start.
void ss_orbit_get_start(const ss_orbit* orbit, double state[]);
/// Distance left before stop i in a state, with driven bodies where they start; negative beyond it.
double ss_orbit_gap(ss_orbit* orbit, int i, const double state[]);
/// Starts anew from a state.
ss_status ss_orbit_restart(ss_orbit* orbit, const double state[], ss_error* err);
/// Goes on to time t from where the run is; fills state and slope, not the monodromy.
ss_status ss_orbit_advance(ss_orbit* orbit, double t, ss_error* err);

/// The motion from a state for a time: outcome, events, state and slope. Nothing is differentiated.
ss_status ss_orbit_run(ss_orbit* orbit, const double start[], double time, ss_error* err);
/// After ss_orbit_run from the same start for the same time, which it got to: extents as well, and the
/// monodromy where that is wanted.
ss_status ss_orbit_differentiate(ss_orbit* orbit, const double start[], double time, bool monodromy,
                                 ss_error* err);

/// Follows the motion from a state for a time: events, extents, state, slope and monodromy. Where the motion
/// ends earlier (at rest, escaped), outcome says so and the rest is not filled. An event whose derivative is
/// not defined is an error that names it.
ss_status ss_orbit_follow(ss_orbit* orbit, const double start[], double time, ss_error* err);

#endif
