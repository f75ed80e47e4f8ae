// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What pushes a slider: `outline`, `pushers` and `quasistatic` of a model file.
#include "slider/shape/read_slider.h"

#include <string.h>

static const ss_dimension speed_unit = {1, 0, -1, 0};

static ss_status read_circle(slider_reader* sr, const ss_node* map)
{
    static const char* const keys[] = {"circle", NULL};
    ss_reader* r = &sr->base;
    ss_status status = ss_read_keys(r, map, keys);
    if (status == SS_OK) status = ss_read_required(r, map, "circle", ss_length, &sr->def.outline_radius_m);
    if (status == SS_OK && !(sr->def.outline_radius_m > 0.0))
        return ss_read_fail_range(r, ss_node_find(map, "circle"), "must be positive, not %g",
                                  sr->def.outline_radius_m);
    return status;
}

ss_status ss_read_outline(slider_reader* sr, const ss_node* node)
{
    ss_reader* r = &sr->base;
    if (!node) return SS_OK;
    if (node->kind == SS_NODE_MAP) return read_circle(sr, node);
    ss_status status = ss_read_expect(r, node, SS_NODE_LIST, "[[0, 0], [1, 0], [0, 1]] or {circle: 0.1 m}");
    if (status != SS_OK) return status;
    double* vertices = ss_pool_new(&r->pool, 2 * (size_t)node->count, sizeof *vertices);
    if (!vertices) return ss_fail_no_memory(&r->error);
    for (const ss_node* item = node->first; item && status == SS_OK; item = item->next)
        status = ss_read_place(r, item, &vertices[2 * (size_t)item->index]);
    sr->def.outline = vertices;
    sr->def.outline_count = node->count;
    return status;
}

static ss_status read_pusher(ss_reader* r, const ss_node* map, ss_pusher_def* out)
{
    static const char* const keys[] = {"at", "velocity", "mu", NULL};
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{at: [-1, 0], velocity: [0.1 m/s, 0], mu: 0.3}");
    if (status == SS_OK) status = ss_read_keys(r, map, keys);
    if (status != SS_OK) return status;
    const ss_node *at = ss_node_find(map, "at"), *velocity = ss_node_find(map, "velocity");
    const ss_node* mu = ss_node_find(map, "mu");
    if (!at)
        return ss_read_fail_missing(r, map, "at", "is missing; expected where the finger starts, [-1, 0]");
    if (!mu)
        return ss_read_fail_missing(r, map, "mu",
                                    "is missing; expected the finger's coefficient of friction");
    status = ss_read_place(r, at, out->at_m);
    if (status == SS_OK && velocity)
        status = ss_read_pair(r, velocity, speed_unit, "[0.1 m/s, 0]", &out->velocity_x, &out->velocity_y);
    if (status == SS_OK) status = ss_read_number(r, mu, ss_plain, &out->mu);
    return status == SS_OK ? ss_read_not_negative(r, mu, out->mu, ss_plain) : status;
}

ss_status ss_read_pushers(slider_reader* sr, const ss_node* list)
{
    ss_reader* r = &sr->base;
    if (ss_read_is_empty(list)) return SS_OK;
    ss_status status =
        ss_read_expect(r, list, SS_NODE_LIST, "- {at: [-1, 0], velocity: [0.1 m/s, 0], mu: 0.3}");
    if (status != SS_OK) return status;
    if (!sr->def.outline && sr->def.outline_radius_m == 0.0)
        return ss_read_fail_key(r, list, "fingers need an outline to push against");
    ss_pusher_def* pushers = ss_pool_new(&r->pool, (size_t)list->count, sizeof *pushers);
    if (!pushers) return ss_fail_no_memory(&r->error);
    for (const ss_node* item = list->first; item && status == SS_OK; item = item->next)
        status = read_pusher(r, item, &pushers[item->index]);
    sr->def.pushers = pushers;
    sr->def.pusher_count = list->count;
    return status;
}

ss_status ss_read_quasistatic(slider_reader* sr, const ss_node* node)
{
    if (!node) return SS_OK;
    bool scalar = node->kind == SS_NODE_SCALAR;
    sr->def.quasistatic = scalar && strcmp(node->text, "true") == 0;
    if (sr->def.quasistatic || (scalar && strcmp(node->text, "false") == 0)) return SS_OK;
    return ss_read_fail(&sr->base, node, "expected true or false");
}
