// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What laws have by hand where a profile pays, against what follows from their formulas: the same
// coefficients, values and derivatives, and the same motions.
#include "law/formula/formula.h"
#include "model/model_impl.h"
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

// The row of a law with what the engine asks along a run made from its formula.
static ss_law by_formula(ss_law_kind kind)
{
    const ss_law* own = ss_law_entry(kind);
    ss_law row = {.name = own->name,
                  .traits = own->traits,
                  .size = own->size,
                  .keys = own->keys,
                  .formula = own->formula,
                  SS_BY_FORMULA,
                  .report = own->report};
    row.facts = own->facts;
    row.point.near_rest = own->point.near_rest;
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
                      .shape = (double)random_integer(r, 1, 3)};
}

// Any law that is a formula: all of its numbers are doubles.
typedef union any_law {
    ss_lugre lugre;
    ss_dahl dahl;
    ss_elasto_plastic elasto_plastic;
    ss_stribeck stribeck;
    ss_formula_law numbers;
} any_law;

static any_law draw(random_source* r, ss_law_kind kind)
{
    ss_lugre l = draw_lugre(r);
    any_law law = {.numbers = {{0.0}}};
    if (kind == SS_LAW_LUGRE) law.lugre = l;
    if (kind == SS_LAW_DAHL) law.dahl = (ss_dahl){l.sigma0, l.coulomb, 0.5 * (double)random_integer(r, 2, 4)};
    if (kind == SS_LAW_ELASTO_PLASTIC)
        law.elasto_plastic = (ss_elasto_plastic){l, random_between(r, 0.2, 0.8) * l.coulomb / l.sigma0};
    if (kind == SS_LAW_STRIBECK)
        law.stribeck = (ss_stribeck){l.coulomb, l.static_level, l.speed, l.shape, l.sigma2};
    return law;
}

enum { LAST = 12 };

// A law along a step.
typedef struct walk {
    const ss_law* row;
    ss_along along;
    ss_pool pool;
    double force[LAST + 1];
} walk;

static void take(walk* w, const any_law* law, const double v[], double z, double sign)
{
    if (w->row->memory.prepare) w->row->memory.prepare(w->row, law, &w->along, &w->pool);
    assert_false(w->pool.failed);
    w->along.sign = sign;
    w->along.z[0] = z;
    w->along.branch = (w->row->traits & SS_TRAIT_BRISTLES) ? -1 : 0;
    for (int k = 0; k <= LAST; k++) {
        w->along.v[k] = v[k];
        w->force[k] = w->row->series.next(law, &w->along, k);
    }
}

static void compare(const char* what, const double a[], const double b[], int last)
{
    double size = 0.0;
    for (int k = 0; k <= last; k++) size = fmax(size, fabs(a[k]));
    for (int k = 0; k <= last; k++) expect_near(what, b[k], a[k], 1e-9 * (1e-3 + size));
}

// How the force changes in all: with v, with z, and by the rate.
static void whole_slopes(const ss_along_slopes* s, double force_v[], double force_z[])
{
    for (int k = 0; k <= LAST; k++) {
        force_v[k] = (s->bends ? s->force_v[k] : 0.0) + (k == 0 ? s->by_v : 0.0);
        force_z[k] = (s->leans ? s->force_z[k] : 0.0) + (k == 0 ? s->by_z : 0.0);
        if (s->state) force_v[k] += s->by_rate * s->rate_v[k];
        if (s->state) force_z[k] += s->by_rate * s->rate_z[k];
    }
}

static int compare_slopes(walk* one, walk* other, const any_law* law)
{
    static ss_along_slopes p, q;
    double a[2][LAST + 1], b[2][LAST + 1];
    p = q = (ss_along_slopes){.bends = false};
    if (!one->row->series.slopes(law, &one->along, LAST, &p)) return 0;
    assert_true(other->row->series.slopes(law, &other->along, LAST, &q));
    whole_slopes(&p, a[0], a[1]);
    whole_slopes(&q, b[0], b[1]);
    compare("force by v", a[0], b[0], LAST);
    if (!p.state) return 1;
    compare("force by z", a[1], b[1], LAST);
    compare("rate by v", p.rate_v, q.rate_v, LAST);
    compare("rate by z", p.rate_z, q.rate_z, LAST);
    return 1;
}

// What the change of the rate does to the force is not in the law's own numbers along a step.
static int compare_numbers(walk* one, walk* other, const any_law* law, const any_law* change, double by_rate)
{
    double a[2][SS_ALONG] = {{0}}, b[2][SS_ALONG] = {{0}};
    if (!one->row->series.by_numbers(law, change, &one->along, LAST, a[0], a[1])) return 0;
    assert_true(other->row->series.by_numbers(law, change, &other->along, LAST, b[0], b[1]));
    bool state = one->row->traits & SS_TRAIT_BRISTLES;
    for (int k = 0; k <= LAST && state; k++) a[0][k] += by_rate * a[1][k];
    compare("force by numbers", a[0], b[0], LAST);
    if (state) compare("rate by numbers", a[1], b[1], LAST);
    return 1;
}

static void compare_points(walk* one, walk* other, const any_law* law, const any_law* change)
{
    ss_law_point at = {
        .v = one->along.v[0], .z = one->along.z[0], .sign = one->along.sign, .along = &one->along};
    ss_response p = {0}, q = {0};
    double a[2] = {0}, b[2] = {0};
    one->row->point.at(law, &at, &p);
    one->row->point.by_numbers(law, change, &at, &a[0], &a[1]);
    at.along = &other->along;
    other->row->point.at(law, &at, &q);
    other->row->point.by_numbers(law, change, &at, &b[0], &b[1]);
    const double *x = (const double*)&p, *y = (const double*)&q;
    for (size_t k = 0; k < offsetof(ss_response, fall) / sizeof *x; k++)
        expect_near("at a point", y[k], x[k], 1e-11 * (1.0 + fabs(x[k])));
    for (int k = 0; k < 2; k++) expect_near("numbers at a point", b[k], a[k], 1e-10 * (1.0 + fabs(a[k])));
}

// Coefficients of force and state for one and the same velocity, their slopes and what numbers do, and the
// same at a point.
static void test_fast_forms(void** state)
{
    static const ss_law_kind kinds[] = {SS_LAW_LUGRE, SS_LAW_DAHL, SS_LAW_ELASTO_PLASTIC, SS_LAW_STRIBECK};
    (void)state;
    random_source r = {.state = 7};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ss_law formula = by_formula(kinds[i]);
        int slopes = 0, numbers = 0;
        for (int round = 0; round < 60; round++) {
            static walk one, other;
            one = (walk){.row = ss_law_entry(kinds[i])};
            other = (walk){.row = &formula};
            any_law law = draw(&r, kinds[i]), change = {.numbers = {{0.0}}};
            for (const ss_key* key = one.row->keys.list; key->name; key++)
                if (strcmp(key->name, "shape") != 0)
                    change.numbers.number[key->place / sizeof(double)] = random_between(&r, -1.0, 1.0);
            double sign = random_integer(&r, 0, 1) ? 1.0 : -1.0, v[LAST + 1],
                   z = random_between(&r, -5e-3, 5e-3);
            for (int k = 0; k <= LAST; k++)
                v[k] = k == 0 ? sign * random_between(&r, 0.05, 1.0) : random_between(&r, -1.0, 1.0);
            if (kinds[i] == SS_LAW_STRIBECK) z = 0.0;
            take(&one, &law, v, z, sign);
            take(&other, &law, v, z, sign);
            compare("force", one.force, other.force, LAST);
            if (kinds[i] != SS_LAW_STRIBECK) compare("state", one.along.z, other.along.z, LAST + 1);
            compare_points(&one, &other, &law, &change);
            slopes += compare_slopes(&one, &other, &law);
            double by_rate = kinds[i] == SS_LAW_DAHL ? 0.0 : -law.lugre.sigma1;
            numbers += compare_numbers(&one, &other, &law, &change, by_rate);
            ss_pool_free(&one.pool);
            ss_pool_free(&other.pool);
        }
        assert_true(slopes > 5 && numbers > 5);
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
    if (row) {
        model->contacts[0].law_entry = row;
        model->contacts[0].law_events = ss_law_ask(row, ss_law_of(&model->contacts[0]), NAN).events;
    }
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
    ss_law lugre = by_formula(SS_LAW_LUGRE), dahl = by_formula(SS_LAW_DAHL),
           elasto = by_formula(SS_LAW_ELASTO_PLASTIC);
    ss_bristle_start nothing = {.z = NAN, .saturation = NAN};
    for (int k = 0; k < 6; k++) {
        ss_lugre law = draw_lugre(&r);
        ss_contact_def one = {.law = SS_LAW_LUGRE, .lugre = law, .start = nothing};
        ss_contact_def two = {.law = SS_LAW_DAHL,
                              .dahl = {.sigma0 = law.sigma0, .coulomb = law.coulomb, .shape = 1.0},
                              .start = nothing};
        compare_motions(&one, &lugre);
        compare_motions(&two, &dahl);
        ss_contact_def three = {.law = SS_LAW_ELASTO_PLASTIC,
                                .elasto_plastic = {law, 0.4 * law.coulomb / law.sigma0},
                                .start = nothing};
        compare_motions(&three, &elasto);
    }
}

// The programs of the formula are part of a run that is saved.
static void test_saved(void** state)
{
    (void)state;
    random_source r = {.state = 3};
    ss_law row = by_formula(SS_LAW_LUGRE);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fast_forms), cmocka_unit_test(test_motions),
                                       cmocka_unit_test(test_saved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
