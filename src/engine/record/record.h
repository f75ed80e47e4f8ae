// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Record: moving the run to the end of a step; log, ledger, and what the caller is told.
#ifndef SLIPSTICK_ENGINE_RECORD_RECORD_H
#define SLIPSTICK_ENGINE_RECORD_RECORD_H

#include "engine/sim.h"

// run_state.c
/// As ss_sim_contact, but where several forces hold with the one that the run goes by, and not the one of
/// least norm.
ss_contact_state ss_contact_of_run(const ss_sim* sim, int i);
/// Keeps the present state as the one before the instant that follows.
void ss_remember_before(ss_sim* sim);

// record_step.c
/// Moves the state to t + length; false, and nothing is changed, where it overflows.
bool ss_commit(ss_sim* sim, double length);
/// Events of this instant to the log.
void ss_log_changes(ss_sim* sim);

// ledger.c
/// Adds the works along the first `length` of the present step to e.
void ss_ledger_step(const ss_sim* sim, double length, ss_energy* e);
/// The same for the cell that ss_linear_propagator_next has entered.
void ss_ledger_cell(const ss_sim* sim, ss_energy* e);
/// The energy at s of the present step, and what follows from it: end, residual, allowed, reached.
void ss_ledger_close(const ss_sim* sim, double s, ss_energy* e);

#endif
