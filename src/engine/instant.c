// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// An instant: what happens between two steps, without any time passing. Contacts whose event function
// vanished are decided anew; inputs take their values after it; impacts are resolved; modes are decided;
// accumulations of impacts jump to their limit; what changed is logged; and rest is noticed.
#include "engine/flow/bristle_run.h"
#include "engine/flow/input_series.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/flow/turning.h"
#include "engine/loop.h"
#include "engine/proof/proof.h"
#include "engine/record/record.h"
#include "engine/sampled/sampled.h"
#include "engine/select/select.h"
#include "engine/way/way.h"

#include <math.h>

// What is known exactly at an event of a contact of one body with the ground: no speed, or no gap.
static void snap(const ss_model* model, ss_step* step, const ss_modes* modes, const ss_places* bodies, int i,
                 bool slipped)
{
    const ss_contact* contact = &model->contacts[i];
    if (contact->q.count != 1 || contact->d.count > 0) return;
    int c = contact->q.index[0];
    if (slipped) step->q[model->n + c] = 0.0;
    bool elastic = ss_is_elastic(step, i);
    bool touches = elastic ? modes->contacts[i].touches : modes->contacts[i].mode == SS_MODE_OPEN;
    if (touches)
        step->q[c] =
            (contact->stop.position - ss_row_dot(&contact->bodies, bodies->offset)) / contact->q.value[0];
}

// Contacts that met their event take part in the next decision.
void ss_wake_contacts(ss_sim* sim)
{
    const ss_model* model = sim->model;
    bool all = sim->step.end == SS_STEP_KINK || ss_ends_at_break(&sim->step);
    for (int i = 0; i < model->contact_count; i++)
        if (sim->modes.contacts[i].hit && model->groups[model->contacts[i].group].count > 1)
            ss_complete_hits(sim->model, &sim->step, &sim->modes, &sim->work, model->contacts[i].group);
    for (int i = 0; i < model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        if (all) ss_wake_contact(sim->model, &sim->modes, i);
        if (!run->hit) continue;
        ss_wake_group(&sim->modes, model->contacts[i].group);
        bool slipped = run->mode == SS_MODE_SLIP_PLUS || run->mode == SS_MODE_SLIP_MINUS;
        if (slipped && !ss_is_bristle(&sim->step, i)) run->zero = run->arrived = true;
        if (run->mode == SS_MODE_OPEN) run->recheck = true; // it may be met without any speed
        snap(sim->model, &sim->step, &sim->modes, &sim->bodies, i, slipped);
        run->hit = false;
    }
}

// A contact that held has v = 0 still, whatever is left of the speeds of its bodies, unless one of them has
// jumped.
static bool still_holds(const ss_model* model, const ss_step* step, const ss_modes* modes,
                        const ss_course* course, int i, bool jumped)
{
    const ss_contact_run* run = &modes->contacts[i];
    return course->started && ss_holds(step, modes, i) && run->zero && run->kick == 0.0 &&
           (!jumped || model->contacts[i].d.count == 0);
}

// Drives may change their speed at once, and stops may be struck: what held need not hold now.
static void recheck_velocities(ss_sim* sim)
{
    bool jumped = sim->inputs.drive_jumped;
    for (int i = 0; i < sim->model->contact_count && jumped; i++) ss_wake_contact(sim->model, &sim->modes, i);
    sim->inputs.drive_jumped = false;
    for (int i = 0; i < sim->model->contact_count; i++) {
        if (sim->modes.contacts[i].recheck &&
            !still_holds(sim->model, &sim->step, &sim->modes, &sim->course, i, jumped))
            ss_classify_velocity(sim->model, &sim->step, &sim->modes, i);
        sim->modes.contacts[i].recheck = false;
    }
}

// What the modes just decided mean for log and rest. Returns the order to continue from, or -1 where the run
// ended.
static int conclude_selection(ss_sim* sim, int order)
{
    if (sim->step.laws.bristle_count > 0) ss_bristle_begin(sim);
    ss_constrain_joint_speeds(sim);
    ss_log_changes(sim);
    sim->course.started = true;
    if (!ss_is_resting(sim)) {
        sim->proof.resting_since = NAN;
        return order;
    }
    if (isnan(sim->proof.resting_since)) sim->proof.resting_since = sim->step.t;
    if (!ss_rests_forever(sim)) return order;
    ss_end_run(&sim->step, &sim->course, SS_AT_REST, fmax(sim->proof.resting_since, sim->values.since));
    return -1;
}

static int select_modes(ss_sim* sim)
{
    bool same = sim->course.started && isnan(sim->proof.resting_since);
    for (int g = 0; g < sim->model->group_count && same; g++) same = !sim->modes.dirty[g];
    if (same) { // nothing to decide: the modes go on
        for (int i = 0; i < sim->model->contact_count; i++) sim->modes.contacts[i].lead = 0;
        return 0;
    }
    return conclude_selection(sim, ss_select(sim));
}

static void note_limit(ss_sim* sim)
{
    int count = 0;
    for (int i = 0; i < sim->model->contact_count; i++)
        if (sim->modes.contacts[i].accumulated) sim->work.note_contacts[count++] = i;
    ss_note_now(sim, "accumulation: infinitely many bounces end here", sim->work.note_contacts, count);
}

// Bounces that accumulate here jump to their limit: a short step with their stops closed, or none where its
// time is no later in numbers. Changes the order to continue from.
static ss_status jump_to_limit(ss_sim* sim, int* order, ss_error* err)
{
    ss_limit limit;
    if (!ss_take_accumulation(sim, &limit)) return SS_OK;
    if (limit.crushing >= 0)
        return ss_fail_crushed(sim->model, &sim->course, limit.crushing, sim->step.t + limit.left, err);
    *order = ss_select(sim);
    if (sim->step.t + limit.left > sim->step.t) {
        sim->step.length = limit.left;
        ss_make_step(sim, *order, true);
        for (int i = 0; i < sim->model->contact_count; i++) sim->modes.contacts[i].hit = false;
        ss_end_step(&sim->step, ss_ends_at_break(&sim->step) ? SS_STEP_EVENT_AT_BREAK : SS_STEP_EVENT);
        if (!ss_commit(sim, sim->step.length)) {
            ss_end_by_overflow(&sim->step, &sim->course);
            *order = -1;
            return SS_OK;
        }
        ss_wake_all(sim->model, &sim->modes); // decided anew from there
        ss_choose_step(sim);
        if (!ss_prepare_inputs(sim)) return ss_fail_input(&sim->step, &sim->inputs, &sim->course, err);
        note_limit(sim);
        ss_log_changes(sim);
        *order = select_modes(sim);
    } else {
        note_limit(sim);
        *order = conclude_selection(sim, *order);
    }
    return SS_OK;
}

// Rows that turn are others now, and so is the way in which they hold.
static void turn_rows(ss_sim* sim)
{
    ss_turn_rows(sim);
    for (int g = 0; g < sim->model->group_count && sim->turning; g++)
        if (sim->modes.holds[g].active && ss_group_turns(sim->model, g)) ss_build_hold(sim, g);
}

ss_status ss_pass_instant(ss_sim* sim, int* order, ss_error* err)
{
    *order = -1;
    turn_rows(sim);
    ss_status status = ss_check_turning(sim, err);
    if (status != SS_OK) return status;
    if (sim->model->open) ss_open_take_limit(sim);
    sim->step.order = SS_DECIDE_ORDER + 3;
    if (!sim->ways.propagator) ss_choose_step(sim);
    sim->inputs.order = sim->step.order;
    bool has_inputs =
        !sim->model->nature.steady || sim->model->drive_count > 0 || sim->open.following_count > 0;
    if (!has_inputs) ss_forget_breaks(&sim->inputs);
    if (has_inputs && !ss_prepare_inputs(sim))
        return ss_fail_input(&sim->step, &sim->inputs, &sim->course, err);
    sim->inputs.next_break = fmin(sim->inputs.next_break, sim->values.next);
    if (sim->step.laws.bristle_count > 0) ss_bristle_arrive(sim);
    recheck_velocities(sim);
    int crushing = sim->modes.has_stops ? ss_resolve_impacts(sim) : -1;
    if (crushing == SS_NO_IMPULSE) return ss_fail_input(&sim->step, &sim->inputs, &sim->course, err);
    if (crushing >= 0) return ss_fail_crushed(sim->model, &sim->course, crushing, sim->step.t, err);
    *order = select_modes(sim);
    if (!sim->modes.has_stops || *order < 0 || sim->modes.exchanged) return SS_OK;
    return jump_to_limit(sim, order, err);
}

ss_status ss_come_to_instant(ss_sim* sim, int* order, ss_error* err)
{
    *order = -1;
    ss_status status = ss_tick_is_due(&sim->values, sim->step.t) ? ss_pass_ticks(sim, err) : SS_OK;
    if (status == SS_OK && sim->values.changed) ss_take_input_values(sim);
    return status == SS_OK ? ss_pass_instant(sim, order, err) : status;
}
