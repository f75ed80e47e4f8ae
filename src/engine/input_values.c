// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Values that hold from one instant to the next, and inputs that are set from outside.
//
// Setting an input ends the present step where the caller has got to: the work up to there is done with the
// old value. The instant itself, in which contacts may break loose, is passed when the run goes on, so that
// several inputs can be set at one instant.
#include "engine/flow/bristle_run.h"
#include "engine/flow/elastic.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/flow/speed_clock.h"
#include "engine/locate/locate.h"
#include "engine/loop.h"
#include "engine/proof/divergence.h"
#include "engine/proof/leap.h"
#include "engine/record/record.h"
#include "engine/sampled/sampled.h"

#include "core/error.h"

#include <math.h>

bool ss_cut_step(ss_sim* sim, double t)
{
    if (sim->ways.propagator) ss_linear_propagator_reset(sim);
    ss_leap_restart(sim);
    ss_speed_clock_leave(&sim->ways);
    if (!sim->step.ready) return true; // it has just ended
    ss_forget_events(sim->model, &sim->open, &sim->step.laws, &sim->modes);
    ss_end_step(&sim->step, SS_STEP_BREAK);
    sim->inputs.next_break = t;
    if (!ss_commit(sim, sim->step.now)) {
        ss_end_by_overflow(&sim->step, &sim->course);
        return false;
    }
    ss_count_stalls(&sim->step, &sim->course, true);
    return true;
}

// A contact that slips, at a speed, does so whatever the forces are; all others are decided anew.
static void wake_groups(const ss_model* model, const ss_step* step, ss_modes* modes)
{
    for (int i = 0; i < model->contact_count; i++) {
        if (ss_slips(modes, i) &&
            fabs(ss_relative_velocity(model, step, i, 0)) > ss_velocity_rounding(model, step, modes, i))
            continue;
        ss_wake_contact(model, modes, i);
    }
}

void ss_take_input_values(ss_sim* sim)
{
    sim->values.changed = false;
    ss_gather_constants(sim);
    wake_groups(sim->model, &sim->step, &sim->modes);
    if (sim->proof.divergence)
        ss_divergence_set_constant(sim->proof.divergence, sim->model, sim->pulls.constant,
                                   sim->open.constant);
}

// A run that ended because of what it knew of its inputs goes on from where the caller has got to.
static void wake(ss_sim* sim)
{
    const ss_course* course = &sim->course;
    bool at_rest = course->outcome == SS_AT_REST;
    if (!course->ended || !(at_rest || course->diverges)) return;
    ss_reopen_run(&sim->proof, &sim->course);
    if (at_rest && sim->values.asked > sim->step.t) {
        ss_set_time(&sim->step, sim->values.asked);
        ss_skip_ticks(sim->model, &sim->values, sim->step.t);
    }
}

// An input has another value from now on, or another function of time.
static ss_status change_input(ss_sim* sim, int input, double value, bool varying, ss_error* err)
{
    if (sim->course.failed) return ss_report_fault(&sim->course, err);
    if (sim->open.varying[input] == varying && sim->open.value[input] == value) return SS_OK;
    wake(sim);
    if (!sim->course.ended && !sim->values.changed) {
        ss_remember_before(sim);
        ss_cut_step(sim, sim->step.t + ss_elapsed(&sim->step, sim->step.now));
    }
    ss_take_back_ticks(sim);
    ss_open_set_input(&sim->open, input, value, varying);
    sim->values.changed = true;
    return SS_OK;
}

static ss_status check_input(const ss_model* model, int input, ss_error* err)
{
    int count = model->open ? model->open->input_count : 0;
    return input >= 0 && input < count
               ? SS_OK
               : ss_fail(err, SS_BAD_INPUT, "input", "there is no input %d: the model has %d", input, count);
}

ss_status ss_sim_set_input(ss_sim* sim, int input, double value, ss_error* err)
{
    ss_status status = check_input(sim->model, input, err);
    if (status != SS_OK) return status;
    if (!isfinite(value))
        return ss_fail(err, SS_BAD_INPUT, sim->model->open->inputs[input].name,
                       "must be set to a finite number");
    return change_input(sim, input, value, false, err);
}

ss_status ss_sim_release_input(ss_sim* sim, int input, ss_error* err)
{
    ss_status status = check_input(sim->model, input, err);
    if (status != SS_OK) return status;
    const ss_signal* signal = sim->model->open->inputs[input].signal;
    return change_input(sim, input, ss_signal_value(signal, 0.0), !ss_signal_is_constant(signal), err);
}
