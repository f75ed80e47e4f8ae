// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Coasting: crossing the stretch before the next event of a small steady linear model in one stride.
//
// In one mode everything is an affine function of the state y = (q, q') at the start: the series, the state
// after 1, 2, .. cells of a fixed length, and the event functions at those nodes. Tables of these functions
// are kept mode by mode. A cell is free of events where the cubic through values and slopes of every event
// function at both its nodes stays further from its bounds than the function can be from the cubic, by a
// bound on its fourth derivative that the same tables give. The run strides to the first cell that is not
// free, and goes on from there by series and search.
#include "core/algebra/wide.h"
#include "engine/sim.h"
#include "model/open.h"

#include <math.h>
#include <string.h>

enum {
    LARGEST = 4, // coordinates, states and contacts of a model that coasts: tables grow with their cube
    MOTION = 3 * LARGEST,           // variables of the motion: 2 n and the states
    COLUMNS = MOTION + 2 * LARGEST, // with accelerations and rates that are constant between instants
    MODES = 3,                      // of a contact that is no stop: they count from 0
    CHUNK = 4,                      // cells whose nodes are computed at a time
    CELLS = 3 * CHUNK               // in one stride
};
static const double cell_reach = 0.5; // rate times the length of a cell

// One column per state variable (q, q', then the states of first order) and one for the constant part. The
// rows of a column, in this order:
typedef struct layout {
    size_t series;    // q[2..order]
    size_t states;    // s[1..order - 1]
    size_t forces;    // lambda[0..order - 2]
    size_t functions; // contact by contact: event function, coefficients 0..order - 1 times cell^k
    size_t nodes;     // y after 1 .. CELLS cells
    size_t values;    // at nodes 0 .. CELLS: event functions of all contacts (slip speed, or force), then a
                      // third of a cell's change at their slopes
    size_t bends;     // bound on the fourth derivative of each, on all cells
    size_t height;    // with some rows more, because sums are taken WIDE rows at a time
} layout;

typedef struct table {
    bool made;
    double* columns;
} table;

// Adds up rows of all columns, weighted by the state.
typedef void summation(const double* columns, size_t height, size_t rows, const double y[], double* out);

struct ss_coasting {
    int order;
    int motion;  // variables of the motion: 2 n and the states
    int columns; // with n accelerations and the rates of the states, where values may be set: see applies
    double cell;
    summation* sum;
    layout at;
    int count;
    table* tables;    // by the number of the mode, see find
    double* made_for; // the constant parts of accelerations and rates that the tables belong to
    // the stride at hand
    table* mode;
    double t, y[COLUMNS];
    int cells, entered;
    // the variables of the run, where they do not stand in one array
    double now[COLUMNS];
};

enum { WIDE = 4 }; // rows summed together: what is written may exceed what was asked for by WIDE - 1 numbers

// ---- sums over the columns

// sum[r] = constant[r] + sum_c column_c[r] y[c] for `rows` rows of `count` columns. With that known where it
// is called, the loops over the columns are unrolled and y stays in registers.
static inline void sum_columns(const double* columns, size_t height, size_t rows, const double y[],
                               double* restrict out, const size_t count)
{
    const double* end = columns + rows;
    for (; columns < end; columns += WIDE, out += WIDE) {
        double sum[WIDE];
        for (int w = 0; w < WIDE; w++) sum[w] = columns[count * height + (size_t)w];
        for (size_t c = 0; c < count; c++)
            for (size_t w = 0; w < WIDE; w++) sum[w] += columns[c * height + w] * y[c];
        for (int w = 0; w < WIDE; w++) out[w] = sum[w];
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

static summation* const sum_of[COLUMNS + 1] = {NULL,   NULL,   sum_2,  sum_3,  sum_4,  sum_5,  sum_6,
                                               sum_7,  sum_8,  sum_9,  sum_10, sum_11, sum_12, sum_13,
                                               sum_14, sum_15, sum_16, sum_17, sum_18, sum_19, sum_20};

// Rows [first, first + rows) of the present mode's table, for the state y.
static inline void combine(const struct ss_coasting* coasting, size_t first, size_t rows, const double y[],
                           double out[])
{
    coasting->sum(coasting->mode->columns + first, coasting->at.height, rows, y, out);
}

// The variables of the run.
static const double* variables(const ss_sim* sim)
{
    struct ss_coasting* coasting = sim->ways.coasting;
    size_t n = (size_t)sim->model->n, states = (size_t)sim->open.states;
    if (coasting->columns == 2 * sim->model->n) return sim->step.q;
    double* now = coasting->now;
    memcpy(now, sim->step.q, 2 * n * sizeof(double));
    memcpy(now + 2 * n, sim->step.s, states * sizeof(double));
    if (coasting->columns == coasting->motion) return now;
    memcpy(now + coasting->motion, sim->pulls.constant, n * sizeof(double));
    memcpy(now + (size_t)coasting->motion + n, sim->open.constant, states * sizeof(double));
    return now;
}

static void set_variables(ss_sim* sim, const double y[])
{
    int n = sim->model->n;
    memcpy(sim->step.q, y, 2 * (size_t)n * sizeof(double));
    memcpy(sim->step.s, y + 2 * n, (size_t)sim->open.states * sizeof(double));
}

static void set_constants(ss_sim* sim, const double accelerations[], const double rates[])
{
    memcpy(sim->pulls.constant, accelerations, (size_t)sim->model->n * sizeof(double));
    memcpy(sim->open.constant, rates, (size_t)sim->open.states * sizeof(double));
}

// ---- creation

static bool applies(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    bool small =
        model->n <= LARGEST && model->contact_count <= LARGEST && model->n > 0 && sim->open.states <= LARGEST;
    if (!small || !model->nature.linear || !model->nature.steady || model->drive_count > 0) return false;
    if (sim->ways.stiff) return false; // a linear model whose fastest modes die out at once
    for (int i = 0; i < model->contact_count; i++)
        if (ss_contact_is(&model->contacts[i], SS_TRAIT_RIGID)) return false;
    return isinf(sim->def.escape) && model->bounds.rate > 0.0;
}

static layout lay_out(const ss_model* model, int states, int order)
{
    size_t n = (size_t)model->n, m = (size_t)model->contact_count, p = (size_t)states;
    layout at = {.series = 0};
    at.states = at.series + (size_t)(order - 1) * n;
    at.forces = at.states + (size_t)(order - 1) * p;
    at.functions = at.forces + (size_t)(order - 1) * m;
    at.nodes = at.functions + (size_t)order * m;
    at.values = at.nodes + CELLS * (2 * n + p);
    at.bends = at.values + (CELLS + 1) * 2 * m;
    at.height = at.bends + m + WIDE - 1;
    return at;
}

void ss_coast_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    sim->ways.coasting = NULL;
    if (!applies(sim)) return;
    struct ss_coasting* coasting = ss_pool_new(&sim->pool, 1, sizeof *coasting);
    if (!coasting) return;
    coasting->order = 4;
    while (coasting->order < SS_MAX_ORDER - WIDE && model->bounds.reach[coasting->order] < cell_reach)
        coasting->order++;
    coasting->cell = cell_reach / model->bounds.rate;
    // What is set or written at an instant changes what is constant until the next one. Where that may be,
    // the constants are variables of the tables, which then serve for all of them.
    bool held = model->open && model->open->input_count + model->open->memory_count > 0;
    coasting->motion = 2 * model->n + sim->open.states;
    coasting->columns = coasting->motion + (held ? model->n + sim->open.states : 0);
    coasting->sum = sum_of[coasting->columns];
    coasting->at = lay_out(model, sim->open.states, coasting->order);
    coasting->count = 1;
    for (int i = 0; i < model->contact_count; i++) coasting->count *= MODES;
    size_t size = coasting->at.height * (size_t)(coasting->columns + 1);
    coasting->made_for = ss_pool_spare(&sim->pool, (size_t)(model->n + sim->open.states), sizeof(double));
    coasting->tables = ss_pool_spare(&sim->pool, (size_t)coasting->count, sizeof(table));
    for (int k = 0; k < coasting->count && coasting->tables; k++)
        coasting->tables[k].columns = ss_pool_spare(&sim->pool, size, sizeof(double));
    sim->ways.coasting = coasting;
}

void ss_coast_mark(ss_sim* sim)
{
    static const size_t pointers[] = {offsetof(struct ss_coasting, sum), offsetof(struct ss_coasting, tables),
                                      offsetof(struct ss_coasting, made_for),
                                      offsetof(struct ss_coasting, mode)};
    struct ss_coasting* coasting = sim->ways.coasting;
    if (coasting)
        ss_image_mark_pointers(&sim->image, coasting, 1, sizeof *coasting, pointers,
                               sizeof pointers / sizeof *pointers);
}

void ss_coast_forget(ss_sim* sim)
{
    if (!sim->ways.coasting) return;
    sim->ways.coasting->cells = 0;
    if (sim->ways.coasting->columns > sim->ways.coasting->motion) return;
    for (int k = 0; k < sim->ways.coasting->count; k++) sim->ways.coasting->tables[k].made = false;
}

// The tables that the run has made before stay, if the constant forces are still theirs.
void ss_coast_loaded(ss_sim* sim)
{
    struct ss_coasting* coasting = sim->ways.coasting;
    if (!coasting) return;
    coasting->sum = sum_of[coasting->columns];
    if (coasting->columns > coasting->motion) return;
    size_t n = (size_t)sim->model->n, states = (size_t)sim->open.states, d = sizeof(double);
    if (memcmp(coasting->made_for, sim->pulls.constant, n * d) == 0 &&
        (states == 0 || memcmp(coasting->made_for + n, sim->open.constant, states * d) == 0))
        return;
    for (int k = 0; k < coasting->count; k++) coasting->tables[k].made = false;
}

void ss_coast_stop(ss_sim* sim) { sim->ways.coasting->cells = 0; }

// ---- tables

static double slip_sign(const ss_sim* sim, int i)
{
    ss_mode mode = sim->modes.contacts[i].mode;
    return mode == SS_MODE_SLIP_PLUS ? 1.0 : mode == SS_MODE_SLIP_MINUS ? -1.0 : 0.0;
}

// Event function of contact i along the present series: coefficient k.
static double function_coefficient(const ss_sim* sim, int i, int k)
{
    double sign = slip_sign(sim, i);
    if (sign != 0.0) return sign * ss_relative_velocity(sim, i, k);
    if (k > sim->ways.coasting->order - 2) return 0.0; // forces are known up to here
    return sim->step.lambda[(size_t)k * (size_t)sim->model->contact_count + (size_t)i];
}

// The series of column c: see fill. The last one takes all forces.
static void run_series(ss_sim* sim, int c)
{
    int motion = sim->ways.coasting->motion, unit = c >= motion ? 1 + c - motion : 0;
    for (int k = 0; k <= sim->ways.coasting->order - 2; k++) {
        if (c < sim->ways.coasting->columns)
            ss_respond(sim, k, unit);
        else
            ss_accelerate(sim, k);
    }
}

// Rows of one column that belong to its start.
static void fill_start(const ss_sim* sim, double column[])
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    int n = sim->model->n, m = sim->model->contact_count, order = coasting->order;
    size_t count = (size_t)(order - 1);
    memcpy(column + coasting->at.series, sim->step.q + 2 * n, count * (size_t)n * sizeof(double));
    size_t states = (size_t)sim->open.states;
    memcpy(column + coasting->at.states, sim->step.s + states, count * states * sizeof(double));
    memcpy(column + coasting->at.forces, sim->step.lambda, count * (size_t)m * sizeof(double));
    double* function = column + coasting->at.functions;
    for (int i = 0; i < m; i++) {
        double power = 1.0;
        for (int k = 0; k < order; k++, power *= coasting->cell)
            *function++ = function_coefficient(sim, i, k) * power;
    }
}

// Rows of column c, found by following the motion from the state in sim->step.q over all cells.
static void fill_column(ss_sim* sim, int c, double column[])
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    int m = sim->model->contact_count, order = coasting->order;
    for (int i = 0; i < m; i++) column[coasting->at.bends + (size_t)i] = 0.0;
    for (int j = 0; j <= CELLS; j++) {
        run_series(sim, c);
        if (j == 0) fill_start(sim, column);
        for (int i = 0; i < m; i++) {
            double bend = 0.0, power = 1.0;
            for (int k = 4; k <= order - 2; k++, power *= coasting->cell)
                bend += k * (k - 1) * (k - 2) * (k - 3) * fabs(function_coefficient(sim, i, k)) * power;
            double* most = &column[coasting->at.bends + (size_t)i];
            if (j < CELLS) *most = fmax(*most, bend);
            column[coasting->at.values + (size_t)(2 * j * m + i)] = function_coefficient(sim, i, 0);
            column[coasting->at.values + (size_t)((2 * j + 1) * m + i)] =
                function_coefficient(sim, i, 1) * coasting->cell / 3.0;
        }
        if (j == CELLS) break;
        sim->step.order = order;
        ss_advance_state(sim, coasting->cell);
        memcpy(column + coasting->at.nodes + (size_t)(j * coasting->motion), variables(sim),
               (size_t)coasting->motion * sizeof(double));
    }
}

// The constant part comes from the zero state, the column of a variable from its unit state with all constant
// forces left out: so mirrored modes have mirrored tables, to the bit. What a table says depends on nothing
// but the mode, and so does a motion that uses it.
static void fill(ss_sim* sim, table* to)
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    int columns = coasting->columns, motion = coasting->motion, order = sim->step.order;
    size_t n = (size_t)sim->model->n, states = (size_t)sim->open.states;
    double state[COLUMNS], zero[COLUMNS] = {0};
    memcpy(state, variables(sim), sizeof(double) * (size_t)columns);
    for (int c = 0; c <= columns; c++) {
        double unit[COLUMNS] = {0};
        if (c < motion) unit[c] = 1.0;
        set_variables(sim, unit);
        memset(sim->step.lambda, 0,
               sizeof(double) * (size_t)(coasting->order - 1) * (size_t)sim->model->contact_count);
        if (c == columns && columns > motion) set_constants(sim, zero, zero); // friction alone
        fill_column(sim, c, to->columns + (size_t)c * coasting->at.height);
    }
    set_variables(sim, state);
    if (columns > motion) set_constants(sim, state + motion, state + (size_t)motion + n);
    sim->step.order = order;
    memcpy(coasting->made_for, sim->pulls.constant, n * sizeof(double));
    if (states > 0) memcpy(coasting->made_for + n, sim->open.constant, states * sizeof(double));
    to->made = true;
}

static table* find(ss_sim* sim)
{
    int number = 0;
    for (int i = 0; i < sim->model->contact_count; i++)
        number = MODES * number + (int)sim->modes.contacts[i].mode;
    table* found = &sim->ways.coasting->tables[number];
    if (found->made) return found;
    for (int j = 0; j < sim->modes.active_count; j++)
        if (sim->modes.holds[sim->modes.active[j]].singular) return NULL;
    fill(sim, found);
    return found;
}

// ---- the stride

// What the cubic of an event function must stay between, in Bernstein's coefficients. Where the function
// starts at zero and is about to rise, the last three must exceed `rise` in the first cell.
typedef struct watch {
    double low, high, rise;
    bool bounded; // there is an upper bound
    int lead;     // zeros that the function starts with
} watch;

// Bounds on the fourth derivatives of all event functions.
static void find_bends(ss_sim* sim)
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    int m = sim->model->contact_count;
    const double* y = variables(sim);
    double size[COLUMNS], bends[LARGEST + WIDE];
    for (int c = 0; c < coasting->columns; c++) size[c] = fabs(y[c]);
    combine(coasting, coasting->at.bends, (size_t)m, size, bends);
    for (int i = 0; i < m; i++) sim->modes.contacts[i].bend = bends[i];
}

static watch watch_of(const ss_sim* sim, int i)
{
    double c2 = sim->ways.coasting->cell * sim->ways.coasting->cell,
           bend = sim->modes.contacts[i].bend * c2 * c2;
    double sag = bend / 384.0;
    watch w = {.low = sag,
               .rise = bend / 72.0,
               .bounded = slip_sign(sim, i) == 0.0,
               .lead = sim->modes.contacts[i].lead};
    if (!w.bounded) return w;
    w.low = ss_hold_low(sim, i, 0) + sag;
    w.high = ss_hold_high(sim, i, 0) - sag;
    return w;
}

// Whether an event function stays between its bounds on a cell. node: its value and, m numbers later, a third
// of its change at the slope there, at the start of the cell; the same at its end follows.
static inline bool is_free(const watch* w, const double node[], int m)
{
    double b0 = node[0], b1 = b0 + node[m], b3 = node[2 * m], b2 = b3 - node[3 * m];
    if (!(b0 > w->low && b1 > w->low && b2 > w->low && b3 > w->low)) return false;
    return !w->bounded || (b0 < w->high && b1 < w->high && b2 < w->high && b3 < w->high);
}

// The same for a function that starts at zero, on the first cell.
static bool is_free_from_zero(const watch* w, const double node[], int m)
{
    double b1 = node[0] + node[m], b3 = node[2 * m], b2 = b3 - node[3 * m];
    return w->lead == 1 && b1 > w->rise && b2 > w->rise && b3 > w->rise;
}

// The first cell in [from, to) that is not free for a contact, or `to`. nodes: of this contact, m apart.
static int first_busy_cell(const watch* w, const double nodes[], int m, int from, int to)
{
    int j = from;
    if (j == 0 && w->lead > 0) {
        if (!is_free_from_zero(w, nodes, m)) return 0;
        j++;
    }
    while (j < to && is_free(w, nodes + 2 * m * j, m)) j++;
    return j;
}

// Number of leading cells on which nothing happens. Contacts are clear of events in the cell after these if
// that cell is free for them; beyond the tables nothing is known.
static int count_free_cells(ss_sim* sim)
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    int m = sim->model->contact_count, cells = 0, busy[LARGEST], end;
    double nodes[(CELLS + 1) * 2 * LARGEST + WIDE];
    watch watches[LARGEST];
    const double* y = variables(sim);
    find_bends(sim);
    for (int i = 0; i < m; i++) watches[i] = watch_of(sim, i);
    do { // strides may end early: nodes are computed as they are needed
        int from = cells;
        size_t first = from > 0 ? (size_t)(2 * m * (from + 1)) : 0;
        cells = end = from + CHUNK;
        combine(coasting, coasting->at.values + first, (size_t)(2 * m * (end + 1)) - first, y, nodes + first);
        for (int i = 0; i < m; i++) {
            busy[i] = first_busy_cell(&watches[i], nodes + i, m, from, end);
            cells = busy[i] < cells ? busy[i] : cells;
        }
    } while (cells == end && end < CELLS);
    for (int i = 0; i < m; i++) {
        sim->modes.contacts[i].clear = busy[i] > cells;
        if (cells == CELLS) sim->modes.contacts[i].bend = INFINITY;
    }
    return cells;
}

bool ss_coast_begin(ss_sim* sim)
{
    struct ss_coasting* coasting = sim->ways.coasting;
    coasting->cells = coasting->entered = 0;
    coasting->mode = NULL;
    double size = 0.0; // strides do not watch for overflow, steps do
    for (int i = 0; i < 2 * sim->model->n; i++) size += fabs(sim->step.q[i]);
    for (int j = 0; j < sim->open.states; j++) size += fabs(sim->step.s[j]);
    if (!(size < SS_LARGE_STATE)) return false;
    coasting->mode = find(sim);
    if (!coasting->mode) return false;
    coasting->cells = count_free_cells(sim);
    coasting->t = sim->step.t;
    memcpy(coasting->y, variables(sim), (size_t)coasting->columns * sizeof(double));
    return true;
}

bool ss_coast_is_under_way(const ss_sim* sim) { return sim->ways.coasting && sim->ways.coasting->cells > 0; }

double ss_coast_end(const ss_sim* sim)
{
    return sim->ways.coasting->t + sim->ways.coasting->cells * sim->ways.coasting->cell;
}

// Series of the present state from the table.
static void fill_series(ss_sim* sim)
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    int n = sim->model->n, m = sim->model->contact_count;
    size_t count = (size_t)(coasting->order - 1);
    sim->step.order = coasting->order;
    sim->step.length = coasting->cell;
    const double* y = variables(sim);
    combine(coasting, coasting->at.series, count * (size_t)n, y, sim->step.q + 2 * n);
    size_t states = (size_t)sim->open.states;
    if (states > 0) combine(coasting, coasting->at.states, count * states, y, sim->step.s + states);
    if (sim->modes.active_count == 0) return;
    bool follows = false;
    for (int j = 0; j < sim->modes.active_count; j++)
        follows = follows || sim->modes.holds[sim->modes.active[j]].follows;
    for (int k = 2; k <= sim->step.order && follows; k++)
        ss_follow_held(sim, k); // copies, not sums of their own
    combine(coasting, coasting->at.forces, count * (size_t)m, y, sim->step.lambda);
}

// Puts the run at node k of the stride; it has never left node 0 before it comes to another.
static void enter(ss_sim* sim, int k)
{
    struct ss_coasting* coasting = sim->ways.coasting;
    int n = sim->model->n;
    if (k == 0) return;
    if (sim->open.states > 0) {
        double y[MOTION + WIDE];
        combine(coasting, coasting->at.nodes + (size_t)((k - 1) * coasting->motion), (size_t)coasting->motion,
                coasting->y, y);
        set_variables(sim, y);
    } else {
        combine(coasting, coasting->at.nodes + (size_t)((k - 1) * 2 * n), 2 * (size_t)n, coasting->y,
                sim->step.q);
    }
    for (int i = 0; i < sim->model->contact_count; i++) sim->modes.contacts[i].lead = 0;
    ss_follow_state(sim);
    sim->step.t = coasting->t + k * coasting->cell;
}

double ss_coast_size(const ss_sim* sim, int i)
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    return coasting && coasting->mode ? fabs(coasting->y[i]) : 0.0;
}

int ss_coast_function(const ss_sim* sim, int i, double c[])
{
    const struct ss_coasting* coasting = sim->ways.coasting;
    size_t order = (size_t)coasting->order;
    combine(coasting, coasting->at.functions + (size_t)i * order, order, variables(sim), c);
    return coasting->order - 1;
}

void ss_coast_to(ss_sim* sim, double until)
{
    struct ss_coasting* coasting = sim->ways.coasting;
    int target = coasting->cells;
    if (!coasting->mode->made) fill(sim, coasting->mode); // the run was loaded on its way
    if (until < ss_coast_end(sim)) {
        target = (int)((until - coasting->t) / coasting->cell);
        if (target >= coasting->cells) target = coasting->cells - 1;
        if (target < coasting->entered) target = coasting->entered;
    }
    for (int k = coasting->entered; k < target && sim->def.ledger; k++) {
        enter(sim, k);
        fill_series(sim);
        ss_ledger_step(sim, coasting->cell, &sim->ledger.energy);
    }
    enter(sim, target);
    coasting->entered = target;
    fill_series(sim);
    if (target == coasting->cells) coasting->cells = 0;
}
