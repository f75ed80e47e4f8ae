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
    int count;
    const double* t;
    const double *x, *v;              ///< count x bodies
    const bool* joined;               ///< whether all is kept between a moment and the one before it
    bool is_sampled;                  ///< there was too much to keep all
    const ss_contact_state* contacts; ///< count x contacts
    const double* numbers; ///< count x number_count: states, signals, inputs, memory of an open model
    int number_count;
    const ss_event* events; ///< borrowed from the motion
    int event_count;
    ss_motion* again; ///< where the motion had kept no sketch: the same motion, run once more
} ss_sketch;

/// The sketch of a motion that has run, between from and to (s); to = 0: up to the end. The motion must
/// outlive it.
ss_status ss_sketch_take(const ss_motion* motion, double from, double to, ss_sketch* out, ss_error* err);
void ss_sketch_free(ss_sketch* sketch);

#endif
