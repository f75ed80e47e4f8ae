// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigenvalues of D across the motion. What sticks is forgotten: D then has no full rank, and the zeros among
// its eigenvalues are taken out by going to its range until nothing more falls away. They are exact.
#include "lab/cycle/multipliers.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "lab/cycle/tied.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double exact_rank = SS_RELATIVE_ZERO;   // singular values below this count as zero
static const double difference_rank = SS_ROOT_NOISE; // where D is made of differences
static const double clear = 1e-3;                    // a multiplier farther from 1 is far enough

static int compare_multipliers(const void* a, const void* b)
{
    const double *x = a, *y = b;
    double dx = hypot(x[0], x[1]), dy = hypot(y[0], y[1]);
    if (dx != dy) return dx < dy ? 1 : -1;
    return (x[1] < y[1]) - (x[1] > y[1]);
}

// Orthonormal basis of all directions (columns of out, size x size), those of the range of a (size x size)
// first. Destroys a. Returns the rank of a, -1 on failure.
static int range_of(double a[], int size, double limit, double out[], double singular[], double work[])
{
    if (LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'N', size, size, a, size, singular, out, size, NULL, 1, work))
        return -1;
    int rank = 0;
    while (rank < size && singular[rank] > limit) rank++;
    return rank;
}

// b = Q^T a Q with Q the columns from `first` on of q (size x size); returns the new size.
static int restrict_to(double a[], int size, const double q[], int first, int count, double scratch[])
{
    for (int r = 0; r < size; r++)
        for (int c = 0; c < count; c++) {
            double sum = 0.0;
            for (int k = 0; k < size; k++) sum += a[r * size + k] * q[k * size + first + c];
            scratch[r * count + c] = sum;
        }
    for (int r = 0; r < count; r++)
        for (int c = 0; c < count; c++) {
            double sum = 0.0;
            for (int k = 0; k < size; k++) sum += q[k * size + first + r] * scratch[k * count + c];
            a[r * count + c] = sum;
        }
    return count;
}

// Directions that nothing feels have left a 0 each, and are no variables of the motion where it drifts along
// them; where it does not, a shift stays what it is: a multiplier 1.
static int count_free(const ss_orbit* orbit, double (*multipliers)[2], int count)
{
    count -= orbit->free.count;
    for (int j = 0; j < orbit->free.count; j++) {
        if (orbit->free.drifts[j]) continue;
        multipliers[count][0] = 1.0;
        multipliers[count++][1] = 0.0;
    }
    return count;
}

bool ss_multipliers(const ss_shoot* s, double (*multipliers)[2], int* count)
{
    int w = s->w, size = w;
    size_t area = (size_t)w * (size_t)w;
    double* memory = ss_new(4 * area + 4 * (size_t)w, sizeof(double));
    if (!memory) return false;
    double *a = memory, *q = a + area, *copy = q + area, *scratch = copy + area, *values = scratch + area,
           *work = values + w, *real = work + w, *imaginary = real + w;
    for (int r = 0; r < w; r++)
        for (int c = 0; c < w; c++) a[r * w + c] = s->orbit->monodromy[r * w + c] * s->scale[c] / s->scale[r];
    double limit = s->differences ? difference_rank : exact_rank;
    bool fine = true;
    if (!s->forced) { // the direction of the motion itself comes first in q and is left out
        memset(copy, 0, area * sizeof(double));
        for (int r = 0; r < w; r++) copy[r * w] = s->orbit->slope[r] / s->scale[r];
        fine = range_of(copy, w, limit, q, values, work) >= 0;
        size = restrict_to(a, w, q, 1, w - 1, scratch);
    }
    *count = size;
    for (int before = size + 1; fine && size > 0 && size < before;) {
        before = size;
        memcpy(copy, a, (size_t)size * (size_t)size * sizeof(double));
        int rank = range_of(copy, size, limit, q, values, work);
        fine = rank >= 0;
        if (fine) size = restrict_to(a, before, q, 0, rank, scratch);
    }
    if (fine && size > 0)
        fine =
            LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', size, a, size, real, imaginary, NULL, 1, NULL, 1) == 0;
    for (int k = 0; fine && k < *count; k++) {
        multipliers[k][0] = k < size ? real[k] : 0.0;
        multipliers[k][1] = k < size ? imaginary[k] : 0.0;
    }
    qsort(multipliers, (size_t)*count, sizeof multipliers[0], compare_multipliers);
    if (s->orbit->free.count > 0) {
        *count = count_free(s->orbit, multipliers, *count);
        qsort(multipliers, (size_t)*count, sizeof multipliers[0], compare_multipliers);
    }
    free(memory);
    return fine;
}

// The direction that the motion shrinks least: what many periods leave of one that is across the motion
// itself.
static void slowest_direction(const ss_shoot* s, double e[], double next[])
{
    enum { PERIODS = 60 };
    int w = s->w;
    const double* d = s->orbit->monodromy;
    double speed2 = 0.0;
    for (int r = 0; r < w; r++)
        speed2 += s->orbit->slope[r] * s->orbit->slope[r] / (s->scale[r] * s->scale[r]);
    for (int r = 0; r < w; r++) e[r] = 1.0 + 0.1 * r;
    for (int n = 0; n < PERIODS; n++) {
        double along = 0.0, size = 0.0;
        for (int r = 0; r < w; r++) {
            next[r] = 0.0;
            for (int c = 0; c < w; c++) next[r] += d[r * w + c] * s->scale[c] / s->scale[r] * e[c];
            along += next[r] * s->orbit->slope[r] / s->scale[r];
        }
        for (int r = 0; r < w; r++) {
            if (!s->forced && speed2 > 0.0) next[r] -= along / speed2 * s->orbit->slope[r] / s->scale[r];
            size = fmax(size, fabs(next[r]));
        }
        for (int r = 0; r < w && size > 0.0; r++) e[r] = next[r] / size;
    }
}

// A start that closes to SS_SAME is off by that over 1 less the multiplier: the multiplier there and on the
// other side tells how well it is known. Where that cannot be followed nothing is.
static ss_status margin_near(const ss_shoot* s, double largest, double memory[], double* margin,
                             ss_error* err)
{
    static const double most = 1e-2; // of the extents
    int w = s->w, count;
    double *e = memory, *at = e + w, (*others)[2] = (double(*)[2])(at + w);
    double off = fmin(SS_SAME / fmax(fabs(1.0 - largest), SS_SAME), most);
    slowest_direction(s, e, at);
    for (int side = -1; side <= 1; side += 2) {
        ss_error why = {0};
        for (int r = 0; r < w; r++) at[r] = s->y[r] + side * off * s->scale[r] * e[r];
        ss_status status = ss_orbit_differentiate(s->orbit, at, s->period, true, &why);
        if (status == SS_NO_MEMORY) return ss_fail_no_memory(err);
        if (status != SS_OK || s->orbit->interrupted || s->orbit->outcome != SS_TIME_REACHED) {
            *margin = clear;
            continue;
        }
        if (!ss_tie_monodromy(s->orbit->model, s->scale, w, s->orbit->monodromy) ||
            !ss_multipliers(s, others, &count))
            return ss_fail_no_memory(err);
        *margin = fmax(*margin, fabs(hypot(others[0][0], others[0][1]) - largest));
    }
    return SS_OK;
}

ss_status ss_multiplier_margin(const ss_shoot* s, double* margin, ss_error* err)
{
    size_t w = (size_t)s->w;
    double* memory = ss_new(4 * w, sizeof(double));
    int count;
    *margin = s->differences ? difference_rank : SS_CLEAR;
    if (!memory || !ss_multipliers(s, (double(*)[2])(memory + 2 * w), &count)) {
        free(memory);
        return ss_fail_no_memory(err);
    }
    double largest = count > 0 ? hypot(memory[2 * w], memory[2 * w + 1]) : 0.0;
    ss_status status = SS_OK;
    if (!s->differences && count > 0 && fabs(1.0 - largest) < clear)
        status = margin_near(s, largest, memory, margin, err);
    free(memory);
    return status;
}
