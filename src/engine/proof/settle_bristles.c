// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Settling in bristles: what rings in them dies out, and where it ends. docs/theory/settle.md derives it.
//
// With y = z - W^T q, which only creep changes, |y'| <= kappa |W^T v|, the motion is that of a damped linear
// system about the balance of forces that belongs to y:
//
//     x' = A x + G y',   x = (q - q_balance(y), v),   A = (0 I; B a_v),   B = a_q + a_z W^T,
//     G = (B^-1 a_z; -M^-1 W sigma1),
//
// a_q, a_v, a_z being the derivatives of the acceleration at v = 0, z = 0. In the coordinates xi = V^-1 x of
// its modes settle_gain.c finds a quadratic form that falls exponentially whatever the creep does within its
// bounds.
#include "engine/proof/settle_bristles.h"
#include "core/algebra/eigen.h"
#include "core/algebra/lu.h"
#include "core/algebra/polynomial.h"
#include "core/tolerance.h"
#include "engine/flow/bristle.h"
#include "engine/flow/stiff.h"
#include "engine/proof/proof.h"
#include "engine/proof/settle_gain.h"
#include "law/table.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LARGEST = 32, MOST_BRISTLES = 64 }; // coordinates of a model that is looked at, and its bristles
static const double worst_condition = 1e10;
static const double rounding = 64.0 * DBL_EPSILON;
static const double slack = 1e-6;     // of bounds: rounding on the way to them
static const double known = SS_CLEAR; // the limit must be known to this part of the way gone

struct ss_settle_bristles {              // all of it is scratch of one question
    double *q, *state, *rest;            // n; speeds 0 and deflections; acceleration there
    double *drives, *lambda;             // 3 drives; contacts
    double *jacobian, *balance, *factor; // states x (n + states); B and its factors, n x n
    int* pivots;
    double *shift, *speed; // n: q - q_balance, v
    double* way;           // bristles x n: B^-1 a_z
    double *slip, *kappa;  // bristles: speed along the row per size of the form; kappa_j
    double* margin;        // bristles: way that z may still go
    double *a, *scale;     // 2 n x 2 n, 2 n
    ss_spectrum spectrum;
    ss_gain gain;
    double complex *work, *xi; // the latter 4 n
};

static bool is_open_to_proof(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    if (!sim->ways.stiff || sim->laws.bristle_count == 0 || sim->pulls.has_cubic || model->n > LARGEST ||
        sim->laws.bristle_count > MOST_BRISTLES)
        return false;
    for (int i = 0; i < model->contact_count; i++) {
        ss_law_kind law = model->contacts[i].law;
        bool bristle = ss_law_has(law, SS_TRAIT_Z);
        if (!bristle && !ss_law_has(law, SS_TRAIT_STOPS)) return false;
    }
    return true;
}

void ss_settle_bristles_allocate(ss_sim* sim)
{
    sim->proof.settle_bristles = NULL;
    if (sim->pool.failed || !is_open_to_proof(sim)) return;
    ss_pool* pool = &sim->pool;
    struct ss_settle_bristles* c = ss_pool_spare(pool, 1, sizeof *c);
    if (!c) return;
    size_t n = (size_t)sim->model->n, j = (size_t)sim->laws.bristle_count,
           m = (size_t)sim->model->contact_count, nd = (size_t)sim->model->drive_count, states = n + j;
    double** reals[] = {&c->q,       &c->state,  &c->rest,  &c->drives, &c->lambda, &c->jacobian,
                        &c->balance, &c->factor, &c->shift, &c->speed,  &c->way,    &c->slip,
                        &c->kappa,   &c->margin, &c->a,     &c->scale};
    size_t sizes[] = {n, states, states, 3 * nd,    m,    states * (n + states), n * n, n * n, n, n, j * n,
                      j, j,      j,      4 * n * n, 2 * n};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        *reals[k] = ss_pool_spare(pool, sizes[k], sizeof(double));
    c->pivots = ss_pool_spare(pool, n, sizeof(int));
    c->spectrum.values = ss_pool_spare(pool, 2 * n, sizeof(double complex));
    c->spectrum.vectors = ss_pool_spare(pool, 4 * n * n, sizeof(double complex));
    c->spectrum.inverse = ss_pool_spare(pool, 4 * n * n, sizeof(double complex));
    double complex** complexes[] = {&c->work,     &c->xi,        &c->gain.p,   &c->gain.next,
                                    &c->gain.own, &c->gain.push, &c->gain.row, &c->gain.pushed};
    size_t lengths[] = {8 * n * n, 4 * n, 4 * n * n, 4 * n * n, 4 * n * n, 2 * n * j, 2 * n * j, 2 * n * j};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        *complexes[k] = ss_pool_spare(pool, lengths[k], sizeof(double complex));
    sim->proof.settle_bristles = c;
}

// ---- the linear system

// The state now: coordinates, speeds, deflections; the acceleration if the speeds were 0.
static void take_state(ss_sim* probe)
{
    struct ss_settle_bristles* c = probe->proof.settle_bristles;
    int n = probe->model->n;
    for (int i = 0; i < n; i++) {
        c->q[i] = ss_poly_both(probe->step.q + i, n, probe->step.order, probe->step.now, &c->speed[i]);
        c->state[i] = 0.0;
    }
    for (int j = 0; j < probe->laws.bristle_count; j++)
        c->state[n + j] = ss_sim_contact(probe, probe->laws.bristles[j].contact).z;
    ss_stiff_drives(probe, probe->step.now, c->drives);
    ss_stiff_rates(probe, &(ss_stiff_point){probe->step.now, c->q, c->state, c->drives}, c->rest, c->lambda);
}

// B, and with its factors the ways B^-1 a (from the balance) and B^-1 a_z (of the balance, per creep).
static bool find_balance(ss_sim* probe)
{
    struct ss_settle_bristles* c = probe->proof.settle_bristles;
    int n = probe->model->n, width = 2 * n + probe->laws.bristle_count;
    double flat[LARGEST + MOST_BRISTLES] = {0.0}; // at v = 0, z = 0
    ss_stiff_jacobian(probe, &(ss_stiff_point){probe->step.now, c->q, flat, c->drives}, c->jacobian);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) c->balance[i * n + k] = c->jacobian[i * width + k];
    for (int j = 0; j < probe->laws.bristle_count; j++) {
        const ss_row* row = &probe->model->contacts[probe->laws.bristles[j].contact].q;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < row->count; k++)
                c->balance[i * n + row->index[k]] += c->jacobian[i * width + 2 * n + j] * row->value[k];
    }
    memcpy(c->factor, c->balance, (size_t)(n * n) * sizeof(double));
    if (!ss_lu_factor(c->factor, n, c->pivots)) return false;
    memcpy(c->shift, c->rest, (size_t)n * sizeof(double));
    ss_lu_solve(c->factor, n, c->pivots, c->shift);
    for (int j = 0; j < probe->laws.bristle_count; j++) {
        for (int i = 0; i < n; i++) c->way[j * n + i] = c->jacobian[i * width + 2 * n + j];
        ss_lu_solve(c->factor, n, c->pivots, c->way + j * n);
    }
    return true;
}

// The modes of A. Where vectors are missing, as at critical damping, A is changed by a few roundings.
static bool find_modes(const ss_sim* sim, double* decay)
{
    struct ss_settle_bristles* c = sim->proof.settle_bristles;
    int n = sim->model->n, size = 2 * n, width = size + sim->laws.bristle_count;
    c->spectrum.condition = INFINITY;
    for (int attempt = 0; attempt < 3 && !(c->spectrum.condition <= worst_condition); attempt++) {
        memset(c->a, 0, (size_t)(size * size) * sizeof(double));
        for (int i = 0; i < n; i++) {
            c->a[i * size + n + i] = 1.0;
            for (int k = 0; k < n; k++) {
                double off = 1.0 + attempt * (1 + (5 * i + 3 * k) % 7) * DBL_EPSILON;
                c->a[(n + i) * size + k] = c->balance[i * n + k] * off;
                c->a[(n + i) * size + n + k] = c->jacobian[i * width + n + k];
            }
        }
        if (!ss_eigen_solve(c->a, size, &c->spectrum, c->work, c->scale)) return false;
    }
    double uncertain = size * rounding * c->spectrum.condition * c->spectrum.norm, slowest = -INFINITY;
    for (int k = 0; k < size; k++) slowest = fmax(slowest, creal(c->spectrum.values[k]));
    *decay = -slowest - uncertain;
    c->gain.uncertain = uncertain;
    return c->spectrum.condition <= worst_condition && *decay > 0.0;
}

// ---- bounds

// xi = V^-1 x, x = (position, speed).
static void to_modes(const struct ss_settle_bristles* c, int n, const double position[], const double speed[],
                     double complex xi[])
{
    for (int k = 0; k < 2 * n; k++) {
        const double complex* row = c->spectrum.inverse + k * 2 * n;
        xi[k] = 0.0;
        for (int i = 0; i < n; i++) xi[k] += row[i] * position[i] + row[n + i] * speed[i];
    }
}

// W^T V: speed along a row, by xi.
static void row_to_modes(const struct ss_settle_bristles* c, int n, const ss_row* row, double complex out[])
{
    for (int k = 0; k < 2 * n; k++) {
        out[k] = 0.0;
        for (int l = 0; l < row->count; l++)
            out[k] += row->value[l] * c->spectrum.vectors[(n + row->index[l]) * 2 * n + k];
    }
}

// Speed along a row, at most, per size of the form.
static double row_size(const struct ss_settle_bristles* c, int n, const ss_row* row)
{
    row_to_modes(c, n, row, c->xi);
    return ss_gain_row(&c->gain, c->xi, c->xi + 2 * n) * (1.0 + slack);
}

static void measure_bristles(const ss_sim* sim)
{
    struct ss_settle_bristles* c = sim->proof.settle_bristles;
    int n = sim->model->n;
    double kick[LARGEST];
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        const ss_contact* contact = &sim->model->contacts[sim->laws.bristles[j].contact];
        double sigma1 = contact->law_row->point.damping(ss_law_of(contact));
        memset(kick, 0, sizeof kick);
        for (int l = 0; l < contact->mobility.count; l++)
            kick[contact->mobility.index[l]] = -sigma1 * contact->mobility.value[l];
        to_modes(c, n, c->way + j * n, kick, c->gain.push + j * 2 * n);
        row_to_modes(c, n, &contact->q, c->gain.row + j * 2 * n);
    }
    c->gain.size = 2 * n;
    c->gain.count = sim->laws.bristle_count;
    c->gain.values = c->spectrum.values;
    c->gain.kappa = c->kappa;
}

// The rate at which the form falls if every z goes no further than its margin, 0 where none is found; *size
// is what it is now, and margins become what that leaves.
static double net_decay(const ss_sim* sim, double decay, double* size)
{
    struct ss_settle_bristles* c = sim->proof.settle_bristles;
    int n = sim->model->n;
    double net;
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        const ss_contact* contact = &sim->model->contacts[sim->laws.bristles[j].contact];
        c->kappa[j] = contact->law_row->point.creep(ss_law_of(contact), fabs(c->state[n + j]) + c->margin[j]);
        if (!isfinite(c->kappa[j])) return 0.0;
    }
    if (!ss_gain_find(&c->gain, decay, &net)) return 0.0;
    to_modes(c, n, c->shift, c->speed, c->xi);
    *size = ss_gain_size(&c->gain, c->xi) * (1.0 + slack);
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        c->slip[j] = row_size(c, n, &sim->model->contacts[sim->laws.bristles[j].contact].q);
        c->margin[j] = (1.0 + c->kappa[j]) * c->slip[j] * *size / net;
    }
    return net;
}

// Margins that the bound itself confirms: twice what the present state tells must come back smaller.
static bool find_net_decay(const ss_sim* sim, double decay, double* size, double* net)
{
    struct ss_settle_bristles* c = sim->proof.settle_bristles;
    double allowed[MOST_BRISTLES];
    for (int j = 0; j < sim->laws.bristle_count; j++) c->margin[j] = 0.0;
    if (net_decay(sim, decay, size) == 0.0) return false;
    for (int j = 0; j < sim->laws.bristle_count; j++) allowed[j] = c->margin[j] *= 2.0;
    *net = net_decay(sim, decay, size);
    for (int j = 0; j < sim->laws.bristle_count; j++)
        if (!(c->margin[j] <= allowed[j])) return false;
    return *net > 0.0;
}

// No stop is met: each is further away than the motion still goes.
static bool stops_stay_open(const ss_sim* sim, double way)
{
    for (int i = 0; i < sim->model->contact_count; i++) {
        const ss_contact* contact = &sim->model->contacts[i];
        if (!ss_is_stop(sim, i) && !ss_is_elastic(sim, i)) continue;
        double moved = 0.0;
        for (int k = sim->step.order; k >= 1; k--)
            moved = (moved + ss_relative_velocity(sim, i, k - 1) / k) * sim->step.now;
        double gap = sim->modes.contacts[i].gap - contact->stop.side * moved;
        if (sim->modes.contacts[i].mode != SS_MODE_OPEN ||
            !(gap > row_size(sim->proof.settle_bristles, sim->model->n, &contact->q) * way))
            return false;
    }
    return true;
}

// What creep can still change of the limit is below notice.
static bool limit_is_known(const ss_sim* sim, double way)
{
    const struct ss_settle_bristles* c = sim->proof.settle_bristles;
    double scale = 0.0;
    for (int b = 0; b < sim->model->body_count; b++)
        scale = fmax(scale, fabs(sim->bodies.out_x[b] - sim->bodies.start_x[b]));
    for (int j = 0; j < sim->laws.bristle_count; j++) scale = fmax(scale, fabs(c->state[sim->model->n + j]));
    for (int i = 0; i < sim->model->n; i++) {
        double unknown = 0.0;
        for (int j = 0; j < sim->laws.bristle_count; j++)
            unknown += fabs(c->way[j * sim->model->n + i]) * c->kappa[j] * c->slip[j] * way;
        if (!(unknown <= known * scale)) return false;
    }
    return true;
}

// Whether the motion from now on provably dies out, and the bound on the integral of its size.
static bool dies_out(const ss_sim* sim, double* way)
{
    struct ss_settle_bristles* c = sim->proof.settle_bristles;
    if (!c || !sim->step.ready || sim->course.ended || !ss_inputs_stay(sim)) return false;
    ss_sim probe = *sim; // the scratch of the stiff steps is used
    double decay, net, size;
    memset(sim->ways.stiff->frozen, 0, (size_t)sim->model->n * sizeof(bool)); // what stands is asked, too
    take_state(&probe);
    if (!find_balance(&probe) || !find_modes(sim, &decay)) return false;
    measure_bristles(sim);
    if (!find_net_decay(sim, decay, &size, &net)) return false;
    *way = size / net;
    return stops_stay_open(sim, *way);
}

bool ss_settle_bristles_proved(const ss_sim* sim, double limit_x[])
{
    struct ss_settle_bristles* c = sim->proof.settle_bristles;
    double way;
    if (!dies_out(sim, &way) || !limit_is_known(sim, way)) return false;
    for (int b = 0; b < sim->model->body_count && limit_x; b++) {
        limit_x[b] = sim->bodies.out_x[b];
        if (sim->model->bodies[b].drive < 0) limit_x[b] -= ss_row_dot(&sim->model->bodies[b].row, c->shift);
    }
    return true;
}

// ---- the end of a motion, as far as numbers tell

// m: the way gone, and the deflections.
static double size_of_motion(const ss_sim* sim)
{
    double scale = 0.0;
    for (int b = 0; b < sim->model->body_count; b++)
        scale = fmax(scale, fabs(ss_row_dot(&sim->model->bodies[b].row, sim->step.q) + sim->bodies.offset[b] -
                                 sim->bodies.start_x[b]));
    for (int j = 0; j < sim->laws.bristle_count; j++)
        scale = fmax(scale, fabs(sim->laws.bristles[j].along.z[0]));
    return scale;
}

// It is asked after an event, at ever more of them, and where speeds and accelerations are small already.
static bool is_time_to_ask(ss_sim* sim, double scale)
{
    ss_proof* proof = &sim->proof;
    int n = sim->model->n;
    if (!ss_ends_in_event(sim) || ++proof->swings < proof->ask_at) return false;
    double rate = sim->pace.rate + ss_bristle_rate(sim);
    for (int i = 0; i < n; i++) {
        double speed = fabs(sim->step.q[n + i]) + 2.0 * fabs(sim->step.q[2 * n + i]) / rate;
        if (!(speed <= SS_CLEAR * scale * rate)) return false;
    }
    proof->ask_at = proof->swings + 1 + proof->swings / 8;
    return true;
}

bool ss_settle_bristles_stand(ss_sim* sim)
{
    const struct ss_settle_bristles* c = sim->proof.settle_bristles;
    int n = sim->model->n;
    double scale = size_of_motion(sim), way;
    if (sim->variation || sim->modes.active_count > 0 || !is_time_to_ask(sim, scale) || !dies_out(sim, &way))
        return false;
    for (int i = 0; i < n; i++) {
        ss_row unit = {.count = 1, .index = &i, .value = (double[]){1.0}};
        if (!(row_size(c, n, &unit) * way <= SS_RELATIVE_ZERO * scale)) return false;
    }
    ss_bristle_stand(sim);
    return true;
}
