// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Programs: what a graph (core/expression/graph.h) computes for some of its nodes, compiled for evaluation.
//
// Values at a point, with Jacobians as outputs of their own (ss_jacobian):
//
//     ss_run_values(&run, t, x, true, out)         frozen: on the pieces that are decided; the smooth
//     function
//                                                  that a solver of implicit equations wants
//     ss_run_values(&run, t, x, false, out)        each kink and jump by its value at the point: a tick
//
// Taylor series of a motion, order by order. x has a row per variable, q(t + s) = sum_k x[k] s^k:
//
//     ss_run_begin(&run, t);
//     fill order 0 of every row (positions also order 1, the speeds)
//     undecided = ss_run_decide(&run, 1);          jumps that are on their edge and stay there to first order
//     for (k = 0; k <= order - 2; k++) {
//         if (!ss_run_step(&run, k)) not analytic here (or not finite)
//         forces[k] = ss_run_output(&run, i)[k];   so q[k + 2] and s[k + 1] are known: write them
//     }
//     ss_run_switch(&run, j, n, g)                 series of the switching function of kink j: the piece ends
//                                                  where it falls to zero
//     ss_run_cross(&run, j, h)                     the step ended at s = h, where kink j changed its piece
//
// Kinks (abs, min, max, clip) decide their piece by the first significant coefficient of their argument, as
// soon as it is known: nothing is needed of the caller. "Significant" is above a few round-offs of what it
// was computed from; where the caller knows a variable less well than to rounding (because an instant was
// rounded: |t| times the next coefficient), he says so in ss_run_noise.
//
// Jumps (sign, floor, ceil, round, step, and the derivatives of kinks in the force of a potential) must be
// decided before order 0, by ss_run_decide: from positions and speeds. One that is undecided is on an edge
// that it neither leaves nor crosses to first order; the caller finds out which side it goes to (set
// run.w.piece[kink] to ss_jump_value(op, edge, +-1) and look at the acceleration) or holds it there. Left
// alone, it takes its value on the edge.
//
// All runs of a model share one array of pieces (ss_graph_kink_count numbers): one of them, the flow,
// decides; others evaluate frozen.
#ifndef SLIPSTICK_CORE_PROGRAM_H
#define SLIPSTICK_CORE_PROGRAM_H

#include "core/expression/graph.h"
#include "core/expression/taylor.h"
#include "core/pool.h"

typedef struct ss_program {
    int count;
    ss_instruction* code; ///< instruction i writes register i
    unsigned* depends;    ///< of each register
    bool* feeds;          ///< whether a kink depends on the register: it needs its noise
    int output_count;
    int* outputs;       ///< registers
    int variable_count; ///< of the graph
    int* variables;     ///< register of each, -1 where it is not used
    int kink_count;     ///< of this program
    int* kinks;         ///< its instructions that own one; code[kinks[j]].kink is the place in the pieces
    bool* jumps;        ///< of each: some output jumps there, and it must be decided before order 0
    int aux_rows;
    int singular_count;
    int* singular; ///< its instructions whose functions have singular places (piece/singular.c)
} ss_program;

/// Compiles the outputs; all memory is the pool's. False when there is none.
bool ss_program_make(ss_program* program, ss_pool* pool, const ss_graph* graph, const int nodes[], int count);

/// A steady advance of what a program is given, per unit of it.
typedef struct ss_advance {
    double time;             ///< of t: 1, or 0 where it stands still
    const double* variables; ///< of each variable of the graph; NULL: none advances
} ss_advance;

/// The frequencies (rad per unit of the advance, > 0) of which the outputs are made where they repeat:
/// their number, 0 where nothing changes; -1 where they do not, where it is not known, or where there are
/// more than max (frequencies.c).
int ss_program_frequencies(const ss_program* program, const ss_advance* by, double frequencies[], int max);

/// A sum of variables with constant factors (one per variable of the graph) that a program feels; `turns`:
/// only as an angle, in a sine, cosine or tangent.
typedef void ss_form_visitor(void* user, const double form[], bool turns);
/// Visits all of them, some perhaps more than once; false when there is no memory (forms.c).
bool ss_program_visit_forms(const ss_program* program, ss_form_visitor* visit, void* user);

enum { SS_BEYOND_NUMBERS = -2 }; ///< an output has overflowed

/// One evaluation: the registers of a program.
typedef struct ss_run {
    const ss_program* program;
    ss_taylor w;       ///< w.piece: shared
    double *x, *sizes; ///< values of the registers at a point, and the sizes of their terms
    double* noise;     ///< w.noise while some kink is undecided
    int done;          ///< the highest order of the present series
    int failed;        ///< the instruction that ss_run_step could not do, SS_BEYOND_NUMBERS, or -1
    bool* crossed;     ///< of each kink of the program: its piece was set by ss_run_cross
    bool* shaken;      ///< of each register: scratch of ss_run_cross_together
} ss_run;

/// order: the highest that is ever asked for. pieces: of all kinks of the graph, shared by the runs of one
/// simulation; filled with NaN by whoever made it.
bool ss_run_make(ss_run* run, ss_pool* pool, const ss_program* program, int order, double pieces[]);
/// The same for values at a point: they leave nothing behind, and their memory is spare.
bool ss_run_make_spare(ss_run* run, ss_pool* pool, const ss_program* program, double pieces[]);

/// Values of all outputs; variables in the order of the graph. False where one is not finite.
bool ss_run_values(ss_run* run, double t, const double variables[], bool frozen, double out[]);
/// After ss_run_values: for each output the sum of the magnitudes of its terms. Rounding is a share of it.
void ss_run_sizes(ss_run* run, double t, const double variables[], double out[]);

/// Forgets what was decided, but for what ss_run_cross said.
void ss_run_begin(ss_run* run, double t);
/// The row of a variable, NULL where the program does not use it.
double* ss_run_variable(const ss_run* run, int variable);
/// What is not known of its coefficients besides their rounding, in units of round-off; 0 unless set.
double* ss_run_noise(const ss_run* run, int variable);
/// Decides the jumps, from orders 0 .. known of positions, inputs and memory (of t alone, from all orders).
/// Returns how many are still undecided.
int ss_run_decide(ss_run* run, int known);
bool ss_run_step(ss_run* run, int k);
const double* ss_run_output(const ss_run* run, int output);
/// j: of the program's kinks.
void ss_run_switch(const ss_run* run, int j, int n, double out[]);
/// After ss_run_values: the switching function of kink j at the point, on the piece that is set; NaN where
/// the function goes on smoothly beyond (ss_run_paces).
double ss_run_switch_at(const ss_run* run, int j);
/// Puts the kink onto the piece beyond the end that its argument has reached at s = h of the present series.
void ss_run_cross(ss_run* run, int j, double h);
/// The same for all kinks in `ended` that end at s = h at once: those that stand around another of them are
/// decided anew (piece/cross.c). within[j]: what the argument of kink j is known to there, besides 0.
void ss_run_cross_together(ss_run* run, const bool ended[], const double within[], double h);
/// Whether the kink only paces a smooth function (bounds of exp and tanh): no kink of the outputs.
bool ss_run_paces(const ss_run* run, int j);

/// The derivatives of some nodes by all variables they use: entry e is d nodes[row[e]] / d variable[e], the
/// node `node[e]`, constant ones included.
typedef struct ss_jacobian {
    int count;
    int *row, *variable, *node;
} ss_jacobian;
bool ss_jacobian_make(ss_jacobian* jacobian, ss_pool* pool, ss_graph* graph, const int nodes[], int count);

#endif
