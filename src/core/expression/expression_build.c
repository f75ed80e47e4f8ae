// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Arithmetic on the parts of an expression: folds constants and straight lines, writes instructions for the
// rest, and keeps account of dimensions.
#include "core/expression/expression_build.h"
#include "core/number_length.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool ss_builder_fail(ss_builder* builder, int column, const char* format, ...)
{
    if (builder->status != SS_OK) return false;
    char text[sizeof builder->err->text];
    va_list arguments;
    va_start(arguments, format);
    ss_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    builder->status = ss_fail(builder->err, SS_BAD_INPUT, NULL, "%s", text);
    if (builder->err) builder->err->column = column;
    return false;
}

// ---- operands and instructions ----

ss_operand ss_operand_line(const ss_builder* builder, double c0, double c1, int column)
{
    return (ss_operand){.in_register = -1,
                        .c0 = c0,
                        .c1 = c1,
                        .column = column,
                        .shadow = -1,
                        .start = builder->tape.count,
                        .kink = builder->tape.kinks};
}

bool ss_operand_is_line(const ss_operand* a) { return a->in_register < 0; }
bool ss_operand_is_constant(const ss_operand* a) { return ss_operand_is_line(a) && a->c1 == 0; }

bool ss_builder_set_line(ss_builder* builder, ss_operand* a, double c0, double c1, int column)
{
    if (!isfinite(c0) || !isfinite(c1))
        return ss_builder_fail(builder, column, "the result is not a finite number");
    a->in_register = -1;
    a->c0 = c0;
    a->c1 = c1;
    return true;
}

static void release(ss_builder* builder, const ss_operand* a)
{
    if (!ss_operand_is_line(a)) builder->used[a->in_register] = false;
}

static int take_register(ss_builder* builder, int column)
{
    for (int i = 0; i < SS_MAX_REGISTERS; ++i)
        if (!builder->used[i]) {
            builder->used[i] = true;
            if (i >= builder->tape.registers) builder->tape.registers = i + 1;
            return i;
        }
    ss_builder_fail(builder, column, "this is nested too deeply");
    return -1;
}

static bool make_room(ss_builder* builder)
{
    ss_tape* tape = &builder->tape;
    if (tape->count < tape->capacity) return true;
    int capacity = tape->capacity > 0 ? 2 * tape->capacity : 16;
    ss_instruction* code = NULL;
    if (tape->capacity <= INT32_MAX / 4) code = realloc(tape->code, (size_t)capacity * sizeof *code);
    if (!code) {
        builder->status = ss_fail_no_memory(builder->err);
        return false;
    }
    tape->code = code;
    tape->capacity = capacity;
    return true;
}

int ss_builder_emit(ss_builder* builder, ss_instruction instruction, int column)
{
    if (!make_room(builder)) return -1;
    instruction.out = take_register(builder, column);
    if (instruction.out >= 0) builder->tape.code[builder->tape.count++] = instruction;
    return instruction.out;
}

bool ss_builder_apply(ss_builder* builder, ss_instruction instruction, ss_operand* a, const ss_operand* b)
{
    instruction.a = a->in_register >= 0 ? a->in_register : 0;
    instruction.b = b ? b->in_register : 0;
    int out = ss_builder_emit(builder, instruction, a->column);
    if (out < 0) return false;
    release(builder, a);
    if (b) release(builder, b);
    a->in_register = out;
    return true;
}

bool ss_builder_variable(ss_builder* builder, int variable, ss_operand* a)
{
    ss_instruction instruction = {.op = SS_OP_VARIABLE, .a = variable};
    a->in_register = ss_builder_emit(builder, instruction, a->column);
    return a->in_register >= 0;
}

bool ss_builder_materialise(ss_builder* builder, ss_operand* a)
{
    if (!ss_operand_is_line(a)) return true;
    return ss_builder_apply(builder, (ss_instruction){.op = SS_OP_AFFINE, .p = a->c0, .q = a->c1}, a, NULL);
}

// ---- arithmetic ----

bool ss_builder_scale(ss_builder* builder, ss_operand* a, double factor, int column)
{
    if (ss_operand_is_line(a)) return ss_builder_set_line(builder, a, factor * a->c0, factor * a->c1, column);
    if (factor == 0) { // nothing of it is needed, nor its kinks
        release(builder, a);
        builder->tape.count = a->start;
        builder->tape.kinks = a->kink;
        return ss_builder_set_line(builder, a, 0, 0, column);
    }
    if (factor == 1) return true;
    return ss_builder_apply(builder, (ss_instruction){.op = SS_OP_SCALE, .p = factor}, a, NULL);
}

bool ss_builder_negate(ss_builder* builder, ss_operand* a)
{
    return ss_builder_scale(builder, a, -1, a->column);
}

static bool shift(ss_builder* builder, ss_operand* a, double constant)
{
    if (constant == 0) return true;
    return ss_builder_apply(builder, (ss_instruction){.op = SS_OP_SHIFT, .p = constant}, a, NULL);
}

void ss_operand_take_value(ss_operand* a, const ss_operand* b)
{
    a->in_register = b->in_register;
    a->c0 = b->c0;
    a->c1 = b->c1;
}

static bool add(ss_builder* builder, ss_operand* a, ss_operand b, double sign, int column)
{
    if (ss_operand_is_line(a) && ss_operand_is_line(&b))
        return ss_builder_set_line(builder, a, a->c0 + sign * b.c0, a->c1 + sign * b.c1, column);
    if (ss_operand_is_constant(&b)) return shift(builder, a, sign * b.c0);
    if (ss_operand_is_constant(a)) {
        double constant = a->c0;
        if (!ss_builder_scale(builder, &b, sign, column) || !shift(builder, &b, constant)) return false;
        ss_operand_take_value(a, &b);
        return true;
    }
    if (!ss_builder_materialise(builder, a) || !ss_builder_materialise(builder, &b)) return false;
    return ss_builder_apply(builder, (ss_instruction){.op = sign > 0 ? SS_OP_ADD : SS_OP_SUB}, a, &b);
}

static bool multiply(ss_builder* builder, ss_operand* a, ss_operand b, int column)
{
    if (ss_operand_is_constant(&b)) return ss_builder_scale(builder, a, b.c0, column);
    if (ss_operand_is_constant(a)) {
        if (!ss_builder_scale(builder, &b, a->c0, column)) return false;
        ss_operand_take_value(a, &b);
        return true;
    }
    if (!ss_builder_materialise(builder, a) || !ss_builder_materialise(builder, &b)) return false;
    return ss_builder_apply(builder, (ss_instruction){.op = SS_OP_MUL}, a, &b);
}

static bool divide(ss_builder* builder, ss_operand* a, ss_operand b, int column)
{
    if (ss_operand_is_zero(&b)) return ss_builder_fail(builder, column, "division by zero");
    if (ss_operand_is_constant(&b) && ss_operand_is_line(a))
        return ss_builder_set_line(builder, a, a->c0 / b.c0, a->c1 / b.c0, column);
    if (ss_operand_is_constant(&b) && isfinite(1 / b.c0))
        return ss_builder_scale(builder, a, 1 / b.c0, column);
    if (ss_operand_is_constant(a)) {
        double constant = a->c0;
        if (!ss_builder_materialise(builder, &b)) return false;
        if (!ss_builder_apply(builder, (ss_instruction){.op = SS_OP_OVER, .p = constant}, &b, NULL))
            return false;
        ss_operand_take_value(a, &b);
        return true;
    }
    if (!ss_builder_materialise(builder, a) || !ss_builder_materialise(builder, &b)) return false;
    return ss_builder_apply(builder, (ss_instruction){.op = SS_OP_DIV}, a, &b);
}

bool ss_builder_extremum(ss_builder* builder, ss_op op, ss_operand* a, ss_operand b)
{
    ss_instruction instruction = {.op = op};
    if (ss_operand_is_constant(a) && ss_operand_is_constant(&b)) {
        a->c0 = ss_op_apply(&instruction, 0, a->c0, b.c0);
        return true;
    }
    double x = b.c0;
    if (op == SS_OP_ATAN2 && ss_operand_is_constant(&b) && x > 0) // no cut on that side: atan(a / x)
        return ss_builder_scale(builder, a, 1 / x, a->column) && ss_builder_materialise(builder, a) &&
               ss_builder_apply(builder, (ss_instruction){.op = SS_OP_ATAN}, a, NULL);
    if (!ss_builder_materialise(builder, a) || !ss_builder_materialise(builder, &b)) return false;
    if (op == SS_OP_HYPOT) return ss_builder_apply(builder, instruction, a, &b);
    instruction.kink = builder->tape.kinks++;
    return ss_builder_apply(builder, instruction, a, &b);
}

bool ss_builder_binary(ss_builder* builder, ss_op op, ss_operand* a, const ss_operand* b, int column)
{
    static const char* const verbs[] = {[SS_OP_ADD] = "add", [SS_OP_SUB] = "subtract"};
    if (op == SS_OP_MUL || op == SS_OP_DIV)
        a->dimension = ss_dimension_combine(a->dimension, b->dimension, op == SS_OP_MUL ? 1 : -1);
    if (op == SS_OP_MUL || op == SS_OP_DIV)
        a->open = a->open || b->open;
    else
        ss_builder_unite(builder, op == SS_OP_ADD || op == SS_OP_SUB ? verbs[op] : "compare", a, b, column);
    if (op == SS_OP_ATAN2) {
        a->dimension = (ss_dimension){0};
        a->open = false;
    }
    if (a->shadow < 0) a->shadow = b->shadow;
    switch (op) {
    case SS_OP_ADD: return add(builder, a, *b, 1, column);
    case SS_OP_SUB: return add(builder, a, *b, -1, column);
    case SS_OP_MUL: return multiply(builder, a, *b, column);
    case SS_OP_DIV: return divide(builder, a, *b, column);
    default: return ss_builder_extremum(builder, op, a, *b);
    }
}
