// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Harmonic forces on a model that has a propagator. With c = cos(w t), s = sin(w t) for each frequency w of
// the forces
//
//     F_f = mean_f + sum_w (cosine_fw c_w + sine_fw s_w),     c_w' = -w s_w,     s_w' = w c_w,
//
// the model is steady again: its tables (linear_propagator_tables.c) have a column for each c and s, and
// serve at all times. Where a long step begins, c and s are taken at its time, so that no error adds up over
// the run.
#include "engine/flow/linear/linear_propagator_waves.h"
#include "engine/flow/linear/harmonic.h"

#include "core/expression/expression.h"

#include <math.h>
#include <string.h>

bool ss_waves_find(const ss_model* model, ss_linear_propagator_waves* out)
{
    *out = (ss_linear_propagator_waves){.t = NAN};
    if (model->nature.steady) return true;
    if (model->open || model->force_count > SS_LINEAR_PROPAGATOR_LARGEST) return false;
    out->count = ss_harmonics_of(model, SS_LINEAR_PROPAGATOR_WAVES, out->frequency, out->mean, out->part[0]);
    return out->count > 0;
}

static void look(ss_linear_propagator_waves* waves, double t)
{
    if (waves->t == t) return;
    for (int k = 0; k < waves->count; k++)
        ss_sine_cosine(0.0, waves->frequency[k], t, &waves->now[2 * k + 1], &waves->now[2 * k]);
    waves->t = t;
}

void ss_waves_now(ss_linear_propagator_waves* waves, double t, double out[])
{
    look(waves, t);
    for (int k = 0; k < 2 * waves->count; k++) out[k] = waves->now[k];
}

// Adds the series of h where its cosine is c and its sine is s.
static void add_series(const ss_harmonic* h, double c, double s, int order, int stride, double out[])
{
    double even = h->cosine * c + h->sine * s, odd = h->sine * c - h->cosine * s, w = h->frequency;
    for (int k = 0; k <= order; k++) { // coefficient k of even cos(w t) + odd sin(w t)
        double here = even;
        out[k * stride] += here;
        even = odd * (w / (k + 1)); // of the derivative, over k + 1
        odd = -here * (w / (k + 1));
    }
}

void ss_waves_prepare(ss_sim* sim)
{
    ss_linear_propagator_waves* waves = &sim->ways.propagator->waves;
    int count = sim->model->force_count, order = sim->step.order;
    look(waves, sim->step.t);
    for (int j = 0; j < sim->inputs.varying_count; j++) {
        int f = sim->inputs.varying[j];
        for (int k = 0; k <= order; k++) sim->inputs.force[k * count + f] = k == 0 ? waves->mean[f] : 0.0;
        for (int k = 0; k < waves->count; k++)
            add_series(&waves->part[f][k], waves->now[2 * k], waves->now[2 * k + 1], order, count,
                       sim->inputs.force + f);
    }
}

void ss_waves_sum(ss_sim* sim, const double y[])
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    ss_ask_order(&sim->step, &sim->inputs, propagator->order);
    ss_linear_propagator_combine(propagator, propagator->at.given,
                                 (size_t)(propagator->order + 1) * (size_t)sim->model->force_count, y,
                                 sim->inputs.force);
}

void ss_waves_fill(const ss_sim* sim, int wave, double column[])
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    const ss_linear_propagator_waves* waves = &propagator->waves;
    int order = propagator->order, forces = sim->model->force_count;
    double *given = column + propagator->at.given, *node = column + propagator->at.nodes + 2 * sim->model->n;
    memset(given, 0, (size_t)(order + 1) * (size_t)forces * sizeof *given);
    memset(node, 0, 2 * (size_t)waves->count * sizeof *node);
    if (wave < 0) return;
    bool means = wave >= 2 * waves->count;
    for (int j = 0; j < sim->inputs.varying_count; j++) {
        int f = sim->inputs.varying[j];
        if (means)
            given[f] = waves->mean[f];
        else
            add_series(&waves->part[f][wave / 2], wave % 2 == 0, wave % 2, order, forces, given + f);
    }
    if (means) return;
    double angle = waves->frequency[wave / 2] * propagator->cell, c = cos(angle), s = sin(angle);
    double* own = node + 2 * (wave / 2); // from (1, 0) to (c, s), or from (0, 1) to (-s, c)
    own[0] = wave % 2 == 0 ? c : -s;
    own[1] = wave % 2 == 0 ? s : c;
}
