// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// With u = |v| and the level F(u; p), the force on A is -sgn(v) F, and so
//     dforce = -F_u dv - sgn(v) F_p
// The program of an expression has F_u as its second output, so that its series are known where those of the
// motion are; F_p follows from the rules of tangents (core/expression/tangent.h).
#include "law/curve_slopes.h"

#include "core/expression/piece/singular.h"
#include "law/curve_rest.h"

#include <math.h>

static int way_of(double sign) { return sign > 0.0 ? 0 : 1; }

double ss_curve_slope_of(const ss_curve_side* side, int line)
{
    if (line + 1 >= side->count) return 0.0;
    return (side->force[line + 1] - side->force[line]) / (side->speed[line + 1] - side->speed[line]);
}

void ss_curve_line(const ss_curve_side* side, int line, double* rest, double* slope)
{
    *slope = line + 1 < side->count
                 ? (side->force[line + 1] - side->force[line]) / (side->speed[line + 1] - side->speed[line])
                 : 0.0;
    *rest = side->force[line] - *slope * side->speed[line];
}

// Next to rest the motion goes by the tangent of an expression that has roots; its slope bends nevertheless.
bool ss_curve_slopes(const void* self, const ss_along* along, int last, ss_along_slopes* out)
{
    int way = way_of(along->sign);
    const ss_curve_side* side = &((const ss_curve*)self)->side[way];
    if (side->count > 0) {
        out->by_v = -ss_curve_slope_of(side, along->branch);
        return true;
    }
    if (ss_curve_is_quiet(side, along)) return false;
    const double* series = ss_run_output(ss_curve_run(side, along, way), SS_CURVE_SLOPE);
    out->bends = true;
    for (int k = 0; k <= last; k++) out->force_v[k] = -series[k];
    return true;
}

bool ss_curve_series_by(const void* self, const void* change, const ss_along* along, int last, double force[],
                        double rate[])
{
    int way = way_of(along->sign);
    const ss_curve_side* side = &((const ss_curve*)self)->side[way];
    const ss_curve_side_change* by = &((const ss_curve_change*)change)->side[way];
    (void)rate; // the law has no state
    if (side->count > 0) {
        for (int k = 0; k <= last; k++) force[k] = -along->sign * by->slope[along->branch] * along->u[k];
        force[0] -= along->sign * by->rest[along->branch];
        return true;
    }
    const ss_run* run = ss_curve_run(side, along, way);
    const double* level = by->rows + (size_t)side->program->outputs[SS_CURVE_LEVEL] * (size_t)run->w.length;
    for (int k = 0; k <= last; k++) {
        if (!ss_tangent_step(&by->by, run, k, NULL, by->rows)) return false;
        force[k] = -along->sign * level[k];
    }
    return true;
}

void ss_curve_by(const void* self, const void* change, const ss_law_point* point, double* force, double* rate)
{
    int way = way_of(point->sign);
    const ss_curve_side* side = &((const ss_curve*)self)->side[way];
    const ss_curve_side_change* by = &((const ss_curve_change*)change)->side[way];
    double u = point->sign * point->v, values[SS_CURVE_OUTPUTS], none = 0.0;
    *rate = 0.0;
    if (side->count > 0) {
        int line = point->along->branch < side->count ? point->along->branch : side->count - 1;
        *force = -point->sign * (by->rest[line] + by->slope[line] * u);
        return;
    }
    ss_run* run = ss_curve_run(side, point->along, way);
    u = u > 0.0 ? u : 0.0;
    (void)ss_run_values(run, 0.0, &u, true, values);
    ss_tangent_values(&by->by, run, 0.0, &none, by->change, values);
    *force = -point->sign * values[SS_CURVE_LEVEL];
}

// Whether the place of a function is at rest, or on a kink: those are ends of pieces, which are located.
static bool ends_piece(const ss_program* program, const ss_instruction* in)
{
    const ss_instruction* a = &program->code[in->a];
    if (ss_op_is_binary(in->op)) return false;
    while (a->op == SS_OP_SCALE) a = &program->code[a->a];
    return a->op == SS_OP_VARIABLE || ss_op_has_kink(a->op);
}

// Steps that shrink towards a place need not get shorter than what no speed notices: on a real one the slope
// of the curve is finite, or it is refused.
double ss_curve_clear(const ss_run* run, int order, double h)
{
    const double share = 0.95, unnoticed = 1e-9;
    double least = unnoticed * h;
    int n = order < run->done ? order : run->done;
    for (int k = 0; k < run->program->singular_count; k++) {
        int i = run->program->singular[k];
        if (ends_piece(run->program, &run->program->code[i])) continue;
        double clear = ss_run_clear(run, i, n, h);
        if (clear > 0.0) h = fmin(h, share * clear);
    }
    return fmax(h, least);
}
