// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers of a document by their path.
#include "resource.h"
#include "share/error.h"
#include "share/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* const fmu_applied_paths[3] = {"slider.applied.force[0]", "slider.applied.force[1]",
                                          "slider.applied.moment"};

// One step down a path: "name" or "[2]"; *path moves on.
static const ss_node* step(const ss_node* node, const char** path)
{
    const char* at = *path;
    if (*at == '[') {
        char* end;
        long index = strtol(at + 1, &end, 10);
        if (*end != ']' || index < 0 || ss_node_get_kind(node) != SS_NODE_LIST) return NULL;
        node = ss_node_first(node);
        for (long k = 0; k < index && node; k++) node = ss_node_next(node);
        *path = end + 1 + (end[1] == '.');
        return node;
    }
    size_t length = strcspn(at, ".[");
    char key[128];
    if (length == 0 || length >= sizeof key || ss_node_get_kind(node) != SS_NODE_MAP) return NULL;
    memcpy(key, at, length);
    key[length] = '\0';
    *path = at + length + (at[length] == '.');
    return ss_node_find(node, key);
}

const ss_node* fmu_find_node(const ss_document* document, const char* path)
{
    const ss_node* node = ss_document_root(document);
    while (node && *path) node = step(node, &path);
    return node;
}

static double parse(const ss_node* node, const ss_scope* scope, ss_dimension* dimension, bool* has_unit,
                    ss_status* status, ss_error* err)
{
    double value = 0.0;
    const char* before = ss_node_replaced(node);
    *status = ss_quantity_parse_any(ss_node_text(node), scope, &value, dimension, has_unit, err);
    if (*status == SS_OK && before && !*has_unit) { // a bare number has the dimension of the one it replaced
        double old;
        ss_status known = ss_quantity_parse_any(before, scope, &old, dimension, has_unit, NULL);
        if (known != SS_OK) *has_unit = false;
    }
    return value;
}

ss_status fmu_find_number(const ss_document* document, const char* path, double* value,
                          ss_dimension* dimension, bool* has_unit, ss_error* err)
{
    const ss_node* wanted = fmu_find_node(document, path);
    if (!wanted || ss_node_get_kind(wanted) != SS_NODE_SCALAR)
        return ss_fail(err, SS_BAD_INPUT, path, "there is no such number in the model");
    const ss_node* map = fmu_find_node(document, "parameters");
    int count = map && ss_node_get_kind(map) == SS_NODE_MAP ? ss_node_count(map) : 0;
    ss_parameter* known = calloc((size_t)count + 1, sizeof *known);
    if (!known) return ss_fail_no_memory(err);
    ss_scope scope = {.parameters = known};
    ss_status status = SS_OK;
    for (const ss_node* node = count > 0 ? ss_node_first(map) : NULL; node && status == SS_OK;
         node = ss_node_next(node)) {
        ss_parameter* p = &known[scope.parameter_count];
        if (ss_node_get_kind(node) != SS_NODE_SCALAR) continue;
        p->name = ss_node_key(node);
        p->value_si = parse(node, &scope, &p->dimension, &p->has_unit, &status, err);
        scope.parameter_count++;
        if (node != wanted) continue;
        *value = p->value_si;
        *dimension = p->dimension;
        *has_unit = p->has_unit;
        free(known);
        return status;
    }
    if (status == SS_OK) *value = parse(wanted, &scope, dimension, has_unit, &status, err);
    if (status != SS_OK && err && !err->field[0]) snprintf(err->field, sizeof err->field, "%s", path);
    free(known);
    return status;
}
