// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What computes blocks of outcomes.
#ifndef SLIPSTICK_LAB_BASIN_WORKER_H
#define SLIPSTICK_LAB_BASIN_WORKER_H

#include "lab/sweep/sweep.h"

/// The task of a basin whose plan is made.
ss_sweep_task ss_basin_task(const ss_basin* basin);
/// The same of a slider (slider_worker.c).
ss_sweep_task ss_slider_basin_task(void);

#endif
