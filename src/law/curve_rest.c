// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The tangent of a friction curve at rest, and how far it serves.
#include "law/curve_rest.h"

#include "core/tolerance.h"

#include <math.h>

enum { LEVEL, SLOPE, OUTPUTS };

// Roots and fractional powers have no power series where their argument is 0.
static bool has_roots(const ss_program* program)
{
    for (int i = 0; i < program->count; i++) {
        const ss_instruction* in = &program->code[i];
        if (in->op == SS_OP_SQRT || (in->op == SS_OP_POWER && in->p != floor(in->p))) return true;
    }
    return false;
}

// A term c u^p, p > 1, leaves the tangent by c u^p, which is less than u times the change of the slope. The
// search goes up from speeds that nothing has, and ends where that is no longer lost in the level.
void ss_curve_find_quiet(ss_curve_side* side, ss_run* run)
{
    const double slowest = 1e-60,
                 some = 1e-3; // m/s; some: where a curve without friction at rest is measured
    double at_rest[OUTPUTS], out[OUTPUTS], u = 0.0, size = side->at_rest;
    side->quiet = 0.0;
    (void)ss_run_values(run, 0.0, &u, false, at_rest);
    side->slope = at_rest[SLOPE];
    if (!has_roots(side->program)) return;
    u = some;
    if (!(size > 0.0) && ss_run_values(run, 0.0, &u, false, out)) size = out[LEVEL];
    u = slowest;
    while (u < some) {
        bool finite = ss_run_values(run, 0.0, &u, false, out);
        if (!finite || !(u * fabs(out[SLOPE] - side->slope) <= SS_UNNOTICED * size)) return;
        side->quiet = u;
        u *= 2.0;
    }
}

bool ss_curve_is_quiet(const ss_curve_side* side, const ss_along* along)
{
    return side->count == 0 && side->quiet > 0.0 && along->u[0] < fmax(side->quiet, along->faint);
}

double ss_curve_tangent(const ss_curve_side* side, const ss_along* along, int k)
{
    return (k == 0 ? side->at_rest : 0.0) + side->slope * along->u[k];
}

double ss_curve_quiet_step_bound(const ss_curve_side* side, const ss_along* along, double least, double h)
{
    double quiet = fmax(side->quiet, along->faint), reach = h;
    for (int k = 1; k < 3; k++)
        if (along->u[k] != 0.0) reach = fmin(reach, pow(quiet / fabs(along->u[k]), 1.0 / k));
    return fmin(h, fmax(reach, least));
}
