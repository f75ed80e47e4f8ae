// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the formats of a trace share: columns and units.
#ifndef SLIPSTICK_LAB_TRACE_WRITER_H
#define SLIPSTICK_LAB_TRACE_WRITER_H

#include "share/quantity_table.h"
#include "slipstick/file.h"

/// One format: what ss_trace calls. `self` is the format's own object.
typedef struct ss_trace_writer {
    const char* ending; ///< ".csv"
    ss_status (*create)(const ss_trace_def* def, void** self, ss_error* err);
    ss_status (*add)(void* self, const ss_moment* row, ss_error* err);
    ss_status (*finish)(void* self, const char* outcome, ss_error* err);
    void (*destroy)(void* self);
} ss_trace_writer;

extern const ss_trace_writer ss_trace_csv, ss_trace_hdf5, ss_trace_mat;

/// A column: a quantity, or how it changes with a number of the model.
typedef struct ss_column {
    ss_quantity of;
    const ss_model* model; ///< NULL for a slider
    const char* group;     ///< of its owner: "bodies", "contacts", "states", ..; "" for the time and a slider
    const char* name;      ///< of its owner: a body, a contact, "slider"; "" for the time
    char own[32];          ///< where the name of a support is kept
    char field[32];        ///< "x"; "" for numbers of an open model
    char unit[64];         ///< "m/s"; "" for a mode and for a derivative
    const char* by;        ///< of a derivative: the number; else NULL
    int place;             ///< of a derivative: its place in the row
} ss_column;

/// The columns of a model: t, then what the table of quantities has for traces, then derivatives. NULL
/// without memory; the caller frees.
ss_column* ss_trace_columns(const ss_trace_def* def, int* count);
const char* ss_trace_title(const ss_trace_def* def);
bool ss_column_is_mode(const ss_column* column);
double ss_column_value(const ss_column* column, const ss_moment* row); ///< of a mode: its number
ss_mode ss_column_mode(const ss_column* column, const ss_moment* row); ///< only for a mode

#endif
