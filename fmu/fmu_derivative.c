// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Directional derivatives of outputs and state derivatives by continuous states and inputs, in the present
// modes. Within a mode everything is smooth: central differences at two distances, extrapolated, are exact
// for linear models but for rounding, and good to ten digits or more elsewhere.
#include "model_exchange.h"
#include "share/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A place to try points in: the run of an exchanged instance itself, or a copy.
typedef struct bench {
    fmu_instance* instance;
    ss_sim* own; ///< the run of the instance, while another one stands in for it
    double *y, *dy, *u, *du, *at;
    int states, inputs;
    double* memory;
} bench;

static const fmu_variable* find(const fmu_instance* instance, uint32_t reference)
{
    return reference < (uint32_t)instance->variables.count ? &instance->variables.at[reference] : NULL;
}

static fmu_status fail(fmu_instance* instance, const char* text)
{
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s", text);
    return FMU_ERROR;
}

// Adds up the direction; false where something known is neither a state nor an input.
static bool read_seeds(bench* b, const uint32_t known[], size_t count, const double seed[])
{
    for (size_t k = 0; k < count; k++) {
        const fmu_variable* v = find(b->instance, known[k]);
        bool state = v && v->state >= 0 && v->kind != FMU_RATE;
        if (v && v->kind == FMU_SLOPE) continue; // an input of which nothing depends at the present time
        if (!state && !(v && v->kind == FMU_INPUT)) return false;
        *(state ? &b->dy[v->state] : &b->du[v->index]) += seed[k];
    }
    return true;
}

static bool are_unknowns(const fmu_instance* instance, const uint32_t unknown[], size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const fmu_variable* v = find(instance, unknown[k]);
        if (!v || fmu_is_mode(v) || !(fmu_is_output(v) || v->kind == FMU_RATE || v->kind == FMU_INDICATOR))
            return false;
    }
    return true;
}

// How far to go so that what changes most does so by a thousandth of its size; 0: nothing changes.
static double distance_of(const bench* b)
{
    double most = 0.0;
    for (int k = 0; k < b->instance->variables.count; k++) {
        const fmu_variable* v = &b->instance->variables.at[k];
        if (v->state >= 0 && v->kind != FMU_RATE)
            most = fmax(most, fabs(b->dy[v->state]) / fmax(v->nominal, fabs(b->y[v->state])));
        if (v->kind == FMU_INPUT) most = fmax(most, fabs(b->du[v->index]) / fmax(1.0, fabs(b->u[v->index])));
    }
    return most > 0.0 && isfinite(most) ? 1e-3 / most : 0.0;
}

// Adds weight times the unknowns at the point that lies h along the direction.
static fmu_status probe(bench* b, double h, double weight, const uint32_t unknown[], size_t count,
                        double out[])
{
    ss_error err = {0};
    for (int k = 0; k < b->states; k++) b->at[k] = b->y[k] + h * b->dy[k];
    for (int j = 0; j < b->inputs; j++)
        if (b->du[j] != 0.0) ss_exchange_input(b->instance->sim, j, b->u[j] + h * b->du[j]);
    if (ss_exchange_put(b->instance->sim, b->instance->time, b->at, &err) != SS_OK)
        return fmu_report(b->instance, &err);
    b->instance->numbers_known = false;
    for (size_t k = 0; k < count; k++)
        out[k] += weight * fmu_value(b->instance, find(b->instance, unknown[k]));
    return FMU_OK;
}

static fmu_status differentiate(bench* b, const uint32_t unknown[], size_t count, double out[])
{
    double h = distance_of(b);
    memset(out, 0, count * sizeof *out);
    if (h == 0.0) return FMU_OK;
    // (8 (f(h/2) - f(-h/2)) - (f(h) - f(-h))) / (6 h)
    const double places[] = {0.5, -0.5, 1.0, -1.0}, weights[] = {8.0, -8.0, -1.0, 1.0};
    fmu_status status = FMU_OK;
    for (int k = 0; k < 4 && status <= FMU_WARNING; k++)
        status = probe(b, places[k] * h, weights[k] / (6.0 * h), unknown, count, out);
    return status;
}

static fmu_status open_bench(bench* b)
{
    fmu_instance* instance = b->instance;
    ss_error err = {0};
    b->states = instance->variables.states;
    b->inputs = instance->input_count;
    b->memory = calloc(3 * (size_t)b->states + 2 * (size_t)b->inputs + 1, sizeof(double));
    if (!b->memory) return fail(instance, "out of memory");
    b->y = b->memory;
    b->dy = b->y + b->states;
    b->at = b->dy + b->states;
    b->u = b->at + b->states;
    b->du = b->u + b->inputs;
    for (int j = 0; j < b->inputs; j++) b->u[j] = ss_sim_input(instance->sim, j);
    if (instance->exchange) {
        ss_exchange_get(instance->sim, b->y);
        return FMU_OK;
    }
    ss_sim* copy;
    if (ss_sim_copy(instance->sim, &copy, &err) != SS_OK) return fmu_report(instance, &err);
    b->own = instance->sim;
    instance->sim = copy;
    return ss_exchange_here(copy, instance->time, b->y, &err) == SS_OK ? FMU_OK : fmu_report(instance, &err);
}

static void close_bench(bench* b, bool varied)
{
    fmu_instance* instance = b->instance;
    ss_error err;
    if (b->own) {
        ss_sim_destroy(instance->sim);
        instance->sim = b->own;
    } else if (varied) {
        for (int j = 0; j < b->inputs; j++)
            if (b->du[j] != 0.0) ss_exchange_input(instance->sim, j, b->u[j]);
        ss_exchange_put(instance->sim, instance->time, b->y, &err);
    }
    instance->numbers_known = false;
    free(b->memory);
}

fmu_status fmu_directional(fmu_instance* instance, const uint32_t unknown[], size_t unknown_count,
                           const uint32_t known[], size_t known_count, const double seed[],
                           double sensitivity[])
{
    if (instance->variables.no_exchange) return fail(instance, "directional derivatives are not offered");
    if (!are_unknowns(instance, unknown, unknown_count))
        return fail(instance, "derivatives are those of outputs and of derivatives of states");
    fmu_status status = fmu_refresh(instance);
    bool solving = instance->exchange && !(instance->phase & FMU_INITIALIZING);
    if (status <= FMU_WARNING && solving) status = fmu_place(instance);
    if (status > FMU_WARNING) return status;
    bench b = {.instance = instance};
    bool before = instance->before;
    instance->before = false;
    status = open_bench(&b);
    bool known_all = status <= FMU_WARNING && read_seeds(&b, known, known_count, seed);
    if (status <= FMU_WARNING && !known_all)
        status = fail(instance, "derivatives are by continuous states and inputs");
    if (status <= FMU_WARNING) status = differentiate(&b, unknown, unknown_count, sensitivity);
    close_bench(&b, known_all);
    instance->before = before;
    return status;
}
