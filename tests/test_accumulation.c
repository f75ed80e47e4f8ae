// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Infinitely many impacts that alternate over several stops: inelastic collapse of a row of bodies, a stack
// that comes to rest on the ground, a ball between closing walls. The truth is a row of bodies with constant
// accelerations, whose collisions are followed one by one in long double; a pair whose collisions have become
// slower than 1e-15 m/s goes on as one body.
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static rig r;
static run m;
static ss_model* model;

enum { MOST = 4 };

// Bodies 0, 1, .. in a row, each pulled with its own acceleration a. Gap i is x_i - x_(i-1) for i > 0; gap 0
// is x_0 above the ground, if there is one. e belongs to the gaps.
typedef struct row {
    int count;
    bool grounded;
    double mass[MOST], x[MOST], v[MOST], a[MOST], e[MOST];
} row;

typedef struct exact {
    long double t, x[MOST], v[MOST];
} exact;

static long double relative(const long double of[], int gap)
{
    return gap == 0 ? of[0] : of[gap] - of[gap - 1];
}

// Time until the gap closes: the first positive zero of g + g' s + g'' s^2/2, gap and rate known.
static long double time_to_close(long double g, long double rate, long double bend)
{
    long double root = rate * rate - 2.0L * bend * g;
    if (g <= 0.0L && rate < 0.0L) return 0.0L;
    if (g <= 0.0L) return bend < 0.0L ? -2.0L * rate / bend : INFINITY; // just left
    if (bend == 0.0L) return rate < 0.0L ? -g / rate : INFINITY;
    if (root < 0.0L) return INFINITY;
    if (bend < 0.0L) return (rate + sqrtl(root)) / -bend;
    return rate < 0.0L ? 2.0L * g / (-rate + sqrtl(root)) : INFINITY;
}

// Slower collisions come to rest: the two go on as one body where they are pressed together.
static const long double slow = 1e-15L;

// Bodies that have become one have the same label; the ground's is -1. Inverse mass and acceleration of one.
typedef struct cluster {
    long double inverse, a;
} cluster;

static cluster gather(const row* w, const int label[], int of)
{
    long double mass = 0.0L, force = 0.0L;
    if (of < 0) return (cluster){0.0L, 0.0L};
    for (int i = 0; i < w->count; i++) {
        if (label[i] != of) continue;
        mass += w->mass[i];
        force += (long double)w->mass[i] * w->a[i];
    }
    return (cluster){1.0L / mass, force / mass};
}

static void strike(const row* w, int label[], int gap, exact* s)
{
    int below = gap == 0 ? -1 : label[gap - 1], above = label[gap];
    long double low = gather(w, label, below).inverse, high = gather(w, label, above).inverse;
    long double rate = relative(s->v, gap), e = -rate < slow ? 0.0L : w->e[gap];
    long double impulse = -(1.0L + e) * rate / (low + high);
    for (int i = 0; i < w->count; i++) {
        if (label[i] == below) s->v[i] -= impulse * low;
        if (label[i] == above) s->v[i] += impulse * high;
    }
    bool pressed = gather(w, label, above).a <= gather(w, label, below).a;
    for (int i = 0; i < w->count && -rate < slow && pressed; i++)
        if (label[i] == above) label[i] = below;
}

// Follows the collisions until all bodies are one, or until there are no more.
static exact follow(const row* w)
{
    exact s = {0};
    int label[MOST], first = w->grounded ? 0 : 1;
    long double a[MOST], gap[MOST];
    for (int i = 0; i < w->count; i++) {
        s.x[i] = w->x[i];
        s.v[i] = w->v[i];
        label[i] = i;
    }
    for (int i = first; i < w->count; i++) gap[i] = relative(s.x, i);
    for (;;) {
        long double soonest = INFINITY;
        int struck = -1;
        for (int i = 0; i < w->count; i++) a[i] = gather(w, label, label[i]).a;
        for (int i = first; i < w->count; i++) {
            if (label[i] == (i == 0 ? -1 : label[i - 1])) continue;
            long double time = time_to_close(gap[i], relative(s.v, i), relative(a, i));
            if (time >= soonest) continue;
            soonest = time;
            struck = i;
        }
        if (struck < 0) return s;
        for (int i = first; i < w->count; i++)
            gap[i] += soonest * (relative(s.v, i) + 0.5L * soonest * relative(a, i));
        for (int i = 0; i < w->count; i++) {
            s.x[i] += soonest * (s.v[i] + 0.5L * soonest * a[i]);
            s.v[i] += soonest * a[i];
        }
        s.t += soonest;
        gap[struck] = 0.0L;
        strike(w, label, struck, &s);
    }
}

static void begin(const row* w)
{
    char force[32];
    rig_init(&r);
    for (int i = 0; i < w->count; i++) {
        rig_body(&r, w->mass[i], w->x[i], w->v[i]);
        snprintf(force, sizeof force, "%.17g", w->mass[i] * w->a[i]);
        if (w->a[i] != 0.0) rig_force(&r, i, force);
    }
    if (w->grounded) rig_stop(&r, 0, SS_GROUND, 0.0, -1, w->e[0]);
    for (int i = 1; i < w->count; i++) rig_stop(&r, i, i - 1, 0.0, -1, w->e[i]);
    model = run_start_rig(&m, &r);
}

static void end(void) { run_end(&m, model, 1e-12); }

// Runs a row past its collapse: all its stops close at one instant, the one that the collisions lead to, and
// the bodies are where they are then.
static void check_collapse(const row* w, double after)
{
    exact s = follow(w);
    begin(w);
    run_to(&m, (double)s.t + after);
    const ss_event* last = &m.events[m.event_count - 1];
    assert_true(m.event_count < 1000);
    assert_int_equal(last->kind, SS_EVENT_ACCUMULATION);
    expect_near("limit time", last->t, (double)s.t, 1e-11 * (double)s.t);
    long double mass = 0.0L, momentum = 0.0L, force = 0.0L;
    for (int i = 0; i < w->count; i++) {
        mass += w->mass[i];
        momentum += w->mass[i] * s.v[i];
        force += (long double)w->mass[i] * w->a[i];
    }
    double v = w->grounded ? 0.0 : (double)(momentum / mass), a = w->grounded ? 0.0 : (double)(force / mass);
    for (int i = 0; i < w->count; i++) {
        double x = (double)s.x[i] + v * after + 0.5 * a * after * after;
        expect_near("place", ss_sim_x(m.sim)[i], x, 1e-10 * (1.0 + after * after));
        expect_near("speed", ss_sim_v(m.sim)[i], v + a * after, 1e-10 * (1.0 + after));
    }
    for (int i = 0; i + !w->grounded < w->count; i++)
        assert_int_equal(ss_sim_contact(m.sim, i).mode, SS_MODE_CLOSED);
    end();
}

// Three equal masses collapse where e < 7 - 4 sqrt 3; an end body between two others strikes both in turn.
static void test_inelastic_collapse(void** state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        double e = (double[]){0.02, 0.05, 0.06, 0.001}[i];
        row w = {3, false, {1, 1, 1}, {0, 1, 2.3}, {1, 0, -1}, {0}, {0, e, e}};
        check_collapse(&w, 10.0);
        begin(&w); // without momentum they are at rest then, and not off by the rounding of the impacts
        run_to(&m, 100.0);
        assert_int_equal(m.outcome, SS_AT_REST);
        for (int k = 0; k < 3; k++) assert_true(ss_sim_v(m.sim)[k] == 0.0);
        end();
    }
    row moving = {3, false, {1, 1, 1}, {0, 1, 1.7}, {2.3, 0.4, -1.4}, {0}, {0, 0.02, 0.02}};
    check_collapse(&moving, 5.0);
    row unequal = {3, false, {2, 0.3, 5}, {0, 1, 2.3}, {1, 0.2, -1}, {0}, {0, 0.1, 0.3}};
    check_collapse(&unequal, 5.0);
}

// Above the bound the bodies part after finitely many collisions: nothing is summed.
static void test_no_collapse(void** state)
{
    (void)state;
    row w = {3, false, {1, 1, 1}, {0, 1, 2.3}, {1, 0, -1}, {0}, {0, 0.09, 0.09}};
    exact s = follow(&w);
    begin(&w);
    run_to(&m, 10.0);
    assert_false(run_has_note(&m, "accumulation"));
    for (int i = 0; i < w.count; i++) expect_near("speed", ss_sim_v(m.sim)[i], (double)s.v[i], 1e-13);
    end();
}

// Under weight every stop of a stack is struck infinitely often before it rests.
static void test_stack_comes_to_rest(void** state)
{
    (void)state;
    row two = {2, true, {1, 0.5}, {1, 1.5}, {0, 0}, {-10, -10}, {0.3, 0.4}};
    check_collapse(&two, 5.0);
    row heavy = {2, true, {0.2, 3}, {0.5, 1.5}, {1, 0}, {-10, -10}, {0.5, 0.2}};
    check_collapse(&heavy, 5.0);
    row three = {3, true, {1, 0.7, 0.4}, {0.2, 0.5, 1.1}, {0, 0, 0}, {-10, -10, -10}, {0.2, 0.3, 0.1}};
    check_collapse(&three, 5.0);
}

// Pushed together without a ground.
static void test_pushed_together(void** state)
{
    (void)state;
    row w = {3, false, {1, 2, 1.5}, {0, 0.5, 1.2}, {0, 0, 0}, {3, 0, -2}, {0, 0.4, 0.3}};
    check_collapse(&w, 2.0);
}

static double draw(uint64_t* seed, double low, double high)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

// Two to four bodies of any masses on the ground under weight, or without ground pushed together from both
// ends.
static void test_random_rows(void** state)
{
    (void)state;
    uint64_t seed = 7;
    for (int k = 0; k < 200; k++) {
        row w = {.count = 2 + k % 3, .grounded = k % 2 == 0};
        for (int i = 0; i < w.count; i++) {
            w.mass[i] = exp(draw(&seed, -2.0, 2.0));
            w.x[i] = (i > 0 ? w.x[i - 1] : 0.0) + draw(&seed, 0.1, 1.0);
            w.v[i] = draw(&seed, -1.0, 1.0);
            w.e[i] = draw(&seed, 0.0, 0.6);
            w.a[i] = w.grounded ? -draw(&seed, 5.0, 10.0) : draw(&seed, 1.0, 3.0) * (w.count - 1 - 2 * i);
        }
        check_collapse(&w, 1.0);
    }
}

// A ball between the ground and a wall that comes down at w: its speed settles, its flights shrink with the
// room L - w t, and at L/w there is no room left. With e = 1/2 that is what the bounces lead to; they are not
// counted to the last.
static void test_closing_walls(void** state)
{
    (void)state;
    rig_init(&r);
    rig_body(&r, 1.0, 0.3, 0.7);
    int wall = rig_driven(&r, "1 - 0.4*t");
    rig_stop(&r, 0, SS_GROUND, 0.0, -1, 0.5);
    rig_stop(&r, 0, wall, 0.0, 1, 0.5);
    model = run_start_rig(&m, &r);
    ss_error err;
    ss_outcome outcome;
    assert_int_equal(ss_sim_advance(m.sim, 10.0, &outcome, &err), SS_BAD_INPUT);
    assert_non_null(strstr(err.text, "closes at t = 2.5 s on what another stop holds"));
    assert_true(ss_sim_event_count(m.sim) < 500);
    assert_true(ss_sim_time(m.sim) <= 2.5 && ss_sim_time(m.sim) > 2.4999);
    run_stop(&m);
    ss_model_destroy(model);
}

// Two stops in line, the middle one left at once by what strikes it: e = 0 leaves no speed, so the way back
// is of second order and the flights shrink like squares. The limit is reached all the same.
static void test_flights_that_shrink_like_squares(void** state)
{
    (void)state;
    row w = {2, true, {1, 1.4}, {0.5, 1.0}, {0, 0}, {-1, -10}, {0.0, 0.5}};
    check_collapse(&w, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inelastic_collapse),
        cmocka_unit_test(test_no_collapse),
        cmocka_unit_test(test_stack_comes_to_rest),
        cmocka_unit_test(test_pushed_together),
        cmocka_unit_test(test_random_rows),
        cmocka_unit_test(test_closing_walls),
        cmocka_unit_test(test_flights_that_shrink_like_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
