// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The event loop, in its four phases: select, flow, locate, record.
#include "engine/loop.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/elastic.h"
#include "engine/flow/input_series.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/locate/locate.h"
#include "engine/proof/divergence.h"
#include "engine/proof/leap.h"
#include "engine/proof/proof.h"
#include "engine/proof/runaway.h"
#include "engine/proof/settle_bristles.h"
#include "engine/record/record.h"
#include "engine/sampled/sampled.h"
#include "engine/sensitivity/run_hooks.h"
#include "engine/way/way.h"
#include "model/open_impl.h"

#include "core/error.h"

#include <float.h>
#include <math.h>

enum {
    STANDING = 16, // steps without time passing: the clock stands
    STALL_LIMIT = 64,
    STIFF_STALL_LIMIT = 4096,
    STEPS_BETWEEN_QUESTIONS = 256
};

// Locate: the first event on the step at hand. A leap is proved to contain none.
static void locate(ss_sim* sim)
{
    if (!ss_leap_is_begun(sim))
        ss_locate(sim);
    else
        ss_end_step(&sim->step, ss_ends_at_break(&sim->step) ? SS_STEP_BREAK : SS_STEP_BOUND);
}

// Finds the next long step; where there is none, the series from here and the event on it.
static bool take_long_step(ss_sim* sim)
{
    if (!ss_linear_propagator_begin(sim)) return false;
    ss_end_step(&sim->step,
                SS_STEP_BOUND); // the step before may have ended at a break: an input was set there
    if (ss_linear_propagator_is_under_way(sim)) return true;
    ss_pass_cells(sim, INFINITY);
    locate(sim);
    return true;
}

// Flow: the series of the step that begins, from the order that select has left off at. The run ends where
// they say that it is about to leave what numbers can hold.
static ss_status flow(ss_sim* sim, int order, ss_error* err)
{
    if (sim->ways.propagator) ss_choose_step(sim);
    if (sim->ways.propagator && sim->inputs.varying_count > 0) {
        ss_ask_order(&sim->step, &sim->inputs, sim->step.order);
        if (!ss_prepare_inputs(sim)) return ss_fail_input(&sim->step, &sim->inputs, &sim->course, err);
    }
    for (int i = 0; i < sim->model->contact_count; i++) {
        sim->modes.contacts[i].clear = false;
        sim->modes.contacts[i].bend = INFINITY;
    }
    ss_stretch_step(sim);
    double tried = sim->step.length, least = 64.0 * DBL_EPSILON * fabs(sim->step.t);
    ss_make_step(sim, order, false);
    bool shrinks = !sim->inputs.rate_known && sim->step.end != SS_STEP_BREAK &&
                   sim->step.length < 1e-3 * tried && sim->step.length < least;
    if (shrinks && ss_input_step_bound(sim, tried) < least) { // before the pole of an input
        ss_name_infinite_input(sim->model, &sim->inputs);
        return ss_fail_input(&sim->step, &sim->inputs, &sim->course, err);
    }
    bool quickens =
        sim->course.stalls > STANDING && ss_quickens_to_infinity(sim->model, &sim->step, &sim->open);
    if (sim->model->open && !quickens) ss_open_meets_pole(sim);
    if (quickens || (ss_open_overflows(sim->open.programs) &&
                     ss_runs_to_infinity(sim->model, &sim->step, &sim->bodies))) {
        ss_end_by_overflow(&sim->step, &sim->course);
        return SS_OK;
    }
    if (ss_open_is_bad(&sim->open)) return ss_fail_input(&sim->step, &sim->inputs, &sim->course, err);
    if (ss_open_is_stuck(sim->open.programs))
        return ss_open_fail_stuck(&sim->step, &sim->open, &sim->course, err);
    bool pole = shrinks && ss_runs_to_infinity(sim->model, &sim->step, &sim->bodies) &&
                !ss_open_is_near_place(&sim->step, &sim->open); // of the motion itself
    if (pole || !ss_series_is_finite(sim->model, &sim->step, &sim->open))
        ss_end_by_overflow(&sim->step, &sim->course);
    return SS_OK;
}

// Whether the accelerations that select has decided on are numbers. Where they are not, the state is, some
// force or rate has no value here: that is no motion to infinity, and no rest.
static bool is_decided(const ss_model* model, ss_step* step, ss_inputs* inputs, const ss_open_run* open_run)
{
    double size = 0.0;
    int n = model->n;
    if (ss_open_is_bad(open_run)) return false;
    for (int i = 0; i < n; i++) size += fabs(step->q[2 * n + i]);
    if (isfinite(size)) return true;
    for (int j = 0; j < step->laws.bristle_count; j++) {
        const ss_bristle* b = &step->laws.bristles[j];
        if (step->laws.bristle_count > 1 && isfinite(b->along.z[1] + b->along.z[2])) continue;
        ss_name_input(inputs, "contacts.%.100s.law", model->contacts[b->contact].name);
        break;
    }
    return false;
}

// The first three phases: select at this instant, flow from it, locate what ends the step.
static ss_status make_step(ss_sim* sim, ss_error* err)
{
    int order;
    ss_status status = ss_come_to_instant(sim, &order, err);
    if (status == SS_OK && !is_decided(sim->model, &sim->step, &sim->inputs, &sim->open))
        return ss_fail_input(&sim->step, &sim->inputs, &sim->course, err);
    if (status != SS_OK || order < 0) return status;
    ss_settle_mark(sim->model, &sim->step, &sim->open, &sim->proof);
    if (sim->step.laws.elastic_count > 0) ss_elastic_begin(sim);
    sim->step.ready = true;
    sim->step.now = 0.0;
    if (sim->ways.propagator && take_long_step(sim)) return SS_OK;
    if (ss_stands_for_good(sim, order) || ss_settle_bristles_stand(sim)) {
        ss_bristle_stand(sim);
        ss_end_step(&sim->step, SS_STEP_BOUND);
        return SS_OK;
    }
    status = flow(sim, order, err);
    // A step of no numbers is not looked at: a stop that is met on it would put its body back there.
    if (status == SS_OK && !sim->course.ended) locate(sim);
    return status;
}

static ss_status begin_step(ss_sim* sim, ss_error* err)
{
    ss_status status = make_step(sim, err);
    if (!sim->derivative || status != SS_OK) return status;
    if (ss_linear_propagator_is_under_way(sim)) ss_linear_propagator_look_at_start(sim);
    ss_sensitivity_pass(sim->derivative, &sim->step, &sim->open);
    return status;
}

static void look_for_divergence(ss_step* step, ss_course* course, const struct ss_divergence* divergence)
{
    if (!divergence || course->ended || !ss_divergence_is_proved(divergence, step->q, step->s)) return;
    ss_end_by_divergence(step, course);
}

ss_status ss_begin_run(ss_sim* sim, ss_error* err)
{
    if (sim->derivative) ss_sensitivity_begin(sim->derivative, &sim->step);
    ss_status status = begin_step(sim, err); // so that modes and forces at the start can be asked for
    // The model makes sense, but has no motion: the run, which there is, says so when it is to go on.
    if (status == SS_BAD_INPUT && sim->course.failed && sim->inputs.no_motion) return SS_OK;
    if (sim->proof.divergence)
        ss_divergence_set_constant(sim->proof.divergence, sim->model, sim->pulls.constant,
                                   sim->open.constant);
    if (status == SS_OK) look_for_divergence(&sim->step, &sim->course, sim->proof.divergence);
    if (status == SS_OK && ss_linear_propagator_is_under_way(sim))
        ss_pass_cells(sim, sim->step.t); // forces, too
    if (status == SS_OK) ss_show_state(sim, 0.0);
    return status;
}

ss_status ss_sim_set_start(ss_sim* sim, const double states[], const double memory[], ss_error* err)
{
    const ss_open* open = sim->model->open;
    if (!open) return SS_OK;
    for (int j = 0; states && j < open->state_count; j++)
        if (!isfinite(states[j]))
            return ss_fail(err, SS_BAD_INPUT, open->states[j].name, "the start must be finite");
    for (int j = 0; memory && j < open->memory_count; j++)
        if (!isfinite(memory[j]))
            return ss_fail(err, SS_BAD_INPUT, open->memory[j].name, "the start must be finite");
    ss_open_set_start(sim->model, &sim->open, states, memory);
    return SS_OK;
}

ss_status ss_sim_restart(ss_sim* sim, const double start_x[], const double start_v[], ss_error* err)
{
    ss_status status = ss_start_at(sim, 0.0, start_x, start_v, err);
    return status == SS_OK ? ss_begin_run(sim, err) : status;
}

// gone: the length of the step, which may be too short to show in t.
static void learn_interval(ss_step* step, ss_step_control* control, double gone)
{
    if (ss_ends_in_event(step) && step->t > control->last_event) {
        double since = control->swing = step->t - control->last_event;
        control->interval = fmin(0.5 * (control->interval + since), 2.0 * control->interval);
        control->last_event = step->t;
    } else if (!ss_ends_in_event(step)) {
        control->interval = fmax(control->interval, 2.0 * gone);
    }
}

static void give_up_hope(ss_sim* sim, ss_runaway_verdict hope)
{
    ss_note_now(sim,
                hope == SS_RUNS_AWAY
                    ? "given up: the motion grows and quickens at a constant rate, and the time asked for is "
                      "more than 1e11 steps away"
                    : "given up: the motion goes on and on, and the time asked for is more than 1e11 steps "
                      "away",
                NULL, 0);
    ss_end_run(&sim->step, &sim->course, SS_EVENT_LIMIT, sim->step.t);
}

// Ends a run that stalls at an instant: more events would not help it.
static void give_up(ss_sim* sim)
{
    ss_note_now(sim, "stalled: steps and events follow each other here without time between them", NULL, 0);
    ss_end_run(&sim->step, &sim->course, SS_EVENT_LIMIT, sim->step.t);
}

// Whether the caller wants the run to end; asked now and then.
static bool is_stopped(const ss_step* step, const ss_step_control* pace, const ss_sim_def* settings)
{
    return settings->keep_going && pace->steps % STEPS_BETWEEN_QUESTIONS == 0 &&
           !settings->keep_going(settings->user, step->t);
}

// Whether the numbers of the run at the end of the present step are all finite; that is where it is looked at
// from now on.
static bool is_finite_at_end(ss_sim* sim)
{
    sim->step.now = sim->step.length;
    ss_show_state(sim, sim->step.now);
    double sum = 0.0;
    for (int b = 0; b < sim->model->body_count; b++)
        sum += fabs(sim->bodies.out_x[b]) + fabs(sim->bodies.out_v[b]);
    for (int j = 0; j < sim->open.states; j++) sum += fabs(sim->open.out[j]);
    if (!isfinite(sum)) return false;
    ss_energy energy = ss_sim_energy(sim);
    return isfinite(energy.end + energy.friction + energy.damping + energy.input + energy.impact);
}

// Whether the run ends with the present step: it escapes, its events are used up, or the caller wants no
// more. The step is not left then: forces, and the states of bristles, are known on it alone.
static bool ends_with_step(ss_sim* sim)
{
    bool escapes = sim->step.end == SS_STEP_ESCAPE, full = sim->course.event_count >= sim->def.max_events;
    if (!escapes && !full && !is_stopped(&sim->step, &sim->control, &sim->def)) return false;
    double t = ss_ends_at_break(&sim->step) ? sim->inputs.next_break
                                            : sim->step.t + ss_elapsed(&sim->step, sim->step.length);
    if (is_finite_at_end(sim))
        ss_conclude_run(&sim->course, escapes ? SS_ESCAPED : full ? SS_EVENT_LIMIT : SS_INTERRUPTED, t);
    else
        ss_end_by_overflow(&sim->step, &sim->course);
    return true;
}

// Whether it goes on here without time passing. Contacts whose friction grows with the logarithm of the speed
// stop within less than a rounding of the time, over many decades of the speed: what is stiff may take that
// many steps.
static bool stalls(const ss_sim* sim)
{
    bool follows = sim->ways.stiff && !ss_ends_in_event(&sim->step);
    return sim->course.stalls > (follows ? STIFF_STALL_LIMIT : STALL_LIMIT);
}

// The run has come to the end of a step, which began at `before`: whether it ends there.
static void conclude(ss_sim* sim, double before, double gone, double until)
{
    ss_count_stalls(&sim->step, &sim->course, sim->step.t > before);
    learn_interval(&sim->step, &sim->control, gone);
    ss_wake_contacts(sim);
    ss_leap_count(sim);
    ss_runaway_verdict hope = ss_runaway_look(sim->model, &sim->step, &sim->control, &sim->course, until);
    bool stalled = stalls(sim), vanished = stalled && !ss_ends_in_event(&sim->step) &&
                                           ss_runs_to_infinity(sim->model, &sim->step, &sim->bodies);
    if (vanished)
        ss_end_run(&sim->step, &sim->course, SS_ESCAPED, sim->step.t);
    else if (stalled)
        give_up(sim);
    else if (hope != SS_DOES_NOT_RUN_AWAY)
        give_up_hope(sim, hope);
    look_for_divergence(&sim->step, &sim->course, sim->proof.divergence);
}

// Record: moves to the end of the present step, and sees whether the run, asked for up to `until`, ends
// there.
static void record(ss_sim* sim, double until)
{
    if (sim->instant.wanted && sim->step.end != SS_STEP_BOUND) {
        sim->step.now = sim->step.length;
        ss_remember_before(sim);
    }
    double before = sim->step.t, gone = ss_elapsed(&sim->step, sim->step.length);
    sim->control.steps++;
    if (ends_with_step(sim)) return;
    if (!ss_commit(sim, sim->step.length)) {
        ss_end_by_overflow(&sim->step, &sim->course);
        return;
    }
    conclude(sim, before, gone, until);
}

// A reversal that falls on the end but for the last digits of its time belongs to the run.
static double rounding_of_end(const ss_step* step, double until)
{
    return step->laws.bristle_count > 0 && ss_ends_in_event(step) ? 4.0 * DBL_EPSILON * until : 0.0;
}

// Whether the step at hand goes beyond `until`; if so, the caller is taken there.
static bool passes(ss_step* step, double until)
{
    if (!(step->t + ss_elapsed(step, step->length) > until + rounding_of_end(step, until))) return false;
    step->now = fmax(step->now, ss_parameter_at(step, &step->clock, until - step->t));
    return true;
}

// An event that falls on a tick but for rounding belongs to the same instant.
static void meet_tick(ss_step* step, ss_inputs* inputs, const ss_input_values* values)
{
    double end = step->t + ss_elapsed(step, step->length), tick = values->next;
    if (!ss_ends_in_event(step) || !(fabs(end - tick) <= 4.0 * DBL_EPSILON * fabs(tick))) return;
    ss_end_step(step, SS_STEP_EVENT_AT_BREAK);
    inputs->next_break = tick;
}

// The run has got to `stop` on its way to `until`. Returns true where that is all; at a tick it goes on.
static bool arrive(ss_sim* sim, double stop, double until)
{
    if (stop != sim->values.next || stop > until + 4.0 * DBL_EPSILON * fabs(until)) return true;
    if (sim->instant.wanted) ss_remember_before(sim);
    sim->control.steps++;
    if (is_stopped(&sim->step, &sim->control, &sim->def))
        ss_conclude_run(&sim->course, SS_INTERRUPTED, stop); // forces are those before the tick
    else
        ss_cut_step(sim, stop);
    return false;
}

// A way has brought the run to `until`, or shortly before: the step from here shows the motion then. False
// where it does not reach that far: then steps are taken, as ever.
static bool show(ss_sim* sim, double until, ss_error* err, ss_status* status)
{
    *status = begin_step(sim, err);
    if (*status != SS_OK || sim->course.ended) return false;
    if (ss_linear_propagator_is_under_way(sim)) {
        bool ends = until >= ss_linear_propagator_end(sim);
        ss_pass_cells(sim, until);
        if (ends) locate(sim);
    }
    double now = fmax(until - sim->step.t, 0.0);
    bool reaches = !(now > sim->step.length);
    if (reaches)
        sim->step.now = now;
    else
        ss_leap_restart(sim);
    return reaches;
}

// A step from here on. Returns true where the caller wants to see the instant that it begins at.
static bool step_on(ss_sim* sim, ss_error* err, ss_status* status)
{
    *status = begin_step(sim, err); // select, flow, locate
    if (!sim->instant.wanted || sim->instant.event_count == 0) return false;
    if (ss_linear_propagator_is_under_way(sim)) ss_pass_cells(sim, sim->step.t); // its series, too
    return true;
}

// Goes along the step at hand. Returns true where the caller is taken to where he wants to be.
static bool go_along(ss_sim* sim, const ss_aim* aim)
{
    if (isfinite(sim->values.next)) meet_tick(&sim->step, &sim->inputs, &sim->values);
    if (passes(&sim->step, aim->stop)) return arrive(sim, aim->stop, aim->until);
    record(sim, aim->until);
    return false;
}

// An event that ends a stretch without steps.
static void record_event(ss_sim* sim, double from, double until)
{
    if (sim->instant.wanted) ss_remember_before(sim);
    conclude(sim, from, sim->step.t - from, until);
}

// The event loop up to `until`, or where that is wanted to the first instant that logs an event.
static ss_status run_to(ss_sim* sim, double until, ss_error* err)
{
    ss_status status = SS_OK;
    bool there = false;
    while (status == SS_OK && !there && !sim->course.ended) {
        double tick = sim->values.next, end = until + 4.0 * DBL_EPSILON * fabs(until);
        ss_aim aim = {.until = until, .stop = tick <= end ? tick : until};
        ss_stretch stretch;
        status = ss_pass_stretch(sim, &aim, &stretch, err);
        if (status != SS_OK) break;
        switch (stretch.how) {
        case SS_PASSED_ON: break;
        case SS_PASSED_EVENT: record_event(sim, stretch.from, until); break;
        case SS_PASSED_CELLS:
            sim->step.now = 0.0;
            locate(sim);
            break;
        case SS_PASSED_BEFORE: there = show(sim, until, err, &status); break;
        case SS_PASSED_WITHIN:
            sim->step.now = fmax(aim.stop - sim->step.t, 0.0);
            there = arrive(sim, aim.stop, until);
            break;
        case SS_PASSED_THERE: there = true; break;
        default: there = sim->step.ready ? go_along(sim, &aim) : step_on(sim, err, &status);
        }
    }
    double now = status == SS_OK ? sim->step.now : 0.0; // where no step could begin, its start is still good
    ss_show_state(sim, now);
    return status;
}

static ss_status advance(ss_sim* sim, double until, bool to_event, ss_outcome* outcome, ss_error* err)
{
    if (isnan(until)) return ss_fail(err, SS_BAD_INPUT, "until", "must be a number");
    if (sim->course.failed) return ss_report_fault(&sim->course, err);
    ss_leave_start(&sim->values);
    sim->instant.wanted = to_event;
    sim->instant.event_count = 0;
    ss_status status = run_to(sim, until, err);
    if (isfinite(until))
        ss_set_asked_time(&sim->values,
                          fmax(sim->values.asked, sim->instant.event_count > 0 ? sim->step.t : until));
    if (status == SS_OK) *outcome = sim->course.ended ? sim->course.outcome : SS_TIME_REACHED;
    return status;
}

ss_status ss_sim_advance(ss_sim* sim, double until, ss_outcome* outcome, ss_error* err)
{
    return advance(sim, until, false, outcome, err);
}

ss_status ss_sim_advance_to_event(ss_sim* sim, double until, bool* at_event, ss_outcome* outcome,
                                  ss_error* err)
{
    ss_status status = advance(sim, until, true, outcome, err);
    *at_event = status == SS_OK && sim->instant.event_count > 0;
    return status;
}
