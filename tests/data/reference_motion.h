// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What is known of a reference motion: the system, its start, and its events, states and rest.
#ifndef TESTS_DATA_REFERENCE_MOTION_H
#define TESTS_DATA_REFERENCE_MOTION_H

#include "slipstick/slipstick.h"

typedef enum ref_outcome { REF_GOES_ON, REF_RESTS } ref_outcome;

typedef struct ref_event {
    double t;
    int contact;
    ss_mode from, to;
} ref_event;

/// The state at t; scale is what a relative error of each number refers to.
typedef struct ref_state {
    double t;
    double x[2], v[2];
    double x_scale[2], v_scale[2];
} ref_state;

typedef struct ref_connection {
    int a, b; ///< bodies, -1 for ground
    double stiffness, damping, cubic;
} ref_connection;

typedef struct ref_contact {
    double row[2]; ///< factors of the bodies
    double friction;
} ref_contact;

typedef struct ref_motion {
    const char* id;
    double tolerance; ///< relative, for times and states
    double until;
    int bodies, connections, contacts;
    double mass[2];    ///< 0: driven
    const char* drive; ///< position of body 1 over time, or NULL
    const char* force; ///< on body 0 over time, or NULL
    ref_connection connection[3];
    ref_contact contact[2];
    bool matrices;           ///< given by the matrices instead of connections
    double C[4], K[4], W[4]; ///< row-major, where matrices; M is 1
    double start_x[2], start_v[2];
    const ref_event* events;
    int event_count;
    bool whole; ///< the events are all there are until `until`; otherwise the first ones
    int total;  ///< number of all events until `until`, 0 where only `whole` tells
    const ref_state* states;
    int state_count;
    ref_outcome outcome;
    bool rest_known; ///< whether the next two are given
    double rest_t;   ///< when rest began
    double rest_x[2];
} ref_motion;

#endif
