// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How far the series of a step reach: where no bound is known beforehand, the decay of their computed
// coefficients tells.
#include "core/tolerance.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "law/fall.h"

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

// log2 of x > 0, at most 0.09 too small: for logarithms that are divided by tens. x = 2^e (1 + f) has e + f
// in its bits.
static double rough_log2(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (double)bits * 0x1p-52 - 1023.0;
}

enum { LONGEST_GAP = 8 }; // between coefficients of a series that are not 0

// log2 of the step on which term k of a series, of which log[] has the logarithms up to `top`, is as small as
// a geometric series has it that goes down to the tolerance at `top`.
static double reach_of_term(const double log[], int k, int top, double tolerated)
{
    double reach = -INFINITY;
    for (int j = 0; j < k; j++)
        reach = fmax(reach, (log[j] - log[k]) * inverse[k - j] + tolerated * inverse[top - j]);
    return reach;
}

// The last two coefficients of a series may be small by chance: in one with gaps that rounding, or a small
// disturbance, has filled they tell nothing. The terms of the gap before them must have decayed on the way
// from the largest one before the gap to the tolerance, too. `most` is the largest of all terms at 2^reach;
// returns the reach that they allow.
static double reach_of_gap(const double log[], int most, int top, double tolerated, double reach)
{
    // By so much the terms of a series that ends like that of an exponential function may be larger:
    // (top/k)^k, log2 by coefficient.
    const double slack = 1.25;
    int before = top > LONGEST_GAP ? top - LONGEST_GAP : 0;
    if (most > before) {
        most = 0;
        for (int j = 1; j <= before; j++)
            if (log[j] + j * reach > log[most] + most * reach) most = j;
    }
    double size = log[most] + most * reach, least = reach;
    if (size == -INFINITY) return reach; // the series begins within the gap
    for (int k = top - 2; k > before; k--)
        if (log[k] + k * reach > size + tolerated * (k - most) * inverse[top - most] + slack * (top - k))
            least = fmin(least, reach_of_term(log, k, top, tolerated));
    return least;
}

// The last coefficient that tells how far a series reaches; 0 where none does. What ends before the last
// eight is a polynomial, unless it fades into numbers that have no digits: such a series ends where they do.
static int last_coefficient(const double series[], int stride, int order)
{
    int top = order;
    while (top > 0 && series[(size_t)top * (size_t)stride] == 0.0) top--;
    bool fades = fabs(series[(size_t)top * (size_t)stride]) < SS_NO_DIGITS;
    return top > order - LONGEST_GAP || fades ? top : 0;
}

// Longest step up to h on which the last two coefficients of a series that are not 0 stay below tolerance
// times its largest term: |c_k| h^k <= tolerance |c_j| h^j for some j. Series may have gaps: those of a free
// body in an elastic stop have every (n+1)st coefficient only, or by its clock every (2n+2)nd. Terms are
// compared with each other and with no absolute size: what has decayed to 1e-300 is followed like anything
// else.
static double empirical_reach(const double series[], int stride, int order, double tolerance, double h)
{
    double tolerated = rough_log2(tolerance), size[2], reach[2] = {-INFINITY, -INFINITY}, log[WIDTH];
    int top = last_coefficient(series, stride, order), most[2] = {0, 0};
    if (top <= 1) return h;
    for (int k = 0; k < 2; k++) {
        double last = fabs(series[(size_t)(top - k) * (size_t)stride]);
        size[k] = last == 0.0 ? -INFINITY : rough_log2(last) - tolerated;
    }
    for (int j = 0; j < top - 1; j++) {
        double term = fabs(series[(size_t)j * (size_t)stride]);
        log[j] = -INFINITY;
        if (term == 0.0) continue;
        log[j] = rough_log2(term);
        double one = (log[j] - size[0]) * inverse[top - j], other = (log[j] - size[1]) * inverse[top - 1 - j];
        if (one > reach[0]) {
            reach[0] = one;
            most[0] = j;
        }
        if (other > reach[1]) {
            reach[1] = other;
            most[1] = j;
        }
    }
    int binding = reach[0] < reach[1] ? 0 : 1;
    double least = reach[binding]; // log2 of the step
    if (!(least > -INFINITY && least < 1000.0)) return h;
    return fmin(h, exp2(reach_of_gap(log, most[binding], top, tolerated, least)));
}

// What the series of elastic stops allow: their rates, and where contacts hold against them, their forces.
static double elastic_reach(const ss_model* model, const ss_step* step, const ss_modes* modes,
                            double tolerance, double h)
{
    int m = model->contact_count, last = step->order - 2;
    for (int e = 0; e < step->laws.elastic_count; e++) {
        const ss_elastic* stop = &step->laws.elastic[e];
        const ss_contact* contact = &model->contacts[stop->contact];
        if (modes->contacts[stop->contact].mode != SS_MODE_CLOSED || stop->quiet) continue;
        // Its rate is that of a coordinate, which is looked at anyway.
        bool alone = contact->q.count == 1 && contact->d.count == 0;
        if (stop == step->clock.stop)
            h = empirical_reach(step->clock.pace, 1, step->order, tolerance, h);
        else if (!alone)
            h = empirical_reach(stop->p + 1, 1, last - 1, tolerance, h);
        // Of a stop between driven bodies no coordinate tells.
        if (modes->active_count > 0 || contact->q.count == 0)
            h = empirical_reach(step->lambda + stop->contact, m, last, tolerance, h);
        // Its edges are sums with p^n, however little that moves.
        bool whole = ss_power_is_whole(stop->form.exponent);
        if (stop != step->clock.stop && !whole && stop->law.edge_count > 0 && stop->law.edge[0].power != 0.0)
            h = empirical_reach(stop->power, 1, last, tolerance, h);
    }
    return h;
}

// Whether a slip speeds up from a rest behind it beyond which its law has no formula, as with powers of the
// speed that are not whole.
static bool leaves_rest(const ss_model* model, int i, const ss_along* along)
{
    const ss_contact* contact = &model->contacts[i];
    return along->v[0] * along->v[1] > 0.0 && contact->law_entry->point.ends &&
           contact->law_entry->point.ends(ss_law_of(contact), along, -along->v[0], 0.0);
}

// What the forces of curved laws allow where no coordinate tells of them: between driven bodies, and where
// other contacts hold against them. Next to a rest, what is lost in the speeds of two bodies is not in their
// difference: by it, a series that has gone too far would say that the slip ends.
static double curved_reach(const ss_model* model, const ss_step* step, const ss_modes* modes,
                           double tolerance, double h)
{
    int m = model->contact_count;
    for (int i = 0; i < m; i++) {
        if (step->laws.curved_at[i] < 0 || !ss_slips(modes, i)) continue;
        const ss_along* along = &step->laws.curved[step->laws.curved_at[i]];
        if (leaves_rest(model, i, along)) h = empirical_reach(along->v, 1, step->order - 2, tolerance, h);
        if (modes->active_count > 0 || model->contacts[i].q.count == 0)
            h = empirical_reach(step->lambda + i, m, step->order - 2, tolerance, h);
    }
    return h;
}

static double input_tolerance(const ss_model* model, const ss_step_control* pace)
{
    return model->nature.piecewise_linear ? SS_UNNOTICED : pace->tolerance;
}

// What is given in time within expressions.
static double open_input_reach(const ss_model* model, const ss_open_run* open, int order, double tolerance,
                               double h)
{
    int inputs = model->open->input_count, slots = open->slots;
    for (int j = 0; j < inputs; j++) h = empirical_reach(open->input + j, inputs, order - 1, tolerance, h);
    for (int j = 0; j < slots; j++) h = empirical_reach(open->given + j, slots, order - 1, tolerance, h);
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
    if (run->program->singular_count > 0) h = ss_open_clear(sim, h);
    for (int j = 0; j < ss_open_switch_count(sim->model); j++) {
        int degree = ss_open_switch(sim, j, g);
        if (degree <= 0 || ss_poly_bound(g, 1, degree, h) < SS_NO_DIGITS) continue;
        h = empirical_reach(g, 1, degree, tolerance, h);
    }
    return h;
}

// What the series of all inputs allow.
static double input_reach(const ss_sim* sim, int order, double tolerance, double h)
{
    const ss_model* model = sim->model;
    int nd = model->drive_count;
    if (isfinite(sim->inputs.clear))
        h = fmin(h, ss_parameter_at(&sim->step, &sim->step.clock, sim->inputs.clear));
    for (int i = 0; i < nd && !sim->step.clock.stop; i++)
        h = empirical_reach(sim->step.d + nd + i, nd, order - 1, tolerance, h);
    for (int j = 0; j < sim->inputs.varying_count; j++)
        h = empirical_reach(sim->inputs.force + sim->inputs.varying[j], model->force_count, order - 2,
                            tolerance, h);
    if (sim->open.varies) h = open_input_reach(sim->model, &sim->open, order, tolerance, h);
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
    double tolerance = input_tolerance(sim->model, &sim->control);
    for (int i = 0; i < n; i++)
        h = empirical_reach(sim->step.clock.stop ? sim->step.clock.speed + i : sim->step.q + n + i, n,
                            order - 1, tolerance, h);
    for (int j = 0; j < sim->open.states; j++)
        h = empirical_reach(sim->step.s + j, sim->open.states, order - 1, tolerance, h);
    if (model->open) h = expression_reach(sim, tolerance, h);
    h = input_reach(sim, order, tolerance, h);
    for (int j = 0; j < sim->step.laws.bristle_count; j++) {
        const ss_bristle* b = &sim->step.laws.bristles[j];
        if (ss_law_has(model->contacts[b->contact].law, SS_TRAIT_STEPWISE) || b->still) continue;
        h = empirical_reach(b->along.z, 1, order - 1, tolerance, h);
    }
    h = curved_reach(sim->model, &sim->step, &sim->modes, tolerance, h);
    for (int i = 0; i < model->contact_count; i++) // of bodies that are held fast by joints no speed tells
        if (model->contacts[i].turns)
            h = empirical_reach(sim->step.lambda + i, model->contact_count, order - 2, tolerance, h);
    return 0.8 * (sim->step.laws.elastic_count > 0
                      ? elastic_reach(sim->model, &sim->step, &sim->modes, tolerance, h)
                      : h);
}

double ss_input_step_bound(const ss_sim* sim, double h)
{
    return input_reach(sim, sim->inputs.order, input_tolerance(sim->model, &sim->control), h);
}

double ss_series_step_bound(const ss_sim* sim, double h)
{
    if (!sim->model->nature.linear || !sim->inputs.rate_known) h = shorten(sim, h);
    if (!sim->model->nature.linear) h = ss_slip_step_bound(sim->model, &sim->step, &sim->modes, h);
    if (sim->step.laws.elastic_count > 0) h = ss_elastic_step_bound(sim, h);
    return sim->step.laws.bristle_count > 0 ? ss_bristle_step_bound(sim, h) : h;
}
