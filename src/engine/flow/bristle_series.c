// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Contacts with bristles along a step: series of their states and forces, which their laws know, energies.
// With the sign of v fixed all formulas are analytic.
#include "core/algebra/polynomial.h"
#include "core/algebra/quadrature.h"
#include "core/rounding.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/contact.h"
#include "engine/flow/motion_series.h"
#include "share/run.h"

#include <float.h>
#include <math.h>

static const ss_contact* contact_of(const ss_model* model, const ss_bristle* b)
{
    return &model->contacts[b->contact];
}

// ---- coefficients

// Coefficient k of v; what vanishes by decision vanishes exactly.
static double velocity(const ss_sim* sim, const ss_bristle* b, int k)
{
    if (b->turning || b->still || k < sim->modes.contacts[b->contact].lead) return 0.0;
    return ss_relative_velocity(sim->model, &sim->step, b->contact, k);
}

// Of the force on A, per newton where the contact is loaded.
static double force_coefficient(const ss_sim* sim, ss_bristle* b, int k)
{
    b->along.v[k] = velocity(sim, b, k);
    return ss_law_coefficient(contact_of(sim->model, b), &b->along, k);
}

double ss_bristle_start_force(ss_sim* sim, int i)
{
    return force_coefficient(sim, &sim->step.laws.bristles[sim->step.laws.bristle_at[i]], 0);
}

void ss_add_bristle_forces(ss_sim* sim, int k)
{
    int m = sim->model->contact_count;
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        ss_bristle* b = &sim->step.laws.bristles[j];
        const ss_contact* contact = contact_of(sim->model, b);
        double force = force_coefficient(sim, b, k);
        if (contact->follows_forces) continue; // its normal force is not known yet
        if (contact->loaded) force = ss_loaded_coefficient(&sim->inputs, &b->along, b->contact, k);
        sim->step.lambda[(size_t)k * (size_t)m + (size_t)b->contact] = force;
        if (force != 0.0) ss_add_force(sim->model, &sim->pulls, b->contact, force);
    }
}

void ss_bristle_redo_series(ss_sim* sim, ss_bristle* b, int k)
{
    for (int j = 0; j <= k; j++) (void)force_coefficient(sim, b, j);
}

bool ss_bristle_run_alone(const ss_model* model, ss_step* step, const ss_modes* modes, int from)
{
    ss_bristle* b = &step->laws.bristles[0];
    const ss_contact* contact = contact_of(model, b);
    const ss_operator* op = &model->matrices.flow;
    if (model->n != 1 || step->laws.bristle_count != 1 || !contact->law_entry->series.alone ||
        contact->q.count != 1 || b->still || contact->loaded)
        return false;
    ss_law_mass mass = {.row = contact->q.value[0],
                        .mobility = contact->mobility.value[0],
                        .lead = modes->contacts[b->contact].lead,
                        .q = step->q,
                        .force = step->lambda + b->contact,
                        .stride = model->contact_count};
    for (int l = op->start[0]; l < op->start[1]; l++) {
        mass.stiffness += op->stiffness[l];
        mass.damping += op->damping[l];
    }
    return contact->law_entry->series.alone(ss_law_of(contact), &b->along, &mass, from, step->order - 2);
}

// A contact of moving bodies stands still as far as rounding tells; what its velocity gathers by
// accelerations too small to tell must stay within rounding, too. Where there are no speeds to speak of, it
// is allowed a thousandth of the motion's time: then it moves, if it does.
static double still_reach(const ss_sim* sim, const ss_bristle* b, double h)
{
    double rounding = ss_velocity_rounding(sim->model, &sim->step, &sim->modes, b->contact),
           a = fabs(ss_relative_velocity(sim->model, &sim->step, b->contact, 1));
    double least = 1e-3 / (sim->control.rate + ss_bristle_rate(sim->model, sim->field, &sim->step));
    return rounding > 0.0 && a * h > rounding ? fmin(h, fmax(rounding / a, least)) : h;
}

double ss_bristle_step_bound(const ss_sim* sim, double h)
{
    double least = 64.0 * DBL_EPSILON * fabs(sim->step.t);
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        const ss_bristle* b = &sim->step.laws.bristles[j];
        const ss_contact* contact = contact_of(sim->model, b);
        if (b->still)
            h = still_reach(sim, b, h);
        else if (contact->law_entry->series.step_bound)
            h = contact->law_entry->series.step_bound(ss_law_of(contact), &b->along, sim->step.order - 1,
                                                      least, h);
    }
    return h;
}

void ss_bristle_update_series(ss_sim* sim, int from)
{
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        ss_bristle* b = &sim->step.laws.bristles[j];
        const ss_contact* contact = contact_of(sim->model, b);
        for (int k = from; k < sim->step.order; k++) b->along.v[k] = velocity(sim, b, k);
        if (contact->law_entry->series.update)
            contact->law_entry->series.update(ss_law_of(contact), &b->along, from, sim->step.order - 1);
    }
}

// ---- states and energies at a time of the step

// Degree of the states along the step: 0 where it is not computed yet, or nothing moves.
static int degree(const ss_model* model, const ss_step* step, const ss_bristle* b)
{
    bool goes_on = !b->still || (contact_of(model, b)->traits & SS_TRAIT_AGES);
    return step->ready && goes_on ? step->order - 1 : 0;
}

void ss_bristle_describe(const ss_model* model, const ss_step* step, int i, ss_contact_state* out)
{
    const ss_bristle* b = &step->laws.bristles[step->laws.bristle_at[i]];
    if (contact_of(model, b)->law_entry->traits & SS_TRAIT_Z)
        out->z = ss_along_at(b->along.z, degree(model, step, b), step->now);
    if (!b->still) return;
    out->mode = SS_MODE_STICK;
    out->velocity = 0.0;
}

static ss_law_energies energies_at(const ss_model* model, const ss_step* step, const ss_bristle* b, double s,
                                   double v)
{
    const ss_contact* contact = contact_of(model, b);
    ss_law_energies out = {.stored = 0.0};
    contact->law_entry->energies(ss_law_of(contact), &b->along, degree(model, step, b), s, v, &out);
    return out;
}

// The normal force of a loaded contact at s of the step, and its slope; 1 and 0 of others.
static double load_at(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                      const ss_bristle* b, double s, double* slope)
{
    *slope = 0.0;
    if (!contact_of(model, b)->loaded) return 1.0;
    if (!step->ready) return isnan(b->load) ? 0.0 : b->load;
    const double* load = ss_load_series(inputs, b->contact);
    *slope = ss_poly_slope(load, 1, step->order - 2, s);
    return ss_poly_value(load, 1, step->order - 2, s);
}

double ss_bristle_energy(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                         const ss_bristle* b, double s)
{
    double slope, load = load_at(model, step, inputs, b, s, &slope);
    return load * energies_at(model, step, b, step->ready ? s : 0.0, 0.0).stored;
}

// With N the normal force, u what is stored and p what is lost per newton: N u' + N p is the work done, and
// N' u the work of what presses. What is lost by the way, l, has no power: the rate of N l is N p + N' l.
ss_bristle_powers ss_bristle_powers_at(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                                       const ss_bristle* b, double s, double v)
{
    double slope, load = load_at(model, step, inputs, b, s, &slope);
    ss_law_energies now = energies_at(model, step, b, s, v);
    if (b->still) now.loss = now.lost = 0.0;
    return (ss_bristle_powers){.friction = load * now.loss - slope * now.lost, .input = slope * now.stored};
}

void ss_bristle_works(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                      const ss_bristle* b, double s, ss_energy* io)
{
    double slope, load = load_at(model, step, inputs, b, s, &slope);
    if (!b->still) io->friction += load * energies_at(model, step, b, s, 0.0).lost;
    if (!contact_of(model, b)->loaded) return;
    double first = load_at(model, step, inputs, b, 0.0, &slope),
           stored = energies_at(model, step, b, 0.0, 0.0).stored;
    if (isnan(b->load))
        io->start += first * stored;
    else
        io->input += (first - b->load) * stored; // it has jumped
}

double ss_bristle_limit(const ss_sim* sim, int i, double v)
{
    const ss_contact* contact = &sim->model->contacts[i];
    double limit = ss_law_ask(contact->law_entry, ss_law_of(contact), v).limit;
    int last = sim->step.ready ? sim->step.order - 2 : 0;
    if (!contact->loaded) return limit;
    return limit * ss_poly_value(ss_load_series(&sim->inputs, i), 1, last, sim->step.now);
}

// Work done on the contact from the start of the step to s; *size grows by the magnitudes of its terms.
static double work_to(const ss_model* model, const ss_step* step, const ss_bristle* b, double s, double* size)
{
    int m = model->contact_count, last = step->order - 1;
    double sum = 0.0;
    if (b->still || !(s > 0.0)) return 0.0;
    ss_law_energies known = energies_at(model, step, b, s, 0.0);
    *size += known.work_size;
    if (known.works && !contact_of(model, b)->loaded) return known.work;
    for (int j = 0; j < SS_GAUSS_POINTS; j++) {
        double weight, now = ss_gauss_point(j, s, &weight);
        double force = ss_poly_value(step->lambda + b->contact, m, step->order - 2, now);
        double part = weight * force * ss_along_at(b->along.v, last, now);
        sum -= part;
        *size += fabs(part);
    }
    return sum;
}

void ss_bristle_commit(const ss_model* model, const ss_inputs* inputs, ss_sim_def* def, ss_step* step,
                       double s)
{
    for (int j = 0; j < step->laws.bristle_count; j++) {
        ss_bristle* b = &step->laws.bristles[j];
        const ss_contact* contact = contact_of(model, b);
        const double* v = b->along.v;
        int last = step->order - 1;
        double slope;
        if (contact->loaded) b->load = load_at(model, step, inputs, b, s, &slope);
        if (def->ledger) b->work += work_to(model, step, b, s, &b->work_size);
        b->peak = fmax(b->peak, fmax(fabs(ss_along_at(v, last, 0.5 * s)), fabs(ss_along_at(v, last, s))));
        if (contact->law_entry->memory.commit)
            contact->law_entry->memory.commit(ss_law_of(contact), &b->along, degree(model, step, b), s);
        b->along.z[0] = ss_along_at(b->along.z, degree(model, step, b), s);
    }
}

ss_branch ss_sim_branch(const ss_sim* sim, int contact)
{
    ss_branch branch = {.contact = contact};
    if (!ss_is_bristle(&sim->step, contact)) return branch;
    const ss_bristle* b = &sim->step.laws.bristles[sim->step.laws.bristle_at[contact]];
    double s = sim->step.ready ? sim->step.now : 0.0, size = b->work_size;
    branch.from = b->from;
    branch.to = ss_row_dot(&sim->model->contacts[contact].bodies, sim->bodies.out_x);
    branch.work = b->work + (sim->step.ready ? work_to(sim->model, &sim->step, b, s, &size) : 0.0);
    branch.work = ss_clear_rounding(branch.work, size);
    return branch;
}

int ss_bristle_elements(const ss_model* model, const ss_step* step, int i, double out[], bool slips[])
{
    const ss_contact* contact = &model->contacts[i];
    if (!contact->law_entry->elements.now) return 0;
    const ss_bristle* b = &step->laws.bristles[step->laws.bristle_at[i]];
    return contact->law_entry->elements.now(ss_law_of(contact), &b->along, degree(model, step, b),
                                            step->ready ? step->now : 0.0, out, slips);
}

int ss_sim_deflections(const ss_sim* sim, int i, double out[])
{
    return ss_bristle_elements(sim->model, &sim->step, i, out, NULL);
}
