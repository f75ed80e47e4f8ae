// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A law as one formula, on jets (core/jet/jet.h): its numbers, the speed, the place and the state in,
// the rate of the state, the force and the stored energy out. All that the engine asks along a run follows
// from it: values and slopes at a point, series order by order, their slopes and what changes with the
// numbers of the law, ends of the pieces that abs, sign and others have in z, energies. The row of a law says
//
//     .formula = bouc_wen, SS_BY_FORMULA,
//
// and adds what is its own. Formulas are smooth for v > 0 and for v < 0: |v| and sgn v are given.
#ifndef SLIPSTICK_LAW_FORMULA_H
#define SLIPSTICK_LAW_FORMULA_H

#include "core/expression/program.h"
#include "core/jet/jet.h"
#include "law/table.h"

enum { SS_FORMULA_KEYS = 16, SS_FORMULA_EVENTS = 16 };

/// A law at a place of its motion. sign is that of v in this mode, and speed = sign v: below 0 beyond a
/// reversal, so that formulas stay smooth there.
struct ss_formula_point {
    const ss_jet* key; ///< the numbers of the law, in the order of its keys
    ss_jet v, sign, speed;
    ss_jet x; ///< m: x_A - x_B
    ss_jet z; ///< the state
};

struct ss_formula_answer {
    ss_jet rate;   ///< z'
    ss_jet force;  ///< N, on A
    ss_jet stored; ///< J
};

/// The law at a point as plain numbers, by the same formula: laws alone.
struct ss_formula_numbers {
    double rate, force, stored;
};
struct ss_formula_numbers ss_formula_value(const ss_law* row, const void* law, double v, double z);
/// Advances *z over dt >= 0 (s) at constant v, to rounding, and returns the force at the end; NaN where v or
/// dt makes no sense (formula_step.c).
double ss_formula_step(const ss_law* row, const void* law, double* z, double v, double dt);

/// The place of number k in ss_formula_law.
#define SS_NUMBER(k) ((size_t)(k) * sizeof(double))
/// Tells the numbers of such a law by the names of its keys (numbers.c).
ss_status ss_numbers_check(const ss_key keys[], const void* law, ss_error* err); ///< their ranges
void ss_numbers_tell(const ss_key keys[], const void* law, ss_law_said* to);

// For rows: what law/table.h says of each.
ss_law_at_fn ss_formula_at;
ss_law_by_fn ss_formula_by_numbers_at;
ss_law_series_fn ss_formula_next;
ss_law_slopes_fn ss_formula_slopes;
ss_law_by_numbers_fn ss_formula_by_numbers;
ss_law_step_bound_fn ss_formula_reach;
ss_law_event_fn ss_formula_event;
ss_law_prepare_fn ss_formula_prepare;
ss_law_begin_fn ss_formula_begin;
ss_law_arrive_fn ss_formula_arrive;
ss_law_commit_fn ss_formula_commit;
ss_law_energies_fn ss_formula_energies;
enum { SS_FORMULA_POINTERS = 91 };
extern const size_t ss_formula_pointers[SS_FORMULA_POINTERS];

#define SS_BY_FORMULA                                                                                        \
    .point.at = ss_formula_at, .point.by_numbers = ss_formula_by_numbers_at, .series.next = ss_formula_next, \
    .series.step_bound = ss_formula_reach, .series.slopes = ss_formula_slopes,                               \
    .series.by_numbers = ss_formula_by_numbers, .events.count = SS_FORMULA_EVENTS,                           \
    .events.function = ss_formula_event, .memory.prepare = ss_formula_prepare, .memory.at_points = true,     \
    .memory.begin = ss_formula_begin, .memory.arrive = ss_formula_arrive,                                    \
    .memory.commit = ss_formula_commit, .memory.pointers = ss_formula_pointers,                              \
    .memory.pointer_count = SS_FORMULA_POINTERS, .energies = ss_formula_energies

/// Where piece `which` of a program ends, as an event function of a law: see there.
int ss_program_event(const ss_run* run, int which, int order, const double power[], double c[]);
/// Divides by s a function that starts at 0 to rounding of `size`, because the step begins at the end of the
/// piece before; returns its degree.
int ss_event_deflate(int degree, double size, double c[]);

#endif
