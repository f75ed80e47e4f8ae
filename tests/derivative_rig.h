// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives beside differences of neighbouring motions, of models as text.
#ifndef TESTS_DERIVATIVE_RIG_H
#define TESTS_DERIVATIVE_RIG_H

#include "slipstick/lab.h"

enum { DERIVATIVE_NUMBERS = 4 };

typedef struct derivative_number {
    const char* path;
    double value;
} derivative_number;

typedef struct derivative_asked {
    const char* text; // of the model but for its head
    derivative_number numbers[DERIVATIVE_NUMBERS];
    double until; // s
} derivative_asked;

/// A status other than SS_OK fails the test.
void derivative_check(ss_status status, const ss_error* err);
/// Compares the derivatives of the first body's place and speed at the end, with and without stops on the
/// way; what differs fails the test.
void derivative_ask(const derivative_asked* a);
/// The same with differences over this share of each number, and not over 2e-4.
void derivative_ask_by(const derivative_asked* a, double share);

#endif
