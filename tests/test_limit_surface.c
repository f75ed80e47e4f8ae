// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The limit surface against numbers known without it: 50-digit tables, quadrature in polar coordinates about
// the centre of rotation, closed forms that fit on a line.
#include "data/limit_surface.h"
#include "slider_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("%.17g, expected %.17g (within %g)", got, want, tolerance);
}

static void near3(const double got[3], const double want[3], double tolerance)
{
    for (int i = 0; i < 3; i++) near(got[i], want[i], tolerance);
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

static ss_slider* make_patch(ss_support_kind kind, double radius, double inner)
{
    slider_rig rig;
    slider_init(&rig);
    slider_patch(&rig, kind, radius, 1.0)->inner_m = inner;
    return make(&rig);
}

static void check_curve(ss_support_kind kind, const double table[][3], size_t count)
{
    static const double radii[] = {1.0, 0.75, 3.0};
    for (size_t k = 0; k < sizeof radii / sizeof radii[0]; k++) {
        double R = radii[k], load[3];
        ss_slider* s = make_patch(kind, R, 0.0);
        for (size_t i = 0; i < count; i++) {
            double rho = table[i][0];
            double motion[3] = {0, isinf(rho) ? -1.0 : -rho * R, isinf(rho) ? 0.0 : 1.0};
            assert_true(ss_slider_load(s, 0, motion, load));
            near(load[0], 0, 1e-15);
            near(load[1], -table[i][1], 1e-14 * fmax(table[i][1], 0.1));
            near(load[2], table[i][2] * R, 1e-14 * fmax(table[i][2], 1e-5) * R);
        }
        ss_slider_destroy(s);
    }
}

static void test_curves(void** state)
{
    (void)state;
    check_curve(SS_SUPPORT_RING, ring_curve, sizeof ring_curve / sizeof ring_curve[0]);
    check_curve(SS_SUPPORT_DISK, disk_curve, sizeof disk_curve / sizeof disk_curve[0]);
}

// The curve of the ring is its own mirror image: F(rho) = M(1/rho)/R.
static void test_ring_symmetry(void** state)
{
    (void)state;
    ss_slider* s = make_patch(SS_SUPPORT_RING, 1.0, 0.0);
    for (int i = 1; i < 100; i++) {
        double rho = i / 100.0, one[3], other[3];
        ss_slider_load(s, 0, (double[]){0, -rho, 1}, one);
        ss_slider_load(s, 0, (double[]){0, -1, rho}, other);
        near(-one[1], other[2], 4e-16);
        near(one[2], -other[1], 4e-16);
    }
    ss_slider_destroy(s);
}

// Principal radii are the eigenvalues of the Hessian across q, times |q| = 1.
static void check_radii(const double h[9], const double want[2])
{
    double trace = h[0] + h[4] + h[8], product = 0;
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        product += h[4 * a] * h[4 * b] - h[3 * a + b] * h[3 * b + a];
    }
    near(trace, want[0] + want[1], 1e-13 * fmax(1, want[1]));
    near(product, want[0] * want[1], 1e-12 * fmax(1, want[1]));
}

static void test_bar_points(void** state)
{
    (void)state;
    static const double bar[][3] = {{0, 1, 0.5}, {0, -1, 0.5}};
    ss_slider* s = make_points(bar, 2);
    for (size_t i = 0; i < sizeof bar_points / sizeof bar_points[0]; i++) {
        const ref_point* p = &bar_points[i];
        double load[3], hessian[9];
        assert_true(ss_slider_load(s, 0, p->q, load));
        near3(load, p->load, 1e-14);
        near(ss_slider_power(s, 0, p->q), p->power, 1e-14);
        assert_true(ss_slider_hessian(s, 0, p->q, hessian));
        check_radii(hessian, p->radii);
    }
    ss_slider_destroy(s);
}

static void test_car_points(void** state)
{
    (void)state;
    slider_rig rig;
    slider_init(&rig);
    slider_wheel(&rig, 0, 1, 1, 0, 0.4);
    slider_point(&rig, 0, -1, 0.4);
    ss_slider* s = make(&rig);
    for (size_t i = 0; i < sizeof car_points / sizeof car_points[0]; i++) {
        double load[3];
        ss_slider_load(s, 0, car_points[i].q, load);
        near3(load, car_points[i].load, 1e-14);
        near(ss_slider_power(s, 0, car_points[i].q), car_points[i].power, 1e-14);
    }
    ss_slider_destroy(s);
}

static void test_identities(void** state)
{
    (void)state;
    static const double tri[][3] = {{1, 0, 0.5}, {-0.4, 0.9, 0.3}, {-1.9, -1.35, 0.2}};
    ss_slider* s = make_points(tri, 3);
    double load[3], hessian[9];
    assert_true(ss_slider_load(s, 0, tri_q, load));
    near3(load, tri_load, 1e-14);
    near(ss_slider_power(s, 0, tri_q), tri_power, 1e-14);
    ss_slider_hessian(s, 0, tri_q, hessian);
    for (int i = 0; i < 9; i++) near(hessian[i], tri_hessian[i], 1e-14);
    ss_slider_destroy(s);
}

// On a facet the load is the point of the *facet* closest to the effective load, not of the whole surface.
static void test_facet_load(void** state)
{
    (void)state;
    static const double bar[][3] = {{0, 1, 0.5}, {0, -1, 0.5}};
    ss_slider* s = make_points(bar, 2);
    ss_sliding_load f;
    ss_error err;
    assert_int_equal(ss_slider_sliding_load(s, 0, (double[]){2, 0, 2}, NULL, &f, &err), SS_OK);
    assert_true(f.facet);
    near3(f.load, (double[]){0.5, -0.5, 0.5}, 1e-15);
    // Rotation about (0, 1) at rate w needs P = (1/2, -w^2, 1/2).
    assert_int_equal(ss_slider_sliding_load(s, 0, (double[]){0.6, 0, 0.6}, NULL, &f, &err), SS_OK);
    near3(f.load, (double[]){0.5, -0.36, 0.5}, 1e-15);
    near(f.power, 0.6, 1e-15);
    // An applied force takes part of that over.
    assert_int_equal(ss_slider_sliding_load(s, 0, (double[]){0.6, 0, 0.6}, (double[]){0, 0.2, 0}, &f, &err),
                     SS_OK);
    near3(f.load, (double[]){0.5, -0.16, 0.5}, 1e-15);
    assert_int_equal(ss_slider_sliding_load(s, 0, (double[]){0.6, 0.1, 0.6}, NULL, &f, &err), SS_OK);
    assert_false(f.facet);
    assert_int_equal(ss_slider_sliding_load(s, 0, (double[]){0, 0, 0}, NULL, &f, &err), SS_BAD_INPUT);
    assert_int_equal(ss_slider_sliding_load(s, 0, (double[]){NAN, 0, 0}, NULL, &f, &err), SS_BAD_INPUT);
    ss_slider_destroy(s);
}

static double size(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

// The bar has four facets, ellipses of 1/2 (along it) and 1/sqrt2 round (+-1/2, 0, +-1/2); of the asymmetric
// one the strong support's is of 2 and 2.06 round (1, 0, 1/2), in a plane at 0.7276.
static void test_facets(void** state)
{
    (void)state;
    static const double bar[][3] = {{0, 1, 0.5}, {0, -1, 0.5}}, uneven[][3] = {{0, 0.25, 2}, {0, -0.5, 1}};
    ss_facet f[4];
    ss_slider* s = make_points(bar, 2);
    assert_int_equal(ss_slider_facets(s, 0, f, 4), 4);
    double r = sqrt(0.5);
    near3(f[0].center, (double[]){0.5, 0, 0.5}, 1e-15);
    near3(f[0].normal, (double[]){r, 0, r}, 1e-15);
    near3(f[3].center, (double[]){0.5, 0, -0.5}, 1e-15);
    for (int k = 0; k < 4; k++) {
        near(f[k].distance, r, 1e-15);
        near(size(f[k].axes[0]), 0.5, 1e-15);
        near(size(f[k].axes[1]), r, 1e-15);
        for (int a = 0; a < 2; a++) // they lie in the plane, and end on the surface
            near(f[k].axes[a][0] * f[k].normal[0] + f[k].axes[a][1] * f[k].normal[1] +
                     f[k].axes[a][2] * f[k].normal[2],
                 0, 1e-15);
    }
    ss_slider_destroy(s);
    s = make_points(uneven, 2);
    assert_int_equal(ss_slider_facets(s, 0, f, 1), 4); // no room for the others
    near3(f[0].center, (double[]){1, 0, 0.5}, 1e-15);
    near(f[0].distance, 0.7276068751089989, 1e-15);
    near(size(f[0].axes[0]), 2.0, 1e-15);
    near(size(f[0].axes[1]), 2.0615528128088303, 1e-15);
    double end[3] = {1 + f[0].axes[1][0], f[0].axes[1][1], 0.5 + f[0].axes[1][2]};
    near(ss_slider_gauge(s, 0, end), 1.0, 1e-11);
    ss_slider_destroy(s);
}

static void random_wheels(slider_rig* rig, int count, unsigned* seed)
{
    slider_init(rig);
    for (int k = 0; k < count; k++) {
        double angle = slider_uniform(seed, 0, 6.28), x = slider_uniform(seed, -1, 1);
        slider_wheel(rig, x, slider_uniform(seed, -1, 1), cos(angle), sin(angle),
                     slider_uniform(seed, 0.1, 1));
    }
}

// The largest of P.q over the vertices: on wheels alone it is Phi, for the surface is their polyhedron.
static double reach_of(const ss_vertex_set* set, const double q[3])
{
    double most = -INFINITY;
    for (int k = 0; k < set->count; k++) {
        const double* p = set->items[k].load;
        most = fmax(most, p[0] * q[0] + p[1] * q[1] + p[2] * q[2]);
    }
    return most;
}

// n segments in general position span a body with n^2 - n + 2 corners; a flat one of two segments has 4. With
// drag, or on planks, the number is another, but what they span is Phi all the same.
static void test_vertices(void** state)
{
    (void)state;
    unsigned seed = 3;
    for (int n = 1; n <= 16; n++) {
        slider_rig rig;
        ss_vertex_set set;
        ss_error err;
        int count = 1 + n % 8;
        random_wheels(&rig, count, &seed);
        if (n > 8) rig.supports[0].drag_N = 0.1;
        if (n > 12) rig.def.floor_mu[1] = 0.5;
        ss_slider* s = make(&rig);
        assert_int_equal(ss_slider_vertices(s, 0.3, &set, &err), SS_OK);
        if (n <= 8) assert_int_equal(set.count, count * count - count + 2);
        for (int k = 0; k < set.count; k++) {
            double load[3], h[9];
            assert_true(ss_slider_load(s, 0.3, set.items[k].motion, load));
            near3(load, set.items[k].load, 1e-14);
            ss_slider_hessian(s, 0.3, set.items[k].motion, h);
            for (int i = 0; i < 9; i++) assert_true(h[i] == 0.0);
        }
        for (int k = 0; k < 50; k++) {
            double q[3] = {slider_uniform(&seed, -1, 1), slider_uniform(&seed, -1, 1),
                           slider_uniform(&seed, -1, 1)};
            near(reach_of(&set, q), ss_slider_power(s, 0.3, q), 1e-14);
        }
        ss_vertex_set_free(&set);
        ss_slider_destroy(s);
    }
}

// Three wheels that roll one way: vertices only where all of them roll. And none with a point, however weak.
static void test_vertices_of_ratchets(void** state)
{
    (void)state;
    slider_rig rig;
    ss_vertex_set set;
    ss_error err;
    slider_init(&rig);
    for (int k = 0; k < 3; k++) { // axles through the centre of mass: they turn about it together
        double angle = 2.1 * k;
        slider_wheel(&rig, cos(angle), sin(angle), cos(angle), sin(angle), 1.0)->ratchet = SS_RATCHET_FORWARD;
    }
    ss_slider* s = make(&rig);
    assert_int_equal(ss_slider_vertices(s, 0, &set, &err), SS_OK);
    assert_int_equal(set.count, 6); // a flat hexagon: no moment
    for (int k = 0; k < set.count; k++) {
        assert_true(set.items[k].motion[2] > 0.0 && fabs(set.items[k].load[2]) < 1e-15);
        near(ss_slider_gauge(s, 0, set.items[k].load), 1.0, 1e-9);
    }
    ss_vertex_set_free(&set);
    ss_slider_destroy(s);
    slider_point(&rig, 0.3, 0.2, 1e-3);
    s = make(&rig);
    assert_int_equal(ss_slider_vertices(s, 0, &set, &err), SS_OK);
    assert_true(set.count == 0 && set.items == NULL);
    ss_slider_destroy(s);
}

// The polyhedron of three wheels has eight corners; all of them are in the mesh.
static void test_mesh_has_the_vertices(void** state)
{
    (void)state;
    unsigned seed = 8;
    slider_rig rig;
    ss_vertex_set set;
    ss_mesh mesh;
    ss_error err;
    random_wheels(&rig, 3, &seed);
    ss_slider* s = make(&rig);
    assert_int_equal(ss_slider_vertices(s, 0, &set, &err), SS_OK);
    assert_int_equal(ss_slider_mesh(s, 0, 8, NULL, &mesh, &err), SS_OK);
    for (int k = 0; k < set.count; k++) {
        double gap = INFINITY;
        for (int i = 0; i < mesh.vertex_count; i++) {
            const double *p = set.items[k].load, *v = &mesh.loads[3 * i];
            gap = fmin(gap, fabs(p[0] - v[0]) + fabs(p[1] - v[1]) + fabs(p[2] - v[2]));
        }
        assert_true(gap < 1e-15);
    }
    ss_mesh_free(&mesh);
    ss_vertex_set_free(&set);
    ss_slider_destroy(s);
}

static ss_slider* first_body(const char* id)
{
    for (size_t i = 0; i < sizeof first_bodies / sizeof first_bodies[0]; i++)
        if (strcmp(first_bodies[i].id, id) == 0)
            return make_points(first_bodies[i].xyf, first_bodies[i].count);
    return make_patch(SS_SUPPORT_DISK, sqrt(2.0), 0.0);
}

static void test_first_motion(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof first_truth / sizeof first_truth[0]; i++) {
        const ref_first* w = &first_truth[i];
        ss_slider* s = first_body(w->body);
        ss_first_motion f;
        ss_error err;
        assert_int_equal(ss_slider_first_motion(s, 0, w->applied, &f, &err), SS_OK);
        assert_int_equal(f.sticks, w->sticks);
        near3(f.load, w->load, 1e-13);
        near3(f.acceleration, w->acceleration, 1e-13);
        assert_true(w->sticks ? f.gauge < 1 : f.gauge > 1);
        near(ss_slider_gauge(s, 0, f.load), w->sticks ? f.gauge : 1.0, 1e-12);
        ss_slider_destroy(s);
    }
}

// The bar's body of loads: |Fy| <= 1 at Fx = M = 0, the facet's plane Fx + M = 1, the ellipse in Fx = M ..:
// each by hand.
static void test_gauge_by_hand(void** state)
{
    (void)state;
    static const double bar[][3] = {{0, 1, 0.5}, {0, -1, 0.5}};
    ss_slider* s = make_points(bar, 2);
    near(ss_slider_gauge(s, 0, (double[]){0, 2, 0}), 2.0, 1e-14);
    near(ss_slider_gauge(s, 0, (double[]){0.25, 0, 0.25}), 0.5, 1e-14);
    near(ss_slider_gauge(s, 0, (double[]){0, 0, 3}), 3.0, 1e-14);
    near(ss_slider_gauge(s, 0, (double[]){0, 0, 0}), 0.0, 0.0);
    ss_slider_destroy(s);
    // One point: rotation about it costs nothing, so a load with a moment about it is out of reach.
    static const double one[][3] = {{0, 1, 0.5}};
    s = make_points(one, 1);
    assert_true(isinf(ss_slider_gauge(s, 0, (double[]){0, 0, 1})));
    near(ss_slider_gauge(s, 0, (double[]){0.25, 0, -0.25}), 0.5, 1e-14);
    ss_slider_destroy(s);
}

// Triangle and an L of six corners, the centre of rotation inside, beside and far off, on a plain floor and
// on one with half the friction along x: by quadrature in polar coordinates about the centre of rotation.
static void test_polygons(void** state)
{
    (void)state;
    static const double triangle[] = {-.5, -.4, .6, -.3, .2, .7};
    static const double el[] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2};
    static const struct {
        const double* vertices;
        int count;
        double q[3], along, power, load[3];
    } truth[] = {
        {triangle,
         3,
         {.3, -.2, .7},
         1,
         0.3643206027363,
         {0.741701051889175, -0.361803582303061, 0.0992136724413366}},
        {triangle,
         3,
         {.3, -.2, .7},
         .5,
         0.238800136658288,
         {0.306060763378651, -0.464756213451613, 0.0771866642205268}},
        {triangle,
         3,
         {-1, .5, .3},
         1,
         1.13349165621922,
         {-0.882410563937453, 0.467189466561227, 0.0582878633371853}},
        {triangle,
         3,
         {-1, .5, .3},
         .5,
         0.730215609819991,
         {-0.343547355955279, 0.723567034154173, 0.0829491226254455}},
        {el,
         6,
         {.3, -.2, .7},
         1,
         0.655822566871914,
         {-0.373827697433702, 0.508552782540585, 1.24240204658592}},
        {el,
         6,
         {.4, .1, 1},
         .5,
         1.02575592877628,
         {-0.133680942247285, 0.870083507231275, 0.992219954952065}},
        {el, 6, {-1, .5, .3}, 1, 1.46978832006728, {-0.849839906184145, 0.511746124266128, 1.21358450583359}},
    };
    for (size_t i = 0; i < sizeof truth / sizeof truth[0]; i++) {
        slider_rig rig;
        slider_init(&rig);
        ss_support_def* d = slider_patch(&rig, SS_SUPPORT_POLYGON, 1.0, 1.0);
        d->vertices = truth[i].vertices;
        d->vertex_count = truth[i].count;
        rig.def.floor_mu[0] = truth[i].along;
        ss_slider* s = make(&rig);
        double load[3];
        ss_slider_load(s, 0, truth[i].q, load);
        near(ss_slider_power(s, 0, truth[i].q), truth[i].power, 2e-13);
        near3(load, truth[i].load, 4e-13);
        ss_slider_destroy(s);
    }
}

static void test_round_on_floor(void** state)
{
    (void)state;
    static const double q[3] = {.3, -.2, .7};
    static const struct {
        ss_support_kind kind;
        double power, load[3];
    } truth[] = {
        {SS_SUPPORT_RING, 0.469155183224896, {0.114438305348018, -0.212641454142767, 0.560422001131339}},
        {SS_SUPPORT_DISK, 0.359118555730876, {0.202667890131063, -0.391224668517573, 0.314390364268631}},
    };
    for (size_t i = 0; i < 2; i++) {
        slider_rig rig;
        slider_init(&rig);
        slider_patch(&rig, truth[i].kind, 0.8, 1.0);
        rig.def.floor_mu[0] = 0.5;
        ss_slider* s = make(&rig);
        double load[3], turned[3];
        ss_slider_load(s, 0, q, load);
        near(ss_slider_power(s, 0, q), truth[i].power, 2e-14);
        near3(load, truth[i].load, 2e-14);
        // Round patches do not notice the turn of the body but through the frame: the load turns back.
        double a = 0.6, c = cos(a), w = sin(a), body[3] = {c * q[0] + w * q[1], c * q[1] - w * q[0], q[2]};
        ss_slider_load(s, a, body, turned);
        near(c * turned[0] - w * turned[1], load[0], 2e-14);
        near(w * turned[0] + c * turned[1], load[1], 2e-14);
        near(turned[2], load[2], 2e-14);
        ss_slider_destroy(s);
    }
}

// A thin annulus is nearly a ring, and any annulus is the difference of two disks.
static void test_annulus(void** state)
{
    (void)state;
    static const double motions[][3] = {
        {0.5, 0.2, 1}, {1, 0, 1.0001}, {0, 0, 1}, {1, 0.3, 0.01}, {0.3, 0.93, 1}};
    ss_slider *outer = make_patch(SS_SUPPORT_DISK, 1, 0), *inner = make_patch(SS_SUPPORT_DISK, 0.95, 0);
    ss_slider *both = make_patch(SS_SUPPORT_ANNULUS, 1, 0.95), *ring = make_patch(SS_SUPPORT_RING, 1, 0);
    ss_slider* thin = make_patch(SS_SUPPORT_ANNULUS, 1, 1 - 1e-9);
    for (size_t i = 0; i < sizeof motions / sizeof motions[0]; i++) {
        double a[3], b[3], c[3];
        ss_slider_load(outer, 0, motions[i], a);
        ss_slider_load(inner, 0, motions[i], b);
        ss_slider_load(both, 0, motions[i], c);
        for (int k = 0; k < 3; k++) near(c[k] * (1 - 0.95 * 0.95), a[k] - 0.95 * 0.95 * b[k], 1e-15);
        ss_slider_load(thin, 0, motions[i], a);
        ss_slider_load(ring, 0, motions[i], b);
        near3(a, b, 1e-7);
    }
    ss_slider_destroy(outer);
    ss_slider_destroy(inner);
    ss_slider_destroy(both);
    ss_slider_destroy(ring);
    ss_slider_destroy(thin);
}

// Section 5's two-dimensional case: in pure translation anisotropic points add up like ellipses.
static void test_translation_of_ellipses(void** state)
{
    (void)state;
    slider_rig rig;
    slider_init(&rig);
    ss_support_def* d = slider_point(&rig, 0.3, 0.4, 0.3);
    d->is_anisotropic = true;
    d->friction_N[1] = 0.6;
    d->axis[0] = 1;
    d->axis[1] = 1;
    ss_slider* s = make(&rig);
    double load[3], r = sqrt(0.5);
    ss_slider_load(s, 0, (double[]){r, r, 0}, load); // along the axis
    near3(load, (double[]){0.3 * r, 0.3 * r, 0.3 * 0.3 * r - 0.4 * 0.3 * r}, 1e-15);
    ss_slider_load(s, 0, (double[]){1, 0, 0}, load); // 45 degrees to it: |(0.3, -0.6)| r, gradient by hand
    double size = hypot(0.3, 0.6) * r, f = (0.09 * r * r + 0.36 * r * r) / size,
           g = (0.09 * r * r - 0.36 * r * r) / size;
    near(load[0], f, 1e-15);
    near(load[1], g, 1e-15);
    near(ss_slider_power(s, 0, (double[]){1, 0, 0}), size, 1e-15);
    ss_slider_destroy(s);
}

// A wheel alone: free to roll, held along its axle; a drag takes the same whichever way, a ratchet only
// forwards.
static void test_wheels(void** state)
{
    (void)state;
    slider_rig rig;
    slider_init(&rig);
    ss_support_def* d = slider_wheel(&rig, 0, 0, 1, 0, 0.5);
    d->drag_N = 0.1;
    ss_slider* s = make(&rig);
    near(ss_slider_power(s, 0, (double[]){2, 0, 0}), 1.0, 1e-15);
    near(ss_slider_power(s, 0, (double[]){0, -2, 0}), 0.2, 1e-15);
    near(ss_slider_power(s, 0, (double[]){1, 1, 7}), 0.6, 1e-15);
    ss_slider_destroy(s);
    d->ratchet = SS_RATCHET_FORWARD;
    s = make(&rig);
    near(ss_slider_power(s, 0, (double[]){0, 2, 0}), 0.2, 1e-15);
    near(ss_slider_power(s, 0, (double[]){3, -4, 0}), 2.5, 1e-15);
    // Pushed backwards it holds up to its level, forwards only up to the drag.
    ss_first_motion f;
    ss_error err;
    ss_slider_first_motion(s, 0, (double[]){0, -0.45, 0}, &f, &err);
    assert_true(f.sticks);
    ss_slider_first_motion(s, 0, (double[]){0.2, 0.45, 0}, &f, &err);
    assert_false(f.sticks);
    near3(f.acceleration, (double[]){0, 0.35, 0}, 1e-15);
    near3(f.load, (double[]){0.2, 0.1, 0}, 1e-15);
    ss_slider_destroy(s);
}

// A ratchet whose axle is at 45 degrees to planks on which sliding along is half as hard as across. Sliding
// along the axle the floor drives the wheel one way: it rolls, and exerts along its axle what is left in the
// ellipse, sqrt(2/5); the other way it is locked, and costs |D v| = sqrt(5/8).
static void test_ratchet_on_planks(void** state)
{
    (void)state;
    slider_rig rig;
    slider_init(&rig);
    rig.def.floor_mu[0] = 0.5;
    slider_wheel(&rig, 0, 0, 1, 1, 1.0)->ratchet = SS_RATCHET_FORWARD;
    ss_slider* s = make(&rig);
    double h = sqrt(0.5), load[3];
    near(ss_slider_power(s, 0, (double[]){h, h, 0}), sqrt(2.0 / 5), 1e-15);
    near(ss_slider_power(s, 0, (double[]){-h, -h, 0}), sqrt(5.0 / 8), 1e-15);
    assert_true(ss_slider_load(s, 0, (double[]){h, h, 0}, load));
    near3(load, (double[]){sqrt(0.2), sqrt(0.2), 0}, 1e-15);
    assert_true(ss_slider_load(s, 0, (double[]){-h, -h, 0}, load)); // D^2 v/|D v|
    near3(load, (double[]){-0.25 * h / sqrt(5.0 / 8), -h / sqrt(5.0 / 8), 0}, 1e-15);
    // Turned by a quarter the planks are across: the wheel is locked where it rolled, and the other way
    // round.
    near(ss_slider_power(s, 0.5 * 3.14159265358979323846, (double[]){h, h, 0}), sqrt(5.0 / 8), 1e-15);
    // No kink where it begins to roll, D^2 t . v = 0: v = D^-2 a has the same load from both sides.
    double other[3];
    ss_slider_load(s, 0, (double[]){4, 1 - 1e-9, 0}, load);
    ss_slider_load(s, 0, (double[]){4, 1 + 1e-9, 0}, other);
    near3(load, other, 1e-8);
    near3(load, (double[]){sqrt(0.2), sqrt(0.2), 0}, 1e-8);
    // Pushed back it holds up to the rim of the ellipse; forwards nothing holds it.
    ss_first_motion f;
    ss_error err;
    double rim = sqrt(2.0 / 5); // also across the axle: the ellipse is symmetric
    ss_slider_first_motion(s, 0, (double[]){0.99 * rim * h, -0.99 * rim * h, 0}, &f, &err);
    assert_true(f.sticks);
    ss_slider_first_motion(s, 0, (double[]){1.01 * rim * h, -1.01 * rim * h, 0}, &f, &err);
    assert_false(f.sticks);
    ss_slider_first_motion(s, 0, (double[]){-0.01 * h, 0.01 * h, 0}, &f, &err);
    assert_false(f.sticks);
    near3(f.acceleration, (double[]){-0.01 * h, 0.01 * h, 0}, 1e-14);
    ss_slider_destroy(s);
}

// Scales: everything follows from m, r_g and g.
static void test_units(void** state)
{
    (void)state;
    slider_rig rig;
    slider_init(&rig);
    rig.def.mass_kg = 2.5;
    rig.def.gyration_m = 0.3;
    rig.def.gravity = 9.81;
    slider_point(&rig, 0, 0.3, 0.5 * 2.5 * 9.81);
    slider_point(&rig, 0, -0.3, 0.5 * 2.5 * 9.81);
    ss_slider* s = make(&rig);
    double load[3];
    ss_slider_load(s, 0, (double[]){0.48, 0.6, 0.64 / 0.3}, load);
    near(load[0], bar_points[1].load[0] * 2.5 * 9.81, 1e-13);
    near(load[1], bar_points[1].load[1] * 2.5 * 9.81, 1e-13);
    near(load[2], bar_points[1].load[2] * 2.5 * 9.81 * 0.3, 1e-13);
    ss_slider_destroy(s);
}

// The mesh: every vertex on the surface, every edge shared by two triangles, seen from outside.
static void test_mesh(void** state)
{
    (void)state;
    static const double tri[][3] = {{1, 0, 0.5}, {-0.4, 0.9, 0.3}, {-1.9, -1.35, 0.2}};
    ss_slider* s = make_points(tri, 3);
    ss_mesh m;
    ss_error err;
    assert_int_equal(ss_slider_mesh(s, 0, 12, NULL, &m, &err), SS_OK);
    assert_int_equal(m.vertex_count, 578);
    assert_int_equal(m.triangle_count, 1152);
    for (int k = 0; k < m.vertex_count; k++) {
        const double *p = &m.loads[3 * k], *q = &m.motions[3 * k];
        near(ss_slider_gauge(s, 0, p), 1.0, 1e-11);
        near(p[0] * q[0] + p[1] * q[1] + p[2] * q[2], ss_slider_power(s, 0, q), 1e-9);
    }
    double volume = 0;
    for (int k = 0; k < m.triangle_count; k++) {
        const double *a = &m.loads[3 * m.triangles[3 * k]], *b = &m.loads[3 * m.triangles[3 * k + 1]];
        const double* c = &m.loads[3 * m.triangles[3 * k + 2]];
        double part = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0]);
        assert_true(part > 0);
        volume += part / 6;
    }
    assert_true(volume > 0);
    ss_mesh_free(&m);
    assert_int_equal(ss_slider_mesh(s, 0, 0, NULL, &m, &err), SS_BAD_INPUT);
    ss_slider_destroy(s);
}

// The body of loads is convex: no vertex of the mesh is beyond the tangent plane of another. On this floor it
// is a thousand times thinner one way than the others.
static void test_thin_mesh(void** state)
{
    (void)state;
    slider_rig rig;
    slider_init(&rig);
    ss_support_def* d = slider_patch(&rig, SS_SUPPORT_ANNULUS, 0.0862, 0.0209);
    d->inner_m = 0.0404;
    d->position_m[0] = -0.818;
    d->position_m[1] = 0.856;
    slider_point(&rig, -0.731, -0.729, 0.0346);
    rig.def.floor_mu[0] = 0.04;
    rig.def.floor_mu[1] = 70.0;
    rig.def.floor_axis[0] = 0.9525;
    rig.def.floor_axis[1] = 0.3045;
    ss_slider* s = make(&rig);
    ss_mesh m;
    ss_error err;
    assert_int_equal(ss_slider_mesh(s, 0, 20, NULL, &m, &err), SS_OK);
    double reach = 0.0;
    for (int k = 0; k < 3 * m.vertex_count; k++) reach = fmax(reach, fabs(m.loads[k]));
    for (int i = 0; i < m.vertex_count; i++) {
        const double* q = &m.motions[3 * i];
        double power = ss_slider_power(s, 0, q);
        for (int j = 0; j < m.vertex_count; j++) {
            const double* p = &m.loads[3 * j];
            near(fmax(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] - power, 0.0), 0.0, 1e-9 * reach);
        }
    }
    ss_mesh_free(&m);
    ss_slider_destroy(s);
}

// The section Fy = 0 of the asymmetric bar is a parallelogram with corners (3, 0), (-1, 1), (-3, 0), (1, -1).
static void test_section(void** state)
{
    (void)state;
    static const double bar[][3] = {{0, 0.25, 2}, {0, -0.5, 1}};
    ss_slider* s = make_points(bar, 2);
    enum { COUNT = 360 };
    double points[3 * COUNT];
    ss_error err;
    assert_int_equal(
        ss_slider_section(s, 0, (double[]){1, 0, 0}, (double[]){0, 0, 1}, COUNT, NULL, points, &err), SS_OK);
    for (int k = 0; k < COUNT; k++) {
        double x = points[3 * k], m = points[3 * k + 2];
        near(points[3 * k + 1], 0, 1e-14);
        near(fmax(fabs(x / 3 + 4 * m / 3), fabs(x / 3 - 2 * m / 3)), 1.0, 1e-11);
    }
    ss_slider_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_ring_symmetry),
        cmocka_unit_test(test_bar_points),
        cmocka_unit_test(test_car_points),
        cmocka_unit_test(test_identities),
        cmocka_unit_test(test_facet_load),
        cmocka_unit_test(test_facets),
        cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_vertices_of_ratchets),
        cmocka_unit_test(test_mesh_has_the_vertices),
        cmocka_unit_test(test_first_motion),
        cmocka_unit_test(test_gauge_by_hand),
        cmocka_unit_test(test_polygons),
        cmocka_unit_test(test_round_on_floor),
        cmocka_unit_test(test_annulus),
        cmocka_unit_test(test_translation_of_ellipses),
        cmocka_unit_test(test_wheels),
        cmocka_unit_test(test_ratchet_on_planks),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_thin_mesh),
        cmocka_unit_test(test_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
