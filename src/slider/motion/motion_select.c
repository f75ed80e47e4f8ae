// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From one mode to the next: which contacts are at rest, who of them holds, how the others begin to slip.
#include "core/tolerance.h"
#include "slider/motion/motion_press.h"
#include "slider/surface/surface_load.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Velocities below this share of the body's are 0: several contacts that stop at one instant.
static const double nothing = SS_SOLVED;

// Flags all contacts that do not move: those held so far, the one that stopped, and others with it.
static void find_zeros(ss_slide* s, ss_ending ending, int which)
{
    const double* u = s->course.now.u;
    double size = nothing * ss_norm3(u), z[2], row[3];
    for (int i = 0; i < s->made.spot_count; i++) {
        ss_spot_velocity(&s->made.spots[i], u, z);
        bool stopped = ending == SS_END_SPOT && which == i;
        s->work.zero_spot[i] = s->mode.spot_held[i] || stopped || hypot(z[0], z[1]) <= size;
    }
    for (int j = 0; j < s->made.line_count; j++) {
        ss_line_row(s, j, row);
        bool stopped = ending == SS_END_LINE && which == j;
        s->work.zero_line[j] = s->mode.line_held[j] || stopped || fabs(ss_dot3(row, u)) <= size;
    }
    ss_ratchet_find_zeros(s, ending, which);
}

// Acceleration without the contacts at rest; velocity freed of what they do not allow.
static void clean(ss_slide* s, double a[3])
{
    memcpy(s->mode.spot_held, s->work.zero_spot, (size_t)s->made.spot_count * sizeof *s->mode.spot_held);
    memcpy(s->mode.line_held, s->work.zero_line, (size_t)s->made.line_count * sizeof *s->mode.line_held);
    ss_slide_set_mode(s);
    if (s->mode.dof < 3) ss_slide_project(s, s->course.now.u, s->course.now.u);
    if (ss_norm3(s->course.now.u) == 0.0) { // what slips has no direction: everything is decided
        memset(a, 0, 3 * sizeof *a);
        if (s->made.loaded) ss_slide_applied(s, &s->course.now, a);
    } else {
        ss_slide_free_acceleration(s, &s->course.now, a);
    }
}

// Lets the contacts at rest be decided together: the acceleration x that follows from a, and who stays. The
// set they can give is what the limit surface encloses; the acceleration is what it leaves [GRP91, 3.3].
// Returns whether any of them moves.
static bool decide(ss_slide* s, bool rest, const double a[3], double x[3])
{
    const ss_slider* slider = s->slider;
    double load[3];
    bool moves = false;
    for (int k = 0; k < slider->element_count; k++) {
        int spot = s->made.spot_of[k], line = s->made.line_of[k];
        bool ratchet = slider->elements[k].kind == SS_ELEMENT_RATCHET;
        s->work.use[k] =
            (spot >= 0 && !ratchet && s->work.zero_spot[spot]) || (line >= 0 && s->work.zero_line[line]) ||
            (rest && slider->elements[k].kind == SS_ELEMENT_PATCH && slider->elements[k].level > 0.0);
    }
    for (int r = 0; r < s->made.ratchet_count; r++)
        s->work.use[s->made.ratchets[r].element] = s->made.ratchets[r].kink;
    ss_floor floor = ss_floor_at(slider, s->course.now.angle);
    ss_surface_closest(slider, &floor, s->work.use, rest ? NULL : s->course.now.u, a, load, x, s->work.stay);
    for (int i = 0; i < s->made.spot_count; i++) s->work.stay_spot[i] = s->work.zero_spot[i];
    for (int j = 0; j < s->made.line_count; j++) s->work.stay_line[j] = s->work.zero_line[j];
    for (int k = 0; k < slider->element_count; k++) {
        if (!s->work.use[k] || s->work.stay[k]) continue;
        moves = true;
        if (s->made.spot_of[k] >= 0) s->work.stay_spot[s->made.spot_of[k]] = false;
        if (s->made.line_of[k] >= 0) s->work.stay_line[s->made.line_of[k]] = false;
    }
    for (int r = 0; r < s->made.ratchet_count; r++) { // one that rolls away is held along its axle, but moves
        int spot = s->made.ratchets[r].spot;
        if (!s->work.zero_spot[spot] || ss_ratchet_stays(s, r, x)) continue;
        s->work.stay_spot[spot] = false;
        moves = true;
    }
    // Wheels may roll away while none slips.
    return moves || (rest && ss_norm3(x) > SS_RELATIVE_ZERO * ss_norm3(a));
}

// Whether all contacts at rest can hold, clearly.
static bool all_hold(const ss_slide* s, bool rest, const double a[3])
{
    static const double clearly = SS_ROOT_NOISE;
    for (int r = 0; r < s->made.ratchet_count && ss_norm3(a) > 0.0; r++)
        if (s->made.ratchets[r].kink) return false;
    if (rest) return ss_norm3(a) == 0.0;
    return s->mode.dof == 3 || ss_slide_hold_margin(s, s->course.now.angle, a) > clearly;
}

static void stay_all(ss_slide* s)
{
    for (int r = 0; r < s->made.ratchet_count; r++)
        s->work.use[s->made.ratchets[r].element] = s->work.stay[s->made.ratchets[r].element] = true;
    memcpy(s->work.stay_spot, s->work.zero_spot, (size_t)s->made.spot_count * sizeof *s->work.stay_spot);
    memcpy(s->work.stay_line, s->work.zero_line, (size_t)s->made.line_count * sizeof *s->work.stay_line);
}

static void enter_mode(ss_slide* s, const double x[3])
{
    double row[3];
    memcpy(s->mode.spot_held, s->work.stay_spot, (size_t)s->made.spot_count * sizeof *s->mode.spot_held);
    memcpy(s->mode.line_held, s->work.stay_line, (size_t)s->made.line_count * sizeof *s->mode.line_held);
    for (int j = 0; j < s->made.line_count; j++) {
        ss_line_row(s, j, row);
        double speed = s->work.zero_line[j] ? ss_dot3(row, x) : ss_dot3(row, s->course.now.u);
        if (s->slider->elements[s->made.lines[j]].kind == SS_ELEMENT_RATCHET) continue;
        s->mode.line_mode[j] = s->mode.line_held[j] ? 0 : speed > 0.0 ? 1 : -1;
    }
    ss_ratchet_enter(s, x);
    ss_slide_set_mode(s);
}

// Slip begins: time, place and velocity a first moment later. With an acceleration x the velocity grows like
// x tau; the error of that moment is of second order.
static void begin_slip(ss_slide* s, const double x[3], bool from_rest)
{
    const ss_place* now = &s->course.now;
    ss_place* to = &s->step.jump;
    double speed = ss_norm3(now->u), moment = 1e-9;
    if (!from_rest) moment *= fmin(1.0, fmin(1.0 / speed, speed / ss_norm3(x)));
    double c = cos(now->angle), n = sin(now->angle), mean[3], load[3], ground[3];
    ss_pushes pushes = {0};
    *to = *now;
    for (int i = 0; i < 3; i++) {
        mean[i] = now->u[i] + 0.5 * moment * x[i];
        to->u[i] += moment * x[i];
    }
    to->t += moment;
    to->x += moment * (c * mean[0] - n * mean[1]);
    to->y += moment * (n * mean[0] + c * mean[1]);
    ss_slide_turn(s, moment * mean[2], to);
    ss_slide_weigh(s, to->t);
    ss_slide_slip_load(s, to->u, to->angle, load);
    if (s->made.pushed) ss_slide_pushes(s, now, &pushes);
    ss_slide_whole_load(s, to, &pushes, load, ground);
    to->friction += moment * ss_dot3(load, mean);
    to->input += moment * ss_slide_input_power(&pushes, mean, ground);
    s->step.has_jump = true;
    s->step.time = 0.5 * moment;
    for (int i = 0; i < s->made.spot_count; i++) {
        if (!s->work.zero_spot[i] || s->work.stay_spot[i] || from_rest) continue;
        ss_spot_velocity(&s->made.spots[i], x, s->step.reference_z);
        s->step.reference_z[0] *= moment;
        s->step.reference_z[1] *= moment;
        s->step.reference_known = i;
    }
    // Hardly more is pulled than friction bears: directions of slip are slaves of the forces, as where a hold
    // breaks.
    s->stiff.begun = ss_norm3(x) < 0.05 * s->made.strength && (from_rest || s->step.reference_known >= 0);
    s->stiff.age = moment;
    s->stiff.last = 0.0;
    s->stiff.spot = s->step.reference_known;
}

// A hold breaks: the load leaves its set without a jump, and slip begins like tau^2. The old motion a moment
// later is s->step.ahead; there the acceleration x, less that of the old motion, acts half as long.
static void begin_break(ss_slide* s, const double x[3], const double old[3])
{
    double moment = s->step.ahead.t - s->course.now.t;
    s->step.jump = s->step.ahead;
    ss_pushes pushes = {0};
    if (s->made.pushed) ss_slide_pushes(s, &s->step.ahead, &pushes);
    for (int i = 0; i < 3; i++) {
        double gain = 0.5 * moment * (x[i] - old[i]);
        s->step.jump.u[i] += gain;
        s->step.jump.input += pushes.floor[i] * gain; // momentum from a floor that moves
    }
    s->step.has_jump = true;
    s->step.time = 0.5 * moment;
    s->stiff.begun = true;
    s->stiff.age = moment;
    s->stiff.last = 0.0;
    s->stiff.spot = -1;
    for (int i = 0; i < s->made.spot_count; i++) // where more than one starts, the body does
        if (s->work.zero_spot[i] && !s->work.stay_spot[i] && ss_norm3(s->course.now.u) > 0.0)
            s->stiff.spot = i;
    if (s->stiff.spot < 0) return;
    double slip[3];
    for (int i = 0; i < 3; i++) slip[i] = 0.5 * moment * (x[i] - old[i]);
    ss_spot_velocity(&s->made.spots[s->stiff.spot], slip, s->step.reference_z);
    s->step.reference_known = s->stiff.spot;
}

static bool some_spot_starts(const ss_slide* s)
{
    for (int i = 0; i < s->made.spot_count; i++)
        if (s->work.zero_spot[i] && !s->work.stay_spot[i]) return true;
    return false;
}

static void set_step(ss_slide* s, const double x[3])
{
    double speed = ss_norm3(s->course.now.u);
    s->step.time = 0.02 * fmin(1.0 / (speed + DBL_MIN), speed / (ss_norm3(x) + DBL_MIN));
}

// What the old mode does a moment later, as far as decisions need it: where a hold broke.
static void look_ahead(ss_slide* s, double a[3], double old[3])
{
    ss_place* at = &s->step.ahead;
    ss_slide_weigh(s, at->t);
    if (ss_norm3(at->u) > 0.0) {
        ss_slide_free_acceleration(s, at, a);
        ss_slide_project(s, a, old);
    } else {
        ss_slide_applied(s, at, a);
        memset(old, 0, 3 * sizeof *old);
    }
}

// A body at rest that is pushed straight moves off straight: what is only rounding of forces of this size is
// no acceleration.
static void tidy(double x[3], double size)
{
    double rounding = 16.0 * DBL_EPSILON * size, speed = hypot(x[0], x[1]);
    if (fabs(x[2]) <= rounding && speed > rounding)
        x[2] = 0.0;
    else if (speed <= rounding && fabs(x[2]) > rounding)
        x[0] = x[1] = 0.0;
}

// What follows from an acceleration a once all that is at rest has been decided.
static bool follow(ss_slide* s, bool rest, const double a[3], double x[3])
{
    if (!all_hold(s, rest, a) && decide(s, rest, a, x)) return true;
    stay_all(s);
    ss_slide_project(s, a, x);
    if (rest) memset(x, 0, 3 * sizeof *x);
    return false;
}

static void follow_press(ss_slide* s, bool rest, const double a[3], double x[3]) { follow(s, rest, a, x); }

void ss_slide_select(ss_slide* s, ss_ending ending, int which)
{
    double a[3], x[3], old[3];
    if (s->slider->quasistatic) {
        ss_quasi_select(s);
        return;
    }
    ss_slide_weigh(s, s->course.now.t);
    if (s->slider->pusher_count > 0 && !s->step.limit_flow) {
        ss_fingers_find(s);
        ss_press_hit(s);
    }
    find_zeros(s, ending, which);
    clean(s, a);
    s->step.reference_known = -1;
    s->stiff.begun = s->slaved.now = false;
    s->slaved.stiff_signs = s->slaved.calm_signs = 0;
    bool rest = ss_norm3(s->course.now.u) == 0.0, breaks = ending == SS_END_HOLD;
    if (breaks) look_ahead(s, a, old);
    if (s->slider->pusher_count > 0 && !s->step.limit_flow)
        ss_press_decide(s, breaks ? &s->step.ahead : &s->course.now, rest, follow_press, a);
    bool moves = !all_hold(s, rest, a) && decide(s, rest, a, x);
    // A load that only touches the rim of its set: twice what it is beyond, so that one which really leaves
    // is seen soon.
    s->step.hold_slack = breaks && !moves && !rest ? fmax(2.0 * s->step.hold_slack, SS_CLEAR) : 0.0;
    if (!moves) {
        stay_all(s);
        ss_slide_project(s, a, x);
    }
    if (rest && moves) tidy(x, s->made.strength + ss_norm3(a));
    enter_mode(s, x);
    if (rest && !moves) { // patches have no share in the subspace: they hold all of it
        s->mode.dof = 0;
        memset(s->mode.project, 0, sizeof s->mode.project);
        s->course.rest_since = s->course.now.t;
        s->course.was_carried = false;
        return;
    }
    if (rest) { // a new motion begins
        s->step.since = s->course.now.t;
        s->step.path = s->step.speed_scale = 0.0;
        s->course.has_final = false;
    }
    set_step(s, x);
    if (breaks && moves && (rest || some_spot_starts(s)))
        begin_break(s, x, old);
    else if (moves && (rest || some_spot_starts(s)))
        begin_slip(s, x, rest);
}
