// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the motion leaves an edge (open_edges.c), and how it arrives at one.
//
// A jump that stands on its edge may leave it later, with a higher derivative: the first coefficient of its
// argument that counts tells the side.
//
// Swings about an edge (open_edges.c) that pushes back become smaller like a geometric series, and infinitely
// many of them end in finite time. The last ones are followed until what is left of that time is below the
// rounding of the instant; there the motion across the edge ends.
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"

#include "core/tolerance.h"

#include <math.h>
#include <string.h>

// First coefficient of the argument of kink j that counts on the step at hand; 0 where none does.
static int leading_order(const ss_step* step, ss_open_programs* programs, int j)
{
    const ss_run* run = &programs->motion;
    const ss_instruction* in = &run->program->code[run->program->kinks[j]];
    const double* a = ss_taylor_row(&run->w, in->a);
    double most = 0.0, power = 1.0;
    if (!ss_op_is_jump(in->op)) return 0;
    for (int k = 1; k <= run->done; k++) most = fmax(most, fabs(a[k]) * (power *= step->length));
    if (most <= SS_NOISE * fabs(a[0])) return 0;
    power = step->length;
    for (int k = 1; k <= run->done; k++, power *= step->length)
        if (fabs(a[k]) * power > SS_CLEAR * most) return k;
    return 0;
}

bool ss_open_stays_on_edge(const ss_sim* sim, int j, const double g[])
{
    const ss_open_edges* edges = sim->open.programs->edges;
    if (!edges || !edges->on[j]) return false;
    double size = 0.0, pull = 0.0, power = 1.0, h = sim->step.length;
    for (int k = 0; k <= sim->step.order - 2; k++, power *= h) size += fabs(g[k]) * power;
    for (int i = 0; i < sim->model->n; i++) pull = fmax(pull, ss_pull_size(sim, i, 0));
    return size <= SS_NOISE * pull * h * h;
}

int ss_open_stand_switch(const ss_step* step, ss_open_programs* programs, int j, double out[])
{
    int lead = leading_order(step, programs, j);
    if (lead == 0 || lead > step->order - 2) return -1;
    memset(out, 0, (size_t)(step->order - 1) * sizeof *out);
    out[lead] = -1.0;
    return step->order - 2;
}

void ss_open_leave_stand(const ss_step* step, ss_open_programs* own, int j)
{
    const ss_run* run = &own->motion;
    int lead = leading_order(step, own, j);
    double slope = ss_taylor_row(&run->w, run->program->code[run->program->kinks[j]].a)[lead];
    ss_open_set_side(own, j, slope < 0.0 ? -1.0 : 1.0);
    own->motion.crossed[j] = true;
}

void ss_open_count_crossing(const ss_model* model, ss_open_programs* own, int j, double t)
{
    double* at = own->crossings + j * SS_CROSSINGS;
    const ss_program* program = own->motion.program;
    bool cut = program->code[program->kinks[j]].op == SS_OP_ATAN2;
    if (!cut && !program->jumps[j]) return;
    memmove(at, at + 1, (SS_CROSSINGS - 1) * sizeof *at);
    at[SS_CROSSINGS - 1] = t;
    if (isnan(at[0])) return;
    if (cut) { // crossed again and again without time between
        own->chatters = own->chatters || t - at[0] <= SS_CLEAR * fmax(t, model->until);
        return;
    }
    double d[SS_CROSSINGS - 1];
    for (int k = 0; k < SS_CROSSINGS - 1; k++) d[k] = at[k + 1] - at[k];
    double shrinks = d[3] / d[1], before = d[2] / d[0];
    if (!(d[0] > 0.0 && shrinks < 0.999 && fabs(shrinks - before) < 0.1 * before)) return;
    double left = shrinks * (d[2] + d[3]) / (1.0 - shrinks);
    if (left <= 1e-11 * fabs(t)) {
        own->limit = j;
        own->left = left;
    }
}

// By the least change in the norm of the masses.
void ss_open_stop_on_edge(ss_sim* sim, int j)
{
    const ss_model* model = sim->model;
    int n = model->n;
    double *w = sim->open.programs->edges->accel, *q = sim->step.q, *v = q + n, norm = 0.0, g[2];
    ss_open_edge_gradient(sim, j, w, g);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            norm += w[i] * w[k] *
                    (!model->matrices.mass_diagonal ? model->matrices.mass_inverse[i * n + k]
                     : i == k                       ? model->matrices.mass_inverse[i]
                                                    : 0.0);
    }
    for (int i = 0; i < n && norm > 0.0; i++) {
        double reach = 0.0;
        for (int k = 0; k < n; k++)
            reach += w[k] * (!model->matrices.mass_diagonal ? model->matrices.mass_inverse[i * n + k]
                             : i == k                       ? model->matrices.mass_inverse[i]
                                                            : 0.0);
        q[i] -= reach * g[0] / norm;
        v[i] -= reach * g[1] / norm;
        if (fabs(v[i]) <= 1e-12 * fabs(reach * g[1] / norm)) v[i] = 0.0;
    }
}

// Whether distance and speed across edge j are what rounding of the accelerations has made of 0.
static bool is_still(ss_sim* sim, int j)
{
    double *w = sim->open.programs->edges->accel, g[2], pull = 0.0, h = sim->step.length;
    ss_open_edge_gradient(sim, j, w, g);
    for (int i = 0; i < sim->model->n; i++) pull += fabs(w[i]) * ss_pull_size(sim, i, 0);
    return fabs(g[1]) <= SS_FAINT * pull * h && fabs(g[0]) <= SS_FAINT * pull * h * h;
}

void ss_open_stay_on_edges(ss_sim* sim)
{
    ss_open_programs* own = sim->open.programs;
    ss_open_edges* edges = own->edges;
    for (int j = 0; j < own->motion.program->kink_count && edges->keeps_any; j++) {
        if (edges->keeps[j] == 0) continue;
        if (is_still(sim, j))
            ss_open_stop_on_edge(sim, j);
        else
            edges->keeps[j] = 0;
    }
}

void ss_open_take_limit(ss_sim* sim)
{
    ss_open_programs* own = sim->open.programs;
    int j = own->limit;
    if (j < 0) return;
    own->limit = -1;
    for (int k = 0; k < SS_CROSSINGS; k++) own->crossings[j * SS_CROSSINGS + k] = NAN;
    own->motion.crossed[j] = false;
    ss_open_stop_on_edge(sim, j);
    ss_set_time(&sim->step, sim->step.t + own->left);
    for (int i = 0; i < sim->model->contact_count; i++) ss_wake_contact(sim->model, &sim->modes, i);
    ss_note_now(sim, "accumulation: infinitely many swings about a jump of position end here", NULL, 0);
}
