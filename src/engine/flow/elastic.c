// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Elastic stops [RD25, (7)]: f = k p^n c, c = 1 + a p', a = 1.5 alpha, while p > 0 and c > 0; otherwise 0.
// The force is a definite function of the state and continuous, so it never takes part in the projection; the
// modes open and closed say which formula its series follows.
//
// p^n of a series p with p_0 > 0 comes from p (p^n)' = n p' p^n. Where n is no whole number the motion is not
// analytic at the touch, and the series reaches as far as the touch is away: steps grow and shrink
// geometrically. At the touch itself the force is left out while it could not change the motion by a rounding
// (quiet steps).
#include "core/algebra/polynomial.h"
#include "core/tolerance.h"
#include "engine/sim.h"

#include <float.h>
#include <math.h>

static const double near_cut = 1e-6;  // of its terms: 1 + a p' where its zero was located
static const double faint = SS_FAINT; // share of a friction level that decides nothing on a quiet step

static const ss_hunt_crossley* law_of(const ss_sim* sim, const ss_elastic* stop)
{
    return &sim->model->contacts[stop->contact].hunt_crossley;
}

static bool is_whole(double exponent) { return exponent <= 4.0 && exponent == floor(exponent); }

void ss_elastic_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    int m = model->contact_count;
    sim->laws.elastic_at = ss_pool_new(&sim->pool, (size_t)m, sizeof(int));
    sim->laws.elastic_count = 0;
    for (int i = 0; i < m && sim->laws.elastic_at; i++)
        sim->laws.elastic_at[i] =
            model->contacts[i].law == SS_LAW_HUNT_CROSSLEY ? sim->laws.elastic_count++ : -1;
    sim->laws.elastic = ss_pool_new(&sim->pool, (size_t)sim->laws.elastic_count, sizeof(ss_elastic));
    for (int i = 0; i < m && !sim->pool.failed; i++)
        if (sim->laws.elastic_at[i] >= 0) sim->laws.elastic[sim->laws.elastic_at[i]].contact = i;
}

// Rate of the penetration, coefficient k.
static double penetration_rate(const ss_sim* sim, const ss_elastic* stop, int k)
{
    return law_of(sim, stop)->side * ss_relative_velocity(sim, stop->contact, k);
}

// ---- quiet steps

static double mobility_of(const ss_sim* sim, int i)
{
    const ss_group* group = &sim->model->groups[sim->model->contacts[i].group];
    return group->coupling[sim->model->contacts[i].place * (group->count + 1)];
}

// Whether a force up to k p^n (1 + a rate), acting for a time h, changes nothing: neither the rate of p,
// which is at least of the size p/h, nor whether a contact of the group holds.
static bool goes_unnoticed(const ss_sim* sim, const ss_elastic* stop, double p, double rate, double h)
{
    const ss_hunt_crossley* law = law_of(sim, stop);
    const ss_group* group = &sim->model->groups[sim->model->contacts[stop->contact].group];
    double force = law->stiffness * pow(p, law->exponent) * (1.0 + 1.5 * law->alpha * rate);
    if (mobility_of(sim, stop->contact) * force * h * h > SS_UNNOTICED * p) return false;
    for (int g = 0; g < group->count; g++) {
        int i = group->contacts[g];
        if (!ss_holds(sim, i)) continue;
        double low = -ss_hold_low(sim, i, 0), high = ss_hold_high(sim, i, 0);
        if ((low > 0.0 && force > faint * low) || (high > 0.0 && force > faint * high)) return false;
    }
    return true;
}

// Whether the step that begins is a quiet one for this stop: it is so near to its touch that until it is
// twice as deep, or has left, its force changes nothing. A whole exponent is analytic at p = 0 itself.
static bool is_quiet(const ss_sim* sim, const ss_elastic* stop)
{
    const ss_contact_run* run = &sim->modes.contacts[stop->contact];
    double p = -run->gap, rate = fabs(penetration_rate(sim, stop, 0));
    if (run->mode != SS_MODE_CLOSED) return false;
    if (p == 0.0) return !is_whole(law_of(sim, stop)->exponent);
    return rate > 0.0 && goes_unnoticed(sim, stop, 2.0 * p, rate, 2.0 * p / rate);
}

// A stop that is leaned on and hardly moves: as a function of time its series reach far enough.
static void watch(ss_elastic* stop, double p, bool closed)
{
    enum { STEPS = 16 };
    const double little = 0.25; // change of p, relative
    if (!closed) stop->calm = false;
    if (!closed || stop->watched == STEPS) {
        if (closed) stop->calm = stop->most - stop->least < little * stop->least;
        stop->watched = 0;
        stop->least = INFINITY;
        stop->most = 0.0;
    }
    stop->watched++;
    if (p < stop->least) stop->least = p;
    if (p > stop->most) stop->most = p;
}

void ss_elastic_begin(ss_sim* sim)
{
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        ss_elastic* stop = &sim->laws.elastic[e];
        const ss_contact_run* run = &sim->modes.contacts[stop->contact];
        stop->quiet = is_quiet(sim, stop);
        watch(stop, -run->gap, run->mode == SS_MODE_CLOSED);
    }
}

void ss_elastic_restart(ss_sim* sim)
{
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        ss_elastic* stop = &sim->laws.elastic[e];
        stop->verge = SS_VERGE_NONE;
        stop->quiet = stop->at_cut = false;
        stop->cut_lead = 0;
        watch(stop, 0.0, false);
    }
}

// ---- modes

// Decides one stop by p and p'. On the verge, the derivatives to come decide: see ss_elastic_decide.
static void classify(ss_sim* sim, ss_elastic* stop)
{
    ss_contact_run* run = &sim->modes.contacts[stop->contact];
    double rate = penetration_rate(sim, stop, 0), a = 1.5 * law_of(sim, stop)->alpha;
    stop->verge = SS_VERGE_NONE;
    run->lead = stop->cut_lead = 0;
    if (run->gap > 0.0) {
        run->mode = SS_MODE_OPEN;
    } else if (run->gap < 0.0) {
        double factor = 1.0 + a * rate, size = 1.0 + a * fabs(rate);
        bool undecided = fabs(factor) <= (stop->at_cut ? near_cut : 8.0 * DBL_EPSILON) * size;
        if (undecided) {
            stop->verge = SS_VERGE_CUT;
            stop->cut_lead = 1;
        } else
            run->mode = factor > 0.0 ? SS_MODE_CLOSED : SS_MODE_OPEN;
    } else if (fabs(rate) > ss_velocity_rounding(sim, stop->contact)) {
        run->mode = rate > 0.0 && 1.0 + a * rate > 0.0 ? SS_MODE_CLOSED : SS_MODE_OPEN;
        run->lead = 1;
    } else {
        stop->verge = SS_VERGE_TOUCH;
        run->mode = SS_MODE_OPEN;
    }
    stop->at_cut = false;
    stop->quiet = is_quiet(sim, stop);
}

void ss_elastic_classify(ss_sim* sim)
{
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        ss_elastic* stop = &sim->laws.elastic[e];
        if (sim->modes.dirty[sim->model->contacts[stop->contact].group]) classify(sim, stop);
    }
}

// Whether the relative acceleration of the stop, coefficient k, is more than rounding.
static bool is_significant(const ss_sim* sim, int i, int k, double acceleration)
{
    double factor = 1.0;
    for (int j = 1; j <= k; j++) factor *= sim->pace.rate / j;
    // Rounding of order 0 is carried to order k by the rate of the motion.
    double floor_size = k > 0 ? SS_NOISE * factor * ss_acceleration_size(sim, i, 0) : 0.0;
    return fabs(acceleration) > SS_RELATIVE_ZERO * ss_acceleration_size(sim, i, k) + floor_size;
}

// The orders up to k are known, with no force in any of them: the first derivative that is there decides.
bool ss_elastic_decide(ss_sim* sim, int k)
{
    bool open = false;
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        ss_elastic* stop = &sim->laws.elastic[e];
        ss_contact_run* run = &sim->modes.contacts[stop->contact];
        if (stop->verge == SS_VERGE_NONE) continue;
        double rate = penetration_rate(sim, stop, k + 1); // of p', so p_{k+2} (k+2)
        if (!is_significant(sim, stop->contact, k, (k + 1) * rate)) {
            open = true;
            if (stop->verge == SS_VERGE_CUT) stop->cut_lead = k + 2; // 1 + a p' is 0 up to this order
            continue;
        }
        run->mode = rate > 0.0 ? SS_MODE_CLOSED : SS_MODE_OPEN;
        stop->quiet = is_quiet(sim, stop);
        if (stop->verge == SS_VERGE_TOUCH)
            run->lead = k + 2;
        else
            stop->cut_lead = k + 1;
        stop->verge = SS_VERGE_NONE;
    }
    // Beyond, the series of the step has no coefficient that could tell.
    return open && k < sim->step.order - 3;
}

// ---- the series

// Coefficient k of p^n. Whole exponents up to 4 are products, and so analytic at p = 0.
static double power_coefficient(double exponent, ss_elastic* stop, int k)
{
    const double* p = stop->p;
    if (exponent == 1.0) return p[k];
    if (is_whole(exponent)) stop->square[k] = ss_square(p, k);
    if (exponent == 2.0) return stop->square[k];
    if (exponent == 3.0) return ss_product(stop->square, p, k);
    if (exponent == 4.0) return ss_square(stop->square, k);
    if (k == 0) return pow(p[0], exponent);
    double sum = 0.0, weight = exponent * k;
    for (int j = k; j >= 1; j--, weight -= exponent + 1.0) sum += weight * p[j] * stop->power[k - j];
    return sum / (k * p[0]);
}

// The same for the stop whose clock runs: p = y^2, p^1.5 = y^3, p^2.5 = y^5.
static double clocked_coefficient(const ss_sim* sim, double exponent, ss_elastic* stop, int k)
{
    const double* y = sim->clock.pace;
    stop->square[k] = ss_product(stop->p, y, k);
    return exponent == 1.5 ? stop->square[k] : ss_product(stop->square, stop->p, k);
}

static double force_coefficient(ss_sim* sim, ss_elastic* stop, int k)
{
    const ss_contact_run* run = &sim->modes.contacts[stop->contact];
    const ss_hunt_crossley* law = law_of(sim, stop);
    bool clocked = stop == sim->clock.stop;
    if (clocked)
        stop->p[k] = ss_square(sim->clock.pace, k);
    else
        stop->p[k] = k == 0          ? -run->gap
                     : k < run->lead ? 0.0
                                     : law->side * ss_relative_position(sim, stop->contact, k);
    double a = 1.5 * law->alpha;
    stop->rate[k] = penetration_rate(sim, stop, k);
    if (k < stop->cut_lead) stop->rate[k] = k == 0 ? -1.0 / a : 0.0; // 1 + a p' starts at 0, exactly
    if (run->mode != SS_MODE_CLOSED || stop->quiet) return 0.0;
    stop->power[k] = clocked ? clocked_coefficient(sim, law->exponent, stop, k)
                             : power_coefficient(law->exponent, stop, k);
    double force = stop->power[k];
    if (k < stop->cut_lead) return 0.0;
    if (a > 0.0) force += a * ss_product(stop->power, stop->rate, k);
    // The factor 1 + a p' at the start is 0 but for rounding.
    if (stop->cut_lead > 0) force -= stop->power[k] * (1.0 + a * stop->rate[0]);
    return law->stiffness * force;
}

void ss_add_elastic_forces(ss_sim* sim, int k)
{
    int m = sim->model->contact_count;
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        ss_elastic* stop = &sim->laws.elastic[e];
        double force = -law_of(sim, stop)->side * force_coefficient(sim, stop, k);
        sim->step.lambda[(size_t)k * (size_t)m + (size_t)stop->contact] = force;
        if (force != 0.0) ss_add_force(sim, stop->contact, force);
    }
}

void ss_elastic_follow_series(ss_sim* sim)
{
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        ss_elastic* stop = &sim->laws.elastic[e];
        stop->p[0] = -sim->modes.contacts[stop->contact].gap;
        for (int k = 0; k <= sim->step.order - 2; k++) {
            if (k > 0) stop->p[k] = law_of(sim, stop)->side * ss_relative_position(sim, stop->contact, k);
            stop->rate[k] = penetration_rate(sim, stop, k);
        }
    }
}

double ss_elastic_reach(const ss_sim* sim, double h)
{
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        const ss_elastic* stop = &sim->laws.elastic[e];
        int last = sim->step.order - 2;
        while (stop->quiet && !goes_unnoticed(sim, stop, ss_poly_bound(stop->p, 1, last, h),
                                              ss_poly_bound(stop->rate, 1, last, h), h))
            h *= 0.5;
    }
    return h;
}
