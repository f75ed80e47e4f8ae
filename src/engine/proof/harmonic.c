// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "engine/proof/harmonic.h"

#include "core/expression/expression.h"

#include <math.h>

enum { WIDTH = 2 * SS_HARMONICS };

// The place of frequency w, at the end where it is new; -1 where there is no room.
static int place_of(ss_harmonics* all, double w)
{
    for (int k = 0; k < all->count; k++)
        if (all->frequency[k] == w) return k;
    if (all->count == SS_HARMONICS) return -1;
    all->frequency[all->count] = w;
    return all->count++;
}

static bool add_force(ss_harmonics* all, const ss_signal* signal, int f)
{
    ss_harmonic found[SS_HARMONICS];
    int count = ss_signal_spectrum(signal, 0.0, &all->mean[f], found, SS_HARMONICS);
    for (int k = 0; k < count; k++) {
        int place = place_of(all, found[k].frequency);
        if (place < 0) return false;
        all->part[f * WIDTH + 2 * place] = found[k].cosine;
        all->part[f * WIDTH + 2 * place + 1] = found[k].sine;
    }
    return count >= 0;
}

bool ss_harmonics_find(ss_sim* sim, ss_harmonics* out)
{
    const ss_model* model = sim->model;
    out->count = 0;
    out->mean = ss_pool_spare(&sim->pool, (size_t)model->force_count, sizeof(double));
    out->part = ss_pool_spare(&sim->pool, WIDTH * (size_t)model->force_count, sizeof(double));
    if (!out->mean || !out->part) return false;
    for (int i = 0; i < model->contact_count; i++)
        if (model->contacts[i].varies || model->contacts[i].follows) return false;
    for (int f = 0; f < model->force_count; f++)
        if (!add_force(out, model->forces[f].signal, f)) return false;
    return true;
}

double ss_harmonics_rate(const ss_harmonics* all)
{
    double rate = 0.0;
    for (int k = 0; k < all->count; k++) rate = fmax(rate, all->frequency[k]);
    return rate;
}

void ss_harmonics_at(const ss_harmonics* all, double t, double out[])
{
    for (int k = 0; k < all->count; k++)
        ss_sine_cosine(0.0, all->frequency[k], t, &out[2 * k + 1], &out[2 * k]);
}

double ss_harmonics_force(const ss_harmonics* all, int f, const double wave[])
{
    double sum = all->mean[f];
    for (int k = 0; k < 2 * all->count; k++) sum += all->part[f * WIDTH + k] * wave[k];
    return sum;
}
