// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities along a step on which laws are not linear: what is known of it (nonlinear_series.c,
// stop_change.c) and the recursion over the orders (nonlinear_recursion.c).
#ifndef SLIPSTICK_ENGINE_SENSITIVITY_NONLINEAR_SERIES_H
#define SLIPSTICK_ENGINE_SENSITIVITY_NONLINEAR_SERIES_H

#include "core/algebra/wide.h"
#include "engine/sensitivity/sensitivity.h"

enum { SS_SPREAD = SS_ALONG + 3 }; // of sums that are taken four at a time, and so a little beyond the end

// Of one sensitivity and contact.
typedef struct ss_nonlinear_contact {
    double z[SS_ALONG]; // how its state changes
    // How its force and rate do: force_p and rate_p at first, to which each order of the recursion adds what
    // it does to itself and to later ones.
    double force[SS_SPREAD], rate[SS_SPREAD];
    double y[SS_ALONG]; // of a stop that gives way: how the place changes, last orders first
    bool moves;         // force_p or rate_p is not 0
    double drag;        // of a law with elements: see change_of_drag; NaN: not known yet
} ss_nonlinear_contact;

// Of one sensitivity and element of a law with several.
typedef struct ss_nonlinear_element {
    double z[SS_ALONG];     // how its number changes
    double rate[SS_SPREAD]; // as above
    bool moves;             // rate_p is not 0
} ss_nonlinear_element;

struct ss_nonlinear_series {
    int* at;      // per contact: its place among those that may be nonlinear, or -1
    int* contact; // per place
    int count;
    bool* active; // per place: it is nonlinear on the present step
    ss_along_slopes* slopes;
    double (*by_place)[SS_ALONG]; // per place: of stops that give way, N/m
    double *speed,
        *accel; // n x SS_ALONG per sensitivity: how both change along a step with a clock, last first
    ss_nonlinear_contact* sensitivities; // per sensitivity and place
    ss_element_slopes* elements;         // per bristle number
    ss_nonlinear_element* pieces;        // per sensitivity and bristle number
    bool* general;                       // per sensitivity: more than laws and constants changes
};

// Coefficient k of a b, where b stands backwards from its end on: both are read forwards, four at a time.
static inline __attribute__((always_inline)) double ss_back_product(const double a[], const double back[],
                                                                    int k)
{
    const double* b = back + (SS_MAX_ORDER - k);
    ss_four sum = {0.0};
    double rest = 0.0;
    int j = 0;
    for (; j + 3 <= k; j += 4) sum += *(const ss_four*)(a + j) * *(const ss_four*)(b + j);
    for (; j <= k; j++) rest += a[j] * b[j];
    return ((sum[0] + sum[2]) + (sum[1] + sum[3])) + rest;
}

// The value of a series that stands backwards.
static inline double ss_back_value(const double back[], int last, double s)
{
    double sum = 0.0;
    for (int k = last; k >= 0; k--) sum = sum * s + back[SS_MAX_ORDER - k];
    return sum;
}

// The part of a list that belongs to coordinate i of sensitivity j.
static inline double* ss_back_of(const ss_derivative* der, double* list, int j, int i)
{
    return list + (size_t)(j * der->n + i) * SS_ALONG;
}

// The last order of accelerations on the present step.
static inline int ss_sensitivity_last_order(const ss_step* step)
{
    return step->clock.stop ? step->order - 1 : step->order - 2;
}

// stop_change.c
/// How the force of stop i, which is closed, changes along the present step per m and m/s; false: see there.
bool ss_sensitivity_stop_slopes(const ss_step* step, int i, int last, ss_along_slopes* out,
                                double by_place[]);
/// The same by the numbers of its law.
bool ss_sensitivity_stop_numbers(const ss_model* model, const ss_step* step, const ss_model_change* change,
                                 int i, int last, double force[]);

// nonlinear_recursion.c
/// All orders of all sensitivities.
void ss_run_nonlinear_series(ss_derivative* der);

#endif
