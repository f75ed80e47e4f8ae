// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "fit_rig.h"
#include "lab/sweep/random.h"
#include "share/chance.h"
#include "share/model_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char fit_swing[] = "slipstick: 1\ntitle: A swing that comes to rest\nbodies: {block: {mass: 1 kg}}\n"
                         "connections: [{between: [block, ground], stiffness: 40 N/m}]\n"
                         "contacts: {floor: {between: [block, ground], law: coulomb, friction: 0.5 N}}\n"
                         "start: {block: {x: 0.2 m}}\n";

const char fit_ball[] =
    "slipstick: 1\ntitle: A ball\nbodies: {ball: {mass: 1 kg}}\nforces: [{body: ball, force: -9.81 N}]\n"
    "contacts: {floor: {between: [ball, ground], law: rigid-stop, below: 0 m, restitution: 0.8}}\n"
    "start: {ball: {x: 0.5 m}}\n";

double fit_normal(uint64_t seed, uint64_t k)
{
    double radius = sqrt(-2 * log(1 - ss_random_uniform(seed, k, 0)));
    return radius * cos(6.283185307179586 * ss_random_uniform(seed, k, 1));
}

void fit_play(const ss_document* document, bool force, double step, int count, double t[], double out[])
{
    ss_model* model = NULL;
    ss_sim* sim = NULL;
    ss_error err;
    ss_sim_def def = ss_sim_def_default();
    if (ss_model_create_from_document(document, &model, &err) != SS_OK) fail_msg("%s", err.text);
    assert_int_equal(ss_sim_create(model, &def, &sim, &err), SS_OK);
    for (int k = 0; k < count; k++) {
        ss_outcome outcome;
        t[k] = k * step;
        assert_int_equal(ss_sim_advance(sim, t[k], &outcome, &err), SS_OK);
        out[k] = force ? ss_sim_contact(sim, 0).force : ss_sim_x(sim)[0];
    }
    ss_sim_destroy(sim);
    ss_model_destroy(model);
}

void fit_bench_setup(fit_bench* b, const char* yaml)
{
    *b = (fit_bench){.def = ss_fit_def_default()};
    ss_error err = {0};
    if (ss_document_parse_yaml("t.yaml", yaml, strlen(yaml), &b->document, &err) != SS_OK)
        fail_msg("%s", err.text);
    b->def.document = b->document;
    b->def.recordings = (const ss_recording* const*)b->recordings;
    b->def.free = b->free;
    b->def.traces = b->traces;
    b->def.known = b->known;
}

ss_fit_free* fit_bench_free(fit_bench* b, const char* path, double guess)
{
    ss_fit_free* free = &b->free[b->def.free_count++];
    *free = ss_fit_free_default();
    free->path = path;
    free->guess = guess;
    return free;
}

void fit_bench_trace(fit_bench* b, const char* shows, double sigma)
{
    b->traces[b->def.trace_count++] = (ss_fit_trace){shows, sigma};
}

uint64_t fit_random_state;

static double uniform(void)
{
    uint64_t x = fit_random_state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return ((double)((x ^ (x >> 31)) >> 11) + 0.5) * 0x1p-53;
}

double fit_noise(double sigma)
{
    return sigma * sqrt(-2.0 * log(uniform())) * cos(6.283185307179586 * uniform());
}

void fit_bench_record(fit_bench* b, const char* set, const char* value, int count, double step, double delay,
                      const double sigma[])
{
    ss_document* document = NULL;
    ss_model* model = NULL;
    ss_sim* sim = NULL;
    ss_error err = {0};
    ss_outcome outcome;
    int columns = b->def.trace_count;
    double* t = calloc((size_t)count, sizeof *t);
    double* x = calloc((size_t)(count * columns), sizeof *x);
    assert_true(t && x);
    assert_int_equal(ss_document_clone(b->document, &document, &err), SS_OK);
    if (set) assert_int_equal(ss_document_set(document, set, value, NULL, &err), SS_OK);
    if (ss_model_create_from_document(document, &model, &err) != SS_OK) fail_msg("%s", err.text);
    assert_int_equal(ss_sim_create(model, NULL, &sim, &err), SS_OK);
    for (int i = 0; i < count; i++) {
        t[i] = step * i + delay;
        assert_int_equal(ss_sim_advance(sim, step * i, &outcome, &err), SS_OK);
        for (int c = 0; c < columns; c++) {
            char body[64];
            snprintf(body, sizeof body, "%s", b->traces[c].shows);
            char* dot = strrchr(body, '.');
            *dot = '\0';
            int k = ss_model_body_find(model, body);
            double exact = dot[1] == 'x' ? ss_sim_x(sim)[k] : ss_sim_v(sim)[k];
            x[i * columns + c] = exact + (sigma ? fit_noise(sigma[c]) : 0.0);
        }
    }
    assert_int_equal(
        ss_recording_create("made.csv", t, x, count, columns, &b->recordings[b->def.recording_count++], &err),
        SS_OK);
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    ss_document_destroy(document);
    free(t);
    free(x);
}

void fit_bench_run(fit_bench* b)
{
    ss_error err = {0};
    char text[1024];
    if (ss_fit_run(&b->def, &b->fit, &err) != SS_OK) fail_msg("%s", ss_error_format(&err, text, sizeof text));
    for (int k = 0; k < ss_fit_parameter_count(b->fit); k++) {
        ss_fit_parameter q = ss_fit_get_parameter(b->fit, k);
        if (getenv("FIT_SHOW"))
            printf("%s = %.12g +- %g [%g, %g]\n", q.name, q.value, q.standard_error, q.low, q.high);
    }
    for (int k = 0; k < ss_fit_warning_count(b->fit) && getenv("FIT_SHOW"); k++)
        puts(ss_fit_warning(b->fit, k));
    for (int k = 0; k < ss_fit_note_count(b->fit) && getenv("FIT_SHOW"); k++) puts(ss_fit_note(b->fit, k));
}

void fit_bench_teardown(fit_bench* b)
{
    ss_fit_destroy(b->fit);
    for (int k = 0; k < b->def.recording_count; k++) ss_recording_destroy(b->recordings[k]);
    ss_document_destroy(b->document);
}

void fit_expect_found(const fit_bench* b, int k, double want, double tolerance)
{
    ss_fit_parameter q = ss_fit_get_parameter(b->fit, k);
    if (!(fabs(q.value - want) <= tolerance)) fail_msg("%s: %.12g is not %.12g", q.name, q.value, want);
}

void fit_expect_near_truth(const fit_bench* b, int k, double want, double largest_error)
{
    ss_fit_parameter q = ss_fit_get_parameter(b->fit, k);
    if (!(fabs(q.value - want) <= 4.0 * q.standard_error) || !(q.standard_error <= largest_error))
        fail_msg("%s: %.9g +- %.3g, where %.9g is true", q.name, q.value, q.standard_error, want);
}

bool fit_warns(const fit_bench* b, const char* a, const char* second)
{
    for (int k = 0; k < ss_fit_warning_count(b->fit); k++)
        if (strstr(ss_fit_warning(b->fit, k), a) && strstr(ss_fit_warning(b->fit, k), second)) return true;
    return false;
}
