// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Loads of rings and disks on floors that are rougher one way, against Gauss' rule on panels that halve
// towards every place of the rim that is almost at rest. Of a floor much rougher one way there are two such
// places, wherever the body turns.
#include "slider_rig.h"
#include "slipstick/surface.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

enum { GAUSS = 8, HALVINGS = 55 };
static const double node[GAUSS] = {0.019855071751231884, 0.10166676129318663, 0.2372337950418355,
                                   0.40828267875217510,  0.59171732124782490, 0.76276620495816449,
                                   0.89833323870681337,  0.98014492824876812};
static const double weight[GAUSS] = {0.050614268145188130, 0.11119051722668724, 0.15685332293894363,
                                     0.18134189168918100,  0.18134189168918100, 0.15685332293894363,
                                     0.11119051722668724,  0.050614268145188130};

typedef struct rim {
    bool is_ring;
    double mu[2], q[3]; // along x and y; the motion, q[2] = 1
    double load[2];
} rim;

// The panel from `low` to `high` beyond an angle, one way or the other.
static void add_panel(rim* r, double from, double way, double low, double high)
{
    double c0 = cos(from), s0 = sin(from), vx = r->q[0] - s0, vy = r->q[1] + c0;
    for (int i = 0; i < GAUSS; i++) {
        double x = low + (high - low) * node[i], w = (high - low) * weight[i];
        double fall = 2.0 * sin(0.5 * x) * sin(0.5 * x), rise = way * sin(x);
        double dc = -c0 * fall - s0 * rise, ds = -s0 * fall + c0 * rise;
        double sx = r->mu[0] * (vx - ds), sy = r->mu[1] * (vy + dc), size = hypot(sx, sy);
        double fx = r->is_ring ? sx / size : -(s0 + ds) * size / r->mu[0];
        double fy = r->is_ring ? sy / size : (c0 + dc) * size / r->mu[1];
        r->load[0] += w * r->mu[0] * fx;
        r->load[1] += w * r->mu[1] * fy;
    }
}

static void add_arc(rim* r, double from, double to)
{
    double length = to > from ? to - from : to - from + 2.0 * PI;
    for (int k = 0; k < HALVINGS; k++) {
        double high = ldexp(0.5 * length, -k), low = k == HALVINGS - 1 ? 0.0 : 0.5 * high;
        add_panel(r, from, 1.0, low, high);
        add_panel(r, to, -1.0, low, high);
    }
}

// Force by the integral round the rim: its mean for a ring; for a disk, by the divergence theorem.
static void integrate(rim* r)
{
    double sum = 0.5 * (r->mu[0] + r->mu[1]), differ = 0.5 * (r->mu[0] - r->mu[1]);
    double complex v = r->q[0] + r->q[1] * I, a = I * sum, b = sum * v + differ * conj(v), c = -I * differ;
    double complex root = csqrt(b * b - 4.0 * a * c);
    double ends[2] = {carg((-b + root) / a), carg((-b - root) / a)};
    add_arc(r, ends[0], ends[1]);
    add_arc(r, ends[1], ends[0]);
    for (int i = 0; i < 2; i++) r->load[i] /= r->is_ring ? 2.0 * PI : PI;
}

static void test_loads(void** state)
{
    static const double rough[][2] = {{1.0, 0.7}, {1.0, 0.1}, {3.0, 0.0238}, {40.0, 0.0107}};
    (void)state;
    unsigned seed = 9;
    for (int n = 0; n < 400; n++) {
        slider_rig body;
        ss_slider* slider;
        ss_error err;
        rim r = {.is_ring = n % 2, .mu = {rough[n / 2 % 4][0], rough[n / 2 % 4][1]}, .q = {0.0, 0.0, 1.0}};
        double angle = slider_uniform(&seed, 0.0, 6.28), load[3];
        double near =
            pow(10.0, slider_uniform(&seed, -8.0, -1.0)) * (slider_uniform(&seed, -1, 1) > 0.0 ? 1 : -1);
        double far = n % 3 ? slider_uniform(&seed, 0.0, 2.0) : 1.0 + near;
        r.q[0] = far * cos(angle);
        r.q[1] = far * sin(angle);
        integrate(&r);
        slider_init(&body);
        slider_patch(&body, r.is_ring ? SS_SUPPORT_RING : SS_SUPPORT_DISK, 1.0, 1.0);
        for (int i = 0; i < 2; i++) body.def.floor_mu[i] = r.mu[i];
        assert_int_equal(ss_slider_create(&body.def, &slider, &err), SS_OK);
        ss_slider_load(slider, 0.0, r.q, load);
        for (int i = 0; i < 2; i++)
            if (!(fabs(load[i] - r.load[i]) <= 1e-13 * r.mu[0]))
                fail_msg("%s, floor %g and %g, turning about (%g, %g): %.15g, not %.15g",
                         r.is_ring ? "ring" : "disk", r.mu[0], r.mu[1], -r.q[1], r.q[0], load[i], r.load[i]);
        ss_slider_destroy(slider);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
