// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a motion keeps for pictures while it runs: moments so close together that straight lines between them
// look smooth, and both sides of every instant with events. What is kept is bounded, however long the motion
// is.
//
// The run is looked at step by step. On a step everything is smooth, so that a few looks tell how much every
// number bends and how many moments it takes until a straight line is off by no more than a share of what the
// number has covered so far. Where there is no room left, that share grows; where it is as large as a stroke
// is wide, whole stretches give way: from then on only one of two, of four, .. blocks of intervals between
// instants is kept in full, and of the others their ends.
#ifndef SLIPSTICK_MOTION_SKETCH_STORE_H
#define SLIPSTICK_MOTION_SKETCH_STORE_H

#include "motion/motion_record.h"

struct ss_recorder;

/// What lies ahead of a run.
typedef enum ss_ahead {
    SS_AHEAD_KNOWN,   ///< a step, which can be looked at all along
    SS_AHEAD_FAR,     ///< many steps that are passed at once
    SS_AHEAD_NOTHING, ///< nothing but rounding: the next step is not made yet
} ss_ahead;

typedef struct ss_stretch {
    double end; ///< s: where it ends, perhaps with an event
    ss_ahead kind;
} ss_stretch;

typedef struct ss_sketch_store {
    double from, to; ///< s: what is to be drawn
    bool begun;
    ss_record rows;    ///< the moments
    double* loads;     ///< of a slider: rows x 3, N and N*m, body frame
    long* intervals;   ///< rows: which interval between instants each is in, or begins
    bool* joined;      ///< rows, at the end: all between a moment and the one before it is kept
    bool is_sampled;   ///< there was too much to keep all
    double begin, end; ///< s: where drawing begins and ends
    size_t load_room, interval_room, most;
    // how smooth it is
    int measures;                       ///< numbers that lines are drawn of
    double *low, *high, *scale, *looks; ///< of each: what it has covered; a step seen at some places
    double tolerance;                   ///< by the scale: how far from its line a number may be
    int level;                          ///< how often room was made
    // where it is
    long interval;     ///< the present one
    double grid, next; ///< s: there is an instant at least this often, the next by then
    double nudge;      ///< by which a run is moved on where a step is used up but for rounding
    double hop;        ///< s: for so long what was last seen may be drawn as one line
} ss_sketch_store;

/// Makes the store that the definition of a motion asks for. Needs the widths of its record.
ss_status ss_sketch_store_create(struct ss_recorder* recorder, ss_error* err);
void ss_sketch_store_destroy(ss_sketch_store* store);

/// The first moment.
void ss_sketch_store_begin(struct ss_recorder* recorder);
/// Keeps what the next stretch up to `until` looks like inside, and tells where it ends.
ss_stretch ss_sketch_store_look_ahead(struct ss_recorder* recorder, double until);
/// The run has got to the end of the stretch, or to an event before.
void ss_sketch_store_arrive(struct ss_recorder* recorder, const ss_stretch* stretch, bool at_event);
/// The run has come to its end.
void ss_sketch_store_close(struct ss_recorder* recorder);

/// Makes room, so that rows fit again. Public for the sake of its files.
void ss_sketch_store_thin(struct ss_recorder* recorder);
/// The numbers that lines are drawn of, at one moment.
void ss_sketch_store_measure(const struct ss_recorder* recorder, const ss_moment* moment,
                             const double load[3], double out[]);
/// What a difference of each number is compared with.
void ss_sketch_store_scale(struct ss_recorder* recorder);
/// Whether an interval is kept in full, and whether an instant is kept at all.
bool ss_sketch_store_has_all_of(const ss_sketch_store* store, long interval);
bool ss_sketch_store_has_instant(const ss_sketch_store* store, long interval);

/// The sketch of a motion that has run, for this window (to = 0: up to the end): its own, or where it has
/// none that of the same motion run once more, which is *again, to be destroyed.
ss_status ss_motion_get_sketch_store(const ss_motion* motion, double from, double to, ss_motion** again,
                                     const ss_sketch_store** out, ss_error* err);

#endif
