// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Fits whose answer is known: recordings made by the model itself, with and without noise, and designed cases
// in which a recording can or cannot tell numbers apart.
#include "lab/fit/fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST = 8 };

/// A fit in the making.
typedef struct bench {
    ss_document* document;
    ss_recording* recordings[MOST];
    ss_fit_free free[MOST];
    ss_fit_trace traces[MOST];
    ss_fit_known known[MOST];
    ss_fit_def def;
    ss_fit* fit;
} bench;

static void setup(bench* b, const char* yaml)
{
    *b = (bench){.def = ss_fit_def_default()};
    ss_error err = {0};
    if (ss_document_parse_yaml("t.yaml", yaml, strlen(yaml), &b->document, &err) != SS_OK)
        fail_msg("%s", err.text);
    b->def.document = b->document;
    b->def.recordings = (const ss_recording* const*)b->recordings;
    b->def.free = b->free;
    b->def.traces = b->traces;
    b->def.known = b->known;
}

static ss_fit_free* set_free(bench* b, const char* path, double guess)
{
    ss_fit_free* free = &b->free[b->def.free_count++];
    *free = ss_fit_free_default();
    free->path = path;
    free->guess = guess;
    return free;
}

static void trace(bench* b, const char* shows, double sigma)
{
    b->traces[b->def.trace_count++] = (ss_fit_trace){shows, sigma};
}

static uint64_t random_state;

static double uniform(void)
{
    uint64_t x = random_state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return ((double)((x ^ (x >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static double noise(double sigma)
{
    return sigma * sqrt(-2.0 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/// Records the model of the document, with `set` changed in it, as a sensor with delay and noise would.
static void record(bench* b, const char* set, const char* value, int count, double step, double delay,
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
            x[i * columns + c] = exact + (sigma ? noise(sigma[c]) : 0.0);
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

static void run_fit(bench* b)
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

static void teardown(bench* b)
{
    ss_fit_destroy(b->fit);
    for (int k = 0; k < b->def.recording_count; k++) ss_recording_destroy(b->recordings[k]);
    ss_document_destroy(b->document);
}

static void expect_found(const bench* b, int k, double want, double tolerance)
{
    ss_fit_parameter q = ss_fit_get_parameter(b->fit, k);
    if (!(fabs(q.value - want) <= tolerance)) fail_msg("%s: %.12g is not %.12g", q.name, q.value, want);
}

// Within 4 standard errors, and these are of a sensible size.
static void expect_near_truth(const bench* b, int k, double want, double largest_error)
{
    ss_fit_parameter q = ss_fit_get_parameter(b->fit, k);
    if (!(fabs(q.value - want) <= 4.0 * q.standard_error) || !(q.standard_error <= largest_error))
        fail_msg("%s: %.9g +- %.3g, where %.9g is true", q.name, q.value, q.standard_error, want);
}

static bool warns(const bench* b, const char* a, const char* second)
{
    for (int k = 0; k < ss_fit_warning_count(b->fit); k++)
        if (strstr(ss_fit_warning(b->fit, k), a) && strstr(ss_fit_warning(b->fit, k), second)) return true;
    return false;
}

static const char swing[] = "slipstick: 1\ntitle: A swing that comes to rest\nbodies: {block: {mass: 1 kg}}\n"
                            "connections: [{between: [block, ground], stiffness: 40 N/m}]\n"
                            "contacts: {floor: {between: [block, ground], law: coulomb, friction: 0.5 N}}\n"
                            "start: {block: {x: 0.2 m}}\n";

static const char ball[] =
    "slipstick: 1\ntitle: A ball\nbodies: {ball: {mass: 1 kg}}\nforces: [{body: ball, force: -9.81 N}]\n"
    "contacts: {floor: {between: [ball, ground], law: rigid-stop, below: 0 m, restitution: 0.8}}\n"
    "start: {ball: {x: 0.5 m}}\n";

// ---- values

static void without_noise_every_digit_is_found(void** state)
{
    (void)state;
    bench b;
    setup(&b, swing);
    trace(&b, "block.x", NAN);
    record(&b, NULL, NULL, 300, 0.01, 0, NULL);
    set_free(&b, "connections[0].stiffness", 60);
    set_free(&b, "contacts.floor.friction", 0.3);
    run_fit(&b);
    assert_int_equal(ss_fit_get_outcome(b.fit), SS_FIT_CONVERGED);
    expect_found(&b, 0, 40, 1e-6);
    expect_found(&b, 1, 0.5, 1e-8);
    assert_true(ss_fit_rms(b.fit) < 1e-9);
    teardown(&b);
}

// The speed jumps at every impact, and the sample nearest to it decides on which side it is.
static void speeds_are_fitted_across_impacts(void** state)
{
    (void)state;
    bench b;
    const double sigma[] = {0.02};
    random_state = 7;
    setup(&b, ball);
    trace(&b, "ball.v", NAN);
    record(&b, NULL, NULL, 400, 0.005, 0, sigma);
    set_free(&b, "contacts.floor.restitution", 0.75);
    set_free(&b, "forces[0].force", -9.5);
    run_fit(&b);
    expect_near_truth(&b, 0, 0.8, 0.002);
    expect_near_truth(&b, 1, -9.81, 0.02);
    teardown(&b);
}

// Positions and speeds together, noise of each learnt from its own residuals.
static void several_traces_are_weighed_by_their_noise(void** state)
{
    (void)state;
    bench b;
    const double sigma[] = {0.002, 0.05};
    random_state = 11;
    setup(&b, swing);
    trace(&b, "block.x", NAN);
    trace(&b, "block.v", NAN);
    record(&b, NULL, NULL, 400, 0.01, 0, sigma);
    set_free(&b, "connections[0].stiffness", 30);
    set_free(&b, "contacts.floor.friction", 0.7);
    run_fit(&b);
    expect_near_truth(&b, 0, 40, 0.1);
    expect_near_truth(&b, 1, 0.5, 0.005);
    for (int c = 0; c < 2; c++) {
        ss_fit_residual r = ss_fit_get_residual(b.fit, c);
        assert_int_equal(r.samples, 400);
        assert_true(fabs(r.sigma / sigma[c] - 1) < 0.15);
    }
    assert_true(isnan(ss_fit_rms(b.fit))); // metres and metres per second have no common mean
    teardown(&b);
}

static void gaps_and_unequal_times_do_no_harm(void** state)
{
    (void)state;
    bench b;
    setup(&b, swing);
    trace(&b, "block.x", NAN);
    record(&b, NULL, NULL, 400, 0.01, 0, NULL);
    ss_recording* whole = b.recordings[0];
    double t[400], x[400];
    int count = 0;
    for (int i = 0; i < 400; i += 1 + i % 7) {
        t[count] = whole->time[i];
        x[count] = i % 5 == 0 ? NAN : whole->values[i];
        count++;
    }
    ss_error err = {0};
    assert_int_equal(ss_recording_create("thin.csv", t, x, count, 1, &b.recordings[0], &err), SS_OK);
    ss_recording_destroy(whole);
    set_free(&b, "connections[0].stiffness", 50);
    set_free(&b, "block.x", 0.25);
    run_fit(&b);
    expect_found(&b, 0, 40, 1e-6);
    expect_found(&b, 1, 0.2, 1e-8);
    assert_true(ss_fit_get_residual(b.fit, 0).samples < count);
    teardown(&b);
}

// A sensor that is late by 12 ms: samples before that show the start.
static void the_delay_of_the_clock_is_found(void** state)
{
    (void)state;
    bench b;
    const double sigma[] = {0.001};
    random_state = 3;
    setup(&b, swing);
    trace(&b, "block.x", 0.001);
    record(&b, NULL, NULL, 300, 0.01, 0.012, sigma);
    set_free(&b, "clock.delay", 0);
    set_free(&b, "connections[0].stiffness", 35);
    run_fit(&b);
    expect_near_truth(&b, 0, 0.012, 0.001);
    expect_near_truth(&b, 1, 40, 0.2);
    teardown(&b);
}

// Two throws of different height, one floor: the heights are known, or found as well.
static void several_recordings_share_numbers(void** state)
{
    (void)state;
    for (int known = 0; known <= 1; known++) {
        bench b;
        const double sigma[] = {0.001};
        random_state = 5;
        setup(&b, ball);
        trace(&b, "ball.x", NAN);
        record(&b, "ball.x", "0.5", 150, 0.01, 0, sigma);
        record(&b, "ball.x", "0.8", 150, 0.01, 0, sigma);
        set_free(&b, "contacts.floor.restitution", 0.7);
        for (int r = 0; r < 2 && !known; r++) set_free(&b, "ball.x", 0.6)->recording = r;
        b.known[0] = (ss_fit_known){"ball.x", "50 cm", 0};
        b.known[1] = (ss_fit_known){"ball.x", "0.8 m", 1};
        b.def.known_count = known ? 2 : 0;
        run_fit(&b);
        expect_near_truth(&b, 0, 0.8, 0.001);
        if (!known) {
            expect_near_truth(&b, 1, 0.5, 0.001);
            expect_near_truth(&b, 2, 0.8, 0.001);
            assert_string_equal(ss_fit_get_parameter(b.fit, 2).name, "ball.x#2");
        }
        teardown(&b);
    }
}

// Bounds are kept on the way and at the end; a minimum beyond one ends at it, and says so.
static void bounds_are_kept(void** state)
{
    (void)state;
    bench b;
    setup(&b, swing);
    trace(&b, "block.x", NAN);
    record(&b, NULL, NULL, 200, 0.01, 0, NULL);
    ss_fit_free* stiffness = set_free(&b, "connections[0].stiffness", 50);
    stiffness->least = 45;
    stiffness->most = 80;
    ss_fit_free* friction = set_free(&b, "contacts.floor.friction", 0.3);
    friction->least = 0.1;
    run_fit(&b);
    expect_found(&b, 0, 45, 1e-3);
    assert_true(ss_fit_note_count(b.fit) > 0);
    teardown(&b);
}

// A sensor that rings for 20 ms after every impact: with those samples the answer is off, without them right.
static void samples_near_events_can_be_left_out(void** state)
{
    (void)state;
    for (int quiet = 0; quiet <= 1; quiet++) {
        bench b;
        const double sigma[] = {0.0005};
        random_state = 9;
        setup(&b, ball);
        trace(&b, "ball.x", NAN);
        record(&b, NULL, NULL, 400, 0.004, 0, sigma);
        double impact = sqrt(2 * 0.5 / 9.81), flight = impact;
        for (int k = 0; impact < 1.6 && k < 20; k++) {
            for (long i = 0; i < b.recordings[0]->count; i++)
                if (b.recordings[0]->time[i] > impact && b.recordings[0]->time[i] < impact + 0.02)
                    b.recordings[0]->values[i] += 0.02;
            flight *= 0.8;
            impact += 2 * flight;
        }
        set_free(&b, "contacts.floor.restitution", 0.78);
        set_free(&b, "contacts.floor.below", 0.0);
        b.def.quiet = quiet ? 0.025 : 0;
        run_fit(&b);
        if (quiet) {
            expect_near_truth(&b, 0, 0.8, 0.001);
            expect_near_truth(&b, 1, 0.0, 0.001);
            assert_true(ss_fit_get_residual(b.fit, 0).samples < 390);
        } else {
            assert_true(fabs(ss_fit_get_parameter(b.fit, 1).value) > 1e-3);
        }
        teardown(&b);
    }
}

// ---- what cannot be told apart

// Stiffness, friction and mass enter as their ratios only: a motion tells two of the three.
static void a_common_factor_is_not_determined(void** state)
{
    (void)state;
    bench b;
    const double sigma[] = {0.001};
    random_state = 2;
    setup(&b, swing);
    trace(&b, "block.x", NAN);
    record(&b, NULL, NULL, 300, 0.01, 0, sigma);
    set_free(&b, "connections[0].stiffness", 45);
    set_free(&b, "contacts.floor.friction", 0.55);
    set_free(&b, "bodies.block.mass", 1.2);
    run_fit(&b);
    assert_true(warns(&b, "stiffness and friction", "cannot be told apart"));
    assert_true(warns(&b, "stiffness and mass", "cannot be told apart"));
    assert_true(warns(&b, "mass", "not determined") || warns(&b, "mass", "known only badly"));
    assert_true(isinf(ss_fit_get_parameter(b.fit, 2).standard_error));
    double ratio = ss_fit_get_parameter(b.fit, 0).value / ss_fit_get_parameter(b.fit, 2).value;
    assert_true(fabs(ratio - 40) < 0.2);
    teardown(&b);
}

// Damping of a motion that hardly moves: a number with no influence at all has no value.
static void a_number_without_influence_is_named(void** state)
{
    (void)state;
    bench b;
    const double sigma[] = {0.001};
    random_state = 4;
    setup(&b, ball);
    trace(&b, "ball.x", NAN);
    record(&b, NULL, NULL, 60, 0.005, 0, sigma); // it has not reached the floor
    set_free(&b, "forces[0].force", -9);
    set_free(&b, "contacts.floor.restitution", 0.5);
    run_fit(&b);
    expect_near_truth(&b, 0, -9.81, 0.1);
    assert_true(isinf(ss_fit_get_parameter(b.fit, 1).standard_error));
    assert_true(warns(&b, "restitution", "not determined") || warns(&b, "restitution", "known only badly"));
    teardown(&b);
}

static const char thrown[] =
    "slipstick: 1\ntitle: A disk between an elastic wall and a spring\nbodies: {disk: {mass: 24 g}}\n"
    "forces: [{body: disk, force: 0.2 N}]\n"
    "contacts: {wall: {between: [disk, ground], law: hunt-crossley, above: 10 mm, stiffness: 8e4 N/m^1.5, "
    "exponent: 1.5, alpha: 1.2 s/m}}\n"
    "start: {disk: {v: 0.2 m/s}}\n";

static void fit_wall(bench* b, bool exponent, int samples)
{
    const double sigma[] = {8e-6};
    random_state = 21;
    setup(b, thrown);
    trace(b, "disk.x", 8e-6);
    record(b, NULL, NULL, samples, 5e-4, 0, sigma);
    set_free(b, "contacts.wall.stiffness", 7e4);
    set_free(b, "contacts.wall.alpha", 1.0);
    if (exponent) set_free(b, "contacts.wall.exponent", 1.45);
    run_fit(b);
}

// One impact seen by a sensor as coarse as the penetration: stiffness and exponent mean the same to it. With
// the exponent known, or ten impacts at ten speeds, they do not.
static void one_impact_cannot_tell_stiffness_from_exponent(void** state)
{
    (void)state;
    bench b;
    fit_wall(&b, true, 160); // up to 0.08 s: one impact
    assert_true(warns(&b, "stiffness and exponent", "cannot be told apart"));
    teardown(&b);
    fit_wall(&b, false, 160);
    assert_false(warns(&b, "stiffness and", "cannot be told apart"));
    expect_near_truth(&b, 0, 8e4, 8e3);
    teardown(&b);
    fit_wall(&b, false, 800); // ten impacts
    assert_false(warns(&b, "stiffness and", "cannot be told apart"));
    assert_int_equal(ss_fit_warning_count(b.fit), 0);
    expect_near_truth(&b, 0, 8e4, 800);
    expect_near_truth(&b, 1, 1.2, 0.02);
    teardown(&b);
}

// Exactly the rule: |correlation| > 0.95, or an interval wider than half the value; nothing else.
static void warnings_follow_the_rule(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        bench b;
        const double sigma[] = {0.002 * pow(4, k)};
        random_state = 31 + (uint64_t)k;
        setup(&b, swing);
        trace(&b, "block.x", sigma[0]);
        record(&b, NULL, NULL, 120, 0.01, 0, sigma);
        set_free(&b, "connections[0].stiffness", 40);
        set_free(&b, "contacts.floor.friction", 0.5);
        set_free(&b, "connections[0].damping", 0.0);
        run_fit(&b);
        int want = 0;
        for (int i = 0; i < 3; i++) {
            ss_fit_parameter q = ss_fit_get_parameter(b.fit, i);
            want += q.high - q.low > 0.5 * fabs(q.value);
            for (int j = 0; j < i; j++) want += fabs(ss_fit_correlation(b.fit, i, j)) > 0.95;
        }
        assert_int_equal(ss_fit_warning_count(b.fit), want);
        teardown(&b);
    }
}

// ---- interruption, misuse

static bool stop_soon(void* user, double fraction)
{
    (void)fraction;
    return --*(int*)user > 0;
}

// Wherever it is interrupted, what is told is never worse than the guess.
static void an_interrupted_fit_keeps_its_best(void** state)
{
    (void)state;
    for (int after = 3; after < 60; after += 3) {
        bench b;
        int left = after;
        setup(&b, swing);
        trace(&b, "block.x", 0.001);
        record(&b, NULL, NULL, 200, 0.01, 0, NULL);
        set_free(&b, "connections[0].stiffness", 70);
        set_free(&b, "contacts.floor.friction", 0.9);
        b.def.starts = 3;
        b.def.progress = stop_soon;
        b.def.user = &left;
        run_fit(&b);
        assert_int_equal(ss_fit_get_outcome(b.fit), SS_FIT_INTERRUPTED);
        assert_true(ss_fit_rms(b.fit) < 0.15);
        for (int j = 0; j < 2; j++) { // nothing is claimed of what is no minimum
            ss_fit_parameter q = ss_fit_get_parameter(b.fit, j);
            assert_true(isnan(q.standard_error) && isnan(q.low) && isnan(q.high));
            for (int k = 0; k < 2; k++) assert_true(isnan(ss_fit_correlation(b.fit, j, k)));
        }
        assert_false(warns(&b, "stiffness", "correlation"));
        assert_true(ss_fit_note_count(b.fit) > 0);
        if (after > 100) assert_true(fabs(ss_fit_get_parameter(b.fit, 0).value - 40) < 1e-3);
        teardown(&b);
    }
}

typedef struct heard {
    int count;
    long iterations;
    double left;
} heard;

static void hear(void* user, long iterations, double left)
{
    heard* so_far = user;
    assert_true(iterations >= so_far->iterations);
    assert_true(left < so_far->left);
    *so_far = (heard){so_far->count + 1, iterations, left};
}

// What is told on the way gets ever better, and ends with what the answer says.
static void the_best_so_far_is_told(void** state)
{
    (void)state;
    bench b;
    heard last = {.left = INFINITY};
    setup(&b, swing);
    trace(&b, "block.x", 0.001);
    record(&b, NULL, NULL, 200, 0.01, 0, (double[]){0.001});
    set_free(&b, "connections[0].stiffness", 70);
    set_free(&b, "contacts.floor.friction", 0.9);
    b.def.better = hear;
    b.def.user = &last;
    run_fit(&b);
    double least = INFINITY, most = -INFINITY;
    for (long k = 0; k < ss_recording_count(b.recordings[0]); k++) {
        least = fmin(least, ss_recording_value(b.recordings[0], k, 0));
        most = fmax(most, ss_recording_value(b.recordings[0], k, 0));
    }
    assert_true(last.count > 2);
    double rms = ss_fit_rms(b.fit);
    assert_true(fabs(last.left * (most - least) - rms) < 0.1 * rms);
    teardown(&b);
}

// A block that stays where it was let go, under a spring: the heavier, the better it fits, and no mass is
// heavy enough.
static void a_number_that_runs_off_is_no_answer(void** state)
{
    (void)state;
    bench b;
    setup(&b, swing);
    trace(&b, "block.x", NAN);
    random_state = 8;
    record(&b, "bodies.block.mass", "1e12", 200, 0.01, 0, (const double[]){1e-5});
    set_free(&b, "bodies.block.mass", 1.0);
    run_fit(&b);
    assert_int_equal(ss_fit_get_outcome(b.fit), SS_FIT_GAVE_UP);
    assert_true(warns(&b, "mass", "the data do not bound it"));
    assert_true(isnan(ss_fit_get_parameter(b.fit, 0).low));
    teardown(&b);
}

// The same with a stiffness of which only the ratio to the mass matters: as the search did not end, they have
// no correlation, and nothing is said of one.
static void a_search_that_did_not_end_has_no_correlation(void** state)
{
    (void)state;
    bench b;
    setup(&b, swing);
    trace(&b, "block.x", NAN);
    random_state = 8;
    record(&b, "bodies.block.mass", "1e12", 200, 0.01, 0, (const double[]){1e-5});
    set_free(&b, "bodies.block.mass", 1.0);
    ss_fit_free* stiffness = set_free(&b, "connections[0].stiffness", 40.0);
    stiffness->least = 30.0;
    stiffness->most = 50.0;
    run_fit(&b);
    assert_int_equal(ss_fit_get_outcome(b.fit), SS_FIT_GAVE_UP);
    assert_true(isnan(ss_fit_correlation(b.fit, 0, 1)) && isnan(ss_fit_correlation(b.fit, 1, 1)));
    for (int k = 0; k < ss_fit_warning_count(b.fit); k++)
        assert_null(strstr(ss_fit_warning(b.fit, k), "correlation"));
    teardown(&b);
}

static void count_warning(void* user, const char* text)
{
    assert_non_null(strstr(text, "unit"));
    ++*(int*)user;
}

// The recording of a motion of 3 s, its time or its place multiplied by a thousand: told before the search.
static void units_that_differ_by_a_thousand_are_told(void** state)
{
    (void)state;
    static const double factors[5][2] = {{1, 1}, {1000, 1}, {0.001, 1}, {1, 1000}, {1, 0.001}};
    for (int k = 0; k < 5; k++) {
        bench b;
        int told = 0;
        setup(&b, swing);
        trace(&b, "block.x", NAN);
        record(&b, NULL, NULL, 300, 0.01, 0, NULL);
        ss_recording* true_one = b.recordings[0];
        double times[300], places[300];
        for (int i = 0; i < 300; i++) {
            times[i] = factors[k][0] * ss_recording_time(true_one, i);
            places[i] = factors[k][1] * ss_recording_value(true_one, i, 0);
        }
        ss_recording_destroy(true_one);
        assert_int_equal(ss_recording_create("made.csv", times, places, 300, 1, &b.recordings[0], NULL),
                         SS_OK);
        set_free(&b, "connections[0].stiffness", 42);
        b.def.warn = count_warning;
        b.def.user = &told;
        run_fit(&b);
        assert_int_equal(told, k > 0);
        assert_int_equal(warns(&b, "block.x", "unit"), k > 0);
        teardown(&b);
    }
}

// Stiffness and mass of a swing with known friction have a correlation near 1, and a good recording knows
// both: the warning does not deny that.
static void numbers_that_lean_on_each_other_may_be_known(void** state)
{
    (void)state;
    bench b;
    setup(&b, swing);
    trace(&b, "block.x", NAN);
    random_state = 5;
    record(&b, NULL, NULL, 300, 0.01, 0, (const double[]){1e-6});
    set_free(&b, "connections[0].stiffness", 41);
    set_free(&b, "bodies.block.mass", 1.02);
    run_fit(&b);
    assert_true(fabs(ss_fit_correlation(b.fit, 0, 1)) > 0.95);
    assert_true(ss_fit_get_parameter(b.fit, 0).standard_error < 0.4);
    assert_true(warns(&b, "stiffness and mass", "lean on each other"));
    assert_false(warns(&b, "stiffness and mass", "cannot be told apart"));
    teardown(&b);
}

// About the moment at which a pull has moved the block farthest, it looks like an offset of the sensor: the
// pull is known well, the offset, which is 0, is not. The warning says so.
static void one_of_two_that_lean_may_be_known(void** state)
{
    (void)state;
    bench b;
    setup(&b, "slipstick: 1\ntitle: pull\nbodies: {block: {mass: 1 kg}}\n"
              "connections: [{between: [block, ground], stiffness: 40 N/m}]\n"
              "forces: [{body: block, force: 4 N}]\n");
    trace(&b, "block.x", NAN);
    random_state = 5;
    record(&b, NULL, NULL, 300, 0.002, 0, (const double[]){1e-6});
    b.def.from = 0.42;
    b.def.to = 0.58;
    set_free(&b, "forces[0].force", 4.1);
    set_free(&b, "sensor.block.x.offset", 0);
    run_fit(&b);
    assert_true(fabs(ss_fit_correlation(b.fit, 0, 1)) > 0.95);
    assert_true(warns(&b, "force and offset cannot be told apart", "any closer than"));
    teardown(&b);
}

static void refuse(bench* b, const char* says)
{
    ss_error err = {0};
    char text[1024];
    ss_fit* fit = NULL;
    assert_int_equal(ss_fit_run(&b->def, &fit, &err), SS_BAD_INPUT);
    assert_null(fit);
    if (!strstr(ss_error_format(&err, text, sizeof text), says))
        fail_msg("'%s' does not say '%s'", text, says);
}

static void misuse_is_refused(void** state)
{
    (void)state;
    bench b;
    setup(&b, swing);
    trace(&b, "block.x", NAN);
    record(&b, NULL, NULL, 20, 0.01, 0, NULL);
    refuse(&b, "no number is free");
    ss_fit* none = NULL;
    ss_error err = {0};
    assert_int_equal(ss_fit_run(NULL, &none, &err), SS_BAD_INPUT);
    set_free(&b, "contacts.floor.fricton", NAN);
    refuse(&b, "--free contacts.floor.fricton");
    b.free[0].path = "contacts.floor.friction";
    b.free[0].least = 1;
    b.free[0].most = 2;
    refuse(&b, "lies outside the bounds");
    b.free[0] = ss_fit_free_default();
    b.free[0].path = "contacts.floor.static"; // the file does not mention it: 0 is below friction
    refuse(&b, "give a first guess with --set");
    b.free[0].path = "title";
    refuse(&b, "--free title");
    b.free[0].path = "contacts.floor.friction";
    b.traces[0].shows = "brick.x";
    refuse(&b, "there is no body 'brick'; there are block");
    b.traces[0].shows = "block.a";
    refuse(&b, "BODY.x or BODY.v");
    b.traces[0].shows = "block.x";
    b.def.from = 0.185;
    set_free(&b, "block.x", NAN);
    refuse(&b, "1 samples cannot determine 2 numbers");
    teardown(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_noise_every_digit_is_found),
        cmocka_unit_test(speeds_are_fitted_across_impacts),
        cmocka_unit_test(several_traces_are_weighed_by_their_noise),
        cmocka_unit_test(gaps_and_unequal_times_do_no_harm),
        cmocka_unit_test(the_delay_of_the_clock_is_found),
        cmocka_unit_test(several_recordings_share_numbers),
        cmocka_unit_test(bounds_are_kept),
        cmocka_unit_test(samples_near_events_can_be_left_out),
        cmocka_unit_test(a_common_factor_is_not_determined),
        cmocka_unit_test(a_number_without_influence_is_named),
        cmocka_unit_test(one_impact_cannot_tell_stiffness_from_exponent),
        cmocka_unit_test(warnings_follow_the_rule),
        cmocka_unit_test(an_interrupted_fit_keeps_its_best),
        cmocka_unit_test(the_best_so_far_is_told),
        cmocka_unit_test(a_number_that_runs_off_is_no_answer),
        cmocka_unit_test(a_search_that_did_not_end_has_no_correlation),
        cmocka_unit_test(units_that_differ_by_a_thousand_are_told),
        cmocka_unit_test(numbers_that_lean_on_each_other_may_be_known),
        cmocka_unit_test(one_of_two_that_lean_may_be_known),
        cmocka_unit_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
