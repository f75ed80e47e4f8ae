// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Signals: Taylor coefficients against closed forms, against 60-digit arithmetic (mpmath), and against the
// function itself a little later; how they are made and refused.
#include "share/quantity.h"
#include "signal_rig.h"

static void series_of(const char* text, double t, double out[LENGTH])
{
    ss_signal* signal = parse(text);
    if (!series(signal, t, ORDER, out, NULL)) fail_msg("'%s' has no series at %g", text, t);
    double value = ss_signal_value(signal, t);
    if (!(fabs(value - out[0]) <= 4e-16 * (1 + fabs(value))))
        fail_msg("'%s' at %g: value %.17g", text, t, value);
    ss_signal_destroy(signal);
}

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
        cmocka_unit_test(copies_and_multiples),
        cmocka_unit_test(units_in_signals),
        cmocka_unit_test(long_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
