// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A sliding motion is moved on segment by segment. Flow makes the next segment and finds where it ends;
// select decides what the contacts do then; what changed is recorded.
#include "core/tolerance.h"
#include "slider/motion/motion_finger.h"

#include <math.h>
#include <string.h>

// Between two places: velocities linear, places by the cubic that has these velocities at its ends.
static void look_jump(const ss_slide* s, double t, ss_place* out)
{
    const ss_place *a = &s->course.now, *b = &s->step.jump;
    double all = b->t - a->t, r = fmin(fmax((t - a->t) / all, 0.0), 1.0), l = 1.0 - r;
    if (r == 1.0) {
        *out = *b;
        return;
    }
    double c = cos(a->angle), n = sin(a->angle), step = all * r * l;
    double from[3] = {c * a->u[0] - n * a->u[1], n * a->u[0] + c * a->u[1], a->u[2]};
    double to[3] = {c * b->u[0] - n * b->u[1], n * b->u[0] + c * b->u[1], b->u[2]};
    double near = l * l * (1.0 + 2.0 * r), far = r * r * (1.0 + 2.0 * l);
    out->t = t;
    out->x = near * a->x + far * b->x + step * (l * from[0] - r * to[0]);
    out->y = near * a->y + far * b->y + step * (l * from[1] - r * to[1]);
    out->angle = a->angle;
    out->spun = a->spun;
    ss_slide_turn(s, far * (b->angle - a->angle + b->spun - a->spun) + step * (l * from[2] - r * to[2]), out);
    for (int i = 0; i < 3; i++) out->u[i] = l * a->u[i] + r * b->u[i];
    out->friction = l * a->friction + r * b->friction;
    out->input = l * a->input + r * b->input;
}

// At rest on the floor: what a floor that moves puts in is what the body gains.
static void ride(const ss_slide* s, double t, ss_place* out)
{
    *out = s->course.now;
    out->t = t;
    if (s->slider->motion.moves) out->input += ss_slide_kinetic(s, out) - ss_slide_kinetic(s, &s->course.now);
}

void ss_slide_look(ss_slide* s, double t, ss_place* out)
{
    switch (s->step.segment.phase) {
    case SS_PHASE_STEP: ss_slide_look_step(s, t, out); break;
    case SS_PHASE_ARC: ss_slide_look_arc(s, t, out); break;
    case SS_PHASE_TAIL: ss_slide_look_tail(s, t, out); break;
    case SS_PHASE_JUMP: look_jump(s, t, out); break;
    case SS_PHASE_REST: ride(s, t, out); break;
    }
    out->impact = s->course.now.impact; // impulses are between segments
}

void ss_slide_carry(ss_slide* s, double t)
{
    double now = t / s->slider->unit_time;
    bool rests = s->course.ended && s->course.outcome == SS_AT_REST && s->slider->motion.moves;
    if (rests && now > s->course.now.t) ride(s, now, &s->course.shown);
}

static void record_modes(ss_slide* s)
{
    for (int i = 0; i < s->slider->supports.count + s->slider->pusher_count; i++)
        s->mode.before[i] = ss_slide_mode(s, i);
}

static void tell_changes(ss_slide* s, double t, ss_ending ending, const double before[3])
{
    ss_slide_event event = {.t = t * s->slider->unit_time};
    // Where a hold breaks, the load leaves its set without a jump. Otherwise it is that of the first moment,
    // and the load of what slips comes from the same call.
    if (ending == SS_END_HOLD)
        memcpy(event.load_after, before, sizeof event.load_after);
    else
        ss_slide_total_load(s, s->step.has_jump ? &s->step.jump : &s->course.now, event.load_after);
    memcpy(event.load_before, before, sizeof event.load_before);
    ss_slide_to_body(&s->course.now, event.load_before);
    ss_slide_to_body(&s->course.now, event.load_after);
    for (int i = 0; i < 3; i++) {
        double unit = i < 2 ? s->slider->unit_force : s->slider->unit_moment;
        event.load_before[i] *= unit;
        event.load_after[i] *= unit;
    }
    for (int i = 0; i < s->slider->supports.count + s->slider->pusher_count; i++) {
        event.support = i;
        event.from = s->mode.before[i];
        event.to = ss_slide_mode(s, i);
        int finger = i - s->slider->supports.count;
        event.speed_in = finger < 0 ? 0.0 : s->fingers.each[finger].speed_in * s->slider->unit_speed;
        if (event.from == event.to && event.speed_in == 0.0) continue;
        s->course.events++;
        if (s->instant.wanted) s->instant.events[s->instant.event_count++] = event;
        if (s->def.on_event) s->def.on_event(s->def.user, &event);
    }
}

// The old motion a moment after a hold broke: short against the motion, long enough that who lets go stands
// out clearly.
static void look_ahead(ss_slide* s)
{
    // The margin falls from 0 about as the share of the motion's own time that has passed. From 1e-5 on it is
    // far above what the break is located to; beyond 0.1 it would be another motion.
    static const double clearly = 1e-6, shortest = 1e-5, longest = 0.1, longer = 4.0;
    double speed = ss_norm3(s->course.now.u), a[3], margin = 0.0;
    double scale = speed > 0.0 ? fmin(1.0, fmin(1.0 / speed, speed / s->made.strength)) : 1.0;
    for (double share = shortest; share < longest && margin > -clearly; share *= longer) {
        ss_slide_look(s, s->step.segment.t1 + share * scale, &s->step.ahead);
        if (speed == 0.0) {
            margin = ss_slide_rest_margin(s, s->step.ahead.t);
            continue;
        }
        ss_slide_free_acceleration(s, &s->step.ahead, a);
        margin = ss_slide_hold_margin(s, s->step.ahead.angle, a);
    }
}

// Under a load, supports that hold together may share it in many ways.
static void tell_undetermined(ss_slide* s, double t)
{
    double load[3] = {0.0, 0.0, 0.0};
    ss_note note = {.t = t * s->slider->unit_time,
                    .text = "forces of held supports are not determined; the least-norm ones are told",
                    .contacts = s->work.noted};
    if (!s->def.on_note || !s->made.loaded || ss_slide_is_determined(s)) return;
    ss_slide_applied(s, &s->course.now, load);
    if (load[0] == 0.0 && load[1] == 0.0 && load[2] == 0.0) return;
    for (int i = 0; i < s->slider->supports.count; i++)
        if (ss_slide_mode(s, i) == SS_MODE_STICK) s->work.noted[note.contact_count++] = i;
    s->def.on_note(s->def.user, &note);
}

static void finish_segment(ss_slide* s)
{
    const ss_segment* g = &s->step.segment;
    ss_place at;
    if (g->ending == SS_END_HOLD && !s->slider->quasistatic) look_ahead(s);
    if (g->phase == SS_PHASE_STEP) {
        ss_slide_finish_step(s);
        return;
    }
    ss_slide_look(s, g->t1, &at);
    s->step.path += (g->t1 - g->t0) * ss_norm3(s->course.now.u);
    s->course.now = at;
    s->step.speed_scale = fmax(s->step.speed_scale, ss_norm3(at.u));
}

// Keeps where the floor is, so that nobody adds up its way from the start again.
static void follow_floor(ss_slide* s)
{
    if (!s->slider->motion.moves || s->step.limit_flow) return;
    s->course.floor = ss_floor_pose_at(s, s->course.now.t);
    s->course.floor_t = s->course.now.t;
}

// The velocity of the floor has jumped: whatever was held has another velocity over the floor now.
static void meet_jump(ss_slide* s)
{
    size_t n = (size_t)s->slider->element_count;
    double jump[3];
    if (!ss_floor_jumps(s, &s->course.now, s->course.now.t, jump)) return;
    double size = ss_norm3(s->course.now.u) + ss_norm3(jump);
    for (int i = 0; i < 3; i++) s->course.now.u[i] -= jump[i];
    if (ss_norm3(s->course.now.u) <= SS_NOISE * size) memset(s->course.now.u, 0, sizeof s->course.now.u);
    memset(s->mode.spot_held, 0, n * sizeof *s->mode.spot_held);
    memset(s->mode.spot_off, 0, n * sizeof *s->mode.spot_off);
    memset(s->mode.line_held, 0, n * sizeof *s->mode.line_held);
    s->step.since = s->course.now.t;
    s->step.path = 0.0;
    s->step.speed_scale = ss_norm3(s->course.now.u);
    s->course.has_final = false;
}

void ss_slide_pass_silently(ss_slide* s)
{
    ss_ending ending = s->step.segment.ending;
    finish_segment(s);
    follow_floor(s);
    if (s->slider->pusher_count > 0 && !s->step.limit_flow) ss_fingers_follow(s);
    s->step.has_segment = false;
    if (ending == SS_END_REST) memset(s->course.now.u, 0, sizeof s->course.now.u);
    if (ending == SS_END_FLOOR) meet_jump(s);
    double rest_since = s->course.rest_since;
    bool rested = s->mode.dof == 0, carried = s->course.was_carried;
    if (ending != SS_END_NONE && ending != SS_END_ESCAPE) ss_slide_select(s, ending, s->step.segment.which);
    if (ending != SS_END_FLOOR || !rested || s->mode.dof > 0) return;
    s->course.rest_since = rest_since; // it rests on
    s->course.was_carried = carried;
}

// The load on the ground just before the end of the segment. At rest it is looked at first as it is, for
// following the direction to its limit plays with the modes.
static void load_before(ss_slide* s, double load[3])
{
    ss_ending ending = s->step.segment.ending;
    ss_place at;
    if (ending == SS_END_SPOT) {
        ss_slide_last_load(s, load);
        return;
    }
    ss_slide_look(s, s->step.segment.t1, &at);
    ss_slide_total_load(s, ending == SS_END_REST ? &s->course.now : &at, load);
    if (ending != SS_END_REST || s->fingers.closed > 0) return;
    ss_slide_find_final(s);
    ss_slide_final_load(s, load);
}

static bool is_number(const ss_place* at)
{
    return isfinite(at->x + at->y + at->angle + at->spun + ss_norm3(at->u));
}

// A step has led where a load or the floor has no value: the place before it is the last one, a little
// earlier than steps have come, so that the floor has a velocity there for sure.
static void take_back(ss_slide* s, ss_place* last)
{
    last->t = fmax(last->t - 4.0 * SS_RELATIVE_ZERO * (1.0 + last->t), 0.0);
    s->course.now = *last;
    s->course.undefined = true;
    s->step.segment = (ss_segment){.phase = SS_PHASE_REST, .t0 = last->t, .t1 = last->t};
    s->step.has_segment = true;
}

// Passes the end of the segment under way.
static void pass(ss_slide* s)
{
    ss_segment* g = &s->step.segment;
    ss_ending ending = g->ending;
    double before[3];
    double t = g->t1;
    ss_place last = s->course.now;
    if (ending != SS_END_NONE) {
        record_modes(s);
        load_before(s, before);
    }
    ss_slide_pass_silently(s);
    if (ending != SS_END_ESCAPE && !is_number(&s->course.now)) {
        take_back(s, &last);
        return;
    }
    if (ending == SS_END_NONE) return;
    if (ending == SS_END_ESCAPE) {
        s->course.ended = true;
        s->course.outcome = SS_ESCAPED;
        return;
    }
    tell_changes(s, t, ending, before);
    tell_undetermined(s, t);
    if (s->course.events >= s->def.max_events) {
        s->course.ended = true;
        s->course.outcome = SS_EVENT_LIMIT;
    }
}

// Keeps the end of the segment under way as the state before the instant that follows.
static void remember_before(ss_slide* s)
{
    ss_slide_look(s, s->step.segment.t1, &s->course.shown);
    s->course.asked_s = NAN;
    s->instant.before = ss_slide_state(s);
    ss_slide_supports(s, s->instant.supports);
}

static void end_run(ss_slide* s, ss_outcome outcome)
{
    s->course.ended = true;
    s->course.outcome = outcome;
}

// Counts what takes no time, as far as its digits tell, and leads nowhere. In the last moment before a stop
// time stands still, but the speed falls: a tenth of it is progress.
static void count_stalls(ss_slide* s, double before, ss_ending ending)
{
    enum { STALL_LIMIT = 1 << 14, EVENT_WEIGHT = 64 };
    double speed = ss_norm3(s->course.now.u);
    if (s->course.now.t > before || speed < 0.9 * s->course.stall_speed) {
        s->course.stalls = 0;
        s->course.stall_speed = speed;
        return;
    }
    s->course.stalls += ending == SS_END_NONE ? 1 : EVENT_WEIGHT;
    if (s->course.stalls <= STALL_LIMIT || s->course.ended) return;
    ss_note note = {.t = s->course.now.t * s->slider->unit_time,
                    .text = "stalled: steps and events follow each other here without time between them",
                    .contacts = s->work.noted};
    if (s->def.on_note) s->def.on_note(s->def.user, &note);
    end_run(s, SS_EVENT_LIMIT);
}

// Ends a run that would take for ever: a body that hardly resists turning, on feet far apart, turns back and
// forth at a pace that its steps must follow. then: when the last PATIENCE segments began.
enum { PATIENCE = 1 << 20 };

static void give_up_hopeless(ss_slide* s, double then, double until)
{
    const double hopeless = 1e9; // segments
    double done = s->course.now.t - then;
    if (s->course.ended || isinf(until) || (until - s->course.now.t) * PATIENCE <= hopeless * done) return;
    ss_note note = {.t = s->course.now.t * s->slider->unit_time,
                    .text =
                        "given up: steps are so short that the time asked for is more than 1e9 of them away",
                    .contacts = s->work.noted};
    if (s->def.on_note) s->def.on_note(s->def.user, &note);
    end_run(s, SS_EVENT_LIMIT);
}

// Passes one segment, and ends a run that stalls or that the caller stops.
static void pass_and_ask(ss_slide* s, long passed)
{
    enum { OFTEN = 64 };
    double before = s->course.now.t;
    ss_ending ending = s->step.segment.ending;
    pass(s);
    count_stalls(s, before, ending);
    if (passed % OFTEN == OFTEN - 1 && s->def.keep_going &&
        !s->def.keep_going(s->def.user, s->course.now.t * s->slider->unit_time))
        end_run(s, SS_INTERRUPTED);
}

// The segment tells the direction in which slip begins, also where a run is given up.
static void show_segment(ss_slide* s)
{
    bool finite = !s->course.ended || s->course.outcome != SS_ESCAPED;
    if (finite && !s->step.has_segment) ss_slide_make_segment(s);
}

// Fingers squeeze the body, or loads alone would move one that has no inertia.
static bool has_no_motion(const ss_slide* s) { return s->fingers.squeezed || s->fingers.overloaded; }

static bool stays_as_it_is(const ss_slide* s)
{
    return !s->slider->motion.moves || ss_floor_is_steady(s, s->course.now.t);
}

// The event loop up to `until`, or where that is wanted to the first instant that tells an event; true there.
static bool run_to(ss_slide* s, double until)
{
    double then = s->course.now.t;
    for (long k = 0; !s->course.ended; k++) {
        if (k > 0 && k % PATIENCE == 0) {
            give_up_hopeless(s, then, until);
            if (s->course.ended) break;
            then = s->course.now.t;
        }
        if (!s->step.has_segment) ss_slide_make_segment(s);
        if (s->step.segment.phase == SS_PHASE_REST && isinf(s->step.segment.t1) && stays_as_it_is(s)) {
            end_run(s, SS_AT_REST);
            s->course.now.t = s->course.rest_since;
            break;
        }
        if (s->step.segment.t1 > until || s->course.undefined || has_no_motion(s)) break;
        if (s->instant.wanted && s->step.segment.ending != SS_END_NONE) remember_before(s);
        pass_and_ask(s, k);
        if (s->course.ended || s->instant.event_count > 0) show_segment(s);
        if (s->instant.event_count > 0) return true;
    }
    return false;
}

static ss_status fail_without_motion(const ss_slide* s, ss_error* err)
{
    const char* text = s->fingers.squeezed
                           ? "the fingers squeeze the slider at t = %.9g s: there is no motion they admit"
                           : "the applied load alone moves the slider at t = %.9g s: without inertia nothing "
                             "tells how fast";
    return ss_fail(err, SS_NOT_FOUND, "slider", text, s->course.now.t * s->slider->unit_time);
}

static ss_status advance(ss_slide* s, double until_s, bool to_event, ss_outcome* outcome, ss_error* err)
{
    if (isnan(until_s)) return ss_fail(err, SS_BAD_INPUT, "until", "must be a number");
    double until = until_s / s->slider->unit_time, lifts;
    if (s->weight && ss_slider_lifts_off(s->slider, s->slider->until, until_s, &lifts))
        return ss_fail(err, SS_BAD_INPUT, "slider.gravity",
                       "becomes negative at t = %.9g s: a slider that lifts off is not modelled", lifts);
    if (!s->course.told_start) tell_undetermined(s, 0.0);
    s->course.told_start = true;
    s->instant.wanted = to_event;
    s->instant.event_count = 0;
    bool stopped = run_to(s, until);
    if (s->course.ended || stopped || has_no_motion(s))
        s->course.shown = s->course.now;
    else if (until > s->course.shown.t)
        ss_slide_look(s, s->course.undefined ? fmin(until, s->step.segment.t1) : until, &s->course.shown);
    if (s->course.ended || stopped || has_no_motion(s))
        s->course.asked_s = NAN;
    else if (s->course.shown.t == until)
        s->course.asked_s = until_s; // not rounded by the units
    *outcome = s->course.outcome;
    if (has_no_motion(s) && !s->course.ended) return fail_without_motion(s, err);
    if (s->course.undefined && until > s->step.segment.t1)
        return ss_fail(err, SS_BAD_INPUT, "slider",
                       "a load or the floor has no finite value after t = %.9g s",
                       s->step.segment.t1 * s->slider->unit_time);
    return SS_OK;
}

ss_status ss_slide_advance(ss_slide* s, double until_s, ss_outcome* outcome, ss_error* err)
{
    return advance(s, until_s, false, outcome, err);
}

ss_status ss_slide_advance_to_event(ss_slide* s, double until_s, bool* at_event, ss_outcome* outcome,
                                    ss_error* err)
{
    ss_status status = advance(s, until_s, true, outcome, err);
    *at_event = status == SS_OK && s->instant.event_count > 0;
    return status;
}

ss_slider_instant ss_slide_instant(const ss_slide* s)
{
    return (ss_slider_instant){s->instant.events, s->instant.event_count, s->instant.before,
                               s->instant.supports};
}
