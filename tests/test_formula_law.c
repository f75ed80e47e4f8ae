// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A law without series of its own: LuGre's and Dahl's formulas as expressions, in rows that have nothing else
// of them, against the rows with series made by hand. The same coefficients, values and derivatives, and the
// same motions.
#include "law/formula.h"
#include "model/model.h"
#include "random_system.h"
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void prepare_lugre(const void* self, ss_along* along, ss_pool* pool)
{
    const ss_lugre* law = self;
    ss_law_formula text;
    snprintf(text.rate, sizeof text.rate, "v - %.17g*v*z/(%.17g + %.17g*exp(-(v/%.17g)^2))", law->sigma0,
             law->coulomb, law->static_level - law->coulomb, law->speed);
    snprintf(text.force, sizeof text.force, "%.17g*z + %.17g*rate + %.17g*v", law->sigma0, law->sigma1,
             law->sigma2);
    ss_formula_prepare(&text, along, pool);
}

static void prepare_dahl(const void* self, ss_along* along, ss_pool* pool)
{
    const ss_dahl* law = self;
    ss_law_formula text;
    snprintf(text.rate, sizeof text.rate, "v*(1 - %.17g*z/%.17g)", law->sigma0, law->coulomb);
    snprintf(text.force, sizeof text.force, "%.17g*z", law->sigma0);
    ss_formula_prepare(&text, along, pool);
}

// The row of a law with what the engine asks along a step made from its formula.
static ss_law by_formula(ss_law_kind kind, ss_law_prepare_fn* prepare)
{
    ss_law row = *ss_law_row(kind);
    row.series = (ss_law_steps){.next = ss_formula_next};
    row.events = (ss_law_events){.count = ss_formula_events, .function = ss_formula_event};
    row.memory = (ss_law_memory){.prepare = prepare,
                                 .begin = ss_formula_begin,
                                 .commit = ss_formula_commit,
                                 .pointers = ss_formula_pointers,
                                 .pointer_count = SS_FORMULA_POINTERS};
    row.point.at = ss_formula_at;
    return row;
}

static ss_lugre draw_lugre(random_source* r)
{
    return (ss_lugre){.sigma0 = random_between(r, 20.0, 200.0),
                      .sigma1 = random_between(r, 0.0, 2.0),
                      .sigma2 = random_between(r, 0.0, 0.5),
                      .coulomb = random_between(r, 0.5, 2.0),
                      .static_level = random_between(r, 2.0, 3.0),
                      .speed = random_between(r, 0.1, 1.0),
                      .shape = 2.0};
}

// Coefficients of force and state for one and the same velocity, and force and rate with their slopes.
static void compare_rows(const ss_law* one, const ss_law* other, const void* law, random_source* r)
{
    enum { LAST = 16 };
    static ss_along a, b;
    ss_pool pool = {0};
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    other->memory.prepare(law, &b, &pool);
    assert_false(pool.failed);
    a.sign = b.sign = random_integer(r, 0, 1) ? 1.0 : -1.0;
    a.z[0] = b.z[0] = random_between(r, -5e-3, 5e-3);
    for (int k = 0; k <= LAST; k++) {
        a.v[k] = b.v[k] = k == 0 ? a.sign * random_between(r, 0.05, 1.0) : random_between(r, -1.0, 1.0);
        double force = one->series.next(law, &a, k);
        expect_near("force", other->series.next(law, &b, k), force, 1e-11 * (1.0 + fabs(force)));
        expect_near("state", b.z[k + 1], a.z[k + 1], 1e-11 * (1.0 + fabs(a.z[k + 1])));
    }
    ss_law_point at = {.v = a.v[0], .z = a.z[0], .sign = a.sign, .along = &a};
    ss_response p, q;
    one->point.at(law, &at, &p);
    at.along = &b;
    other->point.at(law, &at, &q);
    const double *x = (const double*)&p, *y = (const double*)&q;
    for (size_t k = 0; k < offsetof(ss_response, fall) / sizeof *x; k++)
        expect_near("at a point", y[k], x[k], 1e-11 * (1.0 + fabs(x[k])));
    ss_pool_free(&pool);
}

static void test_coefficients(void** state)
{
    (void)state;
    random_source r = {.state = 7};
    ss_law lugre = by_formula(SS_LAW_LUGRE, prepare_lugre), dahl = by_formula(SS_LAW_DAHL, prepare_dahl);
    for (int k = 0; k < 50; k++) {
        ss_lugre one = draw_lugre(&r);
        ss_dahl two = {.sigma0 = one.sigma0, .coulomb = one.coulomb, .shape = 1.0};
        compare_rows(ss_law_row(SS_LAW_LUGRE), &lugre, &one, &r);
        compare_rows(ss_law_row(SS_LAW_DAHL), &dahl, &two, &r);
    }
}

// A mass on a spring, shaken, on one contact; row: in place of the contact's own, or NULL.
static ss_model* shake(const ss_contact_def* contact, const ss_law* row, run* m)
{
    static rig r;
    rig_init(&r);
    rig_body(&r, 0.7, 0.1, 0.5);
    rig_spring(&r, 0, SS_GROUND, 12.0, 0.05);
    rig_force(&r, 0, "2.5*sin(3*t) + 0.4");
    ss_contact_def* to = rig_contact(&r, rig_row(&r, 0, 1.0, SS_GROUND, -1.0));
    const char* name = to->name;
    ss_row_def along = to->along;
    *to = *contact;
    to->name = name;
    to->along = along;
    ss_model* model = rig_model(&r);
    if (row) model->contacts[0].law_row = row;
    run_start(m, model, NULL, NULL);
    run_to(m, 6.0);
    return model;
}

static void compare_motions(const ss_contact_def* contact, const ss_law* row)
{
    static run one, other;
    ss_model *first = shake(contact, NULL, &one), *second = shake(contact, row, &other);
    assert_true(one.event_count > 3);
    assert_int_equal(one.event_count, other.event_count);
    for (int e = 0; e < (int)one.event_count; e++) {
        assert_int_equal(one.events[e].to, other.events[e].to);
        expect_near("event", other.events[e].t, one.events[e].t, 1e-9);
    }
    expect_near("x", ss_sim_x(other.sim)[0], ss_sim_x(one.sim)[0], 1e-9);
    expect_near("v", ss_sim_v(other.sim)[0], ss_sim_v(one.sim)[0], 1e-9);
    expect_near("z", ss_sim_contact(other.sim, 0).z, ss_sim_contact(one.sim, 0).z, 1e-10);
    assert_true(run_energy_error(&other) < 1e-9);
    run_stop(&one);
    run_stop(&other);
    ss_model_destroy(first);
    ss_model_destroy(second);
}

static void test_motions(void** state)
{
    (void)state;
    random_source r = {.state = 11};
    ss_law lugre = by_formula(SS_LAW_LUGRE, prepare_lugre), dahl = by_formula(SS_LAW_DAHL, prepare_dahl);
    ss_bristle_start nothing = {.z = NAN, .saturation = NAN};
    for (int k = 0; k < 6; k++) {
        ss_lugre law = draw_lugre(&r);
        ss_contact_def one = {.law = SS_LAW_LUGRE, .lugre = law, .start = nothing};
        ss_contact_def two = {.law = SS_LAW_DAHL,
                              .dahl = {.sigma0 = law.sigma0, .coulomb = law.coulomb, .shape = 1.0},
                              .start = nothing};
        compare_motions(&one, &lugre);
        compare_motions(&two, &dahl);
    }
}

// The programs of the formula are part of a run that is saved.
static void test_saved(void** state)
{
    (void)state;
    random_source r = {.state = 3};
    ss_law row = by_formula(SS_LAW_LUGRE, prepare_lugre);
    ss_contact_def contact = {
        .law = SS_LAW_LUGRE, .lugre = draw_lugre(&r), .start = {.z = NAN, .saturation = NAN}};
    static run m, again;
    ss_error err;
    ss_model *first = shake(&contact, &row, &m), *second = shake(&contact, &row, &again);
    size_t size = ss_sim_save_size(m.sim);
    void* buffer = malloc(size);
    assert_non_null(buffer);
    assert_int_equal(ss_sim_save(m.sim, buffer, size, &err), SS_OK);
    run_to(&again, 9.0);
    assert_int_equal(ss_sim_load(again.sim, buffer, size, &err), SS_OK);
    run_to(&m, 8.0);
    run_to(&again, 8.0);
    expect_near("x", ss_sim_x(again.sim)[0], ss_sim_x(m.sim)[0], 0.0);
    expect_near("v", ss_sim_v(again.sim)[0], ss_sim_v(m.sim)[0], 0.0);
    free(buffer);
    run_stop(&m);
    run_stop(&again);
    ss_model_destroy(first);
    ss_model_destroy(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_coefficients), cmocka_unit_test(test_motions),
                                       cmocka_unit_test(test_saved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
