// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Levels: friction levels of Coulomb contacts that vary in time, as series along a step.
//
//   reads    t, order; the signals and constants of the model
//   writes   level (four series per contact: kinetic forward and backward, level at rest forward and
//            backward) and watches (functions that start positive and whose zero ends the step)
//   promise  kinetic levels start at 0 or above; a level at rest is the larger of the static and the kinetic
//            one along the whole step, to SS_RELATIVE_ZERO of their terms; where both are equal to rounding
//            they are equal to the bit
//   fails    where a level is not finite, or a kinetic level is below 0 by more than rounding
//
// What is below SS_RELATIVE_ZERO of the terms that a level is made of is zero. So the watches are shifted up
// by that much: a level that touches 0, or a static level that touches the kinetic one, ends no step, and one
// that crosses ends it later by a time in which it changes by as much.
#include "core/tolerance.h"
#include "engine/flow/input_series.h"

#include "law/table.h"

#include <float.h>
#include <math.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

// Size of level j of a contact at t, and of its rounding because t is rounded: its slope is given.
static double level_size(const ss_step* step, const ss_contact* contact, int j, double constant, double slope)
{
    double size = contact->level[j] ? ss_signal_size(contact->level[j], step->t) : fabs(constant);
    return size + 4.0 * DBL_EPSILON / SS_RELATIVE_ZERO * fabs(step->t * slope);
}

// The step ends where sign * series + up becomes 0.
static void watch(const ss_step* step, ss_inputs* inputs, const double series[], double sign, double up)
{
    double* g = ss_add_kink(inputs);
    for (int k = 0; k <= step->order; k++) g[k] = sign * series[k];
    g[0] += up;
}

// Sign of a - b right after the start of the step: that of the first coefficient above rounding; 0 where
// there is none.
static double compare(const double a[], const double b[], int order, double small)
{
    for (int k = 0; k <= order; k++) {
        double difference = a[k] - b[k];
        double rounding = k == 0 ? small : SS_RELATIVE_ZERO * (fabs(a[k]) + fabs(b[k]));
        if (fabs(difference) > rounding) return difference > 0.0 ? 1.0 : -1.0;
    }
    return 0.0;
}

// The level at rest in direction j: the larger of the static level (in `rest` so far) and the kinetic one.
static void choose_larger(const ss_step* step, ss_inputs* inputs, const ss_contact* contact, int j,
                          const double kinetic[], double rest[], double size)
{
    double difference[WIDTH], sign = -1.0;
    bool given = contact->level[j + 2] || contact->at_rest[j] > 0.0;
    if (given) {
        double small =
            SS_RELATIVE_ZERO * (size + level_size(step, contact, j + 2, contact->at_rest[j], rest[1]));
        sign = compare(rest, kinetic, step->order, small);
        for (int k = 0; k <= step->order; k++) difference[k] = rest[k] - kinetic[k];
        if (sign != 0.0) watch(step, inputs, difference, sign, small);
    }
    if (sign > 0.0 && rest[0] < kinetic[0]) rest[0] = kinetic[0]; // by rounding
    for (int k = 0; k <= step->order && sign <= 0.0; k++) rest[k] = kinetic[k];
}

bool ss_prepare_levels(const ss_model* model, ss_step* step, ss_inputs* inputs, int i, int* which)
{
    const ss_contact* contact = &model->contacts[i];
    double* level = inputs->level + (size_t)inputs->level_at[i] * 4 * WIDTH;
    for (int j = 0; j < 2; j++) {
        double *kinetic = level + j * WIDTH, *rest = kinetic + 2 * WIDTH;
        double size = level_size(step, contact, j, contact->levels[j], kinetic[1]),
               small = SS_RELATIVE_ZERO * size;
        *which = j;
        bool sinks = kinetic[0] < -0.5 * small && kinetic[1] < 0.0;
        if (sinks || kinetic[0] < -4.0 * small) return false;
        if (contact->level[j]) watch(step, inputs, kinetic, 1.0, fmax(small - kinetic[0], small));
        if (kinetic[0] < 0.0) kinetic[0] = 0.0;
        choose_larger(step, inputs, contact, j, kinetic, rest, size);
    }
    return true;
}

double ss_level_size(const ss_model* model, int i, bool forward, double t)
{
    double size = 0.0;
    for (int j = forward ? 0 : 1; j < 4; j += 2) {
        const ss_signal* level = model->contacts[i].level[j];
        if (level) size = fmax(size, ss_signal_size(level, t));
    }
    return size;
}

bool ss_level_falls(const ss_model* model, const ss_inputs* inputs, int i, bool plus, int k)
{
    const ss_contact* contact = &model->contacts[i];
    const double* constant = contact->levels;
    if (!contact->falling) return false;
    if (inputs->level_at[i] < 0 || contact->loaded)
        return plus ? constant[SS_STATIC_FORWARD] > constant[SS_FORWARD]
                    : constant[SS_STATIC_BACKWARD] > constant[SS_BACKWARD];
    const double* kinetic = inputs->level + ((size_t)inputs->level_at[i] * 4 + (plus ? 0 : 1)) * WIDTH;
    for (int j = 0; j <= k; j++)
        if (kinetic[2 * WIDTH + j] != kinetic[j]) return true;
    return false;
}
