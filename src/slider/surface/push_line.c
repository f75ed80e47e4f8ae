// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The motion on a line whose load balances: a root of one variable, of a function that rises because the
// power is convex, jumps where an element does not move, and is 0 all along where the power is flat.
#include "core/tolerance.h"
#include "slider/surface/push.h"
#include "slider/surface/surface_load.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void motion_at(const ss_motion_line* line, double x, double q[3])
{
    for (int i = 0; i < 3; i++) q[i] = line->from[i] + x * line->along[i];
}

static void add_moving(const ss_motion_line* line, const double q[3], double tolerance, ss_power* sum,
                       ss_balance* out)
{
    memset(sum, 0, sizeof *sum);
    out->still_count = 0;
    for (int i = 0; i < line->slider->element_count; i++) {
        const ss_element* e = &line->slider->elements[i];
        if (!ss_element_is_still(e, q, tolerance)) {
            ss_element_power(e, line->floor, q, sum);
        } else if (out->still_count < SS_STILL_MOST) {
            out->still[out->still_count++] = i;
        }
        if (e->bias != 0.0 && ss_element_is_still(e, q, tolerance)) {
            const double bias[2] = {e->bias * e->along[0], e->bias * e->along[1]};
            ss_element_push(e, bias, sum->p);
        }
    }
    for (int i = 0; i < 3 && line->applied; i++) sum->p[i] -= line->applied[i];
}

void ss_push_load(const ss_motion_line* line, const double q[3], ss_power* sum, ss_balance* out)
{
    add_moving(line, q, SS_SUM_NOISE, sum, out);
    memcpy(out->load, sum->p, sizeof out->load);
}

typedef struct point {
    double x, value, slope;
} point;

static point look(const ss_motion_line* line, double x)
{
    double q[3], slope = 0.0;
    ss_power f;
    motion_at(line, x, q);
    ss_slider_sum(line->slider, line->floor, q, NULL, &f);
    for (int i = 0; i < 3 && line->applied; i++) f.p[i] -= line->applied[i];
    for (int i = 0; i < 3; i++) slope += line->across[i] * ss_dot3(&f.h[3 * i], line->along);
    return (point){x, ss_dot3(line->across, f.p), slope};
}

// Steps outwards until the balance changes sign.
static bool bracket(const ss_motion_line* line, double step, point* low, point* high)
{
    enum { DOUBLINGS = 200 };
    point at = *low;
    bool rises = at.value < 0.0;
    for (int k = 0; k < DOUBLINGS; k++, step *= 2.0) {
        point next = look(line, rises ? at.x + step : at.x - step);
        if (rises ? next.value >= 0.0 : next.value <= 0.0) {
            *low = rises ? at : next;
            *high = rises ? next : at;
            return true;
        }
        at = next;
    }
    return false;
}

// Newton's method, kept between two signs.
static point narrow(const ss_motion_line* line, point low, point high, double size)
{
    enum { ROUNDS = 200 };
    point at = fabs(low.value) < fabs(high.value) ? low : high;
    double before = high.x - low.x;
    for (int k = 0; k < ROUNDS && at.value != 0.0; k++) {
        double x = at.slope > 0.0 ? at.x - at.value / at.slope : NAN, width = high.x - low.x;
        bool slow = k > 4 && k % 3 == 0 && width > 0.5 * before;
        if (k % 3 == 0) before = width;
        if (!(x > low.x && x < high.x) || slow) x = 0.5 * (low.x + high.x);
        double moved = fabs(x - at.x);
        if (width <= 2.0 * DBL_EPSILON * (size + fabs(at.x)) || !(x > low.x && x < high.x)) break;
        at = look(line, x);
        *(at.value > 0.0 ? &high : &low) = at;
        if (moved <= DBL_EPSILON * (size + fabs(x)) && at.slope > 0.0 &&
            fabs(at.value) <= 16.0 * at.slope * moved)
            break;
    }
    return at;
}

// Where on the line an element is stillest.
static double stillest(const ss_motion_line* line, const ss_element* e)
{
    double v[2], w[2];
    ss_element_velocity(e, line->from, v);
    ss_element_velocity(e, line->along, w);
    if (e->kind == SS_ELEMENT_LINE) {
        v[0] = e->along[0] * v[0] + e->along[1] * v[1];
        w[0] = e->along[0] * w[0] + e->along[1] * w[1];
        v[1] = w[1] = 0.0;
    }
    double size = w[0] * w[0] + w[1] * w[1];
    return size > 0.0 ? -(v[0] * w[0] + v[1] * w[1]) / size : NAN;
}

// An element that does not move at the balance, to rounding, does not move.
static double settle_on_kink(const ss_motion_line* line, double x, double size)
{
    for (int i = 0; i < line->slider->element_count; i++) {
        const ss_element* e = &line->slider->elements[i];
        double there = e->kind == SS_ELEMENT_PATCH ? NAN : stillest(line, e), q[3];
        if (!(fabs(there - x) <= SS_CLEAR * (size + fabs(x)))) continue;
        motion_at(line, there, q);
        if (ss_element_is_still(e, q, SS_SUM_NOISE)) return there;
    }
    return x;
}

// How far the balance stays 0 to one side.
static double flat_until(const ss_motion_line* line, double x, double step, double nothing)
{
    enum { ROUNDS = 100 };
    double reached = 0.0, beyond = INFINITY;
    for (int k = 0; k < ROUNDS; k++) {
        double trial = isinf(beyond) ? step * ldexp(1.0, k) : 0.5 * (reached + beyond);
        if (fabs(trial) > 1e6 * fabs(step) || fabs(reached - beyond) <= DBL_EPSILON * fabs(reached)) break;
        *(fabs(look(line, x + trial).value) <= nothing ? &reached : &beyond) = trial;
    }
    return x + reached;
}

// Of many motions that balance the smallest.
static double smallest(const ss_motion_line* line, double x, double size, double nothing, bool* determined)
{
    point near[2] = {look(line, x - 1e-6 * size), look(line, x + 1e-6 * size)};
    *determined = true;
    double low = x, high = x, best = -ss_dot3(line->from, line->along) / ss_dot3(line->along, line->along);
    if (fabs(near[0].value) <= nothing) low = flat_until(line, x, -1e-3 * size, nothing);
    if (fabs(near[1].value) <= nothing) high = flat_until(line, x, 1e-3 * size, nothing);
    if (low == high) return x;
    *determined = false;
    return fmin(fmax(best, low), high);
}

bool ss_line_balance(const ss_motion_line* line, ss_balance* out)
{
    double size = ss_norm3(line->from) / ss_norm3(line->along), level = 0.0;
    ss_power sum;
    if (size == 0.0) size = 1.0;
    for (int i = 0; i < line->slider->element_count; i++) level += line->slider->elements[i].level;
    double nothing = SS_SUM_NOISE * level * ss_norm3(line->across);
    double best = -ss_dot3(line->from, line->along) / ss_dot3(line->along, line->along);
    point low = look(line, best), high = low;
    if (fabs(low.value) > nothing) {
        double first = low.slope > 0.0 ? fmin(fabs(1.1 * low.value / low.slope), size) : 0.1 * size;
        if (!bracket(line, fmax(first, 1e-8 * size), &low, &high)) return false;
        low = narrow(line, low, high, size);
    }
    double x = settle_on_kink(line, low.x, size);
    motion_at(line, x, out->q);
    ss_push_load(line, out->q, &sum, out);
    out->determined = true;
    if (out->still_count > 0) return true;
    x = smallest(line, x, size, nothing, &out->determined);
    motion_at(line, x, out->q);
    ss_push_load(line, out->q, &sum, out);
    return true;
}
