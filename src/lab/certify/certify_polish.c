// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The problem of certify_level.c near a good point, to rounding. Contacts that do not move there (b_k x = 0)
// stay so, the others keep their signs: on what is left, with orthonormal coordinates c,
//     minimise |c|^2   where   c^T H c + g^T c = 0.
// Its stationary points are c = -(mu/2) (1 + mu H)^-1 g, with mu a zero of
//     psi(mu) = sum_i g_i^2 (1 + mu h_i / 2) / (1 + mu h_i)^2      (h_i, g_i along the eigenvectors of H).
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/certify/certify_level.h"
#include "lab/certify/zonotope.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rows b_k that x nearly annihilates, into rows; the signed sum of the others into force.
static int sort_contacts(const ss_level* p, double still, double rows[], double force[])
{
    int n = p->n, count = 0;
    double size = ss_algebra_norm(p->best_x, n);
    memset(force, 0, (size_t)n * sizeof *force);
    for (int k = 0; k < p->m; k++) {
        const double* b = &p->b[k * n];
        double along = ss_algebra_dot(b, p->best_x, n);
        if (fabs(along) <= still * ss_algebra_norm(b, n) * size)
            memcpy(&rows[count++ * n], b, (size_t)n * sizeof *b);
        else
            for (int i = 0; i < n; i++) force[i] += along > 0.0 ? b[i] : -b[i];
    }
    return count;
}

// Newton's method on psi from mu on; NaN where it does not settle.
static double solve_psi(const double h[], const double g[], int d, double mu)
{
    for (int round = 0; round < 60; round++) {
        double psi = 0.0, slope = 0.0;
        for (int i = 0; i < d; i++) {
            double w = 1.0 + mu * h[i], square = g[i] * g[i];
            psi += square * (1.0 + 0.5 * mu * h[i]) / (w * w);
            slope += square * h[i] * (0.5 * w - 2.0 - mu * h[i]) / (w * w * w);
        }
        double next = mu - psi / slope;
        if (!isfinite(next)) return NAN;
        if (fabs(next - mu) <= 4.0 * DBL_EPSILON * fabs(mu)) return next;
        mu = next;
    }
    return mu;
}

typedef struct cell {
    double *rows, *force, *basis, *H, *h, *g, *x;
} cell;

// H, h, g in the null space of the rows, and the stationary point nearest to the present one.
static bool solve_cell(const ss_level* p, const cell* c, int rows)
{
    int n = p->n;
    double largest = 0.0;
    for (int k = 0; k < rows; k++) largest = fmax(largest, ss_algebra_norm(&c->rows[k * n], n));
    int d = ss_algebra_null_space(c->rows, rows, n, ss_zonotope_rank_tolerance * largest, c->basis);
    if (d < 0) return false;
    memset(c->H, 0, (size_t)d * (size_t)d * sizeof *c->H);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            for (int k = 0; k < n; k++)
                c->H[i * d + j] += c->basis[i * n + k] * p->theta[k] * c->basis[j * n + k];
    if (!ss_algebra_eigen(c->H, d, c->h)) return false;
    double* axes = c->rows; // no longer needed: d <= n rows of eigenvectors in x
    ss_algebra_multiply(c->H, c->basis, d, d, n, axes);
    double square = 0.0, along = 0.0;
    for (int i = 0; i < d; i++) {
        c->g[i] = ss_algebra_dot(&axes[i * n], c->force, n);
        double share = ss_algebra_dot(&axes[i * n], p->best_x, n);
        square += share * share;
        along += share * c->g[i];
    }
    double mu = solve_psi(c->h, c->g, d, 2.0 * square / along);
    memset(c->x, 0, (size_t)n * sizeof *c->x);
    for (int i = 0; i < d; i++)
        for (int k = 0; k < n; k++) c->x[k] -= 0.5 * mu * c->g[i] / (1.0 + mu * c->h[i]) * axes[i * n + k];
    return true;
}

// The point of the cell below x, without solving for anything: x with its small relative speeds set to 0.
static bool drop_to_cell(const ss_level* p, const cell* c, int rows)
{
    int n = p->n;
    double largest = 0.0;
    for (int k = 0; k < rows; k++) largest = fmax(largest, ss_algebra_norm(&c->rows[k * n], n));
    int d = ss_algebra_null_space(c->rows, rows, n, ss_zonotope_rank_tolerance * largest, c->basis);
    memset(c->x, 0, (size_t)n * sizeof *c->x);
    for (int i = 0; i < d; i++) {
        double share = ss_algebra_dot(&c->basis[i * n], p->best_x, n);
        for (int k = 0; k < n; k++) c->x[k] += share * c->basis[i * n + k];
    }
    return d >= 0;
}

static void take_better(ss_level* p, const double x[], double s)
{
    double level = ss_level_on_ray(p, x);
    if (!(level < p->best)) return;
    p->best = level;
    for (int i = 0; i < p->n; i++) p->best_x[i] = s * x[i];
}

// Puts best_x where V' turns positive, so that the multiplier can be read off it.
static void scale_to_edge(ss_level* p)
{
    double damping = 0.0;
    for (int i = 0; i < p->n; i++) damping += p->theta[i] * p->best_x[i] * p->best_x[i];
    double s = ss_level_friction(p, p->best_x) / -damping;
    for (int i = 0; i < p->n && isfinite(s) && s > 0.0; i++) p->best_x[i] *= s;
}

bool ss_level_polish(ss_level* p)
{
    size_t n = (size_t)p->n, m = (size_t)p->m, more = m > n ? m : n;
    double* room = ss_new(more * n + 2 * n * n + 4 * n, sizeof *room);
    if (!room) return false;
    cell c = {.rows = room, .basis = room + more * n};
    c.H = c.basis + n * n;
    c.force = c.H + n * n;
    c.h = c.force + n;
    c.g = c.h + n;
    c.x = c.g + n;
    bool good = true;
    for (double still = 1e-2; good && still > SS_CLEAR; still *= 0.1) {
        scale_to_edge(p);
        good = drop_to_cell(p, &c, sort_contacts(p, still, c.rows, c.force));
        if (good) take_better(p, c.x, 1.0);
        if (good) good = solve_cell(p, &c, sort_contacts(p, still, c.rows, c.force));
        if (good) take_better(p, c.x, 1.0);
    }
    free(room);
    return good;
}
