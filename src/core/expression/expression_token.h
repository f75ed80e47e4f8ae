// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Cuts the text of an expression into numbers, names and signs.
#ifndef SLIPSTICK_CORE_EXPRESSION_TOKEN_H
#define SLIPSTICK_CORE_EXPRESSION_TOKEN_H

#include "core/expression/expression_build.h"

typedef enum ss_token_kind { SS_TOKEN_END, SS_TOKEN_NUMBER, SS_TOKEN_NAME, SS_TOKEN_SIGN } ss_token_kind;

typedef struct ss_token {
    ss_token_kind kind;
    char sign;        ///< one of + - * / ^ ( ) ,
    double number;    ///< finite
    const char* text; ///< borrowed, not terminated
    size_t length;
    int column; ///< from 1
} ss_token;

typedef struct ss_lexer {
    const char* text;
    size_t at;
    char* digits; ///< room for any number of the text: strlen(text) + 32 bytes
} ss_lexer;

/// Reads the next token; errors go to the builder.
bool ss_lexer_next(ss_lexer* lexer, ss_builder* builder, ss_token* token);

#endif
