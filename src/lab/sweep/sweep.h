// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A sweep: cells, each with values of some numbers of a model or of its start, walked with threads, ranks, a
// journal, and progress. What a cell holds and who computes it is a task, which its user sets: maps of
// outcomes (lab/map) and scans (lab/scan). The sweep cuts the cells into blocks. A block is the unit of work,
// of the journal and of what ranks send each other; its cells, and so its bits, depend on the definition
// alone. The type is called ss_basin to the outside.
//
//   sweep_plan.c, sweep_axis.c   cells, blocks, a model at the values of a cell
//   sweep_pool.c, sweep_run.c    threads, and a whole sweep in one process
//   sweep_journal.c              what has been computed, on disk
//   sweep_question.c             what tells one sweep from another
//   sweep_map.c                  a sweep that is kept, and can go on
#ifndef SLIPSTICK_LAB_SWEEP_H
#define SLIPSTICK_LAB_SWEEP_H

#include "share/blocks.h"
#include "share/slider_parts.h"
#include "share/text.h"

#include <stdatomic.h>
#include <stddef.h>

typedef struct ss_axis_target {
    int body;          ///< whose start it sets, -1: another number of the document; of a slider x, y or angle
    bool speed;        ///< v, not x; of a slider vx, vy or spin
    int inner;         ///< state whose start it sets, -1: none
    bool moves_others; ///< starts of other bodies follow from it, by joints: the model is made anew
} ss_axis_target;

/// What the cells of a sweep hold, and who computes it.
typedef struct ss_sweep_task {
    const void* user;
    size_t
        numbers;   ///< of a cell's answer; behind those of all cells of a block come their fates, a byte each
    bool outcomes; ///< the numbers are those of ss_basin_block: t of all cells, then x, then inner
    int64_t together; ///< so many cells are one piece of work; 0: as many as are worth it
    /// A worker: one per thread. *stop becoming true ends a computation soon; its answers are then
    /// worthless. stop outlives the worker.
    ss_status (*start)(const ss_basin* sweep, const atomic_bool* stop, void** worker, ss_error* err);
    /// Fills the payload of a block (ss_basin_payload_size bytes, aligned for double).
    ss_status (*compute)(void* worker, int64_t block, void* payload, ss_error* err);
    void (*finish)(void* worker); ///< NULL is welcome
    /// Adds the lines of the question that are the user's; NULL: there are none.
    void (*ask)(const void* user, ss_text* text);
} ss_sweep_task;

struct ss_basin {
    const ss_document* document; ///< borrowed
    ss_model* model;             ///< with every axis at `from`; NULL of a slider
    ss_slider* slider;           ///< likewise; NULL of bodies
    ss_basin_axis* axes;         ///< paths, options and values owned
    ss_axis_target* targets;
    int axis_count, parameter_count; ///< parameter_count: axes that need a model of their own
    int bodies;                      ///< final numbers of a cell: one per body, of a slider x, y and angle
    int inner;   ///< states of an open model, and behind them the memory of its controllers
    bool shapes; ///< cells that keep moving are judged: steady sliding, a motion that repeats, or on its way
    int64_t cells, block_cells, blocks;
    int64_t random;
    uint64_t seed;
    double until; ///< NaN: as each model says
    double escape, tolerance;
    int64_t max_events;
    char* question; ///< lines that tell this sweep from any other
    ss_sweep_task task;
};

/// The value of a grid axis; both ends are met exactly, and the values of a symmetric axis are symmetric.
double ss_basin_grid_value(const ss_basin_axis* axis, int64_t index);
/// What a uniform number in [0, 1) becomes.
double ss_basin_draw(const ss_basin_axis* axis, double u);
/// The number of a random cell.
double ss_basin_axis_value(const ss_basin* basin, int axis, int64_t cell);
/// What is wrong with an axis, apart from its path; NULL: nothing.
const char* ss_basin_axis_fault(const ss_basin_axis* axis, int64_t random);
/// Copies an axis that has no fault, and finds the range of its values; the copy is to be freed also where
/// that fails.
ss_status ss_basin_axis_copy(const ss_basin_def* def, int axis, ss_basin_axis* out, ss_error* err);
void ss_basin_axis_free(ss_basin_axis* axis);

/// A model with the axes at the given values (starts are left to whoever runs it).
ss_status ss_basin_build(const ss_basin* basin, const double values[], ss_model** out, ss_error* err);

/// Whether an axis sets a start of a body, state or memory, and nothing else; the others need a model of
/// their own.
static inline bool ss_basin_is_start(const ss_axis_target* target)
{
    return (target->body >= 0 || target->inner >= 0) && !target->moves_others;
}

/// The name of a state or of memory; its unit, written into out.
const char* ss_basin_inner_name(const ss_basin* basin, int inner);
const char* ss_basin_inner_unit(const ss_basin* basin, int inner, char* out, size_t size);

/// The unit of the numbers of an axis, as the model writes it, into out; "" where there is none.
const char* ss_basin_axis_unit(const ss_basin* basin, int axis, char* out, size_t size);
ss_status ss_basin_build_slider(const ss_basin* basin, const double values[], ss_slider** out, ss_error* err);
/// The start that the values of a cell leave a slider.
void ss_basin_slider_start(const ss_basin* basin, const ss_slider* slider, const double values[],
                           double place[3], double speed[3]);

/// The same with starts.
ss_status ss_basin_build_whole(const ss_basin* basin, const double values[], ss_model** out, ss_error* err);

/// Plans cells of which nothing is known yet but their axes; ss_basin_lay_out does the rest when it is.
ss_status ss_basin_create_plan(const ss_basin_def* def, ss_basin** out, ss_error* err);
ss_status ss_basin_lay_out(ss_basin* basin, const ss_sweep_task* task, ss_error* err);

/// Adds to an error which values of the axes were at fault, unless it names an option already. Returns
/// status.
ss_status ss_basin_name_fault(const ss_basin* basin, const double values[], ss_status status, ss_error* err);

/// Writes the lines of ss_basin.question. NULL without memory; the caller frees.
char* ss_basin_write_question(const ss_basin* basin);

/// What differs between two questions, as a person would say it: "until 100 s, not 200 s". Returns out.
const char* ss_basin_difference(const char* theirs, const char* ours, char* out, size_t size);

// ---- blocks ----

static inline int64_t ss_basin_block_first(const ss_basin* basin, int64_t block)
{
    return block * basin->block_cells;
}

static inline int64_t ss_basin_block_count(const ss_basin* basin, int64_t block)
{
    int64_t left = basin->cells - block * basin->block_cells;
    return left < basin->block_cells ? left : basin->block_cells;
}

/// Added to the fate of a value of a scan that had fewer sections than wanted, whose last sections repeat.
enum { SS_CELL_SHORT = 0x20, SS_CELL_SETTLED = 0x10 };

static inline ss_fate ss_cell_fate(const ss_basin_block* block, int64_t cell)
{
    return (ss_fate)(block->fate[cell] & SS_CELL_FATE);
}

#endif
