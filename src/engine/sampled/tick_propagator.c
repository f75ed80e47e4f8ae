// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The propagator from tick to tick: a linear plant that slips on between two ticks of its controller moves by
// one and the same matrix each time. With y = (q, q', s), y' = A y + c and c constant from tick to tick,
//
//     y(h) = y + Psi y'(0),     Psi = integral_0^h e^(A s) ds,
//
// and a contact goes on slipping where its speed at both ends exceeds what it can sag between them,
// h^2/8 times the largest |w''| <= |w A| e^(|A| h) |y'(0)|. Whether a stretch is passed so depends on the
// motion alone and not on where the caller stops: a stop within it is computed by series as ever, and the
// state at its end is kept (take_ahead).
//
//   reads    model, modes, memory, constants
//   writes   state and time at the last tick that was passed
#include "engine/flow/contact.h"
#include "engine/flow/linear/constant_works.h"
#include "engine/flow/linear/linear_works.h"
#include "engine/flow/linear/tick_propagator_tables.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/record/record.h"
#include "engine/sampled/sampled.h"
#include "engine/sensitivity/run_hooks.h"
#include "engine/way/way.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LARGEST = SS_TICK_PROPAGATOR_LARGEST, PARTS = SS_TICK_PROPAGATOR_PARTS, MOST = 256 };

typedef ss_tick_propagator_matrix matrix;

// ---- tables

static void fill_part(struct ss_tick_propagator* g, const ss_model* model, int part)
{
    int n = g->size;
    double h = g->length[part];
    matrix a = {{0}}, size = {{0}}, psi, flow;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = g->a[i][j];
            size[i][j] = fabs(g->a[i][j]);
        }
    ss_tick_propagator_integrate(n, a, NULL, h, psi, NULL, flow);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) g->psi[part][i][j] = (double)psi[i][j];
    ss_tick_propagator_integrate(n, size, NULL, h, psi, NULL, flow);
    for (int c = 0; c < model->contact_count; c++)
        for (int j = 0; j < n; j++) {
            long double sum = 0.0L;
            for (int k = 0; k < n; k++) {
                double row = 0.0; // (w A)_k
                for (int l = 0; l < model->contacts[c].q.count; l++)
                    row += model->contacts[c].q.value[l] * g->a[model->n + model->contacts[c].q.index[l]][k];
                sum += fabs(row) * flow[k][j];
            }
            g->bend[part][c][j] = (double)(0.125L * h * h * sum * (1.0L + 1e-9L));
        }
}

// Constants of the accelerations and of the rates, as the engine has them now.
static void constants(const ss_sim* sim, double c[])
{
    int n = sim->model->n;
    for (int i = 0; i < n; i++) {
        c[i] = 0.0;
        c[n + i] = sim->pulls.constant[i];
    }
    memcpy(c + 2 * n, sim->open.constant, (size_t)sim->open.states * sizeof(double));
}

// What a unit of each memory adds to the constants: the rows are affine.
static void fill_memory(ss_sim* sim, struct ss_tick_propagator* g)
{
    const ss_open* open = sim->model->open;
    const ss_actions* actions = sim->model->actions;
    for (int p = 0; p < actions->pull_count + open->state_count; p++) {
        bool pull = p < actions->pull_count;
        const ss_affine* affine =
            pull ? actions->pulls[p].affine : actions->rates[p - actions->pull_count].affine;
        for (int k = 0; k < affine->row.count; k++) {
            int m = affine->row.index[k] - open->first_memory;
            if (m < 0) continue;
            double value = affine->row.value[k];
            if (!pull)
                g->by_memory[(2 * sim->model->n + p - actions->pull_count) * open->memory_count + m] += value;
            for (int l = 0; pull && l < actions->pulls[p].mobility.count; l++)
                g->by_memory[(sim->model->n + actions->pulls[p].mobility.index[l]) * open->memory_count +
                             m] += value * actions->pulls[p].mobility.value[l];
        }
    }
}

void ss_tick_propagator_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    const ss_open* open = model->open;
    sim->values.tick_propagator = NULL;
    if (!open || open->block_count != 1 || !sim->ways.propagator || sim->proof.divergence) return;
    int size = 2 * model->n + open->state_count;
    if (size > LARGEST || model->contact_count > LARGEST || model->nature.one_way) return;
    struct ss_tick_propagator* g = ss_pool_spare(&sim->pool, 1, sizeof *g);
    double* by_memory = ss_pool_spare(&sim->pool, (size_t)(size * open->memory_count), sizeof(double));
    sim->values.ahead_state = ss_pool_new(&sim->pool, (size_t)size, sizeof(double));
    double* forms = ss_pool_spare(&sim->pool, (size_t)(2 * PARTS * 4 * size * size), sizeof(double));
    if (sim->pool.failed) return;
    *g = (struct ss_tick_propagator){.size = size, .by_memory = by_memory};
    for (int part = 0; part < PARTS; part++, forms += 8 * size * size) {
        g->damping[part] = forms;
        g->input[part] = forms + 4 * size * size;
    }
    double a[LARGEST * LARGEST] = {0.0};
    ss_actions_system(model, a);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) g->a[i][j] = a[i * size + j];
    const ss_open_block* block = &open->blocks[0];
    g->length[0] = block->delay > 0.0 ? block->delay : block->every;
    g->length[1] = block->every - block->delay;
    for (int part = 0; part < PARTS; part++) fill_part(g, model, part);
    fill_memory(sim, g);
    sim->values.tick_propagator = g;
}

// ---- the ledger

static void fill_works(const ss_sim* sim, struct ss_tick_propagator* g)
{
    int n = sim->model->n;
    double damping[LARGEST * LARGEST / 2], input[LARGEST * LARGEST / 2];
    matrix a = {{0}};
    for (int i = 0; i < g->size; i++)
        for (int j = 0; j < g->size; j++) a[i][j] = g->a[i][j];
    ss_works_matrices(sim, damping, input);
    for (int part = 0; part < PARTS; part++) {
        ss_tick_propagator_form(n, g->size, a, damping, g->length[part], g->damping[part]);
        ss_tick_propagator_form(n, g->size, a, input, g->length[part], g->input[part]);
    }
    g->has_works = true;
}

static double form_at(const double form[], const double w[], int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        double row = 0.0;
        for (int j = 0; j < count; j++) row += form[i * count + j] * w[j];
        sum += w[i] * row;
    }
    return sum;
}

// The works on a stretch from y, which changed at `rate` at first, to `next`.
static void add_works(ss_sim* sim, int part, const double y[], const double rate[], const double next[],
                      ss_energy* e)
{
    struct ss_tick_propagator* g = sim->values.tick_propagator;
    int n = g->size;
    double w[2 * LARGEST], moved[LARGEST], passed = ss_largest_work(e);
    if (!g->has_works) fill_works(sim, g);
    memcpy(w, y, (size_t)n * sizeof *w);
    memcpy(w + n, rate, (size_t)n * sizeof *w);
    for (int i = 0; i < sim->model->n; i++) moved[i] = next[i] - y[i];
    ss_add_work(form_at(g->damping[part], w, 2 * n), &e->damping, &passed);
    ss_add_work(form_at(g->input[part], w, 2 * n), &e->input, &passed);
    ss_open_find_fixed(sim);
    ss_works_of_constants(sim, sim->open.fixed, moved, e, &passed);
    e->passed = fmax(e->passed, passed);
}

// ---- the motion

// With derivatives the run takes steps that end at ticks, where everything is to be decided anew: but not
// what slips at a speed.
static bool slips_on(const ss_sim* sim, int i)
{
    return sim->derivative && !sim->modes.contacts[i].hit &&
           fabs(ss_relative_velocity(sim, i, 0)) > ss_velocity_rounding(sim, i);
}

static bool propagates_ticks(const ss_sim* sim)
{
    if (!sim->values.tick_propagator || !sim->course.started || !isnan(sim->proof.resting_since) ||
        sim->modes.active_count > 0 || (sim->derivative && !ss_sensitivity_propagates_ticks(sim)))
        return false;
    for (int i = 0; i < sim->model->contact_count; i++)
        if (!ss_slips(sim, i) || (sim->modes.dirty[sim->model->contacts[i].group] && !slips_on(sim, i)))
            return false;
    return true;
}

static void read_state(const ss_sim* sim, double y[])
{
    int n = sim->model->n;
    memcpy(y, sim->step.q, 2 * (size_t)n * sizeof(double));
    memcpy(y + 2 * n, sim->step.s, (size_t)sim->open.states * sizeof(double));
}

// c without memory: constants, and the forces of the contacts that slip.
static void gather(ss_sim* sim, double base[])
{
    const struct ss_tick_propagator* g = sim->values.tick_propagator;
    const ss_model* model = sim->model;
    ss_gather_constants(sim);
    constants(sim, base);
    for (int i = 0; i < model->contact_count; i++) {
        double force = ss_slip_force(sim, i, 0);
        for (int k = 0; k < model->contacts[i].mobility.count; k++)
            base[model->n + model->contacts[i].mobility.index[k]] +=
                model->contacts[i].mobility.value[k] * force;
    }
    int memory = model->open->memory_count;
    for (int i = 0; i < g->size; i++)
        for (int m = 0; m < memory; m++) base[i] -= g->by_memory[i * memory + m] * sim->open.memory[m];
}

// The state after a stretch, and how fast it changes at first; false where a contact may stop on it.
static bool tick_propagator(const ss_sim* sim, int part, const double base[], const double y[], double rate[],
                            double out[])
{
    const struct ss_tick_propagator* g = sim->values.tick_propagator;
    const ss_model* model = sim->model;
    int n = g->size, memory = model->open->memory_count;
    for (int i = 0; i < n; i++) {
        double sum = base[i];
        for (int m = 0; m < memory; m++) sum += g->by_memory[i * memory + m] * sim->open.memory[m];
        for (int j = 0; j < n; j++) sum += g->a[i][j] * y[j];
        rate[i] = sum;
    }
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) sum += g->psi[part][i][j] * rate[j];
        out[i] = y[i] + sum;
    }
    for (int c = 0; c < model->contact_count; c++) {
        double sign = sim->modes.contacts[c].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0, sag = 0.0;
        double before = sign * ss_row_dot(&model->contacts[c].q, y + model->n),
               after = sign * ss_row_dot(&model->contacts[c].q, out + model->n);
        for (int j = 0; j < n; j++) sag += g->bend[part][c][j] * fabs(rate[j]);
        if (!(fmin(before, after) > sag + 1e-9 * fmax(before, after))) return false;
    }
    return true;
}

// A tick is reached whose state was known before.
static void take_ahead(ss_sim* sim)
{
    if (!sim->values.ahead) return;
    sim->values.ahead = false;
    if (sim->step.t != sim->values.ahead_t) return;
    ss_put_state(sim, sim->values.ahead_state, sim->values.ahead_state + 2 * sim->model->n);
    ss_book(sim, &sim->values.ahead_energy);
}

// Instants that differ by rounding alone are one.
static bool is_due(double at, double t) { return at <= t + 4.0 * DBL_EPSILON * fabs(t); }

// Where everything slips on: passes ticks up to `until`, all but the instant of the last. *more: there are
// more to pass.
static ss_status propagate_ticks(ss_sim* sim, double until, bool* more, ss_error* err)
{
    ss_input_values* held = &sim->values;
    ss_status status = SS_OK;
    double y[LARGEST], next[LARGEST], base[LARGEST], rate[LARGEST];
    *more = false;
    if (!is_due(held->next, sim->step.t) || !propagates_ticks(sim)) return SS_OK;
    const struct ss_tick_propagator* g = held->tick_propagator;
    gather(sim, base);
    read_state(sim, y);
    if (sim->derivative) ss_sensitivity_begin_ticks(sim);
    for (int k = 0; k < MOST; k++) {
        if (sim->instant.wanted) ss_remember_before(sim);
        if ((status = ss_pass_ticks(sim, err)) != SS_OK) break;
        double end = held->next, length = end - sim->step.t;
        int part = fabs(length - g->length[0]) <= 1e-9 * length ? 0 : 1;
        bool clear = fabs(length - g->length[part]) <= 1e-9 * length &&
                     tick_propagator(sim, part, base, y, rate, next);
        held->changed = true;
        if (!clear) return SS_OK; // the instant is passed as ever
        ss_energy energy = sim->ledger.energy;
        if (sim->def.ledger) add_works(sim, part, y, rate, next, &energy);
        if (!is_due(end, until)) {
            held->ahead = true;
            held->ahead_energy = energy;
            held->ahead_t = end;
            memcpy(held->ahead_state, next, (size_t)g->size * sizeof(double));
            return SS_OK;
        }
        if (sim->derivative) ss_sensitivity_tick_propagator(sim, part, y, rate);
        memcpy(y, next, sizeof y);
        ss_put_state(sim, y, y + 2 * sim->model->n);
        ss_book(sim, &energy);
        ss_set_time(sim, end);
        sim->control.steps++;
    }
    *more = status == SS_OK;
    return status;
}

// Ticks that change no mode go by many at a time.
static ss_status pass(ss_sim* sim, const ss_aim* aim, ss_stretch* out, ss_error* err)
{
    if (sim->step.ready || sim->values.block_count == 0) return SS_OK;
    bool more = false;
    take_ahead(sim);
    ss_status status = ss_stick_through_ticks(sim, aim->until, err);
    if (status == SS_OK) status = propagate_ticks(sim, aim->until, &more, err);
    if (more) out->how = SS_PASSED_TICKS;
    return status;
}

const ss_way ss_way_ticks = {.name = "spectral from tick to tick", .pass = pass};
