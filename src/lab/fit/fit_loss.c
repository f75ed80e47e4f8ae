// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What is made least: squares, or Huber's loss, in standard deviations r of the noise,
//     rho(r) = r^2/2 where |r| <= k,   k (|r| - k/2) beyond,
// as a sum of squares of s = sgn(r) sqrt(2 rho(r)), so that Levenberg and Marquardt see nothing new.
#include "lab/fit/fit_impl.h"

#include <stdlib.h>

static const double k = SS_FIT_HUBER;

double ss_fit_loss(const ss_fit_problem* p, double r, double* slope)
{
    if (slope) *slope = 1.0;
    if (p->def.loss == SS_LOSS_SQUARES || fabs(r) <= k) return r;
    double s = sqrt(k * (2.0 * fabs(r) - k));
    if (slope) *slope = k / s;
    return copysign(s, r);
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// 1.4826 times the median of the magnitudes is the standard deviation of normal noise.
static double by_median(const ss_fit_problem* p, int trace, double numbers[])
{
    size_t count = 0;
    for (long i = 0; i < p->m; i++)
        if (p->rows[i].trace == trace && ss_fit_takes_part(p, i))
            numbers[count++] = fabs(p->scratch.values[i] - p->rows[i].value);
    if (count == 0) return 0.0;
    qsort(numbers, count, sizeof *numbers, by_size);
    double median = count % 2 ? numbers[count / 2] : 0.5 * (numbers[count / 2 - 1] + numbers[count / 2]);
    return 1.482602218505602 * median;
}

double ss_fit_scatter(const ss_fit_problem* p, int trace, double freedom)
{
    double squares = 0.0;
    if (p->def.loss == SS_LOSS_HUBER) {
        double* numbers = malloc((size_t)(p->m > 0 ? p->m : 1) * sizeof *numbers);
        double scatter = numbers ? by_median(p, trace, numbers) : p->columns[trace].sigma;
        free(numbers);
        return scatter;
    }
    for (long i = 0; i < p->m; i++) {
        if (p->rows[i].trace != trace || !ss_fit_takes_part(p, i)) continue;
        double off = p->scratch.values[i] - p->rows[i].value;
        squares += off * off;
    }
    return sqrt(squares / freedom);
}

// The variance of an estimate that makes the sum of rho least is E[psi^2]/E[psi']^2 times that of least
// squares with noise of size 1, psi the derivative of rho.
double ss_fit_inflation(const ss_fit_problem* p)
{
    double squares = 0.0, inside = 0.0;
    long count = 0;
    if (p->def.loss == SS_LOSS_SQUARES) return 1.0;
    for (long i = 0; i < p->m; i++) {
        if (!ss_fit_takes_part(p, i)) continue;
        double r = (p->scratch.values[i] - p->rows[i].value) / p->columns[p->rows[i].trace].sigma;
        double psi = fmin(fmax(r, -k), k);
        squares += psi * psi;
        inside += fabs(r) <= k;
        count++;
    }
    if (count <= p->n || inside == 0.0) return 1.0;
    return sqrt(squares / (double)(count - p->n)) / (inside / (double)count);
}
