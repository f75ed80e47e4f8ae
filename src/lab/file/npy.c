// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// NumPy's .npy, versions 1 to 3: a magic word, the length of a header, the header (a dictionary with descr,
// fortran_order and shape), then the numbers.
#define _POSIX_C_SOURCE 200809L // strnlen
#include "lab/file/matrix_file.h"

#include "core/error.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What stands after 'key': in the header, blanks skipped; NULL where it has none.
static const char* value_of(const char* header, const char* key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s':", key);
    const char* at = strstr(header, quoted);
    return at ? at + strlen(quoted) + strspn(at + strlen(quoted), " ") : NULL;
}

static bool read_type(const char* text, ss_number_form* form, int* size)
{
    if (!text || strnlen(text, 5) < 5 || text[0] != '\'' || !strchr("<|", text[1])) return false;
    *form = text[2] == 'f' ? SS_FORM_FLOAT : text[2] == 'i' ? SS_FORM_SIGNED : SS_FORM_UNSIGNED;
    *size = text[3] - '0';
    if (!strchr("fiu", text[2]) || text[4] != '\'') return false;
    return *form == SS_FORM_FLOAT ? *size == 4 || *size == 8
                                  : *size == 1 || *size == 2 || *size == 4 || *size == 8;
}

// "(40, 40)", or "(40,)": a column.
static bool read_shape(const char* text, double* rows, double* columns)
{
    char* end;
    if (!text || *text != '(') return false;
    *rows = (double)strtoul(text + 1, &end, 10);
    *columns = 1.0;
    if (end == text + 1 || *end != ',') return false;
    end += 1 + strspn(end + 1, " ");
    if (*end == ')') return true;
    text = end;
    *columns = (double)strtoul(text, &end, 10);
    return end != text && (*end == ')' || strncmp(end, ",)", 2) == 0);
}

static ss_status read_numbers(const ss_matrix_bytes* file, const char* header, size_t begin,
                              ss_matrix_numbers* out, ss_error* err)
{
    ss_number_form form;
    int size;
    double rows, columns;
    const char* order = value_of(header, "fortran_order");
    if (!read_type(value_of(header, "descr"), &form, &size))
        return ss_matrix_fail(file, 0, err,
                              "expected real numbers of up to 8 bytes, little-endian (such as <f8)");
    if (!order || !read_shape(value_of(header, "shape"), &rows, &columns))
        return ss_matrix_fail(file, 0, err, "expected an array of one or two dimensions");
    bool by_column = strncmp(order, "True", 4) == 0;
    if ((double)(file->length - begin) < rows * columns * size)
        return ss_matrix_fail(file, 0, err, "ends before the last of %.0f x %.0f numbers", rows, columns);
    ss_status status = ss_matrix_make(file, rows, columns, 0.0, true, out, err);
    if (status != SS_OK) return status;
    size_t n = (size_t)out->rows, m = (size_t)out->columns;
    for (size_t k = 0; k < n * m; k++) {
        size_t to = by_column ? k % n * m + k / n : k;
        out->value[to] = ss_matrix_number(file->bytes + begin + k * (size_t)size, form, size);
    }
    return SS_OK;
}

ss_status ss_npy_read(const ss_matrix_bytes* file, ss_matrix_numbers* out, ss_error* err)
{
    size_t begin = file->length > 6 && file->bytes[6] > 1 ? 12 : 10, length = 0;
    if (file->length >= begin)
        length = (size_t)ss_matrix_number(file->bytes + 8, SS_FORM_UNSIGNED, (int)begin - 8);
    if (file->length < begin || length > file->length - begin || length > 1 << 16)
        return ss_matrix_fail(file, 0, err, "ends within its header");
    char* header = malloc(length + 1);
    if (!header) return ss_fail_no_memory(err);
    memcpy(header, file->bytes + begin, length);
    header[length] = '\0';
    ss_status status = read_numbers(file, header, begin + length, out, err);
    free(header);
    return status;
}
