// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Random sliders of 2 to 12 supports of every kind: the load is the gradient of the power and the Hessian its
// derivative, the power is convex and homogeneous, loads and motions are dual to each other, and the closest
// load is what the optimality conditions say.
#include "slider_rig.h"
#include "slipstick/surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SLIDERS = 400 };

static const double triangle[] = {-0.3, -0.6, 0.9, -0.2, 0.1, 0.5};
static const double table[] = {0.3, 0.3, 1, -0.5, 0.2, 2, 0.1, -0.7, 1.5};

static void place(ss_support_def* s, unsigned* seed)
{
    s->position_m[0] = slider_uniform(seed, -1.5, 1.5);
    s->position_m[1] = slider_uniform(seed, -1.5, 1.5);
}

static ss_support_def* add_any(slider_rig* r, unsigned* seed)
{
    double friction = slider_uniform(seed, 0.05, 0.5), x = slider_uniform(seed, -1.5, 1.5);
    double y = slider_uniform(seed, -1.5, 1.5), angle = slider_uniform(seed, 0, 6.28);
    int kind = (int)slider_uniform(seed, 0, 9);
    if (kind <= 2) {
        ss_support_def* s = slider_point(r, x, y, friction);
        s->is_anisotropic = kind == 2;
        s->friction_N[1] = 2 * friction;
        s->axis[0] = cos(angle);
        s->axis[1] = sin(angle);
        return s;
    }
    if (kind == 3) {
        ss_support_def* s = slider_wheel(r, x, y, cos(angle), sin(angle), friction);
        s->drag_N = slider_uniform(seed, 0, 1) < 0.5 ? 0 : 0.1 * friction;
        if (slider_uniform(seed, 0, 1) < 0.5) s->ratchet = SS_RATCHET_BACKWARD;
        return s;
    }
    ss_support_def* s =
        slider_patch(r, (ss_support_kind)(kind - 2), slider_uniform(seed, 0.2, 1.2), friction);
    s->inner_m = 0.6 * s->radius_m;
    if (s->kind == SS_SUPPORT_POLYGON || s->kind == SS_SUPPORT_PRESSURE) {
        s->vertices = s->kind == SS_SUPPORT_POLYGON ? triangle : table;
        s->vertex_count = 3;
    } else {
        place(s, seed);
    }
    return s;
}

static ss_slider* make_random(unsigned* seed)
{
    slider_rig r;
    slider_init(&r);
    int count = 2 + (int)slider_uniform(seed, 0, 11);
    for (int i = 0; i < count; i++) add_any(&r, seed);
    if (slider_uniform(seed, 0, 1) < 0.2) r.def.floor_mu[0] = slider_uniform(seed, 0.4, 1.0);
    ss_slider* s = NULL;
    ss_error err;
    if (ss_slider_create(&r.def, &s, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
    return s;
}

static void random_motion(unsigned* seed, double q[3])
{
    double size = 0;
    for (int i = 0; i < 3; i++) {
        q[i] = slider_uniform(seed, -1, 1);
        size += q[i] * q[i];
    }
    for (int i = 0; i < 3; i++) q[i] /= sqrt(size);
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Central differences of two widths, extrapolated: error h^4, but for rounding. Beside a kink they say
// nothing, and two widths then disagree: such motions are passed over.
static bool differences(const ss_slider* s, double angle, const double q[3], double h, double gradient[3],
                        double hessian[9])
{
    for (int i = 0; i < 3; i++) {
        double power[4], load[4][3], at[3];
        for (int k = 0; k < 4; k++) {
            for (int j = 0; j < 3; j++) at[j] = q[j];
            at[i] += (k & 1 ? -1 : 1) * (k & 2 ? 2 * h : h);
            power[k] = ss_slider_power(s, angle, at);
            if (!ss_slider_load(s, angle, at, load[k])) return false;
        }
        double near = (power[0] - power[1]) / (2 * h), far = (power[2] - power[3]) / (4 * h);
        gradient[i] = (4 * near - far) / 3;
        if (fabs(near - far) > 1e-5) return false;
        for (int j = 0; j < 3; j++) {
            double n = (load[0][j] - load[1][j]) / (2 * h), f = (load[2][j] - load[3][j]) / (4 * h);
            hessian[3 * i + j] = (4 * n - f) / 3;
            if (fabs(n - f) > 1e-5) return false;
        }
    }
    return true;
}

static void test_derivatives(void** state)
{
    (void)state;
    unsigned seed = 11;
    int used = 0;
    for (int n = 0; n < SLIDERS; n++) {
        ss_slider* s = make_random(&seed);
        double q[3], load[3], hessian[9], gradient[3], second[9], angle = slider_uniform(&seed, 0, 6);
        random_motion(&seed, q);
        if (ss_slider_load(s, angle, q, load) && differences(s, angle, q, 2e-4, gradient, second)) {
            used++;
            ss_slider_hessian(s, angle, q, hessian);
            for (int i = 0; i < 3; i++) assert_true(fabs(gradient[i] - load[i]) < 1e-8);
            for (int i = 0; i < 9; i++) assert_true(fabs(second[i] - hessian[i]) < 1e-6);
            assert_true(fabs(dot(load, q) - ss_slider_power(s, angle, q)) < 1e-13);
            for (int i = 0; i < 3; i++) assert_true(fabs(dot(&hessian[3 * i], q)) < 1e-11);
        }
        ss_slider_destroy(s);
    }
    assert_true(used >= 300);
}

// Phi is the support function of the body of loads: P(q).q' <= Phi(q') with equality for q' = q; it is
// convex; and the gauge of P(q) is 1.
static void test_duality(void** state)
{
    (void)state;
    unsigned seed = 5;
    for (int n = 0; n < SLIDERS / 4; n++) {
        ss_slider* s = make_random(&seed);
        double q[3], other[3], sum[3], load[3];
        random_motion(&seed, q);
        ss_slider_load(s, 0, q, load);
        for (int k = 0; k < 20; k++) {
            random_motion(&seed, other);
            for (int i = 0; i < 3; i++) sum[i] = q[i] + other[i];
            double a = ss_slider_power(s, 0, q), b = ss_slider_power(s, 0, other),
                   c = ss_slider_power(s, 0, sum);
            assert_true(c <= (a + b) * (1 + 1e-13));
            assert_true(dot(load, other) <= b + 1e-13);
        }
        if (n % 8 == 0) assert_true(fabs(ss_slider_gauge(s, 0, load) - 1) < 1e-10);
        ss_slider_destroy(s);
    }
}

// The closest load of the body to an applied one: the rest g is its outward normal there, load.g = Phi(g); or
// everything holds, and the gauge says the same.
static void test_closest(void** state)
{
    (void)state;
    unsigned seed = 77;
    int held = 0, moved = 0;
    for (int n = 0; n < SLIDERS / 3; n++) {
        ss_slider* s = make_random(&seed);
        double applied[3];
        ss_first_motion f;
        ss_error err;
        random_motion(&seed, applied);
        for (int i = 0; i < 3; i++) applied[i] *= slider_uniform(&seed, 0.1, 3);
        assert_int_equal(ss_slider_first_motion(s, 0, applied, &f, &err), SS_OK);
        const double* g = f.acceleration;
        assert_true(f.sticks == (f.gauge <= 1 + 1e-11));
        if (f.sticks) {
            held++;
            for (int i = 0; i < 3; i++) assert_true(g[i] == 0.0 && f.load[i] == applied[i]);
        } else {
            moved++;
            double size = sqrt(dot(g, g));
            assert_true(fabs(dot(f.load, g) - ss_slider_power(s, 0, g)) < 1e-12 * size);
            for (int i = 0; i < 3; i++) assert_true(fabs(applied[i] - f.load[i] - g[i]) < 1e-14);
            // Not inside the normal alone: the load belongs to the body.
            for (int k = 0; k < 20; k++) {
                double q[3];
                random_motion(&seed, q);
                assert_true(dot(f.load, q) <= ss_slider_power(s, 0, q) + 1e-11);
            }
        }
        ss_slider_destroy(s);
    }
    assert_true(held > 20 && moved > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_duality),
        cmocka_unit_test(test_closest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
