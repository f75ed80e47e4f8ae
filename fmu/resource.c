// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // strdup

#include "resource.h"

#include "buffer.h"
#include "share/node.h"
#include "share/number.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, FIELDS = 10 };

static const char heading[] = "slipstick-fmu 1";

// ---- writing

// What is applied to a slider can be set, also where its file is silent about it: the missing nodes.
static void write_applied(fmu_buffer* out, const ss_node* applied)
{
    if (!applied) fmu_put(out, "node\t2\tM\t0\t0\t0\t0\t0\tapplied\t\n");
    if (!applied || !ss_node_find(applied, "force"))
        fmu_put(out, "node\t3\tL\t0\t0\t0\t0\t0\tforce\t\nnode\t4\tS\t0\t0\t0\t0\t0\t\t0 N\n"
                     "node\t4\tS\t0\t0\t0\t0\t0\t\t0 N\n");
    if (!applied || !ss_node_find(applied, "moment"))
        fmu_put(out, "node\t3\tS\t0\t0\t0\t0\t0\tmoment\t0 N*m\n");
}

// An array by its entries: it stands for the node before it.
static void write_array(fmu_buffer* out, const ss_matrix_def* array)
{
    if (!array) return;
    fmu_print(out, "array\t%d\t%d\t%zu\n", array->rows, array->columns, array->count);
    for (size_t k = 0; k < array->count; k++) {
        size_t columns = (size_t)array->columns;
        int row = array->row ? array->row[k] : (int)(k / columns);
        int column = array->row ? array->column[k] : (int)(k % columns);
        fmu_print(out, "entry\t%d\t%d\t%.17g\n", row, column, array->value[k]);
    }
}

static void write_node(fmu_buffer* out, const ss_node* node, int depth)
{
    static const char kinds[] = {[SS_NODE_SCALAR] = 'S', [SS_NODE_LIST] = 'L', [SS_NODE_MAP] = 'M'};
    const char *key = ss_node_key(node), *text = ss_node_text(node);
    fmu_print(out, "node\t%d\t%c\t%d\t%d\t%d\t%d\t%d\t", depth, kinds[ss_node_get_kind(node)],
              ss_node_line(node), ss_node_column(node), ss_node_text_column(node), ss_node_key_line(node),
              ss_node_key_column(node));
    fmu_put_escaped(out, key ? key : "");
    fmu_put(out, "\t");
    fmu_put_escaped(out, text ? text : "");
    fmu_put(out, "\n");
    if (ss_node_get_kind(node) == SS_NODE_SCALAR) return;
    write_array(out, ss_node_get(node).array);
    for (const ss_node* child = ss_node_first(node); child; child = ss_node_next(child))
        write_node(out, child, depth + 1);
    bool slider = depth == 1 && key && strcmp(key, "slider") == 0 && ss_node_get_kind(node) == SS_NODE_MAP;
    bool applied = depth == 2 && key && strcmp(key, "applied") == 0 && ss_node_get_kind(node) == SS_NODE_MAP;
    if (slider && !ss_node_find(node, "applied")) write_applied(out, NULL);
    if (applied) write_applied(out, node);
}

// Two hashes of 64 bits [FNV-1a], from different starts.
static void make_token(const char* text, char out[FMU_TOKEN])
{
    uint64_t hash[2] = {14695981039346656037u, 11400714819323198485u};
    for (const char* c = text; *c; c++)
        for (int k = 0; k < 2; k++) hash[k] = (hash[k] ^ (unsigned char)*c) * 1099511628211u;
    snprintf(out, FMU_TOKEN, "{%016" PRIx64 "%016" PRIx64 "}", hash[0], hash[1]);
}

static const char* last_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void write_set(fmu_buffer* out, const char* text)
{
    const char* equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    char* path = strndup(text, length);
    if (!path) out->failed = true;
    fmu_put(out, "set\t");
    fmu_put_escaped(out, path ? path : "");
    fmu_put(out, "\t");
    fmu_put_escaped(out, equals ? equals + 1 : "");
    fmu_put(out, "\n");
    free(path);
}

char* fmu_resource_write(const fmu_resource_def* def)
{
    fmu_buffer body = {0}, all = {0};
    char token[FMU_TOKEN] = "";
    fmu_put(&body, "name\t");
    fmu_put_escaped(&body, last_name(ss_document_name(def->document)));
    fmu_put(&body, "\n");
    for (int k = 0; k < def->path_count; k++) {
        fmu_print(&body, "parameter\t%s\t", def->tunable[k] ? "tunable" : "fixed");
        fmu_put_escaped(&body, def->paths[k]);
        fmu_put(&body, "\n");
    }
    for (int k = 0; k < def->set_count; k++) write_set(&body, def->sets[k]);
    if (def->tolerance > 0.0) fmu_print(&body, "tolerance\t%.17g\n", def->tolerance);
    for (int k = 0; k < def->size_count; k++) fmu_print(&body, "size\t%.3g\n", def->sizes[k]);
    write_node(&body, ss_document_root(def->document), 0);
    if (!body.failed) make_token(body.text, token);
    fmu_print(&all, "%s\ntoken\t%s\n", heading, token);
    fmu_put(&all, body.failed ? "" : body.text);
    if (body.failed || all.failed) fmu_buffer_free(&all);
    fmu_buffer_free(&body);
    return all.text;
}

// ---- reading

// An array that is being read.
typedef struct array {
    int rows, columns;
    size_t count, wanted;
    int *row, *column;
    double* value;
} array;

typedef struct reader {
    fmu_resource* out;
    ss_node* way[DEEPEST + 1]; // the last node of each depth
    ss_node* newest;           // the last node of all
    array array;
    const char* text; // all of it
    int line;
    bool begun; // the document has nodes
} reader;

static ss_status fail(const reader* r, const char* text, ss_error* err)
{
    return ss_fail(err, SS_BAD_INPUT, NULL, "line %d of the model in resources/: %s", r->line, text);
}

static void unescape(char* text)
{
    char* out = text;
    for (const char* c = text; *c; c++) {
        if (*c != '\\' || !c[1]) {
            *out++ = *c;
            continue;
        }
        c++;
        *out++ = *c == 't' ? '\t' : *c == 'n' ? '\n' : *c == 'r' ? '\r' : *c;
    }
    *out = '\0';
}

// Cuts a line at its tabs; returns how many fields there are.
static int split(char* line, char* fields[FIELDS])
{
    int count = 0;
    for (char* at = line; at && count < FIELDS;) {
        char* tab = strchr(at, '\t');
        if (tab) *tab = '\0';
        fields[count++] = at;
        at = tab ? tab + 1 : NULL;
    }
    for (int k = 0; k < count; k++) unescape(fields[k]);
    return count;
}

static ss_status read_node(reader* r, char* fields[FIELDS], int count, ss_error* err)
{
    if (count != FIELDS || !fields[2][0]) return fail(r, "a node has ten fields", err);
    int depth = atoi(fields[1]);
    if (depth < 0 || depth > DEEPEST || (depth > 0 && !r->way[depth - 1]))
        return fail(r, "a node stands too deep", err);
    ss_node* parent = depth > 0 ? r->way[depth - 1] : NULL;
    bool in_map = parent && ss_node_get_kind(parent) == SS_NODE_MAP;
    char kind = fields[2][0];
    ss_node_def def = {.kind = kind == 'M'   ? SS_NODE_MAP
                               : kind == 'L' ? SS_NODE_LIST
                                             : SS_NODE_SCALAR,
                       .key = in_map ? fields[8] : NULL,
                       .key_line = atoi(fields[6]),
                       .key_column = atoi(fields[7]),
                       .text = fields[9],
                       .length = strlen(fields[9]),
                       .line = atoi(fields[3]),
                       .column = atoi(fields[4]),
                       .text_column = atoi(fields[5])};
    for (int k = depth; k <= DEEPEST; k++) r->way[k] = NULL;
    r->begun = true;
    ss_status status = ss_document_add(r->out->document, parent, &def, &r->way[depth], err);
    r->newest = r->way[depth];
    return status;
}

static void free_array(array* a)
{
    free(a->row);
    free(a->column);
    free(a->value);
    *a = (array){0};
}

// All entries are there: the array stands for the last node.
static ss_status end_array(reader* r, ss_error* err)
{
    array* a = &r->array;
    ss_matrix_def def = {a->rows, a->columns, a->count, a->row, a->column, a->value};
    ss_status status = ss_document_attach(r->out->document, r->newest, &def, err);
    free_array(a);
    return status;
}

static ss_status read_array(reader* r, char* fields[FIELDS], int count, ss_error* err)
{
    array* a = &r->array;
    if (count != 4 || !r->newest || a->value) return fail(r, "an array has rows, columns and a count", err);
    a->rows = atoi(fields[1]);
    a->columns = atoi(fields[2]);
    a->wanted = strtoul(fields[3], NULL, 10);
    size_t most = strlen(r->text) / strlen("entry\t0\t0\t0\n"); // no more than the text can hold
    if (a->wanted > most) return fail(r, "an array is not whole", err);
    a->row = calloc(a->wanted + 1, sizeof *a->row);
    a->column = calloc(a->wanted + 1, sizeof *a->column);
    a->value = calloc(a->wanted + 1, sizeof *a->value);
    if (!a->row || !a->column || !a->value) return ss_fail_no_memory(err);
    return a->wanted == 0 ? end_array(r, err) : SS_OK;
}

static ss_status read_entry(reader* r, char* fields[FIELDS], int count, ss_error* err)
{
    array* a = &r->array;
    if (count != 4 || !a->value || !ss_number_read(fields[3], &a->value[a->count]))
        return fail(r, "an entry has a row, a column and a number", err);
    a->row[a->count] = atoi(fields[1]);
    a->column[a->count++] = atoi(fields[2]);
    return a->count == a->wanted ? end_array(r, err) : SS_OK;
}

static ss_status read_parameter(reader* r, char* fields[FIELDS], int count, ss_error* err)
{
    fmu_resource* out = r->out;
    if (count != 3) return fail(r, "a parameter has a kind and a path", err);
    fmu_parameter* more =
        realloc(out->parameters, ((size_t)out->parameter_count + 1) * sizeof *out->parameters);
    if (!more) return ss_fail_no_memory(err);
    out->parameters = more;
    more[out->parameter_count] =
        (fmu_parameter){.path = strdup(fields[2]), .tunable = strcmp(fields[1], "tunable") == 0};
    if (!more[out->parameter_count].path) return ss_fail_no_memory(err);
    out->parameter_count++;
    return SS_OK;
}

// A number that is positive and finite; 0: there is none.
static double positive(char* fields[FIELDS], int count)
{
    double number;
    return count == 2 && ss_number_read(fields[1], &number) && number > 0.0 ? number : 0.0;
}

static ss_status read_tolerance(reader* r, char* fields[FIELDS], int count, ss_error* err)
{
    r->out->tolerance = positive(fields, count);
    return r->out->tolerance > 0.0 && r->out->tolerance <= SS_MAX_TOLERANCE
               ? SS_OK
               : fail(r, "a tolerance is a small positive number", err);
}

static ss_status read_size(reader* r, char* fields[FIELDS], int count, ss_error* err)
{
    fmu_resource* out = r->out;
    double size = positive(fields, count);
    if (size == 0.0) return fail(r, "a size is a positive number", err);
    double* more = realloc(out->sizes, ((size_t)out->size_count + 1) * sizeof *more);
    if (!more) return ss_fail_no_memory(err);
    out->sizes = more;
    more[out->size_count++] = size;
    return SS_OK;
}

// Changes of --set are carried out when the document is whole: the first pass skips them, the second one
// takes nothing else.
static ss_status read_line(reader* r, char* line, bool sets, ss_error* err)
{
    char* fields[FIELDS];
    int count = split(line, fields);
    fmu_resource* out = r->out;
    if (strcmp(fields[0], "set") == 0) {
        if (!sets) return SS_OK;
        if (count != 3) return fail(r, "a change has a path and a value", err);
        char option[512];
        snprintf(option, sizeof option, "--set %s=%s", fields[1], fields[2]);
        return ss_document_set(out->document, fields[1], fields[2], option, err);
    }
    if (sets) return SS_OK;
    if (r->line == 1) return strcmp(line, heading) == 0 ? SS_OK : fail(r, "another format", err);
    if (strcmp(fields[0], "token") == 0 && count == 2) {
        snprintf(out->token, sizeof out->token, "%s", fields[1]);
        return SS_OK;
    }
    if (strcmp(fields[0], "name") == 0 && count == 2 && !out->document)
        return ss_document_create(fields[1], &out->document, err);
    if (strcmp(fields[0], "parameter") == 0) return read_parameter(r, fields, count, err);
    if (strcmp(fields[0], "tolerance") == 0) return read_tolerance(r, fields, count, err);
    if (strcmp(fields[0], "size") == 0) return read_size(r, fields, count, err);
    if (strcmp(fields[0], "entry") == 0) return read_entry(r, fields, count, err);
    if (r->array.value) return fail(r, "an array is not whole", err);
    if (strcmp(fields[0], "node") == 0 && out->document) return read_node(r, fields, count, err);
    if (strcmp(fields[0], "array") == 0 && out->document) return read_array(r, fields, count, err);
    return fail(r, "nothing that is known", err);
}

static ss_status read_lines(reader* r, const char* text, bool sets, ss_error* err)
{
    ss_status status = SS_OK;
    r->line = 0;
    for (const char* at = text; *at && status == SS_OK;) {
        size_t length = strcspn(at, "\n");
        char* line = strndup(at, length);
        if (!line) return ss_fail_no_memory(err);
        r->line++;
        status = read_line(r, line, sets, err);
        free(line);
        at += length + (at[length] == '\n');
    }
    return status;
}

ss_status fmu_resource_read(const char* text, fmu_resource* out, ss_error* err)
{
    reader r = {.out = out, .text = text};
    *out = (fmu_resource){.tolerance = ss_sim_def_default().tolerance};
    ss_status status = read_lines(&r, text, false, err);
    if (status == SS_OK && (!r.begun || !out->token[0])) status = fail(&r, "the model is not whole", err);
    if (status == SS_OK && r.array.value) status = fail(&r, "an array is not whole", err);
    free_array(&r.array);
    if (status == SS_OK) status = read_lines(&r, text, true, err);
    for (int k = 0; k < out->parameter_count && status == SS_OK; k++) {
        fmu_parameter* p = &out->parameters[k];
        status = fmu_find_number(out->document, p->path, &p->value, &p->dimension, &p->has_unit, err);
    }
    if (status != SS_OK) fmu_resource_free(out);
    return status;
}

void fmu_resource_free(fmu_resource* resource)
{
    for (int k = 0; k < resource->parameter_count; k++) free(resource->parameters[k].path);
    free(resource->parameters);
    free(resource->sizes);
    ss_document_destroy(resource->document);
    *resource = (fmu_resource){0};
}
