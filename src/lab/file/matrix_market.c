// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Matrix Market: a banner, comments, a line of sizes, then an entry per line: "row column value" (coordinate,
// from 1), or values column by column (array). Of symmetric matrices the lower triangle is given.
#include "lab/file/matrix_file.h"

#include "core/number_length.h"
#include "share/number.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

typedef struct reader {
    const ss_matrix_bytes* file;
    const char *at, *end;
    int line;
    bool coordinate;
    symmetry kind;
    ss_matrix_numbers* out;
    ss_error* err;
} reader;

enum { WORD = 64 };

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The next word of the line, lower-case; false where the line ends, or the word is longer than any.
static bool next_word(reader* r, char out[WORD])
{
    size_t length = 0;
    while (r->at < r->end && is_blank(*r->at)) r->at++;
    while (r->at < r->end && !is_blank(*r->at) && *r->at != '\n' && length < WORD - 1)
        out[length++] = (char)tolower((unsigned char)*r->at++);
    out[length] = '\0';
    return length > 0 && (r->at == r->end || is_blank(*r->at) || *r->at == '\n');
}

static bool line_ends(reader* r)
{
    while (r->at < r->end && is_blank(*r->at)) r->at++;
    return r->at == r->end || *r->at == '\n';
}

// To the beginning of the next line that holds something; false at the end.
static bool next_line(reader* r)
{
    for (;;) {
        while (r->at < r->end && *r->at != '\n') r->at++;
        if (r->at == r->end) return false;
        r->at++;
        r->line++;
        if (!line_ends(r) && *r->at != '%') return true;
    }
}

static bool next_number(reader* r, double* out)
{
    char word[WORD];
    return next_word(r, word) && ss_number_read(word, out);
}

static ss_status read_banner(reader* r)
{
    char word[5][WORD];
    const char* wanted = "expected %%MatrixMarket matrix coordinate (or array) real general (or symmetric)";
    for (int k = 0; k < 5; k++)
        if (!next_word(r, word[k])) return ss_matrix_fail(r->file, 1, r->err, "%s", wanted);
    r->coordinate = strcmp(word[2], "coordinate") == 0;
    bool real =
        strcmp(word[3], "real") == 0 || strcmp(word[3], "integer") == 0 || strcmp(word[3], "double") == 0;
    if (strcmp(word[1], "matrix") != 0 || (!r->coordinate && strcmp(word[2], "array") != 0))
        return ss_matrix_fail(r->file, 1, r->err, "%s", wanted);
    if (!real) return ss_matrix_fail(r->file, 1, r->err, "expected real or integer numbers, not %s", word[3]);
    if (strcmp(word[4], "general") == 0)
        r->kind = GENERAL;
    else if (strcmp(word[4], "symmetric") == 0)
        r->kind = SYMMETRIC;
    else if (strcmp(word[4], "skew-symmetric") == 0)
        r->kind = SKEW;
    else
        return ss_matrix_fail(r->file, 1, r->err, "expected general, symmetric or skew-symmetric, not %s",
                              word[4]);
    return SS_OK;
}

static ss_status read_sizes(reader* r, double* count)
{
    double rows, columns;
    *count = 0.0;
    bool good = next_line(r) && next_number(r, &rows) && next_number(r, &columns) &&
                (!r->coordinate || next_number(r, count)) && line_ends(r);
    if (!good)
        return ss_matrix_fail(r->file, r->line, r->err, "expected %s",
                              r->coordinate ? "the numbers of rows, columns and entries"
                                            : "the numbers of rows and columns");
    if (r->kind != GENERAL && rows != columns)
        return ss_matrix_fail(r->file, r->line, r->err, "a symmetric matrix is square, not %.0f x %.0f", rows,
                              columns);
    double room = r->coordinate && r->kind != GENERAL ? 2.0 * *count : *count;
    return ss_matrix_make(r->file, rows, columns, room, !r->coordinate, r->out, r->err);
}

static void put(ss_matrix_numbers* out, int row, int column, double value)
{
    if (out->whole) {
        out->value[(size_t)row * (size_t)out->columns + (size_t)column] = value;
        return;
    }
    out->row[out->count] = row;
    out->column[out->count] = column;
    out->value[out->count++] = value;
}

static void put_both(reader* r, int row, int column, double value)
{
    put(r->out, row, column, value);
    if (r->kind != GENERAL && row != column) put(r->out, column, row, r->kind == SKEW ? -value : value);
}

static ss_status fail_end(const reader* r, double found, double wanted)
{
    return ss_matrix_fail(r->file, r->line, r->err, "ends after %.0f of %.0f entries", found, wanted);
}

static ss_status read_entries(reader* r, double count)
{
    const ss_matrix_numbers* out = r->out;
    for (size_t k = 0; k < (size_t)count; k++) {
        double row, column, value;
        if (!next_line(r)) return fail_end(r, (double)k, count);
        if (!next_number(r, &row) || !next_number(r, &column) || !next_number(r, &value) || !line_ends(r))
            return ss_matrix_fail(r->file, r->line, r->err, "expected a row, a column and a number");
        bool inside = row >= 1.0 && row <= out->rows && column >= 1.0 && column <= out->columns &&
                      row == (int)row && column == (int)column;
        if (!inside)
            return ss_matrix_fail(r->file, r->line, r->err,
                                  "expected a row from 1 to %d and a column from 1 to %d", out->rows,
                                  out->columns);
        if (r->kind != GENERAL && column > row)
            return ss_matrix_fail(r->file, r->line, r->err,
                                  "expected entries of the lower triangle: the matrix is symmetric");
        put_both(r, (int)row - 1, (int)column - 1, value);
    }
    return SS_OK;
}

static ss_status read_columns(reader* r)
{
    int rows = r->out->rows, columns = r->out->columns;
    for (int j = 0; j < columns; j++)
        for (int i = r->kind == GENERAL ? 0 : r->kind == SKEW ? j + 1 : j; i < rows; i++) {
            double value;
            if (!next_line(r))
                return ss_matrix_fail(r->file, r->line, r->err, "ends before entry (%d, %d)", i + 1, j + 1);
            if (!next_number(r, &value) || !line_ends(r))
                return ss_matrix_fail(r->file, r->line, r->err, "expected one number per line");
            put_both(r, i, j, value);
        }
    return SS_OK;
}

ss_status ss_matrix_market_read(const ss_matrix_bytes* file, ss_matrix_numbers* out, ss_error* err)
{
    const char* text = (const char*)file->bytes;
    reader r = {.file = file, .at = text, .end = text + file->length, .line = 1, .out = out, .err = err};
    double count;
    ss_status status = read_banner(&r);
    if (status == SS_OK) status = read_sizes(&r, &count);
    if (status == SS_OK) status = r.coordinate ? read_entries(&r, count) : read_columns(&r);
    if (status == SS_OK && next_line(&r))
        return ss_matrix_fail(file, r.line, err, "expected the end of the file after all entries");
    return status;
}
