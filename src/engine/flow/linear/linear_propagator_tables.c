// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Tables of a model that has a propagator: how they are laid out, found or made
// (linear_propagator_fill.c) mode by mode, and forgotten. They are kept with the model, where all runs find
// them.
#include "engine/flow/linear/linear_propagator_tables.h"
#include "engine/flow/linear/harmonic.h"
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/linear/linear_propagator_waves.h"
#include "engine/flow/motion_series.h"

#include "core/algebra/wide.h"
#include "model/open_impl.h"

#include <math.h>
#include <string.h>

static const double cell_reach = 0.5; // rate times the length of a cell

// ---- sums over the columns

// sum[r] = constant[r] + sum_c column_c[r] y[c] for `rows` rows of `count` columns. With that known where it
// is called, the loops over the columns are unrolled and y stays in registers.
static inline void sum_columns(const double* columns, size_t height, size_t rows, const double y[],
                               double* restrict out, const size_t count)
{
    const double* end = columns + rows;
    for (; columns < end; columns += SS_LINEAR_PROPAGATOR_WIDE, out += SS_LINEAR_PROPAGATOR_WIDE) {
        double sum[SS_LINEAR_PROPAGATOR_WIDE];
        for (int w = 0; w < SS_LINEAR_PROPAGATOR_WIDE; w++) sum[w] = columns[count * height + (size_t)w];
        for (size_t c = 0; c < count; c++)
            for (size_t w = 0; w < SS_LINEAR_PROPAGATOR_WIDE; w++) sum[w] += columns[c * height + w] * y[c];
        for (int w = 0; w < SS_LINEAR_PROPAGATOR_WIDE; w++) out[w] = sum[w];
    }
}

#define SUM(count)                                                                                           \
    SS_WIDE static void sum_##count(const double* columns, size_t height, size_t rows, const double y[],     \
                                    double* out)                                                             \
    {                                                                                                        \
        sum_columns(columns, height, rows, y, out, count);                                                   \
    }
SUM(2)
SUM(3)
SUM(4)
SUM(5)
SUM(6)
SUM(7)
SUM(8)
SUM(9)
SUM(10)
SUM(11)
SUM(12)
SUM(13)
SUM(14)
SUM(15)
SUM(16)
SUM(17)
SUM(18)
SUM(19)
SUM(20)

static ss_linear_propagator_summation* const sum_of[SS_LINEAR_PROPAGATOR_COLUMNS + 1] = {
    NULL,   NULL,   sum_2,  sum_3,  sum_4,  sum_5,  sum_6,  sum_7,  sum_8,  sum_9, sum_10,
    sum_11, sum_12, sum_13, sum_14, sum_15, sum_16, sum_17, sum_18, sum_19, sum_20};

ss_linear_propagator_summation* ss_linear_propagator_sum_of(int columns) { return sum_of[columns]; }

const double* ss_linear_propagator_variables(const ss_sim* sim)
{
    struct ss_linear_propagator* propagator = sim->ways.propagator;
    size_t n = (size_t)sim->model->n, states = (size_t)sim->open.states;
    if (propagator->columns == 2 * sim->model->n) return sim->step.q;
    double* now = propagator->now;
    memcpy(now, sim->step.q, 2 * n * sizeof(double));
    memcpy(now + 2 * n, sim->step.s, states * sizeof(double));
    if (propagator->waves.count > 0) ss_waves_now(&propagator->waves, sim->step.t, now + 2 * n);
    if (propagator->columns == propagator->motion) return now;
    memcpy(now + propagator->motion, sim->pulls.constant, n * sizeof(double));
    memcpy(now + (size_t)propagator->motion + n, sim->open.constant, states * sizeof(double));
    return now;
}

void ss_linear_propagator_set_variables(ss_sim* sim, const double y[])
{
    ss_put_state(sim->model, &sim->step, &sim->open, y, y + 2 * sim->model->n);
}

// ---- creation

static bool applies(const ss_model* model, const ss_sim_def* def, const ss_open_run* open_run,
                    const ss_ways* ways)
{
    bool small = model->n <= SS_LINEAR_PROPAGATOR_LARGEST &&
                 model->contact_count <= SS_LINEAR_PROPAGATOR_LARGEST && model->n > 0 &&
                 open_run->states <= SS_LINEAR_PROPAGATOR_LARGEST;
    if (!small || !model->nature.linear || model->drive_count > 0) return false;
    if (ways->stiff) return false; // a linear model whose fastest modes die out at once
    for (int i = 0; i < model->contact_count; i++)
        if (ss_contact_is(&model->contacts[i], SS_TRAIT_RIGID)) return false;
    return isinf(def->escape) && model->bounds.rate > 0.0;
}

static ss_linear_propagator_layout lay_out(const ss_model* model,
                                           const struct ss_linear_propagator* propagator, int states)
{
    size_t n = (size_t)model->n, m = (size_t)model->contact_count, p = (size_t)states;
    int order = propagator->order;
    size_t given = propagator->waves.count > 0 ? (size_t)(order + 1) * (size_t)model->force_count : 0;
    ss_linear_propagator_layout at = {.series = 0};
    at.states = at.series + (size_t)(order - 1) * n;
    at.forces = at.states + (size_t)(order - 1) * p;
    at.functions = at.forces + (size_t)(order - 1) * m;
    at.given = at.functions + (size_t)order * m;
    at.nodes = at.given + given;
    at.values = at.nodes + SS_LINEAR_PROPAGATOR_CELLS * (size_t)propagator->motion;
    at.bends = at.values + (SS_LINEAR_PROPAGATOR_CELLS + 1) * 2 * m;
    at.moved = at.bends + m;
    at.damped = at.moved + n;
    at.gained = at.damped + (size_t)propagator->columns + 1;
    at.height =
        at.gained + (propagator->gains ? (size_t)propagator->columns + 1 : 0) + SS_LINEAR_PROPAGATOR_WIDE - 1;
    return at;
}

// At most `longest` (s). Between the ticks of a controller it is a whole number of cells: a node stands at
// each tick, and at what is written after a delay.
static double length_of_cell(const ss_model* model, double longest)
{
    const ss_open* open = model->open;
    if (!open || open->block_count != 1) return longest;
    double every = open->blocks[0].every, delay = open->blocks[0].delay, least = ceil(every / longest);
    for (int k = 1; k <= SS_LINEAR_PROPAGATOR_CELLS; k++) {
        if (k < least) continue;
        double before = delay * k / every; // cells
        if (fabs(before - round(before)) <= 1e-12 * k) return every / k;
    }
    return longest;
}

void ss_linear_propagator_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    ss_linear_propagator_waves waves;
    sim->ways.propagator = NULL;
    if (!applies(sim->model, &sim->def, &sim->open, &sim->ways) || !ss_waves_find(model, &waves)) return;
    struct ss_linear_propagator* propagator = ss_pool_new(&sim->pool, 1, sizeof *propagator);
    if (!propagator) return;
    propagator->waves = waves;
    double rate = model->bounds.rate + ss_highest_frequency(waves.count, waves.frequency);
    propagator->cell = length_of_cell(model, cell_reach / rate);
    propagator->order = 4;
    while (propagator->order < SS_MAX_ORDER - SS_LINEAR_PROPAGATOR_WIDE &&
           model->bounds.reach[propagator->order] < rate * propagator->cell)
        propagator->order++;
    // What is set or written at an instant changes what is constant until the next one. Where that may be,
    // the constants are variables of the tables, which then serve for all of them.
    bool held = model->open && model->open->input_count + model->open->memory_count > 0;
    propagator->motion = 2 * model->n + sim->open.states + 2 * waves.count;
    propagator->columns = propagator->motion + (held ? model->n + sim->open.states : 0);
    propagator->gains = model->open || waves.count > 0;
    propagator->sum = sum_of[propagator->columns];
    propagator->at = lay_out(model, propagator, sim->open.states);
    propagator->count = 1;
    for (int i = 0; i < model->contact_count; i++) propagator->count *= SS_LINEAR_PROPAGATOR_MODES;
    propagator->tables =
        ss_pool_spare(&sim->pool, (size_t)propagator->count, sizeof(ss_linear_propagator_table));
    // Where bodies follow others, constants depend on where a run starts.
    propagator->own_count = model->body_count == model->n ? 1 : propagator->count;
    size_t size = propagator->at.height * (size_t)(propagator->columns + 1);
    propagator->own = ss_pool_spare(&sim->pool, size * (size_t)propagator->own_count, sizeof(double));
    if (!ss_store_reserve(model->shared, (size_t)propagator->count + 1, size)) sim->pool.failed = true;
    sim->ways.propagator = propagator;
}

void ss_linear_propagator_mark(ss_sim* sim)
{
    static const size_t pointers[] = {
        offsetof(struct ss_linear_propagator, sum), offsetof(struct ss_linear_propagator, tables),
        offsetof(struct ss_linear_propagator, own), offsetof(struct ss_linear_propagator, mode)};
    struct ss_linear_propagator* propagator = sim->ways.propagator;
    if (propagator)
        ss_image_mark_pointers(&sim->image, propagator, 1, sizeof *propagator, pointers,
                               sizeof pointers / sizeof *pointers);
}

static void forget(struct ss_linear_propagator* propagator)
{
    for (int k = 0; k < propagator->count; k++) propagator->tables[k].made = false;
}

void ss_linear_propagator_forget(ss_ways* ways)
{
    if (!ways->propagator) return;
    ways->propagator->cells = 0;
    if (ways->propagator->columns == ways->propagator->motion) forget(ways->propagator);
}

void ss_linear_propagator_reset(ss_sim* sim) { sim->ways.propagator->cells = 0; }

// ---- tables, mode by mode

// Whether the constants that are no variables of the tables are those of the tables kept with the model: the
// first run that asks decides, in the slot after the last table.
static bool shares_constants(const ss_sim* sim)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    size_t n = (size_t)sim->model->n, states = (size_t)sim->open.states, d = sizeof(double);
    size_t slot = (size_t)propagator->count;
    if (propagator->columns > propagator->motion) return true;
    double* first = ss_store_claim(sim->model->shared, slot);
    if (first) {
        memcpy(first, sim->pulls.constant, n * d);
        if (states > 0) memcpy(first + n, sim->open.constant, states * d);
        ss_store_publish(sim->model->shared, slot);
    }
    const double* kept = ss_store_find(sim->model->shared, slot);
    return kept && memcmp(kept, sim->pulls.constant, n * d) == 0 &&
           (states == 0 || memcmp(kept + n, sim->open.constant, states * d) == 0);
}

// Room of this run alone for a table: of each its own, or one for whichever was asked for last.
static double* room_here(struct ss_linear_propagator* propagator, ss_linear_propagator_table* to)
{
    size_t size = propagator->at.height * (size_t)(propagator->columns + 1);
    if (propagator->own_count > 1) return propagator->own + size * (size_t)(to - propagator->tables);
    for (int k = 0; k < propagator->count; k++)
        if (propagator->tables[k].columns == propagator->own) propagator->tables[k].made = false;
    return propagator->own;
}

// Finds the table of the present mode with the model, or makes it for all its runs; for this one alone where
// its constants are others, or another thread is just making it.
static void provide(ss_sim* sim, ss_linear_propagator_table* to)
{
    struct ss_linear_propagator* propagator = sim->ways.propagator;
    ss_store* shared = sim->model->shared;
    size_t slot = (size_t)(to - propagator->tables);
    bool shares = shares_constants(sim);
    to->columns = shares ? ss_store_find(shared, slot) : NULL;
    to->made = to->columns != NULL;
    if (to->made) return;
    double *claimed = shares ? ss_store_claim(shared, slot) : NULL, *room = claimed;
    if (!room) room = room_here(propagator, to);
    ss_linear_propagator_fill(sim, room);
    if (claimed) ss_store_publish(shared, slot);
    to->columns = room;
    to->made = true;
}

ss_linear_propagator_table* ss_linear_propagator_find(ss_sim* sim)
{
    int number = 0;
    for (int i = 0; i < sim->model->contact_count; i++)
        number = SS_LINEAR_PROPAGATOR_MODES * number + (int)sim->modes.contacts[i].mode;
    ss_linear_propagator_table* found = &sim->ways.propagator->tables[number];
    if (found->made) return found;
    // What holds still follows the forces alone, in steps as long as these allow.
    if (sim->ways.propagator->waves.count > 0 && ss_held_rank(&sim->modes) == sim->model->n) return NULL;
    for (int j = 0; j < sim->modes.active_count; j++)
        if (sim->modes.holds[sim->modes.active[j]].singular) return NULL;
    provide(sim, found);
    return found;
}

void ss_linear_propagator_loaded(ss_sim* sim)
{
    struct ss_linear_propagator* propagator = sim->ways.propagator;
    if (!propagator) return;
    propagator->sum = sum_of[propagator->columns];
    forget(propagator);
    if (propagator->mode) provide(sim, propagator->mode);
}
