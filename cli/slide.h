// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One motion of a slider, and what people want to see of it.
#ifndef SLIPSTICK_CLI_SLIDE_H
#define SLIPSTICK_CLI_SLIDE_H

#include "record.h"
#include "run.h"

#include <stdio.h>

/// One moment: supports has one element per support.
typedef struct cli_slide_sample {
    double t;
    ss_slide_state state;
    ss_support_state* supports;
} cli_slide_sample;

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
    cli_notes notes;
    cli_slide_sample* samples;
    size_t sample_count, sample_room;
    bool out_of_memory;
} cli_slide;

/// Returns CLI_DONE with the answer, CLI_UNFINISHED with what was computed, or CLI_WRONG with nothing. Faults
/// were told.
int cli_slide_run(const cli_run_def* def, const ss_slider* slider, cli_slide* slide);
void cli_slide_free(cli_slide* slide);

void cli_slide_report_text(const cli_slide* slide, FILE* out);
void cli_slide_report_json(const cli_slide* slide, FILE* out);

#endif
