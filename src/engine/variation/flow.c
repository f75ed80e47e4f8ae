// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Headings along a step of the run. Where the model is linear on it, they are power series like the motion
// itself:
//
//     da_k = (A dy + b)_k,     dq_{k+2} = da_k / ((k + 1) (k + 2)),     ds_{k+1} = drate_k / (k + 1)
//
// of the same order and over the same length, because A is the one that the step was chosen for. Otherwise
// Radau collocation (collocation.h) in the parameter of the step, in which everything is smooth also where an
// elastic stop is touched: dy/ds = (dt/ds) (A dy + b).
#include "engine/field/field.h"
#include "engine/flow/stiff.h"
#include "engine/variation/passing.h"
#include "engine/variation/tangent.h"

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

// Order k of a heading, with everything that may change.
static void run_order(ss_variation* var, ss_heading* to, int k)
{
    size_t n = (size_t)var->n, ns = (size_t)var->ns;
    ss_delta* io = &var->delta;
    double *q = to->series_q + (size_t)k * n, *s = to->series_s + (size_t)k * ns;
    for (size_t i = 0; i < n; i++) var->room.rates[i] = (k + 1) * q[n + i];
    io->q = q;
    io->v = var->room.rates;
    io->s = s;
    io->z = to->z;
    ss_linear_all(var, &var->points[0], to, io);
    for (size_t i = 0; i < n; i++) q[2 * n + i] = io->a[i] / ((k + 1.0) * (k + 2.0));
    for (size_t i = 0; i < ns; i++) s[ns + i] = io->rate[i] / (k + 1.0);
}

void ss_vary_run_series(ss_variation* var)
{
    bool brief = true;
    ss_linear_order(var, 0, &var->points[0]);
    for (int j = 0; j < var->count; j++) {
        ss_heading* to = &var->headings[j];
        if (to->lost) continue;
        for (int i = 0; i < 2 * var->n; i++) to->series_q[i] = to->q[i]; // v follows q
        for (int i = 0; i < var->ns; i++) to->series_s[i] = to->s[i];
        run_order(var, to, 0);
        if (to->brief) ss_vary_brief_orders(var, to);
        brief = brief && to->brief;
    }
    for (int k = 1; k + 2 <= var->sim->step.order && !brief; k++) {
        ss_linear_order(var, k, &var->points[0]);
        for (int j = 0; j < var->count; j++)
            if (!var->headings[j].lost && !var->headings[j].brief) run_order(var, &var->headings[j], k);
    }
    var->along.has_series = true;
}

void ss_vary_sum_series(const ss_variation* var, const ss_heading* to, double s, double y[])
{
    int order = var->sim->step.order, n = var->n;
    if (var->sim->clock.stop) {
        ss_vary_bend_clocked(var, to, s, y);
        return;
    }
    ss_sum_both(to->series_q, n, order, s, y, y + n);
    for (int i = 0; i < var->ns; i++)
        y[2 * var->n + i] = ss_poly_value(to->series_s + i, var->ns, order - 1, s);
    if (var->ways.bends && var->nz > 0) ss_vary_bend_states(var, to, s, y + 2 * var->n + var->ns);
}

// Whether the step at hand is one of collocation.
static bool is_stiff(const ss_variation* var)
{
    const ss_stiff* stiff = var->sim->ways.stiff;
    return stiff && stiff->pace.active;
}

// Whether nothing on this step is nonlinear, although something of the model is: no curve slips, no stop is
// pressed.
static bool is_straight(const ss_variation* var)
{
    const ss_sim* sim = var->sim;
    if (!var->kind.calm || sim->clock.stop || is_stiff(var)) return false;
    if (!ss_vary_can_step(var)) return false;
    for (int i = 0; i < var->m; i++)
        if (var->model->contacts[i].law_row->point.at && sim->modes.contacts[i].mode != SS_MODE_OPEN &&
            !ss_holds(sim, i))
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

static void try_series(ss_variation* var)
{
    int order = var->sim->step.order;
    double h = var->sim->step.length;
    ss_vary_run_series(var);
    for (int j = 0; j < var->count && var->along.has_series; j++) {
        const ss_heading* to = &var->headings[j];
        if (to->lost) continue;
        var->along.has_series = series_end(to->series_q, var->n, order, h) &&
                                !(to->tangent && to->tangent->bad) &&
                                series_end(to->series_s, var->ns, order - 1, h);
    }
}

// ---- collocation

// q, v, s and z are one list.
static void load(const ss_variation* var, const ss_heading* to, double y[])
{
    memcpy(y, to->q, (size_t)var->width * sizeof(double));
}

static void store(const ss_variation* var, ss_heading* to, const double y[])
{
    memcpy(to->q, y, (size_t)var->width * sizeof(double));
}

// lin: of numbers in measures of their own, which are turned back in room.
static void aim(ss_variation* var, const ss_linear* lin, const ss_heading* to, ss_delta* io, const double y[])
{
    double* turned = var->room.turned;
    if (var->along.measured) {
        memcpy(turned, y, (size_t)var->width * sizeof(double));
        ss_vary_unmeasure_at(var, to, lin, turned + 2 * var->n + var->ns);
        y = turned;
    }
    io->q = y;
    io->v = y + var->n;
    io->s = y + 2 * var->n;
    io->z = y + 2 * var->n + var->ns;
}

static void collect(const ss_variation* var, const ss_delta* io, const double y[], double pace, double out[])
{
    int n = var->n;
    for (int i = 0; i < n; i++) out[i] = pace * y[n + i];
    for (int i = 0; i < n; i++) out[n + i] = pace * io->a[i];
    for (int i = 0; i < var->ns; i++) out[2 * n + i] = pace * io->rate[i];
    for (int i = 0; i < var->nz; i++) out[2 * n + var->ns + i] = pace * io->z_rate[i];
}

// A y at a point.
static void apply(ss_variation* var, const ss_linear* lin, const double y[], double out[])
{
    ss_delta* io = &var->delta;
    aim(var, lin, NULL, io, y);
    for (int i = 0; i < var->nd; i++) io->d[i] = io->d1[i] = io->d2[i] = 0.0;
    for (int i = 0; i < var->nu; i++) io->input[i] = 0.0;
    io->m = io->offset = NULL;
    ss_linear_apply(var, lin, NULL, io);
    ss_field_hold_change(var->sim->field, io);
    if (var->along.measured) ss_vary_measure_rates(var, NULL, lin, io);
    collect(var, io, y, lin->at.pace, out);
}

// b at a point: the rates of a heading that is 0.
static void offset_rates(ss_variation* var, const ss_linear* lin, ss_heading* to, double out[])
{
    if (!to->change && var->nd == 0 && var->nm == 0 && var->model->body_count == var->n) {
        memset(out, 0, (size_t)var->width * sizeof(double));
        return;
    }
    memset(var->room.zero, 0, (size_t)var->width * sizeof(double));
    aim(var, lin, to, &var->delta, var->room.zero);
    ss_linear_all(var, lin, to, &var->delta);
    if (var->along.measured) ss_vary_measure_rates(var, to, lin, &var->delta);
    collect(var, &var->delta, var->room.zero, lin->at.pace, out);
}

// Room of a step: for each heading and stage, width numbers each.
static double* at_stage(const ss_variation* var, double* room, int heading, int stage)
{
    return room + (size_t)(heading * S + stage) * (size_t)var->width;
}

// y_i = y_0 + h sum_j once_ij f_j
static double spread(const ss_variation* var, const ss_heading* to, int j, double h, double* f)
{
    double* y0 = var->stages.rhs;
    double change = 0.0, size = 0.0;
    load(var, to, y0);
    for (int i = 0; i < S; i++) {
        double* y = at_stage(var, var->stages.y, j, i);
        for (int c = 0; c < var->width; c++) {
            double sum = y0[c];
            for (int k = 0; k < S; k++) sum += h * var->method.once[i][k] * at_stage(var, f, j, k)[c];
            change = fmax(change, fabs(sum - y[c]));
            size = fmax(size, fabs(sum));
            y[c] = sum;
        }
    }
    return size > 0.0 ? change / size : 0.0;
}

// Stages by repeated substitution; false where that converges slowly.
static bool sweep(ss_variation* var, double h)
{
    double before = INFINITY;
    for (int round = 0; round < SWEEPS; round++) {
        double change = 0.0;
        for (int j = 0; j < var->count; j++) {
            if (var->headings[j].lost) continue;
            for (int i = 0; i < S; i++) {
                double *y = at_stage(var, var->stages.y, j, i), *f = at_stage(var, var->stages.f, j, i),
                       *b = at_stage(var, var->stages.b, j, i);
                apply(var, &var->points[i], y, f);
                for (int c = 0; c < var->width; c++) f[c] += b[c];
            }
            change = fmax(change, spread(var, &var->headings[j], j, h, var->stages.f));
        }
        if (change <= 1e-15) return true;
        if (round > 2 && !(change < 0.4 * before)) return change <= 1e-14;
        before = change;
    }
    return false;
}

// Stages by the equations of all of them at once.
static bool solve(ss_variation* var, double h)
{
    int w = var->width, size = S * w;
    double *system = var->stages.system, *column = var->stages.rhs;
    memset(system, 0, (size_t)size * (size_t)size * sizeof(double));
    for (int k = 0; k < S; k++)
        for (int c = 0; c < w; c++) {
            memset(var->room.zero, 0, (size_t)w * sizeof(double));
            var->room.zero[c] = 1.0;
            apply(var, &var->points[k], var->room.zero, column);
            for (int i = 0; i < S; i++)
                for (int r = 0; r < w; r++)
                    system[(size_t)(i * w + r) * (size_t)size + (size_t)(k * w + c)] =
                        (i == k && r == c ? 1.0 : 0.0) - h * var->method.once[i][k] * column[r];
        }
    if (!ss_lu_factor(system, size, var->stages.pivots)) return false;
    for (int j = 0; j < var->count; j++) {
        if (var->headings[j].lost) continue;
        spread(var, &var->headings[j], j, h, var->stages.b);
        double* y = at_stage(var, var->stages.y, j, 0);
        ss_lu_solve(system, size, var->stages.pivots, y);
        for (int i = 0; i < S; i++) {
            double *f = at_stage(var, var->stages.f, j, i), *b = at_stage(var, var->stages.b, j, i);
            apply(var, &var->points[i], y + (size_t)i * (size_t)w, f);
            for (int c = 0; c < w; c++) f[c] += b[c];
        }
    }
    return true;
}

// What a heading moves, as a share of what the motion has been: by places or by speeds, whichever is less, so
// that one that has hardly begun to move does not make all changes look small.
static double reach_of(const ss_variation* var, const ss_heading* to)
{
    double share[2] = {0.0};
    for (int c = 0; c < 2 * var->n; c++)
        if (var->sizes[c] > 0.0)
            share[c >= var->n] = fmax(share[c >= var->n], to->largest[c] / var->sizes[c]);
    return fmin(share[0], share[1]);
}

// Slopes of a law are differences (of a bristle in steady slip, 1 - sigma0 |z| / g), as good as the motion
// within its step; so a change is known to that share of the motion times its reach, and no shorter step
// makes it any better.
double ss_vary_error_share(const ss_variation* var, const ss_heading* to, int c, double error, double size)
{
    if (!isfinite(size)) return INFINITY;
    size = fmax(size, fmax(to->noise * var->sizes[c], faded * to->largest[c]));
    if (size == 0.0) return 0.0;
    double share = error / size;
    if (share <= SS_SOLVED || share > drowned) return share;
    return error <= 0.1 * var->read_off * var->sizes[c] * reach_of(var, to) ? 0.0 : share;
}

// The largest estimate of an error within the step, as a share of what moves.
static double step_error(ss_variation* var, double h)
{
    const ss_collocation* method = &var->method;
    double worst = 0.0;
    for (int j = 0; j < var->count; j++) {
        if (var->headings[j].lost) continue;
        for (int c = 0; c < var->width; c++) {
            double value[S], coefficient[S], size = 0.0;
            for (int i = 0; i < S; i++) {
                value[i] = at_stage(var, var->stages.f, j, i)[c];
                size = fmax(size, fabs(at_stage(var, var->stages.y, j, i)[c]) + fabs(h * value[i]));
            }
            ss_collocation_combine(method->power, value, 1, coefficient);
            double error = ss_collocation_error(coefficient, 1, h);
            worst = fmax(worst, ss_vary_error_share(var, &var->headings[j], c, error, size));
        }
    }
    return worst;
}

static void measure(ss_variation* var, const ss_values* at)
{
    int n = var->n;
    for (int i = 0; i < n; i++) {
        var->sizes[i] = fmax(var->sizes[i], fabs(at->q[i]));
        var->sizes[n + i] = fmax(var->sizes[n + i], fabs(at->v[i]));
    }
    for (int i = 0; i < var->ns; i++)
        var->sizes[2 * n + i] = fmax(var->sizes[2 * n + i], fabs(at->states[i]));
    for (int i = 0; i < var->nz; i++)
        var->sizes[2 * n + var->ns + i] = fmax(var->sizes[2 * n + var->ns + i], fabs(at->z[i]));
}

static double try_step(ss_variation* var, double h)
{
    for (int i = 0; i < S; i++) {
        ss_linear_at(var, var->along.from + var->method.node[i] * h, &var->points[i]);
        measure(var, &var->points[i].at);
        for (int j = 0; j < var->count; j++) {
            ss_heading* to = &var->headings[j];
            if (to->lost) continue;
            offset_rates(var, &var->points[i], to, at_stage(var, var->stages.b, j, i));
            load(var, to, at_stage(var, var->stages.y, j, i));
        }
    }
    bool fine = var->width > DIRECT && sweep(var, h);
    if (!fine) fine = solve(var, h);
    return fine ? step_error(var, h) : INFINITY;
}

static void accept(const ss_variation* var, ss_heading* to, const double y[])
{
    store(var, to, y);
    for (int c = 0; c < var->width; c++) to->largest[c] = fmax(to->largest[c], fabs(y[c]));
}

// The next piece, at most up to limit of the step.
static void take_piece(ss_variation* var, double limit, double goal)
{
    double left = limit - var->along.from, least = limit / MOST_PARTS;
    double parts = var->stages.h > 0.0 ? ceil(left / (1.1 * var->stages.h)) : 1.0;
    double h = fmin(fmax(left / fmax(parts, 1.0), least), left);
    double error = try_step(var, h);
    while (!(error <= goal) && h > least) {
        h *= isfinite(error) ? fmin(fmax(0.8 * pow(goal / error, 0.125), 0.1), 0.6) : 0.1;
        h = fmax(h, least);
        error = try_step(var, h);
    }
    var->stages.h = h * fmin(4.0, fmax(0.8 * pow(goal / fmax(error, 1e-16), 0.125), 0.5));
    var->stages.length = h;
    var->along.to = h < left ? var->along.from + h : limit;
}

static void pass_piece(ss_variation* var)
{
    for (int j = 0; j < var->count; j++)
        if (!var->headings[j].lost) accept(var, &var->headings[j], at_stage(var, var->stages.y, j, S - 1));
    var->along.from = var->along.to;
}

// Weights of the rates at the stages, within the present piece.
static void weigh(ss_variation* var, double s)
{
    double u = (s - var->along.from) / (var->along.to - var->along.from);
    for (int i = 0; i < S; i++) {
        double sum = 0.0;
        for (int k = S - 1; k >= 0; k--) sum = (sum + var->method.power[k][i] / (k + 1)) * u;
        var->stages.weight[i] = var->stages.length * sum;
    }
}

// Where the step ends, all digits count: headings are at the end of a piece. What is asked on the way is read
// from the polynomial of a piece that goes on beyond.
static void collocate(ss_variation* var, double s, bool ends)
{
    double limit = ends ? s : fmax(s, var->sim->step.length);
    if (ends && s < var->along.to) var->along.to = var->along.from;
    while (var->along.to < s) {
        if (var->along.to > var->along.from) pass_piece(var);
        take_piece(var, limit, ends ? close_enough : var->read_off);
    }
    if (ends && var->along.to > var->along.from) pass_piece(var);
    if (var->along.to > var->along.from) weigh(var, s);
}

static void read_piece(ss_variation* var, int j, double y[])
{
    load(var, &var->headings[j], y);
    if (!(var->along.to > var->along.from)) return;
    for (int i = 0; i < S; i++) {
        const double* f = at_stage(var, var->stages.f, j, i);
        for (int c = 0; c < var->width; c++) y[c] += var->stages.weight[i] * f[c];
    }
}

// ---- either

void ss_vary_rewind(ss_variation* var)
{
    var->along.has_given = var->along.has_series = var->along.has_nodes = var->along.begun = false;
    var->along.measured = var->along.leaps = false;
    var->along.passing = NULL;
    var->along.done = var->along.from = var->along.to = 0.0;
}

// Headings up to s by one rate each, as a piece of the collocation with one stage.
static void leap(ss_variation* var, double s)
{
    memset(var->stages.weight, 0, sizeof var->stages.weight);
    var->stages.weight[0] = s;
    for (int j = 0; j < var->count; j++)
        if (!var->headings[j].lost) ss_vary_leap(var, s, j, at_stage(var, var->stages.f, j, 0));
    var->along.to = s;
    var->along.leaps = true;
}

// The way through the step at hand, which is asked for at s first.
static void choose_way(ss_variation* var, double s)
{
    if (ss_vary_stride_series(var)) return; // tables know what is given in time, too
    ss_vary_prepare(var);
    if (var->kind.linear) {
        ss_vary_run_series(var);
        return;
    }
    if (ss_vary_passes(var)) ss_vary_take_passing(var, s);
    if (is_straight(var)) try_series(var);
    if (!var->along.has_series && !is_stiff(var)) ss_vary_bend_series(var);
    if (!var->along.has_series && var->along.passing) leap(var, s);
    if (var->along.has_series || var->along.leaps) return;
    var->along.measured = ss_vary_take_measures(var);
    if (is_stiff(var) && !var->along.measured) var->along.has_nodes = ss_vary_take_nodes(var, s);
}

static void go(ss_variation* var, double s, bool ends)
{
    if (!var->sim->step.ready || (!ends && var->along.begun && s == var->along.done)) return;
    if (var->along.passing) ss_vary_rewind(var); // what is passed depends on s
    if (!var->along.begun) choose_way(var, s);
    if (var->along.passing) ss_vary_lose_touching(var);
    // Who asks once in a step, at the end of a run, gets all digits; who asks again reads the polynomials.
    bool pieces = !var->along.has_series && !var->along.has_nodes && !var->along.leaps;
    if (pieces) collocate(var, s, ends || !var->along.begun);
    var->along.begun = true;
    var->along.done = s;
}

void ss_vary_look(ss_variation* var, double s) { go(var, s, false); }

void ss_vary_reach(ss_variation* var, double s)
{
    if (var->sim->step.ready && !var->along.begun && ss_vary_stride_end(var, s)) return;
    go(var, s, true);
    for (int j = 0; j < var->count; j++)
        if (!var->headings[j].lost) ss_vary_get(var, j, var->headings[j].end);
}

void ss_vary_get(ss_variation* var, int heading, double y[])
{
    if (var->along.has_series)
        ss_vary_sum_series(var, &var->headings[heading], var->along.done, y);
    else if (var->along.has_nodes)
        ss_vary_read_nodes(var, heading, var->along.done, y);
    else
        read_piece(var, heading, y);
    if (var->along.measured)
        ss_vary_unmeasure(var, &var->headings[heading], var->along.done, y + 2 * var->n + var->ns);
}

void ss_vary_end(ss_variation* var)
{
    for (int j = 0; j < var->count; j++) {
        ss_heading* to = &var->headings[j];
        if (to->lost) continue;
        if (var->kind.linear)
            store(var, to, to->end);
        else
            accept(var, to, to->end);
    }
}
