// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The course of a motion, kept for drawing: states at enough moments for smooth lines, and on both sides of
// every event, of which there may be any number.
#ifndef SLIPSTICK_PICTURE_COURSE_H
#define SLIPSTICK_PICTURE_COURSE_H

#include "slipstick/simulation.h"

typedef struct ss_course_def {
    const ss_model* model;
    double until;     ///< s
    double tolerance; ///< relative
    long max_events;
    double escape;
} ss_course_def;

typedef struct ss_course {
    const ss_model* model;
    const char* label; ///< borrowed: how it differs from the first one, "alpha=0.1"; NULL: it is the first
    ss_outcome outcome;
    double end; ///< s: where drawing ends; a motion that rests is shown a little longer than it lasts
    int count, room;
    double* t;
    double *x, *v;              ///< count x bodies
    bool* joined;               ///< whether no event lies between a moment and the one before it
    bool is_sampled;            ///< there were too many events to keep all
    ss_contact_state* contacts; ///< count x contacts
    ss_event* events;
    int event_count;
    size_t event_room;
    bool failed; ///< out of memory
} ss_course;

/// Follows the model's motion. What is kept is bounded: of very many events, evenly chosen ones, and
/// stretches with all of theirs.
ss_status ss_course_follow(const ss_course_def* def, ss_course* out, ss_error* err);
void ss_course_free(ss_course* course);

#endif
