// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The rows of a scan that is complete: read back block by block, and written as comma-separated text.
#include "lab/scan/scan_impl.h"

#include "core/error.h"
#include "core/number_length.h"
#include "lab/file/output_file.h"
#include "lab/sweep/sweep_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    const ss_scan* scan;
    void* payload;
    double *values, *rows; // axes of a cell; its rows
    ss_scan_rows_sink* sink;
    void* user;
} reading;

const char* ss_scan_status_name(ss_scan_status status)
{
    static const char* const names[] = {"settled", "moving", "rest", "escaped", "event-limit"};
    return names[status];
}

static ss_scan_status status_of(const ss_basin_block* block, int64_t k)
{
    ss_fate fate = ss_cell_fate(block, k);
    if (block->fate[k] & SS_CELL_LIMITED) return SS_SCAN_EVENT_LIMIT;
    if (fate != SS_FATE_MOVING) return fate == SS_FATE_REST ? SS_SCAN_REST : SS_SCAN_ESCAPED;
    return block->fate[k] & SS_CELL_SETTLED ? SS_SCAN_SETTLED : SS_SCAN_MOVING;
}

static int64_t most_rows(const ss_scan* scan) { return scan->measure_count > 0 ? 1 : scan->keep; }

static int64_t rows_of(const ss_scan* scan, const double cell[])
{
    return scan->measure_count > 0 ? 1 : (int64_t)cell[0];
}

// Fills the rows of a cell and returns how many there are.
static int64_t make_rows(const reading* r, const double cell[])
{
    const ss_scan* scan = r->scan;
    int axes = scan->cells->axis_count, wide = scan->column_count - axes;
    const double* from = scan->measure_count > 0 ? cell : cell + 1;
    int64_t count = rows_of(scan, cell);
    for (int64_t k = 0; k < count; k++) {
        double* row = r->rows + k * scan->column_count;
        for (int a = 0; a < axes; a++) row[a] = r->values[a] + 0.0; // -0 becomes 0
        memcpy(row + axes, from + k * wide, (size_t)wide * sizeof *row);
    }
    return count;
}

static ss_status read_all(reading* r, const ss_map* map, ss_error* err)
{
    const ss_basin* cells = r->scan->cells;
    int64_t width = ss_scan_width(r->scan);
    bool goes_on = true;
    for (int64_t b = 0; b < cells->blocks && goes_on; b++) {
        ss_status status = ss_journal_read(map->journal, b, r->payload, err);
        if (status != SS_OK) return status;
        int64_t first = ss_basin_block_first(cells, b), count = ss_basin_block_count(cells, b);
        ss_basin_block block = ss_basin_view(cells, b, r->payload);
        for (int64_t k = 0; k < count && goes_on; k++) {
            ss_basin_coordinates(cells, first + k, r->values);
            int64_t rows = make_rows(r, (const double*)r->payload + k * width);
            if (rows > 0) goes_on = r->sink(r->user, r->rows, (size_t)rows, status_of(&block, k));
        }
    }
    return SS_OK;
}

ss_status ss_scan_read_rows(const ss_scan* scan, const ss_map* map, ss_scan_rows_sink* sink, void* user,
                            ss_error* err)
{
    ss_status status = ss_map_need_whole(map, err);
    if (status != SS_OK) return status;
    reading r = {.scan = scan, .sink = sink, .user = user};
    r.payload = malloc(ss_basin_payload_size(scan->cells, 0));
    r.values = ss_new((size_t)scan->cells->axis_count, sizeof *r.values);
    r.rows = ss_new((size_t)most_rows(scan) * (size_t)scan->column_count, sizeof *r.rows);
    status = r.payload && r.values && r.rows ? read_all(&r, map, err) : ss_fail_no_memory(err);
    free(r.payload);
    free(r.values);
    free(r.rows);
    return status;
}

typedef struct plain_sink {
    ss_scan_sink* sink;
    void* user;
} plain_sink;

static bool pass_on(void* user, const double rows[], size_t count, ss_scan_status status)
{
    const plain_sink* to = user;
    (void)status;
    return to->sink(to->user, rows, count);
}

ss_status ss_scan_read(const ss_scan* scan, const ss_map* map, ss_scan_sink* sink, void* user, ss_error* err)
{
    plain_sink to = {sink, user};
    return ss_scan_read_rows(scan, map, pass_on, &to, err);
}

ss_status ss_scan_summarize(const ss_scan* scan, const ss_map* map, ss_scan_summary* out, ss_error* err)
{
    const ss_basin* cells = scan->cells;
    int64_t width = ss_scan_width(scan);
    *out = (ss_scan_summary){.values = cells->cells, .limited = map->summary.counts.limited};
    ss_status status = ss_map_need_whole(map, err);
    if (status != SS_OK) return status;
    double* payload = malloc(ss_basin_payload_size(cells, 0));
    if (!payload) return ss_fail_no_memory(err);
    for (int64_t b = 0; b < cells->blocks && status == SS_OK; b++) {
        status = ss_journal_read(map->journal, b, payload, err);
        ss_basin_block block = ss_basin_view(cells, b, payload);
        for (int64_t k = 0; k < block.count && status == SS_OK; k++) {
            const double* cell = payload + k * width;
            out->rows += rows_of(scan, cell);
            out->short_of += (block.fate[k] & SS_CELL_SHORT) != 0;
            out->statuses[status_of(&block, k)]++;
        }
    }
    free(payload);
    return status;
}

// ---- comma-separated text

// Names with a comma or a quote are quoted as RFC 4180 says.
static void write_name(FILE* file, const char* name)
{
    bool quote = strpbrk(name, ",\"\n\r") != NULL;
    if (quote) fputc('"', file);
    for (const char* p = name; *p; p++) {
        if (*p == '"') fputc('"', file);
        fputc(*p, file);
    }
    if (quote) fputc('"', file);
}

typedef struct writing {
    FILE* file;
    int columns;
    bool status; // is the last column
} writing;

static bool write_rows(void* user, const double rows[], size_t count, ss_scan_status status)
{
    const writing* w = user;
    char text[SS_NUMBER_SIZE];
    for (size_t k = 0; k < count; k++) {
        for (int c = 0; c < w->columns; c++) {
            double value = rows[k * (size_t)w->columns + (size_t)c];
            if (!isnan(value)) fputs(ss_number_format(value, 17, text, sizeof text), w->file);
            if (c + 1 < w->columns) fputc(',', w->file);
        }
        if (w->status) fprintf(w->file, ",%s", ss_scan_status_name(status));
        fputc('\n', w->file);
    }
    return !ferror(w->file);
}

ss_status ss_scan_write_csv(const ss_scan* scan, const ss_map* map, const char* path, bool with_status,
                            ss_error* err)
{
    ss_status status = ss_map_need_whole(map, err);
    if (status != SS_OK) return status;
    char *target = ss_file_target(path), *temporary = target ? ss_map_temporary(target) : NULL;
    writing w = {.columns = scan->column_count, .status = with_status};
    status = temporary ? ss_file_open(target, temporary, &w.file, err) : ss_fail_no_memory(err);
    if (status == SS_OK) {
        for (int c = 0; c < w.columns; c++) {
            write_name(w.file, scan->columns[c]);
            if (c + 1 < w.columns) fputc(',', w.file);
        }
        fputs(w.status ? ",status\n" : "\n", w.file);
        status = ss_scan_read_rows(scan, map, write_rows, &w, err);
        if (status == SS_OK)
            status = ss_file_finish(w.file, temporary, target, err);
        else
            ss_file_give_up(w.file, temporary);
    }
    free(target);
    free(temporary);
    return status;
}

// ---- units

// The measure of a column, counted after the axes; *part: which of its columns.
static const ss_measure* measure_of(const ss_scan* scan, int wanted, int* part)
{
    const ss_measure* measure = scan->measures;
    for (; wanted >= ss_measure_columns(measure); measure++) wanted -= ss_measure_columns(measure);
    *part = wanted;
    return measure;
}

const char* ss_scan_unit(const ss_scan* scan, int column, char* out, size_t size)
{
    int part = 0, wanted = column - scan->cells->axis_count;
    const ss_model* model = scan->cells->model;
    if (wanted < 0) return ss_basin_axis_unit(scan->cells, column, out, size);
    if (scan->measure_count == 0) return ss_quantity_unit(model, scan->show[wanted], out, size);
    const ss_measure* measure = measure_of(scan, wanted, &part);
    if (part == 1) return "rad";
    switch (measure->kind) {
    case SS_MEASURE_PERIOD:
    case SS_MEASURE_RETURN:
    case SS_MEASURE_SETTLING: return "s";
    case SS_MEASURE_LYAPUNOV: return "1/s";
    case SS_MEASURE_DISSIPATION: return "J";
    case SS_MEASURE_OVERSHOOT:
    case SS_MEASURE_STICK_SHARE: return "1";
    default: return ss_quantity_unit(model, measure->of, out, size);
    }
}
