// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How what is given in time (forces, drives, inputs, levels, the rest of affine expressions) changes along a
// step: as series, like the signals themselves.
#include "engine/field/field.h"
#include "engine/flow/elastic.h"
#include "engine/sensitivity/sensitivity.h"

#include "core/algebra/polynomial.h"

#include <math.h>
#include <string.h>

// c(s + shift) from c(s), in place.
static void shift_series(double c[], int order, double shift)
{
    for (int i = 0; i < order; i++)
        for (int k = order - 1; k >= i; k--) c[k] += shift * c[k + 1];
}

// Adds the series of a signal in another model. Corners and jumps of it may lie elsewhere than in the own
// one: it is taken on the pieces of that, and tables in the middle of the step, where all of them are on the
// same piece.
static void add_series(ss_derivative* der, const ss_signal* own, const ss_signal* signal, double weight,
                       double out[])
{
    const ss_sim* sim = der->sim;
    double c[SS_WIDTH] = {0}, *pieces = der->room.pieces;
    int order = sim->step.order;
    if (!signal) return;
    bool table = ss_signal_is_table(signal);
    double middle = table ? 0.5 * ss_elapsed(&sim->step, sim->step.length) : 0.0;
    if (!ss_sensitivity_own_pieces(der, own, signal, pieces)) pieces = NULL;
    if (!ss_signal_series_on(signal, sim->step.t + middle, order, c, NULL, pieces, der->room.signals)) return;
    if (table) shift_series(c, order, -middle);
    for (int k = 0; k <= order; k++) out[k] += weight * c[k];
}

bool ss_sensitivity_own_pieces(const ss_derivative* der, const ss_signal* own, const ss_signal* other,
                               double pieces[])
{
    double c[SS_WIDTH];
    int count = own ? ss_signal_kink_count(own) : 0;
    if (count == 0 || count != ss_signal_kink_count(other)) return false;
    for (int j = 0; j < count; j++) pieces[j] = NAN;
    return ss_signal_series_on(own, der->sim->step.t, der->sim->step.order, c, NULL, pieces,
                               der->room.signals);
}

static void sum_levels(ss_derivative* der, ss_sensitivity* to, int i)
{
    const ss_model_change* change = to->change;
    const ss_sim* sim = der->sim;
    double* out = to->given.level + (size_t)(4 * i) * SS_WIDTH;
    const double* now = sim->inputs.level + (size_t)(sim->inputs.level_at[i] * 4) * SS_WIDTH;
    for (int k = 0; k < change->from->model_count; k++) {
        const ss_contact* contact = &change->from->models[k]->contacts[i];
        double w = change->from->weights[k];
        for (int j = 0; j < 4; j++) {
            double* to_series = out + j * SS_WIDTH;
            if (contact->level[j])
                add_series(der, der->model->contacts[i].level[j], contact->level[j], w, to_series);
            else
                to_series[0] += w * (j < 2 ? contact->levels[j] : contact->at_rest[j - 2]);
        }
    }
    for (int j = 0; j < 2; j++) { // where the kinetic level is in force at rest, it is so here
        const double *kinetic = now + j * SS_WIDTH, *rest = kinetic + 2 * SS_WIDTH;
        if (memcmp(kinetic, rest, (size_t)(sim->step.order + 1) * sizeof(double)) == 0)
            memcpy(out + (j + 2) * SS_WIDTH, out + j * SS_WIDTH, SS_WIDTH * sizeof(double));
    }
}

static const ss_signal* rest_of(const ss_model* model, int slot)
{
    const ss_affine* affine = ss_affine_of(model->actions, slot);
    return affine ? affine->rest : NULL;
}

void ss_given_prepare(ss_derivative* der, ss_sensitivity* to)
{
    const ss_model_change* change = to->change;
    ss_given_series* given = &to->given;
    if (!change || !change->given || ss_harmonic_change_prepare(der, to)) return;
    size_t size = SS_WIDTH * sizeof(double);
    memset(given->force, 0, (size_t)der->model->force_count * size);
    memset(given->drive, 0, (size_t)der->nd * size);
    memset(given->input, 0, (size_t)der->nu * size);
    memset(given->rest, 0, (size_t)der->slots * size);
    memset(given->level, 0, 4 * (size_t)der->m * size);
    for (int k = 0; k < change->from->model_count; k++) {
        const ss_model *own = der->model, *other = change->from->models[k];
        double w = change->from->weights[k];
        for (int f = 0; f < der->model->force_count; f++)
            if (change->signals.force[f])
                add_series(der, own->forces[f].signal, other->forces[f].signal, w,
                           given->force + (size_t)f * SS_WIDTH);
        for (int j = 0; j < der->nd; j++)
            if (change->signals.drive[j])
                add_series(der, own->drives[j].signal, other->drives[j].signal, w,
                           given->drive + (size_t)j * SS_WIDTH);
        for (int j = 0; j < der->nu; j++)
            if (change->signals.input[j])
                add_series(der, own->open->inputs[j].signal, other->open->inputs[j].signal, w,
                           given->input + (size_t)j * SS_WIDTH);
        for (int j = 0; j < der->slots; j++)
            if (change->signals.rest[j])
                add_series(der, rest_of(own, j), rest_of(other, j), w, given->rest + (size_t)j * SS_WIDTH);
    }
    for (int i = 0; i < der->m; i++)
        if (change->signals.level[i] && der->sim->inputs.level_at[i] >= 0) sum_levels(der, to, i);
}

void ss_sensitivity_prepare(ss_derivative* der)
{
    if (der->along.has_given) return;
    for (int j = 0; j < der->count; j++)
        if (!der->sensitivities[j].lost) ss_given_prepare(der, &der->sensitivities[j]);
    der->along.has_given = true;
}

double ss_given_value(const ss_derivative* der, const double series[], const ss_values* at)
{
    const ss_step* step = &der->sim->step;
    return at->order >= 0 ? series[at->order] : ss_poly_value(series, 1, step->order, at->t - step->t);
}

// An input that was set from outside does not change with what the model says of it.
static bool is_set(const ss_model* model, const ss_open_run* open_run, int j)
{
    const ss_signal* signal = model->open->inputs[j].signal;
    if (open_run->varying[j]) return false;
    return !ss_signal_is_constant(signal) || open_run->value[j] != ss_signal_value(signal, 0.0);
}

// A driven place: c is the series of the speed, or of the place.
static void drive_at(const double c[], bool is_speed, double start, const ss_values* at, int order,
                     double since, double out[3])
{
    int k = at->order;
    if (k >= 0) {
        out[0] = !is_speed ? c[k] : k == 0 ? start : c[k - 1] / k;
        out[1] = is_speed ? c[k] : (k + 1) * c[k + 1];
        out[2] = is_speed ? (k + 1) * c[k + 1] : (k + 1) * (k + 2) * c[k + 2];
        return;
    }
    double sum = 0.0;
    for (int j = order; j >= 0 && is_speed; j--) sum = (sum + c[j] / (j + 1)) * since;
    double value = ss_poly_value(c, 1, order, since), slope = ss_poly_slope(c, 1, order, since);
    out[0] = is_speed ? start + sum : value;
    out[1] = is_speed ? value : slope;
    out[2] = is_speed ? slope : ss_poly_second_derivative(c, 1, order, since);
}

void ss_given_at(const ss_derivative* der, const ss_sensitivity* to, const ss_values* at, ss_delta* out)
{
    const ss_model_change* change = to->change;
    const ss_step* step = &der->sim->step;
    for (int j = 0; j < der->nd; j++) {
        double drive[3] = {at->constant ? to->d[j] : 0.0, 0.0, 0.0};
        if (change && change->signals.drive[j])
            drive_at(to->given.drive + (size_t)j * SS_WIDTH, der->model->drives[j].is_speed, to->d[j], at,
                     step->order, at->t - step->t, drive);
        out->d[j] = drive[0];
        out->d1[j] = drive[1];
        out->d2[j] = drive[2];
    }
    for (int j = 0; j < der->nu; j++)
        out->input[j] = change && change->signals.input[j] && !is_set(der->sim->model, &der->sim->open, j)
                            ? ss_given_value(der, to->given.input + (size_t)j * SS_WIDTH, at)
                            : 0.0;
}
