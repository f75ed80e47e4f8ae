// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion over a given time together with its derivative with respect to the start, across events. States
// are those of ss_sim_state, less a steady advance that nothing feels: a drill string turns with its top.
// Where places can be shifted without anything noticing, states are told where the run began
// along these.
#ifndef SLIPSTICK_LAB_ORBIT_H
#define SLIPSTICK_LAB_ORBIT_H

#include "model/model_impl.h"
#include "slipstick/derivative.h"

typedef struct ss_events {
    ss_event* items;
    size_t count, room;
    bool failed; ///< out of memory
} ss_events;

/// Largest and smallest value, and the last point looked at: value, rate, and rate of that.
typedef struct ss_extent {
    double low, high;
    double t, x, v, a;
} ss_extent;

/// Directions along which places are felt as angles alone (whole_turns.c).
typedef struct ss_whole_turns {
    int count;
    double* directions; ///< count x (n + states), unit vectors
    double* length;     ///< count: of a turn along each
    double* origin;     ///< count: where the run began along each
    double* turns;      ///< count: made since then
    double* rate;       ///< n, then states, per s: that of the turns over the last time followed with extents
} ss_whole_turns;

/// Asked now and then while a motion runs; true ends it.
typedef bool ss_orbit_interrupt(void* user);

typedef struct ss_orbit {
    const ss_model* model;
    ss_sim* sim;
    ss_derivative* derivative; ///< in the directions of all variables; NULL where the model's laws have none
    int n, width;              ///< coordinates; variables of the state
    int states;                ///< of first order; they come after the 2 n
    bool ticks;                ///< sampled controllers run: states are taken just before a tick
    double* carry;             ///< n, then states, per s: the steady advance
    struct {                   ///< directions that nothing feels (drift.c)
        int count;
        double* directions; ///< count x (n + states), orthonormal
        double* place;      ///< count: where the run is along each
        double* origin;     ///< count: where states are told to be along each: where the run began
        bool* drifts;       ///< count: it is elsewhere after the last time followed with its extents
    } free;
    ss_whole_turns whole_turns;
    double *body_x, *body_v;
    ss_events events;   ///< of the last motion followed
    ss_extent* extents; ///< of bodies, then of states
    ss_outcome outcome; ///< SS_TIME_REACHED, or why the motion ended before
    double end_t;
    ss_orbit_interrupt* stop; ///< may be NULL
    void* user;
    bool interrupted;      ///< stop said so: what was to be computed is not
    double *state, *slope; ///< width: at the end, and its time derivative
    double* whole;         ///< states, then their rates, with all that is taken out
    double* monodromy;     ///< width x width: d state / d start
    bool
        coupled; ///< contacts that act on each other switched at one instant: D holds for one order of theirs

    // scratch
    double *shifted, *start;
    double* units; ///< numbers of the directions
    ss_direction* directions;
} ss_orbit;

ss_status ss_orbit_create(const ss_model* model, const ss_sim_def* settings, ss_orbit** out, ss_error* err);
void ss_orbit_destroy(ss_orbit* orbit);

/// How many variables the state of a model has.
int ss_orbit_width(const ss_model* model);

/// The state (width) of the model's own start.
void ss_orbit_get_start(const ss_orbit* orbit, double state[]);
/// Distance left before stop i in a state, with driven bodies where they start; negative beyond it.
double ss_orbit_gap(ss_orbit* orbit, int i, const double state[]);
/// Whether contact i sticks, or is a rigid stop that is leaned on.
bool ss_orbit_holds(const ss_orbit* orbit, int i);
/// Starts anew from a state.
ss_status ss_orbit_restart(ss_orbit* orbit, const double state[], ss_error* err);
/// Goes on to time t from where the run is; fills state and slope, not the monodromy.
ss_status ss_orbit_advance(ss_orbit* orbit, double t, ss_error* err);
/// The same, but no farther than the next instant with events: end_t is where it is.
ss_status ss_orbit_advance_to_event(ss_orbit* orbit, double t, ss_error* err);

/// The motion from a state for a time: outcome, events, state and slope. Nothing is differentiated.
ss_status ss_orbit_run(ss_orbit* orbit, const double start[], double time, ss_error* err);
/// The same with extents, and the monodromy where that is wanted. Where the motion has no derivative at some
/// instant, SS_BAD_INPUT says so.
ss_status ss_orbit_differentiate(ss_orbit* orbit, const double start[], double time, bool monodromy,
                                 ss_error* err);

/// drift.c: the directions along which everything may be shifted without anything noticing.
ss_status ss_orbit_find_free(ss_orbit* orbit, ss_error* err);
/// Whether there are such directions, so that bodies may slide on for ever; long chains are not asked.
ss_status ss_orbit_may_slide(const ss_model* model, bool* out, ss_error* err);
/// The same (n + states each, at most as many) where angles do not count: their number, -1 without memory.
int ss_orbit_find_turning(const ss_orbit* orbit, double out[]);
/// How far a state is along a direction, or along free direction j.
double ss_orbit_along(const ss_orbit* orbit, const double direction[], const double state[]);
double ss_orbit_place(const ss_orbit* orbit, int j, const double state[]);
/// Takes them out of how a state changes.
void ss_orbit_take_out(const ss_orbit* orbit, double rate[]);
/// Puts a state where the run began along them.
void ss_orbit_pin(const ss_orbit* orbit, double state[]);
/// Puts a state at 0 along those that the motion drifts along: where it is there says only when it was met.
void ss_orbit_put_back(const ss_orbit* orbit, double state[]);
/// States are told as if the run had begun at this one, or at the present place, to which a state is moved.
void ss_orbit_begin_at(ss_orbit* orbit, const double state[]);
void ss_orbit_begin_here(ss_orbit* orbit, double state[]);
/// Which of them the motion from a state drifts along in a time, and how fast on average: in carry.
ss_status ss_orbit_find_drift(ss_orbit* orbit, const double start[], double time, ss_error* err);

/// whole_turns.c: finds the directions; after those that nothing feels.
ss_status ss_whole_turns_find(ss_orbit* orbit, ss_error* err);
void ss_whole_turns_free(ss_whole_turns* whole_turns);
/// States are told within half a turn of this one.
void ss_whole_turns_begin_at(ss_orbit* orbit, const double state[]);
/// Takes whole turns back from a state of the run, and notes how many.
void ss_whole_turns_turn_back(ss_orbit* orbit, double state[]);
/// Puts a state within half a turn of 0.
void ss_whole_turns_put_back(const ss_orbit* orbit, double state[]);
/// The steady advance that the turns noted last are over a time.
void ss_whole_turns_set_rate(ss_orbit* orbit, double time);

/// advance.c: the steady advance (n, per s) that drives with constant speed give to coordinates, where
/// nothing feels it; 0 otherwise.
ss_status ss_orbit_find_advance(const ss_model* model, double carry[], ss_error* err);

#endif
