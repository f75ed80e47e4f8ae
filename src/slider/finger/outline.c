// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slider/finger/outline.h"

#include "core/tolerance.h"

#include <math.h>

static const double* begin_of(const ss_outline* o, int side) { return &o->vertices[2 * side]; }

static const double* end_of(const ss_outline* o, int side)
{
    return &o->vertices[2 * (side + 1 < o->count ? side + 1 : 0)];
}

void ss_outline_normal(const ss_outline* o, int side, const double p[2], double normal[2])
{
    if (o->count == 0) {
        double r = hypot(p[0], p[1]);
        normal[0] = r > 0.0 ? -p[0] / r : 1.0;
        normal[1] = r > 0.0 ? -p[1] / r : 0.0;
        return;
    }
    const double *a = begin_of(o, side), *b = end_of(o, side);
    double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    normal[0] = -dy / length;
    normal[1] = dx / length;
}

double ss_outline_gap(const ss_outline* o, int side, const double p[2])
{
    if (o->count == 0) return hypot(p[0], p[1]) - o->radius;
    double n[2];
    const double* a = begin_of(o, side);
    ss_outline_normal(o, side, p, n);
    return -((p[0] - a[0]) * n[0] + (p[1] - a[1]) * n[1]);
}

double ss_outline_margin(const ss_outline* o, int side, const double p[2], int* end)
{
    if (o->count == 0) return INFINITY;
    const double *a = begin_of(o, side), *b = end_of(o, side);
    double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    double way = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length, left = length - way;
    if (end) *end = way < left ? side : side + 1 < o->count ? side + 1 : 0;
    return fmin(way, left);
}

bool ss_outline_is_reflex(const ss_outline* o, int side)
{
    double before[2], after[2];
    ss_outline_normal(o, ss_outline_before(o, side), begin_of(o, side), before);
    ss_outline_normal(o, side, begin_of(o, side), after);
    return before[0] * after[1] - before[1] * after[0] < 0.0;
}

double ss_outline_reach(const ss_outline* o)
{
    double reach = o->radius;
    for (int k = 0; k < o->count; k++) reach = fmax(reach, hypot(begin_of(o, k)[0], begin_of(o, k)[1]));
    return reach;
}

// Whether a ray from p crosses the outline an odd number of times.
static bool is_inside(const ss_outline* o, const double p[2])
{
    bool inside = false;
    for (int k = 0; k < o->count; k++) {
        const double *a = begin_of(o, k), *b = end_of(o, k);
        if ((a[1] > p[1]) == (b[1] > p[1])) continue;
        double x = a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        if (p[0] < x) inside = !inside;
    }
    return inside;
}

ss_touch ss_outline_touch(const ss_outline* o, const double p[2])
{
    ss_touch touch = {.gap = INFINITY};
    double size = ss_outline_reach(o);
    if (o->count == 0) {
        touch.gap = ss_outline_gap(o, 0, p);
        return touch;
    }
    for (int k = 0; k < o->count; k++) {
        const double *a = begin_of(o, k), *b = end_of(o, k);
        double dx = b[0] - a[0], dy = b[1] - a[1];
        double share = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy);
        double near = fmin(fmax(share, 0.0), 1.0);
        double gap = hypot(p[0] - a[0] - near * dx, p[1] - a[1] - near * dy);
        if (gap >= touch.gap) continue;
        double from_end = fmin(near, 1.0 - near) * hypot(dx, dy);
        touch.gap = gap;
        touch.corner = from_end <= SS_RELATIVE_ZERO * size;
        touch.side = touch.corner && near > 0.5 ? (k + 1) % o->count : k;
    }
    if (is_inside(o, p)) touch.gap = -touch.gap;
    return touch;
}
