// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What computes the values of a scan, one after the other: shared by what runs (cell.c), measures
// (measuring.c) and differentiates (scan_lyapunov.c).
#ifndef SLIPSTICK_LAB_SCAN_WORKER_H
#define SLIPSTICK_LAB_SCAN_WORKER_H

#include "lab/scan/scan_impl.h"

typedef struct ss_lyapunov ss_lyapunov;

typedef struct ss_scan_worker {
    const ss_scan* scan;
    const atomic_bool* stop;
    double* values; // axes of the present cell
    // of the present model
    ss_model* model;
    ss_sim* sim;
    ss_scan_timing timing;
    double wait;  // s: for an event of the section
    int64_t met;  // sections passed
    double met_t; // s: the last
    bool hit;     // an event of the section was passed
    ss_outcome outcome;
    ss_tally_walk walk;
    ss_repeat *repeat, *recent; // sections that are measured; the last ones of all
    ss_lyapunov* tangent;       // NULL: none is wanted
    double *numbers, *held;
    ss_tally* tallies;
    // the end of the last motion, from which the next one starts
    bool carried;
    double *x, *v, *states, *memory, *z, *elements;
} ss_scan_worker;

/// cell.c: builds the model of the present values and starts its run.
ss_status ss_scan_begin_run(ss_scan_worker* worker, ss_error* err);
/// Goes to a section, all before it included, with what is tallied where `walk`.
ss_status ss_scan_to_section(ss_scan_worker* worker, int64_t section, bool walk, bool* there, ss_error* err);
/// A number of the run.
double ss_scan_number_now(const ss_scan_worker* worker, ss_quantity of);
static inline bool ss_scan_has_rest(const ss_scan_worker* worker) { return worker->outcome == SS_AT_REST; }

/// measuring.c: the measures of the present run, from its start.
ss_status ss_scan_measure(ss_scan_worker* worker, double out[], ss_error* err);

/// scan_lyapunov.c: the largest Lyapunov exponent of the run, by a tangent that is brought back to length 1
/// at every section.
ss_status ss_lyapunov_create(const ss_model* model, ss_sim* sim, bool through_rounding, ss_lyapunov** out,
                             ss_error* err);
void ss_lyapunov_destroy(ss_lyapunov* tangent); ///< NULL is welcome
/// Brings it back to length 1 at time t; its growth since the last time counts as that of this
/// share of the way, between 0 and 1; at these, not at all.
ss_status ss_lyapunov_note(ss_lyapunov* tangent, double t, double share, ss_error* err);
/// 1/s; NaN where nothing counted, or nothing of a neighbouring start remains.
double ss_lyapunov_exponent(const ss_lyapunov* tangent);

#endif
