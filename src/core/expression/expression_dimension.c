// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Dimensions of the parts of an expression: which fit each other, and what is said where they do not.
#include "core/expression/expression_build.h"
#include "core/number_length.h"
#include "share/quantity.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char* ss_dimension_describe(ss_dimension dimension, char out[64])
{
    if (ss_dimension_equal(dimension, (ss_dimension){0})) return "a plain number";
    return ss_dimension_format(dimension, out, 64);
}

void ss_builder_mismatch(ss_builder* builder, int shadow, int column, const char* format, ...)
{
    if (builder->mismatch_column > 0) return;
    builder->mismatch_column = column;
    va_list arguments;
    va_start(arguments, format);
    ss_vformat(builder->mismatch, sizeof builder->mismatch, format, arguments);
    va_end(arguments);
    if (shadow < 0) shadow = builder->shadow;
    if (shadow < 0) return;
    int parameters = builder->scope->parameter_count;
    bool is_parameter = shadow < parameters;
    const char* name =
        is_parameter ? builder->scope->parameters[shadow].name : builder->variables[shadow - parameters].name;
    ss_unit unit;
    size_t used = strlen(builder->mismatch);
    if (ss_unit_find(name, strlen(name), &unit))
        snprintf(builder->mismatch + used, sizeof builder->mismatch - used,
                 "; '%s' here is the %s, not the %s%s", name,
                 is_parameter ? "parameter" : "state, input or signal", unit.prefix_word, unit.word);
}

bool ss_operand_is_zero(const ss_operand* a) { return ss_operand_is_constant(a) && a->c0 == 0; }

bool ss_operand_is_plain(const ss_operand* a)
{
    return ss_operand_is_zero(a) || a->open || ss_dimension_equal(a->dimension, (ss_dimension){0});
}

void ss_builder_unite(ss_builder* builder, const char* verb, ss_operand* a, const ss_operand* b, int column)
{
    char text_a[64], text_b[64];
    bool equal = ss_dimension_equal(a->dimension, b->dimension);
    if (a->open || b->open) { // what is known of one is known of both
        if (a->open && !ss_operand_is_zero(b)) a->dimension = b->dimension;
        a->open = (a->open || ss_operand_is_zero(a)) && (b->open || ss_operand_is_zero(b));
        return;
    }
    if (!equal && !ss_operand_is_zero(a) && !ss_operand_is_zero(b))
        ss_builder_mismatch(builder, b->shadow >= 0 ? b->shadow : a->shadow, column, "cannot %s %s and %s",
                            verb, ss_dimension_describe(a->dimension, text_a),
                            ss_dimension_describe(b->dimension, text_b));
    bool b_is_bare_zero = ss_operand_is_zero(b) && ss_dimension_equal(b->dimension, (ss_dimension){0});
    if (ss_operand_is_zero(a) && !b_is_bare_zero) a->dimension = b->dimension;
}

bool ss_builder_check(ss_builder* builder, const ss_operand* result, const ss_dimension* expected)
{
    char text_a[64], text_b[64];
    if (!builder->has_unit) return true; // bare numbers take any unit
    if (expected && !result->open && !ss_operand_is_zero(result) &&
        !ss_dimension_equal(*expected, result->dimension))
        ss_builder_mismatch(builder, result->shadow, result->column, "expected %s, found %s",
                            ss_dimension_describe(*expected, text_a),
                            ss_dimension_describe(result->dimension, text_b));
    if (builder->mismatch_column == 0) return true;
    bool hint = builder->hint[0] != '\0';
    return ss_builder_fail(builder, builder->mismatch_column, "%s%s%s%s", builder->mismatch,
                           hint ? "; write (" : "", builder->hint, hint ? ")" : "");
}
