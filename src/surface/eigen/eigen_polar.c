// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigen-directions beside a facet. Round the direction n in which a point does not move, squares are of no
// use: the point's load turns with the direction from n, ever faster as n is approached. In polar coordinates
//
//     q = cos r n + sin r (cos a s + sin a t)
//
// it depends on a alone: Phi_i = sin r N(a), and so does that of lines whose great circle passes n, as the
// bearing of a ratchet's does. Their kinks cut the disc into sectors. The two equations of an
// eigen-direction,
//
//     cos r N(a) + P . e_r = 0,      N'(a) + P . e_a = 0            (P of all other elements)
//
// are smooth down to r = 0, and rectangles in (r, a) are cleared as the squares of eigen_cells.c are.
#include "core/tolerance.h"
#include "surface/eigen/eigen_directions.h"

#include <math.h>
#include <string.h>

enum { LINES = 8 };

typedef struct polar {
    ss_search* s;
    int part;
    double n[3], t[2][3];
    int lines[LINES]; // parts whose great circle passes n
    int line_count;
    bool has_disc;  // not so for a ratchet that rolls
    double w[2][2]; // u of the point along s and t
    double l[2];    // N = |w_0 cos a + w_1 sin a| + l_0 cos a + l_1 sin a
    double third;   // bound of N''' and its like
} polar;

typedef struct patch_view { // at the centre of a rectangle
    double q[3], er[3], ea[3];
    double f[2], j[2][2];
    double second;   // bound of second derivatives in r and a
    bool spins_away; // see eigen_spin.c
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
    double c = cos(a), s = sin(a), linear = c * p->l[0] + s * p->l[1], slope = c * p->l[1] - s * p->l[0];
    n[0] = linear;
    n[1] = slope;
    n[2] = -linear;
    if (!p->has_disc) return;
    double w[2] = {c * p->w[0][0] + s * p->w[1][0], c * p->w[0][1] + s * p->w[1][1]};
    double d[2] = {c * p->w[1][0] - s * p->w[0][0], c * p->w[1][1] - s * p->w[0][1]};
    double size = hypot(w[0], w[1]), turn = (w[0] * d[0] + w[1] * d[1]) / size;
    n[0] += size;
    n[1] += turn;
    n[2] += (d[0] * d[0] + d[1] * d[1] - turn * turn) / size - size; // w'' = -w
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
    ss_around around;
    ss_view view;
    frame(p, r, a, v);
    for (int k = 0; k < 4; k++) {
        frame(p, r + (k & 1 ? dr : -dr), a + (k & 2 ? da : -da), &corner);
        memcpy(corners[k], corner.q, sizeof corners[k]);
    }
    for (int i = 0; i < s->field.count; i++) s->sides[i] = SS_SIDE_NATURAL;
    s->sides[p->part] = SS_SIDE_OUT;
    for (int i = 0; i < p->line_count; i++) s->sides[p->lines[i]] = SS_SIDE_OUT;
    ss_around_disc(v->q, delta, &around);
    ss_field_view(&s->field, s->sides, &around, corners, &view);
    v->spins_away = ss_search_spins_away(s, &around, view.smooth.p[2]);
    if (view.unsure_count != 0 || view.rough_count > 0) return false;
    equations(p, r, a, &view.smooth, v);
    for (int i = 0; i < 9; i++) size += view.smooth.h[i] * view.smooth.h[i];
    v->second =
        ss_view_bend(&view) + 4.0 * sqrt(size) + 2.0 * sqrt(ss_dot3(view.smooth.p, view.smooth.p)) + p->third;
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
        if (fabs(x) + fabs(y) < SS_UNIT_NOISE) break;
    }
    ss_eigen_direction d;
    if (!(r > SS_SUM_NOISE)) return SS_OK;
    frame(p, r, a, &v);
    if (ss_search_on_circle(s, v.q, SS_ROOT_NOISE) || !ss_search_judge(s, v.q, &d)) return SS_OK;
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
        if (d->stability == SS_NEUTRAL && fabs(fabs(ss_dot3(d->q, p->n)) - 1.0) < SS_RELATIVE_ZERO)
            return true;
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
    ss_status status = ss_search_ask(s);
    if (status != SS_OK) return status;
    verdict what = view_rectangle(p, r, a, dr, da, &v) ? judge(&v, dr, da) : dr >= da ? CUT_R : CUT_A;
    if (v.spins_away) return SS_OK;
    if (what == CLEARED) return SS_OK;
    if (what == SETTLED) return collect(p, r, a);
    double size = fmax(dr, da);
    if (size < 1e-5 && (is_marginal(p) || ss_search_on_circle(s, v.q, 1e-3))) return SS_OK;
    if (size < (s->unresolved ? SS_COARSE : SS_ROOT_BIT)) {
        s->unresolved = true;
        return SS_OK;
    }
    double hr = what == CUT_R ? 0.5 * dr : 0.0, ha = what == CUT_A ? 0.5 * da : 0.0;
    status = search_rectangle(p, r - hr, a - ha, hr > 0 ? hr : dr, ha > 0 ? ha : da);
    return status == SS_OK ? search_rectangle(p, r + hr, a + ha, hr > 0 ? hr : dr, ha > 0 ? ha : da) : status;
}

static double angle_to_plane(const double n[3], const double row[3])
{
    return asin(fmin(1.0, fabs(ss_dot3(n, row)) / sqrt(ss_dot3(row, row))));
}

static bool passes(const ss_part* part, const double n[3])
{
    return part->kind == SS_ELEMENT_LINE && angle_to_plane(n, part->slip) < SS_SUM_NOISE;
}

// Less than half the angle to the nearest other direction of this kind, or to a great circle of another kink
// that does not pass n; at most 0.3.
static double disc_radius(const ss_search* s, int part, const double n[3])
{
    // Beside translations a wide patch wants cells that are narrow in spin, which a disc has not.
    double radius = s->field.reach > SS_WIDE ? fmin(0.3, 0.5 * asin(fabs(n[2]))) : 0.3;
    for (int i = 0; i < s->field.count; i++) {
        const ss_part* other = &s->field.parts[i];
        double null[3] = {other->element->y, -other->element->x, 1.0}, length = sqrt(ss_dot3(null, null));
        if (i == part || passes(other, n)) continue;
        if (other->kind == SS_ELEMENT_POINT)
            radius = fmin(radius, 0.4 * acos(fmin(1.0, fabs(ss_dot3(n, null)) / length)));
        if (other->kind == SS_ELEMENT_LINE || other->kind == SS_ELEMENT_RATCHET)
            radius = fmin(radius, 0.4 * angle_to_plane(n, other->slip));
        if (other->kind == SS_ELEMENT_RATCHET) radius = fmin(radius, 0.4 * angle_to_plane(n, other->roll));
    }
    for (int k = 0; k < s->circle_count; k++) // on such circles nothing could ever be cleared
        radius = fmin(radius, 0.8 * angle_to_plane(n, s->circles[k]));
    return radius > SS_ROOT_NOISE ? radius : 0.0;
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
    p->has_disc = true;
    p->third += large * (2.0 + 3.0 * ratio + 3.0 * ratio * ratio);
}

static double along(const double row[3], const double e[3]) { return ss_dot3(row, e) < 0.0 ? -1.0 : 1.0; }

// N in the sector round the direction e from n.
static void set_sector(polar* p, const double e[3])
{
    const ss_part* own = &p->s->field.parts[p->part];
    double load[3] = {0};
    p->third = 0.0;
    p->has_disc = false;
    if (own->kind == SS_ELEMENT_POINT || ss_dot3(own->roll, e) < 0.0)
        set_disc(p);
    else
        for (int i = 0; i < 3; i++) load[i] = along(own->slip, e) * own->slip[i];
    for (int k = 0; k < p->line_count; k++) {
        const ss_part* line = &p->s->field.parts[p->lines[k]];
        for (int i = 0; i < 3; i++) load[i] += along(line->slip, e) * line->slip[i] + line->bias[i];
    }
    for (int k = 0; k < 2; k++) p->l[k] = ss_dot3(load, p->t[k]);
    p->third += 2.0 * hypot(p->l[0], p->l[1]);
}

static ss_status search_sector(polar* p, double from, double to, double radius)
{
    int slices = (int)ceil((to - from) / 0.8);
    double half = 0.5 * (to - from) / slices, middle = 0.5 * (from + to), e[3];
    ss_status status = SS_OK;
    for (int i = 0; i < 3; i++) e[i] = cos(middle) * p->t[0][i] + sin(middle) * p->t[1][i];
    set_sector(p, e);
    for (int k = 0; k < slices && status == SS_OK; k++)
        status = search_rectangle(p, 0.5 * radius, from + (2 * k + 1) * half, 0.5 * radius, half);
    return status;
}

// The two angles at which a row through n vanishes, into their places in ascending order.
static int add_angles(const polar* p, const double row[3], double angles[], int count)
{
    const double pi = 3.14159265358979323846;
    double angle = atan2(-ss_dot3(row, p->t[0]), ss_dot3(row, p->t[1]));
    if (angle < 0.0) angle += pi;
    for (int k = 0; k < 2; k++, angle += pi) {
        int at = count++;
        for (; at > 0 && angles[at - 1] > angle; at--) angles[at] = angles[at - 1];
        angles[at] = angle;
    }
    return count;
}

static ss_status search_disc(ss_search* s, int part, double radius, const double n[3])
{
    const double round = 6.28318530717958647693;
    polar p = {.s = s, .part = part};
    double angles[2 * LINES + 5] = {0};
    int count = 0;
    ss_status status = SS_OK;
    memcpy(p.n, n, sizeof p.n);
    ss_tangents(n, p.t);
    if (s->field.parts[part].kind == SS_ELEMENT_RATCHET) {
        count = add_angles(&p, s->field.parts[part].slip, angles, count);
        count = add_angles(&p, s->field.parts[part].roll, angles, count);
    }
    for (int i = 0; i < s->field.count; i++) {
        if (!passes(&s->field.parts[i], n) || p.line_count == LINES) continue;
        p.lines[p.line_count++] = i;
        count = add_angles(&p, s->field.parts[i].slip, angles, count);
    }
    if (count == 0) return search_sector(&p, 0.0, round, radius);
    angles[count] = angles[0] + round;
    for (int k = 0; k < count && status == SS_OK; k++)
        if (angles[k + 1] > angles[k]) status = search_sector(&p, angles[k], angles[k + 1], radius);
    return status;
}

// Is what all others exert on the disc round n, across the motion, everywhere more than the part can? Then it
// holds no eigen-direction, wherever its own load points: a weak point among many is cleared at one look.
static bool is_outweighed(ss_search* s, int part, double radius, const double n[3])
{
    double t[2][3], corners[4][3], g[2], size = 0.0, delta = 1.1 * radius;
    ss_around around;
    ss_view view;
    ss_tangents(n, t);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++) corners[k][i] = n[i] + radius * (k < 2 ? t[k][i] : -t[k - 2][i]);
        double length = sqrt(ss_dot3(corners[k], corners[k]));
        for (int i = 0; i < 3; i++) corners[k][i] /= length;
    }
    for (int i = 0; i < s->field.count; i++) s->sides[i] = SS_SIDE_NATURAL;
    s->sides[part] = SS_SIDE_OUT;
    ss_around_disc(n, delta, &around);
    ss_field_view(&s->field, s->sides, &around, corners, &view);
    s->cells++;
    if (view.unsure_count != 0 || view.rough_count > 0) return false;
    ss_tangential(view.smooth.p, t, g);
    for (int i = 0; i < 9; i++) size += view.smooth.h[i] * view.smooth.h[i];
    double load = sqrt(ss_dot3(view.smooth.p, view.smooth.p));
    // The load changes by at most (|H| + bend delta) delta, and what is across the motion by |P| delta more.
    double change = (sqrt(size) + ss_view_bend(&view) * delta) * delta;
    return hypot(g[0], g[1]) > s->field.parts[part].size + change + (load + change) * delta;
}

// Clears the disc round a null direction, or a smaller one where that is easily done: squares do the rest.
static ss_status search_round(ss_search* s, int part, const double n[3])
{
    enum { HALVINGS = 4 };
    double radius = s->discs[part], smaller = radius;
    for (int k = 0; radius > 0.0 && k < HALVINGS; k++, smaller *= 0.5)
        if (is_outweighed(s, part, smaller, n)) {
            s->discs[part] = smaller;
            return SS_OK;
        }
    return radius > 0.0 ? search_disc(s, part, radius, n) : SS_OK;
}

ss_status ss_search_polar(ss_search* s)
{
    ss_status status = SS_OK;
    for (int i = 0; i < s->field.count && status == SS_OK; i++) {
        const ss_part* part = &s->field.parts[i];
        if (part->kind != SS_ELEMENT_POINT && part->kind != SS_ELEMENT_RATCHET) continue;
        double n[3] = {part->element->y, -part->element->x, 1.0}, length = sqrt(ss_dot3(n, n));
        for (int k = 0; k < 3; k++) n[k] /= length;
        s->done = SS_DONE_DISCS + (SS_DONE_CELLS - SS_DONE_DISCS) * i / s->field.count;
        status = ss_search_ask(s);
        s->discs[i] = disc_radius(s, i, n);
        if (status == SS_OK) status = search_round(s, i, n);
        for (int k = 0; k < 3; k++) n[k] = -n[k];
        if (!s->field.is_odd && status == SS_OK) status = search_round(s, i, n);
    }
    return status;
}

bool ss_search_in_disc(const ss_search* s, int part, const double q[3], double delta)
{
    const ss_element* e = s->field.parts[part].element;
    double cosine = fabs(e->y * q[0] - e->x * q[1] + q[2]) / sqrt(1.0 + e->x * e->x + e->y * e->y);
    return s->discs[part] > 0.0 && acos(fmin(1.0, cosine)) + delta <= s->discs[part];
}
