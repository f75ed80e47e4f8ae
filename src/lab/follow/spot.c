// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Solutions along a branch, as numbers in memory.
#include "core/error.h"
#include "lab/follow/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ss_spot_make(const ss_trail* branch, int size, ss_spot* spot)
{
    *spot = (ss_spot){0};
    spot->u = ss_new((size_t)size + 1, sizeof(double));
    spot->tangent = ss_new((size_t)size + 1, sizeof(double));
    return ss_trail_record_make(branch, &spot->record) && spot->u && spot->tangent;
}

void ss_spot_free(ss_spot* spot)
{
    free(spot->u);
    free(spot->tangent);
    ss_trail_record_free(&spot->record);
}

void ss_spot_copy(const ss_trail* branch, int size, const ss_spot* from, ss_spot* to)
{
    memcpy(to->u, from->u, ((size_t)size + 1) * sizeof(double));
    memcpy(to->tangent, from->tangent, ((size_t)size + 1) * sizeof(double));
    memcpy(to->counts, from->counts, sizeof to->counts);
    memcpy(to->tests, from->tests, sizeof to->tests);
    ss_trail_record_copy(branch, &from->record, &to->record);
}

void ss_spot_rescale(ss_spot* spot, double scale[], int c)
{
    double larger = fmax(scale[c], fabs(spot->u[c]));
    spot->tangent[c] *= scale[c] / larger;
    scale[c] = larger;
}

void ss_spot_normalise(ss_spot* spot, int size)
{
    double sum = 0.0;
    for (int i = 0; i <= size; i++) sum += spot->tangent[i] * spot->tangent[i];
    for (int i = 0; i <= size && sum > 0.0; i++) spot->tangent[i] /= sqrt(sum);
}
