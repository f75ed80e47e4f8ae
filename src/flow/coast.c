// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Coasting: crossing the stretch before the next event of a small steady linear model in one stride.
//
// In one mode everything is an affine function of the state y = (q, q') at the start: the series, the state
// after 1, 2, .. cells of a fixed length, and the event functions at those nodes. Tables of these functions
// are kept mode by mode. A cell is free of events where every event function is at both its nodes larger than
// B cell^2 / 8, B a bound on its second derivative that the same tables give; the first cell also where the
// function rises by more than B can bend down again. The run strides to the first cell that is not, and goes
// on from there by series and search.
#include "flow/sim.h"

#include <math.h>
#include <string.h>

enum {
    LARGEST = 8,      // coordinates and contacts of a model that coasts
    CELLS = 8,        // in one stride
    MEMORY = 1 << 21, // bytes that all tables of a run may take
    MOST = 48,        // tables
    SEEN = 256        // modes that are counted
};
static const double cell_reach = 0.3; // rate times the length of a cell

// One column per state variable and one for the constant part. The rows of a column, in this order:
typedef struct layout {
    size_t series; // q[0..order]
    size_t forces; // lambda[0..order - 2]
    size_t nodes;  // y after 1 .. CELLS cells
    size_t values; // of the event function of each contact at nodes 0 .. CELLS: slip speed, or force
    size_t slopes; // its derivative at node 0
    size_t bends;  // bound on its second derivative on all cells
    size_t height;
} layout;

typedef struct table {
    unsigned char modes[LARGEST];
    double* columns;
} table;

struct ss_coasting {
    int order;
    double cell;
    layout at;
    int count, room, next;
    table tables[MOST];
    unsigned char seen[SEEN];
    // the stride at hand
    const table* mode;
    double t, y[2 * LARGEST];
    int cells, entered;
};

static bool applies(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    bool small = model->n <= LARGEST && model->contact_count <= LARGEST && model->n > 0;
    if (!small || !model->linear || !model->steady || model->drive_count > 0) return false;
    for (int i = 0; i < model->contact_count; i++)
        if (model->contacts[i].law == SS_LAW_RIGID_STOP) return false;
    return isinf(sim->def.escape) && model->rate > 0.0;
}

static layout lay_out(const ss_model* model, int order)
{
    size_t n = (size_t)model->n, m = (size_t)model->contact_count;
    layout at = {.series = 0};
    at.forces = at.series + (size_t)(order + 1) * n;
    at.nodes = at.forces + (size_t)(order - 1) * m;
    at.values = at.nodes + CELLS * 2 * n;
    at.slopes = at.values + (CELLS + 1) * m;
    at.bends = at.slopes + m;
    at.height = at.bends + m;
    return at;
}

void ss_coast_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    sim->coasting = NULL;
    if (!applies(sim)) return;
    struct ss_coasting* coasting = ss_pool_new(&sim->pool, 1, sizeof *coasting);
    if (!coasting) return;
    coasting->order = 4;
    while (coasting->order < SS_MAX_ORDER && model->reach[coasting->order] < cell_reach) coasting->order++;
    coasting->cell = cell_reach / model->rate;
    coasting->at = lay_out(model, coasting->order);
    size_t size = coasting->at.height * (size_t)(2 * model->n + 1), room = MEMORY / (size * sizeof(double));
    coasting->room = room > MOST ? MOST : (int)room;
    for (int k = 0; k < coasting->room; k++)
        coasting->tables[k].columns = ss_pool_new(&sim->pool, size, sizeof(double));
    sim->coasting = coasting;
}

void ss_coast_forget(ss_sim* sim)
{
    if (!sim->coasting) return;
    sim->coasting->count = sim->coasting->next = sim->coasting->cells = 0;
}

void ss_coast_stop(ss_sim* sim) { sim->coasting->cells = 0; }

// ---- tables

static double slip_sign(const ss_sim* sim, int i)
{
    ss_mode mode = sim->contacts[i].mode;
    return mode == SS_MODE_SLIP_PLUS ? 1.0 : mode == SS_MODE_SLIP_MINUS ? -1.0 : 0.0;
}

// Event function of contact i along the present series: coefficient k.
static double function_coefficient(const ss_sim* sim, int i, int k)
{
    double sign = slip_sign(sim, i);
    if (sign != 0.0) return sign * ss_relative_velocity(sim, i, k);
    return sim->lambda[(size_t)k * (size_t)sim->model->contact_count + (size_t)i];
}

static void run_series(ss_sim* sim)
{
    for (int k = 0; k <= sim->coasting->order - 2; k++) {
        ss_free_acceleration(sim, k);
        for (int j = 0; j < sim->active_count; j++) ss_apply_hold(sim, sim->active[j], k);
        ss_store_acceleration(sim, k);
    }
}

// Rows of one column, found by following the motion from the state in sim->q over all cells.
static void fill_column(ss_sim* sim, double column[])
{
    const struct ss_coasting* coasting = sim->coasting;
    int n = sim->model->n, m = sim->model->contact_count, order = coasting->order;
    for (int i = 0; i < m; i++) column[coasting->at.bends + (size_t)i] = 0.0;
    for (int j = 0; j <= CELLS; j++) {
        run_series(sim);
        if (j == 0) {
            memcpy(column, sim->q, (size_t)(order + 1) * (size_t)n * sizeof(double));
            memcpy(column + coasting->at.forces, sim->lambda,
                   (size_t)(order - 1) * (size_t)m * sizeof(double));
        }
        for (int i = 0; i < m; i++) {
            double bend = 0.0, power = 1.0;
            for (int k = 2; k <= order - 2; k++, power *= coasting->cell)
                bend += k * (k - 1) * fabs(function_coefficient(sim, i, k)) * power;
            double* most = &column[coasting->at.bends + (size_t)i];
            if (j < CELLS) *most = fmax(*most, bend);
            column[coasting->at.values + (size_t)(j * m + i)] = function_coefficient(sim, i, 0);
            if (j == 0) column[coasting->at.slopes + (size_t)i] = function_coefficient(sim, i, 1);
        }
        if (j == CELLS) break;
        sim->order = order;
        ss_advance_state(sim, coasting->cell);
        memcpy(column + coasting->at.nodes + (size_t)(j * 2 * n), sim->q, 2 * (size_t)n * sizeof(double));
    }
}

// The constant part comes from the zero state; a unit state less that is the column of its variable. Bounds
// on second derivatives do not subtract: those of a unit state are taken with the constant forces left out.
static void fill(ss_sim* sim, table* to)
{
    const struct ss_coasting* coasting = sim->coasting;
    int n = sim->model->n, order = sim->order;
    double state[2 * LARGEST], unit[2 * LARGEST];
    size_t height = coasting->at.height;
    memcpy(state, sim->q, sizeof(double) * 2 * (size_t)n);
    double* constant = to->columns + (size_t)(2 * n) * height;
    memset(sim->q, 0, sizeof(double) * 2 * (size_t)n);
    fill_column(sim, constant);
    for (int c = 0; c < 2 * n; c++) {
        double* column = to->columns + (size_t)c * height;
        memset(unit, 0, sizeof unit);
        unit[c] = 1.0;
        memcpy(sim->q, unit, sizeof(double) * 2 * (size_t)n);
        fill_column(sim, column);
        for (size_t r = 0; r < coasting->at.bends; r++) column[r] -= constant[r];
        for (size_t r = coasting->at.bends; r < height; r++) column[r] += constant[r];
    }
    memcpy(sim->q, state, sizeof(double) * 2 * (size_t)n);
    sim->order = order;
    for (int i = 0; i < sim->model->contact_count; i++) to->modes[i] = (unsigned char)sim->contacts[i].mode;
}

static bool has_mode(const ss_sim* sim, const table* t)
{
    for (int i = 0; i < sim->model->contact_count; i++)
        if (t->modes[i] != (unsigned char)sim->contacts[i].mode) return false;
    return true;
}

// A table costs as much as a few hundred steps: it is made for modes that come again and again.
static bool is_worth_it(ss_sim* sim)
{
    unsigned hash = 0;
    for (int i = 0; i < sim->model->contact_count; i++) hash = hash * 5 + (unsigned)sim->contacts[i].mode;
    unsigned char* seen = &sim->coasting->seen[hash % SEEN];
    int enough = 8 * sim->model->n;
    if (*seen < enough) (*seen)++;
    return *seen >= enough;
}

static const table* find(ss_sim* sim)
{
    struct ss_coasting* coasting = sim->coasting;
    for (int k = 0; k < coasting->count; k++)
        if (has_mode(sim, &coasting->tables[k])) return &coasting->tables[k];
    for (int j = 0; j < sim->active_count; j++)
        if (sim->holds[sim->active[j]].singular) return NULL;
    if (coasting->room == 0 || !is_worth_it(sim)) return NULL;
    table* made = &coasting->tables[coasting->next];
    coasting->next = (coasting->next + 1) % coasting->room;
    if (coasting->count < coasting->room) coasting->count++;
    fill(sim, made);
    return made;
}

// out[r] = constant[r] + sum_c column_c[r] y[c] for rows [first, first + rows); 2 n columns.
static void combine(const ss_sim* sim, const table* mode, size_t first, size_t rows, const double y[],
                    double* restrict out)
{
    size_t height = sim->coasting->at.height;
    int count = 2 * sim->model->n;
    const double* restrict before = mode->columns + (size_t)count * height + first;
    for (int c = 0; c < count; c += 2, before = out) {
        const double* restrict a = mode->columns + (size_t)c * height + first, * restrict b = a + height;
        double x = y[c], z = y[c + 1];
        for (size_t r = 0; r < rows; r++) out[r] = before[r] + a[r] * x + b[r] * z;
    }
}

// ---- the stride

// Number of cells without any event of contact i; values: its function at the nodes.
static int free_cells(const ss_sim* sim, int i, const double values[], double slope, double sag, double bend)
{
    int m = sim->model->contact_count, j = 0;
    double cell = sim->coasting->cell;
    if (slip_sign(sim, i) != 0.0) {
        bool started = sim->contacts[i].lead == 0;
        bool rises = 2.0 * slope >= bend * cell && sim->contacts[i].lead <= 1;
        if (!(started && values[0] > sag) && !rises) return 0;
        while (j < CELLS && values[(j + 1) * m] > sag) j++;
        return j;
    }
    double low = ss_hold_low(sim, i, 0) + sag, high = ss_hold_high(sim, i, 0) - sag;
    while (j <= CELLS && values[j * m] > low && values[j * m] < high) j++;
    return j > 0 ? j - 1 : 0;
}

bool ss_coast_begin(ss_sim* sim)
{
    struct ss_coasting* coasting = sim->coasting;
    coasting->cells = coasting->entered = 0;
    coasting->mode = find(sim);
    if (!coasting->mode) return false;
    int n = sim->model->n, m = sim->model->contact_count, cells = CELLS;
    double values[(CELLS + 2) * LARGEST];
    combine(sim, coasting->mode, coasting->at.values, (size_t)((CELLS + 2) * m), sim->q, values);
    const double* slopes = values + (CELLS + 1) * m;
    for (int i = 0; i < m && cells > 0; i++) {
        const double* column = coasting->mode->columns + coasting->at.bends + (size_t)i;
        double bend = column[(size_t)(2 * n) * coasting->at.height];
        for (int c = 0; c < 2 * n; c++) bend += column[(size_t)c * coasting->at.height] * fabs(sim->q[c]);
        double sag = 0.125 * bend * coasting->cell * coasting->cell;
        int alone = free_cells(sim, i, values + i, slopes[i], sag, bend);
        cells = alone < cells ? alone : cells;
    }
    coasting->cells = cells;
    coasting->t = sim->t;
    memcpy(coasting->y, sim->q, 2 * (size_t)n * sizeof(double));
    return true;
}

bool ss_coast_is_under_way(const ss_sim* sim) { return sim->coasting && sim->coasting->cells > 0; }

double ss_coast_end(const ss_sim* sim)
{
    return sim->coasting->t + sim->coasting->cells * sim->coasting->cell;
}

// Series of the present state from the table.
static void fill_series(ss_sim* sim)
{
    const struct ss_coasting* coasting = sim->coasting;
    int n = sim->model->n, m = sim->model->contact_count;
    double y[2 * LARGEST];
    memcpy(y, sim->q, 2 * (size_t)n * sizeof(double));
    sim->order = coasting->order;
    sim->length = coasting->cell;
    combine(sim, coasting->mode, 0, (size_t)(coasting->order + 1) * (size_t)n, y, sim->q);
    memcpy(sim->q, y, 2 * (size_t)n * sizeof(double));
    if (sim->active_count == 0) return;
    bool follows = false;
    for (int j = 0; j < sim->active_count; j++) follows = follows || sim->holds[sim->active[j]].follows;
    for (int k = 2; k <= sim->order && follows; k++) ss_follow_held(sim, k); // copies, not sums of their own
    combine(sim, coasting->mode, coasting->at.forces, (size_t)(coasting->order - 1) * (size_t)m, y,
            sim->lambda);
}

// Puts the run at node k of the stride.
static void enter(ss_sim* sim, int k)
{
    struct ss_coasting* coasting = sim->coasting;
    int n = sim->model->n;
    if (k > 0) {
        double node[2 * LARGEST];
        combine(sim, coasting->mode, coasting->at.nodes + (size_t)((k - 1) * 2 * n), 2 * (size_t)n,
                coasting->y, node);
        memcpy(sim->q, node, 2 * (size_t)n * sizeof(double));
        for (int i = 0; i < sim->model->contact_count; i++) sim->contacts[i].lead = 0;
        ss_follow_state(sim);
    } else {
        memcpy(sim->q, coasting->y, 2 * (size_t)n * sizeof(double));
    }
    sim->t = coasting->t + k * coasting->cell;
    fill_series(sim);
}

void ss_coast_to(ss_sim* sim, double until)
{
    struct ss_coasting* coasting = sim->coasting;
    int target = coasting->cells;
    if (until < ss_coast_end(sim)) {
        target = (int)((until - coasting->t) / coasting->cell);
        if (target >= coasting->cells) target = coasting->cells - 1;
        if (target < coasting->entered) target = coasting->entered;
    }
    for (int k = coasting->entered; k < target && sim->def.ledger; k++) {
        enter(sim, k);
        ss_ledger_step(sim, coasting->cell);
    }
    enter(sim, target);
    coasting->entered = target;
    if (target == coasting->cells) coasting->cells = 0;
}
