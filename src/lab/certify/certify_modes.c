// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Modes of the linear system that friction cannot reach, and modes of the system with all rough contacts
// held. In mass-normalised coordinates, y = (w L^T q, L^T q') with M = L L^T and a frequency w that makes the
// numbers of order 1, the motion is y' = w (A y + B g):
//
//     A = [ 0, 1; -K/w^2, -C/w ],    B = [ 0; L^-1 W ].
//
// A mode that no contact feels is a left eigenvector of A orthogonal to B: the largest subspace that A^T maps
// into itself inside the null space of B^T holds all of them. It obeys its own linear equation whatever the
// contacts do, so where it grows or lasts, E does not attract. Cubic springs act along rows like contacts do,
// and are treated as such.
//
// With the contacts held, q' stays in the null space Z of W^T. A motion there that does not meet the damping
// lasts for ever, and if small enough the contacts can hold it: then E does not attract either.
#include "core/algebra/dense.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "lab/algebra.h"
#include "lab/certify/certify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of numbers of order 1. What is said to last must do so to rounding; what is said to be damped must be so
// clearly. Between the two nothing is said.
static const double loose = SS_CLEAR;
static double tight(int n) { return 16.0 * n * DBL_EPSILON; }

typedef struct modes {
    int n, inputs;
    double frequency; // w
    double *K, *C;    // n x n, L^-1 K L^-T / w^2 and L^-1 C L^-T / w
    double* Cs;       // symmetric part of C, scaled to norm 1 on its own: weak damping counts
    double* B; // inputs x n: rows L^-1 w_k of length 1: contacts that rub, that only hold, cubic springs
    int rough; // of them, contacts that rub
    ss_pool pool;
} modes;

static double* new_numbers(modes* m, int rows, int columns)
{
    return ss_pool_new(&m->pool, (size_t)rows * (size_t)columns, sizeof(double));
}

static double largest_entry(const double a[], int n)
{
    double most = 0.0;
    for (int i = 0; i < n * n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

static void add_input(modes* m, const ss_cert_system* s, const double row[], int stride)
{
    double* to = &m->B[m->inputs * m->n];
    for (int i = 0; i < m->n; i++) to[i] = row[i * stride];
    ss_algebra_forward(s->M_factor, m->n, to);
    double length = ss_algebra_norm(to, m->n);
    if (length == 0.0) return;
    for (int i = 0; i < m->n; i++) to[i] /= length;
    m->inputs++;
}

static bool normalize(modes* m, const ss_cert_system* s)
{
    int n = m->n = s->n;
    size_t size = (size_t)n * (size_t)n * sizeof(double);
    m->K = new_numbers(m, n, n);
    m->C = new_numbers(m, n, n);
    m->Cs = new_numbers(m, n, n);
    m->B = new_numbers(m, s->m + s->cubic_count + 1, n);
    if (m->pool.failed) return false;
    memcpy(m->K, s->K, size);
    memcpy(m->C, s->C, size);
    ss_congruence(s->M_factor, n, m->K);
    ss_congruence(s->M_factor, n, m->C);
    m->frequency = sqrt(largest_entry(m->K, n));
    if (m->frequency == 0.0) m->frequency = largest_entry(m->C, n);
    if (m->frequency == 0.0) m->frequency = 1.0;
    double damping = largest_entry(m->C, n), w = m->frequency;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m->Cs[i * n + j] = damping > 0.0 ? 0.5 * (m->C[i * n + j] + m->C[j * n + i]) / damping : 0.0;
    for (int i = 0; i < n * n; i++) {
        m->K[i] /= w * w;
        m->C[i] /= w;
    }
    for (int k = 0; k < s->m; k++)
        if (s->p[k] > 0.0) add_input(m, s, &s->W[k], s->m);
    m->rough = m->inputs;
    for (int k = 0; k < s->m; k++)
        if (s->p[k] == 0.0 && s->hold[k] > 0.0) add_input(m, s, &s->W[k], s->m);
    for (int k = 0; k < s->cubic_count; k++) add_input(m, s, s->cubics[k].row, 1);
    return true;
}

// The matrix A of order 2 d, from K and C of order d; transposed if asked for.
static void fill_system(const double K[], const double C[], int d, bool transposed, double a[])
{
    int size = 2 * d;
    memset(a, 0, (size_t)size * (size_t)size * sizeof *a);
    for (int i = 0; i < d; i++) {
        a[transposed ? (d + i) * size + i : i * size + d + i] = 1.0;
        for (int j = 0; j < d; j++) {
            a[transposed ? j * size + d + i : (d + i) * size + j] = -K[i * d + j];
            a[transposed ? (d + j) * size + d + i : (d + i) * size + d + j] = -C[i * d + j];
        }
    }
}

// The eigenvalue of a on the subspace spanned by the orthonormal rows of v that lies furthest to the right,
// of those the fastest.
static bool rightmost(modes* m, const double a[], int size, const double v[], int dimension, double* real,
                      double* imaginary)
{
    double *image = new_numbers(m, dimension, size), *part = new_numbers(m, dimension, dimension);
    double *re = new_numbers(m, 1, dimension), *im = new_numbers(m, 1, dimension);
    *real = -INFINITY;
    *imaginary = 0.0;
    if (m->pool.failed) return false;
    ss_algebra_multiply_rows(v, a, dimension, size, size, image);
    ss_algebra_multiply_rows(v, image, dimension, size, dimension, part);
    if (!ss_algebra_spectrum(part, dimension, re, im)) return false;
    for (int k = 0; k < dimension; k++) {
        if (hypot(re[k], im[k]) <= loose) continue; // a free drift is no motion away from E
        if (re[k] < *real - loose || (re[k] < *real + loose && fabs(im[k]) <= *imaginary)) continue;
        *real = re[k];
        *imaginary = fabs(im[k]);
    }
    return true;
}

static bool judge_untouched(modes* m, ss_cert_modes* out)
{
    int n = m->n, size = 2 * n;
    double *a = new_numbers(m, size, size), *basis = new_numbers(m, size, size);
    double *b = new_numbers(m, m->inputs, size), real, imaginary;
    if (m->pool.failed) return false;
    for (int k = 0; k < m->inputs; k++) memcpy(&b[k * size + n], &m->B[k * n], (size_t)n * sizeof *b);
    fill_system(m->K, m->C, n, true, a);
    int dimension = ss_algebra_invariant(a, size, b, m->inputs, tight(n), basis);
    if (dimension < 0 || !rightmost(m, a, size, basis, dimension, &real, &imaginary)) return false;
    out->untouched_grows = real > loose;
    out->untouched_lasts = out->held_lasts && fabs(real) <= loose;
    if (out->untouched_grows) out->growth = real * m->frequency;
    if (out->untouched_grows || out->untouched_lasts) out->frequency = imaginary * m->frequency;
    return true;
}

// K, C and Cs seen from the d orthonormal rows of z.
static bool reduce(modes* m, const double a[], const double z[], int d, double** out)
{
    double* half = new_numbers(m, d, m->n);
    *out = new_numbers(m, d, d);
    if (m->pool.failed) return false;
    ss_algebra_multiply_rows(z, a, d, m->n, m->n, half); // rows: a z
    ss_algebra_multiply_rows(z, half, d, m->n, d, *out);
    return true;
}

// Whether every velocity that no contact rubs against meets positive damping.
static bool judge_slack(modes* m, ss_cert_modes* out)
{
    int n = m->n;
    double *z = new_numbers(m, n, n), *values = new_numbers(m, 1, n), *Cs;
    if (m->pool.failed) return false;
    int d = ss_algebra_null_space(m->B, m->rough, n, loose, z);
    if (d < 0 || !reduce(m, m->Cs, z, d, &Cs) || !ss_algebra_eigen(Cs, d, values)) return false;
    out->slack_damped = d == 0 || values[0] > loose;
    return true;
}

// All rows of B, and with them the directions of q', vanish.
static bool judge_held(modes* m, ss_cert_modes* out)
{
    int n = m->n;
    double *z = new_numbers(m, n, n), *K, *C, *Cs, real, imaginary;
    if (m->pool.failed) return false;
    int d = ss_algebra_null_space(m->B, m->inputs, n, loose, z), size = 2 * d;
    if (d <= 0) return d == 0;
    double *a = new_numbers(m, size, size), *basis = new_numbers(m, size, size);
    double* output = new_numbers(m, d, size);
    if (m->pool.failed || !reduce(m, m->K, z, d, &K) || !reduce(m, m->C, z, d, &C) ||
        !reduce(m, m->Cs, z, d, &Cs))
        return false;
    for (int i = 0; i < d; i++) memcpy(&output[i * size + d], &Cs[i * d], (size_t)d * sizeof *output);
    fill_system(K, C, d, false, a);
    int may_last = ss_algebra_invariant(a, size, output, d, loose, basis);
    int lasting = may_last > 0 ? ss_algebra_invariant(a, size, output, d, tight(n), basis) : may_last;
    if (lasting < 0 || !rightmost(m, a, size, basis, lasting, &real, &imaginary)) return false;
    out->held_may_last = may_last > 0;
    out->held_lasts = lasting > 0;
    if (out->held_lasts) out->frequency = imaginary * m->frequency;
    memset(basis, 0, (size_t)size * (size_t)size * sizeof *basis);
    for (int i = 0; i < size; i++) basis[i * size + i] = 1.0;
    if (!rightmost(m, a, size, basis, size, &real, &imaginary)) return false;
    out->held_grows = real > loose;
    return true;
}

bool ss_cert_judge_modes(ss_cert* c, ss_cert_modes* out)
{
    modes m = {0};
    *out = (ss_cert_modes){0};
    bool good =
        normalize(&m, &c->s) && judge_slack(&m, out) && judge_held(&m, out) && judge_untouched(&m, out);
    out->complete = m.inputs == m.rough;
    ss_pool_free(&m.pool);
    return good;
}
