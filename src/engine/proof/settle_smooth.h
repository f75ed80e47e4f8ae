// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Settling of open models that are not linear (settle_smooth.c).
#ifndef SLIPSTICK_ENGINE_PROOF_SETTLE_SMOOTH_H
#define SLIPSTICK_ENGINE_PROOF_SETTLE_SMOOTH_H

#include "engine/proof/settle.h"

struct ss_settle_smooth;

/// Memory for it, where the model is of the kind; the parts of ss_settle are there.
void ss_settle_smooth_allocate(ss_sim* sim);
/// As ss_sim_settles.
bool ss_settle_smooth_proved(const ss_sim* sim, double limit_x[]);

#endif
