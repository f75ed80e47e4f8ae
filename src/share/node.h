// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Short words for what a node of a document says (slipstick/document.h), and doubts about units in it.
#ifndef SLIPSTICK_SHARE_NODE_H
#define SLIPSTICK_SHARE_NODE_H

#include "slipstick/document.h"

static inline ss_node_kind ss_node_get_kind(const ss_node* node) { return ss_node_get(node).kind; }
static inline const char* ss_node_key(const ss_node* node) { return ss_node_get(node).key; }
static inline const char* ss_node_text(const ss_node* node) { return ss_node_get(node).text; }
static inline const char* ss_node_replaced(const ss_node* node) { return ss_node_get(node).replaced; }
static inline const char* ss_node_option(const ss_node* node) { return ss_node_get(node).option; }
static inline int ss_node_count(const ss_node* node) { return ss_node_get(node).count; }
static inline const ss_node* ss_node_first(const ss_node* node) { return ss_node_get(node).first; }
static inline const ss_node* ss_node_next(const ss_node* node) { return ss_node_get(node).next; }
static inline int ss_node_line(const ss_node* node) { return ss_node_get(node).line; }
static inline int ss_node_column(const ss_node* node) { return ss_node_get(node).column; }
static inline int ss_node_text_column(const ss_node* node) { return ss_node_get(node).text_column; }
static inline int ss_node_key_line(const ss_node* node) { return ss_node_get(node).key_line; }
static inline int ss_node_key_column(const ss_node* node) { return ss_node_get(node).key_column; }

const char* ss_document_name(const ss_document* document); ///< as given to ss_document_create

/// Tells what is allowed but seldom meant, one sentence at a time.
typedef void ss_doubt(void* user, const char* text);
/// Names of the model that hide a unit where one seems to be written: `5 N/m` with a parameter m. Each is
/// told with its place in the document. False without memory.
bool ss_document_doubt_units(const ss_document* document, ss_doubt* tell, void* user);

#endif
