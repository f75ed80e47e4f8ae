// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Tokens of an expression. Numbers are decimal only: no hexadecimal, no inf, no nan, whatever strtod may
// take.
#include "core/expression/expression_token.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The written exponent ("e-3") at text, limited to what can matter; *length is what it takes, 0 if there is
// none.
static long read_exponent(const char* text, size_t* length)
{
    size_t n = 1;
    *length = 0;
    if (text[0] != 'e' && text[0] != 'E') return 0;
    bool negative = text[1] == '-';
    if (text[1] == '+' || text[1] == '-') ++n;
    if (!is_digit(text[n])) return 0; // "2 e" and "2em" are a number and a name
    long exponent = 0;
    for (; is_digit(text[n]); ++n)
        if (exponent < LONG_MAX / 100) exponent = 10 * exponent + (text[n] - '0');
    *length = n;
    return negative ? -exponent : exponent;
}

// 12.34e5 is handed to strtod as 1234e3: without a point, it is read alike in every locale.
static bool read_number(ss_lexer* lexer, ss_builder* builder, ss_token* token)
{
    const char* text = lexer->text + lexer->at;
    size_t n = 0, digits = 0;
    long decimals = 0;
    for (bool point = false; is_digit(text[n]) || (text[n] == '.' && !point); ++n) {
        if (text[n] == '.') {
            point = true;
            continue;
        }
        lexer->digits[digits++] = text[n];
        decimals += point;
    }
    size_t exponent_length;
    long exponent = read_exponent(text + n, &exponent_length);
    snprintf(lexer->digits + digits, 32, "e%ld", exponent - decimals);
    token->kind = SS_TOKEN_NUMBER;
    token->length = n + exponent_length;
    token->number = strtod(lexer->digits, NULL);
    if (digits == 0) return ss_builder_fail(builder, token->column, "a point without digits");
    if (!isfinite(token->number)) return ss_builder_fail(builder, token->column, "this number is too large");
    return true;
}

// Signs of other alphabets that people write or paste.
static const struct {
    const char *written, *meant;
} habits[] = {{"\u00B5", "u for micro, mu for the letter"},
              {"\u03BC", "u for micro, mu for the letter"},
              {"\u00B0", "deg for degrees"},
              {"\u00B2", "^2"},
              {"\u00B3", "^3"},
              {"\u00B7", "* for a product"},
              {"\u00D7", "* for a product"},
              {"\u2212", "- for minus"},
              {"\u03C0", "pi"},
              {"=", "the value alone: this is a number, not an equation"},
              {"<", "step(a - b), min, max or clip: there are no comparisons"},
              {">", "step(a - b), min, max or clip: there are no comparisons"},
              {"%", "a share as a number, 0.3 for 30 %"},
              {"[", "( and ) for grouping"},
              {"{", "( and ) for grouping"},
              {"|", "abs(x) for a magnitude"},
              {":", "one number here, not a range or a time of day"}};

static bool refuse(ss_builder* builder, const char* text, int column)
{
    unsigned char c = (unsigned char)text[0];
    for (size_t k = 0; k < sizeof habits / sizeof habits[0]; ++k)
        if (strncmp(text, habits[k].written, strlen(habits[k].written)) == 0)
            return ss_builder_fail(builder, column, "write %s", habits[k].meant);
    if (c > ' ' && c < 127) return ss_builder_fail(builder, column, "unexpected character '%c'", c);
    return ss_builder_fail(builder, column, "unexpected byte 0x%02X", c);
}

bool ss_lexer_next(ss_lexer* lexer, ss_builder* builder, ss_token* token)
{
    const char* text = lexer->text;
    while (text[lexer->at] && strchr(" \t\r\n", text[lexer->at])) ++lexer->at;
    char c = text[lexer->at];
    int column = lexer->at < INT_MAX ? (int)lexer->at + 1 : INT_MAX;
    *token = (ss_token){.text = text + lexer->at, .column = column};
    if (c == '\0') {
        token->kind = SS_TOKEN_END;
    } else if (is_digit(c) || c == '.') {
        if (!read_number(lexer, builder, token)) return false;
    } else if (is_letter(c)) {
        token->kind = SS_TOKEN_NAME;
        while (is_letter(token->text[token->length]) || is_digit(token->text[token->length])) ++token->length;
        const char* rest = token->text + token->length; // stage.x is one name
        if (rest[0] == '.' && is_letter(rest[1])) {
            token->length += 2;
            while (is_letter(token->text[token->length]) || is_digit(token->text[token->length]))
                ++token->length;
        }
    } else if (strchr("+-*/^(),", c)) {
        token->kind = SS_TOKEN_SIGN;
        token->sign = c;
        token->length = 1;
    } else {
        return refuse(builder, token->text, column);
    }
    lexer->at += token->length;
    return true;
}
