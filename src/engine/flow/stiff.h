// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Stiff stretches of a motion: steps by collocation (Radau IIA) in place of power series, where the rates of
// bristles, elastic stops, or stiff springs and dampers would hold the series to steps much shorter than the
// motion needs. The step is a polynomial as well, in the same arrays, so that events, records and the ledger
// see no difference.
#ifndef SLIPSTICK_FLOW_STIFF_H
#define SLIPSTICK_FLOW_STIFF_H

#include "engine/field/field.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/collocation.h"

/// Whether and how far to step by collocation: what has been learned of the motion so far.
typedef struct ss_stiff_pace {
    bool active;  ///< the last step without an event was of this kind
    bool known;   ///< the polynomial before this step goes on here
    int patience; ///< short steps by series until collocation is tried
    int refused;  ///< times it was of no use
    double next;  ///< s: length to try
    double error; ///< of the last step, over the tolerance
    double slow;  ///< s: in which the motion changes, as the last step by series tells
    double last;  ///< s: length of the polynomial before
    double end;   ///< s: time where it ended
} ss_stiff_pace;

/// Unknowns and matrix of Newton's iteration.
typedef struct ss_stiff_newton {
    double* derivative; ///< SS_STAGES x states: coefficients in u = s/length of (v', z')
    double* slope;      ///< SS_STAGES x states: (v', z') at the nodes
    double* residual;   ///< likewise
    double* matrix;     ///< Newton's matrix, then its factors: (SS_STAGES states)^2, or of a band
    int* pivots;
    int band;       ///< of a large model: diagonals below the main one; 0: the matrix is full
    int* place;     ///< states: where each stands in the band
    int* state_at;  ///< states: which one stands there
    double* sorted; ///< SS_STAGES states: the unknowns in that order
} ss_stiff_newton;

typedef struct ss_stiff {
    ss_collocation method;
    int states; ///< speeds, then bristle deflections, then states of an open model
    int open;   ///< where the latter begin
    ss_stiff_pace pace;
    ss_stiff_newton newton;
    // The motion at the nodes.
    double* q;              ///< SS_STAGES x n
    double* state;          ///< SS_STAGES x states
    double* start;          ///< states
    double* size;           ///< states: largest magnitude on the step
    double* noise;          ///< n: m/s^2, rounding of the acceleration
    double* speed;          ///< n: m/s, the largest of the speeds that the forces on it depend on
    double* jitter;         ///< n: m/s, speed that comes of the rounding of both
    bool* fine;             ///< n: whether a contact that slips needs the speed, however small
    bool* frozen;           ///< n: it stands still and is left out of the step
    double* lambda;         ///< SS_STAGES x contacts
    double* forces;         ///< the same as coefficients in u
    double* jacobian;       ///< states x (n + states), per stage: by q, by v, by z
    double* given;          ///< SS_STAGES + 1 times what is given: at the nodes, and at the start
    int given_size;         ///< of one
    ss_field_slopes slopes; ///< at a node: scratch
} ss_stiff;

void ss_stiff_allocate(ss_sim* sim);
/// An order of the states in which those that act on each other are near each other (stiff_order.c): their
/// places. Returns how many diagonals beside the main one Newton's matrix has in it.
int ss_stiff_order(const ss_model* model, const ss_step* step, int place[]);
void ss_stiff_restart(ss_stiff* stiff);
/// The series of a step are known: whether the bristles follow much faster than the motion changes.
void ss_stiff_learn(ss_sim* sim);

/// stiff_newton.c: solves for the derivatives at the nodes of a step of length h. False where the iteration
/// does not settle soon.
bool ss_stiff_solve(ss_sim* sim, double h, double tolerance);
/// The step of length h at hand, linearised: Jacobians at its nodes, SS_STAGES times states x (n + states),
/// and Newton's matrix made of them, (SS_STAGES states)^2. Not of large models, whose matrix is a band.
void ss_stiff_linearise(ss_sim* sim, double h, double jacobians[], double matrix[]);
/// What rounding of its rate leaves of state k: what it adds up to, or in the time in which the state
/// follows.
double ss_stiff_noise(const ss_model* model, const ss_step* step, const ss_ways* ways, int k, double h);

/// stiff_series.c: derivatives at the start of the step, to the first node.
void ss_stiff_rates_at_start(ss_sim* sim);
/// First guess: the polynomial before goes on, or the derivatives stay as they are.
void ss_stiff_guess(ss_sim* sim, double h);
/// Polynomials through the nodes, in newton.matrix and forces, and their error over the tolerance.
double ss_stiff_error(ss_sim* sim, double h, double tolerance);
/// The step as series in s, in the arrays of the run.
void ss_stiff_write(ss_sim* sim, double h);

/// Node i of the step of length h at hand, or (SS_STAGES) its start.
ss_field_point ss_stiff_at(const ss_model* model, const ss_step* step, const ss_open_run* open_run,
                           const ss_ways* ways, int i, double h);
/// What is given there, before it is asked for.
void ss_stiff_give(const ss_sim* sim, int i, double h);
/// Derivatives of the state (v, z, s) at a node, and the forces of all contacts (stiff_rates.c).
void ss_stiff_rates(const ss_sim* sim, int i, double h, double rates[], double lambda[]);
/// Their derivatives by (q, v, z, s): states x (n + states).
void ss_stiff_jacobian(const ss_sim* sim, int i, double h, double jacobian[]);
/// Whether the point lies beyond where the formulas of this mode go on: the step must end before it.
bool ss_stiff_strays(const ss_model* model, struct ss_field* field, const ss_step* step,
                     const ss_modes* modes, const ss_field_point* at);
/// stiff_still.c: whether all bristles that stand still stay so, whatever moves; their coordinates are
/// marked.
bool ss_stiff_freeze(ss_sim* sim);
/// Adds to the noise of each acceleration (m/s^2) what rounding of the places makes of the forces of
/// elements, which are springs between places.
void ss_stiff_place_noise(const ss_model* model, struct ss_field* field, const ss_step* step, double noise[]);
/// 1/s: how fast the bristles follow, at the present state.
double ss_stiff_rate(const ss_sim* sim);

/// stiff_linear.c: whether a linear model with states has modes that die out so fast that closed-form steps,
/// which go by the fastest of all, would be very many.
bool ss_is_stiff_linear(const ss_model* model);

// open_stiff.c: states and expressions of open models
/// Whether the expressions are of a kind that can be taken along.
bool ss_open_may_be_stiff(const ss_model* model, const ss_open_run* open);
void ss_open_stiff_allocate(ss_sim* sim);
/// Whether the step that begins can be stiff: all pieces are decided.
bool ss_open_stiff_may_apply(const ss_open_run* open_run);
/// 1/s: how fast what is not affine changes, at the present state.
double ss_open_stiff_rate(const ss_sim* sim);
/// Outputs and switching functions at node i (SS_STAGES: the start); then all of them as polynomials.
/// Whether no function comes too near to a singular place at a node, by its argument where the step begins:
/// that point is looked at first.
bool ss_open_stiff_stays_clear(const ss_model* model, struct ss_field* field, const ss_open_run* open_run,
                               const ss_field_point* at, bool start);
void ss_open_stiff_node(const ss_model* model, struct ss_field* field, const ss_open_run* open_run, int i,
                        const ss_field_point* at);
void ss_open_stiff_write(const ss_model* model, const ss_open_run* open_run, ss_ways* ways, double h);

#endif
