// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From one mode to the next: which contacts are at rest, who of them holds, how the others begin to slip.
#include "slider/motion/motion.h"
#include "slider/surface/surface.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Velocities below this share of the body's are 0: several contacts that stop at one instant.
static const double nothing = 1e-11;

// Flags all contacts that do not move: those held so far, the one that stopped, and others with it.
static void find_zeros(ss_slide* s, ss_ending ending, int which)
{
    const double* u = s->now.u;
    double size = nothing * ss_norm3(u), z[2], row[3];
    for (int i = 0; i < s->spot_count; i++) {
        ss_spot_velocity(&s->spots[i], u, z);
        bool stopped = ending == SS_END_SPOT && which == i;
        s->zero_spot[i] = s->spot_held[i] || stopped || hypot(z[0], z[1]) <= size;
    }
    for (int j = 0; j < s->line_count; j++) {
        ss_line_row(s, j, row);
        bool stopped = ending == SS_END_LINE && which == j;
        s->zero_line[j] = s->line_held[j] || stopped || fabs(ss_dot3(row, u)) <= size;
    }
    ss_ratchet_find_zeros(s, ending, which);
}

// Acceleration without the contacts at rest; velocity freed of what they do not allow.
static void clean(ss_slide* s, double a[3])
{
    memcpy(s->spot_held, s->zero_spot, (size_t)s->spot_count * sizeof *s->spot_held);
    memcpy(s->line_held, s->zero_line, (size_t)s->line_count * sizeof *s->line_held);
    ss_slide_set_mode(s);
    if (s->dof < 3) ss_slide_project(s, s->now.u, s->now.u);
    if (ss_norm3(s->now.u) == 0.0) { // what slips has no direction: everything is decided
        memset(a, 0, 3 * sizeof *a);
        if (s->loaded) ss_slide_applied(s, s->now.t, s->now.angle, a);
    } else {
        ss_slide_free_acceleration(s, &s->now, a);
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
        int spot = s->spot_of[k], line = s->line_of[k];
        bool ratchet = slider->elements[k].kind == SS_ELEMENT_RATCHET;
        s->use[k] = (spot >= 0 && !ratchet && s->zero_spot[spot]) || (line >= 0 && s->zero_line[line]) ||
                    (rest && slider->elements[k].kind == SS_ELEMENT_PATCH && slider->elements[k].level > 0.0);
    }
    for (int r = 0; r < s->ratchet_count; r++) s->use[s->ratchets[r].element] = s->ratchets[r].kink;
    ss_floor floor = ss_floor_at(slider, s->now.angle);
    ss_surface_closest(slider, &floor, s->use, rest ? NULL : s->now.u, a, load, x, s->stay);
    for (int i = 0; i < s->spot_count; i++) s->stay_spot[i] = s->zero_spot[i];
    for (int j = 0; j < s->line_count; j++) s->stay_line[j] = s->zero_line[j];
    for (int k = 0; k < slider->element_count; k++) {
        if (!s->use[k] || s->stay[k]) continue;
        moves = true;
        if (s->spot_of[k] >= 0) s->stay_spot[s->spot_of[k]] = false;
        if (s->line_of[k] >= 0) s->stay_line[s->line_of[k]] = false;
    }
    for (int r = 0; r < s->ratchet_count; r++) { // one that rolls away is held along its axle, but moves
        int spot = s->ratchets[r].spot;
        if (!s->zero_spot[spot] || ss_ratchet_stays(s, r, x)) continue;
        s->stay_spot[spot] = false;
        moves = true;
    }
    return moves || (rest && ss_norm3(x) > 1e-12 * ss_norm3(a)); // wheels may roll away while none slips
}

// Whether all contacts at rest can hold, clearly.
static bool all_hold(const ss_slide* s, bool rest, const double a[3])
{
    static const double clearly = 1e-7;
    for (int r = 0; r < s->ratchet_count && ss_norm3(a) > 0.0; r++)
        if (s->ratchets[r].kink) return false;
    if (rest) return ss_norm3(a) == 0.0;
    return s->dof == 3 || ss_slide_hold_margin(s, s->now.angle, a) > clearly;
}

static void stay_all(ss_slide* s)
{
    for (int r = 0; r < s->ratchet_count; r++)
        s->use[s->ratchets[r].element] = s->stay[s->ratchets[r].element] = true;
    memcpy(s->stay_spot, s->zero_spot, (size_t)s->spot_count * sizeof *s->stay_spot);
    memcpy(s->stay_line, s->zero_line, (size_t)s->line_count * sizeof *s->stay_line);
}

static void enter_mode(ss_slide* s, const double x[3])
{
    double row[3];
    memcpy(s->spot_held, s->stay_spot, (size_t)s->spot_count * sizeof *s->spot_held);
    memcpy(s->line_held, s->stay_line, (size_t)s->line_count * sizeof *s->line_held);
    for (int j = 0; j < s->line_count; j++) {
        ss_line_row(s, j, row);
        double speed = s->zero_line[j] ? ss_dot3(row, x) : ss_dot3(row, s->now.u);
        if (s->slider->elements[s->lines[j]].kind == SS_ELEMENT_RATCHET) continue;
        s->line_mode[j] = s->line_held[j] ? 0 : speed > 0.0 ? 1 : -1;
    }
    ss_ratchet_enter(s, x);
    ss_slide_set_mode(s);
}

// Slip begins: time, place and velocity a first moment later. With an acceleration x the velocity grows like
// x tau; the error of that moment is of second order.
static void begin_slip(ss_slide* s, const double x[3], bool from_rest)
{
    const ss_place* now = &s->now;
    ss_place* to = &s->jump;
    double speed = ss_norm3(now->u), moment = 1e-9;
    if (!from_rest) moment *= fmin(1.0, fmin(1.0 / speed, speed / ss_norm3(x)));
    double c = cos(now->angle), n = sin(now->angle), mean[3], load[3], applied[3] = {0.0, 0.0, 0.0};
    *to = *now;
    for (int i = 0; i < 3; i++) {
        mean[i] = now->u[i] + 0.5 * moment * x[i];
        to->u[i] += moment * x[i];
    }
    to->t += moment;
    to->x += moment * (c * mean[0] - n * mean[1]);
    to->y += moment * (n * mean[0] + c * mean[1]);
    to->angle += moment * mean[2];
    ss_slide_slip_load(s, to->u, to->angle, load);
    if (s->loaded) ss_slide_applied(s, now->t, now->angle, applied);
    to->friction += moment * ss_dot3(load, mean);
    to->input += moment * ss_dot3(applied, mean);
    s->has_jump = true;
    s->step_time = 0.5 * moment;
    for (int i = 0; i < s->spot_count; i++) {
        if (!s->zero_spot[i] || s->stay_spot[i] || from_rest) continue;
        ss_spot_velocity(&s->spots[i], x, s->reference_z);
        s->reference_z[0] *= moment;
        s->reference_z[1] *= moment;
        s->reference_known = i;
    }
    // Hardly more is pulled than friction bears: directions of slip are slaves of the forces, as where a hold
    // breaks.
    s->stiff = ss_norm3(x) < 0.05 * s->strength && (from_rest || s->reference_known >= 0);
    s->stiff_age = moment;
    s->stiff_last = 0.0;
    s->stiff_spot = s->reference_known;
}

// A hold breaks: the load leaves its set without a jump, and slip begins like tau^2. The old motion a moment
// later is s->ahead; there the acceleration x, less that of the old motion, acts half as long.
static void begin_break(ss_slide* s, const double x[3], const double old[3])
{
    double moment = s->ahead.t - s->now.t;
    s->jump = s->ahead;
    for (int i = 0; i < 3; i++) s->jump.u[i] += 0.5 * moment * (x[i] - old[i]);
    s->has_jump = true;
    s->step_time = 0.5 * moment;
    s->stiff = true;
    s->stiff_age = moment;
    s->stiff_last = 0.0;
    s->stiff_spot = -1;
    for (int i = 0; i < s->spot_count; i++) // where more than one starts, the body does
        if (s->zero_spot[i] && !s->stay_spot[i] && ss_norm3(s->now.u) > 0.0) s->stiff_spot = i;
    if (s->stiff_spot < 0) return;
    double slip[3];
    for (int i = 0; i < 3; i++) slip[i] = 0.5 * moment * (x[i] - old[i]);
    ss_spot_velocity(&s->spots[s->stiff_spot], slip, s->reference_z);
    s->reference_known = s->stiff_spot;
}

static bool some_spot_starts(const ss_slide* s)
{
    for (int i = 0; i < s->spot_count; i++)
        if (s->zero_spot[i] && !s->stay_spot[i]) return true;
    return false;
}

static void set_step(ss_slide* s, const double x[3])
{
    double speed = ss_norm3(s->now.u);
    s->step_time = 0.02 * fmin(1.0 / (speed + DBL_MIN), speed / (ss_norm3(x) + DBL_MIN));
}

// What the old mode does a moment later, as far as decisions need it: where a hold broke.
static void look_ahead(ss_slide* s, double a[3], double old[3])
{
    ss_place* at = &s->ahead;
    if (ss_norm3(at->u) > 0.0) {
        ss_slide_free_acceleration(s, at, a);
        ss_slide_project(s, a, old);
    } else {
        ss_slide_applied(s, at->t, at->angle, a);
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

void ss_slide_select(ss_slide* s, ss_ending ending, int which)
{
    double a[3], x[3], old[3];
    find_zeros(s, ending, which);
    clean(s, a);
    s->reference_known = -1;
    s->stiff = s->slaved = false;
    s->stiff_signs = s->calm_signs = 0;
    bool rest = ss_norm3(s->now.u) == 0.0, breaks = ending == SS_END_HOLD;
    if (breaks) look_ahead(s, a, old);
    bool moves = !all_hold(s, rest, a) && decide(s, rest, a, x);
    // A load that only touches the rim of its set: twice what it is beyond, so that one which really leaves
    // is seen soon.
    s->hold_slack = breaks && !moves && !rest ? fmax(2.0 * s->hold_slack, 1e-9) : 0.0;
    if (!moves) {
        stay_all(s);
        ss_slide_project(s, a, x);
    }
    if (rest && moves) tidy(x, s->strength + ss_norm3(a));
    enter_mode(s, x);
    if (rest && !moves) { // patches have no share in the subspace: they hold all of it
        s->dof = 0;
        memset(s->project, 0, sizeof s->project);
        s->rest_since = s->now.t;
        return;
    }
    if (rest) { // a new motion begins
        s->since = s->now.t;
        s->path = s->speed_scale = 0.0;
        s->has_final = false;
    }
    set_step(s, x);
    if (breaks && moves && (rest || some_spot_starts(s)))
        begin_break(s, x, old);
    else if (moves && (rest || some_spot_starts(s)))
        begin_slip(s, x, rest);
}
