// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Windows: how long no contact can end the present mode, proved by the energy of the motion's derivatives
// (window.c; docs/theory/flow.md#windows).
#ifndef SLIPSTICK_ENGINE_PROOF_WINDOW_H
#define SLIPSTICK_ENGINE_PROOF_WINDOW_H

#include "engine/proof/propagator.h"

struct ss_window;

/// What the search needs; NULL where the energy of the model's motions may grow, or it is not linear.
struct ss_window* ss_window_allocate(ss_sim* sim);
/// The forces are those of the state at hand (ss_balance): what every contact has to lose. False where the
/// forces that hold are not determined.
bool ss_window_begin(ss_sim* sim, struct ss_window* window);
/// Number of cells from there on in which nothing happens. u: the rates there, which are moved on; moved: how
/// far the free coordinates have gone.
double ss_window_cells(ss_sim* sim, struct ss_window* window, const ss_propagators* all, ss_propagator* p,
                       double u[], double moved[]);

#endif
