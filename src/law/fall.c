// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The Stribeck curve, at a point and as a series.
#include "law/fall.h"

#include "core/algebra/first_zero.h"
#include "core/algebra/product.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>

bool ss_power_is_whole(double shape) { return shape <= 4.0 && shape == floor(shape); }

ss_jet ss_fall_level(ss_jet coulomb, ss_jet static_level, ss_jet speed, ss_jet shape, ss_jet u)
{
    if (static_level.value == coulomb.value && !isfinite(speed.value)) return coulomb;
    ss_jet power = ss_jet_power(ss_jet_div(u, speed), shape), fall = ss_jet_of(SS_OP_EXP, ss_jet_neg(power));
    return ss_jet_add(coulomb, ss_jet_mul(ss_jet_sub(static_level, coulomb), fall));
}

double ss_fall_at(double speed, double shape, double u, double* slope)
{
    double x = ss_power_is_whole(shape) ? u / speed : fabs(u) / speed;
    double p = shape == 2.0 ? x * x : pow(x, shape), fall = exp(-p);
    *slope = u != 0.0 ? -fall * shape * p / u : shape == 1.0 ? -fall / speed : 0.0;
    return fall;
}

double ss_fall_change_at(double speed, double shape, double u, double by_speed, double by_shape)
{
    double x = ss_power_is_whole(shape) ? u / speed : fabs(u) / speed;
    double p = shape == 2.0 ? x * x : pow(x, shape), fall = exp(-p), sum = 0.0;
    if (by_speed != 0.0) sum += by_speed * shape / speed * p * fall;
    if (by_shape != 0.0 && u != 0.0) sum -= by_shape * pow(fabs(x), shape) * log(fabs(x)) * fall;
    return sum;
}

// Coefficient k of (u/speed)^shape. Whole shapes up to 4 are products and so analytic at u = 0; others follow
// from u p' = shape u' p, and count as 0 where they are below rounding.
static double power_coefficient(double speed, double shape, const double u[], const double u2[],
                                const double p[], int k)
{
    if (shape == 1.0) return u[k] / speed;
    if (shape == 2.0) return u2[k] / (speed * speed);
    if (shape == 3.0) return ss_product(u2, u, k) / (speed * speed * speed);
    if (shape == 4.0) return ss_product(u2, u2, k) / (speed * speed * speed * speed);
    if (k == 0) {
        double value = u[0] > 0.0 ? pow(u[0] / speed, shape) : 0.0;
        return value < SS_UNNOTICED ? 0.0 : value;
    }
    if (p[0] == 0.0) return 0.0;
    double sum = 0.0;
    for (int j = 1; j <= k; j++) sum += (shape * j - (k - j)) * u[j] * p[k - j];
    return sum / (k * u[0]);
}

double ss_fall_coefficient(double speed, double shape, const double u[], double square[], double power[],
                           double fall[], int k)
{
    square[k] = ss_square(u, k);
    power[k] = power_coefficient(speed, shape, u, square, power, k);
    if (k == 0) return fall[0] = exp(-power[0]);
    double even = 0.0, odd = 0.0, j = 1.0; // two sums: none waits for the other
    const double* f = fall + k - 1;
    int l = 1;
    for (; l < k; l += 2, j += 2.0, f -= 2) {
        odd += j * power[l] * f[0];
        even += (j + 1.0) * power[l + 1] * f[-1];
    }
    if (l == k) odd += j * power[l] * f[0];
    return fall[k] = -(odd + even) / k;
}

bool ss_fall_slopes(double speed, double shape, const double u[], const double square[], const double fall[],
                    int last, double out[])
{
    double factor = -shape / speed, cube[SS_MAX_ORDER + 1];
    if (!ss_power_is_whole(shape)) return false;
    for (int k = 1; k < (int)shape; k++) factor /= speed;
    if (shape == 4.0) ss_multiply_series(square, u, 1.0, last, cube);
    const double* power = shape == 2.0 ? u : shape == 3.0 ? square : cube; // u^(shape - 1)
    if (shape != 1.0) ss_multiply_series(power, fall, factor, last, out);
    for (int k = 0; k <= last && shape == 1.0; k++) out[k] = factor * fall[k];
    return true;
}

void ss_fall_by_speed(double speed, double shape, const double power[], const double fall[], int last,
                      double out[])
{
    ss_multiply_series(power, fall, shape / speed, last, out);
}

// The series of exp(-p) is good while p changes by a few units; where p stays large, the term is nothing
// anyway.
static double exponent_reach(const double p[], int order, double h)
{
    const double nothing = 45.0, change = 2.5; // exp(-45) < 3e-20
    for (;; h *= 0.75) {
        double rest = 0.0;
        for (int k = order - 1; k >= 1; k--) rest = (rest + fabs(p[k])) * h;
        if (rest <= change || p[0] - rest >= nothing || h < DBL_MIN) return h;
    }
}

double ss_fall_nothing(double tolerance)
{
    const double most = 45.0; // exp(-45) < 3e-20
    return tolerance > 0.0 ? fmin(4.0 - log(tolerance), most) : most;
}

double ss_fall_absent_bound(const double u[], int order, double least, double h)
{
    ss_unit_polynomial g = {.degree = order - 1};
    double power = 1.0;
    for (int k = 0; k < order; k++, power *= h) g.c[k] = u[k] * power;
    g.c[0] -= least;
    ss_unit_measure(&g);
    if (ss_unit_is_clear(&g, 1.0)) return h;
    return g.c[0] > 0.0 ? h * fmin(ss_first_zero(&g, 1.0), 1.0) : 0.0;
}

static double rest_of(const double p[], int order, double h)
{
    double rest = 0.0;
    for (int k = order - 1; k >= 1; k--) rest = (rest + fabs(p[k])) * h;
    return rest;
}

// The same to a tolerance. exp(-p) has no larger coefficients than exp(-p0) exp(P), P = |p1| s + |p2| s^2 +
// ..: what is left out from order N on is about exp(-p0) P^N / N!.
static double tolerant_reach(const double p[], int order, double tolerance, double h)
{
    const double two_pi = 6.283185307179586;
    double n = order, digits = -log(tolerance), nothing = ss_fall_nothing(tolerance);
    double factorial = n * log(n) - n + 0.5 * log(two_pi * n); // Stirling's, of its logarithm
    double most = fmin(exp((p[0] + factorial - digits) / n), 0.5 * n);
    most = fmax(most, p[0] - nothing);
    if (rest_of(p, order, h) <= most) return h;
    while (rest_of(p, order, h *= 0.5) > most && h > DBL_MIN) continue;
    double more = 1.5;
    for (int round = 0; round < 3; round++, more = 0.5 * (1.0 + more))
        if (rest_of(p, order, more * h) <= most) h *= more;
    return h;
}

// What remains where p has fallen as far as a step lets it, that is by half the order, or to where nothing is
// left to the tolerance: less than 3e-20, or what the series at hand do not tell.
bool ss_fall_is_gone(const double power[]) { return power[0] >= ss_fall_nothing(0.0) + 0.5 * SS_MAX_ORDER; }

bool ss_fall_is_quiet(double shape, const double power[])
{
    return !ss_power_is_whole(shape) && power[0] == 0.0;
}

double ss_fall_step_bound(double speed, double shape, const double u[], const double power[], int order,
                          double tolerance, double faint, double least, double h)
{
    h = tolerance > 0.0 ? tolerant_reach(power, order, tolerance, h) : exponent_reach(power, order, h);
    if (!ss_fall_is_quiet(shape, power)) return h;
    // A fractional shape is not analytic at v = 0. It drops out below rounding; the step must end before
    // it comes back. What that does within the rounding of the speed, or of the time, matters to nobody.
    double quiet = fmax(speed * pow(SS_UNNOTICED, 1.0 / shape), faint), reach = h;
    for (int k = 1; k < 3; k++)
        if (u[k] != 0.0) reach = fmin(reach, pow(quiet / fabs(u[k]), 1.0 / k));
    return fmin(h, fmax(reach, least));
}

double ss_fall_tail(const double fall[], int order, double tolerance, double h)
{
    for (int k = order - 1; k >= order - 2 && k > 0; k--)
        if (fabs(fall[k]) > SS_NOT_ZERO) h = fmin(h, pow(tolerance / fabs(fall[k]), 1.0 / k));
    return h;
}
