// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How the table of a mode is made. In one mode accelerations, rates of states and forces are
//
//     (q'', s', lambda)_k = R y_k + r (k = 0 alone),      y = (q, q', s, waves)
//
// order by order, R and r being those of the field. The rest is small dense algebra: the series of every
// column, what they do in the first cell, and from node to node the same sums again.
#include "engine/field/field.h"
#include "engine/flow/linear/harmonic.h"
#include "engine/flow/linear/linear_propagator_tables.h"
#include "engine/flow/linear/linear_propagator_waves.h"
#include "engine/run/step_state.h"

#include "core/algebra/polynomial.h"

#include <math.h>
#include <string.h>

enum {
    LARGEST = SS_LINEAR_PROPAGATOR_LARGEST,
    WIDE = SS_LINEAR_PROPAGATOR_WIDE,
    COLUMNS = SS_LINEAR_PROPAGATOR_COLUMNS,
    RESPONSE = 3 * LARGEST, // numbers of (q'', s', lambda)
    FIRST_BEND = 4,         // orders of the fourth derivative that are looked at one by one
    BENDS = 3,
    LOOKS = 2 + BENDS, // numbers of an event function at a node: value, slope, and these orders
    NODE = SS_LINEAR_PROPAGATOR_MOTION + LOOKS * LARGEST + WIDE
};

// Columns for ss_linear_propagator_sum_of: those of the motion, one that is added, the others.
typedef struct response {
    double column[COLUMNS + 2][RESPONSE];
} response;

// Rows that go from node to node: the next node, then the event functions there. tail: bounds on the orders
// of the fourth derivative that are left.
typedef struct nodes {
    double column[COLUMNS + 2][NODE];
    double tail[COLUMNS + 1][LARGEST];
} nodes;

static size_t place_of(const struct ss_linear_propagator* propagator, int c)
{
    return (size_t)(c < propagator->motion ? c : c + 1);
}

// ---- R and r

// What holds takes from the accelerations of a column what would move it, and is copied from what it follows.
static void hold(const ss_sim* sim, double a[], double lambda[])
{
    for (int j = 0; j < sim->modes.active_count; j++)
        ss_field_hold(sim->field, sim->modes.active[j], 1.0, NULL, a, lambda);
    ss_constrain(sim->model, &sim->modes, 0.0, NULL, a);
}

// The columns of places, speeds and states: the derivatives of the field.
static void respond_to_state(const ss_sim* sim, response* to)
{
    int n = sim->model->n, states = sim->open.states, m = sim->model->contact_count;
    int rows = n + states, width = n + rows;
    double jacobian[2 * LARGEST * 3 * LARGEST], forces[LARGEST * 3 * LARGEST];
    ss_field_jacobian(sim->field, NULL, jacobian, forces);
    for (int c = 0; c < width; c++) {
        double* out = to->column[c];
        for (int r = 0; r < rows; r++) out[r] = jacobian[r * width + c];
        for (int i = 0; i < m; i++) out[rows + i] = forces[i * width + c];
        ss_constrain(sim->model, &sim->modes, 0.0, NULL, out);
    }
}

// The column of a wave: the forces that go with it.
static void respond_to_wave(const ss_sim* sim, int wave, double out[])
{
    const ss_linear_propagator_waves* waves = &sim->ways.propagator->waves;
    for (int f = 0; f < sim->model->force_count; f++) {
        const ss_row* row = &sim->model->forces[f].mobility;
        const ss_harmonic* part = &waves->part[f][wave / 2];
        double force = wave % 2 == 0 ? part->cosine : part->sine;
        for (int k = 0; k < row->count; k++) out[row->index[k]] += row->value[k] * force;
    }
    hold(sim, out, out + sim->model->n);
}

// The last column: what is constant, the means of forces that vary included. Where accelerations and rates
// that are constant between instants have columns of their own, it is friction alone.
static void respond_to_constants(const ss_sim* sim, double out[])
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    const double zero[2 * LARGEST] = {0.0};
    int n = sim->model->n;
    ss_field field = *sim->field;
    if (propagator->columns > propagator->motion) field.constant = field.constant_rate = zero;
    ss_field_point at = {.q = zero, .v = zero, .s = zero, .given = {.force = propagator->waves.mean}};
    ss_field_rates(&field, &at, out, out + n + sim->open.states);
    ss_constrain(sim->model, &sim->modes, 0.0, NULL, out);
}

// All columns. The constant part is that of the origin, the others leave all that is constant out: so
// mirrored modes have mirrored tables, to the bit.
static void respond(const ss_sim* sim, response* to)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    int n = sim->model->n, states = sim->open.states, motion = propagator->motion;
    memset(to, 0, sizeof *to);
    respond_to_state(sim, to);
    for (int w = 0; w < 2 * propagator->waves.count; w++) respond_to_wave(sim, w, to->column[2 * n + w]);
    for (int c = motion; c < propagator->columns; c++) {
        double* out = to->column[place_of(propagator, c)];
        out[c - motion] = 1.0;
        if (c - motion < n) hold(sim, out, out + n + states);
    }
    respond_to_constants(sim, to->column[place_of(propagator, propagator->columns)]);
}

// ---- a column at its start

// Coefficients 0, 1, .. of places, states and forces, each as wide as there are.
typedef struct series {
    double q[(SS_MAX_ORDER + 1) * LARGEST], s[(SS_MAX_ORDER + 1) * LARGEST],
        lambda[(SS_MAX_ORDER + 1) * LARGEST];
} series;

// The series of column c, whose motion begins at a unit state or at 0.
static void run_series(const ss_sim* sim, const response* by, int c, series* out)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    ss_linear_propagator_summation* sum = ss_linear_propagator_sum_of(propagator->motion);
    int n = sim->model->n, states = sim->open.states, m = sim->model->contact_count;
    double y[SS_LINEAR_PROPAGATOR_MOTION] = {0.0}, now[RESPONSE + WIDE];
    if (c < propagator->motion) y[c] = 1.0;
    memcpy(out->q, y, 2 * (size_t)n * sizeof *y);
    memcpy(out->s, y + 2 * n, (size_t)states * sizeof *y);
    memcpy(now, by->column[place_of(propagator, c)], sizeof(double[RESPONSE]));
    for (int k = 0; k <= propagator->order - 2; k++) {
        double *q = out->q + k * n, *s = out->s + k * states;
        if (k > 0) {
            for (int i = 0; i < n; i++) y[i] = q[i];
            for (int i = 0; i < n; i++) y[n + i] = (k + 1) * q[n + i];
            for (int j = 0; j < states; j++) y[2 * n + j] = s[j];
            sum(by->column[0], RESPONSE, (size_t)(n + states + m), y, now);
        }
        for (int i = 0; i < n; i++) q[2 * n + i] = now[i] / ((k + 1) * (k + 2));
        for (int j = 0; j < states; j++) s[states + j] = now[n + j] / (k + 1);
        memcpy(out->lambda + k * m, now + n + states, (size_t)m * sizeof *now);
        ss_harmonics_next(propagator->waves.count, propagator->waves.frequency, y + 2 * n, k);
    }
}

double ss_linear_propagator_sign(const ss_modes* modes, int i)
{
    ss_mode mode = modes->contacts[i].mode;
    return mode == SS_MODE_SLIP_PLUS ? 1.0 : mode == SS_MODE_SLIP_MINUS ? -1.0 : 0.0;
}

// Event functions along a series, coefficients times cell^k.
static void fill_functions(const ss_sim* sim, const series* of, double function[])
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    int n = sim->model->n, m = sim->model->contact_count, order = propagator->order;
    for (int i = 0; i < m; i++) {
        const ss_row* row = &sim->model->contacts[i].q;
        double sign = ss_linear_propagator_sign(&sim->modes, i), power = 1.0;
        for (int k = 0; k < order; k++, power *= propagator->cell) {
            double value = 0.0; // forces are known up to order - 2
            if (sign != 0.0)
                value = sign * (k + 1) * ss_row_dot(row, of->q + (k + 1) * n);
            else if (k <= order - 2)
                value = of->lambda[k * m + i];
            *function++ = value * power;
        }
    }
}

// Rows of column c that belong to its start, and the node after one cell.
static void fill_start(const ss_sim* sim, const response* by, int c, double column[],
                       ss_linear_propagator_works* works)
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    size_t n = (size_t)sim->model->n, m = (size_t)sim->model->contact_count,
           states = (size_t)sim->open.states;
    size_t count = (size_t)(propagator->order - 1), d = sizeof(double);
    double* node = column + propagator->at.nodes;
    series of;
    run_series(sim, by, c, &of);
    memcpy(column + propagator->at.series, of.q + 2 * n, count * n * d);
    memcpy(column + propagator->at.states, of.s + states, count * states * d);
    memcpy(column + propagator->at.forces, of.lambda, count * m * d);
    fill_functions(sim, &of, column + propagator->at.functions);
    ss_sum_series(of.q, (int)n, propagator->order, propagator->cell, node, node + n);
    for (size_t j = 0; j < states; j++)
        node[2 * n + j] = ss_poly_value(of.s + j, (int)states, propagator->order - 1, propagator->cell);
    if (propagator->waves.count > 0) ss_waves_fill(sim, c - 2 * (int)n, column);
    ss_linear_propagator_look(sim, c, of.q, of.s, column, works);
    memset(column + propagator->at.height - (WIDE - 1), 0, (WIDE - 1) * d);
}

// ---- from node to node

// The rows that go from node to node, as column c has them at its start. Order k of an event function is
// taken times k (k - 1) (k - 2) (k - 3)/cell^4, as the fourth derivative has it.
static void look_at_start(const struct ss_linear_propagator* propagator, int m, int c, const double column[],
                          nodes* to)
{
    int order = propagator->order;
    double *out = to->column[place_of(propagator, c)], *look = out + propagator->motion;
    double square = propagator->cell * propagator->cell, fourth = 1.0 / (square * square);
    memcpy(out, column + propagator->at.nodes, (size_t)propagator->motion * sizeof *out);
    for (int i = 0; i < m; i++) {
        const double* f = column + propagator->at.functions + (size_t)(i * order);
        look[i] = f[0];
        look[m + i] = f[1] / 3.0;
        to->tail[c][i] = 0.0;
        for (int k = FIRST_BEND; k <= order - 2 || k < FIRST_BEND + BENDS; k++) {
            double bend = k <= order - 2 ? fourth * (k * (k - 1) * (k - 2) * (k - 3)) * f[k] : 0.0;
            if (k < FIRST_BEND + BENDS)
                look[(k - FIRST_BEND + 2) * m + i] = bend;
            else
                to->tail[c][i] += fabs(bend);
        }
    }
}

// What column c says of the event functions at its node j. The fourth derivative is at most the sum of its
// orders' sizes; y: the motion there.
static void fill_node(const struct ss_linear_propagator* propagator, const nodes* by, int m, int c, int j,
                      const double y[], const double look[], double column[])
{
    memcpy(column + propagator->at.values + (size_t)(2 * j * m), look, 2 * (size_t)m * sizeof *look);
    if (j == SS_LINEAR_PROPAGATOR_CELLS) return;
    double bend[LARGEST] = {0.0};
    for (int b = 0; b < propagator->motion && j > 0; b++)
        for (int i = 0; i < LARGEST; i++) bend[i] += by->tail[b][i] * fabs(y[b]);
    for (int i = 0; i < m; i++) {
        if (j == 0 || c >= propagator->motion) bend[i] += by->tail[c][i];
        for (int k = 2; k < LOOKS; k++) bend[i] += fabs(look[k * m + i]);
    }
    double* most = column + propagator->at.bends;
    for (int i = 0; i < m; i++)
        if (j == 0 || !(bend[i] <= most[i])) most[i] = bend[i];
}

// Rows of column c at all nodes. The flow is linear: what a node makes of the functions and of the next node
// is what the starts of the columns make of them, weighted by the state there; and what acts on and on is
// added.
static void fill_nodes(const struct ss_linear_propagator* propagator, nodes* by, int m, int c,
                       double column[])
{
    ss_linear_propagator_summation* sum = ss_linear_propagator_sum_of(propagator->motion);
    size_t motion = (size_t)propagator->motion;
    double *own = by->column[place_of(propagator, c)], *added = by->column[motion], out[NODE];
    if (c >= propagator->motion)
        memcpy(added, own, sizeof(double[NODE]));
    else
        memset(added, 0, sizeof(double[NODE]));
    fill_node(propagator, by, m, c, 0, NULL, own + motion, column);
    for (int j = 1; j <= SS_LINEAR_PROPAGATOR_CELLS; j++) {
        double* y = column + propagator->at.nodes + (size_t)(j - 1) * motion;
        sum(by->column[0], NODE, motion + (size_t)(LOOKS * m), y, out);
        fill_node(propagator, by, m, c, j, y, out + motion, column);
        if (j < SS_LINEAR_PROPAGATOR_CELLS) memcpy(y + motion, out, motion * sizeof *out);
    }
}

void ss_linear_propagator_fill(const ss_sim* sim, double columns[])
{
    const struct ss_linear_propagator* propagator = sim->ways.propagator;
    int count = propagator->columns, m = sim->model->contact_count;
    size_t height = propagator->at.height;
    response by;
    nodes at = {0};
    ss_linear_propagator_works works;
    ss_linear_propagator_begin_works(sim->model, &sim->open, &sim->ways, &works);
    respond(sim, &by);
    for (int c = 0; c <= count; c++) fill_start(sim, &by, c, columns + (size_t)c * height, &works);
    ss_linear_propagator_fill_works(sim->model, &sim->ways, &works, columns);
    for (int c = 0; c <= count; c++) look_at_start(propagator, m, c, columns + (size_t)c * height, &at);
    for (int c = 0; c <= count; c++) fill_nodes(propagator, &at, m, c, columns + (size_t)c * height);
}
