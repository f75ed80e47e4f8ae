// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Arithmetic on the parts of an expression: folds constants and straight lines, writes instructions for the
// rest, and keeps account of dimensions.
#include "core/expression/expression_build.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ss_builder_fail(ss_builder* builder, int column, const char* format, ...)
{
    if (builder->status != SS_OK) return false;
    char text[sizeof builder->err->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    builder->status = ss_fail(builder->err, SS_BAD_INPUT, NULL, "%s", text);
    if (builder->err) builder->err->column = column;
    return false;
}

// ---- dimensions ----

static const char* describe(ss_dimension dimension, char out[64])
{
    if (ss_dimension_equal(dimension, (ss_dimension){0})) return "a plain number";
    return ss_dimension_format(dimension, out, 64);
}

static void note_mismatch(ss_builder* builder, int shadow, int column, const char* format, ...)
    SS_PRINTF(4, 5);
static void note_mismatch(ss_builder* builder, int shadow, int column, const char* format, ...)
{
    if (builder->mismatch_column > 0) return;
    builder->mismatch_column = column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(builder->mismatch, sizeof builder->mismatch, format, arguments);
    va_end(arguments);
    if (shadow < 0) shadow = builder->shadow;
    if (shadow < 0) return;
    const char* name = builder->scope->parameters[shadow].name;
    ss_unit unit;
    size_t used = strlen(builder->mismatch);
    if (ss_unit_find(name, strlen(name), &unit))
        snprintf(builder->mismatch + used, sizeof builder->mismatch - used,
                 "; '%s' here is the parameter, not the %s%s", name, unit.prefix_word, unit.word);
}

static bool is_zero(const ss_operand* a) { return ss_operand_is_constant(a) && a->c0 == 0; }

static bool is_plain(const ss_operand* a)
{
    return is_zero(a) || a->open || ss_dimension_equal(a->dimension, (ss_dimension){0});
}

// Both must have one dimension; 0 fits anything and takes the other's.
static void unite_dimensions(ss_builder* builder, const char* verb, ss_operand* a, const ss_operand* b,
                             int column)
{
    char text_a[64], text_b[64];
    bool equal = ss_dimension_equal(a->dimension, b->dimension);
    if (a->open || b->open) { // what is known of one is known of both
        if (a->open && !is_zero(b)) a->dimension = b->dimension;
        a->open = (a->open || is_zero(a)) && (b->open || is_zero(b));
        return;
    }
    if (!equal && !is_zero(a) && !is_zero(b))
        note_mismatch(builder, b->shadow >= 0 ? b->shadow : a->shadow, column, "cannot %s %s and %s", verb,
                      describe(a->dimension, text_a), describe(b->dimension, text_b));
    bool b_is_bare_zero = is_zero(b) && ss_dimension_equal(b->dimension, (ss_dimension){0});
    if (is_zero(a) && !b_is_bare_zero) a->dimension = b->dimension;
}

bool ss_builder_check(ss_builder* builder, const ss_operand* result, const ss_dimension* expected)
{
    char text_a[64], text_b[64];
    if (expected && !result->open && !is_zero(result) && !ss_dimension_equal(*expected, result->dimension))
        note_mismatch(builder, result->shadow, result->column, "expected %s, found %s",
                      describe(*expected, text_a), describe(result->dimension, text_b));
    if (!builder->has_unit || builder->mismatch_column == 0) return true;
    bool hint = builder->hint[0] != '\0';
    return ss_builder_fail(builder, builder->mismatch_column, "%s%s%s%s", builder->mismatch,
                           hint ? "; write (" : "", builder->hint, hint ? ")" : "");
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

static bool is_line(const ss_operand* a) { return a->in_register < 0; }
bool ss_operand_is_constant(const ss_operand* a) { return is_line(a) && a->c1 == 0; }

static bool set_line(ss_builder* builder, ss_operand* a, double c0, double c1, int column)
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
    if (!is_line(a)) builder->used[a->in_register] = false;
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

// Appends the instruction and returns its register, -1 on failure. The operands' registers stay in use.
static int emit(ss_builder* builder, ss_instruction instruction, int column)
{
    if (!make_room(builder)) return -1;
    instruction.out = take_register(builder, column);
    if (instruction.out >= 0) builder->tape.code[builder->tape.count++] = instruction;
    return instruction.out;
}

// Replaces a by the result of an instruction on it (and on b, where b is not NULL).
static bool apply(ss_builder* builder, ss_instruction instruction, ss_operand* a, const ss_operand* b)
{
    instruction.a = a->in_register >= 0 ? a->in_register : 0;
    instruction.b = b ? b->in_register : 0;
    int out = emit(builder, instruction, a->column);
    if (out < 0) return false;
    release(builder, a);
    if (b) release(builder, b);
    a->in_register = out;
    return true;
}

bool ss_builder_variable(ss_builder* builder, int variable, ss_operand* a)
{
    ss_instruction instruction = {.op = SS_OP_VARIABLE, .a = variable};
    a->in_register = emit(builder, instruction, a->column);
    return a->in_register >= 0;
}

bool ss_builder_materialise(ss_builder* builder, ss_operand* a)
{
    if (!is_line(a)) return true;
    return apply(builder, (ss_instruction){.op = SS_OP_AFFINE, .p = a->c0, .q = a->c1}, a, NULL);
}

// ---- arithmetic ----

static bool scale(ss_builder* builder, ss_operand* a, double factor, int column)
{
    if (is_line(a)) return set_line(builder, a, factor * a->c0, factor * a->c1, column);
    if (factor == 0) { // nothing of it is needed, nor its kinks
        release(builder, a);
        builder->tape.count = a->start;
        builder->tape.kinks = a->kink;
        return set_line(builder, a, 0, 0, column);
    }
    if (factor == 1) return true;
    return apply(builder, (ss_instruction){.op = SS_OP_SCALE, .p = factor}, a, NULL);
}

bool ss_builder_negate(ss_builder* builder, ss_operand* a) { return scale(builder, a, -1, a->column); }

static bool shift(ss_builder* builder, ss_operand* a, double constant)
{
    if (constant == 0) return true;
    return apply(builder, (ss_instruction){.op = SS_OP_SHIFT, .p = constant}, a, NULL);
}

// Takes the value of b into a; what is known of the place (start, column) stays a's.
static void take_value(ss_operand* a, const ss_operand* b)
{
    a->in_register = b->in_register;
    a->c0 = b->c0;
    a->c1 = b->c1;
}

static bool add(ss_builder* builder, ss_operand* a, ss_operand b, double sign, int column)
{
    if (is_line(a) && is_line(&b))
        return set_line(builder, a, a->c0 + sign * b.c0, a->c1 + sign * b.c1, column);
    if (ss_operand_is_constant(&b)) return shift(builder, a, sign * b.c0);
    if (ss_operand_is_constant(a)) {
        double constant = a->c0;
        if (!scale(builder, &b, sign, column) || !shift(builder, &b, constant)) return false;
        take_value(a, &b);
        return true;
    }
    if (!ss_builder_materialise(builder, a) || !ss_builder_materialise(builder, &b)) return false;
    return apply(builder, (ss_instruction){.op = sign > 0 ? SS_OP_ADD : SS_OP_SUB}, a, &b);
}

static bool multiply(ss_builder* builder, ss_operand* a, ss_operand b, int column)
{
    if (ss_operand_is_constant(&b)) return scale(builder, a, b.c0, column);
    if (ss_operand_is_constant(a)) {
        if (!scale(builder, &b, a->c0, column)) return false;
        take_value(a, &b);
        return true;
    }
    if (!ss_builder_materialise(builder, a) || !ss_builder_materialise(builder, &b)) return false;
    return apply(builder, (ss_instruction){.op = SS_OP_MUL}, a, &b);
}

static bool divide(ss_builder* builder, ss_operand* a, ss_operand b, int column)
{
    if (is_zero(&b)) return ss_builder_fail(builder, column, "division by zero");
    if (ss_operand_is_constant(&b) && is_line(a))
        return set_line(builder, a, a->c0 / b.c0, a->c1 / b.c0, column);
    if (ss_operand_is_constant(&b) && isfinite(1 / b.c0)) return scale(builder, a, 1 / b.c0, column);
    if (ss_operand_is_constant(a)) {
        double constant = a->c0;
        if (!ss_builder_materialise(builder, &b)) return false;
        if (!apply(builder, (ss_instruction){.op = SS_OP_OVER, .p = constant}, &b, NULL)) return false;
        take_value(a, &b);
        return true;
    }
    if (!ss_builder_materialise(builder, a) || !ss_builder_materialise(builder, &b)) return false;
    return apply(builder, (ss_instruction){.op = SS_OP_DIV}, a, &b);
}

static bool extremum(ss_builder* builder, ss_op op, ss_operand* a, ss_operand b)
{
    ss_instruction instruction = {.op = op};
    if (ss_operand_is_constant(a) && ss_operand_is_constant(&b)) {
        a->c0 = ss_op_apply(&instruction, 0, a->c0, b.c0);
        return true;
    }
    double x = b.c0;
    if (op == SS_OP_ATAN2 && ss_operand_is_constant(&b) && x > 0) // no cut on that side: atan(a / x)
        return scale(builder, a, 1 / x, a->column) && ss_builder_materialise(builder, a) &&
               apply(builder, (ss_instruction){.op = SS_OP_ATAN}, a, NULL);
    if (!ss_builder_materialise(builder, a) || !ss_builder_materialise(builder, &b)) return false;
    if (op == SS_OP_HYPOT) return apply(builder, instruction, a, &b);
    instruction.kink = builder->tape.kinks++;
    return apply(builder, instruction, a, &b);
}

bool ss_builder_binary(ss_builder* builder, ss_op op, ss_operand* a, const ss_operand* b, int column)
{
    static const char* const verbs[] = {[SS_OP_ADD] = "add", [SS_OP_SUB] = "subtract"};
    if (op == SS_OP_MUL || op == SS_OP_DIV)
        a->dimension = ss_dimension_combine(a->dimension, b->dimension, op == SS_OP_MUL ? 1 : -1);
    if (op == SS_OP_MUL || op == SS_OP_DIV)
        a->open = a->open || b->open;
    else
        unite_dimensions(builder, op == SS_OP_ADD || op == SS_OP_SUB ? verbs[op] : "compare", a, b, column);
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
    default: return extremum(builder, op, a, *b);
    }
}

// ---- powers ----

// a^n, n > 0, by squaring and multiplying: right at a = 0, too, where n log a would not be.
static bool integer_power(ss_builder* builder, ss_operand* a, long n)
{
    int result = -1, square = a->in_register;
    for (;; n /= 2) {
        if (n % 2 == 1 && result < 0) {
            result = square;
        } else if (n % 2 == 1) {
            int product =
                emit(builder, (ss_instruction){.op = SS_OP_MUL, .a = result, .b = square}, a->column);
            if (product < 0) return false;
            builder->used[result] = false;
            result = product;
        }
        if (n <= 1) break;
        int next = emit(builder, (ss_instruction){.op = SS_OP_MUL, .a = square, .b = square}, a->column);
        if (next < 0) return false;
        if (square != result) builder->used[square] = false;
        square = next;
    }
    if (square != result) builder->used[square] = false;
    a->in_register = result;
    return true;
}

static bool varying_power(ss_builder* builder, ss_operand* a, double exponent)
{
    if (exponent == 0) return scale(builder, a, 0, a->column) && set_line(builder, a, 1, 0, a->column);
    if (exponent == 1) return true;
    if (!ss_builder_materialise(builder, a)) return false;
    if (exponent == 0.5) return apply(builder, (ss_instruction){.op = SS_OP_SQRT}, a, NULL);
    if (exponent != floor(exponent) || fabs(exponent) > (1 << 20))
        return apply(builder, (ss_instruction){.op = SS_OP_POWER, .p = exponent}, a, NULL);
    if (!integer_power(builder, a, (long)fabs(exponent))) return false;
    return exponent > 0 || apply(builder, (ss_instruction){.op = SS_OP_OVER, .p = 1}, a, NULL);
}

// b^x = exp(x log b), for a constant b > 0.
static bool exponential_power(ss_builder* builder, ss_operand* a, const ss_operand* exponent, int column)
{
    if (!ss_operand_is_constant(a))
        return ss_builder_fail(builder, exponent->column, "the exponent must be constant in time");
    if (!(a->c0 > 0))
        return ss_builder_fail(builder, a->column,
                               "only a positive number can have an exponent that varies in time");
    if (!is_plain(a)) {
        char text[64];
        note_mismatch(builder, a->shadow, a->column,
                      "only a plain number can have an exponent that varies in time, not %s",
                      describe(a->dimension, text));
    }
    ss_operand x = *exponent;
    if (!scale(builder, &x, log(a->c0), column)) return false;
    if (ss_operand_is_constant(&x)) return set_line(builder, a, exp(x.c0), 0, column); // 1^x
    if (!ss_builder_materialise(builder, &x)) return false;
    if (!apply(builder, (ss_instruction){.op = SS_OP_EXP}, &x, NULL)) return false;
    take_value(a, &x);
    return true;
}

bool ss_builder_power(ss_builder* builder, ss_operand* a, const ss_operand* exponent, int column)
{
    if (!is_plain(exponent)) {
        char text[64];
        note_mismatch(builder, exponent->shadow, exponent->column,
                      "an exponent must be a plain number, not %s", describe(exponent->dimension, text));
    }
    if (a->shadow < 0) a->shadow = exponent->shadow;
    if (!ss_operand_is_constant(exponent)) return exponential_power(builder, a, exponent, column);
    a->dimension = ss_dimension_combine((ss_dimension){0}, a->dimension, exponent->c0);
    if (!ss_operand_is_constant(a)) return varying_power(builder, a, exponent->c0);
    if (a->c0 == 0 && exponent->c0 < 0) return ss_builder_fail(builder, column, "division by zero");
    if (a->c0 < 0 && exponent->c0 != floor(exponent->c0))
        return ss_builder_fail(builder, column, "a negative number cannot have a fractional exponent");
    return set_line(builder, a, pow(a->c0, exponent->c0), 0, column);
}

// ---- functions ----

static bool fold_function(ss_builder* builder, ss_op op, const char* name, ss_operand* a, int column)
{
    if (op == SS_OP_SQRT && a->c0 < 0)
        return ss_builder_fail(builder, column, "%s of a negative number", name);
    if (op == SS_OP_LOG && !(a->c0 > 0))
        return ss_builder_fail(builder, column, "%s of a number that is not positive", name);
    if ((op == SS_OP_ASIN || op == SS_OP_ACOS) && !(fabs(a->c0) <= 1))
        return ss_builder_fail(builder, column, "%s of a number beyond -1 and 1", name);
    return set_line(builder, a, ss_op_apply(&(ss_instruction){.op = op}, 0, a->c0, 0), 0, column);
}

static void check_argument(ss_builder* builder, ss_op op, const char* name, ss_operand* a)
{
    if (op == SS_OP_ABS) return;
    if (op == SS_OP_SIGN || op == SS_OP_STEP) {
        a->dimension = (ss_dimension){0};
        a->open = false;
        return;
    }
    if (op == SS_OP_SQRT) {
        a->dimension = ss_dimension_combine((ss_dimension){0}, a->dimension, 0.5);
        return;
    }
    char text[64];
    if (!is_plain(a))
        note_mismatch(builder, a->shadow, a->column, "%s needs a plain number, found %s", name,
                      describe(a->dimension, text));
    a->dimension = (ss_dimension){0};
    a->open = false;
}

// Where exp underflows and where tanh is 1 to the last digit, all Taylor coefficients vanish: the series
// would promise that nothing happens for ever, and a pulse or a switch to come would be passed over. Beyond
// these bounds the function is held constant, and the place where it leaves them is located like any kink. At
// exp(-600) = 3e-261 the coefficients are still normal numbers. Between the bounds a piece ends where the
// argument has changed by 8 or so: beside a larger term the coefficients of exp are too small to tell how far
// they reach, and the function grows by e^8 at most before they are asked again.
static bool bound(ss_builder* builder, ss_op op, ss_operand* a, double value)
{
    if (!extremum(builder, op, a, ss_operand_line(builder, value, 0.0, a->column))) return false;
    builder->tape.code[builder->tape.count - 1].q = 1.0; // its kink is never forgotten
    return true;
}

static bool set_pace(ss_builder* builder, ss_operand* a, double pace)
{
    if (!ss_builder_materialise(builder, a)) return false;
    ss_instruction instruction = {.op = SS_OP_PACE, .p = pace, .kink = builder->tape.kinks++};
    return apply(builder, instruction, a, NULL);
}

static bool keep_in_range(ss_builder* builder, ss_op op, ss_operand* a)
{
    static const double least_exponent = -600.0, tanh_is_one = 25.0, pace = 8.0;
    if (op == SS_OP_SINH || op == SS_OP_COSH) return set_pace(builder, a, pace);
    if (op != SS_OP_EXP && op != SS_OP_TANH) return true;
    if (!bound(builder, SS_OP_MAX, a, op == SS_OP_EXP ? least_exponent : -tanh_is_one)) return false;
    if (op == SS_OP_TANH && !bound(builder, SS_OP_MIN, a, tanh_is_one)) return false;
    return set_pace(builder, a, pace);
}

bool ss_builder_function(ss_builder* builder, ss_op op, const char* name, ss_operand* a, int column)
{
    check_argument(builder, op, name, a);
    if (ss_operand_is_constant(a)) return fold_function(builder, op, name, a, column);
    ss_instruction instruction = {.op = op};
    if (is_line(a) && (op == SS_OP_SIN || op == SS_OP_COS)) {
        instruction =
            (ss_instruction){.op = op == SS_OP_SIN ? SS_OP_SINE : SS_OP_COSINE, .p = a->c0, .q = a->c1};
        return apply(builder, instruction, a, NULL);
    }
    if (!keep_in_range(builder, op, a)) return false;
    if (!ss_builder_materialise(builder, a)) return false;
    if (op == SS_OP_ABS || ss_op_is_jump(op)) instruction.kink = builder->tape.kinks++;
    return apply(builder, instruction, a, NULL);
}
