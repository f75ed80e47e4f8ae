// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A number of a model file as a direction: the model is made anew at eight values beside it. Everything in a
// compiled model is a smooth function of its numbers, and most of them are polynomials or quotients: the
// differences, taken with weights that cancel all errors up to the eighth order, leave some 1e-14. Functions
// of a number times the time turn faster; the values are taken so near that these are exact, too.
#include "core/error.h"
#include "core/number_length.h"
#include "core/tolerance.h"
#include "engine/sensitivity/sensitivity.h"
#include "model/read/node.h"
#include "model/read/read.h"
#include "share/derivative.h"
#include "share/model_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 8, TIMES = 5, ROUNDS = 4 };

struct ss_path_direction {
    ss_direction shown;
    char* name;
    double value;
    ss_model* models[MODELS];
    double weights[MODELS];
    int count;
};

static const double nearness = 1e-2;  // of the value: where quotients are exact to 1e-12
static const double agreement = 6e-4; // of first differences over one and two steps, for the same promise

// ---- the number itself

static ss_status refuse(const char* path, const char* text, ss_error* err)
{
    ss_fail(err, SS_BAD_INPUT, path, "%s", text);
    if (err) snprintf(err->origin, sizeof err->origin, "--derivative %.200s", path);
    return SS_BAD_INPUT;
}

static bool ends_in(const char* path, const char* end)
{
    size_t a = strlen(path), b = strlen(end);
    return a > b && strcmp(path + a - b, end) == 0;
}

// Ticks are at their times: motions with others meet them in another order.
static ss_status check_path(const char* path, ss_error* err)
{
    if (strncmp(path, "sampled.", 8) == 0 &&
        (ends_in(path, ".every") || ends_in(path, ".offset") || ends_in(path, ".delay")))
        return refuse(path, "the times of ticks move with it: there is no derivative by it", err);
    if (strncmp(path, "run.", 4) == 0) return refuse(path, "is not a number of the motion", err);
    return SS_OK;
}

static ss_status parse_value(ss_document* document, const ss_node* node, const char* path, double* out,
                             ss_error* err)
{
    ss_reader reader = {.document = document, .root = document->root};
    ss_dimension dimension;
    bool has_unit;
    ss_error reason;
    ss_status status = ss_read_parameters(&reader);
    if (status != SS_OK && err) *err = reader.error;
    ss_scope scope = {.parameters = reader.parameters, .parameter_count = reader.parameter_count};
    if (status == SS_OK &&
        ss_quantity_parse_any(node->text, &scope, out, &dimension, &has_unit, &reason) != SS_OK) {
        char text[320];
        snprintf(text, sizeof text, "'%.60s' is not a number (%.200s)", node->text, reason.text);
        status = refuse(path, text, err);
    }
    if (status == SS_OK && !isfinite(*out)) status = refuse(path, "is not a finite number", err);
    ss_pool_free(&reader.pool);
    return status;
}

// The model with the number at another value. Errors name the option.
static ss_status make_model(ss_document* document, const char* path, double value, ss_model** out,
                            ss_error* err)
{
    char text[40], option[256];
    ss_format(text, sizeof text, "%.17g", value);
    snprintf(option, sizeof option, "--derivative %.200s", path);
    ss_status status = ss_document_set(document, path, text, option, err);
    return status == SS_OK ? ss_model_create_from_document(document, out, err) : status;
}

// A number that the file does not give is 0, if that is what its absence means.
static ss_status find_value(ss_document* document, const ss_model* model, const char* path, double* value,
                            ss_error* err)
{
    char option[256];
    ss_node* node = NULL;
    ss_model* other = NULL;
    snprintf(option, sizeof option, "--derivative %.200s", path);
    ss_status status = check_path(path, err);
    if (status == SS_OK) status = ss_document_find(document, path, option, &node, err);
    if (status != SS_OK) return status;
    if (node && node->kind != SS_NODE_SCALAR) return refuse(path, "is not a number", err);
    if (node) return parse_value(document, node, path, value, err);
    *value = 0.0;
    status = make_model(document, path, 0.0, &other, err);
    if (status == SS_OK && ss_model_fingerprint(other) != ss_model_fingerprint(model))
        status = refuse(path, "is not given in the model", err);
    ss_model_destroy(other);
    return status;
}

// ---- the models beside it

static void clear(ss_path_direction* d)
{
    for (int k = 0; k < MODELS; k++) {
        ss_model_destroy(d->models[k]);
        d->models[k] = NULL;
    }
}

// From both sides; where the model does not take the values on one of them, from the other.
static ss_status make_models(ss_path_direction* d, ss_document* document, const char* path, double h,
                             ss_error* err)
{
    static const struct {
        int count;
        double share, places[MODELS], weights[MODELS];
    } formulas[] = {{8,
                     1.0,
                     {-4, -3, -2, -1, 1, 2, 3, 4},
                     {12.0 / 280, -48.0 / 105, 2.4, -9.6, 9.6, -2.4, 48.0 / 105, -12.0 / 280}},
                    {5, 0.1, {0, 1, 2, 3, 4}, {-25, 48, -36, 16, -3}},
                    {5, 0.1, {0, -1, -2, -3, -4}, {25, -48, 36, -16, 3}}};
    ss_error first;
    ss_status status = SS_BAD_INPUT;
    for (int f = 0; f < 3; f++) {
        clear(d);
        d->count = formulas[f].count;
        status = SS_OK;
        for (int k = 0; k < d->count && status == SS_OK; k++) {
            // A power of two: the places are exact.
            double near = formulas[f].share * exp2(floor(log2(h))),
                   place = d->value + formulas[f].places[k] * near;
            d->weights[k] = formulas[f].weights[k] / (12.0 * near);
            status = make_model(document, path, place, &d->models[k], err);
        }
        if (status != SS_BAD_INPUT) return status;
        if (f == 0 && err) first = *err;
    }
    if (err) *err = first;
    return status;
}

// Differences over one and over two steps of something that depends on the number.
static double disagreement(const ss_path_direction* d, const double value[][TIMES], int times)
{
    double apart = 0.0, size = 0.0, terms = 0.0;
    for (int j = 0; j < times; j++) {
        double once = value[4][j] - value[3][j], twice = 0.5 * (value[5][j] - value[2][j]);
        if (d->count == 5) {
            once = value[1][j] - value[0][j];
            twice = 0.5 * (value[2][j] - value[0][j]);
        }
        apart = fmax(apart, fabs(once - twice));
        size = fmax(size, fabs(once));
        terms = fmax(terms, fabs(value[0][j]));
    }
    return size > SS_FAINT * terms ? apart / size : 0.0;
}

// Values of signal s in all models at some times up to the end of the motion, on the pieces of the first:
// where it jumps may move with the number.
static bool ask_signal(const ss_path_direction* d, int s, double until, double value[][TIMES])
{
    static const double shares[TIMES] = {0.0, 0.31, 0.52, 0.83, 1.0};
    const ss_signal* first = d->models[0]->signals[s];
    int kinks = ss_signal_kink_count(first);
    size_t scratch = 0;
    for (int k = 0; k < d->count; k++) {
        if (s >= d->models[k]->signal_count || ss_signal_kink_count(d->models[k]->signals[s]) != kinks)
            return false;
        scratch = (size_t)fmax((double)scratch, (double)ss_signal_scratch_size(d->models[k]->signals[s], 0));
    }
    double* room = ss_new(scratch + (size_t)kinks + 1, sizeof(double));
    bool good = room != NULL;
    for (int j = 0; j < TIMES && good; j++) {
        for (int i = 0; i < kinks; i++) room[scratch + (size_t)i] = NAN;
        for (int k = 0; k < d->count; k++)
            if (!ss_signal_series_on(d->models[k]->signals[s], shares[j] * until, 0, &value[k][j], NULL,
                                     room + scratch, room))
                value[k][j] = NAN;
    }
    free(room);
    return good;
}

// The largest disagreement over all signals.
static double study(const ss_path_direction* d, double until)
{
    double worst = 0.0;
    for (int s = 0; s < d->models[0]->signal_count; s++) {
        double value[MODELS][TIMES] = {{0}};
        if (ask_signal(d, s, until, value))
            worst = fmax(worst, disagreement(d, (const double(*)[TIMES])value, TIMES));
    }
    return worst;
}

// By how much the points of tables may move together with the number before they come near each other: the
// factor for the distance of the models; 1 where they do not move.
static double room_of_tables(const ss_path_direction* d)
{
    const double share = 0.02;
    double factor = 1.0;
    const ss_model *low = d->models[0], *high = d->models[d->count - 1];
    for (int s = 0; s < low->signal_count && s < high->signal_count; s++) {
        double a = -INFINITY, b = -INFINITY, gap = INFINITY;
        while (isfinite(a = ss_signal_next_breakpoint(low->signals[s], a))) {
            double before = b;
            b = ss_signal_next_breakpoint(high->signals[s], b);
            gap = fmin(gap, isfinite(before) ? b - before : INFINITY);
        }
        a = b = -INFINITY;
        while (isfinite(a = ss_signal_next_breakpoint(low->signals[s], a)) && isfinite(gap)) {
            b = ss_signal_next_breakpoint(high->signals[s], b);
            if (fabs(a - b) * factor > share * gap) factor = share * gap / fabs(a - b);
        }
    }
    return factor;
}

static ss_status choose_models(ss_path_direction* d, ss_document* document, const char* path, double until,
                               ss_error* err)
{
    double h = nearness * (d->value != 0.0 ? fabs(d->value) : 1.0);
    ss_status status = make_models(d, document, path, h, err);
    double factor = d->count == 5 ? 1e3 : 1.0; // one-sided differences agree to first order only
    for (int round = 0; round < ROUNDS && status == SS_OK; round++) {
        double apart = study(d, until);
        if (!(apart > factor * agreement)) break;
        h *= fmax(0.5 * (d->count == 5 ? factor * agreement / apart : sqrt(agreement / apart)), 1e-3);
        status = make_models(d, document, path, h, err);
    }
    for (int round = 0; round < ROUNDS && status == SS_OK; round++) {
        double room = room_of_tables(d);
        if (!(room < 1.0)) break;
        h *= room;
        status = make_models(d, document, path, h, err);
    }
    return status;
}

ss_status ss_path_direction_create(const ss_document* document, const ss_model* model, const char* path,
                                   double until, ss_path_direction** out, ss_error* err)
{
    *out = NULL;
    ss_document* copy = NULL;
    ss_path_direction* d = ss_new(1, sizeof *d);
    if (!d) return ss_fail_no_memory(err);
    d->name = ss_new(strlen(path) + 1, 1);
    ss_status status = d->name ? ss_document_clone(document, &copy, err) : ss_fail_no_memory(err);
    if (status == SS_OK) status = find_value(copy, model, path, &d->value, err);
    if (status == SS_OK)
        status = choose_models(d, copy, path, isnan(until) ? ss_model_until(model) : until, err);
    ss_document_destroy(copy);
    if (status != SS_OK) {
        ss_path_direction_destroy(d);
        return status;
    }
    memcpy(d->name, path, strlen(path) + 1);
    d->shown = (ss_direction){.name = d->name,
                              .model_count = d->count,
                              .models = (const ss_model**)d->models,
                              .weights = d->weights};
    *out = d;
    return SS_OK;
}

void ss_path_direction_destroy(ss_path_direction* d)
{
    if (!d) return;
    clear(d);
    free(d->name);
    free(d);
}

const ss_direction* ss_path_direction_get(const ss_path_direction* d) { return &d->shown; }
double ss_path_direction_value(const ss_path_direction* d) { return d->value; }
