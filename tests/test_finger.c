// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Sliders without inertia that fingers push. What they do is not computed a second time here, it is judged:
// the load on the ground has the power Phi(u) at the motion u and no more than Phi(q) at any other q (maximum
// power), it is the load of the fingers' forces, these lie in their cones and against their slip, and nobody
// enters the outline. Whoever sits on the finger, or on a belt, sees the same motion.
#include "slider_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static ss_signal* speed_of(const char* text)
{
    ss_signal* signal = NULL;
    ss_error err;
    ss_scope scope = {.allow_time = true};
    if (ss_signal_parse(text, &scope, (ss_dimension){.m = 1, .s = -1}, &signal, &err) != SS_OK)
        fail_msg("%s: %s", text, err.text);
    return signal;
}

static ss_signal* speed_number(double value, double swing)
{
    char text[96];
    snprintf(text, sizeof text, "%.17g + %.17g*sin(2*t)", value, swing);
    return speed_of(text);
}

static const double box[] = {-1.2, -0.8, 1.2, -0.8, 1.2, 0.8, -1.2, 0.8};

enum { FINGERS = 2 };
typedef struct pushed {
    slider_rig rig;
    ss_pusher_def pushers[FINGERS];
    ss_signal* speeds[2 * FINGERS];
    double base[FINGERS][2], swing[FINGERS][2];
} pushed;

static void add_finger(pushed* p, double x, double y, double vx, double vy, double swing, double mu)
{
    int i = p->rig.def.pusher_count++;
    const double v[2] = {vx, vy};
    for (int k = 0; k < 2; k++) {
        p->base[i][k] = v[k];
        p->swing[i][k] = swing * v[1 - k];
        p->speeds[2 * i + k] = speed_number(v[k], p->swing[i][k]);
    }
    p->pushers[i] = (ss_pusher_def){
        .at_m = {x, y}, .velocity_x = p->speeds[2 * i], .velocity_y = p->speeds[2 * i + 1], .mu = mu};
    p->rig.def.pushers = p->pushers;
}

static void make(pushed* p, unsigned* seed, int fingers, bool quasistatic)
{
    memset(p, 0, sizeof *p);
    slider_random(&p->rig, seed);
    p->rig.def.quasistatic = quasistatic;
    if (slider_uniform(seed, 0.0, 1.0) < 0.3) {
        p->rig.def.outline_radius_m = 0.9;
    } else {
        p->rig.def.outline = box;
        p->rig.def.outline_count = 4;
    }
    for (int i = 0; i < fingers; i++) {
        double across = slider_uniform(seed, -0.7, 0.7), along = slider_uniform(seed, 0.05, 0.3);
        double aside = slider_uniform(seed, -0.15, 0.15), mu = slider_uniform(seed, 0.0, 0.9);
        if (i == 0)
            add_finger(p, across, -1.0, aside, along, slider_uniform(seed, -0.5, 0.5), mu);
        else
            add_finger(p, -1.4, 0.5 * across, along, aside, slider_uniform(seed, -0.5, 0.5), mu);
    }
}

static void drop(pushed* p)
{
    for (int i = 0; i < 2 * FINGERS; i++) ss_signal_destroy(p->speeds[i]);
}

// ---- what is known without the solver

static double power_of(const slider_rig* r, const double q[3])
{
    double sum = 0.0;
    for (int i = 0; i < r->def.support_count; i++) {
        const ss_support_def* s = &r->supports[i];
        double vx = q[0] - q[2] * s->position_m[1], vy = q[1] + q[2] * s->position_m[0];
        if (s->kind == SS_SUPPORT_WHEEL)
            sum += s->friction_N[0] * fabs(s->axle[0] * vx + s->axle[1] * vy) / hypot(s->axle[0], s->axle[1]);
        else
            sum += s->friction_N[0] * hypot(vx, vy);
    }
    return sum;
}

static void turn(double angle, const double v[2], double out[2])
{
    out[0] = cos(angle) * v[0] - sin(angle) * v[1];
    out[1] = sin(angle) * v[0] + cos(angle) * v[1];
}

// The inward normal of the side of the box, or of the circle, at a place p of the body.
static void normal_at(const slider_rig* r, const double p[2], double normal[2])
{
    if (r->def.outline_count == 0) {
        for (int i = 0; i < 2; i++) normal[i] = -p[i] / hypot(p[0], p[1]);
        return;
    }
    bool upright = fabs(fabs(p[0]) - 1.2) < fabs(fabs(p[1]) - 0.8);
    normal[0] = upright ? -copysign(1.0, p[0]) : 0.0;
    normal[1] = upright ? 0.0 : -copysign(1.0, p[1]);
}

static double gap_of(const slider_rig* r, const double p[2])
{
    if (r->def.outline_count == 0) return hypot(p[0], p[1]) - r->def.outline_radius_m;
    return fmax(fabs(p[0]) - 1.2, fabs(p[1]) - 0.8);
}

// Where a finger is in the body.
static void place_of(const pushed* p, const ss_slide* slide, int i, double out[2])
{
    ss_slider_state at = ss_slide_state(slide);
    double t = ss_slide_time(slide), place[2];
    for (int k = 0; k < 2; k++)
        place[k] = p->pushers[i].at_m[k] + p->base[i][k] * t + p->swing[i][k] * (1.0 - cos(2.0 * t)) / 2.0;
    place[0] -= at.x;
    place[1] -= at.y;
    turn(-at.angle, place, out);
}

// Fingers leave no motion only where each looks at the other within its cone of friction: they can press as
// hard as they like, and nothing gives way.
static void judge_jam(const pushed* p, const ss_slide* slide)
{
    double b[FINGERS][2];
    assert_int_equal(p->rig.def.pusher_count, 2);
    for (int i = 0; i < FINGERS; i++) place_of(p, slide, i, b[i]);
    for (int i = 0; i < FINGERS; i++) {
        double to[2] = {b[1 - i][0] - b[i][0], b[1 - i][1] - b[i][1]}, n[2];
        normal_at(&p->rig, b[i], n);
        double rub = fabs(n[1] * to[0] - n[0] * to[1]);
        assert_true(rub <= p->pushers[i].mu * (n[0] * to[0] + n[1] * to[1]) + 1e-7);
    }
}

static void judge_finger(const pushed* p, const ss_slide* slide, int i, double load[3])
{
    ss_slider_state at = ss_slide_state(slide);
    ss_support_state finger = ss_slide_support(slide, p->rig.def.support_count + i);
    double t = ss_slide_time(slide), v[2], f[2], w[2], n[2], b[2], arm[2];
    for (int k = 0; k < 2; k++) v[k] = p->base[i][k] + p->swing[i][k] * sin(2.0 * t);
    place_of(p, slide, i, b);
    turn(at.angle, b, arm);
    const double slip[2] = {v[0] - at.vx + at.spin * arm[1], v[1] - at.vy - at.spin * arm[0]};
    turn(-at.angle, slip, w);
    turn(-at.angle, finger.force, f);
    double gap = gap_of(&p->rig, b), size = hypot(v[0], v[1]);
    assert_true(gap > -1e-9);
    load[0] += f[0];
    load[1] += f[1];
    load[2] += b[0] * f[1] - b[1] * f[0];
    if (finger.mode == SS_MODE_OPEN) {
        assert_true(f[0] == 0.0 && f[1] == 0.0);
        return;
    }
    assert_true(gap < 1e-9);
    bool corner =
        p->rig.def.outline_count > 0 && fabs(fabs(b[0]) - 1.2) < 1e-7 && fabs(fabs(b[1]) - 0.8) < 1e-7;
    if (corner) return;
    normal_at(&p->rig, b, n);
    const double along[2] = {n[1], -n[0]};
    double push = f[0] * n[0] + f[1] * n[1], rub = f[0] * along[0] + f[1] * along[1];
    double over = w[0] * along[0] + w[1] * along[1], into = w[0] * n[0] + w[1] * n[1];
    double mu = p->pushers[i].mu;
    assert_true(push >= -1e-9 && fabs(rub) <= mu * push + 1e-8);
    assert_true(fabs(into) < 1e-8 * size);
    if (finger.mode == SS_MODE_STICK) assert_true(fabs(over) < 1e-8 * size);
    if (finger.mode == SS_MODE_SLIP_PLUS) assert_true(over > -1e-8 * size && fabs(rub - mu * push) < 1e-8);
    if (finger.mode == SS_MODE_SLIP_MINUS) assert_true(over < 1e-8 * size && fabs(rub + mu * push) < 1e-8);
}

// inertia: what the acceleration takes, in the frame of the body; NULL for nothing.
static void judge(const pushed* p, const ss_slide* slide, const double inertia[3], unsigned* seed)
{
    ss_slider_state at = ss_slide_state(slide);
    double u[3], load[3], of_fingers[3] = {0.0, 0.0, 0.0}, v[2] = {at.vx, at.vy};
    turn(-at.angle, v, u);
    u[2] = at.spin;
    ss_slide_ground_load(slide, load);
    for (int i = 0; i < p->rig.def.pusher_count; i++) judge_finger(p, slide, i, of_fingers);
    for (int k = 0; k < 3; k++) {
        double wanted = of_fingers[k] - (inertia ? inertia[k] : 0.0);
        assert_true(fabs(load[k] - wanted) < (inertia ? 1e-5 : 1e-8));
    }
    double own = power_of(&p->rig, u), taken = load[0] * u[0] + load[1] * u[1] + load[2] * u[2];
    assert_true(fabs(own - taken) <= 1e-8 * own);
    if (own == 0.0) return;
    for (int k = 0; k < 100; k++) {
        double q[3];
        slider_random_speed(seed, q);
        assert_true(load[0] * q[0] + load[1] * q[1] + load[2] * q[2] <= power_of(&p->rig, q) + 1e-8);
    }
}

static void motions_have_maximum_power(void** state)
{
    enum { MOTIONS = 40, MOMENTS = 8 };
    unsigned seed = 11;
    int moved = 0, jams = 0;
    (void)state;
    for (int n = 0; n < MOTIONS; n++) {
        pushed p;
        slide_run run;
        make(&p, &seed, 1 + n % FINGERS, true);
        slide_start(&run, &p.rig, 0.0, 0.0, 0.0, 1e-10);
        for (int k = 1; k <= MOMENTS; k++) {
            ss_error err;
            if (ss_slide_advance(run.slide, 0.73 * k, &run.outcome, &err) != SS_OK) {
                assert_int_equal(err.status, SS_NOT_FOUND);
                judge_jam(&p, run.slide);
                jams++;
                break;
            }
            judge(&p, run.slide, NULL, &seed);
            ss_slider_state at = ss_slide_state(run.slide);
            moved += at.vx != 0.0;
        }
        assert_true(slide_energy_error(&run) < 1e-9);
        slide_stop(&run);
        drop(&p);
    }
    assert_true(moved > MOTIONS * MOMENTS / 2 && jams > 0 && jams < MOTIONS / 4);
}

// ---- with inertia

// Newton's law at the time of `middle`, from the velocities a moment before and after.
static void acceleration(const slide_run* middle, const ss_slider_state* before, const ss_slider_state* after,
                         double moment, double out[3])
{
    const double v[2] = {(after->vx - before->vx) / (2.0 * moment),
                         (after->vy - before->vy) / (2.0 * moment)};
    turn(-ss_slide_state(middle->slide).angle, v, out);
    out[2] = (after->spin - before->spin) / (2.0 * moment);
}

// The motion shown by three runs of the same: a moment before, now, and after.
static bool judge_moment(const pushed* p, slide_run runs[3], double t, unsigned* seed)
{
    static const double moment = 1e-4;
    ss_slider_state ends[3];
    double a[3];
    for (int i = 0; i < 3; i++) {
        ss_error err;
        if (ss_slide_advance(runs[i].slide, t + (i - 1) * moment, &runs[i].outcome, &err) != SS_OK) {
            assert_int_equal(err.status, SS_NOT_FOUND); // wedged in: see below
            return false;
        }
        ends[i] = ss_slide_state(runs[i].slide);
    }
    if (runs[0].event_count != runs[2].event_count) return true;
    acceleration(&runs[1], &ends[0], &ends[2], moment, a);
    judge(p, runs[1].slide, a, seed);
    return true;
}

static void newtons_law_holds(void** state)
{
    enum { MOTIONS = 40, MOMENTS = 12 };
    unsigned seed = 23;
    int jams = 0, pushes = 0;
    (void)state;
    for (int n = 0; n < MOTIONS; n++) {
        pushed p;
        slide_run runs[3];
        make(&p, &seed, 1 + n % FINGERS, false);
        for (int i = 0; i < 3; i++) slide_start(&runs[i], &p.rig, 0.0, 0.0, 0.0, 1e-10);
        bool goes_on = true;
        for (int k = 1; k <= MOMENTS && goes_on; k++) {
            goes_on = judge_moment(&p, runs, 0.517 * k, &seed);
            for (int i = 0; i < p.rig.def.pusher_count; i++)
                pushes += ss_slide_support(runs[1].slide, p.rig.def.support_count + i).mode != SS_MODE_OPEN;
        }
        jams += !goes_on;
        assert_int_not_equal(runs[1].outcome, SS_EVENT_LIMIT);
        for (int i = 0; i < 3; i++) {
            assert_true(slide_energy_error(&runs[i]) < 1e-9);
            slide_stop(&runs[i]);
        }
        drop(&p);
    }
    assert_true(pushes > MOTIONS * MOMENTS / 2 && jams < MOTIONS / 4);
}

// First touch: afterwards the finger does not enter, and has given an impulse within its cone; the floor
// none.
static void a_hit_is_inelastic(void** state)
{
    enum { MOTIONS = 60 };
    unsigned seed = 41;
    (void)state;
    for (int n = 0; n < MOTIONS; n++) {
        pushed p;
        slide_run run;
        bool at_event;
        ss_error err;
        make(&p, &seed, 1, false);
        slide_start(&run, &p.rig, 0.0, 0.0, 0.0, 1e-10);
        assert_int_equal(ss_slide_advance_to_event(run.slide, 10.0, &at_event, &run.outcome, &err), SS_OK);
        if (!at_event) {
            slide_stop(&run);
            drop(&p);
            continue;
        }
        ss_slider_instant instant = ss_slide_instant(run.slide);
        ss_slider_state after = ss_slide_state(run.slide);
        double t = ss_slide_time(run.slide), b[2], normal[2], v[2], jump[2], w[2],
               before[2] = {instant.before.vx, instant.before.vy};
        place_of(&p, run.slide, 0, b);
        normal_at(&p.rig, b, normal);
        for (int k = 0; k < 2; k++) v[k] = p.base[0][k] + p.swing[0][k] * sin(2.0 * t);
        const double gained[2] = {after.vx - before[0], after.vy - before[1]};
        turn(-after.angle, gained, jump);
        double turned = after.spin - instant.before.spin;
        assert_true(fabs(turned - (b[0] * jump[1] - b[1] * jump[0])) < 1e-8); // one impulse, at the finger
        double push = normal[0] * jump[0] + normal[1] * jump[1];
        double rub = normal[1] * jump[0] - normal[0] * jump[1];
        assert_true(push > 0.0 && fabs(rub) <= p.pushers[0].mu * push * (1.0 + 1e-8));
        double arm[2];
        turn(after.angle, b, arm);
        const double slip[2] = {v[0] - after.vx + after.spin * arm[1], v[1] - after.vy - after.spin * arm[0]};
        turn(-after.angle, slip, w);
        assert_true(fabs(w[0] * normal[0] + w[1] * normal[1]) < 1e-8);
        double over = w[0] * normal[1] - w[1] * normal[0];
        assert_true(fabs(over) < 1e-8 || fabs(rub - copysign(p.pushers[0].mu, over) * push) < 1e-8);
        assert_true(instant.events[instant.event_count - 1].speed_in > 0.0);
        slide_stop(&run);
        drop(&p);
    }
}

// As inertia counts less and less, a pushed slider moves as one without any: slowed down by s, velocities are
// s times as large, forces of inertia s^2.
static void slow_pushes_are_quasistatic(void** state)
{
    unsigned seed = 7;
    (void)state;
    for (int n = 0; n < 6; n++) {
        double off[2];
        pushed p;
        slide_run run;
        ss_slider_state limit = {0};
        make(&p, &seed, 1, true);
        for (int k = -1; k < 2; k++) {
            double slow = k < 0 ? 1.0 : k == 0 ? 0.1 : 0.03;
            p.rig.def.quasistatic = k < 0;
            for (int i = 0; i < 2; i++) {
                char text[96];
                ss_signal_destroy(p.speeds[i]);
                snprintf(text, sizeof text, "%.17g + %.17g*sin(%.17g*t)", slow * p.base[0][i],
                         slow * p.swing[0][i], 2.0 * slow);
                p.speeds[i] = speed_of(text);
            }
            p.pushers[0].velocity_x = p.speeds[0];
            p.pushers[0].velocity_y = p.speeds[1];
            slide_start(&run, &p.rig, 0.0, 0.0, 0.0, 1e-10);
            slide_to(&run, 2.0 / slow);
            ss_slider_state end = ss_slide_state(run.slide);
            if (k < 0)
                limit = end;
            else
                off[k] = hypot(end.x - limit.x, end.y - limit.y) + fabs(end.angle - limit.angle);
            slide_stop(&run);
        }
        assert_true(off[0] < 0.01 && off[1] < 0.12 * off[0]); // (0.03/0.1)^2 = 0.09
        drop(&p);
    }
}

// ---- from a belt

static void compare_on_belt(bool quasistatic)
{
    unsigned seed = 5;
    for (int n = 0; n < 10; n++) {
        pushed p;
        slide_run still, carried;
        make(&p, &seed, 2, quasistatic);
        slide_start(&still, &p.rig, 0.0, 0.0, 0.0, 1e-11);
        slide_to(&still, 4.0);
        drop(&p);
        // The same on a floor that moves with (0.3 + c sin 2t, -0.2); inertia feels where its speed changes.
        double swing = quasistatic ? 0.1 : 0.0;
        for (int i = 0; i < 2 * FINGERS; i++)
            p.speeds[i] = speed_number(p.base[i / 2][i % 2] + (i % 2 ? -0.2 : 0.3),
                                       p.swing[i / 2][i % 2] + (i % 2 ? 0.0 : swing));
        for (int i = 0; i < FINGERS; i++) {
            p.pushers[i].velocity_x = p.speeds[2 * i];
            p.pushers[i].velocity_y = p.speeds[2 * i + 1];
        }
        ss_signal *vx = speed_number(0.3, swing), *vy = speed_number(-0.2, 0.0);
        p.rig.def.floor.velocity_x = vx;
        p.rig.def.floor.velocity_y = vy;
        slide_start(&carried, &p.rig, quasistatic ? 0.0 : 0.3, quasistatic ? 0.0 : -0.2, 0.0, 1e-11);
        slide_to(&carried, 4.0);
        ss_slider_state a = ss_slide_state(still.slide), b = ss_slide_state(carried.slide);
        assert_true(fabs(a.x + 1.2 + 0.5 * swing * (1.0 - cos(8.0)) - b.x) < 1e-8);
        assert_true(fabs(a.y - 0.8 - b.y) < 1e-8 && fabs(a.angle - b.angle) < 1e-8);
        assert_true(fabs(a.spin - b.relative[2]) < 1e-8 && fabs(a.vx - b.relative[0]) < 1e-8);
        assert_int_equal(still.event_count, carried.event_count);
        slide_stop(&still);
        slide_stop(&carried);
        ss_signal_destroy(vx);
        ss_signal_destroy(vy);
        drop(&p);
    }
}

static void a_belt_changes_nothing(void** state)
{
    (void)state;
    compare_on_belt(true);
    compare_on_belt(false);
}

// ---- answers that are known

// Two fingers that close on a body from both sides leave it no motion.
static void fingers_that_close_squeeze(void** state)
{
    pushed p = {0};
    ss_slider* slider = NULL;
    ss_slide* slide = NULL;
    ss_outcome outcome;
    ss_error err;
    (void)state;
    slider_init(&p.rig);
    slider_point(&p.rig, 0.5, 0.0, 1.0);
    slider_point(&p.rig, -0.5, 0.0, 1.0);
    p.rig.def.quasistatic = true;
    p.rig.def.outline = box;
    p.rig.def.outline_count = 4;
    add_finger(&p, 0.0, -1.0, 0.0, 0.1, 0.0, 0.2);
    add_finger(&p, 0.0, 1.0, 0.0, -0.1, 0.0, 0.2);
    assert_int_equal(ss_slider_create(&p.rig.def, &slider, &err), SS_OK);
    assert_int_equal(ss_slide_create(slider, NULL, &slide, &err), SS_OK);
    assert_int_equal(ss_slide_advance(slide, 1.9, &outcome, &err), SS_OK);
    assert_int_equal(ss_slide_advance(slide, 3.0, &outcome, &err), SS_NOT_FOUND);
    assert_non_null(strstr(err.text, "squeeze"));
    ss_slide_destroy(slide);
    ss_slider_destroy(slider);
    drop(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_have_maximum_power), cmocka_unit_test(newtons_law_holds),
        cmocka_unit_test(a_hit_is_inelastic),         cmocka_unit_test(slow_pushes_are_quasistatic),
        cmocka_unit_test(a_belt_changes_nothing),     cmocka_unit_test(fingers_that_close_squeeze),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
