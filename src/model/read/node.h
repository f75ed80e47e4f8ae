// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inside of documents: what a node remembers, and how one is made and linked.
#ifndef SLIPSTICK_MODEL_NODE_H
#define SLIPSTICK_MODEL_NODE_H

#include "core/pool.h"
#include "model/read/array.h"
#include "slipstick/document.h"

#include <stdint.h>

enum {
    SS_MAX_LEVELS = 64,         ///< levels of lists and maps
    SS_MAX_NODES = 4 * 1000000, ///< about 0.6 GB
};

struct ss_node {
    ss_document* document;
    ss_node *parent, *first, *last, *next;
    ss_node* chain; ///< next with the same hash, in the document's index
    const char *key, *text, *replaced, *option;
    ss_array* array; ///< that stands in its place, or NULL
    ss_node* held;   ///< the next node of the document with an array
    uint64_t hash;   ///< of parent and key
    ss_node_kind kind;
    int depth; ///< of the root: 1
    int index; ///< position among its siblings
    int turn;  ///< which change of the document gave it its text; 0: the file did
    int count; ///< of children
    int key_line, key_column, line, column, text_column;
};

struct ss_document {
    ss_pool pool;
    const char* name;
    ss_node* root;
    ss_node** index; ///< hash table over the keys of all maps
    ss_node* held;   ///< the first node with an array
    size_t bucket_count, keyed_count;
    long node_count;
    int change_count; ///< of numbers, by ss_document_set
};

/// Makes a node that is not yet part of anything; key and text are copied. NULL when there is no memory.
ss_node* ss_node_new(ss_document* document, const ss_node_def* def);
/// Puts an array, which the node holds from now on, in its place.
void ss_node_take_array(ss_node* node, ss_array* array);
/// The array in the place of a node, or NULL.
const ss_matrix_def* ss_node_array(const ss_node* node);
/// Makes room in the index for so many more keys.
bool ss_document_reserve(ss_document* document, size_t keys);
/// Puts a node at the end of parent (NULL: as the root); room in the index must be reserved.
void ss_node_link(ss_node* parent, ss_node* node);

/// As ss_document_set; tells the node that holds the number now.
ss_status ss_document_set_node(ss_document* document, const char* path, const char* value, const char* option,
                               ss_node** out, ss_error* err);
/// The node that ss_document_set would change, NULL where it would make one. Paths that it refuses are
/// errors.
ss_status ss_document_find(ss_document* document, const char* path, const char* option, ss_node** out,
                           ss_error* err);

/// The element of a list (or entry of a map) at a position, NULL where there is none.
ss_node* ss_node_child(const ss_node* node, long index);
/// The node that a path ("bodies[0].mass") leads to, as far down as there is one. NULL only where top is.
const ss_node* ss_node_deepest(const ss_node* top, const char* path);

/// Writes "contacts.floor.static" or "connections[0].stiffness"; the empty string for the root. Returns out.
const char* ss_node_path(const ss_node* node, char* out, size_t size);

#endif
