// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// An elastic stop with losses [RD25, (7)]:
//     f = max(0, k p^n (1 + a p')),   a = 1.5 alpha,   p > 0 the penetration
// The printed law pulls where p' < -1/a; a stop cannot, so the force is cut to 0 there.
//
// A free body meets it with speed u/a and leaves with s/a. From m p'' = -f follows
//     (n+1) m v dv / (1 + a v) = -k d(p^(n+1)),
// whose left side integrates to g(a v)/a^2, g(x) = x - ln(1 + x). At both ends p = 0, so
//     g(u) = g(-s):   the exact restitution, the same for every mass, stiffness and exponent.
// The paper's e = 1 - alpha v is its first order.
#include "core/error.h"
#include "law/fall.h"
#include "law/table.h"
#include "share/law.h"
#include "slipstick/law.h"

#include <math.h>
#include <stdio.h>

ss_status ss_hunt_crossley_check(const ss_hunt_crossley* law, ss_error* err)
{
    ss_status status = ss_stop_check(law->position, law->side, law->stiffness, law->exponent, err);
    if (status != SS_OK) return status;
    if (!(law->alpha >= 0.0 && isfinite(law->alpha)))
        return ss_fail(err, SS_BAD_INPUT, "alpha", "must be a number >= 0, not %g", law->alpha);
    return SS_OK;
}

double ss_hunt_crossley_penetration(const ss_hunt_crossley* law, double x)
{
    return law->side * (x - law->position);
}

double ss_hunt_crossley_push(const ss_hunt_crossley* law, double p, double p_rate)
{
    if (!(p > 0.0)) return 0.0;
    return fmax(0.0, law->stiffness * pow(p, law->exponent) * (1.0 + 1.5 * law->alpha * p_rate));
}

double ss_hunt_crossley_force(const ss_hunt_crossley* law, double x, double v)
{
    return -law->side * ss_hunt_crossley_push(law, ss_hunt_crossley_penetration(law, x), law->side * v);
}

void ss_hunt_crossley_slopes(const ss_hunt_crossley* law, double p, double p_rate, double* by_p,
                             double* by_rate)
{
    double factor = 1.0 + 1.5 * law->alpha * p_rate;
    bool pushes = p > 0.0 && factor > 0.0;
    *by_p = pushes ? law->exponent * law->stiffness * pow(p, law->exponent - 1.0) * factor : 0.0;
    *by_rate = pushes ? 1.5 * law->alpha * law->stiffness * pow(p, law->exponent) : 0.0;
}

double ss_hunt_crossley_energy(const ss_hunt_crossley* law, double p)
{
    return p > 0.0 ? law->stiffness * pow(p, law->exponent + 1.0) / (law->exponent + 1.0) : 0.0;
}

// g(x) = x - ln(1 + x) without cancellation: with z = x/(2 + x), ln(1 + x) = 2 atanh z and x - 2 z = x z.
static double excess(double x)
{
    if (fabs(x) > 0.5) return x - log1p(x);
    double z = x / (2.0 + x), z2 = z * z, sum = 0.0;
    for (int k = 35; k >= 3; k -= 2) sum = sum * z2 + 1.0 / k;
    return x * z - 2.0 * sum * z2 * z;
}

// Slow impacts: Newton for g(-s) = g(u), from a start that has its first two orders.
static double leave_slowly(double u)
{
    double s = u / (1.0 + 2.0 / 3.0 * u), wanted = excess(u);
    for (int round = 0; round < 6; round++) s -= (excess(-s) - wanted) * (1.0 - s) / s;
    return s;
}

// Fast ones leave close to 1/a: with w = 1 - s, w = c e^w and c = (1 + u) e^-(1 + u). Newton from 0 climbs
// to the smaller solution.
static double leave_fast(double u)
{
    double c = (1.0 + u) * exp(-(1.0 + u)), w = 0.0;
    for (int round = 0; round < 8; round++) w += (c * exp(w) - w) / (1.0 - c * exp(w));
    return 1.0 - w;
}

double ss_hunt_crossley_restitution(const ss_hunt_crossley* law, double speed)
{
    double u = 1.5 * law->alpha * fabs(speed);
    if (u < 1e-100) return 1.0; // no loss, or none to be seen
    return (u <= 1.0 ? leave_slowly(u) : leave_fast(u)) / u;
}

double ss_hunt_crossley_restitution_first_order(const ss_hunt_crossley* law, double speed)
{
    return 1.0 - law->alpha * fabs(speed);
}

double ss_hunt_crossley_depth(const ss_hunt_crossley* law, double mass, double speed)
{
    double u = 1.5 * law->alpha * fabs(speed), v2 = speed * speed;
    double work = u > 1e-100 ? v2 * excess(u) / (u * u) : 0.5 * v2; // g(u)/a^2
    return pow((law->exponent + 1.0) * mass * work / law->stiffness, 1.0 / (law->exponent + 1.0));
}

// ---- the law: f = stiffness p^exponent (1 + a p'), which ends where the factor does

static void describe(const void* self, ss_stop* out)
{
    const ss_hunt_crossley* law = self;
    double a = 1.5 * law->alpha;
    ss_stop_form form = {law->stiffness, law->exponent, 1.0, a, 0.0};
    *out = (ss_stop){
        .side = law->side, .form = {form, form}, .edge = {{1.0, 0.0, a}}, .edge_count = a > 0.0 ? 1 : 0};
}

static void at(const void* law, const ss_law_point* point, ss_response* out)
{
    ss_stop stop;
    describe(law, &stop);
    ss_stop_at(&stop, point, out);
}

static void facts(const void* law, double v, ss_law_facts* out)
{
    (void)v;
    describe(law, &out->stop);
}

// ---- what it says of itself: restitution at the speeds of everyday impacts, exact and as the paper's first
// order has it

enum { SPEEDS = 6 };
static const double speeds[SPEEDS] = {0.01, 0.03, 0.1, 0.3, 1.0, 3.0}; // m/s

static void report_numbers(const void* self, const ss_law_place* place, ss_law_said* to)
{
    static const char* const columns[] = {"speed", "exact", "first_order"};
    const ss_hunt_crossley* law = self;
    ss_law_fact table = {.key = "restitution",
                         .kind = SS_FACT_TABLE,
                         .columns = columns,
                         .column_count = 3,
                         .row_count = SPEEDS};
    (void)place;
    for (int k = 0; k < SPEEDS; k++) {
        double* row = &table.cells[3 * k];
        row[0] = speeds[k];
        row[1] = ss_hunt_crossley_restitution(law, speeds[k]);
        row[2] = ss_hunt_crossley_restitution_first_order(law, speeds[k]);
    }
    ss_law_say_flag(to, "passive", true);
    ss_law_say_number(to, law->side > 0 ? "above" : "below", law->position);
    ss_law_say_number(to, "stiffness", law->stiffness);
    ss_law_say_number(to, "exponent", law->exponent);
    ss_law_say_number(to, "alpha", law->alpha);
    ss_law_say(to, &table);
}

static void report_words(const void* self, const ss_law_place* place, ss_law_said* out)
{
    const ss_hunt_crossley* law = self;
    ss_law_words_doubt(out, law->alpha == 0.0, "alpha 0, impacts lose nothing");
    ss_stop_say(out, place, law->stiffness, law->exponent, law->side, law->position);
    if (law->alpha == 0.0) {
        ss_law_words_add(out, ", without loss");
        return;
    }
    ss_law_words_add(
        out, "\n      a free body leaves with this share of its speed (exact; first order 1 - alpha v)");
    for (int k = 0; k < SPEEDS; k++)
        ss_law_words_add(out, "\n      %6g %s/s: %.6f (%.6f)", speeds[k], place->way,
                         ss_hunt_crossley_restitution(law, speeds[k]),
                         ss_hunt_crossley_restitution_first_order(law, speeds[k]));
}

static void report(const void* self, const ss_law_place* place, ss_law_said* out)
{
    report_numbers(self, place, out);
    report_words(self, place, out);
}

// ---- the row of the law

static const ss_key keys[] = {
    {.name = "above", .form = SS_KEY_SIDE},
    {.name = "below", .form = SS_KEY_PART},
    {.name = "exponent", .place = offsetof(ss_hunt_crossley, exponent), .range = SS_RANGE_FROM_ONE},
    {.name = "stiffness",
     .form = SS_KEY_POWER,
     .place = offsetof(ss_hunt_crossley, stiffness),
     .range = SS_RANGE_POSITIVE},
    {.name = "alpha",
     .form = SS_KEY_PER_SPEED,
     .place = offsetof(ss_hunt_crossley, alpha),
     .range = SS_RANGE_NOT_NEGATIVE},
    {.name = NULL},
};

static ss_status make(const void* def, void* law, const ss_law_making* with, ss_error* err)
{
    (void)law, (void)with; // a copy of its definition
    return ss_hunt_crossley_check(def, err);
}

const ss_law ss_hunt_crossley_law = {
    .name = "hunt-crossley",
    .traits = SS_TRAIT_STOPS | SS_TRAIT_GIVES_WAY,
    .size = sizeof(ss_hunt_crossley),
    .keys = {.list = keys, .make = make},
    .point = {.at = at},
    .facts = facts,
    .report = {.say = report},
};
