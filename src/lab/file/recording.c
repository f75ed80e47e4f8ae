// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Recordings: which columns of a table are wanted, in which unit their numbers are, and the numbers.
#define _POSIX_C_SOURCE 200809L // strdup
#include "lab/file/recording.h"

#include "core/error.h"
#include "core/number_length.h"
#include "lab/file/columns.h"
#include "share/quantity.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A column that is wanted: its place among the cells of a row (from 0), and its unit.
typedef struct wanted {
    int place;
    ss_recording_column column;
    bool unit_asked_for; // in the question, which wins over the file
} wanted;

typedef struct reader {
    ss_table table;
    char** headers; // NULL: the table has no header line
    int width;
    wanted time;
    wanted* values;
    ss_recording* recording;
    ss_error* err;
} reader;

// A cell without a sample: empty, or as other programs write it, NaN or NA.
static bool is_missing(const char* cell)
{
    char word[4] = "";
    if (strlen(cell) > 3) return false;
    for (int k = 0; cell[k]; k++) word[k] = (char)tolower((unsigned char)cell[k]);
    return word[0] == '\0' || strcmp(word, "nan") == 0 || strcmp(word, "na") == 0;
}

// ---- headers

// A first line of numbers, some of them missing perhaps, is no header.
static bool is_of_numbers(const ss_table* table)
{
    int numbers = 0;
    double ignored;
    for (int k = 0; k < table->count; k++) {
        bool number = ss_number_read(table->cells[k], &ignored);
        if (!number && !is_missing(table->cells[k])) return false;
        numbers += number;
    }
    return numbers > 0;
}

static ss_status keep_headers(reader* r)
{
    r->width = r->table.count;
    if (is_of_numbers(&r->table)) return SS_OK;
    r->headers = ss_new((size_t)r->width, sizeof *r->headers);
    if (!r->headers) return ss_fail_no_memory(r->err);
    for (int k = 0; k < r->width; k++)
        if (!(r->headers[k] = strdup(r->table.cells[k]))) return ss_fail_no_memory(r->err);
    return SS_OK;
}

// "x [mm]" is called "x" as well: the length of that part, and where the unit begins.
static size_t plain_length(const char* header, const char** unit)
{
    size_t length = strlen(header);
    const char* open = strrchr(header, '[');
    *unit = NULL;
    if (!open || header[length - 1] != ']') return length;
    *unit = open + 1;
    length = (size_t)(open - header);
    while (length > 0 && header[length - 1] == ' ') length--;
    return length;
}

static bool is_called(const reader* r, int k, const char* name, size_t length, bool whole)
{
    const char* unit;
    char number[16];
    const char* header = r->headers ? r->headers[k] : number;
    if (!r->headers) snprintf(number, sizeof number, "%d", k + 1);
    size_t size = whole ? strlen(header) : plain_length(header, &unit);
    return size == length && strncmp(header, name, length) == 0;
}

// The column of that name: -1 if there is none, -2 if there are two.
static int find_name(const reader* r, const char* name, size_t length)
{
    for (int whole = 1; whole >= 0; whole--) {
        int found = -1;
        for (int k = 0; k < r->width; k++)
            if (is_called(r, k, name, length, whole)) found = found == -1 ? k : -2;
        if (found != -1) return found;
    }
    return -1;
}

// "position_mm mm": the longest beginning that is the name of a column; the rest is a unit.
static int find_column(const reader* r, const char* spec, const char** unit)
{
    size_t length = strlen(spec);
    for (;;) {
        while (length > 0 && spec[length - 1] == ' ') length--;
        int place = length > 0 ? find_name(r, spec, length) : -1;
        *unit = spec + length + strspn(spec + length, " ");
        if (place != -1 || length == 0) return place;
        while (length > 0 && spec[length - 1] != ' ') length--;
    }
}

static void list_headers(const reader* r, char* out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int k = 0; k < r->width && used + 60 < size; k++)
        used += (size_t)snprintf(out + used, size - used, "%s%.40s", k > 0 ? ", " : "", r->headers[k]);
    if (strlen(out) + 60 >= size) snprintf(out + used, size - used, ", ..");
}

static ss_status fail_column(const reader* r, const char* spec, int found)
{
    char text[360], names[240];
    if (found == -2) {
        snprintf(text, sizeof text, "two columns are called '%.100s'", spec);
    } else if (r->headers) {
        list_headers(r, names, sizeof names);
        snprintf(text, sizeof text, "there is no column '%.80s'; the columns are %s", spec, names);
    } else {
        snprintf(text, sizeof text,
                 "there is no column '%.80s'; the table has no header line, its columns are 1 to %d", spec,
                 r->width);
    }
    return ss_table_fail(&r->table, 1, text, r->err);
}

// A unit as written ("mm", "0.5 um" for a count of such steps) becomes a factor.
static bool parse_unit(const char* unit, size_t length, ss_recording_column* out, ss_error* err)
{
    char text[128];
    const ss_scope nothing = {0};
    bool counted = length > 0 && strchr("+-.0123456789", unit[0]);
    snprintf(out->unit, sizeof out->unit, "%.*s", length < 60 ? (int)length : 60, unit);
    snprintf(text, sizeof text, "%s%.*s", counted ? "" : "1 ", length < 100 ? (int)length : 100, unit);
    return ss_quantity_parse_any(text, &nothing, &out->factor, &out->dimension, &out->has_unit, err) ==
               SS_OK &&
           isfinite(out->factor) && out->factor != 0.0;
}

static ss_status fail_unit(const reader* r, const char* column, const char* unit, const ss_error* reason)
{
    char text[400];
    snprintf(text, sizeof text, "column '%.80s': '%.40s' is no unit (%.160s)", column, unit, reason->text);
    return ss_table_fail(&r->table, 1, text, r->err);
}

static void begin_column(const reader* r, wanted* out)
{
    out->column = (ss_recording_column){.factor = 1.0};
    if (r->headers)
        snprintf(out->column.name, sizeof out->column.name, "%.60s", r->headers[out->place]);
    else
        snprintf(out->column.name, sizeof out->column.name, "%d", out->place + 1);
}

// The unit in the header of a column, "x [mm]"; "[-]" and "[]" say that there is none.
static ss_status take_header_unit(const reader* r, wanted* out)
{
    const char* unit = NULL;
    ss_error reason = {.text = "not a number"};
    begin_column(r, out);
    if (r->headers) plain_length(r->headers[out->place], &unit);
    if (!unit || strcmp(unit, "]") == 0 || strcmp(unit, "-]") == 0) return SS_OK;
    if (parse_unit(unit, strlen(unit) - 1, &out->column, &reason)) return SS_OK;
    char written[100];
    snprintf(written, sizeof written, "%.*s", (int)strlen(unit) - 1, unit);
    return fail_unit(r, r->headers[out->place], written, &reason);
}

static ss_status choose_column(const reader* r, const char* spec, wanted* out)
{
    const char* unit;
    ss_error reason = {.text = "not a number"};
    out->place = find_column(r, spec, &unit);
    if (out->place < 0) return fail_column(r, spec, out->place);
    if (!*unit) return take_header_unit(r, out);
    begin_column(r, out);
    out->unit_asked_for = true;
    if (parse_unit(unit, strlen(unit), &out->column, &reason)) return SS_OK;
    return fail_unit(r, spec, unit, &reason);
}

static ss_status check_time(const reader* r, int at)
{
    const ss_recording_column* time = &r->time.column;
    if (!time->has_unit || ss_dimension_equal(time->dimension, (ss_dimension){.s = 1})) return SS_OK;
    char text[200];
    snprintf(text, sizeof text, "the column of the time, '%s', has a unit that is no time: %s", time->name,
             time->unit);
    return ss_table_fail(&r->table, at, text, r->err);
}

static ss_status choose_columns(reader* r, const char* time_column, const char* const columns[], int count)
{
    r->time.place = 0; // the first column, unless told otherwise
    ss_status status = time_column ? choose_column(r, time_column, &r->time) : take_header_unit(r, &r->time);
    if (status == SS_OK) status = check_time(r, 1);
    for (int k = 0; k < count && status == SS_OK; k++) status = choose_column(r, columns[k], &r->values[k]);
    return status;
}

// ---- a row of units

// A cell that says there is no unit.
static bool is_without_unit(const char* cell)
{
    return !*cell || strcmp(cell, "-") == 0 || strcmp(cell, "[-]") == 0 || strcmp(cell, "[]") == 0;
}

// Units in a row of their own are bare, or in brackets. A number with a unit ("5 mm") is none: it would be a
// sample.
static bool read_row_unit(const char* cell, ss_recording_column* out)
{
    size_t length = strlen(cell);
    ss_error ignored;
    if (length > 2 && cell[0] == '[' && cell[length - 1] == ']') {
        cell++;
        length -= 2;
    }
    size_t begin = strncmp(cell, "1/", 2) == 0 ? 2 : 0;
    if (length <= begin || length > 60 || strchr("+-.0123456789", cell[begin])) return false;
    for (size_t k = begin; k < length; k++) {
        bool digit = strchr("0123456789", cell[k]) != NULL;
        if (strchr(" \t+,", cell[k]) || (digit && !strchr("^-0123456789", cell[k - 1]))) return false;
    }
    return parse_unit(cell, length, out, &ignored) && out->has_unit;
}

// Whether the present row could be one of units: a unit stands in it, and no number. *other is the first cell
// that is none, or -1.
static bool is_row_of_units(const reader* r, int* other)
{
    int units = 0;
    double ignored;
    *other = -1;
    for (int k = 0; k < r->table.count; k++) {
        const char* cell = r->table.cells[k];
        ss_recording_column column;
        if (ss_number_read(cell, &ignored)) return false;
        bool unit = read_row_unit(cell, &column);
        units += unit;
        if (!unit && !is_without_unit(cell) && *other < 0) *other = k;
    }
    return units > 0;
}

// What is asked for wins; a header that says another unit contradicts.
static ss_status take_row_unit(const reader* r, wanted* w)
{
    ss_recording_column in_row = w->column;
    const char* cell = r->table.cells[w->place];
    if (w->unit_asked_for || is_without_unit(cell) || !read_row_unit(cell, &in_row)) return SS_OK;
    bool same =
        in_row.factor == w->column.factor && ss_dimension_equal(in_row.dimension, w->column.dimension);
    if (w->column.has_unit && !same) {
        char text[200];
        snprintf(text, sizeof text, "column '%s' has another unit in the row of units: %s", w->column.name,
                 in_row.unit);
        return ss_table_fail(&r->table, r->table.columns[w->place], text, r->err);
    }
    w->column = in_row;
    return SS_OK;
}

static ss_status fail_row_unit(const reader* r, int place)
{
    char text[280];
    snprintf(text, sizeof text,
             "%.50s: '%.40s' is no unit (leave out a row of units that are not all known: they go with "
             "--column and --time, as in \"x=position mm\")",
             r->headers[place], r->table.cells[place]);
    return ss_table_fail(&r->table, r->table.columns[place], text, r->err);
}

// Below the headers units may stand in a row of their own; *taken tells that the present row is that one.
static ss_status take_units(reader* r, bool* taken)
{
    int other;
    *taken = r->headers && r->table.count == r->width && is_row_of_units(r, &other);
    if (!*taken) return SS_OK;
    if (other >= 0) return fail_row_unit(r, other);
    ss_status status = take_row_unit(r, &r->time);
    if (status == SS_OK) status = check_time(r, r->table.columns[r->time.place]);
    for (int c = 0; c < r->recording->column_count && status == SS_OK; c++)
        status = take_row_unit(r, &r->values[c]);
    return status;
}

// ---- rows

static ss_status make_room(reader* r)
{
    ss_recording* rec = r->recording;
    if (rec->count == SS_RECORDING_LIMIT)
        return ss_table_fail(
            &r->table, 1, "more than 4000000 rows; thin the recording out, or cut it into several", r->err);
    if (rec->count < rec->capacity) return SS_OK;
    long capacity = rec->capacity ? 2 * rec->capacity : 1024;
    size_t width = (size_t)rec->column_count;
    double* time = realloc(rec->time, (size_t)capacity * sizeof *time);
    if (time) rec->time = time;
    double* values = realloc(rec->values, (size_t)capacity * width * sizeof *values);
    if (values) rec->values = values;
    if (!time || !values) return ss_fail_no_memory(r->err);
    rec->capacity = capacity;
    return SS_OK;
}

// What may be meant by a cell that is no number: a decimal comma, or units that are not known.
static const char* advice(const char* cell, bool first_row)
{
    size_t digits = strspn(cell, "+-0123456789"), rest = digits + 1;
    bool comma = digits > 0 && cell[digits] == ',' && cell[rest] &&
                 strspn(cell + rest, "0123456789eE+-") == strlen(cell + rest);
    if (comma) return "write a decimal point, and commas between columns";
    if (first_row && strpbrk(cell, "0123456789") == NULL)
        return "leave out a row of units that are not all known: they go with --column and --time, as in "
               "\"x=position mm\"";
    return "leave a cell empty, or write NaN, where there is no sample";
}

static ss_status fail_cell(const reader* r, int place)
{
    char text[320], name[60];
    const char* cell = r->table.cells[place];
    if (r->headers)
        snprintf(name, sizeof name, "%.50s", r->headers[place]);
    else
        snprintf(name, sizeof name, "column %d", place + 1);
    if (is_missing(cell))
        snprintf(text, sizeof text, "%s: the time is missing", name);
    else
        snprintf(text, sizeof text, "%s: '%.40s' is not a finite decimal number (%s)", name, cell,
                 advice(cell, r->recording->count == 0));
    return ss_table_fail(&r->table, r->table.columns[place], text, r->err);
}

static ss_status take_time(reader* r, double* time)
{
    int place = r->time.place;
    if (!ss_number_read(r->table.cells[place], time)) return fail_cell(r, place);
    *time *= r->time.column.factor;
    if (!isfinite(*time)) return fail_cell(r, place);
    const ss_recording* rec = r->recording;
    if (rec->count == 0 || *time >= rec->time[rec->count - 1]) return SS_OK;
    char text[128];
    ss_format(text, sizeof text, "the time goes back, from %.9g s to %.9g s", rec->time[rec->count - 1],
              *time);
    return ss_table_fail(&r->table, r->table.columns[place], text, r->err);
}

static ss_status take_row(reader* r)
{
    ss_recording* rec = r->recording;
    if (r->table.count != r->width) {
        char text[96];
        snprintf(text, sizeof text, "%d cell%s, where the first line has %d", r->table.count,
                 r->table.count == 1 ? "" : "s", r->width);
        return ss_table_fail(&r->table, 1, text, r->err);
    }
    ss_status status = make_room(r);
    double time = 0.0;
    if (status == SS_OK) status = take_time(r, &time);
    for (int c = 0; c < rec->column_count && status == SS_OK; c++) {
        const char* cell = r->table.cells[r->values[c].place];
        double value = NAN;
        if (!is_missing(cell) && !ss_number_read(cell, &value)) status = fail_cell(r, r->values[c].place);
        value *= r->values[c].column.factor;
        if (isinf(value)) status = fail_cell(r, r->values[c].place);
        rec->values[rec->count * rec->column_count + c] = value;
    }
    if (status == SS_OK) rec->time[rec->count++] = time;
    return status;
}

static ss_status read_rows(reader* r)
{
    ss_status status = SS_OK;
    bool found = true, first = r->headers != NULL, units = false;
    if (!first) status = take_row(r);
    while (status == SS_OK && found) {
        status = ss_table_next(&r->table, &found, r->err);
        if (status == SS_OK && found && first) status = take_units(r, &units);
        if (status == SS_OK && found && !units) status = take_row(r);
        first = units = false;
    }
    if (status == SS_OK && r->recording->count == 0)
        return ss_table_fail(&r->table, 1, "no line of numbers follows the header", r->err);
    return status;
}

// ---- recordings

static ss_recording* new_recording(const char* name, int columns)
{
    ss_recording* rec = ss_new(1, sizeof *rec);
    if (!rec) return NULL;
    rec->column_count = columns;
    rec->name = strdup(name ? name : "");
    rec->columns = ss_new((size_t)columns, sizeof *rec->columns);
    if (rec->name && rec->columns) return rec;
    ss_recording_destroy(rec);
    return NULL;
}

static ss_status read_table(reader* r, FILE* file, const char* time_column, const char* const columns[])
{
    bool found = false;
    ss_status status = ss_table_begin(&r->table, r->recording->name, file, &found, r->err);
    if (status == SS_OK && !found) {
        r->table.line_number = 1;
        return ss_table_fail(&r->table, 1, "the file is empty", r->err);
    }
    if (status == SS_OK) status = keep_headers(r);
    int count = r->recording->column_count;
    if (status == SS_OK) status = choose_columns(r, time_column, columns, count);
    if (status == SS_OK) status = read_rows(r);
    for (int c = 0; c < count && status == SS_OK; c++) r->recording->columns[c] = r->values[c].column;
    return status;
}

ss_status ss_recording_read_stream(const char* name, FILE* file, const char* time_column,
                                   const char* const columns[], int column_count, ss_recording** out,
                                   ss_error* err)
{
    *out = NULL;
    if (column_count < 1 || !columns) return ss_fail(err, SS_BAD_INPUT, NULL, "a recording needs a column");
    reader r = {.recording = new_recording(name, column_count), .err = err};
    r.values = ss_new((size_t)column_count, sizeof *r.values);
    ss_status status = r.recording && r.values ? SS_OK : ss_fail_no_memory(err);
    if (status == SS_OK) status = read_table(&r, file, time_column, columns);
    for (int k = 0; r.headers && k < r.width; k++) free(r.headers[k]);
    free(r.headers);
    free(r.values);
    ss_table_end(&r.table);
    if (status == SS_OK)
        *out = r.recording;
    else
        ss_recording_destroy(r.recording);
    return status;
}

ss_status ss_recording_read_csv(const char* path, const char* time_column, const char* const columns[],
                                int column_count, ss_recording** out, ss_error* err)
{
    *out = NULL;
    if (!path) return ss_fail(err, SS_BAD_INPUT, NULL, "there is no path");
    FILE* file = fopen(path, "rb");
    if (!file && errno == ENOMEM) return ss_fail_no_memory(err);
    if (!file) {
        ss_fail(err, SS_BAD_INPUT, NULL, "cannot read: %s", strerror(errno));
        if (err) snprintf(err->origin, sizeof err->origin, "%s", path);
        return SS_BAD_INPUT;
    }
    ss_status status = ss_recording_read_stream(path, file, time_column, columns, column_count, out, err);
    fclose(file);
    return status;
}

static ss_status check_arrays(const double time[], const double values[], long count, int column_count,
                              ss_error* err)
{
    if (!time || !values || count < 1 || count > SS_RECORDING_LIMIT || column_count < 1)
        return ss_fail(err, SS_BAD_INPUT, NULL, "a recording has 1 to %d moments and a column",
                       SS_RECORDING_LIMIT);
    for (long k = 0; k < count; k++)
        if (!isfinite(time[k]) || (k > 0 && time[k] < time[k - 1]))
            return ss_fail(err, SS_BAD_INPUT, "time", "moment %ld is not finite, or goes back", k);
    for (long k = 0; k < count * column_count; k++)
        if (isinf(values[k]))
            return ss_fail(err, SS_BAD_INPUT, "values", "moment %ld is infinite", k / column_count);
    return SS_OK;
}

ss_status ss_recording_create(const char* name, const double time_s[], const double values[], long count,
                              int column_count, ss_recording** out, ss_error* err)
{
    *out = NULL;
    ss_status status = check_arrays(time_s, values, count, column_count, err);
    if (status != SS_OK) return status;
    size_t rows = (size_t)count, width = (size_t)column_count;
    ss_recording* rec = new_recording(name, column_count);
    if (!rec) return ss_fail_no_memory(err);
    rec->time = ss_new(rows, sizeof(double));
    rec->values = ss_new(rows * width, sizeof(double));
    if (!rec->time || !rec->values) {
        ss_recording_destroy(rec);
        return ss_fail_no_memory(err);
    }
    memcpy(rec->time, time_s, rows * sizeof(double));
    memcpy(rec->values, values, rows * width * sizeof(double));
    for (int c = 0; c < column_count; c++) rec->columns[c].factor = 1.0;
    rec->count = rec->capacity = count;
    *out = rec;
    return SS_OK;
}

void ss_recording_destroy(ss_recording* recording)
{
    if (!recording) return;
    free(recording->name);
    free(recording->time);
    free(recording->values);
    free(recording->columns);
    free(recording);
}

const char* ss_recording_name(const ss_recording* recording) { return recording->name; }
long ss_recording_count(const ss_recording* recording) { return recording->count; }
int ss_recording_column_count(const ss_recording* recording) { return recording->column_count; }
double ss_recording_time(const ss_recording* recording, long moment) { return recording->time[moment]; }
double ss_recording_value(const ss_recording* recording, long moment, int column)
{
    return recording->values[moment * recording->column_count + column];
}
