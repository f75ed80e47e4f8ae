// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The place in a document that an error is about, for faults that show only while a model runs.
#include "model/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ss_node* element(const ss_node* list, long index)
{
    const ss_node* node = list->first;
    while (node && index-- > 0) node = node->next;
    return node;
}

// The child of a node that one step of a path names, "contacts" or "[0]"; *path then points behind the step.
static const ss_node* child(const ss_node* node, const char** path)
{
    char key[128];
    if (**path == '[') {
        char* end;
        long index = strtol(*path + 1, &end, 10);
        *path = *end == ']' ? end + 1 : "";
        return element(node, index);
    }
    size_t length = strcspn(*path, ".[");
    snprintf(key, sizeof key, "%.*s", (int)length, *path);
    *path += length;
    return ss_node_find(node, key);
}

void ss_document_locate(const ss_document* document, ss_error* err)
{
    const ss_node* node = document->root;
    const char* path = err->field;
    if (!err->field[0] || err->origin[0]) return;
    while (node && *path) { // as far as the document has it
        const ss_node* next = child(node, &path);
        if (!next) break;
        node = next;
        if (*path == '.') path++;
    }
    if (!node || node == document->root) return;
    snprintf(err->origin, sizeof err->origin, "%s", node->option ? node->option : document->name);
    if (node->option) return;
    bool has_place = node->line > 0;
    err->line = has_place ? node->line : node->key_line;
    err->column = has_place ? node->column : node->key_column;
}
