// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What a run leaves behind in memory: events, notes and samples, in growing arrays.
#ifndef SLIPSTICK_CLI_RECORD_H
#define SLIPSTICK_CLI_RECORD_H

#include "lab/file/trace.h"
#include "slipstick/slipstick.h"

typedef struct cli_note {
    double t;
    const char* text; ///< static storage
    int* contacts;    ///< or supports of a slider
    int contact_count;
} cli_note;

typedef struct cli_notes {
    cli_note* items;
    size_t count, room;
} cli_notes;

bool cli_notes_add(cli_notes* notes, const ss_note* note); ///< false: out of memory
void cli_notes_free(cli_notes* notes);

typedef struct cli_record {
    int bodies, contacts;
    ss_event* events;
    size_t event_count, event_room;
    cli_notes notes;
    ss_branch* branches;
    size_t branch_count, branch_room;
    int elements;           ///< deflections kept per sample
    double* sample_numbers; ///< per sample t, then x, then v of all bodies, then deflections
    ss_contact_state* sample_contacts;
    size_t sample_count, sample_room;
    bool out_of_memory; ///< something could not be kept
} cli_record;

cli_record cli_record_begin(const ss_model* model);
void cli_record_free(cli_record* record);
void cli_record_event(cli_record* record, const ss_event* event);
void cli_record_branch(cli_record* record, const ss_branch* branch);
void cli_record_note(cli_record* record, const ss_note* note);
void cli_record_sample(cli_record* record, const ss_trace_row* row);

/// A sample, borrowed from the record.
ss_trace_row cli_record_get_sample(const cli_record* record, size_t index);

#endif
