// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The course of a run: how far it has come, how it ended, what is known of its future, its ledger, and what
// the caller sees.
#ifndef SLIPSTICK_ENGINE_RUN_COURSE_H
#define SLIPSTICK_ENGINE_RUN_COURSE_H

#include "slipstick/simulation.h"

#include <stdbool.h>

struct ss_linear_propagator;
struct ss_divergence;
struct ss_settle;
struct ss_leap;

enum { SS_RUNAWAY_SPANS = 4 };

/// How fast the number of steps grows (runaway.c).
typedef struct ss_runaway {
    long next;                      ///< number of steps at which the present doubling ends
    double t;                       ///< s: when it began
    double spans[SS_RUNAWAY_SPANS]; ///< s: how long the last doublings took, the last first
    double peak, peak_before;       ///< the largest speed in the present doubling, and in the one before
    int doublings;                  ///< in a row in which the motion grew
} ss_runaway;

/// How far the run has come, and how it ended.
typedef struct ss_course {
    bool started, ended, failed;
    ss_error fault; ///< why it failed
    bool diverges;  ///< proved
    ss_outcome outcome;
    double end_t;
    long event_count;
    int stalls;      ///< events at one and the same instant
    int blind_steps; ///< taken to get past such a place
    ss_runaway runaway;
} ss_course;

typedef struct ss_ledger {
    ss_energy energy; ///< input, friction, damping, impact up to t; start
    bool has_powers;  ///< some work is not that of a constant force
} ss_ledger;

/// Bodies, of which coordinates are a part: where they started, and where the caller sees them.
typedef struct ss_places {
    double* offset;  ///< z - T q
    double* start_x; ///< at t = 0
    double* start_v; ///< the speeds there, before any impact
    double *out_x, *out_v;
} ss_places;

/// What a run that stops at events remembers of the last instant: see ss_instant. Written by loop.c (the
/// state before) and by the log (the events); read by ss_sim_instant alone.
typedef struct ss_instant_memory {
    bool wanted; ///< ss_sim_advance_to_event is under way
    double *x, *v;
    ss_contact_state* contacts;
    double* numbers;
    ss_event* events;
    int event_count;
} ss_instant_memory;

/// Ways to flow other than by series: of models that have use for them, or NULL.
typedef struct ss_ways {
    struct ss_stiff* stiff;                  ///< collocation, where bristles or damped stops may be stiff
    struct ss_linear_propagator* propagator; ///< long steps in closed form, of a small steady linear model
    struct ss_speed_clock* speed_clock; ///< the speed of a contact as clock, where its friction falls with it
} ss_ways;

/// What is known of the whole future.
typedef struct ss_proof {
    struct ss_settle* settle;                   ///< of a linear model that is not too large, or NULL
    struct ss_settle_bristles* settle_bristles; ///< of one with bristles that is not too large, or NULL
    struct ss_leap* leap;                       ///< of a small steady linear model, or NULL
    struct ss_divergence* divergence;           ///< where asked for and the model has unstable modes, or NULL
    double resting_since;                       ///< NaN while anything moves
    long swings;                                ///< events of a run with bristles, and at how many of them it
    long ask_at;                                ///< is asked next whether the motion has died out
} ss_proof;

/// Scratch: nothing in it outlives the function that filled it.
typedef struct ss_work {
    double* numbers; ///< of the largest group
    signed char* at;
    double* row;    ///< n + drives + 1
    double* choice; ///< forces of a group as select chose them, while another distribution is tried
    double* share;  ///< share of each held contact in what its group leaves undetermined
    int* index;
    int *note_contacts, *told_contacts; ///< the latter as the note says them
    double* scratch_q;                  ///< 2 (n + drives + states + bristles)
    double* next_state;                 ///< the same
    double* points; ///< SS_GAUSS_POINTS x (2 n + 2 drives): the motion where its powers are asked for
} ss_work;

#endif
