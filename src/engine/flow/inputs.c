// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Inputs along a step: series of forces, drives and friction levels, and how long a step may be tried.
#include "core/algebra/polynomial.h"
#include "core/tolerance.h"
#include "engine/field/field.h"
#include "engine/flow/input_series.h"
#include "engine/flow/linear/linear_propagator_waves.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/flow/stiff.h"

#include <math.h>

enum { WIDTH = SS_MAX_ORDER + 1, LEAST_ORDER = 16, SMOOTH_ORDER = 26 };

// derivatives: that the signal must have wherever it is met.
static bool signal_series(const ss_step* step, ss_inputs* inputs, const ss_step_control* pace,
                          const ss_signal* signal, int order, int derivatives, double out[], int stride)
{
    ss_clearance clear = {pace->interval, derivatives, inputs->clear};
    double coefficients[WIDTH];
    int kinks = ss_signal_kink_count(signal);
    double* kink = inputs->kinks + (size_t)inputs->kink_count * WIDTH;
    if (!ss_signal_series_clear(signal, step->t, order, coefficients, kinks > 0 ? kink : NULL, &clear,
                                inputs->scratch))
        return false;
    inputs->clear = clear.reach;
    for (int j = kinks - 1; j >= 0 && order < SS_MAX_ORDER; j--) // from rows of order + 1 to rows of WIDTH
        for (int k = order; k >= 0; k--) kink[j * WIDTH + k] = kink[j * (order + 1) + k];
    inputs->kink_count += kinks;
    for (int k = 0; k <= order; k++) out[(size_t)k * (size_t)stride] = coefficients[k];
    inputs->next_break = fmin(inputs->next_break, ss_signal_next_breakpoint(signal, step->t));
    return true;
}

bool ss_input_series(ss_sim* sim, const ss_signal* signal, int order, double out[], int stride)
{
    return signal_series(&sim->step, &sim->inputs, &sim->control, signal, order, 0, out, stride);
}

// ---- names of inputs, as model files have them. All return false, for the caller to pass on.

static bool name_force(ss_inputs* inputs, int f)
{
    ss_name_input(inputs, "forces[%d].force", f);
    return false;
}

static bool name_drive(const ss_model* model, ss_inputs* inputs, int j)
{
    const ss_drive* drive = &model->drives[j];
    ss_name_input(inputs, "bodies.%.100s.%s", model->bodies[drive->body].name,
                  drive->is_speed ? "speed" : "position");
    return false;
}

static bool name_level(const ss_model* model, ss_inputs* inputs, int i, int k)
{
    const ss_contact* contact = &model->contacts[i];
    const char* field = contact->field[k % 2] ? contact->field[k % 2] : "friction";
    ss_name_input(inputs, "contacts.%.80s.%.30s", contact->name, field);
    return false;
}

static bool is_wild(const ss_signal* signal)
{
    double rate;
    return signal && !ss_signal_rate(signal, &rate);
}

void ss_name_infinite_input(const ss_model* model, ss_inputs* inputs)
{
    int count = 0;
    for (int f = 0; f < model->force_count; f++)
        if (is_wild(model->forces[f].signal) && count++ == 0) name_force(inputs, f);
    for (int j = 0; j < model->drive_count; j++)
        if (is_wild(model->drives[j].signal) && count++ == 0) name_drive(model, inputs, j);
    for (int i = 0; i < model->contact_count; i++)
        for (int k = 0; k < 4; k++)
            if (is_wild(model->contacts[i].level[k]) && count++ == 0) name_level(model, inputs, i, k);
    if (count != 1) ss_forget_input(inputs);
}

// ---- series

void ss_restart_inputs(ss_inputs* inputs)
{
    ss_forget_breaks(inputs);
    inputs->kink_count = inputs->watch_from = 0;
}

// The place of a drive; of one whose speed is given, from where it is.
static bool drive_series(const ss_model* model, ss_step* step, ss_inputs* inputs, ss_step_control* control,
                         int j, int order)
{
    const ss_drive* drive = &model->drives[j];
    int nd = model->drive_count;
    double* d = step->d + j;
    if (!signal_series(step, inputs, control, drive->signal, order, drive->is_speed ? 0 : 1, d, nd))
        return false;
    for (int k = order; k >= 1 && drive->is_speed; k--) d[k * nd] = d[(k - 1) * nd] / k;
    if (drive->is_speed) d[0] = inputs->drive_x[j];
    return true;
}

void ss_place_drives(const ss_model* model, ss_step* step, ss_inputs* inputs, ss_step_control* control)
{
    for (int j = 0; j < model->drive_count; j++) {
        ss_restart_inputs(inputs);
        if (drive_series(model, step, inputs, control, j, 2)) inputs->drive_x[j] = step->d[j];
    }
}

static bool prepare_drives(ss_sim* sim)
{
    int nd = sim->model->drive_count;
    for (int j = 0; j < nd; j++) {
        double *d = sim->step.d + j, before = d[nd];
        if (!drive_series(sim->model, &sim->step, &sim->inputs, &sim->control, j, sim->step.order))
            return name_drive(sim->model, &sim->inputs, j);
        // Breakpoints and kinks may coincide with other events to rounding: what counts is whether the speed
        // jumps, by more than the rounding of both speeds and of the time they are taken at.
        double same = SS_CLEAR * (fabs(d[nd]) + fabs(before)) + SS_NOISE * fabs(sim->step.t * d[2 * nd]);
        if (sim->course.started && fabs(d[nd] - before) > same) sim->inputs.drive_jumped = true;
    }
    return true;
}

// The series of the levels of contact i as they are given.
static bool prepare_levels(ss_sim* sim, int i)
{
    const ss_contact* contact = &sim->model->contacts[i];
    const double constants[4] = {contact->coulomb.forward, contact->coulomb.backward, contact->at_rest[0],
                                 contact->at_rest[1]};
    double* level = sim->inputs.level + (size_t)sim->inputs.level_at[i] * 4 * WIDTH;
    for (int j = 0; j < 4; j++) {
        double* series = level + j * WIDTH;
        for (int k = 0; k <= sim->step.order; k++) series[k] = k == 0 ? constants[j] : 0.0;
        if (contact->level[j] && !ss_input_series(sim, contact->level[j], sim->step.order, series, 1))
            return name_level(sim->model, &sim->inputs, i, j);
    }
    return true;
}

bool ss_prepare_inputs(ss_sim* sim)
{
    const ss_model* model = sim->model;
    sim->inputs.kink_count = sim->inputs.watch_from = 0;
    ss_forget_breaks(&sim->inputs);
    if (sim->ways.propagator && sim->ways.propagator->waves.count > 0) {
        ss_waves_prepare(sim);
        return true;
    }
    for (int j = 0; j < sim->inputs.varying_count; j++) {
        int f = sim->inputs.varying[j];
        if (!ss_input_series(sim, model->forces[f].signal, sim->step.order, sim->inputs.force + f,
                             model->force_count))
            return name_force(&sim->inputs, f);
    }
    if (model->drive_count > 0 && !prepare_drives(sim)) return false;
    if (model->open && !ss_open_prepare(sim)) return false;
    for (int i = 0; i < model->contact_count; i++)
        if (sim->inputs.level_at[i] >= 0 && !model->contacts[i].follows && !prepare_levels(sim, i))
            return false;
    if (sim->open.following_count > 0 && !ss_open_given_levels(sim)) return false;
    sim->inputs.watch_from = sim->inputs.kink_count;
    for (int i = 0, which; i < model->contact_count; i++) {
        if (sim->inputs.level_at[i] < 0 || model->contacts[i].follows) continue;
        if (ss_prepare_levels(sim->model, &sim->step, &sim->inputs, i, &which)) continue;
        ss_mark_negative_level(&sim->inputs);
        return name_level(sim->model, &sim->inputs, i, which);
    }
    return true;
}

// A model that is not linear is as exact as its tolerance asks for; these orders cost least for it, by count
// of instructions. A series whose cost grows with the square of its order wants ln(10)/2 = 1.15 orders per
// digit; what each step costs besides (events) asks for more.
static int smooth_order(const ss_sim* sim)
{
    if (sim->model->nature.piecewise_linear) return SMOOTH_ORDER;
    bool bristles = sim->step.laws.bristle_count > 0; // many short steps: lower orders cost less
    double digits = -log10(sim->control.tolerance);
    int order = (int)lround(bristles ? 7.0 + 1.45 * digits : 12.0 + 1.1 * digits);
    int least = bristles ? SS_DECIDE_ORDER + 4 : LEAST_ORDER;
    double rate = sim->ways.stiff ? ss_stiff_rate(sim) : 0.0;
    if (rate > 1e6) order = (int)fmin(order, 250.0 / log10(rate)); // coefficients stay below 1e250
    return order < least ? least : order > SMOOTH_ORDER ? SMOOTH_ORDER : order;
}

void ss_forget_breaks(ss_inputs* inputs) { inputs->next_break = inputs->clear = INFINITY; }

void ss_give_forces(ss_inputs* inputs, const double force[])
{
    for (int j = 0; j < inputs->varying_count; j++)
        inputs->force[inputs->varying[j]] = force[inputs->varying[j]];
}

void ss_choose_step(ss_sim* sim)
{
    const ss_model* model = sim->model;
    if (!model->nature.linear || !sim->inputs.rate_known) {
        sim->step.order = smooth_order(sim);
        if (sim->control.swing_order > sim->step.order && sim->step.t == sim->control.last_event)
            sim->step.order = sim->control.swing_order;
        double reach = sim->control.rate > 0.0 ? 4.0 / sim->control.rate : INFINITY;
        sim->step.length = fmin(2.0 * sim->control.interval, reach);
        return;
    }
    double wanted = 1.2 * sim->control.interval * sim->control.rate;
    int order = 4;
    while (order < SS_MAX_ORDER - 4 && model->bounds.reach[order] < wanted) order++;
    sim->step.order = order < SS_DECIDE_ORDER + 3 && !model->nature.steady ? SS_DECIDE_ORDER + 3 : order;
    sim->step.length = sim->control.rate > 0.0 ? fmin(model->bounds.reach[order], wanted) / sim->control.rate
                                               : 1.5 * sim->control.interval;
    sim->step.length =
        fmin(sim->step.length, exp2(960.0 / sim->step.order)); // powers of it must not overflow
}

// Whether springs, dampers, states and contacts without memory are all there is, and nothing varies in time.
static bool is_plain(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    if (sim->step.laws.bristle_count > 0 || sim->step.laws.elastic_count > 0 ||
        sim->inputs.varying_count > 0 || model->drive_count > 0 || sim->step.clock.stop ||
        sim->pulls.has_cubic || !model->nature.steady)
        return false;
    return !model->open ||
           (!sim->open.varies && sim->open.following_count == 0 && model->actions->motion.output_count == 0);
}

// Whether states are lines in time while nothing moves: then so are all forces, and few orders will do.
static bool is_straight(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    return is_plain(sim) && (!model->open || model->actions->flow.own.start[sim->open.states] == 0);
}

// At high speed curves of friction are left out, and nothing but the order bounds what is left, a linear
// motion.
static void go_far(ss_step* step, const ss_step_control* control)
{
    const double far = 12.0; // over the rate, which is no less than that of any mode
    if (!(control->rate > 0.0)) return;
    step->length = fmax(step->length, fmin(2.0 * control->interval, far / control->rate));
}

void ss_stretch_step(ss_sim* sim)
{
    const ss_model* model = sim->model;
    if (!model->nature.linear && sim->modes.active_count == 0 && is_plain(sim))
        go_far(&sim->step, &sim->control);
    if (ss_held_rank(&sim->modes) < model->n) return;
    if (!model->nature.linear && sim->step.order > SS_DECIDE_ORDER + 3 && is_straight(sim))
        sim->step.order = SS_DECIDE_ORDER + 3;
    if (!model->nature.linear) // how far the series reach is found from them
        sim->step.length =
            fmin(fmax(sim->step.length, 4.0 * sim->control.interval), exp2(960.0 / sim->step.order));
    if (sim->open.states > 0 || !model->nature.linear || !sim->inputs.rate_known) return;
    double wanted = 1.5 * sim->control.interval;
    if (sim->inputs.rate > 0.0)
        wanted = fmin(wanted, model->bounds.reach[sim->step.order] / sim->inputs.rate);
    sim->step.length = fmin(fmax(sim->step.length, wanted), exp2(960.0 / sim->step.order));
}

// ---- at a point

static int level_count(const ss_model* model, const ss_inputs* inputs)
{
    int count = 0;
    for (int i = 0; i < model->contact_count; i++) count += inputs->level_at[i] >= 0;
    return count;
}

size_t ss_given_size(const ss_model* model, const ss_inputs* inputs, const ss_open_run* open_run)
{
    int held = model->open ? model->open->input_count + model->open->memory_count : 0;
    return (size_t)(3 * model->drive_count + model->force_count + held + open_run->slots +
                    4 * level_count(model, inputs));
}

// Place, speed and acceleration of all drives.
static void drives_at(const ss_model* model, const ss_step* step, const ss_inputs* inputs, double s,
                      double out[])
{
    int nd = model->drive_count, order = s == 0.0 ? 2 : inputs->order;
    for (int j = 0; j < nd; j++) {
        double x = 0.0, v = 0.0, a = 0.0;
        for (int k = order; k >= 0; k--) {
            a = a * s + 2.0 * v;
            v = v * s + x;
            x = x * s + step->d[(size_t)k * (size_t)nd + (size_t)j];
        }
        out[j] = x;
        out[nd + j] = v;
        out[2 * nd + j] = a;
    }
}

// Inputs, what of forces and rates is given in time, and memory.
static void open_at(const ss_model* model, const ss_step* step, const ss_open_run* open_run, double s,
                    int order, double held[])
{
    const ss_open* open = model->open;
    double* slot = held + open->input_count + open->memory_count;
    for (int j = 0; j < open->input_count; j++)
        held[j] = open_run->varying[j] ? ss_poly_value(open_run->input + j, open->input_count, order, s)
                                       : open_run->value[j];
    for (int j = 0; j < open->memory_count; j++) held[open->input_count + j] = open_run->memory[j];
    for (int k = 0; k < open_run->slots && open_run->varies; k++)
        slot[k] = ss_open_given_at(model, step, open_run, k, s, order);
}

// Levels of contact i: those in force, or, where some follow the motion, those that are given beside them.
static void levels_at(const ss_model* model, const ss_inputs* inputs, const ss_open_run* open, int i,
                      double s, int order, double out[4])
{
    const ss_contact* contact = &model->contacts[i];
    const double* series = inputs->level + (size_t)inputs->level_at[i] * 4 * (SS_MAX_ORDER + 1);
    for (int l = 0; l < open->following_count && contact->follows; l++)
        if (open->following[l].contact == i) series = open->following[l].raw;
    for (int which = 0; which < 4; which++) {
        double constant = which < 2 ? contact->levels[which] : contact->at_rest[which - 2];
        bool varies = !contact->follows || contact->level[which];
        out[which] = varies ? ss_poly_value(series + which * (SS_MAX_ORDER + 1), 1, order, s) : constant;
    }
}

ss_given ss_given_in(const ss_model* model, const ss_open_run* open_run, const double room[])
{
    int held = model->open ? model->open->input_count + model->open->memory_count : 0,
        nd = model->drive_count;
    const double *force = room + 3 * nd, *input = force + model->force_count, *slot = input + held;
    return (ss_given){
        room, room + nd, room + 2 * nd, force, input, open_run->varies ? slot : NULL, slot + open_run->slots};
}

ss_given ss_given_on_step(const ss_model* model, const ss_step* step, const ss_inputs* inputs,
                          const ss_open_run* open_run, double s, double room[])
{
    int order = s == 0.0 ? 0 : inputs->order;
    ss_given out = ss_given_in(model, open_run, room);
    drives_at(model, step, inputs, s, room);
    for (int j = 0; j < inputs->varying_count; j++) {
        int f = inputs->varying[j];
        room[out.force - room + f] = ss_poly_value(inputs->force + f, model->force_count, order, s);
    }
    if (model->open) open_at(model, step, open_run, s, order, room + (out.input - room));
    for (int i = 0; i < model->contact_count; i++)
        if (inputs->level_at[i] >= 0)
            levels_at(model, inputs, open_run, i, s, order,
                      room + (out.level - room) + 4 * inputs->level_at[i]);
    return out;
}
