// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Any law alone through slipstick/law.h, against numbers that one can work out by hand, and the laws of a
// model as it was defined.
#include "slipstick/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROOM = 4096 }; // doubles: Maxwell-slip has some hundred bins

static double memory[ROOM];
static ss_law_state* const state = (ss_law_state*)memory;

static void begin(const ss_law_def* law, double place)
{
    ss_error err;
    assert_true(ss_law_state_size(law) <= sizeof memory);
    assert_int_equal(ss_law_start(law, place, NULL, state, &err), SS_OK);
}

// Dry friction: 3 N against the motion; at rest what holds, up to 4 N. It keeps no numbers.
static void test_coulomb(void** unused)
{
    (void)unused;
    ss_law_def law = {.kind = SS_LAW_COULOMB, .coulomb = {3.0, 2.0, 4.0, 4.0}};
    begin(&law, 0.0);
    assert_true(ss_law_step(&law, state, 0.5, 1.0) == -3.0);
    assert_true(ss_law_step(&law, state, -0.5, 1.0) == 2.0);
    assert_true(ss_law_force(&law, 0.0, 0.0, 1.5) == 1.5);
    assert_true(ss_law_force(&law, 0.0, 0.0, 9.0) == 4.0);
    assert_true(ss_law_level(&law, 1.0) == 3.0 && ss_law_level(&law, -1.0) == 2.0);
    assert_int_equal(ss_law_numbers(&law, state, NULL), 0);
}

// A long way at constant speed bends the bristles of LuGre to g(v)/sigma0: 1 + 0.5 exp(-1) N at v = speed,
// and 0.4 v of viscous friction come to it.
static void test_lugre(void** unused)
{
    (void)unused;
    ss_law_def law = {.kind = SS_LAW_LUGRE, .lugre = {1e5, 300.0, 0.4, 1.0, 1.5, 0.001, 2.0}};
    double g = 1.0 + 0.5 * exp(-1.0), z;
    begin(&law, 0.0);
    double force = ss_law_step(&law, state, 0.001, 10.0);
    assert_true(fabs(force + g + 0.4 * 0.001) < 1e-12);
    assert_true(fabs(ss_law_level(&law, 0.001) - g) < 1e-15);
    assert_int_equal(ss_law_numbers(&law, state, &z), 1);
    assert_true(fabs(z - g / 1e5) < 1e-18);
    assert_true(fabs(ss_law_stored(&law, state) - 0.5 * 1e5 * z * z) < 1e-20);
    assert_true(fabs(ss_law_rate(&law, z, 0.001)) < 1e-15);
    assert_true(fabs(ss_law_force(&law, z, 0.001, 0.0) - force) < 1e-12);
}

// Two springs of 2 N/m and 1 N/m that slip at 1 N and 3 N: after 1 m the first slips (1 N), the second holds
// (1 N); they store 0.25 J and 0.5 J.
static void test_maxwell_slip(void** unused)
{
    (void)unused;
    const double stiffness[] = {2.0, 1.0}, breakaway[] = {1.0, 3.0};
    ss_law_def law = {.kind = SS_LAW_MAXWELL_SLIP, .maxwell_slip = {stiffness, breakaway, 2}};
    double deflections[2];
    begin(&law, 5.0);
    assert_true(ss_law_step(&law, state, 0.5, 2.0) == -2.0);
    assert_true(fabs(ss_law_stored(&law, state) - 0.75) < 1e-15);
    assert_int_equal(ss_law_numbers(&law, state, deflections), 2);
    assert_true(deflections[0] == 0.5 && deflections[1] == 1.0);
    assert_true(ss_law_level(&law, 1.0) == 4.0);
}

// GMS sticks first: two elements of 1 N/m go 0.1 m and pull with 0.2 N.
static void test_gms(void** unused)
{
    (void)unused;
    const double stiffness[] = {1.0, 1.0}, share[] = {0.5, 0.5};
    ss_law_def law = {.kind = SS_LAW_GMS, .gms = {2, stiffness, share, 1.0, 1.0, 0.1, 2.0, 10.0, 0.0}};
    double forces[2];
    begin(&law, 0.0);
    assert_true(fabs(ss_law_step(&law, state, 0.1, 1.0) + 0.2) < 1e-15);
    assert_int_equal(ss_law_numbers(&law, state, forces), 2);
    assert_true(fabs(forces[0] - 0.1) < 1e-15);
    assert_true(fabs(ss_law_stored(&law, state) - 0.01) < 1e-15);
}

// A spring of 100 N/m as a stop at 1 m, entered from 0.9 m: 0.2 m later it is 0.1 m deep.
static void test_elastic_stop(void** unused)
{
    (void)unused;
    ss_law_def law = {.kind = SS_LAW_ELASTIC_STOP, .elastic_stop = {1.0, 1, 100.0, 1.0, 0.0, false}};
    begin(&law, 0.9);
    assert_true(fabs(ss_law_step(&law, state, 0.1, 2.0) + 10.0) < 1e-12);
    assert_true(fabs(ss_law_stored(&law, state) - 0.5) < 1e-12);
    assert_true(ss_law_force(&law, 0.5, 1.0, 0.0) == 0.0);
}

static void test_refusals(void** unused)
{
    (void)unused;
    ss_error err;
    ss_law_def stop = {.kind = SS_LAW_RIGID_STOP, .rigid_stop = {1.0, 1, 0.5}};
    assert_int_equal(ss_law_start(&stop, 0.0, NULL, state, &err), SS_BAD_INPUT);
    ss_law_def bad = {.kind = SS_LAW_LUGRE, .lugre = {-1.0, 0.0, 0.0, 1.0, 1.0, 0.1, 2.0}};
    assert_int_equal(ss_law_check(&bad, &err), SS_BAD_INPUT);
    ss_law_def none = {.kind = SS_LAW_MAXWELL_SLIP};
    assert_true(ss_law_state_size(&none) == 0);
    assert_int_equal(ss_law_check(&none, &err), SS_BAD_INPUT);
}

// What went into a model can be asked of it, of any law; elements in the order of the definition.
static void test_laws_of_a_model(void** unused)
{
    (void)unused;
    const double stiffness[] = {1.0, 2.0}, breakaway[] = {3.0, 1.0}, share[] = {0.25, 0.75};
    ss_body_def body = ss_body_def_default();
    body.name = "block", body.mass = 2.0;
    const ss_row_def along = {(ss_term[]){{0, 1.0}}, 1};
    ss_contact_def contacts[4];
    for (int k = 0; k < 4; k++) contacts[k] = ss_contact_def_default(), contacts[k].along = along;
    contacts[0].name = "m", contacts[0].law = SS_LAW_MAXWELL_SLIP;
    contacts[0].maxwell_slip = (ss_maxwell_def){stiffness, breakaway, 2};
    contacts[1].name = "g", contacts[1].law = SS_LAW_GMS;
    contacts[1].gms = (ss_gms){2, stiffness, share, 1.0, 1.5, 0.1, 2.0, 10.0, 0.5};
    contacts[2].name = "e", contacts[2].law = SS_LAW_ELASTIC_STOP;
    contacts[2].elastic_stop = (ss_elastic_stop){1.0, 1, 100.0, 1.5, 2.0, true};
    contacts[3].name = "c", contacts[3].coulomb = ss_coulomb_make(1.0);
    ss_system_def def = ss_system_def_default();
    def.title = "laws", def.bodies = &body, def.body_count = 1, def.contacts = contacts,
    def.contact_count = 4;
    ss_model* model = NULL;
    ss_error err;
    assert_int_equal(ss_model_create(&def, &model, &err), SS_OK);

    assert_int_equal(ss_model_get_info(model).contact_count, 4);
    assert_string_equal(ss_model_get_info(model).title, "laws");
    assert_int_equal(ss_model_find(model, SS_PART_CONTACT, "e"), 2);
    assert_int_equal(ss_model_find(model, SS_PART_BODY, "e"), -1);
    assert_true(ss_model_get_contact(model, 3).mass == 2.0 && ss_model_get_contact(model, 0).elements == 2);
    ss_law_def law = ss_model_get_law(model, 0);
    assert_true(law.kind == SS_LAW_MAXWELL_SLIP && law.maxwell_slip.count == 2);
    assert_true(law.maxwell_slip.stiffness[0] == 1.0 && law.maxwell_slip.breakaway[0] == 3.0);
    law = ss_model_get_law(model, 1);
    assert_true(law.gms.static_level == 1.5 && law.gms.share[1] == 0.75);
    law = ss_model_get_law(model, 2);
    assert_true(law.elastic_stop.exponent == 1.5 && law.elastic_stop.limited);
    assert_true(ss_model_get_law(model, 3).coulomb.forward == 1.0);
    double mass;
    ss_model_get_matrix(model, SS_MATRIX_MASS, &mass);
    assert_true(mass == 2.0);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coulomb),         cmocka_unit_test(test_lugre),
        cmocka_unit_test(test_maxwell_slip),    cmocka_unit_test(test_gms),
        cmocka_unit_test(test_elastic_stop),    cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_laws_of_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
