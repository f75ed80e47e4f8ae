// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "record.h"

#include "core/grow.h"

#include <stdlib.h>
#include <string.h>

cli_record cli_record_begin(const ss_model* model)
{
    int elements = 0;
    for (int c = 0; c < ss_model_contact_count(model); c++) elements += ss_trace_elements(model, c);
    return (cli_record){.bodies = ss_model_body_count(model),
                        .contacts = ss_model_contact_count(model),
                        .elements = elements};
}

void cli_record_free(cli_record* record)
{
    cli_notes_free(&record->notes);
    free(record->events);
    free(record->branches);
    free(record->sample_numbers);
    free(record->sample_contacts);
}

bool cli_notes_add(cli_notes* notes, const ss_note* note)
{
    size_t count = note->contact_count > 0 ? (size_t)note->contact_count : 0;
    if (!ss_grow(&notes->items, notes->count, &notes->room, sizeof *notes->items)) return false;
    int* contacts = malloc(count ? count * sizeof *contacts : 1);
    if (!contacts) return false;
    if (count) memcpy(contacts, note->contacts, count * sizeof *contacts);
    notes->items[notes->count++] = (cli_note){note->t, note->text, contacts, (int)count};
    return true;
}

void cli_notes_free(cli_notes* notes)
{
    for (size_t k = 0; k < notes->count; k++) free(notes->items[k].contacts);
    free(notes->items);
}

void cli_record_event(cli_record* record, const ss_event* event)
{
    if (ss_grow(&record->events, record->event_count, &record->event_room, sizeof *event))
        record->events[record->event_count++] = *event;
    else
        record->out_of_memory = true;
}

void cli_record_branch(cli_record* record, const ss_branch* branch)
{
    if (ss_grow(&record->branches, record->branch_count, &record->branch_room, sizeof *branch))
        record->branches[record->branch_count++] = *branch;
    else
        record->out_of_memory = true;
}

void cli_record_note(cli_record* record, const ss_note* note)
{
    if (!cli_notes_add(&record->notes, note)) record->out_of_memory = true;
}

static size_t sample_width(const cli_record* record)
{
    return 1 + 2 * (size_t)record->bodies + (size_t)record->elements;
}

static bool make_sample_room(cli_record* record)
{
    size_t width = sample_width(record), contacts = (size_t)record->contacts, count = record->sample_count,
           room = record->sample_room; // both arrays have as much
    return ss_grow(&record->sample_numbers, count, &room, width * sizeof(double)) &&
           ss_grow(&record->sample_contacts, count, &record->sample_room,
                   contacts * sizeof(ss_contact_state));
}

void cli_record_sample(cli_record* record, const ss_trace_row* row)
{
    if (!make_sample_room(record)) {
        record->out_of_memory = true;
        return;
    }
    size_t bodies = (size_t)record->bodies, contacts = (size_t)record->contacts;
    double* numbers = record->sample_numbers + record->sample_count * sample_width(record);
    numbers[0] = row->t;
    for (size_t b = 0; b < bodies; b++) {
        numbers[1 + b] = row->x[b];
        numbers[1 + bodies + b] = row->v[b];
    }
    for (int e = 0; e < record->elements; e++) numbers[1 + 2 * bodies + (size_t)e] = row->deflections[e];
    ss_contact_state* states = record->sample_contacts + record->sample_count * contacts;
    for (size_t c = 0; c < contacts; c++) states[c] = row->contacts[c];
    record->sample_count++;
}

ss_trace_row cli_record_get_sample(const cli_record* record, size_t index)
{
    size_t bodies = (size_t)record->bodies;
    const double* numbers = record->sample_numbers + index * sample_width(record);
    return (ss_trace_row){.t = numbers[0],
                          .x = numbers + 1,
                          .v = numbers + 1 + bodies,
                          .contacts = record->sample_contacts + index * (size_t)record->contacts,
                          .deflections = numbers + 1 + 2 * bodies};
}
