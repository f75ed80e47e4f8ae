// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A second opinion on LuGre friction: CVODE (BDF) on blocks that stick and slip on a belt, with Stribeck
// curves of several shapes, and on blocks that strike an elastic stop.
#include "rig.h"
#include "share/law.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct system {
    ss_lugre law;
    double belt, stiffness, mass;
    ss_hunt_crossley stop; // stiffness 0: none
    double v0;
} system_t;

// x, v, z of one block.
static int rates(double t, N_Vector y, N_Vector dy, void* user)
{
    const system_t* s = user;
    const double* x = N_VGetArrayPointer(y);
    double *d = N_VGetArrayPointer(dy), slip = x[1] - s->belt;
    (void)t;
    d[0] = x[1];
    double pushed = s->stop.stiffness > 0.0 ? ss_hunt_crossley_force(&s->stop, x[0], x[1]) : 0.0;
    d[1] = (ss_lugre_force(&s->law, x[2], slip) - s->stiffness * x[0] + pushed) / s->mass;
    d[2] = ss_lugre_rate(&s->law, x[2], slip);
    return 0;
}

static void by_cvode(const system_t* s, double relative, const double times[], int count, double out[][3])
{
    SUNContext context;
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    N_Vector y = N_VNew_Serial(3, context), absolute = N_VNew_Serial(3, context);
    SUNMatrix matrix = SUNDenseMatrix(3, 3, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
    void* cvode = CVodeCreate(CV_BDF, context);
    double *x = N_VGetArrayPointer(y), *a = N_VGetArrayPointer(absolute), t;
    x[0] = x[2] = 0.0;
    x[1] = s->v0;
    a[0] = 1e-6 * relative;
    a[1] = 1e-3 * relative;
    a[2] = relative * s->law.coulomb / s->law.sigma0;
    CVodeInit(cvode, rates, 0.0, y);
    CVodeSVtolerances(cvode, relative, absolute);
    CVodeSetLinearSolver(cvode, solver, matrix);
    CVodeSetUserData(cvode, (void*)(uintptr_t)s);
    CVodeSetMaxNumSteps(cvode, 10000000);
    for (int k = 0; k < count; k++) {
        assert_true(CVode(cvode, times[k], y, &t, CV_NORMAL) >= 0);
        for (int j = 0; j < 3; j++) out[k][j] = x[j];
    }
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    N_VDestroy(absolute);
    SUNContext_Free(&context);
}

static void test_belts(void** state)
{
    (void)state;
    const double shapes[] = {0.7, 1.0, 2.0, 2.5}, times[] = {0.01, 0.3, 1.0, 1.7, 2.5, 4.0};
    for (int k = 0; k < 4; k++) {
        system_t s = {
            .law = {1e5, 300.0, 0.4, 1.0, 1.5, 0.02, shapes[k]}, .belt = 0.1, .stiffness = 20.0, .mass = 1.0};
        double want[6][3];
        by_cvode(&s, 1e-13, times, 6, want);
        rig r;
        rig_init(&r);
        int block = rig_body(&r, 1.0, 0.0, 0.0), belt = rig_driven_speed(&r, "0.1");
        rig_spring(&r, block, SS_GROUND, s.stiffness, 0.0);
        ss_contact_def* contact = rig_contact(&r, rig_row(&r, block, 1.0, belt, -1.0));
        contact->law = SS_LAW_LUGRE;
        contact->lugre = s.law;
        ss_model* model = rig_model(&r);
        run m;
        run_start(&m, model, NULL, NULL);
        for (int j = 0; j < 6; j++) {
            run_to(&m, times[j]);
            expect_near("x", ss_sim_x(m.sim)[0], want[j][0], 2e-9);
            expect_near("v", ss_sim_v(m.sim)[0], want[j][1], 1e-8);
            expect_near("z", ss_sim_contact(m.sim, 0).z, want[j][2], 1e-8 * 1.5e-5 + 2e-14);
        }
        assert_true(run_energy_error(&m) < 1e-9);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

// Bristles of 1e8 N/m under a gram, and under a ton, that a spring drives against an elastic stop: the rates
// of bristles, stop and spring are as far apart as they come. Impacts end and begin in stiff stretches.
static void test_beside_a_stop(void** state)
{
    (void)state;
    const double masses[] = {1e-3, 1e-3, 1e3}, exponents[] = {1.5, 2.0, 1.0};
    for (int k = 0; k < 3; k++) {
        double m = masses[k], times[] = {0.005, 0.012, 0.02, 0.05, 0.07, 0.09};
        system_t s = {.law = {1e8, sqrt(1e8 * m), 0.1 * m, 0.5 * m, k == 1 ? 0.8 * m : 0.5 * m, 0.05, 2.0},
                      .stiffness = 400.0 * m,
                      .mass = m,
                      .stop = {.side = 1,
                               .position = 5e-3,
                               .stiffness = 5e4 * m,
                               .exponent = exponents[k],
                               .alpha = 0.3},
                      .v0 = 0.6};
        double want[6][3];
        by_cvode(&s, 1e-12, times, 6, want);
        rig r;
        rig_init(&r);
        int block = rig_body(&r, m, 0.0, s.v0);
        rig_spring(&r, block, SS_GROUND, s.stiffness, 0.0);
        ss_contact_def* floor = rig_contact(&r, rig_row(&r, block, 1.0, SS_GROUND, -1.0));
        floor->law = SS_LAW_LUGRE;
        floor->lugre = s.law;
        ss_contact_def* stop = rig_contact(&r, rig_row(&r, block, 1.0, SS_GROUND, -1.0));
        stop->law = SS_LAW_HUNT_CROSSLEY;
        stop->hunt_crossley = s.stop;
        ss_model* model = rig_model(&r);
        run motion;
        run_start(&motion, model, NULL, NULL);
        for (int j = 0; j < 6; j++) {
            run_to(&motion, times[j]);
            expect_near("x", ss_sim_x(motion.sim)[0], want[j][0], 1e-11);
            expect_near("v", ss_sim_v(motion.sim)[0], want[j][1], 2e-9);
        }
        assert_true(run_energy_error(&motion) < 1e-11);
        assert_true(ss_sim_event_count(motion.sim) >= 2); // it was struck
        run_stop(&motion);
        ss_model_destroy(model);
    }
}

// A chain of bodies on a belt: its matrix is a band. x and v of all, then z.
enum { LINKS = 14 };
static const ss_lugre link_law = {1e5, 300.0, 0.4, 1.0, 1.5, 0.02, 2.0};
static const double link_stiffness = 100.0;

static double link_speed(int i) { return 0.25 * ((7 * i) % 5 - 2); }

static int chain_rates(double t, N_Vector y, N_Vector dy, void* user)
{
    const double *x = N_VGetArrayPointer(y), *v = x + LINKS, *z = v + LINKS;
    double* d = N_VGetArrayPointer(dy);
    (void)t, (void)user;
    for (int i = 0; i < LINKS; i++) {
        double pull = link_stiffness * (x[i] - (i > 0 ? x[i - 1] : 0.0));
        if (i + 1 < LINKS) pull += link_stiffness * (x[i] - x[i + 1]);
        d[i] = v[i];
        d[LINKS + i] = ss_lugre_force(&link_law, z[i], v[i] - 0.1) - pull;
        d[2 * LINKS + i] = ss_lugre_rate(&link_law, z[i], v[i] - 0.1);
    }
    return 0;
}

static void chain_by_cvode(double until, double out[3 * LINKS])
{
    SUNContext context;
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    N_Vector y = N_VNew_Serial(3 * LINKS, context), absolute = N_VNew_Serial(3 * LINKS, context);
    SUNMatrix matrix = SUNDenseMatrix(3 * LINKS, 3 * LINKS, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
    void* cvode = CVodeCreate(CV_BDF, context);
    double *x = N_VGetArrayPointer(y), *a = N_VGetArrayPointer(absolute), t;
    for (int i = 0; i < LINKS; i++) {
        x[i] = x[2 * LINKS + i] = 0.0;
        x[LINKS + i] = link_speed(i);
        a[i] = a[LINKS + i] = 1e-13;
        a[2 * LINKS + i] = 1e-16;
    }
    CVodeInit(cvode, chain_rates, 0.0, y);
    CVodeSVtolerances(cvode, 1e-11, absolute);
    CVodeSetLinearSolver(cvode, solver, matrix);
    CVodeSetMaxNumSteps(cvode, 10000000);
    assert_true(CVode(cvode, until, y, &t, CV_NORMAL) >= 0);
    for (int k = 0; k < 3 * LINKS; k++) out[k] = x[k];
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    N_VDestroy(absolute);
    SUNContext_Free(&context);
}

static void test_chain(void** state)
{
    (void)state;
    const double until = 0.1;
    double want[3 * LINKS];
    chain_by_cvode(until, want);
    static rig r;
    rig_init(&r);
    for (int i = 0; i < LINKS; i++) rig_body(&r, 1.0, 0.0, link_speed(i));
    int belt = rig_driven_speed(&r, "0.1");
    for (int i = 0; i < LINKS; i++) {
        rig_spring(&r, i, i > 0 ? i - 1 : SS_GROUND, link_stiffness, 0.0);
        ss_contact_def* contact = rig_contact(&r, rig_row(&r, i, 1.0, belt, -1.0));
        contact->law = SS_LAW_LUGRE;
        contact->lugre = link_law;
    }
    ss_model* model = rig_model(&r);
    run m;
    run_start(&m, model, NULL, NULL);
    run_to(&m, until);
    for (int i = 0; i < LINKS; i++) {
        expect_near("x", ss_sim_x(m.sim)[i], want[i], 1e-9);
        expect_near("v", ss_sim_v(m.sim)[i], want[LINKS + i], 1e-8);
    }
    assert_true(run_energy_error(&m) < 1e-11);
    run_stop(&m);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_belts), cmocka_unit_test(test_beside_a_stop),
                                       cmocka_unit_test(test_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
