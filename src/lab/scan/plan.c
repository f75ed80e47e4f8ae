// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From the definition of a scan to its plan.
#define _POSIX_C_SOURCE 200809L // strdup
#include "lab/scan/scan_impl.h"

#include "core/definition.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "model/open_impl.h"
#include "share/model_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ss_scan_destroy(ss_scan* scan)
{
    if (!scan) return;
    for (int k = 0; scan->columns && k < scan->column_count; k++) free(scan->columns[k]);
    free(scan->columns);
    free(scan->section_text);
    free(scan->show);
    free(scan->measures);
    ss_basin_destroy(scan->cells);
    free(scan);
}

static ss_status check(const ss_scan_def* def, ss_error* err)
{
    const double most_numbers = 1e7; // of one value, which are in memory together: 80 MB
    if (def->axis_count > 2)
        return ss_fail(err, SS_BAD_INPUT, "axes", "one or two numbers can vary, not %d", def->axis_count);
    if (def->skip < -1 || def->skip > 1000000000)
        return ss_fail(err, SS_BAD_INPUT, "skip", "must be at least 0 and at most 1e9");
    if (def->keep < -1 || def->keep == 0 || def->keep > 1000000000)
        return ss_fail(err, SS_BAD_INPUT, "keep", "must be at least 1 and at most 1e9");
    if (def->show_count > 0 && def->measure_count > 0)
        return ss_fail(err, SS_BAD_INPUT, "measure",
                       "a scan either shows points or measures what lies between them");
    if (def->show_count < 1 && def->measure_count < 1)
        return ss_fail(err, SS_BAD_INPUT, "show", "is missing: which numbers are wanted, such as block.x?");
    if ((double)def->keep * def->show_count > most_numbers)
        return ss_fail(err, SS_BAD_INPUT, "keep",
                       "%" PRId64
                       " points of %d numbers are more than the 1e7 numbers that a value may have; "
                       "keep fewer, or measure what lies between them",
                       def->keep, def->show_count);
    if (!(isnan(def->until) || def->until > 0.0))
        return ss_fail(err, SS_BAD_INPUT, "until", "must be greater than 0");
    return SS_OK;
}

// Adds a column; one that is there twice is a fault.
static ss_status add_column(ss_scan* scan, const char* name, const char* suffix, ss_error* err)
{
    size_t size = strlen(name) + strlen(suffix) + 1;
    int k = scan->column_count;
    scan->columns[k] = ss_new(size, 1);
    if (!scan->columns[k]) return ss_fail_no_memory(err);
    snprintf(scan->columns[k], size, "%s%s", name, suffix);
    scan->column_count++;
    for (int i = scan->cells->axis_count; i < k; i++)
        if (strcmp(scan->columns[i], scan->columns[k]) == 0)
            return ss_fail(err, SS_BAD_INPUT, scan->show_count > 0 ? "show" : "measure",
                           "'%.100s' is there twice", name);
    return SS_OK;
}

static ss_status name_columns(ss_scan* scan, const ss_scan_def* def, ss_error* err)
{
    int room = def->axis_count + def->show_count;
    for (int k = 0; k < def->measure_count; k++) room += ss_measure_columns(&scan->measures[k]);
    scan->columns = ss_new((size_t)room, sizeof *scan->columns);
    ss_status status = scan->columns ? SS_OK : ss_fail_no_memory(err);
    for (int k = 0; k < def->axis_count && status == SS_OK; k++)
        status = add_column(scan, def->axes[k].path, "", err);
    for (int k = 0; k < def->show_count && status == SS_OK; k++)
        status = add_column(scan, def->show[k], "", err);
    for (int k = 0; k < def->measure_count && status == SS_OK; k++) {
        status = add_column(scan, def->measures[k], "", err);
        if (status == SS_OK && scan->measures[k].kind == SS_MEASURE_HARMONIC)
            status = add_column(scan, def->measures[k], ":phase", err);
    }
    return status;
}

// How many of the measures are of how the motion begins; the others are of what lasts.
static int count_of_the_start(const ss_scan_def* def)
{
    int count = 0;
    for (int k = 0; k < def->measure_count; k++)
        count += strncmp(def->measures[k], "settling:", strlen("settling:")) == 0 ||
                 strncmp(def->measures[k], "overshoot:", strlen("overshoot:")) == 0;
    return count;
}

// An exponent is a mean over many sections.
static bool has_exponent(const ss_scan_def* def)
{
    for (int k = 0; k < def->measure_count; k++)
        if (strcmp(def->measures[k], "lyapunov") == 0) return true;
    return false;
}

// Which sections are dropped and kept where the question does not say: what lasts is looked at after a while,
// what is of the start from there to the end of the run.
static ss_status choose_sections(ss_scan* scan, const ss_scan_def* def, const char** section, ss_error* err)
{
    enum { DROPPED = 100, POINTS = 50, PARTS = 50, EXPONENT = 400 };
    int of_the_start = count_of_the_start(def);
    bool all = def->measure_count > 0 && of_the_start == def->measure_count;
    if (of_the_start > 0 && !all && def->skip < 0)
        return ss_fail(
            err, SS_BAD_INPUT, "measure",
            "settling and overshoot are of how the motion begins, the others of what lasts, after %d "
            "sections: ask them apart, or say how many to skip",
            DROPPED);
    *section = def->section ? def->section : all ? "run" : "period";
    scan->skip = def->skip >= 0 ? def->skip : all ? 0 : DROPPED;
    bool in_parts = strcmp(*section, "run") == 0;
    scan->keep = def->keep > 0            ? def->keep
                 : in_parts               ? PARTS
                 : has_exponent(def)      ? EXPONENT
                 : def->measure_count > 0 ? 1
                                          : POINTS;
    return SS_OK;
}

// Of the start alone, with sections that are times: as many as the run has, unless the question says.
static void keep_all_of_run(ss_scan* scan, const ss_scan_def* def, double every)
{
    double until = isnan(def->until) ? ss_model_until(scan->cells->model) : def->until;
    double count = floor(until / every * (1.0 + SS_RELATIVE_ZERO)) - (double)scan->skip;
    if (def->keep > 0 || !def->section || count_of_the_start(def) < def->measure_count ||
        def->measure_count == 0)
        return;
    if (scan->section.kind != SS_SECTION_PERIOD && scan->section.kind != SS_SECTION_TIME) return;
    if (count >= 1.0 && count <= 1e9) scan->keep = (int64_t)count;
}

static ss_status read_wishes(ss_scan* scan, const ss_scan_def* def, ss_error* err)
{
    const ss_model* model = scan->cells->model;
    const char* section = NULL;
    ss_status status = choose_sections(scan, def, &section, err);
    if (status != SS_OK) return status;
    scan->show = ss_new((size_t)def->show_count, sizeof *scan->show);
    scan->measures = ss_new((size_t)def->measure_count, sizeof *scan->measures);
    scan->section_text = strdup(section);
    if (!scan->show || !scan->measures || !scan->section_text) return ss_fail_no_memory(err);
    status = ss_section_parse(model, section, &scan->section, err);
    for (int k = 0; k < def->show_count && status == SS_OK; k++) {
        status = ss_quantity_find(model, def->show[k], &scan->show[k], err);
        if (status != SS_OK && err) snprintf(err->field, sizeof err->field, "show");
    }
    for (int k = 0; k < def->measure_count && status == SS_OK; k++)
        status = ss_measure_parse(model, def->measures[k], &scan->measures[k], err);
    scan->show_count = def->show_count;
    scan->measure_count = def->measure_count;
    for (int kind = 0; kind < SS_NUMBER_KINDS; kind++) scan->numbers += ss_model_number_count(model, kind);
    return status;
}

// What is carried along goes from value to value: they must rise or fall.
static ss_status check_order(const ss_scan_def* def, ss_error* err)
{
    const ss_basin_axis* axis = def->axes;
    if (def->carry == SS_CARRY_NONE || !axis || axis->kind != SS_AXIS_VALUES || !axis->values) return SS_OK;
    for (int64_t k = 2; k < axis->count; k++) {
        double before = axis->values[k - 1] - axis->values[k - 2],
               next = axis->values[k] - axis->values[k - 1];
        if (!(before * next > 0.0))
            return ss_fail(err, SS_BAD_INPUT, "carry", "needs values that rise or fall, one after the other");
    }
    return SS_OK;
}

static ss_status plan(ss_scan* scan, const ss_scan_def* def, ss_error* err)
{
    ss_basin_def cells = ss_basin_def_default();
    cells.document = def->document;
    cells.axes = def->axes;
    cells.axis_count = def->axis_count;
    cells.tolerance = def->tolerance;
    cells.max_events = def->max_events;
    cells.until = def->until;
    cells.escape = INFINITY;
    ss_status status = check_order(def, err);
    if (status == SS_OK) status = ss_basin_create_plan(&cells, &scan->cells, err);
    if (status == SS_OK) status = read_wishes(scan, def, err);
    if (status == SS_OK) status = name_columns(scan, def, err);
    ss_scan_timing timing; // a model without a period is a fault of the question
    if (status == SS_OK) status = ss_scan_forcing(scan, scan->cells->model, &timing, err);
    if (status != SS_OK) return status;
    keep_all_of_run(scan, def, timing.every);
    ss_sweep_task task = ss_scan_task(scan);
    return ss_basin_lay_out(scan->cells, &task, err);
}

ss_status ss_scan_create(const ss_scan_def* given, ss_scan** out, ss_error* err)
{
    ss_scan_def own = ss_scan_def_default();
    const ss_scan_def* def = &own;
    ss_status taken = ss_take_def(&own, sizeof own, given, "ss_scan_def_default", err);
    *out = NULL;
    if (taken != SS_OK) return taken;
    *out = NULL;
    ss_status status = check(def, err);
    if (status != SS_OK) return status;
    ss_scan* scan = ss_new(1, sizeof *scan);
    if (!scan) return ss_fail_no_memory(err);
    scan->carry = def->carry;
    scan->through_rounding = def->through_rounding;
    scan->until = def->until;
    status = plan(scan, def, err);
    if (status != SS_OK) {
        ss_scan_destroy(scan);
        return status;
    }
    *out = scan;
    return SS_OK;
}

void ss_scan_write_question(const void* user, ss_text* text)
{
    const ss_scan* scan = user;
    static const char* const carry[] = {"no", "up", "down"};
    ss_text_add(text, "--section = %s\n--skip = %" PRId64 "\n--keep = %" PRId64 "\n--carry = %s\n",
                scan->section_text, scan->skip, scan->keep, carry[scan->carry]);
    if (scan->through_rounding) ss_text_add(text, "--through-rounding\n");
    for (int k = scan->cells->axis_count; k < scan->column_count; k++)
        ss_text_add(text, "%s = %s\n", scan->measure_count > 0 ? "--measure" : "--show", scan->columns[k]);
}

// ---- asking

const ss_basin* ss_scan_cells(const ss_scan* scan) { return scan->cells; }
int ss_scan_column_count(const ss_scan* scan) { return scan->column_count; }
const char* ss_scan_column(const ss_scan* scan, int column) { return scan->columns[column]; }
bool ss_scan_is_measured(const ss_scan* scan) { return scan->measure_count > 0; }
const char* ss_scan_section(const ss_scan* scan) { return scan->section_text; }

// Whether a sampled controller counts in steps what moves.
static bool counts_steps(const ss_model* model)
{
    for (int b = 0; model->open && b < model->open->block_count; b++)
        if (ss_open_block_counts_steps(&model->open->blocks[b])) return true;
    return false;
}

static const char* exponent_note(const ss_scan* scan, int which)
{
    enum { FEW = 100 };
    static const char cut[] =
        "lyapunov: round, floor and the like cut the feedback of a sampled controller: the "
        "exponent is that between their steps, not that of the loop; --through-rounding "
        "gives that of the loop with fine steps";
    static const char passed[] =
        "lyapunov: passes through round, floor and ceil of a sampled controller as if "
        "they were not there: the exponent of the loop with fine steps";
    static const char few[] =
        "lyapunov: over so few sections what a neighbour does within a turn does not cancel: "
        "the exponent is rough; --keep 400 and more tells it";
    const char* notes[3] = {NULL, NULL, NULL};
    int count = 0;
    if (counts_steps(scan->cells->model)) notes[count++] = scan->through_rounding ? passed : cut;
    if (scan->keep < FEW) notes[count++] = few;
    return which < count ? notes[which] : NULL;
}

const char* ss_scan_note(const ss_scan* scan, int which)
{
    return ss_scan_wants(scan, SS_MEASURE_LYAPUNOV) ? exponent_note(scan, which) : NULL;
}
