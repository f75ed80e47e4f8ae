// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Files of matrices that a model names: Matrix Market, NumPy's .npy and MAT of version 5 to 7. What a file is
// its first bytes say, not its name. Here is what the readers of the formats share.
#ifndef SLIPSTICK_LAB_MATRIX_FILE_H
#define SLIPSTICK_LAB_MATRIX_FILE_H

#include "share/error.h"
#include "slipstick/document.h"

#include <stdbool.h>

/// A file, read whole.
typedef struct ss_matrix_bytes {
    const char* path; ///< as errors call it
    const unsigned char* bytes;
    size_t length;
} ss_matrix_bytes;

/// A matrix as it is read: owned, freed by ss_matrix_numbers_free.
typedef struct ss_matrix_numbers {
    int rows, columns;
    size_t count, room;
    bool whole; ///< all entries, row by row: no places
    int *row, *column;
    double* value;
} ss_matrix_numbers;

ss_status ss_matrix_market_read(const ss_matrix_bytes* file, ss_matrix_numbers* out, ss_error* err);
ss_status ss_npy_read(const ss_matrix_bytes* file, ss_matrix_numbers* out, ss_error* err);
/// variable NULL: the only matrix of the file.
ss_status ss_mat_read(const ss_matrix_bytes* file, const char* variable, ss_matrix_numbers* out,
                      ss_error* err);

/// An error about the file; line 0: about none of its lines.
ss_status ss_matrix_fail(const ss_matrix_bytes* file, int line, ss_error* err, const char* format, ...)
    SS_PRINTF(4, 5);
/// Room for all rows x columns entries, or for `count` of them with their places. Sizes that no file can
/// have are errors.
ss_status ss_matrix_make(const ss_matrix_bytes* file, double rows, double columns, double count, bool whole,
                         ss_matrix_numbers* out, ss_error* err);
void ss_matrix_numbers_free(ss_matrix_numbers* numbers);

/// Numbers of `size` bytes, the least significant first.
typedef enum ss_number_form { SS_FORM_SIGNED, SS_FORM_UNSIGNED, SS_FORM_FLOAT } ss_number_form;
double ss_matrix_number(const unsigned char* at, ss_number_form form, int size);

#endif
