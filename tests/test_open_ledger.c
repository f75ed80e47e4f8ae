// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The ledger of random open models adds up: to 1e-12 of its largest entry where all expressions are affine,
// to 1e-9 where they are smooth. Affine ones written as expressions move as those written as springs do.
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { LENGTH = 6000, MOST = 4 };

static uint64_t seed;

// A number in [low, high) with a few digits.
static double number(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)((seed >> 33) % 10000u) / 10000.0;
}

static void add(char text[], const char* format, ...)
{
    size_t used = strlen(text);
    va_list rest;
    va_start(rest, format);
    vsnprintf(text + used, LENGTH - used, format, rest);
    va_end(rest);
}

// Bodies b0 .. with rough contacts, and where they start.
static void add_bodies(char text[], int n)
{
    add(text, "bodies: {");
    for (int i = 0; i < n; i++) add(text, "b%d: {mass: %g}%s", i, number(0.5, 3.0), i + 1 < n ? ", " : "}\n");
    add(text, "contacts: {");
    for (int i = 0; i < n; i++)
        add(text, "c%d: {between: [b%d, ground], law: coulomb, friction: %g}%s", i, i, number(0.05, 1.0),
            i + 1 < n ? ", " : "}\n");
    add(text, "start: {");
    for (int i = 0; i < n; i++)
        add(text, "b%d: {x: %g, v: %g}%s", i, number(-1.0, 1.0), number(-1.0, 1.0), i + 1 < n ? ", " : "}\n");
}

// An affine expression of all that moves; smooth: with terms that are not.
static void add_expression(char text[], int n, int states, int body, bool smooth)
{
    add(text, "\"%g - %g*b%d.x - %g*b%d.v", number(-1.0, 1.0), number(0.5, 8.0), body, number(0.0, 1.0),
        body);
    for (int i = 0; i < n; i++)
        if (i != body) add(text, " + %g*b%d.x - %g*b%d.v", number(-0.5, 0.5), i, number(-0.2, 0.2), i);
    for (int j = 0; j < states; j++) add(text, " + %g*s%d", number(-0.5, 0.5), j);
    if (smooth)
        add(text, " - %g*b%d.x^3 + %g*sin(2*b%d.x + t)*cos(b%d.v)", number(0.0, 1.0), body, number(-0.5, 0.5),
            body, n - 1 - body);
    add(text, "\"");
}

static void add_open_parts(char text[], int n, int states, bool smooth)
{
    add(text, "forces:\n");
    for (int i = 0; i < n; i++) {
        add(text, "  - {body: b%d, force: ", i);
        add_expression(text, n, states, i, smooth);
        add(text, "%s}\n", number(0.0, 1.0) < 0.3 ? ", ledger: damping" : "");
    }
    if (smooth)
        add(text, "potentials: [\"%g*(1 - cos(b0.x - b%d.x)) + %g*b0.x^4\"]\n", number(0.0, 2.0), n - 1,
            number(0.0, 0.5));
    if (states > 0) add(text, "states:\n");
    for (int j = 0; j < states; j++)
        add(text, "  s%d: {rate: \"%g*b%d.x + %g*b%d.v - %g*s%d\", start: %g}\n", j, number(-1.0, 1.0), j % n,
            number(-0.5, 0.5), (j + 1) % n, number(0.2, 3.0), j, number(-0.5, 0.5));
}

static ss_sim* run_for(const ss_model* model, double until, const char* text)
{
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim = NULL;
    ss_outcome outcome;
    ss_error err;
    if (ss_sim_create(model, &def, &sim, &err) != SS_OK ||
        ss_sim_advance(sim, until, &outcome, &err) != SS_OK)
        fail_msg("%s\n%s", err.text, text);
    return sim;
}

static void expect_closed(const char* text, double share)
{
    ss_model* model = text_parts_model(text);
    ss_sim* sim = run_for(model, 8.0, text);
    ss_energy e = ss_sim_energy(sim);
    const double entries[] = {e.start, e.end, e.input, e.friction, e.damping, e.impact};
    double most = e.reached;
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) most = fmax(most, fabs(entries[k]));
    if (!(fabs(e.residual) <= share * most))
        fail_msg("the residual is %g of %g J\n%s", e.residual, most, text);
    double gap = e.start + e.input - e.end - e.friction - e.damping - e.impact - e.residual;
    if (!(fabs(gap) <= 1e-14 * most)) fail_msg("entries do not add up, by %g of %g J\n%s", gap, most, text);
    ss_sim_destroy(sim);
    ss_model_destroy(model);
}

static void closes(void** state)
{
    (void)state;
    seed = 20260711;
    for (int trial = 0; trial < 200; trial++) {
        char text[LENGTH] = "";
        bool smooth = trial % 2 == 1;
        int n = 1 + (int)number(0.0, MOST), states = (int)number(0.0, 4.0);
        add_bodies(text, n);
        add_open_parts(text, n, states, smooth);
        expect_closed(text, smooth ? 1e-9 : 1e-12);
    }
}

// Where all bodies are after 5 s, and speeds behind them.
static void follow(const char* text, int n, double out[])
{
    ss_model* model = text_parts_model(text);
    ss_sim* sim = run_for(model, 5.0, text);
    memcpy(out, ss_sim_x(sim), (size_t)n * sizeof *out);
    memcpy(out + n, ss_sim_v(sim), (size_t)n * sizeof *out);
    ss_sim_destroy(sim);
    ss_model_destroy(model);
}

static void moves_as_springs_do(void** state)
{
    (void)state;
    seed = 4711;
    for (int trial = 0; trial < 100; trial++) {
        char springs[LENGTH] = "", words[LENGTH] = "";
        int n = 1 + (int)number(0.0, MOST);
        double a[2 * MOST], b[2 * MOST];
        add_bodies(springs, n);
        strcpy(words, springs);
        add(springs, "connections:\n");
        add(words, "forces:\n");
        for (int i = 0; i < n; i++) { // to the one before, or to the ground
            double k = number(0.5, 8.0), c = number(0.0, 0.5);
            char other[20] = "ground", x[20] = "0", v[20] = "0";
            if (i > 0) {
                snprintf(other, sizeof other, "b%d", i - 1);
                snprintf(x, sizeof x, "b%d.x", i - 1);
                snprintf(v, sizeof v, "b%d.v", i - 1);
            }
            add(springs, "  - {between: [b%d, %s], stiffness: %g, damping: %g}\n", i, other, k, c);
            add(words, "  - {between: [b%d, %s], force: \"-%g*(b%d.x - %s) - %g*(b%d.v - %s)\"}\n", i, other,
                k, i, x, c, i, v);
        }
        follow(springs, n, a);
        follow(words, n, b);
        for (int i = 0; i < 2 * n; i++)
            if (!(fabs(a[i] - b[i]) <= 1e-13)) fail_msg("off by %g\n%s", a[i] - b[i], words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closes),
        cmocka_unit_test(moves_as_springs_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
