// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A lower bound of the problem of certify_level.c with y in a box, by duality. For a multiplier mu >= 0 and
// any t with |t_k| <= mu,
//
//     |x|^2 >= |x|^2 + mu (f(x) + sum theta_i z_i^2 - secant(y)) >= |x|^2 + t^T b x + mu (..),
//
// because what mu multiplies is <= 0 on the admissible points and f(x) = max of sum_k s_k b_k x over
// |s_k| <= 1. The right-hand side is a sum of parabolas in single coordinates: its least value over the box
// is elementary, and a proved bound whatever mu and t are. The best t for a given mu is a projection onto
// the box |t_k| <= mu; the best mu is where the bracket vanishes at the minimiser.
#include "core/algebra/projection.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/certify/certify_level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ss_relaxation {
    const double* ends;
    double mu;
    double *t, *trial; // m
    double* along;     // n: b^T t
    double *a, *h, *low, *high, *residual, *scratch;
    signed char* at;
    bool* clamped; // per y: at an end of the box
};

bool ss_level_prepare(ss_level* p)
{
    struct ss_relaxation* r = ss_pool_new(&p->pool, 1, sizeof *r);
    size_t m = (size_t)p->m, n = (size_t)p->n;
    double* room =
        ss_pool_new(&p->pool, m * m + 6 * m + 2 * n + (size_t)ss_projection_scratch(p->m), sizeof *room);
    if (!r || !room) return false;
    *r = (struct ss_relaxation){.a = room, .t = room + m * m};
    r->trial = r->t + m;
    r->h = r->trial + m;
    r->low = r->h + m;
    r->high = r->low + m;
    r->residual = r->high + m;
    r->along = r->residual + m;
    p->x = r->along + n;
    r->scratch = p->x + n;
    r->at = ss_pool_new(&p->pool, m, sizeof *r->at);
    r->clamped = ss_pool_new(&p->pool, n, sizeof *r->clamped);
    p->relaxation = r;
    return !p->pool.failed;
}

// The bound for mu and t, and its minimiser p->x.
static double evaluate(ss_level* p, const double t[])
{
    struct ss_relaxation* r = p->relaxation;
    double sum = 0.0;
    memset(r->along, 0, (size_t)p->n * sizeof *r->along);
    for (int k = 0; k < p->m; k++)
        for (int i = 0; i < p->n; i++) r->along[i] += t[k] * p->b[k * p->n + i];
    for (int i = 0; i < p->negative; i++) {
        double l = r->ends[2 * i], u = r->ends[2 * i + 1], weight = -r->mu * p->theta[i];
        double slope = r->along[i] - weight * (l + u), y = fmin(fmax(-0.5 * slope, l), u);
        r->clamped[i] = y == l || y == u;
        p->x[i] = y;
        sum += y * (y + slope) + weight * l * u;
    }
    for (int i = p->negative; i < p->n; i++) {
        double stiff = 1.0 + r->mu * p->theta[i];
        p->x[i] = -0.5 * r->along[i] / stiff;
        sum -= 0.25 * r->along[i] * r->along[i] / stiff;
    }
    return sum;
}

// With the y that are clamped staying so, the bound is a parabola in t: 1/2 t^T a t + h^T t is its negative.
static void fill_model(ss_level* p)
{
    struct ss_relaxation* r = p->relaxation;
    int n = p->n, m = p->m;
    memset(r->h, 0, (size_t)m * sizeof *r->h);
    memset(r->a, 0, (size_t)m * (size_t)m * sizeof *r->a);
    for (int i = 0; i < n; i++) {
        bool is_y = i < p->negative, clamped = is_y && r->clamped[i];
        double stiff = is_y ? 1.0 : 1.0 + r->mu * p->theta[i];
        double pull = clamped ? p->x[i]
                      : is_y  ? -0.5 * r->mu * p->theta[i] * (r->ends[2 * i] + r->ends[2 * i + 1])
                              : 0.0;
        for (int k = 0; k < m; k++) {
            double b = p->b[k * n + i];
            r->h[k] -= pull * b;
            for (int l = 0; !clamped && l <= k; l++) r->a[k * m + l] += 0.5 * b * p->b[l * n + i] / stiff;
        }
    }
    for (int k = 0; k < m; k++) { // regular by a pull to the t at hand, which repeats until it pulls no more
        double pull = SS_FAINT * ss_algebra_dot(&p->b[k * n], &p->b[k * n], n);
        r->a[k * m + k] += pull;
        r->h[k] -= pull * r->t[k];
        for (int l = 0; l < k; l++) r->a[l * m + k] = r->a[k * m + l];
    }
}

// The best t for the present mu, from r->t on; returns the bound.
static double improve(ss_level* p)
{
    struct ss_relaxation* r = p->relaxation;
    for (int k = 0; k < p->m; k++) {
        r->high[k] = r->mu;
        r->low[k] = -r->mu;
        r->t[k] = fmin(fmax(r->t[k], -r->mu), r->mu);
    }
    double bound = evaluate(p, r->t);
    for (int round = 0; round < 12; round++) {
        ss_projection problem = {p->m, r->a, r->h, r->low, r->high, r->trial, r->residual, r->at};
        fill_model(p);
        ss_project(&problem, r->scratch);
        double better = bound, length = 1.0;
        for (int halving = 0; halving < 6; halving++, length *= 0.5) {
            for (int k = 0; k < p->m; k++)
                r->trial[k] = r->t[k] + (halving ? 0.5 : 1.0) * (r->trial[k] - r->t[k]);
            better = evaluate(p, r->trial);
            if (better > bound) break;
        }
        if (!(better > bound + SS_SUM_NOISE * fabs(bound))) break;
        memcpy(r->t, r->trial, (size_t)p->m * sizeof *r->t);
        bound = better;
    }
    return evaluate(p, r->t);
}

// What mu multiplies, at the minimiser: the slope of the bound in mu.
static double slope_in_mu(const ss_level* p)
{
    const struct ss_relaxation* r = p->relaxation;
    double sum = ss_algebra_dot(r->along, p->x, p->n) / r->mu;
    for (int i = 0; i < p->negative; i++) {
        double l = r->ends[2 * i], u = r->ends[2 * i + 1];
        sum += p->theta[i] * ((l + u) * p->x[i] - l * u);
    }
    for (int i = p->negative; i < p->n; i++) sum += p->theta[i] * p->x[i] * p->x[i];
    return sum;
}

double ss_level_bound(ss_level* p, const double ends[], double* multiplier)
{
    struct ss_relaxation* r = p->relaxation;
    double low = 0.0, high = INFINITY, low_slope = 0.0, high_slope = 0.0, best = -INFINITY;
    r->ends = ends;
    r->mu = fmax(*multiplier, -0.02 / p->theta[0]); // 2 / max |theta| is its natural size
    memset(r->t, 0, (size_t)p->m * sizeof *r->t);
    for (int round = 0; round < 30; round++) {
        double bound = improve(p), slope = slope_in_mu(p);
        if (bound > best) {
            best = bound;
            *multiplier = r->mu;
        }
        if (best >= 2.0 * p->best || fabs(slope) * r->mu <= SS_SOLVED * fabs(bound)) break;
        if (slope > 0.0) {
            low = r->mu;
            low_slope = slope;
        } else {
            high = r->mu;
            high_slope = slope;
        }
        double next = isinf(high)  ? 4.0 * low
                      : low == 0.0 ? 0.25 * high
                                   : low + (high - low) * low_slope / (low_slope - high_slope);
        if (low > 0.0 && high < INFINITY) {
            if (round % 3 == 2) next = 0.5 * (low + high);
            if (high - low <= SS_RELATIVE_ZERO * high) break;
        }
        double share = next / r->mu;
        for (int k = 0; k < p->m; k++) r->t[k] *= share;
        r->mu = next;
    }
    return 0.5 * best;
}
