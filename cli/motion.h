// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// One motion of bodies, and what people want to see of it.
#ifndef SLIPSTICK_CLI_MOTION_H
#define SLIPSTICK_CLI_MOTION_H

#include "record.h"
#include "run.h"

/// The answer. Arrays have one element per body or contact.
typedef struct cli_motion {
    const ss_model* model;
    ss_outcome outcome;
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
int cli_motion_run(const cli_run_def* def, const ss_model* model, cli_motion* motion);
void cli_motion_free(cli_motion* motion);

/// The end of the motion as a row.
ss_trace_row cli_motion_end(const cli_motion* motion);

#endif
