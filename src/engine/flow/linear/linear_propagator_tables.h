// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Tables of a model that has a propagator (linear_propagator.c): affine functions of the state, mode by mode.
#ifndef SLIPSTICK_ENGINE_FLOW_LINEAR_PROPAGATOR_TABLES_H
#define SLIPSTICK_ENGINE_FLOW_LINEAR_PROPAGATOR_TABLES_H

#include "core/algebra/quadrature.h"
#include "engine/flow/linear/linear_propagator.h"

enum {
    /// Coordinates, states and contacts of a model that has a propagator: tables grow with their cube.
    SS_LINEAR_PROPAGATOR_LARGEST = 4,
    SS_LINEAR_PROPAGATOR_WAVES = 4, ///< frequencies of the forces on it
    /// Variables of the motion: 2 n, and the states or, in a closed model, the waves.
    SS_LINEAR_PROPAGATOR_MOTION = 2 * (SS_LINEAR_PROPAGATOR_LARGEST + SS_LINEAR_PROPAGATOR_WAVES),
    /// Those, and the accelerations and rates that are constant between instants.
    SS_LINEAR_PROPAGATOR_COLUMNS = 5 * SS_LINEAR_PROPAGATOR_LARGEST,
    SS_LINEAR_PROPAGATOR_MODES = 3, ///< of a contact that is no stop: they count from 0
    SS_LINEAR_PROPAGATOR_CHUNK = 4, ///< cells whose nodes are computed at a time
    SS_LINEAR_PROPAGATOR_CELLS = 3 * SS_LINEAR_PROPAGATOR_CHUNK, ///< in one long step
    /// Rows that are summed together: what is written may exceed what was asked for by one number less.
    SS_LINEAR_PROPAGATOR_WIDE = 4
};

/// One column per state variable (q, q', then the states of first order) and one for the constant part. The
/// rows of a column, in this order:
typedef struct ss_linear_propagator_layout {
    size_t series;    ///< q[2..order]
    size_t states;    ///< s[1..order - 1]
    size_t forces;    ///< lambda[0..order - 2]
    size_t functions; ///< contact by contact: event function, coefficients 0..order - 1 times cell^k
    size_t given;     ///< forces: their coefficients 0..order, where waves make them
    size_t nodes;     ///< y after 1 .. SS_LINEAR_PROPAGATOR_CELLS cells
    /// At nodes 0 .. SS_LINEAR_PROPAGATOR_CELLS: event functions of all contacts (slip speed, or force), then
    /// a third of a cell's change at their slopes.
    size_t values;
    size_t bends;  ///< bound on the fourth derivative of each, on all cells
    size_t moved;  ///< how far each coordinate moves on the first cell
    size_t damped; ///< with each column, and with the constant part: what dampers take on the first cell
    size_t gained; ///< the same of what forces put in, constant ones aside
    size_t height; ///< with some rows more, because sums are taken SS_LINEAR_PROPAGATOR_WIDE rows at a time
} ss_linear_propagator_layout;

/// Forces that are sums of harmonics make no difference to a long step: with cos(w t) and sin(w t) of each
/// frequency among the variables the model is steady again.
typedef struct ss_linear_propagator_waves {
    int count; ///< of frequencies
    double frequency[SS_LINEAR_PROPAGATOR_WAVES];
    double t;                                   ///< s: when they were what follows
    double now[2 * SS_LINEAR_PROPAGATOR_WAVES]; ///< cosine and sine of each
    ss_harmonic part[SS_LINEAR_PROPAGATOR_LARGEST][SS_LINEAR_PROPAGATOR_WAVES]; ///< of each force
    double mean[SS_LINEAR_PROPAGATOR_LARGEST];                                  ///< N: likewise
} ss_linear_propagator_waves;

typedef struct ss_linear_propagator_table {
    bool made;
    const double* columns; ///< kept with the model, or of this run alone
} ss_linear_propagator_table;

/// Scratch of the works: of each column, at the points of the quadrature over its first cell, speeds and the
/// forces of dampers and of input, the latter times the weights.
typedef struct ss_linear_propagator_works {
    bool drags, pushes; ///< whether some do
    double damping[3 * SS_LINEAR_PROPAGATOR_LARGEST * SS_LINEAR_PROPAGATOR_LARGEST],
        input[3 * SS_LINEAR_PROPAGATOR_LARGEST * SS_LINEAR_PROPAGATOR_LARGEST];
    double speed[SS_LINEAR_PROPAGATOR_COLUMNS + 1][SS_GAUSS_POINTS * SS_LINEAR_PROPAGATOR_LARGEST];
    double drag[SS_LINEAR_PROPAGATOR_COLUMNS + 1][SS_GAUSS_POINTS * SS_LINEAR_PROPAGATOR_LARGEST];
    double push[SS_LINEAR_PROPAGATOR_COLUMNS + 1][SS_GAUSS_POINTS * SS_LINEAR_PROPAGATOR_LARGEST];
} ss_linear_propagator_works;

/// Adds up rows of all columns, weighted by the state.
typedef void ss_linear_propagator_summation(const double* columns, size_t height, size_t rows,
                                            const double y[], double* out);

struct ss_linear_propagator {
    int order;
    int motion;  ///< variables of the motion: 2 n, the states, the waves
    int columns; ///< with n accelerations and the rates of the states, where values may be set
    double cell; ///< s: its length
    bool gains;  ///< some force beside constant ones may put in energy
    ss_linear_propagator_waves waves;
    ss_linear_propagator_summation* sum;
    ss_linear_propagator_layout at;
    int count;
    ss_linear_propagator_table* tables; ///< by the number of the mode, see ss_linear_propagator_find
    int own_count;
    double* own;                      ///< room for so many tables of this run alone
    ss_linear_propagator_table* mode; ///< of the long step at hand
    double t, y[SS_LINEAR_PROPAGATOR_COLUMNS];
    int cells, entered;
    double
        now[SS_LINEAR_PROPAGATOR_COLUMNS]; ///< the variables of the run, where they do not stand in one array
};

/// Rows [first, first + rows) of the present mode's table, for the state y.
static inline void ss_linear_propagator_combine(const struct ss_linear_propagator* propagator, size_t first,
                                                size_t rows, const double y[], double out[])
{
    propagator->sum(propagator->mode->columns + first, propagator->at.height, rows, y, out);
}

/// The sum over so many columns and a constant one, at most SS_LINEAR_PROPAGATOR_COLUMNS.
ss_linear_propagator_summation* ss_linear_propagator_sum_of(int columns);
/// The variables of the run: q, q', then the states, the waves, and what is constant until the next instant.
const double* ss_linear_propagator_variables(const ss_sim* sim);
void ss_linear_propagator_set_variables(ss_sim* sim, const double y[]);
/// The table of the present mode, which is made where it is not there; NULL where it has none.
ss_linear_propagator_table* ss_linear_propagator_find(ss_sim* sim);
// linear_propagator_fill.c
/// Makes that of the present mode; the run is left as it is. What a table says depends on nothing but the
/// mode, and so does a motion that uses it.
void ss_linear_propagator_fill(const ss_sim* sim, double columns[]);
// linear_propagator_works.c
void ss_linear_propagator_begin_works(const ss_model* model, const ss_open_run* open_run, const ss_ways* ways,
                                      ss_linear_propagator_works* works);
/// How far column c, whose series are q and s, moves on its first cell, and what does work on it there.
void ss_linear_propagator_look(const ss_sim* sim, int c, const double q[], const double s[], double column[],
                               ss_linear_propagator_works* works);
/// The rows of the works, once all columns have been looked at.
void ss_linear_propagator_fill_works(const ss_model* model, const ss_ways* ways,
                                     const ss_linear_propagator_works* works, double columns[]);
/// Series from the variables y, of the run or others, by the table of the present mode (linear_propagator.c).
void ss_linear_propagator_series(ss_sim* sim, const double y[]);
/// +1, -1: which way contact i slips; 0: it holds.
double ss_linear_propagator_sign(const ss_modes* modes, int i);

#endif
