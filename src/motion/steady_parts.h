// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a steady field keeps of the engine. Written where it is made, the point by whoever asks.
#ifndef SLIPSTICK_MOTION_STEADY_PARTS_H
#define SLIPSTICK_MOTION_STEADY_PARTS_H

#include "engine/field/field.h"
#include "engine/sim.h"
#include "motion/steady_field.h"

/// What the field needs beside the point: a run that is never started lends its memory.
struct ss_steady_parts {
    ss_sim* sim;
    ss_field_point at;
    ss_field_slopes slopes;
    double *d, *level;          ///< drives: place, speed, acceleration; 4 per contact whose levels follow
    double *state, *z;          ///< q, q'; per contact with bristles, as the field counts them
    int *rows, *columns;        ///< of the field's Jacobian: where they are in y, or -1
    double *rates, *jacobian;   ///< of the field
    double *lambda, *held;      ///< contacts
    double *zeros, *vars, *way; ///< a direction in which everything moves evenly
};

#endif
