// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings of a run that glides through the ticks of its controller (sampled/glide.c). With y' = A y + c over
// a stretch, c = base + B m and m the memory, y(h) = y + Psi y'(0); so
//
//     dy(h) = dy + Psi dr + dPsi y'(0),     dr = A dy + dA y + dbase + dB m + B dm
//
// dA, dB and dPsi are made once per heading: what the change of the model makes of each unit state and
// memory.
//
//   reads    the tables of the run, headings and their memory
//   writes   headings where the stretch ends
#include "engine/flow/glide_tables.h"
#include "engine/variation/variation.h"
#include "engine/variation/watch.h"

#include <string.h>

enum { LARGEST = SS_GLIDE_LARGEST, PARTS = SS_GLIDE_PARTS };

struct ss_vary_glide {
    const struct ss_glide* of; // NULL: the tables are not made
    bool turns;                // whether A or B change at all
    double base[PARTS][LARGEST];
    double* rows[PARTS];    // y x (y, memory): (1 + Psi A, Psi B)
    double* changes[PARTS]; // y x (y, memory, y'): (Psi dA, Psi dB, dPsi)
};

// ---- tables

// Psi of a part, times a matrix whose rows are `count` long, into rows that are `apart`.
static void product(const struct ss_glide* g, int part, const double x[], int count, int apart, double out[])
{
    for (int i = 0; i < g->size; i++)
        for (int j = 0; j < count; j++) {
            double sum = 0.0;
            for (int k = 0; k < g->size; k++) sum += g->psi[part][i][k] * x[k * count + j];
            out[i * apart + j] = sum;
        }
}

// How Psi of a part changes with A; change: dA, in rows that are `count` long.
static void fill_dpsi(const struct ss_glide* g, int part, const double change[], int count, int apart,
                      double out[])
{
    ss_glide_matrix a = {{0}}, da = {{0}}, psi, dpsi, flow;
    for (int i = 0; i < g->size; i++)
        for (int j = 0; j < g->size; j++) {
            a[i][j] = g->a[i][j];
            da[i][j] = change[i * count + j];
        }
    ss_glide_integrate(g->size, a, da, g->length[part], psi, dpsi, flow);
    for (int i = 0; i < g->size; i++)
        for (int j = 0; j < g->size; j++) out[i * apart + j] = (double)dpsi[i][j];
}

static void make_tables(ss_variation* var, ss_heading* to)
{
    const struct ss_glide* g = var->sim->held.glide;
    struct ss_vary_glide* own = to->glide;
    int n = g->size, nm = var->nm, count = n + nm;
    double *now = own->changes[PARTS - 1] + n * (count + n), *change = now + n * count;
    own->of = g;
    own->turns = false;
    for (int c = 0; c < count; c++) {
        double column[LARGEST] = {0};
        ss_vary_ask_unit(var, to, c, column + var->n);
        for (int i = 0; i < n; i++) {
            change[i * count + c] = column[i];
            now[i * count + c] = c < n ? g->a[i][c] : g->by_memory[i * nm + c - n];
            own->turns = own->turns || column[i] != 0.0;
        }
    }
    for (int part = 0; part < PARTS; part++) {
        product(g, part, now, count, count, own->rows[part]);
        for (int i = 0; i < n; i++) own->rows[part][i * count + i] += 1.0;
        if (!own->turns) continue;
        product(g, part, change, count, count + n, own->changes[part]);
        fill_dpsi(g, part, change, count, count + n, own->changes[part] + count);
    }
}

// Room for the tables of a heading, and for two matrices behind them; false where memory is lacking.
static bool make_room(ss_variation* var, ss_heading* to)
{
    size_t n = (size_t)(2 * var->n + var->ns), count = n + (size_t)var->nm;
    if (to->glide) return true;
    struct ss_vary_glide* own = ss_pool_new(&var->pool, 1, sizeof *own);
    double* room = ss_pool_new(&var->pool, PARTS * n * (2 * count + n) + 2 * n * count, sizeof(double));
    if (!own || !room) return false;
    for (int part = 0; part < PARTS; part++, room += n * count) own->rows[part] = room;
    for (int part = 0; part < PARTS; part++, room += n * (count + n)) own->changes[part] = room;
    to->glide = own;
    return true;
}

void ss_vary_take_glide(ss_variation* var, const ss_sim* sim)
{
    var->kind.glides = sim->held.glide && var->kind.linear && var->nz == 0 && var->nd == 0;
    for (int j = 0; j < var->count && var->kind.glides; j++) {
        ss_heading* to = &var->headings[j];
        var->kind.glides = ss_vary_is_steady(to) && make_room(var, to);
        if (var->kind.glides) to->glide->of = NULL;
    }
}

// ---- the motion

bool ss_vary_glides(const ss_sim* sim) { return sim->variation->kind.glides; }
bool ss_vary_sits(const ss_sim* sim) { return sim->variation->kept.coasting && sim->variation->kind.linear; }

void ss_vary_glide_from(ss_sim* sim)
{
    ss_variation* var = sim->variation;
    for (int j = 0; j < var->count; j++) {
        ss_heading* to = &var->headings[j];
        double base[LARGEST];
        if (to->lost) continue;
        if (!to->glide->of) make_tables(var, to);
        for (int i = 0; i < var->n; i++) base[i] = 0.0;
        ss_vary_ask_constants(var, to, true, base + var->n);
        for (int part = 0; part < PARTS; part++)
            product(to->glide->of, part, base, 1, 1, to->glide->base[part]);
    }
}

static inline double row_dot(const double row[], const double x[], int n, double sum)
{
    for (int j = 0; j < n; j++) sum += row[j] * x[j];
    return sum;
}

// What the change of the model adds over a stretch, to row i.
static double change_row(const ss_variation* var, const struct ss_vary_glide* own, int part, int i,
                         const double y[], const double rate[])
{
    int n = own->of->size;
    const double* row = own->changes[part] + (size_t)(i * (2 * n + var->nm));
    double sum = row_dot(row, y, n, own->base[part][i]);
    sum = row_dot(row + n, var->sim->open.memory, var->nm, sum);
    return row_dot(row + n + var->nm, rate, n, sum);
}

void ss_vary_glide(ss_sim* sim, int part, const double y[], const double rate[])
{
    ss_variation* var = sim->variation;
    for (int j = 0; j < var->count; j++) {
        ss_heading* to = &var->headings[j];
        double dy[LARGEST];
        if (to->lost) continue;
        const struct ss_vary_glide* own = to->glide;
        int n = own->of->size, count = n + var->nm;
        const double* row = own->rows[part];
        for (int i = 0; i < n; i++, row += count) // q, v, s and memory are one list
            dy[i] = row_dot(row, to->q, count,
                            own->turns ? change_row(var, own, part, i, y, rate) : own->base[part][i]);
        for (int i = 0; i < n; i++) to->q[i] = dy[i];
    }
    var->before.filled = false; // nothing happens at these instants but ticks
}
