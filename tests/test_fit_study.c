// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Many recordings with noise, each fitted from guesses that are 50 percent off: how often the search ends in
// the right place, and how often the truth lies within two standard errors of what was found (95.4 percent,
// if these mean what they say; of a hundred recordings or more, 90 to 99 percent).
#include "fit_rig.h"
#include "share/model_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 5, MANY = 200, FEWER = 100, FEW = 25 }; // FIT_COUNT=200 in the environment: as many of all

typedef struct study {
    const char* name;
    const char* yaml;
    const char* shows;
    double sigma; // of the noise; told to the fit where sigma_told
    bool sigma_told;
    double step; // s between samples
    int samples;
    int n;
    const char* paths[MOST];
    double truth[MOST];
    double most[MOST]; // guesses stay below this, where it is not 0
    int together; // > 0: this number is off by the same factor as the one before (static and kinetic level)
} study;

static const study coulomb = {
    .name = "Coulomb",
    .yaml = "slipstick: 1\ntitle: s\nbodies: {block: {mass: 1 kg}}\n"
            "connections: [{between: [block, ground], stiffness: 40 N/m, damping: 0.2 N*s/m}]\n"
            "contacts: {floor: {between: [block, ground], law: coulomb, friction: 0.5 N}}\n"
            "start: {block: {x: 0.2 m}}\n",
    .shows = "block.x",
    .sigma = 2e-3,
    .step = 0.02,
    .samples = 180,
    .n = 3,
    .paths = {"connections[0].stiffness", "connections[0].damping", "contacts.floor.friction"},
    .truth = {40, 0.2, 0.5},
};

static const study stribeck = {
    .name = "Stribeck",
    .yaml = "slipstick: 1\ntitle: s\nbodies: {block: {mass: 1 kg}, belt: {speed: 0.1 m/s}}\n"
            "connections: [{between: [block, ground], stiffness: 40 N/m, damping: 0.5 N*s/m}]\n"
            "contacts: {floor: {between: [block, belt], law: stribeck, coulomb: 2 N, static: 3 N, "
            "stribeck_speed: 0.05 m/s}}\nstart: {block: {v: 0.1 m/s}}\n",
    .shows = "block.x",
    .sigma = 5e-4,
    .step = 0.02,
    .samples = 150,
    .n = 3,
    .paths = {"contacts.floor.coulomb", "contacts.floor.static", "connections[0].stiffness"},
    .truth = {2, 3, 40},
    .together = 1,
};

static const study bounces = {
    .name = "rigid stop",
    .yaml = "slipstick: 1\ntitle: s\nbodies: {ball: {mass: 1 kg}}\nforces: [{body: ball, force: -9.81 N}]\n"
            "contacts: {floor: {between: [ball, ground], law: rigid-stop, below: 0.1 m, restitution: 0.8}}\n"
            "start: {ball: {x: 0.6 m}}\n",
    .shows = "ball.x",
    .sigma = 2e-3,
    .sigma_told = true,
    .step = 0.01,
    .samples = 160,
    .n = 3,
    .paths = {"contacts.floor.restitution", "contacts.floor.below", "forces[0].force"},
    .truth = {0.8, 0.1, -9.81},
    .most = {0.98, 0, 0},
};

static const study elastic = {
    .name = "Hunt-Crossley",
    .yaml = "slipstick: 1\ntitle: s\nbodies: {disk: {mass: 24 g}}\nforces: [{body: disk, force: 0.1 N}]\n"
            "contacts:\n  rail: {between: [disk, ground], law: coulomb, friction: 0.02 N}\n"
            "  wall: {between: [disk, ground], law: hunt-crossley, above: 8 mm, stiffness: 8e4 N/m^1.5, "
            "exponent: 1.5, alpha: 1.2 s/m}\n"
            "start: {disk: {v: 0.2 m/s}}\n",
    .shows = "disk.x",
    .sigma = 8e-6,
    .step = 1e-3,
    .samples = 100,
    .n = 4,
    .paths = {"contacts.wall.stiffness", "contacts.wall.alpha", "contacts.wall.above",
              "contacts.rail.friction"},
    .truth = {8e4, 1.2, 8e-3, 0.02},
};

static const study lugre = {
    .name = "LuGre",
    .yaml = "slipstick: 1\ntitle: s\nbodies: {block: {mass: 1 kg}}\n"
            "connections: [{between: [block, ground], stiffness: 200 N/m}]\n"
            "contacts: {floor: {between: [block, ground], law: lugre, sigma0: 2e4 N/m, sigma1: 50 N*s/m, "
            "sigma2: 1 N*s/m, coulomb: 2 N}}\nstart: {block: {x: 0.1 m}}\n",
    .shows = "block.x",
    .sigma = 2e-5,
    .step = 5e-3,
    .samples = 160,
    .n = 3,
    .paths = {"contacts.floor.sigma0", "contacts.floor.sigma2", "contacts.floor.coulomb"},
    .truth = {2e4, 1, 2},
};

static const study maxwell = {
    .name = "Maxwell-slip",
    .yaml = "slipstick: 1\ntitle: s\nbodies: {block: {mass: 1 kg}}\n"
            "connections: [{between: [block, ground], stiffness: 200 N/m}]\n"
            "contacts: {floor: {between: [block, ground], law: maxwell-slip, elements: [[3000 N/m, 1 N], "
            "[800 N/m, 1 N], [200 N/m, 1 N]]}}\nstart: {block: {x: 0.1 m}}\n",
    .shows = "block.x",
    .sigma = 2e-5,
    .step = 5e-3,
    .samples = 160,
    .n = 3,
    .paths = {"contacts.floor.elements[0][1]", "contacts.floor.elements[1][0]", "connections[0].stiffness"},
    .truth = {1, 800, 200},
};

static uint64_t random_state;

static double uniform(void)
{
    uint64_t x = random_state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return ((double)((x ^ (x >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static double normal(void) { return sqrt(-2.0 * log(uniform())) * cos(6.283185307179586 * uniform()); }

// What a perfect sensor would see.
static void exact_motion(const study* s, const ss_document* document, double t[], double x[])
{
    ss_model* model = NULL;
    ss_sim* sim = NULL;
    ss_error err = {0};
    ss_outcome outcome;
    if (ss_model_create_from_document(document, &model, &err) != SS_OK) fail_msg("%s", err.text);
    assert_int_equal(ss_sim_create(model, NULL, &sim, &err), SS_OK);
    int body = ss_model_body_find(model, strcmp(s->shows, "ball.x") == 0   ? "ball"
                                         : strcmp(s->shows, "disk.x") == 0 ? "disk"
                                                                           : "block");
    for (int i = 0; i < s->samples; i++) {
        t[i] = (i + 1) * s->step;
        assert_int_equal(ss_sim_advance(sim, t[i], &outcome, &err), SS_OK);
        x[i] = ss_sim_x(sim)[body];
    }
    ss_sim_destroy(sim);
    ss_model_destroy(model);
}

static void guess(const study* s, ss_fit_free free[])
{
    double factor = 1.0;
    for (int j = 0; j < s->n; j++) {
        if (j == 0 || j != s->together) factor = uniform() < 0.5 ? 0.5 : 1.5;
        free[j] = ss_fit_free_default();
        free[j].path = s->paths[j];
        free[j].guess = s->truth[j] * factor;
        if (s->most[j] > 0) free[j].guess = fmin(free[j].guess, s->most[j]);
    }
}

typedef struct tally {
    int tried, found, within[MOST];
} tally;

static void fit_one(const study* s, const ss_document* document, const ss_recording* recording, tally* result)
{
    ss_fit_free free[MOST];
    guess(s, free);
    const ss_fit_trace trace = {s->shows, s->sigma_told ? s->sigma : NAN};
    ss_fit_def def = ss_fit_def_default();
    def.document = document;
    def.recordings = &recording;
    def.recording_count = 1;
    def.traces = &trace;
    def.trace_count = 1;
    def.free = free;
    def.free_count = s->n;
    ss_fit* fit = NULL;
    ss_error err = {0};
    if (ss_fit_run(&def, &fit, &err) != SS_OK) fail_msg("%s: %s", s->name, err.text);
    bool found = true;
    for (int j = 0; j < s->n; j++) {
        ss_fit_parameter q = ss_fit_get_parameter(fit, j);
        double off = fabs(q.value - s->truth[j]) / q.standard_error;
        found = found && off < 6.0 && isfinite(q.standard_error);
        result->within[j] += off < 2.0;
        if (getenv("FIT_SHOW")) printf(" %g->%g(%.2g)", free[j].guess, q.value, q.standard_error);
    }
    if (getenv("FIT_SHOW")) printf("%s %ld motions\n", found ? "" : " WRONG", ss_fit_motions(fit));
    result->found += found;
    result->tried++;
    ss_fit_destroy(fit);
}

static void check(const study* s, int count)
{
    ss_document* document = NULL;
    ss_error err = {0};
    if (ss_document_parse_yaml("s.yaml", s->yaml, strlen(s->yaml), &document, &err) != SS_OK)
        fail_msg("%s: %s", s->name, err.text);
    double *t = calloc((size_t)s->samples, sizeof *t), *exact = calloc((size_t)s->samples, sizeof *exact);
    double* seen = calloc((size_t)s->samples, sizeof *seen);
    assert_true(t && exact && seen);
    exact_motion(s, document, t, exact);
    tally result = {0};
    for (int k = 0; k < count; k++) {
        random_state = 1000 + (uint64_t)k;
        for (int i = 0; i < s->samples; i++) seen[i] = exact[i] + s->sigma * normal();
        ss_recording* recording = NULL;
        assert_int_equal(ss_recording_create("made", t, seen, s->samples, 1, &recording, &err), SS_OK);
        fit_one(s, document, recording, &result);
        ss_recording_destroy(recording);
    }
    print_message("%s: %d of %d found;", s->name, result.found, result.tried);
    for (int j = 0; j < s->n; j++) print_message(" %s %d", s->paths[j], result.within[j]);
    print_message(" within two standard errors\n");
    assert_true(result.found >= (95 * count + 99) / 100);
    for (int j = 0; j < s->n && count >= FEWER; j++)
        assert_in_range(result.within[j], 90 * count / 100, 99 * count / 100);
    free(t);
    free(exact);
    free(seen);
    ss_document_destroy(document);
}

static int count_of(int all)
{
#ifdef FIT_SANITIZED
    return all / 25; // they run ten times slower there, and it is not numbers that they look for
#else
    return getenv("FIT_COUNT") ? atoi(getenv("FIT_COUNT")) : all;
#endif
}

static void coulomb_friction(void** state)
{
    (void)state;
    check(&coulomb, count_of(MANY));
}

static void stribeck_friction(void** state)
{
    (void)state;
    check(&stribeck, count_of(FEWER));
}

static void rigid_stops(void** state)
{
    (void)state;
    check(&bounces, count_of(MANY));
}

static void elastic_stops(void** state)
{
    (void)state;
    check(&elastic, count_of(FEWER));
}

static void lugre_bristles(void** state)
{
    (void)state;
    check(&lugre, count_of(FEW));
}

static void maxwell_slip(void** state)
{
    (void)state;
    check(&maxwell, count_of(FEW));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coulomb_friction), cmocka_unit_test(stribeck_friction),
        cmocka_unit_test(rigid_stops),      cmocka_unit_test(elastic_stops),
        cmocka_unit_test(lugre_bristles),   cmocka_unit_test(maxwell_slip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
