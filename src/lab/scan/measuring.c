// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The measures of one run. Settling asks for the last value first, and the Lyapunov exponent for a run that
// is differentiated: where they are wanted, the motion is run once more.
#include "lab/scan/worker.h"

#include "core/error.h"
#include "share/model_parts.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647693;

// What is known where the interval that is measured begins.
typedef struct beginning {
    double t, lost; // s, J
} beginning;

static double lost(const ss_sim* sim)
{
    ss_energy e = ss_sim_energy(sim);
    return e.friction + e.damping + e.impact;
}

static bool has_tally(ss_measure_kind kind) { return kind < SS_MEASURE_PERIOD; }

// last: of the tallies, where they are known already, or NULL.
static ss_tally make_tally(const ss_scan_worker* w, const ss_measure* measure, const double* last)
{
    ss_measure_kind kind = measure->kind;
    bool harmonic = kind == SS_MEASURE_HARMONIC;
    return (ss_tally){.of = measure->of,
                      .integrals = kind == SS_MEASURE_MEAN || kind == SS_MEASURE_RMS,
                      .extremes = kind == SS_MEASURE_AMPLITUDE || kind == SS_MEASURE_MAX ||
                                  kind == SS_MEASURE_MIN || kind == SS_MEASURE_OVERSHOOT,
                      .low = INFINITY,
                      .high = -INFINITY,
                      .rate = harmonic ? two_pi * measure->harmonic / w->timing.period : 0.0,
                      .settles = last != NULL,
                      .last =
                          last ? *last : ss_scan_number_now(w, measure->of), // until then: where it begins
                      .band = measure->band,
                      .outside = -INFINITY};
}

static void begin_walk(ss_scan_worker* w)
{
    const ss_scan* scan = w->scan;
    w->walk = (ss_tally_walk){w->sim, w->tallies, 0, w->numbers, w->held, ss_model_contact_count(w->model)};
    memset(w->held, 0, (size_t)ss_model_contact_count(w->model) * sizeof *w->held);
    for (int k = 0; k < scan->measure_count; k++)
        if (has_tally(scan->measures[k].kind))
            w->tallies[w->walk.count++] = make_tally(w, &scan->measures[k], NULL);
}

// How far it went beyond where it ended, as a share of the way.
static double overshoot(const ss_tally* tally, double end)
{
    double way = end - tally->last;
    if (way == 0.0) return NAN;
    return (way > 0.0 ? tally->high - end : end - tally->low) / fabs(way);
}

static void conclude_tally(const ss_scan_worker* w, const ss_tally* tally, ss_measure_kind kind, double time,
                           double out[])
{
    switch (kind) {
    case SS_MEASURE_AMPLITUDE: out[0] = 0.5 * (tally->high - tally->low); break;
    case SS_MEASURE_MEAN: out[0] = tally->sum / time; break;
    case SS_MEASURE_RMS: out[0] = sqrt(tally->square / time); break;
    case SS_MEASURE_MAX: out[0] = tally->high; break;
    case SS_MEASURE_MIN: out[0] = tally->low; break;
    case SS_MEASURE_OVERSHOOT: out[0] = overshoot(tally, ss_scan_number_now(w, tally->of)); break;
    case SS_MEASURE_HARMONIC: // A cos(w t + phase) = A cos(phase) cos(w t) - A sin(phase) sin(w t)
        out[0] = 2.0 / time * hypot(tally->cosine, tally->sine);
        out[1] = atan2(-tally->sine, tally->cosine);
        break;
    default: out[0] = NAN; // settling: known later
    }
}

static void conclude(const ss_scan_worker* w, const beginning* from, double out[])
{
    const ss_scan* scan = w->scan;
    const ss_tally* tally = w->tallies;
    double time = w->met_t - from->t;
    for (int k = 0; k < scan->measure_count; k++) {
        const ss_measure* measure = &scan->measures[k];
        int columns = ss_measure_columns(measure);
        bool changes = ss_quantity_row_at(measure->of.kind)->changes;
        switch (measure->kind) {
        case SS_MEASURE_PERIOD: *out = ss_scan_has_rest(w) ? NAN : ss_repeat_period(w->repeat); break;
        case SS_MEASURE_RETURN: *out = time / (double)scan->keep; break;
        case SS_MEASURE_LYAPUNOV: *out = NAN; break; // known later
        case SS_MEASURE_DISSIPATION: *out = lost(w->sim) - from->lost; break;
        case SS_MEASURE_STICK_SHARE: *out = w->held[measure->contact] / time; break;
        default:
            conclude_tally(w, tally++, measure->kind, time, out);
            for (int c = 0; c < columns && ss_scan_has_rest(w) && w->timing.forced && changes; c++)
                out[c] = NAN;
        }
        for (int c = 0; c < columns; c++) *out++ += 0.0; // -0 becomes 0
    }
}

static ss_status measure_sections(ss_scan_worker* w, bool* there, ss_error* err)
{
    const ss_scan* scan = w->scan;
    ss_status status = SS_OK;
    bool notes = ss_scan_wants(scan, SS_MEASURE_PERIOD);
    if (notes) status = ss_repeat_create(w->model, scan->keep, &w->repeat, err);
    if (status == SS_OK && notes) ss_repeat_note(w->repeat, w->sim, w->met_t);
    for (int64_t k = 1; k <= scan->keep && status == SS_OK && *there; k++) {
        status = ss_scan_to_section(w, scan->skip + k, true, there, err);
        if (status != SS_OK || !*there) break;
        if (notes) ss_repeat_note(w->repeat, w->sim, w->met_t);
    }
    return status;
}

// The same motion once more.
static ss_status run_again(ss_scan_worker* w, ss_error* err)
{
    ss_repeat_destroy(w->recent); // it knows the model that is built anew
    w->recent = NULL;
    ss_status status = ss_scan_begin_run(w, err);
    return status == SS_OK ? ss_repeat_create(w->model, SS_RECENT_SECTIONS, &w->recent, err) : status;
}

// With the last values known: when each was outside its band the last time.
static ss_status find_settling(ss_scan_worker* w, double out[], ss_error* err)
{
    const ss_scan* scan = w->scan;
    bool there = true;
    for (int k = 0, at = 0; k < scan->measure_count; k++)
        if (scan->measures[k].kind == SS_MEASURE_SETTLING)
            w->tallies[at++].last = ss_scan_number_now(w, scan->measures[k].of);
    ss_status status = run_again(w, err);
    if (status == SS_OK) status = ss_scan_to_section(w, scan->skip, false, &there, err);
    if (status != SS_OK || !there) return status;
    double from = w->met_t;
    w->walk = (ss_tally_walk){w->sim, w->tallies, 0, w->numbers, w->held, ss_model_contact_count(w->model)};
    for (int k = 0; k < scan->measure_count; k++)
        if (scan->measures[k].kind == SS_MEASURE_SETTLING) {
            double last = w->tallies[w->walk.count].last;
            w->tallies[w->walk.count++] = make_tally(w, &scan->measures[k], &last);
        }
    status = ss_scan_to_section(w, scan->skip + scan->keep, true, &there, err);
    for (int k = 0, at = 0; k < scan->measure_count && status == SS_OK && there; k++) {
        if (scan->measures[k].kind == SS_MEASURE_SETTLING) *out = fmax(w->tallies[at++].outside - from, 0.0);
        out += ss_measure_columns(&scan->measures[k]);
    }
    return status;
}

// With a tangent, which turns to where it grows most along the last sections that are dropped. A run that is
// differentiated takes steps of its own, along which nothing can be tallied.
static ss_status find_exponent(ss_scan_worker* w, double out[], ss_error* err)
{
    const int64_t aligning = 32;
    const ss_scan* scan = w->scan;
    bool there = true;
    int64_t first = scan->skip > aligning ? scan->skip - aligning : 0;
    ss_status status = run_again(w, err);
    if (status == SS_OK) status = ss_scan_to_section(w, first, false, &there, err);
    if (status == SS_OK && there)
        status = ss_lyapunov_create(w->model, w->sim, scan->through_rounding, &w->tangent, err);
    for (int64_t k = first + 1; k <= scan->skip + scan->keep && status == SS_OK && there; k++) {
        status = ss_scan_to_section(w, k, false, &there, err);
        double share = k > scan->skip ? ((double)(k - scan->skip) - 0.5) / (double)scan->keep : 0.0;
        if (status == SS_OK && there) status = ss_lyapunov_note(w->tangent, w->met_t, share, err);
    }
    for (int k = 0; k < scan->measure_count && status == SS_OK && there; k++) {
        if (scan->measures[k].kind == SS_MEASURE_LYAPUNOV) *out = ss_lyapunov_exponent(w->tangent);
        out += ss_measure_columns(&scan->measures[k]);
    }
    ss_lyapunov_destroy(w->tangent);
    w->tangent = NULL;
    return status;
}

ss_status ss_scan_measure(ss_scan_worker* w, double out[], ss_error* err)
{
    const ss_scan* scan = w->scan;
    bool there = true;
    for (int64_t k = 0; k < ss_scan_width(scan); k++) out[k] = NAN;
    ss_status status = ss_scan_to_section(w, scan->skip, false, &there, err);
    if (status != SS_OK || !there) return status;
    beginning from = {w->met_t, ss_scan_wants(scan, SS_MEASURE_DISSIPATION) ? lost(w->sim) : 0.0};
    begin_walk(w);
    status = measure_sections(w, &there, err);
    if (status != SS_OK || !there) return status;
    conclude(w, &from, out);
    if (ss_scan_wants(scan, SS_MEASURE_SETTLING)) status = find_settling(w, out, err);
    bool moves = !ss_scan_has_rest(w);
    if (status == SS_OK && moves && ss_scan_wants(scan, SS_MEASURE_LYAPUNOV))
        status = find_exponent(w, out, err);
    return status;
}
