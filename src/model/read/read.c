// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A model file's document, format version 1, to a model: the top level. The sections have their own files,
// read_*.c.
#include "model/read/read.h"
#include "model/read/read_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const top_keys[] = {
    "slipstick", "title", "parameters", "bodies", "ties",    "matrices", "connections", "forces",
    "contacts",  "start", "run",        "slider", "inputs",  "states",   "signals",     "potentials",
    "sampled",   "laws",  "surfaces",   "joints", "gravity", "points",   NULL};

static ss_status read_version(ss_reader* r)
{
    const ss_node* node = ss_node_find(r->root, "slipstick");
    if (!node) {
        ss_status status = ss_read_keys(r, r->root, top_keys); // "slipstik: 1" is a misspelt key
        if (status != SS_OK) return status;
        return ss_read_fail_missing(r, r->root, "slipstick", "is missing; expected the format version, %s",
                                    "slipstick: 1");
    }
    if (node->kind != SS_NODE_SCALAR || strcmp(node->text, "1") != 0)
        return ss_read_fail(r, node, "expected 1, the only format version this program knows");
    return SS_OK;
}

static ss_status read_title(ss_reader* r)
{
    const ss_node* node = ss_node_find(r->root, "title");
    if (!node) return ss_read_fail_missing(r, r->root, "title", "is missing; expected a line of text");
    if (node->kind != SS_NODE_SCALAR || node->text[0] == '\0')
        return ss_read_fail(r, node, "expected a line of text");
    r->def.title = node->text;
    return SS_OK;
}

// A slider, or bodies and matrices.
static ss_status find_form(ss_reader* r, const ss_node** form)
{
    const ss_node *slider = ss_node_find(r->root, "slider"), *bodies = ss_node_find(r->root, "bodies"),
                  *matrices = ss_node_find(r->root, "matrices"), *other = matrices ? matrices : bodies;
    if (!slider && !other)
        return ss_read_fail_missing(r, r->root, "bodies", "is missing; expected bodies, matrices or slider");
    if (slider && other)
        return ss_read_fail_key(r, slider->index > other->index ? slider : other,
                                "a slider goes alone; expected it, or bodies and matrices, not %s and %s",
                                slider->index > other->index ? other->key : "slider",
                                slider->index > other->index ? "slider" : other->key);
    *form = slider ? slider : other;
    return SS_OK;
}

static ss_status check_company(ss_reader* r, const ss_node* form)
{
    static const char* const company[] = {"ties",   "connections", "forces",     "contacts", "laws", "inputs",
                                          "states", "signals",     "potentials", "sampled",  NULL};
    if (strcmp(form->key, "slider") != 0) return SS_OK;
    for (int i = 0; company[i]; i++) {
        const ss_node* node = ss_node_find(r->root, company[i]);
        if (!ss_read_is_empty(node))
            return ss_read_fail_key(r, node,
                                    "'%s' goes with bodies, not with a slider; a slider has supports, and "
                                    "applied for loads",
                                    node->key);
    }
    return SS_OK;
}

static ss_status read_run(ss_reader* r)
{
    static const char* const keys[] = {"until", NULL};
    const ss_node* map = ss_node_find(r->root, "run");
    if (ss_read_is_empty(map)) return SS_OK;
    ss_status status = ss_read_expect(r, map, SS_NODE_MAP, "{until: 100 s}");
    if (status == SS_OK) status = ss_read_keys(r, map, keys);
    if (status == SS_OK) status = ss_read_optional(r, map, "until", ss_time, &r->def.until);
    if (status == SS_OK && !(r->def.until >= 0.0))
        return ss_read_fail_range(r, ss_node_find(map, "until"), "must not be negative (%g s)", r->def.until);
    return status;
}

static ss_status read_system(ss_reader* r)
{
    ss_status status = ss_node_find(r->root, "matrices") ? ss_read_matrices(r) : SS_OK;
    if (status == SS_OK) status = ss_read_bodies(r);
    if (status == SS_OK) status = ss_read_gravity(r);
    if (status == SS_OK) status = ss_read_points(r);
    if (status == SS_OK) status = ss_read_surfaces(r);
    if (status == SS_OK) status = ss_read_joints(r);
    if (status == SS_OK) status = ss_read_ties(r);
    if (status == SS_OK) status = ss_read_connections(r);
    if (status == SS_OK) status = ss_read_forces(r);
    if (status == SS_OK) status = ss_read_contacts(r);
    if (status == SS_OK) status = ss_read_start(r);
    return status == SS_OK ? ss_read_open(r) : status;
}

ss_status ss_read_head(ss_reader* r, const ss_node** form)
{
    r->root = r->document->root;
    if (!r->root) return ss_fail(&r->error, SS_BAD_INPUT, NULL, "the document is empty");
    if (r->root->kind != SS_NODE_MAP)
        return ss_read_fail(r, r->root,
                            "this is no model file; expected slipstick: 1, title: .., bodies: ..");
    ss_status status = read_version(r);
    if (status == SS_OK) status = ss_read_keys(r, r->root, top_keys);
    if (status == SS_OK) status = read_title(r);
    if (status == SS_OK) status = find_form(r, form);
    if (status == SS_OK) status = check_company(r, *form);
    if (status == SS_OK) status = ss_read_parameters(r);
    return status == SS_OK ? read_run(r) : status;
}

static ss_status read_root(ss_reader* r)
{
    const ss_node* form = NULL;
    ss_status status = ss_read_head(r, &form);
    if (status != SS_OK) return status;
    if (strcmp(form->key, "slider") == 0)
        return ss_read_fail_key(r, form, "expected bodies or matrices here, not a slider");
    return read_system(r);
}

// The first node at or below `top` that an option set, NULL if there is none.
static const ss_node* changed_below(const ss_node* top)
{
    const ss_node* node = top;
    while (node && !node->option) {
        if (node->first) {
            node = node->first;
            continue;
        }
        while (node != top && !node->next) node = node->parent;
        node = node == top ? NULL : node->next;
    }
    return node;
}

ss_status ss_read_locate(ss_reader* r, ss_status status)
{
    if (status != SS_BAD_INPUT) return status;
    char text[sizeof r->error.text];
    memcpy(text, r->error.text, sizeof text);
    // the field of the definition ("bodies[0].mass", "ties[1]", "contacts.floor.static"), or where it belongs
    const ss_node* node = ss_node_deepest(r->root, r->error.field);
    if (r->error.column > 0 && node->kind == SS_NODE_SCALAR) return ss_read_fail_text(r, node);
    const ss_node* changed = node == r->root ? NULL : changed_below(node);
    return ss_read_fail(r, changed ? changed : node, "%s", text);
}

ss_status ss_model_create_from_document(const ss_document* document, ss_model** out, ss_error* err)
{
    *out = NULL;
    ss_reader r = {.document = document, .def = ss_system_def_default()};
    ss_status status = read_root(&r);
    if (status == SS_OK) status = ss_read_locate(&r, ss_model_create(&r.def, out, &r.error));
    ss_read_drop_signals(&r);
    ss_pool_free(&r.pool);
    if (status != SS_OK && err) *err = r.error;
    return status;
}

bool ss_document_expects(const ss_document* document, const ss_node* node, ss_dimension* out)
{
    ss_reader r = {.document = document, .def = ss_system_def_default(), .asked = node};
    read_root(&r); // faults are told where the model is made
    ss_read_drop_signals(&r);
    ss_pool_free(&r.pool);
    *out = r.expected;
    return r.expects;
}
