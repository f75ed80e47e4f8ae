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

static const char* const top_keys[] = {"slipstick",  "title",       "parameters", "bodies",   "ties",
                                       "matrices",   "connections", "forces",     "contacts", "start",
                                       "run",        "slider",      "inputs",     "states",   "signals",
                                       "potentials", "sampled",     "laws",       NULL};
static const char* const forms[] = {"bodies", "matrices", "slider", NULL};

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

// Exactly one of bodies, matrices, slider.
static ss_status find_form(ss_reader* r, const ss_node** form)
{
    const ss_node* found = NULL;
    for (int i = 0; forms[i]; i++) {
        const ss_node* node = ss_node_find(r->root, forms[i]);
        if (node && found)
            return ss_read_fail_key(r, node->index > found->index ? node : found,
                                    "expected exactly one of bodies, matrices, slider, not %s and %s",
                                    found->key, node->key);
        if (node) found = node;
    }
    if (!found)
        return ss_read_fail_missing(r, r->root, "bodies", "is missing; expected bodies, matrices or slider");
    *form = found;
    return SS_OK;
}

// What goes with bodies alone, and what to do about it beside matrices.
#define BY_BODIES "describe the system by bodies"
static const struct {
    const char *key, *beside_matrices;
} company[] = {{"ties", BY_BODIES},
               {"connections", "add springs and dampers to K and C"},
               {"forces", "a constant force is f: [..] in matrices; for others " BY_BODIES},
               {"contacts", "dry friction is W and friction in matrices; for other laws " BY_BODIES},
               {"laws", BY_BODIES},
               {"inputs", BY_BODIES},
               {"states", BY_BODIES},
               {"signals", BY_BODIES},
               {"potentials", BY_BODIES},
               {"sampled", BY_BODIES}};

static ss_status refuse_company(ss_reader* r, const ss_node* form, const ss_node* node, const char* advice)
{
    bool matrices = strcmp(form->key, "matrices") == 0;
    return ss_read_fail_key(r, node, "'%s' goes with bodies, not with %s; %s", node->key,
                            matrices ? "matrices" : "a slider",
                            matrices ? advice : "a slider has supports, and applied for loads");
}

static ss_status check_company(ss_reader* r, const ss_node* form)
{
    if (strcmp(form->key, "bodies") == 0) return SS_OK;
    for (size_t i = 0; i < sizeof company / sizeof company[0]; i++) {
        const ss_node* node = ss_node_find(r->root, company[i].key);
        if (!ss_read_is_empty(node)) return refuse_company(r, form, node, company[i].beside_matrices);
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

static ss_status read_bodies_form(ss_reader* r)
{
    ss_status status = ss_read_bodies(r);
    if (status == SS_OK) status = ss_read_ties(r);
    if (status == SS_OK) status = ss_read_connections(r);
    if (status == SS_OK) status = ss_read_forces(r);
    if (status == SS_OK) status = ss_read_contacts(r);
    if (status == SS_OK) status = ss_read_start(r);
    return status == SS_OK ? ss_read_open(r) : status;
}

static ss_status read_matrices_form(ss_reader* r)
{
    ss_status status = ss_read_matrices(r);
    return status == SS_OK ? ss_read_matrices_start(r) : status;
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
    return strcmp(form->key, "matrices") == 0 ? read_matrices_form(r) : read_bodies_form(r);
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
