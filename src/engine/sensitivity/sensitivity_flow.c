// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sensitivities along a step of the run. Where the model is linear on it, they are power series like the
// motion itself:
//
//     da_k = (A dy + b)_k,     dq_{k+2} = da_k / ((k + 1) (k + 2)),     ds_{k+1} = drate_k / (k + 1)
//
// of the same order and over the same length, because A is the one that the step was chosen for. Otherwise
// Radau collocation (collocation.h) in the parameter of the step, in which everything is smooth also where an
// elastic stop is touched: dy/ds = (dt/ds) (A dy + b).
#include "engine/field/field.h"
#include "engine/flow/stiff.h"
#include "engine/sensitivity/passing.h"
#include "engine/sensitivity/program_tangent.h"

#include "core/algebra/lu.h"
#include "core/algebra/polynomial.h"
#include "core/algebra/sums.h"
#include "core/tolerance.h"

#include <math.h>
#include <string.h>

enum { S = SS_STAGES, SWEEPS = 40, DIRECT = 4, MOST_PARTS = 200 };
static const double faded = 1e-3; // of the largest that it has been: what is less need not be exact in itself
static const double close_enough = 1e-8; // of the error within a step; that at its end is far smaller
static const double drowned = 1e-4;      // the most that noise of the motion may be of what a change has been

// ---- series

// Order k of a sensitivity, with everything that may change.
static void run_order(ss_derivative* der, ss_sensitivity* to, int k)
{
    size_t n = (size_t)der->n, ns = (size_t)der->ns;
    ss_delta* io = &der->delta;
    double *q = to->series_q + (size_t)k * n, *s = to->series_s + (size_t)k * ns;
    for (size_t i = 0; i < n; i++) der->room.rates[i] = (k + 1) * q[n + i];
    io->q = q;
    io->v = der->room.rates;
    io->s = s;
    io->z = to->z;
    ss_linear_all(der, &der->points[0], to, io);
    for (size_t i = 0; i < n; i++) q[2 * n + i] = io->a[i] / ((k + 1.0) * (k + 2.0));
    for (size_t i = 0; i < ns; i++) s[ns + i] = io->rate[i] / (k + 1.0);
}

void ss_sensitivity_run_series(ss_derivative* der)
{
    bool brief = true;
    ss_linear_order(der, 0, &der->points[0]);
    for (int j = 0; j < der->count; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        if (to->lost) continue;
        for (int i = 0; i < 2 * der->n; i++) to->series_q[i] = to->q[i]; // v follows q
        for (int i = 0; i < der->ns; i++) to->series_s[i] = to->s[i];
        run_order(der, to, 0);
        if (to->brief) ss_sensitivity_brief_orders(der, to);
        brief = brief && to->brief;
    }
    for (int k = 1; k + 2 <= der->sim->step.order && !brief; k++) {
        ss_linear_order(der, k, &der->points[0]);
        for (int j = 0; j < der->count; j++)
            if (!der->sensitivities[j].lost && !der->sensitivities[j].brief)
                run_order(der, &der->sensitivities[j], k);
    }
    der->along.has_series = true;
}

void ss_sensitivity_sum_series(const ss_derivative* der, const ss_sensitivity* to, double s, double y[])
{
    int order = der->sim->step.order, n = der->n;
    if (der->sim->step.clock.stop) {
        ss_sensitivity_nonlinear_clocked(der, to, s, y);
        return;
    }
    ss_sum_both(to->series_q, n, order, s, y, y + n);
    for (int i = 0; i < der->ns; i++)
        y[2 * der->n + i] = ss_poly_value(to->series_s + i, der->ns, order - 1, s);
    if (der->ways.bends && der->nz > 0) ss_sensitivity_nonlinear_states(der, to, s, y + 2 * der->n + der->ns);
}

// Whether the step at hand is one of collocation.
static bool is_stiff(const ss_derivative* der)
{
    const ss_stiff* stiff = der->sim->ways.stiff;
    return stiff && stiff->pace.active;
}

// Whether nothing on this step is nonlinear, although something of the model is: no curve slips, no stop is
// pressed.
static bool is_straight(const ss_derivative* der)
{
    const ss_sim* sim = der->sim;
    if (!der->kind.calm || sim->step.clock.stop || is_stiff(der)) return false;
    if (!ss_sensitivity_can_step(der)) return false;
    for (int i = 0; i < der->m; i++)
        if (der->model->contacts[i].law_entry->point.at && sim->modes.contacts[i].mode != SS_MODE_OPEN &&
            !ss_holds(&sim->step, &sim->modes, i))
            return false;
    return true;
}

// Whether the series at hand end as small as rounding: the step was chosen for the motion alone.
static bool series_end(const double series[], int count, int order, double h)
{
    for (int i = 0; i < count; i++) {
        double power = 1.0, size = 0.0, last[2] = {0};
        for (int k = 0; k <= order; k++, power *= h) {
            last[k % 2] = fabs(series[k * count + i]) * power;
            size = fmax(size, last[k % 2]);
        }
        if (!(fmax(last[0], last[1]) <= SS_SUM_NOISE * size)) return false;
    }
    return true;
}

static void try_series(ss_derivative* der)
{
    int order = der->sim->step.order;
    double h = der->sim->step.length;
    ss_sensitivity_run_series(der);
    for (int j = 0; j < der->count && der->along.has_series; j++) {
        const ss_sensitivity* to = &der->sensitivities[j];
        if (to->lost) continue;
        der->along.has_series = series_end(to->series_q, der->n, order, h) &&
                                !(to->tangent && to->tangent->bad) &&
                                series_end(to->series_s, der->ns, order - 1, h);
    }
}

// ---- collocation

// q, v, s and z are one list.
static void load(const ss_derivative* der, const ss_sensitivity* to, double y[])
{
    memcpy(y, to->q, (size_t)der->width * sizeof(double));
}

static void store(const ss_derivative* der, ss_sensitivity* to, const double y[])
{
    memcpy(to->q, y, (size_t)der->width * sizeof(double));
}

// lin: of numbers in measures of their own, which are turned back in room.
static void aim(ss_derivative* der, const ss_linear* lin, const ss_sensitivity* to, ss_delta* io,
                const double y[])
{
    double* turned = der->room.turned;
    if (der->along.measured) {
        memcpy(turned, y, (size_t)der->width * sizeof(double));
        ss_sensitivity_unmeasure_at(der, to, lin, turned + 2 * der->n + der->ns);
        y = turned;
    }
    io->q = y;
    io->v = y + der->n;
    io->s = y + 2 * der->n;
    io->z = y + 2 * der->n + der->ns;
}

static void collect(const ss_derivative* der, const ss_delta* io, const double y[], double pace, double out[])
{
    int n = der->n;
    for (int i = 0; i < n; i++) out[i] = pace * y[n + i];
    for (int i = 0; i < n; i++) out[n + i] = pace * io->a[i];
    for (int i = 0; i < der->ns; i++) out[2 * n + i] = pace * io->rate[i];
    for (int i = 0; i < der->nz; i++) out[2 * n + der->ns + i] = pace * io->z_rate[i];
}

// A y at a point.
static void apply(ss_derivative* der, const ss_linear* lin, const double y[], double out[])
{
    ss_delta* io = &der->delta;
    aim(der, lin, NULL, io, y);
    for (int i = 0; i < der->nd; i++) io->d[i] = io->d1[i] = io->d2[i] = 0.0;
    for (int i = 0; i < der->nu; i++) io->input[i] = 0.0;
    io->m = io->offset = NULL;
    ss_linear_apply(der, lin, NULL, io);
    ss_sensitivity_hold(der, lin, NULL, NULL, io);
    if (der->along.measured) ss_sensitivity_measure_rates(der, NULL, lin, io);
    collect(der, io, y, lin->at.pace, out);
}

// b at a point: the rates of a sensitivity that is 0.
static void offset_rates(ss_derivative* der, const ss_linear* lin, ss_sensitivity* to, double out[])
{
    if (!to->change && der->nd == 0 && der->nm == 0 && der->model->body_count == der->n) {
        memset(out, 0, (size_t)der->width * sizeof(double));
        return;
    }
    memset(der->room.zero, 0, (size_t)der->width * sizeof(double));
    aim(der, lin, to, &der->delta, der->room.zero);
    ss_linear_all(der, lin, to, &der->delta);
    if (der->along.measured) ss_sensitivity_measure_rates(der, to, lin, &der->delta);
    collect(der, &der->delta, der->room.zero, lin->at.pace, out);
}

// Room of a step: for each sensitivity and stage, width numbers each.
static double* at_stage(const ss_derivative* der, double* room, int sensitivity, int stage)
{
    return room + (size_t)(sensitivity * S + stage) * (size_t)der->width;
}

// y_i = y_0 + h sum_j once_ij f_j
static double spread(const ss_derivative* der, const ss_sensitivity* to, int j, double h, double* f)
{
    double* y0 = der->stages.rhs;
    double change = 0.0, size = 0.0;
    load(der, to, y0);
    for (int i = 0; i < S; i++) {
        double* y = at_stage(der, der->stages.y, j, i);
        for (int c = 0; c < der->width; c++) {
            double sum = y0[c];
            for (int k = 0; k < S; k++) sum += h * der->stages.method.once[i][k] * at_stage(der, f, j, k)[c];
            change = fmax(change, fabs(sum - y[c]));
            size = fmax(size, fabs(sum));
            y[c] = sum;
        }
    }
    return size > 0.0 ? change / size : 0.0;
}

// Stages by repeated substitution; false where that converges slowly.
static bool sweep(ss_derivative* der, double h)
{
    double before = INFINITY;
    for (int round = 0; round < SWEEPS; round++) {
        double change = 0.0;
        for (int j = 0; j < der->count; j++) {
            if (der->sensitivities[j].lost) continue;
            for (int i = 0; i < S; i++) {
                double *y = at_stage(der, der->stages.y, j, i), *f = at_stage(der, der->stages.f, j, i),
                       *b = at_stage(der, der->stages.b, j, i);
                apply(der, &der->points[i], y, f);
                for (int c = 0; c < der->width; c++) f[c] += b[c];
            }
            change = fmax(change, spread(der, &der->sensitivities[j], j, h, der->stages.f));
        }
        if (change <= 1e-15) return true;
        if (round > 2 && !(change < 0.4 * before)) return change <= 1e-14;
        before = change;
    }
    return false;
}

// Stages by the equations of all of them at once.
static bool solve(ss_derivative* der, double h)
{
    int w = der->width, size = S * w;
    double *system = der->stages.system, *column = der->stages.rhs;
    memset(system, 0, (size_t)size * (size_t)size * sizeof(double));
    for (int k = 0; k < S; k++)
        for (int c = 0; c < w; c++) {
            memset(der->room.zero, 0, (size_t)w * sizeof(double));
            der->room.zero[c] = 1.0;
            apply(der, &der->points[k], der->room.zero, column);
            for (int i = 0; i < S; i++)
                for (int r = 0; r < w; r++)
                    system[(size_t)(i * w + r) * (size_t)size + (size_t)(k * w + c)] =
                        (i == k && r == c ? 1.0 : 0.0) - h * der->stages.method.once[i][k] * column[r];
        }
    if (!ss_lu_factor(system, size, der->stages.pivots)) return false;
    for (int j = 0; j < der->count; j++) {
        if (der->sensitivities[j].lost) continue;
        spread(der, &der->sensitivities[j], j, h, der->stages.b);
        double* y = at_stage(der, der->stages.y, j, 0);
        ss_lu_solve(system, size, der->stages.pivots, y);
        for (int i = 0; i < S; i++) {
            double *f = at_stage(der, der->stages.f, j, i), *b = at_stage(der, der->stages.b, j, i);
            apply(der, &der->points[i], y + (size_t)i * (size_t)w, f);
            for (int c = 0; c < w; c++) f[c] += b[c];
        }
    }
    return true;
}

// What a sensitivity moves, as a share of what the motion has been: by places or by speeds, whichever is
// less, so that one that has hardly begun to move does not make all changes look small.
static double reach_of(const ss_derivative* der, const ss_sensitivity* to)
{
    double share[2] = {0.0};
    for (int c = 0; c < 2 * der->n; c++)
        if (der->measure.sizes[c] > 0.0)
            share[c >= der->n] = fmax(share[c >= der->n], to->largest[c] / der->measure.sizes[c]);
    return fmin(share[0], share[1]);
}

// Slopes of a law are differences (of a bristle in steady slip, 1 - sigma0 |z| / g), as good as the motion
// within its step; so a change is known to that share of the motion times its reach, and no shorter step
// makes it any better.
double ss_sensitivity_error_share(const ss_derivative* der, const ss_sensitivity* to, int c, double error,
                                  double size)
{
    if (!isfinite(size)) return INFINITY;
    size = fmax(size, fmax(to->noise * der->measure.sizes[c], faded * to->largest[c]));
    if (size == 0.0) return 0.0;
    double share = error / size;
    if (share <= SS_SOLVED || share > drowned) return share;
    return error <= 0.1 * der->measure.read_off * der->measure.sizes[c] * reach_of(der, to) ? 0.0 : share;
}

// The largest estimate of an error within the step, as a share of what moves.
static double step_error(ss_derivative* der, double h)
{
    const ss_collocation* method = &der->stages.method;
    double worst = 0.0;
    for (int j = 0; j < der->count; j++) {
        if (der->sensitivities[j].lost) continue;
        for (int c = 0; c < der->width; c++) {
            double value[S], coefficient[S], size = 0.0;
            for (int i = 0; i < S; i++) {
                value[i] = at_stage(der, der->stages.f, j, i)[c];
                size = fmax(size, fabs(at_stage(der, der->stages.y, j, i)[c]) + fabs(h * value[i]));
            }
            ss_collocation_combine(method->power, value, 1, coefficient);
            double error = ss_collocation_error(coefficient, 1, h);
            worst = fmax(worst, ss_sensitivity_error_share(der, &der->sensitivities[j], c, error, size));
        }
    }
    return worst;
}

static void measure(ss_derivative* der, const ss_values* at)
{
    int n = der->n;
    for (int i = 0; i < n; i++) {
        der->measure.sizes[i] = fmax(der->measure.sizes[i], fabs(at->q[i]));
        der->measure.sizes[n + i] = fmax(der->measure.sizes[n + i], fabs(at->v[i]));
    }
    for (int i = 0; i < der->ns; i++)
        der->measure.sizes[2 * n + i] = fmax(der->measure.sizes[2 * n + i], fabs(at->states[i]));
    for (int i = 0; i < der->nz; i++)
        der->measure.sizes[2 * n + der->ns + i] =
            fmax(der->measure.sizes[2 * n + der->ns + i], fabs(at->z[i]));
}

static double try_step(ss_derivative* der, double h)
{
    for (int i = 0; i < S; i++) {
        ss_linear_at(der, der->along.from + der->stages.method.node[i] * h, &der->points[i]);
        measure(der, &der->points[i].at);
        for (int j = 0; j < der->count; j++) {
            ss_sensitivity* to = &der->sensitivities[j];
            if (to->lost) continue;
            offset_rates(der, &der->points[i], to, at_stage(der, der->stages.b, j, i));
            load(der, to, at_stage(der, der->stages.y, j, i));
        }
    }
    bool fine = der->width > DIRECT && sweep(der, h);
    if (!fine) fine = solve(der, h);
    return fine ? step_error(der, h) : INFINITY;
}

static void accept(const ss_derivative* der, ss_sensitivity* to, const double y[])
{
    store(der, to, y);
    for (int c = 0; c < der->width; c++) to->largest[c] = fmax(to->largest[c], fabs(y[c]));
}

// The next piece, at most up to limit of the step.
static void take_piece(ss_derivative* der, double limit, double goal)
{
    double left = limit - der->along.from, least = limit / MOST_PARTS;
    double parts = der->stages.h > 0.0 ? ceil(left / (1.1 * der->stages.h)) : 1.0;
    double h = fmin(fmax(left / fmax(parts, 1.0), least), left);
    double error = try_step(der, h);
    while (!(error <= goal) && h > least) {
        h *= isfinite(error) ? fmin(fmax(0.8 * pow(goal / error, 0.125), 0.1), 0.6) : 0.1;
        h = fmax(h, least);
        error = try_step(der, h);
    }
    der->stages.h = h * fmin(4.0, fmax(0.8 * pow(goal / fmax(error, 1e-16), 0.125), 0.5));
    der->stages.length = h;
    der->along.to = h < left ? der->along.from + h : limit;
}

static void pass_piece(ss_derivative* der)
{
    for (int j = 0; j < der->count; j++)
        if (!der->sensitivities[j].lost)
            accept(der, &der->sensitivities[j], at_stage(der, der->stages.y, j, S - 1));
    der->along.from = der->along.to;
}

// Weights of the rates at the stages, within the present piece.
static void weigh(ss_derivative* der, double s)
{
    double u = (s - der->along.from) / (der->along.to - der->along.from);
    for (int i = 0; i < S; i++) {
        double sum = 0.0;
        for (int k = S - 1; k >= 0; k--) sum = (sum + der->stages.method.power[k][i] / (k + 1)) * u;
        der->stages.weight[i] = der->stages.length * sum;
    }
}

// Where the step ends, all digits count: sensitivities are at the end of a piece. What is asked on the way is
// read from the polynomial of a piece that goes on beyond.
static void collocate(ss_derivative* der, double s, bool ends)
{
    double limit = ends ? s : fmax(s, der->sim->step.length);
    if (ends && s < der->along.to) der->along.to = der->along.from;
    while (der->along.to < s) {
        if (der->along.to > der->along.from) pass_piece(der);
        take_piece(der, limit, ends ? close_enough : der->measure.read_off);
    }
    if (ends && der->along.to > der->along.from) pass_piece(der);
    if (der->along.to > der->along.from) weigh(der, s);
}

static void read_piece(ss_derivative* der, int j, double y[])
{
    load(der, &der->sensitivities[j], y);
    if (!(der->along.to > der->along.from)) return;
    for (int i = 0; i < S; i++) {
        const double* f = at_stage(der, der->stages.f, j, i);
        for (int c = 0; c < der->width; c++) y[c] += der->stages.weight[i] * f[c];
    }
}

// ---- either

void ss_sensitivity_rewind(ss_derivative* der)
{
    der->along.has_given = der->along.has_series = der->along.has_nodes = der->along.begun = false;
    der->along.measured = der->along.leaps = false;
    der->along.passing = NULL;
    der->along.done = der->along.from = der->along.to = 0.0;
}

// Sensitivities up to s by one rate each, as a piece of the collocation with one stage.
static void leap(ss_derivative* der, double s)
{
    memset(der->stages.weight, 0, sizeof der->stages.weight);
    der->stages.weight[0] = s;
    for (int j = 0; j < der->count; j++)
        if (!der->sensitivities[j].lost) ss_sensitivity_leap(der, s, j, at_stage(der, der->stages.f, j, 0));
    der->along.to = s;
    der->along.leaps = true;
}

// The way through the step at hand, which is asked for at s first.
static void choose_way(ss_derivative* der, double s)
{
    if (ss_sensitivity_propagator_series(der)) return; // tables know what is given in time, too
    ss_sensitivity_prepare(der);
    if (der->kind.linear) {
        ss_sensitivity_run_series(der);
        return;
    }
    if (ss_sensitivity_passes(der)) ss_sensitivity_take_passing(der, s);
    if (is_straight(der)) try_series(der);
    if (!der->along.has_series && !is_stiff(der)) ss_sensitivity_nonlinear_series(der);
    if (!der->along.has_series && der->along.passing) leap(der, s);
    if (der->along.has_series || der->along.leaps) return;
    der->along.measured = ss_sensitivity_take_measures(der);
    if (is_stiff(der) && !der->along.measured) der->along.has_nodes = ss_sensitivity_take_nodes(der, s);
}

static void go(ss_derivative* der, double s, bool ends)
{
    if (!der->sim->step.ready || (!ends && der->along.begun && s == der->along.done)) return;
    if (der->along.passing) ss_sensitivity_rewind(der); // what is passed depends on s
    if (!der->along.begun) choose_way(der, s);
    if (der->along.passing) ss_sensitivity_lose_touching(der);
    // Who asks once in a step, at the end of a run, gets all digits; who asks again reads the polynomials.
    bool pieces = !der->along.has_series && !der->along.has_nodes && !der->along.leaps;
    if (pieces) collocate(der, s, ends || !der->along.begun);
    der->along.begun = true;
    der->along.done = s;
}

void ss_sensitivity_at(ss_derivative* der, double s) { go(der, s, false); }

void ss_sensitivity_at_end(ss_derivative* der, double s)
{
    if (der->sim->step.ready && !der->along.begun && ss_sensitivity_propagator_end(der, s)) return;
    go(der, s, true);
    for (int j = 0; j < der->count; j++)
        if (!der->sensitivities[j].lost) ss_sensitivity_get(der, j, der->sensitivities[j].end);
}

void ss_sensitivity_get(ss_derivative* der, int sensitivity, double y[])
{
    if (der->along.has_series)
        ss_sensitivity_sum_series(der, &der->sensitivities[sensitivity], der->along.done, y);
    else if (der->along.has_nodes)
        ss_sensitivity_read_nodes(der, sensitivity, der->along.done, y);
    else
        read_piece(der, sensitivity, y);
    if (der->along.measured)
        ss_sensitivity_unmeasure(der, &der->sensitivities[sensitivity], der->along.done,
                                 y + 2 * der->n + der->ns);
}

void ss_sensitivity_end(ss_derivative* der)
{
    for (int j = 0; j < der->count; j++) {
        ss_sensitivity* to = &der->sensitivities[j];
        if (to->lost) continue;
        if (der->kind.linear)
            store(der, to, to->end);
        else
            accept(der, to, to->end);
    }
}
