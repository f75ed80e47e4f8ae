// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Facets, vertices, meshes and sections of the limit surface, against counts and identities known without it.
#include "limit_rig.h"
#include "slipstick/surface.h"

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
        cmocka_unit_test(test_facet_load),
        cmocka_unit_test(test_facets),
        cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_vertices_of_ratchets),
        cmocka_unit_test(test_mesh_has_the_vertices),
        cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_thin_mesh),
        cmocka_unit_test(test_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
