// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// All eigen-directions of a slider: the critical points of Phi on the unit sphere, P(q) = |P| q [GRP91, (9)].
// A motion left to itself turns down the slope of Phi, so that the stable ones are its minima: both radii of
// curvature above |P| [GRP91, 5.1]; along a circle of them one radius is |P| and the other decides.
#include "surface/eigen/eigen_directions.h"

#include "core/grow.h"
#include "core/tolerance.h"
#include "core/watch_part.h"
#include "slider/surface/surface_load.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double still_tolerance = SS_RELATIVE_ZERO; // of directions that come from cross products
static const double flat = SS_CLEAR; // relative: a second derivative below this decides nothing

const char* ss_stability_name(ss_stability stability)
{
    static const char* const names[] = {"stable", "unstable", "neutral"};
    return names[stability];
}

static ss_stability by_sign(double least, double scale)
{
    return least > flat * scale ? SS_STABLE : least < -flat * scale ? SS_UNSTABLE : SS_NEUTRAL;
}

static void set_direction(ss_eigen_direction* d, const double q[3], double magnitude)
{
    *d = (ss_eigen_direction){.magnitude = magnitude, .center = {NAN, NAN}};
    for (int i = 0; i < 3; i++) {
        d->q[i] = fabs(q[i]) <= SS_SUM_NOISE ? 0.0 : q[i]; // smaller components are rounding of sums
        d->load[i] = magnitude * d->q[i];
    }
    if (d->q[2] == 0.0) return;
    d->center[0] = -d->q[1] / d->q[2];
    d->center[1] = d->q[0] / d->q[2];
}

// Where everything moves: radii from the Hessian.
static bool judge_smooth(const double q[3], const ss_power* f, ss_eigen_direction* out)
{
    double t[2][3], g[2], a[3], values[2], first[2];
    ss_tangents(q, t);
    ss_tangential(f->p, t, g);
    if (hypot(g[0], g[1]) > SS_FAINT * f->phi) return false;
    ss_bending(f, t, a);
    ss_eigen2(a, values, first);
    set_direction(out, q, f->phi);
    for (int k = 0; k < 2; k++) // a difference of numbers like Phi: its rounding is no radius
        out->radii[k] = values[k] + f->phi > 16.0 * DBL_EPSILON * f->phi ? values[k] + f->phi : 0.0;
    out->stability = by_sign(values[0], f->phi);
    bool degenerate = fmin(fabs(values[0]), fabs(values[1])) <= flat * f->phi;
    out->index = degenerate ? 0 : values[0] * values[1] > 0.0 ? 1 : -1;
    return true;
}

// The direction along which no element at rest minds a motion; false where there is none (a facet of two
// dimensions).
static bool free_direction(const ss_search* s, const double q[3], double along[3])
{
    double row[3] = {0};
    for (int i = 0; i < s->field.count; i++) {
        const ss_part* part = &s->field.parts[i];
        ss_element face;
        double one[3] = {part->slip[0], part->slip[1], part->slip[2]};
        if (!s->flags[i]) continue;
        if (part->kind != SS_ELEMENT_LINE &&
            !(part->kind == SS_ELEMENT_RATCHET && ss_ratchet_face(part->element, q, &face)))
            return false;
        double size = sqrt(ss_dot3(one, one)), had = ss_dot3(row, row);
        for (int k = 0; k < 3; k++) one[k] /= size;
        if (had > 0.0 && fabs(ss_dot3(row, one)) < 1.0 - SS_RELATIVE_ZERO) return false;
        memcpy(row, one, sizeof row);
    }
    for (int i = 0; i < 3; i++)
        along[i] = q[(i + 1) % 3] * row[(i + 2) % 3] - q[(i + 2) % 3] * row[(i + 1) % 3];
    return true;
}

// The middle of what the elements at rest can exert.
static void middle_load(const ss_search* s, double load[3])
{
    load[0] = load[1] = load[2] = 0.0;
    for (int i = 0; i < s->field.count; i++)
        for (int k = 0; k < 3 && s->flags[i]; k++) load[k] += s->field.parts[i].bias[k];
}

// Can the elements at rest exert what is missing, and a little more?
static bool can_hold(const ss_search* s, const double q[3], const double wanted[3], double factor)
{
    double load[3], rest[3], more[3], middle[3];
    middle_load(s, middle);
    for (int i = 0; i < 3; i++) more[i] = middle[i] + factor * (wanted[i] - middle[i]);
    ss_surface_closest(s->field.slider, &s->field.floor, s->flags, q, more, load, rest,
                       s->flags + s->field.count);
    return sqrt(ss_dot3(rest, rest)) <= SS_SOLVED * s->field.scale;
}

static bool judge_facet(const ss_search* s, const double q[3], const ss_power* f, ss_eigen_direction* out)
{
    double wanted[3], along[3], magnitude = ss_dot3(f->p, q);
    for (int i = 0; i < 3; i++) wanted[i] = magnitude * q[i] - f->p[i];
    bool line = free_direction(s, q, along);
    if (!can_hold(s, q, wanted, 1.0)) return false;
    bool inside = can_hold(s, q, wanted, 1.0 + SS_ROOT_NOISE);
    set_direction(out, q, magnitude);
    out->radii[0] = out->radii[1] = INFINITY;
    out->index = inside;
    out->stability = inside ? SS_STABLE : SS_NEUTRAL;
    if (!line) return true;
    double radius = 0.0;
    for (int i = 0; i < 3; i++) radius += along[i] * ss_dot3(&f->h[3 * i], along);
    out->radii[0] = fmax(radius, 0.0);
    ss_stability way = by_sign(radius - magnitude, magnitude);
    out->index = !inside || way == SS_NEUTRAL ? 0 : way == SS_STABLE ? 1 : -1;
    out->stability = way == SS_UNSTABLE ? way : inside ? way : SS_NEUTRAL;
    return true;
}

bool ss_search_judge(ss_search* s, const double q[3], ss_eigen_direction* out)
{
    int n = s->field.count, still = 0;
    for (int i = 0; i < n; i++)
        still += s->flags[i] = ss_element_is_still(s->field.parts[i].element, q, still_tolerance);
    ss_power f;
    ss_slider_sum(s->field.slider, &s->field.floor, q, s->flags, &f);
    return still > 0 ? judge_facet(s, q, &f, out) : judge_smooth(q, &f, out);
}

// How far off a direction may come out: rounding of the load over the least second derivative.
static double scatter(const ss_eigen_direction* d)
{
    double least = fmin(fabs(d->radii[0] - d->magnitude), fabs(d->radii[1] - d->magnitude));
    return 256.0 * DBL_EPSILON * d->magnitude / (least + DBL_MIN);
}

static bool is_known(const ss_search* s, const ss_eigen_direction* d)
{
    for (int k = 0; k < s->count; k++) {
        const double* p = s->found[k].q;
        double x = p[0] - d->q[0], y = p[1] - d->q[1], z = p[2] - d->q[2];
        // Where Phi is flat, directions come out scattered.
        bool flat_both = d->index == 0 && s->found[k].index == 0;
        double within = flat_both ? 0.02 : fmin(0.02, fmax(SS_ROOT_BIT, scatter(d)));
        if (!s->found[k].is_circle && !d->is_circle && x * x + y * y + z * z < within * within) return true;
    }
    return false;
}

ss_status ss_search_ask(ss_search* s)
{
    enum { OFTEN = 16 };
    return s->asked++ % OFTEN == 0 ? ss_watch_ask(s->watch, s->done, s->err) : SS_OK;
}

static ss_status append(ss_search* s, const ss_eigen_direction* d)
{
    if (is_known(s, d)) return SS_OK;
    if (!ss_grow(&s->found, (size_t)s->count, &s->room, sizeof *d)) return ss_fail_no_memory(s->err);
    s->found[s->count++] = *d;
    return SS_OK;
}

ss_status ss_search_add(ss_search* s, const ss_eigen_direction* d)
{
    ss_status status = append(s, d);
    bool own_mirror = d->is_circle && !d->turns;
    if (status != SS_OK || !s->field.is_odd || own_mirror) return status;
    ss_eigen_direction other = *d;
    for (int i = 0; i < 3; i++) {
        other.q[i] = -d->q[i];
        other.load[i] = -d->load[i];
        other.axis[i] = -d->axis[i];
    }
    return append(s, &other);
}

bool ss_search_on_circle(const ss_search* s, const double q[3], double within)
{
    for (int k = 0; k < s->circle_count; k++)
        if (fabs(ss_dot3(q, s->circles[k])) <= within) return true;
    return false;
}

// Radius across a circle less |P|, at an angle of it; also the direction and |P| there.
static double excess_across(const ss_search* s, double t[2][3], const double normal[3], double angle,
                            double q[3], double* magnitude)
{
    double across = 0.0;
    ss_power f;
    for (int i = 0; i < 3; i++) q[i] = cos(angle) * t[0][i] + sin(angle) * t[1][i];
    ss_field_at(&s->field, NULL, q, &f);
    for (int i = 0; i < 3; i++) across += normal[i] * ss_dot3(&f.h[3 * i], normal);
    *magnitude = f.phi;
    return across - f.phi;
}

// The extreme of sign * excess on a circle: the best of 64 looks, then golden section.
static double extreme_across(const ss_search* s, double t[2][3], const double normal[3], double sign)
{
    enum { LOOKS = 64 };
    const double step = 6.28318530717958647693 / LOOKS, golden = 0.61803398874989484820;
    double best = -INFINITY, at = 0.0, q[3], p;
    for (int k = 0; k < LOOKS; k++) {
        double here = sign * excess_across(s, t, normal, k * step, q, &p);
        if (here > best) at = k * step;
        best = fmax(best, here);
    }
    double a = at - step, b = at + step;
    for (int n = 0; n < 40; n++) {
        double x = b - golden * (b - a), y = a + golden * (b - a);
        double fx = sign * excess_across(s, t, normal, x, q, &p),
               fy = sign * excess_across(s, t, normal, y, q, &p);
        best = fmax(best, fmax(fx, fy));
        if (fx > fy)
            b = y;
        else
            a = x;
    }
    return sign * best;
}

// Along a circle one radius is |P|; the one across decides, and may decide differently from place to place.
static void judge_circle(ss_search* s, double t[2][3], const double normal[3], ss_eigen_direction* out)
{
    double q[3], magnitude, excess = excess_across(s, t, normal, 0.0, q, &magnitude);
    double most = extreme_across(s, t, normal, 1.0), least = extreme_across(s, t, normal, -1.0);
    set_direction(out, q, magnitude);
    out->radii[0] = fmax(0.0, magnitude + fmin(excess, 0.0));
    out->radii[1] = magnitude + fmax(excess, 0.0);
    bool above = by_sign(most, magnitude) == SS_STABLE, below = by_sign(least, magnitude) == SS_UNSTABLE;
    out->stability = by_sign(least, magnitude) == SS_STABLE ? SS_STABLE
                     : below && !above                      ? SS_UNSTABLE
                                                            : SS_NEUTRAL;
}

ss_status ss_search_add_circle(ss_search* s, const double normal[3])
{
    double t[2][3];
    ss_eigen_direction d;
    if (s->circle_count == (int)(sizeof s->circles / sizeof s->circles[0])) return SS_OK;
    memcpy(s->circles[s->circle_count++], normal, sizeof s->circles[0]);
    ss_tangents(normal, t);
    double turn = hypot(normal[0], normal[1]); // the direction told is the one that turns most
    for (int i = 0; i < 3 && turn > SS_CLEAR; i++) t[0][i] = ((i == 2) - normal[2] * normal[i]) / turn;
    for (int i = 0; i < 3; i++)
        t[1][i] = normal[(i + 1) % 3] * t[0][(i + 2) % 3] - normal[(i + 2) % 3] * t[0][(i + 1) % 3];
    judge_circle(s, t, normal, &d);
    d.is_circle = true;
    memcpy(d.axis, normal, sizeof d.axis);
    for (int i = 0; i < s->field.count; i++) // a line whose kink the circle is holds it from both sides
        if (s->field.parts[i].kind == SS_ELEMENT_LINE &&
            ss_element_is_still(s->field.parts[i].element, d.q, still_tolerance)) {
            d.radii[0] = d.magnitude;
            d.radii[1] = INFINITY;
            d.stability = SS_STABLE;
        }
    return ss_search_add(s, &d);
}

bool ss_search_try_circle(ss_search* s, const double normal[3])
{
    double t[2][3], g[2], own[2][3];
    for (int k = 0; k < s->circle_count; k++)
        if (fabs(ss_dot3(s->circles[k], normal)) > 1.0 - SS_FAINT) return true;
    // Evenly round the circle, from where no probe is on an axis of symmetry: there other places may comply,
    // too.
    enum { PROBES = 24 };
    static const double begin = 0.1, apart = 0.2618; // 2 pi / PROBES
    ss_tangents(normal, t);
    for (int k = 0; k < PROBES; k++) {
        double angle = begin + apart * k, q[3];
        for (int i = 0; i < 3; i++) q[i] = cos(angle) * t[0][i] + sin(angle) * t[1][i];
        ss_power f;
        ss_field_at(&s->field, NULL, q, &f);
        ss_tangents(q, own);
        ss_tangential(f.p, own, g);
        if (hypot(g[0], g[1]) > SS_RELATIVE_ZERO * s->field.scale) return false;
    }
    return ss_search_add_circle(s, normal) == SS_OK;
}

static int by_stability(const void* a, const void* b)
{
    static const int rank[] = {[SS_STABLE] = 0, [SS_NEUTRAL] = 1, [SS_UNSTABLE] = 2};
    const ss_eigen_direction *x = a, *y = b;
    int order = rank[x->stability] - rank[y->stability];
    if (order == 0 && fabs(x->magnitude - y->magnitude) > SS_RELATIVE_ZERO * (x->magnitude + y->magnitude))
        order = x->magnitude < y->magnitude ? -1 : 1;
    for (int i = 0; i < 3 && order == 0; i++) order = (x->q[i] < y->q[i]) - (x->q[i] > y->q[i]);
    return order;
}

static void finish(ss_search* s, ss_eigen_set* out)
{
    out->items = s->found;
    out->count = s->count;
    out->cells = s->cells;
    out->has_euler = s->degenerate_count == 0;
    for (int k = 0; k < s->count; k++) {
        out->euler += s->found[k].index;
        bool decided = s->found[k].is_circle ? s->found[k].stability != SS_NEUTRAL : s->found[k].index != 0;
        if (!decided) out->has_euler = false;
    }
    if (s->circle_count > 1) out->has_euler = false; // great circles cross each other
    out->complete = !s->unresolved && (!out->has_euler || out->euler == 2);
    if (s->count > 0) qsort(s->found, (size_t)s->count, sizeof *s->found, by_stability);
    s->found = NULL;
}

static ss_status search(ss_search* s)
{
    bool round;
    ss_status status = ss_search_round(s, &round);
    if (status != SS_OK || round) return status;
    status = ss_search_circles(s);
    if (status == SS_OK) status = ss_search_kinks(s);
    if (status == SS_OK) status = ss_search_polar(s);
    return status == SS_OK ? ss_search_cells(s) : status;
}

ss_status ss_slider_eigen(const ss_slider* slider, double angle_rad, const ss_watch* watch, ss_eigen_set* out,
                          ss_error* err)
{
    *out = (ss_eigen_set){0};
    size_t n = (size_t)slider->element_count;
    ss_part* parts = ss_new(n, sizeof *parts);
    ss_search* s = ss_new(1, sizeof *s);
    ss_status status = parts && s ? SS_OK : ss_fail_no_memory(err);
    if (status == SS_OK) {
        s->err = err;
        s->watch = watch;
        s->sides = ss_new(n, sizeof *s->sides);
        s->flags = ss_new(3 * n, sizeof *s->flags);
        s->discs = ss_new(n, sizeof *s->discs);
        ss_field_set(&s->field, slider, angle_rad, parts);
        status = s->sides && s->flags && s->discs ? SS_OK : ss_fail_no_memory(err);
        if (status == SS_OK && slider->element_count > 0) status = search(s);
        if (status == SS_OK) status = ss_watch_ask(watch, 1.0, err);
        if (status == SS_OK) finish(s, out);
        free(s->sides);
        free(s->flags);
        free(s->discs);
        free(s->found);
    }
    free(s);
    free(parts);
    return status;
}

void ss_eigen_set_free(ss_eigen_set* set)
{
    if (!set) return;
    free(set->items);
    *set = (ss_eigen_set){0};
}
