// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Contacts with bristles along a step: series of their states and forces, energies. With the sign of v fixed
// all formulas are analytic.
//
//     LuGre   z' = v - sigma0 w,  g w = |v| z           force -(sigma0 z + sigma1 z' + sigma2 v)
//     Dahl    z' = v |u|^n sgn u, u = 1 -+ z sigma0/Fc  force -sigma0 z
//     Maxwell                                           force -(F + K (y - y0)) up to where the next element
//     slips
#include "flow/bristle.h"
#include "flow/fall.h"
#include "flow/quadrature.h"

#include <float.h>
#include <math.h>

static const ss_contact* contact_of(const ss_sim* sim, const ss_bristle* b)
{
    return &sim->model->contacts[b->contact];
}

static double sign_of(const ss_sim* sim, const ss_bristle* b)
{
    return sim->contacts[b->contact].mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
}

// ---- coefficients

// Coefficient k of v; what vanishes by decision vanishes exactly.
static double velocity(const ss_sim* sim, const ss_bristle* b, int k)
{
    if (b->turning || b->still || k < sim->contacts[b->contact].lead) return 0.0;
    return ss_relative_velocity(sim, b->contact, k);
}

static double lugre_coefficient(ss_sim* sim, ss_bristle* b, int k)
{
    const ss_lugre* law = &contact_of(sim, b)->lugre;
    double v = velocity(sim, b, k), g = law->coulomb, rest = 0.0;
    b->u[k] = sign_of(sim, b) * v;
    b->pull[k] = ss_product(b->u, b->z, k);
    if (law->static_level > law->coulomb) {
        double drop = law->static_level - law->coulomb;
        b->fall[k] = ss_fall_coefficient(law->speed, law->shape, b->u, b->square, b->power, b->fall, k);
        g += drop * b->fall[0];
        for (int j = 1; j <= k; j++) rest += b->fall[j] * b->slip[k - j];
        rest *= drop;
    }
    b->slip[k] = (b->pull[k] - rest) / g;
    double rate = v - law->sigma0 * b->slip[k];
    b->z[k + 1] = rate / (k + 1);
    return -(law->sigma0 * b->z[k] + law->sigma1 * rate + law->sigma2 * v);
}

// Coefficient k of |u|^n sgn(u), from u p' = n u' p.
static double dahl_power(const ss_dahl* law, const ss_bristle* b, int k)
{
    double n = law->shape, sum = 0.0;
    if (n == 1.0) return b->u[k];
    if (b->u[0] == 0.0) return 0.0; // full sliding
    if (k == 0) return copysign(pow(fabs(b->u[0]), n), b->u[0]);
    for (int j = 1; j <= k; j++) sum += (n * j - (k - j)) * b->u[j] * b->power[k - j];
    return sum / (k * b->u[0]);
}

static double dahl_coefficient(ss_sim* sim, ss_bristle* b, int k)
{
    const ss_dahl* law = &contact_of(sim, b)->dahl;
    b->u[k] = (k == 0 ? 1.0 : 0.0) - sign_of(sim, b) * law->sigma0 / law->coulomb * b->z[k];
    if (k == 0 && fabs(b->u[0]) <= 2.0 * DBL_EPSILON) b->u[0] = 0.0;
    b->power[k] = dahl_power(law, b, k);
    b->slip[k] = velocity(sim, b, k);
    b->z[k + 1] = ss_product(b->slip, b->power, k) / (k + 1);
    return -law->sigma0 * b->z[k];
}

static double maxwell_coefficient(const ss_sim* sim, ss_bristle* b, int k)
{
    double sign = sign_of(sim, b), way = k == 0 ? 0.0 : sign * velocity(sim, b, k - 1) / k;
    if (b->memory.direction == 0) // it has never moved
        return k == 0 ? ss_maxwell_slip_force(&contact_of(sim, b)->maxwell_slip, &b->memory) : 0.0;
    return -b->memory.direction * ss_maxwell_curve_coefficient(b, way, k);
}

static double force_coefficient(ss_sim* sim, ss_bristle* b, int k)
{
    switch (contact_of(sim, b)->law) {
    case SS_LAW_LUGRE: return lugre_coefficient(sim, b, k);
    case SS_LAW_DAHL: return dahl_coefficient(sim, b, k);
    default: return maxwell_coefficient(sim, b, k);
    }
}

void ss_add_bristle_forces(ss_sim* sim, int k)
{
    int m = sim->model->contact_count;
    for (int j = 0; j < sim->bristle_count; j++) {
        ss_bristle* b = &sim->bristles[j];
        double force = force_coefficient(sim, b, k);
        sim->lambda[(size_t)k * (size_t)m + (size_t)b->contact] = force;
        if (force != 0.0) ss_add_force(sim, b->contact, force);
    }
}

void ss_bristle_redo_series(ss_sim* sim, ss_bristle* b, int k)
{
    for (int j = 0; j <= k; j++) (void)force_coefficient(sim, b, j);
}

// A fractional shape is not analytic at v = 0 and was left out of the series there. With |v| = a s^k it
// changes z by |v| s (|v|/speed)^shape at most: less than a rounding up to here.
static double quiet_reach(const ss_lugre* law, const double u[], double h)
{
    double n = law->shape, unnoticed = 1e-17 * law->static_level / law->sigma0;
    for (int k = 1; k < 3; k++)
        if (u[k] != 0.0)
            h = fmin(h,
                     pow(unnoticed * pow(law->speed / fabs(u[k]), n) / fabs(u[k]), 1.0 / (1.0 + k + k * n)));
    return h;
}

// A contact of moving bodies stands still as far as rounding tells; what its velocity gathers by
// accelerations too small to tell must stay within rounding, too.
static double still_reach(const ss_sim* sim, const ss_bristle* b, double h)
{
    double rounding = ss_velocity_rounding(sim, b->contact),
           a = fabs(ss_relative_velocity(sim, b->contact, 1));
    return rounding > 0.0 && a * h > rounding ? rounding / a : h;
}

double ss_bristle_reach(const ss_sim* sim, double h)
{
    for (int j = 0; j < sim->bristle_count; j++) {
        const ss_bristle* b = &sim->bristles[j];
        const ss_lugre* law = &contact_of(sim, b)->lugre;
        if (b->still) h = still_reach(sim, b, h);
        if (contact_of(sim, b)->law != SS_LAW_LUGRE || b->still || law->static_level == law->coulomb)
            continue;
        if (ss_fall_is_quiet(law->shape, b->power))
            h = quiet_reach(law, b->u, h);
        else
            h = ss_fall_reach(law->speed, law->shape, b->u, b->power, sim->order - 1, h);
    }
    return h;
}

void ss_bristle_follow_series(ss_sim* sim)
{
    for (int j = 0; j < sim->bristle_count; j++) {
        ss_bristle* b = &sim->bristles[j];
        const ss_dahl* law = &contact_of(sim, b)->dahl;
        if (contact_of(sim, b)->law != SS_LAW_DAHL) continue;
        for (int k = 0; k < sim->order; k++)
            b->u[k] = (k == 0 ? 1.0 : 0.0) - sign_of(sim, b) * law->sigma0 / law->coulomb * b->z[k];
    }
}

// ---- events

int ss_bristle_function(const ss_sim* sim, int i, const double power[], double c[])
{
    const ss_bristle* b = &sim->bristles[sim->bristle_at[i]];
    const ss_contact* contact = contact_of(sim, b);
    int degree = sim->order - 2;
    if (b->still) return -1;
    if (contact->law == SS_LAW_DAHL && contact->dahl.shape < 1.0 && b->u[0] != 0.0) {
        for (int k = 0; k <= degree; k++) c[k] = copysign(1.0, b->u[0]) * b->u[k] * power[k];
        return degree;
    }
    if (contact->law != SS_LAW_MAXWELL_SLIP || isinf(b->branch.length)) return -1;
    c[0] = b->branch.length;
    for (int k = 1; k <= sim->order; k++) c[k] = -sign_of(sim, b) * velocity(sim, b, k - 1) / k * power[k];
    return sim->order;
}

// ---- states and energies at a time of the step

static double at(const double series[], int order, double s)
{
    double sum = 0.0;
    for (int k = order; k >= 0; k--) sum = sum * s + series[k];
    return sum;
}

// Way gone since the start of the step, in the direction of the mode.
static double way_at(const ss_sim* sim, const ss_bristle* b, double s)
{
    double sum = 0.0;
    for (int k = sim->order; k >= 1; k--) sum = (sum + velocity(sim, b, k - 1) / k) * s;
    return b->still ? 0.0 : sign_of(sim, b) * sum;
}

static double z_at(const ss_sim* sim, const ss_bristle* b, double s)
{
    return sim->ready && !b->still ? at(b->z, sim->order - 1, s) : b->z[0];
}

void ss_bristle_describe(const ss_sim* sim, int i, ss_contact_state* out)
{
    const ss_bristle* b = &sim->bristles[sim->bristle_at[i]];
    if (contact_of(sim, b)->law != SS_LAW_MAXWELL_SLIP) out->z = z_at(sim, b, sim->now);
    if (!b->still) return;
    out->mode = SS_MODE_STICK;
    out->velocity = 0.0;
}

// The elements at a time of the step: unless the branch is smooth, none slips on it that does not at its
// start.
static ss_maxwell_state elements_at(const ss_sim* sim, const ss_bristle* b, double s)
{
    ss_maxwell_state moved = b->memory;
    if (!sim->ready) return moved;
    double y = moved.y + sign_of(sim, b) * way_at(sim, b, s);
    if (b->smooth && moved.direction * (y - moved.y) > 0.0)
        ss_maxwell_slip_move(&contact_of(sim, b)->maxwell_slip, &moved, y);
    moved.y = y;
    return moved;
}

double ss_bristle_energy(const ss_sim* sim, const ss_bristle* b, double s)
{
    const ss_contact* contact = contact_of(sim, b);
    if (contact->law == SS_LAW_MAXWELL_SLIP) {
        ss_maxwell_state moved = elements_at(sim, b, s);
        return ss_maxwell_slip_energy(&contact->maxwell_slip, &moved);
    }
    double z = z_at(sim, b, s),
           stiffness = contact->law == SS_LAW_LUGRE ? contact->lugre.sigma0 : contact->dahl.sigma0;
    return 0.5 * stiffness * z * z;
}

double ss_bristle_loss(const ss_sim* sim, const ss_bristle* b, double s, double v)
{
    const ss_contact* contact = contact_of(sim, b);
    if (b->still) return 0.0;
    if (contact->law == SS_LAW_LUGRE) return ss_lugre_loss(&contact->lugre, z_at(sim, b, s), v);
    if (contact->law == SS_LAW_DAHL) return ss_dahl_loss(&contact->dahl, z_at(sim, b, s), v);
    return 0.0;
}

double ss_bristle_lost(const ss_sim* sim, const ss_bristle* b, double s)
{
    if (contact_of(sim, b)->law != SS_LAW_MAXWELL_SLIP || b->still) return 0.0;
    return ss_maxwell_lost(sim, b, way_at(sim, b, s));
}

double ss_bristle_limit(const ss_sim* sim, int i, double v)
{
    const ss_contact* contact = &sim->model->contacts[i];
    if (contact->law == SS_LAW_LUGRE) return ss_lugre_level(&contact->lugre, v);
    if (contact->law == SS_LAW_DAHL) return contact->dahl.coulomb;
    return contact->maxwell_slip.sums[contact->maxwell_slip.count].slip;
}

// Work done on the contact from the start of the step to s.
static double work_to(const ss_sim* sim, const ss_bristle* b, double s)
{
    int m = sim->model->contact_count;
    double sum = 0.0;
    if (b->still || !(s > 0.0)) return 0.0;
    if (contact_of(sim, b)->law == SS_LAW_MAXWELL_SLIP && !b->smooth) {
        double way = way_at(sim, b, s);
        return way * (b->branch.force + 0.5 * b->branch.stiffness * way);
    }
    for (int j = 0; j < 2 * SS_GAUSS_HALF; j++) {
        double force = 0.0, v = 0.0, weight, now = ss_gauss_point(j, s, &weight);
        for (int k = sim->order - 2; k >= 0; k--)
            force = force * now + sim->lambda[(size_t)k * (size_t)m + (size_t)b->contact];
        for (int k = sim->order - 1; k >= 0; k--) v = v * now + velocity(sim, b, k);
        sum -= weight * force * v;
    }
    return sum;
}

static double speed_at(const ss_sim* sim, const ss_bristle* b, double s)
{
    double v = 0.0;
    for (int k = sim->order - 1; k >= 0; k--) v = v * s + velocity(sim, b, k);
    return v;
}

void ss_bristle_commit(ss_sim* sim, double s)
{
    for (int j = 0; j < sim->bristle_count; j++) {
        ss_bristle* b = &sim->bristles[j];
        if (sim->def.ledger) b->work += work_to(sim, b, s);
        b->peak = fmax(b->peak, fmax(fabs(speed_at(sim, b, 0.5 * s)), fabs(speed_at(sim, b, s))));
        b->z[0] = z_at(sim, b, s);
    }
}

ss_branch ss_sim_branch(const ss_sim* sim, int contact)
{
    ss_branch branch = {.contact = contact};
    if (!ss_is_bristle(sim, contact)) return branch;
    const ss_bristle* b = &sim->bristles[sim->bristle_at[contact]];
    double s = sim->ready ? sim->now : 0.0;
    branch.from = b->from;
    branch.to = ss_row_dot(&sim->model->contacts[contact].bodies, sim->out_x);
    branch.work = b->work + (sim->ready ? work_to(sim, b, s) : 0.0);
    return branch;
}

int ss_sim_deflections(const ss_sim* sim, int contact, double out[])
{
    const ss_maxwell_slip* law = &sim->model->contacts[contact].maxwell_slip;
    if (sim->model->contacts[contact].law != SS_LAW_MAXWELL_SLIP) return 0;
    ss_maxwell_state now = elements_at(sim, &sim->bristles[sim->bristle_at[contact]], sim->now);
    if (out) ss_maxwell_slip_deflections(law, &now, out);
    return law->count;
}
