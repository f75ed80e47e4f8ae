// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What tests of limit surfaces share.
#ifndef TESTS_LIMIT_RIG_H
#define TESTS_LIMIT_RIG_H

#include "data/limit_surface.h"
#include "slider_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static inline void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("%.17g, expected %.17g (within %g)", got, want, tolerance);
}

static inline void near3(const double got[3], const double want[3], double tolerance)
{
    for (int i = 0; i < 3; i++) near(got[i], want[i], tolerance);
}

static inline ss_slider* make(slider_rig* rig)
{
    ss_slider* slider = NULL;
    ss_error err;
    if (ss_slider_create(&rig->def, &slider, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
    return slider;
}

static inline ss_slider* make_points(const double xyf[][3], int count)
{
    slider_rig rig;
    slider_init(&rig);
    for (int i = 0; i < count; i++) slider_point(&rig, xyf[i][0], xyf[i][1], xyf[i][2]);
    return make(&rig);
}

static inline double size(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

#endif
