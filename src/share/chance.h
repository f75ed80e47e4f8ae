// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Draws of random starts, and what a share of them says: for the laboratory and the front ends of this
// repository.
#ifndef SLIPSTICK_SHARE_CHANCE_H
#define SLIPSTICK_SHARE_CHANCE_H

#include <stdint.h>

/// A uniform number in [0, 1) for (seed, k, axis): 53 bits of Philox4x32-10 with key seed and counter (k,
/// axis / 2).
double ss_random_uniform(uint64_t seed, uint64_t k, uint32_t axis);

/// The Wilson score interval: where, given `hits` of `trials`, the true fraction lies with about 95 %
/// confidence. Within [0, 1]; trials > 0.
void ss_interval_95(int64_t hits, int64_t trials, double* low, double* high);

#endif
