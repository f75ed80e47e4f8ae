// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Lines with fewer points, and the words for what was changed. What a thinned line must be is plain: a part
// of the points, in order, both ends among them, and nothing left out that lies farther from it than the
// tolerance.
#include "picture/canvas/label.h"
#include "picture/canvas/thin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 5000 };
static const double tolerance = 0.02, turn = 6.283185307179586;

static double distance_to_segment(ss_point p, ss_point a, ss_point b)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double s = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
    s = fmin(fmax(s, 0), 1);
    return hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

static bool same(ss_point a, ss_point b) { return a.x == b.x && a.y == b.y; }

// Walks along both lines; between two points kept all others are near the segment. Returns how many are kept.
static int check(const ss_point points[], int count)
{
    static ss_point kept[MOST];
    int n = ss_thin_line(points, count, tolerance, kept), at = 0;
    assert_true(n >= (count > 1 ? 2 : count) && n <= count);
    assert_true(same(kept[0], points[0]) && same(kept[n - 1], points[count - 1]));
    for (int k = 1; k < n; k++) {
        int end = at + 1;
        while (end < count && !same(points[end], kept[k])) end++;
        if (k == n - 1) end = count - 1;
        assert_true(end < count);
        for (int i = at + 1; i < end; i++) // turning back within the tolerance may count twice
            assert_true(distance_to_segment(points[i], kept[k - 1], kept[k]) <= 2 * tolerance);
        at = end;
    }
    return n;
}

static void test_straight(void** state)
{
    (void)state;
    ss_point points[1000];
    for (int k = 0; k < 1000; k++) points[k] = (ss_point){0.1 * k, 3 - 0.25 * k};
    assert_int_equal(check(points, 1000), 2);
    for (int k = 0; k < 1000; k++)
        points[k] = (ss_point){0.1 * (k < 500 ? k : 1000 - k), 0}; // there and back
    assert_int_equal(check(points, 1000), 3);
    for (int k = 0; k < 1000; k++) points[k] = (ss_point){k < 500 ? 0.1 * k : 50, k < 500 ? 0 : 0.1 * k - 50};
    assert_int_equal(check(points, 1000), 3);                     // a corner
    for (int k = 0; k < 1000; k++) points[k] = (ss_point){7, -2}; // a point
    assert_int_equal(check(points, 1000), 2);
    assert_int_equal(check(points, 1), 1);
    assert_int_equal(ss_thin_line(points, 0, tolerance, points), 0);
}

// A chord that is at most h away from its circle of radius r spans 2 acos(1 - h/r): no line within the
// tolerance can do with fewer chords than this gives for h = 2 tolerance, and one pass needs not many more.
static void test_circle(void** state)
{
    (void)state;
    static ss_point points[MOST];
    for (int k = 0; k < MOST; k++)
        points[k] = (ss_point){100 * cos(turn * k / (MOST - 1)), 100 * sin(turn * k / (MOST - 1))};
    double least = turn / (2 * acos(1 - 2 * tolerance / 100));
    int n = check(points, MOST);
    assert_true(n >= least && n <= 4 * least);
}

static void test_random(void** state)
{
    (void)state;
    static ss_point points[MOST];
    unsigned seed = 1;
    for (int round = 0; round < 40; round++) {
        double step = pow(10, -3 + 0.1 * round), heading = 0;
        for (int k = 0; k < MOST; k++) {
            seed = seed * 1664525u + 1013904223u;
            heading += 0.5 * ((double)(seed >> 8) / (1 << 24) - 0.5);
            ss_point before = k > 0 ? points[k - 1] : (ss_point){0, 0};
            points[k] = (ss_point){before.x + step * cos(heading), before.y + step * sin(heading)};
        }
        check(points, MOST);
    }
}

static void test_in_place(void** state)
{
    (void)state;
    static ss_point points[MOST], kept[MOST];
    for (int k = 0; k < MOST; k++) points[k] = (ss_point){0.1 * k, 30 * sin(0.01 * k)};
    int n = ss_thin_line(points, MOST, tolerance, kept);
    assert_int_equal(ss_thin_line(points, MOST, tolerance, points), n);
    assert_memory_equal(points, kept, (size_t)n * sizeof *kept);
}

static void test_labels(void** state)
{
    (void)state;
    char out[32];
    assert_string_equal(ss_label_changes("block.x=2", out, sizeof out), "block.x=2");
    assert_string_equal(ss_label_changes("disk.v=0.6,contacts.stop.alpha=0.1", out, sizeof out),
                        "disk.v=0.6, stop.alpha=0.1");
    assert_string_equal(ss_label_changes("slider.supports[0].ring=1/sqrt(2)", out, sizeof out),
                        "supports[0].ring=1/sqrt(2)");
    assert_string_equal(ss_label_changes("x", out, sizeof out), "x");
    assert_string_equal(ss_label_changes("", out, sizeof out), "");
    assert_string_equal(ss_label_changes("a.b=1.5,c.d=2.5", out, 8), "a.b=1.5"); // cut, and ended
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight), cmocka_unit_test(test_circle), cmocka_unit_test(test_random),
        cmocka_unit_test(test_in_place), cmocka_unit_test(test_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
