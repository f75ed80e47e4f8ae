// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The derivative of a motion, inside. A sensitivity is how the state of the run changes per unit of a
// direction. With y = (q, q', s, z) in one mode,
//
//     dy' = A(t) dy + b(t)
//
// A: derivatives of the vector field by the state (linearisation.c), contacts that hold taken into account;
// b: by the numbers of the model (model_change.c, model_change_along.c), by what is given in time
// (input_change.c) and by memory. Where the model is linear dy is a power series along the run's own steps,
// else collocation (sensitivity_flow.c). sensitivity_instant.c takes it across events.
// docs/theory/derivatives.md has the equations.
#ifndef SLIPSTICK_ENGINE_SENSITIVITY_SENSITIVITY_H
#define SLIPSTICK_ENGINE_SENSITIVITY_SENSITIVITY_H

#include "core/expression/graph_tangent.h"
#include "engine/field/field.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/collocation.h"
#include "engine/flow/open_series.h"
#include "engine/sim.h"
#include "slipstick/derivative.h"

enum {
    SS_WIDTH = SS_MAX_ORDER + 1,
    SS_DIRECTION_MODELS = 16,
    SS_EVEN_MODELS = 8,
    SS_SENSITIVITY_NODE_STATES = 32
};

/// How the numbers of the model change in one direction. What does not is empty: start NULL, count 0, false.
typedef struct ss_model_change {
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
    double *place, *bounce; ///< per contact: of the position of a stop, and of the restitution
    ss_stop_form** form;    ///< per contact: of the formulas of a stop that gives way, by branch, or NULL
    struct {                ///< which signals change
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
} ss_model_change;

/// Series of how what is given in time changes along the present step.
typedef struct ss_given_series {
    double *force, *drive, *input, *rest, *level; ///< SS_WIDTH each
} ss_given_series;

/// How the run changes per unit of a direction.
typedef struct ss_sensitivity {
    const ss_direction* def;
    ss_model_change* change;   ///< NULL: the model does not change
    double *q, *v, *s, *z, *d; ///< how coordinates, speeds, states, bristles and driven places change
    double *m, *pending;       ///< memory that holds, and memory that waits; q, v, s, z and m are one list
    double* offset;            ///< bodies: of z - T q
    double* way;               ///< contacts: W dq where the step began, of laws that count from there
    double* late;              ///< contacts: of the time of its last event, s; NaN: lost
    double edge;               ///< of the time of a jump that the step ended at, s
    double* yield;             ///< bristle numbers: of the time at which an element slips, s, if it does
    ss_given_series given;
    double *series_q, *series_s;        ///< SS_WIDTH x n, x states: linear steps
    double* end;                        ///< unknowns of the flow where the step ends
    double* largest;                    ///< unknowns of the flow: the largest that each has been
    struct ss_program_tangent* tangent; ///< of the programs of an open model, or NULL
    struct ss_harmonic_change* waves;   ///< where forces change by constants and harmonics alone, or NULL
    double noise;   ///< what rounding leaves of a change that is 0, as a share of what changes
    bool brief;     ///< orders after the first are had in brief (higher_orders.c)
    bool operators; ///< and then it changes operators, too
    bool lost;
} ss_sensitivity;

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
    int* surface;     ///< per contact: which function of its vanished (ss_event_surface)
    int count, first; ///< of how many contacts one did, and the first of them, or -1
    bool yields;      ///< elements of one began to slip
    double* rates;    ///< how fast
    double t;
    double speed; ///< the largest on the step before
} ss_before;

struct ss_derivative {
    const ss_model* model;
    ss_sim* sim;
    ss_pool pool;
    int count, n, nd, ns, nz, nm, nu, m, slots, width; ///< width = 2 n + ns + nz: unknowns of the flow
    int *z_at, *z_count; ///< per contact: its first bristle number, or -1, and how many it has
    ss_sensitivity* sensitivities;
    struct { ///< ways through a step that need room of their own; each NULL where it is never taken
        struct ss_sensitivity_propagator* long_steps;   ///< tables of long steps
        struct ss_sensitivity_speed_clock* speed_clock; ///< sensitivities across speed-clock steps
        struct ss_sensitivity_nodes* nodes;             ///< polynomials along stiff steps of the run
        struct ss_nonlinear_series* bends;              ///< series along steps on which laws are not linear
        struct ss_sensitivity_passing* passing;         ///< across places where an expression is not smooth
    } ways;
    struct { ///< of the run, which does without while this is attached
        struct ss_linear_propagator* propagator;
        struct ss_leap* leap;
    } kept;
    struct {             ///< the present step
        double done;     ///< s that was last asked for
        double from, to; ///< the present piece of the collocation: sensitivities are at its beginning
        bool begun;      ///< it was asked for
        bool has_series; ///< of all sensitivities
        bool has_nodes;  ///< likewise
        bool has_given;
        bool measured;             ///< numbers of sensitivities are in measures of their own (measure.c)
        bool leaps;                ///< sensitivities go by one rate each (passing.c)
        const ss_passing* passing; ///< what expressions that are held at their values pass, or NULL
    } along;
    struct {         ///< how the model is differentiated
        bool linear; ///< of this kind it is
        bool calm;   ///< it is so on steps on which no law of a contact is otherwise
        bool forces; ///< the mobility of some force changes: its value counts
    } kind;
    struct {                ///< the first instant
        bool starts;        ///< it is being passed
        bool stepped;       ///< it has been told that ticks count in steps
        ss_note_sink notes; ///< of the run, while it begins anew and tells its own once more; else NULL
    } begin;
    ss_before before;
    struct {                                              ///< the present instant
        struct ss_sensitivity_edges* edges;               ///< jumps that the step before it ends at (jumps.c)
        bool coupled_now, coupled_allowed, coupled_noted; ///< contacts are decided together at it
    } instant;
    ss_linear points[SS_STAGES]; ///< of the collocation; the first for whatever is asked at one point
    ss_delta delta;
    struct { ///< of the collocation
        ss_collocation method;
        double h, length;         ///< of its next step, and of the present one
        double weight[SS_STAGES]; ///< of the rates at the stages, where it was last asked
        double *y, *f, *b, *system, *rhs;
        int* pivots;
    } stages;
    struct {             ///< what errors are measured by
        double* sizes;   ///< width: the largest that the state has been
        double read_off; ///< of the error within a step, where values there are asked for
    } measure;
    struct { ///< scratch
        double *signals, *rates, *work, *seen, *numbers, *zero, *turned, *pieces, *loads;
        double* forces; ///< where expressions use them: 4 per contact, and outputs
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

// model_change.c
ss_model_change* ss_change_make(ss_derivative* der, const ss_direction* from);
/// Whether matrices, rows, places or what is given in time change, or a law that does not know how at a
/// point; forms: formulas of stops that give way are known, too.
bool ss_change_goes_beyond_laws(const ss_derivative* der, const ss_model_change* change, bool forms);

// curve_change.c
/// How a friction curve changes: change->numbers, where it is known, and change->law.
void ss_change_make_curve(ss_derivative* der, ss_model_change* change, int i);

// stop_change.c
/// How the formulas of a stop that gives way change, once change->law is known.
void ss_change_make_forms(ss_derivative* der, ss_model_change* change, int i);
/// How its force at a point changes with the numbers of its law.
double ss_change_stop(const ss_derivative* der, const ss_model_change* change, int i,
                      const ss_law_point* point);

// model_change_along.c
/// b: adds how accelerations, rates and contact forces change with the numbers of the model.
void ss_change_add(ss_derivative* der, ss_sensitivity* to, const ss_linear* lin, ss_delta* out);
/// How the force of contact i at a point changes with the numbers of its law.
double ss_change_law(const ss_derivative* der, const ss_sensitivity* to, const ss_linear* lin, int i,
                     double* rate);
/// How a level of contact i that follows the motion changes; der->delta is filled.
double ss_following_change(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, int i,
                           int which);

// input_change.c
/// The pieces on which `own` is where the present step begins, for a signal of another model that kinks in
/// the same places; false where none does.
bool ss_sensitivity_own_pieces(const ss_derivative* der, const ss_signal* own, const ss_signal* other,
                               double pieces[]);
void ss_given_prepare(ss_derivative* der, ss_sensitivity* to);
/// The same of all sensitivities on the present step, where it is not there yet.
void ss_sensitivity_prepare(ss_derivative* der);
/// d, d1, d2 and input of delta; driven places where the step began are in to->d.
void ss_given_at(const ss_derivative* der, const ss_sensitivity* to, const ss_values* at, ss_delta* out);
/// Of one series: force, rest of a slot, level of a contact.
double ss_given_value(const ss_derivative* der, const double series[], const ss_values* at);

// linearisation.c
void ss_values_at(ss_derivative* der, double s, ss_values* out);
/// The same of a point of which q .. rates are there.
void ss_values_rest(ss_derivative* der, double s, ss_values* out);
void ss_values_order(ss_derivative* der, int k, ss_values* out);
/// Whether the force of contact i is constant while it slips: it has one coefficient only.
bool ss_sensitivity_is_constant(const ss_step* step, const ss_inputs* inputs, const ss_modes* modes, int i);
void ss_linear_at(ss_derivative* der, double s, ss_linear* out);
/// Its coefficients, of values that are there.
void ss_linear_rest(ss_derivative* der, ss_linear* out);
void ss_linear_order(ss_derivative* der, int k, ss_linear* out);
/// A dy, without contacts that hold; in a, rate, z_rate, lambda of delta.
void ss_linear_apply(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, ss_delta* io);
/// All of it: how accelerations, rates and forces change at a point, of the state in io.
void ss_linear_all(ss_derivative* der, const ss_linear* lin, ss_sensitivity* to, ss_delta* io);

// force_change.c
/// What holds takes from a what would move it, and expressions of forces follow. apart: in an order of the
/// series, how outputs change without forces.
void ss_sensitivity_hold(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to,
                         const double apart[], ss_delta* io);

// sensitivity_flow.c
/// All sensitivities at s of the present step, to be read (ss_sensitivity_get); a later one must not be
/// before it.
void ss_sensitivity_at(ss_derivative* der, double s);
/// All sensitivities where the step ends, in their `end`.
void ss_sensitivity_at_end(ss_derivative* der, double s);
/// A step begins.
void ss_sensitivity_rewind(ss_derivative* der);
/// A sensitivity there: q, q', s, z.
void ss_sensitivity_get(ss_derivative* der, int sensitivity, double y[]);
/// The step ends: sensitivities are there.
void ss_sensitivity_end(ss_derivative* der);

/// The error of number c of a sensitivity within a step of collocation on which it is up to `size`, as a
/// share of that or of what it has been; 0 where it is but that of the motion.
double ss_sensitivity_error_share(const ss_derivative* der, const ss_sensitivity* to, int c, double error,
                                  double size);

/// Series of all sensitivities on the present step of a linear model, order by order.
void ss_sensitivity_run_series(ss_derivative* der);
/// A sensitivity at s of the step, by its series.
void ss_sensitivity_sum_series(const ss_derivative* der, const ss_sensitivity* to, double s, double y[]);

// measure.c
/// Where a step begins: numbers z of all sensitivities are in measures of their own from now on; false where
/// none needs one. Of a contact in full sliding, what is left of an earlier change is gone.
bool ss_sensitivity_take_measures(ss_derivative* der);
/// Back, at s of the step, or at a point of it. to NULL: without what its change of the model does.
void ss_sensitivity_unmeasure(const ss_derivative* der, const ss_sensitivity* to, double s, double z[]);
void ss_sensitivity_unmeasure_at(const ss_derivative* der, const ss_sensitivity* to, const ss_linear* lin,
                                 double z[]);
/// Their rates in place of those of z, in z_rate of io, which has all the rest.
void ss_sensitivity_measure_rates(const ss_derivative* der, const ss_sensitivity* to, const ss_linear* lin,
                                  ss_delta* io);

// nonlinear_series.c
/// Room for it, once the sensitivities are made; false where there was none.
bool ss_make_nonlinear_series(ss_derivative* der);
/// Series of all sensitivities on the present step, whose laws are not linear; false where they have none, or
/// do not end.
bool ss_sensitivity_nonlinear_series(ss_derivative* der);
/// Places and speeds at s of a step with a clock, by these series.
void ss_sensitivity_nonlinear_clocked(const ss_derivative* der, const ss_sensitivity* to, double s,
                                      double y[]);
/// States of bristles at s by these series.
void ss_sensitivity_nonlinear_states(const ss_derivative* der, const ss_sensitivity* to, double s,
                                     double z[]);

// stiff_nodes.c
/// Room for it; false where there was none.
bool ss_sensitivity_make_nodes(ss_derivative* der);
/// Polynomials of all sensitivities on the present step of collocation, asked for at s first; false where
/// they are of no use.
bool ss_sensitivity_take_nodes(ss_derivative* der, double s);
/// A sensitivity at s by its polynomial.
void ss_sensitivity_read_nodes(const ss_derivative* der, int j, double s, double y[]);

// linear_propagator_sensitivity.c
/// Whether the run may keep its long steps while this is attached.
bool ss_sensitivity_take_propagator(ss_derivative* der, const ss_sim* sim);
/// An instant has been passed: a long step may begin here.
void ss_sensitivity_origin(ss_derivative* der);
/// Whether the run is on a long step.
bool ss_sensitivity_propagator(const ss_derivative* der);
/// Series of all sensitivities on the cell at hand, by tables; false where the run is on no long step.
bool ss_sensitivity_propagator_series(ss_derivative* der);
/// The same where they are asked for at s alone: all sensitivities there, in `end`.
bool ss_sensitivity_propagator_end(ss_derivative* der, double s);

// harmonic_change.c
/// Of a direction that changes nothing else that is given in time; NULL where it does.
struct ss_harmonic_change* ss_harmonic_change_make(ss_derivative* der, const ss_model_change* change);
/// Whether nothing that varies in time changes.
bool ss_sensitivity_is_steady(const ss_sensitivity* to);
/// As ss_given_prepare; false where the signals themselves must be asked.
bool ss_harmonic_change_prepare(ss_derivative* der, ss_sensitivity* to);
/// The same for one wave of the run that is 1, or (any other number) for none, where waves do not change yet.
void ss_harmonic_change_unit(ss_derivative* der, ss_sensitivity* to, int wave);

/// Whether frequencies change.
bool ss_harmonic_change_turn(const ss_sensitivity* to);
/// How the waves change, cosine and sine of each, t after their frequencies began to differ.
void ss_harmonic_change_changes(const ss_sensitivity* to, int count, double t, const double waves[],
                                double out[]);

// constant_change.c
/// What the change of the model adds to the rates of a sensitivity that is constant until the next instant,
/// without contacts: accelerations, then rates of states.
void ss_sensitivity_ask_constants(ss_derivative* der, ss_sensitivity* to, double out[]);

// speed_clock_sensitivity.c
/// Room for it; false where there was none.
bool ss_sensitivity_make_speed_clock(ss_derivative* der);
/// What the run calls along speed-clock steps; NULL: it takes none.
const struct ss_speed_clock_hooks* ss_sensitivity_speed_clock_hooks(const ss_derivative* der);

// start_sides.c
/// A motion has begun: says where it is on an edge that some sensitivity leaves.
void ss_sensitivity_note_sides(ss_derivative* der);
/// The run may have ended at rest: sensitivities that do not are lost.
void ss_sensitivity_rest(ss_derivative* der);

// sensitivity_instant.c; what the run calls is in run_hooks.h
/// The time of contacts that change their modes because of another.
void ss_sensitivity_share_times(ss_derivative* der, ss_sensitivity* to);
/// Tells the caller something about derivatives.
void ss_sensitivity_note(const ss_derivative* der, const ss_note* note);
void ss_sensitivity_lose(ss_derivative* der, ss_sensitivity* to, const char* why);

#endif
