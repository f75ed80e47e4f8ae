// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Places that are felt as angles alone: a pendulum that turns over and over, a motor that cogs. Along
// directions in which only sines, cosines and tangents notice a shift, a motion repeats if it does but for
// whole turns. States are told within half a turn of where the run began.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/cycle/orbit.h"
#include "lab/cycle/rhythm.h"
#include "model/actions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ANGLES = 64 };

// The rates of all angles along a direction.
typedef struct angles {
    const ss_model* model;
    const double* u;
    double rates[MOST_ANGLES];
    int count;
    bool too_many;
} angles;

static void add_angle(void* user, const double form[], bool turns)
{
    angles* a = user;
    const ss_model* model = a->model;
    double rate = 0.0, size = 0.0;
    if (!turns) return;
    for (int b = 0; b < model->body_count; b++) {
        double part = model->bodies[b].drive < 0 ? form[b] * ss_row_dot(&model->bodies[b].row, a->u) : 0.0;
        rate += part;
        size += fabs(part);
    }
    for (int j = 0; j < model->open->state_count; j++)
        rate += form[model->open->first_state + j] * a->u[model->n + j];
    if (fabs(rate) <= SS_FAINT * size) return;
    if (a->count < MOST_ANGLES)
        a->rates[a->count++] = fabs(rate);
    else
        a->too_many = true;
}

// How far along a direction everything is as it was; NaN where it never is.
static double length_of(const ss_model* model, const double u[])
{
    angles a = {.model = model, .u = u};
    bool known = ss_program_visit_forms(&model->actions->motion, add_angle, &a);
    for (int b = 0; b < model->open->block_count; b++)
        known = known && ss_program_visit_forms(&model->open->blocks[b].program, add_angle, &a);
    return known && !a.too_many ? ss_rhythm_common(a.rates, a.count) : NAN;
}

// Takes the directions that nothing feels out of one that is felt as an angle; false where nothing is left.
static bool take_free_out(const ss_orbit* orbit, double u[])
{
    int w = orbit->n + orbit->states;
    double size = 0.0;
    for (int j = 0; j < orbit->free.count; j++) {
        const double* other = orbit->free.directions + (size_t)j * (size_t)w;
        double product = 0.0;
        for (int k = 0; k < w; k++) product += u[k] * other[k];
        for (int k = 0; k < w; k++) u[k] -= product * other[k];
    }
    for (int k = 0; k < w; k++) size += u[k] * u[k];
    if (size <= SS_FAINT) return false;
    for (int k = 0; k < w; k++) u[k] /= sqrt(size);
    return true;
}

// Turns are counted along one direction after the other, which is right only where they are orthogonal.
static bool stands_apart(const ss_laps* laps, const double u[], size_t w)
{
    for (int j = 0; j < laps->count; j++) {
        double product = 0.0;
        for (size_t k = 0; k < w; k++) product += u[k] * laps->directions[(size_t)j * w + k];
        if (fabs(product) > SS_FAINT) return false;
    }
    return true;
}

ss_status ss_laps_find(ss_orbit* orbit, ss_error* err)
{
    size_t w = (size_t)(orbit->n + orbit->states);
    ss_laps* laps = &orbit->laps;
    double** arrays[] = {&laps->length, &laps->origin, &laps->turns, &laps->rate};
    bool fine = (laps->directions = ss_new(w * w, sizeof(double))) != NULL;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        fine = (*arrays[k] = ss_new(w, sizeof(double))) && fine;
    if (!fine) return ss_fail_no_memory(err);
    if (!orbit->model->open) return SS_OK;
    int count = ss_orbit_find_turning(orbit, laps->directions);
    if (count < 0) return ss_fail_no_memory(err);
    for (int j = 0; j < count; j++) {
        double* u = laps->directions + (size_t)j * w;
        bool counts = take_free_out(orbit, u) && stands_apart(laps, u, w);
        double length = counts ? length_of(orbit->model, u) : NAN;
        if (!isfinite(length)) continue;
        memmove(laps->directions + (size_t)laps->count * w, u, w * sizeof(double));
        laps->length[laps->count++] = length;
    }
    return SS_OK;
}

void ss_laps_free(ss_laps* laps)
{
    free(laps->directions);
    free(laps->length);
    free(laps->origin);
    free(laps->turns);
    free(laps->rate);
}

static const double* direction(const ss_orbit* orbit, int j)
{
    return orbit->laps.directions + (size_t)j * (size_t)(orbit->n + orbit->states);
}

void ss_laps_begin_at(ss_orbit* orbit, const double state[])
{
    for (int j = 0; j < orbit->laps.count; j++)
        orbit->laps.origin[j] = ss_orbit_along(orbit, direction(orbit, j), state);
}

// Moves a state by whole turns to the one that is next to `place`; the number of turns taken back.
static double turn_back(const ss_orbit* orbit, int j, double place, double state[])
{
    const double *u = direction(orbit, j), length = orbit->laps.length[j];
    double turns = nearbyint((ss_orbit_along(orbit, u, state) - place) / length);
    for (int k = 0; k < orbit->n + orbit->states && turns != 0.0; k++)
        state[k < orbit->n ? k : orbit->n + k] -= turns * length * u[k];
    return turns;
}

void ss_laps_turn_back(ss_orbit* orbit, double state[])
{
    for (int j = 0; j < orbit->laps.count; j++)
        orbit->laps.turns[j] = turn_back(orbit, j, orbit->laps.origin[j], state);
}

void ss_laps_put_back(const ss_orbit* orbit, double state[])
{
    for (int j = 0; j < orbit->laps.count; j++) turn_back(orbit, j, 0.0, state);
}

void ss_laps_set_rate(ss_orbit* orbit, double time)
{
    int w = orbit->n + orbit->states;
    memset(orbit->laps.rate, 0, (size_t)w * sizeof(double));
    for (int j = 0; j < orbit->laps.count; j++)
        for (int k = 0; k < w; k++)
            orbit->laps.rate[k] +=
                orbit->laps.turns[j] * orbit->laps.length[j] / time * direction(orbit, j)[k];
}
