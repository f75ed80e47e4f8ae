// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Documents: nodes linked in the order they were written, all in one pool, with one hash table over the
// keys of all maps, so that a duplicate is found at once however long the map is. Nothing here recurses.
#include "core/error.h"
#include "model/read/node.h"
#include "share/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ss_status ss_document_create(const char* name, ss_document** out, ss_error* err)
{
    *out = NULL;
    ss_document* document = ss_new(1, sizeof *document);
    if (!document) return ss_fail_no_memory(err);
    const char* shown = name ? name : "";
    document->name = ss_pool_text(&document->pool, shown, strlen(shown));
    if (!document->name) {
        ss_document_destroy(document);
        return ss_fail_no_memory(err);
    }
    *out = document;
    return SS_OK;
}

void ss_document_destroy(ss_document* document)
{
    if (!document) return;
    for (ss_node* node = document->held; node; node = node->held) ss_array_release(node->array);
    ss_pool_free(&document->pool);
    free(document->index);
    free(document);
}

// FNV-1a over the key, begun at a value that differs from parent to parent.
static uint64_t hash_key(const ss_node* parent, const char* key)
{
    uint64_t hash = 14695981039346656037u ^ ((uint64_t)(uintptr_t)parent * 0x9e3779b97f4a7c15u);
    for (const char* c = key; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    return hash ^ (hash >> 29);
}

static void put_in_index(ss_document* document, ss_node* node)
{
    ss_node** bucket = &document->index[node->hash & (document->bucket_count - 1)];
    node->chain = *bucket;
    *bucket = node;
}

bool ss_document_reserve(ss_document* document, size_t keys)
{
    size_t wanted = document->keyed_count + keys;
    if (wanted <= document->bucket_count) return true;
    size_t old_count = document->bucket_count;
    size_t count = old_count ? old_count : 64;
    while (count < wanted) count *= 2;
    ss_node** old = document->index;
    ss_node** index = ss_new(count, sizeof *index);
    if (!index) return false;
    document->index = index;
    document->bucket_count = count;
    for (size_t i = 0; i < old_count; i++) {
        for (ss_node *node = old[i], *next; node; node = next) {
            next = node->chain;
            put_in_index(document, node);
        }
    }
    free(old);
    return true;
}

ss_node* ss_node_new(ss_document* document, const ss_node_def* def)
{
    ss_node* node = ss_pool_new(&document->pool, 1, sizeof *node);
    if (!node) return NULL;
    node->document = document;
    node->kind = def->kind;
    node->key_line = def->key_line;
    node->key_column = def->key_column;
    node->line = def->line;
    node->column = def->column;
    node->text_column = def->text_column;
    if (def->key && !(node->key = ss_pool_text(&document->pool, def->key, strlen(def->key)))) return NULL;
    if (def->kind == SS_NODE_SCALAR &&
        !(node->text = ss_pool_text(&document->pool, def->text, def->text ? def->length : 0)))
        return NULL;
    return node;
}

void ss_node_link(ss_node* parent, ss_node* node)
{
    ss_document* document = node->document;
    document->node_count++;
    node->parent = parent;
    node->depth = parent ? parent->depth + 1 : 1;
    if (!parent) {
        document->root = node;
        return;
    }
    node->index = parent->count++;
    *(parent->last ? &parent->last->next : &parent->first) = node;
    parent->last = node;
    if (!node->key) return;
    node->hash = hash_key(parent, node->key);
    put_in_index(document, node);
    document->keyed_count++;
}

// Why a node cannot be added here, or NULL.
static const char* why_not(const ss_document* document, const ss_node* parent, const ss_node_def* def)
{
    if (!parent && document->root) return "the document already has a root";
    if (parent && parent->kind == SS_NODE_SCALAR) return "a number or text cannot hold anything";
    bool in_map = parent && parent->kind == SS_NODE_MAP;
    if (in_map && !def->key) return "an entry of a map needs a key";
    if (!in_map && def->key) return "only entries of maps have keys";
    if (def->kind == SS_NODE_SCALAR && def->text && memchr(def->text, 0, def->length))
        return "a text must not contain a NUL byte";
    if (parent && parent->depth >= SS_MAX_LEVELS) return "nested too deeply; at most 64 levels are read";
    if (document->node_count >= SS_MAX_NODES) return "too large; at most 4 million entries are read";
    return NULL;
}

static ss_status fail_at(const ss_document* document, const ss_node* parent, const ss_node_def* def,
                         const char* text, ss_error* err)
{
    char path[sizeof err->field] = "";
    if (parent) ss_node_path(parent, path, sizeof path);
    ss_fail(err, SS_BAD_INPUT, path, "%s", text);
    if (!err) return SS_BAD_INPUT;
    snprintf(err->origin, sizeof err->origin, "%s", document->name);
    err->line = def->key ? def->key_line : def->line;
    err->column = def->key ? def->key_column : def->column;
    return SS_BAD_INPUT;
}

static ss_status fail_duplicate(const ss_document* document, const ss_node* twin, const ss_node_def* def,
                                ss_error* err)
{
    char text[160];
    int used = snprintf(text, sizeof text, "duplicate key '%.100s'", def->key);
    if (twin->key_line > 0)
        snprintf(text + used, sizeof text - (size_t)used, "; it stands on line %d already", twin->key_line);
    return fail_at(document, twin->parent, def, text, err);
}

ss_status ss_document_add(ss_document* document, ss_node* parent, const ss_node_def* def, ss_node** out,
                          ss_error* err)
{
    if (out) *out = NULL;
    const char* reason = why_not(document, parent, def);
    if (reason) return fail_at(document, parent, def, reason, err);
    const ss_node* twin = def->key ? ss_node_find(parent, def->key) : NULL;
    if (twin) return fail_duplicate(document, twin, def, err);
    if (def->key && !ss_document_reserve(document, 1)) return ss_fail_no_memory(err);
    ss_node* node = ss_node_new(document, def);
    if (!node) return ss_fail_no_memory(err);
    ss_node_link(parent, node);
    if (out) *out = node;
    return SS_OK;
}

void ss_node_take_array(ss_node* node, ss_array* array)
{
    if (!node->array) {
        node->held = node->document->held;
        node->document->held = node;
    }
    ss_array_release(node->array);
    node->array = array;
}

const ss_matrix_def* ss_node_array(const ss_node* node)
{
    return node->array ? ss_array_def(node->array) : NULL;
}

ss_status ss_document_attach(ss_document* document, const ss_node* node, const ss_matrix_def* array,
                             ss_error* err)
{
    char path[128];
    ss_node_path(node, path, sizeof path);
    if (node->document != document || node->kind != SS_NODE_MAP || array->rows < 1 || array->columns < 1 ||
        (!array->row && array->count != (size_t)array->rows * (size_t)array->columns))
        return ss_fail(err, SS_BAD_INPUT, path, "an array needs a map to stand for, rows and columns");
    for (size_t k = 0; k < array->count && array->row; k++)
        if (array->row[k] < 0 || array->row[k] >= array->rows || array->column[k] < 0 ||
            array->column[k] >= array->columns)
            return ss_fail(err, SS_BAD_INPUT, path, "entry (%d, %d) lies outside of an array of %d x %d",
                           array->row[k] + 1, array->column[k] + 1, array->rows, array->columns);
    ss_array* own = ss_array_new(array);
    if (!own) return ss_fail_no_memory(err);
    ss_node_take_array((ss_node*)node, own);
    return SS_OK;
}

const ss_node* ss_node_find(const ss_node* map, const char* key)
{
    if (!map || map->kind != SS_NODE_MAP || map->document->bucket_count == 0) return NULL;
    uint64_t hash = hash_key(map, key);
    const ss_node* node = map->document->index[hash & (map->document->bucket_count - 1)];
    while (node && !(node->hash == hash && node->parent == map && strcmp(node->key, key) == 0))
        node = node->chain;
    return node;
}

const char* ss_node_path(const ss_node* node, char* out, size_t size)
{
    const ss_node* way[SS_MAX_LEVELS];
    int depth = 0;
    for (; node->parent && depth < SS_MAX_LEVELS; node = node->parent) way[depth++] = node;
    size_t used = 0;
    out[0] = '\0';
    while (depth-- > 0 && used < size) {
        const ss_node* step = way[depth];
        int written = step->key ? snprintf(out + used, size - used, "%s%s", used ? "." : "", step->key)
                                : snprintf(out + used, size - used, "[%d]", step->index);
        used += written > 0 ? (size_t)written : 0;
    }
    return out;
}

const char* ss_document_name(const ss_document* document) { return document->name; }
const ss_node* ss_document_root(const ss_document* document) { return document->root; }
ss_node_info ss_node_get(const ss_node* node)
{
    return (ss_node_info){.kind = node->kind,
                          .key = node->key,
                          .text = node->text,
                          .replaced = node->replaced,
                          .option = node->option,
                          .array = ss_node_array(node),
                          .count = node->count,
                          .first = node->first,
                          .next = node->next,
                          .line = node->line,
                          .column = node->column,
                          .text_column = node->text_column,
                          .key_line = node->key_line,
                          .key_column = node->key_column};
}
