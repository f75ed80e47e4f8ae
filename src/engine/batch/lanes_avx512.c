// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The kernel of the lanes for processors with AVX512; compiled for these alone, see CMakeLists.txt.
#define SS_LANE_KERNEL ss_lane_kernel_avx512
#define SS_LANE_START  ss_lane_start_avx512
#include "engine/batch/lanes_kernel.h"
