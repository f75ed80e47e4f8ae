// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Corners of a zonotope sum_k s_k g_k. A choice of signs s is a corner where some direction u sees every
// generator on its side, s_k g_k . u > 0: then it is the furthest point in that direction. Generators that
// point the same way act as one. In the plane the sorted edges lead around; in space the directions u form
// cells between great circles, and every cell has a crossing of two circles as a corner of its own; beyond,
// signs are decided one after the other.
#include "core/algebra/projection.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/certify/zonotope.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double parallel = SS_RELATIVE_ZERO; // generators that differ in direction by less are one
static const double narrow = SS_ROOT_NOISE;      // cones of directions u thinner than this are not told apart

typedef struct corners {
    int n, count, most;
    double* g;    // count x n: merged generators
    double* unit; // count x n: of length 1, turned to the side being tried
    double* sign;
    bool all;      // the generators are independent: every choice of signs is a corner
    double* found; // most x n
    int found_count;
    bool overflow;
    double* scratch; // of one test
    signed char* at;
} corners;

// Adds g to the generator of the same direction, if there is one.
static bool merge_into(corners* c, const double g[])
{
    int n = c->n;
    double size = ss_algebra_norm(g, n);
    for (int k = 0; k < c->count; k++) {
        double* known = &c->g[k * n];
        double share = ss_algebra_dot(g, known, n) / ss_algebra_dot(known, known, n), off = 0.0;
        for (int i = 0; i < n; i++) off = hypot(off, g[i] - share * known[i]);
        if (off > parallel * size) continue;
        for (int i = 0; i < n; i++) known[i] += share < 0.0 ? -g[i] : g[i];
        return true;
    }
    return false;
}

static void merge(corners* c, const double generators[], int count)
{
    double largest = 0.0;
    for (int k = 0; k < count; k++) largest = fmax(largest, ss_algebra_norm(&generators[k * c->n], c->n));
    for (int k = 0; k < count; k++) {
        const double* g = &generators[k * c->n];
        if (ss_algebra_norm(g, c->n) <= SS_UNIT_NOISE * largest || merge_into(c, g)) continue;
        memcpy(&c->g[c->count++ * c->n], g, (size_t)c->n * sizeof *g);
    }
}

static void add_corner(corners* c)
{
    if (c->found_count >= c->most) {
        c->overflow = true;
        return;
    }
    double* to = &c->found[c->found_count++ * c->n];
    memset(to, 0, (size_t)c->n * sizeof *to);
    for (int k = 0; k < c->count; k++)
        for (int i = 0; i < c->n; i++) to[i] += c->sign[k] * c->g[k * c->n + i];
}

static int compare_angles(const void* a, const void* b)
{
    const double *x = a, *y = b;
    double turn = x[0] * y[1] - x[1] * y[0]; // both in the upper half plane
    return (turn < 0.0) - (turn > 0.0);
}

// In the plane: the edges, sorted by direction, lead around the set.
static void walk_around(corners* c)
{
    for (int k = 0; k < c->count; k++) {
        double* g = &c->g[2 * k];
        bool below = g[1] < 0.0 || (g[1] == 0.0 && g[0] < 0.0);
        for (int i = 0; below && i < 2; i++) g[i] = -g[i];
        c->sign[k] = -1.0;
    }
    if (c->count > 0) qsort(c->g, (size_t)c->count, 2 * sizeof *c->g, compare_angles);
    add_corner(c);
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < c->count && !(turn == 1 && k == c->count - 1); k++) {
            c->sign[k] = turn == 0 ? 1.0 : -1.0;
            add_corner(c);
        }
}

// ---- three coordinates

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static int sign_along(const double g[3], const double u[3])
{
    double along = ss_algebra_dot(g, u, 3), size = ss_algebra_norm(g, 3) * ss_algebra_norm(u, 3);
    return fabs(along) <= SS_RELATIVE_ZERO * size ? 0 : along > 0.0 ? 1 : -1;
}

// Signs in the cell that touches the crossing u of circle i with others, along circle i in direction d, on
// the given side of it; as bits.
static uint64_t signs_near(const corners* c, const double u[3], const double d[3], int i, int side)
{
    uint64_t signs = 0;
    for (int k = 0; k < c->count; k++) {
        int sign = k == i ? side : sign_along(&c->g[3 * k], u);
        if (sign == 0) sign = sign_along(&c->g[3 * k], d);
        if (sign > 0) signs |= (uint64_t)1 << k;
    }
    return signs;
}

static int compare_signs(const void* a, const void* b)
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

// Every cell around every crossing, each corner then once. False where memory is missing.
static bool collect_in_space(corners* c)
{
    size_t used = 0;
    uint64_t* found = ss_new((size_t)c->count * (size_t)c->count * 8, sizeof *found);
    if (!found) return false;
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j < c->count; j++) {
            double u[3], d[3];
            if (i == j) continue;
            cross(&c->g[3 * i], &c->g[3 * j], u); // i, j and j, i: both ends of the axis
            cross(u, &c->g[3 * i], d);
            for (int turn = 0; turn < 4; turn++) {
                for (int k = 0; turn == 2 && k < 3; k++) d[k] = -d[k];
                found[used++] = signs_near(c, u, d, i, turn % 2 ? 1 : -1);
            }
        }
    qsort(found, used, sizeof *found, compare_signs);
    for (size_t k = 0; k < used; k++) {
        if (k > 0 && found[k] == found[k - 1]) continue;
        for (int g = 0; g < c->count; g++) c->sign[g] = found[k] >> g & 1 ? 1.0 : -1.0;
        add_corner(c);
    }
    free(found);
    return true;
}

// ---- any number of coordinates

// Whether some u has unit_k . u > 0 for all k < count, that is, 0 is not among the averages of the unit_k:
// minimises |sum y_k unit_k|^2 + (sum y_k - 1)^2 over y >= 0, which is 0 exactly where it is.
static bool has_direction(corners* c, int count)
{
    int n = c->n;
    double *a = c->scratch, *b = a + count * count, *low = b + count, *high = low + count;
    double *y = high + count, *residual = y + count, *work = residual + count;
    for (int i = 0; i < count; i++) {
        b[i] = -1.0;
        low[i] = 0.0;
        high[i] = INFINITY;
        for (int j = 0; j < count; j++)
            a[i * count + j] = 1.0 + ss_algebra_dot(&c->unit[i * n], &c->unit[j * n], n);
    }
    ss_projection problem = {count, a, b, low, high, y, residual, c->at};
    ss_project(&problem, work);
    double total = 0.0, square = 0.0;
    for (int k = 0; k < count; k++) total += y[k];
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < count; k++) sum += y[k] * c->unit[k * n + i];
        square += sum * sum;
    }
    return square + (total - 1.0) * (total - 1.0) > narrow * narrow;
}

static void choose_sign(corners* c, int depth)
{
    if (depth == c->count) {
        add_corner(c);
        return;
    }
    for (int turn = 0; turn < 2 && !c->overflow; turn++) {
        c->sign[depth] = turn == 0 ? 1.0 : -1.0;
        double size = ss_algebra_norm(&c->g[depth * c->n], c->n);
        for (int i = 0; i < c->n; i++)
            c->unit[depth * c->n + i] = c->sign[depth] * c->g[depth * c->n + i] / size;
        if (c->all || has_direction(c, depth + 1)) choose_sign(c, depth + 1);
    }
}

// Whether the merged generators are linearly independent.
static bool are_independent(const corners* c)
{
    if (c->count > c->n) return false;
    double* basis = ss_new((size_t)c->count * (size_t)c->count, sizeof *basis);
    double* columns = ss_new((size_t)c->count * (size_t)c->n, sizeof *columns);
    bool independent = false;
    for (int k = 0; basis && columns && k < c->count; k++) {
        double size = ss_algebra_norm(&c->g[k * c->n], c->n);
        for (int i = 0; i < c->n; i++) columns[i * c->count + k] = c->g[k * c->n + i] / size;
    }
    if (basis && columns)
        independent = ss_algebra_null_space(columns, c->n, c->count, ss_zonotope_rank_tolerance, basis) == 0;
    free(basis);
    free(columns);
    return independent;
}

static bool allocate(corners* c, int count)
{
    size_t m = (size_t)count + 1, n = (size_t)c->n;
    c->g = ss_new(2 * m * n + m, sizeof(double));
    c->found = ss_new((size_t)c->most * n, sizeof(double));
    c->scratch = ss_new(m * m + 6 * m + (size_t)ss_projection_scratch(count + 1), sizeof(double));
    c->at = ss_new(m, sizeof *c->at);
    if (!c->g || !c->found || !c->scratch || !c->at) return false;
    c->unit = c->g + m * n;
    c->sign = c->unit + m * n;
    return true;
}

int ss_zonotope_vertices(ss_pool* pool, const double generators[], int count, int n, int most, double** out)
{
    corners c = {.n = n, .most = most};
    int result = -1;
    *out = NULL;
    if (allocate(&c, count)) {
        merge(&c, generators, count);
        c.all = n != 2 && are_independent(&c);
        bool good = true;
        if (n == 2)
            walk_around(&c);
        else if (n == 3 && !c.all && c.count <= 64)
            good = collect_in_space(&c);
        else if (n != 3 || c.all)
            choose_sign(&c, 0);
        int kept = c.overflow ? 0 : c.found_count;
        *out = ss_pool_new(pool, (size_t)kept * (size_t)n, sizeof(double));
        if (*out) memcpy(*out, c.found, (size_t)kept * (size_t)n * sizeof **out);
        if (*out && good) result = kept;
    }
    free(c.g);
    free(c.found);
    free(c.scratch);
    free(c.at);
    return result;
}
