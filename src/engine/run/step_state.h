// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sums of the series of the present step: in a header, because every step ends with one, of a width that is
// known where it is called.
#ifndef SLIPSTICK_ENGINE_RUN_STEP_STATE_H
#define SLIPSTICK_ENGINE_RUN_STEP_STATE_H

#include "core/algebra/polynomial.h"
#include "engine/sim.h"

#include <string.h>

/// Values and derivatives of `lanes` neighbouring series, of `width` in all. With `lanes` known where it is
/// called, the sums are kept in registers.
static inline void ss_sum_lanes(const double* first, const double* last, int width, double s, double value[],
                                double derivative[], const int lanes)
{
    double sum[2], slope[2];
    for (int j = 0; j < lanes; j++) {
        sum[j] = last[j];
        slope[j] = 0.0;
    }
    for (const double* row = last - width; row >= first; row -= width)
        for (int j = 0; j < lanes; j++) {
            slope[j] = slope[j] * s + sum[j];
            sum[j] = sum[j] * s + row[j];
        }
    for (int j = 0; j < lanes; j++) {
        value[j] = sum[j];
        derivative[j] = slope[j];
    }
}

/// Values and derivatives of `width` series at s, by one Horner sweep.
static inline void ss_sum_series(const double series[], int width, int order, double s,
                                 double* restrict value, double* restrict derivative)
{
    if (width == 0) return;
    if (s == 0.0) { // the start of the step
        memcpy(value, series, (size_t)width * sizeof(double));
        memcpy(derivative, series + width, (size_t)width * sizeof(double));
        return;
    }
    const double* last = series + (size_t)order * (size_t)width;
    if (width <= 4) {
        int i = 0;
        for (; i + 1 < width; i += 2)
            ss_sum_lanes(series + i, last + i, width, s, value + i, derivative + i, 2);
        if (i < width) ss_sum_lanes(series + i, last + i, width, s, value + i, derivative + i, 1);
        return;
    }
    for (int i = 0; i < width; i++) {
        value[i] = last[i];
        derivative[i] = 0.0;
    }
    for (const double* row = last - width; row >= series; row -= width)
        for (int i = 0; i < width; i++) {
            derivative[i] = derivative[i] * s + value[i];
            value[i] = value[i] * s + row[i];
        }
}

/// Positions and velocities of coordinates and drives at s, then the states.
static inline void ss_state_at(const ss_sim* sim, double s, double q[], double v[], double d[], double dv[])
{
    int n = sim->model->n, nd = sim->model->drive_count, states = sim->open.states;
    ss_sum_series(sim->step.q, n, sim->step.order, s, q, v);
    ss_sum_series(sim->step.d, nd, sim->step.order, s, d, dv);
    if (states > 0) ss_sum_series(sim->step.s, states, sim->step.order - 1, s, dv + nd, dv + nd + states);
    if (!sim->step.clock.stop) return;
    for (int i = 0; i < n; i++) { // the derivatives were in s
        v[i] = ss_poly_value(sim->step.clock.speed + i, n, sim->step.order, s);
    }
    if (nd > 0) memcpy(dv, sim->step.clock.drive_speed, (size_t)nd * sizeof(double));
}

#endif
