// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The names that an expression may use.
#ifndef SLIPSTICK_CORE_EXPRESSION_NAME_H
#define SLIPSTICK_CORE_EXPRESSION_NAME_H

#include "core/expression/expression_token.h"

enum {
    SS_FUNCTION_COUNT = 28,
    SS_MANY_ARGUMENTS = 1000,
    SS_SHOWN_NAME = 40, ///< of a name quoted in an error
};

typedef struct ss_function {
    const char* name;
    ss_op op;
    int least, most; ///< arguments
} ss_function;

extern const ss_function ss_functions[SS_FUNCTION_COUNT];

bool ss_token_is(const ss_token* token, const char* name);
/// Indices, -1 where there is none.
int ss_find_parameter(const ss_scope* scope, const ss_token* name);
int ss_find_function(const ss_token* name);
int ss_find_variable(const ss_builder* builder, const ss_token* name);
/// Whether it is anything but a unit.
bool ss_is_name(const ss_builder* builder, const ss_token* name);
/// Errors for a name ("function", "name") or unit that is not known, with what was probably meant. They
/// return false.
bool ss_unknown_name(ss_builder* builder, const char* what, const ss_token* name);
bool ss_unknown_unit(ss_builder* builder, const ss_token* name);

#endif
