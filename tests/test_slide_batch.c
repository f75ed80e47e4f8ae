// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Many motions of one slider: each ends where it ends alone, to the bit, whatever the number of threads. The
// truth of the single cases: a point braked by mu g stops after v^2/(2 mu g), in the time v/(mu g).
#include "slipstick/lab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 150 };

static ss_slider* make(const char* text)
{
    ss_document* document = NULL;
    ss_slider* slider = NULL;
    ss_error err;
    assert_int_equal(ss_document_parse_yaml("test", text, strlen(text), &document, &err), SS_OK);
    if (ss_slider_create_from_document(document, &slider, &err) != SS_OK) fail_msg("%s", err.text);
    ss_document_destroy(document);
    return slider;
}

static const char point[] = "slipstick: 1\ntitle: A slider\nslider:\n  mass: 2 kg\n"
                            "  gyration: 0.1 m\n  gravity: 10 m/s^2\n"
                            "  supports:\n    - {point: [0, 0], load: 1, mu: 0.5}\n";
static const char tripod[] = "slipstick: 1\ntitle: A slider\nslider:\n  mass: 1 kg\n"
                             "  gyration: 0.1 m\n  supports:\n"
                             "    - {point: [0.12, 0], load: 0.4, mu: 0.3}\n"
                             "    - {point: [-0.06, 0.1], load: 0.3, mu: 0.3}\n"
                             "    - {point: [-0.06, -0.1], load: 0.3, mu: 0.3}\n";
static const char box[] =
    "slipstick: 1\ntitle: A slider\nslider:\n  mass: 1 kg\n"
    "  gyration: 0.1 m\n  supports:\n"
    "    - {polygon: [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]], load: 1, mu: 0.3}\n";

static void stops_where_newton_says(void** state)
{
    (void)state;
    ss_slider* slider = make(point);
    const double speed[] = {1.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0};
    ss_slide_result results[3];
    double end[9], end_speed[9];
    ss_error err;
    const ss_slide_starts starts = {
        .count = 3, .speed = speed, .results = results, .end = end, .end_speed = end_speed};
    assert_int_equal(ss_slide_batch(slider, NULL, &starts, &err), SS_OK);
    for (int k = 0; k < 3; k++) {
        double v = fabs(speed[3 * k] + speed[3 * k + 1]);
        assert_int_equal(results[k].fate, SS_FATE_REST);
        assert_true(fabs(results[k].t - v / 5.0) < 1e-14);
        assert_true(fabs(hypot(end[3 * k], end[3 * k + 1]) - v * v / 10.0) < 1e-14);
        assert_true(end_speed[3 * k] == 0.0 && end_speed[3 * k + 1] == 0.0 && end_speed[3 * k + 2] == 0.0);
        assert_int_equal(results[k].has_final, v > 0.0);
    }
    // Too far, and cut short.
    ss_batch_def def = ss_batch_def_default();
    def.escape = 0.05;
    assert_int_equal(ss_slide_batch(slider, &def, &starts, &err), SS_OK);
    assert_int_equal(results[0].fate, SS_FATE_ESCAPED);
    assert_int_equal(results[2].fate, SS_FATE_REST);
    def = ss_batch_def_default();
    def.until = 0.1;
    assert_int_equal(ss_slide_batch(slider, &def, &starts, &err), SS_OK);
    assert_int_equal(results[0].fate, SS_FATE_MOVING);
    assert_true(results[0].t == 0.1 && fabs(end[0] - 0.075) < 1e-14 && fabs(end_speed[0] - 0.5) < 1e-14);
    ss_slider_destroy(slider);
}

static double draw(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static void compare_with_alone(const char* text, const double place[], const double speed[],
                               const ss_slide_starts* all)
{
    ss_slider* slider = make(text);
    ss_error err;
    for (int k = 0; k < COUNT; k++) {
        ss_slide_def def = ss_slide_def_default();
        ss_slide* slide = NULL;
        ss_outcome outcome;
        def.start = place + 3 * k;
        def.start_speed = speed + 3 * k;
        assert_int_equal(ss_slide_create(slider, &def, &slide, &err), SS_OK);
        assert_int_equal(ss_slide_advance(slide, 50.0, &outcome, &err), SS_OK);
        ss_slider_state end = ss_slide_state(slide);
        ss_final_motion final;
        assert_int_equal(outcome, SS_AT_REST);
        assert_true(all->results[k].t == ss_slide_time(slide));
        assert_true(all->end[3 * k] == end.x && all->end[3 * k + 1] == end.y &&
                    all->end[3 * k + 2] == end.angle);
        assert_int_equal(all->results[k].has_final, ss_slide_final_motion(slide, &final));
        assert_memory_equal(all->results[k].final.q, final.q, sizeof final.q);
        ss_slide_destroy(slide);
    }
    ss_slider_destroy(slider);
}

static void are_the_same_however_divided(void** state)
{
    (void)state;
    const char* const texts[] = {tripod, box};
    for (int m = 0; m < 2; m++) {
        ss_slider* slider = make(texts[m]);
        double place[3 * COUNT], speed[3 * COUNT], end[2][3 * COUNT];
        ss_slide_result results[2][COUNT];
        uint64_t seed = 7;
        ss_error err;
        for (int k = 0; k < 3 * COUNT; k++) {
            place[k] = draw(&seed);
            speed[k] = draw(&seed) * (k % 3 == 2 ? 10.0 : 1.0);
        }
        ss_batch_def def = ss_batch_def_default();
        def.until = 50.0;
        for (int threads = 1; threads <= 5; threads += 2) {
            int k = threads > 1;
            const ss_slide_starts starts = {
                .count = COUNT, .place = place, .speed = speed, .results = results[k], .end = end[k]};
            assert_int_equal(ss_slide_batch_threads(slider, &def, &starts, threads, &err), SS_OK);
            assert_memory_equal(end[k], end[0], sizeof end[0]);
            if (k == 0) compare_with_alone(texts[m], place, speed, &starts);
            for (int i = 0; i < COUNT; i++) assert_true(results[k][i].t == results[0][i].t);
        }
        ss_slider_destroy(slider);
    }
}

static void names_the_start_that_makes_no_sense(void** state)
{
    (void)state;
    ss_slider* slider = make(point);
    double speed[3 * COUNT] = {0};
    ss_slide_result results[COUNT];
    ss_error err;
    speed[3 * 77] = NAN;
    const ss_slide_starts starts = {.count = COUNT, .speed = speed, .results = results};
    assert_int_equal(ss_slide_batch(slider, NULL, &starts, &err), SS_BAD_INPUT);
    assert_non_null(strstr(err.text, "start 77: "));
    assert_int_equal(ss_slide_batch_threads(slider, NULL, &starts, 3, &err), SS_BAD_INPUT);
    assert_non_null(strstr(err.text, "start 77: "));
    ss_batch_def def = ss_batch_def_default();
    def.until = -1.0;
    assert_int_equal(ss_slide_batch(slider, &def, &starts, &err), SS_BAD_INPUT);
    assert_string_equal(err.field, "until");
    assert_int_equal(ss_slide_batch(slider, NULL, &(ss_slide_starts){0}, &err), SS_OK);
    ss_slider_destroy(slider);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_where_newton_says),
        cmocka_unit_test(are_the_same_however_divided),
        cmocka_unit_test(names_the_start_that_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
