// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Elasto-plastic friction (docs/theory/elasto-plastic.md): LuGre whose bristles stick like springs below the
// breakaway deflection b.
//
//     z' = v (1 - a sgn(v) sigma0 z/g(v)),   force = -(sigma0 z + sigma1 z' + sigma2 v)
//
// In a mode of sign(v) = s, with x = s z and zs = g(v)/sigma0, the three branches are
//
//     elastic   x <= b          a = 0           z' = v: no creep, exactly
//     between   b <= x <= zs    a = (1 + sin(pi (x - (zs + b)/2)/(zs - b)))/2
//     plastic   x >= zs         a = 1           LuGre
//
// a and its derivative by z are continuous where branches meet. So a branch that goes on a little beyond its
// end changes the motion by the square of that: events are looked for SHIFT of zs - b beyond the end, where
// no rounding can send the motion back. Steady sliding, x = zs, then has no events at all.
#include "core/algebra/product.h"
#include "core/algebra/quadrature.h"
#include "core/error.h"
#include "law/fall.h"
#include "law/lugre.h"
#include "law/table.h"
#include "share/law.h"
#include "slipstick/bristle.h"

#include <float.h>
#include <math.h>

#define PI    3.14159265358979323846
#define SHIFT 1e-9 // its square is below rounding

enum { ELASTIC, BETWEEN, PLASTIC };

ss_status ss_elasto_plastic_check(const ss_elasto_plastic* law, ss_error* err)
{
    ss_status status = ss_lugre_check(&law->lugre, err);
    if (status != SS_OK) return status;
    double full = law->lugre.coulomb / law->lugre.sigma0;
    if (!(law->breakaway > 0.0 && law->breakaway < full))
        return ss_fail(err, SS_BAD_INPUT, "breakaway",
                       "must be positive and below coulomb/sigma0 (%g), where all slides, not %g", full,
                       law->breakaway);
    return SS_OK;
}

static int branch_at(const ss_elasto_plastic* law, double x, double zs)
{
    return x <= law->breakaway ? ELASTIC : x >= zs ? PLASTIC : BETWEEN;
}

// Share of plastic slip at x = sgn(v) z, and its derivatives by x and by zs.
static double share_at(const ss_elasto_plastic* law, int branch, double x, double zs, double* by_x,
                       double* by_zs)
{
    *by_x = *by_zs = 0.0;
    if (branch != BETWEEN) return branch == ELASTIC ? 0.0 : 1.0;
    double width = zs - law->breakaway, angle = PI * (x - 0.5 * (zs + law->breakaway)) / width;
    *by_x = 0.5 * PI * cos(angle) / width;
    *by_zs = -*by_x * (x - law->breakaway) / width;
    return 0.5 * (1.0 + sin(angle));
}

double ss_elasto_plastic_rate(const ss_elasto_plastic* law, double z, double v)
{
    double g = ss_lugre_level(&law->lugre, v), zs = g / law->lugre.sigma0, x = v > 0.0 ? z : -z, by_x, by_zs;
    return v * (1.0 - share_at(law, branch_at(law, x, zs), x, zs, &by_x, &by_zs) * x / zs);
}

double ss_elasto_plastic_force(const ss_elasto_plastic* law, double z, double v)
{
    const ss_lugre* lugre = &law->lugre;
    return -(lugre->sigma0 * z + lugre->sigma1 * ss_elasto_plastic_rate(law, z, v) + lugre->sigma2 * v);
}

// ---- alone, at a constant speed

// Time in which x goes from the breakaway to where it is, in units of (zs - b)/|v|, as a function of
// w = -ln(1 - u), u = (x - b)/(zs - b): u' = 1 - a(u) x/zs becomes dtau/dw = (1 - u)/u', which lies between 1
// at w = 0 and zs/(zs - b) for large w and is smooth on the scale of w, also where x creeps towards zs.
static double pace_at(double w, double full)
{
    double left = exp(-w), plastic = sin(0.5 * PI * (1.0 - left)), a = plastic * plastic;
    // 1 - a x/zs with x/zs = 1 - left full, full = (zs - b)/zs, written without the difference of nearly
    // equal numbers.
    double elastic = sin(0.5 * PI * left);
    return left / (elastic * elastic + a * left * full);
}

static double time_between(double from, double to, double full)
{
    double sum = 0.0;
    for (int j = 0; j < SS_GAUSS_POINTS; j++) {
        double weight, w = from + ss_gauss_point(j, to - from, &weight);
        sum += weight * pace_at(w, full);
    }
    return sum;
}

// Where w is after the time tau: panels of w by quadrature, then Newton in the one in which tau ends. After
// the last panel x is zs to the last digit.
static double after(double w, double tau, double full)
{
    enum { PANELS = 74, NEWTON_ROUNDS = 40 };
    const double panel = 0.5;
    int passed = 0;
    for (; passed < PANELS; passed++) {
        double need = time_between(w, w + panel, full);
        if (need >= tau) break;
        tau -= need;
        w += panel;
    }
    if (passed == PANELS) return w;
    // The pace varies little over a panel: Newton from its start, kept inside it.
    double begin = w, end = w + panel;
    for (int k = 0; k < NEWTON_ROUNDS; k++) {
        double next = w - (time_between(begin, w, full) - tau) / pace_at(w, full);
        next = fmin(fmax(next, begin), end);
        if (fabs(next - w) <= DBL_EPSILON * (1.0 + w)) return next;
        w = next;
    }
    return w;
}

double ss_elasto_plastic_step(const ss_elasto_plastic* law, double* z, double v, double dt)
{
    if (!isfinite(v) || !(dt >= 0.0) || !isfinite(dt)) return NAN;
    double speed = fabs(v), way = speed * dt, b = law->breakaway;
    if (way > 0.0) {
        double zs = ss_lugre_level(&law->lugre, v) / law->lugre.sigma0, width = zs - b;
        double x = v > 0.0 ? *z : -*z;
        if (x < b) {
            double elastic = fmin(way, b - x);
            x = elastic < way ? b : x + elastic;
            way -= elastic;
        }
        if (way > 0.0 && x >= zs) {
            x += (x - zs) * expm1(-way / zs);
        } else if (way > 0.0) {
            double w = after(-log1p(-(x - b) / width), way / width, width / zs);
            x = zs - width * exp(-w);
        }
        *z = v > 0.0 ? x : -x;
    }
    return ss_elasto_plastic_force(law, *z, v);
}

// ---- the formula

// With w = (x - b)/(zs - b), held between 0 and 1, a = (1 + sin(pi (w - 1/2)))/2.
static void formula(const void* law, const ss_formula_point* at, ss_formula_answer* out)
{
    enum { BREAKAWAY = SS_SHAPE + 1 };
    ss_jet b = at->key[BREAKAWAY], x = ss_jet_mul(at->sign, at->z), none = ss_jet_number(0.0);
    ss_jet zs = ss_jet_div(ss_lugre_formula_level(at), at->key[SS_SIGMA0]);
    ss_jet w = ss_jet_div(ss_jet_sub(x, b), ss_jet_sub(zs, b));
    w = ss_jet_apply(SS_OP_MIN, ss_jet_apply(SS_OP_MAX, w, none, 0.0), ss_jet_number(1.0), 0.0);
    ss_jet wave = ss_jet_of(SS_OP_SIN, ss_jet_scale(PI, ss_jet_shift(w, -0.5)));
    ss_jet share = ss_jet_scale(0.5, ss_jet_shift(wave, 1.0));
    (void)law;
    out->rate = ss_jet_sub(at->v, ss_jet_mul(at->v, ss_jet_div(ss_jet_mul(share, x), zs)));
    ss_lugre_formula_force(at, out);
}

// ---- the law at a point

// In the branch of the step; without one, in that of the point.
static void at(const void* self, const ss_law_point* point, ss_response* out)
{
    const ss_elasto_plastic* law = self;
    const ss_lugre* lugre = &law->lugre;
    double v = point->v, z = point->z, sign = point->sign, u = sign * v, x = sign * z, slope, by_x, by_zs;
    double g = ss_lugre_level_and_slope(lugre, u, &slope), zs = g / lugre->sigma0;
    int branch = point->along ? point->along->branch : branch_at(law, x, zs);
    double a = share_at(law, branch, x, zs, &by_x, &by_zs), slip = u * z / zs;
    out->rate = v - a * slip;
    out->rate_z = -(by_x * sign * slip + a * u / zs);
    out->rate_v =
        1.0 - sign * (by_zs * slope / lugre->sigma0 * slip + a * (z - slip * slope / lugre->sigma0) / zs);
    out->force = -(lugre->sigma0 * z + lugre->sigma1 * out->rate + lugre->sigma2 * v);
    out->force_z = -(lugre->sigma0 + lugre->sigma1 * out->rate_z);
    out->force_v = -(lugre->sigma1 * out->rate_v + lugre->sigma2);
    out->force_y = 0.0;
}

static void by_numbers_at(const void* self, const void* change, const ss_law_point* point, double* force,
                          double* rate)
{
    const ss_elasto_plastic *law = self, *by = change;
    const ss_lugre *lugre = &law->lugre, *more = &by->lugre;
    double v = point->v, z = point->z, sign = point->sign, u = sign * v, x = sign * z, slope, by_x, by_zs;
    double g = ss_lugre_level_and_slope(lugre, u, &slope), zs = g / lugre->sigma0;
    int branch = point->along ? point->along->branch : branch_at(law, x, zs);
    double a = share_at(law, branch, x, zs, &by_x, &by_zs), slip = u * z / zs;
    double zs_change = (ss_lugre_level_change(lugre, more, u) - zs * more->sigma0) / lugre->sigma0;
    double by_breakaway = by_x * (x - zs) / (zs - law->breakaway);
    *rate = -slip * (by_zs * zs_change + by_breakaway * by->breakaway - a * zs_change / zs);
    *force = -(more->sigma0 * z + more->sigma1 * (v - a * slip) + more->sigma2 * v + lugre->sigma1 * *rate);
}

static bool ends(const void* self, const ss_along* along, double v, double moved)
{
    return along->branch != ELASTIC && ss_lugre_law.point.ends(self, along, v, moved);
}

static void facts(const void* law, double v, ss_law_facts* out) { ss_lugre_law.facts(law, v, out); }

// What the force takes from the motion and the bristles do not store is lost.
static void energies(const void* self, const ss_along* along, int last, double s, double v,
                     ss_law_energies* out)
{
    const ss_elasto_plastic* law = self;
    ss_law_point point = {.v = v, .sign = along->sign, .z = ss_along_at(along->z, last, s), .along = along};
    double spring = law->lugre.sigma0 * point.z;
    ss_response p;
    at(law, &point, &p);
    out->stored = 0.5 * spring * point.z;
    out->loss = -p.force * v - spring * p.rate;
}

// z'/v = 1 - a x/zs is 1 below the breakaway. Elsewhere a has slopes of at most (pi/2)/(zs - b), by x and by
// zs alike.
static void near_rest(const void* self, double z, double dz, double v, ss_law_near_rest* out)
{
    const ss_elasto_plastic* law = self;
    const ss_lugre* lugre = &law->lugre;
    double most = fabs(z) + dz, zs = lugre->static_level / lugre->sigma0, by_x, by_zs;
    *out = (ss_law_near_rest){.share = {1.0, 1.0}};
    if (most <= law->breakaway) return;
    for (int k = 0; k < 2; k++) {
        double x = k == 0 ? z : -z;
        out->share[k] = 1.0 - share_at(law, branch_at(law, x, zs), x, zs, &by_x, &by_zs) * x / zs;
    }
    double low = ss_lugre_level(lugre, v) / lugre->sigma0, steep = 0.5 * PI / (low - law->breakaway);
    double slope = steep * most / low + 1.0 / low, slope_zs = steep * most / low + most / (low * low);
    out->off = slope * dz + slope_zs * (zs - low);
    out->off_a = out->off + slope_zs * ss_lugre_slope_bound(lugre, v) / lugre->sigma0;
    out->off_v = slope * (1.0 + most / low) * fabs(v);
}

// ---- the law along a step
//
// LuGre's own series give slip = |v| z/g; here it counts by the share a.

typedef struct half_wave {
    double angle[SS_ALONG], sine[SS_ALONG], cosine[SS_ALONG], share[SS_ALONG];
} half_wave;

static void prepare(const ss_law* row, const void* law, ss_along* along, ss_pool* pool)
{
    (void)row, (void)law;
    along->own = ss_pool_new(pool, 1, sizeof(half_wave));
}

// zs at the start of the step: of speeds that jump, too.
static double full_at_start(const ss_elasto_plastic* law, const ss_along* along)
{
    return ss_lugre_level(&law->lugre, along->v[0]) / law->lugre.sigma0;
}

// The branch at hand goes on up to twice the shift beyond its end; where a speed has jumped, or the
// direction, it is chosen anew.
static void choose_branch(const ss_elasto_plastic* law, ss_along* along)
{
    double x = along->sign * along->z[0], zs = full_at_start(law, along), b = law->breakaway;
    double more = 2.0 * SHIFT * (zs - b);
    bool above = along->branch == ELASTIC || x >= (along->branch == BETWEEN ? b : zs) - more;
    bool below = along->branch == PLASTIC || x <= (along->branch == BETWEEN ? zs : b) + more;
    if (!above || !below) along->branch = branch_at(law, x, zs);
}

// Coefficient k of a: the angle from (zs - b) angle = pi (x - (zs + b)/2), sine and cosine of it.
static double share_coefficient(const ss_elasto_plastic* law, ss_along* along, int k)
{
    half_wave* w = along->own;
    const ss_lugre* lugre = &law->lugre;
    double drop = (lugre->static_level - lugre->coulomb) / lugre->sigma0, b = law->breakaway;
    double zs = drop != 0.0 ? drop * along->fall[k] : 0.0, sum = 0.0, sine = 0.0, cosine = 0.0;
    if (k == 0) zs += lugre->coulomb / lugre->sigma0;
    double middle = along->sign * along->z[k] - 0.5 * (zs + (k == 0 ? b : 0.0));
    for (int j = 1; j <= k && drop != 0.0; j++) sum += drop * along->fall[j] * w->angle[k - j];
    if (k == 0) along->pull[0] = zs - b; // the width
    w->angle[k] = (PI * middle - sum) / along->pull[0];
    for (int j = 1; j <= k; j++) {
        sine += j * w->angle[j] * w->cosine[k - j];
        cosine -= j * w->angle[j] * w->sine[k - j];
    }
    w->sine[k] = k == 0 ? sin(w->angle[0]) : sine / k;
    w->cosine[k] = k == 0 ? cos(w->angle[0]) : cosine / k;
    return w->share[k] = 0.5 * w->sine[k] + (k == 0 ? 0.5 : 0.0);
}

static double series(const void* self, ss_along* along, int k)
{
    const ss_elasto_plastic* law = self;
    const ss_lugre* lugre = &law->lugre;
    if (k == 0) choose_branch(law, along);
    if (along->branch == PLASTIC) return ss_lugre_law.series.next(lugre, along, k);
    double rate = along->v[k];
    if (along->branch == BETWEEN) {
        half_wave* w = along->own;
        (void)ss_lugre_law.series.next(lugre, along, k);
        share_coefficient(law, along, k);
        rate -= lugre->sigma0 * ss_product(w->share, along->slip, k);
    }
    along->z[k + 1] = rate / (k + 1);
    return -(lugre->sigma0 * along->z[k] + lugre->sigma1 * rate + lugre->sigma2 * along->v[k]);
}

static double step_bound(const void* law, const ss_along* along, int order, double least, double h)
{
    return along->branch == ELASTIC ? h : ss_lugre_law.series.step_bound(law, along, order, least, h);
}

// Between the ends of a constant level the share a is half a wave of z alone; where the level falls, the wave
// stretches with the speed, and points along the step are asked instead.
static bool slopes(const void* self, const ss_along* along, int last, ss_along_slopes* out)
{
    const ss_elasto_plastic* law = self;
    const ss_lugre* lugre = &law->lugre;
    if (along->branch == PLASTIC) return ss_lugre_law.series.slopes(lugre, along, last, out);
    out->state = true;
    out->by_v = -lugre->sigma2;
    out->by_z = -lugre->sigma0;
    out->by_rate = -lugre->sigma1;
    for (int k = 0; k <= last; k++) out->rate_v[k] = out->rate_z[k] = 0.0;
    if (along->branch == BETWEEN && lugre->static_level > lugre->coulomb) return false;
    if (along->branch == BETWEEN) { // z' = v - a v z/zs
        const half_wave* w = along->own;
        double rate_factor = along->sign * lugre->sigma0 / lugre->coulomb, by_x = 0.5 * PI / along->pull[0];
        double turned[SS_ALONG];
        ss_multiply_series(w->share, along->z, -rate_factor, last, out->rate_v);
        ss_multiply_series(w->share, along->v, -rate_factor, last, out->rate_z);
        ss_multiply_series(w->cosine, along->slip, -along->sign * lugre->sigma0 * by_x, last, turned);
        for (int k = 0; k <= last; k++) out->rate_z[k] += turned[k];
    }
    out->rate_v[0] += 1.0;
    return true;
}

static bool by_numbers(const void* self, const void* change, const ss_along* along, int last, double force[],
                       double rate[])
{
    const ss_elasto_plastic *law = self, *by = change;
    const ss_lugre* lugre = &law->lugre;
    if (along->branch == PLASTIC)
        return ss_lugre_law.series.by_numbers(lugre, &by->lugre, along, last, force, rate);
    if (along->branch == BETWEEN && by->lugre.static_level != by->lugre.coulomb) return false;
    for (int k = 0; k <= last; k++) {
        double own = (k + 1) * along->z[k + 1]; // z'
        force[k] =
            -(by->lugre.sigma0 * along->z[k] + by->lugre.sigma1 * own + by->lugre.sigma2 * along->v[k]);
        rate[k] = 0.0;
    }
    if (along->branch == ELASTIC) return true;
    // z' = v - a |v| z/zs, a = (1 + sin angle)/2, angle = pi (x - (zs + b)/2)/(zs - b)
    const half_wave* w = along->own;
    double zs = lugre->coulomb / lugre->sigma0, width = along->pull[0];
    double by_zs = by->lugre.coulomb / lugre->sigma0 - zs * by->lugre.sigma0 / lugre->sigma0;
    double turned[SS_ALONG] = {0}, wider = (by_zs - by->breakaway) / width;
    for (int k = 0; k <= last; k++) turned[k] = -0.5 * wider * w->angle[k];
    turned[0] -= 0.25 * PI * (by_zs + by->breakaway) / width;
    double share[SS_ALONG];
    ss_multiply_series(w->cosine, turned, -lugre->sigma0, last, share);
    ss_multiply_series(share, along->slip, 1.0, last, rate);
    for (int k = 0; k <= last; k++) rate[k] += by_zs / zs * (along->v[k] - (k + 1) * along->z[k + 1]);
    return true;
}

// ---- events: the ends of the branch. In the mode's direction x grows through b and on towards zs; it is zs
// that passes it, by the speed.

static int event(const void* self, const ss_along* along, int which, int order, const double power[],
                 double c[])
{
    const ss_elasto_plastic* law = self;
    const ss_lugre* lugre = &law->lugre;
    double drop = (lugre->static_level - lugre->coulomb) / lugre->sigma0, side = 1.0;
    double shift = SHIFT * (full_at_start(law, along) - law->breakaway);
    (void)which;
    if (along->branch != ELASTIC && drop == 0.0 && along->branch == BETWEEN) return -1; // never reached
    if (along->branch == PLASTIC) side = -1.0;
    for (int k = 0; k < order; k++) {
        double end = k > 0 ? 0.0 : along->branch == ELASTIC ? law->breakaway : lugre->coulomb / lugre->sigma0;
        if (along->branch != ELASTIC && drop != 0.0) end += drop * along->fall[k];
        c[k] = side * (end - along->sign * along->z[k]) * power[k];
    }
    c[0] += shift;
    return order - 1;
}

static void commit(const void* law, ss_along* along, int last, double s)
{
    (void)law, (void)last, (void)s;
    if (along->yields) along->branch = along->branch == BETWEEN ? PLASTIC : BETWEEN;
}

// The level along a step that was found by other means.
static void update(const void* self, ss_along* along, int from, int last)
{
    const ss_lugre* law = &((const ss_elasto_plastic*)self)->lugre;
    if (law->static_level == law->coulomb || along->branch == ELASTIC) return;
    for (int k = from; k <= last; k++) {
        along->u[k] = along->sign * along->v[k];
        along->fall[k] = ss_fall_coefficient(law->speed, law->shape, along->u, along->square, along->power,
                                             along->fall, k);
    }
}

// ---- what it tells

// As LuGre: below the breakaway nothing is lost but by sigma1 and sigma2, beyond it a is at most 1.
static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_elasto_plastic* law = self;
    ss_lugre_law.report.say(self, place, out);
    ss_law_say_number(out, "breakaway", law->breakaway);
    ss_law_words_add(out, "\n      below %g %s the bristles are springs: %g %s are held without drift",
                     law->breakaway, place->way, law->lugre.sigma0 * law->breakaway, place->unit);
}

// ---- the row of the law

static const ss_key keys[] = {
    SS_LUGRE_KEYS,
    {.name = "breakaway",
     .form = SS_KEY_LENGTH,
     .place = offsetof(ss_elasto_plastic, breakaway),
     .range = SS_RANGE_POSITIVE,
     .reason = "below it the bristles stick"},
    {.name = NULL},
};

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    (void)law, (void)with; // a copy of its definition
    return ss_elasto_plastic_check(def, err);
}

const ss_law ss_elasto_plastic_law = {
    .name = "elasto-plastic",
    .traits = SS_TRAIT_BRISTLES | SS_TRAIT_Z,
    .size = sizeof(ss_elasto_plastic),
    .keys = {.list = keys, .make = make},
    .formula = formula,
    .facts = facts,
    .point = {.at = at, .by_numbers = by_numbers_at, .ends = ends, .near_rest = near_rest},
    .series = {.next = series,
               .step_bound = step_bound,
               .update = update,
               .slopes = slopes,
               .by_numbers = by_numbers},
    .events = {.count = 1, .function = event},
    .memory = {.prepare = prepare, .commit = commit},
    .energies = energies,
    .report = {.say = report},
};
