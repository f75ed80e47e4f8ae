// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Stands between the program and the runs that it makes (the linker's --wrap) and says at the end how many
// there were. See run.py.
#include "slipstick/sliding.h"

#include <stdio.h>
#include <stdlib.h>

static int runs;

static void tell(void) { fprintf(stderr, "runs: %d\n", runs); }

static void count(void)
{
    if (runs++ == 0) atexit(tell);
}

// A run that is made is started by ss_sim_restart, too. The names are the linker's.
// NOLINTBEGIN(bugprone-reserved-identifier)
ss_status __real_ss_sim_restart(ss_sim*, const double[], const double[], ss_error*);
ss_status __wrap_ss_sim_restart(ss_sim*, const double[], const double[], ss_error*);
ss_status __real_ss_slide_create(const ss_slider*, const ss_slide_def*, ss_slide**, ss_error*);
ss_status __wrap_ss_slide_create(const ss_slider*, const ss_slide_def*, ss_slide**, ss_error*);

ss_status __wrap_ss_sim_restart(ss_sim* sim, const double x[], const double v[], ss_error* err)
{
    count();
    return __real_ss_sim_restart(sim, x, v, err);
}

ss_status __wrap_ss_slide_create(const ss_slider* slider, const ss_slide_def* def, ss_slide** out,
                                 ss_error* err)
{
    count();
    return __real_ss_slide_create(slider, def, out, err);
}
// NOLINTEND(bugprone-reserved-identifier)
