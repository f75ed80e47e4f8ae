// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Friction levels that follow the motion, order by order: coefficient k of a level is known as soon as the
// positions, speeds and states of order k are, before any contact is asked for its force of that order.
//
//   reads    outputs of the program of the motion, levels given in time, constants
//   writes   level (levels.c), as far as the series have come; once they are complete, watches
//   promise  as in levels.c: kinetic levels start at 0 or above, a level at rest is the larger of both
#include "core/tolerance.h"
#include "engine/flow/input_series.h"
#include "engine/flow/level_forces.h"
#include "engine/flow/open_series.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { WIDTH = SS_MAX_ORDER + 1, STATIC = 2 };

static double* series_of(const ss_inputs* inputs, int contact)
{
    return inputs->level + (size_t)inputs->level_at[contact] * 4 * WIDTH;
}

static bool follows(const ss_contact* contact, int which) { return contact->follows & 1 << which; }

static bool is_given(const ss_contact* contact, int which)
{
    return contact->level[which] || follows(contact, which) ||
           (which >= STATIC && contact->at_rest[which - STATIC] > 0.0);
}

// What the level is rounded by, in N: SS_RELATIVE_ZERO of its terms, and what the rounding of the time does.
static double rounding_of(const ss_sim* sim, const ss_open_following* own, int which, double slope)
{
    const ss_contact* contact = &sim->model->contacts[own->contact];
    double size = contact->level[which]     ? ss_signal_size(contact->level[which], sim->step.t)
                  : own->output[which] >= 0 ? ss_open_output_size(sim, own->output[which])
                  : which < STATIC          ? contact->levels[which]
                                            : contact->at_rest[which - STATIC];
    return SS_RELATIVE_ZERO * size + 4.0 * DBL_EPSILON * fabs(sim->step.t * slope);
}

// The level as given, coefficient k.
static double raw_level(const ss_model* model, const ss_open_run* open_run, const ss_open_following* own,
                        int which, int k)
{
    const ss_contact* contact = &model->contacts[own->contact];
    if (own->output[which] >= 0) return ss_open_output(open_run, own->output[which])[k];
    if (contact->level[which]) return own->raw[which * WIDTH + k]; // written by ss_open_begin_levels
    double constant = which < STATIC ? contact->levels[which] : contact->at_rest[which - STATIC];
    return k == 0 || isinf(constant) ? constant : 0.0;
}

void ss_open_name_level(const ss_model* model, ss_inputs* inputs, ss_open_run* open_run, int contact,
                        int which)
{
    const ss_open* open = model->open;
    const char* field = "friction";
    for (int l = 0; l < open->level_count; l++)
        if (open->levels[l].contact == contact && open->levels[l].which == which)
            field = open->levels[l].field;
    open_run->programs->bad = true;
    ss_name_input(inputs, "contacts.%.60s.%.40s", model->contacts[contact].name, field);
}

// Whether the parabola that a level begins as stays above -small: one that has all but reached a double zero,
// like mu x^2 where x is a rounding before 0, falls, and yet never becomes negative.
static bool turns_up(const double raw[], double small)
{
    return raw[2] > 0.0 && raw[1] * raw[1] <= 4.0 * raw[2] * (fmax(raw[0], 0.0) + small);
}

// A level below 0 by more than rounding, or about to be; asked once its first three coefficients are known.
static bool is_negative(const ss_sim* sim, const ss_open_following* own, int which, int k)
{
    if (k != 2) return false;
    const double* raw = own->raw + which * WIDTH;
    double small = rounding_of(sim, own, which, raw[1]);
    // At 0 now, and on its way down: a contact without force would be released there again and again.
    bool sinks = raw[0] <= 4.0 * DBL_EPSILON * fabs(sim->step.t * raw[1]) &&
                 raw[1] * sim->control.interval < -4.0 * small && !turns_up(raw, small);
    return sinks || raw[0] < -4.0 * small || (raw[0] < -0.5 * small && raw[1] < 0.0);
}

static void follow_direction(ss_sim* sim, ss_open_following* own, int j, int k)
{
    double* level = series_of(&sim->inputs, own->contact);
    double *kinetic = level + j * WIDTH, *rest = kinetic + STATIC * WIDTH;
    const ss_contact* contact = &sim->model->contacts[own->contact];
    double *raw = own->raw + j * WIDTH, *still = raw + STATIC * WIDTH;
    raw[k] = raw_level(sim->model, &sim->open, own, j, k);
    if (is_negative(sim, own, j, k)) {
        ss_open_name_level(sim->model, &sim->inputs, &sim->open, own->contact, j);
        ss_mark_negative_level(&sim->inputs);
    }
    kinetic[k] = k == 0 ? fmax(raw[0], 0.0) : raw[k];
    if (k == 0) own->larger[j] = is_given(contact, j + STATIC) ? 0 : -1;
    still[k] = raw_level(sim->model, &sim->open, own, j + STATIC, k);
    double difference = still[k] - raw[k];
    double small = k == 0 ? rounding_of(sim, own, j, 0.0) + rounding_of(sim, own, j + STATIC, 0.0)
                          : SS_RELATIVE_ZERO * (fabs(still[k]) + fabs(raw[k]));
    if (own->larger[j] == 0 && fabs(difference) > small) own->larger[j] = difference > 0.0 ? 1 : -1;
    rest[k] = own->larger[j] > 0 ? still[k] : kinetic[k];
}

void ss_open_begin_levels(const ss_inputs* inputs, ss_open_run* open)
{
    for (int l = 0; l < open->following_count; l++) {
        ss_open_following* own = &open->following[l];
        memset(series_of(inputs, own->contact), 0, 4 * WIDTH * sizeof(double));
    }
}

static bool waits(const ss_model* model, const ss_open_following* own)
{
    return model->contacts[own->contact].follows_forces;
}

// What of the levels does not follow forces: forces that are a level begin with it.
static void begin_with_rest(ss_sim* sim, const ss_open_following* own, int k)
{
    double* level = series_of(&sim->inputs, own->contact);
    for (int j = 0; j < 2 * STATIC; j++)
        level[j * WIDTH + k] = own->output[j] >= 0 ? ss_level_apart(sim, own->output[j], k)
                                                   : raw_level(sim->model, &sim->open, own, j, k);
}

void ss_open_update_levels(ss_sim* sim, int k)
{
    for (int l = 0; l < sim->open.following_count; l++) {
        ss_open_following* own = &sim->open.following[l];
        if (waits(sim->model, own)) begin_with_rest(sim, own, k);
        for (int j = 0; j < STATIC && !waits(sim->model, own); j++) follow_direction(sim, own, j, k);
    }
}

void ss_open_complete_levels(ss_sim* sim, int k)
{
    for (int l = 0; l < sim->open.following_count; l++)
        for (int j = 0; j < STATIC && waits(sim->model, &sim->open.following[l]); j++)
            follow_direction(sim, &sim->open.following[l], j, k);
}

bool ss_open_given_levels(ss_sim* sim)
{
    for (int l = 0; l < sim->open.following_count; l++) {
        ss_open_following* own = &sim->open.following[l];
        for (int which = 0; which < 4; which++) {
            const ss_signal* signal = sim->model->contacts[own->contact].level[which];
            if (!signal || ss_input_series(sim, signal, sim->step.order, own->raw + which * WIDTH, 1))
                continue;
            ss_open_name_level(sim->model, &sim->inputs, &sim->open, own->contact, which);
            return false;
        }
    }
    return true;
}

// The step ends where sign * series + up becomes 0.
static void watch(const ss_step* step, ss_inputs* inputs, const double a[], const double b[], double sign,
                  double up)
{
    double* g = ss_add_kink(inputs);
    for (int k = 0; k <= step->order; k++)
        g[k] = k <= step->order - 2 ? sign * (a[k] - (b ? b[k] : 0.0)) : 0.0;
    g[0] += up;
}

void ss_open_watch_levels(ss_sim* sim)
{
    for (int l = 0; l < sim->open.following_count; l++) {
        const ss_open_following* own = &sim->open.following[l];
        for (int j = 0; j < STATIC; j++) {
            const double *raw = own->raw + j * WIDTH, *still = raw + STATIC * WIDTH;
            double small = rounding_of(sim, own, j, raw[1]), both = small;
            if (is_given(&sim->model->contacts[own->contact], j))
                watch(&sim->step, &sim->inputs, raw, NULL, 1.0, fmax(small - raw[0], small));
            if (!is_given(&sim->model->contacts[own->contact], j + STATIC) || own->larger[j] == 0) continue;
            both += rounding_of(sim, own, j + STATIC, still[1]);
            watch(&sim->step, &sim->inputs, still, raw, own->larger[j], both);
        }
    }
}
