// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Places that are felt as angles alone: a pendulum that turns over and over, a motor that cogs. Along
// directions in which only sines, cosines and tangents notice a shift, a motion repeats if it does but for
// whole turns. States are told within half a turn of where the run began.
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/cycle/forcing.h"
#include "lab/cycle/orbit.h"
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
    return known && !a.too_many ? ss_forcing_common(a.rates, a.count) : NAN;
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
static bool stands_apart(const ss_whole_turns* whole_turns, const double u[], size_t w)
{
    for (int j = 0; j < whole_turns->count; j++) {
        double product = 0.0;
        for (size_t k = 0; k < w; k++) product += u[k] * whole_turns->directions[(size_t)j * w + k];
        if (fabs(product) > SS_FAINT) return false;
    }
    return true;
}

ss_status ss_whole_turns_find(ss_orbit* orbit, ss_error* err)
{
    size_t w = (size_t)(orbit->n + orbit->states);
    ss_whole_turns* whole_turns = &orbit->whole_turns;
    double** arrays[] = {&whole_turns->length, &whole_turns->origin, &whole_turns->turns, &whole_turns->rate};
    bool fine = (whole_turns->directions = ss_new(w * w, sizeof(double))) != NULL;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        fine = (*arrays[k] = ss_new(w, sizeof(double))) && fine;
    if (!fine) return ss_fail_no_memory(err);
    if (!orbit->model->open) return SS_OK;
    int count = ss_orbit_find_turning(orbit, whole_turns->directions);
    if (count < 0) return ss_fail_no_memory(err);
    for (int j = 0; j < count; j++) {
        double* u = whole_turns->directions + (size_t)j * w;
        bool counts = take_free_out(orbit, u) && stands_apart(whole_turns, u, w);
        double length = counts ? length_of(orbit->model, u) : NAN;
        if (!isfinite(length)) continue;
        memmove(whole_turns->directions + (size_t)whole_turns->count * w, u, w * sizeof(double));
        whole_turns->length[whole_turns->count++] = length;
    }
    return SS_OK;
}

void ss_whole_turns_free(ss_whole_turns* whole_turns)
{
    free(whole_turns->directions);
    free(whole_turns->length);
    free(whole_turns->origin);
    free(whole_turns->turns);
    free(whole_turns->rate);
}

static const double* direction(const ss_orbit* orbit, int j)
{
    return orbit->whole_turns.directions + (size_t)j * (size_t)(orbit->n + orbit->states);
}

void ss_whole_turns_begin_at(ss_orbit* orbit, const double state[])
{
    for (int j = 0; j < orbit->whole_turns.count; j++)
        orbit->whole_turns.origin[j] = ss_orbit_along(orbit, direction(orbit, j), state);
}

// Moves a state by whole turns to the one that is next to `place`; the number of turns taken back.
static double turn_back(const ss_orbit* orbit, int j, double place, double state[])
{
    const double *u = direction(orbit, j), length = orbit->whole_turns.length[j];
    double turns = nearbyint((ss_orbit_along(orbit, u, state) - place) / length);
    for (int k = 0; k < orbit->n + orbit->states && turns != 0.0; k++)
        state[k < orbit->n ? k : orbit->n + k] -= turns * length * u[k];
    return turns;
}

void ss_whole_turns_turn_back(ss_orbit* orbit, double state[])
{
    for (int j = 0; j < orbit->whole_turns.count; j++)
        orbit->whole_turns.turns[j] = turn_back(orbit, j, orbit->whole_turns.origin[j], state);
}

void ss_whole_turns_put_back(const ss_orbit* orbit, double state[])
{
    for (int j = 0; j < orbit->whole_turns.count; j++) turn_back(orbit, j, 0.0, state);
}

void ss_whole_turns_set_rate(ss_orbit* orbit, double time)
{
    int w = orbit->n + orbit->states;
    memset(orbit->whole_turns.rate, 0, (size_t)w * sizeof(double));
    for (int j = 0; j < orbit->whole_turns.count; j++)
        for (int k = 0; k < w; k++)
            orbit->whole_turns.rate[k] +=
                orbit->whole_turns.turns[j] * orbit->whole_turns.length[j] / time * direction(orbit, j)[k];
}
