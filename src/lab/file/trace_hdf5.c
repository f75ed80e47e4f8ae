// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Traces as HDF5. The tree of a file:
//
//     /                     attributes title, model (the text of the model file), version
//     /t                    s, one element per row
//     /bodies/NAME/x, v     attribute unit: m, m/s (rad, rad/s)
//     /contacts/NAME/force  attribute unit: N (N*m)
//     /contacts/NAME/mode   integers; attribute names: "0 slip+, 1 slip-, 2 stick, .."
//     /contacts/NAME/z      of LuGre and Dahl, attribute unit: m (rad)
//     /contacts/NAME/deflections[K]  of element K, from 0, of Maxwell-slip; likewise
//     /states/NAME          of an open model, with its unit; likewise /signals, /inputs, /memory
//     /slider/x, y, angle, vx, vy, spin                  of a slider, in place of /bodies
//     /contacts/supportN/force_x, force_y, moment, mode  of its supports; of a wheel, force
//     /outcome              "running" until the file is finished
//
// A file that HDF5 has open for writing is unreadable at many moments, and after a kill it stays so. (HDF5's
// own answer, its single-writer mode, leaves a mark that readers refuse, and `h5clear -s`, which HDF5 then
// suggests, cuts off every row.) So the rows go to a work file without a name, and at the end a complete copy
// of it takes the name that was asked for, in one step. Where that name was free, complete copies take it now
// and then before: a long run can be looked at, and after a kill there is a file that every reader opens, its
// rows whole, at most a moment behind. An older file stays until the new one is finished.
#define _POSIX_C_SOURCE 200809L // fileno
#include "core/error.h"
#include "lab/file/hdf5.h"
#include "lab/file/output_file.h"
#include "lab/file/trace_writer.h"
#include "share/file.h"
#include "slipstick/lab.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUTCOME_SIZE = 16 }; // bytes of /outcome

// A copy is due after this time, and again after that many times what the last one took: copying costs a run
// at most 5 %, and a kill costs at most that part of the rows.
static const double pause_s = 0.1, pauses = 20;

typedef struct series {
    hid_t dataset;
    hid_t type;   // of the elements in memory, borrowed
    size_t size;  // bytes of an element
    void* values; // the rows that wait
} series;

typedef struct h5 {
    hid_t file, outcome_type, outcome;
    ss_column* columns;
    series* all; // one per column; all[0] is t
    int count;
    hsize_t written; // rows in the file
    hsize_t waiting, block;
    char *target, *temporary; // names of the file and of a copy in the making
    double published_s;       // when the last copy was done, and how long it took
    double publishing_s;
    bool replaces; // there is an older file, which stays until this one is finished
    bool finished;
} h5;

// What the integers of a mode mean. An enumeration would say it too, but not every reader knows those.
static bool write_mode_names(hid_t dataset)
{
    char text[128] = "";
    for (int m = SS_MODE_SLIP_PLUS; m <= SS_MODE_SLIP; m++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%d %s", m > 0 ? ", " : "", m,
                 ss_mode_name((ss_mode)m));
    }
    return ss_hdf5_write_text(dataset, "names", text);
}

// Makes the dataset of one column with no rows yet; missing groups on the way are made too.
static bool make_dataset(h5* h, const ss_column* column, hid_t* out)
{
    char path[512];
    const char *name = column->name, *field = column->field, *dot = column->by ? "." : "/";
    snprintf(path, sizeof path, "%s%s%s%s/%s%s%s", column->group[0] ? "/" : "", column->group,
             column->by ? "/" : "", column->by ? column->by : "", name, name[0] && field[0] ? dot : "",
             field);

    hsize_t none = 0, unlimited = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(1, &none, &unlimited);
    hid_t links = H5Pcreate(H5P_LINK_CREATE), layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_char_encoding(links, H5T_CSET_UTF8);
    H5Pset_chunk(layout, 1, &h->block);
    hid_t type = ss_column_is_mode(column) ? H5T_STD_I8LE : H5T_IEEE_F64LE;
    *out = H5Dcreate2(h->file, path, type, space, links, layout, H5P_DEFAULT);
    const char* unit = column->unit;
    bool good = *out >= 0 && (!unit[0] || ss_hdf5_write_text(*out, "unit", unit));
    if (good && ss_column_is_mode(column)) good = write_mode_names(*out);
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
    hid_t space = H5Screate(H5S_SCALAR);
    h->outcome =
        H5Dcreate2(h->file, "/outcome", h->outcome_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
    return h->outcome >= 0 && write_outcome(h, "running");
}

static bool make_columns(h5* h)
{
    for (int k = 0; k < h->count; k++) {
        series* s = &h->all[k];
        bool mode = ss_column_is_mode(&h->columns[k]);
        s->type = mode ? H5T_NATIVE_SCHAR : H5T_NATIVE_DOUBLE;
        s->size = mode ? sizeof(signed char) : sizeof(double);
        if (!make_dataset(h, &h->columns[k], &s->dataset)) return false;
    }
    return true;
}

static bool make_file(h5* h, const ss_trace_def* def)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    // Version 1.8 is the first that allows attributes beyond 64 kB, and the last without marks of writers.
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
    h->file = H5Fcreate(h->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    remove(h->temporary); // HDF5 keeps it open, so it lives on without a name, and dies with the process
    return h->file >= 0 && ss_hdf5_write_text(h->file, "title", ss_trace_title(def)) &&
           ss_hdf5_write_text(h->file, "model", def->model_text ? def->model_text : "") &&
           ss_hdf5_write_text(h->file, "version", ss_version()) &&
           ss_hdf5_write_text(h->file, "made", def->made ? def->made : "") && make_outcome(h) &&
           make_columns(h);
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
    return good;
}

static bool write_rows(h5* h)
{
    for (int k = 0; k < h->count && h->waiting > 0; k++)
        if (!append(&h->all[k], h->written, h->waiting)) return false;
    h->written += h->waiting;
    h->waiting = 0;
    return true;
}

static bool close_file(h5* h)
{
    bool good = true;
    for (int k = 0; h->all && k < h->count; k++)
        if (h->all[k].dataset >= 0 && H5Dclose(h->all[k].dataset) < 0) good = false;
    if (h->outcome >= 0 && H5Dclose(h->outcome) < 0) good = false;
    if (h->outcome_type >= 0) H5Tclose(h->outcome_type);
    if (h->file >= 0 && H5Fclose(h->file) < 0) good = false;
    for (int k = 0; h->all && k < h->count; k++) h->all[k].dataset = -1;
    h->outcome = h->outcome_type = h->file = -1;
    return good;
}

static void h5_free(h5* h)
{
    if (!h) return;
    ss_hdf5_listener l;
    ss_hdf5_listen(&l);
    close_file(h);
    ss_hdf5_stop_listening(&l);
    for (int k = 0; h->all && k < h->count; k++) free(h->all[k].values);
    free(h->all);
    free(h->columns);
    free(h->target);
    free(h->temporary);
    free(h);
}

// Rows per block: about 8 MB over all columns, so that wide systems do not hoard memory.
static hsize_t block_rows(int columns)
{
    int rows = (1 << 20) / columns;
    return (hsize_t)(rows > 1024 ? 1024 : rows < 16 ? 16 : rows);
}

static h5* h5_new(const ss_trace_def* def)
{
    h5* h = ss_new(1, sizeof *h);
    if (!h) return NULL;
    h->file = h->outcome_type = h->outcome = -1;
    h->target = ss_file_target(def->path);
    h->temporary = h->target ? ss_file_temporary(h->target) : NULL;
    h->replaces = h->target && ss_file_exists(h->target);
    h->columns = ss_trace_columns(def, &h->count);
    h->all = h->columns ? ss_new((size_t)h->count, sizeof *h->all) : NULL;
    for (int k = 0; h->all && k < h->count; k++) h->all[k].dataset = -1;
    if (h->all) h->block = block_rows(h->count);
    bool good = h->all && h->temporary;
    for (int k = 0; good && k < h->count; k++) {
        h->all[k].values = ss_new((size_t)h->block, sizeof(double));
        good = h->all[k].values != NULL;
    }
    if (good) return h;
    h5_free(h);
    return NULL;
}

// ---- publishing
// --------------------------------------------------------------------------------------------

// A complete copy of the work file (an open descriptor) takes the target's name; only the last one is
// worth waiting for the disk.
static ss_status publish(h5* h, int work, ss_error* err)
{
    double start = ss_now_s();
    FILE* file;
    ss_status status = ss_file_open(h->target, h->temporary, &file, err);
    if (status != SS_OK) return status;
    errno = 0;
    if (ss_file_copy(work, fileno(file))) {
        status = (h->finished ? ss_file_finish : ss_file_publish)(file, h->temporary, h->target, err);
    } else {
        status = ss_file_write_failed(err);
        ss_file_give_up(file, h->temporary);
    }
    h->published_s = ss_now_s();
    h->publishing_s = h->published_s - start;
    return status;
}

static int descriptor_of(const h5* h)
{
    int* descriptor = NULL;
    return H5Fget_vfd_handle(h->file, H5P_DEFAULT, (void**)&descriptor) >= 0 ? *descriptor : -1;
}

// Writes the rows that wait and, where due, publishes.
static ss_status write_and_publish(h5* h, bool due, ss_error* err)
{
    ss_hdf5_listener l;
    ss_hdf5_listen(&l);
    bool good = write_rows(h) && (!due || H5Fflush(h->file, H5F_SCOPE_GLOBAL) >= 0);
    int work = good ? descriptor_of(h) : -1;
    ss_hdf5_stop_listening(&l);
    if (!good) return ss_hdf5_failed(err, "cannot write", &l);
    return due ? publish(h, work, err) : SS_OK;
}

// ---- the format
// --------------------------------------------------------------------------------------------

static ss_status h5_create(const ss_trace_def* def, void** self, ss_error* err)
{
    *self = NULL;
    // Everything is closed here. HDF5 would try again at exit what a full disk has refused, and crash
    // (1.10.8).
    H5dont_atexit();
    h5* h = h5_new(def);
    if (!h) return ss_fail_no_memory(err);
    FILE* probe; // tells a missing folder from a full disk better than HDF5 does
    ss_status status = ss_file_open(h->target, h->temporary, &probe, err);
    if (status == SS_OK) {
        fclose(probe);
        ss_hdf5_listener l;
        ss_hdf5_listen(&l);
        if (!make_file(h, def)) status = ss_hdf5_failed(err, "cannot create", &l);
        ss_hdf5_stop_listening(&l);
    }
    if (status != SS_OK) {
        h5_free(h);
        return status;
    }
    h->published_s = ss_now_s();
    *self = h;
    return SS_OK;
}

static ss_status h5_add(void* self, const ss_moment* row, ss_error* err)
{
    h5* h = self;
    for (int k = 0; k < h->count; k++) {
        if (ss_column_is_mode(&h->columns[k]))
            ((signed char*)h->all[k].values)[h->waiting] = (signed char)ss_column_mode(&h->columns[k], row);
        else
            ((double*)h->all[k].values)[h->waiting] = ss_column_value(&h->columns[k], row) + 0.0;
    }
    h->waiting++;
    bool due = !h->replaces && ss_now_s() - h->published_s > fmax(pause_s, pauses * h->publishing_s);
    return h->waiting < h->block && !due ? SS_OK : write_and_publish(h, due, err);
}

static ss_status h5_finish(void* self, const char* outcome, ss_error* err)
{
    h5* h = self;
    ss_status status = write_and_publish(h, false, err);
    if (status != SS_OK) return status;
    ss_hdf5_listener l;
    ss_hdf5_listen(&l);
    int work = dup(descriptor_of(h)); // outlives HDF5's own, for the copy of the closed file
    bool good = work >= 0 && write_outcome(h, outcome) && close_file(h);
    ss_hdf5_stop_listening(&l);
    h->finished = true;
    status = good ? publish(h, work, err) : ss_hdf5_failed(err, "cannot write", &l);
    if (work >= 0) close(work);
    return status;
}

// Given up: what there is still becomes a file, unless that would cost an older one.
static void h5_destroy(void* self)
{
    h5* h = self;
    if (h && !h->finished && !h->replaces) write_and_publish(h, true, NULL);
    h5_free(h);
}

const ss_trace_writer ss_trace_hdf5 = {".h5", h5_create, h5_add, h5_finish, h5_destroy};
