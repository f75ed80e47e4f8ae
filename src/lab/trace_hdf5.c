// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Traces as HDF5. The tree of a file:
//
//     /                     attributes title, model (the text of the model file), version
//     /t                    s, one element per row
//     /bodies/NAME/x, v     attribute unit: m, m/s (rad, rad/s)
//     /contacts/NAME/force  attribute unit: N (N*m)
//     /contacts/NAME/mode   enumeration slip+, slip-, stick, open, closed
//     /outcome              "running" until the file is finished
//
// The file is written in HDF5's single-writer-multiple-readers mode: everything but the lengths is made
// before the first row, so a process killed at any moment leaves a file that readers open in that mode (h5py:
// swmr=True), or in any after `h5clear -s FILE`. /t is flushed last: rows up to its length are complete.
#define _POSIX_C_SOURCE 200809L // dup2
#include "core/error.h"
#include "lab/trace_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OUTCOME_SIZE = 16 }; // bytes of /outcome

typedef struct series {
    hid_t dataset;
    hid_t type;   // of the elements in memory, borrowed
    size_t size;  // bytes of an element
    void* values; // the rows that wait
} series;

typedef struct h5 {
    hid_t file, mode_type, outcome_type, outcome;
    ss_column* columns;
    series* all; // one per column; all[0] is t
    int count;
    hsize_t written; // rows in the file
    hsize_t waiting, block;
    time_t flushed;
    bool broken; // a write failed: nothing more is tried
} h5;

// While a `listener` is on, HDF5 prints nothing and the cause of the first failure is kept: the deepest entry
// of HDF5's error stack, of which later calls leave nothing.
typedef struct listener {
    H5E_auto2_t before;
    void* before_data;
    char cause[200];
} listener;

static herr_t keep_deepest(unsigned depth, const H5E_error2_t* entry, void* data)
{
    listener* l = data;
    if (depth > 0 || !entry->desc || l->cause[0]) return 0;
    // The text of errno, where the entry has it: "... error message = 'No space left on device', buf = ..."
    const char* quoted = strstr(entry->desc, "error message = '");
    if (quoted) quoted += strlen("error message = '");
    int length = quoted ? (int)strcspn(quoted, "'") : (int)strlen(entry->desc);
    snprintf(l->cause, sizeof l->cause, "%.*s", length, quoted ? quoted : entry->desc);
    return 0;
}

static herr_t on_failure(hid_t stack, void* data)
{
    return H5Ewalk2(stack, H5E_WALK_UPWARD, keep_deepest, data);
}

static void listen(listener* l)
{
    l->cause[0] = '\0';
    H5Eget_auto2(H5E_DEFAULT, &l->before, &l->before_data);
    H5Eset_auto2(H5E_DEFAULT, on_failure, l);
}

static void stop_listening(const listener* l) { H5Eset_auto2(H5E_DEFAULT, l->before, l->before_data); }

static ss_status hdf5_failed(ss_error* err, const char* what, const listener* l)
{
    const char* cause = l->cause[0] ? l->cause : "HDF5 gives no reason";
    return ss_fail(err, SS_FILE_ERROR, NULL, "%s: %s", what, cause);
}

// Names are padded with zeros to their own length; HDF5 wants at least one byte.
static bool write_text(hid_t object, const char* name, const char* text)
{
    size_t length = strlen(text);
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    bool good = H5Tset_size(type, length ? length : 1) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
                H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0;
    hid_t attribute = good ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    good = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

static hid_t make_mode_type(void)
{
    hid_t type = H5Tenum_create(H5T_NATIVE_SCHAR);
    for (signed char m = SS_MODE_SLIP_PLUS; m <= SS_MODE_CLOSED; m++)
        H5Tenum_insert(type, ss_mode_name((ss_mode)m), &m);
    return type;
}

// Makes the dataset of one column with no rows yet; missing groups on the way are made too.
static bool make_dataset(h5* h, const ss_column* column, hid_t* out)
{
    char path[512];
    const char* field = ss_column_field(column->kind);
    bool of_body = column->kind == SS_COLUMN_X || column->kind == SS_COLUMN_V;
    if (column->kind == SS_COLUMN_T)
        snprintf(path, sizeof path, "/t");
    else
        snprintf(path, sizeof path, "/%s/%s/%s", of_body ? "bodies" : "contacts", column->name, field);

    hsize_t none = 0, unlimited = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(1, &none, &unlimited);
    hid_t links = H5Pcreate(H5P_LINK_CREATE), layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_char_encoding(links, H5T_CSET_UTF8);
    H5Pset_chunk(layout, 1, &h->block);
    hid_t type = column->kind == SS_COLUMN_MODE ? h->mode_type : H5T_IEEE_F64LE;
    *out = H5Dcreate2(h->file, path, type, space, links, layout, H5P_DEFAULT);
    const char* unit = ss_column_unit(column);
    bool good = *out >= 0 && (!unit[0] || write_text(*out, "unit", unit));
    H5Pclose(layout);
    H5Pclose(links);
    H5Sclose(space);
    return good;
}

static bool write_outcome(h5* h, const char* outcome)
{
    char text[OUTCOME_SIZE] = "";
    snprintf(text, sizeof text, "%s", outcome);
    return H5Dwrite(h->outcome, h->outcome_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
}

static bool make_outcome(h5* h)
{
    h->outcome_type = H5Tcopy(H5T_C_S1);
    H5Tset_size(h->outcome_type, OUTCOME_SIZE);
    hid_t space = H5Screate(H5S_SCALAR), layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(layout, H5D_ALLOC_TIME_EARLY); // its place must exist before the SWMR mode begins
    h->outcome = H5Dcreate2(h->file, "/outcome", h->outcome_type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    H5Pclose(layout);
    H5Sclose(space);
    return h->outcome >= 0 && write_outcome(h, "running");
}

static bool make_columns(h5* h)
{
    for (int k = 0; k < h->count; k++) {
        series* s = &h->all[k];
        bool mode = h->columns[k].kind == SS_COLUMN_MODE;
        s->type = mode ? h->mode_type : H5T_NATIVE_DOUBLE;
        s->size = mode ? sizeof(signed char) : sizeof(double);
        if (!make_dataset(h, &h->columns[k], &s->dataset)) return false;
    }
    return true;
}

static bool make_file(h5* h, const char* path, const ss_trace_def* def)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    h->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return h->file >= 0 && write_text(h->file, "title", ss_model_title(def->model)) &&
           write_text(h->file, "model", def->model_text ? def->model_text : "") &&
           write_text(h->file, "version", ss_version()) && make_outcome(h) && make_columns(h) &&
           H5Fflush(h->file, H5F_SCOPE_GLOBAL) >= 0 && H5Fstart_swmr_write(h->file) >= 0;
}

static bool append(series* s, hsize_t start, hsize_t count)
{
    hsize_t size = start + count;
    if (H5Dset_extent(s->dataset, &size) < 0) return false;
    hid_t target = H5Dget_space(s->dataset), source = H5Screate_simple(1, &count, NULL);
    bool good = H5Sselect_hyperslab(target, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                H5Dwrite(s->dataset, s->type, source, target, H5P_DEFAULT, s->values) >= 0;
    H5Sclose(source);
    H5Sclose(target);
    return good && H5Dflush(s->dataset) >= 0;
}

// Backwards, so that t, the column that says how many rows are complete, comes last.
static bool flush_rows(h5* h)
{
    for (int k = h->count - 1; k >= 0 && h->waiting > 0; k--)
        if (!append(&h->all[k], h->written, h->waiting)) return false;
    h->written += h->waiting;
    h->waiting = 0;
    h->flushed = time(NULL);
    return true;
}

static bool close_file(h5* h)
{
    bool good = true;
    for (int k = 0; h->all && k < h->count; k++)
        if (h->all[k].dataset >= 0 && H5Dclose(h->all[k].dataset) < 0) good = false;
    if (h->outcome >= 0 && H5Dclose(h->outcome) < 0) good = false;
    if (h->outcome_type >= 0) H5Tclose(h->outcome_type);
    if (h->mode_type >= 0) H5Tclose(h->mode_type);
    if (h->file >= 0 && H5Fclose(h->file) < 0) good = false;
    for (int k = 0; h->all && k < h->count; k++) h->all[k].dataset = -1;
    h->outcome = h->outcome_type = h->mode_type = h->file = -1;
    return good;
}

// After a failed write, HDF5 would still write lengths on closing that the file does not have, and leave it
// unreadable. Its descriptor is led into nothing instead: the file stays as if the process had been killed.
static void cut_off(h5* h)
{
    int* descriptor = NULL;
    int nothing = open("/dev/null", O_WRONLY);
    if (nothing >= 0 && h->file >= 0 && H5Fget_vfd_handle(h->file, H5P_DEFAULT, (void**)&descriptor) >= 0)
        dup2(nothing, *descriptor);
    if (nothing >= 0) close(nothing);
}

static void h5_free(h5* h)
{
    if (!h) return;
    listener l;
    listen(&l);
    if (h->broken) cut_off(h);
    close_file(h);
    stop_listening(&l);
    for (int k = 0; h->all && k < h->count; k++) free(h->all[k].values);
    free(h->all);
    free(h->columns);
    free(h);
}

// Rows per block: about 1 MB over all columns, so that wide systems do not hoard memory.
static hsize_t block_rows(int columns)
{
    int rows = (1 << 17) / columns;
    return (hsize_t)(rows > 1024 ? 1024 : rows < 16 ? 16 : rows);
}

static h5* h5_new(const ss_model* model)
{
    h5* h = ss_new(1, sizeof *h);
    if (!h) return NULL;
    h->file = h->outcome_type = h->outcome = -1;
    h->mode_type = make_mode_type();
    h->columns = ss_trace_columns(model, &h->count);
    h->all = h->columns ? ss_new((size_t)h->count, sizeof *h->all) : NULL;
    for (int k = 0; h->all && k < h->count; k++) h->all[k].dataset = -1;
    if (h->all) h->block = block_rows(h->count);
    bool good = h->all != NULL;
    for (int k = 0; good && k < h->count; k++) {
        h->all[k].values = ss_new((size_t)h->block, sizeof(double));
        good = h->all[k].values != NULL;
    }
    if (good) return h;
    h5_free(h);
    return NULL;
}

// Makes the file beside its target; only when readers can open it, it takes the place of an older one.
static ss_status place_file(h5* h, const ss_trace_def* def, const char* target, const char* temporary,
                            ss_error* err)
{
    FILE* probe; // tells a missing folder from a full disk better than HDF5 does
    ss_status status = ss_trace_open(target, temporary, &probe, err);
    if (status != SS_OK) return status;
    fclose(probe);
    listener l;
    listen(&l);
    bool good = make_file(h, temporary, def);
    stop_listening(&l);
    if (!good)
        status = hdf5_failed(err, "cannot create", &l);
    else if (rename(temporary, target) != 0)
        status = ss_fail(err, SS_FILE_ERROR, NULL, "cannot create: %s", strerror(errno));
    if (status != SS_OK) remove(temporary);
    return status;
}

static ss_status h5_create(const ss_trace_def* def, void** self, ss_error* err)
{
    *self = NULL;
    char* target = ss_trace_target(def->path);
    char* temporary = target ? ss_trace_temporary(target) : NULL;
    h5* h = temporary ? h5_new(def->model) : NULL;
    ss_status status = h ? place_file(h, def, target, temporary, err) : ss_fail_no_memory(err);
    free(temporary);
    free(target);
    if (status != SS_OK) {
        h5_free(h);
        return status;
    }
    h->flushed = time(NULL);
    *self = h;
    return SS_OK;
}

static ss_status h5_add(void* self, const ss_trace_row* row, ss_error* err)
{
    h5* h = self;
    for (int k = 0; k < h->count; k++) {
        if (h->columns[k].kind == SS_COLUMN_MODE)
            ((signed char*)h->all[k].values)[h->waiting] = (signed char)ss_column_mode(&h->columns[k], row);
        else
            ((double*)h->all[k].values)[h->waiting] = ss_column_value(&h->columns[k], row) + 0.0;
    }
    h->waiting++;
    if (h->waiting < h->block && time(NULL) == h->flushed) return SS_OK;
    listener l;
    listen(&l);
    bool good = flush_rows(h);
    stop_listening(&l);
    h->broken = !good;
    return good ? SS_OK : hdf5_failed(err, "cannot write", &l);
}

static ss_status h5_finish(void* self, const char* outcome, ss_error* err)
{
    h5* h = self;
    listener l;
    listen(&l);
    bool good = flush_rows(h) && write_outcome(h, outcome) && H5Fflush(h->file, H5F_SCOPE_GLOBAL) >= 0 &&
                close_file(h);
    stop_listening(&l);
    h->broken = !good;
    return good ? SS_OK : hdf5_failed(err, "cannot write", &l);
}

static void h5_destroy(void* self)
{
    h5* h = self;
    if (h && !h->broken) {
        listener l;
        listen(&l);
        flush_rows(h);
        stop_listening(&l);
    }
    h5_free(h);
}

const ss_trace_writer ss_trace_hdf5 = {".h5", h5_create, h5_add, h5_finish, h5_destroy};
