// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A run from start to end, of bodies or of a slider: stops at the moments that were asked for, feeds the
// output file, shows how far it is, and ends well when it is interrupted or the disk is full.
#ifndef SLIPSTICK_CLI_RUN_H
#define SLIPSTICK_CLI_RUN_H

#include "lab/file/trace.h"
#include "moments.h"
#include "progress.h"

typedef struct cli_run_def {
    const ss_document* document; ///< for faults that show only while the model runs; may be NULL
    double until;                ///< s
    cli_times at;                ///< moments asked for, none after until
    double every;                ///< s between further moments from 0 on, 0 for none
    double escape;               ///< m or rad
    double tolerance;            ///< relative
    long max_events;             ///< when to give up
    bool keep_samples;           ///< in memory, for the answer
    const char* out;             ///< output file, NULL for none
    const char* model_text;      ///< kept in the output file; may be NULL
} cli_run_def;

/// What a run needs of that which moves.
typedef struct cli_mover {
    ss_status (*advance)(void* self, double t, ss_outcome* outcome, ss_error* err);
    /// The same, but also stops right after the next instant with events.
    ss_status (*advance_to_event)(void* self, double t, bool* at_event, ss_outcome* outcome, ss_error* err);
    ss_outcome (*conclude)(void* self);
    double (*time)(const void* self);
    ss_trace_row (*look)(void* self, double t);        ///< the present state as of t, until the next look
    void (*keep)(void* self, const ss_trace_row* row); ///< as a sample of the answer
    bool (*out_of_memory)(const void* self);           ///< something could not be kept
} cli_mover;

typedef struct cli_run {
    const cli_run_def* def;
    const cli_mover* mover;
    void* self; ///< that which moves
    ss_outcome outcome;
    int status;
    ss_trace* trace;
    char* unfinished; ///< name of the trace's file in the making, while HDF5 writes it
    cli_progress progress;
    cli_moments moments;
    double row_t; ///< time of the last row written
} cli_run;

cli_run cli_run_begin(const cli_run_def* def, const cli_mover* mover, void* self);
/// Opens the output file if one was asked for; trace says what moves. CLI_GO_ON, or the fault was told.
int cli_run_open(cli_run* run, ss_trace_def trace);
/// To the end, or to where it has to stop. Faults are told; run->outcome and run->status say how it went.
void cli_run_go(cli_run* run);
/// For the simulations to call now and then: shows how far the run is, false to end it.
bool cli_run_keep_going(cli_run* run, double t);
void cli_run_end(cli_run* run);

#endif
