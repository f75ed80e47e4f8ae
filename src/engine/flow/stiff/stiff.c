// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Stiff steps: when they are taken, and how long they are. Unknown are the derivatives X_i = (v', z') at the
// nodes of a step of length h:
//
//     X_i = f(t + c_i h, q_i, v_i, z_i),   (v, z)_i = (v, z)_0 + h sum_j a_ij X_j,
//     q_i = q_0 + c_i h v_0 + h^2 sum_j (a^2)_ij v'_j,
//
// solved by Newton's method with the analytic Jacobian at every node (stiff_newton.c); their polynomials are
// the step (stiff_series.c). The error within the step, not only at
// its end, is held to the tolerance, because states and events are taken from anywhere in it.
#include "engine/flow/stiff.h"
#include "engine/field/field.h"
#include "engine/flow/contact.h"
#include "engine/flow/input_series.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/way/way.h"

#include "core/algebra/lu.h"
#include "core/algebra/polynomial.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    S = SS_STAGES,
    LARGEST = 64,        // states with a full matrix
    LARGEST_SMOOTH = 16, // the same without bristles and elastic stops: series are cheap there
    LARGEST_BANDED = 512,
    LARGEST_OPEN = 24,
    PATIENCE = 1,
    SMOOTH_PATIENCE = 3, // a body that swings is slow for a moment, not for three steps
    MOST_REFUSALS = 8
};
static const double growth = 12.0;  // power of h with which estimated errors grow, between 8 and 20 as seen
static const double telling = 1e-6; // errors below it, over the tolerance, may be chance or rounding
static const double series_reach = 3.0; // rate times the usual length of a step by series
static const double worthwhile = 4.0;   // steps by series that one by collocation must replace

static bool has_many(const ss_model* model, int i)
{
    return ss_law_has(model->contacts[i].law, SS_TRAIT_MANY);
}

void ss_stiff_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    int n = model->n, open = n + sim->step.laws.bristle_count, states = open + sim->open.states,
        all = S * states;
    sim->ways.stiff = NULL;
    if (sim->turning) return; // its equations know no rows that turn
    if (model->open && !ss_open_may_be_stiff(sim->model, &sim->open)) return;
    bool smooth = sim->step.laws.elastic_count == 0 && sim->step.laws.bristle_count == 0;
    bool plain = smooth && model->nature.piecewise_linear && !ss_is_stiff_linear(model);
    if (plain || states > (model->open ? LARGEST_OPEN : LARGEST_BANDED) || n == 0) return;
    ss_stiff* stiff = ss_pool_new(&sim->pool, 1, sizeof *stiff);
    if (!stiff) return;
    stiff->newton.place = ss_pool_new(&sim->pool, (size_t)states, sizeof(int));
    stiff->newton.state_at = ss_pool_new(&sim->pool, (size_t)states, sizeof(int));
    if (sim->pool.failed) return;
    int band = model->open ? all : ss_stiff_order(sim->model, &sim->step, stiff->newton.place);
    for (int k = 0; k < states; k++) {
        if (model->open) stiff->newton.place[k] = k;
        stiff->newton.state_at[stiff->newton.place[k]] = k;
    }
    if (5 * band < 2 * all) stiff->newton.band = band; // 2 band^2 < all^2/3: it pays
    if (stiff->newton.band == 0 && states > (smooth ? LARGEST_SMOOTH : LARGEST)) return;
    size_t width = (size_t)(n + states), count = (size_t)all, d = sizeof(double);
    ss_collocation_make(&stiff->method);
    stiff->states = states;
    stiff->open = open;
    if (model->open) ss_open_stiff_allocate(sim);
    stiff->newton.derivative = ss_pool_new(&sim->pool, count, d);
    stiff->newton.slope = ss_pool_new(&sim->pool, count, d);
    stiff->newton.residual = ss_pool_spare(&sim->pool, count, d);
    stiff->newton.matrix = ss_pool_spare(
        &sim->pool, count * (stiff->newton.band > 0 ? 3 * (size_t)stiff->newton.band + 1 : count), d);
    stiff->newton.sorted = ss_pool_spare(&sim->pool, count, d);
    stiff->newton.pivots = ss_pool_spare(&sim->pool, count, sizeof(int));
    stiff->q = ss_pool_new(&sim->pool, S * (size_t)n, d);
    stiff->state = ss_pool_new(&sim->pool, count, d);
    stiff->start = ss_pool_new(&sim->pool, (size_t)states, d);
    stiff->size = ss_pool_new(&sim->pool, (size_t)states, d);
    stiff->noise = ss_pool_new(&sim->pool, (size_t)n, d);
    stiff->speed = ss_pool_new(&sim->pool, (size_t)n, d);
    stiff->jitter = ss_pool_new(&sim->pool, (size_t)n, d);
    stiff->fine = ss_pool_new(&sim->pool, (size_t)n, sizeof(bool));
    stiff->frozen = ss_pool_new(&sim->pool, (size_t)n, sizeof(bool));
    stiff->lambda = ss_pool_new(&sim->pool, S * (size_t)model->contact_count, d);
    stiff->forces = ss_pool_new(&sim->pool, S * (size_t)model->contact_count, d);
    stiff->jacobian = ss_pool_spare(&sim->pool, (size_t)states * width, d);
    stiff->slopes.cubic = ss_pool_spare(&sim->pool, (size_t)model->connection_count, d);
    stiff->slopes.law = ss_pool_spare(&sim->pool, (size_t)model->contact_count, sizeof(ss_response));
    if (model->open) stiff->slopes.slope = ss_pool_spare(&sim->pool, (size_t)model->actions->slopes.count, d);
    stiff->given_size = (int)ss_given_size(sim->model, &sim->inputs, &sim->open);
    stiff->given = ss_pool_new(&sim->pool, (S + 1) * (size_t)stiff->given_size, d);
    sim->ways.stiff = stiff;
}

void ss_stiff_restart(ss_stiff* stiff)
{
    if (!stiff) return;
    stiff->pace.active = stiff->pace.known = false;
    stiff->pace.patience = PATIENCE;
    stiff->pace.refused = 0;
}

// Relative acceleration of contact i where the bodies have the accelerations `rates`.
static double relative_rate(const ss_model* model, const ss_step* step, int i, const double rates[])
{
    const ss_contact* contact = &model->contacts[i];
    double a = ss_row_dot(&contact->q, rates);
    for (int k = 0; k < contact->d.count; k++)
        a += 2.0 * contact->d.value[k] * step->d[2 * model->drive_count + contact->d.index[k]];
    return a;
}

// Time in which the first contact would reverse as it decelerates now, or the first stop open: formulas end
// there.
static double time_to_reversal(const ss_sim* sim, const double rates[])
{
    double time = INFINITY;
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        int i = sim->step.laws.bristles[j].contact;
        if (sim->step.laws.bristles[j].still) continue;
        double v = ss_relative_velocity(sim->model, &sim->step, i, 0),
               a = relative_rate(sim->model, &sim->step, i, rates);
        // What balances to rounding does not tell where the speed goes: a contact that creeps follows its
        // load.
        bool tells = fabs(a) > SS_NOISE * ss_acceleration_size(sim, i, 0);
        if (a * v < 0.0 && tells) time = fmin(time, -v / a);
    }
    for (int e = 0; e < sim->step.laws.elastic_count; e++) {
        int i = sim->step.laws.elastic[e].contact;
        double gap = sim->modes.contacts[i].gap,
               rate = sim->model->contacts[i].stop.side * ss_relative_velocity(sim->model, &sim->step, i, 0);
        if (sim->modes.contacts[i].mode == SS_MODE_CLOSED && rate < 0.0) time = fmin(time, gap / rate);
    }
    for (int i = 0; i < sim->model->contact_count; i++) {
        if (sim->step.laws.curved_at[i] < 0 || !ss_slips(&sim->modes, i)) continue;
        double v = ss_relative_velocity(sim->model, &sim->step, i, 0),
               a = relative_rate(sim->model, &sim->step, i, rates);
        if (a * v < 0.0) time = fmin(time, -v / a);
    }
    return time;
}

static void refuse(ss_stiff* stiff)
{
    stiff->pace.active = stiff->pace.known = false;
    if (stiff->pace.refused < MOST_REFUSALS) stiff->pace.refused++;
    stiff->pace.patience = PATIENCE << stiff->pace.refused;
}

static bool may_apply(ss_sim* sim)
{
    if (!sim->ways.stiff || !(sim->ways.stiff->pace.active || sim->ways.stiff->pace.patience <= 0))
        return false;
    if (sim->model->open && !ss_open_stiff_may_apply(&sim->open)) return false;
    for (int i = 0; i < sim->model->contact_count; i++)
        if (sim->modes.contacts[i].lead > 0) return false;
    for (int e = 0; e < sim->step.laws.elastic_count; e++)
        if (sim->step.laws.elastic[e].quiet || sim->step.laws.elastic[e].edge_lead[0] > 0 ||
            sim->step.laws.elastic[e].edge_lead[1] > 0)
            return false;
    return ss_stiff_freeze(sim);
}

// The first node at which formulas have ended; SS_STAGES if none is.
static int first_stray(const ss_sim* sim, double h)
{
    for (int i = 0; i < S; i++) {
        ss_field_point at = ss_stiff_at(sim->model, &sim->step, &sim->open, &sim->ways, i, h);
        if (ss_stiff_strays(sim->model, sim->field, &sim->step, &sim->modes, &at)) return i;
    }
    return S;
}

// What expressions give at the nodes and at the start.
static void look_at_nodes(const ss_sim* sim, double h)
{
    for (int i = 0; i <= S; i++) {
        ss_field_point at = ss_stiff_at(sim->model, &sim->step, &sim->open, &sim->ways, i, h);
        ss_open_stiff_node(sim->model, sim->field, &sim->open, i, &at);
    }
}

// Whether no expression comes near to a place where it is not smooth: polynomials do not tell of those.
static bool stays_clear(const ss_sim* sim, double h)
{
    ss_field_point at = ss_stiff_at(sim->model, &sim->step, &sim->open, &sim->ways, S, h);
    bool clear = ss_open_stiff_stays_clear(sim->model, sim->field, &sim->open, &at, true);
    for (int i = 0; i < S && clear; i++) {
        at = ss_stiff_at(sim->model, &sim->step, &sim->open, &sim->ways, i, h);
        clear = ss_open_stiff_stays_clear(sim->model, sim->field, &sim->open, &at, false);
    }
    return clear;
}

// Whether the attempt at a step of length h is good; otherwise by which factor to change h. The factor for
// the next step is left there, too.
static bool attempt(ss_sim* sim, double h, double tolerance, double* factor)
{
    ss_stiff* stiff = sim->ways.stiff;
    ss_stiff_guess(sim, h);
    *factor = 0.25;
    if (!ss_stiff_solve(sim, h, tolerance)) return false;
    int stray = first_stray(sim, h);
    if (stray < S) {
        *factor = stray > 0 ? fmax(stiff->method.node[stray - 1], 0.2) : 0.2;
        return false;
    }
    if (sim->model->open && !stays_clear(sim, h)) return false;
    if (sim->model->open) look_at_nodes(sim, h);
    double error = ss_stiff_error(sim, h, tolerance);
    *factor = error > 0.0 ? 0.8 * pow(error, -1.0 / growth) : 8.0;
    bool good = error <= 1.0;
    // Whatever made this step harder than the last goes on.
    if (good && stiff->pace.known && error > 0.0 && stiff->pace.error > 0.0)
        *factor *=
            fmin(h / stiff->pace.last * pow(fmax(stiff->pace.error, telling) / error, 1.0 / growth), 1.0);
    *factor = fmax(fmin(*factor, 8.0), 0.2);
    if (good) stiff->pace.error = error;
    return good;
}

// Laws with many states decide which of them slip where a step begins, and have one state for all that do.
static void sort_states(ss_sim* sim)
{
    for (int j = 0; j < sim->step.laws.bristle_count; j++)
        if (has_many(sim->model, sim->step.laws.bristles[j].contact))
            ss_bristle_redo_series(sim, &sim->step.laws.bristles[j], 0);
}

// How much of a step the event functions of such laws reach, which are series made of the speed.
static double events_reach(const ss_model* model, const ss_step* step, const ss_law_series* laws, double h)
{
    double least = 64.0 * DBL_EPSILON * fabs(step->t);
    for (int j = 0; j < laws->bristle_count; j++) {
        const ss_bristle* b = &laws->bristles[j];
        const ss_contact* contact = &model->contacts[b->contact];
        if (has_many(model, b->contact) && !b->still && contact->law_entry->series.step_bound)
            h = contact->law_entry->series.step_bound(ss_law_of(contact), &b->along, step->order - 1, least,
                                                      h);
    }
    return h;
}

static void accept(ss_sim* sim, double h, double factor)
{
    ss_stiff* stiff = sim->ways.stiff;
    memcpy(stiff->newton.derivative, stiff->newton.matrix, (size_t)(S * stiff->states) * sizeof(double));
    ss_stiff_write(sim, h);
    double reached = sim->step.length = events_reach(sim->model, &sim->step, &sim->step.laws, h);
    stiff->pace.active = true;
    stiff->pace.known = reached == h;
    stiff->pace.refused = 0;
    stiff->pace.last = h;
    stiff->pace.next = stiff->pace.known ? h * factor : 1.5 * reached;
    stiff->pace.end = sim->step.t + h;
}

// The number of steps grows like tolerance^(-1/8); what each may err is reduced by as much, so that the error
// of the whole is proportional to the tolerance.
static double tolerance_of_step(const ss_model* model, const ss_step_control* pace)
{
    const double loose = 1e-5;
    if (model->nature.linear) return SS_NOISE; // closed form elsewhere
    if (model->nature.piecewise_linear) return SS_RELATIVE_ZERO;
    double share = fmin(pow(pace->tolerance / loose, 1.0 / S), 1.0);
    return fmax(pace->tolerance * share, SS_NOISE);
}

// Contacts that slip reverse and stick where their speed is 0, however small it was before: to rounding.
static void find_fine(const ss_sim* sim)
{
    ss_stiff* stiff = sim->ways.stiff;
    for (int c = 0; c < sim->model->n; c++) stiff->noise[c] = DBL_EPSILON * ss_pull_size(sim, c, 0);
    ss_stiff_place_noise(sim->model, sim->field, &sim->step, stiff->noise);
    memset(stiff->fine, 0, (size_t)sim->model->n * sizeof(bool));
    for (int i = 0; i < sim->model->contact_count; i++) {
        const ss_row* row = &sim->model->contacts[i].q;
        for (int k = 0; k < row->count && ss_slips(&sim->modes, i); k++) stiff->fine[row->index[k]] = true;
    }
}

// Forces of contacts follow differences of speeds, which round like the speeds themselves; those of drives by
// what they change in a rounding of the time, too.
static void find_speeds(const ss_model* model, const ss_step* step, const ss_modes* modes,
                        const ss_ways* ways)
{
    ss_stiff* stiff = ways->stiff;
    for (int c = 0; c < model->n; c++) stiff->speed[c] = fabs(stiff->start[c]);
    for (int i = 0; i < model->contact_count; i++) {
        if (!ss_slips(modes, i) && modes->contacts[i].mode != SS_MODE_CLOSED) continue;
        const ss_row* row = &model->contacts[i].q;
        const ss_row* drives = &model->contacts[i].d;
        const double* bend = step->d + 2 * (size_t)model->drive_count;
        double terms = ss_relative_velocity_terms(model, step, i, 0);
        for (int k = 0; k < drives->count; k++)
            terms += 0.5 * fabs(step->t * drives->value[k] * bend[drives->index[k]]);
        for (int k = 0; k < row->count; k++)
            stiff->speed[row->index[k]] = fmax(stiff->speed[row->index[k]], terms / fabs(row->value[k]));
    }
}

// Takes the step where the model has something stiff and the step before said so. It chooses the length
// itself.
static bool make_step(ss_sim* sim, int order)
{
    (void)order; // its polynomial begins with the state alone
    ss_stiff* stiff = sim->ways.stiff;
    if (!may_apply(sim)) return false;
    int n = sim->model->n;
    memcpy(stiff->start, sim->step.q + n, (size_t)n * sizeof(double));
    sort_states(sim);
    for (int j = 0; j < sim->step.laws.bristle_count; j++)
        stiff->start[n + j] = sim->step.laws.bristles[j].along.z[0];
    for (int j = 0; j < sim->open.states; j++) stiff->start[stiff->open + j] = sim->step.s[j];
    stiff->pace.known = stiff->pace.known && stiff->pace.end == sim->step.t;
    double tolerance = tolerance_of_step(sim->model, &sim->control),
           shortest = worthwhile * series_reach / ss_stiff_rate(sim);
    find_fine(sim);
    find_speeds(sim->model, &sim->step, &sim->modes, &sim->ways);
    // Laws with several formulas choose theirs where the step begins.
    for (int i = 0; i < sim->model->contact_count; i++)
        if (sim->step.laws.curved_at[i] >= 0 && ss_slips(&sim->modes, i)) (void)ss_slip_force(sim, i, 0);
    ss_stiff_rates_at_start(sim);
    double h = fmin(stiff->pace.active ? stiff->pace.next : 0.5 * stiff->pace.slow,
                    0.9 * time_to_reversal(sim, stiff->newton.slope));
    h = ss_input_step_bound(sim, fmin(h, sim->inputs.next_break - sim->step.t));
    for (int round = 0; round < 5 && h > shortest; round++) {
        double factor;
        if (attempt(sim, h, tolerance, &factor)) {
            accept(sim, h, factor);
            return true;
        }
        h *= factor;
    }
    refuse(stiff);
    return false;
}

const ss_way ss_way_collocation = {.name = "radau", .make = make_step};

// Time in which the first of the bodies changes its speed. What the forces on a body that creeps leave of
// each other is an acceleration only where it is more than their rounding.
static double time_of_bodies(const ss_model* model, const ss_step* step, const ss_pulls* pulls)
{
    const ss_operator* op = &model->matrices.flow;
    int n = model->n;
    const double *v = step->q + n, *half = step->q + 2 * n;
    double time = INFINITY;
    for (int i = 0; i < n; i++) {
        double a = 2.0 * fabs(half[i]), terms = fabs(pulls->constant[i]);
        if (!(fabs(v[i]) < time * a)) continue;
        for (int l = op->start[i]; l < op->start[i + 1]; l++)
            terms += fabs(op->stiffness[l] * step->q[op->index[l]]) + fabs(op->damping[l] * v[op->index[l]]);
        if (a > SS_FAINT * terms) time = fabs(v[i]) / a;
    }
    return time;
}

// Time in which the first of the states changes, those aside whose rates are nothing but rounding.
static double time_of_states(const ss_sim* sim)
{
    const double *s = sim->step.s, *rate = s + sim->open.states;
    double time = INFINITY;
    for (int j = 0; j < sim->open.states; j++)
        if (fabs(rate[j]) > SS_FAINT * ss_open_rate_size(sim, j) && fabs(s[j]) < time * fabs(rate[j]))
            time = fabs(s[j] / rate[j]);
    return time;
}

void ss_stiff_learn(ss_sim* sim)
{
    ss_stiff* stiff = sim->ways.stiff;
    bool smooth = sim->step.laws.bristle_count == 0;
    double slow = smooth ? time_of_bodies(sim->model, &sim->step, &sim->pulls) : INFINITY;
    slow = fmin(slow, time_of_states(sim));
    stiff->pace.known = stiff->pace.active = false;
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        const ss_bristle* b = &sim->step.laws.bristles[j];
        if (b->still) continue;
        double v = fabs(ss_relative_velocity(sim->model, &sim->step, b->contact, 0)),
               a = fabs(ss_relative_velocity(sim->model, &sim->step, b->contact, 1));
        if (v < slow * a) slow = v / a;
        const double* z = b->along.z; // of Maxwell-slip it is scratch
        bool has_state = !ss_law_has(sim->model->contacts[b->contact].law, SS_TRAIT_STEPWISE);
        if (has_state && fabs(z[0]) < slow * fabs(z[1])) slow = fabs(z[0] / z[1]);
    }
    for (int e = 0; e < sim->step.laws.elastic_count; e++) {
        const ss_elastic* stop = &sim->step.laws.elastic[e];
        if (sim->modes.contacts[stop->contact].mode != SS_MODE_CLOSED) continue;
        if (fabs(stop->p[0]) < slow * fabs(stop->rate[0])) slow = fabs(stop->p[0] / stop->rate[0]);
        bool changes = fabs(stop->rate[1]) > SS_FAINT * ss_acceleration_size(sim, stop->contact, 0);
        if (changes && fabs(stop->rate[0]) < slow * fabs(stop->rate[1]))
            slow = fabs(stop->rate[0] / stop->rate[1]);
    }
    stiff->pace.slow = fmin(slow, 1e3 * sim->step.length);
    if (slow * ss_stiff_rate(sim) > 4.0 * worthwhile * series_reach)
        stiff->pace.patience--;
    else if (smooth && stiff->pace.patience < SMOOTH_PATIENCE)
        stiff->pace.patience = SMOOTH_PATIENCE;
}
