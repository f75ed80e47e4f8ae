// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities along the long steps of a small linear model (flow/linear_propagator.c). In one mode the
// motion is y_k = N_k y + g_k after k cells, so that
//
//     dy_k = N_k dy + dN_k y + dg_k
//
// N_k is the table of the run; dN_k and dg_k are tables here, one for each sensitivity and mode: what one
// cell adds to a sensitivity that is 0, for the zero state and for each unit state of the motion, found by
// the recursion of sensitivity_flow.c, then from node to node
//
//     dN_{k+1} = N_1 dN_k + dN_1 N_k,     dg_{k+1} = N_1 dg_k + dN_1 g_k + dg_1
//
// Where values are set or written between instants (inputs, memory), the constant accelerations and rates c
// are variables of the tables of the run, and here, too: with them
//
//     dy_k = N_k dy + G_k dc + dN_k y + dG_k c + dg_k
//
// Not for sensitivities along which what is given in time changes, but for waves (harmonic_change.c): that is
// no function of the variables. Where the frequencies of waves change, these have changes of their own, which
// belong to dy.
//
//   reads    the long step at hand and its table, sensitivities where it began
//   writes   sensitivities where a cell begins, and their series on it
//   promise  the same series as sensitivity_flow.c computes order by order, to rounding
//   cost     two sums over the rows asked for, per sensitivity
#include "engine/flow/linear/linear_propagator_tables.h"
#include "engine/flow/linear/linear_propagator_waves.h"
#include "engine/sensitivity/sensitivity.h"

#include <string.h>

// Of one sensitivity in one mode: N, G, dN, dG and dg side by side, so that one sum over the columns tells N
// dy + G dc + dN y + dG c + dg. Numbers of friction, say, leave dN and dG as they are: columns of zeros are
// left out.
typedef struct table {
    bool made;
    double* columns; // `own` of N and G, then one for each variable of the run that counts, then one
    int kept;        // of all but the last
    int variable[SS_LINEAR_PROPAGATOR_COLUMNS]; // for each after the first `own`
    ss_linear_propagator_summation* sum;
} table;

struct ss_sensitivity_propagator {
    struct ss_linear_propagator* propagator;
    int free;              // unknowns of a sensitivity: 2 n and the states
    int moving;            // with the changes of waves, where there are some
    int own;               // with the constants, where they are variables of the tables
    size_t series, states; // rows: nodes come first, `moving` each, then q[2..order] and s[1..order - 1]
    size_t height;
    table* tables;   // per sensitivity and mode
    double* origin;  // sensitivities where the long step began, and their constants, `own` each
    bool asked;      // the constants are known
    double* scratch; // sensitivities, while tables are made
};

// ---- creation

// Unknowns of a sensitivity, with those of the waves where they change.
static int moving_of(const ss_derivative* der, const struct ss_linear_propagator* propagator)
{
    bool turn = false;
    for (int j = 0; j < der->count; j++) turn = turn || ss_harmonic_change_turn(&der->sensitivities[j]);
    return turn ? propagator->motion : 2 * der->n + der->ns;
}

// The same with its constants.
static int columns_of(const ss_derivative* der, const struct ss_linear_propagator* propagator)
{
    return moving_of(der, propagator) + propagator->columns - propagator->motion;
}

static bool applies(const ss_derivative* der, const ss_open_run* open_run, const ss_ways* ways)
{
    const struct ss_linear_propagator* propagator = ways->propagator;
    if (!propagator || !der->kind.linear || der->nd > 0 || der->model->body_count != der->n) return false;
    if (columns_of(der, propagator) + propagator->columns > SS_LINEAR_PROPAGATOR_COLUMNS) return false;
    for (int i = 0; i < der->nu; i++)
        if (open_run->varying[i]) return false;
    for (int j = 0; j < der->count; j++) // what else is given in time is no function of the variables
        if (der->sensitivities[j].change && der->sensitivities[j].change->given &&
            !der->sensitivities[j].waves)
            return false;
    return true;
}

static struct ss_sensitivity_propagator* allocate(ss_derivative* der,
                                                  const struct ss_linear_propagator* propagator)
{
    struct ss_sensitivity_propagator* own = ss_pool_new(&der->pool, 1, sizeof *own);
    if (!own) return NULL;
    size_t count = (size_t)der->count, modes = (size_t)propagator->count, n = (size_t)der->n;
    own->free = 2 * der->n + der->ns;
    own->moving = moving_of(der, propagator);
    own->own = columns_of(der, propagator);
    size_t orders = (size_t)(propagator->order - 1), columns = (size_t)(own->own + propagator->columns + 1);
    own->series = SS_LINEAR_PROPAGATOR_CELLS * (size_t)own->moving;
    own->states = own->series + orders * n;
    own->height = own->states + orders * (size_t)der->ns + SS_LINEAR_PROPAGATOR_WIDE - 1;
    own->tables = ss_pool_new(&der->pool, count * modes, sizeof(table));
    own->origin = ss_pool_new(&der->pool, count * (size_t)own->own, sizeof(double));
    own->scratch = ss_pool_new(&der->pool, count * (size_t)own->own, sizeof(double));
    double* room = ss_pool_new(&der->pool, count * modes * columns * own->height, sizeof(double));
    if (der->pool.failed) return NULL;
    for (size_t k = 0; k < count * modes; k++) own->tables[k].columns = room + k * columns * own->height;
    return own;
}

bool ss_sensitivity_take_propagator(ss_derivative* der, const ss_sim* sim)
{
    struct ss_sensitivity_propagator* own = der->ways.long_steps;
    if (!applies(der, &sim->open, &sim->ways)) return false;
    if (!own) own = der->ways.long_steps = allocate(der, sim->ways.propagator);
    if (!own) return false;
    own->propagator = sim->ways.propagator; // of the same model, and so of the same sizes
    for (int k = 0; k < der->count * own->propagator->count; k++) own->tables[k].made = false;
    return true;
}

// Whether the run at hand takes long steps.
static bool long_steps(const ss_derivative* der) { return der->ways.long_steps && der->sim->ways.propagator; }

// ---- sensitivities as one list of numbers

// At the present time of the run.
static void load(const ss_derivative* der, const ss_sensitivity* to, double y[])
{
    const struct ss_sensitivity_propagator* own = der->ways.long_steps;
    memcpy(y, to->q, (size_t)own->free * sizeof(double)); // v and s follow it
    if (own->moving == own->free) return;
    ss_linear_propagator_waves* waves = &own->propagator->waves;
    double now[2 * SS_LINEAR_PROPAGATOR_WAVES];
    ss_waves_now(waves, der->sim->step.t, now);
    ss_harmonic_change_changes(to, waves->count, der->sim->step.t, now, y + own->free);
}

static void store(const ss_derivative* der, ss_sensitivity* to, const double y[])
{
    memcpy(to->q, y, (size_t)der->ways.long_steps->free * sizeof(double));
}

static double* part(const ss_derivative* der, double* room, int sensitivity)
{
    return room + (size_t)sensitivity * (size_t)der->ways.long_steps->own;
}

// ---- tables

// What one cell adds to sensitivities that are 0, from column c of the run (the zero state where c is their
// number): every change acts, and of the constants of the run those that are no variables.
static void run_column(ss_derivative* der, int c)
{
    const struct ss_sensitivity_propagator* own = der->ways.long_steps;
    struct ss_linear_propagator* propagator = own->propagator;
    ss_sim* sim = der->sim;
    double unit[SS_LINEAR_PROPAGATOR_COLUMNS] = {0}, end[SS_LINEAR_PROPAGATOR_MOTION];
    if (c < propagator->columns) unit[c] = 1.0;
    ss_linear_propagator_set_variables(sim, unit);
    ss_linear_propagator_series(sim, unit);
    for (int j = 0; j < der->count; j++) {
        memset(end, 0, (size_t)own->free * sizeof(double));
        store(der, &der->sensitivities[j], end);
        ss_harmonic_change_unit(der, &der->sensitivities[j], c - own->free);
    }
    ss_sensitivity_run_series(der);
    size_t n = (size_t)der->n, ns = (size_t)der->ns, orders = (size_t)(propagator->order - 1);
    int mode = (int)(propagator->mode - propagator->tables);
    for (int j = 0; j < der->count; j++) {
        const ss_sensitivity* to = &der->sensitivities[j];
        double* column =
            own->tables[j * propagator->count + mode].columns + (size_t)(own->own + c) * own->height;
        if (to->lost) continue;
        ss_sensitivity_sum_series(der, to, propagator->cell, end);
        if (own->moving > own->free) { // of the waves where this cell ends, by the table of the run
            const double* run = propagator->mode->columns + (size_t)c * propagator->at.height;
            ss_harmonic_change_changes(to, propagator->waves.count, propagator->cell,
                                       run + propagator->at.nodes + own->free, end + own->free);
        }
        memcpy(column, end, (size_t)own->moving * sizeof(double));
        memcpy(column + own->series, to->series_q + 2 * n, orders * n * sizeof(double));
        memcpy(column + own->states, to->series_s + ns, orders * ns * sizeof(double));
    }
}

// Rows of node k + 1 of one column from those of node k. y: the motion there, of this column.
static void next_node(const struct ss_sensitivity_propagator* own, double columns[], int c, int k,
                      const double y[])
{
    const struct ss_linear_propagator* propagator = own->propagator;
    const double* run = propagator->mode->columns + propagator->at.nodes;
    double* column = columns + (size_t)c * own->height;
    const double* here = column + (size_t)((k - 1) * own->moving);
    double* next = column + (size_t)(k * own->moving);
    for (int r = 0; r < own->moving; r++) {
        double sum = c >= propagator->motion ? column[r] : 0.0; // dG_1, dg_1
        for (int b = 0; b < own->moving; b++)
            sum += run[(size_t)b * propagator->at.height + (size_t)r] * here[b];
        for (int b = 0; b < propagator->motion; b++)
            sum += columns[(size_t)b * own->height + (size_t)r] * y[b];
        next[r] = sum;
    }
}

// The columns of N and G, from the table of the run.
static void copy_columns(const ss_derivative* der, double columns[])
{
    const struct ss_sensitivity_propagator* own = der->ways.long_steps;
    const struct ss_linear_propagator* propagator = own->propagator;
    size_t orders = (size_t)(propagator->order - 1), d = sizeof(double), moving = (size_t)own->moving;
    for (size_t c = 0; c < (size_t)own->own; c++) {
        size_t of = c < moving ? c : c - moving + (size_t)propagator->motion;
        const double* from = propagator->mode->columns + of * propagator->at.height;
        double* to = columns + c * own->height;
        for (size_t k = 0; k < SS_LINEAR_PROPAGATOR_CELLS; k++)
            memcpy(to + k * moving, from + propagator->at.nodes + k * (size_t)propagator->motion, moving * d);
        memcpy(to + own->series, from + propagator->at.series, orders * (size_t)der->n * d);
        memcpy(to + own->states, from + propagator->at.states, orders * (size_t)der->ns * d);
    }
}

// The columns were run with every change: each is freed of what the zero state has, and that of what the
// changes of the constants, dc, add by the columns of G.
static void free_columns(const struct ss_sensitivity_propagator* own, double columns[], const double dc[])
{
    double *changes = columns + (size_t)own->own * own->height,
           *zero = changes + (size_t)own->propagator->columns * own->height;
    for (int c = 0; c < own->propagator->columns; c++)
        for (size_t r = 0; r < own->height; r++) changes[(size_t)c * own->height + r] -= zero[r];
    for (int c = own->moving; c < own->own; c++)
        for (size_t r = 0; r < own->height; r++)
            zero[r] -= columns[(size_t)c * own->height + r] * dc[c - own->moving];
}

static bool is_zero(const double column[], size_t height)
{
    for (size_t r = 0; r < height; r++)
        if (column[r] != 0.0) return false;
    return true;
}

// Leaves out the columns of zeros.
static void keep_columns(const struct ss_sensitivity_propagator* own, table* to)
{
    int count = own->propagator->columns;
    to->kept = own->own;
    for (int c = 0; c <= count; c++) {
        const double* column = to->columns + (size_t)(own->own + c) * own->height;
        if (c < count && is_zero(column, own->height)) continue;
        memmove(to->columns + (size_t)to->kept * own->height, column, own->height * sizeof(double));
        if (c < count) to->variable[to->kept++] = c;
    }
    to->sum = ss_linear_propagator_sum_of(to->kept);
}

static void fill_table(const ss_derivative* der, int sensitivity, const double dc[])
{
    const struct ss_sensitivity_propagator* own = der->ways.long_steps;
    const struct ss_linear_propagator* propagator = own->propagator;
    table* to = &own->tables[sensitivity * propagator->count + (int)(propagator->mode - propagator->tables)];
    double* changes = to->columns + (size_t)own->own * own->height;
    copy_columns(der, to->columns);
    free_columns(own, to->columns, dc);
    for (int k = 1; k < SS_LINEAR_PROPAGATOR_CELLS; k++)
        for (int c = 0; c <= propagator->columns; c++) {
            const double* y =
                propagator->mode->columns + (size_t)c * propagator->at.height + propagator->at.nodes;
            next_node(own, changes, c, k, y + (size_t)((k - 1) * propagator->motion));
        }
    keep_columns(own, to);
    to->made = true;
}

// Makes the tables of the present mode, for all sensitivities. The run and the sensitivities stay as they
// are.
static void make_tables(ss_derivative* der)
{
    const struct ss_sensitivity_propagator* own = der->ways.long_steps;
    struct ss_linear_propagator* propagator = own->propagator;
    ss_sim* sim = der->sim;
    double y[SS_LINEAR_PROPAGATOR_COLUMNS];
    memcpy(y, ss_linear_propagator_variables(sim), (size_t)propagator->columns * sizeof(double));
    for (int j = 0; j < der->count; j++) load(der, &der->sensitivities[j], part(der, own->scratch, j));
    for (int c = 0; c <= propagator->columns; c++) run_column(der, c);
    for (int j = 0; j < der->count; j++) {
        store(der, &der->sensitivities[j], part(der, own->scratch, j));
        ss_given_prepare(der, &der->sensitivities[j]);
        if (!der->sensitivities[j].lost) fill_table(der, j, part(der, own->origin, j) + own->moving);
    }
    ss_linear_propagator_set_variables(sim, y);
    ss_linear_propagator_series(sim, y);
}

static const table* table_of(ss_derivative* der, int sensitivity)
{
    const struct ss_sensitivity_propagator* own = der->ways.long_steps;
    const struct ss_linear_propagator* propagator = own->propagator;
    const table* found =
        &own->tables[sensitivity * propagator->count + (int)(propagator->mode - propagator->tables)];
    if (!found->made) make_tables(der);
    return found;
}

// ---- use

void ss_sensitivity_origin(ss_derivative* der)
{
    if (!long_steps(der)) return;
    struct ss_sensitivity_propagator* own = der->ways.long_steps;
    for (int j = 0; j < der->count; j++) load(der, &der->sensitivities[j], part(der, own->origin, j));
    own->asked = own->own == own->moving;
}

// How the constants change, once per instant and not before they are needed.
static void ask_constants(ss_derivative* der)
{
    struct ss_sensitivity_propagator* own = der->ways.long_steps;
    if (own->asked) return;
    ss_sensitivity_prepare(der);
    for (int j = 0; j < der->count; j++)
        ss_sensitivity_ask_constants(der, &der->sensitivities[j], part(der, own->origin, j) + own->moving);
    own->asked = true;
}

// What the columns are multiplied by: a sensitivity with its constants, and the variables of the run that
// count.
static void fill_factors(const struct ss_sensitivity_propagator* own, const table* by,
                         const double sensitivity[], const double y[], double out[])
{
    memcpy(out, sensitivity, (size_t)own->own * sizeof(double));
    for (int c = own->own; c < by->kept; c++) out[c] = y[by->variable[c]];
}

void ss_sensitivity_propagate(ss_sim* sim)
{
    ss_derivative* der = sim->derivative;
    struct ss_sensitivity_propagator* own = der->ways.long_steps;
    if (!long_steps(der) || own->propagator->entered == 0) return;
    ask_constants(der);
    const struct ss_linear_propagator* propagator = own->propagator;
    size_t k = (size_t)propagator->entered - 1, free = (size_t)own->free;
    double end[SS_LINEAR_PROPAGATOR_MOTION + SS_LINEAR_PROPAGATOR_WIDE], all[SS_LINEAR_PROPAGATOR_COLUMNS];
    for (int j = 0; j < der->count; j++) {
        if (der->sensitivities[j].lost) continue;
        const table* by = table_of(der, j);
        fill_factors(own, by, part(der, own->origin, j), propagator->y, all);
        by->sum(by->columns + k * (size_t)own->moving, own->height, free, all, end);
        store(der, &der->sensitivities[j], end);
    }
    ss_sensitivity_rewind(der);
}

bool ss_sensitivity_propagator(const ss_derivative* der)
{
    return long_steps(der) && der->ways.long_steps->propagator->mode;
}

// The same where the cell at hand begins.
static inline void fill_here(const ss_derivative* der, const table* by, int sensitivity, double out[])
{
    const struct ss_sensitivity_propagator* own = der->ways.long_steps;
    const double* y = by->kept > own->own ? ss_linear_propagator_variables(der->sim) : NULL;
    const double* constants = part(der, own->origin, sensitivity);
    load(der, &der->sensitivities[sensitivity], out);
    for (int c = own->moving; c < own->own; c++) out[c] = constants[c];
    for (int c = own->own; c < by->kept; c++) out[c] = y[by->variable[c]];
}

// The series of a sensitivity on the cell at hand.
static inline void fill_series(const ss_derivative* der, const table* by, const double all[],
                               ss_sensitivity* to)
{
    const struct ss_sensitivity_propagator* own = der->ways.long_steps;
    size_t n = (size_t)der->n, ns = (size_t)der->ns, orders = (size_t)(own->propagator->order - 1);
    memcpy(to->series_q, all, 2 * n * sizeof(double));
    by->sum(by->columns + own->series, own->height, orders * n, all, to->series_q + 2 * n);
    if (ns == 0) return;
    memcpy(to->series_s, all + 2 * n, ns * sizeof(double));
    by->sum(by->columns + own->states, own->height, orders * ns, all, to->series_s + ns);
}

bool ss_sensitivity_propagator_series(ss_derivative* der)
{
    if (!ss_sensitivity_propagator(der)) return false;
    ask_constants(der);
    double all[SS_LINEAR_PROPAGATOR_COLUMNS];
    for (int j = 0; j < der->count; j++) {
        if (der->sensitivities[j].lost) continue;
        const table* by = table_of(der, j);
        fill_here(der, by, j, all);
        fill_series(der, by, all, &der->sensitivities[j]);
    }
    der->along.has_series = true;
    return true;
}

bool ss_sensitivity_propagator_end(ss_derivative* der, double s)
{
    if (!ss_sensitivity_propagator(der)) return false;
    ask_constants(der);
    const struct ss_sensitivity_propagator* own = der->ways.long_steps;
    size_t free = (size_t)own->free;
    double end[SS_LINEAR_PROPAGATOR_MOTION + SS_LINEAR_PROPAGATOR_WIDE], all[SS_LINEAR_PROPAGATOR_COLUMNS];
    for (int j = 0; j < der->count; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        if (to->lost) continue;
        const table* by = table_of(der, j);
        fill_here(der, by, j, all);
        if (s == own->propagator->cell) { // a node
            by->sum(by->columns, own->height, free, all, end);
            memcpy(to->end, end, free * sizeof(double));
        } else {
            fill_series(der, by, all, to);
            ss_sensitivity_sum_series(der, to, s, to->end);
        }
    }
    return true;
}
