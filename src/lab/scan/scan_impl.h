// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The inside of scans: what is asked, and the parts that answer it.
#ifndef SLIPSTICK_LAB_SCAN_SCAN_IMPL_H
#define SLIPSTICK_LAB_SCAN_SCAN_IMPL_H

#include "lab/sweep/sweep.h"
#include "lab/tally.h"
#include "share/quantity_table.h"
#include "share/text.h"
#include "slipstick/scan.h"

// ---- sections (scan_section.c)

typedef enum ss_section_kind {
    SS_SECTION_PERIOD,
    SS_SECTION_TIME,
    SS_SECTION_EVENT,
    SS_SECTION_RUN, ///< equal parts of the run
} ss_section_kind;

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
    SS_MEASURE_HARMONIC, ///< two columns
    SS_MEASURE_SETTLING,
    SS_MEASURE_OVERSHOOT,
    SS_MEASURE_PERIOD,
    SS_MEASURE_RETURN,
    SS_MEASURE_LYAPUNOV,
    SS_MEASURE_DISSIPATION,
    SS_MEASURE_STICK_SHARE,
} ss_measure_kind;

typedef struct ss_measure {
    ss_measure_kind kind;
    ss_quantity of; ///< of those before SS_MEASURE_PERIOD
    int contact;    ///< of SS_MEASURE_STICK_SHARE
    int harmonic;   ///< of SS_MEASURE_HARMONIC, >= 1
    double band;    ///< of SS_MEASURE_SETTLING, in the unit of what settles
} ss_measure;

static inline int ss_measure_columns(const ss_measure* measure)
{
    return measure->kind == SS_MEASURE_HARMONIC ? 2 : 1;
}

/// Whether this kind of measure is asked for.
bool ss_scan_wants(const ss_scan* scan, ss_measure_kind kind);
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
    bool through_rounding;
    double until;   ///< s: NaN: as the model says
    char** columns; ///< names, owned
    int column_count;
    int numbers; ///< of an open model
};

/// Doubles that a cell's answer takes: a count and the points, or the columns of the measures.
static inline int64_t ss_scan_width(const ss_scan* scan)
{
    return scan->measure_count > 0 ? scan->column_count - scan->cells->axis_count
                                   : 1 + scan->keep * scan->show_count;
}

/// The lines of the question that tell this scan from others.
void ss_scan_write_question(const void* scan, ss_text* text);

/// What inputs make of a model's sections.
typedef struct ss_scan_timing {
    double every;  ///< s: between sections that are times
    double period; ///< s: of the inputs; NaN: they have none
    bool forced;   ///< some input varies
} ss_scan_timing;
ss_status ss_scan_forcing(const ss_scan* scan, const ss_model* model, ss_scan_timing* out, ss_error* err);

// ---- one value (cell.c)

/// Who computes blocks of values, as a sweep wants it.
ss_sweep_task ss_scan_task(const ss_scan* scan);

// ---- sections that repeat (repeat.c)

enum { SS_RECENT_SECTIONS = 16 }; ///< so many of the last ones tell whether a motion has settled

typedef struct ss_repeat ss_repeat;
ss_status ss_repeat_create(const ss_model* model, int64_t keep, ss_repeat** out, ss_error* err);
void ss_repeat_destroy(ss_repeat* repeat);
/// Notes the state at a section.
void ss_repeat_note(ss_repeat* repeat, const struct ss_sim* sim, double t);
/// The time after which the sections noted repeat; NaN where they do not.
double ss_repeat_period(const ss_repeat* repeat);
/// Whether the last sections noted, as many as make a period, are those before them.
bool ss_repeat_settles(const ss_repeat* repeat);

#endif
