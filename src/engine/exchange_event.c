// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Instants of a run that an outside solver integrates. The solver finds an event to its own precision; here
// its state is put exactly onto the event, and the instant is passed as in any run.
#include "engine/exchange_impl.h"
#include "engine/flow/bristle_run.h"
#include "engine/flow/contact.h"
#include "engine/flow/input_series.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/loop.h"
#include "engine/proof/leap.h"
#include "engine/sampled/sampled.h"

#include "core/algebra/dense.h"
#include "core/algebra/first_zero.h"
#include "core/error.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A solver finds an event to a share of the sizes in play like this.
static const double arrived = 1e-9;
// Slower than this share of the speeds in play, a body that bounces stays: a solver cannot follow what comes.
static const double faint = 1e-7;
static const double near_edge = 1e-6; // of its terms: where an elastic stop changes its formula

// Changes x (places or speeds of the coordinates of group g) so that each contact moves by `by` along its
// row, those with NaN as they will, with the least kinetic energy.
static void shift(const ss_model* model, const ss_modes* modes, ss_work* work, int g, const double by[],
                  double x[])
{
    const ss_group* group = &model->groups[g];
    int room = group->count, count = 0, *places = work->index;
    for (int p = 0; p < room; p++)
        if (!isnan(by[p]) && group->coupling[p * (room + 1)] > 0.0) places[count++] = p;
    double *a = work->numbers, *scratch = a + count * count, *inverse = modes->holds[g].inverse;
    for (int r = 0; r < count; r++)
        for (int c = 0; c < count; c++) a[r * count + c] = group->coupling[places[r] * room + places[c]];
    ss_pseudo_inverse(a, count, SS_SOLVED, inverse, NULL, scratch);
    for (int r = 0; r < count; r++) {
        const ss_row* mobility = &model->contacts[group->contacts[places[r]]].mobility;
        double force = 0.0;
        for (int c = 0; c < count; c++) force += inverse[r * count + c] * by[places[c]];
        for (int k = 0; k < mobility->count; k++) x[mobility->index[k]] += mobility->value[k] * force;
    }
}

static bool is_slow(const ss_model* model, const ss_step* step, int i)
{
    return fabs(ss_relative_velocity(model, step, i, 0)) < faint * ss_exchange_speed(model);
}

// What is met in group g becomes exact, and what holds goes on to hold: gaps are 0, then speeds.
static void make_exact(const ss_model* model, const ss_step* step, ss_modes* modes, ss_work* work, int g)
{
    const ss_group* group = &model->groups[g];
    double* by = work->choice;
    bool any = false;
    for (int p = 0; p < group->count; p++) {
        int i = group->contacts[p];
        ss_contact_run* run = &modes->contacts[i];
        bool struck = run->hit && ss_is_stop(model, i);
        by[p] = ss_holds(step, modes, i) ? 0.0 : struck ? model->contacts[i].stop.side * run->gap : NAN;
        if (struck) run->gap = 0.0;
        any = any || struck;
    }
    if (any) shift(model, modes, work, g, by, step->q);
    any = false;
    for (int p = 0; p < group->count; p++) {
        int i = group->contacts[p];
        const ss_contact_run* run = &modes->contacts[i];
        bool stops = run->hit && (ss_slips(modes, i) || (ss_is_stop(model, i) && is_slow(model, step, i)));
        by[p] = stops || ss_holds(step, modes, i) ? -ss_relative_velocity(model, step, i, 0) : NAN;
        any = any || stops;
    }
    if (any) shift(model, modes, work, g, by, step->q + model->n);
}

static void meet_elastic(ss_law_series* laws, ss_modes* modes, int i, const double indicator[2])
{
    ss_contact_run* run = &modes->contacts[i];
    ss_elastic* stop = &laws->elastic[laws->elastic_at[i]];
    bool closed = run->mode == SS_MODE_CLOSED;
    run->hit = true;
    if (fabs(indicator[0]) <= arrived) run->gap = 0.0;
    run->touches = run->gap == 0.0;
    if (fabs(indicator[1]) <= near_edge) stop->at_edge = closed && stop->law.edge_count > 1 ? 2 : 1;
}

// Whether an open stop is struck. A gap that is small is closed where the body comes with a speed; where its
// speed is 0 to a solver's precision, as of a contact that comes to rest right beside the stop, it stays
// open.
static bool is_struck(const ss_model* model, const ss_step* step, const ss_modes* modes, int i)
{
    double closing = model->contacts[i].stop.side * ss_relative_velocity(model, step, i, 0);
    double gap = modes->contacts[i].gap;
    bool comes = closing > arrived * ss_exchange_speed(model);
    return closing > 0.0 && (gap <= 0.0 || (comes && gap <= arrived * ss_exchange_length(model)));
}

// Marks the contacts whose indicators have vanished, and do not come from there.
static void meet_events(ss_sim* sim)
{
    double speed = ss_exchange_speed(sim->model);
    for (int i = 0; i < sim->model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        double v = ss_relative_velocity(sim->model, &sim->step, i, 0),
               a = ss_relative_velocity(sim->model, &sim->step, i, 1), g[2];
        if (ss_slips(&sim->modes, i)) {
            double sign = run->mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
            run->hit = sign * v < 0.0 || (sign * v <= arrived * speed && sign * a < 0.0);
            if (run->hit) (void)ss_mark_law(&sim->step, i, 0);
        } else if (ss_is_elastic(&sim->step, i)) {
            ss_exchange_indicate_elastic(sim, i, g);
            if (g[0] <= arrived || g[1] <= arrived) meet_elastic(&sim->step.laws, &sim->modes, i, g);
        } else if (ss_is_stop(sim->model, i) && run->mode == SS_MODE_OPEN) {
            run->hit = is_struck(sim->model, &sim->step, &sim->modes, i);
        }
    }
    for (int g = 0; g < sim->model->group_count; g++)
        make_exact(sim->model, &sim->step, &sim->modes, &sim->work, g);
}

// All contacts take part in the decision. Those that hold, and those that have come to rest, are at rest
// whatever rounding says.
static void wake(ss_sim* sim)
{
    const ss_model* model = sim->model;
    for (int i = 0; i < model->contact_count; i++) sim->work.note_contacts[i] = sim->modes.contacts[i].hit;
    ss_end_step(&sim->step, SS_STEP_EVENT_AT_BREAK);
    ss_wake_contacts(sim);
    for (int i = 0; i < model->contact_count; i++) {
        ss_contact_run* run = &sim->modes.contacts[i];
        run->recheck = sim->work.note_contacts[i] && run->mode == SS_MODE_OPEN;
        if (ss_holds(&sim->step, &sim->modes, i)) run->zero = true;
    }
}

// ---- what is given in time

// The first end of a piece of anything that is given in time, on the next h seconds, as a share of them; 1:
// none. The series of the kinks are at hand.
static double first_end(const ss_step* step, const ss_inputs* inputs, double h)
{
    double w = 1.0;
    for (int j = 0; j < inputs->kink_count; j++) {
        ss_unit_polynomial g = {.degree = step->order};
        double power = 1.0;
        for (int k = 0; k <= g.degree; k++, power *= h)
            g.c[k] = inputs->kinks[(size_t)j * (SS_MAX_ORDER + 1) + (size_t)k] * power;
        ss_unit_measure(&g);
        int lead = 0; // a piece that begins here begins at 0
        while (lead < g.degree && fabs(g.c[lead]) <= 64.0 * DBL_EPSILON * g.size) lead++;
        ss_unit_deflate(&g, lead);
        ss_unit_measure(&g);
        if (g.c[0] > 0.0 && !ss_unit_is_clear(&g, w)) w = fmin(w, ss_first_zero(&g, w));
    }
    return w;
}

// The next time at which a function of time kinks or jumps, or up to which none does: stretch after stretch,
// as far as the series reach. Leaves the series at other times than the present one.
static double next_kink(ss_sim* sim)
{
    enum { KINK_ORDER = 20, STRETCHES = 40 };
    double t = sim->step.t, at = t, length = 1.0;
    if (sim->inputs.kink_count == 0) return INFINITY;
    for (int k = 0; k < STRETCHES; k++, length *= 2.0) {
        ss_set_time(&sim->step, at);
        ss_ask_order(&sim->step, &sim->inputs, KINK_ORDER);
        bool good = ss_prepare_inputs(sim);
        double h = good ? ss_input_step_bound(sim, length) : 0.0;
        if (!(h > 64.0 * DBL_EPSILON * fabs(at))) break;
        double end = first_end(&sim->step, &sim->inputs, h);
        at += end * h;
        if (end < 1.0) break;
    }
    ss_set_time(&sim->step, t);
    return at > t ? at : INFINITY;
}

ss_status ss_exchange_pass(ss_sim* sim, ss_error* err)
{
    int order;
    ss_status status = ss_come_to_instant(sim, &order, err);
    ss_reopen_run(&sim->proof,
                  &sim->course); // what is proved of the future is not for those who set its inputs
    for (int e = 0; e < sim->step.laws.elastic_count; e++) {
        const ss_contact_run* run = &sim->modes.contacts[sim->step.laws.elastic[e].contact];
        sim->step.laws.elastic[e].cut_off = run->mode == SS_MODE_OPEN && run->gap < 0.0;
    }
    if (status == SS_OK) status = ss_exchange_evaluate(sim, err);
    sim->values.kink = status == SS_OK ? next_kink(sim) : INFINITY;
    return status == SS_OK && isfinite(sim->values.kink) ? ss_exchange_evaluate(sim, err) : status;
}

ss_status ss_exchange_begin(ss_sim* sim, double t, const double start_x[], const double start_v[],
                            ss_error* err)
{
    ss_status status = ss_exchange_check(sim->model, err);
    if (status == SS_OK) status = ss_start_at(sim, t, start_x, start_v, err);
    sim->modes.exchanged = true;
    ss_set_asked_time(&sim->values, t);
    sim->values.kink = INFINITY;
    return status == SS_OK ? ss_exchange_pass(sim, err) : status;
}

ss_status ss_exchange_event(ss_sim* sim, ss_exchange_instant* out, ss_error* err)
{
    const ss_model* model = sim->model;
    size_t n = 2 * (size_t)model->n * sizeof(double);
    double* before = sim->work.points;
    long events = sim->course.event_count;
    memcpy(before, sim->step.q, n);
    ss_set_time(&sim->step, sim->values.asked);
    ss_leave_start(&sim->values);
    meet_events(sim);
    wake(sim);
    ss_status status = ss_exchange_pass(sim, err);
    *out = (ss_exchange_instant){.changed = memcmp(before, sim->step.q, n) != 0,
                                 .modes = sim->course.event_count > events,
                                 .next_time =
                                     fmin(sim->values.kink, fmin(sim->inputs.next_break, sim->values.next))};
    return status;
}
