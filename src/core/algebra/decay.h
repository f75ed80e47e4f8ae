// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Decaying sums of exponentials, and proofs that they never vanish.
#ifndef SLIPSTICK_CORE_DECAY_H
#define SLIPSTICK_CORE_DECAY_H

#include <complex.h>
#include <stdbool.h>

/// g(t) = constant + Re sum_k weights[k] e^(rates[k] t), where no rate has a positive real part.
typedef struct ss_decay {
    double constant;
    int count;
    double complex *rates, *weights;
} ss_decay;

/// Divides a sum without a constant by its slowest exponential e^(rate t), which becomes the constant; the
/// sign stays the same at all times. Where the slowest one is not real, it is divided by its modulus and
/// there is no constant: then g crosses zero for ever, but perhaps not before it has decayed to nothing.
/// False, and g is spoilt, where the slowest one has a weight below noise: nothing can be said. Exact zeros
/// among the weights do not count.
bool ss_decay_divide(ss_decay* g, double noise, double* rate);

/// Whether g > 0 for from <= t <= until (which may be INFINITY) is proved.
bool ss_decay_is_positive(const ss_decay* g, double from, double until);

#endif
