// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The verdict of a run that ends now. Where an input is of a kind whose future is not known (not a constant,
// table or sum of harmonics), rest cannot be proved for ever. It is known up to now, though: no step since
// rest began has left it.
#include "engine/sampled/sampled.h"

#include <math.h>

static bool has_unknown_future(const ss_step* step, const ss_signal* signal)
{
    ss_harmonic parts[64];
    double constant;
    return isinf(ss_signal_next_breakpoint(signal, step->t)) &&
           ss_signal_spectrum(signal, step->t, &constant, parts, 64) < 0;
}

static bool some_future_is_unknown(const ss_model* model, const ss_step* step)
{
    for (int k = 0; k < model->signal_count; k++)
        if (has_unknown_future(step, model->signals[k])) return true;
    return false;
}

static bool stands(const double series[], int width, int order)
{
    for (int k = width; k < (order + 1) * width; k++)
        if (series[k] != 0.0) return false;
    return true;
}

ss_outcome ss_sim_conclude(ss_sim* sim)
{
    const ss_model* model = sim->model;
    if (sim->course.ended) return sim->course.outcome;
    if (!sim->step.ready || isnan(sim->proof.resting_since)) return SS_TIME_REACHED;
    if (!stands(sim->step.q, model->n, sim->step.order) ||
        !stands(sim->step.d, model->drive_count, sim->step.order) ||
        !stands(sim->step.s, sim->open.states, sim->step.order - 1))
        return SS_TIME_REACHED;
    if (!some_future_is_unknown(sim->model, &sim->step) || !ss_ticks_stand(sim)) return SS_TIME_REACHED;
    ss_conclude_run(&sim->course, SS_AT_REST, fmax(sim->proof.resting_since, sim->values.since));
    return sim->course.outcome;
}
