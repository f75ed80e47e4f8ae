// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Traces as comma-separated text: comment lines that begin with #, one header line "block.x [m]", then a
// line per row with numbers that read back exactly. The rows go to a temporary file beside the target, which
// takes the target's name when it is whole.
#include "core/error.h"
#include "core/number_length.h"
#include "lab/file/output_file.h"
#include "lab/file/trace_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct csv {
    FILE* file; // NULL once finished
    char *target, *temporary;
    ss_column* columns;
    int column_count;
} csv;

static void csv_destroy(void* self)
{
    csv* c = self;
    if (!c) return;
    if (c->file) ss_file_give_up(c->file, c->temporary);
    free(c->target);
    free(c->temporary);
    free(c->columns);
    free(c);
}

static void write_name(FILE* file, const char* name)
{
    for (const char* p = name; *p; p++) {
        if (*p == '"') fputc('"', file);
        fputc(*p, file);
    }
}

// A header cell; names with a comma or a quote are quoted as RFC 4180 says.
static void write_header_cell(FILE* file, const ss_column* column)
{
    static const char odd[] = ",\"\n\r";
    bool slope = column->by != NULL;
    bool quote = strpbrk(column->name, odd) != NULL || (slope && strpbrk(column->by, odd) != NULL);
    if (quote) fputc('"', file);
    if (slope) fputs("d(", file);
    write_name(file, column->name);
    bool both = column->name[0] && column->field[0];
    fprintf(file, "%s%s", both ? "." : "", column->field);
    if (slope) {
        fputs(")/d(", file);
        write_name(file, column->by);
        fputc(')', file);
    }
    if (column->unit[0]) fprintf(file, " [%s]", column->unit);
    if (quote) fputc('"', file);
}

static void write_head(csv* c, const ss_trace_def* def)
{
    ss_file_write_comments(c->file, ss_trace_title(def), def->made);
    for (int k = 0; k < c->column_count; k++) {
        if (k > 0) fputc(',', c->file);
        write_header_cell(c->file, &c->columns[k]);
    }
    fputc('\n', c->file);
}

static ss_status csv_create(const ss_trace_def* def, void** self, ss_error* err)
{
    *self = NULL;
    csv* c = ss_new(1, sizeof *c);
    if (!c) return ss_fail_no_memory(err);
    c->columns = ss_trace_columns(def, &c->column_count);
    c->target = ss_file_target(def->path);
    c->temporary = c->target ? ss_file_temporary(c->target) : NULL;
    if (!c->columns || !c->temporary) {
        csv_destroy(c);
        return ss_fail_no_memory(err);
    }
    ss_status status = ss_file_open(c->target, c->temporary, &c->file, err);
    if (status != SS_OK) {
        csv_destroy(c);
        return status;
    }
    write_head(c, def);
    *self = c;
    return SS_OK;
}

static ss_status csv_add(void* self, const ss_moment* row, ss_error* err)
{
    csv* c = self;
    char text[SS_NUMBER_SIZE];
    errno = 0;
    for (int k = 0; k < c->column_count; k++) {
        const ss_column* column = &c->columns[k];
        if (k > 0) fputc(',', c->file);
        if (ss_column_is_mode(column))
            fputs(ss_mode_name(ss_column_mode(column, row)), c->file);
        else
            fputs(ss_number_format(ss_column_value(column, row) + 0.0, 17, text, sizeof text),
                  c->file); // no -0
    }
    fputc('\n', c->file);
    return ferror(c->file) ? ss_file_write_failed(err) : SS_OK;
}

static ss_status csv_finish(void* self, const char* outcome, ss_error* err)
{
    csv* c = self;
    (void)outcome; // the rows stay pure: readers that know no comments at the end would stumble
    FILE* file = c->file;
    c->file = NULL;
    return ss_file_finish(file, c->temporary, c->target, err);
}

const ss_trace_writer ss_trace_csv = {".csv", csv_create, csv_add, csv_finish, csv_destroy};
