// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// From the options of `fit` to what the library wants to know.
#ifndef SLIPSTICK_CLI_FIT_REQUEST_H
#define SLIPSTICK_CLI_FIT_REQUEST_H

#include "option/keep.h"
#include "option/load.h"
#include "option/plot.h"
#include "slipstick/lab.h"

#include <stdio.h>

/// As typed.
typedef struct cli_fit_options {
    cli_common common;
    const char *time, *out, *residuals, *loss;
    cli_texts versus; ///< other models
    cli_texts data, free, free_each, each, columns, sigma, bounds;
    cli_plot plot;
    ss_sheet sheet;
    double from, to, skip_s, delay; ///< delay: NaN where it is not given
    long starts, seed;
} cli_fit_options;

typedef struct cli_fit_request {
    ss_fit_def def;
    cli_keep keep; ///< of everything below
    ss_fit_free* free;
    ss_fit_trace* traces;
    const char **columns, **inputs;
    ss_fit_known* known;
    ss_recording** recordings;
    int recording_count;
    cli_texts sets; ///< without those of the clock
    bool choosy;    ///< free numbers that the model does not have are passed over
    double delay;
} cli_fit_request;

/// Takes `--delay` and `--set clock.delay=..`, which leaves the sets: the clock belongs to the sensor, not to
/// the model.
int cli_fit_take_clock(const cli_fit_options* options, cli_fit_request* request);
/// Reads the recordings and fills the definition. Returns CLI_GO_ON or the status to exit with; faults were
/// told.
int cli_fit_prepare(const cli_fit_options* options, const cli_loaded* loaded, cli_fit_request* request);
void cli_fit_request_free(cli_fit_request* request);

/// cli/fit_report.c
void cli_fit_report_text(const ss_fit* fit, const cli_fit_options* options, const cli_fit_request* request,
                         const char* title, FILE* out);
/// Several models, best first.
void cli_fit_ranking_text(const ss_fit* const fits[], const char* const names[], int count, FILE* out);

#endif
