// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inputs of a model that are driven by a column of each recording: in the copy of the document the input is a
// table, whose points are those of the recording that is simulated.
#include "core/error.h"
#include "core/number_length.h"
#include "core/suggest.h"
#include "lab/fit/fit_impl.h"
#include "model/model_impl.h"
#include "model/open_impl.h"
#include "share/quantity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ss_status fail_input(const char* name, const char* text, ss_error* err)
{
    ss_fail(err, SS_BAD_INPUT, "", "%s", text);
    if (err) snprintf(err->origin, sizeof err->origin, "--column inputs.%.200s", name);
    return SS_BAD_INPUT;
}

static ss_status fail_unknown(const ss_model* model, const char* name, ss_error* err)
{
    char text[200] = "the model has no such input";
    int count = model->open ? model->open->input_count : 0, least = ss_edit_tolerance(name) + 1;
    for (int j = 0; j < count; j++) {
        int distance = ss_edit_distance(name, model->open->inputs[j].name, least);
        if (distance >= least) continue;
        least = distance;
        snprintf(text, sizeof text, "the model has no such input; did you mean 'inputs.%.60s'?",
                 model->open->inputs[j].name);
    }
    return fail_input(name, text, err);
}

static const ss_open_input* find_input(const ss_model* model, const char* name)
{
    for (int j = 0; model->open && j < model->open->input_count; j++)
        if (strcmp(model->open->inputs[j].name, name) == 0) return &model->open->inputs[j];
    return NULL;
}

// Columns are in the unit of the input, or in none.
static ss_status check_unit(const ss_fit_problem* problem, const ss_open_input* input, int column,
                            ss_error* err)
{
    for (int r = 0; r < problem->def.recording_count; r++) {
        const ss_recording_column* own = &problem->def.recordings[r]->columns[column];
        if (!own->has_unit || ss_dimension_equal(own->dimension, input->dimension)) continue;
        char wanted[64], text[320];
        snprintf(text, sizeof text, "expected %s, but the column '%.60s' of %.80s is in %.60s",
                 ss_dimension_format(input->dimension, wanted, sizeof wanted), own->name,
                 problem->def.recordings[r]->name, own->unit);
        return fail_input(input->name, text, err);
    }
    return SS_OK;
}

// The list of the input's table, which is made where the file has a number; `given` keeps what it has.
static ss_status make_table(ss_fit_problem* problem, const char* name, ss_fit_points* given, ss_error* err)
{
    char path[300];
    ss_node *node = NULL, *table = NULL;
    snprintf(path, sizeof path, "inputs.%.280s", name);
    ss_status status = ss_document_find(problem->document, path, NULL, &node, err);
    if (status != SS_OK) return status;
    bool is_number = node && node->kind == SS_NODE_SCALAR;
    if (is_number) {
        node->kind = SS_NODE_MAP;
        ss_node_def list = {.kind = SS_NODE_LIST, .key = "table", .line = node->line, .column = node->column};
        status = ss_document_add(problem->document, node, &list, &table, err);
        if (status != SS_OK) return status;
    } else if (node) {
        table = (ss_node*)ss_node_find(node, "table");
    }
    if (!table) return fail_input(name, "cannot be driven by a column", err);
    *given = (ss_fit_points){node, table, is_number, table->first, table->last, table->count};
    return SS_OK;
}

static ss_status add_number(ss_fit_problem* problem, ss_node* point, double value, const char* unit,
                            ss_error* err)
{
    char text[128];
    int length = ss_format(text, sizeof text, unit[0] ? "%.17g * (1 %s)" : "%.17g", value, unit);
    ss_node* ignored;
    return ss_document_add(
        problem->document, point,
        &(ss_node_def){.kind = SS_NODE_SCALAR, .text = text, .length = (size_t)length, .line = point->line},
        &ignored, err);
}

// The points of one recording. Samples without a value are left out.
static ss_status add_points(ss_fit_problem* problem, ss_node* table, int r, int column, const char* unit,
                            ss_error* err)
{
    const ss_recording* recording = problem->def.recordings[r];
    ss_status status = SS_OK;
    double last = -INFINITY;
    for (long k = 0; k < ss_recording_count(recording) && status == SS_OK; k++) {
        double t = ss_recording_time(recording, k), value = ss_recording_value(recording, k, column);
        if (isnan(value) || !(t > last)) continue;
        last = t;
        ss_node* point = NULL;
        status = ss_document_add(problem->document, table,
                                 &(ss_node_def){.kind = SS_NODE_LIST, .line = table->line}, &point, err);
        if (status == SS_OK) status = add_number(problem, point, t, "s", err);
        if (status == SS_OK) status = add_number(problem, point, value, unit, err);
    }
    return status;
}

static ss_fit_points* points_of(const ss_fit_problem* problem, int input, int recording)
{
    return &problem->points[input * (problem->def.recording_count + 1) + recording];
}

static ss_status make_input(ss_fit_problem* problem, const ss_open_input* input, int i, ss_error* err)
{
    int column = problem->def.trace_count + i, recordings = problem->def.recording_count;
    ss_fit_points* given = points_of(problem, i, recordings);
    char unit[64] = "";
    if (!ss_dimension_equal(input->dimension, (ss_dimension){0}))
        ss_dimension_format(input->dimension, unit, sizeof unit);
    ss_status status = check_unit(problem, input, column, err);
    if (status == SS_OK) status = make_table(problem, input->name, given, err);
    for (int r = 0; r < recordings && status == SS_OK; r++) {
        ss_node* table = given->table;
        table->first = table->last = NULL;
        table->count = 0;
        status = add_points(problem, table, r, column, unit, err);
        *points_of(problem, i, r) =
            (ss_fit_points){given->input, table, false, table->first, table->last, table->count};
        if (status == SS_OK && table->count == 0)
            status = fail_input(input->name, "the column is empty", err);
    }
    return status;
}

ss_status ss_fit_make_inputs(ss_fit_problem* problem, const ss_model* model, ss_error* err)
{
    int count = problem->def.input_count;
    ss_status status = SS_OK;
    problem->points = ss_new((size_t)(count * (problem->def.recording_count + 1)), sizeof *problem->points);
    if (!problem->points) return ss_fail_no_memory(err);
    for (int i = 0; i < count && status == SS_OK; i++) {
        const ss_open_input* input = find_input(model, problem->def.inputs[i]);
        for (int k = 0; k < i && status == SS_OK; k++)
            if (strcmp(problem->def.inputs[k], problem->def.inputs[i]) == 0)
                status = fail_input(problem->def.inputs[i], "is driven by two columns", err);
        if (status == SS_OK)
            status =
                input ? make_input(problem, input, i, err) : fail_unknown(model, problem->def.inputs[i], err);
    }
    if (status == SS_OK) ss_fit_put_inputs(problem, 0);
    return status;
}

void ss_fit_put_inputs(ss_fit_problem* problem, int recording)
{
    for (int i = 0; i < problem->def.input_count; i++) {
        const ss_fit_points* own = points_of(problem, i, recording);
        own->table->first = own->first;
        own->table->last = own->last;
        own->table->count = own->count;
        own->input->kind = own->is_number ? SS_NODE_SCALAR : SS_NODE_MAP;
        own->input->first = own->input->last = own->is_number ? NULL : own->table;
        own->input->count = !own->is_number;
    }
}
