// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Blocks of 1 kg in a row, each on its own rough floor, joined to their neighbours and to the ground by
// springs and dampers: M = 1, K and C tridiagonal with one number on and one beside the diagonal. Three ways
// to their place of rest: Slipstick, CVODE as an expert writes it, and the truth.
#ifndef SLIPSTICK_BENCH_BLOCK_CHAIN_H
#define SLIPSTICK_BENCH_BLOCK_CHAIN_H

#include <stdbool.h>

typedef struct blocks {
    int count;
    double k_on, k_beside; ///< N/m: K is k_on on the diagonal, k_beside next to it
    double c_on, c_beside; ///< N*s/m, likewise
    double friction;       ///< N, of each floor
    double until;          ///< s, a motion that lasts longer does not come to rest
} blocks;

typedef struct blocks_rest {
    bool rests;
    bool escapes; ///< proved, where that is asked for
    long events;  ///< changes of mode
    double t;
} blocks_rest;

/// Truth: Taylor series in long double with the mode logic of uncoupled floors. x is start and end.
/// Returns false where memory is lacking.
bool blocks_truth(const blocks* b, double x[], blocks_rest* rest);

/// CVODE: Adams with fixed-point iteration, root finding, memory made once and used again.
typedef struct blocks_cvode blocks_cvode;
blocks_cvode* blocks_cvode_create(const blocks* b, double relative, double absolute); ///< NULL on failure
bool blocks_cvode_run(blocks_cvode* peer, double x[], blocks_rest* rest);             ///< x is start and end
/// The same from a start with speeds, and ended where divergence is proved: v is start and end, too.
bool blocks_cvode_run_until_clear(blocks_cvode* peer, double x[], double v[], blocks_rest* rest);
void blocks_cvode_destroy(blocks_cvode* peer);

/// Slipstick: one model, one run object started anew for each start.
typedef struct blocks_slipstick blocks_slipstick;
blocks_slipstick* blocks_slipstick_create(const blocks* b, bool ledger);     ///< NULL on failure
const struct ss_model* blocks_slipstick_model(const blocks_slipstick* ours); ///< borrowed
bool blocks_slipstick_run(blocks_slipstick* ours, double x[], blocks_rest* rest);
double blocks_slipstick_energy_error(const blocks_slipstick* ours); ///< residual over energy at the start
void blocks_slipstick_destroy(blocks_slipstick* ours);

double bench_seconds(void);     ///< of the monotonic clock
double bench_cpu_seconds(void); ///< that this thread has worked: others on the machine do not count
/// Appends a row to a CSV file, with the header first if the file is new. Returns false and says why on
/// standard error where it cannot.
bool bench_append(const char* path, const char* header, const char* row);

#endif
