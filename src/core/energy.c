// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/energy.h"

#include <float.h>
#include <math.h>

// Share of the largest entry that rounding may take, and how many tolerances a whole run may. Chosen, not
// proved, from the 25 models of this tree and the runs that were found wrong: residuals of right runs reached
// at most 2.3e-12 of the largest entry, those of wrong ones began at 3.3e-6.
static const double rounding = 1e-11, tolerances = 10.0;

double ss_energy_allowed(const double entries[], int count, double tolerance, long events)
{
    double largest = 0.0;
    for (int k = 0; k < count; k++) largest = fmax(largest, fabs(entries[k]));
    return (rounding + (double)events * DBL_EPSILON + tolerances * tolerance) * largest;
}
