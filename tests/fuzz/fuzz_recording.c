// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Any bytes as a recording: a table with a column or an error, never a crash, a leak or a hang. The first
// line, up to a '|', says which column is wanted.
#define _POSIX_C_SOURCE 200809L // fmemopen
#include "lab/file/recording.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// What was read keeps the promises of a recording.
static void check_recording(const ss_recording* recording)
{
    double before = -INFINITY;
    if (ss_recording_count(recording) < 1) abort();
    for (long k = 0; k < ss_recording_count(recording); k++) {
        double t = ss_recording_time(recording, k), x = ss_recording_value(recording, k, 0);
        if (!isfinite(t) || t < before || isinf(x)) abort();
        before = t;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const uint8_t* bar = size > 0 ? memchr(data, '|', size < 64 ? size : 64) : NULL;
    char column[64] = "x";
    if (bar) {
        memcpy(column, data, (size_t)(bar - data));
        column[bar - data] = '\0';
        size -= (size_t)(bar + 1 - data);
        data = bar + 1;
    }
    FILE* file = size > 0 ? fmemopen((void*)data, size, "rb") : NULL;
    if (!file) return 0;
    const char* columns[] = {column};
    ss_recording* recording = NULL;
    ss_error err = {0};
    char line[1024];
    if (ss_recording_read_stream("fuzz.csv", file, NULL, columns, 1, &recording, &err) == SS_OK)
        check_recording(recording);
    else if (recording || err.status == SS_OK || !err.text[0] || !ss_error_format(&err, line, sizeof line)[0])
        abort();
    ss_recording_destroy(recording);
    fclose(file);
    return 0;
}
