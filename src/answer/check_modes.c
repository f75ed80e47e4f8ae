// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Frequencies and damping ratios of a model without friction. Where the modes of K against M are those of the
// damped motion, too (Rayleigh and modal damping), mode j has
//
//     f_j = omega_j/(2 pi),      zeta_j = phi_j^T C phi_j/(2 omega_j),      phi_j^T M phi_j = 1. (1)
//
// Otherwise, and for open models, they are those of the eigenvalues of the motion: f = |lambda|/(2 pi) and
// zeta = -Re lambda/|lambda|, each pair once; what does not swing has zeta 1, or -1 where it grows.
#include "answer/check_facts.h"

#include "core/algebra/dense.h"
#include "core/algebra/eigen.h"
#include "core/tolerance.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdlib.h>

static const double two_pi = 6.283185307179586;

static int compare(const void* a, const void* b)
{
    const ss_check_mode *x = a, *y = b;
    return (x->frequency > y->frequency) - (x->frequency < y->frequency);
}

static bool keep(ss_facts* f, ss_check_mode modes[], int count)
{
    qsort(modes, (size_t)count, sizeof *modes, compare);
    f->shown.mode_count = count < SS_CHECK_MODES ? count : SS_CHECK_MODES;
    f->shown.vibrations = modes;
    return true;
}

// Below this share of the largest eigenvalue it is rounding.
static double least_stiffness(const double values[], int n)
{
    double size = 0.0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(values[i]));
    return SS_NOISE * n * size;
}

// Mode j by (1).
static ss_check_mode by_stiffness(double stiffness, double damping, double least)
{
    if (fabs(stiffness) <= least) return (ss_check_mode){0.0, NAN};
    double omega = sqrt(stiffness); // NaN where it does not swing: K pushes away
    return (ss_check_mode){omega / two_pi, damping / (2.0 * omega)};
}

static ss_check_mode by_eigenvalue(double re, double im, double least)
{
    double size = hypot(re, im);
    if (size <= least) return (ss_check_mode){0.0, NAN};
    return (ss_check_mode){size / two_pi, -re / size};
}

// values: pairs of real and imaginary parts; of two that are conjugate the one above the real axis counts.
static bool keep_eigenvalues(ss_facts* f, const double values[], int count)
{
    ss_check_mode* modes = ss_pool_new(&f->pool, (size_t)count, sizeof *modes);
    double size = 0.0;
    int used = 0;
    if (!modes) return false;
    for (int k = 0; k < count; k++) size = fmax(size, hypot(values[2 * k], values[2 * k + 1]));
    for (int k = 0; k < count; k++) {
        double re = values[2 * k], im = values[2 * k + 1];
        if (im >= 0.0) modes[used++] = by_eigenvalue(re, im, sqrt(SS_NOISE) * size);
    }
    return keep(f, modes, used);
}

// Eigenvalues of (x, v)' = (v, -K x - C v), K and C in coordinates in which M is 1.
static bool by_motion(ss_facts* f, const double k[], const double c[])
{
    size_t n = (size_t)f->shown.n, size = 2 * n;
    double* a = ss_new(size * size + size, sizeof *a);
    double complex* room = ss_new(size + 4 * size * size, sizeof *room);
    bool good = a && room;
    ss_spectrum spectrum = {room, room + size, room + size + size * size, 0.0, 0.0};
    for (size_t i = 0; good && i < n; i++) {
        a[i * size + n + i] = 1.0;
        for (size_t j = 0; j < n; j++) {
            a[(n + i) * size + j] = -k[i * n + j];
            a[(n + i) * size + n + j] = -c[i * n + j];
        }
    }
    if (good && ss_eigen_solve(a, (int)size, &spectrum, room + size + 2 * size * size, a + size * size)) {
        for (size_t i = 0; i < size; i++) {
            a[2 * i] = creal(spectrum.values[i]);
            a[2 * i + 1] = cimag(spectrum.values[i]);
        }
        good = keep_eigenvalues(f, a, (int)size);
    }
    free(a);
    free(room);
    return good;
}

// out = V^T c V
static void into_modes(const double c[], const double v[], size_t n, double work[], double out[])
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            work[i * n + j] = 0.0;
            for (size_t l = 0; l < n; l++) work[i * n + j] += c[i * n + l] * v[l * n + j];
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            out[i * n + j] = 0.0;
            for (size_t l = 0; l < n; l++) out[i * n + j] += v[l * n + i] * work[l * n + j];
        }
}

// Whether damping couples no modes, but for rounding.
static bool is_diagonal(const double c[], size_t n)
{
    double size = 0.0, beside = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double* most = i == j ? &size : &beside;
            *most = fmax(*most, fabs(c[i * n + j]));
        }
    return beside <= SS_SAME * size;
}

// work: room for 5 matrices. L is the factor of M.
static bool by_matrices(ss_facts* f, const double l[], double work[])
{
    int n = f->shown.n;
    size_t area = (size_t)n * (size_t)n;
    double *k = work, *c = k + area, *v = c + area, *scratch = v + area, *modal = scratch + area;
    ss_check_mode* modes = ss_pool_new(&f->pool, (size_t)n, sizeof *modes);
    double* values = ss_pool_new(&f->pool, (size_t)n, sizeof *values);
    if (!modes || !values) return false;
    memcpy(k, f->K, area * sizeof *k);
    memcpy(c, f->C, area * sizeof *c);
    ss_congruence(l, n, k);
    ss_congruence(l, n, c);
    memcpy(scratch, k, area * sizeof *k);
    ss_symmetric_eigen(scratch, n, values, v);
    into_modes(c, v, (size_t)n, scratch, modal);
    if (!is_diagonal(modal, (size_t)n)) return by_motion(f, k, c);
    double least = least_stiffness(values, n);
    for (int j = 0; j < n; j++) modes[j] = by_stiffness(values[j], modal[(size_t)j * ((size_t)n + 1)], least);
    return keep(f, modes, n);
}

bool ss_facts_modes(ss_facts* f)
{
    int n = f->shown.n;
    if (ss_model_is_open(f->shown.model))
        return keep_eigenvalues(f, f->shown.eigenvalues, f->shown.eigenvalue_count);
    if (!f->M || n == 0 || n > SS_CHECK_EIGENVALUES) return true;
    size_t area = (size_t)n * (size_t)n;
    double* work = ss_new(6 * area, sizeof *work);
    bool good = work != NULL;
    if (good) memcpy(work, f->M, area * sizeof *work);
    if (good && ss_cholesky(work, n)) good = by_matrices(f, work, work + area);
    free(work);
    return good;
}
