// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A clock of its own for a step in contact with an elastic stop whose exponent is a half: 3/2 (Hertz) or 5/2.
//
// As a function of time such a motion is not analytic where the stop is touched, and series about times near
// it are short. With y = sqrt(p) and the step's parameter s running as dt = y ds, everything is:
//     dy/ds = p'/2,   dt/ds = y,   dq/ds = y q',   dq'/ds = y q''(q, q', y^2n),
// because p^n = y^2n is a product of series. The motion runs through the touch in this parameter, where y
// changes its sign: separation is the simple zero of y. So a whole contact takes two or three steps.
//
// Inputs must not depend on time while the clock runs, drives must run evenly: what is a polynomial in t
// would have to be composed with t(s).
#include "core/algebra/polynomial.h"
#include "core/tolerance.h"
#include "engine/flow/elastic.h"
#include "engine/flow/motion_series.h"
#include "share/quantity.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

void ss_clock_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    size_t n = (size_t)model->n;
    sim->step.clock.allowed = false;
    for (int e = 0; e < sim->step.laws.elastic_count && !sim->pool.failed; e++)
        if (ss_clock_applies(sim, &sim->step.laws.elastic[e])) sim->step.clock.allowed = true;
    for (int i = 0; i < model->contact_count; i++)
        if (model->contacts[i].varies) sim->step.clock.allowed = false;
    for (int f = 0; f < model->force_count; f++)
        if (!ss_signal_is_constant(model->forces[f].signal)) sim->step.clock.allowed = false;
    // The states of bristles, and those of open models, are integrated in time.
    if (sim->step.laws.bristle_count > 0 || model->open) sim->step.clock.allowed = false;
    if (!sim->step.clock.allowed) return;
    sim->step.clock.speed = ss_pool_new(&sim->pool, WIDTH * n, sizeof(double));
    sim->step.clock.change = ss_pool_new(&sim->pool, WIDTH * n, sizeof(double));
    sim->step.clock.drive_speed = ss_pool_new(&sim->pool, (size_t)model->drive_count, sizeof(double));
}

bool ss_clock_applies(const ss_sim* sim, const ss_elastic* stop)
{
    double exponent = stop->form.exponent;
    (void)sim;
    return exponent == 1.5 || exponent == 2.5;
}

static bool drives_run_evenly(const ss_model* model, const ss_step* step, const ss_inputs* inputs)
{
    int nd = model->drive_count;
    if (inputs->kink_count > 0) return false;
    for (int k = 2 * nd; k <= step->order * nd; k++)
        if (step->d[k] != 0.0) return false;
    return true;
}

// Whether stop e is touched without speed, and nothing known so far moves it. What it does next may hang on
// the force of another stop that is just being touched, of which no derivative in time tells anything.
static bool is_undecided(const ss_modes* modes, const ss_elastic* stop)
{
    const ss_contact_run* run = &modes->contacts[stop->contact];
    return run->mode == SS_MODE_OPEN && run->gap == 0.0 && run->lead == 0;
}

// The stop that needs the clock most: the one nearest to its touch, in time. NULL where none does, or where
// two touch at once, or one is touched without speed: the parameter would never get away from there. Nor is
// there a clock at a touch while another stop is undecided: after a short step in time, without any force,
// its derivatives decide.
static ss_elastic* find_stop(const ss_sim* sim)
{
    ss_elastic* found = NULL;
    double nearest = INFINITY;
    bool undecided = false;
    for (int e = 0; e < sim->step.laws.elastic_count; e++) {
        ss_elastic* stop = &sim->step.laws.elastic[e];
        const ss_contact_run* run = &sim->modes.contacts[stop->contact];
        if (is_undecided(&sim->modes, stop)) undecided = true;
        if (run->mode != SS_MODE_CLOSED || stop->calm || !ss_clock_applies(sim, stop)) continue;
        if (run->gap == 0.0 && (run->lead != 1 || nearest == 0.0)) return NULL;
        double away = -run->gap / fabs(ss_relative_velocity(sim->model, &sim->step, stop->contact, 0));
        if (found && !(away < nearest)) continue;
        found = stop;
        nearest = away;
    }
    return undecided && nearest == 0.0 ? NULL : found;
}

bool ss_clock_choose(ss_sim* sim)
{
    sim->step.clock.stop = sim->step.clock.allowed && drives_run_evenly(sim->model, &sim->step, &sim->inputs)
                               ? find_stop(sim)
                               : NULL;
    if (!sim->step.clock.stop) return false;
    const ss_contact_run* run = &sim->modes.contacts[sim->step.clock.stop->contact];
    int n = sim->model->n, nd = sim->model->drive_count;
    memcpy(sim->step.clock.speed, sim->step.q + n, (size_t)n * sizeof(double));
    if (nd > 0) memcpy(sim->step.clock.drive_speed, sim->step.d + nd, (size_t)nd * sizeof(double));
    sim->step.clock.stop->quiet = false;
    sim->step.clock.pace[0] = sqrt(-run->gap);
    sim->step.clock.elapsed[0] = 0.0;
    return true;
}

// Coefficient k of dt/ds times another series, of all coordinates.
static void at_pace(const ss_model* model, const ss_step_clock* clock, const double series[], int k,
                    double out[])
{
    int n = model->n;
    double scale = 1.0 / (k + 1);
    if (n == 1) {
        out[0] = scale * ss_product(clock->pace, series, k);
        return;
    }
    for (int i = 0; i < n; i++) out[i] = 0.0;
    for (int j = 0; j <= k; j++)
        for (int i = 0; i < n; i++) out[i] += clock->pace[k - j] * series[j * n + i];
    for (int i = 0; i < n; i++) out[i] *= scale;
}

// The parameter that belongs to a time to be tried, by the first two terms of t(s).
static double parameter_to_try(const ss_step* step, const ss_step_clock* clock, double time)
{
    double e1 = fabs(clock->elapsed[1]), e2 = fabs(clock->elapsed[2]), longest = exp2(960.0 / step->order);
    return fmin(longest, fmin(time / e1, sqrt(time / e2))); // infinite where a term is 0
}

void ss_clock_flow(ss_sim* sim)
{
    const ss_model* model = sim->model;
    int n = model->n, nd = model->drive_count;
    for (int k = 0; k < sim->step.order; k++) {
        sim->step.clock.elapsed[k + 1] = sim->step.clock.pace[k] / (k + 1);
        for (int j = 0; j < nd; j++)
            sim->step.d[(k + 1) * nd + j] = sim->step.clock.drive_speed[j] * sim->step.clock.elapsed[k + 1];
        ss_balance(sim, k);
        memcpy(sim->step.clock.change + (size_t)(k * n), sim->pulls.accel, (size_t)n * sizeof(double));
        at_pace(sim->model, &sim->step.clock, sim->step.clock.speed, k, sim->step.q + (size_t)((k + 1) * n));
        at_pace(sim->model, &sim->step.clock, sim->step.clock.change, k,
                sim->step.clock.speed + (size_t)((k + 1) * n));
        if (sim->modes.active_count > 0) {
            ss_constrain_order(sim->model, &sim->step, &sim->modes, k + 1);
            ss_constrain_speed(sim->model, &sim->step, &sim->modes, k + 1);
        }
        sim->step.clock.pace[k + 1] = 0.5 * sim->step.clock.stop->rate[k] / (k + 1);
    }
    sim->step.length = parameter_to_try(&sim->step, &sim->step.clock, sim->step.length);
}

void ss_clock_end(ss_step* step) { step->clock.stop = NULL; }

double ss_elapsed(const ss_step* step, double s)
{
    return step->clock.stop ? ss_poly_value(step->clock.elapsed, 1, step->order, s) : s;
}

// The time grows with s up to the end of the step: Newton's method, kept within its bracket, until the time
// is met to the last bits that a sum of so many terms has.
double ss_parameter_at(const ss_step* step, const ss_step_clock* clock, double time)
{
    if (!clock->stop) return time;
    double low = 0.0, high = step->length, s = 0.5 * high, pace;
    if (time <= 0.0) return 0.0;
    for (int round = 0; round < 100; round++) {
        double error = ss_poly_both(clock->elapsed, 1, step->order, s, &pace) - time;
        if (fabs(error) <= 2.0 * DBL_EPSILON * time) return s;
        *(error > 0.0 ? &high : &low) = s;
        double next = s - error / pace;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - s) <= SS_LAST_BIT * step->length) return next;
        s = next;
    }
    return s;
}
