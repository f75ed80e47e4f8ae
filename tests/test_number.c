// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Numbers as text: what is written is read back, and has a point wherever the program runs.
#include "core/number_length.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

static const double numbers[] = {0.0,     1.0,           -1.0,    0.1,     1.0 / 3.0,
                                 -2.5e-8, 6.02214076e23, DBL_MAX, DBL_MIN, 5e-324};
enum { COUNT = sizeof numbers / sizeof numbers[0] };

// 17 digits tell every double from its neighbours (IEEE 754).
static void expect_numbers_survive(void)
{
    char text[SS_NUMBER_SIZE];
    for (int k = 0; k < COUNT; k++) {
        double back = NAN;
        ss_number_format(numbers[k], 17, text, sizeof text);
        assert_int_equal(ss_number_length(text), strlen(text));
        assert_true(ss_number_read(text, &back) && back == numbers[k]);
    }
    assert_string_equal(ss_number_format(1.5, 10, text, sizeof text), "1.5");
    assert_string_equal(ss_number_format(-1.25e-30, 10, text, sizeof text), "-1.25e-30");
    assert_string_equal(ss_number_format(INFINITY, 10, text, sizeof text), "inf");
}

static void test_read_back(void** state)
{
    (void)state;
    expect_numbers_survive();
}

static void test_read_back_where_a_comma_is_written(void** state)
{
    (void)state;
    static const char* const places[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8", "de_DE", "fr_FR"};
    bool found = false;
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        if (!setlocale(LC_NUMERIC, places[k])) continue;
        found = true;
        expect_numbers_survive();
    }
    setlocale(LC_NUMERIC, "C");
    if (!found) skip();
}

static void test_lengths(void** state)
{
    (void)state;
    const struct {
        const char* text;
        size_t length;
    } cases[] = {{"12 mm", 2}, {"-1.5e-3 N", 7}, {".5", 2},    {"5.", 2},  {"2em", 1},
                 {"2e+", 1},   {"mm", 0},        {"", 0},      {"-", 0},   {".", 0},
                 {"+.e5", 0},  {"1e5", 3},       {"1.2.3", 3}, {"inf", 0}, {"0x10", 1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        assert_int_equal(ss_number_length(cases[k].text), cases[k].length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_back),
        cmocka_unit_test(test_read_back_where_a_comma_is_written),
        cmocka_unit_test(test_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
