// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A slider as that which moves.
#include "core/error.h"
#include "motion/recorder.h"
#include "share/slider_parts.h"

#include <math.h>

static void on_event(void* user, const ss_slide_event* event)
{
    ss_record_add_slide_event(&((ss_recorder*)user)->record, event);
}

static ss_status create(ss_recorder* r, ss_error* err)
{
    ss_slide_def def = ss_slide_def_default();
    def.tolerance = r->def.tolerance;
    def.max_events = r->def.max_events;
    def.escape = r->def.escape;
    r->record.supports = ss_slider_contact_count(r->shown.slider);
    r->present.supports = ss_new((size_t)r->record.supports, sizeof *r->present.supports);
    if (!r->present.supports) return ss_fail_no_memory(err);
    def.on_event = on_event;
    def.on_note = ss_recorder_note;
    def.keep_going = ss_recorder_keeps_going;
    def.user = r;
    return ss_slide_create(r->shown.slider, &def, &r->slide, err);
}

static void destroy(ss_recorder* r) { ss_slide_destroy(r->slide); }

static ss_status advance(ss_recorder* r, double t, ss_outcome* outcome, ss_error* err)
{
    return ss_slide_advance(r->slide, t, outcome, err);
}

static ss_status advance_to_event(ss_recorder* r, double t, bool* at_event, ss_outcome* outcome,
                                  ss_error* err)
{
    return ss_slide_advance_to_event(r->slide, t, at_event, outcome, err);
}

static ss_outcome conclude(ss_recorder* r) { return ss_slide_conclude(r->slide); }

static double time_of(const ss_recorder* r) { return ss_slide_time(r->slide); }

static ss_moment look(ss_recorder* r, double t)
{
    ss_present* p = &r->present;
    ss_place shown = r->slide->course.shown;
    ss_slide_carry(r->slide, t);
    p->slide = ss_slide_state(r->slide);
    ss_slide_supports(r->slide, p->supports);
    r->slide->course.shown = shown;
    return (ss_moment){.t = t, .slide = &p->slide, .supports = p->supports};
}

static ss_moment look_before(ss_recorder* r, double t)
{
    ss_slider_instant instant = ss_slide_instant(r->slide);
    r->present.slide = instant.before;
    return (ss_moment){.t = t, .slide = &r->present.slide, .supports = instant.supports};
}

static void finish(ss_recorder* r)
{
    r->shown.energy = ss_slide_energy(r->slide);
    r->shown.settles = ss_slide_settles(r->slide);
    r->shown.has_final = ss_slide_final_motion(r->slide, &r->shown.final);
}

// ---- for sketches

static ss_stretch reach(ss_recorder* r, double until)
{
    const ss_slide* s = r->slide;
    double unit = r->shown.slider->unit_time, now = ss_slide_time(s);
    if (!s->step.has_segment || s->course.ended) return (ss_stretch){now, SS_AHEAD_NOTHING};
    ss_ahead_part* part = &r->ahead;
    part->shown = s->course.shown;
    part->asked = s->course.asked_s;
    part->to = fmin(s->step.segment.t1, until / unit);
    double end = s->step.segment.t1 * unit > until ? until : s->step.segment.t1 * unit;
    bool known = end > now && part->to > part->shown.t;
    return (ss_stretch){end, known ? SS_AHEAD_KNOWN : SS_AHEAD_NOTHING};
}

static void peek(ss_recorder* r, double share)
{
    const ss_ahead_part* part = &r->ahead;
    double from = part->shown.t;
    r->ahead.under_way = true;
    ss_slide_look(r->slide, share < 1.0 ? from + share * (part->to - from) : part->to,
                  &r->slide->course.shown);
    r->slide->course.asked_s = NAN;
}

static void put_back(ss_recorder* r)
{
    r->slide->course.shown = r->ahead.shown;
    r->slide->course.asked_s = r->ahead.asked;
    r->ahead.under_way = false;
}

const ss_recorder_source ss_slider_source = {.create = create,
                                             .destroy = destroy,
                                             .advance = advance,
                                             .advance_to_event = advance_to_event,
                                             .conclude = conclude,
                                             .time = time_of,
                                             .look = look,
                                             .look_before = look_before,
                                             .finish = finish,
                                             .reach = reach,
                                             .peek = peek,
                                             .put_back = put_back};
