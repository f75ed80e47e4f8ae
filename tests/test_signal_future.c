// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Signals: where they kink, tables, and what is known of their future.
#include "share/quantity.h"
#include "signal_rig.h"

// text at t: the signal's value and slope from the right, and for up to four kinks the first nonzero
// coefficient of the function that ends the piece: its order and value. Order -1: zero throughout.
static const struct {
    const char* text;
    double t, value, slope;
    int kinks, order[4];
    double lead[4];
} kink_rows[] = {
    {"abs(t)", 0, 0, 1, 1, {1}, {1}},
    {"abs(t)", -2, 2, -1, 1, {0}, {2}},
    {"abs(t)", 3, 3, 1, 1, {0}, {3}},
    {"-abs(t)", 0, 0, -1, 1, {1}, {1}},
    {"abs(sin(t))", 0, 0, 1, 1, {1}, {1}},
    {"abs(sin(t))", PI, 0, 1, 1, {1}, {1}}, // sin(PI) = 1.2e-16: to rounding at the kink
    {"abs(sin(t))", 1000 * PI, 0, 1, 1, {1}, {1}},
    {"abs(sin(t))", 3 * PI / 2, 1, 0, 1, {0}, {1}},
    {"abs(cos(3*t))", PI / 6, 0, 3, 1, {1}, {3}},
    {"abs(cos(3*t))", PI / 2, 0, 3, 1, {1}, {3}},
    {"abs(sin(t)*exp(t)-sin(t))",
     PI,
     0,
     22.140692632779269,
     3,
     {0, 0, 1},
     {600 + PI, 64 - PI* PI, 22.140692632779269}}, // tape: e^pi - 1
    {"abs(sin(t)-0.5)", PI / 6, 0, 0.86602540378443865, 1, {1}, {0.86602540378443865}},
    {"abs(sin(t)-0.5)", 5 * PI / 6, 0, 0.86602540378443865, 1, {1}, {0.86602540378443865}},
    {"abs(sqrt(1+t)-2)", 3, 0, 0.25, 1, {1}, {0.25}},
    {"abs(log(t)-1)", 2.7182818284590451, 0, 0.36787944117144232, 1, {1}, {0.36787944117144232}},
    {"abs(t^1.5-8)", 4, 0, 3, 1, {1}, {3}},
    {"abs(1/t-0.1)", 10, 0, 0.01, 1, {1}, {0.01}},
    {"abs(tan(t)-1)", PI / 4, 0, 2, 1, {1}, {2}},
    {"abs(1-cos(t))", 0, 0, 0, 1, {2}, {0.5}},
    {"abs(1-cos(t))", 2 * PI, 0, 0, 1, {2}, {0.5}}, // a touch: first and second coefficient are noise
    {"abs(t^3)", 0, 0, 0, 1, {3}, {1}},
    {"abs(-t^3)", 0, 0, 0, 1, {3}, {1}},
    {"abs((t-0.3)*(t+5))", 0.3, 0, 5.3, 1, {1}, {5.3}},
    {"min(t, 2-t)", 0.5, 0.5, 1, 1, {0}, {1}},
    {"min(t, 2-t)", 1, 1, -1, 1, {1}, {2}},
    {"max(t, 2-t)", 1, 1, 1, 1, {1}, {2}},
    {"max(2-t, t)", 1, 1, 1, 1, {1}, {2}},
    {"max(sin(t), cos(t))", PI / 4, 0.70710678118654757, 0.70710678118654757, 1, {1}, {1.4142135623730951}},
    {"min(sin(t), cos(t))", PI / 4, 0.70710678118654757, -0.70710678118654757, 1, {1}, {1.4142135623730951}},
    {"max(0, sin(t))", PI, 0, 0, 1, {1}, {1}},
    {"max(0, sin(t))", 2 * PI, 0, 1, 1, {1}, {1}},
    {"min(3, 5+0*t)", 1, 3, 0, 0, {0}, {0}},
    {"max(t, t)", 1, 1, 1, 1, {-1}, {0}}, // the same for ever
    {"abs(abs(t)-1)", 0, 1, -1, 2, {1, 0}, {1, 1}},
    {"abs(abs(t)-1)", 1, 0, 1, 2, {0, 1}, {1, 1}},
    {"abs(abs(t)-1)", -1, 0, 1, 2, {0, 1}, {1, 1}},       // inside |t| < 1 the inner slope is -1
    {"max(abs(t), 1)", 0.5, 1, 0, 2, {0, 0}, {0.5, 0.5}}, // |t| is hidden below 1, but its kink bends that of
                                                          // max
    {"max(abs(t), 1)", -1, 1, 0, 2, {0, 1}, {1, 1}},
    {"max(abs(t), 1)", 2, 2, 1, 2, {0, 0}, {2, 1}},
    {"max(1, abs(t))", 0.5, 1, 0, 2, {0, 0}, {0.5, 0.5}},
    // sin(1000*PI) = -3.2e-13 < 0 by rounding, and the functions carry that along, a hundredfold
    {"abs(10/(10+1000*sin(t))-1)", 1000 * PI, 0, 100, 1, {1}, {100}},
    {"abs(sin(t)*100/(2+sin(t)))", 1000 * PI, 0, 50, 1, {1}, {50}},
    {"abs(exp(100*sin(t))-1)", 1000 * PI, 0, 100, 3, {0, 0, 1}, {600, 64, 100}}, // exp is held from -600 down
    {"abs(log(1+100*sin(t)))", 1000 * PI, 0, 100, 1, {1}, {100}},
    {"abs(sqrt(1+100*sin(t))-1)", 1000 * PI, 0, 50, 1, {1}, {50}},
    {"abs((1+100*sin(t))^1.5-1)", 1000 * PI, 0, 150, 1, {1}, {150}},
    {"abs(tan(100*sin(t)))", 1000 * PI, 0, 100, 1, {1}, {100}},
    {"abs(tanh(100*sin(t)))", 1000 * PI, 0, 100, 4, {0, 0, 0, 1}, {25, 25, 64, 100}}, // and tanh from 25 on
    {"abs(sin(100*sin(t)))", 1000 * PI, 0, 100, 1, {1}, {100}},
    {"abs(cos(100*sin(t))-1)", 1000 * PI, 0, 0, 1, {2}, {5000}},
    {"abs((1+100*sin(t))^2-1)", 1000 * PI, 0, 200, 1, {1}, {200}},
    {"abs(t)+0*abs(t-5)", 0, 0, 1, 1, {1}, {1}},
    {"3 + 0*abs(t)", 0, 3, 0, 0, {0}, {0}},
};

static void kinks_resolve(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kink_rows / sizeof kink_rows[0]; ++i) {
        const char* text = kink_rows[i].text;
        double t = kink_rows[i].t, out[LENGTH], kinks[KINKS * LENGTH];
        ss_signal* signal = parse(text);
        if (ss_signal_kink_count(signal) != kink_rows[i].kinks) fail_msg("'%s': number of kinks", text);
        if (!series(signal, t, ORDER, out, kinks)) fail_msg("'%s' at %g", text, t);
        near(text, t, 0, out[0], kink_rows[i].value, 2e-15 * (1 + fabs(t)));
        // t is off by a rounding, which the curvature (at most slope^2 here) turns into an error of the slope
        double error = 2e-15 * (1 + fabs(t)), steep = 1 + fabs(kink_rows[i].slope);
        near(text, t, 1, out[1], kink_rows[i].slope, error * steep * steep);
        for (int j = 0; j < kink_rows[i].kinks; ++j) {
            const double* kink = kinks + j * LENGTH;
            int first = 0;
            while (first <= ORDER && kink[first] == 0) ++first;
            if (first > ORDER) first = -1;
            if (first != kink_rows[i].order[j])
                fail_msg("'%s' at %g: kink %d starts with order %d", text, t, j, first);
            if (first >= 0)
                near(text, t, first, kink[first], kink_rows[i].lead[j], error * steep * steep * kink[first]);
        }
        ss_signal_destroy(signal);
    }
}

// A kink inside the operand that is not chosen decides when it will be: from 0 the pieces end at 1e6, where
// abs turns, and at 2.5e6, where it exceeds 1.5e6.
static void hidden_kink_ends_a_piece(void** state)
{
    (void)state;
    static const double ends[] = {1e6, 2.5e6};
    ss_signal* signal = parse("max(0, abs(t - 1e6) - 1.5e6)");
    double t = 0, out[2], kink[4];
    for (int i = 0; i < 2; i++) {
        assert_true(series(signal, t, 1, out, kink));
        double next = INFINITY;
        for (int j = 0; j < 2; j++)
            if (kink[2 * j + 1] < 0) next = fmin(next, t - kink[2 * j] / kink[2 * j + 1]);
        near("end", t, i, next, ends[i], 1e-9);
        t = next;
    }
    assert_true(series(signal, t, 1, out, kink) && out[1] == 1);
    ss_signal_destroy(signal);
}

// A friction curve over the speed v: 2 + 3 exp(-v / 0.1) + 4 v, its slope, and what t is there.
// A kink that no t reaches is none: the same function, smooth, and known for good where it is a line with
// harmonics. One that is only touched, or reached far away, stays.
static void kinks_out_of_reach(void** state)
{
    (void)state;
    static const struct {
        const char *text, *same;
        int kinks;
    } cases[] = {
        {"max(18, 5*sin(2*t))", "18", 0},
        {"min(5*sin(2*t), 5.001)", "5*sin(2*t)", 0},
        {"abs(3+cos(t))", "3+cos(t)", 0},
        {"abs(sin(t)-1.5)", "1.5-sin(t)", 0},
        {"max(-1, atan(sin(t))*sin(t)^2)-2*abs(5-sin(t^2))", "atan(sin(t))*sin(t)^2-10+2*sin(t^2)", 0},
        {"max(20, 4*abs(sin(3*t)))+t", "20+t", 0},
        {"2*abs(sin(t))+min(1, max(3, t^2))", "2*abs(sin(t))+1", 1},
        {"abs(1+cos(t))", "1+cos(t)", 1},
        {"max(1e9, t)", "max(1e9, t)", 1},
        {"max(1, sin(t)+0.1)", "max(1, sin(t)+0.1)", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        ss_signal *given = parse(cases[i].text), *same = parse(cases[i].same);
        if (ss_signal_kink_count(given) != cases[i].kinks)
            fail_msg("'%s' has %d kinks", cases[i].text, ss_signal_kink_count(given));
        for (int k = -300; k <= 300; ++k) {
            double t = 0.0371 * k, value = ss_signal_value(given, t), other = ss_signal_value(same, t);
            near(cases[i].text, t, 0, value, other, 1e-14 * (1 + fabs(other)));
            double c[LENGTH], d[LENGTH], kinks[KINKS * LENGTH];
            if (cases[i].kinks > 0 || ss_signal_kink_count(same) > 0) continue;
            assert_true(series(given, t, ORDER, c, kinks) && series(same, t, ORDER, d, kinks));
            for (int n = 0; n <= ORDER; ++n) near(cases[i].text, t, n, c[n], d[n], 1e-12 * (1 + fabs(d[n])));
        }
        ss_signal_destroy(given);
        ss_signal_destroy(same);
    }
    double constant;
    ss_harmonic harmonics[4];
    ss_signal* wins = parse("max(18, 5*sin(2*t))");
    assert_int_equal(ss_signal_spectrum(wins, 0, &constant, harmonics, 4), 0);
    assert_true(constant == 18);
    ss_signal_destroy(wins);
}

static void signal_of_a_speed(void** state)
{
    (void)state;
    ss_signal* curve = NULL;
    ss_error err;
    double out[2], kinks[2 * KINKS], scratch[SCRATCH], v = 0.25;
    const ss_dimension speed = {1, 0, -1, 0};
    const char* text = "2 N + 3 N*exp(-v / (0.1 m/s)) + 4 N*s/m * v";
    assert_int_equal(ss_signal_parse_of(text, NULL, "v", speed, force, &curve, &err), SS_OK);
    assert_true(ss_signal_scratch_size(curve, 1) <= SCRATCH);
    assert_true(ss_signal_series(curve, v, 1, out, kinks, scratch));
    near(text, v, 0, ss_signal_value(curve, v), 2 + 3 * exp(-2.5) + 1, 1e-15);
    near(text, v, 1, out[1], -30 * exp(-2.5) + 4, 1e-14);
    ss_signal_destroy(curve);
    assert_int_equal(ss_signal_parse_of("2 N * t", NULL, "v", speed, force, &curve, &err), SS_BAD_INPUT);
    assert_int_equal(ss_signal_parse_of("2 N * v", NULL, "v", speed, force, &curve, &err), SS_BAD_INPUT);
}

// What is near a kink but not at it keeps its side.
static void near_a_kink(void** state)
{
    (void)state;
    ss_signal* signal = parse("abs(sin(t))");
    for (double away = 1e-13; away < 1; away *= 10) {
        double out[3], kink[3];
        assert_true(series(signal, PI - away, 2, out, kink));
        near("before", PI, 0, kink[0], sin(away), 1e-15);
        assert_true(out[1] < 0 && kink[0] == out[0] && kink[1] < 0);
        assert_true(series(signal, PI + away, 2, out, kink));
        near("after", PI, 0, kink[0], sin(away), 1e-15);
        assert_true(out[1] > 0 && kink[0] == out[0] && kink[1] > 0);
    }
    ss_signal_destroy(signal);
}

// Marching from kink to kink by the roots of the kink functions must give |sin|'s zeros, whatever the
// rounding: each time the next root is computed in double, and the piece that follows it must be the right
// one.
static void kinks_can_be_marched(void** state)
{
    (void)state;
    static const double frequencies[] = {1, 0.37, 3, 17.3, 1e3, 1e-4};
    for (int i = 0; i < 6; ++i) {
        char text[40];
        double w = frequencies[i];
        snprintf(text, sizeof text, "abs(sin(%g*t))", w);
        ss_signal* signal = parse(text);
        for (int n = 0; n < 2000; ++n) {
            double t = n * PI / w, out[3], kink[3];
            assert_true(series(signal, t, 2, out, kink));
            assert_true(out[0] == 0 && kink[0] == 0);
            near(text, t, 1, out[1], w, 1e-9 * w);
            assert_true(series(signal, t + 0.1 / w, 2, out, kink) && kink[0] > 0.09 && out[1] > 0);
            assert_true(series(signal, t + 3 / w, 2, out, kink) && kink[0] > 0.1 && out[1] < 0);
        }
        ss_signal_destroy(signal);
    }
}

static void tables(void** state)
{
    (void)state;
    static const double time[] = {0.1, 0.3, 1, 3}, value[] = {1, 2, 2, -4};
    ss_signal *table = NULL, *twice = NULL;
    ss_error err;
    double out[LENGTH], a = 0.1 + 0.2; // one rounding above 0.3
    assert_int_equal(ss_signal_table(time, value, 4, &table, &err), SS_OK);
    static const struct {
        double t, value, slope, next;
    } rows[] = {{-5, 1, 0, 0.1},    {0, 1, 0, 0.1},       {0.1, 1, 5, 0.3},      {0.2, 1.5, 5, 0.3},
                {0.3, 2, 0, 1},     {0.5, 2, 0, 1},       {1, 2, -3, 3},         {2, -1, -3, 3},
                {2.5, -2.5, -3, 3}, {3, -4, 0, INFINITY}, {1e9, -4, 0, INFINITY}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        assert_true(series(table, rows[i].t, ORDER, out, NULL));
        near("table", rows[i].t, 0, out[0], rows[i].value, 1e-15);
        near("table", rows[i].t, 1, out[1], rows[i].slope, 1e-14);
        for (int k = 2; k <= ORDER; ++k) assert_true(out[k] == 0);
        assert_true(ss_signal_value(table, rows[i].t) == out[0]);
        assert_true(ss_signal_next_breakpoint(table, rows[i].t) == rows[i].next);
    }
    for (int i = 0; i < 3; ++i) { // a breakpoint that was computed is the breakpoint
        double t = i == 0 ? a : i == 1 ? nextafter(0.3, 0) : nextafter(nextafter(0.3, 0), 0);
        assert_true(series(table, t, 1, out, NULL) && out[1] == 0 && fabs(out[0] - 2) < 1e-15);
        assert_true(ss_signal_next_breakpoint(table, t) == 1);
    }
    assert_true(series(table, 0.3 - 1e-13, 1, out, NULL) && out[1] > 4);
    assert_int_equal(ss_signal_scale(table, 2, &twice, &err), SS_OK);
    ss_signal_destroy(table);
    assert_true(ss_signal_value(twice, 2) == -2 && ss_signal_next_breakpoint(twice, 1) == 3);
    assert_int_equal(ss_signal_kink_count(twice), 0);
    ss_signal_destroy(twice);
}

static void tables_that_make_no_sense(void** state)
{
    (void)state;
    ss_signal* table = NULL;
    ss_error err;
    static const double value[] = {0, 1, 1e300};
    static const double back[] = {0, 2, 1}, twice[] = {0, 0, 1}, wild[] = {0, NAN, 1},
                        steep[] = {0, 1, 1 + 1e-15};
    assert_int_equal(ss_signal_table(back, value, 3, &table, &err), SS_BAD_INPUT);
    assert_string_equal(err.text, "times of a table must ascend: point 3 at 1 s follows 2 s");
    assert_int_equal(ss_signal_table(twice, value, 3, &table, &err), SS_BAD_INPUT);
    assert_int_equal(ss_signal_table(wild, value, 3, &table, &err), SS_BAD_INPUT);
    assert_int_equal(ss_signal_table(steep, value, 3, &table, &err), SS_BAD_INPUT);
    assert_int_equal(ss_signal_table(back, value, 0, &table, &err), SS_BAD_INPUT);
    assert_null(table);
    assert_int_equal(ss_signal_table(back, value, 1, &table, &err), SS_OK); // one point: a constant
    assert_true(ss_signal_is_constant(table));
    ss_signal_destroy(table);
}

static void spectra(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        int count;
        double constant;
        ss_harmonic h[2];
    } rows[] = {
        {"4", 0, 4, {{0, 0, 0}}},
        {"3*sin(2*t)", 1, 0, {{2, 3, 0}}},
        {"2+3*cos(2*t)-1", 1, 1, {{2, 0, 3}}},
        {"sin(-2*t)", 1, 0, {{2, -1, 0}}},
        {"cos(-2*t)", 1, 0, {{2, 0, 1}}},
        {"2*sin(3*t+pi/2)", 1, 0, {{3, 0, 2}}},
        {"2*cos(3*t-pi/2)", 1, 0, {{3, 2, 0}}},
        {"-(sin(t)-2*cos(5*t))/2", 2, 0, {{1, -0.5, 0}, {5, 0, 1}}},
        {"sin(t)+cos(t)+2*sin(t)", 1, 0, {{1, 3, 1}}},
        {"sin(t)-sin(t)+7", 0, 7, {{0, 0, 0}}},
        {"18*(1+4*sin(2*t))", 1, 18, {{2, 72, 0}}},
        {"t", -1, 0, {{0, 0, 0}}},
        {"sin(t)+t", -1, 0, {{0, 0, 0}}},
        {"sin(t)^2", -1, 0, {{0, 0, 0}}},
        {"t*sin(t)", -1, 0, {{0, 0, 0}}},
        {"exp(-t)", -1, 0, {{0, 0, 0}}},
        {"abs(sin(t))", -1, 0, {{0, 0, 0}}},
        {"sin(t^2)", -1, 0, {{0, 0, 0}}},
        {"sin(t)+sin(2*t)+sin(3*t)", -1, 0, {{0, 0, 0}}}, // more than the two asked for
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        ss_signal* signal = parse(rows[i].text);
        ss_harmonic h[2];
        double constant = 0;
        int count = ss_signal_spectrum(signal, 0, &constant, h, 2);
        if (count != rows[i].count) fail_msg("'%s': %d harmonics", rows[i].text, count);
        if (count >= 0) near(rows[i].text, 0, -1, constant, rows[i].constant, 1e-15);
        for (int k = 0; k < count; ++k) {
            near(rows[i].text, 0, k, h[k].frequency, rows[i].h[k].frequency, 0);
            near(rows[i].text, 0, k, h[k].sine, rows[i].h[k].sine, 3e-16);
            near(rows[i].text, 0, k, h[k].cosine, rows[i].h[k].cosine, 3e-16);
        }
        ss_signal_destroy(signal);
    }
}

static void spectrum_of_a_table(void** state)
{
    (void)state;
    static const double time[] = {0, 1}, value[] = {5, 6};
    ss_signal* table = NULL;
    double constant = 0, rate = -1;
    assert_int_equal(ss_signal_table(time, value, 2, &table, NULL), SS_OK);
    assert_int_equal(ss_signal_spectrum(table, 0.5, &constant, NULL, 0), -1);
    assert_int_equal(ss_signal_spectrum(table, 1, &constant, NULL, 0), 0);
    assert_true(constant == 6);
    assert_true(ss_signal_rate(table, &rate) && rate == 0);
    ss_signal_destroy(table);
}

static void rates(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double rate; // -1: not known
    } rows[] = {{"4", 0},
                {"t", 0},
                {"t^3-2*t", 0},
                {"(t+1)*(t-1)/7", 0},
                {"sin(3*t)", 3},
                {"t^2+cos(-5*t)+sin(t)", 5},
                {"t*sin(t)", -1},
                {"exp(t)", -1},
                {"1/t", -1},
                {"abs(t)", -1},
                {"sin(t)*sin(t)", -1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        ss_signal *signal = parse(rows[i].text), *scaled = NULL;
        double rate = -1, after = -1;
        bool known = ss_signal_rate(signal, &rate);
        if (known != (rows[i].rate >= 0) || rate != rows[i].rate)
            fail_msg("'%s': rate %g", rows[i].text, rate);
        assert_int_equal(ss_signal_scale(signal, -2, &scaled, NULL), SS_OK);
        assert_true(ss_signal_rate(scaled, &after) == known && after == rate);
        ss_signal_destroy(signal);
        ss_signal_destroy(scaled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinks_resolve),
        cmocka_unit_test(hidden_kink_ends_a_piece),
        cmocka_unit_test(kinks_out_of_reach),
        cmocka_unit_test(signal_of_a_speed),
        cmocka_unit_test(near_a_kink),
        cmocka_unit_test(kinks_can_be_marched),
        cmocka_unit_test(tables),
        cmocka_unit_test(tables_that_make_no_sense),
        cmocka_unit_test(spectra),
        cmocka_unit_test(spectrum_of_a_table),
        cmocka_unit_test(rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
