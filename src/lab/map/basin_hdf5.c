// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A map as HDF5. HDF5 lays out the file: every dataset in one piece, its place fixed. The numbers are then
// written there directly, block by block: a linear stretch of cells is no box of a grid, which HDF5 would
// want, and a full disk is met by us and not by HDF5.
#define _POSIX_C_SOURCE 200809L // fileno
#include "core/error.h"
#include "lab/file/hdf5.h"
#include "lab/file/output_file.h"
#include "lab/map/basin_label.h"
#include "lab/sweep/sweep_map.h"
#include "share/model_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A dataset that holds one number per cell.
typedef struct column {
    haddr_t at;  // of its first number in the file
    size_t size; // of a number
} column;

typedef struct map_file {
    const ss_map* map;
    char *target, *temporary;
    hid_t file;
    column outcome, t, attractor;
    column* x;     // one per body
    column* inner; // one per state and memory of an open model
    column* over;  // one per axis
    int descriptor;
    char* scratch; // a column of one block
} map_file;

// ---- the layout ----

static hid_t make_space(const ss_basin* basin)
{
    hsize_t dims[32];
    int rank = basin->random > 0 || basin->axis_count > 32 ? 1 : basin->axis_count;
    if (rank == 1) dims[0] = (hsize_t)basin->cells;
    for (int a = 0; a < rank && rank > 1; a++) dims[rank - 1 - a] = (hsize_t)basin->axes[a].count;
    return H5Screate_simple(rank, dims, NULL);
}

// Makes a dataset in one piece whose place is known at once. No times are kept: the same map, the same bytes.
static bool make_dataset(map_file* f, const char* path, hid_t type, hid_t space, const char* unit,
                         column* out)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE), layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_char_encoding(links, H5T_CSET_UTF8);
    H5Pset_layout(layout, H5D_CONTIGUOUS);
    H5Pset_alloc_time(layout, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(layout, 0);
    hid_t dataset = H5Dcreate2(f->file, path, type, space, links, layout, H5P_DEFAULT);
    bool good = dataset >= 0 && (!unit || ss_hdf5_write_text(dataset, "unit", unit));
    if (good) *out = (column){H5Dget_offset(dataset), H5Tget_size(type)};
    if (dataset >= 0) H5Dclose(dataset);
    H5Pclose(layout);
    H5Pclose(links);
    return good && out->at != HADDR_UNDEF;
}

static bool make_group(map_file* f, const char* path)
{
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(creation, 0);
    hid_t group = H5Gcreate2(f->file, path, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    return group >= 0 && H5Gclose(group) >= 0;
}

static bool make_outcome(map_file* f, hid_t space)
{
    hid_t type = H5Tenum_create(H5T_NATIVE_UCHAR);
    for (unsigned char fate = SS_FATE_REST; fate <= SS_FATE_MOVING; fate++)
        H5Tenum_insert(type, ss_fate_name((ss_fate)fate), &fate);
    bool good = make_dataset(f, "/outcome", type, space, NULL, &f->outcome);
    H5Tclose(type);
    return good;
}

static bool make_axes(map_file* f)
{
    const ss_basin* basin = f->map->basin;
    bool good = make_group(f, "/over");
    for (int a = 0; a < basin->axis_count && good; a++) {
        char path[600], unit[64];
        snprintf(path, sizeof path, "/over/%s", basin->axes[a].path);
        hsize_t count = (hsize_t)(basin->random > 0 ? basin->cells : basin->axes[a].count);
        hid_t space = H5Screate_simple(1, &count, NULL);
        ss_basin_axis_unit(basin, a, unit, sizeof unit);
        good = make_dataset(f, path, H5T_NATIVE_DOUBLE, space, unit[0] ? unit : NULL, &f->over[a]);
        H5Sclose(space);
    }
    return good;
}

static bool make_positions(map_file* f, hid_t space)
{
    const ss_basin* basin = f->map->basin;
    bool good = make_group(f, basin->slider ? "/final" : "/x");
    for (int b = 0; b < basin->bodies && good; b++) {
        char path[600], name[300];
        if (basin->slider)
            snprintf(path, sizeof path, "/final/%s", ss_basin_place_name(basin, b, name, sizeof name));
        else
            snprintf(path, sizeof path, "/x/%s", ss_model_body_name(basin->model, b));
        const char* unit = ss_basin_place_unit(basin, b);
        good = make_dataset(f, path, H5T_NATIVE_DOUBLE, space, unit, &f->x[b]);
    }
    return good;
}

static bool make_inner(map_file* f, hid_t space)
{
    const ss_basin* basin = f->map->basin;
    int states = basin->model ? ss_model_state_count(basin->model) : 0;
    bool good = states == 0 || make_group(f, "/states");
    good = (basin->inner == states || make_group(f, "/memory")) && good;
    for (int j = 0; j < basin->inner && good; j++) {
        char path[600], unit[64];
        snprintf(path, sizeof path, "/%s/%s", j < states ? "states" : "memory",
                 ss_basin_inner_name(basin, j));
        good = make_dataset(f, path, H5T_NATIVE_DOUBLE, space,
                            ss_basin_inner_unit(basin, j, unit, sizeof unit), &f->inner[j]);
    }
    return good;
}

static bool write_number(hid_t object, const char* name, int64_t value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, &value) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    return good;
}

static bool write_attributes(map_file* f)
{
    const ss_map* map = f->map;
    ss_basin_counts counts = *ss_journal_counts(map->journal);
    return ss_hdf5_write_text(f->file, "title", ss_basin_title(map->basin)) &&
           ss_hdf5_write_text(f->file, "model", map->model_text ? map->model_text : "") &&
           ss_hdf5_write_text(f->file, "version", ss_version()) &&
           ss_hdf5_write_text(f->file, "made", map->made ? map->made : "") &&
           ss_hdf5_write_text(f->file, "question", map->basin->question) &&
           write_number(f->file, "cells", map->basin->cells) && write_number(f->file, "rest", counts.rest) &&
           write_number(f->file, "escaped", counts.escaped) &&
           write_number(f->file, "moving", counts.moving) &&
           write_number(f->file, "limited", counts.limited) && write_number(f->file, "alone", counts.alone);
}

static bool make_file(void* self)
{
    map_file* f = self;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18); // attributes beyond 64 kB
    H5Pset_obj_track_times(creation, 0);                          // of the root group
    f->file = H5Fcreate(f->temporary, H5F_ACC_TRUNC, creation, access);
    H5Pclose(creation);
    H5Pclose(access);
    if (f->file < 0) return false;
    hid_t space = make_space(f->map->basin);
    bool good =
        write_attributes(f) && make_axes(f) && make_outcome(f, space) &&
        make_dataset(f, "/t", H5T_NATIVE_DOUBLE, space, "s", &f->t) && make_positions(f, space) &&
        make_inner(f, space) &&
        (!f->map->labels || make_dataset(f, "/attractor", H5T_NATIVE_INT32, space, NULL, &f->attractor));
    H5Sclose(space);
    if (H5Fclose(f->file) < 0) good = false;
    return good;
}

// ---- the numbers ----

static bool put(map_file* f, const column* c, int64_t first, int64_t count, const void* numbers)
{
    off_t at = (off_t)(c->at + (haddr_t)first * c->size);
    return ss_file_write_at(f->descriptor, at, numbers, (size_t)count * c->size);
}

static bool put_grid_axes(map_file* f)
{
    const ss_basin* basin = f->map->basin;
    for (int a = 0; a < basin->axis_count; a++) {
        for (int64_t k = 0; k < basin->axes[a].count; k++) {
            double value = ss_basin_grid_value(&basin->axes[a], k) + 0.0;
            if (!put(f, &f->over[a], k, 1, &value)) return false;
        }
    }
    return true;
}

static bool put_starts(map_file* f, const ss_basin_block* block, double values[])
{
    const ss_basin* basin = f->map->basin;
    double* numbers = (double*)f->scratch;
    for (int a = 0; a < basin->axis_count; a++) {
        for (int64_t k = 0; k < block->count; k++) {
            ss_basin_coordinates(basin, block->first + k, values);
            numbers[k] = values[a];
        }
        if (!put(f, &f->over[a], block->first, block->count, numbers)) return false;
    }
    return true;
}

static bool put_block(map_file* f, const ss_basin_block* block)
{
    int bodies = f->map->basin->bodies;
    double* numbers = (double*)f->scratch;
    for (int64_t k = 0; k < block->count; k++) f->scratch[k] = (char)ss_cell_fate(block, k);
    if (!put(f, &f->outcome, block->first, block->count, f->scratch)) return false;
    for (int64_t k = 0; k < block->count; k++)
        numbers[k] = ss_cell_fate(block, k) == SS_FATE_REST ? block->t[k] : NAN;
    if (!put(f, &f->t, block->first, block->count, numbers)) return false;
    for (int b = 0; b < bodies; b++) {
        for (int64_t k = 0; k < block->count; k++) numbers[k] = block->x[k * bodies + b];
        if (!put(f, &f->x[b], block->first, block->count, numbers)) return false;
    }
    int inner = f->map->basin->inner;
    for (int j = 0; j < inner; j++) {
        for (int64_t k = 0; k < block->count; k++) numbers[k] = block->inner[k * inner + j];
        if (!put(f, &f->inner[j], block->first, block->count, numbers)) return false;
    }
    return true;
}

static ss_status put_labels(map_file* f, int64_t b, ss_error* err)
{
    if (!f->map->labels) return SS_OK;
    ss_status status = ss_labels_read(f->map->labels, b, (int32_t*)f->scratch, err);
    if (status != SS_OK) return status;
    const ss_basin* basin = f->map->basin;
    return put(f, &f->attractor, ss_basin_block_first(basin, b), ss_basin_block_count(basin, b), f->scratch)
               ? SS_OK
               : ss_file_write_failed(err);
}

static ss_status put_all(map_file* f, ss_error* err)
{
    const ss_basin* basin = f->map->basin;
    void* payload = malloc(ss_basin_payload_size(basin, 0));
    double* values = ss_new((size_t)basin->axis_count, sizeof *values);
    ss_status status = payload && values ? SS_OK : ss_fail_no_memory(err);
    if (status == SS_OK && basin->random == 0 && !put_grid_axes(f)) status = ss_file_write_failed(err);
    for (int64_t b = 0; b < basin->blocks && status == SS_OK; b++) {
        status = ss_journal_read(f->map->journal, b, payload, err);
        ss_basin_block block = ss_basin_view(basin, b, payload);
        errno = 0;
        if (status == SS_OK &&
            (!put_block(f, &block) || (basin->random > 0 && !put_starts(f, &block, values))))
            status = ss_file_write_failed(err);
        if (status == SS_OK) status = put_labels(f, b, err);
    }
    free(payload);
    free(values);
    return status;
}

// ---- the whole ----

static ss_status fill(map_file* f, ss_error* err)
{
    FILE* file = fopen(f->temporary, "r+b"); // as HDF5 has laid it out
    if (!file) {
        ss_status missing = ss_file_write_failed(err);
        remove(f->temporary);
        return missing;
    }
    f->descriptor = fileno(file);
    ss_status status = put_all(f, err);
    if (status == SS_OK) return ss_file_finish(file, f->temporary, f->target, err);
    ss_file_give_up(file, f->temporary);
    return status;
}

ss_status ss_map_write_hdf5(const ss_map* map, const char* path, ss_error* err)
{
    ss_status status = ss_map_need_whole(map, err);
    if (status != SS_OK) return status;
    const ss_basin* basin = map->basin;
    map_file f = {.map = map, .file = -1, .descriptor = -1};
    f.target = ss_file_target(path);
    f.temporary = f.target ? ss_map_temporary(f.target) : NULL;
    f.x = ss_new((size_t)basin->bodies, sizeof *f.x);
    f.inner = ss_new((size_t)basin->inner, sizeof *f.inner);
    f.over = ss_new((size_t)basin->axis_count, sizeof *f.over);
    f.scratch = ss_new((size_t)basin->block_cells, sizeof(double));
    if (!f.temporary || !f.x || !f.inner || !f.over || !f.scratch) status = ss_fail_no_memory(err);
    if (status == SS_OK) {
        status = ss_hdf5_lay_out(f.target, f.temporary, make_file, &f, err);
        if (status == SS_OK) status = fill(&f, err);
    }
    free(f.target);
    free(f.temporary);
    free(f.x);
    free(f.inner);
    free(f.over);
    free(f.scratch);
    return status;
}

// ---- reading back ----

static bool read_number(hid_t file, const char* name, int64_t* out)
{
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Aread(attribute, H5T_NATIVE_INT64, out) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    return good;
}

bool ss_map_is_finished(const char* path, const ss_basin* basin, ss_basin_counts* counts)
{
    ss_hdf5_listener l;
    ss_hdf5_listen(&l);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    bool good = file >= 0 && ss_hdf5_has_text(file, "question", basin->question) &&
                read_number(file, "rest", &counts->rest) && read_number(file, "escaped", &counts->escaped) &&
                read_number(file, "moving", &counts->moving) &&
                read_number(file, "limited", &counts->limited) && read_number(file, "alone", &counts->alone);
    if (file >= 0) H5Fclose(file);
    ss_hdf5_stop_listening(&l);
    return good;
}
