// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Eigen-directions: 50-digit tables, closed forms, and random sliders on which a dense search from many
// starts must find nothing that is not in the list, and the count of Euler must be 2.
#include "data/limit_surface.h"
#include "slider_rig.h"
#include "surface/eigen/eigen_directions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
enum { PATCHES = 30 };
#else
enum { PATCHES = 300 };
#endif

static void near(double got, double want, double tolerance)
{
    if (got == want) return;
    if (!(fabs(got - want) <= tolerance)) fail_msg("%.17g, expected %.17g (within %g)", got, want, tolerance);
}

static ss_slider* make(slider_rig* rig)
{
    ss_slider* slider = NULL;
    ss_error err;
    if (ss_slider_create(&rig->def, &slider, &err) != SS_OK) fail_msg("%s: %s", err.field, err.text);
    return slider;
}

static ss_slider* make_points(const double xyf[][3], int count)
{
    slider_rig rig;
    slider_init(&rig);
    for (int i = 0; i < count; i++) slider_point(&rig, xyf[i][0], xyf[i][1], xyf[i][2]);
    return make(&rig);
}

static ss_slider* make_patch(ss_support_kind kind, double radius)
{
    slider_rig rig;
    slider_init(&rig);
    slider_patch(&rig, kind, radius, 1.0);
    return make(&rig);
}

static ss_eigen_set all_of(const ss_slider* s)
{
    ss_eigen_set set;
    ss_error err;
    assert_int_equal(ss_slider_eigen(s, 0, NULL, &set, &err), SS_OK);
    return set;
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double distance(const double a[3], const double b[3])
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(d, d));
}

// The one at q, off circles; NULL if there is none.
static const ss_eigen_direction* find(const ss_eigen_set* set, const double q[3], double within)
{
    for (int k = 0; k < set->count; k++)
        if (!set->items[k].is_circle && distance(set->items[k].q, q) <= within) return &set->items[k];
    return NULL;
}

static int count_isolated(const ss_eigen_set* set)
{
    int count = 0;
    for (int k = 0; k < set->count; k++) count += !set->items[k].is_circle;
    return count;
}

static int count_stable(const ss_eigen_set* set)
{
    int count = 0;
    for (int k = 0; k < set->count; k++) count += set->items[k].stability == SS_STABLE;
    return count;
}

static void check_body(const ref_body* body)
{
    ss_slider* s = make_points(body->xyf, body->count);
    ss_eigen_set set = all_of(s);
    int count = 0;
    for (size_t i = 0; i < sizeof eigen_truth / sizeof eigen_truth[0]; i++) {
        const ref_eigen* w = &eigen_truth[i];
        if (strcmp(w->body, body->id) != 0) continue;
        count++;
        const ss_eigen_direction* d = find(&set, w->q, 1e-9);
        assert_non_null(d);
        for (int k = 0; k < 3; k++) near(d->q[k], w->q[k], 1e-12);
        for (int k = 0; k < 3; k++) near(d->load[k], w->load[k], 1e-12);
        near(d->magnitude, w->magnitude, 1e-12);
        for (int k = 0; k < 2; k++) near(d->radii[k], w->radii[k], 1e-11);
        assert_int_equal(d->stability == SS_STABLE, w->stable);
        if (fabs(w->q[2]) > 1e-9) near(d->center[0], -w->q[1] / w->q[2], 1e-11);
        if (fabs(w->q[2]) > 1e-9) near(d->center[1], w->q[0] / w->q[2], 1e-11);
    }
    assert_int_equal(count_isolated(&set), count);
    assert_int_equal(set.count, count + 1); // and the circle of translations
    assert_true(set.complete && (!set.has_euler || set.euler == 2));
    ss_eigen_set_free(&set);
    ss_slider_destroy(s);
}

static void test_reference_bodies(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof eigen_bodies / sizeof eigen_bodies[0]; i++) check_body(&eigen_bodies[i]);
}

// The bar: four facet centres, stable; the great circles qx = 0 and qw = 0 on which P = q, unstable.
static void test_bar(void** state)
{
    (void)state;
    static const double bar[][3] = {{0, 1, 0.5}, {0, -1, 0.5}};
    ss_slider* s = make_points(bar, 2);
    ss_eigen_set set = all_of(s);
    double r = sqrt(0.5);
    assert_int_equal(set.count, 6);
    assert_int_equal(count_stable(&set), 4);
    for (int a = -1; a <= 1; a += 2)
        for (int b = -1; b <= 1; b += 2) {
            const ss_eigen_direction* d = find(&set, (double[]){a * r, 0, b * r}, 1e-15);
            assert_non_null(d);
            near(d->magnitude, r, 1e-15);
            assert_true(isinf(d->radii[0]) && isinf(d->radii[1]));
        }
    for (int k = 4; k < 6; k++) {
        assert_true(set.items[k].is_circle);
        near(set.items[k].magnitude, 1.0, 1e-15);
        assert_int_equal(set.items[k].stability, SS_UNSTABLE);
    }
    assert_true(set.complete);
    ss_eigen_set_free(&set);
    ss_slider_destroy(s);
}

// Rotation about the weak support is no eigen-direction for r_g = 1 (|e| would be 7/5); it is one for a
// compact mass, r_g^2 <= 1/2.
static void test_asymmetric_bar(void** state)
{
    (void)state;
    static const struct {
        double gyration;
        int weak;
    } truth[] = {{1.0, 0}, {0.7072, 0}, {0.7071, 1}, {0.5, 1}};
    for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++) {
        slider_rig rig;
        slider_init(&rig);
        rig.def.gyration_m = truth[i].gyration;
        slider_point(&rig, 0, 0.25, 2);
        slider_point(&rig, 0, -0.5, 1);
        ss_slider* s = make(&rig);
        ss_eigen_set set = all_of(s);
        double y = -0.5 / truth[i].gyration, size = hypot(1, y);
        assert_int_equal(find(&set, (double[]){y / size, 0, 1 / size}, 1e-9) != NULL, truth[i].weak);
        y = 0.25 / truth[i].gyration;
        size = hypot(1, y);
        assert_non_null(find(&set, (double[]){y / size, 0, 1 / size}, 1e-9));
        assert_true(set.complete);
        ss_eigen_set_free(&set);
        ss_slider_destroy(s);
    }
}

// The car of section 9: 14, of which 4 are stable; the loads are corners, edges and middles of its cylinder.
static void test_car(void** state)
{
    (void)state;
    slider_rig rig;
    slider_init(&rig);
    slider_wheel(&rig, 0, 1, 1, 0, 0.5);
    slider_point(&rig, 0, -1, 0.5);
    ss_slider* s = make(&rig);
    ss_eigen_set set = all_of(s);
    static const double loads[][3] = {
        {0, .5, 0}, {0, -.5, 0}, {.5, 0, -.5}, {-.5, 0, .5},  {.5, 0, .5},    {-.5, 0, -.5}, {1, 0, 0},
        {0, 0, 1},  {-1, 0, 0},  {0, 0, -1},   {.5, .5, -.5}, {.5, -.5, -.5}, {-.5, .5, .5}, {-.5, -.5, .5}};
    assert_int_equal(set.count, 14);
    assert_int_equal(count_stable(&set), 4);
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        double size = sqrt(dot(loads[i], loads[i])),
               q[3] = {loads[i][0] / size, loads[i][1] / size, loads[i][2] / size};
        const ss_eigen_direction* d = find(&set, q, 1e-14);
        assert_non_null(d);
        near(d->magnitude, size, 1e-14);
    }
    assert_true(set.complete && set.euler == 2);
    ss_eigen_set_free(&set);
    ss_slider_destroy(s);
}

static const ss_eigen_direction* stable_of(const ss_eigen_set* set)
{
    assert_true(set->count > 0 && set->items[0].stability == SS_STABLE);
    return &set->items[0];
}

static void check_round(ss_support_kind kind, const double table[][6], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ss_slider* s = make_patch(kind, table[i][0]);
        ss_eigen_set set = all_of(s);
        const ss_eigen_direction* d = stable_of(&set);
        assert_true(d->is_circle);
        near(hypot(d->q[0], d->q[1]) / fabs(d->q[2]), table[i][2], 1e-11 * table[i][2]);
        near(hypot(d->load[0], d->load[1]), table[i][3], 1e-12);
        near(fabs(d->load[2]), table[i][4], 1e-12);
        near(d->magnitude, table[i][5], 1e-13);
        assert_true(set.complete && set.euler == 2);
        ss_eigen_set_free(&set);
        ss_slider_destroy(s);
    }
}

static void test_ring_and_disk(void** state)
{
    (void)state;
    check_round(SS_SUPPORT_RING, ring_eigen, sizeof ring_eigen / sizeof ring_eigen[0]);
    static const double disk[][6] = {{1.4142135623730951, 0.6530017892055976, 0.9234839865484531,
                                      0.6160334132102593, 0.6670753604647778, 0.9080125014176266}};
    check_round(SS_SUPPORT_DISK, disk, 1);
}

// Where the stable motion changes: ring 1/sqrt2 and sqrt2, disk sqrt(3/2) and 2 (the paper's item 6 (2) has
// the wrong sign).
static void test_critical_radii(void** state)
{
    (void)state;
    static const struct {
        ss_support_kind kind;
        double square;
        bool rotates; // below it the slider ends in rotation about its centre; else, above it in translation
    } truth[] = {{SS_SUPPORT_RING, 0.5, true},
                 {SS_SUPPORT_RING, 2, false},
                 {SS_SUPPORT_DISK, 1.5, true},
                 {SS_SUPPORT_DISK, 4, false}};
    for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++)
        for (int side = -1; side <= 1; side += 2) {
            ss_slider* s = make_patch(truth[i].kind, sqrt(truth[i].square) * (1 + side * 1e-6));
            ss_eigen_set set = all_of(s);
            const ss_eigen_direction* d = stable_of(&set);
            bool pure = side < 0 ? truth[i].rotates : !truth[i].rotates;
            bool is_pure = hypot(d->q[0], d->q[1]) == 0 || d->q[2] == 0;
            assert_int_equal(is_pure, pure);
            ss_eigen_set_free(&set);
            ss_slider_destroy(s);
        }
}

// A translation along d is stable where sum f (r.d)^2 > sum f; on a great circle of them the list says so for
// all.
static void test_translations(void** state)
{
    (void)state;
    for (int wide = 0; wide <= 1; wide++) {
        double a = wide ? 1.5 : 0.4;
        const double square[][3] = {{a, a, 0.25}, {-a, a, 0.25}, {-a, -a, 0.25}, {a, -a, 0.25}};
        ss_slider* s = make_points(square, 4);
        ss_eigen_set set = all_of(s);
        int found = 0;
        for (int k = 0; k < set.count; k++)
            if (set.items[k].is_circle && fabs(set.items[k].q[2]) < 1e-12) {
                found++;
                assert_int_equal(set.items[k].stability, wide ? SS_STABLE : SS_UNSTABLE);
                near(set.items[k].magnitude, 1.0, 1e-14);
                near(wide ? set.items[k].radii[1] : set.items[k].radii[0], a * a, 1e-14);
            }
        assert_int_equal(found, 1);
        assert_true(set.complete);
        ss_eigen_set_free(&set);
        ss_slider_destroy(s);
    }
}

// Regular polygons of equal points at one radius of gyration: each point is a facet for both senses of
// rotation, a saddle lies between neighbours, rotation about the centre is a maximum, translations are a
// circle: 4 n + 3. A facet's load is exactly at its middle, so that what its point must exert is 0 to
// rounding.
static void test_regular_polygons(void** state)
{
    (void)state;
    for (int n = 3; n <= 16; n++) {
        slider_rig rig;
        slider_init(&rig);
        for (int i = 0; i < n; i++) {
            double angle = 6.28318530717958647693 * i / n;
            slider_point(&rig, cos(angle), sin(angle), 1.0 / n);
        }
        ss_slider* s = make(&rig);
        ss_eigen_set set = all_of(s);
        assert_int_equal(set.count, 4 * n + 3);
        assert_int_equal(count_stable(&set), 2 * n);
        assert_true(set.complete && set.has_euler && set.euler == 2);
        ss_eigen_set_free(&set);
        ss_slider_destroy(s);
    }
}

// Four points at 1/sqrt2 from the centre: rotation about it is just losing its stability, as for the ring. It
// is listed, as neutral.
static void test_degenerate_rotation(void** state)
{
    (void)state;
    static const double square[][3] = {{.5, .5, .25}, {-.5, .5, .25}, {-.5, -.5, .25}, {.5, -.5, .25}};
    ss_slider* s = make_points(square, 4);
    ss_eigen_set set = all_of(s);
    const ss_eigen_direction* d = find(&set, (double[]){0, 0, 1}, 1e-15);
    assert_non_null(d);
    assert_int_equal(d->stability, SS_NEUTRAL);
    near(d->magnitude, sqrt(0.5), 1e-15);
    near(d->radii[0], sqrt(0.5), 1e-15);
    assert_int_equal(count_stable(&set), 8); // the facets
    assert_true(set.complete && !set.has_euler);
    ss_eigen_set_free(&set);
    ss_slider_destroy(s);
}

// ---- random sliders

static bool solves(const ss_slider* s, const double q[3], double load[3])
{
    if (!ss_slider_load(s, 0, q, load)) return false;
    double along = dot(load, q),
           off[3] = {load[0] - along * q[0], load[1] - along * q[1], load[2] - along * q[2]};
    return sqrt(dot(off, off)) < 1e-12;
}

// Newton's method for P x q = 0 with the public calls only: three equations, damped, from a random start.
static bool search_from(const ss_slider* s, double q[3])
{
    for (int n = 0; n < 60; n++) {
        double load[3], h[9];
        if (!ss_slider_load(s, 0, q, load) || !ss_slider_hessian(s, 0, q, h)) return false;
        double along = dot(load, q), a[9], r[3];
        // (H - along I + 2 q q^T) x = -(P - along q): the last term fixes the length.
        for (int i = 0; i < 3; i++) {
            r[i] = along * q[i] - load[i];
            for (int j = 0; j < 3; j++)
                a[3 * i + j] = h[3 * i + j] - (i == j ? along : 0) + 2 * along * q[i] * q[j];
        }
        double det = a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
                     a[2] * (a[3] * a[7] - a[4] * a[6]);
        double x[3];
        for (int k = 0; k < 3; k++) {
            double b[9];
            memcpy(b, a, sizeof b);
            for (int i = 0; i < 3; i++) b[3 * i + k] = r[i];
            x[k] = (b[0] * (b[4] * b[8] - b[5] * b[7]) - b[1] * (b[3] * b[8] - b[5] * b[6]) +
                    b[2] * (b[3] * b[7] - b[4] * b[6])) /
                   det;
        }
        double size = sqrt(dot(x, x)), step = size > 0.2 ? 0.2 / size : 1, length;
        if (!isfinite(size)) return false;
        for (int i = 0; i < 3; i++) q[i] += step * x[i];
        length = sqrt(dot(q, q));
        for (int i = 0; i < 3; i++) q[i] /= length;
        if (size < 1e-14) break;
    }
    double load[3];
    return solves(s, q, load);
}

static bool is_listed(const ss_eigen_set* set, const double q[3])
{
    for (int k = 0; k < set->count; k++) {
        const ss_eigen_direction* d = &set->items[k];
        if (d->is_circle ? fabs(dot(q, d->axis)) < 1e-9 : distance(d->q, q) < 1e-9) return true;
    }
    return false;
}

static void check_random(const ss_slider* s, unsigned* seed, int starts)
{
    ss_eigen_set set = all_of(s);
    assert_true(set.complete);
    assert_true(!set.has_euler || set.euler == 2);
    for (int k = 0; k < set.count; k++) {
        double load[3];
        if (isfinite(set.items[k].radii[1])) assert_true(solves(s, set.items[k].q, load));
        near(dot(set.items[k].load, set.items[k].q), ss_slider_power(s, 0, set.items[k].q), 1e-13);
    }
    for (int n = 0; n < starts; n++) {
        double q[3], size;
        for (int i = 0; i < 3; i++) q[i] = slider_uniform(seed, -1, 1);
        size = dot(q, q);
        for (int i = 0; i < 3; i++) q[i] /= sqrt(size);
        if (search_from(s, q)) assert_true(is_listed(&set, q));
    }
    ss_eigen_set_free(&set);
}

static void test_random_points(void** state)
{
    (void)state;
    unsigned seed = 3;
    for (int n = 0; n < 300; n++) {
        slider_rig rig;
        slider_random(&rig, &seed);
        ss_slider* s = make(&rig);
        check_random(s, &seed, 60);
        ss_slider_destroy(s);
    }
}

// The translation along the line from the centre of mass to the centre of friction has no moment: it is an
// eigen-direction of any body on points, and has no spin at all, not even a rounding of their sum.
static void test_translation_to_the_centre_of_friction(void** state)
{
    (void)state;
    unsigned seed = 6;
    for (int n = 0; n < 40; n++) {
        slider_rig rig;
        slider_init(&rig);
        for (int k = 0; k < SLIDER_SUPPORTS; k++)
            slider_point(&rig, slider_uniform(&seed, -1, 1), slider_uniform(&seed, -1, 1),
                         slider_uniform(&seed, 0.1, 1));
        ss_slider* s = make(&rig);
        ss_eigen_set set = all_of(s);
        int translations = 0;
        for (int i = 0; i < set.count; i++) {
            const ss_eigen_direction* d = &set.items[i];
            translations += isnan(d->center[0]);
            assert_true(isnan(d->center[0]) ? d->q[2] == 0.0 : fabs(d->q[2]) > 1e-9);
        }
        assert_int_equal(translations, 2);
        ss_eigen_set_free(&set);
        ss_slider_destroy(s);
    }
}

// Wheels with and without drag, ratchets, ellipses, and a floor that differs along and across.
static void test_random_wheels(void** state)
{
    (void)state;
    unsigned seed = 8;
    for (int n = 0; n < 150; n++) {
        slider_rig rig;
        slider_random(&rig, &seed);
        for (int k = 0; k < 1 + n % 3; k++) {
            double angle = slider_uniform(&seed, 0, 6.28);
            ss_support_def* w = slider_wheel(&rig, slider_uniform(&seed, -1, 1), slider_uniform(&seed, -1, 1),
                                             cos(angle), sin(angle), slider_uniform(&seed, 0.1, 0.5));
            if (n % 2) w->drag_N = 0.05;
            if (n % 3 == 0) w->ratchet = SS_RATCHET_FORWARD;
        }
        rig.supports[0].is_anisotropic = true;
        rig.supports[0].friction_N[1] = 2.5 * rig.supports[0].friction_N[0];
        if (n % 5 == 0) rig.def.floor_mu[1] = 0.7;
        ss_slider* s = make(&rig);
        check_random(s, &seed, 40);
        ss_slider_destroy(s);
    }
}

static void add_patch(slider_rig* rig, unsigned* seed)
{
    static const double kite[] = {0.9, 1.2, 1.7, 1.1, 1.1, 1.6, 0.7, 1.5};
    static const double arrow[] = {-1, -1, 0.2, -0.4, -0.5, -0.5, -0.6, 0.3};
    static const ss_support_kind kinds[] = {SS_SUPPORT_DISK, SS_SUPPORT_ANNULUS, SS_SUPPORT_POLYGON,
                                            SS_SUPPORT_RING};
    ss_support_kind kind = kinds[(int)slider_uniform(seed, 0, 4)];
    double radius = slider_uniform(seed, 0.1, 0.8);
    ss_support_def* d = slider_patch(rig, kind, radius, slider_uniform(seed, 0.1, 0.6));
    d->inner_m = radius * slider_uniform(seed, 0.1, 0.9);
    if (kind == SS_SUPPORT_POLYGON) {
        d->vertices = slider_uniform(seed, 0, 1) < 0.5 ? kite : arrow;
        d->vertex_count = 4;
        return;
    }
    for (int i = 0; i < 2; i++) d->position_m[i] = slider_uniform(seed, -1.2, 1.2);
}

// A long plate, eighty radii of gyration, on a floor that is twenty times rougher one way: the directions lie
// in a band of spins of a hundredth. Where the count of Euler is 2 none is missing.
static void test_wide_plate(void** state)
{
    (void)state;
    static const double plate[] = {78.6, 13.1, 73.2, 23.1, 63.6, 35.1, -59.9, 15.6};
    slider_rig rig;
    slider_init(&rig);
    ss_support_def* d = slider_patch(&rig, SS_SUPPORT_POLYGON, 1.0, 1.0);
    d->vertices = plate;
    d->vertex_count = 4;
    rig.def.floor_mu[0] = 9.16;
    rig.def.floor_mu[1] = 0.449;
    rig.def.floor_axis[0] = 0.0631;
    rig.def.floor_axis[1] = 0.4925;
    ss_slider* s = make(&rig);
    ss_eigen_set set = all_of(s);
    assert_true(set.complete && set.has_euler);
    assert_int_equal(set.euler, 2);
    ss_eigen_set_free(&set);
    ss_slider_destroy(s);
}

// Patches of all kinds, small and large, off centre, alone or among points and wheels, on floors of both
// kinds.
static void test_random_patches(void** state)
{
    (void)state;
    unsigned seed = 21;
    for (int n = 0; n < PATCHES; n++) {
        slider_rig rig;
        slider_init(&rig);
        for (int k = 0; k < 1 + n % 3; k++) add_patch(&rig, &seed);
        for (int k = 0; k < n % 4; k++) {
            double x = slider_uniform(&seed, -1, 1), y = slider_uniform(&seed, -1, 1);
            slider_point(&rig, x, y, slider_uniform(&seed, 0.05, 0.3));
        }
        if (n % 5 == 0) {
            double x = slider_uniform(&seed, -1, 1), y = slider_uniform(&seed, -1, 1);
            slider_wheel(&rig, x, y, cos(x + 5 * y), sin(x + 5 * y), 0.2);
        }
        if (n % 30 == 0) rig.def.floor_mu[1] = 0.7;
        ss_slider* s = make(&rig);
        check_random(s, &seed, 25);
        ss_slider_destroy(s);
    }
}

// Basins: the shares add up to 1, and mirror images have the same.
static void test_basins(void** state)
{
    (void)state;
    static const double bar[][3] = {{0, 1, 0.5}, {0, -1, 0.5}};
    ss_slider* s = make_points(bar, 2);
    ss_eigen_set set = all_of(s);
    double shares[6], sum = 0;
    ss_error err;
    assert_int_equal(ss_slider_basin(s, 0, &set, NULL, shares, &err), SS_OK);
    for (int k = 0; k < set.count; k++) sum += shares[k];
    near(sum, 1.0, 1e-9);
    for (int k = 0; k < 4; k++) near(shares[k], 0.25, 0.02);
    ss_eigen_set_free(&set);
    ss_slider_destroy(s);
}

// A bar 30 radii of gyration long: the slope leads into narrow valleys, and along them. Each of a thousand
// ways is some hundred steps at most; by symmetry all four ends have the same share.
static void test_basin_with_valleys(void** state)
{
    (void)state;
    static const double bar[][3] = {{0, 15, 0.5}, {0, -15, 0.5}};
    ss_slider* s = make_points(bar, 2);
    ss_eigen_set set = all_of(s);
    double shares[16], sum = 0.0;
    assert_true(set.count <= 16);
    long looks;
    assert_int_equal(ss_basin_shares(s, 0.0, &set, NULL, shares, &looks, NULL), SS_OK);
    assert_true(looks < 100000);
    for (int k = 0; k < set.count; k++) sum += shares[k];
    near(sum, 1.0, 1e-9);
    for (int k = 0; k < 4; k++) near(shares[k], 0.25, 0.02);
    ss_eigen_set_free(&set);
    ss_slider_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_bodies),
        cmocka_unit_test(test_bar),
        cmocka_unit_test(test_asymmetric_bar),
        cmocka_unit_test(test_car),
        cmocka_unit_test(test_ring_and_disk),
        cmocka_unit_test(test_critical_radii),
        cmocka_unit_test(test_translations),
        cmocka_unit_test(test_degenerate_rotation),
        cmocka_unit_test(test_regular_polygons),
        cmocka_unit_test(test_random_points),
        cmocka_unit_test(test_random_wheels),
        cmocka_unit_test(test_wide_plate),
        cmocka_unit_test(test_random_patches),
        cmocka_unit_test(test_basins),
        cmocka_unit_test(test_basin_with_valleys),
        cmocka_unit_test(test_translation_to_the_centre_of_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
