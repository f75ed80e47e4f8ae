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

int ss_propagator_size(const ss_sim* sim, const ss_propagators* all)
{
    return 2 * (sim->model->n + all->waves.count);
}

// Numbers that the forms of a ledger take at each level.
static size_t form_size(const ss_sim* sim, const ss_propagators* all)
{
    size_t most = (size_t)ss_propagator_size(sim, all);
    return sim->def.ledger ? most * most : 0;
}

// Numbers that one mode takes.
static size_t size_of(const ss_sim* sim, const ss_propagators* all)
{
    size_t n = (size_t)sim->model->n, most = (size_t)ss_propagator_size(sim, all);
    size_t level = most + most * most + n * most + (all->waves.count > 0 ? 2 : 1) * form_size(sim, all);
    return (LEVELS + 1) * level + ss_modal_size(sim) + most * most + SS_GAUSS_POINTS * most * n;
}

static double* take(double** store, size_t count)
{
    double* taken = *store;
    *store += count;
    return taken;
}

static void lay_out(const ss_sim* sim, const ss_propagators* all, ss_propagator* p, double* store)
{
    size_t n = (size_t)sim->model->n, most = (size_t)ss_propagator_size(sim, all);
    for (int k = 0; k <= LEVELS; k++) {
        p->level[k].kept = take(&store, most);
        p->level[k].next = take(&store, most * most);
        p->level[k].way = take(&store, n * most);
        p->level[k].loss = take(&store, form_size(sim, all));
        p->level[k].gain = all->waves.count > 0 ? take(&store, form_size(sim, all)) : NULL;
    }
    p->square = take(&store, most * most);
    p->speed = take(&store, SS_GAUSS_POINTS * most * n);
    ss_modal_lay_out(sim, &p->modal, store);
}

// Room for the modes.
static void make_room(ss_sim* sim, ss_propagators* all)
{
    size_t size = size_of(sim, all), n = (size_t)sim->model->n, m = (size_t)sim->model->contact_count;
    all->count = size * MOST <= MOST_NUMBERS ? MOST : size < MOST_NUMBERS ? (int)(MOST_NUMBERS / size) : 1;
    // One piece, of which the pages that are never written cost nothing.
    double* store = ss_pool_spare(&sim->pool, size * (size_t)all->count, sizeof(double));
    all->of = ss_pool_spare(&sim->pool, (size_t)all->count, sizeof *all->of);
    for (int k = 0; k < all->count && all->of && store; k++) {
        ss_propagator* p = &all->of[k];
        p->mode = ss_pool_spare(&sim->pool, m, 1);
        p->modal.free = ss_pool_spare(&sim->pool, n, sizeof(int));
        p->level = ss_pool_spare(&sim->pool, LEVELS + 1, sizeof(ss_level));
        if (p->level) lay_out(sim, all, p, store + size * (size_t)k);
    }
}

ss_propagators* ss_propagators_allocate(ss_sim* sim)
{
    const ss_model* model = sim->model;
    ss_propagators* all = ss_pool_spare(&sim->pool, 1, sizeof *all);
    if (!all || !ss_harmonics_find(sim, &all->waves)) return NULL;
    all->order = 4;
    while (all->order < SS_MAX_ORDER - 4 && model->bounds.reach[all->order] < cell_reach) all->order++;
    all->cell =
        cell_reach / (model->bounds.rate + ss_highest_frequency(all->waves.count, all->waves.frequency));
    all->now = ss_pool_spare(&sim->pool, (size_t)model->contact_count, 1);
    all->force = ss_pool_spare(&sim->pool, (size_t)model->force_count, sizeof(double));
    all->series = ss_pool_spare(&sim->pool, (size_t)(all->order + 1) * (size_t)model->n, sizeof(double));
    make_room(sim, all);
    return sim->pool.failed ? NULL : all;
}

// ---- one cell

// Coefficient k of phi' for coordinate j, where the waves have the coefficients `wave`.
static double push(const ss_modal* modal, const ss_harmonics* waves, const double wave[], int j)
{
    const double* by = modal->wave + (size_t)j * 2 * (size_t)waves->count;
    double sum = 0.0;
    for (int w = 0; w < waves->count; w++)
        sum += waves->frequency[w] * (by[2 * w + 1] * wave[2 * w] - by[2 * w] * wave[2 * w + 1]);
    return sum;
}

// Series of eta' from unit state c: coefficients 0..order, r wide. The rates obey the equation of the motion.
static void run_series(const ss_modal* modal, const ss_propagators* all, int c, double series[])
{
    int r = modal->count;
    double wave[2 * SS_HARMONICS] = {0};
    memset(series, 0, 2 * (size_t)r * sizeof *series);
    if (c < 2 * r)
        series[c] = 1.0;
    else
        wave[c - 2 * r] = 1.0;
    for (int k = 0; k <= all->order - 2; k++) {
        const double *now = series + (size_t)k * (size_t)r, *rate = now + r;
        for (int i = 0; i < r; i++) {
            double sum = -push(modal, &all->waves, wave, i);
            for (int j = 0; j < r; j++)
                sum += modal->stiffness[i * r + j] * now[j] + (k + 1) * modal->damping[i * r + j] * rate[j];
            series[(k + 2) * r + i] = -sum / ((k + 1.0) * (k + 2.0));
        }
        ss_harmonics_next(all->waves.count, all->waves.frequency, wave, k);
    }
}

// Column c of N in the rows of the waves, which turn.
static void fill_waves(ss_propagator* p, const ss_propagators* all, int c)
{
    int first = 2 * p->modal.count, size = p->size;
    for (int w = 0; w < all->waves.count; w++) {
        double angle = all->waves.frequency[w] * all->cell, half = sin(0.5 * angle);
        int own = first + 2 * w;
        p->level[0].next[own * size + c] = c == own ? -2.0 * half * half : c == own + 1 ? -sin(angle) : 0.0;
        p->level[0].next[(own + 1) * size + c] = c == own       ? sin(angle)
                                                 : c == own + 1 ? -2.0 * half * half
                                                                : 0.0;
    }
}

// Column c of N and S, and the speeds at all points of the quadrature.
static void fill_column(ss_propagator* p, const ss_propagators* all, bool ledger, int c)
{
    int r = p->modal.count, size = p->size;
    double h = all->cell;
    run_series(&p->modal, all, c, all->series);
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
    fill_waves(p, all, c);
    for (int g = 0; g < SS_GAUSS_POINTS && ledger; g++) {
        double weight, s = ss_gauss_point(g, h, &weight);
        for (int i = 0; i < r; i++)
            p->speed[(g * size + c) * r + i] = ss_poly_value(all->series + i, r, all->order, s);
    }
}

// G of one cell: the integral of v^T C v.
static void fill_loss(ss_propagator* p, double cell)
{
    int r = p->modal.count, size = p->size;
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

// What harmonic forces put in on one cell: the integral of phi.v, by the waves (rows) and all variables.
static void fill_gain(ss_propagator* p, const ss_propagators* all)
{
    int r = p->modal.count, size = p->size, width = 2 * all->waves.count;
    double* gain = p->level[0].gain;
    memset(gain, 0, (size_t)(size * size) * sizeof(double));
    for (int g = 0; g < SS_GAUSS_POINTS; g++) {
        double weight, now[2 * SS_HARMONICS], s = ss_gauss_point(g, all->cell, &weight);
        ss_harmonics_at(&all->waves, s, now);
        for (int b = 0; b < size; b++) {
            const double* speed = p->speed + (g * size + b) * r;
            for (int w = 0; w < all->waves.count; w++) {
                double c = 0.0, d = 0.0; // powers per unit of cos and of sin at s
                for (int j = 0; j < r; j++) {
                    c += p->modal.wave[j * width + 2 * w] * speed[j];
                    d += p->modal.wave[j * width + 2 * w + 1] * speed[j];
                }
                double* row = gain + (size_t)(2 * r + 2 * w) * (size_t)size + b;
                row[0] += weight * (c * now[2 * w] + d * now[2 * w + 1]); // that began with cos = 1
                row[size] += weight * (d * now[2 * w] - c * now[2 * w + 1]);
            }
        }
    }
}

static bool make(ss_sim* sim, ss_propagator* p, const ss_propagators* all)
{
    p->made = ss_modal_make(sim, &p->modal, &all->waves);
    if (!p->made) return false;
    p->size = 2 * (p->modal.count + all->waves.count);
    for (int c = 0; c < p->size; c++) {
        fill_column(p, all, sim->def.ledger, c);
        p->level[0].kept[c] = 1.0;
    }
    if (sim->def.ledger) fill_loss(p, all->cell);
    if (sim->def.ledger && all->waves.count > 0) fill_gain(p, all);
    p->filled = 1;
    p->last_power = 0;
    return true;
}

void ss_propagator_mode(const ss_sim* sim, unsigned char mode[])
{
    for (int i = 0; i < sim->model->contact_count; i++) {
        const ss_contact_run* run = &sim->modes.contacts[i];
        bool slips =
            ss_slips(&sim->modes, i) && !ss_is_stop(sim->model, i); // either way: its force is a constant
        unsigned kind = slips ? SS_MODE_SLIP_PLUS : run->mode;
        mode[i] = (unsigned char)(kind << 1U | (unsigned)run->pinned);
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

// Form + P^T Form P; `to` may be `from`.
static void double_form(const ss_level* level, int n, const double from[], double to[], double product[])
{
    multiply_by(level, n, n, from, product);
    if (to != from) memcpy(to, from, (size_t)(n * n) * sizeof(double));
    add_transposed_product(n, level->next, product, to);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) to[i * n + j] += level->kept[i] * product[i * n + j];
}

// From 2^k cells to 2^(k+1); `to` may be `from`.
static void twice(const ss_propagator* p, const ss_level* from, ss_level* to, bool ledger)
{
    int r = p->modal.count, n = p->size;
    double* product = p->square;
    if (ledger) double_form(from, n, from->loss, to->loss, product);
    if (ledger && from->gain) double_form(from, n, from->gain, to->gain, product);
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

// x^T form x
static double form_at(const double form[], int n, const double x[])
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double row = 0.0;
        for (int j = 0; j < n; j++) row += form[i * n + j] * x[j];
        sum += x[i] * row;
    }
    return sum;
}

// Crosses the cells of one level.
static void cross(const ss_propagator* p, const ss_level* cells, double u[], double moved[], ss_works* works)
{
    int r = p->modal.count, n = p->size;
    double* later = u + n;
    if (works) works->lost += form_at(cells->loss, n, u);
    if (works && cells->gain) works->gained += form_at(cells->gain, n, u);
    for (int i = 0; i < n; i++) {
        double rate = 0.0, way = 0.0;
        for (int j = 0; j < n; j++) {
            rate += cells->next[i * n + j] * u[j];
            if (i < r) way += cells->way[i * n + j] * u[j];
        }
        later[i] = cells->kept[i] * u[i] + rate;
        if (i < r) moved[i] += way;
    }
    memcpy(u, later, (size_t)n * sizeof(double));
}

void ss_propagate(const ss_sim* sim, ss_propagator* p, double cells, double u[], double moved[],
                  ss_works* works)
{
    double left = cells;
    for (int power = 0; left > 0.0; power++) {
        const ss_level* level = level_of(p, power, sim->def.ledger);
        if (fmod(left, 2.0) != 0.0) cross(p, level, u, moved, sim->def.ledger ? works : NULL);
        left = floor(0.5 * left);
    }
}

void ss_propagator_rates(ss_sim* sim, const ss_propagators* all, const ss_propagator* p, double t, double u[])
{
    double* wave = u + 2 * (size_t)p->modal.count;
    ss_harmonics_at(&all->waves, t, wave);
    for (int f = 0; f < sim->model->force_count; f++)
        all->force[f] = ss_harmonics_force(&all->waves, f, wave);
    ss_modal_rates(sim, &p->modal, all->force, u);
}
