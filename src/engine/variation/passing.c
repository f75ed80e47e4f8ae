// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings across places where an expression of the motion is not smooth: sqrt(abs(x)) at x = 0. The run
// passes the last stretch, h, with such functions held at their values (flow/open/open_singular.c). Their
// slopes f'(a) are infinite there, but what a heading gains is not: neighbours pass the place earlier by
// da/a', and so
//
//     integral of f'(a) da  =  (da/a') (f(a(h)) - f(a(0))),
//
// which the tangents of the program count (core/expression/graph_tangent.h). Everything else goes by series
// as on any other step; where laws have none, by the midpoint rule, h being 1e-5 of an ordinary step or less.
//
//   reads    series and values of the run on the step at hand
//   writes   along.passing, and headings on the step
//   promise  a place that is touched, not crossed, ends the heading with a note
#include "engine/variation/passing.h"
#include "engine/variation/tangent.h"

#include <math.h>
#include <string.h>

struct ss_vary_passing {
    ss_passing at;
    double *end, *rate, *moved; // values of all registers; rates of a heading
};

bool ss_vary_make_passing(ss_variation* var)
{
    const ss_model* model = var->model;
    if (!model->open || model->actions->motion.singular_count == 0) return true;
    struct ss_vary_passing* own = ss_pool_new(&var->pool, 1, sizeof *own);
    if (!own) return false;
    own->end = ss_pool_new(&var->pool, (size_t)model->actions->motion.count, sizeof(double));
    own->rate = ss_pool_new(&var->pool, (size_t)var->width, sizeof(double));
    own->moved = ss_pool_new(&var->pool, (size_t)var->width, sizeof(double));
    own->at.end = own->end;
    var->ways.passing = own;
    return !var->pool.failed;
}

bool ss_vary_passes(const ss_variation* var)
{
    if (!var->ways.passing || var->sim->clock.stop) return false;
    const ss_open_programs* programs = var->sim->open.programs;
    const ss_program* program = programs->motion.program;
    if (programs->stiff && programs->stiff->written) return false;
    for (int k = 0; k < program->singular_count; k++)
        if (programs->motion.w.level[program->singular[k]]) return true;
    return false;
}

void ss_vary_take_passing(ss_variation* var, double s)
{
    struct ss_vary_passing* own = var->ways.passing;
    ss_values_at(var, s, &var->points[0].at);
    ss_vary_run_point(var, &var->points[0].at, var->room.seen);
    memcpy(own->end, var->runs.motion.x, (size_t)var->runs.motion.program->count * sizeof(double));
    own->at.length = s;
    var->before.t = var->sim->step.t;
    for (int j = 0; j < var->count; j++) {
        struct ss_vary_tangent* tangent = var->headings[j].tangent;
        tangent->bad = false;
        if (tangent->longer) ss_vary_longer_passes(var, tangent->longer, &var->points[0].at, s);
        if (!tangent->motion.program)
            ss_vary_lose(
                var, &var->headings[j],
                "derivative: expressions take another form beside this number, and the motion passes "
                "a place where they are not smooth; there is none from here on");
    }
    var->along.passing = s > 0.0 ? &own->at : NULL;
}

void ss_vary_lose_touching(ss_variation* var)
{
    for (int j = 0; j < var->count; j++)
        if (var->headings[j].tangent->bad)
            ss_vary_lose(
                var, &var->headings[j],
                "derivative: the motion touches a place where an expression is not smooth, or starts "
                "on it; there is none from here on");
}

// Rates of a heading that is y, by what the contacts answer at a point and the expressions where the step
// begins.
static void find_rates(ss_variation* var, ss_heading* to, const double y[], double rate[])
{
    ss_delta* io = &var->delta;
    int n = var->n;
    io->q = y;
    io->v = y + n;
    io->s = y + 2 * n;
    io->z = y + 2 * n + var->ns;
    ss_linear_all(var, &var->points[0], to, io);
    memcpy(rate, y + n, (size_t)n * sizeof(double));
    memcpy(rate + n, io->a, (size_t)n * sizeof(double));
    memcpy(rate + 2 * n, io->rate, (size_t)var->ns * sizeof(double));
    memcpy(rate + 2 * n + var->ns, io->z_rate, (size_t)var->nz * sizeof(double));
}

void ss_vary_leap(ss_variation* var, double s, int j, double rate[])
{
    struct ss_vary_passing* own = var->ways.passing;
    ss_heading* to = &var->headings[j];
    ss_linear_at(var, 0.0, &var->points[0]);
    find_rates(var, to, to->q, own->rate);
    for (int c = 0; c < var->width; c++) own->moved[c] = to->q[c] + 0.5 * s * own->rate[c];
    ss_linear_at(var, 0.5 * s, &var->points[0]);
    find_rates(var, to, own->moved, rate);
}
