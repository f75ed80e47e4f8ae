// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "engine/flow/linear/harmonic.h"

#include "core/expression/expression.h"

#include <math.h>

// The place of frequency w, at the end where it is new; `most` where there is no room.
static int place_of(int count, const double frequency[], double w)
{
    int k = 0;
    while (k < count && frequency[k] != w) k++;
    return k;
}

int ss_harmonics_of(const ss_model* model, int most, double frequency[], double mean[], ss_harmonic part[])
{
    int count = 0;
    for (int i = 0; i < model->contact_count; i++)
        if (model->contacts[i].varies || model->contacts[i].follows) return -1;
    for (int f = 0; f < model->force_count; f++) {
        ss_harmonic found[SS_HARMONICS];
        int own = ss_signal_spectrum(model->forces[f].signal, 0.0, &mean[f], found, most);
        for (int k = 0; k < own; k++) {
            int place = place_of(count, frequency, found[k].frequency);
            if (place == most) return -1;
            if (place == count) frequency[count++] = found[k].frequency;
            part[f * most + place] = found[k];
        }
        if (own < 0) return -1;
    }
    return count;
}

double ss_highest_frequency(int count, const double frequency[])
{
    double highest = 0.0;
    for (int k = 0; k < count; k++) highest = fmax(highest, frequency[k]);
    return highest;
}

void ss_harmonics_next(int count, const double frequency[], double wave[], int k)
{
    for (int w = 0; w < count; w++) {
        double c = wave[2 * w], s = wave[2 * w + 1], factor = frequency[w] / (k + 1);
        wave[2 * w] = -factor * s;
        wave[2 * w + 1] = factor * c;
    }
}

bool ss_harmonics_find(ss_sim* sim, ss_harmonics* out)
{
    size_t forces = (size_t)sim->model->force_count;
    out->mean = ss_pool_spare(&sim->pool, forces, sizeof *out->mean);
    out->part = ss_pool_spare(&sim->pool, SS_HARMONICS * forces, sizeof *out->part);
    if (!out->mean || !out->part) return false;
    out->count = ss_harmonics_of(sim->model, SS_HARMONICS, out->frequency, out->mean, out->part);
    return out->count >= 0;
}

void ss_harmonics_at(const ss_harmonics* all, double t, double out[])
{
    for (int k = 0; k < all->count; k++)
        ss_sine_cosine(0.0, all->frequency[k], t, &out[2 * k + 1], &out[2 * k]);
}

double ss_harmonics_force(const ss_harmonics* all, int f, const double wave[])
{
    double sum = all->mean[f];
    for (int k = 0; k < 2 * all->count; k++) sum += ss_harmonics_part(all, f, k) * wave[k];
    return sum;
}
