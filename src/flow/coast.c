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
    LARGEST = 4,      // coordinates and contacts of a model that coasts: tables grow with their cube
    CELLS = 6,        // in one stride
    MEMORY = 1 << 21, // bytes that all tables of a run may take
    MOST = 81         // tables: all modes of four contacts
};
static const double cell_reach = 0.5; // rate times the length of a cell

// One column per state variable and one for the constant part. The rows of a column, in this order:
typedef struct layout {
    size_t series; // q[0..order]
    size_t forces; // lambda[0..order - 2]
    size_t nodes;  // y after 1 .. CELLS cells
    size_t values; // at nodes 0 .. CELLS: event functions of all contacts (slip speed, or force), then slopes
    size_t bends;  // bound on the fourth derivative of each, on all cells
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
    // the stride at hand
    const table* mode;
    double t, y[2 * LARGEST];
    int cells, entered;
    bool whole; // it used up the table without meeting anything
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
    at.bends = at.values + (CELLS + 1) * 2 * m;
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
            for (int k = 4; k <= order - 2; k++, power *= coasting->cell)
                bend += k * (k - 1) * (k - 2) * (k - 3) * fabs(function_coefficient(sim, i, k)) * power;
            double* most = &column[coasting->at.bends + (size_t)i];
            if (j < CELLS) *most = fmax(*most, bend);
            column[coasting->at.values + (size_t)(2 * j * m + i)] = function_coefficient(sim, i, 0);
            column[coasting->at.values + (size_t)((2 * j + 1) * m + i)] = function_coefficient(sim, i, 1);
        }
        if (j == CELLS) break;
        sim->order = order;
        ss_advance_state(sim, coasting->cell);
        memcpy(column + coasting->at.nodes + (size_t)(j * 2 * n), sim->q, 2 * (size_t)n * sizeof(double));
    }
}

// The constant part comes from the zero state, the column of a variable from its unit state with all constant
// forces left out: so mirrored modes have mirrored tables, to the bit. What a table says depends on nothing
// but the mode, and so does a motion that uses it.
static void fill(ss_sim* sim, table* to)
{
    int n = sim->model->n, order = sim->order;
    double state[2 * LARGEST];
    memcpy(state, sim->q, sizeof(double) * 2 * (size_t)n);
    for (int c = 0; c <= 2 * n; c++) {
        memset(sim->q, 0, sizeof(double) * 2 * (size_t)n);
        memset(sim->lambda, 0,
               sizeof(double) * (size_t)(sim->coasting->order - 1) * (size_t)sim->model->contact_count);
        if (c < 2 * n) sim->q[c] = 1.0;
        sim->homogeneous = c < 2 * n;
        fill_column(sim, to->columns + (size_t)c * sim->coasting->at.height);
    }
    sim->homogeneous = false;
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

static const table* find(ss_sim* sim)
{
    struct ss_coasting* coasting = sim->coasting;
    for (int k = 0; k < coasting->count; k++)
        if (has_mode(sim, &coasting->tables[k])) return &coasting->tables[k];
    for (int j = 0; j < sim->active_count; j++)
        if (sim->holds[sim->active[j]].singular) return NULL;
    if (coasting->room == 0) return NULL;
    table* made = &coasting->tables[coasting->next];
    coasting->next = (coasting->next + 1) % coasting->room;
    if (coasting->count < coasting->room) coasting->count++;
    fill(sim, made);
    return made;
}

// Where the processor has them, wider vectors do the same sums with the same roundings.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) &&                 \
    !defined(__SANITIZE_ADDRESS__)
#define SS_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define SS_WIDE
#endif

// out[r] = constant[r] + sum_c column_c[r] y[c] for rows [first, first + rows); 2 n columns.
SS_WIDE static void combine(const ss_sim* sim, const table* mode, size_t first, size_t rows, const double y[],
                            double* restrict out)
{
    size_t height = sim->coasting->at.height;
    int count = 2 * sim->model->n;
    const double* restrict a = mode->columns + first, * restrict b = a + height;
    const double* restrict constant = a + (size_t)count * height;
    double x = y[0], z = y[1];
    for (size_t r = 0; r < rows; r++) out[r] = constant[r] + a[r] * x + b[r] * z;
    for (int c = 2; c < count; c += 2) {
        a += 2 * height;
        b += 2 * height;
        x = y[c];
        z = y[c + 1];
        for (size_t r = 0; r < rows; r++) out[r] += a[r] * x + b[r] * z;
    }
}

// ---- the stride

// Number of leading cells on which sign (g - g0) > 0, g given at the nodes. starts: g - g0 is 0 at the start,
// and is about to rise.
static int free_cells(const ss_sim* sim, const double nodes[], double sign, double g0, double bend,
                      bool starts)
{
    int stride = 2 * sim->model->contact_count, slope = sim->model->contact_count, j = 0;
    double third = sim->coasting->cell / 3.0, c2 = sim->coasting->cell * sim->coasting->cell;
    double sag = bend * c2 * c2 / 384.0, rise = bend * c2 * c2 / 72.0;
    for (; j < CELLS; j++, nodes += stride) {
        double b0 = sign * (nodes[0] - g0), b1 = b0 + sign * nodes[slope] * third;
        double b3 = sign * (nodes[stride] - g0), b2 = b3 - sign * nodes[stride + slope] * third;
        bool rises = j == 0 && starts && b1 > rise && b2 > rise && b3 > rise;
        bool stays = b0 > sag && b1 > sag && b2 > sag && b3 > sag && !(j == 0 && starts);
        if (!rises && !stays) break;
    }
    return j;
}

static int free_cells_of(const ss_sim* sim, int i, const double nodes[], double bend)
{
    const ss_contact_run* run = &sim->contacts[i];
    if (slip_sign(sim, i) != 0.0)
        return run->lead > 1 ? 0 : free_cells(sim, nodes, 1.0, 0.0, bend, run->lead == 1);
    int above = free_cells(sim, nodes, 1.0, ss_hold_low(sim, i, 0), bend, false);
    int below = free_cells(sim, nodes, -1.0, ss_hold_high(sim, i, 0), bend, false);
    return above < below ? above : below;
}

// Bound on the fourth derivative of the event function of contact i.
static double bend_of(const ss_sim* sim, int i)
{
    const struct ss_coasting* coasting = sim->coasting;
    const double* column = coasting->mode->columns + coasting->at.bends + (size_t)i;
    double bend = 0.0;
    for (int c = 0; c < 2 * sim->model->n; c++, column += coasting->at.height)
        bend += *column * fabs(sim->q[c]);
    return bend + *column;
}

bool ss_coast_begin(ss_sim* sim)
{
    struct ss_coasting* coasting = sim->coasting;
    coasting->cells = coasting->entered = 0;
    coasting->mode = find(sim);
    if (!coasting->mode) return false;
    int n = sim->model->n, m = sim->model->contact_count, cells = CELLS, alone[LARGEST];
    double nodes[(CELLS + 1) * 2 * LARGEST];
    combine(sim, coasting->mode, coasting->at.values, (size_t)((CELLS + 1) * 2 * m), sim->q, nodes);
    for (int i = 0; i < m; i++) {
        alone[i] = free_cells_of(sim, i, nodes + i, bend_of(sim, i));
        cells = alone[i] < cells ? alone[i] : cells;
    }
    for (int i = 0; i < m; i++)
        sim->contacts[i].clear = alone[i] > cells; // of an event in the cell after these
    coasting->cells = cells;
    coasting->t = sim->t;
    memcpy(coasting->y, sim->q, 2 * (size_t)n * sizeof(double));
    return true;
}

bool ss_coast_was_whole(const ss_sim* sim) { return sim->coasting->whole; }

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
        fill_series(sim);
        ss_ledger_step(sim, coasting->cell);
    }
    enter(sim, target);
    coasting->entered = target;
    bool ended = target == coasting->cells;
    if (!ended || !coasting->whole) fill_series(sim); // otherwise the next stride follows at once
    if (ended) coasting->cells = 0;
}
