// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Traces: choosing the format, and what the formats share.
#include "slipstick/file.h"

#include "core/error.h"
#include "lab/file/trace_writer.h"
#include "share/law.h"
#include "share/model_parts.h"
#include "share/quantity.h"
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

// z of bristles that have one, a number per element of those that have elements; *place counts the latter of
// the row. Returns how many.
static int bristle_columns(const ss_model* model, int contact, ss_column columns[], int* place)
{
    ss_law_kind law = ss_model_contact_law(model, contact);
    ss_column column = {.kind = SS_COLUMN_Z,
                        .index = contact,
                        .name = ss_model_contact_name(model, contact),
                        .angular = ss_model_contact_is_angular(model, contact)};
    columns[0] = column;
    if (ss_law_has(law, SS_TRAIT_Z)) {
        ss_dimension unit = ss_model_contact_state_dimension(model, contact);
        if (!ss_dimension_equal(unit, (ss_dimension){.m = column.angular ? 0 : 1}))
            ss_dimension_format(unit, columns[0].unit, sizeof columns[0].unit);
        return 1;
    }
    column.kind = SS_COLUMN_DEFLECTION;
    column.force = ss_law_has(law, SS_TRAIT_MANY);
    for (int k = 0; k < ss_moment_elements(model, contact); k++) {
        column.component = (*place)++;
        snprintf(column.own, sizeof column.own, "%.11s[%d]", ss_law_element_word(law), k);
        columns[k] = column;
    }
    return ss_moment_elements(model, contact);
}

static int number_count(const ss_model* model)
{
    int count = 0;
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++) count += ss_model_number_count(model, kind);
    return count;
}

// States, signals, inputs and memory of an open model. Returns how many.
static int number_columns(const ss_model* model, ss_column columns[])
{
    int k = 0;
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++)
        for (int end = k + ss_model_number_count(model, kind); k < end; k++) {
            ss_column* column = &columns[k];
            *column =
                (ss_column){.kind = SS_COLUMN_NUMBER, .index = k, .name = ss_model_number_name(model, k)};
            ss_dimension_format(ss_model_number_dimension(model, k), column->unit, sizeof column->unit);
            snprintf(column->own, sizeof column->own, "%s", ss_number_kind_name(kind));
        }
    return k;
}

// By each direction: x and v of all bodies, forces of all contacts, numbers, as moments have them. Returns
// how many.
static int derivative_columns(const ss_trace_def* def, ss_column columns[])
{
    const ss_model* model = def->model;
    int n = 0, bodies = ss_model_body_count(model), contacts = ss_model_contact_count(model);
    int numbers = number_count(model);
    for (int d = 0; d < def->direction_count; d++) {
        ss_column column = {.kind = SS_COLUMN_DERIVATIVE, .by = def->directions[d].name, .component = n};
        for (int k = 0; k < 2 * bodies + contacts + numbers; k++, column.component++) {
            int at = k < 2 * bodies ? k % bodies : k < 2 * bodies + contacts ? k - 2 * bodies : 0;
            column.of = k < bodies                  ? SS_COLUMN_X
                        : k < 2 * bodies            ? SS_COLUMN_V
                        : k < 2 * bodies + contacts ? SS_COLUMN_FORCE
                                                    : SS_COLUMN_NUMBER;
            column.name = column.of == SS_COLUMN_NUMBER
                              ? ss_model_number_name(model, k - 2 * bodies - contacts)
                          : column.of == SS_COLUMN_FORCE ? ss_model_contact_name(model, at)
                                                         : ss_model_body_name(model, at);
            columns[n++] = column;
        }
    }
    return n;
}

static ss_column* slider_columns(const ss_slider* slider, int* count)
{
    enum { STATE = 6, COMPONENTS = 3 };
    int supports = ss_slider_support_count(slider), all = ss_slider_contact_count(slider), n = 0;
    ss_column* columns = ss_new(1 + STATE + (COMPONENTS + 1) * (size_t)all, sizeof *columns);
    if (!columns) return NULL;
    columns[n++] = (ss_column){.kind = SS_COLUMN_T, .name = ""};
    for (int k = 0; k < STATE; k++)
        columns[n++] =
            (ss_column){.kind = SS_COLUMN_SLIDE, .name = "slider", .component = k, .angular = k % 3 == 2};
    for (int i = 0; i < all; i++) {
        ss_support_kind kind = i < supports ? ss_slider_support_kind(slider, i) : SS_SUPPORT_POINT;
        int components = kind == SS_SUPPORT_WHEEL ? 1 : kind == SS_SUPPORT_POINT ? 2 : COMPONENTS;
        for (int k = 0; k <= components; k++) {
            ss_column* c = &columns[n++];
            *c = (ss_column){
                .kind = SS_COLUMN_SUPPORT_FORCE, .index = i, .component = components == 1 ? -1 : k};
            if (k == components) c->kind = SS_COLUMN_SUPPORT_MODE;
            c->angular = k == 2;
            ss_slider_contact_label(slider, i, c->own);
            c->name = c->own;
        }
    }
    *count = n;
    return columns;
}

const char* ss_trace_title(const ss_trace_def* def)
{
    return def->slider ? ss_slider_title(def->slider) : ss_model_title(def->model);
}

ss_column* ss_trace_columns(const ss_trace_def* def, int* count)
{
    const ss_model* model = def->model;
    if (def->slider) return slider_columns(def->slider, count);
    int bodies = ss_model_body_count(model), contacts = ss_model_contact_count(model), elements = 0;
    int numbers = number_count(model), derivatives = def->direction_count * (2 * bodies + contacts + numbers);
    for (int c = 0; c < contacts; c++) elements += ss_moment_elements(model, c);
    ss_column* columns =
        ss_new(2 + 2 * (size_t)bodies + 3 * (size_t)contacts + (size_t)(elements + numbers + derivatives),
               sizeof *columns);
    if (!columns) return NULL;
    int n = 0, place = 0;
    columns[n++] = (ss_column){.kind = SS_COLUMN_T, .name = ""};
    for (int b = 0; b < bodies; b++) {
        const char* name = ss_model_body_name(model, b);
        bool angular = ss_model_body_is_angular(model, b);
        columns[n++] = (ss_column){.kind = SS_COLUMN_X, .index = b, .name = name, .angular = angular};
        columns[n++] = (ss_column){.kind = SS_COLUMN_V, .index = b, .name = name, .angular = angular};
    }
    for (int c = 0; c < contacts; c++) {
        const char* name = ss_model_contact_name(model, c);
        bool angular = ss_model_contact_is_angular(model, c);
        columns[n++] = (ss_column){.kind = SS_COLUMN_FORCE, .index = c, .name = name, .angular = angular};
        columns[n++] = (ss_column){.kind = SS_COLUMN_MODE, .index = c, .name = name, .angular = angular};
        n += bristle_columns(model, c, columns + n, &place);
    }
    n += number_columns(model, columns + n);
    n += derivative_columns(def, columns + n);
    *count = n;
    return columns;
}

const char* ss_column_field(const ss_column* column)
{
    static const char* const fields[] = {"t", "x", "v", "force", "mode", "z"};
    static const char* const state[] = {"x", "y", "angle", "vx", "vy", "spin"};
    static const char* const forces[] = {"force", "force_x", "force_y", "moment"};
    switch (column->kind) {
    case SS_COLUMN_SLIDE: return state[column->component];
    case SS_COLUMN_SUPPORT_FORCE: return forces[column->component + 1];
    case SS_COLUMN_SUPPORT_MODE: return "mode";
    case SS_COLUMN_DEFLECTION: return column->own;
    case SS_COLUMN_NUMBER: return "";
    case SS_COLUMN_DERIVATIVE: return column->of == SS_COLUMN_NUMBER ? "" : fields[column->of];
    default: return fields[column->kind];
    }
}

bool ss_column_is_mode(const ss_column* column)
{
    return column->kind == SS_COLUMN_MODE || column->kind == SS_COLUMN_SUPPORT_MODE;
}

const char* ss_column_unit(const ss_column* column)
{
    switch (column->kind) {
    case SS_COLUMN_T: return "s";
    case SS_COLUMN_NUMBER: return column->unit;
    case SS_COLUMN_Z:
        if (column->unit[0]) return column->unit;
        return column->angular ? "rad" : "m";
    case SS_COLUMN_X:
    case SS_COLUMN_DEFLECTION:
        if (column->force) return column->angular ? "N*m" : "N";
        return column->angular ? "rad" : "m";
    case SS_COLUMN_V: return column->angular ? "rad/s" : "m/s";
    case SS_COLUMN_SUPPORT_FORCE:
    case SS_COLUMN_FORCE: return column->angular ? "N*m" : "N";
    case SS_COLUMN_SLIDE:
        if (column->component < 3) return column->angular ? "rad" : "m";
        return column->angular ? "rad/s" : "m/s";
    case SS_COLUMN_DERIVATIVE:
    case SS_COLUMN_SUPPORT_MODE:
    case SS_COLUMN_MODE: break;
    }
    return "";
}

static double slide_value(const ss_slider_state* s, int component)
{
    const double values[] = {s->x, s->y, s->angle, s->vx, s->vy, s->spin};
    return values[component];
}

double ss_column_value(const ss_column* column, const ss_moment* row)
{
    switch (column->kind) {
    case SS_COLUMN_X: return row->x[column->index];
    case SS_COLUMN_V: return row->v[column->index];
    case SS_COLUMN_FORCE: return row->contacts[column->index].force;
    case SS_COLUMN_Z: return row->contacts[column->index].z;
    case SS_COLUMN_DEFLECTION: return row->deflections[column->component];
    case SS_COLUMN_NUMBER: return row->numbers[column->index];
    case SS_COLUMN_DERIVATIVE: return row->derivatives ? row->derivatives[column->component] : NAN;
    case SS_COLUMN_SLIDE: return slide_value(row->slide, column->component);
    case SS_COLUMN_SUPPORT_FORCE:
        return row->supports[column->index].force[column->component < 0 ? 0 : column->component];
    case SS_COLUMN_T:
    case SS_COLUMN_SUPPORT_MODE:
    case SS_COLUMN_MODE: break;
    }
    return row->t;
}

ss_mode ss_column_mode(const ss_column* column, const ss_moment* row)
{
    return column->kind == SS_COLUMN_MODE ? row->contacts[column->index].mode
                                          : row->supports[column->index].mode;
}
