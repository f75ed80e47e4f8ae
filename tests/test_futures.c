// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The note `many-futures`: it is logged where levels that fall at the start of slip leave several motions
// possible, which can be told by hand here, and not elsewhere.
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static rig r;
static run m;
static ss_model* model;

static void add_falling(ss_row_def row, double kinetic, double at_rest)
{
    ss_contact_def* contact = rig_contact(&r, row);
    contact->law = SS_LAW_COULOMB;
    contact->coulomb = (ss_coulomb){kinetic, kinetic, at_rest, at_rest};
}

static void begin(void) { model = run_start_rig(&m, &r); }

static void end(void) { run_end(&m, model, INFINITY); }

// A block of 1 kg, two contacts on its row, force p(t).
static void two_on_one_row(double v, const char* force, const double levels[4], double until)
{
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, v);
    rig_force(&r, 0, force);
    for (int i = 0; i < 2; i++)
        add_falling(rig_row(&r, 0, 1.0, SS_GROUND, 0.0), levels[2 * i], levels[2 * i + 1]);
    begin();
    run_to(&m, until);
}

// Static levels of 2 N and 2 N hold up to 4 N if the force is shared equally. If one contact carries 2 N
// earlier, it lets go, and the other one cannot hold above 3 N. After 4 s, x'' = t - 2.
static void test_split_decides_when_a_hold_ends(void** state)
{
    (void)state;
    two_on_one_row(0.0, "t", (const double[]){1.0, 2.0, 1.0, 2.0}, 5.0);
    expect_event(&m, 0, 4.0, 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-12);
    expect_near("speed", ss_sim_v(m.sim)[0], 2.5, 1e-12);
    assert_true(run_has_note(&m, "many-futures: released from a hold of undetermined forces"));
    end();
    two_on_one_row(0.0, "t", (const double[]){2.0, 2.0, 2.0, 2.0}, 5.0); // one motion only
    expect_event(&m, 0, 4.0, 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-12);
    assert_false(run_has_note(&m, "many-futures"));
    end();
}

// A block comes to rest against its load. The static levels, 10 N and 5 N, hold both loads; the kinetic ones,
// 1 N and 5 N, hold the smaller load too, however the contacts share it.
static void test_slip_is_possible_or_not_whatever_the_split(void** state)
{
    (void)state;
    const double levels[4] = {1.0, 10.0, 5.0, 5.0};
    two_on_one_row(-1.0, "5.5", levels, 1.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_false(run_has_note(&m, "many-futures"));
    end();
    two_on_one_row(-1.0, "6.5", levels, 1.0);
    assert_int_equal(m.outcome, SS_AT_REST);
    assert_true(run_has_note(&m, "slip with the kinetic force is possible too"));
    end();
}

// A bar of 1 kg with moment of inertia 1 kg m^2 is pulled at its centre with t N and held at both ends, d m
// away. With k = d^2 its ends have the accelerations t - (1 + k) l - (1 - k) l', l and l' being the forces
// at this and the other end. They let go together at l = l' = S. If only one does and has D, the other one
// needs l = (2 S - (1 - k) D)/(1 + k) to hold: no more than S where k > 1, the bar then turning about it.
static void pulled_bar(double k, double kinetic, double at_rest)
{
    double d = sqrt(k);
    rig_init(&r);
    rig_body(&r, 1.0, 0.0, 0.0);
    rig_body(&r, 1.0, 0.0, 0.0);
    rig_force(&r, 0, "t");
    add_falling(rig_full_row(&r, (const double[]){1.0, d}, 2), kinetic, at_rest);
    add_falling(rig_full_row(&r, (const double[]){1.0, -d}, 2), kinetic, at_rest);
    begin();
    run_to(&m, 2.0 * at_rest + 1.0);
    expect_event(&m, 0, 2.0 * at_rest, 0, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-12);
    expect_event(&m, 1, 2.0 * at_rest, 1, SS_MODE_STICK, SS_MODE_SLIP_PLUS, 1e-12);
}

static void test_one_end_could_hold_instead(void** state)
{
    (void)state;
    const char* const text = "many-futures: released with others, but static friction could hold instead";
    pulled_bar(2.0, 1.0, 2.0);
    assert_true(run_has_note(&m, text));
    end();
    pulled_bar(0.5, 1.0, 2.0);
    assert_false(run_has_note(&m, "many-futures"));
    end();
    pulled_bar(2.0, 2.0, 2.0);
    assert_false(run_has_note(&m, "many-futures"));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split_decides_when_a_hold_ends),
        cmocka_unit_test(test_slip_is_possible_or_not_whatever_the_split),
        cmocka_unit_test(test_one_end_could_hold_instead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
