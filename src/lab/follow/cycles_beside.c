// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Orbits that lie side by side: an element that sticks all the time may do so anywhere, as long as it is not
// stretched to its limit.
//
// A motion that grows along the branch stretches it to that limit, and pushes it along: each orbit just
// touches the limit. Newton's method finds these orbits, since a motion that begins too close to the limit
// slips until it touches; but where it touches it has a corner, and no tangent. So an orbit that is found
// there is moved away from the limit by as little as rounding needs: beside it, where it sticks, its
// neighbours tell the tangent.
#include "core/error.h"
#include "lab/algebra.h"
#include "lab/follow/cycles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ss_status ss_cycles_find_beside(ss_cycles* s, ss_branch_point* out, ss_error* err)
{
    const double vanishes = 1e-8; // of the singular values, which are of size 1
    int n = s->size + 1;
    out->beside_count = 0;
    if (ss_cycles_keep_places(s, s->matrix, s->size) == s->size) return SS_OK;
    int count = ss_algebra_null_space(s->matrix, s->size, n, vanishes, out->beside);
    if (count < 0) return ss_fail_no_memory(err);
    if (count < 2) return SS_OK;
    out->beside_count = count;
    if (count > 2) return SS_OK; // which of them a limit would push is not known
    double along[2] = {0.0}, *way = s->aside;
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < n; c++) along[k] += out->beside[k * n + c] * out->tangent[c];
    // Across the tangent; without the number, orbits at one number lie side by side.
    for (int c = 0; c < n; c++) way[c] = along[1] * out->beside[c] - along[0] * out->beside[n + c];
    double share = way[s->size] / out->tangent[s->size], size = 0.0;
    for (int c = 0; c < n; c++) way[c] -= share * out->tangent[c];
    for (int c = 0; c < n; c++) size += way[c] * way[c];
    s->has_aside = isfinite(share) && size > 0.0;
    for (int c = 0; c < n && s->has_aside; c++) way[c] *= s->scale[c] / sqrt(size); // scales may grow later
    return SS_OK;
}

ss_status ss_cycles_draw_back(ss_cycles* s, const double normal[], ss_branch_point* out, ss_error* err)
{
    static const double ways[] = {1e-9, 1e-7, 1e-6, 1e-5, 1e-4}; // of the scales
    enum { WAYS = sizeof ways / sizeof *ways };
    size_t n = (size_t)s->size + 1;
    ss_status status = SS_OK;
    bool there = false, found = false;
    if (out->beside_count > 0 || !s->has_aside || !s->forced) return SS_OK;
    double* u = ss_new(2 * n, sizeof(double));
    if (!u) return ss_fail_no_memory(err);
    memcpy(u + n, s->aside, n * sizeof(double));
    for (int k = 0; k < 2 * WAYS && status == SS_OK && !found; k++) {
        double way = k % 2 ? -ways[k / 2] : ways[k / 2];
        for (size_t c = 0; c < n; c++) u[c] = out->u[c] + way * u[n + c];
        status = ss_cycles_evaluate(s, u, normal, out->tangent, &there, err);
        if (status == SS_OK && there && ss_cycles_closes(s, u)) status = ss_cycles_find_beside(s, out, err);
        found = status == SS_OK && out->beside_count > 0;
    }
    if (found) memcpy(out->u, u, n * sizeof(double));
    s->has_aside = found; // else it slips indeed
    if (status == SS_OK && !found) status = ss_cycles_evaluate(s, out->u, normal, out->tangent, &there, err);
    free(u);
    return status;
}
