// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigenvalues of the damping, condition (31), and the numbers that follow from it: beta, rho_i, rho*.
//
// (28) reads beta sum_i |eta_i| <= p^T |W^T U eta| over the n_q eigenvectors u_i that are not damped. Both
// sides are support functions: of the cube with corners sum_i s_i u_i, s_i = +1 or -1, and of the zonotope Z
// of the sliding forces. So beta is the largest number for which beta times the cube lies in Z, the least
// over the corners of 1 / gauge(corner).
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/certify/certify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROGRAMS = 20000 }; // linear programs before beta becomes a bound

// ---- eigenvectors, the same on every machine

// Turns the rows v (count x n), which span the eigenvectors of one eigenvalue, into the orthonormal basis
// whose first vector is nearest to a coordinate axis, the second to another one, and so on: otherwise beta
// would depend on what the eigenvalue routine happens to choose.
static bool choose_basis(double v[], int count, int n)
{
    double* chosen = ss_new((size_t)count * (size_t)n, sizeof *chosen);
    if (!chosen) return false;
    for (int k = 0; k < count; k++) {
        int axis = -1;
        double most = 0.0;
        for (int j = 0; j < n; j++) {
            double share = 0.0;
            for (int i = 0; i < count; i++) share += v[i * n + j] * v[i * n + j];
            for (int i = 0; i < k; i++) share -= chosen[i * n + j] * chosen[i * n + j];
            if (share > most + SS_CLEAR) {
                most = share;
                axis = j;
            }
        }
        double* to = &chosen[k * n];
        for (int i = 0; i < count; i++)
            for (int j = 0; j < n; j++) to[j] += v[i * n + axis] * v[i * n + j];
        for (int turn = 0; turn < 2; turn++) // twice is enough for full orthogonality
            for (int i = 0; i < k; i++) {
                double along = ss_algebra_dot(to, &chosen[i * n], n);
                for (int j = 0; j < n; j++) to[j] -= along * chosen[i * n + j];
            }
        double length = ss_algebra_norm(to, n);
        for (int j = 0; j < n; j++) to[j] /= length;
    }
    memcpy(v, chosen, (size_t)count * (size_t)n * sizeof *v);
    free(chosen);
    return true;
}

static void point_forward(double v[], int n)
{
    int first = 0;
    while (first < n - 1 && fabs(v[first]) <= SS_RELATIVE_ZERO) first++;
    bool backward = v[first] < 0.0;
    for (int j = 0; backward && j < n; j++) v[j] = -v[j];
}

static bool order_eigenvectors(double values[], double vectors[], int n)
{
    double largest = fmax(fabs(values[0]), fabs(values[n - 1])), rounding = 8.0 * n * DBL_EPSILON * largest;
    for (int i = 0; i < n; i++)
        if (fabs(values[i]) <= rounding) values[i] = 0.0;
    for (int first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && values[end] - values[end - 1] <= rounding;) end++;
        if (end - first > 1 && !choose_basis(&vectors[first * n], end - first, n)) return false;
    }
    for (int i = 0; i < n; i++) point_forward(&vectors[i * n], n);
    return true;
}

// ---- the best beta

// Contacts that act independently: each corner has one way to be reached, and the worst corner for contact k
// is the one that adds up.
static double beta_of_independent(const ss_zonotope* z, const double u[], int count)
{
    double beta = INFINITY;
    for (int k = 0; k < z->count; k++) {
        double sum = 0.0;
        for (int i = 0; i < count; i++) sum += fabs(ss_algebra_dot(&z->pseudo[k * z->n], &u[i * z->n], z->n));
        if (sum > 0.0) beta = fmin(beta, z->level[k] / sum);
    }
    return beta;
}

typedef struct corner_search {
    const ss_zonotope* z;
    const double* u; // count x n
    int count, programs;
    const double* single; // gauge of each u_i
    double best;          // largest gauge of a corner
    double left;          // bound on the corners that were not looked at
    double* corner;       // (count + 1) x n: sums of the signed u_i decided so far
} corner_search;

// The gauge is a norm: what is still to be added raises it by its own gauge at most.
static void visit_corner(corner_search* s, int depth, double gauge)
{
    int n = s->z->n;
    double most = gauge;
    for (int i = depth; i < s->count; i++) most += s->single[i];
    if (depth == s->count) s->best = fmax(s->best, gauge);
    if (depth == s->count || most <= s->best) return;
    for (int sign = 1; sign >= -1; sign -= 2) {
        const double* from = &s->corner[depth * n];
        double* to = &s->corner[(depth + 1) * n];
        if (depth == 0 && sign < 0) return; // Z is symmetric
        if (++s->programs > MOST_PROGRAMS) {
            s->left = fmax(s->left, most);
            return;
        }
        for (int i = 0; i < n; i++) to[i] = from[i] + sign * s->u[depth * n + i];
        visit_corner(s, depth + 1, ss_zonotope_gauge(s->z, to));
    }
}

static double beta_of_redundant(const ss_zonotope* z, const double u[], int count, bool* is_bound)
{
    size_t n = (size_t)z->n;
    double* single = ss_new((size_t)count, sizeof *single);
    double* corner = ss_new(((size_t)count + 1) * n, sizeof *corner);
    double beta = NAN;
    if (single && corner) {
        for (int i = 0; i < count; i++) single[i] = ss_zonotope_gauge(z, &u[i * z->n]);
        corner_search s = {z, u, count, 0, single, 0.0, 0.0, corner};
        visit_corner(&s, 0, 0.0);
        *is_bound = s.left > s.best;
        beta = 1.0 / fmax(s.best, s.left);
    }
    free(single);
    free(corner);
    return beta;
}

// ---- the paper's beta: min p over the sum of |g_i|_1, g_i the shortest forces with W g_i = u_i

// Orthonormal columns of the forces without effect, so that they can be taken out.
static void orthonormalize(double f[], int rows, int columns)
{
    for (int c = 0; c < columns; c++) {
        for (int turn = 0; turn < 2; turn++)
            for (int d = 0; d < c; d++) {
                double along = 0.0;
                for (int r = 0; r < rows; r++) along += f[r * columns + c] * f[r * columns + d];
                for (int r = 0; r < rows; r++) f[r * columns + c] -= along * f[r * columns + d];
            }
        double length = 0.0;
        for (int r = 0; r < rows; r++) length = hypot(length, f[r * columns + c]);
        for (int r = 0; r < rows; r++) f[r * columns + c] /= length;
    }
}

static double paper_beta(const ss_zonotope* z, const double u[], int count)
{
    int m = z->count, unknowns = m - z->rank;
    double* f = ss_new((size_t)m * (size_t)unknowns, sizeof *f);
    double* g = ss_new((size_t)m, sizeof *g);
    double total = 0.0, least = INFINITY;
    if (f && g) {
        memcpy(f, z->free, (size_t)m * (size_t)unknowns * sizeof *f);
        orthonormalize(f, m, unknowns);
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < m; k++) g[k] = ss_algebra_dot(&z->pseudo[k * z->n], &u[i * z->n], z->n);
            for (int c = 0; c < unknowns; c++) {
                double along = 0.0;
                for (int k = 0; k < m; k++) along += f[k * unknowns + c] * g[k];
                for (int k = 0; k < m; k++) g[k] -= along * f[k * unknowns + c];
            }
            for (int k = 0; k < m; k++) total += fabs(g[k]);
        }
        for (int k = 0; k < m; k++) least = fmin(least, z->level[k]);
    }
    bool good = f && g;
    free(f);
    free(g);
    return good ? least / total : NAN;
}

// ---- rho

// (43): with orthonormal U, |e_(n+i)^T S^-1|^2 = u_i^T M^-1 u_i. An eigenvalue 0 bounds nothing.
static bool fill_rho(ss_cert* c, double rho[])
{
    ss_certificate* a = &c->answer;
    int n = a->n;
    double* x = ss_new((size_t)n, sizeof *x);
    if (!x) return false;
    a->rho_star = a->paper_rho_star = INFINITY;
    for (int i = 0; i < a->not_positive; i++) {
        memcpy(x, &a->eigenvectors[i * n], (size_t)n * sizeof *x);
        ss_algebra_forward(c->s.M_factor, n, x);
        double width = fabs(a->eigenvalues[i]) * ss_algebra_norm(x, n);
        double speed = a->beta / width, paper_speed = a->paper_beta / width;
        rho[i] = width > 0.0 ? 0.5 * speed * speed : INFINITY;
        if (width > 0.0) a->paper_rho_star = fmin(a->paper_rho_star, 0.5 * paper_speed * paper_speed);
        a->rho_star = fmin(a->rho_star, rho[i]);
    }
    free(x);
    return true;
}

static bool spans_undamped(const ss_cert* c)
{
    const ss_certificate* a = &c->answer;
    for (int i = 0; i < a->not_positive; i++)
        if (ss_zonotope_off_span(&c->slide, &a->eigenvectors[i * a->n]) > ss_zonotope_span_tolerance)
            return false;
    return true;
}

static bool fill_beta(ss_cert* c)
{
    ss_certificate* a = &c->answer;
    const ss_zonotope* z = &c->slide;
    double* rho = ss_pool_new(&c->pool, (size_t)a->not_positive, sizeof *rho);
    if (!rho) return false;
    a->beta = z->rank == z->count ? beta_of_independent(z, a->eigenvectors, a->not_positive)
                                  : beta_of_redundant(z, a->eigenvectors, a->not_positive, &a->beta_is_bound);
    a->paper_beta = paper_beta(z, a->eigenvectors, a->not_positive);
    a->rho = rho;
    return !isnan(a->beta) && !isnan(a->paper_beta) && fill_rho(c, rho);
}

bool ss_cert_damping(ss_cert* c)
{
    ss_certificate* a = &c->answer;
    int n = c->s.n;
    double* values = ss_pool_new(&c->pool, (size_t)n, sizeof *values);
    double* vectors = ss_pool_new(&c->pool, (size_t)n * (size_t)n, sizeof *vectors);
    if (c->pool.failed) return false;
    memcpy(vectors, c->s.Cs, (size_t)n * (size_t)n * sizeof *vectors);
    if (!ss_algebra_eigen(vectors, n, values) || (n > 0 && !order_eigenvectors(values, vectors, n)))
        return false;
    a->eigenvalues = values;
    a->eigenvectors = vectors;
    for (int i = 0; i < n; i++) a->not_positive += values[i] <= 0.0;
    if (c->s.outside || a->not_positive == 0) return true;
    a->condition_31 = spans_undamped(c) ? SS_YES : SS_NO;
    return a->condition_31 == SS_NO || fill_beta(c);
}
