// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The limit surface for drawing. It is star-shaped about 0: the load u/gauge(u) is the one in the direction
// u, whatever facets, edges and vertices there are. Directions come in rings round the axis of moments, 4, 8,
// 12, .. to the equator and back, and are stretched as the body is.
#include "core/watch_part.h"
#include "slider/surface/surface_load.h"
#include "slipstick/surface.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static int ring_size(int ring, int fineness)
{
    int m = ring <= fineness ? ring : 2 * fineness - ring;
    return m == 0 ? 1 : 4 * m;
}

static int ring_start(int ring, int fineness)
{
    int start = 0;
    for (int r = 0; r < ring; r++) start += ring_size(r, fineness);
    return start;
}

// Triangles between two rings of 4 m and 4 (m + 1) vertices; `down`: the larger is below the smaller.
static int* join_rings(int* at, int small, int large, int m, bool down)
{
    int small_size = m == 0 ? 1 : 4 * m, large_size = 4 * (m + 1);
    for (int quarter = 0; quarter < 4; quarter++)
        for (int j = 0; j <= m; j++) {
            int a = small + (quarter * m + j) % small_size, b = large + quarter * (m + 1) + j;
            int next = large + (quarter * (m + 1) + j + 1) % large_size;
            *at++ = a;
            *at++ = down ? b : next;
            *at++ = down ? next : b;
            if (j == m) continue;
            int a_next = small + (quarter * m + j + 1) % small_size;
            *at++ = a;
            *at++ = down ? next : a_next;
            *at++ = down ? a_next : next;
        }
    return at;
}

static void set_triangles(int fineness, int* at)
{
    for (int ring = 0; ring < 2 * fineness; ring++) {
        int here = ring_start(ring, fineness), below = ring_start(ring + 1, fineness);
        if (ring < fineness)
            at = join_rings(at, here, below, ring, true);
        else
            at = join_rings(at, below, here, 2 * fineness - ring - 1, false);
    }
}

static void load_along(const ss_slider* s, const ss_floor* floor, const double u[3], const double near[3],
                       double load[3], double motion[3])
{
    double gauge = ss_surface_gauge_near(s, floor, u, near, motion);
    double factor = gauge > 0.0 && isfinite(gauge) ? 1.0 / gauge : 0.0;
    load[0] = factor * u[0] * s->unit_force;
    load[1] = factor * u[1] * s->unit_force;
    load[2] = factor * u[2] * s->unit_moment;
}

// How far the body of loads reaches along each axis.
static void extents(const ss_slider* s, const ss_floor* floor, double out[3])
{
    for (int i = 0; i < 3; i++) {
        const double q[3] = {i == 0, i == 1, i == 2};
        ss_power f;
        ss_slider_sum(s, floor, q, NULL, &f);
        out[i] = f.phi > 0.0 ? f.phi : 1.0;
    }
}

static ss_status set_vertices(const ss_slider* s, const ss_floor* floor, int fineness, const ss_watch* watch,
                              ss_mesh* mesh, ss_error* err)
{
    double reach[3];
    int k = 0;
    ss_status status = SS_OK;
    extents(s, floor, reach);
    for (int ring = 0; ring <= 2 * fineness; ring++) {
        int size = ring_size(ring, fineness);
        double latitude = pi * ring / (2.0 * fineness);
        for (int j = 0; j < size && status == SS_OK; j++, k++) {
            double longitude = 2.0 * pi * j / size;
            const double u[3] = {reach[0] * sin(latitude) * cos(longitude),
                                 reach[1] * sin(latitude) * sin(longitude), reach[2] * cos(latitude)};
            const double* before = k > 0 ? &mesh->motions[3 * (k - 1)] : NULL;
            load_along(s, floor, u, before, &mesh->loads[3 * k], &mesh->motions[3 * k]);
            status = ss_watch_ask(watch, (k + 1.0) / mesh->vertex_count, err);
        }
    }
    return status;
}

// Moves to each vertex of the surface the vertex of the mesh that is nearest in direction.
static ss_status place_vertices(const ss_slider* s, double angle, ss_mesh* mesh, ss_error* err)
{
    const double unit[3] = {s->unit_force, s->unit_force, s->unit_moment};
    ss_vertex_set set;
    ss_status status = ss_slider_vertices(s, angle, &set, err);
    for (int k = 0; k < set.count; k++) {
        const double* p = set.items[k].load;
        int nearest = 0;
        double best = -INFINITY;
        for (int i = 0; i < mesh->vertex_count; i++) {
            double dot = 0.0, size = 0.0;
            for (int j = 0; j < 3; j++) {
                double x = mesh->loads[3 * i + j] / unit[j];
                dot += x * p[j];
                size += x * x;
            }
            if (dot > best * sqrt(size)) best = dot / sqrt(size), nearest = i;
        }
        for (int j = 0; j < 3; j++) {
            mesh->loads[3 * nearest + j] = p[j] * unit[j];
            mesh->motions[3 * nearest + j] = set.items[k].motion[j];
        }
    }
    ss_vertex_set_free(&set);
    return status;
}

ss_status ss_slider_mesh(const ss_slider* slider, double angle_rad, int fineness, const ss_watch* watch,
                         ss_mesh* out, ss_error* err)
{
    *out = (ss_mesh){0};
    if (fineness < 1 || fineness > 500)
        return ss_fail(err, SS_BAD_INPUT, "fineness", "must be from 1 to 500, not %d", fineness);
    size_t vertices = 4 * (size_t)fineness * (size_t)fineness + 2, triangles = 2 * (vertices - 2);
    out->loads = ss_new(3 * vertices, sizeof *out->loads);
    out->motions = ss_new(3 * vertices, sizeof *out->motions);
    out->triangles = ss_new(3 * triangles, sizeof *out->triangles);
    if (!out->loads || !out->motions || !out->triangles) {
        ss_mesh_free(out);
        return ss_fail_no_memory(err);
    }
    out->vertex_count = (int)vertices;
    out->triangle_count = (int)triangles;
    ss_floor floor = ss_floor_at(slider, angle_rad);
    ss_status status = set_vertices(slider, &floor, fineness, watch, out, err);
    set_triangles(fineness, out->triangles);
    if (status == SS_OK) status = place_vertices(slider, angle_rad, out, err);
    if (status != SS_OK) ss_mesh_free(out);
    return status;
}

void ss_mesh_free(ss_mesh* mesh)
{
    if (!mesh) return;
    free(mesh->loads);
    free(mesh->motions);
    free(mesh->triangles);
    *mesh = (ss_mesh){0};
}

ss_status ss_slider_section(const ss_slider* slider, double angle_rad, const double a[3], const double b[3],
                            int count, const ss_watch* watch, double points[], ss_error* err)
{
    if (count < 1) return ss_fail(err, SS_BAD_INPUT, "count", "must be positive, not %d", count);
    const double unit[3] = {slider->unit_force, slider->unit_force, slider->unit_moment};
    ss_floor floor = ss_floor_at(slider, angle_rad);
    ss_status status = SS_OK;
    double motion[3];
    for (int k = 0; k < count && status == SS_OK; k++) {
        double angle = 2.0 * pi * k / count, u[3];
        for (int i = 0; i < 3; i++) u[i] = (cos(angle) * a[i] + sin(angle) * b[i]) / unit[i];
        load_along(slider, &floor, u, k > 0 ? motion : NULL, &points[3 * k], motion);
        status = ss_watch_ask(watch, (k + 1.0) / count, err);
    }
    return status;
}
