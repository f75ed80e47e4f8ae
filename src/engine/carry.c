// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions that do not begin at t = 0: from a given time, or from where a run of another model has got to.
#include "engine/exchange_impl.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/loop.h"
#include "engine/sampled/sampled.h"

#include "core/error.h"

#include <math.h>
#include <string.h>

ss_status ss_sim_restart_at(ss_sim* sim, double t, const double start_x[], const double start_v[],
                            ss_error* err)
{
    ss_status status = ss_start_at(sim, t, start_x, start_v, err);
    return status == SS_OK ? ss_begin_run(sim, err) : status;
}

// ---- from one model to another

static bool is_alike(const ss_contact* a, const ss_contact* b)
{
    return a->law == b->law && a->elements == b->elements && a->q.count == b->q.count;
}

static bool ticks_alike(const ss_open* a, const ss_open* b)
{
    if (a->block_count != b->block_count) return false;
    for (int k = 0; k < a->block_count; k++)
        if (a->blocks[k].every != b->blocks[k].every || a->blocks[k].offset != b->blocks[k].offset ||
            a->blocks[k].delay != b->blocks[k].delay || a->blocks[k].write_count != b->blocks[k].write_count)
            return false;
    return true;
}

// What of the models differs so that no motion can go from one to the other; NULL: nothing.
static const char* what_differs(const ss_model* a, const ss_model* b)
{
    if (a->n != b->n || a->body_count != b->body_count || a->drive_count != b->drive_count) return "bodies";
    if (a->contact_count != b->contact_count || a->group_count != b->group_count) return "contacts";
    for (int i = 0; i < a->contact_count; i++) {
        if (!is_alike(&a->contacts[i], &b->contacts[i])) return "contacts";
        if (a->contacts[i].elements > 0) return "elements of its contacts, which have a memory of their own,";
    }
    if (!a->open != !b->open) return "states, inputs or signals";
    if (!a->open) return NULL;
    if (a->open->state_count != b->open->state_count || a->open->input_count != b->open->input_count ||
        a->open->memory_count != b->open->memory_count)
        return "states, inputs or memory";
    return ticks_alike(a->open, b->open) ? NULL : "ticks";
}

// Inputs that were set from outside, memory and what is on its way to it, states.
static void take_open(ss_sim* sim, const ss_sim* from)
{
    const ss_open* open = from->model->open;
    if (!open) return;
    for (int j = 0; j < open->input_count; j++) {
        const ss_signal* signal = open->inputs[j].signal;
        bool own = from->open.varying[j] ||
                   (ss_signal_is_constant(signal) && from->open.value[j] == ss_signal_value(signal, 0.0));
        if (!own) ss_open_set_input(&sim->open, j, from->open.value[j], false);
    }
    memcpy(sim->open.memory, from->open.memory, (size_t)open->memory_count * sizeof(double));
    memcpy(sim->step.s, from->open.out, (size_t)open->state_count * sizeof(double));
    ss_take_ticks(sim, from);
}

static void take_contacts(ss_sim* sim, const ss_sim* from)
{
    for (int i = 0; i < sim->model->contact_count; i++)
        sim->modes.contacts[i].mode = sim->modes.contacts[i].logged = from->modes.contacts[i].mode;
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        ss_bristle* b = &sim->step.laws.bristles[j];
        const ss_bristle* old = &from->step.laws.bristles[j];
        b->begun = old->begun;
        b->moved = old->moved;
        b->from = old->from;
        b->before = old->before;
        b->along.sign = old->along.sign;
        b->along.branch = old->along.branch;
        b->along.z[0] = ss_sim_contact(from, b->contact).z;
    }
}

ss_status ss_sim_take_over(ss_sim* sim, const ss_sim* from, ss_error* err)
{
    const char* other = what_differs(sim->model, from->model);
    if (other)
        return ss_fail(err, SS_BAD_INPUT, NULL, "the motion cannot go on: the models differ in their %s",
                       other);
    if (from->course.failed) {
        if (err) *err = from->course.fault;
        return from->course.fault.status;
    }
    double now = from->course.ended ? fmax(from->values.asked, from->course.end_t) : ss_sim_time(from);
    ss_status status = ss_start_at(sim, now, from->bodies.out_x, from->bodies.out_v, err);
    if (status != SS_OK) return status;
    take_open(sim, from);
    take_contacts(sim, from);
    ss_gather_constants(sim);
    ss_take_course(sim, from);
    sim->modes.exchanged = from->modes.exchanged;
    return sim->modes.exchanged ? ss_exchange_pass(sim, err) : ss_begin_run(sim, err);
}
