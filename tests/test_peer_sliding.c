// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Random sliders against CVODE with regularised friction: as eps goes to 0 its motion must come to ours.
#include "peer_slider.h"
#include "slider_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
enum { SLIDERS = 40 };
#else
enum { SLIDERS = 300 };
#endif

static double gap(const ss_slider_state* a, const peer_slide* b)
{
    return fmax(fmax(fabs(a->x - b->x), fabs(a->y - b->y)), fabs(a->angle - b->angle));
}

static void compare(slider_rig* rig, const double u[3], unsigned number)
{
    double x[SLIDER_SUPPORTS], y[SLIDER_SUPPORTS], f[SLIDER_SUPPORTS];
    int count = rig->def.support_count;
    for (int i = 0; i < count; i++) {
        x[i] = rig->supports[i].position_m[0];
        y[i] = rig->supports[i].position_m[1];
        f[i] = rig->supports[i].friction_N[0];
    }
    slide_run r;
    slide_start(&r, rig, u[0], u[1], u[2], 1e-10);
    slide_to(&r, 100.0);
    ss_slider_state end = ss_slide_state(r.slide);
    double error = slide_energy_error(&r), gaps[2];
    if (r.outcome != SS_AT_REST) fail_msg("slider %u does not come to rest", number);
    if (!(error < 1e-10)) fail_msg("slider %u: energy is off by %.1e", number, error);
    for (int k = 0; k < 2; k++) {
        peer_slider s = {.count = count,
                         .x = x,
                         .y = y,
                         .f = f,
                         .eps = k ? 1e-7 : 1e-5,
                         .relative = 1e-9,
                         .absolute = 1e-11};
        peer_sliding* peer = peer_sliding_create(&s);
        peer_slide slide;
        assert_non_null(peer);
        assert_true(peer_sliding_run(peer, u, 100.0, 10.0 * s.eps, &slide));
        gaps[k] = gap(&end, &slide);
        peer_sliding_destroy(peer);
    }
    if (!(gaps[1] < 2e-5 && (gaps[1] < 0.5 * gaps[0] || gaps[1] < 1e-7)))
        fail_msg("slider %u: CVODE is off by %.1e at eps = 1e-5, %.1e at 1e-7", number, gaps[0], gaps[1]);
    slide_stop(&r);
}

static void random_sliders_agree_with_regularised_friction(void** state)
{
    (void)state;
    unsigned seed = 1;
    for (unsigned k = 0; k < SLIDERS; k++) {
        slider_rig rig;
        slider_random(&rig, &seed);
        double u[3];
        for (int i = 0; i < 3; i++) u[i] = slider_uniform(&seed, -1.5, 1.5);
        compare(&rig, u, k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_sliders_agree_with_regularised_friction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
