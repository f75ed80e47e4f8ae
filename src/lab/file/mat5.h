// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// MAT files of version 5, as MATLAB, Octave and SciPy read them: a tree of variables, written in one go. The
// sizes that the format wants before the bytes are computed from the tree first, so the file is written from
// its beginning to its end, and whoever owns the stream sees every failure.
#ifndef SLIPSTICK_LAB_MAT5_H
#define SLIPSTICK_LAB_MAT5_H

#include "slipstick/slipstick.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum ss_mat_kind { SS_MAT_STRUCT, SS_MAT_CELL, SS_MAT_NUMBERS, SS_MAT_TEXT } ss_mat_kind;

enum { SS_MAT_NAME = 64 }; // bytes of a name of a variable or field: 63 characters

typedef struct ss_mat_node ss_mat_node;

/// An empty tree: a struct whose fields are the variables of the file. NULL without memory.
ss_mat_node* ss_mat_create(void);
void ss_mat_destroy(ss_mat_node* root);

/// Adds a struct or a cell to one, under its name: a character that no field can have becomes an underscore,
/// a name that does not begin with a letter gets x_ before it, and a name that is then taken gets a number
/// behind it. The name of a struct is borrowed. NULL where parent is, and without memory.
ss_mat_node* ss_mat_add(ss_mat_node* parent, const char* name, ss_mat_kind kind);
/// The field that was added under this name, added as a struct where there is none.
ss_mat_node* ss_mat_child(ss_mat_node* parent, const char* name);
/// Adds a column of count numbers, stride numbers apart; borrowed.
bool ss_mat_numbers(ss_mat_node* parent, const char* name, const double* first, size_t stride, size_t count);
/// Adds a text of one line; borrowed.
bool ss_mat_text(ss_mat_node* parent, const char* name, const char* text);

/// Writes the file. A variable beyond what the format can hold (2 GB) is SS_FILE_ERROR; failures of the
/// stream are kept by the stream.
ss_status ss_mat_write(ss_mat_node* root, const char* writer, FILE* file, ss_error* err);

#endif
