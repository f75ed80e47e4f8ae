// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Tangents of programs: how what a program computes changes when its variables do, and the constants of its
// instructions with them. Each register has a change of its own, found by one rule per operation,
//
//     c = f(a, b; p):     dc = f_a da + f_b db + f_p dp
//
// at a point, or order by order of Taylor series, where f_a and the others are the series that the motion
// itself has just computed. That costs about as much as the program, and is exact to rounding.
#ifndef SLIPSTICK_CORE_GRAPH_TANGENT_H
#define SLIPSTICK_CORE_GRAPH_TANGENT_H

#include "core/expression/program.h"

typedef struct ss_tangent {
    const ss_program* program; ///< NULL: there is none
    int count;
    int* active;   ///< instructions whose register may change, in order
    double *p, *q; ///< of each instruction: how its constants change
    double* ahead; ///< of each instruction that is held at its value, or made of such: by how much earlier
                   ///< neighbours pass the place; NAN until that is found, once on a step
} ss_tangent;

/// A step so short that functions next to a singular place are held at their values on it
/// (piece/singular.h): their slopes there may grow beyond all numbers, what they change by does not.
typedef struct ss_passing {
    double length;     ///< of the step
    const double* end; ///< values of all registers where it ends
} ss_passing;

/// p, q: how the constants of the instructions change, exponents included; NULL where none does.
/// through_rounding: at a point, round, floor and ceil change as their operand does. False where memory is
/// lacking.
bool ss_tangent_make(ss_tangent* tangent, ss_pool* pool, const ss_program* program, const double p[],
                     const double q[], bool through_rounding);

/// After ss_run_values: how the outputs change with the variables. x: the changes of all registers, one
/// number each, 0 before the first call.
void ss_tangent_values(const ss_tangent* tangent, const ss_run* run, double t, const double variables[],
                       double x[], double out[]);

/// Where the program is affine in the variables, whatever the time: the changes of its outputs are
///
///     by_change dvariables + by_value variables + rest
///
/// by_change and by_value have one number per variable and output, output by output. x, dx: scratch of one
/// number per register. False where it is not.
bool ss_tangent_rows(const ss_tangent* tangent, double x[], double dx[], double by_change[],
                     double by_value[], double rest[]);

/// After ss_run_step up to order k: coefficients k of all changes, one row of run->w.length numbers per
/// register in `rows`, 0 before the first call; those of the variables have been written. passing: NULL where
/// no function is held at its value. False where a kink of the program is on no piece, or where a singular
/// place is touched: there is no derivative.
bool ss_tangent_step(const ss_tangent* tangent, const ss_run* run, int k, const ss_passing* passing,
                     double rows[]);
/// The row of a variable, NULL where the program does not use it.
double* ss_tangent_variable(const ss_tangent* tangent, const ss_run* run, int variable, double rows[]);

#endif
