// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "picture/view/sketch.h"

#include "motion/recorder.h"

#include <math.h>

// Leaves no events but those that are drawn.
static void cut_events(ss_sketch* c)
{
    while (c->event_count > 0 && c->events[0].t < c->begin) {
        c->events++;
        c->event_count--;
    }
    while (c->event_count > 0 && c->events[c->event_count - 1].t > c->end) c->event_count--;
}

ss_status ss_sketch_take(const ss_motion* motion, double from, double to, ss_sketch* out, ss_error* err)
{
    const ss_sketch_store* store = NULL;
    *out = (ss_sketch){.model = motion->model};
    ss_status status = ss_motion_get_sketch_store(motion, from, to, &out->again, &store, err);
    if (status != SS_OK) {
        ss_sketch_free(out);
        return status;
    }
    ss_motion_rows rows = ss_record_rows(&store->rows);
    const ss_recorder* recorder = (const ss_recorder*)motion; // what a window leaves out did not happen in it
    out->outcome = recorder->reached_t <= store->end ? recorder->reached : SS_TIME_REACHED;
    out->begin = store->begin;
    out->end = store->end;
    out->count = (int)rows.count;
    out->t = rows.t;
    out->x = rows.x;
    out->v = rows.v;
    out->joined = store->joined;
    out->is_sampled = store->is_sampled;
    out->contacts = rows.contacts;
    out->numbers = rows.numbers;
    out->number_count = rows.number_count;
    out->events = motion->events;
    out->event_count = (int)motion->event_count;
    cut_events(out);
    return SS_OK;
}

void ss_sketch_free(ss_sketch* sketch)
{
    ss_motion_destroy(sketch->again);
    *sketch = (ss_sketch){0};
}
