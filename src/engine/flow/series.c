// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Flow: the power series of the motion in one mode. With a_k the coefficients of q'',
//
//     a_k = M^-1 (f_k - (k+1) C q_{k+1} - K q_k - cubic_k + sum W_i lambda_i,k),   q_{k+2} = a_k/((k+1)(k+2))
//
// What pulls (everything but the forces of contacts that hold) stands in pulls.c. Contacts that hold add the
// forces that keep W^T q'' + Wd^T d'' = 0 at every order, and the coordinates they fix are not integrated but
// copied from the ones they follow, so that stick is exact.
#include "core/tolerance.h"
#include "engine/flow/bristle.h"
#include "engine/flow/open.h"
#include "engine/flow/stiff.h"
#include "engine/sim.h"
#include "law/fall.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

// 1/k, to multiply by
static const double inverse[WIDTH] = {0.0,      1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,
                                      1.0 / 7,  1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13,
                                      1.0 / 14, 1.0 / 15, 1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20,
                                      1.0 / 21, 1.0 / 22, 1.0 / 23, 1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27,
                                      1.0 / 28, 1.0 / 29, 1.0 / 30, 1.0 / 31, 1.0 / 32, 1.0 / 33, 1.0 / 34,
                                      1.0 / 35, 1.0 / 36, 1.0 / 37, 1.0 / 38, 1.0 / 39, 1.0 / 40};

double ss_relative_position(const ss_sim* sim, int i, int k)
{
    const ss_contact* contact = &sim->model->contacts[i];
    double x = ss_row_dot(&contact->q, sim->step.q + (size_t)k * (size_t)sim->model->n);
    if (contact->d.count > 0)
        x += ss_row_dot(&contact->d, sim->step.d + (size_t)k * (size_t)sim->model->drive_count);
    return x;
}

// While a clock runs, speeds have series of their own, and those of the drives are constant.
static double clocked_velocity(const ss_sim* sim, const ss_contact* contact, int k)
{
    double v = ss_row_dot(&contact->q, sim->clock.speed + (size_t)k * (size_t)sim->model->n);
    return k == 0 && contact->d.count > 0 ? v + ss_row_dot(&contact->d, sim->clock.drive_speed) : v;
}

double ss_relative_velocity(const ss_sim* sim, int i, int k)
{
    const ss_contact* contact = &sim->model->contacts[i];
    if (sim->clock.stop) return clocked_velocity(sim, contact, k);
    double v = ss_row_dot(&contact->q, sim->step.q + (size_t)(k + 1) * (size_t)sim->model->n);
    if (contact->d.count > 0)
        v += ss_row_dot(&contact->d, sim->step.d + (size_t)(k + 1) * (size_t)sim->model->drive_count);
    return (k + 1) * v;
}

double ss_relative_velocity_terms(const ss_sim* sim, int i, int k)
{
    const ss_contact* contact = &sim->model->contacts[i];
    const double* q = sim->step.q + (size_t)(k + 1) * (size_t)sim->model->n;
    const double* d = sim->step.d + (size_t)(k + 1) * (size_t)sim->model->drive_count;
    double sum = 0.0;
    if (sim->clock.stop) return fabs(clocked_velocity(sim, contact, k));
    for (int j = 0; j < contact->q.count; j++) sum += fabs(contact->q.value[j] * q[contact->q.index[j]]);
    for (int j = 0; j < contact->d.count; j++) sum += fabs(contact->d.value[j] * d[contact->d.index[j]]);
    return (k + 1) * sum;
}

void ss_add_force(ss_sim* sim, int i, double force)
{
    const ss_row* row = &sim->model->contacts[i].mobility;
    for (int k = 0; k < row->count; k++) sim->pulls.accel[row->index[k]] += row->value[k] * force;
}

// Relative acceleration of contact i at order k with the forces added so far.
static double relative_acceleration(const ss_sim* sim, int i, int k)
{
    const ss_contact* contact = &sim->model->contacts[i];
    double a = ss_row_dot(&contact->q, sim->pulls.accel);
    if (contact->d.count > 0 && !sim->clock.stop)
        a += (k + 1) * (k + 2) *
             ss_row_dot(&contact->d, sim->step.d + (size_t)(k + 2) * (size_t)sim->model->drive_count);
    return a;
}

// Adds to the forces lambda of the held contacts what takes away their acceleration.
static void share_out(ss_sim* sim, int g, int k, double lambda[])
{
    const ss_group* group = &sim->model->groups[g];
    const ss_hold* hold = &sim->modes.holds[g];
    double* b = sim->work.numbers;
    for (int a = 0; a < hold->count; a++)
        b[a] = relative_acceleration(sim, group->contacts[hold->places[a]], k);
    for (int a = 0; a < hold->count; a++) {
        int i = group->contacts[hold->places[a]];
        double force = lambda[i], terms = fabs(force);
        for (int c = 0; c < hold->count; c++) {
            double share = hold->inverse[a * hold->count + c] * b[c];
            force -= share;
            terms += fabs(share);
        }
        // The other contacts hold all of it, to rounding.
        if (fabs(force) <= 16.0 * DBL_EPSILON * terms) force = 0.0;
        double added = force - lambda[i];
        lambda[i] = force;
        ss_add_force(sim, i, added);
    }
}

// The forces that keep group g still, beside those in lambda.
static void hold_still(ss_sim* sim, int g, int k, double lambda[])
{
    share_out(sim, g, k, lambda);
    // Rounding in the pseudo-inverse grows with the spread of A's eigenvalues; a second round takes it away
    // from the motion.
    if (sim->modes.holds[g].singular) share_out(sim, g, k, lambda);
}

void ss_apply_hold(ss_sim* sim, int g, int k)
{
    const ss_group* group = &sim->model->groups[g];
    const ss_hold* hold = &sim->modes.holds[g];
    double* lambda = sim->step.lambda + (size_t)k * (size_t)sim->model->contact_count;
    for (int p = 0; p < group->count; p++) {
        int i = group->contacts[p];
        if (!sim->modes.contacts[i].pinned) continue;
        lambda[i] = sim->modes.contacts[i].idle       ? 0.0
                    : sim->modes.contacts[i].edge < 0 ? ss_hold_low(sim, i, k)
                                                      : ss_hold_high(sim, i, k);
        ss_add_force(sim, i, lambda[i]);
    }
    for (int a = 0; a < hold->count; a++) {
        int i = group->contacts[hold->places[a]];
        lambda[i] = hold->singular && k == 0 ? hold->bias[a] : 0.0;
        if (lambda[i] != 0.0) ss_add_force(sim, i, lambda[i]);
    }
    hold_still(sim, g, k, lambda);
}

void ss_balance(ss_sim* sim, int k)
{
    ss_free_acceleration(sim, k);
    for (int j = 0; j < sim->modes.active_count; j++) ss_apply_hold(sim, sim->modes.active[j], k);
}

void ss_accelerate(ss_sim* sim, int k)
{
    ss_balance(sim, k);
    ss_store_acceleration(sim, k);
}

void ss_respond(ss_sim* sim, int k, int unit)
{
    double* lambda = sim->step.lambda + (size_t)k * (size_t)sim->model->contact_count;
    ss_free_response(sim, k, unit);
    for (int j = 0; j < sim->modes.active_count; j++) {
        int g = sim->modes.active[j];
        const ss_hold* hold = &sim->modes.holds[g];
        for (int a = 0; a < hold->count; a++) lambda[sim->model->groups[g].contacts[hold->places[a]]] = 0.0;
        hold_still(sim, g, k, lambda);
    }
    ss_store_acceleration(sim, k);
}

void ss_follow_held(ss_sim* sim, int k)
{
    ss_follow(sim, 0.0, sim->step.d + (size_t)k * (size_t)sim->model->drive_count,
              sim->step.q + (size_t)k * (size_t)sim->model->n);
}

void ss_follow_speed(ss_sim* sim, int k)
{
    ss_follow(sim, 0.0, NULL, sim->clock.speed + (size_t)k * (size_t)sim->model->n);
}

void ss_store_acceleration(ss_sim* sim, int k)
{
    int n = sim->model->n;
    if (sim->open.programs && ss_open_is_held(sim)) ss_open_balance(sim, k);
    double* next = sim->step.q + (size_t)(k + 2) * (size_t)n;
    double scale = 1.0 / ((k + 1.0) * (k + 2.0));
    for (int i = 0; i < n; i++) next[i] = sim->pulls.accel[i] * scale;
    if (sim->modes.active_count > 0) ss_follow_held(sim, k + 2);
}

// log2 of x > 0, at most 0.09 too small: for logarithms that are divided by tens. x = 2^e (1 + f) has e + f
// in its bits.
static double rough_log2(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (double)bits * 0x1p-52 - 1023.0;
}

// Longest step up to h on which the last two coefficients of a series that are not 0 stay below tolerance
// times its largest term: |c_k| h^k <= tolerance |c_j| h^j for some j. Series may have gaps: those of a free
// body in an elastic stop have every (n+1)st coefficient only, or by its clock every (2n+2)nd; what ends
// before the last eight is a polynomial.
static double empirical_reach(const double series[], int stride, int order, double tolerance, double h)
{
    enum { LONGEST_GAP = 8 };
    const double small = SS_NO_DIGITS;
    double tolerated = rough_log2(tolerance), size[2], reach[2] = {-INFINITY, -INFINITY};
    int top = order;
    while (top > order - LONGEST_GAP && top > 0 && fabs(series[(size_t)top * (size_t)stride]) < small) top--;
    if (top == order - LONGEST_GAP || top <= 1) return h;
    for (int k = 0; k < 2; k++) {
        double last = fabs(series[(size_t)(top - k) * (size_t)stride]);
        size[k] = last < small ? -INFINITY : rough_log2(last) - tolerated;
    }
    for (int j = 0; j < top - 1; j++) {
        double term = fabs(series[(size_t)j * (size_t)stride]);
        if (term < small) continue;
        double log = rough_log2(term), one = (log - size[0]) * inverse[top - j],
               other = (log - size[1]) * inverse[top - 1 - j];
        if (one > reach[0]) reach[0] = one;
        if (other > reach[1]) reach[1] = other;
    }
    double least = reach[0] < reach[1] ? reach[0] : reach[1]; // log2 of the step
    return least > -INFINITY && least < 1000.0 ? fmin(h, exp2(least)) : h;
}

// What the series of elastic stops allow: their rates, and where contacts hold against them, their forces.
static double elastic_reach(const ss_sim* sim, double tolerance, double h)
{
    int m = sim->model->contact_count, last = sim->step.order - 2;
    for (int e = 0; e < sim->laws.elastic_count; e++) {
        const ss_elastic* stop = &sim->laws.elastic[e];
        const ss_contact* contact = &sim->model->contacts[stop->contact];
        if (sim->modes.contacts[stop->contact].mode != SS_MODE_CLOSED || stop->quiet) continue;
        // Its rate is that of a coordinate, which is looked at anyway.
        bool alone = contact->q.count == 1 && contact->d.count == 0;
        if (stop == sim->clock.stop)
            h = empirical_reach(sim->clock.pace, 1, sim->step.order, tolerance, h);
        else if (!alone)
            h = empirical_reach(stop->p + 1, 1, last - 1, tolerance, h);
        // Of a stop between driven bodies no coordinate tells.
        if (sim->modes.active_count > 0 || contact->q.count == 0)
            h = empirical_reach(sim->step.lambda + stop->contact, m, last, tolerance, h);
        // Its edges are sums with p^n, however little that moves.
        bool whole = ss_power_is_whole(stop->form.exponent);
        if (stop != sim->clock.stop && !whole && stop->edge_count > 0 && stop->edge[0].power != 0.0)
            h = empirical_reach(stop->power, 1, last, tolerance, h);
    }
    return h;
}

static double input_tolerance(const ss_sim* sim)
{
    return sim->model->nature.piecewise_linear ? SS_UNNOTICED : sim->pace.tolerance;
}

// What is given in time within expressions.
static double open_input_reach(const ss_sim* sim, int order, double tolerance, double h)
{
    int inputs = sim->model->open->input_count, slots = sim->open.slots;
    for (int j = 0; j < inputs; j++)
        h = empirical_reach(sim->open.input + j, inputs, order - 1, tolerance, h);
    for (int j = 0; j < slots; j++) h = empirical_reach(sim->open.given + j, slots, order - 1, tolerance, h);
    return h;
}

// What the expressions of the motion allow: of forces on bodies that are held no speed tells, nor of the
// arguments of kinks. The square of a speed that fades away has no digits left where the speed has all.
static double expression_reach(const ss_sim* sim, double tolerance, double h)
{
    const ss_run* run = &sim->open.programs->motion;
    int last = sim->step.order - 2;
    double g[WIDTH];
    for (int i = 0; i < run->program->output_count; i++) {
        const double* output = ss_run_output(run, i);
        if (ss_poly_bound(output, 1, last, h) < SS_NO_DIGITS) continue;
        h = empirical_reach(output, 1, last, tolerance, h);
    }
    for (int j = 0; j < ss_open_switch_count(sim); j++) {
        int degree = ss_open_switch(sim, j, g);
        if (degree > 0) h = empirical_reach(g, 1, degree, tolerance, h);
    }
    return h;
}

// What the series of all inputs allow.
static double input_reach(const ss_sim* sim, int order, double tolerance, double h)
{
    const ss_model* model = sim->model;
    int nd = model->drive_count;
    for (int i = 0; i < nd && !sim->clock.stop; i++)
        h = empirical_reach(sim->step.d + nd + i, nd, order - 1, tolerance, h);
    for (int j = 0; j < sim->inputs.varying_count; j++)
        h = empirical_reach(sim->inputs.force + sim->inputs.varying[j], model->force_count, order - 2,
                            tolerance, h);
    if (sim->open.varies) h = open_input_reach(sim, order, tolerance, h);
    for (int j = 0; j < sim->inputs.watch_from; j++)
        h = empirical_reach(sim->inputs.kinks + j * WIDTH, 1, order, tolerance, h);
    for (int i = 0; i < model->contact_count; i++)
        for (int j = 0; j < 4 && sim->inputs.level_at[i] >= 0; j++)
            h = empirical_reach(sim->inputs.level + (4 * sim->inputs.level_at[i] + j) * WIDTH, 1, order,
                                tolerance, h);
    return h;
}

// Where no bound is known beforehand (cubic springs, Stribeck slip, elastic stops, bristles, general inputs)
// the decay of the computed coefficients tells how far the series reaches.
static double shorten(const ss_sim* sim, double h)
{
    const ss_model* model = sim->model;
    int n = model->n, order = sim->step.order;
    double tolerance = input_tolerance(sim);
    for (int i = 0; i < n; i++)
        h = empirical_reach(sim->clock.stop ? sim->clock.speed + i : sim->step.q + n + i, n, order - 1,
                            tolerance, h);
    for (int j = 0; j < sim->open.states; j++)
        h = empirical_reach(sim->step.s + j, sim->open.states, order - 1, tolerance, h);
    if (model->open) h = expression_reach(sim, tolerance, h);
    h = input_reach(sim, order, tolerance, h);
    for (int j = 0; j < sim->laws.bristle_count; j++) {
        const ss_bristle* b = &sim->laws.bristles[j];
        if (ss_law_has(model->contacts[b->contact].law, SS_TRAIT_STEPWISE) || b->still) continue;
        h = empirical_reach(b->along.z, 1, order - 1, tolerance, h);
    }
    return 0.8 * (sim->laws.elastic_count > 0 ? elastic_reach(sim, tolerance, h) : h);
}

double ss_input_reach(const ss_sim* sim, double h)
{
    return input_reach(sim, sim->inputs.order, input_tolerance(sim), h);
}

// Whether nothing but springs, dampers and bristles changes the accelerations at orders above 1.
static bool is_plain(const ss_sim* sim)
{
    int nd = sim->model->drive_count;
    if (sim->laws.bristle_count == 0 || sim->model->open || sim->laws.elastic_count > 0 ||
        sim->pulls.has_cubic || sim->inputs.varying_count > 0 || sim->modes.active_count > 0 ||
        sim->modes.active_slips > 0)
        return false;
    for (int k = 2 * nd; k < (sim->step.order + 1) * nd; k++)
        if (sim->step.d[k] != 0.0) return false;
    return true;
}

static void run_series(ss_sim* sim, int from)
{
    bool plain = is_plain(sim);
    int last = plain ? 1 : sim->step.order - 2;
    for (int k = from; k <= last; k++) ss_accelerate(sim, k);
    if (plain) ss_bristle_run_series(sim, from > 2 ? from : 2);
}

// Next to a touch, to v = 0 on a curve of fractional shape and to Dahl's full sliding coefficients may grow
// beyond all numbers: then the series is as long as they are good for.
static void drop_overflow(ss_sim* sim)
{
    const double huge_number = 1e250;
    int n = sim->model->n, m = sim->model->contact_count;
    while (sim->step.order > 4) {
        double size = 0.0;
        for (int i = 0; i < n; i++) size += fabs(sim->step.q[sim->step.order * n + i]);
        for (int j = 0; j < sim->open.states; j++)
            size += fabs(sim->step.s[(sim->step.order - 1) * sim->open.states + j]);
        for (int e = 0; e < sim->laws.elastic_count; e++)
            size += fabs(sim->step.lambda[(sim->step.order - 2) * m + sim->laws.elastic[e].contact]);
        for (int i = 0; i < m; i++)
            if (sim->laws.curved_at[i] >= 0 && ss_slips(sim, i))
                size += fabs(sim->step.lambda[(sim->step.order - 2) * m + i]);
        for (int j = 0; j < sim->laws.bristle_count; j++)
            size += fabs(sim->laws.bristles[j].along.z[sim->step.order - 1]);
        if (size < huge_number) return;
        sim->step.order--;
    }
}

// A coefficient that is no number makes all that follow it none.
bool ss_series_is_finite(const ss_sim* sim)
{
    double size = 0.0;
    int n = sim->model->n;
    for (int i = 0; i < n; i++) size += fabs(sim->step.q[sim->step.order * n + i]);
    for (int j = 0; j < sim->open.states; j++)
        size += fabs(sim->step.s[(sim->step.order - 1) * sim->open.states + j]);
    return isfinite(size);
}

// How much of h the series at hand reach.
static double reach_of_series(const ss_sim* sim, double h)
{
    if (!sim->model->nature.linear || !sim->inputs.rate_known) h = shorten(sim, h);
    if (!sim->model->nature.linear) h = ss_slip_reach(sim, h);
    if (sim->laws.elastic_count > 0) h = ss_elastic_reach(sim, h);
    return sim->laws.bristle_count > 0 ? ss_bristle_reach(sim, h) : h;
}

// A body that swings in its bristles: where some more orders carry the step to the reversal that is due, they
// cost less than a second step. The order that did is where the next swing begins.
static void extend_to_reversal(ss_sim* sim, double longest)
{
    enum { MORE = 4, HIGHEST = 30 };
    const double shortest = 1e-8; // beyond, high powers of 1/s may overflow
    double due = fmin(1.02 * sim->pace.swing - (sim->step.t - sim->pace.last_event), longest);
    bool whole = sim->step.t == sim->pace.last_event; // a swing from its start on
    while (sim->step.length < due && due < 2.5 * sim->step.length && sim->step.order + MORE <= HIGHEST &&
           sim->step.length > shortest) {
        int from = sim->step.order - 1;
        sim->step.order += MORE;
        run_series(sim, from);
        sim->step.length = fmax(reach_of_series(sim, longest), sim->step.length);
    }
    sim->pace.swing_order = 0;
    if (!whole || sim->step.length < due || sim->step.length > 2.5 * due)
        return; // not of the kind meant here
    sim->pace.swing_order = sim->step.length > 1.1 * due ? sim->step.order - 1 : sim->step.order;
    sim->step.length = fmin(sim->step.length, 1.05 * due);
}

// By power series from order `from` on, and how far they reach.
static void flow_by_series(ss_sim* sim, int from, bool may_clock)
{
    if (may_clock && sim->clock.allowed && ss_clock_wind(sim))
        ss_clock_flow(sim);
    else
        run_series(sim,
                   sim->laws.elastic_count > 0 ? 0 : from); // quiet stops are known after the step is chosen
    if (!sim->model->nature.linear) drop_overflow(sim);
    double longest = sim->step.length;
    sim->step.length = reach_of_series(sim, longest);
    if (sim->ways.stiff && sim->laws.bristle_count > 0 && sim->model->nature.steady &&
        sim->model->drive_count == 0)
        extend_to_reversal(sim, longest);
    if (sim->laws.bristle_count > 0) ss_bristle_follow_series(sim, sim->step.order - 1);
    if (!sim->model->nature.linear) ss_slips_follow_series(sim, sim->step.order - 1);
    if (sim->ways.stiff) ss_stiff_learn(sim);
}

static void flow(ss_sim* sim, int from, bool may_clock)
{
    if (!sim->ways.stiff || !ss_stiff_step(sim)) flow_by_series(sim, from, may_clock);
    bool at_break = sim->step.t + ss_elapsed(sim, sim->step.length) >= sim->inputs.next_break;
    if (at_break) sim->step.length = ss_parameter_at(sim, sim->inputs.next_break - sim->step.t);
    sim->step.end = at_break ? SS_STEP_BREAK : SS_STEP_REACH;
}

void ss_flow(ss_sim* sim, int from) { flow(sim, from, true); }

void ss_flow_in_time(ss_sim* sim, int from) { flow(sim, from, false); }
