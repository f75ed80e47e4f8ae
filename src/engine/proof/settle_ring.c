// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ringing in bristles that carry a load. Their deflection follows forward and backward by different shares of
// the way, z' = share(sgn v) v, and these differ however small the motion is. But the speeds themselves move
// like masses in a convex potential: with the derivative of the equation of motion, a = v',
//
//     M a' + D a + K v = 0,    K = K0 + sum_j W_j sigma0 share_j W_j^T,    D = C + sum_j W_j (sigma2 + sigma1
//     share_j) W_j^T,
//
// and v^T K v and v^T D v have no jump where the sign of a W_j^T v changes, since it is 0 there. So
//
//     V = a^T M a/2 + v^T K v/2 + epsilon (a^T M v + v^T D v/2),    V' = -a^T (D - epsilon M) a - epsilon v^T
//     K v
//
// falls for every load, without a bound on how often signs change. What the shares are off, |p_j| <= A_j
// |v_j|
// + B_j |a_j| as a force along W_j, adds at most |a_j + epsilon v_j| |p_j|, which is split by 2 |a_j v_j| <=
// a_j^2/tau_j + tau_j v_j^2. That every matrix is as large as is said is seen by a Cholesky factor.
#include "engine/proof/settle_ring.h"
#include "core/algebra/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { HALVINGS = 40, BLENDS = 30, MOST = 32 };

static double least_share(const ss_law_near_rest* e) { return fmin(e->share[0], e->share[1]); }
static double most_share(const ss_law_near_rest* e) { return fmax(e->share[0], e->share[1]); }

static void copy(const ss_ring* r, const double from[], double to[])
{
    memcpy(to, from, (size_t)(r->n * r->n) * sizeof(double));
}

// x += weight W W^T
static void add_row(const ss_ring* r, int j, double weight, double x[])
{
    const ss_row* row = r->bristles[j].row;
    for (int k = 0; k < row->count; k++)
        for (int l = 0; l < row->count; l++)
            x[row->index[k] * r->n + row->index[l]] += weight * row->value[k] * row->value[l];
}

// Whether x - t y is positive definite, by more than rounding of either.
static bool exceeds(const ss_ring* r, const double x[], const double y[], double t)
{
    int n = r->n;
    for (int i = 0; i < n; i++) {
        double size = 0.0;
        for (int k = 0; k < n; k++) {
            r->test[i * n + k] = x[i * n + k] - t * y[i * n + k];
            size += fabs(x[i * n + k]) + t * fabs(y[i * n + k]);
        }
        r->test[i * n + i] -= 64.0 * n * DBL_EPSILON * size;
    }
    return ss_cholesky(r->test, n);
}

// The largest t found for which it is; 0: none. INFINITY where y is 0.
static double times(const ss_ring* r, const double x[], const double y[])
{
    double low = 0.0, high = INFINITY;
    if (!exceeds(r, x, y, 0.0)) return 0.0;
    for (int i = 0; i < r->n; i++)
        if (y[i * r->n + i] > 0.0) high = fmin(high, x[i * r->n + i] / y[i * r->n + i]);
    if (isinf(high)) return high;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = low > 0.0 ? sqrt(low * high) : high * pow(0.25, k);
        *(exceeds(r, x, y, middle) ? &low : &high) = middle;
    }
    return low;
}

static bool is_symmetric(const ss_ring* r, const double x[])
{
    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < i; k++)
            if (fabs(x[i * r->n + k] - x[k * r->n + i]) > 8.0 * DBL_EPSILON * fabs(x[i * r->n + k]))
                return false;
    return true;
}

// The factors of K, and in y the largest D.
static bool factor_stiffness(const ss_ring* r)
{
    copy(r, r->stiffness, r->low);
    copy(r, r->stiffness, r->full);
    copy(r, r->damping, r->y);
    for (int j = 0; j < r->count; j++) {
        const ss_ring_bristle* b = &r->bristles[j];
        add_row(r, j, b->sigma0 * least_share(&b->near_rest), r->low);
        add_row(r, j, b->sigma0, r->full);
        add_row(r, j, b->sigma2 + b->sigma1 * most_share(&b->near_rest), r->y);
    }
    copy(r, r->low, r->x);
    return ss_cholesky(r->low, r->n) && ss_cholesky(r->full, r->n);
}

static void spread(const ss_ring* r, const ss_row* row, double out[])
{
    memset(out, 0, (size_t)r->n * sizeof(double));
    for (int k = 0; k < row->count; k++) out[row->index[k]] = row->value[k];
}

double ss_ring_speed(const ss_ring* r, const ss_row* row)
{
    double x[MOST];
    spread(r, row, x);
    ss_cholesky_solve(r->low, r->n, x);
    return sqrt(fmax(ss_row_dot(row, x), 0.0));
}

// What shares are off, as forces: A_j and B_j; and tau_j, at which both terms weigh alike.
typedef struct offence {
    double by_v, by_a, tau;
} offence;

static offence offence_of(const ss_ring* r, int j)
{
    const ss_ring_bristle* b = &r->bristles[j];
    double speed = ss_ring_speed(r, b->row);
    return (offence){b->sigma0 * b->near_rest.off + b->sigma1 * b->near_rest.off_v,
                     b->sigma1 * b->near_rest.off_a, speed > 0.0 ? sqrt(b->mobility) / speed : 1.0};
}

// The numbers that V and its fall are bounded by; K stands for the least one.
typedef struct bounds {
    double frequency;  // K >= frequency^2 M
    double damping;    // D less what a_j takes >= damping M
    double sluggish;   // D <= sluggish K, s
    double own, cross; // what v_j takes <= (epsilon own + cross) K; 1 and 1/s
} bounds;

static bool find_bounds(const ss_ring* r, bounds* out)
{
    if (!is_symmetric(r, r->stiffness) || !is_symmetric(r, r->damping) || !factor_stiffness(r)) return false;
    out->frequency = sqrt(times(r, r->x, r->mass));
    out->sluggish = 1.0 / times(r, r->x, r->y);
    if (!(out->frequency > 0.0) || !isfinite(out->sluggish)) return false;
    copy(r, r->damping, r->y);
    for (int j = 0; j < r->count; j++) {
        const ss_ring_bristle* b = &r->bristles[j];
        offence o = offence_of(r, j);
        double taken = o.by_a + (o.by_v + 0.25 * out->frequency * o.by_a) / (2.0 * o.tau);
        add_row(r, j, b->sigma2 + b->sigma1 * least_share(&b->near_rest) - taken, r->y);
    }
    out->damping = times(r, r->y, r->mass);
    if (!(out->damping > 0.0)) return false;
    double* taken[2] = {&out->own, &out->cross};
    for (int k = 0; k < 2; k++) {
        memset(r->y, 0, (size_t)(r->n * r->n) * sizeof(double));
        for (int j = 0; j < r->count; j++) {
            offence o = offence_of(r, j);
            add_row(r, j, k == 0 ? o.by_v + 0.5 * o.by_a * o.tau : 0.5 * o.by_v * o.tau, r->y);
        }
        *taken[k] = 1.0 / times(r, r->x, r->y);
    }
    return true;
}

// With epsilon |a^T M v| <= (loss/2) (a^T M a + v^T K v), loss = epsilon/frequency, V is at most
// (1 + loss)/2 a^T M a + (1 + loss + epsilon sluggish)/2 v^T K v, and at least (1 - loss)/2 of their sum.
static double rate_with(const bounds* b, double blend)
{
    double loss = blend / b->frequency;
    double by_a = (b->damping - blend) / (1.0 + loss);
    double by_v = (blend * (1.0 - b->own) - b->cross) / (1.0 + loss + blend * b->sluggish);
    return fmin(by_a, by_v);
}

bool ss_ring_find(ss_ring* r, double* rate)
{
    bounds b;
    *rate = 0.0;
    if (r->n > MOST || !find_bounds(r, &b)) return false;
    double blend = fmin(0.5 * b.damping, 0.25 * b.frequency); // find_bounds counts on the latter
    for (int k = 0; k < BLENDS; k++, blend *= 0.7) {
        if (!(rate_with(&b, blend) > *rate)) continue;
        *rate = rate_with(&b, blend);
        r->blend = blend;
        r->loss = blend / b.frequency;
    }
    return *rate > 0.0;
}

static double form(const ss_ring* r, const double matrix[], const double x[], const double y[])
{
    double sum = 0.0;
    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < r->n; k++) sum += x[i] * matrix[i * r->n + k] * y[k];
    return sum;
}

double ss_ring_size(const ss_ring* r, const double v[], const double a[], const double noise[])
{
    double swing = form(r, r->stiffness, v, v), drag = form(r, r->damping, v, v), unknown = 0.0;
    for (int j = 0; j < r->count; j++) {
        const ss_ring_bristle* b = &r->bristles[j];
        double speed = ss_row_dot(b->row, v), share = b->near_rest.share[speed < 0.0];
        swing += b->sigma0 * share * speed * speed;
        drag += (b->sigma2 + b->sigma1 * share) * speed * speed;
    }
    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < r->n; k++) unknown += noise[i] * fabs(r->mass[i * r->n + k]) * noise[k];
    double twice = form(r, r->mass, a, a) + swing + r->blend * (2.0 * form(r, r->mass, a, v) + drag);
    return (sqrt(fmax(twice, 0.0)) + sqrt(unknown)) / sqrt(1.0 - r->loss);
}

// From balance it is u^T (M a + D v) along a row, u = K^-1 row with shares of 1.
double ss_ring_place(const ss_ring* r, const ss_row* row)
{
    int n = r->n;
    double u[MOST], drag[MOST] = {0.0}, x[MOST], sum = 0.0;
    spread(r, row, u);
    ss_cholesky_solve(r->full, n, u);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) drag[i] += r->damping[i * n + k] * u[k];
    memcpy(x, drag, sizeof x);
    ss_cholesky_solve(r->low, n, x);
    for (int i = 0; i < n; i++) sum += drag[i] * x[i];
    double place = sqrt(fmax(form(r, r->mass, u, u), 0.0)) + sqrt(fmax(sum, 0.0));
    for (int j = 0; j < r->count; j++) {
        const ss_ring_bristle* b = &r->bristles[j];
        double most = fmax(fabs(b->near_rest.share[0]), fabs(b->near_rest.share[1])) + b->near_rest.off;
        place += fabs(ss_row_dot(b->row, u)) * (b->sigma2 + b->sigma1 * most) * ss_ring_speed(r, b->row);
    }
    return place;
}
