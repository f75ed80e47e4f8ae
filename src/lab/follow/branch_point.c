// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Solutions along a branch, as numbers in memory.
#include "core/error.h"
#include "lab/follow/continuation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ss_branch_point_make(const ss_solution_branch* branch, int size, ss_branch_point* point)
{
    *point = (ss_branch_point){0};
    point->u = ss_new((size_t)size + 1, sizeof(double));
    point->tangent = ss_new((size_t)size + 1, sizeof(double));
    return ss_solution_branch_record_make(branch, &point->record) && point->u && point->tangent;
}

void ss_branch_point_free(ss_branch_point* point)
{
    free(point->u);
    free(point->tangent);
    ss_solution_branch_record_free(&point->record);
}

void ss_branch_point_copy(const ss_solution_branch* branch, int size, const ss_branch_point* from,
                          ss_branch_point* to)
{
    memcpy(to->u, from->u, ((size_t)size + 1) * sizeof(double));
    memcpy(to->tangent, from->tangent, ((size_t)size + 1) * sizeof(double));
    memcpy(to->counts, from->counts, sizeof to->counts);
    memcpy(to->tests, from->tests, sizeof to->tests);
    ss_solution_branch_record_copy(branch, &from->record, &to->record);
}

void ss_branch_point_rescale(ss_branch_point* point, double scale[], int c)
{
    double larger = fmax(scale[c], fabs(point->u[c]));
    point->tangent[c] *= scale[c] / larger;
    scale[c] = larger;
}

void ss_branch_point_normalise(ss_branch_point* point, int size)
{
    double sum = 0.0;
    for (int i = 0; i <= size; i++) sum += point->tangent[i] * point->tangent[i];
    for (int i = 0; i <= size && sum > 0.0; i++) point->tangent[i] /= sqrt(sum);
}
