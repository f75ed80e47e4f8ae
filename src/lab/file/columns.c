// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/file/columns.h"

#include "core/error.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 1024 * 1024, FIRST_LINE = 256, FIRST_CELLS = 16 };

ss_status ss_table_fail(const ss_table* table, int column, const char* text, ss_error* err)
{
    ss_fail(err, SS_BAD_INPUT, NULL, "%s", text);
    if (!err) return SS_BAD_INPUT;
    snprintf(err->origin, sizeof err->origin, "%s", table->name);
    err->line = table->line_number;
    err->column = column;
    return SS_BAD_INPUT;
}

static bool grow_line(ss_table* table)
{
    if (table->length + 2 <= table->capacity) return true;
    size_t capacity = table->capacity ? 2 * table->capacity : FIRST_LINE;
    char* line = realloc(table->line, capacity);
    if (!line) return false;
    table->line = line;
    table->capacity = capacity;
    return true;
}

// One line without its end; *found is false at the end of the file.
static ss_status read_line(ss_table* table, bool* found, ss_error* err)
{
    table->length = 0;
    *found = false;
    if (table->line_number == INT_MAX) return ss_table_fail(table, 1, "too many lines", err);
    table->line_number++;
    for (int c; (c = getc(table->file)) != EOF && c != '\n'; *found = true) {
        if (c == 0) return ss_table_fail(table, (int)table->length + 1, "a NUL byte: this is no text", err);
        if (table->length == MAX_LINE)
            return ss_table_fail(table, 1, "a line of more than 1048576 bytes: this is no table of numbers",
                                 err);
        if (!grow_line(table)) return ss_fail_no_memory(err);
        table->line[table->length++] = (char)c;
    }
    if (ferror(table->file)) {
        ss_fail(err, SS_FILE_ERROR, NULL, "cannot read: %s", strerror(errno ? errno : EIO));
        if (err) snprintf(err->origin, sizeof err->origin, "%s", table->name);
        return SS_FILE_ERROR;
    }
    *found = *found || !feof(table->file);
    if (!grow_line(table)) return ss_fail_no_memory(err);
    if (table->length > 0 && table->line[table->length - 1] == '\r') table->length--;
    table->line[table->length] = '\0';
    return SS_OK;
}

// A line that holds something, comments left out.
static ss_status read_full_line(ss_table* table, bool* found, ss_error* err)
{
    for (;;) {
        ss_status status = read_line(table, found, err);
        if (status != SS_OK || !*found) return status;
        if (table->line_number == 1 && strncmp(table->line, "\xef\xbb\xbf", 3) == 0)
            memmove(table->line, table->line + 3, table->length + 1 - 3); // a byte order mark
        char first = table->line[strspn(table->line, " \t")];
        if (first != '\0' && first != '#') return SS_OK;
    }
}

// The one of the three that stands most often outside quotes.
static char guess_separator(const char* line)
{
    static const char candidates[] = {',', ';', '\t'};
    int counts[3] = {0, 0, 0}, best = 0;
    bool quoted = false;
    for (; *line; line++) {
        if (*line == '"') quoted = !quoted;
        for (int k = 0; k < 3 && !quoted; k++) counts[k] += *line == candidates[k];
    }
    for (int k = 1; k < 3; k++)
        if (counts[k] > counts[best]) best = k;
    return candidates[best];
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Takes the quotes off a cell that begins with one; returns what follows it, or NULL where none closes it.
static char* unquote(char* cell)
{
    char *from = cell + 1, *to = cell;
    for (; *from; *to++ = *from++) {
        if (*from != '"') continue;
        if (from[1] == '"') {
            from++;
            continue;
        }
        *to = '\0';
        return from + 1;
    }
    return NULL;
}

static bool grow_cells(ss_table* table)
{
    if (table->count < table->cell_capacity) return true;
    int capacity = table->cell_capacity ? 2 * table->cell_capacity : FIRST_CELLS;
    char** cells = realloc(table->cells, (size_t)capacity * sizeof *cells);
    if (cells) table->cells = cells;
    int* columns = realloc(table->columns, (size_t)capacity * sizeof *columns);
    if (columns) table->columns = columns;
    if (!cells || !columns) return false;
    table->cell_capacity = capacity;
    return true;
}

// Cuts one cell out at *at, which then points behind its separator, or is NULL after the last cell.
static ss_status cut_cell(ss_table* table, char** at, ss_error* err)
{
    char* cell = *at;
    while (is_blank(*cell) && *cell != table->separator) cell++;
    int column = (int)(cell - table->line) + 1;
    bool quoted = *cell == '"';
    char* rest = quoted ? unquote(cell) : cell;
    if (!rest) return ss_table_fail(table, column, "a quote that is not closed", err);
    char* end = rest + strcspn(rest, (char[]){table->separator, '\0'});
    if (quoted && strspn(rest, " \t") < (size_t)(end - rest))
        return ss_table_fail(table, column, "text after a closing quote", err);
    *at = *end ? end + 1 : NULL;
    *end = '\0';
    for (char* last = end; !quoted && last > cell && is_blank(last[-1]);) *--last = '\0';
    if (!grow_cells(table)) return ss_fail_no_memory(err);
    table->cells[table->count] = cell;
    table->columns[table->count++] = column;
    return SS_OK;
}

static ss_status split(ss_table* table, ss_error* err)
{
    table->count = 0;
    ss_status status = SS_OK;
    for (char* at = table->line; at && status == SS_OK;) status = cut_cell(table, &at, err);
    return status;
}

ss_status ss_table_next(ss_table* table, bool* found, ss_error* err)
{
    ss_status status = read_full_line(table, found, err);
    return status == SS_OK && *found ? split(table, err) : status;
}

ss_status ss_table_begin(ss_table* table, const char* name, FILE* file, bool* found, ss_error* err)
{
    *table = (ss_table){.name = name, .file = file};
    ss_status status = read_full_line(table, found, err);
    if (status != SS_OK || !*found) return status;
    table->separator = guess_separator(table->line);
    return split(table, err);
}

void ss_table_end(ss_table* table)
{
    free(table->line);
    free(table->cells);
    free(table->columns);
    *table = (ss_table){0};
}
