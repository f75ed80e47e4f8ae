// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Settling: the present mode is never left, and what still moves dies out. docs/theory/settle.md tells why
// what is checked here suffices.
//
// settle_system.c finds the linear system of the mode, settle_modes.c its exponentials, settle_events.c
// whether an event function can vanish; here they meet, and tell where the motion goes.
#include "engine/proof/settle.h"
#include "core/rounding.h"
#include "engine/flow/motion_series.h"
#include "engine/proof/leap.h"
#include "engine/proof/proof.h"
#include "engine/proof/settle_bristles.h"
#include "engine/proof/settle_smooth.h"
#include "model/open_impl.h"

#include <math.h>
#include <string.h>

enum { LARGEST = 32 }; // coordinates of a model that is looked at

void ss_settle_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    sim->proof.settle = NULL;
    // What follows forces is not in the matrices.
    if (model->nature.one_way || model->nature.follows_forces || model->tie_count > 0) return;
    if (model->nature.loaded) return; // nor are normal forces that vary
    if (sim->open.states > LARGEST) return;
    if (model->open && model->open->block_count > 0) return; // what a controller will do is not in the modes
    if (sim->step.laws.elastic_count > 0 || sim->step.laws.bristle_count > 0 || model->n > LARGEST ||
        model->n == 0)
        return;
    ss_pool* pool = &sim->pool;
    struct ss_settle* s = ss_pool_spare(pool, 1, sizeof *s);
    if (!s) return;
    size_t n = (size_t)model->n, m = (size_t)model->contact_count;
    size_t p = (size_t)sim->open.states, most = 2 * n + p;
    double** reals[] = {&s->point.y,        &s->point.rates,    &s->point.lambda, &s->mode.a,
                        &s->mode.rows,      &s->mode.reactions, &s->mode.forces,  &s->mode.rate_now,
                        &s->mode.rate_mark, &s->parts.a,        &s->parts.scale,  &s->decay.error,
                        &s->point.held,     &s->mode.limit};
    size_t sizes[] = {most, n + p, m,           most * most, m * n, m * most, m,
                      most, most,  most * most, most,        most,  m,        p};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        *reals[k] = ss_pool_spare(pool, sizes[k], sizeof(double));
    double complex** complexes[] = {&s->parts.spectrum.values,
                                    &s->parts.spectrum.vectors,
                                    &s->parts.spectrum.inverse,
                                    &s->parts.work,
                                    &s->decay.values,
                                    &s->decay.vectors,
                                    &s->decay.now,
                                    &s->decay.then,
                                    &s->decay.rates,
                                    &s->decay.weights};
    size_t square = most * most;
    size_t lengths[] = {most, square, square, 2 * square, most, square, most, most, most, most};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        *complexes[k] = ss_pool_spare(pool, lengths[k], sizeof(double complex));
    s->mark = ss_pool_new(pool, 2 * n + 1 + p, sizeof(double));
    s->mode.coordinates = ss_pool_spare(pool, n, sizeof(int));
    s->parts.of = ss_pool_spare(pool, most, sizeof(int));
    s->parts.members = ss_pool_spare(pool, most, sizeof(int));
    sim->proof.settle = s;
    if (!model->open || model->nature.linear || pool->failed) return;
    ss_settle_smooth_allocate(sim);
    if (!s->smooth) sim->proof.settle = NULL;
}

void ss_settle_mark(const ss_model* model, ss_step* step, const ss_open_run* open_run, ss_proof* proof)
{
    if (!proof->settle || (step->t > 0.0 && step->end == SS_STEP_BOUND)) return;
    size_t n = (size_t)model->n;
    proof->settle->mark[2 * n] = step->t;
    memcpy(proof->settle->mark, step->q, 2 * n * sizeof(double));
    memcpy(proof->settle->mark + 2 * n + 1, step->s, (size_t)open_run->states * sizeof(double));
}

bool ss_settle_solve(double a[], double b[], int n)
{
    for (int c = 0; c < n; c++) {
        int best = c;
        double size = 0.0;
        for (int r = c; r < n; r++)
            if (fabs(a[r * n + c]) > fabs(a[best * n + c])) best = r;
        for (int k = 0; k < n; k++) size = fmax(size, fabs(a[best * n + k]));
        if (!(fabs(a[best * n + c]) > n * SS_SETTLE_ROUNDING * size)) return false;
        for (int k = 0; k < n; k++) {
            double kept = a[c * n + k];
            a[c * n + k] = a[best * n + k];
            a[best * n + k] = kept;
        }
        double kept = b[c];
        b[c] = b[best];
        b[best] = kept;
        for (int r = c + 1; r < n; r++) {
            double factor = a[r * n + c] / a[c * n + c];
            for (int k = c; k < n; k++) a[r * n + k] -= factor * a[c * n + k];
            b[r] -= factor * b[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) b[r] -= a[r * n + k] * b[k];
        b[r] /= a[r * n + r];
    }
    return true;
}

// Way of the free coordinates to the point where nothing pulls any more. False where some position has
// nothing that pulls it back.
static bool way_to_balance(const ss_sim* sim, double way[])
{
    struct ss_settle* s = sim->proof.settle;
    int n = sim->model->n, r = s->mode.count;
    double* y = ss_settle_now(sim->model, &sim->step, &sim->open, &sim->proof);
    memset(y + n, 0, (size_t)n * sizeof(double));
    ss_settle_rates(sim, y);
    for (int i = 0; i < r; i++) {
        way[i] = -s->point.rates[s->mode.coordinates[i]];
        for (int j = 0; j < r; j++) s->parts.a[i * r + j] = s->mode.a[(r + i) * 2 * r + j];
    }
    return ss_settle_solve(s->parts.a, way, r);
}

// Way of variable j of y from now to the end: -sum_k rho_k v_k / lambda_k.
static double way_of(const struct ss_settle* s, int j, int modes)
{
    double way = 0.0;
    for (int k = 0; k < modes; k++)
        if (s->decay.now[k] != 0.0)
            way -= creal(s->decay.vectors[j * s->mode.size + k] * s->decay.now[k] / s->decay.values[k]);
    return way;
}

// Where the free coordinates go, for all bodies: to the balance of forces; or, where that does not tell, by
// y(now) - sum_k rho_k v_k / lambda_k.
static void write_limit(const ss_sim* sim, int modes, double limit_x[])
{
    const ss_model* model = sim->model;
    struct ss_settle* s = sim->proof.settle;
    double way[LARGEST];
    if (sim->open.states > 0 || !way_to_balance(sim, way))
        for (int j = 0; j < s->mode.count; j++) way[j] = way_of(s, j, modes);
    double* gone_q = s->point.y;
    memset(gone_q, 0, (size_t)model->n * sizeof(double));
    for (int j = 0; j < s->mode.count; j++) gone_q[s->mode.coordinates[j]] = way[j];
    ss_constrain(sim->model, &sim->modes, 0.0, NULL, gone_q);
    for (int b = 0; b < model->body_count; b++) {
        limit_x[b] = sim->bodies.out_x[b];
        if (model->bodies[b].drive >= 0) continue;
        double gone = ss_row_dot(&model->bodies[b].row, gone_q);
        double size = 8.0 * (fabs(limit_x[b]) + fabs(gone)); // a solution of equations is rounded more often
        limit_x[b] = ss_clear_rounding(limit_x[b] + gone, size);
    }
}

// Stribeck friction does not slip. (Cubic springs are looked at where A is found.)
static bool is_linear(const ss_model* model, const ss_step* step, const ss_modes* modes)
{
    for (int i = 0; i < model->contact_count; i++)
        if (step->laws.curved_at[i] >= 0 && ss_slips(modes, i)) return false;
    return true;
}

// Whether anything moves now, or moved when the motion was last asked and is below any number by now.
static bool moves(const ss_sim* sim)
{
    for (int i = 0; i < sim->proof.settle->mode.size; i++)
        if (sim->proof.settle->mode.rate_now[i] != 0.0) return true;
    return ss_leap_is_last(sim);
}

bool ss_sim_settles(const ss_sim* sim, double limit_x[])
{
    int modes;
    if (sim->proof.settle_bristles) return ss_settle_bristles_proved(sim, limit_x);
    if (sim->proof.settle && sim->proof.settle->smooth) return ss_settle_smooth_proved(sim, limit_x);
    if (!sim->proof.settle || !sim->step.ready || sim->course.ended || !ss_inputs_stay(sim) ||
        !is_linear(sim->model, &sim->step, &sim->modes))
        return false;
    ss_settle_find_free(sim->model, &sim->open, &sim->modes, &sim->proof);
    if (sim->proof.settle->mode.size == 0 || !ss_settle_linearise(sim)) return false;
    ss_settle_find_rates(sim);
    if (!moves(sim) || !ss_settle_find_modes(sim->proof.settle, &modes)) return false;
    for (int i = 0; i < sim->model->contact_count; i++)
        if (!ss_settle_stays(sim, i, modes)) return false;
    if (limit_x) write_limit(sim, modes, limit_x);
    const struct ss_settle* s = sim->proof.settle;
    for (int j = 0; j < sim->open.states; j++)
        s->mode.limit[j] = sim->open.out[j] + way_of(s, 2 * s->mode.count + j, modes);
    return true;
}

const double* ss_sim_limit_states(const ss_sim* sim)
{
    return sim->proof.settle ? sim->proof.settle->mode.limit : NULL;
}
