// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How well a fraction is known from a sample.
#include "share/chance.h"
#include "slipstick/basin.h"

#include <math.h>

// The fractions p whose distance from the observed p0 = k/n is at most z standard errors of p itself,
//     (p - p0)^2 <= z^2 p (1 - p) / n,
// are those between the roots of (n + z^2) p^2 - (2 k + z^2) p + k^2/n. The smaller root comes from the
// larger and their product, and near 1 the roles of k and n - k are swapped, so that no digits cancel.
static double lower_root(double k, double n)
{
    const double z = 1.959963984540054; // 97.5 % of a normal distribution lie below
    double b = 2 * k + z * z, root = z * sqrt(z * z + 4 * k * (1 - k / n));
    return k > 0 ? 2 * k * (k / n) / (b + root) : 0;
}

void ss_interval_95(int64_t hits, int64_t trials, double* low, double* high)
{
    double k = (double)hits, n = (double)trials;
    *low = lower_root(k, n);
    *high = 1 - lower_root(n - k, n);
}
