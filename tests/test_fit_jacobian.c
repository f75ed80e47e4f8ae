// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Derivatives of motions across events, against exact ones: motions known in closed form are computed with
// complex numbers, where a number of the model has a tiny imaginary part; what becomes of it is the
// derivative to all digits. Times of events are complex then as well: they move with the numbers.
#include "lab/fit/fit_impl.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef double complex z;
static const double pi = 3.14159265358979323846;

enum { MOST = 6, SAMPLES = 1501 };

/// A motion in closed form: position and speed at t with the numbers p. The branch is decided by real parts.
typedef void truth(const z p[], double t, z* x, z* v);

typedef struct problem_case {
    const char* name;
    const char* yaml;
    const char* body;
    int n;
    const char* paths[MOST];
    double numbers[MOST];
    double until;
    bool speed_too;
    truth* motion;
    double tolerance; // of the largest derivative of a column
} problem_case;

// ---- half swings on a rough floor: p = stiffness, friction, mass, start
// x = +-d + A cos(w (t - n pi / w)), d = f/k; each half swing costs 2 d; rest where |x| <= d.
static void half_swings(const z p[], double t, z* x, z* v)
{
    z w = csqrt(p[0] / p[2]), d = p[1] / p[0], from = p[3];
    for (int n = 0;; n++) {
        if (cabs(from) <= creal(d)) { // it rests
            *x = from;
            *v = 0;
            return;
        }
        z centre = creal(from) > 0 ? d : -d, since = t - n * pi / w;
        if (creal(w * since) < pi) {
            *x = centre + (from - centre) * ccos(w * since);
            *v = -(from - centre) * w * csin(w * since);
            return;
        }
        from = 2 * centre - from;
    }
}

// ---- bounces on a rigid floor: p = weight (negative force), restitution, floor, start height, mass
static void bounces(const z p[], double t, z* x, z* v)
{
    z g = -p[0] / p[4], up = 0, begin = 0, height = p[3];
    for (;;) {
        z end = begin + (up + csqrt(up * up + 2 * g * (height - p[2]))) / g;
        if (creal(end) > t) {
            z s = t - begin;
            *x = height + up * s - g * s * s / 2;
            *v = up - g * s;
            return;
        }
        up = p[1] * csqrt(up * up + 2 * g * (height - p[2]));
        height = p[2];
        begin = end;
    }
}

// ---- stick-slip on a spring that is pulled: p = stiffness, kinetic, static, speed of the pull, mass
// It breaks away at k V t - k x = f_s and slips with y = V t - x - f_k / k, y'' = -w^2 y, until x' = 0 again.
static void pulled(const z p[], double t, z* x, z* v)
{
    z w = csqrt(p[0] / p[4]), a = (p[2] - p[1]) / p[0], at = 0;
    for (;;) {
        z breaks = (at + p[2] / p[0]) / p[3], slip = (2 * pi - 2 * catan(a * w / p[3])) / w;
        *x = at;
        *v = 0;
        if (t < creal(breaks)) return;
        z s = t < creal(breaks + slip) ? t - breaks : slip;
        z y = a * ccos(w * s) + p[3] / w * csin(w * s);
        *x = p[3] * (breaks + s) - y - p[1] / p[0];
        *v = p[3] + a * w * csin(w * s) - p[3] * ccos(w * s);
        if (t < creal(breaks + slip)) return;
        at = *x;
    }
}

// ---- a body thrown against an elastic wall: p = stiffness, exponent, alpha, wall, start speed, mass
// In the wall by the classical Runge-Kutta method over a complex span of time; before it straight.
static z push(const z p[], z in, z speed)
{
    return creal(in) > 0 ? -p[0] / p[5] * cpow(in, p[1]) * (1 + 1.5 * p[2] * speed) : 0;
}

static void thrown(const z p[], double t, z* x, z* v)
{
    enum { STEPS = 3000 };
    z touch = p[3] / p[4], in = 0, speed = p[4], before = 0;
    for (int k = 1; k <= STEPS && t > creal(touch); k++) { // small steps first, where p^1.5 is not smooth
        double share = (double)k / STEPS;
        z now = (t - touch) * share * share * share, h = now - before;
        z a1 = push(p, in, speed), a2 = push(p, in + h / 2 * speed, speed + h / 2 * a1);
        z a3 = push(p, in + h / 2 * (speed + h / 2 * a1), speed + h / 2 * a2);
        z a4 = push(p, in + h * (speed + h / 2 * a2), speed + h * a3);
        in += h * speed + h * h / 6 * (a1 + a2 + a3);
        speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        before = now;
    }
    *x = t > creal(touch) ? p[3] + in : p[4] * t;
    *v = speed;
}

static const problem_case cases[] = {
    {"half swings",
     "slipstick: 1\ntitle: t\nbodies: {block: {mass: 1.3 kg}}\n"
     "connections: [{between: [block, ground], stiffness: 2 N/m}]\n"
     "contacts: {floor: {between: [block, ground], law: coulomb, friction: 0.3 N}}\nstart: {block: {x: 1 "
     "m}}\n",
     "block",
     4,
     {"connections[0].stiffness", "contacts.floor.friction", "bodies.block.mass", "block.x"},
     {2, 0.3, 1.3, 1},
     10,
     true,
     half_swings,
     1e-6},
    {"bounces",
     "slipstick: 1\ntitle: t\nbodies: {ball: {mass: 0.5 kg}}\nforces: [{body: ball, force: -4.9 N}]\n"
     "contacts: {floor: {between: [ball, ground], law: rigid-stop, below: 0.1 m, restitution: 0.8}}\n"
     "start: {ball: {x: 1 m}}\n",
     "ball",
     5,
     {"forces[0].force", "contacts.floor.restitution", "contacts.floor.below", "ball.x", "bodies.ball.mass"},
     {-4.9, 0.8, 0.1, 1, 0.5},
     3,
     true,
     bounces,
     1e-6},
    {"stick and slip",
     "slipstick: 1\ntitle: t\nbodies: {block: {mass: 2 kg}, hand: {speed: 0.1 m/s}}\n"
     "connections: [{between: [block, hand], stiffness: 50 N/m}]\n"
     "contacts: {floor: {between: [block, ground], law: coulomb, friction: 3 N, static: 4 N}}\n",
     "block",
     5,
     {"connections[0].stiffness", "contacts.floor.friction", "contacts.floor.static", "bodies.hand.speed",
      "bodies.block.mass"},
     {50, 3, 4, 0.1, 2},
     4.01,
     true,
     pulled,
     1e-6},
    {"elastic wall",
     "slipstick: 1\ntitle: t\nbodies: {disk: {mass: 24 g}}\n"
     "contacts: {wall: {between: [disk, ground], law: hunt-crossley, above: 10 mm, stiffness: 8e4 N/m^1.5, "
     "exponent: 1.5, alpha: 1.2 s/m}}\nstart: {disk: {v: 0.1 m/s}}\n",
     "disk",
     6,
     {"contacts.wall.stiffness", "contacts.wall.exponent", "contacts.wall.alpha", "contacts.wall.above",
      "disk.v", "bodies.disk.mass"},
     {8e4, 1.5, 1.2, 0.01, 0.1, 0.024},
     0.111,
     true,
     thrown,
     1e-5},
};

static void make(const problem_case* c, ss_document** document, ss_recording** recording,
                 ss_fit_problem** problem)
{
    static double time[SAMPLES], values[2 * SAMPLES];
    static ss_fit_free free[MOST];
    static const ss_recording* recordings[1];
    static char shows[2][32];
    static ss_fit_trace traces[2];
    int columns = c->speed_too ? 2 : 1;
    z p[MOST];
    ss_error err = {0};
    for (int j = 0; j < c->n; j++) p[j] = c->numbers[j];
    for (int i = 0; i < SAMPLES; i++) {
        z x, v;
        time[i] = c->until * i / (SAMPLES - 1);
        c->motion(p, time[i], &x, &v);
        values[i * columns] = creal(x);
        values[i * columns + columns - 1] = columns > 1 ? creal(v) : creal(x);
    }
    for (int j = 0; j < c->n; j++) {
        free[j] = ss_fit_free_default();
        free[j].path = c->paths[j];
    }
    snprintf(shows[0], sizeof shows[0], "%s.x", c->body);
    snprintf(shows[1], sizeof shows[1], "%s.v", c->body);
    for (int k = 0; k < 2; k++) traces[k] = (ss_fit_trace){shows[k], NAN};
    assert_int_equal(ss_recording_create("r", time, values, SAMPLES, columns, recording, &err), SS_OK);
    if (ss_document_parse_yaml("t.yaml", c->yaml, strlen(c->yaml), document, &err) != SS_OK)
        fail_msg("%s: %s", c->name, err.text);
    recordings[0] = *recording;
    ss_fit_def def = ss_fit_def_default();
    def.document = *document;
    def.recordings = recordings;
    def.recording_count = 1;
    def.traces = traces;
    def.trace_count = columns;
    def.free = free;
    def.free_count = c->n;
    if (ss_fit_problem_create(&def, problem, &err) != SS_OK) fail_msg("%s: %s", c->name, err.text);
}

// Derivative by number j of row i.
static double exact(const problem_case* c, const ss_fit_problem* problem, int j, long i)
{
    const double tiny = 1e-40;
    z p[MOST], x, v;
    for (int k = 0; k < c->n; k++) p[k] = c->numbers[k];
    p[j] += tiny * I;
    c->motion(p, problem->rows[i].time, &x, &v);
    return cimag(problem->columns[problem->rows[i].trace].speed ? v : x) / tiny;
}

static void check_motion(const problem_case* c, ss_fit_problem* problem)
{
    if (!ss_fit_motion(problem, c->numbers, problem->scratch.values, problem->scratch.signs))
        fail_msg("%s: %s", c->name, problem->refusal.text);
    for (long i = 0; i < problem->m; i++) {
        double scale = problem->columns[problem->rows[i].trace].scale;
        if (!(fabs(problem->scratch.values[i] - problem->rows[i].value) <= 1e-8 * scale))
            fail_msg("%s: t = %g: %.12g is not %.12g", c->name, problem->rows[i].time,
                     problem->scratch.values[i], problem->rows[i].value);
    }
}

static void check_column(const problem_case* c, const ss_fit_problem* problem, int j, double tolerance)
{
    double largest[2] = {0, 0};
    double* want = malloc((size_t)problem->m * sizeof *want);
    assert_non_null(want);
    for (long i = 0; i < problem->m; i++) {
        want[i] = exact(c, problem, j, i);
        int trace = problem->rows[i].trace;
        largest[trace] = fmax(largest[trace], fabs(want[i]));
    }
    for (long i = 0; i < problem->m; i++) {
        double got = problem->scratch.jacobian[(size_t)j * (size_t)problem->m + (size_t)i];
        int trace = problem->rows[i].trace;
        if (!(fabs(got - want[i]) <= tolerance * largest[trace]))
            fail_msg("%s, %s, trace %d, t = %g: %.9g is not %.9g", c->name, c->paths[j], trace,
                     problem->rows[i].time, got, want[i]);
    }
    free(want);
}

static void derivatives_are_right_across_events(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const problem_case* c = &cases[k];
        ss_document* document = NULL;
        ss_recording* recording = NULL;
        ss_fit_problem* problem = NULL;
        make(c, &document, &recording, &problem);
        check_motion(c, problem);
        ss_fit_differentiate(problem, c->numbers, NULL, true, problem->scratch.jacobian);
        for (int j = 0; j < c->n; j++) check_column(c, problem, j, c->tolerance);
        ss_fit_differentiate(problem, c->numbers, NULL, false, problem->scratch.jacobian);
        for (int j = 0; j < c->n; j++) check_column(c, problem, j, 1e-3);
        ss_fit_problem_destroy(problem);
        ss_recording_destroy(recording);
        ss_document_destroy(document);
    }
}

// A sample of the speed that lies exactly at an impact, or is passed by one while numbers are varied, has the
// slope of its own branch: never the jump over the step.
static void no_derivative_of_a_speed_is_a_jump(void** state)
{
    (void)state;
    problem_case c = cases[1];
    z p[MOST], x, v;
    for (int j = 0; j < c.n; j++) p[j] = c.numbers[j];
    double touch = sqrt(2 * (1 - 0.1) / 9.8);
    c.until = 3 * touch; // sample 500 of 1500 falls on the first impact, to rounding
    ss_document* document = NULL;
    ss_recording* recording = NULL;
    ss_fit_problem* problem = NULL;
    make(&c, &document, &recording, &problem);
    c.motion(p, touch, &x, &v);
    assert_true(ss_fit_motion(problem, c.numbers, problem->scratch.values, problem->scratch.signs));
    ss_fit_differentiate(problem, c.numbers, NULL, true, problem->scratch.jacobian);
    for (int j = 0; j < c.n; j++)
        for (long i = 0; i < problem->m; i++)
            if (!(fabs(problem->scratch.jacobian[(size_t)j * (size_t)problem->m + (size_t)i]) < 200.0))
                fail_msg("%s at t = %.17g: %g", c.paths[j], problem->rows[i].time,
                         problem->scratch.jacobian[(size_t)j * (size_t)problem->m + (size_t)i]);
    ss_fit_problem_destroy(problem);
    ss_recording_destroy(recording);
    ss_document_destroy(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_right_across_events),
        cmocka_unit_test(no_derivative_of_a_speed_is_a_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
