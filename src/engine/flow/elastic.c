// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Elastic stops: f = k p^n (w + a p') + d p' while p > 0 and it pushes; otherwise 0. The numbers of the
// formula, by branches, and the edges where they end, come from the law (law/stop.h). The force is a definite
// function of the state, so it never takes part in the projection; the modes open and closed, and the branch,
// say which formula its series follows. It is continuous but for the touch, where d p' may begin.
//
// p^n of a series p with p_0 > 0 comes from p (p^n)' = n p' p^n. Where n is no whole number the motion is not
// analytic at the touch, and the series reaches as far as the touch is away: steps grow and shrink
// geometrically. At the touch itself the force is left out while it could not change the motion by a rounding
// (quiet steps).
#include "engine/flow/elastic.h"
#include "core/algebra/polynomial.h"
#include "core/tolerance.h"
#include "engine/flow/contact.h"
#include "engine/flow/motion_series.h"
#include "law/fall.h"
#include "law/table.h"

#include <float.h>
#include <math.h>

static const double near_edge = 1e-6; // of its terms: an edge where its zero was located
static const double faint = SS_FAINT; // share of a friction level that decides nothing on a quiet step

static int side_of(const ss_model* model, const ss_elastic* stop)
{
    return model->contacts[stop->contact].stop.side;
}

// The stop goes on by the formula of another branch.
static void take_branch(ss_elastic* stop, int branch)
{
    stop->branch = branch;
    stop->form = stop->law.form[branch];
}

void ss_elastic_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    int m = model->contact_count;
    sim->step.laws.elastic_at = ss_pool_new(&sim->pool, (size_t)m, sizeof(int));
    sim->step.laws.elastic_count = 0;
    for (int i = 0; i < m && sim->step.laws.elastic_at; i++)
        sim->step.laws.elastic_at[i] =
            ss_law_has(model->contacts[i].law, SS_TRAIT_GIVES_WAY) ? sim->step.laws.elastic_count++ : -1;
    sim->step.laws.elastic =
        ss_pool_new(&sim->pool, (size_t)sim->step.laws.elastic_count, sizeof(ss_elastic));
    for (int i = 0; i < m && !sim->pool.failed; i++) {
        if (sim->step.laws.elastic_at[i] < 0) continue;
        ss_elastic* stop = &sim->step.laws.elastic[sim->step.laws.elastic_at[i]];
        stop->contact = i;
        stop->law = ss_law_ask(model->contacts[i].law_entry, ss_law_of(&model->contacts[i]), NAN).stop;
        take_branch(stop, 0);
    }
}

// Rate of the penetration, coefficient k.
static double penetration_rate(const ss_model* model, const ss_step* step, const ss_elastic* stop, int k)
{
    return side_of(model, stop) * ss_relative_velocity(model, step, stop->contact, k);
}

// Coefficient k of p^n. Whole exponents up to 4 are products, and so analytic at p = 0.
static double power_coefficient(double exponent, ss_elastic* stop, int k)
{
    const double* p = stop->p;
    if (exponent == 1.0) return p[k];
    if (ss_power_is_whole(exponent)) stop->square[k] = ss_square(p, k);
    if (exponent == 2.0) return stop->square[k];
    if (exponent == 3.0) return ss_product(stop->square, p, k);
    if (exponent == 4.0) return ss_square(stop->square, k);
    if (k == 0) return pow(p[0], exponent);
    double sum = 0.0, weight = exponent * k;
    for (int j = k; j >= 1; j--, weight -= exponent + 1.0) sum += weight * p[j] * stop->power[k - j];
    return sum / (k * p[0]);
}

// ---- edges

double ss_elastic_edge_at(const ss_elastic* stop, int w, double p, double rate, double* size)
{
    const ss_stop_edge* edge = &stop->law.edge[w];
    double power = edge->power != 0.0 ? edge->power * pow(p, stop->form.exponent) : 0.0;
    if (size) *size = fabs(edge->constant) + fabs(power) + fabs(edge->rate * rate);
    return edge->constant + power + edge->rate * rate;
}

// Whether the cut  k p^n + d p'  is watched in the form  p - (-d p'/k)^(1/n), which is smooth where p = 0:
// where the stop is cut off and n is no whole number, and on a quiet step on the way out.
static bool by_root(const ss_modes* modes, const ss_elastic* stop)
{
    bool closed = modes->contacts[stop->contact].mode == SS_MODE_CLOSED;
    if (stop->law.edge_count == 0 || stop->law.edge[0].power == 0.0 || !(stop->rate[0] < 0.0)) return false;
    if (closed) return stop->quiet;
    return stop->p[0] > 0.0 && !ss_power_is_whole(stop->form.exponent);
}

// The series of the root reach as far as p' changes little.
static double root_reach(const ss_elastic* stop, int last, double h)
{
    const double little = 0.125;
    while (ss_poly_bound(stop->rate + 1, 1, last - 1, h) * h > little * fabs(stop->rate[0])) h *= 0.5;
    return h;
}

// (-d p'/k)^(1/n), by the equation of powers.
static void root_series(const ss_elastic* stop, int last, double out[])
{
    const ss_stop_edge* cut = &stop->law.edge[0];
    double power = 1.0 / stop->form.exponent, factor = -cut->rate / cut->power;
    out[0] = pow(factor * stop->rate[0], power);
    for (int k = 1; k <= last; k++) {
        double sum = 0.0, weight = power * k;
        for (int j = k; j >= 1; j--, weight -= power + 1.0) sum += weight * stop->rate[j] * out[k - j];
        out[k] = sum / (k * stop->rate[0]);
    }
}

int ss_elastic_edge_series(const ss_step* step, const ss_modes* modes, const ss_elastic* stop, int w,
                           double c[])
{
    const ss_stop_edge* edge = &stop->law.edge[w];
    bool closed = modes->contacts[stop->contact].mode == SS_MODE_CLOSED;
    int last = step->order - 2;
    if (w >= stop->law.edge_count || (!closed && modes->contacts[stop->contact].gap >= 0.0)) return -1;
    if (w > 0 && (!closed || stop->quiet)) return -1;
    if (w == 0 && closed && stop->branch > 0) return -1; // the second edge comes before
    double sign = (w == 0 ? closed : stop->branch == 0) ? 1.0 : -1.0;
    if (w == 0 && by_root(modes, stop)) {
        root_series(stop, last, c);
        for (int k = 0; k <= last; k++) c[k] = sign * (stop->p[k] - c[k]);
        return last;
    }
    for (int k = 0; k <= last; k++) c[k] = sign * edge->rate * stop->rate[k];
    c[0] += sign * edge->constant;
    // While p grows on a quiet step, the cut is not met before p' = 0.
    for (int k = 0; k <= last && edge->power != 0.0 && !stop->quiet; k++)
        c[k] += sign * edge->power * stop->power[k];
    return last;
}

// ---- quiet steps

// Between driven bodies a stop moves nothing, but its force is asked for: as if one of 1 kg were there.
static double mobility_of(const ss_model* model, int i)
{
    const ss_group* group = &model->groups[model->contacts[i].group];
    double mobility = group->coupling[model->contacts[i].place * (group->count + 1)];
    return mobility > 0.0 ? mobility : 1.0;
}

// Whether the part of the force that goes with p^n, acting for a time h, changes nothing: neither the rate of
// p, which is at least of the size p/h, nor whether a contact of the group holds. A damper that is bounded by
// it comes to as much again.
static bool goes_unnoticed(const ss_sim* sim, const ss_elastic* stop, double p, double rate, double h)
{
    const ss_group* group = &sim->model->groups[sim->model->contacts[stop->contact].group];
    double share = stop->law.edge_count > 0 && stop->law.edge[0].power != 0.0 ? 2.0 : 1.0;
    double force = stop->form.stiffness * pow(p, stop->form.exponent) * (share + stop->form.grip * rate);
    if (mobility_of(sim->model, stop->contact) * force * h * h > SS_UNNOTICED * p) return false;
    for (int g = 0; g < group->count; g++) {
        int i = group->contacts[g];
        if (!ss_holds(&sim->step, &sim->modes, i)) continue;
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
    double p = -run->gap, rate = fabs(penetration_rate(sim->model, &sim->step, stop, 0));
    if (run->mode != SS_MODE_CLOSED) return false;
    if (p == 0.0) return !ss_power_is_whole(stop->form.exponent);
    return rate > 0.0 && goes_unnoticed(sim, stop, 2.0 * p, rate, 2.0 * p / rate);
}

static void look_for_quiet(const ss_sim* sim, ss_elastic* stop)
{
    stop->quiet = is_quiet(sim, stop);
    stop->inward = sim->modes.contacts[stop->contact].gap == 0.0 ||
                   penetration_rate(sim->model, &sim->step, stop, 0) > 0.0;
}

// On the way out a damper that does not pull is bounded by p^n; so is one that the law limits.
bool ss_elastic_drags_quietly(const ss_elastic* stop) { return stop->inward && stop->law.edge_count < 2; }

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
    for (int e = 0; e < sim->step.laws.elastic_count; e++) {
        ss_elastic* stop = &sim->step.laws.elastic[e];
        const ss_contact_run* run = &sim->modes.contacts[stop->contact];
        // On a quiet step nobody looked at the second edge.
        if (stop->quiet && stop->law.edge_count > 1 && run->mode == SS_MODE_CLOSED && run->gap < 0.0)
            take_branch(stop,
                        ss_elastic_edge_at(stop, 1, -run->gap,
                                           penetration_rate(sim->model, &sim->step, stop, 0), NULL) < 0.0);
        look_for_quiet(sim, stop);
        watch(stop, -run->gap, run->mode == SS_MODE_CLOSED);
    }
}

void ss_elastic_restart(ss_law_series* laws)
{
    for (int e = 0; e < laws->elastic_count; e++) {
        ss_elastic* stop = &laws->elastic[e];
        stop->verge = SS_VERGE_NONE;
        stop->quiet = stop->inward = stop->cut_off = false;
        stop->at_edge = 0;
        for (int w = 0; w < SS_STOP_EDGES; w++) stop->edge_lead[w] = 0;
        take_branch(stop, 0);
        watch(stop, 0.0, false);
    }
}

// ---- modes

// Decides one stop that is penetrated, by its edges. No two of them are met at once.
static void classify_inside(ss_modes* modes, ss_elastic* stop, double p, double rate)
{
    ss_contact_run* run = &modes->contacts[stop->contact];
    double value[SS_STOP_EDGES] = {1.0, 1.0}, size;
    for (int w = 0; w < stop->law.edge_count; w++) {
        value[w] = ss_elastic_edge_at(stop, w, p, rate, &size);
        if (fabs(value[w]) > (stop->at_edge == w + 1 ? near_edge : 8.0 * DBL_EPSILON) * size) continue;
        stop->verge = SS_VERGE_EDGE;
        stop->on_edge = w;
        stop->edge_lead[w] = 1;
    }
    bool on_edge = stop->verge == SS_VERGE_EDGE;
    take_branch(stop, !on_edge && value[1] < 0.0 ? 1 : 0); // on an edge both formulas agree
    if (!on_edge || stop->on_edge > 0) run->mode = value[0] > 0.0 ? SS_MODE_CLOSED : SS_MODE_OPEN;
}

// Decides one stop by p and p'. On the verge, the derivatives to come decide: see ss_elastic_decide.
static void classify(ss_sim* sim, ss_elastic* stop)
{
    ss_contact_run* run = &sim->modes.contacts[stop->contact];
    double rate = penetration_rate(sim->model, &sim->step, stop, 0);
    stop->verge = SS_VERGE_NONE;
    run->lead = stop->edge_lead[0] = stop->edge_lead[1] = 0;
    if (run->gap > 0.0) {
        run->mode = SS_MODE_OPEN;
    } else if (run->gap < 0.0) {
        classify_inside(&sim->modes, stop, -run->gap, rate);
    } else if (fabs(rate) > ss_velocity_rounding(sim->model, &sim->step, &sim->modes, stop->contact)) {
        run->mode = rate > 0.0 ? SS_MODE_CLOSED : SS_MODE_OPEN;
        take_branch(stop, stop->law.edge_count > 1); // p^n is nothing yet
        run->lead = 1;
    } else {
        stop->verge = SS_VERGE_TOUCH;
        run->mode = SS_MODE_OPEN;
    }
    stop->at_edge = 0;
    look_for_quiet(sim, stop);
}

void ss_elastic_classify(ss_sim* sim)
{
    for (int e = 0; e < sim->step.laws.elastic_count; e++) {
        ss_elastic* stop = &sim->step.laws.elastic[e];
        if (sim->modes.dirty[sim->model->contacts[stop->contact].group]) classify(sim, stop);
    }
}

// What may be rounding in the relative acceleration of the stop, coefficient k.
static double noise_of(const ss_sim* sim, int i, int k)
{
    double factor = 1.0;
    for (int j = 1; j <= k; j++) factor *= sim->control.rate / j;
    // Rounding of order 0 is carried to order k by the rate of the motion.
    double floor_size = k > 0 ? SS_NOISE * factor * ss_acceleration_size(sim, i, 0) : 0.0;
    return SS_RELATIVE_ZERO * ss_acceleration_size(sim, i, k) + floor_size;
}

// Which way the stop goes from its verge, by orders up to k: > 0 or < 0 by coefficient k + 1 of the rate or
// of the edge it is on, 0 where that is rounding.
static double tendency(const ss_sim* sim, ss_elastic* stop, int k)
{
    double rate = penetration_rate(sim->model, &sim->step, stop, k + 1),
           noise = noise_of(sim, stop->contact, k) / (k + 1);
    if (stop->verge == SS_VERGE_EDGE) {
        const ss_stop_edge* edge = &stop->law.edge[stop->on_edge];
        double power = 0.0;
        if (edge->power != 0.0) {
            stop->p[k + 1] = side_of(sim->model, stop) *
                             ss_relative_position(sim->model, &sim->step, stop->contact, k + 1);
            power = edge->power * power_coefficient(stop->form.exponent, stop, k + 1);
        }
        noise = fabs(edge->rate) * noise + SS_RELATIVE_ZERO * fabs(power);
        rate = power + edge->rate * rate;
    }
    return fabs(rate) > noise ? rate : 0.0;
}

// The motion leaves the verge to the side of `sign`, by coefficient k + 1.
static void leave_verge(const ss_sim* sim, ss_elastic* stop, int k, double sign)
{
    ss_contact_run* run = &sim->modes.contacts[stop->contact];
    bool touch = stop->verge == SS_VERGE_TOUCH;
    stop->verge = SS_VERGE_NONE;
    if (touch || stop->on_edge == 0) run->mode = sign > 0.0 ? SS_MODE_CLOSED : SS_MODE_OPEN;
    if (touch) {
        run->lead = k + 2;
        take_branch(stop, stop->law.edge_count > 1);
        for (int w = 0; w < stop->law.edge_count; w++)
            stop->edge_lead[w] = stop->law.edge[w].constant == 0.0 ? k + 1 : 0;
    } else {
        if (stop->on_edge == 1) take_branch(stop, sign < 0.0);
        stop->edge_lead[stop->on_edge] = k + 1;
    }
    look_for_quiet(sim, stop);
}

// The orders up to k are known: those at a touch without any force, those on an edge without the part in
// which its two sides differ. The first derivative that is there decides.
bool ss_elastic_decide(ss_sim* sim, int k)
{
    bool open = false;
    for (int e = 0; e < sim->step.laws.elastic_count; e++) {
        ss_elastic* stop = &sim->step.laws.elastic[e];
        if (stop->verge == SS_VERGE_NONE) continue;
        double sign = tendency(sim, stop, k);
        if (sign != 0.0) {
            leave_verge(sim, stop, k, sign);
            continue;
        }
        open = true;
        if (stop->verge == SS_VERGE_EDGE) stop->edge_lead[stop->on_edge] = k + 2; // 0 up to this order
    }
    // Beyond, the series of the step has no coefficient that could tell.
    return open && k < sim->step.order - 3;
}

// ---- the series

// The same for the stop whose clock runs: p = y^2, p^1.5 = y^3, p^2.5 = y^5.
static double clocked_coefficient(const ss_step_clock* clock, double exponent, ss_elastic* stop, int k)
{
    const double* y = clock->pace;
    stop->square[k] = ss_product(stop->p, y, k);
    return exponent == 1.5 ? stop->square[k] : ss_product(stop->square, stop->p, k);
}

// Whether p^n is wanted: for the force, or for the edge that a stop cut off waits for.
static bool wants_power(const ss_elastic* stop, bool closed)
{
    if (closed) return !stop->quiet || stop->verge == SS_VERGE_EDGE;
    return stop->p[0] > 0.0 && stop->law.edge_count > 0 && stop->law.edge[0].power != 0.0;
}

static double force_coefficient(const ss_model* model, ss_step* step, ss_modes* modes, ss_elastic* stop,
                                int k)
{
    const ss_contact_run* run = &modes->contacts[stop->contact];
    const ss_stop_form* form = &stop->form;
    bool clocked = stop == step->clock.stop, closed = run->mode == SS_MODE_CLOSED;
    if (clocked)
        stop->p[k] = ss_square(step->clock.pace, k);
    else
        stop->p[k] = k == 0 ? -run->gap
                     : k < run->lead
                         ? 0.0
                         : side_of(model, stop) * ss_relative_position(model, step, stop->contact, k);
    double a = form->grip;
    stop->rate[k] = penetration_rate(model, step, stop, k);
    if (a > 0.0 && k < stop->edge_lead[0])
        stop->rate[k] = k == 0 ? -1.0 / a : 0.0; // 1 + a p' starts at 0, exactly
    if (wants_power(stop, closed))
        stop->power[k] = clocked ? clocked_coefficient(&step->clock, form->exponent, stop, k)
                                 : power_coefficient(form->exponent, stop, k);
    if (closed && stop->quiet) return ss_elastic_drags_quietly(stop) ? form->drag * stop->rate[k] : 0.0;
    if (!closed || k < stop->edge_lead[0]) return 0.0; // on the cut the force is the edge, or goes with it
    double force = form->weight * stop->power[k];
    if (a > 0.0) force += a * ss_product(stop->power, stop->rate, k);
    // The factor 1 + a p' at the start is 0 but for rounding.
    if (a > 0.0 && stop->edge_lead[0] > 0) force -= stop->power[k] * (1.0 + a * stop->rate[0]);
    force *= form->stiffness;
    return form->drag != 0.0 ? force + form->drag * stop->rate[k] : force;
}

void ss_add_elastic_forces(ss_sim* sim, int k)
{
    int m = sim->model->contact_count;
    for (int e = 0; e < sim->step.laws.elastic_count; e++) {
        ss_elastic* stop = &sim->step.laws.elastic[e];
        double force =
            -side_of(sim->model, stop) * force_coefficient(sim->model, &sim->step, &sim->modes, stop, k);
        sim->step.lambda[(size_t)k * (size_t)m + (size_t)stop->contact] = force;
        if (force != 0.0) ss_add_force(sim->model, &sim->pulls, stop->contact, force);
    }
}

void ss_elastic_update_series(const ss_model* model, ss_step* step, const ss_modes* modes)
{
    for (int e = 0; e < step->laws.elastic_count; e++) {
        ss_elastic* stop = &step->laws.elastic[e];
        stop->p[0] = -modes->contacts[stop->contact].gap;
        for (int k = 0; k <= step->order - 2; k++) {
            if (k > 0)
                stop->p[k] = side_of(model, stop) * ss_relative_position(model, step, stop->contact, k);
            stop->rate[k] = penetration_rate(model, step, stop, k);
            if (stop->p[0] > 0.0 && stop->law.edge_count > 0 && stop->law.edge[0].power != 0.0)
                stop->power[k] = power_coefficient(stop->form.exponent, stop, k);
        }
    }
}

double ss_elastic_step_bound(const ss_sim* sim, double h)
{
    for (int e = 0; e < sim->step.laws.elastic_count; e++) {
        const ss_elastic* stop = &sim->step.laws.elastic[e];
        int last = sim->step.order - 2;
        while (stop->quiet && !goes_unnoticed(sim, stop, ss_poly_bound(stop->p, 1, last, h),
                                              ss_poly_bound(stop->rate, 1, last, h), h))
            h *= 0.5;
        if (by_root(&sim->modes, stop)) h = root_reach(stop, last, h);
    }
    return h;
}
