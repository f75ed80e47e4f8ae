// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "core/algebra/elliptic.h"
#include "core/tolerance.h"

#include <math.h>

static const double half_pi = 1.57079632679489661923;

// Landen's transformation, descending: with the pair (a_n, g_n) of the arithmetic-geometric mean,
// a_0 = 1, g_0 = sqrt(mc), an integral of (s cos^2 + t sin^2) keeps its form with new weights. Everything
// added is positive. c_n = (a_{n-1} - g_{n-1})/2 is kept as c_n / m^(2^(n-1)), so that nothing underflows
// early:
//     D - B = 2 K sum_{n>=1} 2^(n-1) c_n^2 / m.
static double agm_weighted(double kc, double cos_weight, double sin_weight)
{
    double a = cos_weight, b = sin_weight, p = 1.0, e = kc, mean = 1.0, g = kc;
    for (int n = 0; n < 32; n++) {
        double f = a, ratio = e / p, old = mean;
        a += b / p;
        b = 2.0 * (b + f * ratio);
        p += ratio;
        mean += g;
        if (fabs(old - g) <= SS_ROOT_BIT * old) break; // the next correction is its square
        g = 2.0 * sqrt(e);
        e = g * mean;
    }
    return half_pi * (a * mean + b) / (mean * (mean + p));
}

// (D - B)/m / (2 K) = sum over n >= 1 of 2^(n-1) c_n^2 / m^2.
static double difference_share(double m, double kc)
{
    double a = 1.0, g = kc, sum = 0.0, power = 1.0, c_over_m = 0.0;
    for (int n = 1; n < 32; n++) {
        double next = 0.5 * (a + g);
        // The recurrence is c_{n+1} = c_n^2/(4 a_{n+1}).
        c_over_m = n == 1 ? 0.25 / next : m * c_over_m * c_over_m / (4.0 * next);
        g = sqrt(a * g);
        a = next;
        double term = power * c_over_m * c_over_m;
        sum += term;
        if (term <= SS_UNNOTICED * sum) break;
        power *= 2.0;
    }
    return sum;
}

ss_elliptic ss_elliptic_of(double small, double large)
{
    double k = small / large;
    ss_elliptic f = {.m = k * k, .mc = ((large - small) / large) * (1.0 + k)};
    if (f.mc <= 0.0) {
        f.B = f.E = 1.0;
        f.K = f.D = f.C = INFINITY;
        return f;
    }
    double kc = sqrt(f.mc);
    f.B = agm_weighted(kc, 1.0, 0.0);
    f.D = agm_weighted(kc, 0.0, 1.0);
    f.K = f.B + f.D;
    f.E = f.B + f.mc * f.D;
    f.C = f.m > 0.5 ? (f.D - f.B) / f.m : 2.0 * f.K * difference_share(f.m, kc);
    return f;
}
