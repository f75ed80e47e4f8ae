// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A copy of a document: for whoever wants to change numbers many times over and keep the original.
#include "core/error.h"
#include "model/read/node.h"

#include <string.h>

// Texts that options left behind; false without memory.
static bool copy_history(ss_document* document, const ss_node* from, ss_node* to)
{
    if (from->replaced) to->replaced = ss_pool_text(&document->pool, from->replaced, strlen(from->replaced));
    if (from->option) to->option = ss_pool_text(&document->pool, from->option, strlen(from->option));
    return !document->pool.failed;
}

// A copy of one node at the end of parent, without its children.
static ss_node* copy_node(ss_document* document, const ss_node* from, ss_node* parent)
{
    ss_node_def def = {.kind = from->kind,
                       .key = from->key,
                       .key_line = from->key_line,
                       .key_column = from->key_column,
                       .text = from->text,
                       .length = from->text ? strlen(from->text) : 0,
                       .line = from->line,
                       .column = from->column,
                       .text_column = from->text_column};
    ss_node* to = ss_node_new(document, &def);
    if (!to || !copy_history(document, from, to) || !ss_document_reserve(document, 1)) return NULL;
    to->turn = from->turn;
    ss_node_link(parent, to);
    if (from->array) ss_node_take_array(to, ss_array_hold(from->array));
    return to;
}

// Walks both trees in step: down to the first child, else on to the next node, else up.
static bool copy_tree(ss_document* document, const ss_node* root)
{
    const ss_node* from = root;
    ss_node* to = root ? copy_node(document, root, NULL) : NULL;
    if (!to) return !root;
    for (;;) {
        if (from->first) {
            from = from->first;
        } else {
            while (from != root && !from->next) {
                from = from->parent;
                to = to->parent;
            }
            if (from == root) return true;
            from = from->next;
            to = to->parent;
        }
        to = copy_node(document, from, to);
        if (!to) return false;
    }
}

ss_status ss_document_clone(const ss_document* document, ss_document** out, ss_error* err)
{
    *out = NULL;
    ss_document* copy = NULL;
    ss_status status = ss_document_create(document->name, &copy, err);
    if (status != SS_OK) return status;
    copy->change_count = document->change_count;
    if (!copy_tree(copy, document->root)) {
        ss_document_destroy(copy);
        return ss_fail_no_memory(err);
    }
    *out = copy;
    return SS_OK;
}
