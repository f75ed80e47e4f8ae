// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The kernel of the lanes as any processor runs it.
#define SS_LANE_KERNEL ss_lane_kernel_plain
#define SS_LANE_START  ss_lane_start_plain
#include "engine/batch/lanes_kernel.h"
