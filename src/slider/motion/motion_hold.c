// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Can what is held be held? Its loads must add up to the part of the acceleration that must not be, and lie
// in their sets.
#include "slider/motion/slide_impl.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// A load in the midst of those that what is held can give. Only ratchets and their bearings are not the same
// both ways.
static void middle_load(const ss_slide* s, const ss_floor* floor, double c[3])
{
    memset(c, 0, 3 * sizeof *c);
    for (int k = 0; k < s->made.ratchet_count; k++) {
        const ss_spot* spot = &s->made.spots[s->made.ratchets[k].spot];
        double f[2];
        if (!s->mode.spot_held[s->made.ratchets[k].spot]) continue;
        ss_ratchet_middle(s, spot, floor, f);
        ss_element_push(&s->slider->elements[s->made.ratchets[k].element], f, c);
    }
    for (int j = 0; j < s->made.line_count; j++) {
        const ss_element* e = &s->slider->elements[s->made.lines[j]];
        if (!s->mode.line_held[j] || e->bias == 0.0) continue;
        ss_element_push(e, (double[]){e->bias * e->along[0], e->bias * e->along[1]}, c);
    }
}

// The most power that the loads of what is held can take at a motion m, and that load.
static double held_power(const ss_slide* s, const ss_floor* floor, const double m[3], double p[3])
{
    double power = 0.0;
    memset(p, 0, 3 * sizeof *p);
    for (int i = 0; i < s->made.spot_count; i++) {
        if (!s->mode.spot_held[i]) continue;
        const ss_spot* spot = &s->made.spots[i];
        double z[2], load[2];
        ss_spot_velocity(spot, m, z);
        power += spot->kind == SS_SPOT_RATCHET ? ss_ratchet_power(s, spot, floor, z, load)
                                               : ss_spot_load(s, spot, floor, z, load, NULL);
        p[0] += load[0];
        p[1] += load[1];
        p[2] += spot->x * load[1] - spot->y * load[0];
    }
    for (int j = 0; j < s->made.line_count; j++) {
        if (!s->mode.line_held[j]) continue;
        double row[3];
        ss_line_row(s, j, row);
        double slip = ss_dot3(row, m), limit = ss_line_limit(s, j, floor, slip);
        power += limit * fabs(slip);
        for (int k = 0; k < 3; k++) p[k] += copysign(limit, slip) * row[k];
    }
    return power;
}

// How far b is inside the loads with the power and load p at a motion m, seen from the middle c of them:
// 1 - (b - c).m / (power - c.m); p becomes the load less c.
static double margin_along(const ss_slide* s, const ss_floor* floor, const double b[3], const double c[3],
                           const double m[3], double* power, double p[3])
{
    *power = held_power(s, floor, m, p) - ss_dot3(c, m);
    for (int k = 0; k < 3; k++) p[k] -= c[k];
    return 1.0 - (ss_dot3(b, m) - ss_dot3(c, m)) / *power;
}

// The least of these over unit vectors m in the plane of e and f.
static double margin_in_plane(const ss_slide* s, const ss_floor* floor, const double b[3], const double c[3],
                              const double e[3], const double f[3])
{
    enum { FIRST = 64, HALVINGS = 55 };
    const double width = 2.0 * pi / FIRST;
    double best = INFINITY, angle = 0.0, power, p[3], m[3], across[3];
    for (int i = 0; i < FIRST; i++) {
        double x = cos(i * width), y = sin(i * width);
        for (int k = 0; k < 3; k++) m[k] = x * e[k] + y * f[k];
        double margin = margin_along(s, floor, b, c, m, &power, p);
        if (margin < best) {
            best = margin;
            angle = i * width;
        }
    }
    double low = angle - width, high = angle + width;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high), x = cos(middle), y = sin(middle);
        for (int k = 0; k < 3; k++) {
            m[k] = x * e[k] + y * f[k];
            across[k] = x * f[k] - y * e[k];
        }
        best = fmin(best, margin_along(s, floor, b, c, m, &power, p));
        double slope = (ss_dot3(b, m) - ss_dot3(c, m)) * ss_dot3(p, across) -
                       power * (ss_dot3(b, across) - ss_dot3(c, across));
        *(slope > 0.0 ? &high : &low) = middle;
    }
    return best;
}

// Two lines and no spot share b in one way: f g + f' g' = b in the plane of their rows.
static bool margin_of_two_lines(const ss_slide* s, const ss_floor* floor, const double b[3], double* margin)
{
    double row[2][3];
    int line[2], count = 0;
    for (int i = 0; i < s->made.spot_count; i++)
        if (s->mode.spot_held[i]) return false;
    for (int j = 0; j < s->made.line_count; j++) {
        if (!s->mode.line_held[j]) continue;
        if (count == 2) return false;
        ss_line_row(s, j, row[count]);
        line[count++] = j;
    }
    if (count < 2) return false;
    double aa = ss_dot3(row[0], row[0]), ab = ss_dot3(row[0], row[1]), bb = ss_dot3(row[1], row[1]);
    double x = ss_dot3(row[0], b), y = ss_dot3(row[1], b), det = aa * bb - ab * ab;
    const double f[2] = {(bb * x - ab * y) / det, (aa * y - ab * x) / det};
    *margin = INFINITY;
    for (int k = 0; k < 2; k++) {
        const ss_element* e = &s->slider->elements[s->made.lines[line[k]]];
        *margin = fmin(*margin, 1.0 - fabs(f[k] - e->bias) / ss_line_level(e, floor));
    }
    return true;
}

// Several spots or lines, some of which may be redundant.
static double margin_of_many(const ss_slide* s, const ss_floor* floor, const double b[3])
{
    double power, c[3], p[3], e[3], f[3], spin[3], margin;
    if (s->mode.dof == 1 && margin_of_two_lines(s, floor, b, &margin)) return margin;
    middle_load(s, floor, c);
    for (int k = 0; k < 3; k++) e[k] = b[k] - c[k];
    double size = sqrt(ss_dot3(e, e));
    if (size == 0.0) return 1.0;
    for (int k = 0; k < 3; k++) e[k] /= size;
    if (s->mode.dof == 2) return margin_along(s, floor, b, c, e, &power, p);
    // the direction left, and f across it and e
    int axis = s->mode.project[0] >= s->mode.project[4] ? (s->mode.project[0] >= s->mode.project[8] ? 0 : 2)
                                                        : (s->mode.project[4] >= s->mode.project[8] ? 1 : 2);
    for (int k = 0; k < 3; k++) spin[k] = s->mode.project[3 * axis + k] / sqrt(s->mode.project[4 * axis]);
    f[0] = spin[1] * e[2] - spin[2] * e[1];
    f[1] = spin[2] * e[0] - spin[0] * e[2];
    f[2] = spin[0] * e[1] - spin[1] * e[0];
    return margin_in_plane(s, floor, b, c, e, f);
}

// The load at a spot that gives the (two-dimensional) b: W W^T load = W b.
static void load_at_spot(const ss_spot* spot, const double b[3], double load[2])
{
    double x = spot->x, y = spot->y, wx = b[0] - b[2] * y, wy = b[1] + b[2] * x;
    double det = 1.0 + x * x + y * y; // of W W^T = [1 + y^2, -x y; -x y, 1 + x^2]
    load[0] = ((1.0 + x * x) * wx + x * y * wy) / det;
    load[1] = ((1.0 + y * y) * wy + x * y * wx) / det;
}

double ss_slide_hold_margin(const ss_slide* s, double angle, const double a[3])
{
    double b[3], load[2];
    int spot = -1, count = 0;
    ss_slide_project(s, a, b);
    for (int k = 0; k < 3; k++) b[k] = a[k] - b[k];
    for (int i = 0; i < s->made.spot_count; i++)
        if (s->mode.spot_held[i]) {
            spot = i;
            count++;
        }
    for (int j = 0; j < s->made.line_count; j++) count += s->mode.line_held[j];
    ss_floor floor = ss_floor_at(s->slider, angle);
    if (spot < 0 || count > 1) return margin_of_many(s, &floor, b);
    load_at_spot(&s->made.spots[spot], b, load);
    return ss_spot_margin(s, &s->made.spots[spot], &floor, load);
}
