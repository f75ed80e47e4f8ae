// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Supports to elements: a point is one, a wheel one or two (axle, bearing), a table of pressures one per
// point. What has no friction leaves no element.
#include "slider/shape/build_slider.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "slider/shape/patch.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { MOST_VERTICES = 10000 }; // every pair of edges is looked at

typedef struct builder {
    ss_slider* slider;
    const ss_support_def* def;
    int index;
    double level[2]; // normalised, along and across
    ss_error* err;
} builder;

static ss_status fail(const builder* b, const char* field, const char* format, ...) SS_PRINTF(3, 4);
static ss_status fail(const builder* b, const char* field, const char* format, ...)
{
    char path[64], text[256];
    va_list arguments;
    va_start(arguments, format);
    ss_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "slider.supports[%d]%s%s", b->index, field[0] ? "." : "", field);
    return ss_fail(b->err, SS_BAD_INPUT, path, "%s", text);
}

static bool is_level(double x) { return isfinite(x) && x >= 0.0; }

// mu N or friction, in units of m g.
static ss_status set_level(builder* b)
{
    const ss_support_def* d = b->def;
    bool given = !isnan(d->friction_N[0]);
    int count = d->is_anisotropic ? 2 : 1;
    if (d->is_anisotropic && d->kind != SS_SUPPORT_POINT)
        return fail(b, given ? "friction" : "mu", "two values go with a point only");
    if (!given && !is_level(d->load))
        return fail(b, "load", "must be a share of the weight, not %g", d->load);
    for (int i = 0; i < count; i++) {
        double value = given ? d->friction_N[i] : d->mu[i];
        if (!is_level(value))
            return ss_fail_out_of_range(b->err, fail(b, given ? "friction" : "mu",
                                                     "must not be negative or infinite, not %g", value));
        if (d->is_anisotropic && value == 0.0)
            return fail(b, given ? "friction" : "mu",
                        "must be positive both ways; a wheel slides along its axle only");
        b->level[i] = given ? value / b->slider->unit_force : value * d->load * b->slider->press;
    }
    if (count == 1) b->level[1] = b->level[0];
    return SS_OK;
}

static ss_status set_place(builder* b, ss_element* e)
{
    const char* name = b->def->kind == SS_SUPPORT_POINT   ? "point"
                       : b->def->kind == SS_SUPPORT_WHEEL ? "wheel"
                                                          : "center";
    e->support = b->index;
    e->level = b->level[0];
    e->x = b->def->position_m[0] / b->slider->unit_length;
    e->y = b->def->position_m[1] / b->slider->unit_length;
    if (isfinite(e->x) && isfinite(e->y)) return SS_OK;
    return fail(b, name, "must be finite, not [%g, %g]", b->def->position_m[0], b->def->position_m[1]);
}

static ss_status unit_vector(const builder* b, const char* field, const double given[2], double out[2])
{
    double length = hypot(given[0], given[1]);
    if (!(isfinite(length) && length > 0.0))
        return fail(b, field, "must be a direction, not [%g, %g]", given[0], given[1]);
    out[0] = given[0] / length;
    out[1] = given[1] / length;
    return SS_OK;
}

static ss_element* next_element(builder* b) { return &b->slider->elements[b->slider->element_count]; }

static ss_status add_point(builder* b)
{
    ss_element* e = next_element(b);
    double u[2] = {1, 0}, along = b->level[0], across = b->level[1];
    ss_status status = set_place(b, e);
    if (status == SS_OK && b->def->is_anisotropic) status = unit_vector(b, "axis", b->def->axis, u);
    if (status != SS_OK) return status;
    e->kind = SS_ELEMENT_POINT;
    e->level = fmax(along, across);
    e->ellipse[0] = along == across ? along : along * u[0] * u[0] + across * u[1] * u[1];
    e->ellipse[1] = e->ellipse[2] = (along - across) * u[0] * u[1];
    e->ellipse[3] = along == across ? along : along * u[1] * u[1] + across * u[0] * u[0];
    b->slider->element_count += e->level > 0.0;
    return SS_OK;
}

// The drag against rolling, a line across the axle. A ratchet drags only the way it rolls.
static void add_bearing(builder* b, const ss_element* wheel, double drag)
{
    ss_element bearing = *wheel;
    bool one_way = b->def->ratchet != SS_RATCHET_NONE;
    if (drag == 0.0) return;
    bearing.kind = SS_ELEMENT_LINE;
    bearing.is_bearing = true;
    bearing.level = one_way ? 0.5 * drag : drag;
    bearing.bias = one_way ? 0.5 * drag : 0.0;
    bearing.along[0] = wheel->rolls[0];
    bearing.along[1] = wheel->rolls[1];
    *next_element(b) = bearing;
    b->slider->element_count++;
}

static ss_status add_wheel(builder* b)
{
    const ss_support_def* d = b->def;
    ss_element* e = next_element(b);
    ss_status status = set_place(b, e);
    if (status == SS_OK) status = unit_vector(b, "axle", d->axle, e->along);
    if (status == SS_OK && !is_level(d->drag_N))
        status = ss_fail_out_of_range(b->err,
                                      fail(b, "drag", "must not be negative or infinite, not %g", d->drag_N));
    if (status != SS_OK) return status;
    double sign = d->ratchet == SS_RATCHET_BACKWARD ? -1.0 : 1.0;
    e->rolls[0] = -sign * e->along[1];
    e->rolls[1] = sign * e->along[0];
    e->kind = d->ratchet != SS_RATCHET_NONE && e->level > 0.0 ? SS_ELEMENT_RATCHET : SS_ELEMENT_LINE;
    ss_element wheel = *e;
    b->slider->element_count += e->level > 0.0;
    add_bearing(b, &wheel, d->drag_N / b->slider->unit_force);
    return SS_OK;
}

static ss_status add_round(builder* b)
{
    static const char* const names[] = {"point", "wheel", "ring", "disk", "annulus"};
    const ss_support_def* d = b->def;
    ss_element* e = next_element(b);
    ss_status status = set_place(b, e);
    if (status != SS_OK) return status;
    e->kind = SS_ELEMENT_PATCH;
    e->patch = d->kind;
    e->radius = d->radius_m / b->slider->unit_length;
    e->inner = d->kind == SS_SUPPORT_ANNULUS ? d->inner_m / b->slider->unit_length : 0.0;
    if (!(isfinite(e->radius) && e->radius > 0.0))
        return fail(b, names[d->kind], "the radius must be positive, not %g", d->radius_m);
    if (!(e->inner >= 0.0 && e->inner < e->radius))
        return fail(b, names[d->kind], "the inner radius must lie between 0 and the outer one, not %g",
                    d->inner_m);
    b->slider->element_count += e->level > 0.0;
    return SS_OK;
}

// What is only rounding of numbers of this size is 0: a centre of mass amid the corners a/2, b/2 of a box.
static double tidy(double x, double size) { return fabs(x) <= 8.0 * DBL_EPSILON * size ? 0.0 : x; }

// Twice the signed area and the centroid.
static double polygon_centroid(const double* v, int n, double center[2])
{
    double twice = 0.0, x = 0.0, y = 0.0;
    for (int i = 1; i + 1 < n;
         i++) { // triangles from the first vertex: no large numbers where it is far away
        double ax = v[2 * i] - v[0], ay = v[2 * i + 1] - v[1];
        double bx = v[2 * i + 2] - v[0], by = v[2 * i + 3] - v[1], cross = ax * by - ay * bx;
        twice += cross;
        x += cross * (ax + bx) / 3.0;
        y += cross * (ay + by) / 3.0;
    }
    double size = 0.0;
    for (int i = 0; i < 2 * n; i++) size = fmax(size, fabs(v[i]));
    center[0] = tidy(v[0] + (twice != 0.0 ? x / twice : 0.0), size);
    center[1] = tidy(v[1] + (twice != 0.0 ? y / twice : 0.0), size);
    return twice;
}

static double side(const double* a, const double* b, const double* c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool edges_cross(const double* v, int n, int i, int j)
{
    const double *a = &v[2 * i], *b = &v[2 * ((i + 1) % n)], *c = &v[2 * j], *d = &v[2 * ((j + 1) % n)];
    return side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
}

bool ss_polygon_is_simple(const double* v, int n, int crossing[2])
{
    for (int i = 0; i < n; i++)
        for (int j = i + 2; j < n; j++)
            if (edges_cross(v, n, i, j)) {
                crossing[0] = i;
                crossing[1] = j;
                return false;
            }
    return true;
}

static ss_status check_polygon(const builder* b)
{
    const double* v = b->def->vertices;
    int n = b->def->vertex_count;
    if (!v || n < 3) return fail(b, "polygon", "needs at least 3 vertices, not %d", n);
    if (n > MOST_VERTICES) return fail(b, "polygon", "has %d vertices; at most %d", n, MOST_VERTICES);
    for (int i = 0; i < 2 * n; i++)
        if (!isfinite(v[i])) return fail(b, "polygon", "vertex %d is not finite", i / 2 + 1);
    int crossing[2];
    if (!ss_polygon_is_simple(v, n, crossing))
        return fail(b, "polygon", "edges %d and %d cross; expected a simple polygon", crossing[0] + 1,
                    crossing[1] + 1);
    return SS_OK;
}

static ss_status add_polygon(builder* b)
{
    ss_element* e = next_element(b);
    const double* v = b->def->vertices;
    int n = b->def->vertex_count;
    double center[2], unit = b->slider->unit_length;
    ss_status status = check_polygon(b);
    if (status != SS_OK) return status;
    double twice = polygon_centroid(v, n, center), radius = 0.0;
    double* own = ss_pool_new(&b->slider->pool, 2 * (size_t)n, sizeof *own);
    if (!own) return ss_fail_no_memory(b->err);
    for (int i = 0; i < n; i++) {
        int from = twice > 0.0 ? i : n - 1 - i;
        own[2 * i] = (v[2 * from] - center[0]) / unit;
        own[2 * i + 1] = (v[2 * from + 1] - center[1]) / unit;
        radius = fmax(radius, hypot(own[2 * i], own[2 * i + 1]));
    }
    *e = (ss_element){.kind = SS_ELEMENT_PATCH,
                      .support = b->index,
                      .level = b->level[0],
                      .x = center[0] / unit,
                      .y = center[1] / unit,
                      .patch = SS_SUPPORT_POLYGON,
                      .radius = radius,
                      .vertices = own,
                      .vertex_count = n,
                      .area = 0.5 * fabs(twice) / (unit * unit)};
    if (!(e->area > SS_RELATIVE_ZERO * radius * radius)) return fail(b, "polygon", "has no area");
    b->slider->element_count += e->level > 0.0;
    return SS_OK;
}

static ss_status add_pressure(builder* b)
{
    const double* v = b->def->vertices;
    int n = b->def->vertex_count;
    double total = 0.0, unit = b->slider->unit_length;
    if (!v || n < 1) return fail(b, "pressure", "needs at least one point");
    for (int i = 0; i < n; i++) {
        if (!isfinite(v[3 * i]) || !isfinite(v[3 * i + 1]) || !is_level(v[3 * i + 2]))
            return fail(b, "pressure", "point %d needs finite x, y and a share that is not negative", i + 1);
        total += v[3 * i + 2];
    }
    if (!(isfinite(total) && total > 0.0)) return fail(b, "pressure", "the shares must not all be 0");
    for (int i = 0; i < n; i++) {
        double level = b->level[0] * (v[3 * i + 2] / total);
        *next_element(b) = (ss_element){.kind = SS_ELEMENT_POINT,
                                        .support = b->index,
                                        .level = level,
                                        .x = v[3 * i] / unit,
                                        .y = v[3 * i + 1] / unit,
                                        .ellipse = {level, 0, 0, level}};
        b->slider->element_count += level > 0.0;
    }
    return SS_OK;
}

// Where a support is: its point or centre, the centroid of a polygon, the mean of a table.
static void set_center(const ss_support_def* d, double place[2])
{
    place[0] = d->position_m[0];
    place[1] = d->position_m[1];
    if (d->kind == SS_SUPPORT_POLYGON && d->vertices && d->vertex_count >= 3)
        polygon_centroid(d->vertices, d->vertex_count, place);
    if (d->kind != SS_SUPPORT_PRESSURE || !d->vertices) return;
    double total = 0.0, x = 0.0, y = 0.0, size = 0.0;
    for (int i = 0; i < d->vertex_count; i++) {
        total += d->vertices[3 * i + 2];
        x += d->vertices[3 * i] * d->vertices[3 * i + 2];
        y += d->vertices[3 * i + 1] * d->vertices[3 * i + 2];
        size = fmax(size, fmax(fabs(d->vertices[3 * i]), fabs(d->vertices[3 * i + 1])));
    }
    place[0] = total > 0.0 ? tidy(x / total, size) : 0.0;
    place[1] = total > 0.0 ? tidy(y / total, size) : 0.0;
}

static ss_status add_elements(builder* b)
{
    switch (b->def->kind) {
    case SS_SUPPORT_POINT: return add_point(b);
    case SS_SUPPORT_WHEEL: return add_wheel(b);
    case SS_SUPPORT_RING:
    case SS_SUPPORT_DISK:
    case SS_SUPPORT_ANNULUS: return add_round(b);
    case SS_SUPPORT_POLYGON: return add_polygon(b);
    case SS_SUPPORT_PRESSURE: return add_pressure(b);
    }
    return fail(b, "kind", "is none of the kinds");
}

static ss_status add_support(builder* b)
{
    ss_status status = set_level(b);
    if (status != SS_OK) return status;
    ss_slider* slider = b->slider;
    int first = slider->element_count;
    slider->supports.kinds[b->index] = b->def->kind;
    slider->supports.levels[b->index] = fmax(b->level[0], b->level[1]) * slider->unit_force;
    slider->supports.loads[b->index] = isnan(b->def->friction_N[0]) ? b->def->load : NAN;
    set_center(b->def, &slider->supports.places[2 * b->index]);
    status = add_elements(b);
    for (int i = first; i < slider->element_count; i++)
        slider->elements[i].weighs = isnan(b->def->friction_N[0]) && !slider->elements[i].is_bearing;
    return status;
}

ss_status ss_slider_build(ss_slider* slider, const ss_slider_def* def, ss_error* err)
{
    if (!def->supports || def->support_count < 1)
        return ss_fail(err, SS_BAD_INPUT, "slider.supports", "needs at least one support");
    size_t room = 1; // one more than needed: what turns out frictionless is written and not counted
    for (int i = 0; i < def->support_count; i++) {
        const ss_support_def* s = &def->supports[i];
        room += s->kind == SS_SUPPORT_PRESSURE && s->vertex_count > 0 ? (size_t)s->vertex_count : 2;
    }
    slider->elements = ss_pool_new(&slider->pool, room, sizeof *slider->elements);
    slider->supports.kinds = ss_pool_new(&slider->pool, (size_t)def->support_count, sizeof(ss_support_kind));
    size_t count = (size_t)def->support_count;
    slider->supports.levels = ss_pool_new(&slider->pool, count, sizeof(double));
    slider->supports.loads = ss_pool_new(&slider->pool, count, sizeof(double));
    slider->supports.places = ss_pool_new(&slider->pool, 2 * count, sizeof(double));
    if (slider->floor_is_anisotropic) slider->round_nodes = ss_round_nodes_make(&slider->pool);
    if (slider->pool.failed) return ss_fail_no_memory(err);
    slider->supports.count = def->support_count;
    ss_status status = SS_OK;
    for (int i = 0; i < def->support_count && status == SS_OK; i++) {
        builder b = {.slider = slider, .def = &def->supports[i], .index = i, .err = err};
        *next_element(&b) = (ss_element){0};
        status = add_support(&b);
    }
    return status;
}
