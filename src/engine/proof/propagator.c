// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Propagators: how they are made and kept. propagator.h says what they are.
#include "engine/proof/propagator.h"

#include "core/algebra/polynomial.h"
#include "core/algebra/quadrature.h"
#include "core/algebra/wide.h"

#include <math.h>
#include <string.h>

enum {
    LEVELS = SS_PROPAGATOR_LEVELS,
    MOST = 8,              // modes whose matrices are kept
    MOST_NUMBERS = 1 << 20 // numbers that they may take together, if one mode takes less
};
static const double cell_reach = 0.5; // rate times the length of a cell

// ---- room

// Numbers that one mode takes.
static size_t size_of(const ss_sim* sim)
{
    size_t n = (size_t)sim->model->n, most = 2 * n;
    size_t level = most + most * most + n * most + (sim->def.ledger ? most * most : 0);
    return (LEVELS + 1) * level + ss_modal_size(sim) + most * most + SS_GAUSS_POINTS * most * n;
}

static double* take(double** store, size_t count)
{
    double* taken = *store;
    *store += count;
    return taken;
}

static void lay_out(const ss_sim* sim, ss_propagator* p, double* store)
{
    size_t n = (size_t)sim->model->n, most = 2 * n;
    for (int k = 0; k <= LEVELS; k++) {
        p->level[k].kept = take(&store, most);
        p->level[k].next = take(&store, most * most);
        p->level[k].way = take(&store, n * most);
        p->level[k].loss = take(&store, sim->def.ledger ? most * most : 0);
    }
    p->square = take(&store, most * most);
    p->speed = take(&store, SS_GAUSS_POINTS * most * n);
    ss_modal_lay_out(sim, &p->modal, store);
}

ss_propagators* ss_propagators_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    size_t size = size_of(sim), n = (size_t)model->n, m = (size_t)model->contact_count;
    ss_propagators* all = ss_pool_spare(&sim->pool, 1, sizeof *all);
    if (!all) return NULL;
    all->count = size * MOST <= MOST_NUMBERS ? MOST : size < MOST_NUMBERS ? (int)(MOST_NUMBERS / size) : 1;
    all->order = 4;
    while (all->order < SS_MAX_ORDER - 4 && model->bounds.reach[all->order] < cell_reach) all->order++;
    all->cell = cell_reach / model->bounds.rate;
    // One piece, of which the pages that are never written cost nothing.
    double* store = ss_pool_spare(&sim->pool, size * (size_t)all->count, sizeof(double));
    all->of = ss_pool_spare(&sim->pool, (size_t)all->count, sizeof *all->of);
    all->now = ss_pool_spare(&sim->pool, m, 1);
    all->series = ss_pool_spare(&sim->pool, (size_t)(all->order + 1) * n, sizeof(double));
    for (int k = 0; k < all->count && all->of && store; k++) {
        ss_propagator* p = &all->of[k];
        p->mode = ss_pool_spare(&sim->pool, m, 1);
        p->modal.free = ss_pool_spare(&sim->pool, n, sizeof(int));
        p->level = ss_pool_spare(&sim->pool, LEVELS + 1, sizeof(ss_level));
        if (p->level) lay_out(sim, p, store + size * (size_t)k);
    }
    return sim->pool.failed ? NULL : all;
}

// ---- one cell

// Series of eta' from unit state c: coefficients 0..order, r wide. The rates obey the equation of the motion.
static void run_series(const ss_modal* modal, int order, int c, double series[])
{
    int r = modal->count;
    memset(series, 0, 2 * (size_t)r * sizeof *series);
    series[c] = 1.0;
    for (int k = 0; k <= order - 2; k++) {
        const double *now = series + (size_t)k * (size_t)r, *rate = now + r;
        for (int i = 0; i < r; i++) {
            double sum = 0.0;
            for (int j = 0; j < r; j++)
                sum += modal->stiffness[i * r + j] * now[j] + (k + 1) * modal->damping[i * r + j] * rate[j];
            series[(k + 2) * r + i] = -sum / ((k + 1.0) * (k + 2.0));
        }
    }
}

// Column c of N and S, and the speeds at all points of the quadrature.
static void fill_column(ss_propagator* p, const ss_propagators* all, bool ledger, int c)
{
    int r = p->modal.count, size = 2 * r;
    double h = all->cell;
    run_series(&p->modal, all->order, c, all->series);
    for (int j = 0; j < r; j++) {
        double speed = 0.0, slope = 0.0, way = 0.0; // without what D has of them
        for (int k = all->order; k >= 0; k--) {
            double q = all->series[k * r + j];
            if (k >= 1) speed = (speed + q) * h;
            if (k >= 2) slope = (slope + k * q) * h;
            way = way * h + q / (k + 1);
        }
        p->level[0].next[j * size + c] = speed;
        p->level[0].next[(r + j) * size + c] = slope;
        p->level[0].way[j * size + c] = way * h;
    }
    for (int g = 0; g < SS_GAUSS_POINTS && ledger; g++) {
        double weight, s = ss_gauss_point(g, h, &weight);
        for (int i = 0; i < r; i++)
            p->speed[(g * size + c) * r + i] = ss_poly_value(all->series + i, r, all->order, s);
    }
}

// G of one cell: the integral of v^T C v.
static void fill_loss(ss_propagator* p, double cell)
{
    int r = p->modal.count, size = 2 * r;
    double *loss = p->level[0].loss, *force = p->square;
    memset(loss, 0, (size_t)(size * size) * sizeof(double));
    for (int g = 0; g < SS_GAUSS_POINTS; g++) {
        double weight;
        ss_gauss_point(g, cell, &weight);
        for (int b = 0; b < size; b++) {
            const double* speed = p->speed + (g * size + b) * r;
            for (int i = 0; i < r; i++) {
                force[i] = 0.0;
                for (int k = 0; k < r; k++) force[i] += weight * p->modal.loss[i * r + k] * speed[k];
            }
            for (int a = 0; a < size; a++)
                for (int i = 0; i < r; i++) loss[a * size + b] += p->speed[(g * size + a) * r + i] * force[i];
        }
    }
}

static bool make(ss_sim* sim, ss_propagator* p, const ss_propagators* all)
{
    p->made = ss_modal_make(sim, &p->modal);
    if (!p->made) return false;
    for (int c = 0; c < 2 * p->modal.count; c++) {
        fill_column(p, all, sim->def.ledger, c);
        p->level[0].kept[c] = 1.0;
    }
    if (sim->def.ledger) fill_loss(p, all->cell);
    p->filled = 1;
    p->last_power = 0;
    return true;
}

void ss_propagator_mode(const ss_sim* sim, unsigned char mode[])
{
    for (int i = 0; i < sim->model->contact_count; i++) {
        const ss_contact_run* run = &sim->modes.contacts[i];
        mode[i] = (unsigned char)((unsigned)run->mode << 1U | (unsigned)run->pinned);
    }
}

ss_propagator* ss_propagator_now(ss_sim* sim, ss_propagators* all)
{
    size_t m = (size_t)sim->model->contact_count;
    unsigned char* mode = all->now;
    ss_propagator *oldest = &all->of[0], *found = NULL;
    ss_propagator_mode(sim, mode);
    for (int k = 0; k < all->count && !found; k++) {
        ss_propagator* p = &all->of[k];
        if (p->made && memcmp(p->mode, mode, m) == 0) found = p;
        if (p->used < oldest->used) oldest = p;
    }
    if (!found) {
        found = oldest;
        memcpy(found->mode, mode, m);
        if (!make(sim, found, all)) return NULL;
    }
    found->used = ++all->asked;
    return found;
}

// ---- many cells

// out = a b, rows x n times n x n.
SS_WIDE static void multiply(int rows, int n, const double* restrict a, const double* restrict b,
                             double* restrict out)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++) out[i * n + j] = 0.0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) out[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

// out += a^T b, n x n each.
SS_WIDE static void add_transposed_product(int n, const double* restrict a, const double* restrict b,
                                           double* restrict out)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) out[i * n + j] += a[k * n + i] * b[k * n + j];
}

// P^2 = D + (D N + N D + N N), in place; rows that have moved far go from D to N.
static void square(int n, double kept[], double next[], double product[])
{
    multiply(n, n, next, next, product);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) product[i * n + j] += (kept[i] + kept[j]) * next[i * n + j];
    memcpy(next, product, (size_t)(n * n) * sizeof *next);
    for (int i = 0; i < n; i++) {
        if (kept[i] == 0.0 || fabs(next[i * n + i]) < 0.5) continue;
        kept[i] = 0.0;
        next[i * n + i] += 1.0;
    }
}

// out = a P, rows x n.
static void multiply_by(const ss_level* level, int rows, int n, const double a[], double out[])
{
    multiply(rows, n, a, level->next, out);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) out[i * n + j] += a[i * n + j] * level->kept[j];
}

// From 2^k cells to 2^(k+1); `to` may be `from`.
static void twice(const ss_propagator* p, const ss_level* from, ss_level* to, bool ledger)
{
    int r = p->modal.count, n = 2 * r;
    double* product = p->square;
    if (ledger) {
        multiply_by(from, n, n, from->loss, product);
        if (to != from) memcpy(to->loss, from->loss, (size_t)(n * n) * sizeof(double));
        add_transposed_product(n, from->next, product, to->loss);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) to->loss[i * n + j] += from->kept[i] * product[i * n + j];
    }
    multiply_by(from, r, n, from->way, product);
    for (int i = 0; i < r * n; i++) to->way[i] = from->way[i] + product[i];
    if (to != from) {
        memcpy(to->next, from->next, (size_t)(n * n) * sizeof(double));
        memcpy(to->kept, from->kept, (size_t)n * sizeof(double));
    }
    square(n, to->kept, to->next, product);
}

// What 2^power cells do. Powers beyond those kept are asked for in ascending order.
static const ss_level* level_of(ss_propagator* p, int power, bool ledger)
{
    ss_level* last = &p->level[LEVELS];
    for (; p->filled <= power && p->filled < LEVELS; p->filled++)
        twice(p, &p->level[p->filled - 1], &p->level[p->filled], ledger);
    if (power < LEVELS) return &p->level[power];
    if (p->last_power < LEVELS || p->last_power > power) {
        twice(p, &p->level[LEVELS - 1], last, ledger);
        p->last_power = LEVELS;
    }
    for (; p->last_power < power; p->last_power++) twice(p, last, last, ledger);
    return last;
}

// Crosses the cells of one level; returns what dampers take on the way.
static double cross(const ss_propagator* p, const ss_level* cells, bool ledger, double u[], double moved[])
{
    int r = p->modal.count, n = 2 * r;
    double *later = u + n, lost = 0.0;
    for (int i = 0; i < n; i++) {
        double rate = 0.0, share = 0.0, way = 0.0;
        for (int j = 0; j < n; j++) {
            rate += cells->next[i * n + j] * u[j];
            if (ledger) share += cells->loss[i * n + j] * u[j];
            if (i < r) way += cells->way[i * n + j] * u[j];
        }
        later[i] = cells->kept[i] * u[i] + rate;
        lost += u[i] * share;
        if (i < r) moved[i] += way;
    }
    memcpy(u, later, (size_t)n * sizeof(double));
    return lost;
}

double ss_propagate(ss_sim* sim, ss_propagator* p, double cells, double u[], double moved[])
{
    double lost = 0.0, left = cells;
    for (int power = 0; left > 0.0; power++) {
        const ss_level* level = level_of(p, power, sim->def.ledger);
        if (fmod(left, 2.0) != 0.0) lost += cross(p, level, sim->def.ledger, u, moved);
        left = floor(0.5 * left);
    }
    return lost;
}
