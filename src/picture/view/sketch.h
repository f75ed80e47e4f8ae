// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The sketch of a motion, kept for drawing: states at enough moments for smooth lines, and on both sides of
// every event, of which there may be any number.
#ifndef SLIPSTICK_PICTURE_SKETCH_H
#define SLIPSTICK_PICTURE_SKETCH_H

#include "slipstick/motion.h"

typedef struct ss_sketch {
    const ss_model* model;
    const char* label; ///< borrowed: how it differs from the first one, "alpha=0.1"; NULL: it is the first
    ss_outcome outcome;
    double begin; ///< s: where drawing begins
    double end;   ///< s: where drawing ends; a motion that rests is shown a little longer than it lasts
    int count, room;
    double* t;
    double *x, *v;              ///< count x bodies
    bool* joined;               ///< whether no event lies between a moment and the one before it
    bool is_sampled;            ///< there were too many events to keep all
    ss_contact_state* contacts; ///< count x contacts
    double* numbers;            ///< count x number_count: states, signals, inputs, memory of an open model
    int number_count;
    const ss_event* events; ///< borrowed from the motion
    int event_count;
    bool failed; ///< out of memory
} ss_sketch;

/// Follows a motion that has run, and so knows its events and its end, once more, at the moments that make
/// smooth lines. What is kept is bounded: of very many events, evenly chosen ones, and stretches with all of
/// theirs. The motion must outlive the sketch.
/// Only what lies between from and to (s) is kept; to = 0: up to the end.
ss_status ss_sketch_follow(const ss_motion* motion, double from, double to, ss_sketch* out, ss_error* err);
void ss_sketch_free(ss_sketch* sketch);

#endif
