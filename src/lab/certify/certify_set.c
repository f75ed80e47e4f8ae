// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The equilibrium set E: all q with grad U(q) = W g for holding forces g [VL04, (18)].
//
// With linear springs E = center + K^-1 W g, a zonotope. With cubic springs grad U = K x + r(x), x = q -
// center, where r is the gradient of a convex function R with its least value 0 at x = 0. Then
//     U = 1/2 x^T K x + R(x) <= 1/2 x^T K x + x^T r <= 1/2 F^T K^-1 F,     F = K x + r,
// so the largest energy of the linear springs bounds the one with cubic springs; and x^T K x <= x^T F puts x
// into a ball in the norm of K around K^-1 F / 2, which bounds the half widths.
#include "core/algebra/projection.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/certify/certify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VERTICES = 1 << 16 };

static double* new_numbers(ss_cert* c, int rows, int columns)
{
    return ss_pool_new(&c->pool, (size_t)rows * (size_t)columns, sizeof(double));
}

// W times forces of all contacts.
static void combine(const ss_cert_system* s, const double g[], double out[])
{
    for (int i = 0; i < s->n; i++) out[i] = ss_algebra_dot(&s->W[i * s->m], g, s->m);
}

// ---- linear springs: generators K^-1 w_k hold_k

static void fill_generators(ss_cert* c, double generators[], double offset[], double half_widths[])
{
    const ss_cert_system* s = &c->s;
    int n = s->n;
    combine(s, s->hold_middle, offset);
    ss_algebra_cholesky_solve(s->K_factor, n, offset);
    for (int k = 0; k < s->m; k++) {
        double* g = &generators[k * n];
        for (int i = 0; i < n; i++) g[i] = s->W[i * s->m + k] * s->hold[k];
        ss_algebra_cholesky_solve(s->K_factor, n, g);
        for (int i = 0; i < n; i++) half_widths[i] += fabs(g[i]);
    }
}

// The largest 1/2 F^T K^-1 F over the holding forces: Y = L^-1 W with K = L L^T makes it 1/2 |Y g|^2.
static bool fill_energy(ss_cert* c, double* reached)
{
    const ss_cert_system* s = &c->s;
    ss_equilibrium_set* e = &c->answer.set;
    int n = s->n, m = c->held.count;
    double *y = new_numbers(c, m, n), *middle = new_numbers(c, 1, n);
    double *H = new_numbers(c, m, m), *h = new_numbers(c, 1, m);
    if (c->pool.failed) return false;
    combine(s, s->hold_middle, middle);
    ss_algebra_forward(s->K_factor, n, middle);
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++) y[k * n + i] = c->held.w[i * m + k] * c->held.level[k];
        ss_algebra_forward(s->K_factor, n, &y[k * n]);
        h[k] = ss_algebra_dot(&y[k * n], middle, n);
    }
    ss_algebra_multiply_rows(y, y, m, n, m, H);
    bool exact;
    double rest = 0.5 * ss_algebra_dot(middle, middle, n);
    e->max_energy = rest + ss_cube_maximum(H, h, m, &exact, reached);
    e->bound = !exact;
    *reached += rest;
    return !isnan(e->max_energy);
}

// ---- vertices

// Linear springs: corners of the zonotope, seen from the middle of E.
static bool place_linear(ss_cert* c, const double generators[], const double offset[])
{
    int n = c->s.n;
    double* corners;
    int count = ss_zonotope_vertices(&c->pool, generators, c->s.m, n, MOST_VERTICES, &corners);
    for (int v = 0; v < count; v++)
        for (int i = 0; i < n; i++) corners[v * n + i] += c->s.center[i] + offset[i];
    c->answer.set.vertices = corners;
    c->answer.set.vertex_count = count < 0 ? 0 : count;
    return count >= 0;
}

// Cubic springs: where the springs balance the corners of the zonotope of forces.
static bool place_cubic(ss_cert* c)
{
    const ss_cert_system* s = &c->s;
    int n = s->n;
    double *columns = new_numbers(c, s->m, n), *middle = new_numbers(c, 1, n), *force = new_numbers(c, 1, n);
    double* corners;
    if (c->pool.failed) return false;
    combine(s, s->hold_middle, middle);
    for (int k = 0; k < s->m; k++)
        for (int i = 0; i < n; i++) columns[k * n + i] = s->W[i * s->m + k] * s->hold[k];
    int count = ss_zonotope_vertices(&c->pool, columns, s->m, n, MOST_VERTICES, &corners);
    bool good = count >= 0;
    for (int v = 0; good && v < count; v++) {
        double* q = &corners[v * n];
        for (int i = 0; i < n; i++) {
            force[i] = q[i] + middle[i];
            q[i] = s->center[i];
        }
        good = ss_cert_balance(s, force, q);
    }
    c->answer.set.vertices = corners;
    c->answer.set.vertex_count = good ? count : 0;
    return good;
}

// ---- cubic springs

// One direction of force: the set is a curve along which the energy grows with the force, so that its ends
// tell; with one coordinate it is an interval.
static void measure_curve(ss_cert* c, double offset[], double half_widths[])
{
    ss_equilibrium_set* e = &c->answer.set;
    e->max_energy = 0.0;
    for (int v = 0; v < e->vertex_count; v++)
        e->max_energy = fmax(e->max_energy, ss_cert_potential(&c->s, &e->vertices[v * c->s.n]));
    e->bound = false;
    if (c->s.n != 1) return;
    double a = e->vertices[0], b = e->vertices[e->vertex_count - 1];
    offset[0] = 0.5 * (a + b) - c->s.center[0];
    half_widths[0] = 0.5 * fabs(a - b);
}

static bool measure_cubic(ss_cert* c, double offset[], double half_widths[], bool has_corners)
{
    const ss_cert_system* s = &c->s;
    int n = s->n;
    double *middle = new_numbers(c, 1, n), *q = new_numbers(c, 1, n), *axis = new_numbers(c, 1, n);
    if (c->pool.failed) return false;
    combine(s, s->hold_middle, middle);
    memcpy(q, s->center, (size_t)n * sizeof *q);
    if (!ss_cert_balance(s, middle, q)) return false;
    for (int i = 0; i < n; i++) {
        memset(axis, 0, (size_t)n * sizeof *axis);
        axis[i] = 1.0;
        ss_algebra_forward(s->K_factor, n, axis);
        double far = fabs(offset[i]) + half_widths[i]; // of the linear springs
        offset[i] = q[i] - s->center[i];
        half_widths[i] = fabs(offset[i]) + 0.5 * far +
                         0.5 * ss_algebra_norm(axis, n) * sqrt(2.0 * c->answer.set.max_energy);
    }
    c->answer.set.bound = true;
    if (c->held.rank <= 1 && has_corners) measure_curve(c, offset, half_widths);
    return true;
}

bool ss_cert_set(ss_cert* c, bool all_vertices)
{
    const ss_cert_system* s = &c->s;
    ss_equilibrium_set* e = &c->answer.set;
    if (s->outside) return true;
    bool corners = all_vertices || s->n <= 3;
    double *generators = new_numbers(c, s->m, s->n), *offset = new_numbers(c, 1, s->n);
    double *half_widths = new_numbers(c, 1, s->n), reached = 0.0;
    if (c->pool.failed) return false;
    fill_generators(c, generators, offset, half_widths);
    if (!fill_energy(c, &reached)) return false;
    if (corners && !(s->cubic_count > 0 ? place_cubic(c) : place_linear(c, generators, offset))) return false;
    if (s->cubic_count > 0 && !measure_cubic(c, offset, half_widths, corners)) return false;
    e->exists = true;
    e->center = s->center;
    e->offset = offset;
    e->half_widths = half_widths;
    e->generators = s->cubic_count > 0 ? NULL : generators;
    double margin = SS_RELATIVE_ZERO * c->answer.rho_star; // rounding must not put E inside
    if (c->answer.condition_31 == SS_YES && e->max_energy < c->answer.rho_star - margin)
        e->inside_region = SS_YES;
    else if (c->answer.condition_31 == SS_YES)
        e->inside_region = e->bound && reached < c->answer.rho_star ? SS_UNKNOWN : SS_NO;
    return true;
}

// ---- where a point lies

// The least |x - sum_k s_k g_k| over |s_k| <= limit_k; g holds count rows. NaN where memory is missing.
static double distance_from(const double x[], const double g[], const double limit[], int count, int n)
{
    size_t m = (size_t)count;
    double* room = ss_new(m * m + 5 * m + (size_t)n + (size_t)ss_projection_scratch(count), sizeof *room);
    signed char* at = ss_new(m, sizeof *at);
    double sum = NAN;
    if (room && at) {
        double *a = room, *b = a + m * m, *low = b + m, *s = low + m, *residual = s + m;
        double *left = residual + m, *scratch = left + n;
        ss_algebra_multiply_rows(g, g, count, n, count, a);
        for (int k = 0; k < count; k++) {
            b[k] = -ss_algebra_dot(&g[k * n], x, n);
            low[k] = -limit[k];
        }
        ss_projection problem = {count, a, b, low, limit, s, residual, at};
        ss_project(&problem, scratch);
        memcpy(left, x, (size_t)n * sizeof *left);
        for (int k = 0; k < count; k++)
            for (int i = 0; i < n; i++) left[i] -= s[k] * g[k * n + i];
        sum = ss_algebra_norm(left, n);
    }
    free(room);
    free(at);
    return sum;
}

// Size of the forces whose difference is judged.
static double force_scale(const ss_cert* c, const double q[])
{
    const ss_cert_system* s = &c->s;
    double sum = ss_algebra_norm(s->load, s->n);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) sum += fabs(s->K[i * s->n + j] * q[j]);
    for (int k = 0; k < s->m; k++)
        for (int i = 0; i < s->n; i++) sum += fabs(s->W[i * s->m + k]) * s->hold[k];
    return sum;
}

// The distance in coordinates: a projection onto the zonotope, or onto the interval of one coordinate.
static double distance_to_set(const ss_cert* c, const double q[], double x[], double ones[])
{
    const ss_equilibrium_set* e = &c->answer.set;
    int n = c->s.n;
    for (int i = 0; i < n; i++) x[i] = q[i] - e->center[i] - e->offset[i];
    if (e->generators) return distance_from(x, e->generators, ones, c->s.m, n);
    return n == 1 ? fmax(0.0, fabs(x[0]) - e->half_widths[0]) : NAN;
}

ss_status ss_certificate_locate(const ss_certificate* certificate, const double q[], ss_membership* out,
                                ss_error* err)
{
    if (!certificate || !q || !out)
        return ss_fail(err, SS_BAD_INPUT, NULL, "certificate, point and answer are needed");
    const ss_cert* c = (const ss_cert*)certificate;
    const ss_cert_system* s = &c->s;
    if (!certificate->set.exists)
        return ss_fail(err, SS_BAD_INPUT, NULL, "this system has no equilibrium set: %s",
                       certificate->reason);
    int n = s->n, m = s->m;
    for (int i = 0; i < n; i++)
        if (!isfinite(q[i])) return ss_fail(err, SS_BAD_INPUT, NULL, "coordinates must be finite");
    double* room = ss_new(2 * (size_t)n + (size_t)m * (size_t)(n + 1), sizeof *room);
    if (!room) return ss_fail_no_memory(err);
    double *force = room, *x = room + n, *ones = room + 2 * n, *columns = ones + m;
    ss_cert_gradient(s, q, force);
    for (int k = 0; k < m; k++) {
        ones[k] = 1.0;
        for (int i = 0; i < n; i++) {
            force[i] -= s->W[i * m + k] * s->hold_middle[k];
            columns[k * n + i] = s->W[i * m + k] * s->hold[k];
        }
    }
    double scale = force_scale(c, q), gauge = ss_zonotope_gauge(&c->held, force);
    out->inside = ss_zonotope_off_span(&c->held, force) <= 64.0 * n * DBL_EPSILON * scale &&
                  gauge <= 1.0 + SS_RELATIVE_ZERO;
    out->energy = ss_cert_potential(s, q);
    out->excess = out->inside ? 0.0 : distance_from(force, columns, ones, m, n);
    out->distance = out->inside ? 0.0 : distance_to_set(c, q, x, ones);
    free(room);
    if (isnan(gauge) || isnan(out->excess)) return ss_fail_no_memory(err);
    return SS_OK;
}
