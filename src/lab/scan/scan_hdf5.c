// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A scan as HDF5, one dataset per column, those that vary in /over. HDF5 lays out the file; the numbers are
// then written to their places directly, as in basin_hdf5.c, so that a full disk is met by us and not by
// HDF5.
#define _POSIX_C_SOURCE 200809L // fileno
#include "lab/scan/scan_impl.h"

#include "core/error.h"
#include "lab/file/hdf5.h"
#include "lab/file/output_file.h"
#include "lab/sweep/sweep_map.h"
#include "share/model_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct scan_file {
    const ss_scan* scan;
    const ss_map* map;
    char *target, *temporary;
    hid_t file;
    haddr_t* at; // of the first number of each column
    int64_t rows, written;
    int descriptor;
    double* column; // of the rows at hand
    bool failed;
} scan_file;

// ---- the layout

static bool make_column(scan_file* f, int c)
{
    char path[600], unit[64];
    snprintf(path, sizeof path, c < f->scan->cells->axis_count ? "/over/%s" : "/%s", f->scan->columns[c]);
    hsize_t count = (hsize_t)f->rows;
    hid_t space = H5Screate_simple(1, &count, NULL), layout = H5Pcreate(H5P_DATASET_CREATE),
          links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_char_encoding(links, H5T_CSET_UTF8);
    H5Pset_layout(layout, H5D_CONTIGUOUS);
    H5Pset_alloc_time(layout, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(layout, 0); // the same scan, the same bytes
    hid_t dataset = H5Dcreate2(f->file, path, H5T_NATIVE_DOUBLE, space, links, layout, H5P_DEFAULT);
    const char* text = ss_scan_unit(f->scan, c, unit, sizeof unit);
    bool good = dataset >= 0 && (!text[0] || ss_hdf5_write_text(dataset, "unit", text));
    if (good) f->at[c] = H5Dget_offset(dataset);
    if (dataset >= 0) H5Dclose(dataset);
    H5Pclose(layout);
    H5Pclose(links);
    H5Sclose(space);
    return good && (f->at[c] != HADDR_UNDEF || f->rows == 0);
}

static bool make_group(const scan_file* f, const char* path)
{
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(creation, 0);
    hid_t group = H5Gcreate2(f->file, path, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    return group >= 0 && H5Gclose(group) >= 0;
}

static bool write_attributes(const scan_file* f)
{
    char skip[32], keep[32];
    const ss_basin* cells = f->scan->cells;
    snprintf(skip, sizeof skip, "%" PRId64, f->scan->skip);
    snprintf(keep, sizeof keep, "%" PRId64, f->scan->keep);
    return ss_hdf5_write_text(f->file, "title", ss_model_title(cells->model)) &&
           ss_hdf5_write_text(f->file, "model", f->map->model_text ? f->map->model_text : "") &&
           ss_hdf5_write_text(f->file, "version", ss_version()) &&
           ss_hdf5_write_text(f->file, "made", f->map->made ? f->map->made : "") &&
           ss_hdf5_write_text(f->file, "question", cells->question) &&
           ss_hdf5_write_text(f->file, "section", f->scan->section_text) &&
           ss_hdf5_write_text(f->file, "skip", skip) && ss_hdf5_write_text(f->file, "keep", keep);
}

static bool make_file(void* self)
{
    scan_file* f = self;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18); // attributes beyond 64 kB
    H5Pset_obj_track_times(creation, 0);
    f->file = H5Fcreate(f->temporary, H5F_ACC_TRUNC, creation, access);
    H5Pclose(creation);
    H5Pclose(access);
    if (f->file < 0) return false;
    bool good = write_attributes(f) && make_group(f, "/over");
    for (int c = 0; c < f->scan->column_count && good; c++) good = make_column(f, c);
    return H5Fclose(f->file) >= 0 && good;
}

// ---- the numbers

static bool put_rows(void* user, const double rows[], size_t count)
{
    scan_file* f = user;
    size_t columns = (size_t)f->scan->column_count;
    for (size_t c = 0; c < columns; c++) {
        for (size_t k = 0; k < count; k++) f->column[k] = rows[k * columns + c];
        off_t at = (off_t)(f->at[c] + (haddr_t)f->written * sizeof *f->column);
        if (!ss_file_write_at(f->descriptor, at, f->column, count * sizeof *f->column)) f->failed = true;
    }
    f->written += (int64_t)count;
    return !f->failed;
}

static ss_status fill(scan_file* f, ss_error* err)
{
    FILE* file = fopen(f->temporary, "r+b"); // as HDF5 has laid it out
    if (!file) {
        ss_status missing = ss_file_write_failed(err);
        remove(f->temporary);
        return missing;
    }
    f->descriptor = fileno(file);
    ss_status status = ss_scan_read(f->scan, f->map, put_rows, f, err);
    if (status == SS_OK && f->failed) status = ss_file_write_failed(err);
    if (status == SS_OK) return ss_file_finish(file, f->temporary, f->target, err);
    ss_file_give_up(file, f->temporary);
    return status;
}

ss_status ss_scan_write_hdf5(const ss_scan* scan, const ss_map* map, const char* path, ss_error* err)
{
    ss_scan_summary summary;
    ss_status status = ss_scan_summarize(scan, map, &summary, err);
    if (status != SS_OK) return status;
    scan_file f = {.scan = scan, .map = map, .file = -1, .rows = summary.rows};
    f.target = ss_file_target(path);
    f.temporary = f.target ? ss_map_temporary(f.target) : NULL;
    f.at = ss_new((size_t)scan->column_count, sizeof *f.at);
    f.column = ss_new((size_t)scan->keep, sizeof *f.column);
    status = f.temporary && f.at && f.column ? ss_hdf5_lay_out(f.target, f.temporary, make_file, &f, err)
                                             : ss_fail_no_memory(err);
    if (status == SS_OK) status = fill(&f, err);
    free(f.target);
    free(f.temporary);
    free(f.at);
    free(f.column);
    return status;
}

bool ss_scan_is_finished(const ss_scan* scan, const char* path)
{
    ss_hdf5_listener l;
    ss_hdf5_listen(&l);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    bool same = file >= 0 && ss_hdf5_has_text(file, "question", scan->cells->question);
    if (file >= 0) H5Fclose(file);
    ss_hdf5_stop_listening(&l);
    return same;
}
