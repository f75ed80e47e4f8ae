// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The sketch of a sliding motion, kept for drawing: states at enough moments for smooth lines, on both sides
// of events, and ever closer together as the slider comes to rest, where its direction still changes.
#ifndef SLIPSTICK_PICTURE_SLIDE_SKETCH_H
#define SLIPSTICK_PICTURE_SLIDE_SKETCH_H

#include "slipstick/motion.h"

typedef struct ss_slide_moment {
    double t;
    ss_slider_state state;
    double load[3]; ///< on the ground, body frame, N and N*m
    bool moves;     ///< over the floor, fast enough that its direction means something
    double q[3];    ///< that direction, in the body frame: a unit vector in the units of [GRP91]
    double p[3];    ///< the load in these units: by m g and the radius of gyration
} ss_slide_moment;

typedef struct ss_slide_sketch {
    const ss_slider* slider;
    const char* label; ///< borrowed: how it differs from the first one, "start.slider.vx=1"; NULL: the first
    ss_outcome outcome;
    double end; ///< s
    ss_slide_moment* at;
    int count;
} ss_slide_sketch;

/// The sketch of a motion that has run.
ss_status ss_slide_sketch_take(const ss_motion* motion, ss_slide_sketch* out, ss_error* err);
void ss_slide_sketch_free(ss_slide_sketch* sketch);

/// What to call it beside others: by its speed at the start, or by what else is different. Returns out.
const char* ss_slide_sketch_name(const ss_slide_sketch* sketch, char* out, size_t size);
/// Where the slider is at a time, and its speeds.
ss_slider_state ss_slide_sketch_at(const ss_slide_sketch* sketch, double t);

#endif
