// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Coefficients of Radau IIA, from their definition, in extended precision.
#include "engine/flow/collocation.h"

#include <math.h>

enum { S = SS_STAGES };

// P_S - P_{S-1} (Legendre, on [0, 1]) and its derivative: its zeros are the nodes.
static long double node_function(long double u, long double* slope)
{
    long double x = 2.0L * u - 1.0L, before = 1.0L, now = x, slope_before = 0.0L, slope_now = 1.0L;
    for (int k = 1; k < S; k++) {
        long double next = ((2 * k + 1) * x * now - k * before) / (k + 1);
        long double slope_next = slope_before + (2 * k + 1) * now;
        before = now;
        now = next;
        slope_before = slope_now;
        slope_now = slope_next;
    }
    *slope = 2.0L * (slope_now - slope_before);
    return now - before;
}

// Zeros one after the other by Newton's method, with those found before divided out.
static void find_nodes(long double node[S])
{
    for (int i = 0; i < S; i++) {
        long double u =
            i == S - 1 ? 1.0L : 0.5L - 0.5L * cosl(3.14159265358979323846L * (2 * i + 1.3L) / (2 * S));
        for (int round = 0; round < 60 && i < S - 1; round++) {
            long double slope, value = node_function(u, &slope), shift = 0.0L;
            for (int j = 0; j < i; j++) shift += 1.0L / (u - node[j]);
            shift += 1.0L / (u - 1.0L);
            u -= value / (slope - value * shift);
        }
        node[i] = u;
    }
}

// Coefficients of the Lagrange polynomials.
static void expand(const long double node[S], long double power[S][S])
{
    for (int j = 0; j < S; j++) {
        long double poly[S + 1] = {1.0L};
        int degree = 0;
        for (int k = 0; k < S; k++) {
            if (k == j) continue;
            long double scale = 1.0L / (node[j] - node[k]);
            poly[++degree] = 0.0L;
            for (int m = degree; m >= 1; m--) poly[m] = (poly[m - 1] - node[k] * poly[m]) * scale;
            poly[0] *= -node[k] * scale;
        }
        for (int m = 0; m < S; m++) power[m][j] = poly[m];
    }
}

void ss_collocation_make(ss_collocation* method)
{
    long double node[S], power[S][S], once[S][S];
    find_nodes(node);
    expand(node, power);
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            long double sum = 0.0L;
            for (int m = S - 1; m >= 0; m--) sum = (sum + power[m][j] / (m + 1)) * node[i];
            once[i][j] = sum;
        }
    for (int i = 0; i < S; i++) {
        method->node[i] = (double)node[i];
        for (int j = 0; j < S; j++) {
            long double sum = 0.0L;
            for (int k = 0; k < S; k++) sum += once[i][k] * once[k][j];
            method->once[i][j] = (double)once[i][j];
            method->twice[i][j] = (double)sum;
            method->power[i][j] = (double)power[i][j];
        }
    }
}

// Coefficient of u^k in the Legendre polynomial of degree m on [0, 1]: (-1)^(m+k) (m over k) (m+k over k).
static double legendre(int m, int k)
{
    double product = (m + k) % 2 == 0 ? 1.0 : -1.0;
    for (int j = 1; j <= k; j++) product *= (double)(m - k + j) * (m + j) / ((double)j * j);
    return product;
}

// The share of b that is left after two more coefficients, per coefficient.
static double decay(double a, double b) { return a < b ? sqrt(a / b) : 1.0; }

// Coefficients in Legendre polynomials fall off geometrically where the step suits what they stand for.
// How fast is told by two pairs, each two degrees apart, and the last by the larger of itself and what the
// one before leads to expect: any single coefficient may vanish by chance, and would promise far too much.
double ss_collocation_value_error(const double polynomial[], int stride)
{
    enum { LAST = S - 1, KEPT = 4 };
    double size[KEPT], rest[KEPT]; // of degrees LAST, LAST - 1, ..
    for (int i = 0; i < KEPT; i++) rest[i] = polynomial[(LAST - i) * stride];
    for (int i = 0; i < KEPT; i++) {
        double coefficient = rest[i] / legendre(LAST - i, LAST - i);
        for (int j = i + 1; j < KEPT; j++) rest[j] -= coefficient * legendre(LAST - i, LAST - j);
        size[i] = fabs(coefficient);
    }
    double ratio = fmax(decay(size[0], size[2]), decay(size[1], size[3]));
    double last = fmax(size[0], size[1] * ratio);
    return last * ratio;
}

// As the integral of the polynomial of degree S - 1.
double ss_collocation_error(const double derivative[], int stride, double h)
{
    return fabs(h) * ss_collocation_value_error(derivative, stride) / (2.0 * (2 * S - 1));
}
