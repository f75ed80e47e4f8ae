// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Tables of a model that has a propagator: how they are laid out, made mode by mode, kept and forgotten.
#include "engine/flow/linear/linear_propagator_tables.h"
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

static void set_constants(const ss_model* model, const ss_pulls* acting, const ss_open_run* open_run,
                          const double accelerations[], const double rates[])
{
    memcpy(acting->constant, accelerations, (size_t)model->n * sizeof(double));
    memcpy(open_run->constant, rates, (size_t)open_run->states * sizeof(double));
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
    double rate = model->bounds.rate + ss_waves_rate(&waves);
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
    size_t size = propagator->at.height * (size_t)(propagator->columns + 1);
    propagator->made_for = ss_pool_spare(&sim->pool, (size_t)(model->n + sim->open.states), sizeof(double));
    propagator->tables =
        ss_pool_spare(&sim->pool, (size_t)propagator->count, sizeof(ss_linear_propagator_table));
    // One piece, of which the pages that are never written cost nothing.
    double* store = ss_pool_spare(&sim->pool, size * (size_t)propagator->count, sizeof(double));
    for (int k = 0; k < propagator->count && propagator->tables && store; k++)
        propagator->tables[k].columns = store + size * (size_t)k;
    sim->ways.propagator = propagator;
}

void ss_linear_propagator_mark(ss_sim* sim)
{
    static const size_t pointers[] = {
        offsetof(struct ss_linear_propagator, sum), offsetof(struct ss_linear_propagator, tables),
        offsetof(struct ss_linear_propagator, made_for), offsetof(struct ss_linear_propagator, mode)};
    struct ss_linear_propagator* propagator = sim->ways.propagator;
    if (propagator)
        ss_image_mark_pointers(&sim->image, propagator, 1, sizeof *propagator, pointers,
                               sizeof pointers / sizeof *pointers);
}

void ss_linear_propagator_forget(ss_ways* ways)
{
    if (!ways->propagator) return;
    ways->propagator->cells = 0;
    if (ways->propagator->columns > ways->propagator->motion) return;
    for (int k = 0; k < ways->propagator->count; k++) ways->propagator->tables[k].made = false;
}

// The tables that the run has made before stay, if the constant forces are still theirs.
void ss_linear_propagator_loaded(ss_sim* sim)
{
    struct ss_linear_propagator* propagator = sim->ways.propagator;
    if (!propagator) return;
    propagator->sum = sum_of[propagator->columns];
    if (propagator->columns > propagator->motion) return;
    size_t n = (size_t)sim->model->n, states = (size_t)sim->open.states, d = sizeof(double);
    if (memcmp(propagator->made_for, sim->pulls.constant, n * d) == 0 &&
        (states == 0 || memcmp(propagator->made_for + n, sim->open.constant, states * d) == 0))
        return;
    for (int k = 0; k < propagator->count; k++) propagator->tables[k].made = false;
}

void ss_linear_propagator_reset(ss_sim* sim) { sim->ways.propagator->cells = 0; }

// ---- tables

double ss_linear_propagator_sign(const ss_modes* modes, int i)
{
    ss_mode mode = modes->contacts[i].mode;
    return mode == SS_MODE_SLIP_PLUS ? 1.0 : mode == SS_MODE_SLIP_MINUS ? -1.0 : 0.0;
}

// Event function of contact i along the present series: coefficient k.
static double function_coefficient(const ss_sim* sim, int i, int k)
{
    double sign = ss_linear_propagator_sign(&sim->modes, i);
    if (sign != 0.0) return sign * ss_relative_velocity(sim->model, &sim->step, i, k);
    if (k > sim->ways.propagator->order - 2) return 0.0; // forces are known up to here
    return sim->step.lambda[(size_t)k * (size_t)sim->model->contact_count + (size_t)i];
}

// The series of column c: see fill. The last one takes all forces, with the means of those that vary.
static void run_series(ss_sim* sim, int c)
{
    int motion = sim->ways.propagator->motion, unit = c >= motion ? 1 + c - motion : 0;
    int wave = sim->ways.propagator->waves.count > 0 ? c - 2 * sim->model->n : -1;
    if (wave >= 0) {
        ss_waves_give(sim->model, &sim->inputs, &sim->ways, c < motion ? wave : -1);
        unit = SS_UNIT_INPUTS;
    }
    for (int k = 0; k <= sim->ways.propagator->order - 2; k++) {
        if (c < sim->ways.propagator->columns)
            ss_respond(sim, k, unit);
        else
            ss_accelerate(sim, k);
    }
}

// Rows of column c that belong to its start, and the node after one cell, from the state in sim->step.q.
static void fill_start(ss_sim* sim, int c, double column[], ss_linear_propagator_works* works)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    int n = sim->model->n, m = sim->model->contact_count, order = propagator->order;
    size_t count = (size_t)(order - 1), states = (size_t)sim->open.states;
    run_series(sim, c);
    memcpy(column + propagator->at.series, sim->step.q + 2 * n, count * (size_t)n * sizeof(double));
    memcpy(column + propagator->at.states, sim->step.s + states, count * states * sizeof(double));
    memcpy(column + propagator->at.forces, sim->step.lambda, count * (size_t)m * sizeof(double));
    double* function = column + propagator->at.functions;
    for (int i = 0; i < m; i++) {
        double power = 1.0;
        for (int k = 0; k < order; k++, power *= propagator->cell)
            *function++ = function_coefficient(sim, i, k) * power;
    }
    sim->step.order = order;
    ss_linear_propagator_look(sim, c, column, works);
    ss_advance_state(sim->model, &sim->step, &sim->open, &sim->work, propagator->cell);
    double* node = column + propagator->at.nodes;
    memcpy(node, sim->step.q, 2 * (size_t)n * sizeof(double));
    memcpy(node + 2 * n, sim->step.s, states * sizeof(double));
    if (propagator->waves.count > 0) ss_waves_fill(sim->model, &sim->inputs, &sim->ways, c - 2 * n, column);
}

// Rows [first, first + rows) for the motion variables y, by the columns of these; `own` is added, where the
// column at hand has a force that acts on and on (NULL: it has none).
static inline void combine_motion(const struct ss_linear_propagator* propagator, const double columns[],
                                  const double own[], size_t first, size_t rows, const double y[],
                                  double out[])
{
    for (size_t r = 0; r < rows; r++) out[r] = own ? own[first + r] : 0.0;
    for (int b = 0; b < propagator->motion; b++) {
        const double* column = columns + (size_t)b * propagator->at.height + first;
        for (size_t r = 0; r < rows; r++) out[r] += column[r] * y[b];
    }
}

// What a column says of the event functions at its node j, given their coefficients times cell^k there. The
// fourth derivative is at most the sum of |coefficient k| times fourth[k], k (k - 1) (k - 2) (k - 3) /
// cell^4.
static inline void fill_node(const struct ss_linear_propagator* propagator, int m, int j,
                             const double functions[], const double fourth[], double column[])
{
    int order = propagator->order;
    for (int i = 0; i < m; i++, functions += order) {
        double bend = 0.0, *most = &column[propagator->at.bends + (size_t)i];
        for (int k = 4; k <= order - 2; k++) bend += fourth[k] * fabs(functions[k]);
        if (j < SS_LINEAR_PROPAGATOR_CELLS && !(bend <= *most)) *most = bend;
        column[propagator->at.values + (size_t)(2 * j * m + i)] = functions[0];
        column[propagator->at.values + (size_t)((2 * j + 1) * m + i)] = functions[1] / 3.0;
    }
}

// Rows of column c at all nodes. The flow is linear: what a node makes of the functions and of the next node
// is what the starts of the columns make of them, weighted by the state there.
SS_WIDE static void fill_nodes(const struct ss_linear_propagator* propagator, int m, int c, double columns[])
{
    double* column = columns + (size_t)c * propagator->at.height;
    const double* own = c >= propagator->motion ? column : NULL;
    size_t motion = (size_t)propagator->motion, rows = (size_t)m * (size_t)propagator->order;
    double functions[SS_LINEAR_PROPAGATOR_LARGEST * SS_MAX_ORDER], fourth[SS_MAX_ORDER];
    double square = propagator->cell * propagator->cell;
    for (int k = 0; k < propagator->order; k++)
        fourth[k] = k * (k - 1) * (k - 2) * (k - 3) / (square * square);
    for (int i = 0; i < m; i++) column[propagator->at.bends + (size_t)i] = 0.0;
    fill_node(propagator, m, 0, column + propagator->at.functions, fourth, column);
    for (int j = 1; j <= SS_LINEAR_PROPAGATOR_CELLS; j++) {
        double* y = column + propagator->at.nodes + (size_t)(j - 1) * motion;
        combine_motion(propagator, columns, own, propagator->at.functions, rows, y, functions);
        fill_node(propagator, m, j, functions, fourth, column);
        if (j < SS_LINEAR_PROPAGATOR_CELLS)
            combine_motion(propagator, columns, own, propagator->at.nodes, motion, y, y + motion);
    }
}

// The constant part comes from the zero state, the column of a variable from its unit state with all constant
// forces left out: so mirrored modes have mirrored tables, to the bit. What a table says depends on nothing
// but the mode, and so does a motion that uses it.
void ss_linear_propagator_fill(ss_sim* sim, ss_linear_propagator_table* to)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    int columns = propagator->columns, motion = propagator->motion, order = sim->step.order;
    size_t n = (size_t)sim->model->n, states = (size_t)sim->open.states;
    double state[SS_LINEAR_PROPAGATOR_COLUMNS], zero[SS_LINEAR_PROPAGATOR_COLUMNS] = {0};
    ss_linear_propagator_works works;
    ss_linear_propagator_begin_works(sim->model, &sim->open, &sim->ways, &works);
    memcpy(state, ss_linear_propagator_variables(sim), sizeof(double) * (size_t)columns);
    for (int c = 0; c <= columns; c++) {
        double unit[SS_LINEAR_PROPAGATOR_COLUMNS] = {0};
        if (c < motion) unit[c] = 1.0;
        ss_linear_propagator_set_variables(sim, unit);
        memset(sim->step.lambda, 0,
               sizeof(double) * (size_t)(propagator->order - 1) * (size_t)sim->model->contact_count);
        if (c == columns && columns > motion)
            set_constants(sim->model, &sim->pulls, &sim->open, zero, zero); // friction alone
        fill_start(sim, c, to->columns + (size_t)c * propagator->at.height, &works);
    }
    ss_linear_propagator_fill_works(sim->model, &sim->ways, &works, to->columns);
    for (int c = 0; c <= columns; c++) fill_nodes(propagator, sim->model->contact_count, c, to->columns);
    ss_linear_propagator_set_variables(sim, state);
    if (columns > motion)
        set_constants(sim->model, &sim->pulls, &sim->open, state + motion, state + (size_t)motion + n);
    sim->step.order = order;
    memcpy(propagator->made_for, sim->pulls.constant, n * sizeof(double));
    if (states > 0) memcpy(propagator->made_for + n, sim->open.constant, states * sizeof(double));
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
    ss_linear_propagator_fill(sim, found);
    return found;
}
