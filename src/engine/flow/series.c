// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Flow: the power series of the motion in one mode. With a_k the coefficients of q'',
//
//     a_k = M^-1 (f_k - (k+1) C q_{k+1} - K q_k - cubic_k + sum W_i lambda_i,k),   q_{k+2} = a_k/((k+1)(k+2))
//
// What pulls (everything but the forces of contacts that hold) stands in pulls.c, what holds against it in
// balance.c, and how far the series go in step_bound.c.
#include "engine/flow/bristle_run.h"
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/flow/stiff.h"
#include "engine/way/way.h"

#include <math.h>

// Whether nothing but springs, dampers and bristles changes the accelerations at orders above 1.
static bool is_plain(const ss_sim* sim)
{
    int nd = sim->model->drive_count;
    if (sim->step.laws.bristle_count == 0 || sim->model->open || sim->step.laws.elastic_count > 0 ||
        sim->pulls.has_cubic || sim->inputs.varying_count > 0 || sim->modes.active_count > 0 ||
        sim->modes.active_slips > 0)
        return false;
    for (int k = 2 * nd; k < (sim->step.order + 1) * nd; k++)
        if (sim->step.d[k] != 0.0) return false;
    return true;
}

// Order by order; of one mass on one contact a law may know all orders from 2 on.
static void run_series(ss_sim* sim, int from)
{
    int k = from;
    for (; k <= 1 && k <= sim->step.order - 2; k++) ss_accelerate(sim, k);
    if (is_plain(sim) && ss_bristle_run_alone(sim->model, &sim->step, &sim->modes, k)) return;
    for (; k <= sim->step.order - 2; k++) ss_accelerate(sim, k);
}

// Next to a touch, to v = 0 on a curve of fractional shape and to Dahl's full sliding coefficients may grow
// beyond all numbers: then the series is as long as they are good for.
static void drop_overflow(const ss_model* model, ss_step* step, const ss_open_run* open_run,
                          const ss_modes* modes)
{
    const double huge_number = 1e250;
    int n = model->n, m = model->contact_count;
    while (step->order > 4) {
        double size = 0.0;
        for (int i = 0; i < n; i++) size += fabs(step->q[step->order * n + i]);
        for (int j = 0; j < open_run->states; j++)
            size += fabs(step->s[(step->order - 1) * open_run->states + j]);
        for (int e = 0; e < step->laws.elastic_count; e++)
            size += fabs(step->lambda[(step->order - 2) * m + step->laws.elastic[e].contact]);
        for (int i = 0; i < m; i++)
            if (step->laws.curved_at[i] >= 0 && ss_slips(modes, i))
                size += fabs(step->lambda[(step->order - 2) * m + i]);
        for (int j = 0; j < step->laws.bristle_count; j++)
            size += fabs(step->laws.bristles[j].along.z[step->order - 1]);
        if (size < huge_number) return;
        step->order--;
    }
}

// A coefficient that is no number makes all that follow it none.
bool ss_series_is_finite(const ss_model* model, const ss_step* step, const ss_open_run* open_run)
{
    double size = 0.0;
    int n = model->n;
    for (int i = 0; i < n; i++) size += fabs(step->q[step->order * n + i]);
    for (int j = 0; j < open_run->states; j++)
        size += fabs(step->s[(step->order - 1) * open_run->states + j]);
    return isfinite(size);
}

// A body that swings in its bristles: where some more orders carry the step to the reversal that is due, they
// cost less than a second step. The order that did is where the next swing begins.
static void extend_to_reversal(ss_sim* sim, double longest)
{
    enum { MORE = 4, HIGHEST = 30 };
    const double shortest = 1e-8; // beyond, high powers of 1/s may overflow
    double due = fmin(1.02 * sim->control.swing - (sim->step.t - sim->control.last_event), longest);
    bool whole = sim->step.t == sim->control.last_event; // a swing from its start on
    while (sim->step.length < due && due < 2.5 * sim->step.length && sim->step.order + MORE <= HIGHEST &&
           sim->step.length > shortest) {
        int from = sim->step.order - 1;
        sim->step.order += MORE;
        run_series(sim, from);
        sim->step.length = fmax(ss_series_step_bound(sim, longest), sim->step.length);
    }
    sim->control.swing_order = 0;
    if (!whole || sim->step.length < due || sim->step.length > 2.5 * due)
        return; // not of the kind meant here
    sim->control.swing_order = sim->step.length > 1.1 * due ? sim->step.order - 1 : sim->step.order;
    sim->step.length = fmin(sim->step.length, 1.05 * due);
}

// How far the series at hand reach, with more orders where a swing in the bristles ends soon behind them.
static void measure_series(ss_sim* sim)
{
    bool swings = sim->ways.stiff && sim->step.laws.bristle_count > 0 && sim->model->nature.steady &&
                  sim->model->drive_count == 0;
    int order = sim->step.order;
    if (!sim->model->nature.linear) drop_overflow(sim->model, &sim->step, &sim->open, &sim->modes);
    double longest = sim->step.length;
    if (sim->open.programs && ss_open_freeze_singular(sim, longest)) {
        sim->step.order = order;
        run_series(sim, 0);
        drop_overflow(sim->model, &sim->step, &sim->open, &sim->modes);
    }
    sim->step.length = ss_series_step_bound(sim, longest);
    if (swings) extend_to_reversal(sim, longest);
    if (sim->step.laws.bristle_count > 0) ss_bristle_update_series(sim, sim->step.order - 1);
    if (!sim->model->nature.linear)
        ss_slips_update_series(sim->model, &sim->step, &sim->modes, sim->step.order - 1);
    if (sim->ways.stiff) ss_stiff_learn(sim);
}

// Series in the parameter of a clock, beside a touch where those in time would be short.
static bool flow_by_clock(ss_sim* sim, int from)
{
    (void)from; // orders in time do not help
    if (!sim->step.clock.allowed || !ss_clock_choose(sim)) return false;
    ss_clock_flow(sim);
    measure_series(sim);
    return true;
}

// Series in time. Which elastic stops are quiet is known only after the length has been chosen, so that their
// forces begin anew at order 0.
static bool flow_by_series(ss_sim* sim, int from)
{
    run_series(sim, sim->step.laws.elastic_count > 0 ? 0 : from);
    measure_series(sim);
    return true;
}

const ss_way ss_way_stop_clock = {.name = "taylor by a stop's clock", .clocked = true, .make = flow_by_clock};
const ss_way ss_way_series = {.name = "taylor", .make = flow_by_series};
