// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Certificates against the reference tables, closed forms, and second ways to compute the same number.
#include "data/certificates.h"
#include "lab/certify/zonotope.h"
#include "random_system.h"
#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ss_certificate* certify(ss_model* model)
{
    ss_certify_def def = ss_certify_def_default();
    ss_certificate* certificate = NULL;
    ss_error err;
    if (ss_certify(model, &def, &certificate, &err) != SS_OK) fail_msg("%s", err.text);
    ss_model_destroy(model); // a certificate stands alone
    return certificate;
}

static ss_model* by_matrices(int n, int m, const double M[], const double C[], const double K[],
                             const double W[], const double friction[])
{
    ss_matrices_def matrices = {.M = ss_matrix_whole(n, n, M),
                                .C = ss_matrix_whole(n, n, C),
                                .K = ss_matrix_whole(n, n, K),
                                .W = ss_matrix_whole(n, m, W),
                                .friction = friction};
    ss_system_def def = ss_system_def_default();
    def.matrices = &matrices;
    ss_model* model = NULL;
    ss_error err;
    if (ss_model_create(&def, &model, &err) != SS_OK) fail_msg("%s", err.text);
    return model;
}

static void expect_known(const char* id, const char* what, double got, double want, double tolerance)
{
    if (isnan(want)) return;
    if (!(fabs(got - want) <= tolerance * fmax(1.0, fabs(want))))
        fail_msg("%s: %s is %.17g, not %.17g", id, what, got, want);
}

// ---- the tables

static ss_model* reference_model(const ref_certificate* r)
{
    if (r->cubic == 0.0) {
        double M[REF_SIZE * REF_SIZE] = {0};
        for (int i = 0; i < r->n; i++) M[i * r->n + i] = r->mass[i];
        return by_matrices(r->n, r->contacts, M, r->C, r->K, r->W, r->friction);
    }
    rig system;
    rig_init(&system);
    int block = rig_body(&system, r->mass[0], 0, 0);
    rig_spring(&system, block, SS_GROUND, r->K[0], r->C[0])->cubic = r->cubic;
    rig_coulomb(&system, block, SS_GROUND, r->friction[0]);
    return rig_model(&system);
}

static void expect_vertices(const ref_certificate* r, const ss_equilibrium_set* set)
{
    if (r->vertex_count == 0) return;
    assert_int_equal(set->vertex_count, r->vertex_count);
    for (int v = 0; v < r->vertex_count; v++) {
        double nearest = INFINITY;
        for (int u = 0; u < r->vertex_count; u++) {
            double off = 0.0;
            for (int i = 0; i < r->n; i++)
                off = fmax(off, fabs(set->vertices[u * r->n + i] - r->vertices[v * r->n + i]));
            nearest = fmin(nearest, off);
        }
        expect_known(r->id, "distance of the nearest vertex", nearest, 0.0, r->tolerance);
    }
}

static void test_reference_tables(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ref_certificates / sizeof *ref_certificates; k++) {
        const ref_certificate* r = &ref_certificates[k];
        ss_certificate* c = certify(reference_model(r));
        bool at_least = r->verdict == SS_LOCAL_SUBSET && c->verdict > r->verdict;
        if (c->verdict != r->verdict && !at_least)
            fail_msg("%s: %s, not %s", r->id, ss_verdict_name(c->verdict), ss_verdict_name(r->verdict));
        if (r->theorem > 0) assert_int_equal(c->theorem, r->theorem);
        if (r->condition_31 != SS_UNKNOWN) assert_int_equal(c->condition_31, r->condition_31);
        if (r->not_positive >= 0) assert_int_equal(c->not_positive, r->not_positive);
        assert_int_equal(c->refuted, r->refuted);
        expect_known(r->id, "beta", c->beta, r->beta, r->tolerance);
        expect_known(r->id, "rho*", c->rho_star, r->rho_star, r->tolerance);
        expect_known(r->id, "rho_energy", c->rho_energy, r->rho_energy, r->tolerance);
        expect_known(r->id, "the paper's beta", c->paper_beta, r->paper_beta, r->tolerance);
        expect_known(r->id, "the paper's rho*", c->paper_rho_star, r->paper_rho_star, r->tolerance);
        expect_known(r->id, "largest energy on E", c->set.max_energy, r->max_energy, r->tolerance);
        for (int i = 0; i < r->n; i++) {
            expect_known(r->id, "eigenvalue", c->eigenvalues[i], r->eigenvalues[i], r->tolerance);
            expect_known(r->id, "half width", c->set.half_widths[i], r->half_widths[i], r->tolerance);
        }
        expect_vertices(r, &c->set);
        ss_certificate_destroy(c);
    }
}

// ---- verdicts known from the physics

typedef struct block {
    double damping, cubic, length, force;
    ss_coulomb law;
} block;

// One block on a spring of 2 N/m.
static ss_certificate* certify_block(const block* b)
{
    rig system;
    rig_init(&system);
    int body = rig_body(&system, 1.0, 0.0, 0.0);
    ss_connection_def* spring = rig_spring(&system, body, SS_GROUND, 2.0, b->damping);
    spring->cubic = b->cubic;
    spring->length = b->length;
    rig_coulomb(&system, body, SS_GROUND, 1.0)->coulomb = b->law;
    if (b->force != 0.0) {
        char text[32];
        snprintf(text, sizeof text, "%.17g", b->force);
        rig_force(&system, body, text);
    }
    return certify(rig_model(&system));
}

static void expect_interval(const ss_certificate* c, double low, double high)
{
    ss_membership place;
    for (int side = -1; side <= 1; side += 2) {
        double edge = side < 0 ? low : high, inside = edge - side * 1e-9, outside = edge + side * 0.25;
        assert_int_equal(ss_certificate_locate(c, &inside, &place, NULL), SS_OK);
        assert_true(place.inside);
        assert_int_equal(ss_certificate_locate(c, &outside, &place, NULL), SS_OK);
        assert_false(place.inside);
        expect_known("interval", "distance", place.distance, 0.25, 1e-12);
    }
    expect_known("interval", "half width", c->set.half_widths[0], 0.5 * (high - low), 1e-12);
    expect_known("interval", "middle", c->set.center[0] + c->set.offset[0], 0.5 * (high + low), 1e-12);
}

// Friction that differs by direction: the holding force is between -forward and +backward, and so is 2 x.
// Kinetic friction is a constant force of (backward - forward)/2 and friction of the mean.
static void test_friction_by_direction(void** state)
{
    (void)state;
    ss_certificate* c = certify_block(&(block){.damping = -0.5, .law = {1.0, 3.0, 1.0, 3.0}});
    assert_int_equal(c->verdict, SS_LOCAL);
    expect_known("by direction", "rho*", c->rho_star, 0.5 * (2.0 / 0.5) * (2.0 / 0.5), 1e-14);
    expect_known("by direction", "center", c->set.center[0], 0.5, 1e-14);
    expect_interval(c, -0.5, 1.5);
    ss_certificate_destroy(c);
}

// E takes the static levels, V' the kinetic ones; a force and the length of the spring shift both.
static void test_static_above_kinetic(void** state)
{
    (void)state;
    block b = {.damping = -0.5, .length = 0.25, .force = 3.0, .law = {1.0, 3.0, 2.0, 5.0}};
    ss_certificate* c = certify_block(&b);
    double rest = (3.0 + 2.0 * 0.25) / 2.0;
    expect_known("static", "rho*", c->rho_star, 8.0, 1e-14);
    expect_known("static", "center", c->set.center[0], rest + 0.5, 1e-14);
    expect_interval(c, rest - 1.0, rest + 2.5);
    expect_known("static", "largest energy", c->set.max_energy, 0.5 * 2.0 * 2.0 * 2.0, 1e-14);
    assert_int_equal(c->set.inside_region, SS_YES);
    ss_certificate_destroy(c);
    b.law.static_backward = 9.0; // the largest energy becomes 16 J, beyond 8 J
    c = certify_block(&b);
    assert_int_equal(c->verdict, SS_LOCAL_SUBSET);
    assert_int_equal(c->theorem, 3);
    assert_int_equal(c->set.inside_region, SS_NO);
    ss_certificate_destroy(c);
}

// 2 x + 16 (x - 1/4)^3 = g: with the spring's length at 1/4 the linear part is not at rest where the cubic
// is.
static void test_cubic_spring_with_length(void** state)
{
    (void)state;
    block b = {.damping = -0.5, .cubic = 16.0, .length = 0.25, .law = {1.0, 1.0, 1.0, 1.0}};
    ss_certificate* c = certify_block(&b);
    ss_membership place;
    double end = c->set.center[0] + c->set.offset[0] + c->set.half_widths[0], e = end - 0.25;
    expect_known("cubic", "balance at the end", 2.0 * e + 16.0 * e * e * e, 1.0, 1e-13);
    expect_known("cubic", "center", c->set.center[0], 0.25, 1e-14);
    expect_known("cubic", "largest energy", c->set.max_energy, e * e + 4.0 * e * e * e * e, 1e-13);
    assert_int_equal(ss_certificate_locate(c, &end, &place, NULL), SS_OK);
    expect_known("cubic", "energy at the end", place.energy, c->set.max_energy, 1e-13);
    ss_certificate_destroy(c);
}

// Two unit blocks between springs of 1 N/m, dampers on the first and between them, floor contacts as asked.
static ss_certificate* certify_pair(double c1, double c12, double f1, double f2)
{
    double M[] = {1, 0, 0, 1}, K[] = {2, -1, -1, 2}, W[] = {1, 0, 0, 1};
    double C[] = {c1 + c12, -c12, -c12, c12}, friction[] = {f1, f2};
    return certify(by_matrices(2, 2, M, C, K, W, friction));
}

static void test_passive_systems(void** state)
{
    (void)state;
    const struct {
        double c1, c12, f1, f2;
        bool global;
    } cases[] = {
        {0, 0, 1, 1, true},    // friction on everything
        {0, 0, 1, 0, false},   // the second block swings on, the first held
        {0.1, 0, 0, 0, true},  // one damper damps both modes of the coupled pair
        {0.1, 0, 1, 0, false}, // but not once its block is held: friction makes it worse
        {0, 0.1, 1, 0, true},  // a damper between them does
        {0, 0.1, 0, 0, false}, // without friction the symmetric mode does not feel it
        {0, 0, 0, 0, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ss_certificate* c = certify_pair(cases[k].c1, cases[k].c12, cases[k].f1, cases[k].f2);
        assert_int_equal(c->verdict, cases[k].global ? SS_GLOBAL : SS_NOT_ASSURED);
        assert_int_equal(c->refuted, !cases[k].global);
        assert_int_equal(c->origin_stable, SS_YES);
        assert_int_equal(c->bounded, SS_YES);
        assert_true(isinf(c->rho_energy));
        ss_certificate_destroy(c);
    }
}

// The second block hangs on the first by 1 N/m, and only the first has a damper: 1 MN*s/m still damps, if
// slowly. Where the first is held by 1 TN/m besides, what it takes from the second is lost in rounding, and
// neither attraction nor its contrary is claimed.
static void test_damping_too_weak_to_tell(void** state)
{
    (void)state;
    double M[] = {1, 0, 0, 1}, W[] = {1, 0}, friction[] = {0.0};
    double heavy[] = {1e6, 0, 0, 0}, K[] = {2, -1, -1, 2}, light[] = {1, 0, 0, 0},
           stiff[] = {1e12 + 1, -1, -1, 1};
    ss_certificate* c = certify(by_matrices(2, 1, M, heavy, K, W, friction));
    assert_int_equal(c->verdict, SS_GLOBAL);
    ss_certificate_destroy(c);
    c = certify(by_matrices(2, 1, M, light, stiff, W, friction));
    assert_int_equal(c->verdict, SS_NOT_ASSURED);
    assert_false(c->refuted);
    ss_certificate_destroy(c);
}

// Gyroscopic forces do no work: they may couple a mode to a damper that does not reach it otherwise.
static void test_gyroscopic_forces(void** state)
{
    (void)state;
    double M[] = {1, 0, 0, 1}, K[] = {1, 0, 0, 3}, W[] = {1, 0}, friction[] = {0.0};
    double plain[] = {0.5, 0, 0, 0}, turning[] = {0.5, 0.7, -0.7, 0};
    ss_certificate* c = certify(by_matrices(2, 1, M, plain, K, W, friction));
    assert_true(c->refuted);
    ss_certificate_destroy(c);
    c = certify(by_matrices(2, 1, M, turning, K, W, friction));
    assert_int_equal(c->verdict, SS_GLOBAL);
    expect_known("gyroscopic", "eigenvalue", c->eigenvalues[0], 0.0, 0.0);
    ss_certificate_destroy(c);
}

static void expect_outside(rig* system, const char* word)
{
    ss_certificate* c = certify(rig_model(system));
    assert_int_equal(c->verdict, SS_NOT_ASSURED);
    assert_false(c->set.exists);
    if (!strstr(c->reason, word)) fail_msg("'%s' does not speak of %s", c->reason, word);
    ss_membership place;
    double q[4] = {0};
    assert_int_equal(ss_certificate_locate(c, q, &place, NULL), SS_BAD_INPUT);
    ss_certificate_destroy(c);
}

static void test_outside_the_theorems(void** state)
{
    (void)state;
    rig system;
    rig_init(&system); // a belt
    int body = rig_body(&system, 1, 0, 0);
    rig_spring(&system, body, SS_GROUND, 1, 0.1);
    rig_coulomb(&system, body, rig_driven_speed(&system, "0.2"), 1);
    expect_outside(&system, "driven");
    rig_init(&system); // a force that varies
    body = rig_body(&system, 1, 0, 0);
    rig_spring(&system, body, SS_GROUND, 1, 0.1);
    rig_force(&system, body, "sin(t)");
    expect_outside(&system, "varies");
    rig_init(&system); // no spring at all
    body = rig_body(&system, 1, 0, 0);
    rig_coulomb(&system, body, SS_GROUND, 1);
    expect_outside(&system, "semidefinite");
    rig_init(&system); // a spring that pushes away
    body = rig_body(&system, 1, 0, 0);
    rig_spring(&system, body, SS_GROUND, -1, 0.1);
    expect_outside(&system, "-1");
    rig_init(&system); // a softening spring
    body = rig_body(&system, 1, 0, 0);
    rig_spring(&system, body, SS_GROUND, 1, 0.1)->cubic = -1;
    expect_outside(&system, "softens");
}

// A Stribeck contact never rubs less than its level at high speed, and its viscous part is damping.
static void test_stribeck_counts_its_least_level(void** state)
{
    (void)state;
    rig system;
    rig_init(&system);
    int body = rig_body(&system, 2.0, 0, 0);
    rig_spring(&system, body, SS_GROUND, 1, -0.5);
    ss_contact_def* contact = rig_coulomb(&system, body, SS_GROUND, 1);
    contact->law = SS_LAW_STRIBECK;
    contact->stribeck =
        (ss_stribeck){.coulomb = 1.0, .static_level = 1.5, .speed = 0.1, .shape = 2.0, .viscous = 0.3};
    ss_certificate* c = certify(rig_model(&system));
    expect_known("stribeck", "eigenvalue", c->eigenvalues[0], -0.2, 1e-14);
    expect_known("stribeck", "rho*", c->rho_star, 0.5 * 2.0 * 25.0, 1e-13);
    expect_known("stribeck", "half width", c->set.half_widths[0], 1.5, 1e-14);
    assert_true(c->rho_energy_is_bound);
    ss_certificate_destroy(c);
}

static void test_arguments(void** state)
{
    (void)state;
    ss_certificate* c = NULL;
    ss_error err;
    assert_int_equal(ss_certify(NULL, NULL, &c, &err), SS_BAD_INPUT);
    assert_int_equal(ss_certificate_locate(NULL, NULL, NULL, &err), SS_BAD_INPUT);
    ss_certificate_destroy(NULL);
}

// ---- zonotopes

static int count_vertices(const double generators[], int count, int n)
{
    ss_pool pool = {0};
    double* vertices;
    int found = ss_zonotope_vertices(&pool, generators, count, n, 1000, &vertices);
    ss_pool_free(&pool);
    return found;
}

// Known polytopes: cube, hexagonal prism, rhombic dodecahedron (14 corners), a polygon in space.
static void test_vertices_of_known_solids(void** state)
{
    (void)state;
    double cube[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double prism[] = {1, 0, 0, 0.5, 0.8, 0, -0.5, 0.8, 0, 0, 0, 1};
    double dodecahedron[] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    double flat[] = {1, 0, 1, 0, 1, 1, 1, 1, 2, 2, 0, 2};
    double wide[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    assert_int_equal(count_vertices(cube, 3, 3), 8);
    assert_int_equal(count_vertices(prism, 4, 3), 12);
    assert_int_equal(count_vertices(dodecahedron, 4, 3), 14);
    assert_int_equal(count_vertices(flat, 4, 3), 6);
    assert_int_equal(count_vertices(wide, 5, 4),
                     30); // 2^5 signs less the two with the sum against all others
    assert_int_equal(count_vertices(cube, 0, 3), 1);
}

// In the plane the gauge follows from the edges: the largest n . x over n . (corner on that edge).
static void test_gauge_in_the_plane(void** state)
{
    (void)state;
    random_source random = {7};
    for (int round = 0; round < 200; round++) {
        ss_pool pool = {0};
        int m = random_integer(&random, 2, 6);
        double W[2 * 6], level[6], generators[6 * 2], x[2], *corners, expected = 0.0;
        for (int k = 0; k < m; k++) {
            level[k] = random_between(&random, 0.1, 2.0);
            for (int i = 0; i < 2; i++) {
                W[i * m + k] = random_between(&random, -1.0, 1.0);
                generators[2 * k + i] = W[i * m + k] * level[k];
            }
        }
        for (int i = 0; i < 2; i++) x[i] = random_between(&random, -3.0, 3.0);
        int count = ss_zonotope_vertices(&pool, generators, m, 2, 100, &corners);
        assert_int_equal(count, 2 * m);
        for (int v = 0; v < count; v++) {
            const double *a = &corners[2 * v], *b = &corners[2 * ((v + 1) % count)];
            double normal[] = {b[1] - a[1], a[0] - b[0]};
            assert_true(normal[0] * a[0] + normal[1] * a[1] > 0.0); // counter-clockwise around 0
            expected =
                fmax(expected, (normal[0] * x[0] + normal[1] * x[1]) / (normal[0] * a[0] + normal[1] * a[1]));
        }
        ss_zonotope z;
        assert_true(ss_zonotope_make(&pool, W, level, 2, m, &z));
        expect_known("plane", "gauge", ss_zonotope_gauge(&z, x), expected, 1e-11);
        ss_pool_free(&pool);
    }
}

// All corners one by one.
static void test_cube_maximum(void** state)
{
    (void)state;
    random_source random = {11};
    for (int round = 0; round < 40; round++) {
        enum { MOST = 10 };
        int n = random_integer(&random, 1, MOST);
        double root[MOST * MOST], H[MOST * MOST] = {0}, h[MOST], best = -INFINITY, reached;
        for (int i = 0; i < n * n; i++) root[i] = random_between(&random, -1.0, 1.0);
        for (int i = 0; i < n; i++) h[i] = random_between(&random, -1.0, 1.0);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++) H[i * n + j] += root[i * n + k] * root[j * n + k];
        for (int corner = 0; corner < 1 << n; corner++) {
            double value = 0.0;
            for (int i = 0; i < n; i++) {
                double si = corner >> i & 1 ? 1.0 : -1.0;
                value += si * h[i];
                for (int j = 0; j < n; j++) value += 0.5 * si * H[i * n + j] * (corner >> j & 1 ? 1.0 : -1.0);
            }
            best = fmax(best, value);
        }
        bool exact;
        expect_known("cube", "maximum", ss_cube_maximum(H, h, n, &exact, &reached), best, 1e-13);
        assert_true(exact);
    }
}

// ---- rho_energy

// With two coordinates all directions of v can be looked at: where V' turns positive along each, found by
// scanning and refined around the best.
static double scan_directions(const double M[], const double C[], const double W[], const double p[], int m)
{
    double best = INFINITY, at = 0.0, step = acos(-1.0) / 20000.0;
    for (int round = 0; round < 12; round++) {
        double from = round == 0 ? 0.0 : at - 20.0 * step, count = round == 0 ? 20000 : 400;
        double pace = round == 0 ? step : step / 10.0;
        for (int k = 0; k < count; k++) {
            double v[] = {cos(from + k * pace), sin(from + k * pace)}, rub = 0.0;
            double damping = C[0] * v[0] * v[0] + (C[1] + C[2]) * v[0] * v[1] + C[3] * v[1] * v[1];
            double energy = 0.5 * (M[0] * v[0] * v[0] + 2.0 * M[1] * v[0] * v[1] + M[3] * v[1] * v[1]);
            for (int j = 0; j < m; j++) rub += p[j] * fabs(W[j] * v[0] + W[m + j] * v[1]);
            if (damping >= 0.0 || energy * rub * rub / (damping * damping) >= best) continue;
            best = energy * rub * rub / (damping * damping);
            at = from + k * pace;
        }
        step = pace;
    }
    return best;
}

static void test_energy_level_in_the_plane(void** state)
{
    (void)state;
    random_source random = {3};
    int finite = 0;
    for (int round = 0; round < 150; round++) {
        int m = random_integer(&random, 1, 4);
        double a = random_between(&random, -1, 1), b = random_between(&random, -1, 1), W[8], p[4];
        double M[] = {1.5, 0.5 * a, 0.5 * a, 1.0}, K[] = {2, 0, 0, 1};
        double C[] = {random_between(&random, -1, 1), b + 0.3, b - 0.3, random_between(&random, -1, 1)};
        for (int k = 0; k < 2 * m; k++) W[k] = random_between(&random, -1, 1);
        for (int k = 0; k < m; k++) p[k] = random_between(&random, 0.1, 1);
        double expected = scan_directions(M, C, W, p, m);
        ss_certificate* c = certify(by_matrices(2, m, M, C, K, W, p));
        assert_false(c->rho_energy_is_bound);
        if (c->rho_energy == 0.0) {
            assert_true(expected < 1e-6);
        } else if (isfinite(c->rho_energy)) {
            expect_known("level", "share of the scan", c->rho_energy / expected, 1.0, 1e-9);
            finite++;
        } else {
            assert_true(isinf(expected));
        }
        if (c->condition_31 == SS_YES) assert_true(c->rho_energy >= c->rho_star);
        ss_certificate_destroy(c);
    }
    assert_true(finite > 80);
}

// Many coordinates, few bad ones: no direction drawn at random may turn V' positive below the level.
static void test_energy_level_of_large_systems(void** state)
{
    (void)state;
    enum { N = 12, CONTACTS = 8, DRAWS = 20000 };
    random_source random = {5};
    for (int round = 0; round < 4; round++) {
        double M[N * N] = {0}, C[N * N] = {0}, K[N * N] = {0}, W[N * CONTACTS], p[CONTACTS];
        for (int i = 0; i < N; i++) {
            M[i * N + i] = random_between(&random, 0.5, 2);
            K[i * N + i] = 1.0;
            for (int j = 0; j < i; j++) C[i * N + j] = C[j * N + i] = random_between(&random, -0.02, 0.02);
            C[i * N + i] = i <= round % 2 ? -0.3 : random_between(&random, 0.2, 1.0);
        }
        for (int k = 0; k < N * CONTACTS; k++) W[k] = random_between(&random, -1, 1);
        for (int k = 0; k < CONTACTS; k++) p[k] = random_between(&random, 0.1, 1);
        ss_certificate* c = certify(by_matrices(N, CONTACTS, M, C, K, W, p));
        assert_true(c->rho_energy > 0.0);
        for (int draw = 0; draw < DRAWS; draw++) {
            double v[N], energy = 0.0, damping = 0.0, rub = 0.0, scale = draw % 3 ? 0.05 : 1.0;
            for (int i = 0; i < N; i++) v[i] = random_between(&random, -1, 1) * (i < 2 ? 1.0 : scale);
            for (int i = 0; i < N; i++) {
                energy += 0.5 * M[i * N + i] * v[i] * v[i];
                for (int j = 0; j < N; j++) damping += v[i] * C[i * N + j] * v[j];
            }
            for (int k = 0; k < CONTACTS; k++) {
                double slip = 0.0;
                for (int i = 0; i < N; i++) slip += W[i * CONTACTS + k] * v[i];
                rub += p[k] * fabs(slip);
            }
            double level = damping < 0.0 ? energy * rub * rub / (damping * damping) : INFINITY;
            assert_true(level >= c->rho_energy * (1.0 - 1e-9));
        }
        ss_certificate_destroy(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_tables),
        cmocka_unit_test(test_friction_by_direction),
        cmocka_unit_test(test_static_above_kinetic),
        cmocka_unit_test(test_cubic_spring_with_length),
        cmocka_unit_test(test_passive_systems),
        cmocka_unit_test(test_damping_too_weak_to_tell),
        cmocka_unit_test(test_gyroscopic_forces),
        cmocka_unit_test(test_outside_the_theorems),
        cmocka_unit_test(test_stribeck_counts_its_least_level),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_vertices_of_known_solids),
        cmocka_unit_test(test_gauge_in_the_plane),
        cmocka_unit_test(test_cube_maximum),
        cmocka_unit_test(test_energy_level_in_the_plane),
        cmocka_unit_test(test_energy_level_of_large_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
