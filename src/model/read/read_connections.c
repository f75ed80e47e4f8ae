// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Springs, dampers and ties of a model file.
#include "model/read/read.h"

// A list, or a map that gives names.
static ss_status expect_list_or_map(ss_reader* r, const ss_node* node, const char* what, const char* example)
{
    bool gives_names = node->kind == SS_NODE_MAP && (!node->first || node->first->kind == SS_NODE_MAP);
    if (!gives_names) return ss_read_expect(r, node, SS_NODE_LIST, example);
    ss_status status = ss_read_no_invention(r, node, what);
    for (const ss_node* own = node->first; own && status == SS_OK; own = own->next)
        status = ss_read_name(r, own);
    return status;
}

static ss_status read_tie(ss_reader* r, const ss_node* node, ss_row_def* tie, ss_dimension* force)
{
    ss_dimension dimension;
    if (node->kind == SS_NODE_MAP && ss_node_find(node, "between"))
        return ss_read_fail_key(
            r, ss_node_find(node, "between"),
            "a tie is a combination of bodies that stays 0, such as {motor: 1, wheel: -5}, without "
            "between; a stiff connection holds points together");
    ss_status status = ss_read_factors(r, node, tie, &dimension);
    if (status != SS_OK) return status;
    *force = ss_force_along(dimension);
    for (const ss_node* term = node->first; term; term = term->next) {
        int body = tie->terms[term->index].body;
        if (body != SS_GROUND && (r->bodies[body].position || r->bodies[body].speed))
            return ss_read_fail_key(r, term, "'%.60s' is driven and cannot be tied", term->key);
    }
    return SS_OK;
}

ss_status ss_read_ties(ss_reader* r)
{
    const ss_node* list = ss_node_find(r->root, "ties");
    if (ss_read_is_empty(list)) return SS_OK;
    ss_status status = expect_list_or_map(r, list, "tie", "[{motor: 1, wheel: -5}]");
    if (status != SS_OK) return status;
    ss_row_def* ties = ss_pool_new(&r->pool, (size_t)list->count, sizeof *ties);
    const char** names = ss_pool_new(&r->pool, (size_t)list->count, sizeof *names);
    ss_dimension* forces = ss_pool_new(&r->pool, (size_t)list->count, sizeof *forces);
    if (!ties || !names || !forces) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = list->first; node && status == SS_OK; node = node->next) {
        names[node->index] = list->kind == SS_NODE_MAP ? node->key : NULL;
        status = read_tie(r, node, &ties[node->index], &forces[node->index]);
    }
    r->def.ties = ties;
    r->def.tie_names = names;
    r->def.tie_forces = forces;
    r->def.tie_count = list->count;
    return status;
}

static ss_status read_connection(ss_reader* r, const ss_node* node, ss_connection_def* connection)
{
    static const char* const keys[] = {"between", "along", "stiffness", "damping", "cubic", "length", NULL};
    *connection = ss_connection_def_default();
    ss_status status = ss_read_expect(r, node, SS_NODE_MAP, "{between: [A, ground], stiffness: 1 N/m}");
    ss_dimension row = ss_length;
    if (status == SS_OK) status = ss_read_keys(r, node, keys);
    if (status == SS_OK)
        status = ss_read_is_between_points(r, node) ? ss_read_between_points(r, node, &connection->points)
                                                    : ss_read_row(r, node, &connection->along, &row);
    connection->force = ss_force_along(row);
    if (status == SS_OK)
        status = ss_read_optional(r, node, "stiffness", ss_stiffness_along(row), &connection->stiffness);
    if (status == SS_OK)
        status = ss_read_optional(r, node, "damping", ss_damping_along(row), &connection->damping);
    if (status == SS_OK) status = ss_read_optional(r, node, "cubic", ss_cubic_along(row), &connection->cubic);
    if (status == SS_OK) status = ss_read_optional(r, node, "length", row, &connection->length);
    return status;
}

ss_status ss_read_connections(ss_reader* r)
{
    const ss_node* list = ss_node_find(r->root, "connections");
    if (ss_read_is_empty(list)) return SS_OK;
    ss_status status =
        expect_list_or_map(r, list, "connection", "- {between: [A, ground], stiffness: 1 N/m}");
    if (status != SS_OK) return status;
    ss_connection_def* connections = ss_pool_new(&r->pool, (size_t)list->count, sizeof *connections);
    if (!connections) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = list->first; node && status == SS_OK; node = node->next) {
        status = read_connection(r, node, &connections[node->index]);
        if (list->kind == SS_NODE_MAP) connections[node->index].name = node->key;
    }
    r->def.connections = connections;
    r->def.connection_count = list->count;
    return status;
}
