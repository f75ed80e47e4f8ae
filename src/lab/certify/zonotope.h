// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The forces that rough contacts can give together: Z = { W g : |g_k| <= level_k }, the image of a box, a
// zonotope; and the largest energy on such sets.
#ifndef SLIPSTICK_LAB_ZONOTOPE_H
#define SLIPSTICK_LAB_ZONOTOPE_H

#include "core/pool.h"

/// Contacts whose level is 0 are left out.
typedef struct ss_zonotope {
    int n;          ///< coordinates
    int count;      ///< contacts with a level
    int* index;     ///< count: their numbers
    double* w;      ///< n x count: their columns of W
    double* level;  ///< count
    int rank;       ///< of w
    double* pseudo; ///< count x n: pseudo-inverse of w
    double* free;   ///< count x (count - rank): combinations of forces that have no effect
} ss_zonotope;

/// Singular values of W, columns scaled to length 1, below this share of the largest count as zero.
extern const double ss_zonotope_rank_tolerance;
/// A vector belongs to the span of W where less than this share of it is left over.
extern const double ss_zonotope_span_tolerance;

/// From W (n x contacts, row-major) and a level >= 0 per contact. False where memory is missing.
bool ss_zonotope_make(ss_pool* pool, const double W[], const double level[], int n, int contacts,
                      ss_zonotope* out);
/// What of x the contacts cannot give whatever their levels: |x - w pseudo x|.
double ss_zonotope_off_span(const ss_zonotope* z, const double x[]);
/// By how much all levels have to be multiplied until x lies on the boundary: x is in Z where the gauge is at
/// most 1. Outside the span the part inside it is judged. Never too small (a linear program whose answer is
/// checked). NaN where memory is missing.
double ss_zonotope_gauge(const ss_zonotope* z, const double x[]);

/// Corner points of { sum_k s_k g_k : |s_k| <= 1 } with generators g_k (count rows of n numbers):
/// counter-clockwise in two dimensions, otherwise in any order. Returns how many and puts them into the pool;
/// 0 where there would be more than `most`; -1 where memory is missing.
int ss_zonotope_vertices(ss_pool* pool, const double generators[], int count, int n, int most, double** out);

/// The largest 1/2 s^T H s + h^T s over |s_k| <= 1, H positive semidefinite (count x count). *reached is the
/// largest value found at a corner; the result is that, too, where the search ended (*exact), and otherwise
/// an upper bound.
double ss_cube_maximum(const double H[], const double h[], int count, bool* exact, double* reached);

#endif
