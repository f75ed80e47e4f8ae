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
//     title, model, version, outcome
//
// A character that no field can have becomes an underscore; a name that does not begin with a letter gets x_
// before it. The format has no rows that could be added to a file: they are kept, and the file is written at
// the end, under a temporary name that then becomes the target's.
#include "core/error.h"
#include "lab/file/file.h"
#include "lab/file/trace_writer.h"

#include <ctype.h>
#include <matio.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64 }; // of a field: 63 characters

typedef struct mat_trace {
    char *target, *temporary, *title, *model_text;
    ss_column* columns;
    int count;
    double* rows; // row after row; a mode as its number
    size_t row_count, row_room;
    bool finished; // or beyond use
} mat_trace;

static void mat_free(mat_trace* m)
{
    if (!m) return;
    free(m->target);
    free(m->temporary);
    free(m->title);
    free(m->model_text);
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
    m->title = copy_text(ss_trace_title(def));
    m->model_text = copy_text(def->model_text ? def->model_text : "");
    FILE* probe = NULL; // a place that cannot hold the file is told before the motion is computed
    bool good = m->columns && m->temporary && m->title && m->model_text;
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

// A name as a field may be called.
static void field_name(const char* name, char out[NAME_SIZE])
{
    snprintf(out, NAME_SIZE, "%s%s", isalpha((unsigned char)name[0]) ? "" : "x_", name);
    size_t last = 0;
    for (char* p = out; *p; p++) {
        if (!isalnum((unsigned char)*p)) *p = '_';
        last = (size_t)(p - out);
    }
    if (last > 0 && out[last] == '_' && strchr(name, ']')) out[last] = '\0'; // deflections[3]
}

static matvar_t* text_variable(const char* name, const char* text)
{
    size_t size[2] = {text[0] ? 1 : 0, strlen(text)};
    return Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UINT8, 2, size, (void*)(uintptr_t)text, 0); // copied
}

static matvar_t* new_struct(const char* name)
{
    size_t size[2] = {1, 1};
    return Mat_VarCreateStruct(name, 2, size, NULL, 0);
}

// The field of a struct; made, as a struct, where it is missing. NULL without memory.
static matvar_t* child(matvar_t* parent, const char* name)
{
    if (!parent) return NULL;
    matvar_t* found = Mat_VarGetStructFieldByName(parent, name, 0);
    if (found) return found;
    found = new_struct(NULL);
    if (!found || Mat_VarAddStructField(parent, name) != 0) {
        Mat_VarFree(found);
        return NULL;
    }
    Mat_VarSetStructFieldByName(parent, name, 0, found);
    return found;
}

static bool set_field(matvar_t* parent, const char* name, matvar_t* value)
{
    if (!parent || !value || Mat_VarAddStructField(parent, name) != 0) {
        Mat_VarFree(value);
        return false;
    }
    Mat_VarSetStructFieldByName(parent, name, 0, value);
    return true;
}

static matvar_t* column_variable(const mat_trace* m, int k, const char* name)
{
    size_t size[2] = {m->row_count, 1};
    double* values = ss_new(m->row_count + 1, sizeof *values);
    if (!values) return NULL;
    for (size_t r = 0; r < m->row_count; r++) values[r] = m->rows[r * (size_t)m->count + (size_t)k];
    matvar_t* out = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, values, 0);
    free(values);
    return out;
}

// The variables of the file. Of bodies and contacts each has fields of its own; the numbers of an open model
// are fields themselves.
enum { BODIES, CONTACTS, SLIDER, DERIVATIVE, NUMBERS, GROUPS = NUMBERS + 4 };
static const char* const group_names[GROUPS] = {"bodies", "contacts", "slider", "derivative",
                                                "states", "signals",  "inputs", "memory"};

typedef struct tree {
    matvar_t *groups[GROUPS], *units;
} tree;

static int group_of(const ss_column* column)
{
    int g = NUMBERS;
    switch (column->kind) {
    case SS_COLUMN_SLIDE: return SLIDER;
    case SS_COLUMN_DERIVATIVE: return DERIVATIVE;
    case SS_COLUMN_X:
    case SS_COLUMN_V: return BODIES;
    case SS_COLUMN_NUMBER:
        while (g < GROUPS - 1 && strcmp(column->own, group_names[g]) != 0) g++;
        return g;
    default: return CONTACTS;
    }
}

static bool put_derivative(const mat_trace* m, int k, matvar_t* group)
{
    const ss_column* column = &m->columns[k];
    char by[NAME_SIZE], name[NAME_SIZE], both[2 * NAME_SIZE];
    const char* field = ss_column_field(column);
    field_name(column->by, by);
    snprintf(both, sizeof both, "%.60s%s%s", column->name, field[0] ? "_" : "", field);
    field_name(both, name);
    return set_field(child(group, by), name, column_variable(m, k, NULL));
}

static bool put_column(const mat_trace* m, int k, tree* out)
{
    const ss_column* column = &m->columns[k];
    char name[NAME_SIZE], field[NAME_SIZE];
    int g = group_of(column);
    if (!out->groups[g]) out->groups[g] = new_struct(group_names[g]);
    if (g == DERIVATIVE) return put_derivative(m, k, out->groups[g]);
    field_name(g >= NUMBERS ? column->name : ss_column_field(column), field);
    field_name(column->name, name);
    matvar_t *place = out->groups[g], *unit = child(out->units, group_names[g]);
    if (g == BODIES || g == CONTACTS) {
        place = child(place, name);
        unit = child(unit, name);
    }
    bool good = set_field(place, field, column_variable(m, k, NULL));
    return good &&
           (ss_column_is_mode(column) || set_field(unit, field, text_variable(NULL, ss_column_unit(column))));
}

static matvar_t* mode_names(void)
{
    matvar_t* names[SS_MODE_SLIP + 1];
    size_t size[2] = {1, SS_MODE_SLIP + 1};
    for (int k = 0; k <= SS_MODE_SLIP; k++) names[k] = text_variable(NULL, ss_mode_name((ss_mode)k));
    return Mat_VarCreate("modes", MAT_C_CELL, MAT_T_CELL, 2, size, names, 0);
}

// Writes a variable and frees it.
static bool put(mat_t* file, matvar_t* variable)
{
    bool good = variable && Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE) == 0;
    Mat_VarFree(variable);
    return good;
}

static bool write_all(const mat_trace* m, mat_t* file, const char* outcome)
{
    tree all = {.units = new_struct("units")};
    bool good = all.units && put(file, column_variable(m, 0, "t"));
    for (int k = 1; k < m->count; k++) good = good && put_column(m, k, &all);
    for (int g = 0; g < GROUPS; g++) {
        if (all.groups[g] && good)
            good = put(file, all.groups[g]);
        else
            Mat_VarFree(all.groups[g]);
    }
    good = good && set_field(all.units, "t", text_variable(NULL, "s"));
    if (good)
        good = put(file, all.units);
    else
        Mat_VarFree(all.units);
    return good && put(file, mode_names()) && put(file, text_variable("title", m->title)) &&
           put(file, text_variable("model", m->model_text)) &&
           put(file, text_variable("version", ss_version())) && put(file, text_variable("outcome", outcome));
}

static ss_status mat_finish(void* self, const char* outcome, ss_error* err)
{
    mat_trace* m = self;
    char header[96];
    snprintf(header, sizeof header, "MATLAB 5.0 MAT-file, written by slipstick %.20s", ss_version());
    m->finished = true; // whatever comes of it
    mat_t* file = Mat_CreateVer(m->temporary, header, MAT_FT_MAT5);
    if (!file) return ss_file_write_failed(err);
    bool good = write_all(m, file, outcome);
    good = Mat_Close(file) == 0 && good;
    FILE* whole = good ? fopen(m->temporary, "r+b") : NULL;
    if (!whole) {
        remove(m->temporary);
        return ss_file_write_failed(err);
    }
    return ss_file_finish(whole, m->temporary, m->target, err);
}

static void mat_destroy(void* self)
{
    mat_trace* m = self;
    if (m && !m->finished && m->row_count > 0) mat_finish(m, "running", NULL); // what there is
    mat_free(m);
}

const ss_trace_writer ss_trace_mat = {".mat", mat_create, mat_add, mat_finish, mat_destroy};
