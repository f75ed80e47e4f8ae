// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "motion/step_part.h"

#include "core/algebra/polynomial.h"
#include "engine/flow/elastic.h"
#include "engine/proof/leap.h"

#include <math.h>

ss_step_part ss_step_before(const ss_sim* sim, double until)
{
    ss_step_part part = {.from = sim->step.now, .to = sim->step.length};
    double stop = fmin(until, sim->values.next); // the step is cut at a tick
    part.end = sim->step.t + ss_elapsed(&sim->step, sim->step.length);
    if (part.end > stop) {
        part.end = stop;
        part.to =
            fmin(fmax(ss_parameter_at(&sim->step, &sim->step.clock, stop - sim->step.t), part.from), part.to);
    }
    part.used_up = !sim->step.ready || !(part.end > ss_sim_time(sim)) || !(part.to > part.from);
    return part;
}

double ss_step_now(const ss_sim* sim) { return sim->step.now; }

void ss_step_look(ss_sim* sim, double s)
{
    sim->step.now = s;
    ss_evaluate(sim, s, sim->bodies.out_x, sim->bodies.out_v);
}

int ss_step_degree(const ss_sim* sim) { return sim->step.order; }

double ss_step_pace(const ss_sim* sim, double s)
{
    return sim->step.clock.stop ? ss_poly_value(sim->step.clock.pace, 1, sim->step.order, s) : 1.0;
}

bool ss_step_leaps(const ss_sim* sim) { return ss_leap_is_begun(sim); }

bool ss_step_has_ended(const ss_sim* sim, ss_outcome* outcome)
{
    *outcome = sim->course.ended ? sim->course.outcome : SS_TIME_REACHED;
    return sim->course.ended;
}
