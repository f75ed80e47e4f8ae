// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One-sided Jacobi [Hestenes 1958; Demmel, Veselic 1992]: pairs of columns are rotated until all are
// orthogonal; their lengths are the singular values, and the rotations make up V.
#include "core/algebra/svd.h"

#include <float.h>
#include <math.h>

enum { MOST_SWEEPS = 60 };

static double column_dot(const double a[], int rows, int columns, int p, int q)
{
    double sum = 0.0;
    for (int i = 0; i < rows; i++) sum += a[i * columns + p] * a[i * columns + q];
    return sum;
}

static void rotate_columns(double a[], int rows, int columns, int p, int q, double c, double s)
{
    for (int i = 0; i < rows; i++) {
        double x = a[i * columns + p], y = a[i * columns + q];
        a[i * columns + p] = c * x - s * y;
        a[i * columns + q] = s * x + c * y;
    }
}

// Makes columns p and q orthogonal; false where they were, to rounding.
static bool make_orthogonal(double a[], int rows, int columns, int p, int q, double v[])
{
    double alpha = column_dot(a, rows, columns, p, p), beta = column_dot(a, rows, columns, q, q);
    double gamma = column_dot(a, rows, columns, p, q);
    if (fabs(gamma) <= (double)rows * DBL_EPSILON * sqrt(alpha) * sqrt(beta)) return false;
    double zeta = (beta - alpha) / (2.0 * gamma);
    double t = copysign(1.0, zeta) / (fabs(zeta) + hypot(1.0, zeta)); // the smaller root: angle up to 45 deg
    double c = 1.0 / hypot(1.0, t), s = c * t;
    rotate_columns(a, rows, columns, p, q, c, s);
    rotate_columns(v, columns, columns, p, q, c, s);
    return true;
}

static void swap_columns(double a[], int rows, int columns, int p, int q)
{
    for (int i = 0; i < rows; i++) {
        double kept = a[i * columns + p];
        a[i * columns + p] = a[i * columns + q];
        a[i * columns + q] = kept;
    }
}

// Lengths of the columns, descending, columns of a and v with them.
static void sort_columns(double a[], int rows, int columns, double values[], double v[])
{
    for (int j = 0; j < columns; j++) values[j] = sqrt(column_dot(a, rows, columns, j, j));
    for (int j = 0; j < columns; j++) {
        int largest = j;
        for (int k = j + 1; k < columns; k++)
            if (values[k] > values[largest]) largest = k;
        if (largest == j) continue;
        double kept = values[j];
        values[j] = values[largest];
        values[largest] = kept;
        swap_columns(a, rows, columns, j, largest);
        swap_columns(v, columns, columns, j, largest);
    }
}

// Column k of q: the unit vector that is farthest from the columns before it, made orthogonal to them (twice,
// because once leaves the rounding of what was subtracted).
static void add_column(double q[], int size, int width, int k)
{
    int farthest = 0;
    double least = INFINITY;
    for (int i = 0; i < size; i++) {
        double inside = 0.0;
        for (int j = 0; j < k; j++) inside += q[i * width + j] * q[i * width + j];
        if (inside >= least) continue;
        least = inside;
        farthest = i;
    }
    for (int i = 0; i < size; i++) q[i * width + k] = i == farthest ? 1.0 : 0.0;
    for (int round = 0; round < 2; round++)
        for (int j = 0; j < k; j++) {
            double share = column_dot(q, size, width, j, k);
            for (int i = 0; i < size; i++) q[i * width + k] -= share * q[i * width + j];
        }
    double length = sqrt(column_dot(q, size, width, k, k));
    for (int i = 0; i < size; i++) q[i * width + k] /= length;
}

void ss_complete_basis(double q[], int size, int width, int have, int want)
{
    for (int k = have; k < want; k++) add_column(q, size, width, k);
}

// Scales a so that its largest entry is about 1: squares neither overflow nor vanish. 0: a is zero.
static double scale_down(double a[], int count)
{
    double largest = 0.0;
    for (int k = 0; k < count; k++) largest = fmax(largest, fabs(a[k]));
    if (!(largest > 0.0)) return 0.0;
    int exponent;
    frexp(largest, &exponent);
    for (int k = 0; k < count; k++) a[k] = ldexp(a[k], -exponent);
    return ldexp(1.0, exponent);
}

bool ss_svd(double a[], int rows, int columns, double values[], double v[])
{
    for (int k = 0; k < rows * columns; k++)
        if (!isfinite(a[k])) return false;
    for (int k = 0; k < columns * columns; k++) v[k] = k % (columns + 1) == 0 ? 1.0 : 0.0;
    double scale = scale_down(a, rows * columns);
    bool turned = true;
    for (int sweep = 0; turned && sweep < MOST_SWEEPS; sweep++) {
        turned = false;
        for (int p = 0; p < columns; p++)
            for (int q = p + 1; q < columns; q++)
                if (make_orthogonal(a, rows, columns, p, q, v)) turned = true;
    }
    sort_columns(a, rows, columns, values, v);
    int rank = 0;
    while (rank < columns && values[rank] > 0.0) {
        for (int i = 0; i < rows; i++) a[i * columns + rank] /= values[rank];
        values[rank++] *= scale;
    }
    ss_complete_basis(a, rows, columns, rank, columns);
    return !turned;
}
