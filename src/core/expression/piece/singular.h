// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Places where the function of an instruction is not analytic: see singular.c.
#ifndef SLIPSTICK_CORE_SINGULAR_H
#define SLIPSTICK_CORE_SINGULAR_H

#include "core/expression/program.h"

/// How far the argument of instruction i is from the nearest singular place of its function where the series
/// begin, in the plane of complex numbers; 0 on it and beyond the domain.
double ss_run_distance(const ss_run* run, int i);
/// The longest s up to h on which the argument, of order n, stays within that distance of its value at 0, for
/// all complex numbers up to s: there the series of the function converge.
double ss_run_clear(const ss_run* run, int i, int n, double h);
/// The same for any distance, and for the argument of an instruction whose operands are known to order n.
double ss_taylor_within(const ss_taylor* w, const ss_instruction* in, double far, int n, double h);
double ss_run_within(const ss_run* run, int i, double far, int n, double h);
/// Of a tape, before the instruction is computed: how far its series can be trusted, into clear, and whether
/// it is held at its value for so long (tape_singular.c).
bool ss_tape_freeze_singular(const ss_taylor* w, const ss_instruction* in, ss_clearance* clear);
/// The distance of an argument (a, b) of the instruction from its nearest singular place, and how much a
/// change of it counts against that.
double ss_singular_distance(const ss_instruction* in, double a, double b);
double ss_singular_change(const ss_instruction* in, double a, double b);
/// The exponent q >= 0 of the function where it meets its singular place, f = f_0 + |s|^q or so; -1 where it
/// has no value there (a pole, a logarithm).
double ss_singular_exponent(const ss_instruction* in);
/// The value on the place, or beside it where rounding has carried the argument beyond its domain.
double ss_singular_value(const ss_instruction* in, double a, double b);
/// What is wrong with the argument there, in words: "the root of a negative number".
const char* ss_singular_words(const ss_instruction* in);

#endif
