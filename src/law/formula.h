// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A law that is one formula: force and rate of its state as expressions, from which values, derivatives and
// series follow by exact differentiation and Taylor arithmetic (core/expression/program.h). Such a law is
// slower than one with series of its own, and needs none. Its row refers to the functions here:
//
//     .point = {.at = ss_formula_at, ..},   .series = {.next = ss_formula_next},
//     .events = {.count = ss_formula_events, .function = ss_formula_event},
//     .memory = {.prepare = prepare, .begin = ss_formula_begin, .commit = ss_formula_commit,
//                .pointers = ss_formula_pointers, .pointer_count = SS_FORMULA_POINTERS}
//
// where `prepare` writes the formula with the numbers of the law and calls ss_formula_prepare. Formulas are
// written for one direction, v > 0; the other is its mirror image.
#ifndef SLIPSTICK_LAW_FORMULA_H
#define SLIPSTICK_LAW_FORMULA_H

#include "core/expression/program.h"
#include "law/table.h"

typedef struct ss_law_formula {
    char rate[512];  ///< z' in v and z; "" where the law has no state
    char force[512]; ///< against the motion, in v, z and rate
} ss_law_formula;

/// Compiles the formula into along->own; the pool fails where it cannot.
void ss_formula_prepare(const ss_law_formula* formula, ss_along* along, ss_pool* pool);

// For rows: what law/table.h says of each.
ss_law_at_fn ss_formula_at;
ss_law_series_fn ss_formula_next;
ss_law_begin_fn ss_formula_begin;
ss_law_commit_fn ss_formula_commit;
ss_law_event_fn ss_formula_event;
enum { SS_FORMULA_EVENTS = 16, SS_FORMULA_POINTERS = 45 };
ss_law_count_fn ss_formula_events;
extern const size_t ss_formula_pointers[SS_FORMULA_POINTERS];

/// Where piece `which` of a program ends, as an event function of a law: see there.
int ss_program_event(const ss_run* run, int which, int order, const double power[], double c[]);
/// Divides by s a function that starts at 0 to rounding of `size`, because the step begins at the end of the
/// piece before; returns its degree.
int ss_event_deflate(int degree, double size, double c[]);

#endif
