// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "derivative_rig.h"
#include "share/derivative.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void derivative_check(ss_status status, const ss_error* err)
{
    if (status != SS_OK) fail_msg("%s: %s", err->field, err->text);
}

// The same number of the model at another value.
static void end_beside(ss_document* document, const char* path, double value, double until, double out[2])
{
    char text[40];
    ss_sim_def def = ss_sim_def_default();
    ss_error err = {0};
    ss_model* model = NULL;
    ss_sim* sim = NULL;
    ss_outcome outcome;
    def.tolerance = 1e-12;
    snprintf(text, sizeof text, "%.17g", value);
    derivative_check(ss_document_set(document, path, text, path, &err), &err);
    derivative_check(ss_model_create_from_document(document, &model, &err), &err);
    derivative_check(ss_sim_create(model, &def, &sim, &err), &err);
    derivative_check(ss_sim_advance(sim, until, &outcome, &err), &err);
    out[0] = ss_sim_x(sim)[0];
    out[1] = ss_sim_v(sim)[0];
    ss_sim_destroy(sim);
    ss_model_destroy(model);
}

// x and v of the first body at the end of motions beside: so near that they pass events in the same order.
static void difference(const char* text, const derivative_number* number, double until, double share,
                       double out[2], double size[2])
{
    static const double weights[] = {1.0, -8.0, 0.0, 8.0, -1.0};
    ss_error err = {0};
    double h = share * number->value;
    out[0] = out[1] = size[0] = size[1] = 0.0;
    for (int k = 0; k < 5; k++) {
        ss_document* document = NULL;
        double end[2];
        if (weights[k] == 0.0) continue;
        derivative_check(ss_document_parse_yaml("m.yaml", text, strlen(text), &document, &err), &err);
        end_beside(document, number->path, number->value + (k - 2) * h, until, end);
        for (int i = 0; i < 2; i++) {
            out[i] += weights[k] * end[i] / (12.0 * h);
            size[i] += fabs(weights[k] / (12.0 * h)) * (fabs(end[i]) + 1e-3);
        }
        ss_document_destroy(document);
    }
}

// All directions at once, stopping on the way as often as a plot would, and not at all.
static void compare(const ss_model* model, const ss_direction directions[], const char* text,
                    const derivative_asked* a, int stops, double share)
{
    ss_sim_def def = ss_sim_def_default();
    ss_error err = {0};
    ss_sim* sim = NULL;
    ss_derivative* derivative = NULL;
    ss_outcome outcome;
    double x[8], v[8];
    derivative_check(ss_sim_create(model, &def, &sim, &err), &err);
    derivative_check(ss_derivative_create(model, directions, DERIVATIVE_NUMBERS, &derivative, &err), &err);
    derivative_check(ss_derivative_attach(derivative, sim, &err), &err);
    for (int k = 1; k <= stops; k++) {
        derivative_check(ss_sim_advance(sim, a->until * k / stops, &outcome, &err), &err);
        for (int j = 0; j < DERIVATIVE_NUMBERS; j++) assert_true(ss_derivative_bodies(derivative, j, x, v));
    }
    for (int j = 0; j < DERIVATIVE_NUMBERS; j++) {
        double want[2], size[2];
        difference(text, &a->numbers[j], a->until, share, want, size);
        assert_true(ss_derivative_bodies(derivative, j, x, v));
        double got[2] = {x[0], v[0]};
        for (int i = 0; i < 2; i++)
            if (!(fabs(got[i] - want[i]) <= 1e-9 * fabs(want[i]) + 1e-11 * size[i]))
                fail_msg("%s, %d stops: d%c is %.15g, not %.15g", directions[j].name, stops, i ? 'v' : 'x',
                         got[i], want[i]);
    }
    ss_derivative_destroy(derivative);
    ss_sim_destroy(sim);
}

void derivative_ask(const derivative_asked* a) { derivative_ask_by(a, 2e-4); }

void derivative_ask_by(const derivative_asked* a, double share)
{
    char text[2000];
    ss_error err = {0};
    ss_document* document = NULL;
    ss_model* model = NULL;
    ss_path_direction* made[DERIVATIVE_NUMBERS];
    ss_direction directions[DERIVATIVE_NUMBERS];
    snprintf(text, sizeof text, "slipstick: 1\ntitle: t\n%s", a->text);
    derivative_check(ss_document_parse_yaml("m.yaml", text, strlen(text), &document, &err), &err);
    derivative_check(ss_model_create_from_document(document, &model, &err), &err);
    for (int j = 0; j < DERIVATIVE_NUMBERS; j++) {
        derivative_check(
            ss_path_direction_create(document, model, a->numbers[j].path, a->until, &made[j], &err), &err);
        directions[j] = *ss_path_direction_get(made[j]);
    }
    compare(model, directions, text, a, 1, share);
    compare(model, directions, text, a, 37, share);
    for (int j = 0; j < DERIVATIVE_NUMBERS; j++) ss_path_direction_destroy(made[j]);
    ss_model_destroy(model);
    ss_document_destroy(document);
}
