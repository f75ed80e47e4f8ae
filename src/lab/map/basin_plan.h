// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inside of maps: what is to be computed, cut into blocks. A block is the unit of work, of the journal and of
// what ranks send each other; its cells, and so its bits, depend on the definition alone.
#ifndef SLIPSTICK_LAB_BASIN_PLAN_H
#define SLIPSTICK_LAB_BASIN_PLAN_H

#include "share/blocks.h"

#include <stddef.h>

typedef struct ss_axis_target {
    int body;   ///< whose start it sets, -1: another number of the document
    bool speed; ///< v, not x
    int inner;  ///< state whose start it sets, -1: none
} ss_axis_target;

struct ss_basin {
    const ss_document* document; ///< borrowed
    ss_model* model;             ///< with every axis at `from`
    ss_basin_axis* axes;         ///< paths, options and values owned
    ss_axis_target* targets;
    int axis_count, parameter_count; ///< parameter_count: axes that need a model of their own
    int bodies;
    int inner;   ///< states of an open model, and behind them the memory of its controllers
    bool shapes; ///< cells that keep moving are judged: steady sliding, a motion that repeats, or on its way
    int64_t cells, block_cells, blocks;
    int64_t random;
    uint64_t seed;
    double until; ///< NaN: as each model says
    double escape, tolerance;
    int64_t max_events;
    char* question;             ///< lines that tell this map from any other
    const struct ss_scan* scan; ///< whose cells these are: what a cell holds is its; NULL: outcomes
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

/// Whether an axis sets a start, of a body, state or memory; the others need a model of their own.
static inline bool ss_basin_is_start(const ss_axis_target* target)
{
    return target->body >= 0 || target->inner >= 0;
}

/// The name of a state or of memory; its unit, written into out.
const char* ss_basin_inner_name(const ss_basin* basin, int inner);
const char* ss_basin_inner_unit(const ss_basin* basin, int inner, char* out, size_t size);

/// The same with starts.
ss_status ss_basin_build_whole(const ss_basin* basin, const double values[], ss_model** out, ss_error* err);

/// Plans the cells of a scan, of which nothing is known yet but its axes: def has those, document, tolerance
/// and max_events. ss_basin_lay_out does the rest when it is.
ss_status ss_basin_create_plan(const ss_basin_def* def, ss_basin** out, ss_error* err);
ss_status ss_basin_lay_out(ss_basin* basin, const struct ss_scan* scan, ss_error* err);

/// Adds to an error which values of the axes were at fault, unless it names an option already. Returns
/// status.
ss_status ss_basin_blame(const ss_basin* basin, const double values[], ss_status status, ss_error* err);

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
