// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the force of a friction curve changes, with the speed along a step and with the numbers of the curve.
#ifndef SLIPSTICK_LAW_CURVE_SLOPES_H
#define SLIPSTICK_LAW_CURVE_SLOPES_H

#include "core/expression/graph_tangent.h"
#include "law/table.h"

/// Outputs of the program of an expression.
typedef enum ss_curve_output { SS_CURVE_LEVEL, SS_CURVE_SLOPE, SS_CURVE_OUTPUTS } ss_curve_output;

/// What along->own of a curve points to: the programs of both directions.
typedef struct ss_curve_own {
    ss_run run[2];
    double* pieces[2];
} ss_curve_own;

/// The program of a direction along a step. It stands in the law, of which a run that was loaded has another
/// copy.
static inline ss_run* ss_curve_run(const ss_curve_side* side, const ss_along* along, int way)
{
    ss_run* run = &((ss_curve_own*)along->own)->run[way];
    run->program = side->program;
    return run;
}

/// How one direction of a curve changes with a number.
typedef struct ss_curve_side_change {
    double *rest, *slope;  ///< per line of a table: of its level at u = 0, N, and of its slope, N*s/m
    ss_tangent by;         ///< of an expression: what its constants do to it
    double *rows, *change; ///< room for it: series, and numbers, of all registers
} ss_curve_side_change;

/// What stands for the struct of the law where its numbers change.
typedef struct ss_curve_change {
    ss_curve_side_change side[2];
} ss_curve_change;

/// The slope of a line of a table, N*s/m; the last one goes on for ever.
double ss_curve_slope_of(const ss_curve_side* side, int line);
/// Its level at u = 0 as well.
void ss_curve_line(const ss_curve_side* side, int line, double* rest, double* slope);

/// How much of h the series of an expression reach, by the places, real or complex, where its functions are
/// not analytic (core/expression/piece/singular.c); their coefficients may not tell.
double ss_curve_clear(const ss_run* run, int order, double h);

// For the row of the law.
bool ss_curve_slopes(const void* law, const ss_along* along, int last, ss_along_slopes* out);
bool ss_curve_series_by(const void* law, const void* change, const ss_along* along, int last, double force[],
                        double rate[]);
void ss_curve_by(const void* law, const void* change, const ss_law_point* point, double* force, double* rate);

#endif
