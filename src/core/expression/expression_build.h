// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What the grammar builds with: operands, their arithmetic, and the checking of dimensions.
#ifndef SLIPSTICK_CORE_EXPRESSION_BUILD_H
#define SLIPSTICK_CORE_EXPRESSION_BUILD_H

#include "core/expression/expression.h"

/// A part of the expression: a line c0 + c1 t (a constant if c1 = 0), of which no instruction exists yet, or
/// a register of the tape. Its instructions begin at start, its kinks at kink.
typedef struct ss_operand {
    int in_register; ///< -1: the line
    double c0, c1;
    ss_dimension dimension;
    int column; ///< of its first token
    int shadow; ///< a parameter in it that hides a unit's name, or behind them a variable; -1: none
    int start, kink;
    bool open; ///< its dimension is not known: it fits anywhere
} ss_operand;

/// Under construction. Whether dimensions matter is known only at the end (is there any unit?), so the first
/// mismatch is kept until then.
typedef struct ss_builder {
    const ss_scope* scope;
    const ss_variable* variables;
    int variable_count;
    const ss_words* words; ///< the names of the variables, or NULL
    const char* argument;  ///< the name that stands for what the function is of, in place of t; NULL: t
    ss_dimension argument_dimension;
    ss_tape tape;
    bool used[SS_MAX_REGISTERS];
    bool has_unit;
    int waits; ///< as in ss_expression
    int shadow;
    char mismatch[sizeof((ss_error*)0)->text];
    int mismatch_column; ///< 0: none
    char hint[48];       ///< what was probably meant where a dimension is wrong, or ""
    ss_error* err;
    ss_status status;
} ss_builder;

/// All functions below return false after filing an error with ss_builder_fail. Results replace *a.
bool ss_builder_fail(ss_builder* builder, int column, const char* format, ...) SS_PRINTF(3, 4);
ss_operand ss_operand_line(const ss_builder* builder, double c0, double c1, int column);
bool ss_operand_is_constant(const ss_operand* operand);
/// A variable, in a register.
bool ss_builder_variable(ss_builder* builder, int variable, ss_operand* a);
/// op is SS_OP_ADD, SUB, MUL, DIV, MIN, MAX, HYPOT or ATAN2; column that of the operator.
bool ss_builder_binary(ss_builder* builder, ss_op op, ss_operand* a, const ss_operand* b, int column);
bool ss_builder_negate(ss_builder* builder, ss_operand* a);
bool ss_builder_power(ss_builder* builder, ss_operand* a, const ss_operand* exponent, int column);
/// op is SS_OP_SQRT .. SS_OP_ABS or a jump, name what the user wrote.
bool ss_builder_function(ss_builder* builder, ss_op op, const char* name, ss_operand* a, int column);
/// Makes sure that the operand is in a register.
bool ss_builder_materialise(ss_builder* builder, ss_operand* a);
/// Compares with the expected dimension (may be NULL) and reports the first mismatch, if units were used.
bool ss_builder_check(ss_builder* builder, const ss_operand* result, const ss_dimension* expected);

// ---- what the files of the builder share

/// expression_dimension.c: describes a dimension for a message.
const char* ss_dimension_describe(ss_dimension dimension, char out[64]);
/// Keeps the first mismatch of dimensions. shadow: the parameter that hides a unit of its name, or -1.
void ss_builder_mismatch(ss_builder* builder, int shadow, int column, const char* format, ...)
    SS_PRINTF(4, 5);
bool ss_operand_is_zero(const ss_operand* a);
bool ss_operand_is_plain(const ss_operand* a); ///< it has no dimension, or fits any
/// Both must have one dimension; 0 fits anything and takes the other's.
void ss_builder_unite(ss_builder* builder, const char* verb, ss_operand* a, const ss_operand* b, int column);
/// expression_build.c: whether a is c0 + c1 t, and not yet in a register.
bool ss_operand_is_line(const ss_operand* a);
bool ss_builder_set_line(ss_builder* builder, ss_operand* a, double c0, double c1, int column);
/// Appends the instruction and returns its register, -1 on failure. The operands' registers stay in use.
int ss_builder_emit(ss_builder* builder, ss_instruction instruction, int column);
/// Replaces a by the result of an instruction on it (and on b, where b is not NULL).
bool ss_builder_apply(ss_builder* builder, ss_instruction instruction, ss_operand* a, const ss_operand* b);
bool ss_builder_scale(ss_builder* builder, ss_operand* a, double factor, int column);
bool ss_builder_extremum(ss_builder* builder, ss_op op, ss_operand* a, ss_operand b);
/// Takes the value of b into a; what is known of the place (start, column) stays a's.
void ss_operand_take_value(ss_operand* a, const ss_operand* b);

#endif
