// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One motion from start to end: stops at the moments that were asked for, keeps what people want to see and
// feeds the output file.
#ifndef SLIPSTICK_CLI_MOTION_H
#define SLIPSTICK_CLI_MOTION_H

#include "options.h"
#include "record.h"

typedef struct cli_motion_def {
    const ss_model* model;
    const ss_document*
        document;      ///< where the model comes from, for faults that show only while it runs; may be NULL
    double until;      ///< s
    cli_times at;      ///< moments asked for, none after until
    double every;      ///< s between further moments from 0 on, 0 for none
    double escape;     ///< m or rad
    double tolerance;  ///< relative
    long max_events;   ///< when to give up
    bool keep_samples; ///< in memory, for the answer
    const char* out;   ///< output file, NULL for none
    const char* model_text; ///< kept in the output file; may be NULL
} cli_motion_def;

/// The answer. Arrays have one element per body or contact.
typedef struct cli_motion {
    const ss_model* model;
    ss_outcome outcome;
    long max_events; ///< as asked for
    double t;
    double *x, *v;
    ss_contact_state* contacts;
    double* deflections; ///< of the elements of Maxwell-slip contacts: see ss_trace_elements
    ss_energy energy;
    bool settles;
    double* limit_x; ///< where it settles
    cli_record record;
} cli_motion;

/// Returns CLI_DONE with the answer, CLI_UNFINISHED with what was computed, or CLI_WRONG with nothing (then
/// motion->model is NULL). Faults were told.
int cli_motion_run(const cli_motion_def* def, cli_motion* motion);
void cli_motion_free(cli_motion* motion);

/// The end of the motion as a row.
ss_trace_row cli_motion_end(const cli_motion* motion);

#endif
