// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "slipstick/motion.h"

#include "core/definition.h"
#include "core/error.h"
#include "model/model_impl.h"
#include "motion/recorder.h"
#include "share/model_parts.h"
#include "share/quantity_table.h"
#include "share/slider_parts.h"

#include <math.h>
#include <stdlib.h>

// ---- what the run calls

bool ss_recorder_keeps_going(void* recorder, double t)
{
    const ss_recorder* r = recorder;
    return !r->record.failed && (!r->def.keep_going || r->def.keep_going(r->def.user, t));
}

void ss_recorder_note(void* recorder, const ss_note* note)
{
    ss_record_add_note(&((ss_recorder*)recorder)->record, note);
}

// ---- the way

static void take(ss_recorder* r, const ss_moment* moment)
{
    r->row_t = moment->t;
    if (r->def.keep) ss_record_add_row(&r->record, moment);
    if (!r->def.on_moment || r->stopped || r->def.on_moment(r->def.user, moment)) return;
    r->stopped = true;
    r->shown.outcome = SS_INTERRUPTED;
}

static void look_and_take(ss_recorder* r, double t)
{
    if (t <= r->row_t) return;
    ss_moment moment = r->source->look(r, t);
    take(r, &moment);
}

// The instant at which the run has just stopped, from both sides where that is wanted.
static void take_instant(ss_recorder* r)
{
    double t = r->source->time(r);
    if (t <= r->row_t) return;
    if (r->def.before_events) {
        ss_moment before = r->source->look_before(r, t);
        take(r, &before);
    }
    ss_moment after = r->source->look(r, t);
    take(r, &after);
}

// How an advance towards t went. True if the run may go on, or all rests and the moment t looks as now.
static bool take_stock(ss_recorder* r, double t, ss_status status)
{
    if (status != SS_OK) r->stopped = true;
    if (r->stopped || (t < r->moments.until && !ss_recorder_keeps_going(r, r->source->time(r))))
        r->shown.outcome = SS_INTERRUPTED;
    return r->shown.outcome == SS_AT_REST || r->shown.outcome == SS_TIME_REACHED;
}

// Goes to time t or the end of the motion, by way of the events where they are wanted.
static bool go_straight_to(ss_recorder* r, double t, ss_status* status, ss_error* err)
{
    bool at_event = r->def.at_events && r->row_t >= 0.0; // events at the very start have no side before
    while (at_event && !r->stopped && r->shown.outcome == SS_TIME_REACHED) {
        *status = r->source->advance_to_event(r, t, &at_event, &r->shown.outcome, err);
        bool goes_on = take_stock(r, t, *status);
        if (at_event && *status == SS_OK) take_instant(r);
        if (!goes_on && r->shown.outcome == SS_INTERRUPTED) return false;
    }
    if (r->stopped) return false;
    *status = r->source->advance(r, t, &r->shown.outcome, err);
    return take_stock(r, t, *status);
}

// The same, stretch by stretch, so that all of it can be drawn.
static void sketch_to(ss_recorder* r, double t, ss_status* status, ss_error* err)
{
    bool at_event = true;
    ss_stretch stretch = {.end = r->store->begin};
    while ((stretch.end < t || at_event) && !r->stopped && r->shown.outcome == SS_TIME_REACHED) {
        stretch = ss_sketch_store_look_ahead(r, t);
        *status = r->source->advance_to_event(r, stretch.end, &at_event, &r->shown.outcome, err);
        r->stopped = *status != SS_OK;
        if (r->stopped || r->record.failed) return;
        ss_sketch_store_arrive(r, &stretch, at_event);
        if (at_event && r->def.at_events) take_instant(r);
    }
}

// Goes to time t or the end of the motion, and sketches what is to be drawn of the way.
static bool go_to(ss_recorder* r, double t, ss_status* status, ss_error* err)
{
    const ss_sketch_store* store = r->store;
    if (!store || t <= store->from) return go_straight_to(r, t, status, err);
    if (!store->begun) {
        if (!go_straight_to(r, store->from, status, err)) return false;
        ss_sketch_store_begin(r);
    }
    sketch_to(r, fmin(t, store->to), status, err);
    if (r->stopped) r->shown.outcome = SS_INTERRUPTED;
    return !r->stopped && go_straight_to(r, t, status, err);
}

// The moments that were asked for, then the end. True where the run got there, or rests.
static bool go_by_moments(ss_recorder* r, ss_status* status, ss_error* err)
{
    for (double t = ss_moments_next(&r->moments); isfinite(t); t = ss_moments_next(&r->moments)) {
        if (!go_to(r, t, status, err)) return false;
        look_and_take(r, t);
    }
    return go_to(r, r->moments.until, status, err);
}

// The whole way, and the verdict.
static ss_status go(ss_recorder* r, ss_error* err)
{
    ss_status status = SS_OK;
    if (r->def.at_events && go_to(r, 0.0, &status, err)) look_and_take(r, 0.0);
    bool whole = go_by_moments(r, &status, err);
    r->reached = r->shown.outcome;
    r->reached_t = r->source->time(r);
    if (whole && r->reached == SS_TIME_REACHED) r->shown.outcome = r->source->conclude(r);
    if (r->def.at_events && r->shown.outcome != SS_INTERRUPTED) look_and_take(r, r->source->time(r));
    return status;
}

// ---- making, running, ending

static ss_status create(ss_recorder* r, const ss_motion_def* given, double until, ss_motion** out,
                        ss_error* err)
{
    *out = NULL;
    if (!r) return ss_fail_no_memory(err);
    r->def = ss_motion_def_default();
    ss_status status = ss_take_def(&r->def, sizeof r->def, given, "ss_motion_def_default", err);
    if (status != SS_OK) {
        free(r);
        return status;
    }
    const ss_motion_def* def = &r->def;
    r->shown.outcome = SS_TIME_REACHED;
    r->moments = (ss_moments){.at = def->at,
                              .at_count = def->at_count,
                              .every = def->every,
                              .until = isnan(def->until) ? until : def->until};
    r->row_t = -1.0;
    status = r->source->create(r, err);
    if (status == SS_OK && def->sketch) status = ss_sketch_store_create(r, err);
    if (status == SS_OK)
        *out = &r->shown;
    else
        ss_motion_destroy(&r->shown);
    return status;
}

ss_status ss_motion_create(const ss_model* model, const ss_motion_def* def, ss_motion** out, ss_error* err)
{
    ss_recorder* r = ss_new(1, sizeof *r);
    if (r) *r = (ss_recorder){.shown.model = model, .source = &ss_bodies_source};
    return create(r, def, ss_model_until(model), out, err);
}

ss_status ss_motion_create_sliding(const ss_slider* slider, const ss_motion_def* def, ss_motion** out,
                                   ss_error* err)
{
    ss_recorder* r = ss_new(1, sizeof *r);
    if (r) *r = (ss_recorder){.shown.slider = slider, .source = &ss_slider_source};
    return create(r, def, ss_slider_until(slider), out, err);
}

ss_status ss_motion_run(ss_motion* motion, ss_error* err)
{
    ss_recorder* r = (ss_recorder*)motion;
    ss_status status = go(r, err);
    motion->end = r->source->look(r, r->source->time(r));
    r->source->finish(r);
    ss_record_publish(&r->record, motion);
    if (r->store) ss_sketch_store_close(r);
    if (r->source->give_back) r->source->give_back(r);
    return status == SS_OK && r->record.failed ? ss_fail_no_memory(err) : status;
}

void ss_motion_destroy(ss_motion* motion)
{
    if (!motion) return;
    ss_recorder* r = (ss_recorder*)motion;
    r->source->destroy(r);
    ss_record_free(&r->record);
    ss_sketch_store_destroy(r->store);
    free(r->present.x);
    free(r->present.v);
    free(r->present.limit_x);
    free(r->present.limit_states);
    free(r->present.deflections);
    free(r->present.numbers);
    free(r->present.derivatives);
    free(r->present.contacts);
    free(r->present.supports);
    free(r->present.start_x);
    free(r->present.start_v);
    free(r);
}

// The same motion, for the sake of its sketch.
static ss_status run_again(const ss_recorder* r, double from, double to, ss_motion** out, ss_error* err)
{
    ss_motion_def def = ss_motion_def_default();
    def.start_x = r->present.start_x;
    def.start_v = r->present.start_v;
    def.until = r->moments.until;
    def.tolerance = r->def.tolerance;
    def.max_events = r->def.max_events;
    def.escape = r->def.escape;
    def.sketch = true;
    def.sketch_from = from;
    def.sketch_to = to;
    ss_status status = r->shown.slider ? ss_motion_create_sliding(r->shown.slider, &def, out, err)
                                       : ss_motion_create(r->shown.model, &def, out, err);
    if (status == SS_OK) status = ss_motion_run(*out, err);
    return status;
}

ss_status ss_motion_get_sketch_store(const ss_motion* motion, double from, double to, ss_motion** again,
                                     const ss_sketch_store** out, ss_error* err)
{
    const ss_recorder* r = (const ss_recorder*)motion;
    *again = NULL;
    if (!r->store || r->def.sketch_from != from || r->def.sketch_to != to) {
        ss_status status = run_again(r, from, to, again, err);
        if (status != SS_OK) return status;
        r = (const ss_recorder*)*again;
    }
    *out = r->store;
    return SS_OK;
}

ss_motion_rows ss_motion_sketch(const ss_motion* motion)
{
    const ss_sketch_store* store = ((const ss_recorder*)motion)->store;
    if (!store) return (ss_motion_rows){0};
    ss_motion_rows rows = ss_record_rows(&store->rows);
    rows.joined = store->joined;
    return rows;
}

ss_moment ss_rows_moment(const ss_motion_rows* rows, size_t k)
{
    size_t bodies = (size_t)rows->bodies, elements = (size_t)rows->elements;
    ss_moment moment = {.t = rows->t[k]};
    if (rows->slides) {
        moment.slide = &rows->slides[k];
        moment.supports = rows->supports + k * (size_t)rows->support_count;
        return moment;
    }
    if (bodies > 0) moment.x = rows->x + k * bodies;
    if (bodies > 0) moment.v = rows->v + k * bodies;
    if (rows->contact_count > 0) moment.contacts = rows->contacts + k * (size_t)rows->contact_count;
    if (elements > 0) moment.deflections = rows->deflections + k * elements;
    if (rows->number_count > 0) moment.numbers = rows->numbers + k * (size_t)rows->number_count;
    return moment;
}

ss_moment ss_motion_row(const ss_motion* motion, size_t k)
{
    const ss_motion_rows* rows = &motion->rows;
    size_t derivatives = (size_t)motion->direction_count * (size_t)rows->derivative_width;
    ss_moment moment = ss_rows_moment(rows, k);
    if (derivatives > 0) moment.derivatives = rows->derivatives + k * derivatives;
    return moment;
}
