// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A model file with a slider, format version 1, to a slider.
#include "slider/shape/read_slider.h"
#include "share/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ss_dimension force_unit = {1, 1, -2, 0}, gravity_unit = {1, 0, -2, 0};

// The kinds of support, in the order of ss_support_kind, with the keys each may have.
static const char* const kinds[] = {"point", "wheel", "ring", "disk", "annulus", "polygon", "pressure", NULL};
static const char* const keys_of_kind[][8] = {
    {"point", "load", "mu", "friction", "axis", NULL},
    {"wheel", "axle", "load", "mu", "friction", "drag", "ratchet", NULL},
    {"ring", "center", "load", "mu", "friction", NULL},
    {"disk", "center", "load", "mu", "friction", NULL},
    {"annulus", "center", "load", "mu", "friction", NULL},
    {"polygon", "load", "mu", "friction", NULL},
    {"pressure", "load", "mu", "friction", NULL},
};

// A list of `count` numbers.
static ss_status read_tuple(ss_reader* r, const ss_node* node, const ss_dimension units[], int count,
                            const char* example, double out[])
{
    if (node->kind != SS_NODE_LIST || node->count != count)
        return ss_read_fail(r, node, "expected %d numbers such as %s", count, example);
    ss_status status = SS_OK;
    for (const ss_node* n = node->first; n && status == SS_OK; n = n->next)
        status = ss_read_number(r, n, units[n->index], &out[n->index]);
    return status;
}

ss_status ss_read_place(ss_reader* r, const ss_node* node, double out[2])
{
    return read_tuple(r, node, (ss_dimension[]){ss_length, ss_length}, 2, "[0.5 m, 0]", out);
}

ss_status ss_read_direction(ss_reader* r, const ss_node* node, double out[2])
{
    ss_status status = read_tuple(r, node, (ss_dimension[]){ss_plain, ss_plain}, 2, "[1, 0]", out);
    if (status == SS_OK && out[0] == 0.0 && out[1] == 0.0)
        return ss_read_fail(r, node, "expected a direction such as [1, 0], not [0, 0]");
    return status;
}

// One number, or two: along and across an axis. *pair tells which.
ss_status ss_read_roughness_pair(ss_reader* r, const ss_node* node, ss_dimension unit, double out[2],
                                 bool* pair)
{
    *pair = node->kind == SS_NODE_LIST;
    ss_status status = *pair ? read_tuple(r, node, (ss_dimension[]){unit, unit}, 2, "[0.3, 0.6]", out)
                             : ss_read_number(r, node, unit, out);
    if (status == SS_OK && !*pair) out[1] = out[0];
    for (int i = 0; i < 2 && status == SS_OK; i++)
        status = ss_read_not_negative(r, *pair ? (i ? node->last : node->first) : node, out[i], unit);
    return status;
}

// `friction`, or `load` and `mu`.
static ss_status read_friction(ss_reader* r, const ss_node* map, ss_support_def* s)
{
    const ss_node *friction = ss_node_find(map, "friction"), *mu = ss_node_find(map, "mu");
    const ss_node* load = ss_node_find(map, "load");
    if (friction && (mu || load))
        return ss_read_fail_key(r, mu ? mu : load,
                                "expected either friction or load and mu, not friction and %s",
                                mu ? "mu" : "load");
    if (friction) return ss_read_roughness_pair(r, friction, force_unit, s->friction_N, &s->is_anisotropic);
    if (!mu && !load)
        return ss_read_fail(r, map, "its friction is missing; expected load and mu, or friction in N");
    ss_status status = ss_read_required(r, map, "load", ss_plain, &s->load);
    if (status == SS_OK) status = ss_read_not_negative(r, load, s->load, ss_plain);
    if (status == SS_OK && !mu)
        status = ss_read_fail_missing(r, map, "mu", "is missing; expected the coefficient of friction");
    return status == SS_OK ? ss_read_roughness_pair(r, mu, ss_plain, s->mu, &s->is_anisotropic) : status;
}

static ss_status read_axis(ss_reader* r, const ss_node* map, ss_support_def* s)
{
    const ss_node *axis = ss_node_find(map, "axis"), *mu = ss_node_find(map, "mu");
    if (axis && !s->is_anisotropic)
        return ss_read_fail_key(r, axis, "an axis goes with two coefficients, mu: [along, across]");
    if (s->is_anisotropic && s->kind != SS_SUPPORT_POINT)
        return ss_read_fail(r, mu ? mu : ss_node_find(map, "friction"),
                            "two values go with a point; expected one number");
    return axis ? ss_read_direction(r, axis, s->axis) : SS_OK;
}

static ss_status read_ratchet(ss_reader* r, const ss_node* node, ss_ratchet* out)
{
    static const char* const words[] = {"none", "forward", "backward", NULL};
    char hint[64];
    for (int i = 0; node->kind == SS_NODE_SCALAR && words[i]; i++)
        if (strcmp(node->text, words[i]) == 0) {
            *out = (ss_ratchet)i;
            return SS_OK;
        }
    return ss_read_fail(
        r, node, "expected forward, backward or none%s",
        node->kind == SS_NODE_SCALAR ? ss_read_suggest_word(node->text, words, hint, sizeof hint) : "");
}

static ss_status read_wheel(ss_reader* r, const ss_node* map, ss_support_def* s)
{
    const ss_node *axle = ss_node_find(map, "axle"), *ratchet = ss_node_find(map, "ratchet");
    const ss_node* drag = ss_node_find(map, "drag");
    if (!axle)
        return ss_read_fail_missing(r, map, "axle",
                                    "is missing; expected the direction of the axle such as [1, 0]");
    ss_status status = ss_read_direction(r, axle, s->axle);
    if (status == SS_OK && drag) status = ss_read_number(r, drag, force_unit, &s->drag_N);
    if (status == SS_OK && drag) status = ss_read_not_negative(r, drag, s->drag_N, force_unit);
    return status == SS_OK && ratchet ? read_ratchet(r, ratchet, &s->ratchet) : status;
}

static ss_status read_round(ss_reader* r, const ss_node* map, const ss_node* size, ss_support_def* s)
{
    const ss_node* center = ss_node_find(map, "center");
    const ss_dimension lengths[2] = {ss_length, ss_length};
    double radii[2] = {0, 0};
    bool annulus = s->kind == SS_SUPPORT_ANNULUS;
    ss_status status = annulus ? read_tuple(r, size, lengths, 2, "[0.5 m, 1 m]", radii)
                               : ss_read_number(r, size, ss_length, &radii[1]);
    s->inner_m = radii[0];
    s->radius_m = radii[1];
    if (status == SS_OK && !(s->radius_m > 0.0))
        return ss_read_fail_range(r, annulus ? size->last : size, "must be positive, not %g", s->radius_m);
    if (status == SS_OK && !(s->inner_m >= 0.0 && s->inner_m < s->radius_m))
        return ss_read_fail(r, size, "expected [inner, outer] with 0 <= inner < outer, not [%g, %g]",
                            s->inner_m, s->radius_m);
    return status == SS_OK && center ? ss_read_place(r, center, s->position_m) : status;
}

// Vertices of a polygon (pairs), or a table of pressures (triples).
static ss_status read_vertices(ss_reader* r, const ss_node* list, bool triples, ss_support_def* s)
{
    const char* example = triples ? "[[0, 0, 1], [1, 0, 2]]" : "[[0, 0], [1, 0], [0, 1]]";
    const ss_dimension units[3] = {ss_length, ss_length, ss_plain};
    int width = triples ? 3 : 2;
    ss_status status = ss_read_expect(r, list, SS_NODE_LIST, example);
    if (status != SS_OK) return status;
    double* values = ss_pool_new(&r->pool, (size_t)list->count * (size_t)width, sizeof *values);
    if (!values) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = list->first; node && status == SS_OK; node = node->next)
        status = read_tuple(r, node, units, width, triples ? "[x, y, share]" : "[x, y]",
                            &values[node->index * width]);
    s->vertices = values;
    s->vertex_count = list->count;
    return status;
}

static ss_status read_geometry(ss_reader* r, const ss_node* map, const ss_node* given, ss_support_def* s)
{
    switch (s->kind) {
    case SS_SUPPORT_POINT: return ss_read_place(r, given, s->position_m);
    case SS_SUPPORT_WHEEL: {
        ss_status status = ss_read_place(r, given, s->position_m);
        return status == SS_OK ? read_wheel(r, map, s) : status;
    }
    case SS_SUPPORT_RING:
    case SS_SUPPORT_DISK:
    case SS_SUPPORT_ANNULUS: return read_round(r, map, given, s);
    case SS_SUPPORT_POLYGON: return read_vertices(r, given, false, s);
    case SS_SUPPORT_PRESSURE: return read_vertices(r, given, true, s);
    }
    return SS_OK;
}

static ss_status find_kind(ss_reader* r, const ss_node* map, const ss_node** given, ss_support_kind* kind)
{
    *given = NULL;
    for (int i = 0; kinds[i]; i++) {
        const ss_node* node = ss_node_find(map, kinds[i]);
        if (node && *given)
            return ss_read_fail_key(r, node, "expected one support per entry, not a %s and a %s",
                                    (*given)->key, node->key);
        if (!node) continue;
        *given = node;
        *kind = (ss_support_kind)i;
    }
    if (*given) return SS_OK;
    char hint[64];
    for (const ss_node* node = map->first; node; node = node->next)
        if (ss_read_suggest_word(node->key, kinds, hint, sizeof hint)[0])
            return ss_read_fail_unknown_key(r, node, kinds);
    return ss_read_fail(r, map, "expected one of point, wheel, ring, disk, annulus, polygon, pressure");
}

static ss_status read_support(ss_reader* r, const ss_node* map, ss_support_def* s)
{
    const ss_node* given;
    *s = ss_support_def_default();
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{point: [0, 1], load: 0.5, mu: 1}");
    if (status == SS_OK) status = find_kind(r, map, &given, &s->kind);
    if (status == SS_OK) status = ss_read_keys(r, map, keys_of_kind[s->kind]);
    if (status == SS_OK) status = read_geometry(r, map, given, s);
    if (status == SS_OK) status = read_friction(r, map, s);
    return status == SS_OK ? read_axis(r, map, s) : status;
}

static ss_status read_supports(slider_reader* sr, const ss_node* map)
{
    ss_reader* r = &sr->base;
    const ss_node* list = ss_node_find(map, "supports");
    if (!list) return ss_read_fail_missing(r, map, "supports", "is missing; expected a list of supports");
    ss_status status = ss_read_expect(r, list, SS_NODE_LIST, "- {point: [0, 1], load: 0.5, mu: 1}");
    if (status != SS_OK) return status;
    ss_support_def* supports = ss_pool_new(&r->pool, (size_t)list->count, sizeof *supports);
    if (!supports) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = list->first; node && status == SS_OK; node = node->next)
        status = read_support(r, node, &supports[node->index]);
    sr->def.supports = supports;
    sr->def.support_count = list->count;
    return status;
}

static ss_status read_slider_start(slider_reader* sr)
{
    static const char* const form[] = {"slider", NULL};
    static const char* const keys[] = {"x", "y", "angle", "vx", "vy", "spin", NULL};
    ss_reader* r = &sr->base;
    const ss_node* start = ss_node_find(r->root, "start");
    if (ss_read_is_empty(start)) return SS_OK;
    ss_status status = ss_read_expect(r, start, SS_NODE_MAP, "{slider: {vx: 1 m/s}}");
    if (status == SS_OK) status = ss_read_keys(r, start, form);
    const ss_node* map = status == SS_OK ? ss_node_find(start, "slider") : NULL;
    if (status != SS_OK || ss_read_is_empty(map)) return status;
    status = ss_read_expect(r, map, SS_NODE_MAP, "{vx: 1 m/s}");
    if (status == SS_OK) status = ss_read_keys(r, map, keys);
    for (int i = 0; i < 6 && status == SS_OK; i++) {
        ss_dimension place = i % 3 == 2 ? ss_plain : ss_length;
        double* to = i < 3 ? &sr->def.start[i] : &sr->def.start_speed[i - 3];
        const ss_node* node = ss_node_find(map, keys[i]);
        if (node) status = ss_read_coordinate(r, node, place, i >= 3, to);
    }
    return status;
}

// A required number that must be positive.
static ss_status read_positive(ss_reader* r, const ss_node* map, const char* key, ss_dimension unit,
                               double* out)
{
    ss_status status = ss_read_required(r, map, key, unit, out);
    if (status == SS_OK && !(*out > 0.0))
        return ss_read_fail_range(r, ss_node_find(map, key), "must be positive, not %g", *out);
    return status;
}

// A positive number, or a function of time.
static ss_status read_gravity(slider_reader* sr, const ss_node* map)
{
    const ss_node* node = ss_node_find(map, "gravity");
    const ss_signal* signal = NULL;
    if (!node) return SS_OK;
    ss_status status = ss_read_signal(&sr->base, node, gravity_unit, &signal);
    if (status != SS_OK) return status;
    if (ss_signal_is_constant(signal))
        return read_positive(&sr->base, map, "gravity", gravity_unit, &sr->def.gravity);
    sr->def.gravity_signal = signal;
    return SS_OK;
}

static ss_status read_slider(slider_reader* sr, const ss_node* map)
{
    static const char* const keys[] = {"mass",    "gyration", "gravity", "supports",    "floor",
                                       "applied", "outline",  "pushers", "quasistatic", NULL};
    ss_reader* r = &sr->base;
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{mass: 1 kg, gyration: 1 m, supports: [..]}");
    if (status == SS_OK) status = ss_read_keys(r, map, keys);
    if (status == SS_OK) status = read_positive(r, map, "mass", ss_mass, &sr->def.mass_kg);
    if (status == SS_OK) status = read_positive(r, map, "gyration", ss_length, &sr->def.gyration_m);
    if (status == SS_OK) status = read_gravity(sr, map);
    if (status == SS_OK) status = read_supports(sr, map);
    if (status == SS_OK) status = ss_read_floor(sr, ss_node_find(map, "floor"));
    if (status == SS_OK) status = ss_read_loads(sr, ss_node_find(map, "applied"));
    if (status == SS_OK) status = ss_read_outline(sr, ss_node_find(map, "outline"));
    if (status == SS_OK) status = ss_read_pushers(sr, ss_node_find(map, "pushers"));
    if (status == SS_OK) status = ss_read_quasistatic(sr, ss_node_find(map, "quasistatic"));
    if (status != SS_OK) return status;
    sr->def.title = r->def.title;
    sr->def.until_s = r->def.until;
    return read_slider_start(sr);
}

bool ss_document_is_slider(const ss_document* document)
{
    const ss_node* root = ss_document_root(document);
    return root && root->kind == SS_NODE_MAP && ss_node_find(root, "slider") &&
           !ss_node_find(root, "bodies") && !ss_node_find(root, "matrices");
}

ss_status ss_slider_create_from_document(const ss_document* document, ss_slider** out, ss_error* err)
{
    *out = NULL;
    slider_reader sr = {.base = {.document = document, .def = ss_system_def_default()},
                        .def = ss_slider_def_default()};
    ss_reader* r = &sr.base;
    const ss_node* form = NULL;
    ss_status status = ss_read_head(r, &form);
    if (status == SS_OK && strcmp(form->key, "slider") != 0)
        status = ss_read_fail_key(r, form, "expected a slider here, not %s", form->key);
    if (status == SS_OK) status = read_slider(&sr, form);
    if (status == SS_OK) status = ss_read_locate(r, ss_slider_create(&sr.def, out, &r->error));
    ss_read_drop_signals(r);
    ss_pool_free(&r->pool);
    if (status != SS_OK && err) *err = r->error;
    return status;
}
