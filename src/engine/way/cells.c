// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Spectral by cells: the long step at hand (flow/linear/linear_propagator.c), with the ledger and the
// derivative that go along.
#include "engine/flow/linear/linear_propagator.h"
#include "engine/record/record.h"
#include "engine/sensitivity/run_hooks.h"
#include "engine/way/way.h"

void ss_pass_cells(ss_sim* sim, double until)
{
    ss_energy entries = sim->ledger.energy;
    while (sim->def.ledger && ss_linear_propagator_next(sim, until)) ss_ledger_cell(sim, &entries);
    if (sim->def.ledger) ss_book(&sim->ledger, &entries);
    ss_linear_propagator_to(sim, until);
    if (sim->derivative) ss_sensitivity_propagate(sim);
}

static ss_status pass(ss_sim* sim, const ss_aim* aim, ss_stretch* out, ss_error* err)
{
    (void)err;
    if (!sim->step.ready || !ss_linear_propagator_is_under_way(sim)) return SS_OK;
    bool ends = aim->stop >= ss_linear_propagator_end(sim);
    ss_pass_cells(sim, aim->stop);
    bool at_tick = aim->stop == sim->values.next && aim->stop == sim->step.t; // where every step ends
    out->how = ends && !at_tick ? SS_PASSED_CELLS : SS_PASSED_WITHIN;
    return SS_OK;
}

const ss_way ss_way_cells = {.name = "spectral by cells", .pass = pass};
