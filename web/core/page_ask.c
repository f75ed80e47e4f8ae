// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The questions of the command line: each answers with the JSON that the command prints.
#include "page.h"

#include "share/error.h"
#include "share/model_parts.h"
#include "share/slider_parts.h"
#include "slipstick/follow.h"

#include <math.h>
#include <stdlib.h>

EXPORT(page_check) bool page_check(page* p)
{
    ss_answer* answer = NULL;
    if (p->slider) {
        ss_slider_check check = ss_check_slider(p->slider);
        ss_status status = ss_answer_slider_check(&check, &answer, &p->err);
        return page_report(p, status, answer);
    }
    ss_status status = ss_answer_check_model(p->model, p->document, &answer, &p->err);
    return page_report(p, status, answer);
}

static ss_status certify_slider(page* p, const double point[], ss_answer** answer)
{
    ss_certificate silent = ss_certificate_of_slider();
    if (point) return ss_fail(&p->err, SS_BAD_INPUT, NULL, "contains: a slider rests anywhere");
    return ss_answer_certificate(&silent, NULL, answer, &p->err);
}

// point: where does it lie? `count` numbers, one per coordinate, or NULL.
EXPORT(page_certify) bool page_certify(page* p, bool vertices, const double point[], int count)
{
    ss_certificate* certificate = NULL;
    ss_answer* answer = NULL;
    if (p->slider) return page_report(p, certify_slider(p, point, &answer), answer);
    ss_certify_def def = ss_certify_def_default();
    ss_membership place;
    int wanted = ss_model_coordinate_count(p->model);
    def.vertices = vertices;
    if (point && count != wanted) {
        ss_fail(&p->err, SS_BAD_INPUT, NULL, "contains: expected %d coordinate%s, found %d", wanted,
                wanted == 1 ? "" : "s", count);
        return false;
    }
    ss_status status = ss_certify(p->model, &def, &certificate, &p->err);
    if (status == SS_OK && point && certificate->set.exists)
        status = ss_certificate_locate(certificate, point, &place, &p->err);
    if (status == SS_OK) status = ss_answer_certificate(certificate, point ? &place : NULL, &answer, &p->err);
    ss_certificate_destroy(certificate);
    return page_report(p, status, answer);
}

// near: look beside the start of the model.
EXPORT(page_cycle) bool page_cycle(page* p, const page_options* options, bool near)
{
    ss_cycle* cycle = NULL;
    ss_answer* answer = NULL;
    if (!page_needs_model(p)) return false;
    ss_cycle_def def = ss_cycle_def_default();
    def.period = options->period;
    def.until = options->until;
    if (!isnan(options->tolerance)) def.tolerance = fmin(def.tolerance, options->tolerance);
    if (!isnan(options->max_events)) def.max_events = (long)options->max_events;
    def.near = near;
    ss_status status = ss_cycle_find(p->model, &def, &cycle, &p->err);
    if (status == SS_OK) status = ss_answer_cycle(p->model, cycle, &answer, &p->err);
    ss_cycle_destroy(cycle);
    return page_report(p, status, answer);
}

// ---- sliders

// The angle at which the slider starts, unless another one is given.
static double angle_or_start(const page* p, double angle)
{
    double place[3], speed[3];
    ss_slider_start(p->slider, place, speed);
    return isnan(angle) ? place[2] : angle;
}

EXPORT(page_surface_load)
bool page_surface_load(page* p, double angle, const double motion[3], const double applied[3])
{
    ss_sliding_load load;
    ss_answer* answer = NULL;
    if (!page_needs_slider(p)) return false;
    angle = angle_or_start(p, angle);
    ss_status status = ss_slider_sliding_load(p->slider, angle, motion, applied, &load, &p->err);
    if (status == SS_OK) status = ss_answer_load(motion, &load, &answer, &p->err);
    return page_report(p, status, answer);
}

EXPORT(page_surface_first) bool page_surface_first(page* p, double angle, const double applied[3])
{
    ss_first_motion first;
    ss_answer* answer = NULL;
    if (!page_needs_slider(p)) return false;
    angle = angle_or_start(p, angle);
    ss_status status = ss_slider_first_motion(p->slider, angle, applied, &first, &p->err);
    if (status == SS_OK) status = ss_answer_first_motion(&first, &answer, &p->err);
    return page_report(p, status, answer);
}

EXPORT(page_surface_eigen) bool page_surface_eigen(page* p, double angle, bool basin)
{
    ss_eigen_set set = {0};
    ss_answer* answer = NULL;
    double* shares = NULL;
    if (!page_needs_slider(p)) return false;
    angle = angle_or_start(p, angle);
    ss_status status = ss_slider_eigen(p->slider, angle, NULL, &set, &p->err);
    if (status == SS_OK && basin) {
        shares = calloc((size_t)set.count + 1, sizeof *shares);
        status = shares ? ss_slider_basin(p->slider, angle, &set, NULL, shares, &p->err)
                        : ss_fail_no_memory(&p->err);
    }
    if (status == SS_OK) status = ss_answer_eigen(&set, shares, &answer, &p->err);
    free(shares);
    ss_eigen_set_free(&set);
    return page_report(p, status, answer);
}

EXPORT(page_surface_facets) bool page_surface_facets(page* p, double angle)
{
    if (!page_needs_slider(p)) return false;
    angle = angle_or_start(p, angle);
    ss_vertex_set vertices = {0};
    ss_answer* answer = NULL;
    int count = ss_slider_facets(p->slider, angle, NULL, 0);
    ss_facet* facets = calloc((size_t)count + 1, sizeof *facets);
    ss_status status =
        facets ? ss_slider_vertices(p->slider, angle, &vertices, &p->err) : ss_fail_no_memory(&p->err);
    if (status == SS_OK) {
        ss_slider_facets(p->slider, angle, facets, count);
        status = ss_answer_faces(facets, count, &vertices, &answer, &p->err);
        ss_vertex_set_free(&vertices);
    }
    free(facets);
    return page_report(p, status, answer);
}

EXPORT(page_mesh) bool page_mesh(page* p, double angle, int fineness)
{
    if (!page_needs_slider(p)) return false;
    ss_mesh_free(&p->mesh);
    p->mesh = (ss_mesh){0};
    angle = angle_or_start(p, angle);
    return ss_slider_mesh(p->slider, angle, fineness, NULL, &p->mesh, &p->err) == SS_OK;
}

EXPORT(page_mesh_vertices) int page_mesh_vertices(const page* p) { return p->mesh.vertex_count; }
EXPORT(page_mesh_triangles) int page_mesh_triangles(const page* p) { return p->mesh.triangle_count; }
EXPORT(page_mesh_loads) const double* page_mesh_loads(const page* p) { return p->mesh.loads; }
EXPORT(page_mesh_motions) const double* page_mesh_motions(const page* p) { return p->mesh.motions; }
EXPORT(page_mesh_corners) const int* page_mesh_corners(const page* p) { return p->mesh.triangles; }
