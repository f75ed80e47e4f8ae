// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Jumps of position that hold the motion on their edge, against closed forms: while something else moves,
// with the force between both sides; several at once, and with contacts; where they let go; swings that end
// on them. The cut of atan2, edges that multiply each other and levels that become negative end a run, and
// say where.
#include "share/run.h"
#include "slipstick/lab.h"
#include "text_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct run {
    ss_model* model;
    ss_sim* sim;
    ss_status status;
    ss_outcome outcome;
    ss_error err;
    char note[200];
} run;

static void on_note(void* user, const ss_note* note)
{
    snprintf(((run*)user)->note, sizeof((run*)user)->note, "%s", note->text);
}

static run start(const char* parts)
{
    run r = {0};
    r.model = text_parts_model(parts);
    return r;
}

static void go(run* r, double until)
{
    ss_sim_def def = ss_sim_def_default();
    def.on_note = on_note;
    def.user = r;
    r->status = ss_sim_create(r->model, &def, &r->sim, &r->err);
    if (r->status == SS_OK) r->status = ss_sim_advance(r->sim, until, &r->outcome, &r->err);
}

static void drop(run* r)
{
    ss_sim_destroy(r->sim);
    ss_model_destroy(r->model);
}

static const char held_parts[] =
    "bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}}\n"
    "connections: [{between: [b, ground], stiffness: 4 N/m}, {between: [a, b], stiffness: 1 N/m}]\n"
    "forces: [{body: a, force: \"-5 N*sign(a.x) - 2 N*s/m*a.v\"}]\n"
    "start: {b: {x: 1 m}}\n";

// a stays at 0 while b swings with 5 N/m: x = cos(sqrt(5) t).
static void holds_while_another_moves(void** state)
{
    (void)state;
    run r = start(held_parts);
    go(&r, 10.0);
    assert_int_equal(r.status, SS_OK);
    assert_true(fabs(ss_sim_x(r.sim)[0]) < 1e-15 && fabs(ss_sim_v(r.sim)[0]) < 1e-15);
    assert_true(fabs(ss_sim_x(r.sim)[1] - cos(sqrt(5.0) * 10.0)) < 1e-10);
    assert_true(fabs(ss_sim_v(r.sim)[1] + sqrt(5.0) * sin(sqrt(5.0) * 10.0)) < 1e-9);
    drop(&r);
}

// The same bits after it was saved half-way.
static void is_saved(void** state)
{
    (void)state;
    run r = start(held_parts), other = start(held_parts);
    go(&r, 3.3);
    go(&other, 0.1);
    size_t size = ss_sim_save_size(r.sim);
    void* bytes = malloc(size);
    assert_int_equal(ss_sim_save(r.sim, bytes, size, &r.err), SS_OK);
    assert_int_equal(ss_sim_load(other.sim, bytes, size, &r.err), SS_OK);
    assert_int_equal(ss_sim_advance(r.sim, 9.0, &r.outcome, &r.err), SS_OK);
    assert_int_equal(ss_sim_advance(other.sim, 9.0, &r.outcome, &r.err), SS_OK);
    assert_memory_equal(ss_sim_x(r.sim), ss_sim_x(other.sim), 2 * sizeof(double));
    assert_memory_equal(ss_sim_v(r.sim), ss_sim_v(other.sim), 2 * sizeof(double));
    free(bytes);
    drop(&r);
    drop(&other);
}

// Pulled by 8 N sin t out of a valley with walls of 5 N: it lets go at sin t0 = 5/8, and then
// x'' + x = 8 sin t - 5, x = -4 t cos t - 5 + A cos t + B sin t.
static void lets_go(void** state)
{
    (void)state;
    run r = start("bodies: {a: {mass: 1 kg}, b: {position: \"8 m*sin(1 rad/s*t)\"}}\n"
                  "connections: [{between: [a, b], stiffness: 1 N/m}]\n"
                  "potentials: [\"5 N*abs(a.x)\"]\n");
    go(&r, 3.0);
    double t0 = asin(5.0 / 8.0), c = cos(t0), s = sin(t0), t = 3.0;
    double p = 4.0 * t0 * c + 5.0, q = 4.0 * c - 4.0 * t0 * s; // A c + B s = p, -A s + B c = q
    double A = p * c - q * s, B = p * s + q * c;
    assert_int_equal(r.status, SS_OK);
    assert_true(fabs(ss_sim_x(r.sim)[0] - (-4.0 * t * cos(t) - 5.0 + A * cos(t) + B * sin(t))) < 1e-9);
    assert_true(fabs(ss_sim_energy(r.sim).residual) < 1e-12);
    drop(&r);
}

// Friction f in a valley with walls F: a body falls in with F - f and climbs with F + f; each crossing has
// the speed of the one before times q = sqrt((F - f)/(F + f)), and takes v/(F + f) + q v/(F - f).
static void swings_end(void** state)
{
    (void)state;
    double F = 4.0, f = 1.0, q = sqrt((F - f) / (F + f)), v = sqrt(2.0 * (F - f)), limit = v / (F - f);
    limit += (v / (F + f) + q * v / (F - f)) / (1.0 - q);
    run r = start("bodies: {a: {mass: 1 kg}}\n"
                  "forces: [{body: a, force: \"-4 N*sign(a.x)\"}]\n"
                  "contacts: {c: {between: [a, ground], law: coulomb, friction: 1 N}}\n"
                  "start: {a: {x: 1 m}}\n");
    go(&r, 100.0);
    assert_int_equal(r.status, SS_OK);
    assert_int_equal(r.outcome, SS_AT_REST);
    assert_true(fabs(ss_sim_time(r.sim) - limit) < 1e-9);
    assert_true(fabs(ss_sim_x(r.sim)[0]) < 1e-12);
    assert_non_null(strstr(r.note, "accumulation"));
    drop(&r);
}

// A stuck contact between the held body and another carries what the edge does not: a and c stick together,
// and are held until the pull of 3 N t is above 5 N, at t = 5/3.
static void with_a_contact_that_holds(void** state)
{
    (void)state;
    run r = start("bodies: {a: {mass: 1 kg}, c: {mass: 2 kg}}\n"
                  "forces: [{body: a, force: \"-5 N*sign(a.x)\"}, {body: c, force: \"3 N/s*t\"}]\n"
                  "contacts: {k: {between: [a, c], law: coulomb, friction: 50 N}}\n");
    go(&r, 2.0);
    // From then on 3 x'' = 3 (t - 5/3): x = (t - 5/3)^3/6.
    double past = 2.0 - 5.0 / 3.0;
    assert_int_equal(r.status, SS_OK);
    for (int b = 0; b < 2; b++) assert_true(fabs(ss_sim_x(r.sim)[b] - past * past * past / 6.0) < 1e-12);
    // The contact carries 3 t less 2 kg of the acceleration.
    assert_true(fabs(fabs(ss_sim_contact(r.sim, 0).force) - (6.0 - 2.0 * past)) < 1e-9);
    drop(&r);
}

// Places and speeds of all bodies after `until`, from a table of models with closed forms.
static void follows(void** state)
{
    (void)state;
    double r3 = sqrt(3.0), t0 = acos(-1.0) / 12.0, left = 0.7 - t0, x0 = 0.5, v0 = 2.0 * cos(2.0 * t0);
    const struct {
        const char* what;
        const char* parts;
        double until, x[3], v[3];
        int bodies;
    } cases[] = {
        {"force on one side only: it stays",
         "bodies: {a: {mass: 1 kg}}\n"
         "forces: [{body: a, force: \"-1 N*(sign(a.x) + 1)\"}]\n",
         2.0,
         {0},
         {0},
         1},
        {"off to the side without force",
         "bodies: {a: {mass: 1 kg}}\n"
         "forces: [{body: a, force: \"-1 N*(sign(a.x) + 1) - 1 N/s*t\"}]\n",
         2.0,
         {-8.0 / 6.0},
         {-2.0},
         1},
        {"held by the side with force",
         "bodies: {a: {mass: 1 kg}}\n"
         "forces: [{body: a, force: \"-1 N*(sign(a.x) + 1) + 1 N/s*t\"}]\n",
         3.0,
         {1.0 / 6.0},
         {0.5},
         1},
        {"two jumps that share an edge",
         "bodies: {a: {mass: 1 kg}}\n"
         "forces: [{body: a, force: \"-1 N*sign(a.x) - 2 N*step(a.x) + 1 N/s*t\"}]\n",
         4.0,
         {1.0 / 6.0},
         {0.5},
         1},
        {"seen from the other side",
         "bodies: {a: {mass: 1 kg}}\n"
         "forces: [{body: a, force: \"-1 N*sign(a.x) - 3 N*(1 - 2*step(-a.x)) + 1 N/s*t\"}]\n",
         5.0,
         {1.0 / 6.0},
         {0.5},
         1},
        {"two bodies, each on its own",
         "bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}, c: {mass: 1 kg}}\n"
         "connections: [{between: [a, c], stiffness: 1 N/m}]\n"
         "potentials: [\"5 N*abs(a.x)\", \"5 N*abs(b.x)\"]\n"
         "start: {c: {x: 1 m}}\n",
         3.0,
         {0.0, 0.0, cos(3.0)},
         {0.0, 0.0, -sin(3.0)},
         3},
        // a is free from t = 2 on: x'' = (t - 2) - 3 x.
        {"one lets go, the other holds",
         "bodies: {a: {mass: 1 kg}, b: {mass: 2 kg}}\n"
         "connections: [{between: [a, b], stiffness: 3 N/m}]\n"
         "forces: [{body: a, force: \"-2 N*sign(a.x) + 1 N/s*t\"}, {body: b, force: \"-4 N*sign(b.x)\"}]\n",
         4.0,
         {2.0 / 3.0 - sin(2.0 * r3) / (3.0 * r3)},
         {(1.0 - cos(2.0 * r3)) / 3.0},
         2},
        // From t = 1 on 1 N accelerates 3 kg; a takes 1/3 N of the 2 N.
        {"an edge between two that move",
         "bodies: {a: {mass: 1 kg}, b: {mass: 2 kg}}\n"
         "forces: [{between: [a, b], force: \"-2 N*sign(a.x - b.x)\"},\n"
         "         {body: b, force: \"-4 N*sign(b.x) + 5 N*step(t - 1 s)\"}]\n",
         2.0,
         {1.0 / 6.0, 1.0 / 6.0},
         {1.0 / 3.0, 1.0 / 3.0},
         2},
        {"an edge that is driven",
         "bodies: {a: {mass: 1 kg}, p: {position: \"1 m*sin(1 rad/s*t)\"}}\n"
         "forces: [{body: a, force: \"-2 N*sign(a.x - p.x)\"}]\n"
         "start: {a: {v: 1 m/s}}\n",
         2.0,
         {sin(2.0)},
         {cos(2.0)},
         1},
        {"an edge that moves in time",
         "bodies: {a: {mass: 1 kg}}\n"
         "forces: [{body: a, force: \"-2 N*sign(a.x - 1 m*sin(2 rad/s*t))\"}]\n"
         "start: {a: {v: 2 m/s}}\n",
         0.7,
         {x0 + v0 * left - left * left},
         {v0 - 2.0 * left},
         1},
        // c falls behind a, which is held to an input, from sin t = 0.5 on.
        {"an edge at an input",
         "bodies: {a: {mass: 1 kg}, c: {mass: 1 kg}}\n"
         "inputs: {u: \"1 m*sin(1 rad/s*t)\"}\n"
         "forces: [{body: a, force: \"-2 N*sign(a.x - u)\"}]\n"
         "contacts: {k: {between: [a, c], law: coulomb, friction: 0.5 N}}\n"
         "start: {a: {v: 1 m/s}, c: {v: 1 m/s}}\n",
         2.0,
         {sin(2.0), 0.5 + cos(2.0 * t0) * (2.0 - 2.0 * t0) - 0.25 * (2.0 - 2.0 * t0) * (2.0 - 2.0 * t0)},
         {cos(2.0), cos(2.0 * t0) - 0.5 * (2.0 - 2.0 * t0)},
         2},
        {"off its edge by what a contact carries",
         "bodies: {a: {mass: 1 kg}, c: {mass: 2 kg}}\n"
         "forces: [{body: a, force: \"-5 N*sign(a.x)\"}, {body: c, force: 8 N}]\n"
         "contacts: {k: {between: [a, c], law: coulomb, friction: 50 N}}\n",
         2.0,
         {2.0, 2.0},
         {2.0, 2.0},
         2},
        {"on it by what a contact carries",
         "bodies: {a: {mass: 1 kg}, c: {mass: 3 kg}}\n"
         "forces: [{body: a, force: \"-5 N*sign(a.x) + 8 N\"}, {body: c, force: -10 N}]\n"
         "contacts: {k: {between: [a, c], law: coulomb, friction: 50 N}}\n",
         2.0,
         {0.0, 0.0},
         {0.0, 0.0},
         2},
        // The pull of 5 N leaves 3 N for both, of which the floor takes 1 N: 1 m/s^2, and 2 N between them.
        {"a contact slips under an edge that holds",
         "bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}}\n"
         "forces: [{body: a, force: \"-2 N*sign(a.x) + 5 N*step(t - 1 s)\"},\n"
         "         {between: [b, a], force: \"-2 N*sign(b.x - a.x)\"}]\n"
         "contacts: {k: {between: [b, ground], law: coulomb, friction: 1 N}}\n",
         2.0,
         {0.5, 0.5},
         {1.0, 1.0},
         2},
        // a.x = 1 - t^3/6: from the first moment on it is below.
        {"a jump that is left later",
         "bodies: {b: {mass: 1 kg}, a: {mass: 1 kg}}\n"
         "forces: [{body: a, force: \"-1 N/s*t\"}, {body: b, force: \"-5 N*step(a.x - 1 m)\"}]\n"
         "start: {a: {x: 1 m}}\n",
         2.0,
         {0.0, -1.0 / 3.0},
         {0.0, -2.0},
         2},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        run r = start(cases[c].parts);
        go(&r, cases[c].until);
        if (r.status != SS_OK) fail_msg("%s: %s", cases[c].what, r.err.text);
        for (int b = 0; b < cases[c].bodies; b++) {
            double dx = ss_sim_x(r.sim)[b] - cases[c].x[b], dv = ss_sim_v(r.sim)[b] - cases[c].v[b];
            if (!(fabs(dx) < 1e-9 && fabs(dv) < 1e-9))
                fail_msg("%s: body %d is off by %g and %g", cases[c].what, b, dx, dv);
        }
        if (!(fabs(ss_sim_energy(r.sim).residual) < 1e-11)) fail_msg("%s: ledger", cases[c].what);
        drop(&r);
    }
}

static void expect_end(const char* parts, const char* words)
{
    run r = start(parts);
    go(&r, 10.0);
    assert_int_not_equal(r.status, SS_OK);
    if (!strstr(r.err.text, words)) fail_msg("'%s' is not in '%s'", words, r.err.text);
    drop(&r);
}

static void ends_with_a_reason(void** state)
{
    (void)state;
    const char* rest = "bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}}\n"
                       "connections: [{between: [a, ground], stiffness: 4 N/m}]\n"
                       "start: {a: {x: 1 m}, b: {x: 1 m, v: -0.5 m/s}}\n";
    char text[900];
    snprintf(text, sizeof text, "%sforces: [{body: a, force: \"-2 N*atan2(a.v, b.v)\"}]\n", rest);
    expect_end(text, "the cut of atan2");
    expect_end("bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}, c: {mass: 1 kg}}\n"
               "connections: [{between: [a, c], stiffness: 1 N/m}]\n"
               "forces: [{body: a, force: \"-2 N*sign(a.x)*(3 + sign(b.x))\"},\n"
               "         {body: b, force: \"-2 N*sign(b.x)\"}]\n"
               "start: {c: {x: 1 m}}\n",
               "multiply each other");
    // x = 4 (cosh(t/sqrt 2) - 1) is 2 at t = sqrt 2 acosh 1.5.
    char time[40];
    snprintf(time, sizeof time, "negative at t = %.9g s", sqrt(2.0) * acosh(1.5));
    expect_end("bodies: {a: {mass: 1 kg}}\n"
               "forces: [{body: a, force: 3 N}]\n"
               "contacts: {c: {between: [a, ground], law: coulomb, friction: \"1 N - 0.5 N/m*a.x\"}}\n",
               time);
    expect_end("bodies: {a: {mass: 1 kg}}\n"
               "inputs: {n: 1 N - 1 N/s*t}\n"
               "contacts: {c: {between: [a, ground], law: coulomb, normal: n, mu: 0.5}}\n",
               "negative at t = 1 s");
}

// atan2 of speeds is followed across its cut where the motion passes: once round, the angle starts anew.
static void crosses_the_cut(void** state)
{
    (void)state;
    run r = start("bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}}\n"
                  "states: {sum: {rate: \"atan2(a.v, b.v)/1 s\"}}\n"
                  "connections: [{between: [a, ground], stiffness: 1 N/m},\n"
                  "              {between: [b, ground], stiffness: 1 N/m}]\n"
                  "start: {a: {x: 1 m}, b: {v: 1 m/s}}\n");
    go(&r, 20.0); // a = cos t, b = sin t: the angle is -t from 0 to -pi, then from pi on
    double pi = acos(-1.0), t = 20.0 - 6.0 * pi; // of the fourth round
    assert_int_equal(r.status, SS_OK);
    assert_true(t < pi);
    assert_true(fabs(ss_sim_states(r.sim)[0] + 0.5 * t * t) < 1e-8);
    drop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_while_another_moves),
        cmocka_unit_test(is_saved),
        cmocka_unit_test(lets_go),
        cmocka_unit_test(swings_end),
        cmocka_unit_test(with_a_contact_that_holds),
        cmocka_unit_test(follows),
        cmocka_unit_test(ends_with_a_reason),
        cmocka_unit_test(crosses_the_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
