// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Locate: the first event on the present step. Every event is the first zero of a polynomial that starts
// positive (core/algebra/first_zero.h): of a contact, a kink of an input, an expression of the motion, the
// way out of the region that the caller has set.
#include "engine/locate/locate.h"
#include "core/tolerance.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/open_series.h"
#include "engine/locate/event_function.h"

#include <float.h>
#include <math.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

// Where a piece ends that has g > 0 on it, at the latest w. from_zero: g may be zero where the step starts.
static double end_of_piece(const ss_step* step, ss_unit_polynomial* g, bool from_zero, double w)
{
    ss_unit_measure(g);
    int lead = 0;
    while (from_zero && lead < g->degree && fabs(g->c[lead]) <= 64.0 * DBL_EPSILON * g->size) lead++;
    // A little below 0 and rising: the rounding of terms that the function does not show.
    if (from_zero && lead == 0 && g->degree > 0 && g->c[0] < 0.0 && g->c[1] > 0.0) lead = 1;
    double start = g->c[0];
    ss_unit_deflate(g, lead);
    ss_unit_measure(g);
    if (g->c[0] > 0.0 && !ss_unit_is_clear(g, w)) w = fmin(w, ss_first_zero(g, w));
    if (lead > 0 && g->c[0] < 0.0) // the kink is here, and the other side has not begun: a few ulps further
        w = fmin(w, 16.0 * DBL_EPSILON * fabs(step->t) / step->length +
                        (lead == 1 ? fmax(start, 0.0) / -g->c[0] : 0.0));
    return w;
}

// The event functions of the input's kinks: positive on the present piece, perhaps zero at its start; those
// of levels never are.
static double first_kink(const ss_step* step, const ss_inputs* inputs, double w)
{
    for (int j = 0; j < inputs->kink_count; j++) {
        ss_unit_polynomial g = {.degree = step->order};
        for (int k = 0; k <= g.degree; k++)
            g.c[k] = inputs->kinks[(size_t)j * WIDTH + (size_t)k] * step->power[k];
        w = end_of_piece(step, &g, j < inputs->watch_from, w);
    }
    return w;
}

// Switching function j of the expressions of the motion.
static bool build_switch(const ss_sim* sim, int j, ss_unit_polynomial* g)
{
    g->terms = 0.0;
    g->degree = ss_open_switch(sim, j, g->c);
    if (g->degree < 0) return false;
    for (int k = 0; k <= g->degree; k++) g->c[k] *= sim->step.power[k];
    return true;
}

// The first end of a piece of the expressions of the motion, and which; *paces: it is one only of a function
// that goes on smoothly.
static double first_switch(const ss_sim* sim, double w, int* found, bool* paces)
{
    ss_unit_polynomial g;
    for (int j = 0; j < ss_open_switch_count(sim->model); j++) {
        if (!build_switch(sim, j, &g)) continue;
        double end = end_of_piece(&sim->step, &g, true, w);
        if (!(end < w)) continue;
        w = end;
        *found = j;
        *paces = ss_open_paces(&sim->open, j);
    }
    return w;
}

// Position of body b relative to its start, coefficient k.
static double displacement(const ss_model* model, const ss_step* step, const ss_places* bodies, int b, int k)
{
    const ss_body* body = &model->bodies[b];
    double x = body->drive >= 0 ? step->d[(size_t)k * (size_t)model->drive_count + (size_t)body->drive]
                                : ss_row_dot(&body->row, step->q + (size_t)k * (size_t)model->n);
    return k == 0 ? x + bodies->offset[b] - bodies->start_x[b] : x;
}

static double first_escape(const ss_model* model, const ss_sim_def* def, const ss_step* step,
                           const ss_places* bodies, double w)
{
    for (int b = 0; b < model->body_count; b++)
        for (int side = -1; side <= 1; side += 2) {
            ss_unit_polynomial g = {.degree = step->order};
            for (int k = 0; k <= step->order; k++)
                g.c[k] = -side * displacement(model, step, bodies, b, k) * step->power[k];
            g.c[0] += def->escape;
            ss_unit_measure(&g);
            if (g.c[0] <= 0.0) return 0.0;
            if (!ss_unit_is_clear(&g, w)) w = fmin(w, ss_first_zero(&g, w));
        }
    return w;
}

// Whether a function that is positive before u is zero there: to rounding, or a few ulps of time later.
static bool vanishes_at(const ss_step* step, const ss_unit_polynomial* g, double u)
{
    double slope, value = ss_unit_value(g, u, &slope);
    double ulps = 16.0 * DBL_EPSILON * (fabs(step->t) / ss_elapsed(step, step->length) + u);
    return value <= 64.0 * DBL_EPSILON * g->size || value + slope * ulps <= 0.0;
}

// Where a level that varies touches the force of a contact that holds (both may be 0), the room between them
// is 0 to rounding, and the contact goes on holding. True where g at u, its zero, dips no deeper than that;
// it is then lifted by as much.
static bool lift_touch(const ss_step* step, const ss_inputs* inputs, const ss_modes* modes, int i, double u,
                       ss_unit_polynomial* g)
{
    double slope, lift = 64.0 * DBL_EPSILON * g->size;
    if (inputs->level_at[i] < 0 || !ss_holds(step, modes, i) || !(u <= 1.0)) return false;
    double value = ss_unit_value(g, u, &slope), bend = ss_unit_second_derivative(g, u);
    if (value < -0.5 * lift || (slope < 0.0 && slope * slope > bend * lift)) return false;
    g->c[0] += lift;
    return true;
}

// Time of the first event of any contact up to w, that contact (-1: none) and which of its functions.
// Contacts that had to be searched are candidates.
static double first_contact_event(ss_sim* sim, double w, int* contact, int* function)
{
    ss_unit_polynomial g;
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        run->hit = run->candidate = run->touches = false;
        if (run->clear) continue;
        if (ss_holds(&sim->step, &sim->modes, i) && ss_holds_clearly(sim, i)) continue;
        for (int which = 0, count = ss_event_function_count(sim->model, &sim->step, &sim->modes, i);
             which < count; which++) {
            if (!ss_event_function(sim, i, which, &g)) continue;
            if (g.c[0] <= 0.0 && !lift_touch(&sim->step, &sim->inputs, &sim->modes, i, 0.0, &g))
                ss_grant_slack(sim, i, which, &g);
            if (g.c[0] > 0.0 && ss_unit_is_clear(&g, w)) continue;
            double u = g.c[0] > 0.0 ? ss_first_zero(&g, w) : 0.0;
            if (u <= w && lift_touch(&sim->step, &sim->inputs, &sim->modes, i, u, &g))
                u = ss_first_zero(&g, w);
            if (u <= w && ss_slips(&sim->modes, i) && !ss_is_bristle(&sim->step, i))
                u = ss_refine_touch(&g, u, w);
            run->candidate = true;
            if (u > w) continue;
            if (u < w || *contact < 0) {
                *contact = i;
                *function = which;
            }
            w = u;
        }
    }
    return w;
}

// An elastic stop has met the touch, or an edge of its law.
static void mark_elastic(ss_step* step, ss_modes* modes, int i, int which)
{
    if (!ss_is_elastic(step, i)) return;
    if (which == 0) modes->contacts[i].touches = true;
    if (which > 0) step->laws.elastic[step->laws.elastic_at[i]].at_edge = which;
}

// All contacts whose functions vanish at u share the event.
static void mark_hits(ss_sim* sim, double u)
{
    ss_unit_polynomial g;
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        int count = run->candidate ? ss_event_function_count(sim->model, &sim->step, &sim->modes, i) : 0;
        for (int which = 0; which < count && !run->hit; which++) {
            if (!ss_event_function(sim, i, which, &g)) continue;
            run->hit = g.c[0] <= 0.0 || vanishes_at(&sim->step, &g, u);
            if (run->hit) mark_elastic(&sim->step, &sim->modes, i, which);
            if (run->hit && ss_slips(&sim->modes, i)) run->hit = ss_mark_law(&sim->step, i, which);
        }
    }
}

// All pieces that end at u do so together, `found` among them.
static void mark_switches(ss_sim* sim, int found, double u)
{
    ss_unit_polynomial g;
    for (int j = 0; j < ss_open_switch_count(sim->model); j++) {
        bool ends = j == found;
        if (!ends && build_switch(sim, j, &g)) {
            ss_unit_measure(&g);
            ends = g.c[0] > 64.0 * DBL_EPSILON * g.size && vanishes_at(&sim->step, &g, u);
        }
        if (ends) ss_open_end_piece(&sim->open, j);
    }
}

// Powers of the length of the step. Long steps end in cells of one and the same length.
static void prepare_powers(ss_step* step)
{
    if (step->powers_of == step->length && step->power_count >= step->order) return;
    step->power[0] = step->rate_power[0] = 1.0;
    for (int k = 1; k <= step->order; k++) {
        step->power[k] = step->power[k - 1] * step->length;
        step->rate_power[k] = (k + 1) * step->power[k];
    }
    step->powers_of = step->length;
    step->power_count = step->order;
}

// The speed of contact i in the cell after a long step, with the bounds that four coefficients and the
// tables' bound on the fourth derivative give. False where the contact does something else than slip along.
static bool build_in_cell(const ss_sim* sim, int i, ss_unit_polynomial* g, double* bound)
{
    const ss_contact_run* run = &sim->modes.contacts[i];
    bool slips = run->mode == SS_MODE_SLIP_PLUS || run->mode == SS_MODE_SLIP_MINUS;
    if (!slips || run->lead > 0 || isinf(run->bend) || sim->model->contacts[i].q.count > 1) return false;
    g->degree = ss_linear_propagator_function(sim, i, g->c);
    g->c[g->degree + 1] = 0.0;
    double bend = run->bend * sim->step.power[4], c2 = fabs(g->c[2]), c3 = fabs(g->c[3]);
    g->size = fabs(g->c[0]) + fabs(g->c[1]) + c2 + c3 + bend / 24.0;
    *bound = 2.0 * c2 + 6.0 * c3 + 0.5 * bend;
    return g->c[0] > 0.0;
}

// Whether g > 0 up to u: at both ends it exceeds what it can sag between them.
static bool stays_above(const ss_unit_polynomial* g, double bound, double u)
{
    double slope, sag = 0.125 * bound * u * u + 128.0 * DBL_EPSILON * g->size;
    return g->c[0] > sag && ss_unit_value(g, u, &slope) > sag;
}

// Most long steps end where one contact stops slipping, and no other does. Returns false, having changed
// nothing, where it is not as simple as that.
static bool locate_stop(ss_sim* sim)
{
    enum { MOST = 4 };
    ss_unit_polynomial g[MOST];
    double bound[MOST], zero[MOST], first = INFINITY;
    int searched[MOST], count = 0, at = 0;
    for (int i = 0; i < sim->model->contact_count; i++) {
        if (sim->modes.contacts[i].clear) continue;
        if (count == MOST || !build_in_cell(sim, i, &g[count], &bound[count])) return false;
        zero[count] = ss_near_zero(&g[count], bound[count], 1.0);
        if (zero[count] < first) first = zero[at = count];
        searched[count++] = i;
    }
    if (count == 0 || !(first <= 1.0)) return false;
    for (int j = 0; j < count; j++) {
        if (j == at) continue;
        bool later = zero[j] <= 1.0 || stays_above(&g[j], bound[j], first);
        if (!later || vanishes_at(&sim->step, &g[j], first)) return false;
    }
    sim->modes.contacts[searched[at]].hit = true;
    ss_end_step(&sim->step, SS_STEP_EVENT);
    sim->step.length *= first;
    return true;
}

// Events that come again and again without time passing, by roundings that contradict each other, are left
// alone for a moment: a step too short to matter, after which they are told apart; if they are not, a longer
// one.
static bool pass_blindly(const ss_model* model, ss_step* step, ss_modes* modes, ss_course* course)
{
    enum { PATIENCE = 48 };
    if (course->stalls < PATIENCE) return false;
    double share = SS_CLEAR * pow(8.0, course->blind_steps < 8 ? course->blind_steps++ : 8);
    step->length = fmin(step->length, fmax(share * step->length, 64.0 * DBL_EPSILON * fabs(step->t)));
    ss_end_step(step, SS_STEP_BOUND);
    for (int i = 0; i < model->contact_count; i++) modes->contacts[i].hit = false;
    return true;
}

void ss_locate(ss_sim* sim)
{
    if (pass_blindly(sim->model, &sim->step, &sim->modes, &sim->course)) return;
    prepare_powers(&sim->step);
    if (sim->open.following_count > 0) ss_open_watch_levels(sim);
    if (sim->ways.propagator && locate_stop(sim)) return;
    int contact = -1, function = 0;
    double event = first_contact_event(sim, 1.0, &contact, &function), first = event;
    double kink = sim->inputs.kink_count > 0 ? first_kink(&sim->step, &sim->inputs, first) : 1.0;
    bool in_kink = sim->inputs.kink_count > 0 && kink < first;
    first = fmin(first, kink);
    int switched = -1;
    bool paces = false;
    double end = sim->model->open ? first_switch(sim, first, &switched, &paces) : 1.0;
    in_kink = in_kink || switched >= 0;
    first = fmin(first, end);
    double escape = isfinite(sim->def.escape)
                        ? first_escape(sim->model, &sim->def, &sim->step, &sim->bodies, first)
                        : 1.0;
    bool in_escape = escape < first, at_break = ss_ends_at_break(&sim->step) && !(fmin(first, escape) < 1.0);
    first = fmin(first, escape);
    if (switched >= 0 && end <= first) mark_switches(sim, switched, first);
    if (paces && end <= first) {
        ss_end_step(&sim->step, SS_STEP_BOUND);
        sim->step.length *= first;
        return;
    }
    if (contact < 0 && !(first < 1.0)) {
        ss_end_step(&sim->step, at_break ? SS_STEP_BREAK : SS_STEP_BOUND);
        return;
    }
    ss_end_step(&sim->step, in_escape  ? SS_STEP_ESCAPE
                            : in_kink  ? SS_STEP_KINK
                            : at_break ? SS_STEP_EVENT_AT_BREAK
                                       : SS_STEP_EVENT);
    if (event <= first) {
        sim->modes.contacts[contact].hit = true;
        mark_elastic(&sim->step, &sim->modes, contact, function);
        if (ss_slips(&sim->modes, contact))
            sim->modes.contacts[contact].hit = ss_mark_law(&sim->step, contact, function);
    }
    mark_hits(sim, first);
    sim->step.length *= first;
}

void ss_forget_events(const ss_model* model, const ss_open_run* open_run, ss_law_series* laws,
                      ss_modes* modes)
{
    for (int i = 0; i < model->contact_count; i++)
        modes->contacts[i].hit = modes->contacts[i].touches = false;
    for (int e = 0; e < laws->elastic_count; e++) laws->elastic[e].at_edge = 0;
    ss_bristles_stay(laws);
    if (model->open) ss_open_keep_pieces(model, open_run->programs);
}
