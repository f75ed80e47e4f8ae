// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Motions without inertia: the velocity of every moment is the one that fingers, loads and floor decide there
// (slider/finger/push_together.h), and the pose is its integral. Segments last as long as nobody changes its
// mode: steps of Runge-Kutta are looked at from place to place, and cut where one does.
//
//   reads     the slider, s->fingers, s->mode
//   writes    s->fingers, s->mode, s->step, s->course.now at decisions
#include "core/tolerance.h"
#include "slider/motion/motion_finger.h"
#include "slider/surface/surface_load.h"

#include <float.h>
#include <math.h>
#include <string.h>

void ss_quasi_applied(const ss_slide* s, const ss_place* at, double load[3])
{
    ss_place alone = *at;
    memset(alone.u, 0, sizeof alone.u); // nothing that moves is pushed by a finger
    ss_slide_applied(s, &alone, load);
}

// ---- the velocity of a place

static bool push_at(const ss_slide* s, const ss_place* at, ss_pushed_by* out, int fingers[], int* count,
                    bool* fits)
{
    ss_contact contacts[SS_FINGERS_MOST];
    double applied[3];
    ss_floor floor = ss_floor_at(s->slider, at->angle);
    *count = ss_fingers_list(s, at, contacts, fingers);
    ss_slide_weigh(s, at->t);
    ss_quasi_applied(s, at, applied);
    for (int k = 0; k < *count; k++) {
        const ss_finger_state* own = &s->fingers.each[fingers[k]];
        out->mode[k] = own->mode;
    }
    return ss_push_in_modes(s->slider, &floor, contacts, *count, applied, out, fits);
}

// Where nothing moves nobody pushes: fingers that stand and those that are open alike.
static bool nothing_moves(const ss_slide* s) { return s->mode.dof == 0; }

void ss_quasi_velocity(const ss_slide* s, ss_place* at)
{
    ss_pushed_by pushed;
    int fingers[SS_FINGERS_MOST], count;
    bool fits;
    memset(at->u, 0, sizeof at->u);
    if (nothing_moves(s) || !push_at(s, at, &pushed, fingers, &count, &fits)) return;
    memcpy(at->u, pushed.q, sizeof at->u);
}

void ss_quasi_finger_load(const ss_slide* s, const ss_place* at, double load[3], double* rubbing)
{
    ss_contact contacts[SS_FINGERS_MOST];
    ss_pushed_by pushed;
    int fingers[SS_FINGERS_MOST], count;
    bool fits;
    memset(load, 0, 3 * sizeof *load);
    *rubbing = 0.0;
    if (nothing_moves(s) || !push_at(s, at, &pushed, fingers, &count, &fits)) return;
    ss_fingers_list(s, at, contacts, fingers);
    for (int k = 0; k < count; k++) {
        double own[3], w[2];
        ss_contact_load(&contacts[k], pushed.force[k], own);
        ss_contact_slip(&contacts[k], pushed.q, w);
        for (int i = 0; i < 3; i++) load[i] += own[i];
        if (pushed.mode[k] != SS_MODE_STICK)
            *rubbing += pushed.force[k][0] * w[0] + pushed.force[k][1] * w[1];
    }
}

void ss_quasi_force(const ss_slide* s, const ss_place* at, int finger, double force[2])
{
    ss_pushed_by pushed;
    int fingers[SS_FINGERS_MOST], count;
    bool fits;
    force[0] = force[1] = 0.0;
    if (nothing_moves(s) || !push_at(s, at, &pushed, fingers, &count, &fits)) return;
    for (int k = 0; k < count; k++)
        if (fingers[k] == finger) memcpy(force, pushed.force[k], sizeof pushed.force[k]);
}

void ss_quasi_rate(void* user, const double y[], int stage, double dy[])
{
    const ss_slide* s = user;
    ss_place at;
    ss_pushes pushes;
    double ground[3], rubbing, load[3];
    (void)stage;
    ss_slide_place(s, y, &at);
    double turn = s->made.is_round ? 0.0 : at.u[2];
    memset(dy, 0, SS_SLIDE_STATE * sizeof *dy);
    dy[SS_Y_ANGLE] = at.u[2];
    dy[SS_Y_DX] = at.u[0] + turn * y[SS_Y_DY];
    dy[SS_Y_DY] = at.u[1] - turn * y[SS_Y_DX];
    dy[SS_Y_TIME] = 1.0;
    ss_slide_pushes(s, &at, &pushes);
    ss_quasi_finger_load(s, &at, load, &rubbing);
    for (int i = 0; i < 3; i++) pushes.real[i] += load[i];
    memcpy(ground, pushes.real, sizeof ground); // the load on the ground is all that pushes
    dy[SS_Y_FRICTION] = ss_dot3(ground, at.u) + rubbing;
    dy[SS_Y_INPUT] = ss_slide_input_power(&pushes, at.u, ground) + rubbing;
}

// ---- decisions

static void mark_supports(ss_slide* s)
{
    const double* u = s->course.now.u;
    bool rests = ss_norm3(u) == 0.0;
    memset(s->mode.spot_off, 0, (size_t)s->slider->element_count * sizeof *s->mode.spot_off);
    for (int i = 0; i < s->made.spot_count; i++) {
        const ss_element* e = &s->slider->elements[s->made.members[s->made.spots[i].first]];
        s->mode.spot_held[i] = rests || ss_element_is_still(e, u, SS_SUM_NOISE);
    }
    for (int j = 0; j < s->made.line_count; j++) {
        const ss_element* e = &s->slider->elements[s->made.lines[j]];
        double row[3];
        ss_line_row(s, j, row);
        s->mode.line_held[j] = rests || ss_element_is_still(e, u, SS_SUM_NOISE);
        s->mode.line_mode[j] = s->mode.line_held[j] ? 0 : ss_dot3(row, u) > 0.0 ? 1 : -1;
    }
    ss_slide_set_mode(s);
    if (!rests) return;
    s->mode.dof = 0;
    memset(s->mode.project, 0, sizeof s->mode.project);
}

// Whether loads alone move the body: then nothing tells how fast.
static bool is_overloaded(const ss_slide* s, const double applied[3])
{
    ss_floor floor = ss_floor_at(s->slider, s->course.now.angle);
    return ss_norm3(applied) > 0.0 && ss_surface_gauge(s->slider, &floor, applied, NULL) > 1.0 + SS_SOLVED;
}

static void take_modes(ss_slide* s, const ss_pushed_by* pushed, const int fingers[], int count)
{
    s->fingers.closed = 0;
    for (int i = 0; i < s->slider->pusher_count; i++) {
        ss_finger_state* own = &s->fingers.each[i];
        ss_mode mode = SS_MODE_OPEN;
        for (int k = 0; k < count; k++)
            if (fingers[k] == i) mode = pushed->mode[k];
        own->leaves = own->leaves || (mode == SS_MODE_OPEN && own->touches);
        own->mode = mode;
        ss_finger_leave_corner(s, i);
        s->fingers.closed += mode != SS_MODE_OPEN;
    }
}

static void tell_not_unique(ss_slide* s)
{
    ss_note note = {.t = s->course.now.t * s->slider->unit_time,
                    .text = "the motion that fingers push is not determined; the least one is told"};
    if (s->def.on_note) s->def.on_note(s->def.user, &note);
}

void ss_quasi_select(ss_slide* s)
{
    ss_contact contacts[SS_FINGERS_MOST];
    ss_pushed_by pushed;
    int fingers[SS_FINGERS_MOST];
    double applied[3];
    bool rested = s->mode.known && s->mode.dof == 0;
    ss_floor floor = ss_floor_at(s->slider, s->course.now.angle);
    ss_slide_weigh(s, s->course.now.t);
    ss_fingers_find(s);
    ss_quasi_applied(s, &s->course.now, applied);
    s->fingers.overloaded = is_overloaded(s, applied);
    int count = ss_fingers_list(s, &s->course.now, contacts, fingers);
    bool found = ss_push_together(s->slider, &floor, contacts, count, applied, &pushed);
    s->fingers.squeezed = !found;
    if (!found) memset(pushed.q, 0, sizeof pushed.q);
    memcpy(s->course.now.u, pushed.q, sizeof pushed.q);
    if (found) take_modes(s, &pushed, fingers, count);
    if (found && !pushed.determined && ss_norm3(pushed.q) > 0.0) tell_not_unique(s);
    mark_supports(s);
    s->step.time = 0.02;
    if (s->mode.dof == 0 && !rested) s->course.rest_since = s->course.now.t;
}

// ---- segments

// Whether all modes are still right at a place.
static bool modes_are_right(const ss_slide* s, const ss_place* at)
{
    ss_pushed_by pushed;
    int fingers[SS_FINGERS_MOST], count;
    bool fits;
    for (int i = 0; i < s->slider->pusher_count; i++) {
        ss_finger_motion f;
        ss_finger_motion_at(s, i, at, &f);
        if (!ss_finger_stays(s, i, &f)) return false;
        bool stands = s->fingers.each[i].mode != SS_MODE_OPEN;
        if (nothing_moves(s) && stands && (f.v[0] != 0.0 || f.v[1] != 0.0)) return false;
    }
    if (nothing_moves(s)) {
        ss_contact contacts[SS_FINGERS_MOST];
        count = ss_fingers_list(s, at, contacts, fingers);
        for (int k = 0; k < count; k++)
            if (ss_contact_enters(&contacts[k], contacts[k].v,
                                  SS_SOLVED * hypot(contacts[k].v[0], contacts[k].v[1])))
                return false;
        return true;
    }
    if (!push_at(s, at, &pushed, fingers, &count, &fits) || !fits) return false;
    for (int i = 0; i < s->made.spot_count; i++) {
        const ss_element* e = &s->slider->elements[s->made.members[s->made.spots[i].first]];
        if (ss_element_is_still(e, pushed.q, SS_SUM_NOISE) != s->mode.spot_held[i]) return false;
    }
    for (int j = 0; j < s->made.line_count; j++) {
        double row[3];
        ss_line_row(s, j, row);
        if (s->mode.line_held[j]) continue;
        if (s->mode.line_mode[j] * ss_dot3(row, pushed.q) < 0.0) return false;
    }
    return true;
}

static void look(ss_slide* s, double h, ss_place* at)
{
    double y[SS_SLIDE_STATE];
    if (nothing_moves(s)) {
        *at = s->course.now;
        at->t += h;
        return;
    }
    ss_slide_partial(s, h, y);
    ss_slide_place(s, y, at);
}

// Walks along a segment of length h from now on, and shortens it to where a mode stops being right. True
// where it did.
static bool cut(ss_slide* s, double* h)
{
    enum { HALVINGS = 200 };
    ss_place at = s->course.now;
    double good = 0.0, bad = *h;
    while (good < *h) {
        double next = fmin(*h, good + fmin(ss_finger_clear_time(s, &at, *h), *h / 4.0));
        look(s, next, &at);
        bad = next;
        if (!modes_are_right(s, &at) || ss_fingers_dip(s, look, good, next, &bad)) break;
        good = next;
    }
    if (good >= *h) return false;
    for (int k = 0; k < HALVINGS && bad - good > DBL_EPSILON * (s->course.now.t + bad); k++) {
        double middle = 0.5 * (good + bad);
        if (!(middle > good && middle < bad)) break;
        look(s, middle, &at);
        *(modes_are_right(s, &at) ? &good : &bad) = middle;
    }
    *h = bad;
    return true;
}

// What the tolerance allows: of the pose in units of length and angle, of works as a share of theirs.
static void error_scale(const ss_slide* s, double h, double scale[])
{
    double allowed = s->def.tolerance * fmax(s->step.path + ss_norm3(s->course.now.u) * h, 1e-3);
    for (int i = 0; i < SS_SLIDE_STATE; i++) scale[i] = 1.0 / allowed;
    scale[SS_Y_FRICTION] = scale[SS_Y_INPUT] = 1.0 / (allowed * (s->made.strength + 1.0));
    scale[SS_Y_TIME] = 0.0;
}

static double try_steps(ss_slide* s, double most, double y[])
{
    enum { TRIES = 60 };
    ss_segment* g = &s->step.segment;
    double h = fmin(s->step.time, most), scale[SS_SLIDE_STATE];
    for (int i = 0; i < TRIES; i++) {
        error_scale(s, h, scale);
        ss_rk_step(ss_slide_rate, s, g->begin, h, SS_SLIDE_STATE, s->step.k, y);
        double error = ss_rk_error(h, s->step.k, scale);
        double factor = error > 0.0 ? 0.9 / sqrt(sqrt(sqrt(error))) : 6.0;
        if (error <= 1.0) {
            s->step.time = fmax(s->step.time, h) * fmin(6.0, fmax(factor, 0.3));
            if (h < most) s->step.time = h * fmin(6.0, fmax(factor, 0.3));
            return h;
        }
        h *= factor > 0.1 ? fmin(factor, 0.8) : 0.1;
    }
    return h;
}

// Nothing moves: for ever, or as long as is looked ahead.
static void make_rest(ss_slide* s)
{
    static const double ahead = 1.0;
    ss_segment* g = &s->step.segment;
    bool past = true;
    ss_slide_make_rest(s);
    for (int i = 0; i < s->slider->pusher_count; i++) past = past && ss_finger_is_past(s, i, &s->course.now);
    if (past && (isinf(g->t1) || g->ending != SS_END_NONE)) return;
    double most = fmin(g->t1 - g->t0, ahead), h = most, t = s->course.now.t;
    double stop = ss_slide_next_break(s, t, h) - t;
    h = fmin(h, stop);
    bool ends = h < g->t1 - g->t0;
    if (cut(s, &h) || h == stop) {
        g->ending = SS_END_FINGER;
    } else if (ends) {
        g->ending = SS_END_NONE;
    }
    if (ends || g->ending == SS_END_FINGER) g->t1 = t + h;
}

void ss_quasi_make_segment(ss_slide* s)
{
    ss_segment* g = &s->step.segment;
    double y[SS_SLIDE_STATE], t = s->course.now.t;
    if (nothing_moves(s)) {
        make_rest(s);
        return;
    }
    g->phase = SS_PHASE_STEP;
    g->clock = SS_CLOCK_TIME;
    g->reference = -1;
    g->cx = g->cy = g->stiff_length = 0.0;
    g->ending = SS_END_NONE;
    g->t0 = t;
    memset(g->begin, 0, sizeof g->begin);
    s->course.steps++;
    ss_slide_rate(s, g->begin, 0, s->step.k[0]);
    memcpy(g->rate, s->step.k[0], sizeof g->rate);
    double stop = ss_slide_next_break(s, t, s->step.time) - t;
    double h = try_steps(s, fmin(stop, 1.0 / s->made.pace), y);
    bool ends = cut(s, &h) || h == stop;
    if (ends) g->ending = SS_END_FINGER;
    ss_slide_partial(s, h, y);
    memcpy(g->end, y, sizeof y);
    g->length = h;
    g->t1 = t + h;
}
