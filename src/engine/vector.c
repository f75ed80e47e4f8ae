// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The state of a run as one vector: everything that its future depends on beside the time.
#include "engine/flow/bristle_run.h"
#include "engine/flow/open_series.h"

#include "core/algebra/polynomial.h"
#include "core/error.h"
#include "share/run.h"

#include <math.h>
#include <string.h>

// How many numbers the bristles of contact i are.
static int bristle_numbers(const ss_model* model, int i)
{
    const ss_contact* contact = &model->contacts[i];
    if (!ss_has_bristles(contact)) return 0;
    return contact->elements > 0 ? contact->elements : 1;
}

int ss_sim_bristles(const ss_sim* sim, double out[])
{
    int count = 0, last = sim->step.ready ? sim->step.order - 1 : 0;
    double now = sim->step.ready ? sim->step.now : 0.0;
    for (int i = 0; i < sim->model->contact_count; i++) {
        int own = bristle_numbers(sim->model, i);
        if (own > 0 && out && sim->model->contacts[i].elements > 0) ss_sim_deflections(sim, i, out + count);
        if (own > 0 && out && sim->model->contacts[i].elements == 0)
            out[count] =
                ss_along_at(sim->step.laws.bristles[sim->step.laws.bristle_at[i]].along.z, last, now);
        count += own;
    }
    return count;
}

int ss_sim_state_count(const ss_sim* sim)
{
    int memory = sim->model->open ? sim->model->open->memory_count : 0;
    return 2 * sim->model->n + sim->open.states + ss_sim_bristles(sim, NULL) + memory;
}

void ss_sim_state(const ss_sim* sim, double out[])
{
    int n = sim->model->n, states = sim->open.states;
    for (int i = 0; i < n; i++) {
        int body = sim->model->coordinate_body[i];
        out[i] = sim->bodies.out_x[body];
        out[n + i] = sim->bodies.out_v[body];
    }
    if (states > 0) memcpy(out + 2 * n, sim->open.out, (size_t)states * sizeof(double));
    int bristles = ss_sim_bristles(sim, out + 2 * n + states), at = 2 * n + states + bristles;
    int memory = ss_sim_state_count(sim) - at;
    if (memory > 0) memcpy(out + at, sim->open.memory, (size_t)memory * sizeof(double));
}

// Rates of the elements of a law, by values on both sides within the step.
static void element_rates(const ss_model* model, const ss_step* step, const ss_law_series* laws, int i,
                          double low[], double out[])
{
    const ss_contact* contact = &model->contacts[i];
    const ss_along* along = &laws->bristles[laws->bristle_at[i]].along;
    int last = step->order - 1;
    double h = 1e-4 * step->length, s = fmin(fmax(step->now, h), step->length - h);
    contact->law_entry->elements.now(ss_law_of(contact), along, last, s + h, out, NULL);
    contact->law_entry->elements.now(ss_law_of(contact), along, last, s - h, low, NULL);
    for (int k = 0; k < contact->elements; k++) out[k] = (out[k] - low[k]) / (2.0 * h);
}

void ss_sim_acceleration(const ss_sim* sim, double a[])
{
    int n = sim->model->n;
    for (int i = 0; i < n; i++)
        a[i] = sim->step.clock.stop
                   ? ss_poly_value(sim->step.clock.change + i, n, sim->step.order - 1, sim->step.now)
                   : ss_poly_second_derivative(sim->step.q + i, n, sim->step.order, sim->step.now);
}

void ss_sim_rates(const ss_sim* sim, double out[])
{
    int states = sim->open.states;
    double pace =
        sim->step.clock.stop ? ss_poly_value(sim->step.clock.pace, 1, sim->step.order, sim->step.now) : 1.0;
    for (int j = 0; j < states; j++)
        out[j] = ss_poly_slope(sim->step.s + j, states, sim->step.order - 1, sim->step.now) / pace;
}

void ss_sim_state_rate(const ss_sim* sim, double out[])
{
    int n = sim->model->n, states = sim->open.states, count = ss_sim_state_count(sim);
    double now = sim->step.now;
    for (int i = 0; i < n; i++) out[i] = sim->bodies.out_v[sim->model->coordinate_body[i]];
    for (int k = n; k < count; k++) out[k] = 0.0;
    if (!sim->step.ready) return; // it has come to rest
    ss_sim_acceleration(sim, out + n);
    double pace = sim->step.clock.stop ? ss_poly_value(sim->step.clock.pace, 1, sim->step.order, now) : 1.0;
    ss_sim_rates(sim, out + 2 * n);
    int at = 2 * n + states;
    for (int i = 0; i < sim->model->contact_count; i++) {
        int own = bristle_numbers(sim->model, i);
        if (own == 0) continue;
        if (sim->model->contacts[i].elements > 0)
            element_rates(sim->model, &sim->step, &sim->step.laws, i, sim->step.laws.start, out + at);
        else
            out[at] = ss_poly_slope(sim->step.laws.bristles[sim->step.laws.bristle_at[i]].along.z, 1,
                                    sim->step.order - 1, now) /
                      pace;
        at += own;
    }
}

// Bodies move by their rows of T from where the model's start, which its ties keep, has them.
void ss_sim_place(const ss_sim* sim, const double state[], double x[], double v[])
{
    const ss_model* model = sim->model;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        double place = body->start_x;
        for (int k = 0; k < body->row.count; k++) {
            int i = body->row.index[k];
            place += body->row.value[k] * (state[i] - model->bodies[model->coordinate_body[i]].start_x);
        }
        x[b] = body->coordinate >= 0 ? state[body->coordinate] : place;
        v[b] = ss_row_dot(&body->row, state + model->n);
    }
}

ss_status ss_sim_restart_from(ss_sim* sim, const double state[], ss_error* err)
{
    int n = sim->model->n, bristles = ss_sim_bristles(sim, NULL);
    const double *states = state + 2 * n, *start = states + sim->open.states, *memory = start + bristles;
    double *x = sim->instant.x, *v = sim->instant.v; // what an instant was is not asked for any more
    for (int k = 0; k < ss_sim_state_count(sim); k++)
        if (!isfinite(state[k])) return ss_fail(err, SS_BAD_INPUT, "state", "must be finite");
    ss_sim_place(sim, state, x, v);
    ss_status status = ss_sim_set_start(sim, states, memory, err);
    if (status != SS_OK) return status;
    if (bristles > 0) memcpy(sim->step.laws.start, start, (size_t)bristles * sizeof(double));
    sim->step.laws.start_given = true;
    status = ss_sim_restart(sim, x, v, err);
    sim->step.laws.start_given = false;
    ss_error ignored;
    ss_sim_set_start(sim, NULL, NULL, &ignored);
    return status;
}

double ss_sim_rate(const ss_sim* sim) { return sim->control.rate; }
