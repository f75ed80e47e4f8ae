// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sliders on wheels, and sliders that are pushed, against CVODE with regularised friction: as eps goes to 0
// its motion must come to ours, through sticking, breaking loose, rest and a new start.
#include "peer_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
enum { WHEELED = 20, PUSHED = 20 };
#else
enum { WHEELED = 100, PUSHED = 120 };
#endif

static double uniform(unsigned* seed, double low, double high) { return slider_uniform(seed, low, high); }
static bool chance(unsigned* seed, double share) { return uniform(seed, 0.0, 1.0) < share; }

static void add_points(slider_rig* rig, int count, unsigned* seed)
{
    for (int i = 0; i < count; i++) {
        double x = uniform(seed, -1.5, 1.5), y = uniform(seed, -1.5, 1.5);
        ss_support_def* s = slider_point(rig, x, y, uniform(seed, 0.1, 0.4));
        s->is_anisotropic = chance(seed, 0.3);
        if (s->is_anisotropic) s->friction_N[1] *= uniform(seed, 0.5, 2.0);
        s->axis[1] = uniform(seed, -1.0, 1.0);
    }
}

static void add_wheels(slider_rig* rig, int count, unsigned* seed)
{
    for (int i = 0; i < count; i++) {
        double angle = uniform(seed, 0.0, 6.28), x = uniform(seed, -1.5, 1.5), y = uniform(seed, -1.5, 1.5);
        ss_support_def* s = slider_wheel(rig, x, y, cos(angle), sin(angle), uniform(seed, 0.1, 0.4));
        s->drag_N = chance(seed, 0.5) ? 0.03 : 0.0;
        s->ratchet = chance(seed, 0.4)   ? SS_RATCHET_FORWARD
                     : chance(seed, 0.3) ? SS_RATCHET_BACKWARD
                                         : SS_RATCHET_NONE;
    }
}

static void lay_floor(slider_rig* rig, unsigned* seed)
{
    rig->def.floor_mu[1] = uniform(seed, 0.5, 2.0);
    rig->def.floor_axis[1] = uniform(seed, -1.0, 1.0);
}

static double gap(const ss_slider_state* a, const ss_slider_state* b)
{
    return fmax(fmax(fabs(a->x - b->x), fabs(a->y - b->y)), fabs(a->angle - b->angle));
}

// What holds creeps at the peer's, at a speed of the order of eps, and breaks loose late by eps^(2/3) or so.
// Returns false where CVODE gives up: it chatters now and then where a ratchet begins to roll.
static bool compare(slider_rig* rig, const double u[3], double until, unsigned number)
{
    slide_run r;
    ss_slider_state peer = {0};
    double gaps[2];
    slide_start(&r, rig, u[0], u[1], u[2], 1e-10);
    slide_to(&r, until);
    ss_slider_state end = ss_slide_state(r.slide);
    double error = slide_energy_error(&r);
    if (r.outcome == SS_EVENT_LIMIT) fail_msg("slider %u: event limit", number);
    if (!(error < 1e-9)) fail_msg("slider %u: energy is off by %.1e", number, error);
    bool compared = true;
    for (int k = 0; k < 2; k++) {
        compared = compared && peer_rig_run(rig, k ? 1e-6 : 1e-4, until, &peer);
        gaps[k] = gap(&end, &peer);
    }
    if (compared && !(gaps[1] < 1e-3 && (gaps[1] < 0.2 * gaps[0] || gaps[1] < 1e-6)))
        fail_msg("slider %u: CVODE is off by %.1e at eps = 1e-4, %.1e at 1e-6", number, gaps[0], gaps[1]);
    slide_stop(&r);
    return compared;
}

static void wheels_agree_with_regularised_friction(void** state)
{
    (void)state;
    unsigned seed = 5;
    int compared = 0;
    for (unsigned k = 0; k < WHEELED; k++) {
        slider_rig rig;
        double u[3];
        slider_init(&rig);
        add_points(&rig, (int)uniform(&seed, 0.0, 4.0), &seed);
        add_wheels(&rig, 1 + (int)uniform(&seed, 0.0, 3.0), &seed);
        if (k % 2) lay_floor(&rig, &seed);
        for (int i = 0; i < 3; i++) u[i] = uniform(&seed, -1.5, 1.5);
        compared += compare(&rig, u, 8.0, k);
    }
    assert_true(compared >= WHEELED - WHEELED / 20);
}

// A load of one of several kinds, with kinks or without, up to `size`.
static ss_signal* load_of(double size, unsigned* seed)
{
    static const char* const kinds[] = {"a", "a*sin(w*t+p)", "a*max(0, sin(w*t+p))", "a*abs(sin(w*t+p))",
                                        "a*min(1, 0.5*w*t)"};
    const ss_parameter parameters[] = {{.name = "a", .value_si = chance(seed, 0.5) ? -size : size},
                                       {.name = "w", .value_si = uniform(seed, 0.7, 2.5)},
                                       {.name = "p", .value_si = uniform(seed, 0.0, 6.28)}};
    const ss_scope scope = {.parameters = parameters, .parameter_count = 3, .allow_time = true};
    ss_signal* signal = NULL;
    ss_error err;
    const char* text = kinds[(int)uniform(seed, 0.0, 5.0)];
    if (ss_signal_parse(text, &scope, (ss_dimension){0}, &signal, &err) != SS_OK) fail_msg("%s", err.text);
    return signal;
}

static void pushed_sliders_agree_with_regularised_friction(void** state)
{
    (void)state;
    unsigned seed = 77;
    int compared = 0;
    for (unsigned k = 0; k < PUSHED; k++) {
        slider_rig rig;
        double u[3], level = 0.0;
        slider_init(&rig);
        add_points(&rig, 2 + (int)uniform(&seed, 0.0, 4.0), &seed);
        if (k % 3 == 0) add_wheels(&rig, 1 + (int)uniform(&seed, 0.0, 2.0), &seed);
        if (k % 5 == 0) lay_floor(&rig, &seed);
        for (int i = 0; i < rig.def.support_count; i++) level += rig.supports[i].friction_N[0];
        ss_signal* loads[3] = {0};
        for (int i = 0; i < 3; i++)
            if (chance(&seed, 0.7)) loads[i] = load_of(uniform(&seed, 0.3, 1.1) * level, &seed);
        rig.load.force_x = loads[0];
        rig.load.force_y = loads[1];
        rig.load.moment = loads[2];
        rig.load.in_body = chance(&seed, 0.5);
        for (int i = 0; i < 3; i++) u[i] = k % 2 ? uniform(&seed, -1.0, 1.0) : 0.0;
        compared += compare(&rig, u, 6.0, k);
        for (int i = 0; i < 3; i++) ss_signal_destroy(loads[i]);
    }
    assert_true(compared >= PUSHED - PUSHED / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wheels_agree_with_regularised_friction),
                                       cmocka_unit_test(pushed_sliders_agree_with_regularised_friction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
