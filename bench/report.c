// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Clock and result file of the benchmarks.
#define _POSIX_C_SOURCE 200809L
#include "block_chain.h"

#include <stdio.h>
#include <time.h>

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool bench_append(const char* path, const char* header, const char* row)
{
    FILE* file = fopen(path, "a");
    bool good = file != NULL;
    if (good && ftell(file) == 0) good = fprintf(file, "%s\n", header) > 0;
    if (good) good = fprintf(file, "%s\n", row) > 0;
    if (file && fclose(file) != 0) good = false;
    if (!good) perror(path);
    return good;
}
