// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigen-directions on kinks of Phi. A direction where a point does not move, or where two great circles of
// lines cross, is one where the elements at rest there can exert what is missing: the middle of a facet.
// Along the great circle of one line Phi is smooth but for such directions; its critical points are found by
// cutting the circle into arcs, each cleared as the squares of eigen_cells.c are, and are eigen-directions
// where the line can exert what is missing across.
#include "core/tolerance.h"
#include "surface/eigen/eigen_directions.h"

#include <math.h>
#include <string.h>

static bool unit(const double x[3], double out[3])
{
    double length = sqrt(ss_dot3(x, x));
    if (!(length > 0.0)) return false;
    for (int i = 0; i < 3; i++) out[i] = x[i] / length;
    return true;
}

static ss_status try_both(ss_search* s, const double n[3])
{
    ss_eigen_direction d;
    double q[3];
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int i = 0; i < 3; i++) q[i] = sign * n[i];
        ss_status status = ss_search_judge(s, q, &d) ? ss_search_add(s, &d) : SS_OK;
        if (status != SS_OK) return status;
    }
    return SS_OK;
}

static ss_status try_point(ss_search* s, const ss_part* part)
{
    const double null[3] = {part->element->y, -part->element->x, 1.0};
    double n[3] = {0};
    unit(null, n);
    return try_both(s, n);
}

// The row whose great circle is the kink of a part, if it has one.
static bool kink_row(const ss_part* part, double row[3])
{
    return (part->kind == SS_ELEMENT_LINE || part->kind == SS_ELEMENT_RATCHET) && unit(part->slip, row);
}

typedef struct arc_search {
    ss_search* s;
    double normal[3], u[3], v[3]; // the circle: q = u cos + v sin
} arc_search;

static void on_circle(const arc_search* a, double angle, double q[3], double along[3])
{
    double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++) {
        q[i] = c * a->u[i] + s * a->v[i];
        along[i] = c * a->v[i] - s * a->u[i];
    }
}

// Parts whose kink is this circle take no part on it. A ratchet that neither rolls nor is pushed back on it
// acts like its axle.
static void set_sides(arc_search* a)
{
    ss_search* s = a->s;
    for (int i = 0; i < s->field.count; i++) {
        const ss_part* part = &s->field.parts[i];
        double row[3];
        bool still = kink_row(part, row) && fabs(ss_dot3(row, a->normal)) > 1.0 - SS_NOISE;
        bool edge = part->kind == SS_ELEMENT_RATCHET && unit(part->roll, row) &&
                    fabs(ss_dot3(row, a->normal)) > 1.0 - SS_NOISE;
        s->sides[i] = still ? SS_SIDE_STILL : edge ? SS_SIDE_EDGE : SS_SIDE_NATURAL;
    }
}

// Slope of Phi along the circle and its change, with the sides as they are.
static void slope_at(const arc_search* a, double angle, double* slope, double* bend)
{
    double q[3], along[3], h = 0.0;
    ss_power f;
    on_circle(a, angle, q, along);
    ss_field_at(&a->s->field, a->s->sides, q, &f);
    for (int i = 0; i < 3; i++) h += along[i] * ss_dot3(&f.h[3 * i], along);
    *slope = ss_dot3(f.p, along);
    *bend = h - f.phi;
}

static ss_status collect(arc_search* a, double angle, double delta)
{
    double start = angle;
    for (int n = 0; n < 40; n++) {
        double slope, bend;
        slope_at(a, angle, &slope, &bend);
        double step = -slope / bend;
        if (!isfinite(step) || fabs(angle + step - start) > 4.0 * delta) return SS_OK;
        angle += step;
        if (fabs(step) <= SS_LAST_BIT) break;
    }
    double q[3], along[3];
    ss_eigen_direction d;
    on_circle(a, angle, q, along);
    return ss_search_judge(a->s, q, &d) ? ss_search_add(a->s, &d) : SS_OK;
}

// A point whose null direction lies on the circle: its load along the circle is one of two values.
static bool is_empty_beside(const arc_search* a, const ss_view* view, const double along[3], double slope,
                            double reach)
{
    const ss_part* part = &a->s->field.parts[view->rough[0]];
    double x = ss_dot3(part->load[0], along), y = ss_dot3(part->load[1], along), load = hypot(x, y);
    const double null[3] = {part->element->y, -part->element->x, 1.0};
    double n[3] = {0};
    reach += view->rough_size;
    if (fabs(slope) > part->size + reach) return true;
    unit(null, n);
    return fabs(ss_dot3(n, a->normal)) < SS_SUM_NOISE && fabs(slope - load) > reach &&
           fabs(slope + load) > reach;
}

// Along the circle, q + x along: the equations of eigen_cells.c in one variable.
static ss_status clear_arc(arc_search* a, double angle, double delta, bool* cleared)
{
    double q[3], along[3], corners[4][3], other[3], h = 0.0, d = tan(delta);
    ss_view view;
    on_circle(a, angle, q, along);
    for (int k = 0; k < 4; k++) on_circle(a, angle + (k & 1 ? delta : -delta), corners[k], other);
    ss_around around = {q, {{along[0], along[1], along[2]}}, {d, 0.0}};
    ss_field_view(&a->s->field, a->s->sides, &around, corners, &view);
    *cleared = view.is_void;
    if (view.unsure_count != 0 || view.is_void) return SS_OK;
    const ss_power* f = &view.smooth;
    for (int i = 0; i < 3; i++) h += along[i] * ss_dot3(&f->h[3 * i], along);
    double slope = ss_dot3(f->p, along), bend = fabs(h - f->phi), third = view.bend[0];
    double change = (fabs(slope) + (0.5 * h + third / 6.0 * d) * d) * d + view.rough_power;
    double spread = change + (f->phi + change) * d * d, steepest = fabs(slope) + (h + 0.5 * third * d) * d;
    double remainder = 0.5 * third * d * d + spread * d;
    double turning = third * d + spread + (steepest + 2.0 * d * (f->phi + change)) * d;
    *cleared = true;
    if (view.rough_count == 0 && fabs(slope) > bend * d + remainder) return SS_OK;
    if (view.rough_count > 0 && is_empty_beside(a, &view, along, slope, bend * d + remainder)) return SS_OK;
    if (view.rough_count == 0 && bend > 2.0 * turning) return collect(a, angle, delta);
    *cleared = false;
    return SS_OK;
}

static ss_status search_arc(arc_search* a, double angle, double delta)
{
    bool cleared = false;
    ss_search* s = a->s;
    if (++s->cells > SS_MAX_CELLS) {
        s->unresolved = true;
        return SS_OK;
    }
    ss_status status = ss_search_ask(s);
    if (status == SS_OK) status = clear_arc(a, angle, delta, &cleared);
    if (status != SS_OK || cleared) return status;
    // The ends of other circles and directions with two kinks, which no arc clears, were judged on their own.
    if (delta < SS_CLEAR) return collect(a, angle, delta);
    status = search_arc(a, angle - 0.5 * delta, 0.5 * delta);
    return status == SS_OK ? search_arc(a, angle + 0.5 * delta, 0.5 * delta) : status;
}

// The power is the same all along the circle.
static bool is_level(const arc_search* a)
{
    for (int k = 0; k < 12; k++) {
        double slope, bend;
        slope_at(a, 0.1 + 0.5 * k, &slope, &bend);
        if (fabs(slope) > SS_SUM_NOISE * a->s->field.scale) return false;
    }
    return true;
}

static ss_status search_circle(ss_search* s, const double normal[3])
{
    arc_search a = {.s = s};
    double t[2][3];
    memcpy(a.normal, normal, sizeof a.normal);
    ss_tangents(normal, t);
    memcpy(a.u, t[0], sizeof a.u);
    memcpy(a.v, t[1], sizeof a.v);
    set_sides(&a);
    if (s->field.is_odd && is_level(&a)) return ss_search_add_circle(s, normal);
    ss_status status = SS_OK;
    const double eighth = 0.39269908169872415481; // pi/8
    for (int k = 0; k < 8 && status == SS_OK; k++) {
        if (s->field.is_odd && k >= 4) break;
        status = search_arc(&a, (2 * k + 1) * eighth, eighth);
    }
    return status;
}

static ss_status cross_rows(ss_search* s, int i, int j)
{
    double a[3], b[3], n[3];
    if (!kink_row(&s->field.parts[i], a) || !kink_row(&s->field.parts[j], b)) return SS_OK;
    const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return ss_dot3(cross, cross) > SS_RELATIVE_ZERO * SS_RELATIVE_ZERO && unit(cross, n) ? try_both(s, n)
                                                                                         : SS_OK;
}

static bool seen_before(const ss_search* s, int part, const double row[3])
{
    double other[3];
    for (int i = 0; i < part; i++)
        if (kink_row(&s->field.parts[i], other) && fabs(ss_dot3(other, row)) > 1.0 - SS_NOISE) return true;
    return false;
}

ss_status ss_search_kinks(ss_search* s)
{
    ss_status status = SS_OK;
    for (int i = 0; i < s->field.count && status == SS_OK; i++) {
        const ss_part* part = &s->field.parts[i];
        bool rests = part->kind == SS_ELEMENT_POINT || part->kind == SS_ELEMENT_RATCHET;
        s->done = SS_DONE_DISCS * i / s->field.count;
        status = ss_search_ask(s);
        if (status == SS_OK && rests) status = try_point(s, part);
        for (int j = 0; j < i && status == SS_OK; j++) status = cross_rows(s, i, j);
    }
    for (int i = 0; i < s->field.count && status == SS_OK; i++) {
        double row[3];
        if (kink_row(&s->field.parts[i], row) && !seen_before(s, i, row)) status = search_circle(s, row);
    }
    return status;
}
