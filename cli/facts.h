// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// What can be said of a model before it moves: matrices, frequencies, warnings.
#ifndef SLIPSTICK_CLI_FACTS_H
#define SLIPSTICK_CLI_FACTS_H

#include "core/error.h"
#include "slipstick/slipstick.h"

enum {
    CLI_MATRIX_LIMIT = 2000, ///< coordinates (and contacts) beyond which matrices are not written out
    CLI_EIGEN_LIMIT = 200,   ///< coordinates beyond which eigenvalues are not sought
};

typedef struct cli_facts {
    const ss_model* model;
    int n, contacts;
    double *M, *C, *K, *W; ///< row-major; NULL beyond CLI_MATRIX_LIMIT
    double* stiffness;     ///< eigenvalues of K against M in 1/s^2, ascending; NULL beyond CLI_EIGEN_LIMIT
    double* damping;       ///< of the symmetric part of C against M in 1/s, ascending
    ss_mode* modes;        ///< of the contacts at t = 0
    char** warnings;
    int warning_count;
} cli_facts;

/// Returns CLI_GO_ON, or the status to exit with after telling the fault. Free the facts in any case.
int cli_facts_gather(const ss_document* document, const ss_model* model, cli_facts* facts);
void cli_facts_free(cli_facts* facts);

/// Adds a warning. False without memory.
bool cli_facts_warn(cli_facts* facts, const char* format, ...) SS_PRINTF(2, 3);

/// Adds the warnings that model and document give reason to. False without memory.
bool cli_facts_judge(cli_facts* facts, const ss_document* document);

#endif
