// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Powers and functions of the parts of an expression.
#include "core/expression/expression_build.h"

#include <math.h>

// a^n, n > 0, by squaring and multiplying: right at a = 0, too, where n log a would not be.
static bool integer_power(ss_builder* builder, ss_operand* a, long n)
{
    int result = -1, square = a->in_register;
    for (;; n /= 2) {
        if (n % 2 == 1 && result < 0) {
            result = square;
        } else if (n % 2 == 1) {
            int product = ss_builder_emit(
                builder, (ss_instruction){.op = SS_OP_MUL, .a = result, .b = square}, a->column);
            if (product < 0) return false;
            builder->used[result] = false;
            result = product;
        }
        if (n <= 1) break;
        int next =
            ss_builder_emit(builder, (ss_instruction){.op = SS_OP_MUL, .a = square, .b = square}, a->column);
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
    if (exponent == 0)
        return ss_builder_scale(builder, a, 0, a->column) && ss_builder_set_line(builder, a, 1, 0, a->column);
    if (exponent == 1) return true;
    if (!ss_builder_materialise(builder, a)) return false;
    if (exponent == 0.5) return ss_builder_apply(builder, (ss_instruction){.op = SS_OP_SQRT}, a, NULL);
    if (exponent != floor(exponent) || fabs(exponent) > (1 << 20))
        return ss_builder_apply(builder, (ss_instruction){.op = SS_OP_POWER, .p = exponent}, a, NULL);
    if (!integer_power(builder, a, (long)fabs(exponent))) return false;
    return exponent > 0 || ss_builder_apply(builder, (ss_instruction){.op = SS_OP_OVER, .p = 1}, a, NULL);
}

// b^x = exp(x log b), for a constant b > 0.
static bool exponential_power(ss_builder* builder, ss_operand* a, const ss_operand* exponent, int column)
{
    if (!ss_operand_is_constant(a))
        return ss_builder_fail(builder, exponent->column, "the exponent must be constant in time");
    if (!(a->c0 > 0))
        return ss_builder_fail(builder, a->column,
                               "only a positive number can have an exponent that varies in time");
    if (!ss_operand_is_plain(a)) {
        char text[64];
        ss_builder_mismatch(builder, a->shadow, a->column,
                            "only a plain number can have an exponent that varies in time, not %s",
                            ss_dimension_describe(a->dimension, text));
    }
    ss_operand x = *exponent;
    if (!ss_builder_scale(builder, &x, log(a->c0), column)) return false;
    if (ss_operand_is_constant(&x)) return ss_builder_set_line(builder, a, exp(x.c0), 0, column); // 1^x
    if (!ss_builder_materialise(builder, &x)) return false;
    if (!ss_builder_apply(builder, (ss_instruction){.op = SS_OP_EXP}, &x, NULL)) return false;
    ss_operand_take_value(a, &x);
    return true;
}

bool ss_builder_power(ss_builder* builder, ss_operand* a, const ss_operand* exponent, int column)
{
    if (!ss_operand_is_plain(exponent)) {
        char text[64];
        ss_builder_mismatch(builder, exponent->shadow, exponent->column,
                            "an exponent must be a plain number, not %s",
                            ss_dimension_describe(exponent->dimension, text));
    }
    if (a->shadow < 0) a->shadow = exponent->shadow;
    if (!ss_operand_is_constant(exponent)) return exponential_power(builder, a, exponent, column);
    a->dimension = ss_dimension_combine((ss_dimension){0}, a->dimension, exponent->c0);
    if (!ss_operand_is_constant(a)) return varying_power(builder, a, exponent->c0);
    if (a->c0 == 0 && exponent->c0 < 0) return ss_builder_fail(builder, column, "division by zero");
    if (a->c0 < 0 && exponent->c0 != floor(exponent->c0))
        return ss_builder_fail(builder, column, "a negative number cannot have a fractional exponent");
    return ss_builder_set_line(builder, a, pow(a->c0, exponent->c0), 0, column);
}

static bool fold_function(ss_builder* builder, ss_op op, const char* name, ss_operand* a, int column)
{
    if (op == SS_OP_SQRT && a->c0 < 0)
        return ss_builder_fail(builder, column, "%s of a negative number", name);
    if (op == SS_OP_LOG && !(a->c0 > 0))
        return ss_builder_fail(builder, column, "%s of a number that is not positive", name);
    if ((op == SS_OP_ASIN || op == SS_OP_ACOS) && !(fabs(a->c0) <= 1))
        return ss_builder_fail(builder, column, "%s of a number beyond -1 and 1", name);
    if (op == SS_OP_ACOSH && !(a->c0 >= 1))
        return ss_builder_fail(builder, column, "%s of a number below 1", name);
    if (op == SS_OP_ATANH && !(fabs(a->c0) < 1))
        return ss_builder_fail(builder, column, "%s of a number that is not between -1 and 1", name);
    if (op == SS_OP_LOG1P && !(a->c0 > -1))
        return ss_builder_fail(builder, column, "%s of a number that is not above -1", name);
    return ss_builder_set_line(builder, a, ss_op_apply(&(ss_instruction){.op = op}, 0, a->c0, 0), 0, column);
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
    if (!ss_operand_is_plain(a))
        ss_builder_mismatch(builder, a->shadow, a->column, "%s needs a plain number, found %s", name,
                            ss_dimension_describe(a->dimension, text));
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
    if (!ss_builder_extremum(builder, op, a, ss_operand_line(builder, value, 0.0, a->column))) return false;
    builder->tape.code[builder->tape.count - 1].q = 1.0; // its kink is never forgotten
    return true;
}

static bool set_pace(ss_builder* builder, ss_operand* a, double pace)
{
    if (!ss_builder_materialise(builder, a)) return false;
    ss_instruction instruction = {.op = SS_OP_PACE, .p = pace, .kink = builder->tape.kinks++};
    return ss_builder_apply(builder, instruction, a, NULL);
}

static bool keep_in_range(ss_builder* builder, ss_op op, ss_operand* a)
{
    static const double least_exponent = -600.0, tanh_is_one = 25.0, pace = 8.0;
    if (op == SS_OP_SINH || op == SS_OP_COSH) return set_pace(builder, a, pace);
    if (op != SS_OP_EXP && op != SS_OP_EXPM1 && op != SS_OP_TANH) return true;
    if (!bound(builder, SS_OP_MAX, a, op == SS_OP_TANH ? -tanh_is_one : least_exponent)) return false;
    if (op == SS_OP_TANH && !bound(builder, SS_OP_MIN, a, tanh_is_one)) return false;
    return set_pace(builder, a, pace);
}

bool ss_builder_function(ss_builder* builder, ss_op op, const char* name, ss_operand* a, int column)
{
    check_argument(builder, op, name, a);
    if (ss_operand_is_constant(a)) return fold_function(builder, op, name, a, column);
    ss_instruction instruction = {.op = op};
    if (ss_operand_is_line(a) && (op == SS_OP_SIN || op == SS_OP_COS)) {
        instruction =
            (ss_instruction){.op = op == SS_OP_SIN ? SS_OP_SINE : SS_OP_COSINE, .p = a->c0, .q = a->c1};
        return ss_builder_apply(builder, instruction, a, NULL);
    }
    if (!keep_in_range(builder, op, a)) return false;
    if (!ss_builder_materialise(builder, a)) return false;
    if (op == SS_OP_ABS || ss_op_is_jump(op)) instruction.kink = builder->tape.kinks++;
    return ss_builder_apply(builder, instruction, a, NULL);
}
