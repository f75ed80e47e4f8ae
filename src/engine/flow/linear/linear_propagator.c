// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The linear propagator: passes the cells before the next event of a small steady linear model by tables.
//
// In one mode everything is an affine function of the state y = (q, q') at the start: the series, the state
// after 1, 2, .. cells of a fixed length, and the event functions at those nodes. Tables of these functions
// are kept mode by mode. A cell is free of events where the cubic through values and slopes of every event
// function at both its nodes stays further from its bounds than the function can be from the cubic, by a
// bound on its fourth derivative that the same tables give. The run takes a long step to the first cell that
// is not free, and goes on from there by series and search.
#include "engine/flow/linear/linear_propagator.h"
#include "engine/flow/contact.h"
#include "engine/flow/linear/linear_propagator_tables.h"
#include "engine/flow/linear/linear_propagator_waves.h"
#include "engine/flow/motion_series.h"

#include <float.h>
#include <math.h>
#include <string.h>

// What the cubic of an event function must stay between, in Bernstein's coefficients. Where the function
// starts at zero and is about to rise, the last three must exceed `rise` in the first cell.
typedef struct watch {
    double low, high, rise;
    bool bounded; // there is an upper bound
    int lead;     // zeros that the function starts with
} watch;

// Bounds on the fourth derivatives of all event functions.
static void find_bends(const ss_model* model, ss_modes* modes, const ss_ways* ways)
{
    const struct ss_linear_propagator* propagator = ways->propagator;
    int m = model->contact_count;
    const double* y = propagator->y;
    double size[SS_LINEAR_PROPAGATOR_COLUMNS],
        bends[SS_LINEAR_PROPAGATOR_LARGEST + SS_LINEAR_PROPAGATOR_WIDE];
    for (int c = 0; c < propagator->columns; c++) size[c] = fabs(y[c]);
    ss_linear_propagator_combine(propagator, propagator->at.bends, (size_t)m, size, bends);
    for (int i = 0; i < m; i++) modes->contacts[i].bend = bends[i];
}

static watch watch_of(const ss_sim* sim, int i)
{
    double c2 = sim->ways.propagator->cell * sim->ways.propagator->cell,
           bend = sim->modes.contacts[i].bend * c2 * c2;
    double sag = bend / 384.0;
    watch w = {.low = sag,
               .rise = bend / 72.0,
               .bounded = ss_linear_propagator_sign(&sim->modes, i) == 0.0,
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

// Number of cells that are looked at: those before the next tick, where the long step ends.
static int cells_before_tick(const ss_step* step, const ss_input_values* values, const ss_ways* ways)
{
    double cells = ceil((values->next - step->t) / ways->propagator->cell - 1e-9);
    return cells < SS_LINEAR_PROPAGATOR_CELLS ? (int)fmax(cells, 1.0) : SS_LINEAR_PROPAGATOR_CELLS;
}

// Number of leading cells on which nothing happens. Contacts are clear of events in the cell after these if
// that cell is free for them; beyond the tables nothing is known.
static int count_free_cells(ss_sim* sim)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    int m = sim->model->contact_count, cells = 0, busy[SS_LINEAR_PROPAGATOR_LARGEST], end;
    double nodes[(SS_LINEAR_PROPAGATOR_CELLS + 1) * 2 * SS_LINEAR_PROPAGATOR_LARGEST +
                 SS_LINEAR_PROPAGATOR_WIDE];
    watch watches[SS_LINEAR_PROPAGATOR_LARGEST];
    const double* y = propagator->y;
    find_bends(sim->model, &sim->modes, &sim->ways);
    for (int i = 0; i < m; i++) watches[i] = watch_of(sim, i);
    int most = cells_before_tick(&sim->step, &sim->values, &sim->ways);
    do { // long steps may end early: nodes are computed as they are needed
        int from = cells;
        size_t first = from > 0 ? (size_t)(2 * m * (from + 1)) : 0;
        end = from + SS_LINEAR_PROPAGATOR_CHUNK;
        cells = end = end < most ? end : most;
        ss_linear_propagator_combine(propagator, propagator->at.values + first,
                                     (size_t)(2 * m * (end + 1)) - first, y, nodes + first);
        for (int i = 0; i < m; i++) {
            busy[i] = first_busy_cell(&watches[i], nodes + i, m, from, end);
            cells = busy[i] < cells ? busy[i] : cells;
        }
    } while (cells == end && end < most);
    for (int i = 0; i < m; i++) {
        sim->modes.contacts[i].clear = busy[i] > cells;
        if (cells == most) sim->modes.contacts[i].bend = INFINITY;
    }
    return cells;
}

bool ss_linear_propagator_begin(ss_sim* sim)
{
    struct ss_linear_propagator* propagator = sim->ways.propagator;
    propagator->cells = propagator->entered = 0;
    propagator->mode = NULL;
    double size = 0.0; // long steps do not watch for overflow, steps do
    for (int i = 0; i < 2 * sim->model->n; i++) size += fabs(sim->step.q[i]);
    for (int j = 0; j < sim->open.states; j++) size += fabs(sim->step.s[j]);
    if (!(size < SS_LARGE_STATE)) return false;
    propagator->mode = ss_linear_propagator_find(sim);
    if (!propagator->mode) return false;
    propagator->t = sim->step.t;
    memcpy(propagator->y, ss_linear_propagator_variables(sim), (size_t)propagator->columns * sizeof(double));
    propagator->cells = count_free_cells(sim);
    return true;
}

bool ss_linear_propagator_is_under_way(const ss_sim* sim)
{
    return sim->ways.propagator && sim->ways.propagator->cells > 0;
}

double ss_linear_propagator_end(const ss_sim* sim)
{
    return sim->ways.propagator->t + sim->ways.propagator->cells * sim->ways.propagator->cell;
}

void ss_linear_propagator_series(ss_sim* sim, const double y[])
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    int n = sim->model->n, m = sim->model->contact_count;
    size_t count = (size_t)(propagator->order - 1);
    ss_linear_propagator_combine(propagator, propagator->at.series, count * (size_t)n, y,
                                 sim->step.q + 2 * n);
    size_t states = (size_t)sim->open.states;
    if (states > 0)
        ss_linear_propagator_combine(propagator, propagator->at.states, count * states, y,
                                     sim->step.s + states);
    if (propagator->waves.count > 0) ss_waves_sum(sim, y);
    if (sim->modes.active_count == 0) return;
    bool follows = false;
    for (int j = 0; j < sim->modes.active_count; j++)
        follows = follows || sim->modes.holds[sim->modes.active[j]].follows;
    for (int k = 2; k <= sim->step.order && follows; k++)
        ss_constrain_order(sim->model, &sim->step, &sim->modes, k); // copies, not sums of their own
    ss_linear_propagator_combine(propagator, propagator->at.forces, count * (size_t)m, y, sim->step.lambda);
}

void ss_linear_propagator_look_at_start(ss_sim* sim)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    size_t n = (size_t)sim->model->n, m = (size_t)sim->model->contact_count,
           states = (size_t)sim->open.states;
    ss_linear_propagator_combine(propagator, propagator->at.series, n, propagator->y, sim->step.q + 2 * n);
    if (states > 0)
        ss_linear_propagator_combine(propagator, propagator->at.states, states, propagator->y,
                                     sim->step.s + states);
    if (sim->modes.active_count == 0) return;
    ss_constrain_order(sim->model, &sim->step, &sim->modes, 2);
    ss_linear_propagator_combine(propagator, propagator->at.forces, m, propagator->y, sim->step.lambda);
}

bool ss_linear_propagator_accelerations(const ss_sim* sim, const double y[], double a[])
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    double half[SS_LINEAR_PROPAGATOR_LARGEST + SS_LINEAR_PROPAGATOR_WIDE];
    if (!propagator || !propagator->mode || propagator->columns != 2 * sim->model->n) return false;
    ss_linear_propagator_combine(propagator, propagator->at.series, (size_t)sim->model->n, y, half);
    for (int i = 0; i < sim->model->n; i++) a[i] = 2.0 * half[i];
    return true;
}

// Series of the present state from the table.
static void fill_series(ss_sim* sim)
{
    sim->step.order = sim->ways.propagator->order;
    sim->step.length = sim->ways.propagator->cell;
    ss_linear_propagator_series(sim, ss_linear_propagator_variables(sim));
}

// Puts the run at node k of the long step; it has never left node 0 before it comes to another.
static void enter(ss_sim* sim, int k)
{
    struct ss_linear_propagator* propagator = sim->ways.propagator;
    int n = sim->model->n;
    if (k == 0) return;
    if (propagator->motion > 2 * n) {
        double y[SS_LINEAR_PROPAGATOR_MOTION + SS_LINEAR_PROPAGATOR_WIDE];
        ss_linear_propagator_combine(propagator,
                                     propagator->at.nodes + (size_t)((k - 1) * propagator->motion),
                                     (size_t)propagator->motion, propagator->y, y);
        ss_linear_propagator_set_variables(sim, y);
    } else {
        ss_linear_propagator_combine(propagator, propagator->at.nodes + (size_t)((k - 1) * 2 * n),
                                     2 * (size_t)n, propagator->y, sim->step.q);
    }
    for (int i = 0; i < sim->model->contact_count; i++) sim->modes.contacts[i].lead = 0;
    ss_constrain_state(sim->model, &sim->step, &sim->modes);
    ss_set_time(&sim->step, propagator->t + k * propagator->cell);
}

double ss_linear_propagator_size(const ss_sim* sim, int i)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    return propagator && propagator->mode ? fabs(propagator->y[i]) : 0.0;
}

int ss_linear_propagator_function(const ss_sim* sim, int i, double c[])
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    size_t order = (size_t)propagator->order;
    ss_linear_propagator_combine(propagator, propagator->at.functions + (size_t)i * order, order,
                                 ss_linear_propagator_variables(sim), c);
    return propagator->order - 1;
}

// The cell of the long step at hand in which `until` lies; one past the last where it lies beyond them. A
// tick that falls on a node but for rounding is there: *at_tick.
static int cell_at(const ss_sim* sim, double until, bool* at_tick)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    double cells = (until - propagator->t) / propagator->cell, node = round(cells);
    *at_tick = until == sim->values.next && node >= propagator->entered && node <= propagator->cells &&
               fabs(cells - node) * propagator->cell <= 4.0 * DBL_EPSILON * fabs(until);
    if (*at_tick) return (int)node;
    if (!(until < ss_linear_propagator_end(sim))) return propagator->cells;
    int cell = (int)cells;
    if (cell >= propagator->cells) cell = propagator->cells - 1;
    return cell < propagator->entered ? propagator->entered : cell;
}

bool ss_linear_propagator_next(ss_sim* sim, double until)
{
    struct ss_linear_propagator* propagator = sim->ways.propagator;
    bool at_tick;
    if (propagator->entered >= cell_at(sim, until, &at_tick)) return false;
    enter(sim, propagator->entered++);
    return true;
}

void ss_linear_propagator_to(ss_sim* sim, double until)
{
    struct ss_linear_propagator* propagator = sim->ways.propagator;
    bool at_tick;
    int target = cell_at(sim, until, &at_tick);
    enter(sim, target);
    if (at_tick) ss_set_time(&sim->step, until);
    propagator->entered = target;
    fill_series(sim);
    if (target == propagator->cells) propagator->cells = 0;
}
