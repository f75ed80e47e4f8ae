// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How large the terms are that forces and rates of expressions are made of: what is smaller than their
// rounding is 0.
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Sizes of the outputs of the program at the start of the step.
static const double* output_sizes(const ss_sim* sim)
{
    ss_open_programs* own = sim->open.programs;
    if (own->sized) return own->sizes;
    memcpy(own->copy, own->pieces, (size_t)ss_graph_kink_count(sim->model->open->graph) * sizeof(double));
    own->motion.w.piece = own->copy;
    ss_open_point(sim, 0.0, own->point);
    ss_run_values(&own->motion, sim->step.t, own->point, true, own->outputs);
    ss_run_sizes(&own->motion, sim->step.t, own->point, own->sizes);
    own->motion.w.piece = own->pieces;
    own->sized = true;
    return own->sizes;
}

double ss_open_output_size(const ss_sim* sim, int output) { return output_sizes(sim)[output]; }

static double output_size(const ss_sim* sim, int output, int k)
{
    const double* series = ss_run_output(&sim->open.programs->motion, output);
    return k == 0 ? output_sizes(sim)[output] : fabs(series[k]);
}

double ss_open_size(const ss_sim* sim, int row, int k)
{
    const ss_actions* actions = sim->model->actions;
    double sum = 0.0;
    if (sim->open.states > 0)
        sum += ss_sparse_size(&actions->flow.pull, row, sim->step.s + (size_t)k * (size_t)sim->open.states);
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_pull* pull = &actions->pulls[p];
        if (pull->affine && !sim->open.varies) continue;
        double mobility = 0.0, size, slope = 0.0;
        for (int l = 0; l < pull->mobility.count; l++)
            if (pull->mobility.index[l] == row) mobility += fabs(pull->mobility.value[l]);
        if (mobility == 0.0) continue;
        if (pull->affine) {
            slope = ss_time_rounding(&sim->step, k) *
                    fabs(ss_open_given_part(sim->model, &sim->step, &sim->open, p, k + 1, &size));
            ss_open_given_part(sim->model, &sim->step, &sim->open, p, k, &size);
        } else {
            size = output_size(sim, pull->output, k);
        }
        sum += mobility * (size + slope);
    }
    return sum;
}

double ss_open_rate_size(const ss_sim* sim, int j)
{
    const ss_actions* actions = sim->model->actions;
    const ss_state_flow* flow = &actions->flow;
    const double *q = sim->step.q, *v = q + sim->model->n, *s = sim->step.s;
    const double *d = sim->step.d, *d1 = d + sim->model->drive_count;
    double size, terms = sim->open.constant_size[j] + ss_sparse_size(&flow->places, j, q) +
                         ss_sparse_size(&flow->speeds, j, v) + ss_sparse_size(&flow->own, j, s) +
                         ss_sparse_size(&flow->drives, j, d) + ss_sparse_size(&flow->drive_speeds, j, d1);
    ss_open_given_part(sim->model, &sim->step, &sim->open, actions->pull_count + j, 0, &size);
    terms += size;
    return actions->rates[j].output >= 0 ? terms + output_size(sim, actions->rates[j].output, 0) : terms;
}

bool ss_open_rests(const ss_sim* sim)
{
    const double* rate = sim->step.s + sim->open.states;
    for (int j = 0; j < sim->open.states; j++)
        if (fabs(rate[j]) > 4.0 * DBL_EPSILON * ss_open_rate_size(sim, j)) return false;
    return true;
}
