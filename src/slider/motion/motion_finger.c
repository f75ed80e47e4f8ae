// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slider/motion/motion_press.h"

#include "core/expression/signal_series.h"
#include "core/tolerance.h"
#include "share/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A gap this small against the outline touches.
static const double touching = SS_RELATIVE_ZERO;

// ---- where fingers are

static void turn_by(double angle, const double v[2], double out[2])
{
    double c = cos(angle), n = sin(angle), x = c * v[0] - n * v[1], y = n * v[0] + c * v[1];
    out[0] = x;
    out[1] = y;
}

// Place, velocity and acceleration in space at time t.
static void in_space(const ss_slide* s, int finger, double t, ss_finger_motion* out)
{
    const ss_pusher* f = &s->slider->pushers[finger];
    const ss_finger_state* own = &s->fingers.each[finger];
    double unit = s->slider->unit_length, from = s->course.now.t, to = s->inputs.break_at;
    double base_t = s->fingers.t <= t ? s->fingers.t : 0.0;
    if (!(to > from + SS_NOISE * (1.0 + from))) to = INFINITY;
    double inside = ss_motion_inside(t, from, to);
    for (int i = 0; i < 2; i++) {
        double base = base_t > 0.0 ? own->way[i] : 0.0;
        // A stage of a trial step may look far beyond the step; without a value there the step is shortened.
        bool far = t - base_t > 1e4 && f->speed[i] && !ss_signal_is_constant(f->speed[i]);
        double way = far ? NAN : ss_motion_way(s, f->speed[i], NULL, t, base_t, base);
        out->p[i] = f->at[i] + way / unit;
        ss_motion_rates(s, f->speed[i], NULL, inside, unit, &out->v[i], &out->a[i]);
    }
}

// As seen from the floor.
static void over_floor(const ss_slide* s, double t, ss_finger_motion* f)
{
    const ss_floor_motion* floor = &s->slider->motion;
    ss_floor_rates rates;
    if (!floor->moves) return;
    ss_floor_pose pose = ss_floor_pose_at(s, t);
    double from = s->course.now.t, to = s->inputs.break_at;
    if (!(to > from + SS_NOISE * (1.0 + from))) to = INFINITY;
    ss_floor_rates_at(s, t, from, to, &rates);
    const double center[2] = {pose.x + (floor->turns ? floor->center[0] : 0.0),
                              pose.y + (floor->turns ? floor->center[1] : 0.0)};
    for (int i = 0; i < 2; i++) {
        f->p[i] -= center[i];
        f->v[i] -= rates.v[i];
        f->a[i] -= rates.a[i];
    }
    if (!floor->turns) return;
    double w = rates.spin, w1 = rates.spin_rate;
    turn_by(-pose.angle, f->p, f->p);
    turn_by(-pose.angle, f->v, f->v);
    turn_by(-pose.angle, f->a, f->a);
    f->v[0] += w * f->p[1];
    f->v[1] -= w * f->p[0];
    f->a[0] += 2.0 * w * f->v[1] + w1 * f->p[1] + w * w * f->p[0];
    f->a[1] += -2.0 * w * f->v[0] - w1 * f->p[0] + w * w * f->p[1];
}

void ss_finger_motion_at(const ss_slide* s, int finger, const ss_place* at, ss_finger_motion* out)
{
    in_space(s, finger, at->t, out);
    over_floor(s, at->t, out);
    out->p[0] -= at->x;
    out->p[1] -= at->y;
    turn_by(-at->angle, out->p, out->p);
    turn_by(-at->angle, out->v, out->v);
    turn_by(-at->angle, out->a, out->a);
}

void ss_finger_contact(const ss_slide* s, int finger, const ss_finger_motion* f, ss_contact* out)
{
    const ss_finger_state* own = &s->fingers.each[finger];
    *out = (ss_contact){
        .x = f->p[0], .y = f->p[1], .mu = s->slider->pushers[finger].mu, .v = {f->v[0], f->v[1]}};
    memcpy(out->normal, own->normal, sizeof out->normal);
    memcpy(out->middle, own->middle, sizeof out->middle);
    out->convex = own->convex;
    if (s->slider->outline.count > 0) return;
    for (int k = 0; k < 2; k++) ss_outline_normal(&s->slider->outline, 0, f->p, out->normal[k]);
}

int ss_fingers_list(const ss_slide* s, const ss_place* at, ss_contact contacts[], int fingers[])
{
    int count = 0;
    for (int i = 0; i < s->slider->pusher_count && count < SS_FINGERS_MOST; i++) {
        ss_finger_motion f;
        if (!s->fingers.each[i].touches) continue;
        ss_finger_motion_at(s, i, at, &f);
        ss_finger_contact(s, i, &f, &contacts[count]);
        fingers[count++] = i;
    }
    return count;
}

// ---- whether they touch

double ss_finger_gap(const ss_slide* s, int finger, const ss_place* at)
{
    ss_finger_motion f;
    ss_finger_motion_at(s, finger, at, &f);
    return ss_outline_touch(&s->slider->outline, f.p).gap;
}

bool ss_finger_stays(const ss_slide* s, int finger, const ss_finger_motion* f)
{
    const ss_finger_state* own = &s->fingers.each[finger];
    const ss_outline* outline = &s->slider->outline;
    double size = ss_outline_reach(outline);
    if (!own->touches || own->mode == SS_MODE_OPEN) {
        double gap = ss_outline_touch(outline, f->p).gap;
        return gap >= (own->leaves || own->touches ? -SS_FAINT * size : 0.0);
    }
    double margin = ss_outline_margin(outline, own->side, f->p, NULL);
    return own->corner || margin > (own->begins ? -SS_FAINT * size : 0.0);
}

bool ss_finger_is_past(const ss_slide* s, int finger, const ss_place* at)
{
    const ss_pusher* pusher = &s->slider->pushers[finger];
    ss_finger_motion f;
    double t = at->t * s->slider->unit_time, reach = ss_outline_reach(&s->slider->outline);
    for (int i = 0; i < 2; i++)
        if (pusher->speed[i] && !ss_signal_stays(pusher->speed[i], t, s->inputs.scratch)) return false;
    ss_finger_motion_at(s, finger, at, &f);
    double square = f.v[0] * f.v[0] + f.v[1] * f.v[1];
    if (square == 0.0) return !s->slider->motion.moves;
    if (s->slider->motion.turns || !ss_floor_is_steady(s, at->t)) return false;
    double ahead = -(f.p[0] * f.v[0] + f.p[1] * f.v[1]) / square;
    double nearest =
        ahead > 0.0 ? fabs(f.p[0] * f.v[1] - f.p[1] * f.v[0]) / sqrt(square) : hypot(f.p[0], f.p[1]);
    return nearest > reach;
}

// No gap closes faster than this within a time h.
static double most_speed(const ss_slide* s, const ss_finger_motion* f, const ss_place* at, double h)
{
    return hypot(f->v[0], f->v[1]) + h * hypot(f->a[0], f->a[1]) + hypot(at->u[0], at->u[1]) +
           fabs(at->u[2]) * ss_outline_reach(&s->slider->outline);
}

double ss_finger_clear_time(const ss_slide* s, const ss_place* at, double h)
{
    double least = h, reach = ss_outline_reach(&s->slider->outline);
    for (int i = 0; i < s->slider->pusher_count; i++) {
        ss_finger_motion f;
        if (s->fingers.each[i].mode != SS_MODE_OPEN) continue;
        ss_finger_motion_at(s, i, at, &f);
        double speed = most_speed(s, &f, at, h);
        double gap = fmax(ss_outline_touch(&s->slider->outline, f.p).gap, reach / 32.0);
        if (speed > 0.0) least = fmin(least, gap / speed);
    }
    return fmax(least, h / 4096.0);
}

// The gap of a finger at a place on the way.
static double gap_at(ss_slide* s, int finger, ss_way_to* way, double where, ss_finger_motion* f, ss_place* at)
{
    way(s, where, at);
    ss_finger_motion_at(s, finger, at, f);
    return ss_outline_touch(&s->slider->outline, f->p).gap;
}

// Golden section: between two places without touch there is at most one dip, for they are a small part of the
// body's size apart.
static bool dips(ss_slide* s, int finger, ss_way_to* way, double from, double to, double* where)
{
    enum { ROUNDS = 60 };
    static const double golden = 0.6180339887498949;
    ss_finger_motion f;
    ss_place at;
    double low = from, high = to, ends[2] = {gap_at(s, finger, way, from, &f, &at), 0.0}, t = at.t;
    double speed = most_speed(s, &f, &at, 0.0);
    ends[1] = gap_at(s, finger, way, to, &f, &at);
    double all = at.t - t;
    speed = 2.0 * fmax(speed, most_speed(s, &f, &at, all));
    if (ends[0] + ends[1] > speed * all) return false;
    double x[2] = {high - golden * (high - low), low + golden * (high - low)}, gap[2];
    for (int k = 0; k < 2; k++) gap[k] = gap_at(s, finger, way, x[k], &f, &at);
    for (int n = 0; n < ROUNDS && high - low > SS_CLEAR * (to - from); n++) {
        int side = gap[1] < gap[0];
        if (gap[side] > speed * all * (high - low) / (to - from)) return false;
        gap_at(s, finger, way, x[side], &f, &at);
        *where = x[side];
        if (!ss_finger_stays(s, finger, &f)) return true;
        *(side ? &low : &high) = x[!side];
        x[!side] = x[side];
        gap[!side] = gap[side];
        x[side] = side ? low + golden * (high - low) : high - golden * (high - low);
        gap[side] = gap_at(s, finger, way, x[side], &f, &at);
    }
    return false;
}

bool ss_fingers_dip(ss_slide* s, ss_way_to* way, double from, double to, double* where)
{
    for (int i = 0; i < s->slider->pusher_count; i++)
        if (s->fingers.each[i].mode == SS_MODE_OPEN && dips(s, i, way, from, to, where)) return true;
    return false;
}

// The normal of a corner that points out of the body: the one nearest to the way the finger comes.
static void normal_at_corner(const ss_outline* o, int side, const double p[2], const double way[2],
                             double normal[2])
{
    double a[2], b[2], size = hypot(way[0], way[1]);
    ss_outline_normal(o, ss_outline_before(o, side), p, a);
    ss_outline_normal(o, side, p, b);
    bool from_a = a[0] * way[1] - a[1] * way[0] >= 0.0, to_b = way[0] * b[1] - way[1] * b[0] >= 0.0;
    bool ahead = (a[0] + b[0]) * way[0] + (a[1] + b[1]) * way[1] > 0.0;
    double on_a = a[0] * way[0] + a[1] * way[1], on_b = b[0] * way[0] + b[1] * way[1];
    for (int i = 0; i < 2; i++)
        normal[i] = from_a && to_b && ahead && size > 0.0 ? way[i] / size : on_a > on_b ? a[i] : b[i];
}

static void touch_at(ss_slide* s, ss_finger_state* own, const ss_touch* touch, const double p[2],
                     const double way[2])
{
    const ss_outline* o = &s->slider->outline;
    own->touches = true;
    own->side = touch->side;
    own->corner = touch->corner;
    own->begins = own->convex = false;
    if (o->count == 0) return;
    for (int k = 0; k < 2; k++) {
        int side = k == 0 && touch->corner ? ss_outline_before(o, touch->side) : touch->side;
        ss_outline_normal(o, side, p, own->normal[k]);
    }
    own->convex = touch->corner && !ss_outline_is_reflex(o, touch->side);
    if (own->convex) normal_at_corner(o, touch->side, p, way, own->middle);
}

void ss_finger_leave_corner(ss_slide* s, int finger)
{
    ss_finger_state* own = &s->fingers.each[finger];
    const double here[2] = {0.0, 0.0};
    bool plus = own->mode == SS_MODE_SLIP_PLUS;
    if (!own->corner || !(plus || own->mode == SS_MODE_SLIP_MINUS)) return;
    own->corner = own->convex = false;
    own->begins = true;
    if (!plus) own->side = ss_outline_before(&s->slider->outline, own->side);
    for (int k = 0; k < 2; k++) ss_outline_normal(&s->slider->outline, own->side, here, own->normal[k]);
}

void ss_fingers_find(ss_slide* s)
{
    const ss_outline* o = &s->slider->outline;
    double size = ss_outline_reach(o);
    for (int i = 0; i < s->slider->pusher_count; i++) {
        ss_finger_state* own = &s->fingers.each[i];
        ss_finger_motion f;
        ss_finger_motion_at(s, i, &s->course.now, &f);
        ss_touch touch = ss_outline_touch(o, f.p);
        // One that has touched is there up to what its time is known to.
        double near = own->touches ? SS_CLEAR * size : touching * size;
        own->leaves = own->leaves && touch.gap < near;
        own->touches = touch.gap <= near;
        ss_contact here = {.x = f.p[0], .y = f.p[1], .v = {f.v[0], f.v[1]}};
        double way[2];
        ss_contact_slip(&here, s->course.now.u, way);
        if (s->slider->quasistatic) memcpy(way, f.v, sizeof way);
        if (own->touches) touch_at(s, own, &touch, f.p, way);
    }
}

// ---- where they have come to

void ss_fingers_follow(ss_slide* s)
{
    double t = s->course.now.t, unit = s->slider->unit_length;
    for (int i = 0; i < s->slider->pusher_count; i++) {
        ss_finger_motion f;
        in_space(s, i, t, &f);
        for (int k = 0; k < 2; k++) s->fingers.each[i].way[k] = (f.p[k] - s->slider->pushers[i].at[k]) * unit;
    }
    s->fingers.t = t;
}

ss_status ss_fingers_begin(ss_slide* s, ss_error* err)
{
    s->fingers.closed = 0;
    s->fingers.t = 0.0;
    s->fingers.squeezed = s->fingers.overloaded = false;
    if (s->slider->pusher_count == 0) return SS_OK;
    memset(s->fingers.each, 0, (size_t)s->slider->pusher_count * sizeof *s->fingers.each);
    for (int i = 0; i < s->slider->pusher_count; i++) {
        s->fingers.each[i].mode = SS_MODE_OPEN;
        if (ss_finger_gap(s, i, &s->course.start) >= -touching * ss_outline_reach(&s->slider->outline))
            continue;
        char path[64];
        snprintf(path, sizeof path, "slider.pushers[%d].at", i);
        return ss_fail(err, SS_BAD_INPUT, path, "the finger starts inside the outline");
    }
    return SS_OK;
}

void ss_fingers_tidy(ss_slide* s)
{
    for (int i = 0; i < s->slider->pusher_count; i++) {
        const ss_finger_state* own = &s->fingers.each[i];
        ss_finger_motion f;
        if (own->mode == SS_MODE_OPEN || own->corner) continue;
        ss_finger_motion_at(s, i, &s->course.now, &f);
        double normal[2], gap = ss_outline_gap(&s->slider->outline, own->side, f.p);
        ss_outline_normal(&s->slider->outline, own->side, f.p, normal);
        for (int k = 0; k < 2; k++) normal[k] *= -gap; // towards the finger, which is outside
        turn_by(s->course.now.angle, normal, normal);
        s->course.now.x += normal[0];
        s->course.now.y += normal[1];
    }
}

void ss_fingers_rest_load(const ss_slide* s, const ss_place* at, double load[3])
{
    for (int i = 0; i < s->slider->pusher_count; i++) {
        const ss_finger_state* own = &s->fingers.each[i];
        ss_finger_motion f;
        if (own->mode == SS_MODE_OPEN) continue;
        ss_finger_motion_at(s, i, at, &f);
        load[0] += own->rest_force[0];
        load[1] += own->rest_force[1];
        load[2] += f.p[0] * own->rest_force[1] - f.p[1] * own->rest_force[0];
    }
}

static void find_force(const ss_slide* s, int finger, double force[2])
{
    const ss_place at = ss_slide_force_place(s);
    if (s->mode.dof == 0)
        memcpy(force, s->fingers.each[finger].rest_force, 2 * sizeof *force);
    else if (s->slider->quasistatic)
        ss_quasi_force(s, &at, finger, force);
    else
        ss_press_force(s, &at, finger, force);
}

ss_support_state ss_finger_seen(const ss_slide* s, int finger)
{
    const ss_place* at = &s->course.shown;
    ss_support_state state = {.mode = s->fingers.each[finger].mode, .count = 2, .determined = true};
    ss_finger_motion f;
    ss_contact contact;
    double force[2], place[2], angle, unit = s->slider->unit_force;
    in_space(s, finger, at->t, &f);
    for (int i = 0; i < 2; i++) state.place[i] = f.p[i] * s->slider->unit_length;
    if (state.mode == SS_MODE_OPEN) return state;
    find_force(s, finger, force);
    ss_finger_motion_at(s, finger, at, &f);
    ss_finger_contact(s, finger, &f, &contact);
    const double* n = contact.normal[state.mode == SS_MODE_SLIP_PLUS];
    state.limit = contact.mu * (n[0] * force[0] + n[1] * force[1]) * unit;
    ss_floor_to_space(s, at, place, &angle);
    turn_by(angle, force, force);
    for (int i = 0; i < 2; i++) state.force[i] = force[i] * unit;
    return state;
}
