// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "lab/cycle/forcing.h"

#include "lab/cycle/orbit.h"

#include "core/error.h"
#include "core/expression/program.h"
#include "core/expression/signal_series.h"
#include "core/tolerance.h"
#include "model/actions.h"
#include "share/quantity.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_FREQUENCIES = 256,
    EASY_RATIO = 64,    // ratios of whole numbers up to this may be rounded to ten digits
    MOST_RATIO = 10000, // up to this they must be exact to rounding: closer ones are found by chance
    SAMPLES = 512,
    MOST_PARTS = 12,
    MOST_MULTIPLE = 1000000,
};
static const double two_pi = 6.28318530717958647693;

typedef struct frequencies {
    double values[MOST_FREQUENCIES];
    int count;
    bool aperiodic; // some input grows, decays, or is of too many frequencies
} frequencies;

// Calls `visit` for every input of the model.
typedef void visitor(void* user, const ss_signal* signal);

// What expressions of an open model are given in time: inputs, and what stands beside an affine part.
static void visit_open(const ss_model* model, visitor* visit, void* user)
{
    const ss_open* open = model->open;
    const ss_actions* actions = model->actions;
    for (int j = 0; j < open->input_count; j++) visit(user, open->inputs[j].signal);
    for (int p = 0; p < actions->pull_count; p++)
        if (actions->pulls[p].affine && actions->pulls[p].affine->rest)
            visit(user, actions->pulls[p].affine->rest);
    for (int j = 0; j < open->state_count; j++)
        if (actions->rates[j].affine && actions->rates[j].affine->rest)
            visit(user, actions->rates[j].affine->rest);
}

static void visit_inputs(const ss_model* model, visitor* visit, void* user)
{
    if (model->open) visit_open(model, visit, user);
    for (int f = 0; f < model->force_count; f++) visit(user, model->forces[f].signal);
    for (int i = 0; i < model->contact_count; i++)
        for (int k = 0; k < 4; k++)
            if (model->contacts[i].level[k]) visit(user, model->contacts[i].level[k]);
    for (int d = 0; d < model->drive_count; d++) visit(user, model->drives[d].signal);
}

// A signal that kinks has the period of its harmonics, or a part of it: |sin t| repeats after pi.
static double least_period(const ss_signal* signal, double period)
{
    double size = 0.0;
    for (int k = 0; k < SAMPLES; k++) size = fmax(size, fabs(ss_signal_value(signal, k * period / SAMPLES)));
    for (int parts = MOST_PARTS; parts > 1; parts--) {
        double shift = period / parts, worst = 0.0;
        for (int k = 0; k < SAMPLES; k++) {
            double t = (k + 0.6180339887498949) * period / SAMPLES;
            worst = fmax(worst, fabs(ss_signal_value(signal, t + shift) - ss_signal_value(signal, t)));
        }
        if (worst <= SS_SOLVED * size) return shift;
    }
    return period;
}

// The whole number q with q ratio whole, too; 0 if there is none.
static int denominator(double ratio)
{
    for (int q = 1; q <= MOST_RATIO; q++) {
        double slack = q <= EASY_RATIO ? SS_FAINT : SS_NOISE;
        if (fabs(q * ratio - nearbyint(q * ratio)) <= slack * q * fmax(ratio, 1.0)) return q;
    }
    return 0;
}

static int greatest_common_divisor(int a, int b)
{
    while (b) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// 2 pi / f with f the largest frequency of which all are multiples; NaN if there is none.
static double common_period(const frequencies* all)
{
    double times = 1.0, lowest = INFINITY;
    if (all->aperiodic || all->count == 0) return NAN;
    for (int k = 0; k < all->count; k++) lowest = fmin(lowest, all->values[k]);
    for (int k = 0; k < all->count; k++) {
        int q = denominator(all->values[k] / lowest);
        if (q == 0) return NAN;
        times = times / greatest_common_divisor((int)times, q) * q;
        if (times > MOST_MULTIPLE) return NAN;
    }
    return times * two_pi / lowest;
}

double ss_forcing_common(const double rates[], int count)
{
    frequencies all = {.count = count, .aperiodic = count > MOST_FREQUENCIES};
    for (int k = 0; k < count && !all.aperiodic; k++) all.values[k] = rates[k];
    return common_period(&all);
}

static void add_frequency(frequencies* all, double frequency)
{
    if (all->count < MOST_FREQUENCIES)
        all->values[all->count++] = frequency;
    else
        all->aperiodic = true;
}

static void add_signal(void* user, const ss_signal* signal)
{
    frequencies* all = user;
    frequencies own = {.count = 0};
    bool kinked;
    if (ss_signal_is_constant(signal) || ss_signal_is_table(signal)) return;
    own.count = ss_signal_frequencies(signal, own.values, MOST_FREQUENCIES, &kinked);
    if (own.count < 0) all->aperiodic = true;
    if (own.count <= 0) return;
    if (!kinked) {
        for (int k = 0; k < own.count; k++) add_frequency(all, own.values[k]);
        return;
    }
    double period = common_period(&own);
    if (isnan(period))
        all->aperiodic = true;
    else
        add_frequency(all, two_pi / least_period(signal, period));
}

static void note_kind(void* user, const ss_signal* signal)
{
    ss_forcing* forcing = user;
    if (ss_signal_is_constant(signal)) return;
    forcing->forced = true;
    *(ss_signal_is_table(signal) ? &forcing->tables : &forcing->other) = true;
}

// ---- time between other things in expressions

// What goes on with time by itself: t, places of bodies that are driven evenly, and of those that advance
// with them.
static ss_status fill_advance(const ss_model* model, double rates[], ss_advance* out, ss_error* err)
{
    bool any = false;
    double* carry = ss_new((size_t)model->n, sizeof(double));
    ss_status status = carry ? ss_orbit_find_advance(model, carry, err) : ss_fail_no_memory(err);
    for (int b = 0; b < model->body_count && status == SS_OK; b++) {
        const ss_body* body = &model->bodies[b];
        const ss_drive* drive = body->drive < 0 ? NULL : &model->drives[body->drive];
        if (!drive) rates[b] = ss_row_dot(&body->row, carry);
        if (drive && drive->is_speed && ss_signal_is_constant(drive->signal))
            rates[b] = ss_signal_value(drive->signal, 0.0);
        any = any || rates[b] != 0.0;
    }
    *out = (ss_advance){.time = 1.0, .variables = any ? rates : NULL};
    free(carry);
    return status;
}

static void add_program(const ss_program* program, const ss_advance* by, frequencies* all,
                        ss_forcing* forcing)
{
    frequencies own = {.count = 0};
    own.count = ss_program_frequencies(program, by, own.values, MOST_FREQUENCIES);
    if (own.count == 0) return;
    forcing->forced = forcing->other = true;
    if (own.count < 0) all->aperiodic = true;
    for (int k = 0; k < own.count; k++) add_frequency(all, own.values[k]);
}

// Forces, rates, levels and controllers in which time stands beside the motion: a pivot that is shaken.
static ss_status add_programs(const ss_model* model, frequencies* all, ss_forcing* forcing, ss_error* err)
{
    ss_advance by;
    if (!model->open) return SS_OK;
    double* rates = ss_new((size_t)model->open->variable_count, sizeof(double));
    if (!rates) return ss_fail_no_memory(err);
    ss_status status = fill_advance(model, rates, &by, err);
    if (status == SS_OK) {
        add_program(&model->actions->motion, &by, all, forcing);
        for (int b = 0; b < model->open->block_count; b++)
            add_program(&model->open->blocks[b].program, &by, all, forcing);
    }
    free(rates);
    return status;
}

// ---- bodies that drive away

// Whether the position of a drive acts on anything, not just its speed.
static bool is_pulled(const ss_model* model, int drive)
{
    for (int c = 0; c < model->connection_count; c++)
        for (int k = 0; k < model->connections[c].d.count; k++)
            if (model->connections[c].d.index[k] == drive &&
                (model->connections[c].stiffness != 0.0 || model->connections[c].cubic != 0.0))
                return true;
    for (int i = 0; i < model->contact_count; i++)
        for (int k = 0; k < model->contacts[i].d.count; k++)
            if (model->contacts[i].d.index[k] == drive && ss_law_has(model->contacts[i].law, SS_TRAIT_STOPS))
                return true;
    return false;
}

// Mean of a signal over a time, and the mean of its magnitude: by the rule of trapezoids, which is exact to
// rounding for harmonics, and good to 1e-8 across kinks.
static double mean_over(const ss_signal* signal, double time, double* size)
{
    enum { PARTS = 16384 };
    double sum = 0.0, total = 0.0;
    for (int k = 0; k < PARTS; k++) {
        double value = 0.5 * (ss_signal_value(signal, k * time / PARTS) +
                              ss_signal_value(signal, (k + 1) * time / PARTS));
        sum += value;
        total += fabs(value);
    }
    *size = total / PARTS;
    return sum / PARTS;
}

// Whether coordinates advance with drives at constant speed, and nothing feels it.
static bool goes_along(const ss_model* model)
{
    double* carry = ss_new((size_t)model->n, sizeof(double));
    ss_error ignored;
    bool any = false;
    if (!carry) return false;
    if (ss_orbit_find_advance(model, carry, &ignored) == SS_OK)
        for (int i = 0; i < model->n; i++) any = any || carry[i] != 0.0;
    free(carry);
    return any;
}

static ss_status check_drives(const ss_model* model, double period, ss_error* err)
{
    for (int d = 0; d < model->drive_count; d++) {
        const ss_drive* drive = &model->drives[d];
        double size = 0.0, mean;
        if (!drive->is_speed || !is_pulled(model, d)) continue;
        if (isnan(period) && !ss_signal_is_constant(drive->signal)) continue;
        mean = mean_over(drive->signal, isnan(period) ? 1.0 : period, &size);
        if (fabs(mean) > SS_ROOT_NOISE * size && !goes_along(model))
            return ss_fail(err, SS_BAD_INPUT, NULL,
                           "body %.100s drives away for ever and pulls along: nothing repeats",
                           model->bodies[drive->body].name);
    }
    return SS_OK;
}

ss_status ss_forcing_find(const ss_model* model, ss_forcing* out, ss_error* err)
{
    frequencies all = {.count = 0};
    *out = (ss_forcing){.period = NAN};
    visit_inputs(model, note_kind, out);
    visit_inputs(model, add_signal, &all);
    ss_status status = add_programs(model, &all, out, err);
    if (status != SS_OK) return status;
    if (out->other) out->period = common_period(&all);
    return check_drives(model, out->tables ? NAN : out->period, err);
}

void ss_forcing_add_ticks(const ss_model* model, ss_forcing* forcing)
{
    frequencies all = {.count = 0};
    if (!model->open || model->open->block_count == 0) return;
    if (forcing->other && !isnan(forcing->period)) add_frequency(&all, two_pi / forcing->period);
    if (forcing->other && isnan(forcing->period)) all.aperiodic = true;
    for (int b = 0; b < model->open->block_count; b++)
        add_frequency(&all, two_pi / model->open->blocks[b].every);
    forcing->ticks = !forcing->forced;
    forcing->forced = forcing->other = true;
    forcing->period = common_period(&all);
}

// ---- a period that is asked for

typedef struct closing {
    double period;
    const char* fault;
} closing;

static void check_table(void* user, const ss_signal* signal)
{
    closing* c = user;
    if (c->fault || ss_signal_is_constant(signal) || !ss_signal_is_table(signal)) return;
    double first = ss_signal_value(signal, 0.0), last = ss_signal_value(signal, c->period),
           size = fmax(fabs(first), fabs(last));
    for (double t = 0.0; (t = ss_signal_next_breakpoint(signal, t)) < INFINITY;) {
        size = fmax(size, fabs(ss_signal_value(signal, t)));
        if (t > c->period * (1.0 + SS_SAME)) c->fault = "a table goes on after it";
    }
    if (!c->fault && fabs(last - first) > SS_SAME * size)
        c->fault = "a table ends in another value than it begins with";
}

static ss_status fit_to_tables(const ss_model* model, double given, double* period, ss_error* err)
{
    if (isnan(given))
        return ss_fail(err, SS_BAD_INPUT, NULL,
                       "a table is held after its last point and never repeats; give the time after which it "
                       "is to begin anew (--period)");
    closing tables = {.period = given};
    visit_inputs(model, check_table, &tables);
    if (tables.fault) return ss_fail(err, SS_BAD_INPUT, "period", "%s: nothing repeats", tables.fault);
    *period = given;
    return check_drives(model, given, err);
}

ss_status ss_forcing_fit(const ss_model* model, const ss_forcing* forcing, double given, double* period,
                         int* multiple, ss_error* err)
{
    *period = given;
    *multiple = 1;
    if (!forcing->forced) return SS_OK;
    if (forcing->other && isnan(forcing->period))
        return ss_fail(err, SS_BAD_INPUT, NULL, "the inputs have no common period: nothing repeats");
    if (forcing->other) {
        double times = isnan(given) ? 1.0 : nearbyint(given / forcing->period);
        bool whole = times >= 1.0 && times <= MOST_MULTIPLE;
        if (!isnan(given) && (!whole || fabs(given - times * forcing->period) > SS_SAME * given))
            return ss_fail(err, SS_BAD_INPUT, "period",
                           "the inputs repeat every %.12g s: the period must be a multiple of that",
                           forcing->period);
        *multiple = (int)times;
        *period = times * forcing->period;
    }
    if (!forcing->tables) return SS_OK;
    *multiple = 1;
    return fit_to_tables(model, isnan(given) ? NAN : *period, period, err);
}
