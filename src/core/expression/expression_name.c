// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Names in expressions: functions, parameters, variables; and what is said of those that are none.
#include "core/expression/expression_name.h"

#include "core/suggest.h"

#include <string.h>

const ss_function ss_functions[SS_FUNCTION_COUNT] = {{"sqrt", SS_OP_SQRT, 1, 1},
                                                     {"abs", SS_OP_ABS, 1, 1},
                                                     {"min", SS_OP_MIN, 2, SS_MANY_ARGUMENTS},
                                                     {"max", SS_OP_MAX, 2, SS_MANY_ARGUMENTS},
                                                     {"exp", SS_OP_EXP, 1, 1},
                                                     {"log", SS_OP_LOG, 1, 1},
                                                     {"sin", SS_OP_SIN, 1, 1},
                                                     {"cos", SS_OP_COS, 1, 1},
                                                     {"tan", SS_OP_TAN, 1, 1},
                                                     {"tanh", SS_OP_TANH, 1, 1},
                                                     {"asin", SS_OP_ASIN, 1, 1},
                                                     {"acos", SS_OP_ACOS, 1, 1},
                                                     {"atan", SS_OP_ATAN, 1, 1},
                                                     {"atan2", SS_OP_ATAN2, 2, 2},
                                                     {"sinh", SS_OP_SINH, 1, 1},
                                                     {"cosh", SS_OP_COSH, 1, 1},
                                                     {"asinh", SS_OP_ASINH, 1, 1},
                                                     {"acosh", SS_OP_ACOSH, 1, 1},
                                                     {"atanh", SS_OP_ATANH, 1, 1},
                                                     {"log1p", SS_OP_LOG1P, 1, 1},
                                                     {"expm1", SS_OP_EXPM1, 1, 1},
                                                     {"hypot", SS_OP_HYPOT, 2, 2},
                                                     {"sign", SS_OP_SIGN, 1, 1},
                                                     {"floor", SS_OP_FLOOR, 1, 1},
                                                     {"ceil", SS_OP_CEIL, 1, 1},
                                                     {"round", SS_OP_ROUND, 1, 1},
                                                     {"step", SS_OP_STEP, 1, 1},
                                                     {"clip", SS_OP_SELECT, 3, 3}}; // clip is a min of a max

bool ss_token_is(const ss_token* token, const char* name)
{
    return strlen(name) == token->length && memcmp(name, token->text, token->length) == 0;
}

int ss_find_parameter(const ss_scope* scope, const ss_token* name)
{
    for (int i = 0; i < scope->parameter_count; ++i)
        if (ss_token_is(name, scope->parameters[i].name)) return i;
    return -1;
}

int ss_find_function(const ss_token* name)
{
    for (int i = 0; i < SS_FUNCTION_COUNT; ++i)
        if (ss_token_is(name, ss_functions[i].name)) return i;
    return -1;
}

bool ss_function_exists(const char* name)
{
    return ss_find_function(&(ss_token){.text = name, .length = strlen(name)}) >= 0;
}

int ss_find_variable(const ss_builder* builder, const ss_token* name)
{
    if (builder->words) return ss_words_find(builder->words, name->text, name->length);
    for (int i = 0; i < builder->variable_count; ++i)
        if (ss_token_is(name, builder->variables[i].name)) return i;
    return -1;
}

bool ss_is_name(const ss_builder* builder, const ss_token* name)
{
    return ss_token_is(name, "t") || ss_token_is(name, "i") || ss_token_is(name, "pi") ||
           ss_find_function(name) >= 0 || ss_find_parameter(builder->scope, name) >= 0 ||
           ss_find_variable(builder, name) >= 0;
}

static const char* closest_name(const ss_builder* builder, const ss_token* name)
{
    char word[SS_SHOWN_NAME + 1] = "";
    const ss_scope* scope = builder->scope;
    if (name->length > SS_SHOWN_NAME || name->length < 2) return NULL;
    memcpy(word, name->text, name->length);
    const char* best = NULL;
    int least = ss_edit_tolerance(word) + 1, parameters = scope->parameter_count,
        known = parameters + builder->variable_count;
    for (int i = 0; i < known + SS_FUNCTION_COUNT; ++i) {
        const char* candidate = i < parameters ? scope->parameters[i].name
                                : i < known    ? builder->variables[i - parameters].name
                                               : ss_functions[i - known].name;
        int distance = ss_edit_distance(word, candidate, least);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

// The variable that was meant where its name is no word and so was read as several: "my-stage.x".
static const char* broken_name(const ss_builder* builder, const ss_token* name)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
    for (int i = 0; i < builder->variable_count; ++i) {
        const char* candidate = builder->variables[i].name;
        bool broken = candidate[strspn(candidate, word)] != '\0';
        if (broken && strncmp(name->text, candidate, strlen(candidate)) == 0) return candidate;
    }
    return NULL;
}

// Whether the word is a body: then its place and its speed are variables.
static bool is_body(const ss_builder* builder, const ss_token* name)
{
    for (int i = 0; i < builder->variable_count; ++i) {
        const char* candidate = builder->variables[i].name;
        if (strncmp(candidate, name->text, name->length) == 0 && strcmp(candidate + name->length, ".x") == 0)
            return true;
    }
    return false;
}

// What people call functions and names elsewhere.
static const struct {
    const char *written, *meant;
} habits[] = {{"ln", "log"},
              {"log10", "log(x)/log(10)"},
              {"log2", "log(x)/log(2)"},
              {"sgn", "sign"},
              {"signum", "sign"},
              {"pow", "x^y"},
              {"power", "x^y"},
              {"fabs", "abs"},
              {"arcsin", "asin"},
              {"arccos", "acos"},
              {"arctan", "atan"},
              {"arctan2", "atan2"},
              {"arcsinh", "asinh"},
              {"arccosh", "acosh"},
              {"arctanh", "atanh"},
              {"arsinh", "asinh"},
              {"arcosh", "acosh"},
              {"artanh", "atanh"},
              {"heaviside", "step"},
              {"H", "step"},
              {"u", "step"},
              {"saturate", "clip"},
              {"sat", "clip"},
              {"square", "x^2"},
              {"cbrt", "x^(1/3)"},
              {"time", "t"},
              {"Pi", "pi"},
              {"PI", "pi"},
              {"int", "floor"}};

// The same for a name or function as written in Python: np.sin, math.pi.
static const char* habit(const ss_token* name)
{
    ss_token bare = *name;
    const char* point = memchr(name->text, '.', name->length);
    if (point) {
        bare.text = point + 1;
        bare.length = name->length - (size_t)(bare.text - name->text);
        int function = ss_find_function(&bare);
        if (function >= 0) return ss_functions[function].name;
        if (ss_token_is(&bare, "pi")) return "pi";
    }
    for (size_t k = 0; k < sizeof habits / sizeof *habits; ++k)
        if (ss_token_is(&bare, habits[k].written)) return habits[k].meant;
    return NULL;
}

bool ss_unknown_name(ss_builder* builder, const char* what, const ss_token* name)
{
    int length = (int)name->length;
    if (name->length <= SS_SHOWN_NAME && is_body(builder, name))
        return ss_builder_fail(builder, name->column, "'%.*s' is a body; write %.*s.x or %.*s.v", length,
                               name->text, length, name->text, length, name->text);
    const char* broken = broken_name(builder, name);
    if (broken)
        return ss_builder_fail(builder, name->column,
                               "'%.60s' cannot be used in expressions: the name of the body must be letters, "
                               "digits and _",
                               broken);
    char meant[120];
    int shown = name->length < SS_SHOWN_NAME ? (int)name->length : SS_SHOWN_NAME;
    const char* close = strcmp(what, "unit") != 0 ? habit(name) : NULL;
    if (close)
        return ss_builder_fail(builder, name->column, "unknown %s '%.*s'; write %s", what, shown, name->text,
                               close);
    bool letter = name->length == 1 && strcmp(what, "name") == 0; // M is seldom a metre
    if (!letter && ss_unit_suggest(name->text, name->length, meant, sizeof meant)) close = meant;
    if (!close && strcmp(what, "unit") != 0) close = closest_name(builder, name);
    if (!close && strcmp(what, "unit") == 0)
        return ss_builder_fail(builder, name->column, "unknown unit '%.*s'; there are %s", shown, name->text,
                               ss_unit_list(meant, sizeof meant));
    bool names = builder->scope->parameter_count + builder->variable_count > 0;
    const char* expected = strcmp(what, "name") != 0 ? ""
                           : names                   ? "; expected a number, a unit or a name of the model"
                                                     : "; expected a number with its unit";
    if (!close)
        return ss_builder_fail(builder, name->column, "unknown %s '%.*s'%s", what, shown, name->text,
                               expected);
    return ss_builder_fail(builder, name->column, "unknown %s '%.*s'; did you mean '%s'?", what, shown,
                           name->text, close);
}

bool ss_unknown_unit(ss_builder* builder, const ss_token* name)
{
    ss_unit unit;
    if (ss_token_is(name, "t"))
        return ss_builder_fail(builder, name->column, "unknown unit 't'; write %s1000 kg for a tonne",
                               builder->scope->allow_time ? "'* t' for the time, " : "");
    if (ss_is_name(builder, name) && !ss_unit_suggest(name->text, name->length, (char[40]){0}, 40) &&
        !ss_unit_find(name->text, name->length, &unit))
        return ss_builder_fail(builder, name->column, "unknown unit '%.*s'; did you mean '* %.*s'?",
                               (int)name->length, name->text, (int)name->length, name->text);
    return ss_unknown_name(builder, "unit", name);
}
