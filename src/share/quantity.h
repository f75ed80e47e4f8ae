// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Units as they were written, and signals made of others.
#ifndef SLIPSTICK_SHARE_QUANTITY_H
#define SLIPSTICK_SHARE_QUANTITY_H

#include "slipstick/signal.h"

/// The power of an angle, which has no dimension, in a number that is written like this: 1 for "3 rad/s", -1
/// for "2 N*m/rad", 0 for others.
int ss_written_angle(const char* text);
/// Writes a dimension with such a power of an angle: "rad/s", "N*m/rad". Returns out.
const char* ss_dimension_format_angle(ss_dimension dimension, int angle, char* out, size_t size);

bool ss_dimension_equal(ss_dimension a, ss_dimension b);

ss_status ss_signal_clone(const ss_signal* signal, ss_signal** out, ss_error* err);
/// A new signal, factor times the given one.
ss_status ss_signal_scale(const ss_signal* signal, double factor, ss_signal** out, ss_error* err);
bool ss_signal_is_constant(const ss_signal* signal);

#endif
