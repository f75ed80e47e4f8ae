// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Random functions of time for levels and forces, as numbers and as text for a model file: sines, rectified
// and squared sines, ramps that end at 0, tables with zeros and steps.
#ifndef TESTS_WAVES_H
#define TESTS_WAVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WAVE_POINTS = 8, WAVE_BREAKS = 600 };

typedef struct wave_source {
    uint64_t state;
} wave_source;

double wave_uniform(wave_source* source, double from, double to);
int wave_pick(wave_source* source, int count); ///< 0 .. count - 1
bool wave_chance(wave_source* source, double share);

typedef enum wave_kind { CONSTANT, SINE, RECTIFIED, ABSOLUTE, SQUARED, RAMP, TABLE, WAVE_KINDS } wave_kind;

typedef struct wave {
    wave_kind kind;
    double a, b, frequency, phase; ///< a + b sin(2 pi frequency t + phase), and so on; ramp: max(0, a + b t)
    double time[WAVE_POINTS], value[WAVE_POINTS];
    int count;
} wave;

double wave_value(const wave* w, double t);
void wave_text(const wave* w, const char* unit, char out[], size_t size);
wave wave_random_level(wave_source* source, double until); ///< >= 0
wave wave_random_force(wave_source* source, double until);

/// Times between 0 and the end at which a method of fixed order must not step over.
typedef struct wave_breaks {
    double at[WAVE_BREAKS];
    int count;
} wave_breaks;

void wave_add_breaks(wave_breaks* breaks, const wave* w, double until);
/// In order, the end among them.
void wave_finish_breaks(wave_breaks* breaks, double until);
/// The first one after t, at most `until`.
double wave_next_break(const wave_breaks* breaks, double t, double until);

#endif
