// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What pictures are made of, against what is known otherwise: drawn loads lie on the limit surface, loops
// enclose the area a formula says, boundaries are the circles they should be, thinned lines keep their peaks.
#include "picture/canvas/thin.h"
#include "picture/figure/contour.h"
#include "picture/view/drawn_surface.h"
#include "picture/view/loops.h"
#include "picture/view/slide_sketch.h"
#include "slider_rig.h"
#include "slipstick/surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- the skin of the limit surface

typedef struct audit {
    const ss_slider* slider;
    long corners;
    double worst; // distance from the surface, by the gauge, which is computed by other means
    double low[3], high[3];
} audit;

static void audit_corner(audit* a, const ss_drawn_surface_corner* c)
{
    a->corners++;
    a->worst = fmax(a->worst, fabs(ss_slider_gauge(a->slider, 0, c->load) - 1)); // all units are 1 here
    for (int i = 0; i < 3; i++) {
        a->low[i] = fmin(a->low[i], c->load[i]);
        a->high[i] = fmax(a->high[i], c->load[i]);
    }
}

static void audit_triangle(void* user, const ss_drawn_surface_corner corners[3])
{
    audit* a = user;
    if (a->corners % 7 == 0) audit_corner(a, &corners[0]); // some of many
    a->corners++;
}

static void audit_line(void* user, const ss_drawn_surface_corner points[], int count)
{
    for (int k = 0; k < count; k++) audit_corner(user, &points[k]);
    assert_true(fabs(points[0].load[0] - points[count - 1].load[0]) < 1e-12); // closed
}

static ss_slider* make(slider_rig* rig)
{
    ss_slider* slider = NULL;
    ss_error err;
    assert_int_equal(ss_slider_create(&rig->def, &slider, &err), SS_OK);
    return slider;
}

// A car: a wheel in front, a point behind. Facets of the point, bands of the wheel, sharp edges between.
static void test_skin_lies_on_the_surface(void** state)
{
    (void)state;
    slider_rig rig;
    slider_init(&rig);
    slider_wheel(&rig, 0, 1, 1, 0, 0.5);
    slider_point(&rig, 0, -1, 0.5);
    ss_slider* slider = make(&rig);
    audit a = {.slider = slider};
    assert_int_equal(ss_drawn_surface_cover(slider, 0, 0.1, NULL, audit_triangle, &a, NULL), SS_OK);
    assert_true(a.corners > 500 && a.worst < 1e-9);
    for (int i = 0; i < 3; i++) { // as far as the power of a unit motion says
        const double motion[3] = {i == 0, i == 1, i == 2};
        double reach = ss_slider_power(slider, 0, motion);
        assert_true(a.high[i] > 0.95 * reach && a.high[i] < reach + 1e-12);
        assert_true(a.low[i] < -0.95 * reach && a.low[i] > -reach - 1e-12);
    }
    audit lines = {.slider = slider};
    ss_drawn_surface_bounds(slider, 0, 0.01, audit_line, &lines);
    assert_int_equal(lines.corners, 4 * 97); // two facets, two edges of the band
    assert_true(lines.worst < 1e-8);
    audit none = {.slider = slider};
    ss_drawn_surface_bounds(slider, 0, 10, audit_line, &none); // nothing flat is as large
    assert_int_equal(none.corners, 0);
    ss_slider_destroy(slider);
}

// ---- the sketch of a slide

// While it moves, the load is on the limit surface of the body frame; the last direction is that of rest.
static void test_slide_sketch(void** state)
{
    (void)state;
    slider_rig rig;
    slider_init(&rig);
    slider_point(&rig, 0, 1, 0.5);
    slider_point(&rig, 0, -1, 0.5);
    memcpy(rig.def.start_speed, (const double[3]){0.6, 0.3, 0.4}, sizeof rig.def.start_speed);
    ss_slider* slider = make(&rig);
    ss_motion_def def = ss_motion_def_default();
    ss_motion* motion;
    ss_slide_sketch sketch;
    ss_error err;
    def.until = 10;
    assert_int_equal(ss_motion_create_sliding(slider, &def, &motion, &err), SS_OK);
    assert_int_equal(ss_motion_run(motion, &err), SS_OK);
    assert_int_equal(ss_slide_sketch_take(motion, &sketch, &err), SS_OK);
    assert_int_equal(sketch.outcome, SS_AT_REST);
    const ss_slide_moment* last = NULL;
    for (int k = 0; k < sketch.count; k++) {
        const ss_slide_moment* m = &sketch.at[k];
        assert_true(k == 0 || m->t >= m[-1].t);
        if (!m->moves) continue;
        last = m;
        assert_true(fabs(sqrt(m->q[0] * m->q[0] + m->q[1] * m->q[1] + m->q[2] * m->q[2]) - 1) < 1e-14);
        assert_true(fabs(ss_slider_gauge(slider, 0, m->load) - 1) < 1e-6);
        if (m[1].moves && m[1].t > m->t) // no gaps in what is drawn
            assert_true(hypot(m[1].p[1] - m->p[1], m[1].p[0] - m->p[0]) < 0.1);
    }
    assert_non_null(last); // [GRP91, Figure 7]: q = (1, 0, 1)/sqrt 2, turning about one end
    assert_true(fabs(last->q[0] - sqrt(0.5)) < 1e-3 && fabs(last->q[2] - sqrt(0.5)) < 1e-3);
    assert_true(fabs(last->p[0] - 0.5) < 1e-3 && fabs(last->p[2] - 0.5) < 1e-3);
    for (int k = 1; k < sketch.count; k++) { // between two moments it is between two places
        const ss_slide_moment *m = &sketch.at[k], *before = m - 1;
        ss_slider_state middle = ss_slide_sketch_at(&sketch, 0.5 * (before->t + m->t));
        double far = hypot(middle.x - before->state.x, middle.y - before->state.y) +
                     hypot(middle.x - m->state.x, middle.y - m->state.y);
        assert_true(far <= 1e-12 + 1.01 * hypot(m->state.x - before->state.x, m->state.y - before->state.y));
    }
    ss_slide_sketch_free(&sketch);
    ss_motion_destroy(motion);
    ss_slider_destroy(slider);
}

// ---- loops

// A spring of stiffness k in line with a slider of level f, moved between turning points: each closed loop of
// width w > 2 f/k is a parallelogram of area 2 f (w - 2 f/k); narrower ones enclose nothing.
static int draw_loops(const double turns[], int turn_count, ss_point points[])
{
    const double k = 10, f = 1;
    enum { STEPS = 1000 };
    int count = 0;
    double x = turns[0], force = 0;
    points[count++] = (ss_point){x, force};
    for (int t = 1; t < turn_count; t++)
        for (int s = 1; s <= STEPS; s++) {
            double next = turns[t - 1] + (turns[t] - turns[t - 1]) * s / STEPS;
            force = fmin(fmax(force + k * (next - x), -f), f);
            x = next;
            points[count++] = (ss_point){x, force};
        }
    return count;
}

static void test_loops(void** state)
{
    (void)state;
    static ss_point points[12000];
    ss_loops found[4];
    const double steady[] = {0, 1, -1, 1, -1, 1, -1, 1};
    int count = draw_loops(steady, 8, points);
    assert_int_equal(ss_loops_find(points, count, found, 4), 1);
    assert_true(found[0].count == 3 && found[0].width == 2);
    assert_true(fabs(found[0].work - 2 * (2 - 0.2)) < 0.006);
    const double nested[] = {0, 1, -1, 0.5, -0.25, 0.5, -1, 1}; // loops within loops keep their own work
    count = draw_loops(nested, 8, points);
    assert_int_equal(ss_loops_find(points, count, found, 4), 3);
    const double widths[] = {2, 1.5, 0.75};
    for (int k = 0; k < 3; k++) {
        assert_true(found[k].count == 1 && fabs(found[k].width - widths[k]) < 1e-12);
        assert_true(fabs(found[k].work - 2 * (widths[k] - 0.2)) < 0.006);
    }
    const double once[] = {0, 1, 0}; // there and back is no loop: it began at no reversal
    count = draw_loops(once, 3, points);
    assert_int_equal(ss_loops_find(points, count, found, 4), 0);
    assert_int_equal(ss_loops_find(points, 1, found, 4), 0);
    assert_int_equal(ss_loops_find(points, 0, found, 4), 0);
}

// ---- boundaries

// Level 1 within the circle of radius 2 round (1, 0), level 2 in its upper half; the box cuts both at x = 2.
static int disc_at(void* user, ss_point p)
{
    (void)user;
    if (hypot(p.x - 1, p.y) > 2) return 0;
    return p.y > 0.013 ? 2 : 1;
}

static int pieces[3];

static void check_boundary(void* user, int level, const ss_point points[], int count)
{
    (void)user;
    pieces[level]++;
    assert_true(count > 20);
    for (int k = 0; k < count; k++) {
        double off = fabs(hypot(points[k].x - 1, points[k].y) - 2), flat = fabs(points[k].y - 0.013);
        assert_true(off < 2e-3 || (level == 2 && flat < 2e-3));
        if (k > 0) assert_true(hypot(points[k].x - points[k - 1].x, points[k].y - points[k - 1].y) < 0.3);
    }
    assert_true(fabs(points[0].x - 2) < 1e-12 && fabs(points[count - 1].x - 2) < 1e-12); // open at the rim
}

static void check_closed(void* user, int level, const ss_point points[], int count)
{
    (void)user;
    pieces[level]++;
    assert_true(points[0].x == points[count - 1].x && points[0].y == points[count - 1].y);
}

static void test_contour(void** state)
{
    (void)state;
    const ss_box cut = {-3, -3, 5, 6}, whole = {-3, -3, 8, 6};
    memset(pieces, 0, sizeof pieces);
    assert_true(ss_contour(disc_at, 2, &cut, check_boundary, NULL));
    assert_true(pieces[1] == 1 && pieces[2] == 1);
    memset(pieces, 0, sizeof pieces);
    assert_true(ss_contour(disc_at, 2, &whole, check_closed, NULL));
    assert_true(pieces[1] == 1 && pieces[2] == 1);
    memset(pieces, 0, sizeof pieces);
    assert_true(ss_contour(disc_at, 2, &(ss_box){10, 10, 1, 1}, check_closed, NULL));
    assert_true(pieces[1] == 0 && pieces[2] == 0);
}

// ---- thinning

// Noise with one peak: a tenth of the points is far more than enough, and the peak stays.
static void test_thin(void** state)
{
    (void)state;
    enum { COUNT = 200000, COLUMNS = 1000 };
    ss_point* points = calloc(COUNT, sizeof *points);
    assert_non_null(points);
    unsigned seed = 7;
    for (int k = 0; k < COUNT; k++) points[k] = (ss_point){(double)k / COUNT, slider_uniform(&seed, -1, 1)};
    points[123456].y = 5;
    points[43210].y = -5;
    ss_point first = points[0], last = points[COUNT - 1];
    int kept = ss_thin_columns(points, COUNT, 1.0 / COLUMNS, points);
    assert_true(kept <= 4 * COLUMNS && kept > 2 * COLUMNS);
    assert_memory_equal(&points[0], &first, sizeof first);
    assert_memory_equal(&points[kept - 1], &last, sizeof last);
    double low = 0, high = 0;
    for (int k = 0; k < kept; k++) {
        assert_true(k == 0 || points[k].x >= points[k - 1].x); // in order
        low = fmin(low, points[k].y);
        high = fmax(high, points[k].y);
    }
    assert_true(low == -5 && high == 5);
    free(points);
    ss_point few[3] = {{0, 0}, {0.5, 1}, {1, 0}};
    assert_int_equal(ss_thin_columns(few, 3, 0.1, few), 3);
    assert_int_equal(ss_thin_columns(few, 3, 10, few), 3); // one column: first, highest, last
    assert_int_equal(ss_thin_columns(few, 0, 1, few), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skin_lies_on_the_surface),
        cmocka_unit_test(test_slide_sketch),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_contour),
        cmocka_unit_test(test_thin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
