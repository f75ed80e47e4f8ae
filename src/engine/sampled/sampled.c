// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sampled controllers: memory that is constant between ticks. docs/theory/sampled.md tells the rules.
//
// Tick i of a block is at the number nearest to offset + i every: no tick drifts, however late. At one
// instant writes that were delayed come first, then the ticks in the order of the file, each seeing what
// those before it have set; then the modes are decided, once.
#include "engine/sampled/sampled.h"
#include "engine/flow/contact.h"
#include "engine/flow/motion_series.h"
#include "engine/flow/open_series.h"
#include "engine/record/record.h"
#include "engine/sensitivity/run_hooks.h"
#include "engine/way/way.h"

#include "core/error.h"
#include "core/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct ss_block_run {
    double number; ///< of its next tick
    double at;     ///< s: when that is
    double due;    ///< s: when what the last tick wrote holds; INFINITY: it does
} ss_block_run;

// Instants that differ by rounding alone are one.
static bool is_due(double at, double t) { return at <= t + 4.0 * DBL_EPSILON * fabs(t); }

static double time_of(const ss_open_block* block, double number)
{
    return fma(number, block->every, block->offset);
}

// ---- creation and start

void ss_sampled_allocate(ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    ss_input_values* held = &sim->values;
    held->next = INFINITY;
    if (!open || open->block_count == 0 || sim->pool.failed) return;
    size_t blocks = (size_t)open->block_count, memory = (size_t)open->memory_count, d = sizeof(double);
    held->block_count = open->block_count;
    held->blocks = ss_pool_new(&sim->pool, blocks, sizeof *held->blocks);
    held->pending = ss_pool_new(&sim->pool, memory, d);
    held->runs = ss_pool_spare(&sim->pool, blocks, sizeof *held->runs);
    held->point = ss_pool_spare(&sim->pool, (size_t)open->variable_count, d);
    held->written = ss_pool_spare(&sim->pool, memory, d);
    held->holds = ss_pool_spare(&sim->pool, (memory + 1) * (size_t)sim->model->contact_count, d);
    double* pieces = ss_pool_spare(&sim->pool, (size_t)ss_graph_kink_count(open->graph), d);
    for (size_t b = 0; b < blocks && !sim->pool.failed; b++)
        ss_run_make_spare(&held->runs[b], &sim->pool, &open->blocks[b].program, pieces);
}

static void find_next(ss_input_values* values)
{
    ss_input_values* held = values;
    held->next = INFINITY;
    for (int b = 0; b < held->block_count; b++)
        held->next = fmin(held->next, fmin(held->blocks[b].at, held->blocks[b].due));
}

void ss_begin_ticks(const ss_model* model, ss_input_values* values, double t)
{
    values->fresh = true;
    values->changed = false;
    for (int b = 0; b < values->block_count; b++) {
        const ss_open_block* block = &model->open->blocks[b];
        ss_block_run* own = &values->blocks[b];
        own->number = fmax(0.0, ceil((t - block->offset) / block->every) - 1.0);
        for (int k = 0; k < 4 && !is_due(t, time_of(block, own->number)); k++) own->number += 1.0;
        own->at = time_of(block, own->number);
        own->due = INFINITY;
    }
    find_next(values);
}

void ss_take_back_ticks(ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    if (!sim->values.fresh || sim->values.block_count == 0 || sim->step.t != sim->values.asked) return;
    memcpy(sim->open.memory, sim->open.start + open->state_count,
           (size_t)open->memory_count * sizeof(double));
    ss_begin_ticks(sim->model, &sim->values, sim->step.t);
    if (sim->derivative) ss_sensitivity_take_back_ticks(sim->derivative);
}

void ss_leave_start(ss_input_values* values) { values->fresh = false; }

bool ss_tick_is_due(const ss_input_values* values, double t) { return is_due(values->next, t); }

void ss_take_ticks(ss_sim* sim, const ss_sim* from)
{
    size_t memory = sim->values.block_count > 0 ? (size_t)sim->model->open->memory_count : 0;
    for (int b = 0; b < sim->values.block_count; b++) sim->values.blocks[b] = from->values.blocks[b];
    if (memory > 0) memcpy(sim->values.pending, from->values.pending, memory * sizeof(double));
    sim->values.since = from->values.since;
    sim->values.fresh = from->values.fresh;
    find_next(&sim->values);
}

// ---- a tick

// The variables just before the instant, which is the end of the last step.
static void look(const ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    const ss_model* model = sim->model;
    double* point = sim->values.point;
    int n = model->n;
    for (int b = 0; b < model->body_count; b++) {
        const ss_body* body = &model->bodies[b];
        bool driven = body->drive >= 0;
        point[b] =
            driven ? sim->step.d[body->drive] : ss_row_dot(&body->row, sim->step.q) + sim->bodies.offset[b];
        point[open->first_speed + b] =
            driven ? sim->step.d[model->drive_count + body->drive] : ss_row_dot(&body->row, sim->step.q + n);
    }
    memcpy(point + open->first_state, sim->step.s, (size_t)open->state_count * sizeof(double));
    for (int j = 0; j < open->input_count; j++)
        point[open->first_input + j] =
            sim->open.varying[j] ? ss_signal_value(open->inputs[j].signal, sim->step.t) : sim->open.value[j];
    memcpy(point + open->first_memory, sim->open.memory, (size_t)open->memory_count * sizeof(double));
    memcpy(point + open->first_force, sim->step.lambda,
           (size_t)(open->variable_count - open->first_force) * sizeof(double));
}

static void write_memory(const ss_model* model, const ss_step* step, ss_open_run* open_run,
                         ss_input_values* values, int memory, double value)
{
    double* own = &open_run->memory[memory];
    values->point[model->open->first_memory + memory] = value;
    if (*own == value) return;
    *own = value;
    values->changed = true;
    values->since = step->t;
}

static ss_status fail_tick(ss_sim* sim, const ss_open_block* block, ss_error* err)
{
    int bad = 0;
    while (bad + 1 < block->write_count && isfinite(sim->values.written[bad])) bad++;
    ss_name_input(&sim->inputs, "sampled.%.50s.at_tick.%.50s", block->name,
                  sim->model->open->memory[block->memory[bad]].name);
    return ss_fail_input(&sim->step, &sim->inputs, &sim->course, err);
}

static bool reads_forces(const ss_program* program)
{
    bool any = false;
    for (int r = 0; r < program->count; r++) any = any || program->depends[r] & SS_ON_FORCE;
    return any;
}

static ss_status tick(ss_sim* sim, int b, ss_error* err)
{
    const ss_open_block* block = &sim->model->open->blocks[b];
    ss_input_values* held = &sim->values;
    ss_block_run* own = &held->blocks[b];
    if (!sim->course.started && reads_forces(held->runs[b].program))
        ss_note_now(sim, "sampled: no force has been decided yet at the first tick, which reads 0", NULL, 0);
    if (!ss_run_values(&held->runs[b], sim->step.t, held->point, false, held->written))
        return fail_tick(sim, block, err);
    if (sim->derivative) ss_sensitivity_tick(sim, b);
    for (int w = 0; w < block->write_count; w++) {
        if (block->delay > 0.0)
            held->pending[block->memory[w]] = held->written[w];
        else
            write_memory(sim->model, &sim->step, &sim->open, &sim->values, block->memory[w],
                         held->written[w]);
    }
    if (block->delay > 0.0) own->due = own->at + block->delay;
    own->number += 1.0;
    own->at = time_of(block, own->number);
    return SS_OK;
}

ss_status ss_pass_ticks(ss_sim* sim, ss_error* err)
{
    const ss_open* open = sim->model->open;
    ss_input_values* held = &sim->values;
    ss_status status = SS_OK;
    look(sim);
    for (int b = 0; b < held->block_count; b++) {
        const ss_open_block* block = &open->blocks[b];
        if (!is_due(held->blocks[b].due, sim->step.t)) continue;
        for (int w = 0; w < block->write_count; w++)
            write_memory(sim->model, &sim->step, &sim->open, &sim->values, block->memory[w],
                         held->pending[block->memory[w]]);
        held->blocks[b].due = INFINITY;
        if (sim->derivative) ss_sensitivity_write(sim->model, sim->derivative, b);
    }
    for (int b = 0; b < held->block_count && status == SS_OK; b++)
        if (is_due(held->blocks[b].at, sim->step.t)) status = tick(sim, b, err);
    find_next(&sim->values);
    return status;
}

// ---- sticking through ticks

// Whether nothing moves, and nothing can but by a contact that gives way: then a tick changes holding forces
// alone, in a linear model without states.
static bool sits(const ss_sim* sim)
{
    bool propagates = sim->ways.propagator || (sim->derivative && ss_sensitivity_sticks(sim->derivative));
    if (isnan(sim->proof.resting_since) || !propagates || sim->open.states > 0 ||
        sim->open.following_count > 0)
        return false;
    int held = 0;
    for (int j = 0; j < sim->modes.active_count; j++) {
        const ss_hold* hold = &sim->modes.holds[sim->modes.active[j]];
        if (hold->singular) return false;
        held += hold->rank;
    }
    for (int i = 0; i < sim->model->contact_count; i++)
        if (sim->modes.contacts[i].mode != SS_MODE_STICK || sim->modes.contacts[i].pinned) return false;
    return held == sim->model->n;
}

// Finds the forces of all contacts with the memory as it is.
static void find_holds(ss_sim* sim)
{
    ss_gather_constants(sim);
    ss_balance(sim, 0);
}

static void ask_holds(ss_sim* sim, double out[])
{
    find_holds(sim);
    memcpy(out, sim->step.lambda, (size_t)sim->model->contact_count * sizeof(double));
}

// The forces are affine in the memory: those without it, and what a unit of each adds.
static void learn_holds(ss_sim* sim)
{
    int memory = sim->model->open->memory_count, contacts = sim->model->contact_count;
    double *base = sim->values.holds, *own = sim->values.written, *now = sim->open.memory;
    memcpy(own, now, (size_t)memory * sizeof(double));
    memset(now, 0, (size_t)memory * sizeof(double));
    ask_holds(sim, base);
    for (int m = 0; m < memory; m++) {
        double* by = base + (m + 1) * contacts;
        now[m] = 1.0;
        ask_holds(sim, by);
        now[m] = 0.0;
        for (int i = 0; i < contacts; i++) by[i] -= base[i];
    }
    memcpy(now, own, (size_t)memory * sizeof(double));
}

// Whether all contacts hold with the memory as it is now, well within their bounds.
static bool still_holds(const ss_sim* sim)
{
    const double margin = 1e-6; // of the bounds: nearer to them the modes are decided as ever
    int memory = sim->model->open->memory_count, contacts = sim->model->contact_count;
    for (int i = 0; i < contacts; i++) {
        double low = ss_hold_low(sim, i, 0), high = ss_hold_high(sim, i, 0), room = margin * (high - low);
        double force = sim->values.holds[i], terms = fabs(force);
        for (int m = 0; m < memory; m++) {
            double part = sim->values.holds[(m + 1) * contacts + i] * sim->open.memory[m];
            force += part;
            terms += fabs(part);
        }
        room += SS_SUM_NOISE * terms;
        if (!(force > low + room && force < high - room)) return false;
    }
    return true;
}

// Where everything sticks: passes ticks up to `until` that change nothing but holding forces, all but the
// instant of the last.
static ss_status pass(ss_sim* sim, const ss_aim* aim, ss_stretch* out, ss_error* err)
{
    enum { MOST = 256 }; // then the loop goes on, and may be interrupted
    (void)out;           // the instant at hand is the next in any case
    ss_input_values* held = &sim->values;
    ss_status status = SS_OK;
    if (sim->step.ready || !is_due(held->next, sim->step.t) || !sits(sim)) return SS_OK;
    learn_holds(sim);
    for (int k = 0; k < MOST; k++) {
        if (sim->instant.wanted) {
            find_holds(sim); // not those of another memory
            ss_remember_before(sim);
        }
        held->changed = false;
        status = ss_pass_ticks(sim, err);
        bool goes_on = status == SS_OK && held->changed && still_holds(sim) && is_due(held->next, aim->until);
        if (!goes_on) break; // the instant is passed as ever
        ss_set_time(&sim->step, held->next);
    }
    held->changed = true;
    return status;
}

const ss_way ss_way_ticks = {.name = "sticking from tick to tick", .pass = pass};

// ---- rest

void ss_skip_ticks(const ss_model* model, ss_input_values* values, double t)
{
    for (int b = 0; b < values->block_count; b++) {
        const ss_open_block* block = &model->open->blocks[b];
        ss_block_run* own = &values->blocks[b];
        own->due = INFINITY; // it would write what is there
        if (!is_due(own->at, t)) continue;
        own->number = fmax(own->number, floor((t - block->offset) / block->every));
        while (is_due(time_of(block, own->number), t)) own->number += 1.0;
        own->at = time_of(block, own->number);
    }
    find_next(values);
}

// Where nothing moves, a block sees the same at each tick: if it then writes what is there already, and
// nothing else is on its way, it always will. The time itself must not be asked for.
bool ss_ticks_stand(const ss_sim* sim)
{
    const ss_open* open = sim->model->open;
    const ss_input_values* held = &sim->values;
    if (held->block_count == 0) return true;
    look(sim);
    for (int b = 0; b < held->block_count; b++) {
        const ss_open_block* block = &open->blocks[b];
        for (int w = 0; w < block->write_count; w++) {
            bool waits = held->blocks[b].due < INFINITY;
            if (ss_graph_depends(open->graph, block->node[w]) & SS_ON_TIME) return false;
            if (waits && held->pending[block->memory[w]] != sim->open.memory[block->memory[w]]) return false;
        }
        if (!ss_run_values(&held->runs[b], sim->step.t, held->point, false, held->written)) return false;
        for (int w = 0; w < block->write_count; w++)
            if (held->written[w] != sim->open.memory[block->memory[w]]) return false;
    }
    return true;
}
