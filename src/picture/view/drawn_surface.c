// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions are spread over their unit sphere; the loads of three neighbours are a triangle of the surface. A
// triangle is quartered while two of its loads are far apart, unless their motions are so close that what
// lies between them is flat: a facet or a band. Where a neighbour is not quartered, the middle of the common
// side is off that side by less than a hair.
#include "picture/view/drawn_surface.h"

#include "core/tolerance.h"
#include "core/watch_part.h"
#include "slider/slider_impl.h"
#include "slipstick/surface.h"

#include <math.h>
#include <string.h>

enum { ROUND = 96, COARSE = 6, DEEPEST = 10 };

static const double closest = 2e-3; // between motions

typedef struct cover {
    const ss_slider* slider;
    double angle, grain;
    ss_drawn_surface_sink* sink;
    void* user;
    const ss_watch* watch;
    ss_error* err;
    int done; // triangles begun
} cover;

static double distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

static void normalise(double a[3])
{
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int i = 0; i < 3; i++) a[i] /= length;
}

ss_drawn_surface_corner ss_drawn_surface_at(const ss_slider* slider, double angle_rad, const double motion[3])
{
    ss_floor floor = ss_floor_at(slider, angle_rad);
    ss_drawn_surface_corner corner;
    ss_power power;
    memcpy(corner.motion, motion, sizeof corner.motion);
    normalise(corner.motion);
    ss_slider_sum(slider, &floor, corner.motion, NULL, &power);
    memcpy(corner.load, power.p, sizeof corner.load);
    return corner;
}

// ---- triangles

static ss_drawn_surface_corner between(const cover* c, const ss_drawn_surface_corner* a,
                                       const ss_drawn_surface_corner* b)
{
    double middle[3];
    for (int i = 0; i < 3; i++) middle[i] = a->motion[i] + b->motion[i];
    return ss_drawn_surface_at(c->slider, c->angle, middle);
}

static bool is_long(const cover* c, const ss_drawn_surface_corner* a, const ss_drawn_surface_corner* b)
{
    return distance(a->load, b->load) > c->grain && distance(a->motion, b->motion) > closest;
}

static void refine(const cover* c, const ss_drawn_surface_corner k[3], int depth)
{
    if (depth == DEEPEST ||
        !(is_long(c, &k[0], &k[1]) || is_long(c, &k[1], &k[2]) || is_long(c, &k[2], &k[0]))) {
        c->sink(c->user, k);
        return;
    }
    const ss_drawn_surface_corner a = between(c, &k[1], &k[2]), b = between(c, &k[2], &k[0]),
                                  d = between(c, &k[0], &k[1]);
    refine(c, (const ss_drawn_surface_corner[3]){k[0], d, b}, depth + 1);
    refine(c, (const ss_drawn_surface_corner[3]){d, k[1], a}, depth + 1);
    refine(c, (const ss_drawn_surface_corner[3]){b, a, k[2]}, depth + 1);
    refine(c, (const ss_drawn_surface_corner[3]){a, b, d}, depth + 1);
}

// A point of a face of the octahedron, i steps along one side and j along the other.
static ss_drawn_surface_corner start_at(const cover* c, const double signs[3], int i, int j)
{
    // Off the round numbers, where many supports have their facets.
    const double turned[3][3] = {
        {0.96, -0.28, 0}, {0.28 * 0.8, 0.96 * 0.8, -0.6}, {0.28 * 0.6, 0.96 * 0.6, 0.8}};
    const double plain[3] = {signs[0] * i, signs[1] * j, signs[2] * (COARSE - i - j)};
    double motion[3];
    for (int row = 0; row < 3; row++)
        motion[row] = turned[row][0] * plain[0] + turned[row][1] * plain[1] + turned[row][2] * plain[2];
    return ss_drawn_surface_at(c->slider, c->angle, motion);
}

static ss_status start(cover* c, const double signs[3], const int at[3][2])
{
    enum { ALL = 8 * COARSE * COARSE };
    ss_status status = ss_watch_ask(c->watch, (double)c->done++ / ALL, c->err);
    if (status != SS_OK) return status;
    ss_drawn_surface_corner corners[3];
    for (int k = 0; k < 3; k++) corners[k] = start_at(c, signs, at[k][0], at[k][1]);
    refine(c, corners, 0);
    return SS_OK;
}

ss_status ss_drawn_surface_cover(const ss_slider* slider, double angle_rad, double grain,
                                 const ss_watch* watch, ss_drawn_surface_sink* sink, void* user,
                                 ss_error* err)
{
    cover c = {slider, angle_rad, grain, sink, user, watch, err, 0};
    ss_status status = SS_OK;
    for (int octant = 0; octant < 8; octant++) {
        const double signs[3] = {octant & 1 ? -1 : 1, octant & 2 ? -1 : 1, octant & 4 ? -1 : 1};
        for (int i = 0; i < COARSE; i++)
            for (int j = 0; i + j < COARSE && status == SS_OK; j++) {
                status = start(&c, signs, (const int[3][2]){{i, j}, {i + 1, j}, {i, j + 1}});
                if (i + j + 1 < COARSE && status == SS_OK)
                    status = start(&c, signs, (const int[3][2]){{i + 1, j}, {i + 1, j + 1}, {i, j + 1}});
            }
    }
    return status;
}

// ---- bounds

static double angle_of(int k) { return 2 * acos(-1) * (k % ROUND) / ROUND; }

static void report_facets(const ss_slider* slider, double angle, double least,
                          ss_drawn_surface_line_sink* sink, void* user)
{
    enum { MOST = 64 };
    ss_facet facets[MOST];
    int count = ss_slider_facets(slider, angle, facets, MOST);
    static const double zero[3] = {0};
    for (int f = 0; f < count && f < MOST; f++) {
        ss_drawn_surface_corner points[ROUND + 1];
        const ss_facet* facet = &facets[f];
        if (distance(facet->axes[1], zero) < least) continue;
        for (int k = 0; k <= ROUND; k++) {
            memcpy(points[k].motion, facet->normal, sizeof facet->normal);
            for (int i = 0; i < 3; i++)
                points[k].load[i] = facet->center[i] + cos(angle_of(k)) * facet->axes[0][i] +
                                    sin(angle_of(k)) * facet->axes[1][i];
        }
        sink(user, points, ROUND + 1);
    }
}

// Motions at which a wheel does not slide along its axle are those across n, a great circle; there its load
// may be anything between -level and +level times n.
static void report_band(const ss_slider* slider, double angle, const ss_element* e,
                        ss_drawn_surface_line_sink* sink, void* user)
{
    double n[3] = {0}, b[3];
    ss_element_push(e, e->along, n);
    const double a[3] = {-n[1], n[0], 0.0}; // across n, of unit length as the axle is
    for (int i = 0; i < 3; i++) b[i] = n[(i + 1) % 3] * a[(i + 2) % 3] - n[(i + 2) % 3] * a[(i + 1) % 3];
    normalise(b);
    for (int sign = 1; sign >= -1; sign -= 2) {
        ss_drawn_surface_corner points[ROUND + 1];
        for (int k = 0; k <= ROUND; k++) {
            double motion[3];
            for (int i = 0; i < 3; i++) // a little to its side, where there is no choice
                motion[i] =
                    cos(angle_of(k) + 0.01) * a[i] + sin(angle_of(k) + 0.01) * b[i] + sign * SS_CLEAR * n[i];
            points[k] = ss_drawn_surface_at(slider, angle, motion);
        }
        sink(user, points, ROUND + 1);
    }
}

void ss_drawn_surface_bounds(const ss_slider* slider, double angle_rad, double least,
                             ss_drawn_surface_line_sink* sink, void* user)
{
    ss_floor floor = ss_floor_at(slider, angle_rad);
    report_facets(slider, angle_rad, least, sink, user);
    for (int k = 0; k < slider->element_count; k++) {
        const ss_element* e = &slider->elements[k];
        if (e->kind == SS_ELEMENT_LINE && ss_line_level(e, &floor) >= least)
            report_band(slider, angle_rad, e, sink, user);
    }
}
