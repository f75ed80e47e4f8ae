// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Signals: Taylor coefficients against closed forms, against 60-digit arithmetic (mpmath), and against the
// function itself a little later; kinks; tables; what is known of a signal's future.
#include "core/expression/series.h"

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

enum { ORDER = 20, LENGTH = ORDER + 1, KINKS = 8, SCRATCH = 20000 };

static const ss_dimension force = {1, 1, -2, 0}; // no text below has a unit unless its test is about units
static const ss_scope with_time = {.allow_time = true};

static ss_signal* parse(const char* text)
{
    ss_signal* signal = NULL;
    ss_error err;
    if (ss_signal_parse(text, &with_time, force, &signal, &err) != SS_OK)
        fail_msg("'%s': %s", text, err.text);
    return signal;
}

static bool series(const ss_signal* signal, double t, int order, double out[], double kinks[])
{
    static double scratch[SCRATCH];
    assert_true(ss_signal_scratch_size(signal, order) <= SCRATCH);
    assert_true(ss_signal_kink_count(signal) <= KINKS);
    return ss_signal_series(signal, t, order, out, kinks, scratch);
}

static void series_of(const char* text, double t, double out[LENGTH])
{
    ss_signal* signal = parse(text);
    if (!series(signal, t, ORDER, out, NULL)) fail_msg("'%s' has no series at %g", text, t);
    double value = ss_signal_value(signal, t);
    if (!(fabs(value - out[0]) <= 4e-16 * (1 + fabs(value))))
        fail_msg("'%s' at %g: value %.17g", text, t, value);
    ss_signal_destroy(signal);
}

static void near(const char* text, double t, int k, double found, double expected, double error)
{
    if (!(fabs(found - expected) <= error))
        fail_msg("'%s' at %.17g, coefficient %d: %.17g, not %.17g", text, t, k, found, expected);
}

// ---- series ----

static double binomial(double p, int k)
{
    double c = 1;
    for (int j = 0; j < k; ++j) c *= (p - j) / (j + 1);
    return c;
}

static double closed_form(int which, double t, int k)
{
    static const double cycle[4] = {0, PI / 2, PI, 3 * PI / 2};
    double sign = k % 2 ? -1 : 1;
    switch (which) {
    case 0: return pow(2, k) / tgamma(k + 1) * sin(2 * t + 0.3 + cycle[k % 4]);
    case 1: return pow(3, k) / tgamma(k + 1) * cos(0.1 - 3 * t - cycle[k % 4]);
    case 2: return pow(-3, k) / tgamma(k + 1) * exp(-3 * t);
    case 3: return sign * pow(1 + t, -k - 1);
    case 4: return binomial(0.5, k) * pow(1 + t, 0.5 - k);
    case 5: return binomial(1.5, k) * pow(1 + t, 1.5 - k);
    case 6: return k == 0 ? log(1 + t) : -sign / k * pow(1 + t, -k);
    case 7: return k > 4 ? 0 : binomial(4, k) * pow(t - 2, 4 - k);
    case 8: return pow(log(2), k) / tgamma(k + 1) * pow(2, t);
    case 9: return k == 0 ? 3 - 2 * t : k == 1 ? -2 : 0;
    case 10: return sign * (k + 1) * pow(1 + t, -k - 2);
    default:
        return (k == 0   ? t / 2
                : k == 1 ? 0.5
                         : 0) -
               pow(2, k) * 3 / tgamma(k + 1) * sin(2 * t + cycle[k % 4]);
    }
}

static void series_against_closed_forms(void** state)
{
    (void)state;
    static const char* const texts[] = {"sin(2*t+0.3)", "cos(0.1-3*t)", "exp(-3*t)", "1/(1+t)",
                                        "sqrt(1+t)",    "(1+t)^1.5",    "log(1+t)",  "(t-2)^4",
                                        "2^t",          "3-2*t",        "(1+t)^-2",  "t/2-3*sin(2*t)"};
    static const double times[] = {0, 0.25, 1, 2, 3.75};
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 5; ++j) {
            double out[LENGTH];
            series_of(texts[i], times[j], out);
            for (int k = 0; k <= ORDER; ++k) {
                double expected = closed_form(i, times[j], k);
                // round-off per step of the recurrence; sines lose the digits of their angle in the test, too
                double scale = i < 2 || i == 11 ? pow(3, k) / tgamma(k + 1) * 10 : fabs(expected);
                near(texts[i], times[j], k, out[k], expected, 2e-16 * (k + 4) * scale);
            }
        }
}

static const struct {
    const char* text;
    double t, c[9];
} many_digits[] = {
    {"tan(t)",
     0.5,
     {0.54630248984379051, 1.2984464104095248, 0.70934450693545569, 0.82033214043236365, 0.68459765979557151,
      0.67629581757410806, 0.61342452020876669, 0.58152491976439583, 0.53887789118761573}},
    {"tanh(t)",
     0.5,
     {0.46211715726000976, 0.78644773296592741, -0.36343099069179364, -0.09420154804329506,
      0.16467581515519096, -0.027222387266428272, -0.050388250405266147, 0.028601596744612369,
      8.0074235645751049e-3}},
    {"tanh(5*t)",
     4.0,
     {0.99999999999999999, 8.4967085105831779e-17, -4.2483542552915889e-16, 1.4161180850971963e-15,
      -3.5402952127429906e-15, 7.0805904254859807e-15, -1.1800984042476633e-14, 1.6858548632109471e-14,
      -2.1073185790136827e-14}},
    {"sin(t^2)",
     1.25,
     {0.99996558567824888, 0.020740579059645944, -3.1165962236206694, -2.52151873404942, 1.1016396371095097,
      2.6004582470865953, 1.2354939714741629, -0.38732405069187168, -0.73275809473207165}},
    {"exp(sin(t))",
     2.0,
     {2.4825777280150005, -1.0331168679958345, -0.91373661178941441, 0.61207251470340207, 0.18435393524043542,
      -0.20460270485377653, -0.01575102691650631, 0.049832132970352974, -3.1108935322595006e-3}},
    {"tanh(sin(3*t)+t^2)",
     0.25,
     {0.63163919400010959, 1.6198210802909492, -3.999995170780349, 3.0236973163502554, 10.082173940819541,
      -36.001414583391655, 28.915311220873347, 106.49319739386686, -354.98260328834896}},
    {"t^3/(1+t^2)", 0.0, {0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 0.0}},
    {"t^3/(1+t^2)",
     1.5,
     {1.0384615384615385, 1.1183431952662722, 0.032771961766044606, -0.066664332481355695,
      0.051452626362468455, -0.02698262972493836, 9.0754654807220384e-3, -7.5005143762386264e-5,
      -2.7232153998261168e-3}},
    {"log(2+cos(t))",
     -1.5,
     {0.72790467994723368, 0.48171008170457609, -0.13310249912946369, -0.034797901983611973,
      0.022527041582028701, -9.4351475523822232e-3, 2.3405619222289505e-3, 3.3535156000040808e-5,
      -4.1621566549772985e-4}},
    {"sqrt(1+sin(t)^2)",
     0.75,
     {1.2102195665110313, 0.41211322895718615, -0.040943029907999719, -0.26079991874471546,
      0.0783753624466659, 0.019436310453699119, -0.030769124773386254, 0.022791840606001663,
      -7.2443400100707399e-3}},
    {"(1+t^2)^-2.5",
     0.5,
     {0.57243340223994616, -1.1448668044798923, 0.45794672179195693, 1.2822508210174794, -2.051601313627967,
      0.49238431527071209, 1.9695372610828484, -2.4759896996470094, 0.1856992274735257}},
    {"2^t*cos(t/2)",
     3.0,
     {0.56589761334162328, -3.5977296112428695, -2.7004369450672759, -0.80987143020301063,
      -0.11630152377892932, -2.6669779669744478e-3, 2.215557199445332e-3, 4.851568763811373e-4,
      5.5171986786731445e-5}},
    {"exp(-t)*sin(3*t)",
     0.5,
     {0.60501129228500157, -0.47629844750378926, -2.5487580139212186, 2.4930027551204612, 0.87746363404078493,
      -1.5974868311765446, 0.24000773237858654, 0.3117803696005335, -0.12080361603916669}},
    {"(2+sin(t))^-3",
     1.0,
     {0.043588339309048632, -0.024864811603100769, 0.028818353146262867, -0.013579510380036278,
      8.8239029504910018e-3, -3.3685285722177342e-3, 1.5000390977309202e-3, -4.0585101700289886e-4,
      9.9560427726401343e-5}},
    {"(t-1000)^5", 1000.5, {0.03125, 0.3125, 1.25, 2.5, 2.5, 1.0, 0.0, 0.0, 0.0}},
};

static void series_against_many_digits(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof many_digits / sizeof many_digits[0]; ++i) {
        double out[LENGTH], size = 0;
        series_of(many_digits[i].text, many_digits[i].t, out);
        for (int k = 0; k <= 8; ++k) {
            size = fmax(size, fabs(many_digits[i].c[k]));
            bool tiny = k > 0 && size == fabs(many_digits[i].c[0]) && fabs(many_digits[i].c[k]) < 1e-12;
            double scale = tiny ? fabs(many_digits[i].c[k])
                                : size; // where tanh is flat, its derivatives keep their digits
            near(many_digits[i].text, many_digits[i].t, k, out[k], many_digits[i].c[k], 4e-15 * scale);
        }
    }
}

// The series is the function: summed at t + s it gives the value there.
static void series_against_later_values(void** state)
{
    (void)state;
    static const char* const texts[] = {"sin(3*t)*cos(2*t)",
                                        "exp(-t/10)*sin(7*t)",
                                        "tanh(10*sin(t))",
                                        "1/(2+sin(t))^2",
                                        "sqrt(2+cos(t)^3)",
                                        "tan(sin(t)/2)",
                                        "log(7+sin(t)*t)",
                                        "(2+cos(t))^1.7",
                                        "abs(sin(t)+2)",
                                        "min(t, 100)*max(t, -3)",
                                        "sin(t)*sin(t)*sin(t)-t/(1+t^2)",
                                        "cos(exp(-t))",
                                        "sin(cos(sin(t)))",
                                        "3*t^5-t^3+2",
                                        "2^(sin(t))",
                                        "sin(t^2)/(1+abs(t+1))",
                                        "0.02*sin(2*pi*5*t)",
                                        "((t+1)/(t+2))^3",
                                        "1-t/3",
                                        "4",
                                        "sin(5*t)+cos(t)-t"};
    static const double times[] = {0.1, 0.7, 1.9, 5.3}, later = 1.0 / 64;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        for (int j = 0; j < 4; ++j) {
            double out[LENGTH], sum = 0;
            series_of(texts[i], times[j], out);
            for (int k = ORDER; k >= 0; --k) sum = sum * later + out[k];
            ss_signal* signal = parse(texts[i]);
            double expected = ss_signal_value(signal, times[j] + later);
            near(texts[i], times[j] + later, 0, sum, expected,
                 1e-14 * (1 + fabs(expected)) * (1 + fabs(out[1])));
            ss_signal_destroy(signal);
        }
}

// A truncated series is the beginning of the longer one.
static void every_order(void** state)
{
    (void)state;
    static const char* const texts[] = {"exp(-t)*sin(3*t)", "tanh(t)/sqrt(1+t)", "abs(sin(t))",
                                        "sin(t)+cos(3*t)"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        ss_signal* signal = parse(texts[i]);
        double all[SS_MAX_ORDER + 1], some[SS_MAX_ORDER + 1];
        assert_true(series(signal, 0.5, SS_MAX_ORDER, all, NULL));
        for (int order = 0; order < SS_MAX_ORDER; ++order) {
            assert_true(series(signal, 0.5, order, some, NULL));
            for (int k = 0; k <= order; ++k) assert_true(some[k] == all[k]);
        }
        ss_signal_destroy(signal);
    }
}

// 2 pi 5 t at t = 1e8 s is 3e9 rad, known to 5e-7 once rounded. The truth is sin of the exact product of the
// two doubles (60 digits).
static void large_times(void** state)
{
    (void)state;
    static const struct {
        double t, sine, cosine, shifted;
    } rows[] = {{1e8, -1.2246467991473501e-7, 0.9999999999999925, 0.29552008966636},
                {12345678.9, 3.4157515140487391e-9, -0.99999999999999999, -0.2955202033981475},
                {0.1, -5.192874498569627e-17, -1.0, -0.29552020666133961}};
    double out[LENGTH], w = 10 * PI;
    for (int i = 0; i < 3; ++i) {
        series_of("sin(2*pi*5*t)", rows[i].t, out);
        near("sin", rows[i].t, 0, out[0], rows[i].sine, 2e-16);
        near("sin", rows[i].t, 1, out[1], w * rows[i].cosine, 1e-14);
        series_of("sin(2*pi*5*t+0.3)", rows[i].t, out);
        near("shifted", rows[i].t, 0, out[0], rows[i].shifted, 3e-16);
        series_of("exp(0*t)*tanh(sin(2*pi*5*t+0.3))", rows[i].t, out); // through the tape
        near("tape", rows[i].t, 0, out[0], tanh(rows[i].shifted), 3e-16);
    }
}

static void not_analytic(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double t;
    } rows[] = {
        {"1/t", 0},          {"1/sin(t)", 0},    {"sqrt(t)", 0},        {"sqrt(t)", -1},
        {"log(t)", 0},       {"log(t)", -1},     {"t^1.5", 0},          {"t^-2", 0},
        {"tan(t)", PI / 2},  {"exp(t)", 1000},   {"t^0.5", -1},         {"1/(t-3)", 3},
        {"sqrt(sin(t))", 4}, {"max(1, 1/t)", 0}, {"abs(exp(t))", 1000}, {"max(0, exp(t)*exp(t))", 500}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        ss_signal* signal = parse(rows[i].text);
        double out[LENGTH], kinks[KINKS * LENGTH];
        if (series(signal, rows[i].t, ORDER, out, kinks)) fail_msg("'%s' at %g", rows[i].text, rows[i].t);
        ss_signal_destroy(signal);
    }
    ss_signal* root = parse("sqrt(t)"); // the value exists where the series does not
    assert_true(ss_signal_value(root, 0) == 0);
    ss_signal_destroy(root);
}

// ---- kinks ----

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

// ---- tables ----

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

// ---- what is known of the future ----

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

// ---- objects ----

static void copies_and_multiples(void** state)
{
    (void)state;
    static const char* const texts[] = {"4", "3*t-1", "2+sin(3*t)", "abs(sin(t))*t", "t^2"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        ss_signal *signal = parse(texts[i]), *copy = NULL, *multiple = NULL;
        double a[LENGTH], b[LENGTH], c[LENGTH], kinks[KINKS * LENGTH];
        assert_true(series(signal, 0.7, ORDER, a, kinks));
        bool constant = ss_signal_is_constant(signal);
        assert_true(constant == (i == 0));
        assert_int_equal(ss_signal_clone(signal, &copy, NULL), SS_OK);
        ss_signal_destroy(signal); // copies stand alone
        assert_int_equal(ss_signal_scale(copy, -2, &multiple, NULL), SS_OK);
        assert_true(series(copy, 0.7, ORDER, b, kinks) && series(multiple, 0.7, ORDER, c, kinks));
        for (int k = 0; k <= ORDER; ++k) assert_true(b[k] == a[k] && c[k] == -2 * a[k]);
        assert_true(ss_signal_is_constant(multiple) == constant);
        assert_true(ss_signal_value(multiple, 0.7) == -2 * ss_signal_value(copy, 0.7));
        assert_int_equal(ss_signal_kink_count(multiple), ss_signal_kink_count(copy));
        ss_signal_destroy(copy);
        ss_signal_destroy(multiple);
    }
    ss_signal* none = NULL;
    ss_error err;
    assert_int_equal(ss_signal_constant(INFINITY, &none, &err), SS_BAD_INPUT);
    assert_null(none);
    ss_signal_destroy(NULL);
}

static void units_in_signals(void** state)
{
    (void)state;
    static const ss_parameter area = {"area", 7.373657906574696e-5, {2, 0, 0, 0}, true};
    static const ss_scope scope = {&area, 1, true, false, 0, false};
    ss_signal* valve = NULL;
    ss_error err;
    const char* text = "area * 6895 Pa * (18 + 4*sin(2*pi*250 Hz*t)) - 8.54503372291542 N";
    assert_int_equal(ss_signal_parse(text, &scope, force, &valve, &err), SS_OK);
    double constant, swing = 7.373657906574696e-5 * 6895 * 4;
    ss_harmonic h;
    assert_int_equal(ss_signal_spectrum(valve, 0, &constant, &h, 1), 1);
    near("valve", 0, 0, constant, 4.5 * swing - 8.54503372291542, 4e-15);
    near("valve", 0, 1, h.sine, swing, 1e-15);
    near("valve", 0, 2, h.frequency, 500 * PI, 4e-13);
    ss_signal_destroy(valve);
    static const struct {
        const char *text, *error; // NULL: fits
        int column;
    } rows[] = {
        {"6 N * sin(2 rad/s * t)", NULL, 0},
        {"6*sin(2*t)", NULL, 0},
        {"3 N/s*t", NULL, 0},
        {"2 N * 2^(t/(1 s))", NULL, 0},
        {"6*sin(2 rad/s * t)", NULL, 0}, // units within the argument say nothing about the 6
        {"(1 + t)*exp(-t/(3 s))", NULL, 0},
        {"max(0, 20*sin(2*pi*0.2 Hz*t))", NULL, 0},
        {"6*sin(2 kg * t)", "sin needs a plain number, found kg*s", 7},
        {"(1 + t)*sin(2 kg * t)", "cannot add a plain number and s", 4},
        {"1 N + sin(2 rad/s * t)", "cannot add N and a plain number", 5},
        {"sqrt(4 m^2)", "expected N, found m", 1},
        {"6 N*sin(2*t)", "sin needs a plain number, found s", 9},
        {"3 N*t", "expected N, found N*s", 1},
        {"1 N + t", "cannot add N and s", 5},
        {"2 N^t", "the exponent of a unit must be constant in time", 5},
        {"t^t", "the exponent must be constant in time", 3},
        {"(-2)^t", "only a positive number can have an exponent that varies in time", 1},
        {"1/(t-t)", "division by zero", 2},
        {"5 t", "unknown unit 't'; write '* t' for the time, 1000 kg for a tonne", 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        ss_signal* signal = NULL;
        err = (ss_error){0};
        ss_status status = ss_signal_parse(rows[i].text, &with_time, force, &signal, &err);
        if (status != (rows[i].error ? SS_BAD_INPUT : SS_OK)) fail_msg("'%s': %s", rows[i].text, err.text);
        if (rows[i].error && (strcmp(err.text, rows[i].error) != 0 || err.column != rows[i].column))
            fail_msg("'%s': '%s' at %d", rows[i].text, err.text, err.column);
        ss_signal_destroy(signal);
    }
}

// Sums as long as a generator writes them keep few registers and are right.
static void long_sums(void** state)
{
    (void)state;
    enum { TERMS = 5000 };
    char* text = calloc(TERMS, 24);
    double expected = 0;
    size_t at = 0;
    assert_non_null(text);
    for (int i = 1; i <= TERMS; ++i) {
        at += (size_t)sprintf(text + at, "%ssin(%d*t)/%d", i > 1 ? "+" : "", i, i);
        expected += sin(i * 0.5) / i;
    }
    ss_signal* signal = parse(text);
    double out[LENGTH];
    assert_true(series(signal, 0.5, 0, out, NULL));
    near("long sum", 0.5, 0, out[0], expected, 1e-12);
    ss_signal_destroy(signal);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series_against_closed_forms),
        cmocka_unit_test(series_against_many_digits),
        cmocka_unit_test(series_against_later_values),
        cmocka_unit_test(every_order),
        cmocka_unit_test(large_times),
        cmocka_unit_test(not_analytic),
        cmocka_unit_test(kinks_resolve),
        cmocka_unit_test(hidden_kink_ends_a_piece),
        cmocka_unit_test(signal_of_a_speed),
        cmocka_unit_test(near_a_kink),
        cmocka_unit_test(kinks_can_be_marched),
        cmocka_unit_test(tables),
        cmocka_unit_test(tables_that_make_no_sense),
        cmocka_unit_test(spectra),
        cmocka_unit_test(spectrum_of_a_table),
        cmocka_unit_test(rates),
        cmocka_unit_test(copies_and_multiples),
        cmocka_unit_test(units_in_signals),
        cmocka_unit_test(long_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
