// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The answer of `simulate` is made of two halves, one for bodies and one for sliders, and of what both have.
#ifndef SLIPSTICK_ANSWER_MOTION_ANSWER_H
#define SLIPSTICK_ANSWER_MOTION_ANSWER_H

#include "answer/answer_impl.h"

/// What moves, by name: bodies and contacts, or supports.
typedef struct ss_motion_names {
    const char** bodies;
    const char** contacts;
    const char** numbers;    ///< of an open model
    const char** directions; ///< in which it is differentiated
} ss_motion_names;

/// What differs between bodies and sliders.
typedef struct ss_motion_parts {
    const char* (*title)(const ss_motion* motion);
    bool (*name)(ss_answer* answer, const ss_motion* motion, ss_motion_names* out); ///< false without memory
    void (*put_limit)(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names);
    void (*put_moment)(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names,
                       const ss_moment* moment); ///< "state" and "contacts"
    void (*put_final)(ss_answer* answer, const ss_motion* motion);
    void (*add_event)(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names, size_t event);
    void (*put_loops)(ss_answer* answer, const ss_motion* motion, const ss_motion_names* names);
} ss_motion_parts;

extern const ss_motion_parts ss_answer_of_bodies, ss_answer_of_slider;

#endif
