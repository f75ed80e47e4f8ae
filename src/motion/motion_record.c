// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "motion/motion_record.h"

#include "core/grow.h"

void ss_record_free(ss_record* record)
{
    for (size_t k = 0; k < record->note_count; k++) free((void*)record->notes[k].contacts);
    free(record->notes);
    free(record->events);
    free(record->slide_events);
    free(record->branches);
    free(record->t);
    free(record->x);
    free(record->v);
    free(record->deflections);
    free(record->open);
    free(record->derivatives.rows);
    free(record->derivatives.events);
    free(record->states);
    free(record->slides);
    free(record->support_states);
}

void ss_record_add_event(ss_record* record, const ss_event* event, const double derivatives[])
{
    size_t directions = (size_t)record->directions, k = record->event_count;
    bool fits = (directions == 0 || ss_grow(&record->derivatives.events, k, &record->derivatives.event_room,
                                            directions * sizeof *derivatives)) &&
                ss_grow(&record->events, k, &record->event_room, sizeof *event);
    if (!fits) {
        record->failed = true;
        return;
    }
    record->events[record->event_count++] = *event;
    if (directions > 0)
        memcpy(record->derivatives.events + k * directions, derivatives, directions * sizeof *derivatives);
}

void ss_record_add_slide_event(ss_record* record, const ss_slide_event* event)
{
    if (ss_grow(&record->slide_events, record->event_count, &record->event_room, sizeof *event))
        record->slide_events[record->event_count++] = *event;
    else
        record->failed = true;
}

void ss_record_add_branch(ss_record* record, const ss_branch* branch)
{
    if (ss_grow(&record->branches, record->branch_count, &record->branch_room, sizeof *branch))
        record->branches[record->branch_count++] = *branch;
    else
        record->failed = true;
}

void ss_record_add_note(ss_record* record, const ss_note* note)
{
    size_t count = note->contact_count > 0 ? (size_t)note->contact_count : 0;
    bool fits = ss_grow(&record->notes, record->note_count, &record->note_room, sizeof *note);
    int* contacts = fits ? malloc(count ? count * sizeof *contacts : 1) : NULL;
    if (!contacts) {
        record->failed = true;
        return;
    }
    if (count) memcpy(contacts, note->contacts, count * sizeof *contacts);
    record->notes[record->note_count++] =
        (ss_note){.t = note->t, .text = note->text, .contacts = contacts, .contact_count = (int)count};
}

// Room for one row more in one of the arrays, all of which have as much.
static bool make_room(const ss_record* record, void* array, size_t width, size_t size)
{
    size_t room = record->row_room;
    return width == 0 || ss_grow(array, record->rows, &room, width * size);
}

static void keep(void* array, size_t row, const void* from, size_t width, size_t size)
{
    if (width > 0) memcpy((char*)array + row * width * size, from, width * size);
}

void ss_record_add_row(ss_record* r, const ss_moment* m)
{
    size_t bodies = (size_t)r->bodies, contacts = (size_t)r->contacts, elements = (size_t)r->elements,
           numbers = (size_t)r->numbers, derivatives = (size_t)r->directions * (size_t)r->derivative_width,
           supports = (size_t)r->supports, slides = m->slide ? 1 : 0, k = r->rows;
    bool fits = make_room(r, &r->x, bodies, sizeof *r->x) && make_room(r, &r->v, bodies, sizeof *r->v) &&
                make_room(r, &r->states, contacts, sizeof *r->states) &&
                make_room(r, &r->deflections, elements, sizeof *r->deflections) &&
                make_room(r, &r->open, numbers, sizeof *r->open) &&
                make_room(r, &r->derivatives.rows, derivatives, sizeof *r->derivatives.rows) &&
                make_room(r, &r->slides, slides, sizeof *r->slides) &&
                make_room(r, &r->support_states, supports, sizeof *r->support_states) &&
                ss_grow(&r->t, k, &r->row_room, sizeof *r->t); // last: the room of all is its room
    if (!fits) {
        r->failed = true;
        return;
    }
    r->t[k] = m->t;
    keep(r->x, k, m->x, bodies, sizeof *r->x);
    keep(r->v, k, m->v, bodies, sizeof *r->v);
    keep(r->states, k, m->contacts, contacts, sizeof *r->states);
    keep(r->deflections, k, m->deflections, elements, sizeof *r->deflections);
    keep(r->open, k, m->numbers, numbers, sizeof *r->open);
    keep(r->derivatives.rows, k, m->derivatives, derivatives, sizeof *r->derivatives.rows);
    keep(r->slides, k, m->slide, slides, sizeof *r->slides);
    keep(r->support_states, k, m->supports, supports, sizeof *r->support_states);
    r->rows++;
}

static void move(void* array, size_t from, size_t to, size_t width, size_t size)
{
    if (array && width > 0)
        memcpy((char*)array + to * width * size, (char*)array + from * width * size, width * size);
}

void ss_record_move_row(ss_record* r, size_t from, size_t to)
{
    size_t derivatives = (size_t)r->directions * (size_t)r->derivative_width;
    move(r->t, from, to, 1, sizeof *r->t);
    move(r->x, from, to, (size_t)r->bodies, sizeof *r->x);
    move(r->v, from, to, (size_t)r->bodies, sizeof *r->v);
    move(r->states, from, to, (size_t)r->contacts, sizeof *r->states);
    move(r->deflections, from, to, (size_t)r->elements, sizeof *r->deflections);
    move(r->open, from, to, (size_t)r->numbers, sizeof *r->open);
    move(r->derivatives.rows, from, to, derivatives, sizeof *r->derivatives.rows);
    move(r->slides, from, to, 1, sizeof *r->slides);
    move(r->support_states, from, to, (size_t)r->supports, sizeof *r->support_states);
}

ss_motion_rows ss_record_rows(const ss_record* r)
{
    return (ss_motion_rows){.count = r->rows,
                            .t = r->t,
                            .x = r->x,
                            .v = r->v,
                            .contacts = r->states,
                            .deflections = r->deflections,
                            .numbers = r->open,
                            .derivatives = r->derivatives.rows,
                            .derivative_width = r->derivative_width,
                            .slides = r->slides,
                            .supports = r->support_states,
                            .bodies = r->bodies,
                            .contact_count = r->contacts,
                            .elements = r->elements,
                            .number_count = r->numbers,
                            .support_count = r->supports};
}

void ss_record_publish(const ss_record* r, ss_motion* motion)
{
    motion->rows = ss_record_rows(r);
    motion->events = r->events;
    motion->event_derivatives = r->derivatives.events;
    motion->slide_events = r->slide_events;
    motion->event_count = r->event_count;
    motion->notes = r->notes;
    motion->note_count = r->note_count;
    motion->branches = r->branches;
    motion->branch_count = r->branch_count;
}
