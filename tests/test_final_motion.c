// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// How sliders come to rest: the last direction is an eigen-direction. The load is along it, and no direction
// nearby has less power, on the floor as it lies under the body in the end; where a support is held the
// others' load has no more to say.
#include "rig.h"
#include "slider_rig.h"
#include "slipstick/surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
enum { SLIDERS = 60 };
#else
enum { SLIDERS = 300 };
#endif

// The smallest speed of a point of the body at the motion q; patches have none that matters.
static double slowest_point(const slider_rig* body, const double q[3])
{
    double slowest = INFINITY;
    for (int i = 0; i < body->def.support_count; i++) {
        const double* at = body->supports[i].position_m;
        if (body->supports[i].kind == SS_SUPPORT_POINT)
            slowest = fmin(slowest, hypot(q[0] - q[2] * at[1], q[1] + q[2] * at[0]));
    }
    return slowest;
}

// Slides to rest; true where the direction is said to have converged, which it must then have.
static bool rests_along_an_eigen_direction(slider_rig* body, unsigned* seed, int number)
{
    slide_run r;
    double u[3], load[3];
    ss_final_motion final;
    for (int i = 0; i < 3; i++) u[i] = slider_uniform(seed, -1.0, 1.0);
    slide_start(&r, body, u[0], u[1], u[2], 1e-10);
    slide_to(&r, 1e3);
    assert_true(ss_slide_final_motion(r.slide, &final));
    const double *q = final.q, angle = ss_slide_state(r.slide).angle;
    if (final.converged && slowest_point(body, q) > 1e-9 && ss_slider_load(r.slider, angle, q, load)) {
        double size = sqrt(load[0] * load[0] + load[1] * load[1] + load[2] * load[2]);
        for (int i = 0; i < 3; i++) expect_near("load along q", load[i] / size, q[i], 1e-8);
    }
    double power = ss_slider_power(r.slider, angle, q);
    for (int i = 0; final.converged && i < 12; i++) {
        double p[3], length = 0.0;
        for (int j = 0; j < 3; j++) length += pow(p[j] = q[j] + slider_uniform(seed, -1e-3, 1e-3), 2.0);
        for (int j = 0; j < 3; j++) p[j] /= sqrt(length);
        if (ss_slider_power(r.slider, angle, p) < power * (1.0 - 1e-12))
            fail_msg("slider %d: its last direction repels", number);
    }
    slide_stop(&r);
    return final.converged;
}

static void points_on_a_plain_floor(void** state)
{
    (void)state;
    unsigned seed = 16;
    int converged = 0;
    for (int k = 0; k < SLIDERS; k++) {
        slider_rig body;
        slider_random(&body, &seed);
        converged += rests_along_an_eigen_direction(&body, &seed, k);
    }
    assert_true(converged > SLIDERS * 97 / 100);
}

// The floor turns under the body until it rests, and no further.
static void floors_with_two_coefficients(void** state)
{
    static const ss_support_kind kinds[] = {SS_SUPPORT_RING, SS_SUPPORT_DISK, SS_SUPPORT_ANNULUS};
    (void)state;
    unsigned seed = 17;
    int converged = 0;
    for (int k = 0; k < SLIDERS / 3; k++) {
        slider_rig body;
        slider_init(&body);
        ss_support_def* patch = slider_patch(&body, kinds[k % 3], slider_uniform(&seed, 0.2, 1.5),
                                             slider_uniform(&seed, 0.2, 1.0));
        if (kinds[k % 3] == SS_SUPPORT_ANNULUS) patch->inner_m = 0.6 * patch->radius_m;
        for (int i = 0; i < 2; i++) patch->position_m[i] = slider_uniform(&seed, -0.5, 0.5);
        if (k % 2)
            slider_point(&body, slider_uniform(&seed, -1.0, 1.0), slider_uniform(&seed, -1.0, 1.0), 0.1);
        body.def.floor_mu[1] = slider_uniform(&seed, 0.3, 3.0);
        for (int i = 0; i < 2; i++) body.def.floor_axis[i] = slider_uniform(&seed, -1.0, 1.0);
        converged += rests_along_an_eigen_direction(&body, &seed, k);
    }
    assert_true(converged > SLIDERS / 3 * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_on_a_plain_floor),
        cmocka_unit_test(floors_with_two_coefficients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
