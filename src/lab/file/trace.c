// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Traces: choosing the format, and what the formats share.
#include "slipstick/file.h"

#include "core/error.h"
#include "lab/file/trace_writer.h"
#include "share/model_parts.h"
#include "share/slider_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ss_trace {
    const ss_trace_writer* writer;
    void* self;
};

static const ss_trace_writer* writer_of(const char* path)
{
    static const ss_trace_writer* const writers[] = {&ss_trace_csv, &ss_trace_hdf5, &ss_trace_mat};
    size_t length = strlen(path);
    for (size_t k = 0; k < sizeof writers / sizeof writers[0]; k++) {
        size_t ending = strlen(writers[k]->ending);
        if (length > ending && strcmp(path + length - ending, writers[k]->ending) == 0) return writers[k];
    }
    return NULL;
}

bool ss_trace_knows(const char* path) { return writer_of(path) != NULL; }

ss_status ss_trace_create(const ss_trace_def* def, ss_trace** out, ss_error* err)
{
    *out = NULL;
    const ss_trace_writer* writer = writer_of(def->path);
    if (!writer) return ss_fail(err, SS_BAD_INPUT, NULL, "the name must end in .csv, .h5 or .mat");
    ss_trace* trace = ss_new(1, sizeof *trace);
    if (!trace) return ss_fail_no_memory(err);
    trace->writer = writer;
    ss_status status = writer->create(def, &trace->self, err);
    if (status != SS_OK) {
        free(trace);
        return status;
    }
    *out = trace;
    return SS_OK;
}

ss_status ss_trace_add(ss_trace* trace, const ss_moment* row, ss_error* err)
{
    return trace->writer->add(trace->self, row, err);
}

ss_status ss_trace_finish(ss_trace* trace, const char* outcome, ss_error* err)
{
    return trace->writer->finish(trace->self, outcome, err);
}

void ss_trace_destroy(ss_trace* trace)
{
    if (!trace) return;
    trace->writer->destroy(trace->self);
    free(trace);
}

typedef struct columns {
    ss_column* at;
    int count, room;
} columns;

static bool add(columns* all, ss_column column)
{
    if (all->count == all->room) {
        int room = 2 * all->room + 32;
        ss_column* more = realloc(all->at, (size_t)room * sizeof *more);
        if (!more) return false;
        all->at = more;
        all->room = room;
    }
    all->at[all->count++] = column;
    return true;
}

static ss_column make(const ss_model* model, ss_quantity of, const char* group, const char* name)
{
    ss_column column = {.of = of, .model = model, .group = group, .name = name};
    ss_quantity_field(model, of, column.field, sizeof column.field);
    ss_quantity_unit(model, of, column.unit, sizeof column.unit);
    return column;
}

static const char* group_of(const ss_model* model, ss_quantity q)
{
    switch (ss_quantity_row_at(q.kind)->of) {
    case SS_OF_RUN: return "";
    case SS_OF_BODY: return "bodies";
    case SS_OF_NUMBER: return ss_number_kind_name((int)ss_model_get_number(model, q.index).kind);
    default: return "contacts";
    }
}

static ss_column column_of(const ss_model* model, ss_quantity q)
{
    return make(model, q, group_of(model, q), ss_quantity_owner_name(model, q));
}

// By each direction: each quantity that is differentiated, of all its owners, as moments have them.
static bool add_derivatives(columns* all, const ss_trace_def* def)
{
    bool good = true;
    int place = 0;
    for (int d = 0; d < def->direction_count; d++)
        for (int kind = 0; kind < ss_quantity_row_count(); kind++) {
            ss_quantity q = {0};
            while (good && ss_quantity_next(def->model, SS_TOLD_DERIVATIVE, &q)) {
                if (q.kind != kind) continue;
                ss_column column = column_of(def->model, q);
                column.group = "derivative";
                column.by = def->directions[d].name;
                column.place = place++;
                column.unit[0] = '\0';
                good = add(all, column);
            }
        }
    return good;
}

static bool add_model(columns* all, const ss_trace_def* def)
{
    ss_quantity q = {0};
    bool good = add(all, column_of(def->model, q));
    while (good && ss_quantity_next(def->model, SS_TOLD_TRACE, &q)) good = add(all, column_of(def->model, q));
    return good && add_derivatives(all, def);
}

static bool add_support(columns* all, const ss_slider* slider, int support)
{
    bool finger = support >= ss_slider_support_count(slider);
    ss_support_kind kind = finger ? SS_SUPPORT_POINT : ss_slider_support_kind(slider, support);
    int components = kind == SS_SUPPORT_WHEEL ? 1 : kind == SS_SUPPORT_POINT ? 2 : 3;
    bool good = true;
    for (int k = 0; k <= components && good; k++) {
        ss_quantity q = {k < components ? SS_QUANTITY_SUPPORT_FORCE : SS_QUANTITY_SUPPORT_MODE,
                         .index = support, .part = components == 1 ? -1 : k};
        ss_column column = make(NULL, q, "contacts", NULL);
        ss_slider_contact_label(slider, support, column.own);
        good = add(all, column);
    }
    return good;
}

static bool add_slider(columns* all, const ss_slider* slider)
{
    bool good = add(all, make(NULL, (ss_quantity){0}, "", ""));
    for (int kind = 0; kind < ss_quantity_row_count(); kind++) {
        const ss_quantity_row* row = ss_quantity_row_at(kind);
        if (row->of == SS_OF_SLIDER && (row->told & SS_TOLD_TRACE))
            good = good && add(all, make(NULL, (ss_quantity){.kind = kind}, "", "slider"));
    }
    for (int i = 0; i < ss_slider_contact_count(slider); i++) good = good && add_support(all, slider, i);
    return good;
}

const char* ss_trace_title(const ss_trace_def* def)
{
    return def->slider ? ss_slider_title(def->slider) : ss_model_title(def->model);
}

ss_column* ss_trace_columns(const ss_trace_def* def, int* count)
{
    columns all = {0};
    bool good = def->slider ? add_slider(&all, def->slider) : add_model(&all, def);
    for (int k = 0; k < all.count && good; k++) // they no longer move
        if (!all.at[k].name) all.at[k].name = all.at[k].own;
    if (!good) {
        free(all.at);
        return NULL;
    }
    *count = all.count;
    return all.at;
}

bool ss_column_is_mode(const ss_column* column)
{
    return !column->by && ss_quantity_row_at(column->of.kind)->value == SS_QUANTITY_IS_MODE;
}

double ss_column_value(const ss_column* column, const ss_moment* row)
{
    if (!column->by) return ss_quantity_at(column->of, row);
    return row->derivatives ? row->derivatives[column->place] : NAN;
}

ss_mode ss_column_mode(const ss_column* column, const ss_moment* row)
{
    return (ss_mode)ss_quantity_at(column->of, row);
}
