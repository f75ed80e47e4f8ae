// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Wheels that roll one way only. Rolling, such a wheel is a line: its axle. Locked, it slides like a point.
// Between the two no load jumps, so that nothing is to be decided where it begins or ends to roll. Not moving
// at all it is held in two dimensions, by the part of the floor's ellipse that resists rolling back. The drag
// of its bearing is a line of its own.
#include "core/tolerance.h"
#include "slider/motion/slide_impl.h"

#include <math.h>

static double dot2(const double a[2], const double b[2]) { return a[0] * b[0] + a[1] * b[1]; }

static const ss_element* wheel_of(const ss_slide* s, const ss_spot* spot)
{
    return &s->slider->elements[s->made.members[spot->first]];
}

void ss_ratchet_add(ss_slide* s, int element)
{
    const ss_element* e = &s->slider->elements[element];
    s->made.spots[s->made.spot_count] =
        (ss_spot){.kind = SS_SPOT_RATCHET, .x = e->x, .y = e->y, .level = e->level, .count = 1};
    s->made.lines[s->made.line_count] = element;
    s->made.ratchets[s->made.ratchet_count++] =
        (ss_ratchet_parts){.element = element, .spot = s->made.spot_count++, .axle = s->made.line_count++};
}

static double slip_speed(const ss_slide* s, const ss_ratchet_parts* r, const double u[3])
{
    double row[3];
    ss_line_row(s, r->axle, row);
    return ss_dot3(row, u);
}

double ss_ratchet_roll_speed(const ss_slide* s, int ratchet, double angle, const double u[3])
{
    const ss_ratchet_parts* r = &s->made.ratchets[ratchet];
    ss_floor floor = ss_floor_at(s->slider, angle);
    double roll[2], z[2];
    ss_ratchet_roll(&s->slider->elements[r->element], &floor, roll);
    ss_spot_velocity(&s->made.spots[r->spot], u, z);
    return dot2(roll, z);
}

// How fast that changes with the acceleration x. As the body turns, the floor's matrix T = D^2 becomes T +
// (T J - J T) d angle in the body frame, J a quarter turn.
static double roll_rate(const ss_slide* s, const ss_ratchet_parts* r, const double x[3])
{
    ss_floor floor = ss_floor_at(s->slider, s->course.now.angle);
    const ss_element* e = &s->slider->elements[r->element];
    ss_element turned = *e;
    turned.rolls[0] = -e->rolls[1];
    turned.rolls[1] = e->rolls[0];
    double roll[2], other[2], z[2], zx[2];
    ss_ratchet_roll(e, &floor, roll);
    ss_ratchet_roll(&turned, &floor, other);
    const double change[2] = {other[0] + roll[1], other[1] - roll[0]};
    ss_spot_velocity(&s->made.spots[r->spot], s->course.now.u, z);
    ss_spot_velocity(&s->made.spots[r->spot], x, zx);
    return dot2(roll, zx) + s->course.now.u[2] * dot2(change, z);
}

static void set_rolling(ss_slide* s, const ss_ratchet_parts* r, bool rolls, double slip)
{
    s->mode.spot_off[r->spot] = rolls;
    s->mode.line_mode[r->axle] = !rolls ? 0 : slip > 0.0 ? 1 : -1;
}

void ss_ratchet_find_zeros(ss_slide* s, ss_ending ending, int which)
{
    for (int k = 0; k < s->made.ratchet_count; k++) {
        ss_ratchet_parts* r = &s->made.ratchets[k];
        double slip = slip_speed(s, r, s->course.now.u),
               roll = ss_ratchet_roll_speed(s, k, s->course.now.angle, s->course.now.u);
        bool ends = ending == SS_END_ROLL && which == k;
        bool still = s->work.zero_spot[r->spot] || (ends && s->mode.line_held[r->axle]);
        if (!s->mode.known) set_rolling(s, r, roll >= 0.0, slip);
        s->work.zero_spot[r->spot] = still;
        s->work.zero_line[r->axle] = s->work.zero_line[r->axle] && !still && s->mode.spot_off[r->spot];
        r->kink = still || s->work.zero_line[r->axle];
        r->turns = !r->kink && (ends || (!s->mode.known && roll == 0.0));
        if (!r->kink) continue;
        // A ratchet is decided as a whole: none of its contacts counts as slipping meanwhile.
        s->mode.spot_off[r->spot] = true;
        s->mode.line_mode[r->axle] = 0;
    }
}

// Whether the ratchet stays where it is: where rotation about it is free, what is left of its acceleration is
// only rounding.
bool ss_ratchet_stays(const ss_slide* s, int ratchet, const double x[3])
{
    double z[2];
    ss_spot_velocity(&s->made.spots[s->made.ratchets[ratchet].spot], x, z);
    return hypot(z[0], z[1]) <= SS_CLEAR * ss_norm3(x) + SS_SUM_NOISE * s->made.strength;
}

// What a ratchet that did not slip does next; x is the acceleration.
static void leave_kink(ss_slide* s, int ratchet, const double x[3])
{
    const ss_ratchet_parts* r = &s->made.ratchets[ratchet];
    bool still = s->work.zero_spot[r->spot], stays = s->work.stay[r->element] && s->work.use[r->element];
    const double* motion = still ? x : s->course.now.u;
    double slip = slip_speed(s, r, motion),
           roll = ss_ratchet_roll_speed(s, ratchet, s->course.now.angle, motion), z[2];
    ss_spot_velocity(&s->made.spots[r->spot], motion, z);
    s->mode.spot_held[r->spot] = still && ss_ratchet_stays(s, ratchet, x);
    s->mode.line_held[r->axle] = false;
    set_rolling(s, r, !s->mode.spot_held[r->spot] && roll >= 0.0, slip);
    if (!s->mode.spot_off[r->spot]) return; // held, or locked
    bool slip_is_zero = s->work.zero_line[r->axle] || fabs(slip) <= SS_CLEAR * hypot(z[0], z[1]);
    if (slip_is_zero) set_rolling(s, r, true, slip_speed(s, r, x));
    s->mode.line_held[r->axle] = slip_is_zero && stays;
    if (s->mode.line_held[r->axle]) s->mode.line_mode[r->axle] = 0;
}

void ss_ratchet_enter(ss_slide* s, const double x[3])
{
    for (int k = 0; k < s->made.ratchet_count; k++) {
        const ss_ratchet_parts* r = &s->made.ratchets[k];
        if (r->kink) {
            leave_kink(s, k, x);
        } else if (r->turns) {
            double rate = roll_rate(s, r, x);
            set_rolling(s, r, rate == 0.0 ? s->mode.spot_off[r->spot] : rate > 0.0,
                        slip_speed(s, r, s->course.now.u));
        }
    }
}

double ss_ratchet_power(const ss_slide* s, const ss_spot* spot, const ss_floor* floor, const double z[2],
                        double load[2])
{
    const ss_element* e = wheel_of(s, spot);
    double roll[2], slip = dot2(e->along, z), level = ss_line_level(e, floor);
    ss_ratchet_roll(e, floor, roll);
    if (dot2(roll, z) < 0.0) return ss_spot_load(s, spot, floor, z, load, NULL);
    load[0] = copysign(level, slip) * e->along[0];
    load[1] = copysign(level, slip) * e->along[1];
    return level * fabs(slip);
}

// A load in the midst of those of a ratchet that is held: half of the one that resists rolling back most.
void ss_ratchet_middle(const ss_slide* s, const ss_spot* spot, const ss_floor* floor, double load[2])
{
    const ss_element* e = wheel_of(s, spot);
    const double back[2] = {-e->rolls[0], -e->rolls[1]};
    ss_spot_load(s, spot, floor, back, load, NULL);
    load[0] *= 0.5;
    load[1] *= 0.5;
}

double ss_ratchet_margin(const ss_slide* s, const ss_spot* spot, const ss_floor* floor, const double load[2])
{
    const double* d = floor->d;
    double forwards = dot2(wheel_of(s, spot)->rolls, load), det = d[0] * d[3] - d[1] * d[2];
    if (forwards > 0.0) return -forwards / spot->level;
    double size = hypot(d[3] * load[0] - d[1] * load[1], d[0] * load[1] - d[2] * load[0]) / det;
    return 1.0 - size / spot->level;
}

ss_mode ss_ratchet_mode(const ss_slide* s, int element)
{
    for (int k = 0; k < s->made.ratchet_count; k++) {
        const ss_ratchet_parts* r = &s->made.ratchets[k];
        if (r->element != element) continue;
        if (s->mode.spot_held[r->spot] || s->mode.line_held[r->axle]) return SS_MODE_STICK;
        if (!s->mode.spot_off[r->spot]) return SS_MODE_SLIP;
        return s->mode.line_mode[r->axle] > 0 ? SS_MODE_SLIP_PLUS : SS_MODE_SLIP_MINUS;
    }
    return SS_MODE_STICK;
}
