// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What can be seen of a motion: state, supports, loads, energy.
#include "core/energy_allowed.h"
#include "slider/motion/motion_finger.h"

#include <math.h>
#include <string.h>

static ss_mode mode_of_element(const ss_slide* s, int element)
{
    if (s->mode.dof == 0) return SS_MODE_STICK;
    int line = s->made.line_of[element], spot = s->made.spot_of[element];
    if (s->slider->elements[element].kind == SS_ELEMENT_RATCHET) return ss_ratchet_mode(s, element);
    if (line >= 0)
        return s->mode.line_held[line]       ? SS_MODE_STICK
               : s->mode.line_mode[line] > 0 ? SS_MODE_SLIP_PLUS
                                             : SS_MODE_SLIP_MINUS;
    return spot >= 0 && s->mode.spot_held[spot] ? SS_MODE_STICK : SS_MODE_SLIP;
}

// A support of several elements sticks where all do; of a wheel, the axle counts. After them come the
// fingers.
ss_mode ss_slide_mode(const ss_slide* s, int support)
{
    ss_mode mode = SS_MODE_STICK;
    if (support >= s->slider->supports.count)
        return s->fingers.each[support - s->slider->supports.count].mode;
    int from, to;
    ss_slider_elements_of(s->slider, support, &from, &to);
    for (int k = from; k < to; k++) {
        if (s->slider->elements[k].is_bearing) continue;
        ss_mode own = mode_of_element(s, k);
        if (own != SS_MODE_STICK) mode = own;
    }
    return mode;
}

void ss_slide_total_load(const ss_slide* s, const ss_place* at, double load[3])
{
    double a[3], held[3];
    if (ss_dot3(at->u, at->u) == 0.0 || s->mode.dof == 0) {
        memset(load, 0, 3 * sizeof *load);
        if (s->made.loaded) ss_slide_applied(s, at, load);
        if (s->fingers.closed > 0) ss_fingers_rest_load(s, at, load);
        return;
    }
    ss_slide_weigh(s, at->t);
    ss_slide_slip_load(s, at->u, at->angle, load);
    if (s->mode.dof == 3) return;
    ss_slide_free_acceleration(s, at, a);
    ss_slide_project(s, a, held);
    for (int i = 0; i < 3; i++) load[i] += a[i] - held[i];
}

double ss_slide_time(const ss_slide* slide)
{
    return isnan(slide->course.asked_s) ? slide->course.shown.t * slide->slider->unit_time
                                        : slide->course.asked_s;
}

long ss_slide_event_count(const ss_slide* slide) { return slide->course.events; }

// A velocity in the frame, at this angle, in m/s in space.
static void to_space(const ss_slider* unit, double angle, const double w[3], double* vx, double* vy)
{
    double c = cos(angle), n = sin(angle);
    *vx = (c * w[0] - n * w[1]) * unit->unit_speed;
    *vy = (n * w[0] + c * w[1]) * unit->unit_speed;
}

ss_slider_state ss_slide_state(const ss_slide* slide)
{
    const ss_place* at = &slide->course.shown;
    const ss_slider* unit = slide->slider;
    double place[2], angle, w[3] = {at->u[0], at->u[1], at->u[2]};
    ss_floor_to_space(slide, at, place, &angle);
    if (unit->motion.moves) {
        ss_pushes pushes;
        ss_slide_pushes(slide, at, &pushes);
        for (int i = 0; i < 3; i++) w[i] += pushes.floor[i];
    }
    ss_slider_state state = {.x = place[0] * unit->unit_length,
                             .y = place[1] * unit->unit_length,
                             .angle = angle + at->spun,
                             .spin = w[2] / unit->unit_time};
    to_space(unit, angle, w, &state.vx, &state.vy);
    to_space(unit, angle, at->u, &state.relative[0], &state.relative[1]);
    state.relative[2] = at->u[2] / unit->unit_time;
    return state;
}

ss_place ss_slide_force_place(const ss_slide* s)
{
    static const double slowly = 1e-60;
    if (s->step.has_segment && s->step.segment.phase == SS_PHASE_JUMP) return s->step.jump;
    ss_place at = s->course.shown;
    double speed = ss_norm3(s->course.now.u);
    bool stops = s->mode.dof > 0 && speed > 0.0 && at.u[0] == 0.0 && at.u[1] == 0.0 && at.u[2] == 0.0;
    for (int i = 0; i < 3 && stops; i++) at.u[i] = slowly * s->course.now.u[i] / speed;
    return at;
}

void ss_slide_to_body(const ss_place* at, double load[3])
{
    double c = cos(at->spun), n = sin(at->spun), x = c * load[0] + n * load[1], y = c * load[1] - n * load[0];
    load[0] = x;
    load[1] = y;
}

void ss_slide_ground_load(const ss_slide* slide, double load[3])
{
    const ss_place at = ss_slide_force_place(slide);
    ss_slide_total_load(slide, &at, load);
    ss_slide_to_body(&at, load);
    load[0] *= slide->slider->unit_force;
    load[1] *= slide->slider->unit_force;
    load[2] *= slide->slider->unit_moment;
}

ss_energy ss_slide_energy(const ss_slide* slide)
{
    double unit = slide->slider->unit_moment;
    const ss_place* at = &slide->course.shown;
    ss_energy e = {.start = slide->course.kinetic * unit,
                   .end = ss_slide_kinetic(slide, at) * unit,
                   .input = at->input * unit,
                   .friction = at->friction * unit,
                   .impact = at->impact * unit};
    e.reached = fmax(e.start, e.end);
    e.residual = e.start + e.input - e.end - e.friction - e.impact;
    const double entries[] = {e.start, e.end, e.input, e.friction, e.impact};
    e.allowed = ss_energy_allowed(entries, 5, slide->def.tolerance, slide->course.events);
    return e;
}

bool ss_slide_settles(const ss_slide* slide)
{
    const ss_segment* g = &slide->step.segment;
    return !slide->course.ended && slide->step.has_segment && g->phase == SS_PHASE_REST && isinf(g->t1);
}

ss_outcome ss_slide_conclude(ss_slide* slide)
{
    if (slide->course.ended || slide->mode.dof > 0) return slide->course.outcome;
    if (slide->slider->motion.moves && !ss_floor_is_steady(slide, slide->course.now.t))
        return slide->course.outcome;
    slide->course.ended = true;
    slide->course.shown = slide->course.now;
    slide->course.shown.t = slide->course.rest_since;
    slide->course.asked_s = NAN;
    return slide->course.outcome = SS_AT_REST;
}

bool ss_slide_final_motion(const ss_slide* slide, ss_final_motion* out)
{
    if (!slide->course.ended || slide->course.outcome != SS_AT_REST || !slide->course.has_final) return false;
    *out = slide->course.final;
    double *q = out->q, length = slide->slider->unit_length;
    ss_slide_to_body(&slide->course.now, q);
    out->center[0] = out->translates || q[1] == 0.0 ? 0.0 : -q[1] / q[2] * length;
    out->center[1] = out->translates || q[0] == 0.0 ? 0.0 : q[0] / q[2] * length;
    return true;
}
