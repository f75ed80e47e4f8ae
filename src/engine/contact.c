// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What each law contributes to the series of a motion: the bounds of its force while it holds and the force
// itself while it slips, coefficient by coefficient.
#include "engine/flow/fall.h"
#include "engine/sim.h"

#include <float.h>
#include <math.h>

enum { WIDTH = SS_MAX_ORDER + 1 };
enum { FORWARD, BACKWARD, STATIC_FORWARD, STATIC_BACKWARD };

static double coulomb_level(const ss_sim* sim, int i, int which, int k)
{
    const ss_coulomb* law = &sim->model->contacts[i].coulomb;
    if (sim->inputs.level_at[i] >= 0)
        return sim->inputs.level[((size_t)sim->inputs.level_at[i] * 4 + (size_t)which) * WIDTH + (size_t)k];
    if (k > 0) return 0.0;
    switch (which) {
    case FORWARD: return law->forward;
    case BACKWARD: return law->backward;
    case STATIC_FORWARD: return law->static_forward;
    default: return law->static_backward;
    }
}

double ss_hold_low(const ss_sim* sim, int i, int k)
{
    const ss_contact* contact = &sim->model->contacts[i];
    switch (contact->law) {
    case SS_LAW_COULOMB: return -coulomb_level(sim, i, STATIC_FORWARD, k);
    case SS_LAW_STRIBECK: return k > 0 ? 0.0 : -contact->stribeck.static_level;
    case SS_LAW_RIGID_STOP: return contact->rigid_stop.side > 0 ? -INFINITY : 0.0;
    case SS_LAW_HUNT_CROSSLEY:
    case SS_LAW_LUGRE:
    case SS_LAW_DAHL:
    case SS_LAW_MAXWELL_SLIP: break; // their forces are never free to hold
    }
    return 0.0;
}

double ss_hold_high(const ss_sim* sim, int i, int k)
{
    const ss_contact* contact = &sim->model->contacts[i];
    switch (contact->law) {
    case SS_LAW_COULOMB: return coulomb_level(sim, i, STATIC_BACKWARD, k);
    case SS_LAW_STRIBECK: return k > 0 ? 0.0 : contact->stribeck.static_level;
    case SS_LAW_RIGID_STOP: return contact->rigid_stop.side > 0 ? 0.0 : INFINITY;
    case SS_LAW_HUNT_CROSSLEY:
    case SS_LAW_LUGRE:
    case SS_LAW_DAHL:
    case SS_LAW_MAXWELL_SLIP: break;
    }
    return 0.0;
}

double ss_kinetic_low(const ss_sim* sim, int i, int k) { return -coulomb_level(sim, i, FORWARD, k); }
double ss_kinetic_high(const ss_sim* sim, int i, int k) { return coulomb_level(sim, i, BACKWARD, k); }

static double stribeck_slip(ss_sim* sim, int i, int k, double sign)
{
    const ss_stribeck* law = &sim->model->contacts[i].stribeck;
    double* u = sim->laws.fall + (size_t)sim->laws.stribeck_at[i] * 4 * WIDTH;
    double *u2 = u + WIDTH, *p = u2 + WIDTH, *e = p + WIDTH;
    u[k] = sign * ss_relative_velocity(sim, i, k);
    if (k < sim->modes.contacts[i].lead) u[k] = 0.0; // it starts from rest, exactly
    ss_fall_coefficient(law->speed, law->shape, u, u2, p, e, k);
    double level = (law->static_level - law->coulomb) * e[k] + law->viscous * u[k];
    return -sign * (level + (k == 0 ? law->coulomb : 0.0));
}

double ss_stribeck_reach(const ss_sim* sim, double h)
{
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_mode mode = sim->modes.contacts[i].mode;
        if (sim->laws.stribeck_at[i] < 0 || (mode != SS_MODE_SLIP_PLUS && mode != SS_MODE_SLIP_MINUS))
            continue;
        const ss_stribeck* law = &sim->model->contacts[i].stribeck;
        const double *u = sim->laws.fall + (size_t)sim->laws.stribeck_at[i] * 4 * WIDTH, *p = u + 2 * WIDTH;
        h = ss_fall_reach(law->speed, law->shape, u, p, sim->step.order - 1,
                          64.0 * DBL_EPSILON * fabs(sim->step.t), h);
    }
    return h;
}

void ss_start_slip(ss_sim* sim, int i)
{
    if (sim->laws.stribeck_at[i] < 0) return;
    double* series = sim->laws.fall + (size_t)sim->laws.stribeck_at[i] * 4 * WIDTH;
    for (int j = 0; j < 4 * WIDTH; j++) series[j] = 0.0;
    series[3 * WIDTH] = 1.0; // exp(-0)
}

double ss_slip_force(ss_sim* sim, int i, int k)
{
    bool plus = sim->modes.contacts[i].mode == SS_MODE_SLIP_PLUS;
    if (sim->laws.stribeck_at[i] >= 0) return stribeck_slip(sim, i, k, plus ? 1.0 : -1.0);
    return plus ? -coulomb_level(sim, i, FORWARD, k) : coulomb_level(sim, i, BACKWARD, k);
}
