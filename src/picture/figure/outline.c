// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/figure/outline.h"
#include "core/tolerance.h"

#include <math.h>

static ss_point along(ss_point from, double angle, double distance)
{
    double c = cos(angle), s = sin(angle); // along an axis, exactly along it
    return (ss_point){from.x + (fabs(c) < SS_UNIT_NOISE ? 0 : distance * c),
                      from.y + (fabs(s) < SS_UNIT_NOISE ? 0 : distance * s)};
}

// The distance at which the ray leaves the region: walked in steps of a growing length, then halved.
static double leave(ss_region* region, void* user, ss_point inside, double angle, double reach)
{
    double in = 0, out = reach / 1024;
    while (out < reach && region(user, along(inside, angle, out))) {
        in = out;
        out = fmin(2 * out, reach);
    }
    if (out >= reach && region(user, along(inside, angle, reach))) return reach;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (in + out);
        if (middle == in || middle == out) break;
        if (region(user, along(inside, angle, middle)))
            in = middle;
        else
            out = middle;
    }
    return in;
}

void ss_outline(ss_region* region, void* user, ss_point inside, double reach, ss_point out[], int count)
{
    for (int k = 0; k < count; k++) {
        double angle = k * (4 * acos(0) / count);
        out[k] = along(inside, angle, leave(region, user, inside, angle, reach));
    }
}

bool ss_outline_find(ss_region* region, void* user, ss_point guess, const ss_box* box, ss_point* out)
{
    enum { SIDE = 41 };
    *out = guess;
    if (region(user, guess)) return true;
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            *out = (ss_point){box->x + box->width * i / (SIDE - 1), box->y + box->height * j / (SIDE - 1)};
            if (region(user, *out)) return true;
        }
    }
    return false;
}
