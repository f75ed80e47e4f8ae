// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities across places where an expression of the motion is not smooth: sqrt(abs(x)) at x = 0. The run
// passes the last stretch, h, with such functions held at their values (flow/open/open_singular.c). Their
// slopes f'(a) are infinite there, but what a sensitivity gains is not: neighbours pass the place earlier by
// da/a', and so
//
//     integral of f'(a) da  =  (da/a') (f(a(h)) - f(a(0))),
//
// which the tangents of the program count (core/expression/graph_tangent.h). Everything else goes by series
// as on any other step; where laws have none, by the midpoint rule, h being 1e-5 of an ordinary step or less.
//
//   reads    series and values of the run on the step at hand
//   writes   along.passing, and sensitivities on the step
//   promise  a place that is touched, not crossed, ends the sensitivity with a note
#include "engine/sensitivity/passing.h"
#include "engine/sensitivity/program_tangent.h"

#include <math.h>
#include <string.h>

struct ss_sensitivity_passing {
    ss_passing at;
    double *end, *rate, *moved; // values of all registers; rates of a sensitivity
};

bool ss_sensitivity_make_passing(ss_derivative* der)
{
    const ss_model* model = der->model;
    if (!model->open || model->actions->motion.singular_count == 0) return true;
    struct ss_sensitivity_passing* own = ss_pool_new(&der->pool, 1, sizeof *own);
    if (!own) return false;
    own->end = ss_pool_new(&der->pool, (size_t)model->actions->motion.count, sizeof(double));
    own->rate = ss_pool_new(&der->pool, (size_t)der->width, sizeof(double));
    own->moved = ss_pool_new(&der->pool, (size_t)der->width, sizeof(double));
    own->at.end = own->end;
    der->ways.passing = own;
    return !der->pool.failed;
}

bool ss_sensitivity_passes(const ss_derivative* der)
{
    if (!der->ways.passing || der->sim->clock.stop) return false;
    const ss_open_programs* programs = der->sim->open.programs;
    const ss_program* program = programs->motion.program;
    if (programs->stiff && programs->stiff->written) return false;
    for (int k = 0; k < program->singular_count; k++)
        if (programs->motion.w.level[program->singular[k]]) return true;
    return false;
}

void ss_sensitivity_take_passing(ss_derivative* der, double s)
{
    struct ss_sensitivity_passing* own = der->ways.passing;
    ss_values_at(der, s, &der->points[0].at);
    ss_sensitivity_run_point(der, &der->points[0].at, der->room.seen);
    memcpy(own->end, der->runs.motion.x, (size_t)der->runs.motion.program->count * sizeof(double));
    own->at.length = s;
    der->before.t = der->sim->step.t;
    for (int j = 0; j < der->count; j++) {
        struct ss_program_tangent* tangent = der->sensitivities[j].tangent;
        tangent->bad = false;
        if (tangent->longer) ss_sensitivity_longer_passes(der, tangent->longer, &der->points[0].at, s);
        if (!tangent->motion.program)
            ss_sensitivity_lose(
                der, &der->sensitivities[j],
                "derivative: expressions take another form beside this number, and the motion passes "
                "a place where they are not smooth; there is none from here on");
    }
    der->along.passing = s > 0.0 ? &own->at : NULL;
}

void ss_sensitivity_lose_touching(ss_derivative* der)
{
    for (int j = 0; j < der->count; j++)
        if (der->sensitivities[j].tangent->bad)
            ss_sensitivity_lose(
                der, &der->sensitivities[j],
                "derivative: the motion touches a place where an expression is not smooth, or starts "
                "on it; there is none from here on");
}

// Rates of a sensitivity that is y, by what the contacts answer at a point and the expressions where the step
// begins.
static void find_rates(ss_derivative* der, ss_sensitivity* to, const double y[], double rate[])
{
    ss_delta* io = &der->delta;
    int n = der->n;
    io->q = y;
    io->v = y + n;
    io->s = y + 2 * n;
    io->z = y + 2 * n + der->ns;
    ss_linear_all(der, &der->points[0], to, io);
    memcpy(rate, y + n, (size_t)n * sizeof(double));
    memcpy(rate + n, io->a, (size_t)n * sizeof(double));
    memcpy(rate + 2 * n, io->rate, (size_t)der->ns * sizeof(double));
    memcpy(rate + 2 * n + der->ns, io->z_rate, (size_t)der->nz * sizeof(double));
}

void ss_sensitivity_leap(ss_derivative* der, double s, int j, double rate[])
{
    struct ss_sensitivity_passing* own = der->ways.passing;
    ss_sensitivity* to = &der->sensitivities[j];
    ss_linear_at(der, 0.0, &der->points[0]);
    find_rates(der, to, to->q, own->rate);
    for (int c = 0; c < der->width; c++) own->moved[c] = to->q[c] + 0.5 * s * own->rate[c];
    ss_linear_at(der, 0.5 * s, &der->points[0]);
    find_rates(der, to, own->moved, rate);
}
