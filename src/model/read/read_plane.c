// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Bodies of the plane in a model file: each becomes three coordinates, NAME.x, NAME.y and NAME.angle. Their
// points, gravity, forces on them, and springs between points.
#include "core/expression/signal_series.h"
#include "model/read/read.h"
#include "model/read/read_open.h"

#include <stdio.h>
#include <string.h>

enum { COORDINATES = 3 };

static const char* const endings[COORDINATES] = {".x", ".y", ".angle"};

static bool is_list(const ss_node* node) { return node && node->kind == SS_NODE_LIST; }

// ---- bodies

bool ss_read_is_planar(const ss_node* node)
{
    if (node->kind != SS_NODE_MAP) return false;
    bool both = ss_node_find(node, "mass") && ss_node_find(node, "inertia");
    return both || ss_node_find(node, "angle") || is_list(ss_node_find(node, "position"));
}

static ss_status expect_pair(ss_reader* r, const ss_node* node, const char* example)
{
    if (is_list(node) && node->count == 2) return SS_OK;
    return ss_read_fail(r, node, "expected two numbers, such as %s", example);
}

static ss_status name_coordinates(ss_reader* r, const ss_node* node, ss_body_def body[])
{
    for (int k = 0; k < COORDINATES; k++) {
        size_t size = strlen(node->key) + strlen(endings[k]) + 1;
        char* name = ss_pool_new(&r->pool, size, 1);
        if (!name) return ss_fail_no_memory(&r->error);
        snprintf(name, size, "%s%s", node->key, endings[k]);
        body[k] = ss_body_def_default();
        body[k].name = name;
        body[k].plane = (ss_plane_part)(k + 1);
        body[k].angular = k == COORDINATES - 1;
        body[k].find_x = body[k].find_v = true;
    }
    return SS_OK;
}

static ss_status read_inertia(ss_reader* r, const ss_node* node, const char* key, ss_dimension unit,
                              double* out)
{
    const ss_node* given = ss_node_find(node, key);
    ss_status status = ss_read_number(r, given, unit, out);
    if (status == SS_OK && !(*out > 0.0))
        return ss_read_fail_range(r, given, "must be positive, not %g", *out);
    return status;
}

static ss_status read_drive(ss_reader* r, const ss_node* given, ss_dimension unit, const ss_signal** out)
{
    if (!given) {
        ss_signal* none = NULL;
        ss_status status = ss_signal_constant(0.0, &none, &r->error);
        *out = none;
        return status == SS_OK ? ss_read_keep_signal(r, none) : status;
    }
    ss_status status = ss_read_signal(r, given, unit, out);
    if (status == SS_OK && ss_signal_jumps(*out))
        return ss_read_fail(r, given, "a position cannot jump (sign, floor, ceil, round, step)");
    return status;
}

static ss_status read_driven(ss_reader* r, const ss_node* node, ss_body_def body[])
{
    const ss_node* position = ss_node_find(node, "position");
    ss_status status = position ? expect_pair(r, position, "[0.1 m*sin(2*t), 0]") : SS_OK;
    if (status == SS_OK)
        status = read_drive(r, position ? position->first : NULL, ss_length, &body[0].position);
    if (status == SS_OK)
        status = read_drive(r, position ? position->last : NULL, ss_length, &body[1].position);
    for (int k = 0; k < COORDINATES; k++) body[k].find_x = body[k].find_v = false;
    return status == SS_OK ? read_drive(r, ss_node_find(node, "angle"), ss_plain, &body[2].position) : status;
}

ss_status ss_read_planar_body(ss_reader* r, const ss_node* node, ss_body_def body[])
{
    static const char* const free_keys[] = {"mass", "inertia", NULL};
    static const char* const driven_keys[] = {"position", "angle", NULL};
    ss_status status = name_coordinates(r, node, body);
    bool is_free = ss_node_find(node, "mass") || ss_node_find(node, "inertia");
    const ss_node *position = ss_node_find(node, "position"), *angle = ss_node_find(node, "angle");
    if (status != SS_OK) return status;
    if (is_free && (position || angle))
        return ss_read_fail_key(
            r, position ? position : angle,
            "expected mass and inertia of a body that moves freely, or position and angle "
            "of one that is driven, not both");
    status = ss_read_keys(r, node, is_free ? free_keys : driven_keys);
    if (status != SS_OK) return status;
    if (!is_free) return read_driven(r, node, body);
    status = read_inertia(r, node, "mass", ss_mass, &body[0].mass);
    body[1].mass = body[0].mass;
    return status == SS_OK ? read_inertia(r, node, "inertia", ss_inertia, &body[2].mass) : status;
}

int ss_read_find_planar(const ss_reader* r, const char* name, size_t length)
{
    for (const ss_node* node = r->bodies_node ? r->bodies_node->first : NULL; node; node = node->next) {
        int body = r->coordinates + r->body_at[node->index];
        if (r->bodies[body].plane == SS_PLANE_X && strlen(node->key) == length &&
            memcmp(node->key, name, length) == 0)
            return body;
    }
    return -1;
}

int ss_read_find_planar_coordinate(const ss_reader* r, const char* name)
{
    const char* dot = strrchr(name, '.');
    int body = dot ? ss_read_find_planar(r, name, (size_t)(dot - name)) : -1;
    for (int k = 0; k < COORDINATES && body >= 0; k++)
        if (strcmp(dot, endings[k]) == 0) return body + k;
    return -1;
}

ss_status ss_read_planar_start(ss_reader* r, const ss_node* node, int body)
{
    static const char* const keys[] = {"x", "y", "angle", "vx", "vy", "spin", NULL};
    ss_body_def* to = &r->bodies[body];
    if (ss_read_is_empty(node)) return SS_OK;
    ss_status status = ss_read_expect(r, node, SS_NODE_MAP, "{x: 1 m, angle: 30 deg}");
    if (status == SS_OK) status = ss_read_keys(r, node, keys);
    for (int k = 0; k < 2 * COORDINATES && status == SS_OK; k++) {
        const ss_node* given = ss_node_find(node, keys[k]);
        bool speed = k >= COORDINATES;
        ss_body_def* coordinate = &to[k % COORDINATES];
        if (!given) continue;
        if (coordinate->position)
            return ss_read_fail(r, given, "'%.60s' is driven: its %s is given for all times", node->key,
                                speed ? "speed" : "place");
        if (speed)
            coordinate->find_v = false;
        else
            coordinate->find_x = false;
        status = ss_read_coordinate(r, given, coordinate->angular ? ss_plain : ss_length, speed,
                                    speed ? &coordinate->start_v : &coordinate->start_x);
    }
    return status;
}

// ---- gravity

// The first body that says its mass and not its inertia; NULL where there is none.
static const ss_node* only_mass(const ss_reader* r)
{
    for (const ss_node* body = r->bodies_node ? r->bodies_node->first : NULL; body; body = body->next)
        if (body->kind == SS_NODE_MAP && ss_node_find(body, "mass") && !ss_node_find(body, "inertia"))
            return body;
    return NULL;
}

ss_status ss_read_gravity(ss_reader* r)
{
    const ss_node* node = ss_node_find(r->root, "gravity");
    ss_dimension unit = ss_dimension_of(1, 0, -2);
    bool any = false;
    if (!node) return SS_OK;
    for (int b = 0; b < r->def.body_count; b++) any = any || r->def.bodies[b].plane == SS_PLANE_X;
    const ss_node* heavy = any ? NULL : only_mass(r);
    if (heavy)
        return ss_read_fail_at_key(
            r, node,
            "acts on bodies in the plane, which have mass and inertia; '%.60s' has mass alone: give "
            "it its inertia, or write forces for bodies of one coordinate",
            heavy->key);
    if (!any)
        return ss_read_fail_at_key(
            r, node,
            "acts on bodies in the plane, which have mass and inertia, and there is none; "
            "write forces for bodies of one coordinate");
    ss_status status = expect_pair(r, node, "[0, -9.81 m/s^2]");
    if (status == SS_OK) status = ss_read_signal(r, node->first, unit, &r->def.gravity[0]);
    return status == SS_OK ? ss_read_signal(r, node->last, unit, &r->def.gravity[1]) : status;
}

// ---- points

ss_status ss_read_at(ss_reader* r, const ss_node* node, double out[2])
{
    ss_status status = expect_pair(r, node, "[0.5 m, 0]");
    if (status == SS_OK) status = ss_read_number(r, node->first, ss_length, &out[0]);
    return status == SS_OK ? ss_read_number(r, node->last, ss_length, &out[1]) : status;
}

ss_status ss_read_planar_name(ss_reader* r, const ss_node* node, bool ground, int* body)
{
    char hint[128];
    *body = SS_GROUND;
    if (node->kind != SS_NODE_SCALAR || node->text[0] == '\0')
        return ss_read_fail(r, node, "expected the name of a body");
    if (ground && strcmp(node->text, "ground") == 0) return SS_OK;
    *body = ss_read_find_planar(r, node->text, strlen(node->text));
    if (*body >= 0) return SS_OK;
    if (ss_read_find_body(r, node->text) >= 0)
        return ss_read_fail(r, node,
                            "'%.60s' has one coordinate; expected a body of the plane, which has mass and "
                            "inertia, or position: [x, y]",
                            node->text);
    if (ss_read_is_point(r, node->text))
        return ss_read_fail(r, node, "'%.60s' is a point, not a body; a force acts at a point by at: %.60s",
                            node->text, node->text);
    return ss_read_fail(
        r, node, "there is no body '%.60s'%s", node->text,
        ss_read_suggest(node->text, r->bodies_node, ground ? "ground" : NULL, hint, sizeof hint));
}

static ss_status read_point(ss_reader* r, const ss_node* node, ss_point_def* point)
{
    static const char* const keys[] = {"body", "at", NULL};
    point->name = node->key;
    ss_status status = ss_read_name(r, node);
    if (status == SS_OK) status = ss_read_expect(r, node, SS_NODE_MAP, "{body: rod, at: [0.5 m, 0]}");
    if (status == SS_OK) status = ss_read_keys(r, node, keys);
    if (status != SS_OK) return status;
    const ss_node *body = ss_node_find(node, "body"), *at = ss_node_find(node, "at");
    if (!body) return ss_read_fail_missing(r, node, "body", "is missing; expected the name of a body");
    if (!at) return ss_read_fail_missing(r, node, "at", "is missing; expected its place, [x, y]");
    status = ss_read_planar_name(r, body, true, &point->body);
    return status == SS_OK ? ss_read_at(r, at, point->at) : status;
}

ss_status ss_read_points(ss_reader* r)
{
    const ss_node* map = ss_node_find(r->root, "points");
    if (ss_read_is_empty(map)) return SS_OK;
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{tip: {body: rod, at: [0.5 m, 0]}}");
    if (status == SS_OK) status = ss_read_no_invention(r, map, "point");
    if (status != SS_OK) return status;
    ss_point_def* points = ss_pool_new(&r->pool, (size_t)map->count, sizeof *points);
    if (!points) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = map->first; node && status == SS_OK; node = node->next)
        status = read_point(r, node, &points[node->index]);
    r->points = points;
    r->def.points = points;
    r->def.point_count = map->count;
    return status;
}

static const ss_node* find_point(const ss_reader* r, const ss_node* name)
{
    const ss_node* points = ss_node_find(r->root, "points");
    return ss_read_is_empty(points) || name->kind != SS_NODE_SCALAR ? NULL : ss_node_find(points, name->text);
}

ss_status ss_read_point_name(ss_reader* r, const ss_node* name, int* point)
{
    char hint[128];
    const ss_node* found = find_point(r, name);
    if (found) *point = found->index;
    if (found) return SS_OK;
    if (name->kind != SS_NODE_SCALAR || name->text[0] == '\0')
        return ss_read_fail(r, name, "expected the name of a point");
    if (strcmp(name->text, "ground") == 0)
        return ss_read_fail(
            r, name,
            "expected the name of a point; make one of the ground, points: {pin: {body: ground, at: "
            "[0, 0]}}, and write pin");
    if (ss_read_find_planar(r, name->text, strlen(name->text)) >= 0)
        return ss_read_fail(
            r, name,
            "expected the name of a point; make one of the body, points: {center: {body: %.60s, at: "
            "[0, 0]}}, and write center",
            name->text);
    return ss_read_fail(
        r, name, "there is no point '%.60s'%s", name->text,
        ss_read_suggest(name->text, ss_node_find(r->root, "points"), NULL, hint, sizeof hint));
}

bool ss_read_is_between_points(const ss_reader* r, const ss_node* owner)
{
    const ss_node* between = ss_node_find(owner, "between");
    if (!is_list(between)) return false;
    for (const ss_node* name = between->first; name; name = name->next)
        if (find_point(r, name)) return true;
    return false;
}

ss_status ss_read_between_points(ss_reader* r, const ss_node* owner, const int** out)
{
    const ss_node* between = ss_node_find(owner, "between");
    if (between->count != 2) return ss_read_fail(r, between, "expected two points, [P, Q]");
    int* points = ss_pool_new(&r->pool, 2, sizeof *points);
    if (!points) return ss_fail_no_memory(&r->error);
    ss_status status = ss_read_point_name(r, between->first, &points[0]);
    if (status == SS_OK) status = ss_read_point_name(r, between->last, &points[1]);
    if (status == SS_OK && points[0] == points[1])
        return ss_read_fail(r, between->last, "expected two different points");
    *out = points;
    return status;
}

// ---- forces

bool ss_read_is_planar_force(const ss_reader* r, const ss_node* node)
{
    if (node->kind != SS_NODE_MAP) return false;
    const ss_node* body = ss_node_find(node, "body");
    bool named = body && body->kind == SS_NODE_SCALAR && body->text[0] &&
                 ss_read_find_planar(r, body->text, strlen(body->text)) >= 0;
    return named || ss_node_find(node, "at") || ss_node_find(node, "moment") || ss_node_find(node, "frame") ||
           is_list(ss_node_find(node, "force"));
}

static ss_status read_expression(ss_reader* r, const ss_node* node, const char** out)
{
    if (node->kind != SS_NODE_SCALAR || node->text[strspn(node->text, " \t\r\n")] == '\0')
        return ss_read_fail(r, node, "expected a number or an expression");
    *out = node->text;
    return SS_OK;
}

static ss_status read_frame(ss_reader* r, const ss_node* node, bool* in_body)
{
    const char* text = node && node->kind == SS_NODE_SCALAR ? node->text : "";
    *in_body = strcmp(text, "body") == 0;
    if (!node || *in_body || strcmp(text, "space") == 0) return SS_OK;
    return ss_read_fail(r, node, "expected space or body, the frame of the force");
}

// Where it acts: at a point, or at the centre of mass of a body.
static ss_status read_target(ss_reader* r, const ss_node* node, ss_plane_force_def* force)
{
    const ss_node *at = ss_node_find(node, "at"), *body = ss_node_find(node, "body");
    force->point = -1;
    if (at && body) return ss_read_fail_key(r, body, "expected at or body, not both");
    if (!at && !body)
        return ss_read_fail_missing(r, node, "at", "is missing; expected the name of a point, or of a body");
    ss_status status = at ? ss_read_point_name(r, at, &force->point) : SS_OK;
    if (status == SS_OK && body) status = ss_read_planar_name(r, body, false, &force->body);
    if (status != SS_OK) return status;
    if (at) force->body = r->points[force->point].body;
    if (force->body == SS_GROUND) return ss_read_fail(r, at, "a force on the ground moves nothing");
    if (r->bodies[force->body].position)
        return ss_read_fail(r, at ? at : body, "its body is driven; a force acts on a body with mass");
    return SS_OK;
}

ss_status ss_read_planar_force(ss_reader* r, const ss_node* node, const ss_plane_force_def** out)
{
    static const char* const keys[] = {"at", "body", "force", "moment", "frame", "ledger", NULL};
    ss_plane_force_def* force = ss_pool_new(&r->pool, 1, sizeof *force);
    const ss_node *given = ss_node_find(node, "force"), *moment = ss_node_find(node, "moment");
    if (!force) return ss_fail_no_memory(&r->error);
    *out = force;
    ss_status status = ss_read_keys(r, node, keys);
    if (status == SS_OK) status = read_target(r, node, force);
    if (status == SS_OK) status = read_frame(r, ss_node_find(node, "frame"), &force->in_body);
    if (status != SS_OK) return status;
    if (!given && !moment)
        return ss_read_fail_missing(r, node, "force", "is missing; expected [Fx, Fy] in N, or a moment");
    if (given) status = expect_pair(r, given, "[0, -10 N]");
    if (status == SS_OK && given) status = read_expression(r, given->first, &force->force[0]);
    if (status == SS_OK && given) status = read_expression(r, given->last, &force->force[1]);
    return status == SS_OK && moment ? read_expression(r, moment, &force->moment) : status;
}
