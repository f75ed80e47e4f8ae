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
// So close to the place rounding counts: |a|^0.2 is 7e-4 where a should be 0 and is 1e-16. All that matters
// is that each step passes from what the one before has arrived at. Where they differ, by what expressions
// give at the end of one and the beginning of the next, accelerations jump from F to F', and as at a jump of
// the motion a sensitivity gains (da/a') (F' - F).
//
//   reads    series and values of the run on the step at hand
//   writes   along.passing, and sensitivities on the step
//   promise  a place that is touched, not crossed, ends the sensitivity with a note
#include "engine/sensitivity/passing.h"
#include "engine/field/field.h"
#include "engine/sensitivity/jumps.h"
#include "engine/sensitivity/program_tangent.h"

#include "core/algebra/polynomial.h"

#include <math.h>
#include <string.h>

struct ss_sensitivity_passing {
    ss_passing at;
    double *end, *rate, *moved; // values of all registers; rates of a sensitivity
    bool arrived;               // the last step has passed
    double *reached, *change;   // what its expressions gave in the end; of them
    double* ahead;              // of each sensitivity, da/a'; 0 where it has passed several places at once
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
    own->reached = ss_pool_new(&der->pool, (size_t)model->actions->motion.output_count, sizeof(double));
    own->change = ss_pool_new(&der->pool, (size_t)model->actions->motion.output_count, sizeof(double));
    own->ahead = ss_pool_new(&der->pool, (size_t)der->count, sizeof(double));
    own->at.end = own->end;
    der->ways.passing = own;
    return !der->pool.failed;
}

bool ss_sensitivity_passes(const ss_derivative* der)
{
    if (!der->ways.passing || der->sim->step.clock.stop) return false;
    const ss_open_programs* programs = der->sim->open.programs;
    const ss_program* program = programs->motion.program;
    if (programs->stiff && programs->stiff->written) return false;
    for (int k = 0; k < program->singular_count; k++)
        if (programs->motion.w.level[program->singular[k]]) return true;
    return false;
}

// Values at the end of the step: what is held at its value has one there, whatever rounding does to it.
static void find_end(ss_derivative* der, double s)
{
    struct ss_sensitivity_passing* own = der->ways.passing;
    const ss_run* run = &der->sim->open.programs->motion;
    ss_run* point = &der->runs.motion;
    const ss_program* program = run->program;
    ss_values_at(der, s, &der->points[0].at);
    for (int k = 0; k < program->singular_count; k++)
        point->w.level[program->singular[k]] = run->w.level[program->singular[k]];
    ss_sensitivity_run_point(der, &der->points[0].at, own->reached);
    memcpy(own->end, point->x, (size_t)program->count * sizeof(double));
    for (int k = 0; k < program->singular_count; k++) point->w.level[program->singular[k]] = false;
}

void ss_sensitivity_take_passing(ss_derivative* der, double s)
{
    struct ss_sensitivity_passing* own = der->ways.passing;
    find_end(der, s);
    own->at.length = s;
    der->before.t = der->sim->step.t;
    for (int j = 0; j < der->count; j++) {
        struct ss_program_tangent* tangent = der->sensitivities[j].tangent;
        tangent->bad = false;
        for (int i = 0; tangent->motion.program && i < tangent->motion.program->count; i++)
            tangent->motion.ahead[i] = NAN;
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

// ---- from one step to the next

// By how much earlier neighbours of a sensitivity pass: 0 where it has passed nothing, or several places at
// several times.
static double ahead_of(const ss_tangent* tangent)
{
    const double same = 1e-6;
    double ahead = NAN;
    if (!tangent->program) return 0.0;
    for (int k = 0; k < tangent->program->singular_count; k++) {
        double own = tangent->ahead[tangent->program->singular[k]];
        if (!isfinite(own)) continue;
        if (fabs(own - ahead) > same * fabs(ahead)) return 0.0;
        ahead = own;
    }
    return isnan(ahead) ? 0.0 : ahead;
}

// Accelerations and rates that go with a change of what expressions give, in delta.
static void answer(ss_derivative* der, const double outputs[])
{
    ss_delta* io = &der->delta;
    memset(der->room.zero, 0, (size_t)der->width * sizeof(double));
    io->q = der->room.zero;
    io->v = der->room.zero + der->n;
    io->s = der->room.zero + 2 * der->n;
    io->z = der->room.zero + 2 * der->n + der->ns;
    for (int i = 0; i < der->nd; i++) io->d[i] = io->d1[i] = io->d2[i] = 0.0;
    for (int i = 0; i < der->nu; i++) io->input[i] = 0.0;
    io->m = io->offset = NULL;
    memset(io->z_rate, 0, (size_t)der->nz * sizeof(double));
    ss_field_change_variables(der->sim->field, io);
    ss_field_apply(der->sim->field, NULL, outputs, io);
    ss_field_hold_change(der->sim->field, io);
}

void ss_sensitivity_arrive(ss_derivative* der, double s, ss_values* at)
{
    struct ss_sensitivity_passing* own = der->ways.passing;
    if (!own) return;
    own->arrived = der->along.passing != NULL;
    if (!own->arrived) return;
    for (int j = 0; j < der->count; j++) own->ahead[j] = ahead_of(&der->sensitivities[j].tangent->motion);
    if (!at) return;
    const ss_sim* sim = der->sim;
    for (int i = 0; i < der->model->actions->motion.output_count; i++)
        own->change[i] =
            own->reached[i] - ss_poly_value(ss_open_output(&sim->open, i), 1, sim->step.order - 2, s);
    answer(der, own->change);
    for (int i = 0; i < der->n; i++) at->a[i] += der->delta.a[i];
    for (int j = 0; j < der->ns; j++) at->rates[j] += der->delta.rate[j];
}

void ss_sensitivity_depart(ss_derivative* der)
{
    struct ss_sensitivity_passing* own = der->ways.passing;
    if (!own || !own->arrived) return;
    own->arrived = false;
    if (!der->sim->step.ready || ss_jumps_count(der) > 0 || !ss_sensitivity_can_step(der)) return;
    for (int i = 0; i < der->model->actions->motion.output_count; i++)
        own->change[i] = ss_open_output(&der->sim->open, i)[0] - own->reached[i];
    answer(der, own->change);
    for (int j = 0; j < der->count; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        if (to->lost) continue;
        for (int i = 0; i < der->n; i++) to->v[i] += own->ahead[j] * der->delta.a[i];
        for (int i = 0; i < der->ns; i++) to->s[i] += own->ahead[j] * der->delta.rate[i];
    }
}
