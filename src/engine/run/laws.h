// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What laws keep along the step: series and states of bristles, curves and elastic stops, and the clock of a
// stop.
#ifndef SLIPSTICK_ENGINE_RUN_LAWS_H
#define SLIPSTICK_ENGINE_RUN_LAWS_H

#include "core/expression/signal_series.h"
#include "law/along.h"
#include "law/stop.h"
#include "slipstick/simulation.h"

#include <stdbool.h>

/// What an elastic stop waits for: nothing, or the first derivative that tells where it goes from p = 0 or
/// from an edge of its law.
typedef enum ss_verge { SS_VERGE_NONE, SS_VERGE_TOUCH, SS_VERGE_EDGE } ss_verge;

/// An elastic stop along the present step. Its penetration at the start is -gap of its contact.
typedef struct ss_elastic {
    int contact;
    ss_stop_form form; ///< its formula, of its present branch
    int branch;
    ss_stop law; ///< what it is
    ss_verge verge;
    int on_edge;                  ///< SS_VERGE_EDGE: which one
    bool quiet;                   ///< it is touched, but no number could show what p^n does on this step
    bool inward;                  ///< p grows where the step begins
    int at_edge;                  ///< 1 + the edge that was met at the present instant; 0: none
    int edge_lead[SS_STOP_EDGES]; ///< leading coefficients of each edge that vanish at the step's start
    bool cut_off;                 ///< of a run that is exchanged: penetrated, but without a force
    bool calm;                    ///< p has changed little of late: far from its touch it needs no clock
    int watched;                  ///< steps since it was last asked whether it is calm
    double least, most;           ///< p at their starts
    double p[SS_MAX_ORDER + 1], rate[SS_MAX_ORDER + 1];       ///< penetration, and p'
    double power[SS_MAX_ORDER + 1], square[SS_MAX_ORDER + 1]; ///< p^n; what it is made of
} ss_elastic;

/// A contact with bristles along the present step (flow/bristle_run.h).
typedef struct ss_bristle {
    int contact;
    bool arrived;   ///< v = 0 at the present instant, by an event
    bool turning;   ///< v = 0, and the derivative that tells where it goes is not known yet
    bool still;     ///< v = 0 on the whole step
    bool held;      ///< still because others hold it
    bool stood;     ///< so it was on the step before
    bool begun;     ///< the start has been turned into a state
    bool moved;     ///< it has had a direction before
    ss_along along; ///< series of velocity and states along the step, written by the law

    double load; ///< N: normal force of a loaded contact with which its stored energy was counted last; NaN:
                 ///< it never was

    // hysteresis
    double from;      ///< m: where the monotone branch began
    double work;      ///< J: done on the contact since then, up to the start of the step
    double work_size; ///< J: sum of the magnitudes that make it up
    ss_mode before;   ///< direction when that was last looked at
    double peak;      ///< m/s: speed seen since the last change of direction
} ss_bristle;

/// Series and states that laws keep along the step, beside the force.
typedef struct ss_law_series {
    ss_along* curved; ///< of contacts that hold, and whose force depends on the speed while they slip
    int* curved_at;   ///< per contact: index into curved, or -1
    ss_elastic* elastic;
    int elastic_count;
    int* elastic_at; ///< per contact: index into elastic, or -1
    ss_bristle* bristles;
    int bristle_count;
    int* bristle_at;  ///< per contact: index into bristles, or -1
    double* start;    ///< numbers of all bristles, as of ss_sim_bristles: scratch
    bool start_given; ///< they begin with these
} ss_law_series;

/// A step with a clock of its own (clock.c).
typedef struct ss_step_clock {
    ss_elastic* stop; ///< the elastic stop it belongs to, or NULL: s is the time
    bool allowed;     ///< some stop of the model has use for one
    double pace[SS_MAX_ORDER + 1], elapsed[SS_MAX_ORDER + 1]; ///< dt/ds = sqrt(p), and t(s) - t
    double *speed, *change;                                   ///< series of q' and q'', n wide
    double* drive_speed;                                      ///< drives: constant on the step
} ss_step_clock;

#endif
