// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion of the library, given as a model file, beside a second opinion with a logic of its own.
#ifndef TESTS_OPINION_H
#define TESTS_OPINION_H

#include "slipstick/lab.h"

enum { OPINION_EVENTS = 600 };

/// A contact changes its mode: -1 and 1 slip, 0 sticks.
typedef struct opinion_event {
    double t;
    int contact, from, to;
} opinion_event;

typedef struct opinion_motion {
    const char* text; ///< of the model, for messages
    ss_model* model;
    ss_sim* sim;
    opinion_event events[OPINION_EVENTS];
    int count;
} opinion_motion;

/// Looks at the motion at time t, where the library is.
typedef void opinion_look(void* user, const opinion_motion* motion, double t);

/// Runs the model up to `until` and has it looked at seven times on the way, the end included.
void opinion_follow(const char* text, double until, opinion_look* look, void* user);

#endif
