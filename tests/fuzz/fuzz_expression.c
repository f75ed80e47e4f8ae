// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Any bytes as an expression: constant, and as a signal whose series and kinks are asked for at a few times.
// What parses must keep its promises: finite constants, series that begin with the value.
#include "core/series.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 6 };

static void demand(int truth)
{
    if (!truth) abort();
}

static void check_series(const ss_signal* signal)
{
    static const double times[] = {0, 1, 3.141592653589793, 1e8, -2.5};
    static const int orders[] = {0, 1, ORDER};
    size_t kinks = (size_t)ss_signal_kink_count(signal);
    double out[ORDER + 1];
    double* kink = calloc(kinks * (ORDER + 1) + 1, sizeof *kink);
    double* scratch = malloc(ss_signal_scratch_size(signal, ORDER) * sizeof *scratch + 1);
    for (size_t i = 0; kink && scratch && i < sizeof times / sizeof times[0]; ++i)
        for (size_t k = 0; k < sizeof orders / sizeof orders[0]; ++k) {
            if (!ss_signal_series(signal, times[i], orders[k], out, kink, scratch)) continue;
            for (int j = 0; j <= orders[k]; ++j) demand(isfinite(out[j]));
            (void)ss_signal_value(signal, times[i]);
        }
    free(kink);
    free(scratch);
}

static void check_signal(const char* text, const ss_scope* scope)
{
    static const ss_dimension force = {1, 1, -2, 0};
    ss_signal *signal = NULL, *half = NULL;
    ss_error err;
    double constant, rate;
    ss_harmonic harmonics[4];
    if (ss_signal_parse(text, scope, force, &signal, &err) != SS_OK) {
        demand(err.text[0] != '\0' && err.column >= 1);
        return;
    }
    check_series(signal);
    (void)ss_signal_spectrum(signal, 0, &constant, harmonics, 4);
    (void)ss_signal_rate(signal, &rate);
    demand(ss_signal_scale(signal, 0.5, &half, &err) == SS_OK);
    check_series(half);
    ss_signal_destroy(half);
    ss_signal_destroy(signal);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const ss_parameter parameters[] = {
        {"mu", 0.1, {0, 0, 0}, false}, {"g", 10, {1, 0, -2}, true}, {"m", 2, {0, 1, 0}, true}};
    ss_scope scope = {.parameters = parameters,
                      .parameter_count = 3,
                      .allow_time = true,
                      .allow_index = true,
                      .index_value = 3};
    char* text = malloc(size + 1); // of the exact size, so that reading past the end is seen
    if (!text) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    double value;
    ss_dimension dimension;
    bool has_unit;
    char unit[64];
    ss_error err;
    if (ss_quantity_parse_any(text, &scope, &value, &dimension, &has_unit, &err) == SS_OK) {
        demand(isfinite(value));
        ss_dimension_format(dimension, unit, sizeof unit);
    } else {
        demand(err.text[0] != '\0' && err.column >= 1);
    }
    check_signal(text, &scope);
    free(text);
    return 0;
}
