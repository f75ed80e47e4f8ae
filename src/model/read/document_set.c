// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Changing one number of a document by its path: what `--set PATH=VALUE` does.
#include "core/error.h"
#include "model/read/node.h"
#include "model/read/read.h"

#include <stdio.h>
#include <string.h>

// One step of a path: a key, or the index of a list's element.
typedef struct path_step {
    char* name; // NULL: an index
    long index;
} path_step;

typedef struct set_request {
    ss_document* document;
    const char* path;
    const char* value;
    const char* option;
    path_step steps[SS_MAX_LEVELS];
    int count;
    ss_error* err;
} set_request;

static ss_status refuse(const set_request* change, const char* text)
{
    ss_fail(change->err, SS_BAD_INPUT, change->path, "%s", text);
    if (change->err) snprintf(change->err->origin, sizeof change->err->origin, "%s", change->option);
    return SS_BAD_INPUT;
}

static ss_status refuse_path(const set_request* change)
{
    return refuse(change, "not a path such as contacts.floor.friction or connections[0].damping");
}

static ss_status add_step(set_request* change, const char* name, size_t length, long index)
{
    if (change->count == SS_MAX_LEVELS) return refuse_path(change);
    path_step* step = &change->steps[change->count++];
    step->index = index;
    if (name && !(step->name = ss_pool_text(&change->document->pool, name, length)))
        return ss_fail_no_memory(change->err);
    return SS_OK;
}

// Reads "[12]" at *at, which then points behind it.
static ss_status read_index(set_request* change, const char** at)
{
    const char* c = *at + 1;
    long index = 0;
    if (*c < '0' || *c > '9') return refuse_path(change);
    for (; *c >= '0' && *c <= '9'; c++) {
        index = 10 * index + (*c - '0');
        if (index > SS_MAX_NODES) return refuse(change, "there is no such element");
    }
    if (*c != ']') return refuse_path(change);
    *at = c + 1;
    return add_step(change, NULL, 0, index);
}

static ss_status read_path(set_request* change)
{
    const char* at = change->path;
    for (;;) {
        size_t length = strcspn(at, ".[]");
        if (length == 0) return refuse_path(change);
        ss_status status = add_step(change, at, length, -1);
        at += length;
        while (status == SS_OK && *at == '[') status = read_index(change, &at);
        if (status != SS_OK) return status;
        if (*at == '\0') return SS_OK;
        if (*at != '.') return refuse_path(change);
        at++;
    }
}

static bool is_state(const char* name, bool in_plane)
{
    static const char* const of_body[] = {"x", "v", NULL};
    static const char* const of_plane[] = {"x", "y", "angle", "vx", "vy", "spin", NULL};
    const char* const* names = in_plane ? of_plane : of_body;
    while (*names && strcmp(name, *names) != 0) names++;
    return *names != NULL;
}

// "block.y" and "floor.friction" begin with a name of the model where a section of the file is expected.
static ss_status explain_short_form(const set_request* change)
{
    const ss_node* root = change->document->root;
    const char *name = change->steps[0].name, *field = change->steps[1].name;
    char text[384];
    if (ss_node_find(root, name)) return SS_OK;
    const ss_node* body = ss_node_find(ss_node_find(root, "bodies"), name);
    if (body)
        snprintf(text, sizeof text, "'%.60s' has %s; its other numbers are below bodies.%.60s", name,
                 ss_read_is_planar(body) ? "x, y, angle, vx, vy and spin" : "x and v", name);
    else if (ss_node_find(root, "matrices") && name[0] == 'q' && name[1] >= '1' && name[1] <= '9')
        snprintf(text, sizeof text, "'%.60s' has x and v", name);
    else if (ss_node_find(ss_node_find(root, "contacts"), name))
        snprintf(text, sizeof text, "did you mean contacts.%.60s.%.60s?", name, field);
    else
        return SS_OK;
    return refuse(change, text);
}

// "kp" alone is no section of the file, but may be a parameter.
static ss_status explain_parameter(const set_request* change)
{
    const ss_node* root = change->document->root;
    const char* name = change->steps[0].name;
    char text[160];
    if (!name || ss_node_find(root, name) || !ss_node_find(ss_node_find(root, "parameters"), name))
        return SS_OK;
    snprintf(text, sizeof text, "did you mean parameters.%.60s?", name);
    return refuse(change, text);
}

// "sum" is short for "states.sum.start", where it is no section of the file.
static ss_status expand_state(set_request* change)
{
    const ss_node* root = change->document->root;
    const char* name = change->steps[0].name;
    if (!name || ss_node_find(root, name) || !ss_node_find(ss_node_find(root, "states"), name)) return SS_OK;
    ss_status status = add_step(change, "start", strlen("start"), -1);
    if (status == SS_OK) status = add_step(change, "states", strlen("states"), -1);
    if (status != SS_OK) return status;
    path_step start = change->steps[1];
    change->steps[1] = change->steps[0];
    change->steps[0] = change->steps[2];
    change->steps[2] = start;
    return SS_OK;
}

// "block.x" is short for "start.block.x". A section of the file comes first, so that parameters.x is the
// parameter x; a body may still be called like one of the other sections.
static ss_status expand_short_form(set_request* change)
{
    const path_step* steps = change->steps;
    if (change->count == 1) {
        ss_status status = expand_state(change);
        return status == SS_OK && change->count == 1 ? explain_parameter(change) : status;
    }
    if (change->count != 2 || !steps[0].name || !steps[1].name) return SS_OK;
    const ss_node* root = change->document->root;
    bool is_slider = strcmp(steps[0].name, "slider") == 0 && ss_node_find(root, "slider") != NULL;
    const ss_node* body = ss_node_find(ss_node_find(root, "bodies"), steps[0].name);
    bool in_plane = is_slider || (body && ss_read_is_planar(body));
    if (!is_state(steps[1].name, in_plane)) return is_slider ? SS_OK : explain_short_form(change);
    bool is_body = is_slider || body;
    bool is_section = ss_node_find(root, steps[0].name) != NULL;
    if (is_section && (!is_body || strcmp(steps[0].name, "parameters") == 0)) return SS_OK;
    ss_status status = add_step(change, "start", strlen("start"), -1);
    if (status != SS_OK) return status;
    path_step start = change->steps[2];
    change->steps[2] = change->steps[1];
    change->steps[1] = change->steps[0];
    change->steps[0] = start;
    return SS_OK;
}

static bool is_empty(const ss_node* node) { return node->kind == SS_NODE_SCALAR && node->text[0] == '\0'; }

static const char* shown_path(const ss_node* node, char* out, size_t size)
{
    ss_node_path(node, out, size);
    return out[0] ? out : "the file";
}

static ss_status refuse_step(const set_request* change, const ss_node* node, const path_step* step)
{
    char path[128], text[384];
    shown_path(node, path, sizeof path);
    if (node->kind == SS_NODE_SCALAR)
        snprintf(text, sizeof text, "%s is a single value (%.60s), nothing stands below it", path,
                 node->text);
    else if (node->kind == SS_NODE_MAP)
        snprintf(text, sizeof text, "%s is a map; write %s.NAME", path, path);
    else if (step->name)
        snprintf(text, sizeof text, "%s is a list; write %s[%d]", path, path, 0);
    else if (node->count == 0)
        snprintf(text, sizeof text, "%s is empty, there is no [%ld]", path, step->index);
    else
        snprintf(text, sizeof text, "%s has no [%ld]; its last element is [%d]", path, step->index,
                 node->count - 1);
    return refuse(change, text);
}

// Follows the path as far as the document goes: *node is the last that is there, *done the number of steps
// taken.
static ss_status follow(const set_request* change, ss_node** node, int* done)
{
    *node = change->document->root;
    for (*done = 0; *node && *done < change->count; ++*done) {
        const path_step* step = &change->steps[*done];
        if ((*node)->array)
            return refuse(change, "its numbers were read from a file or an array, and cannot be set");
        ss_node* next = NULL;
        if (step->name && is_empty(*node)) return SS_OK; // "start:" with nothing after it becomes a map
        if (step->name && (*node)->kind == SS_NODE_MAP) {
            next = (ss_node*)ss_node_find(*node, step->name);
            if (!next) return SS_OK;
        } else if (!step->name && (*node)->kind == SS_NODE_LIST) {
            next = ss_node_child(*node, step->index);
        }
        if (!next) return refuse_step(change, *node, step);
        *node = next;
    }
    return SS_OK;
}

static ss_status replace(const set_request* change, ss_node* node, ss_node** out)
{
    if (node->kind != SS_NODE_SCALAR) {
        char path[128], text[384];
        shown_path(node, path, sizeof path);
        bool map = node->kind == SS_NODE_MAP;
        snprintf(text, sizeof text, "%s is a %s, not a number; write %s%s", path, map ? "map" : "list", path,
                 map ? ".NAME" : "[0]");
        return refuse(change, text);
    }
    const char* option = ss_pool_text(&change->document->pool, change->option, strlen(change->option));
    const char* value = ss_pool_text(&change->document->pool, change->value, strlen(change->value));
    if (!option || !value) return ss_fail_no_memory(change->err);
    if (!node->option) node->replaced = node->text; // the file's own text, however often it is changed
    node->option = option;
    node->text = value;
    node->turn = ++change->document->change_count;
    *out = node;
    return SS_OK;
}

// Makes the nodes for the steps from `done` on: maps, then the number itself.
static ss_status extend(const set_request* change, ss_node* node, int done, ss_node** out)
{
    ss_document* document = change->document;
    ss_node* made[SS_MAX_LEVELS];
    int missing = change->count - done;
    for (int k = 0; k < missing; k++)
        if (!change->steps[done + k].name) return refuse(change, "a list cannot be made this way");
    if ((node ? node->depth : 0) + missing > SS_MAX_LEVELS) return refuse(change, "nested too deeply");
    const char* option = ss_pool_text(&document->pool, change->option, strlen(change->option));
    if (!option || !ss_document_reserve(document, (size_t)missing)) return ss_fail_no_memory(change->err);
    for (int k = 0; k < missing; k++) {
        bool last = k == missing - 1;
        ss_node_def def = {.kind = last ? SS_NODE_SCALAR : SS_NODE_MAP,
                           .key = change->steps[done + k].name,
                           .text = change->value,
                           .length = strlen(change->value)};
        if (!(made[k] = ss_node_new(document, &def))) return ss_fail_no_memory(change->err);
        made[k]->option = option;
        if (last) made[k]->turn = ++document->change_count;
    }
    if (node && node->kind == SS_NODE_SCALAR) node->kind = SS_NODE_MAP;
    for (int k = 0; k < missing; k++) {
        ss_node_link(node, made[k]);
        node = made[k];
    }
    *out = node;
    return SS_OK;
}

static ss_status make_root(set_request* change)
{
    if (change->document->root) return SS_OK;
    ss_node_def map = {.kind = SS_NODE_MAP};
    return ss_document_add(change->document, NULL, &map, NULL, change->err);
}

ss_status ss_document_set_node(ss_document* document, const char* path, const char* value, const char* option,
                               ss_node** out, ss_error* err)
{
    set_request change = {.document = document, .path = path, .value = value, .err = err};
    change.option = option ? option : path;
    ss_status status = read_path(&change);
    if (status == SS_OK && value[strspn(value, " \t")] == '\0')
        return refuse(&change, "the value is missing");
    if (status == SS_OK) status = make_root(&change);
    if (status == SS_OK) status = expand_short_form(&change);
    if (status != SS_OK) return status;
    ss_node* node = NULL;
    int done = 0;
    status = follow(&change, &node, &done);
    if (status != SS_OK) return status;
    return done == change.count ? replace(&change, node, out) : extend(&change, node, done, out);
}

ss_status ss_document_set(ss_document* document, const char* path, const char* value, const char* option,
                          ss_error* err)
{
    ss_node* node = NULL;
    return ss_document_set_node(document, path, value, option, &node, err);
}

ss_status ss_document_find(ss_document* document, const char* path, const char* option, ss_node** out,
                           ss_error* err)
{
    *out = NULL;
    set_request change = {.document = document, .path = path, .err = err};
    change.option = option ? option : path;
    ss_status status = read_path(&change);
    if (status == SS_OK) status = expand_short_form(&change);
    ss_node* node = NULL;
    int done = 0;
    if (status == SS_OK) status = follow(&change, &node, &done);
    if (status == SS_OK && done == change.count) *out = node;
    return status;
}
