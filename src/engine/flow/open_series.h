// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Open models along a step: states of first order, inputs, and what expressions of the motion do.
#ifndef SLIPSTICK_ENGINE_FLOW_OPEN_SERIES_H
#define SLIPSTICK_ENGINE_FLOW_OPEN_SERIES_H

#include "engine/sim.h"
#include "model/actions.h"
#include "share/quantity.h"

enum { SS_CROSSINGS = 5 }; ///< of an edge, that are remembered

enum { SS_EDGES = 4 }; ///< on which a motion may be at once

/// An edge on which the motion is, without speed across it: of one jump, or of several that share it.
typedef struct ss_open_edge {
    int kink;             ///< a jump that it belongs to; above is where the argument of that one is larger
    int side;             ///< +1, -1: the side that follows; 0: it holds, or its value on the edge stands
    int first;            ///< the side to be tried first
    double gain;          ///< drift above less drift below: negative where both push back
    double rounding;      ///< of the drift
    double* across;       ///< n + drives: gradient of the distance from the edge
    ss_run below;         ///< where it holds: the program on the side below; the motion's own is above
    double* below_pieces; ///< of all kinks
    double share;         ///< of the side above, to start from
    double* mix;          ///< SS_MAX_ORDER + 1: series of that share
    double* difference;   ///< outputs: above less below, where the step begins
    double* lift;         ///< n: acceleration by the difference
} ss_open_edge;

/// All edges of an instant (open_edges.c), and those that hold (open_held.c).
typedef struct ss_open_edges {
    int room, count;
    ss_open_edge* list;
    bool known;     ///< those of the present instant are found
    bool selecting; ///< contacts are about to be decided: what they do to the edges is looked at then
    bool given;     ///< shares are taken as they are
    int trial;      ///< number of the combination of sides that is tried
    int guess;      ///< the one that the forces without contacts gave, or -1
    int asked;      ///< the next to be tried
    int rounds;     ///< how often contacts have been decided with the one at hand
    int held;       ///< how many hold
    int holding[SS_EDGES];
    bool keeps_any;     ///< the step before has ended on some edge
    signed char* keeps; ///< of each kink: 2 where its edge has held up to here, 1 where something else has
    int* of;            ///< the edge of each kink of the motion, or -1
    bool* on;           ///< of each kink: the step begins on its edge
    double* way;        ///< +1 where above is above for the kink too, -1 where it is below
    ss_run probe;       ///< asks for the distances from the edges
    double* probe_pieces;
    double* mixed;  ///< outputs x (SS_MAX_ORDER + 1): the mixture
    double* corner; ///< outputs: scratch
    double *accel, *lambda;
} ss_open_edges;

/// Expressions in stiff steps (open_stiff.c).
typedef struct ss_open_stiff {
    double *values, *switches;  ///< (SS_STAGES + 1) x outputs, kinks: at the nodes, then at the start
    double* argument;           ///< singular functions x 2: their arguments where the step begins
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
    bool overflows;  ///< coefficients of the motion have grown beyond all numbers: the series ends before
    double* point;   ///< all variables at a point
    double* outputs; ///< of the motion at a point
    double* sizes;   ///< of the motion's outputs at the start of the step
    bool sized;      ///< they are known
    double span;     ///< s: length of the longest of the last steps
    double* seen;    ///< outputs of the program of what is shown
    bool* crossing;  ///< kinks of the motion that change their piece where the step ends
    double* within;  ///< of each of those: how far from 0 its argument may be found there
    // edges (open_edges.c)
    bool crowded;  ///< edges hold in a way that is not computed
    bool chatters; ///< the cut of atan2, along which speeds or states jump, pushes back from both sides
    bool probing;  ///< a side is tried
    ss_open_edges* edges; ///< NULL where nothing jumps
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

void ss_open_begin_levels(const ss_inputs* inputs, ss_open_run* open);
/// Coefficients k of the levels, from those of the outputs; of levels that follow forces, what does not.
void ss_open_update_levels(ss_sim* sim, int k);
/// The same for those that follow forces, once they are known.
void ss_open_complete_levels(ss_sim* sim, int k);
/// The level is at fault.
void ss_open_name_level(const ss_model* model, ss_inputs* inputs, ss_open_run* open_run, int contact,
                        int which);
/// Sum of the magnitudes of the terms of an output of the motion at the start of the step.
double ss_open_output_size(const ss_sim* sim, int output);

/// open_edges.c: decides jumps that are on their edge without speed across it.
void ss_open_decide_edges(ss_sim* sim);
/// Drifts away from all edges of the instant, upwards: half the second derivatives of the distances, with
/// the forces without contacts, or (stored) with the accelerations of the step.
void ss_open_measure_drifts(ss_sim* sim, bool stored, double out[]);
/// The edge is put onto one side, with all jumps that share it.
void ss_open_put_edge(ss_open_programs* own, int e, double side);
/// The kink is put onto the piece on one side of its edge.
void ss_open_set_side(ss_open_programs* own, int j, double side);
/// Gradient of the distance from edge j over coordinates and drives; g: the distance itself, and the speed
/// with which it grows. The side is forgotten.
void ss_open_edge_gradient(ss_sim* sim, int j, double w[], double g[2]);
/// The motion is put onto edge j, without speed across it.
void ss_open_stop_on_edge(ss_sim* sim, int j);
/// The same for those that have held up to here, where rounding alone has moved it: no impact has.
void ss_open_stay_on_edges(ss_sim* sim);
/// open_held.c: memory for edges, where the program has jumps.
void ss_open_make_edges(ss_sim* sim, ss_open_programs* own);
void ss_open_forget_edges(ss_open_edges* edges); ///< a new run begins
/// Those with side 0 whose sides push back begin to hold; all others have been put onto their sides.
void ss_open_begin_hold(const ss_model* model, const ss_step* step, const ss_open_run* open_run);
/// The program of the probe on the pieces of the motion, with the positions up to coefficient k + 2; the last
/// one from the accelerations as they are, or (stored) as it is.
void ss_open_probe(ss_sim* sim, int k, bool stored);
/// From departures to the shares that make up for them, gains being those of a unit of each.
bool ss_open_solve_shares(int count, const double gains[], double x[]);
/// Where the step ends: those that let go are put onto the side that they go to.
void ss_open_end_hold(ss_sim* sim, double s);
/// Coefficients k of the outputs where edges hold; false where one is not finite.
bool ss_open_mix(ss_sim* sim, int k);
/// Series of an output of the program of the motion, mixed where edges hold.
const double* ss_open_output(const ss_open_run* open_run, int output);
/// Whether the edge of kink j holds; the function that is positive while its share stays positive and below
/// 1, of one of the kinks that share it. Returns its degree, -1 for the others.
bool ss_open_edge_holds(const ss_open_run* open_run, int j);
int ss_open_edge_switch(const ss_step* step, const ss_open_programs* programs, int j, double out[]);
/// open_swings.c: where kink j stands on its edge, but its argument leaves it later: a function that falls
/// below 0 at once, and its degree; -1 where it stays. The step ends: it is put onto that side.
int ss_open_stand_switch(const ss_step* step, ss_open_programs* programs, int j, double out[]);
void ss_open_leave_stand(const ss_step* step, ss_open_programs* own, int j);
/// Whether the motion stays on the edge of kink j but for rounding, of the function g that belongs to it.
bool ss_open_stays_on_edge(const ss_sim* sim, int j, const double g[]);
/// Of a stiff step: as ss_open_switch.
int ss_open_stiff_switch(const ss_step* step, ss_open_programs* own, int j, double out[]);
/// Coefficient k of all variables that a program uses.
void ss_open_fill(ss_sim* sim, const ss_run* run, int k);
/// Coefficients 0 .. to of the inputs alone.
void ss_open_fill_inputs(const ss_model* model, const ss_open_run* open_run, const ss_run* run, int to);
/// The edge of kink j was crossed at t.
void ss_open_count_crossing(const ss_model* model, ss_open_programs* own, int j, double t);

/// open_given.c: the part of an affine expression (forces first, then rates) that is given in time,
/// coefficient k; *size adds up the magnitudes of its terms.
double ss_open_given_part(const ss_model* model, const ss_step* step, const ss_open_run* open_run, int slot,
                          int k, double* size);
/// Names what a slot belongs to, as model files have it, in inputs.bad.
void ss_open_name_slot(const ss_model* model, ss_inputs* inputs, int slot);
/// What an affine expression is given in time, at s.
double ss_open_given_at(const ss_model* model, const ss_step* step, const ss_open_run* open_run, int slot,
                        double s, int order);

/// All variables at s of the present step, and what is shown of them at time t; false where something is not
/// finite.
void ss_open_point(const ss_sim* sim, double s, double point[]);
bool ss_open_show(const ss_sim* sim, double s, double t);
/// The signals where the caller has got to; of a run that has come to rest, at a later time t.
bool ss_open_signals_at(const ss_sim* sim, double t, double out[]);

// ---- what the rest of the run asks for

// open_create.c
void ss_open_allocate(ss_sim* sim);
/// Where states and memory begin at the next start; NULL: where the model says.
void ss_open_set_start(const ss_model* model, const ss_open_run* open_run, const double states[],
                       const double memory[]);
/// For saving: where the pointers are, and what no image holds.
void ss_open_mark(ss_sim* sim);
void ss_open_loaded(const ss_model* model, ss_open_programs* programs);
/// An input has this value from now on, unless it varies in time.
void ss_open_set_input(ss_open_run* open, int input, double value, bool varying);
void ss_open_restart(const ss_model* model, const ss_step* step, ss_open_run* open_run);

// open_given.c
/// Constant parts of the expressions: of forces (generalised, and magnitudes), and of rates.
void ss_open_gather(const ss_model* model, ss_open_run* open_run, ss_ways* ways, ss_places* bodies,
                    double force[], double size[]);
/// Series of the inputs at the start of the step; false where one is not finite, which is then named.
bool ss_open_prepare(ss_sim* sim);
/// Whether some force is not constant between instants, whatever is set or written.
bool ss_open_has_powers(const ss_model* model, const ss_open_run* open_run);
/// Whether what expressions are given in time is constant from now on.
bool ss_open_stays(const ss_model* model, const ss_step* step, const ss_open_run* open_run);

void ss_open_name_connection(const ss_model* model, ss_inputs* inputs, int connection);

// open.c
/// Coefficients k of the accelerations by states and inputs, and k + 1 of the states.
void ss_open_add(ss_sim* sim, int k);
/// Acceleration of coordinate `row` by the states, now.
double ss_open_pull(const ss_model* model, const ss_step* step, int row);
/// Switching functions of kinks and jumps: positive on the present piece, which ends where one falls to zero.
/// Coefficients of function j are written to out; returns the degree, -1 where it is not decided.
int ss_open_switch_count(const ss_model* model);
int ss_open_switch(const ss_sim* sim, int j, double out[]);
bool ss_open_paces(const ss_open_run* open_run, int j); ///< the function goes on smoothly beyond
void ss_open_end_piece(ss_open_run* open_run, int j);   ///< its piece ends where the step does
void ss_open_keep_pieces(const ss_model* model, const ss_open_programs* programs); ///< none ends there
/// The step ends at s: pieces that end with it are left.
void ss_open_leave(ss_sim* sim, double s);
/// Whether the edge of a jump holds.
bool ss_open_is_held(const ss_open_run* open_run);
/// Contacts are about to be decided, or have been; whether what they do to the edges of this instant differs
/// from what was assumed: then they are to be decided anew.
void ss_open_question_edges(ss_open_programs* programs, bool begins);
bool ss_open_disagrees(ss_sim* sim);
/// Whether edges hold in a way that is not computed, or the cut of atan2 does.
bool ss_open_is_stuck(const ss_open_programs* programs);
/// Whether what expressions are made of has grown so far that they may overflow.
bool ss_open_is_far(ss_open_programs* programs);
/// Whether an expression has grown beyond all numbers, without leaving its domain.
bool ss_open_overflows(ss_open_programs* own);
/// Whether an expression is not finite, or not analytic, at the present instant; it is named then.
bool ss_open_is_bad(const ss_open_run* open_run);

// open_singular.c
/// Whether some function is so near to a singular place that it is held level on this step: then its series
/// begin anew. `longest`: what the step might be without any.
bool ss_open_freeze_singular(ss_sim* sim, double longest);
/// How long a step may be, up to `longest`, beside singular places.
double ss_open_clear(const ss_sim* sim, double longest);
/// Whether the function that failed is beyond its domain by rounding alone: it is held level then.
bool ss_open_accept_rounding(ss_sim* sim);
/// Whether the step is shorter than time can tell because of a singular place.
bool ss_open_is_near_place(const ss_step* step, const ss_open_run* open_run);
/// Whether steps have become shorter than time can tell before a place where a function has no value; it is
/// the fault then.
bool ss_open_meets_pole(ss_sim* sim);
/// Names the expression in which instruction i has left its domain, and says how.
void ss_open_name_fault(const ss_model* model, ss_inputs* inputs, ss_open_run* open_run, int i);

// open_size.c
/// Sum of the magnitudes of the terms of the acceleration of coordinate `row` at order k.
double ss_open_size(const ss_sim* sim, int row, int k);
/// Sum of the magnitudes of the terms of a rate, where the step begins.
double ss_open_rate_size(const ss_sim* sim, int j);
/// Whether no state changes now, to the rounding of its rate.
bool ss_open_rests(const ss_sim* sim);

// open_work.c
/// Before the powers of a step are asked for: the series of the forces.
void ss_open_prepare_powers(const ss_model* model, const ss_step* step, const ss_open_run* open_run,
                            const ss_places* bodies);
/// Powers of the forces that are expressions, at s of the step, into the ledger's accounts (W).
void ss_open_powers(const ss_sim* sim, double s, const double v[], const double dv[], double* input,
                    double* damping);
/// The same for constant forces, NaN where there is none: their work on what coordinates and drives moved.
void ss_open_works(const ss_model* model, const double force[], const double moved[], const double driven[],
                   ss_energy* e, double* passed);
/// Finds the constant parts of affine forces (open.fixed) with the memory and the inputs as they are.
void ss_open_find_fixed(const ss_model* model, ss_open_run* open_run, ss_places* bodies);
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
ss_status ss_open_fail_stuck(const ss_step* step, const ss_open_run* open_run, ss_course* course,
                             ss_error* err);

// open_held.c
/// The share of an edge that holds at order k with the free accelerations, and once more with the contacts
/// that hold.
void ss_open_hold_order(ss_sim* sim, int k);
void ss_open_balance(ss_sim* sim, int k);

#endif
