// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions that turn too fast for the moment they meet, or against it. Of an eigen-direction with spin w > 0
// and the translation V the moment is P_w = w |P_V|/|V|, for the load is along the motion. Phi is convex, so
// that for a given V the moment rises with w. Where it is more than that at the least spin of a cell, with
// |P_V| at most what all supports push, it is too large in all of the cell; where it is negative at the
// greatest, it is of the wrong sign. On patches wide against the radius of gyration this clears all but a
// thin strip of the sphere at a few looks, also where the body turns about points of their rims and the
// Hessian is not bounded.
#include "surface/eigen/eigen_directions.h"

#include <math.h>

// The range of the spin over the speed among the motions around q, with the spin taken positive, and how far
// their translations turn off that of q. False where some do not turn, or do not translate.
typedef struct wedge {
    double least, most, turn;
} wedge;

static bool wedge_of(const ss_around* around, wedge* out)
{
    double spin = fabs(around->q[2]), way = hypot(around->q[0], around->q[1]);
    double slow = way - around->d[1] * spin, fast = way + around->d[1] * spin;
    if (!(slow > 0.0)) return false;
    out->least = (spin - around->d[1] * way) / hypot(fast, around->d[0]);
    out->most = (spin + around->d[1] * way) / slow;
    out->turn = around->d[0] / slow;
    return out->least > 0.0;
}

// The middle of the moments among the motions of the arc, with a spin `ratio` times the speed where its
// translation is that of q, and how much they may differ from it. False where nothing is known.
static bool moment_on_arc(const ss_search* s, const double q[3], double ratio, double turn, double* moment,
                          double* off)
{
    double way = hypot(q[0], q[1]), length = hypot(1.0, ratio), c = 1.0 / length, w = ratio / length;
    const double x = q[0] / way, y = q[1] / way, middle[3] = {c * x, c * y, q[2] > 0.0 ? w : -w};
    double d = turn * c, corners[4][3];
    ss_around around;
    ss_view view;
    ss_around_disc(middle, 0.0, &around);
    around.d[0] = d;
    for (int k = 0; k < 4; k++) {
        double size = hypot(1.0, d), way_k = k & 1 ? d : -d;
        for (int i = 0; i < 3; i++) corners[k][i] = (middle[i] + way_k * around.t[0][i]) / size;
    }
    ss_field_view(&s->field, NULL, &around, corners, &view);
    if (view.unsure_count < 0 || view.is_void) return false;
    const double *h = view.smooth.h, *t = around.t[0], *b = view.bend;
    double along = h[6] * t[0] + h[7] * t[1], own = 0.0;
    for (int i = 0; i < 2; i++) own += t[i] * (h[3 * i] * t[0] + h[3 * i + 1] * t[1]);
    // Third derivatives along t, t and the spin, which is w q + c t_1; along q they are -H/|q|.
    double third = w * (own + 2.0 * d * b[0]) + c * b[1];
    *moment = view.smooth.p[2];
    *off = fabs(along) * d + 0.5 * third * d * d + view.rough_size;
    if (view.rough_count > 0) *off += s->field.parts[view.rough[0]].size;
    for (int k = 0; k < view.unsure_count; k++) {
        const ss_part* part = &s->field.parts[view.unsure[k]];
        *off += part->size + fabs(part->bias[2]);
    }
    return true;
}

bool ss_search_spins_away(const ss_search* s, const ss_around* around, double moment)
{
    static const double safely = 1.0 + 1e-9;
    enum { LOOKS = 2 };
    wedge all;
    double off, way = around->q[2] > 0.0 ? 1.0 : -1.0;
    if (!(s->field.reach > SS_WIDE) || !wedge_of(around, &all)) return false;
    double enough = safely * all.most * s->field.push, ratio = all.least;
    if (way * moment > enough) { // a smaller spin may be clear of a rim
        for (int k = 0; k < LOOKS; k++, ratio *= 0.5)
            if (moment_on_arc(s, around->q, ratio, all.turn, &moment, &off) && way * moment - off > enough)
                return true;
        return false;
    }
    if (!(way * moment < 0.0)) return false;
    ratio = all.most * hypot(1.0, all.turn);
    return moment_on_arc(s, around->q, ratio, all.turn, &moment, &off) && way * moment + off < 0.0;
}
