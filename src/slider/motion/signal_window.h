// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Signals window by window: their Taylor series, trusted as far as its last terms vanish, tells where the
// signal is not smooth and what it adds up to. Times in s.
#ifndef SLIPSTICK_SLIDER_SIGNAL_WINDOW_H
#define SLIPSTICK_SLIDER_SIGNAL_WINDOW_H

#include "slipstick/signal.h"

/// Room for ss_window_kink and ss_window_integral of a signal, in doubles.
size_t ss_window_scratch(const ss_signal* signal);
size_t ss_window_kink_room(const ss_signal* signal);

/// The first kink of a signal in (t, until]; INFINITY for none. Of arguments that vary so fast that even ten
/// thousand windows of them do not reach the end, the end of the last window: nothing is overlooked, who asks
/// just stops there.
double ss_window_kink(const ss_signal* signal, double t, double until, double scratch[], double kinks[]);

/// Its integral over time from `from` to `to` >= from.
double ss_window_integral(const ss_signal* signal, double from, double to, double scratch[], double kinks[]);

/// When it first becomes negative in [from, to], by more than rounding; INFINITY where it does not.
double ss_window_negative(const ss_signal* signal, double from, double to, double scratch[], double kinks[]);

#endif
