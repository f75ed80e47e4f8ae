// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigen-directions beside a facet. Round the direction n in which a point does not move, squares are of no
// use: the point's load turns with the direction from n, ever faster as n is approached. In polar coordinates
//
//     q = cos r n + sin r (cos a s + sin a t)
//
// it depends on a alone: Phi_i = sin r N(a). The two equations of an eigen-direction,
//
//     cos r N(a) + P . e_r = 0,      N'(a) + P . e_a = 0            (P of all other elements)
//
// are smooth down to r = 0, and rectangles in (r, a) are cleared as the squares of eigen_cells.c are.
#include "slider/eigen.h"

#include <math.h>
#include <string.h>

typedef struct polar {
    ss_search* s;
    int part;
    double n[3], t[2][3];
    double w[2][2]; // u of the point along s and t: N = |w_0 cos a + w_1 sin a|
    bool is_linear; // a ratchet that rolls: N = w_0[0] cos a + w_1[0] sin a
    double third;   // bound of N''' and its like
} polar;

typedef struct patch_view { // at the centre of a rectangle
    double q[3], er[3], ea[3];
    double f[2], j[2][2];
    double second; // bound of second derivatives in r and a
    bool is_clean; // no other kink near
} patch_view;

static void frame(const polar* p, double r, double a, patch_view* v)
{
    double cr = cos(r), sr = sin(r), ca = cos(a), sa = sin(a);
    for (int i = 0; i < 3; i++) {
        double out = ca * p->t[0][i] + sa * p->t[1][i];
        v->q[i] = cr * p->n[i] + sr * out;
        v->er[i] = cr * out - sr * p->n[i];
        v->ea[i] = ca * p->t[1][i] - sa * p->t[0][i];
    }
}

// N and its first two derivatives.
static void norm_of(const polar* p, double a, double n[3])
{
    double c = cos(a), s = sin(a);
    if (p->is_linear) {
        n[0] = c * p->w[0][0] + s * p->w[1][0];
        n[1] = c * p->w[1][0] - s * p->w[0][0];
        n[2] = -n[0];
        return;
    }
    double w[2] = {c * p->w[0][0] + s * p->w[1][0], c * p->w[0][1] + s * p->w[1][1]};
    double d[2] = {c * p->w[1][0] - s * p->w[0][0], c * p->w[1][1] - s * p->w[0][1]};
    n[0] = hypot(w[0], w[1]);
    n[1] = (w[0] * d[0] + w[1] * d[1]) / n[0];
    n[2] = (d[0] * d[0] + d[1] * d[1] - n[1] * n[1]) / n[0] - n[0]; // w'' = -w
}

// The two equations and their derivatives, from load and Hessian of all the others.
static void equations(const polar* p, double r, double a, const ss_power* f, patch_view* v)
{
    double n[3], hr[3], ha[3], sr = sin(r), cr = cos(r);
    norm_of(p, a, n);
    for (int i = 0; i < 3; i++) {
        hr[i] = ss_dot3(&f->h[3 * i], v->er);
        ha[i] = ss_dot3(&f->h[3 * i], v->ea);
    }
    double pr = ss_dot3(f->p, v->er), pa = ss_dot3(f->p, v->ea), pq = ss_dot3(f->p, v->q);
    v->f[0] = cr * n[0] + pr;
    v->f[1] = n[1] + pa;
    v->j[0][0] = -sr * n[0] + ss_dot3(v->er, hr) - pq;
    v->j[0][1] = cr * (n[1] + pa) + sr * ss_dot3(v->er, ha);
    v->j[1][0] = ss_dot3(v->ea, hr);
    v->j[1][1] = n[2] + sr * ss_dot3(v->ea, ha) - (sr * pq + cr * pr);
}

static bool view_rectangle(const polar* p, double r, double a, double dr, double da, patch_view* v)
{
    ss_search* s = p->s;
    double corners[4][3], delta = dr + sin(fmin(r + dr, 1.5)) * da, size = 0.0;
    patch_view corner;
    ss_view view;
    frame(p, r, a, v);
    for (int k = 0; k < 4; k++) {
        frame(p, r + (k & 1 ? dr : -dr), a + (k & 2 ? da : -da), &corner);
        memcpy(corners[k], corner.q, sizeof corners[k]);
    }
    for (int i = 0; i < s->field.count; i++) s->sides[i] = SS_SIDE_NATURAL;
    s->sides[p->part] = SS_SIDE_OUT;
    ss_field_view(&s->field, s->sides, v->q, delta, corners, &view);
    if (view.unsure_count != 0 || view.rough_count > 0) return false;
    equations(p, r, a, &view.smooth, v);
    for (int i = 0; i < 9; i++) size += view.smooth.h[i] * view.smooth.h[i];
    v->second = view.bend + 4.0 * sqrt(size) + 2.0 * sqrt(ss_dot3(view.smooth.p, view.smooth.p)) + p->third;
    return true;
}

// Newton's method in (r, a). What it finds at r > 0 is judged.
static ss_status collect(const polar* p, double r, double a)
{
    ss_search* s = p->s;
    double r0 = r, a0 = a;
    patch_view v;
    for (int n = 0; n < 30; n++) {
        ss_power f;
        frame(p, r, a, &v);
        ss_field_at(&s->field, s->sides, v.q, &f);
        equations(p, r, a, &f, &v);
        double det = v.j[0][0] * v.j[1][1] - v.j[0][1] * v.j[1][0];
        double x = -(v.j[1][1] * v.f[0] - v.j[0][1] * v.f[1]) / det;
        double y = -(v.j[0][0] * v.f[1] - v.j[1][0] * v.f[0]) / det;
        if (!isfinite(x + y) || fabs(r + x - r0) > 0.5 || fabs(a + y - a0) > 1.5) return SS_OK;
        r += x;
        a += y;
        if (fabs(x) + fabs(y) < 1e-15) break;
    }
    ss_eigen_direction d;
    if (!(r > 1e-13)) return SS_OK;
    frame(p, r, a, &v);
    if (ss_search_on_circle(s, v.q, 1e-7) || !ss_search_judge(s, v.q, &d)) return SS_OK;
    return ss_search_add(s, &d);
}

typedef enum verdict { CLEARED, SETTLED, CUT_R, CUT_A } verdict;

static verdict judge(const patch_view* v, double dr, double da)
{
    const double(*j)[2] = v->j;
    double reach2 = dr * dr + da * da, rest = 0.7072 * v->second * reach2; // of both components together
    double det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
    for (int k = 0; k < 2; k++)
        if (fabs(v->f[k]) > fabs(j[k][0]) * dr + fabs(j[k][1]) * da + rest) return CLEARED;
    double x = (j[1][1] * v->f[0] - j[0][1] * v->f[1]) / det,
           y = (j[0][0] * v->f[1] - j[1][0] * v->f[0]) / det;
    double size = sqrt(j[0][0] * j[0][0] + j[0][1] * j[0][1] + j[1][0] * j[1][0] + j[1][1] * j[1][1]);
    double inverse = size / fabs(det);
    if (isfinite(inverse)) {
        if (fabs(x) > dr + inverse * rest || fabs(y) > da + inverse * rest) return CLEARED;
        if (inverse * v->second * sqrt(2.0 * reach2) < 0.5) return SETTLED;
    }
    return dr >= da ? CUT_R : CUT_A;
}

// Is there an eigen-direction known at n that is just lost or won? Then the rectangles at r = 0 stay open.
static bool is_marginal(const polar* p)
{
    for (int k = 0; k < p->s->count; k++) {
        const ss_eigen_direction* d = &p->s->found[k];
        if (d->stability == SS_NEUTRAL && fabs(fabs(ss_dot3(d->q, p->n)) - 1.0) < 1e-12) return true;
    }
    return false;
}

static ss_status search_rectangle(const polar* p, double r, double a, double dr, double da)
{
    patch_view v;
    ss_search* s = p->s;
    if (++s->cells > SS_MAX_CELLS) {
        s->unresolved = true;
        return SS_OK;
    }
    verdict what = view_rectangle(p, r, a, dr, da, &v) ? judge(&v, dr, da) : dr >= da ? CUT_R : CUT_A;
    if (what == CLEARED) return SS_OK;
    if (what == SETTLED) return collect(p, r, a);
    double size = fmax(dr, da);
    if (size < 1e-5 && (is_marginal(p) || ss_search_on_circle(s, v.q, 1e-3))) return SS_OK;
    if (size < 1e-8) {
        s->unresolved = true;
        return SS_OK;
    }
    double hr = what == CUT_R ? 0.5 * dr : 0.0, ha = what == CUT_A ? 0.5 * da : 0.0;
    ss_status status = search_rectangle(p, r - hr, a - ha, hr > 0 ? hr : dr, ha > 0 ? ha : da);
    return status == SS_OK ? search_rectangle(p, r + hr, a + ha, hr > 0 ? hr : dr, ha > 0 ? ha : da) : status;
}

static double angle_to_plane(const double n[3], const double row[3])
{
    return asin(fmin(1.0, fabs(ss_dot3(n, row)) / sqrt(ss_dot3(row, row))));
}

// Less than half the angle to the nearest other direction of this kind, or to a great circle of another kink;
// at most 0.3.
static double disc_radius(const ss_search* s, int part, const double n[3])
{
    double radius = 0.3;
    for (int i = 0; i < s->field.count; i++) {
        const ss_part* other = &s->field.parts[i];
        double null[3] = {other->element->y, -other->element->x, 1.0}, length = sqrt(ss_dot3(null, null));
        if (i == part) continue;
        if (other->kind == SS_ELEMENT_POINT)
            radius = fmin(radius, 0.4 * acos(fmin(1.0, fabs(ss_dot3(n, null)) / length)));
        if (other->kind == SS_ELEMENT_LINE || other->kind == SS_ELEMENT_RATCHET)
            radius = fmin(radius, 0.4 * angle_to_plane(n, other->slip));
        if (other->kind == SS_ELEMENT_RATCHET) radius = fmin(radius, 0.4 * angle_to_plane(n, other->roll));
    }
    for (int k = 0; k < s->circle_count; k++) // on which nothing could ever be cleared
        radius = fmin(radius, 0.8 * angle_to_plane(n, s->circles[k]));
    return radius > 1e-7 ? radius : 0.0;
}

// A point's disc, or a ratchet's where it is locked.
static void set_disc(polar* p)
{
    const ss_part* own = &p->s->field.parts[p->part];
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < 2; m++) p->w[k][m] = ss_dot3(own->load[m], p->t[k]);
    double a = p->w[0][0] * p->w[0][0] + p->w[0][1] * p->w[0][1];
    double c = p->w[1][0] * p->w[1][0] + p->w[1][1] * p->w[1][1];
    double cross = p->w[0][0] * p->w[1][0] + p->w[0][1] * p->w[1][1], spread = hypot(a - c, 2.0 * cross);
    double large = sqrt(0.5 * (a + c + spread)),
           det = fabs(p->w[0][0] * p->w[1][1] - p->w[0][1] * p->w[1][0]);
    double ratio = large * large / det; // of the singular values
    p->is_linear = false;
    p->third = large * (2.0 + 3.0 * ratio + 3.0 * ratio * ratio);
}

// A ratchet that rolls, slipping one way.
static void set_linear(polar* p, double sign)
{
    const ss_part* own = &p->s->field.parts[p->part];
    for (int k = 0; k < 2; k++)
        p->w[k][0] = sign * ss_dot3(own->slip, p->t[k]) + own->drag * ss_dot3(own->roll, p->t[k]);
    p->is_linear = true;
    p->third = 2.0 * hypot(p->w[0][0], p->w[1][0]);
}

static ss_status search_slices(const polar* p, double from, double to, int slices, double radius)
{
    double half = 0.5 * (to - from) / slices;
    ss_status status = SS_OK;
    for (int k = 0; k < slices && status == SS_OK; k++)
        status = search_rectangle(p, 0.5 * radius, from + (2 * k + 1) * half, 0.5 * radius, half);
    return status;
}

// Four quarters between the directions of no slip and of no roll, which are not at right angles here.
static ss_status search_ratchet(polar* p, double radius)
{
    const double pi = 3.14159265358979323846;
    const ss_part* own = &p->s->field.parts[p->part];
    double slip[2] = {ss_dot3(own->slip, p->t[0]), ss_dot3(own->slip, p->t[1])};
    double roll[2] = {ss_dot3(own->roll, p->t[0]), ss_dot3(own->roll, p->t[1])};
    double still = atan2(-slip[0], slip[1]), edge = atan2(-roll[0], roll[1]); // angles where they vanish
    if (roll[0] * cos(still) + roll[1] * sin(still) < 0.0) still += pi;       // rolling there
    while (edge < still) edge += pi;
    while (edge - pi > still) edge -= pi; // edge - pi <= still <= edge: the half where it rolls
    double sign =
        slip[0] * cos(0.5 * (still + edge)) + slip[1] * sin(0.5 * (still + edge)) > 0.0 ? 1.0 : -1.0;
    set_linear(p, sign);
    ss_status status = search_slices(p, still, edge, 3, radius);
    set_linear(p, -sign);
    if (status == SS_OK) status = search_slices(p, edge - pi, still, 3, radius);
    set_disc(p);
    return status == SS_OK ? search_slices(p, edge, edge + pi, 4, radius) : status;
}

static ss_status search_disc(ss_search* s, int part, double radius, const double n[3])
{
    polar p = {.s = s, .part = part};
    memcpy(p.n, n, sizeof p.n);
    ss_tangents(n, p.t);
    if (s->field.parts[part].kind == SS_ELEMENT_RATCHET) return search_ratchet(&p, radius);
    set_disc(&p);
    return search_slices(&p, 0.0, 6.28318530717958647693, 8, radius);
}

ss_status ss_search_polar(ss_search* s)
{
    ss_status status = SS_OK;
    for (int i = 0; i < s->field.count && status == SS_OK; i++) {
        const ss_part* part = &s->field.parts[i];
        if (part->kind != SS_ELEMENT_POINT && part->kind != SS_ELEMENT_RATCHET) continue;
        double n[3] = {part->element->y, -part->element->x, 1.0}, length = sqrt(ss_dot3(n, n));
        for (int k = 0; k < 3; k++) n[k] /= length;
        s->discs[i] = disc_radius(s, i, n);
        if (s->discs[i] > 0.0) status = search_disc(s, i, s->discs[i], n);
        for (int k = 0; k < 3; k++) n[k] = -n[k];
        if (s->discs[i] > 0.0 && !s->field.is_odd && status == SS_OK)
            status = search_disc(s, i, s->discs[i], n);
    }
    return status;
}

bool ss_search_in_disc(const ss_search* s, int part, const double q[3], double delta)
{
    const ss_element* e = s->field.parts[part].element;
    double cosine = fabs(e->y * q[0] - e->x * q[1] + q[2]) / sqrt(1.0 + e->x * e->x + e->y * e->y);
    return s->discs[part] > 0.0 && acos(fmin(1.0, cosine)) + delta <= s->discs[part];
}
