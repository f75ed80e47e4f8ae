// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Writing a motion to a file, row by row: comma-separated text (.csv) or HDF5 (.h5). A row holds the time,
// x and v of every body, force, mode and bristle states of every contact; of a slider, its place and
// velocity, force and mode of every support.
#ifndef SLIPSTICK_LAB_TRACE_H
#define SLIPSTICK_LAB_TRACE_H

#include "slipstick/motion.h"

typedef struct ss_trace_def {
    const char* path;        ///< its ending chooses the format
    const ss_model* model;   ///< names and units of the columns; must outlive the trace
    const ss_slider* slider; ///< in place of a model
    const char* model_text;  ///< kept in HDF5 files as an attribute; may be NULL
} ss_trace_def;

typedef struct ss_trace ss_trace;

/// Whether the ending of path names a format.
bool ss_trace_knows(const char* path);

/// Begins a file. A CSV appears under its name only when finished, whole; an older file stays until then. An
/// HDF5 file appears after a moment and grows; it is whole at every moment, even if the process is killed.
ss_status ss_trace_create(const ss_trace_def* def, ss_trace** out, ss_error* err);

/// Appends a row. It may be a moment before others see it.
ss_status ss_trace_add(ss_trace* trace, const ss_moment* row, ss_error* err);

/// Writes what waits, says how the motion ended ("at-rest", ..) and closes the file. After a failure here or
/// in ss_trace_add the trace can only be destroyed.
ss_status ss_trace_finish(ss_trace* trace, const char* outcome, ss_error* err);

/// Without ss_trace_finish before, an unfinished CSV is removed and an HDF5 file keeps the rows it has. NULL
/// is welcome.
void ss_trace_destroy(ss_trace* trace);

#endif
