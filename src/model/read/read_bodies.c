// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bodies, their starts, and the forces on them.
#include "core/expression/signal_series.h"
#include "core/expression/unit.h"
#include "model/read/read_law.h"
#include "model/read/read_open.h"
#include "share/quantity.h"

#include <string.h>

static const char* const body_keys[] = {"mass", "inertia", "position", "speed", NULL};

ss_status ss_read_body_name(ss_reader* r, const ss_node* node)
{
    static const char* const reserved[] = {"ground", "contacts", "slider", NULL};
    const char* name = node->key ? node->key : node->text;
    for (int i = 0; reserved[i]; i++) {
        if (strcmp(name, reserved[i]) != 0) continue;
        return node->key ? ss_read_fail_key(r, node, "the name '%s' is reserved; choose another", name)
                         : ss_read_fail(r, node, "the name '%s' is reserved; choose another", name);
    }
    return ss_read_name(r, node);
}

static ss_status check_one_kind(ss_reader* r, const ss_node* node)
{
    if (ss_read_is_empty(node))
        return ss_read_fail(r, node, "is empty; expected mass, inertia, position or speed");
    ss_status status = ss_read_expect(r, node, SS_NODE_MAP, "{mass: 1 kg}");
    if (status == SS_OK) status = ss_read_keys(r, node, body_keys);
    if (status != SS_OK || node->count == 1) return status;
    return ss_read_fail_key(r, node->last,
                            "expected only one of mass, inertia, position, speed, not %s and %s",
                            node->first->key, node->last->key);
}

static ss_status read_mass(ss_reader* r, const ss_node* node, ss_body_def* body)
{
    ss_status status = ss_read_number(r, node, body->angular ? ss_inertia : ss_mass, &body->mass);
    if (status == SS_OK && !(body->mass > 0.0))
        return ss_read_fail_range(r, node, "must be positive, not %g", body->mass);
    return status;
}

// A driven body is angular if its motion is given in rad or rad/s; a bare number is a length.
static ss_status read_drive(ss_reader* r, const ss_node* node, bool is_speed, ss_body_def* body)
{
    const ss_signal** out = is_speed ? &body->speed : &body->position;
    ss_dimension slide = is_speed ? ss_per_time(ss_length) : ss_length;
    ss_dimension turn = is_speed ? ss_per_time(ss_plain) : ss_plain;
    ss_status status = ss_read_signal(r, node, slide, out);
    if (status == SS_BAD_INPUT) {
        ss_error first = r->error;
        status = ss_read_signal(r, node, turn, out);
        body->angular = status == SS_OK;
        if (status == SS_BAD_INPUT) r->error = first;
    }
    if (status == SS_OK && !is_speed && ss_signal_jumps(*out))
        return ss_read_fail(r, node, "a position cannot jump (sign, floor, ceil, round, step); a speed can");
    return status;
}

static ss_status read_body(ss_reader* r, const ss_node* node, ss_body_def* body)
{
    *body = ss_body_def_default();
    body->name = node->key;
    ss_status status = ss_read_body_name(r, node);
    if (status == SS_OK && ss_read_find_coordinate(r, node->key) >= 0)
        status = ss_read_fail_key(r, node, "'%.60s' is a coordinate of matrices already", node->key);
    if (status == SS_OK && ss_read_is_planar(node)) return ss_read_planar_body(r, node, body);
    if (status == SS_OK) status = check_one_kind(r, node);
    if (status != SS_OK) return status;
    const ss_node* given = node->first;
    body->angular = strcmp(given->key, "inertia") == 0;
    if (body->angular || strcmp(given->key, "mass") == 0) return read_mass(r, given, body);
    return read_drive(r, given, strcmp(given->key, "speed") == 0, body);
}

ss_status ss_read_bodies(ss_reader* r)
{
    const ss_node* map = ss_node_find(r->root, "bodies");
    ss_status status = SS_OK;
    if (r->coordinates > 0 && ss_read_is_empty(map)) map = NULL;
    if (map || r->coordinates == 0) status = ss_read_expect(r, map, SS_NODE_MAP, "{block: {mass: 1 kg}}");
    if (status == SS_OK && map) status = ss_read_no_invention(r, map, "body");
    if (status != SS_OK) return status;
    int count = 0;
    r->bodies_node = map;
    r->body_at = ss_pool_new(&r->pool, map ? (size_t)map->count : 0, sizeof *r->body_at);
    for (const ss_node* node = map && r->body_at ? map->first : NULL; node; node = node->next) {
        r->body_at[node->index] = count;
        count += ss_read_is_planar(node) ? 3 : 1;
    }
    r->bodies = ss_pool_new(&r->pool, (size_t)r->coordinates + (size_t)count, sizeof *r->bodies);
    if (r->pool.failed) return ss_fail_no_memory(&r->error);
    for (int i = 0; i < r->coordinates; i++) r->bodies[i] = ss_body_def_default();
    r->def.bodies = r->bodies + r->coordinates;
    r->def.body_count = count;
    for (const ss_node* node = map ? map->first : NULL; node && status == SS_OK; node = node->next)
        status = read_body(r, node, &r->bodies[r->coordinates + r->body_at[node->index]]);
    return status;
}

static ss_status read_body_start(ss_reader* r, const ss_node* node, ss_body_def* body)
{
    static const char* const keys[] = {"x", "v", NULL};
    if (ss_read_is_empty(node)) return SS_OK;
    ss_status status = ss_read_expect(r, node, SS_NODE_MAP, "{x: 1, v: 0}");
    if (status == SS_OK) status = ss_read_keys(r, node, keys);
    if (status != SS_OK) return status;
    const ss_node *x = ss_node_find(node, "x"), *v = ss_node_find(node, "v");
    if (x && body->position)
        return ss_read_fail(r, x, "'%.60s' is driven: its position is given for all times", body->name);
    if (v && (body->position || body->speed))
        return ss_read_fail(r, v, "'%.60s' is driven: its speed is given for all times", body->name);
    ss_dimension coordinate = body->angular ? ss_plain : ss_length;
    if (x) status = ss_read_coordinate(r, x, coordinate, false, &body->start_x);
    if (status == SS_OK && v) status = ss_read_coordinate(r, v, coordinate, true, &body->start_v);
    return status;
}

static ss_status read_contact_start(ss_reader* r, const ss_node* node, const ss_node* contact)
{
    ss_contact_def* def = &r->contacts[contact->index];
    if (ss_law_has(def->law, SS_TRAIT_BRISTLES)) {
        ss_row_def row;
        ss_dimension dimension;
        ss_status status = ss_read_row(r, contact, &row, &dimension);
        return status == SS_OK ? ss_read_bristle_start(r, node, dimension, def) : status;
    }
    const ss_node *law = ss_node_find(contact, "law"),
                  *where = node->kind == SS_NODE_MAP ? node->first : node;
    return ss_read_fail(r, where, "the law %s has no internal state; expected {}", law ? law->text : "");
}

static ss_status fail_contact(ss_reader* r, const ss_node* node)
{
    char hint[128];
    if (r->matrices.W.columns > 0 && !r->contacts_node)
        return ss_read_fail_key(r, node, "there is no contact '%.60s'; there are %d: c1, c2, ..", node->key,
                                r->matrices.W.columns);
    return ss_read_fail_key(r, node, "there is no contact '%.60s'%s", node->key,
                            ss_read_suggest(node->key, r->contacts_node, NULL, hint, sizeof hint));
}

static ss_status read_contact_starts(ss_reader* r, const ss_node* map)
{
    if (ss_read_is_empty(map)) return SS_OK;
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{floor: {}}");
    for (const ss_node* node = map->first; node && status == SS_OK; node = node->next) {
        const ss_node* contact = ss_node_find(r->contacts_node, node->key);
        bool column = ss_read_is_column(r, node->key);
        if (!contact && !column) return fail_contact(r, node);
        if (column && !ss_read_is_empty(node))
            return ss_read_fail(r, node, "the law coulomb has no internal state; expected {}");
        if (!ss_read_is_empty(node)) status = read_contact_start(r, node, contact);
    }
    return status;
}

// The definition has the starts of coordinates beside their matrices.
static ss_status take_coordinate_starts(ss_reader* r)
{
    size_t n = (size_t)r->coordinates;
    if (n == 0) return SS_OK;
    double* x = ss_pool_new(&r->pool, n, sizeof *x);
    double* v = ss_pool_new(&r->pool, n, sizeof *v);
    if (!x || !v) return ss_fail_no_memory(&r->error);
    for (size_t i = 0; i < n; i++) {
        x[i] = r->bodies[i].start_x;
        v[i] = r->bodies[i].start_v;
    }
    r->matrices.start_x = x;
    r->matrices.start_v = v;
    return SS_OK;
}

static ss_status fail_body(ss_reader* r, const ss_node* node)
{
    char hint[128];
    const char* what = r->bodies_node ? "body" : "coordinate";
    ss_read_suggest(node->key, r->bodies_node ? r->bodies_node : r->names_node, "contacts", hint,
                    sizeof hint);
    if (!hint[0]) ss_read_coordinates_text(r, node->key, hint, sizeof hint);
    return ss_read_fail_key(r, node, "there is no %s '%.60s'%s", what, node->key, hint);
}

ss_status ss_read_start(ss_reader* r)
{
    const ss_node* map = ss_node_find(r->root, "start");
    ss_status status = SS_OK;
    if (!ss_read_is_empty(map))
        status =
            ss_read_expect(r, map, SS_NODE_MAP, r->coordinates > 0 ? "{q1: {x: 1}}" : "{block: {x: 1 m}}");
    for (const ss_node* node = ss_read_is_empty(map) ? NULL : map->first; node && status == SS_OK;
         node = node->next) {
        int body = ss_read_find_body(r, node->key),
            planar = ss_read_find_planar(r, node->key, strlen(node->key));
        if (strcmp(node->key, "contacts") == 0)
            status = read_contact_starts(r, node);
        else if (planar >= 0)
            status = ss_read_planar_start(r, node, planar);
        else if (body < 0)
            status = fail_body(r, node);
        else if (ss_read_follows(r, body) && !ss_read_is_empty(node))
            status = ss_read_fail_key(
                r, node, "'%.60s' is not kept: it starts where kept ones and modes have it", node->key);
        else
            status = body < r->coordinates ? ss_read_coordinate_start(r, node, &r->bodies[body])
                                           : read_body_start(r, node, &r->bodies[body]);
    }
    return status == SS_OK ? take_coordinate_starts(r) : status;
}

static ss_status read_force_body(ss_reader* r, const ss_node* name, ss_force_def* force, ss_dimension* unit)
{
    ss_status status = ss_read_body(r, name, &force->body);
    if (status != SS_OK) return status;
    if (force->body == SS_GROUND) return ss_read_fail(r, name, "a force on the ground moves nothing");
    const ss_body_def* body = &r->bodies[force->body];
    if (body->position || body->speed)
        return ss_read_fail(r, name, "'%.60s' is driven; a force acts on a body with mass", body->name);
    *unit = ss_force_along(body->angular ? ss_plain : ss_length);
    return SS_OK;
}

// body, or between or along as contacts have it.
static ss_status read_force_row(ss_reader* r, const ss_node* node, ss_force_def* force, ss_dimension* unit)
{
    const ss_node *name = ss_node_find(node, "body"), *between = ss_node_find(node, "between"),
                  *along = ss_node_find(node, "along");
    const ss_node* row = between ? between : along;
    if (name && row) return ss_read_fail_key(r, row, "expected body, between or along, not two of them");
    if (!name && !row)
        return ss_read_fail_missing(r, node, "body", "is missing; expected the name of a body");
    if (name) return read_force_body(r, name, force, unit);
    ss_dimension dimension;
    ss_status status = ss_read_row(r, node, &force->along, &dimension);
    *unit = ss_force_along(dimension);
    return status;
}

static ss_status read_ledger(ss_reader* r, const ss_node* node, ss_work_kind* out)
{
    if (!node) return SS_OK;
    const char* text = node->kind == SS_NODE_SCALAR ? node->text : "";
    *out = strcmp(text, "damping") == 0 ? SS_WORK_DAMPING : SS_WORK_INPUT;
    if (*out == SS_WORK_DAMPING || strcmp(text, "input") == 0) return SS_OK;
    return ss_read_fail(r, node, "expected damping or input, what its work counts as");
}

static ss_status read_force(ss_reader* r, const ss_node* node, ss_force_def* force)
{
    static const char* const keys[] = {"body", "between", "along", "force", "ledger", NULL};
    ss_status status = ss_read_expect(r, node, SS_NODE_MAP, "{body: block, force: 1 N}");
    if (status == SS_OK && ss_read_is_planar_force(r, node)) {
        status = ss_read_planar_force(r, node, &force->plane);
        return status == SS_OK ? read_ledger(r, ss_node_find(node, "ledger"), &force->ledger) : status;
    }
    if (status == SS_OK) status = ss_read_keys(r, node, keys);
    if (status == SS_OK) status = read_force_row(r, node, force, &force->dimension);
    if (status == SS_OK) status = read_ledger(r, ss_node_find(node, "ledger"), &force->ledger);
    if (status != SS_OK) return status;
    const ss_node* value = ss_node_find(node, "force");
    if (!value)
        return ss_read_fail_missing(
            r, node, "force", "is missing; expected a number in %s or an expression in t",
            ss_dimension_equal(force->dimension, ss_force_along(ss_plain)) ? "N*m" : "N");
    bool table = value->kind == SS_NODE_MAP && value->count > 0;
    bool special = force->along.count > 0 || force->ledger != SS_WORK_INPUT;
    if (table && special)
        return ss_read_fail(r, value,
                            "expected an expression; give the table a name below inputs and use that");
    if (!special && !ss_read_follows_motion(r, value))
        return ss_read_signal(r, value, force->dimension, &force->force);
    if (value->kind != SS_NODE_SCALAR || value->text[0] == '\0')
        return ss_read_fail(r, value, "expected a number or an expression");
    force->expression = value->text;
    return SS_OK;
}

ss_status ss_read_forces(ss_reader* r)
{
    const ss_node* list = ss_node_find(r->root, "forces");
    if (ss_read_is_empty(list)) return SS_OK;
    ss_status status = ss_read_expect(r, list, SS_NODE_LIST, "- {body: block, force: 1 N}");
    if (status != SS_OK) return status;
    ss_force_def* forces = ss_pool_new(&r->pool, (size_t)list->count, sizeof *forces);
    if (!forces) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = list->first; node && status == SS_OK; node = node->next)
        status = read_force(r, node, &forces[node->index]);
    r->def.forces = forces;
    r->def.force_count = list->count;
    return status;
}
