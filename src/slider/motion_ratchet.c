// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Wheels that roll one way only. Rolling, such a wheel is two lines: its axle, and the way it rolls, which
// drags. Locked, it slides like a point, and the line of rolling only watches for the moment it rolls again.
// Not moving at all it is held in two dimensions, by the half of the disc that resists rolling back, and what
// axle and bearing give.
#include "slider/motion.h"

#include <math.h>
#include <string.h>

static double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double speed_along(const ss_slide* s, int line, const double u[3])
{
    double row[3];
    ss_line_row(s, line, row);
    return dot3(row, u);
}

void ss_ratchet_add(ss_slide* s, int element)
{
    const ss_element* e = &s->slider->elements[element];
    ss_ratchet_parts* r = &s->ratchets[s->ratchet_count++];
    *r = (ss_ratchet_parts){.element = element, .spot = s->spot_count++, .axle = s->line_count};
    r->roll = r->axle + 1;
    s->line_count += 2;
    s->lines[r->axle] = s->lines[r->roll] = element;
    s->line_rolls[r->roll] = true;
    s->spots[r->spot] =
        (ss_spot){.kind = SS_SPOT_RATCHET, .x = e->x, .y = e->y, .level = e->level, .count = 1};
}

void ss_ratchet_find_zeros(ss_slide* s, double nothing)
{
    for (int k = 0; k < s->ratchet_count; k++) {
        ss_ratchet_parts* r = &s->ratchets[k];
        bool locked = !s->spot_off[r->spot] && !s->spot_held[r->spot] && s->has_modes;
        bool still = s->zero_spot[r->spot] || (s->zero_line[r->axle] && s->zero_line[r->roll]);
        if (fabs(speed_along(s, r->axle, s->now.u)) <= nothing &&
            fabs(speed_along(s, r->roll, s->now.u)) <= nothing)
            still = true;
        bool rolls = speed_along(s, r->roll, s->now.u) > 0.0;
        r->kink =
            still || s->zero_line[r->roll] || (s->zero_line[r->axle] && rolls && !locked) || !s->has_modes;
        s->zero_spot[r->spot] = still;
        s->zero_line[r->roll] = s->zero_line[r->roll] && !still;
        s->zero_line[r->axle] = s->zero_line[r->axle] && !still && rolls && !s->zero_line[r->roll];
        if (!r->kink) continue;
        s->spot_off[r->spot] = true; // decided as a whole: nothing of it counts as slipping meanwhile
        s->line_mode[r->axle] = s->line_mode[r->roll] = 0;
    }
}

// What the ratchet does next, where its velocity is 0 or on a kink: x is the acceleration.
void ss_ratchet_enter(ss_slide* s, const double x[3])
{
    for (int k = 0; k < s->ratchet_count; k++) {
        ss_ratchet_parts* r = &s->ratchets[k];
        if (!r->kink) continue;
        bool still = s->zero_spot[r->spot], stays = s->stay[r->element] && s->use[r->element];
        const double *u = s->now.u, *motion = still ? x : u;
        double slip = speed_along(s, r->axle, motion), roll = speed_along(s, r->roll, motion);
        double small = 1e-9 * (fabs(slip) + fabs(roll));
        s->spot_held[r->spot] = still && fabs(slip) + fabs(roll) <= 1e-9 * sqrt(dot3(x, x));
        s->spot_off[r->spot] = true;
        s->line_held[r->axle] = s->line_held[r->roll] = false;
        s->line_mode[r->axle] = s->line_mode[r->roll] = 0;
        if (s->spot_held[r->spot]) {
            s->spot_off[r->spot] = false;
            continue;
        }
        bool roll_is_zero = s->zero_line[r->roll] || fabs(roll) <= small;
        if (roll_is_zero && stays && s->slider->elements[r->element].drag > 0.0) {
            s->line_held[r->roll] = true;
            s->line_mode[r->axle] = slip > 0.0 ? 1 : -1;
            continue;
        }
        if (roll_is_zero) roll = speed_along(s, r->roll, x);
        s->line_mode[r->roll] = roll >= 0.0 ? 1 : -1;
        if (roll < 0.0) { // locked: it slides like a point
            s->spot_off[r->spot] = false;
            continue;
        }
        bool slip_is_zero = s->zero_line[r->axle] || fabs(slip) <= small;
        if (slip_is_zero) slip = speed_along(s, r->axle, x);
        s->line_held[r->axle] = slip_is_zero && stays;
        if (!s->line_held[r->axle]) s->line_mode[r->axle] = slip > 0.0 ? 1 : -1;
    }
}

double ss_ratchet_margin(const ss_slide* s, const ss_spot* spot, const double load[2])
{
    const ss_element* e = &s->slider->elements[s->members[spot->first]];
    double across = e->along[0] * load[0] + e->along[1] * load[1],
           back = e->rolls[0] * load[0] + e->rolls[1] * load[1];
    if (back <= 0.0) return 1.0 - hypot(across, back) / spot->level;
    double bearing = e->drag > 0.0 ? 1.0 - back / e->drag : -back / spot->level;
    return fmin(1.0 - fabs(across) / spot->level, bearing);
}

ss_mode ss_ratchet_mode(const ss_slide* s, int element)
{
    for (int k = 0; k < s->ratchet_count; k++) {
        const ss_ratchet_parts* r = &s->ratchets[k];
        if (r->element != element) continue;
        if (s->spot_held[r->spot] || s->line_held[r->axle]) return SS_MODE_STICK;
        if (!s->spot_off[r->spot]) return SS_MODE_SLIP;
        return s->line_mode[r->axle] > 0 ? SS_MODE_SLIP_PLUS : SS_MODE_SLIP_MINUS;
    }
    return SS_MODE_STICK;
}
