// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Ranges: what an operation, or a program, gives for all operands that lie in given intervals. Every result
// holds all values there are, rounding included; it may hold more.
#ifndef SLIPSTICK_CORE_RANGE_H
#define SLIPSTICK_CORE_RANGE_H

#include "core/expression/program.h"

typedef struct ss_range {
    double low, high;
} ss_range;

/// What an operation gives, for all t, a, b in their ranges; operands that it does not have are not looked
/// at. Of SS_OP_SELECT: both operands.
ss_range ss_op_range(const ss_instruction* instruction, ss_range t, ss_range a, ss_range b);

/// The ranges of all outputs of a program, for all variables in the box, at any time. registers: scratch, one
/// per instruction. sides: of all kinks of the graph; the kinks of this program are written (+1 or -1: on
/// this piece everywhere in the box; 0: on both, perhaps), and the derivatives of kinks read them, so the
/// program that has the kinks goes first. False where a jump lies in the box: there the outputs are not
/// continuous.
bool ss_program_enclose(const ss_program* program, const ss_range variables[], ss_range registers[],
                        signed char sides[], ss_range out[]);

#endif
