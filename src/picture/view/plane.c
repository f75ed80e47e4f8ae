// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sections of E, I_rho* and C with the plane of a map. The plane varies two of the numbers (q, q'); the
// others stay at the model's start. E lives at q' = 0: a plane of two positions cuts it in an area, a plane
// with one speed in a line, a plane of two speeds in a point.
#include "picture/view/plane.h"

#include "core/error.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "picture/figure/outline.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CORNERS = 360 };

typedef struct plane {
    const ss_certificate* certificate;
    ss_certificate* owned;
    int n;
    int coordinate[2]; // that each axis varies
    bool speed[2];
    double *q, *v; // the state under consideration
    double* M;
    double rest_q[2]; // of the plane's center: E's own
} plane;

// The coordinate of a body; -1: none of its own.
static int coordinate_of(const ss_model* model, int body)
{
    for (int k = 0; k < ss_model_coordinate_count(model); k++)
        if (ss_model_coordinate_body(model, k) == body) return k;
    return -1;
}

static void set_state(plane* p, ss_point at)
{
    (p->speed[0] ? p->v : p->q)[p->coordinate[0]] = at.x;
    (p->speed[1] ? p->v : p->q)[p->coordinate[1]] = at.y;
}

static double kinetic_energy(const plane* p)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) sum += 0.5 * p->v[i] * p->M[i * p->n + j] * p->v[j];
    return sum;
}

static bool in_region(void* user, ss_point at)
{
    plane* p = user;
    ss_membership membership;
    set_state(p, at);
    return ss_certificate_locate(p->certificate, p->q, &membership, NULL) == SS_OK &&
           membership.energy + kinetic_energy(p) <= p->certificate->rho_star;
}

static bool in_set(void* user, ss_point at)
{
    plane* p = user;
    ss_membership membership;
    set_state(p, at);
    for (int i = 0; i < p->n; i++)
        if (p->v[i] != 0.0) return false;
    return ss_certificate_locate(p->certificate, p->q, &membership, NULL) == SS_OK && membership.inside;
}

static ss_point guess(const plane* p)
{
    const ss_equilibrium_set* set = &p->certificate->set;
    double at[2];
    for (int a = 0; a < 2; a++) {
        int k = p->coordinate[a];
        at[a] = p->speed[a] ? 0 : set->center[k] + set->offset[k];
    }
    return (ss_point){at[0], at[1]};
}

static void draw_region(ss_plot* plot, plane* p, const ss_box* box)
{
    ss_point inside, corners[CORNERS];
    double rho = p->certificate->rho_star;
    const ss_theme* theme = ss_plot_theme(plot);
    if (!(rho > 0) || isinf(rho) || !ss_outline_find(in_region, p, guess(p), box, &inside)) return;
    ss_outline(in_region, p, inside, 4 * hypot(box->width, box->height), corners, CORNERS);
    char name[64];
    ss_format(name, sizeof name, "I\xE1\xB5\xA8*, certified (\xCF\x81* = %.3g J)", rho);
    ss_plot_line(plot, corners, CORNERS, true, &(ss_pen){.color = theme->halo, .width = 3.6}, NULL);
    ss_plot_line(plot, corners, CORNERS, true,
                 &(ss_pen){.color = theme->region, .width = 1.8, .dash = 6, .pause = 2.5}, name);
}

// In a plane of speeds: the bounds of C [VL04, (32)], within which the energy cannot grow. Each is a pair of
// parallel lines, |u . v| = -beta/lambda.
static void draw_strip(ss_plot* plot, const plane* p, const double u[], double bound, const ss_box* box,
                       const char* name)
{
    double rest = 0, a = u[p->coordinate[0]], b = u[p->coordinate[1]], size = a * a + b * b;
    for (int k = 0; k < p->n; k++)
        if (k != p->coordinate[0] && k != p->coordinate[1]) rest += u[k] * p->v[k];
    if (!(size > SS_RELATIVE_ZERO) || p->coordinate[0] == p->coordinate[1]) return;
    const ss_theme* theme = ss_plot_theme(plot);
    double reach = 2 * (hypot(box->width, box->height) + hypot(box->x, box->y)) / sqrt(size);
    for (int side = -1; side <= 1; side += 2) {
        double offset = (side * bound - rest) / size;
        const ss_point line[2] = {{offset * a - reach * b, offset * b + reach * a},
                                  {offset * a + reach * b, offset * b - reach * a}};
        ss_plot_line(plot, line, 2, false, &(ss_pen){.color = theme->halo, .width = 3}, NULL);
        ss_plot_line(plot, line, 2, false,
                     &(ss_pen){.color = theme->region, .width = 1.4, .dash = 1.5, .pause = 2},
                     side < 0 ? name : NULL);
    }
}

static void draw_bounds(ss_plot* plot, const plane* p, const ss_box* box)
{
    const ss_certificate* c = p->certificate;
    const char* name = "C, the energy cannot grow";
    if (!p->speed[0] || !p->speed[1] || !(c->rho_star > 0) || isinf(c->rho_star)) return;
    for (int k = 0; k < c->not_positive; k++) {
        if (c->eigenvalues[k] >= 0) continue; // no bound
        draw_strip(plot, p, c->eigenvectors + (size_t)k * (size_t)p->n, -c->beta / c->eigenvalues[k], box,
                   name);
        name = NULL;
    }
}

static const char set_name[] = "E, the equilibrium set";

static void draw_segment(ss_plot* plot, ss_point from, ss_point to, const char* name)
{
    const ss_theme* theme = ss_plot_theme(plot);
    const ss_point line[2] = {from, to};
    ss_plot_line(plot, line, 2, false, &(ss_pen){.color = theme->halo, .width = 6}, NULL);
    ss_plot_line(plot, line, 2, false, &(ss_pen){.color = theme->set, .width = 3.5}, name);
}

// Where the plane has speeds, E is met on the line, or in the point, where they vanish.
static void draw_thin_set(ss_plot* plot, plane* p, const ss_box* box)
{
    ss_point inside, ends[4];
    if (!ss_outline_find(in_set, p, guess(p), &(ss_box){guess(p).x, guess(p).y, 0, 0}, &inside)) return;
    ss_outline(in_set, p, inside, 2 * hypot(box->width, box->height), ends, 4); // right, up, left, down
    const ss_theme* theme = ss_plot_theme(plot);
    for (int k = 0; k < 2; k++) {
        ss_point from = ends[k], to = ends[k + 2];
        if (hypot(from.x - to.x, from.y - to.y) < SS_CLEAR * hypot(box->width, box->height)) continue;
        draw_segment(plot, from, to, set_name);
        return;
    }
    ss_plot_dots(plot, &inside, 1, 4.5, theme->halo, NULL);
    ss_plot_dots(plot, &inside, 1, 3.2, theme->set, set_name);
}

static void draw_set(ss_plot* plot, plane* p, const ss_box* box)
{
    ss_point inside, corners[CORNERS];
    const ss_equilibrium_set* set = &p->certificate->set;
    const ss_theme* theme = ss_plot_theme(plot);
    const ss_pen pen = {.color = theme->halo, .width = 1.2};
    ss_color fill = theme->set;
    fill.a = 0.9;
    if (p->speed[0] || p->speed[1]) {
        draw_thin_set(plot, p, box);
    } else if (p->n == 2 && set->vertex_count > 1 && set->vertex_count <= CORNERS && set->generators) {
        for (int k = 0; k < set->vertex_count; k++) // corners as they are
            corners[k] =
                (ss_point){set->vertices[2 * k + p->coordinate[0]], set->vertices[2 * k + p->coordinate[1]]};
        if (set->vertex_count == 2)
            draw_segment(plot, corners[0], corners[1], set_name);
        else
            ss_plot_area(plot, corners, set->vertex_count, fill, &pen, set_name);
    } else if (ss_outline_find(in_set, p, guess(p), box, &inside)) {
        ss_outline(in_set, p, inside, 4 * hypot(box->width, box->height), corners, CORNERS);
        ss_plot_area(plot, corners, CORNERS, fill, &pen, set_name);
    }
}

static bool find_axes(plane* p, const ss_model* model, const ss_plane_axes* axes)
{
    for (int a = 0; a < 2; a++) {
        p->speed[a] = axes->speed[a];
        p->coordinate[a] = axes->body[a] < 0 ? -1 : coordinate_of(model, axes->body[a]);
        if (p->coordinate[a] < 0) return false;
    }
    return true;
}

static void close_plane(plane* p)
{
    free(p->q);
    free(p->v);
    free(p->M);
    ss_certificate_destroy(p->owned);
}

// Certifies the model and puts the plane where it belongs; without axes or set there is nothing to see.
static ss_status open_plane(plane* p, const ss_model* model, const ss_plane_axes* axes, bool* seen,
                            ss_error* err)
{
    *p = (plane){.n = ss_model_coordinate_count(model)};
    *seen = false;
    if (!find_axes(p, model, axes)) return SS_OK;
    ss_certify_def def = ss_certify_def_default();
    ss_status status = ss_certify(model, &def, &p->owned, err);
    if (status != SS_OK) return status;
    size_t n = (size_t)p->n;
    p->certificate = p->owned;
    p->q = ss_new(n, sizeof *p->q);
    p->v = ss_new(n, sizeof *p->v);
    p->M = ss_new(n * n, sizeof *p->M);
    if (!p->q || !p->v || !p->M) return ss_fail_no_memory(err);
    const ss_equilibrium_set* set = &p->certificate->set;
    *seen = set->exists;
    ss_model_get_matrix(model, SS_MATRIX_MASS, p->M);
    for (int k = 0; k < p->n && *seen; k++) {
        int body = ss_model_coordinate_body(model, k);
        p->q[k] = axes->through_center ? set->center[k] + set->offset[k] : ss_model_start_x(model, body);
        p->v[k] = axes->through_center ? 0.0 : ss_model_start_v(model, body);
    }
    return SS_OK;
}

ss_status ss_plane_draw(ss_plot* plot, const ss_model* model, const ss_plane_axes* axes, const ss_box* box,
                        ss_error* err)
{
    plane p;
    bool seen;
    ss_status status = open_plane(&p, model, axes, &seen, err);
    if (status == SS_OK && seen) {
        draw_bounds(plot, &p, box);
        draw_region(plot, &p, box);
        draw_set(plot, &p, box);
    }
    close_plane(&p);
    return status;
}

ss_status ss_plane_draw_shadow(ss_plot* plot, const ss_model* model, int body, ss_error* err)
{
    plane p;
    bool seen;
    const ss_plane_axes axes = {.body = {body, body}, .speed = {false, true}};
    ss_status status = open_plane(&p, model, &axes, &seen, err);
    if (status == SS_OK && seen) {
        const ss_equilibrium_set* set = &p.certificate->set;
        int k = p.coordinate[0];
        double middle = set->center[k] + set->offset[k], half = set->half_widths[k];
        draw_segment(plot, (ss_point){middle - half, 0}, (ss_point){middle + half, 0},
                     "shadow of E, the equilibrium set");
    }
    close_plane(&p);
    return status;
}

// ---- bounds

static void widen(const ss_point corners[], int count, double low[2], double high[2])
{
    for (int k = 0; k < count; k++) {
        low[0] = fmin(low[0], corners[k].x);
        low[1] = fmin(low[1], corners[k].y);
        high[0] = fmax(high[0], corners[k].x);
        high[1] = fmax(high[1], corners[k].y);
    }
}

// Every region here is bounded: one that reaches a million times further than E is left out.
static void widen_by_region(plane* p, ss_region* region, double reach, double low[2], double high[2])
{
    ss_point corners[CORNERS], middle = guess(p);
    if (!region(p, middle)) return;
    ss_outline(region, p, middle, reach, corners, CORNERS);
    for (int k = 0; k < CORNERS; k++)
        if (hypot(corners[k].x - middle.x, corners[k].y - middle.y) >= reach) return;
    widen(corners, CORNERS, low, high);
}

ss_status ss_plane_bounds(const ss_model* model, const ss_plane_axes* axes, ss_box* out, ss_error* err)
{
    plane p;
    bool seen;
    *out = (ss_box){0};
    ss_status status = open_plane(&p, model, axes, &seen, err);
    if (status == SS_OK && seen) {
        double size = 0, low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int k = 0; k < p.n; k++) size = fmax(size, p.certificate->set.half_widths[k]);
        double rho = p.certificate->rho_star, reach = size > 0 ? 1e6 * size : 1e6;
        if (rho > 0 && isfinite(rho)) widen_by_region(&p, in_region, reach, low, high);
        widen_by_region(&p, in_set, reach, low, high);
        for (int a = 0; a < 2 && low[0] <= high[0]; a++) {
            double room = high[a] > low[a] ? 0.12 * (high[a] - low[a]) : fmax(size, 1e-3);
            *(a == 0 ? &out->x : &out->y) = low[a] - room;
            *(a == 0 ? &out->width : &out->height) = high[a] - low[a] + 2 * room;
        }
    }
    close_plane(&p);
    return status;
}
