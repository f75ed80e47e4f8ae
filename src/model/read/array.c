// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "model/read/array.h"

#include "core/error.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct ss_array {
    atomic_int holders;
    ss_matrix_def def;
    int *row, *column;
    double* value;
};

ss_array* ss_array_new(const ss_matrix_def* def)
{
    ss_array* array = ss_new(1, sizeof *array);
    if (!array) return NULL;
    size_t places = def->row ? def->count : 0;
    atomic_init(&array->holders, 1);
    array->value = ss_new(def->count, sizeof *array->value);
    array->row = ss_new(places, sizeof *array->row);
    array->column = ss_new(places, sizeof *array->column);
    if (!array->value || !array->row || !array->column) {
        ss_array_release(array);
        return NULL;
    }
    if (def->count > 0) memcpy(array->value, def->value, def->count * sizeof *array->value);
    if (places > 0) memcpy(array->row, def->row, places * sizeof *array->row);
    if (places > 0) memcpy(array->column, def->column, places * sizeof *array->column);
    array->def = *def;
    array->def.value = array->value;
    array->def.row = def->row ? array->row : NULL;
    array->def.column = def->row ? array->column : NULL;
    return array;
}

ss_array* ss_array_hold(ss_array* array)
{
    atomic_fetch_add_explicit(&array->holders, 1, memory_order_relaxed);
    return array;
}

void ss_array_release(ss_array* array)
{
    if (!array || atomic_fetch_sub_explicit(&array->holders, 1, memory_order_acq_rel) > 1) return;
    free(array->row);
    free(array->column);
    free(array->value);
    free(array);
}

const ss_matrix_def* ss_array_def(const ss_array* array) { return &array->def; }
