// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Any bytes as a file of a matrix: what is read has all its entries within its rows and columns, and what is
// refused has a text.
#include "lab/file/matrix_file.h"

#include <stdlib.h>
#include <string.h>

static void check(ss_status status, ss_matrix_numbers* numbers, const ss_error* err)
{
    if (status != SS_OK && err->text[0] == '\0') abort();
    for (size_t k = 0; k < numbers->count && status == SS_OK && !numbers->whole; k++)
        if (numbers->row[k] < 0 || numbers->row[k] >= numbers->rows || numbers->column[k] < 0 ||
            numbers->column[k] >= numbers->columns)
            abort();
    ss_matrix_numbers_free(numbers);
}

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size)
{
    unsigned char* copy = malloc(size + 1); // as it is read: with a NUL behind it
    if (!copy) return 0;
    memcpy(copy, data, size);
    copy[size] = '\0';
    ss_matrix_bytes file = {"fuzz", copy, size};
    ss_matrix_numbers numbers = {0};
    ss_error err = {0};
    check(ss_matrix_market_read(&file, &numbers, &err), &numbers, &err);
    if (size >= 10) check(ss_npy_read(&file, &numbers, &err), &numbers, &err);
    if (size >= 128) check(ss_mat_read(&file, NULL, &numbers, &err), &numbers, &err);
    if (size >= 128) check(ss_mat_read(&file, "K", &numbers, &err), &numbers, &err);
    free(copy);
    return 0;
}
