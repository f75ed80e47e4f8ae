// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The outline that fingers touch: checked, in units of length, counter-clockwise.
#include "core/tolerance.h"
#include "slider/shape/build_slider.h"

#include <math.h>

enum { MOST_VERTICES = 10000 }; // every pair of edges is looked at

static ss_status fail(ss_error* err, const char* text, int one, int other)
{
    return ss_fail(err, SS_BAD_INPUT, "slider.outline", text, one, other);
}

static ss_status check(const ss_slider_def* def, ss_error* err)
{
    const double* v = def->outline;
    int n = def->outline_count, crossing[2];
    if (def->outline_radius_m != 0.0)
        return ss_fail(err, SS_BAD_INPUT, "slider.outline", "expected a polygon or a circle, not both");
    if (n < 3) return fail(err, "needs at least 3 vertices, not %d", n, 0);
    if (n > MOST_VERTICES) return fail(err, "has %d vertices; at most %d", n, MOST_VERTICES);
    for (int i = 0; i < n; i++) {
        int next = (i + 1) % n;
        if (!isfinite(v[2 * i]) || !isfinite(v[2 * i + 1]))
            return fail(err, "vertex %d is not finite", i + 1, 0);
        if (v[2 * i] == v[2 * next] && v[2 * i + 1] == v[2 * next + 1])
            return fail(err, "vertices %d and %d are the same", i + 1, next + 1);
    }
    if (!ss_polygon_is_simple(v, n, crossing))
        return fail(err, "edges %d and %d cross; expected a simple polygon", crossing[0] + 1,
                    crossing[1] + 1);
    return SS_OK;
}

static double twice_area(const double* v, int n)
{
    double sum = 0.0;
    for (int i = 1; i + 1 < n; i++)
        sum += (v[2 * i] - v[0]) * (v[2 * i + 3] - v[1]) - (v[2 * i + 1] - v[1]) * (v[2 * i + 2] - v[0]);
    return sum;
}

ss_status ss_slider_build_outline(ss_slider* slider, const ss_slider_def* def, ss_error* err)
{
    double radius = def->outline_radius_m, unit = slider->unit_length, size = 0.0;
    const double* v = def->outline;
    int n = def->outline_count;
    if (!(isfinite(radius) && radius >= 0.0))
        return ss_fail(err, SS_BAD_INPUT, "slider.outline.circle", "must be positive, not %g", radius);
    slider->outline.radius = radius / unit;
    if (!v) return SS_OK;
    ss_status status = check(def, err);
    if (status != SS_OK) return status;
    double twice = twice_area(v, n), *own = ss_pool_new(&slider->pool, 2 * (size_t)n, sizeof *own);
    if (!own) return ss_fail_no_memory(err);
    for (int i = 0; i < n; i++) {
        int from = twice > 0.0 ? i : n - 1 - i;
        own[2 * i] = v[2 * from] / unit;
        own[2 * i + 1] = v[2 * from + 1] / unit;
        size = fmax(size, hypot(v[2 * i] - v[0], v[2 * i + 1] - v[1]));
    }
    if (!(fabs(twice) > SS_RELATIVE_ZERO * size * size))
        return ss_fail(err, SS_BAD_INPUT, "slider.outline", "has no area");
    slider->outline.vertices = own;
    slider->outline.count = n;
    return SS_OK;
}
