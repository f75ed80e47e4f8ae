// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives as the caller sees them: made, attached to a run, and asked.
#include "engine/field/field.h"
#include "engine/flow/elastic.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/stiff.h"
#include "engine/loop.h"
#include "engine/run/level_forces.h"
#include "engine/sensitivity/jumps.h"
#include "engine/sensitivity/passing.h"
#include "engine/sensitivity/program_tangent.h"
#include "engine/sensitivity/run_hooks.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "share/derivative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- creation

static double* numbers(ss_derivative* der, size_t count)
{
    return ss_pool_new(&der->pool, count, sizeof(double));
}

static void make_point(ss_derivative* der, ss_linear* lin)
{
    const ss_model* model = der->model;
    ss_values* at = &lin->at;
    size_t n = (size_t)der->n, nd = (size_t)der->nd;
    at->q = numbers(der, 2 * (n + nd + (size_t)der->ns)); // v .. rates follow it
    at->a = numbers(der, n);
    at->d2 = numbers(der, nd);
    at->z = numbers(der, (size_t)der->nz);
    at->lambda = numbers(der, (size_t)der->m);
    at->force = numbers(der, (size_t)model->force_count);
    lin->by.cubic = numbers(der, (size_t)model->connection_count);
    lin->by.law = ss_pool_new(&der->pool, (size_t)der->m, sizeof(ss_response));
    lin->by.element = ss_pool_new(&der->pool, (size_t)der->nz, sizeof(ss_element_response));
    lin->by.z_at = der->z_at;
    lin->by.slips = ss_pool_new(&der->pool, (size_t)der->nz, sizeof(bool));
    if (der->pool.failed) return;
    at->v = at->q + n;
    at->d = at->v + n;
    at->d1 = at->d + nd;
    at->states = at->d1 + nd;
    at->rates = at->states + der->ns;
    if (!model->open) return;
    at->vars = numbers(der, (size_t)model->open->variable_count);
    lin->by.slope = numbers(der, (size_t)model->actions->slope.output_count);
    lin->outputs = numbers(der, (size_t)model->actions->motion.output_count);
}

static void make_delta(ss_derivative* der)
{
    ss_delta* io = &der->delta;
    size_t nd = (size_t)der->nd, m = (size_t)der->m;
    io->d = numbers(der, nd);
    io->d1 = numbers(der, nd);
    io->d2 = numbers(der, nd);
    io->input = numbers(der, (size_t)der->nu);
    io->a = numbers(der, (size_t)der->n);
    io->rate = numbers(der, (size_t)der->ns);
    io->z_rate = numbers(der, (size_t)der->nz);
    io->lambda = numbers(der, m);
    io->held = numbers(der, m);
    io->vars = numbers(der, der->model->open ? (size_t)der->model->open->variable_count : 0);
}

static void make_before(ss_derivative* der)
{
    ss_before* before = &der->before;
    make_point(der, &before->motion);
    before->rates = numbers(der, (size_t)der->m);
    before->surface = ss_pool_new(&der->pool, (size_t)der->m, sizeof(int));
}

static void make_sensitivity(ss_derivative* der, const ss_direction* def, ss_sensitivity* to)
{
    const ss_model* model = der->model;
    size_t n = (size_t)der->n, m = (size_t)der->m;
    to->def = def;
    to->q = numbers(der, (size_t)(der->width + der->nm)); // v, s, z and memory follow it
    to->d = numbers(der, (size_t)der->nd);
    to->pending = numbers(der, (size_t)der->nm);
    to->offset = numbers(der, (size_t)model->body_count);
    to->late = numbers(der, m);
    to->yield = numbers(der, (size_t)der->nz);
    to->largest = numbers(der, (size_t)der->width);
    to->end = numbers(der, (size_t)der->width);
    to->series_q = numbers(der, (SS_WIDTH + 1) * n);
    to->series_s = numbers(der, (SS_WIDTH + 1) * (size_t)der->ns);
    to->tangent = ss_program_tangent_make(der, def);
    for (int k = 0; k < def->model_count; k++) to->noise = fmax(to->noise, SS_NOISE * fabs(def->weights[k]));
    if (der->pool.failed) return;
    to->v = to->q + n;
    to->s = to->v + n;
    to->z = to->s + der->ns;
    to->m = to->z + der->nz;
    to->brief = ss_sensitivity_is_brief(der, to);
    if (def->model_count == 0) return;
    to->given.force = numbers(der, SS_WIDTH * (size_t)model->force_count);
    to->given.drive = numbers(der, SS_WIDTH * (size_t)der->nd);
    to->given.input = numbers(der, SS_WIDTH * (size_t)der->nu);
    to->given.rest = numbers(der, SS_WIDTH * (size_t)der->slots);
    to->given.level = numbers(der, SS_WIDTH * 4 * m);
    to->change = ss_change_make(der, def);
    to->waves = to->change ? ss_harmonic_change_make(der, to->change) : NULL;
    to->brief = to->change && ss_sensitivity_is_brief(der, to);
    to->operators = ss_sensitivity_changes_operators(der, to->change);
    for (int f = 0; to->change && f < model->force_count; f++)
        if (to->change->force[f].count > 0) der->kind.forces = true;
}

static void make_programs(ss_derivative* der)
{
    const ss_model* model = der->model;
    if (!model->open) return;
    double* pieces = numbers(der, (size_t)ss_graph_kink_count(model->open->graph));
    if (der->pool.failed) return;
    if (!ss_run_make(&der->runs.motion, &der->pool, &model->actions->motion, 1, pieces) ||
        !ss_run_make(&der->runs.shown, &der->pool, &model->actions->shown, 1, pieces) ||
        !ss_tangent_make(&der->runs.plain, &der->pool, &model->actions->motion, NULL, NULL, false))
        der->pool.failed = true;
    der->runs.none = numbers(der, (size_t)model->open->variable_count);
    der->runs.changes = numbers(der, (size_t)model->actions->motion.count);
}

static size_t most_scratch(const ss_model* model)
{
    size_t most = 0;
    for (int k = 0; k < model->signal_count; k++) {
        size_t needs = ss_signal_scratch_size(model->signals[k], SS_MAX_ORDER);
        most = needs > most ? needs : most;
    }
    return most;
}

static void make_scratch(ss_derivative* der, const ss_direction directions[])
{
    const ss_model* model = der->model;
    size_t w = (size_t)der->width, stages = (size_t)SS_STAGES, scratch = most_scratch(model);
    size_t variables = model->open ? (size_t)model->open->variable_count : 0;
    for (int j = 0; j < der->count; j++)
        for (int k = 0; k < directions[j].model_count; k++) {
            size_t needs = most_scratch(directions[j].models[k]);
            scratch = needs > scratch ? needs : scratch;
        }
    der->room.signals = numbers(der, scratch);
    der->room.work = numbers(der, 4 * w + 4 * (size_t)der->m + variables);
    der->room.rates = numbers(der, w);
    der->room.zero = numbers(der, w);
    der->room.turned = numbers(der, w);
    der->room.loads = numbers(der, 4 * (size_t)der->m);
    der->stages.rhs = numbers(der, stages * w);
    size_t outputs = model->open ? (size_t)(model->actions->motion.output_count +
                                            model->actions->shown.output_count + model->open->memory_count)
                                 : 0;
    der->room.seen = numbers(der, outputs);
    der->room.numbers = numbers(der, outputs);
    der->room.forces = numbers(der, 4 * (size_t)der->m + outputs);
    if (der->kind.linear) return;
    der->stages.y = numbers(der, stages * w * (size_t)der->count);
    der->stages.f = numbers(der, stages * w * (size_t)der->count);
    der->stages.b = numbers(der, stages * w * (size_t)der->count);
    der->stages.system = numbers(der, stages * w * stages * w);
    der->measure.sizes = numbers(der, w);
    der->stages.pivots = ss_pool_new(&der->pool, stages * w, sizeof(int));
    ss_collocation_make(&der->stages.method);
}

static void count_bristles(ss_derivative* der)
{
    der->z_at = ss_pool_new(&der->pool, (size_t)der->m, sizeof(int));
    der->z_count = ss_pool_new(&der->pool, (size_t)der->m, sizeof(int));
    for (int i = 0; i < der->m && der->z_at && der->z_count; i++) {
        const ss_contact* contact = &der->model->contacts[i];
        if (ss_has_bristles(contact)) der->z_count[i] = contact->elements > 0 ? contact->elements : 1;
        der->z_at[i] = der->z_count[i] > 0 ? der->nz : -1;
        der->nz += der->z_count[i];
    }
}

// The models of a direction have the form of the model itself.
static ss_status check_direction(const ss_model* own, const ss_direction* direction, ss_error* err)
{
    if (direction->model_count > 0 && (!direction->models || !direction->weights))
        return ss_fail(err, SS_BAD_INPUT, direction->name, "models or weights are missing");
    if (direction->model_count > SS_DIRECTION_MODELS)
        return ss_fail(err, SS_BAD_INPUT, direction->name, "there are more than %d models",
                       SS_DIRECTION_MODELS);
    for (int k = 0; k < direction->model_count; k++) {
        const ss_model* m = direction->models[k];
        bool same = m->n == own->n && m->body_count == own->body_count &&
                    m->drive_count == own->drive_count && m->connection_count == own->connection_count &&
                    m->force_count == own->force_count && m->contact_count == own->contact_count &&
                    !m->open == !own->open;
        if (same && own->open)
            same = m->open->state_count == own->open->state_count &&
                   m->open->input_count == own->open->input_count &&
                   m->open->memory_count == own->open->memory_count &&
                   m->open->block_count == own->open->block_count &&
                   m->actions->pull_count == own->actions->pull_count &&
                   m->actions->motion.output_count == own->actions->motion.output_count &&
                   ss_graph_kink_count(m->open->graph) == ss_graph_kink_count(own->open->graph);
        for (int i = 0; i < own->contact_count && same; i++)
            same = m->contacts[i].law == own->contacts[i].law &&
                   m->contacts[i].elements == own->contacts[i].elements;
        if (!same)
            return ss_fail(err, SS_BAD_INPUT, direction->name,
                           "the model takes another form near this value: there is no derivative by it");
    }
    return SS_OK;
}

static ss_status check_laws(const ss_model* model, ss_error* err)
{
    for (int i = 0; i < model->contact_count; i++)
        if (model->contacts[i].elements > SS_MOST_ELEMENTS)
            return ss_fail(err, SS_BAD_INPUT, model->contacts[i].name,
                           "derivatives take laws of at most %d elements", SS_MOST_ELEMENTS);
    return SS_OK;
}

// Nothing but contacts and expressions makes the model nonlinear, contacts only where they slip or are
// pressed.
static bool is_calm(const ss_derivative* der)
{
    const ss_model* model = der->model;
    if (der->nz > 0 || ss_is_stiff_linear(model)) return false;
    for (int c = 0; c < model->connection_count; c++)
        if (model->connections[c].cubic != 0.0) return false;
    return true;
}

ss_status ss_derivative_create(const ss_model* model, const ss_direction directions[], int count,
                               ss_derivative** out, ss_error* err)
{
    *out = NULL;
    ss_status status = ss_model_expect_no_joints(model, "a derivative", err);
    if (status == SS_OK) status = check_laws(model, err);
    for (int j = 0; j < count && status == SS_OK; j++) status = check_direction(model, &directions[j], err);
    if (status != SS_OK) return status;
    ss_derivative* der = ss_new(1, sizeof *der);
    if (!der) return ss_fail_no_memory(err);
    const ss_open* open = model->open;
    *der = (ss_derivative){.model = model,
                           .count = count,
                           .n = model->n,
                           .nd = model->drive_count,
                           .ns = open ? open->state_count : 0,
                           .nm = open ? open->memory_count : 0,
                           .nu = open ? open->input_count : 0,
                           .m = model->contact_count,
                           .slots = open ? model->actions->pull_count + open->state_count : 0,
                           .kind.linear = model->nature.linear && (!open || open->level_count == 0) &&
                                          !ss_is_stiff_linear(model)};
    count_bristles(der);
    der->kind.calm = !der->kind.linear && is_calm(der);
    der->width = 2 * der->n + der->ns + der->nz;
    make_scratch(der, directions);
    make_delta(der);
    make_before(der);
    make_programs(der);
    for (int i = 0; i < SS_STAGES && !der->pool.failed; i++) make_point(der, &der->points[i]);
    der->sensitivities = ss_pool_new(&der->pool, (size_t)count, sizeof(ss_sensitivity));
    for (int j = 0; j < count && !der->pool.failed; j++)
        make_sensitivity(der, &directions[j], &der->sensitivities[j]);
    if (!der->pool.failed) der->kind.calm = der->kind.calm && ss_has_program_tangents(der);
    if (der->pool.failed || !ss_make_nonlinear_series(der) || !ss_sensitivity_make_nodes(der) ||
        !ss_sensitivity_make_speed_clock(der) || !ss_sensitivity_make_passing(der) ||
        !ss_sensitivity_make_edges(der)) {
        ss_derivative_destroy(der);
        return ss_fail_no_memory(err);
    }
    *out = der;
    return SS_OK;
}

void ss_derivative_destroy(ss_derivative* der)
{
    if (!der) return;
    ss_derivative_detach(der);
    ss_pool_free(&der->pool);
    free(der);
}

ss_status ss_derivative_attach(ss_derivative* der, ss_sim* sim, ss_error* err)
{
    if (sim->model != der->model) return ss_fail(err, SS_BAD_INPUT, NULL, "the run is one of another model");
    if (sim->derivative) return ss_fail(err, SS_BAD_INPUT, NULL, "the run has a derivative already");
    ss_derivative_detach(der);
    bool begins = ss_sim_time(sim) == 0.0 && sim->course.event_count == 0 && !sim->values.changed;
    if (!begins) { // the next step begins here
        ss_cut_step(sim, sim->step.t + ss_elapsed(&sim->step, sim->step.now));
        for (int i = 0; i < sim->model->contact_count; i++) ss_wake_contact(sim->model, &sim->modes, i);
    }
    der->sim = sim;
    der->measure.read_off = fmin(fmax(sim->def.tolerance, SS_SOLVED), SS_CLEAR);
    if (sim->ways.propagator) ss_linear_propagator_reset(sim);
    der->kept.propagator = sim->ways.propagator;
    der->kept.leap = sim->proof.leap;
    if (sim->level_forces) sim->level_forces->blow.count = 0;
    sim->derivative = der;
    sim->speed_clock_follower = ss_sensitivity_speed_clock_hooks(der);
    if (!ss_sensitivity_take_propagator(der, sim)) sim->ways.propagator = NULL; // steps one by one
    sim->proof.leap = NULL;
    if (!begins) ss_sensitivity_begin(sim->derivative, &sim->step);
    if (!begins && sim->course.ended) ss_sensitivity_pass(sim->derivative, &sim->step, &sim->open);
    if (!begins) return SS_OK;
    ss_note_sink notes = sim->def.on_note; // they have been told
    sim->def.on_note = NULL;
    der->begin.notes = notes; // but for what is to be said of derivatives
    ss_status status = ss_sim_restart(sim, sim->bodies.start_x, sim->bodies.start_v, err);
    der->begin.notes = NULL;
    sim->def.on_note = notes;
    return status;
}

void ss_derivative_detach(ss_derivative* der)
{
    if (!der->sim) return;
    der->sim->ways.propagator = der->kept.propagator;
    der->sim->proof.leap = der->kept.leap;
    der->sim->derivative = NULL;
    der->sim->speed_clock_follower = NULL;
    der->sim = NULL;
}

bool ss_derivative_is_coupled(const ss_derivative* der) { return der->instant.coupled_now; }
void ss_derivative_allow_coupled(ss_derivative* der, bool allow) { der->instant.coupled_allowed = allow; }

// ---- questions

static void no_numbers(double out[], int count)
{
    for (int k = 0; k < count && out; k++) out[k] = NAN;
}

// Takes a sensitivity to where the run has got to, in der->room.zero; false where it is lost.
static bool look(ss_derivative* der, int direction)
{
    ss_sensitivity* to = &der->sensitivities[direction];
    if (!der->sim || to->lost) return false;
    ss_sensitivity_at(der, der->sim->step.now);
    ss_sensitivity_get(der, direction, der->room.zero);
    return true;
}

// How everything changes there: der->delta.
static void look_closer(ss_derivative* der, int direction)
{
    ss_linear* lin = &der->points[0];
    ss_delta* io = &der->delta;
    if (der->sim->step.ready) ss_sensitivity_prepare(der);
    ss_values_at(der, der->sim->step.ready ? der->sim->step.now : 0.0, &lin->at);
    if (der->sim->step.ready) ss_linear_at(der, der->sim->step.now, lin);
    io->q = der->room.zero;
    io->v = io->q + der->n;
    io->s = io->v + der->n;
    io->z = io->s + der->ns;
    ss_linear_all(der, lin, &der->sensitivities[direction], io);
}

static bool changes_ties(const ss_model* model, const ss_sensitivity* to)
{
    for (int b = 0; to->change && b < model->body_count; b++)
        if (to->change->tie[b].count > 0) return true;
    return false;
}

bool ss_derivative_bodies(ss_derivative* der, int direction, double x[], double v[])
{
    const ss_model* model = der->model;
    const ss_sensitivity* to = &der->sensitivities[direction];
    if (!look(der, direction)) {
        no_numbers(x, model->body_count);
        no_numbers(v, model->body_count);
        return false;
    }
    ss_values* at = &der->points[0].at;
    double now = der->sim->step.ready ? der->sim->step.now : 0.0;
    bool ties = changes_ties(model, to);
    at->order = -1;
    at->constant = true;
    at->t = der->sim->step.t + ss_elapsed(&der->sim->step, now);
    if (ties) ss_values_at(der, now, at);
    ss_given_at(der, to, at, &der->delta);
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool driven = body->drive >= 0;
        double dx =
            driven ? der->delta.d[body->drive] : ss_row_dot(&body->row, der->room.zero) + to->offset[b];
        double dv = driven ? der->delta.d1[body->drive] : ss_row_dot(&body->row, der->room.zero + der->n);
        if (!driven && ties) {
            dx += ss_row_dot(&to->change->tie[b], at->q);
            dv += ss_row_dot(&to->change->tie[b], at->v);
        }
        if (x) x[b] = dx;
        if (v) v[b] = dv;
    }
    return true;
}

bool ss_derivative_forces(ss_derivative* der, int direction, double out[])
{
    if (!look(der, direction)) {
        no_numbers(out, der->model->shown_count);
        return false;
    }
    look_closer(der, direction);
    for (int i = 0; i < der->model->shown_count; i++) out[i] = 0.0;
    for (int i = 0; i < der->m; i++)
        if (der->sim->modes.contacts[i].mode != SS_MODE_OPEN)
            if (ss_shown_contact(der->model, i) >= 0)
                out[ss_shown_contact(der->model, i)] += der->delta.lambda[i];
    return true;
}

// Signals on the pieces on which they are. Their tangents are exact; where models beside the number have
// other operations, what these give is summed.
static void differentiate_signals(ss_derivative* der, const ss_sensitivity* to, double out[])
{
    const ss_open* open = der->model->open;
    const ss_values* at = &der->points[0].at;
    const struct ss_program_tangent* own = to->tangent;
    size_t kinks = (size_t)ss_graph_kink_count(open->graph) * sizeof(double);
    ss_run* run = &der->runs.shown;
    for (int j = 0; j < ss_graph_kink_count(open->graph); j++) run->w.piece[j] = NAN;
    ss_run_values(run, at->t, at->vars, false, der->room.seen);
    ss_tangent_values(&own->shown, run, at->t, der->delta.vars, own->shown_x, der->room.seen);
    memcpy(out, der->room.seen, (size_t)open->signal_count * sizeof(double));
    for (int k = 0; own->shown_form && k < to->change->from->model_count; k++) {
        ss_run* other = &to->change->shown[k];
        memcpy(other->w.piece, run->w.piece, kinks);
        ss_run_values(other, at->t, at->vars, true, der->room.seen);
        for (int j = 0; j < open->signal_count; j++)
            out[j] += to->change->from->weights[k] * der->room.seen[j];
    }
}

bool ss_derivative_numbers(ss_derivative* der, int direction, double out[])
{
    const ss_open* open = der->model->open;
    const ss_sensitivity* to = &der->sensitivities[direction];
    if (!open) return look(der, direction);
    if (!look(der, direction)) {
        no_numbers(out, ss_sim_numbers(der->sim, NULL));
        return false;
    }
    look_closer(der, direction);
    memcpy(out, der->delta.s, (size_t)der->ns * sizeof(double));
    differentiate_signals(der, to, out + der->ns);
    memcpy(out + der->ns + open->signal_count, der->delta.input, (size_t)der->nu * sizeof(double));
    memcpy(out + der->ns + open->signal_count + der->nu, to->m, (size_t)der->nm * sizeof(double));
    return true;
}

bool ss_derivative_state(ss_derivative* der, int direction, double out[])
{
    if (!look(der, direction)) {
        no_numbers(out, der->width + der->nm);
        return false;
    }
    memcpy(out, der->room.zero, (size_t)der->width * sizeof(double));
    memcpy(out + der->width, der->sensitivities[direction].m, (size_t)der->nm * sizeof(double));
    return true;
}

bool ss_derivative_get(ss_derivative* der, int direction, ss_derivative_of what, double out[])
{
    switch (what) {
    case SS_OF_X: return ss_derivative_bodies(der, direction, out, NULL);
    case SS_OF_V: return ss_derivative_bodies(der, direction, NULL, out);
    case SS_OF_FORCES: return ss_derivative_forces(der, direction, out);
    case SS_OF_NUMBERS: return ss_derivative_numbers(der, direction, out);
    case SS_OF_STATE: return ss_derivative_state(der, direction, out);
    }
    return false;
}

bool ss_derivative_event(const ss_derivative* der, int direction, int contact, double* out)
{
    const ss_sensitivity* to = &der->sensitivities[direction];
    *out = to->lost ? NAN : to->late[contact];
    return !to->lost;
}
