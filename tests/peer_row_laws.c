// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "peer_row_modes.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double fall(double coulomb, double rest, double speed, double shape, double s)
{
    return coulomb + (rest - coulomb) * exp(-pow(fabs(s) / speed, shape));
}

double peer_row_lugre_level(const ss_lugre* l, double s)
{
    return fall(l->coulomb, l->static_level, l->speed, l->shape, s);
}

double peer_row_gms_level(const ss_gms* l, double s)
{
    return fall(l->coulomb, l->static_level, l->speed, l->shape, s);
}

double peer_row_at_rest(const ss_contact_def* law)
{
    if (!law) return 0.0;
    return law->law == SS_LAW_COULOMB    ? law->coulomb.forward
           : law->law == SS_LAW_STRIBECK ? law->stribeck.static_level
                                         : law->curve.side[0].force[0];
}

static double curve_level(const ss_curve_side* side, int piece, double s)
{
    const double *u = side->speed + piece, *f = side->force + piece;
    return piece == side->count - 1 ? f[0] : f[0] + (f[1] - f[0]) * (s - u[0]) / (u[1] - u[0]);
}

// The share of slip that is plastic, by x in the direction of motion; pieces 0 to 2: none, between, all.
static double plastic(int piece, double x, double breakaway, double full)
{
    if (piece != 1) return piece == 0 ? 0.0 : 1.0;
    return 0.5 + 0.5 * sin(pi * (x - 0.5 * (full + breakaway)) / (full - breakaway));
}

static double maxwell(const ss_maxwell_def* l, const block_mode* m, double s, const double z[], double rate[])
{
    double force = 0.0;
    for (int k = 0; k < l->count; k++) {
        rate[k] = m->slips[k] ? 0.0 : s;
        force -= l->stiffness[k] * z[k];
    }
    return force;
}

static double gms(const ss_gms* l, const block_mode* m, double s, const double z[], double rate[])
{
    double force = -l->viscous * s, level = peer_row_gms_level(l, s);
    for (int k = 0; k < l->count; k++) {
        rate[k] = m->slips[k] ? m->way * l->attraction * (l->share[k] - m->way * z[k] / level)
                              : l->stiffness[k] * s;
        force -= z[k];
    }
    return force;
}

double peer_row_rub(const ss_contact_def* c, const block_mode* m, double s, const double z[], double rate[])
{
    double fast = m->way * s; // |s|, and smooth beyond 0
    switch (c->law) {
    case SS_LAW_COULOMB: return -m->way * c->coulomb.forward;
    case SS_LAW_STRIBECK: {
        const ss_stribeck* l = &c->stribeck;
        return -m->way * (fall(l->coulomb, l->static_level, l->speed, l->shape, s) + l->viscous * fast);
    }
    case SS_LAW_CURVE: return -m->way * curve_level(&c->curve.side[0], m->piece, fast);
    case SS_LAW_LUGRE:
        rate[0] = s - c->lugre.sigma0 * fast / peer_row_lugre_level(&c->lugre, s) * z[0];
        return -(c->lugre.sigma0 * z[0] + c->lugre.sigma1 * rate[0] + c->lugre.sigma2 * s);
    case SS_LAW_ELASTO_PLASTIC: {
        const ss_lugre* l = &c->elasto_plastic.lugre;
        double full = peer_row_lugre_level(l, s) / l->sigma0, x = m->way * z[0];
        rate[0] = s * (1.0 - plastic(m->piece, x, c->elasto_plastic.breakaway, full) * x / full);
        return -(l->sigma0 * z[0] + l->sigma1 * rate[0] + l->sigma2 * s);
    }
    case SS_LAW_DAHL: {
        double u = 1.0 - c->dahl.sigma0 * z[0] * m->way / c->dahl.coulomb;
        rate[0] = m->full ? 0.0 : s * copysign(pow(fabs(u), c->dahl.shape), u);
        return -c->dahl.sigma0 * z[0];
    }
    case SS_LAW_MAXWELL_SLIP: return maxwell(&c->maxwell_slip, m, s, z, rate);
    case SS_LAW_GMS: return gms(&c->gms, m, s, z, rate);
    default: return 0.0;
    }
}

push peer_row_push(const ss_contact_def* c, double x, double v)
{
    bool hunt = c->law == SS_LAW_HUNT_CROSSLEY;
    double position = hunt ? c->hunt_crossley.position : c->elastic_stop.position;
    int side = hunt ? c->hunt_crossley.side : c->elastic_stop.side;
    push f = {.p = side * (x - position), .rate = side * v};
    f.spring = (hunt ? c->hunt_crossley.stiffness : c->elastic_stop.stiffness) *
               pow(fabs(f.p), hunt ? c->hunt_crossley.exponent : c->elastic_stop.exponent);
    f.damper = hunt ? 1.5 * c->hunt_crossley.alpha * f.rate * f.spring : c->elastic_stop.damping * f.rate;
    return f;
}

double peer_row_stop_force(const ss_contact_def* c, stop_mode mode, double x, double v)
{
    if (c->law == SS_LAW_RIGID_STOP || mode == OPEN || mode == CUT_OFF) return 0.0;
    push f = peer_row_push(c, x, v);
    int side = c->law == SS_LAW_HUNT_CROSSLEY ? c->hunt_crossley.side : c->elastic_stop.side;
    return -side * (mode == LIMITED ? 2.0 * f.spring : f.spring + f.damper);
}
