// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Simplex method on the dual problem
//     maximise sum_k b_k z_k   where   sum_k a_k z_k = 0,  sum_k |z_k| = 1.
// Its columns are (s a_k, 1) with s = +1 or -1; a basis has one more than there are unknowns, and says on
// which rows, and with which sign, the error is to be equally large. Solving for that gives y and the level
// tau; a row with a larger error enters the basis, until there is none.
#include "lab/certify/minimax.h"

#include "core/error.h"
#include "core/tolerance.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct simplex {
    const double *a, *b;
    int rows, unknowns, size; // size = unknowns + 1
    int* basis;               // column k < rows: +row k; k >= rows: -row (k - rows)
    double *matrix, *factor;  // size x size: the basis's columns
    double *price, *weight, *enter;
    int* pivots;
} simplex;

static double sign_of(const simplex* s, int column) { return column < s->rows ? 1.0 : -1.0; }

static void write_column(const simplex* s, int column, double out[], int stride)
{
    const double* a = &s->a[(column % s->rows) * s->unknowns];
    for (int i = 0; i < s->unknowns; i++) out[i * stride] = sign_of(s, column) * a[i];
    out[s->unknowns * stride] = 1.0;
}

// Rows that are linearly independent, by elimination with complete pivoting over the rows.
static bool pick_independent(const simplex* s, int picked[])
{
    size_t size = (size_t)s->rows * (size_t)s->unknowns;
    double* work = ss_new(size, sizeof *work);
    if (!work) return false;
    memcpy(work, s->a, size * sizeof *work);
    for (int k = 0; k < s->unknowns; k++) {
        int row = -1, column = -1;
        double best = -1.0;
        for (int i = 0; i < s->rows; i++)
            for (int j = 0; j < s->unknowns; j++)
                if (fabs(work[i * s->unknowns + j]) > best) {
                    best = fabs(work[i * s->unknowns + j]);
                    row = i;
                    column = j;
                }
        picked[k] = row;
        double* pivot = &work[row * s->unknowns];
        for (int i = 0; i < s->rows; i++) {
            double share = best > 0.0 ? work[i * s->unknowns + column] / pivot[column] : 0.0;
            for (int j = 0; i != row && j < s->unknowns; j++) work[i * s->unknowns + j] -= share * pivot[j];
        }
        memset(pivot, 0, (size_t)s->unknowns * sizeof *pivot);
    }
    free(work);
    return true;
}

// Factorizes the basis matrix, which is kept by rows: by columns, as LAPACK reads it, that is its transpose.
// (LAPACKE's own reading by rows makes a copy on every call, and needs memory for it.)
static bool factorize(simplex* s)
{
    int size = s->size;
    for (int k = 0; k < size; k++) write_column(s, s->basis[k], &s->matrix[k], size);
    memcpy(s->factor, s->matrix, (size_t)size * (size_t)size * sizeof *s->factor);
    return LAPACKE_dgetrf(LAPACK_COL_MAJOR, size, size, s->factor, size, s->pivots) == 0;
}

static void solve(const simplex* s, bool transposed, double x[])
{
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, transposed ? 'N' : 'T', s->size, 1, s->factor, s->size, s->pivots, x,
                   s->size);
}

// y and tau of the basis, into price: (-y, tau).
static void price_basis(simplex* s)
{
    for (int k = 0; k < s->size; k++) s->price[k] = sign_of(s, s->basis[k]) * s->b[s->basis[k] % s->rows];
    solve(s, true, s->price);
}

// The error of a row, and the sum of the magnitudes it is made of.
static double error_of(const simplex* s, int row, double* size)
{
    double e = s->b[row];
    *size = fabs(e);
    for (int i = 0; i < s->unknowns; i++) {
        double term = s->a[row * s->unknowns + i] * s->price[i];
        e -= term;
        *size += fabs(term);
    }
    return e;
}

// The column to enter: the row with the largest error, or (so that no cycle can form) simply the first one
// that is too large; -1 where none is. Rounding of large terms that cancel does not count as too large: rows
// may be orders of magnitude apart, and the search would never end.
static int choose_entering(const simplex* s, bool first, double* largest)
{
    double tau = s->price[s->unknowns], most = tau, size;
    int entering = -1;
    *largest = 0.0;
    for (int k = 0; k < s->rows; k++) {
        double e = error_of(s, k, &size);
        *largest = fmax(*largest, fabs(e));
        if (fabs(e) <= most || fabs(e) - tau <= 16.0 * DBL_EPSILON * (fabs(tau) + size)) continue;
        if (first && entering >= 0) continue;
        most = first ? most : fabs(e);
        entering = e > 0.0 ? k : k + s->rows;
    }
    return entering;
}

// The place in the basis that becomes free first.
static int choose_leaving(const simplex* s)
{
    int leaving = -1;
    double least = INFINITY;
    for (int k = 0; k < s->size; k++) {
        if (s->enter[k] <= SS_RELATIVE_ZERO) continue;
        double ratio = fmax(s->weight[k], 0.0) / s->enter[k];
        bool tie = leaving >= 0 && ratio == least && s->basis[k] < s->basis[leaving];
        if (ratio < least || tie) {
            least = ratio;
            leaving = k;
        }
    }
    return leaving;
}

static double run(simplex* s, double y[])
{
    double best = INFINITY;
    int patience = 20 * s->size;
    for (int round = 0; round < 400 * s->size && factorize(s); round++) {
        double largest;
        price_basis(s);
        int entering = choose_entering(s, round > patience, &largest);
        if (largest < best) {
            best = largest;
            for (int i = 0; i < s->unknowns; i++) y[i] = -s->price[i];
        }
        if (entering < 0) break;
        write_column(s, entering, s->enter, 1);
        solve(s, false, s->enter);
        memset(s->weight, 0, (size_t)s->size * sizeof *s->weight);
        s->weight[s->unknowns] = 1.0;
        solve(s, false, s->weight);
        int leaving = choose_leaving(s);
        if (leaving < 0) break;
        s->basis[leaving] = entering;
    }
    return best;
}

static double largest_of(const double b[], int rows)
{
    double largest = 0.0;
    for (int k = 0; k < rows; k++) largest = fmax(largest, fabs(b[k]));
    return largest;
}

double ss_minimax(const double a[], const double b[], int rows, int unknowns, double y[])
{
    if (unknowns == 0) return largest_of(b, rows);
    size_t size = (size_t)unknowns + 1;
    double* numbers = ss_new(2 * size * size + 3 * size, sizeof *numbers);
    int* places = ss_new(2 * size, sizeof *places);
    double answer = NAN;
    if (numbers && places) {
        double* vectors = numbers + 2 * size * size;
        simplex s = {a,
                     b,
                     rows,
                     unknowns,
                     unknowns + 1,
                     places,
                     numbers,
                     numbers + size * size,
                     vectors,
                     vectors + size,
                     vectors + 2 * size,
                     places + size};
        // z = 1/2 on +row and -row of one row satisfies the dual; other independent rows complete the basis.
        bool good = pick_independent(&s, s.basis);
        s.basis[unknowns] = s.basis[0] + rows;
        memset(y, 0, (size_t)unknowns * sizeof *y);
        if (good) answer = fmin(run(&s, y), largest_of(b, rows));
    }
    free(numbers);
    free(places);
    return answer;
}
