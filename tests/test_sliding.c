// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sliding motions whose end is known to many digits: computed apart from this library with 64 digits
// (extrapolation in a regularised time, sticking arcs in closed form), or by formula. m = r_g = g = 1.
#include "rig.h"
#include "slider_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double fine = 1e-13; // tolerance of the runs

// clang-format off
// Points x, y, friction; start; time, place and angle of rest; last direction; first support to stick, and when.
static const struct points_truth {
    const char* name;
    int count;
    double point[6][3], start[3], t, x, y, angle, q[3], t_stick;
    int sticks;
} points_truth[] = {
    {"bar_A", 2, {{0.0, 1.0, 0.5}, {0.0, -1.0, 0.5}}, {1.0, 0.5, 1.0}, 2.071878784810297, 0.8848745980154145, 0.5884983530536902, 1.066727776458091, {0.7071067811865476, 0.0, 0.7071067811865476}, 0.9757784694527804, 0},
    {"bar_B", 2, {{0.0, 1.0, 0.5}, {0.0, -1.0, 0.5}}, {0.3, 1.0, 2.0}, 2.70281114595744, 0.33845007523764, 1.5781154048526378, 2.360543245185444, {0.7071067811865476, 0.0, 0.7071067811865476}, 2.281032908912158, 0},
    {"bar_D", 2, {{0.0, 1.0, 0.5}, {0.0, -1.0, 0.5}}, {0.7, 0.01, 0.69}, 1.3900421236518974, 0.4645236238237558, 0.1144650020760823, 0.483020336359059, {0.7071067811865476, 0.0, 0.7071067811865476}, 0.0157954027667949, 0},
    {"bar_F", 2, {{0.0, 1.0, 0.5}, {0.0, -1.0, 0.5}}, {0.001, 0.0005, 1.5}, 1.5009261131258687, 0.001281242904643156, 0.0008560210002143702, 1.1250005267868033, {0.7071067811865476, 0.0, 0.7071067811865476}, 1.4990745018955163, 0},
    {"bar_G", 2, {{0.0, 1.0, 0.5}, {0.0, -1.0, 0.5}}, {0.0, 1.0, 1.0}, 1.5956864056720323, 0.09189903558222699, 0.7231928681573029, 0.7438136141224968, {0.7071067811865476, 0.0, 0.7071067811865476}, 1.2818962514125793, 0},
    {"bar_H", 2, {{0.0, 1.0, 0.5}, {0.0, -1.0, 0.5}}, {0.4, -1.2, -0.9}, 1.8735347058791425, 0.4640605764981933, -0.9321780660470389, -0.8357300173013074, {0.7071067811865476, 0.0, -0.7071067811865476}, 1.2066026794131077, 1},
    {"asym_A", 2, {{0.0, 0.25, 2.0}, {0.0, -0.5, 1.0}}, {1.0, 0.5, 1.0}, 1.6929557930869545, 0.317489460480686, 0.18566375315824357, 0.9826406896495433, {0.24253562503633297, 0.0, 0.9701425001453319}, 0.29499518747576803, 0},
    {"asym_D", 2, {{0.0, 0.25, 2.0}, {0.0, -0.5, 1.0}}, {-1.5, 1.0, 3.0}, 4.232310259350791, -0.7919141461598319, 0.07234423832672557, 6.347544696789329, {0.24253562503633297, 0.0, 0.9701425001453319}, 0.8637945605792534, 0},
    {"tri_A", 3, {{1.0, 0.0, 0.5}, {-0.4, 0.9, 0.3}, {-1.9, -1.35, 0.2}}, {1.0, 0.5, 1.0}, 1.50120560875117, 0.7511651277947143, 0.39976636486626643, 0.7382627646073324, {0.0, -0.7071067811865476, 0.7071067811865476}, 1.501201654873432, 0},
    {"tri_b_A", 3, {{1.0, 0.0, 0.4}, {-0.4, 0.9, 0.35}, {-1.04, -1.26, 0.25}}, {1.0, -0.3, 0.8}, 1.3887482976628645, 0.6822693166395435, -0.21737433525640007, 0.5490646646863362, {0.0, -0.7071067811865476, 0.7071067811865476}, 1.3512105603962972, 0},
    {"quad_A", 4, {{0.8, 0.5, 0.3}, {-0.8, 0.5, 0.2}, {-0.8, -0.5, 0.3}, {0.8, -0.5, 0.2}}, {1.0, 0.5, 1.0}, 1.6661358895342957, 0.7871251838018417, 0.37013053996542367, 0.844487556777301, {0.363696483726654, -0.5819143739626463, 0.727392967453308}, 1.482211520933495, 0},
    {"quad_B", 4, {{0.8, 0.5, 0.3}, {-0.8, 0.5, 0.2}, {-0.8, -0.5, 0.3}, {0.8, -0.5, 0.2}}, {0.2, -1.0, 2.0}, 2.5367304678677427, 0.31665115109745473, -1.382044183020559, 2.405118998163925, {-0.363696483726654, 0.5819143739626463, 0.727392967453308}, 2.2007651641824393, 2},
    {"penta_A", 5, {{1.1, 0.2, 0.15}, {0.3, 1.0, 0.25}, {-0.9, 0.6, 0.2}, {-0.7, -0.8, 0.22}, {0.6, -0.9, 0.18}}, {1.0, 0.5, 1.0}, 1.730067004397881, 0.8566598910104786, 0.3950044136244564, 0.8585514642610937, {0.6917144638660746, -0.2075143391598224, 0.6917144638660746}, 0.9864448617262873, 1},
    {"ngon_6", 6, {{1.0, 0.0, 0.16666666666666666}, {0.5, 0.8660254037844386, 0.16666666666666666}, {-0.5, 0.8660254037844386, 0.16666666666666666}, {-1.0, 0.0, 0.16666666666666666}, {-0.5, -0.8660254037844386, 0.16666666666666666}, {0.5, -0.8660254037844386, 0.16666666666666666}}, {1.0, 0.0, 0.5}, 1.2163154332633415, 0.5657562946221658, -0.0060946210155520455, 0.35346677656662534, {0.6123724356957945, -0.3535533905932738, 0.7071067811865476}, 1.049348888220897, 1},
};

// Radius; speed and spin at the start; time and distance to rest, angle, last speed over spin.
static const struct round_truth {
    const char* name;
    ss_support_kind kind;
    double radius, speed, spin, t, distance, angle, ratio;
} round_truth[] = {
    {"ring_A", SS_SUPPORT_RING, 1.0, 1.0, 0.5, 1.2110560275684594, 0.5652297911624137, 0.3545671178407577, 1.0},
    {"ring_B", SS_SUPPORT_RING, 1.0, 0.3, 1.0, 1.0964775173922272, 0.20528888184635008, 0.5229550275453573, 1.0},
    {"ring_D", SS_SUPPORT_RING, 0.5, 1.0, 1.0, 2.549077222104517, 0.7187669041042213, 1.4877656905090213, 0.0},
    {"disk_A", SS_SUPPORT_DISK, 1.4142135623730951, 1.0, 0.2, 1.0495167663331766, 0.5101459900305918, 0.13478634977887183, 0.9234839865484531},
    {"disk_B", SS_SUPPORT_DISK, 1.4142135623730951, 0.3, 1.0, 1.1240800532465187, 0.1871675432485727, 0.5541002866043633, 0.9234839865484531},
    {"disk_C", SS_SUPPORT_DISK, 1.4142135623730951, 1.0, 1.0, 1.5571402848450802, 0.7707472534627943, 0.7861353353256226, 0.9234839865484531},
    {"disk_E", SS_SUPPORT_DISK, 1.0, 1.0, 0.5, 1.4103998695027165, 0.5626572961145772, 0.45646631693773243, 0.0},
};

// Braked car: mu, start (body axes, y ahead); rest; the last direction is straight on or straight back.
static const struct car_truth {
    const char* name;
    double mu, start[3], t, x, y, angle, ahead, t_grips; // 0: the front wheel never slips
} car_truth[] = {
    {"car C", 1.0, {0.3, -3.0, 0.3}, 6.056643428635767, 1.4695653827163768, -9.04675064901819, 0.17333417898271183, -1, 0},
    {"car D", 1.0, {0.05, 0.8, 0.05}, 1.6035052689480322, 0.01924237346606311, 0.6421958449066014, 0.030578029879547955, 1, 0},
    {"car E", 1.0, {0.2, 1.0, -0.5}, 2.074447991254716, 0.10108882669339486, 1.05914208020621, -0.2553420541498674, 1, 0.54270831672401},
    {"car H", 0.5, {0.02, 2.0, 0.02}, 7.954477771183337, -0.7361958866464617, 7.865967679813066, 0.458467783797123, 1, 0},
};
// clang-format on

static void expect_rest(const slide_run* r, const char* name, double t, double x, double y, double angle)
{
    ss_slider_state end = ss_slide_state(r->slide);
    if (r->outcome != SS_AT_REST) fail_msg("%s does not come to rest", name);
    expect_near(name, ss_slide_time(r->slide), t, 2e-12);
    expect_near(name, end.x, x, 2e-12);
    expect_near(name, end.y, y, 2e-12);
    expect_near(name, end.angle, angle, 2e-12);
    assert_true(end.vx == 0.0 && end.vy == 0.0 && end.spin == 0.0);
    if (!(slide_energy_error(r) < 1e-13)) fail_msg("%s: energy is off by %.1e", name, slide_energy_error(r));
}

static void sliders_on_points(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof points_truth / sizeof points_truth[0]; k++) {
        const struct points_truth* w = &points_truth[k];
        slider_rig body;
        slide_run r;
        ss_final_motion final;
        slider_init(&body);
        for (int i = 0; i < w->count; i++)
            slider_point(&body, w->point[i][0], w->point[i][1], w->point[i][2]);
        slide_start(&r, &body, w->start[0], w->start[1], w->start[2], fine);
        slide_to(&r, 60.0);
        expect_rest(&r, w->name, w->t, w->x, w->y, w->angle);
        assert_true(r.events[0].support == w->sticks && r.events[0].to == SS_MODE_STICK);
        expect_near(w->name, r.events[0].t, w->t_stick, 2e-12);
        assert_int_equal(r.event_count, w->count); // then all others, at rest
        assert_int_equal(ss_slide_event_count(r.slide), w->count);
        assert_true(ss_slide_final_motion(r.slide, &final) && final.converged && !final.translates);
        for (int i = 0; i < 3; i++) expect_near(w->name, final.q[i], w->q[i], 1e-12);
        expect_near(w->name, final.center[0], w->point[w->sticks][0], 1e-12);
        expect_near(w->name, final.center[1], w->point[w->sticks][1], 1e-12);
        slide_stop(&r);
    }
}

static void rings_and_disks(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof round_truth / sizeof round_truth[0]; k++) {
        const struct round_truth* w = &round_truth[k];
        slider_rig body;
        slide_run r;
        ss_final_motion final;
        slider_init(&body);
        slider_patch(&body, w->kind, w->radius, 1.0);
        slide_start(&r, &body, w->speed, 0.0, w->spin, fine);
        slide_to(&r, 60.0);
        expect_rest(&r, w->name, w->t, w->distance, 0.0, w->angle);
        assert_true(ss_slide_final_motion(r.slide, &final) && final.converged);
        expect_near(w->name, hypot(final.q[0], final.q[1]) / final.q[2], w->ratio, 1e-9);
        slide_stop(&r);
    }
}

// Friction of a body of revolution is against its velocity and does not tell how far the body has turned: on
// a line it stays, to the last bit.
static void bodies_of_revolution_keep_their_line(void** state)
{
    (void)state;
    static const ss_support_kind kinds[] = {SS_SUPPORT_RING, SS_SUPPORT_DISK, SS_SUPPORT_ANNULUS};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        slider_rig body;
        slide_run r;
        slider_init(&body);
        slider_patch(&body, kinds[k], 1.2, 0.7);
        if (kinds[k] == SS_SUPPORT_ANNULUS) body.supports[0].inner_m = 0.4;
        slide_start(&r, &body, 0.9, 0.0, 1.3, 1e-10);
        for (int i = 0; i < 40; i++) {
            slide_to(&r, 0.1 * i);
            ss_slider_state at = ss_slide_state(r.slide);
            assert_true(at.x >= 0.0 && at.y == 0.0 && at.vy == 0.0);
        }
        assert_int_equal(r.outcome, SS_AT_REST);
        slide_stop(&r);
    }
}

// A body that stands on a point below its centre of mass slides straight and spins on: its last load on the
// ground is along its way, as seen from the body that has turned by w T meanwhile.
static void a_spinning_body_on_one_point_stops_straight(void** state)
{
    (void)state;
    static const double mu = 0.6, w = 1.5, vx = 1.8, vy = -1.6;
    slider_rig body;
    slide_run r;
    slider_init(&body);
    slider_point(&body, 0.0, 0.0, mu);
    slide_start(&r, &body, vx, vy, w, 1e-10);
    slide_to(&r, 10.0);
    double speed = hypot(vx, vy), t = speed / mu, way = atan2(vy, vx) - w * t;
    assert_int_equal(r.event_count, 1);
    expect_near("stop", r.events[0].t, t, 1e-12);
    expect_near("load along", r.events[0].load_before[0], mu * cos(way), 1e-11);
    expect_near("load across", r.events[0].load_before[1], mu * sin(way), 1e-11);
    expect_near("turned", ss_slide_state(r.slide).angle, 10.0 * w, 1e-12);
    slide_stop(&r);
}

// Just before a bar comes to rest about one of its ends the other foot still gives all it has, and both add
// up to the load told of that moment.
static void feet_push_until_the_body_rests(void** state)
{
    (void)state;
    slider_rig body;
    slide_run r;
    bool at_event;
    ss_error err;
    slider_init(&body);
    slider_point(&body, 0.0, 1.0, 0.5);
    slider_point(&body, 0.0, -1.0, 0.5);
    slide_start(&r, &body, 0.6, 0.0, 0.6, fine);
    assert_int_equal(ss_slide_advance_to_event(r.slide, 60.0, &at_event, &r.outcome, &err), SS_OK);
    ss_slider_instant last = ss_slide_instant(r.slide);
    double sum[2] = {0.0, 0.0}, c = cos(last.before.angle), n = sin(last.before.angle);
    assert_int_equal(last.event_count, 1);
    for (int i = 0; i < 2; i++) {
        const double* f = last.supports[i].force;
        if (last.supports[i].mode == SS_MODE_SLIP) expect_near("slipping", hypot(f[0], f[1]), 0.5, 1e-12);
        sum[0] += f[0];
        sum[1] += f[1];
    }
    const double* load = last.events[0].load_before;
    expect_near("along", sum[0], n * load[1] - c * load[0], 1e-12);
    expect_near("across", sum[1], -n * load[0] - c * load[1], 1e-12);
    slide_stop(&r);
}

static void make_car(slider_rig* body, double mu)
{
    slider_init(body);
    slider_wheel(body, 0.0, 1.0, 1.0, 0.0, 0.5 * mu);
    slider_point(body, 0.0, -1.0, 0.5 * mu);
}

static void braked_cars(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof car_truth / sizeof car_truth[0]; k++) {
        const struct car_truth* w = &car_truth[k];
        slider_rig body;
        slide_run r;
        ss_final_motion final;
        make_car(&body, w->mu);
        slide_start(&r, &body, w->start[0], w->start[1], w->start[2], fine);
        slide_to(&r, 60.0);
        expect_rest(&r, w->name, w->t, w->x, w->y, w->angle);
        if (w->t_grips > 0.0) {
            assert_true(r.events[0].support == 0 && r.events[0].to == SS_MODE_STICK);
            expect_near(w->name, r.events[0].t, w->t_grips, 2e-12);
        }
        assert_true(ss_slide_final_motion(r.slide, &final) && final.converged && final.translates);
        expect_near(w->name, final.q[1], w->ahead, 1e-12);
        slide_stop(&r);
    }
}

// A small yaw s = spin/speed of the rolling car: s(V) = s0 (V/V0) exp((V0^2 - V^2)/(2 mu)), largest at the
// critical speed sqrt(mu). Back to front the exponent has the other sign. [GRP91, Appendix A]
static void a_small_yaw_grows_above_the_critical_speed(void** state)
{
    (void)state;
    static const struct {
        double from, to;
        int ahead;
    } cases[] = {{3, 1, 1}, {5, 1, 1}, {1.01, 1, 1}, {2, 0.5, -1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double s0 = 1e-9, v0 = cases[k].from, v1 = cases[k].to;
        slider_rig body;
        slide_run r;
        make_car(&body, 1.0);
        slide_start(&r, &body, s0 * v0, cases[k].ahead * v0, s0 * v0, 1e-10);
        slide_to(&r, 2.0 * (v0 - v1));
        ss_slider_state at = ss_slide_state(r.slide);
        double want = v1 / v0 * exp(cases[k].ahead * (v0 * v0 - v1 * v1) / 2.0);
        expect_near("growth", at.spin / hypot(at.vx, at.vy) / s0 / want, 1.0, 1e-6);
        slide_stop(&r);
    }
}

// Rotation about an end of the bar needs w^2 <= 1/2 of it: P = [1/2, -w^2, 1/2].
static void a_facet_is_sustained_up_to_its_speed(void** state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double w = k ? 0.7072 : 0.6;
        slider_rig body;
        slide_run r;
        slider_init(&body);
        slider_point(&body, 0.0, 1.0, 0.5);
        slider_point(&body, 0.0, -1.0, 0.5);
        slide_start(&r, &body, w, 0.0, w, 1e-10);
        slide_to(&r, 1e-6);
        assert_int_equal(ss_slide_support(r.slide, 0).mode, k ? SS_MODE_SLIP : SS_MODE_STICK);
        slide_to(&r, 60.0);
        if (k == 0) expect_rest(&r, "facet", 1.2, sin(0.36), 1.0 - cos(0.36), 0.36);
        slide_stop(&r);
    }
}

// The plate of Figure 9 turns about a support until w^2 = [f_b - sqrt(f_a^2 - (c d f_b/(1 + d^2))^2)]/d.
static void the_plate_breaks_loose(void** state)
{
    (void)state;
    double d = 5.0, c = 2.5, fa = 0.4, fb = 0.5, brake = c * fb / (1.0 + d * d), w0 = 0.35;
    double w = sqrt((fb - sqrt(fa * fa - pow(c * d * fb / (1.0 + d * d), 2.0))) / d), t = (w0 - w) / brake;
    slider_rig body;
    slide_run r;
    slider_init(&body);
    slider_point(&body, 0.0, -d, fa);
    slider_point(&body, c, -d, fb);
    slide_start(&r, &body, -w0 * d, 0.0, w0, fine);
    slide_to(&r, t);
    expect_near("spin", ss_slide_state(r.slide).spin, w, 1e-12);
    slide_to(&r, t + 1.0);
    assert_true(r.event_count >= 1 && r.events[0].from == SS_MODE_STICK && r.events[0].to == SS_MODE_SLIP);
    expect_near("break", r.events[0].t, t, 1e-11);
    for (int i = 0; i < 3; i++)
        expect_near("load", r.events[0].load_after[i], r.events[0].load_before[i], 1e-3);
    slide_stop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliders_on_points),
        cmocka_unit_test(rings_and_disks),
        cmocka_unit_test(bodies_of_revolution_keep_their_line),
        cmocka_unit_test(a_spinning_body_on_one_point_stops_straight),
        cmocka_unit_test(feet_push_until_the_body_rests),
        cmocka_unit_test(braked_cars),
        cmocka_unit_test(a_small_yaw_grows_above_the_critical_speed),
        cmocka_unit_test(a_facet_is_sustained_up_to_its_speed),
        cmocka_unit_test(the_plate_breaks_loose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
