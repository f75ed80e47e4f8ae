// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The present step: the motion as power series in the time s since its start,
//
//     q(t + s) = sum_k q[k] s^k,   0 <= s <= length,
//
// how it ends, and what the choice of the next one rests on. In contact with an elastic stop s may be another
// parameter than the time: see clock.c.
#ifndef SLIPSTICK_ENGINE_RUN_STEP_H
#define SLIPSTICK_ENGINE_RUN_STEP_H

#include "core/expression/signal_series.h"
#include "engine/run/laws.h"

#include <stdbool.h>

/// How the present step ends.
typedef enum ss_step_end {
    SS_STEP_BOUND,          ///< its series are good no further
    SS_STEP_BREAK,          ///< at a breakpoint of a table
    SS_STEP_EVENT,          ///< at an event of a contact
    SS_STEP_EVENT_AT_BREAK, ///< at both at once
    SS_STEP_KINK,           ///< where an input kinks, or two levels cross
    SS_STEP_ESCAPE,         ///< where a body leaves the region that the caller has set
} ss_step_end;

/// The present step: the motion as series in s since its start, and how it ends. Flow writes it, locate
/// shortens it, record moves it on.
typedef struct ss_step {
    double t;                            ///< its start
    double length;                       ///< up to which s the series is valid and free of events
    double now;                          ///< the s that the caller has reached
    int order;                           ///< highest coefficient of q
    bool ready;                          ///< the step is computed
    double power[SS_MAX_ORDER + 1];      ///< length^k, while events are located
    double rate_power[SS_MAX_ORDER + 1]; ///< (k + 1) length^k
    double powers_of;                    ///< the length they belong to
    int power_count;
    ss_step_end end;
    double* q;           ///< (SS_MAX_ORDER + 1) x n
    double* d;           ///< (SS_MAX_ORDER + 1) x drives
    double* s;           ///< (SS_MAX_ORDER + 1) x states
    double* lambda;      ///< (SS_MAX_ORDER + 1) x contacts
    ss_law_series laws;  ///< what laws keep along it
    ss_step_clock clock; ///< its parameter, where that is not the time
} ss_step;

/// What the choice of the next step rests on.
typedef struct ss_step_control {
    double rate;     ///< 1/s: of the model and its harmonic inputs
    double interval; ///< s: running estimate of the time between events
    double swing;    ///< s: between the last two events; INFINITY before
    int swing_order; ///< with which one step took a body from reversal to reversal, or 0
    double last_event;
    long steps;
    double tolerance;
} ss_step_control;

#endif
