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
#include "engine/flow/contact.h"
#include "engine/sampled/glide.h"
#include "engine/variation/variation.h"
#include "engine/variation/watch.h"

#include <string.h>

enum { LARGEST = SS_GLIDE_LARGEST, PARTS = SS_GLIDE_PARTS };

struct ss_vary_glide {
    const struct ss_glide* of; // NULL: the tables are not made
    bool turns, writes;        // whether A, and B, change at all
    double da[LARGEST][LARGEST], dpsi[PARTS][LARGEST][LARGEST];
    double base[LARGEST];
    double* by_memory; // dB
};

// ---- tables

static void clear(const ss_variation* var, ss_values* at)
{
    size_t d = sizeof(double), n = (size_t)var->n;
    memset(at->q, 0, n * d);
    memset(at->v, 0, n * d);
    memset(at->a, 0, n * d);
    memset(at->states, 0, (size_t)var->ns * d);
    memset(at->lambda, 0, (size_t)var->m * d);
    memset(at->force, 0, (size_t)var->model->force_count * d);
    memset(at->vars, 0, (size_t)var->model->open->variable_count * d);
    at->t = var->sim->step.t;
    at->s = 0.0;
    at->pace = 1.0;
}

// What the change of the model adds to the rates of a heading that is 0 and has no memory.
static void ask_change(ss_variation* var, ss_heading* to, double out[])
{
    const ss_linear* lin = &var->points[0];
    ss_delta* io = &var->delta;
    int n = var->n;
    memset(var->room.zero, 0, (size_t)var->width * sizeof(double));
    io->q = var->room.zero;
    io->v = io->q + n;
    io->s = io->v + n;
    io->z = io->s + var->ns;
    io->m = NULL;
    io->offset = lin->at.constant ? to->offset : NULL;
    ss_given_at(var, to, &lin->at, io);
    ss_linear_apply(var, lin, to, io);
    if (to->change) ss_change_add(var, to, lin, io);
    memset(out, 0, (size_t)n * sizeof(double));
    memcpy(out + n, io->a, (size_t)n * sizeof(double));
    memcpy(out + 2 * n, io->rate, (size_t)var->ns * sizeof(double));
}

// The same for unit number c of the state, then of the memory, without anything constant: as in any order of
// a series but the first.
static void ask_unit(ss_variation* var, ss_heading* to, int c, double out[])
{
    const ss_model* model = var->model;
    const ss_open* open = model->open;
    ss_values* at = &var->points[0].at;
    int n = var->n, size = 2 * n + var->ns;
    clear(var, at);
    at->order = 1;
    at->constant = false;
    if (c < n) at->q[c] = 1.0;
    if (c >= n && c < 2 * n) at->v[c - n] = 1.0;
    if (c >= 2 * n && c < size) at->states[c - 2 * n] = at->vars[open->first_state + c - 2 * n] = 1.0;
    if (c >= size) at->vars[open->first_memory + c - size] = 1.0;
    for (int b = 0; b < model->body_count; b++) {
        at->vars[b] = ss_row_dot(&model->bodies[b].row, at->q);
        at->vars[open->first_speed + b] = ss_row_dot(&model->bodies[b].row, at->v);
    }
    ask_change(var, to, out);
}

static void fill_parts(const struct ss_glide* g, struct ss_vary_glide* own)
{
    ss_glide_matrix a = {{0}}, da = {{0}}, psi, dpsi, flow;
    for (int i = 0; i < g->size; i++)
        for (int j = 0; j < g->size; j++) {
            a[i][j] = g->a[i][j];
            da[i][j] = own->da[i][j];
        }
    for (int part = 0; part < PARTS; part++) {
        ss_glide_integrate(g->size, a, da, g->length[part], psi, dpsi, flow);
        for (int i = 0; i < g->size; i++)
            for (int j = 0; j < g->size; j++) own->dpsi[part][i][j] = (double)dpsi[i][j];
    }
}

static void make_tables(ss_variation* var, ss_heading* to)
{
    const struct ss_glide* g = var->sim->held.glide;
    struct ss_vary_glide* own = to->glide;
    own->of = g;
    own->turns = own->writes = false;
    for (int c = 0; c < g->size + var->nm; c++) {
        double column[LARGEST];
        ask_unit(var, to, c, column);
        for (int i = 0; i < g->size; i++) {
            if (c < g->size) own->da[i][c] = column[i];
            if (c >= g->size) own->by_memory[i * var->nm + c - g->size] = column[i];
            if (column[i] != 0.0) *(c < g->size ? &own->turns : &own->writes) = true;
        }
    }
    if (own->turns) fill_parts(g, own);
}

// Room for the tables of a heading; false where memory is lacking.
static bool make_room(ss_variation* var, ss_heading* to)
{
    if (to->glide) return true;
    struct ss_vary_glide* own = ss_pool_new(&var->pool, 1, sizeof *own);
    size_t size = (size_t)((2 * var->n + var->ns) * var->nm);
    if (own) own->by_memory = ss_pool_new(&var->pool, size, sizeof(double));
    if (own && own->by_memory) to->glide = own;
    return to->glide != NULL;
}

void ss_vary_take_glide(ss_variation* var, const ss_sim* sim)
{
    var->kind.glides = sim->held.glide && var->kind.linear && var->nz == 0 && var->nd == 0;
    for (int j = 0; j < var->count && var->kind.glides; j++) {
        ss_heading* to = &var->headings[j];
        bool given = to->change && to->change->given; // it is not constant from tick to tick
        var->kind.glides = !given && make_room(var, to);
        if (var->kind.glides) to->glide->of = NULL;
    }
}

// ---- the motion

bool ss_vary_glides(const ss_sim* sim) { return sim->variation->kind.glides; }
bool ss_vary_sits(const ss_sim* sim) { return sim->variation->kept.coasting && sim->variation->kind.linear; }

void ss_vary_glide_from(ss_sim* sim)
{
    ss_variation* var = sim->variation;
    ss_values* at = &var->points[0].at;
    const ss_open* open = var->model->open;
    for (int j = 0; j < var->count; j++) {
        ss_heading* to = &var->headings[j];
        if (to->lost) continue;
        if (!to->glide->of) make_tables(var, to);
        clear(var, at);
        at->order = 0;
        at->constant = true;
        for (int i = 0; i < var->m; i++) at->lambda[i] = ss_slip_force(sim, i, 0);
        for (int f = 0; f < var->model->force_count; f++) at->force[f] = sim->inputs.force_constant[f];
        memcpy(at->vars, sim->bodies.offset, (size_t)var->model->body_count * sizeof(double));
        memcpy(at->vars + open->first_input, sim->open.value, (size_t)var->nu * sizeof(double));
        ask_change(var, to, to->glide->base);
    }
}

// dr: how the rates at the start of a stretch from y change.
static void change_rates(const ss_variation* var, const ss_heading* to, const double y[], const double dy[],
                         double dr[])
{
    const struct ss_vary_glide* own = to->glide;
    const struct ss_glide* g = own->of;
    const double* memory = var->sim->open.memory;
    int n = g->size, nm = var->nm;
    for (int i = 0; i < n; i++) {
        double sum = own->base[i];
        for (int j = 0; j < n; j++) sum += g->a[i][j] * dy[j];
        for (int m = 0; m < nm; m++) sum += g->by_memory[i * nm + m] * to->m[m];
        for (int j = 0; j < n && own->turns; j++) sum += own->da[i][j] * y[j];
        for (int m = 0; m < nm && own->writes; m++) sum += own->by_memory[i * nm + m] * memory[m];
        dr[i] = sum;
    }
}

void ss_vary_glide(ss_sim* sim, int part, const double y[], const double rate[])
{
    ss_variation* var = sim->variation;
    size_t d = sizeof(double), half = (size_t)var->n;
    for (int j = 0; j < var->count; j++) {
        ss_heading* to = &var->headings[j];
        double dy[LARGEST], dr[LARGEST];
        if (to->lost) continue;
        const struct ss_vary_glide* own = to->glide;
        const struct ss_glide* g = own->of;
        memcpy(dy, to->q, half * d);
        memcpy(dy + half, to->v, half * d);
        memcpy(dy + 2 * half, to->s, (size_t)var->ns * d);
        change_rates(var, to, y, dy, dr);
        for (int i = 0; i < g->size; i++) {
            double sum = 0.0;
            for (int k = 0; k < g->size; k++) sum += g->psi[part][i][k] * dr[k];
            for (int k = 0; k < g->size && own->turns; k++) sum += own->dpsi[part][i][k] * rate[k];
            dy[i] += sum;
        }
        memcpy(to->q, dy, half * d);
        memcpy(to->v, dy + half, half * d);
        memcpy(to->s, dy + 2 * half, (size_t)var->ns * d);
    }
    var->before.filled = false; // nothing happens at these instants but ticks
}
