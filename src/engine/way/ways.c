// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The ways, in the order in which they are asked.
#include "engine/flow/elastic.h"
#include "engine/way/way.h"

static const ss_way* const ways[] = {&ss_way_speed_clock, &ss_way_ticks,      &ss_way_leap,  &ss_way_cells,
                                     &ss_way_collocation, &ss_way_stop_clock, &ss_way_series};
enum { COUNT = sizeof ways / sizeof *ways };

ss_status ss_pass_stretch(ss_sim* sim, const ss_aim* aim, ss_stretch* out, ss_error* err)
{
    ss_status status = SS_OK;
    out->how = SS_PASSED_NOTHING;
    for (int k = 0; k < COUNT && status == SS_OK && out->how == SS_PASSED_NOTHING; k++)
        if (ways[k]->pass) status = ways[k]->pass(sim, aim, out, err);
    return status;
}

static void end_at_break(ss_sim* sim)
{
    bool at_break = sim->step.t + ss_elapsed(&sim->step, sim->step.length) >= sim->inputs.next_break;
    if (at_break)
        sim->step.length =
            ss_parameter_at(&sim->step, &sim->step.clock, sim->inputs.next_break - sim->step.t);
    ss_end_step(&sim->step, at_break ? SS_STEP_BREAK : SS_STEP_BOUND);
}

void ss_make_step(ss_sim* sim, int order, bool in_time)
{
    for (int k = 0; k < COUNT; k++)
        if (ways[k]->make && !(in_time && ways[k]->clocked) && ways[k]->make(sim, order)) break;
    end_at_break(sim);
}
