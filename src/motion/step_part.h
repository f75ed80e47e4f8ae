// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The present step of a run, for those who measure along it: the motion is a power series in the step's own
// parameter s, and whatever is asked of the run (ss_sim_x, ss_sim_contact, ..) can be had at every s of it.
#ifndef SLIPSTICK_MOTION_STEP_PART_H
#define SLIPSTICK_MOTION_STEP_PART_H

#include "slipstick/simulation.h"

/// A part of a step.
typedef struct ss_step_part {
    double from, to; ///< in its parameter
    double end;      ///< s: the time at `to`
    bool used_up;    ///< nothing is left of it but rounding
} ss_step_part;

/// What of the present step is still to come and lies before `until` and before the next tick.
ss_step_part ss_step_before(const ss_sim* sim, double until);
/// Where in the present step the run is looked at.
double ss_step_now(const ss_sim* sim);
/// Looks at the run where the parameter is s; whoever does so puts it back.
void ss_step_look(ss_sim* sim, double s);
/// Degree of places and speeds as polynomials of the parameter.
int ss_step_degree(const ss_sim* sim);
/// dt/ds: 1, but where a contact's own clock runs.
double ss_step_pace(const ss_sim* sim, double s);
/// Whether the rest of the motion is passed in one mode, however far: a step is then any part of it.
bool ss_step_leaps(const ss_sim* sim);
/// Whether the motion has come to its end, and how.
bool ss_step_has_ended(const ss_sim* sim, ss_outcome* outcome);

#endif
