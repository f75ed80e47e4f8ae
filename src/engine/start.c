// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The start of a motion: bodies in their places, forces that stay, stops open, nothing decided.
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"
#include "engine/flow/energy.h"
#include "engine/flow/input_series.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/flow/speed_clock.h"
#include "engine/flow/stiff.h"
#include "engine/flow/turning.h"
#include "engine/loop.h"
#include "engine/proof/leap.h"
#include "engine/proof/runaway.h"
#include "engine/run/level_forces.h"
#include "engine/sampled/sampled.h"

#include "core/error.h"
#include "share/model_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Of a coordinate that a reduction left out, whatever start was given for it.
static double place_follower(const ss_model* model, const ss_body* body, const double of[])
{
    const ss_block* block = &model->matrices.block;
    double sum = 0.0;
    for (int k = 0; k < block->count; k++) sum += body->follows[k] * of[block->body[k]];
    return sum;
}

static void place_bodies(ss_sim* sim, const double start_x[], const double start_v[])
{
    const ss_model* model = sim->model;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        double x = start_x ? start_x[b] : body->start_x, v = start_v ? start_v[b] : body->start_v;
        sim->bodies.start_x[b] = x;
        sim->bodies.start_v[b] = v;
        if (body->drive >= 0) sim->inputs.drive_x[body->drive] = x;
        if (body->coordinate < 0) continue;
        sim->step.q[body->coordinate] = x;
        sim->step.q[model->n + body->coordinate] = v;
    }
    ss_place_drives(sim->model, &sim->step, &sim->inputs, &sim->control);
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        if (body->drive >= 0) sim->bodies.start_x[b] = sim->inputs.drive_x[body->drive];
        bool tied = body->drive < 0 && body->coordinate < 0;
        if (body->follows) sim->bodies.start_x[b] = place_follower(model, body, sim->bodies.start_x);
        if (body->follows) sim->bodies.start_v[b] = place_follower(model, body, sim->bodies.start_v);
        sim->bodies.offset[b] = tied ? sim->bodies.start_x[b] - ss_row_dot(&body->row, sim->step.q) : 0.0;
    }
}

// Distance left before the stop is touched, 0 where that is rounding.
static double start_gap(const ss_places* bodies, const ss_contact* contact)
{
    double position = contact->stop.position;
    double x = ss_row_dot(&contact->bodies, bodies->start_x), size = fabs(position);
    for (int k = 0; k < contact->bodies.count; k++)
        size += fabs(contact->bodies.value[k] * bodies->start_x[contact->bodies.index[k]]);
    double gap = contact->stop.side * (position - x);
    return fabs(gap) <= 8.0 * DBL_EPSILON * size ? 0.0 : gap;
}

static ss_status open_gaps(const ss_model* model, const ss_step* step, ss_modes* modes, ss_places* bodies,
                           ss_error* err)
{
    for (int i = 0; i < model->contact_count; i++) {
        ss_contact_run* run = &modes->contacts[i];
        memset(run, 0, sizeof *run);
        run->mode = run->logged = SS_MODE_STICK;
        run->recheck = true;
        run->speed_in = -1.0;
        run->determined = true;
        if (!ss_is_stop(model, i) && !ss_is_elastic(step, i)) continue;
        run->mode = run->logged = SS_MODE_OPEN;
        run->gap = start_gap(bodies, &model->contacts[i]);
        if (run->gap < 0.0 && ss_is_stop(model, i)) {
            char field[128];
            snprintf(field, sizeof field, "contacts.%.100s", model->contacts[i].name);
            return ss_fail(err, SS_BAD_INPUT, field, "the start lies %g %s beyond the stop", -run->gap,
                           ss_model_contact_is_angular(model, i) ? "rad" : "m");
        }
    }
    return SS_OK;
}

// Everything but places and constants is as if no step had ever been made.
static void reset(ss_sim* sim)
{
    const ss_model* model = sim->model;
    ss_begin_course(&sim->proof, &sim->course);
    sim->modes.noted_singular = sim->modes.noted_together = sim->modes.exchanged = false;
    for (int i = 0; i < model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        run->flips = 0;
        run->arrived = false;
        run->flipped = -INFINITY;
        run->rounded = run->told_rounded = false;
    }
    ss_forget_input(&sim->inputs);
    sim->instant.event_count = 0;
    ss_runaway_restart(&sim->course);
    sim->control.steps = 0;
    sim->control.swing = INFINITY;
    sim->control.swing_order = 0;
    sim->control.interval = sim->control.rate > 0.0 ? 1.0 / sim->control.rate : 1.0;
    ss_restart_inputs(&sim->inputs);
    ss_clock_end(&sim->step);
    ss_elastic_restart(&sim->step.laws);
    if (sim->ways.propagator) ss_linear_propagator_reset(sim);
    ss_leap_restart(sim);
    ss_leap_forget(sim);
    ss_wake_all(sim->model, &sim->modes);
    for (int g = 0; g < model->group_count; g++) {
        sim->modes.holds[g].active = false;
        sim->modes.holds[g].rank = 0;
        if (sim->modes.has_stops) sim->modes.bounces[g] = (ss_bounces){0};
    }
    sim->modes.active_count = sim->modes.active_slips = 0;
    memset(sim->step.lambda, 0,
           (size_t)model->contact_count * sizeof(double)); // a first tick reads no old ones
    if (sim->level_forces) sim->level_forces->blow.count = 0;
    ss_book(&sim->ledger, &(ss_energy){.start = sim->def.ledger ? ss_stored_energy(sim, 0.0) : 0.0});
}

ss_status ss_start_at(ss_sim* sim, double t, const double start_x[], const double start_v[], ss_error* err)
{
    const ss_model* model = sim->model;
    if (!isfinite(t)) return ss_fail(err, SS_BAD_INPUT, "t", "must be finite");
    for (int b = 0; b < model->body_count; b++)
        if ((start_x && !isfinite(start_x[b])) || (start_v && !isfinite(start_v[b])))
            return ss_fail(err, SS_BAD_INPUT, model->bodies[b].name, "the start must be finite");
    ss_begin_steps(&sim->step, &sim->values, &sim->control, t);
    place_bodies(sim, start_x, start_v);
    ss_open_restart(sim->model, &sim->step, &sim->open);
    ss_begin_ticks(sim->model, &sim->values, t);
    ss_gather_constants(sim);
    ss_clear_fault(&sim->course);
    if (open_gaps(sim->model, &sim->step, &sim->modes, &sim->bodies, &sim->course.fault) != SS_OK)
        return ss_report_fault(&sim->course, err); // no motion, old or new
    ss_bristle_restart(&sim->step.laws, &sim->modes);
    ss_restart_slips(sim->model, &sim->step.laws);
    ss_status on_joints = ss_check_joints(sim, &sim->course.fault);
    if (on_joints != SS_OK) return ss_report_fault(&sim->course, err);
    ss_stiff_restart(sim->ways.stiff);
    ss_speed_clock_restart(&sim->ways);
    reset(sim);
    return SS_OK;
}
