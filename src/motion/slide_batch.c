// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Many motions of one slider, one after the other in the same memory.
#include "core/definition.h"
#include "core/error.h"
#include "share/slider_parts.h"
#include "slipstick/sliding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ss_status check(const ss_batch_def* def, const ss_slide_starts* starts, ss_error* err)
{
    if (!starts || (starts->count > 0 && !starts->results))
        return ss_fail(err, SS_BAD_INPUT, "results", "are missing");
    if (!(isnan(def->until) || def->until > 0.0))
        return ss_fail(err, SS_BAD_INPUT, "until", "must be greater than 0");
    return SS_OK;
}

static ss_fate fate_of(ss_outcome outcome, bool settles)
{
    if (outcome == SS_AT_REST || (outcome == SS_TIME_REACHED && settles)) return SS_FATE_REST;
    return outcome == SS_ESCAPED ? SS_FATE_ESCAPED : SS_FATE_MOVING;
}

static void put(ss_slide* slide, ss_outcome outcome, const ss_slide_starts* to, size_t k)
{
    ss_slide_result* r = &to->results[k];
    ss_slider_state at = ss_slide_state(slide);
    memset(r, 0, sizeof *r);
    r->settles = outcome == SS_TIME_REACHED && ss_slide_settles(slide);
    r->fate = fate_of(outcome, r->settles);
    r->limited = outcome == SS_EVENT_LIMIT;
    r->t = ss_slide_time(slide);
    r->events = ss_slide_event_count(slide);
    r->has_final = ss_slide_final_motion(slide, &r->final);
    if (to->end) memcpy(to->end + 3 * k, (double[]){at.x, at.y, at.angle}, 3 * sizeof(double));
    if (to->end_speed) memcpy(to->end_speed + 3 * k, (double[]){at.vx, at.vy, at.spin}, 3 * sizeof(double));
}

static ss_status run(ss_slide* slide, double until, const ss_slide_starts* starts, size_t k, ss_error* err)
{
    const double *place = starts->place ? starts->place + 3 * k : NULL,
                 *speed = starts->speed ? starts->speed + 3 * k : NULL;
    ss_outcome outcome = SS_TIME_REACHED;
    ss_status status = ss_slide_restart(slide, place, speed, err);
    if (status == SS_OK) status = ss_slide_advance(slide, until, &outcome, err);
    if (status == SS_OK) {
        put(slide, ss_slide_conclude(slide), starts, k);
    } else if (err && starts->count > 1) {
        char text[sizeof err->text];
        snprintf(text, sizeof text, "start %zu: %.320s", starts->first + k, err->text);
        memcpy(err->text, text, sizeof text);
    }
    return status;
}

ss_status ss_slide_batch(const ss_slider* slider, const ss_batch_def* given, const ss_slide_starts* starts,
                         ss_error* err)
{
    ss_batch_def def = ss_batch_def_default();
    ss_slide* slide = NULL;
    ss_status status = slider ? SS_OK : ss_fail(err, SS_BAD_INPUT, "slider", "is missing");
    if (status == SS_OK && given) status = ss_take_def(&def, sizeof def, given, "ss_batch_def_default", err);
    if (status == SS_OK) status = check(&def, starts, err);
    if (status != SS_OK || starts->count == 0) return status;
    ss_slide_def own = ss_slide_def_default();
    own.tolerance = def.tolerance;
    own.max_events = def.max_events;
    own.escape = def.escape;
    own.keep_going = def.keep_going;
    own.user = def.user;
    // The first start is the one it is made from: the slider's own need not make sense.
    own.start = starts->place;
    own.start_speed = starts->speed;
    status = ss_slide_create(slider, &own, &slide, err);
    double until = isnan(def.until) ? ss_slider_until(slider) : def.until;
    for (size_t k = 0; k < starts->count && status == SS_OK; k++) status = run(slide, until, starts, k, err);
    ss_slide_destroy(slide);
    return status;
}
