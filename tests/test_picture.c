// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Pictures: ticks a person would choose, outlines of known regions, files that are the same every time.
#define _POSIX_C_SOURCE 200809L // mkdtemp
#include "picture/figure/figure.h"
#include "picture/figure/outline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Fonts that fontconfig has found stay loaded; that is no leak of ours.
const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void) { return "leak:libfontconfig"; }

#define MINUS "\xE2\x88\x92"

static void test_ticks(void** state)
{
    (void)state;
    static const struct {
        double from, to;
        int about;
        const char* labels; // all of them
        const char* axis;   // of "x (m)"
    } truth[] = {
        {-10, 10, 5, MINUS "10 " MINUS "5 0 5 10", "x (m)"},
        {-10.25, 10.25, 10, MINUS "10 " MINUS "8 " MINUS "6 " MINUS "4 " MINUS "2 0 2 4 6 8 10", "x (m)"},
        {0, 1, 5, "0.0 0.2 0.4 0.6 0.8 1.0", "x (m)"},
        {0.1, 0.35, 5, "0.10 0.15 0.20 0.25 0.30 0.35", "x (m)"},
        {0, 3e7, 3, "0 1 2 3", "x (10\xE2\x81\xB7 m)"},
        {-2e-6, 2e-6, 4, MINUS "2 " MINUS "1 0 1 2", "x (10\xE2\x81\xBB\xE2\x81\xB6 m)"},
        {99.7, 100.4, 3, "99.8 100.0 100.2 100.4", "x (m)"},
        {1000.0 - 2.5e-9, 1000.0 + 2.5e-9, 5, MINUS "2 " MINUS "1 0 1 2",
         "x " MINUS " 1000 (10\xE2\x81\xBB\xE2\x81\xB9 m)"},
    };
    for (size_t k = 0; k < sizeof truth / sizeof truth[0]; k++) {
        ss_ticks ticks = ss_ticks_choose(truth[k].from, truth[k].to, truth[k].about);
        char all[400] = "", one[40];
        for (int i = 0; i < ticks.count; i++) {
            size_t used = strlen(all);
            snprintf(all + used, sizeof all - used, "%s%s", i ? " " : "",
                     ss_ticks_label(&ticks, i, one, sizeof one));
        }
        assert_string_equal(all, truth[k].labels);
        assert_string_equal(ss_ticks_axis(&ticks, "x (m)", all, sizeof all), truth[k].axis);
    }
}

// The ellipse x^2/9 + y^2 <= 1 around (5, -1).
static bool in_ellipse(void* user, ss_point p)
{
    ++*(long*)user;
    return (p.x - 5) * (p.x - 5) / 9 + (p.y + 1) * (p.y + 1) <= 1;
}

static void test_outline(void** state)
{
    (void)state;
    enum { COUNT = 90 };
    ss_point inside, corners[COUNT];
    long asked = 0;
    const ss_box box = {0, -5, 10, 10};
    assert_true(ss_outline_find(in_ellipse, &asked, (ss_point){0, 0}, &box, &inside));
    assert_true(in_ellipse(&asked, inside));
    ss_outline(in_ellipse, &asked, (ss_point){6, -0.5}, 100, corners, COUNT); // seen from off its centre
    for (int k = 0; k < COUNT; k++) {
        double x = corners[k].x - 5, y = corners[k].y + 1;
        assert_true(fabs(x * x / 9 + y * y - 1) < 1e-13);
        double angle = atan2(corners[k].y + 0.5, corners[k].x - 6), expected = k * 2 * acos(-1) / COUNT;
        assert_true(fabs(remainder(angle - expected, 2 * acos(-1))) < 1e-12);
    }
    ss_outline(in_ellipse, &asked, (ss_point){5, -1}, 2, corners, 4); // no further than asked for
    assert_true(fabs(corners[0].x - 7) < 1e-15 && fabs(corners[1].y - 0) < 1e-13);
    const ss_box elsewhere = {-10, -10, 5, 5};
    assert_false(ss_outline_find(in_ellipse, &asked, (ss_point){0, 0}, &elsewhere, &inside));
}

static void draw(const char* path)
{
    static const unsigned char rgb[12] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
    const ss_figure_def def = {.sheet = {.path = path}, .title = "Less < more & \"so\"", .plots = 2};
    const ss_plot_axis x = {"x (m)", 0, 1}, y = {"y (m/s)", -2, 2}, plain = {NULL, 0, 1};
    const ss_point line[3] = {{0, 0}, {0.5, 1}, {1, -1}};
    const ss_pen pen = {.color = {1, 0, 0, 1}, .width = 1, .dash = 3, .pause = 2};
    ss_figure* figure = NULL;
    ss_error err;
    assert_int_equal(ss_figure_create(&def, &figure, &err), SS_OK);
    ss_plot* first = ss_figure_plot(figure, &x, &y, false);
    ss_plot_image(first, 0, -2, 1, 2, &(ss_raster){2, 2, rgb});
    ss_plot_line(first, line, 3, false, &pen, "a line");
    ss_plot* second = ss_figure_plot(figure, &x, &plain, true);
    ss_plot_area(second, line, 3, (ss_color){0, 0, 1, 0.5}, &pen, "an area");
    ss_plot_dots(second, line, 3, 2, (ss_color){0, 0, 0, 1}, "dots");
    assert_int_equal(ss_figure_finish(figure, &err), SS_OK);
    ss_figure_destroy(figure);
}

static size_t read_file(const char* path, char* bytes, size_t room)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room - 1, file);
    fclose(file);
    bytes[size] = '\0';
    return size;
}

static void test_formats(void** state)
{
    (void)state;
    static const struct {
        const char *ending, *begins;
    } formats[] = {{".svg", "<svg "}, {".png", "\x89PNG"}, {".pdf", "%PDF-"}};
    static char once[1 << 18], again[1 << 18];
    char folder[] = "/tmp/slipstick-picture-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/a%s", folder, formats[k].ending);
        assert_true(ss_picture_knows(path));
        draw(path);
        size_t size = read_file(path, once, sizeof once);
        assert_int_equal(strncmp(once, formats[k].begins, strlen(formats[k].begins)), 0);
        if (k == 0) { // text is text
            assert_non_null(strstr(once, ">Less &lt; more &amp; \"so\"</text>"));
            assert_non_null(strstr(once, ">y (m/s)</text>"));
            assert_non_null(strstr(once, ">an area</text>"));
            assert_string_equal(once + size - 7, "</svg>\n");
        }
        sleep(1); // another second, the same bytes
        draw(path);
        assert_int_equal(read_file(path, again, sizeof again), size);
        assert_memory_equal(once, again, size);
        remove(path);
    }
    rmdir(folder);
    assert_false(ss_picture_knows("a.jpg"));
    ss_figure* figure = NULL;
    ss_error err;
    assert_int_equal(ss_figure_create(&(ss_figure_def){.sheet = {.path = "a.jpg"}}, &figure, &err),
                     SS_BAD_INPUT);
    assert_null(figure);
}

// Noise, and a spiral that covers itself a thousand times: more points, but no larger files. The extremes of
// the noise are there, and no path has a number that is none.
static void test_many_points(void** state)
{
    (void)state;
    enum { MANY = 400000 };
    static char bytes[2000000];
    char folder[] = "/tmp/slipstick-picture-XXXXXX", path[64];
    ss_point* points = calloc(MANY, sizeof *points);
    assert_non_null(points);
    assert_non_null(mkdtemp(folder));
    for (int spiral = 0; spiral < 2; spiral++) {
        for (int k = 0; k < MANY; k++) {
            double share = (double)k / MANY, a = 2 * acos(-1) * 1000 * share;
            points[k] = spiral ? (ss_point){(1 - share) * cos(a), (1 - share) * sin(a)}
                               : (ss_point){2 * share - 1, fmod(k * 0.6180339887498949, 1)};
        }
        points[MANY / 3] = (ss_point){NAN, 0};
        points[MANY / 2] = (ss_point){0, INFINITY};
        points[MANY / 4] = (ss_point){points[MANY / 4].x, 1e300}; // far outside of the axes
        static const char* const endings[] = {".svg", ".png", ".pdf"};
        for (int k = 0; k < 3; k++) {
            snprintf(path, sizeof path, "%s/a%s", folder, endings[k]);
            const ss_figure_def def = {.sheet = {.path = path}};
            const ss_plot_axis axis = {NULL, -1, 1};
            ss_figure* figure = NULL;
            ss_error err;
            assert_int_equal(ss_figure_create(&def, &figure, &err), SS_OK);
            const ss_pen pen = {.color = {0, 0, 0, 1}, .width = 1};
            ss_plot_line(ss_figure_plot(figure, &axis, &axis, false), points, MANY, false, &pen, "all of it");
            assert_int_equal(ss_figure_finish(figure, &err), SS_OK);
            ss_figure_destroy(figure);
            size_t size = read_file(path, bytes, sizeof bytes);
            assert_true(size > 1000 && size < 600000);
            if (k == 0) assert_null(strstr(bytes, "nan"));
            if (k == 0) assert_null(strstr(bytes, "inf"));
            remove(path);
        }
    }
    rmdir(folder);
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_outline),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_many_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
