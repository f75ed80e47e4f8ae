// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What spots and lines do.
#include "slider/motion/slide_impl.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

void ss_spot_velocity(const ss_spot* spot, const double u[3], double z[2])
{
    z[0] = u[0] - u[2] * spot->y;
    z[1] = u[1] + u[2] * spot->x;
}

// Adds one ellipse: power |M^T z|, load M e, second derivatives (M e')(M e')^T / |M^T z|.
static double add_ellipse(const double m[4], const double z[2], double load[2], double h[4])
{
    double x = m[0] * z[0] + m[2] * z[1], y = m[1] * z[0] + m[3] * z[1], size = sqrt(x * x + y * y);
    if (size == 0.0) return 0.0;
    double ex = x / size, ey = y / size;
    double cx = m[1] * ex - m[0] * ey, cy = m[3] * ex - m[2] * ey;
    load[0] += m[0] * ex + m[1] * ey;
    load[1] += m[2] * ex + m[3] * ey;
    if (h) {
        h[0] += cx * cx / size;
        h[1] += cx * cy / size;
        h[2] += cx * cy / size;
        h[3] += cy * cy / size;
    }
    return size;
}

double ss_spot_load(const ss_slide* s, const ss_spot* spot, const ss_floor* floor, const double z[2],
                    double load[2], double h[4])
{
    double power = 0.0, m[4] = {spot->level, 0.0, 0.0, spot->level};
    load[0] = load[1] = 0.0;
    if (h) h[0] = h[1] = h[2] = h[3] = 0.0;
    if (spot->kind == SS_SPOT_RATCHET) // locked
        for (int i = 0; i < 4; i++) m[i] = spot->level * floor->d[i];
    if (spot->kind != SS_SPOT_ELLIPSES) return add_ellipse(m, z, load, h);
    for (int i = 0; i < spot->count; i++) {
        ss_point_ellipse(&s->slider->elements[s->made.members[spot->first + i]], floor, m);
        power += add_ellipse(m, z, load, h);
    }
    return power;
}

// Largest |M^-1 load| that is allowed is 1.
static double ellipse_margin(const double m[4], const double load[2])
{
    double det = m[0] * m[3] - m[1] * m[2];
    return 1.0 - hypot(m[3] * load[0] - m[1] * load[1], m[0] * load[1] - m[2] * load[0]) / fabs(det);
}

// A sum of ellipses has no simple gauge; the load is inside where no direction pushes beyond the power:
// power(e) - load.e >= 0 for all unit e. That is least where e is across the boundary nearest to the load.
static double sum_margin(const ss_slide* s, const ss_spot* spot, const ss_floor* floor, const double load[2])
{
    enum { FIRST = 48, HALVINGS = 60 };
    double best = INFINITY, angle = 0.0, width = 2.0 * pi / FIRST, p[2];
    for (int i = 0; i < FIRST; i++) {
        double e[2] = {cos(i * width), sin(i * width)};
        double gap = ss_spot_load(s, spot, floor, e, p, NULL) - load[0] * e[0] - load[1] * e[1];
        if (gap < best) {
            best = gap;
            angle = i * width;
        }
    }
    double low = angle - width, high = angle + width;
    for (int i = 0; i < HALVINGS; i++) { // the gap's slope along the circle changes sign once in between
        double middle = 0.5 * (low + high), e[2] = {cos(middle), sin(middle)};
        ss_spot_load(s, spot, floor, e, p, NULL);
        double slope = (p[1] - load[1]) * e[0] - (p[0] - load[0]) * e[1];
        *(slope > 0.0 ? &high : &low) = middle;
    }
    double e[2] = {cos(low), sin(low)}, power = ss_spot_load(s, spot, floor, e, p, NULL);
    return (power - load[0] * e[0] - load[1] * e[1]) / power;
}

double ss_spot_margin(const ss_slide* s, const ss_spot* spot, const ss_floor* floor, const double load[2])
{
    if (spot->kind == SS_SPOT_DISC) return 1.0 - hypot(load[0], load[1]) / spot->level;
    if (spot->kind == SS_SPOT_RATCHET) return ss_ratchet_margin(s, spot, floor, load);
    if (spot->count > 1) return sum_margin(s, spot, floor, load);
    double m[4];
    ss_point_ellipse(&s->slider->elements[s->made.members[spot->first]], floor, m);
    return ellipse_margin(m, load);
}

void ss_line_row(const ss_slide* s, int line, double row[3])
{
    const ss_element* e = &s->slider->elements[s->made.lines[line]];
    row[0] = row[1] = row[2] = 0.0;
    ss_element_push(e, e->along, row);
}

double ss_line_limit(const ss_slide* s, int line, const ss_floor* floor, double way)
{
    const ss_element* e = &s->slider->elements[s->made.lines[line]];
    return ss_line_level(e, floor) + (way > 0.0 ? e->bias : -e->bias);
}
