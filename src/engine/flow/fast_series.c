// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The series of the commonest models in one loop: springs, dampers, states and contacts that slip, order by
// order, without asking at each order which other forces act. Models whose friction falls with the speed
// spend most of their time here; where friction is constant, single orders cost less.
//
//   reads    the series up to order `from` - 1
//   writes   q, s and lambda up to the order of the step
//   promise  the same numbers as ss_accelerate, order by order, but for the order of sums
#include "engine/flow/contact.h"
#include "engine/flow/motion_series.h"
#include "law/table.h"
#include "model/actions.h"

enum { LARGEST = 16 }; // places, speeds and states: larger systems have matrices of mostly zeros

// Whether nothing but springs, dampers, states and contacts that slip changes the accelerations at orders
// above 0, and all of it is linear but for the contacts.
bool ss_fast_series_applies(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    bool gains = sim->open.states > 0;
    if (!sim->ways.system) return false;
    for (int i = 0; i < model->contact_count; i++) {
        if (sim->inputs.level_at[i] >= 0) return false;
        gains = gains || sim->laws.curved_at[i] >= 0;
    }
    return gains && !sim->clock.stop && sim->modes.active_count == 0 && sim->laws.bristle_count == 0 &&
           sim->laws.elastic_count == 0 && model->drive_count == 0 && sim->inputs.varying_count == 0 &&
           !sim->pulls.has_cubic &&
           (!model->open || (!sim->open.varies && model->actions->motion.output_count == 0));
}

double ss_fast_series_longest(const ss_step* step, const ss_step_control* pace)
{
    const double far = 12.0; // over the rate, which is no less than that of any mode
    if (!(pace->rate > 0.0)) return step->length;
    return fmax(step->length, fmin(2.0 * pace->interval, far / pace->rate));
}

// What contacts do that slip on a curve; v: speeds at order k.
static inline void add_curves(ss_sim* sim, int k, const double v[], double accel[])
{
    const ss_model* model = sim->model;
    double* lambda = sim->step.lambda + k * model->contact_count;
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        lambda[i] = 0.0;
        if (sim->laws.curved_at[i] < 0 || !ss_slips(sim, i)) continue;
        ss_along* along = &sim->laws.curved[sim->laws.curved_at[i]];
        along->sign = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
        along->v[k] = k < sim->modes.contacts[i].lead ? 0.0 : ss_row_dot(&contact->q, v);
        lambda[i] = contact->law_entry->series.next(ss_law_of(contact), along, k);
        for (int l = 0; l < contact->mobility.count; l++)
            accel[contact->mobility.index[l]] += contact->mobility.value[l] * lambda[i];
    }
}

// All orders from `from` on, of n coordinates and p states: numbers that are known where it is called.
static inline __attribute__((always_inline)) void run_orders(ss_sim* sim, int from, const int n, const int p)
{
    const double* system = sim->ways.system + n * (2 * n + p);
    double a[LARGEST], z[LARGEST];
    for (int k = from; k <= sim->step.order - 2; k++) {
        const double *q = sim->step.q + k * n, *s = sim->step.s + k * p, *row = system;
        double *rate = sim->step.s + (k + 1) * p, factor = k + 1, scale = 1.0 / factor;
        for (int i = 0; i < n; i++) z[i] = q[i];
        for (int i = 0; i < n; i++) z[n + i] = factor * q[n + i];
        for (int j = 0; j < p; j++) z[2 * n + j] = s[j];
        for (int i = 0; i < n + p; i++, row += 2 * n + p) {
            a[i] = 0.0;
            for (int j = 0; j < 2 * n + p; j++) a[i] += row[j] * z[j];
        }
        add_curves(sim, k, z + n, a);
        ss_store_free_accelerations(&sim->step, k, n, a);
        for (int j = 0; j < p; j++) rate[j] = a[n + j] * scale;
    }
}

void ss_fast_series(ss_sim* sim, int from)
{
    int n = sim->model->n, p = sim->open.states;
    if (n == 1 && p == 0)
        run_orders(sim, from, 1, 0);
    else if (n == 1 && p == 1)
        run_orders(sim, from, 1, 1);
    else if (n == 1 && p == 2)
        run_orders(sim, from, 1, 2);
    else if (n == 2 && p == 0)
        run_orders(sim, from, 2, 0);
    else
        run_orders(sim, from, n, p);
}

void ss_fast_series_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    int size = 2 * model->n + sim->open.states;
    sim->ways.system = NULL;
    if (size > LARGEST || model->nature.linear || sim->pool.failed) return;
    sim->ways.system = ss_pool_spare(&sim->pool, (size_t)(size * size), sizeof(double));
    if (sim->ways.system) ss_actions_system(model, sim->ways.system);
}
