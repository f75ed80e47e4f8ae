// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the formats of a trace share: columns and units.
#ifndef SLIPSTICK_LAB_TRACE_WRITER_H
#define SLIPSTICK_LAB_TRACE_WRITER_H

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

typedef enum ss_column_kind {
    SS_COLUMN_T,
    SS_COLUMN_X,
    SS_COLUMN_V,
    SS_COLUMN_FORCE,
    SS_COLUMN_MODE,
    SS_COLUMN_Z,
    SS_COLUMN_DEFLECTION,    ///< of one element of Maxwell-slip, or its force in GMS
    SS_COLUMN_SLIDE,         ///< x, y, angle, vx, vy, spin of a slider
    SS_COLUMN_SUPPORT_FORCE, ///< a component of it
    SS_COLUMN_SUPPORT_MODE,
    SS_COLUMN_NUMBER,     ///< a state, signal, input or memory of an open model
    SS_COLUMN_DERIVATIVE, ///< of one of these by a number of the model
} ss_column_kind;

typedef struct ss_column {
    ss_column_kind kind;
    int index;        ///< of the body or contact
    const char* name; ///< of the body or contact, "" for the time
    bool angular;
    int component; ///< of a slider's state, or of a force; of a deflection, or a derivative: its place in the
                   ///< row
    ss_column_kind of; ///< of a derivative: what is differentiated
    const char* by;    ///< of a derivative: the number
    bool force;        ///< of an element: N and not m
    char unit[64];     ///< of a number
    char own[32];      ///< where the name is kept, if it is not the model's; of a deflection: its field
} ss_column;

/// The columns of a model: t, then x and v of each body, then force, mode and bristle states of each contact.
/// Of a slider: t, its state, then force and mode of each support. NULL without memory; the caller frees.
ss_column* ss_trace_columns(const ss_trace_def* def, int* count);
const char* ss_trace_title(const ss_trace_def* def);
const char* ss_column_field(const ss_column* column); ///< "x"
bool ss_column_is_mode(const ss_column* column);
const char* ss_column_unit(const ss_column* column);                   ///< "m/s"; "" for a mode
double ss_column_value(const ss_column* column, const ss_moment* row); ///< not for a mode
ss_mode ss_column_mode(const ss_column* column, const ss_moment* row); ///< only for a mode

#endif
