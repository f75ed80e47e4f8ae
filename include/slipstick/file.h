// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Files that the laboratory writes (libslipstick-lab): motions as traces, limit surfaces as meshes. They
// appear whole or not at all: each is written under a temporary name beside its target, forced to the disk,
// then renamed. A link stays a link: what it leads to is replaced, and keeps its mode, and its owner where
// that is allowed. A pipe or a device is written to. (Beyond a limit on the size of files the system sends
// SIGXFSZ, which ends programs that do not ignore it; those that do get SS_FILE_ERROR.)
//
//     ss_trace_def def = {.path = "motion.h5", .model = model};
//     ss_trace* trace;
//     ss_status status = ss_trace_create(&def, &trace, &err);
//     for (size_t k = 0; status == SS_OK && k < motion->rows.count; k++) {
//         ss_moment moment = ss_motion_row(motion, k);
//         status = ss_trace_add(trace, &moment, &err);
//     }
//     if (status == SS_OK) status = ss_trace_finish(trace, ss_outcome_name(motion->outcome), &err);
//     ss_trace_destroy(trace);
#ifndef SLIPSTICK_FILE_H
#define SLIPSTICK_FILE_H

#include "slipstick/slipstick.h"
#include "slipstick/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- traces: a motion, row by row, as comma-separated text (.csv) or HDF5 (.h5)
//
// A row holds the time, x and v of every body, force, mode and bristle states of every contact; of a slider,
// its place and velocity, force and mode of every support.

typedef struct ss_trace_def {
    const char* path;               ///< its ending chooses the format
    const ss_model* model;          ///< names and units of the columns; must outlive the trace
    const ss_slider* slider;        ///< in place of a model
    const char* model_text;         ///< kept in HDF5 and MAT files; may be NULL
    const char* made;               ///< what the motion came from, kept in a line; may be NULL
    const ss_direction* directions; ///< of the moments, by which they are differentiated; names are borrowed
    int direction_count;
} ss_trace_def;

typedef struct ss_trace ss_trace;

/// Whether the ending of path names a format.
SS_API bool ss_trace_knows(const char* path);

/// Begins a file. A CSV appears under its name only when finished, whole; an older file stays until then. An
/// HDF5 file appears after a moment and grows; it is whole at every moment, even if the process is killed.
SS_API ss_status ss_trace_create(const ss_trace_def* def, ss_trace** out, ss_error* err);

/// Appends a row. It may be a moment before others see it.
SS_API ss_status ss_trace_add(ss_trace* trace, const ss_moment* moment, ss_error* err);

/// Writes what waits, says how the motion ended ("at-rest", ..) and closes the file. After a failure here or
/// in ss_trace_add the trace can only be destroyed.
SS_API ss_status ss_trace_finish(ss_trace* trace, const char* outcome, ss_error* err);

/// Without ss_trace_finish before, an unfinished CSV is removed and an HDF5 file keeps the rows it has. NULL
/// is welcome.
SS_API void ss_trace_destroy(ss_trace* trace);

// ---- meshes: a limit surface (ss_slider_mesh) with Fx, Fy in N and M in N*m as coordinates

/// Whether the ending of path names a format: .csv (one row per vertex, with the motion that goes with it),
/// .obj or .ply.
SS_API bool ss_mesh_knows(const char* path);
SS_API ss_status ss_mesh_write(const ss_mesh* mesh, const char* path, ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
