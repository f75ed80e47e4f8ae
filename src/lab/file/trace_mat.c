// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Traces as MAT files of version 5, which MATLAB, Octave and SciPy read. The variables of a file:
//
//     t                     s, a column
//     bodies.NAME.x, .v     columns of the same length; of a slider: slider.x, .y, .angle, .vx, .vy, .spin
//     contacts.NAME.force, .mode, .z, .deflections_K
//     derivative.PATH.NAME_x, .NAME_v, .NAME_force, .NAME    of the same by numbers of the model (SI)
//     modes                 what the numbers in .mode mean: modes{1 + mode}
//     units                 a struct of the same shape with texts
//     title, model, version, made, outcome
//
// Names as mat5.h makes them. The format has no rows that could be added to a file: they are kept, and the
// file is written at the end, under a temporary name that then becomes the target's.
#include "core/error.h"
#include "lab/file/mat5.h"
#include "lab/file/output_file.h"
#include "lab/file/trace_writer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mat_trace {
    char *target, *temporary, *title, *model_text, *made;
    ss_column* columns;
    int count;
    double* rows; // row after row; a mode as its number
    size_t row_count, row_room;
    bool replaces; // there is an older file
    bool finished; // or beyond use
} mat_trace;

static void mat_free(mat_trace* m)
{
    if (!m) return;
    free(m->target);
    free(m->temporary);
    free(m->title);
    free(m->model_text);
    free(m->made);
    free(m->columns);
    free(m->rows);
    free(m);
}

static char* copy_text(const char* text)
{
    size_t size = strlen(text) + 1;
    char* out = ss_new(size, 1);
    if (out) memcpy(out, text, size);
    return out;
}

static ss_status mat_create(const ss_trace_def* def, void** self, ss_error* err)
{
    *self = NULL;
    mat_trace* m = ss_new(1, sizeof *m);
    if (!m) return ss_fail_no_memory(err);
    m->columns = ss_trace_columns(def, &m->count);
    m->target = ss_file_target(def->path);
    m->temporary = m->target ? ss_file_temporary(m->target) : NULL;
    m->replaces = m->target && ss_file_exists(m->target);
    m->title = copy_text(ss_trace_title(def));
    m->model_text = copy_text(def->model_text ? def->model_text : "");
    m->made = copy_text(def->made ? def->made : "");
    FILE* probe = NULL; // a place that cannot hold the file is told before the motion is computed
    bool good = m->columns && m->temporary && m->title && m->model_text && m->made;
    ss_status status = good ? ss_file_open(m->target, m->temporary, &probe, err) : ss_fail_no_memory(err);
    if (status != SS_OK) {
        mat_free(m);
        return status;
    }
    ss_file_give_up(probe, m->temporary);
    *self = m;
    return SS_OK;
}

static ss_status mat_add(void* self, const ss_moment* row, ss_error* err)
{
    mat_trace* m = self;
    size_t needed = (m->row_count + 1) * (size_t)m->count;
    if (needed > m->row_room) {
        size_t room = needed > 1024 ? 2 * needed : 1024;
        double* more = room <= SIZE_MAX / sizeof(double) ? realloc(m->rows, room * sizeof(double)) : NULL;
        if (!more) {
            m->finished = true;
            return ss_fail_no_memory(err);
        }
        m->rows = more;
        m->row_room = room;
    }
    double* out = m->rows + m->row_count++ * (size_t)m->count;
    for (int k = 0; k < m->count; k++)
        out[k] = ss_column_is_mode(&m->columns[k]) ? (double)ss_column_mode(&m->columns[k], row)
                                                   : ss_column_value(&m->columns[k], row) + 0.0;
    return SS_OK;
}

// ---- the tree of variables

// Which variable a column belongs to.
static bool put_derivative(const mat_trace* m, int k, ss_mat_node* group)
{
    const ss_column* column = &m->columns[k];
    char name[2 * SS_MAT_NAME];
    snprintf(name, sizeof name, "%.60s%s%s", column->name, column->field[0] ? "_" : "", column->field);
    return ss_mat_numbers(ss_mat_child(group, column->by), name, m->rows + k, (size_t)m->count, m->row_count);
}

// Bodies, contacts and a slider are structs of their fields; the numbers of an open model are fields
// themselves.
static bool put_column(const mat_trace* m, int k, ss_mat_node* root, ss_mat_node* units)
{
    const ss_column* column = &m->columns[k];
    const char* field = column->field[0] ? column->field : column->name;
    bool grouped = column->group[0] != '\0';
    ss_mat_node* place = grouped ? ss_mat_child(root, column->group) : root;
    if (column->by) return put_derivative(m, k, place);
    ss_mat_node* unit = grouped ? ss_mat_child(units, column->group) : units;
    if (column->name[0] && column->field[0]) {
        place = ss_mat_child(place, column->name);
        unit = ss_mat_child(unit, column->name);
    }
    return ss_mat_numbers(place, field, m->rows + k, (size_t)m->count, m->row_count) &&
           (ss_column_is_mode(column) || ss_mat_text(unit, field, column->unit));
}

static bool put_mode_names(ss_mat_node* root)
{
    ss_mat_node* modes = ss_mat_add(root, "modes", SS_MAT_CELL);
    bool good = modes != NULL;
    for (int k = 0; k <= SS_MODE_SLIP; k++) good = good && ss_mat_text(modes, "", ss_mode_name((ss_mode)k));
    return good;
}

static bool put_all(const mat_trace* m, ss_mat_node* root, const char* outcome)
{
    bool good = ss_mat_numbers(root, "t", m->rows, (size_t)m->count, m->row_count);
    ss_mat_node* units = ss_mat_add(root, "units", SS_MAT_STRUCT);
    good = good && units && ss_mat_text(units, "t", "s");
    for (int k = 1; k < m->count; k++) good = good && put_column(m, k, root, units);
    return good && put_mode_names(root) && ss_mat_text(root, "title", m->title) &&
           ss_mat_text(root, "model", m->model_text) && ss_mat_text(root, "version", ss_version()) &&
           ss_mat_text(root, "made", m->made) && ss_mat_text(root, "outcome", outcome);
}

static ss_status write_tree(const mat_trace* m, ss_mat_node* root, ss_error* err)
{
    FILE* file;
    char writer[64];
    snprintf(writer, sizeof writer, "slipstick %.20s", ss_version());
    ss_status status = ss_file_open(m->target, m->temporary, &file, err);
    if (status != SS_OK) return status;
    status = ss_mat_write(root, writer, file, err);
    if (status == SS_OK) return ss_file_finish(file, m->temporary, m->target, err);
    ss_file_give_up(file, m->temporary);
    return status;
}

static ss_status mat_finish(void* self, const char* outcome, ss_error* err)
{
    mat_trace* m = self;
    m->finished = true; // whatever comes of it
    ss_mat_node* root = ss_mat_create();
    ss_status status = root && put_all(m, root, outcome) ? write_tree(m, root, err) : ss_fail_no_memory(err);
    ss_mat_destroy(root);
    return status;
}

// A run that is given up leaves what it has, unless that would cost an older file.
static void mat_destroy(void* self)
{
    mat_trace* m = self;
    if (m && !m->finished && !m->replaces && m->row_count > 0) mat_finish(m, "running", NULL);
    mat_free(m);
}

const ss_trace_writer ss_trace_mat = {".mat", mat_create, mat_add, mat_finish, mat_destroy};
