// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion and its derivative with respect to the start: the library's own (slipstick/derivative.h), in the
// directions of all variables at once, with extents looked at on the way.
#include "lab/cycle/orbit.h"

#include "core/algebra/polynomial.h"
#include "core/error.h"
#include "core/grow.h"
#include "core/tolerance.h"
#include "share/derivative.h"
#include "share/model_parts.h"
#include "share/run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_LOOKS = 256, MOST_LOOKS = 20000, LOOKS_PER_RADIAN = 12 };
enum { LOOKS_AT_TURNS = 8 }; // where states turn, times as many: a cubic is then as good as a quintic

// ---- creation

static void keep_event(void* user, const ss_event* event)
{
    ss_events* events = &((ss_orbit*)user)->events;
    if (ss_grow(&events->items, events->count, &events->room, sizeof *event))
        events->items[events->count++] = *event;
    else
        events->failed = true;
}

// Whether somebody wants the motion to end here, or has wanted it before.
static bool is_interrupted(ss_orbit* orbit)
{
    orbit->interrupted = orbit->interrupted || (orbit->stop && orbit->stop(orbit->user));
    return orbit->interrupted;
}

static bool keep_going(void* user, double t)
{
    (void)t;
    return !is_interrupted(user);
}

// One direction per variable of the state.
static void aim(ss_orbit* orbit)
{
    const ss_model* model = orbit->model;
    size_t bodies = (size_t)model->body_count, each = 2 * bodies + (size_t)orbit->width;
    for (int k = 0; k < orbit->width; k++) {
        double *x = orbit->units + (size_t)k * each, *v = x + bodies, *rest = v + bodies;
        if (k < orbit->n)
            x[model->coordinate_body[k]] = 1.0;
        else if (k < 2 * orbit->n)
            v[model->coordinate_body[k - orbit->n]] = 1.0;
        else
            rest[k - 2 * orbit->n] = 1.0;
        int bristles = ss_sim_bristles(orbit->sim, NULL);
        orbit->directions[k] = (ss_direction){.x = x,
                                              .v = v,
                                              .states = rest,
                                              .bristles = rest + orbit->states,
                                              .memory = rest + orbit->states + bristles};
    }
}

static bool allocate(ss_orbit* orbit)
{
    const ss_model* model = orbit->model;
    size_t w = (size_t)orbit->width, bodies = (size_t)model->body_count;
    double** arrays[] = {&orbit->body_x, &orbit->body_v,    &orbit->state, &orbit->slope, &orbit->shifted,
                         &orbit->start,  &orbit->monodromy, &orbit->units, &orbit->whole};
    size_t sizes[] = {bodies, bodies, w, w, w, w, w * w, w * (2 * bodies + w), 2 * (size_t)orbit->states};
    bool fine = true;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        fine = (*arrays[k] = ss_new(sizes[k], sizeof(double))) && fine;
    orbit->directions = ss_new(w, sizeof(ss_direction));
    orbit->extents = ss_new(bodies + (size_t)orbit->states, sizeof(ss_extent));
    return fine && orbit->directions && orbit->extents;
}

ss_status ss_orbit_create(const ss_model* model, const ss_sim_def* settings, ss_orbit** out, ss_error* err)
{
    *out = NULL;
    ss_orbit* orbit = ss_new(1, sizeof *orbit);
    if (!orbit) return ss_fail_no_memory(err);
    orbit->model = model;
    orbit->n = model->n;
    ss_sim_def def = *settings;
    def.on_event = keep_event;
    def.keep_going = keep_going;
    def.user = orbit;
    def.ledger = false;
    orbit->states = ss_model_state_count(model);
    orbit->carry = ss_new((size_t)(model->n + orbit->states), sizeof(double));
    ss_status status =
        orbit->carry ? ss_orbit_find_advance(model, orbit->carry, err) : ss_fail_no_memory(err);
    if (status == SS_OK) status = ss_orbit_find_free(orbit, err);
    if (status == SS_OK) status = ss_whole_turns_find(orbit, err);
    if (status == SS_OK) status = ss_sim_create(model, &def, &orbit->sim, err);
    if (status == SS_OK) {
        orbit->width = ss_sim_state_count(orbit->sim);
        orbit->ticks = orbit->width > 2 * model->n + orbit->states + ss_sim_bristles(orbit->sim, NULL);
        if (!allocate(orbit)) status = ss_fail_no_memory(err);
    }
    if (status == SS_OK) {
        ss_error why;
        aim(orbit);
        status = ss_derivative_create(model, orbit->directions, orbit->width, &orbit->derivative, &why);
        if (status == SS_OK) ss_derivative_allow_coupled(orbit->derivative, true);
        if (status == SS_BAD_INPUT) status = SS_OK; // differences will do
        if (status != SS_OK) ss_fail_no_memory(err);
    }
    if (status != SS_OK) {
        ss_orbit_destroy(orbit);
        return status;
    }
    *out = orbit;
    return SS_OK;
}

void ss_orbit_destroy(ss_orbit* orbit)
{
    if (!orbit) return;
    ss_derivative_destroy(orbit->derivative);
    ss_sim_destroy(orbit->sim);
    void* arrays[] = {orbit->body_x,     orbit->body_v,          orbit->state,      orbit->slope,
                      orbit->shifted,    orbit->start,           orbit->units,      orbit->carry,
                      orbit->directions, orbit->monodromy,       orbit->extents,    orbit->events.items,
                      orbit->whole,      orbit->free.directions, orbit->free.place, orbit->free.origin,
                      orbit->free.drifts};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) free(arrays[k]);
    ss_whole_turns_free(&orbit->whole_turns);
    free(orbit);
}

int ss_orbit_width(const ss_model* model)
{
    int count =
        2 * model->n + ss_model_state_count(model) + ss_model_number_count(model, SS_NUMBER_KINDS - 1);
    for (int i = 0; i < model->contact_count; i++)
        if (ss_has_bristles(&model->contacts[i]))
            count += model->contacts[i].elements > 0 ? model->contacts[i].elements : 1;
    return count;
}

// ---- the motion

void ss_orbit_get_start(const ss_orbit* orbit, double state[])
{
    ss_error ignored;
    if (ss_sim_restart(orbit->sim, NULL, NULL, &ignored) == SS_OK) ss_sim_state(orbit->sim, state);
    for (int i = 0; i < orbit->n; i++) {
        const ss_body* body = &orbit->model->bodies[orbit->model->coordinate_body[i]];
        state[i] = body->start_x;
        state[orbit->n + i] = body->start_v;
    }
}

double ss_orbit_gap(ss_orbit* orbit, int i, const double state[])
{
    const ss_contact* contact = &orbit->model->contacts[i];
    double size = fabs(contact->rigid_stop.position);
    ss_sim_place(orbit->sim, state, orbit->body_x, orbit->body_v);
    for (int k = 0; k < contact->bodies.count; k++)
        size += fabs(contact->bodies.value[k] * orbit->body_x[contact->bodies.index[k]]);
    double gap = contact->rigid_stop.side *
                 (contact->rigid_stop.position - ss_row_dot(&contact->bodies, orbit->body_x));
    return fabs(gap) <= 4.0 * DBL_EPSILON * size ? 0.0 : gap; // the engine allows twice as much
}

bool ss_orbit_holds(const ss_orbit* orbit, int i)
{
    const ss_contact* contact = &orbit->model->contacts[i];
    ss_contact_state state = ss_sim_contact(orbit->sim, i);
    bool own = state.side == 0 || state.side == contact->stop.side; // the half that is asked for
    return state.mode == SS_MODE_STICK ||
           (state.mode == SS_MODE_CLOSED && own && ss_contact_is(contact, SS_TRAIT_RIGID));
}

ss_status ss_orbit_restart(ss_orbit* orbit, const double state[], ss_error* err)
{
    ss_outcome outcome = SS_TIME_REACHED;
    orbit->events.count = 0;
    ss_orbit_begin_at(orbit, state);
    ss_status status = ss_sim_restart_from(orbit->sim, state, err);
    if (status == SS_OK) status = ss_sim_advance(orbit->sim, 0.0, &outcome, err);
    orbit->outcome = outcome;
    return status;
}

// State and slope where the run has got to.
static void look(ss_orbit* orbit)
{
    double t = ss_sim_time(orbit->sim);
    ss_sim_state(orbit->sim, orbit->state);
    ss_sim_state_rate(orbit->sim, orbit->slope);
    for (int j = 0; j < orbit->states; j++) {
        orbit->whole[j] = orbit->state[2 * orbit->n + j];
        orbit->whole[orbit->states + j] = orbit->slope[2 * orbit->n + j];
    }
    for (int j = 0; j < orbit->free.count; j++) orbit->free.place[j] = ss_orbit_place(orbit, j, orbit->state);
    for (int i = 0; i < orbit->n; i++) {
        orbit->state[i] -= orbit->carry[i] * t;
        orbit->slope[i] -= orbit->carry[i];
    }
    ss_orbit_pin(orbit, orbit->state);
    ss_whole_turns_turn_back(orbit, orbit->state);
    ss_orbit_take_out(orbit, orbit->slope);
}

static ss_status go_on(ss_orbit* orbit, double t, bool to_event, ss_error* err)
{
    if (is_interrupted(orbit)) return SS_OK;
    bool at_event;
    double end = orbit->ticks ? t * (1.0 - 16.0 * DBL_EPSILON) : t;
    ss_status status = to_event ? ss_sim_advance_to_event(orbit->sim, end, &at_event, &orbit->outcome, err)
                                : ss_sim_advance(orbit->sim, end, &orbit->outcome, err);
    if (status != SS_OK || orbit->interrupted) return status;
    if (orbit->events.failed) return ss_fail_no_memory(err);
    orbit->end_t = ss_sim_time(orbit->sim);
    if (orbit->outcome == SS_TIME_REACHED) look(orbit);
    return SS_OK;
}

ss_status ss_orbit_advance(ss_orbit* orbit, double t, ss_error* err) { return go_on(orbit, t, false, err); }

ss_status ss_orbit_advance_to_event(ss_orbit* orbit, double t, ss_error* err)
{
    return go_on(orbit, t, true, err);
}

// ---- extents

// Value at the turning point between the last point looked at and (t, x, v, a): the quintic through both.
static double turning_point(const ss_extent* from, double t, double x, double v, double a)
{
    double h = t - from->t, low = 0.0, high = 1.0, c[6];
    ss_poly_quintic((ss_passage){from->x, from->v, from->a}, (ss_passage){x, v, a}, h, c);
    for (int round = 0; round < 60; round++) {
        double s = 0.5 * (low + high);
        *((ss_poly_slope(c, 1, 5, s) > 0.0) == (from->v > 0.0) ? &low : &high) = s;
    }
    return ss_poly_value(c, 1, 5, low);
}

static void take(ss_extent* extent, bool first, double t, double x, double v, double a)
{
    if (first) *extent = (ss_extent){.low = x, .high = x};
    double turn = !first && extent->v * v < 0.0 && t > extent->t ? turning_point(extent, t, x, v, a) : x;
    extent->low = fmin(extent->low, fmin(x, turn));
    extent->high = fmax(extent->high, fmax(x, turn));
    extent->t = t;
    extent->x = x;
    extent->v = v;
    extent->a = a;
}

// How fast a body advances steadily.
static double advance_of(const ss_orbit* orbit, int b)
{
    const ss_body* body = &orbit->model->bodies[b];
    return body->drive >= 0
               ? 0.0
               : ss_row_dot(&body->row, orbit->carry) + ss_row_dot(&body->row, orbit->whole_turns.rate);
}

// Of a state the second rate is not known: those of the cubic through both looks, with values and rates,
// stand in for it.
static double bends_of_cubic(ss_extent* from, double t, double x, double v)
{
    double h = t - from->t, chord = (x - from->x) / h;
    from->a = (6.0 * chord - 4.0 * from->v - 2.0 * v) / h;
    return (-6.0 * chord + 2.0 * from->v + 4.0 * v) / h;
}

static void look_at_extents(ss_orbit* orbit, bool first)
{
    const ss_model* model = orbit->model;
    const double *x = ss_sim_x(orbit->sim), *v = ss_sim_v(orbit->sim);
    double t = ss_sim_time(orbit->sim);
    for (int b = 0; b < model->body_count; b++) {
        const ss_row* row = &model->bodies[b].row;
        double along = advance_of(orbit, b);
        double a = model->bodies[b].drive >= 0 ? 0.0 : ss_row_dot(row, orbit->slope + orbit->n);
        take(&orbit->extents[b], first, t, x[b] - along * t, v[b] - along, a);
    }
    for (int j = 0; j < orbit->states; j++) {
        ss_extent* extent = &orbit->extents[model->body_count + j];
        double along = orbit->carry[orbit->n + j] + orbit->whole_turns.rate[orbit->n + j],
               rate = orbit->whole[orbit->states + j] - along, value = orbit->whole[j] - along * t,
               bend = 0.0;
        if (!first && t > extent->t) bend = bends_of_cubic(extent, t, value, rate);
        take(extent, first, t, value, rate, bend);
    }
}

// The side before an instant: places are what they are after it, speeds may not be.
static void look_before(ss_orbit* orbit)
{
    ss_instant instant = ss_sim_instant(orbit->sim);
    const ss_model* model = orbit->model;
    double t = ss_sim_time(orbit->sim);
    for (int b = 0; b < model->body_count; b++) {
        ss_extent* extent = &orbit->extents[b];
        double along = advance_of(orbit, b);
        double v = instant.v[b] - along, bend = t > extent->t ? (v - extent->v) / (t - extent->t) : 0.0;
        take(extent, false, t, instant.x[b] - along * t, v, bend);
    }
}

// Goes to t by way of the events.
static ss_status walk_to(ss_orbit* orbit, double t, ss_error* err)
{
    bool at_event = true;
    ss_status status = SS_OK;
    while (at_event && status == SS_OK && orbit->outcome == SS_TIME_REACHED) {
        status = ss_sim_advance_to_event(orbit->sim, t, &at_event, &orbit->outcome, err);
        if (status != SS_OK || orbit->outcome != SS_TIME_REACHED) break;
        if (at_event) look_before(orbit);
        look(orbit);
        look_at_extents(orbit, false);
    }
    orbit->end_t = ss_sim_time(orbit->sim);
    return status;
}

// Whether some state looks like turning within this time (s), or soon after.
static bool state_turns_within(const ss_orbit* orbit, double time)
{
    const double soon = 1.5;
    bool turns = false;
    for (int j = 0; j < orbit->states; j++) {
        const ss_extent* at = &orbit->extents[orbit->model->body_count + j];
        turns = turns || at->v * (at->v + soon * time * at->a) <= 0.0;
    }
    return turns;
}

static ss_status walk(ss_orbit* orbit, const double start[], double time, ss_error* err)
{
    ss_status status = ss_orbit_restart(orbit, start, err);
    if (status != SS_OK || orbit->outcome != SS_TIME_REACHED) return status;
    look(orbit);
    look_at_extents(orbit, true);
    double looks =
        fmin(fmax(ceil(time * ss_sim_rate(orbit->sim) * LOOKS_PER_RADIAN), LEAST_LOOKS), MOST_LOOKS);
    for (double k = 1.0; k <= looks && status == SS_OK && orbit->outcome == SS_TIME_REACHED; k += 1.0) {
        if (is_interrupted(orbit)) return SS_OK;
        int parts = state_turns_within(orbit, time / looks) ? LOOKS_AT_TURNS : 1;
        for (int p = parts - 1; p >= 0 && status == SS_OK && orbit->outcome == SS_TIME_REACHED; p--) {
            double t = k < looks || p > 0 ? time * (k - (double)p / parts) / looks : time;
            status = walk_to(orbit, orbit->ticks ? t * (1.0 - 16.0 * DBL_EPSILON) : t, err);
        }
    }
    if (status == SS_OK && orbit->events.failed) status = ss_fail_no_memory(err);
    return status;
}

// ---- all of it

ss_status ss_orbit_run(ss_orbit* orbit, const double start[], double time, ss_error* err)
{
    ss_status status = ss_orbit_restart(orbit, start, err);
    if (status == SS_OK && orbit->outcome == SS_TIME_REACHED) status = ss_orbit_advance(orbit, time, err);
    return status;
}

static ss_status read_monodromy(ss_orbit* orbit, ss_error* err)
{
    int w = orbit->width;
    for (int c = 0; c < w; c++) {
        if (!ss_derivative_state(orbit->derivative, c, orbit->shifted))
            return ss_fail(err, SS_BAD_INPUT, NULL, "the motion has no derivative at some instant");
        ss_orbit_take_out(orbit, orbit->shifted);
        for (int r = 0; r < w; r++) orbit->monodromy[r * w + c] = orbit->shifted[r];
    }
    orbit->coupled = ss_derivative_is_coupled(orbit->derivative);
    return SS_OK;
}

ss_status ss_orbit_differentiate(ss_orbit* orbit, const double start[], double time, bool monodromy,
                                 ss_error* err)
{
    orbit->coupled = false;
    if (monodromy && !orbit->derivative)
        return ss_fail(err, SS_BAD_INPUT, NULL, "laws with elements have no derivative yet");
    ss_status status = ss_orbit_find_drift(orbit, start, time, err);
    if (status == SS_OK && monodromy) status = ss_derivative_attach(orbit->derivative, orbit->sim, err);
    if (status == SS_OK) status = walk(orbit, start, time, err);
    bool there = status == SS_OK && !orbit->interrupted && orbit->outcome == SS_TIME_REACHED;
    if (there && monodromy) status = read_monodromy(orbit, err);
    if (monodromy) ss_derivative_detach(orbit->derivative);
    return status;
}
