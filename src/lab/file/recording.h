// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inside of recordings.
#ifndef SLIPSTICK_LAB_RECORDING_H
#define SLIPSTICK_LAB_RECORDING_H

#include "slipstick/lab.h"

#include <stdio.h>

typedef struct ss_recording_column {
    double factor; ///< what turns its numbers into SI
    ss_dimension dimension;
    bool has_unit; ///< false: nobody said; SI of whatever it shows
    char name[64]; ///< in the file; "" where the numbers came from memory
    char unit[64]; ///< as written
} ss_recording_column;

struct ss_recording {
    char* name;
    double* time;   ///< count, s
    double* values; ///< count x column_count
    long count, capacity;
    ss_recording_column* columns;
    int column_count;
};

/// As ss_recording_read_csv, from an open file.
ss_status ss_recording_read_stream(const char* name, FILE* file, const char* time_column,
                                   const char* const columns[], int column_count, ss_recording** out,
                                   ss_error* err);

#endif
