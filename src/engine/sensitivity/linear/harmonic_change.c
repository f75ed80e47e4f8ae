// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers that change forces of time by a constant and by the amplitudes, phases and frequencies of their
// harmonics, and nothing else that is given:
//
//     dF_f = dmean_f + sum_w (dcosine_fw cos(w t) + dsine_fw sin(w t)) + sum_w (cosine_fw dc_w + sine_fw
//     ds_w) dc_w = -t sin(w t) dw,     ds_w = t cos(w t) dw
//
// is a function of the waves that a model under harmonic forces has among its variables
// (flow/linear_propagator_waves.c) and of their own changes dc and ds, so that sensitivities keep its long
// steps; and where only constants change, nothing is left after the first order.
#include "engine/flow/linear/linear_propagator_tables.h"
#include "engine/flow/linear/linear_propagator_waves.h"
#include "engine/sensitivity/sensitivity.h"

#include <string.h>

struct ss_harmonic_change {
    bool steady;                                      // no harmonic changes
    double* mean;                                     // N per unit: of each force
    ss_harmonic (*part)[SS_LINEAR_PROPAGATOR_WAVES];  // likewise
    ss_harmonic (*whole)[SS_LINEAR_PROPAGATOR_WAVES]; // the harmonics themselves
    double turn[SS_LINEAR_PROPAGATOR_WAVES];          // rad/s per unit: dw
    double now[2 * SS_LINEAR_PROPAGATOR_WAVES];       // cosine and sine of each: what they are taken as
};

static bool any(const bool list[], int count)
{
    for (int i = 0; i < count; i++)
        if (list[i]) return true;
    return false;
}

// Whether each force that changes is constant, in all models.
static bool are_steady(const ss_derivative* der, const ss_model_change* change)
{
    for (int f = 0; f < der->model->force_count; f++)
        for (int k = 0; k < change->from->model_count && change->signals.force[f]; k++)
            if (!ss_signal_is_constant(change->from->models[k]->forces[f].signal)) return false;
    return true;
}

static void sum_steady(const ss_derivative* der, const ss_model_change* change,
                       struct ss_harmonic_change* own)
{
    double value[SS_DIRECTION_MODELS];
    for (int f = 0; f < der->model->force_count; f++) {
        if (!change->signals.force[f]) continue;
        for (int k = 0; k < change->from->model_count; k++)
            value[k] = ss_signal_value(change->from->models[k]->forces[f].signal, 0.0);
        own->mean[f] = ss_direction_sum(change->from, value);
    }
}

static bool turns(const struct ss_harmonic_change* own)
{
    for (int w = 0; w < SS_LINEAR_PROPAGATOR_WAVES; w++)
        if (own->turn[w] != 0.0) return true;
    return false;
}

// False where the models have forces of another kind.
static bool sum_waves(const ss_derivative* der, const ss_model_change* change, struct ss_harmonic_change* own)
{
    ss_linear_propagator_waves mine, other[SS_DIRECTION_MODELS];
    double mean[SS_DIRECTION_MODELS], cosine[SS_DIRECTION_MODELS], sine[SS_DIRECTION_MODELS];
    if (!ss_waves_find(der->model, &mine) || mine.count == 0) return false;
    for (int k = 0; k < change->from->model_count; k++)
        if (!ss_waves_find(change->from->models[k], &other[k]) || other[k].count != mine.count) return false;
    for (int w = 0; w < mine.count; w++) {
        for (int k = 0; k < change->from->model_count; k++) mean[k] = other[k].frequency[w];
        own->turn[w] = ss_direction_sum(change->from, mean);
    }
    for (int f = 0; f < der->model->force_count; f++)
        for (int w = 0; w < mine.count && change->signals.force[f]; w++) {
            for (int k = 0; k < change->from->model_count; k++) {
                mean[k] = other[k].mean[f];
                cosine[k] = other[k].part[f][w].cosine;
                sine[k] = other[k].part[f][w].sine;
            }
            own->mean[f] = ss_direction_sum(change->from, mean);
            own->whole[f][w] = mine.part[f][w];
            own->part[f][w] = (ss_harmonic){.frequency = mine.frequency[w],
                                            .cosine = ss_direction_sum(change->from, cosine),
                                            .sine = ss_direction_sum(change->from, sine)};
        }
    return true;
}

struct ss_harmonic_change* ss_harmonic_change_make(ss_derivative* der, const ss_model_change* change)
{
    size_t forces = (size_t)der->model->force_count;
    if (!change->given || any(change->signals.drive, der->nd) || any(change->signals.input, der->nu) ||
        any(change->signals.rest, der->slots) || any(change->signals.level, der->m))
        return NULL;
    struct ss_harmonic_change* own = ss_pool_new(&der->pool, 1, sizeof *own);
    if (own) own->mean = ss_pool_new(&der->pool, forces, sizeof *own->mean);
    if (own) own->part = ss_pool_new(&der->pool, forces, sizeof *own->part);
    if (own) own->whole = ss_pool_new(&der->pool, forces, sizeof *own->whole);
    if (der->pool.failed) return NULL;
    own->steady = are_steady(der, change);
    if (own->steady) sum_steady(der, change, own);
    return own->steady || sum_waves(der, change, own) ? own : NULL;
}

bool ss_sensitivity_is_steady(const ss_sensitivity* to)
{
    return !to->change || !to->change->given || (to->waves && to->waves->steady);
}

// Adds coefficients of factor s^shift (even cos(w s) + odd sin(w s)).
static void add_wave(double factor, double even, double odd, double w, int shift, int order, double out[])
{
    for (int k = 0; k + shift <= order; k++) {
        double here = even;
        out[k + shift] += factor * here;
        even = odd * (w / (k + 1)); // of the derivative, over k + 1
        odd = -here * (w / (k + 1));
    }
}

// The series of the changes where the waves are what they are taken as, t after their frequencies began to
// differ.
static void fill(const ss_derivative* der, ss_sensitivity* to, int count, int order, double t)
{
    const struct ss_harmonic_change* own = to->waves;
    for (int f = 0; f < der->model->force_count; f++) {
        double* out = to->given.force + (size_t)f * SS_WIDTH;
        memset(out, 0, SS_WIDTH * sizeof(double));
        out[0] = own->mean[f];
        for (int w = 0; w < count; w++) {
            const ss_harmonic *h = &own->part[f][w], *all = &own->whole[f][w];
            double c = own->now[2 * w], s = own->now[2 * w + 1], turn = own->turn[w];
            add_wave(1.0, h->cosine * c + h->sine * s, h->sine * c - h->cosine * s, h->frequency, 0, order,
                     out);
            if (turn == 0.0) continue;
            double even = all->sine * c - all->cosine * s, odd = -all->cosine * c - all->sine * s;
            add_wave(t * turn, even, odd, h->frequency, 0, order, out);
            add_wave(turn, even, odd, h->frequency, 1, order, out);
        }
    }
}

bool ss_harmonic_change_turn(const ss_sensitivity* to)
{
    return to->waves && !to->waves->steady && turns(to->waves);
}

void ss_harmonic_change_changes(const ss_sensitivity* to, int count, double t, const double waves[],
                                double out[])
{
    for (int w = 0; w < count; w++) {
        double by = to->waves ? t * to->waves->turn[w] : 0.0;
        out[2 * w] = -by * waves[2 * w + 1];
        out[2 * w + 1] = by * waves[2 * w];
    }
}

bool ss_harmonic_change_prepare(ss_derivative* der, ss_sensitivity* to)
{
    struct ss_linear_propagator* propagator = der->sim->ways.propagator;
    if (!to->waves || (!to->waves->steady && !(propagator && propagator->waves.count > 0))) return false;
    int count = to->waves->steady ? 0 : propagator->waves.count;
    if (count > 0) ss_waves_now(&propagator->waves, der->sim->step.t, to->waves->now);
    fill(der, to, count, der->sim->step.order, der->sim->step.t);
    return true;
}

void ss_harmonic_change_unit(ss_derivative* der, ss_sensitivity* to, int wave)
{
    const struct ss_linear_propagator* propagator = der->sim->ways.propagator;
    if (!to->waves) return;
    memset(to->waves->now, 0, sizeof to->waves->now);
    if (wave >= 0 && wave < 2 * propagator->waves.count) to->waves->now[wave] = 1.0;
    fill(der, to, propagator->waves.count, propagator->order, 0.0);
}
