// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions with bristles against forty-digit references and closed forms (data/bristles.h).
#include "data/bristles.h"
#include "rig.h"
#include "share/law.h"
#include "share/run.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ss_contact_def* bristle(rig* r, int a, int b, ss_law_kind law)
{
    ss_contact_def* contact = rig_contact(r, rig_row(r, a, 1.0, b, -1.0));
    contact->law = law;
    return contact;
}

static ss_model* lugre_mass(const ss_lugre* law, double v0, double z0)
{
    rig r;
    rig_init(&r);
    int mass = rig_body(&r, 1.0, 0.0, v0);
    ss_contact_def* floor = bristle(&r, mass, SS_GROUND, SS_LAW_LUGRE);
    floor->lugre = *law;
    floor->start.z = z0;
    return rig_model(&r);
}

static ss_sim_def tight(void)
{
    ss_sim_def def = ss_sim_def_default();
    def.tolerance = 1e-13;
    return def;
}

// Tolerances as the reference gives them: relative to the bristle's deflection, force, and the speed they
// imply; never below a few roundings of the number itself.
static void expect_scaled(const char* what, double got, double want, double tolerance, double scale)
{
    expect_near(what, got, want, tolerance * scale + 16.0 * DBL_EPSILON * fabs(want));
}

static void test_lugre_reference(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ref_lugre_motions / sizeof ref_lugre_motions[0]; k++) {
        const ref_lugre* m = &ref_lugre_motions[k];
        double zc = m->law.coulomb / m->law.sigma0, w = sqrt(m->law.sigma0);
        double tolerance = fmax(m->tolerance, 1e-12);
        ss_model* model = lugre_mass(&m->law, m->v0, m->z0);
        run r;
        run_start_def(&r, model, tight());
        for (int j = 0; j < m->state_count; j++) {
            const double* row = m->state[j];
            run_to(&r, row[0]);
            ss_contact_state floor = ss_sim_contact(r.sim, 0);
            expect_scaled("x", ss_sim_x(r.sim)[0], row[1], tolerance, zc);
            expect_scaled("v", ss_sim_v(r.sim)[0], row[2], tolerance, 1.0 / w + m->v0);
            expect_scaled("z", floor.z, row[3], tolerance, zc);
            expect_scaled("force", floor.force, -row[4], tolerance, 1.0 + m->law.sigma1 * fabs(row[2]));
            expect_scaled("energy", ss_sim_energy(r.sim).end, row[5], tolerance, row[5] + 1e-6 * zc);
        }
        for (int j = 0; j < m->reversal_count && j < r.event_count; j++) {
            double share = fabs(m->reversal[j][2]) / zc;
            if (share < 1e-9) break;
            expect_scaled("reversal", r.events[j].t, m->reversal[j][0], tolerance,
                          fmax(1.0, 1.0 / share) / w);
            assert_int_equal(r.events[j].kind, SS_EVENT_REVERSAL);
        }
        assert_true(run_energy_error(&r) < 1e-12);
        run_stop(&r);
        ss_model_destroy(model);
    }
}

// sigma1 = 0, scaled: turning points a_n and the times between them; y - z keeps its value, so that y tends
// to -1; and 1/a grows by 2/3 per half cycle.
static void test_turning_points(void** state)
{
    (void)state;
    const ss_lugre law = {1.0, 0.0, 0.0, 1.0, 1.0, NAN, 2.0};
    ss_model* model = lugre_mass(&law, 0.0, 1.0);
    run r;
    run_start_def(&r, model, tight());
    double t = 0.0, y = 0.0, sign = -1.0;
    for (int n = 0; n < 10; n++, sign = -sign) {
        t += ref_half_periods[n];
        y += sign * (ref_turning_a[n] + ref_turning_a[n + 1]);
        run_to(&r, t + 1e-9);
        assert_int_equal(r.event_count, n + 1);
        expect_near("turning time", r.events[n].t, t, 1e-12 * t);
        expect_near("turning point", ss_sim_x(r.sim)[0], y, 1e-11);
    }
    run_to(&r, 330.0);
    assert_true(r.event_count >= 101);
    double found = r.events[99].t;
    run_stop(&r);
    run_start_def(&r, model, tight());
    run_to(&r, found);
    expect_near("a_100", fabs(ss_sim_x(r.sim)[0] + 1.0), ref_turning_a_100, 1e-11);
    run_stop(&r);
    ss_model_destroy(model);
}

static ss_model* maxwell_mass(const ref_maxwell* m)
{
    rig r;
    rig_init(&r);
    int mass = rig_body(&r, 1.0, 0.0, m->v0);
    ss_contact_def* floor = bristle(&r, mass, SS_GROUND, SS_LAW_MAXWELL_SLIP);
    floor->maxwell_slip = (ss_maxwell_def){m->k, m->c, m->count};
    floor->start.saturation = 1.0;
    return rig_model(&r);
}

static void test_maxwell_reference(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ref_maxwell_motions / sizeof ref_maxwell_motions[0]; k++) {
        const ref_maxwell* m = &ref_maxwell_motions[k];
        ss_model* model = maxwell_mass(m);
        run r;
        run_start(&r, model, NULL, NULL);
        int reversals = 0;
        for (int j = 0; j < m->event_count; j++) {
            const double* e = m->event[j];
            run_to(&r, e[0]);
            expect_near("x", ss_sim_x(r.sim)[0], e[2], m->tolerance);
            expect_near("v", ss_sim_v(r.sim)[0], e[3], m->tolerance);
            expect_near("force", ss_sim_contact(r.sim, 0).force, -e[4], 10.0 * m->tolerance);
            if (e[1] > 0.0) expect_near("reversal", r.events[reversals++].t, e[0], m->tolerance);
        }
        ss_energy energy = ss_sim_energy(r.sim);
        expect_near("start", energy.start, m->start, m->tolerance);
        expect_near("lost", energy.friction, m->lost, m->tolerance);
        run_to(&r, m->event[m->event_count - 1][0] + 1e-6);
        assert_int_equal(r.event_count, reversals); // nothing per element
        assert_true(run_energy_error(&r) < 1e-13);
        run_stop(&r);
        ss_model_destroy(model);
    }
}

typedef struct branches {
    ss_branch items[64];
    int count;
} branches;

static void keep_branch(void* user, const ss_branch* branch)
{
    branches* b = user;
    if (b->count < 64) b->items[b->count] = *branch;
    b->count++;
}

static ss_model* probe(const double y[], int count, const double k[], const double c[], int elements)
{
    rig r;
    rig_init(&r);
    double t[32] = {0.0};
    for (int j = 1; j < count; j++) t[j] = t[j - 1] + fabs(y[j] - y[j - 1]);
    r.bodies[0] = ss_body_def_default();
    int body = rig_driven(&r, "0");
    r.bodies[body].position = rig_table(&r, t, y, count);
    ss_contact_def* pad = bristle(&r, body, SS_GROUND, SS_LAW_MAXWELL_SLIP);
    pad->maxwell_slip = (ss_maxwell_def){k, c, elements};
    return rig_model(&r);
}

// Work of every branch of the nested path, and closed loops that cost what the areas say.
static void test_hysteresis(void** state)
{
    (void)state;
    enum { POINTS = sizeof ref_nested_y / sizeof ref_nested_y[0] };
    ss_model* model = probe(ref_nested_y, POINTS, ref_nested_k, ref_nested_c, 5);
    branches found = {.count = 0};
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim = NULL;
    ss_outcome outcome;
    def.on_branch = keep_branch;
    def.user = &found;
    assert_int_equal(ss_sim_create(model, &def, &sim, NULL), SS_OK);
    double t = 0.0;
    for (int j = 1; j < POINTS; j++) {
        t += fabs(ref_nested_y[j] - ref_nested_y[j - 1]);
        ss_sim_advance(sim, t, &outcome, NULL);
        expect_near("force", ss_sim_contact(sim, 0).force, -ref_nested_F[j], 1e-13);
    }
    double rest[5];
    assert_int_equal(ss_sim_deflections(sim, 0, rest), 5);
    // 1 and 1.2 are one branch of the motion: 13 reversals' worth of path in 12 branches, the last one still
    // open
    assert_int_equal(found.count, POINTS - 3);
    double before = 0.0;
    for (int j = 0, b = 0; j < POINTS - 1; j++) {
        before += ref_nested_work[j];
        bool turns =
            j + 2 < POINTS &&
            (ref_nested_y[j + 1] - ref_nested_y[j]) * (ref_nested_y[j + 2] - ref_nested_y[j + 1]) < 0.0;
        if (!turns) continue;
        expect_near("to", found.items[b].to, ref_nested_y[j + 1], 1e-15);
        expect_near("work", found.items[b++].work, before, 1e-13);
        before = 0.0;
    }
    expect_near("open branch", ss_sim_branch(sim, 0).work, ref_nested_work[POINTS - 2], 1e-12);
    ss_sim_destroy(sim);
    ss_model_destroy(model);
    for (size_t k = 0; k < sizeof ref_loop_areas / sizeof ref_loop_areas[0]; k++) {
        double Y = ref_loop_areas[k][0], y[] = {0.0, Y, -Y, Y, -Y, Y, -Y};
        run r;
        model = probe(y, 7, ref_nested_k, ref_nested_c, 5);
        run_start(&r, model, NULL, NULL);
        run_to(&r, 7.0 * Y);
        ss_energy start = ss_sim_energy(r.sim);
        run_to(&r, 11.0 * Y);
        ss_energy end = ss_sim_energy(r.sim);
        expect_near("loop area, input", end.input - start.input, ref_loop_areas[k][1], 1e-12);
        expect_near("loop area, friction", end.friction - start.friction, ref_loop_areas[k][1], 1e-12);
        run_stop(&r);
        ss_model_destroy(model);
    }
}

// Dahl of shape 1 is LuGre without damping; of other shapes its deflection is a closed form of the way.
static void test_dahl(void** state)
{
    (void)state;
    const double shapes[] = {0.5, 0.8, 1.0, 1.5, 2.0};
    for (int k = 0; k < 5; k++) {
        rig r;
        rig_init(&r);
        int body = rig_driven(&r, "0.01*sin(3*t)");
        ss_contact_def* pad = bristle(&r, body, SS_GROUND, SS_LAW_DAHL);
        pad->dahl = (ss_dahl){1e3, 2.0, shapes[k]};
        ss_model* model = rig_model(&r);
        run m;
        run_start_def(&m, model, tight());
        double z = 0.0, y = 0.0, pi = 3.14159265358979323846;
        for (int j = 1; j <= 9; j++) { // to the middle of each quarter and to each turning point
            double t = j * pi / 12.0, to = 0.01 * sin(3.0 * t);
            ss_dahl_step(&pad->dahl, &z, to - y, 1.0);
            y = to;
            run_to(&m, t);
            expect_near("z", ss_sim_contact(m.sim, 0).z, z, 2e-12 * 2e-3);
        }
        assert_true(run_energy_error(&m) < 1e-11);
        run_stop(&m);
        ss_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lugre_reference),
        cmocka_unit_test(test_turning_points),
        cmocka_unit_test(test_maxwell_reference),
        cmocka_unit_test(test_hysteresis),
        cmocka_unit_test(test_dahl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
