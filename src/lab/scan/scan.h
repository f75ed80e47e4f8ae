// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The inside of scans: what is asked, and the parts that answer it.
#ifndef SLIPSTICK_LAB_SCAN_H
#define SLIPSTICK_LAB_SCAN_H

#include "lab/map/basin_plan.h"
#include "lab/quantity.h"
#include "slipstick/scan.h"
#include "slipstick/text.h"

#include <stdatomic.h>

// ---- sections (section.c)

typedef enum ss_section_kind { SS_SECTION_PERIOD, SS_SECTION_TIME, SS_SECTION_EVENT } ss_section_kind;

enum { SS_ANY_SLIP = -2, SS_ANY_MODE = -1 }; ///< in place of an ss_mode

typedef struct ss_section {
    ss_section_kind kind;
    double every; ///< s: SS_SECTION_TIME
    int contact;  ///< SS_SECTION_EVENT:
    int from, to; ///< an ss_mode, SS_ANY_SLIP or SS_ANY_MODE
    bool impact;  ///< of this kind, whatever the modes
    bool reversal;
} ss_section;

ss_status ss_section_parse(const ss_model* model, const char* text, ss_section* out, ss_error* err);
bool ss_section_is_met(const ss_section* section, const ss_event* event);

// ---- measures

typedef enum ss_measure_kind {
    SS_MEASURE_AMPLITUDE,
    SS_MEASURE_MEAN,
    SS_MEASURE_RMS,
    SS_MEASURE_MAX,
    SS_MEASURE_MIN,
    SS_MEASURE_PERIOD,
    SS_MEASURE_DISSIPATION,
    SS_MEASURE_STICK_SHARE,
} ss_measure_kind;

typedef struct ss_measure {
    ss_measure_kind kind;
    ss_quantity of; ///< of the first five
    int contact;    ///< of the last
} ss_measure;

ss_status ss_measure_parse(const ss_model* model, const char* text, ss_measure* out, ss_error* err);

struct ss_scan {
    ss_basin* cells;
    ss_section section;
    char* section_text;
    int64_t skip, keep;
    ss_quantity* show;
    int show_count;
    ss_measure* measures;
    int measure_count;
    ss_scan_carry carry;
    double until;   ///< s: NaN: as the model says
    char** columns; ///< names, owned
    int column_count;
    int numbers; ///< of an open model
};

/// Doubles that a cell's answer takes: a count and the points, or the measures.
static inline int64_t ss_scan_width(const ss_scan* scan)
{
    return scan->measure_count > 0 ? scan->measure_count : 1 + scan->keep * scan->show_count;
}

/// The lines of the question that tell this scan from others.
void ss_scan_write_question(const ss_scan* scan, ss_text* text);

/// Time between the sections of a model, where they are times; *forced (may be NULL): some input varies.
ss_status ss_scan_rhythm(const ss_scan* scan, const ss_model* model, double* every, bool* forced,
                         ss_error* err);

// ---- walking along a motion (walk.c)

/// What is known of a number along the way.
typedef struct ss_tally {
    ss_quantity of;
    double drift;             ///< per s: what is tallied is the number less this times the time
    bool extremes, integrals; ///< which of the following are wanted
    double low, high;
    double sum, square; ///< integrals over time
} ss_tally;

typedef struct ss_walk {
    struct ss_sim* sim;
    ss_tally* tallies;
    int count;
    double* numbers; ///< of an open model: scratch
    double* held;    ///< per contact: s during which it has stuck, or was closed
    int contacts;
} ss_walk;

/// Goes on to `until`, or to the end of the step on which *stop becomes true, whichever is first. What is
/// tallied is exact along the steps of the run: extremes are located and integrals are by quadrature of the
/// series.
ss_status ss_walk_to(ss_walk* walk, double until, const bool* stop, ss_outcome* outcome, ss_error* err);
/// The model is at rest from the present time to `until`.
void ss_walk_rest(ss_walk* walk, double time);

// ---- one value (cell.c)

typedef struct ss_scan_worker ss_scan_worker;

ss_status ss_scan_worker_create(const ss_scan* scan, const atomic_bool* stop, ss_scan_worker** out,
                                ss_error* err);
/// Fills the answer of a block: the numbers of its cells, then their fates.
ss_status ss_scan_worker_compute(ss_scan_worker* worker, int64_t block, void* payload, ss_error* err);
void ss_scan_worker_destroy(ss_scan_worker* worker); ///< NULL is welcome

// ---- sections that repeat (repeat.c)

typedef struct ss_repeat ss_repeat;
ss_status ss_repeat_create(const ss_model* model, int64_t keep, ss_repeat** out, ss_error* err);
void ss_repeat_destroy(ss_repeat* repeat);
/// Notes the state at a section.
void ss_repeat_note(ss_repeat* repeat, const struct ss_sim* sim, double t);
/// The time after which the sections noted repeat; NaN where they do not.
double ss_repeat_period(const ss_repeat* repeat);

#endif
