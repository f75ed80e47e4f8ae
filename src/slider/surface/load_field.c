// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bounds used among the motions around q:
//   point |u|, u = load^T q: its third derivative along a is at most (2/sqrt 3) |load^T a|^3/(least |u|)^2,
//   because along a unit vector it is 3 c s^2/|u|^2 with c^2 + s^2 = 1; patches: patch_bend.c. Only where the
//   body may turn about a point of a ring, where the Hessian is infinite, twice the largest change seen at
//   the corners is taken, in cells that are small against the ring. That is an estimate; the count of Euler,
//   which eigen_directions.c takes, is the check on it.
#include "slider/surface/load_field.h"
#include "core/tolerance.h"
#include "slider/shape/patch.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void lever(const ss_element* e, double fx, double fy, double out[3])
{
    out[0] = fx;
    out[1] = fy;
    out[2] = e->x * fy - e->y * fx;
}

// The larger singular value of the 3 x 2 matrix of loads.
static double disc_size(double load[][3])
{
    double a = ss_dot3(load[0], load[0]), b = ss_dot3(load[0], load[1]), c = ss_dot3(load[1], load[1]);
    return sqrt(0.5 * (a + c + hypot(a - c, 2.0 * b)));
}

static void set_part(const ss_element* e, const ss_floor* floor, ss_part* part)
{
    *part = (ss_part){.kind = e->kind, .element = e};
    double level = e->level, m[4];
    if (e->kind == SS_ELEMENT_POINT) {
        ss_point_ellipse(e, floor, m);
        lever(e, m[0], m[2], part->load[0]);
        lever(e, m[1], m[3], part->load[1]);
        part->size = disc_size(part->load);
        return;
    }
    double axle = e->kind == SS_ELEMENT_PATCH ? level : ss_line_level(e, floor);
    lever(e, axle * e->along[0], axle * e->along[1], part->slip);
    lever(e, e->bias * e->along[0], e->bias * e->along[1], part->bias);
    part->size = ss_norm3(part->slip) + ss_norm3(part->bias);
    if (e->kind == SS_ELEMENT_RATCHET) {
        double roll[2];
        const double* d = floor->d;
        ss_ratchet_roll(e, floor, roll);
        lever(e, level * d[0], level * d[2], part->load[0]);
        lever(e, level * d[1], level * d[3], part->load[1]);
        lever(e, roll[0], roll[1], part->roll);
        part->size = disc_size(part->load);
    } else if (e->kind == SS_ELEMENT_PATCH) {
        part->size = e->level * (1.0 + hypot(e->x, e->y) + e->radius);
    }
}

// No force of the part is larger.
static double push_of(const ss_part* part, const ss_floor* floor)
{
    const double* d = floor->d;
    double line = hypot(part->slip[0], part->slip[1]) + hypot(part->bias[0], part->bias[1]);
    double disc = hypot(hypot(part->load[0][0], part->load[0][1]), hypot(part->load[1][0], part->load[1][1]));
    switch (part->kind) {
    case SS_ELEMENT_PATCH: return part->element->level * hypot(hypot(d[0], d[1]), hypot(d[2], d[3]));
    case SS_ELEMENT_LINE: return line;
    case SS_ELEMENT_POINT:
    case SS_ELEMENT_RATCHET: break;
    }
    return part->kind == SS_ELEMENT_POINT ? disc : disc + line;
}

void ss_field_set(ss_field* field, const ss_slider* slider, double angle, ss_part parts[])
{
    *field = (ss_field){.slider = slider,
                        .floor = ss_floor_at(slider, angle),
                        .count = slider->element_count,
                        .parts = parts,
                        .is_odd = true,
                        .reach = 1.0};
    for (int i = 0; i < field->count; i++) {
        set_part(&slider->elements[i], &field->floor, &parts[i]);
        const ss_element* e = &slider->elements[i];
        field->scale += parts[i].size;
        field->push += push_of(&parts[i], &field->floor);
        field->reach =
            fmax(field->reach, hypot(e->x, e->y) + (e->kind == SS_ELEMENT_PATCH ? e->radius : 0.0));
        if (parts[i].kind == SS_ELEMENT_RATCHET || slider->elements[i].bias != 0.0) field->is_odd = false;
    }
}

// |load^T q|; nothing but the power, which is 0, where the point does not move.
static double add_disc(const ss_part* part, const double q[3], ss_power* sum)
{
    const double *a = part->load[0], *b = part->load[1];
    double x = ss_dot3(a, q), y = ss_dot3(b, q), size = sqrt(x * x + y * y);
    if (size == 0.0) return 0.0;
    double over = 1.0 / size, ex = x * over, ey = y * over, c[3];
    sum->phi += size;
    for (int i = 0; i < 3; i++) {
        sum->p[i] += ex * a[i] + ey * b[i];
        c[i] = ex * b[i] - ey * a[i];
    }
    double k0 = over * c[0], k1 = over * c[1];
    sum->h[0] += k0 * c[0];
    sum->h[1] += k0 * c[1];
    sum->h[2] += k0 * c[2];
    sum->h[4] += k1 * c[1];
    sum->h[5] += k1 * c[2];
    sum->h[8] += over * c[2] * c[2];
    return size;
}

static void add_load(const double load[3], double factor, const double q[3], ss_power* sum)
{
    sum->phi += factor * ss_dot3(load, q);
    for (int i = 0; i < 3; i++) sum->p[i] += factor * load[i];
}

static ss_side side_of(const ss_part* part, const double q[3])
{
    double slip = ss_dot3(part->slip, q);
    if (part->kind == SS_ELEMENT_RATCHET && ss_dot3(part->roll, q) < 0.0) return SS_SIDE_LOCKED;
    return slip > 0.0 ? SS_SIDE_PLUS : slip < 0.0 ? SS_SIDE_MINUS : SS_SIDE_STILL;
}

static void add_side(const ss_part* part, ss_side side, const double q[3], ss_power* sum)
{
    if (side == SS_SIDE_OUT) return;
    if (side == SS_SIDE_NATURAL) side = side_of(part, q);
    if (side == SS_SIDE_EDGE) side = ss_dot3(part->slip, q) < 0.0 ? SS_SIDE_MINUS : SS_SIDE_PLUS;
    if (side == SS_SIDE_LOCKED)
        add_disc(part, q, sum);
    else if (side != SS_SIDE_STILL)
        add_load(part->slip, side == SS_SIDE_PLUS ? 1.0 : -1.0, q, sum);
    if (part->element->bias != 0.0) add_load(part->bias, 1.0, q, sum);
}

static void mirror(double h[9])
{
    h[3] = h[1];
    h[6] = h[2];
    h[7] = h[5];
}

void ss_field_at(const ss_field* field, const ss_side sides[], const double q[3], ss_power* out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < field->count; i++) {
        const ss_part* part = &field->parts[i];
        if (part->kind == SS_ELEMENT_POINT) {
            if (!sides || sides[i] != SS_SIDE_OUT) add_disc(part, q, out);
        } else if (part->kind == SS_ELEMENT_PATCH)
            ss_element_power(part->element, &field->floor, q, out);
        else
            add_side(part, sides ? sides[i] : SS_SIDE_NATURAL, q, out);
    }
    mirror(out->h);
}

void ss_tangents(const double q[3], double t[2][3])
{
    int least = fabs(q[0]) <= fabs(q[1]) ? 0 : 1;
    if (fabs(q[2]) < fabs(q[least])) least = 2;
    double length = sqrt(1.0 - q[least] * q[least]);
    for (int i = 0; i < 3; i++) t[0][i] = ((i == least) - q[least] * q[i]) / length;
    t[1][0] = q[1] * t[0][2] - q[2] * t[0][1];
    t[1][1] = q[2] * t[0][0] - q[0] * t[0][2];
    t[1][2] = q[0] * t[0][1] - q[1] * t[0][0];
}

void ss_tangential(const double p[3], double t[2][3], double out[2])
{
    out[0] = ss_dot3(p, t[0]);
    out[1] = ss_dot3(p, t[1]);
}

void ss_bending(const ss_power* f, double t[2][3], double out[3])
{
    double hx[3], hy[3];
    for (int i = 0; i < 3; i++) {
        hx[i] = ss_dot3(&f->h[3 * i], t[0]);
        hy[i] = ss_dot3(&f->h[3 * i], t[1]);
    }
    out[0] = ss_dot3(t[0], hx) - f->phi;
    out[1] = ss_dot3(t[0], hy);
    out[2] = ss_dot3(t[1], hy) - f->phi;
}

void ss_eigen2(const double a[3], double values[2], double first[2])
{
    double mean = 0.5 * (a[0] + a[2]), half = 0.5 * (a[0] - a[2]), radius = hypot(half, a[1]);
    values[0] = mean - radius;
    values[1] = mean + radius;
    int large = mean > 0.0; // the other one by the determinant: nothing cancels where it is much smaller
    if (values[large] != 0.0) values[1 - large] = (a[0] * a[2] - a[1] * a[1]) / values[large];
    double x = half > 0.0 ? -a[1] : radius - half, y = half > 0.0 ? half + radius : -a[1];
    double length = hypot(x, y);
    first[0] = length > 0.0 ? x / length : 1.0;
    first[1] = length > 0.0 ? y / length : 0.0;
}

static void move(double q[3], double t[2][3], double x, double y)
{
    for (int i = 0; i < 3; i++) q[i] += x * t[0][i] + y * t[1][i];
    double length = ss_norm3(q);
    for (int i = 0; i < 3; i++) q[i] /= length;
}

// A step of Newton's method, by the eigenvectors of A; along one where A (nearly) vanishes there is none: on
// a whole circle of eigen-directions that leaves the nearest.
static void newton_step(const double g[2], const double a[3], double least, double step[2])
{
    double values[2], e[2];
    ss_eigen2(a, values, e);
    double along[2] = {g[0] * e[0] + g[1] * e[1], g[1] * e[0] - g[0] * e[1]}, x[2];
    for (int k = 0; k < 2; k++) x[k] = -along[k] * values[k] / (values[k] * values[k] + least * least);
    step[0] = x[0] * e[0] - x[1] * e[1];
    step[1] = x[0] * e[1] + x[1] * e[0];
}

bool ss_field_newton(const ss_field* field, const ss_side sides[], double q[3])
{
    double before = INFINITY;
    for (int n = 0; n < 40; n++) {
        ss_power f;
        double t[2][3], g[2], a[3], x[2];
        ss_field_at(field, sides, q, &f);
        ss_tangents(q, t);
        ss_tangential(f.p, t, g);
        ss_bending(&f, t, a);
        newton_step(g, a, SS_SOLVED * f.phi, x);
        double size = hypot(x[0], x[1]), shorter = size > 0.3 ? 0.3 / size : 1.0;
        if (!isfinite(size)) return false;
        // Where the field is flat the iteration comes no nearer.
        if (n > 30 && hypot(g[0], g[1]) <= SS_SUM_NOISE * f.phi) return true;
        move(q, t, shorter * x[0], shorter * x[1]);
        if (size <= 4.0 * DBL_EPSILON || (size < SS_CLEAR && size >= before)) return true;
        before = size;
    }
    return false;
}

// How much row . q changes around q.
static double reach_of(const double row[3], const ss_around* around)
{
    return around->d[0] * fabs(ss_dot3(row, around->t[0])) + around->d[1] * fabs(ss_dot3(row, around->t[1]));
}

// Points: smooth where |u| stays above half of what it is at the centre.
static void view_disc(const ss_part* part, int index, const ss_around* around, ss_view* out)
{
    const double(*load)[3] = part->load, *q = around->q;
    double size = hypot(ss_dot3(load[0], q), ss_dot3(load[1], q)), turn[2], change = 0.0;
    for (int i = 0; i < 2; i++) {
        turn[i] = hypot(ss_dot3(load[0], around->t[i]), ss_dot3(load[1], around->t[i]));
        change += around->d[i] * turn[i];
    }
    double least = size - change;
    if (size > 2.0 * change) {
        double factor = 1.1547005383792517 / (least * least), x = turn[0], y = turn[1];
        const double products[4] = {x * x * x, x * x * y, x * y * y, y * y * y};
        add_disc(part, q, &out->smooth);
        for (int k = 0; k < 4; k++) out->bend[k] += factor * products[k];
        return;
    }
    if (out->rough_count < 2) out->rough[out->rough_count] = index;
    if (out->rough_count > 0) out->rough_size += part->size;
    out->rough_power += size + change;
    out->rough_count++;
}

// The change of the Hessian of a ring that may turn about a point of its rim: from samples.
static void sampled_bend(const ss_field* field, const ss_part* part, const ss_power* center,
                         const ss_around* around, double corners[4][3], double bend[4])
{
    double most[3] = {0};
    const double* d = around->d;
    for (int k = 0; k < 4; k++) {
        ss_power corner = {0};
        double change[9];
        ss_element_power(part->element, &field->floor, corners[k], &corner);
        for (int i = 0; i < 9; i++) change[i] = corner.h[i] - center->h[i];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                double sum = 0.0;
                for (int m = 0; m < 3; m++) sum += around->t[i][m] * ss_dot3(&change[3 * m], around->t[j]);
                most[i + j] = fmax(most[i + j], 2.0 * fabs(sum));
            }
    }
    bend[0] = most[0] / d[0];
    bend[1] = 0.5 * most[1] / d[0];
    bend[2] = d[1] > 0.0 ? 0.5 * most[1] / d[1] : 0.0;
    bend[3] = d[1] > 0.0 ? most[2] / d[1] : 0.0;
}

static void view_patch(const ss_field* field, const ss_part* part, const ss_around* around,
                       double corners[4][3], ss_view* out)
{
    ss_power center = {0};
    double bend[4];
    ss_element_power(part->element, &field->floor, around->q, &center);
    out->smooth.phi += center.phi;
    for (int i = 0; i < 3; i++) out->smooth.p[i] += center.p[i];
    for (int i = 0; i < 9; i++) out->smooth.h[i] += center.h[i];
    ss_patch_bend(part->element, &field->floor, around, center.h, bend);
    if (isinf(bend[0]) && part->element->patch == SS_SUPPORT_RING && ss_patch_is_fine(part->element, around))
        sampled_bend(field, part, &center, around, corners, bend);
    for (int k = 0; k < 4; k++) out->bend[k] += bend[k];
}

static bool changes_sides(const ss_part* part, ss_side side, const ss_around* around)
{
    bool slips = fabs(ss_dot3(part->slip, around->q)) > reach_of(part->slip, around);
    if (part->kind == SS_ELEMENT_LINE || side == SS_SIDE_EDGE) return !slips;
    double roll = ss_dot3(part->roll, around->q), reach = reach_of(part->roll, around);
    return roll < -reach ? false : roll > reach ? !slips : true;
}

// On its own great circle of no slip a line takes no part. Where a ratchet is locked the circle is no kink.
static void view_still(const ss_part* part, const ss_around* around, ss_view* out)
{
    if (part->kind != SS_ELEMENT_RATCHET) return;
    double roll = ss_dot3(part->roll, around->q), reach = reach_of(part->roll, around);
    if (roll < -reach)
        out->is_void = true;
    else if (roll <= reach)
        out->unsure_count = -1;
}

static void view_switch(const ss_field* field, int i, ss_side side, const ss_around* around, ss_view* out)
{
    const ss_part* part = &field->parts[i];
    if (side == SS_SIDE_OUT) return;
    if (side == SS_SIDE_STILL)
        view_still(part, around, out);
    else if (!changes_sides(part, side, around))
        ss_field_add_side(field, i, side == SS_SIDE_NATURAL ? side_of(part, around->q) : side, around, out);
    else if (out->unsure_count >= 0 && out->unsure_count < 4)
        out->unsure[out->unsure_count++] = i;
    else
        out->unsure_count = -1;
}

void ss_around_disc(const double q[3], double delta, ss_around* out)
{
    double way = hypot(q[0], q[1]), reach = tan(fmin(delta, 1.5));
    double x = way > 0.0 ? q[0] / way : 1.0, y = way > 0.0 ? q[1] / way : 0.0;
    *out = (ss_around){q, {{-y, x, 0.0}, {-q[2] * x, -q[2] * y, way}}, {reach, reach}};
}

double ss_view_bend(const ss_view* view)
{
    const double* b = view->bend;
    return sqrt(b[0] * b[0] + 3.0 * (b[1] * b[1] + b[2] * b[2]) + b[3] * b[3]);
}

void ss_field_view(const ss_field* field, const ss_side sides[], const ss_around* around,
                   double corners[4][3], ss_view* out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < field->count; i++) {
        const ss_part* part = &field->parts[i];
        ss_side side = sides ? sides[i] : SS_SIDE_NATURAL;
        if (part->kind == SS_ELEMENT_PATCH)
            view_patch(field, part, around, corners, out);
        else if (part->kind != SS_ELEMENT_POINT)
            view_switch(field, i, side, around, out);
        else if (side != SS_SIDE_OUT)
            view_disc(part, i, around, out);
    }
    mirror(out->smooth.h);
}

void ss_field_add_side(const ss_field* field, int part, ss_side side, const ss_around* around, ss_view* view)
{
    const ss_part* p = &field->parts[part];
    if (side == SS_SIDE_LOCKED)
        view_disc(p, part, around, view);
    else
        add_side(p, side, around->q, &view->smooth);
    mirror(view->smooth.h);
}
