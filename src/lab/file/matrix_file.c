// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // stat
#include "lab/file/matrix_file.h"

#include "core/error.h"
#include "core/number_length.h"
#include "share/node.h"
#include "slipstick/lab.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double most_entries = 5e8; // 8 GB with their places

ss_status ss_matrix_fail(const ss_matrix_bytes* file, int line, ss_error* err, const char* format, ...)
{
    char text[sizeof err->text];
    va_list arguments;
    va_start(arguments, format);
    ss_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    ss_fail(err, SS_BAD_INPUT, NULL, "%s", text);
    if (!err) return SS_BAD_INPUT;
    snprintf(err->origin, sizeof err->origin, "%s", file->path);
    err->line = line;
    err->column = line > 0;
    return SS_BAD_INPUT;
}

ss_status ss_matrix_make(const ss_matrix_bytes* file, double rows, double columns, double count, bool whole,
                         ss_matrix_numbers* out, ss_error* err)
{
    if (whole) count = rows * columns;
    if (!(rows >= 1.0 && rows <= INT_MAX && columns >= 1.0 && columns <= INT_MAX))
        return ss_matrix_fail(file, 0, err, "expected a matrix, not one of %.0f x %.0f", rows, columns);
    if (!(count >= 0.0 && count <= most_entries))
        return ss_matrix_fail(file, 0, err, "has %.3g entries; at most %.0e are read", count, most_entries);
    *out = (ss_matrix_numbers){.rows = (int)rows, .columns = (int)columns, .whole = whole};
    out->room = (size_t)count;
    out->count = whole ? out->room : 0;
    out->value = ss_new(out->room, sizeof *out->value);
    if (!whole) out->row = ss_new(out->room, sizeof *out->row);
    if (!whole) out->column = ss_new(out->room, sizeof *out->column);
    bool good = out->value && (whole || (out->row && out->column));
    return good ? SS_OK : ss_fail_no_memory(err);
}

void ss_matrix_numbers_free(ss_matrix_numbers* numbers)
{
    free(numbers->row);
    free(numbers->column);
    free(numbers->value);
    *numbers = (ss_matrix_numbers){0};
}

double ss_matrix_number(const unsigned char* at, ss_number_form form, int size)
{
    uint64_t bits = 0;
    for (int k = size - 1; k >= 0; k--) bits = bits << 8 | at[k];
    if (form == SS_FORM_FLOAT && size == 4) {
        uint32_t low = (uint32_t)bits;
        float number;
        memcpy(&number, &low, sizeof number);
        return (double)number;
    }
    if (form == SS_FORM_FLOAT) {
        double number;
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    bool negative = form == SS_FORM_SIGNED && size > 0 && (at[size - 1] & 0x80);
    if (negative && size < 8) bits |= ~(uint64_t)0 << (8 * size);
    return negative ? -(double)(~bits + 1) : (double)bits;
}

// ---- files

static ss_status fail_file(const char* path, int code, ss_error* err)
{
    if (code == ENOMEM) return ss_fail_no_memory(err);
    ss_fail(err, SS_FILE_ERROR, NULL, "cannot read: %s", strerror(code));
    if (err) snprintf(err->origin, sizeof err->origin, "%s", path);
    return SS_FILE_ERROR;
}

// A regular file: a model is not to wait for a pipe, nor to read a device.
static ss_status read_whole(const char* path, ss_matrix_bytes* out, ss_error* err)
{
    struct stat about;
    if (stat(path, &about) != 0) return fail_file(path, errno, err);
    if (!S_ISREG(about.st_mode)) return fail_file(path, S_ISDIR(about.st_mode) ? EISDIR : EINVAL, err);
    FILE* file = fopen(path, "rb");
    if (!file) return fail_file(path, errno, err);
    size_t size = (size_t)about.st_size;
    unsigned char* bytes = malloc(size + 1);
    ss_status status = SS_OK;
    *out = (ss_matrix_bytes){path, bytes, 0};
    if (!bytes)
        status = ss_fail_no_memory(err);
    else if (fread(bytes, 1, size, file) < size)
        status = fail_file(path, ferror(file) ? errno : EIO, err);
    else
        bytes[out->length = size] = '\0';
    fclose(file);
    return status;
}

static bool begins(const ss_matrix_bytes* file, const char* with, size_t length)
{
    return file->length >= length && memcmp(file->bytes, with, length) == 0;
}

static ss_status read_form(const ss_matrix_bytes* file, const char* variable, ss_matrix_numbers* out,
                           ss_error* err)
{
    enum { MAT_HEADER = 128, MAT_VERSION = 124 };
    bool mat = file->length >= MAT_HEADER && file->bytes[MAT_VERSION + 2] == 'I' &&
               file->bytes[MAT_VERSION + 3] == 'M' && file->bytes[MAT_VERSION + 1] == 1;
    if (mat) return ss_mat_read(file, variable, out, err);
    if (begins(file, "\x89HDF", 4) || begins(file, "MATLAB 7.3", 10))
        return ss_matrix_fail(file, 0, err, "a MAT file of version 7.3 (HDF5); save it with -v7");
    if (variable)
        return ss_matrix_fail(file, 0, err, "has no variables: expected a MAT file of version 5 to 7");
    if (begins(file, "\x93NUMPY", 6)) return ss_npy_read(file, out, err);
    if (begins(file, "%%MatrixMarket", 14) || begins(file, "%%matrixmarket", 14))
        return ss_matrix_market_read(file, out, err);
    return ss_matrix_fail(
        file, 1, err, "expected Matrix Market (%%%%MatrixMarket matrix ..), .npy, or MAT of version 5 to 7");
}

static ss_status check_finite(const ss_matrix_bytes* file, const ss_matrix_numbers* numbers, ss_error* err)
{
    for (size_t k = 0; k < numbers->count; k++) {
        size_t columns = (size_t)numbers->columns;
        size_t row = numbers->whole ? k / columns : (size_t)numbers->row[k];
        size_t column = numbers->whole ? k % columns : (size_t)numbers->column[k];
        if (numbers->value[k] - numbers->value[k] != 0.0)
            return ss_matrix_fail(file, 0, err, "entry (%zu, %zu) is not a finite number", row + 1,
                                  column + 1);
    }
    return SS_OK;
}

// "folder/model.yaml" and "K.mtx" make "folder/K.mtx". NULL without memory.
static char* beside(const char* model, const char* name)
{
    const char* slash = strrchr(model, '/');
    size_t folder = slash && name[0] != '/' ? (size_t)(slash - model) + 1 : 0, length = strlen(name);
    char* out = malloc(folder + length + 1);
    if (!out) return NULL;
    memcpy(out, model, folder);
    memcpy(out + folder, name, length + 1);
    return out;
}

// An error about the file says which field names it, and where.
static ss_status name_field(const ss_document* document, const char* key, ss_status status, ss_error* err)
{
    if (!err || status == SS_NO_MEMORY) return status;
    snprintf(err->field, sizeof err->field, "matrices.%s", key);
    if (err->line > 0 || err->origin[0]) return status;
    ss_document_locate(document, err);
    return status;
}

static ss_status attach(ss_document* document, const ss_node* node, const char* path, ss_error* err)
{
    const ss_node *file = ss_node_find(node, "file"), *variable = ss_node_find(node, "variable");
    const char* name = ss_node_text(file);
    if (!name || !name[0] || (variable && !ss_node_text(variable)))
        return ss_fail(err, SS_BAD_INPUT, NULL, "expected {file: K.mtx} or {file: beam.mat, variable: K}");
    char* full = beside(path, name);
    if (!full) return ss_fail_no_memory(err);
    ss_matrix_bytes whole = {0};
    ss_matrix_numbers numbers = {0};
    ss_status status = read_whole(full, &whole, err);
    if (status == SS_OK) status = read_form(&whole, variable ? ss_node_text(variable) : NULL, &numbers, err);
    if (status == SS_OK) status = check_finite(&whole, &numbers, err);
    ss_matrix_def def = {numbers.rows, numbers.columns, numbers.count,
                         numbers.row,  numbers.column,  numbers.value};
    if (status == SS_OK) status = ss_document_attach(document, node, &def, err);
    ss_matrix_numbers_free(&numbers);
    free((void*)whole.bytes);
    free(full);
    return status;
}

ss_status ss_document_read_files(ss_document* document, const char* path, ss_error* err)
{
    static const char* const keys[] = {"M", "C", "K", "W", "T", "f", "friction"};
    const ss_node* matrices = ss_node_find(ss_document_root(document), "matrices");
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        const ss_node* node = ss_node_find(matrices, keys[k]);
        if (!node || !ss_node_find(node, "file")) continue;
        ss_status status = attach(document, node, path, err);
        if (status != SS_OK) return name_field(document, keys[k], status, err);
    }
    return SS_OK;
}
