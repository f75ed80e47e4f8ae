// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives as the caller sees them: made, attached to a run, and asked.
#include "engine/field/field.h"
#include "engine/flow/coast.h"
#include "engine/flow/elastic.h"
#include "engine/flow/stiff.h"
#include "engine/loop.h"
#include "engine/variation/edges.h"
#include "engine/variation/passing.h"
#include "engine/variation/tangent.h"
#include "engine/variation/watch.h"

#include "core/error.h"
#include "core/tolerance.h"
#include "share/derivative.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- creation

static double* numbers(ss_variation* var, size_t count)
{
    return ss_pool_new(&var->pool, count, sizeof(double));
}

static void make_point(ss_variation* var, ss_linear* lin)
{
    const ss_model* model = var->model;
    ss_values* at = &lin->at;
    size_t n = (size_t)var->n, nd = (size_t)var->nd;
    at->q = numbers(var, 2 * (n + nd + (size_t)var->ns)); // v .. rates follow it
    at->a = numbers(var, n);
    at->d2 = numbers(var, nd);
    at->z = numbers(var, (size_t)var->nz);
    at->lambda = numbers(var, (size_t)var->m);
    at->force = numbers(var, (size_t)model->force_count);
    lin->by.cubic = numbers(var, (size_t)model->connection_count);
    lin->by.law = ss_pool_new(&var->pool, (size_t)var->m, sizeof(ss_response));
    lin->by.element = ss_pool_new(&var->pool, (size_t)var->nz, sizeof(ss_element_response));
    lin->by.z_at = var->z_at;
    lin->by.slips = ss_pool_new(&var->pool, (size_t)var->nz, sizeof(bool));
    if (var->pool.failed) return;
    at->v = at->q + n;
    at->d = at->v + n;
    at->d1 = at->d + nd;
    at->states = at->d1 + nd;
    at->rates = at->states + var->ns;
    if (!model->open) return;
    at->vars = numbers(var, (size_t)model->open->variable_count);
    lin->by.slope = numbers(var, (size_t)model->actions->slope.output_count);
    lin->outputs = numbers(var, (size_t)model->actions->motion.output_count);
}

static void make_delta(ss_variation* var)
{
    ss_delta* io = &var->delta;
    size_t nd = (size_t)var->nd, m = (size_t)var->m;
    io->d = numbers(var, nd);
    io->d1 = numbers(var, nd);
    io->d2 = numbers(var, nd);
    io->input = numbers(var, (size_t)var->nu);
    io->a = numbers(var, (size_t)var->n);
    io->rate = numbers(var, (size_t)var->ns);
    io->z_rate = numbers(var, (size_t)var->nz);
    io->lambda = numbers(var, m);
    io->held = numbers(var, m);
    io->vars = numbers(var, var->model->open ? (size_t)var->model->open->variable_count : 0);
}

static void make_before(ss_variation* var)
{
    ss_before* before = &var->before;
    make_point(var, &before->motion);
    before->rates = numbers(var, (size_t)var->m);
    before->surface = ss_pool_new(&var->pool, (size_t)var->m, sizeof(int));
}

static void make_heading(ss_variation* var, const ss_direction* def, ss_heading* to)
{
    const ss_model* model = var->model;
    size_t n = (size_t)var->n, m = (size_t)var->m;
    to->def = def;
    to->q = numbers(var, (size_t)(var->width + var->nm)); // v, s, z and memory follow it
    to->d = numbers(var, (size_t)var->nd);
    to->pending = numbers(var, (size_t)var->nm);
    to->offset = numbers(var, (size_t)model->body_count);
    to->late = numbers(var, m);
    to->yield = numbers(var, (size_t)var->nz);
    to->largest = numbers(var, (size_t)var->width);
    to->end = numbers(var, (size_t)var->width);
    to->series_q = numbers(var, (SS_WIDTH + 1) * n);
    to->series_s = numbers(var, (SS_WIDTH + 1) * (size_t)var->ns);
    to->tangent = ss_vary_tangent_make(var, def);
    for (int k = 0; k < def->model_count; k++) to->noise = fmax(to->noise, SS_NOISE * fabs(def->weights[k]));
    if (var->pool.failed) return;
    to->v = to->q + n;
    to->s = to->v + n;
    to->z = to->s + var->ns;
    to->m = to->z + var->nz;
    to->brief = ss_vary_is_brief(var, to);
    if (def->model_count == 0) return;
    to->given.force = numbers(var, SS_WIDTH * (size_t)model->force_count);
    to->given.drive = numbers(var, SS_WIDTH * (size_t)var->nd);
    to->given.input = numbers(var, SS_WIDTH * (size_t)var->nu);
    to->given.rest = numbers(var, SS_WIDTH * (size_t)var->slots);
    to->given.level = numbers(var, SS_WIDTH * 4 * m);
    to->change = ss_change_make(var, def);
    to->waves = to->change ? ss_vary_waves_make(var, to->change) : NULL;
    to->brief = to->change && ss_vary_is_brief(var, to);
    to->operators = ss_vary_changes_operators(var, to->change);
    for (int f = 0; to->change && f < model->force_count; f++)
        if (to->change->force[f].count > 0) var->kind.forces = true;
}

static void make_programs(ss_variation* var)
{
    const ss_model* model = var->model;
    if (!model->open) return;
    double* pieces = numbers(var, (size_t)ss_graph_kink_count(model->open->graph));
    if (var->pool.failed) return;
    if (!ss_run_make(&var->runs.motion, &var->pool, &model->actions->motion, 1, pieces) ||
        !ss_run_make(&var->runs.shown, &var->pool, &model->actions->shown, 1, pieces) ||
        !ss_tangent_make(&var->runs.plain, &var->pool, &model->actions->motion, NULL, NULL))
        var->pool.failed = true;
    var->runs.none = numbers(var, (size_t)model->open->variable_count);
    var->runs.changes = numbers(var, (size_t)model->actions->motion.count);
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

static void make_scratch(ss_variation* var, const ss_direction directions[])
{
    const ss_model* model = var->model;
    size_t w = (size_t)var->width, stages = (size_t)SS_STAGES, scratch = most_scratch(model);
    size_t variables = model->open ? (size_t)model->open->variable_count : 0;
    for (int j = 0; j < var->count; j++)
        for (int k = 0; k < directions[j].model_count; k++) {
            size_t needs = most_scratch(directions[j].models[k]);
            scratch = needs > scratch ? needs : scratch;
        }
    var->room.signals = numbers(var, scratch);
    var->room.work = numbers(var, 4 * w + 4 * (size_t)var->m + variables);
    var->room.rates = numbers(var, w);
    var->room.zero = numbers(var, w);
    var->room.turned = numbers(var, w);
    var->stages.rhs = numbers(var, stages * w);
    size_t outputs = model->open ? (size_t)(model->actions->motion.output_count +
                                            model->actions->shown.output_count + model->open->memory_count)
                                 : 0;
    var->room.seen = numbers(var, outputs);
    var->room.numbers = numbers(var, outputs);
    if (var->kind.linear) return;
    var->stages.y = numbers(var, stages * w * (size_t)var->count);
    var->stages.f = numbers(var, stages * w * (size_t)var->count);
    var->stages.b = numbers(var, stages * w * (size_t)var->count);
    var->stages.system = numbers(var, stages * w * stages * w);
    var->sizes = numbers(var, w);
    var->stages.pivots = ss_pool_new(&var->pool, stages * w, sizeof(int));
    ss_collocation_make(&var->method);
}

static void count_bristles(ss_variation* var)
{
    var->z_at = ss_pool_new(&var->pool, (size_t)var->m, sizeof(int));
    var->z_count = ss_pool_new(&var->pool, (size_t)var->m, sizeof(int));
    for (int i = 0; i < var->m && var->z_at && var->z_count; i++) {
        const ss_contact* contact = &var->model->contacts[i];
        if (ss_has_bristles(contact)) var->z_count[i] = contact->elements > 0 ? contact->elements : 1;
        var->z_at[i] = var->z_count[i] > 0 ? var->nz : -1;
        var->nz += var->z_count[i];
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
static bool is_calm(const ss_variation* var)
{
    const ss_model* model = var->model;
    if (var->nz > 0 || ss_is_stiff_linear(model)) return false;
    for (int c = 0; c < model->connection_count; c++)
        if (model->connections[c].cubic != 0.0) return false;
    return true;
}

ss_status ss_derivative_create(const ss_model* model, const ss_direction directions[], int count,
                               ss_derivative** out, ss_error* err)
{
    *out = NULL;
    ss_status status = check_laws(model, err);
    for (int j = 0; j < count && status == SS_OK; j++) status = check_direction(model, &directions[j], err);
    if (status != SS_OK) return status;
    ss_variation* var = ss_new(1, sizeof *var);
    if (!var) return ss_fail_no_memory(err);
    const ss_open* open = model->open;
    *var = (ss_variation){.model = model,
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
    count_bristles(var);
    var->kind.calm = !var->kind.linear && is_calm(var);
    var->width = 2 * var->n + var->ns + var->nz;
    make_scratch(var, directions);
    make_delta(var);
    make_before(var);
    make_programs(var);
    for (int i = 0; i < SS_STAGES && !var->pool.failed; i++) make_point(var, &var->points[i]);
    var->headings = ss_pool_new(&var->pool, (size_t)count, sizeof(ss_heading));
    for (int j = 0; j < count && !var->pool.failed; j++) make_heading(var, &directions[j], &var->headings[j]);
    if (!var->pool.failed) var->kind.calm = var->kind.calm && ss_vary_has_tangents(var);
    if (var->pool.failed || !ss_vary_make_bends(var) || !ss_vary_make_nodes(var) ||
        !ss_vary_make_dashes(var) || !ss_vary_make_passing(var) || !ss_vary_make_edges(var)) {
        ss_derivative_destroy(var);
        return ss_fail_no_memory(err);
    }
    *out = var;
    return SS_OK;
}

void ss_derivative_destroy(ss_derivative* var)
{
    if (!var) return;
    ss_derivative_detach(var);
    ss_pool_free(&var->pool);
    free(var);
}

ss_status ss_derivative_attach(ss_derivative* var, ss_sim* sim, ss_error* err)
{
    if (sim->model != var->model) return ss_fail(err, SS_BAD_INPUT, NULL, "the run is one of another model");
    if (sim->variation) return ss_fail(err, SS_BAD_INPUT, NULL, "the run has a derivative already");
    ss_derivative_detach(var);
    bool begins = ss_sim_time(sim) == 0.0 && sim->course.event_count == 0 && !sim->held.changed;
    if (!begins) { // the next step begins here
        ss_cut_step(sim, sim->step.t + ss_elapsed(sim, sim->step.now));
        for (int i = 0; i < sim->model->contact_count; i++) ss_wake_contact(sim, i);
    }
    var->sim = sim;
    var->read_off = fmin(fmax(sim->def.tolerance, SS_SOLVED), SS_CLEAR);
    if (sim->ways.coasting) ss_coast_stop(sim);
    var->kept.coasting = sim->ways.coasting;
    var->kept.leap = sim->proof.leap;
    sim->variation = var;
    sim->dash_follower = ss_vary_dash_follower(var);
    if (!ss_vary_take_strides(var, sim)) sim->ways.coasting = NULL; // steps one by one
    ss_vary_take_glide(var, sim);
    sim->proof.leap = NULL;
    if (!begins) ss_vary_begin(sim);
    if (!begins && sim->course.ended) ss_vary_pass(sim);
    if (!begins) return SS_OK;
    ss_note_sink notes = sim->def.on_note; // they have been told
    sim->def.on_note = NULL;
    var->notes = notes; // but for what is to be said of derivatives
    ss_status status = ss_sim_restart(sim, sim->bodies.start_x, sim->bodies.start_v, err);
    var->notes = NULL;
    sim->def.on_note = notes;
    return status;
}

void ss_derivative_detach(ss_derivative* var)
{
    if (!var->sim) return;
    var->sim->ways.coasting = var->kept.coasting;
    var->sim->proof.leap = var->kept.leap;
    var->sim->variation = NULL;
    var->sim->dash_follower = NULL;
    var->sim = NULL;
}

bool ss_derivative_is_coupled(const ss_derivative* var) { return var->coupled.now; }
void ss_derivative_allow_coupled(ss_derivative* var, bool allow) { var->coupled.allowed = allow; }

// ---- questions

static void no_numbers(double out[], int count)
{
    for (int k = 0; k < count && out; k++) out[k] = NAN;
}

// Takes a heading to where the run has got to, in var->room.zero; false where it is lost.
static bool look(ss_derivative* var, int direction)
{
    ss_heading* to = &var->headings[direction];
    if (!var->sim || to->lost) return false;
    ss_vary_look(var, var->sim->step.now);
    ss_vary_get(var, direction, var->room.zero);
    return true;
}

// How everything changes there: var->delta.
static void look_closer(ss_derivative* var, int direction)
{
    ss_linear* lin = &var->points[0];
    ss_delta* io = &var->delta;
    if (var->sim->step.ready) ss_vary_prepare(var);
    ss_values_at(var, var->sim->step.ready ? var->sim->step.now : 0.0, &lin->at);
    if (var->sim->step.ready) ss_linear_at(var, var->sim->step.now, lin);
    io->q = var->room.zero;
    io->v = io->q + var->n;
    io->s = io->v + var->n;
    io->z = io->s + var->ns;
    ss_linear_all(var, lin, &var->headings[direction], io);
}

static bool changes_ties(const ss_model* model, const ss_heading* to)
{
    for (int b = 0; to->change && b < model->body_count; b++)
        if (to->change->tie[b].count > 0) return true;
    return false;
}

bool ss_derivative_bodies(ss_derivative* var, int direction, double x[], double v[])
{
    const ss_model* model = var->model;
    const ss_heading* to = &var->headings[direction];
    if (!look(var, direction)) {
        no_numbers(x, model->body_count);
        no_numbers(v, model->body_count);
        return false;
    }
    ss_values* at = &var->points[0].at;
    double now = var->sim->step.ready ? var->sim->step.now : 0.0;
    bool ties = changes_ties(model, to);
    at->order = -1;
    at->constant = true;
    at->t = var->sim->step.t + ss_elapsed(var->sim, now);
    if (ties) ss_values_at(var, now, at);
    ss_given_at(var, to, at, &var->delta);
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool driven = body->drive >= 0;
        double dx =
            driven ? var->delta.d[body->drive] : ss_row_dot(&body->row, var->room.zero) + to->offset[b];
        double dv = driven ? var->delta.d1[body->drive] : ss_row_dot(&body->row, var->room.zero + var->n);
        if (!driven && ties) {
            dx += ss_row_dot(&to->change->tie[b], at->q);
            dv += ss_row_dot(&to->change->tie[b], at->v);
        }
        if (x) x[b] = dx;
        if (v) v[b] = dv;
    }
    return true;
}

bool ss_derivative_forces(ss_derivative* var, int direction, double out[])
{
    if (!look(var, direction)) {
        no_numbers(out, var->model->shown_count);
        return false;
    }
    look_closer(var, direction);
    for (int i = 0; i < var->model->shown_count; i++) out[i] = 0.0;
    for (int i = 0; i < var->m; i++)
        if (var->sim->modes.contacts[i].mode != SS_MODE_OPEN)
            out[ss_shown_contact(var->model, i)] += var->delta.lambda[i];
    return true;
}

// Signals are smooth on their pieces: their derivative along the heading by differences of values.
static void differentiate_signals(ss_derivative* var, const ss_heading* to, double out[])
{
    static const double places[4] = {-2.0, -1.0, 1.0, 2.0}, weights[4] = {1.0, -8.0, 8.0, -1.0};
    const ss_open* open = var->model->open;
    const ss_values* at = &var->points[0].at;
    double size = INFINITY, *moved = var->room.work;
    size_t kinks = (size_t)ss_graph_kink_count(open->graph) * sizeof(double);
    for (int k = 0; k < open->variable_count; k++)
        if (var->delta.vars[k] != 0.0)
            size = fmin(size, fmax(fabs(at->vars[k]), 1e-6) / fabs(var->delta.vars[k]));
    double h = 1e-3 * size;
    memset(out, 0, (size_t)open->signal_count * sizeof(double));
    for (int j = 0; j < ss_graph_kink_count(open->graph); j++) var->runs.shown.w.piece[j] = NAN;
    ss_run_values(&var->runs.shown, at->t, at->vars, false, var->room.seen);
    for (int k = 0; to->change && k < to->change->from->model_count; k++) {
        ss_run* run = &to->change->shown[k];
        memcpy(run->w.piece, var->runs.shown.w.piece, kinks);
        ss_run_values(run, at->t, at->vars, true, var->room.seen);
        for (int j = 0; j < open->signal_count; j++)
            out[j] += to->change->from->weights[k] * var->room.seen[j];
    }
    for (int i = 0; i < 4 && isfinite(h); i++) {
        for (int k = 0; k < open->variable_count; k++)
            moved[k] = at->vars[k] + places[i] * h * var->delta.vars[k];
        ss_run_values(&var->runs.shown, at->t, moved, true, var->room.seen);
        for (int j = 0; j < open->signal_count; j++) out[j] += weights[i] * var->room.seen[j] / (12.0 * h);
    }
}

bool ss_derivative_numbers(ss_derivative* var, int direction, double out[])
{
    const ss_open* open = var->model->open;
    const ss_heading* to = &var->headings[direction];
    if (!open) return look(var, direction);
    if (!look(var, direction)) {
        no_numbers(out, ss_sim_numbers(var->sim, NULL));
        return false;
    }
    look_closer(var, direction);
    memcpy(out, var->delta.s, (size_t)var->ns * sizeof(double));
    differentiate_signals(var, to, out + var->ns);
    memcpy(out + var->ns + open->signal_count, var->delta.input, (size_t)var->nu * sizeof(double));
    memcpy(out + var->ns + open->signal_count + var->nu, to->m, (size_t)var->nm * sizeof(double));
    return true;
}

bool ss_derivative_state(ss_derivative* var, int direction, double out[])
{
    if (!look(var, direction)) {
        no_numbers(out, var->width + var->nm);
        return false;
    }
    memcpy(out, var->room.zero, (size_t)var->width * sizeof(double));
    memcpy(out + var->width, var->headings[direction].m, (size_t)var->nm * sizeof(double));
    return true;
}

bool ss_derivative_get(ss_derivative* var, int direction, ss_derivative_of what, double out[])
{
    switch (what) {
    case SS_OF_X: return ss_derivative_bodies(var, direction, out, NULL);
    case SS_OF_V: return ss_derivative_bodies(var, direction, NULL, out);
    case SS_OF_FORCES: return ss_derivative_forces(var, direction, out);
    case SS_OF_NUMBERS: return ss_derivative_numbers(var, direction, out);
    case SS_OF_STATE: return ss_derivative_state(var, direction, out);
    }
    return false;
}

bool ss_derivative_event(const ss_derivative* var, int direction, int contact, double* out)
{
    const ss_heading* to = &var->headings[direction];
    *out = to->lost ? NAN : to->late[contact];
    return !to->lost;
}
