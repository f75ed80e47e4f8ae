// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// The limit surface against numbers known without it: 50-digit tables, quadrature in polar coordinates about
// the centre of rotation, closed forms that fit on a line.
#include "limit_rig.h"
#include "slipstick/surface.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_ring_symmetry),
        cmocka_unit_test(test_bar_points),
        cmocka_unit_test(test_car_points),
        cmocka_unit_test(test_identities),
        cmocka_unit_test(test_first_motion),
        cmocka_unit_test(test_gauge_by_hand),
        cmocka_unit_test(test_polygons),
        cmocka_unit_test(test_round_on_floor),
        cmocka_unit_test(test_annulus),
        cmocka_unit_test(test_translation_of_ellipses),
        cmocka_unit_test(test_wheels),
        cmocka_unit_test(test_ratchet_on_planks),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
