// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// At rest: how long, and along which direction the motion ended.
#include "slider/motion.h"

#include <math.h>
#include <string.h>

void ss_slide_make_rest(ss_slide* s)
{
    ss_segment* g = &s->segment;
    g->phase = SS_PHASE_REST;
    g->ending = SS_END_NONE;
    g->t0 = s->now.t;
    g->t1 = INFINITY;
}

void ss_slide_find_final(ss_slide* s)
{
    const double* u = s->now.u;
    double size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int i = 0; i < 3; i++) s->final.q[i] = u[i] / size;
    s->has_final = true;
}
