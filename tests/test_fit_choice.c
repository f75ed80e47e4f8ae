// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Which law the data want: recordings with noise, made by the laws themselves, are fitted by all of them, and
// the criterion must choose the one that made them. Then statistics against closed forms, sensors, forces,
// bad samples, and residuals that are alike.
#include "fit_rig.h"
#include "lab/sweep/random.h"
#include "share/chance.h"
#include "slipstick/lab.h"
#include "text_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#ifdef FIT_SANITIZED
enum { RECORDINGS = 0 }; // it would take minutes
#else
enum { RECORDINGS = 1 }; // of each law; FIT_COUNT=100 in the environment: as many
#endif
enum { MOST = 4, SAMPLES = 200, LAWS = 3 };

static ss_fit* fit(const ss_document* document, const ss_recording* recording, const char* shows,
                   const char* const paths[], int count, ss_fit_loss_kind loss, const double guesses[])
{
    ss_fit_free free[MOST];
    ss_fit_trace trace = {.shows = shows, .sigma = NAN};
    ss_fit_def def = ss_fit_def_default();
    for (int j = 0; j < count; j++) {
        free[j] = ss_fit_free_default();
        free[j].path = paths[j];
        if (guesses) free[j].guess = guesses[j];
    }
    def.document = document;
    def.recordings = &recording;
    def.recording_count = 1;
    def.traces = &trace;
    def.trace_count = 1;
    def.free = free;
    def.free_count = count;
    def.loss = loss;
    ss_fit* out = NULL;
    ss_error err;
    if (ss_fit_run(&def, &out, &err) != SS_OK) fail_msg("%s %s: %s", err.origin, err.field, err.text);
    return out;
}

// ---- the choice of a law

typedef struct law {
    const char* contact;
    int n;
    const char* paths[MOST];
    double truth[MOST];
} law;

static const law laws[LAWS] = {
    {"law: coulomb, friction: 0.5 N", 1, {"contacts.floor.friction"}, {0.5}},
    {"law: stribeck, coulomb: 0.35 N, static: 0.9 N, stribeck_speed: 0.15 m/s",
     3,
     {"contacts.floor.coulomb", "contacts.floor.static", "contacts.floor.stribeck_speed"},
     {0.35, 0.9, 0.15}},
    {"law: dahl, sigma0: 40 N/m, coulomb: 0.5 N",
     2,
     {"contacts.floor.coulomb", "contacts.floor.sigma0"},
     {0.5, 40}},
};

static ss_document* block_with(const char* contact)
{
    char text[600];
    snprintf(text, sizeof text,
             "slipstick: 1\ntitle: s\nbodies: {block: {mass: 1 kg}}\n"
             "connections: [{between: [block, ground], stiffness: 40 N/m}]\n"
             "contacts: {floor: {between: [block, ground], %s}}\n"
             "start: {block: {x: 0.2 m}}\n",
             contact);
    return text_document(text);
}

static int choose(const ss_recording* recording, uint64_t seed)
{
    int best = -1;
    double least = INFINITY;
    for (int k = 0; k < LAWS; k++) {
        double guesses[MOST];
        for (int j = 0; j < laws[k].n; j++) // the level at rest stays above the kinetic one
            guesses[j] = laws[k].truth[j] *
                         (k == 1 && j == 1 ? 1.2 : 0.8 + 0.4 * ss_random_uniform(seed, 7, (uint32_t)j));
        ss_document* document = block_with(laws[k].contact);
        ss_fit* found =
            fit(document, recording, "block.x", laws[k].paths, laws[k].n, SS_LOSS_SQUARES, guesses);
        double bic = ss_fit_get_statistics(found).bic;
        if (bic < least) {
            least = bic;
            best = k;
        }
        ss_fit_destroy(found);
        ss_document_destroy(document);
    }
    return best;
}

static void test_laws_choose_themselves(void** state)
{
    (void)state;
    int count = getenv("FIT_COUNT") ? atoi(getenv("FIT_COUNT")) : RECORDINGS, right = 0;
    static double t[SAMPLES], x[SAMPLES], noisy[SAMPLES];
    if (count == 0) skip();
    for (int k = 0; k < LAWS; k++) {
        ss_document* document = block_with(laws[k].contact);
        fit_play(document, false, 0.024, SAMPLES, t, x);
        int own = 0;
        for (int r = 0; r < count; r++) {
            uint64_t seed = (uint64_t)(1000 * k + r);
            for (int i = 0; i < SAMPLES; i++) noisy[i] = x[i] + 5e-4 * fit_normal(seed, (uint64_t)i);
            ss_recording* recording = NULL;
            ss_error err;
            assert_int_equal(ss_recording_create("r", t, noisy, SAMPLES, 1, &recording, &err), SS_OK);
            own += choose(recording, seed) == k;
            ss_recording_destroy(recording);
        }
        if (getenv("FIT_SHOW")) printf("law %d: %d of %d\n", k, own, count);
        right += own;
        ss_document_destroy(document);
    }
    assert_true(20 * right >= 19 * LAWS * count);
}

// ---- statistics

static const char slide[] = "slipstick: 1\ntitle: s\nparameters: {v: 3 m/s}\nbodies: {block: {mass: 1 kg}}\n"
                            "contacts: {floor: {between: [block, ground], law: coulomb, friction: 0.5 N}}\n"
                            "start: {block: {v: 3 m/s}}\n";

// x = v t - t^2/4 is linear in v: everything is known in closed form.
static void test_closed_form(void** state)
{
    (void)state;
    enum { N = 60 };
    double t[N], x[N], tt = 0, tx = 0;
    for (int i = 0; i < N; i++) {
        t[i] = 0.05 * i;
        x[i] = 3 * t[i] - 0.25 * t[i] * t[i] + 0.01 * fit_normal(3, (uint64_t)i);
        tt += t[i] * t[i];
        tx += t[i] * (x[i] + 0.25 * t[i] * t[i]);
    }
    double v = tx / tt, squares = 0, differences = 0, before = 0;
    for (int i = 0; i < N; i++) {
        double off = x[i] + 0.25 * t[i] * t[i] - v * t[i];
        squares += off * off;
        if (i > 0) differences += (off - before) * (off - before);
        before = off;
    }
    double likelihood = -0.5 * N * (log(6.283185307179586 * squares / N) + 1);
    ss_document* document = text_document(slide);
    ss_recording* recording = NULL;
    ss_error err;
    const char* path = "block.v";
    assert_int_equal(ss_recording_create("r", t, x, N, 1, &recording, &err), SS_OK);
    ss_fit* found = fit(document, recording, "block.x", &path, 1, SS_LOSS_SQUARES, NULL);
    ss_fit_statistics s = ss_fit_get_statistics(found);
    ss_fit_parameter q = ss_fit_get_parameter(found, 0);
    assert_true(fabs(q.value - v) < 1e-7);
    assert_true(fabs(q.standard_error - sqrt(squares / (N - 1) / tt)) < 1e-5 * q.standard_error);
    assert_int_equal((int)s.samples, N);
    assert_int_equal(s.numbers, 2);
    assert_true(fabs(s.log_likelihood - likelihood) < 1e-6);
    assert_true(fabs(s.aic - (4 - 2 * likelihood)) < 1e-6);
    assert_true(fabs(s.bic - (2 * log(N) - 2 * likelihood)) < 1e-6);
    assert_true(fabs(s.durbin_watson - differences / squares) < 1e-6);
    assert_true(q.correlated_error > 0.5 * q.standard_error && q.correlated_error < 1.5 * q.standard_error);
    ss_fit_destroy(found);
    ss_recording_destroy(recording);
    ss_document_destroy(document);
}

// Noise that remembers: e' = 0.9 e + w. The true scatter of v over many recordings is what its standard error
// must tell; the plain one is several times too small.
static void test_correlated_residuals(void** state)
{
    (void)state;
    enum { N = 400, MANY = 40 };
    static double t[N], x[N];
    double sum = 0, squares = 0, plain = 0, correlated = 0;
    ss_document* document = text_document(slide);
    for (int r = 0; r < MANY; r++) {
        double e = 0;
        for (int i = 0; i < N; i++) {
            t[i] = 0.01 * i;
            e = 0.9 * e + 0.01 * fit_normal((uint64_t)(50 + r), (uint64_t)i);
            x[i] = 3 * t[i] - 0.25 * t[i] * t[i] + e;
        }
        ss_recording* recording = NULL;
        ss_error err;
        const char* path = "block.v";
        assert_int_equal(ss_recording_create("r", t, x, N, 1, &recording, &err), SS_OK);
        ss_fit* found = fit(document, recording, "block.x", &path, 1, SS_LOSS_SQUARES, NULL);
        ss_fit_parameter q = ss_fit_get_parameter(found, 0);
        sum += q.value - 3;
        squares += (q.value - 3) * (q.value - 3);
        plain += q.standard_error / MANY;
        correlated += q.correlated_error / MANY;
        assert_true(ss_fit_get_statistics(found).durbin_watson < 0.6);
        ss_fit_destroy(found);
        ss_recording_destroy(recording);
    }
    double true_error = sqrt(squares / MANY);
    assert_true(fabs(sum / MANY) < 0.6 * true_error);
    assert_true(plain < 0.4 * true_error);
    assert_true(correlated > 0.6 * true_error && correlated < 1.5 * true_error);
    ss_document_destroy(document);
}

// ---- bad samples, sensors, forces

static void test_bad_samples(void** state)
{
    (void)state;
    enum { N = 120 };
    static double t[N], x[N];
    ss_document* document = block_with(laws[0].contact);
    fit_play(document, false, 0.02, N, t, x);
    for (int i = 0; i < N; i++) x[i] += 1e-3 * fit_normal(11, (uint64_t)i) + (i % 12 == 5 ? 0.15 : 0);
    ss_recording* recording = NULL;
    ss_error err;
    assert_int_equal(ss_recording_create("r", t, x, N, 1, &recording, &err), SS_OK);
    double error[2];
    for (int loss = 0; loss < 2; loss++) {
        double guess = 0.4;
        ss_fit* found = fit(document, recording, "block.x", laws[0].paths, 1, (ss_fit_loss_kind)loss, &guess);
        ss_fit_parameter q = ss_fit_get_parameter(found, 0);
        error[loss] = fabs(q.value - 0.5);
        if (loss == SS_LOSS_HUBER) assert_true(error[1] < 4 * q.standard_error && q.standard_error < 0.01);
        ss_fit_destroy(found);
    }
    assert_true(error[SS_LOSS_HUBER] < 0.2 * error[SS_LOSS_SQUARES] && error[SS_LOSS_HUBER] < 0.005);
    ss_recording_destroy(recording);
    ss_document_destroy(document);
}

static void test_sensor(void** state)
{
    (void)state;
    enum { N = 150 };
    static double t[N], x[N];
    static const char* const paths[] = {"contacts.floor.friction", "sensor.block.x.offset",
                                        "sensor.block.x.gain"};
    ss_document* document = block_with(laws[0].contact);
    fit_play(document, false, 0.02, N, t, x);
    for (int i = 0; i < N; i++) x[i] = 0.03 + 1.2 * x[i] + 1e-4 * fit_normal(21, (uint64_t)i);
    ss_recording* recording = NULL;
    ss_error err;
    assert_int_equal(ss_recording_create("r", t, x, N, 1, &recording, &err), SS_OK);
    ss_fit* found =
        fit(document, recording, "block.x", paths, 3, SS_LOSS_SQUARES, (const double[]){0.6, NAN, NAN});
    static const double truth[] = {0.5, 0.03, 1.2};
    for (int j = 0; j < 3; j++) {
        ss_fit_parameter q = ss_fit_get_parameter(found, j);
        assert_true(fabs(q.value - truth[j]) < 4 * q.standard_error && q.standard_error < 1e-3);
    }
    ss_fit_destroy(found);
    ss_fit_free wrong = ss_fit_free_default();
    ss_fit_trace trace = {.shows = "block.x", .sigma = NAN};
    const ss_recording* one = recording;
    wrong.path = "sensor.block.v.gain"; // nothing shows that
    ss_fit_def def = ss_fit_def_default();
    def.document = document, def.recordings = &one, def.recording_count = 1, def.traces = &trace;
    def.trace_count = 1, def.free = &wrong, def.free_count = 1;
    assert_int_equal(ss_fit_run(&def, &found, &err), SS_BAD_INPUT);
    ss_recording_destroy(recording);
    ss_document_destroy(document);
}

// A rig that measures force: a carriage is moved to and fro on a table that hangs on a spring.
static const char rig[] =
    "slipstick: 1\ntitle: rig\n"
    "bodies: {table: {mass: 0.2 kg}, carriage: {position: \"2 mm * sin(6 rad/s * t)\"}}\n"
    "connections: [{between: [table, ground], stiffness: 1e4 N/m, damping: 30 N*s/m}]\n"
    "contacts: {face: {between: [carriage, table], law: dahl, sigma0: 8000 N/m, coulomb: 4 N}}\n";

static void test_forces_and_residuals(void** state)
{
    (void)state;
    enum { N = 150 };
    static double t[N], f[N];
    static const char* const paths[] = {"contacts.face.coulomb", "contacts.face.sigma0"};
    ss_document* document = text_document(rig);
    fit_play(document, true, 0.02, N, t, f);
    for (int i = 0; i < N; i++) f[i] += 0.02 * fit_normal(31, (uint64_t)i);
    ss_recording* recording = NULL;
    ss_error err;
    assert_int_equal(ss_recording_create("r", t, f, N, 1, &recording, &err), SS_OK);
    ss_fit* found =
        fit(document, recording, "face.force", paths, 2, SS_LOSS_SQUARES, (const double[]){3, 6000});
    static const double truth[] = {4, 8000};
    for (int j = 0; j < 2; j++) {
        ss_fit_parameter q = ss_fit_get_parameter(found, j);
        assert_true(fabs(q.value - truth[j]) < 4 * q.standard_error && q.standard_error < 0.05 * truth[j]);
    }
    char path[64];
    snprintf(path, sizeof path, "residuals-%ld.csv", (long)getpid());
    assert_int_equal(ss_fit_write_residuals(found, path, &err), SS_OK);
    FILE* file = fopen(path, "r");
    char head[100];
    double row[4], squares = 0;
    int count = 0;
    assert_non_null(fgets(head, sizeof head, file));
    assert_string_equal(head, "time,measured,fitted,residual\n");
    for (; fscanf(file, "%lf,%lf,%lf,%lf", &row[0], &row[1], &row[2], &row[3]) == 4; count++) {
        assert_true(fabs(row[1] - row[2] - row[3]) < 1e-12);
        squares += row[3] * row[3];
    }
    fclose(file);
    remove(path);
    ss_fit_residual left = ss_fit_get_residual(found, 0);
    assert_int_equal(count, (int)left.samples);
    assert_true(fabs(sqrt(squares / count) - left.rms) < 1e-9);
    ss_fit_destroy(found);
    ss_recording_destroy(recording);
    ss_document_destroy(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_form),          cmocka_unit_test(test_correlated_residuals),
        cmocka_unit_test(test_bad_samples),          cmocka_unit_test(test_sensor),
        cmocka_unit_test(test_forces_and_residuals), cmocka_unit_test(test_laws_choose_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
