// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One run: state, modes and scratch of a trajectory, made of parts (engine/run).
//
// Four phases make a run (loop.c): select decides the modes and with them the first coefficients of the
// series, flow computes the rest of them, locate finds the first event on them, record commits it to state,
// log and ledger. Each has a folder and headers of its own; here is what all of them share.
#ifndef SLIPSTICK_ENGINE_SIM_H
#define SLIPSTICK_ENGINE_SIM_H

#include "core/algebra/product.h"
#include "core/algebra/projection.h"
#include "core/image.h"
#include "engine/run/course.h"
#include "engine/run/inputs.h"
#include "engine/run/modes.h"
#include "engine/run/step.h"
#include "model/model_impl.h"

struct ss_sim {
    const ss_model* model;
    ss_sim_def def;
    ss_pool pool;
    ss_image image;
    struct ss_field* field;               ///< the equations of the present mode (engine/field)
    struct ss_level_forces* level_forces; ///< where expressions use forces (flow/level_forces.h), or NULL
    struct ss_turning* turning;           ///< where rows turn with the motion (flow/turning.h), or NULL
    struct ss_derivative* derivative;     ///< that moves with the run (engine/sensitivity), or NULL
    const struct ss_speed_clock_hooks* speed_clock_follower; ///< its way along speed-clock steps, or NULL
    ss_step step; ///< from here on the run is saved and loaded, see save.c
    ss_inputs inputs;
    ss_pulls pulls;
    ss_open_run open;
    ss_input_values values;
    ss_modes modes;
    ss_step_control control;
    ss_ways ways;
    ss_proof proof;
    ss_course course;
    ss_ledger ledger;
    ss_work work;
    ss_places bodies;
    ss_instant_memory instant;
};

static inline bool ss_ends_at_break(const ss_step* step)
{
    return step->end == SS_STEP_BREAK || step->end == SS_STEP_EVENT_AT_BREAK;
}

/// The step ends in what happens on it, and not only where its series or a table do.
static inline bool ss_ends_in_event(const ss_step* step) { return step->end >= SS_STEP_EVENT; }

static inline double* ss_coefficients(double series[], int k, int width)
{
    return series + (size_t)k * (size_t)width;
}

static inline bool ss_is_stop(const ss_model* model, int i)
{
    return ss_contact_is(&model->contacts[i], SS_TRAIT_RIGID);
}

static inline bool ss_is_bristle(const ss_step* step, int i) { return step->laws.bristle_at[i] >= 0; }
static inline bool ss_is_elastic(const ss_step* step, int i) { return step->laws.elastic_at[i] >= 0; }

/// It sticks, or is a rigid stop that is leaned on: its force is whatever holds.
static inline bool ss_holds(const ss_step* step, const ss_modes* modes, int i)
{
    ss_mode mode = modes->contacts[i].mode;
    return mode == SS_MODE_STICK || (mode == SS_MODE_CLOSED && !ss_is_elastic(step, i));
}

static inline bool ss_slips(const ss_modes* modes, int i)
{
    return modes->contacts[i].mode == SS_MODE_SLIP_PLUS || modes->contacts[i].mode == SS_MODE_SLIP_MINUS;
}

/// How many coordinates the contacts that hold take away.
static inline int ss_held_rank(const ss_modes* modes)
{
    int rank = 0;
    for (int j = 0; j < modes->active_count; j++) rank += modes->holds[modes->active[j]].rank;
    return rank;
}

/// Group g is to be decided anew.
static inline void ss_wake_group(ss_modes* modes, int g) { modes->dirty[g] = true; }

/// All groups are.
static inline void ss_wake_all(const ss_model* model, ss_modes* modes)
{
    for (int g = 0; g < model->group_count; g++) ss_wake_group(modes, g);
}

/// Contact i is, and its velocity may have jumped.
static inline void ss_wake_contact(const ss_model* model, ss_modes* modes, int i)
{
    modes->contacts[i].recheck = true;
    ss_wake_group(modes, model->contacts[i].group);
}

/// The ledger has these entries from now on.
static inline void ss_book(ss_ledger* ledger, const ss_energy* entries) { ledger->energy = *entries; }

/// An impact took place: drives put `work` into it, and `loss` is gone.
static inline void ss_book_impact(ss_ledger* ledger, double work, double loss)
{
    ledger->energy.input += work;
    ledger->energy.impact += loss;
}

/// The run is at time t: what is known of it holds from there.
static inline void ss_set_time(ss_step* step, double t) { step->t = t; }

/// The caller has got to time t.
static inline void ss_set_asked_time(ss_input_values* values, double t) { values->asked = t; }

/// Series are asked for up to this order, those of inputs with them.
static inline void ss_ask_order(ss_step* step, ss_inputs* inputs, int order)
{
    step->order = inputs->order = order;
}

/// A level is negative at the present instant.
static inline void ss_mark_negative_level(ss_inputs* inputs) { inputs->negative = true; }

/// The present step ends like this.
static inline void ss_end_step(ss_step* step, ss_step_end how) { step->end = how; }

/// No step is at hand: of the series, places and speeds alone are left.
static inline void ss_leave_step(ss_step* step)
{
    step->ready = false;
    step->now = 0.0;
    step->order = 1;
}

/// Steps begin at t, with none at hand.
static inline void ss_begin_steps(ss_step* step, ss_input_values* values, ss_step_control* control, double t)
{
    step->t = control->last_event = values->asked = values->since = t;
    step->length = 0.0;
    ss_end_step(step, SS_STEP_BOUND);
    ss_leave_step(step);
}

// relative.c
/// Position of contact i along its row, coefficient k >= 1.
double ss_relative_position(const ss_model* model, const ss_step* step, int i, int k);
/// Relative velocity of a contact while a clock runs, coefficient k: speeds have series of their own then,
/// and those of the drives are constant.
double ss_clocked_velocity(const ss_model* model, const ss_step_clock* clock, const ss_contact* contact,
                           int k);
/// Relative velocity of contact i, coefficient k. In a header, since every event function asks for it.
static inline double ss_relative_velocity(const ss_model* model, const ss_step* step, int i, int k)
{
    const ss_contact* contact = &model->contacts[i];
    if (step->clock.stop) return ss_clocked_velocity(model, &step->clock, contact, k);
    double v = ss_row_dot(&contact->q, step->q + (size_t)(k + 1) * (size_t)model->n);
    if (contact->d.count > 0)
        v += ss_row_dot(&contact->d, step->d + (size_t)(k + 1) * (size_t)model->drive_count);
    return (k + 1) * v;
}
/// Sum of the magnitudes of its terms.
double ss_relative_velocity_terms(const ss_model* model, const ss_step* step, int i, int k);
/// Rounding of the relative velocity of contact i.
double ss_velocity_rounding(const ss_model* model, const ss_step* step, const ss_modes* modes, int i);

// course.c
/// Nothing has happened yet.
void ss_begin_course(ss_proof* proof, ss_course* course);
/// The run goes on where another has got to.
void ss_take_course(ss_sim* sim, const ss_sim* from);
/// A run that ended because of what it knew of its inputs goes on: they are others now.
void ss_reopen_run(ss_proof* proof, ss_course* course);
/// A run that failed may be tried elsewhere.
void ss_clear_fault(ss_course* course);
/// Counts steps that took no time; moved: this one did.
void ss_count_stalls(const ss_step* step, ss_course* course, bool moved);
/// The run has come to its end, which was at t, and stays where it is.
void ss_conclude_run(ss_course* course, ss_outcome outcome, double t);
/// No friction can bring the motion back: the run ends here.
void ss_end_by_divergence(ss_step* step, ss_course* course);
/// The run ends at t.
void ss_end_run(ss_step* step, ss_course* course, ss_outcome outcome, double t);
/// The motion has left what numbers can hold: the run ends where it was known last.
void ss_end_by_overflow(ss_step* step, ss_course* course);
/// The run cannot go on; whoever asks later is told the same.
ss_status ss_report_fault(ss_course* course, ss_error* err);
/// Names the input that is no finite, admissible number, for ss_fail_input.
void ss_name_input(ss_inputs* inputs, const char* format, ...) SS_PRINTF(2, 3);
/// Names a contact for which there is no motion, and why, for ss_fail_input.
void ss_name_fault(const ss_model* model, ss_inputs* inputs, int contact, const char* fault);
void ss_forget_input(ss_inputs* inputs); ///< none is
ss_status ss_fail_input(const ss_step* step, const ss_inputs* inputs, ss_course* course, ss_error* err);
ss_status ss_fail_crushed(const ss_model* model, ss_course* course, int stop, double t, ss_error* err);
/// Whether a motion whose steps have become shorter than time can tell is on its way to infinity.
bool ss_runs_to_infinity(const ss_model* model, const ss_step* step, const ss_places* bodies);
/// Whether the series at hand say so: speeds or states that expressions drive grow beyond all numbers.
bool ss_quickens_to_infinity(const ss_model* model, const ss_step* step, const ss_open_run* open_run);
/// Tells the caller something about these contacts, now.
void ss_note_now(ss_sim* sim, const char* text, const int contacts[], int count);
/// Hands a note to the sink, which may be NULL.
void ss_send_note(const ss_model* model, const ss_sim_def* def, const ss_work* work, ss_note_sink sink,
                  const ss_note* note);

// follow.c
/// Whether what holds keeps contact i from moving.
bool ss_cannot_move(const ss_model* model, ss_modes* modes, const ss_work* work, int i);
/// Enforces v of dependent coordinates (q[1]) in group g.
void ss_constrain_velocity(const ss_model* model, const ss_step* step, ss_modes* modes, int g);
/// In q, which may be of any order, coordinates that are held follow the others and d of the drives (NULL:
/// they add nothing). constant: 1 for places, 0 for their derivatives.
void ss_constrain(const ss_model* model, const ss_modes* modes, double constant, const double d[],
                  double q[]);
/// Held coordinates of the present state follow the others, exactly.
void ss_constrain_state(const ss_model* model, const ss_step* step, ss_modes* modes);

// state.c
/// Below this size of a state its energies (squares, and fourth powers of cubic springs) do not overflow;
/// above it every step looks at them.
#define SS_LARGE_STATE 1e60
/// Coordinates and speeds are those in y, states of first order those in `states`.
void ss_put_state(const ss_model* model, const ss_step* step, const ss_open_run* open_run, const double y[],
                  const double states[]);
/// Moves q and q' along the series, and no more.
void ss_advance_state(const ss_model* model, const ss_step* step, const ss_open_run* open_run,
                      const ss_work* work, double s);
/// The caller sees the state at s of the present step.
void ss_show_state(ss_sim* sim, double s);
/// Places and speeds of all bodies at s, as they are told.
void ss_evaluate(const ss_sim* sim, double s, double x[], double v[]);

#endif
