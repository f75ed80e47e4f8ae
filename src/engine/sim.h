// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One run: state, mode and scratch of a trajectory.
//
// Between events the motion is a power series in the time s since the start of the present step:
//     q(t + s) = sum_k q[k] s^k,   0 <= s <= length.
// In contact with an elastic stop s may be another parameter than the time: see clock.c.
// Four phases make a run (loop.c): select decides the modes and with them the first coefficients, flow
// computes the rest of the series, locate finds the first event on it, record commits it to state, log and
// ledger.
#ifndef SLIPSTICK_ENGINE_SIM_H
#define SLIPSTICK_ENGINE_SIM_H

#include "core/algebra/product.h"
#include "core/algebra/projection.h"
#include "core/expression/program.h"
#include "core/expression/series.h"
#include "core/image.h"
#include "engine/proof/divergence.h"
#include "law/along.h"
#include "law/stop.h"
#include "model/model.h"
#include "slipstick/simulation.h"

#include <stdint.h>

enum {
    SS_DECIDE_ORDER = 8,   ///< derivatives looked at before a contact exactly on its boundary counts as held
    SS_BOUNCE_PERIOD = 16, ///< longest pattern of impacts whose limit is looked for, in instants
    SS_BOUNCE_MEMORY = 4 * SS_BOUNCE_PERIOD + 8,
    SS_PULLS = 9 ///< kinds of pull: see pulls.c
};

/// An instant at which stops of a group were struck.
typedef struct ss_strike {
    double t;     ///< s
    double speed; ///< the fastest approach
    uint64_t who; ///< a name for the set of stops
    long number;  ///< counts them
} ss_strike;

/// The last such instants of a group (accumulate.c).
typedef struct ss_bounces {
    int count;
    long number;        ///< instants so far
    double start, peak; ///< when the present chain of impacts began, and the fastest approach in it
    ss_strike at[SS_BOUNCE_MEMORY];
} ss_bounces;

/// The limit of infinitely many impacts.
typedef struct ss_limit {
    double left;  ///< time until then
    int crushing; ///< a stop that driven bodies close for good at that time, or -1
} ss_limit;

/// What is known of one contact at present.
typedef struct ss_contact_run {
    ss_mode mode;
    ss_mode logged;   ///< mode before the present instant
    bool zero;        ///< v = 0 (friction), or gap = 0 and v = 0 (stop): it takes part in the projection
    bool undecided;   ///< still on the edge at the order being decided
    signed char edge; ///< +1 / -1: force at its upper / lower bound; 2: at both (level 0)
    bool pinned;      ///< holds with its force at the bound, other contacts carry the rest
    bool idle;        ///< holds without any force, other contacts carry all: see ss_keep_choice
    bool released;    ///< broke loose at this instant: takes the kinetic force, is not held again now
    bool turned;      ///< released, and turned around by others: decided again, between its kinetic levels
    bool shared;      ///< held until now with a force that was not determined
    bool candidate;   ///< its event function may vanish on this step
    bool clear;       ///< it cannot: its event function is known to stay positive
    double bend;      ///< bound on the fourth derivative of its event function on this step, or INFINITY
    bool hit;         ///< its event function vanished at the present instant
    bool touches;     ///< of an elastic stop: p = 0 there
    bool determined;
    bool accumulated; ///< the impact at this instant is the limit of infinitely many
    int lead;         ///< leading coefficients of its event function that vanish at the step's start
    double slack[2]; ///< force by which it may exceed its upper and its lower bound where it started on it, N
    double gap;      ///< of a stop: distance left, tracked on its own so that small bounces keep digits
    bool recheck;    ///< its velocity may have jumped
    double speed_before;        ///< of approach, before the impact being solved
    double kick;                ///< size of the velocity changes by impacts at this instant
    double speed_in, speed_out; ///< of an impact at this instant; speed_in < 0: none
    long struck;                ///< number of the last instant at which it was struck, 0: never
} ss_contact_run;

/// What an elastic stop waits for: nothing, or the first derivative that tells where it goes from p = 0 or
/// from an edge of its law.
typedef enum ss_verge { SS_VERGE_NONE, SS_VERGE_TOUCH, SS_VERGE_EDGE } ss_verge;

/// An elastic stop along the present step. Its penetration at the start is -gap of its contact.
typedef struct ss_elastic {
    int contact;
    ss_stop_form form; ///< its formula, of its present branch
    int branch;
    ss_stop_edge edge[SS_STOP_EDGES]; ///< of its law
    int edge_count;
    ss_verge verge;
    int on_edge;                  ///< SS_VERGE_EDGE: which one
    bool quiet;                   ///< it is touched, but no number could show what p^n does on this step
    bool inward;                  ///< p grows where the step begins
    int at_edge;                  ///< 1 + the edge that was met at the present instant; 0: none
    int edge_lead[SS_STOP_EDGES]; ///< leading coefficients of each edge that vanish at the step's start
    bool cut_off;                 ///< of a run that is exchanged: penetrated, but without a force
    bool calm;                    ///< p has changed little of late: far from its touch it needs no clock
    int watched;                  ///< steps since it was last asked whether it is calm
    double least, most;           ///< p at their starts
    double p[SS_MAX_ORDER + 1], rate[SS_MAX_ORDER + 1];       ///< penetration, and p'
    double power[SS_MAX_ORDER + 1], square[SS_MAX_ORDER + 1]; ///< p^n; what it is made of
} ss_elastic;

/// How the held contacts of a group act: forces l = -inverse b, and coordinates expressed by others.
typedef struct ss_hold {
    int count;       ///< contacts that hold with a free force
    int* places;     ///< their places in the group
    double* inverse; ///< count x count: pseudo-inverse of A on them
    double* bias;    ///< count: where A is singular, the share of their forces that moves nothing
    bool singular;
    bool follows;     ///< some coordinate follows another one that moves
    int rank;         ///< coordinates expressed by others
    int* dependent;   ///< rank coordinates
    double* relation; ///< rank x (coordinates of the group + drives + 1): coefficients, last the offset
    bool active;      ///< something holds
} ss_hold;

/// What a run that stops at events remembers of the last instant: see ss_instant. Written by loop.c (the
/// state before) and by the log (the events); read by ss_sim_instant alone.
typedef struct ss_stop_memory {
    bool wanted; ///< ss_sim_advance_to_event is under way
    double *x, *v;
    ss_contact_state* contacts;
    double* numbers;
    ss_event* events;
    int event_count;
} ss_stop_memory;

struct ss_coasting;
struct ss_settle;
struct ss_leap;

// ---- the parts of a run

/// How the present step ends.
typedef enum ss_step_end {
    SS_STEP_REACH,          ///< its series reach no further
    SS_STEP_BREAK,          ///< at a breakpoint of a table
    SS_STEP_EVENT,          ///< at an event of a contact
    SS_STEP_EVENT_AT_BREAK, ///< at both at once
    SS_STEP_KINK,           ///< where an input kinks, or two levels cross
    SS_STEP_ESCAPE,         ///< where a body leaves the region that the caller has set
} ss_step_end;

/// The present step: the motion as series in s since its start, and how it ends. Flow writes it, locate
/// shortens it, record moves it on.
typedef struct ss_step {
    double t;                            ///< its start
    double length;                       ///< up to which s the series is valid and free of events
    double now;                          ///< the s that the caller has reached
    int order;                           ///< highest coefficient of q
    bool ready;                          ///< the step is computed
    double power[SS_MAX_ORDER + 1];      ///< length^k, while events are located
    double rate_power[SS_MAX_ORDER + 1]; ///< (k + 1) length^k
    double powers_of;                    ///< the length they belong to
    int power_count;
    ss_step_end end;
    double* q;      ///< (SS_MAX_ORDER + 1) x n
    double* d;      ///< (SS_MAX_ORDER + 1) x drives
    double* s;      ///< (SS_MAX_ORDER + 1) x states
    double* lambda; ///< (SS_MAX_ORDER + 1) x contacts
} ss_step;

/// What is given as a function of time, along the present step (inputs.c, levels.c).
typedef struct ss_inputs {
    double* force; ///< (SS_MAX_ORDER + 1) x forces
    double* level; ///< 4 x (SS_MAX_ORDER + 1) per contact whose levels vary; see level_at
    int* level_at; ///< per contact: index of its block in level, or -1
    double* kinks; ///< kink functions of all signals, (SS_MAX_ORDER + 1) each
    int kink_count;
    int watch_from;    ///< kink functions from here on belong to levels (levels.c) and start positive
    double next_break; ///< the next breakpoint of a table after t, or INFINITY
    bool drive_jumped; ///< the speed of a drive changes at once where the step begins
    int order;         ///< highest coefficient of these series
    int* varying;      ///< forces that vary in time
    int varying_count;
    double* force_constant; ///< forces: value where constant
    double* drive_x;        ///< drives: position at t
    double* scratch;        ///< for the series of one signal
    double rate;            ///< 1/s: of all inputs, where rate_known
    bool rate_known;        ///< every input is a line, a table or a sum of harmonics
    char bad[128];          ///< the input that is not a finite, admissible number: "forces[0].force"
    bool negative;          ///< it is a friction level below 0
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
    struct ss_open_following* following; ///< contacts whose levels follow the motion (open.h)
    int following_count;
    struct ss_open_programs* programs;
    double* given; ///< (SS_MAX_ORDER + 1) x slots (forces, then rates): what of them is given in time
    int slots;
    bool varies; ///< some input or part of a force or rate is given in time
} ss_open_run;

/// What holds from one instant to the next: inputs that were set from outside, and the memory of sampled
/// controllers (held.c, sampled.c). The values stand in ss_open_run.value.
typedef struct ss_held {
    bool changed;    ///< some value has changed at this instant: constants and modes are found anew
    double asked;    ///< s: where the caller has got to; at rest the run may be earlier
    double next;     ///< s: the next tick or delayed write; INFINITY: none
    double since;    ///< s: when memory changed last
    int block_count; ///< of sampled controllers
    struct ss_block_run* blocks;
    double* pending;         ///< memory: what is written, but does not hold yet
    ss_run* runs;            ///< scratch: one evaluation per block
    double *point, *written; ///< scratch: variables; what a block writes
    double* holds;           ///< scratch, (memory + 1) x contacts: what holds without memory, and by each
    struct ss_glide* glide;  ///< tables of a plant that slips on from tick to tick (glide.c), or NULL
    bool ahead;              ///< the state at the next tick is known
    double ahead_t;          ///< s: when that is
    double* ahead_state;     ///< q, q', states
} ss_held;

/// Series and states that laws keep along the step, beside the force.
typedef struct ss_law_series {
    ss_along* curved; ///< of contacts that hold, and whose force depends on the speed while they slip
    int* curved_at;   ///< per contact: index into curved, or -1
    ss_elastic* elastic;
    int elastic_count;
    int* elastic_at; ///< per contact: index into elastic, or -1
    struct ss_bristle* bristles;
    int bristle_count;
    int* bristle_at;  ///< per contact: index into bristles, or -1
    double* start;    ///< numbers of all bristles, as of ss_sim_bristles: scratch
    bool start_given; ///< they begin with these
} ss_law_series;

/// A step with a clock of its own (clock.c).
typedef struct ss_step_clock {
    ss_elastic* stop; ///< the elastic stop it belongs to, or NULL: s is the time
    bool allowed;     ///< some stop of the model has use for one
    double pace[SS_MAX_ORDER + 1], elapsed[SS_MAX_ORDER + 1]; ///< dt/ds = sqrt(p), and t(s) - t
    double *speed, *change;                                   ///< series of q' and q'', n wide
    double* drive_speed;                                      ///< drives: constant on the step
} ss_step_clock;

/// Contacts and groups: which mode each is in, and how what holds does.
typedef struct ss_modes {
    ss_contact_run* contacts;
    ss_bounces* bounces; ///< per group, where the model has rigid stops
    ss_hold* holds;
    bool* dirty; ///< per group: to be decided
    int* active; ///< groups in which something holds
    int active_count;
    int active_slips; ///< slipping contacts whose force varies along a step
    bool has_stops, has_falling;
    bool noted_singular, noted_together;
    bool exchanged; ///< somebody else solves: no limit of bounces is leapt to (exchange.c)
} ss_modes;

/// What the choice of the next step rests on.
typedef struct ss_pace {
    double rate;     ///< 1/s: of the model and its harmonic inputs
    double interval; ///< s: running estimate of the time between events
    double swing;    ///< s: between the last two events; INFINITY before
    int swing_order; ///< with which one step took a body from reversal to reversal, or 0
    double last_event;
    long steps;
    double tolerance;
} ss_pace;

/// Ways to flow other than by series: of models that have use for them, or NULL.
typedef struct ss_ways {
    struct ss_stiff* stiff;       ///< collocation, where bristles or damped stops may be stiff
    struct ss_coasting* coasting; ///< strides in closed form, of a small steady linear model
} ss_ways;

/// What is known of the whole future.
typedef struct ss_proof {
    struct ss_settle* settle;                   ///< of a linear model that is not too large, or NULL
    struct ss_settle_bristles* settle_bristles; ///< of one with bristles that is not too large, or NULL
    struct ss_leap* leap;                       ///< of a small steady linear model, or NULL
    ss_divergence* divergence;                  ///< where asked for and the model has unstable modes, or NULL
    double resting_since;                       ///< NaN while anything moves
} ss_proof;

enum { SS_RUNAWAY_SPANS = 4 };

/// How fast the number of steps grows (runaway.c).
typedef struct ss_runaway {
    long next;                      ///< number of steps at which the present doubling ends
    double t;                       ///< s: when it began
    double spans[SS_RUNAWAY_SPANS]; ///< s: how long the last doublings took, the last first
    double peak, peak_before;       ///< the largest speed in the present doubling, and in the one before
    int doublings;                  ///< in a row in which the motion grew
} ss_runaway;

/// How far the run has come, and how it ended.
typedef struct ss_course {
    bool started, ended, failed;
    ss_error fault; ///< why it failed
    bool diverges;  ///< proved
    ss_outcome outcome;
    double end_t;
    long event_count;
    int stalls;      ///< events at one and the same instant
    int blind_steps; ///< taken to get past such a place
    ss_runaway runaway;
} ss_course;

typedef struct ss_ledger {
    ss_energy energy; ///< input, friction, damping, impact up to t; start
    bool has_powers;  ///< some work is not that of a constant force
} ss_ledger;

/// Scratch: nothing in it outlives the function that filled it.
typedef struct ss_work {
    double* numbers; ///< of the largest group
    signed char* at;
    double* row;    ///< n + drives + 1
    double* choice; ///< forces of a group as select chose them, while another distribution is tried
    double* share;  ///< share of each held contact in what its group leaves undetermined
    int* index;
    int* note_contacts;
    double* scratch_q;  ///< 2 n + 2 drives + 2 states
    double* next_state; ///< the same
    double* points;     ///< SS_GAUSS_POINTS x (2 n + 2 drives): the motion where its powers are asked for
} ss_work;

/// Bodies, of which coordinates are a part: where they started, and where the caller sees them.
typedef struct ss_places {
    double* offset;  ///< z - T q
    double* start_x; ///< at t = 0
    double* start_v; ///< the speeds there, before any blow
    double *out_x, *out_v;
} ss_places;

struct ss_sim {
    const ss_model* model;
    ss_sim_def def;
    ss_pool pool;
    ss_image image;
    struct ss_derivative* variation; ///< that moves with the run (engine/variation), or NULL
    ss_step step;                    ///< from here on the run is saved and loaded, see save.c
    ss_inputs inputs;
    ss_pulls pulls;
    ss_open_run open;
    ss_held held;
    ss_law_series laws;
    ss_step_clock clock;
    ss_modes modes;
    ss_pace pace;
    ss_ways ways;
    ss_proof proof;
    ss_course course;
    ss_ledger ledger;
    ss_work work;
    ss_places bodies;
    ss_stop_memory stop;
};

static inline bool ss_ends_at_break(const ss_sim* sim)
{
    return sim->step.end == SS_STEP_BREAK || sim->step.end == SS_STEP_EVENT_AT_BREAK;
}

/// The step ends in what happens on it, and not only where its series or a table do.
static inline bool ss_ends_in_event(const ss_sim* sim) { return sim->step.end >= SS_STEP_EVENT; }

static inline double* ss_coefficients(double series[], int k, int width)
{
    return series + (size_t)k * (size_t)width;
}

static inline bool ss_is_stop(const ss_sim* sim, int i)
{
    return ss_contact_is(&sim->model->contacts[i], SS_TRAIT_RIGID);
}

static inline bool ss_is_bristle(const ss_sim* sim, int i) { return sim->laws.bristle_at[i] >= 0; }
static inline bool ss_is_elastic(const ss_sim* sim, int i) { return sim->laws.elastic_at[i] >= 0; }

/// It sticks, or is a rigid stop that is leaned on: its force is whatever holds.
static inline bool ss_holds(const ss_sim* sim, int i)
{
    ss_mode mode = sim->modes.contacts[i].mode;
    return mode == SS_MODE_STICK || (mode == SS_MODE_CLOSED && !ss_is_elastic(sim, i));
}

static inline bool ss_slips(const ss_sim* sim, int i)
{
    return sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS ||
           sim->modes.contacts[i].mode == SS_MODE_SLIP_MINUS;
}

/// Bounds of the force of contact i while it holds, coefficient k.
double ss_hold_low(const ss_sim* sim, int i, int k);
double ss_hold_high(const ss_sim* sim, int i, int k);
/// The same with the kinetic levels of a Coulomb contact.
double ss_kinetic_low(const ss_sim* sim, int i, int k);
double ss_kinetic_high(const ss_sim* sim, int i, int k);
/// Coefficient k of the force while contact i slips (sign from its mode); needs the velocity up to k.
double ss_slip_force(ss_sim* sim, int i, int k);
/// Contact i starts to slip from rest: prepares the series that ss_slip_force builds on.
void ss_start_slip(ss_sim* sim, int i);
/// Event function `which` of the law of contact i, which slips, coefficients times power[k]: returns its
/// degree, or -1 where it cannot vanish now.
int ss_law_function(const ss_sim* sim, int i, int which, const double power[], double c[]);
/// Contact i, which slips, has met its speed (0) or an event function of its law (1, ..). Returns true if v =
/// 0 there.
bool ss_mark_law(ss_sim* sim, int i, int which);
void ss_restart_slips(ss_sim* sim);
/// The motion is known from order `from` on: laws that slip follow it, as they do for the orders that needed
/// their force.
void ss_slips_follow_series(ss_sim* sim, int from);
/// The step ends at s: contacts whose force depends on the speed go on from there.
void ss_commit_slips(ss_sim* sim, double s);
/// clock.c
void ss_clock_allocate(ss_sim* sim);
bool ss_clock_suits(const ss_sim* sim, const ss_elastic* stop);
/// Chooses the clock of the step that begins; false where s is the time.
bool ss_clock_wind(ss_sim* sim);
void ss_clock_flow(ss_sim* sim);
/// Time since the start of the step at parameter s, and the parameter at such a time.
double ss_elapsed(const ss_sim* sim, double s);
double ss_parameter_at(const ss_sim* sim, double time);

/// elastic.c: the modes of elastic stops in dirty groups, by the present state.
void ss_elastic_allocate(ss_sim* sim);
/// Event function number w of a stop: an edge, positive on the step. Coefficients up to the degree that is
/// returned; -1 where it cannot vanish now.
int ss_elastic_edge_series(const ss_sim* sim, const ss_elastic* stop, int w, double c[]);
/// Whether a stop on a quiet step still has the part of its force that goes with p' alone.
bool ss_elastic_drags_quietly(const ss_elastic* stop);
void ss_elastic_restart(ss_sim* sim);
void ss_elastic_classify(ss_sim* sim);
/// Decides those on the verge by the orders up to k; true where some still wait for more.
bool ss_elastic_decide(ss_sim* sim, int k);
/// The modes are decided and a step begins.
void ss_elastic_begin(ss_sim* sim);
void ss_add_elastic_forces(ss_sim* sim, int k);
/// The motion is known along the step by other means: penetrations and their rates.
void ss_elastic_follow_series(ss_sim* sim);
/// How much of h the series of the elastic stops reach.
double ss_elastic_reach(const ss_sim* sim, double h);

/// How much of h the series of slip forces that depend on the speed reach.
double ss_slip_reach(const ss_sim* sim, double h);
/// Position of contact i along its row, coefficient k >= 1.
double ss_relative_position(const ss_sim* sim, int i, int k);
/// Relative velocity of contact i, coefficient k.
double ss_relative_velocity(const ss_sim* sim, int i, int k);
/// Sum of the magnitudes of its terms.
double ss_relative_velocity_terms(const ss_sim* sim, int i, int k);
/// pulls.c: sum of the magnitudes that make up the acceleration of coordinate `row` at order k, contacts that
/// hold included.
double ss_pull_size(const ss_sim* sim, int row, int k);
/// How much coefficient k + 1 of what is given in time counts for the size of coefficient k, because the time
/// is rounded.
double ss_late(const ss_sim* sim, int k);
/// The same for the relative acceleration of contact i.
double ss_acceleration_size(const ss_sim* sim, int i, int k);

/// As ss_sim_contact, but where several forces hold with the one that the run goes by, and not the one of
/// least norm.
ss_contact_state ss_contact_of_run(const ss_sim* sim, int i);

/// A run that has memory and no start yet.
ss_status ss_sim_make(const ss_model* model, const ss_sim_def* def, ss_sim** out, ss_error* err);
/// save.c: tells the image where pointers stand, once all is allocated.
void ss_mark_run(ss_sim* sim);

// ---- what a derivative that is attached wants to know (engine/variation)

void ss_vary_begin(ss_sim* sim);            ///< a motion begins
void ss_vary_commit(ss_sim* sim, double s); ///< the present step ends at s
void ss_vary_pass(ss_sim* sim);             ///< an instant has been passed, the next step is there
void ss_vary_tick(ss_sim* sim, int block);  ///< a sampled controller has computed what it writes
void ss_vary_write(ss_sim* sim, int block); ///< what it wrote before holds from now on

// ---- the phases of the loop, and what happens between steps

/// start.c: a motion begins. Bodies are put in their places and everything else is reset; no step is made.
ss_status ss_start(ss_sim* sim, const double start_x[], const double start_v[], ss_error* err);
/// loop.c: the first instant and step of a motion that has been started.
ss_status ss_begin_run(ss_sim* sim, ss_error* err);
/// carry.c: the same for a motion that begins at time t; no step is made.
ss_status ss_start_at(ss_sim* sim, double t, const double start_x[], const double start_v[], ss_error* err);
/// instant.c: contacts that met their event at the end of the last step take part in the next decision.
void ss_wake_contacts(ss_sim* sim);
/// instant.c: all that happens at the present instant, up to the modes that follow it. *order receives the
/// order from which the series is to be continued, or -1 where the run ended.
ss_status ss_pass_instant(ss_sim* sim, int* order, ss_error* err);
/// course.c: the run ends at t.
void ss_end_run(ss_sim* sim, ss_outcome outcome, double t);
/// The motion has left what numbers can hold: the run ends where it was known last.
void ss_end_by_overflow(ss_sim* sim);
/// The run cannot go on; whoever asks later is told the same.
ss_status ss_tell_fault(ss_sim* sim, ss_error* err);
ss_status ss_fail_input(ss_sim* sim, ss_error* err);
ss_status ss_fail_crushed(ss_sim* sim, int stop, double t, ss_error* err);
/// Whether a motion whose steps have become shorter than time can tell is on its way to infinity.
bool ss_runs_to_infinity(const ss_sim* sim);

/// held.c: ends the present step where the caller has got to, at time t; false where numbers overflow.
bool ss_cut_step(ss_sim* sim, double t);
/// Values have changed at this instant: what follows from them, before modes are decided.
void ss_take_held(ss_sim* sim);
/// sampled.c: ticks of sampled controllers.
void ss_sampled_allocate(ss_sim* sim);
void ss_sampled_restart(ss_sim* sim);
/// The run begins at time t: ticks before that have never been.
void ss_begin_ticks(ss_sim* sim, double t);
/// Ticks go on as those of another run do.
void ss_take_ticks(ss_sim* sim, const ss_sim* from);
/// Carries out the writes and ticks that are due at the present instant.
ss_status ss_pass_ticks(ss_sim* sim, ss_error* err);
/// Where everything sticks: passes ticks up to `until` that change nothing but holding forces, all but the
/// instant of the last.
ss_status ss_sit_through_ticks(ss_sim* sim, double until, ss_error* err);
/// glide.c: where everything slips on: passes ticks up to `until`, all but the instant of the last. *more:
/// there are more to pass.
void ss_glide_allocate(ss_sim* sim);
ss_status ss_glide_through_ticks(ss_sim* sim, double until, bool* more, ss_error* err);
/// A tick is reached whose state was known before.
void ss_take_ahead(ss_sim* sim);
/// Nothing moves before t: the ticks up to then change nothing, and are passed over.
void ss_skip_ticks(ss_sim* sim, double t);
/// Whether no tick will ever change anything while nothing moves.
bool ss_ticks_stand(const ss_sim* sim);
/// start.c: accelerations and rates by all that is constant.
void ss_gather_constants(ss_sim* sim);
/// loop.c: keeps the present state as the one before the instant that follows.
void ss_remember_before(ss_sim* sim);

/// select.c: decides all contacts of dirty groups and computes the orders it needs for that. Returns the
/// order from which the series is to be continued.
int ss_select(ss_sim* sim);
/// futures.c: keeps which contacts hold with undetermined forces, before the contacts are decided anew.
void ss_remember_shared(ss_sim* sim);
/// futures.c: after the decision, notes the contacts that another possible motion treats otherwise.
void ss_note_futures(ss_sim* sim);
/// inputs.c: series of all inputs at the start of the step; false where one is not finite, which is then
/// named.
bool ss_prepare_inputs(ss_sim* sim);
/// Series of one signal, written with a stride into a table of series. Kinks go to the next free place.
bool ss_input_series(ss_sim* sim, const ss_signal* signal, int order, double out[], int stride);
/// levels.c: from the levels of contact i as given to those in force; false where one is negative.
bool ss_prepare_levels(ss_sim* sim, int i);
/// Magnitudes that make up the levels of contact i in one direction at time t, where they vary.
double ss_level_size(const ss_sim* sim, int i, bool forward, double t);
/// Whether the level of contact i drops as it starts to slip (plus: forward): the kinetic one differs from
/// the one at rest in some coefficient up to k.
bool ss_level_falls(const ss_sim* sim, int i, bool plus, int k);
/// Names the input that runs into a pole, if there is just one whose derivatives nothing bounds.
void ss_name_wild_input(ss_sim* sim);
/// Chooses order and length to try for the next step.
void ss_choose_step(ss_sim* sim);
/// Where every coordinate is held, only the inputs set the pace: chooses a length for the order at hand.
void ss_stretch_held_step(ss_sim* sim);
/// Whether the series of the step at hand are numbers throughout; if not, the motion is about to overflow.
bool ss_series_is_finite(const ss_sim* sim);
/// Which kinds of pull the model has: once, when all else is allocated (pulls.c).
void ss_list_pulls(ss_sim* sim);
/// pulls.c: free acceleration at order k, everything but the forces of contacts that hold.
void ss_free_acceleration(ss_sim* sim, int k);
/// The part of it that is linear in the state, all constant forces left out. unit: 1 + the coordinate, or n +
/// the state, whose constant acceleration or rate is 1 in their place; 0: none.
void ss_free_response(ss_sim* sim, int k, int unit);
/// open.c
void ss_open_allocate(ss_sim* sim);
/// Where states and memory begin at the next start; NULL: where the model says.
void ss_open_set_start(ss_sim* sim, const double states[], const double memory[]);
/// For saving: where the pointers are, and what no image holds.
void ss_open_mark(ss_sim* sim);
void ss_open_loaded(ss_sim* sim);
void ss_open_restart(ss_sim* sim);
/// Constant parts of the expressions: of forces (generalised, and magnitudes), and of rates.
void ss_open_gather(ss_sim* sim, double force[], double size[]);
/// Series of the inputs at the start of the step; false where one is not finite, which is then named.
bool ss_open_prepare(ss_sim* sim);
/// Coefficients k of the accelerations by states and inputs, and k + 1 of the states.
void ss_open_add(ss_sim* sim, int k);
/// The same without anything constant: what is linear in the motion.
void ss_open_add_linear(ss_sim* sim, int k);
double ss_open_size(const ss_sim* sim, int row, int k);
/// Acceleration of coordinate `row` by the states, now.
double ss_open_pull(const ss_sim* sim, int row);
/// Before the powers of a step are asked for: the series of the forces.
void ss_open_prepare_powers(const ss_sim* sim);
/// Powers of the forces that are expressions, at s of the step, into the ledger's accounts (W).
void ss_open_powers(const ss_sim* sim, double s, const double v[], const double dv[], double* input,
                    double* damping);
/// The same for forces that are constant between instants: their work on what coordinates and drives moved.
void ss_open_works(const ss_sim* sim, const double moved[], const double driven[], ss_energy* e);
/// Whether some force is not constant between instants, whatever is set or written.
bool ss_open_has_powers(const ss_sim* sim);
/// Energy of the potentials at s; their magnitudes are added to *parts.
double ss_open_stored(const ss_sim* sim, double s, double* parts);
/// open_levels.c: what of the levels that follow the motion is given in time; false where it is not finite.
bool ss_open_given_levels(ss_sim* sim);
/// The series of the step are complete: it ends where a level becomes negative, or levels cross.
void ss_open_watch_levels(ss_sim* sim);
/// Switching functions of kinks and jumps: positive on the present piece, which ends where one falls to zero.
/// Coefficients of function j are written to out; returns the degree, -1 where it is not decided.
int ss_open_switch_count(const ss_sim* sim);
int ss_open_switch(const ss_sim* sim, int j, double out[]);
bool ss_open_paces(const ss_sim* sim, int j); ///< the function goes on smoothly beyond
void ss_open_end_piece(ss_sim* sim, int j);   ///< its piece ends where the step does
/// The step ends at s: pieces that end with it are left.
void ss_open_leave(ss_sim* sim, double s);
/// open_edges.c: where infinitely many swings about an edge end, the motion is put onto it.
void ss_open_take_limit(ss_sim* sim);
/// Whether the edge of a jump holds; open_held.c: its share of order k with the free accelerations, and once
/// more with the contacts that hold.
bool ss_open_is_held(const ss_sim* sim);
void ss_open_hold_order(ss_sim* sim, int k);
void ss_open_balance(ss_sim* sim, int k);
/// Whether two edges hold at once, or the cut of atan2 does, which is not computed; what to tell then.
bool ss_open_is_stuck(const ss_sim* sim);
ss_status ss_open_fail_stuck(ss_sim* sim, ss_error* err);
/// Whether an expression is not finite, or not analytic, at the present instant; it is named then.
bool ss_open_is_bad(const ss_sim* sim);
/// Sum of the magnitudes of the terms of a rate, where the step begins.
double ss_open_rate_size(const ss_sim* sim, int j);
/// Whether no state changes now, to the rounding of its rate.
bool ss_open_rests(const ss_sim* sim);
/// Whether what expressions are given in time is constant from now on.
bool ss_open_stays(const ss_sim* sim);
/// Adds the forces of contacts that hold in group g at order k.
void ss_apply_hold(ss_sim* sim, int g, int k);
/// Accelerations at order k by all forces, those that hold included.
void ss_balance(ss_sim* sim, int k);
/// The same, stored as q[k + 2].
void ss_accelerate(ss_sim* sim, int k);
/// The same of what is linear in the state alone, see ss_free_response.
void ss_respond(ss_sim* sim, int k, int unit);
void ss_add_force(ss_sim* sim, int i, double force);
/// Writes q[k + 2] from the acceleration and enforces what holds.
void ss_store_acceleration(ss_sim* sim, int k);
/// Coordinates that are held follow the others at order k, exactly; so do their speeds where a clock runs.
void ss_follow_held(ss_sim* sim, int k);
void ss_follow_speed(ss_sim* sim, int k);
/// coast.c: a stride over cells without events. ss_coast_begin finds it (false where no table applies, and
/// the series must be computed); ss_coast_to moves to its end, or into the cell that holds `until`, and
/// provides the series from there.
void ss_coast_allocate(ss_sim* sim);
bool ss_coast_begin(ss_sim* sim);
/// For who wants to see every cell before ss_coast_to leaves it behind: puts the run and its series at the
/// next cell that ends before `until`; false where none is left.
bool ss_coast_next(ss_sim* sim, double until);
bool ss_coast_is_under_way(const ss_sim* sim);
double ss_coast_end(const ss_sim* sim);
void ss_coast_to(ss_sim* sim, double until);
/// Magnitude of state variable i where the stride that led to the present step began; 0 where none did.
double ss_coast_size(const ss_sim* sim, int i);
/// Event function of contact i on the cell at hand, coefficients scaled to it; returns the degree. c has room
/// for SS_MAX_ORDER + 1 numbers.
int ss_coast_function(const ss_sim* sim, int i, double c[]);
void ss_coast_stop(ss_sim* sim); ///< a new run begins
/// The constant forces have changed: tables made before say nothing now.
void ss_coast_forget(ss_sim* sim);
void ss_coast_mark(ss_sim* sim);
void ss_coast_loaded(ss_sim* sim); ///< the run has been loaded: sets what no image holds
/// flow: the series from order `from` on, and how far it reaches.
void ss_flow(ss_sim* sim, int from);
/// The same for a step whose length is given as a time: no clock.
void ss_flow_in_time(ss_sim* sim, int from);
/// How much of h the series at hand reach.
double ss_series_reach(const ss_sim* sim, double h);
/// How much of h the series of all inputs reach.
double ss_input_reach(const ss_sim* sim, double h);
/// Rebuilds how group g holds.
void ss_build_hold(ss_sim* sim, int g);
/// Redundant forces of group g start from what select chose: keeps that choice as bias.
void ss_keep_choice(ss_sim* sim, int g);
/// Notes, once in a run, which contacts of group g hold with forces that are not determined.
void ss_note_undetermined(ss_sim* sim, int g);
/// Marks the contacts of group g that arrive together with those that hold or were hit.
void ss_complete_hits(ss_sim* sim, int g);
/// Whether what holds keeps contact i from moving.
bool ss_cannot_move(ss_sim* sim, int i);
/// Sum of the magnitudes that make up the force of contact i, which holds, where the step begins.
double ss_hold_size(const ss_sim* sim, int i);
/// Enforces v of dependent coordinates (q[1]) in group g.
void ss_enforce_velocity(ss_sim* sim, int g);

/// locate.c: shortens sim->step.length to the first event and marks the contacts it belongs to.
void ss_locate(ss_sim* sim);

/// record.c: moves the state to t + length; false, and nothing is changed, where it overflows.
bool ss_commit(ss_sim* sim, double length);
/// Below this size of a state its energies (squares, and fourth powers of cubic springs) do not overflow;
/// above it every step looks at them.
#define SS_LARGE_STATE 1e60
/// state.c: moves q and q' along the series, and no more.
void ss_advance_state(ss_sim* sim, double s);
/// In q, which may be of any order, coordinates that are held follow the others and d of the drives (NULL:
/// they add nothing). constant: 1 for places, 0 for their derivatives.
void ss_follow(const ss_sim* sim, double constant, const double d[], double q[]);
/// Held coordinates of the present state follow the others, exactly.
void ss_follow_state(ss_sim* sim);
void ss_evaluate(const ss_sim* sim, double s, double x[], double v[]);
/// record.c: events of this instant to the log.
void ss_log_changes(ss_sim* sim);
/// course.c: tells the caller something about these contacts, now.
void ss_note_now(ss_sim* sim, const char* text, const int contacts[], int count);

/// impact.c: velocities after all impacts of this instant. Returns -1, or a stop for which there are none:
/// driven bodies crush what is between them.
int ss_resolve_impacts(ss_sim* sim);
/// Rounding of the relative velocity of contact i.
double ss_velocity_rounding(const ss_sim* sim, int i);
/// Whether contact i is at v = 0, to rounding; otherwise which way it slips.
void ss_classify_velocity(ss_sim* sim, int i);

/// accumulate.c: remembers that stops of group g were struck at this instant.
void ss_remember_impacts(ss_sim* sim, int g);
/// Where infinitely many impacts are about to end, moves velocities and gaps to their limit, which comes
/// after the time left; or tells which stop is crushed there. False where nothing of that is due.
bool ss_take_accumulation(ss_sim* sim, ss_limit* out);

/// ledger.c
/// Adds the works along the first `length` of the present step to e.
void ss_ledger_step(const ss_sim* sim, double length, ss_energy* e);
double ss_stored_energy(const ss_sim* sim, double s);
/// The same; *parts is the sum of the magnitudes of what it consists of.
double ss_energy_and_parts(const ss_sim* sim, double s, double* parts);
/// Energy of an elastic stop at penetration p.
double ss_elastic_stored(const ss_sim* sim, const ss_elastic* stop, double p);
bool ss_ledger_is_finite(const ss_sim* sim);
/// The energy at s of the present step, and what follows from it: end, residual, allowed, reached.
void ss_ledger_close(const ss_sim* sim, double s, ss_energy* e);
double ss_kinetic_energy(const ss_sim* sim);

/// rest.c: whether everything rests now; whether it will for ever; whether all inputs are constant from now
/// on and no driven body moves.
bool ss_is_resting(const ss_sim* sim);
bool ss_rests_forever(ss_sim* sim);
bool ss_inputs_stay(const ss_sim* sim);

/// settle.c: remembers the motion at the start of each mode.
void ss_settle_allocate(ss_sim* sim);
void ss_settle_mark(ss_sim* sim);

#endif
