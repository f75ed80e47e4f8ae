// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A text table, line by line: cells between commas, semicolons or tabs, quoted as RFC 4180 says. Memory is
// that of the longest line.
#ifndef SLIPSTICK_LAB_COLUMNS_H
#define SLIPSTICK_LAB_COLUMNS_H

#include "slipstick/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ss_table {
    const char* name; ///< what errors call it
    FILE* file;       ///< borrowed
    char* line;       ///< of the present row
    size_t length, capacity;
    int line_number; ///< of the present row, from 1
    char separator;
    char** cells; ///< of the present row, trimmed, without quotes
    int* columns; ///< where each begins in its line, from 1
    int count, cell_capacity;
} ss_table;

/// Starts with the first line that holds something, which decides the separator: its cells are the present
/// row. *found is false for a file without such a line.
ss_status ss_table_begin(ss_table* table, const char* name, FILE* file, bool* found, ss_error* err);
/// Moves to the next row; *found is false at the end of the file.
ss_status ss_table_next(ss_table* table, bool* found, ss_error* err);
void ss_table_end(ss_table* table);

/// Fills err: "name:line:column: text".
ss_status ss_table_fail(const ss_table* table, int column, const char* text, ss_error* err);

#endif
