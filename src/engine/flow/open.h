// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Open models along a step: states of first order, inputs, and what expressions of the motion do.
#ifndef SLIPSTICK_FLOW_OPEN_H
#define SLIPSTICK_FLOW_OPEN_H

#include "engine/sim.h"
#include "model/actions.h"

enum { SS_CROSSINGS = 5 }; ///< of an edge, that are remembered

/// The edge of a jump that holds the motion (open_held.c).
typedef struct ss_open_edge {
    ss_run below;                        ///< the program on the other side; the motion's own is above
    ss_run probe;                        ///< asks for the distance from the edge
    double *below_pieces, *probe_pieces; ///< of all kinks
    double* mix;                         ///< SS_MAX_ORDER + 1: series of the share of the side above
    double* mixed;                       ///< outputs x (SS_MAX_ORDER + 1): their mixture
    double* difference;                  ///< outputs: above less below, where the step begins
    double* across;                      ///< n: gradient of the distance from the edge
    double* lift;                        ///< n: acceleration by the difference
    double gain;                         ///< of the distance, by the difference
} ss_open_edge;

/// Expressions in stiff steps (open_stiff.c).
typedef struct ss_open_stiff {
    ss_run motion, slope;       ///< outputs at a point, and their derivatives
    double* pieces;             ///< of all kinks
    double* slopes;             ///< the derivatives
    double *values, *switches;  ///< (SS_STAGES + 1) x outputs, kinks: at the nodes, then at the start
    double *output, *switching; ///< outputs, kinks x (SS_MAX_ORDER + 1): as polynomials
    bool written;               ///< they hold for the present step
} ss_open_stiff;

/// The programs of a run.
typedef struct ss_open_programs {
    ss_run motion;   ///< decides the pieces
    ss_run shown;    ///< signals and energies of potentials
    double* pieces;  ///< of all kinks
    double* start;   ///< the same as the instant found them
    double* copy;    ///< the same, for evaluations at a point
    bool begun;      ///< the present instant has begun its series
    bool bad;        ///< an output is not finite, or not analytic, here
    double* point;   ///< all variables at a point
    double* outputs; ///< of the motion at a point
    double* sizes;   ///< of the motion's outputs at the start of the step
    bool sized;      ///< they are known
    double* seen;    ///< outputs of the program of what is shown
    bool* crossing;  ///< kinks of the motion that change their piece where the step ends
    // edges (open_edges.c)
    int held;      ///< kink whose edge holds from this instant on, or -1
    int keeps;     ///< kink whose edge has held up to here, or -1
    bool crowded;  ///< a second edge would hold
    bool chatters; ///< the cut of atan2, along which speeds or states jump, pushes back from both sides
    bool probing;  ///< a side is tried
    ss_open_edge* edge;
    ss_open_stiff* stiff; ///< NULL where steps are never stiff
    int limit;            ///< kink about whose edge infinitely many swings end, or -1
    double left;          ///< s: until then
    double* crossings;    ///< SS_CROSSINGS times per kink of the motion
    double *accel, *rate;
    double* forces; ///< pulls x (SS_MAX_ORDER + 1): scratch, series of those that are affine
} ss_open_programs;

/// A contact some of whose levels follow the motion.
typedef struct ss_open_following {
    int contact;
    int output[4]; ///< of the motion: of each level, or -1
    double* raw;   ///< 4 x (SS_MAX_ORDER + 1): the levels as given
    int larger[2]; ///< +1: the static level is in force at rest; -1: the kinetic one; 0: both alike
} ss_open_following;

/// Whether what an affine expression has beside its row varies in time.
static inline bool ss_rest_varies(const ss_affine* affine)
{
    return affine && affine->rest && !ss_signal_is_constant(affine->rest);
}

void ss_open_begin_levels(ss_sim* sim);
/// Coefficients k of the levels, from those of the outputs.
void ss_open_follow_levels(ss_sim* sim, int k);
/// Sum of the magnitudes of the terms of an output of the motion at the start of the step.
double ss_open_output_size(const ss_sim* sim, int output);

/// open_edges.c: decides jumps that are on their edge without speed across it.
void ss_open_decide_edges(ss_sim* sim);
/// The kink is put onto the piece on one side of its edge.
void ss_open_set_side(ss_open_programs* own, int j, double side);
/// Gradient of the distance from edge j over the coordinates, and the distance itself. The side is forgotten.
double ss_open_edge_gradient(ss_sim* sim, int j, double w[]);
/// The motion is put onto edge j, without speed across it.
void ss_open_stop_on_edge(ss_sim* sim, int j);
/// open_held.c: memory for an edge that holds, where the program has jumps.
void ss_open_make_edge(ss_sim* sim, ss_open_programs* own);
/// An edge begins to hold with this share of the side above.
void ss_open_begin_edge(ss_sim* sim, double share);
/// Coefficients k of the outputs where an edge holds; false where one is not finite.
bool ss_open_mix(ss_sim* sim, int k);
/// Series of an output of the program of the motion, mixed where an edge holds.
const double* ss_open_output(const ss_sim* sim, int output);
/// The share stays positive, and below 1: a function that is positive while it does; its degree.
int ss_open_edge_switch(const ss_sim* sim, double out[]);
bool ss_open_edge_is_above(const ss_sim* sim, double s); ///< the share is nearer to 1 at s
/// Of a stiff step: as ss_open_switch.
int ss_open_stiff_switch(const ss_sim* sim, int j, double out[]);
/// Coefficient k of all variables that a program uses.
void ss_open_fill(ss_sim* sim, const ss_run* run, int k);
/// The edge of kink j was crossed at t.
void ss_open_count_crossing(ss_sim* sim, int j, double t);

/// open_given.c: the part of an affine expression (forces first, then rates) that is given in time,
/// coefficient k; *size adds up the magnitudes of its terms.
double ss_open_given_part(const ss_sim* sim, int slot, int k, double* size);
/// Names what a slot belongs to, as model files have it, in inputs.bad.
void ss_open_name_slot(ss_sim* sim, int slot);
/// What an affine expression is given in time, at s.
double ss_open_given_at(const ss_sim* sim, int slot, double s);

/// All variables at s of the present step, and what is shown of them; false where something is not finite.
void ss_open_point(const ss_sim* sim, double s, double point[]);
bool ss_open_show(const ss_sim* sim, double s);

// ---- what the rest of the run asks for

// open_create.c
void ss_open_allocate(ss_sim* sim);
/// Where states and memory begin at the next start; NULL: where the model says.
void ss_open_set_start(ss_sim* sim, const double states[], const double memory[]);
/// For saving: where the pointers are, and what no image holds.
void ss_open_mark(ss_sim* sim);
void ss_open_loaded(ss_sim* sim);
void ss_open_restart(ss_sim* sim);

// open_given.c
/// Constant parts of the expressions: of forces (generalised, and magnitudes), and of rates.
void ss_open_gather(ss_sim* sim, double force[], double size[]);
/// Series of the inputs at the start of the step; false where one is not finite, which is then named.
bool ss_open_prepare(ss_sim* sim);
/// Whether some force is not constant between instants, whatever is set or written.
bool ss_open_has_powers(const ss_sim* sim);
/// Whether what expressions are given in time is constant from now on.
bool ss_open_stays(const ss_sim* sim);

// open.c
/// Coefficients k of the accelerations by states and inputs, and k + 1 of the states.
void ss_open_add(ss_sim* sim, int k);
/// The same without anything constant: what is linear in the motion.
void ss_open_add_linear(ss_sim* sim, int k);
/// Acceleration of coordinate `row` by the states, now.
double ss_open_pull(const ss_sim* sim, int row);
/// Switching functions of kinks and jumps: positive on the present piece, which ends where one falls to zero.
/// Coefficients of function j are written to out; returns the degree, -1 where it is not decided.
int ss_open_switch_count(const ss_sim* sim);
int ss_open_switch(const ss_sim* sim, int j, double out[]);
bool ss_open_paces(const ss_sim* sim, int j); ///< the function goes on smoothly beyond
void ss_open_end_piece(ss_sim* sim, int j);   ///< its piece ends where the step does
void ss_open_keep_pieces(ss_sim* sim);        ///< none ends there
/// The step ends at s: pieces that end with it are left.
void ss_open_leave(ss_sim* sim, double s);
/// Whether the edge of a jump holds.
bool ss_open_is_held(const ss_sim* sim);
/// Whether two edges hold at once, or the cut of atan2 does, which is not computed.
bool ss_open_is_stuck(const ss_sim* sim);
/// Whether an expression is not finite, or not analytic, at the present instant; it is named then.
bool ss_open_is_bad(const ss_sim* sim);

// open_size.c
/// Sum of the magnitudes of the terms of the acceleration of coordinate `row` at order k.
double ss_open_size(const ss_sim* sim, int row, int k);
/// Sum of the magnitudes of the terms of a rate, where the step begins.
double ss_open_rate_size(const ss_sim* sim, int j);
/// Whether no state changes now, to the rounding of its rate.
bool ss_open_rests(const ss_sim* sim);

// open_work.c
/// Before the powers of a step are asked for: the series of the forces.
void ss_open_prepare_powers(const ss_sim* sim);
/// Powers of the forces that are expressions, at s of the step, into the ledger's accounts (W).
void ss_open_powers(const ss_sim* sim, double s, const double v[], const double dv[], double* input,
                    double* damping);
/// The same for forces that are constant between instants: their work on what coordinates and drives moved.
void ss_open_works(const ss_sim* sim, const double moved[], const double driven[], ss_energy* e);
/// Energy of the potentials at s; their magnitudes are added to *parts.
double ss_open_stored(const ss_sim* sim, double s, double* parts);

// open_levels.c
/// What of the levels that follow the motion is given in time; false where it is not finite.
bool ss_open_given_levels(ss_sim* sim);
/// The series of the step are complete: it ends where a level becomes negative, or levels cross.
void ss_open_watch_levels(ss_sim* sim);

// open_edges.c
/// Where infinitely many swings about an edge end, the motion is put onto it.
void ss_open_take_limit(ss_sim* sim);
/// What to tell where the motion is stuck.
ss_status ss_open_fail_stuck(ss_sim* sim, ss_error* err);

// open_held.c
/// The share of an edge that holds at order k with the free accelerations, and once more with the contacts
/// that hold.
void ss_open_hold_order(ss_sim* sim, int k);
void ss_open_balance(ss_sim* sim, int k);

#endif
