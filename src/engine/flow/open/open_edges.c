// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Edges: places where an expression of the motion jumps (sign, floor, ceil, round, step, and the forces of
// potentials with kinks), met without speed, or crossed again and again.
//
// On an edge, and with no speed across it, each side is tried: the side whose forces lead into it is the one
// that follows. Where both sides push back, the edge holds: the force is the mixture of both that leaves no
// acceleration across it. Where both lead away, the value on the edge stands.
//
// Swings about an edge that pushes back become smaller like a geometric series, and infinitely many of them
// end in finite time. The last ones are followed until what is left of that time is below the rounding of
// the instant; there the motion across the edge ends.
#include "engine/flow/open.h"
#include "engine/flow/series.h"

#include "core/error.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

static const ss_instruction* owner_of(const ss_open_programs* own, int j)
{
    const ss_program* program = own->motion.program;
    return &program->code[program->kinks[j]];
}

void ss_open_set_side(ss_open_programs* own, int j, double side)
{
    const ss_instruction* in = owner_of(own, j);
    double* piece = &own->pieces[in->kink];
    *piece = side;
    if (!ss_op_is_jump(in->op)) return;
    double at = ss_taylor_row(&own->motion.w, in->a)[0];
    *piece = ss_jump_value(in->op, ss_jump_edge(in->op, at), side);
}

static void forget_side(ss_open_programs* own, int j) { own->pieces[owner_of(own, j)->kink] = NAN; }

// Second derivative, halved, of the distance from the edge into the side that is set.
static double drift(ss_sim* sim, int j, double side)
{
    ss_open_programs* own = sim->open.programs;
    const ss_model* model = sim->model;
    double g[3];
    size_t kinks = (size_t)ss_graph_kink_count(model->open->graph) * sizeof(double);
    memcpy(own->copy, own->pieces, kinks); // other edges are not to be decided by what is tried here
    ss_open_set_side(own, j, side);
    own->probing = true;
    ss_free_acceleration(sim, 0);
    own->probing = false;
    for (int b = 0; b < model->body_count; b++) {
        double* row = ss_run_variable(&own->motion, b);
        const ss_body* body = &model->bodies[b];
        if (!row) continue;
        row[1] = body->drive >= 0 ? sim->step.d[model->drive_count + body->drive]
                                  : ss_row_dot(&body->row, sim->step.q + model->n);
        row[2] = body->drive >= 0 ? sim->step.d[2 * model->drive_count + body->drive]
                                  : 0.5 * ss_row_dot(&body->row, sim->pulls.accel);
    }
    ss_run_decide(&own->motion, 2);
    ss_run_switch(&own->motion, j, 2, g);
    memcpy(own->pieces, own->copy, kinks);
    return g[2];
}

void ss_open_decide_edges(ss_sim* sim)
{
    ss_open_programs* own = sim->open.programs;
    size_t n = (size_t)sim->model->n;
    memcpy(own->accel, sim->pulls.accel, n * sizeof(double));
    memcpy(own->rate, sim->open.rate, (size_t)sim->open.states * sizeof(double));
    for (int j = 0; j < own->motion.program->kink_count; j++) {
        if (!own->motion.program->jumps[j] || !isnan(own->pieces[owner_of(own, j)->kink])) continue;
        double above = drift(sim, j, 1.0), below = drift(sim, j, -1.0);
        forget_side(own, j);
        if (above > 0.0 && !(below > 0.0)) ss_open_set_side(own, j, 1.0);
        if (below > 0.0 && !(above > 0.0)) ss_open_set_side(own, j, -1.0);
        if (!(above < 0.0 && below < 0.0)) continue;
        own->crowded = own->held >= 0;
        if (own->crowded) continue;
        own->held = j;
        ss_open_begin_edge(sim, below / (below + above));
    }
    memcpy(sim->pulls.accel, own->accel, n * sizeof(double));
    memcpy(sim->open.rate, own->rate, (size_t)sim->open.states * sizeof(double));
}

ss_status ss_open_fail_stuck(ss_sim* sim, ss_error* err)
{
    if (sim->open.programs->chatters) {
        ss_fail(
            &sim->course.fault, SS_NOT_FOUND, NULL,
            "at t = %.9g s the cut of atan2 (y = 0, x < 0) holds the motion: a force that jumps with speeds "
            "or states is friction, write a contact",
            sim->step.t);
        return ss_tell_fault(sim, err);
    }
    ss_fail(
        &sim->course.fault, SS_NOT_FOUND, NULL,
        "at t = %.9g s two jumps of position hold the motion on their edges at once: such a motion is not "
        "computed yet",
        sim->step.t);
    return ss_tell_fault(sim, err);
}

// ---- swings that accumulate

void ss_open_count_crossing(ss_sim* sim, int j, double t)
{
    ss_open_programs* own = sim->open.programs;
    double* at = own->crossings + j * SS_CROSSINGS;
    bool cut = owner_of(own, j)->op == SS_OP_ATAN2;
    if (!cut && !own->motion.program->jumps[j]) return;
    memmove(at, at + 1, (SS_CROSSINGS - 1) * sizeof *at);
    at[SS_CROSSINGS - 1] = t;
    if (isnan(at[0])) return;
    if (cut) { // crossed again and again without time between
        own->chatters = own->chatters || t - at[0] <= SS_CLEAR * fmax(t, sim->model->until);
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

double ss_open_edge_gradient(ss_sim* sim, int j, double w[])
{
    ss_open_programs* own = sim->open.programs;
    const ss_model* model = sim->model;
    double g[2] = {0.0, 0.0};
    size_t kinks = (size_t)ss_graph_kink_count(model->open->graph) * sizeof(double);
    memcpy(own->copy, own->pieces, kinks);
    ss_open_set_side(own, j, 1.0);
    for (int c = 0; c < model->n; c++) {
        for (int b = 0; b < model->body_count; b++) {
            double* row = ss_run_variable(&own->motion, b);
            const ss_body* body = &model->bodies[b];
            if (!row) continue;
            row[0] = body->drive >= 0 ? sim->step.d[body->drive]
                                      : ss_row_dot(&body->row, sim->step.q) + sim->bodies.offset[b];
            row[1] = 0.0;
            for (int k = 0; k < body->row.count && body->drive < 0; k++)
                if (body->row.index[k] == c) row[1] = body->row.value[k];
        }
        ss_run_decide(&own->motion, 1);
        ss_run_switch(&own->motion, j, 1, g);
        w[c] = g[1];
    }
    memcpy(own->pieces, own->copy, kinks);
    forget_side(own, j);
    return g[0];
}

// By the least change in the norm of the masses.
void ss_open_stop_on_edge(ss_sim* sim, int j)
{
    const ss_model* model = sim->model;
    int n = model->n;
    double *w = sim->open.programs->accel, *q = sim->step.q, *v = q + n, norm = 0.0, speed = 0.0;
    double distance = ss_open_edge_gradient(sim, j, w);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            norm += w[i] * w[k] *
                    (!model->matrices.mass_diagonal ? model->matrices.mass_inverse[i * n + k]
                     : i == k                       ? model->matrices.mass_inverse[i]
                                                    : 0.0);
        speed += w[i] * v[i];
    }
    for (int i = 0; i < n && norm > 0.0; i++) {
        double reach = 0.0;
        for (int k = 0; k < n; k++)
            reach += w[k] * (!model->matrices.mass_diagonal ? model->matrices.mass_inverse[i * n + k]
                             : i == k                       ? model->matrices.mass_inverse[i]
                                                            : 0.0);
        q[i] -= reach * distance / norm;
        v[i] -= reach * speed / norm;
        if (fabs(v[i]) <= 1e-12 * fabs(reach * speed / norm)) v[i] = 0.0;
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
    ss_pass_to(sim, sim->step.t + own->left);
    for (int i = 0; i < sim->model->contact_count; i++) ss_wake_contact(sim, i);
    ss_note_now(sim, "accumulation: infinitely many swings about a jump of position end here", NULL, 0);
}
