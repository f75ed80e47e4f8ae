// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Maps of outcomes: what becomes of every start on a grid, of random starts in a box, or of a model under
// every combination of its numbers (stability charts). Definition, then basin, then run. All numbers are SI.
//
// A cell is one start of one model. Cells are computed in blocks that depend on the definition alone, so a
// map has the same bits whatever the number of threads and the order of work.
#ifndef SLIPSTICK_BASIN_H
#define SLIPSTICK_BASIN_H

#include "slipstick/answer.h"
#include "slipstick/batch.h"
#include "slipstick/slipstick.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How the values of an axis lie, or from what they are drawn.
typedef enum ss_axis_kind {
    SS_AXIS_EVEN,      ///< even steps from `from` to `to`; random cells: uniform between them
    SS_AXIS_LOG,       ///< steps by a factor; random cells: their logarithm is uniform
    SS_AXIS_VALUES,    ///< `values`, in this order; with random cells one per cell: they are rows of a table
    SS_AXIS_NORMAL,    ///< random cells: `mean` and standard deviation `deviation`
    SS_AXIS_LOGNORMAL, ///< random cells: `mean` is the median, `deviation` that of the natural logarithm
} ss_axis_kind;

/// One number of the model that varies.
typedef struct ss_basin_axis {
    const char* path;   ///< "block1.x", "sum" (starts), "parameters.mu", "connections[0].damping", ..
    double from, to;    ///< SI; both ends belong to a grid. Of values and draws the library finds them
    int64_t count;      ///< values of a grid, >= 1 (1 only where from = to); ignored for random starts
    const char* option; ///< what errors about it begin with ("--over block1.x=-10:10:41"), or NULL
    ss_axis_kind kind;
    const double* values;   ///< SS_AXIS_VALUES: count of them, copied
    double mean, deviation; ///< of a distribution
} ss_basin_axis;

typedef struct ss_basin_def {
    size_t size;                 ///< set by ss_basin_def_default
    const ss_document* document; ///< required: the model; borrowed until the basin is destroyed
    const ss_basin_axis* axes;   ///< required, copied; the first varies fastest
    int axis_count;              ///< >= 1
    int64_t random;              ///< so many starts drawn from the axes; 0: a grid
    uint64_t seed;               ///< of random starts; start k depends on (seed, k) alone
    double until;                ///< s, when to give up; NaN: as each model says
    double escape;      ///< gone where some |x - x_start| exceeds it; NaN: 1e6 times the largest start
    double tolerance;   ///< relative, where the flow is not closed form, as in ss_sim_def; 1e-10
    int64_t max_events; ///< per cell; 1e6
} ss_basin_def;

static inline ss_basin_def ss_basin_def_default(void)
{
    ss_basin_def def;
    memset(&def, 0, sizeof def);
    def.size = sizeof def;
    def.until = NAN;
    def.escape = NAN;
    def.tolerance = 1e-10;
    def.max_events = 1000000;
    return def;
}

typedef struct ss_basin ss_basin; ///< constant once made, shared by threads

/// Checks the definition and the models at the corners of the box. An error about an axis names it.
SS_API ss_status ss_basin_create(const ss_basin_def* def, ss_basin** out, ss_error* err);
SS_API void ss_basin_destroy(ss_basin* basin); ///< NULL is welcome

SS_API const ss_model* ss_basin_model(const ss_basin* basin); ///< with every axis at `from`
SS_API int64_t ss_basin_cell_count(const ss_basin* basin);
SS_API bool ss_basin_is_random(const ss_basin* basin); ///< its starts are drawn; otherwise they form a grid
SS_API int ss_basin_axis_count(const ss_basin* basin);
SS_API const ss_basin_axis* ss_basin_get_axis(const ss_basin* basin, int axis);
SS_API double ss_basin_escape(const ss_basin* basin); ///< the bound in use
/// The body whose start an axis sets, or -1 where it sets another number; *speed tells v from x.
SS_API int ss_basin_axis_body(const ss_basin* basin, int axis, bool* speed);
/// The numbers of a cell, one per axis. Cells count from 0.
SS_API void ss_basin_coordinates(const ss_basin* basin, int64_t cell, double out[]);

/// Added to the fate of a cell that was still moving after max_events; of one that has come to slide
/// steadily; of one that ran by itself, not in lock-step. `fate & SS_CELL_FATE` is the ss_fate.
enum { SS_CELL_LIMITED = 0x80, SS_CELL_STEADY = 0x40, SS_CELL_ALONE = 0x08, SS_CELL_FATE = 0x03 };

/// Consecutive cells of a map, as a run hands them over.
typedef struct ss_basin_block {
    int64_t first, count;
    const unsigned char*
        fate; ///< ss_fate, one per cell, to which SS_CELL_LIMITED and the others may be added
    /// At rest: when rest began, in s; NaN where rest is only approached. Moving: where the motion is seen to
    /// slide steadily or to repeat, a number that is about the same for all that end in the same lasting
    /// motion; NaN where it is on its way.
    const double* t;
    const double* x; ///< final positions: x[cell * bodies + body]
    /// Final states of an open model, then the memory of its controllers: inner[cell * count + k], with
    /// count = ss_model_state_count + ss_model_memory_count.
    const double* inner;
} ss_basin_block;

/// Called by one thread at a time, in no particular order of blocks; false ends the run.
typedef bool ss_basin_sink(void* user, const ss_basin_block* block);
/// Called ten times a second or so by the thread that runs; false ends the run.
typedef bool ss_basin_watch(void* user, int64_t cells_done);

typedef struct ss_basin_run_def {
    int threads;           ///< 0: one per core this process may use
    ss_basin_sink* sink;   ///< may be NULL
    ss_basin_watch* watch; ///< may be NULL
    void* user;
} ss_basin_run_def;

typedef struct ss_basin_counts {
    int64_t rest, escaped, moving; ///< cells computed
    int64_t limited;               ///< of those moving: stopped by max_events
    int64_t alone;                 ///< ran by themselves; the others in lock-step
} ss_basin_counts;

/// Computes the map. Where sink or watch end it, counts tell how far it came and the status is SS_OK.
SS_API ss_status ss_basin_run(const ss_basin* basin, const ss_basin_run_def* def, ss_basin_counts* counts,
                              ss_error* err);

/// ss_slide_batch over threads (0: one per core this process may use), to the same bits; only the
/// calling thread, which takes part, asks keep_going.
SS_API ss_status ss_slide_batch_threads(const ss_slider* slider, const ss_batch_def* def,
                                        const ss_slide_starts* starts, int threads, ss_error* err);

// ---- what a map comes to

typedef enum ss_attractor_kind {
    SS_ATTRACTOR_REST,   ///< resting places that hang together
    SS_ATTRACTOR_STEADY, ///< steady sliding
    SS_ATTRACTOR_MOTION, ///< a motion that repeats
} ss_attractor_kind;

/// Where cells end.
typedef struct ss_attractor {
    ss_attractor_kind kind;
    int64_t cells; ///< that went there
    /// Of rest: where one of them rests, one number per body, then states and memory; otherwise NULL.
    const double* place;
    double period;           ///< s: of a motion that repeats; otherwise NaN
    const double* amplitude; ///< of such a motion, one per body: half the range over a period, less the
                             ///< steady advance where there is one; otherwise NULL
} ss_attractor;

/// What became of the cells, as far as they are known.
typedef struct ss_basin_summary {
    const ss_basin* basin;
    ss_basin_counts counts; ///< of all cells known, those of an earlier run included
    int64_t computed;       ///< cells that this run has computed,
    double seconds;         ///< in this time
    int attractor_count;    ///< 0: not sought
    const ss_attractor* attractors;
    const double* quantile_levels; ///< SS_QUANTILES of them; NULL: not sought
    /// SS_QUANTILES numbers each: of the time of rest, then of the final position of every body; NaN: none.
    const double* quantiles;
} ss_basin_summary;

enum { SS_QUANTILES = 5 }; ///< 5, 25, 50, 75 and 95 %

SS_API int64_t ss_basin_counts_all(const ss_basin_counts* counts); ///< how many cells they tell of

/// The answer of `basin` as a tree: cells, rest, escaped, moving, attractors, ways, how long it took.
SS_API ss_status ss_answer_basin(const ss_basin_summary* summary, ss_answer** out, ss_error* err);

#ifdef __cplusplus
}
#endif
#endif
