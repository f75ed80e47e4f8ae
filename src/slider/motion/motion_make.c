// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A sliding motion is made, started and ended: its supports as spots, lines, patches and ratchets, and room
// for all that follows.
#include "slider/motion/motion_finger.h"
#include "slider/motion/signal_window.h"

#include "core/definition.h"
#include "core/expression/signal_series.h"
#include "core/tolerance.h"
#include "share/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- parts ----

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

// Whether friction and load do not tell how far the body has turned.
static bool is_round(const ss_slider* slider)
{
    if (slider->floor_is_anisotropic || slider->outline.count > 0) return false;
    for (int k = 0; k < slider->load_count; k++) {
        const ss_load* load = &slider->loads[k];
        bool at_center = load->x == 0.0 && load->y == 0.0;
        if ((load->force_x || load->force_y) && (load->in_body || !at_center)) return false;
    }
    for (int k = 0; k < slider->element_count; k++) {
        const ss_element* e = &slider->elements[k];
        bool alike = e->kind == SS_ELEMENT_POINT ? is_disc(slider, e)
                                                 : e->kind == SS_ELEMENT_PATCH && e->vertex_count == 0;
        if (e->level > 0.0 && !(alike && e->x == 0.0 && e->y == 0.0)) return false;
    }
    return true;
}

static bool is_inclined(const ss_floor_motion* floor)
{
    return floor->weight[0] != 0.0 || floor->weight[1] != 0.0;
}

// A level floor with constant velocity: seen from it nothing pushes.
static bool moves_straight_on(const ss_floor_motion* floor)
{
    bool straight = floor->moves && !floor->turns && !is_inclined(floor);
    for (int i = 0; i < 2; i++) {
        if (floor->place[i]) return false;
        straight = straight && (!floor->speed[i] || ss_signal_is_constant(floor->speed[i]));
    }
    return straight;
}

// rad/s: how fast what a moving floor does to the body changes; of signals whose rate is not known, nothing.
static double floor_pace(const ss_floor_motion* floor)
{
    const ss_signal* const signals[] = {floor->speed[0], floor->speed[1], floor->place[0],
                                        floor->place[1], floor->spin,     floor->angle};
    double pace = 0.0, rate;
    for (int i = 0; i < 6; i++)
        if (signals[i] && ss_signal_rate(signals[i], &rate)) pace = fmax(pace, rate);
    if (floor->spin) pace = fmax(pace, 2.0 * fabs(ss_signal_value(floor->spin, 0.0)));
    return pace;
}

static void take_apart(ss_slide* s)
{
    const ss_slider* slider = s->slider;
    double rate;
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
    s->made.is_round = is_round(slider);
    bool varies = slider->varying.gravity, straight = moves_straight_on(&slider->motion);
    bool fingers = slider->pusher_count > 0;
    s->made.pushed =
        varies || fingers || slider->load_count > 0 || slider->motion.moves || is_inclined(&slider->motion);
    s->made.loaded = s->made.pushed && !(!varies && !fingers && slider->load_count == 0 && straight);
    s->made.pace = 1.0 + slider->unit_time * floor_pace(&slider->motion);
    if (varies && ss_signal_rate(slider->varying.gravity, &rate))
        s->made.pace = fmax(s->made.pace, 1.0 + slider->unit_time * rate);
    for (int i = 0; i < 2 * slider->pusher_count; i++) {
        const ss_signal* speed = slider->pushers[i / 2].speed[i % 2];
        if (speed && ss_signal_rate(speed, &rate))
            s->made.pace = fmax(s->made.pace, 1.0 + slider->unit_time * rate);
    }
    s->made.live = s->made.pushed || slider->floor_is_anisotropic ? SS_SLIDE_STATE : SS_RK_LIVE;
}

// Scratch for the series of the applied load.
static size_t scratch_size(const ss_slider* slider)
{
    size_t most = 0;
    for (int i = 0; i < slider->varying.signal_count; i++) {
        size_t own = ss_signal_scratch_size(slider->varying.signals[i], SS_MAX_ORDER);
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
    s->work.noted = ss_pool_new(pool, (size_t)s->slider->supports.count, sizeof *s->work.noted);
    size_t fingers = (size_t)s->slider->pusher_count, all = (size_t)s->slider->supports.count + fingers;
    s->mode.before = ss_pool_new(pool, all, sizeof *s->mode.before);
    s->instant.supports = ss_pool_new(pool, all, sizeof *s->instant.supports);
    s->instant.events = ss_pool_new(pool, all, sizeof *s->instant.events);
    s->fingers.each = ss_pool_new(pool, fingers, sizeof *s->fingers.each);
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
    status = ss_slide_make_weight(s, err);
    if (status != SS_OK) {
        free(s);
        return status;
    }
    ss_image_begin(&s->image, &s->pool, s, sizeof *s, offsetof(struct ss_slide, made));
    if (!make_room(s)) {
        ss_slide_destroy(s);
        return ss_fail_no_memory(err);
    }
    take_apart(s);
    *out = s;
    return SS_OK;
}

ss_status ss_slide_create(const ss_slider* slider, const ss_slide_def* given, ss_slide** out, ss_error* err)
{
    ss_slide_def own = ss_slide_def_default();
    const ss_slide_def* def = &own;
    ss_status taken = ss_take_def(&own, sizeof own, given, "ss_slide_def_default", err);
    *out = NULL;
    if (taken != SS_OK) return taken;
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
    free(slide->weight);
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
    s->inputs.break_from = s->inputs.break_to = s->inputs.break_at = 0.0;
    s->step.has_segment = s->step.has_jump = s->course.ended = s->course.has_final = s->stiff.begun =
        s->step.limit_flow = false;
    s->course.outcome = SS_TIME_REACHED;
    s->course.events = 0;
    s->step.path = s->step.since = 0.0;
    s->step.reference_known = -1;
    s->course.told_start = s->course.undefined = false;
    s->course.stalls = 0;
    s->course.stall_speed = 0.0;
    s->course.steps = 0;
    s->slaved.pause = s->slaved.wait = 0;
    s->slaved.paused_at = 0.0;
    s->step.hold_slack = s->slaved.last_explicit = 0.0;
    s->step.speed_scale = ss_norm3(s->course.now.u);
    ss_slide_select(s, SS_END_NONE, -1);
    s->mode.known = true;
    s->course.shown = s->course.now;
    s->course.asked_s = NAN;
}

// The velocity at the start is told in space.
static void see_from_floor(const ss_slide* s, ss_place* start)
{
    ss_floor_rates rates;
    double under[3];
    ss_floor_rates_at(s, 0.0, 0.0, INFINITY, &rates);
    ss_floor_velocity(s, start, &rates, under);
    double size = ss_norm3(start->u) + ss_norm3(under);
    for (int i = 0; i < 3; i++) start->u[i] -= under[i];
    // The floor was asked a moment, SS_NOISE, after the start: what it has gained by then is no speed of the
    // body.
    size += hypot(rates.a[0], rates.a[1]) + fabs(rates.spin_rate) + SS_CLEAR;
    if (ss_norm3(start->u) <= SS_NOISE * size) memset(start->u, 0, sizeof start->u); // it rides
}

ss_status ss_slide_restart(ss_slide* s, const double start[3], const double start_speed[3], ss_error* err)
{
    const ss_slider* slider = s->slider;
    const double *x = start ? start : slider->start, *v = start_speed ? start_speed : slider->start_speed;
    for (int i = 0; i < 3; i++)
        if (!isfinite(x[i]) || !isfinite(v[i]))
            return ss_fail(err, SS_BAD_INPUT, "start", "must be finite numbers");
    s->course.floor_t = 0.0;
    s->course.start = (ss_place){.x = x[0] / slider->unit_length, .y = x[1] / slider->unit_length};
    if (slider->motion.turns) {
        s->course.start.x -= slider->motion.center[0];
        s->course.start.y -= slider->motion.center[1];
    }
    ss_slide_turn(s, x[2], &s->course.start);
    double c = cos(s->course.start.angle), n = sin(s->course.start.angle);
    s->course.start.u[0] = (c * v[0] + n * v[1]) / slider->unit_speed;
    s->course.start.u[1] = (c * v[1] - n * v[0]) / slider->unit_speed;
    s->course.start.u[2] = v[2] * slider->unit_time;
    s->course.kinetic = 0.5 * ss_dot3(s->course.start.u, s->course.start.u);
    if (slider->quasistatic)
        memset(s->course.start.u, 0, sizeof s->course.start.u);
    else if (slider->motion.moves)
        see_from_floor(s, &s->course.start);
    s->inputs.break_from = s->inputs.break_to = s->inputs.break_at = 0.0;
    s->course.now = s->course.start;
    ss_status status = ss_fingers_begin(s, err);
    if (status == SS_OK) begin(s);
    return status;
}
