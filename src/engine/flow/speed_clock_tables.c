// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Tables of speed-clock steps: Gauss's nodes, integrals of Lagrange's polynomials through them, and the
// linear system.
#include "engine/flow/linear/linear_works.h"
#include "engine/flow/speed_clock.h"
#include "model/actions.h"

#include <math.h>
#include <string.h>

enum { N = SS_SPEED_CLOCK_NODES };

// P_0 .. P_{last} at x.
static void legendre(double x, int last, double p[])
{
    p[0] = 1.0;
    p[1] = x;
    for (int k = 1; k < last; k++) p[k + 1] = ((2 * k + 1) * x * p[k] - k * p[k - 1]) / (k + 1);
}

// Nodes x in (-1, 1) and weights, by Newton's method.
static void find_nodes(int n, double x[], double weight[])
{
    const double pi = 3.141592653589793;
    double p[N + 2];
    for (int j = 0; j < n; j++) {
        double slope = 1.0, at = -cos(pi * (j + 0.75) / (n + 0.5));
        for (int round = 0; round < 8; round++) {
            legendre(at, n, p);
            slope = n * (at * p[n] - p[n - 1]) / (at * at - 1.0);
            at -= p[n] / slope;
        }
        x[j] = at;
        weight[j] = 2.0 / ((1.0 - at * at) * slope * slope);
    }
}

// Coefficient k of the polynomial through values f_j at the nodes is (2 k + 1)/2 sum_j w_j P_k(x_j) f_j; the
// integral of P_k from -1 to x is (P_{k+1} - P_{k-1})/(2 k + 1), of P_0 it is x + 1.
static void fill(ss_speed_clock_tables* t)
{
    int n = t->nodes;
    double x[N + 1], weight[N], p[N + 1][N + 2];
    find_nodes(n, x, weight);
    x[n] = 1.0;
    for (int i = 0; i <= n; i++) legendre(x[i], n, p[i]);
    for (int j = 0; j < n; j++) {
        t->node[j] = 0.5 * (1.0 + x[j]);
        t->weight[j] = 0.5 * weight[j];
        for (int k = 0; k < 2; k++) t->tail[k][j] = (2 * (n - k) - 1) * 0.5 * weight[j] * p[j][n - 1 - k];
        for (int i = 0; i <= n; i++) {
            double sum = 0.5 * (x[i] + 1.0);
            for (int k = 1; k < n; k++) sum += 0.5 * p[j][k] * (p[i][k + 1] - p[i][k - 1]);
            t->integral[j][i] = 0.5 * weight[j] * sum;
        }
    }
}

// Whether the forces of the model are of the kind that a speed-clock step knows: linear but for friction, and
// nothing given in time.
static bool may_speed_clock(const ss_sim* sim)
{
    const ss_model* model = sim->model;
    bool smooth = false;
    if (2 * model->n + sim->open.states > SS_SPEED_CLOCK_LARGEST || model->n == 0 ||
        isfinite(sim->def.escape) || sim->def.prove_escape || sim->pulls.has_cubic ||
        sim->step.laws.bristle_count > 0 || sim->step.laws.elastic_count > 0 || model->drive_count > 0 ||
        model->nature.one_way || !model->nature.steady)
        return false;
    if (model->open && (model->actions->motion.output_count > 0 || sim->open.varies)) return false;
    for (int i = 0; i < model->contact_count; i++) {
        if (sim->inputs.level_at[i] >= 0 || ss_is_stop(sim->model, i)) return false;
        smooth = smooth || model->contacts[i].law_entry->point.smooth;
    }
    return smooth;
}

// With the singularities of friction curves as far away as they are, each digit takes some four nodes.
static int count_nodes(double tolerance)
{
    int fours = (int)ceil(0.88 * (-log10(tolerance) - 1.5));
    return 4 * (fours < 3 ? 3 : fours > SS_SPEED_CLOCK_FOURS ? SS_SPEED_CLOCK_FOURS : fours) - 1;
}

void ss_speed_clock_allocate(ss_sim* sim)
{
    sim->ways.speed_clock = NULL;
    if (sim->pool.failed || !may_speed_clock(sim)) return;
    ss_speed_clock* speed_clock = ss_pool_new(&sim->pool, 1, sizeof *speed_clock);
    ss_speed_clock_tables* tables = ss_pool_spare(&sim->pool, 1, sizeof *tables);
    if (!speed_clock || !tables) return;
    double a[SS_SPEED_CLOCK_LARGEST * SS_SPEED_CLOCK_LARGEST] = {0.0};
    tables->nodes = count_nodes(sim->control.tolerance);
    tables->size = 2 * sim->model->n + sim->open.states;
    ss_actions_system(sim->model, a);
    for (int i = 0; i < tables->size; i++)
        for (int j = 0; j < tables->size; j++) tables->a[i][j] = a[i * tables->size + j];
    ss_works_matrices(sim->model, &sim->open, tables->damping, tables->input);
    fill(tables);
    speed_clock->tables = tables;
    sim->ways.speed_clock = speed_clock;
}

void ss_speed_clock_mark(ss_sim* sim)
{
    static const size_t pointers[] = {offsetof(ss_speed_clock, tables)};
    if (sim->ways.speed_clock)
        ss_image_mark_pointers(&sim->image, sim->ways.speed_clock, 1, sizeof(ss_speed_clock), pointers,
                               sizeof pointers / sizeof *pointers);
}
