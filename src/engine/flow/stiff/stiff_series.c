// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The polynomials of a stiff step (stiff.c): the guess that Newton's method begins with, their error, and the
// step as series in s in the arrays of the run.
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/stiff.h"

#include "core/algebra/polynomial.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { S = SS_STAGES };

void ss_stiff_rates_at_start(ss_sim* sim)
{
    ss_stiff* stiff = sim->ways.stiff;
    ss_stiff_give(sim, S, 0.0);
    ss_stiff_rates(sim, S, 0.0, stiff->newton.slope, stiff->lambda);
}

void ss_stiff_guess(ss_sim* sim, double h)
{
    ss_stiff* stiff = sim->ways.stiff;
    int states = stiff->states;
    if (stiff->pace.known) {
        for (int i = 0; i < S; i++) {
            double u = 1.0 + stiff->method.node[i] * h / stiff->pace.last;
            for (int k = 0; k < states; k++)
                stiff->newton.slope[i * states + k] =
                    ss_poly_value(stiff->newton.derivative + k, states, S - 1, u);
        }
        return;
    }
    ss_stiff_rates_at_start(sim);
    for (int i = 1; i < S; i++)
        memcpy(stiff->newton.slope + i * states, stiff->newton.slope, (size_t)states * sizeof(double));
}

// Coefficients in u = s/h of the polynomials through values at the nodes.
static void interpolate(const ss_collocation* method, const double nodes[], int width, double out[])
{
    double power[S];
    for (int k = 0; k < width; k++) {
        ss_collocation_combine(method->power, nodes + k, width, power);
        for (int m = 0; m < S; m++) out[m * width + k] = power[m];
    }
}

// A speed that follows its forces within the step is as good as rounding of both leaves it at each node,
// whatever the length of the step: its derivatives are differences of such speeds.
static double rounding_of_nodes(const ss_model* model, const ss_ways* ways, int k, double h)
{
    const ss_stiff* stiff = ways->stiff;
    int width = model->n + stiff->states;
    double rate = fabs(stiff->jacobian[k * width + model->n + k]), follows = h * rate / (1.0 + h * rate);
    double size = DBL_EPSILON * stiff->size[k] + (rate > 0.0 ? stiff->noise[k] / rate : 0.0);
    return 64.0 * size * follows;
}

// Error of the polynomial over the tolerance; sizes are those of the last iteration.
static double error_of(const ss_model* model, const ss_step* step, const ss_ways* ways,
                       const double derivative[], double h, double tolerance)
{
    const ss_stiff* stiff = ways->stiff;
    double worst = 0.0;
    for (int k = 0; k < stiff->states; k++) {
        if (stiff->size[k] == 0.0) continue;
        double error = ss_collocation_error(derivative + k, stiff->states, h);
        if (k < model->n) error = fmax(error - 0.5 * stiff->jitter[k], 0.0); // shorter steps leave it
        if (k < model->n) error = fmax(error - rounding_of_nodes(model, ways, k, h), 0.0);
        if (k >= stiff->open) error = fmax(error - 0.5 * ss_stiff_noise(model, step, ways, k, h), 0.0);
        worst = fmax(worst, error / (tolerance * stiff->size[k]));
    }
    return worst;
}

// How much contact i can hold, or does where that has no bound.
static double holding_size(const ss_sim* sim, int i)
{
    double low = fabs(ss_hold_low(sim, i, 0)), high = fabs(ss_hold_high(sim, i, 0)), size = 0.0;
    if (isfinite(low)) size = low;
    if (isfinite(high)) size = fmax(size, high);
    for (int k = 0; k < S; k++)
        size = fmax(size, fabs(sim->ways.stiff->lambda[k * sim->model->contact_count + i]));
    return size;
}

// The same for the forces of contacts that hold. They follow the inputs also where nothing moves, and tell
// when the contact lets go. Their errors do not add up over the steps.
static double error_of_holds(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    double worst = 0.0, largest = 0.0;
    for (int i = 0; i < model->contact_count; i++)
        if (ss_holds(&sim->step, &sim->modes, i)) largest = fmax(largest, holding_size(sim, i));
    for (int i = 0; i < model->contact_count && largest > 0.0; i++) {
        if (!ss_holds(&sim->step, &sim->modes, i)) continue;
        double error = ss_collocation_value_error(sim->ways.stiff->forces + i, model->contact_count);
        worst =
            fmax(worst, error / (10.0 * sim->control.tolerance * fmax(holding_size(sim, i), 1e-4 * largest)));
    }
    return worst;
}

double ss_stiff_error(ss_sim* sim, double h, double tolerance)
{
    ss_stiff* stiff = sim->ways.stiff;
    interpolate(&stiff->method, stiff->newton.slope, stiff->states, stiff->newton.matrix);
    interpolate(&stiff->method, stiff->lambda, sim->model->contact_count, stiff->forces);
    double error = error_of(sim->model, &sim->step, &sim->ways, stiff->newton.matrix, h, tolerance);
    return sim->modes.active_count > 0 ? fmax(error, error_of_holds(sim)) : error;
}

static bool is_zero(const double series[], int count)
{
    for (int k = 0; k < count; k++)
        if (series[k] != 0.0) return false;
    return true;
}

// The order that steps and inputs need: no more than the former where drives run evenly and all else is
// constant. Penetrations are read up to two orders below it.
static int order_needed(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                        const ss_open_run* open_run)
{
    int nd = model->drive_count;
    bool even = is_zero(step->d + 2 * nd, (inputs->order - 1) * nd) && inputs->kink_count == 0;
    for (int i = 0; i < model->contact_count; i++) even = even && inputs->level_at[i] < 0;
    bool more = step->laws.elastic_count > 0 || model->open;
    int least = S + (more ? 3 : 1);
    bool composed = false; // events on series made of the speed, which are as long as they are exact
    for (int i = 0; i < model->contact_count; i++)
        composed = composed || ss_law_has(model->contacts[i].law, SS_TRAIT_MANY);
    if (inputs->varying_count == 0 && even && !open_run->varies && !composed) return least;
    return inputs->order > least ? inputs->order : least;
}

void ss_stiff_write(ss_sim* sim, double h)
{
    ss_stiff* stiff = sim->ways.stiff;
    const ss_model* model = sim->model;
    int n = model->n, m = model->contact_count, states = stiff->states;
    int order = sim->step.order = order_needed(sim->model, &sim->step, &sim->inputs, &sim->open);
    double scale = 1.0;
    for (int k = 2; k <= order; k++) { // q_k from coefficient k - 2 of v'
        double* q = sim->step.q + (size_t)k * (size_t)n;
        for (int c = 0; c < n; c++)
            q[c] = k - 2 < S ? stiff->newton.derivative[(k - 2) * states + c] * scale / (k * (k - 1.0)) : 0.0;
        for (int j = 0; j < sim->step.laws.bristle_count; j++)
            sim->step.laws.bristles[j].along.z[k - 1] =
                k - 2 < S ? stiff->newton.derivative[(k - 2) * states + n + j] * scale / (k - 1.0) : 0.0;
        for (int j = 0; j < sim->open.states; j++)
            sim->step.s[(k - 1) * sim->open.states + j] =
                k - 2 < S ? stiff->newton.derivative[(k - 2) * states + stiff->open + j] * scale / (k - 1.0)
                          : 0.0;
        if (sim->modes.active_count > 0) ss_constrain_order(sim->model, &sim->step, &sim->modes, k);
        scale /= h;
    }
    for (int j = 0; j < sim->open.states; j++) sim->step.s[order * sim->open.states + j] = 0.0;
    if (model->open) ss_open_stiff_write(sim->model, &sim->open, &sim->ways, h);
    scale = 1.0;
    for (int k = 0; k <= order - 2; k++, scale /= h)
        for (int i = 0; i < m; i++)
            sim->step.lambda[k * m + i] = k < S ? stiff->forces[k * m + i] * scale : 0.0;
    ss_bristle_update_series(sim, 0);
    ss_elastic_update_series(sim->model, &sim->step, &sim->modes);
    ss_slips_update_series(sim->model, &sim->step, &sim->modes, 0);
}
