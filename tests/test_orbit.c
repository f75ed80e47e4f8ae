// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The derivative of a motion across its events against differences of neighbouring motions.
#include "lab/cycle/orbit.h"
#include "random_system.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool same_events(const ss_events* a, const ss_events* b)
{
    if (a->count != b->count) return false;
    for (size_t k = 0; k < a->count; k++)
        if (a->items[k].contact != b->items[k].contact || a->items[k].to != b->items[k].to) return false;
    return true;
}

// State at time t from start + h e_j; false where the events are others.
static bool neighbour(ss_orbit* orbit, const ss_orbit* centre, const double start[], int j, double h,
                      double t, double out[])
{
    double moved[2 * PEER_MAX];
    memcpy(moved, start, (size_t)orbit->width * sizeof(double));
    moved[j] += h;
    if (ss_orbit_restart(orbit, moved, NULL) != SS_OK || ss_orbit_advance(orbit, t, NULL) != SS_OK)
        return false;
    if (orbit->outcome != SS_TIME_REACHED || !same_events(&orbit->events, &centre->events)) return false;
    memcpy(out, orbit->state, (size_t)orbit->width * sizeof(double));
    return true;
}

// Column j by differences of fourth order; false where a neighbour has other events.
static bool difference_column(ss_orbit* orbit, const ss_orbit* centre, const double start[], int j, double h,
                              double t, double out[])
{
    static const double steps[4] = {-2.0, -1.0, 1.0, 2.0}, weights[4] = {1.0, -8.0, 8.0, -1.0};
    double moved[2 * PEER_MAX];
    memset(out, 0, (size_t)orbit->width * sizeof(double));
    for (int k = 0; k < 4; k++) {
        if (!neighbour(orbit, centre, start, j, steps[k] * h, t, moved)) return false;
        for (int i = 0; i < orbit->width; i++) out[i] += weights[k] * moved[i] / (12.0 * h);
    }
    return true;
}

// The difference of two step sizes tells how good the differences are.
static bool column_agrees(ss_orbit* orbit, const ss_orbit* centre, const double start[], int j, double t)
{
    double coarse[2 * PEER_MAX], fine[2 * PEER_MAX], size = 1.0;
    if (!difference_column(orbit, centre, start, j, 1e-4, t, coarse) ||
        !difference_column(orbit, centre, start, j, 1e-5, t, fine))
        return false;
    int w = orbit->width;
    for (int k = 0; k < w * w; k++) size = fmax(size, fabs(centre->monodromy[k]));
    for (int i = 0; i < w; i++)
        expect_near("derivative", centre->monodromy[i * w + j], fine[i],
                    2e-6 * size + 0.1 * fabs(coarse[i] - fine[i]));
    return true;
}

static bool nothing_holds_at_start(const ss_orbit* orbit)
{
    for (int i = 0; i < orbit->model->contact_count; i++)
        if (ss_orbit_holds(orbit, i)) return false;
    return true;
}

// How many columns of the derivative over time t could be compared.
static int compare_model(const ss_model* model, double t)
{
    ss_sim_def def = ss_sim_def_default();
    ss_orbit *centre, *other;
    double start[2 * PEER_MAX];
    int compared = 0;
    def.tolerance = 1e-13;
    assert_int_equal(ss_orbit_create(model, &def, &centre, NULL), SS_OK);
    assert_int_equal(ss_orbit_create(model, &def, &other, NULL), SS_OK);
    ss_orbit_get_start(centre, start);
    assert_int_equal(ss_orbit_restart(centre, start, NULL), SS_OK);
    bool fit = nothing_holds_at_start(centre);
    if (fit) {
        ss_error err = {0};
        if (ss_orbit_differentiate(centre, start, t, true, &err) != SS_OK) fail_msg("%s", err.text);
        fit = centre->outcome == SS_TIME_REACHED && centre->events.count > 0;
    }
    for (int j = 0; fit && j < centre->width; j++) compared += column_agrees(other, centre, start, j, t);
    ss_orbit_destroy(centre);
    ss_orbit_destroy(other);
    return compared;
}

static int compare_system(random_kind kind, uint64_t seed)
{
    random_system system;
    random_system_make(&system, kind, seed);
    ss_model* model = random_system_model(&system);
    int compared = compare_model(model, 0.37 * system.until);
    ss_model_destroy(model);
    return compared;
}

// Through touch, return and separation of an elastic stop, with friction and a rigid stop on the other side.
static void test_derivatives_through_stops(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        static const double exponents[4] = {1.0, 1.5, 2.0, 2.7};
        rig parts;
        rig_init(&parts);
        int a = rig_body(&parts, 1.0, 0.1, 2.0), b = rig_body(&parts, 0.7, -0.2, 0.4);
        rig_spring(&parts, a, SS_GROUND, 4.0, 0.1);
        rig_spring(&parts, a, b, 3.0, 0.05);
        rig_coulomb(&parts, b, SS_GROUND, 0.2);
        rig_stop(&parts, a, SS_GROUND, -0.6, -1, 0.6);
        ss_contact_def* wall = rig_contact(&parts, rig_row(&parts, a, 1.0, SS_GROUND, 0.0));
        wall->law = SS_LAW_HUNT_CROSSLEY;
        wall->hunt_crossley = (ss_hunt_crossley){
            .position = 0.5, .side = 1, .stiffness = 2e3, .exponent = exponents[k], .alpha = 0.1};
        ss_model* model = rig_model(&parts);
        assert_int_equal(compare_model(model, 1.9), 4);
        ss_model_destroy(model);
    }
}

static void test_derivatives_agree_with_differences(void** state)
{
    (void)state;
    static const random_kind kinds[] = {RANDOM_BODIES, RANDOM_MATRICES, RANDOM_TIED, RANDOM_FORCED,
                                        RANDOM_FALLING};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        int compared = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) compared += compare_system(kinds[k], seed);
        if (compared < 40) fail_msg("kind %d: only %d columns could be compared", (int)kinds[k], compared);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives_through_stops),
        cmocka_unit_test(test_derivatives_agree_with_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
