// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One motion of a slider from start to end: stops at the moments that were asked for, keeps what people want
// to see, feeds the output file.
#ifndef SLIPSTICK_CLI_SLIDE_H
#define SLIPSTICK_CLI_SLIDE_H

#include "options.h"

#include <stdio.h>

typedef struct cli_slide_def {
    const ss_slider* slider;
    double until;           ///< s
    cli_times at;           ///< moments asked for, none after until
    double every;           ///< s between further moments from 0 on, 0 for none
    double escape;          ///< m
    double tolerance;       ///< relative
    long max_events;        ///< when to give up
    bool keep_samples;      ///< in memory, for the answer
    const char* out;        ///< output file, NULL for none
    const char* model_text; ///< kept in the output file; may be NULL
} cli_slide_def;

/// One moment: supports has one element per support.
typedef struct cli_slide_sample {
    double t;
    ss_slide_state state;
    ss_support_state* supports;
} cli_slide_sample;

typedef struct cli_slide_note {
    double t;
    const char* text; ///< static storage
    int* supports;
    int support_count;
} cli_slide_note;

/// The answer.
typedef struct cli_slide {
    const ss_slider* slider; ///< NULL: there is none
    ss_outcome outcome;
    cli_slide_sample end;
    ss_energy energy;
    bool has_final;
    ss_final_motion final;
    ss_slide_event* events;
    size_t event_count, event_room;
    cli_slide_note* notes;
    size_t note_count, note_room;
    cli_slide_sample* samples;
    size_t sample_count, sample_room;
    bool out_of_memory;
} cli_slide;

/// Returns CLI_DONE with the answer, CLI_UNFINISHED with what was computed, or CLI_WRONG with nothing. Faults
/// were told.
int cli_slide_run(const cli_slide_def* def, cli_slide* slide);
void cli_slide_free(cli_slide* slide);

void cli_slide_report_text(const cli_slide* slide, FILE* out);
void cli_slide_report_json(const cli_slide* slide, FILE* out);

#endif
