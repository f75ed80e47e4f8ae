// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A smaller tolerance gives a smaller error, in everything a sliding motion delivers: place, angle, velocity,
// works and the times of its events. Random sliders of every kind, each followed at several tolerances; the
// energy ledger cannot see an error in place, this can.
#include "slider_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
enum { SLIDERS = 8 };
#else
enum { SLIDERS = 50 };
#endif
enum { TIMES = 8, LEVELS = 3 };

typedef struct family {
    const char* name;
    void (*make)(slider_rig* r, unsigned* seed, double start[3]);
    double until;
    bool breaks;    // only motions in which a held support lets go count
    double allowed; // error over tolerance: errors of steps add up, and last as long as the motion
} family;

// What a run delivers.
typedef struct answer {
    double t, x, y, angle, v[3], friction, input, events[TIMES];
    double before[TIMES][3]; // load just before the event
    long event_count;
    ss_outcome outcome;
    int breaks;
} answer;

static double between(unsigned* seed, double low, double high) { return slider_uniform(seed, low, high); }

static bool chance(unsigned* seed, double share) { return slider_uniform(seed, 0.0, 1.0) < share; }

// ---- kinds of sliders ----

static void random_start(unsigned* seed, double start[3])
{
    for (int i = 0; i < 3; i++) start[i] = between(seed, -1.0, 1.0) * (i < 2 ? 1.0 : 2.0);
}

static void random_points(slider_rig* r, unsigned* seed, int least, int most, double reach)
{
    int count = least + (int)between(seed, 0.0, most - least + 1);
    slider_init(r);
    for (int i = 0; i < count; i++)
        slider_point(r, between(seed, -reach, reach), between(seed, -reach, reach), between(seed, 0.1, 0.5));
}

// Two feet close together, mostly turning about the first one: slowing down, that one breaks loose.
static void make_feet(slider_rig* r, unsigned* seed, double start[3])
{
    random_points(r, seed, 2, 2, 0.3);
    random_start(seed, start);
    if (!chance(seed, 0.7)) return;
    start[0] = start[2] * r->supports[0].position_m[1];
    start[1] = -start[2] * r->supports[0].position_m[0];
}

static void make_points(slider_rig* r, unsigned* seed, double start[3])
{
    random_points(r, seed, 2, 8, 1.2);
    random_start(seed, start);
}

static void make_wheels(slider_rig* r, unsigned* seed, double start[3])
{
    random_points(r, seed, 1, 3, 1.2);
    for (int i = 0; i < 2; i++) {
        ss_support_def* wheel =
            slider_wheel(r, between(seed, -1.0, 1.0), between(seed, -1.0, 1.0), between(seed, -1.0, 1.0),
                         between(seed, -1.0, 1.0), between(seed, 0.1, 0.5));
        if (chance(seed, 0.4)) wheel->drag_N = between(seed, 0.01, 0.1);
        if (chance(seed, 0.4)) wheel->ratchet = chance(seed, 0.5) ? SS_RATCHET_FORWARD : SS_RATCHET_BACKWARD;
    }
    random_start(seed, start);
}

static void add_patches(slider_rig* r, unsigned* seed)
{
    static const ss_support_kind kinds[] = {SS_SUPPORT_RING, SS_SUPPORT_DISK, SS_SUPPORT_ANNULUS};
    int count = 1 + chance(seed, 0.5);
    for (int i = 0; i < count; i++) {
        ss_support_kind kind = kinds[(int)between(seed, 0.0, 3.0)];
        ss_support_def* patch = slider_patch(r, kind, between(seed, 0.1, 0.6), between(seed, 0.1, 0.5));
        if (kind == SS_SUPPORT_ANNULUS) patch->inner_m = 0.5 * patch->radius_m;
        for (int k = 0; k < 2; k++) patch->position_m[k] = between(seed, -0.7, 0.7);
    }
}

static void make_patches(slider_rig* r, unsigned* seed, double start[3])
{
    random_points(r, seed, 1, 3, 1.2);
    add_patches(r, seed);
    random_start(seed, start);
}

// Ellipses fixed in the body, or in the floor.
static void make_ellipses(slider_rig* r, unsigned* seed, double start[3])
{
    random_points(r, seed, 1, 4, 1.2);
    for (int i = 0; i < r->def.support_count; i++) {
        ss_support_def* point = &r->supports[i];
        if (!(point->is_anisotropic = chance(seed, 0.7))) continue;
        point->friction_N[1] = between(seed, 0.1, 0.5);
        for (int k = 0; k < 2; k++) point->axis[k] = between(seed, -1.0, 1.0);
    }
    for (int k = 0; k < 2 && r->def.support_count > 1; k++) {
        r->def.floor_mu[k] = between(seed, 0.5, 2.0);
        r->def.floor_axis[k] = between(seed, -1.0, 1.0);
    }
    random_start(seed, start);
}

static ss_signal* load_signal(unsigned* seed, double size, const char* unit, ss_dimension dimension)
{
    char text[200];
    ss_signal* signal = NULL;
    ss_error err;
    ss_scope scope = {.allow_time = true};
    snprintf(text, sizeof text, "%.6f %s + %.6f %s*sin(%.6f rad/s*t + %.6f)",
             between(seed, -0.3 * size, 0.3 * size), unit, between(seed, -size, size), unit,
             between(seed, 0.5, 4.0), between(seed, -3.0, 3.0));
    if (ss_signal_parse(text, &scope, dimension, &signal, &err) != SS_OK) fail_msg("%s", err.text);
    return signal;
}

static void add_loads(slider_rig* r, unsigned* seed)
{
    static const ss_dimension newton = {.m = 1, .kg = 1, .s = -2}, newton_metre = {.m = 2, .kg = 1, .s = -2};
    r->load.force_x = load_signal(seed, 0.8, "N", newton);
    r->load.force_y = load_signal(seed, 0.8, "N", newton);
    r->load.moment = load_signal(seed, 0.4, "N*m", newton_metre);
    r->load.in_body = chance(seed, 0.5);
}

static void make_loaded(slider_rig* r, unsigned* seed, double start[3])
{
    random_points(r, seed, 1, 4, 1.2);
    add_loads(r, seed);
    random_start(seed, start);
}

// The centre of rotation goes to and fro over the rims of the patches, where loads are not analytic.
static void make_loaded_patches(slider_rig* r, unsigned* seed, double start[3])
{
    slider_init(r);
    add_patches(r, seed);
    add_loads(r, seed);
    random_start(seed, start);
}

// ---- runs and their errors ----

static answer run(slider_rig* body, const double start[3], double until, double tolerance)
{
    slide_run r;
    slide_start(&r, body, start[0], start[1], start[2], tolerance);
    slide_to(&r, until);
    ss_slider_state s = ss_slide_state(r.slide);
    ss_energy e = ss_slide_energy(r.slide);
    answer a = {.t = ss_slide_time(r.slide),
                .x = s.x,
                .y = s.y,
                .angle = s.angle,
                .v = {s.vx, s.vy, s.spin},
                .friction = e.friction,
                .input = e.input,
                .event_count = r.event_count,
                .outcome = r.outcome};
    for (int i = 0; i < r.event_count && i < SLIDE_EVENTS; i++) {
        a.breaks += r.events[i].from == SS_MODE_STICK;
        if (i >= TIMES) continue;
        a.events[i] = r.events[i].t;
        memcpy(a.before[i], r.events[i].load_before, sizeof a.before[i]);
    }
    slide_stop(&r);
    return a;
}

// The largest error of a against b, each relative to its size or to 1, whichever is larger.
static double error_of(const answer* a, const answer* b)
{
    double length = 1.0 + hypot(b->x, b->y), most = hypot(a->x - b->x, a->y - b->y) / length;
    if (a->event_count != b->event_count || a->outcome != b->outcome) return 1.0;
    most = fmax(most, fabs(a->angle - b->angle) / (1.0 + fabs(b->angle)));
    most = fmax(most, fabs(a->t - b->t) / (1.0 + b->t));
    most = fmax(most, fabs(a->friction - b->friction) / (1.0 + b->friction));
    most = fmax(most, fabs(a->input - b->input) / (1.0 + fabs(b->input)));
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(a->v[i] - b->v[i]));
    for (int i = 0; i < TIMES && i < a->event_count; i++) {
        most = fmax(most, fabs(a->events[i] - b->events[i]) / (1.0 + b->events[i]));
        bool last = b->events[i] >= b->t * (1.0 - 1e-6); // a direction of rest need not have settled,
        // and one of slip depends on everything else, the more so where it hardly is one
        for (int k = 0; k < 3 && !last; k++)
            most = fmax(most, 0.01 * fabs(a->before[i][k] - b->before[i][k]));
    }
    return most;
}

static void expect_convergence(const family* f, unsigned seed)
{
    static const double tolerance[LEVELS] = {1e-7, 1e-9, 1e-11}, finest = 1e-12;
    double sum[LEVELS] = {0.0};
    for (int done = 0; done < SLIDERS;) {
        slider_rig body;
        double start[3];
        f->make(&body, &seed, start);
        answer best = run(&body, start, f->until, finest);
        for (int i = 0; i < LEVELS && (best.breaks > 0 || !f->breaks); i++) {
            answer rough = run(&body, start, f->until, tolerance[i]);
            double error = error_of(&rough, &best);
            if (error > f->allowed * tolerance[i])
                fail_msg("%s %d: error %.2g at tolerance %g", f->name, done, error, tolerance[i]);
            sum[i] += log10(error + 1e-16);
            done += i == LEVELS - 1;
        }
        ss_signal* const signals[] = {(ss_signal*)body.load.force_x, (ss_signal*)body.load.force_y,
                                      (ss_signal*)body.load.moment};
        for (int i = 0; i < 3; i++) ss_signal_destroy(signals[i]);
    }
    for (int i = 1; i < LEVELS; i++) // a hundredth of the tolerance: on average less than a fifteenth
        if ((sum[i - 1] - sum[i]) / SLIDERS < 1.2)
            fail_msg("%s: errors fall from 1e%.2f to 1e%.2f between tolerances %g and %g", f->name,
                     sum[i - 1] / SLIDERS, sum[i] / SLIDERS, tolerance[i - 1], tolerance[i]);
}

static void feet_that_break_loose(void** state)
{
    (void)state;
    expect_convergence(&(family){"feet", make_feet, 100.0, true, 60.0}, 1);
}

static void points(void** state)
{
    (void)state;
    expect_convergence(&(family){"points", make_points, 100.0, false, 60.0}, 2);
}

static void wheels_and_ratchets(void** state)
{
    (void)state;
    expect_convergence(&(family){"wheels", make_wheels, 100.0, false, 300.0}, 3);
}

static void rings_disks_and_annuli(void** state)
{
    (void)state;
    expect_convergence(&(family){"patches", make_patches, 100.0, false, 5.0}, 4);
}

static void rims_under_loads(void** state)
{
    (void)state;
    expect_convergence(&(family){"rims", make_loaded_patches, 8.0, false, 150.0}, 7);
}

static void ellipses_of_feet_and_floor(void** state)
{
    (void)state;
    expect_convergence(&(family){"ellipses", make_ellipses, 100.0, false, 200.0}, 5);
}

static void loads_in_space_and_body(void** state)
{
    (void)state;
    expect_convergence(&(family){"loads", make_loaded, 8.0, false, 60.0}, 6);
}

// A wheel is held, a ratchet rolls: the foot can only move in one direction, and stops in it, whatever the
// tolerance makes of the last digits of its velocity.
static void a_foot_that_can_move_one_way(void** state)
{
    (void)state;
    slider_rig body;
    const double start[3] = {0.27214157581329346, -0.90861141681671143, 0.12106990814208984};
    slider_init(&body);
    slider_point(&body, -0.79356966018676756, 0.71489281654357906, 0.32520599365234376);
    ss_support_def* ratchet = slider_wheel(&body, 0.074066042900085449, 0.94147074222564697,
                                           -0.19857895374298096, 0.68011188507080078, 0.45519745349884033);
    ratchet->drag_N = 0.083857822418212893;
    ratchet->ratchet = SS_RATCHET_FORWARD;
    slider_wheel(&body, 0.34241938591003418, 0.23224747180938721, 0.20148074626922607, 0.95853507518768311,
                 0.2490560293197632);
    answer best = run(&body, start, 100.0, 1e-12);
    for (double tolerance = 1e-6; tolerance > 1e-12; tolerance *= 0.1) {
        answer rough = run(&body, start, 100.0, tolerance);
        assert_true(error_of(&rough, &best) <= 300.0 * tolerance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_that_break_loose),        cmocka_unit_test(points),
        cmocka_unit_test(wheels_and_ratchets),          cmocka_unit_test(rings_disks_and_annuli),
        cmocka_unit_test(ellipses_of_feet_and_floor),   cmocka_unit_test(loads_in_space_and_body),
        cmocka_unit_test(a_foot_that_can_move_one_way), cmocka_unit_test(rims_under_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
