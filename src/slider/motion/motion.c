// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A sliding motion: made, started, moved on segment by segment. Flow makes the next segment and finds where
// it ends; select decides what the contacts do then; what changed is recorded.
#include "slider/motion/motion.h"

#include "core/expression/series.h"
#include "core/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ss_slide_def ss_slide_def_default(void)
{
    return (ss_slide_def){.tolerance = SS_DEFAULT_TOLERANCE, .max_events = 1000000, .escape = INFINITY};
}

// ---- parts ----

static double speed_of(const ss_place* at)
{
    return sqrt(at->u[0] * at->u[0] + at->u[1] * at->u[1] + at->u[2] * at->u[2]);
}

static bool is_disc(const ss_slider* slider, const ss_element* e)
{
    return !slider->floor_is_anisotropic && e->ellipse[1] == 0.0 && e->ellipse[2] == 0.0 &&
           e->ellipse[0] == e->ellipse[3];
}

// The spot at the element's place, if there is one already.
static int find_spot(const ss_slide* s, const ss_element* e)
{
    for (int i = 0; i < s->made.spot_count; i++)
        if (s->made.spots[i].kind != SS_SPOT_RATCHET && s->made.spots[i].x == e->x &&
            s->made.spots[i].y == e->y)
            return i;
    return -1;
}

static void add_point(ss_slide* s, const ss_element* e)
{
    if (!(e->level > 0.0)) return; // an element without friction neither holds nor slows
    int at = find_spot(s, e);
    if (at < 0) {
        at = s->made.spot_count++;
        s->made.spots[at] = (ss_spot){.kind = SS_SPOT_DISC, .x = e->x, .y = e->y};
    }
    ss_spot* spot = &s->made.spots[at];
    spot->level += e->ellipse[0];
    spot->count++;
    if (!is_disc(s->slider, e)) spot->kind = SS_SPOT_ELLIPSES;
}

// Elements of a spot stand together in `members`.
static void list_members(ss_slide* s)
{
    int next = 0;
    for (int i = 0; i < s->made.spot_count; i++) {
        s->made.spots[i].first = next;
        next += s->made.spots[i].count;
        s->made.spots[i].count = 0;
    }
    for (int k = 0; k < s->slider->element_count; k++) {
        const ss_element* e = &s->slider->elements[k];
        int at = e->kind == SS_ELEMENT_POINT && e->level > 0.0 ? find_spot(s, e) : -1;
        for (int r = 0; r < s->made.ratchet_count; r++)
            if (s->made.ratchets[r].element == k) at = s->made.ratchets[r].spot;
        s->made.spot_of[k] = at;
        if (at >= 0) s->made.members[s->made.spots[at].first + s->made.spots[at].count++] = k;
    }
}

static void take_apart(ss_slide* s)
{
    const ss_slider* slider = s->slider;
    for (int k = 0; k < slider->element_count; k++) {
        const ss_element* e = &slider->elements[k];
        double reach = hypot(e->x, e->y) + (e->kind == SS_ELEMENT_PATCH ? e->radius : 0.0);
        s->made.total_level += e->level;
        s->made.strength += e->level * hypot(1.0, reach);
        s->made.line_of[k] = -1;
        switch (e->kind) {
        case SS_ELEMENT_POINT: add_point(s, e); break;
        case SS_ELEMENT_LINE:
            if (!(e->level > 0.0)) break;
            s->made.line_of[k] = s->made.line_count;
            s->made.lines[s->made.line_count++] = k;
            break;
        case SS_ELEMENT_PATCH:
            if (e->level > 0.0) s->made.patches[s->made.patch_count++] = k;
            s->made.patch_level += e->level;
            break;
        case SS_ELEMENT_RATCHET:
            if (e->level > 0.0) ss_ratchet_add(s, k);
            break;
        }
    }
    s->made.strength_of_floor = fmax(slider->floor_mu[0], slider->floor_mu[1]); // 1, 1 on a plain floor
    s->made.strength *= s->made.strength_of_floor;
    if (s->made.total_level == 0.0) s->made.total_level = SS_NOT_ZERO; // without friction a motion has no end
    list_members(s);
    s->made.loaded = slider->force_x || slider->force_y || slider->moment;
    s->made.live = s->made.loaded || slider->floor_is_anisotropic ? SS_SLIDE_STATE : SS_RK_LIVE;
}

// Scratch for the series of the applied load.
static size_t scratch_size(const ss_slider* slider)
{
    const ss_signal* const signals[] = {slider->force_x, slider->force_y, slider->moment};
    size_t most = 0;
    for (int i = 0; i < 3; i++) {
        size_t own = signals[i] ? ss_signal_scratch_size(signals[i], SS_MAX_ORDER) : 0;
        if (own > most) most = own;
    }
    return most;
}

static bool make_room(ss_slide* s)
{
    s->inputs.scratch = ss_pool_spare(&s->pool, scratch_size(s->slider), sizeof *s->inputs.scratch);
    s->inputs.kink_series =
        ss_pool_spare(&s->pool, ss_slide_kink_room(s->slider), sizeof *s->inputs.kink_series);
    size_t n = (size_t)s->slider->element_count;
    ss_pool* pool = &s->pool;
    s->made.spots = ss_pool_new(pool, n, sizeof *s->made.spots);
    s->made.members = ss_pool_new(pool, n, sizeof *s->made.members);
    s->made.lines = ss_pool_new(pool, n, sizeof *s->made.lines);
    s->made.ratchets = ss_pool_new(pool, n, sizeof *s->made.ratchets);
    s->made.patches = ss_pool_new(pool, n, sizeof *s->made.patches);
    s->made.spot_of = ss_pool_new(pool, n, sizeof *s->made.spot_of);
    s->made.line_of = ss_pool_new(pool, n, sizeof *s->made.line_of);
    s->mode.odd = ss_pool_new(pool, n, sizeof *s->mode.odd);
    s->mode.slip_spot = ss_pool_new(pool, n, sizeof *s->mode.slip_spot);
    s->mode.slip_x = ss_pool_new(pool, n, sizeof *s->mode.slip_x);
    s->mode.slip_y = ss_pool_new(pool, n, sizeof *s->mode.slip_y);
    s->mode.slip_level = ss_pool_new(pool, n, sizeof *s->mode.slip_level);
    s->mode.line_mode = ss_pool_new(pool, n, sizeof *s->mode.line_mode);
    bool** const flags[] = {&s->mode.spot_held, &s->mode.line_held, &s->mode.spot_off,
                            &s->work.zero_spot, &s->work.zero_line, &s->work.stay_spot,
                            &s->work.stay_line, &s->work.use,       &s->work.stay};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        *flags[i] = ss_pool_new(pool, 2 * n, sizeof(bool));
    s->work.noted = ss_pool_new(pool, (size_t)s->slider->support_count, sizeof *s->work.noted);
    s->mode.before = ss_pool_new(pool, (size_t)s->slider->support_count, sizeof *s->mode.before);
    s->stop.supports = ss_pool_new(pool, (size_t)s->slider->support_count, sizeof *s->stop.supports);
    s->stop.events = ss_pool_new(pool, (size_t)s->slider->support_count, sizeof *s->stop.events);
    if (!pool->failed) ss_slide_mark(s);
    return !pool->failed;
}

// ---- making and ending ----

static ss_status check_def(const ss_slide_def* def, ss_error* err)
{
    if (!(def->tolerance > 0.0 && def->tolerance <= SS_MAX_TOLERANCE))
        return ss_fail(err, SS_BAD_INPUT, "tolerance", "must be in (0, %g], not %g", SS_MAX_TOLERANCE,
                       def->tolerance);
    if (def->max_events < 1)
        return ss_fail(err, SS_BAD_INPUT, "max_events", "must be at least 1, not %ld", def->max_events);
    if (!(def->escape > 0.0))
        return ss_fail(err, SS_BAD_INPUT, "escape", "must be positive, not %g", def->escape);
    return SS_OK;
}

ss_status ss_slide_make(const ss_slider* slider, const ss_slide_def* def, ss_slide** out, ss_error* err)
{
    *out = NULL;
    if (!slider) return ss_fail(err, SS_BAD_INPUT, "slider", "is missing");
    ss_slide_def standard = ss_slide_def_default();
    if (!def) def = &standard;
    ss_status status = check_def(def, err);
    if (status != SS_OK) return status;
    ss_slide* s = ss_new(1, sizeof *s);
    if (!s) return ss_fail_no_memory(err);
    s->slider = slider;
    s->def = *def;
    ss_image_begin(&s->image, &s->pool, s, sizeof *s, offsetof(struct ss_slide, made));
    if (!make_room(s)) {
        ss_slide_destroy(s);
        return ss_fail_no_memory(err);
    }
    take_apart(s);
    *out = s;
    return SS_OK;
}

ss_status ss_slide_create(const ss_slider* slider, const ss_slide_def* def, ss_slide** out, ss_error* err)
{
    ss_slide* s;
    *out = NULL;
    ss_status status = ss_slide_make(slider, def, &s, err);
    if (status != SS_OK) return status;
    status = ss_slide_restart(s, s->def.start, s->def.start_speed, err);
    if (status == SS_OK)
        *out = s;
    else
        ss_slide_destroy(s);
    return status;
}

void ss_slide_destroy(ss_slide* slide)
{
    if (!slide) return;
    ss_pool_free(&slide->pool);
    free(slide);
}

static void begin(ss_slide* s)
{
    size_t n = (size_t)s->slider->element_count;
    memset(s->mode.spot_held, 0, n * sizeof *s->mode.spot_held);
    memset(s->mode.spot_off, 0, n * sizeof *s->mode.spot_off);
    memset(s->mode.line_held, 0, n * sizeof *s->mode.line_held);
    s->mode.known = false;
    s->course.now = s->course.start;
    s->step.has_segment = s->step.has_jump = s->course.ended = s->course.has_final = s->stiff.begun =
        s->step.limit_flow = false;
    s->course.outcome = SS_TIME_REACHED;
    s->course.events = 0;
    s->step.path = s->step.since = 0.0;
    s->step.reference_known = -1;
    s->course.told_start = false;
    s->course.stalls = 0;
    s->course.stall_speed = 0.0;
    s->course.steps = 0;
    s->slaved.pause = s->slaved.wait = 0;
    s->slaved.paused_at = 0.0;
    s->step.hold_slack = s->slaved.last_explicit = 0.0;
    s->inputs.break_from = s->inputs.break_to = s->inputs.break_at = 0.0;
    s->step.speed_scale = speed_of(&s->course.now);
    ss_slide_select(s, SS_END_NONE, -1);
    s->mode.known = true;
    s->course.shown = s->course.now;
    s->course.asked_s = NAN;
}

ss_status ss_slide_restart(ss_slide* s, const double start[3], const double start_speed[3], ss_error* err)
{
    const ss_slider* slider = s->slider;
    const double *x = start ? start : slider->start, *v = start_speed ? start_speed : slider->start_speed;
    for (int i = 0; i < 3; i++)
        if (!isfinite(x[i]) || !isfinite(v[i]))
            return ss_fail(err, SS_BAD_INPUT, "start", "must be finite numbers");
    double c = cos(x[2]), n = sin(x[2]);
    s->course.start =
        (ss_place){.x = x[0] / slider->unit_length, .y = x[1] / slider->unit_length, .angle = x[2]};
    s->course.start.u[0] = (c * v[0] + n * v[1]) / slider->unit_speed;
    s->course.start.u[1] = (c * v[1] - n * v[0]) / slider->unit_speed;
    s->course.start.u[2] = v[2] * slider->unit_time;
    begin(s);
    return SS_OK;
}

// ---- moving on ----

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
    out->angle = near * a->angle + far * b->angle + step * (l * from[2] - r * to[2]);
    for (int i = 0; i < 3; i++) out->u[i] = l * a->u[i] + r * b->u[i];
    out->friction = l * a->friction + r * b->friction;
    out->input = l * a->input + r * b->input;
}

void ss_slide_look(ss_slide* s, double t, ss_place* out)
{
    switch (s->step.segment.phase) {
    case SS_PHASE_STEP: ss_slide_look_step(s, t, out); break;
    case SS_PHASE_ARC: ss_slide_look_arc(s, t, out); break;
    case SS_PHASE_TAIL: ss_slide_look_tail(s, t, out); break;
    case SS_PHASE_JUMP: look_jump(s, t, out); break;
    case SS_PHASE_REST:
        *out = s->course.now;
        out->t = t;
        break;
    }
}

static void record_modes(ss_slide* s)
{
    for (int i = 0; i < s->slider->support_count; i++) s->mode.before[i] = ss_slide_mode(s, i);
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
    for (int i = 0; i < 3; i++) {
        double unit = i < 2 ? s->slider->unit_force : s->slider->unit_moment;
        event.load_before[i] = before[i] * unit;
        event.load_after[i] *= unit;
    }
    for (int i = 0; i < s->slider->support_count; i++) {
        event.support = i;
        event.from = s->mode.before[i];
        event.to = ss_slide_mode(s, i);
        if (event.from == event.to) continue;
        s->course.events++;
        if (s->stop.wanted) s->stop.events[s->stop.event_count++] = event;
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
    double speed = speed_of(&s->course.now), a[3], margin = 0.0;
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
    ss_slide_applied(s, t, s->course.now.angle, load);
    if (load[0] == 0.0 && load[1] == 0.0 && load[2] == 0.0) return;
    for (int i = 0; i < s->slider->support_count; i++)
        if (ss_slide_mode(s, i) == SS_MODE_STICK) s->work.noted[note.contact_count++] = i;
    s->def.on_note(s->def.user, &note);
}

static void finish_segment(ss_slide* s)
{
    const ss_segment* g = &s->step.segment;
    ss_place at;
    if (g->ending == SS_END_HOLD) look_ahead(s);
    if (g->phase == SS_PHASE_STEP) {
        ss_slide_finish_step(s);
        return;
    }
    ss_slide_look(s, g->t1, &at);
    s->step.path += (g->t1 - g->t0) * speed_of(&s->course.now);
    s->course.now = at;
    s->step.speed_scale = fmax(s->step.speed_scale, speed_of(&at));
}

void ss_slide_pass_silently(ss_slide* s)
{
    ss_ending ending = s->step.segment.ending;
    finish_segment(s);
    s->step.has_segment = false;
    if (ending == SS_END_REST) memset(s->course.now.u, 0, sizeof s->course.now.u);
    if (ending != SS_END_NONE && ending != SS_END_ESCAPE) ss_slide_select(s, ending, s->step.segment.which);
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
    if (ending != SS_END_REST) return;
    ss_slide_find_final(s);
    if (s->course.final.converged) ss_slide_final_load(s, load);
}

// Passes the end of the segment under way.
static void pass(ss_slide* s)
{
    ss_segment* g = &s->step.segment;
    ss_ending ending = g->ending;
    double before[3];
    double t = g->t1;
    if (ending != SS_END_NONE) {
        record_modes(s);
        load_before(s, before);
    }
    ss_slide_pass_silently(s);
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
    s->stop.before = ss_slide_get_state(s);
    for (int i = 0; i < s->slider->support_count; i++) s->stop.supports[i] = ss_slide_support(s, i);
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
    double speed = speed_of(&s->course.now);
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

// The event loop up to `until`, or where that is wanted to the first instant that tells an event; true there.
static bool run_to(ss_slide* s, double until)
{
    for (long k = 0; !s->course.ended; k++) {
        if (!s->step.has_segment) ss_slide_make_segment(s);
        if (s->step.segment.phase == SS_PHASE_REST && isinf(s->step.segment.t1)) {
            end_run(s, SS_AT_REST);
            s->course.now.t = s->course.rest_since;
            break;
        }
        if (s->step.segment.t1 > until) break;
        if (s->stop.wanted && s->step.segment.ending != SS_END_NONE) remember_before(s);
        pass_and_ask(s, k);
        if (s->course.ended || s->stop.event_count > 0) show_segment(s);
        if (s->stop.event_count > 0) return true;
    }
    return false;
}

static ss_status advance(ss_slide* s, double until_s, bool to_event, ss_outcome* outcome, ss_error* err)
{
    if (isnan(until_s)) return ss_fail(err, SS_BAD_INPUT, "until", "must be a number");
    double until = until_s / s->slider->unit_time;
    if (!s->course.told_start) tell_undetermined(s, 0.0);
    s->course.told_start = true;
    s->stop.wanted = to_event;
    s->stop.event_count = 0;
    bool stopped = run_to(s, until);
    if (s->course.ended || stopped)
        s->course.shown = s->course.now;
    else if (until > s->course.shown.t)
        ss_slide_look(s, until, &s->course.shown);
    if (s->course.ended || stopped)
        s->course.asked_s = NAN;
    else if (s->course.shown.t == until)
        s->course.asked_s = until_s; // not rounded by the units
    *outcome = s->course.outcome;
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
    *at_event = status == SS_OK && s->stop.event_count > 0;
    return status;
}

ss_slide_instant ss_slide_get_instant(const ss_slide* s)
{
    return (ss_slide_instant){s->stop.events, s->stop.event_count, s->stop.before, s->stop.supports};
}
