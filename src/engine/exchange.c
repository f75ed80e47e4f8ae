// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Model exchange: a run that an outside solver integrates. A point is put as the start of a step of which
// only the first coefficients are known: accelerations, rates and forces, as the field has them. An instant
// is passed as ever.
//
//   reads    model, modes
//   writes   step.t, the coefficients up to order 2, forces; at an event the modes
//   promise  no series is asked for, no proof is made, nothing is allocated
#include "core/algebra/polynomial.h"
#include "engine/exchange_impl.h"
#include "engine/field/field.h"
#include "engine/flow/contact.h"
#include "engine/flow/elastic.h"
#include "engine/flow/input_series.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/sampled/sampled.h"
#include "law/table.h"

#include "core/error.h"
#include "share/model_parts.h"
#include "share/run.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ORDER = 3 }; // of series at a point: drives are asked for their accelerations

// Indicators begin above 0 where a mode begins at 0, by so little that no event comes late: a body that
// leaves a stop and is back within one step of a solver has changed the sign.
static const double above = 1e-12;

static bool is_driven_by_speed(const ss_model* model, int drive) { return model->drives[drive].is_speed; }

// ---- sizes

// m: of places, as far as starts and stops tell.
double ss_exchange_length(const ss_model* model)
{
    double size = 0.0;
    for (int b = 0; b < model->body_count; b++) size = fmax(size, fabs(model->bodies[b].start_x));
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (ss_law_has(contact->law, SS_TRAIT_STOPS)) size = fmax(size, fabs(contact->stop.position));
    }
    return size > 0.0 ? size : 1.0;
}

// m/s
double ss_exchange_speed(const ss_model* model)
{
    double size = ss_exchange_length(model) * (model->bounds.frequency > 0.0 ? model->bounds.frequency : 1.0);
    for (int b = 0; b < model->body_count; b++) size = fmax(size, fabs(model->bodies[b].start_v));
    return size;
}

// N: of the force that a contact holds with.
static double force_of(const ss_sim* sim, int i)
{
    double low = ss_hold_low(sim, i, 0), high = ss_hold_high(sim, i, 0);
    if (isfinite(high - low) && high > low) return high - low;
    const ss_group* group = &sim->model->groups[sim->model->contacts[i].group];
    double mobility = group->coupling[sim->model->contacts[i].place * (group->count + 1)];
    double rate = sim->model->bounds.frequency > 0.0 ? sim->model->bounds.frequency : 1.0;
    return mobility > 0.0 ? ss_exchange_speed(sim->model) * rate / mobility : 1.0;
}

// ---- what the states are

ss_status ss_exchange_check(const ss_model* model, ss_error* err)
{
    ss_status status = ss_model_expect_no_forces(model, "model exchange", err);
    if (status != SS_OK) return status;
    status = ss_model_expect_no_joints(model, "model exchange", err);
    if (status != SS_OK) return status;
    for (int i = 0; i < model->contact_count; i++)
        if (model->contacts[i].elements > 0)
            return ss_fail(
                err, SS_BAD_INPUT, NULL,
                "contact %.60s is %s: its elements remember reversals, which is more than continuous "
                "states can hold",
                model->contacts[i].name, ss_model_contact_law_name(model, i));
    if (model->nature.one_way)
        return ss_fail(err, SS_BAD_INPUT, NULL,
                       "a friction level is infinite: contacts that lock are impacts");
    for (int j = 0; j < model->drive_count; j++) {
        const ss_drive* drive = &model->drives[j];
        if (!drive->is_speed && isfinite(ss_signal_next_breakpoint(drive->signal, -INFINITY)))
            return ss_fail(err, SS_BAD_INPUT, NULL, "%.60s is driven by a table of places: its speed jumps",
                           model->bodies[drive->body].name);
    }
    for (int j = 0; j < model->drive_count; j++) {
        const ss_drive* drive = &model->drives[j];
        if (ss_signal_kink_count(drive->signal) > 0 && (!drive->is_speed || ss_signal_jumps(drive->signal)))
            return ss_fail(err, SS_BAD_INPUT, NULL, "the speed of %.60s is given, and jumps",
                           model->bodies[drive->body].name);
    }
    const ss_actions* actions = model->actions;
    for (int j = 0; model->open && j < actions->motion.kink_count; j++)
        if (actions->motion.jumps[j])
            return ss_fail(err, SS_BAD_INPUT, NULL,
                           "an expression of the motion jumps: its edge may hold a body");
    return SS_OK;
}

static int speed_drives(const ss_model* model)
{
    int count = 0;
    for (int j = 0; j < model->drive_count; j++) count += is_driven_by_speed(model, j);
    return count;
}

static int deflections(const ss_model* model)
{
    int count = 0;
    for (int i = 0; i < model->contact_count; i++) count += ss_has_bristles(&model->contacts[i]);
    return count;
}

int ss_exchange_state_count(const ss_model* model)
{
    return 2 * model->n + speed_drives(model) + deflections(model) +
           (model->open ? model->open->state_count : 0);
}

ss_exchange_state ss_exchange_get_state(const ss_model* model, int k)
{
    int n = model->n;
    if (k < n)
        return (ss_exchange_state){SS_EXCHANGE_X, model->coordinate_body[k], ss_exchange_length(model)};
    if (k < 2 * n)
        return (ss_exchange_state){SS_EXCHANGE_V, model->coordinate_body[k - n], ss_exchange_speed(model)};
    k -= 2 * n;
    for (int j = 0; j < model->drive_count; j++)
        if (is_driven_by_speed(model, j) && k-- == 0)
            return (ss_exchange_state){SS_EXCHANGE_X, model->drives[j].body, ss_exchange_length(model)};
    for (int i = 0; i < model->contact_count; i++) {
        const ss_contact* contact = &model->contacts[i];
        if (!ss_has_bristles(contact) || k-- > 0) continue;
        double size = fabs(ss_law_ask(contact->law_entry, ss_law_of(contact), 0.0).steady);
        return (ss_exchange_state){SS_EXCHANGE_Z, i, size > 0.0 && isfinite(size) ? size : 1.0};
    }
    double start =
        model->open && k >= 0 && k < model->open->state_count ? fabs(model->open->states[k].start) : 0.0;
    return (ss_exchange_state){SS_EXCHANGE_STATE, k, start > 0.0 ? start : 1.0};
}

void ss_exchange_get(const ss_sim* sim, double y[])
{
    const ss_model* model = sim->model;
    int n = model->n;
    int order = sim->step.ready ? sim->step.order : 1;
    double now = sim->step.ready ? sim->step.now : 0.0, *at = y + 2 * n;
    for (int i = 0; i < n; i++) {
        bool here = sim->modes.exchanged; // otherwise somewhere on the step: where the caller sees the bodies
        y[i] = here ? sim->step.q[i] : sim->bodies.out_x[model->coordinate_body[i]];
        y[n + i] = here ? sim->step.q[n + i] : sim->bodies.out_v[model->coordinate_body[i]];
    }
    for (int j = 0; j < model->drive_count; j++)
        if (is_driven_by_speed(model, j))
            *at++ = ss_poly_value(sim->step.d + j, model->drive_count, order, now);
    for (int j = 0; j < sim->step.laws.bristle_count; j++)
        *at++ = ss_poly_value(sim->step.laws.bristles[j].along.z, 1, order - 1, now);
    for (int j = 0; j < sim->open.states; j++)
        *at++ = ss_poly_value(sim->step.s + j, sim->open.states, order - 1, now);
}

static void take(const ss_model* model, ss_step* step, ss_inputs* inputs, const ss_open_run* open_run,
                 const double y[])
{
    const double* at = y + 2 * model->n;
    for (int j = 0; j < model->drive_count; j++)
        if (is_driven_by_speed(model, j)) inputs->drive_x[j] = *at++;
    for (int j = 0; j < step->laws.bristle_count; j++) step->laws.bristles[j].along.z[0] = *at++;
    ss_put_state(model, step, open_run, y, at);
}

// ---- a point

// Distance left before a stop is touched.
static double gap_of(const ss_step* step, const ss_places* bodies, const ss_contact* contact)
{
    double position = contact->stop.position;
    double x = ss_row_dot(&contact->q, step->q) + ss_row_dot(&contact->d, step->d) +
               ss_row_dot(&contact->bodies, bodies->offset);
    double gap = contact->stop.side * (position - x), size = fabs(position) + fabs(x);
    return fabs(gap) <= 8.0 * DBL_EPSILON * size ? 0.0 : gap;
}

// Gaps are where the point is, and nobody stands still.
static void place_contacts(const ss_model* model, ss_step* step, ss_modes* modes, ss_places* bodies)
{
    for (int i = 0; i < model->contact_count; i++) {
        ss_contact_run* run = &modes->contacts[i];
        if (ss_is_stop(model, i))
            run->gap = run->mode == SS_MODE_CLOSED ? 0.0 : gap_of(step, bodies, &model->contacts[i]);
        if (ss_is_elastic(step, i)) run->gap = gap_of(step, bodies, &model->contacts[i]);
    }
    for (int j = 0; j < step->laws.bristle_count; j++) {
        ss_bristle* b = &step->laws.bristles[j];
        b->turning = b->still = false;
        b->peak = fmax(b->peak, fabs(ss_relative_velocity(model, step, b->contact, 0)));
    }
}

static bool prepare(ss_sim* sim)
{
    const ss_model* model = sim->model;
    ss_ask_order(&sim->step, &sim->inputs, ORDER);
    ss_forget_input(&sim->inputs);
    for (int j = 0; sim->open.programs && j < ss_graph_kink_count(model->open->graph); j++)
        sim->open.programs->pieces[j] = NAN;
    bool has_inputs = !model->nature.steady || model->drive_count > 0 || sim->open.following_count > 0;
    if (!has_inputs) ss_forget_breaks(&sim->inputs);
    return !has_inputs || ss_prepare_inputs(sim);
}

// Levels that follow the motion are where the point is; false where one is given below 0.
static bool take_levels(const struct ss_field* field, ss_inputs* inputs, ss_open_run* open,
                        const ss_field_point* at)
{
    bool fine = true;
    for (int l = 0; l < open->following_count; l++) {
        const ss_open_following* own = &open->following[l];
        double* level = inputs->level + 4 * inputs->level_at[own->contact] * (SS_MAX_ORDER + 1);
        for (int which = 0; which < 4; which++) {
            level[which * (SS_MAX_ORDER + 1)] = field->model->contacts[own->contact].loaded
                                                    ? ss_field_load(field, at, own->contact)
                                                    : ss_field_level(field, at, own->contact, which);
            if (own->output[which] >= 0) fine = fine && field->programs->outputs[own->output[which]] >= 0.0;
        }
    }
    return fine;
}

// What the field answers becomes the first coefficients; false where it is no motion. Where a trial
// point of a solver lies beyond the end of a mode, formulas go on as smoothly as they can.
static bool take_rates(ss_sim* sim)
{
    int n = sim->model->n, bristles = sim->step.laws.bristle_count, states = sim->open.states;
    double *rates = sim->work.scratch_q, *z = rates + n + bristles + states;
    for (int j = 0; j < bristles; j++) z[j] = sim->step.laws.bristles[j].along.z[0];
    ss_field_point at = {
        .t = sim->step.t,
        .q = sim->step.q,
        .v = sim->step.q + n,
        .z = z,
        .s = sim->step.s,
        .given = ss_given_on_step(sim->model, &sim->step, &sim->inputs, &sim->open, 0.0, sim->field->given)};
    ss_field_rates(sim->field, &at, rates, sim->step.lambda);
    memcpy(sim->pulls.accel, rates, (size_t)n * sizeof(double));
    for (int j = 0; j < bristles; j++) sim->step.laws.bristles[j].along.z[1] = rates[n + j];
    for (int j = 0; j < states; j++) sim->step.s[states + j] = rates[n + bristles + j];
    ss_store_acceleration(sim, 0);
    bool fine = take_levels(sim->field, &sim->inputs, &sim->open, &at);
    for (int k = 0; k < n + bristles + states; k++) fine = fine && isfinite(rates[k]);
    return fine;
}

// The series know by name which expression is at fault; what they forgive is good enough.
static ss_status judge(ss_sim* sim, ss_error* err)
{
    ss_open_programs* programs = sim->open.programs;
    if (programs) programs->begun = programs->bad = false;
    ss_free_acceleration(sim, 0);
    if (ss_open_is_bad(&sim->open)) return ss_fail_input(&sim->step, &sim->inputs, &sim->course, err);
    bool finite = true;
    for (int i = 0; i < sim->model->n; i++) finite = finite && isfinite(sim->pulls.accel[i]);
    for (int j = 0; j < sim->open.states; j++) finite = finite && isfinite(sim->step.s[sim->open.states + j]);
    return finite ? SS_OK
                  : ss_fail(err, SS_BAD_INPUT, NULL, "not a finite motion at t = %.9g s", sim->step.t);
}

ss_status ss_exchange_evaluate(ss_sim* sim, ss_error* err)
{
    ss_leave_step(&sim->step);
    ss_clock_end(&sim->step);
    if (!prepare(sim)) return ss_fail_input(&sim->step, &sim->inputs, &sim->course, err);
    sim->inputs.drive_jumped = false;
    ss_constrain_state(sim->model, &sim->step, &sim->modes);
    place_contacts(sim->model, &sim->step, &sim->modes, &sim->bodies);
    ss_free_slips(sim->model, &sim->step.laws);
    bool fine = take_rates(sim);
    ss_show_state(sim, 0.0);
    return fine ? SS_OK : judge(sim, err);
}

// What is given in time is that before the next kink, until the event there has been passed.
ss_status ss_exchange_put(ss_sim* sim, double t, const double y[], ss_error* err)
{
    double before = sim->values.kink - 64.0 * DBL_EPSILON * fabs(sim->values.kink);
    ss_set_asked_time(&sim->values, t);
    ss_set_time(&sim->step, isfinite(before) ? fmin(t, before) : t);
    ss_clear_fault(&sim->course);
    ss_reopen_run(&sim->proof, &sim->course);
    take(sim->model, &sim->step, &sim->inputs, &sim->open, y);
    if (sim->values.changed) ss_gather_constants(sim);
    sim->values.changed = false;
    ss_status status = ss_exchange_evaluate(sim, err);
    ss_clear_fault(&sim->course); // another point may be a good one
    return status;
}

ss_status ss_exchange_here(ss_sim* sim, double t, double y[], ss_error* err)
{
    ss_exchange_get(sim, y);
    sim->modes.exchanged = true;
    sim->values.kink = INFINITY;
    return ss_exchange_put(sim, t, y, err);
}

void ss_exchange_input(ss_sim* sim, int input, double value)
{
    const ss_open* open = sim->model->open;
    if (!open || input < 0 || input >= open->input_count) return;
    ss_take_back_ticks(sim);
    ss_open_set_input(&sim->open, input, value, false);
    sim->values.changed = true;
}

// Derivative number `times` (1 or 2) of a series at s, its coefficients `width` apart.
static double slope_at(const double series[], int width, int order, double s, int times)
{
    double sum = 0.0;
    for (int k = order; k >= times; k--)
        sum = sum * s + (times == 1 ? k : k * (k - 1)) * series[(size_t)k * (size_t)width];
    return sum;
}

// A run that goes by itself has got to some place on its step, whose series are known; one that is exchanged
// is at the start of its own.
void ss_exchange_rates(const ss_sim* sim, double rates[])
{
    const ss_model* model = sim->model;
    int n = model->n, nd = model->drive_count, states = sim->open.states;
    int order = sim->step.ready ? sim->step.order : 2;
    double s = sim->step.ready ? sim->step.now : 0.0, *at = rates + 2 * n;
    for (int i = 0; i < n; i++) rates[i] = slope_at(sim->step.q + i, n, order, s, 1);
    for (int i = 0; i < n; i++) rates[n + i] = slope_at(sim->step.q + i, n, order, s, 2);
    if (sim->step.clock.stop && sim->step.ready) { // the series are in another parameter than the time
        for (int i = 0; i < n; i++) rates[i] = sim->bodies.out_v[model->coordinate_body[i]];
        ss_sim_acceleration(sim, rates + n);
    }
    for (int j = 0; j < nd; j++)
        if (is_driven_by_speed(model, j)) *at++ = slope_at(sim->step.d + j, nd, order, s, 1);
    for (int j = 0; j < sim->step.laws.bristle_count; j++)
        *at++ = slope_at(sim->step.laws.bristles[j].along.z, 1, order - 1, s, 1);
    for (int j = 0; j < states; j++) *at++ = slope_at(sim->step.s + j, states, order - 1, s, 1);
    for (double* rate = rates; rate < at && sim->course.ended; rate++) *rate = 0.0;
}

// ---- indicators

static void indicate_hold(const ss_sim* sim, int i, double out[2])
{
    double low = ss_hold_low(sim, i, 0), high = ss_hold_high(sim, i, 0), force = sim->step.lambda[i];
    double size = force_of(sim, i);
    out[0] = isfinite(high) ? (high - force) / size : 1.0;
    out[1] = isfinite(low) ? (force - low) / size : 1.0;
}

// An edge of the law of an elastic stop, as a share of its terms' size.
static double edge_of(const ss_sim* sim, const ss_elastic* stop, int w)
{
    double p = fmax(-sim->modes.contacts[stop->contact].gap, 0.0), constant = stop->law.edge[w].constant;
    double rate = sim->model->contacts[stop->contact].stop.side *
                  ss_relative_velocity(sim->model, &sim->step, stop->contact, 0);
    double value = ss_elastic_edge_at(stop, w, p, rate, NULL);
    return value / (constant != 0.0 ? fabs(constant) : force_of(sim, stop->contact));
}

// An elastic stop ends to push where it is left, or where its law says: see ss_elastic_edge_series.
void ss_exchange_indicate_elastic(const ss_sim* sim, int i, double out[2])
{
    const ss_contact_run* run = &sim->modes.contacts[i];
    const ss_elastic* stop = &sim->step.laws.elastic[sim->step.laws.elastic_at[i]];
    bool closed = run->mode == SS_MODE_CLOSED;
    double depth = -run->gap / ss_exchange_length(sim->model);
    out[0] = closed || stop->cut_off ? depth : -depth;
    out[1] = 1.0;
    if (stop->cut_off && stop->law.edge_count > 0) out[1] = -edge_of(sim, stop, 0);
    if (closed && stop->law.edge_count > 0 && stop->branch == 0) out[1] = edge_of(sim, stop, 0);
    if (closed && stop->law.edge_count > 1)
        out[1] = stop->branch == 0 ? fmin(out[1], edge_of(sim, stop, 1)) : -edge_of(sim, stop, 1);
}

int ss_exchange_indicator_count(const ss_model* model) { return 2 * model->contact_count; }

int ss_exchange_indicator_contact(const ss_model* model, int k) { return ss_shown_contact(model, k / 2); }

// A run that goes by itself finds its events by itself.
int ss_exchange_indicators(const ss_sim* sim, double out[])
{
    int m = sim->model->contact_count;
    for (int i = 0; i < m && out; i++) {
        const ss_contact_run* run = &sim->modes.contacts[i];
        double sign = run->mode == SS_MODE_SLIP_PLUS ? 1.0 : -1.0;
        out[2 * i] = out[2 * i + 1] = 1.0;
        if (!sim->modes.exchanged) continue;
        if (ss_is_elastic(&sim->step, i))
            ss_exchange_indicate_elastic(sim, i, out + 2 * i);
        else if (ss_holds(&sim->step, &sim->modes, i) && !run->pinned)
            indicate_hold(sim, i, out + 2 * i);
        else if (ss_slips(&sim->modes, i))
            out[2 * i] =
                sign * ss_relative_velocity(sim->model, &sim->step, i, 0) / ss_exchange_speed(sim->model);
        else if (run->mode == SS_MODE_OPEN)
            out[2 * i] = run->gap / ss_exchange_length(sim->model);
        out[2 * i] += above;
        out[2 * i + 1] += above;
    }
    return 2 * m;
}
