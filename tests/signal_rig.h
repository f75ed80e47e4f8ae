// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What tests of signals share.
#ifndef TESTS_SIGNAL_RIG_H
#define TESTS_SIGNAL_RIG_H

#include "core/expression/signal_series.h"

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

static inline ss_signal* parse(const char* text)
{
    ss_signal* signal = NULL;
    ss_error err;
    if (ss_signal_parse(text, &with_time, force, &signal, &err) != SS_OK)
        fail_msg("'%s': %s", text, err.text);
    return signal;
}

static inline bool series(const ss_signal* signal, double t, int order, double out[], double kinks[])
{
    static double scratch[SCRATCH];
    assert_true(ss_signal_scratch_size(signal, order) <= SCRATCH);
    assert_true(ss_signal_kink_count(signal) <= KINKS);
    return ss_signal_series(signal, t, order, out, kinks, scratch);
}

static inline void near(const char* text, double t, int k, double found, double expected, double error)
{
    if (!(fabs(found - expected) <= error))
        fail_msg("'%s' at %.17g, coefficient %d: %.17g, not %.17g", text, t, k, found, expected);
}

#endif
