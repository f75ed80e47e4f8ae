// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What expressions have apart from the motion: constants, which change at instants alone, and what is given
// in time.
#include "engine/flow/input_series.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/open_series.h"

#include <math.h>

// What an affine expression has that does not change: its constant, constant inputs, and offsets of tied
// bodies.
static double constant_of(const ss_model* model, const ss_open_run* open_run, const ss_places* bodies,
                          const ss_affine* a, double* size)
{
    const ss_open* open = model->open;
    double sum = a->rest && !ss_rest_varies(a) ? ss_signal_value(a->rest, 0.0) : 0.0;
    *size = fabs(sum);
    for (int k = 0; k < a->row.count; k++) {
        int at = a->row.index[k], input = at - open->first_input;
        double part = 0.0;
        if (at < open->first_speed) part = a->row.value[k] * bodies->offset[at];
        if (input >= 0 && !open_run->varying[input]) part = a->row.value[k] * open_run->value[input];
        sum += part;
        *size += fabs(part);
    }
    return sum;
}

// Whether an affine expression is constant between instants: it has nothing of the motion, nor of the time.
static bool is_steady(const ss_model* model, const ss_open_run* open_run, const ss_affine* a)
{
    const ss_open* open = model->open;
    if (!a || ss_rest_varies(a)) return false;
    for (int k = 0; k < a->row.count; k++)
        if (a->row.index[k] < open->first_input || open_run->varying[a->row.index[k] - open->first_input])
            return false;
    return true;
}

bool ss_open_has_powers(const ss_model* model, const ss_open_run* open_run)
{
    const ss_open* open = model->open;
    const ss_actions* actions = model->actions;
    for (int p = 0; p < actions->pull_count; p++)
        if (actions->pulls[p].account == SS_ACCOUNT_STORED ||
            !is_steady(model, open_run, actions->pulls[p].affine))
            return true;
    for (int j = 0; j < open->input_count; j++)
        if (!ss_signal_is_constant(open->inputs[j].signal)) return true;
    return false;
}

void ss_open_find_fixed(const ss_model* model, ss_open_run* open_run, ss_places* bodies)
{
    const ss_actions* actions = model->actions;
    double size;
    for (int p = 0; p < actions->pull_count; p++)
        if (actions->pulls[p].affine)
            open_run->fixed[p] = constant_of(model, open_run, bodies, actions->pulls[p].affine, &size);
}

void ss_open_gather(const ss_model* model, ss_open_run* open_run, ss_ways* ways, ss_places* bodies,
                    double force[], double size[])
{
    const ss_actions* actions = model->actions;
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_pull* pull = &actions->pulls[p];
        open_run->steady[p] = open_run->fixed[p] = NAN;
        if (!pull->affine) continue;
        double terms, value = constant_of(model, open_run, bodies, pull->affine, &terms);
        open_run->fixed[p] = value;
        if (pull->account != SS_ACCOUNT_STORED && is_steady(model, open_run, pull->affine))
            open_run->steady[p] = value;
        for (int k = 0; k < pull->q.count; k++) {
            force[pull->q.index[k]] += pull->q.value[k] * value;
            size[pull->q.index[k]] += fabs(pull->q.value[k]) * terms;
        }
    }
    for (int j = 0; j < open_run->states; j++) {
        const ss_affine* rate = actions->rates[j].affine;
        double value = rate ? constant_of(model, open_run, bodies, rate, &open_run->constant_size[j]) : 0.0;
        if (open_run->constant[j] != value) ss_linear_propagator_forget(ways);
        open_run->constant[j] = value;
    }
}

void ss_open_name_connection(const ss_model* model, ss_inputs* inputs, int connection)
{
    const char* name = model->connections[connection].name;
    if (name)
        ss_name_input(inputs, "connections.%.100s", name);
    else
        ss_name_input(inputs, "connections[%d]", connection);
}

void ss_open_name_slot(const ss_model* model, ss_inputs* inputs, int slot)
{
    const ss_open* open = model->open;
    int pulls = model->actions->pull_count;
    if (slot >= pulls)
        ss_name_input(inputs, "states.%.100s.rate", open->states[slot - pulls].name);
    else if (slot < open->force_count && open->forces[slot].place < 0)
        ss_open_name_connection(model, inputs, ss_place_of_damper(open->forces[slot].place));
    else if (slot < open->force_count)
        ss_name_input(inputs, "forces[%d].force", open->forces[slot].place);
    else
        ss_name_input(inputs, "potentials");
}

bool ss_open_prepare(ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    for (int j = 0; j < open->input_count; j++) {
        if (!sim->open.varying[j]) continue;
        if (ss_input_series(sim, open->inputs[j].signal, sim->step.order, sim->open.input + j,
                            open->input_count))
            continue;
        ss_name_input(&sim->inputs, "inputs.%.100s", open->inputs[j].name);
        return false;
    }
    for (int k = 0; k < sim->open.slots; k++) {
        const ss_affine* a = ss_affine_of(sim->model->actions, k);
        if (!ss_rest_varies(a)) continue;
        if (ss_input_series(sim, a->rest, sim->step.order, sim->open.given + k, sim->open.slots)) continue;
        ss_open_name_slot(sim->model, &sim->inputs, k);
        return false;
    }
    return true;
}

double ss_open_given_part(const ss_model* model, const ss_step* step, const ss_open_run* open_run, int slot,
                          int k, double* size)
{
    const ss_open* open = model->open;
    const ss_affine* a = ss_affine_of(model->actions, slot);
    *size = 0.0;
    if (!a) return 0.0;
    const double* input = open_run->input + (size_t)k * (size_t)open->input_count;
    bool varies = ss_rest_varies(a);
    double sum = varies ? open_run->given[(size_t)k * (size_t)open_run->slots + (size_t)slot] : 0.0;
    *size = varies && k == 0 ? fmax(fabs(sum), ss_signal_size(a->rest, step->t)) : fabs(sum);
    for (int l = 0; l < a->row.count; l++) {
        int at = a->row.index[l] - open->first_input;
        if (at < 0 || !open_run->varying[at]) continue;
        double part = a->row.value[l] * input[at];
        sum += part;
        *size += fabs(part);
    }
    return sum;
}

double ss_open_given_at(const ss_model* model, const ss_step* step, const ss_open_run* open_run, int slot,
                        double s, int order)
{
    double sum = 0.0, size;
    for (int k = order; k >= 0; k--)
        sum = sum * s + ss_open_given_part(model, step, open_run, slot, k, &size);
    return sum;
}

static bool is_constant_from_now(const ss_step* step, const ss_signal* signal)
{
    ss_harmonic none[1];
    double constant;
    return ss_signal_spectrum(signal, step->t, &constant, none, 1) == 0;
}

bool ss_open_stays(const ss_model* model, const ss_step* step, const ss_open_run* open_run)
{
    const ss_open* open = model->open;
    if (model->actions->depends & SS_ON_TIME) return false;
    for (int j = 0; j < open->input_count; j++)
        if (open_run->varying[j] && !is_constant_from_now(step, open->inputs[j].signal)) return false;
    for (int k = 0; k < open_run->slots; k++)
        if (ss_rest_varies(ss_affine_of(model->actions, k)) &&
            !is_constant_from_now(step, ss_affine_of(model->actions, k)->rest))
            return false;
    return true;
}
