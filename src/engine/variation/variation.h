// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The derivative of a motion, inside. A heading is a direction under way: how the state of the run changes
// per unit of it. With y = (q, q', s, z) in one mode,
//
//     dy' = A(t) dy + b(t)
//
// A: derivatives of the vector field by the state (linear.c), contacts that hold taken into account;
// b: by the numbers of the model (change.c, change_along.c), by what is given in time (given.c) and by
// memory. Where the model is linear dy is a power series along the run's own steps, else collocation
// (flow.c). instant.c takes it across events. docs/theory/derivatives.md has the equations.
#ifndef SLIPSTICK_ENGINE_VARIATION_H
#define SLIPSTICK_ENGINE_VARIATION_H

#include "core/expression/graph_tangent.h"
#include "engine/field/field.h"
#include "engine/flow/bristle.h"
#include "engine/flow/collocation.h"
#include "engine/flow/open.h"
#include "engine/sim.h"
#include "slipstick/derivative.h"

enum { SS_WIDTH = SS_MAX_ORDER + 1, SS_DIRECTION_MODELS = 16, SS_EVEN_MODELS = 8, SS_VARY_NODE_STATES = 32 };

/// How the numbers of the model change in one direction. What does not is empty: start NULL, count 0, false.
typedef struct ss_change {
    const ss_direction* from;
    ss_sparse stiffness, damping;             ///< of M^-1 K and M^-1 C
    ss_sparse drive_stiffness, drive_damping; ///< of M^-1 Kd and M^-1 Cd
    ss_row* force;                            ///< per force: of its mobility
    ss_row *mobility, *q, *d;                 ///< per contact: of M^-1 W, W and Wd
    ss_row* pull;                             ///< per pull of the open part: of its mobility
    ss_row* tie;                              ///< per body: of its row of T
    bool cubic;                               ///< some cubic spring changes
    bool* law;                                ///< per contact: its force at a point does
    double (*levels)[SS_LEVELS];              ///< per contact: of its constant levels
    double *place, *bounce;                   ///< per contact: of the position and the restitution of a stop
    ss_stop_form** form; ///< per contact: of the formulas of a stop that gives way, by branch, or NULL
    struct {             ///< which signals change
        bool *force, *drive, *input, *rest, *level;
    } signals;
    bool given;             ///< some of them does
    bool beyond_laws;       ///< more changes than constants, levels and numbers that laws know at a point
    bool programs;          ///< outputs of the motion's program
    ss_row* affine;         ///< per slot (pulls, then rates): of the row over the variables
    ss_run *motion, *shown; ///< per model of the direction: its programs
    ss_run* ticks;          ///< per model and sampled block
    ss_along** along;       ///< per contact and model: of laws that need room
    struct {                ///< per bristle number, of laws with elements
        double *pull, *stretch;
    } element;
    void** numbers;   ///< per contact: how the numbers of its law change, in a struct of it, or NULL
    bool springs;     ///< what the constant accelerations are made of does
    double* constant; ///< n: of these, from the start on
} ss_change;

/// Series of how what is given in time changes along the present step.
typedef struct ss_given_series {
    double *force, *drive, *input, *rest, *level; ///< SS_WIDTH each
} ss_given_series;

/// A direction under way.
typedef struct ss_heading {
    const ss_direction* def;
    ss_change* change;         ///< NULL: the model does not change
    double *q, *v, *s, *z, *d; ///< how coordinates, speeds, states, bristles and driven places change
    double *m, *pending;       ///< memory that holds, and memory that waits; q, v, s, z and m are one list
    double* offset;            ///< bodies: of z - T q
    double* way;               ///< contacts: W dq where the step began, of laws that count from there
    double* late;              ///< contacts: of the time of its last event, s; NaN: lost
    double edge;               ///< of the time of a jump that the step ended at, s
    double* yield;             ///< bristle numbers: of the time at which an element slips, s, if it does
    ss_given_series given;
    double *series_q, *series_s;     ///< SS_WIDTH x n, x states: linear steps
    double* end;                     ///< unknowns of the flow where the step ends
    double* largest;                 ///< unknowns of the flow: the largest that each has been
    struct ss_vary_tangent* tangent; ///< of the programs of an open model, or NULL
    struct ss_vary_waves* waves;     ///< where forces change by constants and harmonics alone, or NULL
    struct ss_vary_glide* glide;     ///< tables for gliding through ticks, or NULL
    double noise;   ///< what rounding leaves of a change that is 0, as a share of what changes
    bool brief;     ///< orders after the first are had in brief (orders.c)
    bool operators; ///< and then it changes operators, too
    bool lost;
} ss_heading;

/// Values of the motion at a point of a step, or their coefficients of one order.
typedef struct ss_values {
    int order;     ///< -1: a point
    bool constant; ///< what is constant counts: at points, and in order 0
    double t, s;   ///< of a point: time, and parameter of the step
    double pace;   ///< dt/ds
    double *q, *v, *d, *d1, *states,
        *rates; ///< one list, as ss_state_at fills it; rates: of the states, per s
    double *a, *d2, *z, *lambda, *force;
    double* vars; ///< variables of the expressions of an open model
} ss_values;

/// What makes A at a point.
typedef struct ss_linear {
    ss_values at;
    ss_field_slopes by;
    bool* slips;     ///< per bristle number, of laws with elements
    double* outputs; ///< of the motion
} ss_linear;

/// What an instant was before it was passed.
typedef struct ss_before {
    bool filled;      ///< an instant is being passed
    bool ends;        ///< something happens at it, or may
    bool tick;        ///< it is an instant of the clock
    ss_linear motion; ///< there; contacts that are open have no force
    int* surface;     ///< per contact: which function of its vanished (ss_surface)
    int count, first; ///< of how many contacts one did, and the first of them, or -1
    bool yields;      ///< elements of one began to slip
    double* rates;    ///< how fast
    double t;
    double speed; ///< the largest on the step before
} ss_before;

typedef struct ss_derivative ss_variation;
struct ss_derivative {
    const ss_model* model;
    ss_sim* sim;
    ss_pool pool;
    int count, n, nd, ns, nz, nm, nu, m, slots, width; ///< width = 2 n + ns + nz: unknowns of the flow
    int *z_at, *z_count; ///< per contact: its first bristle number, or -1, and how many it has
    ss_heading* headings;
    struct { ///< ways through a step that need room of their own; each NULL where it is never taken
        struct ss_vary_strides* strides; ///< tables of strides
        struct ss_vary_dashes* dashes;   ///< headings across dashes
        struct ss_vary_nodes* nodes;     ///< polynomials along stiff steps of the run
        struct ss_vary_bends* bends;     ///< series along steps on which laws bend
        struct ss_vary_passing* passing; ///< across places where an expression is not smooth
    } ways;
    struct { ///< of the run, which does without while this is attached
        struct ss_coasting* coasting;
        struct ss_leap* leap;
    } kept;
    struct {             ///< the present step
        double done;     ///< s that was last asked for
        double from, to; ///< the present piece of the collocation: headings are at its beginning
        bool begun;      ///< it was asked for
        bool has_series; ///< of all headings
        bool has_nodes;  ///< likewise
        bool has_given;
        bool measured;             ///< numbers of headings are in measures of their own (measure.c)
        bool leaps;                ///< headings go by one rate each (passing.c)
        const ss_passing* passing; ///< what expressions that are held at their values pass, or NULL
    } along;
    struct {         ///< how the model is differentiated
        bool linear; ///< of this kind it is
        bool calm;   ///< it is so on steps on which no law of a contact is otherwise
        bool glides; ///< headings glide through ticks
        bool forces; ///< the mobility of some force changes: its value counts
    } kind;
    double read_off; ///< of the error within a step, where values there are asked for
    struct {         ///< contacts that are decided together at one instant
        bool now, allowed, noted;
    } coupled;
    ss_note_sink notes; ///< of the run, while it begins anew and tells its own once more; else NULL
    bool stepped;       ///< it has been told that ticks count in steps
    bool starts;        ///< the first instant is being passed
    ss_before before;
    struct ss_vary_edges* edges; ///< jumps that the step ends at (edges.c)
    ss_collocation method;
    ss_linear points[SS_STAGES]; ///< of the collocation; the first for whatever is asked at one point
    ss_delta delta;
    struct {                      ///< of the collocation
        double h, length;         ///< of its next step, and of the present one
        double weight[SS_STAGES]; ///< of the rates at the stages, where it was last asked
        double *y, *f, *b, *system, *rhs;
        int* pivots;
    } stages;
    double* sizes; ///< width: the largest that the state has been
    struct {       ///< scratch
        double *signals, *rates, *work, *seen, *numbers, *zero, *turned, *pieces;
    } room;
    struct { ///< programs of the model itself
        ss_run motion, shown;
        ss_tangent plain;       ///< of the motion's, by its variables alone
        double *none, *changes; ///< no variable changes; scratch of one number per register
    } runs;
};

// direction.c
/// Whether the models of a direction stand at -4 h, .. -h, h, .. 4 h with the weights of the eighth order.
bool ss_direction_is_even(const ss_direction* from, double* by_h);
/// The derivative of a number that has these values in the models of a direction; 0 where that is rounding.
double ss_direction_sum(const ss_direction* from, const double value[]);

// change.c
ss_change* ss_change_make(ss_variation* var, const ss_direction* from);
/// Whether matrices, rows, places or what is given in time change, or a law that does not know how at a
/// point; forms: formulas of stops that give way are known, too.
bool ss_change_goes_beyond_laws(const ss_variation* var, const ss_change* change, bool forms);

// curves.c
/// How a friction curve changes: change->numbers, where it is known, and change->law.
void ss_change_make_curve(ss_variation* var, ss_change* change, int i);

// stops.c
/// How the formulas of a stop that gives way change, once change->law is known.
void ss_change_make_forms(ss_variation* var, ss_change* change, int i);
/// How its force at a point changes with the numbers of its law.
double ss_change_stop(const ss_variation* var, const ss_change* change, int i, const ss_law_point* point);

// change_along.c
/// b: adds how accelerations, rates and contact forces change with the numbers of the model.
void ss_change_add(ss_variation* var, ss_heading* to, const ss_linear* lin, ss_delta* out);
/// How the force of contact i at a point changes with the numbers of its law.
double ss_change_law(const ss_variation* var, const ss_heading* to, const ss_linear* lin, int i,
                     double* rate);
/// How a level of contact i that follows the motion changes; var->delta is filled.
double ss_following_change(ss_variation* var, const ss_linear* lin, const ss_heading* to, int i, int which);

// given.c
/// The pieces on which `own` is where the present step begins, for a signal of another model that kinks in
/// the same places; false where none does.
bool ss_vary_own_pieces(const ss_variation* var, const ss_signal* own, const ss_signal* other,
                        double pieces[]);
void ss_given_prepare(ss_variation* var, ss_heading* to);
/// The same of all headings on the present step, where it is not there yet.
void ss_vary_prepare(ss_variation* var);
/// d, d1, d2 and input of delta; driven places where the step began are in to->d.
void ss_given_at(const ss_variation* var, const ss_heading* to, const ss_values* at, ss_delta* out);
/// Of one series: force, rest of a slot, level of a contact.
double ss_given_value(const ss_variation* var, const double series[], const ss_values* at);

// linear.c
void ss_values_at(ss_variation* var, double s, ss_values* out);
/// The same of a point of which q .. rates are there.
void ss_values_rest(ss_variation* var, double s, ss_values* out);
void ss_values_order(ss_variation* var, int k, ss_values* out);
/// Whether the force of contact i is constant while it slips: it has one coefficient only.
bool ss_vary_is_constant(const ss_sim* sim, int i);
void ss_linear_at(ss_variation* var, double s, ss_linear* out);
/// Its coefficients, of values that are there.
void ss_linear_rest(ss_variation* var, ss_linear* out);
void ss_linear_order(ss_variation* var, int k, ss_linear* out);
/// A dy, without contacts that hold; in a, rate, z_rate, lambda of delta.
void ss_linear_apply(ss_variation* var, const ss_linear* lin, const ss_heading* to, ss_delta* io);
/// All of it: how accelerations, rates and forces change at a point, of the state in io.
void ss_linear_all(ss_variation* var, const ss_linear* lin, ss_heading* to, ss_delta* io);

// flow.c
/// All headings at s of the present step, to be read (ss_vary_get); a later one must not be before it.
void ss_vary_look(ss_variation* var, double s);
/// All headings where the step ends, in their `end`.
void ss_vary_reach(ss_variation* var, double s);
/// A step begins.
void ss_vary_rewind(ss_variation* var);
/// A heading there: q, q', s, z.
void ss_vary_get(ss_variation* var, int heading, double y[]);
/// The step ends: headings are there.
void ss_vary_end(ss_variation* var);

/// The error of number c of a heading within a step of collocation on which it is up to `size`, as a share of
/// that or of what it has been; 0 where it is but that of the motion.
double ss_vary_error_share(const ss_variation* var, const ss_heading* to, int c, double error, double size);

/// Series of all headings on the present step of a linear model, order by order.
void ss_vary_run_series(ss_variation* var);
/// A heading at s of the step, by its series.
void ss_vary_sum_series(const ss_variation* var, const ss_heading* to, double s, double y[]);

// measure.c
/// Where a step begins: numbers z of all headings are in measures of their own from now on; false where none
/// needs one. Of a contact in full sliding, what is left of an earlier change is gone.
bool ss_vary_take_measures(ss_variation* var);
/// Back, at s of the step, or at a point of it. to NULL: without what its change of the model does.
void ss_vary_unmeasure(const ss_variation* var, const ss_heading* to, double s, double z[]);
void ss_vary_unmeasure_at(const ss_variation* var, const ss_heading* to, const ss_linear* lin, double z[]);
/// Their rates in place of those of z, in z_rate of io, which has all the rest.
void ss_vary_measure_rates(const ss_variation* var, const ss_heading* to, const ss_linear* lin, ss_delta* io);

// bend.c
/// Room for it, once the headings are made; false where there was none.
bool ss_vary_make_bends(ss_variation* var);
/// Series of all headings on the present step, whose laws bend; false where they have none, or do not end.
bool ss_vary_bend_series(ss_variation* var);
/// Places and speeds at s of a step with a clock, by these series.
void ss_vary_bend_clocked(const ss_variation* var, const ss_heading* to, double s, double y[]);
/// States of bristles at s by these series.
void ss_vary_bend_states(const ss_variation* var, const ss_heading* to, double s, double z[]);

// nodes.c
/// Room for it; false where there was none.
bool ss_vary_make_nodes(ss_variation* var);
/// Polynomials of all headings on the present step of collocation, asked for at s first; false where they are
/// of no use.
bool ss_vary_take_nodes(ss_variation* var, double s);
/// A heading at s by its polynomial.
void ss_vary_read_nodes(const ss_variation* var, int j, double s, double y[]);

// strides.c
/// Whether the run may keep its strides while this is attached.
bool ss_vary_take_strides(ss_variation* var, const ss_sim* sim);
/// An instant has been passed: a stride may begin here.
void ss_vary_origin(ss_variation* var);
/// Whether the run is on a stride.
bool ss_vary_strides(const ss_variation* var);
/// Series of all headings on the cell at hand, by tables; false where the run is on no stride.
bool ss_vary_stride_series(ss_variation* var);
/// The same where they are asked for at s alone: all headings there, in `end`.
bool ss_vary_stride_end(ss_variation* var, double s);

// waves.c
/// Of a direction that changes nothing else that is given in time; NULL where it does.
struct ss_vary_waves* ss_vary_waves_make(ss_variation* var, const ss_change* change);
/// Whether nothing that varies in time changes.
bool ss_vary_is_steady(const ss_heading* to);
/// As ss_given_prepare; false where the signals themselves must be asked.
bool ss_vary_waves_prepare(ss_variation* var, ss_heading* to);
/// The same for one wave of the run that is 1, or (any other number) for none, where waves do not change yet.
void ss_vary_waves_unit(ss_variation* var, ss_heading* to, int wave);

/// Whether frequencies change.
bool ss_vary_waves_turn(const ss_heading* to);
/// How the waves change, cosine and sine of each, t after their frequencies began to differ.
void ss_vary_waves_changes(const ss_heading* to, int count, double t, const double waves[], double out[]);

// steady.c; accelerations, then rates
/// What the change of the model adds for unit number c of q, v, s, then of the memory.
void ss_vary_ask_unit(ss_variation* var, ss_heading* to, int c, double out[]);
/// What of it is constant until the next instant. slips: where all contacts do, with their forces and without
/// memory; otherwise without contacts, with memory and its change.
void ss_vary_ask_constants(ss_variation* var, ss_heading* to, bool slips, double out[]);

// glides.c
/// Makes the tables for a run that glides through ticks, where headings can.
void ss_vary_take_glide(ss_variation* var, const ss_sim* sim);

// dashes.c
/// Room for it; false where there was none.
bool ss_vary_make_dashes(ss_variation* var);
/// What the run calls along dashes; NULL: it takes none.
const struct ss_dash_follower* ss_vary_dash_follower(const ss_variation* var);

// sides.c
/// A motion has begun: says where it is on an edge that some heading leaves.
void ss_vary_tell_sides(ss_variation* var);
/// The run may have ended at rest: headings that do not are lost.
void ss_vary_rest(ss_variation* var);

// instant.c; what the run calls is in watch.h
/// The time of contacts that change their modes because of another.
void ss_vary_share_times(ss_variation* var, ss_heading* to);
/// Tells the caller something about derivatives.
void ss_vary_note(const ss_variation* var, const ss_note* note);
void ss_vary_lose(ss_variation* var, ss_heading* to, const char* why);

#endif
