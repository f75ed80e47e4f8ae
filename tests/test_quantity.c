// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers with units: what a person writes in a model file, the number it means in SI, and what is said where
// it means nothing. The rows can be checked by hand; the texts of errors are part of the product.
#include "slipstick/signal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static const ss_parameter parameters[] = {
    {"mu", 0.1, {0, 0, 0, 0}, false},      {"g", 10, {1, 0, -2, 0}, true},
    {"k1", 3, {0, 1, -2, 0}, true},        {"m", 2, {0, 1, 0, 0}, true},
    {"ratio", 5, {0, 0, 0, 0}, true},      {"nothing", 0, {0, 0, 0, 0}, false},
    {"stiffness", 4, {0, 0, 0, 0}, false}, {"mm", 7, {0, 0, 0, 0}, false}};
static const ss_scope with_parameters = {parameters, 8, false, false, 0, false};
static const ss_scope bare = {0};
static const ss_scope element = {NULL, 0, false, true, 7, false};

// value is exact: what the nearest double of the number meant is, or what libm gives for the function.
static void means(const ss_scope* scope, const char* text, double value, const char* unit)
{
    double found = NAN;
    ss_dimension dimension;
    bool has_unit = false;
    char written[64];
    ss_error err;
    if (ss_quantity_parse_any(text, scope, &found, &dimension, &has_unit, &err) != SS_OK)
        fail_msg("'%s': %s", text, err.text);
    ss_dimension_format(dimension, written, sizeof written);
    if (!(fabs(found - value) <= 2.3e-16 * fabs(value)))
        fail_msg("'%s' is %.17g, not %.17g", text, found, value);
    const char* expected = unit ? unit : "1";
    if (strcmp(written, expected) != 0) fail_msg("'%s' is in %s, not in %s", text, written, expected);
    if (has_unit != (unit != NULL)) fail_msg("'%s': has_unit is %d", text, has_unit);
}

static void numbers(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double value;
    } rows[] = {
        {"1", 1},
        {"  42\t", 42},
        {"1.5", 1.5},
        {".5", 0.5},
        {"2.", 2},
        {"1e3", 1000},
        {"1E+3", 1000},
        {"12.5e-3", 0.0125},
        {"0.1", 0.1},
        {"123456789.123456789", 123456789.123456789},
        {"0.000000000000000000000000000001e30", 1},
        {"1e-400", 0},
        {"4.9e-324", 4.9e-324},
        {"7.373657906574696e-5", 7.373657906574696e-5},
        {"1+2*3", 7},
        {"(1+2)*3", 9},
        {"2-3-4", -5},
        {"24/4/2", 3},
        {"2^3", 8},
        {"2^3^2", 512},
        {"-2^2", -4},
        {"(-2)^2", 4},
        {"2^-1", 0.5},
        {"2*-3", -6},
        {"--3", 3},
        {"+-+3", -3},
        {"8^(1/3)", 2},
        {"2^0.5", 1.4142135623730951},
        {"pi", PI},
        {"2*pi", 2 * PI},
        {"sqrt(16)", 4},
        {"abs(-3)", 3},
        {"min(2, 1)", 1},
        {"max(2, 1)", 2},
        {"min(3, 1, 2)", 1},
        {"exp(0)", 1},
        {"log(1)", 0},
        {"sin(0)", 0},
        {"cos(0)", 1},
        {"tan(0)", 0},
        {"tanh(0)", 0},
        {"sin ( pi / 2 )", 1},
        {"(-8)^3", -512},
        {"0^0", 1},
        {"1.0e0\n", 1},
        {"0*5", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) means(&bare, rows[i].text, rows[i].value, NULL);
}

static const struct {
    const char* text;
    double value;
    const char* unit;
} unit_rows[] = {
    {"24 g", 0.024, "kg"},
    {"24g", 0.024, "kg"},
    {"5 kHz", 5000, "1/s"},
    {"8 um", 8e-6, "m"},
    {"12 mm", 0.012, "m"},
    {"3 cm", 0.03, "m"},
    {"7 nm", 7e-9, "m"},
    {"2 km", 2000, "m"},
    {"3 m^2", 3, "m^2"},
    {"3 mm^2", 3e-6, "m^2"},
    {"3 mm^-1", 3000, "1/m"},
    {"2 ms", 0.002, "s"},
    {"2 min", 120, "s"},
    {"1.5 h", 5400, "s"},
    {"90 deg", PI / 2, "1"},
    {"60 rpm", 2 * PI, "1/s"},
    {"3 rad", 3, "1"},
    {"5 mrad", 0.005, "1"},
    {"2 rad/s", 2, "1/s"},
    {"1 N", 1, "N"},
    {"2 kN", 2000, "N"},
    {"3 MPa", 3e6, "Pa"},
    {"1 GPa", 1e9, "Pa"},
    {"1 J", 1, "N*m"},
    {"1 N*m", 1, "N*m"},
    {"4 W", 4, "W"},
    {"5 mg", 5e-6, "kg"},
    {"2 Mg", 2000, "kg"},
    {"0.5 N*s/m", 0.5, "N*s/m"},
    {"1 kg/s", 1, "N*s/m"},
    {"0.02 kg*m^2", 0.02, "kg*m^2"},
    {"10 m/s^2", 10, "m/s^2"},
    {"1 N/m", 1, "N/m"},
    {"1e4 N/m^1.5", 1e4, "N/m^1.5"},
    {"1 N/m^3", 1, "N/m^3"},
    {"1 s/m", 1, "s/m"},
    {"1 m/N", 1, "m/N"},
    {"3 kg/m^3", 3, "kg/m^3"},
    {"sqrt(4 m^2)", 2, "m"},
    {"(2 m)^1.5", 2.8284271247461903, "m^1.5"},
    {"1 kg*m/s", 1, "N*s"},
    {"abs(-3 N)", 3, "N"},
    {"min(3 N, 1 kN)", 3, "N"},
    {"max(0, 2 N)", 2, "N"},
    {"0 + 2 N", 2, "N"},
    {"2 N - 0", 2, "N"},
    {"0 N", 0, "N"},
    {"0 + 0 N", 0, "N"},
    {"0 N + 0", 0, "N"},
    {"1 m + 1 mm", 1.001, "m"},
    {"sin(90 deg)", 1, NULL},
    {"2*pi*5 Hz", 10 * PI, "1/s"},
    {"exp(1 m/(1 m))", 2.7182818284590452, NULL},
    {"2^(4 N/(2 N))", 4, "1"},
    {"-3 mm", -0.003, "m"},
    {"1/(2 s)", 0.5, "1/s"},
    {"1/2 s", 0.5, "1/s"},
    {"N", 1, "N"},
    {"3 N*mm", 0.003, "N*m"},
    {"36 km/h", 10, "m/s"},
    {"1 N * 1 m / rad", 1, "N*m"},
    {"3 m^2 / (1 m)", 3, "m"},
    {"2 m^(1+1)", 2, "m^2"},
    {"6895 Pa", 6895, "Pa"},
    {"1 N*N", 1, "kg^2*m^2/s^4"},
};

static void units(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof unit_rows / sizeof unit_rows[0]; ++i)
        means(&bare, unit_rows[i].text, unit_rows[i].value, unit_rows[i].unit);
}

// After a number a name is a unit, anywhere else a parameter wins.
static void parameters_and_units(void** state)
{
    (void)state;
    means(&with_parameters, "mu", 0.1, NULL);
    means(&with_parameters, "mu * 1 kg * g", 1, "N");
    means(&with_parameters, "24 g", 0.024, "kg");
    means(&with_parameters, "2*g", 20, "m/s^2");
    means(&with_parameters, "3 m", 3, "m");
    means(&with_parameters, "m", 2, "kg");
    means(&with_parameters, "3 N/m", 1.5, "m/s^2");
    means(&with_parameters, "k1*2", 6, "N/m");
    means(&with_parameters, "ratio", 5, "1");
    means(&with_parameters, "12 mm", 0.012, "m");
    means(&with_parameters, "2*mm", 14, NULL);
    means(&with_parameters, "nothing + 2 N", 2, "N");
    means(&element, "2*i^2", 98, NULL);
}

#define ALL_UNITS                                                                                            \
    "; there are m s kg g N Pa Hz rad deg J W min h rpm A V ohm H F C T Wb, prefixes n u m c k M G"

// text, what is said, where; {1, 1, -2} is asked for.
static const struct {
    const char *text, *error;
    int column;
} errors[] = {
    {"", "expected a number, but there is no text", 1},
    {"  \t ", "expected a number, but there is no text", 1},
    {"3 Nm", "unknown unit 'Nm'; did you mean 'N*m'?", 3},
    {"3 kgm", "unknown unit 'kgm'; did you mean 'kg*m'?", 3},
    {"2 hz", "unknown unit 'hz'; did you mean 'Hz'?", 3},
    {"2 KHZ", "unknown unit 'KHZ'; did you mean 'kHz'?", 3},
    {"2 sec", "unknown unit 'sec'; did you mean 's'?", 3},
    {"2 furlong", "unknown unit 'furlong'" ALL_UNITS, 3},
    {"2 kmin", "unknown unit 'kmin'" ALL_UNITS, 3},
    {"2 mkg", "unknown unit 'mkg'; did you mean 'm*kg'?", 3},
    {"2 pi", "unknown unit 'pi'; did you mean '* pi'?", 3},
    {"2 mu", "unknown unit 'mu'; did you mean '* mu'?", 3},
    {"foo", "unknown name 'foo'; expected a number, a unit or a name of the model", 1},
    {"1 N + foo", "unknown name 'foo'; expected a number, a unit or a name of the model", 7},
    {"stifness * 1 m", "unknown name 'stifness'; did you mean 'stiffness'?", 1},
    {"foo(3)", "unknown function 'foo'", 1},
    {"sqr(3)", "unknown function 'sqr'; did you mean 'sqrt'?", 1},
    {"3 kg", "expected N, found kg", 1},
    {"  3 kg", "expected N, found kg", 3},
    {"-3 kg", "expected N, found kg", 1},
    {"ratio", "expected N, found a plain number", 1},
    {"1 m*sin(30 deg)", "expected N, found m", 1},
    {"k1 * 2 kg", "expected N, found kg^2/s^2", 1},
    {"1 N + 2 kg", "cannot add N and kg", 5},
    {"1 N - 2", "cannot subtract N and a plain number", 5},
    {"min(1 N, 2 kg)", "cannot compare N and kg", 10},
    {"sin(3 m) * 1 N", "sin needs a plain number, found m", 5},
    {"exp(2 s) * 1 N", "exp needs a plain number, found s", 5},
    {"1 N * 2^(1 s)", "an exponent must be a plain number, not s", 9},
    {"3 N/m", "expected N, found m/s^2; 'm' here is the parameter, not the metre", 1},
    {"3 N/mm*m^2", "expected N, found kg^3*m/s^2; 'mm' here is the parameter, not the millimetre", 1},
    {"1 N + 1 N/m", "cannot add N and m/s^2; 'm' here is the parameter, not the metre", 5},
    {"t", "t cannot be used here: this number is constant in time", 1},
    {"1 N * sin(2*t)", "t cannot be used here: this number is constant in time", 13},
    {"i", "unknown name 'i'; expected a number, a unit or a name of the model", 1},
    {"1/0", "division by zero", 2},
    {"1 N/(2-2)", "division by zero", 4},
    {"0^-1", "division by zero", 2},
    {"log(-1)", "log of a number that is not positive", 1},
    {"log(0)", "log of a number that is not positive", 1},
    {"2 + sqrt(-4)", "sqrt of a negative number", 5},
    {"(-8)^(1/3)", "a negative number cannot have a fractional exponent", 5},
    {"exp(1000)", "the result is not a finite number", 1},
    {"1e308 * 10", "the result is not a finite number", 7},
    {"1e308 kN", "the result is not a finite number", 1},
    {"1e400", "this number is too large", 1},
    {"(1 + 2", "expected ')', but the text ends here", 7},
    {"1 + 2)", "expected an operator, found ')'", 6},
    {"1 2", "expected an operator, found '2'; write * for a product", 3},
    {"12 1", "expected an operator, found '1'", 4},
    {"12 1/(N*s)", "expected a unit after 1/; leave out the 1, as in 12 /(N*s)", 4},
    {"3 m s", "expected an operator, found 's'; write * for a product", 5},
    {"2 (3)", "expected an operator, found '('; write * for a product", 3},
    {"1 +", "expected a number, but the text ends here", 4},
    {"* 2", "expected a number, found '*'", 1},
    {"1,5", "expected an operator, found ','; write a decimal point, not a comma", 2},
    {"min(1)", "min takes two arguments or more, not 1", 1},
    {"sin(1, 2)", "sin takes one argument, not 2", 1},
    {"sin 3", "sin needs its argument in parentheses", 1},
    {"sin()", "expected a number, found ')'", 5},
    {"0x10", "unknown unit 'x10'" ALL_UNITS, 2},
    {"inf", "unknown name 'inf'; expected a number, a unit or a name of the model", 1},
    {"nan", "unknown name 'nan'; did you mean 'tan'?", 1},
    {"1e", "unknown unit 'e'" ALL_UNITS, 2},
    {".", "a point without digits", 1},
    {"1..2", "expected an operator, found '.2'; write * for a product", 3},
    {"2 % 3", "write a share as a number, 0.3 for 30 %", 3},
    {"2 \xC2\xB5m", "write u for micro, mu for the letter", 3},
    {"20\xC2\xB0", "write deg for degrees", 3},
    {"3 m\xC2\xB2", "write ^2", 4},
    {"3 N/s2", "unknown name 's2'; did you mean 's^2'?", 5},
    {"3 cm3", "unknown unit 'cm3'; did you mean 'cm^3'?", 3},
    {"2 t", "unknown unit 't'; write 1000 kg for a tonne", 3},
    {"\xFF\xFE", "unexpected byte 0xFF", 1},
    {"1 \x01", "unexpected byte 0x01", 3},
};

static void faults(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; ++i) {
        ss_error err;
        double value = -7;
        ss_status status =
            ss_quantity_parse(errors[i].text, &with_parameters, (ss_dimension){1, 1, -2, 0}, &value, &err);
        if (status != SS_BAD_INPUT) fail_msg("'%s' is accepted", errors[i].text);
        if (strcmp(err.text, errors[i].error) != 0 || err.column != errors[i].column)
            fail_msg("'%s': said '%s' at %d", errors[i].text, err.text, err.column);
        assert_true(value == -7);
    }
}

// What fits where: a number without unit is SI, 0 fits anything.
static void expectations(void** state)
{
    (void)state;
    static const ss_dimension force = {1, 1, -2, 0}, none = {0}, odd = {-0.5, 1, -2, 0};
    static const struct {
        const char* text;
        const ss_dimension* expected;
        double value;
    } rows[] = {{"3", &force, 3},          {"mu*2", &force, 0.2}, {"0", &force, 0},
                {"0 kg", &force, 0},       {"2 N", &force, 2},    {"1 kg*g", &force, 10},
                {"90 deg", &none, PI / 2}, {"3", &none, 3},       {"2 N/(1 N)", &none, 2}};
    double value;
    ss_error err;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (ss_quantity_parse(rows[i].text, &with_parameters, *rows[i].expected, &value, &err) != SS_OK)
            fail_msg("'%s': %s", rows[i].text, err.text);
        if (fabs(value - rows[i].value) > 1e-15) fail_msg("'%s' is %.17g", rows[i].text, value);
    }
    assert_int_equal(ss_quantity_parse("5e4 N/m^1.5", NULL, odd, &value, &err), SS_OK);
    assert_true(value == 5e4);
    assert_int_equal(ss_quantity_parse("5e4 N/m", NULL, odd, &value, &err), SS_BAD_INPUT);
    assert_string_equal(err.text, "expected N/m^1.5, found N/m");
    assert_int_equal(ss_quantity_parse("3 m", NULL, none, &value, &err), SS_BAD_INPUT);
    assert_string_equal(err.text, "expected a plain number, found m");
}

static void dimensions_as_text(void** state)
{
    (void)state;
    char text[32], tiny[4];
    assert_string_equal(ss_dimension_format((ss_dimension){0}, text, sizeof text), "1");
    assert_string_equal(ss_dimension_format((ss_dimension){1, 1, -2, 0}, text, sizeof text), "N");
    assert_string_equal(ss_dimension_format((ss_dimension){0, 1, -1, 0}, text, sizeof text), "N*s/m");
    assert_string_equal(ss_dimension_format((ss_dimension){2, 1, -1, 0}, text, sizeof text), "N*m*s");
    assert_string_equal(ss_dimension_format((ss_dimension){0, 0, -2, 0}, text, sizeof text), "1/s^2");
    assert_string_equal(ss_dimension_format((ss_dimension){-0.5, 1, -2, 0}, text, sizeof text), "N/m^1.5");
    assert_string_equal(ss_dimension_format((ss_dimension){0, 1, -1, 0}, tiny, sizeof tiny),
                        "N*s"); // cut, not beyond
}

// Texts that a generator or an attacker would write: long, deep, and each an answer or an error.
static void repeat(char* out, size_t count, const char* piece)
{
    size_t n = strlen(piece);
    for (size_t i = 0; i < count; ++i) memcpy(out + i * n, piece, n);
    out[count * n] = '\0';
}

static void long_and_deep(void** state)
{
    (void)state;
    enum { MANY = 1000000 };
    char* text = malloc(4 * MANY + 16);
    double value;
    ss_error err;
    assert_non_null(text);
    static const char* const deep[] = {"(", "sin(", "2^", "-(", "1+(", "1^-"};
    for (size_t i = 0; i < sizeof deep / sizeof deep[0]; ++i) {
        repeat(text, MANY, deep[i]);
        assert_int_equal(ss_quantity_parse(text, NULL, (ss_dimension){0}, &value, &err), SS_BAD_INPUT);
        assert_string_equal(err.text, "this is nested too deeply");
    }
    repeat(text, MANY, "1+");
    strcat(text, "1");
    assert_int_equal(ss_quantity_parse(text, NULL, (ss_dimension){0}, &value, &err), SS_OK);
    assert_true(value == MANY + 1);
    repeat(text, MANY, "-");
    strcat(text, "1");
    assert_int_equal(ss_quantity_parse(text, NULL, (ss_dimension){0}, &value, &err), SS_OK);
    assert_true(value == 1);
    repeat(text, MANY, "1");
    strcat(text, "e-1000000");
    assert_int_equal(ss_quantity_parse(text, NULL, (ss_dimension){0}, &value, &err), SS_OK);
    assert_true(fabs(value - 1. / 9) < 1e-16);
    repeat(text, MANY, "x");
    assert_int_equal(ss_quantity_parse(text, NULL, (ss_dimension){0}, &value, &err), SS_BAD_INPUT);
    assert_int_equal(ss_quantity_parse(text, NULL, (ss_dimension){0}, &value, NULL), SS_BAD_INPUT);
    repeat(text, 40, "(");
    strcat(text, "2");
    repeat(text + strlen(text), 40, ")");
    assert_int_equal(ss_quantity_parse(text, NULL, (ss_dimension){0}, &value, &err), SS_OK);
    assert_true(value == 2);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(units),
        cmocka_unit_test(parameters_and_units),
        cmocka_unit_test(faults),
        cmocka_unit_test(expectations),
        cmocka_unit_test(dimensions_as_text),
        cmocka_unit_test(long_and_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
