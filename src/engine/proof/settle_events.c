// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Event functions of a mode whose motion is a sum of exponentials: whether they stay positive for ever.
#include "engine/flow/contact.h"
#include "engine/proof/settle.h"

#include "core/algebra/decay.h"

#include <math.h>

static const double vanished = 750.0; // e^-750 = 0

// Weight of mode k in gradient . y', and the size of its terms.
static double complex weigh(const struct ss_settle* s, const double gradient[], int length, int k,
                            double* size)
{
    double complex sum = 0.0;
    for (int j = 0; j < length; j++) {
        double complex term = gradient[j] * s->decay.vectors[j * s->mode.size + k];
        sum += term;
        *size += cabs(term);
    }
    return sum;
}

// A slip speed tends to 0; it must do so along its slowest exponential, from its own side. Two real values
// that are nearly one (critical damping) may come out as a pair with a swing much longer than the decay: then
// it is enough that the speed keeps its sign until it is smaller than any number.
static bool keeps_slipping(const ss_sim* sim, int i, int modes)
{
    struct ss_settle* s = sim->proof.settle;
    double sign = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0, noise = 0.0;
    ss_decay g = {.count = modes, .rates = s->decay.rates, .weights = s->decay.weights};
    for (int k = 0; k < modes; k++) {
        double size = 0.0;
        g.rates[k] = s->decay.values[k];
        g.weights[k] =
            sign * weigh(s, s->mode.rows + i * s->mode.count, s->mode.count, k, &size) * s->decay.then[k];
        noise += s->decay.blur * size * cabs(s->decay.then[k]);
    }
    double rate, from = sim->step.t + sim->step.now - s->mark[2 * sim->model->n];
    if (!ss_decay_divide(&g, noise, &rate)) return false;
    return ss_decay_is_positive(&g, from, g.constant != 0.0 ? INFINITY : from - vanished / rate);
}

// An event function with this value now and this gradient in y (its first `length` variables); size: of what
// the value is made of.
static bool stays_positive(const struct ss_settle* s, double value, const double gradient[], int length,
                           double sign, double size, int modes)
{
    ss_decay g = {.constant = value, .count = modes, .rates = s->decay.rates, .weights = s->decay.weights};
    double change = 0.0, noise = SS_SETTLE_ROUNDING * (fabs(value) + size);
    for (int k = 0; k < modes; k++) {
        double terms = 0.0;
        bool moves = s->decay.now[k] != 0.0;
        double complex share = moves ? sign * s->decay.now[k] / s->decay.values[k] : 0.0;
        g.rates[k] = s->decay.values[k];
        g.weights[k] = moves ? share * weigh(s, gradient, length, k, &terms) : 0.0;
        g.constant -= creal(g.weights[k]);
        change += 2.0 * cabs(g.weights[k]);
        noise += s->decay.error[k] * cabs(share) * terms;
    }
    if (change <= value) return true; // |e^(lambda t) - 1| <= 2
    return g.constant > noise && ss_decay_is_positive(&g, 0.0, INFINITY);
}

static bool keeps_holding(const ss_sim* sim, int i, int modes)
{
    const struct ss_settle* s = sim->proof.settle;
    const double* gradient = s->mode.reactions + i * s->mode.size;
    double low = ss_hold_low(sim, i, 0), high = ss_hold_high(sim, i, 0);
    const double* slack = sim->modes.contacts[i].slack;
    double force = s->mode.forces[i];
    if (sim->modes.contacts[i].pinned) return true;
    if (isfinite(high) && !stays_positive(sim->proof.settle, high - force + slack[0], gradient, s->mode.size,
                                          -1.0, fabs(high) + fabs(force), modes))
        return false;
    return isinf(low) || stays_positive(sim->proof.settle, force - low + slack[1], gradient, s->mode.size,
                                        1.0, fabs(low) + fabs(force), modes);
}

static bool stays_open(const ss_sim* sim, int i, int modes)
{
    const struct ss_settle* s = sim->proof.settle;
    double side = sim->model->contacts[i].rigid_stop.side,
           position = sim->model->contacts[i].rigid_stop.position;
    double moved = 0.0; // since the start of the step, where the gap is known
    for (int k = sim->step.order; k >= 1; k--)
        moved = (moved + ss_relative_velocity(sim->model, &sim->step, i, k - 1) / k) * sim->step.now;
    double gap = sim->modes.contacts[i].gap - side * moved;
    return gap > 0.0 && stays_positive(sim->proof.settle, gap, s->mode.rows + i * s->mode.count,
                                       s->mode.count, -side, fabs(position), modes);
}

bool ss_settle_stays(const ss_sim* sim, int i, int modes)
{
    switch (sim->modes.contacts[i].mode) {
    case SS_MODE_SLIP_PLUS:
    case SS_MODE_SLIP_MINUS: return keeps_slipping(sim, i, modes);
    case SS_MODE_STICK:
    case SS_MODE_CLOSED: return keeps_holding(sim, i, modes);
    case SS_MODE_OPEN: return stays_open(sim, i, modes);
    case SS_MODE_SLIP: break; // of sliders only
    }
    return false;
}
