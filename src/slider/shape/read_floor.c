// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a slider lies on and what pulls at it: `floor` and `applied` of a model file.
#include "slider/shape/read_slider.h"

#include <string.h>

static const ss_dimension force_unit = {1, 1, -2, 0}, moment_unit = {2, 1, -2, 0}, speed_unit = {1, 0, -1, 0},
                          spin_unit = {0, 0, -1, 0};

ss_status ss_read_pair(ss_reader* r, const ss_node* node, ss_dimension unit, const char* example,
                       const ss_signal** x, const ss_signal** y)
{
    if (node->kind != SS_NODE_LIST || node->count != 2)
        return ss_read_fail(r, node, "expected two components such as %s", example);
    ss_status status = ss_read_signal(r, node->first, unit, x);
    return status == SS_OK ? ss_read_signal(r, node->last, unit, y) : status;
}

// ---- the floor

static ss_status read_roughness(slider_reader* sr, const ss_node* map)
{
    ss_reader* r = &sr->base;
    const ss_node *mu = ss_node_find(map, "mu"), *axis = ss_node_find(map, "axis");
    bool pair;
    if (!mu && axis)
        return ss_read_fail_missing(r, map, "mu",
                                    "is missing; expected the factors along and across, [0.5, 1]");
    if (!mu) return SS_OK;
    ss_status status = ss_read_roughness_pair(r, mu, ss_plain, sr->def.floor_mu, &pair);
    return status == SS_OK && axis ? ss_read_direction(r, axis, sr->def.floor_axis) : status;
}

// At most one of two keys that tell the same.
static ss_status read_either(ss_reader* r, const ss_node* map, const char* one, const char* other)
{
    const ss_node *a = ss_node_find(map, one), *b = ss_node_find(map, other);
    if (!a || !b) return SS_OK;
    return ss_read_fail_key(r, b, "expected either %s or %s, not both: they tell the same", one, other);
}

static ss_status read_tilt(slider_reader* sr, const ss_node* map)
{
    ss_reader* r = &sr->base;
    ss_floor_def* floor = &sr->def.floor;
    const ss_node *tilt = ss_node_find(map, "tilt"), *downhill = ss_node_find(map, "downhill");
    if (downhill && !tilt)
        return ss_read_fail_missing(r, map, "tilt", "is missing; expected an angle such as 10 deg");
    if (!tilt) return SS_OK;
    ss_status status = ss_read_number(r, tilt, ss_plain, &floor->tilt_rad);
    if (status == SS_OK && !(floor->tilt_rad >= 0.0 && floor->tilt_rad < 1.57079632679489661923))
        return ss_read_fail(r, tilt, "must be from 0 to below 90 deg");
    if (status == SS_OK && !downhill)
        return ss_read_fail_missing(r, map, "downhill", "is missing; expected the way down such as [1, 0]");
    return status == SS_OK ? ss_read_direction(r, downhill, floor->downhill) : status;
}

static ss_status read_motion(slider_reader* sr, const ss_node* map)
{
    ss_reader* r = &sr->base;
    ss_floor_def* floor = &sr->def.floor;
    const ss_node *velocity = ss_node_find(map, "velocity"), *position = ss_node_find(map, "position");
    const ss_node *spin = ss_node_find(map, "spin"), *angle = ss_node_find(map, "angle");
    const ss_node* center = ss_node_find(map, "center");
    ss_status status = read_either(r, map, "velocity", "position");
    if (status == SS_OK) status = read_either(r, map, "spin", "angle");
    if (status == SS_OK && velocity)
        status =
            ss_read_pair(r, velocity, speed_unit, "[0.5 m/s, 0]", &floor->velocity_x, &floor->velocity_y);
    if (status == SS_OK && position)
        status = ss_read_pair(r, position, ss_length, "[0.01 m*sin(20 rad/s*t), 0]", &floor->position_x,
                              &floor->position_y);
    if (status == SS_OK && spin) status = ss_read_signal(r, spin, spin_unit, &floor->spin);
    if (status == SS_OK && angle) status = ss_read_signal(r, angle, ss_plain, &floor->angle);
    return status == SS_OK && center ? ss_read_place(r, center, floor->center_m) : status;
}

ss_status ss_read_floor(slider_reader* sr, const ss_node* map)
{
    static const char* const keys[] = {"mu",    "axis",   "velocity", "position", "spin",
                                       "angle", "center", "tilt",     "downhill", NULL};
    ss_reader* r = &sr->base;
    if (ss_read_is_empty(map)) return SS_OK;
    ss_status status =
        ss_read_expect(r, map, SS_NODE_MAP, "{velocity: [0.5 m/s, 0]} or {mu: [0.5, 1], axis: [1, 0]}");
    if (status == SS_OK) status = ss_read_keys(r, map, keys);
    if (status == SS_OK) status = read_roughness(sr, map);
    if (status == SS_OK) status = read_motion(sr, map);
    return status == SS_OK ? read_tilt(sr, map) : status;
}

// ---- loads

static ss_status read_frame(ss_reader* r, const ss_node* node, bool* in_body)
{
    static const char* const words[] = {"space", "body", NULL};
    char hint[64] = "";
    bool scalar = node->kind == SS_NODE_SCALAR;
    if (scalar && (strcmp(node->text, "space") == 0 || strcmp(node->text, "body") == 0)) {
        *in_body = node->text[0] == 'b';
        return SS_OK;
    }
    if (scalar) ss_read_suggest_word(node->text, words, hint, sizeof hint);
    return ss_read_fail(r, node, "expected space or body%s", hint);
}

static ss_status read_load(ss_reader* r, const ss_node* map, ss_load_def* load)
{
    static const char* const keys[] = {"force", "moment", "frame", "at", NULL};
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{force: [1 N, 0], moment: 0, frame: space}");
    if (status == SS_OK) status = ss_read_keys(r, map, keys);
    if (status != SS_OK) return status;
    const ss_node *force = ss_node_find(map, "force"), *moment = ss_node_find(map, "moment");
    const ss_node *frame = ss_node_find(map, "frame"), *at = ss_node_find(map, "at");
    if (at && !force) return ss_read_fail_key(r, at, "a place goes with a force, which is missing");
    if (force) status = ss_read_pair(r, force, force_unit, "[1 N, 0 N]", &load->force_x, &load->force_y);
    if (status == SS_OK && moment) status = ss_read_signal(r, moment, moment_unit, &load->moment);
    if (status == SS_OK && at) status = ss_read_place(r, at, load->at_m);
    return status == SS_OK && frame ? read_frame(r, frame, &load->in_body) : status;
}

ss_status ss_read_loads(slider_reader* sr, const ss_node* node)
{
    ss_reader* r = &sr->base;
    if (ss_read_is_empty(node)) return SS_OK;
    bool list = node->kind == SS_NODE_LIST;
    int count = list ? node->count : 1;
    ss_load_def* loads = ss_pool_new(&r->pool, (size_t)count, sizeof *loads);
    if (!loads) return ss_fail_no_memory(&r->error);
    ss_status status = list ? SS_OK : read_load(r, node, loads);
    for (const ss_node* item = list ? node->first : NULL; item && status == SS_OK; item = item->next)
        status = read_load(r, item, &loads[item->index]);
    sr->def.loads = loads;
    sr->def.load_count = count;
    return status;
}
