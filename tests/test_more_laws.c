// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Elasto-plastic, generalised Maxwell-slip and measured friction against closed forms, and against a
// Runge-Kutta method of fixed small steps that knows the formulas from the literature: it ends a step where
// an element slips or the speed reverses, found by halving.
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

// ---- a mass on a spring, pulled, on one contact with the ground: y = (x, v, states ..)

enum { MOST = 6 };

typedef struct peer {
    double mass, stiffness, pull, swing, rate; // force pull + swing sin(rate t)
    const ss_elasto_plastic* plastic;          // one of the two
    const ss_gms* gms;
    bool slips[MOST];
    double way; // sign of v, 0 before any motion
    double t, y[2 + MOST];
} peer;

static double stribeck(double coulomb, double top, double speed, double shape, double v)
{
    return top > coulomb ? coulomb + (top - coulomb) * exp(-pow(fabs(v) / speed, shape)) : coulomb;
}

static double dupont(const ss_elasto_plastic* law, double z, double v)
{
    const ss_lugre* l = &law->lugre;
    double full = stribeck(l->coulomb, l->static_level, l->speed, l->shape, v) / l->sigma0, a = 0.0;
    if (v * z > 0.0 && fabs(z) >= full)
        a = 1.0;
    else if (v * z > 0.0 && fabs(z) > law->breakaway)
        a = 0.5 * (1.0 + sin(PI * (fabs(z) - 0.5 * (full + law->breakaway)) / (full - law->breakaway)));
    return v * (1.0 - a * fabs(z) / full);
}

static double gms_level(const ss_gms* law, double v)
{
    return stribeck(law->coulomb, law->static_level, law->speed, law->shape, v);
}

static int states_of(const peer* p) { return 2 + (p->gms ? p->gms->count : 1); }

static void rates(const peer* p, double t, const double y[], double out[])
{
    double force = p->pull + p->swing * sin(p->rate * t) - p->stiffness * y[0], v = y[1];
    if (p->plastic) {
        const ss_lugre* l = &p->plastic->lugre;
        out[2] = dupont(p->plastic, y[2], v);
        force -= l->sigma0 * y[2] + l->sigma1 * out[2] + l->sigma2 * v;
    }
    for (int i = 0; p->gms && i < p->gms->count; i++) {
        double share = p->gms->share[i], s = gms_level(p->gms, v), f = y[2 + i];
        out[2 + i] =
            p->slips[i] ? p->way * p->gms->attraction * (share - p->way * f / s) : p->gms->stiffness[i] * v;
        force -= f;
    }
    if (p->gms) force -= p->gms->viscous * v;
    out[0] = v;
    out[1] = force / p->mass;
}

static void runge_kutta(const peer* p, double h, double out[])
{
    double k[4][2 + MOST], at[2 + MOST];
    static const double share[4] = {0.0, 0.5, 0.5, 1.0};
    int n = states_of(p);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++) at[i] = p->y[i] + (s > 0 ? share[s] * h * k[s - 1][i] : 0.0);
        rates(p, p->t + share[s] * h, at, k[s]);
    }
    for (int i = 0; i < n; i++)
        out[i] = p->y[i] + h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

// Whether an element that sticks is beyond its limit, or the speed has reversed.
static bool is_beyond(const peer* p, const double y[])
{
    if (y[1] * p->way < 0.0) return true;
    for (int i = 0; p->gms && i < p->gms->count; i++)
        if (!p->slips[i] && p->way * y[2 + i] > p->gms->share[i] * gms_level(p->gms, y[1])) return true;
    return false;
}

static void advance(peer* p, double until, double step)
{
    double next[2 + MOST];
    while (p->t < until) {
        double h = fmin(step, until - p->t);
        if (p->way == 0.0) { // where it goes is told by the force
            double out[2 + MOST];
            rates(p, p->t, p->y, out);
            p->way = p->y[1] != 0.0 ? copysign(1.0, p->y[1]) : copysign(1.0, out[1]);
        }
        runge_kutta(p, h, next);
        if (p->gms && is_beyond(p, next)) {
            double low = 0.0, high = h;
            for (int round = 0; round < 60; round++) {
                double middle = 0.5 * (low + high);
                runge_kutta(p, middle, next);
                *(is_beyond(p, next) ? &high : &low) = middle;
            }
            h = high;
            runge_kutta(p, h, next);
            if (next[1] * p->way < 0.0) {
                p->way = -p->way;
                memset(p->slips, 0, sizeof p->slips);
            }
            for (int i = 0; i < p->gms->count; i++)
                if (p->way * next[2 + i] >= p->gms->share[i] * gms_level(p->gms, next[1])) p->slips[i] = true;
        }
        memcpy(p->y, next, sizeof next);
        p->t += h;
    }
}

// Runs the same model and compares at some times; also its energies.
static void compare(peer* p, double until, int samples, double step, double tolerance)
{
    rig r;
    char force[96];
    rig_init(&r);
    int mass = rig_body(&r, p->mass, p->y[0], p->y[1]);
    rig_spring(&r, mass, SS_GROUND, p->stiffness, 0.0);
    snprintf(force, sizeof force, "%.17g + %.17g*sin(%.17g*t)", p->pull, p->swing, p->rate);
    rig_force(&r, mass, force);
    ss_contact_def* contact = rig_contact(&r, rig_row(&r, mass, 1.0, SS_GROUND, 0.0));
    contact->law = p->gms ? SS_LAW_GMS : SS_LAW_ELASTO_PLASTIC;
    if (p->gms)
        contact->gms = *p->gms;
    else
        contact->elasto_plastic = *p->plastic;
    ss_model* model = rig_model(&r);
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = 1e-12;
    run motion;
    run_start_def(&motion, model, def);
    for (int k = 1; k <= samples; k++) {
        double t = until * k / samples, x, v, forces[MOST], sum = 0.0;
        run_to(&motion, t);
        advance(p, t, step);
        x = ss_sim_x(motion.sim)[0];
        v = ss_sim_v(motion.sim)[0];
        expect_near("x", x, p->y[0], tolerance * (fabs(p->y[0]) + 1e-3));
        expect_near("v", v, p->y[1], tolerance * (fabs(p->y[1]) + 1e-2));
        ss_contact_state now = ss_sim_contact(motion.sim, 0);
        if (p->plastic) expect_near("z", now.z, p->y[2], tolerance * (fabs(p->y[2]) + 1e-5));
        if (!p->gms) continue;
        assert_int_equal(ss_sim_deflections(motion.sim, 0, forces), p->gms->count);
        for (int i = 0; i < p->gms->count; i++) {
            expect_near("force of an element", forces[i], p->y[2 + i], tolerance * p->gms->static_level);
            sum += forces[i];
        }
        expect_near("force", now.force, -(sum + p->gms->viscous * v), 1e-12 * p->gms->static_level);
    }
    assert_true(run_energy_error(&motion) < 1e-10);
    run_stop(&motion);
    ss_model_destroy(model);
}

// ---- elasto-plastic

static const ss_elasto_plastic flat = {{1e4, 20.0, 0.5, 2.0, 2.0, NAN, 2.0}, 0.8e-4};
static const ss_elasto_plastic falling = {{1e4, 20.0, 0.5, 2.0, 3.0, 0.01, 2.0}, 1.2e-4};

static void test_elasto_plastic_reversals(void** state)
{
    (void)state;
    compare(&(peer){.mass = 1.0, .stiffness = 200.0, .swing = 5.0, .rate = 7.0, .plastic = &flat}, 4.0, 8,
            1e-5, 2e-8);
    compare(&(peer){.mass = 1.0, .stiffness = 200.0, .swing = 5.0, .rate = 7.0, .plastic = &falling}, 4.0, 8,
            1e-5, 2e-8);
    compare(
        &(peer){.mass = 0.5, .stiffness = 0.0, .pull = 2.5, .swing = 1.5, .rate = 20.0, .plastic = &falling},
        1.0, 4, 1e-5, 2e-8);
}

// Below the breakaway the bristles are springs: z and the way stay equal, and the motion is that of a linear
// oscillator, for as long as one likes.
static void test_elasto_plastic_does_not_drift(void** state)
{
    (void)state;
    rig r;
    rig_init(&r);
    int mass = rig_body(&r, 1.0, 0.0, 0.0);
    rig_force(&r, mass, "0.3 + 0.15*sin(30*t)");
    ss_contact_def* contact = rig_contact(&r, rig_row(&r, mass, 1.0, SS_GROUND, 0.0));
    contact->law = SS_LAW_ELASTO_PLASTIC;
    contact->elasto_plastic = (ss_elasto_plastic){{1e4, 20.0, 0.0, 2.0, 2.0, NAN, 2.0}, 1e-4};
    ss_model* model = rig_model(&r);
    run motion;
    run_start(&motion, model, NULL, NULL);
    run_to(&motion, 50.0);
    double x, k = 1e4, c = 20.0, w = 30.0, t = 50.0, real = k - w * w, size = 0.15 / hypot(real, c * w);
    x = ss_sim_x(motion.sim)[0];
    // the transient exp(-10 t) has died out
    expect_near("x", x, 0.3 / k + size * sin(w * t - atan2(c * w, real)), 1e-13);
    expect_near("z", ss_sim_contact(motion.sim, 0).z, x, 1e-15);
    run_stop(&motion);
    ss_model_destroy(model);
}

// ---- generalised Maxwell-slip

static const double stiffness[] = {6e4, 3e4, 1e4}, share[] = {0.2, 0.3, 0.5};
static const ss_gms level = {3, stiffness, share, 1.5, 1.5, NAN, 2.0, 30.0, 5.0};
static const ss_gms curved = {3, stiffness, share, 1.0, 1.5, 0.01, 2.0, 30.0, 5.0};
static const ss_gms rough = {3, stiffness, share, 1.0, 1.5, 0.01, 1.3, 400.0, 0.0};

static void test_gms_reversals(void** state)
{
    (void)state;
    compare(&(peer){.mass = 1.0, .stiffness = 300.0, .swing = 4.0, .rate = 9.0, .gms = &level}, 3.0, 6, 2e-5,
            1e-7);
    compare(&(peer){.mass = 1.0, .stiffness = 300.0, .swing = 4.0, .rate = 9.0, .gms = &curved}, 3.0, 6, 2e-5,
            1e-7);
    compare(&(peer){.mass = 2.0, .stiffness = 300.0, .pull = 1.0, .swing = 3.0, .rate = 11.0, .gms = &rough},
            2.0, 4, 1e-5, 1e-6);
}

// Under a load that it can hold the elements are springs, for ever: what rings loses nothing but by the
// viscous part.
static void test_gms_holds(void** state)
{
    (void)state;
    ss_gms law = curved;
    law.viscous = 0.0;
    rig r;
    rig_init(&r);
    int mass = rig_body(&r, 1.0, 0.0, 0.0);
    rig_force(&r, mass, "0.1");
    ss_contact_def* contact = rig_contact(&r, rig_row(&r, mass, 1.0, SS_GROUND, 0.0));
    contact->law = SS_LAW_GMS;
    contact->gms = law;
    ss_model* model = rig_model(&r);
    run motion;
    run_start(&motion, model, NULL, NULL);
    run_to(&motion, 20.0);
    double x, w = sqrt(1e5);
    x = ss_sim_x(motion.sim)[0];
    expect_near("x", x, 1e-6 * (1.0 - cos(w * 20.0)), 1e-12);
    expect_near("friction", ss_sim_energy(motion.sim).friction, 0.0, 1e-15);
    run_stop(&motion);
    ss_model_destroy(model);
}

// ---- curves

static ss_contact_def* rig_curve(rig* r, int body, ss_curve law)
{
    ss_contact_def* contact = rig_contact(r, rig_row(r, body, 1.0, SS_GROUND, 0.0));
    contact->law = SS_LAW_CURVE;
    contact->curve = law;
    return contact;
}

// m v' = -F(v): the time from v to rest is the integral of m/F, the way that of m v/F, each line of the table
// in closed form; an expression that is the same function as a table gives the same motion.
static void test_curve_to_rest(void** state)
{
    (void)state;
    static const double speed[] = {0.0, 0.2, 1.0}, force[] = {5.0, 3.0, 3.5};
    static const char* const same = "max(5 N - 10 N*s/m*v, min(3 N + 0.625 N*s/m*(v - 0.2 m/s), 3.5 N))";
    const double m = 2.0, v0 = 1.6;
    // above 1 m/s: constant; then on two lines F = a + b v: t = m/b ln(F(v)/F(u))
    double t = m * (v0 - 1.0) / 3.5 + m / 0.625 * log(3.5 / 3.0) + m / -10.0 * log(3.0 / 5.0);
    for (int pass = 0; pass < 3; pass++) {
        rig r;
        run motion;
        rig_init(&r);
        int body = rig_body(&r, m, 0.0, pass == 1 ? -v0 : v0);
        ss_curve_side table = {.speed = speed, .force = force, .count = 3}, text = {.expression = same};
        ss_curve law = {.side = {table, pass == 1 ? text : table}, .hold = {NAN, NAN}};
        if (pass == 2) law = (ss_curve){.side = {text, table}, .hold = {NAN, NAN}};
        rig_curve(&r, body, law);
        ss_model* model = rig_model(&r);
        run_start(&motion, model, NULL, NULL);
        run_to(&motion, 10.0);
        assert_int_equal(motion.event_count, 1);
        expect_event(&motion, 0, t, 0, pass == 1 ? SS_MODE_SLIP_MINUS : SS_MODE_SLIP_PLUS, SS_MODE_STICK,
                     1e-10);
        expect_near("lost", ss_sim_energy(motion.sim).friction, 0.5 * m * v0 * v0, 1e-11);
        run_stop(&motion);
        ss_model_destroy(model);
    }
}

// A block pulled by a spring from a driven end sticks until the spring has `static`; from then on it slips
// against the level at v = 0, as a linear oscillator on the first line of the table.
static void test_curve_breaks_loose(void** state)
{
    (void)state;
    static const double speed[] = {0.0, 10.0}, force[] = {2.0, 22.0}; // 2 N + 2 N*s/m v
    rig r;
    run motion;
    rig_init(&r);
    int body = rig_body(&r, 1.0, 0.0, 0.0), end = rig_driven(&r, "0.05*t");
    rig_spring(&r, body, end, 20.0, 0.0);
    ss_curve_side side = {.speed = speed, .force = force, .count = 2};
    rig_curve(&r, body, (ss_curve){.side = {side, side}, .hold = {3.0, 3.0}});
    ss_model* model = rig_model(&r);
    run_start(&motion, model, NULL, NULL);
    run_to(&motion, 3.2);
    expect_event(&motion, 0, 3.0, 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-12);
    // x'' + 2 x' + 20 x = 3 + 1 s - 2, x = x' = 0 at s = 0
    double s = 0.2, w = sqrt(19.0), a = -(1.0 / 20.0 - 2.0 / 400.0), b = (a - 1.0 / 20.0) / w;
    double x = 1.0 / 20.0 - 2.0 / 400.0 + s / 20.0 + exp(-s) * (a * cos(w * s) + b * sin(w * s));
    expect_near("x", ss_sim_x(motion.sim)[body], x, 1e-12);
    run_stop(&motion);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elasto_plastic_reversals),
        cmocka_unit_test(test_elasto_plastic_does_not_drift),
        cmocka_unit_test(test_gms_reversals),
        cmocka_unit_test(test_gms_holds),
        cmocka_unit_test(test_curve_to_rest),
        cmocka_unit_test(test_curve_breaks_loose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
