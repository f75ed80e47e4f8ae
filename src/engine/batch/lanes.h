// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Lanes: motions of a small steady linear model with constant Coulomb contacts, many at a time. Lanes that
// are in the same mode share its tables and pass through the same instructions. docs/theory/batch.md tells
// why no event is missed.
//
//  letter   here      meaning
//  y        y         state (q, q'), 2 n numbers
//  A, a     rates, pull    y' = (q', q''),  q'' = rates y + pull
//  Phi(c)   step      y(c) = y + Phi(c) y'
//  g        row . y + base   event function of a contact, between low and high while the mode lasts
#ifndef SLIPSTICK_FLOW_LANES_H
#define SLIPSTICK_FLOW_LANES_H

#include "engine/batch/batch_impl.h"
#include "engine/proof/divergence.h"

enum {
    SS_LANES_N = 4, ///< coordinates and contacts at most
    SS_LANES_Y = 2 * SS_LANES_N,
    SS_LANES_MODES = 81,  ///< 3^4
    SS_LANES_LEVELS = 10, ///< cells of length c, c/2, .., c/512
    SS_LANES_TERMS = 40,  ///< of the polynomials that move a state to any time of a cell
    SS_LANES_BLOCK = 32,  ///< lanes that go through the kernel in one call
    SS_LANES_LEAD = 256   ///< unit of the lead in what follows on an event
};

/// One contact in one mode. g is its speed in the direction of slip (low = 0, no upper bound), or its force.
typedef struct ss_lane_contact {
    double row[SS_LANES_Y], base;
    double low, high;
    bool sticks, slips_up;                  ///< slips_up: v > 0
    double bend[SS_LANES_Y];                ///< |g^(6)| <= sum bend_c |y'_c| on a cell
    double blur[2];                         ///< rounding of g: blur[0] times the largest |y_c|, plus blur[1]
    double pull_row[SS_LANES_Y], pull_base; ///< relative acceleration, while it slips
    // What follows on its event, where it is decided by itself alone: an outcome, SS_DECIDED + mode + lead *
    // SS_LANES_LEAD; otherwise SS_EVENT + contact.
    double next_low, next_high;   ///< it sticks and comes loose at this bound
    double next_stick, next_back; ///< it slips, arrives, and is held or not
    double undecided;
    const struct ss_lane_contact* held; ///< the same contact where it sticks
} ss_lane_contact;

/// Everything about one mode.
typedef struct ss_lane_mode {
    bool usable; ///< forces are determined
    bool ready;  ///< step, weights, and the bounds of contacts are filled
    int rank;    ///< coordinates held; n: rest
    int held[SS_LANES_N];
    double relation[SS_LANES_N][SS_LANES_N]; ///< held speed k = relation[k] . speeds
    double rates[SS_LANES_N][SS_LANES_Y], pull[SS_LANES_N];
    double step[SS_LANES_LEVELS][SS_LANES_Y][SS_LANES_Y];
    double weights[SS_LANES_TERMS][SS_LANES_Y]; ///< of the polynomials behind beta_j, see lanes_tables.c
    int terms;                                  ///< of each, an even number
    ss_lane_contact contacts[SS_LANES_N];
    double reach; ///< largest |y_c| from which the escape bound is not met on a cell
} ss_lane_mode;

/// Lanes of one mode and level on their way through the kernel.
typedef struct ss_lane_block {
    double y[SS_LANES_Y][SS_LANES_BLOCK]; ///< in: at the start; out: where the lane has got to
    double lead[SS_LANES_BLOCK]; ///< in: sum of lead_i 4^i; lead_i of the derivatives of g_i, 0, 1 or 2, are
                                 ///< 0 by proof
    double time[SS_LANES_BLOCK]; ///< out: passed
    double outcome[SS_LANES_BLOCK]; ///< out: an ss_lane_outcome
} ss_lane_block;

typedef enum ss_lane_outcome {
    SS_UNCLEAR, ///< the lane has not moved: a shorter cell may tell
    SS_FREE,    ///< no event: the lane is at the end of the cell
    SS_STRANGE, ///< to be run alone
    SS_DIVERGES,
    SS_EVENT = 16,   ///< + contact: its event, and what follows is not decided
    SS_DECIDED = 128 ///< + mode + lead * SS_LANES_LEAD: an event, and what follows; modes are fewer than 128
} ss_lane_outcome;

typedef struct ss_lanes {
    int n, m, mode_count;
    double cell[SS_LANES_LEVELS];     ///< s
    double factorial[SS_LANES_Y + 1]; ///< 1/k!
    double longest_mend;              ///< s: how far a guessed time may be mended by a series of four terms
    const ss_divergence* divergence;  ///< or NULL
    ss_lane_mode* modes;
    bool alone; ///< every contact is decided by itself alone, and every mode has its tables
    int place[SS_LANES_N], lead[SS_LANES_N]; ///< 3^i, 4^i
} ss_lanes;

typedef void ss_lane_kernel(const ss_lanes* lanes, const ss_lane_mode* mode, int level, ss_lane_block* block,
                            int count);
ss_lane_kernel ss_lane_kernel_plain, ss_lane_kernel_avx2, ss_lane_kernel_avx512;
/// What begins at the states of the block: outcome is SS_DIVERGES, SS_DECIDED + ..., or SS_UNCLEAR.
typedef void ss_lane_start_kernel(const ss_lanes* lanes, ss_lane_block* block, int count);
ss_lane_start_kernel ss_lane_start_plain, ss_lane_start_avx2, ss_lane_start_avx512;

/// Whether the model is of the kind, and its tables. sim is used to ask, and is to be restarted afterwards.
bool ss_lanes_apply(const ss_model* model);
void ss_lanes_fill(ss_lanes* lanes, ss_sim* sim);
/// The rest of the tables of one mode, which most modes never need; escape as in ss_batch_def.
void ss_lanes_fill_mode(const ss_lanes* lanes, ss_lane_mode* mode, double escape);

#endif
