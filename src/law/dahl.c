// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Dahl friction: dF/dy = sigma0 |u|^shape sgn(u) with u = 1 - F sgn(v)/coulomb, a force that depends on the
// way alone. On a monotone way s, du/ds = -(sigma0/coulomb) |u|^shape sgn(u) is solved in closed form.
#include "core/algebra/polynomial.h"
#include "core/algebra/product.h"
#include "core/error.h"
#include "law/formula/formula.h"
#include "share/law.h"
#include "slipstick/bristle.h"

#include <float.h>
#include <math.h>

static const double full_sliding = 2.0 * DBL_EPSILON; // a smaller u is 0

ss_status ss_dahl_check(const ss_dahl* law, ss_error* err)
{
    if (!(law->sigma0 > 0.0 && isfinite(law->sigma0)))
        return ss_fail(err, SS_BAD_INPUT, "sigma0", "must be positive, not %g: bristles are springs",
                       law->sigma0);
    if (!(law->coulomb > 0.0 && isfinite(law->coulomb)))
        return ss_fail(err, SS_BAD_INPUT, "coulomb", "must be positive, not %g: the bristles could not slip",
                       law->coulomb);
    if (!(law->shape > 0.0 && isfinite(law->shape)))
        return ss_fail(err, SS_BAD_INPUT, "shape", "must be positive, not %g", law->shape);
    return SS_OK;
}

// How far from full sliding: 0 there, 2 right after a reversal from it. What rounding leaves of 0 is 0: a
// shape below 1 would make much of it.
static double distance(const ss_dahl* law, double z, double v)
{
    double u = 1.0 - law->sigma0 * z * copysign(1.0, v) / law->coulomb;
    return fabs(u) <= full_sliding ? 0.0 : u;
}

double ss_dahl_rate(const ss_dahl* law, double z, double v)
{
    if (v == 0.0) return 0.0;
    double u = distance(law, z, v);
    return v * copysign(pow(fabs(u), law->shape), u);
}

double ss_dahl_force(const ss_dahl* law, double z) { return -law->sigma0 * z; }

double ss_dahl_loss(const ss_dahl* law, double z, double v)
{
    return law->sigma0 * z * (v - ss_dahl_rate(law, z, v));
}

// Share by which |u| shrinks over a way of r = sigma0 s/coulomb, minus 1: |u|^(1-n) grows by (n-1) r.
// Below n = 1 full sliding is reached and then kept.
static double shrinkage(double u, double n, double r)
{
    if (n == 1.0) return expm1(-r);
    if (isinf(r)) return -1.0;
    double growth = (n - 1.0) * r * pow(u, n - 1.0);
    return growth <= -1.0 ? -1.0 : expm1(-log1p(growth) / (n - 1.0));
}

double ss_dahl_step(const ss_dahl* law, double* z, double v, double dt)
{
    if (!isfinite(v) || !(dt >= 0.0) || !isfinite(dt)) return NAN;
    double u = v == 0.0 || dt == 0.0 ? 0.0 : distance(law, *z, v);
    if (u != 0.0) {
        double way = law->sigma0 / law->coulomb * fabs(v) * dt;
        *z -= copysign(law->coulomb / law->sigma0, v) * u * shrinkage(fabs(u), law->shape, way);
    }
    return ss_dahl_force(law, *z);
}

// ---- the formula

static void formula(const void* law, const ss_formula_point* at, ss_formula_answer* out)
{
    enum { SIGMA0, COULOMB, SHAPE };
    ss_jet spring = ss_jet_mul(at->key[SIGMA0], at->z);
    ss_jet u = ss_jet_sub(ss_jet_number(1.0), ss_jet_div(ss_jet_mul(at->sign, spring), at->key[COULOMB]));
    if (((const ss_dahl*)law)->shape != 1.0)
        u = ss_jet_mul(ss_jet_of(SS_OP_SIGN, u), ss_jet_power(ss_jet_of(SS_OP_ABS, u), at->key[SHAPE]));
    out->rate = ss_jet_mul(at->v, u);
    out->force = ss_jet_neg(spring);
    out->stored = ss_jet_scale(0.5, ss_jet_mul(spring, at->z));
}

// ---- the law at a point

static void at(const void* self, const ss_law_point* point, ss_response* out)
{
    const ss_dahl* law = self;
    double u = 1.0 - point->sign * law->sigma0 * point->z / law->coulomb;
    if (fabs(u) <= full_sliding) u = 0.0;
    double power = copysign(pow(fabs(u), law->shape), u);
    *out = (ss_response){
        .force = -law->sigma0 * point->z, .force_z = -law->sigma0, .rate = point->v * power, .rate_v = power};
    double slope = u != 0.0 ? law->shape * power / u : law->shape == 1.0 ? 1.0 : 0.0;
    out->rate_z = -point->v * slope * point->sign * law->sigma0 / law->coulomb;
}

static void by_numbers_at(const void* self, const void* change, const ss_law_point* point, double* force,
                          double* rate)
{
    const ss_dahl *law = self, *by = change;
    double z = point->z, u = 1.0 - point->sign * law->sigma0 * z / law->coulomb, share;
    if (fabs(u) <= full_sliding) u = 0.0;
    double power = copysign(pow(fabs(u), law->shape), u);
    double slope = u != 0.0 ? law->shape * power / u : law->shape == 1.0 ? 1.0 : 0.0;
    share = -point->sign * z * (by->sigma0 - law->sigma0 * by->coulomb / law->coulomb) / law->coulomb;
    *rate = point->v * slope * share;
    if (by->shape != 0.0 && u != 0.0) *rate += point->v * by->shape * power * log(fabs(u));
    *force = -by->sigma0 * z;
}

// Below shape 1 full sliding is reached, and rate_z, like 1/u^(1-n), is infinite there. Since du'/du follows
// the slope of u^n along the motion, p = du/|u|^n is freed of it; in proportion to coulomb/sigma0 z changes
// as a whole. With k = d ln(coulomb/sigma0) what is left is
//
//     dz = |u|^n p + z k,     p' = sgn u (dv - v k + v ln|u| dn)
static bool measure(const void* self, const void* change, const ss_law_point* point, ss_law_measure* out)
{
    const ss_dahl *law = self, *by = change;
    if (law->shape >= 1.0) return false;
    double u = distance(law, point->z, point->sign), first = point->along->u[0];
    double side = first < 0.0 ? -1.0 : first > 0.0 ? 1.0 : 0.0; // 0: full sliding goes on
    *out = (ss_law_measure){.scale = pow(fabs(u), law->shape), .rate_v = side};
    if (side == 0.0) out->scale = 0.0;
    if (!by) return true;
    double share = by->coulomb / law->coulomb - by->sigma0 / law->sigma0;
    out->offset = point->z * share;
    out->rate = side * point->v * (by->shape * log(fmax(fabs(u), full_sliding)) - share);
    return true;
}

static void facts(const void* self, double v, ss_law_facts* out)
{
    const ss_dahl* law = self;
    (void)v; // the same at every speed
    out->limit = law->coulomb;
    out->steady = law->coulomb / law->sigma0;
    out->stiffness = law->sigma0;
    out->damping = 0.0;
}

// With z' of the series: |u|^n has a kink where full sliding begins.
static void energies(const void* law, const ss_along* along, int last, double s, double v,
                     ss_law_energies* out)
{
    double z, rate, sigma0 = ((const ss_dahl*)law)->sigma0;
    z = ss_poly_both(along->z, 1, last, s, &rate);
    out->stored = 0.5 * sigma0 * z * z;
    out->loss = sigma0 * z * (v - rate);
}

// z'/v = |u|^shape sgn u: it falls or rises with z all the way, so that it is farthest off at an end.
static double share_at(const ss_dahl* law, double z, double sign)
{
    double u = 1.0 - sign * law->sigma0 * z / law->coulomb;
    return copysign(pow(fabs(u), law->shape), u);
}

static void near_rest(const void* law, double z, double dz, double v, ss_law_near_rest* out)
{
    (void)v; // the same at every speed
    *out = (ss_law_near_rest){.off = 0.0};
    for (int k = 0; k < 2; k++) {
        double sign = k == 0 ? 1.0 : -1.0, share = out->share[k] = share_at(law, z, sign);
        for (int end = -1; end <= 1; end += 2)
            out->off = fmax(out->off, fabs(share_at(law, z + end * dz, sign) - share));
    }
}

// ---- the law along a step
//
// z' = v |u|^n sgn u, u = 1 -+ z sigma0/coulomb. u: that; power: |u|^n sgn u.

// Coefficient k of |u|^n sgn(u), from u p' = n u' p.
static double power_coefficient(const ss_dahl* law, const ss_along* along, int k)
{
    double n = law->shape, sum = 0.0;
    if (n == 1.0) return along->u[k];
    if (along->u[0] == 0.0) return 0.0; // full sliding
    if (k == 0) return copysign(pow(fabs(along->u[0]), n), along->u[0]);
    for (int j = 1; j <= k; j++) sum += (n * j - (k - j)) * along->u[j] * along->power[k - j];
    return sum / (k * along->u[0]);
}

static double distance_coefficient(const ss_dahl* law, const ss_along* along, int k)
{
    return (k == 0 ? 1.0 : 0.0) - along->sign * law->sigma0 / law->coulomb * along->z[k];
}

static double series(const void* self, ss_along* along, int k)
{
    const ss_dahl* law = self;
    along->u[k] = distance_coefficient(law, along, k);
    if (k == 0 && fabs(along->u[0]) <= full_sliding) along->u[0] = 0.0;
    along->power[k] = power_coefficient(law, along, k);
    along->z[k + 1] = ss_product(along->v, along->power, k) / (k + 1);
    return -law->sigma0 * along->z[k];
}

// Of shape 1, where z' = v u: others divide by u, which vanishes in full sliding.
static bool slopes(const void* self, const ss_along* along, int last, ss_along_slopes* out)
{
    const ss_dahl* law = self;
    if (law->shape != 1.0) return false;
    double rate_factor = along->sign * law->sigma0 / law->coulomb;
    out->state = true;
    out->by_z = -law->sigma0;
    for (int k = 0; k <= last; k++) {
        out->rate_v[k] = along->u[k];
        out->rate_z[k] = -rate_factor * along->v[k];
    }
    return true;
}

static bool by_numbers(const void* self, const void* change, const ss_along* along, int last, double force[],
                       double rate[])
{
    const ss_dahl *law = self, *by = change;
    if (law->shape != 1.0 || by->shape != 0.0) return false;
    double share = by->sigma0 / law->sigma0 - by->coulomb / law->coulomb; // v u = v - v z sigma0/coulomb
    for (int k = 0; k <= last; k++) {
        rate[k] = -share * (along->v[k] - (k + 1) * along->z[k + 1]);
        force[k] = -by->sigma0 * along->z[k];
    }
    return true;
}

static void update(const void* law, ss_along* along, int from, int last)
{
    for (int k = from; k <= last; k++) along->u[k] = distance_coefficient(law, along, k);
}

// Way left before full sliding begins, m; INFINITY where it has begun or never does. |u|^(1-n) falls in
// proportion to the way. u itself only touches 0 there, as the power 1/(1-n): a search for its zero passes a
// touch by as little as the error of a step.
static double way_left(const ss_dahl* law, const ss_along* along)
{
    double u = fabs(1.0 - along->sign * law->sigma0 / law->coulomb * along->z[0]);
    if (law->shape >= 1.0 || u <= full_sliding) return INFINITY;
    return law->coulomb / law->sigma0 * pow(u, 1.0 - law->shape) / (1.0 - law->shape);
}

static bool ends(const void* law, const ss_along* along, double v, double moved)
{
    (void)v;
    return along->sign * moved > way_left(law, along);
}

static int event(const void* law, const ss_along* along, int which, int order, const double power[],
                 double c[])
{
    (void)which;
    c[0] = way_left(law, along);
    if (isinf(c[0])) return -1;
    for (int k = 1; k <= order; k++) c[k] = -along->sign * along->v[k - 1] / k * power[k];
    return order;
}

// Full sliding is kept once it is reached.
static void arrive(const void* self, ss_along* along, double y, double rounding)
{
    const ss_dahl* law = self;
    double full = law->coulomb / law->sigma0;
    (void)y, (void)rounding;
    if (law->shape >= 1.0) return;
    if (along->yields || fabs(fabs(along->z[0]) - full) <= 4.0 * DBL_EPSILON * full)
        along->z[0] = copysign(full, along->z[0]);
}

// ---- what it says of itself: where its bristles ring it is LuGre without damping, no more than a change of
// way costs

static void report_numbers(const void* self, const ss_law_place* place, ss_law_said* to)
{
    const ss_dahl* law = self;
    ss_law_say_flag(to, "passive", true);
    ss_law_say_number(to, "sigma2_threshold", NAN);
    ss_law_say_number(to, "damping_ratio", isfinite(place->mass) ? 0.0 : NAN);
    ss_law_say_number(to, "residual_amplitude", NAN);
    ss_law_say_number(to, "sigma0", law->sigma0);
    ss_law_say_number(to, "coulomb", law->coulomb);
    ss_law_say_number(to, "shape", law->shape);
}

static void report_words(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_dahl* law = self;
    const char *way = place->way, *unit = place->unit;
    ss_law_words_add(out, "tends to %g %s after some %g %s, bristles of %g %s/%s; passive", law->coulomb,
                     unit, law->coulomb / law->sigma0, way, law->sigma0, unit, way);
    ss_law_words_resonance(out, place, law->sigma0, 0.0);
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

// ---- the row of the law

static const ss_key keys[] = {
    {.name = "sigma0",
     .form = SS_KEY_STIFFNESS,
     .place = offsetof(ss_dahl, sigma0),
     .range = SS_RANGE_POSITIVE,
     .reason = "bristles are springs"},
    {.name = "coulomb",
     .form = SS_KEY_FORCE,
     .place = offsetof(ss_dahl, coulomb),
     .range = SS_RANGE_POSITIVE,
     .reason = "without it the bristles could not slip"},
    {.name = "shape",
     .place = offsetof(ss_dahl, shape),
     .range = SS_RANGE_POSITIVE,
     .optional = true,
     .standard = 1.0},
    {.name = NULL},
};

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    (void)law, (void)with; // a copy of its definition
    return ss_dahl_check(def, err);
}

const ss_law ss_dahl_law = {
    .name = "dahl",
    .traits = SS_TRAIT_BRISTLES | SS_TRAIT_Z,
    .size = sizeof(ss_dahl),
    .keys = {.list = keys, .make = make},
    .formula = formula,
    .facts = facts,
    .point =
        {.at = at, .by_numbers = by_numbers_at, .measure = measure, .ends = ends, .near_rest = near_rest},
    .series = {.next = series, .update = update, .slopes = slopes, .by_numbers = by_numbers},
    .events = {.count = 1, .function = event},
    .memory = {.arrive = arrive},
    .energies = energies,
    .report = {.say = report, .drifts = true},
};
