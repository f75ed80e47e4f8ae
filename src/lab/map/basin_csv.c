// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A map as comma-separated text. Numbers are SI and read back exactly.
#include "core/error.h"
#include "core/number_length.h"
#include "lab/file/output_file.h"
#include "lab/map/basin_label.h"
#include "lab/sweep/sweep_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Names with a comma or a quote are quoted as RFC 4180 says.
static void write_name(FILE* file, const char* before, const char* name, const char* after)
{
    bool quote = strpbrk(name, ",\"\n\r") != NULL;
    if (quote) fputc('"', file);
    fputs(before, file);
    for (const char* p = name; *p; p++) {
        if (*p == '"') fputc('"', file);
        fputc(*p, file);
    }
    fputs(after, file);
    if (quote) fputc('"', file);
}

static void write_head(FILE* file, const ss_map* map)
{
    const ss_basin* basin = map->basin;
    for (int a = 0; a < basin->axis_count; a++) {
        write_name(file, "", basin->axes[a].path, "");
        fputc(',', file);
    }
    fputs("outcome,t", file);
    for (int b = 0; b < basin->bodies; b++) {
        char name[300];
        fputc(',', file);
        write_name(file, basin->slider ? "final." : "end.", ss_basin_place_name(basin, b, name, sizeof name),
                   "");
    }
    for (int j = 0; j < basin->inner; j++) {
        fputc(',', file);
        write_name(file, "end.", ss_basin_inner_name(basin, j), "");
    }
    fputs(map->labels ? ",attractor\n" : "\n", file);
}

static void write_number(FILE* file, double value)
{
    char text[SS_NUMBER_SIZE];
    fputs(ss_number_format(value, 17, text, sizeof text), file);
}

static void write_row(FILE* file, const ss_map* map, const ss_basin_block* block, int64_t k,
                      const double values[], const int32_t labels[])
{
    const ss_basin* basin = map->basin;
    for (int a = 0; a < basin->axis_count; a++) {
        write_number(file, values[a] + 0.0); // -0 becomes 0
        fputc(',', file);
    }
    fputs(ss_fate_name(ss_cell_fate(block, k)), file);
    fputc(',', file);
    if (ss_cell_fate(block, k) == SS_FATE_REST && !isnan(block->t[k])) write_number(file, block->t[k]);
    for (int b = 0; b < basin->bodies; b++) {
        fputc(',', file);
        write_number(file, block->x[k * basin->bodies + b]);
    }
    for (int j = 0; j < basin->inner; j++) {
        fputc(',', file);
        write_number(file, block->inner[k * basin->inner + j]);
    }
    if (map->labels) fprintf(file, ",%d", labels[k]);
    fputc('\n', file);
}

static ss_status write_rows(FILE* file, const ss_map* map, ss_error* err)
{
    const ss_basin* basin = map->basin;
    void* payload = malloc(ss_basin_payload_size(basin, 0));
    double* values = ss_new((size_t)basin->axis_count, sizeof *values);
    int32_t* labels = ss_new((size_t)basin->block_cells, sizeof *labels);
    ss_status status = payload && values && labels ? SS_OK : ss_fail_no_memory(err);
    for (int64_t b = 0; b < basin->blocks && status == SS_OK && !ferror(file); b++) {
        status = ss_journal_read(map->journal, b, payload, err);
        if (status == SS_OK && map->labels) status = ss_labels_read(map->labels, b, labels, err);
        ss_basin_block block = ss_basin_view(basin, b, payload);
        for (int64_t k = 0; k < block.count && status == SS_OK; k++) {
            ss_basin_coordinates(basin, block.first + k, values);
            write_row(file, map, &block, k, values, labels);
        }
    }
    free(payload);
    free(values);
    free(labels);
    return status;
}

ss_status ss_map_write_csv(const ss_map* map, const char* path, ss_error* err)
{
    ss_status status = ss_map_need_whole(map, err);
    if (status != SS_OK) return status;
    char *target = ss_file_target(path), *temporary = target ? ss_map_temporary(target) : NULL;
    FILE* file = NULL;
    status = temporary ? ss_file_open(target, temporary, &file, err) : ss_fail_no_memory(err);
    if (status == SS_OK) {
        write_head(file, map);
        status = write_rows(file, map, err);
        if (status == SS_OK)
            status = ss_file_finish(file, temporary, target, err);
        else
            ss_file_give_up(file, temporary);
    }
    free(target);
    free(temporary);
    return status;
}
