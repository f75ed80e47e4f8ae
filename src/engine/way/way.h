// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ways through a smooth stretch of the motion, behind one interface. The loop asks them in the order of a
// table; the first that applies goes along. What follows from the model and the motion chooses a way, never
// what is kept of it.
//
//     spectral   linear and steady, in closed form: leaps, ticks of a controller, cells of tables
//     taylor     all that is smooth: series in time, by the clock of a stop, by the speed of a contact
//     radau      stiff: collocation
//
// A way either passes whole stretches without a step (pass), or makes the step that begins at a decided
// instant (make): a polynomial in the arrays of ss_step, which locate shortens and record commits.
#ifndef SLIPSTICK_ENGINE_WAY_WAY_H
#define SLIPSTICK_ENGINE_WAY_WAY_H

#include "engine/sim.h"

/// What a way has done with a run that was to get to some time.
typedef enum ss_passed {
    SS_PASSED_NOTHING, ///< it does not apply here
    SS_PASSED_ON,      ///< the run is further on, and the loop goes round
    SS_PASSED_EVENT,   ///< it is at an event, which has been marked, with no step at hand
    SS_PASSED_CELLS,   ///< it has come to the last cell of a long step, of which it has the series
    SS_PASSED_BEFORE,  ///< it is at that time, or so shortly before that the step made next holds it
    SS_PASSED_WITHIN,  ///< that time lies on the step at hand
    SS_PASSED_THERE    ///< it lies there, and the caller has been taken to it
} ss_passed;

typedef struct ss_stretch {
    ss_passed how;
    double from; ///< s: when it began, of one that ends in an event
} ss_stretch;

/// When the run is asked for: `until` by the caller; `stop` is that, or a tick before.
typedef struct ss_aim {
    double until, stop;
} ss_aim;

typedef struct ss_way {
    const char* name;
    bool clocked; ///< the parameter of its steps is another than time
    /// Of ways that pass stretches, NULL for others.
    ss_status (*pass)(ss_sim* sim, const ss_aim* aim, ss_stretch* out, ss_error* err);
    /// Of ways that make steps, `order` being the first that select has not found: false where it does not
    /// apply, and nothing has changed. NULL for others.
    bool (*make)(ss_sim* sim, int order);
} ss_way;

// ways.c
/// Asks the ways that pass stretches.
ss_status ss_pass_stretch(ss_sim* sim, const ss_aim* aim, ss_stretch* out, ss_error* err);
/// Lets the first way that applies make the step that begins here, and ends it at a breakpoint of inputs.
/// in_time: its length is given as a time.
void ss_make_step(ss_sim* sim, int order, bool in_time);

// cells.c
/// Moves along the long step at hand to `until`, or to its end, and provides the series from there; the
/// ledger sees every cell of it.
void ss_pass_cells(ss_sim* sim, double until);

// Spectral
extern const ss_way ss_way_leap;  ///< proof/leap.c
extern const ss_way ss_way_ticks; ///< sampled/sampled.c
extern const ss_way ss_way_cells; ///< cells.c
// Taylor
extern const ss_way ss_way_speed_clock; ///< flow/speed_clock.c
extern const ss_way ss_way_stop_clock;  ///< flow/series.c
extern const ss_way ss_way_series;      ///< flow/series.c
// Radau
extern const ss_way ss_way_collocation; ///< flow/stiff/stiff.c

#endif
