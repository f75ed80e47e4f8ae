// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Coefficients of what opens a model.
//
//   reads    q[k], q[k + 1], d[k], d[k + 1], s[k] and the series of the inputs
//   writes   accel, the levels that follow the motion, and s[k + 1] = r_k / (k + 1)
//   promise  what is affine in the motion is in the operators of the model (model/build/actions.c), so that a
//            motion is the same whether its springs are written as springs or as expressions
#include "engine/flow/open.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = SS_MAX_ORDER + 1 };

// ---- creation

static bool rest_varies(const ss_affine* affine)
{
    return affine && affine->rest && !ss_signal_is_constant(affine->rest);
}

static void make_programs(ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    const ss_actions* actions = sim->model->actions;
    ss_pool* pool = &sim->pool;
    ss_open_programs* own = ss_pool_new(pool, 1, sizeof *own);
    if (!own) return;
    size_t kinks = (size_t)ss_graph_kink_count(open->graph), d = sizeof(double);
    own->pieces = ss_pool_new(pool, kinks, d);
    own->start = ss_pool_new(pool, kinks, d);
    own->copy = ss_pool_new(pool, kinks, d);
    own->point = ss_pool_new(pool, (size_t)open->variable_count, d);
    own->outputs = ss_pool_new(pool, (size_t)actions->motion.output_count, d);
    own->sizes = ss_pool_new(pool, (size_t)actions->motion.output_count, d);
    own->seen = ss_pool_new(pool, (size_t)actions->shown.output_count, d);
    own->crossing = ss_pool_new(pool, (size_t)actions->motion.kink_count, sizeof(bool));
    own->crossings = ss_pool_new(pool, SS_CROSSINGS * (size_t)actions->motion.kink_count, d);
    own->accel = ss_pool_new(pool, (size_t)sim->model->n, d);
    own->forces = ss_pool_spare(pool, (size_t)actions->pull_count * WIDTH, d);
    own->rate = ss_pool_new(pool, (size_t)open->state_count, d);
    if (pool->failed || !ss_run_make(&own->motion, pool, &actions->motion, SS_MAX_ORDER, own->pieces) ||
        !ss_run_make(&own->shown, pool, &actions->shown, 1, own->copy))
        return;
    for (size_t j = 0; j < kinks; j++) own->pieces[j] = NAN;
    ss_open_make_edge(sim, own);
    sim->open.programs = own;
}

// Contacts whose levels follow the motion.
static void find_following(ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    ss_open_run* run = &sim->open;
    run->following = ss_pool_new(&sim->pool, (size_t)open->level_count, sizeof(ss_open_following));
    for (int l = 0; l < open->level_count && !sim->pool.failed; l++) {
        const ss_open_level* level = &open->levels[l];
        ss_open_following* own = run->following;
        while (own < run->following + run->following_count && own->contact != level->contact) own++;
        if (own == run->following + run->following_count) {
            run->following_count++;
            *own = (ss_open_following){.contact = level->contact, .output = {-1, -1, -1, -1}};
            own->raw = ss_pool_new(&sim->pool, 4 * WIDTH, sizeof(double));
        }
        own->output[level->which] = sim->model->actions->level_output + l;
    }
}

void ss_open_set_start(ss_sim* sim, const double states[], const double memory[])
{
    const ss_open* open = sim->model->open;
    double* start = sim->open.start;
    for (int j = 0; j < open->state_count; j++) *start++ = states ? states[j] : open->states[j].start;
    for (int j = 0; j < open->memory_count; j++) *start++ = memory ? memory[j] : open->memory[j].value;
}

void ss_open_allocate(ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    ss_open_run* run = &sim->open;
    *run = (ss_open_run){0};
    if (!open) return;
    run->states = open->state_count;
    run->slots = sim->model->actions->pull_count + open->state_count;
    size_t states = (size_t)open->state_count, inputs = (size_t)open->input_count, d = sizeof(double);
    run->start = ss_pool_new(&sim->pool, states + (size_t)open->memory_count, d);
    run->out = ss_pool_new(&sim->pool, states, d);
    run->constant = ss_pool_new(&sim->pool, states, d);
    run->constant_size = ss_pool_new(&sim->pool, states, d);
    run->rate = ss_pool_new(&sim->pool, states, d);
    run->input = ss_pool_new(&sim->pool, WIDTH * inputs, d);
    size_t held = inputs + (size_t)open->memory_count;
    run->value = ss_pool_new(&sim->pool, held, d);
    run->varying = ss_pool_new(&sim->pool, held, sizeof(bool));
    run->memory = run->value + inputs;
    run->steady = ss_pool_new(&sim->pool, (size_t)sim->model->actions->pull_count, d);
    run->given = ss_pool_new(&sim->pool, WIDTH * (size_t)run->slots, d);
    if (sim->pool.failed) return;
    ss_open_set_start(sim, NULL, NULL);
    for (int j = 0; j < open->input_count; j++)
        run->varies = run->varies || !ss_signal_is_constant(open->inputs[j].signal);
    for (int k = 0; k < run->slots; k++)
        run->varies = run->varies || rest_varies(ss_affine_of(sim->model->actions, k));
    make_programs(sim);
    find_following(sim);
}

static const size_t program_pointers[] = {
    offsetof(ss_open_programs, pieces),    offsetof(ss_open_programs, start),
    offsetof(ss_open_programs, copy),      offsetof(ss_open_programs, point),
    offsetof(ss_open_programs, outputs),   offsetof(ss_open_programs, sizes),
    offsetof(ss_open_programs, seen),      offsetof(ss_open_programs, crossing),
    offsetof(ss_open_programs, crossings), offsetof(ss_open_programs, accel),
    offsetof(ss_open_programs, rate),      offsetof(ss_open_programs, edge),
    offsetof(ss_open_programs, stiff),     offsetof(ss_open_programs, forces),
};
static const size_t run_pointers[] = {
    offsetof(ss_run, program), offsetof(ss_run, w.rows),   offsetof(ss_run, w.noise), offsetof(ss_run, w.aux),
    offsetof(ss_run, w.sum),   offsetof(ss_run, w.degree), offsetof(ss_run, w.piece), offsetof(ss_run, x),
    offsetof(ss_run, sizes),   offsetof(ss_run, noise),    offsetof(ss_run, crossed),
};
static const size_t edge_pointers[] = {
    offsetof(ss_open_edge, below_pieces), offsetof(ss_open_edge, probe_pieces),
    offsetof(ss_open_edge, mix),          offsetof(ss_open_edge, mixed),
    offsetof(ss_open_edge, difference),   offsetof(ss_open_edge, across),
    offsetof(ss_open_edge, lift),
};
static const size_t stiff_pointers[] = {
    offsetof(ss_open_stiff, pieces),   offsetof(ss_open_stiff, slopes), offsetof(ss_open_stiff, values),
    offsetof(ss_open_stiff, switches), offsetof(ss_open_stiff, output), offsetof(ss_open_stiff, switching),
};
static const size_t following_pointers[] = {offsetof(ss_open_following, raw)};

#define COUNT(array) (sizeof(array) / sizeof *(array))

void ss_open_mark(ss_sim* sim)
{
    ss_open_programs* own = sim->open.programs;
    ss_image* image = &sim->image;
    if (!own) return;
    ss_image_mark_pointers(image, own, 1, sizeof *own, program_pointers, COUNT(program_pointers));
    ss_image_mark_pointers(image, &own->motion, 1, sizeof(ss_run), run_pointers, COUNT(run_pointers));
    ss_image_mark_pointers(image, &own->shown, 1, sizeof(ss_run), run_pointers, COUNT(run_pointers));
    if (own->edge) {
        ss_image_mark_pointers(image, own->edge, 1, sizeof *own->edge, edge_pointers, COUNT(edge_pointers));
        ss_image_mark_pointers(image, &own->edge->below, 1, sizeof(ss_run), run_pointers,
                               COUNT(run_pointers));
        ss_image_mark_pointers(image, &own->edge->probe, 1, sizeof(ss_run), run_pointers,
                               COUNT(run_pointers));
    }
    if (own->stiff) {
        ss_open_stiff* stiff = own->stiff;
        ss_image_mark_pointers(image, stiff, 1, sizeof *stiff, stiff_pointers, COUNT(stiff_pointers));
        ss_image_mark_pointers(image, &stiff->motion, 1, sizeof(ss_run), run_pointers, COUNT(run_pointers));
        ss_image_mark_pointers(image, &stiff->slope, 1, sizeof(ss_run), run_pointers, COUNT(run_pointers));
    }
    ss_image_mark_pointers(image, sim->open.following, (size_t)sim->open.following_count,
                           sizeof(ss_open_following), following_pointers, COUNT(following_pointers));
}

void ss_open_loaded(ss_sim* sim)
{
    if (!sim->open.programs) return;
    sim->open.programs->motion.program = &sim->model->actions->motion;
    sim->open.programs->shown.program = &sim->model->actions->shown;
    if (sim->open.programs->stiff) {
        sim->open.programs->stiff->motion.program = &sim->model->actions->motion;
        sim->open.programs->stiff->slope.program = &sim->model->actions->slope;
    }
    if (!sim->open.programs->edge) return;
    sim->open.programs->edge->below.program = sim->open.programs->edge->probe.program =
        &sim->model->actions->motion;
}

void ss_open_restart(ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    if (!open) return;
    memcpy(sim->step.s, sim->open.start, (size_t)sim->open.states * sizeof(double));
    for (int j = 0; j < open->input_count; j++) {
        sim->open.value[j] = ss_signal_value(open->inputs[j].signal, 0.0);
        sim->open.varying[j] = !ss_signal_is_constant(open->inputs[j].signal);
    }
    memcpy(sim->open.memory, sim->open.start + open->state_count,
           (size_t)open->memory_count * sizeof(double));
    ss_open_programs* own = sim->open.programs;
    for (int j = 0; j < ss_graph_kink_count(open->graph); j++) own->pieces[j] = NAN;
    memset(own->crossing, 0, (size_t)own->motion.program->kink_count * sizeof(bool));
    memset(own->motion.crossed, 0, (size_t)own->motion.program->kink_count * sizeof(bool));
    own->begun = own->bad = own->sized = own->probing = own->negative = own->crowded = own->chatters = false;
    own->held = own->keeps = own->limit = -1;
    if (own->stiff) own->stiff->written = false;
    for (int k = 0; k < SS_CROSSINGS * own->motion.program->kink_count; k++) own->crossings[k] = NAN;
}

// What an affine expression has that does not change: its constant, constant inputs, and offsets of tied
// bodies.
static double constant_of(const ss_sim* sim, const ss_affine* a, double* size)
{
    const ss_open* open = sim->model->open;
    double sum = a->rest && !rest_varies(a) ? ss_signal_value(a->rest, 0.0) : 0.0;
    *size = fabs(sum);
    for (int k = 0; k < a->row.count; k++) {
        int at = a->row.index[k], input = at - open->first_input;
        double part = 0.0;
        if (at < open->first_speed) part = a->row.value[k] * sim->bodies.offset[at];
        if (input >= 0 && !sim->open.varying[input]) part = a->row.value[k] * sim->open.value[input];
        sum += part;
        *size += fabs(part);
    }
    return sum;
}

// Whether an affine expression is constant between instants: it has nothing of the motion, nor of the time.
static bool is_steady(const ss_sim* sim, const ss_affine* a)
{
    const ss_open* open = sim->model->open;
    if (!a || rest_varies(a)) return false;
    for (int k = 0; k < a->row.count; k++)
        if (a->row.index[k] < open->first_input || sim->open.varying[a->row.index[k] - open->first_input])
            return false;
    return true;
}

bool ss_open_has_powers(const ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    const ss_actions* actions = sim->model->actions;
    for (int p = 0; p < actions->pull_count; p++)
        if (actions->pulls[p].account == SS_ACCOUNT_STORED || !is_steady(sim, actions->pulls[p].affine))
            return true;
    for (int j = 0; j < open->input_count; j++)
        if (!ss_signal_is_constant(open->inputs[j].signal)) return true;
    return false;
}

void ss_open_gather(ss_sim* sim, double force[], double size[])
{
    const ss_actions* actions = sim->model->actions;
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_pull* pull = &actions->pulls[p];
        sim->open.steady[p] = NAN;
        if (!pull->affine) continue;
        double terms, value = constant_of(sim, pull->affine, &terms);
        if (pull->account != SS_ACCOUNT_STORED && is_steady(sim, pull->affine)) sim->open.steady[p] = value;
        for (int k = 0; k < pull->q.count; k++) {
            force[pull->q.index[k]] += pull->q.value[k] * value;
            size[pull->q.index[k]] += fabs(pull->q.value[k]) * terms;
        }
    }
    for (int j = 0; j < sim->open.states; j++) {
        const ss_affine* rate = actions->rates[j].affine;
        double value = rate ? constant_of(sim, rate, &sim->open.constant_size[j]) : 0.0;
        if (sim->open.constant[j] != value) ss_coast_forget(sim);
        sim->open.constant[j] = value;
    }
}

// ---- what is given in time

// Names what a slot belongs to, as model files have it.
static void name_slot(ss_sim* sim, int slot)
{
    const ss_open* open = sim->model->open;
    int pulls = sim->model->actions->pull_count;
    if (slot >= pulls)
        snprintf(sim->inputs.bad, sizeof sim->inputs.bad, "states.%.100s.rate",
                 open->states[slot - pulls].name);
    else if (slot < open->force_count)
        snprintf(sim->inputs.bad, sizeof sim->inputs.bad, "forces[%d].force", open->forces[slot].place);
    else
        snprintf(sim->inputs.bad, sizeof sim->inputs.bad, "potentials");
}

bool ss_open_prepare(ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    for (int j = 0; j < open->input_count; j++) {
        if (!sim->open.varying[j]) continue;
        if (ss_input_series(sim, open->inputs[j].signal, sim->step.order, sim->open.input + j,
                            open->input_count))
            continue;
        snprintf(sim->inputs.bad, sizeof sim->inputs.bad, "inputs.%.100s", open->inputs[j].name);
        return false;
    }
    for (int k = 0; k < sim->open.slots; k++) {
        const ss_affine* a = ss_affine_of(sim->model->actions, k);
        if (!rest_varies(a)) continue;
        if (ss_input_series(sim, a->rest, sim->step.order, sim->open.given + k, sim->open.slots)) continue;
        name_slot(sim, k);
        return false;
    }
    return true;
}

// The part of an affine expression that is given in time, coefficient k; *size adds up the magnitudes of its
// terms.
static double given_part(const ss_sim* sim, int slot, int k, double* size)
{
    const ss_open* open = sim->model->open;
    const ss_affine* a = ss_affine_of(sim->model->actions, slot);
    *size = 0.0;
    if (!a) return 0.0;
    const double* input = sim->open.input + (size_t)k * (size_t)open->input_count;
    bool varies = rest_varies(a);
    double sum = varies ? sim->open.given[(size_t)k * (size_t)sim->open.slots + (size_t)slot] : 0.0;
    *size = varies && k == 0 ? fmax(fabs(sum), ss_signal_size(a->rest, sim->step.t)) : fabs(sum);
    for (int l = 0; l < a->row.count; l++) {
        int at = a->row.index[l] - open->first_input;
        if (at < 0 || !sim->open.varying[at]) continue;
        double part = a->row.value[l] * input[at];
        sum += part;
        *size += fabs(part);
    }
    return sum;
}

double ss_open_given_at(const ss_sim* sim, int slot, double s)
{
    double sum = 0.0, size;
    for (int k = sim->inputs.order; k >= 0; k--) sum = sum * s + given_part(sim, slot, k, &size);
    return sum;
}

static void push(ss_sim* sim, int p, double force)
{
    const ss_row* row = &sim->model->actions->pulls[p].mobility;
    for (int l = 0; l < row->count; l++) sim->pulls.accel[row->index[l]] += row->value[l] * force;
}

static void add_given(ss_sim* sim, int k)
{
    int pulls = sim->model->actions->pull_count;
    double size;
    for (int p = 0; p < pulls; p++) push(sim, p, given_part(sim, p, k, &size));
    for (int j = 0; j < sim->open.states; j++) sim->open.rate[j] += given_part(sim, pulls + j, k, &size);
}

// ---- what is linear

static double sparse_dot(const ss_sparse* a, int row, const double x[])
{
    double sum = 0.0;
    for (int l = a->start[row]; l < a->start[row + 1]; l++) sum += a->value[l] * x[a->index[l]];
    return sum;
}

static double sparse_size(const ss_sparse* a, int row, const double x[])
{
    double sum = 0.0;
    for (int l = a->start[row]; l < a->start[row + 1]; l++) sum += fabs(a->value[l] * x[a->index[l]]);
    return sum;
}

// Rates of the states by the motion and by themselves, and what the states pull.
static void add_linear(ss_sim* sim, int k)
{
    const ss_state_flow* flow = &sim->model->actions->flow;
    size_t n = (size_t)sim->model->n, p = (size_t)sim->open.states, at = (size_t)k;
    const double *q = sim->step.q + at * n, *q1 = q + n, *s = sim->step.s + at * p;
    double factor = k + 1;
    for (int i = 0; i < sim->model->n; i++) sim->pulls.accel[i] += sparse_dot(&flow->pull, i, s);
    for (int j = 0; j < sim->open.states; j++)
        sim->open.rate[j] = sparse_dot(&flow->places, j, q) + factor * sparse_dot(&flow->speeds, j, q1) +
                            sparse_dot(&flow->own, j, s);
}

static void add_drives(ss_sim* sim, int k)
{
    const ss_state_flow* flow = &sim->model->actions->flow;
    const double* d = sim->step.d + (size_t)k * (size_t)sim->model->drive_count;
    const double* d1 = d + sim->model->drive_count;
    for (int j = 0; j < sim->open.states; j++)
        sim->open.rate[j] +=
            sparse_dot(&flow->drives, j, d) + (k + 1) * sparse_dot(&flow->drive_speeds, j, d1);
}

static void store_rates(ss_sim* sim, int k)
{
    double* next = sim->step.s + (size_t)(k + 1) * (size_t)sim->open.states;
    for (int j = 0; j < sim->open.states; j++) next[j] = sim->open.rate[j] / (k + 1);
}

void ss_open_add_linear(ss_sim* sim, int k)
{
    add_linear(sim, k);
    store_rates(sim, k);
}

double ss_open_pull(const ss_sim* sim, int row)
{
    return sparse_dot(&sim->model->actions->flow.pull, row, sim->step.s);
}

// ---- what is not

// Position of body b, coefficient k.
static double position(const ss_sim* sim, int b, int k)
{
    const ss_body* body = &sim->model->bodies[b];
    size_t at = (size_t)k;
    if (body->drive >= 0) return sim->step.d[at * (size_t)sim->model->drive_count + (size_t)body->drive];
    double x = ss_row_dot(&body->row, sim->step.q + at * (size_t)sim->model->n);
    return k == 0 ? x + sim->bodies.offset[b] : x;
}

// What position b is rounded by at order k, in round-offs: its terms, and the time.
static double position_noise(const ss_sim* sim, int b, int k)
{
    double lag = 4.0 * (k + 1) * fabs(sim->step.t * position(sim, b, k + 1));
    return k == 0 ? lag + fabs(sim->bodies.offset[b]) : lag;
}

void ss_open_fill(ss_sim* sim, const ss_run* run, int k)
{
    const ss_open* open = sim->model->open;
    double* row;
    for (int b = 0; b < sim->model->body_count; b++) {
        if ((row = ss_run_variable(run, b))) row[k] = position(sim, b, k);
        if (row && run->noise) ss_run_noise(run, b)[k] = position_noise(sim, b, k);
        if ((row = ss_run_variable(run, open->first_speed + b))) row[k] = (k + 1) * position(sim, b, k + 1);
    }
    for (int j = 0; j < open->state_count; j++)
        if ((row = ss_run_variable(run, open->first_state + j)))
            row[k] = sim->step.s[(size_t)k * (size_t)sim->open.states + (size_t)j];
    for (int j = 0; j < open->input_count; j++)
        if ((row = ss_run_variable(run, open->first_input + j)))
            row[k] = sim->open.varying[j] ? sim->open.input[(size_t)k * (size_t)open->input_count + (size_t)j]
                     : k == 0             ? sim->open.value[j]
                                          : 0.0;
    for (int j = 0; j < open->memory_count; j++)
        if ((row = ss_run_variable(run, open->first_memory + j))) row[k] = k == 0 ? sim->open.memory[j] : 0.0;
}

// A series begins, perhaps once more at the same instant: with what the instant found, and nothing else
// decided.
static void begin_series(ss_sim* sim)
{
    ss_open_programs* own = sim->open.programs;
    size_t kinks = (size_t)ss_graph_kink_count(sim->model->open->graph) * sizeof(double);
    if (!own->begun) {
        ss_run_begin(&own->motion, sim->step.t);
        memcpy(own->start, own->pieces, kinks);
        if (own->keeps >= 0) ss_open_stop_on_edge(sim, own->keeps); // what rounding has moved
        own->keeps = -1;
    }
    memcpy(own->pieces, own->start, kinks);
    own->begun = true;
    own->held = -1;
    if (own->stiff) own->stiff->written = false;
    own->sized = own->bad = own->negative = own->crowded = false;
    ss_open_begin_levels(sim);
    ss_open_fill(sim, &own->motion, 0);
    for (int b = 0; b < sim->model->body_count; b++) {
        double* row = ss_run_variable(&own->motion, b);
        if (row) row[1] = position(sim, b, 1);
    }
    if (ss_run_decide(&own->motion, 1) > 0) ss_open_decide_edges(sim);
}

// The output that is no number at order k, or else the one whose series grows fastest.
static int find_bad_output(const ss_sim* sim, int k)
{
    const ss_run* run = &sim->open.programs->motion;
    double fastest = -1.0;
    int found = 0;
    for (int i = 0; i < run->program->output_count; i++) {
        const double* series = ss_run_output(run, i);
        double growth = k > 1 ? fabs(series[k - 1]) / fmax(fabs(series[k - 2]), DBL_MIN) : 0.0;
        if (!isfinite(series[k])) growth = INFINITY;
        if (!(growth > fastest)) continue;
        fastest = growth;
        found = i;
    }
    return found;
}

static void name_output(ss_sim* sim, int k)
{
    const ss_actions* actions = sim->model->actions;
    const ss_open* open = sim->model->open;
    int bad = find_bad_output(sim, k);
    for (int i = 0; i < sim->open.slots; i++) {
        int output = i < actions->pull_count ? actions->pulls[i].output
                                             : actions->rates[i - actions->pull_count].output;
        if (output == bad) name_slot(sim, i);
    }
    if (bad >= actions->level_output) {
        const ss_open_level* level = &open->levels[bad - actions->level_output];
        snprintf(sim->inputs.bad, sizeof sim->inputs.bad, "contacts.%.60s.%.40s",
                 sim->model->contacts[level->contact].name, level->field);
    }
}

static void add_program(ss_sim* sim, int k)
{
    const ss_actions* actions = sim->model->actions;
    ss_open_programs* own = sim->open.programs;
    if (k == 0 && !own->probing) begin_series(sim);
    ss_open_fill(sim, &own->motion, k);
    if (!own->bad && !ss_run_step(&own->motion, k)) {
        own->bad = true;
        sim->inputs.bad[0] = '\0';
        name_output(sim, k);
    }
    if (own->bad) return;
    if (own->held >= 0 && !own->probing && !ss_open_mix(sim, k)) own->bad = true;
    for (int p = 0; p < actions->pull_count; p++) {
        int output = actions->pulls[p].output;
        if (output >= 0) push(sim, p, ss_open_output(sim, output)[k]);
    }
    for (int j = 0; j < sim->open.states; j++) {
        int output = actions->rates[j].output;
        if (output >= 0) sim->open.rate[j] += ss_open_output(sim, output)[k];
    }
    if (sim->open.following_count > 0) ss_open_follow_levels(sim, k);
}

bool ss_open_is_held(const ss_sim* sim) { return sim->open.programs && sim->open.programs->held >= 0; }
bool ss_open_is_stuck(const ss_sim* sim)
{
    return sim->open.programs && (sim->open.programs->crowded || sim->open.programs->chatters);
}

bool ss_open_is_negative(const ss_sim* sim) { return sim->open.programs && sim->open.programs->negative; }
bool ss_open_is_bad(const ss_sim* sim) { return sim->open.programs && sim->open.programs->bad; }

void ss_open_add(ss_sim* sim, int k)
{
    if (sim->open.states > 0) add_linear(sim, k);
    for (int j = 0; j < sim->open.states && k == 0; j++) sim->open.rate[j] += sim->open.constant[j];
    if (sim->model->drive_count > 0) add_drives(sim, k);
    if (sim->open.varies) add_given(sim, k);
    if (sim->model->actions->motion.output_count > 0) add_program(sim, k);
    store_rates(sim, k);
}

// ---- pieces

int ss_open_switch_count(const ss_sim* sim)
{
    return sim->model->open ? sim->model->actions->motion.kink_count : 0;
}

int ss_open_switch(const ss_sim* sim, int j, double out[])
{
    const ss_run* run = &sim->open.programs->motion;
    const ss_open_stiff* stiff = sim->open.programs->stiff;
    if (stiff && stiff->written) return ss_open_stiff_switch(sim, j, out);
    if (sim->open.programs->held == j) return ss_open_edge_switch(sim, out);
    if (isnan(run->w.piece[run->program->code[run->program->kinks[j]].kink])) return -1;
    ss_run_switch(run, j, sim->step.order - 2, out);
    return sim->step.order - 2;
}

bool ss_open_paces(const ss_sim* sim, int j) { return ss_run_paces(&sim->open.programs->motion, j); }
void ss_open_end_piece(ss_sim* sim, int j) { sim->open.programs->crossing[j] = true; }

void ss_open_leave(ss_sim* sim, double s)
{
    ss_open_programs* own = sim->open.programs;
    own->keeps = own->held;
    if (own->held >= 0 && own->crossing[own->held]) { // it lets go
        ss_open_set_side(own, own->held, ss_open_edge_is_above(sim, s) ? 1.0 : -1.0);
        own->motion.crossed[own->held] = true;
        own->crossing[own->held] = false;
        own->keeps = -1;
    }
    own->held = -1;
    for (int j = 0; j < own->motion.program->kink_count; j++) {
        if (own->crossing[j]) ss_run_cross(&own->motion, j, s);
        if (own->crossing[j]) ss_open_count_crossing(sim, j, sim->step.t);
        own->crossing[j] = false;
    }
    own->begun = false;
}

// ---- sizes

// Sizes of the outputs of the program at the start of the step.
static const double* output_sizes(const ss_sim* sim)
{
    ss_open_programs* own = sim->open.programs;
    if (own->sized) return own->sizes;
    memcpy(own->copy, own->pieces, (size_t)ss_graph_kink_count(sim->model->open->graph) * sizeof(double));
    own->motion.w.piece = own->copy;
    ss_open_point(sim, 0.0, own->point);
    ss_run_values(&own->motion, sim->step.t, own->point, true, own->outputs);
    ss_run_sizes(&own->motion, sim->step.t, own->point, own->sizes);
    own->motion.w.piece = own->pieces;
    own->sized = true;
    return own->sizes;
}

double ss_open_output_size(const ss_sim* sim, int output) { return output_sizes(sim)[output]; }

static double output_size(const ss_sim* sim, int output, int k)
{
    const double* series = ss_run_output(&sim->open.programs->motion, output);
    return k == 0 ? output_sizes(sim)[output] : fabs(series[k]);
}

double ss_open_size(const ss_sim* sim, int row, int k)
{
    const ss_actions* actions = sim->model->actions;
    double sum = 0.0;
    if (sim->open.states > 0)
        sum += sparse_size(&actions->flow.pull, row, sim->step.s + (size_t)k * (size_t)sim->open.states);
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_pull* pull = &actions->pulls[p];
        if (pull->affine && !sim->open.varies) continue;
        double mobility = 0.0, size, slope = 0.0;
        for (int l = 0; l < pull->mobility.count; l++)
            if (pull->mobility.index[l] == row) mobility += fabs(pull->mobility.value[l]);
        if (mobility == 0.0) continue;
        if (pull->affine) {
            slope = ss_late(sim, k) * fabs(given_part(sim, p, k + 1, &size));
            given_part(sim, p, k, &size);
        } else {
            size = output_size(sim, pull->output, k);
        }
        sum += mobility * (size + slope);
    }
    return sum;
}

// ---- rest

double ss_open_rate_size(const ss_sim* sim, int j)
{
    const ss_actions* actions = sim->model->actions;
    const ss_state_flow* flow = &actions->flow;
    const double *q = sim->step.q, *v = q + sim->model->n, *s = sim->step.s;
    const double *d = sim->step.d, *d1 = d + sim->model->drive_count;
    double size, terms = sim->open.constant_size[j] + sparse_size(&flow->places, j, q) +
                         sparse_size(&flow->speeds, j, v) + sparse_size(&flow->own, j, s) +
                         sparse_size(&flow->drives, j, d) + sparse_size(&flow->drive_speeds, j, d1);
    given_part(sim, actions->pull_count + j, 0, &size);
    terms += size;
    return actions->rates[j].output >= 0 ? terms + output_size(sim, actions->rates[j].output, 0) : terms;
}

bool ss_open_rests(const ss_sim* sim)
{
    const double* rate = sim->step.s + sim->open.states;
    for (int j = 0; j < sim->open.states; j++)
        if (fabs(rate[j]) > 4.0 * DBL_EPSILON * ss_open_rate_size(sim, j)) return false;
    return true;
}

static bool is_constant_from_now(const ss_sim* sim, const ss_signal* signal)
{
    ss_harmonic none[1];
    double constant;
    return ss_signal_spectrum(signal, sim->step.t, &constant, none, 1) == 0;
}

bool ss_open_stays(const ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    if (sim->model->actions->depends & SS_ON_TIME) return false;
    for (int j = 0; j < open->input_count; j++)
        if (sim->open.varying[j] && !is_constant_from_now(sim, open->inputs[j].signal)) return false;
    for (int k = 0; k < sim->open.slots; k++)
        if (rest_varies(ss_affine_of(sim->model->actions, k)) &&
            !is_constant_from_now(sim, ss_affine_of(sim->model->actions, k)->rest))
            return false;
    return true;
}
