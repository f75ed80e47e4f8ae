// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Energy ledger: start + input = end + friction + damping + impact + residual. Nothing in it is found by
// difference: each entry is integrated on its own, so the residual tells the truth about the run.
//
// Constant forces do work by displacement, exactly. All else is a power, a product of series, integrated by
// Gauss-Legendre quadrature of 14 points, exact for the products of every step the flow takes.
#include "core/algebra/polynomial.h"
#include "core/algebra/quadrature.h"
#include "core/energy_allowed.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/elastic.h"
#include "engine/flow/energy.h"
#include "engine/flow/linear/constant_works.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/open_series.h"
#include "engine/flow/turning.h"
#include "engine/record/record.h"

#include <math.h>
#include <string.h>

typedef struct powers {
    double friction, damping, input, impact;
} powers;

typedef struct moment {
    double *q, *v, *d, *dv;
} moment;

// Powers of dampers, and of the springs and dampers that drives pull at.
static void connection_powers(const ss_model* model, const ss_places* bodies, const moment* now, powers* p)
{
    for (int c = 0; c < model->connection_count; c++) {
        const ss_connection* k = &model->connections[c];
        bool driven = k->d.count > 0;
        if (k->damping == 0.0 && !driven) continue;
        double drive = driven ? ss_row_dot(&k->d, now->dv) : 0.0;
        double rate = ss_row_dot(&k->q, now->v) + drive;
        p->damping += k->damping * rate * rate;
        if (!driven) continue;
        double e = ss_row_dot(&k->q, now->q) + ss_row_dot(&k->d, now->d) +
                   ss_row_dot(&k->bodies, bodies->offset) - k->length;
        p->input += (k->stiffness * e + k->cubic * e * e * e + k->damping * rate) * drive;
    }
}

// Whether some contact has a power on this step: it slips at a force that varies, or a drive pulls at it.
static bool contacts_have_powers(const ss_sim* sim)
{
    for (int i = 0; i < sim->model->contact_count; i++)
        if (sim->model->contacts[i].d.count > 0 ||
            (ss_slips(&sim->modes, i) && !ss_slips_at_constant_force(sim, i)))
            return true;
    return false;
}

static void contact_powers(const ss_sim* sim, const moment* now, double s, powers* p)
{
    const ss_model* model = sim->model;
    int m = model->contact_count;
    for (int i = 0; i < m; i++) {
        const ss_contact* contact = &model->contacts[i];
        bool varying = ss_slips(&sim->modes, i) && !ss_slips_at_constant_force(sim, i);
        bool driven = contact->d.count > 0;
        if ((!varying && !driven) || sim->modes.contacts[i].mode == SS_MODE_OPEN) continue;
        double force = ss_poly_value(sim->step.lambda + i, m, sim->step.order - 2, s),
               drive = ss_row_dot(&contact->d, now->dv);
        if (contact->turns) drive = ss_turned_drive(sim, i, s, now->dv);
        if (ss_slips_at_constant_force(sim, i)) force = sim->step.lambda[i];
        if (driven) p->input -= force * drive;
        if (varying && !ss_is_bristle(&sim->step, i))
            p->friction -= force * (ss_row_dot(&contact->q, now->v) + drive);
    }
}

// What bristles lose; the rest of the work done on them is stored.
static void bristle_powers(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                           const moment* now, double s, powers* p)
{
    for (int j = 0; j < step->laws.bristle_count; j++) {
        const ss_bristle* b = &step->laws.bristles[j];
        const ss_contact* contact = &model->contacts[b->contact];
        double v = ss_row_dot(&contact->q, now->v) + ss_row_dot(&contact->d, now->dv);
        ss_bristle_powers own = ss_bristle_powers_at(model, step, inputs, b, s, v);
        p->friction += own.friction;
        p->input += own.input;
    }
}

// What elastic stops take while they push, beyond what they store: (f - k p^n) p'.
static void elastic_powers(const ss_step* step, const ss_law_series* laws, const ss_modes* modes, double s,
                           powers* p)
{
    for (int e = 0; e < laws->elastic_count; e++) {
        const ss_elastic* stop = &laws->elastic[e];
        const ss_contact_run* run = &modes->contacts[stop->contact];
        bool pushes = !stop->quiet || ss_elastic_drags_quietly(stop);
        if (run->mode != SS_MODE_CLOSED || !pushes || stop->law.edge_count == 0) continue;
        double rate = ss_poly_value(stop->rate, 1, step->order - 2, s);
        double depth = ss_poly_value(stop->p, 1, step->order - 2, s);
        p->impact += ss_stop_loss(&stop->law, stop->branch, depth, rate);
    }
}

// Coordinates, drives and their speeds at all points of the quadrature.
static moment moments(const ss_sim* sim, const double s[])
{
    int n = sim->model->n, nd = sim->model->drive_count, order = sim->step.order;
    double* room = sim->work.points;
    moment all = {room, room + SS_GAUSS_POINTS * n, room + 2 * SS_GAUSS_POINTS * n,
                  room + SS_GAUSS_POINTS * (2 * n + nd)};
    if (sim->step.clock.stop)
        ss_gauss_values(sim->step.clock.speed, n, order, false, s, all.v);
    else
        ss_gauss_values(sim->step.q, n, order, true, s, all.v);
    if (sim->model->open) ss_open_prepare_powers(sim->model, &sim->step, &sim->open, &sim->bodies);
    if (nd == 0) return all;
    ss_gauss_values(sim->step.q, n, order, false, s, all.q);
    ss_gauss_values(sim->step.d, nd, order, false, s, all.d);
    if (!sim->step.clock.stop) ss_gauss_values(sim->step.d, nd, order, true, s, all.dv);
    for (int j = 0; j < SS_GAUSS_POINTS && sim->step.clock.stop; j++)
        memcpy(all.dv + j * nd, sim->step.clock.drive_speed, (size_t)nd * sizeof(double));
    return all;
}

// The powers at point j of the quadrature, which is s.
static powers powers_at(const ss_sim* sim, const moment* all, int j, double s, bool of_contacts)
{
    const ss_model* model = sim->model;
    int n = model->n, nd = model->drive_count;
    moment now = {all->q + j * n, all->v + j * n, all->d + j * nd, all->dv + j * nd};
    powers p = {0};
    p.damping += ss_block_loss(model, now.v);
    connection_powers(sim->model, &sim->bodies, &now, &p);
    if (of_contacts) contact_powers(sim, &now, s, &p);
    elastic_powers(&sim->step, &sim->step.laws, &sim->modes, s, &p);
    bristle_powers(sim->model, &sim->step, &sim->inputs, &now, s, &p);
    if (model->open) ss_open_powers(sim, s, now.v, now.dv, &p.input, &p.damping);
    for (int k = 0; k < sim->inputs.varying_count; k++) {
        const ss_force* force = &model->forces[sim->inputs.varying[k]];
        double f =
            ss_poly_value(sim->inputs.force + sim->inputs.varying[k], model->force_count, sim->step.order, s);
        p.input += f * ss_row_dot(&force->q, now.v);
    }
    return p;
}

// How far the coordinates, and behind 2 n numbers the drives, move on the step.
static double* find_ways(const ss_model* model, const ss_step* step, const ss_work* work, double length)
{
    int n = model->n;
    double *moved = work->scratch_q, *drive = moved + 2 * n;
    for (int i = 0; i < n; i++)
        moved[i] = length * ss_poly_value(step->q + n + i, n, step->order - 1, length);
    for (int j = 0; j < model->drive_count; j++)
        drive[j] = length * ss_poly_value(step->d + model->drive_count + j, model->drive_count,
                                          step->order - 1, length);
    return moved;
}

// Where the force of an elastic stop is cut to 0, it loses what it had stored.
static void cut_works(const ss_step* step, const ss_law_series* laws, const ss_modes* modes, double length,
                      ss_energy* out)
{
    for (int e = 0; e < laws->elastic_count; e++) {
        const ss_elastic* stop = &laws->elastic[e];
        const ss_contact_run* run = &modes->contacts[stop->contact];
        if (run->mode == SS_MODE_CLOSED || !(run->gap < 0.0)) continue;
        double depth = ss_poly_value(stop->p, 1, step->order - 2, length);
        out->impact += ss_stop_stored(&stop->law, -run->gap) - ss_stop_stored(&stop->law, depth);
    }
}

// The works of all that is a power.
static void power_works(const ss_sim* sim, double length, ss_energy* e, double* passed)
{
    powers sum = {0};
    double point[SS_GAUSS_POINTS], weight[SS_GAUSS_POINTS];
    for (int j = 0; j < SS_GAUSS_POINTS; j++) point[j] = ss_gauss_point(j, length, &weight[j]);
    moment all = moments(sim, point);
    bool of_contacts = contacts_have_powers(sim);
    for (int j = 0; j < SS_GAUSS_POINTS; j++) {
        double w = weight[j], s = point[j];
        powers p = powers_at(sim, &all, j, s, of_contacts);
        if (sim->step.clock.stop)
            w *= ss_poly_value(sim->step.clock.pace, 1, sim->step.order, s); // dt = pace ds
        sum.friction += w * p.friction;
        sum.damping += w * p.damping;
        sum.input += w * p.input;
        sum.impact += w * p.impact;
        *passed += fabs(w) * (fabs(p.friction) + fabs(p.damping) + fabs(p.input));
    }
    e->friction += sum.friction;
    e->damping += sum.damping;
    e->input += sum.input;
    e->impact += sum.impact;
}

void ss_ledger_step(const ss_sim* sim, double length, ss_energy* e)
{
    double passed = ss_largest_work(e);
    ss_works_of_constants(sim, sim->open.steady, find_ways(sim->model, &sim->step, &sim->work, length), e,
                          &passed);
    cut_works(&sim->step, &sim->step.laws, &sim->modes, length, e);
    for (int j = 0; j < sim->step.laws.bristle_count; j++)
        ss_bristle_works(sim->model, &sim->step, &sim->inputs, &sim->step.laws.bristles[j], length, e);
    if (sim->ledger.has_powers) power_works(sim, length, e, &passed);
    e->passed = fmax(e->passed, passed);
}

void ss_ledger_cell(const ss_sim* sim, ss_energy* e)
{
    double damping, input, *moved = sim->work.scratch_q;
    ss_linear_propagator_works_of_cell(sim, moved, &damping, &input);
    double passed = ss_largest_work(e);
    ss_works_of_constants(sim, sim->open.fixed, moved, e, &passed);
    ss_add_work(damping, &e->damping, &passed);
    ss_add_work(input, &e->input, &passed);
    e->passed = fmax(e->passed, passed);
}

// What rounding leaves of energies that cancel, where the works are large beside it or none is done: a body
// that falls from height 0 has the energy 0, whatever it is made of.
static double rounding_of_sum(const ss_energy* e)
{
    const double share = 0.01;
    double works = fmax(fmax(fabs(e->input), fabs(e->friction)), fmax(fabs(e->damping), fabs(e->impact)));
    double rounding = SS_ENERGY_ROUNDING * e->reached;
    return works > 0.0 ? fmin(rounding, share * works) : rounding;
}

void ss_ledger_close(const ss_sim* sim, double s, ss_energy* e)
{
    double parts;
    e->end = ss_energy_and_parts(sim, s, &parts);
    e->reached = fmax(e->reached, parts);
    bool closed_form =
        sim->model->nature.linear && sim->inputs.rate_known && sim->step.laws.bristle_count == 0;
    e->residual = e->start + e->input - e->end - e->friction - e->damping - e->impact;
    const double entries[] = {e->start, e->end, e->input, e->friction, e->damping, e->impact, e->passed};
    e->allowed =
        ss_energy_allowed(entries, 7, closed_form ? 0.0 : sim->control.tolerance, sim->course.event_count);
    e->allowed = fmax(e->allowed, rounding_of_sum(e));
}
