// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The boundary of a patch is cut into pieces so short that x = c + J r and s = D x differ little from their
// values x_0 and s_0 in the middle: by no more than y in x, |s| >= least (|x_0| - y) and |s| >= |s_0| -
// stretch y. Because D J D = det(D) J, |D e'| = det(D) |x|/|s| for e' across s.
#include "slider/shape/rim.h"

#include <math.h>

enum { MOST_PIECES = 64 };

typedef struct piece {
    double x, y;   // its middle, relative to the centre of the patch
    double tx, ty; // unit tangent there
    double half;   // of its length
    double c, s;   // arc: cosine and sine of half the angle it spans
} piece;

double ss_rim_third(double along, double across, double most)
{
    return fmin(3.0 * along * across * across, 1.1547005383792517 * most * most * most); // 2/sqrt(3)
}

typedef struct place {       // what is known of a piece
    double s[2], size;       // s_0, |s_0|
    double distance;         // |x_0|
    double change, s_change; // of x and s, at most
    double length;
} place;

static void add_far(ss_rim* m, const place* p)
{
    const double* d = m->d;
    double slowest = fmax(m->least * (p->distance - p->change), p->size - p->s_change);
    double across = fmin(m->stretch * m->least * (p->distance + p->change) / slowest, m->stretch);
    double ax = d[0] * p->s[0] + d[1] * p->s[1], ay = d[2] * p->s[0] + d[3] * p->s[1];
    double along = (sqrt(ax * ax + ay * ay) + m->stretch * p->s_change) / slowest; // |D s|/|s|
    m->second += p->length * across * across / slowest;
    m->third += p->length * ss_rim_third(fmin(along, m->stretch), across, m->stretch) / (slowest * slowest);
}

// A piece is cut in two until its length matters little beside its distance or beside the size of the cell,
// both as x and as s see them, unless there are too many already. Then where |x_0| >= 3 reach, |x| differs
// from it by 7/12 at most; elsewhere |x|
// <= (3 + 3/4 + 1) reach.
static void add_piece(ss_rim* m, const piece* p, double curvature) // NOLINT(misc-no-recursion)
{
    const double* d = m->d;
    double x = m->cx - p->y, y = m->cy + p->x;
    place at = {.s = {d[0] * x + d[1] * y, d[2] * x + d[3] * y}, .distance = sqrt(x * x + y * y)};
    at.size = sqrt(at.s[0] * at.s[0] + at.s[1] * at.s[1]);
    double nx = d[1] * p->tx - d[0] * p->ty, ny = d[3] * p->tx - d[2] * p->ty; // D J t
    double own = p->half * (sqrt(nx * nx + ny * ny) + 0.5 * m->stretch * curvature * p->half);
    double shift = m->stretch * m->reach;
    bool short_enough = own <= fmax(0.25 * at.size, 0.5 * shift) || ++m->pieces > MOST_PIECES;
    if (short_enough && p->half <= fmax(0.25 * at.distance, 0.5 * m->reach)) {
        at.change = p->half + m->reach;
        at.s_change = own + shift;
        at.length = 2.0 * p->half;
        if (at.distance < 3.0 * m->reach)
            m->is_near = true;
        else
            add_far(m, &at);
        return;
    }
    double c = sqrt(0.5 * (1.0 + p->c)), sine = 0.5 * p->s / c; // of the quarter of the angle
    for (int way = -1; way <= 1; way += 2) {
        double turn = way * sine, along = curvature > 0.0 ? 0.0 : way * 0.5 * p->half;
        const piece half = {.x = c * p->x - turn * p->y + along * p->tx,
                            .y = c * p->y + turn * p->x + along * p->ty,
                            .tx = c * p->tx - turn * p->ty,
                            .ty = c * p->ty + turn * p->tx,
                            .half = 0.5 * p->half,
                            .c = c,
                            .s = sine};
        add_piece(m, &half, curvature);
    }
}

static void add_circle(ss_rim* m, double radius)
{
    enum { ARCS = 8 };
    static const double c = 0.92387953251128675613, s = 0.38268343236508977173; // of pi/ARCS
    double nx = 1.0, ny = 0.0, turn_c = c * c - s * s, turn_s = 2.0 * c * s;
    for (int k = 0; k < ARCS; k++) {
        const piece arc = {radius * nx, radius * ny, -ny, nx, 0.39269908169872415481 * radius, c, s};
        add_piece(m, &arc, 1.0 / radius);
        double x = turn_c * nx - turn_s * ny;
        ny = turn_c * ny + turn_s * nx;
        nx = x;
    }
}

void ss_rim_add(ss_rim* rim, const ss_element* e)
{
    if (e->patch != SS_SUPPORT_POLYGON) {
        add_circle(rim, e->radius);
        if (e->patch == SS_SUPPORT_ANNULUS && e->inner > 0.0) add_circle(rim, e->inner);
        return;
    }
    for (int i = 0; i < e->vertex_count; i++) {
        const double *a = &e->vertices[2 * i], *b = &e->vertices[2 * ((i + 1) % e->vertex_count)];
        double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
        if (length == 0.0) continue;
        const piece edge = {.x = 0.5 * (a[0] + b[0]),
                            .y = 0.5 * (a[1] + b[1]),
                            .tx = dx / length,
                            .ty = dy / length,
                            .half = 0.5 * length,
                            .c = 1.0};
        add_piece(rim, &edge, 0.0);
    }
}
