// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// A motion from start to end, of bodies or of a slider: feeds the output file, shows how far it is, and ends
// well when it is interrupted or the disk is full.
#ifndef SLIPSTICK_CLI_RUN_H
#define SLIPSTICK_CLI_RUN_H

#include "option/load.h"

typedef struct cli_run_def {
    const cli_loaded* loaded;       ///< what moves
    double until;                   ///< s
    cli_times at;                   ///< moments asked for, none after until
    double every;                   ///< s between further moments from 0 on, 0 for none
    double escape;                  ///< m or rad
    double tolerance;               ///< relative
    long max_events;                ///< when to give up
    bool keep_samples;              ///< in memory, for the answer
    const ss_direction* directions; ///< in which it is differentiated
    int direction_count;
    bool sketch;                   ///< it is to be drawn,
    double sketch_from, sketch_to; ///< s: from and up to here; 0: the end
    const char* out;               ///< output file, NULL for none
    const char* model_text;        ///< kept in the output file; may be NULL
    const char* made;              ///< what it came from, kept there too; may be NULL
} cli_run_def;

/// The motion alone, without moments on the way.
ss_motion_def cli_run_motion_def(const cli_run_def* def);

/// Returns CLI_DONE with the motion, CLI_UNFINISHED with what was computed of it (NULL: nothing), or
/// CLI_WRONG with nothing. Faults were told. The caller destroys the motion.
int cli_run(const cli_run_def* def, ss_motion** out);

#endif
