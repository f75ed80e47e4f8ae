// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings along the strides of a small linear model (flow/coast.c). In one mode the motion is y_k = N_k y +
// g_k after k cells, so that
//
//     dy_k = N_k dy + dN_k y + dg_k
//
// N_k is the table of the run; dN_k and dg_k are tables here, one for each heading and mode: what one cell
// adds to a heading that is 0, for the zero state and for each unit state of the motion, found by the
// recursion of flow.c, then from node to node
//
//     dN_{k+1} = N_1 dN_k + dN_1 N_k,     dg_{k+1} = N_1 dg_k + dN_1 g_k + dg_1
//
// Where values are set or written between instants (inputs, memory), the constant accelerations and rates c
// are variables of the tables of the run, and here, too: with them
//
//     dy_k = N_k dy + G_k dc + dN_k y + dG_k c + dg_k
//
// Not for headings along which what is given in time changes, but for waves (waves.c): that is no function of
// the variables. Where the frequencies of waves change, these have changes of their own, which belong to dy.
//
//   reads    the stride at hand and its table, headings where it began
//   writes   headings where a cell begins, and their series on it
//   promise  the same series as flow.c computes order by order, to rounding
//   cost     two sums over the rows asked for, per heading
#include "engine/flow/coast_tables.h"
#include "engine/flow/coast_waves.h"
#include "engine/variation/variation.h"

#include <string.h>

// Of one heading in one mode: N, G, dN, dG and dg side by side, so that one sum over the columns tells N dy +
// G dc + dN y + dG c + dg. Numbers of friction, say, leave dN and dG as they are: columns of zeros are left
// out.
typedef struct table {
    bool made;
    double* columns; // `own` of N and G, then one for each variable of the run that counts, then one
    int kept;        // of all but the last
    int variable[SS_COAST_COLUMNS]; // for each after the first `own`
    ss_coast_summation* sum;
} table;

struct ss_vary_strides {
    struct ss_coasting* coasting;
    int free;              // unknowns of a heading: 2 n and the states
    int moving;            // with the changes of waves, where there are some
    int own;               // with the constants, where they are variables of the tables
    size_t series, states; // rows: nodes come first, `moving` each, then q[2..order] and s[1..order - 1]
    size_t height;
    table* tables;   // per heading and mode
    double* origin;  // headings where the stride began, and their constants, `own` each
    bool asked;      // the constants are known
    double* scratch; // headings, while tables are made
};

// ---- creation

// Unknowns of a heading, with those of the waves where they change.
static int moving_of(const ss_variation* var, const struct ss_coasting* coasting)
{
    bool turn = false;
    for (int j = 0; j < var->count; j++) turn = turn || ss_vary_waves_turn(&var->headings[j]);
    return turn ? coasting->motion : 2 * var->n + var->ns;
}

// The same with its constants.
static int columns_of(const ss_variation* var, const struct ss_coasting* coasting)
{
    return moving_of(var, coasting) + coasting->columns - coasting->motion;
}

static bool applies(const ss_variation* var, const ss_sim* sim)
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    if (!coasting || !var->kind.linear || var->nd > 0 || var->model->body_count != var->n) return false;
    if (columns_of(var, coasting) + coasting->columns > SS_COAST_COLUMNS) return false;
    for (int i = 0; i < var->nu; i++)
        if (sim->open.varying[i]) return false;
    for (int j = 0; j < var->count; j++) // what else is given in time is no function of the variables
        if (var->headings[j].change && var->headings[j].change->given && !var->headings[j].waves)
            return false;
    return true;
}

static struct ss_vary_strides* allocate(ss_variation* var, const struct ss_coasting* coasting)
{
    struct ss_vary_strides* own = ss_pool_new(&var->pool, 1, sizeof *own);
    if (!own) return NULL;
    size_t count = (size_t)var->count, modes = (size_t)coasting->count, n = (size_t)var->n;
    own->free = 2 * var->n + var->ns;
    own->moving = moving_of(var, coasting);
    own->own = columns_of(var, coasting);
    size_t orders = (size_t)(coasting->order - 1), columns = (size_t)(own->own + coasting->columns + 1);
    own->series = SS_COAST_CELLS * (size_t)own->moving;
    own->states = own->series + orders * n;
    own->height = own->states + orders * (size_t)var->ns + SS_COAST_WIDE - 1;
    own->tables = ss_pool_new(&var->pool, count * modes, sizeof(table));
    own->origin = ss_pool_new(&var->pool, count * (size_t)own->own, sizeof(double));
    own->scratch = ss_pool_new(&var->pool, count * (size_t)own->own, sizeof(double));
    double* room = ss_pool_new(&var->pool, count * modes * columns * own->height, sizeof(double));
    if (var->pool.failed) return NULL;
    for (size_t k = 0; k < count * modes; k++) own->tables[k].columns = room + k * columns * own->height;
    return own;
}

bool ss_vary_take_strides(ss_variation* var, const ss_sim* sim)
{
    struct ss_vary_strides* own = var->ways.strides;
    if (!applies(var, sim)) return false;
    if (!own) own = var->ways.strides = allocate(var, sim->ways.coasting);
    if (!own) return false;
    own->coasting = sim->ways.coasting; // of the same model, and so of the same sizes
    for (int k = 0; k < var->count * own->coasting->count; k++) own->tables[k].made = false;
    return true;
}

// Whether the run at hand takes strides.
static bool strides(const ss_variation* var) { return var->ways.strides && var->sim->ways.coasting; }

// ---- headings as one list of numbers

// At the present time of the run.
static void load(const ss_variation* var, const ss_heading* to, double y[])
{
    const struct ss_vary_strides* own = var->ways.strides;
    memcpy(y, to->q, (size_t)own->free * sizeof(double)); // v and s follow it
    if (own->moving == own->free) return;
    ss_coast_waves* waves = &own->coasting->waves;
    double now[2 * SS_COAST_WAVES];
    ss_waves_now(waves, var->sim->step.t, now);
    ss_vary_waves_changes(to, waves->count, var->sim->step.t, now, y + own->free);
}

static void store(const ss_variation* var, ss_heading* to, const double y[])
{
    memcpy(to->q, y, (size_t)var->ways.strides->free * sizeof(double));
}

static double* part(const ss_variation* var, double* room, int heading)
{
    return room + (size_t)heading * (size_t)var->ways.strides->own;
}

// ---- tables

// What one cell adds to headings that are 0, from column c of the run (the zero state where c is their
// number): every change acts, and of the constants of the run those that are no variables.
static void run_column(ss_variation* var, int c)
{
    const struct ss_vary_strides* own = var->ways.strides;
    struct ss_coasting* coasting = own->coasting;
    ss_sim* sim = var->sim;
    double unit[SS_COAST_COLUMNS] = {0}, end[SS_COAST_MOTION];
    if (c < coasting->columns) unit[c] = 1.0;
    ss_coast_set_variables(sim, unit);
    ss_coast_series(sim, unit);
    for (int j = 0; j < var->count; j++) {
        memset(end, 0, (size_t)own->free * sizeof(double));
        store(var, &var->headings[j], end);
        ss_vary_waves_unit(var, &var->headings[j], c - own->free);
    }
    ss_vary_run_series(var);
    size_t n = (size_t)var->n, ns = (size_t)var->ns, orders = (size_t)(coasting->order - 1);
    int mode = (int)(coasting->mode - coasting->tables);
    for (int j = 0; j < var->count; j++) {
        const ss_heading* to = &var->headings[j];
        double* column =
            own->tables[j * coasting->count + mode].columns + (size_t)(own->own + c) * own->height;
        if (to->lost) continue;
        ss_vary_sum_series(var, to, coasting->cell, end);
        if (own->moving > own->free) { // of the waves where this cell ends, by the table of the run
            const double* run = coasting->mode->columns + (size_t)c * coasting->at.height;
            ss_vary_waves_changes(to, coasting->waves.count, coasting->cell,
                                  run + coasting->at.nodes + own->free, end + own->free);
        }
        memcpy(column, end, (size_t)own->moving * sizeof(double));
        memcpy(column + own->series, to->series_q + 2 * n, orders * n * sizeof(double));
        memcpy(column + own->states, to->series_s + ns, orders * ns * sizeof(double));
    }
}

// Rows of node k + 1 of one column from those of node k. y: the motion there, of this column.
static void next_node(const struct ss_vary_strides* own, double columns[], int c, int k, const double y[])
{
    const struct ss_coasting* coasting = own->coasting;
    const double* run = coasting->mode->columns + coasting->at.nodes;
    double* column = columns + (size_t)c * own->height;
    const double* here = column + (size_t)((k - 1) * own->moving);
    double* next = column + (size_t)(k * own->moving);
    for (int r = 0; r < own->moving; r++) {
        double sum = c >= coasting->motion ? column[r] : 0.0; // dG_1, dg_1
        for (int b = 0; b < own->moving; b++)
            sum += run[(size_t)b * coasting->at.height + (size_t)r] * here[b];
        for (int b = 0; b < coasting->motion; b++) sum += columns[(size_t)b * own->height + (size_t)r] * y[b];
        next[r] = sum;
    }
}

// The columns of N and G, from the table of the run.
static void copy_columns(const ss_variation* var, double columns[])
{
    const struct ss_vary_strides* own = var->ways.strides;
    const struct ss_coasting* coasting = own->coasting;
    size_t orders = (size_t)(coasting->order - 1), d = sizeof(double), moving = (size_t)own->moving;
    for (size_t c = 0; c < (size_t)own->own; c++) {
        size_t of = c < moving ? c : c - moving + (size_t)coasting->motion;
        const double* from = coasting->mode->columns + of * coasting->at.height;
        double* to = columns + c * own->height;
        for (size_t k = 0; k < SS_COAST_CELLS; k++)
            memcpy(to + k * moving, from + coasting->at.nodes + k * (size_t)coasting->motion, moving * d);
        memcpy(to + own->series, from + coasting->at.series, orders * (size_t)var->n * d);
        memcpy(to + own->states, from + coasting->at.states, orders * (size_t)var->ns * d);
    }
}

// The columns were run with every change: each is freed of what the zero state has, and that of what the
// changes of the constants, dc, add by the columns of G.
static void free_columns(const struct ss_vary_strides* own, double columns[], const double dc[])
{
    double *changes = columns + (size_t)own->own * own->height,
           *zero = changes + (size_t)own->coasting->columns * own->height;
    for (int c = 0; c < own->coasting->columns; c++)
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
static void keep_columns(const struct ss_vary_strides* own, table* to)
{
    int count = own->coasting->columns;
    to->kept = own->own;
    for (int c = 0; c <= count; c++) {
        const double* column = to->columns + (size_t)(own->own + c) * own->height;
        if (c < count && is_zero(column, own->height)) continue;
        memmove(to->columns + (size_t)to->kept * own->height, column, own->height * sizeof(double));
        if (c < count) to->variable[to->kept++] = c;
    }
    to->sum = ss_coast_sum_of(to->kept);
}

static void fill_table(const ss_variation* var, int heading, const double dc[])
{
    const struct ss_vary_strides* own = var->ways.strides;
    const struct ss_coasting* coasting = own->coasting;
    table* to = &own->tables[heading * coasting->count + (int)(coasting->mode - coasting->tables)];
    double* changes = to->columns + (size_t)own->own * own->height;
    copy_columns(var, to->columns);
    free_columns(own, to->columns, dc);
    for (int k = 1; k < SS_COAST_CELLS; k++)
        for (int c = 0; c <= coasting->columns; c++) {
            const double* y = coasting->mode->columns + (size_t)c * coasting->at.height + coasting->at.nodes;
            next_node(own, changes, c, k, y + (size_t)((k - 1) * coasting->motion));
        }
    keep_columns(own, to);
    to->made = true;
}

// Makes the tables of the present mode, for all headings. The run and the headings stay as they are.
static void make_tables(ss_variation* var)
{
    const struct ss_vary_strides* own = var->ways.strides;
    struct ss_coasting* coasting = own->coasting;
    ss_sim* sim = var->sim;
    double y[SS_COAST_COLUMNS];
    memcpy(y, ss_coast_variables(sim), (size_t)coasting->columns * sizeof(double));
    for (int j = 0; j < var->count; j++) load(var, &var->headings[j], part(var, own->scratch, j));
    for (int c = 0; c <= coasting->columns; c++) run_column(var, c);
    for (int j = 0; j < var->count; j++) {
        store(var, &var->headings[j], part(var, own->scratch, j));
        ss_given_prepare(var, &var->headings[j]);
        if (!var->headings[j].lost) fill_table(var, j, part(var, own->origin, j) + own->moving);
    }
    ss_coast_set_variables(sim, y);
    ss_coast_series(sim, y);
}

static const table* table_of(ss_variation* var, int heading)
{
    const struct ss_vary_strides* own = var->ways.strides;
    const struct ss_coasting* coasting = own->coasting;
    const table* found = &own->tables[heading * coasting->count + (int)(coasting->mode - coasting->tables)];
    if (!found->made) make_tables(var);
    return found;
}

// ---- use

void ss_vary_origin(ss_variation* var)
{
    if (!strides(var)) return;
    struct ss_vary_strides* own = var->ways.strides;
    for (int j = 0; j < var->count; j++) load(var, &var->headings[j], part(var, own->origin, j));
    own->asked = own->own == own->moving;
}

// How the constants change, once per instant and not before they are needed.
static void ask_constants(ss_variation* var)
{
    struct ss_vary_strides* own = var->ways.strides;
    if (own->asked) return;
    ss_vary_prepare(var);
    for (int j = 0; j < var->count; j++)
        ss_vary_ask_constants(var, &var->headings[j], false, part(var, own->origin, j) + own->moving);
    own->asked = true;
}

// What the columns are multiplied by: a heading with its constants, and the variables of the run that count.
static void fill_factors(const struct ss_vary_strides* own, const table* by, const double heading[],
                         const double y[], double out[])
{
    memcpy(out, heading, (size_t)own->own * sizeof(double));
    for (int c = own->own; c < by->kept; c++) out[c] = y[by->variable[c]];
}

void ss_vary_stride(ss_sim* sim)
{
    ss_variation* var = sim->variation;
    struct ss_vary_strides* own = var->ways.strides;
    if (!strides(var) || own->coasting->entered == 0) return;
    ask_constants(var);
    const struct ss_coasting* coasting = own->coasting;
    size_t k = (size_t)coasting->entered - 1, free = (size_t)own->free;
    double end[SS_COAST_MOTION + SS_COAST_WIDE], all[SS_COAST_COLUMNS];
    for (int j = 0; j < var->count; j++) {
        if (var->headings[j].lost) continue;
        const table* by = table_of(var, j);
        fill_factors(own, by, part(var, own->origin, j), coasting->y, all);
        by->sum(by->columns + k * (size_t)own->moving, own->height, free, all, end);
        store(var, &var->headings[j], end);
    }
    ss_vary_rewind(var);
}

bool ss_vary_strides(const ss_variation* var) { return strides(var) && var->ways.strides->coasting->mode; }

// The same where the cell at hand begins.
static inline void fill_here(const ss_variation* var, const table* by, int heading, double out[])
{
    const struct ss_vary_strides* own = var->ways.strides;
    const double* y = by->kept > own->own ? ss_coast_variables(var->sim) : NULL;
    const double* constants = part(var, own->origin, heading);
    load(var, &var->headings[heading], out);
    for (int c = own->moving; c < own->own; c++) out[c] = constants[c];
    for (int c = own->own; c < by->kept; c++) out[c] = y[by->variable[c]];
}

// The series of a heading on the cell at hand.
static inline void fill_series(const ss_variation* var, const table* by, const double all[], ss_heading* to)
{
    const struct ss_vary_strides* own = var->ways.strides;
    size_t n = (size_t)var->n, ns = (size_t)var->ns, orders = (size_t)(own->coasting->order - 1);
    memcpy(to->series_q, all, 2 * n * sizeof(double));
    by->sum(by->columns + own->series, own->height, orders * n, all, to->series_q + 2 * n);
    if (ns == 0) return;
    memcpy(to->series_s, all + 2 * n, ns * sizeof(double));
    by->sum(by->columns + own->states, own->height, orders * ns, all, to->series_s + ns);
}

bool ss_vary_stride_series(ss_variation* var)
{
    if (!ss_vary_strides(var)) return false;
    ask_constants(var);
    double all[SS_COAST_COLUMNS];
    for (int j = 0; j < var->count; j++) {
        if (var->headings[j].lost) continue;
        const table* by = table_of(var, j);
        fill_here(var, by, j, all);
        fill_series(var, by, all, &var->headings[j]);
    }
    var->along.has_series = true;
    return true;
}

bool ss_vary_stride_end(ss_variation* var, double s)
{
    if (!ss_vary_strides(var)) return false;
    ask_constants(var);
    const struct ss_vary_strides* own = var->ways.strides;
    size_t free = (size_t)own->free;
    double end[SS_COAST_MOTION + SS_COAST_WIDE], all[SS_COAST_COLUMNS];
    for (int j = 0; j < var->count; j++) {
        ss_heading* to = &var->headings[j];
        if (to->lost) continue;
        const table* by = table_of(var, j);
        fill_here(var, by, j, all);
        if (s == own->coasting->cell) { // a node
            by->sum(by->columns, own->height, free, all, end);
            memcpy(to->end, end, free * sizeof(double));
        } else {
            fill_series(var, by, all, to);
            ss_vary_sum_series(var, to, s, to->end);
        }
    }
    return true;
}
