// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Places in a document: the one that an error is about, for faults that show only while a model runs, and the
// paths of all there are.
#include "model/read/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ss_node* ss_node_child(const ss_node* node, long index)
{
    ss_node* child = node->first;
    while (child && index-- > 0) child = child->next;
    return child;
}

// The child of a node that one step of a path names, "contacts" or "[0]"; *path then points behind the step.
static const ss_node* child(const ss_node* node, const char** path)
{
    char key[128];
    if (**path == '[') {
        char* end;
        long index = strtol(*path + 1, &end, 10);
        *path = *end == ']' ? end + 1 : "";
        return ss_node_child(node, index);
    }
    size_t length = strcspn(*path, ".[");
    snprintf(key, sizeof key, "%.*s", (int)length, *path);
    *path += length;
    return ss_node_find(node, key);
}

const ss_node* ss_node_deepest(const ss_node* top, const char* path)
{
    const ss_node* node = top;
    while (node && *path) {
        const ss_node* next = child(node, &path);
        if (!next) break;
        node = next;
        if (*path == '.') path++;
    }
    return node;
}

void ss_document_locate(const ss_document* document, ss_error* err)
{
    if (!err->field[0] || err->origin[0]) return;
    const ss_node* node = ss_node_deepest(document->root, err->field);
    if (!node || node == document->root) return;
    snprintf(err->origin, sizeof err->origin, "%s", node->option ? node->option : document->name);
    if (node->option) return;
    bool has_place = node->line > 0;
    err->line = has_place ? node->line : node->key_line;
    err->column = has_place ? node->column : node->key_column;
}

static bool visit_below(const ss_node* node, ss_path_visitor visit, void* user)
{
    char path[512];
    if (node->kind == SS_NODE_SCALAR) return visit(user, ss_node_path(node, path, sizeof path));
    bool goes_on = true;
    for (const ss_node* one = node->first; one && goes_on; one = one->next)
        goes_on = visit_below(one, visit, user);
    return goes_on;
}

bool ss_document_each_path(const ss_document* document, ss_path_visitor visit, void* user)
{
    return !document->root || visit_below(document->root, visit, user);
}
