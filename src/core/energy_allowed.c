// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/energy_allowed.h"

#include <float.h>
#include <math.h>

static const double tolerances = 10.0; // as many may a whole run take

double ss_energy_allowed(const double entries[], int count, double tolerance, long events)
{
    double largest = 0.0;
    for (int k = 0; k < count; k++) largest = fmax(largest, fabs(entries[k]));
    return (SS_ENERGY_ROUNDING + (double)events * DBL_EPSILON + tolerances * tolerance) * largest;
}
