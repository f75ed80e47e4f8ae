// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// asinh, acosh, atanh, log1p and expm1: values against libm, series against those of the same functions
// written by log, sqrt and exp, small arguments to the last digit, and the ends of their domains.
#include "signal_rig.h"

typedef double function(double);

static const struct {
    const char* name;
    function* of;
    double low, high; // where it is asked
} functions[] = {{"asinh", asinh, -1e3, 1e3},
                 {"acosh", acosh, 1, 1e3},
                 {"atanh", atanh, -0.999, 0.999},
                 {"log1p", log1p, -0.999, 1e3},
                 {"expm1", expm1, -30, 30}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static double constant(const char* name, double argument)
{
    char text[64];
    double value = NAN;
    ss_error err;
    snprintf(text, sizeof text, "%s(%.17g)", name, argument);
    if (ss_quantity_parse(text, &(ss_scope){0}, (ss_dimension){0}, &value, &err) != SS_OK)
        fail_msg("'%s': %s", text, err.text);
    return value;
}

static void values_are_those_of_libm(void** state)
{
    (void)state;
    for (int i = 0; i < FUNCTIONS; ++i) {
        char text[32];
        snprintf(text, sizeof text, "%s(t)", functions[i].name);
        ss_signal* signal = parse(text);
        for (int k = 0; k <= 1000; ++k) {
            double at = functions[i].low + (functions[i].high - functions[i].low) * k / 1000.0;
            assert_true(constant(functions[i].name, at) == functions[i].of(at));
            assert_true(ss_signal_value(signal, at) == functions[i].of(at));
        }
        ss_signal_destroy(signal);
    }
}

// All but acosh are their argument where that is small: no digit is lost, in values and in series.
static void small_arguments(void** state)
{
    (void)state;
    for (int i = 0; i < FUNCTIONS; ++i) {
        char text[40];
        if (functions[i].of == acosh) continue;
        assert_true(constant(functions[i].name, 1e-20) == 1e-20);
        assert_true(constant(functions[i].name, -1e-300) == -1e-300);
        snprintf(text, sizeof text, "%s(1e-20*sin(t))", functions[i].name);
        ss_signal *signal = parse(text), *line = parse("1e-20*sin(t)");
        double found[LENGTH], expected[LENGTH], kinks[KINKS * LENGTH];
        for (double t = 0; t < 6; t += 0.5) {
            assert_true(series(signal, t, ORDER, found, kinks));
            assert_true(series(line, t, ORDER, expected, NULL));
            for (int k = 0; k <= ORDER; ++k)
                near(text, t, k, found[k], expected[k], 1e-15 * fabs(expected[k]) + 1e-39);
        }
        ss_signal_destroy(signal);
        ss_signal_destroy(line);
    }
}

static void series_of_equal_expressions(void** state)
{
    (void)state;
    static const char* const pairs[][2] = {
        {"asinh(0.7*sin(3*t) + 0.2*t)", "log(0.7*sin(3*t) + 0.2*t + sqrt((0.7*sin(3*t) + 0.2*t)^2 + 1))"},
        {"asinh(1e3*exp(t))", "log(1e3*exp(t) + sqrt(1e6*exp(2*t) + 1))"},
        {"acosh(2 + sin(t))", "log(2 + sin(t) + sqrt((1 + sin(t))*(3 + sin(t))))"},
        {"atanh(0.6*sin(t))", "0.5*log((1 + 0.6*sin(t))/(1 - 0.6*sin(t)))"},
        {"log1p(2*t + sin(t))", "log(1 + 2*t + sin(t))"},
        {"expm1(cos(t) - t)", "exp(cos(t) - t) - 1"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        ss_signal *one = parse(pairs[i][0]), *other = parse(pairs[i][1]);
        double a[LENGTH], b[LENGTH], kinks[KINKS * LENGTH];
        for (double t = 0.1; t < 4; t += 0.3) {
            assert_true(series(one, t, ORDER, a, kinks) && series(other, t, ORDER, b, kinks));
            double size = 0, rate = 1;
            for (int k = 1; k <= ORDER; ++k) rate = fmax(rate, pow(fabs(b[k]), 1.0 / k));
            size = 1 + fabs(b[0]);
            for (int k = 0; k <= ORDER; ++k, size *= rate) near(pairs[i][0], t, k, a[k], b[k], 1e-13 * size);
        }
        ss_signal_destroy(one);
        ss_signal_destroy(other);
    }
}

// a^2 would overflow, asinh(a) = log(2 a) does not.
static void large_arguments(void** state)
{
    (void)state;
    static const char* const texts[] = {"asinh(1e200*(1 + t))", "acosh(1e200*(1 + t))"};
    for (int i = 0; i < 2; ++i) {
        ss_signal* signal = parse(texts[i]);
        double c[LENGTH];
        assert_true(series(signal, 0, ORDER, c, NULL));
        near(texts[i], 0, 0, c[0], log(2) + 200 * log(10), 1e-13);
        for (int k = 1; k <= ORDER; ++k) near(texts[i], 0, k, c[k], (k % 2 ? 1.0 : -1.0) / k, 1e-14);
        ss_signal_destroy(signal);
    }
}

static void ends_of_domains(void** state)
{
    (void)state;
    static const char* const refused[][2] = {
        {"acosh(0.999)", "below 1"},         {"atanh(1)", "between -1 and 1"},
        {"atanh(-1.5)", "between -1 and 1"}, {"log1p(-1)", "above -1"},
        {"log1p(3 m)", "plain number"},      {"expm1(1000)", "finite"},
        {"asinh(1, 2)", "one argument"},     {"arcsinh(1)", "write asinh"}};
    static const struct {
        const char* text;
        double t;
    } none[] = {{"acosh(t)", 1}, {"acosh(t)", 0.5}, {"atanh(t)", -1}, {"atanh(t)", 2}, {"log1p(t)", -1}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        double value;
        ss_error err = {0};
        ss_status status = ss_quantity_parse(refused[i][0], &(ss_scope){0}, (ss_dimension){0}, &value, &err);
        if (status == SS_OK || !strstr(err.text, refused[i][1])) fail_msg("%s: %s", refused[i][0], err.text);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
        ss_signal* signal = parse(none[i].text);
        double c[LENGTH];
        if (series(signal, none[i].t, ORDER, c, NULL)) fail_msg("%s at %g", none[i].text, none[i].t);
        ss_signal_destroy(signal);
    }
    assert_true(constant("acosh", 1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_libm),
        cmocka_unit_test(small_arguments),
        cmocka_unit_test(series_of_equal_expressions),
        cmocka_unit_test(large_arguments),
        cmocka_unit_test(ends_of_domains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
