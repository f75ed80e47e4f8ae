// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The grammar of numbers in model files:
//
//     sum      = product { (+|-) product }
//     product  = factor { (*|/) factor }
//     factor   = { + | - } power
//     power    = primary [ ^ factor ]                                    right to left: 2^3^2 = 2^9
//     primary  = number [ [ 1 / ] unit [ ^ factor ] ]  |  name  |  ( sum )  |  function ( sum { , sum } )
//
// A name right after a number is a unit, also in `12 1/s`. Anywhere else a parameter wins over a unit of the
// same name.
#include "core/expression/expression_name.h"
#include "share/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct parser {
    ss_builder builder;
    ss_lexer lexer;
    ss_token token; // the one to be read next
    int depth;
} parser;

static bool parse_sum(parser* p, ss_operand* out);
static bool parse_factor(parser* p, ss_operand* out);

static bool advance(parser* p) { return ss_lexer_next(&p->lexer, &p->builder, &p->token); }
static bool at_sign(const parser* p, char sign)
{
    return p->token.kind == SS_TOKEN_SIGN && p->token.sign == sign;
}

// What to write in place of the token where an operator, or (number) a number, was expected; "" if that is
// not known.
static const char* advice(const parser* p, bool number)
{
    const ss_token* token = &p->token;
    const char* before = token->text > p->lexer.text ? token->text - 1 : " ";
    bool digits = before[0] >= '0' && before[0] <= '9' && token->text[1] >= '0' && token->text[1] <= '9';
    if (number) return at_sign(p, '*') && *before == '*' ? "; write ^ for a power" : "";
    if (at_sign(p, ',') && digits) return "; write a decimal point, not a comma";
    if (token->kind == SS_TOKEN_NAME && (ss_token_is(token, "if") || ss_token_is(token, "and")))
        return "; there are no conditions: use step, min, max or clip";
    return at_sign(p, '(') || token->kind == SS_TOKEN_NUMBER || token->kind == SS_TOKEN_NAME
               ? "; write * for a product"
               : "";
}

static bool unexpected(parser* p, const char* expected)
{
    const ss_token* token = &p->token;
    if (token->kind == SS_TOKEN_END)
        return ss_builder_fail(&p->builder, token->column, "expected %s, but the text ends here", expected);
    int shown = token->length < SS_SHOWN_NAME ? (int)token->length : SS_SHOWN_NAME;
    bool number = strcmp(expected, "a number") == 0, asks = number || strcmp(expected, "an operator") == 0;
    return ss_builder_fail(&p->builder, token->column, "expected %s, found '%.*s'%s", expected, shown,
                           token->text, asks ? advice(p, number) : "");
}

static bool expect_sign(parser* p, char sign, const char* expected)
{
    return at_sign(p, sign) ? advance(p) : unexpected(p, expected);
}

static bool enter(parser* p)
{
    if (++p->depth <= SS_MAX_NESTING) return true;
    return ss_builder_fail(&p->builder, p->token.column, "this is nested too deeply");
}

// ---- primaries ----

// After a number: multiplies it by the unit, raised to its exponent. The unit is a fraction, and so is
// applied in one multiplication and one division: 12 mm is 12/1000, not 12 * 0.001. sign is -1 after `1/`.
static bool parse_unit(parser* p, ss_operand* number, double sign)
{
    ss_token name = p->token;
    ss_unit unit;
    double exponent = sign;
    if (!ss_unit_find(name.text, name.length, &unit)) return ss_unknown_unit(&p->builder, &name);
    p->builder.has_unit = true;
    ss_operand base = ss_operand_line(&p->builder, 1, 0, name.column);
    base.dimension = ss_dimension_combine((ss_dimension){0}, unit.dimension, sign);
    if (!advance(p)) return false;
    if (at_sign(p, '^')) {
        int column = p->token.column;
        ss_operand power;
        if (!advance(p) || !parse_factor(p, &power)) return false;
        if (!ss_operand_is_constant(&power))
            return ss_builder_fail(&p->builder, power.column,
                                   "the exponent of a unit must be constant in time");
        exponent = sign * power.c0;
        if (!ss_builder_power(&p->builder, &base, &power, column)) return false;
    }
    if (exponent < 0)
        number->c0 = number->c0 * pow(unit.denominator, -exponent) / pow(unit.numerator, -exponent);
    else
        number->c0 = number->c0 * pow(unit.numerator, exponent) / pow(unit.denominator, exponent);
    number->dimension = base.dimension;
    if (!isfinite(number->c0))
        return ss_builder_fail(&p->builder, number->column, "the result is not a finite number");
    return true;
}

// After a number, the present token being another: `12 1/s` is 12 per second, anything else a mistake.
static bool parse_inverse_unit(parser* p, ss_operand* number)
{
    ss_token one = p->token;
    if (one.length != 1 || one.text[0] != '1') return unexpected(p, "an operator");
    if (!advance(p)) return false;
    if (!at_sign(p, '/')) return ss_builder_fail(&p->builder, one.column, "expected an operator, found '1'");
    if (!advance(p)) return false;
    if (p->token.kind == SS_TOKEN_NAME) return parse_unit(p, number, -1);
    return ss_builder_fail(&p->builder, one.column,
                           "expected a unit after 1/; leave out the 1, as in 12 /(N*s)");
}

static bool parse_number(parser* p, ss_operand* out)
{
    *out = ss_operand_line(&p->builder, p->token.number, 0, p->token.column);
    if (!advance(p)) return false;
    if (p->token.kind == SS_TOKEN_NAME) return parse_unit(p, out, 1);
    if (p->token.kind == SS_TOKEN_NUMBER) return parse_inverse_unit(p, out);
    return true;
}

static bool parse_parameter(parser* p, int index, ss_operand* out)
{
    const ss_parameter* parameter = &p->builder.scope->parameters[index];
    ss_unit unit;
    out->c0 = parameter->value_si;
    if (!isfinite(out->c0))
        return ss_builder_fail(&p->builder, out->column, "the parameter '%.40s' is not a finite number",
                               parameter->name);
    if (parameter->has_unit) {
        out->dimension = parameter->dimension;
        p->builder.has_unit = true;
    }
    if (ss_unit_find(parameter->name, strlen(parameter->name), &unit)) {
        out->shadow = index;
        p->builder.shadow = index;
    }
    return true;
}

static bool parse_argument(parser* p, ss_operand* out)
{
    out->c1 = 1;
    out->dimension = p->builder.argument_dimension;
    return true;
}

static bool parse_time(parser* p, ss_operand* out)
{
    if (!p->builder.scope->allow_time)
        return ss_builder_fail(&p->builder, out->column,
                               "t cannot be used here: this number is constant in time");
    out->c1 = 1;
    out->dimension = (ss_dimension){0, 0, 1, 0};
    return true;
}

static bool parse_variable(parser* p, int index, ss_operand* out)
{
    const ss_variable* variable = &p->builder.variables[index];
    if (variable->refused)
        return ss_builder_fail(&p->builder, out->column, "%.60s cannot be used here: %s", variable->name,
                               variable->refused);
    out->dimension = variable->dimension;
    out->open = variable->open;
    if (variable->open) p->builder.waits = p->builder.waits == -1 || p->builder.waits == index ? index : -2;
    if (variable->has_unit) p->builder.has_unit = true;
    ss_unit unit;
    if (ss_unit_find(variable->name, strlen(variable->name), &unit))
        out->shadow = p->builder.shadow = p->builder.scope->parameter_count + index;
    return ss_builder_variable(&p->builder, index, out);
}

// A parameter that would take the place of a variable, or the other way round: neither is meant for sure.
static bool two_meanings(parser* p, int parameter, int variable, int column)
{
    const char* meaning = variable >= 0 ? p->builder.variables[variable].meaning : NULL;
    return ss_builder_fail(&p->builder, column,
                           "'%.40s' is %s here, and also a parameter; give the parameter another name",
                           p->builder.scope->parameters[parameter].name, meaning ? meaning : "a variable");
}

static bool parse_name(parser* p, ss_operand* out)
{
    ss_token name = p->token;
    const ss_scope* scope = p->builder.scope;
    *out = ss_operand_line(&p->builder, 0, 0, name.column);
    if (!advance(p)) return false;
    int parameter = ss_find_parameter(scope, &name), variable = ss_find_variable(&p->builder, &name);
    ss_unit unit;
    bool argument = p->builder.argument && ss_token_is(&name, p->builder.argument);
    if (parameter >= 0 && (argument || variable >= 0))
        return two_meanings(p, parameter, variable, name.column);
    if (argument) return parse_argument(p, out);
    if (ss_token_is(&name, "t")) return parse_time(p, out);
    if (ss_token_is(&name, "pi")) {
        out->c0 = PI;
        return true;
    }
    if (ss_token_is(&name, "i") && scope->allow_index) {
        if (scope->index_varies)
            out->c1 = 1;
        else
            out->c0 = scope->index_value;
        return true;
    }
    if (parameter >= 0) return parse_parameter(p, parameter, out);
    if (variable >= 0) return parse_variable(p, variable, out);
    if (ss_unit_find(name.text, name.length, &unit)) {
        p->builder.has_unit = true;
        out->c0 = unit.numerator / unit.denominator;
        out->dimension = unit.dimension;
        return true;
    }
    if (ss_find_function(&name) >= 0)
        return ss_builder_fail(&p->builder, name.column, "%.*s needs its argument in parentheses",
                               (int)name.length, name.text);
    if (memchr(name.text, '.', name.length) && p->builder.variable_count == 0)
        return ss_builder_fail(&p->builder, name.column,
                               "'%.*s' cannot be used here: this number does not follow the motion",
                               name.length < SS_SHOWN_NAME ? (int)name.length : SS_SHOWN_NAME, name.text);
    return ss_unknown_name(&p->builder, at_sign(p, '(') ? "function" : "name", &name);
}

static bool wrong_number(parser* p, int index, int found, int column)
{
    static const char* const words[] = {"no argument", "one argument", "two arguments", "three arguments"};
    if (found > SS_MANY_ARGUMENTS)
        return ss_builder_fail(&p->builder, column, "%s takes at most %d arguments, not %d",
                               ss_functions[index].name, SS_MANY_ARGUMENTS, found);
    return ss_builder_fail(&p->builder, column, "%s takes %s%s, not %d%s", ss_functions[index].name,
                           words[ss_functions[index].least],
                           ss_functions[index].most == SS_MANY_ARGUMENTS ? " or more" : "", found,
                           ss_functions[index].least == 3 ? ": the number, its low and its high bound" : "");
}

// All arguments but the first, each joined to what stands to the left of it.
static bool parse_more_arguments(parser* p, int index, ss_operand* out, int column)
{
    ss_op op = ss_functions[index].op;
    int found = 1;
    double low = -INFINITY;
    for (; at_sign(p, ','); ++found) {
        ss_operand next;
        if (!advance(p) || !parse_sum(p, &next)) return false;
        if (found >= ss_functions[index].most) continue; // told below, once all are counted
        ss_op join = op != SS_OP_SELECT ? op : found == 1 ? SS_OP_MAX : SS_OP_MIN;
        if (op == SS_OP_SELECT && ss_operand_is_constant(&next)) {
            if (found == 2 && next.c0 < low)
                return ss_builder_fail(&p->builder, next.column,
                                       "the high bound of clip is below the low one");
            low = next.c0;
        }
        if (!ss_builder_binary(&p->builder, join, out, &next, next.column)) return false;
    }
    if (found < ss_functions[index].least || found > ss_functions[index].most)
        return wrong_number(p, index, found, column);
    return true;
}

// name ( sum { , sum } ), the name being the present token.
static bool parse_function(parser* p, int index, ss_operand* out)
{
    ss_op op = ss_functions[index].op;
    const char* name = ss_functions[index].name;
    int column = p->token.column;
    bool had_unit = p->builder.has_unit;
    int mismatch = p->builder.mismatch_column;
    if (!enter(p) || !advance(p) || !advance(p) || !parse_sum(p, out)) return false;
    bool plain = ss_dimension_equal(out->dimension, (ss_dimension){0});
    bool alone = ss_functions[index].most == 1;
    if (!at_sign(p, ',') && !at_sign(p, ')')) return unexpected(p, alone ? "')'" : "',' or ')'");
    if (!parse_more_arguments(p, index, out, column)) return false;
    if (alone && !ss_builder_function(&p->builder, op, name, out, column)) return false;
    // Units that are right within the argument of a function of plain numbers say nothing about the rest: in
    // 20*sin(2*pi*0.2 Hz*t) the 20 is as bare as a 20 alone. Those of sign, step and atan2 go nowhere.
    bool keeps_dimension = op == SS_OP_ABS || op == SS_OP_SQRT || (!alone && op != SS_OP_ATAN2);
    bool forgets = op == SS_OP_SIGN || op == SS_OP_STEP || op == SS_OP_ATAN2;
    if (!keeps_dimension && (plain || forgets) && p->builder.mismatch_column == mismatch)
        p->builder.has_unit = had_unit;
    out->column = column;
    --p->depth;
    return expect_sign(p, ')', "')'");
}

// Looks past blanks for the parenthesis that makes a name a function.
static bool parenthesis_follows(const parser* p)
{
    const char* text = p->lexer.text + p->lexer.at;
    return text[strspn(text, " \t\r\n")] == '(';
}

static bool parse_primary(parser* p, ss_operand* out)
{
    if (p->token.kind == SS_TOKEN_NUMBER) return parse_number(p, out);
    if (p->token.kind == SS_TOKEN_NAME) {
        int function = ss_find_function(&p->token);
        return function >= 0 && parenthesis_follows(p) ? parse_function(p, function, out)
                                                       : parse_name(p, out);
    }
    int column = p->token.column;
    if (!at_sign(p, '(')) return unexpected(p, "a number");
    if (!enter(p) || !advance(p) || !parse_sum(p, out) || !expect_sign(p, ')', "')'")) return false;
    out->column = column;
    --p->depth;
    return true;
}

// ---- operators ----

static bool parse_power(parser* p, ss_operand* out)
{
    if (!parse_primary(p, out)) return false;
    if (!at_sign(p, '^')) return true;
    int column = p->token.column;
    ss_operand exponent;
    if (!advance(p) || !parse_factor(p, &exponent)) return false;
    return ss_builder_power(&p->builder, out, &exponent, column);
}

static bool parse_factor(parser* p, ss_operand* out)
{
    int column = p->token.column;
    bool negative = false;
    if (!enter(p)) return false;
    while (at_sign(p, '+') || at_sign(p, '-')) {
        negative = negative != at_sign(p, '-');
        if (!advance(p)) return false;
    }
    if (!parse_power(p, out)) return false;
    --p->depth;
    out->column = column;
    return !negative || ss_builder_negate(&p->builder, out);
}

// After x / 0.1 m, the present token being what follows: / s says that (0.1 m/s) was meant. It is kept for
// the error, should there be one.
static void keep_hint(parser* p, const ss_token* number)
{
    parser ahead = *p;
    ss_unit unit;
    const char* end = NULL;
    while (at_sign(&ahead, '*') || at_sign(&ahead, '/')) {
        if (!advance(&ahead) || ahead.token.kind != SS_TOKEN_NAME || ss_is_name(&p->builder, &ahead.token) ||
            !ss_unit_find(ahead.token.text, ahead.token.length, &unit))
            break;
        end = ahead.token.text + ahead.token.length;
        if (!advance(&ahead)) break;
        if (at_sign(&ahead, '^') && advance(&ahead) && ahead.token.kind == SS_TOKEN_NUMBER) {
            end = ahead.token.text + ahead.token.length;
            if (!advance(&ahead)) break;
        }
    }
    if (end && (size_t)(end - number->text) < sizeof p->builder.hint && p->builder.hint[0] == '\0')
        snprintf(p->builder.hint, sizeof p->builder.hint, "%.*s", (int)(end - number->text), number->text);
}

static bool parse_product(parser* p, ss_operand* out)
{
    if (!parse_factor(p, out)) return false;
    while (at_sign(p, '*') || at_sign(p, '/')) {
        ss_op op = at_sign(p, '*') ? SS_OP_MUL : SS_OP_DIV;
        int column = p->token.column;
        ss_operand right;
        if (!advance(p)) return false;
        ss_token number = p->token;
        if (!parse_factor(p, &right)) return false;
        bool has_unit = !ss_dimension_equal(right.dimension, (ss_dimension){0});
        if (op == SS_OP_DIV && number.kind == SS_TOKEN_NUMBER && has_unit) keep_hint(p, &number);
        if (!ss_builder_binary(&p->builder, op, out, &right, column)) return false;
    }
    return true;
}

static bool parse_sum(parser* p, ss_operand* out)
{
    if (!parse_product(p, out)) return false;
    while (at_sign(p, '+') || at_sign(p, '-')) {
        ss_op op = at_sign(p, '+') ? SS_OP_ADD : SS_OP_SUB;
        int column = p->token.column;
        ss_operand right;
        if (!advance(p) || !parse_product(p, &right)) return false;
        if (!ss_builder_binary(&p->builder, op, out, &right, column)) return false;
    }
    return true;
}

// ---- the whole ----

static bool parse_all(parser* p, const ss_dimension* expected, ss_operand* result)
{
    if (!advance(p)) return false;
    if (p->token.kind == SS_TOKEN_END)
        return ss_builder_fail(&p->builder, 1, "expected a number, but there is no text");
    if (!parse_sum(p, result)) return false;
    if (p->token.kind != SS_TOKEN_END) return unexpected(p, "an operator");
    return ss_builder_check(&p->builder, result, expected);
}

static bool finish(parser* p, const ss_operand* result, ss_expression* out)
{
    ss_operand last = *result;
    out->varies = !ss_operand_is_constant(result);
    if (out->varies && !ss_builder_materialise(&p->builder, &last)) return false;
    out->value = out->varies ? 0 : result->c0;
    out->has_unit = p->builder.has_unit;
    if (out->has_unit || p->builder.variable_count > 0) out->dimension = result->dimension;
    out->open = result->open;
    out->waits = p->builder.waits;
    if (!out->varies) return true;
    p->builder.tape.result = last.in_register;
    for (int i = 0; i < p->builder.tape.count; ++i)
        if (ss_op_is_jump(p->builder.tape.code[i].op)) p->builder.tape.jumps++;
    out->tape = p->builder.tape;
    p->builder.tape.code = NULL; // now the expression's
    return true;
}

static ss_status parse_whole(parser* p, const char* text, const ss_scope* scope, const ss_dimension* expected,
                             ss_expression* out, ss_error* err)
{
    static const ss_scope nothing = {0};
    *out = (ss_expression){0};
    p->builder.scope = scope ? scope : &nothing;
    p->builder.shadow = p->builder.waits = -1;
    p->builder.err = err;
    p->lexer.text = text ? text : "";
    p->lexer.digits = ss_new(strlen(p->lexer.text) + 32, 1);
    if (!p->lexer.digits) return ss_fail_no_memory(err);
    ss_operand result;
    bool good = parse_all(p, expected, &result) && finish(p, &result, out);
    free(p->builder.tape.code);
    free(p->lexer.digits);
    return good ? SS_OK : p->builder.status;
}

ss_status ss_expression_parse_motion(const char* text, const ss_scope* scope, ss_variables variables,
                                     const ss_dimension* expected, ss_expression* out, ss_error* err)
{
    parser p = {.builder = {.variables = variables.list,
                            .variable_count = variables.count,
                            .words = variables.words}};
    return parse_whole(&p, text, scope, expected, out, err);
}

ss_status ss_expression_parse_of(const char* text, const ss_scope* scope, const char* argument,
                                 ss_dimension argument_dimension, const ss_dimension* expected,
                                 ss_expression* out, ss_error* err)
{
    parser p = {.builder = {.argument = argument, .argument_dimension = argument_dimension}};
    return parse_whole(&p, text, scope, expected, out, err);
}

ss_status ss_expression_parse(const char* text, const ss_scope* scope, const ss_dimension* expected,
                              ss_expression* out, ss_error* err)
{
    return ss_expression_parse_motion(text, scope, (ss_variables){0}, expected, out, err);
}

bool ss_expression_moves(const ss_expression* expression)
{
    for (int i = 0; i < expression->tape.count && expression->varies; ++i)
        if (expression->tape.code[i].op == SS_OP_VARIABLE) return true;
    return false;
}
