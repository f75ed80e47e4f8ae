// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A normal force beside a law of friction: the motion, its events and its energies are, to the last bit,
// those of the law with all its forces multiplied by hand.
#include "rig.h"
#include "text_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *per_newton, *in_newton, *start;
} laws[] = {
    {"stribeck, coulomb: 0.3, static: 0.4, stribeck_speed: 0.05 m/s, viscous: 0.2 s/m",
     "stribeck, coulomb: 0.3*N, static: 0.4*N, stribeck_speed: 0.05 m/s, viscous: 0.2 s/m*N", "{}"},
    {"curve, force: {table: [[0 m/s, 0.4], [0.1 m/s, 0.3], [1 m/s, 0.5]]}, static: 0.45",
     "curve, force: {table: [[0 m/s, 0.4*N], [0.1 m/s, 0.3*N], [1 m/s, 0.5*N]]}, static: 0.45*N", "{}"},
    {"curve, force: {forward: 0.3 + 0.1*exp(-v/(0.1 m/s)), backward: {table: [[0, 0.4], [0.1, 0.3]]}}",
     "curve, force: {forward: (0.3 + 0.1*exp(-v/(0.1 m/s)))*N, backward: {table: [[0, 0.4*N], [0.1, "
     "0.3*N]]}}",
     "{}"},
    {"lugre, sigma0: 1e3 1/m, sigma1: 3 s/m, sigma2: 0.1 s/m, coulomb: 0.3, static: 0.4, stribeck_speed: "
     "0.05",
     "lugre, sigma0: 1e3 1/m*N, sigma1: 3 s/m*N, sigma2: 0.1 s/m*N, coulomb: 0.3*N, static: 0.4*N, "
     "stribeck_speed: 0.05",
     "{z: 0.1 mm}"},
    {"dahl, sigma0: 1e3 1/m, coulomb: 0.3", "dahl, sigma0: 1e3 1/m*N, coulomb: 0.3*N", "{saturation: 0.5}"},
    {"elasto-plastic, sigma0: 1e3 1/m, sigma1: 3 s/m, sigma2: 0.1 s/m, coulomb: 0.3, breakaway: 0.1 mm",
     "elasto-plastic, sigma0: 1e3 1/m*N, sigma1: 3 s/m*N, sigma2: 0.1 s/m*N, coulomb: 0.3*N, breakaway: 0.1 "
     "mm",
     "{}"},
    {"maxwell-slip, elements: [[100 1/m, 0.1], [50 1/m, 0.2]]",
     "maxwell-slip, elements: [[100 1/m*N, 0.1*N], [50 1/m*N, 0.2*N]]", "{deflections: [0.5 mm, 4 mm]}"},
    {"maxwell-slip, elements: {count: 5, stiffness: 100 1/m*i, breakaway: 0.01*i^2}",
     "maxwell-slip, elements: {count: 5, stiffness: (100 1/m*i)*N, breakaway: (0.01*i^2)*N}", "{}"},
    {"jenkins, stiffness: 100 1/m, breakaway: 0.1", "jenkins, stiffness: 100 1/m*N, breakaway: 0.1*N", "{}"},
    {"gms, elements: [[1000 1/m, 0.4], [200 1/m, 0.6]], coulomb: 0.3, attraction: 5 1/s, viscous: 0.1 s/m",
     "gms, elements: [[1000 1/m*N, 0.4], [200 1/m*N, 0.6]], coulomb: 0.3*N, attraction: 5 1/s*N, "
     "viscous: 0.1 s/m*N",
     "{forces: [0.2 N, 0.1 N]}"},
};
enum { LAWS = sizeof laws / sizeof laws[0] };

// A block on a spring and on a belt, driven.
static ss_model* block(const char* normal, const char* law, const char* start)
{
    char text[1200];
    snprintf(text, sizeof text,
             "parameters: {N: 3.7 N}\n"
             "bodies: {a: {mass: 1 kg}, belt: {speed: 0.1 m/s}}\n"
             "connections: [{between: [a, ground], stiffness: 20 N/m, damping: 0.1 N*s/m}]\n"
             "forces: [{body: a, force: \"2 N*cos(3 rad/s*t)\"}]\n"
             "contacts: {f: {between: [a, belt], %slaw: %s}}\n"
             "start: {a: {x: 0.1 m}, contacts: {f: %s}}\n"
             "run: {until: 3 s}\n",
             normal, law, start);
    return text_parts_model(text);
}

static void test_equals_scaled_numbers(void** state)
{
    (void)state;
    for (int l = 0; l < LAWS; l++) {
        static run a, b;
        ss_model* models[2] = {block("normal: N, ", laws[l].per_newton, laws[l].start),
                               block("", laws[l].in_newton, laws[l].start)};
        run_start(&a, models[0], NULL, NULL);
        run_start(&b, models[1], NULL, NULL);
        for (int step = 0; step <= 30; step++) {
            run_to(&a, 0.1 * step);
            run_to(&b, 0.1 * step);
            assert_true(ss_sim_x(a.sim)[0] == ss_sim_x(b.sim)[0] && ss_sim_v(a.sim)[0] == ss_sim_v(b.sim)[0]);
            assert_true(ss_sim_contact(a.sim, 0).force == ss_sim_contact(b.sim, 0).force);
            assert_true(ss_sim_contact(a.sim, 0).limit == ss_sim_contact(b.sim, 0).limit);
            assert_true(ss_sim_energy(a.sim).friction == ss_sim_energy(b.sim).friction);
            assert_true(ss_sim_energy(a.sim).end == ss_sim_energy(b.sim).end);
        }
        assert_true(a.event_count >= 2 && a.event_count == b.event_count);
        for (long k = 0; k < a.event_count; k++) assert_true(a.events[k].t == b.events[k].t);
        run_stop(&a);
        run_stop(&b);
        for (int k = 0; k < 2; k++) ss_model_destroy(models[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_scaled_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
