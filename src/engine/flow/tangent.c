// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How a motion changes with its state, in the present mode and at the time the run has reached. With J the
// Jacobian of the acceleration without the contacts that hold, those contacts take
//
//     dlambda = -A^-1 W^T J,     da = (I - M^-1 W A^-1 W^T) J
//
// over the contacts W that hold. Columns: the n coordinates, then their n speeds.
#include "engine/flow/tangent.h"
#include "core/algebra/polynomial.h"
#include "law/table.h"

#include <math.h>
#include <string.h>

void ss_present_acceleration(const ss_sim* sim, double a[])
{
    int n = sim->model->n;
    for (int i = 0; i < n; i++)
        a[i] = sim->clock.stop ? ss_poly_value(sim->clock.change + i, n, sim->step.order - 1, sim->step.now)
                               : ss_poly_bend(sim->step.q + i, n, sim->step.order, sim->step.now);
}

void ss_sim_acceleration(const ss_sim* sim, double a[]) { ss_present_acceleration(sim, a); }

void ss_sim_rates(const ss_sim* sim, double out[])
{
    int states = sim->open.states;
    for (int j = 0; j < states; j++)
        out[j] = ss_poly_slope(sim->step.s + j, states, sim->step.order - 1, sim->step.now);
}

double ss_present_drive_acceleration(const ss_sim* sim, int i)
{
    const ss_row* row = &sim->model->contacts[i].d;
    double sum = 0.0;
    if (sim->clock.stop) return 0.0; // drives run evenly
    for (int k = 0; k < row->count; k++)
        sum += row->value[k] * ss_poly_bend(sim->step.d + row->index[k], sim->model->drive_count,
                                            sim->step.order, sim->step.now);
    return sum;
}

// matrix += factor column row, of n x width
static void add_product(double matrix[], int width, const ss_row* column, double factor, const ss_row* row,
                        int shift)
{
    for (int i = 0; i < column->count; i++)
        for (int j = 0; j < row->count; j++)
            matrix[column->index[i] * width + shift + row->index[j]] +=
                factor * column->value[i] * row->value[j];
}

static double present_elongation(const ss_sim* sim, const ss_connection* spring)
{
    return ss_row_dot(&spring->bodies, sim->bodies.out_x) - spring->length;
}

// What a contact adds whose force depends on the state: one that slips, or a stop that gives way.
static void add_law(const ss_sim* sim, int i, double out[])
{
    const ss_contact* contact = &sim->model->contacts[i];
    int n = sim->model->n;
    bool closed = ss_is_elastic(sim, i) && sim->modes.contacts[i].mode == SS_MODE_CLOSED;
    ss_law_point point = {.v = ss_row_dot(&contact->bodies, sim->bodies.out_v)};
    ss_response p;
    if (sim->laws.curved_at[i] >= 0) point.along = &sim->laws.curved[sim->laws.curved_at[i]];
    if (!contact->law_row->point.at || ss_is_bristle(sim, i) || !(ss_slips(sim, i) || closed)) return;
    point.sign = sim->modes.contacts[i].mode == SS_MODE_SLIP_MINUS ? -1.0 : 1.0;
    if (closed) {
        point.y = ss_stop_penetration(contact, ss_row_dot(&contact->bodies, sim->bodies.out_x));
        point.branch = sim->laws.elastic[sim->laws.elastic_at[i]].branch;
    }
    contact->law_row->point.at(ss_law_of(contact), &point, &p);
    add_product(out, 2 * n, &contact->mobility, p.force_y, &contact->q, 0);
    add_product(out, 2 * n, &contact->mobility, p.force_v, &contact->q, n);
}

// Jacobian of the acceleration without the contacts that hold.
static void free_jacobian(const ss_sim* sim, double out[])
{
    const ss_model* model = sim->model;
    const ss_operator* op = &model->matrices.flow;
    int n = model->n, width = 2 * n;
    memset(out, 0, (size_t)n * (size_t)width * sizeof(double));
    for (int i = 0; i < n; i++)
        for (int l = op->start[i]; l < op->start[i + 1]; l++) {
            out[i * width + op->index[l]] -= op->stiffness[l];
            out[i * width + n + op->index[l]] -= op->damping[l];
        }
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* spring = &model->connections[c];
        if (spring->cubic == 0.0) continue;
        double e = present_elongation(sim, spring);
        add_product(out, width, &spring->mobility, -3.0 * spring->cubic * e * e, &spring->q, 0);
    }
    for (int i = 0; i < model->contact_count; i++) add_law(sim, i, out);
}

// W_i^T J
static void contact_row(const ss_contact* contact, const double jacobian[], int width, double out[])
{
    for (int j = 0; j < width; j++) out[j] = 0.0;
    for (int k = 0; k < contact->q.count; k++)
        for (int j = 0; j < width; j++)
            out[j] += contact->q.value[k] * jacobian[contact->q.index[k] * width + j];
}

// Gradient of the force of the held contact in place `a` of its group, added to out with a factor.
static void add_hold_gradient(const ss_sim* sim, int g, int a, const double jacobian[], double out[],
                              double row[])
{
    const ss_hold* hold = &sim->modes.holds[g];
    int width = 2 * sim->model->n;
    for (int c = 0; c < hold->count; c++) {
        int i = sim->model->groups[g].contacts[hold->places[c]];
        contact_row(&sim->model->contacts[i], jacobian, width, row);
        double factor = hold->inverse[a * hold->count + c];
        for (int j = 0; j < width; j++) out[j] -= factor * row[j];
    }
}

size_t ss_jacobian_size(const ss_model* model)
{
    size_t n = (size_t)model->n;
    return 2 * n * n + 4 * n;
}

void ss_mode_jacobian(const ss_sim* sim, double out[], double scratch[])
{
    const ss_model* model = sim->model;
    int width = 2 * model->n;
    double *free = scratch, *gradient = free + (size_t)model->n * (size_t)width, *row = gradient + width;
    free_jacobian(sim, free);
    memcpy(out, free, (size_t)model->n * (size_t)width * sizeof(double));
    for (int j = 0; j < sim->modes.active_count; j++) {
        int g = sim->modes.active[j];
        for (int a = 0; a < sim->modes.holds[g].count; a++) {
            memset(gradient, 0, (size_t)width * sizeof(double));
            add_hold_gradient(sim, g, a, free, gradient, row);
            const ss_row* mobility =
                &model->contacts[model->groups[g].contacts[sim->modes.holds[g].places[a]]].mobility;
            for (int k = 0; k < mobility->count; k++)
                for (int c = 0; c < width; c++)
                    out[mobility->index[k] * width + c] += mobility->value[k] * gradient[c];
        }
    }
}

void ss_hold_gradient(const ss_sim* sim, int i, double out[], double scratch[])
{
    int g = sim->model->contacts[i].group, width = 2 * sim->model->n;
    const ss_hold* hold = &sim->modes.holds[g];
    double *free = scratch, *row = free + (size_t)sim->model->n * (size_t)width;
    memset(out, 0, (size_t)width * sizeof(double));
    free_jacobian(sim, free);
    for (int a = 0; a < hold->count; a++)
        if (sim->model->groups[g].contacts[hold->places[a]] == i)
            add_hold_gradient(sim, g, a, free, out, row);
}

double ss_hold_rate(const ss_sim* sim, int i)
{
    int m = sim->model->contact_count, last = sim->step.order - 2;
    double rate, force = ss_poly_both(sim->step.lambda + i, m, last, sim->step.now, &rate);
    // While a clock runs, the rate so far is per parameter; it is wanted per time.
    if (sim->clock.stop) rate /= ss_poly_value(sim->clock.pace, 1, sim->step.order, sim->step.now);
    for (int k = last; k >= 1 && sim->inputs.level_at[i] >= 0; k--) {
        double bound = force < 0.0 ? ss_hold_low(sim, i, k) : ss_hold_high(sim, i, k);
        rate -= k * bound * pow(sim->step.now, k - 1);
    }
    return rate;
}
