// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What acts on the bodies: what is given as a function of time, what pulls, and the states, inputs and memory
// of an open model.
#ifndef SLIPSTICK_ENGINE_RUN_INPUTS_H
#define SLIPSTICK_ENGINE_RUN_INPUTS_H

#include "core/expression/program.h"
#include "core/expression/signal_series.h"
#include "slipstick/simulation.h"

#include <stdbool.h>

enum { SS_PULLS = 10 }; ///< kinds of pull: see pulls.c

/// What is given as a function of time, along the present step (inputs.c, levels.c).
typedef struct ss_inputs {
    double* force; ///< (SS_MAX_ORDER + 1) x forces
    double* level; ///< 4 x (SS_MAX_ORDER + 1) per contact whose levels vary; see level_at
    int* level_at; ///< per contact: index of its block in level, or -1
    double* kinks; ///< kink functions of all signals, (SS_MAX_ORDER + 1) each
    int kink_count;
    int watch_from;    ///< kink functions from here on belong to levels (levels.c) and start positive
    double next_break; ///< the next breakpoint of a table after t, or INFINITY
    double clear;      ///< s: no step is longer, by singular places of what is given (piece/singular.c)
    bool drive_jumped; ///< the speed of a drive changes at once where the step begins
    int order;         ///< highest coefficient of these series
    int* varying;      ///< forces that vary in time
    int varying_count;
    bool only_forces;       ///< nothing else varies in time: no drive, level, or part of an open model
    double* force_constant; ///< forces: value where constant
    double* drive_x;        ///< drives: position at t
    double* scratch;        ///< for the series of one signal
    double rate;            ///< 1/s: of all inputs, where rate_known
    bool rate_known;        ///< every input is a line, a table or a sum of harmonics
    char bad[128];          ///< the input that is not a finite, admissible number: "forces[0].force"
    char fault[96];         ///< why, where that is known: "division by zero"
    bool negative;          ///< it is a friction level below 0
    bool no_motion;         ///< no forces satisfy all laws: the fault of an instant, not of what was given
} ss_inputs;

/// What accelerates the coordinates, contacts that hold aside (pulls.c).
typedef struct ss_pulls {
    signed char list[SS_PULLS]; ///< which kinds of pull the model has: places in the list of pulls.c
    int count;
    double* accel;         ///< n: acceleration coefficients of the order at work
    double* constant;      ///< n: acceleration by constant forces
    double* constant_size; ///< n: magnitudes of the terms it adds up
    double* elongation;    ///< per cubic connection: series of e, e^2, e^3
    bool has_cubic;
} ss_pulls;

/// States, inputs and expressions of the motion along the present step (open.c). All zero in a closed model.
typedef struct ss_open_run {
    int states;                          ///< of first order
    double* start;                       ///< states, then memory: at t = 0
    double* out;                         ///< states: where the caller sees them
    double* constant;                    ///< states: what of their rates is constant
    double* constant_size;               ///< states: magnitudes of the terms it adds up
    double* rate;                        ///< states: scratch, coefficients of the order at work
    double* input;                       ///< (SS_MAX_ORDER + 1) x inputs: series of those that vary
    double* value;                       ///< inputs that do not, then memory: what holds at present
    bool* varying;                       ///< inputs that vary in time; false for memory
    double* memory;                      ///< of sampled controllers: in value, behind the inputs
    double* steady;                      ///< pulls: the force where it is constant between instants, else NaN
    double* fixed;                       ///< pulls: what of an affine force is, else NaN
    struct ss_open_following* following; ///< contacts whose levels follow the motion (open.h)
    int following_count;
    struct ss_open_programs* programs;
    double* given; ///< (SS_MAX_ORDER + 1) x slots (forces, then rates): what of them is given in time
    int slots;
    bool varies; ///< some input or part of a force or rate is given in time
} ss_open_run;

/// What holds from one instant to the next: inputs that were set from outside, and the memory of sampled
/// controllers (input_values.c, sampled.c). The values stand in ss_open_run.value.
typedef struct ss_input_values {
    bool fresh;      ///< nobody has gone on from the start: inputs that are set belong to it
    bool changed;    ///< some value has changed at this instant: constants and modes are found anew
    double asked;    ///< s: where the caller has got to; at rest the run may be earlier
    double kink;     ///< s, exchanged: up to here what is given in time goes on as it does
    double next;     ///< s: the next tick or delayed write; INFINITY: none
    double since;    ///< s: when memory changed last
    int block_count; ///< of sampled controllers
    struct ss_block_run* blocks;
    double* pending;         ///< memory: what is written, but does not hold yet
    ss_run* runs;            ///< scratch: one evaluation per block
    double *point, *written; ///< scratch: variables; what a block writes
    double* holds;           ///< scratch, (memory + 1) x contacts: what holds without memory, and by each
} ss_input_values;

#endif
