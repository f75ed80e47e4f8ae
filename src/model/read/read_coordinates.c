// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Coordinates of matrices: their names, and which of them a reduction keeps.
#include "core/error.h"
#include "model/model_impl.h"
#include "model/read/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number of a coordinate, contact or mode by its name ("q2", "c1", "mode3"), -1 if it is none.
static int number_of(const char* name, const char* word, int count)
{
    size_t length = strlen(word);
    if (strncmp(name, word, length) != 0 || name[length] < '1' || name[length] > '9') return -1;
    long number = 0;
    for (const char* c = name + length; *c; c++) {
        if (*c < '0' || *c > '9') return -1;
        number = 10 * number + (*c - '0');
        if (number > count) return -1;
    }
    return (int)number - 1;
}

static int find_named(const ss_reader* r, const char* name)
{
    int word = r->names.count > 0 ? ss_words_find(&r->names, name, strlen(name)) : -1;
    return word >= 0 ? r->named[word] : -1;
}

// One name: that of coordinate i, which must be new.
static ss_status keep_name(ss_reader* r, const ss_node* node, const char* name, int i, const char* names[])
{
    ss_status status = ss_read_body_name(r, node);
    if (status != SS_OK) return status;
    if (names[i]) return ss_read_fail(r, node, "coordinate %d has the name '%.60s' already", i + 1, names[i]);
    int number = number_of(name, "q", r->numbered), other = find_named(r, name);
    if (other < 0 && number >= 0 && number != i) other = number;
    if (other >= 0) return ss_read_fail(r, node, "'%.60s' is the name of coordinate %d", name, other + 1);
    if (number_of(name, "mode", r->matrices.modes) >= 0)
        return ss_read_fail(r, node, "'%.60s' is the name of a mode", name);
    r->named[r->names.count] = i;
    ss_words_add(&r->names, name);
    names[i] = name;
    return SS_OK;
}

static ss_status read_name_of(ss_reader* r, const ss_node* node, const char* names[])
{
    double number = 0.0;
    ss_status status = ss_read_number(r, node, ss_plain, &number);
    if (status != SS_OK) return status;
    if (!(number >= 1.0 && number <= r->numbered && number == floor(number)))
        return ss_read_fail(r, node, "expected the number of a coordinate, 1 to %d, not %g", r->numbered,
                            number);
    return keep_name(r, node, node->key, (int)number - 1, names);
}

static ss_status read_listed_name(ss_reader* r, const ss_node* node, const char* names[])
{
    if (node->kind != SS_NODE_SCALAR) return ss_read_fail(r, node, "expected a name");
    return keep_name(r, node, node->text, node->index, names);
}

// names: {tip: 57, root: 3}, or a list of all.
static ss_status read_names(ss_reader* r, const ss_node* given)
{
    if (!given || ss_read_is_empty(given)) return SS_OK;
    bool list = given->kind == SS_NODE_LIST;
    if (given->kind == SS_NODE_SCALAR)
        return ss_read_fail(r, given, "expected {tip: 57, root: 3}, or a list with the names of all");
    if (list && given->count != r->numbered)
        return ss_read_fail(r, given, "expected %d names, one per coordinate, found %d", r->numbered,
                            given->count);
    const char** names = ss_pool_new(&r->pool, (size_t)r->numbered, sizeof *names);
    r->named = ss_pool_new(&r->pool, (size_t)given->count, sizeof *r->named);
    if (!ss_words_make(&r->names, &r->pool, given->count) || r->pool.failed)
        return ss_fail_no_memory(&r->error);
    ss_status status = SS_OK;
    for (const ss_node* node = given->first; node && status == SS_OK; node = node->next)
        status = list ? read_listed_name(r, node, names) : read_name_of(r, node, names);
    r->names_node = given;
    r->matrices.names = names;
    return status;
}

int ss_read_find_coordinate(const ss_reader* r, const char* name)
{
    const char* const* names = r->matrices.names;
    int i = find_named(r, name);
    if (i >= 0) return i;
    i = number_of(name, "mode", r->matrices.modes);
    if (i >= 0) return r->numbered + i;
    i = number_of(name, "q", r->numbered);
    return i >= 0 && names && names[i] ? -1 : i; // it is called by its name
}

bool ss_read_is_column(const ss_reader* r, const char* name)
{
    return number_of(name, "c", r->matrices.W.columns) >= 0;
}

const char* ss_read_coordinates_text(const ss_reader* r, const char* name, char* out, size_t size)
{
    int n = r->numbered, number = n > 0 ? number_of(name, "q", n) : -1;
    if (number >= 0)
        snprintf(out, size, "; coordinate %d has the name '%.60s'", number + 1, r->matrices.names[number]);
    else if (n == 1)
        snprintf(out, size, "; expected %s", r->names_node ? r->matrices.names[0] : "q1");
    else if (n > 1 && !r->names_node)
        snprintf(out, size, "; expected q1 %s q%d", n == 2 ? "or" : "to", n);
    else
        out[0] = '\0';
    return out;
}

// ---- reduce: {keep: [tip, root], modes: 20}

static int compare(const void* a, const void* b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static ss_status read_kept(ss_reader* r, const ss_node* list)
{
    if (list->kind != SS_NODE_LIST && !ss_read_is_empty(list))
        return ss_read_fail(r, list, "expected a list of coordinates such as [tip, root]");
    int* keep = ss_pool_new(&r->pool, (size_t)list->count, sizeof *keep);
    if (!keep) return ss_fail_no_memory(&r->error);
    for (const ss_node* node = list->first; node; node = node->next) {
        char hint[128];
        int i = node->kind == SS_NODE_SCALAR ? ss_read_find_coordinate(r, node->text) : -1;
        if (i < 0 || i >= r->numbered)
            return ss_read_fail(r, node, "expected the name of a coordinate%s",
                                node->kind == SS_NODE_SCALAR
                                    ? ss_read_coordinates_text(r, node->text, hint, sizeof hint)
                                    : "");
        keep[node->index] = i;
    }
    qsort(keep, (size_t)list->count, sizeof *keep, compare);
    for (int k = 1; k < list->count; k++)
        if (keep[k] == keep[k - 1])
            return ss_read_fail(r, list, "coordinate %d stands here twice", keep[k] + 1);
    r->matrices.keep = keep;
    r->matrices.keep_count = list->count;
    return SS_OK;
}

static ss_status read_mode_count(ss_reader* r, const ss_node* reduce)
{
    double modes = 0.0;
    const ss_node *node = ss_node_find(reduce, "modes"), *keep = ss_node_find(reduce, "keep");
    int most = r->numbered - (keep && keep->kind == SS_NODE_LIST ? keep->count : 0);
    ss_status status = ss_read_required(r, reduce, "modes", ss_plain, &modes);
    if (status != SS_OK) return status;
    if (!(modes >= 0.0 && modes <= most && modes == floor(modes)))
        return ss_read_fail_range(r, node,
                                  "expected a whole number from 0 to %d, as many as coordinates are "
                                  "not kept, not %g",
                                  most, modes);
    r->matrices.modes = (int)modes;
    return SS_OK;
}

static ss_status begin_reduction(ss_reader* r, const ss_node* reduce, const ss_node* T)
{
    static const char* const keys[] = {"keep", "modes", NULL};
    if (!reduce) return SS_OK;
    ss_status status = ss_read_expect(r, reduce, SS_NODE_MAP, "{keep: [tip, root], modes: 20}");
    if (status == SS_OK) status = ss_read_keys(r, reduce, keys);
    if (status != SS_OK) return status;
    if (T) return ss_read_fail_key(r, reduce, "T is a reduction already; expected only one of the two");
    if (!ss_node_find(reduce, "keep"))
        return ss_read_fail_missing(r, reduce, "keep",
                                    "is missing; expected the coordinates that contacts and "
                                    "forces act on, such as [tip, root]");
    return read_mode_count(r, reduce);
}

ss_status ss_read_coordinates(ss_reader* r, const ss_node* matrices)
{
    const ss_node* reduce = ss_node_find(matrices, "reduce");
    r->numbered = ss_matrices_coordinates(&r->matrices);
    ss_status status = begin_reduction(r, reduce, ss_node_find(matrices, "T"));
    if (status == SS_OK) status = read_names(r, ss_node_find(matrices, "names"));
    if (status == SS_OK && reduce) status = read_kept(r, ss_node_find(reduce, "keep"));
    r->coordinates = ss_matrices_coordinates(&r->matrices);
    return status;
}

bool ss_read_follows(const ss_reader* r, int coordinate)
{
    const int* keep = r->matrices.keep;
    if (!keep || coordinate >= r->numbered) return false;
    return !bsearch(&coordinate, keep, (size_t)r->matrices.keep_count, sizeof *keep, compare);
}
