// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The table of laws: rows that are whole, and laws at a point whose derivatives are those of their values.
#include "law/table.h"
#include "random_system.h"
#include "share/law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 200 };

static void test_rows_are_whole(void** state)
{
    (void)state;
    for (int i = 0; i < ss_law_count(); i++) {
        const ss_law* law = ss_law_entry((ss_law_kind)i);
        assert_non_null(law);
        for (int j = 0; j < i; j++) assert_string_not_equal(law->name, ss_law_name((ss_law_kind)j));
        // a law holds, has bristles or stops, and just one of these
        int kinds = ss_law_has((ss_law_kind)i, SS_TRAIT_HOLDS) + ss_law_has((ss_law_kind)i, SS_TRAIT_STOPS) +
                    ss_law_has((ss_law_kind)i, SS_TRAIT_BRISTLES);
        assert_int_equal(kinds, 1);
        for (const ss_key* key = law->keys.list; key->name; key++) {
            assert_true(key->form >= SS_KEY_SIDE || key->place + sizeof(double) <= law->size);
            for (const ss_key* other = law->keys.list; other != key; other++)
                assert_string_not_equal(key->name, other->name);
        }
        if (law->traits & SS_TRAIT_Z) assert_true(law->point.at && law->facts && law->energies);
        // Bristles that are springs at rest say all that proofs of rest ask. A state that ages at rest and
        // the text of a user give no bounds: such a law says nothing, and no proof is tried.
        bool unknown = law->traits & (SS_TRAIT_AGES | SS_TRAIT_OWN);
        if ((law->traits & SS_TRAIT_Z) && !unknown) assert_non_null(law->point.near_rest);
        if (unknown) assert_null(law->point.near_rest);
        assert_non_null(law->report.say);
    }
    assert_null(ss_law_entry((ss_law_kind)ss_law_count()));
}

// ---- what a law says of itself

typedef struct heard {
    bool passive;
    int flags, ratios;
    double ratio;
} heard;

static void hear(heard* h, const ss_law_fact* fact)
{
    if (fact->kind == SS_FACT_FLAG) {
        assert_string_equal(fact->key, "passive");
        h->flags++;
        h->passive = fact->value != 0.0;
    }
    if (strcmp(fact->key, "damping_ratio") != 0) return;
    h->ratios++;
    h->ratio = fact->value;
}

// [R15]: passive where sigma2 >= sigma1 (static - coulomb)/coulomb = 2; the bristles alone are an oscillator
// with damping ratio (sigma1 + sigma2)/(2 sqrt(sigma0 m)).
static void test_lugre_says_whether_it_is_passive(void** state)
{
    (void)state;
    const ss_law* row = ss_law_entry(SS_LAW_LUGRE);
    for (int k = 0; k < 2; k++) {
        ss_lugre law = {.sigma0 = 100.0, .sigma1 = 4.0, .coulomb = 2.0, .static_level = 3.0, .speed = 0.1};
        law.sigma2 = k ? 2.0 : 1.9;
        heard h = {.flags = 0};
        ss_law_said said = {.count = 0};
        const ss_law_place place = {.mass = 0.25, .way = "m", .unit = "N"};
        row->report.say(&law, &place, &said);
        for (int i = 0; i < said.count; i++) hear(&h, &said.facts[i]);
        assert_int_equal(h.flags, 1);
        assert_int_equal(h.ratios, 1);
        assert_true(h.passive == (k == 1));
        assert_true(fabs(h.ratio - (4.0 + law.sigma2) / 10.0) < 1e-15);
        assert_true((said.doubt[0] != '\0') == (k == 0));
    }
}

// Words that are too many are cut, and end as text does.
static void test_words_stay_in_their_room(void** state)
{
    (void)state;
    ss_law_said words = {.used = 0};
    for (int k = 0; k < 200; k++) ss_law_words_add(&words, "%d words and ", k);
    assert_int_equal(strlen(words.text), sizeof words.text - 1);
    assert_int_equal(words.used, sizeof words.text - 1);
}

// ---- slopes

// Central differences of a smooth function are right to h^2 and lose digits as epsilon/h: with h = 1e-5 of
// the scale, 1e-8 of the size is a fair bound.
static double slope(const ss_law* row, const void* law, ss_law_point at, size_t input, size_t output)
{
    double* x = (double*)((char*)&at + input);
    double middle = *x, h = 1e-5 * (fabs(middle) + 1e-3), value[2];
    for (int side = 0; side < 2; side++) {
        ss_response out;
        *x = middle + (side ? h : -h);
        row->point.at(law, &at, &out);
        value[side] = *(double*)((char*)&out + output);
    }
    return (value[1] - value[0]) / (2.0 * h);
}

static void check_slopes(ss_law_kind kind, const void* law, ss_law_point at, double size)
{
    const ss_law* row = ss_law_entry(kind);
    ss_response p;
    row->point.at(law, &at, &p);
    const struct {
        const char* name;
        double value;
        size_t input, output;
    } slopes[] = {
        {"force by v", p.force_v, offsetof(ss_law_point, v), offsetof(ss_response, force)},
        {"force by z", p.force_z, offsetof(ss_law_point, z), offsetof(ss_response, force)},
        {"rate by v", p.rate_v, offsetof(ss_law_point, v), offsetof(ss_response, rate)},
        {"rate by z", p.rate_z, offsetof(ss_law_point, z), offsetof(ss_response, rate)},
    };
    for (size_t k = 0; k < sizeof slopes / sizeof slopes[0]; k++)
        expect_near(slopes[k].name, slope(row, law, at, slopes[k].input, slopes[k].output), slopes[k].value,
                    1e-7 * (fabs(slopes[k].value) + size));
}

static void test_bristles_at_a_point(void** state)
{
    (void)state;
    random_source source = {11};
    for (int k = 0; k < POINTS; k++) {
        ss_lugre lugre = {.sigma0 = random_between(&source, 1.0, 100.0),
                          .sigma1 = random_between(&source, 0.0, 3.0),
                          .sigma2 = random_between(&source, 0.0, 3.0),
                          .coulomb = 1.0,
                          .static_level = random_between(&source, 1.0, 2.0),
                          .speed = random_between(&source, 0.1, 1.0),
                          .shape = random_between(&source, 1.0, 2.5)};
        ss_dahl dahl = {lugre.sigma0, 1.0, random_between(&source, 0.5, 2.0)};
        double sign = k % 2 ? 1.0 : -1.0;
        ss_law_point at = {.v = sign * random_between(&source, 0.05, 2.0),
                           .sign = sign,
                           .z = random_between(&source, -0.9, 0.9) / lugre.sigma0};
        ss_response p;
        check_slopes(SS_LAW_LUGRE, &lugre, at, lugre.sigma0 * (1.0 + lugre.sigma1));
        check_slopes(SS_LAW_DAHL, &dahl, at, lugre.sigma0);
        ss_law_entry(SS_LAW_LUGRE)->point.at(&lugre, &at, &p);
        expect_near("LuGre's rate", p.rate, ss_lugre_rate(&lugre, at.z, at.v), 1e-14);
        expect_near("LuGre's force", p.force, ss_lugre_force(&lugre, at.z, at.v), 1e-13);
        ss_law_entry(SS_LAW_DAHL)->point.at(&dahl, &at, &p);
        expect_near("Dahl's rate", p.rate, ss_dahl_rate(&dahl, at.z, at.v), 1e-14);
        expect_near("Dahl's force", p.force, ss_dahl_force(&dahl, at.z), 1e-14);
        // what is stored and lost is what the force takes: -force v = d(stored)/dt + loss
        ss_law_entry(SS_LAW_LUGRE)->point.at(&lugre, &at, &p);
        ss_law_energies energies = {.stored = 0.0};
        ss_law_entry(SS_LAW_LUGRE)->energies(&lugre, &(ss_along){.z = {at.z}}, 0, 0.0, at.v, &energies);
        expect_near("LuGre's power", -p.force * at.v, lugre.sigma0 * at.z * p.rate + energies.loss, 1e-12);
    }
}

// About a rest at z, z' is the share of v that the row says and z'' that of v', within its bounds; and these
// fall to nothing with the motion.
static void check_near_rest(ss_law_kind kind, const void* law, double full, bool by_rate,
                            random_source* source)
{
    const ss_law* row = ss_law_entry(kind);
    double z = full * random_between(source, -1.0, 1.0), least = INFINITY;
    for (double size = 1.0; size > 1e-9; size *= 0.1) {
        double dz = 0.3 * size * full, most = size * random_between(source, 0.0, 1.0);
        ss_law_near_rest near_rest;
        row->point.near_rest(law, z, dz, most, &near_rest);
        for (int k = 0; k < 8; k++) {
            double sign = k % 2 ? 1.0 : -1.0, share = near_rest.share[k % 2 ? 0 : 1],
                   a = random_between(source, -2.0, 2.0);
            ss_law_point at = {.v = sign * most * random_between(source, 0.0, 1.0),
                               .sign = sign,
                               .z = z + dz * random_between(source, -1.0, 1.0)};
            ss_response p;
            row->point.at(law, &at, &p);
            assert_true(fabs(p.rate - share * at.v) <=
                        near_rest.off * fabs(at.v) * (1.0 + 1e-9) + 1e-15 * fabs(at.v));
            double second = p.rate_v * a + p.rate_z * p.rate;
            assert_true(!by_rate || fabs(second - share * a) <=
                                        near_rest.off_a * fabs(a) + near_rest.off_v * fabs(at.v) + 1e-14);
        }
        least = near_rest.off + near_rest.off_a + near_rest.off_v;
    }
    assert_true(least < 1e-2);
}

static void test_near_rest_of_bristles(void** state)
{
    (void)state;
    random_source source = {13};
    for (int k = 0; k < POINTS; k++) {
        ss_lugre lugre = {.sigma0 = random_between(&source, 1.0, 100.0),
                          .sigma1 = 1.0,
                          .coulomb = 1.0,
                          .static_level = k % 3 ? random_between(&source, 1.0, 2.0) : 1.0,
                          .speed = random_between(&source, 0.1, 1.0),
                          .shape = random_between(&source, 0.5, 2.5)};
        ss_dahl dahl = {lugre.sigma0, 1.0, random_between(&source, 0.5, 2.0)};
        ss_elasto_plastic plastic = {lugre, random_between(&source, 0.1, 0.9) / lugre.sigma0};
        check_near_rest(SS_LAW_LUGRE, &lugre, lugre.static_level / lugre.sigma0, true, &source);
        check_near_rest(SS_LAW_DAHL, &dahl, 1.0 / lugre.sigma0, false, &source);
        check_near_rest(SS_LAW_ELASTO_PLASTIC, &plastic, lugre.static_level / lugre.sigma0, true, &source);
    }
}

static void test_falling_friction_and_stops_at_a_point(void** state)
{
    (void)state;
    random_source source = {12};
    for (int k = 0; k < POINTS; k++) {
        double sign = k % 2 ? 1.0 : -1.0;
        ss_stribeck stribeck = {1.0, random_between(&source, 1.0, 2.0), random_between(&source, 0.1, 1.0),
                                random_between(&source, 1.0, 2.5), random_between(&source, 0.0, 1.0)};
        ss_hunt_crossley stop = {.side = k % 4 < 2 ? 1 : -1,
                                 .stiffness = random_between(&source, 1.0, 100.0),
                                 .exponent = random_between(&source, 1.0, 2.5),
                                 .alpha = random_between(&source, 0.0, 0.3)};
        ss_law_point at = {.y = random_between(&source, 0.1, 1.0),
                           .v = sign * random_between(&source, 0.05, 2.0),
                           .sign = sign};
        ss_response p;
        check_slopes(SS_LAW_STRIBECK, &stribeck, at, 1.0);
        check_slopes(SS_LAW_HUNT_CROSSLEY, &stop, at, stop.stiffness);
        ss_law_entry(SS_LAW_STRIBECK)->point.at(&stribeck, &at, &p);
        expect_near("Stribeck's force", p.force, ss_stribeck_force(&stribeck, at.v, 0.0), 1e-14);
        ss_law_entry(SS_LAW_HUNT_CROSSLEY)->point.at(&stop, &at, &p);
        expect_near("the stop's force", p.force,
                    -stop.side * ss_hunt_crossley_push(&stop, at.y, stop.side * at.v), 1e-12);
        // by the place: the penetration grows with side times the way
        double by_p = slope(ss_law_entry(SS_LAW_HUNT_CROSSLEY), &stop, at, offsetof(ss_law_point, y),
                            offsetof(ss_response, force));
        expect_near("force by place", p.force_y, stop.side * by_p, 1e-7 * stop.stiffness);
        ss_elastic_stop damped = {.side = stop.side,
                                  .stiffness = stop.stiffness,
                                  .exponent = stop.exponent,
                                  .damping = random_between(&source, 0.0, 1.0),
                                  .limited = at.v * stop.side > 0.0};
        double spring = damped.stiffness * pow(at.y, damped.exponent);
        at.branch = damped.limited && damped.damping * fabs(at.v) > spring;
        ss_law_entry(SS_LAW_ELASTIC_STOP)->point.at(&damped, &at, &p);
        check_slopes(SS_LAW_ELASTIC_STOP, &damped, at, damped.stiffness);
        double push = ss_elastic_stop_push(&damped, at.y, damped.side * at.v);
        if (push > 0.0) expect_near("the damped stop's force", p.force, -damped.side * push, 1e-12 * spring);
    }
}

// Elements in parallel that are pulled slowly from no force: the first time they give sum min(k x, F), and
// after a reversal at (X, F(X)) Masing's rule has it, F(X) - 2 F((X - x)/2).
static double first_pull(const double stiffness[], const double slip[], int count, double x)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += fmin(stiffness[i] * x, slip[i]);
    return sum;
}

static void check_walk(ss_law_kind kind, const void* law, const double stiffness[], const double slip[],
                       int count)
{
    enum { STEPS = 300 };
    const ss_law_elements* elements = &ss_law_entry(kind)->elements;
    double x[2 * STEPS], force[2 * STEPS], most = 1.5 * ss_law_ask(ss_law_entry(kind), law, NAN).reach;
    for (int k = 0; k < STEPS; k++) {
        x[k] = most * (k + 1) / STEPS;
        x[STEPS + k] = most - 2.0 * most * (k + 1) / STEPS;
    }
    assert_true(elements->walk(law, x, 2 * STEPS, force));
    double top = first_pull(stiffness, slip, count, most);
    for (int k = 0; k < STEPS; k++) {
        expect_near("first", -force[k], first_pull(stiffness, slip, count, x[k]), 1e-6 * top);
        expect_near("back", -force[STEPS + k],
                    top - 2.0 * first_pull(stiffness, slip, count, 0.5 * (most - x[STEPS + k])), 1e-6 * top);
    }
}

static void test_elements_pulled_slowly(void** state)
{
    (void)state;
    enum { COUNT = 3 };
    const double stiffness[COUNT] = {1e4, 3e3, 1e3}, share[COUNT] = {0.5, 0.3, 0.2};
    double slip[COUNT], memory[4000];
    ss_maxwell_slip maxwell;
    ss_error err;
    for (int i = 0; i < COUNT; i++) slip[i] = 1.5 * share[i];
    assert_true(ss_maxwell_slip_size(COUNT) <= sizeof memory);
    assert_int_equal(ss_maxwell_slip_make(stiffness, slip, COUNT, memory, &maxwell, &err), SS_OK);
    check_walk(SS_LAW_MAXWELL_SLIP, &maxwell, stiffness, slip, COUNT);
    const ss_gms gms = {.count = COUNT,
                        .stiffness = stiffness,
                        .share = share,
                        .coulomb = 1.0,
                        .static_level = 1.5,
                        .speed = 1e-3,
                        .shape = 2.0,
                        .attraction = 50.0};
    check_walk(SS_LAW_GMS, &gms, stiffness, slip, COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_whole),
        cmocka_unit_test(test_lugre_says_whether_it_is_passive),
        cmocka_unit_test(test_words_stay_in_their_room),
        cmocka_unit_test(test_bristles_at_a_point),
        cmocka_unit_test(test_near_rest_of_bristles),
        cmocka_unit_test(test_falling_friction_and_stops_at_a_point),
        cmocka_unit_test(test_elements_pulled_slowly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
