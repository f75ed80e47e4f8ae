// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Tables of the linear flow. In one mode of a steady linear model every coefficient of the series is an
// affine function of the state (q, q') at the start of the step. For small models these functions are kept,
// mode by mode, and a step is a few multiplications of whole columns instead of a recursion.
#include "flow/sim.h"

#include <string.h>

enum {
    LARGEST = 8, // coordinates and contacts of a model that uses tables
    ORDER = SS_MAX_ORDER - 4,
    MEMORY = 1 << 20, // bytes that all tables of a run may take
    MOST = 64
};

// Columns: one per state variable and one for the constant part; rows: q[0..ORDER], then lambda[0..ORDER -
// 2].
typedef struct ss_table {
    unsigned char modes[LARGEST];
    double* columns;
} ss_table;

struct ss_tables {
    int count, room, next;
    size_t q_size, lambda_size, height; // doubles per column
    ss_table table[MOST];
};

static bool applies(const ss_model* model)
{
    bool small = model->n <= LARGEST && model->contact_count <= LARGEST && model->n > 0;
    return small && model->linear && model->steady && model->drive_count == 0;
}

void ss_tables_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    sim->tables = NULL;
    if (!applies(model)) return;
    struct ss_tables* tables = ss_pool_new(&sim->pool, 1, sizeof *tables);
    if (!tables) return;
    tables->q_size = (size_t)(ORDER + 1) * (size_t)model->n;
    tables->lambda_size = (size_t)(ORDER - 1) * (size_t)model->contact_count;
    tables->height = tables->q_size + tables->lambda_size;
    size_t size = tables->height * (size_t)(2 * model->n + 1);
    size_t room = MEMORY / (size * sizeof(double));
    tables->room = room > MOST ? MOST : (int)room;
    for (int k = 0; k < tables->room; k++)
        tables->table[k].columns = ss_pool_new(&sim->pool, size, sizeof(double));
    sim->tables = tables;
}

static bool has_mode(const ss_sim* sim, const ss_table* table)
{
    for (int i = 0; i < sim->model->contact_count; i++)
        if (table->modes[i] != (unsigned char)sim->contacts[i].mode) return false;
    return true;
}

static void run_recursion(ss_sim* sim)
{
    for (int k = 0; k <= ORDER - 2; k++) {
        ss_free_acceleration(sim, k);
        for (int j = 0; j < sim->active_count; j++) ss_apply_hold(sim, sim->active[j], k);
        ss_store_acceleration(sim, k);
    }
}

// Fills one table by running the recursion from the zero state and from every unit state.
static void fill(ss_sim* sim, ss_table* table)
{
    const struct ss_tables* tables = sim->tables;
    int n = sim->model->n, m = sim->model->contact_count;
    double state[2 * LARGEST];
    memcpy(state, sim->q, 2 * (size_t)n * sizeof(double));
    const double* constant = table->columns + (size_t)(2 * n) * tables->height;
    for (int c = 2 * n; c >= 0; c--) {
        double* column = table->columns + (size_t)c * tables->height;
        memset(sim->q, 0, 2 * (size_t)n * sizeof(double));
        memset(sim->lambda, 0, tables->lambda_size * sizeof(double));
        if (c < 2 * n) sim->q[c] = 1.0;
        run_recursion(sim);
        memcpy(column, sim->q, tables->q_size * sizeof(double));
        memcpy(column + tables->q_size, sim->lambda, tables->lambda_size * sizeof(double));
        for (size_t r = 0; r < tables->height && c < 2 * n; r++) column[r] -= constant[r];
    }
    memcpy(sim->q, state, 2 * (size_t)n * sizeof(double));
    for (int i = 0; i < m; i++) table->modes[i] = (unsigned char)sim->contacts[i].mode;
}

static const ss_table* find(ss_sim* sim)
{
    struct ss_tables* tables = sim->tables;
    for (int k = 0; k < tables->count; k++)
        if (has_mode(sim, &tables->table[k])) return &tables->table[k];
    for (int j = 0; j < sim->active_count; j++)
        if (sim->holds[sim->active[j]].singular) return NULL;
    if (tables->room == 0) return NULL;
    ss_table* table = &tables->table[tables->next];
    tables->next = (tables->next + 1) % tables->room;
    if (tables->count < tables->room) tables->count++;
    fill(sim, table);
    return table;
}

// out[r] = constant[r] + sum_c column_c[r] state[c]; the number of columns (2 n) is even.
static void combine(const double columns[], size_t height, int count, const double state[], size_t rows,
                    double* restrict out)
{
    const double* restrict before = columns + (size_t)count * height;
    for (int c = 0; c < count; c += 2, before = out) {
        const double* restrict a = columns + (size_t)c * height, * restrict b = a + height;
        double x = state[c], y = state[c + 1];
        for (size_t r = 0; r < rows; r++) out[r] = before[r] + a[r] * x + b[r] * y;
    }
}

bool ss_tables_flow(ss_sim* sim)
{
    if (!sim->tables || sim->order > ORDER) return false;
    const ss_table* table = find(sim);
    if (!table) return false;
    const struct ss_tables* tables = sim->tables;
    int n = sim->model->n, m = sim->model->contact_count;
    double state[2 * LARGEST];
    memcpy(state, sim->q, 2 * (size_t)n * sizeof(double));
    size_t rows = (size_t)(sim->order + 1) * (size_t)n, forces = (size_t)(sim->order - 1) * (size_t)m;
    combine(table->columns, tables->height, 2 * n, state, rows, sim->q);
    memcpy(sim->q, state, 2 * (size_t)n * sizeof(double));
    bool follows = false;
    for (int j = 0; j < sim->active_count; j++) follows = follows || sim->holds[sim->active[j]].follows;
    for (int k = 2; k <= sim->order && follows; k++) ss_follow_held(sim, k); // copies, not sums of their own
    if (sim->active_count > 0)
        combine(table->columns + tables->q_size, tables->height, 2 * n, state, forces, sim->lambda);
    return true;
}

void ss_tables_forget(ss_sim* sim)
{
    if (sim->tables) sim->tables->count = sim->tables->next = 0;
}
