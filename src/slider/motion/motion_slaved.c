// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions whose velocities are, in some direction, slaves of the forces: a patch large against the radius of
// gyration lets the body turn only as the pressure wants it, a body pulled hardly more than friction bears
// moves the way it is pulled, a point that is hardly moved drags behind. The motion is smooth, but the slope
// of the load, Phi'' of the order level/|slip|, makes explicit steps short for nothing but stability. That is
// seen as Hairer and Wanner see it [HNW93: IV.2 of HW96]: the last stage and the end of a step are both at
// its end, and what the rates differ by, over what the velocities differ by, is the slope. Such steps are
// made by collocation instead (motion_stiff.c).
#include "slider/motion/slide_impl.h"

#include <float.h>
#include <math.h>

enum { SIGNS = 15, MOST_SIGNS = 100, WEAK_SIGNS = 40, CALM = 6, PAUSE = 25, MOST_PAUSE = 6400, YOUNG = 8 };
static const double limit = 4.5; // explicit steps of order 8 are stable up to here, times the slope
// Long before that what a slave does between stages costs an explicit step its order: many steps at this much
// times the slope are worth a trial.
static const double weak = 0.7;
static const double much = 8.0;
static const double gain = 5.0, worth = 30.0; // a slaved step costs as much as some five explicit ones

// Convection couples turning and translation at the rate |u|. Steps of one half by this rate follow even a
// yaw far below the tolerance; but where the body is so fast that they would be more than some fifty on its
// way to a stop, it is the turning that counts: spin h + rise h^2/2 = 1/2.
double ss_slide_turn_limit(const ss_slide* s)
{
    double speed = ss_norm3(s->course.now.u), spin = fabs(s->course.now.u[2]),
           rise = fabs(s->step.seen_a[0][2]);
    double fine = fmax(0.5 / (speed + DBL_MIN), 0.02 * speed / s->made.total_level);
    if (s->made.is_round) return fine;
    return fmin(fine, 1.0 / (spin + sqrt(spin * spin + rise) + DBL_MIN));
}

static double slope_seen(const ss_slide* s)
{
    const double *u = s->course.now.u, *v = s->slaved.last_u, *a = s->step.seen_a[0], *b = s->slaved.last_a;
    double rates = ss_norm3((double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
    double speeds = ss_norm3((double[3]){u[0] - v[0], u[1] - v[1], u[2] - v[2]});
    return speeds > 64.0 * DBL_EPSILON * ss_norm3(u) ? rates / speeds : 0.0;
}

void ss_slide_watch_stability(ss_slide* s)
{
    ss_slide_slaved* v = &s->slaved;
    if (v->now || s->stiff.begun || v->last_explicit == 0.0) return;
    double stiffness = slope_seen(s) * v->last_explicit;
    if (v->last_explicit > much * v->paused_at || v->last_explicit < v->paused_at / much)
        v->pause = v->wait = 0; // another motion
    if (v->pause > 0) v->pause--;
    v->weak_signs = stiffness > weak && v->pause == 0 ? v->weak_signs + 1 : 0;
    if (stiffness > limit) {
        v->calm_signs = 0;
        v->stiff_signs++;
    } else if (++v->calm_signs >= CALM) {
        v->stiff_signs = 0;
    }
    int enough = SIGNS + (v->wait < MOST_SIGNS ? v->wait : MOST_SIGNS);
    if (v->stiff_signs < enough && v->weak_signs < WEAK_SIGNS) return;
    v->now = true;
    s->stiff.last = 0.0;
    v->age = 0;
    v->from = v->last_explicit;
}

void ss_slide_leave_slaved(ss_slide* s)
{
    ss_slide_slaved* v = &s->slaved;
    // One that was left young was of no use; the next trial waits twice as long.
    v->wait = v->age <= YOUNG && v->wait > 0 ? v->wait * 2 : PAUSE;
    if (v->wait > MOST_PAUSE) v->wait = MOST_PAUSE;
    v->now = false;
    v->pause = v->wait;
    v->paused_at = v->from;
    v->stiff_signs = v->weak_signs = v->calm_signs = 0;
}

// Time until the velocity z falls to 0 at its present rate.
static double time_left(const double z[], const double c[], int n)
{
    double square = 0.0, rate = 0.0;
    for (int i = 0; i < n; i++) {
        square += z[i] * z[i];
        rate += z[i] * c[i];
    }
    return rate < 0.0 ? -square / rate : INFINITY;
}

// The shortest of these for the body and all that slips: a step of collocation beyond a stop would find a
// load for what does not move.
static double next_stop(const ss_slide* s)
{
    double x[3], z[2], c[2];
    ss_slide_project(s, s->step.seen_a[0], x);
    double first = time_left(s->course.now.u, x, 3);
    for (int i = 0; i < s->made.spot_count; i++) {
        if (s->mode.spot_held[i] || s->mode.spot_off[i]) continue;
        ss_spot_velocity(&s->made.spots[i], s->course.now.u, z);
        ss_spot_velocity(&s->made.spots[i], x, c);
        if (s->step.segment.reference == i) z[0] = s->step.segment.begin[0], z[1] = s->step.segment.begin[1];
        first = fmin(first, time_left(z, c, 2));
    }
    return first;
}

double ss_slide_slaved_length(ss_slide* s)
{
    static const double share = 0.5;
    double h = fmin(fmin(s->step.time, ss_slide_turn_limit(s)), share * next_stop(s)), rim, hoped;
    ss_slide_rim_limit(s, &rim, &hoped);
    h = fmin(h, rim);
    if (!s->made.loaded || s->step.limit_flow) return h;
    return fmin(h, ss_slide_next_break(s, s->course.now.t, h) - s->course.now.t);
}

void ss_slide_keep_slaved(ss_slide* s)
{
    ss_power sum;
    if (++s->slaved.age < YOUNG) return; // steps begin as short as explicit ones, and grow
    if (s->step.time > gain * s->slaved.from) return;
    ss_slide_hessian(s, s->course.now.u, &sum);
    if (!(s->step.time * (sum.h[0] + sum.h[4] + sum.h[8]) > worth)) ss_slide_leave_slaved(s);
}
