// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Solutions along a branch, as numbers in memory.
#include "core/error.h"
#include "lab/follow/continuation.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool ss_branch_point_make(const ss_solution_branch* branch, int size, ss_branch_point* point)
{
    *point = (ss_branch_point){0};
    point->u = ss_new((size_t)size + 1, sizeof(double));
    point->tangent = ss_new((size_t)size + 1, sizeof(double));
    point->beside = ss_new(((size_t)size + 1) * ((size_t)size + 1), sizeof(double));
    return ss_solution_branch_record_make(branch, &point->record) && point->u && point->tangent &&
           point->beside;
}

void ss_branch_point_free(ss_branch_point* point)
{
    free(point->u);
    free(point->tangent);
    free(point->beside);
    ss_solution_branch_record_free(&point->record);
}

void ss_branch_point_copy(const ss_solution_branch* branch, int size, const ss_branch_point* from,
                          ss_branch_point* to)
{
    memcpy(to->u, from->u, ((size_t)size + 1) * sizeof(double));
    memcpy(to->tangent, from->tangent, ((size_t)size + 1) * sizeof(double));
    to->beside_count = from->beside_count;
    memcpy(to->beside, from->beside, (size_t)from->beside_count * ((size_t)size + 1) * sizeof(double));
    memcpy(to->counts, from->counts, sizeof to->counts);
    memcpy(to->tests, from->tests, sizeof to->tests);
    ss_solution_branch_record_copy(branch, &from->record, &to->record);
}

void ss_branch_point_rescale(ss_branch_point* point, int size, double scale[], int c)
{
    double larger = fmax(scale[c], fabs(point->u[c]));
    point->tangent[c] *= scale[c] / larger;
    for (int k = 0; k < point->beside_count; k++) point->beside[k * (size + 1) + c] *= scale[c] / larger;
    scale[c] = larger;
}

static double dot(const double a[], const double b[], int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static void normalise(double a[], int count)
{
    double sum = dot(a, a, count);
    for (int i = 0; i < count && sum > 0.0; i++) a[i] /= sqrt(sum);
}

void ss_branch_point_normalise(ss_branch_point* point, int size)
{
    int n = size + 1;
    normalise(point->tangent, n);
    for (int k = 0; k < point->beside_count; k++) {
        double* own = point->beside + (ptrdiff_t)k * n;
        for (int j = 0; j < k; j++) {
            const double* other = point->beside + (ptrdiff_t)j * n;
            double along = dot(own, other, n);
            for (int i = 0; i < n; i++) own[i] -= along * other[i];
        }
        normalise(own, n);
    }
}
