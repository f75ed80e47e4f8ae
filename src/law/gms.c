// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Generalised Maxwell-slip friction (docs/theory/gms.md): elements in parallel, each with a force F_i.
//
//     stick   F_i' = k_i v                                until sgn(v) F_i >= share_i s(v)
//     slip    F_i' = sgn(v) C (share_i - |F_i|/s(v))      until v = 0; a jump of speed passes through 0
//     force   -(sum F_i + viscous v),   s(v) = coulomb + (static - coulomb) exp(-(|v|/speed)^shape)
//
// An element whose force still points the other way, after a reversal, is a spring that unloads: it cannot
// slip before it has been pulled in the direction of the motion.
//
// All elements that slip follow one linear equation. With w = 1/s(v) along the step,
//
//     F_i = share_i P + F_i(0) E,   E = exp(-C int w),   P' = sgn(v) C - C w P,   P(0) = 0
//
// so that a step needs one state, z = sum of F_i that slip, whatever the number of elements: z tells P at its
// end, E is a quadrature. E is taken from v alone, so a fast relaxation does not limit the step by itself.
#include "law/gms.h"
#include "core/algebra/product.h"
#include "core/algebra/quadrature.h"
#include "core/error.h"
#include "core/tolerance.h"
#include "law/fall.h"
#include "share/law.h"
#include "slipstick/bristle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ss_status check_elements(const ss_gms* law, ss_error* err)
{
    double sum = 0.0;
    char field[64];
    if (law->count < 1 || !law->stiffness || !law->share)
        return ss_fail(err, SS_BAD_INPUT, "elements", "there must be at least one element");
    for (int i = 0; i < law->count; i++) {
        const double numbers[2] = {law->stiffness[i], law->share[i]};
        for (int k = 0; k < 2; k++) {
            if (numbers[k] > 0.0 && isfinite(numbers[k])) continue;
            snprintf(field, sizeof field, "elements[%d][%d]", i, k);
            return ss_fail(err, SS_BAD_INPUT, field, "the %s must be positive, not %g",
                           k == 0 ? "stiffness" : "share", numbers[k]);
        }
        sum += law->share[i];
    }
    if (fabs(sum - 1.0) <= SS_SAME) return SS_OK;
    return ss_fail(err, SS_BAD_INPUT, "elements", "the shares must sum to 1, not %.10g", sum);
}

ss_status ss_gms_check(const ss_gms* law, ss_error* err)
{
    ss_status status = check_elements(law, err);
    if (status != SS_OK) return status;
    if (!(law->coulomb > 0.0 && isfinite(law->coulomb)))
        return ss_fail(err, SS_BAD_INPUT, "coulomb", "must be positive, not %g: no element could slip",
                       law->coulomb);
    if (!(law->static_level >= law->coulomb && isfinite(law->static_level)))
        return ss_fail(err, SS_BAD_INPUT, "static", "must be at least coulomb (%g), not %g", law->coulomb,
                       law->static_level);
    if (law->static_level > law->coulomb && isnan(law->speed))
        return ss_fail(err, SS_BAD_INPUT, "stribeck_speed",
                       "is missing; static is above coulomb, so the force falls around some speed");
    if (law->static_level > law->coulomb && !(law->speed > 0.0 && isfinite(law->speed)))
        return ss_fail(err, SS_BAD_INPUT, "stribeck_speed", "must be positive, not %g", law->speed);
    if (!(law->shape > 0.0 && isfinite(law->shape)))
        return ss_fail(err, SS_BAD_INPUT, "shape", "must be positive, not %g", law->shape);
    if (!(law->attraction > 0.0 && isfinite(law->attraction)))
        return ss_fail(err, SS_BAD_INPUT, "attraction", "must be positive, not %g", law->attraction);
    if (!(law->viscous >= 0.0 && isfinite(law->viscous)))
        return ss_fail(err, SS_BAD_INPUT, "viscous", "must be a number >= 0, not %g", law->viscous);
    return SS_OK;
}

// s and its derivative by u = |v|; u < 0 is beyond a reversal.
static double level_and_slope(const ss_gms* law, double u, double* slope)
{
    double drop = law->static_level - law->coulomb;
    *slope = 0.0;
    if (drop == 0.0) return law->coulomb;
    double level = law->coulomb + drop * ss_fall_at(law->speed, law->shape, u, slope);
    *slope *= drop;
    return level;
}

double ss_gms_level(const ss_gms* law, double v)
{
    double slope;
    return level_and_slope(law, fabs(v), &slope);
}

static ss_status make(const void* def, void* self, const ss_law_making* with, ss_error* err)
{
    ss_gms* law = self;
    ss_status status = ss_gms_check(def, err);
    if (status != SS_OK || !with) return status;
    *law = *(const ss_gms*)def;
    size_t count = (size_t)law->count;
    double* numbers = ss_pool_new(with->pool, 2 * count, sizeof(double));
    if (!numbers) return ss_fail_no_memory(err);
    memcpy(numbers, law->stiffness, count * sizeof(double));
    memcpy(numbers + count, law->share, count * sizeof(double));
    law->stiffness = numbers;
    law->share = numbers + count;
    return SS_OK;
}

// ---- elements

typedef ss_gms_one element;
typedef ss_gms_room gms;

static void prepare(const ss_law* row, const void* law, ss_along* along, ss_pool* pool)
{
    (void)row;
    along->own = ss_pool_new(pool, 1, sizeof(gms) + (size_t)((const ss_gms*)law)->count * sizeof(element));
}

static void begin(const void* self, ss_along* along, const ss_bristle_start* start, double y, double v)
{
    const ss_gms* law = self;
    gms* own = along->own;
    double saturation = isnan(start->saturation) ? 0.0 : start->saturation * ss_gms_level(law, v);
    (void)y;
    for (int i = 0; i < law->count; i++)
        own->elements[i] =
            (element){.force = start->elements ? start->elements[i] : saturation * law->share[i]};
}

static void turn(const void* law, ss_along* along, bool rested)
{
    gms* own = along->own;
    for (int i = 0; i < ((const ss_gms*)law)->count && rested; i++) own->elements[i].slips = false;
}

// Where a step begins: who is at its limit slips, by its own force or because s has fallen; sums of the rest.
static void sort_elements(const ss_gms* law, ss_along* along)
{
    gms* own = along->own;
    double s = ss_gms_level(law, along->v[0]);
    own->hold = own->held = own->share = along->z[0] = 0.0;
    for (int i = 0; i < law->count; i++) {
        element* e = &own->elements[i];
        if (!along->rests && along->sign * e->force >= law->share[i] * s * (1.0 - 8.0 * DBL_EPSILON))
            e->slips = true;
        if (e->slips && !along->rests) {
            own->share += law->share[i];
            along->z[0] += e->force;
        } else {
            own->hold += law->stiffness[i];
            own->held += e->force;
        }
    }
}

// ---- the law at a point
//
// y: way since the start of the step, z: force of the elements that slip.

static void at(const void* self, const ss_law_point* point, ss_response* out)
{
    const ss_gms* law = self;
    const gms* own = point->along->own;
    double slope, s = level_and_slope(law, point->sign * point->v, &slope), pull = law->attraction / s;
    out->rate = law->attraction * point->sign * own->share - pull * point->z;
    out->rate_z = -pull;
    out->rate_v = pull * point->z * slope / s * point->sign;
    out->force = -(own->held + own->hold * point->y + point->z + law->viscous * point->v);
    out->force_z = -1.0;
    out->force_y = -own->hold;
    out->force_v = -law->viscous;
}

// ---- the law along a step
//
// u: |v|; square, power, fall: see fall.h; slip: w = 1/s(v). A fractional shape is not analytic at v = 0: s
// counts as constant (branch QUIET) while (|v|/speed)^shape is below FAINT, or |v|/speed below SLOW: it stays
// there for so short a time that s changes no speed, and coefficients would grow beyond all numbers. From
// there on steps are short against the way to v = 0.

enum { ANALYTIC, QUIET };

#define FAINT SS_SUM_NOISE
#define SLOW  SS_CLEAR
static const double share_of_radius = 0.35;

static double quiet_speed(const ss_gms* law) { return law->speed * fmax(pow(FAINT, 1.0 / law->shape), SLOW); }

static void choose_branch(const ss_gms* law, ss_along* along)
{
    bool quiet = !ss_power_is_whole(law->shape) && fabs(along->v[0]) < quiet_speed(law);
    along->branch = quiet ? QUIET : ANALYTIC;
}

static double pull_coefficient(const ss_gms* law, ss_along* along, int k)
{
    double drop = law->static_level - law->coulomb, sum = 0.0;
    if (drop == 0.0) return k == 0 ? 1.0 / law->coulomb : 0.0;
    if (k == 0) choose_branch(law, along);
    along->u[k] = along->sign * along->v[k];
    along->fall[k] = along->branch == QUIET
                         ? (k == 0 ? 1.0 : 0.0)
                         : ss_fall_coefficient(law->speed, law->shape, along->u, along->square, along->power,
                                               along->fall, k);
    if (k == 0) along->level = law->coulomb + drop * along->fall[0];
    for (int j = 1; j <= k; j++) sum += along->fall[j] * along->slip[k - j];
    return ((k == 0 ? 1.0 : 0.0) - drop * sum) / along->level;
}

static double series(const void* self, ss_along* along, int k)
{
    const ss_gms* law = self;
    const gms* own = along->own;
    if (k == 0) sort_elements(law, along);
    along->slip[k] = pull_coefficient(law, along, k);
    double rate = -law->attraction * ss_product(along->z, along->slip, k);
    if (k == 0) rate += law->attraction * along->sign * own->share;
    along->z[k + 1] = own->share > 0.0 ? rate / (k + 1) : 0.0;
    double held = k == 0 ? own->held : own->hold * along->v[k - 1] / k;
    return -(held + along->z[k] + law->viscous * along->v[k]);
}

// The level along the last orders of a step, which need no force.
static void update(const void* self, ss_along* along, int from, int last)
{
    for (int k = from; k <= last; k++) along->slip[k] = pull_coefficient(self, along, k);
}

// Longest step up to h on which |v| changes by no more than a share of itself.
static double radius(const double u[], int order, double h)
{
    while (h > 0.0 && ss_poly_bound(u, 1, order, h) - fabs(u[0]) > share_of_radius * fabs(u[0])) h *= 0.75;
    return h;
}

static double step_bound(const void* self, const ss_along* along, int order, double least, double h)
{
    const ss_gms* law = self;
    if (law->static_level == law->coulomb) return h;
    if (along->branch == QUIET) {
        double end = quiet_speed(law), longest = h;
        for (int k = 1; k < 3; k++)
            if (along->u[k] != 0.0) h = fmin(h, pow(end / fabs(along->u[k]), 1.0 / k));
        return fmax(h, fmin(least, longest));
    }
    if (!ss_power_is_whole(law->shape))
        h = fmax(radius(along->u, order - 1, h), fmin(least, h));
    else if (((const gms*)along->own)->hold > 0.0)
        h = ss_fall_tail(along->fall, order, along->tolerance, h);
    return ss_fall_step_bound(law->speed, law->shape, along->u, along->power, order, 0.0, along->faint, least,
                              h);
}

// Element `which` sticks until the room between its force and its share of s is gone.
static int event(const void* self, const ss_along* along, int which, int order, const double power[],
                 double c[])
{
    const ss_gms* law = self;
    const element* e = &((const gms*)along->own)->elements[which];
    double drop = law->static_level - law->coulomb;
    if (e->slips) return -1;
    for (int k = 0; k < order; k++) {
        double level = (k == 0 ? law->coulomb : 0.0) + (drop != 0.0 ? drop * along->fall[k] : 0.0);
        double force = k == 0 ? e->force : law->stiffness[which] * along->v[k - 1] / k;
        c[k] = (law->share[which] * level - along->sign * force) * power[k];
    }
    return order - 1;
}

// ---- answers

// E = exp(-C int 1/s) from the start of the step to s.
static double fading(const ss_gms* law, const ss_along* along, int last, double s)
{
    double sum = 0.0;
    if (law->static_level == law->coulomb) return exp(-law->attraction * s / law->coulomb);
    for (int j = 0; j < SS_GAUSS_POINTS; j++) {
        double weight, now = ss_gauss_point(j, s, &weight);
        sum += weight / ss_gms_level(law, ss_along_at(along->v, last, now));
    }
    return exp(-law->attraction * sum);
}

// Forces of the elements at a time of the step: what it takes to tell each.
typedef struct moment {
    double moved;  // m
    double common; // P
    double fading; // E
} moment;

static moment at_time(const ss_gms* law, const ss_along* along, int last, double s)
{
    const gms* own = along->own;
    moment now = {along->sign * ss_along_way(along, last, s), 0.0, 1.0};
    if (!(own->share > 0.0) || s == 0.0) return now;
    now.fading = fading(law, along, last, s);
    now.common = (ss_along_at(along->z, last, s) - along->z[0] * now.fading) / own->share;
    return now;
}

static double force_at(const ss_gms* law, const gms* own, int i, const moment* now)
{
    const element* e = &own->elements[i];
    return e->slips ? law->share[i] * now->common + e->force * now->fading
                    : e->force + law->stiffness[i] * now->moved;
}

static void commit(const void* self, ss_along* along, int last, double s)
{
    const ss_gms* law = self;
    gms* own = along->own;
    moment now = at_time(law, along, last, s);
    for (int i = 0; i < law->count && !along->rests; i++)
        own->elements[i].force = force_at(law, own, i, &now);
    if (along->yields) own->elements[along->yielded].slips = true;
}

// Lost is what goes into elements that slip and does not stretch their springs.
static void energies(const void* self, const ss_along* along, int last, double s, double v,
                     ss_law_energies* out)
{
    const ss_gms* law = self;
    const gms* own = along->own;
    moment now = at_time(law, along, last, s);
    double level = ss_gms_level(law, v);
    out->loss = law->viscous * v * v;
    for (int i = 0; i < law->count; i++) {
        double force = force_at(law, own, i, &now);
        out->stored += 0.5 * force * force / law->stiffness[i];
        if (!own->elements[i].slips) continue;
        double rate = law->attraction * (along->sign * law->share[i] - force / level);
        out->loss += force * (v - rate / law->stiffness[i]);
    }
}

static int elements(const void* self, const ss_along* along, int last, double s, double out[], bool slips[])
{
    const ss_gms* law = self;
    const gms* own = along->own;
    moment now = at_time(law, along, last, s);
    for (int i = 0; i < law->count && out; i++) out[i] = force_at(law, along->own, i, &now);
    for (int i = 0; i < law->count && slips; i++) slips[i] = own->elements[i].slips && !along->rests;
    return law->count;
}

static void element_at(const void* self, const ss_law_point* point, int i, bool slipping,
                       ss_element_response* out)
{
    const ss_gms* law = self;
    double slope, s = level_and_slope(law, point->sign * point->v, &slope), pull = law->attraction / s;
    *out = (ss_element_response){.pull = -1.0};
    out->room = law->share[i] * s - point->sign * point->z;
    out->room_v = law->share[i] * slope * point->sign;
    out->room_z = -point->sign;
    out->rate = law->stiffness[i] * point->v;
    out->rate_v = law->stiffness[i];
    if (!slipping) return;
    out->rate = law->attraction * point->sign * law->share[i] - pull * point->z;
    out->rate_z = -pull;
    out->rate_v = pull * point->z * slope / s * point->sign;
}

// ---- what it tells

// Where s rises because the motion slows down, a slipping spring is stretched at the rate C share, whatever
// the speed: that takes more than the motion gives. With a constant s slipping forces are constant.
static bool passive(const ss_gms* law) { return law->static_level == law->coulomb; }

static double stiffness_of(const ss_gms* law)
{
    double sum = 0.0;
    for (int i = 0; i < law->count; i++) sum += law->stiffness[i];
    return sum;
}

static void report_numbers(const void* self, const ss_law_place* place, ss_law_said* to)
{
    const ss_gms* law = self;
    (void)place;
    ss_law_say_flag(to, "passive", passive(law));
    ss_law_say_number(to, "count", law->count);
    ss_law_say_number(to, "stiffness", stiffness_of(law));
    ss_law_say_number(to, "coulomb", law->coulomb);
    ss_law_say_number(to, "static", law->static_level);
    ss_law_say_number(to, "stribeck_speed", law->speed);
    ss_law_say_number(to, "shape", law->shape);
    ss_law_say_number(to, "attraction", law->attraction);
    ss_law_say_number(to, "viscous", law->viscous);
}

static void report_words(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_gms* law = self;
    const char *unit = place->unit, *way = place->way;
    double total = stiffness_of(law), first = INFINITY;
    for (int i = 0; i < law->count; i++)
        first = fmin(first, law->share[i] * law->static_level / law->stiffness[i]);
    ss_law_words_add(out, "%d element%s of %g %s/%s in all, slides against %g %s", law->count,
                     law->count == 1 ? "" : "s", total, unit, way, law->coulomb, unit);
    if (law->static_level > law->coulomb)
        ss_law_words_add(out, " (up to %g %s below %g %s/s)", law->static_level, unit, law->speed, way);
    ss_law_words_add(out, "\n      slipping forces follow the speed within some %g s",
                     law->coulomb / law->attraction);
    ss_law_words_add(out, "\n      %s",
                     passive(law) ? "passive: no force rises while it slips"
                                  : "not passive in general: slipping forces rise as it slows down");
    ss_law_words_add(out, "\n      swings of up to %g %s lose nothing but by viscous: no element slips",
                     first, way);
    if (isfinite(place->mass)) ss_law_words_add(out, " (%g rad/s)", sqrt(total / place->mass));
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

// ---- the row of the law

static int bounds(const void* def, double most[])
{
    const ss_gms* law = def;
    for (int i = 0; i < law->count && most; i++) most[i] = law->share[i] * law->static_level;
    return law->count;
}

static void facts(const void* self, double v, ss_law_facts* out)
{
    const ss_gms* law = self;
    out->events = law->count;
    out->limit = ss_gms_level(law, v);
    out->reach = 0.0;
    for (int i = 0; i < law->count; i++)
        out->reach = fmax(out->reach, law->share[i] * law->static_level / law->stiffness[i]);
}

static bool walk(const void* self, const double x[], int count, double out[])
{
    const ss_gms* law = self;
    const double slow = 1e-6; // of the speed at which the force falls, or of 1 m/s
    double speed = law->speed > 0.0 ? slow * law->speed : slow, at = 0.0;
    ss_gms_element* elements = ss_new((size_t)law->count, sizeof *elements);
    for (int k = 0; elements && k < count; k++) {
        double way = x[k] - at;
        out[k] = ss_gms_step(law, elements, way < 0.0 ? -speed : speed, fabs(way) / speed);
        at = x[k];
    }
    free(elements);
    return elements != NULL;
}

static const ss_key keys[] = {
    {.name = "elements", .form = SS_KEY_SHARES},
    {.name = "coulomb",
     .form = SS_KEY_FORCE,
     .place = offsetof(ss_gms, coulomb),
     .range = SS_RANGE_POSITIVE,
     .reason = "without it no element could slip"},
    {.name = "static",
     .form = SS_KEY_FORCE,
     .place = offsetof(ss_gms, static_level),
     .optional = true,
     .floor = "coulomb"},
    {.name = "stribeck_speed",
     .form = SS_KEY_SPEED,
     .place = offsetof(ss_gms, speed),
     .range = SS_RANGE_POSITIVE,
     .optional = true,
     .standard = NAN},
    {.name = "shape",
     .place = offsetof(ss_gms, shape),
     .range = SS_RANGE_POSITIVE,
     .optional = true,
     .standard = 2.0,
     .reason = "below 0 the curve would run backwards, from coulomb to static"},
    {.name = "attraction",
     .form = SS_KEY_GROWTH,
     .place = offsetof(ss_gms, attraction),
     .range = SS_RANGE_POSITIVE,
     .reason = "it draws slipping forces to their curve"},
    {.name = "viscous",
     .form = SS_KEY_DAMPING,
     .place = offsetof(ss_gms, viscous),
     .range = SS_RANGE_NOT_NEGATIVE,
     .optional = true},
    {.name = NULL},
};

const ss_law ss_gms_law = {
    .name = "gms",
    .traits = SS_TRAIT_BRISTLES | SS_TRAIT_MANY,
    .size = sizeof(ss_gms),
    .keys = {.list = keys, .make = make},
    .facts = facts,
    .point = {.at = at},
    .series = {.next = series, .step_bound = step_bound, .update = update},
    .events = {.function = event},
    .elements = {.word = "forces",
                 .most_word = "breakaway force",
                 .force = true,
                 .bounds = bounds,
                 .now = elements,
                 .at = element_at,
                 .slopes = ss_gms_slopes,
                 .by_numbers = ss_gms_by_numbers,
                 .walk = walk},
    .memory = {.prepare = prepare, .begin = begin, .turn = turn, .commit = commit},
    .energies = energies,
    .report = {.say = report, .remembers = true},
};
