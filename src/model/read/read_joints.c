// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Joints of a model file, and the surfaces that rails run along.
#include "model/read/read.h"

#include <math.h>
#include <string.h>

static bool is_list(const ss_node* node) { return node && node->kind == SS_NODE_LIST; }

// ---- surfaces

static ss_status read_direction(ss_reader* r, const ss_node* node, double out[2])
{
    if (!is_list(node) || node->count != 2) return ss_read_fail(r, node, "expected a direction, [1, 0]");
    ss_status status = ss_read_number(r, node->first, ss_plain, &out[0]);
    if (status == SS_OK) status = ss_read_number(r, node->last, ss_plain, &out[1]);
    double length = hypot(out[0], out[1]);
    if (status == SS_OK && !(length > 0.0))
        return ss_read_fail(r, node, "the direction is zero; expected one such as [1, 0]");
    out[0] /= length;
    out[1] /= length;
    return status;
}

static ss_status read_line(ss_reader* r, const ss_node* node, ss_surface_def* surface)
{
    if (!is_list(node) || node->count != 2)
        return ss_read_fail(r, node, "expected a place and a direction, [[0, 0], [1, 0]]");
    ss_status status = ss_read_at(r, node->first, surface->at);
    return status == SS_OK ? read_direction(r, node->last, surface->along) : status;
}

static ss_status read_circle(ss_reader* r, const ss_node* node, const ss_node* given, ss_surface_def* surface)
{
    const ss_node* center = ss_node_find(node, "center");
    ss_status status = ss_read_number(r, given, ss_length, &surface->radius);
    if (status == SS_OK && !(surface->radius > 0.0))
        return ss_read_fail_range(r, given, "must be positive, not %g", surface->radius);
    return status == SS_OK && center ? ss_read_at(r, center, surface->at) : status;
}

static ss_status read_surface(ss_reader* r, const ss_node* node, ss_surface_def* surface)
{
    static const char* const line_keys[] = {"line", "body", NULL};
    static const char* const circle_keys[] = {"circle", "center", "body", NULL};
    *surface = (ss_surface_def){.body = SS_GROUND};
    ss_status status = ss_read_name(r, node);
    if (status == SS_OK) status = ss_read_expect(r, node, SS_NODE_MAP, "{line: [[0, 0], [1, 0]]}");
    if (status != SS_OK) return status;
    const ss_node *line = ss_node_find(node, "line"), *circle = ss_node_find(node, "circle"),
                  *body = ss_node_find(node, "body");
    if (!line && !circle) return ss_read_fail_missing(r, node, "line", "is missing; expected line or circle");
    status = ss_read_keys(r, node, line ? line_keys : circle_keys);
    surface->is_circle = !line;
    if (status == SS_OK) status = line ? read_line(r, line, surface) : read_circle(r, node, circle, surface);
    return status == SS_OK && body ? ss_read_planar_name(r, body, true, &surface->body) : status;
}

ss_status ss_read_surfaces(ss_reader* r)
{
    const ss_node* map = ss_node_find(r->root, "surfaces");
    if (ss_read_is_empty(map)) return SS_OK;
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{floor: {line: [[0, 0], [1, 0]]}}");
    if (status == SS_OK) status = ss_read_no_invention(r, map, "surface");
    if (status != SS_OK) return status;
    ss_surface_def* surfaces = ss_pool_new(&r->pool, (size_t)map->count, sizeof *surfaces);
    if (!surfaces) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = map->first; node && status == SS_OK; node = node->next)
        status = read_surface(r, node, &surfaces[node->index]);
    r->def.surfaces = surfaces;
    r->def.surface_count = map->count;
    return status;
}

// ---- joints

static ss_status expect_two(ss_reader* r, const ss_node* node, const char* what)
{
    if (is_list(node) && node->count == 2) return SS_OK;
    return ss_read_fail(r, node, "expected %s", what);
}

// Two points, or a point and a place of the ground.
static ss_status read_pin(ss_reader* r, const ss_node* node, ss_joint_def* joint)
{
    ss_status status = expect_two(r, node, "two points, [P, Q], or a point and a place, [P, [x, y]]");
    if (status == SS_OK) status = ss_read_point_name(r, node->first, &joint->points[0]);
    if (status != SS_OK) return status;
    joint->points[1] = -1;
    if (is_list(node->last)) return ss_read_at(r, node->last, joint->at);
    status = ss_read_point_name(r, node->last, &joint->points[1]);
    const ss_point_def* points = r->points;
    if (status == SS_OK && points[joint->points[0]].body == points[joint->points[1]].body)
        return ss_read_fail(r, node->last, "both points are of one body; expected points of two");
    return status;
}

static ss_status read_rail(ss_reader* r, const ss_node* node, ss_joint_def* joint)
{
    char hint[128];
    const ss_node* surfaces = ss_node_find(r->root, "surfaces");
    ss_status status = expect_two(r, node, "a point and a surface, [P, SURFACE]");
    if (status == SS_OK) status = ss_read_point_name(r, node->first, &joint->points[0]);
    if (status != SS_OK) return status;
    const ss_node *name = node->last, *found = !ss_read_is_empty(surfaces) && name->kind == SS_NODE_SCALAR
                                                   ? ss_node_find(surfaces, name->text)
                                                   : NULL;
    if (!found)
        return ss_read_fail(r, name, "there is no surface '%.60s'%s",
                            name->kind == SS_NODE_SCALAR ? name->text : "",
                            ss_read_suggest(name->kind == SS_NODE_SCALAR ? name->text : "", surfaces, NULL,
                                            hint, sizeof hint));
    joint->surface = found->index;
    if (r->def.surfaces[joint->surface].body == r->points[joint->points[0]].body)
        return ss_read_fail(r, name, "surface and point are of one body; expected two");
    return SS_OK;
}

static ss_status read_weld(ss_reader* r, const ss_node* node, ss_joint_def* joint)
{
    ss_status status = expect_two(r, node, "two bodies, [A, B]");
    if (status == SS_OK) status = ss_read_planar_name(r, node->first, true, &joint->bodies[0]);
    if (status == SS_OK) status = ss_read_planar_name(r, node->last, true, &joint->bodies[1]);
    if (status == SS_OK && joint->bodies[0] == joint->bodies[1])
        return ss_read_fail(r, node->last, "expected two different bodies");
    return status;
}

static ss_status refuse_friction(ss_reader* r, const ss_node* node, bool pin)
{
    const ss_node *mu = ss_node_find(node, "mu"), *level = mu ? mu : ss_node_find(node, "mu_static");
    if (pin && level && !ss_node_find(node, "radius"))
        return ss_read_fail_missing(r, node, "radius",
                                    "is missing; friction of a pin is mu*radius*force, a torque");
    if (level) return ss_read_fail_at_key(r, level, "friction in joints is not computed yet");
    return SS_OK;
}

static bool moves(const ss_reader* r, int body) { return body != SS_GROUND && !r->bodies[body].position; }

// Whether some body that the joint holds can move.
static bool holds_something(const ss_reader* r, const ss_joint_def* joint)
{
    if (joint->kind == SS_JOINT_WELD) return moves(r, joint->bodies[0]) || moves(r, joint->bodies[1]);
    int other = joint->kind == SS_JOINT_RAIL ? r->def.surfaces[joint->surface].body
                : joint->points[1] < 0       ? SS_GROUND
                                             : r->points[joint->points[1]].body;
    return moves(r, r->points[joint->points[0]].body) || moves(r, other);
}

static ss_status read_joint(ss_reader* r, const ss_node* node, ss_joint_def* joint)
{
    static const char* const pin_keys[] = {"pin", "mu", "mu_static", "radius", NULL};
    static const char* const rail_keys[] = {"rail", "mu", "mu_static", NULL};
    static const char* const weld_keys[] = {"weld", NULL};
    joint->name = node->key;
    ss_status status = ss_read_name(r, node);
    if (status == SS_OK) status = ss_read_expect(r, node, SS_NODE_MAP, "{pin: [P, Q]}");
    if (status != SS_OK) return status;
    const ss_node *pin = ss_node_find(node, "pin"), *rail = ss_node_find(node, "rail"),
                  *weld = ss_node_find(node, "weld"),
                  *given = pin    ? pin
                           : rail ? rail
                                  : weld;
    if (!given) return ss_read_fail_missing(r, node, "pin", "is missing; expected pin, rail or weld");
    joint->kind = pin ? SS_JOINT_PIN : rail ? SS_JOINT_RAIL : SS_JOINT_WELD;
    status = ss_read_keys(r, node, pin ? pin_keys : rail ? rail_keys : weld_keys);
    if (status == SS_OK)
        status = pin    ? read_pin(r, given, joint)
                 : rail ? read_rail(r, given, joint)
                        : read_weld(r, given, joint);
    if (status == SS_OK && !holds_something(r, joint))
        return ss_read_fail(r, given, "nothing that it joins can move");
    return status == SS_OK ? refuse_friction(r, node, pin != NULL) : status;
}

ss_status ss_read_joints(ss_reader* r)
{
    const ss_node* map = ss_node_find(r->root, "joints");
    if (ss_read_is_empty(map)) return SS_OK;
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{elbow: {pin: [P, Q]}}");
    if (status == SS_OK) status = ss_read_no_invention(r, map, "joint");
    if (status != SS_OK) return status;
    ss_joint_def* joints = ss_pool_new(&r->pool, (size_t)map->count, sizeof *joints);
    if (!joints) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = map->first; node && status == SS_OK; node = node->next)
        status = read_joint(r, node, &joints[node->index]);
    r->def.joints = joints;
    r->def.joint_count = map->count;
    return status;
}
