// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Scans (libslipstick-lab): how a motion changes while numbers of its model do. For each value the model is
// run, a number of sections is dropped, and of those that follow either the state at each is kept (points of
// a Poincare or bifurcation diagram) or numbers that measure the motion between them. All numbers are SI.
//
//     ss_basin_axis axis = {.path = "parameters.w", .from = 2.0, .to = 3.0, .count = 400};
//     const char* show[] = {"block.x", "block.v"};
//     ss_scan_def def = ss_scan_def_default();
//     def.document = document, def.axes = &axis, def.axis_count = 1;
//     def.section = "period", def.skip = 100, def.keep = 50, def.show = show, def.show_count = 2;
//     ss_scan* scan;
//     ss_status status = ss_scan_create(&def, &scan, &err);
//     ss_map_def map_def = {.basin = ss_scan_cells(scan), .keep = true};
//     ss_map* map;
//     if (status == SS_OK) status = ss_map_create(&map_def, &map, &err);
//     ss_basin_run_def run = {.threads = 4};
//     if (status == SS_OK) status = ss_map_run(map, &run, NULL, &err);
//     if (status == SS_OK) status = ss_scan_write_csv(scan, map, "scan.csv", false, &err);
#ifndef SLIPSTICK_SCAN_H
#define SLIPSTICK_SCAN_H

#include "slipstick/answer.h"
#include "slipstick/map.h"

#include <math.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where the motion of each value starts.
typedef enum ss_scan_carry {
    SS_CARRY_NONE, ///< where the model says
    SS_CARRY_UP,   ///< where that of the next smaller value of the first axis has ended
    SS_CARRY_DOWN, ///< where that of the next larger one has ended
} ss_scan_carry;

typedef struct ss_scan_def {
    size_t size;                 ///< set by ss_scan_def_default
    const ss_document* document; ///< required: the model; borrowed until the scan is destroyed
    const ss_basin_axis* axes;   ///< required, copied; the first varies fastest
    int axis_count;              ///< 1 or 2
    /// "period" (of the inputs; default), a time ("0.1 s"), events of a contact: "floor:slip+>stick",
    /// "floor:stick>slip" (either way), "floor:stick" (however it came to stick), "stop:impact"; or "run",
    /// the whole run in skip + keep equal parts: the default where "settling:" and "overshoot:" alone are
    /// measured.
    const char* section;
    int64_t skip; ///< sections to drop, counted from the start; -1: 100, of settling and overshoot alone none
    /// Points to keep, at most 1e7 numbers of a value, or intervals between sections to measure, >= 1; -1: 50
    /// points, or to measure over 1, with "lyapunov" 400, of settling and overshoot alone as many as the run
    /// has.
    int64_t keep;
    /// What is kept of a point: "block.x", "block.v", "floor.force", "floor.velocity", "floor.power" (W,
    /// given to the bodies), "brush.z", states, signals, inputs and memory by their names, "t".
    const char* const* show;
    int show_count;
    /// In place of points: "amplitude:block.x" (half the range), "mean:", "rms:", "max:", "min:" of anything
    /// that can be shown, "harmonic:block.x:1" (of the inputs' period; two columns, amplitude and phase in
    /// rad against cos(k w t)), "settling:block.x:0.01" (s, after which it stays within 0.01 of its last
    /// value), "overshoot:block.x" (beyond the last value, as a share of the way), "period" (after which the
    /// sections repeat), "return" (mean time between sections), "lyapunov" (largest exponent, 1/s),
    /// "dissipation" (J), "stick-share:floor".
    const char* const* measures;
    int measure_count;
    ss_scan_carry carry;
    bool through_rounding; ///< "lyapunov" passes rounding of sampled controllers, as ss_direction has it
    double until;          ///< s: how long an event of the section is waited for; NaN: run.until of the model
    double tolerance;      ///< as in ss_sim_def; 1e-10
    int64_t max_events;    ///< per value; 1e6
} ss_scan_def;

static inline ss_scan_def ss_scan_def_default(void)
{
    ss_scan_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.skip = -1;
    def.keep = -1;
    def.until = NAN;
    def.tolerance = 1e-10;
    def.max_events = 1000000;
    return def;
}

typedef struct ss_scan ss_scan; ///< constant once made, shared by threads

/// Checks the definition and the models at the corners. Faults name the member (section, show, measures), or
/// the axis.
SS_API ss_status ss_scan_create(const ss_scan_def* def, ss_scan** out, ss_error* err);
SS_API void ss_scan_destroy(ss_scan* scan); ///< NULL is welcome

/// The plan of a scan: one cell per value. It is run, kept, resumed and spread over ranks like that of a
/// basin (slipstick/map.h, slipstick/blocks.h), but what its blocks hold is for the functions below. A cell
/// at rest came to it before its sections were complete, one that has escaped likewise.
SS_API const ss_basin* ss_scan_cells(const ss_scan* scan);

SS_API int ss_scan_column_count(const ss_scan* scan); ///< axes, then what is shown or measured
SS_API const char* ss_scan_column(const ss_scan* scan, int column);
/// The unit of a column as it is written in models ("rad/s"), which may be put into out; "1" or "": none.
SS_API const char* ss_scan_unit(const ss_scan* scan, int column, char* out, size_t size);
SS_API bool ss_scan_is_measured(const ss_scan* scan); ///< one row per value, otherwise one per point
SS_API const char* ss_scan_section(const ss_scan* scan);
/// What is worth knowing of what was asked, the first (0), the next, ..; NULL: there is no more.
SS_API const char* ss_scan_note(const ss_scan* scan, int which);

// ---- of a complete map of its cells that was kept

/// Takes rows, one after the other: count times ss_scan_column_count numbers, NaN where there is none; false
/// ends the reading.
typedef bool ss_scan_sink(void* user, const double rows[], size_t count);
/// All rows in order of the values, of each value in order of time.
SS_API ss_status ss_scan_read(const ss_scan* scan, const ss_map* map, ss_scan_sink* sink, void* user,
                              ss_error* err);

/// What became of the motion of a value.
typedef enum ss_scan_status {
    SS_SCAN_SETTLED,     ///< its last sections repeat to 1e-6 of its size
    SS_SCAN_MOVING,      ///< they do not, or an event of the section did not come in time
    SS_SCAN_REST,        ///< it came to rest
    SS_SCAN_ESCAPED,     ///< it overflowed
    SS_SCAN_EVENT_LIMIT, ///< it had as many events as allowed
    SS_SCAN_STATUSES
} ss_scan_status;
/// "settled", "moving", "rest", "escaped", "event-limit".
SS_API const char* ss_scan_status_name(ss_scan_status status);

/// The same with the status of the value that the rows belong to.
typedef bool ss_scan_rows_sink(void* user, const double rows[], size_t count, ss_scan_status status);
SS_API ss_status ss_scan_read_rows(const ss_scan* scan, const ss_map* map, ss_scan_rows_sink* sink,
                                   void* user, ss_error* err);

typedef struct ss_scan_summary {
    int64_t values;                     ///< of the axes
    int64_t rows;                       ///< points, or values measured
    int64_t short_of;                   ///< values whose motion had fewer sections than wanted
    int64_t limited;                    ///< of these: stopped by max_events
    int64_t statuses[SS_SCAN_STATUSES]; ///< values by status
} ss_scan_summary;
SS_API ss_status ss_scan_summarize(const ss_scan* scan, const ss_map* map, ss_scan_summary* out,
                                   ss_error* err);

/// One header line with the columns, then the rows; a number that there is not is empty. The status of each
/// row is a last column where it is wanted.
SS_API ss_status ss_scan_write_csv(const ss_scan* scan, const ss_map* map, const char* path, bool with_status,
                                   ss_error* err);
/// Each column as a dataset, one number per row, with its unit where it is known: /over/PATH of what varies,
/// /NAME of what is shown or measured; attributes title, model (text), version, question, section, skip,
/// keep.
SS_API ss_status ss_scan_write_hdf5(const ss_scan* scan, const ss_map* map, const char* path, ss_error* err);
/// Whether an HDF5 file is this scan, whole.
SS_API bool ss_scan_is_finished(const ss_scan* scan, const char* path);
/// The answer of `scan` as a tree: columns, rows with their status, and how many values were short of
/// sections.
SS_API ss_status ss_answer_scan(const ss_scan* scan, const ss_map* map, ss_answer** out, ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
