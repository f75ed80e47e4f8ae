// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
#include "record.h"

#include <stdint.h>
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
    for (size_t k = 0; k < record->note_count; k++) free(record->notes[k].contacts);
    free(record->events);
    free(record->notes);
    free(record->branches);
    free(record->sample_numbers);
    free(record->sample_contacts);
}

// The array with room for more elements of the given size, or NULL (and the old array stays).
static void* grown(void* array, size_t room, size_t size)
{
    if (size == 0) size = 1;
    return room > SIZE_MAX / size ? NULL : realloc(array, room * size);
}

static size_t next_room(size_t room) { return room ? 2 * room : 64; }

void cli_record_event(cli_record* record, const ss_event* event)
{
    if (record->event_count == record->event_room) {
        size_t room = next_room(record->event_room);
        ss_event* events = grown(record->events, room, sizeof *events);
        if (!events) {
            record->out_of_memory = true;
            return;
        }
        record->events = events;
        record->event_room = room;
    }
    record->events[record->event_count++] = *event;
}

void cli_record_branch(cli_record* record, const ss_branch* branch)
{
    if (record->branch_count == record->branch_room) {
        size_t room = next_room(record->branch_room);
        ss_branch* branches = grown(record->branches, room, sizeof *branches);
        if (!branches) {
            record->out_of_memory = true;
            return;
        }
        record->branches = branches;
        record->branch_room = room;
    }
    record->branches[record->branch_count++] = *branch;
}

void cli_record_note(cli_record* record, const ss_note* note)
{
    if (record->note_count == record->note_room) {
        size_t room = next_room(record->note_room);
        cli_note* notes = grown(record->notes, room, sizeof *notes);
        if (notes) {
            record->notes = notes;
            record->note_room = room;
        }
    }
    size_t count = note->contact_count > 0 ? (size_t)note->contact_count : 0;
    int* contacts = malloc(count ? count * sizeof *contacts : 1);
    if (!contacts || record->note_count == record->note_room) {
        free(contacts);
        record->out_of_memory = true;
        return;
    }
    if (count) memcpy(contacts, note->contacts, count * sizeof *contacts);
    record->notes[record->note_count++] = (cli_note){note->t, note->text, contacts, (int)count};
}

static size_t sample_width(const cli_record* record)
{
    return 1 + 2 * (size_t)record->bodies + (size_t)record->elements;
}

static bool make_sample_room(cli_record* record)
{
    if (record->sample_count < record->sample_room) return true;
    size_t room = next_room(record->sample_room);
    size_t width = sample_width(record), contacts = (size_t)record->contacts;
    double* numbers = grown(record->sample_numbers, room, width * sizeof *numbers);
    if (numbers) record->sample_numbers = numbers;
    ss_contact_state* states = grown(record->sample_contacts, room, contacts * sizeof *states);
    if (states) record->sample_contacts = states;
    if (numbers && states) record->sample_room = room;
    return numbers && states;
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
