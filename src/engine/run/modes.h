// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Contacts and groups: which mode each is in, how what holds does, and the impacts of late.
#ifndef SLIPSTICK_ENGINE_RUN_MODES_H
#define SLIPSTICK_ENGINE_RUN_MODES_H

#include "slipstick/simulation.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SS_DECIDE_ORDER = 8,   ///< derivatives looked at before a contact exactly on its boundary counts as held
    SS_BOUNCE_PERIOD = 16, ///< longest pattern of impacts whose limit is looked for, in instants
    SS_BOUNCE_MEMORY = 4 * SS_BOUNCE_PERIOD + 8
};

/// An instant at which stops of a group were struck.
typedef struct ss_strike {
    double t;     ///< s
    double speed; ///< the fastest approach
    uint64_t who; ///< a name for the set of stops
    long number;  ///< counts them
} ss_strike;

/// The last such instants of a group (accumulate.c).
typedef struct ss_bounces {
    int count;
    long number;        ///< instants so far
    double start, peak; ///< when the present chain of impacts began, and the fastest approach in it
    ss_strike at[SS_BOUNCE_MEMORY];
} ss_bounces;

/// What is known of one contact at present.
typedef struct ss_contact_run {
    ss_mode mode;
    ss_mode logged;   ///< mode before the present instant
    bool zero;        ///< v = 0 (friction), or gap = 0 and v = 0 (stop): it takes part in the projection
    bool undecided;   ///< still on the edge at the order being decided
    signed char edge; ///< +1 / -1: force at its upper / lower bound; 2: at both (level 0)
    bool pinned;      ///< holds with its force at the bound, other contacts carry the rest
    bool kinetic;     ///< pinned at its level of slip, which is above the one at rest
    bool idle;        ///< holds without any force, other contacts carry all: see ss_keep_choice
    bool released;    ///< broke loose at this instant: takes the kinetic force, is not held again now
    bool turned;      ///< released, and turned around by others: decided again, between its kinetic levels
    bool shared;      ///< held until now with a force that was not determined
    bool candidate;   ///< its event function may vanish on this step
    bool clear;       ///< it cannot: its event function is known to stay positive
    double bend;      ///< bound on the fourth derivative of its event function on this step, or INFINITY
    bool hit;         ///< its event function vanished at the present instant
    bool arrived;     ///< its slip has come to v = 0 at this instant
    bool touches;     ///< of an elastic stop: p = 0 there
    bool determined;
    bool jammed;      ///< its slip has ended by a jam at this instant
    bool accumulated; ///< the impact at this instant is the limit of infinitely many
    int lead;         ///< leading coefficients of its event function that vanish at the step's start
    double slack[2]; ///< force by which it may exceed its upper and its lower bound where it started on it, N
    double gap;      ///< of a stop: distance left, tracked on its own so that small bounces keep digits
    bool recheck;    ///< its velocity may have jumped
    double speed_before;        ///< of approach, before the impact being solved
    double kick;                ///< size of the velocity changes by impacts at this instant
    double speed_in, speed_out; ///< of an impact at this instant; speed_in < 0: none
    long struck;                ///< number of the last instant at which it was struck, 0: never
    int flips;                  ///< changes between stick and slip with no time between them that counts
    double flipped;             ///< s: when the last one was
    bool rounded, told_rounded; ///< it holds because of these, and a note of this run says so
} ss_contact_run;

/// How the held contacts of a group act: forces l = -inverse b, and coordinates expressed by others.
typedef struct ss_hold {
    int count;       ///< contacts that hold with a free force
    int* places;     ///< their places in the group
    double* inverse; ///< count x count: pseudo-inverse of A on them
    double* bias;    ///< count: where A is singular, the share of their forces that moves nothing
    bool singular;
    bool follows;     ///< some coordinate follows another one that moves
    int rank;         ///< coordinates expressed by others
    int* dependent;   ///< rank coordinates
    double* relation; ///< rank x (coordinates of the group + drives + 1): coefficients, last the offset
    bool active;      ///< something holds
} ss_hold;

/// Contacts and groups: which mode each is in, and how what holds does.
typedef struct ss_modes {
    ss_contact_run* contacts;
    ss_bounces* bounces; ///< per group, where the model has rigid stops
    ss_hold* holds;
    bool* dirty; ///< per group: to be decided
    int* active; ///< groups in which something holds
    int active_count;
    int active_slips; ///< slipping contacts whose force varies along a step
    bool has_stops, has_falling;
    bool noted_singular, noted_together;
    bool exchanged; ///< somebody else solves: no limit of bounces is leapt to (exchange.c)
} ss_modes;

#endif
