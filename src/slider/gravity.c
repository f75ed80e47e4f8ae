// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Gravity that varies in time: its value, and whether it ever lifts the slider off.
#include "core/expression/signal_series.h"
#include "core/tolerance.h"
#include "slider/motion/signal_window.h"
#include "slider/slider_impl.h"

#include <stdlib.h>

double ss_slider_pull(const ss_slider* slider, double t_s)
{
    return slider->varying.gravity ? ss_signal_value(slider->varying.gravity, t_s) / slider->gravity : 1.0;
}

bool ss_slider_lifts_off(const ss_slider* slider, double from_s, double to_s, double* t_s)
{
    const ss_signal* gravity = slider->varying.gravity;
    if (!gravity) return false;
    double* scratch = malloc((ss_window_scratch(gravity) + ss_window_kink_room(gravity)) * sizeof *scratch);
    if (!scratch) return false;
    *t_s = ss_window_negative(gravity, from_s, to_s, scratch, scratch + ss_window_scratch(gravity));
    free(scratch);
    return *t_s < to_s;
}
