// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Affine parts of the expressions of the motion become matrices: M^-1 K and M^-1 C, which need not be
// symmetric any more, and the blocks of the states.
#include "model/actions.h"
#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct entries {
    ss_entry* list;
    size_t count, room;
} entries;

// False, and the pool has failed, where there is no memory.
static bool add(ss_model* model, entries* to, int row, int column, double value)
{
    if (value == 0.0) return true;
    if (to->count == to->room) {
        size_t room = to->room > 0 ? 2 * to->room : 16;
        ss_entry* list = realloc(to->list, room * sizeof *list);
        if (!list) {
            model->pool.failed = true;
            return false;
        }
        to->list = list;
        to->room = room;
    }
    to->list[to->count++] = (ss_entry){row, column, value};
    return true;
}

static void add_sparse(ss_model* model, entries* to, const ss_sparse* a)
{
    for (int i = 0; i < a->rows; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++) add(model, to, i, a->index[k], a->value[k]);
}

// factor times an affine row, as entries over coordinates, drives, their speeds and states; those that are
// NULL are left out.
typedef struct blocks {
    entries *places, *drives, *speeds, *drive_speeds, *states;
} blocks;

static void add_body(ss_model* model, entries* places, entries* drives, int row, int b, double value)
{
    const ss_body* body = &model->bodies[b];
    if (body->drive >= 0) add(model, drives, row, body->drive, value);
    for (int j = 0; j < body->row.count && body->drive < 0; j++)
        add(model, places, row, body->row.index[j], value * body->row.value[j]);
}

static void add_affine(ss_model* model, const blocks* to, int row, const ss_row* over, double factor)
{
    const ss_open* open = model->open;
    for (int k = 0; k < over->count; k++) {
        int at = over->index[k];
        double value = factor * over->value[k];
        if (at < open->first_speed)
            add_body(model, to->places, to->drives, row, at, value);
        else if (at < open->first_state)
            add_body(model, to->speeds, to->drive_speeds, row, at - open->first_speed, value);
        else if (at < open->first_input && to->states)
            add(model, to->states, row, at - open->first_state, value);
    }
}

static ss_sparse take(ss_model* model, entries* from, int rows)
{
    ss_sparse out = ss_sparse_build(&model->pool, rows, from->list, from->count);
    free(from->list);
    *from = (entries){0};
    return out;
}

static void assemble_pulls(ss_model* model, ss_sparse* stiffness, ss_sparse* damping)
{
    const ss_actions* actions = model->actions;
    entries k = {0}, c = {0}, kd = {0}, cd = {0}, s = {0};
    blocks springs = {&k, &kd, &c, &cd, NULL};
    add_sparse(model, &k, &model->matrices.stiffness);
    add_sparse(model, &c, &model->matrices.damping);
    add_sparse(model, &kd, &model->matrices.drive_stiffness);
    add_sparse(model, &cd, &model->matrices.drive_damping);
    for (int p = 0; p < actions->pull_count; p++) {
        const ss_pull* pull = &actions->pulls[p];
        if (!pull->affine) continue;
        for (int i = 0; i < pull->q.count; i++)
            add_affine(model, &springs, pull->q.index[i], &pull->affine->row, -pull->q.value[i]);
        for (int i = 0; i < pull->mobility.count; i++)
            for (int j = 0; j < pull->affine->row.count; j++) {
                int at = pull->affine->row.index[j];
                if (at < model->open->first_state || at >= model->open->first_input) continue;
                add(model, &s, pull->mobility.index[i], at - model->open->first_state,
                    pull->mobility.value[i] * pull->affine->row.value[j]);
            }
    }
    *stiffness = take(model, &k, model->n);
    *damping = take(model, &c, model->n);
    model->matrices.drive_stiffness = take(model, &kd, model->n);
    model->matrices.drive_damping = take(model, &cd, model->n);
    model->actions->flow.pull = take(model, &s, model->n);
}

static void assemble_rates(ss_model* model)
{
    ss_state_flow* flow = &model->actions->flow;
    int states = model->open->state_count;
    entries x = {0}, v = {0}, s = {0}, d = {0}, dv = {0};
    blocks all = {&x, &d, &v, &dv, &s};
    for (int j = 0; j < states; j++)
        if (model->actions->rates[j].affine)
            add_affine(model, &all, j, &model->actions->rates[j].affine->row, 1.0);
    flow->places = take(model, &x, states);
    flow->speeds = take(model, &v, states);
    flow->own = take(model, &s, states);
    flow->drives = take(model, &d, states);
    flow->drive_speeds = take(model, &dv, states);
}

// ---- the program of what is not affine

// Whether the pieces of a node are affine: a sum, a multiple, a kink or a jump of such.
static bool is_pieced(const ss_graph* graph, int node, bool marks[])
{
    ss_graph_mark(graph, &node, 1, marks);
    for (int i = 0; i <= node; i++) {
        if (!marks[i] || !(ss_graph_depends(graph, i) & SS_ON_ANY)) continue;
        switch (ss_graph_instruction(graph, i)->op) {
        case SS_OP_VARIABLE:
        case SS_OP_ADD:
        case SS_OP_SUB:
        case SS_OP_SCALE:
        case SS_OP_SHIFT:
        case SS_OP_ABS:
        case SS_OP_MIN:
        case SS_OP_MAX:
        case SS_OP_SELECT:
        case SS_OP_SIGN:
        case SS_OP_STEP:
        case SS_OP_FLOOR:
        case SS_OP_CEIL:
        case SS_OP_ROUND: break;
        default: return false;
        }
    }
    return true;
}

// The node becomes the next output.
static int add_output(ss_model* model, int node, int outputs[], int* count, bool marks[])
{
    model->actions->depends |= ss_graph_depends(model->open->graph, node);
    model->nature.linear = false;
    if (!is_pieced(model->open->graph, node, marks)) model->nature.piecewise_linear = false;
    outputs[*count] = node;
    return (*count)++;
}

static void number_outputs(ss_model* model, int outputs[], int* count, bool marks[])
{
    const ss_open* open = model->open;
    ss_actions* actions = model->actions;
    for (int p = 0; p < actions->pull_count; p++) {
        int node = p < open->force_count ? open->forces[p].node : open->gradients[p - open->force_count].node;
        actions->pulls[p].output =
            actions->pulls[p].affine ? -1 : add_output(model, node, outputs, count, marks);
    }
    for (int j = 0; j < open->state_count; j++)
        actions->rates[j].output =
            actions->rates[j].affine ? -1 : add_output(model, open->states[j].rate, outputs, count, marks);
    actions->level_output = *count;
    for (int l = 0; l < open->level_count; l++) {
        ss_contact* contact = &model->contacts[open->levels[l].contact];
        add_output(model, open->levels[l].node, outputs, count, marks);
        bool at_rest = contact->follows >> 2 || contact->level[2] || contact->level[3] ||
                       contact->at_rest[0] > 0.0 || contact->at_rest[1] > 0.0;
        contact->falling = contact->falling || at_rest;
    }
}

// Levels of impulses, in the order of the levels; outputs: scratch.
static bool make_impulses(ss_model* model, int outputs[])
{
    const ss_open* open = model->open;
    ss_actions* actions = model->actions;
    for (int l = 0; l < open->level_count; l++) outputs[l] = open->levels[l].impulse;
    return ss_program_make(&actions->impulse, &model->pool, open->graph, outputs, open->level_count) &&
           ss_jacobian_make(&actions->impulse_slopes, &model->pool, open->graph, outputs,
                            open->level_count) &&
           ss_program_make(&actions->impulse_slope, &model->pool, open->graph, actions->impulse_slopes.node,
                           actions->impulse_slopes.count);
}

static bool make_programs(ss_model* model)
{
    const ss_open* open = model->open;
    ss_actions* actions = model->actions;
    ss_pool* pool = &model->pool;
    size_t room = (size_t)(actions->pull_count + open->state_count + open->level_count);
    int* outputs = ss_pool_new(pool, room, sizeof(int));
    int* shown = ss_pool_new(pool, (size_t)(open->signal_count + open->potential_count), sizeof(int));
    bool* marks = ss_new((size_t)ss_graph_node_count(open->graph), sizeof *marks);
    int count = 0;
    bool good = outputs && shown && marks;
    if (good) {
        number_outputs(model, outputs, &count, marks);
        for (int j = 0; j < open->signal_count; j++) shown[j] = open->signals[j].node;
        for (int p = 0; p < open->potential_count; p++) shown[open->signal_count + p] = open->potentials[p];
        good =
            ss_program_make(&actions->motion, pool, open->graph, outputs, count) &&
            ss_program_make(&actions->shown, pool, open->graph, shown,
                            open->signal_count + open->potential_count) &&
            ss_jacobian_make(&actions->slopes, pool, open->graph, outputs, count) &&
            ss_program_make(&actions->slope, pool, open->graph, actions->slopes.node, actions->slopes.count);
    }
    free(marks);
    return good && (!model->nature.follows_forces || make_impulses(model, outputs));
}

// ---- forces and rates

static void list_pulls(ss_model* model)
{
    const ss_open* open = model->open;
    ss_actions* actions = model->actions;
    for (int f = 0; f < open->force_count; f++) {
        const ss_open_force* from = &open->forces[f];
        actions->pulls[f] =
            (ss_pull){.q = from->q,
                      .d = from->d,
                      .account = from->ledger == SS_WORK_DAMPING ? SS_ACCOUNT_DAMPING : SS_ACCOUNT_INPUT,
                      .affine = from->affine.is_affine ? &from->affine : NULL};
    }
    for (int g = 0; g < open->gradient_count; g++) {
        const ss_open_gradient* from = &open->gradients[g];
        const ss_term term = {from->body, 1.0};
        ss_pull* to = &actions->pulls[open->force_count + g];
        ss_row bodies;
        *to =
            (ss_pull){.account = SS_ACCOUNT_STORED, .affine = from->affine.is_affine ? &from->affine : NULL};
        ss_model_map_row(model, &(ss_row_def){&term, 1}, &bodies, &to->q, &to->d);
    }
    for (int p = 0; p < actions->pull_count && !model->pool.failed; p++)
        ss_model_apply_mobility(model, &actions->pulls[p].q, &actions->pulls[p].mobility);
    for (int j = 0; j < open->state_count; j++)
        actions->rates[j] =
            (ss_rate){.affine = open->states[j].affine.is_affine ? &open->states[j].affine : NULL};
}

ss_status ss_actions_make(ss_model* model, ss_sparse* stiffness, ss_sparse* damping, ss_error* err)
{
    const ss_open* open = model->open;
    ss_actions* actions = ss_pool_new(&model->pool, 1, sizeof *actions);
    if (!actions) return ss_fail_no_memory(err);
    model->actions = actions;
    actions->pull_count = open->force_count + open->gradient_count;
    actions->pulls = ss_pool_new(&model->pool, (size_t)actions->pull_count, sizeof(ss_pull));
    actions->rates = ss_pool_new(&model->pool, (size_t)open->state_count, sizeof(ss_rate));
    if (model->pool.failed) return ss_fail_no_memory(err);
    list_pulls(model);
    if (model->pool.failed || !make_programs(model)) return ss_fail_no_memory(err);
    assemble_pulls(model, stiffness, damping);
    assemble_rates(model);
    actions->stiffness = *stiffness;
    actions->damping = *damping;
    return model->pool.failed ? ss_fail_no_memory(err) : SS_OK;
}

// ---- the rate

// With |q| and |v| in the mass norm and each state for itself, the blocks of the first-order system have
// norms that form a small matrix N >= 0 over (q, v, s_1 .. s_p): N[v][q] = |K|, N[q][v] = 1 and so on. Where
// N x <= r x for some x > 0, the system changes no faster than r in the norm max(|q|/x_q, |v|/x_v, ..), in
// every mode, because what holds projects orthogonally in |v|. For any r above the Perron root of N the
// vector x = (r - N)^-1 e does it, e >= 0.

// Largest absolute row sum of M^-1, where M is not diagonal.
static double inverse_norm(const ss_model* model)
{
    double most = 0.0;
    int n = model->n;
    for (int k = 0; k < n && !model->matrices.mass_diagonal; k++) {
        double row = 0.0;
        for (int j = 0; j < n; j++) row += fabs(model->matrices.mass_inverse[k * n + j]);
        most = fmax(most, row);
    }
    return most;
}

// Of row i of a (over coordinates) as a function of q in the mass norm: |M^-1/2 a_i|, or a bound.
static double row_norm(const ss_model* model, const ss_sparse* a, int i, double inverse)
{
    double sum = 0.0;
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
        sum += a->value[k] * a->value[k] *
               (model->matrices.mass_diagonal ? model->matrices.mass_inverse[a->index[k]] : inverse);
    return sqrt(sum);
}

// Mass norm of the acceleration by one unit of state j; a has room for n numbers.
static double pull_norm(const ss_model* model, int j, double a[])
{
    const ss_sparse *pull = &model->actions->flow.pull, *mass = &model->matrices.mass;
    double sum = 0.0;
    for (int i = 0; i < model->n; i++) {
        a[i] = 0.0;
        for (int k = pull->start[i]; k < pull->start[i + 1]; k++)
            if (pull->index[k] == j) a[i] += pull->value[k];
    }
    for (int i = 0; i < model->n; i++)
        for (int k = mass->start[i]; k < mass->start[i + 1]; k++)
            sum += a[i] * mass->value[k] * a[mass->index[k]];
    return sqrt(fmax(sum, 0.0));
}

static void multiply(const double a[], int size, const double x[], double out[])
{
    for (int i = 0; i < size; i++) {
        out[i] = 0.0;
        for (int j = 0; j < size; j++) out[i] += a[i * size + j] * x[j];
    }
}

// A bound on the Perron root, from above: the least, over some powers N^k, of |N^k|^(1/k).
static double perron_root(const double a[], int size, double x[], double y[])
{
    double least = INFINITY, log_size = 0.0;
    for (int i = 0; i < size; i++) x[i] = 1.0;
    for (int k = 1; k <= 256; k++) { // x = N^k 1, whose largest entry is |N^k|
        double most = 0.0;
        multiply(a, size, x, y);
        for (int i = 0; i < size; i++) most = fmax(most, y[i]);
        if (!(most > 0.0)) return 0.0;
        log_size += log(most);
        for (int i = 0; i < size; i++) x[i] = y[i] / most;
        least = fmin(least, exp(log_size / k));
    }
    return least;
}

// x = sum_k N^k e / rate^(k+1)
static void solve_scales(const double a[], int size, double rate, const double e[], double x[], double y[])
{
    double* z = y + size;
    for (int i = 0; i < size; i++) x[i] = y[i] = e[i] / rate;
    for (int k = 0; k < 200; k++) {
        multiply(a, size, y, z);
        for (int i = 0; i < size; i++) x[i] += y[i] = z[i] / rate;
    }
}

// Smallest rate with its scales, by the norms in a; x gets the scales, e and y are scratch.
static double rate_of(const double a[], int size, double least, double x[], double e[], double y[])
{
    double rate = fmax(1.25 * perron_root(a, size, x, y), least);
    for (int i = 0; i < size; i++) e[i] = i == 1 ? 1.0 : 0.0;
    solve_scales(a, size, rate, e, x, y);
    for (int j = 2; j < size; j++) { // a state that nothing feeds, by what it does to others
        if (x[j] > 0.0) continue;
        double unit = INFINITY;
        for (int i = 0; i < size; i++)
            if (i != j && a[i * size + j] > 0.0 && x[i] > 0.0)
                unit = fmin(unit, 0.1 * rate * x[i] / a[i * size + j]);
        e[j] = rate * (isfinite(unit) ? unit : 1.0);
    }
    solve_scales(a, size, rate, e, x, y);
    return rate;
}

double ss_actions_rate(ss_model* model, double stiffness, double damping)
{
    const ss_state_flow* flow = &model->actions->flow;
    size_t p = (size_t)model->open->state_count, size = 2 + p;
    double* a = ss_new(size * size + 4 * size + (size_t)model->n, sizeof *a);
    if (!a) {
        model->pool.failed = true;
        return INFINITY;
    }
    double *x = a + size * size, *e = x + size, *y = e + size, *pull = y + 2 * size;
    double inverse = inverse_norm(model);
    a[1] = 1.0;
    a[size] = stiffness;
    a[size + 1] = damping;
    for (size_t j = 0; j < p; j++) {
        a[size + 2 + j] = pull_norm(model, (int)j, pull);
        a[(2 + j) * size] = row_norm(model, &flow->places, (int)j, inverse);
        a[(2 + j) * size + 1] = row_norm(model, &flow->speeds, (int)j, inverse);
        for (int k = flow->own.start[j]; k < flow->own.start[j + 1]; k++)
            a[(2 + j) * size + 2 + (size_t)flow->own.index[k]] = fabs(flow->own.value[k]);
    }
    // Where nothing feeds back the series ends; the length of the run is then the time to go by.
    double least = 1.0 / fmax(model->until, 1e-6);
    double rate = rate_of(a, (int)size, least, x, e, y);
    free(a);
    return rate;
}

// ---- the system of first order

// What the states do, and what is done to them.
static void add_states(const ss_model* model, int size, double a[])
{
    const ss_state_flow* flow = &model->actions->flow;
    const ss_sparse* parts[3] = {&flow->places, &flow->speeds, &flow->own};
    int n = model->n;
    for (int i = 0; i < n; i++)
        for (int l = flow->pull.start[i]; l < flow->pull.start[i + 1]; l++)
            a[(n + i) * size + 2 * n + flow->pull.index[l]] += flow->pull.value[l];
    for (int j = 0; j < model->open->state_count; j++)
        for (int b = 0; b < 3; b++)
            for (int l = parts[b]->start[j]; l < parts[b]->start[j + 1]; l++)
                a[(2 * n + j) * size + b * n + parts[b]->index[l]] += parts[b]->value[l];
}

void ss_actions_system(const ss_model* model, double a[])
{
    const ss_operator* op = &model->matrices.flow;
    int n = model->n, size = 2 * n + (model->open ? model->open->state_count : 0);
    for (int i = 0; i < n; i++) {
        a[i * size + n + i] = 1.0;
        for (int l = op->start[i]; l < op->start[i + 1]; l++) {
            a[(n + i) * size + op->index[l]] -= op->stiffness[l];
            a[(n + i) * size + n + op->index[l]] -= op->damping[l];
        }
    }
    if (model->open) add_states(model, size, a);
}
