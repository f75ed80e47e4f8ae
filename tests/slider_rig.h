// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sliders for tests, put together in a few lines, and a motion that keeps its log. m = 1 kg, radius of
// gyration 1 m, g = 1 m/s^2 unless changed. Anything the library refuses fails the test at once.
#ifndef TESTS_SLIDER_RIG_H
#define TESTS_SLIDER_RIG_H

#include "slipstick/slipstick.h"

enum { SLIDER_SUPPORTS = 64, SLIDE_EVENTS = 512 };

typedef struct slider_rig {
    ss_slider_def def;
    ss_support_def supports[SLIDER_SUPPORTS];
    ss_load_def load; ///< what pulls at it; nothing
} slider_rig;

void slider_init(slider_rig* r);
ss_support_def* slider_point(slider_rig* r, double x, double y, double friction);
ss_support_def* slider_wheel(slider_rig* r, double x, double y, double ax, double ay, double friction);
ss_support_def* slider_patch(slider_rig* r, ss_support_kind kind, double radius, double mu);
/// 2 to 12 points within 1.5 m, strengths that add up to 1, from a seed.
void slider_random(slider_rig* r, unsigned* seed);
double slider_uniform(unsigned* seed, double low, double high);
void slider_random_speed(unsigned* seed, double u[3]); ///< each from -1.5 to 1.5

/// A motion and everything it said.
typedef struct slide_run {
    ss_slider* slider;
    ss_slide* slide;
    ss_outcome outcome;
    ss_slide_event events[SLIDE_EVENTS];
    long event_count; ///< may exceed SLIDE_EVENTS; the first ones are kept
} slide_run;

void slide_start(slide_run* r, slider_rig* rig, double vx, double vy, double spin, double tolerance);
void slide_to(slide_run* r, double until);
void slide_stop(slide_run* r);
/// |residual| over the largest magnitude of the ledger; also fails where the ledger does not add up.
double slide_energy_error(const slide_run* r);

#endif
