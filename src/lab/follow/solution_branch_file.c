// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A branch as a table: one row per point and special point, in order, as comma-separated text or HDF5.
// Numbers are SI and read back exactly; a branch that has fewer multipliers at some points has NaN there.
#include "core/error.h"
#include "core/number_length.h"
#include "lab/file/hdf5.h"
#include "lab/file/output_file.h"
#include "lab/follow/solution_branch.h"
#include "share/file.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 320, UNIT = 32 };

typedef struct column {
    char name[NAME], unit[UNIT];
} column;

typedef struct table {
    const ss_solution_branch* branch;
    column* columns;
    int count;
    long rows;
    double* cells; // rows x count
    int* kinds;    // rows: of special points, -1 for others
    int spectrum;  // multipliers or eigenvalues of a row, at most
} table;

static void add_column(table* t, const char* unit, const char* format, const char* name)
{
    column* c = &t->columns[t->count++];
    snprintf(c->name, sizeof c->name, format, name); // NOLINT: formats are literals below
    snprintf(c->unit, sizeof c->unit, "%.31s", unit);
}

static void name_bodies(table* t, const char* format, bool speed)
{
    const ss_model* model = ss_solution_branch_model(t->branch);
    for (int b = 0; b < ss_model_body_count(model); b++) {
        if (ss_model_body_is_driven(model, b)) continue;
        bool angular = ss_model_body_is_angular(model, b);
        char name[300];
        add_column(t,
                   angular ? speed ? "rad/s" : "rad"
                   : speed ? "m/s"
                           : "m",
                   format, ss_model_coordinate_name(model, b, speed, name, sizeof name));
    }
}

static void name_states(table* t, const char* format)
{
    const ss_model* model = ss_solution_branch_model(t->branch);
    for (int j = 0; j < ss_model_state_count(model); j++) {
        char unit[UNIT];
        ss_dimension_format(ss_model_state_dimension(model, j), unit, sizeof unit);
        add_column(t, unit, format, ss_model_state_name(model, j));
    }
}

static void name_columns(table* t)
{
    bool steady = ss_solution_branch_is_steady(t->branch);
    char unit[UNIT], number[24];
    add_column(t, ss_solution_branch_unit(t->branch, unit, sizeof unit), "%.256s",
               ss_solution_branch_path(t->branch));
    if (!steady) {
        add_column(t, "s", "%s", "period");
        name_bodies(t, "amplitude %.256s", false);
        name_states(t, "amplitude %.256s");
        name_bodies(t, "middle %.256s", false);
        name_states(t, "middle %.256s");
    }
    name_bodies(t, "%.256s", false);
    name_bodies(t, "%.256s", true);
    name_states(t, "%.256s");
    add_column(t, "", "%s", "stable");
    if (!steady) add_column(t, "", "%s", "events");
    for (int k = 0; k < t->spectrum; k++) {
        snprintf(number, sizeof number, "%d", k + 1);
        add_column(t, steady ? "1/s" : "", steady ? "eigenvalue %s re" : "multiplier %s re", number);
        add_column(t, steady ? "1/s" : "", steady ? "eigenvalue %s im" : "multiplier %s im", number);
    }
}

static double* put_bodies(const table* t, const double values[], double* cell)
{
    const ss_model* model = ss_solution_branch_model(t->branch);
    for (int b = 0; b < ss_model_body_count(model); b++)
        if (!ss_model_body_is_driven(model, b)) *cell++ = values[b];
    return cell;
}

static double* put_states(const table* t, const double values[], double* cell)
{
    int count = ss_model_state_count(ss_solution_branch_model(t->branch));
    for (int j = 0; j < count; j++) *cell++ = values[j];
    return cell;
}

static void put_row(table* t, const ss_solution_branch_point* point, int kind)
{
    int bodies = ss_model_body_count(ss_solution_branch_model(t->branch));
    bool steady = ss_solution_branch_is_steady(t->branch);
    double* cell = t->cells + (size_t)t->rows * (size_t)t->count;
    *cell++ = point->value;
    if (!steady) {
        *cell++ = point->period;
        cell = put_bodies(t, point->amplitude, cell);
        cell = put_states(t, point->amplitude + bodies, cell);
        cell = put_bodies(t, point->middle, cell);
        cell = put_states(t, point->middle + bodies, cell);
    }
    cell = put_bodies(t, point->x, cell);
    cell = put_bodies(t, point->v, cell);
    cell = put_states(t, point->states, cell);
    *cell++ = point->stable;
    if (!steady) *cell++ = (double)point->events;
    for (int k = 0; k < t->spectrum; k++) {
        *cell++ = k < point->spectrum_count ? point->spectrum[k][0] : NAN;
        *cell++ = k < point->spectrum_count ? point->spectrum[k][1] : NAN;
    }
    t->kinds[t->rows++] = kind;
}

static bool make_table(const ss_solution_branch* branch, table* t)
{
    const ss_model* model = ss_solution_branch_model(branch);
    *t = (table){.branch = branch};
    long points = ss_solution_branch_count(branch);
    int specials = ss_solution_branch_special_count(branch), next = 0;
    for (long k = 0; k < points; k++)
        t->spectrum = (int)fmax(t->spectrum, ss_solution_branch_get(branch, k).spectrum_count);
    size_t most = 4 * (size_t)ss_model_body_count(model) + 3 * (size_t)ss_model_state_count(model) +
                  2 * (size_t)t->spectrum + 4;
    size_t rows = (size_t)points + (size_t)specials;
    t->columns = ss_new(most, sizeof(column));
    t->cells = ss_new(rows * most, sizeof(double));
    t->kinds = ss_new(rows, sizeof(int));
    if (!t->columns || !t->cells || !t->kinds) return false;
    name_columns(t);
    for (long k = 0; k < points; k++) {
        ss_solution_branch_point point = ss_solution_branch_get(branch, k);
        put_row(t, &point, -1);
        for (; next < specials && ss_solution_branch_get_special(branch, next).after <= k; next++) {
            ss_solution_branch_special special = ss_solution_branch_get_special(branch, next);
            put_row(t, &special.at, (int)special.kind);
        }
    }
    return true;
}

static void free_table(table* t)
{
    free(t->columns);
    free(t->cells);
    free(t->kinds);
}

// ---- text

static const char* kind_name(int kind) { return kind < 0 ? "" : ss_special_name((ss_special_kind)kind); }

// Names with a comma or a quote are quoted as RFC 4180 says.
static void write_name(FILE* file, const column* c)
{
    bool quote = strpbrk(c->name, ",\"\n\r") != NULL;
    if (quote) fputc('"', file);
    for (const char* p = c->name; *p; p++) {
        if (*p == '"') fputc('"', file);
        fputc(*p, file);
    }
    if (c->unit[0]) fprintf(file, " [%s]", c->unit);
    if (quote) fputc('"', file);
}

static ss_status write_csv(const table* t, const char* path, const char* made, ss_error* err)
{
    char *target = ss_file_target(path), *temporary = target ? ss_file_temporary(target) : NULL;
    FILE* file = NULL;
    ss_status status = temporary ? ss_file_open(target, temporary, &file, err) : ss_fail_no_memory(err);
    if (status == SS_OK) {
        ss_file_write_comments(file, ss_model_title(ss_solution_branch_model(t->branch)), made);
        for (int c = 0; c < t->count; c++) {
            write_name(file, &t->columns[c]);
            fputc(',', file);
        }
        fputs("special\n", file);
        for (long r = 0; r < t->rows; r++) {
            for (int c = 0; c < t->count; c++) {
                char text[SS_NUMBER_SIZE];
                double value = t->cells[(size_t)r * (size_t)t->count + (size_t)c];
                fputs(isnan(value) ? "" : ss_number_format(value, 17, text, sizeof text), file);
                fputc(',', file);
            }
            fprintf(file, "%s\n", kind_name(t->kinds[r]));
        }
        status = ss_file_finish(file, temporary, target, err);
    }
    free(temporary);
    free(target);
    return status;
}

// ---- HDF5: one array per column, "/" in a name becomes "_"

static bool write_array(hid_t file, const char* name, const char* unit, hid_t type, hid_t memory,
                        hsize_t rows, const void* values)
{
    hid_t space = H5Screate_simple(1, &rows, NULL), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_char_encoding(links, H5T_CSET_UTF8);
    hid_t dataset = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    bool good = dataset >= 0 && H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
                (!unit[0] || ss_hdf5_write_text(dataset, "unit", unit));
    if (dataset >= 0 && memory == H5T_NATIVE_INT) {
        char text[160] = "-1 none";
        for (int k = SS_SPECIAL_FOLD; k <= SS_SPECIAL_SWAP; k++) {
            size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, ", %d %s", k, ss_special_name((ss_special_kind)k));
        }
        good = good && ss_hdf5_write_text(dataset, "names", text);
    }
    if (dataset >= 0) H5Dclose(dataset);
    H5Pclose(links);
    H5Sclose(space);
    return good;
}

static bool write_columns(const table* t, hid_t file)
{
    double* values = ss_new((size_t)t->rows, sizeof(double));
    bool good = values != NULL;
    for (int c = 0; c < t->count && good; c++) {
        char name[NAME];
        snprintf(name, sizeof name, "%.319s", t->columns[c].name);
        for (char* p = name; *p; p++)
            if (*p == '/') *p = '_';
        for (long r = 0; r < t->rows; r++) values[r] = t->cells[(size_t)r * (size_t)t->count + (size_t)c];
        good = write_array(file, name, t->columns[c].unit, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                           (hsize_t)t->rows, values);
    }
    free(values);
    return good &&
           write_array(file, "special", "", H5T_STD_I8LE, H5T_NATIVE_INT, (hsize_t)t->rows, t->kinds) &&
           ss_hdf5_write_text(file, "over", ss_solution_branch_path(t->branch)) &&
           ss_hdf5_write_text(file, "end", ss_solution_branch_end(t->branch)) &&
           ss_hdf5_write_text(file, "title", ss_model_title(ss_solution_branch_model(t->branch)));
}

static ss_status write_hdf5(const table* t, const char* path, const char* made, ss_error* err)
{
    ss_hdf5_listener listener;
    ss_hdf5_listen(&listener);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, 0); // in memory: the file appears whole
    hid_t file = H5Fcreate("branch", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    bool good = file >= 0 && write_columns(t, file) && ss_hdf5_write_text(file, "version", ss_version()) &&
                ss_hdf5_write_text(file, "made", made ? made : "") && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
    ssize_t size = good ? H5Fget_file_image(file, NULL, 0) : -1;
    void* image = size > 0 ? ss_new((size_t)size, 1) : NULL;
    good = image && H5Fget_file_image(file, image, (size_t)size) == size;
    if (file >= 0) H5Fclose(file);
    H5Pclose(access);
    ss_hdf5_stop_listening(&listener);
    ss_status status = good ? ss_file_write(path, image, (size_t)size, err)
                            : ss_hdf5_failed(err, "the branch cannot be written", &listener);
    free(image);
    return status;
}

static bool ends_in(const char* path, const char* ending)
{
    size_t length = strlen(path), own = strlen(ending);
    return length > own && strcmp(path + length - own, ending) == 0;
}

bool ss_solution_branch_knows(const char* path) { return ends_in(path, ".csv") || ends_in(path, ".h5"); }

ss_status ss_solution_branch_write(const ss_solution_branch* branch, const char* path, const char* made,
                                   ss_error* err)
{
    table t;
    if (!ss_solution_branch_knows(path))
        return ss_fail(err, SS_BAD_INPUT, NULL, "%.200s: the name must end in .csv or .h5", path);
    ss_status status = make_table(branch, &t) ? SS_OK : ss_fail_no_memory(err);
    if (status == SS_OK)
        status = ends_in(path, ".csv") ? write_csv(&t, path, made, err) : write_hdf5(&t, path, made, err);
    free_table(&t);
    return status;
}
