// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The derivative of one number of a model, from its values in the models of a direction.
#include "engine/sensitivity/sensitivity.h"

#include "core/tolerance.h"

#include <float.h>
#include <math.h>

bool ss_direction_is_even(const ss_direction* from, double* by_h)
{
    const double* w = from->weights;
    if (from->model_count != SS_EVEN_MODELS) return false;
    *by_h = -280.0 * w[SS_EVEN_MODELS - 1];
    return fabs(w[4] - 0.8 * *by_h) <= SS_SUM_NOISE * fabs(w[4]);
}

// Whether values at -4 h .. 4 h lie on a straight line, as far as their digits tell; then its slope, from the
// ends: that loses fewer digits than the weights.
static bool straight(const ss_direction* from, const double value[], double* slope)
{
    double by_h, size = 0.0, outer = (value[7] - value[0]) / 8.0;
    if (!ss_direction_is_even(from, &by_h)) return false;
    for (int k = 0; k < SS_EVEN_MODELS; k++) size = fmax(size, fabs(value[k]));
    *slope = outer * by_h;
    for (int k = 1; k < 4; k++)
        if (!(fabs((value[7 - k] - value[k]) / (8.0 - 2.0 * k) - outer) <= 2.0 * DBL_EPSILON * size))
            return false;
    return true;
}

double ss_direction_sum(const ss_direction* from, const double value[])
{
    double sum = 0.0, size = 0.0, slope;
    if (straight(from, value, &slope)) return slope;
    for (int k = 0; k < from->model_count; k++) {
        sum += from->weights[k] * value[k];
        size += fabs(from->weights[k] * value[k]);
    }
    return fabs(sum) > 16.0 * DBL_EPSILON * size ? sum : 0.0;
}
