// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The largest Lyapunov exponent: how fast a neighbouring motion leaves, by the derivative of the motion
// across its events (docs/theory/derivatives.md). A tangent u, of length 1 at every section, becomes D u at
// the next;
//
//     exponent = sum of w_k ln |D_k u| / sum of w_k T_k,   u <- D_k u / |D_k u|
//
// over sections k, a time T_k apart. Almost every u turns to the direction that grows most. The weights are
// those of a smooth bump, w(s) = exp(-1/(s (1 - s))): where the motion repeats, or has several frequencies,
// the mean then converges faster than any power of the number of sections, since what u does within a turn
// cancels; where it is chaotic, as fast as with equal weights.
#include "core/error.h"
#include "lab/scan/worker.h"
#include "model/model_impl.h"
#include "share/derivative.h"
#include "share/model_parts.h"
#include "share/run.h"
#include "slipstick/derivative.h"

#include <math.h>
#include <stdlib.h>

struct ss_lyapunov {
    const ss_model* model;
    ss_sim* sim;
    ss_derivative* derivative;
    ss_direction direction;
    int width, states, bristles;
    double *numbers, *state; // of the direction: x, v of bodies, then the rest; scratch, width
    double last;             // s: when it had length 1
    double growth, time;     // weighted sums of logarithms, and of s
    bool dies;               // nothing of it was left
};

void ss_lyapunov_destroy(ss_lyapunov* t)
{
    if (!t) return;
    ss_derivative_destroy(t->derivative);
    free(t->numbers);
    free(t->state);
    free(t);
}

// The tangent, in the order of ss_sim_state, as a direction of the run's start.
static void aim(ss_lyapunov* t, const double state[])
{
    const ss_model* model = t->model;
    double *x = t->numbers, *v = x + model->body_count, *rest = v + model->body_count;
    for (int i = 0; i < model->n; i++) {
        x[model->coordinate_body[i]] = state[i];
        v[model->coordinate_body[i]] = state[model->n + i];
    }
    for (int k = 2 * model->n; k < t->width; k++) rest[k - 2 * model->n] = state[k];
}

// A direction that no motion singles out.
static void begin(ss_lyapunov* t)
{
    double size = 0.0;
    for (int k = 0; k < t->width; k++) {
        t->state[k] = 1.0 + 0.5 * sin(1.0 + 2.3 * k);
        size += t->state[k] * t->state[k];
    }
    for (int k = 0; k < t->width; k++) t->state[k] /= sqrt(size);
    aim(t, t->state);
}

ss_status ss_lyapunov_create(const ss_model* model, ss_sim* sim, bool through_rounding, ss_lyapunov** out,
                             ss_error* err)
{
    ss_lyapunov* t = *out = ss_new(1, sizeof *t);
    if (!t) return ss_fail_no_memory(err);
    t->model = model;
    t->sim = sim;
    t->width = ss_sim_state_count(sim);
    t->states = ss_model_state_count(model);
    t->bristles = ss_sim_bristles(sim, NULL);
    t->last = ss_sim_time(sim);
    t->numbers = ss_new(2 * (size_t)model->body_count + (size_t)t->width, sizeof(double));
    t->state = ss_new((size_t)t->width, sizeof(double));
    if (!t->numbers || !t->state) return ss_fail_no_memory(err);
    double *v = t->numbers + model->body_count, *rest = v + model->body_count;
    t->direction = (ss_direction){.x = t->numbers,
                                  .v = v,
                                  .states = rest,
                                  .bristles = rest + t->states,
                                  .memory = rest + t->states + t->bristles,
                                  .through_rounding = through_rounding};
    begin(t);
    ss_status status = ss_derivative_create(model, &t->direction, 1, &t->derivative, err);
    if (status != SS_OK) return status;
    ss_derivative_allow_coupled(t->derivative, true);
    return ss_derivative_attach(t->derivative, sim, err);
}

ss_status ss_lyapunov_note(ss_lyapunov* t, double now, double share, ss_error* err)
{
    double size = 0.0;
    bool known = ss_derivative_state(t->derivative, 0, t->state);
    for (int k = 0; k < t->width && known; k++) size = hypot(size, t->state[k]);
    if (known && share > 0.0 && share < 1.0) {
        double weight = exp(-1.0 / (share * (1.0 - share)));
        t->dies = t->dies || size == 0.0;
        t->growth += size > 0.0 ? weight * log(size) : 0.0;
        t->time += weight * (now - t->last);
    }
    t->last = now;
    if (known && size > 0.0)
        for (int k = 0; k < t->width; k++) t->state[k] /= size;
    if (known && size > 0.0 && isfinite(size))
        aim(t, t->state);
    else
        begin(t); // where a motion has no derivative, the next stretch has one
    ss_derivative_detach(t->derivative);
    return ss_derivative_attach(t->derivative, t->sim, err);
}

double ss_lyapunov_exponent(const ss_lyapunov* t)
{
    return t->time > 0.0 && !t->dies ? t->growth / t->time : NAN;
}
