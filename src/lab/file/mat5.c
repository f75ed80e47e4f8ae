// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The format: a header of 128 bytes, then elements. An element is a tag of 8 bytes (type, length) and its
// bytes, filled up to a multiple of 8. A variable is an element of type MATRIX that contains elements: flags
// with the class, dimensions, name, then the numbers, characters, cells or fields.
#include "lab/file/mat5.h"

#include "core/error.h"
#include "core/utf8.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { INT8 = 1, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14, UTF8 = 16, UTF16 = 17 }; // types of elements
enum { CLASS_CELL = 1, CLASS_STRUCT = 2, CLASS_CHAR = 4, CLASS_DOUBLE = 6, TAG = 8 };     // of variables
static const uint64_t most_bytes = INT32_MAX;                                             // of one variable

struct ss_mat_node {
    ss_mat_kind kind;
    char name[SS_MAT_NAME];
    const char* given; // of a struct: the name before it was made one
    ss_mat_node *next, *first, *last;
    const double* numbers;
    size_t stride, count; // of numbers, or of characters
    const char* text;
    uint64_t size; // bytes after the tag, known once measured
};

// ---- texts

// The character of a text at *at, one unit of UTF-16, and steps behind it. What needs two units becomes the
// replacement character: SciPy counts two units as one column, MATLAB as two.
static uint16_t next_character(const char** at)
{
    uint32_t code;
    size_t left = 1;
    while (left < 4 && (*at)[left]) left++;
    size_t bytes = ss_utf8_read(*at, left, &code);
    *at += bytes ? bytes : 1;
    return bytes == 0 || code > 0xffff ? 0xfffd : (uint16_t)code;
}

static bool is_plain(const char* text)
{
    for (; *text; text++)
        if ((unsigned char)*text > 0x7f) return false;
    return true;
}

// A text has as many columns as characters. Plain texts are written as bytes, others as UTF-16: of UTF-8
// with longer characters Octave reads only a part.
static size_t text_length(const char* text)
{
    if (is_plain(text)) return strlen(text);
    size_t count = 0;
    while (*text) {
        next_character(&text);
        count++;
    }
    return count;
}

// ---- the tree

ss_mat_node* ss_mat_create(void) { return ss_new(1, sizeof(ss_mat_node)); }

void ss_mat_destroy(ss_mat_node* root)
{
    if (!root) return;
    for (ss_mat_node *child = root->first, *next; child; child = next) {
        next = child->next;
        ss_mat_destroy(child); // NOLINT(misc-no-recursion): as deep as a file's structs, four
    }
    free(root);
}

static bool is_taken(const ss_mat_node* parent, const char* name)
{
    for (const ss_mat_node* child = parent->first; child; child = child->next)
        if (strcmp(child->name, name) == 0) return true;
    return false;
}

static void make_name(const ss_mat_node* parent, const char* given, char out[SS_MAT_NAME])
{
    snprintf(out, SS_MAT_NAME, "%s%s", isalpha((unsigned char)given[0]) ? "" : "x_", given);
    for (char* p = out; *p; p++)
        if (!isalnum((unsigned char)*p)) *p = '_';
    size_t length = strlen(out);
    if (length > 1 && out[length - 1] == '_' && strchr(given, ']')) out[--length] = '\0'; // deflections[3]
    for (int k = 2; is_taken(parent, out); k++) {
        char number[16];
        size_t digits = (size_t)snprintf(number, sizeof number, "_%d", k);
        size_t at = length + digits < SS_MAT_NAME ? length : SS_MAT_NAME - 1 - digits;
        memcpy(out + at, number, digits + 1);
    }
}

ss_mat_node* ss_mat_add(ss_mat_node* parent, const char* name, ss_mat_kind kind)
{
    ss_mat_node* node = parent ? ss_new(1, sizeof *node) : NULL;
    if (!node) return NULL;
    node->kind = kind;
    if (kind == SS_MAT_STRUCT) node->given = name;
    if (parent->kind == SS_MAT_STRUCT) make_name(parent, name, node->name);
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    return node;
}

static bool is_given(const ss_mat_node* node, const char* name)
{
    return node && node->given && strcmp(node->given, name) == 0;
}

ss_mat_node* ss_mat_child(ss_mat_node* parent, const char* name)
{
    if (!parent) return NULL;
    if (is_given(parent->last, name)) return parent->last; // most often
    for (ss_mat_node* child = parent->first; child; child = child->next)
        if (is_given(child, name)) return child;
    return ss_mat_add(parent, name, SS_MAT_STRUCT);
}

bool ss_mat_numbers(ss_mat_node* parent, const char* name, const double* first, size_t stride, size_t count)
{
    ss_mat_node* node = ss_mat_add(parent, name, SS_MAT_NUMBERS);
    if (!node) return false;
    node->numbers = first;
    node->stride = stride;
    node->count = count;
    return true;
}

bool ss_mat_text(ss_mat_node* parent, const char* name, const char* text)
{
    ss_mat_node* node = ss_mat_add(parent, name, SS_MAT_TEXT);
    if (!node) return false;
    node->text = text;
    node->count = text_length(text);
    return true;
}

// ---- sizes

static uint64_t filled(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

// Bytes of a field's name in the list of them: room for the longest and a zero.
static uint32_t name_width(const ss_mat_node* node)
{
    size_t longest = 0;
    for (const ss_mat_node* child = node->first; child; child = child->next) {
        size_t length = strlen(child->name);
        if (length > longest) longest = length;
    }
    return (uint32_t)(longest + 1);
}

static uint64_t child_count(const ss_mat_node* node)
{
    uint64_t count = 0;
    for (const ss_mat_node* child = node->first; child; child = child->next) count++;
    return count;
}

static uint64_t text_bytes(const ss_mat_node* node)
{
    return is_plain(node->text) ? node->count : node->count * sizeof(uint16_t);
}

// Sets the sizes of a node and of all below it. Fields and cells are written without their names.
static uint64_t measure(ss_mat_node* node, bool named)
{
    uint64_t size = 2 * (TAG + 8) + TAG + (named ? filled(strlen(node->name)) : 0); // flags, sizes, name
    for (ss_mat_node* child = node->first; child; child = child->next)
        size += TAG + measure(child, false); // NOLINT(misc-no-recursion)
    if (node->kind == SS_MAT_STRUCT) size += TAG + TAG + filled(child_count(node) * name_width(node));
    if (node->kind == SS_MAT_NUMBERS) size += TAG + (uint64_t)node->count * sizeof(double);
    if (node->kind == SS_MAT_TEXT) size += TAG + filled(text_bytes(node));
    node->size = size;
    return size;
}

// ---- bytes. Failures are kept by the stream (ferror).

static void put_zeros(FILE* file, uint64_t count)
{
    static const char zeros[8] = {0};
    fwrite(zeros, 1, (size_t)count, file);
}

static void put_tag(FILE* file, uint32_t type, uint64_t bytes)
{
    const uint32_t tag[2] = {type, (uint32_t)bytes};
    fwrite(tag, sizeof tag, 1, file);
}

static void put_bytes(FILE* file, uint32_t type, const void* bytes, uint64_t size)
{
    put_tag(file, type, size);
    fwrite(bytes, 1, (size_t)size, file);
    put_zeros(file, filled(size) - size);
}

static void put_head(FILE* file, const ss_mat_node* node, bool named)
{
    static const uint32_t classes[] = {CLASS_STRUCT, CLASS_CELL, CLASS_DOUBLE, CLASS_CHAR};
    const uint32_t flags[2] = {classes[node->kind], 0};
    int32_t size[2] = {1, 1};
    if (node->kind == SS_MAT_CELL) size[1] = (int32_t)child_count(node);
    if (node->kind == SS_MAT_NUMBERS) size[0] = (int32_t)node->count;
    if (node->kind == SS_MAT_TEXT) {
        size[0] = node->count > 0;
        size[1] = (int32_t)node->count;
    }
    put_tag(file, MATRIX, node->size);
    put_bytes(file, UINT32, flags, sizeof flags);
    put_bytes(file, INT32, size, sizeof size);
    put_bytes(file, INT8, node->name, named ? strlen(node->name) : 0);
}

// The names of a struct's fields, each in the same number of bytes; that number is a short element, whose
// bytes lie within its tag.
static void put_field_names(FILE* file, const ss_mat_node* node)
{
    const uint32_t width = name_width(node), short_tag[2] = {4U << 16 | INT32, width};
    uint64_t bytes = child_count(node) * width;
    fwrite(short_tag, sizeof short_tag, 1, file);
    put_tag(file, INT8, bytes);
    for (const ss_mat_node* child = node->first; child; child = child->next) {
        char name[SS_MAT_NAME] = "";
        memcpy(name, child->name, strlen(child->name));
        fwrite(name, 1, width, file);
    }
    put_zeros(file, filled(bytes) - bytes);
}

static void put_numbers(FILE* file, const ss_mat_node* node)
{
    put_tag(file, DOUBLE, (uint64_t)node->count * sizeof(double));
    for (size_t k = 0; k < node->count; k++)
        fwrite(&node->numbers[k * node->stride], sizeof(double), 1, file);
}

static void put_text(FILE* file, const ss_mat_node* node)
{
    uint64_t bytes = text_bytes(node);
    if (is_plain(node->text)) {
        put_bytes(file, UTF8, node->text, bytes);
        return;
    }
    put_tag(file, UTF16, bytes);
    for (const char* at = node->text; *at;) {
        uint16_t unit = next_character(&at);
        fwrite(&unit, sizeof unit, 1, file);
    }
    put_zeros(file, filled(bytes) - bytes);
}

static void put_node(FILE* file, const ss_mat_node* node, bool named)
{
    put_head(file, node, named);
    if (node->kind == SS_MAT_STRUCT) put_field_names(file, node);
    if (node->kind == SS_MAT_NUMBERS) put_numbers(file, node);
    if (node->kind == SS_MAT_TEXT) put_text(file, node);
    for (const ss_mat_node* child = node->first; child; child = child->next)
        put_node(file, child, false); // NOLINT(misc-no-recursion)
}

static void put_header(FILE* file, const char* writer)
{
    char text[117]; // of which 116 are written, blanks behind the words
    const uint64_t no_subsystem = 0;
    const uint16_t version[2] = {0x0100, 'M' << 8 | 'I'}; // the order of the letters tells that of the bytes
    int length = snprintf(text, sizeof text, "MATLAB 5.0 MAT-file, written by %s", writer);
    for (size_t k = (size_t)length; k < sizeof text; k++) text[k] = ' ';
    fwrite(text, 1, sizeof text - 1, file);
    fwrite(&no_subsystem, sizeof no_subsystem, 1, file);
    fwrite(version, sizeof version, 1, file);
}

ss_status ss_mat_write(ss_mat_node* root, const char* writer, FILE* file, ss_error* err)
{
    for (ss_mat_node* variable = root->first; variable; variable = variable->next)
        if (measure(variable, true) > most_bytes)
            return ss_fail(err, SS_FILE_ERROR, NULL,
                           "cannot write: a MAT file holds at most 2 GB in one variable (%s); "
                           "HDF5 (.h5) has no such limit",
                           variable->name);
    put_header(file, writer);
    for (const ss_mat_node* variable = root->first; variable; variable = variable->next)
        put_node(file, variable, true);
    return SS_OK;
}
