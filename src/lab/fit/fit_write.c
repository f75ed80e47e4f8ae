// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The model file with the numbers found: its text with a few places changed, so that comments and layout
// stay. What was written is read back before it counts.
#include "core/error.h"
#include "core/grow.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "lab/file/output_file.h"
#include "lab/fit/fit_impl.h"
#include "share/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A place of the text where `length` bytes give way to others.
typedef struct edit {
    size_t at, length;
    char* text;
} edit;

typedef struct rewrite {
    const ss_fit* fit;
    const char* text;
    ss_pool pool;
    edit* edits;
    int count;
    size_t room;
    bool failed; // some place was not found, or no memory
} rewrite;

// ---- places

// Columns count characters, not bytes.
static bool find_place(const rewrite* w, int line, int column, size_t* at)
{
    const char* c = w->text;
    if (line < 1 || column < 1) return false;
    for (int k = 1; k < line; k++) {
        c = strchr(c, '\n');
        if (!c) return false;
        c++;
    }
    if (line == 1 && strncmp(c, "\xef\xbb\xbf", 3) == 0) c += 3;
    for (int k = 1; k < column; k++) {
        if (*c == '\0' || *c == '\n') return false;
        c++;
        while ((*c & 0xc0) == 0x80) c++;
    }
    *at = (size_t)(c - w->text);
    return true;
}

static void add_edit(rewrite* w, size_t at, size_t length, const char* text)
{
    char* copy = ss_pool_text(&w->pool, text, strlen(text));
    if (copy && ss_grow(&w->edits, (size_t)w->count, &w->room, sizeof(edit)))
        w->edits[w->count++] = (edit){at, length, copy};
    else
        w->failed = true;
}

// ---- texts

// "12 mm": what one of its units is in SI, and where the unit begins. False for anything but a number and
// unit.
static bool unit_of(const char* text, double* factor, const char** unit)
{
    char one[96];
    ss_dimension dimension;
    bool has_unit;
    const ss_scope nothing = {0};
    size_t length = ss_number_length(text);
    if (length == 0) return false;
    *unit = text + length + strspn(text + length, " ");
    if (**unit == '\0' || strlen(*unit) > 80) return false;
    snprintf(one, sizeof one, "1 %s", *unit);
    return ss_quantity_parse_any(one, &nothing, factor, &dimension, &has_unit, NULL) == SS_OK && has_unit &&
           *factor > 0.0;
}

static const ss_fit_binding* binding_of(const ss_fit* fit, const ss_node* node)
{
    for (int j = 0; j < fit->problem->n; j++)
        if (fit->problem->free[j].node == node) return &fit->problem->free[j];
    return NULL;
}

// Whether a fresh text belongs into the file: numbers of single recordings do not.
static bool is_changed(const ss_fit* fit, const ss_node* node)
{
    const ss_fit_binding* binding = binding_of(fit, node);
    if (binding) return binding->recording < 0;
    return node->option && strncmp(node->option, "--each", 6) != 0;
}

// The unit of an elastic stop's stiffness depends on the exponent: with a new one, only the plain number is
// right.
static bool loses_unit(const ss_node* node)
{
    if (!node->key || strcmp(node->key, "stiffness") != 0 || !node->parent) return false;
    const ss_node* exponent = ss_node_find(node->parent, "exponent");
    return exponent && exponent->option;
}

static double value_of(const rewrite* w, const ss_node* node, ss_fit_number* number)
{
    char path[256];
    ss_node_path(node, path, sizeof path);
    ss_fit_read_number(w->fit->problem->document, path, number, NULL);
    return number->found ? number->value : NAN;
}

// A plain number in the unit that the file had; anything else as it was typed.
static void new_text(const rewrite* w, const ss_node* node, char* out, size_t size)
{
    double factor, value;
    const char* unit;
    char text[SS_NUMBER_SIZE];
    ss_fit_number number;
    bool plain = node->text[ss_number_length(node->text)] == '\0', stripped = loses_unit(node);
    if ((!plain && !stripped) || isnan(value = value_of(w, node, &number)))
        snprintf(out, size, "%s", node->text);
    else if (!stripped && node->replaced && unit_of(node->replaced, &factor, &unit))
        snprintf(out, size, "%s %s", ss_number_format(value / factor, 10, text, sizeof text), unit);
    else if (!stripped && number.has_unit) {
        char name[40];
        ss_dimension_format(number.dimension, name, sizeof name);
        snprintf(out, size, "%s%s%s", ss_number_format(value, 10, text, sizeof text),
                 strcmp(name, "1") == 0 ? "" : " ", strcmp(name, "1") == 0 ? "" : name);
    } else
        ss_number_format(value, 10, out, size);
}

// ---- edits

static void replace_number(rewrite* w, const ss_node* node)
{
    size_t at = 0;
    const char* before = node->replaced ? node->replaced : node->text;
    size_t length = strlen(before);
    char text[512], quoted[520];
    new_text(w, node, text, sizeof text);
    if (node->text_column == 0 || !find_place(w, node->line, node->text_column, &at) ||
        strncmp(w->text + at, before, length) != 0) {
        w->failed = true;
        return;
    }
    bool in_quotes = node->text_column != node->column;
    bool special = strpbrk(text, ",[]{}#&!|>%@`") || strstr(text, ": ");
    snprintf(quoted, sizeof quoted, special && !in_quotes ? "\"%s\"" : "%s", text);
    add_edit(w, at, length, quoted);
}

// "key: value" or "key: {a: 1, b: 2}" for a node that the file does not have.
static void write_new(const rewrite* w, const ss_node* node, char* out, size_t size)
{
    char value[512] = "{";
    if (node->kind == SS_NODE_SCALAR) new_text(w, node, value, sizeof value);
    for (const ss_node* child = node->first; child; child = child->next) {
        char inner[256];
        write_new(w, child, inner, sizeof inner);
        size_t used = strlen(value);
        snprintf(value + used, sizeof value - used, "%s%s%s", child == node->first ? "" : ", ", inner,
                 child->next ? "" : "}");
    }
    snprintf(out, size, "%.200s: %s", node->key, value);
}

static const ss_node* first_old(const ss_node* map)
{
    const ss_node* child = map->first;
    while (child && child->key_line == 0) child = child->next;
    return child;
}

static bool holds_change(const ss_fit* fit, const ss_node* node)
{
    if (node->kind == SS_NODE_SCALAR) return is_changed(fit, node);
    for (const ss_node* child = node->first; child; child = child->next)
        if (holds_change(fit, child)) return true;
    return false;
}

static bool is_new(const ss_node* node) { return node->option && node->line == 0; }

// All new entries of a map, one after the other with `between` between them. False where there are none.
static bool write_entries(const rewrite* w, const ss_node* map, const char* between, char* out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (const ss_node* child = map->first; child && used < size; child = child->next) {
        char text[1024];
        if (!is_new(child) || !holds_change(w->fit, child)) continue;
        write_new(w, child, text, sizeof text);
        used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? between : "", text);
    }
    return used > 0;
}

// New entries come first in their map: after "{", or on lines of their own before the first entry there is.
static void insert_entries(rewrite* w, const ss_node* map)
{
    char text[8192], line[8192 + 200], between[200];
    size_t at = 0;
    const ss_node* old = first_old(map);
    bool in_flow = find_place(w, map->line, map->column, &at) && w->text[at] == '{';
    snprintf(between, sizeof between, in_flow || !old ? ", " : "\n%*s", old ? old->key_column - 1 : 0, "");
    if (!write_entries(w, map, between, text, sizeof text)) return;
    if (in_flow) {
        snprintf(line, sizeof line, "%s%s", text, old ? ", " : "");
        add_edit(w, at + 1, 0, line);
    } else if (old && find_place(w, old->key_line, old->key_column, &at)) {
        snprintf(line, sizeof line, "%s%s", text, between);
        add_edit(w, at, 0, line);
    } else if (!old && map->key && find_place(w, map->key_line, map->key_column, &at) &&
               w->text[at + strlen(map->key)] == ':') { // "start:" with nothing after it
        snprintf(line, sizeof line, " {%s}", text);
        add_edit(w, at + strlen(map->key) + 1, 0, line);
    } else {
        w->failed = true;
    }
}

static void visit(rewrite* w, const ss_node* node)
{
    insert_entries(w, node);
    for (const ss_node* child = node->first; child; child = child->next) {
        if (is_new(child)) continue;
        if (child->kind == SS_NODE_SCALAR && (is_changed(w->fit, child) || loses_unit(child)))
            replace_number(w, child);
        visit(w, child);
    }
}

// ---- the text

static void write_summary(rewrite* w)
{
    const ss_fit* fit = w->fit;
    char text[4096], value[SS_NUMBER_SIZE], error[SS_NUMBER_SIZE];
    size_t used = (size_t)snprintf(text, sizeof text, "# Fitted by slipstick %s, SI units:\n", ss_version());
    for (int j = 0; j < fit->problem->n && used < sizeof text - 400; j++) {
        const ss_fit_parameter* q = &fit->parameters[j];
        ss_number_format(q->value, 10, value, sizeof value);
        ss_number_format(q->standard_error, 2, error, sizeof error);
        used += (size_t)snprintf(text + used, sizeof text - used, "#   %.200s = %s +- %s\n", q->name, value,
                                 error);
    }
    if (!isnan(fit->rms))
        snprintf(text + used, sizeof text - used, "#   rms of residuals %s\n",
                 ss_number_format(fit->rms, 4, value, sizeof value));
    add_edit(w, strncmp(w->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, 0, text);
}

static int by_place(const void* a, const void* b)
{
    const edit *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : 0;
}

static char* apply(rewrite* w)
{
    size_t size = strlen(w->text) + 1;
    for (int k = 0; k < w->count; k++) size += strlen(w->edits[k].text);
    char* out = malloc(size);
    if (!out) return NULL;
    qsort(w->edits, (size_t)w->count, sizeof *w->edits, by_place);
    size_t from = 0, used = 0;
    for (int k = 0; k < w->count; k++) {
        const edit* e = &w->edits[k];
        if (e->at < from) continue; // two numbers share one place (an alias): reading back will tell
        memcpy(out + used, w->text + from, e->at - from);
        used += e->at - from;
        memcpy(out + used, e->text, strlen(e->text));
        used += strlen(e->text);
        from = e->at + e->length;
    }
    memcpy(out + used, w->text + from, strlen(w->text + from) + 1);
    return out;
}

// A number of the new text, and what it should be. One that belongs to single recordings stays as it was.
static bool same_number(const ss_fit* fit, ss_document* document, const ss_node* node, const char* path)
{
    ss_fit_number is, should;
    ss_node* old = NULL;
    if (ss_document_find(fit->problem->document, path, NULL, &old, NULL) != SS_OK || !old) return false;
    if (old->kind != SS_NODE_SCALAR || strcmp(old->text, node->text) == 0) return old->kind == SS_NODE_SCALAR;
    if (old->option && !is_changed(fit, old)) return true;
    ss_fit_read_number(document, path, &is, NULL);
    ss_fit_read_number(fit->problem->document, path, &should, NULL);
    return is.found && should.found && fabs(is.value - should.value) <= SS_SAME * fabs(should.value);
}

// Every number, for an alias may have brought a change to places where nothing should change.
static ss_status check_numbers(const ss_fit* fit, ss_document* document, const ss_node* node, ss_error* err)
{
    char path[256];
    ss_status status = SS_OK;
    if (ss_node_array(node)) return SS_OK; // its numbers stand in a file, which stays as it is
    if (node->kind == SS_NODE_SCALAR &&
        !same_number(fit, document, node, ss_node_path(node, path, sizeof path)))
        return ss_fail(err, SS_BAD_INPUT, path,
                       "would change as well: it shares its place with another number");
    for (const ss_node* child = node->first; child && status == SS_OK; child = child->next)
        status = check_numbers(fit, document, child, err); // no deeper than SS_MAX_LEVELS
    return status;
}

// Whether the text, at this path, means the model that was fitted: files that it names are sought beside it.
static ss_status check_text(const ss_fit* fit, const char* text, const char* path, ss_error* err)
{
    ss_document* document = NULL;
    ss_model* model = NULL;
    ss_status status = ss_document_parse_yaml(path, text, strlen(text), &document, err);
    if (status == SS_OK) status = ss_model_create_from_document(document, &model, err);
    if (status == SS_OK) status = check_numbers(fit, document, ss_document_root(document), err);
    ss_model_destroy(model);
    ss_document_destroy(document);
    return status;
}

// ---- the file

// Numbers as they were found, whatever motion was computed last.
static void assign_best(ss_fit* fit)
{
    for (int j = 0; j < fit->problem->n; j++) {
        ss_fit_binding* binding = &fit->problem->free[j];
        if (!binding->node) continue;
        ss_number_format(fit->x[j], 17, binding->text, sizeof binding->text);
        binding->node->text = binding->text;
    }
}

ss_status ss_fit_write_model(ss_fit* fit, const char* model_text, const char* path, ss_error* err)
{
    rewrite w = {.fit = fit, .text = model_text};
    assign_best(fit);
    ss_fit_put_inputs(fit->problem, fit->problem->def.recording_count); // the file keeps what it has
    write_summary(&w);
    if (fit->problem->document->root) visit(&w, fit->problem->document->root);
    char* text = w.failed ? NULL : apply(&w);
    ss_status status = SS_OK;
    if (w.failed)
        status = ss_fail(err, SS_BAD_INPUT, NULL, "the numbers cannot be written into this file's text");
    else if (!text)
        status = ss_fail_no_memory(err);
    if (status == SS_OK) status = check_text(fit, text, path, err);
    if (status == SS_OK) status = ss_file_write(path, text, strlen(text), err);
    if (status != SS_OK && err && !err->origin[0]) snprintf(err->origin, sizeof err->origin, "%s", path);
    free(text);
    free(w.edits);
    ss_pool_free(&w.pool);
    return status;
}
