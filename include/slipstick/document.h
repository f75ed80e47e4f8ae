// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A neutral document: maps, lists and scalars that remember where they were written. YAML fills it on a
// desktop (slipstick/lab.h), JSON in a browser; ss_model_create_from_document reads it.
#ifndef SLIPSTICK_DOCUMENT_H
#define SLIPSTICK_DOCUMENT_H

#include "slipstick/matrix.h"
#include "slipstick/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ss_node_kind { SS_NODE_SCALAR, SS_NODE_LIST, SS_NODE_MAP } ss_node_kind;

typedef struct ss_document ss_document; ///< owns its nodes
typedef struct ss_node ss_node;         ///< lives as long as its document

/// An empty document; name is what errors call it, usually the file name as typed.
SS_API ss_status ss_document_create(const char* name, ss_document** out, ss_error* err);
SS_API void ss_document_destroy(ss_document* document); ///< NULL is welcome
/// A copy that can be changed without touching the original.
SS_API ss_status ss_document_clone(const ss_document* document, ss_document** out, ss_error* err);

/// Adds a node at the end of parent (NULL: as the root). key is needed in maps, where it must be new, and
/// must be NULL elsewhere. text is the scalar's text (length bytes, no NUL inside), ignored for lists and
/// maps. text_column is where the text itself begins (after a quote), 0 where columns do not map one to one.
typedef struct ss_node_def {
    ss_node_kind kind;
    const char* key;
    int key_line, key_column;
    const char* text;
    size_t length;
    int line, column, text_column;
} ss_node_def;
SS_API ss_status ss_document_add(ss_document* document, ss_node* parent, const ss_node_def* def,
                                 ss_node** out, ss_error* err);

/// Puts an array of numbers (in SI units; copied) in the place of a map, such as {file: K.mtx} below matrices
/// or an empty one. Clones share it.
SS_API ss_status ss_document_attach(ss_document* document, const ss_node* map, const ss_matrix_def* array,
                                    ss_error* err);

/// Changes or adds one number: path as in "contacts.floor1.friction" or "connections[0].damping".
/// "NAME.x" and "NAME.v" stand for "start.NAME.x" and "start.NAME.v", the name of a state for
/// "states.NAME.start". option ("--set a=b") is what errors
/// about this value begin with. Missing maps on the way are made; a missing list element is an error. The
/// node remembers the text it replaced, whose dimension a bare number takes over.
SS_API ss_status ss_document_set(ss_document* document, const char* path, const char* value,
                                 const char* option, ss_error* err);

/// Gives an error that names a field but no origin the place of that field in the document, as far as the
/// document has it: for faults that show only while the model runs.
SS_API void ss_document_locate(const ss_document* document, ss_error* err);

/// Tells the path of every scalar, such as "connections[0].damping", in the order of the document, as long as
/// the teller answers true. False where it did not.
typedef bool (*ss_path_visitor)(void* user, const char* path);
SS_API bool ss_document_each_path(const ss_document* document, ss_path_visitor visit, void* user);

SS_API const ss_node* ss_document_root(const ss_document* document); ///< NULL while empty

/// What a node says, and where. Texts and nodes live as long as the document.
typedef struct ss_node_info {
    ss_node_kind kind;
    const char* key;             ///< NULL unless in a map
    const char* text;            ///< of a scalar
    const char* replaced;        ///< its text before ss_document_set, or NULL
    const char* option;          ///< the option that set it, or NULL
    const ss_matrix_def* array;  ///< that stands in its place, or NULL
    int count;                   ///< of children,
    const ss_node *first, *next; ///< the first of them; the node after this one in its parent; NULL: none
    int line, column, text_column, key_line, key_column;
} ss_node_info;
SS_API ss_node_info ss_node_get(const ss_node* node);
SS_API const ss_node* ss_node_find(const ss_node* map, const char* key); ///< NULL if absent

#ifdef __cplusplus
}
#endif
#endif
