// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// LuGre friction.
//
//  paper    here     unit   meaning
//  z        z        m      mean bristle deflection
//  sigma_0  sigma0   N/m    bristle stiffness
//  sigma_1  sigma1   N*s/m  bristle damping
//  sigma_2  sigma2   N*s/m  viscous friction
//  F_c      coulomb  N      steady force of fast sliding
//  F_s      static_level N  steady force of slow sliding
//  V_s, mu  speed, shape    where and how the force falls
//  [R15]    Ruderman, Mechatronics (2015): (2) force, (3) state, (4) g, (5) and (6) dissipativity
#include "law/lugre.h"
#include "core/algebra/product.h"
#include "core/error.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "law/fall.h"
#include "law/table.h"
#include "share/law.h"
#include "slipstick/bristle.h"

#include <math.h>
#include <stdio.h>

static bool is_at_least(double value, double least) { return value >= least && isfinite(value); }

ss_status ss_lugre_check(const ss_lugre* law, ss_error* err)
{
    if (!(law->sigma0 > 0.0 && isfinite(law->sigma0)))
        return ss_fail(err, SS_BAD_INPUT, "sigma0", "must be positive, not %g: bristles are springs",
                       law->sigma0);
    if (!is_at_least(law->sigma1, 0.0))
        return ss_fail(err, SS_BAD_INPUT, "sigma1",
                       "must be a number >= 0, not %g: it would feed the bristles", law->sigma1);
    if (!is_at_least(law->sigma2, 0.0))
        return ss_fail(err, SS_BAD_INPUT, "sigma2", "must be a number >= 0, not %g: it would push the motion",
                       law->sigma2);
    if (!(law->coulomb > 0.0 && isfinite(law->coulomb)))
        return ss_fail(err, SS_BAD_INPUT, "coulomb", "must be positive, not %g: the bristles could not slip",
                       law->coulomb);
    if (!is_at_least(law->static_level, law->coulomb))
        return ss_fail(err, SS_BAD_INPUT, "static", "must be at least coulomb (%g), not %g", law->coulomb,
                       law->static_level);
    if (law->static_level > law->coulomb && isnan(law->speed))
        return ss_fail(err, SS_BAD_INPUT, "stribeck_speed",
                       "is missing; static is above coulomb, so the force falls around some speed");
    if (law->static_level > law->coulomb && !(law->speed > 0.0 && isfinite(law->speed)))
        return ss_fail(err, SS_BAD_INPUT, "stribeck_speed", "must be positive, not %g", law->speed);
    if (!(law->shape > 0.0 && isfinite(law->shape)))
        return ss_fail(err, SS_BAD_INPUT, "shape",
                       "must be positive, not %g: below 0 the curve runs backwards, from coulomb to static",
                       law->shape);
    return SS_OK;
}

double ss_lugre_level(const ss_lugre* law, double v)
{
    if (law->static_level == law->coulomb) return law->coulomb;
    double fall = exp(-pow(fabs(v) / law->speed, law->shape));
    return law->coulomb + (law->static_level - law->coulomb) * fall; // [R15, (4)]
}

double ss_lugre_rate(const ss_lugre* law, double z, double v)
{
    return v - fabs(v) * (law->sigma0 * z / ss_lugre_level(law, v)); // [R15, (3)]
}

double ss_lugre_force(const ss_lugre* law, double z, double v)
{
    return -(law->sigma0 * z + law->sigma1 * ss_lugre_rate(law, z, v) + law->sigma2 * v); // [R15, (2)]
}

double ss_lugre_loss(const ss_lugre* law, double z, double v)
{
    double force = law->sigma0 * z;
    return force * force * fabs(v) / ss_lugre_level(law, v) + law->sigma1 * ss_lugre_rate(law, z, v) * v +
           law->sigma2 * v * v;
}

// z(h) = z_ss + (z - z_ss) exp(-h/tau) with tau = g/(sigma0 |v|) and z_ss = sgn(v) g/sigma0; expm1 keeps the
// digits while h << tau. What overflows in h/tau has relaxed.
double ss_lugre_step(const ss_lugre* law, double* z, double v, double dt)
{
    if (!isfinite(v) || !(dt >= 0.0) || !isfinite(dt)) return NAN;
    if (v != 0.0 && dt > 0.0) {
        double g = ss_lugre_level(law, v), steady = copysign(g / law->sigma0, v);
        *z += (*z - steady) * expm1(-(law->sigma0 / g * fabs(v)) * dt);
    }
    return ss_lugre_force(law, *z, v);
}

double ss_lugre_threshold(const ss_lugre* law)
{
    return law->sigma1 * (law->static_level - law->coulomb) / law->coulomb;
}

// (6) with its worst g, coulomb; written so that sigma1 = 0 needs no exception.
bool ss_lugre_is_passive(const ss_lugre* law) { return law->sigma2 >= ss_lugre_threshold(law); }

double ss_lugre_damping_ratio(const ss_lugre* law, double mass)
{
    return (law->sigma1 + law->sigma2) / (2.0 * sqrt(law->sigma0 * mass));
}

// ---- the formula

ss_jet ss_lugre_formula_level(const ss_formula_point* at)
{
    const ss_jet* key = at->key; // [R15, (4)]
    return ss_fall_level(key[SS_COULOMB], key[SS_STATIC], key[SS_SPEED], key[SS_SHAPE], at->speed);
}

void ss_lugre_formula_force(const ss_formula_point* at, ss_formula_answer* out)
{
    const ss_jet* key = at->key; // [R15, (2)]
    ss_jet spring = ss_jet_mul(key[SS_SIGMA0], at->z), damper = ss_jet_mul(key[SS_SIGMA1], out->rate);
    out->force = ss_jet_neg(ss_jet_add(ss_jet_add(spring, damper), ss_jet_mul(key[SS_SIGMA2], at->v)));
    out->stored = ss_jet_scale(0.5, ss_jet_mul(spring, at->z));
}

static void formula(const void* law, const ss_formula_point* at, ss_formula_answer* out)
{
    ss_jet spring = ss_jet_mul(at->key[SS_SIGMA0], at->z);
    ss_jet slip = ss_jet_div(ss_jet_mul(at->speed, spring), ss_lugre_formula_level(at));
    (void)law;
    out->rate = ss_jet_sub(at->v, slip); // [R15, (3)]
    ss_lugre_formula_force(at, out);
}

// ---- the law at a point

double ss_lugre_level_and_slope(const ss_lugre* law, double u, double* slope)
{
    double drop = law->static_level - law->coulomb;
    *slope = 0.0;
    if (drop == 0.0) return law->coulomb;
    double level = law->coulomb + drop * ss_fall_at(law->speed, law->shape, u, slope);
    *slope *= drop;
    return level;
}

static void at(const void* self, const ss_law_point* point, ss_response* out)
{
    const ss_lugre* law = self;
    double v = point->v, z = point->z, u = point->sign * v, slope,
           g = ss_lugre_level_and_slope(law, u, &slope);
    double w = u * z / g;
    out->rate = v - law->sigma0 * w;
    out->rate_z = -law->sigma0 * u / g;
    out->rate_v = 1.0 - law->sigma0 * point->sign * (z - w * slope) / g;
    out->force = -(law->sigma0 * z + law->sigma1 * out->rate + law->sigma2 * v);
    out->force_z = -(law->sigma0 + law->sigma1 * out->rate_z);
    out->force_v = -(law->sigma1 * out->rate_v + law->sigma2);
    out->force_y = 0.0;
}

double ss_lugre_level_change(const ss_lugre* law, const ss_lugre* by, double u)
{
    double drop = law->static_level - law->coulomb, more = by->static_level - by->coulomb, slope;
    double level = by->coulomb;
    if (more != 0.0) level += more * ss_fall_at(law->speed, law->shape, u, &slope);
    if (drop != 0.0 && (by->speed != 0.0 || by->shape != 0.0))
        level += drop * ss_fall_change_at(law->speed, law->shape, u, by->speed, by->shape);
    return level;
}

static void by_numbers_at(const void* self, const void* change, const ss_law_point* point, double* force,
                          double* rate)
{
    const ss_lugre *law = self, *by = change;
    double v = point->v, z = point->z, u = point->sign * v, slope;
    double g = ss_lugre_level_and_slope(law, u, &slope), w = u * z / g;
    *rate = -by->sigma0 * w + law->sigma0 * w * ss_lugre_level_change(law, by, u) / g;
    *force = -(by->sigma0 * z + by->sigma1 * (v - law->sigma0 * w) + by->sigma2 * v + law->sigma1 * *rate);
}

static void facts(const void* self, double v, ss_law_facts* out)
{
    const ss_lugre* law = self;
    out->limit = ss_lugre_level(law, v);
    out->steady = out->limit / law->sigma0;
    out->stiffness = law->sigma0;
    out->damping = law->sigma1;
}

static void energies(const void* self, const ss_along* along, int last, double s, double v,
                     ss_law_energies* out)
{
    const ss_lugre* law = self;
    double z = ss_along_at(along->z, last, s);
    out->stored = 0.5 * law->sigma0 * z * z;
    out->loss = ss_lugre_loss(law, z, v);
}

double ss_lugre_slope_bound(const ss_lugre* law, double v)
{
    double drop = law->static_level - law->coulomb;
    return drop == 0.0 ? 0.0 : drop * law->shape * pow(fabs(v) / law->speed, law->shape);
}

// z'/v = 1 - sgn(v) sigma0 z/g. Its derivatives are -sgn(v) sigma0/g by z and sgn(v) sigma0 z g'/g^2 by v,
// and z'' = (z'/v) v' + v (z'/v)'.
static void near_rest(const void* self, double z, double dz, double v, ss_law_near_rest* out)
{
    const ss_lugre* law = self;
    double creep = law->sigma0 * z / law->static_level, low = ss_lugre_level(law, v);
    double most = law->sigma0 * (fabs(z) + dz) / low;
    out->share[0] = 1.0 - creep;
    out->share[1] = 1.0 + creep;
    out->off = most - fabs(creep);
    out->off_a = out->off + most * ss_lugre_slope_bound(law, v) / low;
    out->off_v = law->sigma0 / low * (1.0 + most) * fabs(v);
}

// A level that falls by a fractional power of the speed is not defined beyond v = 0.
static bool ends(const void* self, const ss_along* along, double v, double moved)
{
    const ss_lugre* law = self;
    (void)moved;
    return along->sign * v < 0.0 && law->static_level > law->coulomb && !ss_power_is_whole(law->shape);
}

// ---- the law along a step
//
// z' = v - sigma0 w with g w = |v| z, order by order. u: |v|; square: |v|^2; power: (|v|/speed)^shape; fall:
// exp(-power); slip: w; mirror: z backwards from its end on, so that products read both arrays forwards;
// rate_factor: where g is constant, 1/g with the sign of v; level: g at the start, where it falls with speed.

// Sum of v_j z_(k-j), j = first .. last: two terms at a time can be taken.
static inline double pull_terms(const ss_along* along, int k, int first, int last)
{
    const double *v = along->v, *z = along->mirror + (SS_MAX_ORDER - k);
    double sum[4] = {0.0, 0.0, 0.0, 0.0}, rest = 0.0;
    int j = first;
    for (; j + 3 <= last; j += 4)
        for (int l = 0; l < 4; l++) sum[l] += v[j + l] * z[j + l];
    for (; j <= last; j++) rest += v[j] * z[j];
    return ((sum[0] + sum[2]) + (sum[1] + sum[3])) + rest;
}

// Coefficient k of |v| z / g where g falls with speed; pull is that of v z.
static double falling_slip(const ss_lugre* law, ss_along* along, double pull, int k)
{
    double sign = along->sign, drop = law->static_level - law->coulomb, rest = 0.0;
    along->u[k] = sign * along->v[k];
    along->fall[k] =
        ss_fall_coefficient(law->speed, law->shape, along->u, along->square, along->power, along->fall, k);
    if (k == 0) along->level = law->coulomb + drop * along->fall[0];
    for (int j = 1; j <= k; j++) rest += along->fall[j] * along->slip[k - j];
    return (sign * pull - drop * rest) / along->level;
}

static double series(const void* self, ss_along* along, int k)
{
    const ss_lugre* law = self;
    double v = along->v[k], share = 1.0 / (k + 1), pull;
    along->mirror[SS_MAX_ORDER - k] = along->z[k];
    pull = pull_terms(along, k, 0, k);
    if (law->static_level > law->coulomb) {
        along->slip[k] = falling_slip(law, along, pull, k);
    } else {
        if (k == 0) along->rate_factor = along->sign / law->coulomb;
        along->slip[k] = pull * along->rate_factor;
    }
    double rate = v - law->sigma0 * along->slip[k];
    along->z[k + 1] = rate * share; // times 1/(k + 1): no division waits for another
    return -(law->sigma0 * along->z[k] + law->sigma1 * rate + law->sigma2 * v);
}

// out/g
static void divide_by_level(const ss_lugre* law, const ss_along* along, int last, double out[])
{
    double level[SS_ALONG], drop = law->static_level - law->coulomb;
    for (int k = 0; k <= last && drop == 0.0; k++) out[k] /= law->coulomb;
    if (drop == 0.0) return;
    for (int k = 1; k <= last; k++) level[k] = drop * along->fall[k];
    level[0] = along->level;
    ss_divide_series(level, last, out);
}

// One mass and a constant level: each coefficient waits for the one before, so what does not depend on that
// is out of the way, and the newest coefficients stay in registers.
static bool alone(const void* self, ss_along* along, const ss_law_mass* mass, int from, int last)
{
    const ss_lugre* law = self;
    if (law->static_level != law->coulomb) return false;
    double rate_factor = law->sigma0 * along->rate_factor, *q = mass->q, *v = along->v, *z = along->z;
    double stiffness = mass->stiffness, damper = mass->damping, row = mass->row, mobility = mass->mobility;
    double z_last = z[from], v_last = v[from - 1],
           v_now = from < mass->lead ? 0.0 : (from + 1) * (row * q[from + 1]);
    for (int k = from; k <= last; k++) {
        double share = 1.0 / (k + 1), next = 1.0 / (k + 2);
        along->mirror[SS_MAX_ORDER - k] = z_last;
        v[k] = v_now;
        double pull = (pull_terms(along, k, 2, k - 2) + (v_last * z[1] + v[1] * z[k - 1] * (k > 2))) +
                      v[0] * z_last + v_now * z[0];
        double rate = v_now - rate_factor * pull;
        double force = -(law->sigma0 * z_last + law->sigma2 * v_now + law->sigma1 * rate);
        double springs = stiffness * q[k] + damper * ((k + 1) * q[k + 1]);
        double speed = (mobility * force - springs) * share; // coefficient k + 1 of the speed
        q[k + 2] = speed * next;
        mass->force[k * mass->stride] = force;
        v_last = v_now;
        z[k + 1] = z_last = rate * share;
        v_now = k + 1 < mass->lead ? 0.0 : row * speed;
    }
    return true;
}

// With g the level, r = |v|/g, w = r z (slip) and g' its slope by |v|, order by order:
//
//     rate_z = -sigma0 r,     rate_v = 1 - sigma0 sgn(v) (z - w g')/g
static bool slopes(const void* self, const ss_along* along, int last, ss_along_slopes* out)
{
    const ss_lugre* law = self;
    double drop = law->static_level - law->coulomb, rate_factor = law->sigma0 * along->sign, slope[SS_ALONG];
    out->state = true;
    out->by_v = -law->sigma2;
    out->by_z = -law->sigma0;
    out->by_rate = -law->sigma1;
    bool falls = drop > 0.0;
    if (falls && !ss_fall_slopes(law->speed, law->shape, along->u, along->square, along->fall, last, slope))
        return false;
    if (falls) ss_multiply_series(along->slip, slope, -drop, last, out->rate_v);
    for (int k = 0; k <= last; k++) {
        out->rate_z[k] = -rate_factor * along->v[k];
        out->rate_v[k] = -rate_factor * (along->z[k] + (falls ? out->rate_v[k] : 0.0));
    }
    divide_by_level(law, along, last, out->rate_z);
    divide_by_level(law, along, last, out->rate_v);
    out->rate_v[0] += 1.0;
    return true;
}

// With w = |v| z/g: g dw = -w dg.
static bool by_numbers(const void* self, const void* change, const ss_along* along, int last, double force[],
                       double rate[])
{
    const ss_lugre *law = self, *by = change;
    double drop = law->static_level - law->coulomb, more = by->static_level - by->coulomb;
    double level[SS_ALONG] = {0}, curve[SS_ALONG];
    bool falls = drop > 0.0;
    if ((falls && by->shape != 0.0) || (!falls && more != 0.0)) return false;
    if (falls && by->speed != 0.0)
        ss_fall_by_speed(law->speed, law->shape, along->power, along->fall, last, curve);
    for (int k = 0; k <= last && falls; k++)
        level[k] = more * along->fall[k] + (by->speed != 0.0 ? drop * by->speed * curve[k] : 0.0);
    level[0] += by->coulomb;
    double slip[SS_ALONG];
    for (int k = 0; k <= last; k++) {
        double own = (k + 1) * along->z[k + 1]; // z'
        slip[k] = (along->v[k] - own) / law->sigma0;
        rate[k] = law->sigma0 * slip[k] * level[0];
        force[k] = -(by->sigma0 * along->z[k] + by->sigma1 * own + by->sigma2 * along->v[k]);
    }
    if (falls) ss_multiply_series(slip, level, law->sigma0, last, rate);
    divide_by_level(law, along, last, rate);
    for (int k = 0; k <= last; k++) rate[k] -= by->sigma0 * slip[k];
    return true;
}

// A fractional shape is not analytic at v = 0 and was left out of the series there. With |v| = a s^k it
// changes z by |v| s (|v|/speed)^shape at most: less than a rounding up to here.
static double quiet_reach(const ss_lugre* law, const double u[], double h)
{
    double n = law->shape, unnoticed = SS_UNNOTICED * law->static_level / law->sigma0;
    for (int k = 1; k < 3; k++)
        if (u[k] != 0.0)
            h = fmin(h,
                     pow(unnoticed * pow(law->speed / fabs(u[k]), n) / fabs(u[k]), 1.0 / (1.0 + k + k * n)));
    return h;
}

static double step_bound(const void* self, const ss_along* along, int order, double least, double h)
{
    const ss_lugre* law = self;
    if (law->static_level == law->coulomb) return h;
    if (ss_fall_is_quiet(law->shape, along->power)) return quiet_reach(law, along->u, h);
    return ss_fall_step_bound(law->speed, law->shape, along->u, along->power, order, 0.0, along->faint, least,
                              h);
}

// ---- what it says of itself

static void report_numbers(const void* self, const ss_law_place* place, ss_law_said* to)
{
    const ss_lugre* law = self;
    ss_law_say_flag(to, "passive", ss_lugre_is_passive(law));
    ss_law_say_number(to, "sigma2_threshold", ss_lugre_threshold(law));
    ss_law_say_number(to, "damping_ratio",
                      isfinite(place->mass) ? ss_lugre_damping_ratio(law, place->mass) : NAN);
    ss_law_say_number(to, "residual_amplitude", NAN);
    ss_law_say_number(to, "sigma0", law->sigma0);
    ss_law_say_number(to, "sigma1", law->sigma1);
    ss_law_say_number(to, "sigma2", law->sigma2);
    ss_law_say_number(to, "coulomb", law->coulomb);
    ss_law_say_number(to, "static", law->static_level);
    ss_law_say_number(to, "stribeck_speed", law->speed);
    ss_law_say_number(to, "shape", law->shape);
}

static void report_words(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_lugre* law = self;
    const char *way = place->way, *unit = place->unit;
    ss_law_words_doubt(out, !ss_lugre_is_passive(law),
                       "not passive, fast motions may gain energy; sigma2 of at least %g would do",
                       ss_lugre_threshold(law));
    ss_law_words_add(out, "slides against %g %s", law->coulomb, unit);
    if (law->static_level > law->coulomb)
        ss_law_words_add(out, " (up to %g %s below %g %s/s)", law->static_level, unit, law->speed, way);
    ss_law_words_add(out, " after some %g %s, bristles of %g %s/%s", law->coulomb / law->sigma0, way,
                     law->sigma0, unit, way);
    if (ss_lugre_is_passive(law))
        ss_law_words_add(
            out,
            "\n      passive: sigma2 = %g is at least sigma1 (static - coulomb)/coulomb = %g %s*s/%s"
            "\n      V = kinetic energy + sigma0 z^2/2 never grows, and |z| <= static/sigma0 = %g %s "
            "stays true",
            law->sigma2, ss_lugre_threshold(law), unit, way, law->static_level / law->sigma0, way);
    else
        ss_law_words_add(
            out, "\n      not passive: sigma2 = %g is below sigma1 (static - coulomb)/coulomb = %g %s*s/%s",
            law->sigma2, ss_lugre_threshold(law), unit, way);
    ss_law_words_resonance(out, place, law->sigma0, law->sigma1 + law->sigma2);
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

// ---- the row of the law

static const ss_key keys[] = {SS_LUGRE_KEYS, {.name = NULL}};

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    (void)law, (void)with; // a copy of its definition
    return ss_lugre_check(def, err);
}

const ss_law ss_lugre_law = {
    .name = "lugre",
    .traits = SS_TRAIT_BRISTLES | SS_TRAIT_Z,
    .size = sizeof(ss_lugre),
    .keys = {.list = keys, .make = make},
    .formula = formula,
    .facts = facts,
    .point = {.at = at, .by_numbers = by_numbers_at, .ends = ends, .near_rest = near_rest},
    .series = {.next = series,
               .step_bound = step_bound,
               .alone = alone,
               .slopes = slopes,
               .by_numbers = by_numbers},
    .energies = energies,
    .report = {.say = report, .drifts = true},
};
