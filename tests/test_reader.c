// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Model files become models: the numbers that were written arrive, in SI. What is said of faults is in the
// transcripts tests/cli/bad-*.txt.
#include "share/model_parts.h"
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Units are factors such as 1e-3: a product may differ by a rounding or two from the number written here.
static void assert_close(double value, double expected)
{
    if (!(fabs(value - expected) <= 4e-16 * fabs(expected))) fail_msg("%.17g is not %.17g", value, expected);
}

static ss_document* parse(const char* text)
{
    ss_document* document = NULL;
    ss_error err;
    char line[1024];
    if (ss_document_parse_yaml("m.yaml", text, strlen(text), &document, &err) != SS_OK)
        fail_msg("%s", ss_error_format(&err, line, sizeof line));
    return document;
}

// The model of a text after some changes: pairs of path and value, the last path NULL.
static ss_model* load(const char* text, const char* const changes[])
{
    ss_document* document = parse(text);
    ss_model* model = NULL;
    ss_error err;
    char line[1024] = "";
    ss_status status = SS_OK;
    for (int i = 0; changes && changes[i] && status == SS_OK; i += 2)
        status = ss_document_set(document, changes[i], changes[i + 1], "--set", &err);
    if (status == SS_OK) status = ss_model_create_from_document(document, &model, &err);
    if (status != SS_OK) fail_msg("%s", ss_error_format(&err, line, sizeof line));
    ss_document_destroy(document); // the model keeps nothing of it
    return model;
}

static ss_status load_file(const char* name, ss_model** model, ss_error* err)
{
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.yaml", SS_SOURCE_DIR, name);
    ss_document* document = NULL;
    ss_status status = ss_document_read_yaml(path, &document, err);
    *model = NULL;
    if (status == SS_OK) status = ss_model_create_from_document(document, model, err);
    ss_document_destroy(document);
    return status;
}

static void test_models_load(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        int bodies, coordinates, contacts;
        double until;
    } truth[] = {
        {"active-passive-pair", 2, 2, 1, 12},   {"block-on-floor", 1, 1, 1, 100},
        {"geared-drive", 2, 1, 2, 60}, // the tie leaves one coordinate
        {"relief-valve", 1, 1, 3, 0.02},        {"stick-slip-belt", 2, 1, 1, 60},
        {"two-blocks", 2, 2, 2, 200},           {"two-blocks-matrices", 2, 2, 2, 100},
        {"two-blocks-relative", 2, 2, 1, 40},   {"two-blocks-sum", 2, 2, 1, 40},
        {"struck-disk", 1, 1, 2, 10},           {"carried-disk", 2, 1, 2, 0.5},
        {"carried-disk-recording", 2, 1, 2, 1},
    };
    for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++) {
        ss_model* model = NULL;
        ss_error err;
        if (load_file(truth[i].name, &model, &err) != SS_OK) fail_msg("%s: %s", truth[i].name, err.text);
        assert_int_equal(ss_model_body_count(model), truth[i].bodies);
        assert_int_equal(ss_model_coordinate_count(model), truth[i].coordinates);
        assert_int_equal(ss_model_contact_count(model), truth[i].contacts);
        assert_close(ss_model_until(model), truth[i].until);
        ss_model_destroy(model);
    }
}

// What belongs to another command is refused by name, not misread.
static void test_models_of_later_versions(void** state)
{
    (void)state;
    static const struct {
        const char *name, *word;
    } truth[] = {{"bar", "a slider"}};
    for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++) {
        ss_model* model = NULL;
        ss_error err;
        assert_int_equal(load_file(truth[i].name, &model, &err), SS_BAD_INPUT);
        assert_null(model);
        assert_non_null(strstr(err.text, truth[i].word));
    }
}

// Seed 002, Example 1: M = 1, C = [c1+c2, -c2; -c2, c1+c2], K = [k1+k2, -k2; -k2, k1+k2], friction mu m g.
static void test_two_blocks(void** state)
{
    (void)state;
    ss_model* model = NULL;
    ss_error err;
    assert_int_equal(load_file("two-blocks", &model, &err), SS_OK);
    static const double M[] = {1, 0, 0, 1}, C[] = {0.125, 0.375, 0.375, 0.125}, K[] = {2, -1, -1, 2};
    double got[4];
    ss_model_get_matrix(model, SS_MATRIX_MASS, got);
    for (int i = 0; i < 4; i++) assert_close(got[i], M[i]);
    ss_model_get_matrix(model, SS_MATRIX_DAMPING, got);
    for (int i = 0; i < 4; i++) assert_close(got[i], C[i]);
    ss_model_get_matrix(model, SS_MATRIX_STIFFNESS, got);
    for (int i = 0; i < 4; i++) assert_close(got[i], K[i]);
    ss_model_get_matrix(model, SS_MATRIX_DIRECTIONS, got);
    for (int i = 0; i < 4; i++) assert_close(got[i], M[i]);
    assert_string_equal(ss_model_title(model), "Two blocks on rough floors");
    assert_string_equal(ss_model_contact_name(model, 1), "floor2");
    assert_close(ss_model_get_law(model, 0).coulomb.forward, 1.0); // 0.1 * 1 kg * 10 m/s^2
    assert_close(ss_model_get_law(model, 0).coulomb.static_backward, 1.0);
    assert_close(ss_model_start_x(model, 0), 4.0);
    assert_close(ss_model_start_x(model, 1), -1.5);
    ss_model_destroy(model);
}

static const char all_fields[] =
    "slipstick: 1\n"
    "title: Everything\n"
    "parameters: {m0: 2 kg, k0: 3 N/mm, twice: 2 * m0}\n"
    "bodies:\n"
    "  a: {mass: twice}\n"
    "  b: {mass: 500 g}\n"
    "  belt: {speed: 72 m/min}\n"
    "  probe: {position: {table: [[0, 1 cm], [1 s, 3 cm]]}}\n"
    "  shaft: {speed: 60 rpm}\n"
    "  rotor: {inertia: 20 g*m^2}\n"
    "connections:\n"
    "  - {between: [a, b], stiffness: k0, damping: 5 N*s/m}\n"
    "  - {along: {rotor: 1}, stiffness: 7 N*m/rad}\n"
    "contacts:\n"
    "  c: {between: [a, belt], law: coulomb, friction: {forward: 1 N, backward: 2 N}, static: 3 N}\n"
    "  s: {between: [b, ground], law: stribeck, coulomb: 1 N, static: 2 N, stribeck_speed: 3 mm/s}\n"
    "  r: {between: [b, a], law: rigid-stop, below: -4 mm, restitution: 0.25}\n"
    "  g: {along: {rotor: 5 cm, a: -1}, law: coulomb, mu: 0.5, normal: 8 N, mu_static: 0.75}\n"
    "  w: {between: [rotor, shaft], law: coulomb, friction: 0.3 N*m}\n"
    "start:\n"
    "  b: {x: 2 cm, v: -36 mm/min}\n"
    "  belt: {x: 7 mm}\n"
    "  rotor: {x: 90 deg, v: 30 rpm}\n"
    "  contacts: {c: {}, s: }\n"
    "run: {until: 2 min}\n";

static void test_bodies_arrive(void** state)
{
    (void)state;
    ss_model* model = load(all_fields, NULL);
    int b = ss_model_body_find(model, "b"), belt = ss_model_body_find(model, "belt");
    int probe = ss_model_body_find(model, "probe"), rotor = ss_model_body_find(model, "rotor");
    int shaft = ss_model_body_find(model, "shaft");
    double M[9], K[9];
    assert_int_equal(ss_model_coordinate_count(model), 3); // a, b, rotor
    ss_model_get_matrix(model, SS_MATRIX_MASS, M);
    assert_close(M[0], 4.0);
    assert_close(M[4], 0.5);
    assert_close(M[8], 0.02);
    ss_model_get_matrix(model, SS_MATRIX_STIFFNESS, K);
    assert_close(K[0], 3000.0);
    assert_close(K[1], -3000.0);
    assert_close(K[8], 7.0);
    assert_close(ss_model_start_x(model, b), 0.02);
    assert_close(ss_model_start_v(model, b), -0.0006);
    assert_true(ss_model_body_is_driven(model, belt) && !ss_model_body_is_angular(model, belt));
    assert_close(ss_model_start_x(model, belt), 0.007);
    assert_close(ss_model_start_v(model, belt), 1.2);
    assert_close(ss_model_start_x(model, probe), 0.01);
    assert_true(ss_model_body_is_angular(model, rotor));
    assert_close(ss_model_start_x(model, rotor), acos(-1.0) / 2);
    assert_close(ss_model_start_v(model, rotor), acos(-1.0));
    assert_true(ss_model_body_is_angular(model, shaft)); // its speed is in rpm
    assert_close(ss_model_start_v(model, shaft), 2 * acos(-1.0));
    assert_close(ss_model_until(model), 120.0);
    ss_model_destroy(model);
}

static void test_contacts_arrive(void** state)
{
    (void)state;
    ss_model* model = load(all_fields, NULL);
    ss_coulomb c = ss_model_get_law(model, 0).coulomb;
    assert_close(c.forward, 1.0);
    assert_close(c.backward, 2.0);
    assert_close(c.static_forward, 3.0);
    assert_close(c.static_backward, 3.0);
    ss_stribeck s = ss_model_get_law(model, 1).stribeck;
    assert_close(s.coulomb, 1.0);
    assert_close(s.static_level, 2.0);
    assert_close(s.speed, 0.003);
    assert_close(s.shape, 2.0);
    assert_true(s.viscous == 0.0);
    ss_rigid_stop r = ss_model_get_law(model, 2).rigid_stop;
    assert_int_equal(r.side, -1);
    assert_close(r.position, -0.004);
    assert_close(r.restitution, 0.25);
    ss_coulomb g = ss_model_get_law(model, 3).coulomb;
    assert_close(g.forward, 4.0);
    assert_close(g.static_backward, 6.0);
    assert_true(ss_model_contact_is_angular(model, 4));
    double W[3 * 5]; // rows a, b, rotor; a column per contact
    ss_model_get_matrix(model, SS_MATRIX_DIRECTIONS, W);
    assert_close(W[0 * 5 + 0], 1.0);
    assert_close(W[0 * 5 + 2], -1.0);
    assert_close(W[1 * 5 + 2], 1.0);
    assert_close(W[0 * 5 + 3], -1.0);
    assert_close(W[2 * 5 + 3], 0.05);
    ss_model_destroy(model);
}

// The unit of the stiffness belongs to the exponent of the file: an option that changes the exponent, or the
// parameter it is written with, leaves the number in SI as it is. A stiffness that comes with it may be
// written for the new one.
static void test_stiffness_of_another_exponent(void** state)
{
    (void)state;
    static const char text[] = "slipstick: 1\ntitle: t\nparameters: {n: 1.5}\nbodies: {a: {mass: 1 kg}}\n"
                               "contacts:\n  s: {between: [a, ground], law: hunt-crossley, below: 2 mm, "
                               "stiffness: 8 N/mm^1.5, exponent: n, alpha: 3 s/m}\n";
    static const struct {
        const char* changes[5];
        double stiffness, exponent;
    } truth[] = {
        {{NULL}, 8.0 * 31622.776601683792, 1.5},
        {{"contacts.s.exponent", "1.25"}, 8.0 * 31622.776601683792, 1.25},
        {{"parameters.n", "2"}, 8.0 * 31622.776601683792, 2.0},
        {{"contacts.s.exponent", "2", "contacts.s.stiffness", "5 N/m^2"}, 5.0, 2.0},
        {{"contacts.s.exponent", "2", "contacts.s.stiffness", "5 N/m^1.5"}, 5.0, 2.0},
        {{"contacts.s.exponent", "2", "contacts.s.stiffness", "7"}, 7.0, 2.0},
    };
    for (size_t k = 0; k < sizeof truth / sizeof truth[0]; k++) {
        ss_model* model = load(text, truth[k].changes);
        ss_hunt_crossley law = ss_model_get_law(model, 0).hunt_crossley;
        assert_close(law.stiffness, truth[k].stiffness);
        assert_close(law.exponent, truth[k].exponent);
        assert_close(law.position, 0.002);
        assert_close(law.alpha, 3.0);
        assert_int_equal(law.side, -1);
        ss_model_destroy(model);
    }
}

// A level that varies in time: what is asked of the model is its value at t = 0; without a static level the
// kinetic one holds.
static void test_levels_in_time(void** state)
{
    (void)state;
    ss_model* model =
        load("slipstick: 1\ntitle: t\nbodies: {a: {mass: 1}}\n"
             "contacts:\n"
             "  f: {between: [a, ground], law: coulomb, friction: \"2 N + 1 N * cos(3 rad/s * t)\"}\n"
             "  n: {between: [a, ground], law: coulomb, mu: 0.5, normal: {table: [[0, 4 N], [1, 8 N]]}}\n",
             NULL);
    assert_close(ss_model_get_law(model, 0).coulomb.forward, 3.0);
    assert_close(ss_model_get_law(model, 0).coulomb.static_forward, 3.0);
    assert_close(ss_model_get_law(model, 1).coulomb.backward, 2.0);
    ss_model_destroy(model);
}

static void test_empty_sections(void** state)
{
    (void)state;
    static const char* const empty[] = {"", " {}", " []", " ~"};
    for (size_t i = 0; i < 4; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "slipstick: 1\ntitle: t\nbodies: {a: {mass: 1}}\nparameters:%s\nties:%s\nconnections:%s\n"
                 "forces:%s\ncontacts:%s\nstart:%s\nrun:%s\n",
                 empty[i], empty[i], empty[i], empty[i], empty[i], empty[i], empty[i]);
        ss_model* model = load(text, NULL);
        assert_int_equal(ss_model_contact_count(model), 0);
        assert_close(ss_model_until(model), 100.0);
        ss_model_destroy(model);
    }
}

static void test_matrices(void** state)
{
    (void)state;
    // z = T q with both z equal to q1: M = 1 + 2, K = sum of K, W = sum of W's rows.
    ss_model* model = load("slipstick: 1\ntitle: t\nmatrices:\n"
                           "  M: [[1, 0], [0, 2 kg]]\n"
                           "  K: [[2 N/m, -1], [-1, 2]]\n"
                           "  W: [[1, -1], [0.5, 1]]\n"
                           "  friction: [0.6, 900 mN]\n"
                           "  T: [[1], [1]]\n"
                           "  f: [1, 0]\n"
                           "start: {q1: {x: 3, v: -1 m/s}, contacts: {c1: {}}}\n",
                           NULL);
    double M[1], C[1], K[1], W[2];
    assert_true(ss_model_is_matrices(model));
    assert_int_equal(ss_model_coordinate_count(model), 1);
    ss_model_get_matrix(model, SS_MATRIX_MASS, M);
    ss_model_get_matrix(model, SS_MATRIX_DAMPING, C);
    ss_model_get_matrix(model, SS_MATRIX_STIFFNESS, K);
    ss_model_get_matrix(model, SS_MATRIX_DIRECTIONS, W);
    assert_close(M[0], 3.0);
    assert_true(C[0] == 0.0);
    assert_close(K[0], 2.0);
    assert_close(W[0], 1.5);
    assert_true(W[1] == 0.0);
    assert_string_equal(ss_model_contact_name(model, 1), "c2");
    assert_close(ss_model_get_law(model, 1).coulomb.forward, 0.9);
    assert_close(ss_model_start_x(model, 0), 3.0);
    assert_close(ss_model_start_v(model, 0), -1.0);
    ss_model_destroy(model);
}

// A bare number has the dimension of the number it replaces: parameters keep their unit, factors too.
static void test_set_keeps_dimensions(void** state)
{
    (void)state;
    static const char* const changes[] = {"parameters.k0",
                                          "6",
                                          "parameters.m0",
                                          "5",
                                          "contacts.g.along.rotor",
                                          "0.02",
                                          "b.x",
                                          "0.5",
                                          "connections[0].length",
                                          "1 mm",
                                          NULL};
    ss_model* model = load(all_fields, changes);
    double M[9], K[9], W[3 * 5];
    ss_model_get_matrix(model, SS_MATRIX_MASS, M);
    ss_model_get_matrix(model, SS_MATRIX_STIFFNESS, K);
    ss_model_get_matrix(model, SS_MATRIX_DIRECTIONS, W);
    assert_close(M[0], 10.0); // mass: twice, which follows m0
    assert_close(K[0], 6.0);  // 6 N/m: SI, whatever the prefix in the file
    assert_close(W[2 * 5 + 3], 0.02);
    assert_close(ss_model_start_x(model, ss_model_body_find(model, "b")), 0.5);
    ss_model_destroy(model);
}

// Fields the file does not mention, entries of lists, tables and matrices.
static void test_set_reaches_everything(void** state)
{
    (void)state;
    static const char* const bodies[] = {"connections[1].damping",
                                         "0.5",
                                         "start.a.v",
                                         "1",
                                         "run.until",
                                         "3",
                                         "bodies.probe.position.table[0][1]",
                                         "5 mm",
                                         "contacts.s.viscous",
                                         "4",
                                         "contacts.c.friction.backward",
                                         "2.5",
                                         NULL};
    ss_model* model = load(all_fields, bodies);
    double C[9];
    ss_model_get_matrix(model, SS_MATRIX_DAMPING, C);
    assert_close(C[8], 0.5);
    assert_close(ss_model_start_v(model, 0), 1.0);
    assert_close(ss_model_until(model), 3.0);
    assert_close(ss_model_start_x(model, ss_model_body_find(model, "probe")), 0.005);
    assert_close(ss_model_get_law(model, 1).stribeck.viscous, 4.0);
    assert_close(ss_model_get_law(model, 0).coulomb.backward, 2.5);
    ss_model_destroy(model);

    static const char* const entries[] = {
        "matrices.K[0][1]", "-0.5", "matrices.K[1][0]", "-0.5", "q2.x", "7", NULL};
    model = load("slipstick: 1\ntitle: t\nmatrices: {M: [[1, 0], [0, 1]], K: [[2, -1], [-1, 2]], "
                 "W: [[1], [0]], friction: [1]}\n",
                 entries);
    double K[4];
    ss_model_get_matrix(model, SS_MATRIX_STIFFNESS, K);
    assert_close(K[1], -0.5);
    assert_close(ss_model_start_x(model, 1), 7.0);
    ss_model_destroy(model);
}

// The file says mu and normal; an option that gives the friction itself replaces both.
static void test_set_friction_over_mu(void** state)
{
    (void)state;
    static const char text[] = "slipstick: 1\ntitle: t\nbodies: {a: {mass: 1}}\n"
                               "contacts: {f: {between: [a, ground], law: coulomb, mu: 0.1, normal: 10 N}}\n";
    static const char* const changes[] = {"contacts.f.friction", "2", NULL};
    ss_model* model = load(text, changes);
    assert_close(ss_model_get_law(model, 0).coulomb.forward, 2.0);
    assert_close(ss_model_get_law(model, 0).coulomb.static_forward, 2.0);
    ss_model_destroy(model);
}

// Errors fill the caller's struct, and a caller without one is welcome.
static void test_error_fields(void** state)
{
    (void)state;
    ss_document* document = parse("slipstick: 1\ntitle: t\nbodies:\n  a: {mass: \"1 \xc3\xa4 kg\"}\n");
    ss_model* model = NULL;
    ss_error err;
    assert_int_equal(ss_model_create_from_document(document, &model, &err), SS_BAD_INPUT);
    assert_null(model);
    assert_int_equal(err.status, SS_BAD_INPUT);
    assert_string_equal(err.origin, "m.yaml");
    assert_string_equal(err.field, "bodies.a.mass");
    assert_int_equal(err.line, 4);
    assert_int_equal(err.column, 16);
    assert_int_equal(ss_model_create_from_document(document, &model, NULL), SS_BAD_INPUT);
    ss_document_destroy(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models_load),
        cmocka_unit_test(test_models_of_later_versions),
        cmocka_unit_test(test_two_blocks),
        cmocka_unit_test(test_bodies_arrive),
        cmocka_unit_test(test_contacts_arrive),
        cmocka_unit_test(test_levels_in_time),
        cmocka_unit_test(test_stiffness_of_another_exponent),
        cmocka_unit_test(test_empty_sections),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_set_keeps_dimensions),
        cmocka_unit_test(test_set_reaches_everything),
        cmocka_unit_test(test_set_friction_over_mu),
        cmocka_unit_test(test_error_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
