// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A program that was compiled when definitions were shorter: what it could not know is as the library has it
// by default. A definition that nobody made, or of a newer library, is refused.
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A body as an old program has it: without the speed it starts with.
typedef struct old_body {
    char bytes[offsetof(ss_body_def, start_v)];
} old_body;

static ss_model* make(const void* bodies, size_t body_size)
{
    ss_system_def def = ss_system_def_default();
    def.bodies = bodies, def.body_count = 2, def.body_size = body_size;
    ss_model* model = NULL;
    ss_error err;
    assert_int_equal(ss_model_create(&def, &model, &err), SS_OK);
    return model;
}

static void fill(ss_body_def bodies[2])
{
    static const char* const names[] = {"a", "b"};
    for (int k = 0; k < 2; k++) {
        bodies[k] = ss_body_def_default();
        bodies[k].name = names[k], bodies[k].mass = 1.0 + k, bodies[k].start_x = 10.0 * k;
        bodies[k].start_v = 5.0;
    }
}

// The second of the old bodies stands where its own size says; the speeds are lost, as they were never there.
static void test_elements(void** unused)
{
    (void)unused;
    ss_body_def bodies[2];
    old_body old[2];
    fill(bodies);
    for (int k = 0; k < 2; k++) memcpy(old[k].bytes, &bodies[k], sizeof old[k]);
    ss_model* model = make(old, sizeof old[0]);
    assert_string_equal(ss_model_get_body(model, 1).name, "b");
    assert_true(ss_model_get_body(model, 1).start_x == 10.0 && ss_model_get_body(model, 1).start_v == 0.0);
    ss_model_destroy(model);
    model = make(bodies, sizeof bodies[0]);
    assert_true(ss_model_get_body(model, 1).start_v == 5.0);
    ss_model_destroy(model);
}

// An old definition ends before `ledger`; what follows it in memory says no, and is not looked at: the ledger
// is kept (two free bodies of 1 and 2 kg at 5 m/s have 37.5 J).
static void test_shorter(void** unused)
{
    (void)unused;
    ss_body_def bodies[2];
    fill(bodies);
    ss_model* model = make(bodies, sizeof bodies[0]);
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim = NULL;
    ss_outcome outcome;
    ss_error err;
    def.size = offsetof(ss_sim_def, ledger);
    memset((char*)&def + def.size, 0, sizeof def - def.size);
    assert_int_equal(ss_sim_create(model, &def, &sim, &err), SS_OK);
    assert_int_equal(ss_sim_advance(sim, 1.0, &outcome, &err), SS_OK);
    assert_true(ss_sim_energy(sim).start == 37.5);
    ss_sim_destroy(sim);
    ss_model_destroy(model);
}

static void test_refusals(void** unused)
{
    (void)unused;
    ss_body_def bodies[2];
    fill(bodies);
    ss_model* model = make(bodies, sizeof bodies[0]);
    ss_sim_def def = ss_sim_def_default();
    ss_sim* sim = NULL;
    ss_error err;
    const size_t wrong[] = {0, sizeof def + 8};
    for (int k = 0; k < 2; k++) {
        def.size = wrong[k];
        assert_int_equal(ss_sim_create(model, &def, &sim, &err), SS_BAD_INPUT);
        assert_string_equal(err.field, "size");
        assert_non_null(strstr(err.text, "ss_sim_def_default"));
        assert_null(sim);
    }
    ss_certify_def certify = ss_certify_def_default();
    ss_certificate* certificate = NULL;
    certify.size = 1;
    assert_int_equal(ss_certify(model, &certify, &certificate, &err), SS_BAD_INPUT);
    ss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_shorter),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
