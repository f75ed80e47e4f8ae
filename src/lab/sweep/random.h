// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The generator behind ss_random_uniform.
#ifndef SLIPSTICK_LAB_RANDOM_H
#define SLIPSTICK_LAB_RANDOM_H

#include <stdint.h>

/// Four random words for a counter and a key: Philox4x32-10.
void ss_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

#endif
