// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Matrices of MAT files of version 5 to 7, whole and sparse, compressed or not. A file is a row of elements:
// a tag with type and length in bytes, then data, padded to 8 bytes; up to 4 bytes fit into the tag itself.
// A matrix holds elements of its own: flags, dimensions, name, for sparse ones row indices and where columns
// begin, then the numbers.
#include "lab/file/matrix_file.h"

#include "core/error.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { TYPE_MATRIX = 14, TYPE_COMPRESSED = 15 };
enum { CLASS_SPARSE = 5, CLASS_DOUBLE = 6, CLASS_LAST_NUMBER = 15, FLAG_COMPLEX = 0x800 };
enum { HEADER = 128 };

static const size_t most_bytes = (size_t)1 << 31; // of one variable

typedef struct element {
    uint32_t type;
    const unsigned char* data;
    size_t length;
} element;

typedef struct cursor {
    const unsigned char *at, *end;
} cursor;

static uint32_t word_at(const unsigned char* at)
{
    return (uint32_t)ss_matrix_number(at, SS_FORM_UNSIGNED, 4);
}

// padded: within a matrix data end at multiples of 8 bytes.
static bool next_element(cursor* c, bool padded, element* out)
{
    if (c->end - c->at < 8) return false;
    uint32_t tag = word_at(c->at);
    if (tag >> 16) { // small: length and type share the first word
        *out = (element){tag & 0xffff, c->at + 4, tag >> 16};
        c->at += 8;
        return out->length <= 4;
    }
    *out = (element){tag, c->at + 8, word_at(c->at + 4)};
    if (out->length > (size_t)(c->end - out->data)) return false;
    size_t pad = padded ? (8 - out->length % 8) % 8 : 0, left = (size_t)(c->end - out->data) - out->length;
    c->at = out->data + out->length + (pad < left ? pad : left);
    return true;
}

static bool form_of(uint32_t type, ss_number_form* form, int* size)
{
    static const struct {
        uint32_t type;
        ss_number_form form;
        int size;
    } forms[] = {{1, SS_FORM_SIGNED, 1},   {2, SS_FORM_UNSIGNED, 1}, {3, SS_FORM_SIGNED, 2},
                 {4, SS_FORM_UNSIGNED, 2}, {5, SS_FORM_SIGNED, 4},   {6, SS_FORM_UNSIGNED, 4},
                 {7, SS_FORM_FLOAT, 4},    {9, SS_FORM_FLOAT, 8},    {12, SS_FORM_SIGNED, 8},
                 {13, SS_FORM_UNSIGNED, 8}};
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        if (forms[k].type != type) continue;
        *form = forms[k].form;
        *size = forms[k].size;
        return true;
    }
    return false;
}

// How many numbers an element has; 0 where it has none that are read.
static size_t count_numbers(const element* e)
{
    ss_number_form form;
    int size;
    return form_of(e->type, &form, &size) ? e->length / (size_t)size : 0;
}

static double number_at(const element* e, size_t k)
{
    ss_number_form form = SS_FORM_FLOAT;
    int size = 8;
    form_of(e->type, &form, &size);
    return ss_matrix_number(e->data + k * (size_t)size, form, size);
}

// What a matrix says before its numbers.
typedef struct head {
    uint32_t kind, flags;
    element dimensions, name;
} head;

static bool read_head(cursor* c, head* out)
{
    element flags;
    if (!next_element(c, true, &flags) || flags.length < 8) return false;
    out->flags = word_at(flags.data);
    out->kind = out->flags & 0xff;
    return next_element(c, true, &out->dimensions) && next_element(c, true, &out->name);
}

static bool is_matrix(const head* h)
{
    return h->kind >= CLASS_SPARSE && h->kind <= CLASS_LAST_NUMBER && !(h->flags & FLAG_COMPLEX) &&
           count_numbers(&h->dimensions) == 2;
}

static ss_status read_whole(const ss_matrix_bytes* file, cursor* c, double rows, double columns,
                            ss_matrix_numbers* out, ss_error* err)
{
    element numbers;
    if (!next_element(c, true, &numbers) || (double)count_numbers(&numbers) < rows * columns)
        return ss_matrix_fail(file, 0, err, "ends before the last of %.0f x %.0f numbers", rows, columns);
    ss_status status = ss_matrix_make(file, rows, columns, 0.0, true, out, err);
    for (size_t k = 0; k < out->count && status == SS_OK; k++) {
        size_t n = (size_t)out->rows, m = (size_t)out->columns;
        out->value[k % n * m + k / n] = number_at(&numbers, k);
    }
    return status;
}

static ss_status read_sparse(const ss_matrix_bytes* file, cursor* c, double rows, double columns,
                             ss_matrix_numbers* out, ss_error* err)
{
    element row, begin, numbers;
    bool good = next_element(c, true, &row) && next_element(c, true, &begin) &&
                next_element(c, true, &numbers) && (double)count_numbers(&begin) == columns + 1.0;
    double count = good ? number_at(&begin, (size_t)columns) : 0.0;
    if (!good || !(count <= (double)count_numbers(&row) && count <= (double)count_numbers(&numbers)))
        return ss_matrix_fail(file, 0, err, "ends within a sparse matrix");
    ss_status status = ss_matrix_make(file, rows, columns, count, false, out, err);
    for (int j = 0; j < out->columns && status == SS_OK; j++) {
        double from = number_at(&begin, (size_t)j), to = number_at(&begin, (size_t)j + 1);
        if (!(from >= 0.0 && from <= to && to <= count))
            return ss_matrix_fail(file, 0, err, "column %d of a sparse matrix does not end", j + 1);
        for (size_t k = (size_t)from; k < (size_t)to; k++) {
            double i = number_at(&row, k);
            if (!(i >= 0.0 && i < rows))
                return ss_matrix_fail(file, 0, err, "column %d has no row %.0f", j + 1, i);
            out->row[out->count] = (int)i;
            out->column[out->count] = j;
            out->value[out->count++] = number_at(&numbers, k);
        }
    }
    return status;
}

// ---- the variables of a file

typedef struct search {
    const ss_matrix_bytes* file;
    const char* variable; // NULL: the only matrix
    int matrices;         // met so far
    bool found;
    char names[160]; // of the matrices met, for errors
    ss_matrix_numbers* out;
    ss_error* err;
} search;

static ss_status look_at(search* s, const element* e)
{
    cursor c = {e->data, e->data + e->length};
    head h;
    if (e->type != TYPE_MATRIX || !read_head(&c, &h)) return SS_OK;
    char name[64] = "";
    memcpy(name, h.name.data, h.name.length < sizeof name ? h.name.length : sizeof name - 1);
    bool asked = s->variable ? strcmp(name, s->variable) == 0 : is_matrix(&h);
    if (asked && !is_matrix(&h))
        return ss_matrix_fail(s->file, 0, s->err, "'%s' is not a matrix of real numbers", name);
    if (is_matrix(&h)) {
        size_t used = strlen(s->names);
        snprintf(s->names + used, sizeof s->names - used, "%s%s", s->matrices++ ? ", " : "", name);
    }
    if (!asked || s->found) return SS_OK;
    double rows = number_at(&h.dimensions, 0), columns = number_at(&h.dimensions, 1);
    s->found = true;
    return h.kind == CLASS_SPARSE ? read_sparse(s->file, &c, rows, columns, s->out, s->err)
                                  : read_whole(s->file, &c, rows, columns, s->out, s->err);
}

// The bytes of a compressed element; NULL with a status.
static unsigned char* inflate_all(const search* s, const element* e, size_t* length, ss_status* status)
{
    size_t room = 4 * e->length + 1024;
    unsigned char* out = malloc(room);
    z_stream z = {.next_in = (unsigned char*)e->data, .avail_in = (uInt)e->length};
    int code = out ? inflateInit(&z) : Z_MEM_ERROR;
    bool begun = code == Z_OK;
    *length = 0;
    while (code == Z_OK || code == Z_BUF_ERROR) {
        if (*length == room) {
            unsigned char* larger = room < most_bytes ? realloc(out, 2 * room) : NULL;
            code = larger ? Z_OK : Z_MEM_ERROR;
            if (!larger) break;
            out = larger;
            room *= 2;
        }
        size_t left = room - *length, piece = left < 1u << 30 ? left : 1u << 30;
        z.next_out = out + *length;
        z.avail_out = (uInt)piece;
        code = inflate(&z, Z_NO_FLUSH);
        *length += piece - z.avail_out;
        if (code == Z_BUF_ERROR && z.avail_in == 0) break; // cut off
    }
    if (begun) inflateEnd(&z);
    if (code == Z_STREAM_END) return out;
    free(out);
    *status = code == Z_MEM_ERROR ? ss_fail_no_memory(s->err)
                                  : ss_matrix_fail(s->file, 0, s->err, "a compressed variable is damaged");
    return NULL;
}

static ss_status look_into(search* s, const element* e)
{
    size_t length;
    ss_status status = SS_OK;
    if (e->type != TYPE_COMPRESSED) return look_at(s, e);
    unsigned char* bytes = inflate_all(s, e, &length, &status);
    if (!bytes) return status;
    cursor c = {bytes, bytes + length};
    element inner;
    if (next_element(&c, false, &inner)) status = look_at(s, &inner);
    free(bytes);
    return status;
}

ss_status ss_mat_read(const ss_matrix_bytes* file, const char* variable, ss_matrix_numbers* out,
                      ss_error* err)
{
    search s = {.file = file, .variable = variable, .out = out, .err = err};
    cursor c = {file->bytes + HEADER, file->bytes + file->length};
    element next;
    while (next_element(&c, false, &next)) {
        ss_status status = look_into(&s, &next);
        if (status != SS_OK) return status;
    }
    if (c.end - c.at >= 8) return ss_matrix_fail(file, 0, err, "ends within a variable");
    if (!variable && s.matrices > 1)
        return ss_matrix_fail(file, 0, err, "has several matrices; name one: variable: %s", s.names);
    if (s.found) return SS_OK;
    if (!variable) return ss_matrix_fail(file, 0, err, "has no matrix of real numbers");
    return ss_matrix_fail(file, 0, err, "has no variable '%.60s'%s%s", variable,
                          s.matrices ? "; expected " : "", s.names);
}
