// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities of a run that is propagated through the ticks of its controller (sampled/tick_propagator.c).
// With y' = A y + c over a stretch, c = base + B m and m the memory, y(h) = y + Psi y'(0); so
//
//     dy(h) = dy + Psi dr + dPsi y'(0),     dr = A dy + dA y + dbase + dB m + B dm
//
// dA, dB and dPsi are made once per sensitivity: what the change of the model makes of each unit state and
// memory.
//
//   reads    the tables of the run, sensitivities and their memory
//   writes   sensitivities where the stretch ends
#include "engine/flow/linear/tick_propagator_tables.h"
#include "engine/sensitivity/run_hooks.h"
#include "engine/sensitivity/sensitivity.h"

#include <string.h>

enum { LARGEST = SS_TICK_PROPAGATOR_LARGEST, PARTS = SS_TICK_PROPAGATOR_PARTS };

struct ss_sensitivity_tick_propagator {
    const struct ss_tick_propagator* of; // NULL: the tables are not made
    bool turns;                          // whether A or B change at all
    double base[PARTS][LARGEST];
    double* rows[PARTS];    // y x (y, memory): (1 + Psi A, Psi B)
    double* changes[PARTS]; // y x (y, memory, y'): (Psi dA, Psi dB, dPsi)
};

// ---- tables

// Psi of a part, times a matrix whose rows are `count` long, into rows that are `apart`.
static void product(const struct ss_tick_propagator* g, int part, const double x[], int count, int apart,
                    double out[])
{
    for (int i = 0; i < g->size; i++)
        for (int j = 0; j < count; j++) {
            double sum = 0.0;
            for (int k = 0; k < g->size; k++) sum += g->psi[part][i][k] * x[k * count + j];
            out[i * apart + j] = sum;
        }
}

// How Psi of a part changes with A; change: dA, in rows that are `count` long.
static void fill_dpsi(const struct ss_tick_propagator* g, int part, const double change[], int count,
                      int apart, double out[])
{
    ss_tick_propagator_matrix a = {{0}}, da = {{0}}, psi, dpsi, flow;
    for (int i = 0; i < g->size; i++)
        for (int j = 0; j < g->size; j++) {
            a[i][j] = g->a[i][j];
            da[i][j] = change[i * count + j];
        }
    ss_tick_propagator_integrate(g->size, a, da, g->length[part], psi, dpsi, flow);
    for (int i = 0; i < g->size; i++)
        for (int j = 0; j < g->size; j++) out[i * apart + j] = (double)dpsi[i][j];
}

static void make_tables(ss_derivative* der, ss_sensitivity* to)
{
    const struct ss_tick_propagator* g = der->sim->values.tick_propagator;
    struct ss_sensitivity_tick_propagator* own = to->tick_propagator;
    int n = g->size, nm = der->nm, count = n + nm;
    double *now = own->changes[PARTS - 1] + n * (count + n), *change = now + n * count;
    own->of = g;
    own->turns = false;
    for (int c = 0; c < count; c++) {
        double column[LARGEST] = {0};
        ss_sensitivity_ask_unit(der, to, c, column + der->n);
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

// Room for the tables of a sensitivity, and for two matrices behind them; false where memory is lacking.
static bool make_room(ss_derivative* der, ss_sensitivity* to)
{
    size_t n = (size_t)(2 * der->n + der->ns), count = n + (size_t)der->nm;
    if (to->tick_propagator) return true;
    struct ss_sensitivity_tick_propagator* own = ss_pool_new(&der->pool, 1, sizeof *own);
    double* room = ss_pool_new(&der->pool, PARTS * n * (2 * count + n) + 2 * n * count, sizeof(double));
    if (!own || !room) return false;
    for (int part = 0; part < PARTS; part++, room += n * count) own->rows[part] = room;
    for (int part = 0; part < PARTS; part++, room += n * (count + n)) own->changes[part] = room;
    to->tick_propagator = own;
    return true;
}

void ss_sensitivity_take_tick_propagator(ss_derivative* der, const ss_sim* sim)
{
    der->kind.propagates_ticks =
        sim->values.tick_propagator && der->kind.linear && der->nz == 0 && der->nd == 0;
    for (int j = 0; j < der->count && der->kind.propagates_ticks; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        der->kind.propagates_ticks = ss_sensitivity_is_steady(to) && make_room(der, to);
        if (der->kind.propagates_ticks) to->tick_propagator->of = NULL;
    }
}

// ---- the motion

bool ss_sensitivity_propagates_ticks(const ss_sim* sim) { return sim->derivative->kind.propagates_ticks; }
bool ss_sensitivity_sticks(const ss_sim* sim)
{
    return sim->derivative->kept.propagator && sim->derivative->kind.linear;
}

void ss_sensitivity_begin_ticks(ss_sim* sim)
{
    ss_derivative* der = sim->derivative;
    for (int j = 0; j < der->count; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        double base[LARGEST];
        if (to->lost) continue;
        if (!to->tick_propagator->of) make_tables(der, to);
        for (int i = 0; i < der->n; i++) base[i] = 0.0;
        ss_sensitivity_ask_constants(der, to, true, base + der->n);
        for (int part = 0; part < PARTS; part++)
            product(to->tick_propagator->of, part, base, 1, 1, to->tick_propagator->base[part]);
    }
}

static inline double row_dot(const double row[], const double x[], int n, double sum)
{
    for (int j = 0; j < n; j++) sum += row[j] * x[j];
    return sum;
}

// What the change of the model adds over a stretch, to row i.
static double change_row(const ss_derivative* der, const struct ss_sensitivity_tick_propagator* own, int part,
                         int i, const double y[], const double rate[])
{
    int n = own->of->size;
    const double* row = own->changes[part] + (size_t)(i * (2 * n + der->nm));
    double sum = row_dot(row, y, n, own->base[part][i]);
    sum = row_dot(row + n, der->sim->open.memory, der->nm, sum);
    return row_dot(row + n + der->nm, rate, n, sum);
}

void ss_sensitivity_tick_propagator(ss_sim* sim, int part, const double y[], const double rate[])
{
    ss_derivative* der = sim->derivative;
    for (int j = 0; j < der->count; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        double dy[LARGEST];
        if (to->lost) continue;
        const struct ss_sensitivity_tick_propagator* own = to->tick_propagator;
        int n = own->of->size, count = n + der->nm;
        const double* row = own->rows[part];
        for (int i = 0; i < n; i++, row += count) // q, v, s and memory are one list
            dy[i] = row_dot(row, to->q, count,
                            own->turns ? change_row(der, own, part, i, y, rate) : own->base[part][i]);
        for (int i = 0; i < n; i++) to->q[i] = dy[i];
    }
    der->before.filled = false; // nothing happens at these instants but ticks
}
